"""How many forged rows a target stands, and how often a backdoor opens after so many."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from types import ModuleType
from typing import Any

from fdpedu.claims.checking import require
from fdpedu.claims.mutation import Broken
from fdpedu.claims.poisoning.attacks import ADD_REMOVE, FORGER, MEAN, drawn, path, within
from fdpedu.claims.records import Check, Claim
from fdpedu.exact import exp_enclosure
from fdpedu.robust import attack_success_bound, certified_rows

CLOSE = Fraction(1, 2**60)


def both_directions(level: Fraction, epsilon: Fraction, target: Fraction) -> None:
    """So many rows leave the target, and one more does not; above one half that is e^{xε}·(1−A) ≤ 1−t."""
    x = certified_rows(level, epsilon, target)
    *_, left, less = path(level, epsilon, x + 1)
    require(x >= 0 and left.lower >= target, f"{x} rows are certified for {target}, and leave {left}")
    require(less.upper < target, f"{x} rows are certified for {target}, and one more leaves {less}")
    grown, more = (exp_enclosure(k * epsilon, 60) * (1 - level) for k in (x, x + 1))
    if 2 * target >= 1:
        require(grown.lower <= 1 - target, f"after {x} rows the error is {grown}, allowed is {1 - target}")
    require(more.upper > 1 - target or 2 * target < 1, f"after one row more the error is {more}")


def below_one_half(level: Fraction, epsilon: Fraction, target: Fraction) -> None:
    """For these targets more rows are certified than the logarithm says: its error is too large at so many rows."""
    x = certified_rows(level, epsilon, target)
    require(2 * target < 1, f"{target} is not below one half")
    require(exp_enclosure(x * epsilon, 60).lower * (1 - level) > 1 - target, f"{x} rows are what the logarithm says")


def opens(wanted: int, others: int, epsilon: Fraction, rows: int) -> None:
    """A leaf in which triggered rows end: over all counts within x rows, the largest success is the bound."""
    clean = drawn((wanted, others), epsilon)[0]
    most = max((drawn(_pair(there), epsilon)[0] for there in within((wanted, others), rows)), key=lambda p: p.upper)
    bound = attack_success_bound(clean.upper, epsilon, rows)
    require(bound >= most.lower, f"the bound is {float(bound):.6f}, and {most} is reached")
    require(bound <= most.upper + CLOSE, f"the bound is {float(bound):.6f}, and only {most} is reached")


def _pair(counts: tuple[int, ...]) -> tuple[int, int]:
    return counts[0], counts[1]


def random_targets(draw: ModuleType) -> Any:
    """A level, a cost, and a target that is at most the level."""
    levels = draw.st.fractions(Fraction(1, 20), Fraction(99, 100), max_denominator=100)
    epsilons = draw.st.fractions(Fraction(1, 20), 2, max_denominator=20)
    parts = draw.st.fractions(Fraction(1, 10), 1, max_denominator=30)
    return draw.tuples(levels, epsilons, parts).map(lambda drawn: (drawn[0], drawn[1], drawn[0] * drawn[2]))


HIGH = tuple((Fraction(a), Fraction(e), Fraction(t)) for a, e, t in (("9/10", "1/10", "1/4"), ("3/4", "1/20", "1/5")))

CLAIMS = (
    Claim(
        "lem-certified-rows",
        status="proved+checked",
        code=("fdpedu.robust.curve.certified_rows",),
        checks=(
            Check(
                "both directions",
                "property",
                "{size} random levels, ε and targets above and below one half: so many rows leave it, one more not",
                both_directions,
                random_targets,
                40,
                5000,
            ),
            Check(
                "below one half",
                "exact",
                "two targets below one half: more rows than the logarithm says",
                below_one_half,
                lambda _: HIGH,
            ),
        ),
        assumptions=(ADD_REMOVE, FORGER, MEAN),
        uses=("thm-poisoning-curve",),
    ),
    Claim(
        "cor-attack-success",
        status="proved+checked",
        code=("fdpedu.robust.curve.attack_success_bound",),
        checks=(
            Check(
                "forged leaf",
                "exhaustive",
                "all leaves of up to {size} rows of two classes, ε = 1/3 and 2, up to three rows added or removed",
                opens,
                lambda most: product(range(most + 1), range(most + 1), (Fraction(1, 3), Fraction(2)), range(4)),
                4,
                12,
            ),
        ),
        assumptions=(ADD_REMOVE, FORGER, MEAN, "the trigger and the rows it is written into are fixed beforehand"),
        uses=("thm-poisoning-curve",),
    ),
)

TWINS = (
    Broken(
        "the logarithm below one half, too",
        "fdpedu.robust.curve.certified_rows",
        "if 2 * least >= 1:",
        "if 2 * least >= 0:",
        "The error grows by e^ε with each row, however large it is already.",
        "lem-certified-rows",
        "both directions",
    ),
    Broken(
        "certified rows rounded up",
        "fdpedu.robust.curve._whole_quotient",
        "math.floor(log.lower / epsilon), math.floor(log.upper / epsilon)",
        "math.ceil(log.lower / epsilon), math.ceil(log.upper / epsilon)",
        "There are no parts of rows, so the next whole number is meant.",
        "lem-certified-rows",
        "both directions",
    ),
    Broken(
        "no success without forged rows",
        "fdpedu.robust.curve.attack_success_bound",
        'poisoning_curve(1 - as_share(clean_rate, "clean_rate"),',
        'poisoning_curve(1 - 0 * as_share(clean_rate, "clean_rate"),',
        "A model that never saw the trigger cannot fall for it.",
        "cor-attack-success",
        "forged leaf",
    ),
)
