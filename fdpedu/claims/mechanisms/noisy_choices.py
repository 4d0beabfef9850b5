# Longer than 400 lines because two ways to make one choice are checked side by side, with the bugs seen.

"""Permute-and-flip and report-noisy-max: the same choice by coins and by noise."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from itertools import permutations, product
from typing import Any

import numpy as np

from fdpedu.claims.checking import require
from fdpedu.claims.mechanisms.discrete_laplace import Given
from fdpedu.claims.mechanisms.errors import ALPHAS, MONOTONE, VECTORS, Utilities, exact, small_utilities, vectors
from fdpedu.claims.mechanisms.exponential import (
    ALL,
    BOTH,
    LAST,
    OUTSIDER,
    PAIRS,
    REPLAYED,
    UTILITIES,
    all_moves,
    choices,
    private,
    random_moves,
    repetitions,
    sampled,
    small_choices,
    words_near,
)
from fdpedu.claims.mechanisms.gaussian import coin_of
from fdpedu.claims.mechanisms.sampling import one_sided
from fdpedu.claims.mechanisms.small import named
from fdpedu.claims.mechanisms.words import nothing_repeats, rates_are_divided, values_do_not_matter, words_are_own
from fdpedu.claims.mutation import Broken
from fdpedu.claims.privacy.definition import only_the_broken_fails
from fdpedu.claims.records import Check, Claim
from fdpedu.claims.replay import bounds, patched, require_joint_law
from fdpedu.exact import Rate
from fdpedu.mechanisms import (
    expected_error,
    exponential_pmf,
    permute_and_flip,
    permute_and_flip_as_described,
    permute_and_flip_pmf,
    report_noisy_max,
    report_noisy_max_pmf,
)
from fdpedu.mechanisms.weights import Weights
from fdpedu.randomness import ReplayedWords, ZeroWords


def orders(utilities: Utilities, alpha: Fraction) -> None:
    """The law of permute-and-flip, by going through all orders with the coins as they are stated."""
    coins, law = [alpha ** (max(utilities) - u) for u in utilities], [Fraction(0)] * len(utilities)
    every = list(permutations(range(len(utilities))))
    for order in every:
        left = Fraction(1, len(every))
        for r in order:
            law[r] += left * coins[r]
            left *= 1 - coins[r]
    stated = exact(permute_and_flip_pmf, utilities, alpha)
    require(stated == law, f"the stated law is {listed(stated)}, by all orders {listed(law)}")


def noisy_sums(utilities: Utilities, alpha: Fraction) -> None:
    """The law of report-noisy-max, by adding up over the winner's noise; what is left out is known."""
    stated, terms = exact(report_noisy_max_pmf, utilities, alpha), 40
    require(sum(stated) == 1, f"the probabilities add up to {sum(stated)}")
    for r, own in enumerate(utilities):
        total = Fraction(0)
        for g in range(terms):
            mass = (1 - alpha) * alpha**g
            for s, other in enumerate(utilities):
                losing = own + g - other + (1 if s > r else 0)  # how many values of the other's noise lose to it
                mass *= 1 - alpha ** max(0, losing) if s != r else 1
            total += mass
        require(total <= stated[r] <= total + alpha**terms, f"candidate {r} has {float(total):.6f}, not {stated[r]}")


def listed(law: list[Any]) -> str:
    return f"({', '.join(map(str, law))})"


def coin_borders(gap: Any, given: Given) -> None:
    """Words of 64 bits next to 1 − e^(−rate·gap): the worse candidate is drawn (the last word is odd) iff above."""
    coin = permute_and_flip_pmf((gap, 0), **given)[1] * 2  # it is taken if its coin shows heads and it is first
    edge = bounds(1 - coin)[0]
    for word, last in product(words_near(edge), (1, LAST)):
        heads = Fraction((word << 64) + last, 2**128) > edge
        found = permute_and_flip((gap, 0), rng=ReplayedWords((word, last, 1)), **given)
        require(found == heads, f"the words {word}, {last} give {found}, not {int(heads)}")


def gaps(most: int) -> Iterator[tuple[Any, Given]]:
    """Gaps of 1 to ``most``, and fractions where α is not given."""
    alpha, epsilon, tiny = {"alpha": "2/3"}, {"epsilon": "3/7"}, {"epsilon": "1/10000000000"}
    yield from product(range(1, most + 1), (alpha, epsilon, tiny))
    yield from product((0.1, Fraction(1, 3)), (epsilon, tiny))


