"""What a private tree shows of itself: counts with intervals, where its leaves have releases of their own."""

from dataclasses import replace
from fractions import Fraction

import pytest

from fdpedu.cart import fit_cart
from fdpedu.claims.federations import AGE, federate
from fdpedu.randomness import Rehearsal
from fdpedu.trees import Design, Tree, fit_federated_tree
from fdpedu.trees.intervals import count_intervals
from fdpedu.viz import side_by_side, tree_slider

DATA = [[[30, "well"]] * 40 + [[52, "well"]] * 9, [[70, "ill"]] * 50 + [[55, "ill"]] * 8]


def grown(seed=2, **more):
    return fit_federated_tree(federate(DATA, AGE, 4, Rehearsal(seed)), max_depth=2, min_samples_split=2, **more)


TREE = grown()


def leaves_of(drawn):
    return [drawn] if "label" in drawn else [leaf for side in ("left", "right") for leaf in leaves_of(drawn[side])]


@pytest.mark.parametrize("tree", [TREE, TREE.pruned()], ids=["grown", "pruned"])
@pytest.mark.parametrize("confidence", ["1/2", Fraction(999, 1000)])
def test_each_leaf_carries_its_own_intervals(tree, confidence):
    """Leaf by leaf and class by class those of `count_intervals`; all else is as without them."""
    leaves = leaves_of(tree.to_dict(confidence=confidence))
    assert len(leaves) == len(tree.leaves()) >= 2
    expected = {(c.leaf, str(c.label)): [c.low, c.high] for c in count_intervals(tree, confidence)}
    for at, leaf in enumerate(leaves):
        assert leaf["intervals"] == [expected[at, str(label)] for label in tree.classes]
    assert [leaf | {"intervals": None} for leaf in leaves_of(tree.to_dict())] == [
        leaf | {"intervals": None} for leaf in leaves
    ]
    assert all("intervals" not in leaf for leaf in leaves_of(tree.to_dict()))
    assert tree.to_dict(tree.leaves()[0]) == leaves_of(tree.to_dict())[0]


def test_the_picture_shows_them_with_what_they_mean():
    """In brackets, of 95 % each, and the caption says so; a tree read from its file is drawn in the same way."""
    html = TREE._repr_html_()
    for leaf in leaves_of(TREE.to_dict(confidence="19/20")):
        for count, (low, high) in zip(leaf["counts"], leaf["intervals"], strict=True):
            assert f": {count} ({low}–{high})</text>" in html
    assert "each with a confidence of at least 95\u00a0%. " in html
    again = Tree.from_json(TREE.to_json())._repr_html_()
    assert again.count("–") == html.count("–") and "<figcaption" in again


def test_leaves_without_releases_are_drawn_without_intervals():
    """Trees that read histograms at their leaves, older trees, and trees of chapter 1; the same drawing as before."""
    older = replace(TREE, leaf_releases=(), n_parties=None, tolerate=None)
    reading = grown(design=Design(fresh_leaves=False))
    lacking = replace(TREE, leaf_releases=TREE.leaf_releases[:1])
    plain = fit_cart([[30], [70]], ["well", "ill"], max_depth=1)
    for tree in (older, reading, lacking, plain):
        html = tree._repr_html_()
        assert "<svg" in html and "fd-interval" not in html and "<figcaption" not in html
    for tree in (older, reading, lacking):
        with pytest.raises(ValueError, match=r"intervals|releases"):
            tree.to_dict(confidence="19/20")


@pytest.mark.parametrize("odd", [0, 1, 2, -1, "a", float("nan"), [], True, "1/0"])
def test_an_odd_confidence_is_refused(odd):
    with pytest.raises(ValueError, match="confidence"):
        TREE.to_dict(confidence=odd)


def test_intervals_are_of_the_whole_tree():
    with pytest.raises(ValueError, match="leave out node, or confidence"):
        TREE.to_dict(TREE.leaves()[0], confidence="19/20")


def test_a_tree_stands_beside_what_it_cost():
    """Both pictures, as the objects give them."""
    html = str(side_by_side(TREE, TREE.derivation.draw(), alt="A tree and what it cost"))
    assert "fd-interval" in html and "fd-derivation" in html


def test_private_trees_can_be_slid_through():
    """By what they are as plain data; the first reference is the tree of the largest budget."""
    figure = tree_slider([(1, grown(3).to_dict()), (4, TREE.to_dict())], ["well", "ill"], title="Who is ill?")
    assert figure.words(1).startswith("budget ε = 4: ") and " splits the same: age ≤ " in figure.words(1)
