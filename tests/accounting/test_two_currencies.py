"""Accounts in ρ: the filter, the conversion and the queries on cases of their own; what budgets refuse."""

import json
import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.accounting import (
    Amount,
    Budget,
    Charge,
    Cost,
    Ledger,
    as_cost,
    gaussian_budget,
    gaussian_epsilon,
    zcdp_to_epsilon,
)
from fdpedu.accounting.budget import _number, _place, cost_asked, xi_of
from fdpedu.accounting.concentrated import at_best_order, epsilon_at
from fdpedu.accounting.cost import GAUSSIAN, NOTHING, largest_of, sum_of
from fdpedu.accounting.limits import denominators
from fdpedu.accounting.worked.two_currencies import converted_each, converted_once
from fdpedu.claims.accounting import two_currencies
from fdpedu.claims.accounting.root_conversion import are_far
from fdpedu.claims.checking import Refuted
from fdpedu.derivation_checker import MAX_ORDER, is_converted, is_converted_at
from fdpedu.dlpa.insiders_in_rho import insider_gaussian_epsilon, insider_rho
from fdpedu.federation import ClassCounts
from tests.support.accounting import WARDS

parts = st.fractions(0, 2, max_denominator=30)
amounts = st.builds(Amount, parts, parts)
rhos = st.fractions(Fraction(1, 1000), 2, max_denominator=1000)
deltas = st.sampled_from([Fraction(1, 10**k) for k in (1, 3, 6, 9, 20)])


@given(st.lists(amounts, max_size=5), st.lists(amounts, max_size=5))
def test_amounts_add_up_part_by_part(first, second):
    """As pairs of sums, or of maxima; the order does not matter, and nothing costs nothing."""
    both = [*first, *second]
    assert sum_of(both) == sum_of(first).plus(sum_of(second)) == (sum(a[0] for a in both), sum(a[1] for a in both))
    most = [max((a[i] for a in both), default=0) for i in (0, 1)]
    assert largest_of(both) == largest_of(first).joined(largest_of(second)) == tuple(most)
    assert sum_of(both).less(sum_of(second)) == sum_of(first) and NOTHING.within(sum_of(both))
    assert all(a.within(largest_of(both)) for a in both)


@given(amounts, amounts)
def test_an_amount_is_within_another_if_both_parts_are(one, limit):
    assert one.within(limit) == (one[0] <= limit[0] and one[1] <= limit[1])


def test_a_cost_says_what_it_is():
    pure, rho = as_cost("1/2"), Cost("gaussian", "1/40", "1/10000")
    assert (pure.measure, pure.epsilon, pure.is_pure, str(pure)) == ("pure", Fraction(1, 2), True, "ε = 1/2")
    assert (rho.amount, rho.is_pure, str(rho)) == (
        (Fraction(1, 40), Fraction(1, 10**4)),
        False,
        "ρ = 1/40, ξ = 1/10000",
    )
    assert as_cost(rho) is rho and rho.scaled(2) == Cost("gaussian", "1/20") and pure.scaled(2) == as_cost(1)
    assert str(rho.amount) == "ρ = 1/40, ξ = 1/10000" and str(Cost("gaussian", 1)) == "ρ = 1"
    assert pure.amount.public("pure") == Fraction(1, 2) and rho.amount.public("gaussian") == rho.amount
    with pytest.raises(ValueError, match="only a whole budget is converted"):
        _ = rho.epsilon


class Cheaper(Cost):
    """A class of one's own could say another cost each time it is asked."""


@pytest.mark.parametrize(
    ("made", "named"),
    [
        (lambda: Cost("zcdp", 1), "measure"),
        (lambda: Cost(["pure"], 1), "measure"),
        (lambda: Cost("pure", 1, "1/10"), "xi"),
        (lambda: Cost("gaussian", 1, -1), "xi"),
        (lambda: Cost("gaussian", 0), "rho"),
        (lambda: Cost("pure", 0), "epsilon"),
        (lambda: as_cost(-1), "cost"),
        (lambda: as_cost(Cheaper("pure", 1)), "cost"),
    ],
)
def test_what_is_no_cost_is_refused_by_name(made, named):
    with pytest.raises(ValueError, match=named):
        made()


