"""What a split leaves of rows, in whole steps: the losses among which a split is chosen.

- ``errors``: the rows on either side that are not of its majority class.
- ``gini``: n·half_gini of both sides.
- ``mixed``: ¾·errors + ¼·gini. Errors alone see no difference between splits whose sides have the same majority; Gini
  alone prefers splits that change no prediction.

- ``squared``, where the K classes are the levels of a number, at the places k/(K−1) from 0 to 1: Σ(y−mean)² of both
  sides, each with its own mean.

One record more raises each of them by at most 1, and lowers none. In steps of 1/m, rounded down, it raises them by at
most m. The arithmetic is exact for any number of rows whose losses fit into 64 bits; more are refused.

Claims: lem-squared-loss
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fdpedu.cart.split import Counts
from fdpedu.exact import Integers, as_integer, as_integers, quoted

LOSSES = ("errors", "gini", "mixed")
TARGET_LOSSES = ("squared",)
ALL_LOSSES = (*LOSSES, *TARGET_LOSSES)
"""Those of classes, those of the levels of a target, and both."""
MAX_LATTICE = 10**6
_PARTS = {"errors": (1, 0, 1), "gini": (0, 1, 1), "mixed": (3, 1, 4)}  # (a·errors + b·gini)/c
_FITS = 2**62


def split_losses(left: ArrayLike, right: ArrayLike, loss: str = "mixed", lattice: int = 1024) -> Integers:
    """⌊m·loss⌋ of each split, from the class counts on its two sides.

    Claims: lem-mixed-loss, lem-squared-loss

    Parameters
    ----------
    left, right : integers ≥ 0, each of shape (splits, classes); at most 2**62/m rows in a split
    loss : a name of :data:`LOSSES`, or ``"squared"`` for counts of the levels of a target, in their order
    lattice : m, from 1 to 10**6

    Examples
    --------
    >>> [split_losses([[3, 1]], [[0, 2]], loss, 12).tolist() for loss in ("errors", "gini", "mixed")]
    [[12], [9], [11]]
    >>> split_losses([[1, 0, 1]], [[0, 3, 0]], "squared", 12).tolist()
    [6]
    """
    one, other = as_integers(left, "left"), as_integers(right, "right")
    if one.ndim != 2 or one.shape != other.shape or one.shape[1] < 1:
        raise ValueError(f"left and right must both be of shape (splits, classes), got {one.shape} and {other.shape}")
    if (one < 0).any() or (other < 0).any():
        raise ValueError("left and right must be counts of rows, none below 0")
    require_loss(loss, ALL_LOSSES)
    steps = as_integer(lattice, "lattice", minimum=1, maximum=MAX_LATTICE)
    rows = max((sum(a) + sum(b) for a, b in zip(one.tolist(), other.tolist(), strict=True)), default=0)
    if rows > (most := _FITS // steps):
        raise ValueError(f"left and right must have at most {most} rows together, so that losses fit, got {rows}")
    return losses_of(one, other, loss, steps)


def require_loss(loss: object, known: Sequence[str]) -> None:
    """Refuse what is none of the known losses."""
    if not isinstance(loss, str) or loss not in known:
        raise ValueError(f"loss must be one of {', '.join(known)}; got {quoted(loss)}")


def losses_of(left: Counts, right: Counts, loss: str, lattice: int) -> Integers:
    """:func:`split_losses` of counts that are known to be such: of rows that somebody has."""
    most = int((left.sum(axis=-1) + right.sum(axis=-1)).max(initial=0))
    in_steps, size = (_squared_in_steps, left.shape[-1] ** 2) if loss in TARGET_LOSSES else (_in_steps, 1)
    if 24 * lattice * most**3 * size > _FITS:  # then the numbers below are longer than 64 bits
        found = np.asarray(in_steps(left.astype(object), right.astype(object), loss, lattice))
        return found.astype(np.int64) if found.max(initial=0) <= _FITS else found  # of noise, a loss may be any number
    return np.asarray(in_steps(left, right, loss, lattice))


def _in_steps(left: NDArray[Any], right: NDArray[Any], loss: str, lattice: int) -> NDArray[Any]:
    """⌊m·(a·errors + b·gini)/c⌋ with gini = (n·q·r − r·Σl² − q·Σr²)/(2·q·r) for q and r rows, 0 for an empty side."""
    n_left, n_right = left.sum(axis=-1), right.sum(axis=-1)
    errors = n_left - left.max(axis=-1) + n_right - right.max(axis=-1)
    q, r = np.maximum(n_left, 1), np.maximum(n_right, 1)
    kept = r * (left * left).sum(axis=-1) + q * (right * right).sum(axis=-1)
    twice = 2 * q * r
    a, b, c = _PARTS[loss]
    # lem-mixed-loss: one floor, of both sides together
    return np.asarray((a * errors * twice + b * ((n_left + n_right) * q * r - kept)) * lattice // (c * twice))


def _squared_in_steps(left: NDArray[Any], right: NDArray[Any], loss: str, lattice: int) -> NDArray[Any]:
    """⌊m·(a/q + b/r)/(K−1)²⌋ with a = q·Σlk² − (Σlk)² of q rows on the left, b likewise of r, 0 for an empty side."""
    places = np.arange(left.shape[-1], dtype=np.int64).astype(left.dtype)
    (a, q), (b, r) = (_scatter(side, places) for side in (left, right))
    of_place_one = max(left.shape[-1] - 1, 1) ** 2
    # one floor, of both sides together: a record raises the sum by at most 1, so this by at most m
    return np.asarray((a * r + b * q) * lattice // (q * r * of_place_one))


def _scatter(side: NDArray[Any], places: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """n·Σk² − (Σk)² of the n rows of each side, k being their levels; and n, or 1 of none."""
    n, total = side.sum(axis=-1), (side * places).sum(axis=-1)
    return n * (side * places**2).sum(axis=-1) - total * total, np.maximum(n, 1)
