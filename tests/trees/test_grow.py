"""Algorithm 5: what it costs, what it becomes without noise, what it may depend on, and what it refuses."""

import json
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.accounting import BudgetExceeded, Ledger, compose_optimal
from fdpedu.claims.federations import federate, grow
from fdpedu.claims.strategies import domains, tables
from fdpedu.dlpa import insider_epsilon
from fdpedu.dlpa.guarantee import insider_cost
from fdpedu.domain import Domain, Numeric
from fdpedu.federation import ClassCounts, Federation, NodeHistograms, Party
from fdpedu.files import FileRefused
from fdpedu.randomness import Rehearsal, SystemSource, ZeroWords
from fdpedu.trees import DESIGNS, Design, Tree, fit_federated_tree
from fdpedu.trees.regions import leaves_of
from tests.support.private_trees import DOMAIN, HALVES, ROWS, THIRDS, at_once, grown, of_three, read

PLAIN = Domain([Numeric.grid("x", 0, 4, bins=4), Numeric.grid("z", 0, 4, bins=4)], ("a", "b"))
PLAIN_PARTS = [[[1, 1, "a"], [3, 2, "b"]] * 20, [[1, 3, "a"], [4, 2, "b"]] * 20]
PLAIN_CASE = PLAIN, PLAIN_PARTS


def plain():
    """A federation of these parties, with a budget of 1."""
    return Federation([Party(rows, PLAIN) for rows in PLAIN_PARTS], PLAIN, Ledger(1))


@pytest.mark.claim("thm-federated-tree")
@settings(max_examples=40, deadline=None)
@given(domains(), st.data())
def test_only_the_sum_over_parties_matters(domain, data):
    """Same random words, rows in another order at other parties: the same tree."""
    rows = data.draw(tables(domain, most=20))
    shuffled = data.draw(st.permutations(rows))
    cuts = sorted(data.draw(st.lists(st.integers(0, len(rows)), min_size=2, max_size=2)))
    divisions = [[rows[::2], rows[1::2], []], [shuffled[: cuts[0]], shuffled[cuts[0] : cuts[1]], shuffled[cuts[1] :]]]
    trees = [
        grow((domain, parts), 4, np.random.default_rng(9), max_depth=2, min_samples_split=2)[0] for parts in divisions
    ]
    assert trees[0].root == trees[1].root


def test_every_class_is_counted_at_a_leaf():
    """A class that no row has still gets its noisy count: its absence would be a raw fact about the data."""
    domain = Domain([Numeric.grid("x", 0, 4, bins=4)], ("a", "b", "c"))
    tree, _ = grow((domain, [[[1, "a"]] * 50, [[3, "a"]] * 50]), 5, SystemSource(), max_depth=2)
    assert all(len(leaf.counts) == 3 for leaf in tree.leaves())
    assert tree.predict_proba([[1.0]]).shape == (1, 3)


def test_progress_counts_answers_and_ends():
    """Two parties, depth 2: at most six answers, each reported, and the end."""
    steps, options = [], {"max_depth": 2, "min_samples_split": 2}
    grow(PLAIN_CASE, 10**6, SystemSource(), progress=lambda done, of: steps.append((done, of)), **options)
    assert steps == [(1, 6), (2, 6), (3, 6), (4, 6), (5, 6), (6, 6), (1, 1)]


@pytest.mark.claim("thm-node-histograms")
def test_a_node_is_p_releases_to_an_insider_and_to_a_small_delta():
    """K = 5, p = 10, ε_node = 1/10: an insider's ε is .476, not .212; 5 nodes of 1 make 3.17 at δ = 10⁻⁶, not 5."""
    ten = Domain([Numeric.grid(f"x{j}", 0, 2, bins=2) for j in range(10)], ("a", "b"))

    def ledger(nodes, cost):
        federation = federate([[]] * 5, ten, nodes * cost, SystemSource(), tolerate=0)
        for _ in range(nodes):
            federation.release([NodeHistograms(ten.everything, cost)])
        return federation.ledger.derivation()

    insider = insider_cost(ledger(1, Fraction(1, 10)), 5, 0)
    assert round(float(insider), 3) == 0.476 and round(float(insider_epsilon("1/10", 5, 1)), 3) == 0.212
    releases = ledger(5, Fraction(1)).total(lambda step: step["releases"])
    assert releases == 50
    assert round(float(compose_optimal("1/10", releases, "1e-6")), 2) == 3.17
    assert float(compose_optimal(1, 5, "1e-6")) == pytest.approx(5, abs=1e-3)


def test_an_early_leaf_gets_what_its_depth_did_not_use():
    """A root that stops after its histograms (too few rows) has paid ε_node; its leaf may have all the rest."""
    spent = {}
    for unspent in (True, False):
        tree, federation = grow(
            PLAIN_CASE,
            1,
            ZeroWords(),
            max_depth=4,
            min_samples_split=1000,
            leaf_share="1/2",
            unspent_to_leaf=unspent,
        )
        assert tree.depth == 0 and federation.rounds == 2
        spent[unspent] = federation.ledger.spent
    assert spent == {True: 1, False: Fraction(1, 8) + Fraction(1, 2)}


