"""Trees read the tables that parties read."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.cart import fit_cart
from fdpedu.domain import Domain, Numeric
from tests.support.odd_cells import MARK, NOTHING, ODD, TOO_LARGE, UNFIT, messages
from tests.support.tables import BY_NAME, DICTIONARIES, EVERY, Frame, Series, turned


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
