"""Designs: their options, reasons and place in a file; what a tree keeps of how it was grown; its file's check."""

import json
from dataclasses import fields, replace
from fractions import Fraction

import numpy as np
import pytest

from fdpedu.accounting import Ledger
from fdpedu.cart import CodeSplit, Node
from fdpedu.claims.federations import federate
from fdpedu.domain import Domain, Region
from fdpedu.files import FileRefused, digest
from fdpedu.randomness import Rehearsal, ZeroWords
from fdpedu.trees import DESIGNS, Design, LeafRelease, Tree, fit_federated_tree, leaf_budgets, stopping
from fdpedu.trees.design import find_design
from fdpedu.trees.regions import leaves_of
from fdpedu.trees.tree_paid import Paid, divides

DOMAIN = Domain.from_spec({"features": {"x": [0, 4, 4], "w": ["A", "B", "C"]}, "classes": ["a", "b", "c"]})
ROWS = [[x % 4 + 0.5, "ABC"[x % 3], "abc"[(x * x + x // 5) % 3]] for x in range(60)]
ALL = DOMAIN.everything


def own_rule(level, least):
    return np.zeros(len(level.inside), dtype=bool)


def grown(design="default", budget=3, depth=2, parties=2, seed=1, **rules):
    federation = federate([ROWS[k::parties] for k in range(parties)], DOMAIN, budget, Rehearsal(seed))
    rules = {"max_depth": depth, "min_samples_split": 2, **rules}
    return fit_federated_tree(federation, design=design, **rules), federation


def test_the_designs_by_name():
    clipped = Design(stop=stopping.as_printed, relative=True, unspent_to_leaf=False, consistent=False)
    assert dict(DESIGNS) == {
        "default": Design(shrink=3),
        "averaged": Design(stop=stopping.averaged),
        "algorithm-5-clipped": clipped,
        "algorithm-5-as-printed": replace(clipped, stop=stopping.as_printed_unclipped, clip=False),
    }
    assert find_design("averaged") is DESIGNS["averaged"] and find_design(clipped) is clipped
    with pytest.raises(
        ValueError, match=r"design must be one of 'default', .*'algorithm-5-as-printed', or a Design, got 5"
    ):
        find_design(5)


def test_what_a_design_is_by_default():
    assert Design() == Design(stopping.confident, False, 0, True, True, True, None, True, False)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"clip": 1}, "clip must be a bool, got int"),
        ({"fresh_leaves": None}, "fresh_leaves must be a bool"),
        ({"prune": "yes"}, "prune must be a bool"),
        ({"unspent_to_leaf": 0}, "unspent_to_leaf must be a bool"),
        ({"features_per_node": 0}, "features_per_node must be an integer ≥ 1, got 0"),
        ({"features_per_node": True}, "features_per_node must be an integer ≥ 1, got True"),
        ({"features_per_node": 1.5}, "features_per_node must be an integer"),
        ({"shrink": float("inf")}, "shrink must be a finite number of at least 0, got inf"),
        ({"shrink": True}, "shrink must be a finite number of at least 0, got True"),
    ],
)
def test_options_that_are_none_are_refused(wrong, message):
    with pytest.raises(ValueError, match=message):
        Design(**wrong)


def test_features_per_node_becomes_a_plain_integer():
    assert type(Design(features_per_node=np.int64(3)).features_per_node) is int


def named(**options):
    return [name for name, _ in Design(**options).reasons()]


def test_reasons_name_the_options_in_use():
    assert named() == ["stop", "clip", "unspent_to_leaf", "consistent"]
    plain = {"clip": False, "unspent_to_leaf": False, "consistent": False}
    assert named(**plain) == ["stop"]
    assert named(**plain, relative=True) == ["stop", "relative"] and named(**plain, shrink=2) == ["stop", "shrink"]
    assert named(**plain, features_per_node=2) == ["stop", "features_per_node"]
    assert named(**plain, prune=True) == ["stop", "prune"]
    assert named(**plain, fresh_leaves=False) == ["stop", "fresh_leaves"]
    assert named(fresh_leaves=False) == ["stop", "clip", "consistent", "fresh_leaves"]  # there is no leaf to give to


def test_reasons_are_sentences_and_say_what_holds_for_pure_epsilon_only():
    whole = dict(Design(relative=True, shrink=1, features_per_node=2, prune=True).reasons())
    whole |= dict(Design(fresh_leaves=False).reasons())
    assert set(whole) == {field.name for field in fields(Design)}
    assert "pure ε only" in whole["unspent_to_leaf"] and "filter lemma" in whole["unspent_to_leaf"]
    assert "public coins" in whole["features_per_node"] and "d rounds" in whole["fresh_leaves"]
    assert all(len(why) > 40 and why == why.strip() for why in whole.values())


