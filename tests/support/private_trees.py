"""Sixty records in two features and three classes, private trees that are grown on them, and their files."""

import json
from functools import partial
from typing import Any

import numpy as np

from fdpedu.claims.federations import federate
from fdpedu.domain import Domain
from fdpedu.files import digest
from fdpedu.randomness import Rehearsal
from fdpedu.trees import Tree, fit_federated_tree

DOMAIN = Domain.from_spec({"features": {"x": [0, 4, 4], "w": ["A", "B", "C"]}, "classes": ["a", "b", "c"]})
ALL = DOMAIN.everything
ROWS = [[x % 4 + 0.5, "ABC"[x % 3], "abc"[(x * x + x // 5) % 3]] for x in range(60)]
HALVES, THIRDS = ([ROWS[k::n] for k in range(n)] for n in (2, 3))
CASE = DOMAIN, HALVES


def never(level, least):
    """A rule of stopping: go on everywhere."""
    return np.zeros(len(level.inside), dtype=bool)


def at_once(level, least):
    """A rule of stopping: stop everywhere."""
    return np.ones(len(level.inside), dtype=bool)


def grown(design="default", *, parts=HALVES, budget=3, seed=1, federation=None, **rules):
    """A tree of two levels, if not asked for others, and the federation that grew it."""
    federation = federation or federate(parts, DOMAIN, budget, Rehearsal(seed))
    return fit_federated_tree(
        federation, design=design, **{"max_depth": 2, "min_samples_split": 2, **rules}
    ), federation


of_three = partial(grown, parts=THIRDS, max_depth=3)  # three parties, three levels


def content_of(tree: Tree) -> dict[str, Any]:
    """What stands in its document."""
    return json.loads(tree.to_json())


def resigned(content: dict[str, Any]) -> str:
    """A document with a new digest, as whoever tampers with it would write it."""
    content = {key: value for key, value in content.items() if key != "digest"}
    return json.dumps({**content, "digest": digest(content)})


def read(content: dict[str, Any], where: str = "t.json") -> Tree:
    """The tree of a document that was changed and signed again."""
    return Tree.from_json(resigned(content), where)


def first_leaf(content: dict[str, Any]) -> dict[str, Any]:
    """The leaf that is farthest to the left."""
    node = content["root"]
    while "left" in node:
        node = node["left"]
    return node
