"""Designs: their options, reasons and place in a file."""

import json
from dataclasses import fields
from functools import partial

import numpy as np
import pytest

from fdpedu.claims.federations import federate
from fdpedu.randomness import ZeroWords
from fdpedu.trees import DESIGNS, Design, fit_federated_tree, stopping
from fdpedu.trees.designs import find_design
from tests.support.private_trees import DOMAIN, HALVES, never


def test_the_designs_by_name():
    clipped = Design(stop=stopping.as_printed, relative=True, unspent_to_leaf=False, consistent=False)
    assert dict(DESIGNS) == {
        "default": Design(shrink=3),
        "averaged": Design(stop=stopping.averaged),
        "screened": Design(stop=stopping.never, shrink=3, keep=4),
        "algorithm-5-clipped": clipped,
    }
    assert find_design("averaged") is DESIGNS["averaged"] and find_design(clipped) is clipped


def test_what_a_design_is_by_default():
    assert Design() == Design(stopping.confident, False, 0, True, True, True, None, True, False, None)


def test_features_per_node_becomes_a_plain_integer():
    assert type(Design(features_per_node=np.int64(3)).features_per_node) is int


def test_how_many_histograms_a_node_asks_for():
    for p, q in ((1, 1), (2, 2), (4, 2), (5, 3), (9, 3), (10, 4), (100, 10), (101, 11)):
        assert Design(features_per_node="sqrt").histograms_per_node(p) == q
    assert [Design(features_per_node=q).histograms_per_node(5) for q in (None, 1, 5, 6)] == [5, 1, 5, 5]


def named(**options):
    return [name for name, _ in Design(**options).reasons()]


def test_reasons_name_the_options_in_use():
    assert named() == ["stop", "clip", "unspent_to_leaf", "consistent"]
    plain = {"clip": False, "shrink": 2, "unspent_to_leaf": False, "consistent": False}
    assert named(**plain) == ["stop", "shrink"] and named(**plain, relative=True) == ["stop", "relative", "shrink"]
    assert named(**plain, features_per_node=2) == ["stop", "shrink", "features_per_node"]
    assert named(**plain, prune=True) == ["stop", "shrink", "prune"]
    assert named(**plain, keep=2) == ["stop", "shrink", "keep"]
    assert named(**plain, fresh_leaves=False) == ["stop", "shrink", "fresh_leaves"]
    assert named(fresh_leaves=False) == ["stop", "clip", "consistent", "fresh_leaves"]  # there is no leaf to give to


def test_reasons_are_sentences_and_say_what_holds_for_pure_epsilon_only():
    whole = dict(Design(relative=True, shrink=1, features_per_node=2, prune=True).reasons())
    whole |= dict(Design(fresh_leaves=False).reasons()) | dict(Design(keep=2).reasons())
    assert set(whole) == {field.name for field in fields(Design)}
    assert "pure ε only" in whole["unspent_to_leaf"] and "filter lemma" in whole["unspent_to_leaf"]
    assert "public coins" in whole["features_per_node"] and "d rounds" in whole["fresh_leaves"]
    assert all(len(why) > 40 and why == why.strip() for why in whole.values())


@pytest.mark.parametrize(
    "design",
    [
        *DESIGNS.values(),
        Design(shrink=0.5, features_per_node=4, fresh_leaves=False, prune=True),
        Design(stop=stopping.as_printed, features_per_node="sqrt"),
    ],
)
def test_a_design_is_read_back(design):
    assert Design.from_json(json.loads(json.dumps(design.to_json()))) == design


def test_rules_have_names_in_a_file():
    assert dict(stopping.RULES) == {
        "confident": stopping.confident,
        "averaged": stopping.averaged,
        "never": stopping.never,
        "as-printed": stopping.as_printed,
    }
    assert [Design(stop=rule).to_json()["stop"] for rule in stopping.RULES.values()] == list(stopping.RULES)


def test_a_rule_of_ones_own_is_not_kept():
    found = Design.from_json(Design(stop=never, shrink=2).to_json())
    assert found == Design(stop=stopping.not_kept, shrink=2) and Design(stop=never).to_json()["stop"] is None
    federation = federate(HALVES, DOMAIN, 1, ZeroWords())
    with pytest.raises(ValueError, match="rule"):
        fit_federated_tree(federation, design=found)
    assert federation.ledger.spent == 0


def test_options_that_are_missing_are_the_defaults_and_unknown_ones_refused():
    assert Design.from_json({}) == Design() and Design.from_json({"prune": True}) == Design(prune=True)
    with pytest.raises(ValueError, match="options"):
        Design.from_json({"pruned": True})
    with pytest.raises(ValueError, match="rule"):
        Design.from_json({"stop": "sometimes"})


def test_the_repr_of_a_design_shows_what_is_not_the_default():
    assert repr(Design()) == "Design()" and repr(DESIGNS["default"]) == "Design(shrink=3)"
    assert repr(DESIGNS["averaged"]) == "Design(stop=averaged)"
    assert repr(DESIGNS["algorithm-5-clipped"]) == (
        "Design(stop=as_printed, relative=True, unspent_to_leaf=False, consistent=False)"
    )
    assert repr(Design(features_per_node=2, prune=True)) == "Design(features_per_node=2, prune=True)"
    rule = partial(stopping.averaged)
    assert repr(Design(stop=rule)) == f"Design(stop={rule})"
