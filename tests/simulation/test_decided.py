"""What is decided of a node, by hand: scores of an aggregator, rules of one's own, and what leaves read that reuse."""

from fractions import Fraction

import numpy as np
import pytest

from fdpedu.cart import exact_scaled_half_gini
from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.randomness import ZeroWords
from fdpedu.simulation import Rows, growth
from fdpedu.simulation.forest import Forest
from fdpedu.simulation.growth import predicted_labels
from fdpedu.simulation.methods import Parameters, plan_of
from fdpedu.simulation.plan import Nodes, Views
from fdpedu.simulation.search import Choice
from fdpedu.simulation.trusted import Trusted
from fdpedu.trees import Design, stopping

GRID = Domain([Numeric.grid("x", 0, 5, 5), Numeric.grid("y", 0, 3, 3), Numeric.grid("z", 0, 2, 2)], (0, 1, 2))
FIVE = Domain(GRID.features, range(5))
MIXED = Domain([Numeric.grid("x", 0, 2, 2), Categorical("w", list("abcd")), Numeric.grid("y", 0, 3, 3)], (0, 1, 2))
RULES = (stopping.confident, stopping.averaged, stopping.as_printed, stopping.as_printed_unclipped)


class Half(ZeroWords):
    """All words have their highest bit."""

    def words(self, size):
        return np.full(size, 2**63, dtype=np.uint64)


def regions(grid, nodes, rng):
    """In each node some codes of each feature, which lie side by side."""
    inside = np.zeros((grid.most_codes, nodes, grid.n_features), dtype=bool)
    for node in range(nodes):
        for j, size in enumerate(grid.sizes):
            first, last = sorted(rng.integers(0, size, 2))
            inside[first : last + 1, node, j] = True
    return inside


