"""What one released tree promises: next to nothing if its splits looked at rows, a certificate if they are public."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import product
from types import ModuleType
from typing import Any

from fdpedu.accounting import Ledger
from fdpedu.claims.checking import require
from fdpedu.claims.mutation import Broken
from fdpedu.claims.poisoning.attacks import ADD_REMOVE, FORGER, MEAN, NEAR, Counts, Pairs, ahead, gap_mass, reach
from fdpedu.claims.poisoning.leaves import CLASSES, public_tree, rows_of, with_released
from fdpedu.claims.records import Check, Claim
from fdpedu.domain import Domain, Numeric
from fdpedu.exact import Enclosure
from fdpedu.federation import Party
from fdpedu.randomness import Rehearsal
from fdpedu.robust import certify
from fdpedu.trees import fit_privatree

# --- private splits -------------------------------------------------------------------------------------------------


def two_learners(beta: Fraction, worth: Fraction, stated: Fraction) -> None:
    """A rule that states more than β·V of some splits fails, for a learner that looks at no rows, too often.

    And one that states no more is right with probability 1 − β, whatever the learner: here of the other splits worth 0
    and of splits worth a half of these.
    """
    if stated > beta * worth:
        lucky = (beta + min(Fraction(1), stated / worth if worth else Fraction(1))) / 2
        lucky = lucky if worth else Fraction(1)
        require(lucky > beta and stated > lucky * worth, f"drawn with probability {lucky} it is right")
        return
    for first, second in product(range(9), repeat=2):
        law = {worth: Fraction(first, 16), worth / 2: Fraction(second, 16)}
        law[Fraction(0)] = law.get(Fraction(0), Fraction(0)) + 1 - sum(law.values())
        mean = sum((value * p for value, p in law.items()), Fraction(0))
        fails = sum((p for value, p in law.items() if min(stated, beta * value) > mean), Fraction(0))
        require(fails <= beta, f"with the law {law} the rule fails with probability {fails}")


def refused(splits: str, seed: int) -> None:
    """A tree whose splits looked at rows is refused; were it not, it would state more than β, though perhaps lucky."""
    domain = Domain([Numeric.grid("x", 0, 4, bins=4)], CLASSES)
    X = [[k % 4 + 0.5] for k in range(400)]
    y = [CLASSES[int(x > 2)] for (x,) in X]
    tree = fit_privatree(
        Party(X[:300], domain, labels=y[:300]), Ledger(2), max_depth=1, splits=splits, leaves="counts",
        rng=Rehearsal(seed),
    )  # fmt: skip
    design: Any = tree.design
    tests, labels = X[300:], y[300:]
    if splits == "random":
        require(certify(tree, tests, labels, rows=1).rows == 1, "public coins are refused")
        return
    as_if = certify(replace(tree, design=replace(design, splits="random")), tests, labels, rows=1)
    require(as_if.bound > Fraction(1, 20), f"of these splits it would state {float(as_if.bound)} only")
    try:
        found = certify(tree, tests, labels, rows=1)
    except ValueError as refusal:
        require("splits" in str(refusal), f"it is refused for something else: {refusal}")
    else:
        require(False, f"it states {float(found.bound):.3f}, more than 1/20, of splits that may have been lucky")


# --- public splits --------------------------------------------------------------------------------------------------


def covered(tests: Pairs, confidence: Fraction, epsilon: Fraction, rows: int, width: int) -> None:
    """With the stated confidence the certificate is at most the least mean accuracy that forged rows can reach.

    Over all released leads from −width to width, exactly: with at least the stated probability it is below the truth,
    for all true leads from −4 to 1; and what is stated is the formula. What is released above the width counts as a
    failure, what is released below as the width itself.
    """
    window = range(-width, width + 1)
    u = reach(epsilon, (1 - confidence) / len(tests))
    better = [int(b > a) for a, b in tests]
    released = {leads: _certified(tests, better, leads, confidence, epsilon, rows) for leads in _all(window, tests)}
    for true in _all((-4, -2, 0, 1), tests):
        truth = [_least(tests, better, list(true), epsilon, x) for x in range(rows + 1)]
        right = Enclosure.sum(
            _chance(leads, true, epsilon, window)
            for leads, curve in released.items()
            if all(bound <= exact.upper for bound, exact in zip(curve, truth, strict=True))
        )
        require(right.lower >= confidence, f"true leads {true}: it is right with probability {float(right):.4f}")
    for leads, curve in released.items():
        for x in range(rows + 1):
            stated = _least(tests, better, [lead - u for lead in leads], epsilon, x)
            near = stated.lower - NEAR <= curve[x] <= stated.upper
            require(near, f"released leads {leads}, {x} rows: it states {float(curve[x]):.9f}, not {stated}")


def _all(leads: Any, tests: Pairs) -> Iterator[Counts]:
    return product(leads, repeat=len(tests))


def _certified(
    tests: Pairs, better: list[int], leads: Counts, confidence: Fraction, epsilon: Fraction, rows: int
) -> tuple[Fraction, ...]:
    """What the shipped code states when these leads of the better classes are released."""
    tree = public_tree(len(tests), "counts", epsilon)
    counts = tuple((lead, 0) if label == 0 else (0, lead) for lead, label in zip(leads, better, strict=True))
    X, y = rows_of(tests)
    found = certify(with_released(tree, counts), X, y, rows=rows, confidence=confidence)
    require(found.bound == found.curve[-1] and len(found.curve) == rows + 1, "the curve does not end at the bound")
    return found.curve


def _least(tests: Pairs, better: list[int], leads: list[int], epsilon: Fraction, rows: int) -> Enclosure:
    """The least mean accuracy over all changes of leads by at most so many rows, up or down."""
    n, found = sum(map(sum, tests)), list[Enclosure]()
    for moves in product(range(-rows, rows + 1), repeat=len(tests)):
        if sum(map(abs, moves)) <= rows:
            parts = [
                min(a, b) + abs(a - b) * ahead(epsilon, lead + moved, first=label == 0)
                for (a, b), label, lead, moved in zip(tests, better, leads, moves, strict=True)
            ]
            found.append(Enclosure.sum(parts) * Fraction(1, n))
    return Enclosure(min(one.lower for one in found), min(one.upper for one in found))


def _chance(leads: Counts, true: Counts, epsilon: Fraction, window: range) -> Enclosure:
    """The probability of these released leads; the lowest of the window stands for all below it."""
    total = Enclosure.exactly(Fraction(1))
    for lead, g in zip(leads, true, strict=True):
        below = ahead(epsilon, window[0] - 1 - g, first=True)  # of Z ≥ −(window[0] − 1 − g), so of −Z at most that
        total = total * (gap_mass(epsilon, lead - g) + (below if lead == window[0] else Fraction(0)))
    return total


def of_larger_counts(seed: int, epsilon: Fraction) -> None:
    """The label of a leaf is the class of its larger released count, as it is released, the first class in a tie."""
    tree = public_tree(2, "counts", epsilon, seed)
    for leaf, release in zip(tree.leaves(), tree.leaf_releases, strict=True):
        first, second = release.counts
        require(leaf.label == int(second > first), f"counts {release.counts} have the label {leaf.label}")


def targets(target: Fraction, leads: Counts) -> None:
    """Asked for a target, it states the most rows whose bound reaches it, or that none does."""
    tests: Pairs = ((9, 1), (2, 8))
    X, y = rows_of(tests)
    with_leads = with_released(public_tree(2, "counts", Fraction(1, 2)), ((leads[0], 0), (0, leads[1])))
    found = certify(with_leads, X, y, target=target)
    curve = certify(with_leads, X, y, rows=(found.rows or 0) + 1).curve
    if found.rows is None:
        require(curve[0] < target, f"it certifies nothing, and {float(curve[0])} is left")
        return
    require(found.bound == curve[-2] >= target > curve[-1], f"{found.rows} rows leave {list(map(float, curve[-2:]))}")


def random_leads(draw: ModuleType) -> Any:
    """A target, and released leads of two leaves."""
    parts = draw.st.fractions(Fraction(1, 5), 1, max_denominator=20).filter(lambda target: target > Fraction(3, 20))
    return draw.tuples(parts, draw.tuples(draw.integers(-5, 90), draw.integers(-5, 90)))


COVERED = (
    (((3, 1),), Fraction(3, 4), Fraction(1), 2, 14),
    (((0, 2),), Fraction(9, 10), Fraction(1), 2, 14),
    (((1, 0), (1, 2)), Fraction(3, 5), Fraction(1), 1, 8),
)


CLAIMS = (
    Claim(
        "prop-one-private-tree",
        status="proved+checked",
        code=("fdpedu.robust.certificate.require_certifiable",),
        checks=(
            Check(
                "two learners",
                "exact",
                "three β, worths and statements in steps of 1/{size}: the learner for which a rule fails, or none does",
                two_learners,
                lambda steps: product(
                    (Fraction(1, 20), Fraction(1, 4), Fraction(1, 2)),
                    (Fraction(k, steps) for k in range(steps + 1)),
                    (Fraction(k, 2 * steps) for k in range(2 * steps + 1)),
                ),
                6,
                24,
            ),
            Check(
                "refused",
                "exact",
                "splits by choices, by noisy histograms and by public coins, {size} trees each: which are certified",
                refused,
                lambda seeds: product(("choice", "histograms", "random"), range(seeds)),
                3,
                30,
            ),
        ),
        assumptions=("a rule that does not know the mechanism", "there are splits worth 0"),
        uses=("def-dp",),
    ),
    Claim(
        "thm-one-tree-certificate",
        status="proved+checked",
        code=("fdpedu.robust.certificate", "fdpedu.robust.certificate.certify"),
        checks=(
            Check(
                "coverage",
                "exact",
                "{size} trees of one and two leaves, up to two forged rows, all released leads of a window: what is "
                "stated, and how likely it is to be below the least mean accuracy",
                covered,
                lambda size: COVERED[:size],
                3,
            ),
            Check(
                "larger counts",
                "exact",
                "{size} trees of two leaves, at three ε: which class a leaf is labelled",
                of_larger_counts,
                lambda seeds: product(range(seeds), (Fraction(1, 7), Fraction(1, 2), Fraction(3))),
                15,
                500,
            ),
            Check(
                "targets",
                "property",
                "{size} random targets and released counts: the most rows that leave the target",
                targets,
                random_leads,
                12,
                1000,
            ),
        ),
        assumptions=(ADD_REMOVE, FORGER, MEAN, "public splits, two classes, integers", "bounds are rounded down"),
        uses=("lem-gap-law", "thm-post-processing", "thm-structured-poisoning"),
    ),
)

TWINS = (
    Broken(
        "a certificate for private splits",
        "fdpedu.robust.certificate.require_certifiable",
        "if tree.design is None or not tree.design.public_splits:",
        "if tree.design is None:",
        "The splits are released and private, so they may be taken as given.",
        "prop-one-private-tree",
        "refused",
    ),
    Broken(
        "each leaf at the whole confidence",
        "fdpedu.robust.certificate._released_leaves",
        "miss = (1 - confidence) / len(releases)",
        "miss = 1 - confidence",
        "Leaves are disjoint, so each of them may fail with the whole probability.",
        "thm-one-tree-certificate",
        "coverage",
    ),
    Broken(
        "the released lead taken for the true one",
        "fdpedu.robust.certificate._released_leaves",
        "least_reach(rate, miss)",
        "0",
        "Noise has the mean 0, so the released lead is as good as the true one.",
        "thm-one-tree-certificate",
        "coverage",
    ),
    Broken(
        "released counts for test rows",
        "fdpedu.robust.certificate._released_leaves",
        "_leaf(n_test.tolist(), release.counts",
        "_leaf([max(1, n) for n in release.counts], release.counts",
        "How the rows of a leaf are divided is released, so no test rows are needed.",
        "thm-one-tree-certificate",
        "coverage",
    ),
    Broken(
        "the label that the tree has is the better one",
        "fdpedu.robust.certificate._leaf",
        "better = int(n_test[1] > n_test[0])",
        "better = int(counts[1] > counts[0])",
        "A leaf's label is the class that more rows have, so the one that is right more often.",
        "thm-one-tree-certificate",
        "coverage",
    ),
)
