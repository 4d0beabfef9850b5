"""Claims that hold, or fail, by less than forty digits show; and all neighbours, as the definition has them."""

from fractions import Fraction

import pytest

from fdpedu.exact import exp_enclosure
from fdpedu.privacy import check_dp, datasets, distance, hockey_stick, neighbours, product_law, sensitivity


@pytest.mark.parametrize("digits", [20, 45, 90, 170])
def test_near_ties_are_decided(digits):
    """Probabilities whose ratio is e^ε but for the last of so many digits."""
    factor = exp_enclosure(Fraction(1, 10), digits)
    for ratio, holds in ((factor.lower, True), (factor.upper, False)):
        p, q = ratio / 4, Fraction(1, 4)
        assert check_dp([p, 1 - p], [q, 1 - q], epsilon="1/10").holds is holds
        assert check_dp([q, 1 - q], [p, 1 - p], epsilon="1/10").holds is holds
        assert check_dp([p, 1 - p], [q, 1 - q], epsilon="1/10", delta=Fraction(1, 10 ** (digits - 3)))


def test_an_event_holds_only_what_is_too_likely_and_numbers_are_fractions():
    verdict = check_dp(["1/2", "1/2"], ["1/4", "3/4"], 2)
    assert verdict and verdict.event == () and verdict.excess == verdict.p_event == verdict.q_event == 0
    numbers = (verdict.p_event, verdict.q_event, verdict.excess, hockey_stick([1], [1], 1))
    assert {type(number) for number in numbers} == {Fraction}
    assert type(sensitivity(lambda data: [], "a").value) is Fraction


def test_a_joint_law_has_as_many_outcomes_as_are_allowed():
    one, other = [Fraction(1, 400)] * 400, [Fraction(1, 250)] * 250
    assert len(product_law(one, other)) == 100_000
    with pytest.raises(ValueError, match=r"more than 100000 outcomes$"):
        product_law(one, [Fraction(1, 251)] * 251)


@pytest.mark.parametrize("relation", ["add-remove", "substitution"])
def test_neighbours_are_all_at_distance_one(relation):
    """Found among all data sets by their distance."""
    every = list(datasets("cab", 4))
    for data in every:
        if len(data) < 4:
            expected = {other for other in every if distance(data, other, relation) == 1}
            assert set(neighbours(data, "cab", relation)) == expected
            before = {other for other in expected if every.index(other) < every.index(data)}
            assert set(neighbours(data, "cab", relation, smaller=True)) == before
