"""Sizes past every border, where nothing else may change.

Borders of tables, types and windows, each crossed here or beside it: 256 codes in 8 bits; cells in 16 and in 32 bits
(``Records``); 4096 rows (``_BLOCK`` of queries); 16384 draws (``_TILE`` of alias and blocks); 32 nodes (``_NODES``) and
2²⁶ rows (``_EXACT_SHARES``) of the grid search; sums near 2³¹, 2³² and 2⁶³; 4 requests, 64 coordinates and 4096 sets of
codes in memories of that size; 8192 words of a key stream (``tests/secure_sum/test_masks_machine.py``).
"""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.cart import GridSearch, best_grid_split, fit_cart, scaled_half_gini
from fdpedu.cart.impurity import exact_scaled_half_gini
from fdpedu.cart.split import CodeSplit
from fdpedu.claims.strategies import domains
from fdpedu.domain import Categorical, Domain, Numeric, Region
from fdpedu.exact import Rate
from fdpedu.federation import ClassCounts, ClassHistogram, NodeHistograms
from fdpedu.federation.endpoint import Endpoint
from fdpedu.federation.queries import read_queries, to_wire
from fdpedu.federation.records import Records, _members
from fdpedu.randomness import Rehearsal, ReplayedWords, short_words
from fdpedu.sampling import finite_law, geometric, sample
from fdpedu.sampling.blocks import _shipped_table
from fdpedu.secure_sum import canonical, decode_sum, private_sum
from fdpedu.trees import fit_federated_tree
from fdpedu.trees.stopping import Level, as_printed, averaged, confident
from tests.support.records import SPECIAL, count_by_hand, federation, special_rows


@settings(max_examples=60, deadline=None)
@given(domains(), st.data(), st.sampled_from([2**k + d for k in (20, 24, 25, 26, 27, 31, 32, 40) for d in (-1, 0, 1)]))
def test_a_split_does_not_depend_on_the_unit(domain, data, factor):
    """Counts that are as many times as large, past 2²⁶, 2³¹ and 2³² rows, have the same best split, on both paths."""
    size = sum(feature.n_codes for feature in domain.features)
    rows = st.lists(st.tuples(*[st.integers(0, 7)] * domain.n_classes), min_size=size, max_size=size)
    table = np.array(data.draw(rows))
    ends = np.cumsum([feature.n_codes for feature in domain.features])[:-1]
    search = GridSearch(domain)
    for relative in (False, True):
        plain, large = search.best_splits(np.array([table, factor * table]), relative=relative)
        assert (plain and plain.split) == (large and large.split)
    slow = best_grid_split(np.split(factor * table, ends), domain)
    fast = search.best_splits(factor * table[None])[0]
    assert slow == fast


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.tuples(*[st.integers(-3, 3)] * 2), min_size=2, max_size=6),
    st.sampled_from([2**k for k in (22, 26, 30, 31, 32, 36)]),
    st.sampled_from([(1, 0), (1, 1), (3, 1), (1, 1000)]),
)
def test_close_calls_among_large_counts_are_settled_exactly(near, large, shape):
    """Bins that differ by a few of billions of rows: the first candidate with the least n·G, by fractions."""
    table = np.array([[max(0, large * shape[0] + a), max(0, large * shape[1] + b)] for a, b in near])
    domain = Domain([Numeric.grid("x", 0, 1, bins=len(table))], (0, 1))
    totals, best = table.sum(axis=0), None
    for end in range(1, len(table)):
        left = table[:end].sum(axis=0)
        sides = [left.tolist(), (totals - left).tolist()]
        if all(map(sum, sides)):
            impurity = sum(map(exact_scaled_half_gini, sides), Fraction(0))
            if best is None or impurity < best[0]:
                best = impurity, CodeSplit(0, frozenset(range(end)))
    slow, fast = best_grid_split([table], domain), GridSearch(domain).best_splits(table[None])[0]
    assert (best and best[1]) == (slow and slow.split) == (fast and fast.split)


@pytest.mark.parametrize("n", [1, 31, 32, 33, 64, 65])
def test_nodes_do_not_depend_on_their_neighbours(n):
    """As many nodes as fit in a block and one more: each is searched as if it were alone."""
    tables_of = np.random.default_rng(n).integers(0, 9, (n, 21, 3))
    search = GridSearch(SPECIAL)
    for options in ({}, {"relative": True}, {"shrink": 2.5}):
        together = search.best_splits(tables_of, **options)
        assert together == [search.best_splits(table[None], **options)[0] for table in tables_of]
    level = Level(tables_of, np.ones((n, 21), dtype=bool), search.first, 1.5)
    for stop in (confident, averaged, as_printed):
        alone = [stop(Level(t[None], np.ones((1, 21), dtype=bool), search.first, 1.5), 40)[0] for t in tables_of]
        assert stop(level, 40).tolist() == alone


