"""El Zein et al.'s tree: parties vote on each attribute and label by secret sums, and average their thresholds.

Four rules. ``printed`` follows Algorithms 2 and 3 and the text around them, wherever they can be run at all: sums are
exchanged, the depth is tested, and the leaf there is labelled. ``mended`` settles what that leaves wrong: a party
without rows votes as at its nearest ancestor that has some, a tie falls by a coin that all have tossed, and a party
without a threshold gives the middle of the node and not that of the whole range. ``median`` votes on the borders of the
public grid in place of averaging. ``histograms`` adds up class × code counts, and so grows the CART of all rows.

Guarantee: shares hide who said what from up to N−2 honest but curious parties, given what was said in all; integers mod
q. There is NO ε: totals, sums of thresholds and labels are exact functions of the rows.

Claims: lem-selection, lem-mean-threshold, lem-own-middle, lem-pooled-cart
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
from fdpedu.exact import Integers, as_integer, as_list, quoted, require_type
from fdpedu.randomness import Rng, Source, as_source
from fdpedu.secret_sharing.counting import Order, Report, Step, Sum, wire_bytes
from fdpedu.secret_sharing.depth import MAX_BY_VALIDATION, mean_depth, own_depth
from fdpedu.secret_sharing.local import IMPURITIES, Best, Rows, chosen_attribute, n_times, read_rows, sides
from fdpedu.secret_sharing.selection import MAX_PARTIES, shared_totals
from fdpedu.secret_sharing.tree import NO_SPLIT, Ballot, SharedNode, SharedTree
from fdpedu.secure_sum import commit_coins, joint_coins

STEPS = 2**16 - 1
"""A threshold is a whole number of so many steps of its public range."""
MAX_DEPTH = 32


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


def fit_shared_tree(
    parties: Any,
    domain: Domain,
    *,
    rule: str = "mended",
    criterion: str = "entropy",
    max_depth: int | None = None,
    rng: Rng = None,
) -> SharedTree:
    """Grow a tree by secret sums among at least two parties, in one process. No ε.

    Claims: lem-selection, lem-mean-threshold, lem-own-middle, lem-pooled-cart

    Parameters
    ----------
    parties : of each a pair of its raw rows and their classes
    domain : public: ranges, categories and classes; without codes for missing values
    rule : a name of :data:`RULES`
    criterion : ``entropy`` for information gain, or ``gini``
    max_depth : from 0 to 32; None for the source's first phase: each party finds the best depth for its own tree by
        five-fold cross-validation, and the mean is taken by a secret sum
    rng : of shares, folds and coins; None for the operating system. A generator is for teaching, and warns

    Raises
    ------
    ValueError
        If there are fewer than two parties, a party has no rows or bad ones, or an option is not known.

    Examples
    --------
    >>> from fdpedu.randomness import Rehearsal
    >>> domain = Domain.from_spec({"features": {"age": [0, 100, 10]}, "classes": ["well", "ill"]})
    >>> one = [[10], [20], [60], [70]], ["well", "well", "ill", "ill"]
    >>> other = [[10], [30], [50], [90]], ["well", "well", "ill", "ill"]
    >>> tree = fit_shared_tree([one, other], domain, max_depth=1, rng=Rehearsal(1))
    >>> print(tree.to_text())
    age ≤ 40: class well
    age > 40: class ill
    """
    require_type(domain, Domain, "domain")
    _one_of(RULES, rule, "rule")
    _one_of(IMPURITIES, criterion, "criterion")
    depth = None if max_depth is None else as_integer(max_depth, "max_depth", minimum=0, maximum=MAX_DEPTH)
    if gaps := [feature.name for feature in domain.features if getattr(feature, "missing", False)]:
        raise ValueError(f"domain must have no codes for missing values, and has one for {', '.join(gaps)}")
    listed = as_list(parties, "parties")
    if not 2 <= len(listed) <= MAX_PARTIES:
        raise ValueError(f"parties must be 2 to {MAX_PARTIES}, got {len(listed)}: see fit_local_tree for one")
    on_edges = RULES[rule].joined != "mean"
    rows = [_rows_of(pair, domain, k, on_edges) for k, pair in enumerate(listed)]
    source = as_source(rng)
    before, depths = list[Step](), tuple[int, ...]()
    if depth is None:
        depths = tuple(own_depth(own, criterion, coins) for own, coins in zip(rows, source.spawn(len(rows)), strict=True))
        depth = mean_depth(depths, source)
        before = [Sum("depths", wire_bytes(MAX_BY_VALIDATION * len(rows) + 1, 1)), Report("mean depth")]
    root = _Growth(rows, domain, RULES[rule], criterion, depth, source).grown()
    return SharedTree(root, domain, rule, len(rows), depth, depths, tuple(before), (Order("stop", 1),))


def fit_local_tree(
    X: Any, y: Any, domain: Domain, *, criterion: str = "entropy", max_depth: int | None = None, rng: Rng = None
) -> SharedTree:
    """The same tree of one party's rows, or of all rows in one place: nothing is sent. Not private.

    Parameters
    ----------
    X, y : raw rows and their classes
    domain, criterion : as for :func:`fit_shared_tree`
    max_depth : None for five-fold cross-validation
    rng : of folds

    Examples
    --------
    >>> domain = Domain.from_spec({"features": {"age": [0, 100, 10]}, "classes": ["well", "ill"]})
    >>> tree = fit_local_tree([[10], [20], [60]], ["well", "well", "ill"], domain, max_depth=2)
    >>> tree, tree.predict([[35], [45]]).tolist(), len(tree.messages)
    (SharedTree(alone, 1 parties, 3 nodes; no ε: every total and every threshold is an exact function of the rows), \
['well', 'ill'], 0)
    """
    require_type(domain, Domain, "domain")
    _one_of(IMPURITIES, criterion, "criterion")
    depth = None if max_depth is None else as_integer(max_depth, "max_depth", minimum=0, maximum=MAX_DEPTH)
    rows, source = _rows_of((X, y), domain, 0, False), as_source(rng)
    depth = own_depth(rows, criterion, source) if depth is None else depth
    root = _Growth([rows], domain, RULES["mended"], criterion, depth, source).grown()
    return SharedTree(root, domain, "alone", 1, depth)


def _one_of(known: Any, name: Any, what: str) -> None:
    if not isinstance(name, str) or name not in known:
        raise ValueError(f"{what} must be one of {', '.join(known)}; got {quoted(name)}")


def _rows_of(pair: Any, domain: Domain, k: int, on_edges: bool) -> Rows:
    both = as_list(pair, f"party {k}")
    if len(both) != 2:
        raise ValueError(f"party {k} must be a pair of raw rows and their classes, got {len(both)} things")
    rows = read_rows(*both, domain, f"party {k}", on_edges=on_edges)
    if not len(rows):
        raise ValueError(f"party {k} must have at least one row")
    return rows


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
class _Growth:
    rows: list[Rows]
    domain: Domain
    rule: Rule
    criterion: str
    max_depth: int
    source: Source
    pending: list[_Place] = field(default_factory=list)

    def grown(self) -> SharedNode:
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
        low, high = (self.domain.features[j].edges[at] for at in (0, -1))  # type: ignore[union-attr]
        steps = [round((t - low) / (high - low) * STEPS) for t in own]
        total = self._sum(node, np.array(steps)[:, None], len(own) * STEPS + 1, "thresholds")
        node.thresholds = tuple(steps)
        return low + int(total[0]) / (len(own) * STEPS) * (high - low)

    def _median(self, node: SharedNode, j: int, own: Sequence[float]) -> float:
        """The lower median of the parties' borders, from how many voted for each."""
        edges = self.domain.features[j].edges[1:-1]  # type: ignore[union-attr]
        names, votes = tuple(f"{edge:.6g}" for edge in edges), [edges.index(t) for t in own]
        self._select(node, "threshold", names, votes)
        sums = np.cumsum(node.ballots[-1].totals)
        return float(edges[int((2 * sums >= len(own)).argmax())])

    def _divide(self, place: _Place, j: int, threshold: float) -> None:
        """Two branches: rows up to the threshold, and those above it."""
        low, high = place.ends[j]
        both = ({**place.ends, j: (low, min(high, threshold))}, {**place.ends, j: (max(low, threshold), high)})
        place.node.threshold = threshold
        parts = [list(sides(rows, j, threshold)) for rows in place.rows]
        self._enter(place, j, [(list(part), ends, place.asked) for part, ends in zip(zip(*parts), both, strict=True)])

    def _branch(self, place: _Place, j: int) -> None:
        """A branch for each public category."""
        place.node.branch_of = tuple(range(self.domain.features[j].n_codes))
        parts = [list(sides(rows, j, None)) for rows in place.rows]
        self._enter(place, j, [(list(part), place.ends, place.asked | {j}) for part in zip(*parts)])

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
        node, most = place.node, sum(map(len, self.rows))
        deepest = node.depth >= self.max_depth
        tables = np.stack([self._table(rows, deepest) for rows in place.rows])
        pooled = self._sum(node, tables.reshape(len(tables), -1), most + 1, "histograms").reshape(tables.shape[1:])
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
        codes = np.column_stack([feature.encode(column) if feature.ordered else column for feature, column in zip(self.domain.features, rows.values.T, strict=True)])
        return grid_histograms(codes.astype(np.uint8), rows.labels, self.domain)

    def _best_pooled(self, table: Integers, region: Region) -> CodeSplit | None:
        if self.criterion == "gini":
            # lem-pooled-cart: the very search of chapter 1
            found = best_grid_split(table, self.domain)
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
