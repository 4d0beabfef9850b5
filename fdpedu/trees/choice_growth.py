"""How a tree of choices grows: nodes that are split by what somebody drew, and one round for all leaves.

A node is split whatever its rows are, also where there are none: whether there are any is not public. Only where the
region has no split left, which is public, a branch ends early.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from fdpedu.accounting import as_cost
from fdpedu.accounting.limits import needs_of, needs_of_full_tree, require_left
from fdpedu.cart import CodeSplit, candidates
from fdpedu.cart.candidates import Candidates
from fdpedu.domain import Region
from fdpedu.exact import Integers
from fdpedu.federation import ClassCounts, Query
from fdpedu.federation.asker import Asker, Progress
from fdpedu.histograms import clip
from fdpedu.trees.account import Account
from fdpedu.trees.counts import UNKNOWN, View, built, estimates_and_counts, in_order
from fdpedu.trees.growing import Growing
from fdpedu.trees.leaf_release import LeafRelease
from fdpedu.trees.protocol import Grown
from fdpedu.trees.pruning import pruned_node
from fdpedu.trees.replay import known


@dataclass
class ChoiceGrowth(ABC):
    """A tree of choices while it grows: a round for each turn of choices, and one for all leaves.

    What cannot be asked to the end is refused when the tree begins, before anything is charged.

    Parameters
    ----------
    asker : whoever releases
    account : that all is charged to
    design : how splits are judged
    costs : of the choice at a node, for each turn
    leaf : what the counts of a leaf cost
    """

    asker: Asker
    account: Account
    design: Any
    costs: tuple[Fraction, ...]
    leaf: Fraction
    levels: ClassVar[int] = 1  # of splits that one turn makes
    root: Growing = field(init=False)
    open: list[Growing] = field(default_factory=list, init=False)
    leaves: list[Growing] = field(default_factory=list, init=False)
    done: int = field(default=0, init=False)  # rounds
    turn: int = field(default=0, init=False)  # of choices
    counted: bool = field(default=False, init=False)

    @abstractmethod
    def question(self, region: Region, turn: int) -> Query:
        """What is asked at a node."""

    @abstractmethod
    def sides(self, node: Growing, answer: Integers) -> Iterable[Growing]:
        """What a node is divided into, given what was answered."""

    def leaf_question(self, region: Region) -> Query:
        """What is asked at a leaf."""
        return ClassCounts(region, self.leaf)

    def read_leaf(self, node: Growing, answer: Integers) -> None:
        """Keep what a leaf was answered."""
        node.views.append(View(answer, 1.0))  # all have the same noise, so its size does not matter
        node.release = LeafRelease(node.region, tuple(answer.tolist()), as_cost(self.leaf))

    def candidates(self, region: Region) -> Candidates:
        """The splits that a region may have; public, as the region is."""
        return candidates(self.asker.domain, region)

    def questions(self) -> list[Query]:
        """One of each kind that is asked before the leaves, to be checked before anything is charged."""
        return [self.question(self.asker.domain.everything, turn) for turn in range(len(self.costs))]

    def answers(self, progress: Progress) -> Sequence[Integers]:
        """What is answered at each open node: one round."""
        return self.release([self.question(node.region, self.turn) for node in self.open], progress)

    def __post_init__(self) -> None:
        everything = self.asker.domain.everything
        asked = [*self.questions(), self.leaf_question(everything)]
        for query in asked:
            query.check(self.asker.domain)
        self._require_room(asked)
        self.root = Growing(everything)
        self.enter([self.root])

    @property
    def goes_on(self) -> bool:
        """Whether leaves still wait for their counts."""
        return not self.counted

    def round(self, progress: Progress) -> None:
        """One turn of choices at all open nodes; or the counts of all leaves."""
        if not self.open:
            self.count_leaves(progress)
            return
        answers = self.answers(progress)
        self.turn += 1
        self.enter(side for node, answer in zip(self.open, answers, strict=True) for side in self.sides(node, answer))

    def enter(self, nodes: Iterable[Growing]) -> None:
        """Open the nodes that can be divided; the others are leaves, and all are at full depth."""
        arrived, self.open, deepest = list(nodes), [], self.turn == len(self.costs)
        for node in arrived:
            (self.leaves if deepest or not len(self.candidates(node.region)) else self.open).append(node)

    def release(self, queries: Sequence[Query], progress: Progress) -> list[Integers]:
        """One round."""
        answers = self.account.release(queries, answered=self.progress(progress))
        self.done += 1
        return answers

    def split(self, node: Growing, position: int) -> tuple[Growing, ...]:
        """The two sides of a node, given 1 + the position of its split among the candidates of its region."""
        chosen: CodeSplit = self.candidates(node.region)[position - 1]
        return node.split(chosen)

    def count_leaves(self, progress: Progress) -> None:
        """One round for all leaves."""
        answers = self.release([self.leaf_question(node.region) for node in self.leaves], progress)
        for node, answer in zip(self.leaves, answers, strict=True):
            self.read_leaf(node, answer)
        self.counted = True

    @property
    def rounds(self) -> int:
        """How many there are, if no branch ends early."""
        return len(self.costs) + 1

    def progress(self, report: Progress) -> Progress:
        """Progress of this round as progress of the whole tree."""
        before, rounds = self.done, self.rounds
        return lambda done, of: report(before * of + done, rounds * of)

    def finish(self) -> Grown:
        """The tree: what was released of its leaves, and sums of that above them.

        Until leaves are counted nothing is known of them but what histograms above them hold. Where there are none,
        all classes have equal shares.
        """
        nodes, parents = in_order(self.root, lambda node: node.sides)
        nothing = View(np.zeros(self.asker.domain.n_classes), UNKNOWN)
        views = [node.views or ([nothing] if node.sides else [self.known(node.region)]) for node in nodes]
        _, counts = estimates_and_counts(parents, views)
        released = [_released(node.views) or count for node, count in zip(nodes, counts, strict=True)]
        grown = built(parents, [node.chosen for node in nodes], counts, released)
        return Grown(pruned_node(grown) if self.design.prune and self.counted else grown, self.root.releases())

    def known(self, region: Region) -> View:
        """What is shown of a leaf that waits for its counts."""
        return View(clip(known(region, self.account.released, self.asker.domain)), 1.0)

    def _require_room(self, asked: Sequence[Query]) -> None:
        """Refuse a tree that the derivation of the ledger cannot hold; ``asked`` is of each round, and of a leaf."""
        ledger, levels = self.asker.ledger, len(self.costs) * self.levels
        charges = [query.charge(self.asker.domain, self.asker.colluders, "any") for query in asked]
        nodes = 2 ** (levels + 1)
        needs = needs_of(charges, nodes) + needs_of_full_tree(self.asker.domain, levels) + Counter(steps=2 * nodes)
        require_left(ledger.counts, ledger.total, [charge.cost for charge in charges], needs)


def _released(views: list[View]) -> tuple[float, ...]:
    """The class counts of a leaf as they were released; of an inner node, or a leaf that waits, nothing was."""
    return tuple(float(count) for count in views[-1].counts.tolist()) if views else ()
