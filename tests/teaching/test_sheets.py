"""A sheet to print says what the tasks say: words, code and formulas, and needs nothing but a browser."""

import re
from fractions import Fraction
from html.parser import HTMLParser
from xml.etree.ElementTree import fromstring

import pytest

from fdpedu.teaching import ExerciseSet, Item, sheet_page
from fdpedu.teaching.formulas import mathml
from fdpedu.teaching.texts import as_html, plain
from tests.support.exercises import EXERCISES

EMPTY = {"meta", "!doctype"}


class Read(HTMLParser):
    """The text of a page outside of formulas and styles, what stands in code, and the names of its elements."""

    def __init__(self, page):
        super().__init__()
        self.open, self.met, self.said, self.code, self.formulas = [], [], "", [], 0
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.met += [tag, *(name for name, _ in attributes)]
        self.formulas += tag == "math"
        self.said += " "
        if tag == "code":
            self.code.append("")
        if tag not in EMPTY:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if "code" in self.open:
            self.code[-1] += data
        elif not {"math", "style"} & {*self.open}:
            self.said += data


def test_all_tasks_are_on_the_page_to_the_word():
    """Their words, their code to the letter, each formula as one; no mark of Markdown or TeX is left, no link."""
    page = sheet_page(ExerciseSet("All", tuple(Item(exercise.id, Fraction(1)) for exercise in EXERCISES)))
    read = Read(page)
    assert not read.open and not {"script", "src", "href", "img"} & {*read.met} and "http" not in page
    texts = [plain(exercise.task) for exercise in EXERCISES]
    fenced = r"```\w*\n(.*?)\n```"
    code = [found for text in texts for found in re.findall(f"{fenced}|`([^`]+)`", text, re.S)]
    assert [" ".join(part.split()) for part in read.code] == [" ".join("".join(found).split()) for found in code]
    assert read.formulas == sum(len(re.findall(r"\$[^$]+\$", text)) for text in texts) > 400
    assert not re.search(r"[$`\\]|\*\*|^>|^\d+\. (?=counts)", read.said, re.M)
    words = [word for text in texts for word in re.sub(rf"{fenced}|`[^`]+`|\$[^$]+\$", " ", text, flags=re.S).split()]
    words = [word for word in words if re.fullmatch(r"\w+", word) and not word.isdigit()]
    said = iter(re.findall(r"\w+", read.said))
    assert not [word for word in words if word not in said]  # in this order


def test_nothing_of_a_title_is_an_element():
    page = sheet_page(ExerciseSet("<script>1</script> & {tasks} 100 %", (Item("privacy-delta", Fraction(1)),)))
    assert "script" not in Read(page).met and "<h1>&lt;script&gt;1&lt;/script&gt; &amp; {tasks} 100 %</h1>" in page


def test_space_has_a_line_a_minute():
    pages = [sheet_page(ExerciseSet("t", (Item(id, Fraction(1)),))) for id in ("privacy-sensitivity", "mech-monotone")]
    assert [page.count("<div></div>") for page in pages] == [5, 10]


def said(tex):
    """A formula's signs in their order, with the names of the elements that make a shape."""
    shapes = {"mfrac": "frac", "msub": "sub", "msup": "sup", "msubsup": "subsup", "mover": "over"}
    tree = fromstring(mathml(tex))

    def walk(node):
        inner = (node.text or "") + "".join(map(walk, node))
        return f"{shapes[node.tag]}({inner})" if node.tag in shapes else inner

    return walk(tree)


@pytest.mark.parametrize(
    ("tex", "expected"),
    [
        (r"\frac12", "frac(12)"),
        (r"\frac1{10}3", "frac(110)3"),
        (r"\frac u{1+u}", "frac(u1+u)"),
        (r"\frac\delta2", "frac(δ2)"),
        ("x^{10}_k", "subsup(xk10)"),
        ("10^2", "sup(102)"),
        ("x^23", "sup(x2)3"),
        (r"\varepsilon'_0", "subsup(ε0′)"),
        (r"n\ln n-\sum_c n_c", "nlnn−sub(∑c)sub(nc)"),
        (r"\hat p_k^2", "subsup(over(p^)k2)"),
        (r"\text{a b}<1", "a b<1"),
        (r"\bigl(\frac12\bigr)^{|k|}", "(frac(12)sup()|k|)"),
        (r"\lfloor3.4\,P\rfloor \bmod R", "⌊3.4P⌋modR"),
    ],
)
def test_formulas(tex, expected):
    assert said(tex) == expected


@pytest.mark.parametrize("tex", [r"\foo x", r"\frac1", "x^", "{x", "x}", r"\text{x", "a & b", r"\text", "a_"])
def test_a_formula_that_is_not_known_is_refused(tex):
    with pytest.raises(ValueError, match="formula"):
        mathml(tex)


def test_blocks_of_markdown():
    text = "One *two*\nthree.\n\n> *a $x*y$*\n> b\n\n```python\na < b\n\n1. c\n```\n\n1. `a`\n2. **b**"
    assert as_html(text, lambda tex: f"[{tex}]") == (
        "<p>One <em>two</em> three.</p><blockquote><p><em>a [x*y]</em> b</p></blockquote>"
        "<pre><code>a &lt; b\n\n1. c</code></pre><ol><li><code>a</code></li><li><strong>b</strong></li></ol>"
    )
