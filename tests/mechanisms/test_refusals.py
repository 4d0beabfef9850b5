"""What the mechanisms refuse, and in which words: in one table. Beside it, what lies just inside is answered."""

import inspect
from contextlib import suppress
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fdpedu.mechanisms as m
from fdpedu.randomness import Rehearsal, ZeroWords
from fdpedu.sources.vos import equation_4_as_printed
from tests.support.extreme_values import NUMBERS
from tests.support.sentences import BETWEEN, EXACTLY_ONE, INTEGERS, NUMBER, above_0, at_least, at_most, said_in_full

WORD = "must be an integer ≥ -9223372036854775808, got"
COINS = "epsilon/sensitivity, or alpha, must be a fraction of integers up to 2**40 for these coins"
BASE = "alpha is the base of the coins itself: give sensitivity and monotone with epsilon only"
WIDE = "rho is too small: sensitivity²/(2·rho) must be at most 2**60, so that the noise fits 64 bits"
CONFIDENCE = f"confidence {BETWEEN}"
DELTA = f"delta {BETWEEN}"
UNIFORM = f"uniform {BETWEEN}"
VALUE = "value must be finite numbers"
ANSWERS = "answers must be integers from 0 to 1"
PMF = "pmf must be a list of 2 probabilities, one for each utility"
COUNTS = "reported must be a list of counts"
LARGE = "sigma is too large for a float"
SMALL = "sigma is too small for a float"
FLOATS = f"value {INTEGERS}"
REFUSED = [
    (
        lambda: m.discrete_laplace(1.5, 1),
        FLOATS,
    ),
    (lambda: m.discrete_laplace(1), EXACTLY_ONE),
    (lambda: m.discrete_laplace(1, 1, alpha="1/2"), EXACTLY_ONE),
    (lambda: m.discrete_laplace(1, 1, sensitivity=0), at_least("sensitivity", 1, 0)),
    (
        lambda: m.discrete_laplace(1, 1, 7),
        "rng must be None (operating system), a numpy.random.Generator or a source, got int",
    ),
    (lambda: m.discrete_laplace_pmf(0.5, 1), f"k {WORD} 0.5"),
    (lambda: m.discrete_laplace_pmf(-(2**63) - 1, 1), f"k {WORD} -9223372036854775809"),
    (lambda: m.discrete_laplace_pmf(0), EXACTLY_ONE),
    (lambda: m.discrete_laplace_pmf(0, 1, sensitivity=0), at_least("sensitivity", 1, 0)),
    (lambda: m.discrete_laplace_tail(-1, 1), at_least("k", 0, -1)),
    (lambda: m.discrete_laplace_tail(0), EXACTLY_ONE),
    (lambda: m.discrete_laplace_tail(0, 1, sensitivity=0), at_least("sensitivity", 1, 0)),
    (lambda: m.slow_discrete_laplace([1], 1), "value must be one integer, got an array of shape (1,)"),
    (
        lambda: m.slow_discrete_laplace(1.5, 1),
        FLOATS,
    ),
    (lambda: m.slow_discrete_laplace(1, Fraction(2**40 + 1, 3)), COINS),
    (lambda: m.slow_discrete_laplace(1, alpha=Fraction(1, 2**40 + 1)), COINS),
    (lambda: m.slow_discrete_laplace(1), EXACTLY_ONE),
    (lambda: m.slow_discrete_laplace(1, 1, sensitivity=0), at_least("sensitivity", 1, 0)),
    (lambda: m.count_interval([1, 2], 1), "noisy must be one integer, got an array of shape (2,)"),
    (lambda: m.count_interval(1, 1, confidence=0), f"{CONFIDENCE} 0"),
    (lambda: m.count_interval(1, 1, confidence=1), f"{CONFIDENCE} 1"),
    (lambda: m.count_interval(1, 1, confidence="x"), f"confidence {NUMBER} 'x'"),
    (lambda: m.count_interval(1, 1, simultaneous=0), at_least("simultaneous", 1, 0)),
    (lambda: m.count_interval(1, 1, sensitivity=0), at_least("sensitivity", 1, 0)),
    (lambda: m.count_interval(1), EXACTLY_ONE),
    (lambda: equation_4_as_printed(10_001, 1), "k must be at most 10,000 in size, got 10001"),
    (lambda: equation_4_as_printed(0, 0), above_0("epsilon", 0)),
    (lambda: equation_4_as_printed(0.5, 1), f"k {WORD} 0.5"),
    (lambda: m.gaussian(1, 0), above_0("sigma", 0)),
    (lambda: m.gaussian("x", 1), VALUE),
    (lambda: m.gaussian([np.inf], 1), VALUE),
    (lambda: m.gaussian(1, Fraction(1, 10**400)), SMALL),
    (lambda: m.gaussian(1, 10**400), LARGE),
    (lambda: m.gaussian_logpdf(1, 0), above_0("sigma", 0)),
    (lambda: m.gaussian_logpdf("x", 1), VALUE),
    (lambda: m.gaussian_delta(-1, 1), "epsilon must be at least 0, got -1.0"),
    (lambda: m.gaussian_delta("x", 1), f"epsilon {NUMBER} 'x'"),
    (lambda: m.gaussian_delta(1, 0), above_0("sigma", 0)),
    (lambda: m.gaussian_delta(1, 1, sensitivity=0), above_0("sensitivity", 0)),
    (lambda: m.gaussian_sigma(1, 0), f"{DELTA} 0.0"),
    (lambda: m.gaussian_sigma(1, 1), f"{DELTA} 1.0"),
    (lambda: m.gaussian_sigma(1, "x"), f"delta {NUMBER} 'x'"),
    (lambda: m.gaussian_sigma(1, "1/2", sensitivity=0), above_0("sensitivity", 0)),
    (lambda: m.gaussian_sigma(0, Fraction(1, 10**16)), "no σ below 10**15 is enough for this epsilon and delta"),
    (lambda: m.classical_gaussian_sigma(0, "1/2"), above_0("epsilon", 0)),
    (
        lambda: m.classical_gaussian_sigma(1, "1/2"),
        "the classical formula is proved for epsilon < 1 only, got 1; use gaussian_sigma",
    ),
    (lambda: m.classical_gaussian_sigma("1/2", 1), f"{DELTA} 1.0"),
    (lambda: m.classical_gaussian_sigma("1/2", "1/2", sensitivity=0), above_0("sensitivity", 0)),
    (
        lambda: m.discrete_gaussian(1.5, 1),
        FLOATS,
    ),
    (lambda: m.discrete_gaussian(1, 0), above_0("rho", 0)),
    (lambda: m.discrete_gaussian(1, 1, sensitivity=0), at_least("sensitivity", 1, 0)),
    (lambda: m.discrete_gaussian(1, Fraction(1, 2**61 + 1)), WIDE),
    (lambda: m.discrete_gaussian_pmf(0.5, 1), f"k {WORD} 0.5"),
    (lambda: m.discrete_gaussian_pmf(-(2**63) - 1, 1), f"k {WORD} -9223372036854775809"),
    (
        lambda: m.discrete_gaussian_pmf(0, "1/1000000000000"),
        "σ² = 500000000000 is too large for the sum; σ must be at most about 6,000",
    ),
    (lambda: m.discrete_gaussian_delta(-1, 1), "epsilon must be at least 0, got -1"),
    (lambda: m.discrete_gaussian_delta("x", 1), f"epsilon {NUMBER} 'x'"),
    (lambda: m.laplace("x", 1), VALUE),
    (lambda: m.laplace(np.nan, 1), VALUE),
    (lambda: m.laplace(1, 0), above_0("epsilon", 0)),
    (lambda: m.laplace(1, 1, sensitivity=0), above_0("sensitivity", 0)),
    (lambda: m.laplace(1, 10**400), above_0("scale", "0.0")),
    (lambda: m.laplace_logpdf("x", 1), VALUE),
    (lambda: m.numpy_laplace_value(0, 1, 0), f"{UNIFORM} 0.0"),
    (lambda: m.numpy_laplace_value(0, 1, 1), f"{UNIFORM} 1.0"),
    (lambda: m.numpy_laplace_value(0, 0, 0.5), above_0("scale", "0.0")),
    (lambda: m.numpy_laplace_value("x", 1, 0.5), f"value {NUMBER} 'x'"),
    (lambda: m.numpy_laplace_value(0, "x", 0.5), f"scale {NUMBER} 'x'"),
    (lambda: m.numpy_laplace_value(0, 1, "x"), f"uniform {NUMBER} 'x'"),
    (lambda: m.reachable("x", 0, 1), f"output {NUMBER} 'x'"),
    (lambda: m.reachable(0, "x", 1), f"value {NUMBER} 'x'"),
    (lambda: m.reachable(0, 0, -1), above_0("scale", "-1.0")),
    (lambda: m.outputs_needed(0, 0, 1), above_0("epsilon", 0)),
    (lambda: m.outputs_needed(1, "x", 1), f"value {NUMBER} 'x'"),
    (lambda: m.outputs_needed(1, 0, "x"), f"other {NUMBER} 'x'"),
    (
        lambda: m.outputs_needed(1, 0.0, 0.0, Rehearsal(1)),
        "10,000 outputs did not tell the two values apart; are they the same?",
    ),
    (lambda: m.snapped_laplace(1, 0, grid=1), above_0("epsilon", 0)),
    (lambda: m.snapped_laplace("x", 1, grid=1), f"value {NUMBER} 'x'"),
    (lambda: m.snapped_laplace(1, 1, grid=0), above_0("grid", 0)),
    (lambda: m.snapped_laplace(1, 1, grid=1, sensitivity=0), above_0("sensitivity", 0)),
    (lambda: m.snapped_laplace_pmf(0.5, 1, 1, grid=1), f"k {WORD} 0.5"),
    (lambda: m.snapped_laplace_pmf(-(2**63) - 1, 1, 1, grid=1), f"k {WORD} -9223372036854775809"),
    (lambda: m.randomised_response([2], 1), ANSWERS),
    (lambda: m.randomised_response([-1], 1), ANSWERS),
    (lambda: m.randomised_response([0.0], 1), ANSWERS),
    (lambda: m.randomised_response([0]), EXACTLY_ONE),
    (lambda: m.randomised_response([0], 1, categories=1), at_least("categories", 2, 1)),
    (lambda: m.randomised_response([0], 1, categories=4001), at_most("categories", 4000, 4001)),
    (lambda: m.randomised_response_pmf(2, 0, 1), ANSWERS),
    (lambda: m.randomised_response_pmf(0, 2, 1), ANSWERS),
    (lambda: m.randomised_response_pmf(-1, 0, 1), at_least("answer", 0, -1)),
    (lambda: m.randomised_response_pmf(0, -1, 1), at_least("truth", 0, -1)),
    (lambda: m.randomised_response_pmf(0, 0, 1, categories=1), at_least("categories", 2, 1)),
    (lambda: m.estimate_counts("12", 1), COUNTS),
    (lambda: m.estimate_counts(12, 1), COUNTS),
    (lambda: m.estimate_counts([1, -1], 1), at_least("reported", 0, -1)),
    (lambda: m.estimate_counts([1], 1), at_least("categories", 2, 1)),
    (lambda: m.exponential([], 1), "utilities must be at least one number, got an empty list"),
    (lambda: m.exponential("12", 1), "utilities must be a list of numbers, got str"),
    (lambda: m.exponential(["x"], 1), f"utilities {NUMBER} 'x'"),
    (lambda: m.exponential([1], 1, sensitivity=0), above_0("sensitivity", 0)),
    (lambda: m.exponential([1], 1, monotone="yes"), "monotone must be True or False, got str"),
    (lambda: m.exponential([1]), EXACTLY_ONE),
    (lambda: m.exponential([1], 0), above_0("epsilon", 0)),
    (lambda: m.exponential([1], alpha="1/2", monotone=True), BASE),
    (lambda: m.exponential([1], alpha="1/2", sensitivity=2), BASE),
    (
        lambda: m.exponential([0.5, 0], alpha="1/2"),
        "with alpha, differences of utilities must be integers; give epsilon instead",
    ),
    (lambda: m.exponential([1], 1, size=-1), at_least("size", 0, -1)),
    (lambda: m.report_noisy_max([0.5, 0], 1), "utilities must differ by integers (scale them, and the sensitivity)"),
    (lambda: m.expected_error(1, [1, 2]), PMF),
    (lambda: m.expected_error([1], [1, 2]), PMF),
    (lambda: m.expected_error(["x", 1], [1, 2]), f"pmf {NUMBER} 'x'"),
    (
        lambda: m.discrete_laplace(1, "1/10000000000000"),
        "epsilon/sensitivity must be at least 2**-40, so that the noise fits 64-bit integers",
    ),
    (lambda: m.discrete_laplace(1, 1, sensitivity="2"), at_least("sensitivity", 1, "'2'")),
    (lambda: m.exponential([float("nan")], 1), f"utilities {NUMBER} nan"),
    (lambda: m.permute_and_flip([1], 1, size=-1), at_least("size", 0, -1)),
    (lambda: m.snapped_laplace(float("inf"), 1, grid=1), f"value {NUMBER} inf"),
    (lambda: m.classical_gaussian_sigma(5e-324, 1e-6), LARGE),
    (lambda: m.gaussian_sigma(1, 1e-6, sensitivity=1e308), LARGE),
    (lambda: m.gaussian_delta(1, 1.7e308, sensitivity=5e-324), "sensitivity / sigma is too small for a float"),
    (lambda: m.gaussian_delta(1, 5e-324, sensitivity=1.7e308), "sensitivity / sigma is too large for a float"),
    (lambda: m.gaussian_sigma("1/2", 1e-6, sensitivity=1e308), LARGE),
    (lambda: m.gaussian_sigma(10**9, "1/2", sensitivity=5e-324), SMALL),
    (lambda: m.classical_gaussian_sigma("1e-300", 1e-6, sensitivity=1e300), LARGE),
    (lambda: m.classical_gaussian_sigma("1/2", 0.9999999, sensitivity="1e-400"), SMALL),
    (
        lambda: m.count_interval(0, Fraction(1, 10**301)),
        "epsilon / sensitivity must be at least 10^-300, got about 1E-301",
    ),
    (lambda: m.leaf_error_constant(1), at_least("classes", 2, 1)),
    (lambda: m.leaf_error_constant(101), at_most("classes", 100, 101)),
]


