"""What the tests of drawings share."""

import random
import re
import xml.etree.ElementTree as ET

import numpy as np

from fdpedu.viz import (
    Bars,
    Curve,
    Label,
    Moving,
    Panel,
    Points,
    Rule,
    slider_plot,
    tree_slider,
)

CLASSES = ["benign", "malignant"]


def leaf(p, **more):
    return {"label": "benign" if p > 0.5 else "malignant", "probabilities": [p, 1 - p], **more}


TREE = {
    "test": "worst radius ≤ 16.8",
    "counts": [357, 212],
    "left": {
        "test": "ward in {A, C}",
        "left": leaf(0.98, counts=[300, -2]),
        "right": {"test": "a_feature_with_a_very_long_name <b> ≤ 3", "left": leaf(0.75), "right": leaf(0.001)},
    },
    "right": leaf(0.1, counts=[12, 105]),
}

INTERVALS = [[278, 355], [14, 25]]
PAIR = {
    "test": "age ≤ 50",
    "counts": [320, 39],
    "note": "✓ the same",
    "left": leaf(0.94, counts=[316, 19], intervals=INTERVALS),
    "right": leaf(0.2, counts=[4, 20], intervals=[[0, 9], [12, 27]]),
}
STEP = {"cost": "1", "text": "a count", "share": 1.0, "below": []}


def grown(depth, classes=CLASSES, seed=0):
    """A full tree of a depth, with tests and leaves of various lengths."""
    rng = random.Random(seed)

    def node(d):
        if d == 0:
            shares = [rng.random() for _ in classes]
            shares = [share / sum(shares) for share in shares]
            counts = [rng.randrange(-9, 999) for _ in classes]
            return {"label": rng.choice(classes), "probabilities": shares, "counts": counts}
        test = rng.choice(["worst radius ≤ 16.8", "x ≤ 3", "ward in {A, C, D, E, F, G}", "concave_points_se_worst ≤ 1"])
        return {"test": test, "left": node(d - 1), "right": node(d - 1)}

    return node(depth)


def labelled(node):
    """The tree of which nothing but the labels of its leaves is known."""
    if "label" in node:
        return {"label": node["label"]}
    return {"test": node["test"], **{side: labelled(node[side]) for side in ("left", "right")}}


def figure():
    from matplotlib.figure import Figure

    fig = Figure()
    axes = fig.add_subplot()
    for k in range(3):
        axes.plot([0, 1, 2], [k, k + 1, k], label=f"curve {k}")
    axes.set_xlabel("threshold <t>")
    axes.legend()
    return fig


def slider(positions=41, points=100):
    x = np.linspace(0, 1, points)
    epsilons = np.linspace(0.1, 4, positions)
    curves = [np.minimum(1, np.exp(e) * x) for e in epsilons]
    heights = [[e, 4 - e] for e in epsilons]
    return slider_plot(
        Panel("false positives", "true positives", [Curve(x, Moving(curves), "best"), Rule(x=Moving(epsilons / 4))]),
        Panel(
            "",
            "counts",
            [
                Bars([0, 1], Moving(heights), "n", 1),
                Points(Moving(epsilons / 4), Moving([c[-2] for c in curves]), "now", 1),
                Label(0, Moving([h[0] for h in heights]), Moving([f"{h[0]:.1f}" for h in heights])),
            ],
            height=120,
        ),
        label="budget ε",
        values=epsilons.round(2).tolist(),
        text=[f"position {k} <here>" for k in range(positions)],
        alt="A curve that steepens.",
        start=3,
    )


# --- trees ----------------------------------------------------------------------------------------------------------


def sizes_of_text(svg):
    """The font size of every text in an SVG, from itself or the nearest element around it that sets one."""
    found = []

    def visit(element, size):
        style = re.search(r"font(?:-size)?:[^;]*?([\d.]+)px", element.get("style", ""))
        size = float(style[1]) if style else float(element.get("font-size", size))
        if element.tag.endswith(("text", "tspan")):
            found.append(size)
        for child in element:
            visit(child, size)

    visit(ET.fromstring(svg), 0)
    return found


# --- trees under a slider ---------------------------------------------------------------------------------------------

BENIGN, MALIGNANT = leaf(0.9), leaf(0.2)


def split(test, left=BENIGN, right=MALIGNANT):
    feature = test.split(" ≤ ")[0].split(" in ")[0]
    return {"test": test, "feature": feature, "left": left, "right": right}


REFERENCE = split("radius ≤ 16", split("texture ≤ 25"), split("ward in {A, C}", split("age ≤ 3")))
NOISY = split("radius ≤ 16", split("ward in {A}"), split("ward in {B}", BENIGN, split("age ≤ 3")))
TREES = [(0.25, BENIGN), (1, NOISY), (2.5, NOISY), ("no noise", REFERENCE)]
WORDS = [
    "budget ε = 0.25: 0 of 4 splits the same",
    "budget ε = 1: 1 of 4 splits the same: radius ≤ 16. The same feature with another value: ward in {A, C}",
    "budget ε = 2.5: 1 of 4 splits the same: radius ≤ 16. The same feature with another value: ward in {A, C}",
    "budget ε = no noise: 4 of 4 splits the same: radius ≤ 16; texture ≤ 25; ward in {A, C}; age ≤ 3",
]


def sliding(**more):
    return tree_slider(TREES, CLASSES, title="Who is ill?", **more)
