"""Chapter 5. Secrets in shares, of which one needs all or t; and what each way of summing costs."""

from itertools import product

from fdpedu.claims.records import Check, Claim
from fdpedu.claims.secure_sum import laws_shares as law

ADDITIVE, SHAMIR, COSTS = (f"fdpedu.secure_sum.{name}" for name in ("additive", "shamir", "costs"))

CLAIMS = (
    Claim(
        "lem-additive-shares",
        "Additive shares",
        "secure_sum",
        "El Zein et al., equations (1) to (4)",
        status="proved+checked",
        code=(ADDITIVE, f"{ADDITIVE}.share", f"{ADDITIVE}.reconstruct", f"{ADDITIVE}.shared_sum"),
        checks=(
            Check(
                "one share missing",
                "exhaustive",
                "q from 2 to {size}, two and three shares, all values, each share missing, over all tapes of words",
                law.missing_share,
                law.small_shares,
                4,
                7,
            ),
            Check(
                "sums",
                "property",
                "{size} random sums of four parties, five moduli: additive shares and masks have one sum",
                law.additive_sum,
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
        "Shamir's scheme",
        "secure_sum",
        "Shamir 1979; this book",
        status="proved+checked",
        code=(SHAMIR, f"{SHAMIR}.share_secret", f"{SHAMIR}.recover_secret", f"{SHAMIR}.uniform_residue"),
        checks=(
            Check(
                "small fields",
                "exhaustive",
                "primes up to {size}, thresholds up to 3, up to four shares: all secrets, coefficients and subsets",
                law.too_few_say_nothing,
                law.small_fields,
                5,
                13,
            ),
            Check(
                "coefficients",
                "exact",
                "residues mod 2, 5 and 11 from words longer and shorter than they are, over all tapes",
                law.field_residues,
                lambda _: [(2, 1, 1), (5, 3, 3), (5, 7, 2), (5, 2, 6), (11, 3, 4)],
            ),
            Check(
                "seeds",
                "exact",
                "numbers of 32 bytes over the field of 2^521 − 1, up to {size} shares, all thresholds",
                law.seeds_come_back,
                lambda most: ((t, n, 7 * n + t) for n in range(1, most + 1) for t in range(1, n + 1)),
                6,
                20,
            ),
        ),
        assumptions=("exact integers mod $p$",),
        uses=("asm-random-words",),
    ),
    Claim(
        "lem-traffic",
        "What sums cost",
        "secure_sum",
        "this book; for El Zein et al., section 3.3",
        status="proved+checked",
        code=(COSTS, f"{COSTS}.count_messages"),
        checks=(
            Check(
                "counted",
                "exact",
                "three to {size} parties, sums of 0 to 1,000 numbers, all three ways run and their messages counted",
                law.traffic_counted,
                lambda most: product(range(3, most + 1), (0, 1, 1000)),
                6,
                20,
            ),
            Check("sizes", "exact", "a message of each kind, field by field", law.message_sizes, lambda _: [()]),
        ),
        assumptions=("through the aggregator in a star; additive shares from each to each",),
    ),
)
