"""Exercises on choosing one of several candidates: an exponential mechanism to break, and permute-and-flip."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

from fdpedu.exercises.counterexample import find_one
from fdpedu.exercises.record import Case, Exercise, Misconception
from fdpedu.exercises.values import Unreadable, integer, number, sequence

MAX_CANDIDATES, MAX_UTILITY, ASKED = 20, 50, 3
Pair = tuple[list[int], list[int]]


def _read(raw: Any) -> Pair:
    one, other = (sequence(integer)(part) for part in sequence(lambda part: part, 2)(raw))
    if len(one) != len(other) or not 1 <= len(one) <= MAX_CANDIDATES:
        raise Unreadable(f"both lists must have the same length, 1 to {MAX_CANDIDATES}: a utility for each candidate")
    if large := [u for u in (*one, *other) if abs(u) > MAX_UTILITY]:
        raise Unreadable(f"utilities between −{MAX_UTILITY} and {MAX_UTILITY} are enough, and {large[0]} is not")
    return one, other


def chosen_law(utilities: list[int]) -> list[Fraction]:
    """Probabilities proportional to 2^u."""
    weights = [Fraction(2) ** u for u in utilities]
    return [weight / sum(weights) for weight in weights]


def compare_utilities(one: list[int], other: list[int]) -> tuple[str, str]:
    """What two lists of utilities show, as a word and as a sentence."""
    if far := [r for r, (u, v) in enumerate(zip(one, other, strict=True)) if abs(u - v) > 1]:
        r = far[0]
        return "no neighbours", f"Candidate {r} has the utilities {one[r]} and {other[r]}: that is more than 1 apart."
    p, q = chosen_law(one), chosen_law(other)
    r = max(range(len(p)), key=lambda i: max(p[i] / q[i], q[i] / p[i]))
    worst = max(p[r] / q[r], q[r] / p[r])
    said = f"Candidate {r} is chosen with probability {p[r]} and {q[r]}: a ratio of {worst}, and e^ε is 2."
    if worst > ASKED:
        return "broken", said
    if worst > 2:
        return "more than 2", f"{said} More than {ASKED} is asked for."
    moves = {u - v for u, v in zip(other, one, strict=True)}
    if {1, -1} <= moves:
        return "exactly twice", said  # the one that rises and the one that falls cannot both stay below
    return ("one way" if moves != {0} else "equal"), said


MONOTONE = find_one(
    id="mech-monotone",
    chapter="mechanisms",
    level="apply",
    kind="break",
    title="The exponential mechanism without its two",
    task=(
        "A record changes the utility of every candidate by at most $\\Delta = 1$. Somebody leaves out the 2, and "
        "chooses candidate $r$ with probability proportional to $e^{\\varepsilon u_r}$, with $e^\\varepsilon = 2$: "
        "that is, proportional to $2^{u_r}$. They claim $\\varepsilon$-differential privacy, and the text has shown a "
        "pair with a ratio of $\\frac52$, more than 2. How far can it go? Give the pair `(utilities, other)`, two "
        "lists of integers, one for each candidate, that differ by at most 1 in every place, and for which some "
        "candidate is more than *three* times as likely under one of them as under the other.\n\n"
        "**To prove:** there is a ratio that nobody can reach. Which one?"
    ),
    hint="The weight of one candidate changes by the factor 2 at most, and so does the sum of all weights. Which "
    "candidates must make up nearly all of the sum, and how must they move?",
    domain=f"lists of 1 to {MAX_CANDIDATES} integers",
    reference=([0, 5], [1, 4]),
    read=_read,
    stub="answer = ...  # (utilities, other), two lists of integers",
    judge=lambda value: compare_utilities(*value),
    sought="broken",
    wanted="utilities at most 1 apart, and a candidate more than three times as likely under one of them",
    praise=("So the claim is false. Some utilities rise and some fall: where all move in one direction, it is true."),
    explanation=(
        "With utilities (0, 5) the first candidate has probability 1/33; with (1, 4) it has 2/18 = 1/9. That is a "
        "factor of 11/3.\n"
        "Its own weight is doubled, and the sum, which is nearly all the other's, is nearly halved. With a larger gap "
        "the factor comes nearer to 4 = e^(2ε), and never reaches it: this is what the 2 is for.\n"
        "If a record moves all utilities in one direction, the sum moves with them, and e^ε holds without the 2: "
        "counts are such utilities."
    ),
    wrong=(
        Misconception(
            "moves all in one direction",
            ([0, 0], [1, 0]),
            "Here no utility falls where another rises. Then numerator and sum move the same way, and the ratio stays "
            "below 2: this is the monotone case, in which the claim is true.",
        ),
        Misconception(
            "takes the pair of the text",
            ([0, 0], [1, -1]),
            "More than 2, so the claim is false. For more than 3 the sum has to change by nearly the factor 2 as well: "
            "the candidate that you look at must be a small part of it, before and after.",
        ),
        Misconception(
            "takes utilities far apart",
            ([0, 0], [2, -2]),
            "A record changes a utility by at most 1. Larger steps need several records, and cost several ε.",
        ),
        Misconception(
            "reaches exactly e^ε",
            ([0, 1], [1, 0]),
            "The ratio is exactly 2, and ε-DP allows equality. One rises and one falls, that is right: now start "
            "from other utilities.",
        ),
        Misconception(
            "shows the same utilities twice",
            ([1, 2], [1, 2]),
            "These are the same utilities, so the distributions are equal. A neighbour must move something.",
        ),
    ),
)


@cache
def coin_lists() -> Sequence[Case]:
    """All lists of 1 to 4 coins out of 1, 1/2, 1/4, at least one of them 1; fewest first."""
    values = (Fraction(1), Fraction(1, 2), Fraction(1, 4))
    return tuple((list(coins),) for n in range(1, 5) for coins in product(values, repeat=n) if 1 in coins)


def flip_law(coins: Sequence[Any]) -> list[Fraction]:
    """p_r·∫₀¹ Π_{s≠r} (1 − t·p_s) dt: a random order is a random time of arrival for each candidate."""
    law = []
    for r, p in enumerate(coins):
        polynomial = [Fraction(1)]  # the product over s ≠ r, the coefficient of t^k at k
        for s, q in enumerate(coins):
            if s != r:
                polynomial = [a - q * b for a, b in zip([*polynomial, 0], [0, *polynomial], strict=True)]
        law.append(p * sum(c / (k + 1) for k, c in enumerate(polynomial)))
    return law


def _in_order(coins: Sequence[Any], order: Sequence[int]) -> list[Any]:
    law, left = [Fraction(0)] * len(coins), Fraction(1)
    for r in order:
        law[r], left = left * coins[r], left * (1 - coins[r])
    return law


def _alone(coins: Sequence[Any]) -> list[Any]:
    """The probability that r's coin shows heads and no other does."""
    law = []
    for r, p in enumerate(coins):
        for s, q in enumerate(coins):
            p = p * (1 - q) if s != r else p
        law.append(p)
    return law


