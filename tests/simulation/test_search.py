"""The split search for many nodes at once takes the splits of `GridSearch`: ties, large counts, many rivals."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.cart import GridSearch, exact_scaled_half_gini
from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.simulation.search import Search
from tests.support.simulated import domains, expected, listed, shaped


@settings(max_examples=60)
@given(
    domain=domains(),
    seed=st.integers(0, 10**6),
    most=st.sampled_from([1, 2, 3, 40]),
    scale=st.sampled_from([1, 700, 10**6, 10**9]),
    relative=st.booleans(),
)
def test_the_same_splits_among_tables_full_of_ties(domain, seed, most, scale, relative):
    """Small counts times a number: true ties stay ties, and beyond 2,200 rows only long integers can tell."""
    rng = np.random.default_rng(seed)
    tables = rng.integers(0, most + 1, size=(20, domain.n_codes, domain.n_classes)) * scale
    grid, cells, _ = shaped(domain, tables)
    own = GridSearch(domain).best_splits(tables, relative=relative)
    assert listed(grid, Search(grid).best(cells, relative=relative)) == expected([c and c.split for c in own])


@pytest.mark.parametrize("scale", [1, 9, 1100, 1101, 10**5, 10**8])
@pytest.mark.parametrize("relative", [False, True])
def test_a_difference_that_no_float_sees_is_seen(scale, relative):
    """The second feature is better by less than floats can tell of large counts; if as good, the first is taken."""
    domain = Domain([Numeric.grid("x", 0, 2, 2), Numeric.grid("y", 0, 2, 2)], (0, 1))
    rows = np.array([[[3, 1], [1, 3], [3, 1], [1, 3]]]) * scale
    for more, feature in ((0, 0), (1, 1), (-1, 0)):
        tables = rows.copy()
        tables[0, 2, 0] += more
        tables[0, 3, 0] -= more
        grid, cells, _ = shaped(domain, tables)
        (own,) = GridSearch(domain).best_splits(tables, relative=relative)
        assert listed(grid, Search(grid).best(cells, relative=relative)) == [(own.split.feature, own.split.left)]
        assert own.split.feature == feature


@settings(max_examples=40)
@given(domain=domains(), seed=st.integers(0, 10**6), shrink=st.sampled_from([0.25, 3.0]))
def test_the_same_splits_by_the_shrunk_gain(domain, seed, shrink):
    """In floats; also of raw counts below 0."""
    rng = np.random.default_rng(seed)
    for low in (0, -3):
        tables = rng.integers(low, 9, size=(20, domain.n_codes, domain.n_classes))
        grid, cells, _ = shaped(domain, tables)
        own = GridSearch(domain).best_splits(tables, shrink=shrink)
        assert listed(grid, Search(grid).best(cells, shrink=shrink)) == expected([c and c.split for c in own])


def test_nine_classes_are_added_up_in_the_same_order():
    """Eight numbers in a row are summed in another order than one after the other; so gains agree to the last digit."""
    domain = Domain([Numeric.grid("x", 0, 4, 4), Numeric.grid("y", 0, 3, 3)], range(9))
    tables = np.random.default_rng(4).integers(0, 2, size=(300, 7, 9))
    grid, cells, _ = shaped(domain, tables)
    own = GridSearch(domain).best_splits(tables, shrink=1.5)
    assert listed(grid, Search(grid).best(cells, shrink=1.5)) == expected([c and c.split for c in own])


# --- many rows, classes and rivals ------------------------------------------------------------------------------------


@pytest.mark.parametrize("scale", [1, 50, 1000, 10**7])
@pytest.mark.parametrize("relative", [False, True])
@pytest.mark.parametrize("better", range(5))
def test_the_best_of_many_rivals(better, relative, scale):
    """Five features that no float can tell apart at large counts; the one that is better by a record is found."""
    domain = Domain([Numeric.grid(f"x{j}", 0, 2, 2) for j in range(5)], (0, 1))
    tables = np.array([[[3, 1], [1, 3]] * 5]) * scale
    tables[0, 2 * better, 0] += 1
    tables[0, 2 * better + 1, 0] -= 1
    grid, cells, _ = shaped(domain, tables)
    own = GridSearch(domain).best_splits(tables, relative=relative)
    assert listed(grid, Search(grid).best(cells, relative=relative)) == expected([c and c.split for c in own])
    assert own[0].split.feature == better


@pytest.mark.parametrize("size", [2199, 2200, 2201, 4000, 30_000])
def test_tables_with_the_largest_numerators(size):
    """Around the number of rows up to which 64 bits are enough; halves and thirds of rows on a side."""
    domain = Domain([Numeric.grid(f"x{j}", 0, 3, 3) for j in range(3)], (0, 1, 2))
    rng, tables = np.random.default_rng(size), []
    for _ in range(40):
        base = rng.multinomial(size, np.ones(9) / 9).reshape(3, 3)
        tables.append(np.concatenate([base, base[::-1], base[[1, 0, 2]]]))
    tables = np.array(tables)
    grid, cells, _ = shaped(domain, tables)
    for relative in (False, True):
        own = GridSearch(domain).best_splits(tables, relative=relative)
        assert listed(grid, Search(grid).best(cells, relative=relative)) == expected([c and c.split for c in own])


@pytest.mark.parametrize("classes", [2, 3, 7, 8, 9])
@pytest.mark.parametrize("shrink", [0, 2.5])
def test_categories_and_borders_of_many_classes(classes, shrink):
    """One slot for each class of a feature without order; every kind of feature between two others."""
    features = [
        Categorical("v", list("abc")),
        Numeric.grid("x", 0, 4, 4),
        Categorical("w", list("abcd")),
        Numeric.grid("y", 0, 2, 2),
    ]
    domain = Domain(features, range(classes))
    rng = np.random.default_rng(classes)
    for most in (2, 30):
        tables = rng.integers(0, most, size=(60, domain.n_codes, classes))
        tables[:5] = 0
        tables[5:9, 1:] = 0
        grid, cells, _ = shaped(domain, tables)
        own = GridSearch(domain).best_splits(tables, shrink=shrink)
        found = Search(grid).best(cells, shrink=shrink)
        assert listed(grid, found) == expected([c and c.split for c in own])


# --- differences that no float can see, and what a score is worth in rows ---------------------------------------------


FIVE = Domain([Numeric.grid(f"x{j}", 0, 2, 2) for j in range(5)], (0, 1))


def along(steps, scales):
    """Tables of five features: 3s + k and s + k rows on the left, of 4s of each class; n·G is level in k but for k²."""
    sides = [((3 * s + k, s + k), (s - k, 3 * s - k)) for k, s in zip(steps, scales, strict=True)]
    return [cells for side in sides for cells in side]


def exact_scores(table, relative):
    found = []
    for left, right in zip(table[::2], table[1::2], strict=True):
        score = Fraction(exact_scaled_half_gini(left)) + Fraction(exact_scaled_half_gini(right))
        found.append(score / (sum(left) + sum(right)) if relative else score)
    return found


@pytest.mark.parametrize("relative", [False, True])
@pytest.mark.parametrize("scale", [10**7, 10**8, 3 * 10**8 + 1])
def test_differences_of_the_second_order(scale, relative):
    """Of five features one is better by a part in 10¹⁴ to 10¹⁷; others are as good as the first, or slightly worse."""
    rng = np.random.default_rng(scale % 1000)
    tables, best = [], []
    for _ in range(60):
        steps = rng.integers(-2, 3, 5)
        scales = scale * rng.integers(1, 4, 5) if relative else np.full(5, scale)
        tables.append(along(steps.tolist(), scales.tolist()))
        scores = exact_scores(tables[-1], relative)
        best.append(scores.index(min(scores)))
    tables = np.array(tables)
    grid, cells, _ = shaped(FIVE, tables)
    found = Search(grid).best(cells, relative=relative)
    assert found.feature.tolist() == best and found.found.all()
    own = GridSearch(FIVE).best_splits(tables, relative=relative)
    assert listed(grid, found) == expected([c and c.split for c in own])
    floats = Search(grid).sides(cells)[0].best / (cells.sum(axis=(0, 1)) if relative else 1)
    assert scale < 10**8 or floats.argmin(axis=1).tolist() != best  # floats alone would be wrong somewhere


@pytest.mark.parametrize("position", [0, 1, 2, 3])
def test_a_contest_in_any_node(position):
    """One node of four is contested, in which integers prefer the last feature."""
    clear = along([0] * 5, [5, 6, 7, 8, 9])
    tables = np.array([clear] * 4)
    tables[position] = along([0, 1, 0, -1, 2], [10**8] * 5)
    grid, cells, _ = shaped(FIVE, tables)
    features = [0] * 4
    features[position] = 4
    assert Search(grid).best(cells).feature.tolist() == features


def test_a_contest_of_many_classes_just_beyond_short_integers():
    """Nine classes and 2,300 to 9,000 rows, two features with equal or nearly equal sides."""
    domain, rng = Domain([Numeric.grid("x", 0, 2, 2), Numeric.grid("y", 0, 2, 2)], range(9)), np.random.default_rng(3)
    tables = []
    for n in (2300, 3000, 4000, 5000, 6500, 9000) * 8:
        left, right = (rng.multinomial(n // 2, np.ones(9) / 9) for _ in range(2))
        tables.append([left, right, right, left])
        moved = rng.permutation(9)
        tables.append([left, right, left[moved], right[moved]])
    tables = np.array(tables)
    grid, cells, _ = shaped(domain, tables)
    for relative in (False, True):
        own = GridSearch(domain).best_splits(tables, relative=relative)
        assert listed(grid, Search(grid).best(cells, relative=relative)) == expected([c and c.split for c in own])
        assert set(Search(grid).best(cells, relative=relative).feature.tolist()) == {0}


@pytest.mark.parametrize("classes", [2, 3, 5])
def test_scores_are_in_rows(classes):
    """n·G of each border of each way through the codes; the least of each; ∞ where no border has rows on both sides."""
    domain = Domain([Numeric.grid("x", 0, 4, 4), Categorical("w", list("abc"))], range(classes))
    rng = np.random.default_rng(classes)
    tables = rng.integers(0, 9, (30, 7, classes)) * (rng.random((30, 7, 1)) < 0.5)
    grid, cells, _ = shaped(domain, tables)
    search = Search(grid)
    sides, codes = search.sides(cells)
    for node, table in enumerate(tables):
        for slot, (feature, by, _) in enumerate(search.slots):
            own = table[:4] if feature == 0 else table[4:][codes[slot][:3, node]]
            assert (feature == 0) == (by is None)
            scores = []
            for border in range(len(own) - 1):
                left, right = own[: border + 1].sum(axis=0), own[border + 1 :].sum(axis=0)
                if left.any() and right.any():
                    scores.append(float(exact_scaled_half_gini(left.tolist()) + exact_scaled_half_gini(right.tolist())))
                    assert sides.scores[border, node, slot] == pytest.approx(scores[-1], rel=1e-14)
                else:
                    assert np.isnan(sides.scores[border, node, slot])
            assert sides.best[node, slot] == pytest.approx(min(scores, default=np.inf), rel=1e-14)


def test_only_what_is_allowed_is_looked_at():
    """By n·G unless it is asked otherwise; nothing where nothing is allowed."""
    rng = np.random.default_rng(4)
    tables = rng.integers(0, 6, (80, FIVE.n_codes, 2))
    tables[:, :2] *= 3
    grid, cells, _ = shaped(FIVE, tables)
    search = Search(grid)
    sides, codes = search.sides(cells)
    allowed = rng.random((80, 5)) < 0.5
    found = search.choice(codes, *sides.least_left(allowed=allowed))
    for node in range(80):
        scores = [
            score if fine else np.inf
            for score, fine in zip(exact_scores(tables[node], False), allowed[node], strict=True)
        ]
        scores = [np.inf if min(map(sum, tables[node][2 * j : 2 * j + 2])) == 0 else s for j, s in enumerate(scores)]
        assert found.found[node] == (min(scores) < np.inf)
        if found.found[node]:
            assert allowed[node, found.feature[node]] and found.feature[node] == scores.index(min(scores))
    every = search.choice(codes, *sides.least_left())
    assert np.array_equal(every.feature, search.best(cells).feature)
    assert not np.array_equal(every.feature, search.best(cells, relative=True).feature)
