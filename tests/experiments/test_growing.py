"""Trees with and without the faults: the batch equals the recursion, no noise gives CART on the grid, laws agree."""

import random

import numpy as np
import pytest

from fdpedu.cart import fit_cart
from fdpedu.datasets import mixture_domain
from fdpedu.experiments import VARIANTS
from fdpedu.sources.gubler import CONSEQUENCES, PRINTED, PUBLISHED, Faults, Setting, Variant, draw_sample, growing
from fdpedu.sources.gubler.budget import Budget
from fdpedu.sources.gubler.growing import grow_runs
from fdpedu.sources.gubler.sample import Sample
from tests.support.report_trees import grow_tree


def samples(setting, faults, runs, seed=0):
    return [draw_sample(setting, faults, np.random.default_rng([seed, run])) for run in range(runs)]


def batch(rows, setting, variant, saving, epsilon=1.0, rng=None):
    return grow_runs(rows, setting, variant, saving=saving, epsilon=epsilon, rng=rng)


def readable(rows, setting, variant, saving, epsilon=1.0, rng=None):
    found = (grow_tree(one, setting, variant, saving=saving, epsilon=epsilon, rng=rng) == one.y_test for one in rows)
    return [int(right.sum()) for right in found]


@pytest.mark.parametrize("case", range(40))
def test_the_batch_is_the_recursion_without_noise(case):
    """Bit for bit, for random faults, depths and features, and whether it saves."""
    draw = random.Random(case)
    faults = Faults(**{name: draw.random() < 0.5 for name in CONSEQUENCES})
    variant, saving = Variant("tried", faults, clip=draw.random() < 0.5), draw.random() < 0.6
    setting = Setting(
        draw.choice([2, 3]), draw.choice([10, 30, 100]), draw.choice([1, 2, 5]), draw.choice([1, 3, 6]), 0.3
    )
    rows = samples(setting, faults, 3, case)
    assert batch(rows, setting, variant, saving).correct.tolist() == readable(rows, setting, variant, saving)


@pytest.mark.parametrize("saving", [False, True])
@pytest.mark.parametrize("name", ["printed", "published"])
def test_the_batch_has_the_law_of_the_recursion(name, saving):
    """Two-sided, 80 runs of each: the means differ by less than 4 se; a false alarm in 16,000."""
    setting, variant = Setting(3, 40, 3, 3, "0.3"), VARIANTS[name]
    rows = samples(setting, variant.faults, 1) * 80
    fast = batch(rows, setting, variant, saving, 6.0, np.random.default_rng(1)).correct
    slow = np.array(readable(rows, setting, variant, saving, 6.0, np.random.default_rng(2)))
    assert abs(fast.mean() - slow.mean()) < 4 * np.sqrt((fast.var() + slow.var()) / 80)
    assert fast.std() > 0 and slow.std() > 0


@pytest.mark.parametrize("seed", range(5))
def test_without_noise_it_is_cart_on_the_grid(seed):
    """Mended, Algorithm 5 grows the tree of chapter 1, and Algorithm 6 has a root as good: true bounds remove nothing
    that is better."""
    setting, domain = Setting(3, 100, 4, 3, "0.3"), mixture_domain(4)
    rows = samples(setting, Faults(), 1, seed)[0]
    tree = fit_cart(rows.X, rows.y, grid=domain, max_depth=3, min_samples_split=10)
    right = int((np.array(tree.predict(rows.X_test)) == rows.y_test).sum())
    five, six = (batch([rows], setting, VARIANTS["corrected"], saving) for saving in (False, True))
    assert five.correct.tolist() == [right]
    assert split_impurity(rows, five.roots[0]) == pytest.approx(split_impurity(rows, six.roots[0]))


def split_impurity(rows, root):
    """n·G of a split of all rows between two bins of the public grid."""
    left = rows.X[:, root[0]] <= -5 + 9 * (root[1] + 1) / 10
    return sum(len(s) * s.mean() * (1 - s.mean()) for s in (rows.y[left], rows.y[~left]))


def test_runs_do_not_mix():
    """Runs grown together are what each is alone; the order of rows does not matter."""
    setting, variant = Setting(3, 100, 5, 4, "0.3"), VARIANTS["published"]
    rows = samples(setting, PUBLISHED, 4)
    together = batch(rows, setting, variant, True)
    alone = [batch([one], setting, variant, True) for one in rows]
    assert together.correct.tolist() == [int(found.correct[0]) for found in alone]
    assert together.dearest == tuple(found.dearest[0] for found in alone)
    order = np.random.default_rng(1).permutation(len(rows[0].y))
    mixed = rows[0]._replace(X=rows[0].X[order], y=rows[0].y[order], party=rows[0].party[order])
    assert batch([mixed], setting, variant, True).correct[0] == together.correct[0]


def test_blocks_change_nothing(monkeypatch):
    """One node at a time, or all of a level: the same noise, the same trees."""
    setting, variant = Setting(3, 100, 5, 4, "0.3"), VARIANTS["printed"]
    rows = samples(setting, PRINTED, 3)
    whole = batch(rows, setting, variant, False)
    monkeypatch.setattr("fdpedu.sources.gubler.growing.CELLS", 1)
    assert batch(rows, setting, variant, False).correct.tolist() == whole.correct.tolist()


