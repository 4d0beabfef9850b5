"""Bin edges from released counts: their distribution, how they are made, and what both stages cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import Any

import numpy as np

from fdpedu.accounting import Charge, Derivation, Ledger
from fdpedu.claims.checking import Refuted, require
from fdpedu.claims.federations import dealt, federate
from fdpedu.claims.histograms.release import ADD_REMOVE, OBSERVER
from fdpedu.claims.mutation import Broken
from fdpedu.claims.noisy_counts import all_tables, clamped_law
from fdpedu.claims.records import Check, Claim
from fdpedu.dlpa import polya_share
from fdpedu.domain import Categorical, Domain, Numeric, Region, Rows
from fdpedu.domain.features import Feature
from fdpedu.exact import Rate
from fdpedu.federation import ClassHistogram, Federation
from fdpedu.histograms import combined_derivation, private_quantile_domain, quantile_edges
from fdpedu.randomness import Rehearsal

Charges = Sequence[tuple[Region, Fraction]]
Edges = tuple[float, ...]
KINDS = ("an edge between", "another range", "another name", "other classes", "gaps in one only")


# --- The law of the edges ---


@lru_cache(maxsize=256)
def edge_law(cells: tuple[int, ...], classes: int, bins: int, alpha: Fraction) -> dict[Edges, Fraction]:
    """The law of the edges, exactly: from every table of noisy counts, clamped to −1, …, 2, or for one class to 5."""
    clamped = [list(clamped_law(alpha, count, -1, 5 if classes == 1 else 2).items()) for count in cells]
    law: dict[Edges, Fraction] = {}
    for outcome in product(*clamped):
        table = np.array([count for count, _ in outcome]).reshape(-1, classes)
        mass = Fraction(1)
        for _, p in outcome:
            mass *= p
        edges = quantile_edges(table, range(len(table) + 1), bins)
        law[edges] = law.get(edges, Fraction(0)) + mass
    return law


def private_edges(cells: tuple[int, ...], classes: int, record: int, bins: int, root: Fraction, p: int) -> None:
    """One record more, in any cell: no edges of p features become more than e^ε as likely, or less.

    All features have the same counts. Noise has the rate of the query that is charged ε; ``root`` is e^{−ε/p}.
    """
    n = len(cells) // classes
    domain = Domain([Numeric.grid(f"x{j}", 0, n, bins=n) for j in range(p)], range(max(2, classes)))
    query = ClassHistogram(domain.everything, Fraction(1, p), 0)  # its noise decays as fast as was paid for: speed 1
    speed = Fraction(query.rate.rate or 0) / query.charge(domain, 1, "none").epsilon
    others = tuple(count + (i == record) for i, count in enumerate(cells))
    laws = [edge_law(counts, classes, bins, root**speed.numerator) for counts in (cells, others)]
    require(all(sum(law.values()) == 1 for law in laws) and set(laws[0]) == set(laws[1]), "not all edges are possible")
    worst, edges = max((max(laws[0][e] / laws[1][e], laws[1][e] / laws[0][e]), e) for e in laws[0])
    require(
        worst**p <= root**-p, f"the edges {edges} of {p} features are {worst**p} times as likely; e^ε is {root**-p}"
    )


def small_grids(most: int) -> Iterator[tuple[Any, ...]]:
    """Three cells of one class, all counts up to ``most``; then of two classes, at most one record; all to add."""
    for cells in all_tables(3, most):
        for record, bins, root, p in product(range(3), (2, 3), (Fraction(1, 2), Fraction(4, 5)), (1, 2)):
            yield cells, 1, record, bins, root, p
    for cells in sorted(all_tables(6, 1), key=sum)[: 1 if most < 3 else 7]:
        yield from ((cells, 2, record, 3, Fraction(1, 2), 1) for record in range(6))


# --- How they are made ---


def by_definition(counts: Sequence[int], edges: Sequence[float], bins: int) -> Edges:
    """The rule, as it is written down, in fractions."""
    sums = [sum(counts[:k]) for k in range(len(counts) + 1)]
    rising = [max(sums[: k + 1]) + min(sums[k:]) for k in range(len(sums))]
    chosen = []
    for share in (Fraction(i, bins) for i in range(1, bins)):
        misses = {k: abs(rising[k] - share * rising[-1]) for k in range(1, len(counts))}
        least = min(misses.values())
        nearest = [k for k, miss in misses.items() if miss == least]
        chosen.append(nearest[(len(nearest) - 1) // 2])
    return tuple(edges[k] for k in sorted({0, *chosen, len(counts)}))


def released_edges(
    domain: Domain, parts: Sequence[Rows], _: Region, tolerate: int, cost: Fraction, seed: int, bins: int
) -> None:
    """Each of q numeric features: from pooled counts and a share of noise of rate ε/q a party; ε is charged for all.

    The same words are played to the federation and to ``polya_share``; the counts are taken record by record.
    """
    federation = federate(parts, domain, 100, Rehearsal(seed), tolerate=tolerate)
    if not any(isinstance(feature, Numeric) for feature in domain.features):
        _refused(federation, cost, bins)
        return
    coarse = private_quantile_domain(federation, cost, bins)
    require(federation.ledger.spent == cost, f"the edges cost {cost}, and {federation.ledger.spent} is charged")
    numeric = [feature for feature in domain.features if isinstance(feature, Numeric)]
    rate, source = Rate(rate=cost / len(numeric)), Rehearsal(seed)
    exact = np.array(_by_hand(domain, parts)).reshape(-1, domain.n_classes)
    noise = np.sum([polya_share(rate, len(parts) - tolerate, exact.size, source) for _ in parts], axis=0)
    counts = (exact + noise.reshape(exact.shape)).sum(axis=1).tolist()
    require(coarse.classes == domain.classes and coarse.n_features == domain.n_features, "another table is described")
    for feature, found in zip(domain.features, coarse.features, strict=True):
        if not isinstance(feature, Numeric) or not isinstance(found, Numeric):
            require(found == feature, f"{feature.name} is not numeric, and has changed")
            continue
        mine, counts = counts[: feature.n_codes], counts[feature.n_codes :]
        expected = by_definition(mine[: len(feature.edges) - 1], feature.edges, bins)
        said = [(one.name, one.unit, one.missing) for one in (found, feature)]
        require(said[0] == said[1], "name, unit or the code of missing values has changed")
        require(found.edges == expected, f"{feature.name} has the edges {found.edges}, expected {expected}")


def _refused(federation: Federation, cost: Fraction, bins: int) -> None:
    """Categories have no edges: nothing is asked, and nothing is charged."""
    try:
        private_quantile_domain(federation, cost, bins)
    except ValueError:
        require(federation.ledger.spent == 0, f"nothing can be answered, and {federation.ledger.spent} is charged")
    else:
        raise Refuted("edges of categories")


def _by_hand(domain: Domain, parts: Sequence[Rows]) -> list[int]:
    """The class × bin counts of the numeric features, by going through the records; x ≤ t goes to the left."""
    counts = []
    records = [record for rows in parts for record in rows]
    for j, feature in enumerate(domain.features):
        if not isinstance(feature, Numeric):
            continue
        found = Counter((_code(feature, record[j]), record[-1]) for record in records)
        counts += [found[key] for key in product(range(feature.n_codes), domain.classes)]
    return counts


def _code(feature: Feature, value: Any) -> int:
    if value is None:
        return feature.n_codes - 1
    if not isinstance(feature, Numeric):
        return feature.categories.index(value)
    return sum(value > edge for edge in feature.edges[1:-1])


def random_edges(draw: Any) -> Any:
    """Random rounds, and how many bins are asked for."""
    return draw.st.tuples(draw.rounds(), draw.st.integers(2, 5)).map(lambda case: (*case[0], case[1]))


def wide_grids(records: int) -> Iterator[tuple[Any, ...]]:
    """Features of 255, 256 and 2 codes beside a categorical one, three classes, 2 and 9 parties, many or few bins."""
    draw = np.random.default_rng(8)
    for codes, parties, bins in ((255, 9, 2), (256, 9, 16), (256, 2, 256)):
        sizes = (codes, 256, 2)
        features = [Numeric.grid(f"x{j}", 0, n, bins=n) for j, n in enumerate(sizes)]
        domain = Domain([*features[:2], Categorical("ward", ("A", "B")), features[2]], ("well", "ill", "dead"))
        values = (draw.random((records, 3)) ** 2 * sizes).tolist()
        rows = [[x, y, "AB"[i % 2], z, domain.classes[i % 3]] for i, (x, y, z) in enumerate(values)]
        yield domain, dealt(rows, parties), domain.everything, parties - 1, Fraction(3), 5, bins


# --- What both stages cost ---


def paid_twice(fine: Domain, coarse: Domain, first: Charges, second: Charges, colluders: tuple[int, int]) -> None:
    """In the one derivation, each record pays what it pays in the two; ε is the sum, the colluders the fewer."""
    pairs = zip((fine, coarse), (first, second), colluders, strict=True)
    parts = [_derivation(*pair) for pair in pairs]
    both = combined_derivation(*parts)
    got, sums = both.guarantee, [part.guarantee.value for part in parts]
    require(got.value == sum(sums), f"ε is {got.value}, of the two it is {sums}")
    require(got.adaptive and got.colluders == min(colluders), f"it claims {got}")
    every = [[*f.edges, f.edges[-1] + 1] if isinstance(f, Numeric) else list(f.categories) for f in fine.features]
    every = [[*values, *[None] * f.missing] for values, f in zip(every, fine.features, strict=True)]
    for values, label in product(product(*every), fine.classes):
        paid = [_paid(part, values, label) for part in (both, *parts)]
        require(
            paid[0] == paid[1] + paid[2], f"a record pays {paid[1]} and {paid[2]}, and in the one account {paid[0]}"
        )


def _derivation(domain: Domain, charges: Charges, colluders: int) -> Derivation:
    ledger = Ledger(sum(cost for _, cost in charges) + 1, domain=domain, colluders=colluders)
    for region, cost in charges:
        ledger.charge([Charge(region, cost, "counts", "discrete Laplace", 1, "thm-histogram", colluders)])
    return ledger.derivation()


def _paid(derivation: Derivation, values: Sequence[Any], label: Any) -> Fraction:
    """What a record pays, by the releases whose region holds it."""
    domain = derivation.domain
    codes, labels = domain.encode([list(values)]), domain.encode_labels([label])
    held = (step for region, step in derivation.releases() if region.holds(codes, labels, domain.everything)[0])
    return sum((Fraction(step["epsilon"]) for step in held), Fraction(0))


def two_accounts(draw: Any) -> Any:
    """A fine domain, one whose inner edges are some of its own, nested costs on both, and two numbers of colluders."""

    def cases(pick: Any) -> tuple[Any, ...]:
        fine = pick(draw.domains(most_features=2, most_codes=5, most_classes=2))
        coarse = Domain([_some_edges(pick, draw, feature) for feature in fine.features], fine.classes)
        first, second = (pick(draw.nested(domain, domain.everything).filter(bool)) for domain in (fine, coarse))
        return fine, coarse, first, second, pick(draw.st.sampled_from([(1, 1), (1, 2), (3, 1)]))

    return draw.st.composite(cases)()


def _some_edges(pick: Any, draw: Any, feature: Feature) -> Feature:
    if not isinstance(feature, Numeric):
        return feature
    low, *inner, high = feature.edges
    kept = pick(draw.st.sets(draw.st.sampled_from(inner), min_size=1))
    return Numeric(feature.name, (low, *sorted(kept), high), missing=feature.missing)


def unlike(kind: str) -> None:
    """A second domain whose bins are not made of the first's is refused."""
    fine = Domain([Numeric.grid("age", 0, 4, bins=4)], ("well", "ill"))
    others = {
        "an edge between": Domain([Numeric("age", (0, 1.5, 4))], fine.classes),
        "another range": Domain([Numeric("age", (1, 2, 4))], fine.classes),
        "another name": Domain([Numeric("dose", (0, 2, 4))], fine.classes),
        "other classes": Domain([Numeric("age", (0, 2, 4))], ("ill", "well")),
        "gaps in one only": Domain([Numeric("age", (0, 2, 4), missing=True)], fine.classes),
    }
    one = Fraction(1)
    parts = [_derivation(domain, [(domain.everything, one)], 1) for domain in (fine, others[kind])]
    try:
        combined_derivation(*parts)
    except ValueError:
        return
    require(False, f"{kind} is accepted")


