"""How much of ε the labels of leaves need: a rule that looks at no rows.

The source's rule divides by the true number of rows, which is private. Here a public number stands for it.

Arithmetic: fractions, and a share that is rounded up to 1/1000.

Claims: lem-raw-size-rule
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache

from fdpedu.exact import Rational, as_integer, as_positive_fraction
from fdpedu.mechanisms import leaf_error_constant
from fdpedu.trees.shape import as_nominal_size

MAX_ERROR = "1/100"
_STEPS = 1000


def leaf_need(rows: int, classes: int, max_depth: int, max_error: Rational = MAX_ERROR) -> Fraction:
    """2^d·C_K/(n·E_max) of the source's equation (7), rounded up to a millionth.

    Parameters
    ----------
    rows : n, at least 1
    classes : K, 2 to 100
    max_depth : d, 0 to 64
    max_error : the average error that is allowed, greater than 0

    Examples
    --------
    >>> float(leaf_need(5000, 2, 4))
    0.117722
    """
    n, d = as_integer(rows, "rows", minimum=1), as_integer(max_depth, "max_depth", minimum=0, maximum=64)
    error = as_positive_fraction(max_error, "max_error")
    constant = _constant(as_integer(classes, "classes", minimum=2))
    return Fraction(math.ceil(2**d * constant / (n * error) * 10**6), 10**6)


@cache
def _constant(classes: int) -> Fraction:
    """C_K, rounded up; it takes a second to find for more than two classes."""
    return leaf_error_constant(classes).upper


def leaf_share_by_rule(
    epsilon: Rational,
    nominal_size: int,
    classes: int = 2,
    max_depth: int = 4,
    max_error: Rational = MAX_ERROR,
) -> Fraction:
    """The part of ε that labels need for an average error of ``max_error``, rounded up to 1/1000; a half at most.

    Half of what the source says is enough, because class counts are monotone; and N stands for the number of rows.

    Claims: lem-leaf-half-spare, lem-raw-size-rule

    Parameters
    ----------
    epsilon : of the whole tree, greater than 0
    nominal_size : N, public and fixed beforehand, at least 1; the promise holds if there are as many rows
    classes, max_depth, max_error : as for :func:`leaf_need`

    Examples
    --------
    >>> [str(leaf_share_by_rule(1, n)) for n in (100, 5000, 10**6)]
    ['1/2', '59/1000', '1/1000']
    """
    size = as_nominal_size(nominal_size)
    if size is None:
        raise ValueError("nominal_size must be given: a public number of rows, fixed beforehand")
    budget = as_positive_fraction(epsilon, "epsilon")
    need = leaf_need(size, classes, max_depth, max_error) / 2 / budget
    return min(Fraction(1, 2), Fraction(math.ceil(need * _STEPS), _STEPS))
