"""Rotating trees and trees of one owner: what is asked, who pays, what is written, and what is refused."""

import json
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.accounting import BudgetExceeded, Ledger
from fdpedu.derivation_checker import MAX_COUNTS, check_derivation
from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.federation import ChosenBlock, ClassCounts, Curator, DesignedSplit, Federation, Party
from fdpedu.files import FileRefused
from fdpedu.randomness import Rehearsal, ZeroWords
from fdpedu.trees import Tree, count_intervals, fit_federated_tree, fit_owner_tree
from fdpedu.trees.designs import Owner, Rotating, rotating
from fdpedu.trees.designs.base import MAX_LEVELS
from fdpedu.trees.pruning import pruned_node
from fdpedu.trees.regions import leaves_of

MIXED = Domain(
    [
        Numeric.grid("x", 0, 4, bins=4),
        Categorical("w", ("A", "B", "C")),
        Numeric.grid("z", 0, 3, bins=3, missing=True),
    ],
    ("a", "b", "c"),
)


def rows(n, seed=0):
    rng = np.random.default_rng(seed)
    x, z, w = rng.uniform(0, 4, n), rng.uniform(0, 3, n), rng.integers(0, 3, n)
    label = np.where(x > 2, np.where(w == 1, 0, 1), 2)
    return [
        [float(a), "ABC"[b], None if i % 7 == 0 else float(c), "abc"[d]]
        for i, (a, b, c, d) in enumerate(zip(x, w, z, label, strict=True))
    ]


def federation(parties=3, n=40, budget=1, seed=1, **options):
    parts = [Party(rows(n, k), MIXED) for k in range(parties)]
    return Federation(parts, MIXED, Ledger(budget), rng=Rehearsal(seed), **options)


def asked_of(f):
    """The queries of each round, as they crossed the transport."""
    return [f._asked_in(request) for request in f.transport.requests.values()]


# --- rotating ---------------------------------------------------------------------------------------------------------


@pytest.mark.claim("lem-party-coordinate", "thm-rotating-tree")
@settings(max_examples=12, deadline=None)
@given(st.integers(2, 7), st.integers(0, 5), st.integers(0, 10**6), st.sampled_from(["1/5", "7/20", "1/2"]))
def test_whatever_the_parties_order_and_depth_are_epsilon_is_spent_exactly(parties, depth, seed, share):
    f = federation(parties, 4, "3/2")
    coins = np.random.default_rng(seed)
    tree = fit_federated_tree(f, design="rotating", max_depth=depth, leaf_share=share, rng=coins)
    assert f.ledger.spent == Fraction(3, 2) and tree.rounds == depth + 1
    guarantee = check_derivation(tree.derivation.to_json(), f.manifest.to_json())
    assert guarantee.spent == guarantee.value == Fraction(3, 2)
    designs = [{q.designer for q in queries} for queries in asked_of(f)[:-1]]
    assert all(len(level) == 1 for level in designs)
    order = [party for (party,) in designs]
    assert order[parties:] == order[: max(0, depth - parties)] and len(set(order)) == min(depth, parties)


@pytest.mark.claim("thm-rotating-tree")
def test_what_is_asked_at_each_level():
    """Every node is split, empty ones too; the party of a level is asked for all of its nodes and pays them once."""
    f = federation(2, 1)
    tree = fit_federated_tree(f, design="rotating", max_depth=3, leaf_share="1/4", rng=np.random.default_rng(3))
    *levels, leaves = asked_of(f)
    assert [len(level) for level in levels] == [1, 2, 4]
    first, second = levels[0][0].designer, levels[1][0].designer
    assert {first, second} == {0, 1} and levels[2][0].designer == first
    costs = [{q.epsilon for q in level} for level in levels]
    assert costs == [{Fraction(3, 8)}, {Fraction(3, 4)}, {Fraction(3, 8)}]
    assert all(type(q) is ClassCounts and q.epsilon == Fraction(1, 4) for q in leaves)
    assert {q.region for q in leaves} == {region for _, region, _ in leaves_of(tree.root, MIXED)}
    assert len({q.region for level in levels for q in level}) == 7
    assert all(q.loss == "mixed" and q.lattice == 1024 for level in levels for q in level)


def test_the_order_is_drawn_by_public_coins():
    orders = Counter()
    for seed in range(60):
        f = federation(3, 1, budget=1)
        fit_federated_tree(f, design="rotating", max_depth=3, rng=np.random.default_rng(seed))
        orders[tuple(level[0].designer for level in asked_of(f)[:-1])] += 1
    assert len(orders) == 6 and all(len(set(order)) == 3 for order in orders)


