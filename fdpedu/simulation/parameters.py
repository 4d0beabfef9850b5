"""What the methods have in common, read once; and what several of them refuse."""

from __future__ import annotations

from dataclasses import dataclass

from fdpedu.cart.local_grid import MAX_LATTICE
from fdpedu.exact import Rational, as_integer, as_positive_fraction


@dataclass(frozen=True)
class Parameters:
    """What the methods have in common; each reads what it needs.

    Parameters
    ----------
    max_depth : d, from 0 to 64; to 12 for designs that reconcile the counts of the whole tree
    min_samples_split : a node with fewer rows, as far as the method can tell, is a leaf
    leaf_share : the part of ε kept for leaf counts, strictly between 0 and 1
    bounds_share : of a node's budget, the part for lower bounds (Algorithm 6), strictly between 0 and 1
    lattice : m, the steps of 1/m in which bounds and scores are released, from 1 to 2**16 as in a federation
    tolerate : how many parties' shares may be missing from the noise, less than there are
    """

    max_depth: int = 5
    min_samples_split: int = 10
    leaf_share: Rational = "1/2"
    bounds_share: Rational = "1/4"
    lattice: int = 4
    tolerate: int = 0

    def __post_init__(self) -> None:
        for name, least, most in (
            ("max_depth", 0, 64),
            ("min_samples_split", 0, 2**62),
            ("lattice", 1, MAX_LATTICE),
            ("tolerate", 0, None),
        ):
            object.__setattr__(self, name, as_integer(getattr(self, name), name, minimum=least, maximum=most))
        for name in ("leaf_share", "bounds_share"):
            if not 0 < as_positive_fraction(getattr(self, name), name) < 1:
                raise ValueError(f"{name} must lie strictly between 0 and 1, got {getattr(self, name)}")


def require_no_colluders(given: Parameters, where: str) -> None:
    """Refuse shares that may be missing where noise is not made of shares."""
    if given.tolerate:
        raise ValueError(f"tolerate must be 0 for {where}, got {given.tolerate}")
