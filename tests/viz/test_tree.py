"""Drawings of trees: what they say, to the eye and to a screen reader."""

import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest

from fdpedu.viz import draw_tree, tree_as_text
from tests.support.drawings import CLASSES, TREE, grown, leaf, sizes_of_text


@pytest.mark.parametrize("layout", ["top-down", "outline"])
@pytest.mark.parametrize("tree", [leaf(0.2), TREE, grown(6)], ids=["leaf", "mixed", "depth 6"])
def test_a_drawing_is_an_image_with_a_name_and_words(tree, layout):
    """A single layout is well-formed SVG: an image with title and description, at scale 1, with no text under 14 px."""
    svg = draw_tree(tree, CLASSES, title="Who is ill?", layout=layout)
    root = ET.fromstring(svg)
    assert root.get("role") == "img"
    assert root.get("viewBox") == f"0 0 {root.get('width')} {root.get('height')}"
    title, desc = (root.find(f"{{http://www.w3.org/2000/svg}}{tag}") for tag in ("title", "desc"))
    assert (title.get("id"), desc.get("id")) == (root.get("aria-labelledby"), root.get("aria-describedby"))
    assert title.text == "Who is ill?"
    assert desc.text.startswith("A decision tree of depth")
    assert min(sizes_of_text(svg)) >= 14


def test_left_is_yes():
    """The description and the plain text send "yes" to the left child; percents and counts are as given."""
    assert tree_as_text(TREE, CLASSES).splitlines() == [
        "worst radius ≤ 16.8?",
        "├─ yes: ward in {A, C}?",
        "│  ├─ yes: benign        benign 98%, malignant 2%; counts 300, -2",
        "│  └─ no:  a_feature_with_a_very_long_name <b> ≤ 3?",
        "│     ├─ yes: benign     benign 75%, malignant 25%",
        "│     └─ no:  malignant  benign <1%, malignant >99%",
        "└─ no:  malignant        benign 10%, malignant 90%; counts 12, 105",
    ]
    assert "Node 1 asks: worst radius ≤ 16.8? If yes, go to node 2; if no, to node 7." in draw_tree(
        TREE, CLASSES, title="t"
    )


def test_every_drawing_says_yes_beside_the_left_child():
    """In all faces of a tree (outlines, stacked leaves, side by side) the answer stands with the child it leads to."""
    tree = {"test": "a", "left": {"test": "b", "left": leaf(0.9), "right": leaf(0.1)}, "right": leaf(0.2)}
    html = "".join(draw_tree(tree, CLASSES, title="t", layout=layout) for layout in ("auto", "top-down", "outline"))
    drawings = re.findall(r"<svg.*?</svg>", html, re.DOTALL)
    assert len(drawings) >= 3
    for drawing in drawings:
        words = re.findall(r">(yes|no|benign|malignant)<", drawing)
        assert words[2:] == ["yes", "yes", "benign", "no", "malignant", "no", "malignant"]  # after the key


def test_text_is_escaped_and_kept_in_full():
    """Markup in names stays text, and what is cut to fit can be read in full in its title."""
    nasty = '</title><script>alert("x")</script>\x00&'
    html = draw_tree(
        {"test": nasty, "left": leaf(1.0), "right": leaf(0.0)}, CLASSES, title=nasty, caption=nasty, layout="auto"
    )
    assert "<script" not in html
    assert "\x00" not in html
    svg = draw_tree(TREE, CLASSES, title="t", layout="top-down")
    texts = [el for el in ET.fromstring(svg).iter() if el.tag.endswith("}text")]
    cut = [el for el in texts if (el.text or "").endswith("…")]
    assert cut
    assert all(el[0].text == "a_feature_with_a_very_long_name <b> ≤ 3" for el in cut)


def hatching(group):
    """The slopes of the lines in a swatch: what marks it without colour."""
    ends = [np.array(re.findall(r"[\d.]+", line), float) for path in group[1:] for line in path.get("d").split("M")[1:]]
    return frozenset((np.sign(x2 - x1), np.sign(y2 - y1)) for x1, y1, x2, y2 in ends)


@pytest.mark.parametrize("n_classes", range(2, 7))
def test_classes_differ_without_colour(n_classes):
    """Each class has its own hatching in the key, and every leaf prints its percents."""
    names = [f"class {k}" for k in range(n_classes)]
    tree = {"label": names[0], "probabilities": [1 / n_classes] * n_classes}
    svg = draw_tree(tree, names, title="t", layout="top-down")
    groups = [el for el in ET.fromstring(svg).iter() if re.fullmatch(r"fd-c\d", el.get("class", ""))]
    assert len({hatching(group) for group in groups[:n_classes]}) == n_classes
    assert svg.count(f"{100 / n_classes:.0f}%</text>") == n_classes
