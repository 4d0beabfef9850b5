"""One normal number is split in two independent ones, and nobody has to know its mean.

Let X come from N(b·s, s), with b 0 or 1. A part of the size a is drawn from X, its size and fresh noise alone:

    U = a·X/s + √(a·(s − a)/s)·Z,        and X − U is what is left.

Then U comes from N(b·a, a) and X − U from N(b·(s − a), s − a), and they are independent, whatever b is. The rest is of
the same form, so it can be split again, into a size that is chosen after U has been seen.

Claims: thm-gaussian-filter
"""

from __future__ import annotations

import math
from typing import Any


def split(x: Any, s: float, a: float, z: Any) -> tuple[Any, Any]:
    """The part U of the size a, and what is left of x.

    Claims: thm-gaussian-filter

    Parameters
    ----------
    x : a number from N(b·s, s), or many
    s : its variance, greater than 0
    a : the size of the part, from 0 to s
    z : as many numbers from N(0, 1), fresh

    Examples
    --------
    >>> split(3.0, 4.0, 1.0, 0.0)
    (0.75, 2.25)
    """
    if not 0 <= a <= s or s == 0:
        raise ValueError(f"a must be from 0 to s, and s greater than 0, got a = {a} and s = {s}")
    part = a * x / s + math.sqrt(a * (s - a) / s) * z
    return part, x - part
