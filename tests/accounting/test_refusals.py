"""What the accounting functions refuse, and in which words: in one table. Beside it, the ends that are answered."""

from fractions import Fraction

import pytest

from fdpedu.accounting import (
    LossDistribution,
    compose_optimal,
    gaussian_to_zcdp,
    optimal_delta,
    pure_to_zcdp,
    rdp_gaussian,
    rdp_laplace,
    rdp_to_epsilon,
    zcdp_to_delta,
    zcdp_to_epsilon,
    zcdp_to_epsilon_classical,
)
from fdpedu.accounting.worked.by_hand import Shape, columns_in_parallel, theorem_6
from fdpedu.accounting.worked.columns import exact_factor, most_allowed, success, vote
from fdpedu.domain import Domain, Numeric
from fdpedu.exact import Enclosure

NUMBER = "must be a finite number (an int, a Fraction, a decimal, or text like '1/3'), got 'x'"
COST = "must be from 10^-300 to 1000, got"
DELTA = "delta must be from 10^-300 to less than 1, got"
ORDER = "order must be more than 1 (by 10^-9 or more) and at most 1000, got"
ALPHA = "alpha must lie strictly between 0 and 1, got"
GRIDS = "two loss distributions compose on grids of the same step"
CELLS = "released must hold one noisy cell for each of the cells without the record, at least 1"
LEAST = Fraction(1, 10**300)
COIN = LossDistribution.randomised_response(1, step=1)
DOMAIN = Domain([Numeric.grid("x", 0, 4, bins=4)], (0, 1))

REFUSED = [
    (lambda: compose_optimal(0, 1, 0), f"epsilon {COST} 0"),
    (lambda: compose_optimal(1001, 1, 0), f"epsilon {COST} 1001"),
    (lambda: compose_optimal(LEAST / 2, 1, 0), f"epsilon {COST} about 5E-301"),
    (lambda: compose_optimal("x", 1, 0), f"epsilon {NUMBER}"),
    (lambda: compose_optimal(1, 0, 0), "k must be an integer ≥ 1, got 0"),
    (lambda: compose_optimal(1, 10**6 + 1, 0), "k must be at most 1000000, got 1000001"),
    (lambda: compose_optimal(1, 1, 1), "delta must be 0 or from 10^-300 to less than 1, got 1"),
    (lambda: compose_optimal(1, 1, LEAST / 2), "delta must be 0 or from 10^-300 to less than 1, got about 5E-301"),
    (lambda: compose_optimal(1, 1, "x"), f"delta {NUMBER}"),
    (lambda: optimal_delta(0, 1, 1), f"epsilon {COST} 0"),
    (lambda: optimal_delta(1, 0, 1), "k must be an integer ≥ 1, got 0"),
    (lambda: optimal_delta(1, 1, -1), "epsilon_prime must be at least 0, got -1"),
    (lambda: optimal_delta(1, 1, "x"), f"epsilon_prime {NUMBER}"),
    (lambda: pure_to_zcdp(0), f"epsilon {COST} 0"),
    (lambda: gaussian_to_zcdp(0), f"sigma {COST} 0"),
    (lambda: gaussian_to_zcdp(1, 0), f"sensitivity {COST} 0"),
    (lambda: zcdp_to_epsilon(0, "1/2"), f"rho {COST} 0"),
    (lambda: zcdp_to_epsilon(1, 0), f"{DELTA} 0"),
    (lambda: zcdp_to_epsilon(1, 1), f"{DELTA} 1"),
    (lambda: zcdp_to_delta(0, 1), f"rho {COST} 0"),
    (lambda: zcdp_to_delta(1, -1), "epsilon must be 0 or from 10^-300 to 1000, got -1"),
    (lambda: zcdp_to_delta(1, 1001), "epsilon must be 0 or from 10^-300 to 1000, got 1001"),
    (lambda: zcdp_to_epsilon_classical(0, "1/2"), f"rho {COST} 0"),
    (lambda: zcdp_to_epsilon_classical(1, 0), f"{DELTA} 0"),
    (lambda: rdp_laplace(1, 1), f"{ORDER} 1"),
    (lambda: rdp_laplace(1001, 1), f"{ORDER} 1001"),
    (lambda: rdp_laplace("x", 1), f"order {NUMBER}"),
    (lambda: rdp_laplace(2, 0), f"epsilon {COST} 0"),
    (lambda: rdp_laplace(2, 1, 0), "times must be an integer ≥ 1, got 0"),
    (lambda: rdp_gaussian(1, 1), f"{ORDER} 1"),
    (lambda: rdp_gaussian(2, 0), f"sigma {COST} 0"),
    (lambda: rdp_gaussian(2, 1, 0), f"sensitivity {COST} 0"),
    (lambda: rdp_gaussian(2, 1, 1, 0), "times must be an integer ≥ 1, got 0"),
    (lambda: rdp_to_epsilon({}, "1/2"), "orders must hold at least one order"),
    (lambda: rdp_to_epsilon({2: 1}, 0), f"{DELTA} 0"),
    (lambda: rdp_to_epsilon({2: -1}, "1/2"), "curve must be at least 0 at every order, got -1"),
    (lambda: rdp_to_epsilon({2: "x"}, "1/2"), f"curve {NUMBER}"),
    (lambda: rdp_to_epsilon({1: 1}, "1/2"), f"{ORDER} 1"),
    (lambda: rdp_to_epsilon(lambda order: order, "1/2", [1]), f"{ORDER} 1"),
    (lambda: rdp_to_epsilon(lambda order: order, "1/2", []), "orders must hold at least one order"),
    (lambda: LossDistribution.laplace(0), f"epsilon {COST} 0"),
    (lambda: LossDistribution.laplace(1, 0), f"step {COST} 0"),
    (
        lambda: LossDistribution.laplace(1, Fraction(1, 2**18)),
        "step 1/262144 is too fine: the grid would have more than 524288 points",
    ),
    (lambda: LossDistribution.discrete_laplace(0), f"epsilon {COST} 0"),
    (lambda: LossDistribution.discrete_laplace(1, 0), "sensitivity must be an integer ≥ 1, got 0"),
    (lambda: LossDistribution.randomised_response(1, step=0), f"step {COST} 0"),
    (lambda: LossDistribution.gaussian(0), f"sigma {COST} 0"),
    (lambda: LossDistribution.gaussian(1, 0), f"sensitivity {COST} 0"),
    (lambda: LossDistribution.gaussian(1001), f"sigma {COST} 1001"),
    (
        lambda: LossDistribution.gaussian(1000, "999/1000"),
        "sensitivity/sigma must be from 1/1000 to 30, got 999/1000000",
    ),
    (lambda: LossDistribution.gaussian(1, 31), "sensitivity/sigma must be from 1/1000 to 30, got 31"),
    (lambda: COIN.then(1), GRIDS),
    (lambda: COIN.then(LossDistribution.randomised_response(1, step=2)), GRIDS),
    (lambda: COIN.compose(0), "k must be an integer ≥ 1, got 0"),
    (lambda: COIN.delta(-1), "epsilon must be 0 or from 10^-300 to 1000, got -1"),
    (lambda: COIN.epsilon(0), f"{DELTA} 0"),
    (lambda: exact_factor(0, 1), f"{ALPHA} 0"),
    (lambda: exact_factor(1, 1), f"{ALPHA} 1"),
    (lambda: exact_factor("x", 1), f"alpha {NUMBER}"),
    (lambda: exact_factor("1/2", 0), "m must be an integer ≥ 1, got 0"),
    (lambda: success("1/2", 0), "m must be an integer ≥ 1, got 0"),
    (lambda: success("1/2", 2), "m must be odd and at most 9999, so that no vote is tied, got 2"),
    (lambda: success("1/2", 10_001), "m must be odd and at most 9999, so that no vote is tied, got 10001"),
    (lambda: success(1, 1), f"{ALPHA} 1"),
    (lambda: most_allowed(1), f"{ALPHA} 1"),
    (lambda: vote([], []), CELLS),
    (lambda: vote([1], [1, 2]), CELLS),
    (lambda: theorem_6(DOMAIN, None, epsilon=0, max_depth=1), "epsilon must be greater than 0, got 0"),
    (lambda: theorem_6(DOMAIN, None, epsilon=1, max_depth=-1), "max_depth must be an integer ≥ 0, got -1"),
    (
        lambda: theorem_6(DOMAIN, None, epsilon=1, max_depth=1, leaf_share=2),
        "a share of the budget must lie strictly between 0 and 1, got 2",
    ),
    (
        lambda: theorem_6(DOMAIN, Shape(0, frozenset([0])), epsilon=1, max_depth=0),
        "the shape has more than max_depth = 0 splits on a branch",
    ),
    (
        lambda: theorem_6(DOMAIN, Shape(0, frozenset([0]), Shape(0, frozenset([0]))), epsilon=1, max_depth=1),
        "the shape has more than max_depth = 1 splits on a branch",
    ),
    (lambda: columns_in_parallel(DOMAIN, 0), "epsilon must be greater than 0, got 0"),
]


