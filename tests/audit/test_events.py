"""Events: of each output the guess that it makes, and what they are called."""

import math

import numpy as np
import pytest

from fdpedu.audit import Raised, vectorised
from fdpedu.audit.events import Given, Learnt, Remembered, Sum, Table
from fdpedu.audit.outputs import Outputs

NUMBER = Sum("the output", "'number'", (0,), (1.0,))
PAIR = Sum("a linear score", "('list', 'number', 'number')", (0, 1), (2.0, -1.0))
WORD = Table("the output", "whole", 0, {"'a'": 2.0, "'b'": 0.0, "'c'": -3.0})


def test_a_given_event_guesses_by_its_predicates():
    """D′ in the first set, D in the second, nothing elsewhere; one set alone is one direction."""
    outputs = Outputs([0, 1, 2, Raised("KeyError")])
    two = Given(lambda x: x == 2, lambda x: x == 0)
    assert two.guesses(outputs).tolist() == [-1, 0, 1, 0] and two.directions == 2
    one = Given(lambda x: x == Raised("KeyError"))
    assert one.guesses(outputs).tolist() == [0, 0, 0, 1] and one.directions == 1
    assert one.guesses(outputs).dtype == np.int8


def test_a_predicate_is_called_as_it_says_of_itself():
    def high(x):
        """The output is high.

        And more."""
        return x > 1

    def low(x):
        return x < 1

    assert Given(high, low).words == "The output is high: D′; low: D"
    assert Given(lambda x: x > 1).words == "the given event: D′"
    assert Given(type("Silent", (), {"__call__": lambda self, x: True})()).words == "Silent: D′"


def test_a_vectorised_predicate_sees_all_outputs_at_once():
    seen = []

    @vectorised
    def high(outputs):
        seen.append(outputs)
        return outputs > 1

    assert Given(high).guesses(Outputs(np.arange(4))).tolist() == [0, 0, 1, 1] and len(seen) == 1


def test_a_sum_weighs_its_parts():
    """And says nothing of outputs of another kind, or of what is not a number."""
    assert PAIR.of(Outputs([[3, 1], [0, 5], 7, [1, "x"], [math.nan, 1]])).tolist()[:2] == [5.0, -5.0]
    assert np.isnan(PAIR.of(Outputs([7, [1, "x"], [math.nan, 1], [math.inf, math.inf]]))).all()
    assert NUMBER.of(Outputs([3, -math.inf])).tolist() == [3.0, -math.inf]
    assert Sum("x", "'number'", (0,), (-2.0,)).of(Outputs([3])).tolist() == [-6.0]


def test_a_table_knows_what_it_has_seen():
    """Of kinds, of whole outputs, or of a part of one kind of outputs."""
    assert WORD.of(Outputs(["a", "c"])).tolist() == [2.0, -3.0] and np.isnan(WORD.of(Outputs(["z", 1]))).all()
    kinds = Table("the kind", "kind", 0, {"'number'": 1.0})
    assert kinds.of(Outputs([4, 5])).tolist() == [1.0, 1.0] and np.isnan(kinds.of(Outputs(["4"]))[0])
    part = Table("x", "('list', 'str', 'number')", 1, {"3": 4.0})
    assert part.of(Outputs([["z", 3]])).tolist() == [4.0] and np.isnan(part.of(Outputs([["z", 4], 3]))).all()


@pytest.mark.parametrize(
    ("event", "guesses", "words", "sides"),
    [
        (Learnt(NUMBER, 2.0, 0.5), [-1, 0, 1, 0], "the output ≥ 2: D′; the output ≤ 0.5: D", 2),
        (Learnt(NUMBER, 2.0, 0.5, False), [1, 0, -1, 0], "the output ≥ 2: D; the output ≤ 0.5: D′", 2),
        (Learnt(NUMBER, 1.0, None), [0, 1, 1, 0], "the output ≥ 1: D′", 1),
        (Learnt(NUMBER, None, 1.0), [-1, -1, 0, 0], "the output ≤ 1: D", 1),
        (Learnt(NUMBER, None, None), [0, 0, 0, 0], "none", 1),
    ],
)
def test_a_learnt_event_guesses_by_high_and_low_scores(event, guesses, words, sides):
    """The ends belong to it; of what has no score there is no guess."""
    assert event.guesses(Outputs([0, 1, 2, "x"])).tolist() == guesses
    assert (event.words, event.directions) == (words, sides)
    assert Learnt(NUMBER, 0.5, 0.25).guesses(Outputs([0.5, 0.25, 0.3])).tolist() == [1, -1, 0]
    assert event.guesses(Outputs([0])).dtype == np.int8


def test_of_no_outputs_there_are_no_guesses():
    for event in (Given(bool, lambda x: not x), Learnt(NUMBER, 1.0, 0.0), Learnt(WORD, 1.0, None)):
        assert event.guesses(Outputs([])).tolist() == []


def test_a_table_names_its_texts():
    """Four of them, and how many more; a long one is cut."""
    assert Learnt(WORD, 0.0, -3.0).words == "the output is 'a', 'b': D′; the output is 'c': D"
    many = Table("it", "whole", 0, {f"{i}": 1.0 for i in range(7)})
    assert Learnt(many, 1.0, None).words == "it is 0, 1, 2, 3 and 3 more: D′"
    long = Table("it", "whole", 0, {"x" * 49: 1.0, "y" * 50: 1.0})
    assert Learnt(long, 1.0, None).words == f"it is {'x' * 49}, {'y' * 50}…: D′"


def test_an_event_that_is_only_remembered_cannot_be_asked():
    with pytest.raises(ValueError, match="give it to Audit\\.load again"):
        Remembered("high", 2).guesses(Outputs([1]))
