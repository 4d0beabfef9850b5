"""Trees as bytes, for requests: blocks of up to 32 trees with as many questions each.

A block begins with four bytes: how many trees, how many questions each has, and the widths of a set and of a weight.
Then follow all features, a byte each; all sets of codes; all weights, the least significant byte first, in two's
complement. A set is a bit for each code, in so many bytes. Or, with the width 0, it is the codes where it begins and
ends: for each set a byte with twice their number and whether code 0 is in it, and then all these codes. The least
widths are taken, and of both forms of sets the shorter one. So trees have one form, and bytes that are none are
refused.

Claims: thm-messages
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np

from fdpedu.exact import as_indices

Question = tuple[int, int]  # a feature, and the codes that go left as a bit mask
Questions = tuple[Question, ...]  # of one tree
Tree = tuple[Questions, tuple[int, ...]]  # with its weights; none of a tree that is new
TREES, MAX_QUESTIONS = 32, 6  # of a block; of a tree
_HEAD = 4  # bytes
_MOST_ENDS = 127  # of a set that is written by where it begins and ends


def packed_trees(trees: Sequence[Tree], n_scores: int = 1) -> tuple[bytes, ...]:
    """The blocks of some trees, in order; a block ends where trees have another number of questions.

    Claims: thm-messages

    Parameters
    ----------
    trees : with their weights, or all of them without
    n_scores : how many weights each leaf has

    Raises
    ------
    ValueError
        If a feature, a set or a weight has no place in a block.

    Examples
    --------
    >>> [block.hex() for block in packed_trees([(((0, 0b0011),), (-4096, 8192))])]
    ['01010102000300f00020']
    """
    runs = _runs([len(questions) for questions, _ in trees])
    return tuple(_block(tuple(trees[begin:end]), n_scores) for begin, end in runs)


def unpacked_trees(blocks: Sequence[Any], n_scores: int = 1) -> tuple[Tree, ...]:
    """The trees of some blocks; refused unless they would be written so.

    Claims: thm-messages

    Raises
    ------
    ValueError
        If they are no blocks, or trees would be written otherwise.

    Examples
    --------
    >>> unpacked_trees([bytes.fromhex("01010102000300f00020")])
    ((((0, 3),), (-4096, 8192)),)
    """
    if not all(type(block) is bytes for block in blocks):
        raise ValueError("packed trees are blocks of bytes")
    found = [_read(block, n_scores) for block in blocks]
    # thm-messages: a block that has room left is followed by one of another number of questions
    if any(len(one) < TREES and len(one[0][0]) == len(other[0][0]) for one, other in pairwise(found)):
        raise ValueError(f"packed trees stand in blocks of {TREES}, and these are divided otherwise")
    return tuple(tree for block in found for tree in block)


def _runs(sizes: Sequence[int]) -> Iterator[tuple[int, int]]:
    """From where to where blocks reach."""
    begin = 0
    for at in range(1, len(sizes) + 1):
        if at == len(sizes) or at - begin == TREES or sizes[at] != sizes[begin]:
            yield begin, at
            begin = at


def _packed(trees: tuple[Tree, ...], n_scores: int) -> bytes:
    """The bytes of a block."""
    k = len(trees[0][0])
    if not 1 <= k <= MAX_QUESTIONS or {len(weights) for _, weights in trees} not in ({0}, {n_scores << k}):
        raise ValueError(
            f"packed trees have 1 to {MAX_QUESTIONS} questions, and a weight for each leaf, or none of them has any"
        )
    asked = [question for questions, _ in trees for question in questions]
    features = bytes(_integers([feature for feature, _ in asked], 0, 256))
    width, sets = _sets(_integers([mask for _, mask in asked], 0, 2**256))
    weights = _integers([weight for _, some in trees for weight in some], -(2**23), 2**23)
    heavy = _width_of(weights)
    return bytes([len(trees), k, width, heavy]) + features + sets + _narrow(weights, heavy)


def _integers(found: list[int], least: int, end: int) -> list[int]:
    """The numbers, if a block has room for them."""
    if not set(map(type, found)) <= {int} or (found and not least <= min(found) <= max(found) < end):
        raise ValueError("packed trees have features and codes below 256, and weights of three bytes")
    return found


def _width_of(weights: list[int]) -> int:
    """In how many bytes all of them fit, signs included; 0 if there are none."""
    return (max(max(weights), ~min(weights)).bit_length() + 8) // 8 if weights else 0


def _narrow(numbers: list[int], width: int) -> bytes:
    """The lower bytes of each number."""
    return np.array(numbers, dtype="<i8").view(np.uint8).reshape(-1, 8)[:, :width].tobytes()


def _widened(raw: bytes, width: int) -> list[int]:
    """The numbers of so many bytes each, with their signs."""
    parts = np.zeros((len(raw) // width, 8), dtype=np.uint8)
    parts[:, 8 - width :] = np.frombuffer(raw, dtype=np.uint8).reshape(-1, width)
    found: list[int] = (parts.view("<i8").ravel() >> 64 - 8 * width).tolist()
    return found


def _sets(masks: Sequence[int]) -> tuple[int, bytes]:
    """The width of some sets, and their shorter form."""
    raw = np.frombuffer(b"".join(mask.to_bytes(32, "little") for mask in masks), dtype=np.uint8).reshape(-1, 32)
    width = max(1, (max(masks).bit_length() + 7) // 8)
    bits = np.unpackbits(raw, axis=1, bitorder="little")
    ends = bits[:, 1:] != bits[:, :-1]
    counts = ends.sum(axis=1)
    if counts.max() > _MOST_ENDS or counts.sum() + len(masks) >= width * len(masks):
        return width, raw[:, :width].tobytes()
    return 0, bytes((2 * counts + bits[:, 0]).tolist()) + bytes((np.nonzero(ends)[1] + 1).tolist())


def _masks(raw: bytes, n: int, width: int) -> list[int] | None:
    """The sets of such a form, if it has n of them."""
    if width:
        return [int.from_bytes(raw[at : at + width], "little") for at in range(0, n * width, width)]
    heads = np.frombuffer(raw[:n], dtype=np.uint8)
    counts = heads // 2
    if len(raw) != n + counts.sum():
        return None
    ends = np.zeros((n, 256), dtype=np.uint8)
    ends[:, 0] = heads % 2
    ends[np.repeat(np.arange(n, dtype=np.int64), as_indices(counts)), np.frombuffer(raw[n:], dtype=np.uint8)] ^= 1
    bits = np.packbits(np.bitwise_xor.accumulate(ends, axis=1), axis=1, bitorder="little")
    return [int.from_bytes(one.tobytes(), "little") for one in bits]


def _unpacked(block: bytes, n_scores: int) -> tuple[Tree, ...]:
    """The trees of a block; refused unless they would be written so."""
    found = _understood(block, n_scores)
    # thm-messages: trees have one form, so bytes that would be written otherwise are refused
    if found is None or _block(found, n_scores) != block:
        raise ValueError("these bytes are no block of packed trees")
    return found


# most blocks of a model were written, and read, in the round before; those of many classes are long, so few are kept
_one, _several = (lru_cache(maxsize=n)(_packed) for n in (512, 64))
_read_one, _read_several = (lru_cache(maxsize=n)(_unpacked) for n in (512, 64))


def _block(trees: tuple[Tree, ...], n_scores: int) -> bytes:
    return (_one if n_scores == 1 else _several)(trees, n_scores)


def _read(block: bytes, n_scores: int) -> tuple[Tree, ...]:
    return (_read_one if n_scores == 1 else _read_several)(block, n_scores)


def _understood(block: bytes, n_scores: int) -> tuple[Tree, ...] | None:
    """The trees of a block; None if its parts are not as long as its head says."""
    n, k, width, heavy = block[:_HEAD] if len(block) >= _HEAD else bytes(_HEAD)
    if not (1 <= n <= TREES and 1 <= k <= MAX_QUESTIONS and width <= 32 and heavy <= 3):
        return None
    asked, each = n * k, n_scores << k
    begin, end = _HEAD + asked, len(block) - n * each * heavy
    if end < begin + asked * max(1, width) or (width and end != begin + asked * width):
        return None
    masks = _masks(block[begin:end], asked, width)
    if masks is None:
        return None
    questions = list(zip(block[_HEAD:begin], masks, strict=True))
    weights = _widened(block[end:], heavy) if heavy else []
    return tuple((tuple(questions[i * k : (i + 1) * k]), tuple(weights[i * each : (i + 1) * each])) for i in range(n))