@pytest.mark.parametrize("n", [0, 1, 4095, 4096, 4097, 8193])
def test_blocks_of_rows(n):
    """Rows up to a block, and beyond it: every query is the count by hand."""
    rows = special_rows(n, 7)
    region = SPECIAL.everything.restrict(1, [0, 2, 3])
    asked = [NodeHistograms(region, 1), ClassHistogram(region, 1, 2), ClassCounts(region, 1)]
    for query, answer in zip(asked, federation([rows, rows[:5]], SPECIAL).release(asked), strict=True):
        assert answer.tolist() == count_by_hand(query, rows + rows[:5], SPECIAL).tolist()


@pytest.mark.parametrize("codes", [255, 256])
@pytest.mark.parametrize("features", [1, 2])
@pytest.mark.parametrize("classes", [2, 255, 256])
def test_the_last_code_of_the_last_feature_and_the_last_class(codes, features, classes):
    """8 bits hold 256 codes; the cells of one feature of 256 codes and 256 classes fill 16 bits, of two they do not."""
    kinds = [Numeric.grid("x", 0, codes, bins=codes), Categorical("w", tuple(range(codes)))][-features:]
    domain = Domain(kinds, range(classes))
    values = {"x": codes - 0.5, "w": codes - 1}
    last, first = ([values[f.name] for f in kinds], classes - 1), ([0 for _ in kinds], 0)
    rows = [[*last[0], last[1]]] * 3 + [[*first[0], first[1]]] * 2
    asked = [NodeHistograms(domain.everything, 1), ClassHistogram(domain.everything, 1, features - 1)]
    asked.append(ClassCounts(domain.everything.restrict(features - 1, [codes - 1]), 1))
    whole, one, counts = federation([rows, []], domain).release(asked)
    ends = np.cumsum([codes] * features)
    assert whole.sum() == 5 * features and all(whole[end - 1, classes - 1] == 3 for end in ends)
    assert all(whole[end - codes, 0] == 2 for end in ends)
    assert one[codes - 1, classes - 1] == 3 and one[0, 0] == 2 and one.sum() == 5
    assert counts[classes - 1] == 3 and counts.sum() == 3
    if classes == 2:
        tree = fit_cart([row[:-1] for row in rows], [row[-1] for row in rows], grid=domain)
        assert tree.predict([last[0], first[0]]).tolist() == [1, 0] and tree.depth == 1


def test_one_code_more_is_refused():
    for make in (
        lambda: Numeric.grid("x", 0, 1, bins=257),
        lambda: Categorical("w", tuple(range(257))),
        lambda: Domain(SPECIAL.features, range(257)),
    ):
        with pytest.raises(ValueError, match="256"):
            make()


@pytest.mark.parametrize("features", [1, 2, 63, 64, 65, 100])
def test_the_algebra_of_regions_of_many_features(features):
    """Of 256 codes each, against sets of codes: disjoint, nested, hull, and the table of a region's members."""
    rng = np.random.default_rng(features)
    whole = Region(tuple((1 << 256) - 1 for _ in range(features)), (1 << 256) - 1)
    for _ in range(20):
        a = b = whole
        for j in {0, features - 1, int(rng.integers(features))}:
            a, b = (
                r.restrict(j, rng.integers(250, 256, rng.integers(1, 4))) if rng.random() < 0.7 else r for r in (a, b)
            )
        a, b = (r.restrict_class([0, 255, int(rng.integers(256))]) if rng.random() < 0.5 else r for r in (a, b))
        sides = [[*(r.codes(j) for j in range(features)), r.class_codes] for r in (a, b)]
        pairs = list(zip(*sides, strict=True))
        assert a.is_disjoint(b) == b.is_disjoint(a) == any(not x & y for x, y in pairs)
        assert a.contains(b) == all(y <= x for x, y in pairs) and a.contains(a) and whole.contains(a)
        hull = a.hull(b)
        assert [*(hull.codes(j) for j in range(features)), hull.class_codes] == [x | y for x, y in pairs]
        assert Region.from_json(a.to_json(whole), whole) == a and Region.from_json(a.to_json(hull), hull) == a


def test_memories_do_not_mix_what_they_remember():
    """More requests, domains and sets of codes than are kept: each is read as if for the first time."""
    second = Domain([Numeric.grid("x", 0, 8, bins=9), *SPECIAL.features[1:]], SPECIAL.classes)
    asked = [
        (domain, [ClassHistogram(domain.everything.restrict(0, [number, 7]), Fraction(1, number), number % 4)])
        for number in range(1, 7)
        for domain in (SPECIAL, second)
    ]
    for _ in range(2):
        for domain, queries in asked:
            form = canonical(tuple(to_wire(query, domain) for query in queries))
            assert read_queries(form, domain) == tuple(queries)
    everywhere = canonical((to_wire(NodeHistograms(SPECIAL.everything, 1), SPECIAL),))
    sizes = [read_queries(everywhere, domain)[0].size(domain) for domain in (SPECIAL, second, SPECIAL)]
    assert sizes == [63, 66, 63]
    for _ in range(2):
        for mask in range(1, 4200):
            assert np.flatnonzero(_members(mask)).tolist() == [code for code in range(13) if mask >> code & 1]


