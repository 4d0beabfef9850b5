"""What privacy tools refuse, and in which words, as one who audits a mechanism reads them; odd input is refused."""

import copy
import math
import random
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from fdpedu import privacy
from fdpedu.exact import Enclosure
from fdpedu.privacy import (
    allowed_region,
    as_law,
    check_dp,
    check_mechanism,
    clamped,
    datasets,
    distance,
    enclosed_law,
    hockey_stick,
    max_ratio,
    mix,
    neighbours,
    posterior,
    privacy_loss,
    product_law,
    push_forward,
    rational_law,
    roc,
    sensitivity,
)
from tests.support.repository import drawn_by_the_code
from tests.support.sentences import NUMBER, at_least, at_most, said_in_full

SUM = (
    "the probabilities add up to 2, not to 1; where a distribution was cut off, clamped keeps its tail; "
    "rational_law makes a law of weights"
)
FLOAT = "a probability is a float; write it as a fraction ('1/10'), or make a law of weights with rational_law"
ENCLOSED = (
    "a probability is an enclosure; give fractions (the library's laws are exact with alpha=), "
    "or ask check_dp or privacy_loss, which read enclosures"
)
SHORT = "a probability is a float32, which may have too few digits to decide anything; compute the table with Python's "
SHORT += "floats, or write fractions ('1/10')"
DRAWN = (
    "mechanism must return the distribution of its output, a table outcome → probability; on [] it returned an output "
    '({}). Outputs that are drawn can refute a claim (see fdpedu.audit) and never prove it: the page "Check your '
    'own mechanism in five minutes" of the book says how to write the table of a function that draws (its section on '
    "samplers)"
)
COINS = random.Random(1)
HALF = Fraction(1, 2)
NO_PAIRS = "there are no neighbours to compare: max_size must be at least 1, the universe must not be empty"
ALIKE = "must be a sequence of hashable records: numbers, strings or tuples"
RELATION = "relation must be one of add-remove, substitution; got 'swap'"
TWICE = "universe must not name a record twice"
MANY = "there are more than 200000 data sets of that size; choose a smaller universe or max_size"
BELOW = "exp_epsilon is e^ε and must be at least 1, got"
DELTA = "delta must lie between 0 and 1, got"
EPSILON = "epsilon must lie between 0 and 10000, got"
LAW = "expected a mapping outcome → probability or a list of probabilities"
BOTH = "give exactly one of exp_epsilon (a fraction) and epsilon"
TWO, ONE = [2], [1]
REFUSED = [
    # Each law by its own name.
    *[
        (call, f"{name}: {SUM}")
        for name, p, q in (("p", TWO, ONE), ("q", ONE, TWO))
        for call in (
            lambda p=p, q=q: max_ratio(p, q),
            lambda p=p, q=q: privacy_loss(p, q),
            lambda p=p, q=q: hockey_stick(p, q, 2),
            lambda p=p, q=q: check_dp(p, q, 2),
            lambda p=p, q=q: roc(p, q),
            lambda p=p, q=q: posterior("1/2", p, q, 0),
        )
    ],
    (lambda: as_law(TWO), f"law: {SUM}"),
    (lambda: as_law([0.5, 0.5]), f"law: {FLOAT}"),
    (lambda: as_law([np.float64(1)], "mine"), f"mine: {FLOAT}"),
    (lambda: as_law(["x"], "mine"), f"mine: a probability {NUMBER} 'x'"),
    (lambda: as_law([-1, 2], "mine"), "mine: a probability is negative; all must lie between 0 and 1"),
    (lambda: as_law(np.eye(2), "mine"), "mine: expected one dimension, got 2"),
    (lambda: as_law("1", "mine"), f"mine: {LAW}"),
    (lambda: as_law(b"1"), f"law: {LAW}"),
    (lambda: as_law([], "mine"), "mine: expected 1 to 100000 outcomes, got 0"),
    (lambda: as_law([0] * 100_001), "law: expected 1 to 100000 outcomes, got 100001"),
    (lambda: rational_law([None]), f"weights: a weight {NUMBER} None"),
    (lambda: rational_law([0], "shares"), "shares: weights must be non-negative, and at least one of them positive"),
    (lambda: rational_law([2, -1]), "weights: weights must be non-negative, and at least one of them positive"),
    (lambda: rational_law("ab"), f"weights: {LAW}"),
    (lambda: push_forward(TWO, {}), f"law: {SUM}"),
    (lambda: push_forward(ONE, {1: [1]}), "channel: no law for the outcome 0"),
    (lambda: push_forward(ONE, 7), "channel must be a function, got 7"),
    (lambda: push_forward(ONE, lambda k: TWO), f"channel at 0: {SUM}"),
    (lambda: mix([1, 0], [ONE]), "there are 2 weights for 1 laws"),
    (lambda: mix("a", [ONE]), f"weights: {LAW}"),
    (lambda: mix(ONE, "a"), f"laws: {LAW}"),
    (lambda: mix(TWO, [ONE]), f"weights: {SUM}"),
    (lambda: product_law(ONE, TWO), f"law 1: {SUM}"),
    (lambda: product_law(*[["1/2", "1/2"]] * 17), "the joint law would have more than 100000 outcomes"),
    # Parameters.
    (lambda: privacy_loss(ONE, ONE, 0), at_least("digits", 1, 0)),
    (lambda: privacy_loss(ONE, ONE, 10_001), at_most("digits", 10000, 10001)),
    (lambda: hockey_stick(ONE, ONE, "x"), f"exp_epsilon {NUMBER} 'x'"),
    (lambda: hockey_stick(ONE, ONE, "1/2"), f"{BELOW} 1/2"),
    (lambda: check_dp(ONE, ONE, 2, delta="x"), f"delta {NUMBER} 'x'"),
    (lambda: check_dp(ONE, ONE, 2, delta="3/2"), f"{DELTA} 3/2"),
    (lambda: check_dp(ONE, ONE, 2, delta=-1), f"{DELTA} -1"),
    (lambda: check_dp(ONE, ONE), BOTH),
    (lambda: check_dp(ONE, ONE, 2, epsilon=1), BOTH),
    (lambda: check_dp(ONE, ONE, epsilon="x"), f"epsilon {NUMBER} 'x'"),
    (lambda: check_dp(ONE, ONE, epsilon=-1), f"{EPSILON} -1"),
    (lambda: check_dp(ONE, ONE, epsilon="20001/2"), f"{EPSILON} 20001/2"),
    (lambda: check_mechanism(7, "a", 2), "mechanism must be a function, got 7"),
    (lambda: check_mechanism(lambda d: TWO, "a", 2), f"the distribution on []: {SUM}"),
    (lambda: check_mechanism(lambda d: [1 + len(d)], "a", 2), f"the distribution on ['a']: {SUM}"),
    (lambda: check_mechanism(lambda d: ONE, "", 2), NO_PAIRS),
    (lambda: check_mechanism(lambda d: ONE, "a", 2, max_size=0), NO_PAIRS),
    (lambda: check_mechanism(lambda d: ONE, "a", 2, relation="swap"), RELATION),
    (lambda: allowed_region("x"), f"exp_epsilon {NUMBER} 'x'"),
    (lambda: allowed_region(2, "x"), f"delta {NUMBER} 'x'"),
    (lambda: allowed_region(2, "3/2"), "delta must lie between 0 and 1"),
    (lambda: posterior("x", ONE, ONE, 0), f"prior {NUMBER} 'x'"),
    (lambda: posterior("3/2", ONE, ONE, 0), "prior must lie between 0 and 1"),
    (lambda: posterior("1/2", ONE, ONE, 5), "the outcome 5 cannot occur under this prior"),
    (lambda: posterior("1/2", ONE, ONE, []), "an outcome must be hashable, such as a number, a string or a tuple"),
    # Data sets.
    (lambda: list(datasets(7, 1)), f"universe {ALIKE}"),
    (lambda: list(datasets("aa", 1)), TWICE),
    (lambda: list(datasets("a", -1)), at_least("max_size", 0, -1)),
    (lambda: list(datasets("a", 10_001)), at_most("max_size", 10000, 10001)),
    (
        lambda: list(datasets(range(632), 2)),
        MANY,
    ),
    (lambda: list(neighbours(7, "ab")), f"a data set {ALIKE}"),
    (lambda: list(neighbours("ac", "ab")), "a record of the data set is not in the universe"),
    (lambda: list(neighbours("a", "ab", "swap")), RELATION),
    (lambda: distance("a", "b", "swap"), RELATION),
    (lambda: distance([[]], "b"), f"a data set {ALIKE}"),
    (lambda: sensitivity(7, "a"), "query must be a function, got 7"),
    (lambda: sensitivity(len, "a", norm="l7"), "norm must be one of l1, l2 squared, linf; got 'l7'"),
    (lambda: sensitivity(len, ""), NO_PAIRS),
    (lambda: sensitivity(lambda d: "x", "a"), f"the query's answer on [] {NUMBER} 'x'"),
    (
        lambda: sensitivity(lambda d: [0] * len(d), "a"),
        "the query has answers of different lengths, 0 and 1: its shape would reveal the data",
    ),
    (lambda: as_law(["1/2", "1/3"]), f"law: {SUM.replace('2', '5/6')}"),
    (lambda: as_law([None, 1]), f"law: a probability {NUMBER} None"),
    (lambda: as_law([True, 0]), f"law: a probability {NUMBER} True"),
    (lambda: as_law([1j]), f"law: a probability {NUMBER} 1j"),
    (lambda: as_law(["a"]), f"law: a probability {NUMBER} 'a'"),
    (lambda: as_law(["1/0"]), f"law: a probability {NUMBER} '1/0'"),
    (lambda: as_law([Fraction(10**3000 + 1, 10**3000)]), f"law: {SUM.replace('2', 'about 1.00000')}"),
    (lambda: as_law([["1"]]), f"law: a probability {NUMBER} list"),
    (lambda: check_dp([1], [1], "1/2"), f"{BELOW} 1/2"),
    (lambda: check_dp([1], [1], epsilon=10**6), f"{EPSILON} 1000000"),
    (lambda: check_dp([1], [1], 2, delta=2), f"{DELTA} 2"),
    (lambda: check_dp([1], [1], math.inf), f"exp_epsilon {NUMBER} inf"),
    (lambda: hockey_stick([1], [1], 0), f"{BELOW} 0"),
    (lambda: check_mechanism(lambda d: [1], "aa", 1), TWICE),
    (lambda: check_mechanism(lambda d: [1], range(50), 1, max_size=9), MANY),
    (lambda: as_law([Enclosure(HALF, HALF), HALF]), f"law: {ENCLOSED}"),
    (lambda: max_ratio([1], [0.5, 0.5]), f"q: {FLOAT}"),
    (lambda: check_dp([np.float32(1)], [1], 2), f"p: {SHORT}"),
    (lambda: check_dp([0.5, 0.25], [1], 2), f"p: {SUM.replace('2', 'about 0.750000')}"),
    (lambda: check_dp([0.75, 0.75], [1], 2), f"p: {SUM.replace('2', 'about 1.50000')}"),
    (lambda: check_dp([Enclosure(HALF, HALF)], [1], 2), f"p: {SUM.replace('2', '1/2')}"),
    (lambda: check_dp([1], [-1e-9, 1.0], 2), "q: a probability is negative; all must lie between 0 and 1"),
    (lambda: check_dp([math.nan], [1], 2), f"p: a probability {NUMBER} nan"),
    (
        lambda: enclosed_law([Enclosure(-HALF, Fraction(-1, 3)), 1]),
        "law: a probability is negative; all must lie between 0 and 1",
    ),
    (
        lambda: privacy_loss([HALF, HALF], [1, Enclosure(Fraction(0), HALF)]),
        "a probability of p or q may be 0, and then the loss is infinite: it needs more digits",
    ),
    (lambda: check_mechanism(lambda d: 7, "a", 2), DRAWN.format("int")),
    (lambda: check_mechanism(lambda d: "few", "a", 2), DRAWN.format("str")),
    (lambda: check_mechanism(lambda d: COINS.random(), "a", 2), DRAWN.format("float")),
    (lambda: check_mechanism(lambda d: [COINS.random(), 3], "a", 2), DRAWN.format("list")),
    (lambda: check_mechanism(lambda d: np.array(5), "a", 2), DRAWN.format("ndarray")),
    (lambda: check_mechanism(lambda d: {"a": 2}, "a", 2), f"the distribution on []: {SUM}"),
    (lambda: clamped(lambda k: 1, 0, 2), "centre must be given for a function: the point about which it is symmetric"),
    (lambda: clamped([1], 0, 0), at_least("high", 1, 0)),
    (lambda: clamped([1], "0", 1), f"low must be an integer ≥ {-(2**63)}, got '0'"),
    (lambda: clamped({"a": 1}, 0, 1), f"pmf: an outcome must be an integer ≥ {-(2**63)}, got 'a'"),
    (lambda: clamped([1], 0, 100_000), at_most("high", 99_999, 100_000)),
    (lambda: clamped([HALF], 0, 1), f"pmf: {SUM.replace('2', '1/2')}"),
    (lambda: clamped([1], 0, 1, centre=0), "pmf must be a function, got list"),
    (lambda: clamped(lambda k: 1, 0, 2, centre="1/3"), "centre must be an integer or a half of one, got 1/3"),
    (lambda: clamped(lambda k: 1, 0, 2, centre=50_001), "centre must be nearer to low and high: at most 50000 away"),
    (
        lambda: clamped(lambda k: HALF if k in (0, 1) else 0, 1, 3, centre=0),
        "pmf must be symmetric about centre: it is not the same at -1 and at 1",
    ),
    (lambda: clamped(lambda k: 1, -2, 0, centre=0), "pmf has more than probability 1 between -2 and 2"),
    (lambda: sensitivity(len, [[1]]), f"universe {ALIKE}"),
    (lambda: list(datasets("ab", 1.5)), at_least("max_size", 0, "1.5")),
    (lambda: mix([1], []), "laws: expected 1 to 100000 outcomes, got 0"),
    (lambda: rational_law([math.inf]), f"weights: a weight {NUMBER} inf"),
]


