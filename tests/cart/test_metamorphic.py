"""What must follow for a tree or a split when rows, features and classes change their places, or rows come again."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.cart import GridSearch, best_grid_split, best_split, fit_cart
from fdpedu.claims.strategies import category_tables, domains
from fdpedu.domain import Domain, Numeric
from tests.support.records import ORDERS, SPECIAL, outline, special_rows, turned_about


@pytest.mark.parametrize("seed", [1, 2])
def test_cart_on_a_grid_follows_features_and_classes(seed):
    rows = special_rows(600, seed)
    trees = []
    for order in ORDERS:
        turned, domain = turned_about(rows, *order)
        tree = fit_cart([row[:-1] for row in turned], [row[-1] for row in turned], grid=domain, max_depth=3)
        trees.append(outline(tree.root, tree))
    assert all(tree == trees[0] for tree in trees) and len(str(trees[0])) > 800
    doubled = fit_cart([row[:-1] for row in rows * 2], [row[-1] for row in rows * 2], grid=SPECIAL, max_depth=3)
    single = fit_cart([row[:-1] for row in rows], [row[-1] for row in rows], grid=SPECIAL, max_depth=3)
    both = list(zip(doubled.nodes(), single.nodes(), strict=True))
    assert all(a.split == b.split and a.counts == tuple(2 * n for n in b.counts) for (_, a), (_, b) in both)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_the_best_split_is_as_good_in_any_order(data):
    """Of two classes: its impurity does not depend on the order of features, categories, classes; searches agree."""
    domain = data.draw(domains(most_classes=2))
    p, classes = domain.n_features, list(data.draw(st.permutations(range(domain.n_classes))))
    histograms = [
        np.array(data.draw(st.lists(st.tuples(*[st.integers(0, 9)] * domain.n_classes), min_size=n, max_size=n)))
        for n in (feature.n_codes for feature in domain.features)
    ]
    features = list(data.draw(st.permutations(range(p))))
    other = Domain([domain.features[j] for j in features], domain.classes)
    turned = [
        histograms[j][:, classes] if domain.features[j].ordered else histograms[j][::-1][:, classes] for j in features
    ]
    found = [best_grid_split(histograms, domain), best_grid_split(turned, other)]
    fast = GridSearch(other).best_splits(np.concatenate(turned)[None])[0]
    assert (found[0] is None) == (found[1] is None) == (fast is None)
    if found[0] is not None:
        assert found[0].impurity == found[1].impurity == fast.impurity


@given(category_tables(most_codes=5, most=5))
def test_raw_values_and_codes_have_the_same_split(table):
    """Values 0, 1, 2, … as raw numbers, and as bins of a grid: the same sides on both paths, in any order of rows."""
    rows = [(code, c) for code, counts in enumerate(table) for c in (0, 1) for _ in range(counts[c])]
    domain = Domain([Numeric.grid("x", -1, len(table) - 1, bins=len(table))], (0, 1))
    for some in (rows, rows[::-1]):
        X, y = [[float(code)] for code, _ in some], [c for _, c in some]
        raw = best_split(np.array(X).reshape(-1, 1), np.array(y, dtype=int), 2) if some else None
        grid = best_grid_split([np.array(table)], domain)
        assert (raw and (raw.left, raw.right)) == (grid and (grid.left, grid.right))