def test_with_a_budget_beyond_all_need_each_level_has_the_best_split_of_its_party():
    f = federation(2, 300, budget=10**6)
    tree = fit_federated_tree(f, design="rotating", max_depth=2, rng=np.random.default_rng(0))
    assert tree.score([r[:-1] for r in rows(300, 9)], [r[-1] for r in rows(300, 9)]) > 0.9
    assert tree.root.split.feature == 0 and tree.root.split.left == {0, 1}


def test_a_region_that_nothing_divides_is_a_leaf_before_full_depth():
    line = Domain([Numeric.grid("x", 0, 2, bins=2)], ("a", "b"))
    f = Federation([Party([[0.5, "a"]], line), Party([[1.5, "b"]], line)], line, Ledger(1), rng=Rehearsal(1))
    tree = fit_federated_tree(f, design="rotating", max_depth=4)
    assert tree.depth == 1 and tree.rounds == 2 and len(list(tree.leaves())) == 2
    assert tree.derivation.spent < 1 == f.ledger.budget


def test_at_depth_zero_the_leaf_has_all_of_epsilon():
    f = federation(2, 5)
    tree = fit_federated_tree(f, design="rotating", max_depth=0)
    assert tree.rounds == 1 and tree.derivation.spent == 1 and tree.leaf_releases[0].epsilon == 1


@pytest.mark.claim("thm-rotating-tree")
def test_the_tree_is_a_function_of_what_was_told(monkeypatch):
    """Given the same answers, other rows and one record more change nothing: neither the questions nor the tree."""
    told, seen = [], []

    def first(self, queries, *rest, **options):
        told.append(kept(self, queries, *rest, **options))
        seen.append([(type(q), q.region, q.epsilon) for q in queries])
        return [answer.copy() for answer in told[-1]]

    def again(self, queries, *rest, **options):
        kept(self, queries, *rest, **options)
        assert [(type(q), q.region, q.epsilon) for q in queries] == seen.pop(0)
        return told.pop(0)

    kept = Federation.release
    trees = []
    for n, way in ((30, first), (5, again)):
        monkeypatch.setattr(Federation, "release", way)
        trees.append(fit_federated_tree(federation(3, n), design="rotating", rng=np.random.default_rng(1)))
    assert trees[0].root == trees[1].root and trees[0].leaf_releases == trees[1].leaf_releases and not told


def test_the_counts_of_a_tree_add_up_and_its_leaves_predict_from_what_was_released():
    tree = fit_federated_tree(federation(3, 60), design="rotating", rng=np.random.default_rng(2))
    for _, node in tree.nodes():
        if not node.is_leaf:
            sums = tuple(a + b for a, b in zip(node.left.counts, node.right.counts, strict=True))
            assert node.counts == sums and min(node.counts) >= 0
    for leaf, release in zip(tree.leaves(), tree.leaf_releases, strict=True):
        assert list(leaf.estimate or leaf.counts) == list(release.counts)
    spans = count_intervals(tree)
    assert len(spans) == 3 * len(tree.leaf_releases)


def test_the_nominal_size_sets_the_shape():
    """Not the true number of rows, which is the same in all three."""
    found = {}
    for size in (None, 100, 2000):
        tree = fit_federated_tree(federation(3, 9), design="rotating", nominal_size=size)
        found[size] = tree.rounds, {release.epsilon for release in tree.leaf_releases}
    assert found == {
        None: (5, {Fraction(1, 5)}),
        100: (5, {Fraction(7, 20)}),
        2000: (6, {Fraction(1, 5)}),
    }


# --- one owner --------------------------------------------------------------------------------------------------------


@pytest.mark.claim("thm-owner-tree")
@pytest.mark.parametrize(("size", "blocks"), [(300, 1), (None, 2), (10_000, 3)])
def test_an_owners_tree_has_blocks_at_equal_shares_and_leaves_at_a_fifth(size, blocks):
    ledger, steps = Ledger(1), []
    tree = fit_owner_tree(
        Party(rows(80), MIXED), ledger, nominal_size=size, rng=Rehearsal(1), progress=lambda *at: steps.append(at)
    )
    assert ledger.spent == 1 and tree.rounds == blocks + 1 and tree.depth == 2 * blocks
    assert (tree.n_parties, tree.tolerate) == (1, 0) and tree.design == Owner()
    paid = Counter(
        (step["type"], step["epsilon"]) for _, step in tree.derivation.releases() if step["type"] != ClassCounts.type
    )
    assert set(paid) == {(ChosenBlock.type, str(Fraction(4, 5) / blocks))}
    most = sum(4**k for k in range(blocks))  # where no part is too small to be divided
    assert blocks == 3 or set(paid.values()) == {most}
    assert sum(paid.values()) <= most
    assert {release.epsilon for release in tree.leaf_releases} == {Fraction(1, 5)}
    assert check_derivation(tree.derivation.to_json()).spent == 1
    assert steps[-1] == (1, 1) and all(0 < done <= of for done, of in steps)
    assert [done / of for done, of in steps] == sorted(done / of for done, of in steps)


