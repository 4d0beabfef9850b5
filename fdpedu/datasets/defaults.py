"""An imitation of credit cards whose holders default: a rare class, 3 in 100, that three features tell about.

It holds no real person: every row is drawn from the law below. Its numbers resemble those of a simulated table in a
textbook (James, Witten, Hastie and Tibshirani, 2013): a holder's balance, income, and whether they study. Students owe
more and earn less. At the same balance they default less often, and on the whole more often.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.exact import as_integer, require_type

REPAYMENTS = ("repays", "defaults")

STUDENTS = 0.3  # of all holders
# Mean and standard deviation of a normal variable, of those who do not study and of students; below 0 it is 0.
_BALANCE = ((760, 490), (980, 500))
_INCOME = ((40_000, 10_000), (18_000, 4_500))


def card_domain(*, bins: int = 10) -> Domain:
    """The public domain of :func:`card_like`: two numbers, whether one studies, two classes.

    >>> [feature.name for feature in card_domain().features]
    ['balance', 'income', 'student']
    """
    return Domain(
        [
            Numeric.grid("balance", 0, 2700, bins, unit="$", reason="what nearly all cards of the bank may owe"),
            Numeric.grid("income", 0, 75_000, bins, unit="$", reason="the bank's form asks for no more"),
            Categorical("student", ("no", "yes"), reason="the boxes of the bank's form"),
        ],
        REPAYMENTS,
    )


def card_like(n: int, rng: np.random.Generator) -> tuple[NDArray[Any], NDArray[Any]]:
    """Rows (n, 3) of balance, income and "yes" or "no", and labels (n,), drawn independently.

    Three holders in ten study. Balance and income are normal, with the moments of either group, and 0 where that would
    be negative. The log odds of a default are −10.87 + 0.00574·balance + 0.000003·income, and 0.647 less for students.
    ``rng`` decides the rows: the same state of the generator gives the same rows.

    >>> X, y = card_like(10_000, np.random.default_rng(0))
    >>> X.shape, [str(value) for value in X[:3, 2]], int((y == "defaults").sum())
    ((10000, 3), ['no', 'yes', 'yes'], 333)
    """
    require_type(rng, np.random.Generator, "rng")
    n = as_integer(n, "n", minimum=1, maximum=10**9)
    student = (rng.random(n) < STUDENTS).astype(np.int64)
    balance, income = (
        np.maximum(0.0, rng.normal(*np.array(moments, dtype=float)[student].T)) for moments in (_BALANCE, _INCOME)
    )
    logit = -10.87 + 0.00574 * balance + 0.000003 * income - 0.647 * student
    defaults = rng.random(n) < 1 / (1 + np.exp(-logit))
    X = np.empty((n, 3), dtype=object)
    X[:, 0], X[:, 1], X[:, 2] = balance, income, np.array(("no", "yes"), dtype=object)[student]
    return X, np.array(REPAYMENTS)[defaults.astype(np.int64)]
