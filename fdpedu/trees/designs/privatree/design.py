"""PrivaTree, mended: how one owner's tree is grown, whatever its splits, its edges and its leaves are.

Splits: one number drawn on all rows of a node (``choice``), noisy histograms of all features (``histograms``), public
coins (``random``), or a tree that was grown on public rows (``public``). Edges: all public borders, or some that are
paid for. Leaves: a label that is drawn, or noisy class counts. Every node at a level is asked, whatever its rows are.

Guarantee: for records added or removed, against whoever sees the tree; the owner sees the rows. Integers. A record is
in one node of each level, so it pays once a level, for the edges, and for its leaf. Not guaranteed: running time.

Claims: thm-privatree
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from fdpedu.accounting import Cost
from fdpedu.cart import CodeSplit, Node, candidates
from fdpedu.cart.candidates import ALL_BORDERS, Borders, Candidates
from fdpedu.cart.losses import LOSSES
from fdpedu.dlpa import LevelCost
from fdpedu.domain import Domain, Region
from fdpedu.domain.features import MAX_CODES
from fdpedu.exact import Integers, Rational, as_integer, one_of, quoted, require_type
from fdpedu.federation import ChosenSplit, ClassCounts, LeafLabel, NodeHistograms, Query
from fdpedu.federation.asker import Asker, Progress, require_curator
from fdpedu.federation.queries.choices import MAX_LATTICE
from fdpedu.randomness import Source, uniform_below
from fdpedu.trees.account import Account
from fdpedu.trees.choice_growth import ChoiceGrowth
from fdpedu.trees.counts import View
from fdpedu.trees.designs.base import TreeDesign, epsilon_of, require_levels
from fdpedu.trees.designs.privatree.edges import EDGES, edge_queries, kept_borders, require_kept
from fdpedu.trees.designs.privatree.search import best_noisy_split
from fdpedu.trees.growing import Growing
from fdpedu.trees.protocol import Grown
from fdpedu.trees.shape import Asked, Shape
from fdpedu.trees.tree_paid import Paid

SPLITS = ("choice", "histograms", "random", "public")
LEAVES = ("labels", "counts")
DEPTH, LEAF_SHARE = 4, Fraction(1, 5)


@dataclass(frozen=True)
class PrivaTree(TreeDesign):
    """How an owner's tree is grown.

    Claims: thm-privatree

    Parameters
    ----------
    splits : a name of ``SPLITS``
    score : by which splits are compared, a name of :data:`fdpedu.cart.losses.LOSSES`
    edges : which borders are kept where splits look at rows, a name of
        :data:`fdpedu.trees.designs.privatree.edges.EDGES`
    edge_bins : how many wide bins a feature has at most, 2 to 256, where edges are paid for
    leaves : ``labels`` or ``counts``
    lattice : m, from 1 to 2**16: losses are compared in steps of 1/m
    borders : that were kept, once it is grown
    prune : sibling leaves of one label are merged at the end; where leaves have counts
    public : the root of the tree that was grown on public rows; not written to a file

    Examples
    --------
    >>> PrivaTree(splits="random", leaves="counts").public_splits, PrivaTree().leaf_type
    (True, 'leaf-label')
    """

    name: ClassVar[str] = "privatree"
    curated: ClassVar[bool] = True
    splits: str = "choice"
    score: str = "errors"
    edges: str = "public"
    edge_bins: int = 10
    leaves: str = "labels"
    lattice: int = 1024
    borders: Borders = ALL_BORDERS
    prune: bool = False
    public: Node | None = field(default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        one_of(SPLITS, self.splits, "splits")
        one_of(LOSSES, self.score, "score")
        one_of(EDGES, self.edges, "edges")
        one_of(LEAVES, self.leaves, "leaves")
        object.__setattr__(self, "edge_bins", as_integer(self.edge_bins, "edge_bins", minimum=2, maximum=MAX_CODES))
        object.__setattr__(self, "lattice", as_integer(self.lattice, "lattice", minimum=1, maximum=MAX_LATTICE))
        require_type(self.borders, Borders, "borders")
        require_type(self.prune, bool, "prune")
        if self.prune and self.leaves == "labels":
            raise ValueError("prune must be False where leaves have labels only: what was released of each is kept")
        if self.public_splits and self.edges != "public":
            raise ValueError(
                f"edges must be 'public' where splits are {self.splits}: these look at no rows, so nothing is to be "
                f"paid for; got {quoted(self.edges)}"
            )

    @property
    def leaf_type(self) -> str:
        """A label, or class counts."""
        return LeafLabel.type if self.leaves == "labels" else ClassCounts.type

    @property
    def public_splits(self) -> bool:
        """Whether no split looks at the rows."""
        return self.splits in ("random", "public")

    @property
    def reads_size(self) -> bool:
        """Where the share of the leaves follows a rule."""
        return True

    def settled(self, asked: Asked, budget: Cost | Rational) -> tuple[PrivaTree, Shape]:
        """Four levels and a fifth for leaves, if not asked for otherwise; all of it where no split is paid for."""
        asked.require_only(("max_depth", "leaf_share", "nominal_size"), "privatree")
        epsilon_of(budget, "privatree")
        shape = asked.shape(DEPTH, LEAF_SHARE)
        require_levels(shape.depth, "privatree")
        return self, replace(shape, leaf_share=Fraction(1)) if self.public_splits or not shape.depth else shape

    def costs(self, epsilon: Fraction, shape: Shape, *, asks_for_edges: bool) -> tuple[Fraction, Fraction]:
        """What a level of splits costs, as much as all edges if they are paid for; and what a leaf costs.

        Claims: thm-privatree
        """
        turns = shape.depth + asks_for_edges
        return (1 - shape.leaf_share) * epsilon / max(1, turns), shape.leaf_share * epsilon

    def growth(self, asker: Asker, shape: Shape, budget: Cost, coins: Source) -> PrivaGrowth:
        """A tree that begins."""
        require_curator(asker)
        epsilon = epsilon_of(budget, "privatree")
        asks = bool(shape.depth and edge_queries(asker.domain, self.edges, self.edge_bins, Fraction(1)))
        level, leaf = self.costs(epsilon, shape, asks_for_edges=asks)
        account = Account(asker)
        edges = level if asks else None
        return PrivaGrowth(asker, account, self, (level,) * shape.depth, leaf, edges, coins)

    def require_split(self, paid: Paid, region: Region, above: Region | None, feature: int | None) -> None:
        """Refuse a split that was not paid for, or was chosen among other borders."""
        if above is None:
            require_kept(paid.domain, self.edges, self.edge_bins, self.borders)
            for query in edge_queries(paid.domain, self.edges, self.edge_bins, Fraction(1)):
                paid.require_release(query)
        if self.splits == "choice":
            paid.require_release(ChosenSplit(region, Fraction(1), self.score, self.lattice, self.borders))
        elif self.splits == "histograms":
            paid.require_histogram(region, feature)

    def dearest_path(
        self, budget: Cost | Rational, shape: Shape, n_features: int, n_parties: int
    ) -> tuple[tuple[LevelCost, ...], Fraction]:
        """Of each level, and of the edges as one more; then of a leaf."""
        level, leaf = self.costs(epsilon_of(budget, "privatree"), shape, asks_for_edges=self.edges != "public")
        levels = 0 if self.public_splits or not shape.depth else shape.depth + (self.edges != "public")
        return tuple(LevelCost(level, 1, shared=False) for _ in range(levels)), leaf

    def to_json(self) -> dict[str, Any]:
        """The entry of a tree's file."""
        own = {each.name: getattr(self, each.name) for each in fields(self) if each.name not in ("borders", "public")}
        kept = [None if some is None else list(some) for some in self.borders.kept]
        return {"name": self.name, **own, **({"borders": kept} if kept else {})}

    @classmethod
    def from_json(cls, found: Mapping[str, Any]) -> PrivaTree:
        """The design that was written so."""
        names = {"name", *(each.name for each in fields(cls))} - {"public"}
        if not set(found) <= names:
            raise ValueError(f"a design privatree has {', '.join(sorted(names))} and nothing else")
        given = {name: value for name, value in found.items() if name not in ("name", "borders")}
        return cls(**given, borders=Borders(found.get("borders", ())))


