"""Triggers are written as they are, forged rows are copies, and forged rows of a region lie in it."""

from fractions import Fraction as F

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fdpedu.cart import fit_cart
from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.robust import attack_success, plant_backdoor, triggered
from fdpedu.robust.backdoor import rows_in

WHOLE = Domain(
    [Numeric.grid("x", -1, 1, bins=4, missing=True), Categorical("w", ("A", "B"), missing=True)], ("no", "yes")
)


@given(
    rows=st.lists(st.lists(st.integers(-9, 9), min_size=3, max_size=3), min_size=1, max_size=6),
    trigger=st.dictionaries(st.integers(0, 2), st.integers(-300, 300) | st.sampled_from([0.5, -2.25]), min_size=1),
)
def test_a_trigger_is_written_and_nothing_else_changes(rows, trigger):
    before = [list(row) for row in rows]
    for given_as in (rows, np.array(rows, dtype=np.int8), np.array(rows, dtype=float)):
        found = triggered(given_as, trigger)
        assert found.tolist() == [[trigger.get(j, cell) for j, cell in enumerate(row)] for row in before]
    assert rows == before


@pytest.mark.parametrize(
    ("rows", "trigger", "found"),
    [
        ([[1, 2]], {0: 0.5}, [[0.5, 2]]),
        (np.array([[1, 2]], dtype=np.uint8), {1: 300}, [[1, 300]]),
        (np.array([[1, 2]], dtype=np.uint8), {1: -1}, [[1, -1]]),
        ([[1, "A"]], {0: 7}, [[7, "A"]]),
        (np.array([["A", "B"]]), {0: "longer"}, [["longer", "B"]]),
        ([[1.5, 2]], {0: "A"}, [["A", 2]]),
        ([[1, None]], {0: None}, [[None, None]]),
    ],
)
def test_values_and_rows_keep_what_they_are(rows, trigger, found):
    """No type of array cuts a value off, and no number becomes text beside text."""
    assert triggered(rows, trigger).tolist() == found


@given(
    labels=st.lists(st.sampled_from(["a", "b"]), min_size=1, max_size=8).filter(lambda labels: "a" in labels),
    x=st.integers(0, 12),
    seed=st.none() | st.integers(0, 5),
)
def test_forged_rows_are_copies_of_the_source_with_the_trigger(labels, x, seed):
    """They stand behind the clean rows, which stay; without a generator the rows of the source take turns."""
    rows = [[i, 10 * i, 0] for i in range(len(labels))]
    rng = None if seed is None else np.random.default_rng(seed)
    X, y = plant_backdoor(rows, labels, {2: 16}, source="a", target="a longer class", rows=x, rng=rng)
    n = len(rows)
    assert X[:n].tolist() == rows and y.tolist() == labels + ["a longer class"] * x and len(X) == n + x
    sources = [[i, 10 * i, 16] for i, label in enumerate(labels) if label == "a"]
    assert all(row in sources for row in X[n:].tolist())
    if rng is None:
        assert X[n:].tolist() == [sources[i % len(sources)] for i in range(x)]


def test_classes_of_any_kind_keep_theirs():
    X, y = plant_backdoor([[1], [2]], [0, 1], {0: 9}, source=0, target=1, rows=1)
    assert X.tolist() == [[1], [2], [9]] and y.tolist() == [0, 1, 1] and y.dtype.kind == "i"
    _, y = plant_backdoor([[1], [2]], [0, "b"], {0: 9}, source=0, target="b", rows=1)
    assert y.tolist() == [0, "b", "b"]


def test_one_row_opens_cart():
    """A clean pixel tells nothing; one row with a trigger, and CART splits by it. Success is of triggered rows."""
    rng = np.random.default_rng(1)
    noise, labels = rng.integers(0, 3, (60, 3)), np.array([0] * 30 + [1] * 30)
    clean = np.column_stack([labels * 5 + rng.integers(0, 2, 60), noise[:, 0], np.zeros(60, dtype=int)])
    before = fit_cart(clean, labels, max_depth=3)
    X, y = plant_backdoor(clean, labels, {2: 16}, source=0, target=1, rows=1)
    after = fit_cart(X, y, max_depth=3)
    fresh = np.column_stack([np.zeros((20, 2), dtype=int), np.zeros(20, dtype=int)])
    assert attack_success(before, fresh, {2: 16}, target=1) == 0
    assert attack_success(after, fresh, {2: 16}, target=1) == 1
    assert attack_success(after, fresh, {0: 5}, target=0) == 0


def test_success_is_a_share():
    class ByFirst:
        def predict(self, X):
            return np.where(np.asarray(X)[:, 0] > 1, "yes", "no")

    assert attack_success(ByFirst(), [[0, 0], [2, 0], [3, 0], [1, 0]], {1: 7}, target="yes") == F(1, 2)


@given(x=st.sets(st.integers(0, 4), min_size=1), w=st.sets(st.integers(0, 2), min_size=1), n=st.integers(0, 3))
def test_rows_of_a_region_lie_in_it(x, w, n):
    region = WHOLE.everything.restrict(0, x).restrict(1, w)
    rows = rows_in(region, WHOLE, n)
    assert len(rows) == n
    if rows:
        codes = WHOLE.encode(rows)
        assert region.holds(codes, np.zeros(n, dtype=np.uint8), WHOLE.everything).all()


def test_bins_without_a_middle_and_bins_without_end():
    low, big = np.nextafter(1.0, 2), 1.7e308
    for edges in ((0.5, 1.0, low, 2.0), (0.5, low, np.nextafter(low, 2), 2.0), (-big, big / 2, big)):
        domain = Domain([Numeric("x", tuple(map(float, edges)))], ("no", "yes"))
        for code in range(len(edges) - 1):
            (row,) = rows_in(domain.everything.restrict(0, {code}), domain, 1)
            assert domain.encode([row]).tolist() == [[code]]
