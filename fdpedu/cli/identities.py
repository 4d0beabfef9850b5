"""``fdpedu identity``: the long-lived key by which the owners of sites and the aggregator know one another."""

from __future__ import annotations

import argparse
import getpass
import os
import sys
from typing import TYPE_CHECKING

from fdpedu.cli.parser import DONE, Commands, print_json, refusing, wrapped
from fdpedu.files import reason

if TYPE_CHECKING:
    from fdpedu.secure_sum import Identity

_OF_A_FILE = "a file of yours alone (mode 0600) that holds it (default: it is asked for at the terminal)"


def add(commands: Commands) -> None:
    identity = commands.add_parser("identity", help="the key by which a site, or the aggregator, is known to others")
    what = identity.add_subparsers(dest="what", required=True, metavar="create|show")
    for name, words, run in (
        ("create", "make a new one, encrypted, for its owner alone", _create),
        ("show", "its public half, for federation.json, and the fingerprint that owners compare", _show),
    ):
        command = what.add_parser(name, help=words)
        command.add_argument("file", help="a new file" if name == "create" else "of the identity")
        add_passphrase(command)
        command.add_argument("--json", action="store_true", help="print one JSON object")
        command.set_defaults(run=run)


def add_passphrase(command: argparse.ArgumentParser | argparse._ArgumentGroup) -> None:
    """Where the passphrase of an identity comes from."""
    command.add_argument("--passphrase", metavar="FILE", help=f"of the identity: {_OF_A_FILE}")


def loaded_identity(file: str, passphrase: str | None) -> Identity:
    """The identity of a file, with its passphrase from a file or from the terminal."""
    from fdpedu.secure_sum import Identity

    try:
        with open(file, "rb"):
            pass
    except OSError as error:
        raise ValueError(
            f"cannot read {file}: {reason(error)}; an identity is made by: fdpedu identity create"
        ) from None
    _require_own(file)
    secret = _passphrase(passphrase, file)
    with refusing(ValueError):
        return Identity.load(file, secret)


def _require_own(file: str) -> None:
    """Refuse a secret that others can read, before anybody is asked for a passphrase."""
    if os.name == "posix" and os.stat(file).st_mode & 0o077:
        raise ValueError(
            f"{file} may be read by others than its owner: take their rights away first (chmod 600 {file})"
        )


def _passphrase(file: str | None, of: str, *, twice: bool = False) -> str:
    if file is None:
        return _asked(of, twice)
    try:
        _require_own(file)
        with open(file, encoding="utf-8-sig") as opened:
            found = opened.read().removesuffix("\n").removesuffix("\r")
    except OSError as error:
        raise ValueError(f"cannot read {file}: {reason(error)}") from None
    except UnicodeDecodeError:
        raise ValueError(f"cannot read {file}: expected a passphrase in UTF-8") from None
    if not found:
        raise ValueError(f"{file} is empty: it must hold the passphrase, in one line")
    return found


def _asked(of: str, twice: bool) -> str:
    if sys.stdin is None or not sys.stdin.isatty():
        raise ValueError(f"--passphrase is needed, as there is no terminal where it could be asked for: {_OF_A_FILE}")
    found = getpass.getpass(f"Passphrase of {of}: ")
    if twice and getpass.getpass("The same once more: ") != found:
        raise ValueError("the two passphrases differ; nothing was made")
    return found


def _create(options: argparse.Namespace) -> int:
    from fdpedu.secure_sum import Identity

    if os.path.lexists(options.file):
        raise ValueError(f"{options.file} exists: an identity is never written over; name a new file")
    made = Identity.create()
    try:
        made.save(options.file, _passphrase(options.passphrase, options.file, twice=True))
    except OSError as error:
        raise ValueError(f"cannot write {options.file}: {reason(error)}") from None
    return _print(options, made)


def _show(options: argparse.Namespace) -> int:
    return _print(options, loaded_identity(options.file, options.passphrase))


def _print(options: argparse.Namespace, found: Identity) -> int:
    from fdpedu.secure_sum.identity import fingerprint

    words = fingerprint(found.public)
    if options.json:
        print_json({"file": options.file, "identity": found.public.hex(), "fingerprint": words})
        return DONE
    print(f"identity     {found.public.hex()}\nfingerprint  {words}")
    print(wrapped("The identity is for federation.json; read the fingerprint to the other owners, on another way."))
    return DONE
