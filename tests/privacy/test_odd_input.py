"""Verdicts read well; odd input, ten thousand times, is refused or answered."""

import copy
import math
import random
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from fdpedu import privacy
from fdpedu.privacy import (
    allowed_region,
    as_law,
    check_dp,
    check_mechanism,
    datasets,
    distance,
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


def test_verdicts_read_well():
    failed = check_dp({"in": 1}, {"out": 1}, epsilon=1)
    assert str(failed).startswith("fails. the event {'in'} has probability 1 against 0") and "✗" in failed._repr_html_()
    assert "<b>" not in check_dp({"<b>": 1}, {"x": 1}, 1)._repr_html_()
    assert str(check_mechanism(lambda d: [1], "a", 1)) == "holds, exactly, on 3 pairs of laws"


HUGE = Fraction(10**3000 + 1, 10**3000)
BAD_LAWS = [
    ([-1, 2], "negative"),
    (["1/2", "1/3"], "add up to 5/6"),
    ([0.5, 0.5], "is a float"),
    ([np.float64(0.5)] * 2, "is a float"),
    ([], "1 to 100000 outcomes"),
    ({}, "1 to 100000 outcomes"),
    ("1/2", "expected a mapping"),
    (7, "expected a mapping"),
    (None, "expected a mapping"),
    ({1, 2}, "expected a mapping"),
    ([math.nan, 1], "is a float"),
    ([None, 1], "finite number"),
    ([True, 0], "finite number"),
    ([1j], "finite number"),
    (["a"], "finite number"),
    (["1/0"], "finite number"),
    ([HUGE], "add up to about 1"),
    (np.eye(2), "one dimension"),
    ([["1"]], "finite number"),
    ([0] * 100_001, "outcomes"),
]


@pytest.mark.parametrize(("table", "message"), BAD_LAWS, ids=range(len(BAD_LAWS)))
def test_bad_laws_are_refused_with_advice(table, message):
    for call in (lambda: as_law(table), lambda: max_ratio(table, [1]), lambda: check_dp([1], table, 2)):
        with pytest.raises(ValueError, match=message):
            call()


@pytest.mark.parametrize(
    "call",
    [
        lambda: check_dp([1], [1]),
        lambda: check_dp([1], [1], 2, epsilon=1),
        lambda: check_dp([1], [1], "1/2"),
        lambda: check_dp([1], [1], epsilon=-1),
        lambda: check_dp([1], [1], epsilon=10**6),
        lambda: check_dp([1], [1], 2, delta=2),
        lambda: check_dp([1], [1], math.inf),
        lambda: hockey_stick([1], [1], 0),
        lambda: check_mechanism(lambda d: [1], "ab", 1, max_size=0),
        lambda: check_mechanism(lambda d: [1], "", 1),
        lambda: check_mechanism(lambda d: [1], "aa", 1),
        lambda: check_mechanism(lambda d: [1], range(50), 1, max_size=9),
        lambda: check_mechanism(lambda d: [0.5, 0.5], "a", 1),
        lambda: check_mechanism(lambda d: [1], "a", 1, relation="swap"),
        lambda: sensitivity(len, "ab", norm="l7"),
        lambda: sensitivity(lambda d: [0] * len(d), "ab"),
        lambda: sensitivity(lambda d: "x", "ab"),
        lambda: sensitivity(len, [[1]]),
        lambda: list(neighbours("abc", "ab")),
        lambda: distance("a", "b", "swap"),
        lambda: list(datasets("ab", 1.5)),
        lambda: push_forward([1], {}),
        lambda: push_forward([1], lambda k: [2]),
        lambda: mix([1], []),
        lambda: mix([2], [[1]]),
        lambda: rational_law([0, 0]),
        lambda: rational_law([1, -1]),
        lambda: rational_law([math.inf]),
        lambda: product_law(*[["1/2", "1/2"]] * 20),
        lambda: posterior(2, [1], [1], 0),
        lambda: posterior("1/2", [1], [1], 5),
        lambda: posterior("1/2", [1], [1], []),
        lambda: allowed_region(2, -1),
        lambda: privacy_loss([1], [1], digits=0),
    ],
)
def test_bad_input_is_refused(call):
    with pytest.raises(ValueError):
        call()


ATOMS = [
    None, True, 0, 1, -1, 2, 10**400, 0.5, -0.0, math.nan, math.inf, 1e-320, 1j, "", "a", "1/2", "1/3", "1/0", "nan",
    b"x",
    Fraction(1, 2), Fraction(1, 3), Fraction(-7, 2), Fraction(1, 10**50), Decimal("0.5"), Decimal("sNaN"),
    Ellipsis, int,
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
    assert names == set(privacy.__all__) - {"Law", "Sensitivity", "Verdict"}


def an_odd_one(choose):
    """An odd value: an atom, a list or a dictionary of up to three."""
    some = [choose.choice(ATOMS) for _ in range(choose.randrange(4))]
    return choose.choice(
        [choose.choice(ATOMS), some, dict(zip(choose.sample([0, 1, "a"], len(some)), some, strict=True))]
    )


@pytest.mark.parametrize("name", PUBLIC)
def test_odd_input_is_refused_or_answered(name):
    """18 × 2,000 odd inputs, others in each run: an answer or a ValueError; no other exception, no warning."""
    seed = random.SystemRandom().randrange(2**32)
    choose = random.Random(seed)
    for place in range(2000):
        odd = [copy.deepcopy(an_odd_one(choose)) for _ in "abc"]
        try:
            assert PUBLIC[name](*odd) is not None or name == "distance", f"{odd}: number {place} of seed {seed}"
        except ValueError as error:
            assert str(error), f"{odd}: number {place} of seed {seed}"
        except Exception as error:
            raise AssertionError(f"{odd}: number {place} of seed {seed}") from error
