"""The claims of chapter 6 on shares for a small δ."""

from fractions import Fraction
from itertools import product

from fdpedu.claims.dlpa import laws_delta as law
from fdpedu.claims.records import Check, Claim

INTEGERS = "integers; every sampler exact"
HONEST = "parties are honest but curious"

CLAIMS = (
    Claim(
        "lem-poisson-law",
        "Poisson numbers from a table",
        "dlpa",
        "this book",
        statement=r"Let $M=\lfloor\lambda\rfloor$ and $w(k)=\frac{M!}{k!}\lambda^{k-M}$. Then "
        r"$w(k+1)=w(k)\frac{\lambda}{k+1}$, and "
        r"$\sum_{k>n}w(k)\le w(n)\frac{r}{1-r}$ with $r=\frac{\lambda}{n+1}$ for $n\ge M$, and likewise "
        r"below. So the partial sums of $w$, in any order, divided by the sum of all, enclose the distribution "
        r"function of the Poisson law of mean $\lambda$ as tightly as one asks for; "
        r"the sampler draws from these enclosures, and for large $\lambda$ adds up numbers of mean $\lambda/j$.",
        status="checked",
        code=("fdpedu.dlpa.poisson", "fdpedu.dlpa.poisson.poisson"),
        checks=(
            Check(
                "distribution function",
                "exact",
                "λ from 1/1000 to {size}, 8 to 64 bits: enclosures against the masses by their formula",
                law.poisson_enclosed,
                lambda most: product([Fraction(x) for x in ("1/1000", "1/2", "1", "19/3", most)], (8, 32, 64)),
                30,
                1000,
            ),
            Check(
                "replayed numbers",
                "exact",
                "all tapes of at most {size} 4-bit words, three λ, two of them divided in two and three",
                law.replayed_poisson,
                lambda words: [(Fraction(x), parts, words) for x, parts in (("1/2", 1), ("1/3", 2), ("1/4", 3))],
                4,
                5,
            ),
            Check(
                "independence",
                "exact",
                "two numbers of one call and one of the next, all tapes of at most {size} 2-bit words",
                law.two_poisson_numbers,
                lambda words: [(Fraction(1, 5), words)],
                6,
                7,
            ),
        ),
        assumptions=(INTEGERS,),
        uses=("thm-alias-table", "asm-random-words"),
    ),
    Claim(
        "thm-skellam",
        "Skellam shares",
        "dlpa",
        "this book; Agarwal, Kairouz, Liu 2021",
        statement=r"Let each of $K$ parties add a difference of two Poisson numbers of mean $\sigma^2/(2m)$, $m=K-c$. "
        r"What any $h$ of them add is Skellam noise of variance $\frac hm\sigma^2$: "
        r"$\Pr[k]=e^{-x}I_k(x)$ with $x=\frac hm\sigma^2$. On an integer query of sensitivity $\Delta$ it is "
        r"$(\varepsilon,\delta)$-DP if and only if "
        r"$\delta\ge\max_t\left(\Pr[N\ge t]-e^{\varepsilon}\Pr[N\ge t+\Delta]\right)$; and for no $\varepsilon$ is it "
        r"$\varepsilon$-DP. So against $c$ colluders, or after $c$ drop-outs, the sum keeps what $\sigma^2$ promises.",
        status="checked",
        code=(
            "fdpedu.dlpa.skellam",
            *(f"fdpedu.dlpa.skellam.skellam_{name}" for name in ("shares", "pmf", "delta", "loss")),
        ),
        checks=(
            Check(
                "masses",
                "exact",
                "variances 1/1000 to 40, k to {size}: the law against its power series",
                law.skellam_masses,
                lambda most: product(map(Fraction, ("1/1000", "1/3", "2", "40")), [most]),
                12,
                60,
            ),
            Check(
                "shares",
                "exact",
                "up to {size} parties, any number tolerated: each party's share has the stated variance",
                law.skellam_parts,
                law.divided,
                4,
                9,
            ),
            Check(
                "own words",
                "exact",
                "{size} tapes of 64-bit words, altered half by half: each number has words of its own, from its "
                "party's source",
                law.skellam_words,
                lambda seeds: [(seed,) for seed in range(seeds)],
                1,
                20,
            ),
            Check(
                "delta",
                "exact",
                "variances 1/10 to {size}, three ε, two Δ: δ against the sum of positive parts; the table of losses",
                law.skellam_least_delta,
                law.skellam_cases,
                30,
                400,
            ),
        ),
        assumptions=(INTEGERS, HONEST, "add/remove of one record; one release"),
        uses=("lem-poisson-law", "lem-hockey-stick", "thm-loss-distribution"),
    ),
    Claim(
        "lem-skellam-renyi",
        "The Rényi divergence of Skellam noise",
        "dlpa",
        "Agarwal, Kairouz, Liu 2021, Corollary 4.1",
        statement=r"For whole $\alpha>1$, variance $\sigma^2$ and a query of sensitivity $\Delta$ in one cell, "
        r"$D_\alpha\le\frac{\alpha\Delta^2}{2\sigma^2}+\min\left(\frac{(2\alpha-1)\Delta^2+6\Delta}{4\sigma^4},"
        r"\frac{3\Delta}{2\sigma^2}\right)$.",
        status="checked",
        code=("fdpedu.dlpa.skellam", "fdpedu.dlpa.skellam.skellam_rdp"),
        checks=(
            Check(
                "divergence",
                "exact",
                "orders 2 to {size}, variances 1/2 to 50, Δ = 1, 2: sums over all outputs that matter",
                law.skellam_renyi,
                law.renyi_cases,
                9,
                40,
            ),
        ),
        assumptions=("the proof is in the paper",),
        uses=("thm-skellam",),
    ),
    Claim(
        "thm-gaussian-sum",
        "Sums of discrete Gaussian shares",
        "dlpa",
        "this book, with a smaller constant than Kairouz, Liu, Steinke 2021",
        statement="Let $Z$ be a sum of $m$ independent discrete Gaussian numbers of parameter "
        r"$s=\sigma^2/m\ge\frac14$. Then for every $k$ the probability of $Z=k$ and that of a discrete Gaussian number "
        r"of parameter $\sigma^2$ differ by a factor between $e^{-\tau}$ and $e^{\tau}$, where "
        r"$\tau=\sum_{j=1}^{m-1}\ln\frac{1+q_j}{1-q_j}$ and $q_j=2\sum_{n\ge1}e^{-2\pi^2n^2sj/(j+1)}$. "
        r"So if the latter is $(\varepsilon,\delta)$-DP, the former is "
        r"$(\varepsilon+2\tau,e^{\tau}\delta)$-DP; and $p$ adaptive releases have $p\tau$ in the place of $\tau$.",
        status="checked",
        code=(
            "fdpedu.dlpa.small_delta",
            "fdpedu.dlpa.small_delta.discrete_gaussian_shares",
            "fdpedu.dlpa.small_delta.gaussian_sum_distance",
            "fdpedu.dlpa.small_delta.gaussian_sum_delta",
        ),
        checks=(
            Check(
                "distance",
                "exact",
                "sums of 1 to 5 numbers of parameter 1/4, 1/2, 1, by convolution of enclosures: values to {size}",
                law.gaussian_distance,
                lambda most: product((1, 2, 3, 5), map(Fraction, ("1/4", "1/2", "1")), [most]),
                6,
                12,
            ),
            Check(
                "delta",
                "exact",
                "the least δ of these sums, two to {size}, at three ε",
                law.gaussian_deltas,
                lambda most: product((2, most), map(Fraction, ("1/2", "1")), map(Fraction, ("1", "2", "4"))),
                3,
                5,
            ),
            Check(
                "shares",
                "exact",
                "up to {size} parties, any number tolerated: each party's share has the stated variance",
                law.gaussian_parts,
                law.divided,
                4,
                9,
            ),
        ),
        assumptions=(INTEGERS, HONEST, "one record changes one count by one"),
        uses=("thm-discrete-gaussian",),
    ),
)
