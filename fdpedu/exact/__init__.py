"""Numbers that are what they say: exact fractions, and enclosures of what no fraction can be.

Budgets, probabilities and sensitivities are :class:`fractions.Fraction`. But e^{−ε} is irrational for every
rational ε ≠ 0, so a statement about it is an *enclosure*: two fractions that contain the truth, as close
together as one asks. No float decides anything here.

Not guaranteed: running time. Arithmetic on large fractions takes a time that depends on their values.
"""

from fdpedu.exact.enclosure import LOG_2_ROUNDED_UP, Enclosure, exp_enclosure, log_enclosure
from fdpedu.exact.indices import as_indices, occurrences, sums_at
from fdpedu.exact.integers import Integers, as_floats, as_integers, unmasked
from fdpedu.exact.rate import Rate
from fdpedu.exact.reading import (
    Rational,
    as_float,
    as_fraction,
    as_integer,
    as_list,
    as_positive_fraction,
    one_of,
    quoted,
    require_callable,
    require_type,
    require_writable,
    shown,
)
from fdpedu.exact.rounding import ceil_div, ceil_shift

__all__ = [
    "LOG_2_ROUNDED_UP",
    "Enclosure",
    "Integers",
    "Rate",
    "Rational",
    "as_float",
    "as_floats",
    "as_fraction",
    "as_indices",
    "as_integer",
    "as_integers",
    "as_list",
    "as_positive_fraction",
    "ceil_div",
    "ceil_shift",
    "exp_enclosure",
    "log_enclosure",
    "occurrences",
    "one_of",
    "quoted",
    "require_callable",
    "require_type",
    "require_writable",
    "shown",
    "sums_at",
    "unmasked",
]
