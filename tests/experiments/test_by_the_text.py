"""The printed variant against Algorithms 4 to 6 as written anew from the report's text, with no rule in common."""

import numpy as np
import pytest

from fdpedu.experiments import VARIANTS
from fdpedu.sources.gubler import PRINTED, Faults, Setting, draw_sample
from fdpedu.sources.gubler.budget import Budget
from fdpedu.sources.gubler.choosing import choose_and_remove, choose_split
from fdpedu.sources.gubler.counting import HIGH, LOW
from fdpedu.sources.gubler.growing import grow_runs
from tests.support.report_text import Tree, split_of_all, split_with_bounds


@pytest.mark.parametrize("saving", [False, True])
@pytest.mark.parametrize("p", [1, 3])
def test_a_node_s_split_is_that_of_the_text(p, saving):
    """Noise that is larger than the counts, so that totals are negative as often as not; and what is asked about."""
    rng, negative = np.random.default_rng(p), 0
    for _ in range(400):
        counts = rng.laplace(0, 60, (1, p, 2, 6)) + rng.integers(0, 20, (1, p, 2, 6))
        bounds = rng.laplace(3, 8, (1, p))
        found = choose_and_remove(counts, bounds, Faults()) if saving else choose_split(counts, Faults())
        tables = counts[0].tolist()
        chosen, asked = split_with_bounds(tables, bounds[0].tolist()) if saving else split_of_all(tables)
        assert (int(found.feature[0]), int(found.border[0])) == chosen
        assert np.flatnonzero(found.visited[0]).tolist() == sorted(asked)
        negative += counts[0].sum(axis=(1, 2)).min() < 0
    assert negative > 100


@pytest.mark.parametrize("case", range(40))
def test_a_tree_is_that_of_the_text(case, monkeypatch):
    """All labels of test rows and the root's split. Every node has the same noise, times the scale that it pays for."""
    saving, p, epsilon = case % 4 != 3, (1, 3, 10)[case % 3], (1, 4)[case % 2]
    setting, rng = Setting(3, 100, p, 4, "0.3"), np.random.default_rng(case)
    noise = {"histograms": rng.laplace(size=(p, 2, 10)), "bounds": rng.laplace(size=p), "leaf": rng.laplace(size=2)}
    of_shape = {(p, 2, 10): "histograms", (p,): "bounds", (2,): "leaf"}

    def same_for_all(budget, scale, shape):
        tables = np.broadcast_to(scale, shape[:1]).reshape(-1, *[1] * (len(shape) - 1))
        return tables * noise[of_shape[shape[1:]]]

    monkeypatch.setattr(Budget, "noise", same_for_all)
    one = draw_sample(setting, PRINTED, rng)
    rows = list(zip(one.X.tolist(), one.y.tolist(), strict=True))
    parties = [[row for row, own in zip(rows, one.party.tolist(), strict=True) if own == k] for k in range(5)]
    tree = Tree(
        parties,
        [np.linspace(LOW, HIGH, 11).tolist()] * p,
        epsilon=epsilon,
        depth=4,
        saving=saving,
        noise=lambda what, scale: (noise[what] * scale).tolist(),
    )
    grown = grow_runs([one], setting, VARIANTS["printed"], saving=saving, epsilon=epsilon, rng=rng)
    right = sum(tree.predict(x) == y for x, y in zip(one.X_test.tolist(), one.y_test.tolist(), strict=True))
    assert grown.correct.tolist() == [right]
    assert grown.roots[0].tolist() == ([-1, -1] if isinstance(tree.root, int) else [*tree.root[:2]])