def test_test_rows_do_not_touch_the_tree():
    """Rows to be tested on are scored and nothing else: with other ones, the same root and the same paths."""
    setting, variant = Setting(3, 100, 5, 4, "0.3"), VARIANTS["published"]
    one, other = samples(setting, PUBLISHED, 2)
    moved = one._replace(X_test=other.X_test, y_test=1 - other.y_test)
    found = [batch([rows], setting, variant, True, 5.0) for rows in (one, moved)]
    assert found[0].roots.tolist() == found[1].roots.tolist() and found[0].dearest == found[1].dearest


def test_the_mirror_is_learnt_as_well():
    """Classes exchanged and features negated, the mixture is the same law: accuracies differ by less than 4 se."""
    setting, variant = Setting(3, 100, 5, 3, "0.3"), VARIANTS["corrected"]
    rows = samples(setting, Faults(), 100)
    mirror = [one._replace(X=-one.X, y=1 - one.y, X_test=-one.X_test, y_test=1 - one.y_test) for one in rows]
    a, b = (batch(part, setting, variant, False, 5.0, np.random.default_rng(3)).correct for part in (rows, mirror))
    assert abs((a - b).mean()) < 4 * (a - b).std() / 10


@pytest.mark.parametrize("grow", [batch, readable])
@pytest.mark.parametrize("margin", [True, False])
def test_saved_budget_reaches_a_leaf_without_a_split_as_published(grow, margin, monkeypatch):
    """The root's children have equal rows and no split; it asked one feature of two, so half is handed down."""
    scales = []

    def silent(self, scale, shape):
        scales.append(float(np.ravel(scale)[0]))
        return np.zeros(shape)

    monkeypatch.setattr("fdpedu.sources.gubler.budget.Budget.noise", silent)
    faults = Faults(clipped_shares=True, infinite_bounds=True, leaf_margin=margin)
    x, y = np.repeat([0.0, 3.0], 20)[:, None].repeat(2, axis=1), np.array([0] * 19 + [1] + [1] * 19 + [0])
    one = Sample(x, y, np.zeros(40, dtype=np.int64), x[:1], y[:1])
    grow([one], Setting(3, 40, 2, 2, "0.3"), Variant("tried", faults), True)
    saved = 0.75 * 0.25 / 2  # of a node's ε/4, three quarters are for two histograms, and one is left out
    assert scales[-1] == pytest.approx(1 / (0.5 + saved * margin))


# --- in blocks, and what leaves have ----------------------------------------------------------------------------------


@pytest.fixture
def scales(monkeypatch):
    """Of every release of a node or leaf its shape and the scale of its noise; there is no noise."""
    found = []

    def noise(budget, scale, shape):
        found.extend((shape[1:], round(float(s), 9)) for s in np.broadcast_to(scale, shape[:1]))
        return np.zeros(shape)

    monkeypatch.setattr(Budget, "noise", noise)
    return found


def in_blocks(rows, setting, variant, block, scales):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(growing, "CELLS", block * setting.p * 20)
        grown = grow_runs(rows, setting, variant, saving=True, epsilon=1, rng=None)
    found = grown.correct.tolist(), grown.dearest, sorted(scales)
    scales.clear()
    return found


def one_tree_each(rows, setting, variant, scales):
    labels = [grow_tree(one, setting, variant, saving=True, epsilon=1, rng=None) for one in rows]
    found = [int((own == one.y_test).sum()) for own, one in zip(labels, rows, strict=True)], sorted(scales)
    scales.clear()
    return found


@pytest.mark.parametrize("case", range(8))
def test_nodes_in_blocks_are_those_of_the_recursion(case, scales):
    """Labels and budgets, in blocks of three, of seven and of eleven nodes, whose last are shorter, or all at once."""
    draw = random.Random(case)
    faults = Faults(**{name: draw.random() < 0.5 for name in CONSEQUENCES} | {"leaf_margin": case % 2 == 0})
    variant, setting = Variant("tried", faults), Setting(3, 100, 4, 5, "0.3", "1/3", "2/5")
    rows = [draw_sample(setting, faults, np.random.default_rng([case, run])) for run in range(5)]
    found = [in_blocks(rows, setting, variant, block, scales) for block in (3, 7, 11, 10**6)]
    assert found[0] == found[1] == found[2] == found[3]
    assert one_tree_each(rows, setting, variant, scales) == (found[0][0], found[0][2])


@pytest.mark.parametrize("margin", [False, True])
def test_what_a_leaf_without_a_split_has_is_what_was_saved_above_it(margin, scales):
    """Each leaf for itself: features of two values are used up at nodes that differ in what was saved above them."""
    variant, setting = Variant("tried", Faults(leaf_margin=margin)), Setting(3, 800, 4, 6, 0, "1/3", "2/5")
    rng, rows = np.random.default_rng(5), []
    for _ in range(4):
        X, X_test = (rng.choice([-3.0, 3.0], (800, 4)) for _ in range(2))
        chance = 0.2 + (X > 0) @ [0.4, 0.2, 0.1, 0.0] - 0.3 * (X[:, 0] > 0) * (X[:, 3] > 0)
        y = (rng.random(800) < chance).astype(np.int64)
        rows.append(Sample(X, y, np.arange(800) % 5, X_test, rng.integers(0, 2, 800)))
    found = in_blocks(rows, setting, variant, 10**6, scales)
    assert one_tree_each(rows, setting, variant, scales) == (found[0], found[2])
    leaves = {scale for shape, scale in found[2] if shape == (2,)}
    assert (len(leaves) > 2) == margin
