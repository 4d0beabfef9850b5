"""What trees refuse, and in which words: one table of calls, and one of files that were changed and signed again."""

from dataclasses import fields
from fractions import Fraction
from pathlib import Path

import pytest

from fdpedu.accounting import BudgetExceeded, Ledger
from fdpedu.cart import Node, fit_cart
from fdpedu.cart import Tree as PlainTree
from fdpedu.claims.federations import federate
from fdpedu.claims.trees import intervals
from fdpedu.claims.trees.exact_law import ONE, TWO
from fdpedu.domain import Domain, Region
from fdpedu.files import FileRefused
from fdpedu.randomness import Rehearsal, ZeroWords
from fdpedu.trees import (
    DESIGNS,
    SYSTEMS,
    Design,
    LeafRelease,
    Tree,
    count_intervals,
    fit_federated_tree,
    leaf_budgets,
    share_intervals,
    stopping,
)
from fdpedu.trees.costs import Costs
from fdpedu.trees.designs import find_design
from fdpedu.trees.exact_law import SmallTrees
from fdpedu.trees.pruning import pruned_node
from fdpedu.trees.recursive import fit_recursively
from fdpedu.trees.subset import drawn_features, public_coins
from tests.support.private_trees import ALL, DOMAIN, HALVES, content_of, first_leaf, grown, read
from tests.support.sentences import said_in_full

OLD = Tree.load(Path(__file__).parent / "data" / "tree-2.json")
PLAIN = PlainTree(Node((1, 2)), DOMAIN.classes, ("x", "w"), DOMAIN)
MERGED = intervals._merged((Fraction(1),), 3, 1)
WIDE = Domain.from_spec({"features": {"x": [0, 256, 256]}, "classes": ["a", "b"]})
LEVELS = {"unspent_to_leaf": False}
NUMBER = "must be a finite number (an int, a Fraction, a decimal, or text like '1/3'), got"
NAMED = "design must be one of " + ", ".join(map(repr, (*DESIGNS, *SYSTEMS))) + ", or a Design, got"
OPTIONS = "a design has the options " + ", ".join(sorted(field.name for field in fields(Design))) + " and no others"
KEYS = (
    "a tree needs exactly the keys derivation, domain, root, rounds; "
    "it may have design, leaf_releases, n_parties, tolerate, unfinished, and no others"
)
OTHER_FORM = (
    "it lacks something, or has it in another form (TypeError('list indices must be integers or slices, not str'))"
)
UNPAID = "the derivation has no release of class counts of a leaf on {}: this tree is not the one it paid for"
RULES = "the rule of a design must be one of confident, averaged, never, as-printed, or null"
LARGE = "min_samples_split must be at most 4611686018427387904, got 4611686018427387905"
ABOVE = "max_depth must be at least 1 where leaves read the histograms above them: there are none"
DRAWABLE = "epsilon/sensitivity must be at least 2**-40, so that the noise fits 64-bit integers"
ALL_FEATURES = "design must ask for the histograms of all features, and for fresh counts of the leaves"
NODE = "t.json: the node on {} needs exactly the keys {}"
SOURCE = "rng must be None (operating system), a numpy.random.Generator or a source, got int"


def fitted(**options):
    return fit_federated_tree(federate(HALVES, DOMAIN, 1, Rehearsal(0)), **options)


def recursive(**options):
    return fit_recursively(federate(HALVES, DOMAIN, 1, Rehearsal(0)), **options)


def small(**options):
    return SmallTrees(**{"domain": ONE, "alpha": "1/3", "max_depth": 1, "low": 0, "high": 1, **options})


