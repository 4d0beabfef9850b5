"""Conditions of the claims on cases of one's own: ledgers, insiders, screened features, blocks."""

from fractions import Fraction

import pytest

from fdpedu.claims.better_trees import owner, screening
from fdpedu.claims.checking import Refuted
from fdpedu.domain import Categorical, Domain, Numeric

THREE = Domain(
    [Numeric.grid("age", 0, 3, bins=3, missing=True), Categorical("ward", ("A", "B", "C"))], ("well", "ill", "cured")
)


@pytest.mark.claim("lem-screening-free")
def test_more_features_are_kept_than_there_are_and_one():
    rows = [["A", 2, "ill"], ["B", 1, "well"], ["C", 3, "ill"]] * 5
    domain = Domain([Categorical("w", ("A", "B", "C")), Numeric.grid("x", 0, 4, bins=4)], ("well", "ill"))
    for keep in (1, 2, 9):
        screening.levels((domain, [rows, rows[::2]]), keep, Fraction(8), Fraction(1, 5), 3, 4)
    screening.least_scales(5, 2, (Fraction(1, 2), Fraction(1, 5), Fraction(1, 5)))
    with pytest.raises(Refuted, match="shares as"):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(screening.Design, "level_weights", lambda *_: (1, 1, 1))
            screening.least_scales(5, 2, (Fraction(5), Fraction(2), Fraction(2)))


@pytest.mark.claim("thm-owner-tree")
def test_blocks_of_three_classes_gaps_and_categories():
    rows = [[0.5, "A", "ill"], [None, "B", "cured"], [2.5, "C", "well"], [1.5, "C", "ill"]]
    for at in ((0, 0, 0), (3, 1, 4), (7, 5, 2)):
        owner.drawn_by(THREE, THREE.everything, rows, Fraction(3, 4), 8, at)
    owner.one_epsilon(THREE, ((0, 0, 1), (3, 1, 2), (2, 2, 0)), 3)
    one = THREE.everything.restrict(1, {2}).restrict(0, {0, 3})
    assert owner.by_sides(THREE, one, ((0, 2, 1), (3, 2, 0)), 4) == [([0], [0])]  # both sides are single cells
    assert owner.by_sides(owner.WARD, owner.WARD.everything, ((0, 0), (0, 1)), 4)[0][0] == [3]  # 3/4 + 1/8, in quarters
