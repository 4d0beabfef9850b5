"""Chapter 3, third part. Choosing the best of several candidates."""

from fdpedu.claims.mechanisms import laws_choices as choices
from fdpedu.claims.mechanisms import laws_errors as errors
from fdpedu.claims.mechanisms import laws_selection as check
from fdpedu.claims.mechanisms import laws_twins as twins
from fdpedu.claims.records import Check, Claim

ROOM = "fdpedu.mechanisms.selection"
OUTSIDER = "an outsider, who sees the index that is released and nothing else"
UTILITIES = r"finitely many candidates, not chosen by looking at the data; neighbours: those of $\Delta$"
MONOTONE = "add/remove, the relation for which monotone is meant"
ALL = "all integer utilities of up to 3 candidates and gaps up to {size}, all moves within Δ = 1"
VECTORS = "all integer utilities of up to 4 candidates and gaps up to {size}"
RANDOM = "{size} random utilities of up to 6 candidates, and moves, general and monotone"
TWINS = "all data sets of at most 3 records: the sound mechanism holds, its broken twin does not"
PAIRS = "two draws of one call, over all tapes of {size} 3-bit words: the pair has the product of the laws"
REPLAYED = "the shipped sampler over all tapes of {size} 4-bit words, α and ε given"

CLAIMS = (
    Claim(
        "thm-exponential",
        "The exponential mechanism",
        "mechanisms",
        "report, Definition 5 and Theorem 5; Vos et al., Definition 3",
        statement=r"Let $|u(D,r)-u(D',r)|\le\Delta$ for all neighbours and all candidates $r$. Releasing $r$ with "
        r"probability proportional to $\exp\frac{\varepsilon u(D,r)}{2\Delta}$ is $\varepsilon$-DP. The sampler has "
        r"exactly this law.",
        status="proved+checked",
        code=(ROOM, f"{ROOM}.exponential"),
        checks=(
            Check("replayed law", "exact", REPLAYED, check.check_exponential_sampler, 3, 4),
            Check("two draws", "exact", PAIRS, choices.check_exponential_pairs, 4, 5),
            Check(
                "edges",
                "exact",
                "words of 64 bits next to {size} edges of each law, of up to 5,000 candidates: the right one is drawn",
                choices.check_borders,
                5,
                100,
            ),
            Check("all moves", "exhaustive", ALL, check.check_exponential, 2, 5),
            Check(
                "random moves",
                "property",
                "{size} random utilities of up to 6 candidates, and moves, with random α",
                check.explore_exponential,
                100,
                3000,
            ),
            Check(
                "the two is needed",
                "exact",
                "one candidate rises, {size} fall: the ratio comes near e^ε, and stays below",
                check.check_two_is_needed,
                99,
                999,
            ),
            Check("twins", "exact", TWINS, twins.checking("the two forgotten")),
        ),
        assumptions=(UTILITIES, OUTSIDER),
        uses=("thm-alias-table", "lem-atoms"),
    ),
    Claim(
        "exponential-without-two",
        "The exponential mechanism without the two",
        "mechanisms",
        "report, before Definition 5 (an intuition that it goes on to mend)",
        statement="“The intuition behind the exponential mechanism is to output each possible $r$ with probability "
        r"proportional to $\exp(\epsilon u(D,r)/\Delta u)$ […] and therefore the privacy loss for any $r$ is "
        r"approximately […] $\le\epsilon$.” *The sum in the denominator changes too. With $e^{\epsilon}=2$ and "
        r"$\Delta u=1$ the utilities $(0,2)$ and $(1,1)$ give the first candidate with probabilities $\frac15$ and "
        r"$\frac12$. The loss is at most $2\epsilon$, and comes as near to it as one likes.*",
        status="refuted as stated",
        code=(f"{ROOM}.exponential_pmf",),
        checks=(
            Check("small utilities", "exhaustive", f"{ALL}, with e^−ε for the coin", check.check_without_two, 2, 3),
        ),
        assumptions=(UTILITIES, "utilities that need not be monotone"),
        uses=("lem-atoms",),
        corrected_by="thm-exponential-monotone",
    ),
    Claim(
        "thm-exponential-monotone",
        "Monotone utilities need no two",
        "mechanisms",
        "this book; a standard fact",
        statement=r"Let $u$ be monotone: a record that is added changes all utilities in the same direction, each by "
        r"at most $\Delta$. Then releasing $r$ with probability proportional to $\exp\frac{\varepsilon "
        r"u(D,r)}\Delta$ is $\varepsilon$-DP under add/remove. Class counts are monotone with $\Delta=1$.",
        status="proved+checked",
        code=(ROOM, f"{ROOM}.exponential"),
        checks=(
            Check("all moves", "exhaustive", f"{ALL} in one direction", check.check_monotone, 2, 5),
            Check(
                "random moves",
                "property",
                "{size} random utilities of up to 6 candidates, and moves in one direction, with random α",
                check.explore_monotone,
                100,
                3000,
            ),
            Check(
                "base of the coins",
                "exact",
                "ε = 1/2, 1, 3, Δ = 1, 2, 5/2: the pmfs of all three have the coin e^(−ε/Δ) or e^(−ε/2Δ); {size} gaps",
                check.check_base,
                3,
                9,
            ),
            Check("twins", "exact", TWINS, twins.checking("candidates from the data")),
        ),
        assumptions=(UTILITIES, MONOTONE, OUTSIDER),
        uses=("thm-alias-table", "lem-atoms"),
    ),
    Claim(
        "thm-permute-and-flip",
        "Permute-and-flip",
        "mechanisms",
        "McKenna and Sheldon; used by Vos et al.",
        statement=r"Let $u$ be as for the exponential mechanism, $u^*=\max_r u(D,r)$, and "
        r"$p_r=\exp\frac{\varepsilon(u(D,r)-u^*)}{2\Delta}$, without the 2 if $u$ is monotone. Go through the "
        r"candidates in a uniformly random order, and release the first whose coin, of the fixed probability $p_r$, "
        r"shows heads. This ends with the best at the latest; $r$ is released with probability "
        r"$p_r\int_0^1\prod_{s\ne r}(1-tp_s)\,dt$; and it is $\varepsilon$-DP. The sampler has exactly this law.",
        status="proved+checked",
        code=(ROOM, f"{ROOM}.permute_and_flip"),
        checks=(
            Check("replayed law", "exact", REPLAYED, check.check_flip_sampler, 3, 4),
            Check("two draws", "exact", PAIRS, choices.check_flip_pairs, 4, 5),
            Check(
                "edges",
                "exact",
                "words of 64 bits next to the probability of a coin, for {size} gaps: heads and tails are right",
                choices.check_coin_borders,
                9,
                30,
            ),
            Check("orders", "exhaustive", f"{VECTORS}: its law, by all orders", check.check_orders, 2, 4),
            Check("all moves", "exhaustive", f"{ALL}, general and monotone", check.check_flip, 2, 4),
            Check("random moves", "property", RANDOM, check.explore_flip, 60, 2000),
        ),
        assumptions=(UTILITIES, f"for monotone utilities: {MONOTONE}", OUTSIDER),
        uses=("thm-alias-table", "lem-atoms"),
    ),
    Claim(
        "lem-permute-and-flip-dominates",
        "Permute-and-flip is never worse",
        "mechanisms",
        "McKenna and Sheldon; quoted by Vos et al., section II-B",
        statement=r"Let $P$ and $E$ be the laws of permute-and-flip and of the exponential mechanism with the same "
        r"coins. If $u_r\ge u_s$, then $P_r/E_r\ge P_s/E_s$. So for every $x$ the error $u^*-u_R$ is at least $x$ "
        "with a probability under $P$ that is at most that under $E$, and the expected error of $P$ is at most that "
        "of $E$; it is smaller unless all utilities are equal.",
        status="proved+checked",
        code=(f"{ROOM}.permute_and_flip_pmf",),
        checks=(
            Check("small utilities", "exhaustive", f"{VECTORS}, three α", errors.check_dominates, 3, 6),
            Check(
                "random utilities",
                "property",
                "{size} random utilities of up to 6 candidates, random α",
                errors.explore_dominates,
                60,
                2000,
            ),
        ),
        assumptions=("the same utilities, Δ and ε for both",),
        uses=("thm-permute-and-flip", "thm-exponential"),
    ),
    Claim(
        "permute-and-flip-as-described-by-vos",
        "Permute-and-flip, as it is described",
        "mechanisms",
        "Vos et al., section II-B",
        statement="“For each possible output, the mechanism simulates flipping a biased coin, and the item is "
        "returned if the head is up with a probability according to an exponential function. Otherwise, it flips the "
        "coin for the next item with new probabilities assigned. Compared to the exponential mechanism, the "
        "probability of outputting an item is updated for each round”. *What the new probabilities are is not said. "
        "If each is the item's share among those that are left, the natural reading, this is exactly the exponential "
        "mechanism, whatever the order: private, and better in no case. In permute-and-flip the coins are fixed "
        "beforehand.*",
        status="refuted as stated",
        code=(f"{ROOM}.permute_and_flip_as_described",),
        checks=(
            Check(
                "the same law",
                "exhaustive",
                f"{VECTORS}: whether the law described is that of permute-and-flip",
                errors.check_as_described,
                1,
                2,
            ),
            Check(
                "better than exponential",
                "exhaustive",
                f"{VECTORS}: whether its expected error is smaller, where not all are equal",
                errors.check_described_better,
                1,
                2,
            ),
        ),
        assumptions=("new probabilities: an item's weight over the sum of those not yet refused",),
        uses=("thm-exponential",),
        corrected_by="thm-permute-and-flip",
    ),
    Claim(
        "thm-report-noisy-max",
        "Report noisy max",
        "mechanisms",
        "this book; a standard fact, with integers and ties",
        statement=r"Let $u$ be as for the exponential mechanism, with integer values and an integer $\Delta$. Add to "
        r"every utility an independent geometric number, $\Pr[g]=(1-\alpha)\alpha^g$ for $g\ge 0$, "
        r"$\alpha=e^{-\varepsilon/2\Delta}$, or $e^{-\varepsilon/\Delta}$ if $u$ is monotone, and release which "
        r"candidate is largest, of several the first; nothing else. This is $\varepsilon$-DP. The sampler has "
        r"exactly this law.",
        status="proved+checked",
        code=(ROOM, f"{ROOM}.report_noisy_max"),
        checks=(
            Check("replayed law", "exact", REPLAYED, check.check_noisy_sampler, 3, 4),
            Check("two draws", "exact", PAIRS, choices.check_noisy_pairs, 4, 5),
            Check(
                "beyond 64 bits",
                "exact",
                "noise of up to 80 bits, played digit by digit: the largest sum wins, with gaps of {size} to 2**70",
                choices.check_beyond,
                9,
                1000,
            ),
            Check(
                "sums",
                "exhaustive",
                f"{VECTORS}: the stated law, by adding up over the winner's noise",
                check.check_noisy_sums,
                2,
                4,
            ),
            Check("all moves", "exhaustive", f"{ALL}, general and monotone", check.check_noisy, 2, 4),
            Check("random moves", "property", RANDOM, check.explore_noisy, 60, 2000),
            Check("twins", "exact", TWINS, twins.checking("the winner's count too", "one noise for all counts")),
        ),
        assumptions=(UTILITIES, f"for monotone utilities: {MONOTONE}", OUTSIDER),
        uses=("thm-alias-table", "lem-atoms"),
    ),
    Claim(
        "lem-leaf-error",
        "What labelling leaves costs",
        "mechanisms",
        "Vos et al., Corollary 1, mended",
        statement=r"Let $c_K=\max_{0<p\le 1}2\ln\frac1p\bigl(1-\frac{1-(1-p)^K}{Kp}\bigr)$; $c_2=\frac1e$. On $K$ "
        r"utilities of sensitivity 1 permute-and-flip has an expected error of at most $c_K/\varepsilon$, and of at "
        r"most $c_K/2\varepsilon$ where they are monotone and the 2 is dropped. Let the $2^d$ leaves of a tree that "
        r"is public or paid for be labelled by permute-and-flip on their class counts, independently, of "
        r"$n\ge n_0\ge 1$ records in all, $n_0$ public. Then "
        r"$\varepsilon_{\text{leaf}}\ge\frac{2^d c_K}{2n_0\mathcal E_{\max}}$ "
        r"is enough for an expected loss of training accuracy of at most $\mathcal E_{\max}$, and all labels together "
        r"are $\varepsilon_{\text{leaf}}$-DP under add/remove. Printed is twice this bound, with $\le$, and with $n$ "
        r"for $n_0$.",
        status="proved+checked",
        code=(f"{ROOM}.leaf_error_constant",),
        checks=(
            Check(
                "small counts",
                "exhaustive",
                f"{VECTORS}, four α: expected error times ε, enclosed, is at most the constant",
                errors.check_leaf_error,
                3,
                8,
            ),
            Check(
                "constant",
                "exact",
                "K = 2 to 5: no p in steps of 1/{size} is above it, and one comes near; 1/e for two classes",
                errors.check_leaf_constant,
                100,
                2000,
            ),
            Check(
                "attained",
                "exact",
                "two classes, gap {size}, α near e^(−1/gap): expected error times ε is above 0.999 of the constant",
                errors.check_leaf_attained,
                50,
                500,
            ),
        ),
        assumptions=(
            MONOTONE,
            "the tree is public or paid for; its leaves are disjoint regions, so each has the whole of ε_leaf",
        ),
        uses=("thm-permute-and-flip",),
    ),
)
