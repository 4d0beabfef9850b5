"""Differences that no float can see, candidates that are not allowed, and what a score is worth in rows."""

from fractions import Fraction

import numpy as np
import pytest

from fdpedu.cart import GridSearch, exact_scaled_half_gini
from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.simulation.printed import best_as_printed
from fdpedu.simulation.search import Search
from tests.simulation.test_search import expected, listed, shaped

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
        for slot, (feature, by) in enumerate(search.slots):
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


def test_printed_splits_are_compared_by_g_unless_it_is_asked_otherwise():
    """As the report prints it."""
    tables = np.random.default_rng(5).integers(-2, 9, (50, FIVE.n_codes, 2))
    grid, cells, there = shaped(FIVE, tables)
    default, relative, scaled = (
        listed(grid, best_as_printed(grid, cells, there, **options))
        for options in ({}, {"relative": True}, {"relative": False})
    )
    assert default == relative != scaled
