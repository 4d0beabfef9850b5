"""With noise: the same decision on every table, and exactly the law of a small whole tree.

Seeded chi-square tests, two-sided: too far off and too close are both refused, each with probability 10⁻⁸ of a false
alarm, so below 10⁻⁶ for all tests of this file.
"""

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from fdpedu.cart import exact_scaled_half_gini
from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.exact import Rate
from fdpedu.mechanisms import exponential_pmf, permute_and_flip_pmf
from fdpedu.randomness import Rehearsal
from fdpedu.simulation.designs import Noisy
from fdpedu.simulation.growth import predicted_labels
from fdpedu.simulation.methods import Parameters, plan_of
from fdpedu.simulation.plan import Nodes
from fdpedu.trees import DESIGNS, Design, stopping
from fdpedu.trees.clamped_tables import ClampedTables
from fdpedu.trees.exact_law import SmallTrees, Split
from tests.support.chi import agrees
from tests.support.simulated import coded, every_record

TWO = Domain([Numeric.grid("x", 0, 2, 2), Numeric.grid("y", 0, 2, 2)], (0, 1))
THREE = Domain([Numeric.grid("x", 0, 3, 3)], (0, 1))
WARDS = Domain([Categorical("w", ["a", "b", "c"])], (0, 1))
CLASSES = Domain([Numeric.grid("x", 0, 2, 2)], (0, 1, 2))
DECIDED = {
    **DESIGNS,
    "shrunk, raw": Design(shrink=1, clip=False, stop=stopping.averaged),
    "n·G, as printed": Design(stop=stopping.as_printed, relative=False),
    "n·G, raw": Design(stop=stopping.as_printed_unclipped, clip=False),
}


@pytest.mark.parametrize("design", DECIDED.values(), ids=DECIDED)
@pytest.mark.parametrize(
    ("domain", "low", "high"), [(TWO, -1, 1), (THREE, -1, 2), (WARDS, -1, 2), (CLASSES, -1, 2)], ids="2 3 w c".split()
)
def test_every_table_of_a_node_leads_to_the_same_decision(domain, low, high, design):
    """All tables with cells from ``low`` to ``high``: thousands, with every tie there is; K = 1 and α = ½."""
    least = 2
    tables = ClampedTables(domain, Fraction(1, 2), low, high, least, design)
    cells, everything = tables.tables(domain.everything), domain.everything
    plan = _with_alpha(domain, design, least, Fraction(1, 2), depth=1)
    grid = plan.grid
    shaped = np.zeros((grid.n_classes, grid.most_codes, len(cells), grid.n_features))
    for at, (feature, code, label) in enumerate(tables.cells(everything)):
        shaped[label, code, :, feature] = cells[:, at]
    choice, _ = plan.judged(shaped, grid.everything(len(cells)))
    decided = tables.decided(everything)
    found = [
        (int(j), frozenset(np.flatnonzero(left[: grid.sizes[j]]).tolist())) if split else None
        for split, j, left in zip(*choice, strict=True)
    ]
    assert found == [decided.cuts[number] for number in decided.numbers]


class Clamped(Noisy):
    """A design with noise of a rational α, whose released counts are clamped: what `SmallTrees` knows the law of."""

    def settle(self, alpha, low, high, leaf_steps):
        for name, value in {"alpha": alpha, "low": low, "high": high, "leaf_steps": leaf_steps}.items():
            object.__setattr__(self, name, value)
        return self

    @property
    def cell_rate(self):
        return Rate(alpha=self.alpha)

    def leaf_rate(self, paid):
        unspent = (self.depth - paid) * self.grid.n_features if self.design.unspent_to_leaf else 0
        return Rate(alpha=self.alpha ** (self.leaf_steps + unspent))

    def noisy(self, counts, rate, source):
        return np.clip(super().noisy(counts, rate, source), self.low, self.high)


def _with_alpha(domain, design, least, alpha, depth, low=-(10**9), high=10**9, leaf_steps=1):
    made = plan_of(design, domain, 1, 1, Parameters(depth, least))
    return Clamped(domain, depth, least, design, made.costs, 1, 0).settle(alpha, low, high, leaf_steps)


def _label(tree, record):
    while isinstance(tree, Split):
        tree = tree.left if record[tree.feature] in tree.left_codes else tree.right
    return int(np.argmax(tree))


LAWS = {
    "clipped": (TWO, 1, Design(stop=stopping.as_printed, relative=True, unspent_to_leaf=False, consistent=False)),
    "printed": (TWO, 1, DESIGNS["algorithm-5-as-printed"]),
    "confident": (TWO, 1, Design(consistent=False)),
    "deep": (THREE, 2, Design(stop=stopping.averaged, shrink=1, consistent=False)),
    "wards": (WARDS, 2, Design(stop=stopping.as_printed, consistent=False)),
}


@pytest.mark.parametrize(("domain", "depth", "design"), LAWS.values(), ids=LAWS)
def test_the_law_of_all_predictions_of_a_small_tree(domain, depth, design):
    """What 40,000 trees say of every record of the domain, all at once, against the exact law of the whole tree.

    Test rows lie in every region, so nodes hold training rows, or test rows only; the joint law would notice noise that
    two nodes share.
    """
    low, high, alpha = -1, 1, Fraction(2, 5)
    codes = np.array([record for record in every_record(domain) for _ in range(2)][1:])
    labels = codes.sum(axis=1) % 2
    problem = domain, codes, labels, np.zeros(len(codes), dtype=int)
    exact = SmallTrees(domain, alpha, depth, low=low, high=high, leaf_steps=2, min_samples_split=2, design=design)
    names = [
        [
            feature.categories[c] if not feature.ordered else c + 0.5
            for feature, c in zip(domain.features, row, strict=True)
        ]
        for row in codes.tolist()
    ]
    law = Counter()
    for tree, mass in exact.law([[*row, int(label)] for row, label in zip(names, labels, strict=True)]).items():
        law[tuple(_label(tree, record) for record in every_record(domain).tolist())] += mass
    plan = _with_alpha(domain, design, 2, alpha, depth, low, high, leaf_steps=2)
    found = predicted_labels(plan, coded(problem, 40_000), Rehearsal(depth))
    agrees(Counter(map(tuple, found.tolist())), law)


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
