"""The check by axe is fair, and can fail."""

import hashlib

import pytest

from tests.support.axe import AXE, SEEN_BY_LOOK, inaccessible

pytestmark = pytest.mark.browser


def test_axe_is_the_one_we_vendored():
    """The checker is, byte for byte, the file whose hash is kept beside it."""
    expected, name = (AXE.parent / "axe.min.js.sha256").read_text("utf8").split()
    assert hashlib.sha256((AXE.parent / name).read_bytes()).hexdigest() == expected


SOUND = '<!doctype html><html lang="en"><head><title>t</title></head><body><main><h1>t</h1>{}</main></body></html>'
FORMULA = '<mjx-container><svg aria-hidden="true" focusable="false">{}</svg></mjx-container>'
BOX = '<pre tabindex="{}" style="width: 50px; overflow: auto">a line that is too long</pre>'
AS_THE_THEME = """<script>
new MutationObserver(() => setTimeout(() => { document.querySelector("pre").tabIndex = 0 }, 300)).observe(
  document.body, { subtree: true, childList: true })</script>"""


@pytest.mark.parametrize(
    ("body", "finding"),
    [
        ("<p>text</p>", None),
        (FORMULA.format("<path/>"), None),
        (FORMULA.format('<a href="#t" tabindex="0"><path/></a>'), "aria-hidden-focus"),
        ('<img src="data:,">', "image-alt"),
        ("<button></button>", "button-name"),
        ("<pre><span>text</span></pre>", None),
        ("<pre><span>text <button></button></span></pre>", "button-name"),
        ('<input type="range">', "label"),
        ("<h2>a</h2><h5>b</h5>", "heading-order"),
        ('<p style="color: #999">faint</p>', "color-contrast"),
        ("<table><tr><th></th></tr></table>", "empty-table-header"),
        (BOX.format(-1), "scrollable-region-focusable"),
        (BOX.format(-1) + AS_THE_THEME, None),
    ],
)
def test_axe_is_fair_and_can_fail(tmp_path, opened, body, finding):
    """A sound page has no finding, one with a fault has that one; what the look measures too can be left out."""
    (tmp_path / "page.html").write_text(SOUND.format(body), "utf8")
    with opened((tmp_path / "page.html").as_uri(), width=1280) as (page, _):
        rules = {line.split(":")[0] for line in inaccessible(page)}
        assert rules == ({finding} if finding else set())
        assert {line.split(":")[0] for line in inaccessible(page, SEEN_BY_LOOK)} == rules - {*SEEN_BY_LOOK}
