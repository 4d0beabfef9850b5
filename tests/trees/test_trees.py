"""Algorithm 5: what it costs, what it becomes without noise, and what it may depend on."""

import dataclasses
import sys
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu import cart
from fdpedu.accounting import BudgetExceeded, Ledger, compose_optimal
from fdpedu.claims.federations import federate, grow
from fdpedu.claims.strategies import domains, tables
from fdpedu.claims.trees import laws as law
from fdpedu.demo import insider_cost
from fdpedu.dlpa import insider_epsilon
from fdpedu.domain import Domain, Numeric
from fdpedu.federation import Federation, NodeHistograms, Party
from fdpedu.randomness import SystemSource, ZeroWords
from fdpedu.trees import Tree, fit_federated_tree
from fdpedu.trees.progress import TerminalBar


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
    grow(CASE, 10**6, SystemSource(), progress=lambda done, of: steps.append((done, of)), **options)
    assert steps == [(1, 6), (2, 6), (3, 6), (4, 6), (5, 6), (6, 6), (1, 1)]


def test_a_bar_is_shown_after_a_while_on_a_terminal_only(capsys, monkeypatch):
    now = iter([0.0, 1.0, 4.0, 5.0])
    bar = TerminalBar("growing", clock=lambda: next(now))
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    bar(1, 4)
    assert capsys.readouterr().err == ""
    bar(2, 4)
    assert "2/4" in capsys.readouterr().err
    bar(4, 4)
    assert capsys.readouterr().err.strip() == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: False)
    TerminalBar("growing", clock=lambda: 9.0)(1, 4)
    assert capsys.readouterr().err == ""


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


DOMAIN = Domain([Numeric.grid("x", 0, 4, bins=4), Numeric.grid("z", 0, 4, bins=4)], ("a", "b"))
PARTS = [[[1, 1, "a"], [3, 2, "b"]] * 20, [[1, 3, "a"], [4, 2, "b"]] * 20]
CASE = DOMAIN, PARTS


def seated():
    """A federation of these parties, with a budget of 1."""
    return Federation([Party(rows, DOMAIN) for rows in PARTS], DOMAIN, Ledger(1))


def test_an_early_leaf_gets_what_its_depth_did_not_use():
    """A root that stops after its histograms (too few rows) has paid ε_node; its leaf may have all the rest."""
    spent = {}
    for unspent in (True, False):
        tree, federation = grow(
            CASE,
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
    federation = seated()
    first = fit_federated_tree(federation, max_depth=1, epsilon="1/4")
    assert federation.ledger.spent == Fraction(1, 4)
    fit_federated_tree(federation, max_depth=1)
    assert federation.ledger.spent == 1 and first.derivation.spent == Fraction(1, 4)
    with pytest.raises(BudgetExceeded):
        fit_federated_tree(federation)
    with pytest.raises(BudgetExceeded):
        fit_federated_tree(seated(), epsilon=2)


@pytest.mark.parametrize(
    "options",
    [
        {"max_depth": -1},
        {"max_depth": 1.0},
        {"max_depth": True},
        {"min_samples_split": -1},
        {"leaf_share": 0},
        {"leaf_share": 1},
        {"leaf_share": "half"},
        {"epsilon": 0},
        {"epsilon": float("nan")},
    ],
)
def test_bad_options_are_refused_before_any_charge(options):
    federation = seated()
    with pytest.raises(ValueError):
        fit_federated_tree(federation, **options)
    assert federation.ledger.spent == 0 and federation.rounds == 0


@pytest.mark.claim("thm-federated-tree")
def test_the_reports_equation_3():
    """ε = 3, leaf share 1/3, depth 2, p = 2: every histogram costs ε_node/p = 1/2, every leaf of a full tree ε_leaf =
    1.
    """
    tree, federation = grow(CASE, 3, ZeroWords(), max_depth=2, min_samples_split=2, leaf_share="1/3")
    costs = set()
    tree.derivation.total(lambda step: costs.add((step["query"].split(" of ")[0], step["releases"], step["rate"])) or 0)
    assert costs == {("class × bin histograms", 2, "1/2"), ("class counts", 1, "1")}
    assert federation.ledger.spent == 3 == 2 * (2 * Fraction(1, 2)) + 1


@pytest.mark.claim("thm-federated-tree")
def test_the_tree_never_reads_the_rows():
    """Once the parties are seated, growing touches nothing of them: the tree depends on the answers alone."""
    law.only_released(CASE, depth=3, seed=0)


def test_a_private_tree_is_a_tree_with_its_accounting():
    """It is equal to one with the same nodes and another derivation; an ordinary tree has no accounting at all."""
    domain = Domain([Numeric.grid("x", 0, 4, bins=4)], ("a", "b"))
    (one, _), (other, federation) = (
        grow((domain, [[[1, "a"]] * 50, [[3, "b"]] * 50]), budget, ZeroWords(), max_depth=1) for budget in (1, 2)
    )
    assert one == other and one.derivation.content != other.derivation.content
    assert isinstance(one, Tree) and isinstance(one, cart.Tree) and one.rounds == federation.rounds == 2
    assert {field.name for field in dataclasses.fields(Tree)} - {
        field.name for field in dataclasses.fields(cart.Tree)
    } == {
        "derivation",
        "rounds",
        "design",
        "leaf_releases",
        "n_parties",
        "tolerate",
    }
