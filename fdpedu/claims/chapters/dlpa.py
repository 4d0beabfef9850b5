"""Chapter 6. Noise in shares, tolerated colluders, insiders."""

from fdpedu.claims.checks import dlpa as check
from fdpedu.claims.records import Check, Claim

INTEGERS = "integers; every sampler exact"
HONEST = "parties are honest but curious"

CLAIMS = (
    Claim(
        "lem-cycles",
        "A share from coloured cycles",
        "dlpa",
        "this book",
        statement=r"Draw $g\sim\mathrm{Geom}(\alpha)$, cut a random permutation of $g$ things into its cycles, and "
        "keep each cycle independently with probability $1/m$. The number of things kept has the law "
        r"$\mathrm{NB}(1/m,\alpha)$: $\Pr[k]=\frac{\Gamma(k+1/m)}{k!\,\Gamma(1/m)}\alpha^k(1-\alpha)^{1/m}$.",
        status="checked",
        code=("fdpedu.dlpa.negative_binomial",),
        checks=(
            Check(
                "urn",
                "exact",
                "the loop as a recursion on fractions, g up to {size}, m = 1, 2, 3, 5",
                check.check_cycles,
                12,
                30,
            ),
            Check(
                "replayed share",
                "exact",
                "the shipped sampler over all tapes of {size} 4-bit words, three pairs of α and m",
                check.check_replayed_share,
                4,
                5,
            ),
        ),
        assumptions=(INTEGERS,),
        uses=("asm-random-words",),
    ),
    Claim(
        "thm-polya-shares",
        "Pólya shares add up to discrete Laplace",
        "dlpa",
        "this book; for integers what equation (1) of the report is for reals",
        statement=r"Let $X_k,Y_k\sim\mathrm{NB}(1/m,\alpha)$ be independent, $k=1,\dots,m$. Then $\sum_k (X_k-Y_k)$ "
        r"is exactly discrete Laplace: $\Pr[j]=\frac{1-\alpha}{1+\alpha}\alpha^{|j|}$.",
        status="checked",
        code=("fdpedu.dlpa", "fdpedu.dlpa.polya_shares"),
        checks=(
            Check(
                "convolution",
                "exact",
                "m-fold convolution of the coefficients up to k = {size}, m = 1 to 4, any α",
                check.check_geometric,
                15,
                40,
            ),
            Check(
                "replayed sum",
                "exact",
                "one share over all tapes of {size} 4-bit words, convolved over one, two and three parties",
                check.check_replayed_sum,
                4,
                5,
            ),
            Check(
                "own shares",
                "exact",
                "up to {size} parties, any number tolerated: each draws its own share, for the stated number of "
                "carriers",
                check.check_own_shares,
                4,
                8,
            ),
        ),
        assumptions=(INTEGERS, HONEST),
        uses=("lem-cycles",),
    ),
    Claim(
        "thm-tolerate",
        "Shares for K − c carriers withstand c colluders",
        "dlpa",
        "this book; mends the last paragraph of the report's section 3.4",
        statement="If each of $K$ parties adds a share for $m=K-c$ carriers, any $K-c$ honest shares already sum to "
        r"discrete Laplace noise. So the sum is $\varepsilon$-DP against $c$ colluders who subtract their "
        "own shares, and after $c$ drop-outs; its variance is $K/(K-c)$ times as large.",
        status="checked",
        code=("fdpedu.dlpa", "fdpedu.dlpa.polya_shares"),
        checks=(
            Check(
                "honest shares",
                "exact",
                "one share over all tapes of {size} 4-bit words, convolved over the K − c honest parties",
                check.check_tolerated_sum,
                4,
                5,
            ),
            Check(
                "insiders",
                "exact",
                "up to {size} parties, three ε: up to c colluders face exactly ε, one more faces more",
                check.check_tolerated,
                5,
                9,
            ),
            Check("random insiders", "property", "the same for {size} random cases", check.explore_tolerated, 40, 500),
        ),
        assumptions=(INTEGERS, HONEST),
        uses=("thm-polya-shares", "thm-discrete-laplace"),
    ),
    Claim(
        "thm-insider-polya",
        "What an insider gains",
        "dlpa",
        "this book; mends the last paragraph of the report's section 3.4",
        statement=r"Subtracting $c$ of $K$ Pólya shares for $m$ carriers leaves shape $\tau=(K-c)/m$. For $\tau<1$ and "
        "sensitivity 1 the loss is "
        r"$\ln\frac{\Pr[0]}{\Pr[1]}="
        r"\ln\frac{{}_2F_1(\tau,\tau;1;\alpha^2)}{\alpha\,\tau\,{}_2F_1(\tau,\tau+1;2;\alpha^2)}>\varepsilon"
        r"$; for $\tau\ge 1$ it is $\varepsilon$.",
        status="checked",
        code=("fdpedu.dlpa.insider_epsilon",),
        checks=(
            Check(
                "bracket",
                "exact",
                "up to {size} parties, three ε: between exact sums at two rational α; the loss at 0 is the largest "
                "of four",
                check.check_insider,
                4,
                7,
            ),
        ),
        assumptions=(INTEGERS, HONEST, "one release of sensitivity 1"),
        uses=("thm-polya-shares",),
    ),
)
