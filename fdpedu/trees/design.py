"""What a federated tree makes of the counts that are released: a choice that costs nothing, under a name."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from fdpedu.cart import CodeSplit, GridSearch
from fdpedu.cart.split import Counts
from fdpedu.exact import as_integer, require_callable, require_type
from fdpedu.histograms import clip
from fdpedu.trees import stopping
from fdpedu.trees.printed import splits_as_printed

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
class Design:
    """How a tree is grown from noisy counts: what costs nothing, or divides what is paid in another way.

    A tree costs ε at most under every design. ``reasons`` says of each option in use why.

    Parameters
    ----------
    stop : when a node becomes a leaf, a rule of :mod:`fdpedu.trees.stopping`
    relative : compare splits by G, each feature dividing by its own total, instead of by n·G
    shrink : if positive, compare splits by their gain, shrunk by so many standard deviations of a cell's noise
    unspent_to_leaf : give an early leaf the node budget that its depth did not use; else the report's ε_leaf
    consistent : leaves predict from the estimates that all views of the tree give together; else from what was released
        for them alone. The counts that a tree shows add up in any case (:mod:`fdpedu.trees.counts`)
    clip : noisy counts below 0 become 0 before splits are compared; else splits are compared by raw noisy counts
    features_per_node : q, or "sqrt" for ⌈√p⌉: each node asks for the histograms of q features, drawn by public coins,
        at ε_node/q each; of all p, if there are no more or nothing is given. A level has at most 2,048/q nodes, as a
        round has 4,096 queries
    fresh_leaves : leaves have class counts of their own, at ``leaf_share`` of ε; else they read the histograms of their
        node or of its parent, and all of ε goes to the histograms
    prune : sibling leaves of one label are merged at the end (:mod:`fdpedu.trees.pruning`)
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

    def __post_init__(self) -> None:
        require_callable(self.stop, "stop")
        for name in _SWITCHES:
            require_type(getattr(self, name), bool, name)
        q = self.features_per_node
        if isinstance(q, str) and q != "sqrt":
            raise ValueError(f"features_per_node must be an integer, 'sqrt' or None, got {q!r:.40}")
        if q is not None and not isinstance(q, str):
            object.__setattr__(self, "features_per_node", as_integer(q, "features_per_node", minimum=1))
        if (
            isinstance(self.shrink, bool)
            or not isinstance(self.shrink, (int, float))
            or not 0 <= self.shrink < math.inf
        ):
            raise ValueError(f"shrink must be a finite number of at least 0, got {self.shrink!r:.40}")

    def __repr__(self) -> str:
        """The fields that differ from the default; a rule by its name."""
        default = Design()
        chosen = {field.name: getattr(self, field.name) for field in fields(self)}
        chosen_otherwise = [
            f"{name}={getattr(value, '__name__', value)}"
            for name, value in chosen.items()
            if value != getattr(default, name)
        ]
        return f"Design({', '.join(chosen_otherwise)})"

    def histograms_per_node(self, n_features: int) -> int:
        """The number of histograms that share the cost of a node, given the number of features.

        >>> [Design(features_per_node=q).histograms_per_node(10) for q in (None, 3, 50, "sqrt")]
        [10, 3, 10, 4]
        """
        if self.features_per_node == "sqrt":
            return 1 + math.isqrt(n_features - 1)
        return min(self.features_per_node or n_features, n_features)

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
        if not self.clip and not self.shrink:
            return splits_as_printed(tables, inside, search.domain, relative=self.relative)
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
        "algorithm-5-clipped": Design(stop=stopping.as_printed, relative=True, unspent_to_leaf=False, consistent=False),
        "algorithm-5-as-printed": Design(
            stop=stopping.as_printed_unclipped, relative=True, unspent_to_leaf=False, consistent=False, clip=False
        ),
    }
)
"""The designs by name. ``algorithm-5-as-printed`` is the report's Algorithm 5, and ``algorithm-5-clipped`` the same on
counts that are clipped at 0."""


def find_design(name: str | Design) -> Design:
    """The design of that name, or the design itself, if its rule is one that can be asked."""
    if isinstance(name, Design):
        if name.stop is stopping.not_kept:
            raise ValueError(stopping.NOT_KEPT)
        return name
    if not isinstance(name, str) or name not in DESIGNS:
        raise ValueError(f"design must be one of {', '.join(map(repr, DESIGNS))}, or a Design, got {name!r:.40}")
    return DESIGNS[name]
