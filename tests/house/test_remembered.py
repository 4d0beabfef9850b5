"""While tapes are played a logarithm or a power of e is computed once, and nothing of that stays."""

from fractions import Fraction
from functools import partial

import pytest

import fdpedu.exact.rate as rate
from fdpedu.claims.replay import enumerate_law, remembered
from fdpedu.exact import enclosure, exp_enclosure, log_enclosure


@pytest.fixture
def asked(monkeypatch):
    """How often the function itself reads its argument."""
    times = []
    shipped = enclosure._decimals
    monkeypatch.setattr(enclosure, "_decimals", lambda x, digits: times.append(x) or shipped(x, digits))
    return times


@pytest.mark.parametrize(("name", "shipped"), [("log_enclosure", log_enclosure), ("exp_enclosure", exp_enclosure)])
def test_it_is_computed_once_and_the_same(asked, name, shipped):
    """Within the block, for each number and each precision; before and after it, each time."""
    now = partial(getattr, rate, name)
    expected = shipped(Fraction(2)), shipped(Fraction(2), 9), shipped(Fraction(3))
    assert len(asked) == 3
    with remembered():
        for _ in range(5):
            assert (now()(Fraction(2)), now()(Fraction(2), 9), now()(Fraction(3))) == expected
    assert len(asked) == 6
    assert now() is shipped
    with remembered():
        assert now()(Fraction(2)) == expected[0]
    assert len(asked) == 7


def test_tapes_share_it(asked):
    """Sixteen tapes of two words, one logarithm and one power."""

    def played(tape):
        return (rate.log_enclosure(Fraction(5)), rate.exp_enclosure(Fraction(5)), int(tape.words(2)[0]))[2]

    decided, rest = enumerate_law(played, 2, 2)
    assert decided == {k: Fraction(1, 4) for k in range(4)} and rest == 0 and len(asked) == 2


def test_it_ends_with_an_error():
    with pytest.raises(KeyError), remembered():
        assert rate.log_enclosure is not log_enclosure and rate.exp_enclosure is not exp_enclosure
        raise KeyError
    assert rate.log_enclosure is log_enclosure and rate.exp_enclosure is exp_enclosure
