"""What a tree of one owner costs: the ledger is charged ε, and each path pays once a level."""

import warnings
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.accounting import BudgetExceeded, Ledger
from fdpedu.claims.checking import Refuted
from fdpedu.claims.privatree import tree as topic
from fdpedu.derivation_checker import check_derivation
from fdpedu.domain import Domain, Numeric
from fdpedu.federation import ChosenSplit, JointEdges, LeafLabel, Party
from fdpedu.randomness import Rehearsal, ZeroWords
from fdpedu.trees import PrivaTree, fit_privatree
from fdpedu.trees.designs.privatree.edges import features_to_thin
from fdpedu.trees.regions import leaves_of
from fdpedu.trees.shape import Asked, Shape
from tests.support.privatrees import EVERY, MIXED, fitted, named, on_public_rows, rows, spelled

SPLIT_TYPES = {"chosen-split", "node-histograms"}
EDGE_TYPES = {"joint-edges", "class-histogram"}


@pytest.mark.claim("thm-privatree")
@pytest.mark.parametrize("options", EVERY, ids=named)
def test_every_combination_of_options_spends_epsilon_and_every_path_pays_once_a_level(options):
    """By the derivation alone: what a path pays for its splits, its leaf, and the edges that all have in common."""
    tree, ledger = fitted(budget="3/2", max_depth=2, **spelled(options))
    guarantee = check_derivation(tree.derivation.to_json())
    assert ledger.spent == guarantee.spent == guarantee.value == Fraction(3, 2)
    steps = list(tree.derivation.releases())
    edges = [step for _, step in steps if step["type"] in EDGE_TYPES]
    assert len(edges) == (len(features_to_thin(MIXED, options["edge_bins"])) if options["edges"] != "public" else 0)
    assert sum(Fraction(step["epsilon"]) for step in edges) in (0, level_of(options))
    looking = options["splits"] in ("choice", "histograms")
    for _, region, _ in leaves_of(tree.root, MIXED):
        above = [step for at, step in steps if as_region(at).contains(region) and step["type"] in SPLIT_TYPES]
        own = [step for at, step in steps if as_region(at) == region and step["type"].startswith(("leaf", "class-c"))]
        assert [Fraction(step["epsilon"]) for step in above] == [level_of(options)] * (2 * looking)
        assert [Fraction(step["epsilon"]) for step in own] == [
            Fraction(3, 2) * (options["leaf_share"] if looking else 1)
        ]
        assert [step["type"] for step in own] == [{"labels": "leaf-label", "counts": "class-counts"}[options["leaves"]]]


def level_of(options):
    """(1 − s)ε in equal parts: two levels, and the edges."""
    return (1 - options["leaf_share"]) * Fraction(3, 2) / (2 + (options["edges"] != "public"))


def as_region(paid):
    return type(MIXED.everything)(paid.features, paid.classes)


@pytest.mark.claim("thm-privatree")
def test_the_law_that_is_played_can_be_refuted():
    """With an ε less than what is drawn the same laws are too far apart."""
    trees = topic.trees_of("coins")
    universe = topic.records(trees.domain)
    trees.law((universe[0],)), trees.law((universe[0], universe[0]))
    object.__setattr__(trees, "steps", 1)
    with pytest.raises(Refuted, match="times as likely"):
        topic.one_epsilon(trees, (universe[0],), universe[0])


@pytest.mark.claim("thm-privatree")
@settings(max_examples=10, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(EVERY), st.fractions("1/9", "3/2", max_denominator=9)), max_size=4))
def test_fits_on_one_ledger_add_up_and_a_refused_one_costs_nothing(fits):
    """One owner, one ledger, any fits: what is spent is the sum; one that is refused charges nothing, early or late."""
    ledger, party, paid = Ledger(2), Party(rows(30), MIXED), Fraction(0)
    for k, (options, epsilon) in enumerate(fits):
        call = {"max_depth": 1, "epsilon": epsilon, "rng": Rehearsal(k), **spelled(options, 1)}
        if paid + epsilon > 2:
            with pytest.raises(BudgetExceeded):
                fit_privatree(party, ledger, **call)
        else:
            tree = fit_privatree(party, ledger, **call)
            paid += epsilon
            assert check_derivation(tree.derivation.to_json()).spent == paid
        assert ledger.spent == paid


