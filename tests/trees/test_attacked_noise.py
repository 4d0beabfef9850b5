"""What an attack on the noise of chapter 8 found: shrinkage, deviations, reaches."""

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from fdpedu.claims.federations import federate
from fdpedu.domain import Domain
from fdpedu.exact import Rate
from fdpedu.randomness import Rehearsal
from fdpedu.trees import Design, fit_federated_tree, noise_law, room, stopping
from fdpedu.trees.costs import Costs
from fdpedu.trees.growing import Growing

DOMAIN = Domain.from_spec({"features": {"x": [0, 4, 4], "w": ["A", "B", "C"]}, "classes": ["a", "b", "c"]})
ROWS = [[x % 4 + 0.5, "ABC"[x % 3], "abc"[(x * x + x // 5) % 3]] for x in range(60)]
PARTS = [ROWS[::3], ROWS[1::3], ROWS[2::3]]
ALL = DOMAIN.everything


def never(level, least):
    return np.zeros(len(level.inside), dtype=bool)


def grown(seed=1, budget=3, design="default", federation=None, **rules):
    federation = federation or federate(PARTS, DOMAIN, budget, Rehearsal(seed))
    rules = {"max_depth": 3, "min_samples_split": 2, **rules}
    return fit_federated_tree(federation, design=design, **rules), federation


def test_the_shrinkage_of_a_gain_is_any_number_of_deviations(monkeypatch):
    found = []

    class Search:
        def best_splits(self, counts, **how):
            found.append(how["shrink"])
            return []

    design = replace(Design(), shrink=7)
    design.best_splits(np.zeros((0, 7, 3), dtype=np.int64), np.ones((0, 7), dtype=bool), Search(), 2.5)
    assert found == [17.5]


def test_histograms_that_are_read_again_have_the_noise_of_the_features_asked_for(monkeypatch):
    seen, plain = [], Growing.read_sides
    monkeypatch.setattr(Growing, "read_sides", lambda self, *given: (seen.append(given[-1]), plain(self, *given)))
    grown(design=Design(fresh_leaves=False, features_per_node=1, stop=never), max_depth=1, budget=2)
    assert seen == [pytest.approx(stopping.noise_deviation(Rate.of(epsilon=2), 3, 2) ** 2)]


def test_the_reach_at_small_rates_is_chernoffs_bound_for_both_ends():
    """Of one release: min over λ of (ln(2/miss) − ln(1 − (λ/rate)²))/λ; a release of a large rate changes nothing."""
    rate, miss = Fraction(1, 10**8), Fraction(1, 20)
    shares = [i / 32 for i in range(1, 32)]
    bound = min((math.log(2 / miss) - math.log(1 - share**2)) / share for share in shares)
    shapes = noise_law.shapes_of([Rate(rate=rate)], Fraction(1))
    large = noise_law.shapes_of([Rate(rate=Fraction(99))], Fraction(1))
    for each in (shapes, (*shapes, *large), (*large, *shapes)):
        assert float(noise_law.reach(each, miss)[0] * rate) == pytest.approx(bound, abs=1e-6)


def test_costs_of_a_tree_without_histograms_leave_room():
    federation = federate(PARTS, DOMAIN, 1, Rehearsal(1))
    costs = Costs.within(Fraction(1), None, "1/2", 0, unspent_to_leaf=True)
    found = room.Room.of(federation, costs, 2)
    assert found.numbers == (0, 3) and found.nodes > 5000 and found.below(1, 1, 1) > 4096
