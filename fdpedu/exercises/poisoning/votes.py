"""An exercise to implement: how many forged rows a vote stands."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import product

from fdpedu.exercises.record import Case, Exercise, Misconception
from fdpedu.exercises.values import integer


@cache
def ballots() -> Sequence[Case]:
    """All votes of two or three classes with up to six trees; the fewest first."""
    found = [(list(votes),) for n in (2, 3) for votes in product(range(7), repeat=n) if 0 < sum(votes) <= 6]
    return tuple(sorted(found, key=lambda case: sum(case[0])))


def stands(votes: Sequence[int]) -> int:
    """The least over the other classes j of ⌊(v_c − v_j − [j < c])/2⌋."""
    winner = votes.index(max(votes)) if isinstance(votes, list) else list(votes).index(max(votes))
    return min((votes[winner] - v - (j < winner)) // 2 for j, v in enumerate(votes) if j != winner)


def _second(votes: Sequence[int]) -> int:
    return sorted(votes)[-1] - sorted(votes)[-2]


VOTES = Exercise(
    id="poisoning-votes",
    kind="implement",
    hint="How many votes can one row change? By how much does one changed vote move the winner towards another class? "
    "Who wins if they are equal?",
    domain="all votes of two or three classes with up to six trees; the fewest first",
    cases=ballots,
    size=lambda votes: sum(votes),
    reference=stands,
    read=integer,
    explanation=(
        "A row is in one part, so it changes one vote: the winner has one less, and another class one more. So x rows "
        "bring a lead of v down to v − 2x. A class that stands before the winner would win a tie, and so the lead over "
        "it has to stay above 0."
    ),
    wrong=(
        Misconception(
            "lets a row close a gap of one",
            _second,
            "A vote that changes sides counts twice: the winner has one less, and the other class one more.",
        ),
        Misconception(
            "ignores who wins a tie",
            lambda votes: _second(votes) // 2,
            "If the classes become equal, the first one wins. So against a class that stands before the winner, the "
            "lead has to stay above 0.",
        ),
        Misconception(
            "breaks every tie against the winner",
            lambda votes: max(0, (_second(votes) - 1) // 2),
            "A tie with a class that stands after the winner does no harm: the winner stands first.",
        ),
    ),
)
