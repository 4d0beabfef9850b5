# Longer than 400 lines because its one theorem is checked in thirteen ways, and has a broken variant for each.

"""The query for lower bounds: what a party answers, how far a record moves it, and what is charged."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement, product
from typing import Any

import numpy as np

from fdpedu.accounting import Ledger, check_derivation
from fdpedu.cart import exact_scaled_half_gini, local_impurity_steps
from fdpedu.claims.bounds.local import CONVENTION
from fdpedu.claims.bounds.query_noise import (
    SMALL,
    by_hand,
    mixed_rounds,
    noise_of_a_party,
    own_words,
    random_rounds,
    release_law,
)
from fdpedu.claims.checking import Refuted, require
from fdpedu.claims.dlpa.insiders import joint_moves
from fdpedu.claims.federations import federate
from fdpedu.claims.mutation import Broken
from fdpedu.claims.noisy_counts import worst_ratio
from fdpedu.claims.records import Check, Claim
from fdpedu.claims.trees.federated import ONE_PARTY
from fdpedu.dlpa import insider_epsilon
from fdpedu.dlpa.guarantee import insider_cost
from fdpedu.domain import Categorical, Domain, Numeric, Region, Rows
from fdpedu.federation import ClassCounts, InProcess, NodeBounds, Query
from fdpedu.federation.queries import read_queries, write_queries
from fdpedu.federation.records import Records
from fdpedu.randomness import ReplayedWords, ZeroWords

UNIT = Fraction(1)
ROOT = Fraction(1, 3)  # stands for e^{−rate}, so that all ratios are fractions
ONE = Domain([Numeric.grid("age", 0, 2, bins=2)], ("well", "ill"))
WARDS = Domain([Categorical("ward", tuple("ABCDEFGHIJKLMNO")), Numeric.grid("x", 0, 2, bins=2)], ("a", "b", "c"))


def answered(query: Query, rows: Rows, domain: Domain) -> list[int]:
    """What a party of these rows counts for the query, without noise."""
    codes, labels = domain.encode([r[:-1] for r in rows]), domain.encode_labels([r[-1] for r in rows])
    records = Records(codes, labels, domain)
    (inside,) = records.within([query.region])
    return query.tally(records, inside, domain).tolist()


def definition(domain: Domain, query: NodeBounds, rows: Rows) -> None:
    """A party answers ⌊m·F_j⌋ of its rows in the region, one number a feature."""
    found, expected = answered(query, rows, domain), by_hand(query, rows, domain)
    require(found == expected, f"answered is {found}, by hand {expected}")


def moves(domain: Domain, query: NodeBounds, rows: Rows, record: Sequence[Any]) -> None:
    """A record moves each number by 0 to m, upwards, and none if it is outside; so the exact laws differ by e^ε."""
    before, after = answered(query, rows, domain), answered(query, [*rows, record], domain)
    require(len(before) == len(after) == query.size(domain) == domain.n_features, "there is one number a feature")
    change = [b - a for a, b in zip(before, after, strict=True)]
    code, label = domain.encode([record[:-1]]), domain.encode_labels([record[-1]])
    inside = query.region.holds(code, label, domain.everything)[0]
    most = query.lattice if inside else 0
    require(all(0 <= c <= most for c in change), f"a record that is in the region: {inside}, moves it by {change}")
    charge = query.charge(domain, 1, "none")
    require(query.rate.rate == charge.rate, f"the rate of the noise is {query.rate}, entered is {charge.rate}")
    speed = charge.rate / charge.epsilon  # of the noise's decay, in units of the charge
    worst, bound = worst_ratio(before, after, ROOT**speed.numerator), ROOT**-speed.denominator
    require(worst <= bound, f"the worst ratio is {worst}, more than e^ε = {bound}")


def attained(p: int, classes: int, lattice: int) -> None:
    """4m − 2 records of one class, one of another and one more, alike in all features: every number moves by m."""
    domain = Domain([Numeric.grid(f"x{j}", 0, 3, bins=3) for j in range(p)], tuple(range(classes)))
    rows = [[*[2] * p, 0]] * (4 * lattice - 2) + [[*[2] * p, 1]]
    query = NodeBounds(domain.everything, UNIT, lattice)
    before, after = answered(query, rows, domain), answered(query, [*rows, rows[-1]], domain)
    change = [b - a for a, b in zip(before, after, strict=True)]
    require(change == [lattice] * p, f"the record moves the bounds by {change}")
    moves(domain, query, rows, rows[-1])
    worst = worst_ratio(before, after, ROOT)
    require(worst == ROOT ** (-p * lattice), f"the worst ratio is {worst}, not e^ε")
    stated = (query.n_releases, query.sensitivity, query.rate.rate)
    require(stated == (p, lattice, Fraction(1, p * lattice)), f"stated are releases, sensitivity and rate {stated}")


def below_every_split(domain: Domain, parts: Sequence[Rows], lattice: int) -> None:
    """Without noise the sum is at most m·n·G of every split of all rows, and less than K below m·ΣF_k."""
    query = NodeBounds(domain.everything, UNIT, lattice)
    (released,) = federate(parts, domain, 1, ZeroWords()).release([query])
    everybody = by_hand(query, [row for rows in parts for row in rows], domain)
    expected = np.sum([by_hand(query, rows, domain) for rows in parts], axis=0).tolist()
    require(released.tolist() == expected, f"released is {released.tolist()}, the parties' floors add up to {expected}")
    require(all(released <= everybody), f"released is {released.tolist()}, the best splits leave {everybody}")


def one_form(epsilon: Fraction, lattices: Sequence[int]) -> None:
    """Every query has a form of its own, and is read from it as it was: with its lattice, so with its rate of noise."""
    regions = [SMALL.everything, SMALL.everything.restrict(0, [1])]
    asked = [NodeBounds(region, epsilon, m) for region in regions for m in lattices]
    forms = [write_queries([query], SMALL) for query in asked]
    require(len(set(forms)) == len(asked), "two queries are written in one form")
    for query, form in zip(asked, forms, strict=True):
        try:
            read = read_queries(form, SMALL)
        except ValueError as refused:
            raise Refuted(f"{query} is not read from what is written of it: {refused}") from None
        require(read == (query,) and read[0].rate == query.rate, f"{query} is read as {read}")


def entered(p: int, lattice: int, epsilon: Fraction, parties: int) -> None:
    """It is entered as p releases of sensitivity m; they cost a colluder p·e_m(ε/p), and the checker agrees on ε."""
    domain = Domain([Numeric.grid(f"x{j}", 0, 2, bins=2) for j in range(p)], ("well", "ill"))
    ledger, query = Ledger(epsilon), NodeBounds(domain.everything, epsilon, lattice)
    ledger.bind(domain)
    ledger.charge([query.charge(domain, 0, "operating system")])
    derivation = ledger.derivation()
    proved = check_derivation(derivation.to_json()).value
    require(proved == epsilon == ledger.spent, f"the checker proves {proved}, the ledger says {ledger.spent}")
    ((_, release),) = derivation.releases()
    stated = release["releases"], release["sensitivity"], release["rate"]
    require(stated == (p, lattice, str(epsilon / (p * lattice))), f"releases, sensitivity and rate are {stated}")
    found, one = (
        insider_cost(derivation, parties, 0),
        insider_epsilon(epsilon / p, parties, 1, sensitivity=lattice),
    )
    require(
        found.lower <= p * one.upper and found.upper >= p * one.lower,
        f"an insider's ε is given as {found}, it is {p} × {one}",
    )


def refused(domain: Domain, query: Query) -> None:
    """What no party could answer is refused before anything is charged, drawn or sent."""
    transport = InProcess()
    federation = federate([[], []], domain, 1, ReplayedWords([]), transport=transport)
    sent = list(transport.manifest)
    try:
        federation.release([ClassCounts(domain.everything, Fraction(1, 2)), query])
    except ValueError:
        pass
    else:
        raise Refuted("the round was not refused")
    require(federation.ledger.rounds == 0 == federation.ledger.spent, "the refused round was charged")
    require(transport.manifest == sent and federation.rounds == 0, "the refused round left traces")


def large(table: Sequence[Sequence[int]], lattice: int) -> None:
    """The same numbers as from fractions for every border, whatever the counts; beside a feature without rows."""
    domain = Domain([Numeric.grid("x", 0, 1, bins=len(table)), Numeric.grid("y", 0, 1, bins=2)], range(len(table[0])))
    cells = [*table, *np.zeros((2, len(table[0])), dtype=np.int64).tolist()]
    found = local_impurity_steps(cells, domain, lattice).tolist()
    total = [sum(column) for column in zip(*table, strict=True)]
    left = [[sum(column[: k + 1]) for column in zip(*table, strict=True)] for k in range(len(table))]
    right = [[n - a for n, a in zip(total, side, strict=True)] for side in left]
    least = min(exact_scaled_half_gini(a) + exact_scaled_half_gini(b) for a, b in zip(left, right, strict=True))
    require(found == [math.floor(lattice * least), 0], f"{found}, and by fractions {math.floor(lattice * least)}")


def small(most: int) -> Iterator[tuple[Domain, NodeBounds, Rows, Sequence[Any]]]:
    """All data of at most ``most`` records and every record more: a feature of two bins; and two features, fewer."""
    yield from _neighbours(ONE, most, [1, 2, 5])
    yield from _neighbours(SMALL, most // 4, [2])


def _neighbours(domain: Domain, most: int, lattices: Sequence[int]) -> Iterator[Any]:
    values = [[0.5, 1.5] if isinstance(f, Numeric) else f.categories for f in domain.features]
    records = [list(values) for values in product(*values, domain.classes)]
    half = domain.everything.restrict(0, [1]).restrict_class([0, 1])
    for n, region, m in product(range(most + 1), (domain.everything, half), lattices):
        for rows in combinations_with_replacement(records, n):
            yield from ((domain, NodeBounds(region, UNIT, m), list(rows), record) for record in records)


def random_cases(draw: Any, codes: int = 5, classes: int = 4, most: int = 12) -> Any:
    """A strategy of domains of up to three features, regions, lattices to 1000, rows, and a record more."""
    lattices = draw.st.sampled_from([1, 2, 3, 4, 7, 100, 1000])

    def of(domain: Domain) -> Any:
        parts = draw.tuples(draw.regions(domain), lattices, draw.tables(domain, 0, most), draw.records(domain))
        return parts.map(lambda part: (domain, NodeBounds(part[0], UNIT, part[1]), part[2], part[3]))

    return draw.domains(3, codes, classes).flatmap(of)


def random_neighbours(draw: Any) -> Any:
    """The same with lattices to 4, so that exact laws are short."""
    return random_cases(draw, most=9).filter(lambda case: case[1].lattice < 5)


def random_parties(draw: Any) -> Any:
    """A strategy of domains with two to four parties, and lattices to 50."""
    return draw.tuples(draw.domains_with_parties(), draw.integers(1, 50)).map(lambda case: (*case[0], case[1]))


def unanswerable(_: int) -> Iterator[tuple[Domain, Query]]:
    """Too many categories for three classes, noise that nobody draws, a region of another domain."""
    yield WARDS, NodeBounds(WARDS.everything, UNIT / 4, 4)
    yield SMALL, NodeBounds(SMALL.everything, Fraction(1, 2**38), 4)
    yield SMALL, NodeBounds(Region((3,), 3), UNIT / 4, 4)


def large_tables(most: int) -> Iterator[tuple[list[list[int]], int]]:
    """Tables with splits that nearly tie, of 10² rows to 2^``most``, on both sides of where numbers grow too long."""
    for bits, m in product(range(7, most, 3), (1, 3, 2**16)):
        n = 2 ** min(bits, 58 - m.bit_length())  # so that m times all counts has 62 bits
        for off in (-1, 0, 1):
            yield [[n, n // 3], [n // 5, n // 5 + off], [n // 3, n], [0, 0]], m
            yield [[n + off, 0, 1], [n // 7, n, n], [n, 0, 1 + off * off], [1, n, n]], m
            yield [[n, 0], [0, n + off], [n // 2, 1]], m


ADD_REMOVE = "neighbours: one record added or removed; a substitution costs twice"
OBSERVER = "an outsider, the aggregator included, and up to `tolerate` colluding parties; all honest but curious"
PUBLIC = "ranges, bins, categories, classes and the lattice are public; a region is, too, or comes of earlier releases"

CLAIMS = (
    Claim(
        "thm-node-bounds",
        status="proved+checked",
        code=(
            "fdpedu.cart.local_grid.local_impurity_steps",
            "fdpedu.cart.local_grid.steps_of",
            "fdpedu.federation",
            "fdpedu.federation.queries.bounds.NodeBounds",
        ),
        checks=(
            Check(
                "neighbours",
                "exhaustive",
                "a feature of two bins: all data of at most {size} records, every record added, a region and a part of "
                "it, m = 1, 2, 5; two features, three classes: fewer",
                moves,
                small,
                3,
                8,
            ),
            Check(
                "random neighbours",
                "property",
                "{size} random domains, regions, lattices and neighbours: the moves, and the worst ratio of the "
                "distributions",
                moves,
                random_neighbours,
                40,
                3000,
            ),
            Check(
                "attained",
                "exact",
                "1 to {size} features, 2 and 5 classes, lattices 1, 2, 4 and 9: one record moves each bound by m",
                attained,
                lambda most: product(range(1, most + 1), (2, 5), (1, 2, 4, 9)),
                3,
                8,
            ),
            Check(
                "definition",
                "property",
                "{size} random domains of up to five codes and four classes, regions, lattices to 1000, against the "
                "rows and every split",
                lambda *case: definition(*case[:3]),
                random_cases,
                40,
                3000,
            ),
            Check(
                "large counts",
                "exact",
                "tables of up to 2^{size} rows and near ties, m = 1, 3 and 65,536, against fractions for every border",
                large,
                large_tables,
                50,
                52,
            ),
            Check(
                "below every split",
                "property",
                "{size} random federations: the released sum without noise against the best splits of all rows",
                below_every_split,
                random_parties,
                15,
                1000,
            ),
            Check(
                "release",
                "property",
                "{size} random rounds of three queries: released are the sums of the parties' floors plus one share of "
                "the stated rate a party",
                release_law,
                random_rounds,
                8,
                1000,
            ),
            Check(
                "joint law of a party's noise",
                "exact",
                "rounds of one or two queries, of {size} numbers at most: a fair bit for each negative binomial "
                "number, over all tapes",
                noise_of_a_party,
                mixed_rounds,
                5,
                6,
            ),
            Check(
                "own words",
                "exact",
                "{size} tapes of 64-bit words, altered half by half: each bound of each round is made of two words of "
                "each party, of its own",
                own_words,
                lambda seeds: ((2 + seed % 2, 1 + seed % 3, seed) for seed in range(seeds)),
                1,
                5,
            ),
            Check(
                "against colluders",
                "exact",
                "1 to {size} numbers, two rates, 2, 3 and 5 shares, m = 1, 2 and 5: the worst ratio less one share",
                joint_moves,
                lambda most: product(range(1, most + 1), (Fraction(7, 10), Fraction(1, 10)), (2, 3, 5), (1, 2, 5)),
                2,
                3,
            ),
            Check(
                "entered",
                "exact",
                "up to {size} features, lattices 1, 4 and 1000, 2 and 5 parties: ledger, checker, and an insider's ε",
                entered,
                lambda most: product(range(1, most + 1), (1, 4, 1000), (Fraction(1, 10), Fraction(1)), (2, 5)),
                3,
                12,
            ),
            Check(
                "one form",
                "exact",
                "lattices to {size} and 65,536, two regions, two costs: what is written of a query, and read of it",
                one_form,
                lambda most: [(epsilon, [*range(1, most + 1), 2**16]) for epsilon in (Fraction(1), Fraction(1, 3))],
                8,
                100,
            ),
            Check(
                "refused",
                "exact",
                "too many categories, noise that nobody draws, a region of another domain: before anything is charged",
                refused,
                unanswerable,
            ),
        ),
        assumptions=(CONVENTION, ADD_REMOVE, ONE_PARTY, "integers", OBSERVER, PUBLIC),
        uses=(
            "lem-lattice-bound",
            "lem-bounds-vector",
            "thm-impurity-lower-bound",
            "thm-lattice-first",
            "thm-tolerate",
            "thm-insider-lattice",
            "thm-sequential",
            "thm-parallel",
            "thm-private-sum",
        ),
    ),
)

_PARTS = "{},\n        self.claim,\n        colluders,\n        randomness,\n        {},"

TWINS = (
    Broken(
        "undivided bounds",
        "fdpedu.federation.queries.NodeBounds.n_releases",
        "len(self.region.features)",
        "1",
        "The bounds of a node cost ε, and so does each of them (Algorithm 6 as printed).",
        "thm-node-bounds",
        "attained",
    ),
    Broken(
        "one step for one record",
        "fdpedu.federation.queries.NodeBounds.sensitivity",
        "self.lattice",
        "1",
        "An integer moves by 1 when a record is added, whatever its unit is.",
        "thm-node-bounds",
        "neighbours",
    ),
    Broken(
        "one release of sensitivity p·m",
        "fdpedu.federation.queries.Query.charge",
        _PARTS.format("self.sensitivity", "self.n_releases"),
        _PARTS.format("self.sensitivity * self.n_releases", "1"),
        "A vector of sensitivity p·m is one release of sensitivity p·m.",
        "thm-node-bounds",
        "entered",
    ),
    Broken(
        "one noise for all bounds of a node",
        "fdpedu.federation.queries.noise_of",
        "polya_share(alike[0].rate, n_noise_shares, sum(query.size(domain) for query in alike), source)",
        "np.concatenate([polya_share(query.rate, n_noise_shares, 1, source).repeat(query.size(domain)) if hasattr("
        'query, "lattice") else polya_share(query.rate, n_noise_shares, query.size(domain), source) '
        "for query in alike])",
        "The bounds are compared with each other, so they may share their noise.",
        "thm-node-bounds",
        "joint law of a party's noise",
    ),
    Broken(
        "noise in steps of the lattice",
        "fdpedu.federation.queries.noise_of",
        "polya_share(alike[0].rate, n_noise_shares, sum(query.size(domain) for query in alike), source)",
        "np.concatenate([polya_share(type(query.rate)(rate=query.rate.rate * query.sensitivity), n_noise_shares, "
        "query.size(domain), source) * query.sensitivity for query in alike])",
        "Noise for the bound itself, times m, is noise for the bound times m.",
        "thm-node-bounds",
        "joint law of a party's noise",
    ),
    Broken(
        "rounded to the nearest step",
        "fdpedu.cart.local_grid._in_steps",
        "* lattice // (2 * both)",
        "* lattice + both) // (2 * both",
        "The nearest point of the lattice is the best one.",
        "thm-node-bounds",
        "below every split",
    ),
    Broken(
        "the region of bounds ignored",
        "fdpedu.federation.queries.NodeBounds.tally",
        "tally(records, rows, domain)",
        "tally(records, records.within([domain.everything])[0], domain)",
        "A bound over all rows of a party is a bound over those of a node.",
        "thm-node-bounds",
        "neighbours",
    ),
    Broken(
        "lattice not on the wire",
        "fdpedu.federation.queries.Query.own_values",
        "for name in self.own_fields()",
        'for name in self.own_fields() if name != "lattice"',
        "All parties know the lattice, so it need not be sent.",
        "thm-node-bounds",
        "one form",
    ),
    Broken(
        "positives only, on a grid",
        "fdpedu.cart.local_grid.steps_of",
        "left = np.cumsum(cells.T, axis=1)",
        "left = np.cumsum((cells * np.minimum(1, np.arange(cells.shape[1]))).T, axis=1)",
        "What a node leaves is counted in its positives (this stands in the code that the report's authors published).",
        "thm-node-bounds",
        "definition",
    ),
    Broken(
        "nothing where no split divides the rows",
        "fdpedu.cart.local_grid._least",
        "np.minimum.reduceat(_in_steps(left, right, lattice), as_indices(first))",
        "np.minimum.reduceat(np.where(left.sum(0) * right.sum(0) > 0, _in_steps(left, right, lattice), 2**40), "
        "as_indices(first)) % 2**40",
        "A split has two sides with rows; where there is none, nothing is left over.",
        "thm-node-bounds",
        "definition",
    ),
    Broken(
        "integers of 64 bits for any counts",
        "fdpedu.cart.local_grid._least",
        "lattice * most**3 <= _MAX_PRODUCT",
        "most < 2**53",
        "The counts fit into 64 bits, so what is computed of them does.",
        "thm-node-bounds",
        "large counts",
    ),
    Broken(
        "the nearest float decides",
        "fdpedu.cart.local_grid._least_of_many",
        "return int(_in_steps(near[: len(left)], near[len(left) :], lattice).min())",
        "return int(lattice * (rows[0][0] + rows[1][0] - kept.max()) / 2)",
        "Sixteen digits are more than a bound needs.",
        "thm-node-bounds",
        "large counts",
    ),
    Broken(
        "one rate for all bounds of a round",
        "fdpedu.federation.queries.noise._drawn_alike",
        "[list(alike) for _, alike in groupby(queries, key=lambda query: query.drawn_by)]",
        "[list(queries)]",
        "All queries of a round are drawn together.",
        "thm-node-bounds",
        "release",
    ),
    Broken(
        "bounds of parties that share a source",
        "fdpedu.federation.federation.Federation.__init__",
        "source.spawn(len(members))",
        "source.spawn(1) * len(members)",
        "Where the words come from does not matter, as long as none is used twice.",
        "thm-node-bounds",
        "own words",
    ),
    Broken(
        "a step for all steps of an insider",
        "fdpedu.dlpa.insiders.insider_epsilon",
        "steps = _steps(sensitivity, lattice)",
        "steps = 1",
        "An integer moves by 1 when a record is added, whatever its unit is.",
        "thm-node-bounds",
        "against colluders",
    ),
    Broken(
        "noise that nobody can draw",
        "fdpedu.federation.queries.noise.PolyaShares.require_drawable",
        "require_drawable(query.rate)",
        "None",
        "Whoever cannot draw will say so.",
        "thm-node-bounds",
        "refused",
    ),
    Broken(
        "bounds at the rate of counts",
        "fdpedu.federation.queries.Query.rate",
        "self.epsilon / (self.n_releases * self.sensitivity)",
        "self.epsilon / self.n_releases",
        "The lattice is a unit, and the noise is in the same unit.",
        "thm-node-bounds",
        "random neighbours",
    ),
)