def test_two_trees_share_one_budget():
    federation = plain()
    first = fit_federated_tree(federation, max_depth=1, epsilon="1/4")
    assert federation.ledger.spent == Fraction(1, 4)
    fit_federated_tree(federation, max_depth=1)
    assert federation.ledger.spent == 1 and first.derivation.spent == Fraction(1, 4)
    with pytest.raises(BudgetExceeded):
        fit_federated_tree(federation)
    with pytest.raises(BudgetExceeded):
        fit_federated_tree(plain(), epsilon=2)


@pytest.mark.parametrize(
    "options",
    [
        {"max_depth": -1},
        {"max_depth": 65},
        {"max_depth": 1.0},
        {"max_depth": True},
        {"min_samples_split": -1},
        {"leaf_share": 0},
        {"leaf_share": 1},
        {"leaf_share": "half"},
        {"epsilon": 0},
        {"epsilon": float("nan")},
        {"progress": 3},
        {"unspent_to_leaf": 3},
        {"design": "best"},
        {"design": 3},
        {"rng": 3},
    ],
)
def test_bad_options_are_refused_before_any_charge(options):
    federation = plain()
    with pytest.raises(ValueError, match=next(iter(options)).removeprefix("leaf_")):
        fit_federated_tree(federation, **options)
    assert federation.ledger.spent == 0 and federation.rounds == 0


@pytest.mark.claim("thm-federated-tree")
def test_the_reports_equation_3():
    """ε = 3, leaf share 1/3, depth 2, p = 2: every histogram costs ε_node/p = 1/2, every leaf of a full tree ε_leaf =
    1.
    """
    tree, federation = grow(PLAIN_CASE, 3, ZeroWords(), max_depth=2, min_samples_split=2, leaf_share="1/3")
    costs = set()
    tree.derivation.total(lambda step: costs.add((step["query"].split(" of ")[0], step["releases"], step["rate"])) or 0)
    assert costs == {("class × bin histograms", 2, "1/2"), ("class counts", 1, "1")}
    assert federation.ledger.spent == 3 == 2 * (2 * Fraction(1, 2)) + 1


STRIPES = Domain.from_spec({"features": {"x": [0, 16, 16], "z": [0, 2, 2]}, "classes": ["a", "b"]})
STRIPED = [[x + 0.5, 0.5, "ab"[x % 2]] for x in range(16) for _ in range(40)]
LOTS = 10**6


def striped(rows=STRIPED, budget=LOTS, source=None):
    return federate([rows[::2], rows[1::2]], STRIPES, budget, source or ZeroWords())


def test_default_max_depth_is_3():
    """Where sixteen alternate, there would be fifteen."""
    tree = fit_federated_tree(striped())
    assert tree.depth == 3 and fit_federated_tree(striped(), max_depth=4).depth == 4
    assert tree.design == Design(shrink=3) and tree.rounds == 4


def test_default_min_samples_split_is_10():
    def rows(n):
        return [[k % 2 + 0.5, 0.5, "ab"[k % 2]] for k in range(n)]

    assert [fit_federated_tree(striped(rows(n), source=Rehearsal(1))).depth for n in (9, 10)] == [0, 1]


def test_default_leaf_share_is_one_half():
    federation = striped(budget=8)
    fit_federated_tree(federation, max_depth=2)
    costs = [
        (query["query"].split(" of ")[0], query["rate"]) for r in federation.manifest.rounds for query in r["queries"]
    ]
    assert set(costs) == {("class × bin histograms", "1"), ("class counts", "4")} and federation.ledger.spent == 8
    assert federation.ledger.accounts == ("tree that begins after round 0",)
    another = striped(budget=8)
    fit_federated_tree(another, max_depth=1, epsilon=1)
    fit_federated_tree(another, max_depth=1, epsilon=1)
    assert another.ledger.accounts == ("tree that begins after round 0", "tree that begins after round 2")


def test_borders_are_accepted():
    rows = [[0.5, 0.5, "a"], [1.5, 0.5, "b"]] * 9
    assert fit_federated_tree(striped(rows), max_depth=64, min_samples_split=2).depth == 1
    assert fit_federated_tree(striped(rows), min_samples_split=2**62).depth == 0
    assert fit_federated_tree(striped(rows), min_samples_split=0).depth == 1


@pytest.mark.parametrize(("rounds", "paid"), [(1, "in 1 round stays"), (2, "in 2 rounds stays")])
def test_somebody_else_spends_while_a_tree_grows(rounds, paid):
    """What has been charged stays so, and it is said in how many rounds."""
    federation, calls = striped(budget=8), []

    def spending(level, least):
        calls.append(len(level.tables))
        if len(calls) == rounds:
            federation.release(
                [ClassCounts(STRIPES.everything, federation.ledger.remaining() + Fraction(0))], "another"
            )
        return np.zeros(len(level.tables), dtype=bool)

    with pytest.raises(BudgetExceeded) as refused:
        fit_federated_tree(federation, max_depth=3, epsilon=6, design=Design(stop=spending))
    words = f"; what this tree has charged {paid} paid (Ledger.spent). "
    assert words + "Somebody else charged the same budget in the meantime" in str(refused.value)


