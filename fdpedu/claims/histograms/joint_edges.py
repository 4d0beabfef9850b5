"""The joint exponential mechanism for quantiles: sensitivity, distribution, sampler, ranks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import accumulate, combinations, pairwise, product
from typing import Any

from fdpedu.claims.checking import require
from fdpedu.claims.mutation import Broken
from fdpedu.claims.noisy_counts import all_tables
from fdpedu.claims.records import Check, Claim
from fdpedu.claims.replay import bounds, enumerate_law, intersects
from fdpedu.exact import Enclosure, Rate, exp_enclosure
from fdpedu.histograms import joint_sensitivity, joint_utility, trusted_joint_quantiles, trusted_joint_quantiles_pmf
from fdpedu.mechanisms import exponential_pmf
from fdpedu.mechanisms.chain import Chain

Cells = tuple[int, ...]
ALPHAS = (Fraction(1, 2), Fraction(9, 10))


def by_definition(cells: Sequence[int], places: Sequence[int]) -> Fraction:
    """b·(minus the sum of |n_i − n/b|), in fractions."""
    ends, bins = [0, *places, len(cells)], len(places) + 1
    share = Fraction(sum(cells), bins)
    return -bins * sum((abs(sum(cells[a:b]) - share) for a, b in pairwise(ends)), Fraction(0))


def sensitivity(cells: int, bins: int, most: int) -> None:
    """Over all counts, records and edges, the utility moves by 2(b − 1) at most, and somewhere by as much."""
    largest = 0
    for table, places in product(all_tables(cells, most), combinations(range(1, cells), bins - 1)):
        before = joint_utility(table, places)
        require(before == by_definition(table, places), f"{table} cut at {places} has the utility {before}")
        for record in range(cells):
            after = joint_utility(_with(table, record), places)
            largest = max(largest, abs(after - before))
    stated = joint_sensitivity(bins)
    require(largest <= stated, f"a record moves the utility by {largest}, more than {stated}")
    require(largest == stated, f"no record moves the utility by {stated}, the most is {largest}")


def private(cells: Cells, record: int, bins: int, alpha: Fraction) -> None:
    """One record more, in any cell: no choice becomes more than e^ε = α^(−4(b−1)) times as likely, or less."""
    p, q = (_exact(counts, bins, alpha) for counts in (cells, _with(cells, record)))
    require(sum(p.values()) == sum(q.values()) == 1, "the probabilities do not add up to 1")
    worst = max(max(p[places] / q[places], q[places] / p[places]) for places in p)
    limit = alpha ** (-4 * (bins - 1))
    require(worst <= limit, f"a choice is {worst} times as likely; e^ε is {limit}")


def base(cells: Cells, bins: int, epsilon: Fraction) -> None:
    """With ε given, a choice has the weight e^(ε·utility/(4(b − 1))), and the probabilities are these, normed."""
    stated = trusted_joint_quantiles_pmf(cells, bins, epsilon)
    choices = list(combinations(range(1, len(cells)), bins - 1))
    require(list(stated) == choices, f"the choices are {list(stated)}")
    weights = [exp_enclosure(epsilon * by_definition(cells, places) / (4 * (bins - 1))) for places in choices]
    total = Enclosure.sum(weights)
    for places, weight in zip(choices, weights, strict=True):
        require(intersects(stated[places], weight / total), f"{places} has {stated[places]}, not {weight / total}")


def sampled(cells: Cells, bins: int, epsilon: Fraction, words: int) -> None:
    """Played over all tapes of 4-bit words, the sampler has the stated law; at most a quarter is undecided."""
    edges = [10 * k for k in range(len(cells) + 1)]
    decided, undecided = enumerate_law(
        lambda tape: trusted_joint_quantiles(cells, edges, bins, epsilon, tape), 4, words
    )
    require(undecided <= Fraction(1, 4), f"a share of {undecided} is undecided")
    law = trusted_joint_quantiles_pmf(cells, bins, epsilon)
    stated = {(0.0, *(10.0 * k for k in places), 10.0 * len(cells)): mass for places, mass in law.items()}
    require(set(decided) <= set(stated), f"it draws {sorted(set(decided) - set(stated))}")
    for places, mass in decided.items():
        low, high = bounds(stated[places])
        message = (
            f"Pr[{places}] lies between {float(mass):.6f} and {float(mass + undecided):.6f}, not at {float(high):.6f}"
        )
        require(mass <= high and low <= mass + undecided, message)


def chained(cells: Cells, bins: int, rate: Rate, bits: int) -> None:
    """The chain's probabilities, multiplied along the edges, are those of the list of all choices."""
    chain = Chain(cells, bins, rate)
    given: dict[str, Any] = {"alpha": rate.alpha} if rate.rate is None else {"epsilon": rate.rate * 4 * (bins - 1)}
    choices = list(combinations(range(1, len(cells)), bins - 1))
    if rate.rate is not None:
        given["sensitivity"] = 2 * (bins - 1)
    law = exponential_pmf([int(by_definition(cells, places)) for places in choices], **given)
    for places, stated in zip(choices, law, strict=True):
        low, high = Fraction(1), Fraction(1)
        for left, (k, after) in zip(range(bins, 1, -1), pairwise((0, *places)), strict=True):
            step = chain.law(left, k)
            lower, upper = step.bounds(step.terms, bits)
            at = next(t for t in range(step.terms) if step.value(t) == after)
            before = (lower[at - 1], upper[at - 1]) if at else (0, 0)
            low *= Fraction(max(0, lower[at] - before[1]), 2**bits)
            high *= Fraction(upper[at] - before[0], 2**bits)
        least, most = bounds(stated)
        require(low <= most and least <= high, f"{places} has {float(low)} to {float(high)}, not {float(most)}")
        require(high - low <= Fraction(4 * bins, 2**bits), f"{places} is known to within {float(high - low)} only")


