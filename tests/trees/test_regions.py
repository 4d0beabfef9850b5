"""Leaves and their regions, in the order of reading."""

from fdpedu.cart import CodeSplit, Node
from fdpedu.domain import Region
from fdpedu.trees.regions import leaves_of
from tests.support.private_trees import ALL, DOMAIN


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
