"""An exercise to break: a ledger that counts in floats."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from fdpedu.exact import as_fraction, shown
from fdpedu.exercises.counterexample import find_one
from fdpedu.exercises.record import Misconception
from fdpedu.exercises.values import Unreadable, sequence

MAX_COSTS = 1000
Submission = tuple[Fraction, list[Fraction]]


def float_ledger(budget: float, costs: Sequence[float]) -> bool:
    """Does a ledger that counts in floats accept all these charges, one after the other?"""
    spent = 0.0
    for cost in costs:
        if spent + cost > budget:
            return False
        spent += cost
    return True


def _read(raw: Any) -> Submission:
    budget, listed = sequence(lambda part: part, 2)(raw)
    costs = sequence(lambda part: part)(listed)
    if not 1 <= len(costs) <= MAX_COSTS:
        raise Unreadable(f"from 1 to {MAX_COSTS} costs were expected, not {len(costs)}")
    try:
        exact = [as_fraction(value, "a number") for value in (budget, *costs)]
        [float(value) for value in exact]
    except (ValueError, OverflowError) as problem:
        raise Unreadable(str(problem)) from None
    if any(value <= 0 for value in exact):
        raise Unreadable("budget and costs must be greater than 0")
    return exact[0], exact[1:]


def compare(budget: Fraction, costs: Sequence[Fraction]) -> tuple[str, str]:
    """What the two ways of counting say, as a word and as a sentence."""
    exact, accepts = sum(costs, Fraction(0)), float_ledger(float(budget), [float(cost) for cost in costs])
    over = exact - budget
    said = f"The float ledger {'accepts' if accepts else 'refuses'} them; "
    said += f"exactly they cost {'more' if over > 0 else 'less'} than the budget by {shown(abs(over))}."
    if not over:
        said = f"The float ledger {'accepts' if accepts else 'refuses'} them; exactly they cost just the budget."
    if over > 0:
        return ("passes" if accepts else "too much"), said
    return ("fits" if accepts else "refused for nothing"), said


FLOATS = find_one(
    id="acc-float",
    chapter="accounting",
    level="apply",
    kind="break",
    title="A ledger that rounds",
    task=(
        "A ledger counts in floats: it starts with `spent = 0.0`, refuses a charge if `spent + cost > budget`, and "
        "else adds it. Find a budget and costs that it accepts, all of them, although their exact sum is more than "
        "the budget. Give the `answer` as `(budget, [cost, …])`; write numbers as text such as `'0.1'` or `'1/3'`, or "
        "as floats, which are read as the decimals they print as."
    ),
    hint="How large is the gap between 1.0 and the next float? What happens when less than half of it is added to 1.0?",
    domain=f"one to {MAX_COSTS} costs",
    reference=("1", ["1", "1e-17"]),
    read=_read,
    stub="answer = ...  # (budget, [cost, …])",
    judge=lambda value: compare(*value),
    sought="passes",
    wanted="costs that floats add up to no more than the budget, and fractions to more",
    praise="So the guarantee that it prints is false.",
    explanation=(
        "1.0 + 1e-17 is 1.0 in floats: the cost is less than half the gap to the next float, which is 2.2e-16.\n"
        "Ten times 0.1 are 0.9999999999999999 in floats, so 1e-16 more fits. Each step loses little, "
        "but a bound that is almost true is not a bound; and a refused budget of 0.1 + 0.2 in 0.3 is a bug as well.\n"
        "The ledger of this book counts in fractions."
    ),
    wrong=(
        Misconception(
            "shows the opposite error",
            ("0.3", ["0.1", "0.2"]),
            "0.1 + 0.2 is 0.30000000000000004 in floats: it refuses what fits. That is a nuisance, and breaks no "
            "guarantee. Find costs that are rounded down.",
        ),
        Misconception(
            "stays within the budget",
            ("1", ["0.1"] * 10),
            "Exactly these costs fit the budget, so it is right to accept them. Floats leave a little slack here: what "
            "more would slip in?",
        ),
        Misconception(
            "is refused by floats too",
            ("1", ["0.6", "0.6"]),
            "That is too much in floats as well. The excess must be lost in rounding: it has to be tiny.",
        ),
        Misconception(
            "has negative costs",
            ("1", ["2", "-1"]),
            "A release cannot give budget back: costs are greater than 0.",
        ),
    ),
)
