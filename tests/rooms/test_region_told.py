"""Codes of a region are numbers, and nothing that only looks like one."""

from fractions import Fraction

import numpy as np
import pytest

from fdpedu.domain import Region

WHOLE = Region((15, 3), 3)


@pytest.mark.parametrize(
    "code", [np.timedelta64(1), np.timedelta64(1, "s"), "1", None, 1j, 0.5, -1, 256, [1]], ids=repr
)
def test_what_is_no_code_is_refused(code):
    for restrict in (lambda: WHOLE.restrict(0, [0, code]), lambda: WHOLE.restrict_class([0, code])):
        with pytest.raises(ValueError, match=r"^codes must be integers from 0 to 255, got "):
            restrict()


@pytest.mark.parametrize("kind", [int, float, np.int8, np.uint64, np.float32, Fraction])
def test_whole_numbers_of_any_type_are_codes(kind):
    assert WHOLE.restrict(0, [kind(0), kind(2)]) == Region((5, 3), 3) and WHOLE.restrict_class([kind(1)]).classes == 2
