"""The two functions of the exact law of a whole small tree are its methods."""

from fractions import Fraction

from fdpedu.claims.trees.exact_law import ONE, TWO
from fdpedu.sources.gubler import AsPrinted
from fdpedu.trees.exact_law import SmallTrees, tree_law, tree_loss

THIRD = Fraction(1, 3)
OLD_ILL = (1.5, "ill")


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


def test_by_default_no_number_of_rows_is_asked_for():
    """On raw counts, a node whose features count 0 rows each may be split, if both see a class; not if 1 is asked."""
    options = {"low": -1, "high": 1, "design": AsPrinted(relative=False)}
    rows, trees = [[0.5, 1.5, "well"]], SmallTrees(TWO, THIRD, 1, **options)
    of_none, of_one = (SmallTrees(TWO, THIRD, 1, **options, min_samples_split=n) for n in (0, 1))
    assert trees.law(rows) == of_none.law(rows) == tree_law(rows, TWO, THIRD, 1, **options) != of_one.law(rows)
    assert of_one.law(rows) == tree_law(rows, TWO, THIRD, 1, **options, min_samples_split=1)
    losses = [t.loss(rows, []) for t in (trees, of_none, of_one)]
    assert losses[0] == losses[1] == tree_loss(rows, [], TWO, THIRD, 1, **options) != losses[2]
    assert losses[2] == tree_loss(rows, [], TWO, THIRD, 1, **options, min_samples_split=1)
