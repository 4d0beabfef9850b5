"""What the reader sees: replies, the catalogue, hints, and misconceptions."""

import builtins
import re
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from fdpedu.exercises import catalogue, check, hint, stub, task
from fdpedu.exercises.catalogue import find
from fdpedu.exercises.record import Exercise, Misconception
from fdpedu.exercises.values import number, show
from tests.support.exercises import Hostile, each, impurity

# --- What the reader sees ---


def test_html_is_escaped_and_takes_the_page_s_colours():
    """Nothing of an answer becomes markup; nothing sets a colour or a background of its own."""
    page = check("cart-impurity", lambda a, b: "<script>alert('&')</script>")._repr_html_()
    assert "<script" not in page and "&lt;script&gt;" in page
    own = page.split(".fd-reply{")[1]
    assert not re.search(r"#[0-9a-f]{3}|rgb|background:(?!none)", own) and "currentColor" in own
    assert 'aria-hidden="true"' in page


def test_the_catalogue_lists_and_finds():
    """As text, as HTML, by chapter; for an unknown id the nearest is named, if one is near."""
    assert len(catalogue()) >= 8 and str(catalogue()).splitlines()[0].startswith("cart-impurity ")
    assert catalogue()._repr_html_().count("<tr>") == len(catalogue()) + 1
    with pytest.raises(ValueError, match="cart-impurity"):
        check("cart-impurty", impurity)
    with pytest.raises(ValueError, match="none is near"):
        hint("zzzzzz")
    with pytest.raises(ValueError, match="cart"):
        catalogue("no such chapter")
    for seconds in (0, "long"):
        with pytest.raises(ValueError, match="seconds"):
            check("cart-impurity", impurity, seconds=seconds)


@each
def test_texts_for_the_reader(exercise):
    """Task and hint are Markdown; stub and solution are code, also where a notebook shows them."""
    assert task(exercise.id) == exercise.task == repr(task(exercise.id)) == task(exercise.id)._repr_markdown_()
    assert hint(exercise.id) == exercise.hint
    assert stub(exercise.id)._repr_markdown_().startswith("```python\nfrom fdpedu")
    compile(stub(exercise.id), "stub", "exec")


def test_show_is_short_and_never_fails():
    assert show((Fraction(1, 2), [np.float64(0.5), None])) == "(1/2, [0.5, None])"
    assert len(show([[list(range(1000))] * 1000] * 1000)) < 400
    assert show([Hostile()]) == "[<Hostile instance>]" and show(object()) == "<object object>"
    assert number(np.int8(3)) == 3 and type(number(np.int8(3))) is int


def test_a_misconception_is_named_only_when_the_answer_behaves_like_it():
    """An answer that fails on the same input, but differs later, gets the general hint."""
    exercise = find("cart-impurity")
    reply = check(exercise.id, lambda a, b: exercise.wrong[0].answer(a, b) if a + b < 4 else 0)
    assert not reply.passed and reply.misconception is None and dict(reply.rows)["hint"] == exercise.hint


def test_a_chapter_s_exercise_is_one_record():
    """A record made from scratch works with the checker: this is all that a new chapter writes."""
    from fdpedu.exercises.checking import judge

    double = Exercise(
        id="toy-double", chapter="toy", level="warm-up", kind="implement", title="Twice", task="`double(n)`", hint="+",
        domain="n < 10", cases=lambda: [(n,) for n in range(10)], size=lambda n: n, reference=lambda n: 2 * n,
        read=number, stub="def double(n):\n    ...", wrong=(Misconception("squares", lambda n: n * n, "2n, not n²."),),
    )  # fmt: skip
    assert judge(double, lambda n: n + n, 5).passed
    assert judge(double, lambda n: n**2, 5).misconception == "squares"
    assert judge(replace(double, title="2"), builtins.abs, 5).counterexample == (1,)