def test_an_owners_tree_is_drawn_by_the_words_that_are_given():
    trees = [fit_owner_tree(Party(rows(60), MIXED), Ledger(1), nominal_size=300, rng=Rehearsal(k)) for k in (5, 5, 6)]
    assert trees[0].root == trees[1].root and trees[0].leaf_releases != trees[2].leaf_releases
    assert "rehearsal" in str(trees[0].derivation.guarantee)
    with pytest.raises(ValueError, match="progress must be a function, got 3"):
        fit_owner_tree(Party(rows(5), MIXED), Ledger(1), progress=3)


def test_designs_that_prune_merge_leaves_of_one_label():
    def owned_root(prune, seed):
        growth = Owner(prune=prune).growth(
            Curator(Party(rows(60), MIXED), Ledger(1), Rehearsal(seed)),
            owned(max_depth=2)[1],
            Fraction(1),
            Rehearsal(1),
        )
        while growth.goes_on:
            growth.round(lambda done, of: None)
        return growth.finish().root

    pairs = [(owned_root(True, seed), owned_root(False, seed)) for seed in range(6)]
    assert all(pruned_node(whole) == smaller for smaller, whole in pairs)
    assert any(smaller != whole for smaller, whole in pairs)
    pruned, whole = (
        fit_federated_tree(federation(3, 40), design=Rotating(prune=prune), rng=np.random.default_rng(2))
        for prune in (True, False)
    )
    assert pruned.root == whole.pruned().root != whole.root


def test_an_owner_keeps_the_rest_of_the_budget():
    ledger = Ledger(1)
    fit_owner_tree(Party(rows(20), MIXED), ledger, epsilon="1/4", nominal_size=20, rng=Rehearsal(1))
    assert ledger.spent == Fraction(1, 4)
    with pytest.raises(BudgetExceeded):
        fit_owner_tree(Party(rows(20), MIXED), ledger, epsilon=1, rng=Rehearsal(1))
    assert ledger.spent == Fraction(1, 4)


def test_a_side_that_nothing_divides_is_a_leaf_of_an_owners_tree():
    line = Domain([Numeric.grid("x", 0, 3, bins=3)], ("a", "b"))
    tree = fit_owner_tree(Party([[0.5, "a"], [2.5, "b"]] * 9, line), Ledger(1), rng=Rehearsal(3))
    assert len(list(tree.leaves())) == 3 and tree.rounds == 2 and Tree.from_json(tree.to_json()) == tree


# --- files ------------------------------------------------------------------------------------------------------------


def trees():
    rotated = fit_federated_tree(federation(3, 40), design="rotating", max_depth=3, rng=np.random.default_rng(2))
    screened = fit_federated_tree(federation(3, 40), design="screened", max_depth=2)
    return [rotated, screened, fit_owner_tree(Party(rows(60), MIXED), Ledger(1), rng=Rehearsal(4))]


@pytest.mark.parametrize("at", range(3))
def test_trees_are_read_back_and_may_be_pruned(at):
    tree = trees()[at]
    again = Tree.from_json(tree.to_json())
    assert again == tree and again.design == tree.design and again.rounds == tree.rounds
    smaller = tree.pruned()
    assert smaller.design.prune and Tree.from_json(smaller.to_json()) == smaller
    tests = [row[:-1] for row in rows(50, 8)]
    assert smaller.predict(tests).tolist() == tree.predict(tests).tolist() == again.predict(tests).tolist()
    assert "svg" in tree._repr_html_()


@pytest.mark.parametrize("at", [0, 2])
def test_a_split_that_nobody_was_paid_for_is_refused(at):
    tree = trees()[at]
    content = json.loads(tree.to_json())
    text = json.dumps(content).replace('"designed-split"', '"designed-joke"').replace('"chosen-block"', '"chosen-joke"')
    with pytest.raises(FileRefused):
        Tree.from_json(text)


def test_a_split_needs_a_choice_on_its_very_region_or_a_block_above():
    from fdpedu.trees.tree_paid import Paid

    everything = MIXED.everything
    left, right = everything.restrict(0, {0}), everything.restrict(0, {1, 2, 3})
    block, split = (ChosenBlock.type, (), 1), (DesignedSplit.type, (), 1)
    paid = Paid(MIXED, True, {(everything, block): {Fraction(1)}, (left, split): {Fraction(1)}})
    Owner().require_split(paid, everything, None, 0)
    Owner().require_split(paid, left, everything, None)
    Rotating().require_split(paid, left, everything, 1)
    for design, region, above in (
        (Owner(), right.restrict(1, {0}), right),
        (Owner(), left, None),
        (Rotating(), everything, None),
        (Rotating(), right, everything),
        (Rotating(), right, left),
    ):
        with pytest.raises(ValueError, match=r"has no choice of a split on .*: this tree is not the one it paid for"):
            design.require_split(paid, region, above, 0)


