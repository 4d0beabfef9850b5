"""Laws of the questions that public coins draw, over all tapes of words."""

from collections import Counter
from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest

from fdpedu.boosting import Marginals, Rules
from fdpedu.boosting.drawing import Drawing
from fdpedu.claims.replay import enumerate_law
from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.randomness import Rehearsal, ZeroWords


def rules(form, trees, questions, quantiles=8):
    return Rules(form, 50, 1, trees, questions, questions, quantiles, 32, 8192)


def uniform(*features):
    domain = Domain(list(features), ("well", "ill"))
    return Marginals(domain, np.ones(domain.n_codes))


def drawn(marginals, words, form, *, trees=1, questions=1, quantiles=8, bits=2):
    """The law of what is drawn, and the mass of tapes that are too short."""

    def one(tape):
        return Drawing(rules(form, trees, questions, quantiles), marginals, tape).trees(questions).trees

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
    law, rest = drawn(uniform(Numeric.grid("x", 0, 4, bins=4)), 4, "trees", quantiles=2)
    are_alike(law, rest, [(((0, 0b0011),),)])


@pytest.mark.parametrize(("categories", "halves"), [("AB", (1, 2)), ("ABC", (1, 2, 4)), ("ABCD", (3, 5, 6, 9, 10, 12))])
def test_each_half_of_the_categories_is_as_likely(categories, halves):
    """Rounded down, and at least one."""
    law, rest = drawn(uniform(Categorical("w", tuple(categories))), 7, "trees")
    are_alike(law, rest, [(((0, half),),) for half in halves])


def masks(leaves, questions):
    """Left sides of a curve's questions, where these are the leaves of its codes: one digit each, the highest first."""
    digits = range(questions - 1, -1, -1)
    return tuple((0, sum(1 << code for code, leaf in enumerate(leaves) if not leaf >> d & 1)) for d in digits)


def test_a_curve_has_intervals_between_distinct_cuts_each_set_of_them_as_likely():
    """Three cuts for four leaves, by Gray's code; with missing values two, and these have a leaf of their own."""
    law, rest = drawn(uniform(Numeric.grid("x", 0, 5, bins=5)), 7, "curves", questions=2)
    cuts = [(0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3)]
    are_alike(law, rest, [(masks([(0, 1, 3, 2)[sum(code > cut for cut in c)] for code in range(5)], 2),) for c in cuts])
    law, rest = drawn(uniform(Numeric.grid("x", 0, 4, bins=4, missing=True)), 5, "curves", questions=2)
    pairs = [(0, 1), (0, 2), (1, 2)]
    of = [[*((0, 1, 3)[sum(code > cut for cut in c)] for code in range(4)), 2] for c in pairs]
    are_alike(law, rest, [(masks(leaves, 2),) for leaves in of])


def test_a_curve_of_two_leaves_has_a_coin_for_missing_values():
    law, rest = drawn(uniform(Numeric.grid("x", 0, 3, bins=3, missing=True)), 5, "curves", questions=1)
    are_alike(law, rest, [(masks([*(int(c > cut) for c in range(3)), side], 1),) for cut in (0, 1) for side in (0, 1)])


