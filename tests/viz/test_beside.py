"""Figures side by side."""

from fdpedu.viz import draw_derivation, draw_tree, side_by_side
from tests.support.drawings import CLASSES, PAIR, STEP


class Shown:
    def _repr_html_(self):
        return "<p>shown</p>"


def test_two_figures_stand_side_by_side_with_a_name():
    """Both are there, in order; the group has a name, and the caption stands below."""
    tree, costs = draw_tree(PAIR, CLASSES, title="A tree"), draw_derivation(STEP, title="Its cost")
    picture = side_by_side(tree, costs, Shown(), alt='A tree & "its" cost', caption="Cheap <b>.")
    html = str(picture)
    assert picture._repr_html_() == html and repr(picture) == '[figure: A tree & "its" cost]'
    assert html.index(tree) < html.index(costs) < html.index("<p>shown</p>") < html.index("Cheap &lt;b&gt;.")
    assert 'aria-label="A tree &amp; &quot;its&quot; cost"' in html
    assert html.count("<figure") == html.count("</figure>") == 3 and html.count('<div class="fd-beside">') == 1
    assert "<figcaption>" not in str(side_by_side("<p>a</p>", "<p>b</p>", alt="two"))
