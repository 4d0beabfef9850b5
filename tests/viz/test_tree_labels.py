"""Leaves of which only the label is known: they are drawn, told and exported without any number."""

import re
import xml.etree.ElementTree as ET

import pytest

from fdpedu.accounting import Ledger
from fdpedu.domain import Domain
from fdpedu.federation import Party
from fdpedu.randomness import Rehearsal
from fdpedu.trees import fit_privatree
from fdpedu.viz import draw_tree, tree_as_dot, tree_as_rules, tree_as_text, tree_slider
from tests.support.drawings import CLASSES, REFERENCE, TREE, grown, labelled, leaf

SIX = [f"class {k}" for k in range(6)]
LABELS = labelled(TREE)
LAYOUTS = ("top-down", "outline")


def words_of(svg):
    return [element.text for element in ET.fromstring(svg).iter() if element.tag.endswith("}text")]


def bare(drawing):
    """The drawing without its style sheet."""
    return re.sub("<style>.*?</style>", "", drawing, flags=re.DOTALL)


def signs_of(svg):
    """The classes of all signs in colour and hatching, in order."""
    return [int(found) for found in re.findall(r'<g class="fd-c(\d)"', svg)]


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize(("tree", "names"), [(TREE, CLASSES), (grown(4), CLASSES), (grown(3, SIX), SIX)])
def test_a_leaf_shows_the_sign_and_the_name_of_its_class(tree, names, layout):
    """After the key there is one sign a leaf, of its own class; no share, no count, and no bar."""
    svg = draw_tree(labelled(tree), names, title="t", layout=layout)
    leaves = re.findall(r"is a leaf: ([^.]*)\.", svg)
    assert signs_of(svg) == [*range(len(names)), *(names.index(name) for name in leaves)]
    assert [word for word in words_of(svg)[len(names) :] if word in names] == leaves
    assert "%" not in bare(svg) and "count" not in bare(svg)
    assert len({(box.get("width"), box.get("height")) for box in signs(svg)} - {("16.0", "12.0")}) == 1


def signs(svg):
    groups = [element for element in ET.fromstring(svg).iter() if re.fullmatch(r"fd-c\d", element.get("class", ""))]
    return [group[0] for group in groups]


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", ["ill", "a class whose name is longer than any line", "one_word_" * 20])
def test_a_long_label_stays_within_its_drawing(name, layout):
    """It is broken or cut, and is kept in full; its sign stands before it, and nothing lies outside the drawing."""
    tree = {"test": "x ≤ 1", "left": {"label": name}, "right": {"label": "b"}}
    svg = draw_tree(tree, [name, "b"], title="t", layout=layout)
    root = ET.fromstring(svg)
    bold = [element for element in root.iter() if element.get("font-weight") == "bold"]
    assert " ".join(element.text for element in bold[:-1]) == name or bold[0][0].text == name
    assert float(root.get("height")) > 80 and float(root.get("width")) <= 400


def test_words_and_exports_have_no_numbers_of_leaves():
    """The terminal, Graphviz and scikit-learn's text get labels only."""
    assert tree_as_text(LABELS, CLASSES).splitlines() == [
        "worst radius ≤ 16.8?",
        "├─ yes: ward in {A, C}?",
        "│  ├─ yes: benign",
        "│  └─ no:  a_feature_with_a_very_long_name <b> ≤ 3?",
        "│     ├─ yes: benign",
        "│     └─ no:  malignant",
        "└─ no:  malignant",
    ]
    assert tree_as_dot({"label": "benign"}, CLASSES).split("\n")[3] == '0 [label="benign"] ;'
    assert tree_as_rules({"label": "benign"}, CLASSES) == "|--- class: benign"


def test_leaves_with_and_without_numbers_may_stand_in_one_tree():
    tree = {"test": "x ≤ 1", "left": leaf(0.9), "right": {"label": "benign"}}
    assert tree_as_text(tree, CLASSES).splitlines()[1:] == [
        "├─ yes: benign  benign 90%, malignant 10%",
        "└─ no:  benign",
    ]


def test_trees_of_labels_stand_under_a_slider():
    """Splits are compared as ever."""
    sliding = tree_slider([(1, {"label": "benign"}), (2, labelled(REFERENCE))], CLASSES, title="t")
    assert repr(sliding).splitlines()[1:] == [
        "budget ε = 1: 0 of 4 splits the same",
        "budget ε = 2: 4 of 4 splits the same: radius ≤ 16; texture ≤ 25; ward in {A, C}; age ≤ 3",
    ]


DOMAIN = Domain.from_spec({"features": {"x": [0, 8, 2]}, "classes": [1, 2]})
PARTY_ROWS = [[1, 1], [7, 2]] * 300


def fitted(leaves):
    return fit_privatree(Party(PARTY_ROWS, DOMAIN), Ledger(8), max_depth=1, leaves=leaves, rng=Rehearsal(1))


def test_a_fitted_tree_of_labels_says_what_was_released():
    """Text, drawing and exports; weights are refused by name, and other options as ever."""
    tree = fitted("labels")
    assert str(tree).splitlines() == ["x ≤ 4?", "├─ yes: 1", "└─ no:  2"]
    assert repr(tree) == "Tree(depth 1, 2 leaves, 2 classes)"
    shown = tree._repr_html_()
    assert "Of each leaf its class was released, and no counts" in shown and "%" not in bare(shown)
    assert tree.to_sklearn_text() == "|--- x <= 4.00\n|   |--- class: 1\n|--- x >  4.00\n|   |--- class: 2"
    assert '1 [label="1"] ;' in tree.to_graphviz()
    with pytest.raises(ValueError, match=r"^show_weights must be False: of this tree's leaves only labels"):
        tree.to_sklearn_text(show_weights=True)
    with pytest.raises(ValueError, match=r"^show_weights must be a bool"):
        tree.to_sklearn_text(show_weights=1)
    with pytest.raises(ValueError, match=r"^decimals"):
        tree.to_sklearn_text(decimals=-1)


def test_a_fitted_tree_of_counts_shows_them():
    tree = fitted("counts")
    assert "weights: [" in tree.to_sklearn_text(show_weights=True)
    assert "%" in str(tree) and "in brackets where the true number" in tree._repr_html_()
