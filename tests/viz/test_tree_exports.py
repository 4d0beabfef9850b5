"""Trees for other programs: the text of scikit-learn to the letter, and DOT that a parser of the language reads."""

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.tree import DecisionTreeClassifier, export_graphviz, export_text

from fdpedu.cart import CodeSplit, Node, fit_cart
from fdpedu.cart import Tree as PlainTree
from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.estimators import FederatedTreeClassifier
from fdpedu.printable import one_line
from fdpedu.viz import tree_as_dot, tree_as_rules


def both(seed, classes, depth=3):
    """A tree of ours and one of scikit-learn with the same splits: distinct numbers, and no ties of impurity."""
    rng = np.random.default_rng(seed)
    X = rng.permutation(60 * 3).reshape(60, 3) * 1.5
    y = np.array(classes)[(X @ rng.normal(size=(3, len(classes)))).argmax(axis=1)]
    ours = fit_cart(X, y, max_depth=depth, min_samples_split=2)
    theirs = DecisionTreeClassifier(max_depth=depth, random_state=0).fit(X, y)
    return ours, theirs


SEEDS = [(0, ["a", "b"]), (1, ["a", "b", "c"]), (3, [0, 1, 2]), (4, ["ä b", "c"])]


@pytest.mark.parametrize(("seed", "classes"), SEEDS)
def test_the_text_is_scikit_learn_s(seed, classes):
    """To the letter, with weights and without, at several precisions; for a tree with the same splits."""
    ours, theirs = both(seed, classes)
    assert ours.depth == theirs.get_depth() > 1
    names = list(ours.feature_names)
    for decimals in (0, 1, 2, 5):
        for weights in (False, True):
            expected = export_text(theirs, feature_names=names, decimals=decimals, show_weights=weights)
            assert ours.to_sklearn_text(decimals=decimals, show_weights=weights) + "\n" == expected
    assert ours.to_sklearn_text() + "\n" == export_text(theirs, feature_names=names)


def test_a_bare_root_is_one_line():
    """As scikit-learn writes one that was not allowed to split."""
    stump = DecisionTreeClassifier(min_samples_split=9).fit([[0], [1], [1]], ["a", "b", "b"])
    ours = fit_cart([[0], [1], [1]], ["a", "b", "b"], max_depth=0)
    assert ours.to_sklearn_text() + "\n" == export_text(stump) == "|--- class: b\n"


def parsed(dot):
    """Nodes and edges of DOT, by the grammar of the language for quoted strings, numbers and attributes."""
    token = re.compile(r'\s*("(?:[^"\\]|\\.)*"|[A-Za-z_][\w]*|-?[\d.]+|->|[{}\[\],;=])', re.S)
    found, at = [], 0
    while at < len(dot.rstrip()):
        match = token.match(dot, at)
        assert match, dot[at : at + 40]
        found.append(match[1])
        at = match.end()
    assert found[:3] == ["digraph", "Tree", "{"] and found[-1] == "}"
    nodes, edges, statement = {}, {}, []
    for word in found[3:-1]:
        if word != ";":
            statement.append(word)
            continue
        pairs = {statement[i - 1]: statement[i + 1] for i, mark in enumerate(statement) if mark == "="}
        if statement[1:2] == ["->"]:
            edges[int(statement[0]), int(statement[2])] = pairs.get("label")
        elif statement[0].isdigit():
            nodes[int(statement[0])] = pairs["label"]
        statement = []
    assert not statement
    return nodes, edges


def text_of(label):
    """What Graphviz shows for a quoted label."""
    shown = re.sub(r"\\(.)", lambda match: "\n" if match[1] == "n" else match[1], label[1:-1], flags=re.S)
    return shown.replace("&amp;", "&")


@pytest.mark.parametrize(("seed", "classes"), SEEDS)
def test_the_graph_is_scikit_learn_s(seed, classes):
    """The same nodes by the same numbers, and the same edges; yes to the left, and in each node what it asks."""
    ours, theirs = both(seed, classes)
    nodes, edges = parsed(ours.to_graphviz())
    other, between = parsed(export_graphviz(theirs))
    assert nodes.keys() == other.keys() and list(edges) == list(between)
    assert list(edges.values()).count('"yes"') == list(edges.values()).count('"no"') == len(edges) // 2
    for number, (_, node) in enumerate(ours.nodes()):
        first, *rest = text_of(nodes[number]).split("\n")
        assert first == (f"{ours.describe_split(node.split)}?" if node.split else str(ours.classes[node.label]))
        assert rest[-1] == f"counts {', '.join(map(str, node.counts))}"
        if node.split:
            sides = [below for above, below in edges if above == number]
            assert [edges[number, below] for below in sides] == ['"yes"', '"no"'] and sides[0] == number + 1


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text(st.characters(codec="utf-8"), max_size=8), min_size=3, max_size=3, unique=True))
def test_any_name_stays_a_label(words):
    """Quotes, backslashes, entities, braces, newlines, other alphabets: two nodes more, and the words as they are."""
    test, *classes = (f"{word}{k}" for k, word in enumerate(words))
    leaf = {"label": classes[0], "probabilities": [1, 0]}
    tree = {"test": test, "otherwise": test, "left": leaf, "right": leaf, "counts": [1, 2]}
    nodes, edges = parsed(tree_as_dot(tree, classes))
    assert list(edges) == [(0, 1), (0, 2)] and len(nodes) == 3
    printed = one_line(" ".join(test.split()))
    assert text_of(nodes[0]) == f"{printed}?\ncounts 1, 2"
    assert len(tree_as_rules(tree, classes).split("\n")) == 4


