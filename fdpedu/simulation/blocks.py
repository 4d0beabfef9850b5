"""One owner's trees: blocks of three splits, each drawn at once among all blocks of depth 2.

Every other level draws a block, Pr ∝ e^{−ε·loss/m}: the root with weight Z_left·Z_right, then a split of each side for
itself. The sides' splits are told to the level below, which looks at no rows. A side that no candidate divides is a
leaf of the block. All blocks have equal shares of (1−s)ε; leaves have noisy counts at sε.

Drawn by the largest of −ε·loss/m + G with G of Gumbel's law, and sums of weights by their logarithms: the laws are
those of :func:`fdpedu.mechanisms.draw_block`, up to the rounding of floats.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from fdpedu.accounting import Cost
from fdpedu.domain import Domain
from fdpedu.randomness import Source
from fdpedu.simulation.candidates import exponential_noise, in_steps, loss_of
from fdpedu.simulation.choosing import Choosing, leaf_cost
from fdpedu.simulation.grid import Floats, Mask
from fdpedu.simulation.parameters import Parameters, require_no_colluders
from fdpedu.simulation.plan import Decided, Nodes, leaves
from fdpedu.simulation.search import Choice, Indices
from fdpedu.trees.designs import owner as designs
from fdpedu.trees.designs.base import epsilon_of
from fdpedu.trees.shape import Asked

_AT_ONCE = 2**22  # rows × candidates, or pairs of candidates, at a time; sums of so many ones are exact in 32 bits
NONE = -1


@dataclass(frozen=True)
class Owner(Choosing):
    """Blocks of depth 2 by the exponential mechanism.

    Parameters
    ----------
    domain, depth, least, loss, lattice, leaf, n_parties, tolerate : of plans that choose; there is one party
    block : ε of a block
    """

    block: Fraction

    def decide(self, nodes: Nodes, source: Source) -> Decided:
        """The roots of blocks, or the sides that were drawn with those above."""
        if nodes.level % 2:
            return Decided(self.told(nodes), nodes.saved)
        number = nodes.inside.shape[1]
        step = max(1, _AT_ONCE // (self.grid.n_classes * len(self.every[0]) ** 2))
        parts = [self.drawn(some_of(nodes, first, first + step), source) for first in range(0, number, step)]
        drawn = np.concatenate(parts)
        return Decided(self.splits(drawn[:, 0]), nodes.saved, told=drawn[:, 1:].reshape(-1, 1))

    def told(self, nodes: Nodes) -> Choice:
        """The splits that were drawn with those above."""
        if nodes.told is None:
            return leaves(nodes.inside.shape[1], self.grid.most_codes)
        return self.splits(nodes.told[:, 0])

    def splits(self, numbers: Indices) -> Choice:
        """The splits by their numbers among all candidates; none of the number −1."""
        position, slot = self.every
        return self.candidates.named(numbers != NONE, position[numbers], slot[numbers])

    @cached_property
    def every(self) -> tuple[Indices, Indices]:
        """Position and slot of every candidate of the domain; a region's are some of them."""
        position, slot = np.nonzero(self.candidates.dividing(self.grid.everything(1))[:, 0])
        order = np.lexsort((position, slot))
        return position[order], slot[order]

    def drawn(self, nodes: Nodes, source: Source) -> Indices:
        """Blocks: the numbers of each node's root, left and right split, −1 where there is none: shape (N, 3)."""
        roots, here = self.dividing(nodes.inside), np.arange(nodes.inside.shape[1], dtype=np.int64)
        scores = [side * (-float(self.block) / self.lattice) for side in self.losses(nodes)]
        noisy = np.where(roots, sum(map(log_sums, scores)) + gumbel(roots.shape, source), -np.inf)
        found = [np.where(roots.any(axis=1), noisy.argmax(axis=1), NONE)]
        for side in scores:
            own = side[here, found[0]]
            best = (own + gumbel(own.shape, source)).argmax(axis=1)
            found.append(np.where((found[0] == NONE) | (best == roots.shape[1]), NONE, best))
        return np.stack(found, axis=1)

    def losses(self, nodes: Nodes) -> list[Floats]:
        """Of the left and the right side of each root: ⌊m·loss⌋ of each candidate, ∞ where it divides nothing.

        The last column is what a side leaves that nothing divides, ∞ where it can be divided: shape (N, Q, Q + 1).
        """
        number, total = nodes.inside.shape[1], nodes.counts[..., 0].sum(axis=1)
        joint = self.joint_counts(nodes.places, nodes.at, number)
        lefts, found = np.diagonal(joint, axis1=2, axis2=3), list[Floats]()
        for left, whole, goes_left in (
            (joint, lefts, True),
            (lefts[:, :, None] - joint, total[:, :, None] - lefts, False),
        ):
            divides = self.dividing(self.sides(nodes.inside, goes_left=goes_left)).reshape(joint.shape[1:])
            steps = in_steps(loss_of(left, self.loss) + loss_of(whole[..., None] - left, self.loss), self.lattice)
            alone = np.where(divides.any(axis=2), np.inf, in_steps(loss_of(whole, self.loss), self.lattice))
            found.append(np.concatenate([np.where(divides, steps, np.inf), alone[..., None]], axis=2))
        return found

    def joint_counts(self, places: NDArray[np.int32], at: Indices, nodes: int) -> Floats:
        """For each class and node, how many rows stand on the left of each two candidates: shape (C, N, Q, Q)."""
        position, slot = self.every
        feature, left = self.candidates.feature_of[slot], self.candidates.left[position, slot].astype(np.float32)
        labels, codes = np.divmod(places, self.grid.most_codes)
        group = labels[:, 0].astype(np.int64) * nodes + at
        order = np.argsort(group, kind="stable")
        joint = np.zeros((self.grid.n_classes * nodes, len(slot), len(slot)))
        step = max(1, _AT_ONCE // len(slot))
        for first in range(0, len(order), step):
            rows = order[first : first + step]
            member = np.empty((len(rows), len(slot)), dtype=np.float32)
            for j in np.unique(feature):
                member[:, feature == j] = left[feature == j].T[codes[rows, j]]
            groups, starts = np.unique(group[rows], return_index=True)
            for own, part in zip(groups.tolist(), np.split(member, starts[1:]), strict=True):
                joint[own] += part.T @ part
        return joint.reshape(self.grid.n_classes, nodes, len(slot), len(slot))

    def sides(self, inside: Mask, *, goes_left: bool) -> Mask:
        """The codes of one side of each candidate in each region, (B, N, p) → (B, N·Q, p)."""
        position, slot = self.every
        found = np.repeat(inside[:, :, None], len(slot), axis=2)
        own = (self.candidates.left[position, slot] == goes_left).T
        found[:, :, np.arange(len(slot), dtype=np.int64), self.candidates.feature_of[slot]] &= own[:, None]
        return found.reshape(len(inside), -1, inside.shape[2])

    def dividing(self, inside: Mask) -> Mask:
        """Which of all candidates divide each region: (B, N, p) → (N, Q)."""
        position, slot = self.every
        return self.candidates.dividing(inside)[position, :, slot].T


def owner_plan(
    design: designs.Owner, domain: Domain, n_parties: int, budget: Cost | Fraction, given: Parameters
) -> Owner:
    """The plan of :class:`fdpedu.trees.designs.owner.Owner`; the rows of all parties are one owner's.

    Parameters
    ----------
    design : how splits are judged
    domain, n_parties : of the rows
    budget : ε, what a tree costs
    given : its shape
    """
    epsilon = epsilon_of(budget, "owner")
    require_no_colluders(given, "one owner of all rows")
    _, shape = design.settled(Asked(given.max_depth, given.leaf_share), epsilon)
    block = (1 - shape.leaf_share) * epsilon / max(1, shape.depth // 2)
    leaf = leaf_cost(shape, epsilon, block)
    return Owner(domain, shape.depth, 0, design.loss, design.lattice, leaf, 1, 0, block)


def some_of(nodes: Nodes, first: int, last: int) -> Nodes:
    """The nodes from ``first`` to the one before ``last``, with their rows, which are in the order of the nodes."""
    rows, own = slice(*np.searchsorted(nodes.at, [first, last])), slice(first, last)
    return nodes._replace(
        counts=nodes.counts[:, :, own],
        inside=nodes.inside[:, own],
        saved=nodes.saved[own],
        places=nodes.places[rows],
        at=nodes.at[rows] - first,
        parties=nodes.parties[rows],
        told=None if nodes.told is None else nodes.told[own],
    )


def log_sums(scores: Floats) -> Floats:
    """log Σ e^score along the last axis; −∞ counts nothing.

    >>> log_sums(np.log([[1.0, 3.0]])).round(9).tolist() == [round(float(np.log(4)), 9)]
    True
    """
    most = scores.max(axis=-1)
    return np.asarray(most + np.log(np.exp(scores - most[..., None]).sum(axis=-1)))


def gumbel(shape: tuple[int, ...], source: Source) -> Floats:
    """Numbers of Gumbel's law."""
    return np.asarray(-np.log(exponential_noise(shape, source)))
