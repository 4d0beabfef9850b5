"""``fdpedu fit --federation``: the aggregator of sites that have processes of their own."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fdpedu.cli.identities import add_passphrase, loaded_identity
from fdpedu.cli.parser import Refused, require_left_out

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fdpedu.accounting import Ledger
    from fdpedu.domain import Domain
    from fdpedu.federation import Agreement, Curator, Federation, Party, RemoteParty, Sockets
    from fdpedu.secure_sum import Identity

OWN = ("identity", "passphrase", "journal", "patience")
"""What is said of sites elsewhere only."""
_AGREED = "it stands in federation.json"
_AT_SITES = "each site says it of its own rows, with fdpedu site"
_NOT_HERE = {
    "curator": "it is for one owner of all rows, and with --federation there are sites",
    "domain": _AGREED,
    "tolerate": _AGREED,
    "label": _AT_SITES,
    "by": _AT_SITES,
    **dict.fromkeys(("delimiter", "decimal", "thousands", "encoding"), _AT_SITES),
}
_NEEDED = {
    "sites": "the folder with a socket for each site, NAME.sock",
    "identity": "the aggregator's: no site answers anybody else",
    "journal": "a file by which the same command finishes what was begun, if it is killed",
}

_HINTS = {
    "no such file": "nobody has opened it: does the site, or its carrier, run, and with this folder?",
    "refused": "whoever had opened it has ended: start the site, or its carrier, again",
    "hung up": "a carrier is there, and has no answer of the site: does fdpedu site run there? (fdpedu carry says it)",
}


def add_options(fit: argparse.ArgumentParser) -> None:
    """What is said of sites on machines of their own."""
    only = fit.add_argument_group("with --federation", "the sites run fdpedu site; --sites is the folder of sockets.")
    only.add_argument("--federation", metavar="FILE", help="what all owners have agreed on: federation.json")
    only.add_argument("--identity", metavar="FILE", help="the aggregator's (fdpedu identity create)")
    add_passphrase(only)
    only.add_argument(
        "--journal", metavar="FILE", help="made if it is not there; the same command then goes on where it was killed"
    )
    only.add_argument("--patience", metavar="SECONDS", help="until a site counts as silent (default 60)")


def require_of_field(options: argparse.Namespace) -> None:
    """Refuse what is said of sites elsewhere where there are none, and what they say themselves."""
    if options.federation is None:
        for name in OWN:
            if getattr(options, name) is not None:
                raise ValueError(f"--{name} is for sites elsewhere: leave it out, or say --federation")
        return
    if options.data:
        raise ValueError(
            f"with --federation no files of rows are given here, and {options.data[0]} is one: leave it out"
        )
    for name in ("delimiter", "decimal", "thousands", "encoding"):
        if not getattr(options, name):
            setattr(options, name, None)
    require_left_out(options, _NOT_HERE, "with --federation")
    for name, what in _NEEDED.items():
        if getattr(options, name) is None:
            raise ValueError(f"--{name} is needed with --federation: {what}")


def federation_of(asker: Federation | Curator) -> Federation | None:
    """The federation that is asked; None where one owner is, beside whom nobody is reached or sees anything."""
    from fdpedu.federation import Federation

    return asker if isinstance(asker, Federation) else None


@dataclass
class Here:
    """Sites whose files are all here: the parties are in this process; or the one owner of all rows."""

    parties: Sequence[Party]
    tolerate: int
    domain: Domain

    def asker(self, ledger: Ledger) -> Federation | Curator:
        """A federation of these parties; a curator of one."""
        from fdpedu.federation import Curator, Federation

        if len(self.parties) == 1:
            return Curator(self.parties[0], ledger)
        return Federation(self.parties, self.domain, ledger, tolerate=self.tolerate)

    @contextmanager
    def explaining(self) -> Iterator[None]:
        """There is nothing to add to what is refused."""
        yield


@dataclass
class Afield:
    """Sites that have processes of their own, and are reached through sockets."""

    agreed: Agreement
    identity: Identity
    sockets: Sockets
    journal: str

    @classmethod
    def of(cls, options: argparse.Namespace) -> Afield:
        """As the options say; nobody is asked anything yet."""
        from fdpedu.federation import Agreement, Sockets

        agreed = Agreement.load(options.federation)
        if not os.path.isdir(options.sites):
            raise ValueError(f"--sites must be {_NEEDED['sites']}; {options.sites} is no folder")
        sockets = Sockets(options.sites, patience=60 if options.patience is None else options.patience)
        identity = loaded_identity(options.identity, options.passphrase)
        agreed.require_aggregator(identity.public)
        return cls(agreed, identity, sockets, options.journal)

    @property
    def domain(self) -> Domain:
        """As it was agreed on."""
        return self.agreed.domain

    @property
    def tolerate(self) -> int:
        """What the noise withstands for certain: whoever is missing has added none."""
        return self.agreed.colluders

    @property
    def parties(self) -> Sequence[RemoteParty]:
        """In the order of the agreement."""
        return [self.sockets.party(name, identity) for name, identity in self.agreed.members.items()]

    def asker(self, ledger: Ledger) -> Federation:
        """A federation of these sites; they are invited, or the journal says that they were."""
        from fdpedu.federation import Federation

        return Federation(
            self.parties,
            self.domain,
            ledger,
            transport=self.sockets,
            tolerate=self.agreed.tolerate,
            missing=self.agreed.missing,
            identity=self.identity,
            journal=self.journal,
        )

    @contextmanager
    def explaining(self) -> Iterator[None]:
        """Say of a round that is lost for want of an answer why, and that it is not lost for good."""
        from fdpedu.secure_sum import RoundLost

        try:
            yield
        except RoundLost as lost:
            silent = "; ".join(f"{why}{_looked_at(why)}" for why in self.sockets.silent.values())
            advice = (
                f"({silent}). See to the site or its carrier, then give" if silent else "If that can be mended, give"
            )
            raise Refused(
                f"{lost}{' ' if silent else '. '}{advice} this command again: if anything was paid, the journal "
                f"{self.journal} has it, and it is not paid twice{'' if silent else '. Another command needs another'}"
            ) from None


def _looked_at(why: str) -> str:
    """What to look at first where a socket does not answer."""
    return next((f", {hint}" for words, hint in _HINTS.items() if words in why), "")
