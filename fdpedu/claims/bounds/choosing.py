"""One split of all costs one ε, has the stated distribution, and seldom leaves much more than the best."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement, permutations, product
from typing import Any

from fdpedu.bounds import half_gini_score, private_split, split_pmf
from fdpedu.bounds.scored import Split
from fdpedu.claims.checking import require
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.claims.replay import bounds, enumerate_law, intersects
from fdpedu.exact import exp_enclosure
from fdpedu.randomness import ReplayedWords

Record = tuple[int, ...]  # the codes of the features, then the class
HALF, EXPONENTIAL, FLIP = Fraction(1, 2), "exponential", "permute-and-flip"


def columns(rows: Sequence[Record]) -> tuple[list[list[int]], list[int]]:
    """Rows as codes and labels."""
    return [list(row[:-1]) for row in rows], [row[-1] for row in rows]


def loss(rows: Sequence[Record], split: Split, score: str, lattice: int) -> int:
    """What a split leaves, record by record: m times the scores of its two sides, rounded down."""
    feature, border = split
    sides: dict[bool, list[int]] = {True: [], False: []}
    for *codes, c in rows:
        sides[codes[feature] <= border].append(c)
    return int(lattice * sum((_score(list(Counter(side).values()), score) for side in sides.values()), Fraction(0)))


def _score(counts: list[int], score: str) -> Fraction:
    if score == "gini":
        return half_gini_score(counts or [0])
    return Fraction(sum(counts) - max(counts, default=0))


def _splits(sizes: list[int]) -> list[Split]:
    return [(j, border) for j, size in enumerate(sizes) for border in range(size - 1)]


def _by_exponential(weights: list[Any]) -> list[Any]:
    total = sum(weights[1:], weights[0])
    return [weight / total for weight in weights]


def _by_flipping(weights: list[Any]) -> list[Any]:
    """Permute-and-flip by its words: in each order, the first whose coin shows heads; all orders are as likely."""
    law: list[Any] = [Fraction(0)] * len(weights)
    orders = list(permutations(range(len(weights))))
    for order in orders:
        none: Any = Fraction(1, len(orders))
        for r in order:
            law[r] = law[r] + none * weights[r]
            none = none * (1 - weights[r])
    return law


def stated_law(rows: Sequence[Record], sizes: list[int], classes: int, score: str, lattice: int) -> None:
    """Both laws are those of the losses, computed record by record: with α = 1/3, and with ε = 2."""
    splits, (codes, labels) = _splits(sizes), columns(rows)
    losses = [loss(rows, split, score, lattice) for split in splits]
    gaps = [found - min(losses) for found in losses]
    public: dict[str, Any] = {"n_classes": classes, "score": score, "lattice": lattice}
    rules: list[tuple[dict[str, Any], list[Any]]] = [
        ({"alpha": Fraction(1, 3)}, [Fraction(1, 3**gap) for gap in gaps]),
        ({"epsilon": 2}, [exp_enclosure(Fraction(-2 * gap, lattice)) for gap in gaps]),
    ]
    for rule, weights in rules:
        for mechanism, oracle in ((EXPONENTIAL, _by_exponential), (FLIP, _by_flipping)):
            law = split_pmf(codes, labels, sizes, mechanism=mechanism, **rule, **public)
            expected = oracle(list(weights))
            require(list(law) == splits, f"the splits are {splits}, not {list(law)}")
            for split, mass in zip(splits, expected, strict=True):
                wide = max(high - low for low, high in map(bounds, (law[split], mass)))
                require(
                    intersects(law[split], mass) and wide < Fraction(1, 10**20),
                    f"{mechanism}: {split} has probability {law[split]}, not {mass}",
                )


def one_epsilon(
    rows: Sequence[Record],
    record: Record,
    sizes: list[int],
    classes: int,
    score: str,
    lattice: int,
    epsilon: int | None = None,
) -> None:
    """For neighbours the two laws differ by a factor of at most e^ε: of α^{−m} with α = 1/2 unless ε is given."""
    public: dict[str, Any] = {"n_classes": classes, "score": score, "lattice": lattice}
    rule: dict[str, Any] = {"alpha": HALF} if epsilon is None else {"epsilon": epsilon}
    most = Fraction(2) ** lattice if epsilon is None else exp_enclosure(Fraction(epsilon)).upper
    for mechanism in (EXPONENTIAL, FLIP):
        laws = [
            split_pmf(codes, labels, sizes, mechanism=mechanism, **rule, **public)
            for codes, labels in (columns(rows), columns([*rows, record]))
        ]
        for split in laws[0]:
            (low, high), (least, largest) = (bounds(law[split]) for law in laws)
            ratio = max(low / largest, least / high)
            require(
                ratio <= most,
                f"{mechanism}: {split} is {float(ratio):.4f} times as likely, e^ε is {float(most):.4f}",
            )


def tail(rows: Sequence[Record], sizes: list[int], classes: int, score: str, lattice: int) -> None:
    """Pr[L − min L ≥ k] ≤ N·α^k for every k, with both mechanisms and α = 1/2; the flip's mean is not larger."""
    losses = {split: loss(rows, split, score, lattice) for split in _splits(sizes)}
    public: dict[str, Any] = {"n_classes": classes, "score": score, "lattice": lattice, "alpha": HALF}
    gaps = {split: found - min(losses.values()) for split, found in losses.items()}
    means, (codes, labels) = dict[str, Fraction](), columns(rows)
    for mechanism in (EXPONENTIAL, FLIP):
        law = split_pmf(codes, labels, sizes, mechanism=mechanism, **public)
        for k in range(1, max(gaps.values()) + 1):
            beyond = sum(bounds(law[split])[0] for split, gap in gaps.items() if gap >= k)
            require(beyond <= len(law) * HALF**k, f"{mechanism}: {k} more has probability {beyond}")
        means[mechanism] = sum((bounds(law[split])[0] * gap for split, gap in gaps.items()), Fraction(0))
    require(means[FLIP] <= means[EXPONENTIAL], f"mean losses {means}")


