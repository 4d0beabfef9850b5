"""What drawings refuse, sentence by sentence: every kind of wrong figure, and where in it the fault is."""

import math

from fdpedu.viz import (
    Curve,
    Moving,
    Panel,
    Rule,
    chance_slider,
    draw_tree,
    error_bars,
    figure_style,
    show_figure,
    side_by_side,
    slider_plot,
    tree_slider,
)
from tests.support.drawings import (
    BENIGN,
    CLASSES,
    INTERVALS,
    PAIR,
    REFERENCE,
    TREE,
    TREES,
    figure,
    grown,
    labelled,
    leaf,
    split,
)
from tests.support.sentences import said_in_full

ALT = "alt: a figure needs a sentence that says what is to be seen, got nothing"


def drawn(root, classes=CLASSES, title="t", **more):
    return lambda: draw_tree(root, classes, title=title, **more)


PARTS = "(a split has test, left, right; a leaf has label, probabilities, or a label and nothing else)"
SHARES = "root: probabilities must be 2 numbers in [0, 1] of sum 1, got"
NAMES = "classes: 2 to 6 different names are needed, got"
TITLE = "title: a tree needs a few words that say what it is, got nothing"
PAIRS = "root.right: intervals must be 2 pairs of integers [low, high] with low ≤ high, got"
WRONG_INTERVALS = [
    *([[1, 2]], [[1, 2], [3, 2]], [[1, 2], [3]], [[1, 2], 3], 3, "ab", [[1, 2], [3, 4.5]], [[1, 2], [True, 4]]),
    *([[1, 2], [3, 4], [5, 6]], [[1, 2], [3, 4, 5]]),
]
TREES_REFUSED = [
    (drawn({"test": "x"}), f"root: 'left' is missing {PARTS}"),
    (
        drawn({"test": "x", "left": leaf(1), "right": {"label": "benign", "counts": [1, 2]}}),
        f"root.right: 'probabilities' is missing {PARTS}",
    ),
    (drawn({"label": "odd"}), "root: label 'odd' is none of the classes ['benign', 'malignant']"),
    (drawn(leaf(0.3) | {"label": "odd"}), "root: label 'odd' is none of the classes ['benign', 'malignant']"),
    (drawn(leaf(0.3) | {"probabilities": [0.3, 0.3]}), f"{SHARES} [0.3, 0.3]"),
    (drawn(leaf(0.3) | {"probabilities": [math.nan, 1]}), f"{SHARES} [nan, 1.0]"),
    (drawn(leaf(0.3) | {"counts": [1]}), "root: counts must be 2 integers, got [1]"),
    (drawn(leaf(0.3) | {"counts": [1.5, 2]}), "root: counts must be 2 integers, got [1.5, 2]"),
    (drawn(leaf(0.3) | {"colour": "red"}), "root: a leaf has no 'colour'"),
    (drawn(leaf(0.3) | {"note": "x"}), "root: a leaf has no 'note'"),
    (drawn({**PAIR, "intervals": INTERVALS}), "root: a split has no 'intervals'"),
    (drawn("leaf"), "root: a node is a dict, got str"),
    (drawn(leaf(0.3), ["benign"]), f"{NAMES} ['benign']"),
    (drawn(leaf(0.3), ["a", "a"]), f"{NAMES} ['a', 'a']"),
    (drawn(labelled(grown(9))), f"root{'.left' * 9}: a tree of depth at most 8 can be shown, this one is deeper"),
    (drawn(grown(9)), f"root{'.left' * 9}: a tree of depth at most 8 can be shown, this one is deeper"),
    (drawn(TREE, title=" "), TITLE),
    (drawn(TREE, layout="round"), 'layout must be "auto", "top-down" or "outline", got \'round\''),
    *(
        (drawn({"test": "x", "left": leaf(0.3), "right": leaf(0.3) | {"intervals": wrong}}), f"{PAIRS} {wrong!r}")
        for wrong in WRONG_INTERVALS
    ),
]


class Shown:
    def _repr_html_(self):
        return "<p>shown</p>"


BESIDE_REFUSED = [
    (
        lambda: side_by_side("a", "b", alt=" "),
        "alt: figures side by side need a few words that say what they are, got nothing",
    ),
    (lambda: side_by_side("a", alt="two"), "figures: two or more are needed, got 1"),
    (lambda: side_by_side("a", 3, alt="two"), "figure 2 must be HTML, or an object with _repr_html_, got int"),
    (lambda: side_by_side(Shown, "b", alt="two"), "figure 1 must be HTML, or an object with _repr_html_, got type"),
]


def slid(trees, title="t", **more):
    return lambda: tree_slider(trees, CLASSES, title=title, **more)


PAIRS_OF_TREES = "trees: two or more pairs of a value and a tree are needed, got"
TREE_SLIDERS_REFUSED = [
    (slid([(1, REFERENCE)]), f"{PAIRS_OF_TREES} 1 entries"),
    (slid([(1, REFERENCE), REFERENCE]), f"{PAIRS_OF_TREES} 2 entries"),
    (slid([(1, REFERENCE), (2, BENIGN)]), "reference: a tree with at least one split is needed to look for"),
    (slid([(1, REFERENCE), (2, split("x", 3))]), "reference.left: a node is a dict, got int"),
    (slid([(1, split("x", 3)), (2, REFERENCE)]), "root.left: a node is a dict, got int"),
    (slid(TREES, start=4), "start must be a position from 0 to 3, got 4"),
    (slid(TREES, start=-1), "start must be a position from 0 to 3, got -1"),
    (slid(TREES, title=" "), TITLE),
]

