"""Chapter 3, third part, second half. How much utility a private choice gives away."""

from itertools import product

from fdpedu.claims.checking import as_case
from fdpedu.claims.mechanisms import laws_errors as law
from fdpedu.claims.mechanisms import laws_selection as selection
from fdpedu.claims.mechanisms.records_selection import MONOTONE, ROOM, VECTORS
from fdpedu.claims.records import Check, Claim

CLAIMS = (
    Claim(
        "lem-permute-and-flip-dominates",
        "Permute-and-flip is never worse",
        "mechanisms",
        "McKenna and Sheldon; quoted by Vos et al., section II-B",
        status="proved+checked",
        code=(f"{ROOM}.permute_and_flip_pmf",),
        checks=(
            Check(
                "small utilities", "exhaustive", f"{VECTORS}, three α", law.dominates, selection.small_utilities, 3, 6
            ),
            Check(
                "random utilities",
                "property",
                "{size} random utilities of up to 6 candidates, random α",
                law.dominates,
                lambda draw: draw.tuples(draw.utilities, draw.alphas),
                60,
                2000,
            ),
        ),
        assumptions=("the same utilities, Δ and ε for both",),
        uses=("thm-permute-and-flip", "thm-exponential"),
    ),
    Claim(
        "lem-leaf-error",
        "What labelling leaves costs",
        "mechanisms",
        "Vos et al., Corollary 1, mended",
        status="proved+checked",
        code=(f"{ROOM}.leaf_error_constant",),
        checks=(
            Check(
                "small counts",
                "exhaustive",
                f"{VECTORS}, four α: expected error times ε, enclosed, is at most the constant",
                law.leaf_error,
                law.leaves,
                3,
                8,
            ),
            Check(
                "constant",
                "exact",
                "K = 2 to 5: no p in steps of 1/{size} is above it, and one comes near; 1/e for two classes",
                law.leaf_constant,
                lambda parts: product(range(2, 6), [parts]),
                100,
                2000,
            ),
            Check(
                "attained",
                "exact",
                "two classes, gap {size}, α near e^(−1/gap): expected error times ε is above 0.999 of the constant",
                law.leaf_attained,
                as_case,
                50,
                500,
            ),
        ),
        assumptions=(
            MONOTONE,
            "each leaf is labelled by permute-and-flip on its class counts, with fresh coins; the average error is "
            "the expected loss of training accuracy",
            "the tree is public or paid for; its leaves are disjoint regions, so each has the whole of ε_leaf",
        ),
        uses=("thm-permute-and-flip",),
    ),
)
