"""The search over all nodes of a level at once chooses what the readable search chooses, node by node."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.cart import GridSearch, best_grid_split
from fdpedu.cart.grid import shrunk_gain
from fdpedu.claims.strategies import domains
from fdpedu.domain import Categorical, Domain, Numeric


def tables(domain, nodes, seed, most):
    """Random counts of a level; about a fifth of the codes are empty."""
    rng = np.random.default_rng(seed)
    shape = (nodes, domain.n_codes, domain.n_classes)
    return rng.integers(0, most, size=shape) * (rng.random((*shape[:2], 1)) < 0.8)


def by_feature(domain, table):
    return np.split(table, np.cumsum([f.n_codes for f in domain.features])[:-1])


@pytest.mark.claim("lem-split-never-hurts")
@settings(max_examples=150, deadline=None)
@given(domains(), st.integers(1, 70), st.integers(0, 2**32 - 1), st.sampled_from([1, 2, 5, 40, 10**6, 2**40]))
def test_it_is_the_readable_search(domain, nodes, seed, most):
    """Small counts tie often, with counts of 2⁴⁰ floats do not tell all shares apart; 70 nodes are three blocks."""
    level = tables(domain, nodes, seed, most)
    expected = [best_grid_split(by_feature(domain, table), domain) for table in level]
    assert GridSearch(domain).best_splits(level) == expected


@settings(max_examples=100, deadline=None)
@given(domains(), st.integers(0, 2**32 - 1), st.sampled_from([2, 5, 1000]))
def test_relative_search_takes_the_least_impurity_of_a_feature(domain, seed, most):
    """By going through all splits with fractions: no split leaves less in proportion to its own feature's rows."""
    (table,) = tables(domain, 1, seed, most)
    (chosen,) = GridSearch(domain).best_splits(table[None], relative=True)
    ordered = [(j, part) for j, part in enumerate(by_feature(domain, table)) if domain.features[j].ordered]
    if chosen is None:
        assert all(len(part[part.sum(axis=1) > 0]) <= 1 for _, part in ordered)
        return
    own = chosen.impurity / (sum(chosen.left) + sum(chosen.right))
    for j, part in ordered:
        one = Domain([domain.features[j]], domain.classes)
        best = best_grid_split([part], one)
        assert best is None or own <= best.impurity / int(part.sum())


@given(st.lists(st.tuples(*[st.integers(0, 9)] * 2), min_size=2, max_size=2), st.integers(0, 20))
def test_the_gain_in_fractions(sides, rows):
    """The formula in fractions; and without shrinking it is twice the impurity that the split takes away."""
    left, right = sides
    n_left, n_right = sum(left), sum(right)
    if not n_left or not n_right:
        return
    total = [a + b for a, b in zip(left, right, strict=True)]
    q = [Fraction(c, n_left + n_right) for c in total]
    surplus = sum((a - share * n_left) ** 2 for a, share in zip(left, q, strict=True))
    expected = surplus * (Fraction(1, n_left + rows) + Fraction(1, n_right + rows))
    assert abs(float(shrunk_gain(np.array(left), np.array(right), rows)) - float(expected)) < 1e-9

    def half(counts):
        n = sum(counts)
        return Fraction(n * n - sum(c * c for c in counts), 2 * n)

    if rows == 0:
        assert expected == 2 * (half(total) - half(left) - half(right))


def test_shrinking_distrusts_small_sides():
    """A pure side of one row gains most at first; with noise of three rows the larger side wins."""
    ages = Domain([Numeric.grid("age", 0, 40, bins=4)], ("well", "ill"))
    table = np.array([[[0, 2], [20, 14], [10, 14], [10, 10]]])
    chosen = [GridSearch(ages).best_splits(table, shrink=rows)[0].split.left for rows in (1e-9, 30)]
    assert chosen == [frozenset({0}), frozenset({0, 1})] or chosen[0] != chosen[1]
    assert GridSearch(ages).best_splits(np.zeros((1, 4, 2), dtype=np.int64), shrink=3) == [None]


def test_permuted_features_are_chosen_alike():
    """A feature is found where it stands: with the features in another order, the same split under its new number."""
    features = [Numeric.grid("a", 0, 3, bins=3), Categorical("b", tuple("uvwx")), Numeric.grid("c", 0, 6, bins=6)]
    rng = np.random.default_rng(5)
    counts = [rng.integers(0, 50, size=(f.n_codes, 3)) for f in features]
    found = []
    for order in ([0, 1, 2], [2, 0, 1], [1, 2, 0]):
        domain = Domain([features[j] for j in order], (0, 1, 2))
        level = np.concatenate([counts[j] for j in order])[None]
        for options in ({}, {"relative": True}, {"shrink": 4.0}):
            (best,) = GridSearch(domain).best_splits(level, **options)
            found.append((str(options), features[order[best.split.feature]].name, best.split.left, best.left))
    assert len(set(found)) == 3