BAD = [
    ({}, "epsilon or rho"),
    ({"epsilon": 1, "rho": "1/40"}, "epsilon or rho"),
    ({"epsilon": 1, "rho": "1/40", "delta": 1e-6}, "epsilon or rho"),
    ({"rho": "1/40", "delta": 1e-6}, "delta"),
    ({"delta": 1e-6}, "epsilon or rho"),
    *(({"epsilon": 1, "delta": delta}, "delta") for delta in (0, 1, -1, "one", 2, float("nan"), [])),
    *(({"rho": rho}, "rho") for rho in (0, -1, "x", 1001, [], True)),
    *(({"epsilon": epsilon, "delta": 1e-6}, "epsilon") for epsilon in (0, -1, "x", 1001)),
    ({"epsilon": Budget.of(1), "delta": 1e-6}, "delta"),
    ({"epsilon": Cost("gaussian", 1), "rho": 1}, "rho"),
    ({"epsilon": "1/100", "delta": "1e-300"}, None),  # little, and enough
]


@pytest.mark.parametrize(("stated", "named"), BAD)
@pytest.mark.parametrize("maker", [Budget.of, Ledger, lambda **stated: Ledger.open("budget.db", **stated)])
def test_a_budget_is_stated_in_one_way(stated, named, maker, tmp_path, monkeypatch):
    """Refused by name what is none, or two; also before a file is made."""
    monkeypatch.chdir(tmp_path)
    if named is None:
        assert maker(**stated)
        return
    if maker not in (Budget.of, Ledger) and not stated:
        named = "there is no file"
    with pytest.raises(ValueError, match=named):
        maker(**stated)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.claim("thm-gaussian-root")
@pytest.mark.parametrize(("epsilon", "least"), [("1/10", "3793/10000000"), (1, "28/1000"), (4, "3509/10000")])
def test_the_largest_rho(epsilon, least):
    """As it was computed beforehand by another program; at δ = 10⁻⁶."""
    made = gaussian_budget(epsilon, delta=1e-6)
    assert made.limit.value >= Fraction(least) and made.order is None and Budget.of(epsilon, delta=1e-6) == made


@pytest.mark.parametrize(("epsilon", "delta"), [("1/10", "1/2"), ("1/100", "1/10"), (5, "0.99"), ("1e-9", 1e-6)])
def test_so_large_a_delta_is_refused(epsilon, delta):
    with pytest.raises(ValueError, match="delta must be smaller beside ε"):
        gaussian_budget(epsilon, delta)


@given(st.fractions(Fraction(1, 10**9), 10**9))
def test_numbers_of_four_digits_have_places(x):
    below, above = _number(_place(x)), _number(_place(x) + 1)
    assert below <= x < above and _place(below) == _place(x) and above <= below * Fraction(1001, 1000)


@pytest.mark.parametrize("stated", [{"epsilon": "3/2"}, {"epsilon": 1, "delta": "1e-9"}, {"rho": "1/40"}])
def test_a_budget_is_read_as_it_was_written(stated):
    made = Budget.of(**stated)
    assert (
        Budget.from_json(made.to_json()) == Budget.from_text(made.to_text()) == Budget.from_wire(made.to_wire()) == made
    )
    assert Budget.of(made) is made and Ledger(made).total == made
    assert (Ledger(made).budget, Ledger(made).measure) == (made.limit.value, made.measure)


