"""Checks of chapter 7: what one record changes in histograms, exactly: of many classes, in another's place, p times."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import prod
from types import ModuleType
from typing import Any

from fdpedu.accounting import BudgetExceeded, check_derivation
from fdpedu.claims.checking import require
from fdpedu.claims.federations import Rows, federate
from fdpedu.claims.histograms.laws import ROOT, row_sets, unit_queries
from fdpedu.claims.noisy_counts import clamped_pmf, worst_ratio
from fdpedu.derivation_checker import DerivationRefused
from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.federation import ClassHistogram, NodeHistograms, Query
from fdpedu.federation.records import Records
from fdpedu.histograms import membership_test
from fdpedu.privacy import as_law, product_law, push_forward, roc
from fdpedu.randomness import Rehearsal, ZeroWords

NINE = Domain([Numeric.grid("age", 0, 90, bins=3)], ("well", "ill", "cured"))
MIXED = Domain([Numeric.grid("age", 0, 60, bins=2), Categorical("ward", ("A", "B", "C"))], (0, 1, 2))


def tallied(query: Query, rows: Rows, domain: Domain) -> list[int]:
    """The exact counts that a query adds noise to."""
    codes, labels = domain.encode([r[:-1] for r in rows]), domain.encode_labels([r[-1] for r in rows])
    records = Records(codes, labels, domain)
    (inside,) = records.within([query.region])
    return query.tally(records, inside, domain).tolist()


def steps(query: Query, domain: Domain) -> int:
    """How many times the rate of the noise of a cell goes into the ε that the query is charged."""
    rate = query.rate.rate
    assert rate is not None
    times = query.charge(domain, 1, "none").epsilon / rate
    require(times.denominator == 1, f"ε is {times} times the rate of the noise")
    return int(times)


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


def raised(p: int, classes: int) -> tuple[list[int], Query, Domain]:
    """The cells that a record of the last class raises in the histograms of p features, by how much, and the query."""
    domain = Domain([Numeric.grid(f"x{j}", 0, 3, bins=3) for j in range(p)], tuple(range(classes)))
    query = NodeHistograms(domain.everything, Fraction(1))
    rows = [[*[j % 3 for j in range(p)], 0], [*[1] * p, classes - 1]]
    without, with_record = (tallied(query, some, domain) for some in (rows, [*rows, [*[3] * p, classes - 1]]))
    return [b - a for a, b in zip(without, with_record, strict=True) if a != b], query, domain


def exact_factor(p: int, classes: int) -> None:
    """One record raises one cell of each of p histograms by 1: the worst ratio is e^{p·rate}, which is charged."""
    steps_up, query, domain = raised(p, classes)
    require(steps_up == [1] * p, f"one record moves the cells by {steps_up}")
    require(worst_ratio(steps_up, [0] * p, ROOT) == ROOT**-p, "the worst ratio is another one")
    require(steps(query, domain) == p, f"charged is {steps(query, domain)} times the rate of each of {p} histograms")


def attack(p: int, classes: int) -> None:
    """No number of votes makes the membership test better than e^ε of what is charged, and p votes attain it."""
    charged = ROOT ** -steps(raised(p, classes)[1], raised(p, classes)[2])
    for votes in range(p + 1):
        test = membership_test(p, votes, alpha=ROOT)
        require(
            test.true_positives <= charged * test.false_positives,
            f"{votes} of {p} votes: true positives {test.true_positives}, false {test.false_positives}, "
            f"more than e^ε = {charged} times as many",
        )
    best = membership_test(p, p, alpha=ROOT).ratio
    require(best == charged, f"all {p} votes: the ratio is {best}, e^ε is {charged}")


def votes_by_enumeration(p: int, alpha: Fraction) -> None:
    """The test's probabilities, over all joint outcomes of p cells; and no test of any kind is better."""
    cells = [as_law(clamped_pmf(alpha, n, 2)) for n in (0, 1)]  # outcomes 0 to 4 are the noisy counts −2 to 2
    without, there = (push_forward(product_law(*[law] * p), lambda o: {sum(i > 2 for i in o): 1}) for law in cells)
    tests = [membership_test(p, votes, alpha=alpha) for votes in range(p + 1)]
    for votes, test in enumerate(tests):
        true, false = (sum(mass for k, mass in law.items() if k >= votes) for law in (there, without))
        require((test.true_positives, test.false_positives) == (true, false), f"{votes} of {p} votes: {true}, {false}")
    corners = roc(*(product_law(*[law] * p) for law in reversed(cells)))
    stated = [(Fraction(0), Fraction(0)), *((t.false_positives, t.true_positives) for t in reversed(tests))]
    require(corners == stated, f"the best tests are {corners}, those of votes {stated}")


def undivided(p: int, alpha: Fraction) -> None:
    """With the budget of one for each of p ≥ 2 histograms, the test of all votes refutes what is claimed, exactly."""
    test = membership_test(p, p, alpha=alpha)
    claimed = 1 / alpha
    excess = test.true_positives - claimed * test.false_positives
    require(test.ratio == claimed**p and (excess > 0) == (p > 1), f"the ratio is {test.ratio}, claimed is {claimed}")
    require(prod([claimed] * p) == worst_ratio([1] * p, [0] * p, alpha), "the released laws have another worst ratio")


def undivided_refused(p: int, cost: Fraction) -> None:
    """The checker accepts p histograms of rate ε/p for ε, and refuses those of rate ε; so does the ledger."""
    domain = raised(p, 2)[2]
    federation = federate([[], []], domain, cost, Rehearsal(3))
    federation.release([NodeHistograms(domain.everything, cost)])
    document = json.loads(federation.ledger.derivation().to_json())
    (release,) = document["proof"]["premises"]
    require(_accepted(document) == cost, "the checker does not accept the derivation of a node")
    release["rate"] = str(cost)
    require(p == 1 or _accepted(document) is None, f"the checker accepts {p} histograms of rate {cost} for {cost}")
    fresh = federate([[], []], domain, cost, ZeroWords())
    queries = [ClassHistogram(domain.everything, cost, j) for j in range(p)]
    try:
        fresh.release(queries)
    except BudgetExceeded:
        require(p > 1 and fresh.ledger.spent == 0, f"the ledger has {fresh.ledger.spent} for a round it refused")
        return
    require(p == 1, f"the ledger accepts {p} histograms of {cost} each for {cost}")


def _accepted(document: Any) -> Fraction | None:
    """What the checker says that a derivation costs; None if it refuses it."""
    try:
        return check_derivation(json.dumps(document)).value
    except DerivationRefused:
        return None
