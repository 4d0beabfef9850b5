"""A private tree as a document: its nodes, its domain, and the derivation of what it cost.

A tree that is read is held against its derivation: the checker must accept it, it must be of the same features and
classes, every split must divide the codes of its node, and every node must be one whose counts the derivation has paid
for (:mod:`fdpedu.trees.tree_paid`). No file can show that the counts themselves are those that were released and by so
many parties, nor that splits are public where the design says so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import add
from typing import Any

from fdpedu import files
from fdpedu.accounting import Derivation
from fdpedu.cart import CodeSplit, Node
from fdpedu.derivation_checker import MAX_INTEGER
from fdpedu.domain import Domain, Region
from fdpedu.domain.spec import WRITTEN
from fdpedu.exact import as_integer, as_list, require_type
from fdpedu.federation import ClassCounts, LeafLabel
from fdpedu.histograms import round_with_sums
from fdpedu.trees.counts import built, in_order
from fdpedu.trees.designs import design_from_json
from fdpedu.trees.designs.base import TreeDesign
from fdpedu.trees.designs.counts import Design
from fdpedu.trees.leaf_release import LeafRelease
from fdpedu.trees.tree_paid import (
    Paid,
    comes_apart,
    divides,
    n_rounds,
    read_rounds,
    require_adaptive,
    require_by_parties,
)

SCHEMA = "fdpedu-tree/2"
_NEEDED = {"rounds", "domain", "root", "derivation"}
_OPTIONAL = {"design", "leaf_releases", "n_parties", "tolerate", "unfinished"}


def to_document(tree: Mapping[str, Any], indent: int | None = 1) -> str:
    """The text of a tree's document, from what it keeps, by its names. What an older tree does not have is left out."""
    domain, design = tree["domain"], tree["design"]
    optional = {
        "design": None if design is None else design.to_json(),
        "n_parties": tree["n_parties"],
        "tolerate": tree["tolerate"],
        "leaf_releases": [release.to_json(domain) for release in tree["leaf_releases"]] or None,
        "unfinished": tree["unfinished"] or None,
    }
    content = {
        "rounds": list(tree["paid_in"]) or n_rounds(tree["derivation"]),
        "domain": domain.to_spec(),
        "root": _node_to_json(tree["root"], domain),
        **{key: value for key, value in optional.items() if value is not None},
        "derivation": tree["derivation"].content,
    }
    return files.dumps(SCHEMA, content, indent)


def from_document(text: str, where: str = "the text") -> dict[str, Any]:
    """What :func:`to_document` kept, by its names; a ``FileRefused`` if the document does not hold together."""
    content = files.loads(text, SCHEMA, where)
    return files.understood(where, lambda: _read(content))


def _read(content: Mapping[str, Any]) -> dict[str, Any]:
    if not _NEEDED <= set(content) <= _NEEDED | _OPTIONAL:
        raise ValueError(
            f"a tree needs exactly the keys {_listed(_NEEDED)}; it may have {_listed(_OPTIONAL)}, and no others"
        )
    domain = Domain.from_spec({"schema": WRITTEN, **content["domain"]})
    derivation = Derivation(content["derivation"], domain)
    guarantee = derivation.guarantee  # the checker accepts it, or raises
    require_adaptive(guarantee)
    if not derivation.is_of(domain):
        raise ValueError("its derivation is of another domain")
    design: TreeDesign | None = design_from_json(content["design"]) if "design" in content else None
    held = (Design() if design is None else design).for_domain(domain)  # what is not for a target has no tree of one
    design = None if design is None else held
    stored = as_list(content.get("leaf_releases", []), "leaf_releases")
    releases = [LeafRelease.from_json(release, domain, derivation.measure) for release in stored]
    rounds = read_rounds(content["rounds"], derivation)
    of_one = design is not None and (design.curated or isinstance(design, Design))  # one owner can grow it
    parties = _parties(content, guarantee.colluders, 1 if of_one else 2)
    require_by_parties(derivation, rounds, **parties)
    paid, fresh = Paid.by(derivation, domain, rounds), design is None or design.fresh_leaves
    if releases and not (fresh and (design is None or design.leaf_type == ClassCounts.type)):
        raise ValueError("leaf_releases must be left out where leaves have no class counts of their own")
    paid.require_releases(releases)
    unfinished = content.get("unfinished", False)
    require_type(unfinished, bool, "unfinished")
    if unfinished and (releases or not rounds):
        raise ValueError("a tree that is unfinished names its rounds, and has no leaf_releases")
    merged = bool(design and design.prune)
    reader = _Reader(domain, paid, held, merged, with_releases=bool(releases), unfinished=unfinished)
    root = reader.node(content["root"], domain.everything, None, releases)
    return {
        "root": root if _adds_up(root) else _made_whole(root),
        "domain": domain,
        "derivation": derivation,
        "paid_in": rounds,
        "design": design,
        "leaf_releases": tuple(releases),
        "unfinished": unfinished,
        **parties,
    }


