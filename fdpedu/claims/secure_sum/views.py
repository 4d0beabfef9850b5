"""When a sum does not overflow, and what the aggregator and its colluders see of it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product
from typing import Any

import numpy as np

from fdpedu.claims.checking import require
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.claims.secure_sum.ideal import ideal_tables, require_uniform_view
from fdpedu.claims.secure_sum.key_stream import key_of
from fdpedu.randomness import Words
from fdpedu.secure_sum import Masks, encode, private_sum, require_no_overflow
from fdpedu.sources.gubler import algorithm_1_as_printed


def no_overflow(largest: int, parties: int, modulus: int) -> None:
    """If a sum fits, it is right for both extreme ends; if not, it is refused, and would come out wrong at one."""
    ends = [[largest] * parties, [-largest] * parties]
    right = [private_sum([[x] for x in row], modulus).tolist() == [sum(row)] for row in ends]
    try:
        require_no_overflow(largest, parties, modulus)
    except ValueError:
        require(not all(right), "it is refused, although both ends come out right")
        return
    require(all(right), "it fits, but a sum is wrong")


def small_sums(most: int) -> Iterator[tuple[int, int, int]]:
    """All R up to ``most``, bounds on both sides of R/2K; and large R."""
    for modulus, parties in product([*range(2, most + 1), 2**31, 2**62, 2**64], (1, 2, 3, 5)):
        edge = modulus // (2 * parties)
        yield from ((bound, parties, modulus) for bound in (edge - 1, edge, edge + 1) if 0 <= bound <= 2**62)


def printed_sum(modulus: int, values: tuple[int, ...]) -> None:
    """Whether Algorithm 1, as printed, gives the sum of the values, with masks from a fixed stream."""
    keys = printed_keys(modulus, len(values))
    _, total = algorithm_1_as_printed(values, keys, modulus)
    require(total == sum(values), f"the sum {sum(values)} comes out as {total}")


def printed_twice(modulus: int, first: tuple[int, ...], second: tuple[int, ...]) -> None:
    """Whether two sums with the same keys, which the algorithm takes as inputs, hide what a party has changed."""
    keys = printed_keys(modulus, len(first))
    (one, _), (other, _) = (algorithm_1_as_printed(values, keys, modulus) for values in (first, second))
    changed = [(b - a) % modulus for a, b in zip(first, second, strict=True)]
    seen = [(b - a) % modulus for a, b in zip(one, other, strict=True)]
    require(seen != changed, f"the encodings differ by {seen}, which is how each value has changed mod {modulus}")


def printed_keys(modulus: int, parties: int) -> list[list[int]]:
    """S_kj for all pairs, with S_kj + S_jk = 0 mod R."""
    keys = [[0] * parties for _ in range(parties)]
    for k, j in combinations(range(parties), 2):
        keys[k][j] = (7 + 5 * k + 3 * j) % modulus
        keys[j][k] = -keys[k][j] % modulus
    return keys


def pair_keys(n: int) -> list[dict[int, bytes]]:
    """A key for every pair of n parties; for each party those that it holds."""
    held: list[dict[int, bytes]] = [{} for _ in range(n)]
    for number, (k, j) in enumerate(combinations(range(n), 2)):
        held[k][j] = held[j][k] = key_of(number)
    return held


def known_to(colluders: range, held: list[dict[int, bytes]], digests: Any, size: int, modulus: int) -> list[Words]:
    """The tables that colluders share with honest parties, for all digests that occur."""
    honest = range(colluders.start)
    return [
        Masks(k, {j: held[k][j]}).draw(1, size, modulus, digest)
        for digest in sorted(set(digests))
        for k, j in product(colluders, honest)
    ]


def colluders_see_the_sum(modulus: int, parties: int, colluders: tuple[int, ...]) -> None:
    """Given what colluders know, the honest encodings are uniform among those with the honest sum, whatever was sent.

    All masks and all honest values.
    """
    held, honest = pair_keys(parties), [k for k in range(parties) if k not in colluders]
    with ideal_tables(parties * (parties - 1) // 2, modulus) as tables:
        masks = [Masks(k, held[k]).draw(1, tables.size, modulus) for k in range(parties)]
        shared = {(c, k): Masks(c, {k: held[c][k]}).draw(1, tables.size, modulus) for c in colluders for k in honest}
    require(not (np.sum(masks, axis=0) % modulus).any(), "masks do not cancel")
    known, own = list(shared.values()), [sum(shared[c, k].astype(np.int64) for c in colluders) for k in honest]
    for values in product(range(modulus), repeat=len(honest)):
        sent = [encode(np.full(tables.size, x), masks[k], modulus) for x, k in zip(values, honest, strict=True)]
        peeled = [((code + theirs) % modulus).astype(np.uint64) for code, theirs in zip(sent, own, strict=True)]
        require_uniform_view(peeled, known, modulus, sum(values))


def small_coalitions(most: int) -> Iterator[tuple[int, int, tuple[int, ...]]]:
    """R from 2, K from 3, all coalitions of c ≤ K − 2, as long as R^(number of pairs) is at most ``most``."""
    for parties, modulus in product(range(3, 6), range(2, 7)):
        if modulus ** (parties * (parties - 1) // 2) <= most:
            for c in range(parties - 1):
                yield from ((modulus, parties, some) for some in combinations(range(parties), c))


CLAIMS = (
    Claim(
        "lem-no-overflow",
        status="proved+checked",
        code=("fdpedu.secure_sum.modular", "fdpedu.secure_sum.modular.require_no_overflow"),
        checks=(
            Check(
                "ends of the room",
                "exhaustive",
                "one to five parties, every R from 2 to {size} and three large ones: bounds at R/2K and next to it",
                no_overflow,
                small_sums,
                16,
                200,
                more=[
                    (min(bound, 2**62), 3, modulus)
                    for modulus in (2, 3, 30, 31, 2**62, 2**64)
                    for bound in (0, modulus // 6, modulus // 6 + 1)
                ],
            ),
        ),
        assumptions=("integers mod $R$",),
    ),
    Claim(
        "alg-private-sum-as-printed",
        status="refuted as stated",
        code=("fdpedu.sources.gubler.algorithms.algorithm_1_as_printed",),
        checks=(
            Check(
                "negative sums",
                "exact",
                "three values from −2 to 2, R = {size}: whether the result is the sum",
                printed_sum,
                lambda modulus: ((modulus, values) for values in product(range(2, -3, -1), repeat=3)),
                64,
                1024,
            ),
            Check(
                "the same keys again",
                "exact",
                "two sums of three values with the same keys, R = {size}: whether the change of a value is hidden",
                printed_twice,
                lambda modulus: [(modulus, (3, 4, 5), (3, 5, 5))],
                64,
                1024,
            ),
        ),
        assumptions=("the keys are inputs, as printed, and may be used again",),
        corrected_by="thm-private-sum",
    ),
    Claim(
        "thm-sum-colluders",
        status="proved+checked",
        code=("fdpedu.secure_sum.masks",),
        checks=(
            Check(
                "coalitions",
                "exhaustive",
                "three to five parties, all honest values, all coalitions of up to K − 2, all masks up to {size}",
                colluders_see_the_sum,
                small_coalitions,
                1100,
                60_000,
            ),
        ),
        assumptions=("all parties follow the protocol", "integers mod $R$", "ideal masks"),
        uses=("asm-key-stream",),
    ),
)

TWINS = (
    Broken(
        "room for one sign only",
        "fdpedu.secure_sum.modular.require_no_overflow",
        "if 2 * bound >= check_modulus(modulus)",
        "if bound >= check_modulus(modulus)",
        "A sum below R fits into R.",
        "lem-no-overflow",
        "ends of the room",
    ),
    Broken(
        "a ring of masks",
        "fdpedu.secure_sum.masks.Masks.draw",
        "in self._keys.items():",
        "in self._keys.items() if len(self._keys) < 3 else "
        "[(k, v) for k, v in self._keys.items() if (k - self._index) % (len(self._keys) + 1) in (1, len(self._keys))]:",
        "A mask shared with either neighbour hides a value, and saves most of the work.",
        "thm-sum-colluders",
        "coalitions",
    ),
)
