"""What shares and guarantees are refused for, and in which words: in one table. Beside it, what is just allowed."""

from fractions import Fraction

import numpy as np
import pytest

from fdpedu.accounting import Ledger
from fdpedu.dlpa import (
    count_noise_shares,
    discrete_gaussian_shares,
    gamma_shares,
    gaussian_noise,
    gaussian_reach,
    gaussian_share,
    gaussian_sum_delta,
    gaussian_sum_distance,
    insider_delta,
    insider_epsilon,
    lattice_sensitivity,
    noise_map,
    noise_needed,
    on_lattice,
    polya_shares,
    rounded_sum_loss,
    rounded_sum_pmf,
    skellam_delta,
    skellam_loss,
    skellam_pmf,
    skellam_rdp,
    skellam_shares,
    sub_gaussian_reach,
    tree_guarantee,
    underflow_probability,
    zero_cells_test,
)
from fdpedu.dlpa.guarantee import insider_cost
from fdpedu.dlpa.poisson import poisson
from fdpedu.randomness import Rehearsal, ZeroWords
from tests.support.sentences import BETWEEN, EXACTLY_ONE, NUMBER, above_0, at_least, at_most, no, no_list, said_in_full

NOISE = "noise must be 'polya' or 'gamma', got"
THETA = "epsilon must be more than 2θ, about"
MEAN = "mean must be greater than 0 and at most 16777216, got about"
CELLS_EPSILON = "epsilon must be from 1/20 to 50, got"
TOO_SMALL = (
    "rho is too small: a share, (l2_squared/(2·rho) + 1)/n_shares, must be at most 2**60, so that the noise fits 64 "
    "bits, got about 1.25000E+30; give a larger rho, or ask for fewer numbers"
)
QUARTER = "variance must be at least 1/4 for each share, got"
OF_TABLE = "variance must be from 1 to 10**5 for a table of losses, got"
ORDER = "order must be more than 1 and at most 10**6, got"
SKELLAM = "epsilon must be from 0 to 1000, got"
VARIANCE = "variance must be from 1/1000 to 10**6, got"
ONE_SHARE = "variance must be at most 2**25 for one share, got"
NEARER = "k must be nearer to the values: the probability of"
ON_LATTICE = "lattice · value must lie within ±2**62 for every value; the lattice is"
FLOAT = "scale is too large for a float"
ROUNDED = "epsilon must be from 1/20 to 20, got"
SCALES = "scale must be from 1e-300 to 1e300, got"
EPSILONS = "epsilon must be from 10^-300 to 10^300, got"
ZERO = ZeroWords()
SIZE = "size must be at most 4294967296, got"
TOLERATE = "tolerate must be less than the number of parties (3), got 3"
COLLUDERS = "colluders must be less than the number of parties (3), got 3"
VALUES = "values must be two numbers within 1000 of 0, one of each party"
PLANNED = "epsilon must be from 1/100 to 20 and delta from 1e-15 to 1/10, got"
CELLS = {"epsilon": 1, "n_parties": 3, "silent": 1, "cells": 2}
DELTA = (
    "delta must be 0, or less than 1 and with unspent_to_leaf=False, as optimal composition needs budgets that are "
    "fixed beforehand; got"
)

