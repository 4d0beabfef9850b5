"""Chapter 5. Secure sums, and the key stream that their masks come from."""

from itertools import product

from fdpedu.claims.checking import as_case
from fdpedu.claims.dependence import ALPHA
from fdpedu.claims.records import Check, Claim
from fdpedu.claims.secure_sum import laws as law
from fdpedu.claims.secure_sum import laws_keys as keys
from fdpedu.claims.secure_sum import laws_streams as streams

CLAIMS = (
    Claim(
        "asm-key-stream",
        "Masks look uniform",
        "secure_sum",
        "this book; section 2.4 of the report leaves it open",
        status="assumed",
        code=tuple(
            f"fdpedu.secure_sum.{name}" for name in ("keys", "keys.x25519", "keys.key_for", "masks._uniform_stream")
        ),
        checks=(
            Check(
                "residues",
                "statistical",
                "chi-square of {size} residues mod 7 of a fixed key, two-sided",
                law.uniform_residues,
                as_case,
                100_000,
                1_000_000,
                alpha=1e-9,
            ),
            Check(
                "known answers",
                "exact",
                "RFC 8439, 2.4.2, and RFC 7748, 6.1, with the key that HKDF (RFC 5869) derives from it",
                streams.known_answers,
                lambda _: [("ChaCha20",), ("exchange",)],
            ),
            Check(
                "no zero secret",
                "exact",
                "seven public keys for which every secret is zero are refused, in every way to one",
                keys.no_secret_is_zero,
                lambda _: ((point,) for point in keys.SMALL_ORDER),
            ),
            Check(
                "toy exchange",
                "exhaustive",
                "Diffie and Hellman's exchange on primes up to {size}: all secrets, and a listener who tries all",
                keys.toys_agree,
                lambda most: ((p, g) for p, g in ((5, 2), (23, 5), (47, 5), (101, 2)) if p <= most),
                23,
                101,
            ),
            Check(
                "the standard's stream",
                "exact",
                "masks of three parties against RFC 8439 written anew, sums 0 to 2^64, up to {size} words",
                streams.standard_stream,
                streams.stretches,
                20_000,
                200_000,
            ),
            Check(
                "own keys",
                "exact",
                "2 to {size} parties, three exchanges: one key a pair, the same at both ends, and never again",
                streams.own_keys,
                lambda most: ((n,) for n in range(2, most + 1)),
                5,
                12,
            ),
        ),
        assumptions=("parties and aggregator are honest but curious", "computationally bounded"),
    ),
    Claim(
        "thm-private-sum",
        "Private sums",
        "secure_sum",
        "report, Algorithm 1; with fresh masks, and the result lifted",
        status="proved+checked",
        code=("fdpedu.secure_sum", "fdpedu.secure_sum.masks", "fdpedu.secure_sum.masks.private_sum"),
        checks=(
            Check(
                "views",
                "exhaustive",
                "three parties, all values and all masks, every R from 2 to {size}",
                law.equal_views,
                lambda most: ((R, values) for R in range(2, most + 1) for values in product(range(R), repeat=3)),
                4,
                6,
            ),
            Check(
                "sums",
                "property",
                "{size} random sums of four parties, five moduli",
                law.right_sum,
                lambda draw: draw.sums(),
                40,
                1000,
            ),
            Check(
                "large sums",
                "exact",
                "3 to {size} parties, six moduli: sums at the ends of the range, next to them and beyond",
                law.large_sums,
                lambda most: product((2, 7, 2**32, 10**9 + 7, 2**62, 2**64), range(3, most + 1)),
                4,
                9,
            ),
            Check(
                "fresh masks",
                "exact",
                "three sums of 3 to {size} and of 20 parties, three moduli: masks cancel and never come again",
                law.fresh_masks,
                lambda most: product((2**64, 2**62, 10**9 + 7), (*range(3, most + 1), 20)),
                4,
                8,
            ),
            Check(
                "fresh streams",
                "statistical",
                "three pairs, the first {size} sums and sums to 2^64, three moduli: no word of a mask comes twice",
                streams.fresh_streams,
                lambda sums: [(2**64, sums, 40), (3 * 2**60, sums, 40), (2**62, sums, 40), (2**64, 2, 9000)],
                100,
                2000,
                alpha=ALPHA,
            ),
            Check(
                "joint law",
                "exact",
                "two residues of one block, two blocks, two sums, refused words included, over all tapes of {size} "
                "words",
                streams.small_residues,
                streams.small_blocks,
                6,
                7,
            ),
        ),
        assumptions=(
            "parties and aggregator are honest but curious",
            "integers mod $R$",
            "at least two honest parties",
        ),
        uses=("asm-key-stream",),
    ),
)
