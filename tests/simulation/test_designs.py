"""What a design decides of a node: rules of one's own, every table of a node, and what leaves read that reuse."""

from collections import Counter
from itertools import combinations, product

import numpy as np
import pytest

from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.randomness import Rehearsal, ZeroWords
from fdpedu.simulation import CodedRows, growth
from fdpedu.simulation.designs import Noisy
from fdpedu.simulation.growth import predicted_labels
from fdpedu.simulation.methods import plan_of
from fdpedu.simulation.parameters import Parameters
from fdpedu.simulation.plan import Nodes, Views
from fdpedu.simulation.search import Choice
from fdpedu.sources.gubler import AsPrinted
from fdpedu.sources.gubler.tree import stops_as_printed
from fdpedu.trees import DESIGNS, Design, stopping
from tests.support.chi import agrees
from tests.support.simulated import regions

GRID = Domain([Numeric.grid("x", 0, 5, 5), Numeric.grid("y", 0, 3, 3), Numeric.grid("z", 0, 2, 2)], (0, 1, 2))
MIXED = Domain([Numeric.grid("x", 0, 2, 2), Categorical("w", list("abcd")), Numeric.grid("y", 0, 3, 3)], (0, 1, 2))
RULES = (stopping.confident, stopping.averaged, stopping.as_printed, stops_as_printed)


def decisions(design, domain, cells, asked, least):
    plan = plan_of(design, domain, 3, 5, Parameters(max_depth=3, min_samples_split=least))
    return plan.judged(cells * asked, asked)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
@pytest.mark.parametrize("domain", [GRID, MIXED], ids=["ordered", "mixed"])
def test_a_rule_of_ones_own_sees_what_a_known_rule_sees(rule, domain):
    """All codes of all features at their places: it decides the same, and totals are the same."""
    grid = plan_of(Design(), domain, 3, 1, Parameters()).grid
    rng = np.random.default_rng(3)
    asked = regions(grid, 150, rng)
    cells = rng.integers(-4, 9, (3, grid.most_codes, 150, grid.n_features)).astype(float)
    for least in (30, 5):
        known = decisions(Design(stop=rule, consistent=False), domain, cells, asked, least)
        own = decisions(Design(stop=lambda *seen: rule(*seen), consistent=False), domain, cells, asked, least)
        for one, other in zip(known[0], own[0], strict=True):
            assert np.array_equal(one, other)
        if rule is not stopping.as_printed:  # which is shown clipped totals
            assert np.allclose(known[1].counts, own[1].counts)
        assert np.allclose(known[1].variance, own[1].variance)
    assert 0 < known[0].found.sum() < 150


@pytest.mark.parametrize("epsilon", ["1/3", 4])
@pytest.mark.parametrize("domain", [GRID, MIXED], ids=["ordered", "mixed"])
def test_what_leaves_read_that_have_no_counts_of_their_own(domain, epsilon):
    """Sides: the chosen histogram, with as many noises as codes. The node, once split: the others, by their weights."""
    design = Design(fresh_leaves=False)
    plan = plan_of(design, domain, 4, epsilon, Parameters(max_depth=2, tolerate=1))
    grid, rng = plan.grid, np.random.default_rng(4)
    asked = regions(grid, 60, rng)
    asked[:, :6, 1:] = False  # nothing else was asked for
    cells = rng.integers(-4, 9, (3, grid.most_codes, 60, 3)) * asked.astype(float)
    choice = Choice(rng.random(60) < 0.7, rng.integers(0, 3, 60), rng.random((60, grid.most_codes)) < 0.5)
    choice.feature[:6] = 0
    views = Views(rng.normal(0, 5, (60, 3)), rng.uniform(1, 5, 60))
    saved, none = np.arange(60.0), np.zeros(0, dtype=np.int64)
    for deepest in (False, True):
        nodes = Nodes(cells.astype(int), asked, saved, none, none, none, deepest)
        decided = plan.learnt(nodes, cells, asked, choice, views)
        assert decided.choice is choice and decided.saved is saved
        if not deepest:
            assert decided.views is views and decided.sides is None
    variance = plan.deviation(plan.cell_rate) ** 2
    assert variance == pytest.approx(2 * 4 / 3 * np.exp(-float(plan.cell_rate)) / np.expm1(-float(plan.cell_rate)) ** 2)
    for node in range(60):
        j, known = choice.feature[node], asked[:, node]
        for side, goes in enumerate((choice.left[node], ~choice.left[node])):
            own = known[:, j] & goes
            assert decided.sides.counts[2 * node + side].tolist() == cells[:, own, node, j].sum(axis=1).tolist()
            assert decided.sides.variance[2 * node + side] == pytest.approx(variance * own.sum())
        if not choice.found[node]:
            assert np.array_equal(decided.views.counts[node], views.counts[node])
            assert decided.views.variance[node] == views.variance[node]
            continue
        others = [k for k in range(3) if k != j and known[:, k].any()]
        weights = [1 / known[:, k].sum() for k in others]
        if not others:
            assert decided.views.variance[node] > 1e20 and not decided.views.counts[node].any()
            continue
        mean = sum(w * cells[:, :, node, k].sum(axis=1) for w, k in zip(weights, others, strict=True)) / sum(weights)
        assert decided.views.counts[node] == pytest.approx(mean)
        assert decided.views.variance[node] == pytest.approx(variance / sum(weights))


