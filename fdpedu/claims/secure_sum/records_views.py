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
        statement=r"Let $K$ integers be at most $B$ in absolute value. If $2KB<R$, then their sum mod $R$, lifted to "
        r"$[-R/2,R/2)$, is their sum. If $2KB\ge R$, then there are $K$ such integers for which it is not.",
        status="checked",
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
        statement=r"For integers $x_k$ and keys $S_{kj}$ with $S_{kj}+S_{jk}=0\bmod R$, the encodings $x_k+\sum_{j\ne "
        r"k}S_{kj}\bmod R$ add up mod $R$ to $\sum_k x_k$, and the aggregator learns nothing else.",
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
        statement=r"Let $c\le K-2$ of the $K$ parties tell the aggregator all they know, and let the masks of the "
        r"pairs of honest parties be independent and uniform mod $R$, and fresh. Then, for any integers $x_k$ of the "
        r"honest parties $H$ and given all that the colluders know, the honest encodings, with the masks that they "
        r"share with colluders taken off, are uniform among the vectors mod $R$ that add up to $\sum_{k\in H}x_k$. So "
        r"the view depends on the honest integers through their sum only, and any proper subset of the "
        r"encodings on none.",
        status="checked",
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
        statement="Integers, texts, bytes, fractions, tuples of such values and mappings from texts to them have a "
        "canonical form in bytes. Different values have different forms, and no form is the beginning of another.",
        status="checked",
        code=(BINDING, f"{BINDING}.canonical"),
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
        "Equivocation is useless",
        "secure_sum",
        "this book",
        statement=r"Let masks be keyed by pair, session, round and digest, with an independent uniform table mod $R$ "
        r"for each, and let $H$ be the honest members of one list, each pair of which has masks. An aggregator may ask "
        r"each member of $H$ something else. If all of $H$ answer for one digest, their encodings are uniform given "
        r"the sum over $H$. If at least two digests occur, or some of $H$ do not answer, the encodings are jointly "
        r"uniform: nothing is learnt, not even the sum over those who were asked alike. This holds if (a) each party "
        r"computes the digest itself, from what it executes, by an injective encoding of session, round, request and "
        r"the ordered list of identities and keys, and a collision-resistant hash; (b) each party accepts lists of "
        r"pinned identities only; (c) each party answers at most once for a session, a round and a digest.",
        status="checked",
        code=(
            BINDING,
            f"{BINDING}.Binding.digest",
            f"{BINDING}.Binding.accept",
            "fdpedu.secure_sum.masks.Masks.draw",
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
