"""What the owners of a federation have agreed on, in one file that all of them have: ``federation.json``.

It is written by hand, or by :meth:`Agreement.save`, and names what is public, who takes part, who asks, and the terms.
Each owner compares the fingerprints with the other owners, and the digest of the whole, on another way than the file
came by. A site makes its :class:`Limits` and its budget of its own copy; nothing of it comes over the wire.

The digest is that of the content: blanks and line ends do not change it, and everything else does.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from fdpedu.accounting import Budget
from fdpedu.accounting.cost import SYMBOLS
from fdpedu.domain import Domain
from fdpedu.exact import Rational, as_fraction, as_integer, as_list, quoted, shown
from fdpedu.federation.limits import Limits
from fdpedu.federation.queries import Query, closed_set
from fdpedu.federation.stages import rules_of
from fdpedu.files import FileRefused, Location, laid_out, other_schema, read_object, read_text, understood, write_text
from fdpedu.printable import require_printable
from fdpedu.secure_sum.binding import hashed
from fdpedu.secure_sum.identity import fingerprint
from fdpedu.showing import text_table

SCHEMA = "fdpedu-federation/1"
_NEEDED = ("domain", "members", "aggregator", "budget")
_TERMS = ("tolerate", "missing", "least", "queries")  # what may be left out


@dataclass(frozen=True, kw_only=True)
class Agreement:
    """The terms of a federation, the same for all.

    Parameters
    ----------
    domain : what is public
    members : the name of each site, and its identity, 32 bytes, in the order of the session
    aggregator : the identity of whoever asks, 32 bytes; a site reads nothing that it has not signed
    budget : what each site may spend in all: a :class:`fdpedu.accounting.Budget`, or ε
    tolerate, missing : as of a :class:`Federation`
    least : what a query must cost at least, in the budget's measure: many that cost next to nothing fill a ledger
    queries : the types of queries that are answered; all when left out

    Examples
    --------
    >>> from fdpedu.domain import Numeric
    >>> domain = Domain([Numeric.grid("age", 0, 100, bins=4)], ("well", "ill"))
    >>> sites = {"north": bytes([1]) * 32, "south": bytes([2]) * 32}
    >>> agreed = Agreement(domain=domain, members=sites, aggregator=bytes(32), budget=1, least="1/100")
    >>> agreed == Agreement.from_json(agreed.to_json()), agreed.digest[:23]
    (True, 'sha256:90593147ae6a5ad6')
    >>> agreed.limits()
    Limits(...; members: 2 pinned, 2 or more; tolerate ≥ 1; ε ≥ 1/100)
    """

    domain: Domain
    members: Mapping[str, bytes]
    aggregator: bytes
    budget: Budget | Rational
    tolerate: int = 1
    missing: int = 0
    least: Rational = 0
    queries: Collection[type[Query]] | None = None

    def __post_init__(self) -> None:
        if type(self.domain) is not Domain:
            raise ValueError(f"domain must be a Domain, got {type(self.domain).__name__}")
        _require_identities(self.members, self.aggregator)
        object.__setattr__(self, "members", dict(self.members))
        object.__setattr__(self, "budget", Budget.of(self.budget))
        for name in ("tolerate", "missing"):
            object.__setattr__(self, name, as_integer(getattr(self, name), name, minimum=0))
        rules_of(len(self.members), self.tolerate, self.missing)
        object.__setattr__(self, "least", as_fraction(self.least, "least"))
        if self.queries is not None:
            object.__setattr__(self, "queries", tuple(as_list(self.queries, "queries")))
        self.limits()

    def __hash__(self) -> int:
        return hash(self.digest)

    @property
    def total(self) -> Budget:
        """What each site may spend in all."""
        assert isinstance(self.budget, Budget)
        return self.budget

    @property
    def colluders(self) -> int:
        """How many colluders the noise withstands, beside sites that may be missing."""
        return self.tolerate - self.missing

    @property
    def digest(self) -> str:
        """What the owners compare: SHA-256 of all that is agreed."""
        content = json.dumps(self.to_dict(), ensure_ascii=True, sort_keys=False)
        return "sha256:" + hashed(("agreement", content)).hex()

    def require_digest(self, agreed: str) -> None:
        """Refuse another digest than that of these terms; blanks and the word before it may be left out.

        Parameters
        ----------
        agreed : as the owners have compared it
        """
        told = "".join(agreed.lower().split()).removeprefix("sha256:")
        if told != self.digest.removeprefix("sha256:"):
            raise ValueError(
                f"agreed must be the digest of the file, and it is that of other terms; the file has {self.digest}: "
                "compare the file with the other owners' (fdpedu show) before you agree to it"
            )

    def limits(self) -> Limits:
        """What a site allows that has agreed to this: just these members, these terms and these queries."""
        least = {"least_epsilon" if self.total.is_pure else "least_rho": self.least}
        n = len(self.members)
        pinned = frozenset(self.members.values())
        return Limits(
            members=pinned, tolerate=self.colluders, queries=self.queries, minimum=n, maximum=max(n, 2), **least
        )

    def name_of(self, identity: bytes) -> str:
        """The name of the site that has this identity.

        Raises
        ------
        ValueError
            If no member has it.
        """
        for name, one in self.members.items():
            if one == identity:
                return name
        raise ValueError(
            f"identity {fingerprint(identity)} is none of the {len(self.members)} members "
            f"{', '.join(map(repr, self.members))}: take another file, or agree on a new federation.json"
        )

    def require_aggregator(self, identity: bytes) -> None:
        """Refuse the identity of anybody but the aggregator: no site would answer."""
        if identity != self.aggregator:
            raise ValueError(
                f"identity {fingerprint(identity)} is not the aggregator's, {fingerprint(self.aggregator)}: no site "
                "would answer; take the file of the aggregator's identity"
            )

    def to_dict(self) -> dict[str, Any]:
        """As it stands in the file."""
        kinds = {} if self.queries is None else {"queries": [kind.type for kind in self.queries]}
        return {
            "schema": SCHEMA,
            "domain": self.domain.to_spec(),
            "members": {name: identity.hex() for name, identity in self.members.items()},
            "aggregator": self.aggregator.hex(),
            "budget": self.total.to_json(),
            "tolerate": self.tolerate,
            "missing": self.missing,
            "least": str(self.least),
            **kinds,
        }

    def to_json(self) -> str:
        """The text of the file."""
        return laid_out(self.to_dict()) + "\n"

    @classmethod
    def from_json(cls, text: str, where: str = "the text") -> Agreement:
        """What the text says.

        Parameters
        ----------
        text : of a file
        where : it comes from, for messages
        """
        found = read_object(text, where)
        if found.get("schema") != SCHEMA:
            raise FileRefused(
                f"{where}: expected a federation with the schema {SCHEMA!r}, {other_schema(found, SCHEMA)}"
            )
        if odd := [name for name in found if name not in ("schema", *_NEEDED, *_TERMS)]:
            raise FileRefused(f"{where}: {quoted(odd[0])} is no term of a federation: {', '.join((*_NEEDED, *_TERMS))}")
        return understood(where, lambda: cls(**_read(found)))

    @classmethod
    def load(cls, path: Location) -> Agreement:
        """What a file says, written by :meth:`save` or by hand."""
        return cls.from_json(read_text(path), str(path))

    def save(self, path: Location, *, overwrite: bool = False) -> None:
        """Write it, for all owners to have.

        Parameters
        ----------
        path : of the file
        overwrite : whether another file there may be replaced
        """
        write_text(path, self.to_json(), overwrite=overwrite)

    def to_text(self) -> str:
        """The terms, the fingerprints and the digest, for owners who compare them."""
        total = self.total
        kinds = "all" if self.queries is None else ", ".join(kind.type for kind in self.queries)
        least = f"{SYMBOLS[total.measure]} = {shown(Fraction(str(self.least)))}"
        terms = [
            ("each site spends at most", str(total)),
            ("a query costs at least", least),
            ("colluding sites that the noise withstands", str(self.colluders)),
            ("sites that may be silent in a round", str(self.missing)),
            ("queries that are answered", kinds),
        ]
        who = [("aggregator", fingerprint(self.aggregator))]
        who += [(f"site {name}", fingerprint(identity)) for name, identity in self.members.items()]
        return "\n\n".join([self.domain.to_text(), text_table(terms), text_table(who), f"digest: {self.digest}"])


def _require_identities(members: Any, aggregator: Any) -> None:
    if not isinstance(members, Mapping) or len(members) < 2:
        raise ValueError("members must name at least 2 sites, each with its identity")
    for name, identity in (*members.items(), ("the aggregator", aggregator)):
        if type(name) is not str or not name or name != name.strip() or "/" in name or name.startswith("."):
            raise ValueError(f"members must have names that a file can have, got {quoted(name)}")
        require_printable(name, "members")
        if type(identity) is not bytes or len(identity) != 32:
            raise ValueError(
                f"the identity of {quoted(name)} must be 32 bytes, in a file 64 digits as fdpedu identity show has them"
            )
    if len({*members.values(), aggregator}) != len(members) + 1:
        raise ValueError("members and aggregator must have identities of their own: one stands there twice")


def _read(found: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of an agreement that a file states."""
    members, budget = found["members"], found["budget"]
    given = {name: found[name] for name in _TERMS if name in found}
    if "queries" in given:
        given["queries"] = [_kind(name) for name in given["queries"]]
    if isinstance(budget, dict) and set(budget) <= {"epsilon", "delta", "rho"}:
        budget = Budget.of(budget.get("epsilon"), delta=budget.get("delta"), rho=budget.get("rho"))
    elif isinstance(budget, dict):
        budget = Budget.from_json(budget)
    return {
        **given,
        "domain": Domain.from_spec(found["domain"]),
        "members": {name: _identity(text, name) for name, text in members.items()},
        "aggregator": _identity(found["aggregator"], "the aggregator"),
        "budget": budget,
    }


def _identity(text: Any, whose: str) -> bytes:
    try:
        return bytes.fromhex(text)
    except (TypeError, ValueError):
        raise ValueError(
            f"the identity of {whose!r} must be 64 hexadecimal digits (fdpedu identity show), got {quoted(text)}"
        ) from None


def _kind(name: Any) -> type[Query]:
    known = {kind.type: kind for kind in closed_set.CLOSED_SET}
    if name not in known:
        raise ValueError(f"queries must be among {', '.join(known)}; got {quoted(name)}")
    return known[name]