@pytest.mark.parametrize("domain", [GRID, MIXED], ids=["ordered", "mixed"])
@pytest.mark.parametrize("consistent", [False, True])
def test_leaves_that_reuse_histograms_in_parts_of_a_level(domain, consistent, monkeypatch):
    """Nodes decided one by one, three by three or all at once: the same labels, of several runs."""
    design = Design(fresh_leaves=False, consistent=consistent, shrink=1)
    plan = plan_of(design, domain, 2, 3, Parameters(max_depth=3, min_samples_split=4))
    rng, sizes = np.random.default_rng(6), plan.grid.sizes
    codes, tests = (rng.integers(0, sizes, (4, n, 3)) for n in (80, 40))
    labels = (codes[..., 0] + codes[..., 1] * (np.arange(4)[:, None] + 1)) % 3
    rows = CodedRows(domain, codes, labels, labels % 2, tests, np.zeros((4, 40), int), 2)
    at_once = predicted_labels(plan, rows, ZeroWords()).tolist()
    for most in (1, 3 * plan.grid.cells_per_node):
        monkeypatch.setattr(growth, "CELLS", most)
        assert predicted_labels(plan, rows, ZeroWords()).tolist() == at_once
    assert len(set(map(tuple, at_once))) == 4 and {label for run in at_once for label in run} == {0, 1, 2}


LARGE = Domain([Numeric.grid("x", 0, 4, 4), Numeric.grid("y", 0, 3, 3), Numeric.grid("z", 0, 2, 2)], (0, 1, 2))
LARGE_MIXED = Domain([Numeric.grid("x", 0, 4, 4), Categorical("w", ["a", "b", "c"])], (0, 1, 2))
JUDGED = {
    "as printed": (AsPrinted(), 9),
    "clipped": (DESIGNS["algorithm-5-clipped"], 30),
    "averaged": (Design(stop=stopping.averaged), 9),
    "own rule": (AsPrinted(stop=lambda level, least: level.tables.sum(axis=(1, 2)) < 3 * least), 9),
}


@pytest.mark.parametrize(("design", "rows"), JUDGED.values(), ids=JUDGED)
@pytest.mark.parametrize("domain", [LARGE, LARGE_MIXED], ids=["ordered", "mixed"])
def test_a_larger_unit_of_counting_changes_no_decision(design, rows, domain):
    """Counts and the least number of rows times 2³²: the same leaves, the same splits, and totals times 2³²."""
    plans = [plan_of(design, domain, 3, 1, Parameters(min_samples_split=least)) for least in (rows, rows * 2**32)]
    grid, rng = plans[0].grid, np.random.default_rng(1)
    everything = grid.everything(200)
    cells = rng.integers(-3, 8, (3, grid.most_codes, 200, grid.n_features)) * everything
    small, large = (plan.judged(cells * float(unit), everything) for plan, unit in zip(plans, (1, 2**32), strict=True))
    for one, other in zip(small[0], large[0], strict=True):
        assert np.array_equal(one, other)
    assert 0 < small[0].found.sum() < 200
    assert np.allclose(small[1].counts * 2**32, large[1].counts) and np.allclose(small[1].variance, large[1].variance)


# --- which features a node asks for -----------------------------------------------------------------------------------


WIDE = Domain([Numeric.grid(f"x{j}", 0, 3, 3) for j in range(4)], (0, 1))


@pytest.mark.parametrize("q", [1, 2, 3])
@pytest.mark.parametrize("narrow", [(), (2,), (0, 3)])
def test_which_features_a_node_asks_for(q, narrow):
    """All sets of q are as likely, in each node for itself; a feature with one code left comes after all others."""
    plan = plan_of(Design(features_per_node=q, consistent=False), WIDE, 5, 1, Parameters())
    inside = plan.grid.everything(8_000)
    inside[1:, :, list(narrow)] = False
    asked = plan.asked(inside, Rehearsal(q))
    taken = asked.any(axis=0)
    assert not (asked & ~inside).any() and (taken.sum(axis=1) == q).all()
    assert np.array_equal(asked, inside & taken)
    wide = [j for j in range(4) if j not in narrow]
    sets = [frozenset(range(4)).intersection(chosen) for chosen in combinations(range(4), q)]
    sets = [chosen for chosen in sets if len(chosen.intersection(wide)) == min(q, len(wide))]
    found = [frozenset(np.flatnonzero(row).tolist()) for row in taken]
    pairs = Counter(zip(found[::2], found[1::2], strict=True))
    if len(sets) == 1:
        assert set(found) == set(sets)
        return
    agrees(pairs, {pair: 1 / len(sets) ** 2 for pair in product(sets, repeat=2)})


def test_the_first_features_are_asked_for_without_coins():
    """Where all coins are equal, those with two codes or more in order, and all of them if there are no more than q."""
    domain = Domain([Numeric.grid(f"x{j}", 0, 2, 2) for j in range(60)], (0, 1))
    plan = plan_of(Design(features_per_node=7, consistent=False), domain, 5, 1, Parameters())
    inside = plan.grid.everything(3)
    inside[1, 1, ::2] = False
    taken = plan.asked(inside, ZeroWords()).any(axis=0)
    assert [np.flatnonzero(row).tolist() for row in taken] == [[*range(7)], [*range(1, 14, 2)], [*range(7)]]
    every = plan_of(Design(features_per_node=60, consistent=False), domain, 5, 1, Parameters())
    assert isinstance(every, Noisy) and every.asked(inside, ZeroWords()) is inside
