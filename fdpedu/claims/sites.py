"""Sites on files in a folder, the one who may ask them, and sessions between them, for checks."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

from fdpedu.accounting import Ledger
from fdpedu.claims.secure_sum.messages import AGE, ROWS
from fdpedu.federation import InProcess, Limits, Party
from fdpedu.federation import messages as language
from fdpedu.federation.session import Session
from fdpedu.federation.signed import signed
from fdpedu.federation.site import Site
from fdpedu.randomness import Words, ZeroWords
from fdpedu.secure_sum import Identity

BUDGET = Fraction(3, 4)


class Drawing(ZeroWords):
    """No noise, so that sums are exact; and it counts how often it is drawn from."""

    drawn = 0

    def words(self, size: int) -> Words:
        Drawing.drawn += 1
        return super().words(size)


class Field:
    """Sites, each with a file in a folder, the one who may ask them, and its session with them."""

    def __init__(self, folder: str, parties: int = 2, *, missing: int = 0, budget: Fraction | int = BUDGET) -> None:
        self.folder, self.aggregator, self.missing = folder, Identity.create(), missing
        self.identities = [Identity.create() for _ in range(parties)]
        for k in range(parties):
            Ledger.open(self.path(k), budget, domain=AGE).close()
        self.sites = [self.site(k) for k in range(parties)]

    def path(self, k: int) -> str:
        return f"{self.folder}/site {k}.db"

    def site(self, k: int) -> Site:
        """A process that is started on the file, as far as the file can tell."""
        own = {"ledger": Ledger.open(self.path(k)), "identity": self.identities[k], "rng": Drawing()}
        limits = Limits(members=[identity.public for identity in self.identities], tolerate=0)
        return Site(Party(ROWS[k % len(ROWS)], AGE, limits=limits, **own), self.aggregator.public)  # type: ignore[arg-type]

    def say(self, site: Site, message: Any) -> Any:
        """What a site answers to a message of its aggregator."""
        reply = site.respond(self.carried(message))
        kinds = [kind for kind, _ in language.KINDS.values() if "signature" in kind._fields]
        return language.read_signed(reply, site.identity, *kinds)

    def carried(self, message: Any) -> bytes:
        return signed(message if type(message) is bytes else language.write(message), self.aggregator)

    def begin(self, transport: InProcess | None = None) -> Session:
        """A session of all sites, from its invitation on."""
        members = [_Member(site, self) for site in self.sites]
        names, tolerate = [f"site {k}" for k in range(len(members))], max(1, self.missing)
        options: dict[str, Any] = {"tolerate": tolerate, "missing": self.missing, "budget": Fraction(100)}
        return Session(transport or InProcess(), names, members, AGE, **options)


class _Member(NamedTuple):
    """A site, as its aggregator reaches it."""

    site: Site
    field: Field

    @property
    def identity(self) -> bytes:
        return self.site.identity

    def respond(self, message: bytes) -> bytes:
        return self.site.respond(self.field.carried(message))


def counted(parties: int) -> list[int]:
    """The classes of the rows of so many sites."""
    rows = [row for k in range(parties) for row in ROWS[k % len(ROWS)]]
    return [sum(label == name for _, label in rows) for name in AGE.classes]
