"""What forged rows can do to the mean of a number between 0 and 1, if the mechanism is ε-DP: exactly a curve."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from types import ModuleType
from typing import Any

from fdpedu.claims.checking import require
from fdpedu.claims.mutation import Broken
from fdpedu.claims.poisoning.attacks import ADD_REMOVE, FORGER, MEAN, drawn, enclosed, iterated, path, within
from fdpedu.claims.records import Check, Claim
from fdpedu.exact import Rate
from fdpedu.mechanisms import permute_and_flip_pmf
from fdpedu.privacy import check_dp
from fdpedu.robust import poisoning_curve
from fdpedu.robust.curve import curve_enclosure, curve_table

CLOSE = Fraction(1, 2**60)
LEVELS = tuple(map(Fraction, ("0", "1/3", "1/2", "2/3", "9/10", "999/1000", "1")))
ALPHAS = tuple(map(Fraction, ("1/2", "2/3", "9/10", "99/100")))


def iterates(level: Fraction, alpha: Fraction, rows: int) -> None:
    """The curve is the iterate of one step, in fractions; also by the closed form, and below α^x/4(1−A).

    The step is the larger one of αp and 1 − (1−p)/α.
    """
    exact, found = iterated(level, alpha, rows), curve_enclosure(level, Rate.of(alpha=alpha), rows)
    require(found.lower <= exact <= found.upper, f"the curve is {found}, the iterate {float(exact)}")
    require(found.upper - found.lower <= CLOSE, f"the curve is known to {float(found.upper - found.lower)} only")
    closed = max(alpha ** (rows - k) * (1 - (1 - level) / alpha**k) for k in range(rows + 1))
    require(closed == exact, f"the closed form is {float(closed)}, the iterate {float(exact)}")
    require(4 * (1 - level) * exact <= alpha**rows, f"{float(exact)} is more than α^x/4(1−A)")


def rounded(level: Fraction, epsilon: Fraction, rows: int, delta: Fraction) -> None:
    """What is returned is never above the iterate, and within 2⁻⁶⁰ of it; with δ as well, and as a table."""
    exact = enclosed(level, epsilon, rows, delta)
    found = poisoning_curve(level, epsilon, rows, delta=delta)
    require(found <= exact.upper, f"{float(found)} is above {exact}")
    require(found >= exact.lower - CLOSE, f"{float(found)} is far below {exact}")
    if not delta:
        table = curve_table(level, epsilon, rows)
        for x, (entry, exact) in enumerate(zip(table, path(level, epsilon, rows), strict=True)):
            found = Fraction(entry, 2**64)
            require(exact.lower - CLOSE <= found <= exact.upper, f"after {x} rows the table has {float(found)}")


def no_chain_below(ratio: int, lattice: int, level: int) -> None:
    """Of all ε-DP chains of probabilities in steps of 1/lattice, e^ε an integer, none falls below the curve.

    And the curve itself is such a chain: its neighbours pass the check of ε-DP.
    """
    reached, alpha, exact = {level}, Fraction(1, ratio), Fraction(level, lattice)
    for rows in range(1, 4):
        reached = {q for q in range(lattice + 1) if any(_neighbours(p, q, lattice, ratio) for p in reached)}
        bound = curve_enclosure(Fraction(level, lattice), Rate.of(alpha=alpha), rows)
        require(min(reached) >= bound.lower * lattice, f"{rows} rows reach {min(reached)}/{lattice}, below {bound}")
        next_one = max(alpha * exact, 1 - (1 - exact) / alpha)
        verdict = check_dp({1: exact, 0: 1 - exact}, {1: next_one, 0: 1 - next_one}, exp_epsilon=ratio)
        require(verdict, f"the step from {exact} to {next_one} {verdict}")
        exact = next_one
        require(bound.lower <= exact <= bound.upper, f"the chain is at {exact}, the curve at {bound}")
        if (exact * lattice).denominator == 1:
            require(min(reached) == exact * lattice, f"{min(reached)}/{lattice} is reached, not {exact}")


def _neighbours(p: int, q: int, lattice: int, ratio: int) -> bool:
    pairs = ((p, q), (q, p), (lattice - p, lattice - q), (lattice - q, lattice - p))
    return all(one <= ratio * other for one, other in pairs)


def a_leaf(gap: int, alpha: Fraction) -> None:
    """The label that permute-and-flip draws goes down the curve, row by row of the other class, whatever the gap is."""
    for rows in range(5):
        before, after = _right(gap, alpha), _right(gap - rows, alpha)
        found = curve_enclosure(before, Rate.of(alpha=alpha), rows)
        require(found.lower <= after <= found.upper, f"{rows} rows leave {after}, the curve says {found}")


def _right(gap: int, alpha: Fraction) -> Fraction:
    law: list[Any] = permute_and_flip_pmf([max(gap, 0), max(-gap, 0)], alpha=alpha)
    return Fraction(law[0])


def forged_leaf(right: int, wrong: int, epsilon: Fraction, rows: int) -> None:
    """Over all class counts within x added or removed rows, the least probability of the right label is the curve's."""
    clean = drawn((right, wrong), epsilon)[0]
    found = [(drawn(there, epsilon)[0], there) for there in _pairs(right, wrong, rows)]
    worst, there = min(found, key=lambda one: one[0].lower)
    bound = poisoning_curve(clean.lower, epsilon, rows)
    require(bound <= worst.upper, f"the bound is {float(bound):.6f}; rows {there} leave {worst}")
    require(bound >= worst.lower - CLOSE, f"the bound is {float(bound):.6f}; no rows leave less than {worst}")


