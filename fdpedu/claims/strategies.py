"""Random domains, records, regions and queries for hypothesis, from small integers so that counterexamples shrink well.

The same strategies serve ``fdpedu verify``, the tests, the book and the exercises. This is the one module of the
package that needs hypothesis.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy
from numpy.typing import NDArray

from fdpedu.domain import Categorical, Domain, Numeric, Region
from fdpedu.privacy import rational_law

Record = list[Any]

budgets = st.fractions(Fraction(1, 5), 20, max_denominator=7)
shares = st.fractions(Fraction(1, 10), Fraction(9, 10), max_denominator=10)
epsilons = st.fractions(Fraction(1, 12), 1, max_denominator=12)
alphas = st.fractions(Fraction(1, 10), Fraction(9, 10), max_denominator=20)
exp_epsilons = st.fractions(1, 5, max_denominator=6)
deltas = st.sampled_from([Fraction(0), Fraction(1, 7), Fraction(1, 2)])
laws = st.lists(st.integers(0, 9), min_size=3, max_size=3).filter(any).map(rational_law)  # outcomes 0, 1, 2
positive_laws = st.lists(st.integers(1, 9), min_size=3, max_size=3).map(rational_law)  # all three outcomes occur
three_pairs_of_laws = st.lists(st.tuples(positive_laws, positive_laws), min_size=3, max_size=3)  # after 0, 1, 2
channels = st.lists(laws, min_size=3, max_size=3)  # what is made of the outcomes 0, 1, 2
weights = st.lists(st.integers(0, 9), min_size=1, max_size=6).filter(any).map(tuple)  # of a finite law
utilities = st.lists(st.integers(0, 4), min_size=2, max_size=6).map(tuple)
scales = st.fractions(Fraction(1, 5), 5, max_denominator=10)
orders = st.fractions(Fraction(11, 10), 8, max_denominator=10)  # of a Rényi divergence
small_deltas = st.sampled_from([Fraction(1, 10**k) for k in range(1, 10)])
booleans, integers, tuples = st.booleans, st.integers, st.tuples


def lists(of: SearchStrategy[Any], least: int, most: int) -> SearchStrategy[list[Any]]:
    """From ``least`` to ``most`` of them."""
    return st.lists(of, min_size=least, max_size=most)


def nodes(most: int = 40, classes: int = 2) -> SearchStrategy[tuple[int, ...]]:
    """The class counts of a node; all may be 0."""
    return st.tuples(*[st.integers(0, most)] * classes)


@st.composite
def moved_utilities(draw: DrawFn, least: int = -1) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Utilities of 2 to 6 candidates, and by how much a record moves each: from ``least`` to 1."""
    values = draw(utilities)
    return values, tuple(draw(st.integers(least, 1)) for _ in values)


def category_tables(most_codes: int = 6, most: int = 6) -> SearchStrategy[list[tuple[int, ...]]]:
    """The counts of two classes in each of 2 to ``most_codes`` categories."""
    return st.lists(nodes(most), min_size=2, max_size=most_codes)


@st.composite
def domains(draw: DrawFn, most_features: int = 3, most_codes: int = 5, most_classes: int = 3) -> Domain:
    """Numeric and categorical features; one of the codes of a feature with four is that of missing values."""
    features: list[Numeric | Categorical] = []
    for j in range(draw(st.integers(1, most_features))):
        codes = draw(st.integers(2, most_codes))
        missing = codes == 4  # and not drawn, which would change all other draws
        values = codes - missing
        if draw(st.booleans()):
            features.append(Numeric.grid(f"x{j}", 0, values, bins=values, missing=missing))
        else:
            features.append(Categorical(f"x{j}", tuple("ABCDE"[:values]), missing=missing))
    return Domain(features, tuple(range(draw(st.integers(2, most_classes)))))


@st.composite
def records(draw: DrawFn, domain: Domain) -> Record:
    """One record: raw feature values, None for a missing one, and a class."""
    values = [draw(st.sampled_from(_values_of(feature))) for feature in domain.features]
    return [*values, draw(st.sampled_from(domain.classes))]


def _values_of(feature: Numeric | Categorical) -> list[Any]:
    values = range(feature.n_bins + 1) if isinstance(feature, Numeric) else feature.categories
    return [*values, *[None] * feature.missing]


@st.composite
def tables(draw: DrawFn, domain: Domain, least: int = 0, most: int = 12) -> list[Record]:
    """Rows of records; may be empty."""
    return [draw(records(domain)) for _ in range(draw(st.integers(least, most)))]


@st.composite
def domains_with_parties(
    draw: DrawFn, least_parties: int = 2, most_parties: int = 4
) -> tuple[Domain, list[list[Record]]]:
    """A domain, and rows divided among parties."""
    domain = draw(domains())
    return domain, [draw(tables(domain)) for _ in range(draw(st.integers(least_parties, most_parties)))]


@st.composite
def regions(draw: DrawFn, domain: Domain) -> Region:
    """A product of code sets and a class set, never empty."""
    region = domain.everything
    for j, feature in enumerate(domain.features):
        region = region.restrict(j, draw(st.sets(st.integers(0, feature.n_codes - 1), min_size=1)))
    return region.restrict_class(draw(st.sets(st.integers(0, domain.n_classes - 1), min_size=1)))


