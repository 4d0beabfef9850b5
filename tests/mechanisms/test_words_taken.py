"""Which words are taken: as many as are told, and the closest draws by as many digits as it takes."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import fdpedu.mechanisms as m
from fdpedu.exact import exp_enclosure
from fdpedu.mechanisms import reals, response
from fdpedu.randomness import Rehearsal, ReplayedWords

TENTHS = st.fractions(Fraction(1, 10), 4, max_denominator=20)


class Counted(ReplayedWords):
    """Words that count how many were taken."""

    taken = 0

    def words(self, n):
        self.taken += n
        return super().words(n)


# The attack on floats


def test_an_attack_gives_up_after_ten_thousand_outputs_and_not_before(monkeypatch):
    """Each output takes one word, and the last that may tell is the ten-thousandth."""
    seen = []
    monkeypatch.setattr(reals, "reachable", lambda output, value, scale: seen.append(output) or True)
    with pytest.raises(ValueError) as caught:
        m.outputs_needed(1, 0.0, 1.0, Rehearsal(1))
    assert str(caught.value) == "10,000 outputs did not tell the two values apart; are they the same?"
    assert len(seen) == len(set(seen)) == 10_000
    outputs = iter(range(10_000))
    monkeypatch.setattr(reals, "reachable", lambda output, value, scale: next(outputs) < 9_999)
    assert m.outputs_needed(1, 0.0, 1.0, Rehearsal(1)) == 10_000


def test_an_attack_takes_a_word_for_each_output():
    needed = m.outputs_needed(1, 0.0, 1.0, Rehearsal(3))
    source = Counted(Rehearsal(3).words(50).tolist())
    assert m.outputs_needed(1, 0.0, 1.0, source) == needed == source.taken


# Snapping


def test_the_nearest_point_of_a_grid_takes_one_word():
    """How far it is beyond the next point is asked only where the draw is beyond it."""
    source = Counted([0, 0, 0])
    assert m.snapped_laplace(3, 1, source, grid=2) == 4 and source.taken == 1
    source = Counted([2**64 - 1, 0, 0])
    assert m.snapped_laplace(3, 1, source, grid=2) != 4 and source.taken > 1


def test_what_is_snapped_is_named_when_it_is_no_number():
    with pytest.raises(ValueError, match=r"^value must be "):
        m.snapped_laplace("x", 1, grid=1)


@given(TENTHS, TENTHS, st.fractions(-2, 2, max_denominator=9), st.sampled_from([8, 64, 300, 900]))
def test_the_side_of_a_snapped_draw_is_known_to_the_last_bit(rate, grid, value, bits):
    """Any number of bits of its distribution function: right, within two units, and 1 at the last of three."""
    centre = round(value / grid)
    law = reals._side_law(rate, grid, value - centre * grid)
    lower, upper = law.bounds(law.terms, bits)
    edges = [(centre + half) * grid - value for half in (Fraction(1, 2), Fraction(-1, 2))]
    right, left = (exp_enclosure(-rate * abs(edge), bits) for edge in edges)
    exact = [1 - right.lower / 2 - left.lower / 2, 1 - left.lower / 2, Fraction(1)]
    assert (law.terms, law.last, len(lower), len(upper)) == (3, 2, 3, 3)
    for low, high, truth in zip(lower, upper, exact, strict=True):
        assert low - 1 <= truth * 2**bits <= high + 1 and high - low <= 2 and 0 <= low <= high <= 2**bits
    assert lower[-1] == upper[-1] == 2**bits


# Responses


@given(TENTHS, st.integers(2, 9), st.sampled_from([8, 64, 300, 900]))
def test_the_step_of_a_response_is_known_to_the_last_bit(epsilon, categories, bits):
    """F(j) = (1 + jα)/(1 + (k−1)α), within two units of any number of bits, and 1 at the last answer."""
    law = response._offset_law(response.Rate.of(epsilon), categories)
    lower, upper = law.bounds(law.terms, bits)
    alpha = exp_enclosure(-epsilon, bits).lower
    assert (law.terms, law.last, len(lower), len(upper)) == (categories, categories - 1, categories, categories)
    for j, (low, high) in enumerate(zip(lower, upper, strict=True)):
        truth = (1 + j * alpha) / (1 + (categories - 1) * alpha) * 2**bits
        assert low - 1 <= truth <= high + 1 and high - low <= 2 and 0 <= low <= high <= 2**bits
    assert lower[-1] == upper[-1] == 2**bits
