"""A tree that one party grows at home, on its own rows, for itself.

The structures come from a vote, or from anywhere. Which of them is best here, its thresholds and its labels are exact
functions of the party's rows. So the tree is for the party alone: it is not private, it has no derivation, and it is
not written to a file of released models.

Claims: thm-billboard
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from fdpedu.cart import Structure
from fdpedu.cart.least_loss import grow_at, least_losses
from fdpedu.cart.structures import to_structure
from fdpedu.domain import Domain
from fdpedu.exact.foreign import require_one_order
from fdpedu.trees.grid_tree import GridTree

HOME_LATTICE = 1024


@dataclass(frozen=True, repr=False)
class PersonalTree(GridTree):
    """The tree of one party, from a structure of others and its own rows. It is not private.

    Parameters
    ----------
    root, classes, feature_names, domain : of any tree on a grid
    structure : that was best here
    """

    structure: Structure = field(default_factory=Structure)

    def __repr__(self) -> str:
        said = "labels" if self.domain.target is None else "means"
        return (
            f"PersonalTree(structure {self.structure}, {len(self.leaves())} leaves; not private: thresholds and {said} "
            "are exact functions of one party's rows)"
        )


def fit_at_home(X: Any, y: Any, strings: Sequence[Sequence[int]], domain: Domain, loss: str) -> PersonalTree:
    """The best tree that any of the structures has on these rows, of equals the first.

    Claims: lem-least-loss

    Parameters
    ----------
    X, y : raw rows of one party and their classes or numbers; without rows it is a leaf
    strings : of the structures
    domain : public
    loss : a name of :data:`fdpedu.cart.least_loss.STRUCTURE_LOSSES`
    """
    require_one_order(X, y, "y")
    codes, labels = domain.encode(X, "X"), domain.encode_labels(y, "y")
    if len(codes) != len(labels):
        raise ValueError(f"X and y must have as many rows, got {len(codes)} and {len(labels)}")
    columns, structures = np.ascontiguousarray(codes.T), [to_structure(string) for string in strings]
    losses = least_losses(columns, labels, structures, domain, loss, HOME_LATTICE)
    best = structures[int(losses.argmin())]
    root = grow_at(columns, labels, best, domain, loss, HOME_LATTICE)
    names = tuple(feature.name for feature in domain.features)
    return PersonalTree(root, domain.classes, names, domain, best)
