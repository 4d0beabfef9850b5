"""Exact laws of choices and of whole rotating trees: by hand, how near to ε they come, and who pays what."""

from fractions import Fraction
from itertools import product

import pytest

from fdpedu.cart import LOSSES
from fdpedu.claims.better_trees import choice, losses, rotating
from fdpedu.claims.better_trees.law import RotatingTrees, choice_law, coded, inside, losses_by_hand, records
from fdpedu.claims.checking import Refuted
from fdpedu.domain import Domain, Numeric
from fdpedu.privacy import max_ratio

HALF = Fraction(1, 2)
TEN = Domain([Numeric.grid(f"x{j}", 0, 2, bins=2) for j in range(10)], ("a", "b"))


@pytest.mark.claim("lem-mixed-loss")
def test_losses_by_hand_and_what_a_record_adds():
    """3 and 1, 0 and 2: one error; 3/4 of impurity. A record of a third class adds no more than one of the two."""
    assert [losses.by_pairs((3, 1), (0, 2), loss, 12) for loss in LOSSES] == [12, 9, 11]
    for loss, lattice in product(LOSSES, (1, 7, 1024)):
        losses.rises((9, 8, 0), (0, 5, 7), loss, lattice)
        losses.rises((10**9, 10**9 - 1, 3), (0, 0, 0), loss, lattice)
        losses.value([((3, 1), (0, 2)), ((0, 0), (3, 3))], loss, lattice)


@pytest.mark.claim("lem-chosen-split")
def test_a_choice_by_hand():
    """Age leaves nothing; dose 1 error and an impurity of 1/2, 7/8 in all: 1 step of 1/2 more."""
    data = ((0, 0, 0), (1, 0, 1))
    assert losses_by_hand(choice.TWO, choice.TWO.everything, data, "mixed", 2) == [0, 1]
    assert choice_law(choice.TWO, choice.TWO.everything, data, HALF, 2) == [Fraction(3, 4), Fraction(1, 4)]
    assert choice_law(choice.TWO, choice.TWO.everything, (), HALF, 2) == [HALF, HALF]


@pytest.mark.claim("lem-chosen-split")
def test_a_choice_comes_close_to_its_epsilon():
    """Nine features tell a record of another class from the rest, the tenth does not: no smaller ε would do."""
    alike, other = ((0,) * 11,) * 9, (*[1] * 9, 0, 1)
    one, more = (
        choice_law(TEN, TEN.everything, data, Fraction(1, 1000), 1, "errors") for data in (alike, (*alike, other))
    )
    assert 890 < one[9] / more[9] <= 1000 and one[0] < more[0]


def test_a_party_that_says_no_split_is_named():
    choice.silence(0)
    choice.silence(2)
    with pytest.raises(Refuted, match="8 is taken for split 8"):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("fdpedu.federation.federation.Federation._require_splits", lambda *_: None)
            choice.silence(8)


@pytest.mark.claim("thm-rotating-tree")
def test_the_law_of_a_tree_by_hand():
    """The first party's best split is drawn with 3/4; below it there is one split; a 0 is told as 0 with 2/3."""
    trees = RotatingTrees(choice.TWO)
    law = trees.law((((0, 0, 0), (1, 0, 1)), ()), choice.TWO.everything)
    assert len(law) == 2 * 4**4 and sum(law.values()) == 1
    assert sum(mass for (root, *_), mass in law.items() if root == 0) == Fraction(3, 4)
    nothing = ((0, 0), (0, 0))
    age = (0, (0, (1, 0), (0, 0)), (0, (0, 1), (0, 0)))  # the true counts
    assert law[age] == Fraction(3, 4) * Fraction(2, 3) ** 8
    assert law[1, (0, *nothing), (0, *nothing)] == Fraction(1, 4) * Fraction(1, 3) ** 2 * Fraction(2, 3) ** 6


@pytest.mark.claim("thm-rotating-tree")
def test_more_rows_three_levels_and_unequal_costs():
    """Depth 3 of two parties on eight cells: the first designs twice, at half the cost each."""
    three = Domain([Numeric.grid(name, 0, 2, bins=2) for name in "abc"], ("well", "ill"))
    trees = RotatingTrees(three, designs=(0, 1, 0), costs=(1, 2, 1), leaf=1)
    assert trees.exp_epsilon(0) == trees.exp_epsilon(1) == 2**5
    data = ((0, 1, 0, 1), (1, 1, 0, 0), (1, 0, 0, 0), (0, 0, 1, 1), (0, 0, 1, 0))
    for record, party in product(records(three)[::5], (0, 1)):
        rotating.all_neighbours(trees, data, record, party, 3)
    with pytest.raises(Refuted, match="times as likely"):
        rotating.all_neighbours(RotatingTrees(three, designs=(0, 0, 0), costs=(0, 0, 4), leaf=-9), data, data[0], 1, 0)


@pytest.mark.claim("thm-rotating-tree", "thm-designed-insiders")
def test_a_designer_that_isolates_a_patient_sees_noisy_counts_only():
    """For a record of a party that designs nothing: whatever the tree, no test gains more than the leaf's e^{sε}."""
    trees = RotatingTrees(choice.TWO, designs=(0, 0), leaf=2)
    for data in ((), ((1, 1, 1),) * 4):
        ratios = trees.path_ratios((data, (*data, (1, 1, 1))), 1, (1, 1, 1))
        assert set(ratios.values()) == {1} and trees.exp_epsilon(1) == 4
        absent, present = (trees.count_law(len(some)) for some in (data, (*data, 0)))
        tests = [[k for k in range(2) if bits >> k & 1] for bits in range(1, 4)]
        assert all(sum(present[k] for k in told) <= 4 * sum(absent[k] for k in told) for told in tests)


@pytest.mark.claim("lem-party-coordinate", "thm-rotating-tree")
def test_a_patient_of_two_hospitals_pays_in_both_and_moving_is_two_changes():
    trees, everything = RotatingTrees(choice.TWO), choice.TWO.everything
    none, one = ((0, 0, 0), (1, 0, 1)), ((0, 0, 0), (1, 0, 1), (0, 1, 1))
    laws = {pair: trees.law(pair, everything) for pair in product((none, one), repeat=2)}
    once, both = (max_ratio(laws[none, none], laws[pair]) for pair in ((one, none), (one, one)))
    assert once <= trees.exp_epsilon(0) and once < both <= trees.exp_epsilon(0) * trees.exp_epsilon(1)
    moved = max_ratio(laws[one, none], laws[none, one])
    assert 1 < moved <= trees.exp_epsilon(0) * trees.exp_epsilon(1)


def test_what_is_inside_and_coded():
    rows = [[0.5, 1.5, "cured"], [None, 0.5, "well"]]
    assert coded(choice.GAPS, rows) == ((0, 1, 2), (2, 0, 0)) and coded(choice.GAPS, []) == ()
    region = choice.GAPS.everything.restrict(0, {1, 2}).restrict_class({0})
    assert inside(coded(choice.GAPS, rows), region) == ((2, 0, 0),) and len(records(choice.GAPS)) == 18
