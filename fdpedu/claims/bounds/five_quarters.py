"""The report's own bound on how far one record moves a local bound."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from fdpedu.bounds import REPORT_SENSITIVITY, SENSITIVITY, local_bound
from fdpedu.claims.bounds.local import ADD_REMOVE, CONVENTION, EXACT, FAMILY, Table, added, counts
from fdpedu.claims.checking import require
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim


def five_quarters(table: Table) -> None:
    """The report's constant, which is larger than need be."""
    start = local_bound(table)
    for code, c in product(range(len(table)), range(len(table[0]))):
        change = abs(local_bound(added(table, code, c)) - start)
        require(SENSITIVITY < REPORT_SENSITIVITY == Fraction(5, 4), f"the report's constant is {REPORT_SENSITIVITY}")
        require(change <= REPORT_SENSITIVITY, f"a record changes the bound by {change}")


def printed_chain(a: int, b: int) -> None:
    """The report's inequalities for one side with n = a+b ≥ 1 rows: each at most the next, and the last at most 5/4.

    |n·g(p) − (n+1)·g(q)| ≤ n·|g(p) − g(q)| + ¼ ≤ n·(δ − δ²) + ¼ with δ = 1/(n+1) ≤ ½, g(p) = p(1−p).
    """
    n, p = a + b, Fraction(b, a + b)
    delta = Fraction(1, n + 1)
    for label in (0, 1):
        q = Fraction(b + label, n + 1)
        g_p, g_q = p * (1 - p), q * (1 - q)
        chain = [abs(n * g_p - (n + 1) * g_q), n * abs(g_p - g_q) + Fraction(1, 4)]
        chain += [n * (delta - delta**2) + Fraction(1, 4), REPORT_SENSITIVITY]
        require(chain == sorted(chain) and delta <= Fraction(1, 2), f"with label {label} the terms are {chain}")


CLAIMS = (
    Claim(
        "lem-five-quarters",
        status="proved+checked",
        code=("fdpedu.bounds.local.local_bound",),
        checks=(
            Check(
                "random neighbours",
                "property",
                "{size} random tables of up to five bins and four classes, with every record added",
                five_quarters,
                lambda draw: draw.tuples(counts(draw)),
                60,
                3000,
                more=[([[2, 0, 1], [0, 3, 1]],)],
            ),
            Check(
                "printed proof",
                "exhaustive",
                "its inequalities, one after the other, on all sides with 1 to {size} rows of two classes",
                printed_chain,
                lambda most: ((a, n - a) for n in range(1, most + 1) for a in range(n + 1)),
                30,
                200,
            ),
        ),
        assumptions=(CONVENTION, FAMILY, ADD_REMOVE, EXACT),
        uses=("lem-local-bound",),
    ),
)

TWINS = (
    Broken(
        "the field's Gini",
        "fdpedu.cart.local._left_over",
        "2 * a * b)",
        "a * b)",
        "Gini is 2p(1−p), as everywhere; factors do not matter for the best split.",
        "lem-five-quarters",
        "random neighbours",
    ),
)
