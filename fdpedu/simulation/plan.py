"""What a method does at the nodes of a level, and at leaves; and the two methods that need no noise."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fdpedu.cart.split import Counts
from fdpedu.domain import Domain
from fdpedu.randomness import Source
from fdpedu.simulation.grid import Floats, Grid, Mask
from fdpedu.simulation.search import Choice, Indices, Search


class Nodes(NamedTuple):
    """Some nodes of a level.

    Parameters
    ----------
    counts : their exact histograms, shape (C, B, N, p)
    inside : which codes lie in them, shape (B, N, p)
    saved : the budget that was saved above each, shape (N,); 0 for most methods
    places, at, parties : of their rows to learn from, n in all: class and code as :meth:`Grid.places`, shape (n, p);
        the node of each, shape (n,); and its party, shape (n,)
    deepest : whether sides of these nodes are leaves, because they are at full depth
    level : of these nodes, 0 for roots
    told : what the method was told of each node above it, shape (N, numbers); None if it asks for nothing
    """

    counts: Counts
    inside: Mask
    saved: Floats
    places: NDArray[np.int32]
    at: Indices
    parties: Indices
    deepest: bool
    level: int = 0
    told: Indices | None = None


class Views(NamedTuple):
    """Class counts of some nodes as releases tell them, (N, C), and the variance of the noise in them, (N,)."""

    counts: Floats
    variance: Floats


class Decided(NamedTuple):
    """What becomes of N nodes.

    Parameters
    ----------
    choice : their splits
    saved : the budget that was saved for each one's sides or leaf, shape (N,)
    views : what was learnt of their totals; None if no leaf predicts from that
    sides : what was learnt of their sides, left and right in turn, 2N in all; None if nothing reads it
    told : what their sides are told, left and right in turn, shape (2N, numbers); None if they are told nothing
    """

    choice: Choice
    saved: Floats
    views: Views | None = None
    sides: Views | None = None
    told: Indices | None = None


@dataclass(frozen=True)
class Plan(ABC):
    """A method with its parameters.

    Parameters
    ----------
    domain : public
    depth : the most splits on a branch
    least : rows; a node with fewer is a leaf, as far as the method can tell
    """

    domain: Domain
    depth: int
    least: int

    @cached_property
    def grid(self) -> Grid:
        """The cells of the domain's features."""
        return Grid(self.domain)

    @cached_property
    def search(self) -> Search:
        """The splits of the domain."""
        return Search(self.grid)

    @abstractmethod
    def decide(self, nodes: Nodes, source: Source) -> Decided:
        """Which nodes are split, and how."""

    @abstractmethod
    def release(self, counts: Counts, saved: Floats, paid: int, source: Source) -> Floats:
        """What leaves predict from, from their exact class counts (N, C); so many levels were paid on their paths."""

    @property
    def party(self) -> int | None:
        """The party whose rows are used, or None for all rows."""
        return None

    def begin(self, runs: int, source: Source) -> Indices | None:
        """What the roots of so many runs are told, shape (runs, numbers), drawn before anything else; None: nothing."""
        return None

    def designers(self, told: Indices | None, level: int) -> Indices | None:
        """The party whose rows alone decide on each node of a level, shape (N,); None if all rows do."""
        return None

    @property
    def reconciles(self) -> bool:
        """Whether leaves predict from counts that add up over the whole tree."""
        return False

    def leaf_variance(self, paid: int) -> float:
        """The variance of the noise in each count of :meth:`release`."""
        return 0.0


@dataclass(frozen=True)
class Cart(Plan):
    """CART on the grid, without noise: :func:`fdpedu.cart.fit_cart`.

    Parameters
    ----------
    domain, depth, least : of any plan
    only : the party whose rows are learnt from; None for all rows
    """

    only: int | None = None

    @property
    def party(self) -> int | None:
        """As it is given."""
        return self.only

    def decide(self, nodes: Nodes, source: Source) -> Decided:
        """Stop at few rows, or at one class; else the least n·G."""
        totals = nodes.counts[..., 0].sum(axis=1)
        stop = (totals.sum(axis=0) < self.least) | (np.count_nonzero(totals, axis=0) <= 1)
        return Decided(stopped(self.search.best(nodes.counts.astype(np.float64)), stop), nodes.saved)

    def release(self, counts: Counts, saved: Floats, paid: int, source: Source) -> Floats:
        """The counts as they are."""
        return counts.astype(np.float64)


def stopped(choice: Choice, stop: NDArray[np.bool_]) -> Choice:
    """The same choice, but no split where a rule says stop."""
    return Choice(choice.found & ~stop, choice.feature, choice.left)


def joined(parts: list[Decided]) -> Decided:
    """Decisions on parts of a level, put together."""
    if len(parts) == 1:
        return parts[0]
    choice = Choice(*(np.concatenate([part.choice[i] for part in parts]) for i in range(3)))
    saved = np.concatenate([part.saved for part in parts])
    told = [part.told for part in parts if part.told is not None]
    views, sides = (_all([getattr(part, name) for part in parts]) for name in ("views", "sides"))
    return Decided(choice, saved, views, sides, np.concatenate(told) if told else None)


def _all(parts: list[Views | None]) -> Views | None:
    views = [part for part in parts if part]
    return Views(*(np.concatenate([view[i] for view in views]) for i in range(2))) if views else None


def leaves(nodes: int, codes: int) -> Choice:
    """No split anywhere."""
    return Choice(np.zeros(nodes, dtype=bool), np.zeros(nodes, dtype=np.int64), np.zeros((nodes, codes), dtype=bool))
