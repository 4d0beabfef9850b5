"""Whole fits with noise: the simulation and the package draw from the same law of predictions of all records.

Two seeded samples for each method, compared by chi-square over whole patterns of predictions, two-sided with
probability 10⁻⁸ of a false alarm on each side (`tests/support/chi.py`).
"""

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from fdpedu.bounds import fit_saving_tree, fit_saving_tree_as_printed
from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.randomness import Rehearsal
from fdpedu.simulation.growth import predicted_labels
from fdpedu.simulation.methods import Parameters, plan_of
from fdpedu.trees import Design, fit_federated_tree
from tests.support.chi import agree
from tests.support.simulated import PARTIES, InOnePlace, coded, predictions_of

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


def saved(fit):
    desk = InOnePlace(PROBLEM, 100)
    return lambda source: fit(desk.drawing_from(source), epsilon="3/2", **SHAPE)


Q1 = Design(features_per_node=1, consistent=False)
CASES = {
    "default": ("default", 0, grown("default")),
    "averaged, one colluder": ("averaged", 1, grown("averaged", 1)),
    "one feature a node, two colluders": (Q1, 2, grown(Q1, 2)),
    "algorithm-6": ("algorithm-6", 0, saved(fit_saving_tree)),
    "algorithm-6-as-printed": ("algorithm-6-as-printed", 0, saved(fit_saving_tree_as_printed)),
}


@pytest.mark.parametrize(("method", "tolerate", "fit"), CASES.values(), ids=CASES)
def test_trees_of_the_simulation_have_the_law_of_those_of_the_package(method, tolerate, fit):
    """What a tree says of all six records, and of how many, in 100 trees and in 4,000."""
    own = Counter(tuple(predictions_of(fit(Rehearsal(seed)))) for seed in range(FITS))
    plan = plan_of(method, DOMAIN, PARTIES, Fraction(3, 2), Parameters(**SHAPE, tolerate=tolerate))
    found = predicted_labels(plan, coded(PROBLEM, FITS * TIMES), Rehearsal(1))
    agree(own, Counter(map(tuple, found.tolist())))