@pytest.mark.parametrize(("categories", "most"), [("AB", 2), ("ABC", 2), ("ABC", 4), ("ABCD", 2)])
def test_a_curve_divides_categories_into_parts_of_nearly_one_size(categories, most):
    """Each division is as likely: by an order, whose places are cut into parts."""
    n, questions = len(categories), most.bit_length() - 1
    law, rest = drawn(uniform(Categorical("w", tuple(categories))), 8, "curves", questions=questions)
    found = Counter()
    for order in permutations(range(n)):
        parts = [order.index(code) * min(most, n) // n for code in range(n)]
        found[masks([(0, 1, 3, 2)[part] for part in parts], questions),] += 1
    assert set(law) == set(found)
    total = sum(found.values())
    assert all(mass / (1 - rest) == Fraction(found[one], total) for one, mass in law.items())


def test_where_a_curve_has_fewer_cuts_than_leaves_some_leaves_are_empty():
    law, rest = drawn(uniform(Numeric.grid("x", 0, 2, bins=2)), 6, "curves", questions=3, bits=1)
    are_alike(law, rest, [(masks([0, 1], 3),)])


def test_features_come_in_turn_in_an_order_that_is_drawn_anew():
    """Six trees of three features: two permutations, each as likely, and independent of one another."""
    many = uniform(*(Numeric.grid(name, 0, 2, bins=2) for name in "abc"))

    def features(tape):
        trees = Drawing(rules("curves", 6, 1), many, tape).trees(1).trees
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


@pytest.mark.parametrize(("p", "k"), [(5, 3), (3, 3), (7, 5), (2, 1), (4, 3)])
def test_no_feature_stands_twice_in_a_tree_and_all_come_equally_often(p, k):
    """A feature that a tree has already waits for the next tree: over whole permutations all are asked as often."""
    many = uniform(*(Numeric.grid(f"x{j}", 0, 2, bins=2) for j in range(p)))
    drawing = Drawing(rules("trees", 3 * p, k), many, Rehearsal(1))
    trees = [[feature for feature, _ in tree] for _ in range(4) for tree in drawing.trees(k).trees]
    assert all(len(set(features)) == k for features in trees)
    assert set(Counter(feature for features in trees for feature in features).values()) == {12 * k}


def test_the_number_of_questions_may_change_from_round_to_round():
    many = uniform(*(Numeric.grid(f"x{j}", 0, 2, bins=2) for j in range(6)))
    drawing = Drawing(rules("trees", 4, 3), many, Rehearsal(2))
    rounds = [drawing.trees(k).trees for k in (3, 5, 3)]
    assert [{len(tree) for tree in trees} for trees in rounds] == [{3}, {5}, {3}]
    assert all(len({feature for feature, _ in tree}) == len(tree) for trees in rounds for tree in trees)


def test_cuts_are_quantiles_of_what_was_released():
    """Where all rows are in one bin, only its edge can be asked about."""
    domain = Domain([Numeric.grid("x", 0, 8, bins=8)], ("well", "ill"))
    rows = np.zeros(8)
    rows[3] = 40
    for seed in range(5):
        drawing = Drawing(rules("trees", 1, 1), Marginals(domain, rows), Rehearsal(seed))
        assert drawing.trees(1).trees == (((0, 0b1111),),)


def test_zero_words_draw_the_first_of_everything():
    marginals = uniform(Numeric.grid("x", 0, 4, bins=4, missing=True), Categorical("w", ("A", "B", "C")))
    assert Drawing(rules("trees", 1, 2), marginals, ZeroWords()).trees(2).trees == (((0, 0b0001), (1, 0b001)),)


BINS, WARDS = Numeric.grid("x", 0, 3, bins=3, missing=True), Categorical("w", ("A", "B"))


@pytest.mark.parametrize("rounds", [(2,), (1, 1)])
@pytest.mark.parametrize(("feature", "form"), [(BINS, "trees"), (WARDS, "trees"), (BINS, "curves"), (WARDS, "curves")])
def test_coins_of_two_trees_are_independent(feature, form, rounds):
    """All pairs of what one tree may ask are as likely, in a round and in two: no coin is used again."""

    def asked(tape, *sizes):
        drawings = Drawing(rules(form, 2 // len(sizes), 1), uniform(feature), tape)
        return tuple(tree for _ in sizes for tree in drawings.trees(1).trees)

    one, _ = drawn(uniform(feature), 4, form, bits=1)
    law, rest = enumerate_law(lambda tape: asked(tape, *rounds), 1, 8)
    are_alike(law, rest, [(*first, *second) for first in one for second in one])


def test_coins_of_two_questions_of_a_tree_are_independent():
    """Whatever the order of the features is, all pairs of cuts and sides are as likely."""
    two = uniform(BINS, Numeric.grid("y", 0, 3, bins=3, missing=True))
    law, rest = drawn(two, 6, "trees", questions=2, bits=1)
    sides = [cut | side for cut in (0b001, 0b011) for side in (0, 0b1000)]
    are_alike(law, rest, [(((i, a), (1 - i, b)),) for i in (0, 1) for a in sides for b in sides])