CLAIMS = (
    Claim(
        "thm-quantile-edges",
        status="proved+checked",
        code=(
            "fdpedu.histograms.edges",
            "fdpedu.histograms.edges.private_quantile_domain",
            "fdpedu.histograms.edges.quantile_edges",
            "fdpedu.histograms.edges.quantile_places",
            "fdpedu.histograms.together",
            "fdpedu.histograms.together.combined_derivation",
        ),
        checks=(
            Check(
                "law of edges",
                "exhaustive",
                "three fine bins of one and two features, counts up to {size}, all neighbours: the exact "
                "distribution of the edges, all noisy counts clamped and tried",
                private_edges,
                small_grids,
                1,
                3,
                more=[((0, 2, 0, 1), 1, record, 3, Fraction(2, 3), 3) for record in range(4)],
            ),
            Check(
                "made of what is released",
                "property",
                "{size} random rounds: the edges are those of the pooled counts and one share of rate ε/p a party; "
                "ε is charged",
                released_edges,
                random_edges,
                30,
                1000,
            ),
            Check(
                "wide grids",
                "exact",
                "{size} records on grids of 2, 255 and 256 codes, three classes, 2 and 9 parties: as by hand",
                released_edges,
                wide_grids,
                100,
                5000,
            ),
            Check(
                "both stages",
                "property",
                "{size} random grids, unions of their bins, costs on both: what each record pays in the one account",
                paid_twice,
                two_accounts,
                100,
                1000,
            ),
            Check(
                "other domains",
                "exhaustive",
                "a second domain whose bins are not made of the first's is refused",
                unlike,
                lambda _: ((kind,) for kind in KINDS),
            ),
        ),
        assumptions=(ADD_REMOVE, "integers", OBSERVER, "the fine grid, both budgets and the number of bins are public"),
        uses=("thm-histogram", "thm-sequential", "lem-filter"),
    ),
)

