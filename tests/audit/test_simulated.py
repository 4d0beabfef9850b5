"""Many small trees at once: their labels of all cells have the law of the trees that a federation grows."""

from collections import Counter

import numpy as np
import pytest

from fdpedu.accounting import Ledger
from fdpedu.audit import audit, simulated_trees
from fdpedu.audit.simulated import every_cell
from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.federation import Federation, Party
from fdpedu.randomness import Rehearsal, ZeroWords
from fdpedu.trees import fit_federated_tree

DOMAIN = Domain([Numeric.grid("x", 0, 2, bins=2), Categorical("w", ("A", "B", "C"))], ("well", "ill"))
ROWS = [(0, 0, 0), (0, 1, 0), (1, 0, 1), (1, 1, 1), (1, 2, 1), (0, 2, 1)]
SHAPE = {"max_depth": 2, "min_samples_split": 2}


def raw(rows):
    return [[x + 0.5, "ABC"[w], ("well", "ill")[c]] for x, w, c in rows]


def grown(rows, rng, epsilon=1):
    """The labels of all cells, by a tree of a federation."""
    parties = [Party(raw(rows), DOMAIN), Party([], DOMAIN)]
    tree = fit_federated_tree(Federation(parties, DOMAIN, Ledger(epsilon), tolerate=0, rng=rng), **SHAPE)
    said = tree.predict([row[:2] for row in raw([(*cell, 0) for cell in every_cell(DOMAIN).tolist()])])
    return tuple(DOMAIN.classes.index(label) for label in said.tolist())


def test_every_cell_is_there_once():
    assert every_cell(DOMAIN).tolist() == [[x, w] for x in range(2) for w in range(3)]


def test_without_noise_it_is_the_tree_of_the_federation():
    """For rows of several kinds, and none."""
    trees = simulated_trees(DOMAIN, epsilon=1, rng=ZeroWords(), **SHAPE)
    for rows in (ROWS, ROWS[:3], ROWS[3:], ROWS * 3, []):
        found = trees(rows, 3)
        assert found.shape == (3, 6) and found.dtype == np.uint8
        assert {tuple(labels) for labels in found.tolist()} == {grown(rows, ZeroWords())}


def test_with_noise_it_has_the_law_of_the_federation():
    """Of 100 trees against 20,000: each labelling is as frequent, within five standard deviations."""
    trees = simulated_trees(DOMAIN, epsilon=4, rng=np.random.default_rng(1), **SHAPE)
    many = Counter(map(tuple, trees(ROWS, 20_000).tolist()))
    source = Rehearsal(2)
    few = Counter(grown(ROWS, source, 4) for _ in range(100))
    for labels, number in many.items():
        share = number / 20_000
        assert abs(few[labels] - 100 * share) < 5 * (100 * share * (1 - share)) ** 0.5 + 1


def test_a_tree_that_costs_four_times_its_claim_is_refuted():
    """By the labels alone; and one that costs what is claimed is not."""
    five, six = ROWS[:5], [*ROWS[:5], (0, 0, 0)]
    for epsilon, refuted in ((8, True), (1, False)):
        trees = simulated_trees(DOMAIN, epsilon=epsilon, rng=np.random.default_rng(3), max_depth=0)
        found = audit(trees, five, six, batch=True, runs=8000, seed=1, alpha="1e-4")
        assert found.refuted == refuted and found.runs == 8000


def test_a_design_and_parties_may_be_named():
    trees = simulated_trees(DOMAIN, epsilon=2, method="rotating", n_parties=3, rng=np.random.default_rng(1), **SHAPE)
    assert trees(ROWS, 5).shape == (5, 6)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"domain": "x"}, "domain must be a Domain"),
        ({"domain": Domain([Numeric.grid("x", 0, 1, bins=100)] * 1 + [Numeric.grid("y", 0, 1, bins=42)], ("a", "b"))},
         "domain must have at most 4096 cells, got 4200"),
        ({"epsilon": 0}, "epsilon"),
        ({"method": "oracle"}, "method"),
        ({"n_parties": 0}, "n_parties"),
        ({"rng": None}, "rng"),
        ({"max_depth": -1}, "max_depth"),
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_refused_at_once(options, said):
    with pytest.raises(ValueError, match=said):
        simulated_trees(**{"domain": DOMAIN, "epsilon": 1, "rng": ZeroWords(), **options})


@pytest.mark.parametrize(
    "rows", [[(0, 0)], [0, 1], [(0, 0, 2)], [(0, 3, 0)], [(-1, 0, 0)], [("a", 0, 0)], [(0.5, 0, 0)]]
)
def test_rows_must_be_codes(rows):
    with pytest.raises(ValueError):
        simulated_trees(DOMAIN, epsilon=1, rng=ZeroWords())(rows, 1)
