"""Checks of chapter 5: what the aggregator and its colluders see, over all ideal masks of small spaces."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import chain, combinations, pairwise, product
from typing import Any

import numpy as np

from fdpedu.claims.checking import Refuted, require
from fdpedu.claims.secure_sum.laws_ideal import ideal_tables, require_uniform_view
from fdpedu.claims.secure_sum.laws_streams import key_of
from fdpedu.randomness import Words
from fdpedu.secure_sum import Asked, Binding, Masks, canonical, encode, pairwise_keys
from fdpedu.secure_sum.binding import Canonical

MEMBERS = tuple((bytes([k]), bytes([100 + k])) for k in range(9))


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


def colluders_see_the_sum(modulus: int, parties: int, colluders: int) -> None:
    """Given what colluders know, the honest encodings are uniform among those with the honest sum, whatever was sent.

    All masks and all honest values; the colluders are the last parties.
    """
    held, honest = pair_keys(parties), parties - colluders
    with ideal_tables(parties * (parties - 1) // 2, modulus) as tables:
        masks = [Masks(k, held[k]).draw(1, tables.size, modulus) for k in range(parties)]
        known = known_to(range(honest, parties), held, [b""], tables.size, modulus)
    require(not (np.sum(masks, axis=0) % modulus).any(), "masks do not cancel")
    own = [sum(known[c * honest + k].astype(int) for c in range(colluders)) for k in range(honest)]
    for values in product(range(modulus), repeat=honest):
        sent = [encode(np.full(tables.size, x), mask, modulus) for x, mask in zip(values, masks, strict=False)]
        peeled = [((code + theirs) % modulus).astype(np.uint64) for code, theirs in zip(sent, own, strict=True)]
        require_uniform_view(peeled, known, modulus, sum(values))


def small_coalitions(most: int) -> Iterator[tuple[int, int, int]]:
    """R from 2, K from 3, all c ≤ K − 2, as long as R^(number of pairs) is at most ``most``."""
    for parties, modulus in product(range(3, 6), range(2, 7)):
        if modulus ** (parties * (parties - 1) // 2) <= most:
            yield from ((modulus, parties, colluders) for colluders in range(parties - 1))


def asked_differently(modulus: int, asked: tuple[int, ...], colluders: int, claim: str) -> None:
    """Honest party k is asked for request number ``asked[k]``, and told its true digest, or one digest for all.

    If all are asked alike, encodings are uniform given the honest sum; else they are uniform, as far as there are any.
    """
    honest, parties = len(asked), len(asked) + colluders
    held, binding = pair_keys(parties), Binding(b"session", MEMBERS[:parties])
    requests = [("count", Fraction(1, 10)), ("count", Fraction(100)), ("total", Fraction(1, 10))]
    digests: dict[int, bytes] = {}
    for k, which in enumerate(asked):
        said = binding.digest(1, requests[asked[0] if claim == "one" else which])
        try:
            digests[k] = binding.accept(Asked(1, requests[which], said))
        except ValueError:
            require(said != binding.digest(1, requests[which]), f"party {k} refuses an honest question")
    if not digests:
        return
    with ideal_tables(parties * (parties - 1) // 2 * len(set(asked)), modulus) as tables:
        masks = {k: Masks(k, held[k]).draw(1, tables.size, modulus, digest) for k, digest in digests.items()}
        known = known_to(range(honest, parties), held, digests.values(), tables.size, modulus)
    peeled = {k: _peeled(k, mask, digests, known, honest, colluders, modulus) for k, mask in masks.items()}
    together = len(set(asked)) == 1
    for values in product(range(modulus), repeat=honest):
        sent = [encode(np.full(tables.size, values[k]), mask, modulus) for k, mask in peeled.items()]
        require_uniform_view(sent, known, modulus, sum(values) if together else None)


def _peeled(
    k: int, mask: Words, digests: dict[int, bytes], known: list[Words], honest: int, colluders: int, modulus: int
) -> Words:
    """Honest party k's mask without what the colluders know of it."""
    place = sorted(set(digests.values())).index(digests[k]) * colluders * honest
    theirs = sum((known[place + c * honest + k].astype(int) for c in range(colluders)), np.zeros(mask.shape, dtype=int))
    return ((mask.astype(int) + theirs) % modulus).astype(np.uint64)


