"""What totals tell of votes that nobody shows: how many are certain, and how many bits the totals carry.

Shares hide who voted for what, given the totals. The totals are public; and who colludes subtracts its own votes.

Claims: lem-certain-votes, lem-vote-bits, lem-noisy-totals
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from fdpedu.exact import Rational, as_integer, as_integers, as_list, as_positive_fraction

MAX_CHOICES, MAX_OUTSIDERS = 64, 64
_LEAST = 1e-300


def certain_votes(totals: Any, own: Sequence[Any] = ()) -> int:
    """How many votes of others are certain to those who know the totals and their own votes: all of them, or none.

    Claims: elzein-certainty-as-printed, lem-certain-votes

    Parameters
    ----------
    totals : votes for each choice, integers ≥ 0, shape (M,)
    own : the positions that the colluders voted for themselves; none of an outsider, such as the coordinator

    Raises
    ------
    ValueError
        If the totals do not contain the colluders' own votes.

    Examples
    --------
    >>> certain_votes([2, 1], own=[1]), certain_votes([2, 1], own=[0]), certain_votes([3, 0])
    (2, 0, 3)
    """
    counts = as_integers(totals, "totals")
    if counts.ndim != 1 or not counts.size or (counts < 0).any():
        raise ValueError("totals must be a list of numbers of votes, at least one, none below 0")
    rest = counts.copy()
    for vote in as_list(own, "own"):
        at = as_integer(vote, "own", minimum=0, maximum=len(counts) - 1)
        rest[at] -= 1
    if (rest < 0).any():
        raise ValueError("own must be among the votes that totals count")
    # lem-certain-votes: two different votes among the others may be exchanged, and nobody sees it
    return int(rest.sum()) if np.count_nonzero(rest) <= 1 else 0


def vote_information(n_choices: int, outsiders: int) -> float:
    """Bits that the totals tell of one outsider's vote, if all outsiders vote independently and uniformly.

    Claims: lem-vote-bits

    Parameters
    ----------
    n_choices : M, from 1 to 64
    outsiders : how many votes are not the colluders' own, from 1 to 64

    Examples
    --------
    >>> [round(vote_information(2, m), 3) for m in (1, 2, 3, 4)], round(vote_information(5, 4), 3)
    ([1.0, 0.5, 0.311, 0.219], 0.874)
    """
    m = as_integer(n_choices, "n_choices", minimum=1, maximum=MAX_CHOICES)
    n = as_integer(outsiders, "outsiders", minimum=1, maximum=MAX_OUTSIDERS)
    # lem-vote-bits: given the totals T, a vote is for j with probability T_j/n; T_j is binomial
    left = math.fsum(m * math.comb(n, t) * (m - 1) ** (n - t) / m**n * (t / n) * -math.log2(t / n) for t in range(1, n))
    return math.log2(m) - left


def threshold_information(n_values: int, outsiders: int) -> float:
    """Bits that the sum of thresholds tells of one outsider's, all independent and uniform on so many values.

    Claims: lem-vote-bits

    Parameters
    ----------
    n_values : from 1 to 4096, equally spaced
    outsiders : whose thresholds are not the colluders' own, from 1 to 64

    Examples
    --------
    >>> [round(threshold_information(10, m), 3) for m in (1, 2, 3)]
    [3.322, 0.709, 0.321]
    """
    v = as_integer(n_values, "n_values", minimum=1, maximum=2**12)
    n = as_integer(outsiders, "outsiders", minimum=1, maximum=MAX_OUTSIDERS)
    # lem-vote-bits: I(x₁; Σ) = H(Σ of n) − H(Σ of n − 1)
    return _entropy_of_sum(v, n) - _entropy_of_sum(v, n - 1)


@cache
def _entropy_of_sum(n_values: int, n: int) -> float:
    law = np.ones(1)
    for _ in range(n):
        law = np.convolve(law, np.full(n_values, 1 / n_values))
    positive = law[law > 0]
    return float(-(positive * np.log2(positive)).sum())


def totals_rate(epsilon: Rational) -> Fraction:
    """The rate of discrete Laplace noise on each total that makes all of them cost ε: ε/2.

    Claims: lem-noisy-totals

    >>> totals_rate(1)
    Fraction(1, 2)
    """
    # lem-noisy-totals: a vote that moves changes two totals by 1
    return as_positive_fraction(epsilon, "epsilon") / 2


def noisy_totals_win(n_parties: int, n_choices: int, epsilon: Rational) -> float:
    """The probability that a unanimous choice wins, if the totals get noise in place of the votes.

    A record may move a vote from one choice to another, so totals have sensitivity 2: discrete Laplace noise of rate
    ε/2 on each. Ties fall by a coin.

    Claims: lem-noisy-totals

    Parameters
    ----------
    n_parties : N ≥ 1, all of which vote for one choice
    n_choices : M ≥ 1
    epsilon : from 1/1000 to 1000

    Examples
    --------
    >>> round(noisy_totals_win(5, 11, 1), 3), round(noisy_totals_win(5, 31, 1), 3)
    (0.596, 0.338)
    """
    n = as_integer(n_parties, "n_parties", minimum=1, maximum=2**16)
    m = as_integer(n_choices, "n_choices", minimum=1, maximum=2**14)
    rate = totals_rate(epsilon)
    if not Fraction(1, 2000) <= rate <= 500:
        raise ValueError("epsilon must be from 1/1000 to 1000")
    alpha = math.exp(-float(rate))
    # the winner is n + X, the others Y: Pr[win] = E[Σ_t C(M−1, t) P(Y = X + n)^t P(Y < X + n)^(M−1−t)/(t + 1)]
    reach = n + math.ceil(45 / float(rate))
    values = np.arange(-reach, reach + 1, dtype=np.int64)
    decay = alpha ** np.abs(values).astype(float)  # α^|k|
    law = (1 - alpha) / (1 + alpha) * decay
    at_most = np.where(values < 0, decay / (1 + alpha), 1 - alpha * decay / (1 + alpha))
    x = values[values + n <= reach]
    place = np.searchsorted(values, x + n)
    below = at_most[place]
    # Σ_t C(M−1, t) e^t l^(M−1−t)/(t+1) = ((e + l)^M − l^M)/(M·e), with the part u of e in e + l = P(Y ≤ X + n)
    part = np.clip(law[place] / np.maximum(below, _LEAST), _LEAST, 1 - 2.0**-53)
    wins = below ** (m - 1) * -np.expm1(m * np.log1p(-part)) / (m * part)
    return float((law[: len(x)] * wins).sum())
