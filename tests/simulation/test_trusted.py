"""What a trusted aggregator takes: scores and splits by hand, by their exact law, and what noise its leaves have."""

from collections import Counter
from fractions import Fraction
from itertools import permutations, product

import numpy as np
import pytest

from fdpedu.cart import exact_scaled_half_gini
from fdpedu.domain import Domain, Numeric
from fdpedu.mechanisms import exponential_pmf, permute_and_flip_pmf
from fdpedu.randomness import Rehearsal, ZeroWords
from fdpedu.simulation import trusted
from fdpedu.simulation.growth import predicted_labels
from fdpedu.simulation.methods import plan_of
from fdpedu.simulation.parameters import Parameters
from fdpedu.simulation.plan import Nodes
from fdpedu.simulation.trusted import Trusted
from tests.support.chi import agrees
from tests.support.simulated import PARTIES, coded, regions

GRID = Domain([Numeric.grid("x", 0, 5, 5), Numeric.grid("y", 0, 3, 3), Numeric.grid("z", 0, 2, 2)], (0, 1, 2))
FIVE = Domain(GRID.features, range(5))


class Half(ZeroWords):
    """All words have their highest bit."""

    def words(self, size):
        return np.full(size, 2**63, dtype=np.uint64)


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


@pytest.mark.parametrize("method", ["exponential", "permute-and-flip"])
@pytest.mark.parametrize("lattice", [1, 4])
def test_the_law_of_a_trusted_aggregators_split(method, lattice):
    """60,000 splits of one node against the exact law; the last code of y lies outside of the node's region."""
    domain = Domain([Numeric.grid("x", 0, 3, 3), Numeric.grid("y", 0, 4, 4)], (0, 1, 2))
    rng, runs = np.random.default_rng(3), 60_000
    codes = np.stack([rng.integers(0, 3, 9), rng.integers(0, 3, 9)], axis=1)
    labels = (codes[:, 0] + rng.integers(0, 2, 9)) % 3
    plan = plan_of(method, domain, 1, "4", Parameters(max_depth=2, lattice=lattice))
    grid = plan.grid
    counts = np.repeat(grid.count(grid.places(codes, labels), np.zeros(9, dtype=np.int64), 1), runs, axis=2)
    inside = grid.everything(runs)
    inside[3, :, 1] = False
    none = np.zeros(0, dtype=np.int64)
    choice, *_ = plan.decide(Nodes(counts, inside, np.zeros(runs), none, none, none, False), Rehearsal(lattice))
    borders = [(0, 0), (0, 1), (1, 0), (1, 1)]
    losses = []
    for feature, border in borders:
        left = codes[:, feature] <= border
        sides = [np.bincount(labels[side], minlength=3).tolist() for side in (left, ~left)]
        losses.append(int(lattice * sum(map(exact_scaled_half_gini, sides)) // 1))
    law = exponential_pmf if method == "exponential" else permute_and_flip_pmf
    masses = law([-loss for loss in losses], "1", sensitivity=lattice, monotone=True)  # ε = 4, half of it in two levels
    drawn = zip(choice.feature.tolist(), (choice.left.sum(axis=1) - 1).tolist(), strict=True)
    agrees(Counter(drawn), {cut: float(mass) for cut, mass in zip(borders, masses, strict=True)})


@pytest.mark.parametrize("method", ["exponential", "permute-and-flip"])
def test_borders_of_a_trusted_aggregator(method):
    """Where all losses are equal, all orders of four borders' scores are as likely, in two nodes for themselves."""
    domain = Domain([Numeric.grid("x", 0, 3, 3), Numeric.grid("y", 0, 3, 3)], (0, 1))
    plan = plan_of(method, domain, 5, 8, Parameters(max_depth=2))
    assert type(plan) is Trusted
    grid = plan.grid
    cells = np.zeros((2, 3, 8_000, 2))
    scores = plan.noisy_scores(cells, grid.everything(8_000), Rehearsal(3))
    assert scores.shape == (2, 8_000, 2)
    orders = np.argsort(scores.transpose(1, 0, 2).reshape(-1, 4), axis=1)
    agrees(Counter(map(tuple, orders.tolist())), {order: 1 / 24 for order in permutations(range(4))})
    larger = (scores[0, :, 0] > scores[1, :, 0]).reshape(-1, 2)
    agrees(Counter(map(tuple, larger.tolist())), {pair: 1 / 4 for pair in product((False, True), repeat=2)})


def test_a_trusted_aggregators_leaves_have_what_is_left():
    """Half of ε and, where a region cannot be divided, the levels below it, too: here two of four."""
    rng = np.random.default_rng(1)
    domain = Domain([Numeric.grid("x", 0, 2, 2)], (0, 1))
    problem = domain, rng.integers(0, 2, (9, 1)), rng.integers(0, 2, 9), np.zeros(9, dtype=int)
    rates = []

    def no_noise(rate, size, source):
        rates.append((rate.rate, size))
        return np.zeros(size)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(trusted, "laplace_noise", no_noise)
        plan = plan_of("exponential", domain, PARTIES, 4, Parameters(max_depth=4))
        predicted_labels(plan, coded(problem), ZeroWords())
    assert plan.costs.node == Fraction(1, 2)
    # Neither side of the root can be divided: of 4 they have 2, and twice ½ for the two levels below.
    assert Counter({rate: size for rate, size in rates if size}) == {Fraction(3): 4}
