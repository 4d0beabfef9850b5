"""An exercise to break: exact counts where they are large, noisy ones where they are small."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from fdpedu.exercises.counterexample import find_one
from fdpedu.exercises.record import Misconception
from fdpedu.exercises.values import Unreadable, integer, sequence, show

MAX_COUNT, THRESHOLD = 5, 3
Submission = tuple[int, int, tuple[int, ...]]


def noisy_count(n: int) -> list[Fraction]:
    """The distribution of n plus discrete Laplace noise with α = 1/2, clamped to 0, …, 5."""
    tail, inner = Fraction(2, 3), Fraction(1, 3)
    law = [inner * Fraction(1, 2) ** abs(k - n) for k in range(MAX_COUNT + 1)]
    law[0], law[MAX_COUNT] = tail * Fraction(1, 2) ** n, tail * Fraction(1, 2) ** (MAX_COUNT - n)
    return law


def released_count(n: int) -> list[Fraction]:
    """The exact count if it is at least 3, else a noisy one."""
    return [Fraction(k == n) for k in range(MAX_COUNT + 1)] if n >= THRESHOLD else noisy_count(n)


def _read(raw: Any) -> Submission:
    count, other, event = sequence(lambda part: part, 3)(raw)
    n, neighbour = integer(count), integer(other)
    listed = sorted(event, key=repr) if isinstance(event, (set, frozenset)) else event
    outputs = sorted(set(sequence(integer)([listed] if isinstance(listed, int) else listed)))
    if wrong := [value for value in (n, neighbour, *outputs) if not 0 <= value <= MAX_COUNT]:
        raise Unreadable(f"counts and outputs lie between 0 and {MAX_COUNT}, and {show(wrong[0])} does not")
    return n, neighbour, tuple(outputs)


def compare_counts(n: int, neighbour: int, event: tuple[int, ...]) -> tuple[str, str]:
    """What an event shows about two counts, as a word and as a sentence with both probabilities."""
    if abs(n - neighbour) != 1:
        return "no neighbours", f"Counts {n} and {neighbour}: neighbouring counts differ by exactly 1."
    mine, other = (sum((released_count(count)[k] for k in event), Fraction(0)) for count in (n, neighbour))
    said = (
        f"With count {n} the event {{{', '.join(map(str, event))}}} has probability {mine}, with count {neighbour} it "
        f"has {other}, and 2·{other} = {2 * other}."
    )
    if mine > 2 * other:
        return "broken", said
    if other > 2 * mine:
        return "the other way round", said
    return ("exactly twice" if mine and mine == 2 * other else "within"), said


BREAK_THRESHOLD = find_one(
    id="privacy-break-threshold",
    chapter="privacy",
    level="apply",
    kind="break",
    title="Large counts need no noise?",
    task=(
        "A registry says: large groups hide their members, so only small counts need noise. A count from 0 to 5 is "
        "released as it is when it is at least 3. To a smaller one a noise $k$ is added, $\\Pr[k] = "
        "\\frac13\\bigl(\\frac12\\bigr)^{|k|}$, and the sum is then clamped to $0,\\dots,5$. The registry claims "
        "$e^\\varepsilon = 2$. Break it: give `(n, neighbour, event)`, two neighbouring counts and a set of outputs "
        "with $\\Pr[\\text{event} \\mid n] > 2\\,\\Pr[\\text{event} \\mid \\text{neighbour}]$."
    ),
    hint="Below 3 the noise is as claimed, from 3 on there is none. What do two neighbours on either side of 3 give?",
    domain=f"counts and outputs from 0 to {MAX_COUNT}",
    reference=(3, 2, [3]),
    read=_read,
    stub="answer = ...  # (n, neighbour, event)",
    judge=lambda value: compare_counts(*value),
    sought="broken",
    wanted="counts that differ by 1, and an event more than twice as likely under the first",
    praise="So the claim is false.",
    explanation=(
        "Count 3 gives the output 3 with certainty. Count 2 gives it with probability 1/3 · 1/2 = 1/6, and 1 > 2/6.\n"
        "Worse: count 3 never gives 2, count 2 often does. And above the threshold neighbours never give the same "
        "output.\n"
        "A large group does not hide a member from somebody who knows all the others."
    ),
    wrong=(
        Misconception(
            "stays below the threshold",
            (1, 0, [1, 2, 3, 4, 5]),
            "The ratio is exactly 2: the noise does what is claimed, with nothing to spare. ε-DP allows equality. Let "
            "one of the counts be exact.",
        ),
        Misconception(
            "takes counts far apart",
            (5, 0, [5]),
            "These counts differ by more than one patient. The claim is about neighbours only; far counts may be told "
            "apart.",
        ),
        Misconception(
            "has it the other way round",
            (2, 3, [3]),
            "The pair and the event are good, but the first count must be the one under which the event is likely. "
            "Exchange the two.",
        ),
        Misconception(
            "takes an event that says nothing",
            (3, 2, [0, 1, 2, 3, 4, 5]),
            "This event is not more than twice as likely under the first count. An event that always happens, or "
            "never, tells nothing: take outputs that the first count has often, and the second one hardly.",
        ),
    ),
)
