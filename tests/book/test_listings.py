"""What pages show of the library's code: the same code, without docstrings, in lines that fit."""

import ast

import pytest
from listings import WIDTH, listing
from myst_parts import Directive, parts_of
from plain_notebook import included

from tests.support.repository import ROOT, toc_pages


def shown(text):
    """The directives of a page that show code of the library, folded ones too."""
    for part in parts_of(text):
        if isinstance(part, Directive) and part.name == "literalinclude":
            yield part
        elif isinstance(part, Directive) and part.name not in ("code-cell", "code-block", "math"):
            yield from shown(part.body)


LISTINGS = [
    pytest.param((ROOT / f"{page}.md").parent, part, id=f"{page.split('/')[-1]}-{number}")
    for page in toc_pages()
    for number, part in enumerate(shown((ROOT / f"{page}.md").read_text("utf8")))
]


def bare(tree):
    """A tree of code without the docstrings of what has something besides; that of a whole file in any lines."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            node.value.value = " ".join(node.value.value.split())
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and ast.get_docstring(node) and len(node.body) > 1:
            del node.body[0]
    return ast.dump(tree)


def indented(text):
    """A piece of a function, wherever it stands in it."""
    return "if True:\n" + "\n".join(f" {line}" for line in text.split("\n"))


def too_wide(text):
    """Lines wider than a page, but for long texts, which nobody breaks."""
    return [line for line in text.split("\n") if len(line) > WIDTH and not set("\"'") & set(line)]


@pytest.mark.parametrize(("folder", "part"), LISTINGS)
def test_a_listing_is_the_library_s_code(folder, part):
    """Without docstrings it is the same program, and no line of code but a long text is wider than a page."""
    code = included(folder, part)
    text = listing(code)
    assert bare(ast.parse(indented(text))) == bare(ast.parse(indented(code)))
    assert "Claims:" not in text
    assert too_wide(text) == []


CODE = '''\
class A:
    """A sentence."""

    x: int  # %s

    def f(self):
        """Another.

        Claims: lem-x.
        """
        # why
        return "one" * self.x + %s

    def g(self):
        """Nothing else."""
'''


def test_what_a_listing_leaves_out():
    """Docstrings go, unless nothing else is there; comments stay, above a line that has no room for them."""
    text = listing(CODE % ("word " * 20, " + ".join(["self.x"] * 12)))
    assert "sentence" not in text and "Claims" not in text and '"""Nothing else."""' in text
    assert text.startswith("class A:\n    # word word") and "\n        # why\n        return (" in text
    assert max(map(len, text.split("\n"))) <= WIDTH
    assert listing("x = 1\ny = [") == "x = 1\ny = ["


def test_a_whole_file_keeps_its_docstrings_in_lines_that_fit():
    """With the same words; a function alone is shown without them."""
    code = (ROOT / "fdpedu" / "tiny.py").read_text("utf8")
    before, after = (
        [" ".join(text.split()) for node in ast.walk(ast.parse(one)) if (text := said(node))]
        for one in (code, listing(code))
    )
    assert before == after and len(before) > 10 and too_wide(listing(code)) == []
    assert listing('def f():\n    """Words."""\n    return 1') == "def f():\n    return 1"


def said(node):
    return ast.get_docstring(node) if isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef) else None


def test_all_of_the_checker_stands_on_its_page():
    """It says so: each function and each class, once; what else is there stands at the top of the file."""
    page = ROOT / "book" / "chapters" / "04_accounting_checker.md"
    parts = [part for part in shown(page.read_text("utf8")) if part.argument.endswith("derivation_checker.py")]
    code = (ROOT / "fdpedu" / "derivation_checker.py").read_text("utf8")
    there, on_page = (
        sorted(node.name for node in ast.parse(text).body if isinstance(node, ast.FunctionDef | ast.ClassDef))
        for text in (code, "\n".join(included(page.parent, part) for part in parts))
    )
    assert on_page == there
