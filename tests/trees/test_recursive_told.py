"""What the recursion of Algorithm 5 takes unless told, by which names it refuses, and what its tree is called."""

from fractions import Fraction

import pytest

from fdpedu.claims.federations import federate
from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.randomness import ZeroWords
from fdpedu.trees.recursive import fit_recursively

DOMAIN = Domain([Numeric.grid("x", 0, 4, bins=4), Categorical("w", ("A", "B", "C"))], ("a", "b", "c"))
ROWS = [[1, "A", "a"], [1, "B", "a"], [3, "A", "b"], [3, "C", "b"], [4, "B", "c"], [4, "C", "c"]]


def seated(rows=ROWS):
    return federate([rows, []], DOMAIN, 1, ZeroWords())


def test_unless_told_an_early_leaf_costs_what_a_late_one_does():
    federation = seated([[1, "A", "b"]] * 4)
    fit_recursively(federation, max_depth=2, min_samples_split=2)
    assert federation.ledger.spent == Fraction(3, 4)


def test_its_features_and_classes_are_those_of_the_domain():
    tree = fit_recursively(seated(), max_depth=1, min_samples_split=0)
    assert (tree.feature_names, tree.classes, tree.domain) == (("x", "w"), DOMAIN.classes, DOMAIN) and tree.depth == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"max_depth": 13}, r"^max_depth must be at most 12, got 13$"),
        ({"max_depth": "x"}, r"^max_depth must be an integer ≥ 0"),
        ({"min_samples_split": -1}, r"^min_samples_split must be an integer ≥ 0, got -1$"),
        ({"min_samples_split": 2**62 + 1}, r"^min_samples_split must be at most 4611686018427387904, got 4"),
        ({"unspent_to_leaf": None}, r"^unspent_to_leaf must be a bool, got NoneType$"),
    ],
)
def test_a_parameter_is_refused_by_its_name(options, message):
    with pytest.raises(ValueError, match=message):
        fit_recursively(seated(), **options)