def _parties(content: Mapping[str, Any], colluders: int, least: int) -> dict[str, int | None]:
    """How many parties there were, and how many the noise withstands: at least as many as the derivation says."""
    n_parties, tolerate = content.get("n_parties"), content.get("tolerate")
    if n_parties is not None:
        as_integer(n_parties, "n_parties", minimum=least, maximum=MAX_INTEGER)
    if tolerate is not None:
        as_integer(tolerate, "tolerate", minimum=colluders, maximum=(n_parties or MAX_INTEGER) - 1)
    return {"n_parties": n_parties, "tolerate": tolerate}


def _adds_up(node: Node) -> bool:
    """Whether all counts below this node are at least 0, and each inner node's are the sums of its sides'."""
    if min(node.counts) < 0:
        return False
    if not (node.left and node.right):
        return True
    sums = tuple(map(add, node.left.counts, node.right.counts))
    return node.counts == sums and _adds_up(node.left) and _adds_up(node.right)


def _made_whole(root: Node) -> Node:
    """A tree of an older file, whose counts are as released: shown are integers that add up, predictions stay."""
    nodes, parents = in_order(root, lambda node: [side for side in (node.left, node.right) if side])
    counts = round_with_sums(parents, [node.counts for node in nodes]).tolist()
    splits = [node.split if isinstance(node.split, CodeSplit) else None for node in nodes]
    return built(parents, splits, list(map(tuple, counts)), [node.estimate or node.counts for node in nodes])


def _node_to_json(node: Node, domain: Domain) -> dict[str, Any]:
    counts: dict[str, Any] = {"counts": list(node.counts)}
    if node.estimate is not None:
        counts["estimate"] = list(node.estimate)
    if not isinstance(node.split, CodeSplit) or not node.left or not node.right:
        return counts
    split = {"feature": domain.features[node.split.feature].name, "left": sorted(node.split.left)}
    below = {"left": _node_to_json(node.left, domain), "right": _node_to_json(node.right, domain)}
    return {**counts, "split": split, **below}


