"""What is beyond the floats is refused by its name, whatever was given."""

import pytest

import fdpedu.mechanisms as m

REFUSED = {
    "sensitivity / sigma is too small for a float": lambda: m.gaussian_delta(1, 1.7e308, sensitivity=5e-324),
    "sensitivity / sigma is too large for a float": lambda: m.gaussian_delta(1, 5e-324, sensitivity=1.7e308),
    "sigma is too large for a float": lambda: m.gaussian_sigma("1/2", 1e-6, sensitivity=1e308),
    "sigma is too small for a float": lambda: m.gaussian_sigma(10**9, "1/2", sensitivity=5e-324),
}
CLASSICAL = {
    "sigma is too large for a float": ("1e-300", 1e-6, 1e300),
    "sigma is too small for a float": ("1/2", 0.9999999, "1e-400"),
}


@pytest.mark.parametrize("message", REFUSED)
def test_a_refusal_at_the_ends_is_told_in_these_words(message):
    with pytest.raises(ValueError) as raised:
        REFUSED[message]()
    assert str(raised.value) == message


@pytest.mark.parametrize("message", CLASSICAL)
def test_so_is_that_of_the_classical_sigma(message):
    epsilon, delta, sensitivity = CLASSICAL[message]
    with pytest.raises(ValueError) as raised:
        m.classical_gaussian_sigma(epsilon, delta, sensitivity=sensitivity)
    assert str(raised.value) == message
