"""A block of three splits costs one ε, and is drawn as it is said to be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement, product

from fdpedu.bounds import Block, block_pmf, half_gini_score, private_block
from fdpedu.claims.bounds.choosing import Record, columns
from fdpedu.claims.checking import require
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.claims.replay import enumerate_law
from fdpedu.exact import Rate
from fdpedu.mechanisms.blocks import root_law
from fdpedu.randomness import ReplayedWords

HALF = Fraction(1, 2)


def loss(rows: Sequence[Record], block: Block, score: str, lattice: int) -> int:
    """What a block leaves: each record goes its way to a leaf; each side of the root is rounded down."""
    leaves: dict[bool, dict[bool, list[int]]] = {side: {True: [], False: []} for side in (True, False)}
    for *codes, c in rows:
        at_root = codes[block.root[0]] <= block.root[1]
        feature, border = block.left if at_root else block.right
        leaves[at_root][codes[feature] <= border].append(c)

    def of(labels: list[int]) -> Fraction:
        counts = list(Counter(labels).values())
        if score == "gini":
            return half_gini_score(counts or [0])
        return Fraction(sum(counts) - max(counts, default=0))

    return sum(int(lattice * sum(map(of, side.values()), Fraction(0))) for side in leaves.values())


def stated_law(rows: Sequence[Record], sizes: list[int], classes: int, score: str, lattice: int) -> None:
    """The law is α^loss over its sum, for every block, with the loss computed record by record; α = 1/3."""
    codes, labels = columns(rows)
    found = block_pmf(codes, labels, sizes, alpha="1/3", n_classes=classes, score=score, lattice=lattice)
    splits = [(j, border) for j, size in enumerate(sizes) for border in range(size - 1)]
    weights = {
        T: Fraction(1, 3 ** loss(rows, T, score, lattice)) for T in (Block(*t) for t in product(splits, repeat=3))
    }
    total = sum(weights.values())
    wrong = [T for T, weight in weights.items() if found.get(T) != weight / total]
    require(not wrong and len(found) == len(weights), f"{len(wrong)} blocks have another probability, as {wrong[:1]}")


def one_epsilon(
    rows: Sequence[Record], record: Record, sizes: list[int], classes: int, score: str, lattice: int
) -> None:
    """For neighbours the laws differ by a factor of at most e^ε = α^{−m}, and the loss rises by 0 to m."""
    laws = [
        block_pmf(*columns(data), sizes, alpha=HALF, n_classes=classes, score=score, lattice=lattice)
        for data in (rows, [*rows, record])
    ]
    ratios = [laws[0][T] / laws[1][T] for T in laws[0]]
    most = max(max(ratios), 1 / min(ratios))
    require(most <= 2**lattice, f"a block is {most} times as likely, e^ε is {2**lattice}")
    rises = {loss([*rows, record], T, score, lattice) - loss(rows, T, score, lattice) for T in laws[0]}
    require(min(rises) >= 0 and max(rises) <= lattice, f"losses rise by {sorted(rises)}")


def root(rows: Sequence[Record], sizes: list[int], classes: int, score: str, lattice: int) -> None:
    """The law from which the root is drawn encloses the root's share of all blocks; for α = 1/2 and e^{−1/m}.

    With α = 1/2 the probabilities are those of the law of blocks; e^{−1/m} is between 2/5 and 1, and has only to be
    enclosed as closely as bits are asked for.
    """
    stated = block_pmf(*columns(rows), sizes, alpha=HALF, n_classes=classes, score=score, lattice=lattice)
    splits = [(j, border) for j, size in enumerate(sizes) for border in range(size - 1)]
    sides = [[[_side_loss(rows, r, t, s, score, lattice) for t in splits] for s in (True, False)] for r in splits]
    losses = [(left, right) for left, right in sides]
    for rate in (Rate.of(alpha=HALF), Rate.of(epsilon=1, sensitivity=lattice)):
        law = root_law(losses, rate)
        for bits in (4, 70):
            below, above = law.bounds(len(splits), bits)
            require(
                all(0 <= b - a <= 2 for a, b in zip(below, above, strict=True)), f"{below} and {above} are not close"
            )
            for k in range(len(splits)) if rate.alpha else ():
                exact = 2**bits * sum(mass for T, mass in stated.items() if T.root in splits[: k + 1])
                require(below[k] <= exact <= above[k], f"up to {splits[k]} it is {exact}, not in {below[k]}…{above[k]}")


def _side_loss(
    rows: Sequence[Record], at: tuple[int, int], split: tuple[int, int], left: bool, score: str, m: int
) -> int:
    """What a split leaves of the rows on one side of another."""
    return loss([row for row in rows if (row[at[0]] <= at[1]) == left], Block(at, split, split), score, m)


def drawn(rows: Sequence[Record], sizes: list[int], classes: int, score: str, lattice: int, words: int) -> None:
    """Played over all tapes of so many 3-bit words the sampler has the stated law, but for tapes without an answer."""
    codes, labels = columns(rows)

    def sampler(source: ReplayedWords) -> Block:
        return private_block(
            codes, labels, sizes, rng=source, alpha=HALF, n_classes=classes, score=score, lattice=lattice
        )

    found, rest = enumerate_law(sampler, 3, words)
    stated = block_pmf(codes, labels, sizes, alpha=HALF, n_classes=classes, score=score, lattice=lattice)
    require(rest < Fraction(3, 4), f"{float(rest):.0%} of the tapes have no answer")
    for block, mass in stated.items():
        got = found.get(block, Fraction(0))
        require(got <= mass <= got + rest, f"{block} has probability {mass}, drawn {got} and at most {rest} more")


def small(most: int) -> Iterator[tuple[list[Record], Record, list[int], int, str, int]]:
    """Two features of two bins, two classes: all data of at most so many rows with every record; and one of three bins.

    The score is the errors, or the report's Gini in steps of 1/2.
    """
    for sizes, classes, fewer in (([2, 2], 2, 0), ([3], 3, 1)):
        universe = list(product(*map(range, sizes), range(classes)))
        for n in range(most - fewer + 1):
            for rows, record in product(combinations_with_replacement(universe, n), universe):
                for score, lattice in (("errors", 1), ("gini", 2)):
                    yield list(rows), record, sizes, classes, score, lattice


def few(_: int) -> Iterator[tuple[list[Record], list[int], int, str, int]]:
    """Rows of two features, of unequal sizes, and of three classes, under each score."""
    data: list[tuple[list[Record], list[int], int]] = [
        ([], [2, 2], 2),
        ([(0, 0, 0), (0, 1, 1), (1, 0, 1), (1, 1, 0)] * 2, [2, 2], 2),
        ([(0, 2, 0), (0, 1, 1), (1, 0, 2), (1, 2, 2), (1, 1, 0)], [2, 3], 3),
        ([(0, 0, 1), (1, 0, 1), (1, 2, 0), (1, 2, 0), (0, 2, 0), (0, 1, 1), (0, 2, 1)], [2, 3], 2),
    ]
    for rows, sizes, classes in data:
        for score, lattice in (("errors", 1), ("errors", 2), ("gini", 1), ("gini", 5)):
            yield rows, sizes, classes, score, lattice


def tapes(words: int) -> Iterator[tuple[list[Record], list[int], int, str, int, int]]:
    """Four rows whose two features matter together, and rows of which a side of the root is easier than the other."""
    exclusive: list[Record] = [(0, 0, 0), (0, 1, 1), (1, 0, 1), (1, 1, 0)]
    uneven: list[Record] = [(0, 0, 1), (0, 0, 1), (0, 1, 1), (1, 0, 0), (1, 1, 1), (1, 1, 2)]
    yield exclusive, [2, 2], 2, "errors", 1, words
    yield uneven, [2, 2], 3, "gini", 2, words


CLAIMS = (
    Claim(
        "thm-block",
        status="proved+checked",
        code=(
            "fdpedu.bounds.blocks.block_pmf",
            "fdpedu.bounds.blocks.private_block",
            "fdpedu.mechanisms.blocks",
            "fdpedu.mechanisms.blocks.draw_block",
            "fdpedu.federation.queries.choices.ChosenBlock",
        ),
        checks=(
            Check(
                "neighbours",
                "exhaustive",
                "four cells or three, two classes: all data of at most {size} records, every record added, two scores",
                one_epsilon,
                small,
                2,
                3,
            ),
            Check(
                "law",
                "exact",
                "three classes, unequal features, two scores on lattices: the law, from losses record by record",
                stated_law,
                few,
            ),
            Check(
                "root",
                "exact",
                "the same data: the enclosures from which the root is drawn hold its share of all blocks",
                root,
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
            "a trusted aggregator sees all rows; the outsider sees the block",
            "integers; bins, classes, scores, ε and m are public; running time is not covered",
        ),
        uses=("thm-concave-scores", "thm-exponential-monotone", "thm-alias-table"),
    ),
)

TWINS = (
    Broken(
        "the root by its best block",
        "fdpedu.mechanisms.blocks.root_law",
        "* z_left * z_right",
        "* 1",
        "A root split is as good as the best block that begins with it.",
        "thm-block",
        "root",
    ),
    Broken(
        "both sides like the left one",
        "fdpedu.mechanisms.blocks.draw_block",
        "for side in found[root]",
        "for side in found[root][:1] * 2",
        "After the root its sides are alike, so one list of losses serves both.",
        "thm-block",
        "tapes",
    ),
    Broken(
        "losses rounded at each leaf of a coarser lattice",
        "fdpedu.cart.losses._in_steps",
        "* lattice // (c * twice)",
        "// (c * twice) * lattice",
        "Rounding before or after the factor is the same.",
        "thm-block",
        "law",
    ),
)