@pytest.mark.parametrize(
    "design",
    [
        *DESIGNS.values(),
        Design(shrink=0.5, features_per_node=4, fresh_leaves=False, prune=True),
        Design(stop=stopping.as_printed_unclipped),
    ],
)
def test_a_design_is_read_back(design):
    assert Design.from_json(json.loads(json.dumps(design.to_json()))) == design


def test_rules_have_names_in_a_file():
    assert dict(stopping.RULES) == {
        "confident": stopping.confident,
        "averaged": stopping.averaged,
        "as-printed": stopping.as_printed,
        "as-printed-unclipped": stopping.as_printed_unclipped,
    }
    assert [Design(stop=rule).to_json()["stop"] for rule in stopping.RULES.values()] == list(stopping.RULES)


def test_a_rule_of_ones_own_is_not_kept():
    found = Design.from_json(Design(stop=own_rule, shrink=2).to_json())
    assert found == Design(stop=stopping.not_kept, shrink=2) and Design(stop=own_rule).to_json()["stop"] is None
    federation = federate([ROWS[::2], ROWS[1::2]], DOMAIN, 1, ZeroWords())
    with pytest.raises(
        ValueError, match="grown by a rule of its own, which its file does not keep: give the rule again"
    ):
        fit_federated_tree(federation, design=found)


def test_options_that_are_missing_are_the_defaults_and_unknown_ones_refused():
    assert Design.from_json({}) == Design() and Design.from_json({"prune": True}) == Design(prune=True)
    with pytest.raises(ValueError, match=r"a design has the options clip, .*unspent_to_leaf and no others"):
        Design.from_json({"pruned": True})
    with pytest.raises(
        ValueError, match="must be one of confident, averaged, as-printed, as-printed-unclipped, or null"
    ):
        Design.from_json({"stop": "never"})


def test_a_tree_keeps_how_it_was_grown():
    tree, _ = grown("averaged", parties=3)
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
    early, _ = grown(design=Design(stop=lambda level, least: np.ones(len(level.inside), dtype=bool)))
    assert early.leaf_releases[0].epsilon == Fraction(9, 4) and early.depth == 0
    assert federation.ledger.spent <= 3


def test_a_leaf_release_knows_its_form():
    release = LeafRelease(ALL.restrict(0, {1, 2}), (3, -1, 0), "1/3")
    assert release.to_json(DOMAIN) == {"region": {"0": [1, 2]}, "counts": [3, -1, 0], "epsilon": "1/3"}
    assert LeafRelease.from_json(release.to_json(DOMAIN), DOMAIN) == release and release.epsilon == Fraction(1, 3)
    for wrong in ({"counts": [1, 2]}, {"more": 1}):
        with pytest.raises(ValueError, match="needs exactly a region, an epsilon and a count for each class"):
            LeafRelease.from_json({**release.to_json(DOMAIN), **wrong}, DOMAIN)


def content_of(tree):
    return json.loads(tree.to_json())


def read(content):
    content.pop("digest", None)
    return Tree.from_json(json.dumps({**content, "digest": digest(content)}), "t.json")


def test_old_files_have_none_of_it():
    tree, _ = grown()
    content = content_of(tree)
    assert list(content) == [
        *("schema", "rounds", "domain", "root", "design", "n_parties", "tolerate", "leaf_releases"),
        *("derivation", "digest"),
    ]
    for key in ("design", "n_parties", "tolerate", "leaf_releases"):
        del content[key]
    again = read(content)
    assert again == tree and (again.design, again.n_parties, again.tolerate, again.leaf_releases) == (
        None,
        None,
        None,
        (),
    )
    assert set(content_of(again)) == {"schema", "rounds", "domain", "root", "derivation", "digest"}


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("n_parties", 1, "n_parties must be an integer ≥ 2, got 1"),
        ("n_parties", "2", "n_parties must be an integer"),
        ("tolerate", 2, "tolerate must be at most 1, got 2"),
        ("tolerate", 0, "tolerate must be an integer ≥ 1, got 0"),
        ("design", {"stop": "never"}, "the rule of a design must be one of"),
        ("design", {"clip": 3}, "clip must be a bool"),
        ("more", 3, "needs exactly the keys derivation, domain, root, rounds; it may have design, leaf_releases, n_p"),
        ("rounds", 0, "rounds must be a positive integer"),
        ("rounds", True, "rounds must be a positive integer"),
        ("rounds", 10**30, "rounds must be a positive integer"),
    ],
)
def test_keys_that_are_none_are_refused(key, value, message):
    content = content_of(grown()[0])
    content[key] = value
    with pytest.raises(FileRefused, match=message):
        read(content)


