"""What Algorithm 1 of Vos et al. costs at most, line by line.

The source gives every feature its budget undivided, because columns are "disjoint". A record has a value in every
column, so the costs of the features add up. Two of its lines have no price at all: a node becomes a leaf by a look at
its rows, and the rule for leaves divides by the true number of rows.

Neighbours: one record added or removed. Arithmetic: fractions, and a share that is rounded up to 1/1000.

Claims: thm-printed-price, lem-raw-size-rule
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from fdpedu.exact import Rational, as_integer, as_positive_fraction, one_of
from fdpedu.showing import html_table, text_table
from fdpedu.trees.designs.privatree.leaf_share import MAX_ERROR, leaf_need

STOPS, QUANTILES, SIZES = ("raw", "depth"), ("joint", "raw", "none"), ("public", "raw")


@dataclass(frozen=True)
class PrintedShares:
    """Lines 1 and 2 of Algorithm 1: what a leaf gets, and a node and the quantiles of a feature of either kind.

    >>> printed_shares(1, 398)
    PrintedShares(leaf=Fraction(1, 2), numeric=Fraction(1, 10), categorical=Fraction(1, 8))
    """

    leaf: Fraction
    numeric: Fraction
    categorical: Fraction


def printed_shares(
    epsilon: Rational,
    rows: int,
    *,
    classes: int = 2,
    max_depth: int = 4,
    max_error: Rational = MAX_ERROR,
    quantiles: str = "joint",
) -> PrintedShares:
    """How the source divides ε.

    Parameters
    ----------
    epsilon : nominal, greater than 0
    rows, classes, max_depth, max_error : as for :func:`leaf_need`, at least one level
    quantiles : without private quantiles, their part goes to the nodes of numeric features
    """
    budget = as_positive_fraction(epsilon, "epsilon")
    levels = as_integer(max_depth, "max_depth", minimum=1, maximum=64)
    one_of(QUANTILES, quantiles, "quantiles")
    leaf = min(budget / 2, leaf_need(rows, classes, levels, max_error))  # Alg. 1, line 1
    rest = budget - leaf
    return PrintedShares(leaf, rest / (levels + (quantiles == "joint")), rest / levels)  # Alg. 1, line 2


@dataclass(frozen=True)
class PriceLine:
    """One line of the algorithm: what it asks, what the source books, what it costs at most (None: no ε covers it)."""

    line: str
    what: str
    printed: Fraction
    at_most: Fraction | None


@dataclass(frozen=True)
class PrintedPrice:
    """What Algorithm 1 costs at most by add/remove of one record, line by line; shows itself as a table."""

    lines: tuple[PriceLine, ...]

    @property
    def at_most(self) -> Fraction | float:
        """The sum; infinite if a line has no price."""
        prices = [line.at_most for line in self.lines]
        known = [price for price in prices if price is not None]
        return sum(known, Fraction(0)) if len(known) == len(prices) else math.inf

    def rows(self) -> list[tuple[str, str, str, str]]:
        """The table, with a heading and a sum."""
        printed = sum((line.printed for line in self.lines), Fraction(0))
        body = [(line.line, line.what, _number(line.printed), _number(line.at_most)) for line in self.lines]
        whole = self.at_most
        return [
            ("line", "what is asked", "printed", "at most"),
            *body,
            ("", "in all", _number(printed), "∞" if isinstance(whole, float) else _number(whole)),
        ]

    def __str__(self) -> str:
        return text_table(self.rows())

    def _repr_html_(self) -> str:
        head, *body = self.rows()
        return html_table(head, body, caption="What Algorithm 1 books, and what it costs at most")


def _number(price: Fraction | None) -> str:
    return "∞" if price is None else f"{Decimal(price.numerator) / Decimal(price.denominator):.4g}"


def printed_price(
    epsilon: Rational,
    *,
    numeric: int,
    categorical: int = 0,
    rows: int,
    classes: int = 2,
    max_depth: int = 4,
    max_error: Rational = MAX_ERROR,
    stop: str = "raw",
    quantiles: str = "joint",
    size: str = "public",
) -> PrintedPrice:
    """What each line of Algorithm 1 costs at most, by add/remove of one record; ∞ if no ε covers it.

    This is of all that is drawn, with ε divided as by :func:`printed_shares`. The tree alone may cost less: proved is
    that one node of it costs what its histograms do. Labels are booked as the source books them; half would do, as
    counts are monotone.

    Claims: thm-printed-price, lem-leaf-half-spare, lem-size-not-public

    Parameters
    ----------
    epsilon : nominal, greater than 0
    numeric, categorical : how many features of either kind, at least one in all
    rows, classes, max_depth, max_error : as for :func:`leaf_need`
    stop : ``raw`` (line 7 looks at rows) or ``depth`` (it does not)
    quantiles : ``joint`` (private), ``raw`` (the exact ones, PrivaTree* in the source) or ``none`` (public bins)
    size : whether the number of rows is ``public``, or that of the data (``raw``), which decides on rates

    Examples
    --------
    >>> print(printed_price(1, numeric=30, rows=398, stop="depth"))
    line  what is asked                                    printed  at most
    4     quantiles of 30 features, each at 0.1            0.1      3
    11    30 histograms a node, 4 levels, each at 0.1      0.4      12
    9     a label of each leaf at 0.5                      0.5      0.5
          in all                                           1        15.5
    """
    m, c = as_integer(numeric, "numeric", minimum=0), as_integer(categorical, "categorical", minimum=0)
    if m + c < 1:
        raise ValueError("numeric and categorical must be one feature or more together")
    one_of(STOPS, stop, "stop")
    one_of(SIZES, size, "size")
    shares = printed_shares(
        epsilon, rows, classes=classes, max_depth=max_depth, max_error=max_error, quantiles=quantiles
    )
    lines = [*_edges(m, shares, quantiles), *_histograms(m, c, max_depth, shares)]
    lines.append(PriceLine("9", f"a label of each leaf at {_number(shares.leaf)}", shares.leaf, shares.leaf))
    if stop == "raw":
        lines.insert(0, PriceLine("7", "whether a node has rows of two classes", Fraction(0), None))
    # lem-raw-size-rule: it is enough that the rule decides for a neighbour, who may have one row more
    if (
        size == "raw"
        and leaf_need(rows + 1, classes, max_depth, max_error) < as_positive_fraction(epsilon, "epsilon") / 2
    ):
        lines.insert(0, PriceLine("1", "the number of rows, by the rates", Fraction(0), None))
    return PrintedPrice(tuple(lines))


def _edges(numeric: int, shares: PrintedShares, quantiles: str) -> list[PriceLine]:
    if not numeric or quantiles == "none":
        return []
    if quantiles == "raw":
        return [PriceLine("4", f"exact quantiles of {numeric} features", Fraction(0), None)]
    what = f"quantiles of {numeric} features, each at {_number(shares.numeric)}"
    return [PriceLine("4", what, shares.numeric, numeric * shares.numeric)]


def _histograms(numeric: int, categorical: int, levels: int, shares: PrintedShares) -> list[PriceLine]:
    """The source books the larger of both kinds once; here each kind has a line, and the smaller is booked as 0."""
    found = list[PriceLine]()
    for number, each in ((numeric, shares.numeric), (categorical, shares.categorical)):
        if number:
            what = f"{number} histograms a node, {levels} levels, each at {_number(each)}"
            booked = levels * each if not found else Fraction(0)
            found.append(PriceLine("11", what, booked, number * levels * each))
    return found


def epsilon_at_most(
    epsilon: Rational,
    *,
    numeric: int,
    categorical: int = 0,
    rows: int,
    classes: int = 2,
    max_depth: int = 4,
    max_error: Rational = MAX_ERROR,
    stop: str = "raw",
    quantiles: str = "joint",
    size: str = "public",
) -> Fraction | float:
    """What Algorithm 1 costs at most, at a nominal ε: infinite as printed; without line 7, m(ε − ε_leaf) + ε_leaf.

    Claims: thm-printed-price

    Parameters
    ----------
    epsilon, numeric, categorical, rows, classes, max_depth, max_error, stop, quantiles, size : of
        :func:`printed_price`

    Examples
    --------
    >>> epsilon_at_most(1, numeric=30, rows=398), epsilon_at_most(1, numeric=30, rows=398, stop="depth")
    (inf, Fraction(31, 2))
    """
    return printed_price(
        epsilon,
        numeric=numeric,
        categorical=categorical,
        rows=rows,
        classes=classes,
        max_depth=max_depth,
        max_error=max_error,
        stop=stop,
        quantiles=quantiles,
        size=size,
    ).at_most
