"""Shares of all kinds at their borders: what is refused by name, what is just allowed, and defaults."""

from fractions import Fraction

import numpy as np
import pytest

from fdpedu.dlpa import (
    discrete_gaussian_shares,
    gamma_shares,
    gaussian_sum_delta,
    gaussian_sum_distance,
    lattice_sensitivity,
    noise_needed,
    on_lattice,
    rounded_sum_loss,
    rounded_sum_pmf,
    skellam_delta,
    skellam_loss,
    skellam_pmf,
    skellam_rdp,
    skellam_shares,
    underflow_probability,
    zero_cells_test,
)
from fdpedu.dlpa.real_noise import half_gamma_cdf
from fdpedu.randomness import Rehearsal, ZeroWords

ZERO = ZeroWords()
ODD = object()
CELLS = {"epsilon": 1, "n_parties": 3, "silent": 1, "cells": 2}
NAMED = {
    "gamma_shares": (lambda **given: gamma_shares(**{"n_parties": 3, "scale": 1, "size": 2, **given}), "scale size"),
    "rounded_sum_pmf": (
        lambda **given: rounded_sum_pmf(**{"k": 0, "values": [0, 0], "epsilon": 1, **given}),
        "k values epsilon",
    ),
    "on_lattice": (lambda **given: on_lattice(**{"values": [1], "lattice": 2, **given}), "values lattice"),
    "lattice_sensitivity": (
        lambda **given: lattice_sensitivity(**{"sensitivity": 1, "lattice": 2, **given}),
        "sensitivity lattice",
    ),
    "zero_cells_test": (lambda **given: zero_cells_test(**{**CELLS, **given}), "silent cells level"),
    "skellam_shares": (
        lambda **given: skellam_shares(**{"n_parties": 3, "variance": 1, "size": 2, **given}),
        "variance size",
    ),
    "skellam_pmf": (lambda **given: skellam_pmf(**{"k": 0, "variance": 1, **given}), "k variance"),
    "skellam_delta": (
        lambda **given: skellam_delta(**{"epsilon": 1, "variance": 1, **given}),
        "epsilon variance sensitivity",
    ),
    "skellam_rdp": (
        lambda **given: skellam_rdp(**{"order": 2, "variance": 1, **given}),
        "order variance sensitivity times",
    ),
    "skellam_loss": (lambda **given: skellam_loss(**{"variance": 1, **given}), "variance sensitivity step"),
    "discrete_gaussian_shares": (
        lambda **given: discrete_gaussian_shares(**{"n_parties": 2, "variance": 8, "size": 2, **given}),
        "variance size",
    ),
    "gaussian_sum_distance": (
        lambda **given: gaussian_sum_distance(**{"n_shares": 2, "variance": 8, **given}),
        "n_shares variance",
    ),
    "gaussian_sum_delta": (
        lambda **given: gaussian_sum_delta(**{"epsilon": 1, "n_shares": 2, "variance": 8, **given}),
        "epsilon n_shares variance",
    ),
    "noise_needed": (
        lambda **given: noise_needed(**{"epsilon": 1, "delta": "1/99", "releases": 2, **given}),
        "epsilon delta releases n_shares",
    ),
}
PLACES = [(name, key) for name, (_, keys) in NAMED.items() for key in keys.split()]


@pytest.mark.parametrize(("name", "key"), PLACES)
def test_what_is_no_number_is_refused_by_its_name(name, key):
    """Each parameter in its place, where all others are right."""
    with pytest.raises(ValueError, match=f"^{key} must be"):
        NAMED[name][0](**{key: ODD})


def test_what_stands_in_a_list_is_refused_by_the_list_s_name():
    for call in (lambda: rounded_sum_pmf(0, [ODD, 0]), lambda: on_lattice([ODD], 1)):
        with pytest.raises(ValueError, match=r"^values must be a finite number"):
            call()


@pytest.mark.parametrize(
    "call",
    [
        lambda: gamma_shares(2, "1e-301", rng=ZERO),
        lambda: gamma_shares(2, 1, 2**32 + 1, ZERO),
        lambda: rounded_sum_pmf(1001, [1000, 0]),
        lambda: rounded_sum_pmf(-1001, [-1000, 0]),
        lambda: rounded_sum_pmf(0, [0, "-1000.1"]),
        lambda: rounded_sum_pmf(0, [0, 0, 0]),
        lambda: rounded_sum_pmf(0, [0, 0], "20.1"),
        lambda: on_lattice([1], 2**40 + 1),
        lambda: on_lattice([2**62 + 1], 1),
        lambda: on_lattice([-(2**62) - 1], 1),
        lambda: skellam_shares(1, 2**25 + 1, rng=ZERO),
        lambda: skellam_shares(1, 1, 2**32 + 1, ZERO),
        lambda: skellam_pmf(0, 10**6 + 1),
        lambda: skellam_delta("1000.1", 1),
        lambda: skellam_delta(1, 1, sensitivity=1001),
        lambda: skellam_rdp(10**6 + 1, 1),
        lambda: skellam_rdp(2, 1, sensitivity=10**6 + 1),
        lambda: skellam_rdp(2, 1, times=10**6 + 1),
        lambda: skellam_loss(10**5 + 1),
        lambda: skellam_loss(1, sensitivity=101),
        lambda: discrete_gaussian_shares(2, "0.49", rng=ZERO),
        lambda: discrete_gaussian_shares(2, 1, 2**32 + 1, ZERO),
        lambda: gaussian_sum_distance(1001, 1001),
        lambda: noise_needed("0.0099", "1/100", 1),
        lambda: noise_needed(1, "0.9e-15", 1),
        lambda: noise_needed(1, "1/100", 1001),
        lambda: noise_needed(1, "1/100", 1, n_shares=1001),
        lambda: zero_cells_test(**{**CELLS, "epsilon": "50.1"}),
        lambda: zero_cells_test(**{**CELLS, "level": 0}),
    ],
)
def test_just_beyond_a_border(call):
    with pytest.raises(ValueError, match="must"):
        call()


