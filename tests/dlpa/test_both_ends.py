"""Both ends of an insider's ε, against sums of the weights, term by term."""

from fractions import Fraction

import pytest

from fdpedu.accounting import Ledger
from fdpedu.demo import insider_cost
from fdpedu.dlpa import insider_epsilon
from fdpedu.domain import Domain, Numeric
from fdpedu.federation import ClassCounts, Federation, NodeHistograms, Party
from fdpedu.randomness import ZeroWords
from tests.support.both_ends import both_ends
from tests.support.truths import insider


@pytest.mark.parametrize(("e", "n", "c", "t"), [(1, 5, 1, 0), ("1/4", 3, 2, 0), (3, 9, 5, 2), ("1/20", 4, 1, 0)])
def test_an_insider(e, n, c, t):
    both_ends(lambda: insider_epsilon(e, n, c, tolerate=t), lambda: insider(e, n, c, t), 33)


def test_an_insider_who_is_tolerated():
    both_ends(lambda: insider_epsilon("1/3", 5, 2, tolerate=2), lambda: Fraction(1, 3), 30)


def test_an_insider_of_a_round():
    """What one learns from 2 histograms of rate 1/4 and counts of rate 1/2, among three parties."""
    domain = Domain([Numeric.grid(name, 0, 1, bins=2) for name in "ab"], (0, 1))
    f = Federation([Party([], domain) for _ in range(3)], domain, Ledger(9), rng=ZeroWords(), tolerate=0)
    f.release([NodeHistograms(domain.everything, "1/2"), ClassCounts(domain.everything, "1/2")])
    both_ends(
        lambda: insider_cost(f.ledger.derivation(), 3, 0),
        lambda: 2 * insider("1/4", 3, 1, 0) + insider("1/2", 3, 1, 0),
        33,
    )
