"""Results as records, as a table, as CSV and as a drawing."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from fdpedu.exact import Rational, as_list, as_positive_fraction, quoted, require_type
from fdpedu.experiments.tasks import Results
from fdpedu.showing import text_table
from fdpedu.sources.gubler.costs import epsilon_spent
from fdpedu.sources.gubler.setting import BASELINES

FIELDS = (
    *("figure", "variant", "method", "n", "p", "max_depth", "rho", "epsilon", "leaf_share", "bounds_share"),
    *("mean", "se", "runs", "epsilon_spent"),
)


def records(results: Iterable[Results]) -> list[dict[str, Any]]:
    """For each setting, method and ε: mean test accuracy, its standard error, and what the tree really costs.

    A baseline's runs stand at every ε of its setting. ``epsilon_spent`` is a number, or ``"inf"``.
    """
    each = as_list(results, "results")
    for found in each:
        require_type(found, Results, "results")
    return [
        _record(found, method, epsilon)
        for found in each
        for method, own in found.correct
        for epsilon in (_budgets(found) if own is None else (own,))
    ]


def paired_difference(found: Results, method: str, other: str, epsilon: Rational) -> tuple[float, float]:
    """Mean difference of two methods' test accuracies over the runs, and its standard error.

    Both methods saw the same rows in each run, so the error is that of the differences. It is smaller than that of two
    independent means wherever rows that are hard for one method are hard for the other.

    Claims: def-study

    Parameters
    ----------
    found : results of one setting
    method, other : two of its methods; the difference is the first less the second
    epsilon : the budget of both, as booked

    Examples
    --------
    >>> from fdpedu.experiments.protocol import VARIANTS
    >>> from fdpedu.sources.gubler.setting import Setting
    >>> counts = {("local", None): (60, 70, 80), ("central", None): (70, 80, 96)}
    >>> found = Results(Setting(5, 100, 10, 5, "0.3"), VARIANTS["printed"], 100, counts, {})
    >>> mean, error = paired_difference(found, "central", "local", 1)
    >>> round(mean, 3), round(error, 3)
    (0.12, 0.02)
    """
    require_type(found, Results, "found")
    budget, known = as_positive_fraction(epsilon, "epsilon"), list(dict.fromkeys(name for name, _ in found.correct))
    for name in (method, other):
        if not isinstance(name, str) or (name, None if name in BASELINES else budget) not in found.correct:
            raise ValueError(f"there are results of {', '.join(known)}, not of {quoted(name)} at ε = {quoted(budget)}")
    difference = found.accuracy(method, budget) - found.accuracy(other, budget)
    return float(difference.mean()), float(difference.std(ddof=1) / np.sqrt(len(difference)))


def _budgets(found: Results) -> list[Fraction]:
    """The ε of the methods that have one; of baselines alone there is none to stand at."""
    return list(dict.fromkeys(epsilon for _, epsilon in found.correct if epsilon is not None)) or [Fraction(1)]


def _record(found: Results, method: str, epsilon: Fraction) -> dict[str, Any]:
    s, accuracy = found.setting, found.accuracy(method, epsilon)
    spent = epsilon_spent(method, epsilon, s, found.variant.faults)
    return {
        "figure": s.figure,
        "variant": found.variant.name,
        "method": method,
        "n": s.n,
        "p": s.p,
        "max_depth": s.max_depth,
        "rho": float(s.rho),
        "epsilon": float(epsilon),
        "leaf_share": float(s.leaf_share),
        "bounds_share": float(s.bounds_share),
        "mean": float(accuracy.mean()),
        "se": float(accuracy.std(ddof=1) / np.sqrt(len(accuracy))),
        "runs": len(accuracy),
        "epsilon_spent": spent if isinstance(spent, str) else float(spent),
    }


def as_csv(rows: Iterable[dict[str, Any]]) -> str:
    """The records as CSV, with a heading.

    >>> as_csv([]).split(",")[:3]
    ['figure', 'variant', 'method']
    """
    text = io.StringIO()
    writer = csv.DictWriter(text, FIELDS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def as_table(rows: Sequence[dict[str, Any]]) -> str:
    """The records for a terminal: a block for each setting, a line for each method, a column for each ε."""
    blocks: dict[tuple[Any, ...], dict[str, list[dict[str, Any]]]] = {}
    for row in rows:
        place = tuple(row[name] for name in ("figure", "variant", "n", "p", "max_depth", "rho"))
        shares = (row["leaf_share"], row["bounds_share"]) if row["figure"] == 2 else ()
        blocks.setdefault((*place, *shares), {}).setdefault(row["method"], []).append(row)
    return "\n\n".join(_block(place, methods) for place, methods in blocks.items())


def _block(place: tuple[Any, ...], methods: dict[str, list[dict[str, Any]]]) -> str:
    figure, variant, n, p, depth, rho, *shares = place
    shares_given = f", shares {shares[0]:g} and {shares[1]:g}" if shares else ""
    head = f"Figure {figure} as {variant}: n={n}, p={p}, depth {depth}, ρ={rho:g}{shares_given}"
    first = next(iter(methods.values()))
    rows = [("test accuracy (se) at ε =", *(f"{row['epsilon']:g}" for row in first))]
    for method, own in methods.items():
        rows.append((method, *(f"{row['mean']:.3f} ({row['se']:.3f})" for row in own)))
        if method not in BASELINES:
            costs = ("∞" if row["epsilon_spent"] == "inf" else f"{row['epsilon_spent']:.3g}" for row in own)
            rows.append(("  really costs ε =", *costs))
    return f"{head}\n{text_table(rows, right=range(1, len(first) + 1))}"
