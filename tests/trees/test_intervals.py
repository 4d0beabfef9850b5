"""Whom the intervals of a leaf cover, what they are made from, and what is refused."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from fdpedu.cart import CodeSplit, Node
from fdpedu.claims.trees import intervals as topic
from fdpedu.claims.trees import pruning as free
from fdpedu.exact import Rate
from fdpedu.trees import Design, LeafRelease, Tree, count_intervals, share_intervals
from fdpedu.trees.noise_law import reach, shapes_of
from tests.support.private_trees import CASE, DOMAIN

ONE = Fraction(1)


def tree(counts=(5, 0, -2), **changes):
    return replace(topic._with(topic._merged((ONE,), 3, 1), counts[1]), **changes)


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
    empty = LeafRelease(topic.EIGHT.everything, (0, 0, 0), Fraction(10**6))
    shares = share_intervals(tree(leaf_releases=(empty,)))
    assert [(s.low, s.high, s.leaf, s.label) for s in shares] == [(0, 1, 0, label) for label in "abc"]
    full = replace(empty, counts=(3, 1, 0))
    shares = share_intervals(tree(leaf_releases=(full,)), "3/4")
    assert [s.low for s in shares] == [s.high for s in shares] == [Fraction(3, 4), Fraction(1, 4), 0]
    assert {s.confidence for s in shares} == {Fraction(3, 4)}


def test_what_has_no_intervals_says_why():
    old = Tree.load(Path(__file__).parent / "data" / "tree-2.json")
    reused, _, _ = free.grown(CASE, 3, 1, Design(fresh_leaves=False), max_depth=2)
    for without, why in (
        (old, "older file"),
        (tree(n_parties=None), "older file"),
        (tree(tolerate=None), "older file"),
        (tree(leaf_releases=()), "older file"),
        (reused, "intervals"),
    ):
        for asked in (count_intervals, share_intervals):
            with pytest.raises(ValueError, match=why):
                asked(without)


def test_leaves_have_their_own_releases_in_their_order():
    found, _, _ = free.grown(CASE, 3, 4, Design(), max_depth=2, min_samples_split=2)
    regions = [region for _, region, _ in free.leaves_of(found.root, DOMAIN)]
    at = {release.region: release for release in found.leaf_releases}
    expected = [count for region in regions for count in at[region].counts]
    assert [i.released for i in count_intervals(found)] == expected and len(regions) > 2


def test_by_default_an_interval_holds_alone():
    assert count_intervals(tree()) == count_intervals(tree(), simultaneous=1) == count_intervals(tree(), "19/20")


WHOLE = topic.EIGHT.everything
SIDES = [WHOLE.restrict(0, {0}), WHOLE.restrict(0, WHOLE.codes(0) - {0})]


@pytest.mark.parametrize("lengths", [(2,), (4,), (3, 4), (4, 3), (2, 3), (4, 4)])
def test_releases_that_do_not_fit_the_classes_are_refused(lengths):
    """A tree that was put together by hand may hold such; of a merged leaf, each is looked at."""
    regions = SIDES if len(lengths) > 1 else [WHOLE]
    releases = tuple(LeafRelease(at, (1,) * n, ONE) for at, n in zip(regions, lengths, strict=True))
    with pytest.raises(ValueError, match="release"):
        count_intervals(tree(leaf_releases=releases))


def test_a_leaf_without_a_release_is_refused():
    (release,) = tree().leaf_releases
    other = replace(tree(), leaf_releases=(replace(release, region=SIDES[0]),))
    split = replace(other, root=Node((9, 0, 0), CodeSplit(0, frozenset({0})), Node((5, 0, 0)), Node((4, 0, 0))))
    with pytest.raises(ValueError, match="release"):
        count_intervals(split)
