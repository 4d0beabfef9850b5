"""Chapter 2, second part. What the definition means for groups, for a test, and for beliefs."""

from fdpedu.claims.privacy import laws_meaning as check
from fdpedu.claims.records import Check, Claim

COUNTABLE = "laws on a countable set of outcomes; the checks take finite ones with rational probabilities"
PACKAGE, NEIGHBOURS, TESTING = "fdpedu.privacy", "fdpedu.privacy.neighbours", "fdpedu.privacy.testing"
GRID = "all pairs of laws on three outcomes in steps of 1/{size}"

CLAIMS = (
    Claim(
        "thm-group-privacy",
        "Group privacy",
        "privacy",
        "this book; a standard fact",
        statement=r"Let $M$ be $(\varepsilon,\delta)$-DP, and let $D,D'$ be data sets at distance $x\ge 1$. Then for "
        r"every event $S$ $\Pr[M(D)\in S]\le e^{x\varepsilon}\Pr[M(D')\in "
        r"S]+\delta\,\bigl(1+e^{\varepsilon}+\dots+e^{(x-1)\varepsilon}\bigr)$.",
        status="proved+checked",
        code=(PACKAGE, f"{NEIGHBOURS}.distance"),
        checks=(
            Check(
                "steps",
                "property",
                "{size} random triples of laws: ratios multiply, δ as stated",
                check.explore_steps,
                60,
                2000,
            ),
            Check(
                "attained",
                "exhaustive",
                "a noisy histogram, all pairs of data sets of at most {size} records out of two: exactly e^{{kε}}",
                check.check_group,
                3,
                4,
            ),
        ),
        assumptions=(COUNTABLE,),
        uses=("def-neighbours", "def-dp"),
    ),
    Claim(
        "lem-substitution",
        "A substitution is two steps",
        "privacy",
        "this book; a standard fact, with the exact case",
        statement=r"If $M$ is $(\varepsilon,\delta)$-DP under add/remove, it is "
        r"$(2\varepsilon,(1+e^{\varepsilon})\delta)$-DP under substitution. The factor 2 is exact for a class "
        "histogram of two or more classes with independent discrete Laplace noise of "
        r"$\alpha=e^{-\varepsilon}$ on each cell. The converse fails: the exact number of records is $0$-DP "
        r"under substitution, and $\varepsilon$-DP for no $\varepsilon$ under add/remove.",
        status="proved+checked",
        code=(PACKAGE, f"{NEIGHBOURS}.distance"),
        checks=(
            Check(
                "pairs",
                "exhaustive",
                "all pairs of data sets of one size, at most {size} records out of two: distances, histogram, count",
                check.check_substitution,
                3,
                4,
            ),
        ),
        assumptions=(COUNTABLE,),
        uses=("thm-group-privacy",),
    ),
    Claim(
        "thm-hypothesis-test",
        "What it says about a test",
        "privacy",
        "this book; after Wasserman and Zhou; mends the sentence after the report's Definition 2",
        statement="Let $p$ be the law of $M$ with a record and $q$ that without it. A test says “in” with probability "
        r"$\varphi(y)\in[0,1]$ on seeing $y$; $\mathrm{TPR}=\sum_y p(y)\varphi(y)$ and $\mathrm{FPR}=\sum_y "
        r"q(y)\varphi(y)$. $M$ is $(\varepsilon,\delta)$-DP under add/remove iff for all neighbours every test "
        r"has $\mathrm{TPR}\le e^{\varepsilon}\,\mathrm{FPR}+\delta$ and $1-\mathrm{FPR}\le "
        r"e^{\varepsilon}(1-\mathrm{TPR})+\delta$. So if in and out are equally likely, no test is right with "
        r"probability more than $\frac{e^{\varepsilon}+\delta}{1+e^{\varepsilon}}$; for $\delta=0$ a noisy "
        "count attains it.",
        status="proved+checked",
        code=(PACKAGE, f"{TESTING}.roc"),
        checks=(
            Check("grid", "exhaustive", f"{GRID}, all tests without coins", check.check_tests, 3, 5),
            Check("random laws", "property", "{size} random pairs of laws, all tests", check.explore_tests, 60, 2000),
            Check(
                "attained",
                "exact",
                "a noisy count and randomised response, e^ε from 1 to {size} in halves: how often a test is right",
                check.check_attained,
                9,
                99,
            ),
        ),
        assumptions=(COUNTABLE,),
        uses=("def-dp", "thm-post-processing"),
    ),
    Claim(
        "thm-posterior",
        "What it says about beliefs",
        "privacy",
        "this book; after Dwork, McSherry, Nissim and Smith",
        statement=r"Somebody believes that the data are $D$ with probability $\pi\in(0,1)$, and else the neighbour "
        r"$D'$, and sees an output $y$ of an $\varepsilon$-DP mechanism. Her odds $\pi/(1-\pi)$ are multiplied "
        r"by $p(y)/q(y)\in[e^{-\varepsilon},e^{\varepsilon}]$; so her belief in $D$ is at most $\frac{\pi "
        r"e^{\varepsilon}}{1-\pi+\pi e^{\varepsilon}}$. The same holds if she does not know the other records, "
        "as long as she thinks that they do not depend on this one. Conversely, a mechanism that moves "
        r"nobody's odds by more than $e^{\varepsilon}$ is $\varepsilon$-DP.",
        status="proved+checked",
        code=(PACKAGE, f"{TESTING}.posterior"),
        checks=(
            Check("grid", "exhaustive", f"{GRID}, three priors, all outputs", check.check_beliefs, 4, 8),
            Check("random laws", "property", "{size} random pairs and priors", check.explore_beliefs, 60, 2000),
        ),
        assumptions=(COUNTABLE,),
        uses=("lem-atoms", "lem-convexity"),
    ),
    Claim(
        "wording-not-possible-as-printed",
        "Not possible to determine, as printed",
        "privacy",
        "report, after Definition 2; Vos et al., section II-B",
        statement=r"With an $\varepsilon$-DP algorithm, “even with the full specification of all data in $D$ and $D'$, "
        "it is not possible to determine if the datapoint included in only one of $D$ or $D'$ was part of the "
        r"data”; the property “prevents membership attacks […] with a high probability if $\varepsilon$ is "
        r"chosen small enough”. *For every $\varepsilon>0$ there is an $\varepsilon$-DP mechanism, and a test "
        "on its output, that is right with probability more than ½; with large ε, as near 1 as one likes.*",
        status="refuted as stated",
        code=(f"{TESTING}.roc",),
        checks=(
            Check(
                "likelihood-ratio test",
                "exact",
                "randomised response with odd e^ε up to {size}: whether the best test at even odds only guesses",
                check.check_not_possible,
                3,
                9,
            ),
        ),
        assumptions=(COUNTABLE,),
        uses=("def-dp",),
        corrected_by="thm-hypothesis-test",
    ),
)
