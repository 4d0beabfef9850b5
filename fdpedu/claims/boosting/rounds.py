"""A round of boosting, step by step as the chapter defines it, beside what the library makes of the same sums."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from types import ModuleType
from typing import Any

import numpy as np

from fdpedu.accounting import Cost
from fdpedu.boosting import Marginals, Rules
from fdpedu.boosting.course import Course, Round
from fdpedu.boosting.drawing import Drawing
from fdpedu.claims.boosting.by_hand import (
    STEPS,
    UNIT,
    energy,
    leaves_of,
    made_up,
    mains,
    noise_energy,
    orders,
    share_of,
)
from fdpedu.claims.boosting.fits import ROWS as FEW
from fdpedu.claims.boosting.fits import fitted
from fdpedu.claims.boosting.questions import SMALL
from fdpedu.claims.boosting.table import ZERO
from fdpedu.claims.checking import require
from fdpedu.claims.federations import dealt
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.gradients import AdditiveModel, TreeShapes, probabilities
from fdpedu.gradients.additive import Questions, WeightedTrees
from fdpedu.randomness import Rehearsal

WIDE = Domain(
    [*(Numeric.grid(f"x{j}", 0, 4, bins=4, missing=j == 1) for j in range(4)), Categorical("ward", ("A", "B", "C"))],
    ("well", "ill"),
)
SEED, ROWS = bytes(range(8)), 200  # of made-up rows
HALF = Fraction(1, 2)


class Hand:
    """What a reader of the definition keeps from round to round: M₁, the curves before, and what interactions weigh.

    Parameters
    ----------
    rules : of the ensemble
    marginals : of which the shares of codes are taken
    variance : of the noise of all parties in a sum, in steps of 1/64
    seed, n_rows : of the made-up rows
    """

    def __init__(self, rules: Rules, marginals: Marginals, variance: Fraction, seed: bytes, n_rows: int) -> None:
        self.rules, self.variance = rules, variance / STEPS**2
        self.shares = [[Fraction(m) for m in share.tolist()] for share in marginals.shares]
        self.p = len(self.shares)
        ends = [[round(2**30 * sum(share[: c + 1])) for c in range(len(share))] for share in self.shares]
        self.rows = made_up(seed, ends, n_rows)
        self.step, self.t = rules.step, 0
        self.signal, self.noise, self.degrees, self.pairs, self.watched = Fraction(0), Fraction(0), 0, 0, 0
        self.before: list[list[Fraction]] | None = None

    def ratio(self) -> float:
        """R·B·(mean pairs of a tree)/(all pairs)·max(0, E/V − 1 − 4√(2/D)), in units of 1/4096."""
        if not self.noise or not self.degrees or self.p == 1:
            return 0.0
        above = float(self.signal / self.noise) - 1 - 4 * math.sqrt(2 / self.degrees)
        trees = self.rules.rounds * self.rules.trees_per_round
        return UNIT * trees * self.pairs / self.watched / math.comb(self.p, 2) * max(0.0, above)

    def after(self, model: AdditiveModel, trees: TreeShapes, sums: Any, found: WeightedTrees, kept: Round) -> None:
        """Go a round by hand, and require of the library's that it is the same, within one unit where it rounds."""
        ratio, k = self.ratio(), len(trees.trees[0])
        require(abs(kept.ratio - min(ratio, 2**40)) <= 1 + ratio * 1e-9, f"SNR₂ is {kept.ratio}, by hand {ratio:.1f}")
        rule = self.rules.most_questions if kept.ratio >= 5 * UNIT else self.rules.questions
        require(kept.questions == k == rule, f"trees ask {k} questions, and {rule} are due at {kept.ratio / UNIT}")
        h = Fraction(kept.curvature, UNIT)
        exact = max(Fraction(8, 100), self.curvature(model))
        require(abs(h - exact) <= Fraction(1, UNIT), f"h is {float(h)}, by hand {float(exact)}")
        split = [self.split(questions, pulls, h) for questions, pulls in zip(trees.trees, sums.tolist(), strict=True)]
        self.guard(split, kept.step)
        late = self.t >= self.rules.rounds // 4
        least = Fraction(kept.step * (k - 1), max(1, self.p - 1)) if self.rules.form == "trees" else Fraction(0)
        bold = min(float(kept.step), 5 * UNIT * math.log1p(kept.ratio / UNIT)) if late else 0.0
        if self.rules.form == "trees":
            second = max(float(least), bold)
            require(abs(kept.second_step - second) <= 1, f"M₂ is {kept.second_step}, by hand {second:.1f}")
        self.weights(split, kept, found, k)
        mean = sum((one["mean"] for one in split), Fraction(0)) / len(split)
        noise = sum((one["noise of the mean"] for one in split), Fraction(0)) / len(split) ** 2
        moved = model.intercept + UNIT * mean / (1 + 4 * self.rules.rounds * noise)
        require(abs(kept.intercept - moved) <= 1, f"the intercept is {kept.intercept}, by hand {float(moved):.1f}")
        if late:
            self.signal += sum((one["energy"] for one in split), Fraction(0)) / len(split)
            self.noise += sum((one["noise"] for one in split), Fraction(0)) / len(split)
            factors = len(split[0]["factors"])
            self.degrees += len(split) * (2**k - 1 - factors)
            self.pairs, self.watched = self.pairs + math.comb(factors, 2), self.watched + 1
        self.t += 1

    def curvature(self, model: AdditiveModel) -> Fraction:
        """The mean of P(1 − P) over the made-up rows.

        Shares: gradients.probabilities: the public table, which has a claim of its own (lem-pull-table).
        """
        table, whole = probabilities(UNIT).tolist(), 0
        for row in zip(*self.rows, strict=True):
            score = model.intercept
            for questions, weights in model.trees:
                leaf = int("".join("10"[mask >> row[feature] & 1] for feature, mask in questions), 2)
                score += weights[leaf]
            p = table[ZERO + max(-512, min(512, (score + 32) // 64))]
            whole += p * (UNIT - p)
        return Fraction(whole, UNIT**2 * len(self.rows[0]))

    def factors(self, questions: Questions) -> list[tuple[int, list[int], list[Fraction]]]:
        """Of what a tree's leaves are a product: a feature, the answers of its codes, the share of each answer."""
        parts = [questions] if self.rules.form == "curves" else [(question,) for question in questions]
        found = []
        for asked in parts:
            feature = asked[0][0]
            share = self.shares[feature]
            answers = [int("".join("10"[mask >> c & 1] for _, mask in asked), 2) for c in range(len(share))]
            of = [
                sum((m for m, a in zip(share, answers, strict=True) if a == b), Fraction(0))
                for b in range(2 ** len(asked))
            ]
            found.append((feature, answers, of))
        return found

    def split(self, questions: Questions, pulls: Sequence[int], h: Fraction) -> dict[str, Any]:
        """The tree's Newton steps, apart by order, and the noise in them."""
        asked = self.factors(questions)
        factors = [share for _, _, share in asked]
        mu = [share_of(leaf, factors) for leaf in leaves_of(factors)]
        weight = [self.rules.nominal_size * h * (m + Fraction(1, len(mu))) for m in mu]
        w = [-Fraction(g, STEPS) / x if m else Fraction(0) for g, x, m in zip(pulls, weight, mu, strict=True)]
        v = [self.variance / x**2 if m else Fraction(0) for x, m in zip(weight, mu, strict=True)]
        mean, _, rest = orders(w, factors)
        rest = [r if m else Fraction(0) for r, m in zip(rest, mu, strict=True)]
        return {
            "asked": asked,
            "factors": factors,
            "mean": mean,
            "mains": mains(w, factors),
            "rest": rest,
            "energy": energy(rest, factors),
            "noise": noise_energy(v, factors),
            "noise of the mean": sum((m * m * x for m, x in zip(mu, v, strict=True)), Fraction(0)),
        }

    def guard(self, split: Sequence[dict[str, Any]], step: int) -> None:
        """One cosine of the curves of all features together; below −.4 the step is halved in this round."""
        curves: list[list[Fraction]] = []
        for j, share in enumerate(self.shares):
            own = [
                [effect[a] for a in answers]
                for one in split
                for (feature, answers, _), effect in zip(one["asked"], one["mains"], strict=True)
                if feature == j
            ]
            curves.append(
                [sum(at, Fraction(0)) / len(own) for at in zip(*own, strict=True)]
                if own
                else [Fraction(0)] * len(share)
            )
        before, self.before = self.before, curves
        if before is not None:

            def dot(a: Sequence[Sequence[Fraction]], b: Sequence[Sequence[Fraction]]) -> float:
                triples = (zip(*three, strict=True) for three in zip(self.shares, a, b, strict=True))
                return float(sum((m * x * y for three in triples for m, x, y in three), Fraction(0)))

            lengths = math.sqrt(dot(curves, curves) * dot(before, before))
            cosine = dot(curves, before) / lengths if lengths else 0.0
            if abs(UNIT * cosine + 1638.5) <= 1:  # where rounding decides
                self.step = step
            elif UNIT * cosine < -1638:
                self.step //= 2
        require(step == self.step, f"M₁ is {step} in round {self.t}, by hand {self.step}")

    def weights(self, split: Sequence[dict[str, Any]], kept: Round, found: WeightedTrees, k: int) -> None:
        """M₁·w₁ and M₂·w₂, each divided by the rounds and by how often a round asks about a feature, or a pair."""
        features = k if self.rules.form == "trees" else 1
        trees, pairs = len(split), max(1, math.comb(self.p, 2))
        one = max(Fraction(1), Fraction(trees * features, self.p)) * self.rules.rounds
        two = max(Fraction(1), Fraction(trees * math.comb(features, 2), pairs)) * self.rules.rounds
        for tree, (_, weights) in zip(split, found, strict=True):
            for leaf, rest, w in zip(leaves_of(tree["factors"]), tree["rest"], weights, strict=True):
                first = sum((tree["mains"][i][b] for i, b in enumerate(leaf)), Fraction(0))
                exact = kept.step * first / one + kept.second_step * rest / two
                exact = max(Fraction(-(2**20)), min(Fraction(2**20), exact))
                require(abs(w - exact) <= 1, f"a leaf's weight is {w}, by hand {float(exact):.2f}")


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
        "curvature_of(self._known.of(model))",
        "UNIT // 4",
        "A quarter is the largest Hessian, so it is the safe one.",
    ),
)
