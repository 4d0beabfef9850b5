"""Laws of the questions that public coins draw, over all tapes of words."""

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from fdpedu.boosting import Marginals, Rules
from fdpedu.boosting.drawing import Drawing
from fdpedu.claims.replay import enumerate_law
from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.randomness import Rehearsal, ZeroWords


def rules(form, trees, questions, quantiles=8):
    return Rules(form, 50, 1, trees, questions, quantiles, 2.0, False)


def uniform(*features):
    domain = Domain(list(features), ("well", "ill"))
    return Marginals(domain, np.ones((domain.n_codes, 2), dtype=np.int64))


def drawn(marginals, words, form, *, trees=1, questions=1, quantiles=8, bits=2):
    """The law of what is drawn, and the mass of tapes that are too short."""

    def one(tape):
        return Drawing(rules(form, trees, questions, quantiles), marginals, tape).trees().trees

    return enumerate_law(one, bits, words)


def are_alike(law, rest, outcomes):
    """All these are drawn, each with the same probability, and nothing else."""
    assert set(law) == set(outcomes) and len(set(law.values())) == 1 and sum(law.values()) + rest == 1
    assert rest < Fraction(1, 2)


def test_a_cut_and_the_side_of_missing_values_are_each_as_likely():
    law, rest = drawn(uniform(Numeric.grid("x", 0, 3, bins=3, missing=True)), 3, "trees", quantiles=3)
    are_alike(law, rest, [(((0, cut | side),),) for cut in (0b001, 0b011) for side in (0, 0b1000)])
    assert rest == 0


def test_without_a_code_for_missing_values_no_coin_is_needed():
    law, rest = drawn(uniform(Numeric.grid("x", 0, 3, bins=3)), 4, "trees", quantiles=3)
    are_alike(law, rest, [(((0, 0b001),),), (((0, 0b011),),)])


@pytest.mark.parametrize(("categories", "halves"), [("AB", (1, 2)), ("ABC", (1, 2, 4)), ("ABCD", (3, 5, 6, 9, 10, 12))])
@pytest.mark.parametrize("form", ["trees", "curves"])
def test_each_half_of_the_categories_is_as_likely(form, categories, halves):
    """Rounded down, and at least one."""
    law, rest = drawn(uniform(Categorical("w", tuple(categories))), 7, form)
    are_alike(law, rest, [(((0, half),),) for half in halves])


def test_cuts_of_a_curve_ascend_and_each_pair_is_as_likely():
    """Missing values go left at the first and right at the second: no number does."""
    law, rest = drawn(uniform(Numeric.grid("x", 0, 4, bins=4, missing=True)), 5, "curves", questions=2)
    cuts, gap = [0b0001, 0b0011, 0b0111], 0b10000
    are_alike(law, rest, [(((0, a | gap), (0, b)),) for a in cuts for b in cuts if a < b])


def test_where_a_curve_has_fewer_cuts_than_questions_the_last_is_asked_again():
    law, rest = drawn(uniform(Numeric.grid("x", 0, 2, bins=2)), 6, "curves", questions=3, bits=1)
    are_alike(law, rest, [(((0, 1), (0, 1), (0, 1)),)])


def test_features_come_in_turn_in_an_order_that_is_drawn_anew():
    """Six trees of three features: two permutations, each as likely, and independent of one another."""
    many = uniform(*(Numeric.grid(name, 0, 2, bins=2) for name in "abc"))

    def features(tape):
        trees = Drawing(rules("curves", 6, 1), many, tape).trees().trees
        return tuple(questions[0][0] for questions in trees)

    found = Counter(features(Rehearsal(seed)) for seed in range(3000))
    assert len(found) == 36 and all(set(some[:3]) == set(some[3:]) == {0, 1, 2} for some in found)
    assert max(found.values()) < 2 * 3000 / 36  # chance of a false alarm below 10⁻⁹


def test_the_order_of_two_features_is_a_fair_coin():
    law, rest = drawn(uniform(*(Categorical(name, ("A", "B")) for name in "ab")), 7, "trees", questions=2, bits=1)
    orders = Counter()
    for (questions,), mass in law.items():
        orders[tuple(feature for feature, _ in questions)] += mass
    are_alike(dict(orders), rest, [(0, 1), (1, 0)])


def test_a_tree_asks_about_other_features_as_long_as_there_are_any():
    many = uniform(*(Numeric.grid(f"x{j}", 0, 2, bins=2) for j in range(5)))
    drawing = Drawing(rules("trees", 10, 3), many, Rehearsal(1))
    turn = [feature for tree in (*drawing.trees().trees, *drawing.trees().trees) for feature, _ in tree]
    assert len(turn) == 60 and all(sorted(turn[i : i + 5]) == [0, 1, 2, 3, 4] for i in range(0, 60, 5))


def test_cuts_are_quantiles_of_what_was_released():
    """Where all rows are in one bin, only its edge can be asked about."""
    domain = Domain([Numeric.grid("x", 0, 8, bins=8)], ("well", "ill"))
    released = np.zeros((8, 2), dtype=np.int64)
    released[3] = 40
    for seed in range(5):
        drawing = Drawing(rules("trees", 1, 1), Marginals(domain, released), Rehearsal(seed))
        assert drawing.trees().trees == (((0, 0b1111),),)


def test_zero_words_draw_the_first_of_everything():
    marginals = uniform(Numeric.grid("x", 0, 4, bins=4, missing=True), Categorical("w", ("A", "B", "C")))
    assert Drawing(rules("trees", 1, 2), marginals, ZeroWords()).trees().trees == (((0, 0b0001), (1, 0b001)),)
