"""Shapes from public numbers: thresholds met exactly, what is asked for, and what is refused."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fdpedu.trees.shape import Asked, Shape, by_rows_and_epsilon, screened_shape

STEPS = [(150, "b"), (400, "c"), (2000, "d")]


@given(st.integers(1, 10**7), st.fractions(min_value="1/1000", max_value=50, max_denominator=1000))
def test_a_rule_is_the_last_threshold_that_rows_times_epsilon_reach(size, epsilon):
    expected = "a" if size * epsilon < 150 else "b" if size * epsilon < 400 else "c" if size * epsilon < 2000 else "d"
    assert by_rows_and_epsilon(size, epsilon, STEPS, "a", "none") == expected
    assert by_rows_and_epsilon(None, epsilon, STEPS, "a", "none") == "none"


def test_floats_are_read_as_the_decimals_that_they_print_as():
    assert by_rows_and_epsilon(1500, 0.1, STEPS, "a", "?") == "b"
    assert by_rows_and_epsilon(np.int64(1499), 0.1, STEPS, "a", "?") == "a"


def test_a_screened_tree_has_its_own_shape():
    fifth = Fraction(1, 5)
    found = [screened_shape(n, "1/2") for n in (1, 3999, 4000, 9999, 10_000, None)]
    assert found == [(3, fifth), (3, fifth), (5, fifth), (5, fifth), (6, fifth), (4, fifth)]


def test_what_is_asked_for_goes_before_the_defaults():
    assert Asked().shape(4, "1/5", 7) == Shape(4, Fraction(1, 5), 7) == Asked(leaf_share=None).shape(4, 0.2, 7)
    assert Asked(0, "1/3", 0).shape(4, "1/5", 7) == Shape(0, Fraction(1, 3), 0)
    assert Shape(1, Fraction(1, 2)).least == 0
    asked = Asked(nominal_size=np.int64(5), unspent_to_leaf=False)
    assert asked.given() == ("nominal_size", "unspent_to_leaf") and type(asked.nominal_size) is int


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"max_depth": -1}, "max_depth must be an integer ≥ 0, got -1"),
        ({"max_depth": 65}, "max_depth must be at most 64, got 65"),
        ({"max_depth": 2.0}, "max_depth must be an integer ≥ 0, got 2.0"),
        ({"leaf_share": 0}, "leaf_share must be greater than 0, got 0"),
        ({"leaf_share": 1}, "leaf_share must lie strictly between 0 and 1, got 1"),
        ({"min_samples_split": -1}, "min_samples_split must be an integer ≥ 0, got -1"),
        ({"min_samples_split": 2**62 + 1}, "min_samples_split must be at most"),
        ({"nominal_size": 0}, "nominal_size must be an integer ≥ 1, got 0"),
        ({"nominal_size": -3}, "nominal_size must be an integer ≥ 1, got -3"),
        ({"nominal_size": 500.0}, "nominal_size must be an integer ≥ 1, got 500.0"),
        ({"nominal_size": True}, "nominal_size must be an integer ≥ 1, got True"),
        ({"nominal_size": 2**62 + 1}, "nominal_size must be at most"),
        ({"unspent_to_leaf": 1}, "unspent_to_leaf must be a bool, got int"),
    ],
)
def test_the_sentences_of_refusals(options, words):
    with pytest.raises(ValueError) as refusal:
        Asked(**options)
    assert str(refusal.value).startswith(words)


def test_an_option_that_a_design_does_not_know_is_named():
    Asked(max_depth=3).require_only(("max_depth",), "x")
    with pytest.raises(ValueError) as refusal:
        Asked(max_depth=3, nominal_size=4).require_only(("max_depth", "leaf"), "x")
    assert str(refusal.value) == (
        "the design 'x' has no use for nominal_size: leave it out, or take another design; it knows max_depth, leaf"
    )
