"""How often a random graph of neighbours falls apart, against all graphs of small spaces."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, product
from math import comb, factorial
from typing import Any

import numpy as np

from fdpedu.claims.checking import require
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.claims.replay import patched
from fdpedu.claims.secure_sum.neighbours import all_pairs, graph_of
from fdpedu.randomness import ReplayedWords
from fdpedu.secure_sum import Edges, Ring, components, failure_probability, neighbours_needed, sharing_risk
from fdpedu.secure_sum.neighbours import Graph, random_order
from fdpedu.secure_sum.splits import connected


def every_outcome(bounds: tuple[int, ...]) -> Iterator[np.ndarray[Any, Any]]:
    """All lists of integers below these bounds."""
    return (np.array(drawn, dtype=np.int64) for drawn in product(*map(range, bounds)))


def drawn_graphs(draw: Any) -> Counter[Any]:
    """How often what is drawn comes out, over all outcomes of the uniform numbers that it asks for, in one call."""
    asked: list[tuple[int, ...]] = []

    def first(bounds: Any, source: object) -> Any:
        asked.append(tuple(np.asarray(bounds).tolist()))
        return np.zeros(len(asked[0]), dtype=np.int64)

    with patched("fdpedu.secure_sum.neighbours", uniform_below=first):
        draw()
    require(len(asked) == 1, "uniform numbers are asked for more than once")
    found: Counter[Any] = Counter()
    for outcome in every_outcome(asked[0]):
        with patched("fdpedu.secure_sum.neighbours", uniform_below=lambda bounds, source, o=outcome: o):
            found[draw()] += 1
    return found


def every_order(parties: int) -> None:
    """Over all outcomes of the draws each order of the parties comes out once, and each circle as often as another."""
    tape = ReplayedWords([])
    orders = drawn_graphs(lambda: tuple(random_order(parties, tape)))
    require(set(orders.values()) == {1} and len(orders) == factorial(parties), "some orders are likelier than others")
    circles = drawn_graphs(lambda: Ring(2).draw(bytes(32), parties))
    require(len(circles) == max(1, factorial(parties - 1) // 2), f"{len(circles)} circles of {parties} parties occur")
    require(len(set(circles.values())) == 1, "some circles are likelier than others")


def ring_splits(parties: int, neighbours: int, gone: int) -> None:
    """The exact probability is the share of all placings of those that are gone, whoever of them colludes."""
    graph, places = Ring(neighbours).around(range(parties)), range(parties)
    apart = sum(len(components(graph, set(places) - set(out))) > 1 for out in combinations(places, gone))
    truth = Fraction(apart, comb(parties, gone))
    for missing in range(gone + 1):
        said = failure_probability(Ring(neighbours), parties, gone - missing, missing)
        require(said == truth, f"with {missing} of them missing {said} is said, and {truth} is true")


def small_rings(most: int) -> Iterator[tuple[int, int, int]]:
    """K from 2, all even k that matter, all numbers of those that are gone."""
    for parties in range(2, most + 1):
        yield from ((parties, k, gone) for gone in range(parties) for k in range(2, parties + 2, 2))


def ring_is_split(parties: int, neighbours: int, colluders: int, missing: int) -> None:
    """Over all placings of the colluders: whether one who sees the ring can split it by a choice of the missing."""
    graph = Ring(neighbours).around(range(parties))
    apart = sum(
        _can_split(graph, set(range(parties)) - set(bad), missing) for bad in combinations(range(parties), colluders)
    )
    said = failure_probability(Ring(neighbours), parties, colluders, missing, chosen=True)
    truth = Fraction(apart, comb(parties, colluders))
    require(truth <= said <= 1, f"{said} is said, and {truth} is true")


def _can_split(graph: Graph, honest: set[int], missing: int) -> bool:
    return any(len(components(graph, honest - set(out))) > 1 for out in combinations(sorted(honest), missing))


def small_choices(most: int) -> Iterator[tuple[int, int, int, int]]:
    """K from 3, all even k, all colluders and missing that leave somebody."""
    for parties in range(3, most + 1):
        for k, colluders in product(range(2, parties + 2, 2), range(parties)):
            yield from ((parties, k, colluders, missing) for missing in range(parties - colluders))


def least_ring(parties: int, colluders: int, missing: int, failure: Fraction) -> None:
    """The ring that is said to be needed is safe enough for one threshold, and the next smaller one for none."""
    k = neighbours_needed(parties, colluders, missing, failure)
    totals = {}
    for tried in (k - 2, k):
        if tried:
            split = failure_probability(Ring(tried), parties, colluders, missing)
            risks = [sum(sharing_risk(Ring(tried), parties, t, colluders, missing)) for t in range(1, parties)]
            totals[tried] = split + min(risks) if missing else split
    require(totals[k] <= failure, f"{k} neighbours fail with probability {totals[k]}")
    require(k == 2 or totals[k - 2] > failure, f"{k - 2} neighbours are enough")


# --- independent edges ------------------------------------------------------------------------------------------------


def weighed(parties: int, absent: Fraction) -> Iterator[tuple[Graph, Fraction]]:
    """All graphs, each with its probability."""
    most = comb(parties, 2)
    for pairs in all_pairs(parties):
        yield graph_of(parties, pairs), (1 - absent) ** len(pairs) * absent ** (most - len(pairs))


def edges_split(parties: int, absent: Fraction) -> None:
    """The recursion, and the bound for missing ones that are chosen, against all graphs with their probabilities."""
    everybody = set(range(parties))
    graphs = list(weighed(parties, absent))
    truth = sum((weight for graph, weight in graphs if len(components(graph, everybody)) == 1), Fraction(0))
    require(connected(parties, absent) == truth, f"{connected(parties, absent)} is said, and {truth} is true")
    model = Edges(1 - absent)
    for colluders, missing in product(range(parties), repeat=2):
        honest = parties - colluders
        if missing >= honest:
            continue
        said = failure_probability(model, parties, colluders, missing)
        apart = Fraction(0)
        worst = Fraction(0)
        for graph, weight in graphs:
            left = set(range(honest))
            apart += weight * (len(components(graph, left - set(range(missing)))) > 1)
            worst += weight * _can_split(graph, left, missing)
        require(said == apart, f"with {colluders} and {missing} gone {said} is said, and {apart} is true")
        most = failure_probability(model, parties, colluders, missing, chosen=True)
        require(worst <= most <= 1, f"if {missing} missing are chosen {most} is said, and {worst} is true")


def edges_drawn(parties: int, probability: Fraction) -> None:
    """Over all outcomes of the draws each graph comes out as often as its probability says."""
    tape = ReplayedWords([])
    found = drawn_graphs(lambda: Edges(probability).drawn(parties, tape))
    total = sum(found.values())
    for graph, weight in weighed(parties, 1 - probability):
        require(Fraction(found[graph], total) == weight, f"{graph} is drawn with probability {found[graph]}/{total}")


# --- shares among neighbours ------------------------------------------------------------------------------------------


def ring_shares(parties: int, neighbours: int, colluders: int, missing: int) -> None:
    """Over all placings of colluders and missing ones, for all thresholds: both bounds hold."""
    graph, places = Ring(neighbours).around(range(parties)), range(parties)
    placings = [
        (set(bad), set(out))
        for bad in combinations(places, colluders)
        for out in combinations(sorted(set(places) - set(bad)), missing)
    ]
    for t in range(1, parties):
        opened = sum(any(len(graph[k] & bad) >= t for k in set(places) - bad) for bad, _ in placings)
        lost = sum(any(len(graph[k] - out) < t for k in places) for _, out in placings)
        risk = sharing_risk(Ring(neighbours), parties, t, colluders, missing)
        for said, truth in zip(risk, (opened, lost), strict=True):
            require(
                Fraction(truth, len(placings)) <= said <= 1, f"t = {t}: {said} is said, {truth}/{len(placings)} true"
            )


def edge_shares(parties: int, absent: Fraction) -> None:
    """Over all graphs: ``opened`` is the truth for independent edges, and ``lost`` bounds it."""
    graphs = list(weighed(parties, absent))
    for t, colluders, missing in product(range(1, parties), range(parties), range(parties)):
        honest = parties - colluders
        if missing >= honest:
            continue
        bad, out = set(range(honest, parties)), set(range(missing))
        opened = sum((w for graph, w in graphs if any(len(graph[k] & bad) >= t for k in range(honest))), Fraction(0))
        lost = sum((w for graph, w in graphs if any(len(near - out) < t for near in graph)), Fraction(0))
        risk = sharing_risk(Edges(1 - absent), parties, t, colluders, missing)
        require(risk.opened == opened, f"t = {t}: {risk.opened} is said to be opened, and {opened} is true")
        require(lost <= risk.lost <= 1, f"t = {t}: {risk.lost} is said to be lost, and {lost} is true")


THIRDS = (Fraction(1, 2), Fraction(1, 3), Fraction(3, 4))

CLAIMS = (
    Claim(
        "lem-ring-splits",
        status="proved+checked",
        code=(
            "fdpedu.secure_sum.splits",
            "fdpedu.secure_sum.neighbours.Ring",
            "fdpedu.secure_sum.neighbours.random_order",
            "fdpedu.secure_sum.splits.failure_probability",
            "fdpedu.secure_sum.splits.neighbours_needed",
        ),
        checks=(
            Check(
                "placings",
                "exhaustive",
                "two to {size} parties, all widths, all placings of those that are gone, colluding or missing",
                ring_splits,
                small_rings,
                11,
                13,
            ),
            Check(
                "orders",
                "exhaustive",
                "three to {size} parties, all outcomes of the draws: every order once, every circle equally often",
                every_order,
                lambda most: ((n,) for n in range(3, most + 1)),
                5,
                7,
            ),
            Check(
                "chosen",
                "exhaustive",
                "three to {size} parties, all placings of the colluders, all choices of the missing: the bound holds",
                ring_is_split,
                small_choices,
                6,
                9,
                more=[(7, 4, 2, 1), (8, 4, 2, 1), (9, 4, 2, 1)],
            ),
            Check(
                "least",
                "exact",
                "5 to {size} parties, colluders and missing ones: the ring that is said to be needed, and the next one",
                least_ring,
                lambda most: (
                    (n, c, m, Fraction(1, 2**bits))
                    for n in (5, 8, 20, 50, 100)
                    for c, m, bits in ((0, 0, 10), (n // 5, 0, 20), (n // 10, n // 10, 5))
                    if n <= most
                ),
                20,
                100,
                more=[(50, 5, 5, Fraction(1, 32)), (9, 0, 0, Fraction(1, 9))],
            ),
        ),
        assumptions=("the order is uniform, and independent of who colludes and, unless bounded, of who is missing",),
    ),
    Claim(
        "lem-edges-split",
        status="proved+checked",
        code=(
            "fdpedu.secure_sum.splits",
            "fdpedu.secure_sum.neighbours.Edges",
            "fdpedu.secure_sum.splits.connected",
            "fdpedu.secure_sum.splits.failure_probability",
        ),
        checks=(
            Check(
                "all graphs",
                "exhaustive",
                "all graphs on up to {size} parties with three probabilities, all numbers that are gone or chosen",
                edges_split,
                lambda most: product(range(1, most + 1), THIRDS),
                4,
                5,
                more=[(n, Fraction(2, 5)) for n in range(1, 5)],
            ),
            Check(
                "draws",
                "exhaustive",
                "two to {size} parties, all outcomes of the draws: every graph with its probability",
                edges_drawn,
                lambda most: product(range(2, most + 1), map(Fraction, ("1/3", "1/2", "0", "1"))),
                3,
                4,
                more=[(n, Fraction(2, 5)) for n in (2, 3)],
            ),
        ),
        assumptions=("edges are independent of one another and of who is gone",),
    ),
    Claim(
        "lem-neighbour-shares",
        status="proved+checked",
        code=(
            "fdpedu.secure_sum.splits",
            "fdpedu.secure_sum.splits.sharing_risk",
            "fdpedu.secure_sum.splits.neighbours_needed",
        ),
        checks=(
            Check(
                "rings",
                "exhaustive",
                "three to {size} parties, all k, thresholds and placings of colluders and missing ones: bounds hold",
                ring_shares,
                small_choices,
                5,
                8,
                more=[(6, 4, 1, 1), (7, 4, 1, 1), (4, 6, 1, 1), (8, 4, 1, 1)],
            ),
            Check(
                "edges",
                "exhaustive",
                "all graphs on two to {size} parties, three values of q: what is opened exactly, what is lost bounded",
                edge_shares,
                lambda most: product(range(2, most + 1), THIRDS),
                4,
                5,
                more=[(n, Fraction(2, 5)) for n in range(1, 5)],
            ),
        ),
        assumptions=("the aggregator is curious, and honest about who survived",),
    ),
)

TWINS = (
    Broken(
        "connected before drop-outs",
        "fdpedu.secure_sum.splits.failure_probability",
        "gone = c + m",
        "gone = c",
        "A graph that connects the honest parties connects those of them that are left.",
        "lem-ring-splits",
        "placings",
    ),
    Broken(
        "neighbours in the order of the list",
        "fdpedu.secure_sum.neighbours.Ring.draw",
        "random_order(n, _CoinWords(coins))",
        "sorted(random_order(n, _CoinWords(coins)))",
        "On a circle all have equally many neighbours, so the order does not matter.",
        "lem-ring-splits",
        "orders",
    ),
    Broken(
        "any two change places",
        "fdpedu.secure_sum.neighbours.random_order",
        "np.arange(n, 1, -1, dtype=np.int64)",
        "np.full(n - 1, n)",
        "The more are exchanged, the better they are mixed.",
        "lem-ring-splits",
        "orders",
    ),
    Broken(
        "only who has no neighbour stands alone",
        "fdpedu.secure_sum.splits.connected",
        "in range(1, size)",
        "in range(1, min(2, size))",
        "A graph in which everybody has a neighbour is connected.",
        "lem-edges-split",
        "all graphs",
    ),
    Broken(
        "neighbours whom one of two knows",
        "fdpedu.secure_sum.neighbours.Edges.drawn",
        "near[j].add(k)",
        "near[k].add(j)",
        "Whom a party has drawn need not draw it, too.",
        "lem-edges-split",
        "draws",
    ),
    Broken(
        "the risk of one party",
        "fdpedu.secure_sum.splits.sharing_risk",
        "(n - c) * read if",
        "read if",
        "All parties run the same risk, so that is the risk.",
        "lem-neighbour-shares",
        "rings",
    ),
)
