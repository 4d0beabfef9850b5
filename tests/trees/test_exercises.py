"""The mathematics that the exercises of chapter 8 rely on."""

from fractions import Fraction
from functools import cache
from itertools import product

import numpy as np
import pytest

from fdpedu.accounting import Ledger
from fdpedu.cart import CodeSplit, Node
from fdpedu.cart import Tree as CartTree
from fdpedu.domain import Categorical, Domain
from fdpedu.exercises import check
from fdpedu.exercises.catalogue import catalogue, find
from fdpedu.exercises.trees import law as law_module
from fdpedu.exercises.trees.empty import compare, probability
from fdpedu.exercises.trees.shapes import CODES, depth, shapes, split_trees, splits
from fdpedu.federation import Federation, Party
from fdpedu.mechanisms import discrete_laplace_pmf
from fdpedu.trees import fit_federated_tree, leaf_budgets
from fdpedu.trees.costs import Costs
from fdpedu.trees.pruning import pruned_node
from fdpedu.trees.stopping import Level, averaged

DOMAIN = Domain([Categorical("a", (0, 1, 2)), Categorical("b", (0, 1))], (0, 1))


def cases_of(name):
    exercise = find(name)
    return [(case, exercise.reference(*case)) for case in exercise.cases()]


def wrong(name, misconception):
    return next(one.answer for one in find(name).wrong if one.name == misconception)


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


def test_the_repaired_test_is_the_library_s():
    """It is `averaged` on the same tables, and gives one answer for all rows."""
    answers = {}
    for (_, tables, least), stopped in cases_of("tree-stop"):
        cells = np.array([cell for table in tables for cell in table])[None]
        first = np.cumsum([0, *map(len, tables)])[:-1]
        level = Level(cells, np.ones(cells.shape[:2], dtype=bool), first, 1.0)
        assert stopped is bool(averaged(level, least)[0])
        assert answers.setdefault(repr(tables), stopped) is stopped
    assert set(answers.values()) == {True, False}


def test_an_empty_leaf_that_says_nothing_gives_its_first_record_away():
    """Exact probabilities, by the law of the library: impossible without the record; 18 times the other way."""
    data, other, event = find("tree-empty").reference
    assert (probability(data, event), probability(other, event)) == (Fraction(2, 3), 0)
    assert compare(data, other, event)[0] == "broken"
    zeros = [(0, 0), (0, 0), (None, None), (None, None)]
    assert probability((), zeros) == 1 and probability(((0, 0),), zeros) == Fraction(1, 18)
    assert Fraction(1, 18) == discrete_laplace_pmf(-1, alpha="1/2") * discrete_laplace_pmf(0, alpha="1/2")
    assert check("tree-empty", ([(1, 1), (0, 0)], [(0, 0)], [*[(None, None)] * 3, (None, -1)])).passed


def test_with_noise_in_every_leaf_the_claim_holds():
    """Two data sets that inhabit the same leaves: no box of limits is more than twice as likely under one of them."""
    ends = (None, -1, 0, 1, 2)
    for low, high in product(ends, ends):
        if low is not None and high is not None and low > high:
            continue
        event = [(low, high), (None, None), (None, None), (None, None)]
        one, two = probability(((0, 0),), event), probability(((0, 0), (0, 0)), event)
        assert one <= 2 * two and two <= 2 * one


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (([(0, 0)], []), "3 values"),
        (([(0, 2)], [], [(None, None)] * 4), "up to 20 records"),
        (([(0, 0)], [], [(None, None)] * 3), "4 values"),
        (([(0, 0)], [], [(1, 0), *[(None, None)] * 3]), "never happens"),
        (([(0, 0)], [], [(99, None), *[(None, None)] * 3]), "limits lie between"),
        (([(0, 0)], [(1, 1)], [(None, None)] * 4), "differ by one record"),
        (([(0, 0)], [], [(None, None)] * 4), "a ratio of 1"),
    ],
)
def test_what_is_no_event_is_told(answer, said):
    reply = check("tree-empty", answer)
    assert not reply.passed and said in " ".join(str(reply).split()).lower()