def test_what_has_a_meaning_in_dot_is_escaped():
    """In the label it stands as Graphviz reads it: backslashes and quotes escaped, entities taken apart."""
    leaf = {"label": "a", "probabilities": [1, 0]}
    dot = tree_as_dot({"test": 'x\\N "y" &lt; 3 & \t}', "left": leaf, "right": leaf}, ["a", "b"])
    assert r'0 [label="x\\N \"y\" &amp;lt; 3 &amp; }?"] ;' in dot.split("\n")
    assert tree_as_rules({"label": "a\nb", "probabilities": [1, 0]}, ["a\nb", "c"]) == "|--- class: a b"


def test_categories_and_grids_are_written_by_their_names():
    """A tree with a domain: the edge is the threshold, and categories are a set, without units."""
    domain = Domain(
        [Numeric.grid("age", 0, 10, bins=4, unit="years"), Categorical("ward", ("A", "B", 'C"'))], ("w", "i")
    )
    below = Node((3, 0), CodeSplit(1, frozenset({2, 0})), Node((1, 0)), Node((2, 0)))
    root = Node((3, 4), CodeSplit(0, frozenset({0})), below, Node((0, 4)))
    tree = PlainTree(root, domain.classes, ("age", "ward"), domain)
    assert tree.to_sklearn_text(decimals=1, show_weights=True).split("\n") == [
        "|--- age <= 2.5",
        '|   |--- ward in {A, C"}',
        "|   |   |--- weights: [1.0, 0.0] class: w",
        '|   |--- ward not in {A, C"}',
        "|   |   |--- weights: [2.0, 0.0] class: w",
        "|--- age >  2.5",
        "|   |--- weights: [0.0, 4.0] class: i",
    ]
    nodes, _ = parsed(tree.to_graphviz())
    assert text_of(nodes[1]) == 'ward in {A, C"}?\ncounts 3, 0' and "age ≤ 2.5 years?" in tree.to_graphviz()


def test_a_private_tree_has_both_forms():
    model = FederatedTreeClassifier({"features": {"x": [0, 8, 2]}, "classes": [1, 2]}, epsilon=1000, max_depth=1)
    tree = model.fit([[1], [7]] * 30, [1, 2] * 30).tree_
    assert tree.to_sklearn_text() == "|--- x <= 4.00\n|   |--- class: 1\n|--- x >  4.00\n|   |--- class: 2"
    assert tree.to_graphviz().startswith("digraph Tree {") and '"1\\n1 100%, 2 0%' in tree.to_graphviz()


@pytest.mark.parametrize("odd", [-1, 18, "two", True, 1.5])
def test_odd_options_are_refused(odd):
    tree = both(0, ["a", "b"])[0]
    with pytest.raises(ValueError, match="decimals"):
        tree.to_sklearn_text(decimals=odd)
    with pytest.raises(ValueError, match="show_weights must be a bool"):
        tree.to_sklearn_text(show_weights=odd if odd is not True else 1)


def test_what_is_no_tree_is_refused():
    """By what is missing; leaves without counts have no weights to show."""
    with pytest.raises(ValueError, match="a node is a dict"):
        tree_as_rules([], ["a", "b"])
    with pytest.raises(ValueError, match="'probabilities' is missing"):
        tree_as_dot({"label": "a", "counts": [1, 2]}, ["a", "b"])
    with pytest.raises(ValueError, match="2 to 256 different names"):
        tree_as_dot({"label": "a", "probabilities": [1]}, ["a"])
    leaf = {"label": "a", "probabilities": [1, 0]}
    assert tree_as_rules(leaf, ["a", "b"], show_weights=True) == "|--- class: a"
    with pytest.raises(ValueError, match="root: 'otherwise' is missing"):
        tree_as_rules({"test": "t", "left": leaf, "right": leaf}, ["a", "b"])


LEAF = {"label": "a", "probabilities": [1, 0], "counts": [1, 2]}


def chain(depth):
    node = LEAF
    for _ in range(depth):
        node = {"test": "t", "otherwise": "u", "left": node, "right": LEAF, "counts": [1, 2]}
    return node


def test_rules_are_without_weights_and_weights_with_two_digits_unless_asked():
    assert tree_as_rules(LEAF, ["a", "b"]) == "|--- class: a"
    assert tree_as_rules(LEAF, ["a", "b"], show_weights=True) == "|--- weights: [1.00, 2.00] class: a"


@pytest.mark.parametrize("write", [tree_as_rules, tree_as_dot])
def test_other_programs_get_larger_trees_than_a_drawing_shows(write):
    """Two hundred levels and 256 classes, and no more; where something is missing, the refusal says where."""
    assert len(write(chain(200), ["a", "b"])) > 5000
    with pytest.raises(ValueError, match="200"):
        write(chain(201), ["a", "b"])
    many = {**LEAF, "probabilities": [1, *[0] * 255], "counts": [1] * 256}
    names = ["a", *map(str, range(256))]
    assert "a" in write(many, names[:256])
    with pytest.raises(ValueError, match="2 to 256 different names"):
        write({**many, "probabilities": [1, *[0] * 256]}, names)


def test_where_the_other_side_is_not_given():
    tree = {**chain(1), "right": {**chain(1), "left": {key: chain(1)[key] for key in chain(1) if key != "otherwise"}}}
    with pytest.raises(ValueError, match=r"^root.right.left: 'otherwise' is missing \(what holds on the right side of"):
        tree_as_rules(tree, ["a", "b"])
    with pytest.raises(ValueError, match=r"^root: 'otherwise' is missing"):
        tree_as_rules({key: chain(1)[key] for key in chain(1) if key != "otherwise"}, ["a", "b"])
