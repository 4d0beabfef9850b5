"""What a derivation has paid for, regions that divide the domain, and files that are held against both."""

import json
from fractions import Fraction

import pytest

from fdpedu.accounting import as_cost
from fdpedu.cart import CodeSplit
from fdpedu.claims.federations import federate
from fdpedu.domain import Domain
from fdpedu.federation import ClassCounts, NodeHistograms
from fdpedu.files import FileRefused
from fdpedu.randomness import Rehearsal
from fdpedu.trees import Design, LeafRelease, fit_federated_tree
from fdpedu.trees.tree_file import _Reader
from fdpedu.trees.tree_paid import Paid, divides
from tests.support.private_trees import ALL, DOMAIN, HALVES, THIRDS, content_of, grown, of_three, read

REUSING = Design(fresh_leaves=False)


def test_what_was_paid():
    tree, _ = grown(Design(features_per_node=1), max_depth=1, seed=2)
    paid = Paid.by(tree.derivation, DOMAIN)
    split = tree.root.split
    assert isinstance(split, CodeSplit)
    paid.require_histogram(ALL)
    paid.require_histogram(ALL, split.feature)
    with pytest.raises(ValueError, match=r"histograms .* all records"):
        paid.require_histogram(ALL, 1 - split.feature)
    with pytest.raises(ValueError, match="histograms"):
        paid.require_histogram(ALL.restrict(0, {0}))
    for release in tree.leaf_releases:
        paid.require_counts(release.region)
        paid.require_counts(release.region, release.cost)
        with pytest.raises(ValueError, match="class counts"):
            paid.require_counts(release.region, release.cost.scaled(Fraction(1, 2)))
    paid.require_releases(tree.leaf_releases)
    paid.require_releases([])
    with pytest.raises(ValueError, match="divide"):
        paid.require_releases(tree.leaf_releases[:1])


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


STRIPES = Domain.from_spec({"features": {"x": [0, 12, 12]}, "classes": ["well", "ill"]})


def test_of_one_feature_no_region_is_divided_by_nothing():
    everything = STRIPES.everything
    assert not divides(everything, []) and divides(everything, [everything])
    assert not divides(everything, [everything, everything])
    assert not divides(everything, [everything.restrict(0, {0})])


def test_every_cost_of_a_region_is_known():
    federation = federate(THIRDS, DOMAIN, 20, Rehearsal(3))
    for epsilon in (2, 1):
        tree, _ = of_three(federation=federation, epsilon=epsilon, max_depth=0)
    paid = Paid.by(tree.derivation, DOMAIN)
    for epsilon in (1, 2):
        paid.require_counts(ALL, as_cost(epsilon))


# --- files that are held against what was paid ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda r: r[0].update(epsilon="1/9"), "class counts"),
        (lambda r: r[0].update(region=r[1]["region"]), "divide"),
        (lambda r: r.pop(), "divide"),
        (lambda r: r.append(r[0]), "divide"),
        (lambda r: r[0].update(region={}), "class counts .* all records"),
        (lambda r: r[0].update(counts=[1, 2]), "count"),
        (lambda r: r[0].update(counts=[1, 2, 0.5]), "counts"),
    ],
)
def test_leaf_releases_are_held_against_the_derivation(change, message):
    content = content_of(grown(seed=3)[0])
    assert len(content["leaf_releases"]) > 2
    change(content["leaf_releases"])
    with pytest.raises(FileRefused, match=message):
        read(content)


def test_a_split_of_a_feature_that_was_not_asked_for_is_refused():
    tree, _ = grown(Design(features_per_node=1), max_depth=1, seed=2)
    content = content_of(tree)
    other = {"x": "w", "w": "x"}[content["root"]["split"]["feature"]]
    content["root"]["split"] = {"feature": other, "left": [0]}
    with pytest.raises(FileRefused, match=r"histograms .* all records"):
        read(content)


def test_leaf_releases_of_another_tree_on_the_same_ledger_are_refused():
    """Both were paid for, and both divide the domain; intervals of the one would say too much of the other."""
    federation = federate(THIRDS, DOMAIN, 20, Rehearsal(3))
    trees = [of_three(federation=federation, epsilon=5, max_depth=depth)[0] for depth in (1, 2, 3)]
    assert len({tree.root.split for tree in trees}) > 1
    content, other = json.loads(trees[2].to_json()), json.loads(trees[1].to_json())
    for one, two in ((trees[1], other), (trees[0], json.loads(trees[0].to_json()))):
        assert [r.region for r in one.leaf_releases] != [r.region for r in trees[2].leaf_releases]
        with pytest.raises(FileRefused, match=r"another tree|not the one it paid for"):
            read({**content, "root": two["root"]})