@pytest.mark.claim("thm-zcdp-to-dp")
@pytest.mark.parametrize("order", [2, 22, 40, MAX_ORDER])
def test_an_older_budget_is_read_as_it_was_written(order):
    """At any order with the least ε that the limits are converted to, and with no less; and none is made."""
    rho, xi, delta = Fraction(1, 10**5), Fraction(1, 10**7), Fraction(1, 10**6)
    least = Fraction(math.ceil(epsilon_at(order, rho, xi, delta).upper * 10**30), 10**30)
    stated = {"rho": str(rho), "xi": str(xi), "epsilon": str(least), "delta": str(delta), "order": order}
    made = Budget.from_json(stated, "concentrated")
    assert made.to_json() == stated and made.to_wire() == (rho, xi, least, delta, order)
    assert Budget.from_wire(made.to_wire()) == Budget.from_text(made.to_text()) == made
    assert json.loads(made.to_text()) == stated
    assert str(made) == f"(ε, δ) = ({least}, 10⁻⁶), from ρ = 1/100000, ξ ≤ 1/10000000, order {order}"
    with pytest.raises(ValueError, match="no conversion"):
        Budget.from_json({**stated, "epsilon": str(least - Fraction(1, 10**29))}, "concentrated")
    for changed in ({"order": 1}, {"order": MAX_ORDER + 1}, {"order": "22"}, {"order": None}):
        with pytest.raises(ValueError, match="order"):
            Budget.from_json({**stated, **changed}, "concentrated")
    with pytest.raises(ValueError, match="budget"):
        Budget.from_json(stated)


def older():
    return Budget.from_json(
        {"rho": "487/20000", "xi": "1/10000", "epsilon": "1", "delta": "1/1000000", "order": 22}, "concentrated"
    )


@pytest.mark.parametrize("budget", [older(), Budget.from_json({"rho": "1/40", "xi": "0"}, "concentrated")])
def test_nothing_is_begun_in_the_older_measure(budget, tmp_path):
    for begin in (Ledger, lambda one: Ledger.open(tmp_path / "new.db", one)):
        with pytest.raises(ValueError, match="read only"):
            begin(budget)
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(ValueError, match="order must be left out"):
        Budget(Cost("gaussian", "1/100", "1/100000"), Fraction(1), Fraction(1, 10**6), 22)


def test_what_goes_on_in_the_older_measure_has_its_noise():
    """σ² without the 1, ξ = 3·cells·θ, and insiders by the number of shares."""
    ledger = Ledger.going_on(older(), 1)
    query = ClassCounts(WARDS.everything, Cost("concentrated", "1/100"))
    charge = query.charge(WARDS, 1, "rehearsal", n_noise_shares=1)
    assert (charge.variance, charge.cost.xi) == (50, 0)
    ledger.bind(WARDS)
    ledger.charge([charge])
    found = ledger.derivation()
    assert found.content["schema"] == "fdpedu-derivation/8" and found.guarantee.order == 22
    assert found.guarantee.promise == str(older()) and found.guarantee.measure == "concentrated"
    assert insider_rho(older(), 5, 3, tolerate=1) == 2 * Fraction(487, 20000)
    assert round(float(insider_gaussian_epsilon(older(), 5, 4, tolerate=1)), 3) == 2.112
    new = ClassCounts(WARDS.everything, Cost("gaussian", "1/100")).charge(WARDS, 1, "rehearsal", n_noise_shares=1)
    assert (new.variance, new.cost.xi) == (51, Fraction(3, 10**13))
    with pytest.raises(ValueError, match="measure concentrated"):
        ledger.charge([new])
    with pytest.raises(ValueError, match="none is converted"):
        cost_asked(older(), 1, 1e-6)


def test_what_a_budget_promises():
    pure, rho = Budget.of("1/2"), Budget.of(rho="1/40")
    assert (pure.epsilon, pure.delta, pure.order, pure.to_json(), str(pure)) == (
        Fraction(1, 2),
        0,
        None,
        "1/2",
        "ε = 1/2",
    )
    assert (rho.epsilon, rho.delta, rho.order, str(rho)) == (None, 0, None, "ρ = 1/40, ξ ≤ 1/100000")
    assert rho.to_wire() == ("gaussian", Fraction(1, 40), Fraction(1, 10**5)) and pure.to_wire() == Fraction(1, 2)
    with pytest.raises(ValueError, match="epsilon"):
        cost_asked(pure, 0, None)


