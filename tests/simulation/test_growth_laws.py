"""With noise: exactly the law of a small whole tree, and the law of predictions that the package's trees have.

Seeded chi-square tests, two-sided: too far off and too close are both refused, each with probability 10⁻⁸ of a false
alarm, so below 10⁻⁶ for all tests of this file.
"""

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from fdpedu.bounds import fit_saving_tree
from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.exact import Rate
from fdpedu.randomness import Rehearsal
from fdpedu.simulation.designs import Noisy
from fdpedu.simulation.growth import predicted_labels
from fdpedu.simulation.methods import plan_of
from fdpedu.simulation.parameters import Parameters
from fdpedu.sources.gubler import AsPrinted
from fdpedu.trees import DESIGNS, Design, fit_federated_tree, stopping
from fdpedu.trees.clamped_tables import ClampedTables
from fdpedu.trees.exact_law import SmallTrees, Split
from tests.support.chi import agree, agrees
from tests.support.simulated import PARTIES, InOnePlace, coded, every_record, predictions_of

TWO = Domain([Numeric.grid("x", 0, 2, 2), Numeric.grid("y", 0, 2, 2)], (0, 1))
THREE = Domain([Numeric.grid("x", 0, 3, 3)], (0, 1))
WARDS = Domain([Categorical("w", ["a", "b", "c"])], (0, 1))
CLASSES = Domain([Numeric.grid("x", 0, 2, 2)], (0, 1, 2))
DECIDED = {
    **DESIGNS,
    "shrunk, raw": Design(shrink=1, clip=False, stop=stopping.averaged),
    "n·G, as printed": Design(stop=stopping.as_printed, relative=False),
    "n·G, raw": AsPrinted(relative=False),
}


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


def _label(tree, record):
    while isinstance(tree, Split):
        tree = tree.left if record[tree.feature] in tree.left_codes else tree.right
    return int(np.argmax(tree))


LAWS = {
    "clipped": (TWO, 1, Design(stop=stopping.as_printed, relative=True, unspent_to_leaf=False, consistent=False)),
    "printed": (TWO, 1, AsPrinted()),
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


# --- of the simulation and of the package -----------------------------------------------------------------------------


DOMAIN = Domain([Numeric.grid("x", 0, 3, 3), Categorical("w", ["a", "b"])], (0, 1))
RNG = np.random.default_rng(11)
CODES = RNG.integers(0, [3, 2], size=(30, 2))
LABELS = ((CODES[:, 0] > 0) ^ (RNG.random(30) < 0.2)).astype(int)
PROBLEM = DOMAIN, CODES, LABELS, RNG.integers(0, PARTIES, 30)
SHAPE = {"max_depth": 2, "min_samples_split": 8}
FITS, TIMES = 100, 40


def grown(design, tolerate=0):
    """Trees of the package, one for each source of noise."""
    desk = InOnePlace(PROBLEM, 2, tolerate)
    return lambda source: fit_federated_tree(
        desk.drawing_from(source), epsilon="3/2", design=design, rng=source, **SHAPE
    )


def saved():
    desk = InOnePlace(PROBLEM, 100)
    return lambda source: fit_saving_tree(desk.drawing_from(source), epsilon="3/2", **SHAPE)


Q1 = Design(features_per_node=1, consistent=False)
CASES = {
    "default": ("default", 0, grown("default")),
    "averaged, one colluder": ("averaged", 1, grown("averaged", 1)),
    "one feature a node, two colluders": (Q1, 2, grown(Q1, 2)),
    "algorithm-6": ("algorithm-6", 0, saved()),
}


@pytest.mark.parametrize(("method", "tolerate", "fit"), CASES.values(), ids=CASES)
def test_trees_of_the_simulation_have_the_law_of_those_of_the_package(method, tolerate, fit):
    """What a tree says of all six records, and of how many, in 100 trees and in 4,000."""
    own = Counter(tuple(predictions_of(fit(Rehearsal(seed)))) for seed in range(FITS))
    plan = plan_of(method, DOMAIN, PARTIES, Fraction(3, 2), Parameters(**SHAPE, tolerate=tolerate))
    found = predicted_labels(plan, coded(PROBLEM, FITS * TIMES), Rehearsal(1))
    agree(own, Counter(map(tuple, found.tolist())))