def test_a_merged_leaf_is_divided_by_releases_and_its_histogram_was_paid():
    left, right = ALL.restrict(0, {0, 1}), ALL.restrict(0, {2, 3})
    parts = [left.restrict(1, {0}), left.restrict(1, {1})]
    releases = [LeafRelease(part, (1, 2, 3), Fraction(1)) for part in [*parts, left.restrict(1, {2})]]
    histograms, counts = (NodeHistograms.type, (), DOMAIN.n_features), (ClassCounts.type, (), 1)
    leaves = {(release.region, counts): {Fraction(1)} for release in releases}
    above = {(left, histograms): {Fraction(1)}, **leaves}
    for two in ({0, 1}, {0, 2}, {1, 2}):  # of three leaves two come from one split more
        costs = {**above, (left.restrict(1, two), histograms): {Fraction(1)}}
        reader = _Reader(DOMAIN, Paid(DOMAIN, True, costs), Design(), True, True)
        reader._require_leaf(left, None, releases)
    with pytest.raises(ValueError, match="all splits that were merged into the leaf on x ≤ 2"):
        _Reader(DOMAIN, Paid(DOMAIN, True, above), Design(), True, True)._require_leaf(left, None, releases)
    with pytest.raises(ValueError, match="class counts"):
        reader._require_leaf(left, None, releases[:2])
    with pytest.raises(ValueError, match="class counts"):
        reader._require_leaf(right, None, releases)
    with pytest.raises(ValueError, match="histograms"):
        _Reader(DOMAIN, Paid(DOMAIN, True, leaves), Design(), True, True)._require_leaf(left, None, releases)


def test_a_merged_leaf_is_read_only_where_the_design_prunes_and_its_leaves_were_paid():
    tree, _ = grown(Design(prune=True), max_depth=3)
    content = content_of(tree)
    assert read(content) == tree and len(tree.leaves()) < len(tree.leaf_releases)
    content["design"]["prune"] = False
    with pytest.raises(FileRefused, match="class counts"):
        read(content)
    content["design"]["prune"] = True
    del content["leaf_releases"][0]
    with pytest.raises(FileRefused, match="divide"):
        read(content)
    del content["leaf_releases"]
    with pytest.raises(FileRefused, match="class counts"):
        read(content)


def test_nothing_below_a_leaf_that_was_counted_can_be_merged():
    """A merged leaf must be a node whose histograms were paid for: cutting a tree elsewhere is refused."""
    tree, _ = grown(Design(prune=True), max_depth=3)
    content = content_of(tree)
    for release in content["leaf_releases"]:
        release["epsilon"] = "1/7"
    with pytest.raises(FileRefused, match="class counts"):
        read(content)


def test_its_file_needs_histograms_only():
    tree, _ = grown(REUSING)
    content = json.loads(tree.to_json())
    assert "leaf_releases" not in content and content["design"]["fresh_leaves"] is False and read(content) == tree
    del content["design"]
    with pytest.raises(FileRefused, match="class counts"):
        read(content)


def test_its_leaves_are_no_deeper_than_what_was_paid():
    tree, _ = grown(REUSING)
    content = json.loads(tree.to_json())
    leaf = content["root"]
    while "left" in leaf:
        leaf = leaf["left"]
    leaf.update(split={"feature": "w", "left": [0]}, left={"counts": [0, 0, 0]}, right={"counts": leaf["counts"]})
    leaf.pop("estimate", None)
    with pytest.raises(FileRefused, match="histograms"):
        read(content)


def test_a_bare_root_must_have_histograms():
    """Class counts of the root alone do not make a tree of histograms."""
    federation = federate(HALVES, DOMAIN, 3, Rehearsal(1))
    content = json.loads(fit_federated_tree(federation, max_depth=0).to_json())
    del content["leaf_releases"]
    assert read(json.loads(json.dumps(content))).depth == 0
    content["design"]["fresh_leaves"] = False
    with pytest.raises(FileRefused, match=r"histograms .* all records"):
        read(content)


def test_leaf_releases_and_leaves_without_them_exclude_each_other():
    federation = federate(HALVES, DOMAIN, 3, Rehearsal(1))
    content = json.loads(fit_federated_tree(federation, max_depth=1).to_json())
    content["design"]["fresh_leaves"] = False
    with pytest.raises(FileRefused, match="leaf_releases"):
        read(content)
