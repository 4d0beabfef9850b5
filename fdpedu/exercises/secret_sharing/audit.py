"""An exercise to implement: what a table of traffic leaves for each message."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import product

from fdpedu.exercises.record import Case, Exercise, Misconception
from fdpedu.exercises.values import number

PRINTED = ((147, 317_000, 4, True), (2065, 287_000, 4, False), (32_139, 12_100_000, 4, True))


@cache
def tables() -> Sequence[Case]:
    """Small trees of two to five parties, and the source's three rows; small trees first."""
    small = list(product((3, 7, 15), (10_000,), (2, 3, 5), (True, False)))
    return (*small, *PRINTED)


def left_for_each(nodes: int, bandwidth: int, n_parties: int, categorical: bool) -> Fraction:
    """The bytes, divided by the least number of messages of the inner nodes."""
    inner = (nodes - 1) // 2
    of_sum = 2 * n_parties * (n_parties - 1)
    of_node = (1 if categorical else 2) * of_sum + 2 * n_parties + 1
    return Fraction(bandwidth, inner * of_node)


def _all_nodes(nodes: int, bandwidth: int, n_parties: int, categorical: bool) -> Fraction:
    return left_for_each(nodes, bandwidth, n_parties, categorical) * Fraction((nodes - 1) // 2, nodes)


def _one_round(nodes: int, bandwidth: int, n_parties: int, categorical: bool) -> Fraction:
    inner, of_sum = (nodes - 1) // 2, n_parties * (n_parties - 1)
    return Fraction(bandwidth, inner * ((1 if categorical else 2) * of_sum + 2 * n_parties + 1))


def _always_numbers(nodes: int, bandwidth: int, n_parties: int, categorical: bool) -> Fraction:
    return left_for_each(nodes, bandwidth, n_parties, False)


def _no_coordinator(nodes: int, bandwidth: int, n_parties: int, categorical: bool) -> Fraction:
    inner, of_sum = (nodes - 1) // 2, 2 * n_parties * (n_parties - 1)
    return Fraction(bandwidth, inner * (1 if categorical else 2) * of_sum)


AUDIT = Exercise(
    id="secret-sharing-audit",
    kind="implement",
    hint="How many inner nodes has a binary tree of so many nodes? A secret sum is two rounds in which everybody "
    "writes to everybody else.",
    domain="trees of 3, 7 and 15 nodes among two, three and five parties, then the source's three rows",
    cases=tables,
    size=lambda nodes, bandwidth, n_parties, categorical: nodes,
    reference=left_for_each,
    read=number,
    explanation=(
        "A binary tree of n nodes has (n − 1)/2 inner ones. Each takes one or two sums of 2N(N − 1) messages, 2N "
        "orders and one report. The source's rows leave 132, 4.9 and 23 bytes a message. A message of shares is as "
        "long as the list of attributes, and the three sets have 16, 14 and 21. So the three rows cannot have been "
        "counted in the same way."
    ),
    wrong=(
        Misconception(
            "counts leaves as well",
            _all_nodes,
            "More than half of the nodes are leaves, of which nothing is said. Count inner nodes: this gives an upper "
            "limit that holds for certain.",
        ),
        Misconception(
            "forgets that sums are published",
            _one_round,
            "In the first round shares are sent, in the second the sums of shares. Without the second nobody has a "
            "total.",
        ),
        Misconception(
            "takes every split for one at a number",
            _always_numbers,
            "A split by a category needs no threshold, so no second sum.",
        ),
        Misconception(
            "forgets the coordinator",
            _no_coordinator,
            "It writes to each party twice at a node, and one party writes back.",
        ),
    ),
)
