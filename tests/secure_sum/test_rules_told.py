"""Rules, rings and their numbers: what is kept is Python's integer, and what is refused is told by its name."""

import numpy as np
import pytest

from fdpedu.secure_sum import Ring, Rules

TOLD = [
    (lambda: Rules.for_missing("5", 2), "n_parties must be an integer ≥ 2, got '5'"),
    (lambda: Rules.for_missing(1, 0), "n_parties must be an integer ≥ 2, got 1"),
    (lambda: Rules.for_missing(10_001, 2), "n_parties must be at most 10000, got 10001"),
    (lambda: Rules.for_missing(5, -1), "missing must be an integer ≥ 0, got -1"),
    (lambda: Rules.for_missing(5, 2, -1), "colluders must be an integer ≥ 0, got -1"),
    (lambda: Rules.for_missing(5, 2, 0.5), "colluders must be an integer ≥ 0, got 0.5"),
    (lambda: Rules(5, 4, 0, -1), "tolerate must be an integer ≥ 0, got -1"),
    (lambda: Ring(3), "neighbours must be even, half of them on either side, got 3"),
]


@pytest.mark.parametrize(("call", "told"), TOLD, ids=range(len(TOLD)))
def test_what_is_refused_is_told_in_these_words(call, told):
    with pytest.raises(ValueError) as refusal:
        call()
    assert str(refusal.value) == told


def test_what_is_kept_is_an_integer_of_python():
    for rules in (Rules(*map(np.int8, (9, 8, 1, 3))), Rules.for_missing(*map(np.uint8, (9, 1, 1)))):
        assert {type(kept) for name, kept in vars(rules).items() if name != "liar"} == {int}
    assert Rules.for_missing(10_000, 1) == Rules.for_missing(np.int64(10_000), np.int8(1))
    assert vars(Ring(np.int8(4))) == {"neighbours": 4} and type(Ring(np.int8(4)).neighbours) is int