def as_node(tree):
    """A tree of the exercise in the form of the library, its tests numbered."""
    if isinstance(tree, list):
        return Node(tuple(tree))
    sums = tuple(0 for _ in leaves_of(tree)[0])
    return Node(sums, CodeSplit("abcdefg".index(tree[0]), frozenset({0})), as_node(tree[1]), as_node(tree[2]))


def leaves_of(tree):
    return [tree] if isinstance(tree, list) else leaves_of(tree[1]) + leaves_of(tree[2])


def told(tree, answers):
    """The label for a record that answers the tests so."""
    while not isinstance(tree, list):
        tree = tree[1] if answers["abcdefg".index(tree[0])] else tree[2]
    return tree.index(max(tree))


def test_pruning_changes_no_prediction_and_leaves_nothing_to_prune():
    """Same label for all answers, same totals, no sibling leaves of one label; as the library prunes."""
    for (tree,), smaller in cases_of("tree-prune"):
        assert all(told(tree, a) == told(smaller, a) for a in product((True, False), repeat=3))
        assert [*map(sum, zip(*leaves_of(tree), strict=True))] == [*map(sum, zip(*leaves_of(smaller), strict=True))]
        pending = [smaller]
        while pending:
            node = pending.pop()
            if not isinstance(node, list):
                pending += node[1:]
                pair = node[1:]
                assert not all(isinstance(side, list) for side in pair) or told(pair[0], ()) != told(pair[1], ())
        library = pruned_node(as_node(tree))
        assert [node.label for node in CartTree(library, (0, 1), ("a",)).leaves()] == [
            leaf.index(max(leaf)) for leaf in leaves_of(smaller)
        ]


def test_a_replacement_costs_at_most_twice_a_path():
    """0 for the record itself; the same both ways; twice a path for two that share no cell, which some do."""
    worst = {}
    for (tree, old, new, most, node, leaf), found in cases_of("tree-replaced"):
        route = find("tree-route").reference
        paths = [
            sum(node if kind == "histograms" else leaf for kind, _ in route(tree, r[:-1], most)) for r in (old, new)
        ]
        assert 0 <= found <= sum(paths) and (found == 0) is (old == new)
        assert find("tree-replaced").reference(tree, new, old, most, node, leaf) == found
        worst[repr(tree)] = max(worst.get(repr(tree), 0), found / sum(paths))
    assert set(worst.values()) == {1}


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


def test_the_law_of_a_tree_is_a_law_and_costs_two_releases():
    """It adds up to 1, by another way gives the same; and a record more makes no tree more than 4 times as likely."""
    laws = {(repr(counts), least): found for (counts, least), found in cases_of("tree-law")}
    assert all(sum(found.values()) == 1 and min(found.values()) >= 0 for found in laws.values())
    ratios = set()
    for (counts, least), found in cases_of("tree-law"):
        for x, c in product((0, 1), repeat=2):
            more = [[n + ((i, j) == (x, c)) for j, n in enumerate(row)] for i, row in enumerate(counts)]
            if (other := laws.get((repr(more), least))) is not None:
                ratios |= {max(found[t] / other[t], other[t] / found[t]) for t in found if found[t]}
    assert 2 < max(ratios) <= 4


