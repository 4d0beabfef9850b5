"""The cell of a record: substitution, bins and their ends, and one-hot columns."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, product
from typing import Any

import numpy as np

from fdpedu.claims.checking import require
from fdpedu.claims.federations import federate
from fdpedu.claims.histograms.node import steps, tallied
from fdpedu.claims.histograms.release import ADD_REMOVE, OBSERVER, ROOT, row_sets, unit_queries
from fdpedu.claims.mutation import Broken
from fdpedu.claims.noisy_counts import worst_ratio
from fdpedu.claims.records import Check, Claim
from fdpedu.domain import Categorical, Domain, Numeric, Rows
from fdpedu.federation import ClippedWarning, Party, Query
from fdpedu.histograms import bin_of, one_hot_histograms, private_histogram
from fdpedu.randomness import ZeroWords
from fdpedu.sources.gubler import bin_as_printed

THREE = ("well", "ill", "cured")
TENTH = float(np.nextafter(0.1, 1))
AWKWARD = (-1e308, -0.1, -5e-324, 0.0, 5e-324, 0.1, TENTH, 1 / 3, 1.0, 1e308)  # ends and borders of bins
NINE = Domain([Numeric.grid("age", 0, 90, bins=3)], ("well", "ill", "cured"))
MIXED = Domain([Numeric.grid("age", 0, 60, bins=2), Categorical("ward", ("A", "B", "C"))], (0, 1, 2))


# --- bins ---


def one_cell(edges: Sequence[float]) -> None:
    """Each value has the one bin whose inequality it satisfies, and two parties release one count for each of them."""
    feature = Numeric("x", tuple(edges))
    values = sorted({*AWKWARD, *edges, *(float(np.nextafter(t, way)) for t in edges for way in (-np.inf, np.inf))})
    values = [x for x in values if abs(x) <= 1e308]
    codes = [_by_inequality(x, edges) for x in values]
    require(feature.encode(values).tolist() == codes, f"of {values} the bins are {codes}, not {feature.encode(values)}")
    require([bin_of(x, edges) for x in values] == codes, "the form to read gives other bins")
    for x, code in zip(values, codes, strict=True):
        _prefixes(x, code, edges)
    domain = Domain([feature], THREE)
    rows = [[x, THREE[i % 3]] for i, x in enumerate(values)]
    table = np.zeros((feature.n_codes, 3), dtype=np.int64)
    for i, code in enumerate(codes):
        table[code, i % 3] += 1
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ClippedWarning)
        released = private_histogram(federate([rows[::2], rows[1::2]], domain, 1, ZeroWords()), "x", 1)
    require(np.array_equal(released, table), f"released are {released.tolist()}, counted {table.tolist()}")


def _by_inequality(x: float, edges: Sequence[float]) -> int:
    """The bins whose definition the clipped value satisfies, in fractions; there must be exactly one."""
    t = [Fraction(edge) for edge in edges]
    y = min(max(Fraction(x), t[0]), t[-1])
    found = [i for i in range(len(t) - 1) if t[i] < y <= t[i + 1] or (i == 0 and y == t[0])]
    require(len(found) == 1, f"{x} has the bins {found}")
    return found[0]


def _prefixes(x: float, code: int | None, edges: Sequence[float]) -> None:
    """For every inner border: the bins up to it hold x if and only if x ≤ border."""
    for i, border in enumerate(edges[1:-1]):
        held = code is not None and code <= i
        require(held == (x <= border), f"x = {x}: in the bins up to {border} is {held}, x ≤ {border} is {x <= border}")


def bins_as_printed(edges: Sequence[float]) -> None:
    """Every edge, which lies in the public range, has a bin [a, b), and the bins up to a border hold x ≤ border."""
    for x in reversed(edges):
        code = bin_as_printed(x, edges)
        require(code is not None, f"x = {x} lies in the range from {edges[0]} to {edges[-1]} and in no bin")
        _prefixes(x, code, edges)


def edges(most: int) -> Iterator[tuple[tuple[float, ...]]]:
    """All grids of 3 to ``most`` of the awkward edges."""
    return ((chosen,) for n in range(3, most + 1) for chosen in combinations(AWKWARD, n))


def plain_edges(most: int) -> Iterator[tuple[tuple[float, ...]]]:
    """All grids of three or four whole edges from 0 to ``most``."""
    return ((tuple(map(float, chosen)),) for n in (3, 4) for chosen in combinations(range(most + 1), n))


def unknown_category(categories: Sequence[Any], value: Any) -> None:
    """A value that is not in the public list is refused at the border, by its place and never by its value."""
    domain = Domain([Categorical("ward", tuple(categories))], THREE)
    try:
        Party([[categories[0], "ill"], [value, "well"]], domain)
    except ValueError as error:
        said = str(error)
        require("row 1" in said and "'ward'" in said, f"the message does not say where: {said}")
        require(repr(value) not in said.replace(repr(tuple(categories)), ""), f"the message repeats the value: {said}")
        return
    require(value in categories, f"{value!r} was admitted")


# --- one histogram in the place of l dummies ---


def one_hot(n_categories: int, n_classes: int, labels: Sequence[tuple[int, int]]) -> None:
    """From one released histogram: the histograms of all dummies, as a federation of dummies would count them."""
    names, classes = [f"c{i}" for i in range(n_categories)], tuple(range(n_classes))
    whole = Domain([Categorical("one", tuple(names))], classes)
    dummies = Domain([Categorical(name, (False, True)) for name in names], classes)
    rows = [[names[code], label] for code, label in labels]
    coded = [[*(name == row[0] for name in names), row[1]] for row in rows]
    found = one_hot_histograms(private_histogram(federate([rows[:1], rows[1:]], whole, 1, ZeroWords()), "one", 1))
    federation = federate([coded[:1], coded[1:]], dummies, n_categories, ZeroWords())
    counted = np.array([private_histogram(federation, name, 1) for name in names])
    require(federation.ledger.spent == n_categories, f"{n_categories} dummies cost {federation.ledger.spent}")
    require(np.array_equal(found, counted), f"derived are {found.tolist()}, counted {counted.tolist()}")


def one_hot_variance(n_categories: int, beta: Fraction) -> None:
    """The noise of a derived cell: at most l − 1 variances at rate ε; of a dummy's cell at ε/l: at least l² of them.

    ``beta`` is e^{−ε/l}. The derived cells are linear in the released ones: their coefficients are read off units.
    """
    units = np.eye(n_categories, dtype=np.int64)[:, :, None]
    coefficients = np.array([one_hot_histograms(unit) for unit in units]).reshape(n_categories, -1)
    most = int((coefficients**2).sum(axis=0).max())
    require(most <= max(1, n_categories - 1), f"a derived cell has {most} times the variance of a released one")
    whole, part = _variance(beta**n_categories), _variance(beta)
    require(part >= n_categories**2 * whole, f"a dummy's cell has the variance {part}, against {whole}")


def _variance(alpha: Fraction) -> Fraction:
    """Of a discrete Laplace number: Σ k²·Pr[k] = 2α/(1−α)²."""
    return 2 * alpha / (1 - alpha) ** 2


def coded_rows(most: int) -> Iterator[tuple[int, int, Sequence[tuple[int, int]]]]:
    """Up to ``most`` records of two or three categories and classes, all of them."""
    for n, classes in product((2, 3), (2, 3)):
        cells = list(product(range(n), range(classes)))
        for size in range(most + 1):
            yield from ((n, classes, rows) for rows in combinations_with_replacement(cells, size))


def substitution(domain: Domain, query: Query, rows: Rows, record: Sequence[Any], instead: Sequence[Any]) -> None:
    """One record in another's place: the worst ratio is e^{2ε} where their cells differ, e^ε where one is counted.

    For the histograms of p features it is e^{ε/p} for each cell that one of the two has and the other has not.
    """
    counts, others = (tallied(query, [*rows, one], domain) for one in (record, instead))
    require(len(counts) == len(others) == query.size(domain), "the number of cells depends on the data")
    worst = worst_ratio(counts, others, ROOT)
    bound = ROOT ** -(2 * steps(query, domain))
    require(worst <= bound, f"the worst ratio is {worst}, more than e^(2ε) = {bound}")
    moved = _moved(query, record, instead, domain)
    require(worst == ROOT**-moved, f"the worst ratio is {worst}, although {moved} cells move")


def _moved(query: Query, record: Sequence[Any], instead: Sequence[Any], domain: Domain) -> int:
    """By hand: in how many cells of the answer exactly one of the two records is counted."""
    cells = [_cells_of(query, one, domain) for one in (record, instead)]
    return len(cells[0] ^ cells[1])


def _cells_of(query: Query, record: Sequence[Any], domain: Domain) -> set[tuple[str, int, int]]:
    """The cells that count a record: a name of the histogram, the code and the class."""
    codes = [int(domain.features[j].encode([value])[0]) for j, value in enumerate(record[:-1])]
    label = domain.classes.index(record[-1])
    held = all(code in query.region.codes(j) for j, code in enumerate(codes)) and label in query.region.class_codes
    if not held:
        return set()
    if query.type == "class-counts":
        return {("", 0, label)}
    features = range(len(codes)) if query.type == "node-histograms" else [query.feature]  # type: ignore[attr-defined]
    return {(domain.features[j].name, codes[j], label) for j in features}


def pairs(most: int) -> Iterator[tuple[Domain, Query, Rows, Sequence[Any], Sequence[Any]]]:
    """Three bins and three classes: all data of at most ``most`` records, every record in the place of every other."""
    records = list(product((10, 40, 80), NINE.classes))
    regions = [NINE.everything, NINE.everything.restrict(0, [1, 2]), NINE.everything.restrict_class([0, 2])]
    for rows, (record, instead), region in product(row_sets(records, most), product(records, repeat=2), regions):
        for query in unit_queries(NINE, region):
            yield NINE, query, rows, record, instead


def mixed_pairs(most: int) -> Iterator[tuple[Domain, Query, Rows, Sequence[Any], Sequence[Any]]]:
    """A numeric and a categorical feature, three classes: every record in another's place, beside ``most`` others."""
    records = list(product((10, 60), "ABC", MIXED.classes))
    for record, instead in combinations_with_replacement(records, 2):
        for query in unit_queries(MIXED, MIXED.everything):
            yield MIXED, query, records[:most], record, instead


