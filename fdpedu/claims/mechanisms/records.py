"""Chapter 3. Random words, exact sampling, and noise for counts; real numbers and choices follow beside it."""

from fdpedu.claims.mechanisms import laws as check
from fdpedu.claims.mechanisms import laws_counts as counts
from fdpedu.claims.mechanisms import laws_sampling as sampling
from fdpedu.claims.records import Check, Claim

PACKAGE, COUNTS = "fdpedu.mechanisms", "fdpedu.mechanisms.counts"
OUTSIDER = "an outsider, who sees the outputs"
CALLER = r"neighbours: those for which $\Delta$ was computed"

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
        "thm-alias-table",
        "Alias table and residual",
        "mechanisms",
        "this book; after Walker",
        statement=r"Let $p$ be a law on a countable set, $w\ge 1$, and $m_k\ge 0$ integers with $m_k\le 2^wp_k$, "
        r"finitely many of them positive; $m_*=2^w-\sum_k m_k$. With $2^b\le 2^w$ columns, at least one for each "
        "owner, the $2^w$ words can be dealt out so that value $k$ owns exactly $m_k$ of them, a residual cell owns "
        "$m_*$, and no column has more than two owners. Look up a uniform word; if it is the residual's, draw from "
        "$r_k=(2^wp_k-m_k)/m_*$ with fresh words instead. The result has exactly the law $p$. The slow sampler, "
        "which reveals the bits of a uniform $U$ until for every $k$ it is decided whether $U<F(k)$, has exactly the "
        r"law with distribution function $F$, and ends with probability 1. And $k=\ell+Mh$, $0\le\ell<M$, is "
        r"geometric with $\alpha$ if the digits are independent, $\Pr[\ell]\propto\alpha^\ell$ and $h$ geometric with "
        r"$\alpha^M$.",
        status="proved+checked",
        code=("fdpedu.sampling", "fdpedu.sampling.alias.sample"),
        checks=(
            Check(
                "columns",
                "exhaustive",
                "all weights of up to 4 owners in columns of height up to {size}: every owner keeps its own",
                sampling.check_columns,
                3,
                5,
            ),
            Check(
                "words and residual",
                "exact",
                "tables for words of 4 to 32 bits, 7 laws with rational α: words + residual = 2^w·p for {size} values",
                sampling.check_tables,
                12,
                60,
            ),
            Check(
                "enclosures",
                "exact",
                "geometric, two-sided and digit laws, α or ε: F lies in its bounds, which close, for {size} values",
                sampling.check_bounds,
                8,
                40,
            ),
            Check(
                "replayed law",
                "exact",
                "the shipped sampler, fast and slow, over all tapes of {size} 4-bit words",
                sampling.check_replayed,
                3,
                4,
            ),
            Check(
                "digits",
                "exact",
                "three digits in their places; laws in digits of base 2 and 3 over all tapes of {size} 4-bit words",
                sampling.check_digits,
                3,
                4,
            ),
            Check(
                "random weights",
                "property",
                "{size} random finite laws: words + residual = 2^w·p",
                sampling.explore_tables,
                60,
                1000,
            ),
        ),
        assumptions=("integers; enclosures of $F$ to any number of bits", "running time is not covered"),
        uses=("asm-random-words",),
    ),
    Claim(
        "thm-discrete-laplace",
        "The discrete Laplace mechanism",
        "mechanisms",
        "this book; for integers what Theorem 4 of the report is for reals",
        statement=r"Let $f$ have values in $\mathbb Z^m$ and $\ell_1$ sensitivity $\Delta\ge 1$, and let "
        r"$\Pr[k]=\frac{1-\alpha}{1+\alpha}\alpha^{|k|}$ for $k\in\mathbb Z$, with $\alpha=e^{-\varepsilon/\Delta}$. "
        r"Then $f(D)$ plus independent noise of this law in each coordinate is $\varepsilon$-DP, and for no smaller "
        r"$\varepsilon$. If $g$ is geometric, $\Pr[g]=(1-\alpha)\alpha^g$, then $k=g$ with probability "
        r"$\frac1{1+\alpha}$ and $k=-1-g$ otherwise has this law. The samplers, fast and slow, have exactly this law.",
        status="proved+checked",
        code=(PACKAGE, COUNTS, f"{COUNTS}.discrete_laplace", f"{COUNTS}.slow_discrete_laplace"),
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
                "slow sampler",
                "exact",
                "the slow sampler over all outcomes of its first {size} uniform draws, α given, or coins, ε given",
                counts.check_slow_sampler,
                13,
                17,
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
                "vectors",
                "exhaustive",
                "all pairs of two counts up to {size}: the worst ratio is α^(−ℓ₁ distance), by the shipped pmf",
                counts.check_vectors,
                3,
                5,
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
        assumptions=(CALLER, "integers", OUTSIDER),
        uses=("thm-alias-table", "lem-atoms"),
    ),
    Claim(
        "lem-count-interval",
        "How far a noisy count may be off",
        "mechanisms",
        "this book",
        statement=r"Let $Z$ be discrete Laplace noise. For integers $t\ge 0$ "
        r"$\Pr[|Z|>t]=\frac{2\alpha^{t+1}}{1+\alpha}$. Let $t$ be the smallest integer with "
        r"$\Pr[|Z|>t]\le\frac{1-c}{m}$. Around each of $m$ released counts $y_i$ the interval $[y_i-t,y_i+t]$ holds "
        r"the true count with probability at least $1-\frac{1-c}{m}$, and all $m$ "
        "intervals do at once with probability at least $c$. Nothing but public numbers goes into $t$, so it costs "
        "no budget.",
        status="proved+checked",
        code=(COUNTS, f"{COUNTS}.count_interval"),
        checks=(
            Check(
                "smallest",
                "exhaustive",
                "α = 1/10 to 9/10, eight confidences, 1 to {size} counts at once, by adding up the pmf",
                counts.check_intervals,
                3,
                12,
            ),
            Check(
                "in ε",
                "exact",
                "ε from 1/100 to 5: the enclosed tail is small enough at t, and too large at t − 1; {size} counts",
                counts.check_intervals_in_epsilon,
                2,
                20,
            ),
        ),
        assumptions=("the probability is that of the noise; the true count is a fixed number", "integers"),
        uses=("thm-discrete-laplace",),
    ),
    Claim(
        "vos-equation-4-as-printed",
        "Two-sided geometric noise, as printed",
        "mechanisms",
        "Vos et al., equation (4)",
        statement="“An algorithm […] is ε-differentially private when the noise follows the two-sided geometric "
        r"distribution $\Pr[y_i=\delta]=\frac{1-\epsilon}{1+\epsilon}\epsilon^{|\delta|}$ with a query $f$, the "
        r"parameter $\epsilon\in(0,1)$ and every integer δ.” *For $0<\epsilon<1$ the loss of this noise is "
        r"$\ln\frac1\epsilon$ for every step of the query, which is more than ε for all $\epsilon\le\frac12$, and the "
        r"smaller ε, the larger; for $\epsilon\ge 1$ it is no law. Meant is $\alpha=e^{-\epsilon/\Delta f}$ in the "
        "place of ε.*",
        status="refuted as stated",
        code=(f"{COUNTS}.vos_equation_4_as_printed",),
        checks=(
            Check(
                "loss",
                "exact",
                "ε = 1/2, 1/3, … 1/{size}: whether Pr[0] is at most e^ε·Pr[1]",
                counts.check_printed_loss,
                9,
                99,
            ),
            Check(
                "budgets of 1 and more",
                "exact",
                "ε = 1, 2, … {size}: whether all probabilities are positive",
                counts.check_printed_law,
                3,
                9,
            ),
        ),
        assumptions=("sensitivity 1",),
        uses=("lem-atoms",),
        corrected_by="thm-discrete-laplace",
    ),
)
