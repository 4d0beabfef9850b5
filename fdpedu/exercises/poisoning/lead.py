"""An exercise to implement: which lead a certificate may count on."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import product

from fdpedu.exercises.record import Case, Exercise, Misconception
from fdpedu.exercises.values import integer


@cache
def leaves() -> Sequence[Case]:
    """Released counts, test rows, a reach and forged rows; the smallest first."""
    found = product(((0, 3), (5, 1), (4, 4)), ((2, 5), (6, 1)), (0, 2, 3), (0, 1, 4))
    return tuple(sorted(found, key=lambda case: case[3] + case[2]))


def lead(released: Sequence[int], tests: Sequence[int], reach: int, rows: int) -> int:
    """The released lead of the class that more test rows have, less what noise and forger may have taken."""
    better = 0 if tests[0] > tests[1] else 1
    return released[better] - released[1 - better] - reach - rows


LEAD = Exercise(
    id="poisoning-lead",
    kind="implement",
    hint="Whose lead matters: that of the class that won the noisy count, or that of the class by which more test "
    "rows are right? And in which direction is the noise dangerous?",
    domain="three released pairs, two pairs of test rows, three reaches, 0 to 4 forged rows; the smallest first",
    cases=leaves,
    size=lambda released, tests, reach, rows: reach + rows,
    reference=lead,
    read=integer,
    explanation=(
        "The class by which more test rows are right is known without looking at the counts. Its released lead may be "
        "too large by the reach of the noise, and each forged row takes one more. Of both directions of the noise only "
        "one is dangerous, so the reach is that of one side. It has to hold for all leaves at once, because the forger "
        "chooses the leaf that looks firmer than it is."
    ),
    wrong=(
        Misconception(
            "takes the released lead for the true one",
            lambda released, tests, reach, rows: lead(released, tests, 0, rows),
            "What was released is the true lead plus noise. It may be too large by the reach.",
        ),
        Misconception(
            "looks at the class that won the count",
            lambda released, tests, reach, rows: abs(released[0] - released[1]) - reach - rows,
            "A leaf whose noisy counts favour the wrong class loses test rows already. The lead of the class of more "
            "test rows is what keeps them right; it may be negative.",
        ),
        Misconception(
            "takes the end that is better",
            lambda released, tests, reach, rows: lead(released, tests, -reach, rows),
            "The noise may have made the lead look larger or smaller than it is. A promise takes the worse end.",
        ),
        Misconception(
            "lets a forged row move both counts",
            lambda released, tests, reach, rows: lead(released, tests, reach, 2 * rows),
            "A row that is added or removed changes one of the two counts, so the lead by 1. By 2 it moves if a row "
            "is changed, which counts as two rows.",
        ),
    ),
)
