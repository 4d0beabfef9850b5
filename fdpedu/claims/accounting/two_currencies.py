# Longer than 400 lines because the filter lemma in ρ is checked in seven ways, each with a bug that it sees.
"""The filter lemma for costs in ρ: exact δ of adaptive transcripts, and the ledger read record by record."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import Any

from fdpedu.accounting import Amount, BudgetExceeded, Charge, Cost, Ledger
from fdpedu.accounting.cost import GAUSSIAN
from fdpedu.accounting.normal import gaussian_delta, normal_tail
from fdpedu.accounting.worked.bridge import split
from fdpedu.claims.accounting.composition import ALL, WARD_A, WARD_B, WARDS
from fdpedu.claims.accounting.derivations import verdict
from fdpedu.claims.accounting.filter import ADD_REMOVE, paid
from fdpedu.claims.accounting.optimal import RELATION
from fdpedu.claims.checking import require
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.domain import Domain, Region
from fdpedu.exact import exp_enclosure, log_enclosure
from fdpedu.mechanisms import discrete_gaussian_pmf
from fdpedu.privacy import Law, as_law, hockey_stick

Pair = tuple[Law, Law]
Booking = tuple[Region, Amount]
Step = tuple[Region, str]  # where to look, and the name of what is released there
WEIGHTS = tuple(map(Fraction, ("1", "9/7", "2", "4", "9")))  # e^ε
PAIRS: dict[str, tuple[Pair, Amount]] = {  # two laws, and what is booked for them
    "coin": ((as_law(["2/3", "1/3"]), as_law(["1/3", "2/3"])), Amount(Fraction(8616, 10**4) ** 2 / 2)),
    "tilted coin": (
        (as_law(["5/9", "4/9"]), as_law(["4/9", "5/9"])),
        Amount(Fraction(1, 10**6), Fraction(3, 25)),  # within 9/8 of a fair one: nearly all of it is ξ
    ),
    "rare": ((as_law(["1/8", "7/8"]), as_law(["1/64", "63/64"])), Amount(Fraction(10036, 10**4) ** 2 / 2)),
}
MOST = Cost(GAUSSIAN, Fraction(1000), Fraction(1000))


def charge_in_rho(region: Region, amount: Amount) -> Charge:
    """A charge of ρ and ξ, with as much noise as that needs."""
    noise: dict[str, Any] = {"l2_squared": 1, "cells": 1, "variance": 1 / (2 * amount.value) + 1}
    return Charge(region, Cost(GAUSSIAN, *amount), "a count", "noise in shares", 1, "thm-histogram", 1, **noise)


@lru_cache(maxsize=4096)
def bound(weight: Fraction, amount: Amount) -> Fraction:
    """e^ξ·δ_G(ε − 2ξ) at e^ε = weight, from above: what (ρ, ξ) grants; 1 where ε is less than 2ξ."""
    left = log_enclosure(weight).lower - 2 * amount.xi
    return Fraction(1) if left < 0 else gaussian_delta(left, amount.value).upper * exp_enclosure(amount.xi).upper


def cost_of(name: str) -> Amount:
    """What is booked for two laws."""
    return PAIRS[name][1]


def from_one_number(p: Fraction, q: Fraction, high: Fraction, low: Fraction) -> None:
    """A coin of p or q is a threshold of N(0, 1) or N(μ, 1), of μ = high − low: Φ(high) ≥ p and Φ(low) ≤ q, p > q."""
    above, below = normal_tail(-high).lower, normal_tail(-low).upper
    require(above >= p and below <= q, f"a threshold shows {float(above)} and {float(below)}, the coin {p} and {q}")


def _ledger(path: Sequence[Step], budget: Cost = MOST) -> Ledger:
    ledger = Ledger(budget, domain=WARDS)
    for region, name in path:
        ledger.charge([charge_in_rho(region, cost_of(name))])
    return ledger


def _joint(first: Step, after: Sequence[Step], last: Sequence[Step], ward: int) -> Pair:
    """The laws of all transcripts without a record of the ward, and with it; a step depends on those before."""
    laws: list[Law] = [{}, {}]
    for outcome in product((0, 1), repeat=3):
        path = _path(first, after, last, outcome)
        for side in (0, 1):
            mass = Fraction(1)
            for (region, name), y in zip(path, outcome, strict=False):
                p, q = PAIRS[name][0]
                mass *= (q if side and ward in region.codes(0) else p)[y]
            cut = outcome[: len(path)]
            laws[side][cut] = mass
    return laws[0], laws[1]


def _path(first: Step, after: Sequence[Step], last: Sequence[Step], outcome: Sequence[int]) -> list[Step]:
    path = [first, after[outcome[0]]]
    return [*path, last[outcome[0] ^ outcome[1]]] if last else path


def adaptive(first: Step, after: tuple[Step, Step], last: tuple[Step, ...]) -> None:
    """Two or three releases, each chosen from those before: no δ of the transcript exceeds that of the dearest ledger.

    ρ and ξ are those of the run that cost most, part by part, and the derivation of every run promises no less.
    """
    paths = {tuple(_path(first, after, last, outcome)) for outcome in product((0, 1), repeat=2)}
    spent = [_ledger(path).spent for path in paths]
    limit = Amount(max(one.value for one in spent), max(one.xi for one in spent))
    pairs = [_joint(first, after, last, ward) for ward in (0, 1)]
    require_granted(pairs, limit, "the ledgers say")


def require_granted(pairs: Sequence[Pair], limit: Amount, said: str) -> None:
    """The exact δ of all pairs, both ways, is at most what (ρ, ξ) grants."""
    for (one, other), weight, way in product(pairs, WEIGHTS, (1, -1)):
        p, q = (one, other)[::way]
        found = hockey_stick(p, q, weight)
        holds = found <= bound(weight, limit)
        require(holds, f"at e^ε = {weight} δ is {float(found):.6g}, {said} {limit}: {float(bound(weight, limit)):.6g}")


def promises(first: Step, after: tuple[Step, Step]) -> None:
    """What the text of any one run promises holds for the procedure: for all its runs, also those that cost more."""
    paths = [(first, second) for second in after]
    spent = [_ledger(path).spent for path in paths]
    budget = Cost(GAUSSIAN, max(one.value for one in spent), max(Fraction(1, 10**9), *(one.xi for one in spent)))
    pairs = [_joint(first, after, (), ward) for ward in (0, 1)]
    for path in paths:
        proved = verdict(_ledger(path, budget).derivation().content)
        require(proved is not None and proved.rho is not None, f"the derivation of {path} is refused")
        assert proved is not None and proved.rho is not None
        require_granted(pairs, Amount(proved.rho, proved.xi), "promised is")


def two_steps() -> Iterator[tuple[Step, tuple[Step, Step]]]:
    """Any first release, and any after each of its outcomes: three regions, three pairs of laws."""
    steps = list(product((ALL, WARD_A, WARD_B), PAIRS))
    yield from ((first, (a, b)) for first, a, b in product([s for s in steps if s[0] is not WARD_B], steps, steps))


def procedures(most: int) -> Iterator[tuple[Step, tuple[Step, Step], tuple[Step, ...]]]:
    """Two releases; and three, the last of them one of so many, by whether the first outcomes agree."""
    lasts = list(product((ALL, WARD_A), ("coin", "tilted coin")))[:most]
    for first, after in two_steps():
        yield first, after, ()
    for first, (a, b) in two_steps():
        if {first[1], a[1], b[1]} <= {"coin", "tilted coin"} and first[0] is ALL:
            yield from ((first, (a, b), (x, y)) for x, y in product(lasts, lasts) if x != y)


def amounts_of(bookings: Sequence[tuple[Region, Fraction]], seed: int) -> list[Booking]:
    """The same regions, each with its number as ρ and a ξ between 0 and 6/60."""
    return [(region, Amount(rho, Fraction(seed * (i + 3) % 7, 60))) for i, (region, rho) in enumerate(bookings)]


def most_paid(domain: Domain, bookings: Sequence[Booking]) -> Amount:
    """The largest ρ and the largest ξ that a record pays, by looking at every record of the domain."""
    return Amount(*(paid(domain, [(region, amount[part]) for region, amount in bookings]) for part in (0, 1)))


def nested_cost(case: tuple[Domain, list[tuple[Region, Fraction]]], seed: int) -> None:
    """Nested charges cost, part by part, what the worst record pays; the checker agrees, and so do the remainders."""
    domain, bookings = case[0], amounts_of(case[1], seed)
    ledger = Ledger(MOST, domain=domain)
    for booking in bookings:
        ledger.charge([charge_in_rho(*booking)])
    worst, proved = most_paid(domain, bookings), verdict(ledger.derivation().content)
    require(ledger.spent == worst, f"a record pays {worst}, the ledger says {ledger.spent}")
    require(proved is not None and proved.spent == worst, f"a record pays {worst}, the checker says {proved}")
    for region, _ in bookings:
        inside = most_paid(domain, [(r, amount) for r, amount in bookings if not r.is_disjoint(region)])
        left = ledger.remaining(region)
        require(left == MOST.amount.less(inside), f"{region} has {left} left, and has paid {inside}")


def filled(rhos: Sequence[str], xis: Sequence[str], more: tuple[str, str]) -> None:
    """Charges that fill a budget are all accepted, and one that exceeds either part is refused, however little."""
    total = Cost(GAUSSIAN, sum(map(Fraction, rhos), Fraction(0)), sum(map(Fraction, xis), Fraction(0)))
    ledger = Ledger(total, domain=WARDS)
    for rho, xi in zip(rhos, xis, strict=True):
        ledger.charge([charge_in_rho(ALL, Amount(Fraction(rho), Fraction(xi)))])
    require(ledger.spent == total.amount, f"charged is {ledger.spent}, not {total}")
    other = Ledger(total, domain=WARDS)
    last = Amount(Fraction(rhos[0]) + Fraction(more[0]), Fraction(xis[0]) + Fraction(more[1]))
    batch = [charge_in_rho(ALL, amount) for amount in (last, *_amounts(rhos[1:], xis[1:]))]
    try:
        other.charge(batch)
    except BudgetExceeded:
        require(other.spent == (0, 0), f"it was refused, and {other.spent} is charged")
        return
    require(False, f"{other.spent} was charged of {total}")


def _amounts(rhos: Sequence[str], xis: Sequence[str]) -> list[Amount]:
    return [Amount(Fraction(rho), Fraction(xi)) for rho, xi in zip(rhos, xis, strict=True)]


def one_measure(cost: Fraction) -> None:
    """A charge in the other measure is refused and not booked; one in ε is taken as 11ε²/14 where that is asked for."""
    pure = Charge(ALL, cost, "a count", "noise in shares", 1, "thm-histogram", 1)
    rho = charge_in_rho(ALL, Amount(cost))
    for ledger, other in ((Ledger(MOST, domain=WARDS), pure), (Ledger(1000, domain=WARDS), rho)):
        try:
            ledger.charge([other])
        except BudgetExceeded:
            raise
        except ValueError:
            require(ledger.rounds == 0, "it was refused, and booked")
        else:
            require(False, f"a charge of {other.cost} was booked in a ledger of {ledger.total}")
    ledger = Ledger(MOST, domain=WARDS)
    ledger.charge([pure.in_rho()])
    require(ledger.spent == (Fraction(11, 14) * cost**2, 0), f"ε = {cost} is charged as {ledger.spent}")


@lru_cache(maxsize=64)
def noisy(variance: Fraction) -> list[tuple[Fraction, Fraction]]:
    """Pairs of probabilities of a count with discrete Gaussian noise, from below and above, for 0 and for 1."""
    far = 8 * math.isqrt(math.ceil(variance)) + 8
    law = {k: discrete_gaussian_pmf(k, 1 / (2 * variance)) for k in range(-far - 1, far + 1)}
    return [(law[k].lower, law[k - 1].upper) for k in range(-far, far + 1)]


def spending(first: Fraction, whole: Fraction, cut: int, often: int) -> None:
    """Counts whose noise is chosen on the way: one that costs ``first``, and where it exceeds ``cut`` all that is left.

    In the third step, again where the second exceeds it. No δ exceeds that of one number of the whole ρ. Both ways.
    """
    left = whole - first
    costs = [first, left] if often == 2 else [first, left / 2, left / 2]
    pairs, done = [(1.0, 1.0)], list[tuple[float, float]]()
    for cost in costs:
        cells = [(float(p), float(q)) for p, q in noisy(1 / (2 * cost) + 1)]
        middle = len(cells) // 2 + cut
        reached = [(p * a, q * b, i > middle) for (p, q), (i, (a, b)) in product(pairs, enumerate(cells))]
        done += [(p, q) for p, q, more in reached if not more]
        pairs = [(p, q) for p, q, more in reached if more]
    for weight, way in product(WEIGHTS, (1, -1)):
        w = float(weight)
        found = math.fsum(max(0.0, p - w * q) for p, q in ((p, q)[::way] for p, q in [*done, *pairs]))
        granted = float(bound(weight, Amount(whole, Fraction(1, 10**11))))
        require(found <= granted + 1e-12, f"at e^ε = {weight} δ is {found:.9g}, {granted:.9g} is granted")


def bridges(s: Fraction, a: Fraction) -> None:
    """Both parts have the stated means and variances, whatever b is, and are uncorrelated; they are jointly normal."""
    of_x, of_z = split(1.0, float(s), float(a), 0.0), split(0.0, float(s), float(a), 1.0)

    def together(i: int, j: int) -> float:
        return float(s) * of_x[i] * of_x[j] + of_z[i] * of_z[j]

    expected = (float(a), float(s - a), 0.0)
    found = (together(0, 0), together(1, 1), together(0, 1))
    near = all(abs(f - e) < 1e-12 * float(s) for f, e in zip(found, expected, strict=True))
    require(near, f"variances and covariance are {found}, not {expected}")
    means = float(s) * of_x[0], float(s) * of_x[1]
    same = all(abs(f - e) < 1e-12 * float(s) for f, e in zip(means, expected, strict=False))
    require(same, f"for b = 1 the means are {means}, not {expected[:2]}")


def coin(epsilon: Fraction) -> None:
    """A threshold of one number of ρ = 11ε²/14 tells as much as the coin that is worst in ε, and hardly more."""
    charge = Charge(ALL, epsilon, "a count", "noise in shares", 1, "thm-histogram", 1).in_rho()
    square = charge.cost.value / 2  # (μ/2)²
    root = Fraction(math.isqrt(int(square * 10**40)), 10**20)
    weight = exp_enclosure(epsilon)
    shown, least = 1 - normal_tail(root).upper, weight.upper / (1 + weight.upper)
    require(shown >= least, f"it is above the threshold with {float(shown)}, the coin shows 1 with {float(least)}")
    little = normal_tail(root * Fraction(99, 100)).lower
    require(epsilon > Fraction(1, 10) or 1 - little < least, f"a hundredth less would do: {float(1 - little)}")
    enough = charge.variance is not None and 2 * charge.cost.value * (charge.variance - 1) == 1
    require(enough, f"it states the variance {charge.variance}")


ONE_NUMBER = "ρ and ξ of the measure gaussian, both directions"
EXACT = "releases are integers with exact noise; all coins are fresh"

CLAIMS = (
    Claim(
        "thm-gaussian-filter",
        status="proved+checked",
        code=("fdpedu.accounting.cost", "fdpedu.accounting.worked.bridge", "fdpedu.accounting.worked.bridge.split"),
        checks=(
            Check(
                "adaptive transcripts",
                "exact",
                "two releases, and three of which the last is one of {size}, each chosen from those before: regions, "
                "pairs of distributions and costs; five ε, both directions",
                adaptive,
                procedures,
                2,
                4,
                more=[
                    (
                        (ALL, "rare"),
                        ((WARD_A, "coin"), (WARD_B, "tilted coin")),
                        ((ALL, "coin"), (WARD_A, "tilted coin")),
                    )
                ],
            ),
            Check(
                "promises",
                "exact",
                "two releases, the second chosen from the first: what the text of a run promises, for all runs",
                promises,
                lambda _: two_steps(),
            ),
            Check(
                "nested",
                "property",
                "{size} random trees of charges in (ρ, ξ): ledger = worst record, part by part = independent checker",
                nested_cost,
                lambda draw: draw.tuples(draw.trees_of_charges(), draw.integers(0, 6)),
                40,
                2000,
            ),
            Check(
                "limits",
                "exact",
                "budgets in (ρ, ξ), filled to the last fraction, and exceeded in either part by 10⁻³⁰",
                filled,
                lambda _: product(
                    (("1/10", "1/5"), ("1/3", "1/3")),
                    (("0", "1/1000"), ("1/7", "1/70")),
                    ((f"1/1{'0' * 30}", "0"), ("0", f"1/1{'0' * 30}")),
                ),
            ),
            Check(
                "chosen noise",
                "exact",
                "two and three counts with discrete Gaussian noise, all that is left spent or nothing, by where the "
                "one before lies: four cuts, {size} divisions; in floats, 10⁻¹² allowed",
                spending,
                lambda most: [
                    (first, Fraction(1, 4), cut, often)
                    for first in list(map(Fraction, ("1/8", "1/20", "1/5")))[:most]
                    for cut, often in product((-1, 0, 1, 3), (2, 3))
                    if often == 2 or first == Fraction(1, 8)
                ],
                2,
                3,
            ),
            Check(
                "bridge",
                "exact",
                "one normal number in two, {size} sizes: means, variances and covariance of the parts",
                bridges,
                lambda most: [(Fraction(s), Fraction(s) * k / most) for s in (1, "7/3") for k in range(most + 1)],
                6,
                40,
            ),
            Check(
                "one measure",
                "exact",
                "a ledger refuses what is charged in the other measure",
                one_measure,
                lambda _: [(Fraction(1, n),) for n in (1, 2, 10)],
            ),
        ),
        assumptions=(ADD_REMOVE, ONE_NUMBER, EXACT),
        uses=("lem-filter", "thm-gaussian"),
    ),
    Claim(
        "lem-pure-to-gaussian",
        status="proved+checked",
        code=("fdpedu.accounting.charge.Charge.in_rho",),
        checks=(
            Check(
                "coin",
                "exact",
                "{size} ε from 1/1000 to 20: the threshold shows 1 as often as the coin or more, for small ε hardly "
                "more often",
                coin,
                lambda most: [(Fraction(e),) for e in ("1/1000", "1/10", "1", "3", "20", "2", "7/2", "9")[:most]],
                5,
                8,
            ),
        ),
        assumptions=(RELATION,),
        uses=("thm-optimal-composition",),
    ),
)

TWINS = (
    Broken(
        "the dearer release of a path",
        "fdpedu.accounting.region_tree.RegionTree.local_cost",
        "sum_of(",
        "__import__('fdpedu.accounting.cost', fromlist=['largest_of']).largest_of(",
        "Two releases of the same records cost what the dearer one costs: the noise of the other one is larger.",
        "thm-gaussian-filter",
        "adaptive transcripts",
    ),
    Broken(
        "ρ added over disjoint regions",
        "fdpedu.accounting.region_tree.RegionTree.max_descendant_cost",
        "largest_of(",
        "sum_of(",
        "The parallel rule is one of ε. Divergences of different regions add up.",
        "thm-gaussian-filter",
        "nested",
    ),
    Broken(
        "the region with the larger ρ",
        "fdpedu.accounting.cost.Amount.joined",
        "Amount(max(self.value, other.value), max(self.xi, other.xi))",
        "max(self, other)",
        "Of two disjoint regions the one with the larger ρ is the dearer one, and its ξ comes with it.",
        "thm-gaussian-filter",
        "nested",
    ),
    Broken(
        "ξ not added",
        "fdpedu.accounting.cost.Amount.plus",
        "self.xi + other.xi if other.xi else self.xi",
        "max(self.xi, other.xi)",
        "ξ says how far shares are from one Gaussian number: a matter of the shares, and not of how many answers.",
        "thm-gaussian-filter",
        "adaptive transcripts",
    ),
    Broken(
        "ξ not limited",
        "fdpedu.accounting.cost.Amount.within",
        "self.value <= limit.value and self.xi <= limit.xi",
        "self.value <= limit.value",
        "ξ is so small that only ρ has to be watched.",
        "thm-gaussian-filter",
        "limits",
    ),
    Broken(
        "ε booked as ρ",
        "fdpedu.accounting.ledger.Ledger.charge",
        "require_measure(charge.cost.measure, self.measure)",
        "pass",
        "A cost is a number, and a ledger adds numbers.",
        "thm-gaussian-filter",
        "one measure",
    ),
    Broken(
        "all of the number is left",
        "fdpedu.accounting.worked.bridge.split",
        "return part, x - part",
        "return part, x",
        "Drawing a part from a number takes nothing away from it.",
        "thm-gaussian-filter",
        "bridge",
    ),
    Broken(
        "a part with all of its variance as noise",
        "fdpedu.accounting.worked.bridge.split",
        "math.sqrt(a * (s - a) / s)",
        "math.sqrt(a)",
        "A part of the size a has the variance a.",
        "thm-gaussian-filter",
        "bridge",
    ),
    Broken(
        "ε²/2 for one number",
        "fdpedu.accounting.charge.Charge.in_rho",
        "Fraction(11, 14)",
        "Fraction(1, 2)",
        "ρ is ρ: what a pure release costs in zCDP, it costs here.",
        "lem-pure-to-gaussian",
        "coin",
    ),
    Broken(
        "ρ of this run for all runs",
        "fdpedu.derivation_checker.check_derivation",
        "kinds, *budget, order)",
        "kinds, *spent, order)",
        "In ρ, too, what was spent is what was lost.",
        "thm-gaussian-filter",
        "promises",
    ),
    Broken(
        "the checker leaves ξ to the largest",
        "fdpedu.derivation_checker._check",
        "sum(xis, Fraction(0))",
        "max(xis)",
        "Corrections are bounds, and the largest bound holds for all.",
        "thm-gaussian-filter",
        "nested",
    ),
    Broken(
        "the checker takes ξ of the larger ρ",
        "fdpedu.derivation_checker._check",
        "(max(values), max(xis))",
        "max(costs)",
        "Of two pairs the larger one is the one with the larger ρ.",
        "thm-gaussian-filter",
        "nested",
    ),
)