@dataclass
class PrivaGrowth(ChoiceGrowth):
    """An owner's tree while it grows: a round for edges if they are paid for, one a level, and one for the leaves.

    Parameters
    ----------
    asker, account, design, costs, leaf : of any tree of choices
    edges : what all edges cost; None where none are asked for
    coins : public
    """

    design: PrivaTree
    edges: Fraction | None
    coins: Source

    def __post_init__(self) -> None:
        self.borders = self.design.borders
        self.edges_asked = self.edges is None
        self.places: dict[Region, Node] = {}
        if self.design.public is not None:
            self.places[self.asker.domain.everything] = self.design.public
        super().__post_init__()

    @property
    def domain(self) -> Domain:
        """Public."""
        return self.asker.domain

    @property
    def rounds(self) -> int:
        """For edges, if they are paid for, for each level of splits that look at rows, and for the leaves."""
        return 1 if self.design.public_splits else super().rounds + (self.edges is not None)

    def edge_queries(self) -> list[Query]:
        """What is asked about edges."""
        if self.edges is None:
            return []
        return edge_queries(self.domain, self.design.edges, self.design.edge_bins, self.edges)

    def questions(self) -> list[Query]:
        """Edges, and a split of each level, where it is asked for."""
        return [*self.edge_queries(), *([] if self.design.public_splits else super().questions())]

    def question(self, region: Region, turn: int) -> Query:
        """A split, or the histograms by which it is found."""
        if self.design.splits == "choice":
            return ChosenSplit(region, self.costs[turn], self.design.score, self.design.lattice, self.borders)
        return NodeHistograms(region, self.costs[turn])

    def leaf_question(self, region: Region) -> Query:
        """A label, or class counts."""
        return LeafLabel(region, self.leaf) if self.design.leaves == "labels" else super().leaf_question(region)

    def candidates(self, region: Region) -> Candidates:
        """Those at the borders that are kept."""
        return candidates(self.domain, region, self.borders)

    def round(self, progress: Progress) -> None:
        """The edges, before anything else; then as for all trees of choices."""
        if self.edges_asked:
            super().round(progress)
            return
        answers = self.release(self.edge_queries(), progress)
        self.borders = kept_borders(self.domain, self.design.edges, self.design.edge_bins, answers)
        self.edges_asked = True

    def enter(self, nodes: Iterable[Growing]) -> None:
        """A node is a leaf, too, where the public tree has one."""
        if self.design.public is None:
            super().enter(nodes)
            return
        arrived, deepest = list(nodes), self.turn == len(self.costs)
        inner = [not deepest and not self.places[node.region].is_leaf for node in arrived]
        self.open = [node for node, divides in zip(arrived, inner, strict=True) if divides]
        self.leaves += [node for node, divides in zip(arrived, inner, strict=True) if not divides]

    def answers(self, progress: Progress) -> Sequence[Integers]:
        """One round; or nothing at all, where no split looks at rows."""
        if self.design.public_splits:
            return [np.zeros(0, dtype=np.int64) for _ in self.open]
        return super().answers(progress)

    def sides(self, node: Growing, answer: Integers) -> Iterable[Growing]:
        """Two, by whatever the design splits by."""
        if self.design.splits == "choice":
            return self.split(node, int(answer[0]))
        if self.design.splits == "histograms":
            found = best_noisy_split(answer, self.domain, node.region, self.design.score, self.borders)
            return node.split(found or self.candidates(node.region)[0])
        return self._random_sides(node) if self.design.splits == "random" else self._public_sides(node)

    def _random_sides(self, node: Growing) -> Iterable[Growing]:
        """A feature by public coins, then one of its splits."""
        found = self.candidates(node.region)
        features = sorted({found[at].feature for at in range(len(found))})
        feature = features[self._below(len(features))]
        own = [at for at in range(len(found)) if found[at].feature == feature]
        return self.split(node, 1 + own[self._below(len(own))])

    def _below(self, n: int) -> int:
        return int(uniform_below(np.array([n]), self.coins)[0])

    def _public_sides(self, node: Growing) -> Iterable[Growing]:
        """As the public tree has them."""
        at = self.places[node.region]
        assert isinstance(at.split, CodeSplit) and at.left and at.right
        sides = node.split(at.split)
        self.places |= {side.region: below for side, below in zip(sides, (at.left, at.right), strict=True)}
        return sides

    def read_leaf(self, node: Growing, answer: Integers) -> None:
        """Of a label, a one at its class."""
        if self.design.leaves == "counts":
            super().read_leaf(node, answer)
            return
        label = np.arange(self.domain.n_classes, dtype=np.int64) == int(answer[0])
        node.views.append(View(label.astype(np.int64), 1.0))

    def known(self, region: Region) -> View:
        """Of a leaf that waits for its label, the one by what histograms hold; none where there are none."""
        counts = super().known(region).counts
        if self.design.leaves == "labels" and counts.any():
            counts = (np.arange(self.domain.n_classes, dtype=np.int64) == counts.argmax()).astype(np.int64)
        return View(counts, 1.0)

    def finish(self) -> Grown:
        """The tree, and the design with the borders that were kept."""
        return super().finish()._replace(design=replace(self.design, borders=self.borders, public=None))
