"""Checks of chapter 9: what a party answers about its lower bounds, how far a record moves it, and what is charged."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement, product
from typing import Any

import numpy as np

from fdpedu.accounting import Ledger, check_derivation
from fdpedu.cart import exact_scaled_half_gini, local_impurity_steps
from fdpedu.claims.bounds.laws import least_left
from fdpedu.claims.checking import Refuted, require
from fdpedu.claims.federations import Rows, federate
from fdpedu.claims.noisy_counts import worst_ratio
from fdpedu.dlpa import insider_epsilon
from fdpedu.dlpa.guarantee import insider_cost
from fdpedu.domain import Categorical, Domain, Numeric, Region
from fdpedu.federation import ClassCounts, InProcess, NodeBounds, Query
from fdpedu.federation.queries import read_queries, write_queries
from fdpedu.federation.records import Records
from fdpedu.randomness import ReplayedWords, ZeroWords

UNIT = Fraction(1)
ROOT = Fraction(1, 3)  # stands for e^{−rate}, so that all ratios are fractions
SMALL = Domain([Numeric.grid("age", 0, 2, bins=2), Categorical("ward", ("A", "B"))], ("well", "ill", "worse"))
ONE = Domain([Numeric.grid("age", 0, 2, bins=2)], ("well", "ill"))
WARDS = Domain([Categorical("ward", tuple("ABCDEFGHIJKLMNO")), Numeric.grid("x", 0, 2, bins=2)], ("a", "b", "c"))


def answered(query: Query, rows: Rows, domain: Domain) -> list[int]:
    """What a party of these rows counts for the query, without noise."""
    codes, labels = domain.encode([r[:-1] for r in rows]), domain.encode_labels([r[-1] for r in rows])
    records = Records(codes, labels, domain)
    (inside,) = records.within([query.region])
    return query.tally(records, inside, domain).tolist()


def by_hand(query: NodeBounds, rows: Rows, domain: Domain) -> list[int]:
    """⌊m·F_j⌋ of each feature by its definition: split by split, row by row."""
    codes, labels = domain.encode([r[:-1] for r in rows]), domain.encode_labels([r[-1] for r in rows])
    inside = query.region.holds(codes, labels, domain.everything)
    held = [list(zip(codes[inside, j].tolist(), labels[inside].tolist(), strict=True)) for j in range(codes.shape[1])]
    return [
        math.floor(query.lattice * least_left(column, families(feature)))
        for feature, column in zip(domain.features, held, strict=True)
    ]


def families(feature: Any) -> list[set[int]]:
    """All sets of codes that may go left: those below a border, or any; none of them among these."""
    codes = range(feature.n_codes)
    if feature.ordered:
        return [set(range(k)) for k in range(len(codes) + 1)]
    return [{c for c in codes if bits >> c & 1} for bits in range(2 ** len(codes))]


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
    cells = [*table, *np.zeros((2, len(table[0])), dtype=int).tolist()]
    found = local_impurity_steps(cells, domain, lattice).tolist()
    total = [sum(column) for column in zip(*table, strict=True)]
    left = [[sum(column[: k + 1]) for column in zip(*table, strict=True)] for k in range(len(table))]
    right = [[n - a for n, a in zip(total, side, strict=True)] for side in left]
    least = min(exact_scaled_half_gini(a) + exact_scaled_half_gini(b) for a, b in zip(left, right, strict=True))
    require(found == [math.floor(lattice * least), 0], f"{found}, and by fractions {math.floor(lattice * least)}")


# --- cases ---


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
