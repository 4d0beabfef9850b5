"""Chapter 3, third part. Choosing the best of several candidates."""

from functools import partial
from itertools import product

from fdpedu.claims.mechanisms import laws_choices as choices
from fdpedu.claims.mechanisms import laws_errors as errors
from fdpedu.claims.mechanisms import laws_selection as law
from fdpedu.claims.mechanisms.small import named
from fdpedu.claims.privacy.laws import told_apart
from fdpedu.claims.records import Check, Claim

ROOM = "fdpedu.mechanisms.selection"
OUTSIDER = "an outsider, who sees the index that is released and nothing else"
UTILITIES = (
    r"finitely many candidates, not chosen by looking at the data; $|u_D(r) - u_{D'}(r)| \le \Delta$ for all "
    "neighbours $D$, $D'$ and all candidates $r$"
)
MONOTONE = "monotone: a record that is added moves all utilities in the same direction; add/remove is the relation"
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
        status="proved+checked",
        code=(ROOM, f"{ROOM}.exponential"),
        checks=(
            Check("replayed law", "exact", REPLAYED, law.sampled, partial(law.small_choices, "exponential"), 3, 4),
            Check("two draws", "exact", PAIRS, choices.two_draws, partial(choices.pairs, "exponential"), 4, 5),
            Check(
                "edges",
                "exact",
                "words of 64 bits next to {size} edges of each law, of up to 5,000 candidates: the right one is drawn",
                choices.borders,
                choices.rows,
                5,
                100,
            ),
            Check(
                "all moves",
                "exhaustive",
                ALL,
                law.private,
                partial(law.all_moves, "exponential", one_way=[False]),
                2,
                5,
            ),
            Check(
                "random moves",
                "property",
                "{size} random utilities of up to 6 candidates, and moves, with random α",
                law.private,
                partial(law.random_moves, "exponential", one_way=[False]),
                100,
                3000,
            ),
            Check(
                "the two is needed",
                "exact",
                "one candidate rises, {size} fall: the ratio comes near e^ε, and stays below",
                law.two_is_needed,
                lambda most: product((9, most), law.ALPHAS),
                99,
                999,
            ),
            Check("twins", "exact", TWINS, told_apart, lambda _: named("the two forgotten")),
        ),
        assumptions=(UTILITIES, OUTSIDER),
        uses=("thm-alias-table", "lem-atoms"),
    ),
    Claim(
        "exponential-without-two",
        "The exponential mechanism without the two",
        "mechanisms",
        "report, before Definition 5 (an intuition that it goes on to mend)",
        status="refuted as stated",
        code=(f"{ROOM}.exponential_pmf",),
        checks=(
            Check(
                "small utilities",
                "exhaustive",
                f"{ALL}, with e^−ε for the coin",
                law.without_two,
                lambda most: law.small_moves(most, one_way=False),
                2,
                3,
            ),
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
        status="proved+checked",
        code=(ROOM, f"{ROOM}.exponential"),
        checks=(
            Check(
                "all moves",
                "exhaustive",
                f"{ALL} in one direction",
                law.private,
                partial(law.all_moves, "exponential", one_way=[True]),
                2,
                5,
            ),
            Check(
                "random moves",
                "property",
                "{size} random utilities of up to 6 candidates, and moves in one direction, with random α",
                law.private,
                partial(law.random_moves, "exponential", one_way=[True]),
                100,
                3000,
            ),
            Check(
                "base of the coins",
                "exact",
                "ε = 1/2, 1, 3, Δ = 1, 2, 5/2: the pmfs of all three have the coin e^(−ε/Δ) or e^(−ε/2Δ); {size} gaps",
                law.base,
                law.bases,
                3,
                9,
            ),
            Check("twins", "exact", TWINS, told_apart, lambda _: named("candidates from the data")),
        ),
        assumptions=(UTILITIES, MONOTONE, OUTSIDER),
        uses=("thm-alias-table", "lem-atoms"),
    ),
    Claim(
        "thm-permute-and-flip",
        "Permute-and-flip",
        "mechanisms",
        "McKenna and Sheldon; used by Vos et al.",
        status="proved+checked",
        code=(ROOM, f"{ROOM}.permute_and_flip"),
        checks=(
            Check("replayed law", "exact", REPLAYED, law.sampled, partial(law.small_choices, "permute-and-flip"), 3, 4),
            Check("two draws", "exact", PAIRS, choices.two_draws, partial(choices.pairs, "permute-and-flip"), 4, 5),
            Check(
                "edges",
                "exact",
                "words of 64 bits next to the probability of a coin, for {size} gaps: heads and tails are right",
                choices.coin_borders,
                choices.gaps,
                9,
                30,
            ),
            Check("orders", "exhaustive", f"{VECTORS}: its law, by all orders", law.orders, law.small_utilities, 2, 4),
            Check(
                "all moves",
                "exhaustive",
                f"{ALL}, general and monotone",
                law.private,
                partial(law.all_moves, "permute-and-flip"),
                2,
                4,
            ),
            Check(
                "random moves",
                "property",
                RANDOM,
                law.private,
                partial(law.random_moves, "permute-and-flip"),
                120,
                4000,
            ),
        ),
        assumptions=(UTILITIES, MONOTONE, OUTSIDER),
        uses=("thm-alias-table", "lem-atoms"),
    ),
    Claim(
        "permute-and-flip-as-described-by-vos",
        "Permute-and-flip, as it is described",
        "mechanisms",
        "Vos et al., section II-B",
        status="refuted as stated",
        code=(f"{ROOM}.permute_and_flip_as_described",),
        checks=(
            Check(
                "the same law",
                "exhaustive",
                f"{VECTORS}: whether the law described is that of permute-and-flip",
                errors.as_described,
                law.small_utilities,
                1,
                2,
            ),
            Check(
                "better than exponential",
                "exhaustive",
                f"{VECTORS}: whether its expected error is smaller, where not all are equal",
                errors.described_better,
                lambda most: product(filter(any, law.vectors(most, 4)), law.ALPHAS),
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
        status="proved+checked",
        code=(ROOM, f"{ROOM}.report_noisy_max"),
        checks=(
            Check("replayed law", "exact", REPLAYED, law.sampled, partial(law.small_choices, "report-noisy-max"), 3, 4),
            Check("two draws", "exact", PAIRS, choices.two_draws, partial(choices.pairs, "report-noisy-max"), 4, 5),
            Check(
                "beyond 64 bits",
                "exact",
                "noise of up to 80 bits, played digit by digit: the largest sum wins, with gaps of {size} to 2**70",
                choices.beyond,
                choices.large,
                9,
                1000,
            ),
            Check(
                "sums",
                "exhaustive",
                f"{VECTORS}: the stated law, by adding up over the winner's noise",
                law.noisy_sums,
                lambda most: product(law.vectors(most, 4), law.ALPHAS[:2]),
                2,
                4,
            ),
            Check(
                "all moves",
                "exhaustive",
                f"{ALL}, general and monotone",
                law.private,
                partial(law.all_moves, "report-noisy-max"),
                2,
                4,
            ),
            Check(
                "random moves",
                "property",
                RANDOM,
                law.private,
                partial(law.random_moves, "report-noisy-max"),
                120,
                4000,
            ),
            Check(
                "twins",
                "exact",
                TWINS,
                told_apart,
                lambda _: named("the winner's count too", "one noise for all counts"),
            ),
        ),
        assumptions=(UTILITIES, MONOTONE, OUTSIDER),
        uses=("thm-alias-table", "lem-atoms"),
    ),
)
