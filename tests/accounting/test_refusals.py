"""What the functions of accounting refuse, and in which words: in one table. Beside it, the ends that are answered."""
# Longer than 400 lines because all sentences of the module stand in one table.

import itertools
import os
from fractions import Fraction
from pathlib import Path

import pytest

from fdpedu.accounting import (
    Amount,
    Budget,
    Charge,
    Cost,
    Ledger,
    LossDistribution,
    as_cost,
    compose_optimal,
    gaussian_budget,
    gaussian_epsilon,
    gaussian_to_zcdp,
    optimal_delta,
    pure_to_zcdp,
    rdp_gaussian,
    rdp_laplace,
    rdp_to_epsilon,
    split_budget,
    zcdp_to_delta,
    zcdp_to_epsilon,
    zcdp_to_epsilon_classical,
)
from fdpedu.accounting.loss import UNIT, _Law
from fdpedu.accounting.worked.by_hand import Shape, columns_in_parallel, theorem_6
from fdpedu.accounting.worked.columns import exact_factor, most_allowed, success, vote
from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.exact import Enclosure
from fdpedu.files import PROGRAM
from tests.support.accounting import WARDS
from tests.support.budget_files import sql
from tests.support.sentences import BETWEEN, NUMBER, above_0, at_least, at_most, no, no_list, said_in_full

