"""What shares are refused for, by name and at the border; what is drawn when nothing else is said."""

import inspect

import pytest

from fdpedu.dlpa import count_noise_shares, insider_epsilon, polya_shares
from fdpedu.randomness import Rehearsal, ZeroWords


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda: polya_shares(3, 1, 2**32 + 1, ZeroWords()), "^size must"),
        (lambda: polya_shares(3, 1, -1, ZeroWords()), "^size must"),
        (lambda: polya_shares(3, 1, "two", ZeroWords()), "^size must"),
        (lambda: polya_shares("three", 1, 2, ZeroWords()), "^n_parties must"),
        (lambda: polya_shares(10**9 + 1, 1, 2, ZeroWords()), "^n_parties must"),
        (lambda: count_noise_shares(10**9 + 1, 0), "^n_parties must"),
        (lambda: count_noise_shares(0, 0), "^n_parties must"),
        (lambda: count_noise_shares(3, -1), "^tolerate must"),
        (lambda: count_noise_shares(3, 3), r"^tolerate must be less than the number of parties \(3\), got 3"),
        (lambda: insider_epsilon(1, 3, 3), "^colluders must be less"),
        (lambda: insider_epsilon(1, 3, -1), "^colluders must"),
    ],
)
def test_borders_are_told(call, told):
    with pytest.raises(ValueError, match=told):
        call()


def test_the_most_is_allowed():
    assert count_noise_shares(10**9, 10**9 - 1) == 1 and count_noise_shares(1, 0) == 1


def test_nobody_is_tolerated_unless_it_is_said():
    """The same words give the shares of tolerate = 0, and others for tolerate = 1."""
    assert inspect.signature(polya_shares).parameters["tolerate"].default == 0
    said = ({}, {"tolerate": 0}, {"tolerate": 1})
    drawn = [polya_shares(3, "1/20", 40, Rehearsal(2), **options).tolist() for options in said]
    assert drawn[0] == drawn[1] != drawn[2]
