"""What one party can say of its own rows: the least n·G that any split leaves of them, and how far a record moves it.

F_k(D) is the least n·G over all splits of one feature of party k's rows D. The sum over the parties is at most the n·G
of any split of all rows together, so a feature whose sum is large need not be asked for its histograms. One record that
is added raises F_k by at least 0 and at most n/(n+1), which is less than 1 whatever the rows are; the report proves
5/4. A vector of such numbers, one for each of p features, moves by less than p: they are about the same record.

Not guaranteed: any privacy. These are exact functions of a party's rows, and leave it only with noise.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from numpy.typing import ArrayLike

from fdpedu.cart import local_best_impurities, local_best_impurity
from fdpedu.exact import as_integer, as_list, quoted

SENSITIVITY = Fraction(1)  # of one bound, for one record added or removed: the least constant that holds for all data
REPORT_SENSITIVITY = Fraction(5, 4)  # the same in the report's Lemma 3.2: true, and larger than need be
NORMS = ("l1", "l2 squared", "linf")


def local_bound(table: ArrayLike, *, ordered: bool = True, missing: bool = False) -> Fraction:
    """F_k = min n·G over the splits of a public grid, from the class × bin counts of one party's rows, exactly.

    The splits are all borders of the bins, or all subsets of the categories, and the one that sends all rows to one
    side. They do not depend on the rows, which is all that its sensitivity rests on.

    Claims: lem-local-bound, lem-five-quarters, lem-grid-bound

    Parameters
    ----------
    table : integers ≥ 0 of shape (codes, classes), which add up to at most 2**53
    ordered : whether the codes are bins; else they are categories (at most 14 of them for more than two classes)
    missing : whether the last code is that of missing values, which each border may send to either side

    Examples
    --------
    >>> local_bound([[9, 0], [0, 0]]), local_bound([[9, 1], [0, 0]])  # a record of the other class, in the same bin
    (Fraction(0, 1), Fraction(9, 10))
    """
    return local_best_impurity(table, ordered=ordered, missing=missing)


def local_bounds_of_rows(X: ArrayLike, y: ArrayLike, n_classes: int | None = None) -> list[Fraction]:
    """F_k for each feature, over all real thresholds of raw values: n_k·G(Q_k, θ*_kj) as in the report.

    At most what :func:`local_bound` says on any grid, so it is the weaker bound, of the same sensitivity.

    Claims: lem-local-bound, lem-grid-bound

    Parameters
    ----------
    X : floats, shape (n, p)
    y : class codes 0, 1, …, shape (n,)
    n_classes : C, more than every code; the largest code and 1 when left out

    Examples
    --------
    >>> local_bounds_of_rows([[63.0, 5.0], [70.0, 5.0], [17.0, 5.0]], [1, 1, 0])
    [Fraction(0, 1), Fraction(2, 3)]
    """
    return local_best_impurities(X, y, n_classes)


def impurity_lower_bound(tables: Sequence[ArrayLike], *, ordered: bool = True) -> Fraction:
    """Σ_k F_k over the parties: at most the n·G of every split of all their rows (the report's Theorem 7).

    Claims: thm-impurity-lower-bound, lem-concave-lower-bound

    Parameters
    ----------
    tables : for each party its counts, as in :func:`local_bound`, all of one shape; a party may have no rows
    ordered : whether the codes are bins; else they are categories

    Examples
    --------
    >>> impurity_lower_bound([[[1, 1], [0, 2]], [[0, 0], [0, 0]], [[2, 0], [0, 1]]])
    Fraction(1, 2)
    """
    return sum((local_bound(table, ordered=ordered) for table in as_list(tables, "tables")), Fraction(0))


def lattice_bound(table: ArrayLike, lattice: int, *, ordered: bool = True) -> int:
    """⌊m·F_k⌋: the bound in steps of 1/m, rounded down so that it stays a lower bound, as integers need it.

    A record moves it by 0, 1, …, m, upwards if it is added. The sum over K parties is less than K/m too low.

    Claims: lem-lattice-bound

    Parameters
    ----------
    table : counts, as in :func:`local_bound`
    lattice : m ≥ 1, a public integer
    ordered : whether the codes are bins; else they are categories

    Examples
    --------
    >>> lattice_bound([[9, 1], [0, 0]], 1), lattice_bound([[9, 1], [0, 0]], 100)
    (0, 90)
    """
    steps = as_integer(lattice, "lattice", minimum=1, maximum=2**62)
    # lem-lattice-bound: rounded down, so that the parties' sum stays a lower bound
    return math.floor(local_bound(table, ordered=ordered) * steps)


def joint_sensitivity(n_features: int, norm: str = "l1") -> Fraction:
    """By how much one record can move the vector (F_1, …, F_p) of one party: less than p, and not less than any less.

    Claims: lem-bounds-vector

    Parameters
    ----------
    n_features : p ≥ 1
    norm : ``l1`` (p), ``l2 squared`` (p as well: each coordinate moves by less than 1) or ``linf`` (1)

    Examples
    --------
    >>> joint_sensitivity(10), joint_sensitivity(10, "linf")
    (Fraction(10, 1), Fraction(1, 1))
    """
    p = as_integer(n_features, "n_features", minimum=1)
    if not isinstance(norm, str) or norm not in NORMS:
        raise ValueError(f"norm must be one of {', '.join(NORMS)}; got {quoted(norm)}")
    return SENSITIVITY if norm == "linf" else p * SENSITIVITY
