"""Both ends of what is said about the noise of a leaf, against values from elsewhere; and what a release keeps."""

import math
from dataclasses import replace
from fractions import Fraction

import pytest

from fdpedu.cart import CodeSplit, Node
from fdpedu.claims.trees import laws_free_intervals as law
from fdpedu.domain import Domain
from fdpedu.exact import Enclosure, Rate
from fdpedu.trees import LeafRelease, count_intervals, noise_law
from fdpedu.trees.noise_law import law_of_sum, negative_binomial_below, reach, shapes_of

ONE = Fraction(1)
DOMAIN = Domain.from_spec({"features": {"x": [0, 4, 4]}, "classes": ["a", "b", "c"]})


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


@pytest.mark.parametrize(("n", "epsilon", "miss"), [(1, "1", 60), (3, "1/2", 60), (40, "1/5", 18), (2, "7", 45)])
def test_very_small_probabilities_are_enclosed_as_narrowly(n, epsilon, miss):
    t, within = reach(shapes_of([Rate.of(epsilon=epsilon)] * n, Fraction(1)), Fraction(1, 10**miss))
    assert 1 - Fraction(1, 10**miss) <= within.lower <= within.upper < 1
    assert within.upper - within.lower < Fraction(1, 10 ** (miss + 5)) and t > 0


def test_a_probability_that_no_float_holds_may_be_missed():
    """One discrete Laplace number: Pr[|Z| > t] = 2α^{t+1}/(1+α), and at α = 1/2 the least t can be said."""
    t, within = reach(shapes_of([Rate.of(alpha="1/2")], ONE), Fraction(1, 2**1200))
    assert t == 1200 and within.lower <= 1 - Fraction(4, 3 * 2 ** (t + 1)) <= within.upper
    assert count_intervals(leaf(), 1 - Fraction(1, 10**400))[0].half_width > 900


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


@pytest.mark.parametrize(("epsilon", "shape"), [("1", 1), ("1/4", 2), ("1", 400), ("1/20", 90), ("1/2", 3000)])
def test_the_length_of_a_law_is_known_before_it_is_written_out(epsilon, shape):
    """To a factor: whether it is too long is decided so."""
    rate = Rate.of(epsilon=epsilon)
    expected = noise_law._terms(rate, Fraction(shape), 45)
    written = len(negative_binomial_below(rate, Fraction(shape), 45))
    assert expected / 2 <= written <= 2.5 * expected


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


def test_a_law_is_as_heavy_on_either_side():
    law_ = law_of_sum(shapes_of([Rate.of(epsilon=1), Rate.of(epsilon=2)], Fraction(4, 3)), 50)
    assert law_ == law_[::-1] and len(law_) % 2 == 1


def leaf(counts=(5, 0, -2), **changes):
    return replace(law._with(law._merged((ONE,), 3, 1), counts[1]), **changes)


def test_unless_told_an_interval_holds_alone():
    assert count_intervals(leaf()) == count_intervals(leaf(), simultaneous=1) == count_intervals(leaf(), "19/20")


WHOLE = law.EIGHT.everything
HALVES = [WHOLE.restrict(0, {0}), WHOLE.restrict(0, WHOLE.codes(0) - {0})]


@pytest.mark.parametrize("lengths", [(2,), (4,), (3, 4), (4, 3), (2, 3), (4, 4)])
def test_releases_that_do_not_fit_the_classes_are_refused(lengths):
    """A tree that was put together by hand may hold such; of a merged leaf, each is looked at."""
    regions = HALVES if len(lengths) > 1 else [WHOLE]
    releases = tuple(LeafRelease(at, (1,) * n, ONE) for at, n in zip(regions, lengths, strict=True))
    with pytest.raises(ValueError, match="a release with a count for each class"):
        count_intervals(leaf(leaf_releases=releases))


def test_a_leaf_without_a_release_is_refused():
    (release,) = leaf().leaf_releases
    other = replace(leaf(), leaf_releases=(replace(release, region=HALVES[0]),))
    split = replace(other, root=Node((9, 0, 0), CodeSplit(0, frozenset({0})), Node((5, 0, 0)), Node((4, 0, 0))))
    with pytest.raises(ValueError, match="each of its leaves has a release"):
        count_intervals(split)


@pytest.mark.parametrize("n", [2**63 - 1, -(2**63) + 1, 0])
def test_a_release_keeps_counts_as_integers(n):
    """The largest too; and as they can be hashed and compared, whatever they came in."""
    release = LeafRelease(DOMAIN.everything, [n, 1, 2], "1/2")
    assert release.counts == (n, 1, 2) and release.epsilon == Fraction(1, 2)
    assert {release} == {LeafRelease(DOMAIN.everything, (n, 1, 2), Fraction(1, 2))}
    assert LeafRelease.from_json(release.to_json(DOMAIN), DOMAIN) == release


@pytest.mark.parametrize(
    "change",
    [
        {"counts": [1, 2]},
        {"counts": [1, 2, 3, 4]},
        {"label": "a"},
        {"label": "a", "counts": [1, 2]},
        {"region": None, "counts": None},
    ],
)
def test_a_release_in_a_file_has_its_keys_and_a_count_for_each_class(change):
    written = {**LeafRelease(DOMAIN.everything, (1, 2, 3), ONE).to_json(DOMAIN), **change}
    found = {key: value for key, value in written.items() if value is not None}
    with pytest.raises(ValueError, match="needs exactly a region, an epsilon and a count for each class"):
        LeafRelease.from_json(found, DOMAIN)
