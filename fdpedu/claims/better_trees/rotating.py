"""A whole rotating tree: its exact law, its path through the shipped code, and what a record pays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from types import ModuleType
from typing import Any

import numpy as np

from fdpedu.accounting import as_cost
from fdpedu.cart import Node
from fdpedu.claims.better_trees.choice import GAPS, TWO
from fdpedu.claims.better_trees.law import (
    Record,
    RotatingTrees,
    class_counts,
    coded,
    enclosed_choice,
    records,
    sides_of,
)
from fdpedu.claims.better_trees.losses import ADD_REMOVE
from fdpedu.claims.checking import require
from fdpedu.claims.federations import Case, federate
from fdpedu.claims.laws.designs import DESIGN_LAWS
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.claims.replay import bounds, enumerate_law, patched
from fdpedu.claims.trees.federated import OBSERVER, ONE_PARTY
from fdpedu.domain import Categorical, Domain, Numeric, Region
from fdpedu.exact import Enclosure, Integers
from fdpedu.federation import Federation, Query
from fdpedu.privacy import datasets, max_ratio
from fdpedu.randomness import Rehearsal, Source, ZeroWords
from fdpedu.trees import fit_federated_tree
from fdpedu.trees.clamped_tables import Data
from fdpedu.trees.designs import Rotating
from fdpedu.trees.shape import Shape

SIX = Domain([Numeric.grid("age", 0, 3, bins=3), Numeric.grid("dose", 0, 2, bins=2)], ("well", "ill"))
MIXED = Domain([Numeric.grid("age", 0, 2, bins=2), Categorical("ward", ("A", "B", "C"))], ("well", "ill"))


def trees_of(number: int) -> list[RotatingTrees]:
    """The first of the trees that are tried; each time new ones, which remember nothing."""
    other: Any = {"designs": (1, 0), "costs": (1, 2), "lattice": 1, "leaf": 2}
    kinds: list[Any] = [(TWO, {}), (TWO, other), (MIXED, {}), (MIXED, {"designs": (0, 0), "lattice": 3})]
    return [RotatingTrees(domain, **options) for domain, options in kinds[:number]]


def all_neighbours(trees: RotatingTrees, own: Data, record: Record, party: int, most: int) -> None:
    """With a record more or less, no tree is more than e^ε times as likely, whatever few records the others have.

    Of what the others have, only how many records of the class are in a leaf changes the ratio: 0 to ``most``.
    """
    more, e = (*own, record), trees.exp_epsilon(party)
    for before, after in ((own, more), (more, own)):
        for leaf, ratio in trees.path_ratios((before, after), party, record).items():
            mine = [class_counts(trees.domain, leaf, data)[record[-1]] for data in (before, after)]
            worst = ratio * max(trees.leaf_ratio(mine[0] + n, mine[1] + n) for n in range(most + 1))
            require(worst <= e, f"a tree is {worst} times as likely, e^ε is {e}")


def recursion(trees: RotatingTrees, parties: tuple[Data, Data], record: Record, party: int) -> None:
    """Adding up all trees gives 1 twice, and the worst ratio that is found along the record's ways."""
    more, everything = tuple((*data, record) if k == party else data for k, data in enumerate(parties)), TWO.everything
    for before, after in ((parties, more), (more, parties)):
        laws = [trees.law(data, everything) for data in (before, after)]
        require(sum(laws[0].values()) == 1, "the probabilities do not add up to 1")
        ways = trees.path_ratios((before[party], after[party]), party, record).items()
        counts = [[class_counts(TWO, leaf, a + b)[record[-1]] for a, b in (before, after)] for leaf, _ in ways]
        worst = max(ratio * trees.leaf_ratio(*both) for (_, ratio), both in zip(ways, counts, strict=True))
        require(max_ratio(*laws) == worst, f"the worst ratio is {max_ratio(*laws)}, along the ways {worst}")


def small(size: int) -> Iterator[tuple[RotatingTrees, Data, Record, int, int]]:
    """Of the first trees all data of a party of at most so many records; of the others two less."""
    for trees, fewer in zip(trees_of(4), (0, 2, 2, 2), strict=True):
        most, universe = max(0, size - fewer), records(trees.domain)
        for own, record, party in product(datasets(universe, most), universe, (0, 1)):
            yield trees, tuple(own), record, party, most