def drawn(
    rows: Sequence[Record], sizes: list[int], classes: int, mechanism: str, rule: dict[str, Any], words: int
) -> None:
    """Played over all tapes of so many 3-bit words the sampler has the stated law, but for tapes without an answer."""
    codes, labels = columns(rows)
    public: dict[str, Any] = {"n_classes": classes, "mechanism": mechanism, "score": "gini", **rule}

    def sampler(source: ReplayedWords) -> Split:
        return private_split(codes, labels, sizes, rng=source, **public)

    found, rest = enumerate_law(sampler, 3, words)
    require(rest < HALF, f"{float(rest):.0%} of the tapes have no answer")
    for split, mass in split_pmf(codes, labels, sizes, **public).items():
        got, (low, high) = found.get(split, Fraction(0)), bounds(mass)
        require(
            got <= high and low <= got + rest,
            f"{split} has probability {float(high):.4f}, drawn {float(got):.4f} and at most {float(rest):.4f} more",
        )


def small(most: int) -> Iterator[tuple[list[Record], Record, list[int], int, str, int]]:
    """All data of so many rows at most, with every record: two features of two bins; one of four bins; three features.

    The score is the errors, or the report's Gini in steps of 1/3. Where the grid is larger, rows are fewer.
    """
    for sizes, classes, fewer in (([2, 2], 2, 0), ([4], 3, 1), ([2, 2, 2], 2, 1)):
        universe = list(product(*map(range, sizes), range(classes)))
        for n in range(most - fewer + 1):
            for rows, record in product(combinations_with_replacement(universe, n), universe):
                for score, lattice in (("errors", 1), ("gini", 3)):
                    yield list(rows), record, sizes, classes, score, lattice


def at_epsilon(epsilon: int) -> Iterator[tuple[list[Record], Record, list[int], int, str, int, int]]:
    """Larger data, with every record added, at a given ε."""
    for rows, sizes, classes, score, lattice in few(0):
        if lattice == 5:
            for record in product(*map(range, sizes), range(classes)):
                yield rows, record, sizes, classes, score, lattice, epsilon


def few(_: int) -> Iterator[tuple[list[Record], list[int], int, str, int]]:
    """Rows of up to three features, of unequal sizes, and of two or three classes, under each score; and no rows."""
    last: list[Record] = [(0, 1), (0, 1), (0, 1), (3, 0), (3, 0), (4, 1), (2, 2)]
    data: list[tuple[list[Record], list[int], int]] = [
        ([], [2, 2], 2),
        ([(0, 0, 0), (0, 1, 1), (1, 0, 1), (1, 1, 0)] * 2, [2, 2], 2),
        ([(0, 2, 0), (0, 1, 1), (1, 0, 2), (1, 2, 2), (1, 1, 0)], [2, 3], 3),
        ([(0, 0, 1, 1), (1, 0, 0, 1), (1, 2, 1, 0), (1, 2, 0, 0), (0, 2, 1, 0), (0, 1, 1, 1)], [2, 3, 2], 2),
        ([(0, 2, 1, 0), (0, 1, 0, 1), (1, 0, 1, 2), (1, 2, 1, 2), (1, 1, 0, 0), (0, 2, 0, 0)], [2, 3, 2], 3),
        (last, [5], 3),
    ]
    for rows, sizes, classes in data:
        for score, lattice in (("errors", 1), ("errors", 2), ("gini", 1), ("gini", 5)):
            yield rows, sizes, classes, score, lattice


