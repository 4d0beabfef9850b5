"""The least loss of structures where planted faults had survived: in many codes and rows, and at ties."""

import numpy as np
import pytest

from fdpedu.cart import Structure, least_loss, to_structure
from fdpedu.cart.least_loss import grow_at, leaf_losses, least_losses
from fdpedu.claims.fedga.structures import by_trees
from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.structures.at_home import fit_at_home
from tests.fedga.test_structure_votes import AGES

LEAF = -1
ALL = AGES.everything


def grid(*bins, classes=("x", "y")):
    return Domain([Numeric.grid(f"f{k}", 0, n, bins=n) for k, n in enumerate(bins)], classes)


# --- the least loss ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("loss", ["errors", "squared"])
def test_the_number_of_codes_does_not_matter_where_rows_have_the_same_order(loss):
    """Codes 0, 1, 2 of three and 0, 30, 59 of sixty are divided alike, also where a path has 2^17 cells and more."""
    rng = np.random.default_rng(7)
    codes, labels = rng.integers(0, 3, (40, 3)), rng.integers(0, 2, 40)
    wide = np.array([0, 30, 59])[codes]
    for string in ((0, 1, 2, LEAF, LEAF, LEAF, LEAF), (2, 1, 0, 0, LEAF, LEAF, LEAF), (1, 1, 0, 2, 2, 0, 1)):
        few = least_loss(codes, labels, string, grid(3, 3, 3), loss, lattice=1024)
        assert least_loss(wide, labels, string, grid(60, 60, 60), loss, lattice=1024) == few > 0


def test_squares_of_levels_are_added_up_at_many_rows():
    """70,000 rows at either end of 256 levels: the sum of squares is past 2^32."""
    domain = Domain.from_spec({"features": {"a": [0, 2, 2]}, "target": [0, 255, 256]})
    labels = np.repeat(np.array([0, 255], dtype=np.uint8), 70_000)
    columns = np.zeros((1, 140_000), dtype=np.uint8)
    assert least_losses(columns, labels, [Structure()], domain, "squared", 1).tolist() == [35_000]
    assert least_losses(columns, labels, [Structure(0)], domain, "squared", 8).tolist() == [280_000]


def test_of_equal_splits_a_tree_at_home_takes_the_first_and_of_equal_structures_the_first():
    domain = grid(4, 4)
    columns, labels = np.array([[0, 3], [0, 3]], dtype=np.uint8), np.array([0, 1], dtype=np.uint8)
    assert grow_at(columns, labels, Structure(0), domain, "errors", 1).split.left == frozenset({0})
    X, y = [[0.5, 0.5], [3.5, 3.5]], ["x", "y"]
    for strings in (((0,), (1,)), ((1,), (0,)), ((LEAF,), (1,), (0,))):
        tree = fit_at_home(X, y, strings, domain, "errors")
        first = next(string for string in strings if string != (LEAF,))
        assert tree.structure == to_structure(first) and tree.root.split.feature == first[0]


def test_fine_steps_decide_at_home_where_whole_ones_do_not():
    """Feature 1 divides levels without any loss; feature 0 leaves less than a step of 1."""
    domain = Domain.from_spec({"features": {"a": [0, 2, 2], "b": [0, 2, 2]}, "target": [0, 3, 4]})
    X, y = [[0.5, 0.5], [0.5, 1.5], [1.5, 0.5], [1.5, 1.5]], [0.1, 1.1, 0.1, 1.1]
    tree = fit_at_home(X, y, ((0,), (1,)), domain, "squared")
    assert tree.structure == Structure(1) and sorted(tree.predict(X)) == [0.375, 0.375, 1.125, 1.125]


DEEP = ((0, 1, 2, LEAF, 2, 1, 0), (2, 2, LEAF, 2, 1, 0, 1), (1, 0, 2, 2, 2, 0, 2), (0, 0, 0, 0, 1, 1, 1))


@pytest.mark.parametrize("string", DEEP)
@pytest.mark.parametrize("loss", ["errors", "squared"])
def test_three_questions_on_a_path_have_the_least_loss_of_all_trees_with_missing_values_and_categories(string, loss):
    """Against all trees, record by record; and the tree at home has it, as a sum over its own leaves."""
    features = [
        Numeric.grid("a", 0, 3, bins=3, missing=True),
        Categorical("w", tuple("ABC")),
        Numeric.grid("b", 0, 2, bins=2),
    ]
    domain = Domain(features, ("x", "y", "z"))
    rng = np.random.default_rng(sum(string))
    data = tuple((*map(int, rng.integers(0, (4, 3, 2))), int(rng.integers(0, 3))) for _ in range(25))
    table, structure = np.array(data, dtype=np.uint8), to_structure(string)
    columns, labels = np.ascontiguousarray(table[:, :-1].T), table[:, -1]
    least = by_trees(domain, data, structure, loss, 1024)
    assert least_loss(table[:, :-1], labels, structure, domain, loss, lattice=1024) == least > 0
    root = grow_at(columns, labels, structure, domain, loss, 1024)
    assert sum(int(leaf_losses(np.array([leaf]), loss, 1024)[0]) for leaf in leaves(root)) == least


def leaves(node):
    return [node.counts] if node.is_leaf else [*leaves(node.left), *leaves(node.right)]


def test_missing_values_go_to_the_side_where_they_are_best():
    """Labels say alone whether a value is missing or low: so the tree at home makes no errors, on either side."""
    domain = Domain([Numeric.grid("a", 0, 3, bins=3, missing=True)], ("x", "y"))
    X = [[None], [0.5], [1.5], [2.5]]
    for y in ("xxyy", "yxxy", "xyyx", "yyyx", "xyyy"):
        tree = fit_at_home(X, list(y), ((0,),), domain, "errors")
        lost = least_loss(domain.encode(X), domain.encode_labels(list(y)), (0,), domain, "errors")
        assert sum(tree.predict(X) != np.array(list(y))) == lost
    assert fit_at_home(X, list("xxyy"), ((0,),), domain, "errors").predict(X).tolist() == list("xxyy")


def test_a_tree_at_home_is_chosen_and_grown_by_the_loss_of_the_vote():
    """On random rows of four levels: the first structure of least loss, and its loss; where the other loss differs."""
    domain = Domain.from_spec({"features": {"a": [0, 3, 3], "b": [0, 3, 3]}, "target": [0, 3, 4]})
    strings, differ = ((0, 1, LEAF), (1, 0, LEAF), (0, 0, 1), (1, 1, 0)), set()
    for seed in range(20):
        rng = np.random.default_rng(seed)
        codes, levels = rng.integers(0, 3, (12, 2)), rng.integers(0, 4, 12)
        found = {}
        for loss in ("errors", "squared"):
            losses = [least_loss(codes, levels, string, domain, loss, lattice=1024) for string in strings]
            tree = fit_at_home(codes + 0.5, levels * 0.75 + 0.375, strings, domain, loss)
            found[loss] = (to_structure(strings[losses.index(min(losses))]), leaves(tree.root))
            assert tree.structure == found[loss][0]
            assert sum(int(leaf_losses(np.array([leaf]), loss, 1024)[0]) for leaf in found[loss][1]) == min(losses)
        differ |= {at for at in (0, 1) if found["errors"][at] != found["squared"][at]}
    assert differ == {0, 1}