def ranks(cells: Cells, bins: int, alpha: Fraction, beta: Fraction) -> None:
    """But for β, every edge's rank misses its share by at most (U + t)/(2b), U the least Σ|b·n_i − n|, α^t·C = β."""
    law, prefix = _exact(cells, bins, alpha), list(accumulate(cells, initial=0))
    least, total = min(-joint_utility(cells, places) for places in law), prefix[-1]
    failed = Fraction(0)
    for places, mass in law.items():
        worst = max(abs(bins * prefix[k] - i * total) for i, k in enumerate(places, 1))  # b times the miss in records
        beyond = 2 * worst - least
        failed += mass if beyond > 0 and alpha**beyond * len(law) < beta else 0
    require(failed <= beta, f"some edge misses by more with probability {float(failed):.4f}, above {beta}")


def _exact(cells: Cells, bins: int, alpha: Fraction) -> dict[tuple[int, ...], Fraction]:
    return {places: bounds(p)[0] for places, p in trusted_joint_quantiles_pmf(cells, bins, alpha=alpha).items()}


def _with(cells: Cells, record: int) -> Cells:
    return tuple(count + (i == record) for i, count in enumerate(cells))


def sizes(most: int) -> Iterator[tuple[int, int, int]]:
    """Two to four fine bins, every number of coarse bins, counts up to ``most``."""
    return ((cells, bins, most) for cells in (2, 3, 4) for bins in range(2, cells + 1))


def small_tables(most: int) -> Iterator[tuple[Cells, int]]:
    """All counts up to ``most`` of two to four fine bins, every number of coarse bins."""
    for cells, bins, highest in sizes(most):
        yield from product(all_tables(cells, highest), (bins,))


def neighbours(most: int) -> Iterator[tuple[Cells, int, int, Fraction]]:
    """The same, with every record to add and two α."""
    for table, bins in small_tables(most):
        for record, alpha in product(range(len(table)), ALPHAS):
            yield table, record, bins, alpha


def bases(most: int) -> Iterator[tuple[Cells, int, Fraction]]:
    """Counts up to ``most`` of two to four fine bins, two ε."""
    return ((*case, epsilon) for case in small_tables(most) for epsilon in (Fraction(1, 3), Fraction(4)))


