"""The shape of a tree: how deep it is, how ε is shared between splits and leaves, and what the owners asked for.

How deep a tree should be depends on how much can be told of the rows. They are private, so the owners name a nominal
size N beforehand, and the rules read N·ε: with twice the rows and half the ε a tree has the same shape.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

from fdpedu.accounting import Cost
from fdpedu.exact import Rational, as_integer, as_positive_fraction, require_type
from fdpedu.trees.cell_noise import as_if_pure

MAX_DEPTH = 64  # deeper trees than any data fill; a derivation must not be nested without bound
MAX_SIZE = 2**62
T = TypeVar("T")


@dataclass(frozen=True)
class Shape:
    """What a tree is grown to: at most so deep, with so much of ε for its leaves.

    Parameters
    ----------
    depth : the number of levels of splits
    leaf_share : the part of ε that is kept for the counts of the leaves
    least : rows; a node with fewer, as far as the noise lets one tell, is a leaf. 0 where no rows are asked about
    """

    depth: int
    leaf_share: Fraction
    least: int = 0


@dataclass(frozen=True)
class Asked:
    """What a caller says of a tree; what is None is left to the design.

    Parameters
    ----------
    max_depth : from 0 to 64
    leaf_share : strictly between 0 and 1
    min_samples_split : rows, from 0
    nominal_size : N, how many rows there are about; public, fixed beforehand, and never their true number
    unspent_to_leaf : whether an early leaf gets what its path has not spent

    Examples
    --------
    >>> Asked(max_depth=3, leaf_share=0.25).given()
    ('max_depth', 'leaf_share')
    """

    max_depth: int | None = None
    leaf_share: Rational | None = None
    min_samples_split: int | None = None
    nominal_size: int | None = None
    unspent_to_leaf: bool | None = None

    def __post_init__(self) -> None:
        if self.max_depth is not None:
            depth = as_integer(self.max_depth, "max_depth", minimum=0)
            if depth > MAX_DEPTH:
                raise ValueError(f"max_depth must be at most {MAX_DEPTH}, got {depth}")
            object.__setattr__(self, "max_depth", depth)
        if self.leaf_share is not None:
            share = as_positive_fraction(self.leaf_share, "leaf_share")
            if share >= 1:
                raise ValueError(f"leaf_share must lie strictly between 0 and 1, got {self.leaf_share}")
            object.__setattr__(self, "leaf_share", share)
        if self.min_samples_split is not None:
            least = as_integer(self.min_samples_split, "min_samples_split", minimum=0, maximum=2**62)
            object.__setattr__(self, "min_samples_split", least)
        object.__setattr__(self, "nominal_size", as_nominal_size(self.nominal_size))
        if self.unspent_to_leaf is not None:
            require_type(self.unspent_to_leaf, bool, "unspent_to_leaf")

    def given(self) -> tuple[str, ...]:
        """The names of what is not left to the design."""
        return tuple(name for name, value in vars(self).items() if value is not None)

    def require_only(self, known: Sequence[str], design: str) -> None:
        """Refuse an option of which the design knows nothing."""
        for name in self.given():
            if name not in known:
                raise ValueError(
                    f"the design {design!r} has no use for {name}: leave it out, or take another design; "
                    f"it knows {', '.join(known)}"
                )

    def shape(self, depth: int, leaf_share: Rational, least: int = 0) -> Shape:
        """The shape with what was asked for, and otherwise with these defaults of a design."""
        share = leaf_share if self.leaf_share is None else self.leaf_share
        return Shape(
            depth if self.max_depth is None else self.max_depth,
            as_positive_fraction(share, "leaf_share"),
            least if self.min_samples_split is None else self.min_samples_split,
        )


def as_nominal_size(size: object) -> int | None:
    """N as an integer from 1, or None; a number with a point is refused, as it is never how many rows there are."""
    return None if size is None else as_integer(size, "nominal_size", minimum=1, maximum=MAX_SIZE)


def by_rows_and_epsilon(
    nominal_size: int | None, epsilon: Cost | Rational, steps: Sequence[tuple[int, T]], first: T, without: T
) -> T:
    """A rule that is a step function of N·ε: the value of the last threshold that N·ε reaches.

    Parameters
    ----------
    nominal_size : N, or None
    epsilon : of the whole tree; a cost in ρ is read as :func:`fdpedu.trees.cell_noise.as_if_pure` says
    steps : thresholds, ascending, each with the value from there on
    first : the value below all of them
    without : the value where no N is named

    Examples
    --------
    >>> [by_rows_and_epsilon(n, "1/2", [(150, "b"), (2000, "c")], "a", "?") for n in (299, 300, 4000, None)]
    ['a', 'b', 'c', '?']
    """
    size, budget = as_nominal_size(nominal_size), as_if_pure(epsilon)
    if size is None:
        return without
    found = first
    for least, value in steps:
        if size * budget >= least:
            found = value
    return found


def screened_shape(nominal_size: int | None, epsilon: Cost | Rational) -> tuple[int, Fraction]:
    """Depth and leaf share of a tree whose features are screened at the root: 3, 5 or 6 levels; 4 without an N.

    >>> [screened_shape(n, 1)[0] for n in (1999, 2000, 5000, None)]
    [3, 5, 6, 4]
    """
    return by_rows_and_epsilon(nominal_size, epsilon, [(2000, 5), (5000, 6)], 3, 4), Fraction(1, 5)
