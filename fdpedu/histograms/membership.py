"""A membership test on the noisy histograms of p features, and how often it is right and wrong, exactly.

The attacker knows all records but one: it is there or not. If it is, it adds 1 to one cell of each of the p histograms.
A cell votes for it when its noisy count exceeds the count without the record. A cell's vote is all that its noisy count
says: whatever the number, it is e^ε times as likely under one of the two as under the other.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from fdpedu.exact import Rate, Rational, as_integer

MAX_FEATURES = 1000


@dataclass(frozen=True)
class MembershipTest:
    """How often the test says "there" when the record is there, and when it is not.

    Parameters
    ----------
    true_positives, false_positives : probabilities; fractions, or enclosures where e^ε is irrational
    """

    true_positives: Any
    false_positives: Any

    @property
    def ratio(self) -> Any:
        """True positives over false positives: an ε-DP release keeps it at or below e^ε, whatever the test."""
        return self.true_positives / self.false_positives


def membership_test(
    n_features: int, votes: int, epsilon: Rational | None = None, *, alpha: Rational | None = None
) -> MembershipTest:
    """The test that says "there" if enough of the p cells vote for it; each histogram has noise of rate ε.

    Per cell the noise is discrete Laplace, α = e^{−ε}: a vote has probability 1/(1+α) with the record and α/(1+α)
    without it, so the number of votes is binomial. All p votes together are α^{−p} = e^{pε} times as likely with the
    record. Of all tests, those that count votes are the best ones.

    Claims: thm-node-histograms

    Parameters
    ----------
    n_features : p, from 1 to 1000
    votes : from 0 to p
    epsilon : of each of the p histograms, greater than 0, read exactly (or give ``alpha``)
    alpha : in place of ``epsilon``, a fraction in (0, 1)

    Examples
    --------
    >>> test = membership_test(10, 10, alpha="1/2")  # somebody claims: e^ε = 2 for all ten together
    >>> test.true_positives > 2 * test.false_positives, test.ratio
    (True, Fraction(1024, 1))
    >>> membership_test(3, 2, alpha="1/2")
    MembershipTest(true_positives=Fraction(20, 27), false_positives=Fraction(7, 27))
    """
    rate = Rate.of(epsilon, alpha)
    p = as_integer(n_features, "n_features", minimum=1, maximum=MAX_FEATURES)
    least = as_integer(votes, "votes", minimum=0, maximum=p)
    powers = [rate.weight(k) for k in range(p + 1)]
    everything = _votes(p, 0, powers)  # (1 + α)^p
    there, absent = _votes(p, least, powers[::-1]), _votes(p, least, powers)
    return MembershipTest(there / everything, absent / everything)


def _votes(p: int, least: int, powers: Sequence[Any]) -> Any:
    """The sum over all numbers of votes from ``least`` on: how many ways there are, times a power of α."""
    return sum((powers[k] * math.comb(p, k) for k in range(least, p + 1)), Fraction(0))
