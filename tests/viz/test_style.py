"""Figures: words for those who cannot see them, ink of the page, text that is large enough."""

import re
import xml.etree.ElementTree as ET

import pytest

from fdpedu.viz import figure_style, show_figure
from fdpedu.viz import page as shared
from tests.support.drawings import figure, sizes_of_text


def test_alt_text_cannot_be_forgotten():
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


def test_a_slide_is_written_only_into_its_folder(tmp_path, monkeypatch):
    """Notebooks, tests and readers run the pages' cells anywhere; pictures are not left there."""
    monkeypatch.chdir(tmp_path)
    for folder, written in ((None, []), ("", []), ("slides", ["slides", "slides/s.svg"])):
        monkeypatch.delenv("FDPEDU_SLIDES", raising=False)
        if folder is not None:
            monkeypatch.setenv("FDPEDU_SLIDES", folder)
        with figure_style():
            show_figure(figure(), alt="a", slide="s.svg")
        assert sorted(path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*")) == written


def test_a_slide_takes_the_place_of_a_slide_and_of_nothing_else(tmp_path):
    """Nor of another drawing, unless one says so; never of a link."""

    def shown(name, **options):
        with figure_style():
            show_figure(figure(), alt="a", slide=tmp_path / name, **options)
        return (tmp_path / name).read_text("utf8")

    first = shown("s.svg")
    assert shown("s.svg") == first
    others = {"rows.svg": "age,ward\n", "drawn.svg": first.replace(' stroke-linejoin="round"', "", 1), "tree.svg": "{}"}
    for name, there in others.items():
        (tmp_path / name).write_text(there, "utf8")
        with pytest.raises(ValueError, match="say overwrite"):
            shown(name)
        assert (tmp_path / name).read_text("utf8") == there
        assert shown(name, overwrite=True) == first
    (tmp_path / "link.svg").symlink_to("s.svg")
    for options in ({}, {"overwrite": True}):
        with pytest.raises(ValueError, match="it is a link"):
            shown("link.svg", **options)
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]


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