RELEASE = {"l2_squared": 5, "cells": 5, "n_shares": 2}
MISS = "miss must be more than 0 and less than 1, got"
TREE = {"epsilon": 1, "n_features": 2, "max_depth": 2, "n_parties": 5, "colluders": 1, "tolerate": 0}
REFUSED = [
    (lambda: polya_shares(0, 1), at_least("n_parties", 1, 0)),
    (lambda: polya_shares(3, 1, tolerate=3), TOLERATE),
    (lambda: polya_shares(3, 1, tolerate=-1), at_least("tolerate", 0, -1)),
    (lambda: polya_shares(3), EXACTLY_ONE),
    (lambda: polya_shares(3, -1), above_0("epsilon", -1)),
    (lambda: insider_epsilon(1, 3, 3), COLLUDERS),
    (lambda: count_noise_shares(2, 2), "tolerate must be less than the number of parties (2), got 2"),
    (lambda: polya_shares(3, 1, 2**32 + 1, ZeroWords()), f"{SIZE} 4294967297"),
    (lambda: polya_shares(3, 1, -1, ZeroWords()), at_least("size", 0, -1)),
    (lambda: polya_shares(3, 1, "two", ZeroWords()), at_least("size", 0, "'two'")),
    (lambda: polya_shares("three", 1, 2, ZeroWords()), at_least("n_parties", 1, "'three'")),
    (lambda: polya_shares(10**9 + 1, 1, 2, ZeroWords()), at_most("n_parties", 1000000000, 1000000001)),
    (lambda: count_noise_shares(10**9 + 1, 0), at_most("n_parties", 1000000000, 1000000001)),
    (lambda: count_noise_shares(0, 0), at_least("n_parties", 1, 0)),
    (lambda: count_noise_shares(3, -1), at_least("tolerate", 0, -1)),
    (lambda: count_noise_shares(3, 3), TOLERATE),
    (lambda: insider_epsilon(1, 3, -1), at_least("colluders", 0, -1)),
    (lambda: insider_epsilon(0, 3, 1), above_0("epsilon", 0)),
    (lambda: insider_epsilon(1, 0, 0), at_least("n_parties", 1, 0)),
    (lambda: insider_delta(1, 3, 1, "much"), f"epsilon_prime {NUMBER} 'much'"),
    (lambda: insider_epsilon(1, 3, 1, sensitivity=0), at_least("sensitivity", 1, 0)),
    (lambda: insider_epsilon(1, 3, 1, lattice=Fraction(1, 2)), at_least("lattice", 1, "1/2")),
    (
        lambda: insider_epsilon(1, 3, 1, lattice=1000, sensitivity=101),
        at_most("lattice × sensitivity", 100000, 101000),
    ),
    (lambda: insider_epsilon(1, 3, 1, noise="laplace"), f"{NOISE} 'laplace'"),
    (lambda: insider_epsilon("1e-301", 3, 1), f"{EPSILONS} about 1E-301"),
    (lambda: insider_epsilon("1e301", 3, 1), f"{EPSILONS} about 1.00000E+301"),
    (lambda: insider_delta(1, 3, 1, -1), "epsilon_prime must be at least 0, got -1"),
    (lambda: insider_delta(1, 3, 1, 1, lattice=1001), "lattice × sensitivity must be at most 1000 for δ, got 1001"),
    (lambda: insider_delta(1001, 3, 1, 1), "epsilon must be at most 1000 for δ, got 1001"),
    (lambda: insider_delta(1, 3, 1, 1, tolerate=3), TOLERATE),
    (
        lambda: insider_epsilon(Fraction(3, 2) * 10**300, 5, 1),
        f"{EPSILONS} about 1.50000E+300",
    ),
    (lambda: gamma_shares(3, 0), above_0("scale", 0)),
    (lambda: gamma_shares(3, "1e301"), f"{SCALES} 1e+301"),
    (lambda: gamma_shares(3, 1, tolerate=3), TOLERATE),
    (lambda: underflow_probability(0), at_least("n_parties", 1, 0)),
    (lambda: rounded_sum_pmf(0, [1]), VALUES),
    (lambda: rounded_sum_pmf(0, [1, 1001]), VALUES),
    (lambda: rounded_sum_pmf(0, [1, 1], "1/21"), f"{ROUNDED} 1/21"),
    (lambda: rounded_sum_pmf("a", [1, 1]), at_least("k", -1000, "'a'")),
    (
        lambda: rounded_sum_loss(500, [1, 1], [2, 1]),
        f"{NEARER} 500 is too small to be enclosed from 0",
    ),
    (lambda: on_lattice([2**60], 5), f"{ON_LATTICE} 5"),
    (lambda: on_lattice([1], 0), at_least("lattice", 1, 0)),
    (lambda: lattice_sensitivity(0, 1), above_0("sensitivity", 0)),
    (lambda: gamma_shares(2, 10**400), FLOAT),
    (lambda: gamma_shares(2, "1e400"), FLOAT),
    (
        lambda: rounded_sum_loss(400, [0, 0], [1, 0]),
        f"{NEARER} 400 is too small to be enclosed from 0",
    ),
    (lambda: gamma_shares(2, "1e-301", rng=ZERO), f"{SCALES} 1e-301"),
    (lambda: gamma_shares(2, 1, 2**32 + 1, ZERO), f"{SIZE} 4294967297"),
    (lambda: rounded_sum_pmf(1001, [1000, 0]), at_most("k", 1000, 1001)),
    (lambda: rounded_sum_pmf(-1001, [-1000, 0]), at_least("k", -1000, -1001)),
    (lambda: rounded_sum_pmf(0, [0, "-1000.1"]), VALUES),
    (lambda: rounded_sum_pmf(0, [0, 0, 0]), VALUES),
    (lambda: rounded_sum_pmf(0, [0, 0], "20.1"), f"{ROUNDED} 201/10"),
    (lambda: on_lattice([1], 2**40 + 1), at_most("lattice", 1099511627776, 1099511627777)),
    (lambda: on_lattice([2**62 + 1], 1), f"{ON_LATTICE} 1"),
    (lambda: on_lattice([-(2**62) - 1], 1), f"{ON_LATTICE} 1"),
    (lambda: skellam_shares(1, 2**25 + 1, rng=ZERO), f"{ONE_SHARE} 33554433"),
    (lambda: skellam_shares(1, 1, 2**32 + 1, ZERO), f"{SIZE} 4294967297"),
    (lambda: skellam_pmf(0, 10**6 + 1), f"{VARIANCE} 1000001"),
    (lambda: skellam_delta("1000.1", 1), f"{SKELLAM} 10001/10"),
    (lambda: skellam_delta(1, 1, sensitivity=1001), at_most("sensitivity", 1000, 1001)),
    (lambda: skellam_rdp(10**6 + 1, 1), f"{ORDER} 1000001"),
    (lambda: skellam_rdp(2, 1, sensitivity=10**6 + 1), at_most("sensitivity", 1000000, 1000001)),
    (lambda: skellam_rdp(2, 1, times=10**6 + 1), at_most("times", 1000000, 1000001)),
    (lambda: skellam_loss(10**5 + 1), f"{OF_TABLE} 100001"),
    (lambda: skellam_loss(1, sensitivity=101), at_most("sensitivity", 100, 101)),
    (lambda: discrete_gaussian_shares(2, "0.49", rng=ZERO), f"{QUARTER} 49/200"),
    (lambda: discrete_gaussian_shares(2, 1, 2**32 + 1, ZERO), f"{SIZE} 4294967297"),
    (lambda: gaussian_sum_distance(1001, 1001), at_most("n_shares", 1000, 1001)),
    (lambda: gaussian_noise(0, **RELEASE), above_0("rho", 0)),
    (lambda: gaussian_noise("1e-30", **RELEASE), TOO_SMALL),
    (lambda: gaussian_noise(1, **{**RELEASE, "l2_squared": 0}), at_least("l2_squared", 1, 0)),
    (lambda: gaussian_noise(1, **{**RELEASE, "cells": 0}), at_least("cells", 1, 0)),
    (lambda: gaussian_noise(1, **{**RELEASE, "n_shares": 0}), at_least("n_shares", 1, 0)),
    (lambda: gaussian_noise(1, **{**RELEASE, "n_shares": 10**9 + 1}), at_most("n_shares", 10**9, 10**9 + 1)),
    (lambda: gaussian_share(2, 1, ZERO), "variance must be a Fraction, got int"),
    (lambda: gaussian_reach(0, 1, "1/2"), above_0("share", 0)),
    (lambda: gaussian_reach(2, 0, "1/2"), at_least("n_parties", 1, 0)),
    (lambda: gaussian_reach(2, 10**9 + 1, "1/2"), at_most("n_parties", 10**9, 10**9 + 1)),
    (lambda: gaussian_reach(2, 1, 0), f"{MISS} 0"),
    (lambda: gaussian_reach(2, 1, 1), f"{MISS} 1"),
    (lambda: sub_gaussian_reach(0, "1/2"), above_0("variance", 0)),
    (lambda: sub_gaussian_reach(2, "3/2"), f"{MISS} 3/2"),
    (lambda: noise_needed("0.0099", "1/100", 1), f"{PLANNED} 99/10000, 1/100"),
    (lambda: noise_needed(1, "0.9e-15", 1), f"{PLANNED} 1, 9/10000000000000000"),
    (lambda: noise_needed(1, "1/100", 1001), at_most("releases", 1000, 1001)),
    (lambda: noise_needed(1, "1/100", 1, n_shares=1001), at_most("n_shares", 1000, 1001)),
    (lambda: zero_cells_test(**{**CELLS, "epsilon": "50.1"}), f"{CELLS_EPSILON} about 50.1"),
    (lambda: zero_cells_test(**{**CELLS, "level": 0}), f"level {BETWEEN} 0"),
    (lambda: skellam_pmf(-(2**63) - 1, 5), at_least("k", -9223372036854775808, -9223372036854775809)),
    (lambda: skellam_pmf(0.5, 5), at_least("k", -9223372036854775808, "0.5")),
    (lambda: skellam_shares(3, 0), above_0("variance", 0)),
    (lambda: skellam_shares(1, 2**26), f"{ONE_SHARE} 67108864"),
    (lambda: skellam_shares(3, 1, tolerate=3), TOLERATE),
    (lambda: skellam_pmf(0, "1/1001"), f"{VARIANCE} 1/1001"),
    (lambda: skellam_delta(-1, 1), f"{SKELLAM} -1"),
    (lambda: skellam_delta(1, 1, sensitivity=0), at_least("sensitivity", 1, 0)),
    (lambda: skellam_loss("1/2"), f"{OF_TABLE} 1/2"),
    (lambda: skellam_rdp(1, 1), f"{ORDER} 1"),
    (lambda: discrete_gaussian_shares(5, 1), f"{QUARTER} 1/5"),
    (lambda: gaussian_sum_delta("1/2", 2, "1/2"), f"{THETA} 0.685, got 1/2"),
    (lambda: noise_needed(21, "1/10", 1), f"{PLANNED} 21, 1/10"),
    (lambda: noise_needed(1, "1/5", 1), f"{PLANNED} 1, 1/5"),
    (lambda: noise_needed(1, "1/10", 0), at_least("releases", 1, 0)),
    (lambda: noise_map(1, 3, [1]), no_list("deltas", 3)),
    (lambda: noise_map(1, ["1/100"], 3), no_list("releases", 3)),
    (lambda: poisson(Fraction(0), 1, ZERO), f"{MEAN} 0"),
    (
        lambda: poisson(Fraction(2**24 + 1), 1, ZERO),
        f"{MEAN} 1.678e+07",
    ),
    (lambda: poisson(Fraction(-1), 1, ZERO), f"{MEAN} -1"),
    (lambda: gaussian_sum_delta(1, 2, "no"), f"variance {NUMBER} 'no'"),
    (lambda: gaussian_sum_distance("no", 8), at_least("n_shares", 1, "'no'")),
    (lambda: gaussian_sum_delta("no", 2, 8), f"epsilon {NUMBER} 'no'"),
    (lambda: gaussian_sum_delta("1/1000", 9, 3), f"{THETA} 0.607, got 1/1000"),
    (lambda: noise_needed("1/101", "1/100", 1), f"{PLANNED} 1/101, 1/100"),
    (lambda: noise_needed("201/10", "1/100", 1), f"{PLANNED} 201/10, 1/100"),
    (lambda: noise_needed(1, Fraction(1, 10**15 + 1), 1), f"{PLANNED} 1, 1/1000000000000001"),
    (lambda: noise_needed(1, "1/9", 1), f"{PLANNED} 1, 1/9"),
    (lambda: noise_needed(1, "1/10", 1001), at_most("releases", 1000, 1001)),
    (lambda: noise_needed(1, "1/10", 1, n_shares=1001), at_most("n_shares", 1000, 1001)),
    (lambda: zero_cells_test(**CELLS | {"silent": 4}), "silent must be at most the number of parties (3), got 4"),
    (lambda: zero_cells_test(**CELLS | {"silent": 0}), at_least("silent", 1, 0)),
    (lambda: zero_cells_test(**CELLS | {"cells": 1001}), at_most("cells", 1000, 1001)),
    (lambda: zero_cells_test(**CELLS | {"level": 1}), f"level {BETWEEN} 1"),
    (lambda: zero_cells_test(**CELLS | {"epsilon": "1/21"}), f"{CELLS_EPSILON} about 0.04762"),
    (lambda: zero_cells_test(**CELLS | {"tolerate": 3}), TOLERATE),
    (
        lambda: zero_cells_test(**CELLS | {"n_parties": 10**9, "tolerate": 10**9 - 1}),
        "cells, or n_parties, are too many for so small an epsilon: the law would be too long a table",
    ),
    (lambda: tree_guarantee(**TREE | {"n_features": 0}), at_least("n_features", 1, 0)),
    (lambda: tree_guarantee(**TREE | {"n_features": 4097}), at_most("n_features", 4096, 4097)),
    (lambda: tree_guarantee(**TREE | {"max_depth": -1}), at_least("max_depth", 0, -1)),
    (lambda: tree_guarantee(**TREE | {"max_depth": 65}), at_most("max_depth", 64, 65)),
    (
        lambda: tree_guarantee(**TREE | {"leaf_share": 1}),
        f"a share of the budget {BETWEEN} 1",
    ),
    (lambda: tree_guarantee(**TREE | {"delta": "1e-6"}), f"{DELTA} delta=1/1000000, unspent_to_leaf=True"),
    (
        lambda: tree_guarantee(**TREE | {"delta": 1, "unspent_to_leaf": False}),
        f"{DELTA} delta=1, unspent_to_leaf=False",
    ),
    (
        lambda: tree_guarantee(**TREE | {"delta": -1, "unspent_to_leaf": False}),
        f"{DELTA} delta=-1, unspent_to_leaf=False",
    ),
    (lambda: tree_guarantee(**TREE | {"colluders": 5}), "colluders must be less than the number of parties (5), got 5"),
    (lambda: tree_guarantee(**TREE | {"noise": "none"}), f"{NOISE} 'none'"),
    (lambda: tree_guarantee(**TREE | {"epsilon": 0}), above_0("epsilon", 0)),
    (lambda: tree_guarantee(**TREE | {"delta": "no", "unspent_to_leaf": False}), f"delta {NUMBER} 'no'"),
    (lambda: insider_cost(Ledger(1), 4, 0), no("Derivation", "derivation", "Ledger")),
]


test_sentences_of_refusals = said_in_full(REFUSED)


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
    "gaussian_noise": (
        lambda **given: gaussian_noise(**{"rho": 1, **RELEASE, **given}),
        "rho l2_squared cells n_shares",
    ),
    "gaussian_reach": (
        lambda **given: gaussian_reach(**{"share": 2, "n_parties": 3, "miss": "1/9", **given}),
        "share n_parties miss",
    ),
    "sub_gaussian_reach": (
        lambda **given: sub_gaussian_reach(**{"variance": 2, "miss": "1/9", **given}),
        "variance miss",
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
ODD = object()


@pytest.mark.parametrize(("name", "key"), PLACES)
def test_what_is_no_number_is_refused_by_its_name(name, key):
    """Each parameter in its place, where all others are right."""
    with pytest.raises(ValueError, match=f"^{key} must be"):
        NAMED[name][0](**{key: ODD})


def test_what_stands_in_a_list_is_refused_by_the_list_s_name():
    for call in (lambda: rounded_sum_pmf(0, [ODD, 0]), lambda: on_lattice([ODD], 1)):
        with pytest.raises(ValueError, match=r"^values must be a finite number"):
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
