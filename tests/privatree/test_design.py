"""How an owner's tree grows: what is asked, and what is made of the answers; without noise it is the greedy tree."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.accounting import Ledger, as_cost
from fdpedu.cart import candidates, fit_cart
from fdpedu.cart.candidates import ALL_BORDERS, Borders
from fdpedu.claims import strategies as draw
from fdpedu.claims.better_trees.law import class_counts, coded, inside, losses_by_hand
from fdpedu.claims.better_trees.losses import by_pairs
from fdpedu.claims.privatree.search import best_by_hand, share_by_hand
from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.federation import Curator, Party
from fdpedu.randomness import Rehearsal, ZeroWords
from fdpedu.trees import PrivaTree, fit_privatree
from fdpedu.trees.designs.privatree.edges import features_to_thin
from fdpedu.trees.shape import Asked
from tests.support.privatrees import EVERY, MIXED, PLAIN, fitted, named, on_public_rows, rows, spelled

SCORES = ["errors", "gini", "mixed"]


def regions_of(tree, domain):
    """Every node with its region."""
    found = []

    def visit(node, region):
        found.append((node, region))
        if not node.is_leaf:
            here = region.codes(node.split.feature)
            visit(node.left, region.restrict(node.split.feature, node.split.left & here))
            visit(node.right, region.restrict(node.split.feature, here - node.split.left))

    visit(tree.root, domain.everything)
    return found


def loss_of(node, region, data, domain, score):
    here = region.codes(node.split.feature)
    sides = [region.restrict(node.split.feature, codes) for codes in (node.split.left & here, here - node.split.left)]
    return by_pairs(*(class_counts(domain, side, data) for side in sides), score, 1024)


@pytest.mark.claim("thm-privatree", "lem-chosen-split", "lem-leaf-label")
@settings(max_examples=15, deadline=None)
@given(st.data(), st.sampled_from(SCORES), st.sampled_from([ZeroWords(), Rehearsal(3)]))
def test_as_epsilon_grows_choices_become_the_greedy_tree(data, score, source):
    """At an ε beyond all need every split has the least loss of its node, and every leaf a majority label."""
    domain = data.draw(draw.domains(2, 5, 4))
    table = data.draw(draw.tables(domain, most=20))
    tree = fit_privatree(Party(table, domain), Ledger(10**7), max_depth=2, score=score, rng=source)
    records = coded(domain, table)
    for node, region in regions_of(tree, domain):
        own = inside(records, region)
        if node.is_leaf:
            counts = class_counts(domain, region, own)
            assert counts[node.counts.index(1)] == max(counts)
            assert not len(candidates(domain, region)) or len(path_to(tree.root, node)) == 2
        else:
            losses = losses_by_hand(domain, region, own, score, 1024)
            assert loss_of(node, region, own, domain, score) == min(losses)


def path_to(root, node):
    def find(at, path):
        if at is node:
            return path
        if at.is_leaf:
            return None
        return find(at.left, (*path, at)) or find(at.right, (*path, at))

    return find(root, ()) or ()


@pytest.mark.claim("lem-noisy-search-free", "thm-privatree")
@settings(max_examples=15, deadline=None)
@given(st.data(), st.sampled_from(SCORES))
def test_without_noise_histograms_find_the_best_split_of_the_grid(data, score):
    """Of all borders and, for two classes, of all sets of categories: by loss, record by record."""
    domain = data.draw(draw.domains(2, 5))
    table = data.draw(draw.tables(domain, most=20))
    tree, _ = fitted(table, domain=domain, splits="histograms", score=score, max_depth=2, rng=ZeroWords())
    records = coded(domain, table)
    for node, region in regions_of(tree, domain):
        own = inside(records, region)
        if node.is_leaf:
            continue
        counts = np.array(
            [
                [sum(r[j] == code and r[-1] == c for r in own) for c in range(domain.n_classes)]
                for j, feature in enumerate(domain.features)
                for code in range(feature.n_codes)
            ]
        )
        least, found = best_by_hand(counts, domain, region, score, ALL_BORDERS)
        own_share = found.get((node.split.feature, node.split.left & region.codes(node.split.feature)))
        assert own_share == least or (not own and least == 2)


@pytest.mark.parametrize("n", [0, 3, 60])
def test_without_noise_histograms_agree_with_cart_on_the_grid(n):
    """Two classes and numeric features, Gini: the impurity of the first split is that of an independent search."""
    table = rows(n, PLAIN)
    tree, _ = fitted(table, domain=PLAIN, splits="histograms", score="gini", max_depth=1, rng=ZeroWords())
    if n == 60:
        own = fit_cart([row[:-1] for row in table], [row[-1] for row in table], grid=PLAIN, max_depth=1)
        data = coded(PLAIN, table)
        both = [loss_of(each.root, PLAIN.everything, data, PLAIN, "gini") for each in (tree, own)]
        assert both[0] == both[1]
    assert tree.depth == 1


@pytest.mark.claim("lem-edges-add-up", "thm-privatree")
@pytest.mark.parametrize("options", [o for o in EVERY if o["edges"] != "public"], ids=named)
@pytest.mark.parametrize("seed", range(3))
def test_every_split_is_at_a_kept_border_and_these_are_public_ones(options, seed):
    tree, _ = fitted(rows(40, seed=seed), seed=seed, max_depth=3, **options)
    kept = tree.design.borders
    kept.require_of(MIXED)
    thinned = features_to_thin(MIXED, options["edge_bins"])
    assert [j for j, some in enumerate(kept.kept) if some is not None] == list(thinned)
    for node, region in regions_of(tree, MIXED):
        if node.is_leaf:
            continue
        j, left = node.split.feature, node.split.left
        feature = MIXED.features[j]
        if j in thinned:
            bins = left - ({feature.n_bins} if feature.missing else set())
            assert max(bins) + 1 in (*kept.kept[j], *([feature.n_bins] if feature.missing else []))
        assert left & region.codes(j) and region.codes(j) - left


@pytest.mark.claim("thm-privatree")
@settings(max_examples=10, deadline=None)
@given(st.integers(0, 10**6), st.integers(0, 3))
def test_random_trees_have_public_splits_whatever_the_rows_are(seed, depth):
    """With the same coins the same splits; features are as likely as one another, whatever their number of borders."""
    one, _ = fitted(rows(50), splits="random", leaves="counts", max_depth=depth, seed=seed)
    coins = Rehearsal(seed)
    domain = one.domain
    growth = PrivaTree("random", leaves="counts").growth(
        Curator(Party([], domain), Ledger(1), Rehearsal(0)),
        PrivaTree("random").settled(Asked(max_depth=depth), 1)[1],
        as_cost(1),
        coins,
    )
    while growth.goes_on:
        growth.round(lambda *_: None)
    assert [n.split for _, n in one.nodes()] == [n.split for n in nodes_of(growth.finish().root)]


def nodes_of(node):
    yield node
    if not node.is_leaf:
        yield from nodes_of(node.left)
        yield from nodes_of(node.right)


def test_a_feature_of_a_random_tree_is_drawn_before_its_border():
    """Of 24 borders and one, each feature is the root's in half of the trees; the chance to miss is below 10⁻⁷."""
    wide = Domain([Numeric.grid("x", 0, 25, bins=25), Numeric.grid("z", 0, 2, bins=2)], ("a", "b"))
    roots = [fitted([], domain=wide, splits="random", max_depth=1, seed=k)[0].root.split for k in range(100)]
    assert 20 < sum(split.feature for split in roots) < 80
    assert len({split.left for split in roots if split.feature == 0}) > 12