test_sentences_of_refusals = said_in_full(REFUSED)


ANSWERED = [
    (lambda: m.slow_discrete_laplace(1, 2**40, ZeroWords()), 1),
    (lambda: m.slow_discrete_laplace(1, rng=ZeroWords(), alpha=Fraction(1, 2**40)), 1),
    (lambda: equation_4_as_printed(10_000, 1), 0),
    (lambda: equation_4_as_printed(-10_000, 1), 0),
    (lambda: m.discrete_laplace_tail(0, alpha="1/3"), Fraction(1, 2)),
    (lambda: float(m.discrete_laplace_pmf(-(2**63), 1)) < 1e-300, True),
    (lambda: float(m.discrete_gaussian_pmf(-(2**63), "1/2")) < 1e-300, True),
    (lambda: m.gaussian_delta(0, 10**15) > 0, True),
    (lambda: m.discrete_gaussian(1, Fraction(1, 2**61), ZeroWords()), 1),
    (lambda: m.discrete_gaussian_delta(0, "1/2").lower > 0, True),
    (lambda: m.randomised_response([0, 3999], 1, ZeroWords(), categories=4000).tolist(), [0, 3999]),
    (lambda: m.randomised_response_pmf(1, 1, alpha="1/2"), Fraction(2, 3)),
    (lambda: m.estimate_counts(np.array([60, 40]), alpha="1/3"), [70, 30]),
    (lambda: m.estimate_counts((60, 40), alpha="1/3"), [70, 30]),
    (lambda: m.exponential([1, 2], 1, ZeroWords(), monotone=np.True_), 1),
    (lambda: 0.9 < float(m.leaf_error_constant(100)) < 10, True),
]


