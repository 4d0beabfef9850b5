"""How bold a step may be: what a whole step leaves undone, where it diverges, and what a guard does; coverage."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from math import ceil, log2

import numpy as np

from fdpedu.accounting import Cost
from fdpedu.boosting import Marginals, rules_for
from fdpedu.boosting.drawing import Drawing
from fdpedu.boosting.steps import coverage
from fdpedu.claims.checking import require
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.domain import Domain
from fdpedu.gradients import UNIT
from fdpedu.randomness import Rehearsal

Numbers = list[Fraction]


def stepped(lack: Numbers, correlation: Fraction, pull: Fraction) -> Numbers:
    """(I − M/R·C)·e, where all pairs of columns have one correlation."""
    whole = sum(lack, Fraction(0))
    return [e - pull * ((1 - correlation) * e + correlation * whole) for e in lack]


def loss(lack: Numbers, correlation: Fraction) -> Fraction:
    """eᵀCe/2."""
    whole = sum(lack, Fraction(0))
    return ((1 - correlation) * sum((e * e for e in lack), Fraction(0)) + correlation * whole**2) / 2


def too_bold(columns: int, correlation: Fraction, rounds: int, step: Fraction) -> None:
    """Θ = 1 + (c − 1)·r. Below M = 2R/Θ the loss falls from every start tried, above it grows in the direction of Θ.

    What a direction of eigenvalue θ lacks is multiplied by (1 − Mθ/R)^R after R rounds.
    """
    largest, pull = 1 + (columns - 1) * correlation, step / rounds
    together = [Fraction(1)] * columns
    starts = [together, [Fraction(i == 0) for i in range(columns)], [Fraction((-1) ** i * i) for i in range(columns)]]
    for start in starts:
        before, after = loss(start, correlation), loss(stepped(start, correlation, pull), correlation)
        falls = after < before or not before
        require(
            falls or step >= 2 * rounds / largest, f"M = {step} of {rounds}: the loss grows from {before} to {after}"
        )
    after = loss(stepped(together, correlation, pull), correlation)
    grows = after > loss(together, correlation)
    require(grows == (step > 2 * rounds / largest), f"M = {step} of {rounds}, Θ = {largest}: it grows: {grows}")
    apart = [Fraction((i == 0) - (i == 1)) for i in range(columns)]
    for lack, eigenvalue in ((together, largest), (apart, 1 - correlation))[: min(2, columns)]:
        end = lack
        for _ in range(rounds):
            end = stepped(end, correlation, pull)
        left = (1 - pull * eigenvalue) ** rounds
        require(end == [left * e for e in lack], f"after {rounds} rounds {end[0]} is left, not {left * lack[0]}")


def cases(most: int) -> Iterator[tuple[int, Fraction, int, Fraction]]:
    """Up to so many columns, four correlations, whole steps around the border, and 5R/6."""
    for columns in range(1, most + 1):
        for r in map(Fraction, ("0", "1/2", "9/10", "1")):
            for rounds in (3, 8):
                border = 2 * rounds / (1 + (columns - 1) * r)
                steps = (border, border * Fraction(99, 100), border * Fraction(101, 100), border / 2)
                yield from ((columns, r, rounds, step) for step in (*steps, Fraction(5 * rounds, 6)))


def guarded(copies: int, rounds: int, step: Fraction) -> None:
    """Copies: pulls turn back iff M > R/c. A guard that halves in the same round acts ⌈log₂(cM/R)⌉ times at most.

    From its last act on what is lacking keeps its sign and does not grow.
    """
    lack, before, acts, turned = Fraction(1), Fraction(1), 0, []
    for t in range(40):
        turned.append(lack * before < 0)
        if turned[-1]:
            require(copies * step > rounds, f"it turns back at M = {step}, which is not above R/c")
            step, acts = step / 2, acts + 1
        require(t == 0 or not lack or turned[-1] or copies * step <= rounds, f"M = {step} > R/c, and nothing turned")
        lack, before = lack * (1 - copies * step / rounds), lack
        calm = copies * step <= rounds
        require(not calm or (lack * before >= 0 and abs(lack) <= abs(before)), f"M = {step}: {before} becomes {lack}")
    require(copies * step <= rounds or not lack, f"at the end M = {step}, and R/c is {Fraction(rounds, copies)}")
    require(acts <= max(0, ceil(log2(copies * (step * 2**acts) / rounds))), f"it acts {acts} times")


def of_rules(form: str, size: int, budget: Cost, features: int, rounds: int) -> None:
    """The library's whole step is at most 5R/6: safe for a column alone, and for two copies."""
    rules = rules_for(form, size, budget, features, rounds=rounds)
    most = Fraction(rules.step, UNIT)
    require(most <= Fraction(5 * rounds, 6), f"M is {float(most):.2f} of {rounds} rounds")
    require(2 * most < 2 * rounds and most > 0, f"two copies diverge at M = {float(most):.2f}")


