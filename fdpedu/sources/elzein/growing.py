"""El Zein et al.'s tree: parties vote on each attribute and label by secret sums, and average their thresholds.

Four rules. ``printed`` follows Algorithms 2 and 3 and the text around them, wherever they can be run at all: sums are
exchanged, the depth is tested, and the leaf there is labelled. ``mended`` settles what that leaves wrong: a party
without rows votes as at its nearest ancestor that has some, a tie falls by a coin that all have tossed, and a party
without a threshold gives the middle of the node and not that of the whole range. ``median`` votes on the borders of the
public grid in place of averaging. ``histograms`` adds up class × code counts, and so grows the CART of all rows.

Guarantee: shares hide who said what from up to N−2 honest but curious parties, given what was said in all; integers mod
q. There is NO ε: totals, sums of thresholds and labels are exact functions of the rows.

Claims: lem-selection, lem-empty-party, lem-mean-threshold, lem-middle-outside, lem-own-middle, lem-pooled-cart
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from fdpedu.cart import CodeSplit
from fdpedu.cart.candidates import candidates
from fdpedu.cart.split import best_grid_split, grid_histograms
from fdpedu.domain import Categorical, Domain, Numeric, Region
from fdpedu.exact import Integers
from fdpedu.printable import number_texts
from fdpedu.randomness import Source
from fdpedu.secure_sum import commit_coins, joint_coins
from fdpedu.sources.elzein.counting import Order, Report, Sum, wire_bytes
from fdpedu.sources.elzein.local import Best, Rows, chosen_attribute, n_times, sides
from fdpedu.sources.elzein.selection import shared_totals
from fdpedu.sources.elzein.tree import NO_SPLIT, Ballot, SharedNode

STEPS = 2**16 - 1
"""A threshold is a whole number of so many steps of its public range."""
MOST_ROWS = 2**32 - 1
"""Of all parties together: a public bound, since their number is private."""


@dataclass(frozen=True)
class Rule:
    """How parties go about it.

    Parameters
    ----------
    from_ancestor : whether a party without rows votes as at its nearest ancestor with some; else it votes for no split,
        and abstains from labels
    again : whether a tie is voted on again before a coin is tossed
    own_middle : whether a party without a threshold gives the middle of the node; else that of the public range
    joined : how thresholds become one: ``mean``, ``median``; or ``pooled``, where counts are added up instead
    """

    from_ancestor: bool
    again: bool
    own_middle: bool
    joined: str


RULES = {
    "printed": Rule(from_ancestor=False, again=True, own_middle=False, joined="mean"),
    "mended": Rule(from_ancestor=True, again=False, own_middle=True, joined="mean"),
    "median": Rule(from_ancestor=True, again=False, own_middle=True, joined="median"),
    "histograms": Rule(from_ancestor=True, again=False, own_middle=True, joined="pooled"),
}


@dataclass
class _Place:
    """A node to come: its rows at each party, those that each speaks by, and what it may still ask for."""

    node: SharedNode
    rows: list[Rows]
    speaks_by: list[Rows]
    ends: dict[int, tuple[float, float]]  # of each number; rows have low < x ≤ high
    asked: frozenset[int]  # categories that were asked for above
    region: Region


@dataclass
class Growth:
    """A tree while it grows, at all parties in one process.

    Parameters
    ----------
    rows : of each party
    domain : public
    rule : a :class:`Rule`
    criterion : a name of :data:`fdpedu.sources.elzein.local.IMPURITIES`
    max_depth : of the deepest leaf
    source : of shares and coins
    pending : nodes to come
    """

    rows: list[Rows]
    domain: Domain
    rule: Rule
    criterion: str
    max_depth: int
    source: Source
    pending: list[_Place] = field(default_factory=list)

    def grown(self) -> SharedNode:
        """The root, with all below it."""
        ends = {j: (f.edges[0], f.edges[-1]) for j, f in enumerate(self.domain.features) if isinstance(f, Numeric)}
        root = SharedNode(0)
        self.pending = [_Place(root, self.rows, self.rows, ends, frozenset(), self.domain.everything)]
        while self.pending:
            place = self.pending.pop()
            place.node.steps.append(Order("node"))  # Alg. 2, line 1
            (self._pool if self.rule.joined == "pooled" else self._vote)(place)
        return root

    # --- votes ------------------------------------------------------------------------------------------------------

    def _vote(self, place: _Place) -> None:
        if place.node.depth >= self.max_depth:  # section 5.3.2.5 (3); Algorithm 2 forgets it
            self._label(place)
            return
        attributes = self._left(place)
        bests = [rows.best(self.criterion, attributes) for rows in self._speakers(place)]
        names = (*(feature.name for feature in self.domain.features), NO_SPLIT)
        wanted = [chosen_attribute(best) for best in bests]
        votes = [len(names) - 1 if vote is None else vote for vote in wanted]  # Alg. 3, lines 4 to 7
        winner = self._select(place.node, "attribute", names, votes)
        if winner is None:
            winner = self._settle(place.node, names, votes, bests)
        place.node.steps.append(Report("attribute"))  # Alg. 3, line 9
        if winner == len(names) - 1:
            self._label(place)
        elif isinstance(self.domain.features[winner], Categorical):
            place.node.steps.append(Order("branches"))  # Alg. 3, line 15
            self._branch(place, winner)
        else:
            place.node.steps.append(Order("threshold"))  # Alg. 2, line 8
            self._divide(place, winner, self._threshold(place, winner, bests))

    def _left(self, place: _Place) -> list[int]:
        """The attributes that may still divide the node."""
        numbers = [j for j, (low, high) in place.ends.items() if self._inner(j, low, high)]
        named = (j for j, f in enumerate(self.domain.features) if isinstance(f, Categorical) and j not in place.asked)
        return sorted([*numbers, *named])

    def _inner(self, j: int, low: float, high: float) -> bool:
        if self.rule.joined == "mean":
            return low < high
        return any(low < edge < high for edge in self.domain.features[j].edges)  # type: ignore[union-attr]

    def _speakers(self, place: _Place) -> list[Rows]:
        return place.speaks_by if self.rule.from_ancestor else place.rows

    def _select(self, node: SharedNode, about: str, names: Sequence[str], votes: Sequence[int | None]) -> int | None:
        """A secret selection; None for a tie."""
        q, vectors = len(votes) + 1, np.zeros((len(votes), len(names)), dtype=np.int64)
        for party, vote in enumerate(votes):
            if vote is not None:
                vectors[party, vote] = 1
        totals = self._sum(node, vectors, q, f"votes on the {about}")
        node.ballots.append(Ballot(about, tuple(names), tuple(totals.tolist()), tuple(votes)))
        best = np.flatnonzero(totals == totals.max())
        return int(best[0]) if len(best) == 1 else None

    def _sum(self, node: SharedNode, vectors: Integers, modulus: int, kind: str) -> Integers:
        node.steps.append(Sum(kind, wire_bytes(modulus, vectors.shape[1])))
        if len(vectors) == 1:
            return np.asarray(vectors[0])
        return shared_totals(vectors, modulus, self.source)

    def _settle(self, node: SharedNode, names: Sequence[str], votes: Sequence[int], bests: Sequence[Best]) -> int:
        """A tie of the last ballot, about attributes."""
        tied = _tied(node)
        if self.rule.again:  # section 5.3.2.1: only those of most votes stand again
            attributes = [at for at in tied if at < len(names) - 1]
            again = [self._prefers(tied, attributes, vote, best) for vote, best in zip(votes, bests, strict=True)]
            winner = self._select(node, "attribute again", names, again)
            if winner is not None:
                return winner
            tied = _tied(node)
        return tied[self._coin(node, len(tied))]

    @staticmethod
    def _prefers(tied: Sequence[int], attributes: Sequence[int], vote: int, best: Best) -> int:
        """The vote of a party when only these stand: its own again, if that is among them."""
        if vote in tied:
            return vote
        found = chosen_attribute(best, attributes)
        return tied[-1] if found is None else found

    def _coin(self, node: SharedNode, sides: int) -> int:
        """A number below ``sides`` that all parties have tossed together."""
        n = len(self.rows)
        node.steps.append(Sum("coins", 32))  # commitments, then coins: to each other party
        members = [bytes([k]) * 32 for k in range(n)]
        coins = [own.words(4).tobytes() for own in self.source.spawn(n)]
        joint = joint_coins(coins, [commit_coins(coin, members) for coin in coins], members)
        return int.from_bytes(joint, "big") % sides

    def _label(self, place: _Place) -> None:
        """A vote on the class of a leaf."""
        place.node.steps.append(Order("skip"))  # Alg. 2, line 4
        names = tuple(str(one) for one in self.domain.classes)
        votes = [rows.label if len(rows) else None for rows in self._speakers(place)]
        winner = self._select(place.node, "label", names, votes)
        if winner is None:
            tied = _tied(place.node)
            winner = tied[self._coin(place.node, len(tied))]
        place.node.label = winner

    # --- thresholds -------------------------------------------------------------------------------------------------

    def _threshold(self, place: _Place, j: int, bests: Sequence[Best]) -> float:
        """The parties' thresholds made one."""
        own = [
            float(best.thresholds[j]) if len(rows) and not np.isnan(best.thresholds[j]) else self._middle(place, j)
            for best, rows in zip(bests, place.rows, strict=True)
        ]
        return self._mean(place.node, j, own) if self.rule.joined == "mean" else self._median(place.node, j, own)

    def _middle(self, place: _Place, j: int) -> float:
        """What a party gives that has no threshold."""
        edges = self.domain.features[j].edges  # type: ignore[union-attr]
        low, high = place.ends[j] if self.rule.own_middle else (edges[0], edges[-1])
        if self.rule.joined == "mean":
            return low + (high - low) / 2
        inner = [edge for edge in edges if low < edge < high]
        return inner[(len(inner) - 1) // 2]

    def _mean(self, node: SharedNode, j: int, own: Sequence[float]) -> float:
        """Each in steps of its public range, 0 to 65,535, so that a modulus above N·65,535 holds every sum."""
        if len(own) == 1:
            return own[0]  # nothing is sent
        low, high = (self.domain.features[j].edges[at] for at in (0, -1))  # type: ignore[union-attr]
        steps = [round((t - low) / (high - low) * STEPS) for t in own]
        total = self._sum(node, np.array(steps, dtype=np.int64)[:, None], len(own) * STEPS + 1, "thresholds")
        node.thresholds = tuple(steps)
        return low + int(total[0]) / (len(own) * STEPS) * (high - low)

    def _median(self, node: SharedNode, j: int, own: Sequence[float]) -> float:
        """The lower median of the parties' borders, from how many voted for each."""
        edges = self.domain.features[j].edges[1:-1]  # type: ignore[union-attr]
        names, votes = number_texts(tuple(edges)), [edges.index(t) for t in own]
        self._select(node, "threshold", names, votes)
        sums = np.cumsum(node.ballots[-1].totals)
        return float(edges[int((2 * sums >= len(own)).argmax())])

    def _divide(self, place: _Place, j: int, threshold: float) -> None:
        """Two branches: rows up to the threshold, and those above it."""
        low, high = place.ends[j]
        both = ({**place.ends, j: (low, min(high, threshold))}, {**place.ends, j: (max(low, threshold), high)})
        place.node.threshold = threshold
        parts = [list(sides(rows, j, threshold)) for rows in place.rows]
        self._enter(
            place,
            j,
            [(list(part), ends, place.asked) for part, ends in zip(zip(*parts, strict=True), both, strict=True)],
        )

    def _branch(self, place: _Place, j: int) -> None:
        """A branch for each public category."""
        place.node.branch_of = tuple(range(self.domain.features[j].n_codes))
        parts = [list(sides(rows, j, None)) for rows in place.rows]
        self._enter(place, j, [(list(part), place.ends, place.asked | {j}) for part in zip(*parts, strict=True)])

    def _enter(self, place: _Place, j: int, branches: Sequence[tuple[list[Rows], Any, frozenset[int]]]) -> None:
        place.node.attribute = j
        places = [
            _Place(
                SharedNode(place.node.depth + 1),
                part,
                [own if len(own) else above for own, above in zip(part, place.speaks_by, strict=True)],
                ends,
                asked,
                place.region,
            )
            for part, ends, asked in branches
        ]
        place.node.children = tuple(below.node for below in places)
        self.pending += reversed(places)

    # --- histograms in place of votes -------------------------------------------------------------------------------

    def _pool(self, place: _Place) -> None:
        """The split that CART makes of all rows, from the sum of the parties' histograms."""
        node, deepest = place.node, place.node.depth >= self.max_depth
        tables = np.stack([self._table(rows, deepest) for rows in place.rows])
        pooled = self._sum(node, tables.reshape(len(tables), -1), MOST_ROWS + 1, "histograms").reshape(tables.shape[1:])
        classes = pooled if deepest else pooled[: self.domain.features[0].n_codes].sum(axis=0)
        split = None
        if not deepest and np.count_nonzero(classes) > 1:
            split = self._best_pooled(pooled, place.region)
        if not deepest:
            node.steps.append(Report("attribute"))
        if split is None:
            node.label = int(classes.argmax())
            node.steps += [] if deepest else [Order("skip")]
            return
        node.steps.append(Order("branches"))
        self._cut(place, split)

    def _table(self, rows: Rows, deepest: bool) -> Integers:
        if deepest:
            return rows.class_counts
        both = zip(self.domain.features, rows.values.T, strict=True)
        codes = [feature.encode(column) if isinstance(feature, Numeric) else column for feature, column in both]
        return np.concatenate(
            grid_histograms(np.column_stack(codes).astype(np.uint8), rows.labels.astype(np.uint8), self.domain)
        )

    def _best_pooled(self, table: Integers, region: Region) -> CodeSplit | None:
        if self.criterion == "gini":
            # lem-pooled-cart: the very search of chapter 1
            ends = np.cumsum([feature.n_codes for feature in self.domain.features], dtype=np.int64)[:-1]
            found = best_grid_split(np.split(table, ends), self.domain)
            return None if found is None else found.split
        listed = candidates(self.domain, region)
        if not len(listed):
            return None
        left, right = listed.sides(table)
        remains = n_times(self.criterion, left) + n_times(self.criterion, right)
        remains = np.where((left.sum(axis=1) > 0) & (right.sum(axis=1) > 0), remains, np.inf)
        return listed[int(remains.argmin())] if np.isfinite(remains.min()) else None

    def _cut(self, place: _Place, split: CodeSplit) -> None:
        j, here = split.feature, place.region.codes(split.feature)
        feature, left = self.domain.features[j], split.left & here
        if isinstance(feature, Numeric):
            place.node.threshold = feature.edges[max(split.left) + 1]
        else:
            place.node.branch_of = tuple(0 if code in split.left else 1 for code in range(feature.n_codes))
        parts = [place.node.branches(rows.values[:, j]) for rows in place.rows]
        both = [[rows.kept(part == i) for rows, part in zip(place.rows, parts, strict=True)] for i in range(2)]
        self._enter(place, j, [(part, place.ends, place.asked) for part in both])
        for below, codes in zip(self.pending[-1:-3:-1], (left, here - left), strict=True):
            below.region = place.region.restrict(j, codes)


def _tied(node: SharedNode) -> list[int]:
    """The choices with most votes in the last ballot."""
    totals = np.array(node.ballots[-1].totals)
    return [int(at) for at in np.flatnonzero(totals == totals.max())]
