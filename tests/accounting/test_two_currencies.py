"""Accounts in ρ: the filter, the conversion and the queries on cases of their own; what budgets refuse."""

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
    concentrated_budget,
    concentrated_epsilon,
    zcdp_to_epsilon,
)
from fdpedu.accounting.budget import MAX_ORDER, cost_asked, epsilon_at, most_rho, xi_of
from fdpedu.accounting.cost import NOTHING, largest_of, sum_of
from fdpedu.accounting.limits import denominators
from fdpedu.accounting.worked.two_currencies import converted_each, converted_once
from fdpedu.claims.accounting import two_currencies
from fdpedu.derivation_checker import is_converted
from fdpedu.dlpa.insiders_in_rho import insider_concentrated_epsilon, insider_rho
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
    pure, rho = as_cost("1/2"), Cost("concentrated", "1/40", "1/10000")
    assert (pure.measure, pure.epsilon, pure.is_pure, str(pure)) == ("pure", Fraction(1, 2), True, "ε = 1/2")
    assert (rho.amount, rho.is_pure, str(rho)) == (
        (Fraction(1, 40), Fraction(1, 10**4)),
        False,
        "ρ = 1/40, ξ = 1/10000",
    )
    assert as_cost(rho) is rho and rho.scaled(2) == Cost("concentrated", "1/20") and pure.scaled(2) == as_cost(1)
    assert str(rho.amount) == "ρ = 1/40, ξ = 1/10000" and str(Cost("concentrated", 1)) == "ρ = 1"
    assert pure.amount.public("pure") == Fraction(1, 2) and rho.amount.public("concentrated") == rho.amount
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
        (lambda: Cost("concentrated", 1, -1), "xi"),
        (lambda: Cost("concentrated", 0), "rho"),
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
    ({"epsilon": Cost("concentrated", 1), "rho": 1}, "rho"),
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


@pytest.mark.parametrize("order", [1, 0, -2, MAX_ORDER + 1, 2.5, "x", True, None])
def test_the_order_is_whole_and_from_2_to_a_million(order):
    if order is None:
        assert concentrated_budget(1, 1e-6) == concentrated_budget(1, 1e-6, order=22)
        return
    with pytest.raises(ValueError, match="order"):
        concentrated_budget(1, 1e-6, order=order)


@pytest.mark.parametrize("order", [2, MAX_ORDER])
def test_the_ends_of_the_orders(order):
    epsilon = {2: 20, MAX_ORDER: 20}[order]
    made = concentrated_budget(epsilon, 1e-6, order=order)
    assert made.order == order and is_converted(made.epsilon, made.delta, *made.amount, order)


def test_no_rho_is_left_where_the_order_is_too_small():
    with pytest.raises(ValueError, match="order 2"):
        concentrated_budget(1, 1e-6, order=2)


@pytest.mark.parametrize("stated", [{"epsilon": "3/2"}, {"epsilon": 1, "delta": "1e-9"}, {"rho": "1/40"}])
def test_a_budget_is_read_as_it_was_written(stated):
    made = Budget.of(**stated)
    assert (
        Budget.from_json(made.to_json()) == Budget.from_text(made.to_text()) == Budget.from_wire(made.to_wire()) == made
    )
    assert Budget.of(made) is made and Ledger(made).total == made
    assert (Ledger(made).budget, Ledger(made).measure) == (made.limit.value, made.measure)


@pytest.mark.parametrize("order", [2, 22, 40, MAX_ORDER])
def test_a_stated_budget_may_just_hold(order):
    """At any order with the least ε that the limits are converted to, and with no less."""
    rho, xi, delta = Fraction(1, 10**5), Fraction(1, 10**7), Fraction(1, 10**6)
    least = Fraction(math.ceil(epsilon_at(order, rho, xi, delta).upper * 10**30), 10**30)
    stated = {"rho": str(rho), "xi": str(xi), "epsilon": str(least), "delta": str(delta), "order": order}
    made = Budget.from_json(stated)
    assert made.to_json() == stated and made.to_wire() == (rho, xi, least, delta, order)
    assert str(made) == f"(ε, δ) = ({least}, 10⁻⁶), from ρ = 1/100000, ξ ≤ 1/10000000, order {order}"
    with pytest.raises(ValueError, match="no conversion"):
        Budget.from_json({**stated, "epsilon": str(least - Fraction(1, 10**29))})


def test_what_a_budget_promises():
    pure, rho = Budget.of("1/2"), Budget.of(rho="1/40")
    assert (pure.epsilon, pure.delta, pure.order, pure.to_json(), str(pure)) == (
        Fraction(1, 2),
        0,
        None,
        "1/2",
        "ε = 1/2",
    )
    assert (rho.epsilon, rho.delta, rho.order, str(rho)) == (None, 0, None, "ρ = 1/40, ξ ≤ 1/10000")
    assert rho.to_wire() == (Fraction(1, 40), Fraction(1, 10**4)) and pure.to_wire() == Fraction(1, 2)
    with pytest.raises(ValueError, match="epsilon"):
        cost_asked(pure, 0, None)