@st.composite
def neighbours(
    draw: DrawFn, queries: Callable[[Domain, Region], Sequence[Any]]
) -> tuple[Domain, Any, list[Record], Record]:
    """A domain, one of the queries on a region, rows D and one record z: the neighbours are D and D with z added."""
    domain = draw(domains(most_features=2, most_codes=3, most_classes=2))
    rows, record = draw(tables(domain, most=4)), draw(records(domain))
    return domain, draw(st.sampled_from(queries(domain, draw(regions(domain))))), rows, record


@st.composite
def rounds(draw: DrawFn) -> tuple[Domain, list[list[Record]], Region, int, Fraction, int]:
    """A domain, rows of parties, a region, how many colluders to tolerate, a cost, and a seed."""
    domain, parts = draw(domains_with_parties())
    tolerate = draw(st.integers(0, len(parts) - 1))
    return domain, parts, draw(regions(domain)), tolerate, draw(epsilons), draw(st.integers(0, 99))


@st.composite
def nested(draw: DrawFn, domain: Domain, region: Region, levels: int = 3) -> list[tuple[Region, Fraction]]:
    """Costs on a region, then on the two sides of a random split of it, and so on: what a tree does."""
    charges = [(region, draw(epsilons)) for _ in range(draw(st.integers(0, 2)))]
    wide = [j for j in range(domain.n_features) if len(region.codes(j)) > 1]
    if levels and wide and draw(st.booleans()):
        j = draw(st.sampled_from(wide))
        codes = sorted(region.codes(j))
        cut = draw(st.integers(1, len(codes) - 1))
        for side in (codes[:cut], codes[cut:]):
            charges += draw(nested(domain, region.restrict(j, side), levels - 1))
    return charges


@st.composite
def trees_of_charges(draw: DrawFn) -> tuple[Domain, list[tuple[Region, Fraction]]]:
    """A domain and nested costs, in any order of booking."""
    domain = draw(domains(most_features=2, most_codes=4, most_classes=2))
    charges = draw(nested(domain, domain.everything).filter(bool))
    return domain, draw(st.permutations(charges))


@st.composite
def heaps_of_charges(draw: DrawFn) -> tuple[Domain, list[tuple[Region, Fraction]]]:
    """A domain and costs on regions that overlap as they like."""
    domain = draw(domains(most_features=2, most_codes=3, most_classes=2))
    return domain, [(draw(regions(domain)), draw(epsilons)) for _ in range(draw(st.integers(1, 5)))]


@st.composite
def forgeries(draw: DrawFn) -> tuple[Domain, list[tuple[Region, Fraction]], list[tuple[int, int, int]]]:
    """Nested costs, and changes to what is derived from them: a kind, and the numbers of two steps."""
    domain, charges = draw(trees_of_charges().filter(lambda case: len(case[1]) > 2))
    return domain, charges, draw(st.lists(st.tuples(*[st.integers(0, 20)] * 3), min_size=1, max_size=3))


@st.composite
def sums(draw: DrawFn) -> tuple[list[list[int]], int]:
    """Four parties' integers, three each, and a modulus."""
    rows = st.lists(st.lists(st.integers(-40, 40), min_size=3, max_size=3), min_size=4, max_size=4)
    return draw(rows), draw(st.sampled_from([2**64, 2**62, 10**6, 97, 64]))


def raw(rows: Sequence[Iterable[Any]], domain: Domain) -> tuple[NDArray[Any], NDArray[Any]]:
    """Rows of records as (X, y) arrays of objects."""
    table = [list(row) for row in rows]
    X = np.array([row[:-1] for row in table], dtype=object).reshape(len(table), domain.n_features)
    return X, np.array([row[-1] for row in table])


@st.composite
def trees_of_views(draw: DrawFn, most: int = 12) -> tuple[list[int], list[tuple[int, ...]], list[Fraction | None]]:
    """A tree, views of one to three classes, and their variances; some inner nodes have no view."""
    spread = st.sampled_from([Fraction(1), Fraction(2), Fraction(7), Fraction(1, 3), Fraction(1, 1000), Fraction(1000)])
    node = st.tuples(st.integers(0, most), st.tuples(*[st.integers(-99, 99)] * 3), spread, st.booleans())
    nodes, classes = draw(st.lists(node, min_size=1, max_size=most)), draw(st.integers(1, 3))
    parents = [-1, *(under % i for i, (under, *_) in enumerate(nodes[1:], 1))]
    variances = [None if i in parents and hidden else v for i, (_, _, v, hidden) in enumerate(nodes)]
    return parents, [views[:classes] for _, views, _, _ in nodes], variances


@st.composite
def trees_of_estimates(draw: DrawFn, most: int = 9) -> tuple[list[int], list[tuple[Fraction, ...]]]:
    """A tree, and estimates of one to three classes that need not add up."""
    parents, views, _ = draw(trees_of_views(most))
    parts = st.fractions(-9, 9, max_denominator=6)
    return parents, [tuple(draw(parts) for _ in row) for row in views]


@st.composite
def growths(draw: DrawFn) -> tuple[tuple[Domain, list[list[Record]]], Fraction, int, int, int, str]:
    """Parties with rows, a budget, a depth, colluders to tolerate, a seed, and the name of a design."""
    design = draw(st.sampled_from(["default", "averaged", "algorithm-5-clipped"]))
    return (
        draw(domains_with_parties()),
        draw(budgets),
        draw(st.integers(0, 4)),
        draw(st.integers(0, 2)),
        draw(st.integers(0, 99)),
        design,
    )