@pytest.mark.parametrize("start", [2**31 - 2, 2**31, 2**32 - 1, 2**53, 2**62 - 2])
def test_sums_past_32_and_53_bits(start):
    """Sums of parties' integers, positive and negative, come out to the last unit."""
    table = np.array([[start, -start, start], [1, -1, -start], [1, -1, 0]])
    assert private_sum(table).tolist() == table.sum(axis=0).tolist()
    words = table.astype(np.uint64)
    assert decode_sum(list(words)).tolist() == table.sum(axis=0).tolist()
    if start < 2**61:
        assert private_sum(table, 2**62).tolist() == table.sum(axis=0).tolist()


@pytest.mark.parametrize("factor", [2**24 + 1, 2**31 - 1, 2**31 + 1, 2**33 + 1])
def test_a_tree_of_billions_of_rows(factor, monkeypatch):
    """Parties count every row so many times: the same splits, and as many times the counts, at every node and leaf."""
    rows = special_rows(400, 5)
    options = {"max_depth": 3, "min_samples_split": 2, "design": "averaged"}
    plain = fit_federated_tree(federation([rows[::2], rows[1::2]], SPECIAL, 1), **options)
    counts = Endpoint._counts
    monkeypatch.setattr(Endpoint, "_counts", lambda self, queries: factor * counts(self, queries))
    large = fit_federated_tree(federation([rows[::2], rows[1::2]], SPECIAL, 1), **options)
    for (_, a), (_, b) in zip(plain.nodes(), large.nodes(), strict=True):
        assert a.split == b.split and b.counts == tuple(factor * n for n in a.counts)
    X = [row[:-1] for row in rows]
    assert large.predict(X).tolist() == plain.predict(X).tolist()
    assert np.abs(large.predict_proba(X) - plain.predict_proba(X)).max() < 1e-12


@given(st.lists(st.integers(0, 9), min_size=2, max_size=4), st.sampled_from([2**30, 2**31, 2**33, 2**45]))
def test_the_impurity_of_large_counts(counts, factor):
    """As many times the counts have as many times the n·half_gini, to a few units in 10¹⁵ of n."""
    exact = factor * exact_scaled_half_gini(counts)
    for dtype in (np.int64, np.uint64, object):
        found = Fraction(float(scaled_half_gini(np.array([factor * n for n in counts], dtype=dtype))))
        assert abs(found - exact) <= factor * sum(counts) * Fraction(2, 10**15)


@pytest.mark.parametrize("size", [16383, 16384, 16385, 32768, 40001])
def test_draws_past_a_tile_go_on_where_the_words_are(size):
    """So many draws at once are the draws of the first tiles and then of the rest, from the same stream of words."""
    law, rest = finite_law([3, 5, 7, 1]), size % 16384
    one, parts = Rehearsal(size), Rehearsal(size)
    pieces = [sample(law, 16384, parts) for _ in range(size // 16384)] + ([sample(law, rest, parts)] if rest else [])
    assert sample(law, size, one).tolist() == np.concatenate(pieces).tolist()
    assert one.words(1) == parts.words(1)
    table = _shipped_table(Rate.of(epsilon="1/40"), 3, 64)
    one, parts = Rehearsal(size), Rehearsal(size)
    pieces = [table._attempts(n, parts) for n in [16384] * (size // 16384) + [rest] * bool(rest)]
    assert table._attempts(size, one).tolist() == np.concatenate(pieces).tolist()
    tiles = [piece.tolist() for piece in pieces]
    assert all(a != b for a, b in pairwise(tiles))


def test_the_odd_half_of_a_word_is_thrown_away():
    """Of three short words the fourth half is not used again; the next draw begins with a new word."""
    tape = ReplayedWords([1 + (2 << 32), 3 + (4 << 32), 5 + (6 << 32)])
    assert short_words(tape, 3).tolist() == [1, 2, 3] and short_words(tape, 2).tolist() == [5, 6]


@pytest.mark.parametrize("epsilon", ["1/100000", "1/1000000000", "1/1000000000000"])
def test_noise_of_small_budgets_leaves_32_bits(epsilon):
    """Scales of 10⁵, 10⁹, 10¹²: 20,000 (seeded) geometric numbers have the scale as mean, within 6 deviations."""
    draws, scale = geometric(Rate.of(epsilon=epsilon), 20000, Rehearsal(4)), float(1 / Fraction(epsilon))
    assert abs(draws.astype(float).mean() / scale - 1) < 6 / 20000**0.5 and draws.dtype == np.int64
    assert len(np.unique(draws % 1021)) == 1021, "the digits are stuck"


def test_records_of_two_parties_share_nothing():
    """The second party's rows, and what it knows of regions, are its own, also under one domain."""
    rows = special_rows(50, 1), special_rows(50, 2)
    records = [
        Records(SPECIAL.encode([r[:-1] for r in some]), SPECIAL.encode_labels([r[-1] for r in some]), SPECIAL)
        for some in rows
    ]
    inner = SPECIAL.everything.restrict(0, [0, 1, 2])
    for _ in range(2):
        for some, record in zip(rows, records, strict=True):
            (found,) = record.within([inner])
            assert found.tolist() == [i for i, row in enumerate(some) if row[0] <= 3]