def test_on_the_border():
    assert gamma_shares(1, "1e-300", 0, ZERO).shape == gamma_shares(1, "1e300", 0, ZERO).shape == (1, 0)
    assert rounded_sum_pmf(1000, [1000, 0], 20).lower > Fraction(9, 10) < rounded_sum_pmf(-1000, [-1000, 0], 20).lower
    assert rounded_sum_pmf(0, [0, 0], "1/20").lower > Fraction(1, 50)
    assert on_lattice([2**22, -(2**22)], 2**40).tolist() == [2**62, -(2**62)]
    assert skellam_shares(1, 2**25, 1, ZERO).tolist() == [[0]]
    assert skellam_pmf(0, "1/1000").lower > Fraction(99, 100) and skellam_pmf(0, 10**6).upper < Fraction(1, 1000)
    assert skellam_delta(1000, 1).upper < Fraction(1, 10**70) and skellam_delta(0, 1, sensitivity=1000).lower > 0.99
    assert skellam_rdp(10**6, 10**6, sensitivity=1).upper == Fraction(1, 2) + Fraction(2 * 10**6 + 5, 4 * 10**12)
    assert noise_needed("1/100", "1/10", 1).polya > noise_needed(20, 1e-15, 1).polya > 0
    assert discrete_gaussian_shares(2, "1/2", 3, ZERO).tolist() == [[0] * 3] * 2
    assert (
        zero_cells_test(**{**CELLS, "epsilon": 50}).threshold
        == -1
        < zero_cells_test(epsilon="1/20", n_parties=2, silent=2, cells=3).threshold
    )


def test_what_is_left_out():
    """One cell, nobody tolerated, ε = 1, sensitivity 1, one release."""
    shapes = [shares(2, 3).shape for shares in (gamma_shares, skellam_shares, discrete_gaussian_shares)]
    assert shapes == [(2, 1)] * 3
    assert underflow_probability(500) == underflow_probability(501, tolerate=1)
    assert rounded_sum_pmf(0, [0, 0]) == rounded_sum_pmf(0, [0, 0], 1)
    assert rounded_sum_loss(0, [0, 0], [1, 0]) == rounded_sum_loss(0, [0, 0], [1, 0], 1)
    assert skellam_delta(1, 3) == skellam_delta(1, 3, sensitivity=1) != skellam_delta(1, 3, sensitivity=2)
    assert skellam_rdp(2, 3) == skellam_rdp(2, 3, sensitivity=1, times=1)
    assert skellam_loss(3) == skellam_loss(3, sensitivity=1, step="1/1024")
    assert zero_cells_test(**{**CELLS, "cells": 90}) == zero_cells_test(
        **{**CELLS, "cells": 90}, tolerate=0, level="1/100"
    )
    assert noise_needed(1, "1/100", 9) == noise_needed(1, "1/100", 9, n_shares=5)


def test_shares_are_what_they_stand_for():
    """Types, and how the shares of several parties differ from one another under one seed."""
    for drawn in (skellam_shares(2, 9, 50, Rehearsal(1)), discrete_gaussian_shares(2, 9, 50, Rehearsal(1))):
        assert drawn.dtype == np.int64 and not np.array_equal(drawn[0], drawn[1])
    assert gamma_shares(2, 1, 5, Rehearsal(1)).dtype == np.float64 and on_lattice([1], 1).dtype == np.int64
    assert on_lattice([], 1).dtype == np.int64


@pytest.mark.parametrize("n", [1, 2, 20, 500, 100_000])
def test_the_probability_of_an_underflow_to_eleven_digits(n):
    from scipy.special import gammainc

    truth = float(gammainc(1 / n, 2.0**-1074)) * 0.5 ** (1 / n)
    assert abs(underflow_probability(n) - truth) <= 1e-11 * truth


@pytest.mark.parametrize("x", ["1/50", "1", "31/4", "30"])
def test_the_enclosure_is_tight_and_has_two_ends(x):
    """Against the series in decimals of 120 digits, term by term."""
    import decimal

    found = half_gamma_cdf(Fraction(x))
    with decimal.localcontext() as context:
        context.prec = 120
        value = decimal.Decimal(Fraction(x).numerator) / Fraction(x).denominator
        pi, euler = (decimal.Decimal(text) for text in (PI, EULER))
        head, total, harmonic, power = (value / 2).ln() + euler, decimal.Decimal(0), decimal.Decimal(0), value
        for n in range(400):
            total += power / (2 * n + 1) * (harmonic + 1 / decimal.Decimal(2 * n + 1) - head)
            harmonic += 1 / decimal.Decimal(n + 1)
            power *= (value / 2) ** 2 / (n + 1) ** 2
        truth = Fraction(decimal.Decimal("0.5") + total / pi)
    slack = Fraction(1, 10**80)
    assert found.lower <= truth + slack and truth - slack <= found.upper
    assert 0 < found.upper - found.lower < Fraction(1, 10**60)


PI = "3.14159265358979323846264338327950288419716939937510582097494459230781640628620899862803482534211706798"
EULER = "0.57721566490153286060651209008240243104215933593992359880576723488486772677766467093694706329174674951"
