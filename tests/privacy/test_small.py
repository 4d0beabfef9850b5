"""Mechanisms on small domains: what their twins differ by."""

from fractions import Fraction

import pytest

from fdpedu.claims.privacy.small import TWINS, geometric
from fdpedu.claims.small_zoo import SMALL_ZOO
from fdpedu.privacy import check_mechanism


@pytest.mark.parametrize("twins", TWINS, ids=lambda twins: twins.name)
def test_every_sound_twin_spends_what_it_claims(twins):
    """So the twins differ by the bug, and not by noise to spare."""
    less = twins.exp_epsilon - Fraction(1, 1000)
    assert not check_mechanism(twins.sound, twins.universe, less, relation=twins.relation)


def test_a_leak_of_probability_delta_is_a_delta():
    """Data released with probability 1/10 break every ε; with δ = 1/10 the claim holds, with less it does not."""
    twins = SMALL_ZOO["the data, now and then"]
    assert twins.verdict("broken", delta="1/10") and not twins.verdict("broken", delta="99/1000")
    assert not check_mechanism(twins.broken, twins.universe, 1000)


def test_a_substitution_is_what_the_noise_is_for():
    """The histogram that fails under substitution is sound under add/remove."""
    twins = SMALL_ZOO["substitution at the price of add/remove"]
    assert check_mechanism(twins.broken, twins.universe, twins.exp_epsilon)


def test_a_count_outside_the_clamps_is_refused():
    with pytest.raises(ValueError, match="between 0 and 5"):
        geometric(6)
