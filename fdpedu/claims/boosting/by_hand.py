"""A round of boosting by hand, in fractions: what the released sums give, written without the library's functions.

Leaves are tuples of answers. A tree of k questions has k factors of two answers each; a tree of a curve has one factor,
whose answers are its leaves.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from typing import Any

from fdpedu.boosting import Marginals, Rules
from fdpedu.boosting.course import Round
from fdpedu.claims.boosting.table import ZERO
from fdpedu.claims.checking import require
from fdpedu.gradients import AdditiveModel, TreeShapes, probabilities
from fdpedu.gradients.additive import Questions, WeightedTrees

Share = Sequence[Fraction]
Leaf = tuple[int, ...]
UNIT, STEPS = 4096, 64


def leaves_of(factors: Sequence[Share]) -> list[Leaf]:
    """All leaves in the order of their numbers: the first factor counts most."""
    return list(product(*(range(len(share)) for share in factors)))


def share_of(leaf: Leaf, factors: Sequence[Share], without: int | None = None) -> Fraction:
    """The product of the shares of a leaf's answers, one factor left out."""
    return math.prod(
        (share[b] for i, (b, share) in enumerate(zip(leaf, factors, strict=True)) if i != without), start=Fraction(1)
    )


def orders(weights: Sequence[Fraction], factors: Sequence[Share]) -> tuple[Fraction, list[Fraction], list[Fraction]]:
    """w₀, w₁ and w₂ as in the lemma, leaf by leaf."""
    leaves = leaves_of(factors)
    whole = sum((share_of(leaf, factors) * w for leaf, w in zip(leaves, weights, strict=True)), Fraction(0))
    first = [
        sum((m[i][b] for i, b in enumerate(leaf)), Fraction(0)) for m in [mains(weights, factors)] for leaf in leaves
    ]
    return whole, first, [w - whole - one for w, one in zip(weights, first, strict=True)]


def mains(weights: Sequence[Fraction], factors: Sequence[Share]) -> list[list[Fraction]]:
    """w̄ᵢ(b) − w₀ of every answer of every factor; 0 for an answer of share 0."""
    leaves = leaves_of(factors)
    whole = sum((share_of(leaf, factors) * w for leaf, w in zip(leaves, weights, strict=True)), Fraction(0))
    return [
        [
            sum(
                (share_of(leaf, factors, i) * w for leaf, w in zip(leaves, weights, strict=True) if leaf[i] == b),
                Fraction(0),
            )
            - whole
            if share[b]
            else Fraction(0)
            for b in range(len(share))
        ]
        for i, share in enumerate(factors)
    ]


def energy(second: Sequence[Fraction], factors: Sequence[Share]) -> Fraction:
    """Σ μ·w₂²."""
    return sum(
        (share_of(leaf, factors) * w**2 for leaf, w in zip(leaves_of(factors), second, strict=True)), Fraction(0)
    )


def noise_energy(variances: Sequence[Fraction], factors: Sequence[Share]) -> Fraction:
    """The mean of Σ μ·w₂² where leaves have independent noise: leaf by leaf, from the split of a single 1."""
    leaves = leaves_of(factors)
    ones = ([Fraction(i == j) for j in range(len(leaves))] for i in range(len(leaves)))
    return sum(
        (v * energy(orders(one, factors)[2], factors) for v, one in zip(variances, ones, strict=True)), Fraction(0)
    )


def made_up(seed: bytes, ends: Sequence[Sequence[int]], n: int) -> list[list[int]]:
    """Made-up rows, feature by feature: words of SHAKE-256, looked up in cumulated shares in units of 2⁻³⁰."""
    stream = hashlib.shake_256(b"fdpedu made-up rows\0" + seed).digest(8 * n * len(ends))
    words = [int.from_bytes(stream[i : i + 8], "little") >> 34 for i in range(0, len(stream), 8)]
    return [[sum(end <= word for end in of) for word in words[j * n : (j + 1) * n]] for j, of in enumerate(ends)]


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
