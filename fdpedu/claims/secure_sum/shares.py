"""Secrets in shares, of which one needs all or t; and what each way of summing costs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, permutations, product
from typing import Any

import numpy as np

from fdpedu.claims.checking import Refuted, require
from fdpedu.claims.mechanisms.words import among
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.claims.replay import require_joint_law
from fdpedu.randomness import Rehearsal, ReplayedWords, TapeExhausted
from fdpedu.secure_sum import (
    SEED_PRIME,
    Share,
    count_messages,
    private_sum,
    reconstruct,
    recover_secret,
    residues,
    share,
    share_secret,
    shared_sum,
)
from fdpedu.secure_sum.messages import Box, Consent, Hello, Masked, Reveal, size_of
from fdpedu.secure_sum.shamir import uniform_residue


def missing_share(modulus: int, n: int, value: int, missing: int, words: int) -> None:
    """All shares but one are independent and uniform, whatever the value is; and all of them give the value."""

    def draw(tape: ReplayedWords) -> list[int]:
        shares = share(value, n, modulus, tape)
        require((int(reconstruct(list(shares), modulus)) - value) % modulus == 0, "the shares give another value")
        return [int(one) for k, one in enumerate(shares) if k != missing]

    require_joint_law(draw, [among(modulus)] * (n - 1), words, word_bits=(modulus - 1).bit_length())


def small_shares(most: int) -> Iterator[tuple[int, int, int, int, int]]:
    """q from 2 to ``most``, two and three shares, all values, each share missing."""
    for modulus, n in product(range(2, most + 1), (2, 3)):
        yield from ((modulus, n, value, k, n + 1) for value, k in product(range(modulus), range(n)))


def additive_sum(rows: Sequence[Sequence[int]], modulus: int) -> None:
    """Additive sharing gives the sum, as pairwise masks do."""
    require(np.array_equal(shared_sum(rows, modulus), private_sum(rows, modulus)), "the sums are different")
    shares = share(rows, 4, modulus)
    lifted = reconstruct(shares, modulus)
    require(np.array_equal(residues(lifted, modulus), residues(np.array(rows), modulus)), "the values are different")


def too_few_say_nothing(prime: int, threshold: int, n: int) -> None:
    """Over all coefficients, any t − 1 shares take all values equally often, whatever the secret; any t give it.

    Every tape of words is played through the shipped code; those that end before it does are of refused words.
    """
    bits = (prime - 1).bit_length()
    for secret in range(prime):
        dealt = list(_dealt(secret, threshold, n, prime, bits))
        for few in combinations(range(n), threshold - 1):
            seen = Counter(tuple(shares[k].y for k in few) for shares in dealt)
            uniform = len(seen) == prime ** (threshold - 1) and len(set(seen.values())) == 1
            require(uniform, f"the shares of {few} are not uniform, for the secret {secret}")
        for enough in combinations(range(n), threshold):
            found = {recover_secret([shares[k] for k in enough], threshold, prime) for shares in dealt}
            require(found == {secret}, f"the shares of {enough} give {found}, not {secret}")


def _dealt(secret: int, threshold: int, n: int, prime: int, bits: int) -> Iterator[tuple[Share, ...]]:
    for tape in product(range(2**bits), repeat=threshold - 1):
        try:
            yield share_secret(secret, threshold, n, prime, ReplayedWords(tape, word_bits=bits))
        except TapeExhausted:
            continue


def small_fields(most: int) -> Iterator[tuple[int, int, int]]:
    """Primes up to ``most``, all thresholds to 3, up to four shares."""
    for prime in (2, 3, 5, 7, 11, 13):
        for n in range(1, min(prime, 5)):
            yield from ((prime, threshold, n) for threshold in range(1, min(n, 3) + 1) if prime <= most)


def seeds_come_back(threshold: int, n: int, seed: int) -> None:
    """Shares of 32 bytes over the large field: any t, in any order, give them; fewer are refused, or wrong."""
    source = Rehearsal(seed)
    secret = uniform_residue(2**256 - 189, source)
    shares = list(share_secret(secret, threshold, n, words=source))
    require(all(0 <= one.y < SEED_PRIME for one in shares), "a share is outside of the field")
    for k in range(n):
        turned = (shares[k:] + shares[:k])[::-1]
        require(recover_secret(turned, threshold) == secret, "another secret comes back")
        if threshold > 1:
            require(recover_secret(turned, threshold - 1) != secret, "fewer shares are enough")
    try:
        recover_secret(shares[: threshold - 1], threshold)
    except ValueError:
        return
    raise Refuted("too few shares are accepted")


def field_residues(prime: int, word_bits: int, words: int) -> None:
    """Residues that coefficients are made of are uniform, from words longer or shorter than they are."""

    def draw(tape: ReplayedWords) -> Any:
        return [uniform_residue(prime, tape)]

    require_joint_law(draw, [among(prime)], words, word_bits=word_bits)


def traffic_counted(parties: int, size: int) -> None:
    """Messages and bytes of the three protocols are what one counts by hand."""
    counted = count_messages(parties, size)
    masks, shares, recovery = (counted[name] for name in ("pairwise masks", "additive shares", "masks with recovery"))
    require((masks.messages, masks.bytes, masks.rounds) == (parties, 8 * size * parties, 1), "masks: one message each")
    require((shares.messages, shares.bytes) == (parties**2, 8 * size * parties**2), "shares: to each other, and out")
    require(shares.rounds == 2, "shares: one round to share, one to publish")
    require((recovery.messages, recovery.rounds) == (9 * parties, 5), "recovery: five messages up and four down, each")
    require(recovery.bytes == recovery_bytes(parties, size), "recovery: the bytes of its five kinds of messages")
    require(recovery.missing == (parties - 1) // 2 and masks.missing == shares.missing == 0, "who may be missing")
    require(masks.setup_messages == recovery.setup_messages == 2 * parties, "keys go to the aggregator and back")
    announced = 9 + 9 + 29 + 41 + 41 + 41 + (9 + 41 * parties) + 73
    require(masks.setup_bytes == recovery.setup_bytes == announced * parties * (parties + 1), "keys: to all from all")
    require((shares.setup_messages, shares.setup_bytes) == (0, 0), "additive shares need no keys")


def recovery_bytes(parties: int, size: int) -> int:
    """All of a round's messages up; down to each party all hellos and consents and the list, and its boxes."""
    number = [9 + len(f"{k:x}") for k in range(parties)]
    hellos = sum(9 + one + 41 + 41 + 73 for one in number)
    boxes = sum(9 + number[k] + number[j] + 157 for k, j in permutations(range(parties), 2))
    consents = sum(9 + one + 73 for one in number)
    numbers = sum(9 + one + 9 + 8 * size for one in number)
    shares = sum(9 + one + 75 for one in number)
    reveals = sum(9 + one + 9 + shares + 9 for one in number)
    return hellos + 2 * boxes + numbers + consents + reveals + parties * (hellos + consents + 9 + sum(number))


