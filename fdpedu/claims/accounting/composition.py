"""The two composition rules, on exact distributions, against what the ledger charges."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product

from fdpedu.accounting import Charge, Ledger
from fdpedu.claims.checking import require
from fdpedu.claims.mutation import Broken
from fdpedu.claims.noisy_counts import all_tables, worst_ratio
from fdpedu.claims.records import Check, Claim
from fdpedu.domain import Categorical, Domain, Region
from fdpedu.privacy import Law, as_law, datasets, max_ratio, neighbours

WARDS = Domain([Categorical("ward", ("A", "B"))], (0, 1))
ALL, WARD_A, WARD_B = WARDS.everything, WARDS.everything.restrict(0, [0]), WARDS.everything.restrict(0, [1])
Record = tuple[int, int]  # ward and class
Pair = tuple[Law, Law]
KINDS = ("count", "histogram")
RECORDS: tuple[Record, ...] = tuple(product((0, 1), (0, 1)))


def charge(region: Region, epsilon: object, colluders: int = 1, *, releases: int = 1, query: str = "a count") -> Charge:
    """A charge as a federation makes it."""
    how = ("noise in shares", 1, "thm-histogram", colluders)
    return Charge(region, Fraction(str(epsilon)), query, *how, releases=releases)


def holds(region: Region, record: Record) -> bool:
    """Whether a record lies in a region of the two wards."""
    return record[0] in region.codes(0) and record[1] in region.class_codes


def followed(first: Pair, after: Sequence[Pair]) -> None:
    """An output of the first pair, and then one of the pair that belongs to it: the ratios multiply, at most."""
    joint = [{(y, z): a * b for y, a in first[i].items() for z, b in after[y][i].items()} for i in (0, 1)]
    bound = max_ratio(*first) * max(max_ratio(*pair) for pair in after)
    worst = max_ratio(*joint)
    require(worst <= bound, f"the joint laws have the ratio {worst}, the steps allow {bound}")
    constant = max(max_ratio(*first) * max_ratio(*after[y]) for y in first[0])
    require(worst <= constant, f"the joint laws have the ratio {worst}, along a path {constant}")


def pairs_in_steps(parts: int) -> Iterator[tuple[Pair, tuple[Pair, ...]]]:
    """All pairs of laws on two outcomes in steps of 1/parts, and any such pair after each outcome."""
    chances = [Fraction(i, parts) for i in range(parts + 1)]
    laws = [as_law([chance, 1 - chance]) for chance in chances]
    pairs = list(product(laws, laws))
    return product(pairs, product(pairs, pairs))


def _ledger(bookings: Sequence[tuple[Region, int]]) -> Ledger:
    ledger = Ledger(1000, domain=WARDS)
    ledger.charge([charge(region, cost) for region, cost in bookings])
    return ledger


def sequence(costs: Sequence[int], rows: int) -> None:
    """Noisy counts of the same rows: one more row has the ratio 2^(sum), which is what the ledger charges."""
    spent = _ledger([(ALL, cost) for cost in costs]).spent
    worst = Fraction(1)
    for cost in costs:
        worst *= worst_ratio([rows], [rows + 1], Fraction(1, 2**cost))
    require(worst == 2**spent, f"the worst ratio is {worst}, the ledger charges {spent} times ln 2")


def sequences(most: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """One to so many costs, and no row or one."""
    return product((costs for k in range(1, most + 1) for costs in product((1, 2, 3), repeat=k)), (0, 1))


def _ratio(bookings: Sequence[tuple[Region, int]], rows: Sequence[Record], others: Sequence[Record]) -> Fraction:
    """The worst ratio of a noisy count of each region, between two data sets."""
    worst = Fraction(1)
    for region, cost in bookings:
        p, q = ([sum(holds(region, record) for record in data)] for data in (rows, others))
        worst *= worst_ratio(p, q, Fraction(1, 2**cost))
    return worst


def regions(first: tuple[Region, int], second: tuple[Region, int], rows: Sequence[Record]) -> None:
    """Two counts: a record pays for the regions that it is in. Disjoint: the larger cost. Not disjoint: the sum."""
    both, costs = (first, second), (first[1], second[1])
    spent = _ledger(both).spent
    worst = max(_ratio(both, rows, [*rows, record]) for record in RECORDS)
    require(worst == 2**spent, f"the worst ratio is {worst}, the ledger charges {spent} times ln 2")
    apart = not any(holds(first[0], record) and holds(second[0], record) for record in RECORDS)
    require(spent == (max(costs) if apart else sum(costs)), f"regions apart: {apart}, charged: {spent}")


def two_regions(most: int) -> Iterator[tuple[tuple[Region, int], tuple[Region, int], tuple[Record, ...]]]:
    """All data of so many records at most, any two regions, three pairs of costs."""
    every = [ALL.restrict(0, wards).restrict_class(labels) for wards, labels in product(([0], [1], [0, 1]), repeat=2)]
    for rows in datasets(RECORDS, most):
        for (a, b), (x, y) in product(product(every, repeat=2), ((1, 1), (1, 2), (2, 1))):
            yield (a, x), (b, y), rows


def partition(costs: Sequence[int], record: Record, rows: Sequence[Record]) -> None:
    """Four disjoint parts, a record in each: adding one costs exactly what its own part costs."""
    cells = [ALL.restrict(0, [ward]).restrict_class([label]) for ward, label in RECORDS]
    parts = list(zip(cells, costs, strict=True))
    worst, own = _ratio(parts, rows, [*rows, record]), costs[RECORDS.index(record)]
    require(worst == 2**own, f"the ratio is {worst}, its own part costs {own} times ln 2")
    require(_ledger(parts).spent == max(costs), f"the ledger charges {_ledger(parts).spent}")


def partitions(most: int) -> Iterator[tuple[tuple[int, ...], Record, tuple[Record, ...]]]:
    """Four costs of so much at most, one more record, and three data sets."""
    return product(product(range(1, most + 1), repeat=4), RECORDS, ((), (RECORDS[0],), RECORDS))


def moves(costs: tuple[int, int], kinds: tuple[str, str], rows: Sequence[Record], others: Sequence[Record]) -> None:
    """A row is replaced: from ward A to B it pays both costs; within a ward twice its cost, if a histogram looks."""
    wards = list(zip((WARD_A, WARD_B), costs, kinds, strict=True))
    releases = [(part, cost) for ward, cost, kind in wards for part in _cells(ward, kind)]
    worst = _ratio(releases, rows, others)
    gone, come = _difference(rows, others)
    within = gone[0] == come[0]
    expected = 2 * costs[gone[0]] * (kinds[gone[0]] == "histogram") if within else sum(costs)
    require(worst == 2**expected, f"the ratio is {worst}, expected is 2^{expected}")
    require(expected <= 2 * max(costs), "it is more than 2·max ε")


def substitutions(
    most: int,
) -> Iterator[tuple[tuple[int, int], tuple[str, str], tuple[Record, ...], tuple[Record, ...]]]:
    """All data of so many records at most, any one replaced; three pairs of costs, a count or a histogram each."""
    for rows in datasets(RECORDS, most):
        for others in neighbours(rows, RECORDS, "substitution"):
            for costs, kinds in product(((1, 1), (1, 2), (3, 1)), product(KINDS, KINDS)):
                yield costs, kinds, rows, others


def _cells(ward: Region, kind: str) -> list[Region]:
    return [ward] if kind == "count" else [ward.restrict_class([label]) for label in (0, 1)]


def _difference(rows: Sequence[Record], others: Sequence[Record]) -> tuple[Record, Record]:
    gone, come = list(rows), list(others)
    for record in rows:
        if record in come:
            gone.remove(record)
            come.remove(record)
    return gone[0], come[0]


def substituted(counts: Sequence[int], source: int, target: int) -> None:
    """One row leaves a cell of a noisy histogram and comes into another: the worst ratio is exactly 2² for e^ε = 2."""
    moved = [n - (i == source) + (i == target) for i, n in enumerate(counts)]
    worst = worst_ratio(counts, moved, Fraction(1, 2))
    require(worst == 4, f"the ratio is {worst}")


def histograms(most: int) -> Iterator[tuple[tuple[int, ...], int, int]]:
    """All counts of two to four cells, each so large at most, and a row that moves from one cell to another."""
    for counts in (counts for cells in (2, 3, 4) for counts in all_tables(cells, most)):
        yield from ((counts, i, j) for i, j in product(range(len(counts)), repeat=2) if i != j and counts[i])


def relation(name: str, budget: str) -> None:
    """What a ledger says of substitution would cost twice as much, so it agrees to add/remove only."""
    try:
        agreed = Ledger(budget, relation=name).relation
    except ValueError:
        agreed = None
    require(agreed == (name if name == "add-remove" else None), f"a ledger agrees to {agreed}")


EXACT = "releases are integers with exact noise; all coins are fresh"

CLAIMS = (
    Claim(
        "thm-sequential",
        status="proved+checked",
        code=("fdpedu.accounting.ledger.Ledger",),
        checks=(
            Check(
                "adaptive pairs",
                "exhaustive",
                "all pairs of distributions on two outcomes in steps of 1/{size}, each outcome followed by any such "
                "pair",
                followed,
                pairs_in_steps,
                3,
                4,
            ),
            Check(
                "noisy counts",
                "exact",
                "up to {size} counts of the same records, costs of 1 to 3 times ln 2: the ledger's sum is reached",
                sequence,
                sequences,
                3,
                5,
            ),
        ),
        assumptions=("any one neighbour relation, the same for all steps", EXACT),
        uses=("def-dp", "lem-atoms"),
    ),
    Claim(
        "thm-parallel",
        status="proved+checked",
        code=("fdpedu.accounting.ledger.Ledger", "fdpedu.accounting.region_tree.RegionTree"),
        checks=(
            Check(
                "regions",
                "exhaustive",
                "two codes, two classes: noisy counts of any two regions, all records added to data of at most "
                "{size} records: the ledger charges the worst exact ratio, the larger cost if they are disjoint",
                regions,
                two_regions,
                1,
                2,
            ),
            Check(
                "partitions",
                "exhaustive",
                "a partition into four parts with costs of 1 to {size} times ln 2: what each record pays, exactly",
                partition,
                partitions,
                2,
                3,
            ),
        ),
        assumptions=("neighbours: one record added or removed", EXACT),
        uses=("def-dp", "lem-atoms"),
    ),
    Claim(
        "thm-parallel-substitution",
        status="proved+checked",
        code=("fdpedu.accounting.ledger.Ledger",),
        checks=(
            Check(
                "moves",
                "exhaustive",
                "two regions with a count or a histogram each, data of at most {size} records, all substitutions: "
                "the exact ratio is as stated, and the worst one is reached",
                moves,
                substitutions,
                2,
                3,
            ),
            Check(
                "histogram",
                "exhaustive",
                "histograms of 2 to 4 cells, data of at most {size} records, all substitutions: exactly 2ε",
                substituted,
                histograms,
                2,
                3,
            ),
            Check(
                "ledger",
                "exact",
                "a ledger agrees to no relation but add/remove",
                relation,
                lambda _: product(("add-remove", "substitution", "replace-one", ""), ("1/2", "1")),
            ),
        ),
        assumptions=("neighbours: one record replaced by another one", EXACT),
        uses=("thm-parallel", "lem-substitution"),
    ),
)

TWINS = (
    Broken(
        "different is disjoint",
        "fdpedu.domain.region.Region.is_disjoint",
        "(common + fill) & spare != spare",
        "self._packed != other._packed",
        "Two different regions are two disjoint regions.",
        "thm-parallel",
        "regions",
    ),
    Broken(
        "one charge a region",
        "fdpedu.accounting.booking.book_round",
        "enumerate(charges, 1)",
        "enumerate({charge.region: charge for charge in charges}.values(), 1)",
        "A region is looked at once a round, however many queries look at it.",
        "thm-sequential",
        "noisy counts",
    ),
    Broken(
        "a ledger of substitution at the same cost",
        "fdpedu.accounting.ledger.Ledger.__init__",
        'if relation != "add-remove":',
        'if relation not in ("add-remove", "substitution"):',
        "Disjoint regions cost the largest of their costs, whatever the neighbours are.",
        "thm-parallel-substitution",
        "ledger",
    ),
    Broken(
        "the ratio of the likeliest outputs",
        "fdpedu.privacy.divergence.max_ratio",
        "return max(mass / second[outcome] for outcome, mass in first.items())",
        "return max(first.values()) / max(second.values())",
        "What happens most often is what tells most.",
        "thm-sequential",
        "adaptive pairs",
    ),
    Broken(
        "all regions cost",
        "fdpedu.accounting.region_tree.RegionTree.max_descendant_cost",
        "largest_of(self.local_cost(r)",
        "sum_of(self.local_cost(r)",
        "All that is released adds up, wherever it was counted.",
        "thm-parallel",
        "partitions",
    ),
)
