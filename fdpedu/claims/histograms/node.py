"""The histograms of a node: what one record changes in all of them, and what they cost together."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

from fdpedu.accounting import BudgetExceeded, check_derivation
from fdpedu.claims.checking import require
from fdpedu.claims.dlpa.insiders import joint_moves
from fdpedu.claims.federations import federate
from fdpedu.claims.histograms.release import ADD_REMOVE, OBSERVER, ROOT, inequality, row_sets
from fdpedu.claims.histograms.release_noise import TWO
from fdpedu.claims.mutation import Broken
from fdpedu.claims.noisy_counts import clamped_pmf, worst_ratio
from fdpedu.claims.records import Check, Claim
from fdpedu.derivation_checker import DerivationRefused
from fdpedu.dlpa import insider_epsilon
from fdpedu.dlpa.guarantee import insider_cost
from fdpedu.domain import Domain, Numeric, Rows
from fdpedu.federation import ClassHistogram, NodeHistograms, Query
from fdpedu.federation.records import Records
from fdpedu.histograms import membership_test
from fdpedu.privacy import as_law, product_law, push_forward, roc
from fdpedu.randomness import Rehearsal, ZeroWords


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


def nodes(most: int) -> Iterator[tuple[Domain, Query, Rows, Sequence[Any]]]:
    """Two features of two bins: all data of at most ``most`` records, all records to add, whole and half regions."""
    records = list(product((10, 60), (10, 60), TWO.classes))
    regions = [TWO.everything, *(TWO.everything.restrict(j, [code]) for j in (0, 1) for code in (0, 1))]
    for rows, record, region in product(row_sets(records, most), records, regions):
        yield TWO, NodeHistograms(region, Fraction(1)), rows, record


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


CLAIMS = (
    Claim(
        "thm-node-histograms",
        status="proved+checked",
        code=(
            "fdpedu.federation",
            "fdpedu.federation.queries.counts.NodeHistograms",
            "fdpedu.histograms.membership.membership_test",
        ),
        checks=(
            Check(
                "inequality",
                "exhaustive",
                "two features of two bins, two classes: all data of at most {size} records, the whole and half regions",
                inequality,
                nodes,
                1,
                2,
            ),
            Check(
                "entered",
                "exact",
                "up to {size} features, 1 and 3 nodes, 2 and 5 parties: releases in the derivation, and an insider's ε",
                entered,
                lambda most: product(range(1, most + 1), (1, 3), (Fraction(1, 10), Fraction(1)), (2, 5)),
                4,
                12,
            ),
            Check(
                "exact factor",
                "exact",
                "1 to {size} features of three bins, 2 and 5 classes: one record moves p cells by 1, and pays for p",
                exact_factor,
                lambda most: product(range(1, most + 1), (2, 5)),
                12,
                40,
                more=[*product((1, 3, 20), (2, 4))],
            ),
            Check(
                "attack",
                "exact",
                "1 to {size} features: no number of votes of their cells is more than e^ε times as frequent with a "
                "record as without it, and p votes are",
                attack,
                lambda most: product(range(1, most + 1), (2, 5)),
                10,
                40,
                more=[*product((1, 3, 20), (2, 4))],
            ),
            Check(
                "votes",
                "exact",
                "1 to {size} cells, two α, all outcomes: how often so many vote, and no other test is better",
                votes_by_enumeration,
                lambda most: product(range(1, most + 1), (Fraction(1, 2), Fraction(4, 5))),
                4,
                6,
                more=[*product((1, 3), (Fraction(1, 7), Fraction(3, 4)))],
            ),
            Check(
                "undivided",
                "exact",
                "1 to {size} features, each with the budget of one: all votes together refute it, from two on",
                undivided,
                lambda most: product(range(1, most + 1), (Fraction(1, 2), Fraction(4, 5))),
                10,
                100,
                more=[(p, Fraction(1, 3)) for p in (1, 2, 7)],
            ),
            Check(
                "undivided refused",
                "exact",
                "1 to {size} features, two budgets: by the checker and by the ledger, and divided ones accepted",
                undivided_refused,
                lambda most: product(range(1, most + 1), (Fraction(1), Fraction(1, 10))),
                4,
                20,
                more=[(p, Fraction(1, 3)) for p in (1, 2, 7)],
            ),
            Check(
                "joint loss",
                "exact",
                "1 to 3 cells, two rates, three numbers of shares: the worst ratio of all cells less one party's share",
                joint_moves,
                lambda _: product((1, 2, 3), (Fraction(7, 10), Fraction(1, 10)), (2, 3, 5), (1,)),
            ),
        ),
        assumptions=(ADD_REMOVE, "integers", OBSERVER, "ranges, bins, categories and classes are public"),
        uses=("thm-histogram", "thm-sequential", "thm-insider-polya", "lem-columns"),
    ),
)

TWINS = (
    Broken(
        "undivided feature budget",
        "fdpedu.federation.queries.Query.rate",
        "self.epsilon / (self.n_releases * self.sensitivity)",
        "self.epsilon / self.sensitivity",
        "A node costs ε_node, and so does each of its histograms.",
        "thm-node-histograms",
        "inequality",
    ),
    Broken(
        "the product first",
        "fdpedu.federation.queries.Query.charge",
        "self.n_releases,",
        "1,",
        "Whether p releases of ε/p are entered or one release of ε is the same to any account.",
        "thm-node-histograms",
        "entered",
    ),
    Broken(
        "one release of p histograms",
        "fdpedu.federation.queries.NodeHistograms.n_releases",
        "return len(self.region.features)",
        "return 1",
        "The histograms of a node are one answer, so they are one release.",
        "thm-node-histograms",
        "attack",
    ),
    Broken(
        "a tie is a vote",
        "fdpedu.histograms.membership.membership_test",
        "_votes(p, least, powers[::-1]), _votes(p, least, powers)",
        "_votes(p, least, powers[::-1]), _votes(p, least, powers[::-1])",
        "Noise of either sign is as likely, so a cell says as much either way.",
        "thm-node-histograms",
        "votes",
    ),
    Broken(
        "ten features are enough",
        "fdpedu.federation.queries.counts.NodeHistograms.n_releases",
        "return len(self.region.features)",
        "return min(len(self.region.features), 10)",
        "Beyond ten features one more does not matter.",
        "thm-node-histograms",
        "exact factor",
    ),
    Broken(
        "votes that count once",
        "fdpedu.histograms.membership.membership_test",
        "powers = [rate.weight(k) for",
        "powers = [rate.weight(min(k, 1)) for",
        "All cells are about the same record, so they tell the same.",
        "thm-node-histograms",
        "undivided",
    ),
    Broken(
        "a product without the number of releases",
        "fdpedu.derivation_checker._check_release",
        "product = asked[0] * asked[1] * asked[2]",
        "product = asked[1] * asked[2]",
        "The number of releases is how the answer is written.",
        "thm-node-histograms",
        "undivided refused",
    ),
    Broken(
        "insiders of p cells are outsiders",
        "fdpedu.dlpa.insiders.insider_epsilon",
        "if tau >= 1:",
        "if tau > 0:",
        "Someone who subtracts one share still sees the others'.",
        "thm-node-histograms",
        "joint loss",
    ),
)
