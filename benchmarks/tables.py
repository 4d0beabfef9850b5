"""What the benchmarks have kept, as tables in Markdown for the book's page on speed."""

from itertools import groupby
from typing import Any

from benchmarks.words import GROUPS, METHODS, data_in_words, row_in_words
from fdpedu.showing import markdown_table

Kept = dict[str, Any]


def ratios(now: Kept) -> str:
    """A table for each group of ratios: median and range, and the limit that the row must keep."""
    parts = []
    for group, rows in groupby(now["ratios"], key=lambda row: row["group"]):
        lines = [
            (row_in_words(row["name"]), figure(row["median"]), f"{figure(row['least'])} … {figure(row['most'])}",
             figure(row["limit"]))
            for row in rows
        ]  # fmt: skip
        parts.append(markdown_table((GROUPS[group], "ratio", "from … to", "limit"), lines, right=range(1, 4)))
    return "\n\n".join(parts)


def gaps(now: Kept) -> str:
    """The share of the gap closed by each tree, a column for each ε."""
    epsilons = list(dict.fromkeys(row["epsilon"] for row in now["pooled"]))
    cells: dict[str, dict[str, str]] = {method: {} for method in METHODS}
    for row in now["pooled"]:
        share = f"{row['gap_closed']:.2f} ± {row['se']:.2f}".replace("-", "−")
        cells[row["method"]][row["epsilon"]] = share
    rows = [(METHODS[method], *(found.get(e, "–") for e in epsilons)) for method, found in cells.items()]
    return markdown_table(("tree", *(f"ε = {e}" for e in epsilons)), rows, right=range(1, len(epsilons) + 1))


def currencies(now: Kept) -> str:
    """The share of the gap closed by each tree, without δ and with it, by number of features; a column for each ε."""
    epsilons = list(dict.fromkeys(row["epsilon"] for row in now["records"]))
    shares = {
        (row["group"], row["method"], row["delta"], row["epsilon"]): f"{row['share']:.2f} ± {row['se']:.2f}"
        for row in now["records"]
    }
    rows = []
    for group, method, delta in dict.fromkeys(key[:3] for key in shares):
        data = "all data sets" if group == "all" else group
        paid = "in ε" if delta == "0" else "in ρ, δ = 10⁻⁶"
        cells = (shares[group, method, delta, e].replace("-", "−") for e in epsilons)
        rows.append((f"{data}: {method}, paid {paid}", *cells))
    rows.sort(key=lambda row: row[0].split(",")[0])
    return markdown_table(("tree", *(f"ε = {e}" for e in epsilons)), rows, right=range(1, len(epsilons) + 1))


def accuracies(now: Kept, epsilon: str, methods: dict[str, str]) -> str:
    """Mean test accuracies on each data set; ``methods`` gives the trees to show and what their columns are called."""
    found = {(row["data"], row["method"]): row for row in now["records"] if row["epsilon"] == epsilon}
    names = list(dict.fromkeys(name for name, _ in found))
    rows = [
        (data_in_words(name), *(f"{found[name, method]['mean']:.3f}" for method in methods),
         f"{found[name, list(methods)[-1]]['bare_root']:.0%}")
        for name in names
    ]  # fmt: skip
    return markdown_table(("data", *methods.values(), "only a leaf"), rows, right=range(1, len(methods) + 2))


def figure(value: float | None) -> str:
    """Three significant digits, or a dash where there is nothing."""
    if value is None:
        return "–"
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
