"""A private tree as a document: its nodes, its domain, and the derivation of what it cost.

A tree that is read is held against its derivation: the checker must accept it, it must be of the same features and
classes, every split must divide the codes of its node, and every node must be one whose counts the derivation has paid
for. That the counts themselves are those that were released, no file can show.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from operator import add
from typing import Any

from fdpedu import files
from fdpedu.accounting import Derivation
from fdpedu.accounting.writing import stated_domain
from fdpedu.cart import CodeSplit, Node
from fdpedu.derivation_checker import MAX_INTEGER
from fdpedu.domain import Domain, Region
from fdpedu.federation import ClassCounts, NodeHistograms
from fdpedu.histograms import round_with_sums
from fdpedu.trees.counts import built, in_order

SCHEMA = "fdpedu-tree/1"


def to_document(root: Node, domain: Domain, derivation: Derivation, rounds: int, indent: int | None = 1) -> str:
    """The text of a tree's document."""
    content = {
        "rounds": rounds,
        "domain": domain.to_spec(),
        "root": _node_to_json(root, domain),
        "derivation": derivation.content,
    }
    return files.dumps(SCHEMA, content, indent)


def from_document(text: str, where: str = "the text") -> tuple[Node, Domain, Derivation, int]:
    """Root, domain, derivation and number of rounds; a ``FileRefused`` if the document does not hold together."""
    content = files.loads(text, SCHEMA, where)
    return files.understood(where, lambda: _read(content))


def _read(content: Mapping[str, Any]) -> tuple[Node, Domain, Derivation, int]:
    if set(content) != {"rounds", "domain", "root", "derivation"}:
        raise ValueError("a tree needs exactly the keys rounds, domain, root and derivation")
    domain = Domain.from_spec(content["domain"])
    derivation = Derivation(content["derivation"], domain)
    derivation.guarantee  # noqa: B018  the checker accepts it, or raises
    rounds = content["rounds"]
    if type(rounds) is not int or not 1 <= rounds <= MAX_INTEGER:
        raise ValueError("rounds must be a positive integer")
    if derivation.content["domain"] != stated_domain(domain):
        raise ValueError("its derivation is of another domain")
    paid: dict[Region, set[str]] = {}
    for region, step in derivation.releases():
        paid.setdefault(region, set()).add(step["query"])
    root = _node_from_json(content["root"], domain, domain.everything, paid)
    return (root if _adds_up(root) else _made_whole(root)), domain, derivation, rounds


def _adds_up(node: Node) -> bool:
    """Whether all counts from here on are at least 0, and each those of both sides together."""
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


def _node_from_json(found: Mapping[str, Any], domain: Domain, region: Region, paid: Mapping[Region, set[str]]) -> Node:
    """A node and all below it; ``region`` holds its records, ``paid`` says which queries were released where."""
    counts = found["counts"]
    if len(counts) != domain.n_classes or not all(type(count) is int and abs(count) < 2**63 for count in counts):
        raise ValueError("a node needs an integer for each class")
    where = domain.describe(region)
    if "split" not in found:
        _require_paid(ClassCounts(region, Fraction(1)).describe(domain), region, paid, where)
        _require_keys(found, {"counts", *({"estimate"} & set(found))}, where)
        return Node(tuple(counts), estimate=_estimate_from_json(found.get("estimate"), domain))
    _require_paid(NodeHistograms(region, Fraction(1)).describe(domain), region, paid, where)
    _require_keys(found, {"counts", "split", "left", "right"}, where)
    feature, left = domain.index(found["split"]["feature"]), found["split"]["left"]
    codes, here = frozenset(left), region.codes(feature)
    if not all(type(code) is int and 0 <= code < domain.features[feature].n_codes for code in left):
        raise ValueError(f"the split on {where} names a code that its feature does not have")
    if not codes & here or codes >= here:
        raise ValueError(f"the split on {where} must send some codes of its node to the left and some to the right")
    if domain.features[feature].ordered and codes != frozenset(range(len(codes))):
        raise ValueError(f"the split on {where} must send the smallest codes of an ordered feature to the left")
    sides = [
        _node_from_json(found[side], domain, region.restrict(feature, inside), paid)
        for side, inside in (("left", codes & here), ("right", here - codes))
    ]
    return Node(tuple(counts), CodeSplit(feature, codes), *sides)


def _estimate_from_json(found: Any, domain: Domain) -> tuple[float, ...] | None:
    """What a leaf predicts from; its counts, where there is nothing else."""
    if found is None:
        return None
    if len(found) != domain.n_classes or not all(type(x) in (int, float) and abs(x) < 2**63 for x in found):
        raise ValueError("the estimate of a leaf needs a number for each class")
    return tuple(found)


def _require_paid(query: str, region: Region, paid: Mapping[Region, set[str]], where: str) -> None:
    if query not in paid.get(region, ()):
        raise ValueError(f"the derivation has no release of {query} on {where}: this tree is not the one it paid for")


def _require_keys(found: Mapping[str, Any], keys: set[str], where: str) -> None:
    if set(found) != keys:
        raise ValueError(f"the node on {where} needs exactly the keys {', '.join(sorted(keys))}")