def beyond(utilities: Utilities, highs: tuple[int, ...]) -> None:
    """Noise whose highest digits are played is compared as the integers that it stands for, however large."""
    rate = Rate.of(epsilon=Fraction(1, 2**35))
    stride = 1023**3
    with patched("fdpedu.mechanisms.weights", sample=lambda law, size, source: np.array(highs, np.int64)):
        found = report_noisy_max(utilities, epsilon=rate.rate, monotone=True, rng=ZeroWords())
    sums = [u + stride * high for u, high in zip(utilities, highs, strict=True)]
    require(found == sums.index(max(sums)), f"candidate {found} wins, but the sums are {sums}")


def large(most: int) -> Iterator[tuple[Utilities, tuple[int, ...]]]:
    """Gaps up to 2**70, and all pairs of seven highest digits."""
    highs = (0, 1, 2**20, 2**33, 2**33 + 1, 2**34, 2**50)
    return product([(0, 0), (0, most), (2**61, 0), (2**70, 0)], product(highs, repeat=2))


def as_described(utilities: Utilities, alpha: Fraction) -> None:
    """The law that is described is that of permute-and-flip."""
    described, law = (
        permute_and_flip_as_described(utilities, alpha=alpha),
        exact(permute_and_flip_pmf, utilities, alpha),
    )
    other = "exponential" if described == exponential_pmf(utilities, alpha=alpha) else "neither"
    require(described == law, f"described {listed(described)} ({other}), permute-and-flip {listed(law)}")


def described_better(utilities: Utilities, alpha: Fraction) -> None:
    """Where utilities differ, what is described errs less than the exponential mechanism."""
    one = expected_error(permute_and_flip_as_described(utilities, alpha=alpha), utilities)
    other = expected_error(exponential_pmf(utilities, alpha=alpha), utilities)
    require(one < other, f"its expected error is {one}, that of the exponential mechanism {other}")


def coins_of_candidates(gaps: tuple[int, ...], rows: int, words: int) -> None:
    """Permute-and-flip's coins: rows of one call, and the candidates of a row; the best one's shows heads."""
    weights = Weights([-gap for gap in gaps], None, "1/4", 1, False)
    laws = [coin_of(Fraction(1, 4**gap)) for gap in gaps] * rows
    require_joint_law(lambda tape: weights.flip(rows, tape).astype(np.int64), laws, words)


def noise_of_candidates(many: int, rows: int, words: int) -> None:
    """The noise of report-noisy-max: rows of one call, and the candidates of a row."""
    weights = Weights([0] * many, None, "1/2", 1, False)
    require_joint_law(lambda tape: weights.noise(rows, tape), [one_sided(Fraction(1, 2))] * (rows * many), words)


def rows_of_coins(words: int) -> Iterator[tuple[tuple[int, ...], int, int]]:
    """One row of two worse candidates, two rows of one."""
    yield (0, 1, 1), 1, words
    yield (0, 1), 2, words


def rows_of_noise(words: int) -> Iterator[tuple[int, int, int]]:
    """One row of two candidates or three, two rows of one."""
    yield 2, 1, words
    yield 1, 2, words
    yield 3, 1, words


PERMUTE_AND_FLIP = (
    Check("two draws", "exact", PAIRS, choices, partial(repetitions, "permute-and-flip"), 4, 5),
    Check(
        "joint law of coins",
        "exact",
        "the coins of two candidates and of two rows, over all tapes of {size} 3-bit words",
        coins_of_candidates,
        rows_of_coins,
        4,
        5,
        more=[((0, 1, 2), 1, 5)],
    ),
    words_are_own("permute and flip"),
    nothing_repeats("permute and flip"),
    rates_are_divided("permute and flip"),
    values_do_not_matter("permute and flip"),
)


REPORT_NOISY_MAX = (
    Check("two draws", "exact", PAIRS, choices, partial(repetitions, "report-noisy-max"), 4, 5),
    Check(
        "joint law of noise",
        "exact",
        "the noise of up to three candidates and of two rows, over all tapes of {size} 3-bit words",
        noise_of_candidates,
        rows_of_noise,
        4,
        5,
    ),
    words_are_own("noise of candidates"),
    nothing_repeats("noise of candidates", "report noisy max"),
    rates_are_divided("report noisy max", "monotone"),
    values_do_not_matter("report noisy max"),
)


