# Longer than 400 lines because each check of its theorem stands beside a bug that it sees.

"""The exponential mechanism: choosing one of several candidates, with and without the factor of two."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from itertools import accumulate, product
from typing import Any

from fdpedu.claims.checking import require
from fdpedu.claims.mechanisms.discrete_laplace import Given
from fdpedu.claims.mechanisms.errors import ALPHAS, MONOTONE, Utilities, exact, vectors
from fdpedu.claims.mechanisms.sampling import CHOICES
from fdpedu.claims.mechanisms.small import named
from fdpedu.claims.mechanisms.words import (
    PMFS,
    SAMPLERS,
    nothing_repeats,
    rates_are_divided,
    values_do_not_matter,
    words_are_own,
)
from fdpedu.claims.mutation import Broken
from fdpedu.claims.privacy.definition import only_the_broken_fails
from fdpedu.claims.records import Check, Claim
from fdpedu.claims.replay import bounds, intersects, patched, require_joint_law, require_law
from fdpedu.exact import as_fraction, exp_enclosure
from fdpedu.mechanisms import exponential, exponential_pmf
from fdpedu.randomness import ReplayedWords

LAST = 2**64 - 1  # the largest word
PAIRS = (
    "two draws of one call, of two tiles, of two calls, over all tapes of {size} 3-bit words: the "
    "product of distributions"
)


def private(name: str, utilities: Utilities, moves: Utilities, alpha: Fraction, one_way: bool) -> None:
    """Moved by at most 1, the law stays within e^ε = α^−2; moved in one direction only, within e^ε = α^−1.

    p ≤ e^ε·q for every candidate, both ways: an inequality of fractions, without any tolerance.
    """
    exp_epsilon = 1 / alpha if one_way else alpha**-2
    p, q = (exact(PMFS[name], u, alpha) for u in (utilities, moved(utilities, moves)))
    require(sum(p) == sum(q) == 1, f"the probabilities add up to {sum(p)} and {sum(q)}")
    for r, (a, b) in enumerate(zip(p, q, strict=True)):
        ratio = max(a / b, b / a)
        require(
            ratio <= exp_epsilon, f"candidate {r} has probability {a} and {b}, a ratio of {ratio}; e^ε is {exp_epsilon}"
        )


def without_two(utilities: Utilities, moves: Utilities, alpha: Fraction) -> None:
    """What the printed intuition claims: moved in any direction, within e^ε = α^−1."""
    private("exponential", utilities, moves, alpha, one_way=True)


def moved(utilities: Utilities, moves: Utilities) -> Utilities:
    """The utilities after their moves."""
    return tuple(u + move for u, move in zip(utilities, moves, strict=True))


def two_is_needed(others: int, alpha: Fraction) -> None:
    """One candidate two below all others rises by 1 and they fall by 1: nearly e^ε = α^−2, never more."""
    low, high = (0, *[2] * others), (1, *[1] * others)
    ratio = exact(exponential_pmf, high, alpha)[0] / exact(exponential_pmf, low, alpha)[0]
    share = ratio * alpha**2
    require(Fraction(others, others + 1) < share < 1, f"the ratio is {float(share):.4f} of e^ε")


def sampled(name: str, utilities: Utilities, given: Given, words: int, slack: Fraction = Fraction(1, 4)) -> None:
    """The shipped sampler has the law of its pmf, up to what is undecided, at most ``slack``."""
    stated = PMFS[name](utilities, **given)
    require_law(lambda tape: int(SAMPLERS[name](utilities, rng=tape, **given)), stated.__getitem__, words, slack)


def base(name: str, epsilon: Fraction, sensitivity: Fraction, one_way: bool, gap: int) -> None:
    """With ε given, the pmf is that of coins of base e^(−ε/Δ) if utilities are monotone, else e^(−ε/2Δ)."""
    coin = exp_enclosure(-epsilon * gap / (sensitivity * (1 if one_way else 2)))
    found = PMFS[name]((gap, 0), epsilon, sensitivity=sensitivity, monotone=one_way)
    if name == "exponential":
        expected = coin / (1 + coin)
    elif name == "permute-and-flip":
        expected = coin / 2
    else:  # the second wins iff its noise is larger than the gap and the other's noise
        expected = coin * exp_enclosure(-epsilon / (sensitivity * (1 if one_way else 2)))
        expected = expected / (1 + expected / coin)
    require(intersects(found[1], expected), f"the second candidate has {found[1]}, expected {expected}")


def small_moves(most: int, one_way: bool) -> Iterator[tuple[Utilities, Utilities, Fraction]]:
    """All utilities of up to 3 candidates, all moves by at most 1, and three α."""
    steps = (0, 1) if one_way else (-1, 0, 1)
    for utilities in vectors(most, 3):
        yield from product([utilities], product(steps, repeat=len(utilities)), ALPHAS)


def all_moves(name: str, most: int, one_way: Iterable[bool] = (False, True)) -> Iterator[tuple[Any, ...]]:
    """Small moves for one mechanism, in any direction and then in one."""
    return ((name, *case, way) for way in one_way for case in small_moves(most, way))


def random_moves(name: str, draw: Any, one_way: Iterable[bool] = (False, True)) -> Any:
    """Random utilities of up to 6 candidates, moves by at most 1 and α, for one mechanism."""

    def cases(way: bool) -> Any:
        found = draw.tuples(draw.moved_utilities(0 if way else -1), draw.alphas)
        return found.map(lambda case: (name, *case[0], case[1], way))

    return draw.st.one_of([cases(way) for way in one_way])


def small_choices(name: str, words: int) -> Iterator[tuple[str, Utilities, Given, int]]:
    """Two or three candidates for one mechanism, α or ε given."""
    yield name, (0, 1), {"alpha": "1/2"}, words
    yield name, (2, 0), {"epsilon": 1}, words
    yield name, (0, 3), {"epsilon": 2, "sensitivity": 2, "monotone": True}, words
    yield name, (1, 0, 1), {"alpha": "1/4"}, words


def bases(most: int) -> Iterator[tuple[str, Fraction, Fraction, bool, int]]:
    """All three mechanisms, three ε, three Δ, monotone or not, and gaps up to ``most``."""
    epsilons, deltas = (map(Fraction, numbers) for numbers in (("1/2", "1", "3"), ("1", "2", "5/2")))
    return product(PMFS, epsilons, deltas, (False, True), range(most + 1))


def words_near(edge: Fraction) -> Iterator[int]:
    """The word whose cell holds this number, and its neighbours."""
    word = int(edge * 2**64)
    return (near for near in (word - 1, word, word + 1) if 0 <= near <= LAST)


def intervals(utilities: Sequence[Any], given: Given) -> tuple[list[int], list[Fraction]]:
    """The candidates in the order of their intervals for the exponential mechanism, and the edges between these.

    The best candidate owns the first interval, then follow those behind it in their order, as if in a ring.
    """
    law, true = exponential_pmf(utilities, **given), [as_fraction(u) for u in utilities]
    best = true.index(max(true))
    row = [*range(best, len(true)), *range(best)]
    return row, [bounds(edge)[0] for edge in accumulate(law[r] for r in row[:-1])]


def borders(utilities: Sequence[Any], given: Given, most: int) -> None:
    """Words of 64 bits next to the edges of the exponential mechanism, and a second one, give the right candidate."""
    row, edges = intervals(utilities, given)
    for edge in edges[:: max(1, len(edges) // most)]:
        for word, last in product(words_near(edge), (0, LAST)):
            right = row[bisect_right(edges, Fraction((word << 64) + last, 2**128))]
            found = exponential(utilities, rng=ReplayedWords((word, last)), **given)
            require(found == right, f"the words {word}, {last} give {found}, not {right}")


def rows(most: int) -> Iterator[tuple[tuple[Any, ...], Given, int]]:
    """Up to 5,000 candidates; fractions where α is not given, for it takes integers only."""
    alpha, general, monotone = {"alpha": "2/3"}, {"epsilon": "3/7", "sensitivity": 2}, {"epsilon": 2, "monotone": True}
    few = [(1, 0), (2, 2, 0), (0, 3, 1, 3), (0, 40)]
    yield from product(few, (alpha, general, monotone), [most])
    yield tuple((7 * k * k) % 11 for k in range(5000)), general, most
    yield from product([(0.1, Fraction(1, 3), 7, -2.5)], (general, monotone), [most])


def choices(name: str, utilities: Utilities, given: Given, size: int, calls: int, tile: int, words: int) -> None:
    """Choices of one call, of several tiles, of several calls."""
    law = PMFS[name](utilities, **given)

    def draw(tape: ReplayedWords) -> Any:
        return [SAMPLERS[name](utilities, rng=tape, size=size, **given) for _ in range(calls)]

    with patched(f"fdpedu.{CHOICES}", _TILE=tile):
        require_joint_law(draw, [law.__getitem__] * (size * calls), words)


def repetitions(name: str, words: int) -> Iterator[tuple[str, Utilities, Given, int, int, int, int]]:
    """Two choices, of one tile, of two tiles, of two calls; sensitivities 1 to 3."""
    yield name, (0, 1), {"alpha": "1/4"}, 2, 1, 99, words
    if name != "report-noisy-max":  # whose draws take long; the tiles are those of the others
        yield name, (0, 2), {"epsilon": 2, "sensitivity": 2}, 1, 2, 99, words
        yield name, (3, 0), {"epsilon": 3, "sensitivity": 3, "monotone": True}, 2, 1, 1, words


EXPONENTIAL = (
    Check("two draws", "exact", PAIRS, choices, partial(repetitions, "exponential"), 4, 5),
    words_are_own("exponential"),
    nothing_repeats("exponential"),
    rates_are_divided("exponential"),
    values_do_not_matter("exponential"),
)


OUTSIDER = "an outsider, who sees the index that is released and nothing else"
UTILITIES = (
    r"finitely many candidates, not chosen by looking at the data; $|u_D(r) - u_{D'}(r)| \le \Delta$ for all "
    "neighbours $D$, $D'$ and all candidates $r$"
)
ALL = "all integer utilities of up to 3 candidates and gaps up to {size}, all moves within Δ = 1"
BOTH = "all data sets of at most 3 records: the sound mechanism holds, its broken variant does not"
REPLAYED = "the shipped sampler over all tapes of {size} 4-bit words, α and ε given"

CLAIMS = (
    Claim(
        "thm-exponential",
        status="proved+checked",
        code=("fdpedu.mechanisms.selection", "fdpedu.mechanisms.selection.exponential"),
        checks=(
            Check("replayed law", "exact", REPLAYED, sampled, partial(small_choices, "exponential"), 3, 4),
            Check(
                "edges",
                "exact",
                "words of 64 bits next to {size} edges of each distribution, of up to 5,000 candidates: the right "
                "one is drawn",
                borders,
                rows,
                5,
                100,
            ),
            Check("all moves", "exhaustive", ALL, private, partial(all_moves, "exponential", one_way=[False]), 2, 5),
            Check(
                "random moves",
                "property",
                "{size} random utilities of up to 6 candidates, and moves, with random α",
                private,
                partial(random_moves, "exponential", one_way=[False]),
                100,
                3000,
            ),
            Check(
                "the two is needed",
                "exact",
                "one candidate rises, {size} fall: the ratio comes near e^ε, and stays below",
                two_is_needed,
                lambda most: product((9, most), ALPHAS),
                99,
                999,
            ),
            Check("twins", "exact", BOTH, only_the_broken_fails, lambda _: named("the two forgotten")),
            *EXPONENTIAL,
        ),
        assumptions=(UTILITIES, OUTSIDER),
        uses=("thm-alias-table", "lem-atoms"),
    ),
    Claim(
        "exponential-without-two",
        status="refuted as stated",
        code=("fdpedu.mechanisms.selection.exponential_pmf",),
        checks=(
            Check(
                "small utilities",
                "exhaustive",
                f"{ALL}, with e^−ε for the coin",
                without_two,
                lambda most: small_moves(most, one_way=False),
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
        status="proved+checked",
        code=("fdpedu.mechanisms.selection", "fdpedu.mechanisms.selection.exponential"),
        checks=(
            Check(
                "all moves",
                "exhaustive",
                f"{ALL} in one direction",
                private,
                partial(all_moves, "exponential", one_way=[True]),
                2,
                5,
            ),
            Check(
                "random moves",
                "property",
                "{size} random utilities of up to 6 candidates, and moves in one direction, with random α",
                private,
                partial(random_moves, "exponential", one_way=[True]),
                100,
                3000,
            ),
            Check(
                "base of the coins",
                "exact",
                "ε = 1/2, 1, 3, Δ = 1, 2, 5/2: the pmfs of all three have the coin e^(−ε/Δ) or e^(−ε/2Δ); {size} gaps",
                base,
                bases,
                3,
                9,
            ),
            Check("twins", "exact", BOTH, only_the_broken_fails, lambda _: named("candidates from the data")),
        ),
        assumptions=(UTILITIES, MONOTONE, OUTSIDER),
        uses=("thm-alias-table", "lem-atoms"),
    ),
)

TWINS = (
    Broken(
        "the two forgotten",
        "fdpedu.mechanisms.weights.Weights.__init__",
        "(1 if monotone else 2)",
        "1",
        "The normalising sum is a constant.",
        "thm-exponential-monotone",
        "base of the coins",
    ),
    Broken(
        "close calls to the next one",
        "fdpedu.mechanisms.weights.Weights.choose",
        "start * (1 - SLACK) < upper[place - 1]",
        "start < upper[place - 1] - 2",
        "Sums of floats are right to ten digits, so a word that they leave open may go either way.",
        "thm-exponential",
        "replayed law",
    ),
    Broken(
        "the first part again and again",
        "fdpedu.mechanisms.weights.drawn",
        "draw(min(tile, n - start), source) for start in range(0, n, tile)]",
        "draw(min(tile, n), source)] * len(range(0, n, tile))",
        "Parts of a long draw have one distribution, so one part stands for all.",
        "thm-exponential",
        "two draws",
    ),
    Broken(
        "floats decide",
        "fdpedu.mechanisms.weights.Weights.choose",
        "np.flatnonzero((place > 0) & (start * (1 - SLACK) < upper[place - 1]))",
        "()",
        "Sixteen digits decide every choice.",
        "thm-exponential",
        "edges",
    ),
    Broken(
        "squares of gaps",
        "fdpedu.mechanisms.weights.Weights.all",
        "self.unit(gap) for gap",
        "self.unit(gap * gap) for gap",
        "A sharper choice is a better one, and its probabilities still add up to 1.",
        "thm-exponential",
        "all moves",
    ),
    Broken(
        "coins of twice the rate",
        "fdpedu.mechanisms.weights.Weights.all",
        "self.unit(gap) for gap",
        "self.unit(2 * gap) for gap",
        "The two in 2Δ is for the normalising sum, which is not needed for the weights.",
        "thm-exponential",
        "random moves",
    ),
    Broken(
        "gaps up to one",
        "fdpedu.mechanisms.weights.Weights.all",
        "self.unit(gap) for gap",
        "self.unit(min(gap, 1)) for gap",
        "A utility moves by Δ, so no gap beyond Δ matters.",
        "thm-exponential",
        "the two is needed",
    ),
    Broken(
        "one word for two choices",
        "fdpedu.mechanisms.weights.Weights.choose",
        "words, cell = source.words(n),",
        "words, cell = np.repeat(source.words(-(-n // 2)), 2)[:n],",
        "Half of a word is enough for a choice.",
        "thm-exponential",
        "own words",
    ),
    Broken(
        "words of choices used again after a while",
        "fdpedu.mechanisms.weights.Weights.choose",
        "words, cell = source.words(n),",
        "words, cell = np.resize(source.words(min(n, 3000)), n),",
        "Choices that are far enough apart may be alike.",
        "thm-exponential",
        "long draws",
    ),
    Broken(
        "a sensitivity of utilities of two at most",
        "fdpedu.mechanisms.weights.Weights.__init__",
        "unit.rate / delta /",
        "unit.rate / min(delta, 2) /",
        "A record is added or replaced, so no utility changes by more than two.",
        "thm-exponential",
        "sensitivity",
    ),
    Broken(
        "utilities below 0 count as 0",
        "fdpedu.mechanisms.utilities.Utilities.__init__",
        "self.values = _read(utilities)",
        "self.values = _read([max(u, 0) for u in utilities] if isinstance(utilities, list) else utilities)",
        "Utilities are counts, so none is below 0.",
        "thm-exponential",
        "same noise",
    ),
)
