"""While tapes are played a logarithm is computed once, and nothing of that stays."""

from fractions import Fraction

import pytest

import fdpedu.exact.rate as room
from fdpedu.claims.replay import enumerate_law, remembered_logarithms
from fdpedu.exact import enclosure, log_enclosure


@pytest.fixture
def asked(monkeypatch):
    """How often the function itself reads its argument."""
    times = []
    shipped = enclosure._decimals
    monkeypatch.setattr(enclosure, "_decimals", lambda x, digits: times.append(x) or shipped(x, digits))
    return times


def test_it_is_computed_once_and_the_same(asked):
    """Within the block, for each number and each precision; before and after it, each time."""
    expected = log_enclosure(Fraction(2)), log_enclosure(Fraction(2), 9), log_enclosure(Fraction(3))
    assert len(asked) == 3
    with remembered_logarithms():
        for _ in range(5):
            found = room.log_enclosure(Fraction(2)), room.log_enclosure(Fraction(2), 9), room.log_enclosure(Fraction(3))
            assert found == expected
    assert len(asked) == 6
    assert room.log_enclosure is log_enclosure
    with remembered_logarithms():
        assert room.log_enclosure(Fraction(2)) == expected[0]
    assert len(asked) == 7


def test_tapes_share_it(asked):
    """Sixteen tapes of two words, one logarithm."""
    decided, rest = enumerate_law(lambda tape: (room.log_enclosure(Fraction(5)), int(tape.words(2)[0]))[1], 2, 2)
    assert decided == {k: Fraction(1, 4) for k in range(4)} and rest == 0 and len(asked) == 1


def test_it_ends_with_an_error():
    with pytest.raises(KeyError), remembered_logarithms():
        assert room.log_enclosure is not log_enclosure
        raise KeyError
    assert room.log_enclosure is log_enclosure