@pytest.mark.parametrize("lattice", [1, 3, 16])
@pytest.mark.parametrize("method", ["exponential", "permute-and-flip"])
def test_scores_of_an_aggregator(method, lattice, monkeypatch):
    """−ε·⌊m·n·G⌋/m of each border that divides the node's region, rows on both sides or on one; −∞ elsewhere."""
    plan = plan_of(method, FIVE, 3, 6, Parameters(max_depth=1, lattice=lattice))
    monkeypatch.setattr(Trusted, "noise", lambda plan, shape, source: np.zeros(shape))
    rng = np.random.default_rng(lattice)
    inside = regions(plan.grid, 40, rng)
    cells = rng.integers(0, 7, (5, 5, 40, 3)) * inside * (rng.random((1, 5, 40, 3)) < 0.6)
    cells[:, :, :4] = 0
    cells[1:, :, 4:8] = 0
    scores = plan.noisy_scores(cells.astype(float), inside, ZeroWords())
    for node in range(40):
        for j in range(3):
            for border in range(4):
                sides = slice(None, border + 1), slice(border + 1, None)
                if not all(inside[side, node, j].any() for side in sides):
                    assert scores[border, node, j] == -np.inf
                    continue
                rows = [cells[:, side, node, j].sum(axis=1).tolist() for side in sides]
                loss = lattice * sum((Fraction(exact_scaled_half_gini(row)) for row in rows), Fraction(0)) // 1
                assert scores[border, node, j] == pytest.approx(-3 * int(loss) / lattice, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("method", ["exponential", "permute-and-flip"])
def test_the_largest_score_is_taken(method, monkeypatch):
    """Of all borders of all features; none where no border divides the region; the first of equals."""
    plan = plan_of(method, GRID, 3, 6, Parameters(max_depth=1))
    rng = np.random.default_rng(2)
    scores = rng.integers(-9, 0, (4, 200, 3)).astype(float)
    scores[rng.random(scores.shape) < 0.5] = -np.inf
    scores[:, :5] = -np.inf
    monkeypatch.setattr(Trusted, "noisy_scores", lambda plan, cells, inside, source: scores)
    none = np.zeros(0, dtype=np.int64)
    nodes = Nodes(np.zeros((3, 5, 200, 3), int), plan.grid.everything(200), np.arange(200.0), none, none, none, True)
    decided = plan.decide(nodes, ZeroWords())
    assert decided.saved.tolist() == list(range(200)) and decided.views is None and decided.sides is None
    for node in range(200):
        best = scores[:, node].max()
        assert decided.choice.found[node] == (best > -np.inf)
        if best > -np.inf:
            feature = min(j for j in range(3) if scores[:, node, j].max() == best)
            border = scores[:, node, feature].tolist().index(best)
            assert decided.choice.feature[node] == feature
            assert decided.choice.left[node].tolist() == [code <= border for code in range(5)]


@pytest.mark.parametrize("method", ["exponential", "permute-and-flip"])
def test_noise_of_the_least_word(method):
    """A word of zeros stands for the middle of the first of 2⁵³ intervals of equal probability."""
    plan = plan_of(method, GRID, 3, 6, Parameters(max_depth=1))
    exponential = plan.noise((2, 3), ZeroWords()) if plan.flips else np.exp(-plan.noise((2, 3), ZeroWords()))
    assert exponential.shape == (2, 3) and exponential == pytest.approx(2.0**-54, rel=1e-9, abs=0)
    half = plan.noise((1,), Half()) if plan.flips else np.exp(-plan.noise((1,), Half()))
    assert half == pytest.approx(np.log(2))


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


@pytest.mark.parametrize("least", [2, 5, 9])
def test_where_cart_stops(least):
    """At a node of fewer rows, or of one class, each node for itself; else where any border has rows on both sides."""
    plan = plan_of("central", GRID, 3, None, Parameters(max_depth=1, min_samples_split=least))
    rng, number, none = np.random.default_rng(least), 120, np.zeros(0, dtype=np.int64)
    rows = rng.integers(0, 12, number)
    at = np.repeat(np.arange(number), rows)
    codes = (rng.random((len(at), 3)) * [5, 3, 2] * rng.choice([0.1, 1], (number, 1))[at]).astype(np.uint8)
    labels = (rng.integers(0, 3, len(at)) * (rng.random(number) < 0.7)[at]).astype(np.int64)
    counts = plan.grid.count(plan.grid.places(codes, labels), at, number)
    nodes = Nodes(counts, plan.grid.everything(number), np.arange(number) / 4, none, none, none, False)
    decided = plan.decide(nodes, ZeroWords())
    assert decided.saved.tolist() == (np.arange(number) / 4).tolist() and decided.views is None
    for node in range(number):
        own = at == node
        several = len(set(labels[own].tolist())) > 1 and any(len(set(column.tolist())) > 1 for column in codes[own].T)
        assert decided.choice.found[node] == (rows[node] >= least and several)
    assert 0 < decided.choice.found.sum() < number


@pytest.mark.parametrize("domain", [GRID, MIXED], ids=["ordered", "mixed"])
@pytest.mark.parametrize("consistent", [False, True])
def test_leaves_that_reuse_histograms_in_parts_of_a_level(domain, consistent, monkeypatch):
    """Nodes decided one by one, three by three or all at once: the same labels, of several runs."""
    design = Design(fresh_leaves=False, consistent=consistent, shrink=1)
    plan = plan_of(design, domain, 2, 3, Parameters(max_depth=3, min_samples_split=4))
    rng, sizes = np.random.default_rng(6), plan.grid.sizes
    codes, tests = (rng.integers(0, sizes, (4, n, 3)) for n in (80, 40))
    labels = (codes[..., 0] + codes[..., 1] * (np.arange(4)[:, None] + 1)) % 3
    rows = Rows(domain, codes, labels, labels % 2, tests, np.zeros((4, 40), int), 2)
    at_once = predicted_labels(plan, rows, ZeroWords()).tolist()
    for most in (1, 3 * plan.grid.cells_per_node):
        monkeypatch.setattr(growth, "CELLS", most)
        assert predicted_labels(plan, rows, ZeroWords()).tolist() == at_once
    assert len(set(map(tuple, at_once))) == 4 and {label for run in at_once for label in run} == {0, 1, 2}


def test_classes_are_equal_that_differ_by_less_than_a_thousandth():
    """The first of them is predicted; more than that tells."""
    forest = Forest(4, 3)
    released = np.array([[1.0001, 1.0004, 1.0004], [1.0, 1.002, 1.0015], [5.0, 5.0, 5.0004], [-3.0, -2.999, -2.9988]])
    forest.learn(None, np.arange(4), released, 1.0)
    assert forest.labels(reconciled=False).tolist() == [0, 1, 0, 1]
