"""Odd answers get a useful reply: numbers of any kind, wrong forms, exceptions, prints and warnings."""

import sys
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from fdpedu.exercises.catalogue import find
from fdpedu.exercises.values import Unreadable, close, number, sequence
from tests.support.exercises import EXERCISES, Hostile, check, impurity

# --- Numbers ---


@pytest.mark.parametrize("kind", [float, np.float64, Fraction, lambda v: np.array(float(v)), np.longdouble])
def test_numbers_of_any_kind_are_read(kind):
    """Floats, fractions and NumPy's scalars are answers; floats are said to have been compared within rounding."""
    exact = find("cart-impurity").reference
    reply = check("cart-impurity", lambda a, b: kind(float(exact(a, b))) if kind is not Fraction else exact(a, b))
    assert reply.passed and ("within rounding" in str(reply)) is (kind is not Fraction)


@pytest.mark.parametrize("text", ["0.375", "-7", "1e-30", "1E+50", "0e9", "-0.0"])
def test_a_decimal_is_the_number_it_writes(text):
    """Exactly, as a fraction: 0.1 of ``decimal`` is a tenth, which no float is."""
    assert number(Decimal(text)) == Fraction(text) and isinstance(number(Decimal(text)), Fraction)
    assert sequence(number)([Decimal(text)]) == [Fraction(text)]
    assert close(number(Decimal("0.1")), Fraction(1, 10)) and not close(number(Decimal("0.1")), Fraction(0.1))


@pytest.mark.parametrize(
    ("text", "said"), [("NaN", "NaN is not"), ("sNaN", "NaN"), ("-Infinity", "infinite"), ("1e999999999", "infinite")]
)
def test_a_decimal_that_is_no_number_is_not_read(text, said):
    with pytest.raises(Unreadable, match=said):
        number(Decimal(text))


def test_comparison():
    """Exact for whole numbers and fractions, a relative 10⁻⁹ for floats, item by item for lists."""
    third = Fraction(1, 3)
    assert close(1 / 3, third) and not close(1 / 3 + 1e-8, third) and not close(third + Fraction(1, 10**12), third)
    assert close([1, 0.1 + 0.2], (1, Fraction(3, 10))) and not close([1], [1, 2]) and not close(None, 0)
    assert not close(10**400, 1.0) and not close(1e308, Fraction(1, 3)) and close(None, None)


def test_the_reply_says_that_a_number_was_rounded_by_hand():
    reply = check("cart-threshold", (5.5, 0.667))
    assert not reply.passed and "more than rounding away" in str(reply)
    assert check("cart-threshold", [5.5, 2 / 3]).passed
    assert "The threshold is right, the impurity is not" in str(check("cart-threshold", (5.5, 7)))


def raises(error):
    def answer(a, b):
        raise error

    return answer


def recurses(a, b):
    return recurses(a, b)


def yields(a, b):
    yield impurity(a, b)


ODD = {
    "raises": (raises(KeyError("k")), "raised KeyError: k"),
    "raises with a line": (lambda a, b: impurity(a, b) / 0, "in line"),
    "raises a non-text": (raises(ValueError(Hostile())), "raised ValueError"),
    "exits": (raises(SystemExit(3)), "raised SystemExit: 3"),
    "interrupts": (raises(KeyboardInterrupt()), "raised KeyboardInterrupt"),
    "NaN": (lambda a, b: float("nan"), "NaN is not a number"),
    "infinite": (lambda a, b: np.inf, "infinite"),
    "complex": (lambda a, b: 1j, "not a complex"),
    "text": (lambda a, b: "0", "not text"),
    "bool": (lambda a, b: False, "not a bool"),
    "list": (lambda a, b: [0], "not a list"),
    "array": (lambda a, b: np.zeros((2, 3)), "not an array of shape (2, 3)"),
    "function": (lambda a, b: impurity, "not a function"),
    "generator": (yields, "wrap it in list()"),
    "coroutine-like": (lambda a, b: object(), "not an object"),
    "hostile": (lambda a, b: Hostile(), "expected"),
    "huge list": (lambda a, b: list(range(10**6)), "…"),
    "huge number": (lambda a, b: 10**10_000, "that cannot be shown"),
    "huge text": (lambda a, b: "x" * 10**6, "..."),
    "recursion": (recurses, "raised RecursionError"),
    "too few arguments": (lambda a: 0, "does it take these arguments?"),
    "a class": (dict, "expected"),
    "never written": (raises(NotImplementedError()), "NOT ANSWERED YET"),
}


