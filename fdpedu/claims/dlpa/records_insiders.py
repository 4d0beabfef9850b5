"""Chapter 6. What insiders gain from one release, and from a whole tree."""

from fractions import Fraction

from fdpedu.claims.dlpa import laws as law
from fdpedu.claims.dlpa import laws_guarantee as guarantee
from fdpedu.claims.dlpa import laws_insiders as insiders
from fdpedu.claims.records import Check, Claim

HONEST = "parties are honest but curious"
EXACT = "integers; every sampler exact"
ONE = "one release of one number"

CLAIMS = (
    Claim(
        "lem-remainder",
        "What insiders leave is a mixture of discrete Laplace laws",
        "dlpa",
        "this book",
        statement=r"Let $0<\tau<1$, let $X,Y\sim\mathrm{NB}(\tau,\alpha)$ be independent and $f$ the law of $X-Y$. For "
        r"$k\ge 0$ $$\frac{f(k)}{(1-\alpha)^{2\tau}}=\frac{\sin\pi\tau}{\pi}\int_0^1(\alpha u)^k\,"
        r"\frac{u^{\tau-1}(1-u)^{-\tau}}{(1-\alpha^2u)^{\tau}}\,du=\alpha^k\frac{(\tau)_k}{k!}\,"
        r"{}_2F_1(\tau,\tau+k;k+1;\alpha^2).$$ So $f(k+1)<\alpha f(k)$ and $f(k+1)^2\le f(k)f(k+2)$. For "
        r"$\tau\ne\frac12$ and $\delta=1-\alpha^2$ the right side is also $\frac{\alpha^k}{1-2\tau}\Big["
        r"\frac{(\tau)_k}{(1-\tau)_k}\frac{\Gamma(2-2\tau)}{\Gamma(1-\tau)^2}\,{}_2F_1(\tau,\tau+k;2\tau;\delta)-"
        r"\frac{\Gamma(2\tau)}{\Gamma(\tau)^2}\delta^{1-2\tau}\,{}_2F_1(1-\tau,1-\tau+k;2-2\tau;\delta)\Big]$.",
        status="checked",
        code=("fdpedu.dlpa.remainder", "fdpedu.dlpa.remainder.Remainder"),
        checks=(
            Check(
                "moments",
                "exact",
                "the coefficients (τ)_k/k! as moments, k to {size}, six shapes",
                insiders.coefficients_are_moments,
                lambda most: ((Fraction(t), most) for t in ("1/100", "1/3", "1/2", "2/3", "4/5", "99/100")),
                20,
                60,
            ),
            Check(
                "term by term",
                "exact",
                "both series against sums term by term, k to {size}, four shapes, rates 1/30 to 30; convexity",
                insiders.remainder,
                insiders.remainders,
                6,
                20,
            ),
            Check(
                "tiny rates",
                "exact",
                "the recursion of three neighbours, k to {size}, at rates 1/10, 10⁻⁶ and 10⁻³⁰",
                insiders.neighbours_of_tiny_rates,
                insiders.tiny_rates,
                4,
                30,
            ),
        ),
    ),
    Claim(
        "thm-insider-polya",
        "What an insider gains",
        "dlpa",
        "this book; mends the last paragraph of the report's section 3.4",
        statement=r"Subtracting $c$ of $K$ Pólya shares of $m$ leaves shape $\tau=(K-c)/m$. For $\tau<1$ and "
        "sensitivity 1 the loss is "
        r"$e(\varepsilon)=\ln\frac{\Pr[0]}{\Pr[1]}="
        r"\ln\frac{{}_2F_1(\tau,\tau;1;\alpha^2)}{\alpha\,\tau\,{}_2F_1(\tau,\tau+1;2;\alpha^2)}>\varepsilon"
        r"$; for $\tau\ge 1$ it is $\varepsilon$. For $\tau<1$ the gain $e(\varepsilon)-\varepsilon$ increases with "
        r"$\varepsilon$, from $\max\big(0,\ln\frac{1-\tau}{\tau}\big)$ to $\ln\frac1\tau$.",
        status="checked",
        code=("fdpedu.dlpa.insiders", "fdpedu.dlpa.insiders.insider_epsilon"),
        checks=(
            Check(
                "bracket",
                "exact",
                "up to {size} parties, three ε: between exact sums at two rational α; the loss at 0 is the largest "
                "of four",
                law.insider_loss,
                law.insiders,
                4,
                7,
            ),
            Check(
                "bounds",
                "exact",
                "up to {size} parties, ε from 10⁻⁶ to 7: the gain lies between its bounds and does not decrease",
                insiders.between_bounds,
                insiders.small_and_large,
                4,
                8,
            ),
            Check(
                "played",
                "exact",
                "the shipped sampler over all words of {size} bits: the odds of each outcome that an insider can see",
                insiders.played,
                insiders.games,
                12,
                13,
            ),
        ),
        assumptions=(EXACT, HONEST, "one release of sensitivity 1"),
        uses=("thm-polya-shares", "lem-remainder"),
    ),
    Claim(
        "thm-insider-lattice",
        "The finer the lattice, the more an insider gains",
        "dlpa",
        "this book",
        statement=r"If one record moves the number by at most $n$ steps of a lattice, and the noise has rate "
        r"$\varepsilon/n$ a step, the loss for $\tau<1$ is $e_n(\varepsilon)=\ln\frac{f(0)}{f(n)}$, $f$ as in "
        r"{prf:ref}`lem-remainder`: no pair of values within $n$ of each other is worse than $0$ and $n$. It is more "
        r"than $\varepsilon$, at most $\varepsilon+\ln\frac{n!}{(\tau)_n}$, and decreases with $\tau$.",
        status="checked",
        code=("fdpedu.dlpa.insiders", "fdpedu.dlpa.insiders.insider_epsilon"),
        checks=(
            Check(
                "worst pair",
                "exact",
                "all pairs of values in a window, for sensitivities and lattices to {size}, three numbers of colluders",
                insiders.worst_pair,
                insiders.lattices,
                4,
                8,
            ),
        ),
        assumptions=(EXACT, HONEST, ONE),
        uses=("thm-insider-polya", "lem-remainder"),
    ),
    Claim(
        "thm-insider-gamma",
        "What an insider gains from gamma shares, and when no ε holds",
        "dlpa",
        "this book; refutes the last paragraph of the report's section 3.4",
        statement=r"With the report's real-valued gamma shares the loss is $\varepsilon$ for $\tau\ge1$; for "
        r"$\frac12<\tau<1$ and $\nu=\tau-\frac12$ it is "
        r"$\ln\frac{\Gamma(\nu)\,2^{\nu-1}}{\varepsilon^\nu K_\nu(\varepsilon)}$, whatever the sensitivity; for "
        r"$\tau\le\frac12$ it is infinite. For $\tau<1$ the losses $e_n(\varepsilon)$ of Pólya shares tend to it "
        "on finer and finer lattices.",
        status="checked",
        code=("fdpedu.dlpa.insiders", "fdpedu.dlpa.insiders.insider_epsilon"),
        checks=(
            Check(
                "two integrals",
                "exact",
                "Γ and K_ν by sums over the line, {size} pairs of ε and τ, within 10⁻¹⁸",
                insiders.bessel_by_integrals,
                insiders.gamma_cases,
                2,
                7,
            ),
            Check(
                "finer lattices",
                "exact",
                "lattices 1 to 10 to the {size}, three ε, τ on both sides of 1/2: growing, towards the limit",
                insiders.towards_gamma,
                insiders.fine,
                3,
                4,
            ),
        ),
        assumptions=("ideal real numbers", HONEST, ONE),
        uses=("thm-insider-lattice",),
    ),
    Claim(
        "thm-insider-delta",
        "What an insider gains when a small δ is allowed",
        "dlpa",
        "this book",
        statement=r"The least $\delta$ with which a release is $(\varepsilon',\delta)$-private against insiders is "
        r"$\sum_k\max(0,f(k)-e^{\varepsilon'}f(k+n))$, $f$ and $n$ as before, $\varepsilon'\ge 0$. For $\tau<1$ its "
        r"positive terms are those of an interval of $k>-n/2$, and of all $k\ge 0$ if $\varepsilon'\le\varepsilon$; "
        r"for $n=1$ it is then $\frac{1+f(0)}2-e^{\varepsilon'}\frac{1-f(0)}2$.",
        status="checked",
        code=("fdpedu.dlpa.insiders", "fdpedu.dlpa.insiders.insider_delta"),
        checks=(
            Check(
                "all moves",
                "exact",
                "sums over a window for every move, lattices to {size}, ε' on both sides of ε and of the loss",
                insiders.delta_by_sums,
                insiders.deltas,
                2,
                6,
            ),
        ),
        assumptions=(EXACT, HONEST, ONE),
        uses=("lem-remainder",),
    ),
    Claim(
        "thm-tree-before-the-run",
        "What every tree costs an insider, known before it is grown",
        "dlpa",
        "this book; mends the last paragraph of the report's section 3.4",
        statement=r"Let a tree of budget $\varepsilon$, leaf share $\lambda$ and depth $d\ge1$ be grown on $p$ "
        r"features, $h=\frac{(1-\lambda)\varepsilon}{dp}$, and let $e(x)$ be what a release of rate $x$ and "
        r"sensitivity 1 costs insiders, $e(x)=x$ if they are tolerated. Whatever the data and the noise, all that is "
        r"released is $E$-private against them, "
        r"$E=\max_{1\le s\le d}\big[s\,p\,e(h)+e(\lambda\varepsilon+(d-s)\,p\,h)\big]$ "
        r"if unspent budget goes to early leaves, and $E=d\,p\,e(h)+e(\lambda\varepsilon)$ if not; for $d=0$, "
        r"$E=e(\varepsilon)$. If it does not, and $0<\delta<1$, all is $(\varepsilon',\delta)$-private, "
        r"$\varepsilon'$ being $e(\lambda\varepsilon)$ and the optimal composition of $dp$ releases of $e(h)$.",
        status="checked",
        code=("fdpedu.dlpa.guarantee", "fdpedu.dlpa.guarantee.tree_guarantee"),
        checks=(
            Check(
                "every tree",
                "exhaustive",
                "all shapes of trees to depth {size}, grown and charged by the shipped path: none costs more than E",
                guarantee.every_tree,
                guarantee.small_trees,
                2,
                3,
            ),
            Check(
                "every level",
                "exact",
                "{size} sets of public parameters, ε down to 10⁻⁶: each level's price, added up release by release",
                guarantee.levels_one_by_one,
                guarantee.before_any_run,
                3,
                5,
            ),
        ),
        assumptions=(EXACT, HONEST, "records are added or removed"),
        uses=("thm-insider-polya", "lem-filter", "thm-federated-tree", "thm-optimal-composition"),
    ),
)
