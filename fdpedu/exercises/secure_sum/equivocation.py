"""An exercise to predict by a function: what is learnt when parties are asked different things."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import product
from typing import Any

from fdpedu.exercises.record import Case, Exercise, Misconception
from fdpedu.exercises.values import integer, sequence


@cache
def rounds() -> Sequence[Case]:
    """All ways in which two to four parties answer for one of two digests, or not at all; fewest parties first."""
    return tuple((list(asked),) for n in range(2, 5) for asked in product(("a", "b", None), repeat=n))


def learnt(digests: Sequence[Any]) -> list[int]:
    """Everybody, if all have answered for one digest; else nobody."""
    together = len(set(digests)) == 1 and digests[0] is not None
    return list(range(len(digests))) if together else []


def _largest_group(digests: Sequence[Any]) -> list[int]:
    found = Counter(digest for digest in digests if digest is not None).most_common(1)
    return [k for k, digest in enumerate(digests) if found and digest == found[0][0]]


def _answering(digests: Sequence[Any]) -> list[int]:
    there = [k for k, digest in enumerate(digests) if digest is not None]
    return there if len({digests[k] for k in there}) == 1 else []


def _alone(digests: Sequence[Any]) -> list[int]:
    counts = Counter(digests)
    single = [k for k, digest in enumerate(digests) if digest is not None and counts[digest] == 1]
    return single if len(single) == 1 else learnt(digests)


EQUIVOCATION = Exercise(
    id="secure-equivocation",
    kind="predict",
    hint="Take a party that has answered for 'a'. With whom does it share a mask for 'a', and who takes that mask off?",
    domain="two to four parties, two digests and silence, all ways; fewest parties first",
    cases=rounds,
    size=lambda digests: len(digests),
    reference=learnt,
    read=sequence(integer),
    explanation=(
        "A party's answer for a digest holds a mask for that digest with each of the others. It cancels only if all of "
        "them answer for the same one.\n"
        "So the aggregator learns the sum over all parties, or nothing: if j has not answered for d, the mask with j "
        "for d is uniform and stands in one answer only."
    ),
    wrong=(
        Misconception(
            "adds up the largest group",
            _largest_group,
            "Those who were asked alike also share masks with those who were not, and these stay in their sum. "
            "Not even a group's sum is learnt.",
        ),
        Misconception(
            "leaves out who is silent",
            _answering,
            "The others share masks with a party that does not answer, and without recovery these stay in their sum.",
        ),
        Misconception(
            "reads the one that was asked alone",
            _alone,
            "That was the attack on masks that are not bound. Here the single answer holds masks for its digest with "
            "all others, and nobody takes them off.",
        ),
        Misconception(
            "always learns the sum",
            lambda digests: list(range(len(digests))),
            "Masks of different digests do not cancel: the sum of all answers is then a uniform residue.",
        ),
    ),
)
