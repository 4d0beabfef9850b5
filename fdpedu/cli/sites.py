"""``fdpedu site``: one site's own process, which answers the agreed aggregator through a Unix socket."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from fdpedu.cli.csv_data import (
    add_csv,
    forms_of,
    left_in,
    require_apart,
    require_readable,
    settle_label,
)
from fdpedu.cli.identities import add_passphrase, loaded_identity
from fdpedu.cli.parser import DONE, Commands, as_json, refusing, wrapped

if TYPE_CHECKING:
    from fdpedu.accounting import Ledger
    from fdpedu.federation import Agreement, Party
    from fdpedu.secure_sum import Identity


def add(commands: Commands) -> None:
    site = commands.add_parser("site", help="answer the agreed aggregator for one site, from its own machine")
    site.add_argument("federation", help="what all owners have agreed on: federation.json")
    site.add_argument("data", metavar="CSV", help="the site's rows; the first line names the columns")
    site.add_argument(
        "--agreed", required=True, metavar="DIGEST", help="of federation.json, as the owners have compared it"
    )
    site.add_argument("--identity", required=True, metavar="FILE", help="the site's (fdpedu identity create)")
    add_passphrase(site)
    site.add_argument(
        "--budget", required=True, metavar="FILE", help="the site's, with its session; made if it is not there"
    )
    site.add_argument("--socket", required=True, metavar="PATH", help="where it listens; at most 100 bytes")
    site.add_argument("--label", metavar="COLUMN", help="the column of the class (default: of the target's name)")
    add_csv(site)
    site.set_defaults(run=_site)


def _site(options: argparse.Namespace) -> int:
    from fdpedu.federation import Agreement, Site, sockets

    agreed = Agreement.load(options.federation)
    agreed.require_digest(options.agreed)
    settle_label(options, agreed.domain)
    require_readable([options.data])
    require_apart([options.federation, options.data, options.identity, options.passphrase], [options.budget])
    require_apart([], [options.budget, options.socket])
    identity = loaded_identity(options.identity, options.passphrase)
    name = agreed.name_of(identity.public)
    sockets.require_free(options.socket)
    with _ledger(options.budget, agreed) as ledger:
        party = _party(options, agreed, name, identity, ledger)
        site = Site(party, agreed.aggregator)
        said = f"Site {name} answers at {options.socket}; its budget {options.budget} has {left_in(ledger)} left."
        if options.json:
            print(as_json({"site": name, "socket": options.socket, "left": left_in(ledger)}), end="", flush=True)
        else:
            print(wrapped(f"{said} It may be stopped, or killed, and started again at any time."), flush=True)
        sockets.serve(site, options.socket)
    return DONE


def _ledger(file: str, agreed: Agreement) -> Ledger:
    """The site's budget: just what was agreed on."""
    from fdpedu.accounting import Ledger

    return Ledger.open(file, agreed.total, domain=agreed.domain, colluders=agreed.colluders)


def _party(options: argparse.Namespace, agreed: Agreement, name: str, identity: Identity, ledger: Ledger) -> Party:
    from fdpedu.federation import Party

    form = forms_of(options, agreed.domain)[options.data]
    own: dict[str, Any] = {"ledger": ledger, "limits": agreed.limits(), "identity": identity}
    with refusing(ValueError):
        return Party.from_csv(options.data, agreed.domain, label=options.label, name=name, **own, **form)