@pytest.mark.parametrize(("ask", "answer"), ANSWERED)
def test_what_lies_just_inside_is_answered(ask, answer):
    assert ask() == answer


BAD_VALUES = [1.0, [0.5], "3", None, True, 2**63, [2**62 + 1], np.array([2**64 - 1], dtype=np.uint64), [[1], [2, 3]]]


@pytest.mark.parametrize("value", BAD_VALUES)
def test_values_that_are_no_integers_are_refused(value):
    for mechanism in (m.discrete_laplace, m.discrete_gaussian):
        with pytest.raises(ValueError):
            mechanism(value, 1, ZeroWords())


ODD = st.one_of(
    st.sampled_from(NUMBERS), st.lists(st.sampled_from(NUMBERS), max_size=2),
    st.none(), st.booleans(), st.integers(-(2**70), 2**70), st.floats(), st.text(max_size=3), st.fractions(),
    st.lists(st.integers(-3, 3), max_size=3), st.lists(st.floats(), max_size=2), st.binary(max_size=2),
)  # fmt: skip


@pytest.mark.parametrize(
    "name", [name for name in m.__all__ if name not in ("CountInterval", "discrete_laplace_noise")]
)
def test_odd_input_gives_an_answer_or_a_value_error(pytestconfig, name):
    """Whatever is put in, a public function answers or raises ValueError, and nothing else."""
    function = getattr(m, name)
    parameters = inspect.signature(function).parameters.values()

    @settings(max_examples=80 if pytestconfig.getoption("--deep") else 8)
    @given(st.data())
    def is_answered_or_refused(data):
        arguments, options = [], {}
        for parameter in parameters:
            if parameter.name in ("rng", "size", "uniform"):
                words = Rehearsal(data.draw(st.integers(0, 9)))
                value = words if parameter.name == "rng" else None if parameter.name == "size" else 0.25
            else:
                value = data.draw(ODD)
            if parameter.kind is parameter.KEYWORD_ONLY:
                options[parameter.name] = value
            else:
                arguments.append(value)
        with suppress(ValueError):
            function(*arguments, **options)

    is_answered_or_refused()
