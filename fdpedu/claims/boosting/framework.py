"""Maddock et al.'s framework: how long a row's pair is, what is asked, and what one sample costs many queries."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from fdpedu.claims.boosting.table import ADD_REMOVE
from fdpedu.claims.checking import require
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.claims.replay import intersects
from fdpedu.domain import Domain, Numeric
from fdpedu.exact import Enclosure, exp_enclosure
from fdpedu.sources.maddock import (
    Choices,
    counted,
    hessian_is_free,
    largest_integer_pair,
    largest_pair,
    pair_norm_squared,
    poisson_rdp2,
)

FREE = tuple(map(Fraction, ("0", "1", "3", "3.33", "3.33019", "3.3301906")))
LONGER = tuple(map(Fraction, ("3.3301907", "3.3302", "3.34", "3.4", "4")))
PHI = (Fraction(701408733, 433494437), Fraction(1134903170, 701408733))  # from below and above: Fibonacci's numbers


def border(kappa: Fraction) -> None:
    """κ is called free iff κ² ≤ φ⁵ = 5φ + 3, decided by φ from both sides; then 1 is the longest pair, else a longer.

    At 1/φ the pair of a κ that is not free is longer than 1.
    """
    low, high = (5 * phi + 3 for phi in PHI)
    require(not low < kappa**2 < high, f"{kappa} is too near to φ^(5/2)")
    free, most = hessian_is_free(kappa), largest_pair(kappa)
    require(free == (kappa**2 <= low), f"κ = {kappa} is called free: {free}")
    require((most.upper == most.lower == 1) if free else most.lower > 1, f"κ = {kappa}: the longest pair is {most}")
    there = pair_norm_squared(1 / PHI[1], kappa)
    require((there <= 1) == free and there <= most.upper, f"κ = {kappa}: at 1/φ the pair is {there}, at most {most}")


def pairs(p: Fraction, kappa: Fraction) -> None:
    """g² + κ²h² of both classes is what is computed, and at most the largest; at most 1 where κ is free."""
    lengths = [(p - y) ** 2 + (kappa * p * (1 - p)) ** 2 for y in (0, 1)]
    found = [pair_norm_squared(q, kappa) for q in (p, 1 - p)]
    require(found == lengths, f"the pairs are {lengths}, computed {found}")
    most = largest_pair(kappa).upper
    require(max(lengths) <= most, f"at p = {p} the pair is {max(lengths)}, longer than the longest, {most}")
    require(max(lengths) <= 1 or not hessian_is_free(kappa), f"at p = {p} the pair is {max(lengths)}")


def whole_steps(steps: int, kappa: Fraction) -> None:
    """In steps of 1/m, G = P − my and H = ⌊κP(m−P)/m⌋: for a free κ the longest pair of all is m, of both classes.

    A replaced row moves the sums by the distance of two pairs: by 2m, and for a free κ by no more.
    Clipped at m/2 the Hessian is not free: at P = m/2 the pair is longer than m/2, wherever H is not 0.
    """
    rows = [(p - steps * y, math.floor(kappa * p * (steps - p) / steps)) for p in range(steps + 1) for y in (0, 1)]
    most = max(g * g + h * h for g, h in rows)
    require(largest_integer_pair(steps, kappa) == most, f"the longest pair is {most}")
    require(most == steps**2 or not hessian_is_free(kappa), f"κ = {kappa}: the longest pair is {most} > m²")
    ends = [g for g, h in rows if h == 0]
    require(max(ends) - min(ends) == 2 * steps, f"a replaced row moves the sums by {max(ends) - min(ends)}, not 2m")
    half = steps // 2
    clipped = max(min(abs(g), half) ** 2 + h * h for g, h in rows)
    require((clipped > half**2) == (math.floor(kappa * half * half / steps) > 0), f"clipped, the longest is {clipped}")


def all_steps(most: int) -> Iterator[tuple[int, Fraction]]:
    """All even m, κ on both sides of the border; for those beyond it only that what is computed is right."""
    return product(range(2, most + 1, 2), (*FREE[1:], *LONGER))


def beyond(kappa: Fraction, steps: int) -> None:
    """For a κ beyond the border there is an m at which a pair in whole steps is too long."""
    require(largest_integer_pair(steps, kappa) > steps**2, f"κ = {kappa}: no pair is longer than {steps}")


def as_printed(steps: int) -> None:
    """The claim as stated: over all rows in steps of 1/m, the longest pair (g, h) has the length √17/4."""
    longest = max(pair_norm_squared(Fraction(p, steps)) for p in range(steps + 1))
    require(longest == Fraction(17, 16), f"the longest pair of all rows has the length √{longest}, not √17/4")


def releases(trees: int, depth: int, p: int, k: int, batch: int, splits: str, moves: int) -> None:
    """What is asked while a model is grown is Tkd, or T of one feature; T for leaves that are drawn; sk for candidates.

    The rounds are those of the levels, divided by the batch, with one more for the leaves or candidates that need it.
    """
    paid = "paid" if moves else "uniform"
    choices = Choices(
        *(trees, depth, splits), candidates=paid, moves=max(1, moves), features=k, batch=batch, n_candidates=3
    )
    domain = Domain([Numeric.grid(f"x{j}", 0, 8, bins=8) for j in range(p)], ("a", "b"))
    found, batches = counted(choices, domain), math.ceil(trees / batch)
    drawn, asked_once = splits == "totally random", k == 1
    expected = (
        0 if drawn else trees if asked_once else trees * k * depth,
        trees if drawn else 0,
        moves * k if splits != "histogram" else 0,
    )
    require((found.splits, found.weights, found.candidates) == expected, f"{found} are asked, expected {expected}")
    require(tuple(choices.queries(p)) == expected, f"the formulas say {choices.queries(p)}")
    rounds = batches * (1 if drawn or asked_once else depth) + (moves if splits != "histogram" else 0)
    require(found.rounds == rounds, f"there are {found.rounds} rounds, expected {rounds}")


def choices_of(most: int) -> Iterator[tuple[int, int, int, int, int, str, int]]:
    """All numbers of trees and levels up to so many, one to three features, batches, splits, with candidates or not."""
    sizes = product(range(1, most + 1), (1, most), ((1, 1), (3, 1), (3, 2), (3, 3)))
    for trees, depth, (p, k) in sizes:
        for batch, splits in product({1, trees}, ("histogram", "partially random", "totally random")):
            yield from ((trees, depth, p, k, batch, splits, moves) for moves in (0, 1))


def one_sample(q: Fraction, sigma: Fraction, queries: int) -> None:
    """e to the divergence is the second moment of 1 − q + qL; and it is more than what k samples would add up to."""
    once, each = (poisson_rdp2(q, sigma, queries, once=once) for once in (True, False))
    moment = (1 - q) ** 2 + 2 * q * (1 - q) + q**2 * exp_enclosure(queries / sigma**2, 50)
    wide = Enclosure(exp_enclosure(once.lower, 50).lower, exp_enclosure(once.upper, 50).upper)
    require(intersects(wide, moment), f"with {queries} queries the second moment is {moment}, not {wide}")
    more = once.lower > each.upper if queries > 1 and 0 < q < 1 else intersects(once, each)
    require(more, f"on one sample {queries} queries have {once}, added up it is {each}")


CLAIMS = (
    Claim(
        "lem-maddock-releases",
        status="checked",
        code=("fdpedu.sources.maddock.growing.counted", "fdpedu.sources.maddock.choices.Choices"),
        checks=(
            Check(
                "counted",
                "exact",
                "one to {size} trees, depths, one to three features, batches, three kinds of splits, with paid "
                "candidates and without: what is asked while a model is grown, and in how many rounds",
                releases,
                choices_of,
                3,
                6,
                more=[
                    (25, 3, 10, 10, 1, "histogram", 0),
                    (25, 3, 10, 4, 5, "partially random", 2),
                    (25, 3, 10, 10, 25, "totally random", 1),
                ],
            ),
        ),
        assumptions=(ADD_REMOVE, "of a simulation; the root's totals are read off a histogram"),
        uses=("lem-one-leaf-a-tree",),
    ),
    Claim(
        "lem-maddock-sensitivity",
        status="refuted as stated",
        code=("fdpedu.sources.maddock.formulas.pair_norm_squared",),
        checks=(
            Check(
                "as printed",
                "exhaustive",
                "all probabilities in steps of 1/m, m to {size}, both classes: the longest pair",
                as_printed,
                lambda most: ((m,) for m in range(2, most + 1, 2)),
                8,
            ),
        ),
        assumptions=(ADD_REMOVE, "real numbers"),
        corrected_by="lem-hessian-free",
    ),
    Claim(
        "lem-hessian-free",
        status="checked",
        code=(
            "fdpedu.sources.maddock.formulas.hessian_is_free",
            "fdpedu.sources.maddock.formulas.largest_integer_pair",
            "fdpedu.sources.maddock.formulas.largest_pair",
        ),
        checks=(
            Check(
                "border",
                "exact",
                "eleven κ on both sides of φ^(5/2), as near as 10⁻⁷: by φ from both sides, and at 1/φ",
                border,
                lambda _: ((kappa,) for kappa in FREE + LONGER),
            ),
            Check(
                "whole steps",
                "exhaustive",
                "all even m to {size}, all probabilities, both classes, ten κ: whole steps, and clipped at m/2",
                whole_steps,
                all_steps,
                32,
                128,
            ),
            Check(
                "beyond",
                "exact",
                "κ = 3.34, 3.4 and 4: an m at which a pair in whole steps is too long",
                beyond,
                lambda _: ((Fraction("3.34"), 22), (Fraction("3.4"), 12), (Fraction(4), 2)),
            ),
            Check(
                "random pairs",
                "property",
                "{size} random probabilities and κ",
                pairs,
                lambda draw: draw.tuples(
                    draw.st.fractions(0, 1, max_denominator=99), draw.st.fractions(0, 5, max_denominator=999)
                ),
                20,
                2000,
            ),
        ),
        assumptions=(ADD_REMOVE, "fractions; in whole steps integers"),
    ),
    Claim(
        "lem-sample-once",
        status="proved+checked",
        code=("fdpedu.sources.maddock.formulas.poisson_rdp2",),
        checks=(
            Check(
                "one sample",
                "exact",
                "one query and more, up to {size}, on one sample of none to all rows: divergences of order 2",
                one_sample,
                lambda most: product(
                    map(Fraction, ("0", "1/10", "1/2", "1")), (Fraction(1), Fraction(5)), range(1, most + 1)
                ),
                4,
                90,
            ),
        ),
        assumptions=(ADD_REMOVE, "Gaussian noise of real numbers, a record that is added"),
    ),
)

TWINS = (
    Broken(
        "amplified query by query",
        "fdpedu.sources.maddock.formulas.poisson_rdp2",
        "(k if once else 1) / deviation**2",
        "1 / deviation**2",
        "A record that may not be in the sample is hidden from each query anew.",
        "lem-sample-once",
        "one sample",
    ),
    Broken(
        "queries of all features as one",
        "fdpedu.sources.maddock.choices.Choices.queries",
        "self.trees * k * self.depth",
        "self.trees * self.depth",
        "Nodes and bins are disjoint, so a level is one release.",
        "lem-maddock-releases",
        "counted",
    ),
    Broken(
        "κ = 4",
        "fdpedu.sources.maddock.formulas.hessian_is_free",
        "beyond <= 0 or beyond**2 <= 125",
        "_as_factor(kappa) <= 4",
        "A Hessian is 1/4 at most and a gradient 1, so the Hessian may be enlarged fourfold.",
        "lem-hessian-free",
        "border",
    ),
    Broken(
        "the longest Hessian beside the longest gradient",
        "fdpedu.sources.maddock.formulas.largest_integer_pair",
        "p**2 + math.floor(factor * p * (m - p) / m) ** 2 for p in range(m + 1)",
        "m**2 + math.floor(factor * p * (m - p) / m) ** 2 for p in range(m + 1)",
        "The sensitivity of a pair is that of both parts together.",
        "lem-hessian-free",
        "whole steps",
    ),
)