def test_before_the_first_round_nothing_is_added_to_the_refusal():
    federation = striped(budget=1)
    fit_federated_tree(federation, max_depth=0)
    with pytest.raises(BudgetExceeded) as refused:
        fit_federated_tree(federation, max_depth=1)
    assert "stays paid" not in str(refused.value)


def test_a_bar_says_what_takes_so_long(monkeypatch):
    labels, shown = [], []
    monkeypatch.setattr(
        "fdpedu.trees.grow.TerminalBar", lambda label: labels.append(label) or (lambda *at: shown.append(at))
    )
    fit_federated_tree(striped(), max_depth=1)
    assert labels == ["growing a tree"] and shown == [(1, 4), (2, 4), (3, 4), (4, 4), (1, 1)]


@pytest.mark.parametrize(("k", "tolerate"), [(2, 0), (5, 2), (7, 1)])
def test_rules_get_the_deviation_of_so_many_parties(k, tolerate):
    seen = []

    def stop(level, least):
        seen.append(level.deviation)
        return np.ones(len(level.inside), dtype=bool)

    asked = Federation(
        [Party(ROWS[i::k], DOMAIN) for i in range(k)], DOMAIN, Ledger(1), tolerate=tolerate, rng=Rehearsal(1)
    )
    fit_federated_tree(asked, max_depth=2, design=Design(stop=stop))
    alpha = np.exp(-1 / 8)  # half of ε = 1 for two levels of two features
    assert seen == [pytest.approx((k / (k - tolerate) * 2 * alpha) ** 0.5 / (1 - alpha))]


def test_nothing_is_charged_where_a_leaf_could_not_be_paid():
    ledger = Ledger(1)
    asked = Federation([Party(rows, DOMAIN) for rows in HALVES], DOMAIN, ledger, rng=Rehearsal(0))
    with pytest.raises(ValueError, match="epsilon"):
        fit_federated_tree(asked, max_depth=3, leaf_share=Fraction(1, 10**13))
    assert ledger.spent == 0


def test_a_tree_keeps_what_the_noise_withstands_with_parties_that_may_be_missing():
    """Its intervals are of the noise of K parties of which K − tolerate make it up; colluders are fewer."""
    five = [ROWS[k::5] for k in range(5)]
    tree, _ = of_three(federation=federate(five, DOMAIN, 3, Rehearsal(1), tolerate=2, missing=1), max_depth=0)
    assert tree.tolerate == 2 and tree.derivation.guarantee.colluders == 1
    tree, _ = of_three(federation=federate(THIRDS, DOMAIN, 3, Rehearsal(1), tolerate=2), max_depth=0)
    with pytest.raises(FileRefused, match="tolerate"):
        read({**json.loads(tree.to_json()), "tolerate": 1})


def test_a_tree_keeps_how_it_was_grown():
    tree, _ = grown("averaged", parts=THIRDS)
    assert (tree.design, tree.n_parties, tree.tolerate) == (DESIGNS["averaged"], 3, 1)
    again = Tree.from_json(tree.to_json())
    for kept in ("design", "n_parties", "tolerate", "leaf_releases", "rounds"):
        assert getattr(again, kept) == getattr(tree, kept)
    assert len(tree.leaf_releases) == len(tree.leaves()) > 1
    regions = [region for _, region, _ in leaves_of(tree.root, DOMAIN)]
    assert [release.region for release in tree.leaf_releases] == regions


def test_what_is_asked_beside_the_design_is_kept_as_part_of_it():
    tree, federation = grown(unspent_to_leaf=False, min_samples_split=50)
    assert tree.design == replace(DESIGNS["default"], unspent_to_leaf=False)
    assert {release.epsilon for release in tree.leaf_releases} == {Fraction(3, 2)}
    early, _ = grown(design=Design(stop=at_once))
    assert early.leaf_releases[0].epsilon == Fraction(9, 4) and early.depth == 0
    assert federation.ledger.spent <= 3


def test_a_level_fits_where_queries_do_not_divide_evenly(monkeypatch):
    """Ten queries in a request, two for each node: a level of two nodes, and their leaves."""
    monkeypatch.setattr("fdpedu.trees.count_growth.MAX_QUERIES", 10)
    domain = Domain.from_spec({"features": {name: [0, 16, 16] for name in "xyz"}, "classes": ["a", "b"]})
    rows = [[x + 0.5, x + 0.5, x + 0.5, "aaabbaaabbbaabbb"[x]] for x in range(16)] * 8
    federation = federate([rows[::2], rows[1::2]], domain, 10**6, Rehearsal(1))
    design = Design(features_per_node=2)
    fit_federated_tree(federation, max_depth=4, min_samples_split=2, design=design, rng=Rehearsal(5))
    asked = [["histogram" in query["query"] for query in message["queries"]] for message in federation.manifest.rounds]
    assert [sum(histograms) for histograms in asked] == [2, 4, 4, 4, 0] and max(map(len, asked)) <= 10
