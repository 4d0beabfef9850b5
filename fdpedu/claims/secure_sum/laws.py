"""Checks of chapter 5: sums come out right, every view is equally likely, and no mask is used twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import product

import numpy as np

from fdpedu.claims.checking import Refuted, require
from fdpedu.claims.frequencies import require_uniform
from fdpedu.secure_sum import Masks, encode, pairwise_keys, private_sum


def right_sum(rows: Sequence[Sequence[int]], modulus: int) -> None:
    """The private sum is the sum, lifted to [−R/2, R/2): negative sums come out negative."""
    result = private_sum(rows, modulus).tolist()
    for got, column in zip(result, zip(*rows, strict=True), strict=True):
        expected = (sum(column) + modulus // 2) % modulus - modulus // 2
        require(got == expected, f"the sum {sum(column)} mod {modulus} lifts to {expected}, not {got}")


def equal_views(modulus: int, values: tuple[int, ...]) -> None:
    """Three parties, all mask triples: each vector of encodings with the right sum arises equally often, no other."""
    views: Counter[tuple[int, ...]] = Counter()
    for s01, s02, s12 in product(range(modulus), repeat=3):
        masks = [s01 + s02, -s01 + s12, -s02 - s12]
        pairs = [(np.array([x]), np.array([m % modulus], dtype=np.uint64)) for x, m in zip(values, masks, strict=True)]
        views[tuple(int(encode(x, mask, modulus)[0]) for x, mask in pairs)] += 1
    require(len(views) == modulus**2 and set(views.values()) == {modulus}, "some views are likelier than others")
    require(all((sum(view) - sum(values)) % modulus == 0 for view in views), "a view does not add up to the sum")


def fresh_masks(modulus: int, parties: int) -> None:
    """Masks of all parties cancel; each of three sums has its own; a number that was used is refused."""
    keys = pairwise_keys(parties)
    drawn = [[masks.draw(number, 8, modulus) for masks in keys] for number in range(3)]
    for masks in drawn:
        require(all(sum(map(int, column)) % modulus == 0 for column in zip(*masks, strict=True)), "masks do not cancel")
    require(len({m.tobytes() for masks in drawn for m in masks}) == 3 * parties, "a mask is used in two sums")
    try:
        keys[0].draw(2, 1, modulus)
    except ValueError:
        return
    raise Refuted("the number of an earlier sum was accepted")


def uniform_residues(draws: int) -> None:
    """Residues mod 7 of a fixed key, so that the outcome is always the same."""
    require_uniform(np.bincount(Masks(0, {1: bytes(32)}).draw(5, draws, 7).astype(int), minlength=7), alpha=1e-9)