def tapes(words: int) -> Iterator[tuple[Cells, int, Fraction, int]]:
    """Two to four coarse bins of three to five fine ones; records in the middle, at an end, nowhere; three ε."""
    cases: list[tuple[Cells, int]] = [((0, 2, 1), 2), ((3, 0, 0), 2), ((1, 0, 2, 1), 3), ((0, 0, 0, 0), 3)]
    for (cells, bins), epsilon in product([*cases, ((2, 1, 0), 3)], (Fraction(1, 2), Fraction(3))):
        yield cells, bins, epsilon, words + bins - 2
    yield (1, 1, 0, 2, 1), 4, Fraction(6), words + 1


def chains(bits: int) -> Iterator[tuple[Cells, int, Rate, int]]:
    """Small grids and larger ones, few records and 10¹², rates that leave one choice or all, α rational or not."""
    tables: list[Cells] = [(1, 0, 2), (0, 3, 1, 0, 2), (5, 5, 5, 5, 5, 5), (0, 0, 0, 0), (9, 0, 0, 0, 0, 0, 7)]
    rates = [Rate(alpha=Fraction(1, 2)), *(Rate(rate=Fraction(1, n)) for n in (1, 30, 10**9, 10**400))]
    for cells, rate in product(tables, rates):
        yield from ((cells, bins, rate, bits) for bins in range(2, len(cells) + 1))
    yield (10**11, 3 * 10**11, 6 * 10**11, 5), 3, Rate(rate=Fraction(1, 10**11)), bits
    yield (40, 70, 20, 90, 10), 3, Rate(rate=Fraction(3)), bits


def rank_cases(most: int) -> Iterator[tuple[Cells, int, Fraction, Fraction]]:
    """Counts up to ``most``, two α, three β."""
    betas = (Fraction(1, 2), Fraction(1, 10), Fraction(1, 100))
    return ((*case, alpha, beta) for case in small_tables(most) for alpha in ALPHAS for beta in betas)


TRUSTED = "whoever draws sees the exact counts: a trusted aggregator, or one party with its own rows"

CLAIMS = (
    Claim(
        "lem-joint-quantile-sensitivity",
        status="proved+checked",
        code=(
            "fdpedu.mechanisms.chain",
            "fdpedu.histograms.joint",
            "fdpedu.mechanisms.chain.joint_sensitivity",
            "fdpedu.histograms.joint.joint_utility",
        ),
        checks=(
            Check(
                "moves",
                "exhaustive",
                "two to four fine bins, counts up to {size}, all edges and records: the largest move",
                sensitivity,
                sizes,
                3,
                5,
                more=[(5, bins, 2 if bins < 5 else 3) for bins in (2, 3, 4, 5)],
            ),
        ),
        assumptions=("neighbours: one record added or removed",),
    ),
    Claim(
        "thm-joint-quantiles",
        status="proved+checked",
        code=(
            "fdpedu.mechanisms.chain",
            "fdpedu.histograms.joint",
            "fdpedu.histograms.joint.trusted_joint_quantiles",
            "fdpedu.histograms.joint.trusted_joint_quantiles_pmf",
            "fdpedu.federation.queries.edges.JointEdges",
        ),
        checks=(
            Check(
                "inequality",
                "exhaustive",
                "two to four fine bins, counts up to {size}, all neighbours, two α: the worst ratio of the exact "
                "distributions",
                private,
                neighbours,
                2,
                3,
                more=[
                    ((0, 3, 1, 2), 2, 3, Fraction(3, 4)),
                    ((4, 0, 0, 1, 2), 4, 4, Fraction(3, 4)),
                    ((1, 5), 0, 2, Fraction(3, 4)),
                ],
            ),
            Check(
                "weights",
                "exhaustive",
                "counts up to {size}, two ε: probabilities are the stated weights, normed",
                base,
                bases,
                1,
                3,
                more=[((3, 0, 2, 7), 3, Fraction(2, 7))],
            ),
            Check(
                "replayed law",
                "exact",
                "all tapes of {size} words of 4 bits and of more for more edges: the shipped sampler has the stated "
                "distribution, but for the tapes on which nothing is decided yet",
                sampled,
                tapes,
                2,
                3,
                more=[
                    ((1, 0, 1, 3), 4, Fraction(2), 3),
                    ((0, 4, 1), 2, Fraction(3), 3),
                    ((0, 1, 2, 0), 3, Fraction(3), 3),
                ],
            ),
            Check(
                "chain",
                "exact",
                "few and 10¹² records, up to 7 fine bins, ε from 10⁻⁴⁰⁰ on: the chain's probabilities to {size} bits",
                chained,
                chains,
                64,
                256,
                more=[
                    ((3, 0, 2, 7), 3, Rate(rate=Fraction(2, 7)), 80),
                    ((0, 0, 5, 1, 1), 5, Rate(rate=Fraction(9)), 80),
                    ((2, 6, 0), 2, Rate(rate=Fraction(1, 50)), 80),
                ],
            ),
            Check(
                "ranks",
                "exhaustive",
                "counts up to {size}, two α, three β: the probability that an edge is further off than stated",
                ranks,
                rank_cases,
                2,
                3,
                more=[((3, 0, 2, 7, 1), 3, Fraction(2, 3), Fraction(1, 20))],
            ),
        ),
        assumptions=("neighbours: one record added or removed", "exact draws, of integers", TRUSTED),
        uses=("lem-joint-quantile-sensitivity", "thm-exponential"),
    ),
)

