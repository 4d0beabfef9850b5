"""The filter lemma for costs in ρ: exact moments of adaptive transcripts, and the ledger read record by record."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import Any

from fdpedu.accounting import Amount, BudgetExceeded, Charge, Cost, Ledger, pure_to_zcdp
from fdpedu.accounting.cost import CONCENTRATED
from fdpedu.claims.accounting.composition import ALL, WARD_A, WARD_B, WARDS
from fdpedu.claims.accounting.concentrated import moment
from fdpedu.claims.accounting.derivations import verdict
from fdpedu.claims.accounting.filter import ADD_REMOVE, paid
from fdpedu.claims.checking import require
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.domain import Domain, Region
from fdpedu.privacy import Law, as_law

Pair = tuple[Law, Law]
Booking = tuple[Region, Amount]
Step = tuple[Region, str]  # where to look, and the name of what is released there
ORDERS = (2, 3, 5)
PARTS = 12  # costs are in units of ln 2, and multiples of 1/12 of it
PAIRS: dict[str, tuple[Pair, Fraction]] = {  # two laws, and the ξ that is booked for them
    "coin": ((as_law(["2/3", "1/3"]), as_law(["1/3", "2/3"])), Fraction(0)),
    "coin with ξ": ((as_law(["3/4", "1/4"]), as_law(["1/2", "1/2"])), Fraction(5, 12)),
    "rare": ((as_law(["1/8", "7/8"]), as_law(["1/64", "63/64"])), Fraction(0)),
}
MOST = Cost(CONCENTRATED, Fraction(1000), Fraction(1000))


def charge_in_rho(region: Region, amount: Amount) -> Charge:
    """A charge of ρ and ξ, with as much noise as that needs."""
    noise: dict[str, Any] = {"l2_squared": 1, "cells": 1, "variance": 1 / (2 * amount.value)}
    return Charge(region, Cost(CONCENTRATED, *amount), "a count", "noise in shares", 1, "thm-histogram", 1, **noise)


def within(found: Fraction, order: int, amount: Amount) -> bool:
    """Whether a moment is at most e^{(λ−1)(λρ+ξ)}, for ρ and ξ in units of ln 2: powers of 2, compared exactly."""
    exponent = (order - 1) * (order * amount.value + amount.xi) * PARTS
    assert exponent.denominator == 1, "costs are multiples of 1/12"
    return found**PARTS <= 2**exponent.numerator


@lru_cache(maxsize=16)
def cost_of(name: str) -> Amount:
    """The least ρ, in twelfths, with which two laws and their ξ keep the orders 2 to 8, in both directions."""
    (p, q), xi = PAIRS[name]
    found = [(moment(*pair, order), order) for pair in ((p, q), (q, p)) for order in range(2, 9)]
    amounts = (Amount(Fraction(n, PARTS), xi) for n in range(1, 99))
    return next(amount for amount in amounts if all(within(m, order, amount) for m, order in found))


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
    """Two or three releases, each chosen from those before: no moment of the transcript exceeds the dearest ledger.

    ρ and ξ are those of the run that cost most, part by part, and the derivation of every run promises no less.
    """
    paths = {tuple(_path(first, after, last, outcome)) for outcome in product((0, 1), repeat=2)}
    spent = [_ledger(path).spent for path in paths]
    limit = Amount(max(one.value for one in spent), max(one.xi for one in spent))
    pairs = [_joint(first, after, last, ward) for ward in (0, 1)]
    found = [(moment(*way, order), order) for p, q in pairs for way in ((p, q), (q, p)) for order in ORDERS]
    for m, order in found:
        require(within(m, order, limit), f"at order {order} the moment is {float(m):.6g}, the ledgers say {limit}")


def promises(first: Step, after: tuple[Step, Step]) -> None:
    """What the text of any one run promises holds for the procedure: for all its runs, also those that cost more."""
    paths = [(first, second) for second in after]
    spent = [_ledger(path).spent for path in paths]
    budget = Cost(CONCENTRATED, max(one.value for one in spent), max(Fraction(1, PARTS), *(one.xi for one in spent)))
    pairs = [_joint(first, after, (), ward) for ward in (0, 1)]
    for path in paths:
        proved = verdict(_ledger(path, budget).derivation().content)
        require(proved is not None and proved.rho is not None, f"the derivation of {path} is refused")
        assert proved is not None and proved.rho is not None
        promised = Amount(proved.rho, proved.xi)
        for way, order in product([way for p, q in pairs for way in ((p, q), (q, p))], ORDERS):
            found = moment(*way, order)
            holds = within(found, order, promised)
            require(holds, f"at order {order} the moment is {float(found):.6g}, promised is {promised}")


def two_steps() -> Iterator[tuple[Step, tuple[Step, Step]]]:
    """Any first release, and any after each of its outcomes: three regions, three pairs of laws."""
    steps = list(product((ALL, WARD_A, WARD_B), PAIRS))
    yield from ((first, (a, b)) for first, a, b in product([s for s in steps if s[0] is not WARD_B], steps, steps))


def procedures(most: int) -> Iterator[tuple[Step, tuple[Step, Step], tuple[Step, ...]]]:
    """Two releases; and three, the last of them one of so many, by whether the first outcomes agree."""
    lasts = list(product((ALL, WARD_A), ("coin", "coin with ξ")))[:most]
    for first, after in two_steps():
        yield first, after, ()
    for first, (a, b) in two_steps():
        if {first[1], a[1], b[1]} <= {"coin", "coin with ξ"}:
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
    total = Cost(CONCENTRATED, sum(map(Fraction, rhos), Fraction(0)), sum(map(Fraction, xis), Fraction(0)))
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
    """A charge in the other measure is refused and not booked; one in ε is taken as ε²/2, where that is asked for."""
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
    require(ledger.spent == (pure_to_zcdp(cost), 0), f"ε = {cost} is charged as {ledger.spent}")


WHOLE_ORDERS = "ρ and ξ at whole orders λ ≥ 2, both directions"
EXACT = "releases are integers with exact noise; all coins are fresh"

CLAIMS = (
    Claim(
        "thm-concentrated-filter",
        status="proved+checked",
        code=("fdpedu.accounting.cost",),
        checks=(
            Check(
                "adaptive transcripts",
                "exact",
                "two releases, and three of which the last is one of {size}, each chosen from those before: regions, "
                "pairs of laws and costs; orders 2, 3 and 5, both directions",
                adaptive,
                procedures,
                2,
                4,
                more=[
                    (
                        (ALL, "rare"),
                        ((WARD_A, "coin"), (WARD_B, "coin with ξ")),
                        ((ALL, "coin"), (WARD_A, "coin with ξ")),
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
                "one measure",
                "exact",
                "a ledger refuses what is charged in the other measure",
                one_measure,
                lambda _: [(Fraction(1, n),) for n in (1, 2, 10)],
            ),
        ),
        assumptions=(ADD_REMOVE, WHOLE_ORDERS, EXACT),
        uses=("lem-filter", "lem-pure-to-zcdp"),
    ),
)

TWINS = (
    Broken(
        "the dearer release of a path",
        "fdpedu.accounting.region_tree.RegionTree.local_cost",
        "sum_of(",
        "__import__('fdpedu.accounting.cost', fromlist=['largest_of']).largest_of(",
        "Two releases of the same records cost what the dearer one costs: the noise of the other one is larger.",
        "thm-concentrated-filter",
        "adaptive transcripts",
    ),
    Broken(
        "ρ added over disjoint regions",
        "fdpedu.accounting.region_tree.RegionTree.max_descendant_cost",
        "largest_of(",
        "sum_of(",
        "The parallel rule is one of ε. Divergences of different regions add up.",
        "thm-concentrated-filter",
        "nested",
    ),
    Broken(
        "the region with the larger ρ",
        "fdpedu.accounting.cost.Amount.joined",
        "Amount(max(self.value, other.value), max(self.xi, other.xi))",
        "max(self, other)",
        "Of two disjoint regions the one with the larger ρ is the dearer one, and its ξ comes with it.",
        "thm-concentrated-filter",
        "nested",
    ),
    Broken(
        "ξ not added",
        "fdpedu.accounting.cost.Amount.plus",
        "self.xi + other.xi if other.xi else self.xi",
        "max(self.xi, other.xi)",
        "ξ says how far shares are from one Gaussian number: a matter of the shares, and not of how many answers.",
        "thm-concentrated-filter",
        "adaptive transcripts",
    ),
    Broken(
        "ξ not limited",
        "fdpedu.accounting.cost.Amount.within",
        "self.value <= limit.value and self.xi <= limit.xi",
        "self.value <= limit.value",
        "ξ is so small that only ρ has to be watched.",
        "thm-concentrated-filter",
        "limits",
    ),
    Broken(
        "ε booked as ρ",
        "fdpedu.accounting.ledger.Ledger.charge",
        "require_measure(charge.cost.measure, self.measure)",
        "pass",
        "A cost is a number, and a ledger adds numbers.",
        "thm-concentrated-filter",
        "one measure",
    ),
    Broken(
        "ρ of this run for all runs",
        "fdpedu.derivation_checker.check_derivation",
        "kinds, *budget, order)",
        "kinds, *spent, order)",
        "In ρ, too, what was spent is what was lost.",
        "thm-concentrated-filter",
        "promises",
    ),
    Broken(
        "the checker leaves ξ to the largest",
        "fdpedu.derivation_checker._check",
        "sum(xis, Fraction(0))",
        "max(xis)",
        "Corrections are bounds, and the largest bound holds for all.",
        "thm-concentrated-filter",
        "nested",
    ),
    Broken(
        "the checker takes ξ of the larger ρ",
        "fdpedu.derivation_checker._check",
        "(max(values), max(xis))",
        "max(costs)",
        "Of two pairs the larger one is the one with the larger ρ.",
        "thm-concentrated-filter",
        "nested",
    ),
)
