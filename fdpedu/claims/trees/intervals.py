"""Intervals for the counts of a tree, by the sum of the distribution of all parties' shares."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache, reduce
from itertools import product
from typing import Any

from fdpedu.cart import Node
from fdpedu.claims.checking import require
from fdpedu.claims.federations import LARGER, Case
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.claims.trees.pruning import grown
from fdpedu.domain import Domain, Numeric
from fdpedu.exact import Enclosure, Rate
from fdpedu.federation import ClassCounts
from fdpedu.sampling.polya_weights import NegativeBinomialWeights
from fdpedu.trees import DESIGNS, Design, LeafRelease, Tree, count_intervals, share_intervals

EIGHT = Domain([Numeric.grid("x", 0, 8, bins=8)], ("a", "b", "c"))
_SCALE = 2**80


@lru_cache(maxsize=64)
def noise_below(epsilon: Fraction, n_parties: int, n_noise_shares: int) -> tuple[int, ...]:
    """Lower bounds of 2^80·Pr[noise = k], k = −T, …, T, of a released cell: share by share, as the parties add them.

    A share is the difference of two negative binomial numbers, whose weights are those that the sampler reads.
    """
    weights = NegativeBinomialWeights(Rate(rate=epsilon), n_noise_shares)
    reach = int(36 / epsilon) + 8
    found = [weights.enclosure(k, 30) for k in range(reach)]
    rest = found[-1].upper / (1 - Rate(rate=epsilon).power(1).upper)  # weights fall by α or faster
    whole = sum(weight.upper for weight in found) + rest
    one = [int(weight.lower / whole * _SCALE) for weight in found]
    share = _together(one, one[::-1])
    return tuple(_cut(reduce(_together, [share] * n_parties)))


def _together(a: Sequence[int], b: Sequence[int]) -> list[int]:
    """The law of a sum, rounded down."""
    sums = [0] * (len(a) + len(b) - 1)
    for i, x in enumerate(a):
        if x:
            for j, y in enumerate(b):
                sums[i + j] += x * y
    return _cut([mass // _SCALE for mass in sums])


def _cut(law: Sequence[int]) -> list[int]:
    """The same without what is 0 on both ends."""
    ends = next((i for i, mass in enumerate(law) if mass), 0)
    return list(law[ends : len(law) - ends])


def covering(
    epsilons: tuple[Fraction, ...], n_parties: int, tolerate: int, confidence: Fraction, true: int, simultaneous: int
) -> None:
    """Over the whole law of the noise, intervals cover the true count with the confidence; one row shorter, they miss.

    The leaf is merged from as many leaves as there are ε. The probability that its interval does not cover is at most
    (1 − confidence)/simultaneous, and of ± (t − 1) it is more. Each end is an integer of at least 0.
    """
    law = _law(epsilons, n_parties, n_parties - tolerate)
    middle, miss = len(law) // 2, (1 - confidence) / simultaneous
    tree, covered, narrower = _merged(epsilons, n_parties, tolerate), 0, 0
    for at, mass in enumerate(law):
        noise = at - middle
        interval = count_intervals(_with(tree, true + noise), confidence, simultaneous=simultaneous)[1]
        low, high, t = interval.low, interval.high, interval.half_width
        require(type(low) is int and type(high) is int and 0 <= low <= high, f"an interval from {low} to {high}")
        require(interval.label == "b" and interval.released == true + noise, f"it is of {interval.released}")
        require(low == max(0, true + noise - t) and high == max(0, true + noise + t), f"it is from {low} to {high}")
        covered += mass if low <= true <= high else 0
        narrower += mass if abs(noise) < t else 0
    lost = sum(law)
    require(covered >= (1 - miss) * _SCALE - (_SCALE - lost), f"covered is {covered / _SCALE:.6f}, asked {1 - miss}")
    require(narrower < (1 - miss) * _SCALE, f"± (t − 1) covers {narrower / _SCALE:.6f}: the interval is too long")
    within = interval.coverage
    require(within.lower >= 1 - miss, f"its coverage is given as {within}")
    inside = sum(mass for at, mass in enumerate(law) if abs(at - middle) <= interval.half_width)
    stated = Enclosure(Fraction(inside, _SCALE), Fraction(inside + _SCALE - lost, _SCALE))
    require(within.lower <= stated.upper and stated.lower <= within.upper, f"given is {within}, the law says {stated}")


@lru_cache(maxsize=64)
def _law(epsilons: tuple[Fraction, ...], n_parties: int, n_noise_shares: int) -> list[int]:
    return reduce(_together, [list(noise_below(epsilon, n_parties, n_noise_shares)) for epsilon in epsilons])


def _merged(epsilons: Sequence[Fraction], n_parties: int, tolerate: int) -> Tree:
    """A tree that is one leaf, merged from as many leaves, each of one bin (the last one of all that are left)."""
    everything, releases = EIGHT.everything, list[LeafRelease]()
    for i, epsilon in enumerate(epsilons):
        codes = range(i, i + 1) if i < len(epsilons) - 1 else range(i, 8)
        releases.append(LeafRelease(everything.restrict(0, codes), (5, 0, -2), epsilon))
    accounting: Any = None  # no interval asks for it
    return Tree(
        Node((5, 0, 0)),
        EIGHT.classes,
        ("x",),
        EIGHT,
        derivation=accounting,
        design=Design(prune=True),
        leaf_releases=tuple(releases),
        n_parties=n_parties,
        tolerate=tolerate,
    )


def _with(tree: Tree, second: int) -> Tree:
    """The tree whose releases of the second class add up to so many."""
    last = replace(tree.leaf_releases[-1], counts=(5, second, -2))
    return replace(tree, leaf_releases=(*tree.leaf_releases[:-1], last))


def kept(case: Case, budget: Fraction, depth: int, tolerate: int, seed: int, design: str) -> None:
    """A tree keeps of each leaf what was released for it, and from whom; intervals are made of nothing else.

    Of a pruned tree the intervals have the sums of the releases in each leaf.
    """
    c = min(tolerate, len(case[1]) - 1)
    tree, answered, _ = grown(case, budget, seed, DESIGNS[design], c, max_depth=depth, min_samples_split=2)
    fresh = [
        LeafRelease(query.region, tuple(answer.tolist()), query.cost)
        for query, answer in answered
        if isinstance(query, ClassCounts)
    ]
    require(set(tree.leaf_releases) == set(fresh) and len(fresh) == len(tree.leaves()), "other counts were released")
    require((tree.n_parties, tree.tolerate) == (len(case[1]), c), "the tree names other parties")
    for grown_tree in (tree, tree.pruned(), Tree.from_json(tree.pruned().to_json())):
        intervals = count_intervals(grown_tree)
        places = [(at, label) for at in range(len(grown_tree.leaves())) for label in tree.classes]
        require([(i.leaf, i.label) for i in intervals] == places, "an interval is missing, or in another place")
        total = sum(sum(release.counts) for release in fresh)
        require(sum(i.released for i in intervals) == total, "the released counts of all leaves do not add up")


def shares(counts: tuple[int, ...], true: tuple[int, ...]) -> None:
    """If the counts' intervals all hold, so do those of the shares; and each end is reached by some such counts."""
    tree = _merged((Fraction(1),), 2, 0)
    tree = replace(tree, leaf_releases=(replace(tree.leaf_releases[0], counts=counts),))
    of_counts, of_shares = count_intervals(tree, simultaneous=3), share_intervals(tree)
    require(len(of_shares) == 3, f"there are {len(of_shares)} shares")
    if not all(i.low <= n <= i.high for i, n in zip(of_counts, true, strict=True)) or not sum(true):
        return
    for n, interval, share in zip(true, of_counts, of_shares, strict=True):
        require(share.low <= Fraction(n, sum(true)) <= share.high, f"the share {n}/{sum(true)} is not in {share}")
        others = [i for i in of_counts if i is not interval]
        ends = (interval.low, sum(i.high for i in others)), (interval.high, sum(i.low for i in others))
        for (own, rest), end in zip(ends, (share.low, share.high), strict=True):
            require(not own + rest or end == Fraction(own, own + rest), f"no counts have the share {end}")


