"""An exercise on what the labels of leaves cost: the corollary of Vos et al., mended."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

from fdpedu.exercises.record import Case, Exercise, Misconception
from fdpedu.exercises.values import number

MAX_DEPTH = 3
CONSTANT = Fraction(7, 19)  # near 1/e, from above


@cache
def budgets() -> Sequence[Case]:
    """All (depth, records, loss, constant, monotone), shallow trees first."""
    rest = list(product((100, 1000), (Fraction(1, 100), Fraction(1, 10)), (CONSTANT, Fraction(1, 2)), (False, True)))
    return tuple((depth, *more) for depth in range(MAX_DEPTH + 1) for more in rest)


def leaf_budget(depth: int, records: int, loss: Any, constant: Any, monotone: bool) -> Any:
    """The smallest ε for which 2^depth leaves, each losing constant/ε at most, lose loss·records at most."""
    per_leaf = constant / 2 if monotone else constant
    return Fraction(2**depth) * per_leaf / (records * loss)


def _scaled(factor: Any) -> Any:
    """The right answer times what ``factor`` makes of the arguments."""
    return lambda depth, records, loss, constant, monotone: (
        leaf_budget(depth, records, loss, constant, monotone)
        * Fraction(factor(depth, records, loss, constant, monotone))
    )


LEAF = Exercise(
    id="mech-leaf",
    kind="prove-and-probe",
    hint="How many records may be lost in all, and how many may each leaf lose? What does dropping the 2 do to the "
    "error?",
    domain=f"depths 0 to {MAX_DEPTH}, 100 and 1000 rows, losses 1/100 and 1/10, two constants, both kinds; shallow "
    f"first",
    cases=budgets,
    size=lambda depth, records, loss, constant, monotone: depth,
    reference=leaf_budget,
    read=number,
    explanation=(
        "All leaves together lose at most 2^depth·constant/ε records, and loss·records may be lost: ε ≥ "
        "2^depth·constant/(loss·records). With more rows the same ε loses a smaller share.\n"
        "A record that is added raises one class count and lowers none, so class counts are monotone, and the "
        "exponent needs no 2: the coins of budget ε are those of 2ε before. So half of the budget is enough.\n"
        "A record falls into one leaf of the tree, which is public or paid for already, and changes the distribution "
        "of that leaf's label only. So each of them has all of this ε: it is not divided among them. Vos et al. print "
        "≤ where this is a budget that is enough: from here on upwards."
    ),
    wrong=(
        Misconception(
            "keeps the two",
            _scaled(lambda depth, records, loss, constant, monotone: 2 if monotone else 1),
            "This is the printed corollary. Class counts are monotone, so the 2 in the exponent may go: the coins of "
            "ε are those of 2ε before, and half of the budget does it.",
        ),
        Misconception(
            "doubles for monotone counts",
            _scaled(lambda depth, records, loss, constant, monotone: 4 if monotone else 1),
            "Monotone utilities need less noise for the same ε, so less budget for the same error: divide by 2.",
        ),
        Misconception(
            "drops the two always",
            _scaled(lambda depth, records, loss, constant, monotone: 1 if monotone else Fraction(1, 2)),
            "Only monotone utilities may do without the 2. If `monotone` is False, it stays.",
        ),
        Misconception(
            "looks at one leaf",
            _scaled(lambda depth, records, loss, constant, monotone: Fraction(1, 2**depth)),
            "Every leaf may lose some records, and all of them count. There are 2^depth leaves.",
        ),
        Misconception(
            "divides the budget among the leaves",
            _scaled(lambda depth, records, loss, constant, monotone: 2**depth),
            "A record is in one leaf only and changes one label's distribution, so each leaf has the whole ε. The "
            "2^depth comes in once, because losses add up.",
        ),
        Misconception(
            "counts the nodes",
            _scaled(lambda depth, records, loss, constant, monotone: Fraction(2 ** (depth + 1) - 1, 2**depth)),
            "Only leaves are labelled, and there are 2^depth of them. The inner nodes have budgets of their own.",
        ),
        Misconception(
            "counts records, not a share",
            _scaled(lambda depth, records, loss, constant, monotone: records),
            "`loss` is a share of accuracy: of `records` rows, the fewest that there can be, loss·records may be lost.",
        ),
        Misconception(
            "has it upside down",
            lambda depth, records, loss, constant, monotone: 1 / leaf_budget(depth, records, loss, constant, monotone),
            "More budget, less error: the error is proportional to 1/ε. Solve 2^depth·constant/ε ≤ loss·records for ε.",
        ),
    ),
)