@pytest.mark.parametrize("name", ODD)
def test_odd_answers_get_a_useful_reply(name):
    """The reply shows input, answer, expectation and reason, is short, and renders in both forms."""
    answer, said = ODD[name]
    reply = check("cart-impurity", answer)
    assert not reply.passed and said in " ".join(str(reply).split())
    assert "scaled_impurity(" in str(reply) and "expected" in dict(reply.rows)
    assert len(str(reply)) < 2000 and len(reply._repr_html_()) < 8000


@pytest.mark.parametrize("answer", [None, ..., NotImplemented])
def test_nothing_is_no_answer(answer):
    assert all(check(entry.id, answer).verdict == "NOT ANSWERED YET" for entry in EXERCISES)


@pytest.mark.parametrize(
    ("id", "answer", "said"),
    [
        ("cart-impurity", 0.5, "without calling it"),
        ("cart-impurity", "scaled_impurity", "not text"),
        ("cart-threshold", impurity, "not a function"),
        ("cart-threshold", (5.5,), "2 values"),
        ("cart-categories", lambda counts: [0], "no order of the categories"),
        ("cart-categories", lambda counts: [0.0, 1.0], "whole number"),
        ("cart-best-split", lambda x, y: (1, 2, 3), "not 3"),
    ],
)
def test_an_answer_of_the_wrong_form(id, answer, said):
    reply = check(id, answer)
    assert reply.verdict == "FAIL" and said in " ".join(str(reply).split())


def test_each_call_has_its_own_copy():
    """An answer that empties its input harms itself only, and not the reference, the cases or the reply."""

    def greedy(counts):
        a, b = (sum(pair[i] for pair in counts) for i in (0, 1))
        counts.clear()
        return Fraction(b, a + b) if a + b else None

    assert check("cart-pooled", greedy).passed and check("cart-pooled", greedy).passed
    assert check("cart-pooled", lambda counts: counts.clear() or 7).counterexample == ([(0, 0)],)


def test_printing_is_part_of_the_reply_and_goes_nowhere_else(capsys):
    """What the answer printed for the input in question is shown; print is not broken afterwards."""

    def loud(a, b):
        print("looking at", a, b)
        print("x" * 5000, file=sys.stderr)
        return a + b

    reply = check("cart-impurity", loud)
    assert "looking at 1 0" in dict(reply.rows)["printed"] and len(str(reply)) < 2000
    assert capsys.readouterr() == ("", "")
    print("still here")
    assert capsys.readouterr().out == "still here\n"


def test_warnings_of_an_answer_do_not_matter():
    """Whatever the caller's filters (here: errors), NumPy's warnings do not decide."""

    def noisy(a, b):
        value = np.float64(a) * b / np.float64(a + b)
        return 0 if np.isnan(value) else value

    assert check("cart-impurity", noisy).passed


# --- What is said of one wrong answer and would be false of another of the same kind ---

TAILORED = {
    "audit-stop": [(5, "One run"), (1, "1 runs")],
    "audit-delta": [
        ((0.5, 1), "impossible on D"),
        ((0, 0.11), "probability 1/5"),
        ((Fraction(9, 10), 1), "exactly what"),
        ((Fraction(3, 10), Fraction(1, 10)), "exactly what"),
    ],
    "bounds-entropy": [(5000, "One row more"), (10, "below 8"), (8104, "rounding")],
    "bounds-near-one": [
        (([[0, 0]], [[0, 1]]), "divides it from the others"),
        (([[50, 1]], [[50, 2]]), "That is the right"),
    ],
    "bounds-refute": [
        (([[5, 0], [0, 5]], [[6, 0], [0, 5]]), "the same borders are admitted before and after, and then")
    ],
    "tree-empty": [(([], [(0, 0)], [(0, 0), *[(None, None)] * 3]), "18 times")],
    "acc-columns": [(([], [(0, 0)], [3, None, None, None]), "The ratio is 2, just")],
    "privacy-break-threshold": [((3, 4, [0, 1]), "exactly 2")],
    "poisoning-loose": [(Fraction(1, 4), "At one half")],
    "experiments-moved": [(100, "One record fewer"), (5, "Only the count of class 1 moves, and")],
}


@pytest.mark.parametrize(("id", "answer", "false"), [(id, *case) for id, cases in TAILORED.items() for case in cases])
def test_what_is_said_of_a_kind_of_wrong_answers_is_true_of_each(id, answer, false):
    """Where one right answer of many is asked for, wrong ones are told apart by what they are, not by their value."""
    reply = check(id, answer)
    assert reply.verdict == "FAIL" and false not in " ".join(str(reply).split())


def test_how_near_an_answer_is_to_one_right_answer_of_many_says_nothing():
    """A tenth may be written 0.1; and what is judged by itself is not called nearly right."""
    assert check("audit-delta", (0, 0.1)).passed
    assert "more than 2·0 + 1/10 = 1/10" in " ".join(str(check("audit-delta", (0, 0.101))).split())
