"""Screened features: what each level costs, which features go on, and that each run keeps its own."""

from fractions import Fraction

import numpy as np
import pytest

from fdpedu.cart import GridSearch
from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.randomness import Rehearsal, ZeroWords
from fdpedu.simulation import own_shape
from fdpedu.simulation.designs import Noisy, Screened
from fdpedu.simulation.growth import predicted_labels
from fdpedu.simulation.methods import plan_of
from fdpedu.simulation.parameters import Parameters
from fdpedu.simulation.plan import Nodes
from fdpedu.trees import Design, stopping
from tests.support.simulated import coded

FIVE = Domain([*(Numeric.grid(f"x{j}", 0, 3, 3) for j in range(4)), Categorical("w", ["a", "b", "c"])], (0, 1))
KEEP = Design(keep=2, shrink=3, stop=stopping.never)


def some_rows(seed, n=60):
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, 3, (n, 5))
    return codes, ((codes[:, seed % 5] > 1) ^ (rng.random(n) < 0.1)).astype(int), rng.integers(0, 3, n)


def test_what_each_level_costs(monkeypatch):
    """Of (1−s)ε, shares as ⌊10√5⌋ and ⌊10√2⌋ are, for five histograms and then for two; leaves have what is left."""
    asked, own = [], Noisy.noisy

    def noisy(plan, counts, rate, source):
        asked.append((counts.ndim, rate.rate))
        return own(plan, counts, rate, source)

    monkeypatch.setattr(Noisy, "noisy", noisy)
    plan = plan_of(KEEP, FIVE, 3, 5, Parameters(max_depth=3, leaf_share="1/5"))
    predicted_labels(plan, coded((FIVE, *some_rows(0))), Rehearsal(1))
    levels = list(dict.fromkeys(rate for ndim, rate in asked if ndim == 4))
    assert levels == [Fraction(4 * 22, 50 * 5), Fraction(4 * 14, 50 * 2)]
    assert {rate for ndim, rate in asked if ndim == 2} <= {1, 1 + Fraction(4 * 14, 50), 1 + Fraction(8 * 14, 50)}


@pytest.mark.parametrize("seed", range(4))
def test_the_features_that_are_kept_are_those_of_a_grown_tree(seed):
    """Noisy counts of many roots, below 0 too, and features that nothing divides: as a design keeps them."""
    plan, rng = plan_of(KEEP, FIVE, 3, 5, Parameters(max_depth=3)), np.random.default_rng(seed)
    assert type(plan) is Screened
    tables = rng.integers(-4, 9, (40, 15, 2))
    tables[:10, 3:6] = 0
    cells = tables.reshape(40, 5, 3, 2).transpose(3, 2, 0, 1).astype(float)
    root = plan.at[0]
    kept = plan.kept(np.maximum(cells, 0), root)
    deviation = root.deviation(root.cell_rate)
    for table, found in zip(tables, kept, strict=True):
        assert np.flatnonzero(found).tolist() == list(KEEP.kept_features(table, GridSearch(FIVE), deviation))


def test_each_run_keeps_its_own_features(monkeypatch):
    """What a root is told by its own counts, its whole tree is told; below it no other feature is looked at."""
    told, own = [], Screened.decide

    def decide(plan, nodes, source):
        decided = own(plan, nodes, source)
        told.append((nodes.level, nodes.told, decided))
        return decided

    monkeypatch.setattr(Screened, "decide", decide)
    plan = plan_of(KEEP, FIVE, 3, 5, Parameters(max_depth=3))
    codes, labels, parties = some_rows(1)
    predicted_labels(plan, coded((FIVE, codes, labels, parties), 25), Rehearsal(3))
    kept = {tuple(row) for row in told[0][2].told.tolist()}
    assert told[0][1] is None and len(kept) > 3 and {sum(row) for row in kept} == {2}
    for level, from_above, decided in told:
        if level:
            found = np.flatnonzero(decided.choice.found)
            assert from_above[found, decided.choice.feature[found]].all() and len(found)


def test_features_fewer_than_may_be_kept():
    """All of them go on, at one cost for each level."""
    plan = plan_of("screened", Domain(FIVE.features[2:], (0, 1)), 3, 5, Parameters(max_depth=2, leaf_share="1/5"))
    assert [each.cell_rate.rate for each in plan.at] == [Fraction(2, 3)] * 2
    cells = np.zeros((2, 3, 4, 3))
    none = np.zeros(0, dtype=np.int64)
    nodes = Nodes(cells.astype(int), plan.grid.everything(4), np.zeros(4), none, none, none, False)
    assert plan.decide(nodes, ZeroWords()).told.tolist() == [[1, 1, 1]] * 8


def test_the_shape_of_a_screened_tree():
    """By N·ε; of a design that screens, too."""
    assert (
        own_shape("screened", 4000, "1/2") == own_shape(KEEP, 2000, 1) == {"max_depth": 5, "leaf_share": Fraction(1, 5)}
    )
    assert own_shape("screened", 1999, 1)["max_depth"] == 3 and own_shape("screened", 5000, 1)["max_depth"] == 6
