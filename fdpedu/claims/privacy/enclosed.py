"""Tables that are known within bounds: a verdict on them is one on every distribution inside."""

from __future__ import annotations

from fractions import Fraction
from itertools import chain, product
from typing import Any

from fdpedu.claims.checking import require
from fdpedu.claims.mutation import Broken
from fdpedu.claims.privacy.definition import DELTAS, FACTORS, ZERO, events, laws, mass
from fdpedu.claims.records import Check, Claim
from fdpedu.exact import Enclosure
from fdpedu.privacy import Law, check_dp, mix


def enclosed_tables(p: Law, other_p: Law, q: Law, other_q: Law, factor: Fraction, delta: Fraction) -> None:
    """Of tables that enclose two laws each, the check says yes (no) iff the largest (smallest) excess of an event does.

    Then it says the same of all four pairs of these laws, and of the two halfway. Without width it always decides.
    """
    between = [mix(["1/2", "1/2"], pair) for pair in ([p, other_p], [q, other_q])]
    (p_low, p_high), (q_low, q_high) = _ends(p, other_p), _ends(q, other_q)
    claim = (factor, delta)
    verdict = check_dp(_enclosing(p_low, p_high), _enclosing(q_low, q_high), factor, delta=delta)
    most = max(_largest_excess(p_high, q_low, *claim), _largest_excess(q_high, p_low, *claim))
    least = max(_largest_excess(p_low, q_high, *claim), _largest_excess(q_low, p_high, *claim))
    require(verdict.holds == (most <= 0), f"the largest excess is {most}, and the check says {verdict.holds}")
    require(verdict.fails == (least > 0), f"the smallest excess is {least}, and that it fails: {verdict.fails}")
    low, high = verdict.actual_factor
    for a, b in (between, *product((p, other_p), (q, other_q))):
        one = check_dp(a, b, factor, delta=delta)
        require(one.holds or not verdict.holds, f"the check says yes, and for {a} and {b} no")
        require(one.fails or not verdict.fails, f"the check says no, and for {a} and {b} yes")
        require(low <= one.actual_factor[0] <= high, f"the least factor of {a} and {b} is not between {low} and {high}")


def _ends(one: Law, other: Law) -> tuple[Law, Law]:
    outcomes = dict.fromkeys(chain(one, other))
    pairs = {y: sorted((one.get(y, ZERO), other.get(y, ZERO))) for y in outcomes}
    return {y: low for y, (low, _) in pairs.items()}, {y: high for y, (_, high) in pairs.items()}


def _enclosing(lower: Law, upper: Law) -> dict[Any, Enclosure]:
    return {y: Enclosure(lower[y], upper[y]) for y in lower}


def _largest_excess(a: Law, b: Law, factor: Fraction, delta: Fraction) -> Fraction:
    return max(mass(a, s) - factor * mass(b, s) - delta for s in events(a, b))


CLAIMS = (
    Claim(
        "lem-enclosed-tables",
        status="proved+checked",
        code=(
            "fdpedu.privacy",
            "fdpedu.privacy.divergence.check_dp",
            "fdpedu.privacy.enclosed.enclosed_law",
        ),
        checks=(
            Check(
                "grid",
                "exhaustive",
                "all pairs of enclosures between two distributions on two outcomes in steps of 1/{size}: verdict and "
                "factor",
                enclosed_tables,
                lambda parts: product(*[laws(parts, 2)] * 4, FACTORS, DELTAS[:2]),
                2,
                5,
            ),
            Check(
                "random tables",
                "property",
                "{size} random pairs of enclosures, all events",
                enclosed_tables,
                lambda draw: draw.tuples(*[draw.laws] * 4, draw.exp_epsilons, draw.deltas),
                40,
                2000,
            ),
        ),
        assumptions=(
            "finite sets of outcomes; the bounds are fractions",
            "a float is taken to be as exact as is stated",
        ),
        uses=("def-dp", "lem-hockey-stick"),
    ),
)

TWINS = (
    Broken(
        "either end of an enclosure",
        "fdpedu.privacy.divergence._decide",
        "most = _verdict((p.upper, q.lower), (q.upper, p.lower)",
        "most = _verdict((p.lower, q.lower), (q.lower, p.lower)",
        "The ends of an enclosure are so close that either will do.",
        "lem-enclosed-tables",
        "grid",
    ),
)