def _at_half_time(coins: Sequence[Any]) -> list[Any]:
    """As if every candidate arrived at time 1/2."""
    law = []
    for r, p in enumerate(coins):
        for s, q in enumerate(coins):
            p = p * (1 - q / 2) if s != r else p
        law.append(p)
    return law


def _best_first(coins: Sequence[Any]) -> list[Any]:
    return _in_order(coins, sorted(range(len(coins)), key=lambda r: -coins[r]))


def _first_or_best(coins: Sequence[Any]) -> list[Any]:
    """One candidate at random has one coin; on tails the best is taken."""
    law = [p / len(coins) for p in coins]
    best = list(coins).index(max(coins))
    law[best] += 1 - sum(law)
    return law


PERMUTE_FLIP = Exercise(
    id="mech-permute-flip",
    kind="implement",
    hint="Go through all orders (or think of arrival at random times). In one order: who must have shown tails "
    "before r?",
    domain="all lists of 1 to 4 coins out of 1, 1/2, 1/4 with at least one 1; fewest coins first",
    cases=coin_lists,
    size=lambda coins: len(coins),
    reference=flip_law,
    read=sequence(number),
    explanation=(
        "Let every candidate arrive at a time that is uniform on [0, 1]. If r arrives at t, another s has been taken "
        "before with probability t·p_s, so r is chosen with probability p_r·∫ Π_{s≠r}(1 − t·p_s) dt.\n"
        "The product is a polynomial in t, and ∫ t^k dt = 1/(k+1). Averaging over all orders gives the same.\n"
        "One may as well flip all coins at once and choose among the heads at random: the first of the heads in a "
        "random order is a random one of them."
    ),
    wrong=(
        Misconception(
            "makes it the exponential mechanism",
            lambda coins: [p / sum(coins) for p in coins],
            "Proportional to the coins: that is the exponential mechanism. It arises if coins are renewed after each "
            "tails, as the share among those that are left, or if refused candidates may come again. Here each is "
            "asked once, with its own coin.",
        ),
        Misconception(
            "keeps the order of the list",
            lambda coins: _in_order(coins, range(len(coins))),
            "You visit the candidates in the order of the list. The order is random: average over all orders.",
        ),
        Misconception(
            "visits the best first",
            _best_first,
            "The best candidate's coin always shows heads, so if it is visited first nobody else has a chance, and "
            "nothing is private. The order is random.",
        ),
        Misconception(
            "wants all others to show tails",
            _alone,
            "Those that come after r in the order are never asked. Only the coins before r must show tails.",
        ),
        Misconception(
            "averages too early",
            _at_half_time,
            "You put the mean time ½ into each factor. Two others come before r together, or neither does: the mean of "
            "a product is not the product of the means. Integrate the whole product.",
        ),
        Misconception(
            "goes to the best after the first tails",
            _first_or_best,
            "After tails the next one in the order gets its coin, and only in the end it is the best one's turn.",
        ),
        Misconception(
            "does not average",
            lambda coins: [p * len(coins) for p in flip_law(coins)],
            "You add up over the places or orders, and forget to divide by how many there are: the probabilities "
            "exceed 1.",
        ),
    ),
)
