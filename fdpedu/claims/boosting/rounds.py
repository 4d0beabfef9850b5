"""A round of boosting, step by step as the chapter defines it, beside what the library makes of the same sums."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from types import ModuleType
from typing import Any

import numpy as np

from fdpedu.accounting import Cost
from fdpedu.boosting import Marginals, Rules
from fdpedu.boosting.course import Course
from fdpedu.boosting.drawing import Drawing
from fdpedu.claims.boosting.by_hand import UNIT, Hand
from fdpedu.claims.boosting.fits import ROWS as FEW
from fdpedu.claims.boosting.fits import fitted
from fdpedu.claims.boosting.questions import SMALL
from fdpedu.claims.checking import require
from fdpedu.claims.federations import dealt
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.gradients import AdditiveModel, TreeShapes
from fdpedu.gradients.additive import Questions
from fdpedu.randomness import Rehearsal

WIDE = Domain(
    [*(Numeric.grid(f"x{j}", 0, 4, bins=4, missing=j == 1) for j in range(4)), Categorical("ward", ("A", "B", "C"))],
    ("well", "ill"),
)
SEED, ROWS = bytes(range(8)), 200  # of made-up rows


def by_hand(form: str, rules: dict[str, Any], kind: str, size: int, seed: int) -> None:
    """Rounds of made-up sums: h, k, M₁, M₂, SNR₂, the guard, weights and intercept are those of the definition."""
    draw = np.random.default_rng(seed)
    counts = np.concatenate([draw.integers(1, 9, feature.n_codes) for feature in WIDE.features]).astype(float)
    counts[2] = 0.0  # a code without rows
    marginals = Marginals(WIDE, counts)
    options = {"nominal_size": 500, "rounds": 8, "trees_per_round": 4, "questions": 2, "most_questions": 3}
    whole = Rules(form=form, **{**options, "quantiles": 8, "groups": 32, "step": 3 * UNIT, **rules})
    sigma = 40.0
    course = Course(whole, marginals, marginals.rows(ROWS, SEED), sigma)
    hand = Hand(whole, marginals, Fraction(sigma) ** 2, SEED, ROWS)
    drawing, model = Drawing(whole, marginals, Rehearsal(seed)), AdditiveModel()
    curves = [draw.integers(-9, 10, feature.n_codes) for feature in WIDE.features]
    for t in range(whole.rounds):
        trees = drawing.trees(course.questions)
        sums = np.array([pulls(one, curves, kind, t, size, draw) for one in trees.trees])
        added, kept = course.after(model, trees, sums)
        require(kept.sums.tolist() == sums.tolist() and kept.n_trees == len(trees.trees), "the sums are kept")
        hand.after(model, trees, sums, added, kept)
        model = AdditiveModel(model.trees + added, kept.intercept, model.scale)


def pulls(questions: Questions, curves: Sequence[Any], kind: str, t: int, size: int, draw: Any) -> list[int]:
    """Sums of a tree: chance; curves; curves that turn back, all or some; a parity that only pairs of features show."""
    found = []
    for leaf in range(2 ** len(questions)):
        sides = [leaf >> len(questions) - 1 - i & 1 for i in range(len(questions))]
        chance = int(draw.integers(-size, size + 1))
        inside = [
            [c for c in range(len(curves[f])) if (mask >> c & 1) != b]
            for (f, mask), b in zip(questions, sides, strict=True)
        ]
        signs = [
            (-1) ** t if kind == "all turn back" or (kind == "some turn back" and f < 2) else 1 for f, _ in questions
        ]
        pulled = sum(
            s * int(sum(curves[f][c] for c in codes)) for s, (f, _), codes in zip(signs, questions, inside, strict=True)
        )
        parity = (-1) ** sum(sides) if kind == "interactions" else 0
        found.append(size * pulled + 40 * size * parity + chance if kind != "chance" else chance)
    return found


def of_a_fit(parties: int, tolerate: int, form: str, rho: Fraction) -> None:
    """What a fit has released leads to its model by hand: noise is that of all parties, also of those that collude."""
    budget = Cost("gaussian", rho, Fraction(1, 10**6))
    options: Any = {"form": form, "rounds": 5, "trees_per_round": 2, "nominal_size": 100}
    ensemble: Any = fitted(SMALL, dealt([*FEW] * 3, parties), budget, parties, tolerate, **options)[0]
    asked = next(step for _, step in ensemble.derivation.releases() if step["type"] == "gradient-sums")
    variance = Fraction(asked["variance"]) * Fraction(parties, parties - tolerate)
    seed = b"".join(int(count).to_bytes(8, "little", signed=True) for count in ensemble.histograms.tolist())
    hand, begin, before = Hand(ensemble.rules, ensemble.marginals, variance, seed, 2000), 0, 0
    for kept in ensemble.batches:
        end = begin + kept.n_trees
        added = ensemble.model.trees[begin:end]
        trees = TreeShapes(tuple(questions for questions, _ in added))
        hand.after(AdditiveModel(ensemble.model.trees[:begin], before), trees, kept.sums, added, kept)
        begin, before = end, kept.intercept
    require(begin == len(ensemble.model.trees) == 10, f"there are {begin} trees")


KINDS = ("chance", "curves", "interactions", "all turn back", "some turn back")


def courses(most: int) -> Iterator[tuple[str, dict[str, Any], str, int, int]]:
    """Both forms, five kinds of sums, large and small, with few trees and with many."""
    for seed in range(most):
        for kind in KINDS:
            yield "trees", {}, kind, (20, 400)[seed % 2], seed
        # interactions of the size of the noise, and a step so long that M₂ is shorter
        yield "trees", {"step": 30 * UNIT, "rounds": 12}, "interactions", 1 + seed % 3, seed
        yield "trees", {"trees_per_round": 1, "questions": 1, "most_questions": 2}, KINDS[seed % 5], 60, seed
        yield "curves", {"trees_per_round": 5, "questions": 2, "most_questions": 2}, KINDS[(1 + seed) % 5], 60, seed


def random_courses(draw: ModuleType) -> Any:
    """Random rules of a few rounds, kinds and sizes of sums."""
    trees = draw.st.fixed_dictionaries(
        {
            "rounds": draw.integers(1, 9),
            "trees_per_round": draw.integers(1, 5),
            "nominal_size": draw.integers(1, 5000),
            "step": draw.integers(1, 30 * UNIT),
        }
    )
    form, kind = draw.st.sampled_from(["trees", "curves"]), draw.st.sampled_from(KINDS)
    return draw.tuples(form, trees, kind, draw.integers(0, 5000), draw.integers(0, 999))


CLAIMS = (
    Claim(
        "def-boosting-round",
        status="checked",
        code=(
            "fdpedu.boosting.course",
            "fdpedu.boosting.course.Course.after",
        ),
        checks=(
            Check(
                "by hand",
                "exact",
                "both forms and five kinds of sums, {size} of each: chance, curves, interactions, and curves that turn "
                "back: h, k, SNR₂, M₁, M₂, every weight and the intercept in fractions, within a unit of 1/4096",
                by_hand,
                courses,
                1,
                12,
            ),
            Check(
                "of a fit",
                "exact",
                "two to {size} parties, all that they tolerate, both forms, a small budget and a large one: from the "
                "released sums to the model",
                of_a_fit,
                lambda most: (
                    (k, tolerate, ("trees", "curves")[(k + tolerate) % 2], rho)
                    for k in range(2, most + 1)
                    for tolerate in range(k)
                    for rho in (Fraction(1, 30), Fraction(20))
                ),
                3,
                5,
            ),
            Check(
                "random rules",
                "property",
                "{size} random rules and sums of a few rounds",
                by_hand,
                random_courses,
                3,
                200,
            ),
        ),
        assumptions=("the library computes in floats, and rounds to 1/4096 where the definition decides",),
        uses=("lem-orders-apart", "lem-noise-of-interactions", "lem-coverage"),
    ),
)

_COURSE, _STEPS = "fdpedu.boosting.course.Course", "fdpedu.boosting.steps"


def _broken(
    name: str, target: str, shipped: str, replacement: str, misconception: str, check: str = "by hand"
) -> Broken:
    return Broken(name, target, shipped, replacement, misconception, "def-boosting-round", check)


TWINS = (
    _broken(
        "noise without the insiders' factor",
        "fdpedu.boosting.noise.query_deviation",
        "n_parties * query.gaussian(n_noise_shares).share",
        "n_noise_shares * query.gaussian(n_noise_shares).share",
        "The noise is what was paid for: that of the shares that are needed.",
        "of a fit",
    ),
    _broken(
        "SNR₂ with the present round",
        f"{_COURSE}.after",
        "second_step(self._step, ratio, sides",
        "second_step(self._step, self._energy.and_of(rest, step.variances, sides).ratio(rules, p) if self._rounds >= "
        "rules.watched_from else 0, sides",
        "The present round's sums are released, too, so its own step may rest on them.",
    ),
    _broken(
        "interactions from the first round on",
        f"{_COURSE}.after",
        "self._rounds >= rules.watched_from",
        "self._rounds >= 0",
        "The more rounds are watched, the surer the ratio.",
    ),
    _broken(
        "coverage forgotten",
        f"{_STEPS}.coverage",
        "max(1.0, trees * asked / n_features)",
        "1.0",
        "Each tree takes its own step, whatever the others of its round say.",
    ),
    _broken(
        "a guard that acts a round late",
        f"{_COURSE}.after",
        "parts = self._step *",
        "parts = (rules.step if self._rounds == 0 else 2 * self._step if self._step < rules.step else self._step) *",
        "What a round shows is there for the next one.",
    ),
    _broken(
        "a guard for each feature by itself",
        f"{_COURSE}._guard",
        "cosine(curves, before, self._shares) < BACK",
        "any(cosine(*three) < BACK for three in zip(*(np.split(each, np.cumsum([len(s) for s in self.marginals.shares])"
        "[:-1]) for each in (curves, before, self._shares)), strict=True))",
        "If one feature's curve turns back, the step was too long.",
    ),
    _broken(
        "curvature of the score 0 in every round",
        f"{_COURSE}.after",
        "self._rules.outcome.curvature(self._known.of(model))",
        "UNIT // 4",
        "A quarter is the largest Hessian, so it is the safe one.",
    ),
)
