"""Checks of chapter 2, second part: what the definition means for groups, for a test, and for beliefs."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from fdpedu.claims.checking import require
from fdpedu.claims.privacy.laws import events, mass
from fdpedu.claims.privacy.small import geometric, histogram
from fdpedu.privacy import Law, check_dp, distance, hockey_stick, max_ratio, posterior, roc

Data = tuple[Any, ...]


def steps(p: Law, q: Law, r: Law, factor: Fraction) -> None:
    """Over two steps ratios at most multiply; at e^{2ε}, δ is at most the first step's + e^ε times the second's."""
    require(max_ratio(p, r) <= max_ratio(p, q) * max_ratio(q, r), f"{max_ratio(p, r)} is more than the product")
    bound = hockey_stick(p, q, factor) + factor * hockey_stick(q, r, factor)
    require(hockey_stick(p, r, factor**2) <= bound, f"δ is {hockey_stick(p, r, factor**2)}, more than {bound}")


def group(data: Data, other: Data) -> None:
    """Noisy histograms with e^ε = 2: at distance k the largest ratio is 2^k, no more and no less."""
    k = distance(data, other)
    ratio = max_ratio(*(histogram((one.count("a"), one.count("b"))) for one in (data, other)))
    assert k is not None
    require(ratio == 2**k, f"at distance {k} the largest ratio is {ratio}")


def substitution(data: Data, other: Data) -> None:
    """Data sets of one size: each substitution is two steps; a noisy histogram with e^ε = 2 loses exactly 4 by one."""
    k, swaps = distance(data, other), distance(data, other, "substitution")
    assert k is not None and swaps is not None
    require(k == 2 * swaps, f"{swaps} substitutions, {k} steps")
    group(data, other)
    require(check_dp({len(data): 1}, {len(other): 1}, 1), "the number of records reveals a substitution")
    require(max_ratio({len(data): 1}, {len(data) + 1: 1}) == math.inf, "the number of records hides an addition")


def tests(p: Law, q: Law, factor: Fraction, delta: Fraction) -> None:
    """(ε, δ) holds iff TPR ≤ e^ε·FPR + δ and 1 − FPR ≤ e^ε·(1 − TPR) + δ for every test; corners are tests."""
    points = [(mass(q, event), mass(p, event)) for event in events(p, q)]
    corners = roc(p, q)
    require(set(corners) <= set(points), f"a corner is no test: {corners}")
    for some in (points, corners):
        inside = all(t <= factor * f + delta and 1 - f <= factor * (1 - t) + delta for f, t in some)
        require(inside == check_dp(p, q, factor, delta=delta).holds, f"tests inside the region: {inside}")
    right = max((tpr + 1 - fpr) / 2 for fpr, tpr in points)
    require(not inside or right <= (factor + delta) / (1 + factor), f"a test is right with probability {right}")


def beliefs(p: Law, q: Law, prior: Fraction) -> None:
    """After any output the odds are those before times p/q, so between their quotient and product with e^ε."""
    before = prior / (1 - prior)
    for outcome in set(p) & set(q):
        belief = posterior(prior, p, q, outcome)
        after = belief / (1 - belief)
        require(after == before * p[outcome] / q[outcome], f"after {outcome} the odds are {after}")
        require(before / max_ratio(q, p) <= after <= before * max_ratio(p, q), f"after {outcome} the odds are {after}")
    if set(p) == set(q):
        largest = max(posterior("1/2", p, q, o) / posterior("1/2", q, p, o) for o in p)
        require(largest == max_ratio(p, q), f"even odds move by at most {largest}")
    for outcome in set(p) ^ set(q):
        require(posterior(prior, p, q, outcome) == (outcome in p), f"{outcome} does not give it away")


def best_guess(p: Law, q: Law) -> Fraction:
    """How often the likelihood-ratio test is right, at even odds."""
    return max((tpr + 1 - fpr) / 2 for fpr, tpr in roc(p, q))


def response(exp_epsilon: Fraction) -> tuple[Law, Law]:
    """The laws of randomised response with this e^ε, for the truths 0 and 1."""
    truth = exp_epsilon / (1 + exp_epsilon)
    return {0: truth, 1: 1 - truth}, {0: 1 - truth, 1: truth}


def attained(exp_epsilon: Fraction) -> None:
    """At even odds the likelihood-ratio test is right with probability e^ε/(1 + e^ε)."""
    counts = geometric(2, 1 / exp_epsilon), geometric(1, 1 / exp_epsilon)
    for name, laws in (("randomised response", response(exp_epsilon)), ("a noisy count", counts)):
        right = best_guess(*laws)
        require(right == exp_epsilon / (1 + exp_epsilon), f"on {name} it is right with probability {right}")


def not_possible(exp_epsilon: Fraction) -> None:
    """As printed: no test tells, from an ε-DP output, which of two known data sets was used."""
    right = best_guess(*response(exp_epsilon))
    require(
        right == Fraction(1, 2), f"the likelihood-ratio test on randomised response is right with probability {right}"
    )
