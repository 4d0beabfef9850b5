"""Checks of chapter 4: the ledger against a reading of the filter lemma record by record, and the lemma itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product

import numpy as np

from fdpedu.accounting import BudgetExceeded, Charge, Ledger
from fdpedu.claims.checking import require
from fdpedu.claims.noisy_counts import clamped_pmf
from fdpedu.domain import Categorical, Domain, Region

WARDS = Domain([Categorical("ward", ("A", "B"))], (0, 1))
ALL, WARD_A, WARD_B = WARDS.everything, WARDS.everything.restrict(0, [0]), WARDS.everything.restrict(0, [1])
Booking = tuple[Region, Fraction]
Step = tuple[Region, int]  # where to count, and the cost in units of ln 2


def charge(region: Region, epsilon: object, colluders: int = 1, *, releases: int = 1, query: str = "a count") -> Charge:
    """A charge as a federation makes it."""
    how = ("noise in shares", 1, "thm-histogram", colluders)
    return Charge(region, Fraction(str(epsilon)), query, *how, releases=releases)


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
