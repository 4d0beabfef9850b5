"""An exercise to break: two lists of survivors, both signed by enough parties."""

from __future__ import annotations

from typing import Any

from fdpedu.exercises.counterexample import find_one
from fdpedu.exercises.record import Misconception
from fdpedu.exercises.values import Unreadable, integer, sequence

N_PARTIES, THRESHOLD, COLLUDER = 5, 3, 4
Signers = tuple[int, ...]


def _signers(raw: Any) -> Signers:
    listed = sorted(raw, key=repr) if isinstance(raw, (set, frozenset)) else raw
    found = tuple(sorted(set(sequence(integer)(listed))))
    if not set(found) <= set(range(N_PARTIES)):
        raise Unreadable(f"parties are numbered from 0 to {N_PARTIES - 1}")
    return found


def compare_signers(one: Signers, other: Signers) -> tuple[str, str]:
    """What two sets of signers are, as a word and as a sentence."""
    twice = sorted((set(one) & set(other)) - {COLLUDER})
    if twice:
        return "an honest party signs twice", f"Party {twice[0]} is honest and would have to sign both lists."
    if min(len(one), len(other)) < THRESHOLD:
        counts = f"The lists have {len(one)} and {len(other)} signatures"
        why = "too few" if len(set(one) | set(other)) == N_PARTIES else "left out"
        return why, f"{counts}, and {THRESHOLD} are needed."
    return "both signed", f"Both lists have {THRESHOLD} signatures, and no honest party has signed twice."


TWO_LISTS = find_one(
    id="secure-two-lists",
    chapter="secure_sum",
    level="extend",
    kind="break",
    title="Two lists, both signed",
    task=(
        "Parties 0 to 4 have agreed that 3 signatures make a list of survivors valid, and that any 3 shares open a "
        "secret. Party 4 colludes with a lying aggregator; honest parties sign one list. Break this: give the "
        "pair `(one, other)` of parties that sign a first list and a second one, so that both lists are valid."
    ),
    hint="Two lists need 2t signatures in all. Who signs twice?",
    domain="pairs of sets of parties",
    reference=([0, 1, 4], [2, 3, 4]),
    read=lambda raw: tuple(_signers(part) for part in sequence(lambda part: part, 2)(raw)),
    stub="answer = ...  # (one, other), two lists of parties",
    judge=lambda value: compare_signers(*value),
    sought="both signed",
    wanted="two sets of signers, three in each, in which no honest party stands twice",
    praise="So 2t = K + c is not enough: the condition is 2t > K + c.",
    explanation=(
        "The honest parties are divided evenly, two and two, and the colluder signs both: three signatures each.\n"
        "Masks are then taken off for two lists. The difference of the two sums is the number of the one honest party "
        "that stands on one list only, with its own noise share and no other. With t = 4 it is impossible: two lists "
        "need 8 signatures, and there are 6."
    ),
    wrong=(
        Misconception(
            "lets an honest party sign twice",
            ([0, 1, 2], [2, 3, 4]),
            "Honest parties sign one list a round, ever. Only the colluder signs both.",
        ),
        Misconception(
            "lets everybody sign once",
            ([0, 1, 2], [3, 4]),
            "Five signatures are too few for two lists of three. Somebody has to sign both, and one party is "
            "willing to.",
        ),
        Misconception(
            "leaves somebody out",
            ([0, 4], [1, 4]),
            "There are honest parties left who have signed nothing yet. Divide all of them.",
        ),
    ),
)