SIZES: dict[Any, int] = {
    Hello(1, bytes(32), bytes(32), bytes(64)): 9 + 10 + 41 + 41 + 73,
    Box(1, 2, bytes(148)): 9 + 10 + 10 + 157,
    Consent(16, bytes(64)): 9 + 11 + 73,
    Reveal(1, ((1, bytes(66)),), ()): 9 + 10 + 9 + 9 + 10 + 75 + 9,
}


def message_sizes() -> None:
    """Every field counts 9 bytes for its form, and its content; numbers are 8 bytes each."""
    require(all(size_of(message) == size for message, size in SIZES.items()), "a message has another size")
    require(size_of(Masked(1, np.zeros(100, dtype=np.uint64))) == 9 + 10 + 9 + 800, "masked numbers have another size")


CLAIMS = (
    Claim(
        "lem-additive-shares",
        status="proved+checked",
        code=(
            "fdpedu.secure_sum.additive",
            "fdpedu.secure_sum.additive.share",
            "fdpedu.secure_sum.additive.reconstruct",
            "fdpedu.secure_sum.additive.shared_sum",
        ),
        checks=(
            Check(
                "one share missing",
                "exhaustive",
                "q from 2 to {size}, two and three shares, all values, each share missing, over all tapes of words",
                missing_share,
                small_shares,
                4,
                7,
                more=[(5, 3, 4, missing, 4) for missing in range(3)],
            ),
            Check(
                "sums",
                "property",
                "{size} random sums of four parties, five moduli: additive shares and masks have one sum",
                additive_sum,
                lambda draw: draw.sums(),
                30,
                1000,
            ),
        ),
        assumptions=("shares travel over private channels", "integers mod $q$"),
        uses=("asm-random-words",),
    ),
    Claim(
        "thm-shamir",
        status="proved+checked",
        code=(
            "fdpedu.secure_sum.shamir",
            "fdpedu.secure_sum.shamir.share_secret",
            "fdpedu.secure_sum.shamir.recover_secret",
            "fdpedu.secure_sum.shamir.uniform_residue",
        ),
        checks=(
            Check(
                "small fields",
                "exhaustive",
                "primes up to {size}, thresholds up to 3, up to four shares: all secrets, coefficients and subsets",
                too_few_say_nothing,
                small_fields,
                5,
                13,
                more=[(7, 2, 3)],
            ),
            Check(
                "coefficients",
                "exact",
                "residues mod 2, 5 and 11 from words longer and shorter than they are, over all tapes",
                field_residues,
                lambda _: [(2, 1, 1), (5, 3, 3), (5, 7, 2), (5, 2, 6), (11, 3, 4)],
            ),
            Check(
                "seeds",
                "exact",
                "numbers of 32 bytes over the field of 2^521 − 1, up to {size} shares, all thresholds",
                seeds_come_back,
                lambda most: ((t, n, 7 * n + t) for n in range(1, most + 1) for t in range(1, n + 1)),
                6,
                20,
                more=[(1, 1, 5), (2, 5, 5), (5, 5, 5), (20, 31, 5)],
            ),
        ),
        assumptions=("exact integers mod $p$",),
        uses=("asm-random-words",),
    ),
    Claim(
        "lem-traffic",
        status="proved+checked",
        code=("fdpedu.secure_sum.costs", "fdpedu.secure_sum.costs.count_messages"),
        checks=(
            Check(
                "counted",
                "exact",
                "three to {size} parties, sums of 0 to 1,000 numbers, all three ways run and their messages counted",
                traffic_counted,
                lambda most: product(range(3, most + 1), (0, 1, 1000)),
                6,
                20,
                more=[(4, 17), (9, 2)],
            ),
            Check("sizes", "exact", "a message of each kind, field by field", message_sizes, lambda _: [()]),
        ),
        assumptions=("through the aggregator in a star; additive shares from each to each",),
    ),
)

