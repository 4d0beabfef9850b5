"""How splits of noisy counts are compared: by the printed impurity to the last digit, by G or by n·G, in any place."""

from fractions import Fraction

import numpy as np
import pytest

from fdpedu.cart import CodeSplit, GridSearch
from fdpedu.claims.federations import federate
from fdpedu.domain import Domain
from fdpedu.randomness import Rehearsal
from fdpedu.trees import Design, fit_federated_tree, grow
from fdpedu.trees.printed import _impurity, splits_as_printed
from fdpedu.trees.stopping import Level, confident

LONG = Domain.from_spec({"features": {"x": [0, 2, 2], "y": [0, 4, 4], "z": [0, 3, 3]}, "classes": ["a", "b"]})
RNG = np.random.default_rng(11)


@pytest.mark.parametrize("shape", [(2,), (5, 2), (4, 3, 2), (4, 2, 2), (2, 7, 2)])
def test_of_two_classes_it_is_the_printed_product_to_the_last_digit(shape):
    counts = RNG.integers(1, 50, size=shape).astype(float)
    total = counts.sum(axis=-1)
    share = counts[..., 1] / total
    assert (_impurity(counts) == total * share * (1 - share)).all() and _impurity(counts).shape == shape[:-1]


@pytest.mark.parametrize("shape", [(3,), (2, 3), (3, 2, 3), (2, 5, 4)])
def test_of_more_classes_it_is_half_the_sum_over_all(shape):
    counts = RNG.integers(-9, 50, size=shape)
    counts[..., 0] += 9 * shape[-1]  # so that nobody divides by 0
    found = _impurity(counts.astype(float)).ravel()
    for value, cells in zip(found, counts.reshape(-1, shape[-1]).tolist(), strict=True):
        n = sum(cells)
        assert value == pytest.approx(float(sum(Fraction(c, n) * (n - c) for c in cells) / 2), rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("feature", [0, 1, 2])
def test_each_of_three_features_has_its_place(feature):
    """The one that divides the classes is found, wherever its codes stand."""
    first, sizes = [0, 2, 6], [2, 4, 3]
    table = np.full((9, 2), 6)
    for code in range(sizes[feature]):
        table[first[feature] + code] = [12, 0] if code == 0 else [0, 12]
    (split,) = splits_as_printed(table[None], np.ones((1, 9), dtype=bool), LONG)
    assert split == CodeSplit(feature, frozenset([0]))


def test_a_node_may_begin_at_a_later_code():
    """Of codes 1 to 3, the borders after 1 and after 2 are left."""
    inside = np.array([[True, False, False, True, True, True, True, False, False]])
    table = np.zeros((1, 9, 2), dtype=int)
    table[0, 0], table[0, 3:6], table[0, 6] = [9, 9], [[5, 1], [4, 0], [0, 8]], [9, 9]
    assert splits_as_printed(table, inside, LONG) == [CodeSplit(1, frozenset([0, 1, 2]))]


def test_where_a_side_has_no_code_there_is_no_split_whatever_stands_there():
    """Of two nodes at once, each for itself."""
    everything = np.ones(9, dtype=bool)
    narrow = np.array([True, False, True, False, False, False, False, False, True])
    table = RNG.integers(1, 9, size=(9, 2))
    wide, none = splits_as_printed(np.array([table, table]), np.array([everything, narrow]), LONG)
    assert wide is not None and none is None


@pytest.mark.parametrize("clip", [True, False])
def test_g_divides_by_what_each_feature_counts(clip):
    """By n·G the feature of few rows is the better one, by G the purer one."""
    domain = Domain.from_spec({"features": {"x": [0, 2, 2], "y": [0, 2, 2]}, "classes": ["a", "b"]})
    tables = np.array([[[45, 5], [5, 45], [3, 2], [2, 3]]])
    for relative, feature in ((True, 0), (False, 1)):
        design = Design(relative=relative, clip=clip)
        (split,) = design.best_splits(tables, np.ones((1, 4), dtype=bool), GridSearch(domain), 1.0)
        assert split == CodeSplit(feature, frozenset([0]))


def test_a_level_fits_where_queries_do_not_divide_evenly(monkeypatch):
    """Ten queries in a request, two for each node: a level of two nodes, and their leaves."""
    monkeypatch.setattr(grow, "MAX_QUERIES", 10)
    domain = Domain.from_spec({"features": {name: [0, 16, 16] for name in "xyz"}, "classes": ["a", "b"]})
    rows = [[x + 0.5, x + 0.5, x + 0.5, "aaabbaaabbbaabbb"[x]] for x in range(16)] * 8
    federation = federate([rows[::2], rows[1::2]], domain, 10**6, Rehearsal(1))
    design = Design(features_per_node=2)
    fit_federated_tree(federation, max_depth=4, min_samples_split=2, design=design, rng=Rehearsal(5))
    asked = [["histogram" in query["query"] for query in message["queries"]] for message in federation.manifest.rounds]
    assert [sum(histograms) for histograms in asked] == [2, 4, 4, 4, 0] and max(map(len, asked)) <= 10


def level(counts, deviation):
    """One node of one feature with four codes, all rows in the first."""
    tables = np.zeros((1, 4, len(counts)), dtype=np.int64)
    tables[0, 0] = counts
    return Level(tables, np.ones((1, 4), dtype=bool), np.array([0]), deviation)


def test_a_class_is_there_if_beyond_the_noise_it_has_one_row():
    """The bound of a class is its total and 1.645 deviations of four cells; of both classes, of eight."""
    spread = 1.6448536269514722 * 2
    for total, deviation, there in (
        (1, 0.0, True),
        (0, 0.0, False),
        (0, 0.99 / spread, False),
        (0, 1.01 / spread, True),
        (-1, 1.99 / spread, False),
        (-1, 2.01 / spread, True),
    ):
        assert confident(level([90, total], deviation), 2).tolist() == [not there]
    for deviation, few in ((2.99 / spread / 2**0.5, True), (3.01 / spread / 2**0.5, False)):
        assert confident(level([4, 3], deviation), 10).tolist() == [few]
