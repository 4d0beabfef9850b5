"""What may stand in a cell: nothing, in all its forms; what is no number; numbers of all types; and what fails."""

import datetime
import math
from decimal import Decimal
from fractions import Fraction

import numpy as np

MARK = "7391"


class Odd:
    """It fails in whatever it is asked, and says its value."""

    def fail(self, *_):
        raise RuntimeError(MARK)

    __float__ = __hash__ = __eq__ = __bool__ = __len__ = __iter__ = __array__ = __repr__ = __str__ = fail


class OddFloat(float):
    """A number that cannot be compared."""

    def fail(self, *_):
        raise RuntimeError(MARK)

    __hash__ = __eq__ = __repr__ = fail


class NAType:
    """As pandas' NA: neither true nor false, equal to nothing."""

    def __bool__(self):
        raise TypeError("boolean value of NA is ambiguous")

    def __eq__(self, other):
        return self

    __hash__ = object.__hash__


NOTHING = [None, math.nan, np.float32("nan"), Decimal("nan"), Decimal("sNaN"), NAType(), np.ma.masked, -math.inf]
UNFIT = [
    MARK,
    f"{MARK}.5",
    b"7391",
    "",
    [73.91],
    (7391,),
    [],
    {MARK: 7391},
    {7391},
    complex(7391, 1),
    True,
    np.True_,
    np.array(7391.0),
    np.array([7391.0, 7391.0]),
    np.datetime64("2020-07-03"),
    np.timedelta64(7391, "D"),
    datetime.date(1973, 9, 1),
    datetime.timedelta(7391),
    Odd(),
    type,
]
NUMBERS = [0, -7391, 73.91, Fraction(7391, 100), Decimal("73.91"), np.int8(73), np.float16(73), np.longdouble("73.91")]
TOO_LARGE = [10**400 + 7391, Fraction(10**400), Decimal("1e7391"), np.longdouble("1e4000")]
ODD = [*NOTHING, *UNFIT, *TOO_LARGE, *NUMBERS, OddFloat(7.391)]


def messages(error):
    """All that a user could be shown: the error and what it came from."""
    while error is not None:
        yield str(error)
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)


def is_number(cell):
    """By its type; a truth value is none."""
    wanted = (int, float, Fraction, Decimal, np.integer, np.floating)
    return (
        isinstance(cell, wanted)
        and not isinstance(cell, (bool, np.timedelta64))
        and not any(cell is bad for bad in [*NOTHING, *TOO_LARGE])
    )