def added_up(numbers: int) -> Iterator[tuple[RotatingTrees, tuple[Data, Data], Record, int]]:
    """Four cells: each of the first trees, so many records of either party."""
    universe = records(TWO)
    for trees, record, party in product(trees_of(2), universe[:numbers], (0, 1)):
        yield trees, ((universe[0], universe[3]), (universe[-1],)), record, party


# --- the shipped path -------------------------------------------------------------------------------------------------


ROTATING = DESIGN_LAWS["rotating"]

Splits = Any  # None for a leaf, else the sides of the root, and what is below them


def splits_of(node: Node, region: Region) -> Splits:
    """The splits of a tree, as the regions that they make."""
    split: Any = node.split
    if node.left is None or node.right is None:
        return None
    here = region.codes(split.feature)
    sides = [region.restrict(split.feature, codes) for codes in (split.left & here, here - split.left)]
    return sides[0], splits_of(node.left, sides[0]), splits_of(node.right, sides[1])


def stated(
    domain: Domain, region: Region, parties: Sequence[Data], levels: Sequence[tuple[int, Fraction]]
) -> dict[Splits, Any]:
    """The law of the splits of a whole tree: each node's choice by the party of its level, at the cost of its level."""
    sides = list(sides_of(domain, region)) if levels else []
    if not sides:
        return {None: Enclosure.exactly(Fraction(1))}
    (who, cost), found = levels[0], dict[Splits, Any]()
    for pair, mass in zip(sides, enclosed_choice(domain, region, parties[who], cost, 1024), strict=True):
        left, right = (stated(domain, side, parties, levels[1:]) for side in pair)
        found |= {(pair[0], a, b): mass * p * q for (a, p), (b, q) in product(left.items(), right.items())}
    return found


def shipped(domain: Domain, parts: Sequence[Any], epsilon: Fraction, coins: int, words: int) -> None:
    """Whole trees of two parties and levels over all tapes of so many words, of a bit less: the law of the splits.

    The counts of leaves have no noise here; that of a sum is thm-round's.
    """
    share = Fraction(1, 5)

    def federated(source: Source) -> Federation:
        return federate(parts, domain, epsilon, source, tolerate=0)

    def sampler(tape: Source) -> Splits:
        options: Any = {"max_depth": 2, "leaf_share": share, "rng": Rehearsal(coins)}
        return splits_of(fit_federated_tree(federated(tape), design="rotating", **options).root, domain.everything)

    with patched("fdpedu.federation.queries.noise", noise_of=_no_noise):
        found, rest = enumerate_law(sampler, words - 1, words)
    who = Rotating().growth(federated(ZeroWords()), Shape(2, share, 0), as_cost(epsilon), Rehearsal(coins)).designs
    require(set(who) == {0, 1}, f"the levels are designed by {who}")
    levels = [(k, (1 - share) * epsilon) for k in who]
    expected = stated(domain, domain.everything, [coded(domain, rows) for rows in parts], levels)
    require(rest < Fraction(3, 4) and set(found) <= set(expected), f"{float(rest):.0%} of the tapes have no answer")
    for tree, mass in expected.items():
        got, (low, high) = found.get(tree, Fraction(0)), bounds(mass)
        require(
            got <= high and low <= got + rest,
            f"{tree} has probability {float(high):.4f}, drawn {float(got):.4f}, {float(rest):.4f} left open",
        )


def _no_noise(queries: Sequence[Query], domain: Domain, *_: Any) -> Integers:
    return np.zeros(sum(query.size(domain) for query in queries), dtype=np.int64)


def played(words: int) -> Iterator[tuple[Domain, Any, Fraction, int, int]]:
    """Four cells, in both orders; six cells, of which one party has no rows."""
    one = [[0.5, 0.5, "ill"], [0.5, 1.5, "ill"], [1.5, 0.5, "well"], [2.5, 1.5, "well"]]
    other = [[0.5, 0.5, "well"], [1.5, 0.5, "well"], [0.5, 1.5, "ill"], [1.5, 1.5, "ill"]]
    yield from ((TWO, [one[:3], other], Fraction(2), coins, words) for coins in (0, 1))
    yield SIX, [[], one], Fraction(2), 0, words


