"""What a tree predicts, scores and shows; labels stay what they are."""

import math
import re
from dataclasses import replace
from datetime import date

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.cart import fit_cart
from fdpedu.claims.strategies import domains, raw, tables
from fdpedu.domain import Domain, Numeric
from fdpedu.viz import draw_tree
from fdpedu.viz.tree_nodes import MAX_CLASSES, MAX_DEPTH
from tests.support.odd_cells import MARK, NOTHING, ODD, TOO_LARGE, UNFIT, messages
from tests.support.tables import BY_NAME, DICTIONARIES, EVERY, Frame, Series, turned


@settings(max_examples=50, deadline=None)
@given(st.data())
def test_predictions_agree_with_the_leaves(data):
    """Every row is sent to the leaf whose counts hold it, on grids with categories too."""
    domain = data.draw(domains())
    rows = data.draw(tables(domain, least=1))
    X, y = raw(rows, domain)
    tree = fit_cart(X, y, grid=domain, max_depth=3)
    where = tree.apply(X)
    for i, leaf in enumerate(tree.leaves()):
        labels = domain.encode_labels(y[where == i])
        assert tuple(np.bincount(labels, minlength=domain.n_classes)) == leaf.counts
    assert np.allclose(tree.predict_proba(X).sum(axis=1), 1)


AGE = Domain([Numeric.grid("age", 0, 40, bins=4)], ("well", "ill"))


def test_scores_of_raw_trees_and_of_trees_on_a_grid():
    rows, labels = [[1], [39]], ["well", "ill"]
    for tree in (fit_cart(rows, labels), fit_cart(rows, labels, grid=AGE)):
        assert tree.score(rows, labels) == 1 and tree.score(rows, ["well", "well"]) == 0.5
        for y in (["ill"], ["ill"] * 3):
            with pytest.raises(ValueError, match="X and y"):
                tree.score(rows, y)
        with pytest.raises(ValueError, match="y"):
            tree.score(rows, [1, 2])
        with pytest.raises(ValueError, match="y"):
            tree.score(rows, 7)
    with pytest.raises(ValueError, match="y row 1"):
        fit_cart(rows, [1, 2]).score(rows, [1, "2"])
    both = Domain([Numeric.grid("age", 0, 40, bins=4)], ("ill", 1))
    with pytest.raises(ValueError, match="y row 0"):
        replace(fit_cart(rows, ["ill", 1], grid=both), domain=None).score(rows, [None, 1])


@pytest.mark.parametrize(
    "labels",
    [
        [np.str_("b"), "a"],
        [True, np.bool_(False)],
        [2, 1.5],
        [2**70, 1],
        [2**63 + 1, 2**63],
        ["a\0", "a"],
        [(1, 2), (0, 3)],
        [math.inf, 1],
        [date(2026, 1, 2), date(2026, 1, 1)],
        np.array(["2026-01-02", "2026-01-01"], dtype="M8[D]"),
        np.ma.array([2, 1], mask=[0, 0]),
    ],
    ids=str,
)
def test_labels_are_predicted_and_scored_as_they_were_given(labels):
    """In ascending order; long numbers and texts that NumPy would cut off stay what they are."""
    tree, own = fit_cart([[1], [2]], labels), list(getattr(labels, "tolist", lambda: labels)())
    assert list(tree.classes) == sorted(own) and list(tree.predict([[1], [2]])) == own
    assert tree.score([[1], [2]], labels) == tree.score([[1], [2]], own) == 1


NAMED = fit_cart({"a": [1, 2]}, ["x", "y"])


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


@pytest.mark.parametrize("kind", sorted(BY_NAME) + sorted(DICTIONARIES))
@pytest.mark.parametrize("on_grid", [True, False])
@settings(max_examples=15, deadline=None)
@given(st.data())
def test_a_tree_takes_tables_by_name(kind, on_grid, data):
    """It predicts what it predicts of rows; columns in any order, others among them."""
    domain = Domain([Numeric.grid(name, 0, 9, 9) for name in ("u", "v")], ("no", "yes"))
    rows = data.draw(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=2, max_size=9))
    labels = data.draw(st.lists(st.sampled_from(domain.classes), min_size=len(rows), max_size=len(rows)))
    options = {"grid": domain} if on_grid else {"feature_names": ["u", "v"]}
    tree = fit_cart(rows, labels, **options)
    table = turned(EVERY[kind], rows, ["u", "v"], data)
    assert tree.predict(table).tolist() == tree.predict(rows).tolist()
    again = turned(EVERY[kind], rows, ["u", "v"], data)
    assert np.array_equal(tree.predict_proba(again), tree.predict_proba(rows))
    assert tree.score(turned(EVERY[kind], rows, ["u", "v"], data), labels) == tree.score(rows, labels)
    assert fit_cart(turned(EVERY[kind], rows, ["u", "v"], data), labels, **options) == tree
    with pytest.raises(ValueError, match="'v'"):
        tree.predict(EVERY[kind](rows, ["u", "w"]))


def test_a_raw_tree_has_the_names_of_its_table():
    tree = fit_cart({"height": [1.5, 1.9], "age": [3, 4]}, ["no", "yes"])
    assert tree.feature_names == ("height", "age") and tree.predict([[1.6, 9]]).tolist() == ["no"]
    for table in (Frame([(0, [1.0]), (1, [2.0])]), {}):
        with pytest.raises(ValueError, match="X"):
            fit_cart(table, [0])


ON_GRID = fit_cart([[1], [8]], ["no", "yes"], grid=Domain([Numeric.grid("u", 0, 9, 9)], ("no", "yes", "never")))
RAW = fit_cart([[1], [8]], [0, 1])


def test_labels_of_another_type_are_an_error_and_no_score():
    assert ON_GRID.score([[1], [8]], ["no", "no"]) == 0.5 and ON_GRID.score([[1]], Series(["never"])) == 0
    assert RAW.score([[1], [8]], [0.0, np.int8(1)]) == 1 and RAW.score([[1]], [2]) == 0
    for tree, labels, place in (
        (ON_GRID, [0, 1], "y row 0, the class"),
        (ON_GRID, ["no", "nein"], "y row 1, the class"),
        (RAW, [0, "0"], "y row 1"),
        (RAW, [False, True], "y row 0"),
        (RAW, [0, None], "y row 1"),
        (RAW, [0, math.nan], "y row 1"),
        (RAW, [0], "X and y"),
        (RAW, 7, "y"),
    ):
        with pytest.raises(ValueError, match=f"^{place}"):
            tree.score([[1], [8]], labels)
    with pytest.raises(ValueError, match="X and y"):
        ON_GRID.score([], [])


@pytest.mark.parametrize("number", range(len([*NOTHING, *UNFIT, *TOO_LARGE])), ids=lambda n: type(ODD[n]).__name__)
def test_a_raw_tree_refuses_what_is_no_number(number):
    cell = ODD[number]
    for table in ([[1.0], [cell]], {"u": [1.0, cell]}, np.ma.array([[1.0], [2.0]], mask=[[0], [1]])):
        with pytest.raises(ValueError) as caught:
            fit_cart(table, [0, 1])
        assert "X row 1, column " in str(caught.value) and not any(MARK in text for text in messages(caught.value))


def test_classes_are_predicted_as_they_are():
    """NumPy would make text of the number beside the text."""
    domain = Domain([Numeric.grid("u", 0, 9, 9)], (1, "one"))
    assert fit_cart([[1], [8]], [1, "one"], grid=domain).predict([[1], [8]]).tolist() == [1, "one"]