@pytest.mark.parametrize(("ask", "message"), REFUSED)
def test_what_is_refused_is_told_in_these_words(ask, message):
    with pytest.raises(ValueError) as caught:
        ask()
    assert str(caught.value) == message


ANSWERED = [
    (lambda: pure_to_zcdp(1000), 500_000),
    (lambda: pure_to_zcdp(LEAST), LEAST**2 / 2),
    (lambda: compose_optimal(LEAST, 10**6, 0), Enclosure.exactly(10**6 * LEAST)),
    (lambda: optimal_delta(1, 3, 3), Enclosure.exactly(Fraction(0))),
    (lambda: 0 < optimal_delta(1, 3, 0).lower < 1, True),
    (lambda: zcdp_to_delta(1, 0).upper < 1, True),
    (lambda: rdp_gaussian(1000, 1, 1, 10**6), Enclosure.exactly(Fraction(500 * 10**6))),
    (lambda: rdp_gaussian(1 + Fraction(1, 10**9), 1).lower > Fraction(1, 2), True),
    (lambda: rdp_to_epsilon({2: 0}, "1/2").lower, 0),
    (lambda: LossDistribution.gaussian(1000).step, Fraction(1, 128)),
    (lambda: LossDistribution.gaussian(1, 30, step=1).step, 1),
    (lambda: LossDistribution.laplace(1).step, Fraction(1, 1024)),
    (lambda: LossDistribution.discrete_laplace(1).step, Fraction(1, 1024)),
    (lambda: LossDistribution.randomised_response(1).step, Fraction(1, 1024)),
    (lambda: LossDistribution.laplace(1, 2).delta(0).upper <= 1, True),
    (lambda: exact_factor("1/2", 1), 2),
    (lambda: success("1/2", 1), Fraction(2, 3)),
    (lambda: vote([3], [4]), True),
    (lambda: vote([3], [3]), False),
    (lambda: theorem_6(DOMAIN, None, epsilon=1, max_depth=0).guarantee.spent, 1),
]


@pytest.mark.parametrize(("ask", "answer"), ANSWERED)
def test_what_lies_at_the_ends_is_answered(ask, answer):
    assert ask() == answer
