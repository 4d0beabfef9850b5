"""One sample of the rows for many queries: what it costs, and what is booked if each query is amplified by itself."""

from __future__ import annotations

from fractions import Fraction

from fdpedu.exact import Enclosure, Rational, as_fraction, as_integer, exp_enclosure, log_enclosure, shown

_DIGITS = 60
MAX_EXPONENT = 1000


def poisson_rdp2(q: Rational, sigma: Rational, queries: int, *, once: bool) -> Enclosure:
    """The Rényi divergence of order 2 of Gaussian queries on rows that were drawn with probability q each.

    Claims: lem-sample-once

    One query of ℓ₂ sensitivity 1 has ln(1 + q²·(e^{1/σ²} − 1)), from the rows with a record to those without it. If
    each query has a sample of its own, k of them have k times that. If one sample answers all k, as in a tree whose
    rows are drawn once, then they are one query of k numbers, and have ln(1 + q²·(e^{k/σ²} − 1)).

    Parameters
    ----------
    q : from 0 to 1
    sigma : σ > 0, of the noise
    queries : k, from 1 to 10⁶; k/σ² at most 1000
    once : whether one sample answers all queries

    Examples
    --------
    >>> poisson_rdp2("1/10", 5, 90, once=False)  # booked
    0.0367... (±...)
    >>> poisson_rdp2("1/10", 5, 90, once=True)  # true
    0.3045... (±...)
    """
    share, deviation = as_fraction(q, "q"), as_fraction(sigma, "sigma")
    k = as_integer(queries, "queries", minimum=1, maximum=10**6)
    if not 0 <= share <= 1:
        raise ValueError(f"q must lie between 0 and 1, got {shown(share)}")
    if deviation <= 0:
        raise ValueError(f"sigma must be greater than 0, got {shown(deviation)}")
    if not isinstance(once, bool):
        raise ValueError(f"once must be True or False, got {type(once).__name__}")
    exponent = (k if once else 1) / deviation**2
    if exponent > MAX_EXPONENT:
        raise ValueError(f"sigma must be larger: the exponent 1/σ², or k/σ² of one sample, is above {MAX_EXPONENT}")
    grown = exp_enclosure(Fraction(exponent), _DIGITS)
    ends = [1 + share**2 * (end - 1) for end in (grown.lower, grown.upper)]
    low, high = (log_enclosure(end, _DIGITS) for end in ends)
    return (1 if once else k) * Enclosure(max(Fraction(0), low.lower), high.upper)
