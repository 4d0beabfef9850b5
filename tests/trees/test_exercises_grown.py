"""Exercises on the releases of a tree, held against trees that were grown."""

from fractions import Fraction
from functools import cache
from itertools import product

import numpy as np

from fdpedu.accounting import Ledger
from fdpedu.cart import CodeSplit, Node
from fdpedu.cart import Tree as CartTree
from fdpedu.domain import Categorical, Domain
from fdpedu.exercises.catalogue import find
from fdpedu.exercises.trees.shapes import CODES, depth, shapes, split_trees, splits
from fdpedu.federation import Federation, Party
from fdpedu.trees import fit_federated_tree, leaf_budgets
from fdpedu.trees.costs import Costs
from tests.support.exercises import cases_of

DOMAIN = Domain([Categorical("a", (0, 1, 2)), Categorical("b", (0, 1))], (0, 1))


def grown(seed, max_depth, least=4):
    """A private tree of records that depend on both features, with hardly any noise; and its federation."""
    rng = np.random.default_rng(seed)
    X = np.column_stack([rng.integers(0, n, 60) for n in CODES])
    y = np.where(rng.random(60) < 0.2, X[:, 1], (X[:, 0] == 1) ^ (X[:, 1] == 0) & (X[:, 0] == seed % 3)).astype(int)
    parties = [Party(X[rows], DOMAIN, labels=y[rows]) for rows in np.array_split(np.arange(60), 2)]
    federation = Federation(parties, DOMAIN, Ledger(2000), rng=rng)
    tree = fit_federated_tree(
        federation, max_depth=max_depth, min_samples_split=least, unspent_to_leaf=False, design="averaged"
    )
    return tree, federation


def as_split(node):
    """A tree of the library in the form of the exercises."""
    if node.split is None:
        return None
    return (node.split.feature, sorted(node.split.left), as_split(node.left), as_split(node.right))


def bare(tree):
    return None if tree is None else (bare(tree[2]), bare(tree[3]))


@cache
def all_grown():
    return [(*grown(seed, d, least), d) for seed, d, least in product(range(3), (0, 1, 2), (4, 25, 100))]


def test_the_grown_trees_are_of_many_kinds():
    """Among them are a bare root, an early leaf, a full tree, and categories that go left without being the first."""
    trees = [(as_split(tree.root), d) for tree, _, d in all_grown()]
    assert (None, 0) in trees and any(tree is None and d for tree, d in trees)
    assert any(tree is not None and depth(tree) == d == 2 for tree, d in trees)
    assert any(tree is not None and tree[:2] == (0, [0, 2]) for tree, _ in trees)
    assert any(tree is not None and None in tree and depth(tree) == 2 for tree, _ in trees)


def test_what_an_early_leaf_has_paid_is_what_the_library_charges():
    """Two levels of histograms and the report's ε_leaf; a ledger says the same of a leaf that was grown."""
    ((epsilon, leaf_share, levels),) = find("tree-path").cases()
    costs = Costs.within(epsilon, None, leaf_share, levels, unspent_to_leaf=False)
    paid = 2 * costs.node + costs.of_leaf(2)
    assert find("tree-path").reference == (paid, epsilon - paid)
    shares = [leaf for tree, federation, d in all_grown() for leaf in leaf_budgets(tree, federation.ledger) if d == 2]
    assert {leaf.spent for leaf in shares if leaf.level == 1} == {Fraction(2000)}
    assert {leaf.spent for leaf in shares if leaf.level == 0} == {Fraction(1500)}


def test_rounds_and_releases_are_those_of_grown_trees():
    """The numbers of the reference are the tree's rounds and the releases of its derivation."""
    for tree, _, d in all_grown():
        steps = [step for _, step in tree.derivation.releases()]
        histograms = sum(step["releases"] for step in steps if "histogram" in step["query"])
        counts = sum(step["releases"] for step in steps if "histogram" not in step["query"])
        assert find("tree-rounds").reference(bare(as_split(tree.root)), d, 2) == (tree.rounds, histograms, counts)


def test_all_shapes_of_a_size_are_there():
    """Catalan numbers, each shape once; and the cases hold early leaves on every level."""
    assert [len(set(shapes(n))) for n in range(1, 6)] == [1, 1, 2, 5, 14]
    assert len(split_trees()) == len({repr(tree) for tree in split_trees()}) == 29
    assert [splits(tree) for tree in split_trees()] == sorted(map(splits, split_trees()))


def test_routes_are_the_releases_whose_region_holds_the_record():
    """For every record of the domain and every grown tree, by the regions of its derivation."""
    for tree, _, d in all_grown():
        for record in product(*map(range, CODES)):
            counted = [
                "histograms" if "histogram" in step["query"] else "counts"
                for region, step in tree.derivation.releases()
                if all(code in region.codes(j) for j, code in enumerate(record))
            ]
            assert sorted(kind for kind, _ in find("tree-route").reference(as_split(tree.root), list(record), d)) == (
                sorted(counted)
            )


def test_a_route_ends_in_the_leaf_that_the_library_finds():
    """On all trees of the exercise: the last release is that of the leaf of `Tree.apply`."""
    for (tree, record, most), found in cases_of("tree-route"):
        here, path = tree, found[-1][1]
        places = []

        def leaves(node, at="", places=places):
            if node is None:
                places.append(at)
                return Node((1, 0))
            return Node(
                (1, 0), CodeSplit(node[0], frozenset(node[1])), leaves(node[2], at + "L"), leaves(node[3], at + "R")
            )

        library = CartTree(leaves(here), (0, 1), ("a", "b"), DOMAIN)
        assert places[library.apply([record])[0]] == path
        assert len(path) <= most and found == [("histograms", path[:i]) for i in range(min(len(path) + 1, most))] + [
            ("counts", path)
        ]


def test_a_replacement_costs_what_the_counts_of_the_library_move_by():
    """Cells of grown trees, counted from their regions: the sum of |change| × rate over all releases."""
    reference = find("tree-replaced").reference
    for tree, _, d in all_grown()[::4]:
        for old, new in product(product(range(3), range(2), range(2)), repeat=2):
            moved = Fraction(0)
            for region, step in tree.derivation.releases():
                rate = Fraction(step["epsilon"]) / step["releases"]
                features = range(2) if "histogram" in step["query"] else (None,)
                counted = [
                    {(j, r[-1], None if j is None else r[j]) for j in features
                     if all(code in region.codes(i) for i, code in enumerate(r[:-1]))}
                    for r in (old, new)
                ]  # fmt: skip
                moved += rate * len(counted[0] ^ counted[1])
            node = Fraction(1000, d) if d else Fraction(0)
            assert reference(as_split(tree.root), old, new, d, node, Fraction(1000 if d else 2000)) == moved
