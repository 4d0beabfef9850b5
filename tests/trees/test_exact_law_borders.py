"""The exact law of a whole small tree: what it reads, and what it refuses."""

from fractions import Fraction

import pytest

from fdpedu.claims.replay import patched
from fdpedu.claims.trees.laws_exact import HALF, ONE, TWO
from fdpedu.domain import Domain
from fdpedu.trees import Design
from fdpedu.trees.exact_law import SmallTrees, tree_law, tree_loss
from tests.support.odd_values import ODD

THIRD = Fraction(1, 3)
OLD_ILL = (1.5, "ill")


def small(domain=ONE, alpha=THIRD, depth=1, **options):
    return SmallTrees(domain, alpha, depth, **{"low": 0, "high": 1, "design": "algorithm-5-clipped", **options})


def test_the_two_functions_are_the_methods():
    options = {"low": -1, "high": 1, "leaf_steps": 3, "min_samples_split": 2, "design": "averaged"}
    trees = SmallTrees(ONE, "1/3", 1, **options)
    assert tree_law([OLD_ILL], ONE, "1/3", 1, **options) == trees.law([OLD_ILL])
    assert tree_loss([OLD_ILL], [], ONE, "1/3", 1, **options) == trees.loss([OLD_ILL], [])
    assert repr(trees) == "SmallTrees(averaged, α = 1/3, depth 1, counts from -1 to 1)"
    assert trees.exp_epsilon == 3**4


def test_what_is_not_given_is_as_stated():
    plain, options = SmallTrees(ONE, "1/3", 1, low=0, high=1), {"low": 0, "high": 1}
    stated = SmallTrees(ONE, THIRD, 1, **options, leaf_steps=1, min_samples_split=0, design="averaged")
    assert plain.exp_epsilon == 9 and plain.law([OLD_ILL]) == stated.law([OLD_ILL])
    assert tree_law([OLD_ILL], ONE, "1/3", 1, **options) == stated.law([OLD_ILL])
    assert tree_loss([OLD_ILL], [], ONE, "1/3", 1, **options) == stated.loss([OLD_ILL], [])


@pytest.mark.parametrize("rows", [[[0.5]], [[0.5, 1.5, "ill"]], [(0.5, "ill"), "ab"], [{0.5: 1, "ill": 2}]])
def test_a_record_has_a_value_of_each_feature_and_a_class(rows):
    with pytest.raises(ValueError, match=r"^rows must be a list of records, each of 1 feature values and a class$"):
        small().law(rows)


@pytest.mark.parametrize("rows", [[["x", "ill"]], [[0.5, "dead"]]])
def test_what_is_not_of_the_domain_is_refused_as_rows(rows):
    with pytest.raises(ValueError, match=r"^rows row 0, "):
        small().law(rows)


REFUSED = [
    ({"domain": None}, "domain must be a Domain"),
    ({"alpha": 0}, "alpha"),
    ({"alpha": 1}, "alpha"),
    ({"depth": -1}, "max_depth"),
    ({"depth": 9}, "max_depth"),
    ({"low": 1}, "high"),
    ({"low": -1001, "high": -999}, "low"),
    ({"high": 1001, "low": 999}, "high"),
    ({"leaf_steps": 0}, "leaf_steps"),
    ({"leaf_steps": 1001}, "leaf_steps"),
    ({"min_samples_split": -1}, "min_samples_split"),
    ({"design": "no such"}, "design must be one of"),
    ({"design": Design(features_per_node=1)}, "all features"),
    ({"design": Design(fresh_leaves=False)}, "fresh counts"),
    ({"domain": TWO, "high": 4}, "8 cells from 0 to 4 make more than 100000 tables"),
    ({"domain": Domain.from_spec({"features": {"x": [0, 256, 256]}, "classes": ["a", "b"]})}, "512 cells"),
]


@pytest.mark.parametrize(("options", "words"), REFUSED)
def test_what_has_no_small_law_is_refused(options, words):
    with pytest.raises(ValueError, match=words):
        small(**options)


def test_borders_are_accepted():
    assert small(low=-1000, high=-999, leaf_steps=1000, depth=8, min_samples_split=2**62).depth == 8
    assert small(low=999, high=1000).high == 1000
    assert small(high=16).high == 16 and 17**4 < 100_000


@pytest.mark.parametrize(("method", "outcomes"), [("law", 4 + 16), ("transcripts", 9 * 4 + 7 * 16)])
def test_more_outcomes_than_anybody_wants_are_refused(method, outcomes):
    with patched("fdpedu.trees.small_trees", MAX_TABLES=outcomes):
        assert len(getattr(small(), method)([])) == outcomes
    words = f"^there are {outcomes} outcomes, more than {outcomes - 1}: take a smaller depth"
    with patched("fdpedu.trees.small_trees", MAX_TABLES=outcomes - 1), pytest.raises(ValueError, match=words):
        getattr(small(), method)([])


@pytest.mark.parametrize("odd", ODD)
def test_odd_rows_are_refused_or_read(odd):
    trees = small()
    for call in (trees.law, trees.transcripts, lambda rows: trees.loss(rows, []), lambda rows: trees.loss([], rows)):
        try:
            call(odd)
        except ValueError as error:
            assert str(error)


@pytest.mark.parametrize(
    "name", ["domain", "alpha", "max_depth", "low", "high", "leaf_steps", "min_samples_split", "design"]
)
def test_odd_arguments_are_refused_or_read(name):
    for odd in ODD:
        arguments = {"domain": ONE, "alpha": HALF, "max_depth": 1, "low": 0, "high": 1, name: odd}
        try:
            SmallTrees(**arguments)
        except ValueError as error:
            assert str(error)