DELTA_0 = "delta must be 0 or from 10^-300 to less than 1, got"
EPSILON_0 = "epsilon must be 0 or from 10^-300 to 1000, got"
ODD_M = "m must be odd and at most 9999, so that no vote is tied, got"
RATIO = "sensitivity/sigma must be from 1/1000 to 30, got"
NO_ORDERS = "orders must hold at least one order"
COST = "must be from 10^-300 to 1000, got"
DELTA = "delta must be from 10^-300 to less than 1, got"
ORDER = "order must be more than 1 (by 10^-9 or more) and at most 1000, got"
ALPHA = f"alpha {BETWEEN}"
GRIDS = "two loss distributions compose on grids of the same step"
CELLS = "released must hold one noisy cell for each of the cells without the record, at least 1"
LEAST = Fraction(1, 10**300)
COIN = LossDistribution.randomised_response(1, step=1)
GRID_OF_4 = Domain([Numeric.grid("x", 0, 4, bins=4)], (0, 1))
FRACTION = "must be a fraction of at most 400 digits above and below, got about 1E-400"
TOO_LARGE = "must be at most 10^18, got 1000000000000000001"
CHARGES = "charge a non-empty list of Charge"
NOTHING_TO_DERIVE = "a derivation needs a domain and at least one charge"
SHARE = f"a share of the budget {BETWEEN}"
TINY = Fraction(1, 10**400)
OF_TYPE = "type must be the name of a type of queries, such as 'class-counts'"
OF_PARAMETERS = "parameters must be at most 16 names, each with an integer or a short text"
CHARGE = {"region": WARDS.everything, "cost": 1, "query": "q", "mechanism": "m", "sensitivity": 1, "claim": "c"}
XI = "xi must be at least 0"
ONE_MEASURE = "give epsilon or rho, one of them: a ledger has one measure"
STATED = {"rho": "1/40", "xi": "1/10000", "epsilon": "1", "delta": "1/1000000"}
OLDER = {**STATED, "order": 22}
LIMITS = "ρ = 1/40, ξ = 1/10000"
NO_BUDGET = (
    "a budget is ε as text, or states rho and xi, alone or with epsilon and delta (in the measure concentrated also "
    "with an order); got"
)
ROUGH = LossDistribution(Fraction(1), *[_Law(0, (UNIT - UNIT // 8,), UNIT // 8)] * 2)


class Apart(type(WARDS.everything)):
    """Its own idea of what is disjoint would be charged by the ledger."""

    def is_disjoint(self, other):
        return True


OF_EPSILON_ALONE = "a budget of ε = 2 promises that alone: it has no delta and no order"


class Free(Budget):
    """Its own idea of what may be spent."""

    amount = Amount(Fraction(9**9))


class Cheap(Cost):
    """Its own idea of what a release costs."""

    amount = Amount(Fraction(1, 9**9))


def charged(ledger):
    ledger.charge([Charge(**CHARGE)])
    return ledger


REFUSED = [
    (lambda: compose_optimal(0, 1, 0), f"epsilon {COST} 0"),
    (lambda: compose_optimal(1001, 1, 0), f"epsilon {COST} 1001"),
    (lambda: compose_optimal(LEAST / 2, 1, 0), f"epsilon {COST} about 5E-301"),
    (lambda: compose_optimal("x", 1, 0), f"epsilon {NUMBER} 'x'"),
    (lambda: compose_optimal(1, 0, 0), at_least("k", 1, 0)),
    (lambda: compose_optimal(1, 10**6 + 1, 0), at_most("k", 1000000, 1000001)),
    (lambda: compose_optimal(1, 1, 1), f"{DELTA_0} 1"),
    (lambda: compose_optimal(1, 1, LEAST / 2), f"{DELTA_0} about 5E-301"),
    (lambda: compose_optimal(1, 1, "x"), f"delta {NUMBER} 'x'"),
    (lambda: optimal_delta(0, 1, 1), f"epsilon {COST} 0"),
    (lambda: optimal_delta(1, 0, 1), at_least("k", 1, 0)),
    (lambda: optimal_delta(1, 1, -1), "epsilon_prime must be at least 0, got -1"),
    (lambda: optimal_delta(1, 1, "x"), f"epsilon_prime {NUMBER} 'x'"),
    (lambda: pure_to_zcdp(0), f"epsilon {COST} 0"),
    (lambda: gaussian_to_zcdp(0), f"sigma {COST} 0"),
    (lambda: gaussian_to_zcdp(1, 0), f"sensitivity {COST} 0"),
    (lambda: zcdp_to_epsilon(0, "1/2"), f"rho {COST} 0"),
    (lambda: zcdp_to_epsilon(1, 0), f"{DELTA} 0"),
    (lambda: zcdp_to_epsilon(1, 1), f"{DELTA} 1"),
    (lambda: zcdp_to_delta(0, 1), f"rho {COST} 0"),
    (lambda: zcdp_to_delta(1, -1), f"{EPSILON_0} -1"),
    (lambda: zcdp_to_delta(1, 1001), f"{EPSILON_0} 1001"),
    (lambda: zcdp_to_epsilon_classical(0, "1/2"), f"rho {COST} 0"),
    (lambda: zcdp_to_epsilon_classical(1, 0), f"{DELTA} 0"),
    (lambda: rdp_laplace(1, 1), f"{ORDER} 1"),
    (lambda: rdp_laplace(1001, 1), f"{ORDER} 1001"),
    (lambda: rdp_laplace("x", 1), f"order {NUMBER} 'x'"),
    (lambda: rdp_laplace(2, 0), f"epsilon {COST} 0"),
    (lambda: rdp_laplace(2, 1, 0), at_least("times", 1, 0)),
    (lambda: rdp_gaussian(1, 1), f"{ORDER} 1"),
    (lambda: rdp_gaussian(2, 0), f"sigma {COST} 0"),
    (lambda: rdp_gaussian(2, 1, 0), f"sensitivity {COST} 0"),
    (lambda: rdp_gaussian(2, 1, 1, 0), at_least("times", 1, 0)),
    (lambda: rdp_to_epsilon({}, "1/2"), NO_ORDERS),
    (lambda: rdp_to_epsilon({2: 1}, 0), f"{DELTA} 0"),
    (lambda: rdp_to_epsilon({2: -1}, "1/2"), "curve must be at least 0 at every order, got -1"),
    (lambda: rdp_to_epsilon({2: "x"}, "1/2"), f"curve {NUMBER} 'x'"),
    (lambda: rdp_to_epsilon({1: 1}, "1/2"), f"{ORDER} 1"),
    (lambda: rdp_to_epsilon(lambda order: order, "1/2", [1]), f"{ORDER} 1"),
    (lambda: rdp_to_epsilon(lambda order: order, "1/2", []), NO_ORDERS),
    (lambda: LossDistribution.laplace(0), f"epsilon {COST} 0"),
    (lambda: LossDistribution.laplace(1, 0), f"step {COST} 0"),
    (
        lambda: LossDistribution.laplace(1, Fraction(1, 2**18)),
        "step 1/262144 is too fine: the grid would have more than 524288 points",
    ),
    (lambda: LossDistribution.discrete_laplace(0), f"epsilon {COST} 0"),
    (lambda: LossDistribution.discrete_laplace(1, 0), at_least("sensitivity", 1, 0)),
    (lambda: LossDistribution.randomised_response(1, step=0), f"step {COST} 0"),
    (lambda: LossDistribution.gaussian(0), f"sigma {COST} 0"),
    (lambda: LossDistribution.gaussian(1, 0), f"sensitivity {COST} 0"),
    (lambda: LossDistribution.gaussian(1001), f"sigma {COST} 1001"),
    (
        lambda: LossDistribution.gaussian(1000, "999/1000"),
        f"{RATIO} 999/1000000",
    ),
    (lambda: LossDistribution.gaussian(1, 31), f"{RATIO} 31"),
    (lambda: COIN.then(1), GRIDS),
    (lambda: COIN.then(LossDistribution.randomised_response(1, step=2)), GRIDS),
    (lambda: COIN.compose(0), at_least("k", 1, 0)),
    (lambda: COIN.delta(-1), f"{EPSILON_0} -1"),
    (lambda: COIN.epsilon(0), f"{DELTA} 0"),
    (lambda: exact_factor(0, 1), f"{ALPHA} 0"),
    (lambda: exact_factor(1, 1), f"{ALPHA} 1"),
    (lambda: exact_factor("x", 1), f"alpha {NUMBER} 'x'"),
    (lambda: exact_factor("1/2", 0), at_least("m", 1, 0)),
    (lambda: success("1/2", 0), at_least("m", 1, 0)),
    (lambda: success("1/2", 2), f"{ODD_M} 2"),
    (lambda: success("1/2", 10_001), f"{ODD_M} 10001"),
    (lambda: success(1, 1), f"{ALPHA} 1"),
    (lambda: most_allowed(1), f"{ALPHA} 1"),
    (lambda: vote([], []), CELLS),
    (lambda: vote([1], [1, 2]), CELLS),
    (lambda: theorem_6(GRID_OF_4, None, epsilon=0, max_depth=1), above_0("epsilon", 0)),
    (lambda: theorem_6(GRID_OF_4, None, epsilon=1, max_depth=-1), at_least("max_depth", 0, -1)),
    (
        lambda: theorem_6(GRID_OF_4, None, epsilon=1, max_depth=1, leaf_share=2),
        f"a share of the budget {BETWEEN} 2",
    ),
    (
        lambda: theorem_6(GRID_OF_4, Shape(0, frozenset([0])), epsilon=1, max_depth=0),
        "the shape has more than max_depth = 0 splits on a branch",
    ),
    (
        lambda: theorem_6(GRID_OF_4, Shape(0, frozenset([0]), Shape(0, frozenset([0]))), epsilon=1, max_depth=1),
        "the shape has more than max_depth = 1 splits on a branch",
    ),
    (lambda: columns_in_parallel(GRID_OF_4, 0), above_0("epsilon", 0)),
    (lambda: rdp_to_epsilon(7, "1/2"), "curve must be a function, got 7"),
    (lambda: rdp_gaussian(1 + Fraction(999, 10**12), 1), f"{ORDER} about 1.00000"),
    (lambda: LossDistribution.gaussian("500.25", "1/2"), f"{RATIO} 2/2001"),
    (lambda: ROUGH.epsilon("1/9"), "delta must be more than 1/8, the mass that these tables leave out"),
    (
        lambda: LossDistribution.gaussian(1, step="1/8").epsilon("1e-29"),
        "delta must be more than about 2.964E-27, the mass that these tables leave out",
    ),
    (lambda: Cost("zcdp", 1), "measure must be 'pure' or 'gaussian', got 'zcdp'"),
    (lambda: Cost(["pure"], 1), "measure must be 'pure' or 'gaussian', got list"),
    (lambda: Cost("pure", 0), above_0("epsilon", 0)),
    (lambda: Cost("gaussian", 0), above_0("rho", 0)),
    (lambda: Cost("gaussian", 1, "x"), f"xi {NUMBER} 'x'"),
    (lambda: Cost("gaussian", 1, -1), f"{XI}, and 0 for a cost in ε, got -1"),
    (lambda: Cost("pure", 1, 1), f"{XI}, and 0 for a cost in ε, got 1"),
    (lambda: as_cost("x", "price"), f"price {NUMBER} 'x'"),
    (lambda: as_cost(0), above_0("cost", 0)),
    (lambda: Budget.of(), ONE_MEASURE),
    (lambda: Budget.of(1, rho=1), ONE_MEASURE),
    (lambda: Budget.of(rho=0), f"rho {COST} 0"),
    (
        lambda: Budget.of(rho=1, delta="1/2"),
        "delta must be left out beside rho: give epsilon and delta, and ρ is chosen for them",
    ),
    (
        lambda: Budget.of(Budget.of(1), rho=1),
        "give a budget alone, without delta and rho: it says all of itself",
    ),
    (lambda: Budget.of(Cost("gaussian", 1, TINY)), f"xi {FRACTION}"),
    (lambda: Budget.of(Cost("gaussian", TINY, 1)), f"rho {FRACTION}"),
    (lambda: Budget.from_json({"rho": "1/40"}), f"{NO_BUDGET} dict"),
    (lambda: Budget.from_json(7), f"{NO_BUDGET} 7"),
    (lambda: Budget.from_json({**OLDER, "order": 1}, "concentrated"), at_least("order", 2, 1)),
    (lambda: Budget.from_json(OLDER), f"{NO_BUDGET} dict"),
    (lambda: Budget.from_json({**STATED, "epsilon": "0"}), f"epsilon {COST} 0"),
    (lambda: Budget.from_json({**STATED, "delta": "1"}), f"{DELTA} 1"),
    (
        lambda: Budget.from_json({**STATED, "epsilon": "1/20"}),
        f"{LIMITS} is not converted to this epsilon and delta: take a smaller delta",
    ),
    (
        lambda: Budget.from_json(STATED | {"rho": "3/100"}),
        "ρ = 3/100, ξ = 1/10000 is not converted to this epsilon and delta",
    ),
    (lambda: Budget.from_json({**STATED, "xi": "1/2"}), "xi must be less than 1 and than epsilon/2, got 1/2"),
    (
        lambda: Budget.from_json(OLDER, "concentrated"),
        f"no conversion at the order 22 takes {LIMITS} to this epsilon and delta",
    ),
    (
        lambda: Budget.from_json({**OLDER, "order": 10**6 + 1, "epsilon": "1000"}, "concentrated"),
        "order must be at most 1000000, got 1000001",
    ),
    (
        lambda: Budget(Cost("gaussian", "1/40"), Fraction(1), Fraction(1, 10**6), 22),
        "order must be left out: only a budget in the older measure concentrated has one",
    ),
    (lambda: Budget(Cost("pure", 2), Fraction(1)), OF_EPSILON_ALONE),
    (lambda: Ledger(Free.of(1)), "epsilon must be a number, a Budget or a Cost, got Free"),
    (lambda: Free(Cheap("pure", 1), Fraction(1)), "limit must be a Cost, got Cheap"),
    (lambda: gaussian_budget(0, "1/2"), f"epsilon {COST} 0"),
    (lambda: gaussian_budget(1, 0), f"{DELTA} 0"),
    (
        lambda: gaussian_budget("1/10", "1/2"),
        "delta must be smaller beside ε = 1/10, got 1/2: for so large a δ no ρ is computed",
    ),
    (
        lambda: Ledger(Budget.from_json({"rho": "1/40", "xi": "0"}, "concentrated")),
        "a new budget cannot be one in the measure concentrated, which is read only: give epsilon and delta, or rho. "
        "(A budget file that was begun in it goes on in it)",
    ),
    (lambda: gaussian_epsilon(0, 0, "1/2"), f"rho {COST} 0"),
    (lambda: gaussian_epsilon(1, -1, "1/2"), f"{XI} and less than 1, got -1"),
    (lambda: gaussian_epsilon(1, 1, "1/2"), f"{XI} and less than 1, got 1"),
    (lambda: gaussian_epsilon(1, "x", "1/2"), f"xi {NUMBER} 'x'"),
    (lambda: gaussian_epsilon(1, 0, 1), f"{DELTA} 1"),
    (lambda: Ledger(0), above_0("epsilon", 0)),
    (lambda: Ledger(-1), above_0("epsilon", -1)),
    (lambda: Ledger("x"), f"epsilon {NUMBER} 'x'"),
    (lambda: Ledger(TINY), f"epsilon {FRACTION}"),
    (
        lambda: Ledger(1, relation="substitution"),
        "relation must be 'add-remove' (a substitution costs twice as much), got 'substitution'",
    ),
    (lambda: Ledger(1, colluders=-1), at_least("colluders", 0, -1)),
    (lambda: Ledger(1, colluders="one"), at_least("colluders", 0, "'one'")),
    (lambda: Ledger(1, colluders=1.5), at_least("colluders", 0, "1.5")),
    (lambda: Ledger(1, colluders=10**18 + 1), f"colluders {TOO_LARGE}"),
    (lambda: Ledger(1).bind(3), no("Domain", "domain", "int")),
    (lambda: Ledger(1, domain=WARDS).bind(GRID_OF_4), "this ledger belongs to another domain"),
    (lambda: Ledger(1).charge(5), no_list("charges", 5)),
    (lambda: Ledger(1).charge([]), CHARGES),
    (lambda: Ledger(1).charge([1]), CHARGES),
    (lambda: Ledger(1).derivation(), NOTHING_TO_DERIVE),
    (lambda: Ledger(1, domain=WARDS).derivation(), NOTHING_TO_DERIVE),
    (lambda: Ledger(1, domain=WARDS, colluders=1).derivation(), NOTHING_TO_DERIVE),
    (lambda: charged(Ledger(1)).derivation(), NOTHING_TO_DERIVE),
    (
        lambda: charged(Ledger(1, domain=Domain([Categorical("ward", tuple("ABC"))], (0, 1)))),
        "every region must lie in the ledger's domain; nothing was charged",
    ),
    (
        lambda: charged(Ledger(1, colluders=5)),
        "this ledger promises that every charge withstands colluders = 5, and one withstands 0; nothing was charged. "
        "Their number is fixed beforehand: make a ledger with Ledger(…, colluders=0)",
    ),
    (
        lambda: charged(Ledger("1/2")),
        "ε = 1 was asked, and ε = 1/2 is left in the ledger: the round would bring some record "
        "to ε = 1, more than the budget 1/2; nothing was charged",
    ),
    (lambda: split_budget(0, "1/2"), above_0("epsilon", 0)),
    (lambda: split_budget(1, "x"), f"share {NUMBER} 'x'"),
    (lambda: split_budget(1, 1), f"{SHARE} 1"),
    (lambda: split_budget(1, 0), f"{SHARE} 0"),
    (lambda: Charge(**CHARGE | {"releases": 0}), at_least("releases", 1, 0)),
    (lambda: Charge(**CHARGE | {"releases": True}), at_least("releases", 1, "True")),
    (lambda: Charge(**CHARGE | {"releases": 10**18 + 1}), f"releases {TOO_LARGE}"),
    (lambda: Charge(**CHARGE | {"sensitivity": 0}), at_least("sensitivity", 1, 0)),
    (lambda: Charge(**CHARGE | {"sensitivity": 1.5}), at_least("sensitivity", 1, "1.5")),
    (lambda: Charge(**CHARGE | {"colluders": -1}), at_least("colluders", 0, -1)),
    (lambda: Charge(**CHARGE | {"cost": 0}), above_0("epsilon", 0)),
    (lambda: Charge(**CHARGE | {"cost": TINY}), f"epsilon {FRACTION}"),
    (
        lambda: Charge(**CHARGE | {"cost": 10 * TINY, "releases": 10}),
        f"epsilon / (releases × sensitivity) {FRACTION}",
    ),
    (lambda: Charge(**CHARGE | {"query": ""}), "query must be text that says something, got ''"),
    (lambda: Charge(**CHARGE | {"type": "Class-counts"}), f"{OF_TYPE}, got 'Class-counts'"),
    (lambda: Charge(**CHARGE | {"type": ""}), f"{OF_TYPE}, got ''"),
    (lambda: Charge(**CHARGE | {"type": 7}), f"{OF_TYPE}, got 7"),
    *(
        (lambda wrong=wrong: Charge(**CHARGE | {"parameters": tuple(wrong.items())}), OF_PARAMETERS)
        for wrong in (
            *({"Feature": 1}, {"feature": True}, {"feature": 0.5}, {"feature": "x" * 201}, {"feature": None}),
            {letter: 1 for letter in "abcdefghijklmnopq"},
        )
    ),
    (lambda: Charge(**CHARGE | {"mechanism": 7}), "mechanism must be text that says something, got 7"),
    (
        lambda: Charge(**CHARGE | {"claim": "\ud800"}),
        "claim must be one line of visible characters, got '\\ud800': take out a lone surrogate",
    ),
    (lambda: Charge(**CHARGE | {"region": None}), no("Region", "region", "NoneType")),
    (
        lambda: Charge(**CHARGE | {"region": Apart(WARDS.everything.features, WARDS.everything.classes)}),
        no("Region", "region", "Apart"),
    ),
]


test_sentences_of_refusals = said_in_full(REFUSED)


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
    (lambda: theorem_6(GRID_OF_4, None, epsilon=1, max_depth=0).guarantee.spent, 1),
]


@pytest.mark.parametrize(("ask", "answer"), ANSWERED)
def test_what_lies_at_the_ends_is_answered(ask, answer):
    assert ask() == answer


JUNK = [None, "", "much", float("nan"), float("inf"), -1, 0, True, [], {}, 10**400, "1e-400", 1j, b"1", object()]
CALLS = {
    "compose_optimal": (compose_optimal, ["1/4", 16, "1e-6"]),
    "optimal_delta": (optimal_delta, ["1/4", 16, 1]),
    "pure_to_zcdp": (pure_to_zcdp, [1]),
    "gaussian_to_zcdp": (gaussian_to_zcdp, [1, 1]),
    "zcdp_to_epsilon": (zcdp_to_epsilon, [1, "1e-6"]),
    "zcdp_to_delta": (zcdp_to_delta, [1, 1]),
    "zcdp_to_epsilon_classical": (zcdp_to_epsilon_classical, [1, "1e-6"]),
    "rdp_laplace": (rdp_laplace, [2, 1, 3]),
    "rdp_gaussian": (rdp_gaussian, [2, 1, 1, 3]),
    "rdp_to_epsilon": (lambda order, value, delta: rdp_to_epsilon(lambda _: value, delta, [order]), [2, 1, "1e-6"]),
    "laplace": (LossDistribution.laplace, [1, 1]),
    "discrete_laplace": (LossDistribution.discrete_laplace, [1, 1, 1]),
    "gaussian": (LossDistribution.gaussian, [1, 1, 1]),
    "compose": (LossDistribution.randomised_response(1, step=1).compose, [2]),
    "delta": (LossDistribution.randomised_response(1, step=1).delta, [1]),
    "epsilon": (LossDistribution.randomised_response(1, step=1).epsilon, ["1/100"]),
}


@pytest.mark.parametrize("name", CALLS)
def test_bad_input_gives_a_clear_value_error(name):
    """Each argument replaced by junk: an answer or a ValueError that names what was expected, nothing else."""
    function, good = CALLS[name]
    function(*good)
    refused = 0
    for i, junk in itertools.product(range(len(good)), JUNK):
        arguments = [*good[:i], junk, *good[i + 1 :]]
        try:
            function(*arguments)
        except ValueError as error:
            assert "must be" in str(error) or "too fine" in str(error), error
            refused += 1
    assert refused >= 10 * len(good)


MISSING = "there is no folder {folder}/none: make it, or name another file"
NO_FILE = "there is no file {path}: give a budget to make it"
UNFINISHED = "{path} is no budget file, or one that was never finished"
FOREIGN = ("CREATE TABLE t (a)", "INSERT INTO t VALUES (1)")
VERSION_6 = "PRAGMA user_version = 6"
REFUSED_OF_FILES = [
    (lambda path: Ledger.open(path, 1, domain=4), no("Domain", "domain", "int")),
    (lambda path: Ledger.open(path, -1), above_0("epsilon", -1)),
    (lambda path: Ledger.open(path, 1, colluders=-1), at_least("colluders", 0, -1)),
    (
        lambda path: (Ledger.open(path, "1/2"), Ledger.open(path, 1)),
        "{path} has the budget 1/2, not 1: leave the budget out, or name another file",
    ),
    (
        lambda path: (Ledger.open(path, 1, colluders=2), Ledger.open(path, colluders=7)),
        "{path} promises colluders = 2, not 7: leave it out, or make another file",
    ),
    (lambda path: Ledger.open(path, 1).charge([Charge(**CHARGE)], 7), "account must be text, got int"),
    (lambda path: Ledger.open(os.path.join(os.path.dirname(path), "none", "budget.db"), 1), MISSING),
    (lambda path: Ledger.open(os.path.join(os.path.dirname(path), "none", "budget.db")), MISSING),
    (Ledger.open, NO_FILE),
    (
        lambda path: (os.mkfifo(path), Ledger.open(path, 1)),
        "{path} is no regular file, but a device, a pipe or a socket: name another file",
    ),
    (
        lambda path: (Ledger.open(path, 1, delta="1e-6"), Ledger.open(path, 1)),
        "{path} is a budget of (ε, δ) = (1, 10⁻⁶), from ρ = 2801/100000, ξ ≤ 1/100000, in the measure gaussian: leave "
        "the budget out, or name another file",
    ),
    (lambda path: (os.mkdir(path), Ledger.open(path)), "{path} is a folder: name a file in it"),
    (lambda path: (Path(path).write_text(""), Ledger.open(path)), UNFINISHED),
    (
        lambda path: (Path(path).write_text("My diary. " * 500), Ledger.open(path)),
        "{path}: it is no budget file; nothing is released",
    ),
    (lambda path: (sql(path, *FOREIGN), Ledger.open(path)), UNFINISHED),
    (
        lambda path: (Ledger.open(path, 1), sql(path, VERSION_6), Ledger.open(path)),
        "{path} is a budget file of version 6, which a newer fdpedu has made; "
        + PROGRAM
        + " reads the versions up to 5",
    ),
]


@pytest.mark.parametrize(("ask", "message"), REFUSED_OF_FILES)
def test_sentences_of_refusals_of_a_file(ask, message, tmp_path):
    path = str(tmp_path / "budget.db")
    with pytest.raises(ValueError) as caught:
        ask(path)
    assert str(caught.value) == message.format(path=path, folder=tmp_path)
