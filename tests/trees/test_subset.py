"""A random subset of the features for each node: which are drawn, what they cost, what is made of them."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from fdpedu.accounting import Ledger
from fdpedu.cart import CodeSplit
from fdpedu.claims.federations import federate
from fdpedu.claims.trees import pruning
from fdpedu.domain import Domain, Region
from fdpedu.federation import ClassCounts, ClassHistogram, Federation, Party
from fdpedu.randomness import Rehearsal, SystemSource, ZeroWords
from fdpedu.trees import DESIGNS, Design, Tree, count_growth, fit_federated_tree
from fdpedu.trees.subset import PublicCoins, drawn_features, mask_of, public_coins

DOMAIN = Domain.from_spec(
    {"features": {"x": [0, 4, 4], "w": ["A", "B", "C"], "z": [0, 2, 2], "v": [0, 6, 3]}, "classes": ["a", "b", "c"]}
)
ROWS = [[x % 4 + 0.5, "ABC"[x % 3], x % 2 + 0.5, x * 5 % 6, "abc"[(x * x + x // 5) % 3]] for x in range(60)]
CASE = DOMAIN, [ROWS[::2], ROWS[1::2]]


def test_features_that_cannot_divide_the_node_come_last():
    region = Region((1, 7, 2, 3), 3)
    drawn = {drawn_features(region, n, Rehearsal(n)) for n in (2, 3, 4) for _ in range(3)}
    assert {set(d) >= {1, 3} for d in drawn} == {True} and (0, 1, 2, 3) in drawn
    assert {drawn_features(region, 3, Rehearsal(k)) for k in range(30)} == {(0, 1, 3), (1, 2, 3)}
    assert {drawn_features(region, 1, Rehearsal(k)) for k in range(30)} == {(1,), (3,)}
    assert drawn_features(Region((1, 2), 3), 2, ZeroWords()) == (0, 1)


@pytest.mark.parametrize(
    ("region", "n", "message"),
    [
        (5, 1, "region"),
        (Region((3, 3), 3), 0, "n must"),
        (Region((3, 3), 3), 3, "n must"),
    ],
)
def test_what_cannot_be_drawn_is_refused(region, n, message):
    with pytest.raises(ValueError, match=message):
        drawn_features(region, n, ZeroWords())


def test_public_coins_warn_of_nothing(recwarn):
    """A generator is as good as the operating system, as nothing is hidden by it."""
    coins = public_coins(np.random.default_rng(3))
    again = np.random.default_rng(3).integers(2**64, size=4, dtype=np.uint64)
    assert coins.words(4).tolist() == again.tolist() and not recwarn.list
    assert (coins.kind, coins.word_bits, coins.spawn(2)) == ("public coins", 64, [coins, coins])
    assert isinstance(coins, PublicCoins) and type(public_coins()) is SystemSource
    own = Rehearsal(1)
    assert public_coins(own) is own
    with pytest.raises(ValueError, match="rng"):
        public_coins(5)


def test_masks_of_features():
    assert mask_of(None, [2, 1]).tolist() == [True] * 3
    assert mask_of((0, 2), [2, 1, 2]).tolist() == [True, True, False, True, True]


def test_a_rule_gets_the_noise_of_so_many_histograms():
    seen = []

    def stop(level, least):
        seen.append((level.deviation, level.n_features, level.inside.sum()))
        return np.ones(len(level.inside), dtype=bool)

    for q, codes in ((4, 12), (9, 12), (None, 12), (1, None)):
        federation = federate(CASE[1], DOMAIN, 1, Rehearsal(1), tolerate=0)
        fit_federated_tree(federation, max_depth=2, design=Design(stop=stop, features_per_node=q), rng=Rehearsal(2))
        deviation, n, inside = seen[-1]
        rate = 1 / 4 / min(q or 4, 4)
        assert deviation == pytest.approx((2 * np.exp(-rate)) ** 0.5 / (1 - np.exp(-rate)))
        assert n == min(q or 4, 4) and inside == (codes or inside) and inside in (2, 3, 4, 12)


def test_a_split_is_one_of_a_feature_that_was_asked_for():
    for seed in range(6):
        design = replace(DESIGNS["default"], features_per_node=2)
        tree, answered, _ = pruning.grown(CASE, 10**6, seed, design, max_depth=3, min_samples_split=2)
        asked = {}
        for query, _ in answered:
            if not isinstance(query, ClassCounts):
                asked.setdefault(query.region, set()).add(query.feature)
        pending = [(tree.root, DOMAIN.everything)]
        while pending:
            node, region = pending.pop()
            if isinstance(node.split, CodeSplit):
                assert node.split.feature in asked[region]
                here, left = region.codes(node.split.feature), node.split.left
                pending += [
                    (node.left, region.restrict(node.split.feature, here & left)),
                    (node.right, region.restrict(node.split.feature, here - left)),
                ]
        assert Tree.from_json(tree.to_json()) == tree


def test_the_same_coins_ask_the_same_and_others_something_else():
    def asked(seed):
        federation = federate(CASE[1], DOMAIN, 1, Rehearsal(1))
        design = Design(features_per_node=1)
        fit_federated_tree(federation, max_depth=1, design=design, rng=np.random.default_rng(seed))
        return federation.manifest.rounds[0]["queries"]

    assert asked(1) == asked(1) and len({str(asked(seed)) for seed in range(20)}) == 4


def test_of_four_features_the_root_is_two():
    design = Design(features_per_node="sqrt")
    tree, answered, _ = pruning.grown(CASE, 1, 1, design, max_depth=1, min_samples_split=2)
    costs = [query.epsilon for query, _ in answered if isinstance(query, ClassHistogram)]
    assert costs == [Fraction(1, 4)] * 2 and Tree.from_json(tree.to_json()).design == design


def test_all_of_a_level_fits_in_one_request(monkeypatch):
    """With q histograms a node, a q-th part of the nodes."""
    monkeypatch.setattr(count_growth, "MAX_QUERIES", 8)
    for q, most in ((1, 4), (2, 2)):
        federation = federate(CASE[1], DOMAIN, 10**6, Rehearsal(1))
        design = Design(features_per_node=q)
        fit_federated_tree(federation, max_depth=5, min_samples_split=2, design=design, rng=Rehearsal(5))
        nodes = [sum("histogram" in q_["query"] for q_ in entry["queries"]) for entry in federation.manifest.rounds]
        assert max(nodes) == most * q and all(len(e["queries"]) <= 8 for e in federation.manifest.rounds)


def test_nothing_is_charged_where_a_histogram_could_not_be_drawn():
    """ε_node/q may be drawable where ε_node/p is not."""
    rows, ledger = [Party(part, DOMAIN) for part in CASE[1]], Ledger(Fraction(4, 10**12))
    federation = Federation(rows, DOMAIN, ledger, rng=Rehearsal(1))
    with pytest.raises(ValueError, match="epsilon"):
        fit_federated_tree(federation, max_depth=1)
    assert ledger.spent == 0
    fit_federated_tree(federation, max_depth=1, design=Design(features_per_node=1))
    assert ledger.spent == Fraction(4, 10**12)
