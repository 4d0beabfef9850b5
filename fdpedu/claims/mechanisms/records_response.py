"""Chapter 3. Randomised response: noise of one's own."""

from itertools import product

from fdpedu.claims.mechanisms import checks_joint as joint
from fdpedu.claims.mechanisms import laws_response as law
from fdpedu.claims.mechanisms.small import named
from fdpedu.claims.privacy.laws import told_apart
from fdpedu.claims.records import Check, Claim

ROOM = "fdpedu.mechanisms.response"

CLAIMS = (
    Claim(
        "thm-randomised-response",
        "Randomised response",
        "mechanisms",
        "this book; after Warner",
        status="proved+checked",
        code=(ROOM, f"{ROOM}.randomised_response"),
        checks=(
            Check(
                "replayed law",
                "exact",
                "the shipped sampler over all tapes of {size} 4-bit words, α and ε given",
                law.replayed,
                law.truths,
                3,
                4,
            ),
            Check(
                "ratios",
                "exhaustive",
                "2 to {size} answers, five α, all truths and answers: a law, whose worst ratio is exactly 1/α",
                law.ratios,
                lambda most: product(range(2, most + 1), law.ALPHAS),
                5,
                12,
            ),
            Check(
                "unbiased",
                "exhaustive",
                "all groups of up to {size} persons, 2 and 3 answers: the mean of the estimate over all reports",
                law.unbiased,
                law.groups,
                3,
                5,
            ),
            Check(
                "twins",
                "exact",
                "one answer of three: the sound mechanism holds, its broken twin does not",
                told_apart,
                lambda _: named("one lie shared out"),
            ),
            *joint.RANDOMISED_RESPONSE,
        ),
        assumptions=(
            "neighbours: substitution of one person's answer",
            "local: whoever collects the answers need not be trusted",
        ),
        uses=("thm-alias-table", "lem-atoms"),
    ),
)
