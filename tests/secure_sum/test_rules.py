"""How many parties are enough, and for which numbers nothing is."""

import numpy as np
import pytest

from fdpedu.claims.checking import exhaust
from fdpedu.claims.secure_sum import survivors as lies
from fdpedu.secure_sum import (
    Ring,
    Rules,
)


@pytest.mark.claim("lem-survivor-lists")
def test_rules_of_small_federations():
    """What MATH says of K = 2, 3 and 5; and that each bound is refused by name."""
    assert [Rules.for_missing(5, m, c).threshold for m, c in ((0, 4), (1, 2), (2, 0))] == [5, 4, 3]
    for n, missing, colluders in ((2, 1, 0), (3, 1, 1), (4, 2, 0), (5, 1, 3), (5, 2, 1)):
        with pytest.raises(ValueError, match="threshold"):
            Rules.for_missing(n, missing, colluders)
    exhaust(lies.lists_are_impossible, lies.all_thresholds(6))


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        ((1, 1), "n_parties"),
        ((3, 0), "threshold"),
        ((3, 4), "threshold"),
        ((3, 2, 2, 2, False), "threshold"),
        ((3, 3, -1), "colluders"),
        ((3, 3, 1, 0), "tolerate"),
        ((3, 3, 0, 3), "tolerate"),
        ((3, 3, 0, -1), "tolerate"),
        ((4, 2, 0, 2), "against .* threshold"),
    ],
)
def test_rules_that_cannot_hold_are_refused(arguments, name):
    with pytest.raises(ValueError, match=f"^{name}"):
        Rules(*arguments)


def test_how_many_are_enough():
    assert Rules.for_missing(4, 2, 1, liar=False) == Rules(4, 2, 1, 3, False) and Rules.for_missing(4, 1).liar
    assert Rules(5, 3, 0, 2).least_survivors == 3 and Rules(5, 3, 0, 1).least_survivors == 4
    assert Rules(5, 4, 1, 3).least_survivors == 4 and Rules(5, 3, 0, 4).least_survivors == 3


def test_what_is_kept_is_an_integer_of_python():
    for rules in (Rules(*map(np.int8, (9, 8, 1, 3))), Rules.for_missing(*map(np.uint8, (9, 1, 1)))):
        assert {type(kept) for name, kept in vars(rules).items() if name != "liar"} == {int}
    assert Rules.for_missing(10_000, 1) == Rules.for_missing(np.int64(10_000), np.int8(1))
    assert vars(Ring(np.int8(4))) == {"neighbours": 4} and type(Ring(np.int8(4)).neighbours) is int