def test_a_stated_budget_is_not_made_larger():
    """ξ = 0 stays 0 where it is stated; where nothing is said of it, ξ is a power of ten of at most ρ/1000."""
    assert Budget.from_json({"rho": "1/40", "xi": "0"}).amount == (Fraction(1, 40), 0)
    assert Budget.of(rho="1/40").amount == (Fraction(1, 40), Fraction(1, 10**5))
    assert [xi_of(Fraction(rho)) for rho in (1, 100, "1/100", "99/1000")] == [
        Fraction(1, 1000),
        Fraction(1, 10),
        Fraction(1, 10**5),
        Fraction(1, 10**5),
    ]


@pytest.mark.parametrize(
    "changed",
    [
        {"order": 22},
        {"rho": "2802/100000"},
        {"xi": "1"},
        {"xi": "1/2"},
        {"xi": "1/100"},
        {"epsilon": "999/1000"},
        {"delta": "1/2000000"},
        {"delta": "0"},
        {"delta": "1"},
        {"more": 1},
    ],
)
def test_a_stated_budget_has_to_hold(changed):
    """A text whose conversion does not hold is refused, when it is read as a budget."""
    with pytest.raises(ValueError, match=r"xi|not converted|delta|budget"):
        Budget.from_json({**Budget.of(1, delta=1e-6).to_json(), **changed})


@pytest.mark.parametrize(
    ("total", "asked", "named"),
    [
        (Budget.of(1), (1, 1e-6), "delta"),
        (Budget.of(rho=1), (1, None), "delta"),
        (Budget.of(1), (None, 1e-6), "delta needs an epsilon"),
    ],
)
def test_what_is_asked_is_in_the_measure_of_the_ledger(total, asked, named):
    with pytest.raises(ValueError, match=named):
        cost_asked(total, *asked)


def test_what_is_asked_is_a_cost():
    assert cost_asked(Budget.of(1), "1/2", None) == as_cost("1/2") and cost_asked(Budget.of(1), None, None) is None
    assert cost_asked(Budget.of(rho=1), 1, 1e-6) == gaussian_budget(1, 1e-6).limit
    less = gaussian_budget(1, 1e-6).amount._replace(xi=Fraction(1, 10**6))  # what is left of ξ is asked for, not more
    assert cost_asked(Budget.of(rho=1), 1, 1e-6, less) == Cost(GAUSSIAN, *less)


def test_common_denominators_count_both_parts():
    """What the checker has to add, a ledger counts beforehand: ξ, too."""
    assert denominators(Cost("gaussian", "1/7", "1/11")) == (7, 11)
    ledger = Ledger(rho=1)
    charge = ClassCounts(WARDS.everything, Cost("gaussian", "1/7")).charge(WARDS, 0, "seed", n_noise_shares=9)
    ledger.bind(WARDS)
    ledger.charge([charge])
    assert charge.cost.xi and ledger.counts.common % charge.cost.xi.denominator == 0


@settings(max_examples=40, deadline=None)
@given(rhos, deltas)
def test_the_least_epsilon(rho, delta):
    """Less than from moments; δ_G and the checker agree with it; ξ adds twice itself and a little."""
    found = gaussian_epsilon(rho, 0, delta)
    orders = at_best_order(rho, Fraction(0), delta)
    assert found.lower <= zcdp_to_epsilon(rho, delta).upper <= orders.upper + Fraction(1, 10**30)
    assert found.upper + Fraction(1, 50) <= gaussian_epsilon(rho, "1/100", delta).upper
    if found.lower > 0 and are_far(found.lower, rho):
        assert is_converted(found.upper * (1 + Fraction(1, 10**9)), delta, rho, Fraction(0))
        assert not is_converted(found.lower * (1 - Fraction(1, 10**9)), delta, rho, Fraction(0))


@given(st.integers(2, 60), deltas, st.fractions(Fraction(1, 10), 9, max_denominator=90))
def test_the_checker_takes_an_older_epsilon(order, delta, rho):
    least = epsilon_at(order, rho, Fraction(0), delta)
    if least.lower > 0:
        assert is_converted_at(order, least.upper + Fraction(1, 10**50), delta, rho, Fraction(0))
        assert not is_converted_at(order, least.lower - Fraction(1, 10**50), delta, rho, Fraction(0))