PUBLIC = "ranges, bins, categories and classes are public"
ALPHAS = (Fraction(1, 3), Fraction(1, 2), Fraction(9, 10))
EDGES = "grids of {size} of ten awkward doubles; all of these, the largest and their neighbours as values"

CLAIMS = (
    Claim(
        "thm-histogram-substitution",
        status="proved+checked",
        code=("fdpedu.histograms.release.private_histogram",),
        checks=(
            Check(
                "pairs",
                "exhaustive",
                "three bins, three classes, three regions, all types of query: all data of at most {size} records, "
                "every record in the place of every other",
                substitution,
                pairs,
                0,
                1,
            ),
            Check(
                "numbers and categories",
                "exhaustive",
                "two bins beside three categories, three classes: every record in another's place, beside {size} more",
                substitution,
                mixed_pairs,
                4,
                18,
            ),
        ),
        assumptions=("neighbours: one record takes another's place", "integers", OBSERVER, PUBLIC),
        uses=("thm-histogram", "lem-substitution"),
    ),
    Claim(
        "lem-one-cell",
        status="proved+checked",
        code=("fdpedu.histograms.cells.bin_of",),
        checks=(
            Check(
                "edges",
                "exhaustive",
                f"{EDGES}; what two parties release of three classes, without noise",
                one_cell,
                edges,
                3,
                6,
                more=[((0.0, 1.0, 2.0),), ((-1e308, 0.0, 5e-324, 1e308),), ((-3, -0.5, 7),)],
            ),
            Check(
                "unknown",
                "exact",
                "categories of text and of numbers, and values that are none of them",
                unknown_category,
                lambda _: [
                    *product([("A", "B"), ("B", "A", "C")], ("Zürich", "a", "A ", "A", 7)),
                    *product([(1, 2, 3)], (4, -1, 1234567.5, 2)),
                ],
                more=[(("A", "B"), "Ä"), ((1, 2), 9), (("A", "B"), "B")],
            ),
        ),
        assumptions=("finite doubles, compared exactly", PUBLIC),
    ),
    Claim(
        "alg-bins-as-printed",
        status="refuted as stated",
        code=("fdpedu.sources.gubler.algorithms.bin_as_printed",),
        checks=(
            Check(
                "edges",
                "exhaustive",
                "grids of three or four whole edges from 0 to {size}: the edges themselves as values",
                bins_as_printed,
                plain_edges,
                3,
                5,
            ),
        ),
        assumptions=("finite doubles, compared exactly", PUBLIC),
        corrected_by="lem-one-cell",
    ),
    Claim(
        "lem-one-hot",
        status="proved+checked",
        code=("fdpedu.histograms.cells.one_hot_histograms",),
        checks=(
            Check(
                "dummies",
                "exhaustive",
                "two or three categories and classes, up to {size} records, two parties: derived and counted, without "
                "noise, and what both cost",
                one_hot,
                coded_rows,
                2,
                4,
                more=[(4, 3, []), (4, 3, [(0, 2)]), (4, 3, [(0, 0), (3, 2), (3, 1), (1, 0), (3, 2)])],
            ),
            Check(
                "variance",
                "exact",
                "2 to {size} categories, three α: coefficients, and the variance of both, in fractions",
                one_hot_variance,
                lambda most: product(range(2, most + 1), ALPHAS),
                12,
                256,
                more=[*product((2, 3, 40), (Fraction(1, 3), Fraction(99, 100)))],
            ),
        ),
        assumptions=(ADD_REMOVE, "integers", OBSERVER, PUBLIC),
        uses=("thm-histogram", "thm-node-histograms"),
    ),
)

