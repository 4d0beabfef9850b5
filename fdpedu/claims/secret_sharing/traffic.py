"""How many messages a step takes, counted on the messages themselves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import product
from types import ModuleType
from typing import Any

from fdpedu.claims.checking import require
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.claims.secret_sharing.parties import Parties, grown, small_parties
from fdpedu.sources.elzein import KINDS, node_messages
from fdpedu.sources.elzein.counting import COORDINATOR

STATED = {
    "continuous": lambda n: 4 * n * (n - 1) + 2 * n + 1,
    "leaf": lambda n: 4 * n * (n - 1) + 2 * n + 1,
    "deepest": lambda n: 2 * n * (n - 1) + 2 * n,
    "categorical": lambda n: 2 * n * (n - 1) + 2 * n + 1,
    "tie": lambda n: 2 * n * (n - 1),
    "coin": lambda n: 2 * n * (n - 1),
    "histograms": lambda n: 2 * n * (n - 1) + 2 * n + 1,
    "depth": lambda n: 2 * n * (n - 1) + 1,
    "stop": lambda n: n,
}


def formula(n_parties: int, kind: str) -> None:
    """The number is that of the formula."""
    got, stated = node_messages(n_parties, kind), STATED[kind](n_parties)
    require(got == stated, f"{got} messages, and the formula says {stated}")


def all_kinds(most: int) -> Iterator[tuple[int, str]]:
    """Every kind, 2 to so many parties."""
    yield from product(range(2, most + 1), KINDS)


def of_tree(case: Parties, rule: str, depth: int | None, seed: int) -> None:
    """The messages of a tree are those of its nodes: as many, as long, and between whom the source says."""
    tree, n = grown(case, rule, depth, seed), len(case[1])
    expected = node_messages(n, "stop") + (node_messages(n, "depth") if depth is None else 0)
    for node in tree.nodes():
        again = sum(ballot.about == "attribute again" for ballot in node.ballots)
        coins = sum("coins" in getattr(step, "kind", "") for step in node.steps)
        expected += again * node_messages(n, "tie") + coins * node_messages(n, "coin")
        if rule == "histograms":
            deepest = node.depth == tree.max_depth
            expected += node_messages(n, "histograms") - deepest * (n + 1)
        elif node.attribute is None:
            voted = any(ballot.about == "attribute" for ballot in node.ballots)
            expected += node_messages(n, "leaf" if voted else "deepest")
        else:
            expected += node_messages(n, "categorical" if node.threshold is None else "continuous")
    messages = tree.messages
    require(len(messages) == tree.traffic.messages == expected, f"{len(messages)} messages, and not {expected}")
    require(sum(one.bytes for one in messages) == tree.traffic.bytes, "bytes are lost")
    pairs = Counter((one.sender, one.receiver) for one in messages)
    require(all(a != b for a, b in pairs), "somebody writes to itself")
    between = {times for (a, b), times in pairs.items() if COORDINATOR not in (a, b)}
    require(len(between) == 1, "some pairs of parties send more than others")


def trees(draw: ModuleType) -> Any:
    """Parties, a rule, and a depth that is given or found."""
    depths = draw.st.one_of(draw.st.none(), draw.integers(0, 3))
    rules = draw.st.sampled_from(["printed", "mended", "median", "histograms"])
    return draw.tuples(small_parties(draw), rules, depths, draw.integers(0, 99))


CLAIMS = (
    Claim(
        "lem-shared-messages",
        status="proved+checked",
        code=(
            "fdpedu.sources.elzein.counting",
            "fdpedu.sources.elzein.counting.node_messages",
            "fdpedu.sources.elzein.tree",
        ),
        checks=(
            Check("formula", "exact", "every kind of step, 2 to {size} parties", formula, all_kinds, 30, 300),
            Check(
                "trees",
                "property",
                "{size} random trees: the messages that were sent, one by one, against the numbers of their nodes",
                of_tree,
                trees,
                40,
                600,
            ),
        ),
        assumptions=("nobody falls silent",),
    ),
)

TWINS = (
    Broken(
        "shares sent, sums kept",
        "fdpedu.sources.elzein.counting.Sum.travel",
        '("shares", "sums")',
        '("shares",)',
        "A secret sum takes one message from each party to each other one.",
        "lem-shared-messages",
        "trees",
    ),
    Broken(
        "sums through an aggregator",
        "fdpedu.sources.elzein.counting.node_messages",
        "2 * n * (n - 1)",
        "n * (n - 1) + n",
        "The sums of shares go to the coordinator, who adds them up, as in chapter 5.",
        "lem-shared-messages",
        "formula",
    ),
)
