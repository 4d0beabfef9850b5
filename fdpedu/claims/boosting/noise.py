"""How large the noise of a score is: it follows the step, and in ρ not the number of trees."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from fdpedu.accounting import Cost
from fdpedu.boosting import Course, Marginals, Rules
from fdpedu.boosting.curves import weight_variance
from fdpedu.boosting.steps import coverage, newton, variances
from fdpedu.claims.boosting.questions import GAP, OLD, SMALL, WARD
from fdpedu.claims.checking import require
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.federation import GradientSums
from fdpedu.gradients import AdditiveModel, TreeShapes
from fdpedu.gradients.additive import Questions

RHO = Fraction(1, 40)
SHARES = Marginals(SMALL, np.array([6, 4, 6, 12, 4], dtype=np.int64))  # shares 3/8, 1/4, 3/8 and 3/4, 1/4
N, M, CLIP, STEP = 128, 64, 32, 2 * 4096
NEAR = Fraction(1, 10**9)  # for what the library computes in floats


def shares_of(questions: Questions) -> list[Fraction]:
    """The leaves' shares, by adding up the cells of independent features."""
    found = [Fraction(0)] * 2 ** len(questions)
    for age, a in enumerate((6, 4, 6)):
        for ward, b in enumerate((12, 4)):
            leaf = int("".join("10"[mask >> (age, ward)[feature] & 1] for feature, mask in questions), 2)
            found[leaf] += Fraction(a * b, 256)
    return found


def slopes(questions: Questions) -> list[Fraction]:
    """a: by how much a leaf's step moves with its sum, at m = 64, N = 128 and h = 1/4; 0 in a leaf without rows."""
    shares = shares_of(questions)
    least = Fraction(1, len(shares))
    return [1 / (M * Fraction(N, 4) * (mu + least)) if mu else Fraction(0) for mu in shares]


def gammas(questions: Questions) -> list[Fraction]:
    """γ of each leaf as in the lemma: its noise less its part in the mean, and that of the others; 0 without rows."""
    mu, a = shares_of(questions), slopes(questions)
    others = [(m * b) ** 2 for m, b in zip(mu, a, strict=True)]
    return [a[i] ** 2 * (1 - mu[i]) ** 2 + sum(others) - others[i] if mu[i] else Fraction(0) for i in range(len(mu))]


def rules(rounds: int, trees: int, questions: int) -> Rules:
    """Of curves, with the whole step 2."""
    return Rules("curves", N, rounds, trees, questions, questions, 8, 32, STEP)


def response(questions: Questions) -> None:
    """A curve's weights move with the sum of each leaf as the lemma says: κ·(a − μ·a) there, −κ·μ·a elsewhere."""
    mu, a = shares_of(questions), slopes(questions)
    sides = np.array([[[float(m) for m in mu]]])
    got = newton(np.full((1, len(mu)), -1), sides, rows=N, curvature=1024, steps=M)[0].tolist()
    require(all(abs(x - b) < NEAR for x, b in zip(got, a, strict=True)), f"steps move by {got}, not {a}")
    for k in range(len(mu)):
        course = Course(rules(1, 1, len(questions)), SHARES, SHARES.rows(9, b""), 0.0)
        sums = np.array([[-16 * M * (i == k) for i in range(len(mu))]])
        (((_, weights),), kept) = course.after(AdditiveModel(), TreeShapes((questions,)), sums)
        to = [16 * STEP * M * a[k] * ((i == k) - mu[k]) for i in range(len(mu))]
        expected = [x if share else Fraction(0) for x, share in zip(to, mu, strict=True)]
        near = all(abs(w - x) <= Fraction(1, 2) + NEAR for w, x in zip(weights, expected, strict=True))
        require(near, f"weights move by {weights}, not {list(map(float, expected))}")
        mean = 16 * 4096 * M * mu[k] * a[k]
        require(abs(kept.intercept - mean) <= Fraction(1, 2) + NEAR, f"the intercept moves by {kept.intercept}")


