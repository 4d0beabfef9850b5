"""Rows with weights, and other scores of sensitivity 1."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product

from fdpedu.bounds import LossScore, half_gini_score, least_score, local_bound, power_score
from fdpedu.claims.bounds.gap import losses, weights
from fdpedu.claims.bounds.local import ADD_REMOVE, CONVENTION, EXACT, FAMILY, SHAPES, Table, added, small_tables
from fdpedu.claims.checking import require
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.claims.replay import bounds as ends

ERRORS = LossScore(((0, 1), (1, 0)))


def weighted(table: Sequence[Sequence[Fraction]], weight: Fraction) -> None:
    """A row of weight w next to rows of total weight N raises the bound by 0 to w·N/(N+w), for several classes."""
    start, total = least_score(table, half_gini_score), sum(map(sum, table), Fraction(0))
    most = weight * total / (total + weight)
    for code, c in product(range(len(table)), range(len(table[0]))):
        more = [[w + weight * (i == code and j == c) for j, w in enumerate(row)] for i, row in enumerate(table)]
        change = least_score(more, half_gini_score) - start
        require(0 <= change <= most < weight, f"a row of weight {weight} changes it by {change}, at most {most}")


def whole_weights(table: Table) -> None:
    """With weights 1 it is the local bound."""
    found = least_score(table, half_gini_score)
    require(found == local_bound(table), f"with weights 1 it is {found}, the bound {local_bound(table)}")


def loss_score(losses: Sequence[Sequence[Fraction]], table: Sequence[Sequence[int]]) -> None:
    """The score is the least loss of a prediction; a record raises it, and the best border's, by 0 to 1."""
    score = LossScore(tuple(map(tuple, losses)))
    node = [sum(row) for row in zip(*table, strict=True)]
    costs = [sum((loss * n for loss, n in zip(row, node, strict=True)), Fraction(0)) for row in losses]
    require(score(node) == min(costs), f"the predictions cost {costs}, the score is {score(node)}")
    start = least_score(table, score)
    require(start <= score(node), f"the best border leaves {start}, the node has {score(node)}")
    for code, c in product(range(len(table)), range(len(table[0]))):
        change = least_score(added(table, code, c), score) - start
        require(0 <= change <= 1, f"a record of class {c} in bin {code} changes it by {change}")


def power(a: int, b: int, k: Fraction) -> None:
    """n·h_k(b/n): by its formula where k is 1 or 2; at most the errors; one more row raises it by 0 to 1."""
    at, up, right = (power_score(pair, k) for pair in ((a, b), (a + 1, b), (a, b + 1)))
    if k in (1, 2):
        formula = min(a, b) if k == 1 else Fraction(a * b, max(1, a + b))
        require(at == formula, f"n·h is {formula}, not {at}")
    low, high = ends(at)
    require(low <= ERRORS([a, b]), f"n·h is at least {float(low)}, more than the {min(a, b)} errors")
    for label, more in enumerate((up, right)):
        least, most = ends(more)
        require(most >= low and least - high <= 1, f"a row of class {label} moves it from {at!r} to {more!r}")


def power_by_squares(a: int, b: int) -> None:
    """n·h_{3/2} is the x with (n − 3x)²·n = |a − b|³: the enclosure's ends are on its two sides."""
    n, (low, high) = a + b, ends(power_score((a, b), Fraction(3, 2)))
    left, right = (max(Fraction(0), n - 3 * x) ** 2 * n for x in (low, high))
    require(right <= abs(a - b) ** 3 <= left and high - low < Fraction(1, 10**20), f"it is in [{low}, {high}]")


def steep(slope: Fraction) -> None:
    """A prediction that costs a class more than 1 is refused, because a record may then move the score as far.

    So it does for h(q) = s·min(q, 1−q), of slope s at the ends: beside 99 rows of class 0 the first of class 1 adds s.
    """
    first = 100 * slope * min(Fraction(1, 100), Fraction(99, 100))
    require((first > 1) == (slope > 1), f"the first row of class 1 raises n·h by {first}")
    try:
        LossScore(((0, slope), (slope, 0)))
    except ValueError:
        refused = True
    else:
        refused = False
    require(refused == (slope > 1), f"losses up to {slope} are {'refused' if refused else 'admitted'}")


TWO_CLASSES = "two classes: $a$ rows of class 0 and $b$ of class 1"
KS = (Fraction(1), Fraction(5, 4), Fraction(3, 2), Fraction(2))

CLAIMS = (
    Claim(
        "lem-local-weights",
        status="proved+checked",
        code=("fdpedu.bounds.scores.half_gini_score", "fdpedu.bounds.scores.least_score"),
        checks=(
            Check(
                "random weights",
                "property",
                "{size} random tables of three bins and classes with weights up to 3, and a row more in each cell",
                weighted,
                lambda draw: draw.tuples(
                    draw.tuples(*[draw.tuples(*[weights(draw)] * 3)] * 3),
                    draw.st.fractions(Fraction(1, 6), 3, max_denominator=6),
                ),
                30,
                2000,
            ),
            Check(
                "weights 1",
                "exhaustive",
                f"all tables of {SHAPES} with at most {{size}} rows: it is the local bound",
                whole_weights,
                small_tables,
                4,
                6,
            ),
        ),
        assumptions=(CONVENTION, FAMILY, "neighbours: one row added or removed, whose weight is public", EXACT),
        uses=("lem-local-bound",),
    ),
    Claim(
        "thm-concave-scores",
        status="proved+checked",
        code=(
            "fdpedu.bounds.scores.LossScore",
            "fdpedu.bounds.scores.half_gini_score",
            "fdpedu.bounds.scores.power_score",
        ),
        checks=(
            Check(
                "random losses",
                "property",
                "{size} random sets of predictions and tables of up to five bins, three classes; every record added",
                loss_score,
                lambda draw: draw.tuples(losses(draw, 3), draw.st.lists(draw.nodes(9, 3), min_size=1, max_size=5)),
                30,
                2000,
            ),
            Check(
                "powers",
                "exhaustive",
                "k = 1, 5/4, 3/2, 2, all nodes of at most {size} rows of each class: formula, increments, errors",
                power,
                lambda most: product(range(most + 1), range(most + 1), KS),
                8,
                40,
            ),
            Check(
                "k = 3/2",
                "exhaustive",
                "all nodes of 1 to {size} rows of each class: the square of what is enclosed, as integers",
                power_by_squares,
                lambda most: product(range(1, most + 1), repeat=2),
                8,
                40,
            ),
            Check(
                "slopes",
                "exact",
                "slopes 1/4, 1/2, …, 2: beyond 1 a record moves the score by more than 1, and the losses are refused",
                steep,
                lambda _: ((Fraction(k, 4),) for k in range(1, 9)),
            ),
        ),
        assumptions=(ADD_REMOVE, EXACT, TWO_CLASSES + ", where it says so"),
        uses=("lem-local-bound",),
    ),
)

TWINS = (
    Broken(
        "the worst prediction",
        "fdpedu.bounds.scores.LossScore.__call__",
        "return min(",
        "return max(",
        "A score that no record moves by more than 1 may as well be the largest loss.",
        "thm-concave-scores",
        "random losses",
    ),
    Broken(
        "weights that count as rows",
        "fdpedu.bounds.scores.half_gini_score",
        "/ (2 * total)",
        "/ 2",
        "A row of weight w counts w² times, w for itself and w for its share.",
        "lem-local-weights",
        "random weights",
    ),
)