test_sentences_of_refusals = said_in_full(REFUSED)


ATOMS = [
    None, True, 0, 1, -1, 2, 10**400, 0.5, -0.0, math.nan, math.inf, 1e-320, 1j, "", "a", "1/2", "1/3", "1/0", "nan",
    b"x",
    Fraction(1, 2), Fraction(1, 3), Fraction(-7, 2), Fraction(1, 10**50), Decimal("0.5"), Decimal("sNaN"),
    Ellipsis, int, Enclosure(Fraction(1, 3), Fraction(1, 2)), np.float32(0.5),
    np.float64("nan"), np.int64(1), np.bool_(True), np.array(1), np.array([1]), np.array([[1]]), np.array([0.5, 0.5]),
    [], (), {}, {1}, [[]], range(3), len,
]  # fmt: skip


PUBLIC = {
    "as_law": lambda a, b, c: as_law(a),
    "rational_law": lambda a, b, c: rational_law(a),
    "max_ratio": lambda a, b, c: max_ratio(a, b),
    "privacy_loss": lambda a, b, c: privacy_loss(a, b),
    "hockey_stick": lambda a, b, c: hockey_stick(a, b, c),
    "check_dp": lambda a, b, c: check_dp(a, b, c),
    "check_dp epsilon": lambda a, b, c: check_dp(a, b, epsilon=c, delta=a),
    "check_mechanism": lambda a, b, c: check_mechanism(lambda data: a, "ab", b, delta=c, max_size=1),
    "clamped": lambda a, b, c: clamped(a, b, c),
    "clamped of a function": lambda a, b, c: clamped(lambda k: a, 0, 3, centre=b),
    "enclosed_law": lambda a, b, c: enclosed_law(a),
    "datasets": lambda a, b, c: list(datasets(a, b if not isinstance(b, int) else min(b, 3))),
    "neighbours": lambda a, b, c: list(neighbours(a, b, c if isinstance(c, str) else "add-remove")),
    "distance": lambda a, b, c: distance(a, b),
    "sensitivity": lambda a, b, c: sensitivity(lambda data: a, "ab", max_size=1),
    "push_forward": lambda a, b, c: push_forward(a, {0: b, 1: c}),
    "mix": lambda a, b, c: mix(a, [b, c]),
    "product_law": lambda a, b, c: product_law(a, b),
    "roc": lambda a, b, c: roc(a, b),
    "allowed_region": lambda a, b, c: allowed_region(a, b),
    "posterior": lambda a, b, c: posterior(a, b, c, 0),
}


