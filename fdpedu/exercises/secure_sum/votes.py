"""An exercise to break: what a secure sum of votes reveals to a voter."""

from __future__ import annotations

from itertools import product
from typing import Any

from fdpedu.exercises.counterexample import find_one
from fdpedu.exercises.record import Misconception
from fdpedu.exercises.values import Unreadable, integer, sequence, show

MAX_VOTERS = 9
Submission = tuple[tuple[int, ...], int]


def known_votes(votes: tuple[int, ...], curious: int) -> list[int]:
    """Whose votes are the same in all the ways to vote that fit the total and the curious party's own vote."""
    ways = [
        other
        for other in product((0, 1), repeat=len(votes))
        if sum(other) == sum(votes) and other[curious] == votes[curious]
    ]
    return [k for k in range(len(votes)) if k != curious and len({way[k] for way in ways}) == 1]


def _read(raw: Any) -> Submission:
    votes, curious = sequence(lambda part: part, 2)(raw)
    cast, who = tuple(sequence(integer)(votes)), integer(curious)
    if wrong := [vote for vote in cast if vote not in (0, 1)]:
        raise Unreadable(f"a vote is 0 or 1, and {show(wrong[0])} is neither")
    if not 3 <= len(cast) <= MAX_VOTERS or not 0 <= who < len(cast):
        raise Unreadable(f"there are 3 to {MAX_VOTERS} votes, and the curious party is one of 0, 1, …")
    return cast, who


def compare_votes(votes: tuple[int, ...], curious: int) -> tuple[str, str]:
    """What the curious party learns, as a word and as a sentence."""
    known = known_votes(votes, curious)
    said = (
        f"The total is {sum(votes)}, and party {curious} has voted {votes[curious]}: the others have "
        f"{sum(votes) - votes[curious]} of {len(votes) - 1}."
    )
    if len(set(votes)) == 1:
        return "all alike", said
    if len(known) == len(votes) - 1:
        return "broken", f"{said} So all their votes are known, and not all votes are alike."
    return "hidden", f"{said} More than one way to vote fits that."


VOTES = find_one(
    id="secure-votes",
    chapter="secure_sum",
    level="apply",
    kind="break",
    title="Votes that are not all alike",
    task=(
        'At least three parties vote 0 or 1, and a secure sum shows all of them the total. "Individual votes may '
        'only be recovered with certainty if they are all similar." Break the sentence: give `(votes, curious)`, a '
        "list of at least three votes that are *not* all alike, and the place of a party that learns every other "
        "vote from the total and its own. Nobody colludes."
    ),
    hint="The curious party subtracts its own vote. For which totals of the others is there only one way to vote?",
    domain=f"three to {MAX_VOTERS} votes",
    reference=([1, 0, 0], 0),
    read=_read,
    stub="answer = ...  # (votes, curious)",
    judge=lambda value: compare_votes(*value),
    sought="broken",
    wanted="votes that are not all alike, and a party that knows all others after the sum",
    explanation=(
        "Party 0 has voted 1, and the total is 1: all others have voted 0. The votes are not all alike.\n"
        "If the others' total is 0, or as large as their number, their votes are known. Only noise hides them."
    ),
    wrong=(
        Misconception(
            "takes votes that are all alike",
            ([1, 1, 1], 0),
            "Here all votes are alike, and the sentence itself says that such votes are known. Change one of them.",
        ),
        Misconception(
            "takes a total that leaves a choice",
            ([1, 1, 0], 0),
            "The curious party subtracts its own vote, and what is left can have come about in more than one way. "
            "Choose the others all alike, and only the curious one different.",
        ),
    ),
)