@pytest.mark.claim("thm-privatree")
@pytest.mark.parametrize("leaves", ["labels", "counts"])
@pytest.mark.parametrize("max_depth", [2, 5])
def test_a_public_tree_gives_its_splits_and_its_leaves_are_asked_about(leaves, max_depth):
    public = on_public_rows()
    tree, ledger = fitted(splits=public, leaves=leaves, max_depth=max_depth)
    assert [n.split for _, n in tree.nodes()] == [n.split for _, n in public.nodes()]
    assert ledger.spent == 1 and tree.rounds == 1 and tree.design.public_splits
    assert tree.design.public is None and tree.design.splits == "public"


@pytest.mark.claim("thm-privatree")
def test_nodes_without_rows_are_split_too():
    for splits in ("choice", "histograms", "random"):
        tree, _ = fitted([], max_depth=3, splits=splits)
        assert tree.depth == 3
        for node, region in regions_of(tree, MIXED):
            assert not node.is_leaf or len(path_to(tree.root, node)) == 3 or not len(candidates(MIXED, region))


def test_a_label_is_a_one_at_its_class():
    table = [[1.0, 1.0, "A", 0.5, label] for label in "cccb"] * 50
    for leaves, expected in (("labels", (0, 0, 1)), ("counts", (0, 50, 150))):
        tree, _ = fitted(table, max_depth=0, leaves=leaves, rng=ZeroWords())
        assert tree.root.counts == expected and tree.predict([[1.0, 1.0, "A", 0.5]]).tolist() == ["c"]
    releases = fitted(table, max_depth=1, leaves="labels")[0].leaf_releases
    assert releases == ()


