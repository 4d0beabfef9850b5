"""Chapter 3. Random words, and the discrete Laplace mechanism."""

from fdpedu.claims.checks import mechanisms as check
from fdpedu.claims.records import Check, Claim

CLAIMS = (
    Claim(
        "asm-random-words",
        "Random words are random",
        "mechanisms",
        "this book",
        statement="The 64-bit words that the operating system hands out are independent and uniform. No test can "
        "show it.",
        status="assumed",
        code=("fdpedu.randomness.SystemSource",),
        checks=(
            Check(
                "bytes",
                "statistical",
                "chi-square of the bytes of {size} fresh words, two-sided",
                check.check_words,
                20_000,
                2_000_000,
                alpha=1e-9,
            ),
        ),
    ),
    Claim(
        "thm-discrete-laplace",
        "The discrete Laplace mechanism",
        "mechanisms",
        "this book; for integers what Theorem 4 of the report is for reals",
        statement=r"Let $f$ have integer values and $\ell_1$ sensitivity $\Delta$, and let "
        r"$\Pr[k]=\frac{1-\alpha}{1+\alpha}\alpha^{|k|}$ with $\alpha=e^{-\varepsilon/\Delta}$. Then $f(D)$ "
        r"plus independent noise of this law in each coordinate is $\varepsilon$-DP, and for no smaller "
        r"$\varepsilon$ if $\Delta$ is attained. The sampler has exactly this law.",
        status="checked",
        code=("fdpedu.mechanisms", "fdpedu.mechanisms.discrete_laplace"),
        checks=(
            Check(
                "replayed law",
                "exact",
                "the shipped sampler over all tapes of {size} 4-bit words, α and ε given, sensitivity 1 and 2",
                check.check_replayed_law,
                4,
                5,
            ),
            Check(
                "tightness",
                "exact",
                "worst ratio of the clamped laws around all values up to {size}, three rational α",
                check.check_tightness,
                4,
                9,
            ),
            Check(
                "random tightness",
                "property",
                "the same for {size} random α and values",
                check.explore_tightness,
                60,
                2000,
            ),
        ),
        assumptions=("neighbours: those for which $\\Delta$ was computed", "integers", "an outside observer"),
        uses=("asm-random-words",),
    ),
)
