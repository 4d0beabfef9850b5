"""What the variants really cost: by an own ledger, by chapter 9's arithmetic, and over all that may be removed."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from fdpedu.accounting import BudgetExceeded, Charge, Ledger
from fdpedu.domain import Domain, Numeric
from fdpedu.experiments import VARIANTS
from fdpedu.sources.gubler import (
    PRINTED,
    PUBLISHED,
    Faults,
    Setting,
    cost_as_printed,
    dearest_cost,
    draw_sample,
    epsilon_spent,
    grow_runs,
    growing,
    path_cost,
)

SETTING = Setting(3, 250, 10, 5, "0.3")
SMALL = Setting(3, 250, 3, 3, "0.3", "1/3", "2/5")


def charged(asked, setting, faults, budget=1000):
    """What a ledger says that a path costs, on which everything is charged as it is asked."""
    domain = Domain([Numeric.grid("x", 0, 1, 2)], (0, 1))
    ledger = Ledger(budget, domain=domain)

    def pay(epsilon, what, releases=1):
        ledger.charge([Charge(domain.everything, epsilon, what, "m", 1, "c", releases=releases)])

    p, saved, node = setting.p, Fraction(0), (1 - setting.leaf_share) / setting.max_depth
    for q in asked:
        whole = node + saved
        for_bounds, each = setting.bounds_share * whole, (1 - setting.bounds_share) * whole / p
        for _ in range(p):
            pay(for_bounds if faults.undivided_bounds else for_bounds / p, "a bound")
        for _ in range(q):
            pay(each, "a histogram")
        saved = each * (p - q)
    pay(setting.leaf_share, "class counts")
    return ledger.spent


@pytest.mark.parametrize("faults", [PRINTED, Faults()], ids=["printed", "mended"])
@pytest.mark.parametrize("asked", [(3, 3, 3), (1, 1, 1), (1, 3, 2), (2,), ()])
def test_a_ledger_charges_what_is_stated(asked, faults):
    assert path_cost(asked, 1, SMALL, faults) == charged(asked, SMALL, faults)


def test_a_ledger_of_epsilon_refuses_the_printed_tree():
    with pytest.raises(BudgetExceeded):
        charged((3, 3, 3), SMALL, PRINTED, budget=1)
    assert charged((3, 3, 3), SMALL, Faults(), budget=1) == 1


@pytest.mark.parametrize(("p", "cost"), [(10, "17/8"), (25, 4), (50, "57/8")])
def test_nothing_removed(p, cost):
    """2.125ε, 4ε and 7.125ε for the report's shares; with a true sensitivity of 1 less."""
    setting = Setting(3, 250, p, 5, "0.3")
    assert path_cost([p] * 5, 2, setting, PRINTED) == 2 * Fraction(cost)
    assert path_cost([p] * 5, 1, setting, PRINTED, sensitivity=1) == cost_as_printed(1, p, 5, noise_for="5/4")


@pytest.mark.parametrize("asked", list(product((1, 2, 3), repeat=3)))
def test_chapter_9_counts_the_same(asked):
    removed = [3 - q for q in asked]
    assert path_cost(asked, 1, SMALL, PRINTED) == cost_as_printed(1, 3, 3, "1/3", "2/5", removed)


@pytest.mark.parametrize(
    "setting", [SMALL, Setting(3, 250, 2, 4, 0, "1/2", "1/10"), Setting(3, 250, 4, 2, 0, "9/10", "9/10")]
)
@pytest.mark.parametrize("faults", [PRINTED, Faults()], ids=["printed", "mended"])
def test_no_path_is_dearer_than_the_dearest(setting, faults):
    """Over all that may be removed on a path of any length: the maximum is attained, and nothing lies above it."""
    lengths = range(setting.max_depth + 1)
    paths = [path for k in lengths for path in product(range(1, setting.p + 1), repeat=k)]
    assert max(path_cost(path, 1, setting, faults) for path in paths) == dearest_cost(1, setting, faults)


def test_mended_nothing_costs_more_than_epsilon():
    assert dearest_cost("7/3", Setting(3, 250, 50, 10, "0.3"), Faults()) == Fraction(7, 3)


def test_what_is_spent():
    """∞ for the published trees and the baselines; ε for Algorithm 5; more for Algorithm 6 as printed."""
    for method in ("algorithm-5", "algorithm-6"):
        assert epsilon_spent(method, 1, SETTING, PUBLISHED) == "inf"
        assert epsilon_spent(method, 1, SETTING, Faults()) == 1
    assert epsilon_spent("algorithm-5", 1, SETTING, PRINTED) == epsilon_spent("default", 1, SETTING, Faults()) == 1
    assert 2 < epsilon_spent("algorithm-6", 1, SETTING, PRINTED) == dearest_cost(1, SETTING, PRINTED)
    assert epsilon_spent("central", 1, SETTING, Faults()) == epsilon_spent("local", 1, SETTING, PRINTED) == "inf"


@pytest.mark.parametrize("name", ["raw_ranges", "infinite_bounds", "short_bincount", "empty_child_is_leaf"])
def test_one_raw_indicator_is_enough(name):
    """Each of the four alone makes Algorithm 6 cost ∞; infinite bounds do not touch Algorithm 5, which asks none."""
    faults = Faults().with_(name)
    assert epsilon_spent("algorithm-6", 1, SETTING, faults) == "inf"
    assert epsilon_spent("algorithm-5", 1, SETTING, faults) == (1 if name == "infinite_bounds" else "inf")


def test_paths_of_runs_cost_no_more_than_the_dearest():
    """What trees really asked: as printed more than ε, at most the stated maximum; mended at most ε."""
    variant = VARIANTS["printed"]
    rows = [draw_sample(SETTING, PRINTED, np.random.default_rng(k)) for k in range(5)]
    grown = grow_runs(rows, SETTING, variant, saving=True, epsilon=10, rng=np.random.default_rng(1))
    costs = [path_cost(path, 1, SETTING, PRINTED) for path in grown.dearest]
    assert 1 < max(costs) <= dearest_cost(1, SETTING, PRINTED)
    assert max(path_cost(path, 1, SETTING, Faults()) for path in grown.dearest) <= 1


@pytest.mark.parametrize("name", ["printed", "corrected"])
def test_every_leaf_of_a_run_has_paid_what_its_path_costs(name, monkeypatch):
    """And the path that is kept for a run is the dearest of its leaves."""
    variant, leaves = VARIANTS[name], []
    finish = growing._Forest._finish

    def recorded(self, leaf, extra):
        for k in np.flatnonzero(leaf):
            leaves.append((int(self.run[k]), float(self.spent[k] + self.budget.leaf), tuple(self.path[k].tolist())))
        finish(self, leaf, extra)

    monkeypatch.setattr(growing._Forest, "_finish", recorded)
    rows = [draw_sample(SETTING, variant.faults, np.random.default_rng(k)) for k in range(3)]
    grown = grow_runs(rows, SETTING, variant, saving=True, epsilon=8, rng=np.random.default_rng(4))
    assert len({path for _, _, path in leaves}) > 1
    for _, spent, path in leaves:
        assert spent == pytest.approx(float(path_cost(path, 8, SETTING, variant.faults)))
    for run, path in enumerate(grown.dearest):
        most = max(spent for own, spent, _ in leaves if own == run)
        assert float(path_cost(path, 8, SETTING, variant.faults)) == pytest.approx(most)
