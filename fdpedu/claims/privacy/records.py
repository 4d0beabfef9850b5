"""Chapter 2. What ε-differential privacy says: neighbours, laws and events; what it means follows beside it."""

from fdpedu.claims.privacy import laws as check
from fdpedu.claims.privacy.records_meaning import COUNTABLE, GRID, NEIGHBOURS
from fdpedu.claims.records import Check, Claim

ONE_ORDER = r"$p$ against $q$; a guarantee asks for both orders"
PACKAGE, DIVERGENCE, LAWS = "fdpedu.privacy", "fdpedu.privacy.divergence", "fdpedu.privacy.laws"

CLAIMS = (
    Claim(
        "def-neighbours",
        "Neighbours",
        "privacy",
        "report, Definition 1; the relation is named",
        statement=r"Two data sets (multisets of records) are neighbours, $D\sim D'$, if one of them arises from the "
        "other by adding one record (*add/remove*); under *substitution*, by replacing one record by a "
        "different one. Their distance is the least number of such steps from one to the other. Where nothing "
        "is said, add/remove is meant.",
        status="checked",  # a definition has no proof; the check holds the code to it
        code=(PACKAGE, f"{NEIGHBOURS}.neighbours", f"{NEIGHBOURS}.distance"),
        checks=(
            Check(
                "distance 1",
                "exhaustive",
                "all data sets of at most {size} records out of three: neighbours are those at distance 1",
                check.check_neighbours,
                3,
                5,
            ),
        ),
    ),
    Claim(
        "def-sensitivity",
        "Sensitivity",
        "privacy",
        "report, Definition 3; with a supremum for its maximum",
        statement=r"The $\ell_1$-sensitivity of a query $f$ with values in $\mathbb R^k$ is $\Delta f=\sup_{D\sim "
        r"D'}\lVert f(D)-f(D')\rVert_1$ over all neighbours of all sizes; with another norm in its place, the "
        r"$\ell_2$- or $\ell_\infty$-sensitivity. It depends on the neighbour relation, and may be infinite.",
        status="checked",
        code=(PACKAGE, f"{NEIGHBOURS}.sensitivity"),
        checks=(
            Check(
                "stated constants",
                "exhaustive",
                "ten queries with a known constant, on all data sets of at most {size} records out of three",
                check.check_sensitivity,
                2,
                5,
            ),
        ),
        assumptions=("a search up to some size gives a lower bound; the constants are reached at small sizes",),
        uses=("def-neighbours",),
    ),
    Claim(
        "def-dp",
        "Differential privacy",
        "privacy",
        "report, Definition 2; Vos et al., Definition 1",
        statement=r"Let $\varepsilon\ge 0$ and $0\le\delta\le 1$. A mechanism $M$ is "
        r"$(\varepsilon,\delta)$-differentially private for a neighbour relation $\sim$ if for all $D\sim D'$ "
        r"and every set $S$ of outputs $\Pr[M(D)\in S]\le e^{\varepsilon}\Pr[M(D')\in S]+\delta$. With "
        r"$\delta=0$ it is $\varepsilon$-DP.",
        status="checked",
        code=(PACKAGE, f"{DIVERGENCE}.check_dp", f"{DIVERGENCE}.check_mechanism"),
        checks=(
            Check("grid", "exhaustive", f"{GRID}, all events", check.check_definition, 3, 5),
            Check(
                "random laws",
                "property",
                "{size} random pairs of laws, all events: answer, event, excess",
                check.explore_definition,
                60,
                2000,
            ),
            Check(
                "claims in ε",
                "property",
                "{size} random pairs of laws: e^ε by enclosures agrees with the privacy loss",
                check.explore_in_epsilon,
                60,
                2000,
            ),
            Check(
                "close calls",
                "exact",
                "laws with a ratio of e ± 10⁻¹⁰, 10⁻²⁰, … down to {size} digits: ε = 1 is refused above, granted below",
                check.check_close_calls,
                60,
                300,
            ),
            Check(
                "twins",
                "exact",
                "ten mechanisms on small domains hold; their broken twins are refuted, first on the stated pair",
                check.check_twins,
            ),
        ),
        assumptions=(COUNTABLE,),
        uses=("def-neighbours",),
    ),
    Claim(
        "lem-atoms",
        "For a ratio, atoms are enough",
        "privacy",
        "this book",
        statement=r"Let $p,q$ be laws on a countable set and $c\ge 0$. Then $p(S)\le c\,q(S)$ for all events $S$ iff "
        r"$p(y)\le c\,q(y)$ for all outputs $y$. So, with $\frac00$ left out and $\frac x0=\infty$, "
        r"$\sup_S\frac{p(S)}{q(S)}=\sup_y\frac{p(y)}{q(y)}$.",
        status="proved+checked",
        code=(PACKAGE, f"{DIVERGENCE}.max_ratio"),
        checks=(
            Check("grid", "exhaustive", f"{GRID}, all events", check.check_atoms, 4, 8),
            Check("random laws", "property", "{size} random pairs, all events", check.explore_atoms, 60, 2000),
        ),
        assumptions=(COUNTABLE, ONE_ORDER),
        uses=("def-dp",),
    ),
    Claim(
        "lem-hockey-stick",
        "The least δ",
        "privacy",
        "this book; after Barthe and Olmedo",
        statement=r"Let $p,q$ be laws on a countable set and $c\ge 0$. Then "
        r"$\sup_S\bigl[p(S)-c\,q(S)\bigr]=\sum_y\max\bigl(0,\,p(y)-c\,q(y)\bigr)$, attained at "
        r"$S^*=\{y:p(y)>c\,q(y)\}$. So $M$ is $(\varepsilon,\delta)$-DP iff for all neighbours this sum, with "
        r"$c=e^{\varepsilon}$, is at most $\delta$.",
        status="proved+checked",
        code=(PACKAGE, f"{DIVERGENCE}.hockey_stick"),
        checks=(
            Check("grid", "exhaustive", f"{GRID}, three e^ε, all events", check.check_least_delta, 4, 8),
            Check("random laws", "property", "{size} random pairs, all events", check.explore_least_delta, 60, 2000),
        ),
        assumptions=(COUNTABLE, ONE_ORDER),
        uses=("def-dp",),
    ),
    Claim(
        "thm-post-processing",
        "Post-processing",
        "privacy",
        "report, Theorem 3",
        statement=r"Let $M$ be $(\varepsilon,\delta)$-DP with outputs in a countable set $Y$, and $K$ a channel: for "
        r"each $y\in Y$ a law on a countable set, fixed without looking at the data. Draw $y$ from $M(D)$, "
        r"then $z$ from $K(y,\cdot)$ with fresh coins, and release $z$: this is $(\varepsilon,\delta)$-DP.",
        status="proved+checked",
        code=(PACKAGE, f"{LAWS}.push_forward"),
        checks=(
            Check("functions", "exhaustive", f"{GRID}, all functions of them", check.check_processed, 2, 4),
            Check("channels", "property", "{size} random laws and channels", check.explore_processed, 60, 2000),
        ),
        assumptions=(COUNTABLE, "the coins of $f$ are independent of those of the mechanism"),
        uses=("lem-hockey-stick",),
    ),
    Claim(
        "lem-convexity",
        "Mixtures",
        "privacy",
        "this book",
        statement=r"Let $M_i$ be $(\varepsilon,\delta_i)$-DP, for finitely or countably many $i$. Draw $i$ with "
        "probability $w_i$, whatever the data are, and release the output of $M_i$. This is "
        r"$(\varepsilon,\sum_i w_i\delta_i)$-DP, whether $i$ is published or not. For laws $p_i,q_i$ and $c\ge "
        r"0$: $\sup_S\bigl[\sum_i w_i p_i(S)-c\sum_i w_i q_i(S)\bigr]\le\sum_i "
        r"w_i\sup_S\bigl[p_i(S)-c\,q_i(S)\bigr]$.",
        status="proved+checked",
        code=(PACKAGE, f"{LAWS}.mix"),
        checks=(
            Check(
                "two laws",
                "property",
                "{size} random mixtures, whose index is not shown",
                check.explore_convexity,
                60,
                2000,
            ),
        ),
        assumptions=(COUNTABLE,),
        uses=("lem-hockey-stick",),
    ),
)
