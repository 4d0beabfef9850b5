"""What a private tree shows of itself: counts with intervals, as far as a drawing can hold them; and it pruned."""

import dataclasses
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from fdpedu import cart
from fdpedu.cart import CodeSplit, Node, fit_cart
from fdpedu.claims.federations import AGE, federate, grow
from fdpedu.domain import Domain, Numeric
from fdpedu.randomness import Rehearsal, ZeroWords
from fdpedu.trees import Design, LeafRelease, Tree, count_intervals, fit_federated_tree
from fdpedu.trees.regions import leaves_of
from fdpedu.viz import side_by_side, tree_slider
from tests.support.private_trees import ROWS, grown, never, of_three


def test_a_private_tree_is_a_tree_with_its_accounting():
    """It is equal to one with the same nodes and another derivation; an ordinary tree has no accounting at all."""
    domain = Domain([Numeric.grid("x", 0, 4, bins=4)], ("a", "b"))
    (one, _), (other, federation) = (
        grow((domain, [[[1, "a"]] * 50, [[3, "b"]] * 50]), budget, ZeroWords(), max_depth=1) for budget in (1, 2)
    )
    assert one == other and one.derivation.content != other.derivation.content
    assert isinstance(one, Tree) and isinstance(one, cart.Tree) and one.rounds == federation.rounds == 2
    assert {field.name for field in dataclasses.fields(Tree)} - {
        field.name for field in dataclasses.fields(cart.Tree)
    } == {
        "derivation",
        "paid_in",
        "design",
        "leaf_releases",
        "n_parties",
        "tolerate",
        "unfinished",
    }


DATA = [[[30, "well"]] * 40 + [[52, "well"]] * 9, [[70, "ill"]] * 50 + [[55, "ill"]] * 8]


def of_groups(seed=2, **more):
    return fit_federated_tree(federate(DATA, AGE, 4, Rehearsal(seed)), max_depth=2, min_samples_split=2, **more)


TREE = of_groups()


def leaves_in(drawn):
    return [drawn] if "label" in drawn else [leaf for side in ("left", "right") for leaf in leaves_in(drawn[side])]


@pytest.mark.parametrize("tree", [TREE, TREE.pruned()], ids=["grown", "pruned"])
@pytest.mark.parametrize("confidence", ["1/2", Fraction(999, 1000)])
def test_each_leaf_carries_its_own_intervals(tree, confidence):
    """Leaf by leaf and class by class those of `count_intervals`; all else is as without them."""
    leaves = leaves_in(tree.to_dict(confidence=confidence))
    assert len(leaves) == len(tree.leaves()) >= 2
    expected = {(c.leaf, str(c.label)): [c.low, c.high] for c in count_intervals(tree, confidence)}
    for at, leaf in enumerate(leaves):
        assert leaf["intervals"] == [expected[at, str(label)] for label in tree.classes]
    assert [leaf | {"intervals": None} for leaf in leaves_in(tree.to_dict())] == [
        leaf | {"intervals": None} for leaf in leaves
    ]
    assert all("intervals" not in leaf for leaf in leaves_in(tree.to_dict()))
    assert tree.to_dict(tree.leaves()[0]) == leaves_in(tree.to_dict())[0]


def test_the_picture_shows_them_with_what_they_mean():
    """In brackets, of 95 % each, and the caption says so; a tree read from its file is drawn in the same way."""
    html = TREE._repr_html_()
    for leaf in leaves_in(TREE.to_dict(confidence="19/20")):
        for count, (low, high) in zip(leaf["counts"], leaf["intervals"], strict=True):
            assert f": {count} ({low}–{high})</text>" in html
    assert "each with a confidence of at least 95\u00a0%. " in html
    again = Tree.from_json(TREE.to_json())._repr_html_()
    assert again.count("–") == html.count("–") and "<figcaption" in again


def test_leaves_without_releases_are_drawn_without_intervals():
    """Trees that read histograms at their leaves, older trees, and trees of chapter 1; the same drawing as before."""
    older = replace(TREE, leaf_releases=(), n_parties=None, tolerate=None)
    reading = of_groups(design=Design(fresh_leaves=False))
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
    with pytest.raises(ValueError, match="confidence"):
        TREE.to_dict(TREE.leaves()[0], confidence="19/20")