@pytest.mark.parametrize("options", EVERY, ids=named)
def test_what_a_design_says_of_itself(options):
    tree, _ = fitted(max_depth=1, **spelled(options, 1))
    design = tree.design
    assert design.leaf_type == {"labels": "leaf-label", "counts": "class-counts"}[options["leaves"]]
    assert design.public_splits == (options["splits"] in ("random", "public"))
    assert (design.fresh_leaves, design.prune, design.curated) == (True, False, True)
    assert tree.has_labels_only == (options["leaves"] == "labels")
    assert len(tree.leaf_releases) == (0 if options["leaves"] == "labels" else len(list(tree.leaves())))
    assert (tree.n_parties, tree.tolerate) == (1, 0)
    if options["leaves"] == "labels":
        with pytest.raises(ValueError, match="predict_proba needs class counts"):
            tree.predict_proba([[1.0, None, "A", 0.5]])
        with pytest.raises(ValueError, match="leaves of which only a label was released have no intervals"):
            tree.noise_shares()
    else:
        assert tree.noise_shares() == (1, 1) and len(tree.releases_by_leaf()) == len(list(tree.leaves()))
        assert tree.predict_proba([[1.0, None, "A", 0.5]]).shape == (1, 3)


def test_a_labels_tree_is_shown_without_numbers():
    tree, _ = fitted(max_depth=1)
    shown = tree.to_dict()
    assert set(shown["left"]) == {"label"} == set(shown["right"])


def test_the_shape_of_a_design():
    design = PrivaTree()
    assert (design.splits, design.score, design.edges, design.leaves) == ("choice", "errors", "public", "labels")
    assert (design.edge_bins, design.lattice, design.borders) == (10, 1024, Borders())
    settled, shape = design.settled(Asked(), 1)
    assert settled is design and (shape.depth, shape.leaf_share) == (4, Fraction(1, 5))
    assert PrivaTree(splits="random").settled(Asked(), 1)[1].leaf_share == 1
    assert design.settled(Asked(max_depth=0), 1)[1].leaf_share == 1


def test_the_score_decides_among_splits():
    """Errors see no difference between two splits whose sides have one majority; Gini does."""
    domain = Domain([Numeric.grid("x", 0, 2, bins=2), Categorical("w", ("A", "B"))], ("a", "b"))
    table = [[0.5, "A", "a"]] * 40 + [[0.5, "B", "a"]] * 30 + [[1.5, "A", "a"]] * 20 + [[1.5, "B", "b"]] * 15
    table += [[0.5, "B", "b"]] * 5
    for splits in ("choice", "histograms"):
        roots = [
            fitted(table, domain=domain, budget=10**7, splits=splits, score=score, max_depth=1, rng=ZeroWords())[0].root
            for score in SCORES
        ]
        data = coded(domain, table)
        for root, score in zip(roots, SCORES, strict=True):
            least = min(losses_by_hand(domain, domain.everything, data, score, 1024))
            assert loss_of(root, domain.everything, data, domain, score) == least


def test_the_kept_borders_are_kept_down_the_tree():
    """A node at depth two of a feature with one kept border has it no more."""
    line = Domain([Numeric.grid("x", 0, 9, bins=9)], ("a", "b"))
    tree, ledger = fitted([[k + 0.5, "ab"[k > 4]] for k in range(9)], domain=line, edges="joint", edge_bins=3)
    assert tree.depth == 2 and len(list(tree.leaves())) == 3 and len(tree.design.borders.kept[0]) == 2
    assert ledger.spent == 3 * Fraction(4, 25) + Fraction(1, 5)


def test_progress_rises_to_one():
    for options in ({}, {"edges": "joint", "edge_bins": 3}, {"splits": "random"}):
        steps = []
        fitted(max_depth=2, progress=lambda *at, steps=steps: steps.append(at), **options)
        shares = [Fraction(done, of) for done, of in steps]
        assert shares[-1] == 1 and all(a <= b for a, b in pairwise(shares)), options


def test_a_share_by_hand_of_no_counts_is_none():
    assert share_by_hand([[0, 0], [0, 0]], [0, 1], frozenset({0}), "gini") == 2
