"""What ε-differential privacy says: neighbours and sensitivity, the definition itself, single outcomes and events."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import chain, combinations, product
from typing import Any

from fdpedu.claims.checking import require
from fdpedu.claims.mutation import Broken
from fdpedu.claims.privacy import small
from fdpedu.claims.privacy.small import SoundAndBroken
from fdpedu.claims.records import Check, Claim
from fdpedu.exact import exp_enclosure
from fdpedu.privacy import (
    Law,
    check_dp,
    datasets,
    distance,
    hockey_stick,
    max_ratio,
    neighbours,
    privacy_loss,
    sensitivity,
)

Data = tuple[Any, ...]
FACTORS = (Fraction(1), Fraction(3, 2), Fraction(3))
ZERO = Fraction(0)


def mass(law: Law, event: Sequence[Any]) -> Fraction:
    """The probability of an event."""
    return sum((law.get(outcome, ZERO) for outcome in event), ZERO)


def events(*laws: Law) -> list[tuple[Any, ...]]:
    """All events of outcomes that some law can give."""
    outcomes = list(dict.fromkeys(chain(*laws)))
    return [event for size in range(len(outcomes) + 1) for event in combinations(outcomes, size)]


def neighbours_of(data: Data, universe: str, relation: str) -> None:
    """The neighbours of a data set are the data sets at distance 1, each once; and it is one of theirs."""
    near = [other for other in datasets(universe, len(data) + 1) if distance(data, other, relation) == 1]
    found = list(neighbours(data, universe, relation))
    require(sorted(found) == sorted(near), f"the neighbours found are {found}, at distance 1 are {near}")
    for other in found:
        require(data in neighbours(other, universe, relation), f"{data} is no neighbour of its neighbour {other}")


QUERIES: Mapping[str, Callable[[Data], Any]] = {
    "count": len,
    "histogram": lambda data: [data.count(x) for x in range(3)],
    "sum": sum,
    "largest": lambda data: max(data, default=0),
    "sum and count": lambda data: [sum(data), len(data)],
    "mean": lambda data: Fraction(sum(data), max(len(data), 1)),
}


SENSITIVITIES = (  # of data sets of 0, 1 and 2
    ("count", "l1", "add-remove", 1),
    ("count", "l1", "substitution", 0),
    ("histogram", "l1", "add-remove", 1),
    ("histogram", "l1", "substitution", 2),
    ("histogram", "l2 squared", "substitution", 2),
    ("histogram", "linf", "substitution", 1),
    ("sum", "l1", "add-remove", 2),
    ("largest", "l1", "add-remove", 2),
    ("sum and count", "l1", "add-remove", 3),
    ("mean", "l1", "add-remove", 2),
)


def stated_sensitivity(query: str, norm: str, relation: str, value: int, most: int) -> None:
    """The search finds the stated constant, at a pair of neighbours that attains it."""
    found = sensitivity(QUERIES[query], range(3), max_size=most, norm=norm, relation=relation)
    require(found.value == value, f"the sensitivity found is {found}, stated is {value}")
    require(distance(*found.pair, relation) == 1, f"{found.pair} are no neighbours")


def definition(p: Law, q: Law, factor: Fraction, delta: Fraction) -> None:
    """The check says yes iff p(S) ≤ e^ε q(S) + δ for all events S, both ways; its excess is the largest of all."""
    worst = max(mass(a, s) - factor * mass(b, s) - delta for a, b in ((p, q), (q, p)) for s in events(p, q))
    verdict = check_dp(p, q, factor, delta=delta)
    require(verdict.holds == (worst <= 0), f"the check says {verdict.holds}, the largest excess of an event is {worst}")
    a, b = (q, p) if verdict.swapped else (p, q)
    own = mass(a, verdict.event) - factor * mass(b, verdict.event) - delta
    require(verdict.excess == own == worst, f"the event named exceeds by {own}, the worst by {worst}")


def in_epsilon(p: Law, q: Law, epsilon: Fraction) -> None:
    """With ε in the place of e^ε, the answer is that of the privacy loss."""
    loss, holds = privacy_loss(p, q), check_dp(p, q, epsilon=epsilon).holds
    if isinstance(loss, float):
        require(not holds, "the loss is infinite, and the check says yes")
    elif not loss.lower <= epsilon <= loss.upper:
        require(holds == (epsilon > loss.upper), f"the loss is {loss}, and the check says {holds}")


def close_call(digits: int) -> None:
    """Laws whose ratio is e ± 10^−digits: ε = 1 is refused above, and granted below."""
    e, gap, part = exp_enclosure(Fraction(1), digits + 10), Fraction(1, 10**digits), Fraction(1, 10)
    for ratio, holds in ((e.lower - gap, True), (e.upper + gap, False)):
        verdict = check_dp([ratio * part, 1 - ratio * part], [part, 1 - part], epsilon=1)
        require(verdict.holds == holds, f"{'below' if holds else 'above'} e the check says {verdict.holds}")


def atoms(p: Law, q: Law) -> None:
    """The largest ratio p(S)/q(S) of an event is that of an atom."""
    ratios = [mass(p, s) / mass(q, s) if mass(q, s) else math.inf for s in events(p, q) if mass(p, s)]
    require(max(ratios) == max_ratio(p, q), f"an event has the ratio {max(ratios)}, an atom {max_ratio(p, q)}")


def least_delta(p: Law, q: Law, factor: Fraction) -> None:
    """The largest excess p(S) − e^ε q(S) of an event is the sum of the positive excesses of atoms."""
    worst = max(mass(p, s) - factor * mass(q, s) for s in events(p, q))
    require(
        hockey_stick(p, q, factor) == worst, f"an event exceeds by {worst}, the sum is {hockey_stick(p, q, factor)}"
    )


def only_the_broken_fails(both: SoundAndBroken) -> None:
    """The sound mechanism holds on all neighbours; the same check refutes the broken one, first on the stated pair."""
    require(both.verdict("sound"), f"the sound one {both.verdict('sound')}")
    require(both.verdict("broken").pair == both.pair, f"the broken one {both.verdict('broken')}")


def laws(parts: int, outcomes: int = 3) -> list[Law]:
    """All laws on the outcomes 0, 1, … whose probabilities are multiples of 1/parts."""
    rows = (row for row in product(range(parts + 1), repeat=outcomes) if sum(row) == parts)
    return [{k: Fraction(part, parts) for k, part in enumerate(row) if part} for row in rows]


def pairs_of_laws(parts: int, *more: Sequence[Any]) -> Iterator[tuple[Any, ...]]:
    """All pairs of them, with all of what else a law takes."""
    return product(laws(parts), laws(parts), *more)


COUNTABLE = "laws on a countable set of outcomes; the checks take finite ones with rational probabilities"
GRID = "all pairs of distributions on three outcomes in steps of 1/{size}"
DELTAS = (Fraction(0), Fraction(1, 7), Fraction(1, 2))
ONE_ORDER = r"$p$ against $q$; a guarantee asks for both orders"

CLAIMS = (
    Claim(
        "def-neighbours",
        status="checked",  # a definition has no proof; the check holds the code to it
        code=("fdpedu.privacy", "fdpedu.privacy.neighbours.neighbours", "fdpedu.privacy.neighbours.distance"),
        checks=(
            Check(
                "distance 1",
                "exhaustive",
                "all data sets of at most {size} records out of three: neighbours are those at distance 1",
                neighbours_of,
                lambda most: product(datasets("abc", most), ("abc",), ("add-remove", "substitution")),
                3,
                5,
            ),
        ),
        assumptions=("data sets are multisets of records", "where no relation is named, add/remove is meant"),
    ),
    Claim(
        "def-sensitivity",
        status="checked",
        code=("fdpedu.privacy", "fdpedu.privacy.neighbours.sensitivity"),
        checks=(
            Check(
                "stated constants",
                "exhaustive",
                "ten queries with a known constant, on all data sets of at most {size} records out of three",
                stated_sensitivity,
                lambda most: ((*stated, most) for stated in SENSITIVITIES),
                2,
                5,
                more=[(*stated, 3) for stated in SENSITIVITIES],
            ),
        ),
        assumptions=("a search up to some size gives a lower bound; the constants are reached at small sizes",),
        uses=("def-neighbours",),
    ),
    Claim(
        "def-dp",
        status="checked",
        code=("fdpedu.privacy", "fdpedu.privacy.divergence.check_dp", "fdpedu.privacy.divergence.check_mechanism"),
        checks=(
            Check(
                "grid",
                "exhaustive",
                f"{GRID}, all events",
                definition,
                lambda parts: pairs_of_laws(parts, FACTORS, DELTAS),
                3,
                5,
            ),
            Check(
                "random laws",
                "property",
                "{size} random pairs of distributions, all events: answer, event, excess",
                definition,
                lambda draw: draw.tuples(draw.laws, draw.laws, draw.exp_epsilons, draw.deltas),
                60,
                2000,
            ),
            Check(
                "claims in ε",
                "property",
                "{size} random pairs of distributions: e^ε by enclosures agrees with the privacy loss",
                in_epsilon,
                lambda draw: draw.tuples(draw.laws, draw.laws, draw.epsilons),
                60,
                2000,
            ),
            Check(
                "close calls",
                "exact",
                "distributions with a ratio of e ± 10⁻¹⁰, 10⁻²⁰, … down to {size} digits: ε = 1 is refused above, "
                "granted below",
                close_call,
                lambda digits: ((k,) for k in range(10, digits + 1, 10)),
                60,
                300,
            ),
            Check(
                "twins",
                "exact",
                "ten mechanisms on small domains hold; their broken variants are refuted, first on the stated pair",
                only_the_broken_fails,
                lambda _: ((both,) for both in small.SMALL_PAIRS),
            ),
        ),
        assumptions=(COUNTABLE,),
        uses=("def-neighbours",),
    ),
    Claim(
        "lem-atoms",
        status="proved+checked",
        code=("fdpedu.privacy", "fdpedu.privacy.divergence.max_ratio"),
        checks=(
            Check("grid", "exhaustive", f"{GRID}, all events", atoms, pairs_of_laws, 4, 8),
            Check(
                "random laws",
                "property",
                "{size} random pairs, all events",
                atoms,
                lambda draw: draw.tuples(draw.laws, draw.laws),
                60,
                2000,
            ),
        ),
        assumptions=(COUNTABLE, ONE_ORDER),
        uses=("def-dp",),
    ),
    Claim(
        "lem-hockey-stick",
        status="proved+checked",
        code=("fdpedu.privacy", "fdpedu.privacy.divergence.hockey_stick"),
        checks=(
            Check(
                "grid",
                "exhaustive",
                f"{GRID}, three e^ε, all events",
                least_delta,
                lambda parts: pairs_of_laws(parts, FACTORS),
                4,
                8,
            ),
            Check(
                "random laws",
                "property",
                "{size} random pairs, all events",
                least_delta,
                lambda draw: draw.tuples(draw.laws, draw.laws, draw.exp_epsilons),
                60,
                2000,
            ),
        ),
        assumptions=(COUNTABLE, ONE_ORDER),
        uses=("def-dp",),
    ),
)

TWINS = (
    Broken(
        "missing outcomes skipped",
        "fdpedu.privacy.divergence.max_ratio",
        "        return math.inf",
        "        first = {outcome: mass for outcome, mass in first.items() if outcome in second} or {min(second): 0}",
        "A ratio with 0 below it is undefined, so it does not count.",
        "lem-atoms",
        "grid",
    ),
    Broken(
        "worst atom only",
        "fdpedu.privacy.divergence.hockey_stick",
        "sum((mass for mass in _excesses(first, second, factor).values()), Fraction(0))",
        "max(_excesses(first, second, factor).values(), default=Fraction(0))",
        "For a ratio atoms are enough, so they are for δ.",
        "lem-hockey-stick",
        "grid",
    ),
    Broken(
        "one direction only",
        "fdpedu.privacy.divergence._verdict",
        "((forth, False), (back, True))",
        "((forth, False),)",
        "Neighbours are symmetric, so one order is enough for a pair.",
        "def-dp",
        "grid",
    ),
    Broken(
        "the lenient end",
        "fdpedu.privacy.divergence._decide",
        "if open_above and open_below else None",
        "if open_above and open_below else least",
        "Forty digits of e^ε are enough for any table.",
        "def-dp",
        "close calls",
    ),
    Broken(
        "no second copy",
        "fdpedu.privacy.neighbours.neighbours",
        "[in_order([*own, record]) for record in records]",
        "[in_order([*own, record]) for record in records if record not in own]",
        "A data set is a set, and every record is somebody else's.",
        "def-neighbours",
        "distance 1",
    ),
    Broken(
        "signed change",
        "fdpedu.privacy.neighbours._norm",
        "abs(x - y)",
        "x - y",
        "A query grows when a record is added.",
        "def-sensitivity",
        "stated constants",
    ),
)
