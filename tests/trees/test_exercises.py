"""The mathematics that the exercises of chapter 8 rely on."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from fdpedu.cart import CodeSplit, Node
from fdpedu.cart import Tree as CartTree
from fdpedu.exercises.catalogue import catalogue, find
from fdpedu.exercises.trees import law as law_module
from fdpedu.exercises.trees.empty import compare, probability
from fdpedu.mechanisms import discrete_laplace_pmf
from fdpedu.trees.pruning import pruned_node
from fdpedu.trees.stopping import Level, averaged
from tests.support.exercises import cases_of, check


def wrong(name, misconception):
    return next(one.answer for one in find(name).wrong if one.name == misconception)


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
    assert compare(((0, 0),), (), [(None, None)] * 4)[0] == "allows zero"
    assert compare(((0, 0), (0, 0)), ((0, 0),), [(2, None), *[(None, None)] * 3])[0] == "within"
    assert compare((), ((0, 0),), zeros)[0] == "more than claimed"
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
def test_the_reply_to_what_is_no_event(answer, said):
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


def released(tree, answers):
    """The label for a record that answers the tests so."""
    while not isinstance(tree, list):
        tree = tree[1] if answers["abcdefg".index(tree[0])] else tree[2]
    return tree.index(max(tree))


def test_pruning_changes_no_prediction_and_leaves_nothing_to_prune():
    """Same label for all answers, same totals, no sibling leaves of one label; as the library prunes."""
    for (tree,), smaller in cases_of("tree-prune"):
        assert all(released(tree, a) == released(smaller, a) for a in product((True, False), repeat=3))
        assert [*map(sum, zip(*leaves_of(tree), strict=True))] == [*map(sum, zip(*leaves_of(smaller), strict=True))]
        pending = [smaller]
        while pending:
            node = pending.pop()
            if not isinstance(node, list):
                pending += node[1:]
                pair = node[1:]
                assert not all(isinstance(side, list) for side in pair) or released(pair[0], ()) != released(
                    pair[1], ()
                )
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
def test_the_reply_to_an_answer_of_another_form_says_what_is_expected(exercise, answer, said):
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
