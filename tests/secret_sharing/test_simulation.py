"""Simulated votes: without noise the same trees as a federation's, and with noise the law of what parties draw.

One seeded chi-square test, two-sided: too far off and too close are both refused. A false alarm has probability 10⁻⁸.
"""

from collections import Counter
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.domain import Domain, Numeric
from fdpedu.randomness import Rehearsal, ReplayedWords, ZeroWords
from fdpedu.simulation.choosing import Choosing
from fdpedu.simulation.methods import plan_of
from fdpedu.simulation.parameters import Parameters
from fdpedu.simulation.plan import Nodes
from fdpedu.simulation.voting import Voting, _coins
from fdpedu.trees import fit_federated_tree
from tests.support.chi import agrees
from tests.support.choosing_laws import flips_law
from tests.support.simulated import federation, predictions_of, simulated

SQUARE = Domain([Numeric.grid("x", 0, 3, 3), Numeric.grid("y", 0, 2, 2)], (0, 1))


def planned(n_parties, epsilon, domain=SQUARE, **given):
    return plan_of("votes", domain, n_parties, epsilon, Parameters(**{"max_depth": 1, "leaf_share": "1/2", **given}))


def nodes_of(plan, tables, runs=1):
    """So many nodes with the same rows: for each party codes and classes."""
    codes = np.array([row[:-1] for rows in tables for row in rows], dtype=np.uint8).reshape(-1, plan.domain.n_features)
    labels = np.array([row[-1] for rows in tables for row in rows], dtype=np.int64)
    parties = np.array([k for k, rows in enumerate(tables) for _ in rows], dtype=np.int64)
    places, at = np.tile(plan.grid.places(codes, labels), (runs, 1)), np.repeat(np.arange(runs), len(codes))
    counts = plan.grid.count(places, at, runs)
    return Nodes(counts, plan.grid.everything(runs), np.arange(runs) + 0.5, places, at, np.tile(parties, runs), False)


@settings(max_examples=20, deadline=None)
@given(st.integers(2, 5), st.integers(0, 10**6), st.integers(0, 3), st.sampled_from([1, "1/3"]))
def test_without_noise_it_predicts_what_the_tree_of_a_federation_does(bins, seed, depth, epsilon):
    """On every record of one number: of several features both take another one first of those that are level."""
    rng = np.random.default_rng(seed)
    codes, labels, parties = rng.integers(0, bins, (20, 1)), rng.integers(0, 3, 20), rng.integers(0, 3, 20)
    problem = Domain([Numeric.grid("x", 0, bins, bins)], range(3)), codes, labels, parties
    shape = {"max_depth": depth, "leaf_share": "1/4"}
    tree = fit_federated_tree(federation(problem, epsilon), design="votes", rng=ZeroWords(), **shape)
    assert simulated("votes", problem, epsilon=epsilon, **shape) == predictions_of(tree)


@pytest.mark.parametrize(
    ("depth", "level", "leaf"), [(0, 3, 3), (1, Fraction(9, 4), Fraction(3, 4)), (3, Fraction(3, 4), Fraction(3, 4))]
)
def test_what_levels_and_leaves_cost(depth, level, leaf):
    plan = planned(4, 3, max_depth=depth, leaf_share="1/4", tolerate=2)
    assert isinstance(plan, Voting) and isinstance(plan, Choosing)
    assert plan.leaf == leaf and (plan.depth, plan.least, plan.n_parties, plan.tolerate) == (depth, 0, 4, 2)
    assert depth == 0 or plan.level_cost == level
    assert (plan.loss, plan.lattice) == ("mixed", 1024)


def test_what_cannot_be_drawn_or_counted_is_refused():
    for asked, word in (
        ({"tolerate": 4}, "tolerate"),
        ({"max_depth": 9}, "max_depth"),
        ({"epsilon": Fraction(1, 2**49)}, "epsilon"),
    ):
        with pytest.raises(ValueError, match=word):
            planned(4, asked.pop("epsilon", 1), **asked)
    least = Fraction(1, 2**39)  # a leaf's, and too little for the steps of a vote
    assert planned(4, least, max_depth=0).leaf == least
    with pytest.raises(ValueError, match="epsilon"):
        planned(4, least)