def step_only(rounds: int, trees: int) -> None:
    """R·B trees at ρ/R a round: the noise of a score has the variance of the lemma, with κ as the rules make it.

    That is a mean over the trees, whatever R and B are, as long as a round asks about every feature.
    """
    one = GradientSums(SMALL.everything, Cost("gaussian", RHO / rounds), M, AdditiveModel(), *_rest(trees))
    shipped = Fraction(one.gaussian(1).variance)
    needed = Fraction(rounds * trees * CLIP * CLIP) / (2 * RHO)
    enough = needed + 1 <= shipped <= (needed + 1) * Fraction(1001, 1000)
    require(enough, f"a sum has the variance {shipped}, needed {needed} and 1")
    kappa = Fraction(STEP, 4096) * min(trees, SMALL.n_features)  # M·p, where a round asks about every feature
    factor = STEP / 4096 / rounds / coverage(1, trees, SMALL.n_features).features
    for questions in QUESTIONS:
        stated = [kappa**2 * CLIP**2 / (2 * RHO) * gamma for gamma in gammas(questions)]
        share: Any = np.array([float(mu) for mu in shares_of(questions)])
        varies = variances(share[None, None], rows=N, curvature=1024, sigma=float(needed) ** 0.5 / M)[0]
        # every tree asks alike, so the mean over them is that of one
        found = rounds * trees * factor**2 * weight_variance(share, varies)
        near = all(abs(x - s) <= NEAR * (1 + s) for x, s in zip(found.tolist(), stated, strict=True))
        require(near, f"{questions}: the variance is {found.tolist()}, in the lemma {list(map(float, stated))}")


def in_epsilon(rounds: int, trees: int) -> None:
    """In ε a number has Laplace noise of the rate ε/(R·B·c): the variance of a score grows as R·B."""
    cost = Cost("pure", Fraction(1, 3) / rounds)
    one = GradientSums(SMALL.everything, cost, M, AdditiveModel(), *_rest(trees))
    rate = one.rate.rate
    require(rate == Fraction(1, 3) / (rounds * trees * CLIP), f"the rate is {rate}")
    assert rate is not None
    whole = rounds * trees * (2 / rate**2) / (rounds * trees) ** 2  # of all trees, each with the weight 1/(R·B)
    require(whole == rounds * trees * 2 * (3 * CLIP) ** 2, f"R·B = {rounds * trees}: the variance is {whole}")


def _rest(trees: int) -> tuple[int, int, int, TreeShapes]:
    return CLIP, 256, 256, TreeShapes(((OLD, WARD),) * trees)


QUESTIONS: tuple[Questions, ...] = ((OLD, OLD), (OLD, GAP), (WARD, WARD), (GAP, (0, 0b111)))


def sizes(most: int) -> Iterator[tuple[int, int]]:
    """All numbers of rounds and of trees a round with so many trees at most."""
    return ((r, b) for r in range(1, most + 1) for b in range(1, most // r + 1))


CLAIMS = (
    Claim(
        "lem-direct-noise",
        status="checked",
        code=("fdpedu.boosting.curves.weight_variance", "fdpedu.boosting.steps.newton"),
        checks=(
            Check(
                "response",
                "exact",
                "four trees, leaves without rows among them: how weights and intercept move with every sum",
                response,
                lambda _: ((questions,) for questions in QUESTIONS),
            ),
            Check(
                "in ρ",
                "exact",
                "all rounds and trees a round with {size} trees at most: a score's variance is the lemma's",
                step_only,
                sizes,
                24,
                240,
            ),
            Check(
                "in ε",
                "exact",
                "all rounds and trees a round with {size} trees at most: the variance grows as their number",
                in_epsilon,
                sizes,
                24,
                240,
            ),
        ),
        assumptions=("of the noise itself, for given trees", "weights before they are rounded"),
        uses=("thm-gradient-sums", "thm-queries-in-rho"),
    ),
)

TWINS = (
    Broken(
        "each round takes its part of the step, each tree all of it",
        "fdpedu.boosting.steps.coverage",
        "trees * asked / n_features",
        "asked / n_features",
        "Steps are divided among rounds; the trees of one round are drawn together and say the same.",
        "lem-direct-noise",
        "in ρ",
    ),
    Broken(
        "a leaf's band without its part in the mean",
        "fdpedu.boosting.curves.weight_variance",
        "variance * (1 - share) ** 2 + moved.sum() - moved",
        "variance + moved.sum()",
        "The mean that is subtracted has noise of its own, independent of the leaf's.",
        "lem-direct-noise",
        "in ρ",
    ),
    Broken(
        "trees not centred",
        "fdpedu.boosting.orders.orders_apart",
        "main -= mean[:, None, None]",
        "main = main",
        "What a tree says of the whole is learned twice as fast by trees and intercept together.",
        "lem-direct-noise",
        "response",
    ),
)