ONE, HALF = Fraction(1), Fraction(1, 2)
COVERED = (  # of each release its ε; parties, tolerate, confidence, true count, how many intervals at once
    ((ONE,), 2, 0, Fraction(19, 20), 0, 1),
    ((2 * ONE,), 5, 2, Fraction(19, 20), 4, 3),
    ((ONE,), 3, 1, Fraction(99, 100), 1, 2),
    ((ONE, ONE), 2, 1, Fraction(19, 20), 7, 1),
    ((HALF, ONE, HALF), 5, 1, Fraction(9, 10), 3, 4),
    ((Fraction(1, 5), ONE), 3, 2, Fraction(19, 20), 2, 1),
)
SHARES = tuple(
    product(((0, 0, 0), (9, 1, -3), (4, 4, 4), (-20, 3, 0)), ((0, 0, 0), (9, 2, 0), (4, 3, 2), (0, 0, 4), (0, 5, 0)))
)

CLAIMS = (
    Claim(
        "thm-count-interval",
        status="proved+checked",
        code=(
            "fdpedu.trees.intervals",
            "fdpedu.trees.intervals.count_intervals",
            "fdpedu.trees.intervals.share_intervals",
            "fdpedu.trees.nominal",
            "fdpedu.trees.noise_law",
            "fdpedu.trees.noise_law.reach",
        ),
        checks=(
            Check(
                "covering",
                "exact",
                "six leaves, one to three releases, 2 to 5 parties: the distribution, convolved from their shares",
                covering,
                lambda _: COVERED,
                more=[
                    (*of, *how)
                    for of, how in product(
                        (
                            ((Fraction(3, 2),), 4, 3),
                            ((Fraction(1), Fraction(3)), 2, 1),
                            ((Fraction(1, 3),), 2, 0),
                            ((Fraction(1),) * 4, 3, 2),
                        ),
                        ((Fraction(19, 20), 0, 1), (Fraction(4, 5), 9, 3)),
                    )
                ],
            ),
            Check(
                "kept",
                "property",
                "{size} random federations, depths and designs: what was released of each leaf, also of merged ones",
                kept,
                lambda draw: draw.growths(),
                15,
                500,
                more=[
                    (LARGER, Fraction(2), 3, 1, seed, design)
                    for seed in range(3)
                    for design in ("default", "algorithm-5-clipped")
                ],
            ),
            Check(
                "shares",
                "exhaustive",
                "twenty pairs of released and true counts of three classes: shares between their ends, ends reached",
                shares,
                lambda _: SHARES,
                more=[
                    *product(((0, 0, 0), (30, 20, -10), (7, -4, 12)), ((0, 0, 0), (28, 22, 0), (6, 0, 13), (0, 3, 0)))
                ],
            ),
        ),
        assumptions=(
            "integers; the distribution is enclosed, so an interval is never too short",
            "of the training rows, not of the population",
            "which nodes a pruned tree shows depends on the same noise: for these, take J = all nodes times classes",
            "at rates below about 1/2000 the interval comes from Chernoff's bound and is longer",
        ),
        uses=("thm-polya-shares", "lem-count-interval"),
    ),
)

