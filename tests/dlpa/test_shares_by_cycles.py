"""Shares by cycles for more than two parties, and what the fast sampler is told: α instead of ε, how many numbers."""

from fractions import Fraction

import numpy as np
import pytest

from fdpedu.claims.dlpa import laws as law
from fdpedu.dlpa import negative_binomial_by_cycles, polya_shares
from fdpedu.exact import Rate
from fdpedu.randomness import Rehearsal


@pytest.mark.claim("lem-cycles")
@pytest.mark.parametrize(("alpha", "m"), [(Fraction(1, 5), 3), (Fraction(1, 7), 4)])
def test_each_cycle_is_kept_by_one_party_of_m(alpha, m):
    """All tapes through the readable sampler: with two parties a cycle that is kept or left has one probability."""
    law.replayed_share(alpha, m, 4, 3, negative_binomial_by_cycles)


def test_shares_by_cycles_are_integers():
    drawn = negative_binomial_by_cycles(Rate.of(alpha="9/10"), 3, 50, Rehearsal(1))
    assert drawn.dtype == np.int64 and drawn.shape == (50,) and drawn.max() > 0


def test_alpha_stands_for_epsilon():
    """The rate is that of α: a small one draws hardly anything else than 0, a large one large numbers."""
    small, large = (polya_shares(3, size=200, rng=Rehearsal(3), alpha=alpha) for alpha in ("1/10000", "999/1000"))
    assert np.count_nonzero(small) < 10 and np.abs(large).max() > 100
    assert polya_shares(3, 1, rng=Rehearsal(3)).shape == (3, 1)