A, B = [[0, 0, 0], [1, 0, 1], [2, 1, 1]], [[0, 0, 0], [1, 1, 0], [2, 1, 1]]


def test_each_party_votes_by_its_own_rows_alone():
    """Zero words: one vote each, at the first split of least loss on its rows; one without rows has a vote, too."""
    plan = planned(3, 1)
    nodes = nodes_of(plan, [A, B, []], 2)
    dividing = plan.candidates.dividing(nodes.inside)
    totals = plan.votes(nodes, dividing, ZeroWords())
    assert totals.shape == dividing.shape and totals.sum(axis=(0, 2)).tolist() == [3, 3]
    alone = [planned(1, 1).votes(nodes_of(planned(1, 1), [rows], 2), dividing, ZeroWords()) for rows in (A, B, [])]
    assert np.array_equal(sum(alone), totals) and len({tuple(np.argwhere(one)[0]) for one in alone}) >= 2
    assert not totals[~dividing].any()
    decided = plan.decide(nodes, ZeroWords())
    assert decided.saved.tolist() == [0.5, 1.5] and decided.choice.found.all()


def test_the_most_votes_win_whatever_the_coins_say():
    """And of several that are level the one with the largest coin."""
    plan = planned(3, 1)
    size = plan.candidates.dividing(nodes_of(plan, [A, A, B]).inside).shape
    for tables, borders in (([A, A, B], {0}), ([A, B, B], {1})):
        for seed in range(10):
            found = plan_with(planned(3, 10**6), tables, Rehearsal(seed))
            assert {int(np.flatnonzero(found.left[0]).max())} == borders and found.feature[0] == 0
    borders = {
        int(np.flatnonzero(plan_with(planned(2, 10**6), [A, B], Rehearsal(seed)).left[0]).max()) for seed in range(20)
    }
    assert borders == {0, 1} and len(size) == 3


def plan_with(plan, tables, source):
    return plan.decide(nodes_of(plan, tables), source).choice


def test_coins_are_numbers_below_one_of_the_words_that_are_given():
    top = 2**64 - 1
    words = [0, 2**63, top, 2**62, 2**11, 2**11 - 1]
    found = _coins((3, 1, 2), ReplayedWords(words))
    assert found.ravel().tolist() == [0, 0.5, 1 - 2.0**-53, 0.25, 2.0**-53, 0] and found.shape == (3, 1, 2)


@pytest.mark.claim("lem-split-vote")
def test_the_law_of_two_parties_votes():
    """Permute-and-flip at the level's ε by each on its own rows: 12,000 nodes."""
    plan = planned(2, 6, leaf_share="1/3")
    nodes = nodes_of(plan, [A, []], 12_000)
    dividing = plan.candidates.dividing(nodes.inside)
    totals = plan.votes(nodes, dividing, Rehearsal(4)).transpose(1, 0, 2)
    region = [frozenset(range(feature.n_codes)) for feature in SQUARE.features]
    laws = [flips_law(SQUARE, region, [r[:-1] for r in rows], [r[-1] for r in rows], Fraction(4)) for rows in (A, [])]
    law, found = Counter(), Counter()
    for (one, p), (other, q) in product(laws[0].items(), laws[1].items()):
        law[tuple(sorted((key(one), key(other))))] += p * q
    choice_at = {}
    for position, slot in np.argwhere(dividing[:, 0]):
        only = np.full(dividing.shape, -np.inf)
        only[position, :, slot] = 0
        choice = plan.candidates.choice(only)
        j, left = int(choice.feature[0]), np.flatnonzero(choice.left[0])
        choice_at[position, slot] = j, int(left.max())
    for table in totals:
        votes = [choice_at[tuple(at)] for at in np.argwhere(table) for _ in range(int(table[tuple(at)]))]
        found[tuple(sorted(votes))] += 1
    agrees(found, law)


def key(split):
    """A border of a number: its feature and the largest code on the left."""
    j, both = split
    return j, int(max(min(both, key=min)))
