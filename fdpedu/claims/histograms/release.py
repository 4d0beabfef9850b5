# Longer than 400 lines because thirteen checks of one theorem, each with a bug that it sees, are read together.

"""A federated private histogram: the ε-DP inequality of every query, and what a release adds to the counts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement, product
from types import ModuleType
from typing import Any

import numpy as np

from fdpedu.accounting import Ledger
from fdpedu.claims.checking import require
from fdpedu.claims.dependence import ALPHA
from fdpedu.claims.federations import AGE, Case, federate
from fdpedu.claims.histograms.release_noise import (
    divisions,
    large_federations,
    long_release,
    many_parties,
    noise_of_a_party,
    own_keys,
    own_words,
    promised_variance,
    small_federations,
    small_rounds,
    wide_tables,
)
from fdpedu.claims.mutation import Broken
from fdpedu.claims.noisy_counts import worst_ratio
from fdpedu.claims.records import Check, Claim
from fdpedu.dlpa import polya_share
from fdpedu.domain import Domain, Numeric, Region, Rows
from fdpedu.exact import Rate
from fdpedu.federation import ClassCounts, ClassHistogram, Federation, NodeHistograms, Party, Query
from fdpedu.federation.records import Records
from fdpedu.randomness import Rehearsal, ZeroWords

RECORDS = list(product((10, 60), AGE.classes))
ROOT = Fraction(1, 3)  # stands for e^{−ε/q}, where the noise has rate (p/q)·ε: then all ratios are fractions


def unit_queries(domain: Domain, region: Region) -> list[Query]:
    """Every type of query on a region, at the cost 1."""
    one = Fraction(1)
    histograms = [ClassHistogram(region, one, j) for j in range(domain.n_features)]
    return [*histograms, NodeHistograms(region, one), ClassCounts(region, one)]


def _counts(query: Query, rows: Rows, domain: Domain) -> list[int]:
    codes, labels = domain.encode([r[:-1] for r in rows]), domain.encode_labels([r[-1] for r in rows])
    records = Records(codes, labels, domain)
    (inside,) = records.within([query.region])
    return query.tally(records, inside, domain).tolist()


def _worst(query: Query, rows: Rows, others: Rows, domain: Domain) -> tuple[Fraction, Fraction]:
    """The worst ratio of the released law between two data sets, and e^ε for the ε that the query is charged."""
    charged = query.charge(domain, 1, "none").epsilon
    speed = query.rate.rate / charged if query.rate.rate else Fraction(1)  # the noise's decay in units of the charge
    counts = _counts(query, rows, domain), _counts(query, others, domain)
    require(len(counts[0]) == len(counts[1]) == query.size(domain), "the number of cells depends on the data")
    return worst_ratio(*counts, ROOT**speed.numerator), ROOT**-speed.denominator


def inequality(domain: Domain, query: Query, rows: Rows, record: Sequence[Any]) -> None:
    """Adding a record: the worst ratio of the released law is e^ε if the record lies in the region, and 1 if not."""
    worst, bound = _worst(query, rows, [*rows, record], domain)
    require(worst <= bound, f"the worst ratio is {worst}, more than e^ε = {bound}")
    code, label = domain.encode([record[:-1]]), domain.encode_labels([record[-1]])
    held = query.region.holds(code, label, domain.everything)[0]
    require(worst == (bound if held else 1), f"the worst ratio is {worst}, although the record is counted: {held}")


def claimed_relation(relation: str, rows: Rows, record: Sequence[Any], instead: Sequence[Any]) -> None:
    """A ledger that agrees to a neighbour relation holds what it then claims: e^ε for every pair of neighbours."""
    try:
        Ledger(1, relation=relation)
    except ValueError:
        return  # it does not claim anything
    others = [*rows, instead] if relation == "substitution" else rows
    worst, bound = _worst(ClassCounts(AGE.everything, Fraction(1)), [*rows, record], others, AGE)
    require(worst <= bound, f"{relation}: the worst ratio is {worst}, more than e^ε = {bound}")


def release_law(
    domain: Domain, parts: Sequence[Rows], region: Region, tolerate: int, cost: Fraction, seed: int
) -> None:
    """What a round releases is the pooled counts, cell by cell, plus one share of the stated rate a party.

    The same words are played to the federation and to ``polya_share``.
    """
    p = domain.n_features
    queries: list[Query] = [ClassHistogram(region, cost, j) for j in range(p)]
    queries += [NodeHistograms(region, p * cost), ClassCounts(region, cost)]
    released = federate(parts, domain, 100, Rehearsal(seed), tolerate=tolerate).release(queries)
    source, size = Rehearsal(seed), sum(query.size(domain) for query in queries)
    noise = sum(polya_share(Rate(rate=cost), len(parts) - tolerate, size, source) for _ in parts)
    counts = [n for j in range(p) for n in _by_hand(domain, parts, region, j)]
    expected = np.array([*counts, *counts, *_by_hand(domain, parts, region, None)]) + noise
    got = [n for answer in released for n in answer.ravel().tolist()]
    require(got == expected.tolist(), f"released are {got}, counts and noise are {expected.tolist()}")


def _by_hand(domain: Domain, parts: Sequence[Rows], region: Region, feature: int | None) -> list[int]:
    """Class × bin counts (class counts for None) by going through the records; bins by their edges."""
    table: dict[tuple[int, int], int] = {}
    for record in (record for rows in parts for record in rows):
        codes = [_code(domain.features[j], value) for j, value in enumerate(record[:-1])]
        label = domain.classes.index(record[-1])
        if all(code in region.codes(j) for j, code in enumerate(codes)) and label in region.class_codes:
            key = (0 if feature is None else codes[feature], label)
            table[key] = table.get(key, 0) + 1
    n_codes = 1 if feature is None else domain.features[feature].n_codes
    return [table.get(key, 0) for key in product(range(n_codes), range(domain.n_classes))]


def _code(feature: Any, value: Any) -> int:
    if value is None:
        return int(feature.n_codes) - 1
    if not isinstance(feature, Numeric):
        return int(feature.categories.index(value))
    return sum(value > edge for edge in feature.edges[1:-1])


def row_sets(records: Rows, most: int) -> list[Rows]:
    """All data of at most ``most`` of these records, smallest first."""
    return [rows for n in range(most + 1) for rows in combinations_with_replacement(records, n)]


def histograms(most: int) -> Iterator[tuple[Domain, Query, Rows, Sequence[Any]]]:
    """One feature of two bins: all data of at most ``most`` records, all records to add, all regions."""
    ages = [AGE.everything.restrict(0, codes) for codes in ([0], [1], [0, 1])]
    regions = [age.restrict_class(classes) for age in ages for classes in ([0], [1], [0, 1])]
    for rows, record, region in product(row_sets(RECORDS, most), RECORDS, regions):
        for query in (ClassHistogram(region, Fraction(1), 0), ClassCounts(region, Fraction(1))):
            yield AGE, query, rows, record


def columns_by_name(case: Case, order: int) -> None:
    """Parties of tables with names, whose columns stand in another order, release what parties of rows do."""
    domain, parts = case
    names = [*(feature.name for feature in domain.features), "class", "id"]
    turned = names[order % len(names) :] + names[: order % len(names)]
    tables = [{name: [[*row, i][names.index(name)] for i, row in enumerate(rows)] for name in turned} for rows in parts]
    parties = [Party(table, domain, label="class") for table in tables]
    queries: list[Query] = [NodeHistograms(domain.everything, Fraction(1))]
    by_name = Federation(parties, domain, Ledger(1), rng=ZeroWords()).release(queries)[0].tolist()
    by_position = federate(parts, domain, 1, ZeroWords()).release(queries)[0].tolist()
    require(by_name == by_position, f"by name {by_name} are released, and by position {by_position}")


def neighbours(draw: ModuleType) -> Any:
    """Up to three features of four codes and four classes: a query, up to six rows, and a record to add."""

    def of(domain: Domain) -> Any:
        parts = draw.tuples(
            draw.regions(domain),
            draw.tables(domain, 0, 6),
            draw.records(domain),
            draw.integers(0, domain.n_features + 1),
        )
        return parts.map(lambda part: (domain, unit_queries(domain, part[0])[part[3]], part[1], part[2]))

    return draw.domains(3, 4, 4).flatmap(of)


ADD_REMOVE = "neighbours: one record added or removed; a substitution costs twice"
OBSERVER = "an outsider, the aggregator included, and up to `tolerate` colluding parties; all honest but curious"

CLAIMS = (
    Claim(
        "thm-histogram",
        status="proved+checked",
        code=(
            "fdpedu.histograms",
            "fdpedu.histograms.release.private_histogram",
            "fdpedu.federation",
            "fdpedu.federation.queries.counts.ClassHistogram",
            "fdpedu.federation.queries.counts.ClassCounts",
        ),
        checks=(
            Check(
                "inequality",
                "exhaustive",
                "one feature of two bins, two classes: all data of at most {size} records, all regions, all neighbours",
                inequality,
                histograms,
                2,
                3,
            ),
            Check(
                "random inequality",
                "property",
                "{size} random domains, regions, queries and neighbours: worst ratio of the exact distributions",
                inequality,
                lambda draw: draw.neighbours(unit_queries),
                100,
                3000,
            ),
            Check(
                "many classes",
                "property",
                "{size} random domains of up to three features, categorical or not, four codes and four classes, all "
                "types of query: worst ratio of the exact distributions",
                inequality,
                neighbours,
                60,
                2000,
            ),
            Check(
                "relations",
                "exhaustive",
                "data of at most {size} records: what a ledger agrees to claim holds for all neighbours of that "
                "relation",
                claimed_relation,
                lambda most: product(("add-remove", "substitution"), row_sets(RECORDS, most), RECORDS, RECORDS),
                1,
                3,
            ),
            Check(
                "release",
                "property",
                "{size} random rounds: released are the pooled counts plus one share of the stated rate a party",
                release_law,
                lambda draw: draw.rounds(),
                60,
                1000,
            ),
            Check(
                "columns by name",
                "property",
                "{size} random federations of tables with names, in any order of columns: released as from rows",
                columns_by_name,
                lambda draw: draw.tuples(draw.domains_with_parties(), draw.integers(0, 4)),
                40,
                1000,
            ),
            Check(
                "joint law of a party's noise",
                "exact",
                "one round of up to {size} queries, and two rounds; of one rate, two, one between two: a fair bit for "
                "each number, over all tapes",
                noise_of_a_party,
                small_rounds,
                3,
                4,
                more=[(((Fraction(1, 2),), (Fraction(2),), (Fraction(1, 2),)), 4, 12)],
            ),
            Check(
                "own words",
                "exact",
                "{size} tapes of 64-bit words, altered half by half: each cell of each round is made of two words of "
                "each party, of its own",
                own_words,
                small_federations,
                1,
                5,
                more=[(4, 1, 77)],
            ),
            Check(
                "many parties",
                "exact",
                "2 to {size} parties, none to all but one tolerated, up to three rounds: each number is drawn for its "
                "query's rate and m, and for one cell",
                many_parties,
                large_federations,
                24,
                150,
            ),
            Check(
                "own keys",
                "exact",
                "two federations of 2 to {size} parties: every pair has a key of its own",
                own_keys,
                lambda most: ((n,) for n in range(2, most + 1)),
                5,
                12,
            ),
            Check(
                "long releases",
                "statistical",
                "over 10,000 cells; up to {size} rounds and federations from one source: signs and bits are unrelated",
                long_release,
                lambda most: product((2, 3), (1, most), (1, most)),
                2,
                3,
                alpha=ALPHA,
            ),
            Check(
                "promised variance",
                "statistical",
                "2, 3 and {size} parties, none and one tolerated: each query of a round has the variance of its rate",
                promised_variance,
                divisions,
                7,
                40,
                alpha=ALPHA,
            ),
            Check(
                "wide tables",
                "exact",
                "{size} records in 65,280, 66,048 and 196,608 cells: counted as they are",
                wide_tables,
                lambda rows: product((85, 86, 256), [rows]),
                5000,
                100_000,
                more=[(2, 4097), (85, 4097), (86, 4097)],
            ),
        ),
        assumptions=(ADD_REMOVE, "integers", OBSERVER, "ranges, bins, categories and classes are public"),
        uses=("thm-tolerate", "thm-private-sum"),
    ),
)

TWINS = (
    Broken(
        "half the scale",
        "fdpedu.federation.queries.Query.rate",
        "self.epsilon / (self.n_releases * self.sensitivity)",
        "2 * self.epsilon / (self.n_releases * self.sensitivity)",
        "A factor of 2 in the scale of the noise is harmless.",
        "thm-histogram",
        "inequality",
    ),
    Broken(
        "substitution at the price of add/remove",
        "fdpedu.accounting.ledger.Ledger.__init__",
        'if relation != "add-remove":',
        'if relation not in ("add-remove", "substitution"):',
        "Changing a record is one change, so it costs one ε.",
        "thm-histogram",
        "relations",
    ),
    Broken(
        "minlength missing",
        "fdpedu.federation.queries.ClassCounts.tally",
        "occurrences(records.labels[rows], domain.n_classes)",
        "occurrences(records.labels[rows], 0)",
        "Cells that nobody is in need not be counted.",
        "thm-histogram",
        "inequality",
    ),
    Broken(
        "ranges from the data",
        "fdpedu.domain.features.Numeric._codes",
        "np.asarray(self.edges[1:-1])",
        "np.linspace(*((min(values), max(values)) if len(values) else (0, 1)), self.n_bins + 1)[1:-1]",
        "Minimum and maximum are only two numbers.",
        "thm-histogram",
        "inequality",
    ),
    Broken(
        "columns by position",
        "fdpedu.domain.tables.Named.select",
        '{name!r}") for name in names]',
        '{name!r}") for name in self.names[: len(names)]]',
        "Whoever makes the table puts its columns into the order of the domain.",
        "thm-histogram",
        "columns by name",
    ),
    Broken(
        "one noise for queries of one rate",
        "fdpedu.federation.queries.noise_of",
        "polya_share(alike[0].rate, n_noise_shares, sum(query.size(domain) for query in alike), source)",
        "np.tile(polya_share(alike[0].rate, n_noise_shares, alike[0].size(domain), source), len(alike))",
        "Queries of one rate are drawn together.",
        "thm-histogram",
        "joint law of a party's noise",
    ),
    Broken(
        "parties that share a source",
        "fdpedu.federation.federation.Federation.__init__",
        "source.spawn(len(members))",
        "source.spawn(1) * len(members)",
        "Where the words come from does not matter, as long as none is used twice.",
        "thm-histogram",
        "own words",
    ),
    Broken(
        "narrow cells",
        "fdpedu.federation.records._cells",
        "<= 2**16",
        "<= 2**17",
        "Sixteen bits are enough for the cells of any table that one can look at.",
        "thm-histogram",
        "wide tables",
    ),
    Broken(
        "empty bins are left out",
        "fdpedu.federation.queries.counts.ClassHistogram.tally",
        "occurrences(cells, self.size(domain))",
        "occurrences(cells, 0)",
        "Cells that nobody is in need not be counted.",
        "thm-histogram",
        "random inequality",
    ),
    Broken(
        "the histograms of all rows",
        "fdpedu.federation.queries.counts.NodeHistograms.tally",
        "self.region, rows, records.histograms",
        "self.region, np.arange(len(records.labels)), records.histograms",
        "The node's rows are found by the parties, and the rest does no harm.",
        "thm-histogram",
        "many classes",
    ),
    Broken(
        "a party's counts from 0 on",
        "fdpedu.federation.queries.noise.PolyaShares.noisy",
        "exact + noise_of(queries, domain, n_noise_shares, source)",
        "np.maximum(exact + noise_of(queries, domain, n_noise_shares, source), 0)",
        "To clip is post-processing.",
        "thm-histogram",
        "release",
    ),
    Broken(
        "one tolerated more in a large federation",
        "fdpedu.federation.queries.noise.noise_of",
        "n_noise_shares, sum(",
        "n_noise_shares + (n_noise_shares > 8), sum(",
        "Among many parties one share more or less does not matter.",
        "thm-histogram",
        "many parties",
    ),
    Broken(
        "noise used again after a while",
        "fdpedu.federation.queries.noise.noise_of",
        "polya_share(alike[0].rate, n_noise_shares, sum(query.size(domain) for query in alike), source)",
        "np.resize(polya_share(alike[0].rate, n_noise_shares, min(3000, sum(q.size(domain) for q in alike)), source), "
        "sum(query.size(domain) for query in alike))",
        "Cells that are far enough apart may have the same noise.",
        "thm-histogram",
        "long releases",
    ),
    Broken(
        "the first query's rate for all",
        "fdpedu.federation.queries.noise._drawn_alike",
        "[list(alike) for _, alike in groupby(queries, key=lambda query: query.drawn_by)]",
        "[list(queries)]",
        "All queries of a round are drawn together.",
        "thm-histogram",
        "promised variance",
    ),
    Broken(
        "a key of one's own",
        "fdpedu.secure_sum.masks.KeyPair.shared_key",
        ".derive(secret)",
        ".derive(self.public)",
        "Both know both public keys, so a key of these will do.",
        "thm-histogram",
        "own keys",
    ),
)
