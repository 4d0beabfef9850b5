"""What a tree refuses, word by word; what it shows of itself; and classes that keep their type."""

import re

import numpy as np
import pytest

from fdpedu.cart import fit_cart
from fdpedu.domain import Domain, Numeric
from fdpedu.viz import draw_tree
from fdpedu.viz.tree_nodes import MAX_CLASSES, MAX_DEPTH

AGE = Domain([Numeric.grid("age", 0, 40, bins=4)], ("well", "ill"))
NAMED = fit_cart({"a": [1, 2]}, ["x", "y"])
TOLD = [
    (lambda: NAMED.predict([[1, 2]]), "X row 0: expected 1 feature values"),
    (lambda: NAMED.predict({"b": [1]}), "X: the table has no column 'a'"),
    (lambda: NAMED.to_sklearn_text(decimals=-1), "decimals must be an integer ≥ 0, got -1"),
    (
        lambda: fit_cart([[1], [39]], ["well", "ill"], grid=AGE).predict([["x"]]),
        "X row 0, column 'age': expected a number",
    ),
    (lambda: fit_cart({"a": [1, 2]}, [0, 1], feature_names=["b"]), "X: the table has no column 'b'"),
    (lambda: fit_cart({"a": [1, 2]}, [0, 1], feature_names=[None, "a"]), "feature_names must name the 1 columns"),
]


@pytest.mark.parametrize(("call", "told"), TOLD, ids=range(len(TOLD)))
def test_what_is_refused_is_told_in_these_words(call, told):
    with pytest.raises(ValueError) as refusal:
        call()
    assert str(refusal.value) == told


def test_a_tree_says_how_large_it_is():
    assert repr(NAMED) == "Tree(depth 1, 2 leaves, 2 classes)"


def staircase(depth):
    """A tree that is as deep: each split leaves one class alone."""
    X = np.arange(depth + 1.0)[:, None]
    return fit_cart(X, np.arange(depth + 1) % 2, max_depth=depth)


def drawn(page):
    """A drawing without the numbers that tell it from others of the same content on a page."""
    return re.sub(r"(fd-[0-9a-f]{6,})-\d+(?=-)", r"\1", page)


def of_classes(count):
    return fit_cart([[k] for k in range(count)], [f"<{k}>" for k in range(count)], max_depth=2)


def test_a_notebook_shows_a_drawing_or_where_there_is_no_room_the_text():
    """As deep as a drawing may be, and of as many classes; beyond that it is text, escaped."""
    deepest = max((staircase(k) for k in range(1, 40)), key=lambda tree: tree.depth if tree.depth <= MAX_DEPTH else 0)
    deeper = next(tree for tree in map(staircase, range(1, 60)) if tree.depth > MAX_DEPTH)
    assert deepest.depth == MAX_DEPTH and len(deeper.classes) == 2
    many, too_many = of_classes(MAX_CLASSES), of_classes(MAX_CLASSES + 1)
    for tree in (NAMED, deepest, many):
        names = [str(name) for name in tree.classes]
        assert drawn(tree._repr_html_()) == drawn(draw_tree(tree.to_dict(), names, title="Decision tree"))
    for tree in (deeper, too_many):
        shown = tree._repr_html_()
        assert shown.startswith('<pre tabindex="0">') and shown.count("\n") == tree.to_text().count("\n")
    assert "&lt;6&gt;" in too_many._repr_html_() and "<6>" not in too_many._repr_html_()


@pytest.mark.parametrize(
    ("labels", "kind"), [([3, 5], "i"), ([0.5, 1.5], "f"), ([True, False], "b"), (["a", "b"], "U"), ([2**70, 1], "O")]
)
def test_what_is_predicted_has_the_type_of_the_labels(labels, kind):
    predicted = fit_cart([[1], [2]], labels).predict([[2], [1]])
    assert predicted.dtype.kind == kind and predicted.tolist() == labels[::-1]
