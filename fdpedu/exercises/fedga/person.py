"""An exercise to implement: a person's row, from accuracies with and without the person."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product

from fdpedu.exercises.record import Case, Exercise, Misconception
from fdpedu.exercises.values import integer, sequence

Scores = list[Fraction]


def accuracies(rows: Sequence[tuple[int, ...]]) -> Scores:
    """Of the tree that says 0 everywhere, and of those that say x₀, x₁, …"""
    n_features = len(rows[0]) - 1
    right = [sum(row[-1] == 0 for row in rows)]
    right += [sum(row[feature] == row[-1] for row in rows) for feature in range(n_features)]
    return [Fraction(n, len(rows)) for n in right]


@cache
def comparisons() -> Sequence[Case]:
    """Up to three rows of one bit and of two, and a person of each kind; few rows first."""
    found = set()
    for n, p in product((1, 2, 3), (1, 2)):
        kinds = tuple(product((0, 1), repeat=p + 1))
        for rows, person in product(combinations_with_replacement(kinds, n), kinds):
            found.add((n, tuple(accuracies(rows)), tuple(accuracies([*rows, person]))))
    ordered = sorted(found, key=lambda case: (case[0], len(case[1]), case))
    return tuple((n, list(before), list(after)) for n, before, after in ordered)


def person(n_rows: int, before: Scores, after: Scores) -> list[int]:
    """From accuracies to counts: how many of the trees' answers are right of the person alone, 0 or 1 each?"""
    right = [round((n_rows + 1) * new - n_rows * old) for old, new in zip(before, after, strict=True)]
    label = 1 - right[0]
    return [label if is_right else 1 - label for is_right in right[1:]] + [label]


def _row(right: list[int]) -> list[int]:
    label = 1 - right[0]
    return [*(label if is_right else 1 - label for is_right in right[1:]), label]


def _risen(n_rows: int, before: Scores, after: Scores) -> list[int]:
    return _row([int(new > old) for old, new in zip(before, after, strict=True)])


def _same_size(n_rows: int, before: Scores, after: Scores) -> list[int]:
    return _row([round(n_rows * (new - old)) for old, new in zip(before, after, strict=True)])


def _errors(n_rows: int, before: Scores, after: Scores) -> list[int]:
    return [1 - value for value in person(n_rows, before, after)]


def _answers_as_features(n_rows: int, before: Scores, after: Scores) -> list[int]:
    label = person(n_rows, before, after)[-1]
    right = [round((n_rows + 1) * new - n_rows * old) for old, new in zip(before, after, strict=True)]
    return [*right[1:], label]


def _like_most(n_rows: int, before: Scores, after: Scores) -> list[int]:
    label = int(before[0] < Fraction(1, 2))
    return [*(label if old >= Fraction(1, 2) else 1 - label for old in before[1:]), label]


PERSON = Exercise(
    id="fedga-person",
    kind="implement",
    hint="An accuracy is a count, divided by the number of rows. How many answers of a tree are right before, and how "
    "many after?",
    domain="up to three rows of one bit and of two, and a person of each kind; few rows first",
    cases=comparisons,
    size=lambda n_rows, before, after: n_rows,
    reference=person,
    read=sequence(integer),
    explanation=(
        "An accuracy times the number of rows is how many answers are right. The difference of both counts is 1 if the "
        "tree is right of the new person, else 0. The first tree says 0, so it gives the label; a tree that says a bit "
        "is right if this bit is the label, so it gives the bit.\n"
        "Two scores for each tree were enough, and nobody asked for a row. A search that scores its trees again "
        "whenever a party has new rows sends such pairs all the time."
    ),
    wrong=(
        Misconception(
            "looks whether an accuracy rises",
            _risen,
            "A tree without errors that is right again keeps its accuracy 1. Compare numbers of right answers.",
        ),
        Misconception(
            "counts with the same number of rows twice",
            _same_size,
            "After the person there is one row more. Multiply each accuracy by its own number of rows.",
        ),
        Misconception(
            "takes right answers for errors",
            _errors,
            "Accuracy counts what is right. If the first tree, which says 0, is right of the person, the label is 0.",
        ),
        Misconception(
            "takes the answers for the bits",
            _answers_as_features,
            "A tree that says bit 0 is right if the bit is the same as the label. With label 0 a right answer is a "
            "bit 0.",
        ),
        Misconception(
            "guesses what most rows are",
            _like_most,
            "This says what the other rows are like. The difference between both lists says what this person is.",
        ),
    ),
)
