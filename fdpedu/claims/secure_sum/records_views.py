"""Chapter 5. What the aggregator and its colluders see, and what masks are bound to."""

from itertools import product

from fdpedu.claims.records import Check, Claim
from fdpedu.claims.secure_sum import laws_shares as shares
from fdpedu.claims.secure_sum import laws_views as law

BINDING = "fdpedu.secure_sum.binding"

CLAIMS = (
    Claim(
        "lem-no-overflow",
        "Room for a sum",
        "secure_sum",
        "this book; the report asks for a public upper bound",
        status="proved+checked",
        code=("fdpedu.secure_sum.modular", "fdpedu.secure_sum.modular.require_room"),
        checks=(
            Check(
                "ends of the room",
                "exhaustive",
                "one to five parties, every R from 2 to {size} and three large ones: bounds at R/2K and next to it",
                shares.room_is_enough,
                shares.small_rooms,
                16,
                200,
            ),
        ),
        assumptions=("integers mod $R$",),
    ),
    Claim(
        "alg-private-sum-as-printed",
        "Private sums, as printed",
        "secure_sum",
        "report, Algorithm 1",
        status="refuted as stated",
        code=("fdpedu.secure_sum.masks.algorithm_1_as_printed",),
        checks=(
            Check(
                "negative sums",
                "exact",
                "three values from −2 to 2, R = {size}: whether the result is the sum",
                shares.printed_sum,
                lambda modulus: ((modulus, values) for values in product(range(2, -3, -1), repeat=3)),
                64,
                1024,
            ),
            Check(
                "the same keys again",
                "exact",
                "two sums of three values with the same keys, R = {size}: whether the change of a value is hidden",
                shares.printed_twice,
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
        "What colluders see of a private sum",
        "secure_sum",
        "this book; after the report, Algorithm 1",
        status="proved+checked",
        code=("fdpedu.secure_sum.masks",),
        checks=(
            Check(
                "coalitions",
                "exhaustive",
                "three to five parties, all honest values, all coalitions of up to K − 2, all masks up to {size}",
                law.colluders_see_the_sum,
                law.small_coalitions,
                1100,
                60_000,
            ),
        ),
        assumptions=("all parties follow the protocol", "integers mod $R$", "ideal masks"),
        uses=("asm-key-stream",),
    ),
    Claim(
        "lem-canonical",
        "Canonical bytes",
        "secure_sum",
        "this book",
        status="proved+checked",
        code=(BINDING, f"{BINDING}.canonical", f"{BINDING}.read_canonical"),
        checks=(
            Check(
                "small values",
                "exhaustive",
                "texts, bytes and numbers that look like forms, in tuples and mappings of two, nested {size} deep",
                law.distinct_forms,
                lambda depth: ((n,) for n in range(depth + 1)),
                1,
                2,
            ),
            Check(
                "close fractions",
                "exact",
                "fractions that have one float: 1/3 and its nearest neighbours with {size} digits",
                law.distinct_fractions,
                lambda digits: ((n,) for n in range(1, digits + 1)),
                30,
                400,
            ),
            Check(
                "fields",
                "exact",
                "2 to {size} members: whatever is changed of a request, a session or a list, the digest changes",
                law.every_field_counts,
                lambda most: ((n,) for n in range(2, most + 1)),
                4,
                8,
            ),
        ),
        assumptions=("a mapping holds each key once", "for digests: SHA-256 has no known collisions"),
    ),
    Claim(
        "thm-equivocation",
        "Equivocation tells nothing",
        "secure_sum",
        "this book",
        status="proved+checked",
        code=(
            BINDING,
            f"{BINDING}.Binding.digest",
            f"{BINDING}.Binding.accept",
            "fdpedu.secure_sum.masks.Masks.draw",
            "fdpedu.federation.endpoint.digest_of",
        ),
        checks=(
            Check(
                "asked differently",
                "exhaustive",
                "two to four honest parties, up to one colluder, all ways to ask for up to three requests, true "
                "digests and false ones, all values, all masks up to {size}",
                law.asked_differently,
                law.small_equivocations,
                800,
                60_000,
            ),
            Check(
                "one answer",
                "exact",
                "2 to {size} parties: a number that was answered is answered never again, for any digest",
                law.answers_once,
                lambda most: product(range(2, most + 1), (0, 1, 2**64)),
                4,
                9,
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
