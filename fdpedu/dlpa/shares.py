"""Pólya shares: integers whose sum over the parties is exactly a discrete Laplace number.

A share can be drawn without any table, from one geometric number and rational coins. The m shares of a geometric
number g are the colours of Pólya's urn; and the urn is a random permutation of g things whose cycles are coloured
independently, with probability 1/m for this party. The cycle lengths of a random permutation are easy: the first is
uniform on 1..g, the next is uniform on what is left, and so on. That is :func:`negative_binomial_by_cycles`, the
readable form. What is shipped, :func:`negative_binomial`, has the same law from one look-up, and for large values a
further word.

Guarantee: with at most ``tolerate`` colluders, the sum is ε-DP (see :mod:`fdpedu.mechanisms`). Arithmetic: integers.
Not guaranteed: anything against parties that deviate from the protocol (they are honest but curious).

Claims: thm-polya-shares, thm-tolerate
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fdpedu.exact import Integers, Rate, Rational, as_integer
from fdpedu.randomness import Rng, Source, as_source, uniform_below
from fdpedu.sampling import geometric, negative_binomial


def polya_shares(
    n_parties: int,
    epsilon: Rational | None = None,
    size: int = 1,
    rng: Rng = None,
    *,
    sensitivity: int = 1,
    tolerate: int = 0,
    alpha: Rational | None = None,
) -> NDArray[np.int64]:
    """The noise shares of all parties, shape (n_parties, size); their sum over any n_parties − tolerate rows is enough.

    Summed over n_parties − tolerate parties, each column is exactly discrete Laplace with α = e^{−epsilon/sensitivity}.

    Claims: thm-polya-shares, thm-tolerate

    Parameters
    ----------
    n_parties : K ≥ 1
    epsilon : greater than 0, read exactly (or give ``alpha``)
    size : how many numbers each party's share has
    rng : None for the operating system's entropy; a generator is for teaching, and warns
    sensitivity : integer ≥ 1, of the sum that the noise is for; 1 with ``alpha``
    tolerate : 0 ≤ c < K, how many colluders or drop-outs the noise withstands
    alpha : in place of ``epsilon``, a fraction in (0, 1)

    Examples
    --------
    >>> from fdpedu.randomness import ZeroWords
    >>> polya_shares(3, 1, 2, ZeroWords(), tolerate=1).tolist()
    [[0, 0], [0, 0], [0, 0]]
    """
    rate = Rate.of(epsilon, alpha, sensitivity)
    size = as_integer(size, "size", minimum=0, maximum=2**32)
    # thm-tolerate: any K − c shares make up the full noise, so c colluders or drop-outs are withstood
    n_noise_shares = count_noise_shares(n_parties, tolerate)
    # thm-polya-shares: the shares of different parties are independent
    sources = as_source(rng).spawn(n_parties)
    return np.array([polya_share(rate, n_noise_shares, size, source) for source in sources])


def count_noise_shares(n_parties: int, tolerate: int) -> int:
    """m = n_parties − tolerate: how many shares make up the full noise."""
    n_parties = as_integer(n_parties, "n_parties", minimum=1, maximum=10**9)
    tolerate = as_integer(tolerate, "tolerate", minimum=0)
    if tolerate >= n_parties:
        raise ValueError(f"tolerate must be less than the number of parties ({n_parties}), got {tolerate}")
    return n_parties - tolerate


def polya_share(rate: Rate, n_noise_shares: int, size: int, source: Source) -> Integers:
    """One party's share: the difference of two NB(1/n_noise_shares, α) numbers."""
    return negative_binomial(rate, n_noise_shares, size, source) - negative_binomial(rate, n_noise_shares, size, source)


def negative_binomial_by_cycles(rate: Rate, n_noise_shares: int, size: int, source: Source) -> Integers:
    """Independent exact NB(1/m, α) integers, as :func:`negative_binomial` gives them, but slower for small ε.

    A geometric number is cut into the cycles of a random permutation; each cycle is this party's with probability 1/m.

    Claims: lem-cycles

    Examples
    --------
    >>> from fdpedu.randomness import ZeroWords
    >>> negative_binomial_by_cycles(Rate.of(epsilon="1/1000"), 3, 2, ZeroWords()).tolist()
    [0, 0]
    """
    left = geometric(rate, size, source)
    if n_noise_shares == 1:
        return left
    share = np.zeros(size, dtype=np.int64)
    open_ = np.flatnonzero(left)
    while open_.size:
        # lem-cycles: the length of the first cycle is uniform
        cycle = 1 + uniform_below(left[open_], source)
        mine = uniform_below(np.full(open_.size, n_noise_shares), source) == 0
        share[open_] += np.where(mine, cycle, 0)
        left[open_] -= cycle
        open_ = open_[left[open_] > 0]
    return share
