"""Columns are not regions: what m histograms of the same rows cost, exactly."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import prod

from fdpedu.accounting import Ledger, check_derivation
from fdpedu.accounting.worked.by_hand import columns_in_parallel
from fdpedu.accounting.worked.columns import exact_factor, most_allowed, success, vote
from fdpedu.claims.accounting.composition import EXACT
from fdpedu.claims.accounting.filter import ADD_REMOVE
from fdpedu.claims.checking import require
from fdpedu.claims.mutation import Broken
from fdpedu.claims.noisy_counts import clamped_pmf, worst_ratio
from fdpedu.claims.privacy.meaning import best_guess
from fdpedu.claims.records import Check, Claim
from fdpedu.derivation_checker import DerivationRefused
from fdpedu.domain import Domain, Numeric
from fdpedu.federation import ClassHistogram, NodeHistograms
from fdpedu.federation.records import Records
from fdpedu.privacy import Law, as_law, product_law, push_forward

ALPHAS = (Fraction(1, 3), Fraction(1, 2), Fraction(4, 5))


def columns(m: int) -> Domain:
    """m features of two bins, and two classes."""
    return Domain([Numeric.grid(f"x{j}", 0, 2, bins=2) for j in range(m)], ("well", "ill"))


def _cells(m: int, rows: list[list[object]]) -> list[int]:
    """The cells of all m histograms, one after the other."""
    domain = columns(m)
    codes, labels = domain.encode([row[:-1] for row in rows]), domain.encode_labels([row[-1] for row in rows])
    records = Records(codes, labels, domain)
    (inside,) = records.within([domain.everything])
    return NodeHistograms(domain.everything, Fraction(m)).tally(records, inside, domain).tolist()


def _neighbours(m: int) -> tuple[list[int], list[int]]:
    """All cells, of no rows at all and of one row."""
    return _cells(m, []), _cells(m, [[*[0] * m, "ill"]])


def _event(m: int, alpha: Fraction) -> tuple[Fraction, Fraction]:
    """How probable it is that no cell which the row raises exceeds its old value: without the row, and with it."""
    without, with_row = _neighbours(m)
    raised = [i for i, (a, b) in enumerate(zip(without, with_row, strict=True)) if a != b]
    bound = 3
    laws = [[clamped_pmf(alpha, cells[i], bound)[: bound + 1 + without[i]] for i in raised] for cells in _neighbours(m)]
    return _product(laws[0]), _product(laws[1])


def _product(laws: list[list[Fraction]]) -> Fraction:
    return prod((sum(law, Fraction(0)) for law in laws), start=Fraction(1))


def as_printed(m: int) -> None:
    """As printed: m histograms of one ε together cost ε; e^ε is 2, and the checker accepts their derivation."""
    without, with_row = _event(m, Fraction(1, 2))
    try:
        said = f"the checker accepts {check_derivation(columns_in_parallel(columns(m), 1).to_json()).value}"
    except DerivationRefused as refusal:
        said = f"the checker says: {refusal}"
    found = f"no rows or one row: the event has probability {without} or {with_row}, a ratio of {without / with_row}"
    require(without <= 2 * with_row, f"{found} where 2 is claimed; {said}")


def factor(m: int, alpha: Fraction) -> None:
    """Event and worst ratio are α^(−m); the ledger charges m times ε, and the checker accepts no less."""
    without, with_row = _event(m, alpha)
    found = exact_factor(alpha, m)
    require(without / with_row == found == alpha**-m, f"the event's ratio is {without / with_row}, stated is {found}")
    worst = worst_ratio(*_neighbours(m), alpha)
    require(worst == found, f"the worst ratio of the released laws is {worst}, stated is {found}")
    require(without == (1 + alpha) ** -m, f"the event has probability {without}")
    ledger = Ledger(m, domain=columns(m))
    queries = [ClassHistogram(columns(m).everything, Fraction(1), j) for j in range(m)]
    ledger.charge([query.charge(columns(m), 0, "operating system") for query in queries])
    proved = ledger.derivation().spent
    require(ledger.spent == proved == m, f"the ledger charges {ledger.spent}, the checker accepts {proved}")
    try:
        proved = check_derivation(columns_in_parallel(columns(m), 1).to_json()).value
    except DerivationRefused:
        proved = Fraction(m)
    require(proved == m, f"the checker accepts {proved} for {m} columns")


def voting(m: int, alpha: Fraction) -> None:
    """Over all outcomes the vote is right as often as stated, and no test is right more often."""
    cell: tuple[Law, Law] = tuple(as_law(clamped_pmf(alpha, n, 2)) for n in (0, 1))  # type: ignore[assignment]
    above = [push_forward(law, lambda i: {int(i > 2): 1}) for law in cell]  # indices 0 to 4 stand for −2 to 2
    without, with_row = (product_law(*[law] * m) for law in above)
    best = best_guess(with_row, without)
    require(
        best_guess(cell[1], cell[0]) == best_guess(above[1], above[0]) == most_allowed(alpha), "one cell is no coin"
    )
    if m % 2:
        yes = {outcome: vote([0] * m, list(outcome)) for outcome in with_row}
        right = sum(with_row[o] if yes[o] else without[o] for o in yes) / 2
        require(right == best == success(alpha, m), f"vote {right}, best test {best}, stated {success(alpha, m)}")
    require(best >= most_allowed(alpha) and (m < 3 or best > most_allowed(alpha)), f"the best test is right {best}")


CLAIMS = (
    Claim(
        "vos-theorem-3-as-printed",
        status="refuted as stated",
        code=("fdpedu.accounting.worked.by_hand.columns_in_parallel",),
        checks=(
            Check(
                "one more record",
                "exact",
                "1 to {size} features of two bins, e^ε = 2 each: the exact distributions without and with one "
                "record, and "
                "the verdict of the derivation checker",
                as_printed,
                lambda most: product(range(1, most + 1)),
                4,
            ),
        ),
        assumptions=("neighbours: one record added or removed", EXACT),
        corrected_by="lem-columns",
    ),
    Claim(
        "lem-columns",
        status="proved+checked",
        code=(
            "fdpedu.accounting.worked.columns",
            "fdpedu.accounting.worked.columns.exact_factor",
            "fdpedu.accounting.worked.columns.success",
        ),
        checks=(
            Check(
                "exact factor",
                "exact",
                "1 to {size} features, three α: event, worst ratio of the released distributions, ledger and checker "
                "agree",
                factor,
                lambda most: product(range(1, most + 1), ALPHAS),
                5,
                12,
            ),
            Check(
                "best test",
                "exhaustive",
                "1 to {size} features, three α: the vote and the likelihood-ratio test, over all outcomes of the "
                "distributions",
                voting,
                lambda most: product(range(1, most + 1), ALPHAS),
                5,
                9,
            ),
        ),
        assumptions=(ADD_REMOVE, EXACT),
        uses=("thm-sequential", "thm-hypothesis-test"),
    ),
)

TWINS = (
    Broken(
        "one histogram counts",
        "fdpedu.accounting.worked.columns.exact_factor",
        "** columns",
        "",
        "Each histogram looks at a column of its own.",
        "lem-columns",
        "exact factor",
    ),
)