@dataclass(frozen=True)
class _Reader:
    """Reads nodes, each held against what was paid for.

    ``design`` says what must be paid for a split, and whether leaves have counts of their own; ``merged``, whether
    several may have become one, ``with_releases``, whether the file keeps what leaves released, and ``unfinished``,
    whether leaves may still wait for their split or their counts.
    """

    domain: Domain
    paid: Paid
    design: TreeDesign
    merged: bool
    with_releases: bool
    unfinished: bool = False

    def node(
        self, found: Mapping[str, Any], region: Region, above: Region | None, releases: Sequence[LeafRelease]
    ) -> Node:
        """A node and all below it.

        ``region`` holds its records, ``above`` those of its parent, ``releases`` are those of leaves in it.
        """
        counts = found["counts"]
        if len(counts) != self.domain.n_classes or not all(type(n) is int and abs(n) < 2**63 for n in counts):
            raise ValueError("a node needs an integer for each class")
        where = self.domain.describe(region)
        if "split" not in found:
            self._require_leaf(region, above, releases)
            _require_keys(found, {"counts", *({"estimate"} & set(found))}, where)
            waits = self.unfinished and not any(counts)
            one_label = waits or sorted(counts) == self._one_label
            if self.design.leaf_type == LeafLabel.type and ("estimate" in found or not one_label):
                raise ValueError(f"the leaf on {where} has a label only: its counts are a 1 for that class, else 0")
            return Node(tuple(counts), estimate=_estimate_from_json(found.get("estimate"), self.domain))
        _require_keys(found, {"counts", "split", "left", "right"}, where)
        split = self._split(found["split"], region, above, where)
        here = region.codes(split.feature)
        parts = (region.restrict(split.feature, codes) for codes in (split.left & here, here - split.left))
        sides = [
            self.node(found[side], part, region, [release for release in releases if part.contains(release.region)])
            for side, part in zip(("left", "right"), parts, strict=True)
        ]
        return Node(tuple(counts), split, *sides)

    @property
    def _one_label(self) -> list[int]:
        return [0] * (self.domain.n_classes - 1) + [1]

    def _split(self, found: Mapping[str, Any], region: Region, above: Region | None, where: str) -> CodeSplit:
        feature, left = self.domain.index(found["feature"]), found["left"]
        self.design.require_split(self.paid, region, above, feature)
        codes, here = frozenset(left), region.codes(feature)
        if not all(type(code) is int and 0 <= code < self.domain.features[feature].n_codes for code in left):
            raise ValueError(f"the split on {where} names a code that its feature does not have")
        if not codes & here or codes >= here:
            raise ValueError(f"the split on {where} must send some codes of its node to the left and some to the right")
        orders = self.domain.features[feature].orders
        if orders and codes not in [frozenset(order[: len(codes)]) for order in orders]:
            raise ValueError(f"the split on {where} must send the smallest codes of an ordered feature to the left")
        if not self.design.borders.allow(self.domain, region, feature, codes):
            raise ValueError(f"the split on {where} is at a border that was not kept")
        return CodeSplit(feature, codes)

    def _require_leaf(self, region: Region, above: Region | None, releases: Sequence[LeafRelease]) -> None:
        """A leaf has counts of its own, or is merged from leaves that have, or reads the histograms above it.

        Of an unfinished tree it may wait for them.
        """
        if self.unfinished:
            return
        if not self.design.fresh_leaves:
            if region == self.domain.everything:
                self.design.require_split(self.paid, region, above, None)
        elif self.merged and len(releases) > 1 and divides(region, counted := [one.region for one in releases]):
            self.design.require_split(self.paid, region, above, None)
            if not comes_apart(region, above, counted, self._is_split):
                where = self.domain.describe(region)
                raise ValueError(
                    f"the derivation has not paid for all splits that were merged into the leaf on {where}"
                )
        else:
            self.paid.require_leaf(region, self.design.leaf_type)
            if self.with_releases and [release.region for release in releases] != [region]:
                where = self.domain.describe(region)
                raise ValueError(f"the leaf on {where} has no release in leaf_releases: they are those of another tree")

    def _is_split(self, region: Region, above: Region | None) -> bool:
        """Whether the split of a node that is no longer there was paid for."""
        try:
            self.design.require_split(self.paid, region, above, None)
        except ValueError:
            return False
        return True


def _estimate_from_json(found: Any, domain: Domain) -> tuple[float, ...] | None:
    """The numbers that a leaf predicts from; by default its counts."""
    if found is None:
        return None
    if len(found) != domain.n_classes or not all(type(x) in (int, float) and abs(x) < 2**63 for x in found):
        raise ValueError("the estimate of a leaf needs a number for each class")
    return tuple(found)


def _require_keys(found: Mapping[str, Any], keys: set[str], where: str) -> None:
    if set(found) != keys:
        raise ValueError(f"the node on {where} needs exactly the keys {_listed(keys)}")


def _listed(keys: set[str]) -> str:
    return ", ".join(sorted(keys))
