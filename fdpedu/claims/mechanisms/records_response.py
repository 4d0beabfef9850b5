"""Chapter 3. Randomised response: noise of one's own."""

from fdpedu.claims.mechanisms import laws_response as check
from fdpedu.claims.mechanisms import laws_twins as twins
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
                check.check_replayed,
                3,
                4,
            ),
            Check(
                "ratios",
                "exhaustive",
                "2 to {size} answers, five α, all truths and answers: a law, whose worst ratio is exactly 1/α",
                check.check_ratios,
                5,
                12,
            ),
            Check(
                "unbiased",
                "exhaustive",
                "all groups of up to {size} persons, 2 and 3 answers: the mean of the estimate over all reports",
                check.check_unbiased,
                3,
                5,
            ),
            Check(
                "twins",
                "exact",
                "one answer of three: the sound mechanism holds, its broken twin does not",
                twins.checking("one lie shared out"),
            ),
        ),
        assumptions=(
            "neighbours: substitution of one person's answer",
            "local: whoever collects the answers need not be trusted",
        ),
        uses=("thm-alias-table", "lem-atoms"),
    ),
)
