"""What a federated tree makes of the counts that are released: a choice that costs nothing, under a name."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from types import MappingProxyType
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from fdpedu.accounting import Cost
from fdpedu.cart import CodeSplit, GridSearch
from fdpedu.cart.grid import shrunk_gain
from fdpedu.cart.split import Counts
from fdpedu.dlpa import LevelCost
from fdpedu.domain import Region
from fdpedu.exact import Rational, as_indices, as_integer, require_callable, require_type
from fdpedu.federation.asker import Asker
from fdpedu.histograms import clip
from fdpedu.randomness import Source
from fdpedu.trees import stopping
from fdpedu.trees.costs import Costs
from fdpedu.trees.count_growth import CountGrowth
from fdpedu.trees.designs.base import TreeDesign
from fdpedu.trees.shape import Asked, Shape, screened_shape
from fdpedu.trees.tree_paid import Paid

_KNOWN = ("max_depth", "leaf_share", "unspent_to_leaf")  # what a caller may ask of it
_SWITCHES = ("relative", "unspent_to_leaf", "consistent", "clip", "fresh_leaves", "prune")


_REASONS: tuple[tuple[str, Callable[[Design], bool], str], ...] = (
    ("stop", lambda d: True, "a test on released counts is post-processing; the variance of the noise is public"),
    ("relative", lambda d: d.relative, "G is computed from released counts: post-processing"),
    (
        "shrink",
        lambda d: d.shrink > 0,
        "the gain is computed from released counts and from the public rate of the noise",
    ),
    ("clip", lambda d: d.clip, "a released count below 0 is set to 0: post-processing"),
    (
        "unspent_to_leaf",
        lambda d: d.unspent_to_leaf and d.fresh_leaves,
        "a path that ends early has not spent its part, and the filter lemma lets its leaf spend it; for pure ε only: "
        "with δ, optimal composition needs costs that are fixed beforehand",
    ),
    ("consistent", lambda d: d.consistent, "counts that add up are computed from released counts: post-processing"),
    (
        "features_per_node",
        lambda d: d.features_per_node is not None,
        "public coins choose the features before any count is drawn; q histograms at ε_node/q each cost ε_node, as p "
        "histograms at ε_node/p did",
    ),
    (
        "keep",
        lambda d: d.keep is not None,
        "the features that are asked for below the root are chosen from its released counts: post-processing; the "
        "shares of the levels are public",
    ),
    (
        "fresh_leaves",
        lambda d: not d.fresh_leaves,
        "leaves read histograms that are paid for, so the leaf share goes to the histograms: the same ε in d rounds",
    ),
    (
        "prune",
        lambda d: d.prune,
        "leaves are merged by their released labels: post-processing, with the same predictions",
    ),
)


@dataclass(frozen=True, repr=False)
class Design(TreeDesign):
    """How a tree is grown from noisy counts: what costs nothing, or divides what is paid in another way.

    A tree costs ε at most under every design. ``reasons`` says of each option in use why. A kind of it that compares
    splits in a way of its own has a method ``best_splits``, and says so by ``own_comparison``.

    Parameters
    ----------
    stop : when a node becomes a leaf, a rule of :mod:`fdpedu.trees.stopping`
    relative : compare splits by G, each feature dividing by its own total, instead of by n·G
    shrink : if positive, compare splits by their gain, shrunk by so many standard deviations of a cell's noise
    unspent_to_leaf : give an early leaf the node budget that its depth did not use; else the report's ε_leaf
    consistent : leaves predict from the estimates that all views of the tree give together; else from what was released
        for them alone. The counts that a tree shows add up in any case (:mod:`fdpedu.trees.counts`)
    clip : noisy counts below 0 become 0 before splits are compared; else, where gains are shrunk, splits are compared
        by raw noisy counts
    features_per_node : q, or "sqrt" for ⌈√p⌉: each node asks for the histograms of q features, drawn by public coins,
        at ε_node/q each; of all p, if there are no more or nothing is given. A level has at most 2,048/q nodes, as a
        round has 4,096 queries
    fresh_leaves : leaves have class counts of their own, at ``leaf_share`` of ε; else they read the histograms of their
        node or of its parent, and all of ε goes to the histograms
    prune : sibling leaves of one label are merged at the end (:mod:`fdpedu.trees.pruning`)
    keep : k, features: below the root, only the histograms of the k features of largest noisy gain there are asked for.
        The levels share what is not for the leaves in proportion to √p, √k, √k, …, as the deviation of a cell's noise
        is so many times smaller with so few histograms; not together with ``features_per_node``
    """

    stop: stopping.Rule = stopping.confident
    relative: bool = False
    shrink: float = 0
    unspent_to_leaf: bool = True
    consistent: bool = True
    clip: bool = True
    features_per_node: int | Literal["sqrt"] | None = None
    fresh_leaves: bool = True
    prune: bool = False
    keep: int | None = None
    own_comparison: ClassVar[bool] = False

    def __post_init__(self) -> None:
        require_callable(self.stop, "stop")
        for name in _SWITCHES:
            require_type(getattr(self, name), bool, name)
        q = self.features_per_node
        if isinstance(q, str) and q != "sqrt":
            raise ValueError(f"features_per_node must be an integer, 'sqrt' or None, got {q!r:.40}")
        if q is not None and not isinstance(q, str):
            object.__setattr__(self, "features_per_node", as_integer(q, "features_per_node", minimum=1))
        if self.keep is not None:
            object.__setattr__(self, "keep", as_integer(self.keep, "keep", minimum=1))
            if q is not None or not self.fresh_leaves:
                raise ValueError(
                    "keep must be None with features_per_node, and where leaves have no counts of their own: the "
                    "histograms of the root are those of all features"
                )
        if (
            isinstance(self.shrink, bool)
            or not isinstance(self.shrink, (int, float))
            or not 0 <= self.shrink < math.inf
        ):
            raise ValueError(f"shrink must be a finite number of at least 0, got {self.shrink!r:.40}")
        if not self.clip and not self.shrink and not self.own_comparison:
            raise ValueError("clip must be True where shrink is 0: impurities of negative counts have no least one")

    def __repr__(self) -> str:
        """The fields that differ from the default; a rule by its name."""
        default = type(self)()
        chosen = {field.name: getattr(self, field.name) for field in fields(self)}
        chosen_otherwise = [
            f"{name}={getattr(value, '__name__', value)}"
            for name, value in chosen.items()
            if value != getattr(default, name)
        ]
        return f"{type(self).__name__}({', '.join(chosen_otherwise)})"

    def histograms_per_node(self, n_features: int) -> int:
        """The number of histograms that share the cost of a node, given the number of features.

        >>> [Design(features_per_node=q).histograms_per_node(10) for q in (None, 3, 50, "sqrt")]
        [10, 3, 10, 4]
        """
        if self.features_per_node == "sqrt":
            return 1 + math.isqrt(n_features - 1)
        return min(self.features_per_node or n_features, n_features)

    def histograms_at(self, level: int, n_features: int) -> int:
        """The same at a level: below the root at most ``keep``, where this is given.

        >>> [Design(keep=4).histograms_at(level, 10) for level in range(3)]
        [10, 4, 4]
        """
        if self.keep is None or level == 0:
            return self.histograms_per_node(n_features)
        return min(self.keep, n_features)

    def level_weights(self, depth: int, n_features: int) -> tuple[int, ...]:
        """In proportion to what the levels cost: ⌊10·√q⌋ for q histograms a node; empty where all cost the same.

        >>> Design(keep=4).level_weights(3, 25), Design().level_weights(3, 25)
        ((50, 20, 20), ())
        """
        if self.keep is None:
            return ()
        return tuple(math.isqrt(100 * self.histograms_at(level, n_features)) for level in range(depth))

    def kept_features(self, table: Counts, search: GridSearch, deviation: float) -> tuple[int, ...]:
        """The ``keep`` features whose best split has the largest noisy gain, ascending; ties go to the first.

        Claims: lem-screening-free

        Parameters
        ----------
        table : noisy counts of the root, shape (Σ codes, classes); below 0 they count as 0
        search, deviation : as for :meth:`best_splits`
        """
        counts, shrink = np.maximum(table, 0), self.shrink * deviation
        of_feature = np.repeat(np.arange(len(search.sizes), dtype=np.int64), as_indices(search.sizes))
        gains = list[float]()
        for j in range(len(search.sizes)):
            (best,) = search.best_splits(np.where((of_feature == j)[:, None], counts, 0)[None], shrink=shrink)
            sides = None if best is None else (np.array(best.left), np.array(best.right))
            gains.append(-1.0 if sides is None else float(shrunk_gain(*sides, shrink)))
        return tuple(sorted(sorted(range(len(gains)), key=lambda j: -gains[j])[: self.keep]))

    def best_splits(
        self, tables: Counts, inside: NDArray[np.bool_], search: GridSearch, deviation: float
    ) -> list[CodeSplit | None]:
        """The best split of each node, as the design compares them; None where there is none.

        Parameters
        ----------
        tables : noisy counts, 0 outside of the node, shape (nodes, Σ codes, classes)
        inside : which codes lie in the node and were asked for, shape (nodes, Σ codes)
        search : of the domain
        deviation : of the noise of a cell
        """
        counts = clip(tables) if self.clip else tables
        found = search.best_splits(counts, relative=self.relative, shrink=self.shrink * deviation)
        return [None if candidate is None else candidate.split for candidate in found]

    def reasons(self) -> tuple[tuple[str, str], ...]:
        """For each option in use its name, and one line on why it costs nothing, or what it changes in the account."""
        return tuple((name, why) for name, in_use, why in _REASONS if in_use(self))

    def to_json(self) -> dict[str, Any]:
        """The entry of a tree's file. A user's own rule has no name there."""
        content = {field.name: getattr(self, field.name) for field in fields(self)}
        return {**content, "stop": next((name for name, rule in stopping.RULES.items() if rule is self.stop), None)}

    @property
    def reads_size(self) -> bool:
        """Only where features are screened."""
        return self.keep is not None

    def settled(self, asked: Asked, budget: Cost | Rational) -> tuple[Design, Shape]:
        """As asked; else 3 levels, ½ for leaves, 10 rows, or where features are screened what N·ε says."""
        rows = ("min_samples_split",) if self.stop is not stopping.never else ()
        size = ("nominal_size",) if self.keep is not None else ()
        asked.require_only((*_KNOWN, *rows, *size), "of noisy counts" if self.keep is None else "screened")
        depth, share = (3, Fraction(1, 2)) if self.keep is None else screened_shape(asked.nominal_size, budget)
        to_leaf = self.unspent_to_leaf if asked.unspent_to_leaf is None else asked.unspent_to_leaf
        least = 0 if self.stop is stopping.never else 10
        return replace(self, unspent_to_leaf=to_leaf), asked.shape(depth, share, least)

    def costs(self, budget: Cost | Rational, shape: Shape, n_features: int) -> Costs:
        """What the releases of a tree cost."""
        return Costs.within(
            budget,
            None,
            shape.leaf_share,
            shape.depth,
            unspent_to_leaf=self.unspent_to_leaf,
            fresh_leaves=self.fresh_leaves,
            weights=self.level_weights(shape.depth, n_features),
        )

    def growth(self, asker: Asker, shape: Shape, budget: Cost, coins: Source) -> CountGrowth:
        """A tree of noisy counts that begins."""
        return CountGrowth(asker, self, self.costs(budget, shape, asker.domain.n_features), shape.least, coins)

    def require_split(self, paid: Paid, region: Region, above: Region | None, feature: int | None) -> None:
        """Refuse a split of which neither all histograms were released nor that of its feature (of any, if None)."""
        paid.require_histogram(region, feature)

    def dearest_path(
        self, budget: Cost | Rational, shape: Shape, n_features: int, n_parties: int
    ) -> tuple[tuple[LevelCost, ...], Fraction]:
        """Of each level the histograms of a node, then the counts of a leaf at full depth."""
        costs = self.costs(budget, shape, n_features)
        levels = [
            LevelCost(costs.of_level(level), self.histograms_at(level, n_features), shared=True)
            for level in range(shape.depth)
        ]
        return tuple(levels), costs.of_leaf(shape.depth)

    @classmethod
    def from_json(cls, found: Mapping[str, Any]) -> Design:
        """The design that was written so; options that are missing are as by default.

        A rule that had no name becomes :func:`fdpedu.trees.stopping.not_kept`.
        """
        names = {field.name for field in fields(cls)}
        if not isinstance(found, Mapping) or not set(found) <= names:
            raise ValueError(f"a design has the options {', '.join(sorted(names))} and no others")
        content = dict(found)
        name = content.get("stop", "confident")
        if name is not None and name not in stopping.RULES:
            raise ValueError(f"the rule of a design must be one of {', '.join(stopping.RULES)}, or null")
        return cls(**{**content, "stop": stopping.not_kept if name is None else stopping.RULES[name]})


DESIGNS: Mapping[str, Design] = MappingProxyType(
    {
        "default": Design(shrink=3),
        "averaged": Design(stop=stopping.averaged),
        "screened": Design(stop=stopping.never, shrink=3, keep=4),
        "algorithm-5-clipped": Design(stop=stopping.as_printed, relative=True, unspent_to_leaf=False, consistent=False),
    }
)
"""The designs by name. ``algorithm-5-clipped`` is the report's Algorithm 5 on counts that are clipped at 0.
``screened`` asks below the root only for the four features that look best there."""
