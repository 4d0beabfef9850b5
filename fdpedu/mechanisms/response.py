"""Randomised response: every person adds noise to their own answer, and needs to trust no one.

With k possible answers the truth is reported with probability 1/(1 + (k−1)α), and each other answer with α times that,
where α = e^{−ε}. What is protected is one person's own answer: the neighbours are two answers of the same person, a
substitution. The guarantee is *local*: it holds against everybody, the one who collects the answers included.

Claims: thm-randomised-response
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fdpedu.exact import Enclosure, Rate, Rational, as_integer, as_integers
from fdpedu.exact.integers import unframed
from fdpedu.randomness import Rng, as_source
from fdpedu.sampling import Law, sample
from fdpedu.sampling.law import Bounds


def randomised_response(
    answers: ArrayLike,
    epsilon: Rational | None = None,
    rng: Rng = None,
    *,
    categories: int = 2,
    alpha: Rational | None = None,
) -> NDArray[np.int64]:
    """Each answer, or another one: independent draws of :func:`randomised_response_pmf`.

    Contract: one answer per person; a second answer costs ε again.

    Claims: thm-randomised-response

    Parameters
    ----------
    answers : integers 0, …, categories − 1, any shape
    epsilon : greater than 0, read exactly (or give ``alpha``)
    rng : None for the operating system's entropy; a generator is for teaching, and warns
    categories : how many answers there are, 2 ≤ k ≤ 4000
    alpha : in place of ``epsilon``: e^{−ε} as a fraction in (0, 1)

    Examples
    --------
    >>> from fdpedu.randomness import ZeroWords
    >>> randomised_response([0, 1, 2], 1, ZeroWords(), categories=3).tolist()
    [0, 1, 2]
    """
    rate, k = Rate.of(epsilon, alpha), _categories(categories)
    try:
        truth = as_integers(answers, "answers")
        if truth.size and (truth.min() < 0 or truth.max() >= k):
            raise ValueError
    except ValueError:
        raise ValueError(f"answers must be integers from 0 to {k - 1}") from None
    # thm-randomised-response: the draws of different people are independent
    steps = sample(_offset_law(rate, k), truth.size, as_source(rng)).reshape(truth.shape)
    return (truth + steps) % k


def randomised_response_pmf(
    answer: int, truth: int, epsilon: Rational | None = None, *, categories: int = 2, alpha: Rational | None = None
) -> Fraction | Enclosure:
    """Pr[answer | truth]: 1/(1 + (k−1)α) for the truth, α/(1 + (k−1)α) for every other answer.

    >>> randomised_response_pmf(0, 0, alpha="1/3"), randomised_response_pmf(1, 0, alpha="1/3")
    (Fraction(3, 4), Fraction(1, 4))
    """
    rate, k = Rate.of(epsilon, alpha), _categories(categories)
    reported, true = (as_integer(a, name, minimum=0) for a, name in ((answer, "answer"), (truth, "truth")))
    if max(reported, true) >= k:
        raise ValueError(f"answers must be integers from 0 to {k - 1}")
    a: Any = rate.weight(1)
    return (1 if reported == true else a) / (1 + (k - 1) * a)


def estimate_counts(
    reported: Sequence[int], epsilon: Rational | None = None, *, alpha: Rational | None = None
) -> list[Any]:
    """Unbiased estimates of how many people have each answer, from how many reported it.

    E[reported_j] = true_j·p + (n − true_j)·q with p, q the two probabilities, so (reported_j − nq)/(p − q) is unbiased.
    Post-processing: it costs nothing, and may be negative.

    >>> estimate_counts([60, 40], alpha="1/3")
    [Fraction(70, 1), Fraction(30, 1)]
    """
    reported = unframed(reported, "reported")
    if not isinstance(reported, (Sequence, np.ndarray)) or isinstance(reported, (str, bytes)):
        raise ValueError("reported must be a list of counts")
    counts = [as_integer(count, "reported", minimum=0) for count in reported]
    rate, k, n = Rate.of(epsilon, alpha), _categories(len(counts)), sum(counts)
    a: Any = rate.weight(1)
    return [(count * (1 + (k - 1) * a) - n * a) / (1 - a) for count in counts]


def _categories(categories: Any) -> int:
    k = as_integer(categories, "categories", minimum=2)
    if k > 4000:
        raise ValueError(f"categories must be at most 4000, got {k}")
    return k


@lru_cache(maxsize=64)
def _offset_law(rate: Rate, k: int) -> Law:
    """The step from the truth to the answer, modulo k: 0 with probability 1/(1 + (k−1)α)."""

    def bounds(n: int, bits: int) -> Bounds:
        alpha = rate.power(1, digits=bits // 3 + 10)
        one, others = 1 << bits, k - 1
        lower = [math.floor(one * (1 + j * alpha.lower) / (1 + others * alpha.upper)) for j in range(others)]
        upper = [math.ceil(one * (1 + j * alpha.upper) / (1 + others * alpha.lower)) for j in range(others)]
        return [*lower, one], [*(min(one, u) for u in upper), one]

    return Law(bounds, terms=k, last=k - 1)
