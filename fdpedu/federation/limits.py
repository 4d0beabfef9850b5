"""What a party's owner allows: limits that the party enforces itself, against any aggregator."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from fdpedu.accounting.cost import SYMBOLS
from fdpedu.exact import Rational, as_fraction, as_integer, as_list, shown
from fdpedu.federation.messages import Refused
from fdpedu.federation.queries import Query, closed_set

ANYBODY = "anybody"  # in place of pinned members; an aggregator may then invent members, whose noise it knows


@dataclass(frozen=True, kw_only=True)
class Limits:
    """The conditions under which a party takes part; beyond them it refuses, whatever the aggregator says.

    How much may be spent is the budget of the party's own ledger, ``Party(…, ledger=Ledger(1), limits=…)``. Whom to be
    with, and how many colluders to withstand, has no default: an owner who believes the aggregator's list says so.

    Claims: thm-party-ledger

    Parameters
    ----------
    members : the identities that its owner has compared and pinned, the party's own among them; or ``"anybody"``, for
        whoever is invited with it, and then thm-party-ledger promises nothing
    tolerate : the number of colluders that the noise must withstand, at least, beside parties that may be missing
    queries : the types of queries that it answers; all of the closed set when left out
    minimum, maximum : the numbers of members between which it takes part, 2 or more
    least_epsilon, least_rho : what a query must cost, at least, in the measure of the session: many that cost next to
        nothing would fill the ledger with entries

    Examples
    --------
    >>> from fdpedu.federation import ClassCounts
    >>> Limits(members="anybody", tolerate=2, queries=[ClassCounts], minimum=5)
    Limits(class-counts; members: any 5 or more; tolerate ≥ 2; ε ≥ 0)
    """

    members: Collection[bytes] | str
    tolerate: int
    queries: Collection[type[Query]] | None = None
    minimum: int = 2
    maximum: int = 1000
    least_epsilon: Rational = 0
    least_rho: Rational = 0

    def __post_init__(self) -> None:
        known = closed_set.CLOSED_SET
        queries = known if self.queries is None else tuple(as_list(self.queries, "queries"))
        if not queries or not all(query in known for query in queries):
            raise ValueError(f"queries must be types of the closed set, {', '.join(kind.__name__ for kind in known)}")
        object.__setattr__(self, "queries", queries)
        object.__setattr__(self, "members", _as_members(self.members))
        object.__setattr__(self, "minimum", as_integer(self.minimum, "minimum", minimum=2))
        object.__setattr__(self, "tolerate", as_integer(self.tolerate, "tolerate", minimum=0))
        object.__setattr__(self, "maximum", as_integer(self.maximum, "maximum", minimum=self.minimum))
        for name in ("least_epsilon", "least_rho"):
            object.__setattr__(self, name, as_fraction(getattr(self, name), name))

    def __repr__(self) -> str:
        assert self.queries is not None
        who = "any" if self.members == ANYBODY else f"{len(self.members)} pinned,"
        kinds = ", ".join(query.type for query in self.queries)
        least = f"tolerate ≥ {self.tolerate}; ε ≥ {self.least_epsilon}" + f"; ρ ≥ {self.least_rho}" * bool(
            self.least_rho
        )
        return f"Limits({kinds}; members: {who} {self.minimum} or more; {least})"

    def check_members(self, members: Collection[bytes], colluders: int) -> None:
        """Refuse a list of members, or a number of colluders that are withstood, that the owner does not allow."""
        if len(members) < self.minimum:
            raise Refused("not allowed", f"{len(members)} members are too few: this party wants {self.minimum}")
        if len(members) > self.maximum:
            raise Refused(
                "not allowed", f"{len(members)} members are too many: this party wants {self.maximum} at most"
            )
        if not isinstance(self.members, str) and not set(members) <= set(self.members):
            raise Refused("not allowed", "somebody is on the list whom this party's owner has not pinned")
        if colluders < self.tolerate:
            wanted = f"this party wants {self.tolerate} or more"
            raise Refused("not allowed", f"the noise withstands {colluders} colluders: {wanted}")

    def check_query(self, query: Query) -> None:
        """Refuse a type of query, or a cost, that the owner does not allow."""
        assert self.queries is not None
        least = self.least_epsilon if query.cost.is_pure else self.least_rho
        assert isinstance(least, Fraction)
        if query.cost.value < least:
            symbol = SYMBOLS[query.cost.measure]
            raise Refused("not allowed", f"this party answers at {symbol} = {shown(least)} or more for a query")
        if type(query) not in self.queries:
            raise Refused("not allowed", f"this party does not answer {query.type}")


def _as_members(members: Any) -> frozenset[bytes] | str:
    if type(members) is str and members == ANYBODY:
        return ANYBODY
    listed = isinstance(members, (set, frozenset, list, tuple))
    if not listed or not all(type(one) is bytes and len(one) == 32 for one in members):
        raise ValueError(
            f"members must be a set or a list of identities, 32 bytes each, that the owner has compared; or {ANYBODY!r}"
        )
    return frozenset(members)