def _pairs(right: int, wrong: int, rows: int) -> Iterator[tuple[int, int]]:
    return ((a, b) for a, b in within((right, wrong), rows))


def averaged(levels: tuple[Fraction, ...], alpha: Fraction, rows: int) -> None:
    """The curve of an average is never above the average of the curves."""
    rate = Rate.of(alpha=alpha)
    whole = curve_enclosure(sum(levels, Fraction(0)) / len(levels), rate, rows)
    mean = sum(curve_enclosure(level, rate, rows).upper for level in levels) / len(levels)
    require(whole.lower <= mean, f"the curve of the average is {whole}, the average of the curves {float(mean)}")


def random_levels(draw: ModuleType) -> Any:
    """A level, a cost, forged rows, and δ."""
    levels, epsilons = draw.st.fractions(0, 1, max_denominator=60), draw.st.fractions(0, 2, max_denominator=12)
    deltas = draw.st.sampled_from([Fraction(0), Fraction(0), Fraction(1, 10**6), Fraction(1, 50)])
    return draw.tuples(levels, epsilons, draw.integers(0, 20), deltas)


def random_averages(draw: ModuleType) -> Any:
    """Some levels, α and forged rows."""
    levels = draw.st.lists(draw.st.fractions(0, 1, max_denominator=20), min_size=2, max_size=5).map(tuple)
    return draw.tuples(levels, draw.alphas, draw.integers(0, 9))


CLAIMS = (
    Claim(
        "thm-poisoning-curve",
        status="proved+checked",
        code=(
            "fdpedu.robust",
            "fdpedu.robust.curve",
            "fdpedu.robust.curve.poisoning_curve",
            "fdpedu.robust.curve.curve_enclosure",
            "fdpedu.robust.curve.curve_table",
        ),
        checks=(
            Check(
                "iterates",
                "exact",
                "seven levels from 0 to 1, four α, up to {size} rows: the curve, and its closed form, are the iterates",
                iterates,
                lambda most: product(LEVELS, ALPHAS, (0, 1, 2, 3, 7, 40, most)),
                200,
                1000,
            ),
            Check(
                "rounded",
                "property",
                "{size} random levels, ε, δ and numbers of rows: what is returned is not too large, and close",
                rounded,
                random_levels,
                40,
                5000,
            ),
            Check(
                "chains",
                "exhaustive",
                "e^ε = 2 and 3, all probabilities in steps of 1/{size}, three rows: all ε-DP chains stay above the "
                "curve, and one of them is the curve",
                no_chain_below,
                lambda lattice: ((ratio, lattice, level) for ratio in (2, 3) for level in range(lattice + 1)),
                24,
                120,
            ),
            Check(
                "a leaf",
                "exact",
                "gaps from −{size} to {size}, four α, up to four rows: the label of permute-and-flip",
                a_leaf,
                lambda most: product(range(-most, most + 1), ALPHAS),
                6,
                30,
            ),
            Check(
                "forged leaf",
                "exhaustive",
                "all leaves of up to {size} rows of two classes, ε = 1/3 and 2, up to three rows added or removed",
                forged_leaf,
                lambda most: product(range(most + 1), range(most + 1), (Fraction(1, 3), Fraction(2)), range(4)),
                4,
                12,
            ),
            Check(
                "averages",
                "property",
                "{size} random lists of levels: the curve of the average against the average of the curves",
                averaged,
                random_averages,
                25,
                2000,
            ),
        ),
        assumptions=(ADD_REMOVE, FORGER, MEAN, "bounds are rounded down"),
        uses=("def-dp", "thm-group-privacy", "lem-leaf-label"),
    ),
)

TWINS = (
    Broken(
        "a change counted once",
        "fdpedu.robust.curve.poisoning_curve",
        'x, allowed = as_integer(rows, "rows", minimum=0), as_share(delta, "delta")',
        'x, allowed = -(-as_integer(rows, "rows", minimum=0) // 2), as_share(delta, "delta")',
        "A row that is added where another one is removed is one changed row, and counts once.",
        "thm-poisoning-curve",
        "forged leaf",
    ),
    Broken(
        "what is left rounded up",
        "fdpedu.robust.curve.poisoning_curve",
        "Fraction(math.floor(found.lower * 2**BITS), 2**BITS)",
        "Fraction(math.ceil(found.lower * 2**BITS), 2**BITS)",
        "So small an error is of no account, to whichever side.",
        "thm-poisoning-curve",
        "rounded",
    ),
    Broken(
        "an average of bounds at estimated probabilities",
        "fdpedu.robust.curve.poisoning_curve",
        "if x == 0:",
        "if x >= 0:",
        "The tree at hand is right on a test row or not, so with probability 1 or 0, which no forged rows change; and "
        "the average of these bounds is its accuracy.",
        "thm-poisoning-curve",
        "rounded",
    ),
    Broken(
        "one factor for every row",
        "fdpedu.robust.curve._pure",
        "(min(rows, k) for k in _steep_steps(log_error, epsilon, digits))",
        "(0, 0)",
        "A mean shrinks by the factor e^ε with each row, and that is all that is known.",
        "thm-poisoning-curve",
        "iterates",
    ),
)
