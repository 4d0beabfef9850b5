"""An exercise to break: fields that are joined by a sign before they are hashed."""

from __future__ import annotations

from typing import Any

from fdpedu.exercises.counterexample import find_one
from fdpedu.exercises.record import Misconception
from fdpedu.exercises.values import Unreadable, kind, sequence

SEPARATOR = "|"
Request = tuple[str, ...]


def glued(request: Request) -> str:
    """The fields as one text, with the sign between them."""
    return SEPARATOR.join(request)


def _request(raw: Any) -> Request:
    fields = tuple(sequence(lambda part: part)(raw))
    if wrong := [field for field in fields if not isinstance(field, str)]:
        raise Unreadable(f"a field is a text, not {kind(wrong[0])}")
    if len(fields) != 2 or any(not field or len(field) > 80 for field in fields):
        raise Unreadable("a request has two fields, of 1 to 80 characters each")
    return fields


def compare_requests(one: Request, other: Request) -> tuple[str, str]:
    """Whether two requests get one digest, as a word and as a sentence."""
    said = f"They are hashed as {glued(one)!r} and {glued(other)!r}."
    if one == other:
        return "the same request", said
    if glued(one) == glued(other):
        return "broken", said
    return ("exchanged" if sorted(one) == sorted(other) else "two digests"), said


GLUE = find_one(
    id="secure-glue",
    chapter="secure_sum",
    level="apply",
    kind="break",
    title="One digest, two requests",
    task=(
        "A program binds masks to the hash of the text `region + '|' + epsilon`; the asking side chooses both fields, "
        "which are texts of at least one character. Break this: give two *different* requests `((region, epsilon), "
        "(region, epsilon))` with the same hash."
    ),
    hint="What if the sign '|' stands in a field?",
    domain="pairs of requests with two fields each",
    reference=(("ward|old", "1/10"), ("ward", "old|1/10")),
    read=lambda raw: tuple(_request(part) for part in sequence(lambda part: part, 2)(raw)),
    stub="answer = ...  # ((region, epsilon), (region, epsilon))",
    judge=lambda value: compare_requests(*value),
    sought="broken",
    wanted="two different requests that are hashed as one text",
    explanation=(
        "Both are hashed as 'ward|old|1/10': the text does not say which of the two signs divides the fields.\n"
        "The canonical form writes the length of each part before it, so that the text can be cut in one way "
        "only. Forbidding the sign in fields, or escaping it there, would work as well."
    ),
    wrong=(
        Misconception(
            "gives one request twice",
            (("ward", "1/10"), ("ward", "1/10")),
            "These are the same request, so they should have the same hash. Find two different ones.",
        ),
        Misconception(
            "exchanges the fields",
            (("1/10", "ward"), ("ward", "1/10")),
            "The order counts: these two texts differ, and so do their hashes.",
        ),
        Misconception(
            "writes the number in another way",
            (("ward", "1/10"), ("ward", "0.1")),
            "Two spellings of one number have two hashes. The round then ends although the parties mean the same, but "
            "nothing is learnt. Here two different requests must have one hash.",
        ),
    ),
)