def test_a_stated_budget_is_not_made_larger():
    """ξ = 0 stays 0 where it is stated; where nothing is said of it, ξ is a power of ten of at most ρ/100."""
    assert Budget.from_json({"rho": "1/40", "xi": "0"}).amount == (Fraction(1, 40), 0)
    assert Budget.of(rho="1/40").amount == (Fraction(1, 40), Fraction(1, 10**4))
    assert [xi_of(Fraction(rho)) for rho in (1, 100, "1/100", "99/1000")] == [
        Fraction(1, 100),
        1,
        Fraction(1, 10**4),
        Fraction(1, 10**4),
    ]


@pytest.mark.parametrize(
    "changed",
    [
        {"order": 21},
        {"order": 1},
        {"order": MAX_ORDER + 1},
        {"order": "22"},
        {"rho": "1/40"},
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
    with pytest.raises(ValueError, match=r"order|delta|budget"):
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
    assert cost_asked(Budget.of(rho=1), 1, 1e-6) == concentrated_budget(1, 1e-6).limit


def test_common_denominators_count_both_parts():
    """What the checker has to add, a ledger counts beforehand: ξ, too."""
    assert denominators(Cost("concentrated", "1/7", "1/11")) == (7, 11)
    ledger = Ledger(rho=1)
    charge = ClassCounts(WARDS.everything, Cost("concentrated", "1/7")).charge(WARDS, 0, "seed", n_noise_shares=9)
    ledger.bind(WARDS)
    ledger.charge([charge])
    assert charge.cost.xi and ledger.counts.common % charge.cost.xi.denominator == 0


@settings(max_examples=60, deadline=None)
@given(rhos, deltas)
def test_the_least_epsilon_of_whole_orders(rho, delta):
    """No order is better, it is the best one; and it is close to the least ε of all orders, from above."""
    found = concentrated_epsilon(rho, 0, delta)
    near = round(math.sqrt(math.log(1 / delta) / rho)) + 2
    every = [epsilon_at(order, rho, Fraction(0), delta) for order in range(2, 2 * near + 4)]
    assert found.lower == max(0, min(one.lower for one in every))
    least = zcdp_to_epsilon(rho, delta)
    assert least.lower <= found.upper <= Fraction(11, 10) * least.upper + rho
    assert concentrated_epsilon(rho, "1/100", delta).upper <= found.upper + Fraction(1, 100)


@given(st.integers(2, 60), deltas, st.fractions(Fraction(1, 10), 9, max_denominator=90))
def test_the_most_rho_is_where_epsilon_is_reached(order, delta, epsilon):
    rho = most_rho(epsilon, delta, order)
    assert epsilon_at(order, rho, Fraction(0), delta).upper == epsilon
    if rho > 0:
        assert is_converted(epsilon, delta * (1 + Fraction(1, 10**50)), rho, Fraction(0), order)


def test_the_pairs_cost_what_they_need():
    """With a twelfth less of ρ some order is exceeded."""
    for name, ((p, q), xi) in two_currencies.PAIRS.items():
        rho, kept = two_currencies.cost_of(name)
        less = Amount(rho - Fraction(1, 12), xi)
        found = [(two_currencies.moment(*pair, n), n) for pair in ((p, q), (q, p)) for n in range(2, 9)]
        assert kept == xi and not all(two_currencies.within(m, n, less) for m, n in found)


@pytest.mark.claim("thm-root-conversion")
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
        (lambda made: insider_concentrated_epsilon(Budget.of(rho=1), 3, 1), "epsilon"),
    ],
)
def test_insiders_of_what_is_not_there_are_refused_by_name(ask, named):
    with pytest.raises(ValueError, match=named):
        ask(Budget.of(1, delta=1e-6))


NOISE = {"l2_squared": 4, "cells": 4, "variance": 8}
HOW = {"region": WARDS.everything, "query": "q", "mechanism": "m", "sensitivity": 1, "claim": "c"}
QUARTER = Cost("concentrated", "1/4")


@pytest.mark.parametrize(
    ("changed", "named"),
    [
        ({"variance": Fraction(79999, 10000)}, "variance"),
        ({"variance": 0}, "variance"),
        ({"variance": None}, "variance"),
        ({"l2_squared": 5}, "variance"),
        ({"l2_squared": 0}, "l2_squared"),
        ({"l2_squared": True}, "l2_squared"),
        ({"cells": None}, "cells"),
        ({"cost": Cost("concentrated", "24/100")}, "variance"),
        ({"cost": 1}, "l2_squared"),
        ({"variance": Fraction(8) + Fraction(1, 10**400)}, "variance"),
    ],
)
def test_a_charge_in_rho_has_enough_noise(changed, named):
    """ρ times the variance is at least half of ℓ₂²; a charge in ε states none of it."""
    assert Charge(**HOW, cost=QUARTER, **NOISE).stated_noise() == {"l2_squared": 4, "cells": 4, "variance": "8"}
    with pytest.raises(ValueError, match=named):
        Charge(**{**HOW, "cost": QUARTER, **NOISE, **changed})


def test_a_pure_release_is_charged_in_rho_where_it_is_asked_for():
    pure = Charge(**HOW, cost="1/10")
    ledger = Ledger(rho="1/200", domain=WARDS)
    with pytest.raises(ValueError, match="in_rho"):
        ledger.charge([pure])
    ledger.charge([pure.in_rho()])
    assert ledger.spent == (Fraction(1, 200), 0) and ledger.remaining() == (0, ledger.total.limit.xi)
    with pytest.raises(ValueError, match="does not belong"):
        Ledger(1, domain=WARDS).charge([pure.in_rho()])
