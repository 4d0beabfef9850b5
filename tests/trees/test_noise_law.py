"""Both ends of what is said about the noise of a leaf, against values from elsewhere."""

import math
from fractions import Fraction

import pytest

from fdpedu.claims.trees import intervals as topic
from fdpedu.exact import Enclosure, Rate
from fdpedu.mechanisms import count_interval
from fdpedu.trees import count_intervals, noise_law
from fdpedu.trees.noise_law import convolved, law_of_sum, negative_binomial_below, reach, shapes_of

ONE = Fraction(1)


@pytest.mark.parametrize("epsilon", ["1/50", "1/3", 1, 5])
@pytest.mark.parametrize("miss", ["1/5", "1/20", "1/1000000"])
def test_where_nobody_is_tolerated_it_is_the_interval_of_a_discrete_laplace_number(epsilon, miss):
    t, within = reach(shapes_of([Rate.of(epsilon=epsilon)], ONE), Fraction(miss))
    known = count_interval(0, epsilon, confidence=1 - Fraction(miss))
    assert t == known.half_width and within.upper - within.lower < Fraction(1, 10**9)
    assert within.lower <= known.coverage.upper and known.coverage.lower <= within.upper


def test_equal_rates_add_their_shapes_and_others_are_convolved():
    one, two = Rate.of(epsilon=1), Rate.of(epsilon=2)
    assert shapes_of([one, two, one], Fraction(5, 4)) == ((one, Fraction(5, 2)), (two, Fraction(5, 4)))
    together, apart = law_of_sum(((one, Fraction(2)),), 40), law_of_sum(((one, ONE), (one, ONE)), 40)
    middle = [len(together) // 2, len(apart) // 2]
    for k in range(20):
        assert abs(together[middle[0] + k] - apart[middle[1] + k]) <= 200


# --- lower bounds of masses -------------------------------------------------------------------------------------------


def test_lower_bounds_are_symmetric_lower_bounds_that_lack_little():
    """Of NB(2, 1/2) − NB(2, 1/2), whose masses are fractions."""
    masses = negative_binomial_below(Rate.of(alpha="1/2"), Fraction(2), 40)
    exact = [Fraction(k + 1, 2 ** (k + 2)) for k in range(40)]
    start = next(k for k in range(3) if abs(masses[0] - exact[k] * 2**40) <= 2)
    assert start == 0 and all(0 <= p * 2**40 - m <= 2 for p, m in zip(exact, masses, strict=False))
    law_ = law_of_sum(((Rate.of(alpha="1/2"), Fraction(2)),), 40)
    assert law_ == law_[::-1] and 0 <= 2**40 - sum(law_) < 10 * len(law_)


def test_a_law_far_from_zero_begins_where_its_mass_does():
    """NB(400, e^{−1}) has its mode at 232: what lies far below is left out, and nothing that counts."""
    masses = negative_binomial_below(Rate.of(epsilon=1), Fraction(400), 60)
    assert len(masses) < 450 and 0 <= 2**60 - sum(masses) < len(masses) + 9
    assert masses.index(max(masses)) > 100


class Between:
    """A rate of which only two ends of α are known."""

    def __init__(self, low, high):
        self.alpha = Enclosure(Fraction(low), Fraction(high))

    def power(self, exponent, digits):
        return self.alpha if exponent == 1 else None

    def __float__(self):
        return -math.log(self.alpha.lower + self.alpha.upper) + math.log(2)


@pytest.mark.parametrize("shape", [1, 2, 9])
@pytest.mark.parametrize("ends", [("49/100", "51/100"), ("1/5", "1/4"), ("79/100", "4/5")])
def test_lower_bounds_hold_for_every_rate_between_the_ends(shape, ends):
    """Of NB(shape, α) with masses C(k+shape−1, k)·α^k·(1−α)^shape, at both ends of α and between."""
    low, high = map(Fraction, ends)
    masses = negative_binomial_below(Between(low, high), Fraction(shape), 40)
    assert len(masses) > 20
    for alpha in (low, (low + high) / 2, high):
        for k, mass in enumerate(masses):
            assert mass <= math.comb(k + shape - 1, k) * alpha**k * (1 - alpha) ** shape * 2**40


class Around:
    """A rate of which only two ends of α are known, and a float that is of another α."""

    def __init__(self, low, high, near):
        self.alpha, self.near = Enclosure(low, high), near

    def power(self, exponent, digits):
        return self.alpha if exponent == 1 else None

    def __float__(self):
        return -math.log(self.near)


@pytest.mark.parametrize("near", [0.2, 0.45, 0.6])
@pytest.mark.parametrize("shape", [3, 9])
def test_a_list_may_begin_beside_the_mode(near, shape):
    """The float only says where the weights begin to be written down, upwards and downwards."""
    low, high = Fraction(2, 5), Fraction(1, 2)
    masses = negative_binomial_below(Around(low, high, near), Fraction(shape), 40)
    for alpha in (low, high):
        for k, mass in enumerate(masses):
            assert mass <= math.comb(k + shape - 1, k) * alpha**k * (1 - alpha) ** shape * 2**40
    exact = negative_binomial_below(Around(low, low, near), Fraction(shape), 40)
    assert 0 <= 2**40 - sum(exact) < len(exact) + 9


@pytest.mark.parametrize(("low", "high"), [((1, 2), (1, 2)), ((1, 3), (2, 5)), ((2, 3), (7, 10)), ((6, 7), (6, 7))])
@pytest.mark.parametrize("most", [None, 0, 1, 7])
def test_weights_on_one_side_are_below_and_their_sum_is_above(low, high, most):
    """Of two geometric laws: the weights below those of the slower rate, all together above those of the faster."""
    scale = 60
    lows, whole = noise_law._side(lambda i, up: high if up else low, scale, most)
    for k, weight in enumerate(lows, 1):
        assert 0 <= Fraction(*low) ** k * 2**scale - weight <= 7
    assert most is None or len(lows) == most
    faster = Fraction(*high)
    exact = 2**scale * sum(faster**k for k in range(1, 9 * scale if most is None else most + 1))
    assert 0 <= whole - exact <= (2500 if most is None else 9)
    if (high, most) == ((1, 2), None):
        assert (len(lows), lows[-1], whole) == (scale - 16, 1 << 16, 1 << scale)  # a unit is 2^-16 of what counts


def test_a_side_asks_for_each_ratio_in_turn():
    asked = []

    def ratio(i, up):
        asked.append((i, up))
        return 1, i + 2

    lows, whole = noise_law._side(ratio, 40, 3)
    assert lows == [2**40 // 2, 2**40 // 6, 2**40 // 24] and 0 <= whole - Fraction(2**40 * 17, 24) < 3
    assert asked == [(i, up) for i in range(3) for up in (True, False)]


@pytest.mark.parametrize(("epsilon", "shape"), [("1", 1), ("1/4", 2), ("1", 400), ("1/20", 90), ("1/2", 3000)])
def test_the_length_of_a_law_is_known_before_it_is_written_out(epsilon, shape):
    """To a factor: whether it is too long is decided so."""
    rate = Rate.of(epsilon=epsilon)
    expected = noise_law._terms(rate, Fraction(shape), 45)
    written = len(negative_binomial_below(rate, Fraction(shape), 45))
    assert expected / 2 <= written <= 2.5 * expected


def test_a_law_is_as_heavy_on_either_side():
    law_ = law_of_sum(shapes_of([Rate.of(epsilon=1), Rate.of(epsilon=2)], Fraction(4, 3)), 50)
    assert law_ == law_[::-1] and len(law_) % 2 == 1


@pytest.mark.parametrize(("a", "b"), [([1], [1]), ([3, 0, 2], [5]), ([2**70, 1], [1, 2**65, 7]), ([0, 0], [1, 1])])
def test_convolutions_are_exact(a, b):
    expected = [0] * (len(a) + len(b) - 1)
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            expected[i + j] += x * y
    assert convolved(a, b) == expected


# --- the reach --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("n", "epsilon", "miss"), [(1, "1", 60), (3, "1/2", 60), (40, "1/5", 18), (2, "7", 45)])
def test_very_small_probabilities_are_enclosed_as_narrowly(n, epsilon, miss):
    t, within = reach(shapes_of([Rate.of(epsilon=epsilon)] * n, Fraction(1)), Fraction(1, 10**miss))
    assert 1 - Fraction(1, 10**miss) <= within.lower <= within.upper < 1
    assert within.upper - within.lower < Fraction(1, 10 ** (miss + 5)) and t > 0


def test_a_probability_that_no_float_holds_may_be_missed():
    """One discrete Laplace number: Pr[|Z| > t] = 2α^{t+1}/(1+α), and at α = 1/2 the least t can be said."""
    t, within = reach(shapes_of([Rate.of(alpha="1/2")], ONE), Fraction(1, 2**1200))
    assert t == 1200 and within.lower <= 1 - Fraction(4, 3 * 2 ** (t + 1)) <= within.upper
    assert count_intervals(topic._merged((ONE,), 3, 1), 1 - Fraction(1, 10**400))[0].half_width > 900


def test_the_reach_is_the_least():
    """What lies within ±t may be the confidence itself; of anything more, t is too short."""
    for epsilons in (["1"], ["1/3", "2"], ["4"] * 5):
        shapes = shapes_of([Rate.of(epsilon=e) for e in epsilons], Fraction(5, 4))
        t, within = reach(shapes, Fraction(1, 20))
        same, again = reach(shapes, 1 - within.lower)
        assert (same, again.lower >= within.lower) == (t, True)
        assert reach(shapes, 1 - within.upper - Fraction(1, 2**30))[0] == t + 1


def test_a_law_that_is_just_short_enough_is_written_out(monkeypatch):
    shapes = shapes_of([Rate.of(epsilon=1)], Fraction(2))
    exact = reach(shapes, Fraction(1, 20))
    terms = noise_law._terms(*shapes[0], 45)  # 40 bits to spare, and 5 for one in twenty
    for longest, same in ((terms, True), (terms - 1e-6, False)):
        monkeypatch.setattr(noise_law, "_MAX_TERMS", longest)
        assert (reach(shapes, Fraction(1, 20)) == exact) is same


def test_at_small_rates_the_reach_is_longer_never_shorter(monkeypatch):
    for epsilons, shares in (([1], 1), (["1/2", 2], Fraction(5, 4)), (["1/9"] * 3, 2)):
        shapes = shapes_of([Rate.of(epsilon=e) for e in epsilons], Fraction(shares))
        exact, _ = reach(shapes, Fraction(1, 20))
        with monkeypatch.context() as patch:
            patch.setattr(noise_law, "_MAX_TERMS", 0)
            longer, within = reach(shapes, Fraction(1, 20))
        assert exact <= longer <= 2.5 * exact + 3
        assert (within.lower, within.upper) == (Fraction(19, 20), 1)
    tiny, _ = reach(shapes_of([Rate.of(epsilon="1/1000000000")], Fraction(5, 4)), Fraction(1, 20))
    assert 3.3 * 10**9 < tiny < 7 * 10**9


def test_less_is_missed_by_longer_intervals():
    shapes = shapes_of([Rate.of(epsilon="1/2")], Fraction(4, 3))
    reaches = [reach(shapes, Fraction(1, 10**k))[0] for k in (1, 2, 5, 20)]
    assert reaches == sorted(set(reaches))
    assert reach(shapes_of([Rate.of(epsilon=10**6)], Fraction(2)), Fraction(1, 10))[0] == 0


def by_floats(rates, shape, miss):
    """The least of Chernoff's bounds at the exponents least rate·i/32, rounded up."""

    def log_moment(r, tilt):
        return 2 * math.log(-math.expm1(-r)) - math.log(-math.expm1(tilt - r)) - math.log(-math.expm1(-tilt - r))

    tilts = [min(rates) * i / 32 for i in range(1, 32)]
    return min((math.log(2 / miss) + sum(shape * log_moment(r, tilt) for r in rates)) / tilt for tilt in tilts)


@pytest.mark.parametrize("rates", [["1"], ["3", "5/2"], ["1/7", "2"], ["1/1000", "1/999"]])
@pytest.mark.parametrize(("shape", "miss"), [("1", "1/20"), ("4000", "99/100"), ("5/4", "1/100000")])
def test_chernoff_s_bound_is_that_of_its_formula(monkeypatch, rates, shape, miss):
    monkeypatch.setattr(noise_law, "_MAX_TERMS", 0)
    expected = by_floats([float(Fraction(r)) for r in rates], float(Fraction(shape)), float(Fraction(miss)))
    t, _ = reach(shapes_of([Rate.of(epsilon=r) for r in rates], Fraction(shape)), Fraction(miss))
    assert t == math.ceil(expected - 1e-9 * expected)


def test_there_is_a_reach_at_the_smallest_rates():
    """In units of 1/ε it is the same, however small ε."""
    rates = [Rate.of(epsilon=Fraction(1, 10**k)) for k in (12, 45, 130)]
    reaches = [reach(shapes_of([rate], Fraction(5, 4)), Fraction(1, 20))[0] for rate in rates]
    assert len({round(t * rate.rate, 6) for t, rate in zip(reaches, rates, strict=True)}) == 1


def test_the_reach_at_small_rates_is_chernoffs_bound_for_both_ends():
    """Of one release: min over λ of (ln(2/miss) − ln(1 − (λ/rate)²))/λ; a release of a large rate changes nothing."""
    rate, miss = Fraction(1, 10**8), Fraction(1, 20)
    shares = [i / 32 for i in range(1, 32)]
    bound = min((math.log(2 / miss) - math.log(1 - share**2)) / share for share in shares)
    shapes = noise_law.shapes_of([Rate(rate=rate)], Fraction(1))
    large = noise_law.shapes_of([Rate(rate=Fraction(99))], Fraction(1))
    for each in (shapes, (*shapes, *large), (*large, *shapes)):
        assert float(noise_law.reach(each, miss)[0] * rate) == pytest.approx(bound, abs=1e-6)