def test_a_tree_stands_beside_what_it_cost():
    """Both pictures, as the objects give them."""
    html = str(side_by_side(TREE, TREE.derivation.draw(), alt="A tree and what it cost"))
    assert "fd-interval" in html and "fd-derivation" in html


def test_private_trees_can_be_slid_through():
    """By what they are as plain data; the first reference is the tree of the largest budget."""
    figure = tree_slider([(1, of_groups(3).to_dict()), (4, TREE.to_dict())], ["well", "ill"], title="Who is ill?")
    assert figure.words(1).startswith("budget ε = 4: ") and " splits the same: age ≤ " in figure.words(1)


# --- as far as a drawing can hold it ----------------------------------------------------------------------------------


STRIPES = Domain.from_spec({"features": {"x": [0, 12, 12]}, "classes": ["well", "ill"]})


def test_a_drawing_has_a_title():
    assert ">Decision tree</title>" in TREE._repr_html_() and "fd-interval" in TREE._repr_html_()


def with_releases(root, domain):
    """A tree of this form whose leaves all have releases."""
    regions = [region for _, region, _ in leaves_of(root, domain)]
    releases = tuple(LeafRelease(region, (3,) * domain.n_classes, 1) for region in regions)
    names = tuple(feature.name for feature in domain.features)
    return replace(TREE, root=root, domain=domain, classes=domain.classes, feature_names=names, leaf_releases=releases)


def chain(depth):
    node = Node((3, 3))
    for code in reversed(range(depth)):
        node = Node((3, 3), CodeSplit(0, frozenset(range(code + 1))), Node((3, 3)), node)
    return with_releases(node, STRIPES)


def wide(n):
    spec = {"features": {"x": [0, 4, 4]}, "classes": [f"c{k}" for k in range(n)]}
    return with_releases(Node((1,) * n), Domain.from_spec(spec))


@pytest.mark.parametrize(("tree", "drawn"), [(chain(8), True), (chain(9), False), (wide(6), True), (wide(7), False)])
def test_what_is_too_large_for_a_drawing_is_shown_as_text(tree, drawn):
    """Eight levels and six classes, with intervals and without; either one more, and it is text."""
    assert count_intervals(tree)
    assert ("fd-interval" in tree._repr_html_()) is drawn
    for each in (tree, replace(tree, leaf_releases=())):
        shown = each._repr_html_()
        assert ("<svg" in shown) is drawn and ("<pre" in shown) is not drawn


# --- pruned -----------------------------------------------------------------------------------------------------------


def test_a_pruned_tree_predicts_the_same_and_says_that_it_is_pruned():
    tree, _ = grown(Design(), max_depth=3)
    X = [row[:-1] for row in ROWS]
    smaller = tree.pruned()
    assert len(smaller.leaves()) < len(tree.leaves()) and smaller.predict(X).tolist() == tree.predict(X).tolist()
    assert smaller.design == replace(tree.design, prune=True) and not tree.design.prune
    assert (smaller.derivation, smaller.rounds) == (tree.derivation, tree.rounds)
    assert (smaller.n_parties, smaller.tolerate) == (2, 1) and smaller.pruned() == smaller


def test_a_tree_of_an_older_file_is_not_pruned():
    old = Tree.load(Path(__file__).parent / "data" / "tree-2.json")
    assert (old.design, old.leaf_releases, old.n_parties, old.tolerate) == (None, (), None, None)
    with pytest.raises(ValueError, match="pruned"):
        old.pruned()


def test_a_drawing_of_a_pruned_tree_has_intervals_that_hold_at_once(monkeypatch):
    """Which leaves it shows was chosen by the noise in them: at 95 % each, 7 % of the shown ones missed (measured)."""
    tree, _ = of_three(design=Design(stop=never), budget=50)
    drawn, plain = [], Tree.to_dict

    def asked(self, *node, **how):
        drawn.extend(how.values())
        return plain(self, *node, **how)

    monkeypatch.setattr(Tree, "to_dict", asked)
    each, together = tree._repr_html_(), tree.pruned()._repr_html_()
    nodes = 2 * len(tree.leaf_releases) - 1
    assert drawn == [Fraction(19, 20), 1 - Fraction(1, 20 * 3 * nodes)] and nodes > 4
    assert "lies, each with a confidence" in each and "lies, all of them at once with a confidence" in together
    assert "with a confidence" not in replace(tree.pruned(), leaf_releases=())._repr_html_()
