"""Pulls from a public table, and the loss that they belong to."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import product
from types import ModuleType
from typing import Any

from fdpedu.claims.checking import require
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.exact import Enclosure, exp_enclosure, log_enclosure
from fdpedu.gradients import probabilities
from fdpedu.gradients.table import MAX_STEPS, pulls_by_rule, table_by_rule

HALF = Fraction(1, 2)
ZERO = 512  # the position of the score 0 in a table
SCORES = [Fraction(i - ZERO, 64) for i in range(2 * ZERO + 1)]
ADD_REMOVE = "neighbours: one record added or removed"
PUBLIC = "m, the clip and the weights of classes are public"


@lru_cache(maxsize=2 * ZERO + 1)
def decay(position: int) -> Enclosure:
    """e^{−s} of a score of the table."""
    return exp_enclosure(-SCORES[position], 30)


@lru_cache(maxsize=2 * ZERO + 1)
def logistic(position: int) -> Enclosure:
    """1/(1 + e^{−s}) of a score of the table."""
    return Enclosure(1 / (1 + decay(position).upper), 1 / (1 + decay(position).lower))


def table(steps: int) -> None:
    """P[s] is nearest to m·logistic(s) for every score s > 0, P[0] = m/2, P[−s] = m − P[s], and P never falls."""
    found = table_by_rule(steps)
    require(len(found) == len(SCORES), f"there are {len(found)} scores")
    require(found[ZERO] == steps // 2 and 2 * found[ZERO] == steps, f"at the score 0 it is {found[ZERO]}")
    require(all(a + b == steps for a, b in zip(found, found[::-1], strict=True)), "P[−s] and P[s] do not make m")
    falls = [SCORES[i] for i in range(2 * ZERO) if found[i] > found[i + 1]]
    require(not falls and 0 <= found[0] and found[-1] <= steps, f"it falls after {falls[:1]}, from {found[0]}")
    for i in range(ZERO + 1, 2 * ZERO + 1):
        exact = logistic(i)
        near = steps * exact.lower > found[i] - HALF and steps * exact.upper < found[i] + HALF
        require(near, f"at {SCORES[i]} it is {found[i]}, and m·logistic(s) is {float(steps * exact.lower):.3f}")


def pull(probability: int, y: int, steps: int, clip: int, weight: int) -> int:
    """What the lemma says that a row pulls."""
    t = max(-clip, min(clip, probability - steps * y))
    return (abs(t) * weight // 256) * (1 if t > 0 else -1)


def pulled(steps: int, clip: int, first: int, second: int) -> None:
    """The shipped table of pulls is the lemma's, entry by entry; none is longer than the clip, whatever the weights.

    Without weights classes are mirrored, and at the score 0 a row pulls with the clip, if that is at most m/2.
    """
    found = [pulls_by_rule(steps, clip, y, weight).tolist() for y, weight in ((0, first), (1, second))]
    values = probabilities(steps).tolist()
    known = {(p, y): pull(p, y, steps, clip, w) for p in set(values) for y, w in ((0, first), (1, second))}
    for y in (0, 1):
        wrong = [(s, g) for s, p, g in zip(SCORES, values, found[y], strict=True) if g != known[p, y]]
        require(not wrong, f"a row of class {y} at the score {wrong[:1]} does not pull as it should")
        require(max(map(abs, found[y])) <= clip, f"a row of class {y} pulls with {max(map(abs, found[y]))}")
    if first == second == 256:
        require(found[1] == [-g for g in found[0][::-1]], "the classes are not mirrored")
        require(found[0][ZERO] == min(clip, steps // 2), f"at the score 0 a row pulls with {found[0][ZERO]}")


def all_clips(most: int) -> Iterator[tuple[int, int, int, int]]:
    """All even m, all clips from 1 to m; without weights, and with some."""
    for steps in range(2, most + 1, 2):
        for clip in range(1, steps + 1):
            yield steps, clip, 256, 256
            yield steps, clip, 256, 1 + 37 * clip % 256


def random_pulls(draw: ModuleType) -> Any:
    """m up to 4096, a clip, and two weights."""

    def of(half: int) -> Any:
        weight = draw.integers(1, 256)
        return draw.tuples(draw.st.just(2 * half), draw.integers(1, 2 * half), weight, weight)

    return draw.integers(1, 2048).flatmap(of)


# --- the loss ---------------------------------------------------------------------------------------------------------


def slope(position: int, y: int) -> Enclosure:
    """The derivative of the loss by the score: that of ln(1 + e^{−t}) for margins t ≥ 0, and −1/2 below."""
    if (position >= ZERO) != y and position != ZERO:
        return Enclosure.exactly(HALF - y)
    there = logistic(position)
    return Enclosure(there.lower - y, there.upper - y)


def derivative(steps: int) -> None:
    """Clipped at m/2, the pull of every score and class is m times the derivative of the loss, to the nearest."""
    found = [pulls_by_rule(steps, steps // 2, y, 256).tolist() for y in (0, 1)]
    for y, i in product((0, 1), range(len(SCORES))):
        exact = slope(i, y)
        near = steps * exact.lower - HALF <= found[y][i] <= steps * exact.upper + HALF
        require(
            near, f"class {y}, score {SCORES[i]}: pulls with {found[y][i]}, m·ℓ' is {float(steps * exact.lower):.3f}"
        )


def loss(margin: Fraction) -> Enclosure:
    """ln(1 + e^{−t}) for t ≥ 0, ln 2 − t/2 below."""
    if margin < 0:
        two = log_enclosure(Fraction(2), 30)
        return Enclosure(two.lower - margin / 2, two.upper - margin / 2)
    ends = exp_enclosure(-margin, 30)
    return Enclosure(log_enclosure(1 + ends.lower, 30).lower, log_enclosure(1 + ends.upper, 30).upper)


def convex(one: int, other: int) -> None:
    """Between two margins the loss changes by no less than its slope at the first says, and no more than at the second.

    So it is convex, and has the derivative of :func:`slope`.
    """
    step, (low, high) = SCORES[other] - SCORES[one], (loss(SCORES[i]) for i in (one, other))
    least, most = step * slope(one, 1).lower, step * slope(other, 1).upper
    found = (high.lower - low.upper, high.upper - low.lower)
    require(found[1] >= least and found[0] <= most, f"from {SCORES[one]} to {SCORES[other]} it changes by {found[0]}")


def minimiser(eta: Fraction) -> None:
    """The expected loss is least at one score, of the sign of η − 1/2, where logistic(s*) is (3η−1)/2η: not η.

    The expected pull of the shipped table, at m = 4096, has the sign of s − s* wherever it is not nearly 0.
    """
    likely = max(eta, 1 - eta)
    expected = (3 * likely - 1) / (2 * likely)  # logistic(|s*|)
    at = log_enclosure(expected / (1 - expected), 20)
    require(at.upper >= 0 if likely == HALF else at.lower > 0, f"η = {eta}: the minimiser is {at}")
    require((expected == likely) == (likely == HALF), f"η = {eta}: the minimiser is calibrated")
    found = [pulls_by_rule(4096, 2048, y, 256).tolist() for y in (0, 1)]
    for i, s in enumerate(SCORES):
        mean = eta * found[1][i] + (1 - eta) * found[0][i]
        exact = 4096 * (eta * slope(i, 1) + (1 - eta) * slope(i, 0))
        beyond = (s - at.upper > 0) - (s - at.lower < 0) if eta >= HALF else (s + at.lower > 0) - (s + at.upper < 0)
        sign = (exact.lower > 0) - (exact.upper < 0)
        require(sign == beyond or sign == 0, f"η = {eta}: at {s} the loss has the slope {exact}")
        require(abs(exact.lower) < 1 or (mean > 0) - (mean < 0) == beyond, f"η = {eta}: at {s} rows pull with {mean}")


CLAIMS = (
    Claim(
        "lem-pull-table",
        status="checked",
        code=("fdpedu.gradients.table", "fdpedu.gradients.table.probabilities", "fdpedu.gradients.table.pulls"),
        checks=(
            Check(
                "table",
                "exhaustive",
                "all even m to {size}, all 1025 scores: P by enclosures of m·logistic(s)",
                table,
                lambda most: ((m,) for m in range(2, most + 1, 2)),
                32,
                512,
                more=[(100,), (254,), (MAX_STEPS,)],
            ),
            Check(
                "pulls",
                "exhaustive",
                "all even m to {size}, all clips to m, the whole table and both classes, with and without weights",
                pulled,
                all_clips,
                32,
                128,
                more=[(m, *rest) for m in (100, 254, MAX_STEPS) for rest in ((m // 3, 256, 256), (m, 1, 255))],
            ),
            Check(
                "random pulls",
                "property",
                "{size} random m to 4096, clips and weights: the whole table and both classes",
                pulled,
                random_pulls,
                6,
                500,
            ),
        ),
        assumptions=("integers", PUBLIC),
    ),
    Claim(
        "lem-gentle-loss",
        status="checked",
        code=("fdpedu.gradients.table.pulls",),
        checks=(
            Check(
                "derivative",
                "exact",
                "m from 2 to {size} in powers of 2, all scores, both classes: the pull is m times the derivative",
                derivative,
                lambda most: ((2**k,) for k in range(1, most.bit_length())),
                256,
                4096,
            ),
            Check(
                "convex",
                "exact",
                "pairs of margins from −8 to 8, in {size} parts: the loss between the lines of both slopes",
                convex,
                lambda parts: ((1024 * i // parts, 1024 * k // parts) for k in range(parts + 1) for i in range(k)),
                32,
                256,
            ),
            Check(
                "minimiser",
                "exact",
                "η in {size} parts of 1: slope and expected pull at all scores, by enclosures",
                minimiser,
                lambda parts: ((Fraction(k, parts),) for k in range(1, parts)),
                6,
                128,
            ),
        ),
        assumptions=("real numbers; the pulls are its derivative in steps of 1/m", PUBLIC),
        uses=("lem-pull-table",),
    ),
)

TWINS = (
    Broken(
        "table rounded down",
        "fdpedu.gradients.table._nearest",
        "math.floor(m / (1 + end) + Fraction(1, 2))",
        "math.floor(m / (1 + end))",
        "A table of integers is made by cutting off what stands behind the point.",
        "lem-pull-table",
        "table",
    ),
    Broken(
        "table rounded apart",
        "fdpedu.gradients.table.table_by_rule",
        "*(m - p for p in reversed(above))",
        "*(int(m / (1 + math.exp(i / PER_ONE))) for i in range(_HALF, 0, -1))",
        "Each entry is rounded by itself: both sides of the table come out alike.",
        "lem-pull-table",
        "table",
    ),
    Broken(
        "pulls not clipped",
        "fdpedu.gradients.table.pulls_by_rule",
        "np.clip(probabilities(m) - m * y, -c, c)",
        "probabilities(m) - m * y",
        "The gradient of the logistic loss is between −1 and 1 anyway.",
        "lem-pull-table",
        "pulls",
    ),
    Broken(
        "weights of up to two",
        "fdpedu.gradients.table.pulls_by_rule",
        "weight // FULL_WEIGHT",
        "2 * weight // FULL_WEIGHT",
        "Only the ratio of the weights matters, so their mean may as well be 1.",
        "lem-pull-table",
        "pulls",
    ),
    Broken(
        "weights rounded away from 0",
        "fdpedu.gradients.table.pulls_by_rule",
        "np.abs(clipped) * weight // FULL_WEIGHT",
        "(np.abs(clipped) * weight + FULL_WEIGHT) // FULL_WEIGHT",
        "A light row should not vanish, so its pull is rounded away from 0.",
        "lem-pull-table",
        "pulls",
    ),
    Broken(
        "rows beyond the clip let go",
        "fdpedu.gradients.table.pulls_by_rule",
        "np.clip(probabilities(m) - m * y, -c, c)",
        "np.where(np.abs(probabilities(m) - m * y) <= c, probabilities(m) - m * y, 0)",
        "A row that is wrong by so much is an outlier, and should not pull at all.",
        "lem-gentle-loss",
        "derivative",
    ),
)