def runs(draw: ModuleType) -> Any:
    """Parties with rows, a record to add to one of them, a share, a depth and a seed."""

    def of(case: Case) -> Any:
        rest = (draw.integers(0, 3), draw.shares, draw.integers(0, 3), draw.integers(0, 99))
        return draw.tuples(draw.st.just(case), draw.records(case[0]), *rest)

    return draw.domains_with_parties().flatmap(of)


CLAIMS = (
    Claim(
        "thm-rotating-tree",
        status="proved+checked",
        code=("fdpedu.trees.designs.rotating", "fdpedu.trees.grow.fit_federated_tree"),
        checks=(
            Check(
                "all neighbours",
                "exhaustive",
                "two parties, depth 2, four cells: all data of at most {size} records of either, every record added; "
                "of two less, other costs, and six cells: no tree is more than e^ε times as likely",
                all_neighbours,
                small,
                3,
                4,
            ),
            Check(
                "recursion",
                "exact",
                "four cells, {size} records of either party: all trees added up give the same worst ratio",
                recursion,
                added_up,
                2,
                8,
            ),
            Check(
                "tapes",
                "exact",
                "whole trees of two parties over all tapes of {size} words: the distribution of the splits, up to "
                "tapes without "
                "an answer",
                shipped,
                played,
                3,
                4,
            ),
            Check(
                "every path",
                "property",
                "{size} random cases: with one record more, or none at all, and the same answers, the same is asked "
                "and grown, and the record pays at most ε",
                ROTATING.every_path,
                ROTATING.paths,
                8,
                500,
                more=[
                    (
                        (GAPS, [rows, [], rows * 3]),
                        [1.5, 1.5, "well"],
                        at,
                        {"max_depth": depth, "leaf_share": Fraction(1, 5)},
                        7,
                    )
                    for rows in [[[None, 1.5, "ill"], [0.5, 0.5, "cured"]]]
                    for at, depth in product(range(3), (0, 1, 4))
                ],
            ),
        ),
        assumptions=(ADD_REMOVE, ONE_PARTY, "integers", OBSERVER, "running time is not covered"),
        uses=("lem-chosen-split", "lem-party-coordinate", "thm-histogram", "thm-round", "lem-filter", "thm-tolerate"),
    ),
)

_ROWS = "respond.__self__._records"  # what only a simulation can reach: the exact rows of a party

TWINS = (
    Broken(
        "raw occupancy told",
        "fdpedu.trees.choice_growth.ChoiceGrowth.enter",
        "deepest or not len(",
        f"deepest or not any({_ROWS}.within([node.region])[0].size for respond in self.asker._endpoints) or not len(",
        "A node that nobody is in need not be split, and that it is a leaf tells nothing of anybody.",
        "thm-rotating-tree",
        "every path",
    ),
    Broken(
        "depth of a rotating tree from the number of rows",
        "fdpedu.trees.designs.rotating.Rotating.growth",
        "require_federation(asker)",
        f"rows = sum(len({_ROWS}.labels) for respond in asker._endpoints); "
        "shape = type(shape)(min(shape.depth, rows.bit_length()), shape.leaf_share, shape.least)",
        "The best depth depends on how many rows there are, and everybody knows about how many there are.",
        "thm-rotating-tree",
        "every path",
    ),
    Broken(
        "losses in half steps",
        "fdpedu.federation.queries.choices.Choice.tally",
        "self.loss, self.lattice)",
        "self.loss, 2 * self.lattice)",
        "A finer lattice loses less to rounding.",
        "thm-rotating-tree",
        "all neighbours",
    ),
    Broken(
        "whoever comes is taken",
        "fdpedu.mechanisms.selection.permute_and_flip_pmf",
        "p * sum(parts[1:], parts[0])",
        "sum(parts[1:], parts[0])",
        "The coins of those before decide whether one's turn comes; then one is chosen.",
        "thm-rotating-tree",
        "recursion",
    ),
    Broken(
        "the factor 2 for losses that only rise",
        "fdpedu.federation.queries.choices.Choice.drawn",
        "monotone=True",
        "monotone=False",
        "Permute-and-flip needs ε/2Δ.",
        "thm-rotating-tree",
        "tapes",
    ),
)
