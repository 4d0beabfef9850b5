"""What an attack on trees whose counts add up found: early leaves, deviations, old files, costs that are none."""

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from fdpedu.accounting import Ledger
from fdpedu.cart import Node
from fdpedu.claims.histograms import laws_tree_counts as grown
from fdpedu.domain import Domain
from fdpedu.federation import Federation, Party
from fdpedu.randomness import Rehearsal
from fdpedu.trees import Design, Tree, fit_federated_tree

DOMAIN = Domain.from_spec({"features": {"x": [0, 4, 4], "w": ["A", "B", "C"]}, "classes": ["a", "b", "c"]})
ROWS = [[x % 4 + 0.5, "ABC"[x % 3], "abc"[(x * x + x // 5) % 3]] for x in range(60)]


def parties(n=2):
    return [Party(ROWS[i::n], DOMAIN) for i in range(n)]


@pytest.mark.claim("lem-tree-counts")
def test_early_leaves_of_the_reports_design_predict_from_their_own_counts():
    early = 0
    for seed in range(12):
        tree, released, _ = grown.grown((DOMAIN, [ROWS[::2], ROWS[1::2]]), 8, 3, 1, seed, "algorithm-5-clipped")
        nodes, regions, _ = grown.by_level(tree)
        own = {query.region: answer.tolist() for query, answer in released if answer.ndim == 1}
        twice = {query.region for query, answer in released if answer.ndim == 2}
        for node, region in zip(nodes, regions, strict=True):
            if node.is_leaf:
                assert list(node.counts if node.estimate is None else node.estimate) == own[region]
                early += region in twice
    assert early


@pytest.mark.claim("lem-tree-counts")
def test_an_estimate_is_kept_where_one_class_differs():
    for seed in range(20):
        tree, _, estimates = grown.grown((DOMAIN, [ROWS[::2], ROWS[1::2]]), 8, 2, 1, seed, "default")
        nodes, _, _ = grown.by_level(tree)
        for node, estimate in zip(nodes, estimates, strict=True):
            if node.is_leaf:
                finer = node.counts if node.estimate is None else node.estimate
                assert np.abs(np.array(finer) - estimate).max() <= 6e-4


@pytest.mark.parametrize(("k", "tolerate"), [(2, 0), (5, 2), (7, 1)])
def test_rules_are_told_the_deviation_of_so_many_parties(k, tolerate):
    seen = []

    def stop(level, least):
        seen.append(level.deviation)
        return np.ones(len(level.inside), dtype=bool)

    asked = Federation(parties(k), DOMAIN, Ledger(1), tolerate=tolerate, rng=Rehearsal(1))
    fit_federated_tree(asked, max_depth=2, design=Design(stop=stop))
    alpha = np.exp(-1 / 8)  # half of ε = 1 for two levels of two features
    assert seen == [pytest.approx((k / (k - tolerate) * 2 * alpha) ** 0.5 / (1 - alpha))]


def test_shares_of_huge_counts_are_not_negative():
    assert Node((2**62, 2**62)).probabilities.tolist() == [0.5, 0.5]


def test_nothing_is_charged_where_a_leaf_could_not_be_paid():
    ledger = Ledger(1)
    asked = Federation(parties(), DOMAIN, ledger, rng=Rehearsal(0))
    with pytest.raises(ValueError, match="must be at least"):
        fit_federated_tree(asked, max_depth=3, leaf_share=Fraction(1, 10**13))
    assert ledger.spent == 0


@pytest.mark.parametrize(
    "wrong",
    [{"stop": 5}, {"shrink": "3"}, {"shrink": float("nan")}, {"shrink": -1}, {"relative": 1}, {"consistent": None}],
)
def test_a_design_is_refused_when_it_is_made(wrong):
    with pytest.raises(ValueError, match=next(iter(wrong))):
        Design(**wrong)


def test_counts_of_an_old_file_are_shown_whole():
    """Predictions stay as they were; what is shown adds up."""
    tree = Tree.load(Path(__file__).parent / "data" / "tree-1.json")
    grown._require_sums(tree.to_dict())
    assert Tree.from_json(tree.to_json()) == tree
    assert tree.leaves()[0].estimate == (8, -1, 8)
