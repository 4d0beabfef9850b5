"""Checks of chapter 2: neighbours and sensitivity, the definition itself, and the laws that it is closed under.

First the laws, each on one case; then pairs of laws to try them on.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import chain, combinations, product
from typing import Any

from fdpedu.claims.checking import require
from fdpedu.claims.privacy.small import Twins
from fdpedu.exact import exp_enclosure
from fdpedu.privacy import (
    Law,
    check_dp,
    datasets,
    distance,
    hockey_stick,
    max_ratio,
    mix,
    neighbours,
    privacy_loss,
    push_forward,
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


def processed(p: Law, q: Law, channel: Sequence[Law]) -> None:
    """What is made of two laws by one channel is no further apart, for every e^ε; nor are ratios larger."""
    one, other = push_forward(p, lambda k: channel[k]), push_forward(q, lambda k: channel[k])
    for factor in FACTORS:
        after, before = hockey_stick(one, other, factor), hockey_stick(p, q, factor)
        require(after <= before, f"at e^ε = {factor}, δ grows from {before} to {after}")
    require(max_ratio(one, other) <= max_ratio(p, q), "the largest ratio grows")


def convexity(p: Law, q: Law, r: Law, s: Law, weight: Fraction, factor: Fraction) -> None:
    """The δ of a mixture is at most the mixture of the δ."""
    one, other = (mix([weight, 1 - weight], pair) for pair in ((p, r), (q, s)))
    bound = weight * hockey_stick(p, q, factor) + (1 - weight) * hockey_stick(r, s, factor)
    require(hockey_stick(one, other, factor) <= bound, f"δ is {hockey_stick(one, other, factor)}, more than {bound}")


def told_apart(twins: Twins) -> None:
    """The sound mechanism holds on all neighbours; the same check refutes the broken one, first on the stated pair."""
    require(twins.verdict("sound"), f"the sound one {twins.verdict('sound')}")
    require(twins.verdict("broken").pair == twins.pair, f"the broken one {twins.verdict('broken')}")


def laws(parts: int, outcomes: int = 3) -> list[Law]:
    """All laws on the outcomes 0, 1, … whose probabilities are multiples of 1/parts."""
    rows = (row for row in product(range(parts + 1), repeat=outcomes) if sum(row) == parts)
    return [{k: Fraction(part, parts) for k, part in enumerate(row) if part} for row in rows]


def pairs_of_laws(parts: int, *more: Sequence[Any]) -> Iterator[tuple[Any, ...]]:
    """All pairs of them, with all of what else a law takes."""
    return product(laws(parts), laws(parts), *more)


def functions() -> list[tuple[Law, ...]]:
    """All functions of the outcomes 0, 1, 2 to themselves, as channels."""
    return [tuple({k: Fraction(1)} for k in image) for image in product(range(3), repeat=3)]
