"""Odd values: what a caller may give by mistake."""

import math
from decimal import Decimal
from fractions import Fraction

import numpy as np

LOUD = type("Loud", (float,), {"__repr__": lambda self: "loud"})
ODD = [
    *(None, True, -1, 0, 0.5, -0.0, math.nan, math.inf, 10**400, 1j, 1e-320, Decimal("sNaN"), Fraction(-7, 2)),
    *("one", "", "\udc00", "1/0", "1e400", b"", bytearray(b"x"), [], {}, set(), {1, 2}, (), [[]], [None], ["\udc00"]),
    *(object(), Ellipsis, {"a": 1}, range(3), np.bool_(True), np.int64(-1), np.float32("nan"), np.float16(0.1)),
    *(
        np.array([]),
        np.array([[1.5]]),
        np.zeros((2, 2, 2)),
        np.array([1j]),
        np.array(["a"]),
        LOUD(2),
        {"a": 1},
        [1, [2]],
    ),
    *(type("Wide", (int,), {})(2), type("Text", (str,), {})("1/2"), type("Table", (list,), {})([1]), iter([1])),
]