def rules(most: int) -> Iterator[tuple[str, int, Cost, int, int]]:
    """Few rows to many, both measures and forms, one feature and many, one round to 64."""
    in_rho, pure = Cost("gaussian", Fraction(1, 30)), Cost("pure", Fraction(4))
    for size in (50, 5000, 10**7):
        for features in (1, 2, 13, 57):
            for rounds in (1, 2, 8, 36, 64)[:most]:
                yield from ((form, size, in_rho, features, rounds) for form in ("trees", "curves"))
                yield "trees", size, pure, features, rounds


# --- coverage ---------------------------------------------------------------------------------------------------------


def wide(features: int) -> Domain:
    """So many numbers of four bins."""
    return Domain.from_spec({"features": {f"x{j}": [0, 4, 4] for j in range(features)}, "classes": ["a", "b"]})


def covered(features: int, trees: int, questions: int, rounds: int) -> None:
    """No tree asks about a feature twice, and all features are asked about equally often, give or take one tree.

    The divisors of the library are the mean numbers of trees that ask about a feature and a pair, and at least 1.
    """
    cost = Cost("gaussian", Fraction(1, 30))
    shape = rules_for("trees", 500, cost, features, rounds=rounds, trees_per_round=trees, max_depth=questions)
    marginals = Marginals(wide(features), np.ones(4 * features))
    drawing = Drawing(shape, marginals, Rehearsal(features))
    one, pairs = [0] * features, {pair: 0 for pair in combinations(range(features), 2)}
    for _ in range(rounds):
        for asked in drawn(drawing, questions):
            names = sorted(feature for feature, _ in asked)
            require(len(set(names)) == len(names) == questions, f"a tree asks about the features {names}")
            for name in names:
                one[name] += 1
            for pair in combinations(names, 2):
                pairs[pair] += 1
    require(max(one) - min(one) <= 2, f"features are asked about {one} times")
    means = Fraction(sum(one), features * rounds), Fraction(sum(pairs.values()), max(1, len(pairs)) * rounds)
    expected = [max(Fraction(1), mean) for mean in means]
    found = coverage(questions, trees, features)
    near = all(abs(f - e) <= 1e-12 * e for f, e in zip(found, expected, strict=True))
    require(near, f"the divisors are {found}, expected {list(map(float, expected))}")


def drawn(drawing: Drawing, questions: int) -> Sequence[Sequence[tuple[int, int]]]:
    """The trees of the next round."""
    return drawing.trees(questions).trees


def coverages(most: int) -> Iterator[tuple[int, int, int, int]]:
    """One feature to eight, one tree a round to eleven, as many questions as there are features, three rounds."""
    for features in range(1, most + 1):
        for trees in (1, 4, 11):
            yield from ((features, trees, questions, 3) for questions in range(1, min(features, 5) + 1))


CLAIMS = (
    Claim(
        "lem-too-bold",
        status="checked",
        code=("fdpedu.boosting.rules.rules_for", "fdpedu.boosting.course.Course._guard"),
        checks=(
            Check(
                "too bold",
                "exact",
                "one to {size} columns of equal correlation, steps on both sides of the border: whether the loss "
                "falls, and what is left",
                too_bold,
                cases,
                4,
                9,
            ),
            Check(
                "guarded",
                "exact",
                "one to {size} copies, whole steps up to 5R: when pulls turn back, and how often a guard acts",
                guarded,
                lambda most: (
                    (c, r, Fraction(n, 6) * r) for c in range(1, most + 1) for r in (4, 36) for n in (1, 3, 5, 7, 30)
                ),
                6,
                40,
            ),
            Check(
                "5R/6",
                "exact",
                "few rows to many, both measures and forms, one feature to 57, to 64 rounds: the library's whole step",
                of_rules,
                rules,
                5,
            ),
        ),
        assumptions=("no noise; a loss that is a parabola in what curves lack; each curve's own curvature is known",),
    ),
    Claim(
        "lem-coverage",
        status="checked",
        code=("fdpedu.boosting.steps.coverage",),
        checks=(
            Check(
                "covered",
                "exact",
                "one to {size} features, one tree a round to eleven, one to five questions: what is asked how often",
                covered,
                coverages,
                6,
                12,
            ),
        ),
        assumptions=("in the mean over public coins",),
        uses=("lem-orders-apart",),
    ),
)

TWINS = (
    Broken(
        "a step that no number of rounds limits",
        "fdpedu.boosting.outcome.Outcome.boldest",
        "min(max(wanted, LEAST_STEP), DIVERGING * rounds)",
        "max(wanted, LEAST_STEP)",
        "Without noise a bold step is the right one, in however many rounds it is taken.",
        "lem-too-bold",
        "5R/6",
    ),
    Broken(
        "a feature twice in a tree",
        "fdpedu.boosting.drawing.Drawing._tree",
        "self._next([feature for feature, _ in found])",
        "self._next()",
        "Which features a tree asks about is for the coins to say.",
        "lem-coverage",
        "covered",
    ),
    Broken(
        "pairs covered as often as features",
        "fdpedu.boosting.steps.coverage",
        "trees * math.comb(asked, 2) / pairs",
        "trees * asked / n_features",
        "What a tree says of its features is said by as many trees as ask about them.",
        "lem-coverage",
        "covered",
    ),
)