def test_the_law_agrees_with_sums_over_the_noise_of_the_library():
    """The law of a cut cell, and that of a whole tree by summing over all released cells of both stages."""
    noise = {k: discrete_laplace_pmf(k, alpha="1/2") for k in range(-60, 61)}
    for count in range(5):
        cut = [sum(p for k, p in noise.items() if min(max(count + k, 0), 3) == value) for value in range(4)]
        assert all(abs(p - q) < 1e-15 for p, q in zip(cut, law_module._cell(count), strict=True))
    counts, least = [[2, 0], [1, 1]], 5
    cells = [law_module._cell(n) for n in (2, 0, 1, 1)]
    stops = sum(np.prod([float(cells[i][v]) for i, v in enumerate(values)]) for values in product(range(4), repeat=4)
                if sum(values) < least)  # fmt: skip
    found = find("tree-law").reference(counts, least)
    assert abs(stops - float(found[0] + found[1])) < 1e-12
    ones = [
        sum(cells[a][i] * cells[b][j] for i, j in product(range(4), repeat=2) if j > i) for a, b in ((0, 1), (2, 3))
    ]
    assert abs(float(found[1, 0] / (1 - found[0] - found[1]) - ones[0] * (1 - ones[1]))) < 1e-12


@pytest.mark.parametrize(
    ("exercise", "answer", "said"),
    [
        ("tree-law", lambda counts, least: [1], "a dict from trees"),
        ("tree-law", lambda counts, least: {"leaf": 1}, "a tree is 0, 1, or a pair"),
        ("tree-law", lambda counts, least: {0: 0.5}, "add up to 1/2"),
        ("tree-route", lambda tree, record, most: [("counts", 1)], "a pair of texts"),
        ("tree-prune", lambda tree: 3, "is neither"),
        ("tree-stop", lambda rows, tables, least: 1, "True or False was expected"),
        ("tree-stop", lambda rows, tables, least: np.bool_(False), "The mean total is"),
    ],
)
def test_an_answer_of_another_form_is_told_what_is_expected(exercise, answer, said):
    reply = check(exercise, answer)
    assert not reply.passed and said.lower() in " ".join(str(reply).lower().split())


@pytest.mark.parametrize(
    ("exercise", "name", "answer"),
    [
        ("tree-rounds", "always takes all rounds",
         lambda t, d, p: (d + 1, *find("tree-rounds").reference(t, d, p)[1:])),
        ("tree-stop", "asks the first feature",
         lambda rows, tables, least: (s := np.array(tables[0]).sum(axis=0)).sum() < least or (s > 0).sum() < 2),
        ("tree-replaced", "pays once", lambda t, old, new, d, n, leaf: sum(
            n if kind == "histograms" else leaf for kind, _ in find("tree-route").reference(t, old[:-1], d))),
        ("tree-law", "never stops", lambda counts, least: {
            (x, y): p[x] * q[y] for p, q in [[law_module._labels(side) for side in counts]]
            for x, y in product((0, 1), repeat=2)}),
    ],
)  # fmt: skip
def test_a_trap_of_the_text_has_a_reply_of_its_own(exercise, name, answer):
    """Wrong answers as a reader would write them are named."""
    reply = check(exercise, answer)
    assert not reply.passed and reply.misconception == name


def test_arrays_and_tuples_are_read():
    """A law with floats and without the trees that cannot be; a pruned tree of tuples; NumPy's truth values."""
    reference = {name: find(name).reference for name in ("tree-law", "tree-prune", "tree-stop")}

    def floats(counts, least):
        return {t: float(p) for t, p in reference["tree-law"](counts, least).items() if p}

    def tuples(tree):
        found = reference["tree-prune"](tree)
        return tuple(found) if isinstance(found, list) else found

    assert check("tree-law", floats).passed and check("tree-prune", tuples).passed
    assert check("tree-stop", lambda *case: np.bool_(reference["tree-stop"](*case))).passed


def test_kinds_are_mixed_and_levels_are_three():
    kinds = [entry.kind for entry in catalogue("trees")]
    assert len(kinds) == 8 and {"implement", "predict", "break", "repair"} == set(kinds)
    assert [entry.level for entry in catalogue("trees")] == ["warm-up"] * 2 + ["apply"] * 4 + ["extend"] * 2
    assert wrong("tree-path", "forgets the leaf's counts") == (1, Fraction(1, 2))