TWINS = (
    Broken(
        "leading coefficient not zero",
        "fdpedu.secure_sum.shamir.share_secret",
        "(uniform_residue(prime, source) for",
        "(1 + uniform_residue(prime - 1, source) for",
        "A polynomial of degree t − 1 has a leading coefficient, and that is not 0.",
        "thm-shamir",
        "small fields",
    ),
    Broken(
        "shares reduced mod p",
        "fdpedu.secure_sum.shamir.uniform_residue",
        "if (drawn := drawn >> (count * source.word_bits - bits)) < prime:\n            return drawn",
        "return (drawn >> (count * source.word_bits - bits)) % prime",
        "A number mod p is a uniform residue.",
        "thm-shamir",
        "coefficients",
    ),
    Broken(
        "additive shares below q − 1",
        "fdpedu.secure_sum.additive._uniform",
        "np.full(size, modulus,",
        "np.full(size, modulus - 1 or 1,",
        "Random numbers from 0 to q − 1 end before q − 1.",
        "lem-additive-shares",
        "one share missing",
    ),
    Broken(
        "published sums are no messages",
        "fdpedu.secure_sum.costs._additive",
        "len(sent) + n, sum(sent)",
        "len(sent), sum(sent)",
        "Shares are sent, and sums are only read out.",
        "lem-traffic",
        "counted",
    ),
    Broken(
        "shares that are not reduced",
        "fdpedu.secure_sum.shamir._value",
        "(y * x + coefficient) % prime",
        "y * x + coefficient",
        "The field is needed where the secret is recovered.",
        "thm-shamir",
        "seeds",
    ),
)
