"""The closed set of types, and the one form in which queries stand in a request.

A query is written as its type, the restricted coordinates of its region, its cost (a number is ε, else measure
and number), and the values of the type's own
fields. A request carries the form of all its queries as bytes. A reader parses the bytes once. Queries that
would be written otherwise than they stand there are refused, so two requests that differ in a byte differ in meaning.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fdpedu.accounting import Cost
from fdpedu.domain import Domain, Region
from fdpedu.federation.queries.bounds import NodeBounds
from fdpedu.federation.queries.choices import ChosenBlock, ChosenSplit, DesignedSplit, LeafLabel
from fdpedu.federation.queries.counts import ClassCounts, ClassHistogram, GroupCounts, NodeHistograms, TargetCounts
from fdpedu.federation.queries.edges import JointEdges
from fdpedu.federation.queries.gradients import GradientSums, InterceptSums
from fdpedu.federation.queries.outcomes import ConfusionCounts, OutcomeCounts
from fdpedu.federation.queries.query import Query
from fdpedu.federation.queries.residuals import ResidualSums, SquareSums
from fdpedu.federation.queries.structures import StructureVote
from fdpedu.federation.queries.vectors import PullVectors
from fdpedu.federation.queries.votes import SplitVote
from fdpedu.secure_sum import canonical, read_canonical
from fdpedu.secure_sum.binding import Canonical

CLOSED_SET: tuple[type[Query], ...] = (
    NodeHistograms,
    ClassHistogram,
    ClassCounts,
    NodeBounds,
    OutcomeCounts,
    DesignedSplit,
    SplitVote,
    StructureVote,
    GroupCounts,
    GradientSums,
    InterceptSums,
    PullVectors,
    TargetCounts,
    ResidualSums,
    SquareSums,
    ConfusionCounts,
)
"""What the parties of a federation answer."""
CURATED: tuple[type[Query], ...] = (*CLOSED_SET, ChosenSplit, ChosenBlock, LeafLabel, JointEdges)
"""What a curator of all rows answers: whatever parties are asked, and what only one owner can draw."""


def is_known(query: object) -> bool:
    """Whether it is of a type of the closed set; a subclass could compute otherwise than its parent says."""
    return type(query) in CLOSED_SET


def require_designers(queries: Sequence[Query], n_parties: int) -> None:
    """Refuse choices of parties that are not there."""
    for query in queries:
        if type(query) is DesignedSplit and query.designer >= n_parties:
            there = f"a position from 0 to {n_parties - 1} of this federation"
            raise ValueError(f"designer must be {there}, got {query.designer}")


def write_queries(queries: Sequence[Query], domain: Domain) -> bytes:
    """The one form of these queries: different ones never have the same."""
    return canonical(tuple(_written(query, domain) for query in queries))


def _written(query: Query, domain: Domain) -> Canonical:
    region, whole = query.region, domain.everything
    pairs = zip((*region.features, region.classes), (*whole.features, whole.classes), strict=True)
    masks = tuple((j, mask) for j, (mask, everything) in enumerate(pairs) if mask != everything)
    cost = query.cost.value if query.cost.is_pure else (query.cost.measure, query.cost.value)
    return (query.type, masks, cost, *query.own_values())


def read_queries(form: bytes, domain: Domain) -> tuple[Query, ...]:
    """The queries that were written so, one or more; anything else is refused.

    Raises
    ------
    ValueError
        If there are none, if one is of no known type or not of this domain, or if they are written in another way than
        :func:`write_queries` does.
    """
    written = read_canonical(form)
    if type(written) is not tuple or not written:
        raise ValueError("a request has at least one query")
    queries = tuple(_read(fields, domain) for fields in written)
    # thm-messages: what was read is written again, so two requests are never read alike
    if write_queries(queries, domain) != form:  # 1 for Fraction(1), coordinates in another order
        raise ValueError(_none_is_written_so())
    return queries


def _read(fields: Any, domain: Domain) -> Query:
    try:
        name, masks, cost, *own = fields
        kind = next(kind for kind in CLOSED_SET if kind.type == name)
        whole = [*domain.everything.features, domain.everything.classes]
        for j, mask in masks:
            whole[j] = mask
        region = Region(tuple(whole[:-1]), whole[-1])
        query = kind(region, Cost(*cost) if type(cost) is tuple else cost, *own)
        query.check(domain)
    except (AttributeError, IndexError, OverflowError, StopIteration, TypeError):
        raise ValueError(_none_is_written_so()) from None
    return query


def _none_is_written_so() -> str:
    known = ", ".join(kind.type for kind in CLOSED_SET)
    return f"no query of the closed set is written so: a party answers {known}, each in the one form that it has"
