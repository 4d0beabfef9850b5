"""Secure sums: masks against the cipher's own key stream, a round against NumPy's sum, growth with the parties."""

from collections.abc import Iterator
from functools import cache
from itertools import count

import numpy as np

from benchmarks.pairs import Clock, Row, cpu

NUMBERS = 1_000_000
CELLS = 1000
PARTIES = (20, 100)


def rows() -> Iterator[Row]:
    group = "masks / ChaCha20's own key stream"
    stream = _key_stream()
    yield Row(group, "a million numbers, one pair", _masks(1), stream, 1.5, quick=True)
    yield Row(group, "a million numbers, four pairs, a pair", _masks(4), stream, 1.5)
    yield Row(group, "a million numbers mod 10⁹ + 7, one pair", _masks(1, 10**9 + 7), stream)
    group = "a round of a million cells, 5 parties"
    added, round_of_5, masks_of_5 = _round(5)
    yield Row(group, "all of it / NumPy's sum of the counts", round_of_5, added)
    yield Row(group, "its masks / all of it", masks_of_5, round_of_5)
    group = "a sum of K parties / K/5 sums of 5"
    for n in PARTIES:
        for name in ("pairwise masks", "masks with recovery"):
            for what in ("messages", "bytes"):
                ours, of_5 = _traffic(name, n, what), _traffic(name, 5, what, n // 5)
                yield Row(group, f"{what} of {name}, K = {n}", ours, of_5, pairs=1)
    for n in PARTIES:
        yield Row(group, f"time of pairwise masks, K = {n}", *_growth(n), pairs=3)
    group = "masks with k neighbours / with all others, 100 parties"
    yield Row(group, "k = 18: a fifth collude, one failure in 2⁴⁰", *_neighbours(), pairs=3)


def _key_stream() -> Clock:
    """The words of a million numbers in one call, into new memory, as masks are."""
    from cryptography.hazmat.primitives.ciphers import Cipher, algorithms

    zeros = bytes(8 * NUMBERS)
    cipher = Cipher(algorithms.ChaCha20(bytes(32), bytes(16)), mode=None)
    return cpu(lambda: cipher.encryptor().update(zeros))


def _masks(pairs: int, modulus: int = 2**64) -> Clock:
    """A million masks of a party with so many others, in seconds for one of them."""
    from fdpedu.secure_sum import Masks

    masks, number = Masks(0, {k + 1: bytes([k]) * 32 for k in range(pairs)}), count()
    timed = cpu(lambda: masks.draw(next(number), NUMBERS, modulus))
    return lambda: timed() / pairs


def _round(n: int) -> tuple[Clock, Clock, Clock]:
    """To add the counts of n parties in the clear, by masks, and to make the masks alone."""
    from fdpedu.secure_sum import pairwise_keys, private_sum

    counts = np.arange(n * NUMBERS).reshape(n, NUMBERS) % 50
    keys, number = pairwise_keys(n), count()
    return (
        cpu(lambda: counts.sum(axis=0)),
        cpu(lambda: private_sum(counts, keys=keys, sum_number=next(number))),
        cpu(lambda: [number_of.draw(at, NUMBERS) for at in [next(number)] for number_of in keys]),
    )


@cache
def _counted(n: int):
    from fdpedu.secure_sum import count_messages

    return count_messages(n, CELLS)


def _traffic(name: str, n: int, what: str, times: int = 1) -> Clock:
    """No time: messages or bytes of a sum of a thousand numbers, counted."""
    return lambda: float(times * getattr(_counted(n)[name], what))


def _growth(n: int) -> tuple[Clock, Clock]:
    """A sum of ten thousand numbers over n parties, keys excluded, and n/5 such sums over five."""
    from fdpedu.secure_sum import pairwise_keys, private_sum

    def summed(parties: int, times: int) -> Clock:
        keys, number = pairwise_keys(parties), count()
        zeros = np.zeros((parties, 10 * CELLS), dtype=np.int64)
        return cpu(lambda: [private_sum(zeros, keys=keys, sum_number=next(number)) for _ in range(times)])

    return summed(n, 1), summed(5, n // 5)


def _neighbours() -> tuple[Clock, Clock]:
    """The masks of one of a hundred parties for a hundred thousand numbers."""
    from fdpedu.secure_sum import KeyPair, Ring, neighbour_masks

    pairs = [KeyPair() for _ in range(100)]
    publics, number = [pair.public for pair in pairs], count()
    few, all_others = (neighbour_masks(0, pairs[0], publics, Ring(k).draw(bytes(32), 100)) for k in (18, 100))
    return tuple(cpu(lambda masks=masks: masks.draw(next(number), NUMBERS // 10)) for masks in (few, all_others))
