"""Leaves with intervals and splits with notes: what is drawn and what is said."""

import re
import xml.etree.ElementTree as ET

import pytest

from fdpedu.viz import draw_tree, tree_as_text
from fdpedu.viz.tree_marks import whisker
from tests.support.drawings import CLASSES, INTERVALS, PAIR, TREE, grown, leaf, sizes_of_text


def with_intervals(tree):
    """The tree with an interval around each count of its leaves."""
    if "label" in tree:
        return {**tree, "intervals": [[count - 7, count + 9] for count in tree["counts"]]}
    return {**tree, "left": with_intervals(tree["left"]), "right": with_intervals(tree["right"])}


def texts(svg):
    return [element.text for element in ET.fromstring(svg).iter() if element.tag.endswith("}text")]


@pytest.mark.parametrize("layout", ["top-down", "outline"])
def test_each_class_of_a_leaf_has_its_share_its_count_and_its_interval(layout):
    """In both layouts, in the order of the classes; without counts the interval stands alone."""
    found = texts(draw_tree(PAIR, CLASSES, title="t", layout=layout))
    rows = [text for text in found if "(" in text]
    assert rows == ["94%: 316 (278–355)", "6%: 19 (14–25)", "20%: 4 (0–9)", "80%: 20 (12–27)"]
    bare = leaf(0.94, intervals=INTERVALS)
    assert [text for text in texts(draw_tree(bare, CLASSES, title="t", layout=layout)) if "(" in text] == [
        "94%: (278–355)",
        "6%: (14–25)",
    ]


def test_the_description_and_the_plain_text_say_the_intervals():
    """Who does not see the drawing hears between which numbers each count lies, and the note of a split."""
    svg = draw_tree(PAIR, CLASSES, title="t", layout="outline")
    assert "Node 1 asks (✓ the same): age ≤ 50? If yes" in svg
    assert "counts 316, 19; intervals 278 to 355, 14 to 25)" in svg
    assert tree_as_text(PAIR, CLASSES).splitlines() == [
        "age ≤ 50? (✓ the same)",
        "├─ yes: benign     benign 94%, malignant 6%; counts 316, 19; intervals 278 to 355, 14 to 25",
        "└─ no:  malignant  benign 20%, malignant 80%; counts 4, 20; intervals 0 to 9, 12 to 27",
    ]


def spans(svg):
    """For each interval both its ends and its dot, in pixels from the beginning of its line; and the line's length."""
    found = []
    for group in ET.fromstring(svg).iter():
        if group.get("class") == "fd-interval":
            paths = [part.get("d") for part in group.iter() if part.get("d")]
            start, length = map(float, re.fullmatch(r"M(-?[\d.]+) [\d.]+h([\d.]+)", paths[0]).groups())
            low, high = map(float, re.fullmatch(r"M(-?[\d.]+) [\d.]+H(-?[\d.]+)", paths[1]).groups())
            dots = [float(part.get("cx")) - start for part in group.iter() if part.get("cx")]
            found.append((low - start, high - start, dots[0] if dots else None, length))
    return found


@pytest.mark.parametrize("layout", ["top-down", "outline"])
def test_intervals_of_a_leaf_have_one_scale(layout):
    """The lines of a leaf run from 0 to its largest number, 355 and 27, so that its classes can be compared."""
    drawn = spans(draw_tree(PAIR, CLASSES, title="t", layout=layout))
    expected = [(278, 355, 316), (14, 25, 19), (0, 9, 4), (12, 27, 20)]
    assert len(drawn) == 4
    for (low, high, dot, length), numbers, top in zip(drawn, expected, (355, 355, 27, 27), strict=True):
        assert [low, high, dot] == pytest.approx([n / top * length for n in numbers], abs=0.11)


def test_a_count_beyond_its_interval_is_on_the_line():
    """What a tree shows comes from more than its leaf's release: it may lie outside, and the line reaches it."""
    ((low, high, dot, length), other) = spans(
        draw_tree(leaf(0.9, counts=[40, 0], intervals=[[10, 20], [0, 3]]), CLASSES, title="t", layout="outline")
    )
    assert [low, high, dot] == pytest.approx([length / 4, length / 2, length], abs=0.11)
    assert other[1] == pytest.approx(3 / 40 * length, abs=0.11)


def test_an_interval_is_never_drawn_outside_its_line():
    """Negative ends and counts, as noise makes them, are drawn at 0; without a count there is no dot."""
    drawing = whisker(0, 10, 5, 100, (-0.5, 0.4), -2.0)
    assert "M10.0 5H50.0" in drawing and 'cx="10.0"' in drawing and "M10.0 0v10M50.0 0v10" in drawing
    assert "M10.0 5H110.0" in whisker(1, 10, 5, 100, (0.0, 7.0), None)
    assert "circle" not in whisker(1, 10, 5, 100, (0.0, 7.0), None)


def test_a_leaf_of_small_numbers_only_is_drawn():
    """All zeros have a scale as well."""
    empty = leaf(0.5, counts=[0, 0], intervals=[[0, 0], [0, 0]])
    assert [row[:3] for row in spans(draw_tree(empty, CLASSES, title="t", layout="top-down"))] == [(0, 0, 0)] * 2


@pytest.mark.parametrize("n_classes", [2, 3, 6])
@pytest.mark.parametrize("depth", [0, 2, 6])
def test_deep_trees_and_many_classes_fit(depth, n_classes):
    """Every layout is sound SVG with letters of 14 pixels, and no interval reaches beyond the drawing."""
    names = [f"class {k}" for k in range(n_classes)]
    tree = with_intervals(grown(depth, names))
    for layout in ("top-down", "outline"):
        svg = draw_tree(tree, names, title="t", layout=layout)
        root = ET.fromstring(svg)
        assert min(sizes_of_text(svg)) >= 14
        assert svg.count('class="fd-interval"') == n_classes * 2**depth
        if layout == "outline":
            ends = [
                float(start) + float(length) for start, length in re.findall(r'd="M(-?[\d.]+) [\d.]+h([\d.]+)"', svg)
            ]
            assert max(ends) <= float(root.get("width"))


def test_a_note_is_written_and_framed():
    """The words stand in the card, in the outline below the question; the frame is thicker than that of others."""
    other = {**PAIR, "note": None}
    assert "✓ the same" in texts(draw_tree(PAIR, CLASSES, title="t", layout="top-down"))
    assert "✓ the same" in texts(draw_tree(PAIR, CLASSES, title="t", layout="outline"))
    with_note, without = (draw_tree(tree, CLASSES, title="t", layout="top-down") for tree in (PAIR, other))
    assert 'stroke-width="3"' in with_note and 'stroke-width="3"' not in without
    assert "✓" not in without and "None" not in without


def test_trees_without_intervals_are_drawn_as_before():
    """A tree of chapter 1 has no interval in any face."""
    html = draw_tree(TREE, CLASSES, title="t")
    assert "fd-interval" not in html and "intervals" not in html
