"""Slips that have nothing to do with the subject are named: print for return, exchanged or missing arguments."""

from itertools import combinations

import pytest

from fdpedu.exercises.catalogue import find
from fdpedu.exercises.trial import exchanged
from tests.support.exercises import EXERCISES, check, impurity


def said(reply):
    return " ".join(str(reply).split())


def test_print_for_return_is_named():
    """What was printed is shown, and the reply says what to write; without a print it does not speak of one."""
    reply = check("cart-impurity", lambda a, b: print("it is", impurity(a, b)))
    assert reply.verdict == "NOT ANSWERED YET" and "it is 0" in said(reply) and "use `return`" in said(reply)
    assert "print" not in said(check("cart-impurity", lambda a, b: None))


def test_exchanged_arguments_are_named():
    """If an answer is right once two arguments change places, the reply names these two."""
    right = find("mech-interval").reference
    reply = check("mech-interval", lambda alpha, miss: right(miss, alpha))
    assert reply.misconception == "exchanges two arguments"
    assert "right if alpha and miss changed places" in said(reply) and "half_width(alpha, miss)" in said(reply)
    other = check("mech-interval", lambda alpha, miss: right(miss, alpha) + 1)
    assert other.verdict == "FAIL" and other.misconception != "exchanges two arguments"


def test_one_of_many_arguments_is_found():
    """The pair that is named is the one that was exchanged; where the exchange changes nothing, the answer is right."""
    names, right, named = ("depth", "records", "loss", "constant", "monotone"), find("mech-leaf").reference, 0
    for i, j in combinations(range(5), 2):

        def slips(depth, records, loss, constant, monotone, i=i, j=j):
            order = [depth, records, loss, constant, monotone]
            order[i], order[j] = order[j], order[i]
            return right(*order)

        reply = check("mech-leaf", slips)
        assert reply.passed == ({i, j} == {1, 2})  # only the product of records and loss matters
        if reply.misconception == "exchanges two arguments":
            assert f"if {names[i]} and {names[j]} changed places" in said(reply)
            named += 1
    assert named >= 3


def test_a_wrong_signature_is_named():
    reply = check("mech-interval", lambda alpha: 0)
    assert "does it take these arguments?" in said(reply)


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda exercise: exercise.id)
def test_known_misconceptions_come_first(exercise):
    """A wrong answer of the record is called by its own name, not by that of a slip."""
    assert "exchanges two arguments" not in {wrong.name for wrong in exercise.wrong}
    assert all(len(slip.hint) > 20 for slip in exchanged(exercise))
    assert bool(list(exchanged(exercise))) == (exercise.asks_for_function and exercise.call.count(",") > 0)