TWINS = (
    Broken(
        "the noise of the shares that are needed",
        "fdpedu.trees.tree.Tree.noise_shares",
        "self.n_parties, count_noise_shares(self.n_parties, self.tolerate)",
        "1, 1",
        "All shares together are a discrete Laplace number.",
        "thm-count-interval",
        "covering",
    ),
    Broken(
        "the noise of one party, in an interval",
        "fdpedu.trees.tree.Tree.noise_shares",
        "self.n_parties, count_noise_shares(self.n_parties, self.tolerate)",
        "1, count_noise_shares(self.n_parties, self.tolerate)",
        "The noise of a count is what one party adds to it.",
        "thm-count-interval",
        "covering",
    ),
    Broken(
        "one noise in a merged leaf",
        "fdpedu.trees.noise_law.shapes_of",
        "n * shares",
        "shares",
        "A leaf has one count, so it has one noise.",
        "thm-count-interval",
        "covering",
    ),
    Broken(
        "both tails for the price of one",
        "fdpedu.trees.noise_law.reach",
        "(1 - miss) * unit",
        "(1 - 2 * miss) * unit",
        "Five per cent of the noise lie beyond the end of a 95 % interval.",
        "thm-count-interval",
        "covering",
    ),
    Broken(
        "several intervals, each by itself",
        "fdpedu.trees.count_interval.intervals_of",
        '(1 - level) / as_integer(simultaneous, "simultaneous", minimum=1)',
        "1 - level",
        "If each interval holds with 95 %, so do all of them.",
        "thm-count-interval",
        "covering",
    ),
    Broken(
        "negative counts cut off before",
        "fdpedu.trees.count_growth.CountGrowth.read",
        "tuple(answer.tolist())",
        "tuple(np.maximum(answer, 0).tolist())",
        "A negative count is an error in any case, so nobody needs to keep it.",
        "thm-count-interval",
        "kept",
    ),
    Broken(
        "shares of the ends",
        "fdpedu.trees.intervals.share_intervals",
        "c.low + high - c.high, c.high + low - c.low",
        "low, high",
        "The least share is the least count by the least total.",
        "thm-count-interval",
        "shares",
    ),
)