# --- refusals ---------------------------------------------------------------------------------------------------------

WIDE = Domain([Numeric.grid(f"x{j}", 0, 1, bins=256) for j in range(65)], ("a", "b"))


def fitted(**options):
    return fit_federated_tree(federation(2, 2), **{"design": "rotating", **options})


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: fitted(max_depth=MAX_LEVELS + 1), "max_depth must be at most 8 for the design 'rotating', got 9"),
        (lambda: fitted(min_samples_split=3), "the design 'rotating' has no use for min_samples_split"),
        (lambda: fitted(unspent_to_leaf=False), "the design 'rotating' has no use for unspent_to_leaf"),
        (lambda: fitted(nominal_size=0), "nominal_size must be an integer ≥ 1, got 0"),
        (lambda: fitted(nominal_size=10.0), "nominal_size must be an integer ≥ 1, got 10.0"),
        (lambda: fitted(epsilon=2), "ε = 2 was asked, and ε = 1 is left in the ledger; nothing was charged"),
        (lambda: fitted(leaf_share=Fraction(1, 2**42)), "epsilon/sensitivity must be at least 2**-40"),
        (lambda: fitted(leaf_share=1 - Fraction(1, 2**42)), "epsilon/sensitivity must be at least 2**-40"),
        (lambda: fitted(epsilon=Fraction(1, 10**39 + 1)), "epsilon/sensitivity must be at least 2**-40"),
        (lambda: Rotating("entropy"), "loss must be one of errors, gini, mixed; got 'entropy'"),
        (lambda: Rotating(lattice=0), "lattice must be an integer ≥ 1, got 0"),
        (lambda: Owner(lattice=2**16 + 1), "lattice must be at most 65536, got 65537"),
        (lambda: Owner(prune=1), "prune must be a bool, got int"),
        (
            lambda: Rotating.from_json({"name": "rotating", "order": [1]}),
            "a design rotating has lattice, loss, name,",
        ),
        (lambda: fit_owner_tree(rows(3), Ledger(1)), "party must be a Party, got list"),
        (lambda: fit_owner_tree(Party(rows(3), MIXED), Ledger(1), nominal_size=-1), "nominal_size must be an integer"),
        (lambda: owned(max_depth=3), "max_depth must be even for the design 'owner'"),
        (lambda: owned(max_depth=10), "max_depth must be at most 8 for the design 'owner', got 10"),
        (lambda: owned(min_samples_split=10), "the design 'owner' has no use for min_samples_split"),
    ],
)
def test_the_sentences_of_refusals(make, words):
    with pytest.raises(ValueError) as refusal:
        make()
    assert str(refusal.value).startswith(words)


def owned(**options):
    from fdpedu.trees.shape import Asked

    return Owner().settled(Asked(**options), 1)


def test_a_design_is_grown_by_those_whose_it_is():
    f, curator = federation(2, 2), Curator(Party(rows(3), MIXED), Ledger(1), ZeroWords())
    shape = owned(max_depth=2)[1]
    with pytest.raises(ValueError, match="federation must be a Federation, got Curator"):
        Rotating().growth(curator, shape, Fraction(1), Rehearsal(1))
    with pytest.raises(ValueError, match="curator must be a Curator, got Federation"):
        Owner().growth(f, shape, Fraction(1), Rehearsal(1))


@pytest.mark.parametrize("name", ["wide", "parties", "room"])
def test_what_could_not_be_grown_to_its_end_is_refused_before_anything_is_charged(name, monkeypatch):
    f = federation(3, 2)
    if name == "wide":
        f, words = (
            Federation([Party([], WIDE)] * 1 + [Party([], WIDE)], WIDE, Ledger(1), rng=Rehearsal(1)),
            "at most 16384",
        )
    elif name == "parties":
        monkeypatch.setattr(rotating, "MAX_PARTIES", 2)
        words = "the design 'rotating' is for at most 2 parties, got 3: take 'screened'"
    else:
        monkeypatch.setitem(MAX_COUNTS, "steps", 60)
        words = "the derivation of this ledger is nearly as long as one may be"
    with pytest.raises(ValueError, match=words):
        fit_federated_tree(f, design="rotating", max_depth=5)
    assert f.ledger.spent == 0 and f.rounds == 0


def test_the_deepest_tree_that_is_allowed_is_grown():
    f = federation(2, 2, budget=4)
    tree = fit_federated_tree(f, design="rotating", max_depth=MAX_LEVELS)
    assert len(tree.leaf_releases) <= 2**MAX_LEVELS and tree.depth <= MAX_LEVELS
    assert check_derivation(tree.derivation.to_json(), f.manifest.to_json()).spent <= 4
    assert Tree.from_json(tree.to_json()) == tree