def test_the_pairs_cost_what_they_need():
    """A coin is a threshold of one number, or within e^{±ξ} of a fair one."""
    two_currencies.from_one_number(Fraction(2, 3), Fraction(1, 3), Fraction(4308, 10**4), Fraction(-4308, 10**4))
    two_currencies.from_one_number(Fraction(1, 8), Fraction(1, 64), Fraction(-11503, 10**4), Fraction(-21539, 10**4))
    assert {name: two_currencies.cost_of(name) for name in ("coin", "rare")} == {
        "coin": Amount(Fraction(8616, 10**4) ** 2 / 2),
        "rare": Amount(Fraction(10036, 10**4) ** 2 / 2),
    }
    assert math.log(9 / 8) <= 3 / 25 and two_currencies.cost_of("tilted coin").xi == Fraction(3, 25)
    with pytest.raises(Refuted):
        two_currencies.from_one_number(Fraction(2, 3), Fraction(1, 3), Fraction(43, 100), Fraction(-43, 100))


@pytest.mark.claim("thm-gaussian-root")
@settings(max_examples=30, deadline=None)
@given(
    st.lists(st.builds(Amount, rhos, st.just(Fraction(0))), min_size=1, max_size=6),
    deltas.filter(lambda delta: delta < Fraction(1, 10**3)),
)
def test_one_conversion_costs_less_than_several(parts, delta):
    """And one release is one conversion."""
    once, (each, total) = converted_once(parts, delta), converted_each(parts, delta)
    assert total == len(parts) * delta and once.lower <= each.upper
    if len(parts) == 1:
        assert once.upper == each.upper


@pytest.mark.parametrize(
    ("ask", "named"),
    [
        (lambda made: insider_rho(Budget.of(1), 3, 1), "budget"),
        (lambda made: insider_rho(made, 3, 3), "colluders"),
        (lambda made: insider_rho(made, 3, -1), "colluders"),
        (lambda made: insider_rho(made, 3, 1, tolerate=3), "tolerate"),
        (lambda made: insider_gaussian_epsilon(Budget.of(rho=1), 3, 1), "epsilon"),
    ],
)
def test_insiders_of_what_is_not_there_are_refused_by_name(ask, named):
    with pytest.raises(ValueError, match=named):
        ask(Budget.of(1, delta=1e-6))


NOISE = {"l2_squared": 4, "cells": 4, "variance": 9}
HOW = {"region": WARDS.everything, "query": "q", "mechanism": "m", "sensitivity": 1, "claim": "c"}
QUARTER = Cost("gaussian", "1/4")


@pytest.mark.parametrize(
    ("changed", "named"),
    [
        ({"variance": Fraction(89999, 10000)}, "variance"),
        ({"variance": 0}, "variance"),
        ({"variance": None}, "variance"),
        ({"l2_squared": 5}, "variance"),
        ({"l2_squared": 0}, "l2_squared"),
        ({"l2_squared": True}, "l2_squared"),
        ({"cells": None}, "cells"),
        ({"cost": Cost("gaussian", "24/100")}, "variance"),
        ({"cost": 1}, "l2_squared"),
        ({"variance": Fraction(9) + Fraction(1, 10**400)}, "variance"),
    ],
)
def test_a_charge_in_rho_has_enough_noise(changed, named):
    """ρ times the variance less 1 is at least half of ℓ₂²; a charge in ε states none of it."""
    assert Charge(**HOW, cost=QUARTER, **NOISE).stated_noise() == {"l2_squared": 4, "cells": 4, "variance": "9"}
    with pytest.raises(ValueError, match=named):
        Charge(**{**HOW, "cost": QUARTER, **NOISE, **changed})


def test_a_pure_release_is_charged_in_rho_where_it_is_asked_for():
    pure = Charge(**HOW, cost="1/10")
    ledger = Ledger(rho="11/1400", domain=WARDS)
    with pytest.raises(ValueError, match="in_rho"):
        ledger.charge([pure])
    ledger.charge([pure.in_rho()])
    assert ledger.spent == (Fraction(11, 1400), 0) and ledger.remaining() == (0, ledger.total.limit.xi)
    with pytest.raises(ValueError, match="does not belong"):
        Ledger(1, domain=WARDS).charge([pure.in_rho()])
