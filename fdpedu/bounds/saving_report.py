"""The released bounds of a tree's nodes, which features they removed, and what that saved."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from fdpedu.domain import Domain, Region
from fdpedu.exact import shown
from fdpedu.showing import html_table, text_table
from fdpedu.trees import Tree

_HEAD = ("node", "ε of the node", "lower bounds, noisy", "asked for, and the n·G left", "removed", "ε saved")


@dataclass(frozen=True)
class NodeSaving:
    """What was released at one node before it was split or became a leaf, and what it handed down.

    Parameters
    ----------
    region : of the node
    budget : ε_node and what was saved above
    bounds : of all features, as released: noisy, in steps of 1/m, of any sign
    asked : the features whose histograms were asked for, in this order, each with the least n·G that a split of it
        leaves by its clipped noisy counts; None where it has no split
    saved : what the removed features would have cost
    """

    region: Region
    budget: Fraction
    bounds: tuple[Fraction, ...]
    asked: tuple[tuple[int, Fraction | None], ...]
    saved: Fraction

    @property
    def removed(self) -> tuple[int, ...]:
        """The features whose histograms were not asked for, in the order of the domain."""
        visited = {feature for feature, _ in self.asked}
        return tuple(j for j in range(len(self.bounds)) if j not in visited)


@dataclass(frozen=True)
class Savings:
    """What all nodes with bounds of a tree saved, in the order in which they were asked; released values only.

    Parameters
    ----------
    domain : of the tree
    nodes : those whose bounds were released; leaves at full depth are not among them
    """

    domain: Domain
    nodes: tuple[NodeSaving, ...]

    @property
    def n_removed(self) -> int:
        """How many histograms were not asked for, in all nodes together."""
        return sum(len(node.removed) for node in self.nodes)

    def __repr__(self) -> str:
        return f"Savings({self._summary()})"

    def render(self) -> str:
        """A line a node, aligned."""
        return text_table([_HEAD, *self._rows()])

    def _repr_html_(self) -> str:
        return html_table(_HEAD, self._rows(), caption=self._summary(), kind="fdpedu-results fdpedu-wide")

    def _summary(self) -> str:
        n = len(self.nodes)
        return f"{n} node{'s' * (n != 1)}, {self.n_removed} of {n * self.domain.n_features} histograms not asked for"

    def _rows(self) -> Iterator[tuple[str, ...]]:
        names = [feature.name for feature in self.domain.features]
        for node in self.nodes:
            bounds = (f"{name} {shown(bound)}" for name, bound in zip(names, node.bounds, strict=True))
            asked = (f"{names[j]} {'none' if left is None else shown(left)}" for j, left in node.asked)
            removed = ", ".join(names[j] for j in node.removed) or "–"
            where = self.domain.describe(node.region)
            yield where, shown(node.budget), ", ".join(bounds), ", ".join(asked), removed, shown(node.saved)


@dataclass(frozen=True, repr=False)
class SavingTree(Tree):
    """A private tree whose nodes got lower bounds first. Its file is that of a :class:`fdpedu.trees.Tree`.

    Parameters
    ----------
    root, classes, feature_names, domain, derivation, paid_in, design, leaf_releases, n_parties, tolerate : of any tree
    unfinished : of any tree
    savings : the bounds released for its nodes, and what each saved; None for a tree from a file, whose
        derivation says what was paid
    """

    savings: Savings | None = field(default=None, compare=False, kw_only=True)
