"""What queries cost in ρ: the ℓ₂ sensitivity of every whole answer, over all small data and all neighbours."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement, product
from typing import Any

from fdpedu.accounting import Cost, Ledger
from fdpedu.accounting.cost import GAUSSIAN
from fdpedu.accounting.normal import gaussian_delta
from fdpedu.claims.accounting.derivations import verdict
from fdpedu.claims.accounting.filter import ADD_REMOVE
from fdpedu.claims.accounting.optimal import points
from fdpedu.claims.bounds.query import answered
from fdpedu.claims.checking import require
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.domain import Domain, Numeric, Region, Rows
from fdpedu.exact import log_enclosure
from fdpedu.federation import (
    ClassCounts,
    ClassHistogram,
    GradientSums,
    GroupCounts,
    InterceptSums,
    NodeBounds,
    NodeHistograms,
    Query,
)
from fdpedu.federation.queries import Model, OutcomeCounts
from fdpedu.gradients import AdditiveModel, TreeShapes
from fdpedu.mechanisms import discrete_gaussian_pmf

RHO = Cost(GAUSSIAN, Fraction(1, 40))
STUMP = Model(((0, 0b01), (0,), (1,)))
Row = Sequence[Any]


def grid(p: int) -> Domain:
    """p features of two bins, and two classes."""
    return Domain([Numeric.grid(f"x{j}", 0, 2, bins=2) for j in range(p)], ("well", "ill"))


def queries(region: Region) -> list[Query]:
    """One query of each type that counts or bounds, on a region; bounds on two lattices."""
    counts: list[Query] = [NodeHistograms(region, RHO), ClassHistogram(region, RHO, 0), ClassCounts(region, RHO)]
    counts += [GroupCounts(region, RHO, 2), OutcomeCounts(region, RHO, STUMP)]
    return [*counts, NodeBounds(region, RHO, 1), NodeBounds(region, RHO, 3)]


def pulls(region: Region) -> list[Query]:
    """The two types of boosting, of two trees at the clip m/2, and of the intercept; for domains of two classes."""
    trees = TreeShapes((((0, 0b01),), ((0, 0b01),)))
    sums = GradientSums(region, RHO, 8, AdditiveModel(), 4, 256, 256, trees)
    return [sums, InterceptSums(region, RHO, 8, AdditiveModel())]


def change(domain: Domain, query: Query, rows: Rows, record: Row) -> tuple[int, int]:
    """ℓ₂² of what a record changes in the exact answer, and in how many cells."""
    before, after = answered(query, rows, domain), answered(query, [*rows, record], domain)
    moved = [b - a for a, b in zip(before, after, strict=True)]
    return sum(d * d for d in moved), sum(d != 0 for d in moved)


def moves(domain: Domain, query: Query, rows: Rows, record: Row) -> None:
    """A record moves the answer by at most what is stated, in so many cells; one outside the region moves nothing."""
    squared, cells = change(domain, query, rows, record)
    code, label = domain.encode([record[:-1]]), domain.encode_labels([record[-1]])
    inside = bool(query.region.holds(code, label, domain.everything)[0])
    most = (query.l2_squared, query.cells) if inside else (0, 0)
    said = f"a record that is in the region: {inside}, moves it by ℓ₂² = {squared} in {cells} cells"
    require(squared <= most[0] and cells <= most[1], f"{said}, stated are {most}")
    charge = query.charge(domain, 1, "none")
    assert charge.variance is not None
    enough = 2 * charge.cost.value * (charge.variance - 1) >= squared
    require(enough, f"{said}; noise of variance {charge.variance} is too little for ρ = {charge.cost.value}")


def small_data(most: int) -> Iterator[tuple[Domain, Query, Rows, Row]]:
    """Two features, two classes: all data of so many records at most, all records to add, whole and half regions."""
    domain = grid(2)
    records = list(product((0.5, 1.5), (0.5, 1.5), domain.classes))
    regions = [domain.everything, domain.everything.restrict(0, [0]), domain.everything.restrict_class([1])]
    for n in range(most + 1):
        for rows, region in product(combinations_with_replacement(records, n), regions):
            yield from ((domain, query, rows, z) for query, z in product([*queries(region), *pulls(region)], records))


def attained(p: int, lattice: int) -> None:
    """Some record moves as much as is stated, in as many cells: so no smaller ℓ₂² and no fewer cells hold."""
    domain = grid(p)
    first, second = [*[0.5] * p, "well"], [*[0.5] * p, "ill"]
    rows = [first] * (4 * lattice - 2) + [second]  # the bounds go from m − 1 to 2m − 1 (thm-node-bounds)
    everything = domain.everything
    for query in (*queries(everything)[:5], *pulls(everything), NodeBounds(everything, RHO, lattice)):
        found, stated = change(domain, query, rows, second), (query.l2_squared, query.cells)
        require(found == stated, f"{query.type}: a record moves it by {found}, ℓ₂² and cells are {stated}")


def delta_of(squares: Sequence[int], rho: Fraction, weight: Fraction) -> None:
    """The exact δ of an answer that moves so in its cells is at most δ_G of ρ; with σ² = ℓ₂²/(2ρ) it may be more.

    The latter is said of a count at e^ε = 3 and 8: it is why 1 of the variance is not counted.
    """
    l2_squared = sum(n * n for n in squares)
    enough, less = (_release_delta(squares, Fraction(l2_squared) / (2 * rho) + more, weight) for more in (1, 0))
    bound = gaussian_delta(log_enclosure(weight).lower, rho).upper * (1 + Fraction(1, 10**11))
    require(enough <= bound, f"at e^ε = {weight} δ is {float(enough):.9g}, that of ρ is {float(bound):.9g}")
    small = list(squares) == [1] and rho >= Fraction(1, 4) and weight in (3, 8)
    require(not small or less > bound, f"without the 1 δ is {float(less):.9g} only, that of ρ is {float(bound):.9g}")


def _release_delta(squares: Sequence[int], variance: Fraction, weight: Fraction) -> Fraction:
    """Almost the exact δ: that of the values that are not farther than nine deviations."""
    far = 9 * math.isqrt(math.ceil(variance)) + 9
    law = {k: discrete_gaussian_pmf(k, 1 / (2 * variance)).lower for k in range(-far - 3, far + 4)}
    pairs = [(Fraction(1), Fraction(1))]
    for shift in squares:
        cell = [(law[k], law[k - shift]) for k in range(-far, far + 1)]
        pairs = [(p * a, q * b) for (p, q), (a, b) in product(pairs, cell)]
    return sum((max(Fraction(0), p - weight * q) for p, q in pairs), Fraction(0))


def stated(variance: Fraction) -> None:
    """The checker takes a release of ρ = 1/8 and ℓ₂² = 1 from the variance 5 on, and nothing below."""
    ledger = Ledger(rho=1, domain=grid(1))
    ledger.charge([ClassCounts(grid(1).everything, Cost(GAUSSIAN, Fraction(1, 8))).charge(grid(1), 0, "rehearsal")])
    content = ledger.derivation().content
    proof = content["proof"]["premises"][0]
    changed = {**content, "proof": {**content["proof"], "premises": [{**proof, "variance": str(variance)}]}}
    require((verdict(changed) is not None) == (variance >= 5), f"of the variance {variance}: {verdict(changed)}")


CLAIMS = (
    Claim(
        "thm-queries-in-rho",
        status="proved+checked",
        code=("fdpedu.federation.queries.query.Query",),
        checks=(
            Check(
                "small data",
                "exhaustive",
                "two features of two bins, two classes: eight queries, three regions, all data of at most {size} "
                "records, all records to add: ℓ₂² and cells of the change, exactly",
                moves,
                small_data,
                1,
                3,
            ),
            Check(
                "attained",
                "exact",
                "one to {size} features, lattices from 1 to 5: some record moves as much, in as many cells",
                attained,
                lambda most: product(range(1, most + 1), (1, 2, 5)),
                4,
                8,
                more=[(1, 3), (3, 3), (7, 3)],
            ),
            Check(
                "random data",
                "property",
                "{size} random domains, data and records",
                moves,
                lambda draw: draw.neighbours(lambda domain, region: queries(region)[:3] + queries(region)[4:]),
                60,
                2000,
            ),
            Check(
                "noise",
                "exact",
                "answers that move in one cell and two, {size} ρ, four ε: the exact δ is at most that of ρ, and "
                "without the 1 of the variance it is more for a count",
                delta_of,
                lambda most: product(((1,), (2,), (1, 1)), points("1/4", "1/2", "1/12")[:most], points(1, 2, 3, 8)),
                2,
                3,
            ),
            Check(
                "stated",
                "exact",
                "a release of ρ = 1/8 is taken with a variance of 5 and more, and with none below",
                stated,
                lambda _: [(Fraction(v),) for v in ("5", "6", "4", "49999/10000", "1", "1/2")],
            ),
        ),
        assumptions=(ADD_REMOVE, "integer answers, discrete Gaussian noise; both directions"),
        uses=("lem-smoothed-gaussian", "thm-histogram", "thm-node-histograms", "thm-node-bounds", "lem-noisy-score"),
    ),
)

_L2 = "self.n_releases * self.sensitivity**2"
TWINS = (
    Broken(
        "ℓ₁ for ℓ₂²",
        "fdpedu.federation.queries.query.Query.l2_squared",
        _L2,
        "self.n_releases * self.sensitivity",
        "A sensitivity is a sensitivity: what is entered for ε is entered for ρ.",
        "thm-queries-in-rho",
        "attained",
    ),
    Broken(
        "p releases as one of ℓ₂² = 1",
        "fdpedu.federation.queries.query.Query.l2_squared",
        _L2,
        "self.sensitivity**2",
        "A record moves a cell by 1, so ℓ₂² is 1, however many features there are.",
        "thm-queries-in-rho",
        "small data",
    ),
    Broken(
        "the square of ℓ₁",
        "fdpedu.federation.queries.query.Query.l2_squared",
        _L2,
        "(self.n_releases * self.sensitivity)**2",
        "ℓ₂ is at most ℓ₁, so its square is that of ℓ₁.",
        "thm-queries-in-rho",
        "attained",
    ),
    Broken(
        "one cell for all features",
        "fdpedu.federation.queries.query.Query.cells",
        "return self.n_releases",
        "return 1",
        "A record is in one cell of a table.",
        "thm-queries-in-rho",
        "small data",
    ),
    Broken(
        "the checker takes σ² for σ² − 1",
        "fdpedu.derivation_checker._check_release",
        "asked[2] - (reading.measure == GAUSSIAN)",
        "asked[2]",
        "What Gaussian noise of a variance costs, noise on the integers of the same variance costs.",
        "thm-queries-in-rho",
        "stated",
    ),
)
