"""Drawings: what they say, that they can be read everywhere, and that the slider moves what it should."""

import itertools
import os
import random
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest

from fdpedu.viz import (
    Bars,
    Curve,
    Label,
    Moving,
    Panel,
    Points,
    Rule,
    draw_tree,
    figure_style,
    show_figure,
    slider_plot,
    tree_as_text,
)
from fdpedu.viz import page as shared
from fdpedu.viz.panel_drawing import outline_of
from fdpedu.viz.panels import nice_ticks, to_square

CLASSES = ["benign", "malignant"]
GROUNDS = ("#ffffff", "#121212", "#14181e")  # paper, a dark page, the book's dark theme
LOOK = (Path(__file__).parent / "look.js").read_text("utf8").strip().rstrip(";")


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


def luminance(color):
    channels = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return sum(weight * c for weight, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(a, b):
    """The contrast ratio of WCAG 2.2."""
    low, high = sorted((luminance(a), luminance(b)))
    return (high + 0.05) / (low + 0.05)


def lab_as_seen(color, matrix):
    """CIELAB of a colour as seen with a colour vision deficiency (Machado et al. 2009, severity 1)."""
    channels = np.array([int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
    x, y, z = np.cbrt(xyz @ np.clip(matrix @ linear, 1e-4, 1) / [0.9505, 1, 1.089])
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


SEEN = {
    "all cones": np.eye(3),
    "no red": np.array([[0.152, 1.053, -0.205], [0.115, 0.786, 0.099], [-0.004, -0.048, 1.052]]),
    "no green": np.array([[0.367, 0.861, -0.228], [0.280, 0.673, 0.047], [-0.012, 0.043, 0.969]]),
    "no blue": np.array([[1.256, -0.077, -0.179], [-0.078, 0.931, 0.148], [0.005, 0.691, 0.304]]),
}


# --- colours and small things ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("ground", GROUNDS)
def test_colours_stand_out_from_every_ground(ground):
    """Each colour has a contrast of at least 3 to 1 on white and on the dark grounds."""
    assert min(contrast(color, ground) for color in shared.PALETTE) >= 3


@pytest.mark.parametrize("eyes", SEEN)
def test_colours_stay_apart_for_all_eyes(eyes):
    """No two colours come closer than a CIELAB distance of 15 to anyone."""
    seen = [lab_as_seen(color, SEEN[eyes]) for color in shared.PALETTE]
    assert min(np.linalg.norm(a - b) for a, b in itertools.combinations(seen, 2)) >= 15


def test_a_close_pair_of_colours_would_be_noticed():
    """The two measures above do reject what they should: yellow on white, and red beside green."""
    assert contrast("#f0e442", "#ffffff") < 3
    red, green = (lab_as_seen(color, SEEN["no green"]) for color in ("#d55e00", "#97790a"))
    assert np.linalg.norm(red - green) < 15


def test_import_stays_light():
    """`import fdpedu.viz` loads neither matplotlib nor ipywidgets."""
    code = "import sys, fdpedu.viz; print(sorted({'matplotlib', 'ipywidgets', 'IPython', 'scipy'} & set(sys.modules)))"
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "[]"


def test_same_input_gives_the_same_bytes():
    """Two fresh processes draw the same figures to the byte, whatever the seed of their hashes."""
    code = (
        "import sys, hashlib; sys.path.insert(0, 'tests'); import test_viz as t\n"
        "with t.figure_style(): html = str(t.show_figure(t.figure(), alt='a'))\n"
        "html += t.draw_tree(t.TREE, t.CLASSES, title='t') + t.slider()._repr_html_()\n"
        "print(hashlib.sha256(html.encode()).hexdigest())"
    )
    root = Path(__file__).parent.parent
    runs = [
        subprocess.check_output([sys.executable, "-c", code], cwd=root, env={**os.environ, "PYTHONHASHSEED": seed})
        for seed in ("1", "2")
    ]
    assert runs[0] == runs[1]


def test_ids_are_unique_on_a_page():
    """The same figure twice, beside others, gives no name twice; and every reference has its target."""
    with figure_style():
        parts = [str(show_figure(figure(), alt="a")) for _ in range(2)]
    parts += [draw_tree(TREE, CLASSES, title="t") for _ in range(2)] + [slider()._repr_html_()] * 2
    page = "".join(parts)
    ids = re.findall(r'\bid="([^"]+)"', page)
    assert len(ids) == len(set(ids)) > 8
    targets = re.findall(r'url\(#([^)]+)\)|href="#([^"]+)"|aria-(?:labelledby|describedby)="([^"]+)"', page)
    assert {name for found in targets for name in found if name} <= set(ids)


def test_the_style_reaches_nothing_else_on_the_page():
    """Every rule of a style sheet that travels with a drawing is about the drawings of this package."""
    with figure_style():
        pages = draw_tree(TREE, CLASSES, title="t") + str(show_figure(figure(), alt="a")) + slider()._repr_html_()
    for sheet in re.findall(r"<style>(.*?)</style>", pages, re.DOTALL):
        selectors = re.findall(r"(?:^|[{};])\s*([^{}@;:]+(?::[^{}]*)?)\{", sheet)
        assert selectors
        assert [s for s in selectors if "fd-" not in s and ".fdpedu" not in s] == []


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


@pytest.mark.parametrize(
    ("root", "classes", "message"),
    [
        ({"test": "x"}, CLASSES, "root: 'left' is missing"),
        ({"test": "x", "left": leaf(1), "right": {"label": "benign"}}, CLASSES, "root.right: 'probabilities'"),
        (leaf(0.3) | {"label": "odd"}, CLASSES, "root: label 'odd' is none of"),
        (leaf(0.3) | {"probabilities": [0.3, 0.3]}, CLASSES, "root: probabilities must be 2 numbers"),
        (leaf(0.3) | {"probabilities": [float("nan"), 1]}, CLASSES, "root: probabilities must be"),
        (leaf(0.3) | {"counts": [1]}, CLASSES, "root: counts must be 2 integers"),
        (leaf(0.3) | {"counts": [1.5, 2]}, CLASSES, "root: counts must be 2 integers"),
        (leaf(0.3) | {"colour": "red"}, CLASSES, "root: a leaf has no 'colour'"),
        ("leaf", CLASSES, "root: a node is a dict"),
        (leaf(0.3), ["benign"], "classes: two to six"),
        (leaf(0.3), ["a", "a"], "classes: two to six"),
        (grown(9), CLASSES, "depth at most 8"),
    ],
)
def test_a_wrong_tree_is_refused_by_name(root, classes, message):
    """The error says where in the tree it is, and what was expected there."""
    with pytest.raises(ValueError, match=re.escape(message)):
        draw_tree(root, classes, title="t")


@pytest.mark.parametrize("wrong", [{"title": " "}, {"title": "t", "layout": "round"}])
def test_a_tree_needs_a_title_and_a_known_layout(wrong):
    """Both are named in the error."""
    with pytest.raises(ValueError, match=r"^(title|layout)"):
        draw_tree(TREE, CLASSES, **wrong)


# --- matplotlib figures ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("alt", ["", "  "])
def test_alt_text_cannot_be_left_out(alt):
    """A figure without words is refused, in both kinds; so is one that forgets the argument."""
    with pytest.raises(ValueError, match="alt"), figure_style():
        show_figure(figure(), alt=alt)
    with pytest.raises(ValueError, match="alt"):
        slider_plot(Panel("x", "y", [Curve([0, 1], [0, 1])]), label="k", values=[1, 2], alt=alt)
    with pytest.raises(TypeError, match="alt"):
        show_figure(figure())


def test_a_figure_takes_the_ink_of_its_page(tmp_path):
    """No black and no white is left in it, all text is at least 14 px, and both faces carry the alt text."""
    with figure_style():
        html = str(show_figure(figure(), alt='Three "curves"', caption="<b>", slide=tmp_path / "new" / "s.svg"))
    drawings = re.findall(r"<svg.*?</svg>", html, re.DOTALL)
    assert [ET.fromstring(d).get("width") for d in drawings] == ["340", "640"]
    for drawing in drawings:
        assert ET.fromstring(drawing).get("aria-label") == 'Three "curves"'
        assert "currentColor" in drawing
        painted = set(re.findall(r"#[0-9a-f]{6}", re.sub(r"(?s)<style>.*?</style>", "", drawing).lower()))
        assert painted <= set(shared.PALETTE)
        assert min(sizes_of_text(drawing)) >= 14
    assert "&lt;b&gt;</figcaption>" in html
    slide = (tmp_path / "new" / "s.svg").read_text("utf8")
    assert ET.fromstring(slide).get("viewBox") == "0 0 640 380"
    assert shared.INK in slide.lower()
    assert "currentColor" not in slide
    assert "<text" not in slide


def test_small_text_in_a_figure_is_refused():
    """Text under 14 points is named and refused, so that no chapter slips one in."""
    with figure_style():
        fig = figure()
        fig.axes[0].text(0, 0, "tiny", fontsize=9)
        with pytest.raises(ValueError, match="'tiny' is 9"):
            show_figure(fig, alt="a")


def test_exponents_on_logarithmic_axes_are_full_characters():
    """10⁻⁶ is written with raised characters and not with small ones."""
    with figure_style():
        fig = figure()
        fig.axes[0].set_xscale("log")
        fig.axes[0].set_xlim(1e-6, 1e6)
        html = str(show_figure(fig, alt="a"))
    assert "10⁻⁶" in html
    assert min(size for d in re.findall(r"<svg.*?</svg>", html, re.DOTALL) for size in sizes_of_text(d)) >= 14


def test_showing_a_figure_closes_it():
    """A notebook does not show it a second time as a picture of its own."""
    import matplotlib

    matplotlib.use("agg")
    import matplotlib.pyplot as plt

    with figure_style():
        fig, axes = plt.subplots()
        axes.plot([0, 1])
        show_figure(fig, alt="a")
    assert fig.number not in plt.get_fignums()


# --- the slider -----------------------------------------------------------------------------------------------------


def test_the_slider_is_small():
    """The script is under 4 kB, and 41 positions of a curve of 100 points under 28 kB with all that is around it."""
    curve = [np.sin(np.linspace(0, 6, 100) + k / 7) for k in range(41)]
    plot = slider_plot(Panel("x", "y", [Curve(np.arange(100), Moving(curve))]), label="k", values=range(41), alt="a")
    assert len(shared.asset("slider.js").encode()) < 4_000
    assert len(plot._repr_html_().encode()) < 28_000


def test_without_javascript_the_first_position_remains():
    """The drawing and its words are in the page; the control is hidden until the script shows it."""
    html = slider()._repr_html_()
    assert '<div class="fd-control" hidden>' in html
    assert "budget ε = 0.39: position 3 &lt;here&gt;</output>" in html
    assert html.count('role="img" aria-label="A curve that steepens."') == 1
    assert re.search(r'<path d="M\d+ \d+l[^"]+"[^>]* data-path="0"', html)
    assert "</script>" not in html.split('type="application/json">')[1].split("</script>")[0]


@pytest.mark.parametrize(
    ("layers", "more", "message"),
    [
        ([Curve([0, 1], Moving([[0, 1]] * 3))], {}, "each of the 2 positions, got 3"),
        ([Curve([0, 1], [0, 1, 2], "c")], {}, "layer 'c': x and y must have the same length"),
        ([Curve([0, 1], [0, float("nan")])], {}, "finite"),
        ([Rule()], {}, "exactly one of x, y"),
        ([Curve([0, 1], [0, 1])], {"text": ["one"]}, "values, text"),
        ([Curve([0, 1], [0, 1])], {"start": 2}, "start must be a position from 0 to 1"),
    ],
)
def test_a_wrong_slider_is_refused_by_name(layers, more, message):
    """What does not fit the number of positions is named."""
    with pytest.raises(ValueError, match=re.escape(message)):
        slider_plot(Panel("x", "y", layers), label="k", values=[1, 2], alt="a", **more)


def test_nothing_is_cut_off_unseen():
    """A range that does not hold the data is refused."""
    with pytest.raises(ValueError, match=r"y_range .* does not contain the data"):
        slider_plot(Panel("x", "y", [Curve([0, 1], [0, 2])], y_range=(0, 1)), label="k", values=[1, 2], alt="a")


def test_paths_are_where_the_data_are():
    """The steps of a path add up to the data, to one thousandth of the panel."""
    y = np.array([0.0, 0.3, 0.25, 1.0])
    plot = slider_plot(
        Panel("x", "y", [Curve([0, 1, 2, 4], Moving([y, y / 2]))], x_range=(0, 4), y_range=(0, 1)),
        label="k",
        values=[1, 2],
        alt="a",
    )
    path = outline_of(plot._moves["paths"][0], 1)
    points = np.cumsum(np.array(re.findall(r"-?\d+", path), int).reshape(-1, 2), axis=0)
    assert np.abs(points[:, 0] / 1000 - np.array([0, 1, 2, 4]) / 4).max() <= 0.0005
    assert np.abs(1 - points[:, 1] / 1000 - y / 2).max() <= 0.0005
    assert to_square(np.array([0.0, 1.0]), (0, 1), flip=True) == [1000, 0]


@pytest.mark.parametrize("span", [(0, 1), (-0.05, 1.05), (3, 3.0001), (-1e6, 2e6), (0.12, 0.13), (0, 41)])
def test_ticks_are_few_and_round(span):
    """Between two and six ticks, inside the range, evenly spaced."""
    ticks = list(nice_ticks(*span))
    assert 2 <= len(ticks) <= 6
    assert span[0] - 1e-9 <= ticks[0] <= ticks[-1] <= span[1] + 1e-9
    assert np.allclose(np.diff(ticks), np.diff(ticks)[0])


def test_a_static_page_makes_no_widget(monkeypatch):
    """With FDPEDU_STATIC=1 no widget is created; the HTML is all there is."""
    monkeypatch.setenv("FDPEDU_STATIC", "1")
    plot = slider()
    monkeypatch.setattr(type(plot), "widget", lambda self: pytest.fail("a widget was made"))
    assert sorted(plot._repr_mimebundle_()) == ["text/html", "text/plain"]


def test_without_ipywidgets_the_html_works_alone(monkeypatch):
    """Where ipywidgets is missing, a notebook gets the face of the page."""
    monkeypatch.delenv("FDPEDU_STATIC", raising=False)
    monkeypatch.setitem(sys.modules, "ipywidgets", None)
    assert sorted(slider()._repr_mimebundle_()) == ["text/html", "text/plain"]


def test_in_a_notebook_the_widget_redraws(monkeypatch):
    """The live face offers the same positions, and moving it draws the position and says its words."""
    pytest.importorskip("ipywidgets")
    monkeypatch.delenv("FDPEDU_STATIC", raising=False)
    plot = slider()
    assert "application/vnd.jupyter.widget-view+json" in plot._repr_mimebundle_()
    control, view = plot.widget().children
    before = view.value
    control.value = 20
    assert view.value == plot.frame(20) != before
    assert "position 20 &lt;here&gt;" in view.value
    assert outline_of(plot._moves["paths"][0], 20) in view.value
    assert "<script" not in view.value


# --- in the browser -------------------------------------------------------------------------------------------------

THEMES = {"light": ("#ffffff", "#222832"), "dark": ("#14181e", "#ced6dd")}


def everything():
    with figure_style():
        parts = [str(show_figure(figure(), alt="a", caption="What to conclude.", narrow=n)) for n in (True, False)]
    six = [f"class {k}" for k in range(6)]
    trees = [(TREE, CLASSES), (leaf(0.2), CLASSES), (grown(3), CLASSES), (grown(5), CLASSES), (grown(2, six), six)]
    parts += [draw_tree(tree, names, title="A tree", caption="What to conclude.") for tree, names in trees]
    return [*parts, slider()._repr_html_(), slider(9, 5)._repr_html_()]


@pytest.fixture
def opened(browser, tmp_path):
    """Open drawings on a page of a theme and a width, and keep the page for questions."""
    contexts = []

    def opened(body, theme="light", width=400, **options):
        ground, ink = THEMES[theme]
        style = f"body{{margin:16px;font:16px sans-serif;background:{ground};color:{ink}}}"
        file = tmp_path / "page.html"
        file.write_text(
            f'<!doctype html><html lang="en" data-theme="{theme}"><head><meta charset="utf-8"><title>t</title>'
            f"<style>{style}</style></head><body><main><article>{body}</article></main></body></html>",
            "utf8",
        )
        contexts.append(browser.new_context(viewport={"width": width, "height": 900}, **options))
        page = contexts[-1].new_page()
        page.faults = []
        page.on("pageerror", lambda error: page.faults.append(str(error)))
        page.goto(file.as_uri())
        return page

    yield opened
    for context in contexts:
        context.close()


@pytest.mark.browser
@pytest.mark.parametrize("width", [1280, 700, 400])
@pytest.mark.parametrize("theme", THEMES)
def test_drawings_can_be_read(opened, theme, width):
    """Nothing scrolls sideways, no text is small or faint, and no script fails."""
    page = opened("".join(everything()), theme, width)
    assert page.faults == []
    assert page.evaluate(LOOK, 14) == []


INSIDE = """() => [...document.querySelectorAll('.fd-tree svg')].filter(s => s.getClientRects().length).flatMap(svg => {
  const box = svg.getBoundingClientRect();
  const texts = [...svg.querySelectorAll('text')].map(t => [t, t.getBoundingClientRect()]);
  const out = texts.filter(([t, r]) => r.left < box.left - 1 || r.right > box.right + 1 || r.bottom > box.bottom + 1);
  const meet = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 4;
  const over = texts.filter(([t, r], i) => texts.some(([u, q], j) => j < i && meet(r, q)));
  return [...out, ...over].map(([t]) => t.textContent);
})"""


@pytest.mark.browser
@pytest.mark.parametrize("width", [1700, 700, 400])
def test_text_in_trees_stays_in_its_place(opened, width):
    """No text leaves its drawing, and no two texts meet, at any width and depth."""
    trees = [grown(d, seed=d) for d in range(7)] + [TREE]
    page = opened("".join(draw_tree(tree, CLASSES, title="t") for tree in trees), width=width)
    assert page.evaluate("document.querySelectorAll('.fd-tree').length") == 8
    assert page.evaluate(INSIDE) == []


@pytest.mark.browser
def test_a_page_shows_one_face_that_fits(opened):
    """Of each drawing exactly one face is shown, the outline on a telephone and the top-down tree on a wide page."""
    count = """() => [...document.querySelectorAll('.fd-faces')].map(
        f => [...f.children].filter(c => getComputedStyle(c).display !== 'none').map(c => c.firstChild.clientWidth))"""
    body = "".join(everything())
    narrow, wide = (opened(body, width=width).evaluate(count) for width in (400, 1280))
    assert all(len(face) == 1 for face in narrow + wide)
    assert [face[0] for face in narrow[4:6]] == [336, 336]
    assert wide[4][0] > 600


@pytest.mark.browser
def test_the_slider_moves_its_curve_by_keyboard(opened):
    """Each key moves the control one position, and paths, texts and values are those that Python computed."""
    plot = slider()
    page = opened(plot._repr_html_() + slider(9, 5)._repr_html_())
    first, second = page.locator(".fd-slider").all()
    untouched = second.inner_html()
    control = first.locator("input")
    control.focus()
    for position, key in ((4, "ArrowRight"), (40, "End"), (39, "ArrowLeft"), (0, "Home")):
        page.keyboard.press(key)
        for number, path in enumerate(plot._moves["paths"]):
            shown = first.locator(f'[data-path="{number}"]').get_attribute("d")
            assert shown == outline_of(path, position)
        assert first.locator("output").inner_text() == plot.words(position)
        assert control.get_attribute("aria-valuetext") == plot.values[position]
        assert first.locator(".fd-value").inner_text() == plot.values[position]
        assert first.locator("[data-label]").text_content() == plot._moves["labels"][0]["text"][position]
    assert second.inner_html() == untouched


@pytest.mark.browser
def test_the_slider_moves_by_mouse(opened):
    """Dragging changes the curve on the screen."""
    page = opened(slider()._repr_html_())
    before = page.locator('[data-path="0"]').get_attribute("d")
    box = page.locator("input").bounding_box()
    page.mouse.click(box["x"] + 0.8 * box["width"], box["y"] + box["height"] / 2)
    assert page.locator('[data-path="0"]').get_attribute("d") != before


@pytest.mark.browser
def test_without_javascript_and_on_paper_there_is_no_control(opened):
    """Both show the drawing and its words, in black on white even from the dark theme."""
    page = opened(slider()._repr_html_(), java_script_enabled=False)
    assert not page.locator("input").is_visible()
    assert page.locator("output").is_visible()
    page = opened("".join(everything()), "dark")
    assert page.locator("input").first.is_visible()
    page.emulate_media(media="print")
    assert not page.locator("input").first.is_visible()
    inks = page.evaluate("[...document.querySelectorAll('.fdpedu text')].map(t => getComputedStyle(t).fill)")
    assert set(inks) == {"rgb(0, 0, 0)"}


@pytest.mark.browser
def test_the_dark_theme_puts_no_light_box_behind_a_drawing(opened):
    """The theme paints the outputs of cells light in the dark; behind our drawings, and only there, that is undone."""
    rule = "html[data-theme=dark] .bd-content div.cell_output .text_html:not(:has(table.dataframe))"
    box = '<div class="cell_output"><div class="text_html">{}</div></div>'
    page = opened(
        f"<style>{rule}{{background-color:#ced6dd;color:#222832;padding:.5rem}}</style>"
        f'<div class="bd-content">{box.format(draw_tree(TREE, CLASSES, title="t"))}{box.format("other")}</div>',
        "dark",
    )
    grounds = "[...document.querySelectorAll('.text_html')].map(e => getComputedStyle(e).backgroundColor)"
    assert page.evaluate(grounds) == ["rgba(0, 0, 0, 0)", "rgb(206, 214, 221)"]