TWINS = (
    Broken(
        "two classes only",
        "fdpedu.federation.queries.ClassHistogram.tally",
        "* domain.n_classes +",
        "* 2 +",
        "A label is 0 or 1.",
        "thm-histogram-substitution",
        "pairs",
    ),
    Broken(
        "the feature before",
        "fdpedu.federation.queries.ClassHistogram.tally",
        "records.columns[self.feature]",
        "records.columns[0]",
        "There is one feature in the example, and it has the number 0.",
        "thm-histogram-substitution",
        "numbers and categories",
    ),
    Broken(
        "last bin open",
        "fdpedu.domain.features.Numeric._codes",
        'np.asarray(self.edges[1:-1]), values, side="left"',
        'np.asarray(self.edges[1:]), values, side="right"',
        "Bins are [a, b), the last one as well.",
        "lem-one-cell",
        "edges",
    ),
    Broken(
        "rounded edges",
        "fdpedu.domain.features.Numeric._codes",
        "np.asarray(self.edges[1:-1])",
        "np.round(self.edges[1:-1], 12)",
        "Twelve digits are enough to find a bin.",
        "lem-one-cell",
        "edges",
    ),
    Broken(
        "all others of any class",
        "fdpedu.histograms.cells.one_hot_histograms",
        "table.sum(axis=0) - table",
        "table.sum() - table",
        "All who do not have the category are the others.",
        "lem-one-hot",
        "dummies",
    ),
)
