"""What masks are bound to: canonical forms, and parties that are asked differently."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import chain, pairwise, product
from typing import Any

import numpy as np

from fdpedu.claims.checking import Refuted, require
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.claims.secure_sum.ideal import ideal_tables, require_uniform_view
from fdpedu.claims.secure_sum.views import known_to, pair_keys
from fdpedu.randomness import Words
from fdpedu.secure_sum import Asked, Binding, Masks, canonical, encode, pairwise_keys
from fdpedu.secure_sum.binding import Canonical

MEMBERS = tuple((bytes([k]), bytes([100 + k])) for k in range(9))


def asked_differently(modulus: int, asked: tuple[int, ...], colluders: int, claim: str) -> None:
    """Honest party k is asked for request number ``asked[k]``, and given its true digest, or one digest for all.

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
    theirs = sum(
        (known[place + c * honest + k].astype(np.int64) for c in range(colluders)), np.zeros(mask.shape, dtype=np.int64)
    )
    return ((mask.astype(np.int64) + theirs) % modulus).astype(np.uint64)


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
    require(len(forms) == len({_with_types(value) for value in values}), "two values have one form")
    alike = next((a for a, b in pairwise(forms) if b.startswith(a)), None)
    require(alike is None, f"the form {alike!r} is the beginning of another")


def distinct_fractions(digits: int) -> None:
    """A third, and its decimals of so many digits rounded down and up, have three forms."""
    down = Fraction(10**digits // 3, 10**digits)
    forms = {canonical(value) for value in (Fraction(1, 3), down, down + Fraction(1, 10**digits))}
    require(len(forms) == 3, "two of three fractions have one form")


def _with_types(value: Any) -> Any:
    """The value with its types, so that 1, Fraction(1) and True differ."""
    if type(value) is tuple:
        return ("tuple", *map(_with_types, value))
    if type(value) is dict:
        return ("dict", *chain.from_iterable((key, _with_types(value[key])) for key in sorted(value)))
    return type(value).__name__, value


CLAIMS = (
    Claim(
        "lem-canonical",
        status="proved+checked",
        code=(
            "fdpedu.secure_sum.binding",
            "fdpedu.secure_sum.binding.canonical",
            "fdpedu.secure_sum.binding.read_canonical",
        ),
        checks=(
            Check(
                "small values",
                "exhaustive",
                "texts, bytes and numbers that look like forms, in tuples and mappings of two, nested {size} deep",
                distinct_forms,
                lambda depth: ((n,) for n in range(depth + 1)),
                1,
                2,
            ),
            Check(
                "close fractions",
                "exact",
                "fractions that have one float: 1/3 and its nearest neighbours with {size} digits",
                distinct_fractions,
                lambda digits: ((n,) for n in range(1, digits + 1)),
                30,
                400,
            ),
            Check(
                "fields",
                "exact",
                "2 to {size} members: whatever is changed of a request, a session or a list, the digest changes",
                every_field_counts,
                lambda most: ((n,) for n in range(2, most + 1)),
                4,
                8,
            ),
        ),
        assumptions=("a mapping holds each key once", "for digests: SHA-256 has no known collisions"),
    ),
    Claim(
        "thm-equivocation",
        status="proved+checked",
        code=(
            "fdpedu.secure_sum.binding",
            "fdpedu.secure_sum.binding.Binding.digest",
            "fdpedu.secure_sum.binding.Binding.accept",
            "fdpedu.secure_sum.masks.Masks.draw",
            "fdpedu.federation.endpoint.digest_of",
        ),
        checks=(
            Check(
                "asked differently",
                "exhaustive",
                "two to four honest parties, up to one colluder, all ways to ask for up to three requests, true "
                "digests and false ones, all values, all masks up to {size}",
                asked_differently,
                small_equivocations,
                800,
                60_000,
            ),
            Check(
                "one answer",
                "exact",
                "2 to {size} parties: a number that was answered is answered never again, for any digest",
                answers_once,
                lambda most: product(range(2, most + 1), (0, 1, 2**64)),
                4,
                9,
                more=[(3, 7)],
            ),
        ),
        assumptions=(
            "the aggregator and colluders may deviate from the protocol; honest parties do not",
            "ideal masks",
            "integers mod $R$",
        ),
        uses=("asm-key-stream", "lem-canonical", "thm-sum-colluders", "thm-announcements"),
    ),
)

TWINS = (
    Broken(
        "masks from the round's number alone",
        "fdpedu.secure_sum.masks.Masks._of_this_sum",
        "sum_number, digest)",
        "sum_number)",
        "Every round has its own number, so its masks are fresh.",
        "thm-equivocation",
        "asked differently",
    ),
    Broken(
        "digest from the aggregator",
        "fdpedu.secure_sum.binding.Binding.accept",
        "own = self.digest(asked.number, asked.request)",
        "own = asked.digest",
        "The digest comes with the request, so it need not be computed again.",
        "thm-equivocation",
        "asked differently",
    ),
    Broken(
        "two answers to one digest",
        "fdpedu.secure_sum.masks.Masks.draw",
        "sum_number <= self._last",
        "sum_number < self._last",
        "Whoever asks the same again gets the same answer, which says nothing new.",
        "thm-equivocation",
        "one answer",
    ),
    Broken(
        "fields glued together",
        "fdpedu.secure_sum.binding._with_head",
        "_HEAD(letter, len(content)) + content",
        "letter + content",
        "The letters of the types keep the fields apart.",
        "lem-canonical",
        "small values",
    ),
    Broken(
        "fractions as floats",
        "fdpedu.secure_sum.binding.canonical",
        "_one_after_another((value.numerator, value.denominator))",
        'repr(float(value)).encode("ascii")',
        "A budget prints as a number, and that number is the budget.",
        "lem-canonical",
        "close fractions",
    ),
    Broken(
        "list of members left out",
        "fdpedu.secure_sum.binding.Binding.digest",
        "request, self._listed)",
        "request)",
        "Who takes part was settled at the beginning of the session.",
        "lem-canonical",
        "fields",
    ),
)