TWINS = (
    Broken(
        "the sensitivity of a count",
        "fdpedu.mechanisms.chain.joint_sensitivity",
        '2 * (as_integer(bins, "bins", minimum=2) - 1)',
        'as_integer(bins, "bins", minimum=2)',
        "A record is in one bin, so one term of the sum moves, by b·1.",
        "lem-joint-quantile-sensitivity",
        "moves",
    ),
    Broken(
        "the factor 2 forgotten",
        "fdpedu.histograms.joint.trusted_joint_quantiles",
        "2 * joint_sensitivity(most)",
        "joint_sensitivity(most)",
        "Counts are monotone, so half of the noise is enough.",
        "thm-joint-quantiles",
        "replayed law",
    ),
    Broken(
        "only the first bin counts",
        "fdpedu.histograms.joint.joint_utility",
        "for a, b in pairwise(ends)",
        "for a, b in list(pairwise(ends))[:1]",
        "Where the first share is right, the others follow.",
        "lem-joint-quantile-sensitivity",
        "moves",
    ),
    Broken(
        "intervals closed on the left",
        "fdpedu.mechanisms.chain.Chain._onward",
        "self._prefix[k + 1 : stop] - self._prefix[k]",
        "self._prefix[k : stop - 1] - self._prefix[k]",
        "Whether a bin has its upper edge or its lower one is a matter of taste.",
        "thm-joint-quantiles",
        "chain",
    ),
    Broken(
        "an edge may stand twice",
        "fdpedu.mechanisms.chain.Chain.law",
        "lambda t: k + 1 + t",
        "lambda t: k + t",
        "Two quantiles may well be one number, so the next edge may stand where the last one does.",
        "thm-joint-quantiles",
        "replayed law",
    ),
    Broken(
        "greedy, edge by edge",
        "fdpedu.mechanisms.chain.Chain._tabulated",
        "(sum(low for low, _ in row), sum(high for _, high in row))",
        "(one, one)",
        "Drawing each edge by the weights of its own bin draws all of them by the product of the weights.",
        "thm-joint-quantiles",
        "chain",
    ),
    Broken(
        "squares for absolute values",
        "fdpedu.histograms.joint.joint_utility",
        "abs(bins * sum(cells[a:b]) - total)",
        "(bins * sum(cells[a:b]) - total) ** 2",
        "How a miss is measured is a matter of utility, not of privacy.",
        "thm-joint-quantiles",
        "inequality",
    ),
    Broken(
        "a record changes a count by 1",
        "fdpedu.histograms.joint.trusted_joint_quantiles_pmf",
        "1 if epsilon is None else joint_sensitivity(most)",
        "1",
        "A record changes one count by 1, so the utility has the sensitivity 1.",
        "thm-joint-quantiles",
        "weights",
    ),
)
