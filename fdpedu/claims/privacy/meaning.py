"""What the definition means for groups, for a test, and for beliefs."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product
from typing import Any

from fdpedu.claims.checking import require
from fdpedu.claims.mutation import Broken
from fdpedu.claims.privacy.definition import COUNTABLE, FACTORS, GRID, events, mass, pairs_of_laws
from fdpedu.claims.privacy.small import geometric, histogram
from fdpedu.claims.records import Check, Claim
from fdpedu.privacy import Law, check_dp, datasets, distance, hockey_stick, max_ratio, posterior, roc

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


CLAIMS = (
    Claim(
        "thm-group-privacy",
        status="proved+checked",
        code=("fdpedu.privacy", "fdpedu.privacy.neighbours.distance"),
        checks=(
            Check(
                "steps",
                "property",
                "{size} random triples of distributions: ratios multiply, δ as stated",
                steps,
                lambda draw: draw.tuples(*[draw.laws] * 3, draw.exp_epsilons),
                60,
                2000,
            ),
            Check(
                "attained",
                "exhaustive",
                "a noisy histogram, all pairs of data sets of at most {size} records out of two: exactly e^{{kε}}",
                group,
                lambda most: product(datasets("ab", most), repeat=2),
                3,
                4,
            ),
        ),
        assumptions=(COUNTABLE,),
        uses=("def-neighbours", "def-dp"),
    ),
    Claim(
        "lem-substitution",
        status="proved+checked",
        code=("fdpedu.privacy", "fdpedu.privacy.neighbours.distance"),
        checks=(
            Check(
                "pairs",
                "exhaustive",
                "all pairs of data sets of one size, at most {size} records out of two: distances, histogram, count",
                substitution,
                lambda most: ((a, b) for a, b in product(datasets("ab", most), repeat=2) if len(a) == len(b)),
                3,
                4,
            ),
        ),
        assumptions=(COUNTABLE,),
        uses=("thm-group-privacy",),
    ),
    Claim(
        "thm-hypothesis-test",
        status="proved+checked",
        code=("fdpedu.privacy", "fdpedu.privacy.hypothesis_tests.roc"),
        checks=(
            Check(
                "grid",
                "exhaustive",
                f"{GRID}, all tests without coins",
                tests,
                lambda parts: pairs_of_laws(parts, FACTORS, (Fraction(0), Fraction(1, 7))),
                3,
                5,
            ),
            Check(
                "random laws",
                "property",
                "{size} random pairs of distributions, all tests",
                tests,
                lambda draw: draw.tuples(draw.laws, draw.laws, draw.exp_epsilons, draw.deltas),
                60,
                2000,
            ),
            Check(
                "attained",
                "exact",
                "a noisy count and randomised response, e^ε from 3/2 to {size} in halves: how often a test is right",
                attained,
                lambda most: ((Fraction(i, 2),) for i in range(3, 2 * most + 1)),
                9,
                99,
            ),
        ),
        assumptions=(COUNTABLE,),
        uses=("def-dp", "thm-post-processing"),
    ),
    Claim(
        "thm-posterior",
        status="proved+checked",
        code=("fdpedu.privacy", "fdpedu.privacy.hypothesis_tests.posterior"),
        checks=(
            Check(
                "grid",
                "exhaustive",
                f"{GRID}, three priors, all outputs",
                beliefs,
                lambda parts: pairs_of_laws(parts, [Fraction(i, 4) for i in (1, 2, 3)]),
                4,
                8,
            ),
            Check(
                "random laws",
                "property",
                "{size} random pairs and priors",
                beliefs,
                lambda draw: draw.tuples(draw.laws, draw.laws, draw.shares),
                60,
                2000,
            ),
        ),
        assumptions=(COUNTABLE,),
        uses=("lem-atoms", "lem-convexity"),
    ),
    Claim(
        "wording-not-possible-as-printed",
        status="refuted as stated",
        code=("fdpedu.privacy.hypothesis_tests.roc",),
        checks=(
            Check(
                "likelihood-ratio test",
                "exact",
                "randomised response with odd e^ε up to {size}: whether the best test at even odds only guesses",
                not_possible,
                lambda most: ((Fraction(i),) for i in range(1, most + 1, 2)),
                3,
                9,
            ),
        ),
        assumptions=(COUNTABLE,),
        uses=("def-dp",),
        corrected_by="thm-hypothesis-test",
    ),
)

TWINS = (
    Broken(
        "a substitution counted twice",
        "fdpedu.privacy.neighbours.distance",
        "return gone if gone == new else None",
        "return gone + new if gone == new else None",
        "A substitution is a removal and an addition, so it is two substitutions.",
        "lem-substitution",
        "pairs",
    ),
    Broken(
        "a substitution counted once",
        "fdpedu.privacy.neighbours.distance",
        "return gone + new",
        "return max(gone, new)",
        "A replaced record is one change.",
        "thm-group-privacy",
        "attained",
    ),
    Broken(
        "least likely first",
        "fdpedu.privacy.hypothesis_tests.roc",
        "reverse=True",
        "reverse=False",
        "The order in which a test collects its outcomes does not matter.",
        "thm-hypothesis-test",
        "grid",
    ),
    Broken(
        "certain outcomes left out",
        "fdpedu.privacy.hypothesis_tests.roc",
        "[*certain, *others]",
        "others",
        "What one distribution cannot give at all cannot be compared.",
        "thm-hypothesis-test",
        "grid",
    ),
    Broken(
        "not normalised",
        "fdpedu.privacy.hypothesis_tests.posterior",
        "joint[0] / sum(joint)",
        "joint[0]",
        "Belief afterwards is belief before times likelihood.",
        "thm-posterior",
        "grid",
    ),
)