RANDOM = "{size} random utilities of up to 6 candidates, and moves, general and monotone"

CLAIMS = (
    Claim(
        "thm-permute-and-flip",
        status="proved+checked",
        code=("fdpedu.mechanisms.selection", "fdpedu.mechanisms.selection.permute_and_flip"),
        checks=(
            Check("replayed law", "exact", REPLAYED, sampled, partial(small_choices, "permute-and-flip"), 3, 4),
            Check(
                "edges",
                "exact",
                "words of 64 bits next to the probability of a coin, for {size} gaps: heads and tails are right",
                coin_borders,
                gaps,
                9,
                30,
            ),
            Check(
                "orders",
                "exhaustive",
                f"{VECTORS}: its law, by all orders",
                orders,
                small_utilities,
                2,
                4,
                more=lambda draw: draw.tuples(draw.utilities.map(lambda utilities: utilities[:4]), draw.alphas),
            ),
            Check(
                "all moves",
                "exhaustive",
                f"{ALL}, general and monotone",
                private,
                partial(all_moves, "permute-and-flip"),
                2,
                4,
            ),
            Check("random moves", "property", RANDOM, private, partial(random_moves, "permute-and-flip"), 120, 4000),
            *PERMUTE_AND_FLIP,
        ),
        assumptions=(UTILITIES, MONOTONE, OUTSIDER),
        uses=("thm-alias-table", "lem-atoms"),
    ),
    Claim(
        "permute-and-flip-as-described-by-vos",
        status="refuted as stated",
        code=("fdpedu.mechanisms.selection.permute_and_flip_as_described",),
        checks=(
            Check(
                "the same law",
                "exhaustive",
                f"{VECTORS}: whether the law described is that of permute-and-flip",
                as_described,
                small_utilities,
                1,
                2,
            ),
            Check(
                "better than exponential",
                "exhaustive",
                f"{VECTORS}: whether its expected error is smaller, where not all are equal",
                described_better,
                lambda most: product(filter(any, vectors(most, 4)), ALPHAS),
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
        status="proved+checked",
        code=("fdpedu.mechanisms.selection", "fdpedu.mechanisms.selection.report_noisy_max"),
        checks=(
            Check("replayed law", "exact", REPLAYED, sampled, partial(small_choices, "report-noisy-max"), 3, 4),
            Check(
                "beyond 64 bits",
                "exact",
                "noise of up to 80 bits, played digit by digit: the largest sum wins, with gaps of {size} to 2**70",
                beyond,
                large,
                9,
                1000,
            ),
            Check(
                "sums",
                "exhaustive",
                f"{VECTORS}: the stated law, by adding up over the winner's noise",
                noisy_sums,
                lambda most: product(vectors(most, 4), ALPHAS[:2]),
                2,
                4,
            ),
            Check(
                "all moves",
                "exhaustive",
                f"{ALL}, general and monotone",
                private,
                partial(all_moves, "report-noisy-max"),
                2,
                4,
            ),
            Check("random moves", "property", RANDOM, private, partial(random_moves, "report-noisy-max"), 120, 4000),
            Check(
                "twins",
                "exact",
                BOTH,
                only_the_broken_fails,
                lambda _: named("the winner's count too", "one noise for all counts"),
            ),
            *REPORT_NOISY_MAX,
        ),
        assumptions=(UTILITIES, MONOTONE, OUTSIDER),
        uses=("thm-alias-table", "lem-atoms"),
    ),
)

TWINS = (
    Broken(
        "not permuted",
        "fdpedu.mechanisms.selection.permute_and_flip",
        "uniform_below(count[count > 1], source)",
        "0",
        "The coins make it random enough, so the order does not matter.",
        "thm-permute-and-flip",
        "replayed law",
    ),
    Broken(
        "the same coins for every draw",
        "fdpedu.mechanisms.weights.Weights.flip",
        "enclosed_coins(least - SLACK, most + SLACK, tails, source).reshape(n, unsure.size)",
        "enclosed_coins((least - SLACK)[: unsure.size], (most + SLACK)[: unsure.size], tails, source)",
        "Each draw has the right distribution, so all of them have.",
        "thm-permute-and-flip",
        "two draws",
    ),
    Broken(
        "noise that wraps around",
        "fdpedu.mechanisms.weights.Weights.noise",
        "high.astype(object)",
        "high",
        "An overflow modulo 2**64 is post-processing, here as for counts.",
        "thm-report-noisy-max",
        "beyond 64 bits",
    ),
    Broken(
        "every place the first",
        "fdpedu.mechanisms.selection.permute_and_flip_pmf",
        "Fraction(1, k + 1)",
        "Fraction(1)",
        "A candidate is taken if its own coin shows heads and no other does.",
        "thm-permute-and-flip",
        "orders",
    ),
    Broken(
        "one noise for all",
        "fdpedu.mechanisms.selection.report_noisy_max",
        "weights.noise(n, source)",
        "weights.noise(n, source)[:, :1]",
        "Noise that hides one utility hides them all.",
        "thm-report-noisy-max",
        "replayed law",
    ),
    Broken(
        "ties to nobody",
        "fdpedu.mechanisms.selection.report_noisy_max_pmf",
        "(1 if s > r else 0)",
        "0",
        "Two noisy utilities are never equal.",
        "thm-report-noisy-max",
        "sums",
    ),
    Broken(
        "one noise for all draws",
        "fdpedu.mechanisms.selection.report_noisy_max",
        "weights.noise(n, source)",
        "np.repeat(weights.noise(1, source), n, axis=0)",
        "Only the winner is released, so the noise may stay.",
        "thm-report-noisy-max",
        "two draws",
    ),
    Broken(
        "one coin for all candidates",
        "fdpedu.mechanisms.weights.Weights.flip",
        "tails, source).reshape(n, unsure.size)",
        "tails, source).reshape(n, unsure.size)[:, :1]",
        "Candidates that are equally good may share a coin.",
        "thm-permute-and-flip",
        "joint law of coins",
    ),
    Broken(
        "close coins are heads",
        "fdpedu.sampling.coins.enclosed_coins",
        "start * (1 - SLACK) < high",
        "start < high - 2",
        "Floats are right to ten digits, so the closest calls need no care.",
        "thm-permute-and-flip",
        "edges",
    ),
    Broken(
        "coins of squares of gaps",
        "fdpedu.mechanisms.weights.Weights.all",
        "self.unit(gap) for gap",
        "self.unit(gap * gap) for gap",
        "A sharper choice is a better one, and its probabilities still add up to 1.",
        "thm-permute-and-flip",
        "all moves",
    ),
    Broken(
        "two flips a candidate",
        "fdpedu.mechanisms.weights.Weights.all",
        "self.unit(gap) for gap",
        "self.unit(2 * gap) for gap",
        "A candidate is taken if two coins of it show heads.",
        "thm-permute-and-flip",
        "random moves",
    ),
    Broken(
        "one turn for all draws",
        "fdpedu.mechanisms.selection.permute_and_flip",
        "uniform_below(count[count > 1], source)",
        "uniform_below(count[count > 1][:1], source)",
        "The order is random once it was drawn.",
        "thm-permute-and-flip",
        "own words",
    ),
    Broken(
        "turns used again after a while",
        "fdpedu.mechanisms.selection.permute_and_flip",
        "uniform_below(count[count > 1], source)",
        "np.resize(uniform_below(count[count > 1][:3000], source), int((count > 1).sum()))",
        "Choices that are far enough apart may be in one order.",
        "thm-permute-and-flip",
        "long draws",
    ),
    Broken(
        "coins for a sensitivity of two at most",
        "fdpedu.mechanisms.weights.Weights.__init__",
        "unit.rate / delta /",
        "unit.rate / min(delta, 2) /",
        "A record is added or replaced, so no utility changes by more than two.",
        "thm-permute-and-flip",
        "sensitivity",
    ),
    Broken(
        "coins for utilities from 0 on",
        "fdpedu.mechanisms.utilities.Utilities.__init__",
        "self.values = _read(utilities)",
        "self.values = _read([max(u, 0) for u in utilities] if isinstance(utilities, list) else utilities)",
        "Utilities are counts, so none is below 0.",
        "thm-permute-and-flip",
        "same noise",
    ),
)
