"""Trees as they are read whole: counts that add up, large ones with intervals as text, regions of one feature."""

import json
from dataclasses import replace

import pytest

from fdpedu.cart import CodeSplit, Node
from fdpedu.claims.federations import federate
from fdpedu.domain import Domain
from fdpedu.files import digest
from fdpedu.randomness import Rehearsal
from fdpedu.trees import LeafRelease, Tree, count_intervals, fit_federated_tree
from fdpedu.trees.regions import leaves_of
from fdpedu.trees.tree_paid import divides

DOMAIN = Domain.from_spec({"features": {"x": [0, 12, 12]}, "classes": ["well", "ill"]})
ROWS = [[x + 0.5, ("well", "ill")[x // 3 % 2]] for x in range(12)] * 9


def grown(depth):
    federation = federate([ROWS[::2], ROWS[1::2]], DOMAIN, 10**6, Rehearsal(1))
    return fit_federated_tree(federation, max_depth=depth, min_samples_split=2)


TREE = grown(2)


def with_releases(root, domain):
    """A tree of this form whose leaves all have releases."""
    regions = [region for _, region, _ in leaves_of(root, domain)]
    releases = tuple(LeafRelease(region, (3,) * domain.n_classes, 1) for region in regions)
    names = tuple(feature.name for feature in domain.features)
    return replace(TREE, root=root, domain=domain, classes=domain.classes, feature_names=names, leaf_releases=releases)


def chain(depth):
    node = Node((3, 3))
    for code in reversed(range(depth)):
        node = Node((3, 3), CodeSplit(0, frozenset(range(code + 1))), Node((3, 3)), node)
    return with_releases(node, DOMAIN)


def wide(n):
    spec = {"features": {"x": [0, 4, 4]}, "classes": [f"c{k}" for k in range(n)]}
    return with_releases(Node((1,) * n), Domain.from_spec(spec))


@pytest.mark.parametrize(("tree", "drawn"), [(chain(8), True), (chain(9), False), (wide(6), True), (wide(7), False)])
def test_a_tree_with_intervals_that_is_too_large_for_a_drawing_is_shown_as_text(tree, drawn):
    assert count_intervals(tree)
    shown = tree._repr_html_()
    assert ("fd-interval" in shown) is drawn and ("<pre" in shown) is not drawn


def read(content):
    content.pop("digest", None)
    return Tree.from_json(json.dumps({**content, "digest": digest(content)}), "t.json")


def require_sums(node):
    if not node.is_leaf:
        assert node.counts == tuple(a + b for a, b in zip(node.left.counts, node.right.counts, strict=True))
        require_sums(node.left)
        require_sums(node.right)


@pytest.mark.parametrize("path", [[], ["left"], ["right"], ["right", "left"], ["right", "right"]])
@pytest.mark.parametrize("change", [[7, 0], [0, 1], [50, 50]])
def test_counts_that_do_not_add_up_are_made_to(path, change):
    """At any node, and though none is negative; labels and what leaves predict from stay."""
    content = json.loads(TREE.to_json())
    node = content["root"]
    for side in path:
        node = node[side]
    node["counts"] = [n + more for n, more in zip(node["counts"], change, strict=True)]
    again = read(content)
    require_sums(again.root)
    labels = [leaf["estimate"] if "estimate" in leaf else leaf["counts"] for leaf in leaves(content["root"])]
    assert [list(leaf.estimate or leaf.counts) for leaf in again.leaves()] == labels
    assert [leaf.split for _, leaf in again.nodes()] == [leaf.split for _, leaf in TREE.nodes()]


def leaves(node):
    return leaves(node["left"]) + leaves(node["right"]) if "split" in node else [node]


def test_a_tree_of_two_levels_is_read_as_it_is():
    assert TREE.depth == 2 and len(TREE.leaves()) == 3 and read(json.loads(TREE.to_json())) == TREE


def test_of_one_feature_no_region_is_divided_by_nothing():
    everything = DOMAIN.everything
    assert not divides(everything, []) and divides(everything, [everything])
    assert not divides(everything, [everything, everything])
    assert not divides(everything, [everything.restrict(0, {0})])
