"""What must follow when the question is turned about: other places of parties, rows, features, classes; more rows."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.cart import GridSearch, best_grid_split, best_split, fit_cart
from fdpedu.claims.strategies import category_tables, domains, domains_with_parties, regions, tables
from fdpedu.domain import Categorical, Domain, Numeric, Region
from fdpedu.federation import ClassCounts, ClassHistogram, NodeHistograms
from fdpedu.trees import DESIGNS, fit_federated_tree
from fdpedu.trees.stopping import Level, as_printed, averaged, confident
from tests.support.records import SPECIAL, federation, special_rows


def every_query(region, domain):
    return [*(ClassHistogram(region, 1, j) for j in range(domain.n_features)), NodeHistograms(region, 1)]


def renamed(region, features, classes, codes=None):
    """The same records after the features, the classes and the codes of feature 0 have changed their places."""
    masks = [region.codes(j) for j in features]
    if codes is not None:
        at = features.index(0)
        masks[at] = {codes.index(code) for code in masks[at]}
    whole = Region(tuple(sum(1 << code for code in mask) for mask in masks), region.classes)
    return Region(whole.features, sum(1 << classes.index(c) for c in region.class_codes))


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_queries_follow_features_classes_categories_and_rows(data):
    """Features, classes, the categories of the first feature, parties and rows change places; and so do the answers."""
    domain, parts = data.draw(domains_with_parties())
    region = data.draw(regions(domain))
    features = list(data.draw(st.permutations(range(domain.n_features))))
    classes = list(data.draw(st.permutations(range(domain.n_classes))))
    first = domain.features[0]
    codes = list(range(first.n_codes))
    if isinstance(first, Categorical):
        codes = list(data.draw(st.permutations(codes)))
        first = Categorical(first.name, tuple(first.categories[code] for code in codes))
    all_features = [first, *domain.features[1:]]
    other = Domain([all_features[j] for j in features], [domain.classes[c] for c in classes])
    turned = [[[*(row[j] for j in features), row[-1]] for row in reversed(rows)] for rows in reversed(parts)]
    where = renamed(region, features, classes, codes)
    plain = federation(parts, domain).release([*every_query(region, domain), ClassCounts(region, 1)])
    answers = federation(turned, other).release([*every_query(where, other), ClassCounts(where, 1)])
    assert answers[-1].tolist() == plain[-1][classes].tolist()
    tables_of = [table[:, classes] for table in plain[: domain.n_features]]
    tables_of[0] = tables_of[0][codes]
    for j, table in zip(features, answers, strict=False):
        assert table.tolist() == tables_of[j].tolist()
    assert answers[-2].tolist() == np.concatenate([tables_of[j] for j in features]).tolist()


@settings(max_examples=40, deadline=None)
@given(st.data(), st.integers(2, 9))
def test_as_many_times_the_rows_are_as_many_times_the_counts(data, times):
    """In the same parties, or in as many times the parties."""
    domain, parts = data.draw(domains_with_parties())
    region = data.draw(regions(domain))
    asked = [*every_query(region, domain), ClassCounts(region, 1)]
    plain = federation(parts, domain).release(asked)
    for many in ([rows * times for rows in parts], parts * times):
        for one, all_ in zip(plain, federation(many, domain).release(asked), strict=True):
            assert all_.tolist() == (times * one).tolist()


def outline(node, tree):
    """The tree without what is a matter of order: features and classes by name, the sides without left and right."""
    counts = frozenset(zip(tree.classes, node.counts, strict=True))
    if node.split is None:
        return counts
    feature = tree.domain.features[node.split.feature]
    border = max(node.split.left) if feature.ordered else None
    return counts, feature.name, border, frozenset(outline(side, tree) for side in (node.left, node.right))


ORDERS = [([0, 1, 2, 3], [0, 1, 2]), ([3, 1, 0, 2], [0, 1, 2]), ([0, 1, 2, 3], [2, 0, 1]), ([2, 3, 1, 0], [1, 2, 0])]


def turned_about(rows, features, classes):
    domain = Domain([SPECIAL.features[j] for j in features], [SPECIAL.classes[c] for c in classes])
    return [[*(row[j] for j in features), row[-1]] for row in rows[::-1]], domain


@pytest.mark.parametrize("seed", [1, 2])
def test_cart_on_a_grid_follows_features_and_classes(seed):
    rows = special_rows(600, seed)
    trees = []
    for order in ORDERS:
        turned, domain = turned_about(rows, *order)
        tree = fit_cart([row[:-1] for row in turned], [row[-1] for row in turned], grid=domain, max_depth=3)
        trees.append(outline(tree.root, tree))
    assert all(tree == trees[0] for tree in trees) and len(str(trees[0])) > 800
    doubled = fit_cart([row[:-1] for row in rows * 2], [row[-1] for row in rows * 2], grid=SPECIAL, max_depth=3)
    single = fit_cart([row[:-1] for row in rows], [row[-1] for row in rows], grid=SPECIAL, max_depth=3)
    both = list(zip(doubled.nodes(), single.nodes(), strict=True))
    assert all(a.split == b.split and a.counts == tuple(2 * n for n in b.counts) for (_, a), (_, b) in both)


@pytest.mark.parametrize("design", DESIGNS)
def test_a_federated_tree_follows_parties_features_and_classes(design):
    """Without noise: the same tree, whatever the order of parties, rows, features and classes; and what it has cost, in
    the coordinates of the other domain.
    """
    rows = special_rows(600, 3)
    trees, derivations = [], []
    for features, classes in ORDERS:
        turned, domain = turned_about(rows, features, classes)
        for parts in ([turned[:100], turned[100:], []], [[], turned[::2], turned[1::2]]):
            tree = fit_federated_tree(federation(parts, domain, 1), max_depth=2, design=design)
            trees.append(outline(tree.root, tree))
            derivations.append(
                proof(tree.derivation.content["proof"], {str(i): str(j) for i, j in enumerate(features)})
            )
    assert all(tree == trees[0] for tree in trees) and trees[0][1:]
    assert derivations[0] == derivations[1] and derivations[2] == derivations[3] and len(str(derivations[0])) > 1000
    same_classes = [derivations[i] for i in (0, 2)]
    assert same_classes[0] == same_classes[1]


def proof(step, names):
    """A step with the coordinates of its region under other names."""
    region = {names.get(name, name): codes for name, codes in step["region"].items()}
    return {**step, "region": region, "premises": [proof(below, names) for below in step.get("premises", [])]}


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_the_best_split_is_as_good_in_any_order(data):
    """Of two classes: its impurity does not depend on the order of features, categories, classes; searches agree."""
    domain = data.draw(domains(most_classes=2))
    p, classes = domain.n_features, list(data.draw(st.permutations(range(domain.n_classes))))
    histograms = [
        np.array(data.draw(st.lists(st.tuples(*[st.integers(0, 9)] * domain.n_classes), min_size=n, max_size=n)))
        for n in (feature.n_codes for feature in domain.features)
    ]
    features = list(data.draw(st.permutations(range(p))))
    other = Domain([domain.features[j] for j in features], domain.classes)
    turned = [
        histograms[j][:, classes] if domain.features[j].ordered else histograms[j][::-1][:, classes] for j in features
    ]
    found = [best_grid_split(histograms, domain), best_grid_split(turned, other)]
    fast = GridSearch(other).best_splits(np.concatenate(turned)[None])[0]
    assert (found[0] is None) == (found[1] is None) == (fast is None)
    if found[0] is not None:
        assert found[0].impurity == found[1].impurity == fast.impurity


@given(category_tables(most_codes=5, most=5))
def test_raw_values_and_codes_have_the_same_split(table):
    """Values 0, 1, 2, … as raw numbers, and as bins of a grid: the same sides on both paths, in any order of rows."""
    rows = [(code, c) for code, counts in enumerate(table) for c in (0, 1) for _ in range(counts[c])]
    domain = Domain([Numeric.grid("x", -1, len(table) - 1, bins=len(table))], (0, 1))
    for some in (rows, rows[::-1]):
        X, y = [[float(code)] for code, _ in some], [c for _, c in some]
        raw = best_split(np.array(X).reshape(-1, 1), np.array(y, dtype=int), 2) if some else None
        grid = best_grid_split([np.array(table)], domain)
        assert (raw and (raw.left, raw.right)) == (grid and (grid.left, grid.right))


@given(st.data())
def test_stopping_rules_do_not_depend_on_the_order(data):
    """Of nodes, features and classes: each rule stops the same nodes, whatever comes first in the tables."""
    sizes = data.draw(st.lists(st.integers(2, 3), min_size=2, max_size=3))
    nodes, classes = data.draw(st.integers(1, 4)), data.draw(st.integers(2, 3))
    numbers = st.lists(st.integers(-6, 2), min_size=sum(sizes), max_size=sum(sizes))
    tables_of = np.array([[data.draw(numbers) for _ in range(classes)] for _ in range(nodes)]).transpose(0, 2, 1)
    deviation, least = data.draw(st.floats(0, 4)), data.draw(st.integers(0, 4))
    order = [data.draw(st.permutations(range(n))) for n in (nodes, len(sizes), classes)]
    blocks = np.split(tables_of, np.cumsum(sizes)[:-1], axis=1)
    turned = np.concatenate([blocks[j] for j in order[1]], axis=1)[order[0]][:, :, order[2]]

    def level(tables, widths):
        return Level(tables, np.ones(tables.shape[:2], dtype=bool), np.cumsum([0, *widths])[:-1], deviation)

    for stop in (confident, averaged, as_printed):
        plain = stop(level(tables_of, sizes), least)
        assert stop(level(turned, [sizes[j] for j in order[1]]), least).tolist() == plain[order[0]].tolist()


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_parties_that_change_places_keep_the_derivation(data):
    """Queries in the same order, parties in any: the same answers, charges, and manifest but for the names."""
    domain = data.draw(domains(most_features=2, most_codes=3, most_classes=2))
    parts = [data.draw(tables(domain, most=3)) for _ in range(3)]
    region = data.draw(regions(domain))
    asked = [ClassCounts(region, "1/3"), NodeHistograms(domain.everything, "1/7")]
    seen = []
    for order in permutations(parts):
        f = federation(order, domain)
        answers = [answer.tolist() for answer in f.release(asked)]
        seen.append((answers, f.ledger.derivation().content, f.bytes_sent, f.manifest.to_json()))
    assert all(one == seen[0] for one in seen)