CALLS = [
    # designs
    (lambda: Design(stop="x"), "stop must be a function, got 'x'"),
    (lambda: Design(stop=5), "stop must be a function, got 5"),
    (lambda: Design(relative=1), "relative must be a bool, got int"),
    (lambda: Design(consistent=None), "consistent must be a bool, got NoneType"),
    (lambda: Design(clip=1), "clip must be a bool, got int"),
    (
        lambda: Design(clip=False),
        "clip must be True where shrink is 0: impurities of negative counts have no least one",
    ),
    (lambda: Design(fresh_leaves=None), "fresh_leaves must be a bool, got NoneType"),
    (lambda: Design(prune="yes"), "prune must be a bool, got str"),
    (lambda: Design(unspent_to_leaf=0), "unspent_to_leaf must be a bool, got int"),
    (lambda: Design(features_per_node=0), "features_per_node must be an integer ≥ 1, got 0"),
    (lambda: Design(features_per_node=True), "features_per_node must be an integer ≥ 1, got True"),
    (lambda: Design(features_per_node=1.5), "features_per_node must be an integer ≥ 1, got 1.5"),
    (lambda: Design(features_per_node="root"), "features_per_node must be an integer, 'sqrt' or None, got 'root'"),
    (lambda: Design(shrink=float("inf")), "shrink must be a finite number of at least 0, got inf"),
    (lambda: Design(shrink=float("nan")), "shrink must be a finite number of at least 0, got nan"),
    (lambda: Design(shrink=True), "shrink must be a finite number of at least 0, got True"),
    (lambda: Design(shrink=-1), "shrink must be a finite number of at least 0, got -1"),
    (lambda: Design(shrink=None), "shrink must be a finite number of at least 0, got None"),
    (lambda: Design(shrink="3"), "shrink must be a finite number of at least 0, got '3'"),
    (lambda: find_design(5), f"{NAMED} 5"),
    (lambda: find_design("best"), f"{NAMED} 'best'"),
    (lambda: Design.from_json({"pruned": True}), OPTIONS),
    (lambda: Design.from_json({"stop": "sometimes"}), RULES),
    (
        lambda: stopping.not_kept(None, 2),
        "this tree was grown by a rule of its own, which its file does not keep: give the rule again",
    ),
    # trees of a federation
    (lambda: fitted(max_depth=-1), "max_depth must be an integer ≥ 0, got -1"),
    (lambda: fitted(max_depth=65), "max_depth must be at most 64, got 65"),
    (lambda: fitted(max_depth=1.5), "max_depth must be an integer ≥ 0, got 1.5"),
    (lambda: fitted(min_samples_split=-1), "min_samples_split must be an integer ≥ 0, got -1"),
    (lambda: fitted(min_samples_split=2**62 + 1), LARGE),
    (lambda: fitted(progress=3), "progress must be a function, got 3"),
    (lambda: fitted(epsilon="x"), f"epsilon {NUMBER} 'x'"),
    (lambda: fitted(epsilon=2), "ε = 2 was asked, and ε = 1 is left in the ledger; nothing was charged"),
    (lambda: fitted(leaf_share=1), "leaf_share must lie strictly between 0 and 1, got 1"),
    (lambda: fitted(leaf_share=Fraction(1, 10**13)), DRAWABLE),
    (lambda: fitted(unspent_to_leaf=3), "unspent_to_leaf must be a bool, got int"),
    (lambda: fitted(design=Design(fresh_leaves=False), max_depth=0), ABOVE),
    (lambda: fitted(rng=3), SOURCE),
    (lambda: fit_federated_tree(None), "federation must be a Federation, or the Curator of all rows, got NoneType"),
    (lambda: recursive(max_depth=13), "max_depth must be at most 12, got 13"),
    (lambda: recursive(max_depth="x"), "max_depth must be an integer ≥ 0, got 'x'"),
    (lambda: recursive(min_samples_split=-1), "min_samples_split must be an integer ≥ 0, got -1"),
    (lambda: recursive(min_samples_split=2**62 + 1), LARGE),
    (lambda: recursive(unspent_to_leaf=None), "unspent_to_leaf must be a bool, got NoneType"),
    (lambda: recursive(leaf_share=1), "a share of the budget must lie strictly between 0 and 1, got 1"),
    (lambda: recursive(epsilon=0), "epsilon must be greater than 0, got 0"),
    (lambda: recursive(epsilon=2), "ε = 2 was asked, and ε = 1 is left in the ledger; nothing was charged"),
    (lambda: recursive(leaf_share=Fraction(1, 10**13)), DRAWABLE),
    (lambda: fit_recursively("a federation"), "federation must be a Federation, got str"),
    (lambda: Costs.within(Fraction(1), 0, "1/2", 2, **LEVELS), "epsilon must be greater than 0, got 0"),
    (lambda: Costs.within(Fraction(1), "x", "1/2", 2, **LEVELS), f"epsilon {NUMBER} 'x'"),
    (
        lambda: Costs.within(Fraction(0), None, "1/2", 2, **LEVELS),
        "nothing is left in the ledger; nothing was charged",
    ),
    (
        lambda: Costs.within(Fraction(1), 2, "1/2", 3, **LEVELS),
        "ε = 2 was asked, and ε = 1 is left in the ledger; nothing was charged",
    ),
    (lambda: drawn_features(5, 1, ZeroWords()), "region must be a Region, got int"),
    (lambda: drawn_features(Region((3, 3), 3), 0, ZeroWords()), "n must be an integer ≥ 1, got 0"),
    (lambda: drawn_features(Region((3, 3), 3), 3, ZeroWords()), "n must be at most 2, got 3"),
    (lambda: public_coins(5), SOURCE),
    # trees that are there
    (lambda: pruned_node([1]), "root must be a Node, got list"),
    (lambda: OLD.pruned(), "a tree from an older file cannot be pruned: it does not keep what its leaves released"),
    (
        lambda: MERGED.to_dict(MERGED.root, confidence="19/20"),
        "intervals are of the leaves of the whole tree: leave out node, or confidence",
    ),
    (lambda: leaf_budgets(None, Ledger(1, domain=DOMAIN)), "tree must be a Tree, got NoneType"),
    (lambda: leaf_budgets(PLAIN, 3), "ledger must be a Ledger, got int"),
    (lambda: leaf_budgets(PLAIN, Ledger(1)), "the ledger and the tree must have the same domain"),
    (
        lambda: leaf_budgets(fit_cart([[1], [2]], ["a", "b"]), Ledger(1)),
        "the ledger and the tree must have the same domain",
    ),
    (lambda: count_intervals(3), "tree must be a Tree, got int"),
    (lambda: share_intervals("tree"), "tree must be a Tree, got str"),
    (lambda: count_intervals(MERGED, simultaneous=0), "simultaneous must be an integer ≥ 1, got 0"),
    (lambda: count_intervals(MERGED, 0), "confidence must lie strictly between 0 and 1, got 0"),
    (lambda: count_intervals(MERGED, 1), "confidence must lie strictly between 0 and 1, got 1"),
    (lambda: count_intervals(MERGED, "2"), "confidence must lie strictly between 0 and 1, got 2"),
    (lambda: count_intervals(MERGED, "x"), f"confidence {NUMBER} 'x'"),
    (
        lambda: count_intervals(OLD),
        "a tree from an older file has no intervals: it does not keep what its leaves released",
    ),
    (
        lambda: count_intervals(grown(Design(fresh_leaves=False))[0]),
        "leaves that read the histograms above them have no intervals: their noise was chosen",
    ),
    (lambda: LeafRelease(3, (1, 2, 3), 1), "region must be a Region, got int"),
    (lambda: LeafRelease(ALL, 5, 1), "counts must be a list, got 5"),
    (lambda: LeafRelease(ALL, (1.5, 0, 0), 1), "counts must be an integer ≥ -9223372036854775807, got 1.5"),
    (lambda: LeafRelease(ALL, (2**63, 0, 0), 1), "counts must be at most 9223372036854775807, got 9223372036854775808"),
    (
        lambda: LeafRelease(ALL, (-(2**63), 0, 0), 1),
        "counts must be an integer ≥ -9223372036854775807, got -9223372036854775808",
    ),
    (lambda: LeafRelease(ALL, (1, 2, 3), 0), "epsilon must be greater than 0, got 0"),
    (lambda: LeafRelease(ALL, (1, 2, 3), None), f"epsilon {NUMBER} None"),
    (
        lambda: LeafRelease.from_json({"region": {}, "counts": [1, 2], "epsilon": "1"}, DOMAIN),
        "a leaf release needs the type class-counts, no parameters, a region, an epsilon or a rho, "
        "and a count for each class",
    ),
    # small trees and their law
    (lambda: small(domain="x"), "domain must be a Domain, got str"),
    (lambda: small(alpha="x"), f"alpha {NUMBER} 'x'"),
    (lambda: small(alpha=None), f"alpha {NUMBER} None"),
    (lambda: small(alpha=0), "alpha must lie strictly between 0 and 1, got 0"),
    (lambda: small(alpha=1), "alpha must lie strictly between 0 and 1, got 1"),
    (lambda: small(max_depth=-1), "max_depth must be an integer ≥ 0, got -1"),
    (lambda: small(max_depth=9), "max_depth must be at most 8, got 9"),
    (lambda: small(low=-1001), "low must be an integer ≥ -1000, got -1001"),
    (lambda: small(low=1000, high=1001), "low must be at most 999, got 1000"),
    (lambda: small(low=1), "high must be an integer ≥ 2, got 1"),
    (lambda: small(low=999, high=1001), "high must be at most 1000, got 1001"),
    (lambda: small(leaf_steps=0), "leaf_steps must be an integer ≥ 1, got 0"),
    (lambda: small(leaf_steps=1001), "leaf_steps must be at most 1000, got 1001"),
    (lambda: small(min_samples_split=-1), "min_samples_split must be an integer ≥ 0, got -1"),
    (lambda: small(min_samples_split=2**62 + 1), LARGE),
    (lambda: small(design="no such"), f"{NAMED} 'no such'"),
    (lambda: small(design=Design(features_per_node=1)), ALL_FEATURES),
    (lambda: small(design=Design(fresh_leaves=False)), ALL_FEATURES),
    (lambda: small(domain=TWO, high=4), "8 cells from 0 to 4 make more than 100000 tables"),
    (lambda: small(domain=WIDE), "512 cells from 0 to 1 make more than 100000 tables"),
    (
        lambda: small(high=4).transcripts([]),
        "there are 342025 outcomes, more than 100000: take a smaller depth, or fewer values of a count",
    ),
    (lambda: small().law(5), "rows must be a list, got 5"),
    (lambda: small().law(None), "rows must be a list, got None"),
    (lambda: small().loss([], "rows"), "rows must be a list, got 'rows'"),
    (lambda: small().law([[0.5]]), "rows must be a list of records, each of 1 feature values and a class"),
    (lambda: small().law([["x", "ill"]]), "rows row 0, column 'age': expected a number"),
    (
        lambda: small().law([[0.5, "dead"]]),
        "rows row 0, the class: expected one of the 2 public categories ('well', 'ill')",
    ),
]


