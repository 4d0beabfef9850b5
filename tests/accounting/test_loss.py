"""Tables of losses: they enclose the exact answers, and what they keep and cut is known to the unit."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.accounting import LossDistribution, compose_optimal
from fdpedu.accounting.loss import UNIT, _convolve, _from_tails, _Law, _product
from fdpedu.claims.accounting import loss
from fdpedu.exact import Enclosure, exp_enclosure

deltas = st.sampled_from([Fraction(1, 10**15), Fraction(1, 10**6), Fraction(1, 100), Fraction(1, 3), Fraction(9, 10)])


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 30), st.integers(1, 40), st.integers(1, 40), deltas)
def test_loss_distributions_enclose_the_exact_answer(cells, k, divisor, delta):
    """On a grid that the losses fit, a discrete Laplace composes to the binomial formula; on any other they enclose
    it.
    """
    epsilon = Fraction(cells, 40)
    exact = compose_optimal(epsilon, k, delta)
    fitting = LossDistribution.discrete_laplace(epsilon, step=epsilon).compose(k)
    loss.enclosed(fitting.epsilon(delta), exact, Fraction(1, 10**6))
    step = Fraction(1, 40 + divisor)
    coarse = LossDistribution.randomised_response(epsilon, step=step).compose(k)
    loss.enclosed(coarse.epsilon(delta), exact, k * step)
    assert coarse.delta(exact.upper).lower <= delta
    assert exact.lower == 0 or delta <= coarse.delta(exact.lower).upper + Fraction(1, 10**20)


epsilons = st.fractions(Fraction(1, 50), 3, max_denominator=50)


@settings(max_examples=20, deadline=None)
@given(epsilons, st.integers(1, 6), deltas)
def test_one_laplace_release(epsilon, sensitivity, delta):
    """The formula of one Laplace release; a discrete one of sensitivity Δ costs no more than the coin."""
    loss.formulas("laplace", epsilon, 1, Fraction(1, 300))
    coin = LossDistribution.randomised_response(epsilon, step=epsilon)
    several = LossDistribution.discrete_laplace(epsilon, sensitivity, step=epsilon / sensitivity)
    assert several.epsilon(delta).lower <= coin.epsilon(delta).upper + Fraction(1, 10**20)
    assert several.then(several).epsilon(delta).lower <= compose_optimal(epsilon, 2, delta).upper


@pytest.mark.parametrize(("sigma", "k"), [(1, 1), (2, 1), (4, 9)])
def test_gaussian_is_the_analytic_formula(sigma, k):
    """δ(ε) = Φ(μ/2 − ε/μ) − e^ε·Φ(−μ/2 − ε/μ) lies in the enclosure (Balle and Wang 2018); also composed."""
    loss.formulas("gaussian", Fraction(sigma), k, Fraction(1, 64))


def tail_at(law, i):
    return law.infinite + sum(mass for j, mass in enumerate(law.masses) if law.first + j >= i)


@given(st.lists(st.sampled_from([0, 1, 9999, 10**4, 10**4 + 1, 10**9]), min_size=1, max_size=8), st.integers(-9, 9))
def test_a_table_is_cut_where_next_to_nothing_is_lost(masses, first):
    """Upwards every tail is at least what it was, downwards at most, and by no more than 10⁴ units; no more is kept."""
    tails = [sum(masses[i:]) for i in range(len(masses) + 1)]
    for up in (True, False):
        law = _from_tails(first, tails, up)
        for i, tail in enumerate(tails[:-1]):
            change = tail_at(law, first + i) - tail
            assert 0 <= change <= 10**4 if up else -(10**4) <= change <= 0
        total = sum(law.masses) + law.infinite
        assert total == tails[0] if up else total <= tails[0] <= total + 10**4
        start, stop = law.first - first, law.first - first + len(law.masses)
        assert 0 <= start < stop <= len(masses) and all(mass >= 0 for mass in law.masses)
        assert stop - start == 1 or (tails[0] - tails[start + 1] > 10**4 and tails[stop - 1] > 10**4)
        assert law.infinite == (tails[stop] if up else 0)


@given(*[st.lists(st.sampled_from([0, 1, 7, UNIT // 3, UNIT]), min_size=1, max_size=5)] * 2)
def test_a_product_of_tables_is_that_of_polynomials(a, b):
    found = [sum(a[i] * b[k - i] for i in range(len(a)) if 0 <= k - i < len(b)) for k in range(len(a) + len(b) - 1)]
    assert _product(a, b) == found


@pytest.mark.parametrize("k", range(1, 10))
def test_any_number_of_releases_is_their_sequence(k):
    """One after another or by squaring: on a grid that fits, the same table."""
    coin = LossDistribution.randomised_response("1/2", step="1/2")
    sequence = coin
    for _ in range(k - 1):
        sequence = sequence.then(coin)
    for found in (coin.compose(k), sequence):
        assert abs(found.epsilon("1/100").upper - compose_optimal("1/2", k, "1/100").upper) < Fraction(1, 10**20)
        assert abs(found.delta(0).lower - sequence.delta(0).lower) < Fraction(1, 10**25)


@settings(deadline=None)
@given(st.fractions(Fraction(1, 9), 3, max_denominator=9), st.integers(1, 12))
def test_a_laplace_loss_between_two_points_goes_up_or_down(epsilon, parts):
    """Upwards the tail at a point is Pr[L > the point before], downwards Pr[L ≥ the point]: ½ at ε, and 0 beyond."""
    table = LossDistribution.laplace(epsilon, step=epsilon / parts)

    def at_least(x):
        return Fraction(int(x <= -epsilon)) if abs(x) > epsilon or x == -epsilon else 1 - power(epsilon - x) / 2

    def above(x):
        return Fraction(int(x < -epsilon)) if x >= epsilon or x < -epsilon else 1 - power(epsilon - x) / 2

    def power(twice):
        return exp_enclosure(-twice / 2, 60).upper

    for i in range(-parts, parts + 2):
        x = i * table.step
        assert abs(Fraction(tail_at(table.optimistic, i), UNIT) - at_least(x)) < Fraction(2, UNIT)
        assert abs(Fraction(tail_at(table.pessimistic, i), UNIT) - above(x - table.step)) < Fraction(2, UNIT)


@settings(deadline=None)
@given(st.fractions(Fraction(1, 9), 3, max_denominator=9), st.integers(1, 4), st.integers(1, 5))
def test_the_masses_of_a_noisy_sum_are_those_of_its_loss(epsilon, sensitivity, parts):
    """L is (Δ − 2j)·ε/Δ with mass 1/(1+α), then (1−α)α^j/(1+α), and α^Δ/(1+α) at −ε; on any finer grid too."""
    step = 2 * epsilon / sensitivity / parts
    table = LossDistribution.discrete_laplace(epsilon, sensitivity, step=step / 2)
    alpha = exp_enclosure(-epsilon / sensitivity, 60).upper
    masses = [1 / (1 + alpha), *((1 - alpha) * alpha**j / (1 + alpha) for j in range(1, sensitivity))]
    masses.append(1 - sum(masses))
    for law in (table.pessimistic, table.optimistic):
        assert isinstance(law, _Law) and law.infinite == 0
        held = {(law.first + i) * table.step: mass for i, mass in enumerate(law.masses) if mass > 1}
        stated = {(sensitivity - 2 * j) * epsilon / sensitivity: mass for j, mass in enumerate(masses)}
        assert held.keys() == stated.keys()
        assert all(abs(Fraction(held[loss], UNIT) - mass) < Fraction(3, UNIT) for loss, mass in stated.items())


def falling(x, strict):
    """Pr[L ≥ x] = e^{−x}, from 0 on."""
    if x <= 0:
        return Enclosure.exactly(Fraction(1))
    return exp_enclosure(-x, 60)


@pytest.mark.parametrize("parts", [1, 4, 7])
def test_what_lies_above_the_grid_is_infinite_or_gone(parts):
    """Of e^{−x} above 1: upwards all of it is at infinity, downwards it counts as 1."""
    found = LossDistribution.of_tail(falling, Fraction(0), Fraction(1), Fraction(1, parts))
    top = exp_enclosure(Fraction(-1), 60)
    assert found.pessimistic.infinite == -int(-top.upper * UNIT // 1) == sum([tail_at(found.pessimistic, parts + 1)])
    assert found.optimistic.infinite == 0 and found.optimistic.first + len(found.optimistic.masses) == parts + 1
    assert tail_at(found.optimistic, parts) == found.optimistic.masses[-1] == int(top.lower * UNIT)


@pytest.mark.parametrize("little", [1, 9999, 10**4])
def test_what_is_cut_below_goes_away_or_up(little):
    """A mass of a few units at 0, and the rest at 1: downwards a tail is never more than it was."""

    def tail(x, strict):
        if x < 0 or (x == 0 and not strict):
            return Enclosure.exactly(Fraction(1))
        return Enclosure.exactly(Fraction(UNIT - little, UNIT) if x < 1 or (x == 1 and not strict) else Fraction(0))

    found = LossDistribution.of_tail(tail, Fraction(0), Fraction(1), 1)
    assert found.optimistic == _Law(1, (UNIT - little,)) and found.pessimistic == _Law(1, (UNIT,))


def test_the_grid_that_nobody_asks_for():
    assert LossDistribution.of_tail(falling, Fraction(0), Fraction(1, 99)).step == Fraction(1, 1024)


@given(st.integers(0, UNIT // 10**6), st.integers(0, UNIT // 10**6), st.integers(0, 3), st.integers(2, 5))
def test_infinite_losses_add_up(a, b, shift, n):
    """1 − (1 − a)(1 − b) of the mass is at infinity, upwards; and the whole mass is there."""
    x, y = _Law(shift, (UNIT - a * 10**5,), a * 10**5), _Law(-1, (UNIT // n, UNIT - UNIT // n - b * 10**5), b * 10**5)
    found = _convolve(x, y, True)
    truth = 1 - (1 - Fraction(x.infinite, UNIT)) * (1 - Fraction(y.infinite, UNIT))
    assert 0 <= Fraction(found.infinite, UNIT) - truth <= Fraction(10**4 + 1, UNIT)
    assert sum(found.masses) + found.infinite == UNIT
    table = LossDistribution(Fraction(1, 2), x, _Law(shift, (UNIT - a * 10**5,)))
    if a:
        assert table.delta(40).upper == Fraction(x.infinite, UNIT) and table.delta(40).lower == 0
        with pytest.raises(ValueError) as caught:
            table.epsilon(Fraction(x.infinite, 2 * UNIT))
        assert str(caught.value).startswith("delta must be more than ")
        assert str(caught.value).endswith(", the mass that these tables leave out")


def test_as_many_cells_as_fit(monkeypatch):
    monkeypatch.setattr("fdpedu.accounting.loss._MAX_CELLS", 8)
    assert len(_convolve(_Law(0, (UNIT // 4,) * 4), _Law(0, (UNIT // 4,) * 4), True).masses) == 7
    with pytest.raises(ValueError, match="more than 8 points"):
        _convolve(_Law(0, (UNIT // 4,) * 4), _Law(0, (UNIT // 5,) * 5), True)


def test_a_product_of_long_tables():
    """Numbers of more than a million digits are multiplied without loss."""
    n = 9000
    assert _product([1] * n, [UNIT] * n) == [UNIT * min(i + 1, 2 * n - 1 - i) for i in range(2 * n - 1)]


def test_a_gaussian_is_refused_just_below_its_range():
    assert LossDistribution.gaussian(1000, step="1/1000").delta(1).upper < Fraction(1, 10**20)
    with pytest.raises(ValueError, match="from 1/1000 to 30"):
        LossDistribution.gaussian("500.25", "1/2")
