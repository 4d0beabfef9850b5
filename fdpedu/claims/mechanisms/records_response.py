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
        statement=r"There are $k\ge 2$ possible answers, and $\alpha=e^{-\varepsilon}$. A person tells the truth with "
        r"probability $\frac1{1+(k-1)\alpha}$, and every other answer with probability $\frac\alpha{1+(k-1)\alpha}$. "
        r"As a mechanism on that one person's answer this is $\varepsilon$-DP under substitution, and for no smaller "
        r"$\varepsilon$. If $c_j$ of $n$ persons report $j$, then $\frac{(1+(k-1)\alpha)c_j-n\alpha}{1-\alpha}$ is "
        r"an unbiased estimate of the number whose answer is $j$. The sampler has exactly this law.",
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