test_the_sentences_of_refusals = said_in_full(CALLS, (ValueError, BudgetExceeded))


FILES = [
    # keys and numbers of a file
    (lambda c: c.pop("root"), "t.json: " + KEYS),
    (lambda c: c.update(more=1), "t.json: " + KEYS),
    (lambda c: c.update(root=[1]), "t.json: " + OTHER_FORM),
    (lambda c: c.update(rounds=0), "t.json: rounds must be an integer ≥ 1, got 0"),
    (lambda c: c.update(rounds=True), "t.json: rounds must be a list, got True"),
    (lambda c: c.update(rounds=10**18 + 1), f"t.json: rounds must be at most {10**18}, got {10**18 + 1}"),
    (lambda c: c.update(n_parties=0), "t.json: n_parties must be an integer ≥ 1, got 0"),
    (lambda c: c.update(n_parties="2"), "t.json: n_parties must be an integer ≥ 1, got '2'"),
    (lambda c: c.update(n_parties=True), "t.json: n_parties must be an integer ≥ 1, got True"),
    (
        lambda c: c.update(n_parties=10**18 + 1),
        "t.json: n_parties must be at most 1000000000000000000, got 1000000000000000001",
    ),
    (lambda c: c.update(tolerate=2), "t.json: tolerate must be at most 1, got 2"),
    (lambda c: c.update(tolerate=0), "t.json: tolerate must be an integer ≥ 1, got 0"),
    (lambda c: c.update(design={"stop": "sometimes"}), "t.json: " + RULES),
    (lambda c: c.update(design={"clip": 3}), "t.json: clip must be a bool, got int"),
    (lambda c: c.update(design=""), "t.json: " + OPTIONS),
    (lambda c: c.update(leaf_releases=""), "t.json: leaf_releases must be a list, got ''"),
    (
        lambda c: c["design"].update(fresh_leaves=False),
        "t.json: leaf_releases must be left out where leaves have no class counts of their own",
    ),
    # nodes
    (lambda c: c["root"].update(more=1), NODE.format("all records", "counts, left, right, split")),
    (lambda c: c["root"].pop("left"), NODE.format("all records", "counts, left, right, split")),
    (lambda c: c["root"].update(estimate=[1, 2, 3]), NODE.format("all records", "counts, left, right, split")),
    (lambda c: first_leaf(c).update(label="a"), NODE.format("x ≤ 1", "counts, estimate")),
    (lambda c: c["root"]["left"].update(label="a"), NODE.format("x ≤ 2", "counts, left, right, split")),
    (lambda c: c["root"].update(counts=[1, 2]), "t.json: a node needs an integer for each class"),
    (lambda c: first_leaf(c).update(counts=[2**63, 0, 0]), "t.json: a node needs an integer for each class"),
    (lambda c: first_leaf(c).update(estimate=[1, 2]), "t.json: the estimate of a leaf needs a number for each class"),
    (
        lambda c: first_leaf(c).update(estimate=[2**63, 0, 0]),
        "t.json: the estimate of a leaf needs a number for each class",
    ),
    (
        lambda c: c["root"]["split"].update(left=[9]),
        "t.json: the split on all records names a code that its feature does not have",
    ),
    (
        lambda c: c["root"]["split"].update(left=[]),
        "t.json: the split on all records must send some codes of its node to the left and some to the right",
    ),
    (
        lambda c: c["root"].update(split={"feature": "x", "left": [1]}),
        "t.json: the split on all records must send the smallest codes of an ordered feature to the left",
    ),
    # what was paid for
    (
        lambda c: c["domain"]["features"].update(x=[0, 4, 5], w=["A", "B"]),
        "t.json: its derivation is of another domain",
    ),
    (lambda c: c.update(root={"counts": [0, 0, 0]}), "t.json: " + UNPAID.format("all records")),
    (lambda c: c["leaf_releases"][0].update(epsilon="1/9"), "t.json: " + UNPAID.format("x ≤ 1")),
    (lambda c: c["leaf_releases"].pop(), "t.json: the regions of leaf_releases must divide the domain"),
    (lambda c: c["leaf_releases"][0].update(region={}), "t.json: " + UNPAID.format("all records")),
    (
        lambda c: c["leaf_releases"][0].update(counts=[1, 2]),
        "t.json: a leaf release needs the type class-counts, no parameters, a region, an epsilon or a rho, "
        "and a count for each class",
    ),
    (
        lambda c: c["leaf_releases"][0].update(counts=[1, 2, 0.5]),
        "t.json: counts must be an integer ≥ -9223372036854775807, got 0.5",
    ),
    (lambda c: c["derivation"].update(budget="1"), "t.json: proof: the total 3 is more than the budget 1"),
    (
        lambda c: c["derivation"]["guarantee"].update(value="1"),
        "t.json: guarantee: what is proved is {'measure': 'pure', 'value': '3', 'delta': '0', 'colluders': 1}",
    ),
]


@pytest.fixture(scope="module")
def tree():
    return grown(seed=3)[0]


@pytest.mark.parametrize(("change", "sentence"), FILES, ids=range(len(FILES)))
def test_the_sentences_of_refused_files(change, sentence, tree):
    content = content_of(tree)
    change(content)
    with pytest.raises(FileRefused) as refused:
        read(content)
    assert str(refused.value) == sentence
