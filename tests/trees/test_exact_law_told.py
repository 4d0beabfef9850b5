"""The names by which the exact law of a small tree tells what it cannot use."""

from fractions import Fraction
from functools import partial

import pytest

from fdpedu.claims.trees.laws_exact import ONE
from fdpedu.trees import Design, stopping
from fdpedu.trees.exact_law import SmallTrees

USUAL = {"domain": ONE, "alpha": Fraction(1, 3), "max_depth": 1, "low": 0, "high": 1}


def small(**options):
    return SmallTrees(**{**USUAL, **options})


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"domain": "x"}, r"^domain must be a Domain, got str$"),
        ({"alpha": "x"}, r"^alpha must be a finite number"),
        ({"alpha": None}, r"^alpha must be a finite number"),
        ({"alpha": 1}, r"^alpha must lie strictly between 0 and 1, got 1$"),
        ({"max_depth": -1}, r"^max_depth must be an integer ≥ 0, got -1$"),
        ({"max_depth": 9}, r"^max_depth must be at most 8, got 9$"),
        ({"low": -1001}, r"^low must be an integer ≥ -1000, got -1001$"),
        ({"low": 1000, "high": 1001}, r"^low must be at most 999, got 1000$"),
        ({"low": 1}, r"^high must be an integer ≥ 2, got 1$"),
        ({"low": 999, "high": 1001}, r"^high must be at most 1000, got 1001$"),
        ({"leaf_steps": 0}, r"^leaf_steps must be an integer ≥ 1, got 0$"),
        ({"leaf_steps": 1001}, r"^leaf_steps must be at most 1000, got 1001$"),
        ({"min_samples_split": -1}, r"^min_samples_split must be an integer ≥ 0, got -1$"),
        ({"min_samples_split": 2**62 + 1}, r"^min_samples_split must be at most 4611686018427387904, got 4"),
    ],
)
def test_a_parameter_is_refused_by_its_name(options, message):
    with pytest.raises(ValueError, match=message):
        small(**options)


@pytest.mark.parametrize("rows", [5, None, "rows"])
def test_rows_that_are_no_list_are_refused_by_their_name(rows):
    for call in (small().law, small().transcripts, partial(small().loss, []), lambda one: small().loss(one, [])):
        with pytest.raises(ValueError, match=r"^rows must be a list, got "):
            call(rows)


def test_a_rule_without_a_name_is_told_as_one():
    rule = partial(stopping.averaged)
    assert repr(small(design=Design(stop=rule))) == "SmallTrees(a rule, α = 1/3, depth 1, counts from 0 to 1)"
    assert repr(small()) == "SmallTrees(averaged, α = 1/3, depth 1, counts from 0 to 1)"
