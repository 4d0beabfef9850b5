"""Shapes, types, extreme parameters, and odd input: an answer or a ValueError that says what is wrong."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fdpedu.mechanisms as m
from fdpedu.randomness import Rehearsal, ZeroWords
from tests.support.extreme_values import NUMBERS

# The edges


def test_shapes_and_types():
    assert isinstance(m.discrete_laplace(3, 1, ZeroWords()), int)
    assert m.discrete_laplace(np.zeros((2, 0, 3), dtype=int), 1).shape == (2, 0, 3)
    assert m.discrete_laplace([2**62, -(2**62)], 1, ZeroWords()).tolist() == [2**62, -(2**62)]
    assert m.discrete_gaussian([], 1).shape == (0,) and m.randomised_response([], 1).shape == (0,)
    assert m.exponential([1, 2], 1, ZeroWords(), size=0).shape == (0,)
    assert m.discrete_laplace(np.full(3_000_000, -(2**62)), "1/1000", Rehearsal(1)).max() < -(2**62) + 2**16


def test_extreme_parameters_are_right():
    """ε up to 10⁴⁰⁰ is no noise; ε = 10⁻⁶ and sensitivity 10⁶ agree; nothing wraps."""
    assert m.discrete_laplace([5, -5], 10**400).tolist() == [5, -5]
    small = m.discrete_laplace(np.zeros(50_000, dtype=int), "1/1000000", Rehearsal(2)) / 1e6
    scaled = m.discrete_laplace(np.zeros(50_000, dtype=int), 1, Rehearsal(3), sensitivity=10**6) / 1e6
    for draws in (small, scaled):  # Laplace(1): variance 2, fourth moment 24
        assert abs((draws**2).mean() - 2) < 6.2 * math.sqrt(20 / 50_000)
    assert m.exponential([0, 10**30], 1) == m.permute_and_flip([0, 10**30], 1) == 1
    assert m.exponential_pmf([0, 10**30], 1)[0].upper < Fraction(1, 10**1000)
    assert m.discrete_laplace_pmf(10**15, 1).upper < Fraction(1, 10**1000)
    assert m.discrete_gaussian(7, 10**9) == 7 and float(m.discrete_gaussian_pmf(0, 10**4)) == pytest.approx(1)


BAD_VALUES = [1.0, [0.5], "3", None, True, 2**63, [2**62 + 1], np.array([2**64 - 1], dtype=np.uint64), [[1], [2, 3]]]


@pytest.mark.parametrize("value", BAD_VALUES)
def test_values_that_are_no_integers_are_refused(value):
    for mechanism in (m.discrete_laplace, m.discrete_gaussian):
        with pytest.raises(ValueError):
            mechanism(value, 1, ZeroWords())


@pytest.mark.parametrize(
    "call",
    [
        lambda: m.discrete_laplace(1, "1/10000000000000"),
        lambda: m.discrete_laplace(1, 1, sensitivity="2"),
        lambda: m.discrete_gaussian(1, 1, sensitivity=0),
        lambda: m.discrete_gaussian(1, Fraction(1, 2**70)),
        lambda: m.discrete_gaussian_pmf(0, "1/1000000000000"),
        lambda: m.exponential([], 1),
        lambda: m.exponential([float("nan")], 1),
        lambda: m.exponential("12", 1),
        lambda: m.exponential([0.5, 0], alpha="1/2"),
        lambda: m.exponential([1], 1, alpha="1/2"),
        lambda: m.exponential([1], 1, monotone="yes"),
        lambda: m.report_noisy_max([0.5, 0], 1),
        lambda: m.permute_and_flip([1], 1, size=-1),
        lambda: m.randomised_response([2], 1),
        lambda: m.randomised_response([0.0], 1),
        lambda: m.randomised_response([0], 1, categories=1),
        lambda: m.randomised_response_pmf(0, 5, 1),
        lambda: m.estimate_counts([3], 1),
        lambda: m.count_interval(3, 1, confidence=1),
        lambda: m.count_interval(3.5, 1),
        lambda: m.count_interval(3, 1, simultaneous=0),
        lambda: m.snapped_laplace(1, 1, grid=0),
        lambda: m.snapped_laplace(float("inf"), 1, grid=1),
        lambda: m.laplace(["a"], 1),
        lambda: m.laplace(float("nan"), 1),
        lambda: m.gaussian([1], 0),
        lambda: m.gaussian_sigma(1, 0),
        lambda: m.gaussian_delta(-1, 1),
        lambda: m.classical_gaussian_sigma(1, 1e-6),
        lambda: m.classical_gaussian_sigma(5e-324, 1e-6),
        lambda: m.gaussian_sigma(1, 1e-6, sensitivity=1e308),
        lambda: m.gaussian_delta(1, 1.7e308, sensitivity=5e-324),
        lambda: m.leaf_error_constant(1),
        lambda: m.expected_error([1], [1, 2]),
        lambda: m.outputs_needed(1, 0.0, 0.0, Rehearsal(1)),
    ],
)
def test_bad_input_is_refused(call):
    with pytest.raises(ValueError):
        call()


def test_past_the_largest_float_lies_infinity():
    """Where the noise of a float leads beyond all floats, the sum is infinite, without a warning."""
    for noisy in (lambda rng: m.gaussian(1.7e308, 1.7e308, rng), lambda rng: m.laplace(1.7e308, "1e-308", rng)):
        sums = [float(noisy(Rehearsal(seed))) for seed in range(20)]
        assert np.inf in sums and min(sums) < 1.7e308
    assert m.laplace_logpdf(0, "1e-308") == pytest.approx(-math.log(2) - math.log(1e308))


ODD = st.one_of(
    st.sampled_from(NUMBERS), st.lists(st.sampled_from(NUMBERS), max_size=2),
    st.none(), st.booleans(), st.integers(-(2**70), 2**70), st.floats(), st.text(max_size=3), st.fractions(),
    st.lists(st.integers(-3, 3), max_size=3), st.lists(st.floats(), max_size=2), st.binary(max_size=2),
)  # fmt: skip


@pytest.mark.parametrize(
    "name", [name for name in m.__all__ if name not in ("CountInterval", "discrete_laplace_noise")]
)
@settings(max_examples=80, deadline=None)
@given(st.data())
def test_odd_input_gives_an_answer_or_a_value_error(name, data):
    """Whatever is put in, a public function answers or raises ValueError, and nothing else."""
    import inspect

    function = getattr(m, name)
    parameters = inspect.signature(function).parameters.values()
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
    try:
        function(*arguments, **options)
    except ValueError:
        pass