def test_all_that_a_ledger_has_left_is_spent_unless_said_otherwise():
    ledger, party = Ledger("3/2"), Party(rows(30), MIXED)
    first = fit_privatree(party, ledger, epsilon="1/2", rng=Rehearsal(1))
    second = fit_privatree(party, ledger, rng=Rehearsal(1))
    assert (first.derivation.spent, second.derivation.spent, ledger.spent) == (Fraction(1, 2), Fraction(3, 2), 1.5)
    with pytest.raises(BudgetExceeded):
        fit_privatree(party, ledger, epsilon="1/100", rng=Rehearsal(1))


def test_a_tree_without_levels_is_one_leaf_with_all_of_epsilon():
    for options in EVERY:
        if options["splits"] == "public":
            continue
        tree, ledger = fitted(max_depth=0, **options)
        assert tree.rounds == 1 and tree.root.is_leaf and ledger.spent == 1
        ((_, step),) = tree.derivation.releases()
        assert step["epsilon"] == "1" and step["type"] in ("leaf-label", "class-counts")


def test_rounds_and_questions():
    """One round for edges, one a level, one for leaves; public splits take one round in all."""
    for options, rounds in (
        ({}, 4),
        ({"edges": "joint"}, 5),
        ({"edges": "histogram", "splits": "histograms"}, 5),
        ({"edges": "joint", "edge_bins": 8}, 4),  # no feature has more
        ({"splits": "random"}, 1),
        ({"splits": on_public_rows()}, 1),
    ):
        tree, _ = fitted(max_depth=3, **{"edge_bins": 3, **options})
        assert tree.rounds == rounds, options
        asked = Counter(step["type"] for _, step in tree.derivation.releases())
        nodes = asked["chosen-split"] + asked["node-histograms"]
        assert nodes == (0 if rounds == 1 else sum(1 for _, node in tree.nodes() if not node.is_leaf))
        assert asked["leaf-label"] == len(list(tree.leaves()))


def test_an_early_leaf_pays_less_and_the_ledger_books_the_dearest_path():
    line = Domain([Numeric.grid("x", 0, 3, bins=3)], ("a", "b"))
    tree, ledger = fitted([[0.5, "a"], [2.5, "b"]], domain=line, max_depth=3)
    assert tree.depth == 2 and ledger.spent == Fraction(4, 15) * 2 + Fraction(1, 5)
    deepest, _ = fitted([[0.5, "a"]], domain=Domain([Numeric.grid("x", 0, 2, bins=2)], ("a", "b")), max_depth=4)
    assert deepest.derivation.spent == Fraction(1, 5) + Fraction(1, 5)


def test_the_dearest_path_that_is_stated_is_that_of_the_ledger():
    for options in EVERY:
        design = PrivaTree(
            **{name: options[name] for name in ("splits", "edges", "edge_bins", "leaves")},
        )
        settled, shape = design.settled(Asked(max_depth=2, leaf_share=options["leaf_share"]), 1)
        levels, leaf = settled.dearest_path(1, shape, MIXED.n_features, 1)
        assert sum(level.epsilon for level in levels) + leaf == 1, options
        assert len(levels) == (0 if settled.public_splits else 2 + (options["edges"] != "public"))
        assert all(not level.shared for level in levels)


def test_costs_of_a_shape():
    design = PrivaTree(edges="joint")
    assert design.costs(Fraction(2), Shape(3, Fraction(1, 4)), asks_for_edges=True) == (Fraction(3, 8), Fraction(1, 2))
    assert design.costs(Fraction(2), Shape(3, Fraction(1, 4)), asks_for_edges=False) == (Fraction(1, 2), Fraction(1, 2))


@pytest.mark.claim("thm-privatree")
def test_nothing_is_asked_that_was_not_charged_before(monkeypatch):
    """Each round's charge is in the ledger when its first number is counted."""
    spent_at = {}
    for kind in (JointEdges, ChosenSplit, LeafLabel):

        def counted(self, records, at, domain, shipped=kind.tally, kind=kind):
            spent_at.setdefault(kind, ledger.spent)
            return shipped(self, records, at, domain)

        monkeypatch.setattr(kind, "tally", counted)
    ledger = Ledger(1)
    fit_privatree(Party(rows(30), MIXED), ledger, max_depth=1, edges="joint", edge_bins=3, rng=ZeroWords())
    assert spent_at == {JointEdges: Fraction(2, 5), ChosenSplit: Fraction(4, 5), LeafLabel: 1}


def test_a_generators_randomness_is_noted():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # said once in a process
        tree, _ = fitted(rng=np.random.default_rng(1))
    assert "seeded" in str(tree.derivation.guarantee)