_RELEASED = "quantile_domain(released, domain, most)"
_RAW = (
    "sum(np.bincount(answer.__self__._records.cells.ravel(), minlength=released.size) "
    "for answer in federation._endpoints).reshape(released.shape)"
)

TWINS = (
    Broken(
        "edges from the data",
        "fdpedu.histograms.edges.private_quantile_domain",
        _RELEASED,
        f"quantile_domain({_RAW}, domain, most)",
        "Noise belongs to counts; where the edges are is no count.",
        "thm-quantile-edges",
        "made of what is released",
    ),
    Broken(
        "no noise where nobody is",
        "fdpedu.histograms.edges.private_quantile_domain",
        _RELEASED,
        f"quantile_domain(released * ({_RAW} > 0), domain, most)",
        "An empty cell has nobody to protect, and its noise only hides that it is empty.",
        "thm-quantile-edges",
        "made of what is released",
    ),
    Broken(
        "edges undivided over features",
        "fdpedu.histograms.edges.private_quantile_domain",
        "cost / len(numeric)",
        "cost",
        "Each feature has edges of its own, so each may use all of ε.",
        "thm-quantile-edges",
        "made of what is released",
    ),
    Broken(
        "edges for free",
        "fdpedu.histograms.together.combined_derivation",
        "combine([before, _rewritten(_proof(second), codes, rounds)]",
        "combine([_rewritten(_proof(second), codes, rounds)]",
        "Edges are part of the domain, and a domain is public, so only the tree is charged.",
        "thm-quantile-edges",
        "both stages",
    ),
    Broken(
        "the dearer stage only",
        "fdpedu.histograms.together._limit",
        "first.value + second.value",
        "max(first.value, second.value)",
        "Two ledgers that each keep to ε keep to ε together.",
        "thm-quantile-edges",
        "both stages",
    ),
    Broken(
        "a code is a code",
        "fdpedu.histograms.together._rewritten",
        "chain.from_iterable(codes[name][c] for c in mask)",
        "mask",
        "Both domains have the same features, so a region of one is a region of the other.",
        "thm-quantile-edges",
        "both stages",
    ),
    Broken(
        "half the noise for edges",
        "fdpedu.federation.queries.Query.rate",
        "self.epsilon / (self.n_releases * self.sensitivity)",
        "2 * self.epsilon / (self.n_releases * self.sensitivity)",
        "Edges are few numbers made of many, so half of the noise hides them.",
        "thm-quantile-edges",
        "law of edges",
    ),
    Broken(
        "an edge nearly there",
        "fdpedu.histograms.together._coarse_codes",
        "not ends or not set(coarse.edges) <= set(fine.edges)",
        "not ends",
        "An edge between two fine ones is nearly one of them.",
        "thm-quantile-edges",
        "other domains",
    ),
)
