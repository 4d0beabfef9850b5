"""Main effects and interactions apart, and how much of both noise alone would show."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from types import ModuleType
from typing import Any

import numpy as np

from fdpedu.boosting.orders import noise_of_interactions, orders_apart
from fdpedu.claims.boosting.by_hand import Share, leaves_of, mains, noise_energy, orders, share_of
from fdpedu.claims.checking import require
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim

HALVES, UNEVEN, SURE = tuple(tuple(map(Fraction, share)) for share in (("1/2", "1/2"), ("1/4", "3/4"), ("0", "1")))
NEAR = 1e-9
Numbers = Sequence[Fraction]


def mean(values: Numbers, factors: Sequence[Share], fixed: tuple[int, int] | None = None) -> Fraction:
    """Over all leaves by their shares; or over those with one answer fixed, by the shares of the others."""
    i, answer = fixed if fixed else (None, 0)
    pairs = zip(leaves_of(factors), values, strict=True)
    return sum((share_of(leaf, factors, i) * v for leaf, v in pairs if i is None or leaf[i] == answer), Fraction(0))


def apart(factors: Sequence[Share], weights: Numbers) -> None:
    """w₁ and w₂ have the mean 0, w₂ also given any one answer; they are orthogonal, so squares add up.

    The library finds the same, tree by tree.
    """
    whole, first, second = orders(weights, factors)
    given = [(i, b) for i, share in enumerate(factors) for b in range(len(share)) if share[b]]
    require(not mean(first, factors) and not mean(second, factors), "a part has a mean")
    left = [fixed for fixed in given if mean(second, factors, fixed)]
    require(not left, f"w₂ has a mean given the answers {left}")
    require(not mean([a * b for a, b in zip(first, second, strict=True)], factors), "w₁ and w₂ are not orthogonal")
    squares = [mean([v * v for v in part], factors) for part in (weights, first, second)]
    require(squares[0] == whole**2 + squares[1] + squares[2], f"squares do not add up: {squares}")
    kept = [w if share_of(leaf, factors) else 0 for leaf, w in zip(leaves_of(factors), weights, strict=True)]
    expected = orders([Fraction(w) for w in kept], factors)
    found = orders_apart(np.array([kept], dtype=float), np.array([factors], dtype=float))
    require(abs(found[0][0] - float(expected[0])) <= NEAR, f"the mean is {found[0][0]}, expected {expected[0]}")
    near(found[1].ravel(), [m for effect in mains([Fraction(w) for w in kept], factors) for m in effect])
    shown = zip(leaves_of(factors), expected[2], strict=True)
    near(found[2].ravel(), [w if share_of(leaf, factors) else Fraction(0) for leaf, w in shown])


def near(found: Any, expected: Numbers) -> None:
    """The library's floats are the fractions."""
    wrong = [(f, e) for f, e in zip(found.tolist(), expected, strict=True) if abs(f - float(e)) > NEAR * (1 + abs(e))]
    require(not wrong, f"the library has {wrong[:1]}, and the second is right")


def only_way(factors: Sequence[Share], constant: Fraction, effects: Numbers, rest: Numbers) -> None:
    """A constant, effects of mean 0 and a rest without means are found again, as they were added up."""
    centred = []
    for share, effect in zip(factors, (effects[i : i + 2] for i in range(0, 2 * len(factors), 2)), strict=True):
        middle = sum((m * e for m, e in zip(share, effect, strict=True)), Fraction(0))
        centred.append([e - middle for e in effect])
    third = orders(rest, factors)[2]
    added = [constant + sum(m[b] for m, b in zip(centred, leaf, strict=True)) for leaf in leaves_of(factors)]
    found = orders([a + t for a, t in zip(added, third, strict=True)], factors)
    seen = [i for i, leaf in enumerate(leaves_of(factors)) if share_of(leaf, factors)]
    require(found[0] == constant, f"the constant is {found[0]}, not {constant}")
    require(all(found[2][i] == third[i] for i in seen), f"the rest is {found[2]}, not {third}")


def trees(most: int) -> Iterator[tuple[Sequence[Share], Numbers]]:
    """Two and three questions of even, uneven and sure shares; one 1 among the leaves, and many numbers."""
    for k in (1, 2, 3)[: most + 1]:
        for factors in product((HALVES, UNEVEN, SURE), repeat=k):
            for at in range(2**k):
                yield factors, [Fraction(i == at) for i in range(2**k)]
            yield factors, [Fraction(3 * i * i - 7 * i, 1 + i % 3) for i in range(2**k)]


def random_trees(draw: ModuleType) -> Any:
    """Up to four questions with any shares in sixteenths, none included, and whole weights."""
    share = draw.integers(0, 16).map(lambda n: (Fraction(n, 16), Fraction(16 - n, 16)))
    return draw.integers(1, 4).flatmap(
        lambda k: draw.tuples(draw.tuples(*[share] * k), draw.tuples(*[draw.integers(-50, 50).map(Fraction)] * 2**k))
    )


