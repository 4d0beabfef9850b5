"""How large the noise of a score is: it follows the step, and in ρ not the number of trees."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from fdpedu.accounting import Cost
from fdpedu.boosting import Marginals, Rules
from fdpedu.boosting.curves import weight_variance
from fdpedu.boosting.stepping import leaf_steps, weighted
from fdpedu.claims.boosting.questions import GAP, OLD, SMALL, WARD
from fdpedu.claims.checking import require
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.federation import GradientSums
from fdpedu.gradients import AdditiveModel, TreeShapes
from fdpedu.gradients.additive import Questions

RHO = Fraction(1, 40)
CODES = np.array([[4, 2], [3, 1], [4, 2], [5, 7], [1, 3]])  # shares 3/8, 1/4, 3/8 and 3/4, 1/4
SHARES = Marginals(SMALL, CODES)
N, M, CLIP = 128, 64, 32
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
    """a: by how much a leaf's step moves with its sum, at m = 64 and N = 128; 0 in a leaf without rows."""
    shares = shares_of(questions)
    least = Fraction(1, 2 * len(shares))
    return [1 / (M * Fraction(N, 4) * (mu + least)) if mu else Fraction(0) for mu in shares]


def gammas(questions: Questions) -> list[Fraction]:
    """γ of each leaf as in the lemma: its own noise less its part in the mean, and that of the others."""
    mu, a = shares_of(questions), slopes(questions)
    others = [(m * b) ** 2 for m, b in zip(mu, a, strict=True)]
    return [a[i] ** 2 * (1 - mu[i]) ** 2 + sum(others) - others[i] for i in range(len(mu))]


def response(questions: Questions) -> None:
    """A tree's weights move with the sum of each leaf as the lemma says: κ·(a − μ·a) there, −κ·μ·a elsewhere."""
    mu, a = shares_of(questions), slopes(questions)
    got = leaf_steps(np.full(len(mu), -1), SHARES.leaf_shares(questions), rows=N, steps=M).tolist()
    require(all(abs(x - b) < NEAR for x, b in zip(got, a, strict=True)), f"steps move by {got}, not {a}")
    for k in range(len(mu)):
        sums = np.array([[-M * (i == k) for i in range(len(mu))]])
        (((_, weights),), centre) = weighted(TreeShapes((questions,)), sums, SHARES, rows=N, steps=M, factor=16.0)
        expected = [16 * 4096 * M * a[k] * ((i == k) - mu[k]) for i in range(len(mu))]
        near = all(abs(w - x) <= Fraction(1, 2) + NEAR for w, x in zip(weights, expected, strict=True))
        require(near, f"weights move by {weights}, not {list(map(float, expected))}")
        mean = 4096 * M * mu[k] * a[k]
        require(abs(centre - mean) <= Fraction(1, 2) + NEAR, f"the intercept moves by {centre}, not {float(mean)}")


def step_only(rounds: int, trees: int, form: str) -> None:
    """R·B trees at ρ/R a round: the noise of a score has the variance of the lemma, with κ as the rules make it.

    That is a mean over the trees, whatever R and B are, up to the four digits of the noise.
    """
    rules = Rules(form, N, rounds, trees, 2, 8, 2.0, False)
    one = GradientSums(SMALL.everything, Cost("gaussian", RHO / rounds), M, AdditiveModel(), *_rest(trees))
    shipped = one.gaussian(1).variance
    needed = rounds * trees * CLIP**2 / (2 * RHO)
    enough = needed + 1 <= shipped <= (needed + 1) * Fraction(1001, 1000)
    require(enough, f"a sum has the variance {shipped}, needed {needed} and 1")
    kappa = Fraction(3, 2) * 2 * SMALL.n_features / (2 if form == "trees" else 1)  # 3/2·M·p/k
    for questions in QUESTIONS:
        stated = [kappa**2 * CLIP**2 / (2 * RHO) * gamma for gamma in gammas(questions)]
        sigma, factor = float(needed) ** 0.5 / M, rules.factor(SMALL.n_features)
        # every tree asks alike, so the mean over them is that of one
        found = rounds * trees * weight_variance(questions, SHARES, N, sigma, factor)
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


QUESTIONS: tuple[Questions, ...] = (((OLD, WARD)), ((OLD, GAP)), ((WARD, WARD)), ((GAP, (0, 0b111))))


def sizes(most: int) -> Iterator[tuple[int, int]]:
    """All numbers of rounds and of trees a round with so many trees at most."""
    return ((r, b) for r in range(1, most + 1) for b in range(1, most // r + 1))


CLAIMS = (
    Claim(
        "lem-direct-noise",
        status="checked",
        code=(
            "fdpedu.boosting.curves.weight_variance",
            "fdpedu.boosting.stepping.weighted",
            "fdpedu.boosting.rules.Rules.factor",
        ),
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
                "all rounds and trees a round with {size} trees at most, both forms: a score's variance is the lemma's",
                step_only,
                lambda most: ((r, b, form) for r, b in sizes(most) for form in ("trees", "curves")),
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
        assumptions=("of the noise itself, for given trees; without class weights", "weights before they are rounded"),
        uses=("thm-gradient-sums", "thm-queries-in-rho"),
    ),
)

TWINS = (
    Broken(
        "each round takes its part of the step, each tree all of it",
        "fdpedu.boosting.rules.Rules.factor",
        "asked * self.rounds * self.trees_per_round",
        "asked * self.rounds",
        "Steps are divided among rounds; the trees of one round are drawn together and say the same.",
        "lem-direct-noise",
        "in ρ",
    ),
    Broken(
        "a leaf's band without its part in the mean",
        "fdpedu.boosting.curves.weight_variance",
        "(slope - moved) ** 2 + (moved**2).sum() - moved**2",
        "slope**2 + (moved**2).sum()",
        "The mean that is subtracted has noise of its own, independent of the leaf's.",
        "lem-direct-noise",
        "in ρ",
    ),
    Broken(
        "trees not centred",
        "fdpedu.boosting.stepping.weighted",
        "(step - centre) * factor",
        "step * factor",
        "What a tree says of the whole is learned twice as fast by trees and intercept together.",
        "lem-direct-noise",
        "response",
    ),
)
