"""What trees of choices have in common: nodes that are split by what somebody drew, and one round for all leaves.

A node is split whatever its rows are, also where there are none: whether there are any is not public. Only where the
region has no split left, which is public, a branch ends early.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from fdpedu.accounting import Charge
from fdpedu.accounting.limits import needs_of, needs_of_full_tree, require_left
from fdpedu.cart import CodeSplit, candidates
from fdpedu.dlpa import count_noise_shares
from fdpedu.domain import Domain
from fdpedu.exact import Integers, Rate
from fdpedu.federation import ClassCounts, Query
from fdpedu.federation.federation import Progress
from fdpedu.sampling import require_drawable
from fdpedu.trees.counts import UNKNOWN, View, built, estimates_and_counts, in_order
from fdpedu.trees.growing import Growing
from fdpedu.trees.leaf_release import LeafRelease
from fdpedu.trees.protocol import Asker, Grown, adding_what_is_paid
from fdpedu.trees.pruning import pruned_node
from fdpedu.trees.stopping import noise_deviation

MAX_LEVELS = 8
"""Every node is split, so a tree has 2^levels leaves."""


def require_levels(levels: int, design: str) -> None:
    """Refuse a tree of more levels than :data:`MAX_LEVELS`."""
    if levels > MAX_LEVELS:
        raise ValueError(
            f"max_depth must be at most {MAX_LEVELS} for the design {design!r}, got {levels}: every node is split, so "
            "each level doubles the number of leaves"
        )


def splits_of(domain: Domain, node: Growing) -> bool:
    """Whether the region of a node can be divided; public, as the region is."""
    return any(mask.bit_count() > 1 for mask in node.region.features)


@dataclass
class Choosing:
    """A tree of choices while it grows.

    Parameters
    ----------
    asker : whoever releases
    account : that all is charged to
    leaf : what the counts of a leaf cost
    rounds : how many there will be, at most
    prune : whether leaves of one label are merged in the end
    """

    asker: Asker
    account: str
    leaf: Fraction
    rounds: int
    prune: bool
    root: Growing = field(init=False)
    open: list[Growing] = field(default_factory=list, init=False)
    leaves: list[Growing] = field(default_factory=list, init=False)
    done: int = field(default=0, init=False)
    counted: bool = field(default=False, init=False)

    def __post_init__(self) -> None:
        require_drawable(Rate(rate=self.leaf))
        self.root = Growing(self.asker.domain.everything)

    @property
    def goes_on(self) -> bool:
        """Whether leaves still wait for their counts."""
        return not self.counted

    def enter(self, nodes: Iterable[Growing], *, deepest: bool) -> None:
        """Open the nodes that can be divided; the others are leaves, and all are at full depth."""
        self.open = []
        for node in nodes:
            (self.leaves if deepest or not splits_of(self.asker.domain, node) else self.open).append(node)

    def release(self, queries: Sequence[Query], progress: Progress) -> list[Integers]:
        """One round."""
        with adding_what_is_paid(self.done):
            answers = self.asker.release(queries, self.account, answered=self.progress(progress))
        self.done += 1
        return answers

    def split(self, node: Growing, position: int) -> tuple[Growing, ...]:
        """The two sides of a node, given 1 + the position of its split among the candidates of its region."""
        chosen: CodeSplit = candidates(self.asker.domain, node.region)[position - 1]
        return node.split(chosen)

    def count_leaves(self, progress: Progress) -> None:
        """One round for the class counts of all leaves."""
        answers = self.release([ClassCounts(node.region, self.leaf) for node in self.leaves], progress)
        for node, counts in zip(self.leaves, answers, strict=True):
            node.views.append(View(counts, self._deviation() ** 2))
            node.release = LeafRelease(node.region, tuple(counts.tolist()), self.leaf)
        self.counted = True

    def _deviation(self) -> float:
        """The standard deviation of the noise in a leaf's counts."""
        parties = self.asker.n_parties
        return noise_deviation(Rate(rate=self.leaf), parties, count_noise_shares(parties, self.asker.tolerate))

    def progress(self, report: Progress) -> Progress:
        """Progress of this round as progress of the whole tree."""
        before = self.done
        return lambda done, of: report(before * of + done, self.rounds * of)

    def finish(self) -> Grown:
        """The tree: what was released of its leaves, and sums of that above them."""
        nodes, parents = in_order(self.root, lambda node: node.sides)
        nothing = View(np.zeros(self.asker.domain.n_classes), UNKNOWN)
        views = [node.views or [nothing] for node in nodes]
        _, counts = estimates_and_counts(parents, views)
        released = [_released(node.views) for node in nodes]
        grown = built(parents, [node.chosen for node in nodes], counts, released)
        return Grown(pruned_node(grown) if self.prune else grown, self.root.releases())

    def require_room(self, charges: Iterable[Charge], levels: int) -> None:
        """Refuse a tree that the derivation of the ledger cannot hold; before anything is charged.

        ``charges`` are those of a node, of whatever level, and of a leaf.
        """
        ledger, asked, nodes = self.asker.ledger, list(charges), 2 ** (levels + 1)
        needs = needs_of(asked, nodes) + needs_of_full_tree(self.asker.domain, levels) + Counter(steps=2 * nodes)
        require_left(ledger.counts, ledger.budget, [charge.epsilon for charge in asked], needs)


def _released(views: list[View]) -> tuple[float, ...]:
    """The class counts of a leaf as they were released; of an inner node nothing was."""
    return tuple(float(count) for count in views[-1].counts.tolist()) if views else ()


def positions(answers: Iterable[Integers]) -> Iterator[tuple[int, ...]]:
    """The numbers that were released, as integers."""
    return (tuple(int(number) for number in answer.ravel()) for answer in answers)
