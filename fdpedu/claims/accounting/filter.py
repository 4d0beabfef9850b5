"""The filter lemma: the ledger against a reading of it record by record, and the lemma itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product

import numpy as np

from fdpedu.accounting import BudgetExceeded, Ledger
from fdpedu.claims.accounting.composition import ALL, WARD_A, WARD_B, WARDS, charge
from fdpedu.claims.checking import require
from fdpedu.claims.mutation import Broken
from fdpedu.claims.noisy_counts import clamped_pmf
from fdpedu.claims.records import Check, Claim
from fdpedu.domain import Domain, Region

Booking = tuple[Region, Fraction]
Step = tuple[Region, int]  # where to count, and the cost in units of ln 2


def paid(domain: Domain, bookings: Sequence[Booking]) -> Fraction:
    """The most that one record pays, by looking at every record of the domain."""
    points = list(product(*(range(feature.n_codes) for feature in domain.features), range(domain.n_classes)))
    table = np.array(points, dtype=np.uint8)
    totals = [Fraction(0)] * len(points)
    for region, epsilon in bookings:
        held = region.holds(table[:, :-1], table[:, -1], domain.everything)
        totals = [total + epsilon * bool(inside) for total, inside in zip(totals, held, strict=True)]
    return max(totals)


def nested_cost(domain: Domain, bookings: Sequence[Booking]) -> None:
    """Nested charges cost what the worst record pays; the independent checker agrees; and so do the remainders."""
    ledger = Ledger(1000, domain=domain)
    for region, epsilon in bookings:
        ledger.charge([charge(region, epsilon)])
    worst, checked = paid(domain, bookings), ledger.derivation().spent
    require(ledger.spent == worst == checked, f"a record pays {worst}, ledger {ledger.spent}, derivation {checked}")
    for region, _ in bookings:
        inside = [(r, e) for r, e in bookings if not r.is_disjoint(region)]
        require(
            ledger.remaining(region) == 1000 - paid(domain, inside), f"{region} has {ledger.remaining(region)} left"
        )


def overlapping_cost(domain: Domain, bookings: Sequence[Booking]) -> None:
    """Regions that overlap anyhow may cost more than the worst record pays, never less, and never more than all."""
    ledger = Ledger(1000, domain=domain)
    ledger.charge([charge(region, epsilon) for region, epsilon in bookings])
    worst, most = paid(domain, bookings), sum(epsilon for _, epsilon in bookings)
    require(worst <= ledger.spent <= most, f"a record pays {worst}, all pay {most}, the ledger says {ledger.spent}")
    require(ledger.derivation().spent == ledger.spent, "the derivation proves another total")


def no_float(charges: Sequence[str], budget: str) -> None:
    """Charges that fill a budget exactly are all accepted, and nothing more is, however little."""
    ledger = Ledger(budget, domain=WARDS)
    for i, epsilon in enumerate(charges):  # every other one on a part, which is nested in the whole
        ledger.charge([charge(ALL if i % 2 else WARD_A, epsilon)])
    require(ledger.spent == ledger.budget, f"the ledger says {ledger.spent!r}")
    require(ledger.remaining() == 0, f"the ledger has {ledger.remaining()!r} left")
    try:
        ledger.charge([charge(WARD_A, "1/1" + "0" * 300)])
    except BudgetExceeded:
        return
    require(False, "one more charge was accepted")


def adaptive(first: Step, if_positive: Step, if_not: Step, rows: tuple[int, int], ward: int) -> None:
    """Two noisy counts, the second chosen from the first: no transcript's ratio exceeds 2 to what the ledger says.

    Costs are in units of ln 2, so that e^ε is a power of 2 and everything is a fraction.
    """
    budget = Fraction(0)
    for second in (if_positive, if_not):
        ledger = Ledger(100, domain=WARDS)
        for region, cost in (first, second):
            ledger.charge([charge(region, cost)])
        budget = max(budget, ledger.spent)
    more = (rows[0] + (ward == 0), rows[1] + (ward == 1))
    bound = 3 + sum(more)
    worst = Fraction(0)
    for output, ratio in _ratios(first, rows, more, bound):
        second = if_positive if output > 0 else if_not
        worst = max(worst, ratio * max(r for _, r in _ratios(second, rows, more, bound)))
    require(worst <= 2**budget, f"a transcript has the ratio {worst}, the ledger allows 2^{budget}")


def choices(most: int) -> Iterator[tuple[Step, Step, Step, tuple[int, int], int]]:
    """Wards of so many rows at most, a record more in either, a first count, and what to count after it."""
    firsts = [(ALL, 1), (WARD_A, 2)]
    seconds = list(product((ALL, WARD_A, WARD_B), (1, 2)))
    for in_a, in_b, ward in product(range(most + 1), range(most + 1), (0, 1)):
        yield from ((*steps, (in_a, in_b), ward) for steps in product(firsts, seconds, seconds))


def _ratios(step: Step, rows: Sequence[int], more: Sequence[int], bound: int) -> list[tuple[int, Fraction]]:
    region, cost = step
    laws = [clamped_pmf(Fraction(1, 2**cost), sum(t[c] for c in region.codes(0)), bound) for t in (rows, more)]
    ratios = [max(p / q, q / p) for p, q in zip(*laws, strict=True)]
    return list(zip(range(-bound, bound + 1), ratios, strict=True))


ADD_REMOVE = "neighbours: one record added or removed (a substitution costs twice)"

CLAIMS = (
    Claim(
        "lem-filter",
        status="proved+checked",
        code=("fdpedu.accounting", "fdpedu.accounting.ledger.Ledger"),
        checks=(
            Check(
                "adaptive transcripts",
                "exhaustive",
                "two counts, the second chosen from the first: wards of at most {size} rows, all choices, exact "
                "distributions",
                adaptive,
                choices,
                1,
                2,
            ),
            Check(
                "nested",
                "property",
                "{size} random trees of charges: ledger = worst record = independent checker",
                nested_cost,
                lambda draw: draw.trees_of_charges(),
                80,
                2000,
            ),
            Check(
                "overlapping",
                "property",
                "{size} random heaps of charges: never less than the worst record pays",
                overlapping_cost,
                lambda draw: draw.heaps_of_charges(),
                60,
                2000,
            ),
            Check(
                "no float decides",
                "exact",
                "budgets filled to the last fraction (0.1 + 0.2 = 0.3), and 10⁻³⁰⁰ more",
                no_float,
                lambda _: [(("0.1", "0.2"), "0.3"), (("0.1",) * 10, "1"), (("1/3",) * 3, "1"), (("0.7", "0.1"), "0.8")],
                more=lambda draw: draw.lists(draw.epsilons, 1, 12).map(
                    lambda costs: (list(map(str, costs)), str(sum(costs)))
                ),
            ),
        ),
        assumptions=(ADD_REMOVE, "pure DP", "fresh coins"),
        uses=("def-dp",),
    ),
)

TWINS = (
    Broken(
        "features in parallel",
        "fdpedu.accounting.region_tree.RegionTree.local_cost",
        "sum_of(charge.cost.amount for _, charge in self.charges[region])",
        "largest_of(charge.cost.amount for _, charge in self.charges[region])",
        "The histograms of different features look at different columns, so they compose in parallel.",
        "lem-filter",
        "adaptive transcripts",
    ),
    Broken(
        "float budget",
        "fdpedu.accounting.region_tree.RegionTree.local_cost",
        "sum_of(charge.cost.amount for _, charge in self.charges[region])",
        "Amount(type(NOTHING.value)(sum(float(charge.epsilon) for _, charge in self.charges[region])))",
        "Rounding errors of 10⁻¹⁷ do not matter to a budget.",
        "lem-filter",
        "no float decides",
    ),
    Broken(
        "float comparison",
        "fdpedu.accounting.ledger.Ledger._admitted",
        "if not cost.within(self._budget.amount):",
        "if float(cost.value) > float(self.budget):",
        "Exact costs are enough; the last comparison may be one of floats.",
        "lem-filter",
        "no float decides",
    ),
    Broken(
        "levels in parallel",
        "fdpedu.accounting.region_tree.RegionTree.max_descendant_cost",
        "self.local_cost(r).plus(most[r])",
        "self.local_cost(r).joined(most[r])",
        "A child's records are fewer, so only the larger of the two costs counts.",
        "lem-filter",
        "nested",
    ),
    Broken(
        "each level anew",
        "fdpedu.accounting.region_tree.RegionTree.path_cost",
        "above, at = above.plus(self.local_cost(at)), self.parent[at]",
        "above, at = above, self.parent[at]",
        "Each level of a tree has the whole budget again.",
        "lem-filter",
        "nested",
    ),
    Broken(
        "saved budget to leaf and child",
        "fdpedu.accounting.region_tree.RegionTree.path_cost",
        "above.plus(self.local_cost(region)).plus(self.max_descendant_cost(region))",
        "above.plus(self.local_cost(region))",
        "What a node has saved is still there for its leaf when a child has spent it.",
        "lem-filter",
        "nested",
    ),
    Broken(
        "overlap taken for nesting",
        "fdpedu.accounting.region_tree.RegionTree.insert",
        "all(region.contains(below) for below in meeting)",
        "True",
        "Two regions that overlap can share one path.",
        "lem-filter",
        "overlapping",
    ),
    Broken(
        "books in parallel",
        "fdpedu.accounting.booking.cost_of",
        "sum_of(region_tree.max_descendant_cost() for region_tree in region_trees)",
        "max((region_tree.max_descendant_cost() for region_tree in region_trees), default=Amount())",
        "Two computations have a budget each.",
        "lem-filter",
        "overlapping",
    ),
)
