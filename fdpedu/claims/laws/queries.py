"""The laws of every type of query: what a record moves, what is told without noise, how it is written and charged.

A type is tried by a line in :data:`ASKED`, which makes a query of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction
from itertools import product
from types import MappingProxyType, ModuleType
from typing import Any

import numpy as np

from fdpedu.accounting import Cost
from fdpedu.claims.bounds.query import answered
from fdpedu.claims.checking import require
from fdpedu.claims.laws.coded import coded, inside
from fdpedu.claims.replay import patched
from fdpedu.domain import Categorical, Domain, Numeric, Region, Rows
from fdpedu.exact import Rate
from fdpedu.federation import (
    ChosenBlock,
    ChosenSplit,
    ClassCounts,
    ClassHistogram,
    ConfusionCounts,
    DesignedSplit,
    GradientSums,
    GroupCounts,
    InterceptSums,
    JointEdges,
    LeafLabel,
    Model,
    NodeBounds,
    NodeHistograms,
    OutcomeCounts,
    Population,
    PullVectors,
    Query,
    ResidualSums,
    SplitVote,
    SquareSums,
    StructureVote,
    TargetCounts,
)
from fdpedu.federation.queries import noisy, read_queries, write_queries
from fdpedu.federation.queries.closed_set import is_known
from fdpedu.federation.queries.noise import POLYA_SHARES
from fdpedu.gradients import AdditiveModel, TreeShapes, VectorModel
from fdpedu.randomness import ZeroWords

DOMAINS = (
    Domain([Numeric.grid("x", 0, 3, bins=3), Categorical("w", ("A", "B", "C"))], ("well", "ill")),
    Domain([Numeric.grid("x", 0, 3, bins=3, missing=True), Numeric.grid("y", 0, 2, bins=2)], ("well", "ill")),
)
OF_A_TARGET = tuple(Domain(domain.features, target=Numeric.grid("stay", 0, 4, bins=4)) for domain in DOMAINS)
FIRST = (0, 0b01)  # a question
_SHAPES = TreeShapes(((FIRST,), (FIRST,)))
_STUMP = Model(((0, 0b01), (0,), (1,)))

ASKED: Mapping[str, Callable[[Region, Fraction, int], Query]] = MappingProxyType(
    {
        NodeHistograms.type: lambda region, cost, m: NodeHistograms(region, cost),
        ClassHistogram.type: lambda region, cost, m: ClassHistogram(region, cost, m % 2),
        ClassCounts.type: lambda region, cost, m: ClassCounts(region, cost),
        NodeBounds.type: NodeBounds,
        OutcomeCounts.type: lambda region, cost, m: OutcomeCounts(region, cost, _STUMP),
        ConfusionCounts.type: lambda region, cost, m: ConfusionCounts(region, cost, _STUMP),
        DesignedSplit.type: lambda region, cost, m: DesignedSplit(region, cost, m % 2, "mixed", m),
        SplitVote.type: lambda region, cost, m: SplitVote(region, cost, "gini", m),
        StructureVote.type: lambda region, cost, m: StructureVote(region, cost, Population(((0,), (1,))), "errors", m),
        GroupCounts.type: lambda region, cost, m: GroupCounts(region, cost, m + 1),
        GradientSums.type: lambda region, cost, m: GradientSums(region, cost, 8, AdditiveModel(), 4, 256, 256, _SHAPES),
        TargetCounts.type: lambda region, cost, m: TargetCounts(region, cost, m + 1),
        ResidualSums.type: lambda region, cost, m: ResidualSums(region, cost, 8, AdditiveModel(), m, _SHAPES),
        SquareSums.type: lambda region, cost, m: SquareSums(region, cost, m, AdditiveModel(intercept=999)),
        InterceptSums.type: lambda region, cost, m: InterceptSums(region, cost, 8, AdditiveModel()),
        PullVectors.type: lambda region, cost, m: PullVectors(
            region, Cost("gaussian", cost), 2 * m, VectorModel((((FIRST,), (9000, -9000, 0, 500)),), (0, 70)), _SHAPES
        ),
        ChosenSplit.type: lambda region, cost, m: ChosenSplit(region, cost, "mixed", m),
        ChosenBlock.type: lambda region, cost, m: ChosenBlock(region, cost, "mixed", m),
        LeafLabel.type: lambda region, cost, m: LeafLabel(region, cost),
        JointEdges.type: lambda region, cost, m: JointEdges(region, cost, 0, 2 + m % 2),
    }
)
"""By the name of its type a query of a region, a cost and a number, of which lattices and the like are made."""

Case = tuple[Domain, Query, Rows, Sequence[Any]]


def domains_of(kind: str) -> tuple[Domain, ...]:
    """The domains on which a type is tried: those of classes, or of a target, for which some types alone are."""
    return OF_A_TARGET if kind in (TargetCounts.type, ResidualSums.type, SquareSums.type) else DOMAINS


def exact(query: Query, domain: Domain, rows: Rows) -> Any:
    """The exact answer of one party with these rows."""
    return np.array(answered(query, rows, domain)).ravel()


@contextmanager
def _scores(into: list[tuple[list[int], Fraction]]) -> Iterator[None]:
    """Keep what choices are drawn by: for each a score that a record only raises, or only lowers; and ε per unit."""

    def flip(scores: Any, epsilon: Any, source: Any, sensitivity: int = 1, monotone: bool = False) -> int:
        into.append((list(scores), Fraction(epsilon) / sensitivity * (1 if monotone else Fraction(1, 2))))
        return 0

    def block(losses: Any, rate: Rate, source: Any) -> tuple[int, ...]:
        into.append(([a + b for left, right in losses for a, b in product(left, right)], Fraction(rate.rate or 0)))
        return 0, 0, 0

    queries = "fdpedu.federation.queries"
    with (
        patched(f"{queries}.choices", permute_and_flip=flip, draw_block=block),
        patched(f"{queries}.structures", permute_and_flip=flip),
    ):
        yield


def moves(domain: Domain, query: Query, rows: Rows, record: Sequence[Any]) -> None:
    """A record moves an answer by no more than its noise is for, and by nothing if it lies outside of the region.

    What is drawn in place of noise is drawn by scores that a record moves in one direction, and rate times that is ε.
    """
    before, after = exact(query, domain, rows), exact(query, domain, [*rows, record])
    if not inside(coded(domain, [record]), query.region):
        require(np.array_equal(before, after), f"a record outside of the region changes the answer to {query.type}")
        return
    moved = after - before
    if query.layer is POLYA_SHARES:
        distance, square = int(np.abs(moved).sum()), int((moved**2).sum())
        require(distance <= query.n_releases * query.sensitivity, f"{query.type} moves by {distance}")
        require(square <= query.l2_squared, f"{query.type} moves by {square} in ℓ₂²")
        require(np.count_nonzero(moved) <= query.cells, f"{query.type} moves in {np.count_nonzero(moved)} cells")
        return
    drawn = list[tuple[list[int], Fraction]]()
    with _scores(drawn):
        for one in (before, after):
            if query.type != JointEdges.type:  # whose chain has checks of its own
                query.layer.noisy(one, [query], domain, 1, ZeroWords())
    if not drawn:
        require(np.abs(moved).sum() <= 1, f"the counts that {query.type} is drawn by move by {moved}")
        return
    (scores, rate), (others, same) = drawn
    steps = [b - a for a, b in zip(scores, others, strict=True)]
    require(min(steps) >= 0 or max(steps) <= 0, f"scores of {query.type} move in both directions: {steps}")
    require(rate == same and rate * max(map(abs, steps)) <= query.epsilon, f"{query.type}: {steps} at the rate {rate}")


def told(domain: Domain, query: Query, rows: Rows, record: Sequence[Any]) -> None:
    """Without noise a count is told as it is; what is drawn is one of the things that there are to draw."""
    here = exact(query, domain, [*rows, record])
    answer = noisy(here, [query], domain, 1, ZeroWords())
    require(answer.size == query.size(domain), f"{query.type} has {answer.size} numbers, and not {query.size(domain)}")
    if query.layer is POLYA_SHARES:
        require(np.array_equal(answer, here), f"without noise {query.type} tells {answer}, and it is {here}")
    elif query.type in (SplitVote.type, StructureVote.type):
        require(sorted(answer.tolist()) == [0] * (answer.size - 1) + [1], f"a party votes {answer}")
    else:
        most = query.exact_size(domain)
        require(0 <= answer.min() and answer.max() <= most, f"{query.type} tells {answer}, of {most}")


def written(domain: Domain, query: Query, rows: Rows, record: Sequence[Any]) -> None:
    """A request is read as it was written, and another query is written otherwise; the charge says type and cost."""
    query.check(domain)
    dearer = replace(query, cost=query.cost.scaled(Fraction(2)))
    require(write_queries([query], domain) != write_queries([dearer], domain), "two costs are written alike")
    if is_known(query):
        (again,) = read_queries(write_queries([query], domain), domain)
        require(again == query and type(again) is type(query), f"{query} is read as {again}")
    charge = query.charge(domain, 0, "any")
    stated = (charge.region, charge.cost.value, charge.type, dict(charge.parameters))
    expected = (query.region, query.cost.value, query.type, dict(query.parameters))
    require(stated == expected, f"it is charged as {stated}, and is {expected}")


def attained(domain: Domain, query: Query, rows: Rows, record: Sequence[Any]) -> None:
    """ε is rate times sensitivity times the number of releases: no noise is drawn for nothing, and none is missing.

    In ρ the variance is ℓ₂² divided by 2ρ, and less than 1/1000 and a share of 1 more.
    """
    if not query.cost.is_pure:
        least, variance = query.l2_squared / (2 * query.cost.value), query.gaussian(1).variance
        require(least <= variance <= (least + 1) * Fraction(1001, 1000), f"{query.type}: {variance}, needed is {least}")
        return
    rate = Fraction(query.rate.rate or 0)
    whole = rate * query.n_releases * query.sensitivity
    require(
        whole == query.epsilon == query.charge(domain, 0, "any").cost.value, f"{query.type} at {rate} costs {whole}"
    )


def dealt(domain: Domain, query: Query, rows: Rows, record: Sequence[Any]) -> None:
    """However rows are dealt, counts add up to those of all; a question to one party is answered by it alone."""
    parts = [rows, [record]]
    asked = [query.asked_of(k) for k in range(2)]
    if hasattr(query, "designer"):
        silent = [exact(one, domain, part) for one, part in zip(asked, parts, strict=True) if one is not query]
        require(len(silent) == 1 and not silent[0].any(), f"another party says {silent} to {query.type}")
        return
    require(asked == [query, query], f"parties are asked {asked}")
    if query.layer is POLYA_SHARES:
        total, whole = sum(exact(query, domain, part) for part in parts), exact(query, domain, [*rows, record])
        same = np.array_equal(total, whole) if query.type != NodeBounds.type else (total <= whole).all()
        require(same, f"{query.type} adds up to {total}, and all together have {whole}")


LAWS: Mapping[str, Callable[..., None]] = MappingProxyType(
    {"moves": moves, "told": told, "written": written, "attained": attained, "dealt": dealt}
)
"""The laws that every type of query keeps."""


def cases(kind: str) -> Callable[[ModuleType], Any]:
    """A domain, a query of the type, rows and a record; where nothing divides the region, of all records."""

    def of(domain: Domain, region: Region, cost: Fraction, m: int, rows: Rows, record: Any) -> Case:
        query = ASKED[kind](region, cost, m)
        try:
            query.check(domain)
        except ValueError:
            query = ASKED[kind](domain.everything, cost, m)
        return domain, query, rows, record

    def strategy(draw: ModuleType) -> Any:
        def given(domain: Domain) -> Any:
            numbers = (draw.epsilons, draw.integers(1, 5), draw.tables(domain, 0, 6), draw.records(domain))
            return draw.tuples(draw.st.just(domain), draw.regions(domain), *numbers).map(lambda some: of(*some))

        return draw.st.sampled_from(domains_of(kind)).flatmap(given)

    return strategy