def test_without_parties_any_tolerance_above_the_colluders_is_read():
    content = content_of(grown()[0])
    del content["n_parties"]
    content["tolerate"] = 7
    assert read(content).tolerate == 7


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda r: r[0].update(epsilon="1/9"), "no release of class counts of a leaf on"),
        (lambda r: r[0].update(region=r[1]["region"]), "the regions of leaf_releases must divide the domain"),
        (lambda r: r.pop(), "the regions of leaf_releases must divide the domain"),
        (lambda r: r.append(r[0]), "the regions of leaf_releases must divide the domain"),
        (lambda r: r[0].update(region={}), "no release of class counts of a leaf on all records"),
        (lambda r: r[0].update(counts=[1, 2]), "a count for each class"),
        (lambda r: r[0].update(counts=[1, 2, 0.5]), "counts must be an integer"),
    ],
)
def test_leaf_releases_are_held_against_the_derivation(change, message):
    content = content_of(grown(seed=3)[0])
    assert len(content["leaf_releases"]) > 2
    change(content["leaf_releases"])
    with pytest.raises(FileRefused, match=message):
        read(content)


def test_regions_that_divide_the_domain():
    left, right = ALL.restrict(0, {0, 1}), ALL.restrict(0, {2, 3})
    parts = [right.restrict(1, {0, 2}), left, right.restrict(1, {1})]
    assert divides(ALL, [ALL]) and divides(ALL, [left, right]) and divides(ALL, parts)
    assert not divides(ALL, []) and not divides(ALL, [left]) and not divides(ALL, parts[:2])
    assert not divides(ALL, [left, left, right]) and not divides(ALL, [ALL, left])
    assert not divides(ALL, [left, ALL.restrict(0, {1, 2, 3})]) and not divides(left, [left, right])
    assert not divides(ALL, [left.restrict_class({0}), right])
    three = [ALL.restrict(1, {code}) for code in range(3)]
    assert divides(ALL, three) and not divides(ALL, [*three[:2], three[2].restrict(0, {0, 1, 3})])
    assert divides(ALL, [*three[:2], three[2].restrict(0, {3, 1}), three[2].restrict(0, {0, 2})])


def test_what_was_paid():
    tree, _ = grown(Design(features_per_node=1), depth=1, seed=2)
    paid = Paid.by(tree.derivation, DOMAIN)
    split = tree.root.split
    assert isinstance(split, CodeSplit)
    paid.require_histogram(ALL)
    paid.require_histogram(ALL, split.feature)
    with pytest.raises(
        ValueError, match=r"no release of class × bin histograms of all features on all records: this tree"
    ):
        paid.require_histogram(ALL, 1 - split.feature)
    with pytest.raises(ValueError, match=r"no release of class × bin histograms of all features on "):
        paid.require_histogram(ALL.restrict(0, {0}))
    for release in tree.leaf_releases:
        paid.require_counts(release.region)
        paid.require_counts(release.region, release.epsilon)
        with pytest.raises(ValueError, match="no release of class counts of a leaf on"):
            paid.require_counts(release.region, release.epsilon / 2)
    paid.require_releases(tree.leaf_releases)
    paid.require_releases([])
    with pytest.raises(ValueError, match="must divide the domain"):
        paid.require_releases(tree.leaf_releases[:1])


def test_a_split_of_a_feature_that_was_not_asked_for_is_refused():
    tree, _ = grown(Design(features_per_node=1), depth=1, seed=2)
    content = content_of(tree)
    other = {"x": "w", "w": "x"}[content["root"]["split"]["feature"]]
    content["root"]["split"] = {"feature": other, "left": [0]}
    with pytest.raises(FileRefused, match="no release of class × bin histograms of all features on all records"):
        read(content)


def test_leaves_and_their_regions_in_the_order_of_reading():
    root = Node(
        (0, 0, 0),
        CodeSplit(0, frozenset({0, 1})),
        Node((1, 0, 0)),
        Node((2, 0, 0), CodeSplit(1, frozenset({2})), Node((3, 0, 0)), Node((4, 0, 0))),
    )
    right = ALL.restrict(0, {2, 3})
    assert [(node.counts[0], region, level) for node, region, level in leaves_of(root, DOMAIN)] == [
        (1, ALL.restrict(0, {0, 1}), 1),
        (3, right.restrict(1, {2}), 2),
        (4, right.restrict(1, {0, 1}), 2),
    ]
    assert leaves_of(Node((5, 0, 0)), DOMAIN) == [(Node((5, 0, 0)), ALL, 0)]
    assert type(right) is Region


def test_budgets_of_the_leaves():
    tree, federation = grown("algorithm-5-clipped", seed=5)
    for budget, (_, region, level) in zip(
        leaf_budgets(tree, federation.ledger), leaves_of(tree.root, DOMAIN), strict=True
    ):
        assert (budget.region, budget.level, budget.spent) == (region, level, federation.ledger.spent_on(region))
        assert budget.remaining == 3 - budget.spent
    fresh = Ledger(7)
    fresh.bind(DOMAIN)
    assert {(b.spent, b.remaining) for b in leaf_budgets(tree, fresh)} == {(0, 7)}