def tapes(words: int) -> Iterator[tuple[list[Record], list[int], int, str, dict[str, Any], int]]:
    """Rows that the last border of the first feature divides best; both mechanisms, with α and with an ε."""
    rows: list[Record] = [(0, 0, 0), (1, 1, 0), (1, 0, 0), (2, 1, 2), (2, 0, 2), (0, 1, 1)]
    for mechanism in (EXPONENTIAL, FLIP):
        for rule in ({"alpha": HALF}, {"epsilon": 2, "lattice": 3}):
            yield rows, [3, 2], 3, mechanism, rule, words


CLAIMS = (
    Claim(
        "thm-private-split",
        status="proved+checked",
        code=("fdpedu.bounds.choosing.private_split", "fdpedu.bounds.choosing.split_pmf"),
        checks=(
            Check(
                "neighbours",
                "exhaustive",
                "small grids, two or three classes: all data of at most {size} records, every record added",
                one_epsilon,
                small,
                2,
                3,
                more=[case[:-1] for case in at_epsilon(1)],
            ),
            Check(
                "neighbours at ε",
                "exact",
                "larger data on a lattice, every record added, ε = {size}: the distributions, enclosed",
                one_epsilon,
                at_epsilon,
                1,
                2,
            ),
            Check(
                "law",
                "exact",
                "unequal features, two scores on lattices, α and ε: the laws, from losses record by record",
                stated_law,
                few,
            ),
            Check(
                "tail",
                "exact",
                "the same data: the chance of every excess, and the two means",
                tail,
                few,
            ),
            Check(
                "tapes",
                "exact",
                "the sampler played over all tapes of {size} words of 3 bits: the distribution, up to tapes without "
                "an answer",
                drawn,
                tapes,
                3,
                5,
            ),
        ),
        assumptions=(
            "neighbours: one record added or removed",
            "a trusted aggregator sees all rows; the outsider sees the split",
            "integers; bins, classes, score, ε and m are public; running time is not covered",
        ),
        uses=(
            "thm-concave-scores",
            "thm-exponential-monotone",
            "thm-permute-and-flip",
            "lem-permute-and-flip-dominates",
        ),
    ),
)

TWINS = (
    Broken(
        "right less wrong without a two",
        "fdpedu.cart.losses._in_steps",
        "n_left - left.max(axis=-1) + n_right - right.max(axis=-1)",
        "n_left - 2 * left.max(axis=-1) + n_right - 2 * right.max(axis=-1)",
        "A record changes the number of right predictions less the number of wrong ones by 1 as well, so the price is "
        "the same, although some splits gain 1 and others lose 1.",
        "thm-private-split",
        "neighbours",
    ),
    Broken(
        "an ε for each feature",
        "fdpedu.bounds.choosing._rule",
        '"sensitivity": rows.lattice',
        '"sensitivity": f"{rows.lattice}/{len(rows.sizes)}"',
        "Features are different questions, asked side by side, so each of them has the whole budget.",
        "thm-private-split",
        "neighbours at ε",
    ),
    Broken(
        "steps of 1/m at the price of 1",
        "fdpedu.bounds.choosing._rule",
        '"sensitivity": rows.lattice',
        '"sensitivity": 1',
        "The sensitivity of n·G is 1, in whatever unit it is written.",
        "thm-private-split",
        "neighbours at ε",
    ),
    Broken(
        "splits with an empty side are none",
        "fdpedu.cart.losses._in_steps",
        "lattice // (c * twice))",
        "lattice // (c * twice) + 2 * lattice * (n_left + n_right) * (n_left * n_right == 0))",
        "A split that divides nothing is of no use, so it is given a loss beyond all others.",
        "thm-private-split",
        "neighbours",
    ),
    Broken(
        "the field's Gini at the price of the report's",
        "fdpedu.cart.losses._in_steps",
        "b * ((n_left + n_right)",
        "2 * b * ((n_left + n_right)",
        "Gini impurity is Gini impurity.",
        "thm-private-split",
        "neighbours",
    ),
    Broken(
        "every feature like the first",
        "fdpedu.bounds.scored.ScoredRows._lefts",
        "self.codes[rows, j]",
        "self.codes[rows, 0] % self.sizes[j]",
        "The column of a feature is known from the outer loop.",
        "thm-private-split",
        "law",
    ),
    Broken(
        "the splits in another order",
        "fdpedu.bounds.choosing.private_split",
        "rows.splits[draw(",
        "sorted(rows.splits, key=lambda split: split[::-1])[draw(",
        "In which order splits are listed does not matter, if it is always the same.",
        "thm-private-split",
        "tapes",
    ),
)
