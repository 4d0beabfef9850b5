"""Whom the intervals of a leaf cover, what they are made from, and what is refused."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from fdpedu.claims.trees import laws_free as grown
from fdpedu.claims.trees import laws_free_intervals as law
from fdpedu.domain import Domain
from fdpedu.exact import Rate
from fdpedu.mechanisms import count_interval
from fdpedu.trees import Design, LeafRelease, Tree, count_intervals, noise_law, share_intervals
from fdpedu.trees.noise_law import convolved, law_of_sum, negative_binomial_below, reach, shapes_of

ONE = Fraction(1)
DOMAIN = Domain.from_spec({"features": {"x": [0, 4, 4], "w": ["A", "B", "C"]}, "classes": ["a", "b", "c"]})
ROWS = [[x % 4 + 0.5, "ABC"[x % 3], "abc"[(x * x + x // 5) % 3]] for x in range(60)]
CASE = DOMAIN, [ROWS[::2], ROWS[1::2]]


@pytest.mark.claim("thm-count-interval")
@pytest.mark.parametrize(
    ("epsilons", "parties", "tolerate"),
    [((Fraction(3, 2),), 4, 3), ((ONE, Fraction(3)), 2, 1), ((Fraction(1, 3),), 2, 0), ((ONE,) * 4, 3, 2)],
)
@pytest.mark.parametrize(("confidence", "true", "at_once"), [("19/20", 0, 1), ("4/5", 9, 3)])
def test_intervals_cover_by_the_whole_law(epsilons, parties, tolerate, confidence, true, at_once):
    law.covering(epsilons, parties, tolerate, Fraction(confidence), true, at_once)


@pytest.mark.claim("thm-count-interval")
@pytest.mark.parametrize("design", ["default", "algorithm-5-as-printed"])
def test_releases_are_kept(design):
    for seed in range(3):
        law.kept(CASE, Fraction(2), 3, 1, seed, design)


@pytest.mark.claim("thm-count-interval")
def test_shares_lie_between_their_ends():
    for counts in ((0, 0, 0), (30, 20, -10), (7, -4, 12)):
        for true in ((0, 0, 0), (28, 22, 0), (6, 0, 13), (0, 3, 0)):
            law.shares(counts, true)


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


@pytest.mark.parametrize(("a", "b"), [([1], [1]), ([3, 0, 2], [5]), ([2**70, 1], [1, 2**65, 7]), ([0, 0], [1, 1])])
def test_convolutions_are_exact(a, b):
    expected = [0] * (len(a) + len(b) - 1)
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            expected[i + j] += x * y
    assert convolved(a, b) == expected


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


def tree(counts=(5, 0, -2), **changes):
    return replace(law._with(law._merged((ONE,), 3, 1), counts[1]), **changes)


def test_intervals_say_what_they_are():
    one, two, three = count_intervals(tree(), "9/10")
    assert [i.label for i in (one, two, three)] == ["a", "b", "c"] and {i.leaf for i in (one, two, three)} == {0}
    t = one.half_width
    assert (one.low, one.high, one.released) == (5 - t, 5 + t, 5) and (two.low, two.high) == (0, t)
    assert (three.low, three.high, three.released) == (0, t - 2, -2) and one.confidence == Fraction(9, 10)
    assert str(one) == f"leaf 0 holds {5 - t} to {5 + t} training rows of class a, with a confidence of at least 90 %"
    joined = count_intervals(tree(), "9/10", simultaneous=3)[0]
    assert joined.half_width == reach(shapes_of([Rate.of(epsilon=1)], Fraction(3, 2)), Fraction(1, 30))[0] > t


def test_a_count_far_below_zero_leaves_the_interval_at_zero():
    (_, low, _) = count_intervals(tree((5, -100, -2)))
    assert (low.low, low.high, low.released) == (0, 0, -100)


def test_shares_of_an_empty_leaf_are_unknown():
    empty = LeafRelease(law.EIGHT.everything, (0, 0, 0), Fraction(10**6))
    shares = share_intervals(tree(leaf_releases=(empty,)))
    assert [(s.low, s.high, s.leaf, s.label) for s in shares] == [(0, 1, 0, label) for label in "abc"]
    full = replace(empty, counts=(3, 1, 0))
    shares = share_intervals(tree(leaf_releases=(full,)), "3/4")
    assert [s.low for s in shares] == [s.high for s in shares] == [Fraction(3, 4), Fraction(1, 4), 0]
    assert {s.confidence for s in shares} == {Fraction(3, 4)}


@pytest.mark.parametrize(
    ("confidence", "message"),
    [(0, "strictly between 0 and 1, got 0"), (1, "got 1"), ("2", "got 2"), ("x", "confidence must be a finite number")],
)
def test_confidences_that_are_none_are_refused(confidence, message):
    with pytest.raises(ValueError, match=message):
        count_intervals(tree(), confidence)


def test_what_has_no_intervals_says_why():
    old = Tree.load(Path(__file__).parent / "data" / "tree-1.json")
    reused, _, _ = grown.grown(CASE, 3, 1, Design(fresh_leaves=False), max_depth=2)
    for without, why in (
        (old, "older file has no intervals"),
        (tree(n_parties=None), "older file"),
        (tree(tolerate=None), "older file"),
        (tree(leaf_releases=()), "older file"),
        (reused, "leaves that read the histograms above them have no intervals"),
    ):
        for asked in (count_intervals, share_intervals):
            with pytest.raises(ValueError, match=why):
                asked(without)
    with pytest.raises(ValueError, match="tree must be a Tree, got int"):
        count_intervals(3)
    with pytest.raises(ValueError, match="tree must be a Tree, got str"):
        share_intervals("tree")
    with pytest.raises(ValueError, match="simultaneous must be an integer ≥ 1, got 0"):
        count_intervals(tree(), simultaneous=0)


def test_leaves_have_their_own_releases_in_their_order():
    found, _, _ = grown.grown(CASE, 3, 4, Design(), max_depth=2, min_samples_split=2)
    regions = [region for _, region, _ in grown.leaves_of(found.root, DOMAIN)]
    at = {release.region: release for release in found.leaf_releases}
    expected = [count for region in regions for count in at[region].counts]
    assert [i.released for i in count_intervals(found)] == expected and len(regions) > 2


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"region": 3}, "region must be a Region, got int"),
        ({"counts": 5}, "counts must be a list"),
        ({"counts": (1.5, 0, 0)}, "counts must be an integer"),
        ({"counts": (2**63, 0, 0)}, "counts must be at most"),
        ({"counts": (-(2**63), 0, 0)}, "counts must be an integer"),
        ({"epsilon": 0}, "epsilon must be greater than 0"),
        ({"epsilon": None}, "epsilon must be a finite number"),
    ],
)
def test_a_leaf_release_is_refused_when_it_is_made(wrong, message):
    with pytest.raises(ValueError, match=message):
        LeafRelease(**{"region": law.EIGHT.everything, "counts": (1, 2, 3), "epsilon": 1, **wrong})
