"""What growing a tree takes unless told, by which names it refuses, and what it says when somebody else spends."""

from fractions import Fraction

import numpy as np
import pytest

from fdpedu.accounting import BudgetExceeded
from fdpedu.claims.federations import federate
from fdpedu.domain import Domain
from fdpedu.federation import ClassCounts
from fdpedu.randomness import Rehearsal, ZeroWords
from fdpedu.trees import Design, fit_federated_tree, grow

DOMAIN = Domain.from_spec({"features": {"x": [0, 16, 16], "z": [0, 2, 2]}, "classes": ["a", "b"]})
ROWS = [[x + 0.5, 0.5, "ab"[x % 2]] for x in range(16) for _ in range(40)]
LOTS = 10**6


def seated(rows=ROWS, budget=LOTS, source=None):
    return federate([rows[::2], rows[1::2]], DOMAIN, budget, source or ZeroWords())


def test_unless_told_a_tree_has_three_levels():
    """Where sixteen alternate, there would be fifteen."""
    tree = fit_federated_tree(seated())
    assert tree.depth == 3 and fit_federated_tree(seated(), max_depth=4).depth == 4
    assert tree.design == Design(shrink=3) and tree.rounds == 4


def test_unless_told_ten_rows_are_divided_and_nine_are_not():
    def rows(n):
        return [[k % 2 + 0.5, 0.5, "ab"[k % 2]] for k in range(n)]

    assert [fit_federated_tree(seated(rows(n), source=Rehearsal(1))).depth for n in (9, 10)] == [0, 1]


def test_unless_told_half_of_it_is_for_the_leaves():
    federation = seated(budget=8)
    fit_federated_tree(federation, max_depth=2)
    costs = [
        (query["query"].split(" of ")[0], query["rate"]) for r in federation.manifest.rounds for query in r["queries"]
    ]
    assert set(costs) == {("class × bin histograms", "1"), ("class counts", "4")} and federation.ledger.spent == 8
    assert federation.ledger.accounts == ("tree that begins after round 0",)
    another = seated(budget=8)
    fit_federated_tree(another, max_depth=1, epsilon=1)
    fit_federated_tree(another, max_depth=1, epsilon=1)
    assert another.ledger.accounts == ("tree that begins after round 0", "tree that begins after round 2")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"max_depth": -1}, r"^max_depth must be an integer ≥ 0, got -1$"),
        ({"max_depth": 65}, r"^max_depth must be at most 64, got 65$"),
        ({"max_depth": None}, r"^max_depth must be an integer ≥ 0"),
        ({"min_samples_split": -1}, r"^min_samples_split must be an integer ≥ 0, got -1$"),
        ({"min_samples_split": 2**62 + 1}, r"^min_samples_split must be at most 4611686018427387904, got 4"),
        ({"progress": 3}, r"^progress must be a function, got 3$"),
        ({"epsilon": "x"}, r"^epsilon must be a finite number"),
        ({"leaf_share": 1}, r"share of the budget must lie strictly between 0 and 1, got 1$"),
        ({"unspent_to_leaf": 3}, r"^unspent_to_leaf must be a bool, got int$"),
        ({"design": "x"}, r"^design must be one of 'default', "),
        ({"rng": 3}, r"^rng must be None"),
    ],
)
def test_a_parameter_is_refused_by_its_name(options, message):
    federation = seated(budget=1)
    with pytest.raises(ValueError, match=message):
        fit_federated_tree(federation, **options)
    assert federation.rounds == 0


def test_a_federation_is_needed():
    for odd in (None, 3, [ROWS]):
        with pytest.raises(ValueError, match=r"^federation must be a Federation, got "):
            fit_federated_tree(odd)


def test_borders_are_accepted():
    rows = [[0.5, 0.5, "a"], [1.5, 0.5, "b"]] * 9
    assert fit_federated_tree(seated(rows), max_depth=64, min_samples_split=2).depth == 1
    assert fit_federated_tree(seated(rows), min_samples_split=2**62).depth == 0
    assert fit_federated_tree(seated(rows), min_samples_split=0).depth == 1


@pytest.mark.parametrize(("rounds", "told"), [(1, "in 1 round stays"), (2, "in 2 rounds stays")])
def test_somebody_else_spends_while_a_tree_grows(rounds, told):
    """What has been charged stays so, and it is said in how many rounds."""
    federation, calls = seated(budget=8), []

    def spending(level, least):
        calls.append(len(level.tables))
        if len(calls) == rounds:
            federation.release([ClassCounts(DOMAIN.everything, federation.ledger.remaining() + Fraction(0))], "another")
        return np.zeros(len(level.tables), dtype=bool)

    with pytest.raises(BudgetExceeded) as refused:
        fit_federated_tree(federation, max_depth=3, epsilon=6, design=Design(stop=spending))
    words = f"; what this tree has charged {told} paid (Ledger.spent). "
    assert words + "Somebody else charged the same budget in the meantime" in str(refused.value)


def test_before_the_first_round_nothing_is_added_to_the_refusal():
    federation = seated(budget=1)
    fit_federated_tree(federation, max_depth=0)
    with pytest.raises(BudgetExceeded) as refused:
        fit_federated_tree(federation, max_depth=1)
    assert "stays paid" not in str(refused.value)


def test_a_bar_says_what_takes_so_long(monkeypatch):
    labels, told = [], []
    monkeypatch.setattr(grow, "TerminalBar", lambda label: labels.append(label) or (lambda *at: told.append(at)))
    fit_federated_tree(seated(), max_depth=1)
    assert labels == ["growing a tree"] and told == [(1, 4), (2, 4), (3, 4), (4, 4), (1, 1)]