CHANCES = {
    "chances": {k: {"a": [0.5, 0.4, 0.1], "b": [0.5, 0.5, 0.3]} for k in (250, 1000)},
    **{
        "budgets": [1, 2, 3],
        "label": "rows",
        "what": "removed",
        "axis": "ε",
        "shown": 2,
        "alt": "Two curves that fall.",
    },
}
ASCENDING = "chances, budgets: two or more positions and budgets are needed, the budgets ascending"
POSITIVE = "budgets: positive numbers are needed, or texts such as 1/2"
SAME = "chances: every position needs the same curves, from one to six"
SHARES_OF = "chances: every curve needs {} numbers from 0 to 1, one for each budget"
PLACE = "shown, start: must be a place among the budgets, and a position"
CHANCE_SLIDERS_REFUSED = [
    (lambda change=change: chance_slider(**{**CHANCES, **change}), sentence)
    for sentence, changes in {
        ALT: [{"alt": " "}],
        ASCENDING: [
            *({"budgets": [1, 3, 2]}, {"budgets": [1, 1, 2]}, {"chances": {1: {"a": [0, 0, 0]}}}, {"chances": {}}),
        ],
        POSITIVE: [{"budgets": [wrong, 1, 2]} for wrong in (0, "1/0", "a", "inf")],
        SHARES_OF.format(2): [{"budgets": [1, 2]}],
        SHARES_OF.format(3): [
            *({"chances": {1: {"a": [0, 0, 0]}, 2: {"a": [0, wrong, 0]}}} for wrong in (-0.1, 1.1, math.nan, "1")),
            {"chances": {1: {"a": [0, 0, 1.1]}, 2: {"a": [0, 0, 0]}}},
        ],
        SAME: [
            {"chances": {1: {"a": [0, 0, 0]}, 2: {"b": [0, 0, 0]}}},
            {"chances": {1: {}, 2: {}}},
            {"chances": {k: {str(i): [0, 0, 0] for i in range(7)} for k in (1, 2)}},
        ],
        PLACE: [{"shown": 3}, {"shown": -1}, {"start": 2}, {"start": -1}],
    }.items()
    for change in changes
]


def measured(panels, alt="Two curves with bars.", columns=None):
    return lambda: error_bars(panels, x_label="ε", y_label="rows lost", alt=alt, columns=columns)


FIVE = [(x, 0.5, 0.02) for x in range(1, 6)]
CURVES = "panels: each needs the same curves, from one to six"
POINTS = "panels: a curve needs points (x, number, error), three numbers each, with x > 0 and error ≥ 0"
ERROR_BARS_REFUSED = [
    *((measured({"one": {"a": FIVE}}, columns=n), f"columns must be None, 2, 3 or 4, got {n}") for n in (0, 1, 5)),
    *(
        (measured(panels), CURVES)
        for panels in (
            *({}, {"one": {}}, {"one": {"a": FIVE, "b": FIVE}, "other": {"a": FIVE}}),
            {"one": {str(k): FIVE for k in range(7)}},
        )
    ),
    *(
        (measured({"one": {"a": points}}), POINTS)
        for points in ([], [(1, 2)], [(0, 1, 1)], [(1, 1, -1)], [(1, math.nan, 1)])
    ),
    (measured({"one": {"a": FIVE}}, alt=" "), ALT),
]


def plotted(*layers, alt="a", y_range=None, **more):
    panel = {} if y_range is None else {"y_range": y_range}
    return lambda: slider_plot(Panel("x", "y", [*layers], **panel), label="k", values=[1, 2], alt=alt, **more)


SLIDERS_REFUSED = [
    (
        plotted(Curve([0, 1], Moving([[0, 1]] * 3))),
        "a layer of the panel 'y': Moving needs one entry for each of the 2 positions, got 3",
    ),
    (plotted(Curve([0, 1], [0, 1, 2], "c")), "layer 'c': x and y must have the same length, got [2, 3]"),
    (
        plotted(Curve([0, 1], [0, math.nan])),
        "values must be finite numbers, or lists of them; Moving takes one entry a position",
    ),
    (plotted(Rule()), "Rule: exactly one of x, y is needed"),
    (plotted(Curve([0, 1], [0, 1]), text=["one"]), "values, text: two or more of each, and as many; got 2 and 1"),
    (plotted(Curve([0, 1], [0, 1]), start=2), "start must be a position from 0 to 1, got 2"),
    (plotted(Curve([0, 1], [0, 1]), alt=""), ALT),
    (
        plotted(Curve([0, 1], [0, 2]), y_range=(0, 1)),
        "y_range (0, 1) does not contain the data, which reach from 0 to 2",
    ),
]


def with_tiny_text():
    with figure_style():
        fig = figure()
        fig.axes[0].text(0, 0, "tiny", fontsize=9)
        show_figure(fig, alt="a")


FIGURES_REFUSED = [
    (lambda: show_figure(figure(), alt=""), ALT),
    (lambda: show_figure(figure(), alt="  "), ALT),
    (with_tiny_text, "fig: no text may be under 14 points, but 'tiny' is 9 (draw it inside figure_style())"),
]

REFUSED = [
    *(*TREES_REFUSED, *BESIDE_REFUSED, *TREE_SLIDERS_REFUSED, *CHANCE_SLIDERS_REFUSED, *ERROR_BARS_REFUSED),
    *(*SLIDERS_REFUSED, *FIGURES_REFUSED),
]


test_sentences_of_refusals = said_in_full(REFUSED)
