"""A structure on a party's own rows: against all thresholds, tried one by one, and against another library."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from fdpedu.cart.structures import LEAF, Structure, to_structure
from fdpedu.domain import Domain, Numeric
from fdpedu.sources.fedga import f1, fit_at_structure, fit_local, mse
from fdpedu.sources.fedga.local import Cell, errors_at, errors_by_depth, fit_cell, grown_structure
from fdpedu.sources.fedga.rows import read_rows
from fdpedu.sources.fedga.splits import best_thresholds
from tests.support.fedga import DOMAINS, FEATURES, fitted, grown, hospitals, nested

TASKS = list(DOMAINS)
STRING = st.tuples(*[st.integers(LEAF, 2)] * 7)


@st.composite
def tables(draw, task):
    target = st.sampled_from("abc") if task == "classification" else st.integers(0, 16)
    row = st.tuples(st.integers(0, 8), st.sampled_from("ABC"), st.integers(0, 8), target)
    return draw(st.lists(row, min_size=1, max_size=14))


def of_table(table):
    return [row[:-1] for row in table], [row[-1] for row in table]


def plain(table):
    """Rows in which a category is its position."""
    return [((row[0], "ABC".index(row[1]), row[2]), row[3]) for row in table]


def same(found, expected):
    """Two nested trees; means may differ by the error of floats."""
    if isinstance(expected, tuple):
        return found[:2] == expected[:2] and all(map(same, found[2:], expected[2:]))
    return found == expected if isinstance(expected, str) else found == pytest.approx(float(expected))


@pytest.mark.parametrize("task", TASKS)
@settings(max_examples=80, deadline=None)
@given(data=st.data())
def test_thresholds_and_labels_at_a_structure_are_those_of_least_loss(task, data):
    """Node by node, from the root down; of equals the smallest threshold, and the first class."""
    table, string = data.draw(tables(task)), data.draw(STRING)
    tree = fit_at_structure(*of_table(table), string, DOMAINS[task], task=task)
    assert same(nested(tree), fitted(plain(table), to_structure(string), task))


@pytest.mark.parametrize("task", TASKS)
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_a_local_tree_is_cart(task, data):
    """Of equal splits the first feature is taken, and the smallest threshold; pure rows are not split."""
    table, depth = data.draw(tables(task)), data.draw(st.integers(0, 3))
    tree = fit_local(*of_table(table), DOMAINS[task], task=task, max_depth=depth)
    assert tree.structure == grown(plain(table), depth, task)
    assert same(nested(tree), fitted(plain(table), tree.structure, task))


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("task", TASKS)
def test_a_structure_of_one_feature_is_another_librarys_tree_of_this_feature(task, seed):
    rng = np.random.default_rng(seed)
    X, feature = rng.uniform(0, 8, (60, 3)), int(rng.integers(3))
    features = [Numeric.grid(name, 0, 8) for name in "uvw"]
    if task == "classification":
        y, domain, model = rng.integers(0, 3, 60), Domain(features, (0, 1, 2)), DecisionTreeClassifier
    else:
        y, model = rng.uniform(0, 1, 60), DecisionTreeRegressor
        domain = Domain(features, target=Numeric.grid("y", 0, 1))
    tree = fit_at_structure(X, y.tolist(), (feature,) * 7, domain, task=task)
    other = model(max_depth=3).fit(X[:, [feature]], y)
    fresh = rng.uniform(0, 8, (500, 3))
    np.testing.assert_allclose(tree.predict(fresh), other.predict(fresh[:, [feature]]), rtol=1e-12)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("task", TASKS)
def test_a_local_tree_fits_as_well_as_another_librarys(task, seed):
    ((X, y),) = hospitals(task, 1, 80, seed)
    table = [[row[0], "ABC".index(row[1]), row[2]] for row in X]
    model = DecisionTreeClassifier if task == "classification" else DecisionTreeRegressor
    other = model(max_depth=2, random_state=0).fit(table, y).tree_
    leaves = other.children_left < 0
    mine = fit_local(X, y, DOMAINS[task], task=task, max_depth=2)
    assert mine.structure.depth == 2 and len(mine.nodes) == other.node_count
    if task == "regression":
        left = (other.impurity * other.n_node_samples)[leaves].sum() / 80
        assert mse(y, mine.predict(X)) == pytest.approx(left)


def test_rows_that_are_alike_in_a_feature_are_not_split_by_it():
    """What the structure has below such a node is left out: the node is a leaf, with the label of its rows."""
    X, y = [[1, "A", 0], [1, "B", 0], [1, "C", 0]], ["b", "b", "c"]
    tree = fit_at_structure(X, y, (0, 1, 1), DOMAINS["classification"], task="classification")
    assert tree.structure == Structure() and tree.predict(X).tolist() == ["b"] * 3 and len(tree.nodes) == 1
    tree = fit_at_structure(X, y, (1, 0, 2), DOMAINS["classification"], task="classification")
    assert tree.structure == Structure(1) and [node.n_rows for node in tree.nodes] == [3, 2, 1]


def test_pure_rows_are_not_split():
    """Also where they differ in the feature: no split of them tells anything."""
    for task, y in (("classification", ["c", "c"]), ("regression", [3.25, 3.25])):
        tree = fit_at_structure([[1, "A", 0], [7, "B", 1]], y, (0, 1, 2), DOMAINS[task], task=task)
        assert tree.structure == Structure() and tree.predict([[0, "C", 8]]).tolist() == y[:1]


def test_a_threshold_lies_below_the_larger_of_its_neighbours():
    """Two floats with none between them are told apart, however large they are."""
    for low, high in ((1.0, np.nextafter(1.0, 2)), (np.nextafter(1.0, 0), 1.0), (-1.7e308, 1.7e308), (-5e-324, 0.0)):
        ((threshold,),) = best_thresholds(np.array([[low], [high]]), np.array([0, 1]), 2)[1:]
        assert low <= threshold < high
    domain, high = Domain([Numeric.grid("u", 0, 8)], (0, 1)), float(np.nextafter(1.0, 2))
    tree = fit_at_structure([[1.0], [high]], [0, 1], (0,), domain, task="classification")
    assert tree.predict([[1.0], [high]]).tolist() == [0, 1] and [node.n_rows for node in tree.nodes] == [2, 1, 1]


def test_thresholds_do_not_depend_on_where_numbers_begin():
    """Squares of large numbers would drown what tells the rows apart."""
    column = np.array([[1.0], [2.0], [3.0], [4.0]])
    near, far = (best_thresholds(column, start + np.array([0.0, 0.25, 1, 1.25]), 0) for start in (0.0, 2.0**30))
    assert near.thresholds == far.thresholds == [2.5] and near.losses == far.losses == [0.0625]


def test_a_tree_in_words():
    """Categories by their names, numbers by a threshold; a leaf says a class or a number."""
    X, y = [[1, "A", 0], [1, "B", 0], [5, "C", 0], [7, "C", 0]], ["a", "b", "c", "c"]
    tree = fit_at_structure(X, y, (1, 1, 0), DOMAINS["classification"], task="classification")
    words = ["w in {A, B}", "|   w in {A}: class a", "|   w in {B, C}: class b", "w in {C}: class c"]
    assert str(tree).splitlines() == words and tree.to_text() == str(tree)
    numbers = fit_at_structure(X, [0, 2, 4, 4], (0,), DOMAINS["regression"], task="regression")
    assert str(numbers) == "x ≤ 3: 1\nx > 3: 4" and repr(numbers).startswith(
        "LocalTree(regression, 3 nodes; not private"
    )
    assert numbers.depth == 1 and [node.depth for node in numbers.nodes] == [0, 1, 1]


def test_numbers_and_targets_are_clipped_to_the_public_ranges():
    tree = fit_local([[-5, "A", 0], [99, "A", 0]], [-7, 99], DOMAINS["regression"], task="regression", max_depth=1)
    assert nested(tree) == (0, 4, 0, 16)


@pytest.mark.parametrize("task", TASKS)
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_the_score_of_a_structure_is_that_of_its_trees_predictions(task, data):
    """Whether it is scored on the rows by which it was grown, or on others."""
    domain, string = DOMAINS[task], data.draw(STRING)
    one, other = (of_table(data.draw(tables(task))) for _ in range(2))
    cells = [read_rows(*rows, domain, task, "here") for rows in (one, other)]
    for scored, (X, y) in ((None, one), (cells[1], other)):
        cell = Cell.of(cells[0], scored)
        found = errors_at(cell, to_structure(string)).score
        said = fit_at_structure(*one, string, domain, task=task).predict(X)
        expected = f1([ord(v) for v in y], [ord(v) for v in said]) if task == "classification" else mse(y, said)
        assert found == pytest.approx(expected, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("task", TASKS)
def test_errors_at_each_depth_are_those_of_trees_that_stop_there(task):
    (one, other) = (read_rows(*pair, DOMAINS[task], task, "here") for pair in hospitals(task, 2))
    by_depth = errors_by_depth(Cell.of(one, other), 4)
    for depth, found in enumerate(by_depth):
        cell = Cell.of(one, other)
        assert found.score == pytest.approx(errors_at(cell, grown_structure(cell, depth)).score)
    assert len({round(found.score, 9) for found in by_depth}) > 3


def test_structures_share_their_common_nodes():
    """A split is found once, and whoever fits afterwards finds the same."""
    rows = read_rows(*hospitals("classification", 1)[0], DOMAINS["classification"], "classification", "here")
    cell = Cell.of(rows)
    first = fit_cell(cell, to_structure((0, 1, 2)))
    assert cell.split(0) is cell.split(0) and fit_cell(cell, to_structure((2, 0, 0))) != first
    assert fit_cell(cell, to_structure((0, 1, 2))) == first == fit_cell(Cell.of(rows), to_structure((0, 1, 2)))


def test_categories_count_as_positions():
    assert FEATURES[1].categories == ("A", "B", "C")
    tree = fit_at_structure(
        [[0, "A", 0], [0, "C", 0]], ["a", "b"], (1,), DOMAINS["classification"], task="classification"
    )
    assert nested(tree) == (1, 1, "a", "b") and tree.predict([[0, "B", 0]]).tolist() == ["a"]
