"""Checks of chapter 7: the ε-DP inequality of every query, what a release adds to the counts, what a round charges."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import reduce
from itertools import combinations_with_replacement, product
from operator import mul
from typing import Any

import numpy as np

from fdpedu.accounting import BudgetExceeded, Ledger
from fdpedu.claims.checking import Refuted, require
from fdpedu.claims.federations import AGE, Case, Rows, federate
from fdpedu.claims.noisy_counts import worst_ratio
from fdpedu.dlpa import insider_epsilon, polya_share
from fdpedu.dlpa.guarantee import insider_cost
from fdpedu.domain import Domain, Numeric, Region
from fdpedu.exact import Rate, Rational
from fdpedu.federation import ClassCounts, ClassHistogram, Federation, InProcess, NodeHistograms, Party, Query
from fdpedu.federation.records import Records
from fdpedu.randomness import Rehearsal, ReplayedWords, TapeExhausted, ZeroWords

RECORDS = list(product((10, 60), AGE.classes))
TWO = Domain([Numeric.grid(name, 0, 100, bins=2) for name in ("age", "dose")], ("well", "ill"))
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
    if not isinstance(feature, Numeric):
        return int(feature.categories.index(value))
    return sum(value > edge for edge in feature.edges[1:-1])


def refused_round(costs: Sequence[Rational], budget: Rational) -> None:
    """A round beyond the budget draws nothing, sends nothing, and leaves the ledger as it was."""
    transport = InProcess()
    federation = federate([[[10, "ill"]], []], AGE, budget, ReplayedWords([]), transport=transport)
    sent = list(transport.manifest)
    try:
        federation.release([ClassCounts(AGE.everything, Fraction(cost)) for cost in costs])
    except BudgetExceeded:
        pass
    else:
        raise Refuted("the round was not refused")
    require(federation.ledger.spent == 0, f"the refused round was charged {federation.ledger.spent}")
    require(federation.rounds == 0 and transport.manifest == sent, "the refused round left traces")


def charged_first(cost: Rational) -> None:
    """A round whose noise fails midway stays charged; after refused rounds the next one works, masks cancelling."""
    _failing_round(cost)
    _next_round(cost)


def _failing_round(cost: Rational) -> None:
    """What may have been seen has been paid for."""
    federation = federate([[[10, "ill"]], []], AGE, 1, ReplayedWords([]))
    try:
        federation.release([ClassCounts(AGE.everything, Fraction(cost))])
    except TapeExhausted:
        require(federation.ledger.spent == Fraction(cost), f"charged is {federation.ledger.spent}")
        return
    raise Refuted("noise came from nowhere")


def _next_round(cost: Rational) -> None:
    federation = federate([[[10, "ill"]], [[60, "well"]]], AGE, 1, ZeroWords())
    for _ in range(2):
        try:
            federation.release([ClassCounts(AGE.everything, Fraction(2))])
        except BudgetExceeded:
            continue
    released = federation.release([ClassCounts(AGE.everything, Fraction(cost))])[0].tolist()
    require(released == [1, 1], f"released is {released}")


def entered(p: int, levels: int, cost: Fraction, parties: int) -> None:
    """Nodes of p features are entered as p releases each; against an insider they cost p·e(ε/p) each, not e(ε).

    With a small δ they compose as that many releases of ε/p, too.
    """
    domain = Domain([Numeric.grid(f"x{j}", 0, 2, bins=2) for j in range(p)], ("well", "ill"))
    federation = federate([[]] * parties, domain, levels * cost, ZeroWords(), tolerate=0)
    for _ in range(levels):
        federation.release([NodeHistograms(domain.everything, cost)])
    derivation = federation.ledger.derivation()
    require(federation.ledger.spent == levels * cost, f"the ledger says {federation.ledger.spent}")
    count = derivation.total(lambda step: step["releases"])
    require(count == levels * p, f"{count} releases are entered, {levels * p} were made")
    insider, one = insider_cost(derivation, parties, 0), insider_epsilon(cost / p, parties, 1)
    require(
        insider.lower <= levels * p * one.upper and insider.upper >= levels * p * one.lower,
        f"an insider's ε is given as {insider}, it is {levels * p} × {one}",
    )


def joint_loss(p: int, alpha: Fraction, n_noise_shares: int, most: int) -> None:
    """Less one of the parties' shares, p cells that all move by 1 have p times the loss of one cell, and no less.

    The exact law of the difference of two NB(τ, α) numbers, τ = (K−1)/K, on the window from −most to most.
    """
    law = _difference(Fraction(n_noise_shares - 1, n_noise_shares), alpha, most)
    ratios = [law[k] / law[k - 1] for k in range(-most + 1, most + 1)]
    require(max(ratios) == law[0] / law[-1] or max(ratios) == law[0] / law[1], "the worst outcome is not the centre")
    worst = max(reduce(mul, choice) for choice in product(ratios, repeat=p))
    require(worst == max(ratios) ** p, f"the worst ratio of {p} cells is {worst}")


def _difference(tau: Fraction, alpha: Fraction, most: int) -> dict[int, Fraction]:
    """Up to one factor, and cut after 40 terms: Σ_i w_i·w_{i+|k|} with w_i = (τ)_i/i!·α^i."""
    w = [Fraction(1)]
    for i in range(40 + most):
        w.append(w[-1] * alpha * (tau + i) / (i + 1))
    return {k: sum((w[i] * w[i + abs(k)] for i in range(40)), Fraction(0)) for k in range(-most, most + 1)}


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


def nodes(most: int) -> Iterator[tuple[Domain, Query, Rows, Sequence[Any]]]:
    """Two features of two bins: all data of at most ``most`` records, all records to add, whole and half regions."""
    records = list(product((10, 60), (10, 60), TWO.classes))
    regions = [TWO.everything, *(TWO.everything.restrict(j, [code]) for j in (0, 1) for code in (0, 1))]
    for rows, record, region in product(row_sets(records, most), records, regions):
        yield TWO, NodeHistograms(region, Fraction(1)), rows, record


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