def random_parts(draw: ModuleType) -> Any:
    """Shares as above, a constant, two effects for each question, and a rest."""

    def of(drawn: tuple[Sequence[Share], Numbers]) -> Any:
        number = draw.integers(-50, 50).map(Fraction)
        return draw.tuples(
            draw.st.just(drawn[0]), number, draw.tuples(*[number] * 2 * len(drawn[0])), draw.st.just(drawn[1])
        )

    return random_trees(draw).flatmap(of)


# --- noise ------------------------------------------------------------------------------------------------------------


def noise_alone(factors: Sequence[Share], variances: Numbers) -> None:
    """The mean of Σ μ·w₂² of noise, by splitting it in one leaf after another, is the formula's and the library's."""
    leaves = leaves_of(factors)
    exact = noise_energy(variances, factors)
    stated = Fraction(0)
    for leaf, v in zip(leaves, variances, strict=True):
        mu = share_of(leaf, factors)
        explained = mu + sum(
            (
                (1 - share[b]) * share_of(leaf, factors, i)
                for i, (b, share) in enumerate(zip(leaf, factors, strict=True))
            ),
            Fraction(0),
        )
        stated += mu * v * (1 - explained)
    require(exact == stated, f"noise alone shows {exact}, in the lemma it is {stated}")
    near(noise_of_interactions(np.array([variances], dtype=float), np.array([factors], dtype=float)), [exact])


def dimensions(k: int) -> None:
    """With equal shares noise of variance 1 shows (L−1−k)/L, and by the traces it is spread as χ² of L−1−k squares."""
    factors, n = [HALVES] * k, 2**k
    columns = [orders([Fraction(i == j) for i in range(n)], factors)[2] for j in range(n)]
    require(noise_energy([Fraction(1)] * n, factors) == Fraction(n - 1 - k, n), "the mean")
    trace = sum(columns[j][j] for j in range(n))
    squares = sum(v * v for column in columns for v in column)
    require(trace == squares == n - 1 - k, f"the projection has the traces {trace} and {squares}, not {n - 1 - k}")


def random_noise(draw: ModuleType) -> Any:
    """Shares as above, and a variance for each leaf."""
    return random_trees(draw).map(lambda drawn: (drawn[0], [abs(w) for w in drawn[1]]))


CLAIMS = (
    Claim(
        "lem-orders-apart",
        status="checked",
        code=("fdpedu.boosting.orders", "fdpedu.boosting.orders.orders_apart"),
        checks=(
            Check(
                "apart",
                "exact",
                "questions of even, uneven and sure shares, a 1 in every leaf, and other weights: means, "
                "orthogonality, squares, and the library's split",
                apart,
                trees,
                1,
                2,
            ),
            Check(
                "random trees",
                "property",
                "{size} random trees of up to four questions",
                apart,
                random_trees,
                10,
                2000,
            ),
            Check(
                "the only way",
                "property",
                "{size} random trees, made of a constant, effects and a rest: these are found again",
                only_way,
                random_parts,
                10,
                2000,
            ),
        ),
        assumptions=(
            "questions of different features, which are taken for independent",
            "the library computes in floats",
        ),
    ),
    Claim(
        "lem-noise-of-interactions",
        status="checked",
        code=(
            "fdpedu.boosting.orders",
            "fdpedu.boosting.orders.noise_of_interactions",
            "fdpedu.boosting.steps.Energy.ratio",
        ),
        checks=(
            Check(
                "noise alone",
                "exact",
                "questions of even, uneven and sure shares: noise in one leaf after another, and of many",
                noise_alone,
                lambda most: ((f, [abs(w) for w in weights]) for f, weights in trees(most)),
                1,
                2,
            ),
            Check("random noise", "property", "{size} random trees and variances", noise_alone, random_noise, 10, 2000),
            Check(
                "dimensions",
                "exact",
                "one to {size} questions of equal shares: the mean and the spread by the traces of the projection",
                dimensions,
                lambda most: ((k,) for k in range(1, most + 1)),
                4,
                6,
            ),
        ),
        assumptions=(
            "independent noise of mean 0 in the leaves",
            "the spread: Gaussian noise, equal shares and variances",
        ),
        uses=("lem-orders-apart",),
    ),
)

_ORDERS = "fdpedu.boosting.orders"
TWINS = (
    Broken(
        "main effects by leaves, not by rows",
        f"{_ORDERS}.orders_apart",
        "moved = shares * weights",
        "moved = weights / weights.shape[1] + 0 * shares",
        "The mean of a tree is the mean of its leaves.",
        "lem-orders-apart",
        "apart",
    ),
    Broken(
        "noise of interactions with all of the noise",
        f"{_ORDERS}.noise_of_interactions",
        "kept -= (1.0 - leaf_shares(own)) * leaf_shares(others)",
        "kept -= 0 * (1.0 - leaf_shares(own)) * leaf_shares(others)",
        "Noise in the leaves is noise of interactions.",
        "lem-noise-of-interactions",
        "noise alone",
    ),
)