def test_every_public_function_is_fuzzed():
    names = {name.split()[0] for name in PUBLIC}
    assert names == set(privacy.__all__) - {"EnclosedLaw", "Law", "Sensitivity", "Verdict"}


def an_odd_one(choose):
    """An odd value: an atom, a list or a dictionary of up to three."""
    some = [choose.choice(ATOMS) for _ in range(choose.randrange(4))]
    return choose.choice(
        [choose.choice(ATOMS), some, dict(zip(choose.sample([0, 1, "a"], len(some)), some, strict=True))]
    )


@pytest.mark.parametrize("name", PUBLIC)
def test_odd_input_is_refused_or_answered(name):
    """21 × 2,000 odd inputs, others for other code: an answer or a ValueError; no other exception, no warning."""
    seed = drawn_by_the_code().randrange(2**32)
    choose = random.Random(seed)
    for place in range(2000):
        odd = [copy.deepcopy(an_odd_one(choose)) for _ in "abc"]
        try:
            assert PUBLIC[name](*odd) is not None or name == "distance", f"{odd}: number {place} of seed {seed}"
        except ValueError as error:
            assert str(error), f"{odd}: number {place} of seed {seed}"
        except Exception as error:
            raise AssertionError(f"{odd}: number {place} of seed {seed}") from error
