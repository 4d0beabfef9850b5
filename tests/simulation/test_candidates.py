"""The candidates of many regions, what each leaves, and that each way to divide a region is there once."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.randomness import ZeroWords
from fdpedu.simulation.candidates import Candidates, exponential_noise, in_steps, loss_of
from fdpedu.simulation.grid import Grid
from tests.support.choosing_laws import loss, partitions
from tests.support.simulated import domains

GAPS = Domain(
    [
        Numeric.grid("x", 0, 4, 4, missing=True),
        Categorical("w", ["a", "b", "c"]),
        Numeric.grid("y", 0, 2, 2),
        Categorical("v", ["d", "e"], missing=True),
        Numeric.grid("z", 0, 2, 2, missing=True),
    ],
    (0, 1, 2),
)


def listed(candidates, inside):
    """Of each region the features and sides of its candidates, in a list."""
    found = [[] for _ in range(inside.shape[1])]
    for position, node, slot in np.argwhere(candidates.dividing(inside)):
        j, left = candidates.feature_of[slot], candidates.left[position, slot]
        present = inside[:, node, j]
        sides = [frozenset(np.flatnonzero(side).tolist()) for side in (present & left, present & ~left)]
        found[node].append((int(j), frozenset(sides)))
    return found


def some_regions(grid, nodes, rng):
    """Regions as trees make them: codes of an ordered feature side by side, and perhaps the one of missing values."""
    inside = np.zeros((grid.most_codes, nodes, grid.n_features), dtype=bool)
    for j, feature in enumerate(grid.domain.features):
        gaps = feature.ordered and feature.missing
        for node in range(nodes):
            if feature.ordered:
                first, last = sorted(rng.integers(0, grid.sizes[j] - gaps, 2))
                inside[first : last + 1, node, j] = rng.random() < 0.9 or not gaps
                inside[grid.sizes[j] - 1, node, j] |= gaps and (rng.random() < 0.6 or not inside[:, node, j].any())
            else:
                inside[rng.choice(grid.sizes[j], rng.integers(1, grid.sizes[j] + 1), replace=False), node, j] = True
    return inside


@settings(max_examples=60)
@given(domain=domains(), seed=st.integers(0, 10**6))
def test_each_way_to_divide_a_region_is_a_candidate_once(domain, seed):
    """Against a list made from the definition; the missing code on either side, and alone against the rest once."""
    candidates, rng = Candidates(Grid(domain)), np.random.default_rng(seed)
    inside = some_regions(candidates.grid, 12, rng)
    for node, found in enumerate(listed(candidates, inside)):
        region = [frozenset(np.flatnonzero(inside[:, node, j]).tolist()) for j in range(domain.n_features)]
        assert len(found) == len(set(found)) and set(found) == set(partitions(domain, region))


def test_the_candidates_of_a_domain_by_hand():
    """Four bins with gaps: three borders twice, missing once; three categories; one; three; three."""
    candidates = Candidates(Grid(GAPS))
    per_feature = np.bincount([j for j, _ in listed(candidates, candidates.grid.everything(1))[0]])
    assert per_feature.tolist() == [7, 3, 1, 3, 3]
    numbers = Candidates(Grid(Domain([Numeric.grid("x", 0, 5, 5), Numeric.grid("y", 0, 2, 2)], (0, 1))))
    assert (
        numbers.positions == 4 and candidates.positions == 5 and candidates.feature_of.tolist() == [0, 1, 2, 3, 4, 0, 4]
    )


@pytest.mark.parametrize("seed", range(3))
def test_losses_are_those_of_the_rows(seed):
    """Of rows with gaps and categories, in nodes of their own: exact floors, of three losses."""
    candidates, rng = Candidates(Grid(GAPS)), np.random.default_rng(seed)
    grid = candidates.grid
    codes, at, labels = rng.integers(0, grid.sizes, (90, 5)), np.sort(rng.integers(0, 6, 90)), rng.integers(0, 3, 90)
    cells = grid.count(grid.places(codes.astype(np.uint8), labels), at, 6).astype(float)
    steps = {name: candidates.losses(cells, name, 1024) for name in ("mixed", "errors", "gini")}
    for position, node, slot in np.argwhere(candidates.dividing(grid.everything(6))):
        own, j, left = at == node, candidates.feature_of[slot], candidates.left[position, slot]
        sides = frozenset(frozenset(np.flatnonzero(s[: grid.sizes[j]]).tolist()) for s in (left, ~left))
        right = loss(GAPS, codes[own].tolist(), labels[own].tolist(), (j, sides))
        assert steps["mixed"][position, node, slot] == right
        both = [np.bincount(labels[own & (left[codes[:, j]] == side)], minlength=3) for side in (True, False)]
        errors = sum(int(counts.sum() - counts.max()) for counts in both)
        assert steps["errors"][position, node, slot] == 1024 * errors
        gini = sum(float(loss_of(counts.astype(float), "gini")) for counts in both)
        assert steps["gini"][position, node, slot] == math.floor(1024 * gini + 1e-9)


def test_losses_of_leaves_by_hand():
    """Three of one class and one of another: one error, ¾ of n·h; of no rows nothing; and whole numbers of steps."""
    assert [float(loss_of(np.array([3.0, 1.0]), name)) for name in ("errors", "gini", "mixed")] == [1, 0.75, 0.9375]
    assert loss_of(np.zeros((2, 3)), "mixed").tolist() == [0, 0, 0]
    assert in_steps(np.array([1 / 3 * 3, 0.1 + 0.2, 0.3]), 10).tolist() == [10, 3, 3]


def test_exponential_noise_of_the_least_word():
    """A word of zeros stands for the middle of the first of 2⁵³ intervals of equal probability."""
    assert exponential_noise((2,), ZeroWords()).tolist() == pytest.approx([2.0**-54] * 2, rel=1e-9, abs=0)