def small_equivocations(most: int) -> Iterator[tuple[int, tuple[int, ...], int, str]]:
    """All ways to ask 2 to 4 honest parties for up to three requests, up to ``most`` fillings of tables."""
    for honest, colluders, modulus in product((2, 3, 4), (0, 1), (2, 3)):
        parties = honest + colluders
        for asked in product(range(3), repeat=honest):
            tables = parties * (parties - 1) // 2 * len(set(asked))
            if asked[0] == 0 and modulus**tables <= most:
                yield from ((modulus, asked, colluders, claim) for claim in ("true", "one"))


def answers_once(parties: int, number: int) -> None:
    """For a number that was answered, no party masks a second answer: neither for its digest nor for another."""
    for masks in pairwise_keys(parties):
        masks.draw(number, 3, digest=b"asked")
        for digest in (b"asked", b"asked otherwise"):
            try:
                masks.draw(number, 3, digest=digest)
            except ValueError:
                continue
            raise Refuted(f"a second answer is masked for number {number}")


def every_field_counts(members: int) -> None:
    """The digest is another one if anything is: session, number, request, an identity, a key, their order, one more."""
    own = MEMBERS[:members]
    ask = ("count", Fraction(1, 2))
    digests = [Binding(b"session", own).digest(1, ask), Binding(b"another", own).digest(1, ask)]
    lists = [own[::-1], own[:-1], (*own, MEMBERS[-1])]
    for k, (identity, key) in enumerate(own):
        lists += [
            (*own[:k], other, *own[k + 1 :]) for other in ((identity, b"new"), (b"new", key), (identity + key, b""))
        ]
    digests += [Binding(b"session", other).digest(1, ask) for other in lists]
    asked: list[Canonical] = [
        ("count", Fraction(1, 3)),
        ("count", "1/2"),
        ("count1/2",),
        ("count", Fraction(1, 2), 0),
        {"count": 1},
    ]
    digests += [Binding(b"session", own).digest(1, other) for other in asked]
    digests += [Binding(b"session", own).digest(number, ask) for number in (0, 2, 256)]
    require(len(set(digests)) == len(digests), "two different questions, or lists, have one digest")


def small_values(depth: int) -> list[Any]:
    """Leaves whose text looks like the forms of others, tuples and mappings of at most two of them, to a depth."""
    leaves: list[Any] = ["", "S", "I1", "SS", b"", b"S", b"I1", 0, 1, -1, 16, 256, Fraction(1, 2), Fraction(1), ()]
    found = leaves
    for _ in range(depth):
        pairs = [pair for pair in product(found, repeat=2)]
        mappings = [{"S": value} for value in found] + [{"S": value, "": value} for value in found]
        found = [*leaves, *((one,) for one in found), *pairs, *mappings]
    return found


def distinct_forms(depth: int) -> None:
    """Different values have different forms, none of which is the beginning of another."""
    values = small_values(depth)
    forms = sorted(set(map(canonical, values)))
    require(len(forms) == len({_told_apart(value) for value in values}), "two values have one form")
    alike = next((a for a, b in pairwise(forms) if b.startswith(a)), None)
    require(alike is None, f"the form {alike!r} is the beginning of another")


def distinct_fractions(digits: int) -> None:
    """A third, and its decimals of so many digits rounded down and up, have three forms."""
    down = Fraction(10**digits // 3, 10**digits)
    forms = {canonical(value) for value in (Fraction(1, 3), down, down + Fraction(1, 10**digits))}
    require(len(forms) == 3, "two of three fractions have one form")


def _told_apart(value: Any) -> Any:
    """The value with its types, so that 1, Fraction(1) and True differ."""
    if type(value) is tuple:
        return ("tuple", *map(_told_apart, value))
    if type(value) is dict:
        return ("dict", *chain.from_iterable((key, _told_apart(value[key])) for key in sorted(value)))
    return type(value).__name__, value
