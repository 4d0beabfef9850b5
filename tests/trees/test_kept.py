"""What a tree keeps of how it was grown, and how its file is held against what was paid."""

import json
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from fdpedu.accounting import Ledger
from fdpedu.cart import CodeSplit, Node
from fdpedu.claims.federations import federate
from fdpedu.domain import Domain, Region
from fdpedu.files import FileRefused, digest
from fdpedu.randomness import Rehearsal
from fdpedu.trees import DESIGNS, Design, LeafRelease, Tree, fit_federated_tree, leaf_budgets
from fdpedu.trees.regions import leaves_of
from fdpedu.trees.tree_paid import Paid, divides

DOMAIN = Domain.from_spec({"features": {"x": [0, 4, 4], "w": ["A", "B", "C"]}, "classes": ["a", "b", "c"]})
ROWS = [[x % 4 + 0.5, "ABC"[x % 3], "abc"[(x * x + x // 5) % 3]] for x in range(60)]
ALL = DOMAIN.everything


def grown(design="default", budget=3, depth=2, parties=2, seed=1, **rules):
    federation = federate([ROWS[k::parties] for k in range(parties)], DOMAIN, budget, Rehearsal(seed))
    rules = {"max_depth": depth, "min_samples_split": 2, **rules}
    return fit_federated_tree(federation, design=design, **rules), federation


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
