"""The published studies: what their trees reveal, and what came of them."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from fdpedu.claims.checking import require
from fdpedu.claims.experiments.studies import ADD_REMOVE, MIXTURE, SEEDED, as_case
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.experiments import VARIANTS, Study, paired_difference
from fdpedu.experiments.read_off import READ_OFF, deviations
from fdpedu.sources.gubler import Faults, Sample, Setting, Variant, counting, draw_sample, grow_runs

FAR = 5  # standard errors beyond which a difference is no chance


def node(*rows: tuple[float, int, int]) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Values, classes and parties of rows of one node."""
    X, y, party = (np.array(part) for part in zip(*rows, strict=True))
    return X[:, None].astype(float), y, party, np.zeros(len(rows), dtype=np.int64)


def limits_are_public(n: int) -> None:
    """One record more leaves the limits of the bins where they are."""
    rows = [(k / n, 0, 0) for k in range(n)]
    before, after = (counting.raw_ranges(X, at, 1) for X, _, _, at in (node(*rows), node(*rows, (3.0, 0, 0))))
    require(before.high[0, 0] == after.high[0, 0], f"the last bin ends at {before.high[0, 0]:g}, then at 3, the record")


def bounds_stay_finite(n: int) -> None:
    """One record more leaves infinite bounds infinite, and finite ones finite."""
    rows = [(0.0, 1, k) for k in range(4)] + [(0.0, 0, 4)] * n
    infinite = [
        bool(counting.some_party_lacks_class_1(y, party, at, 1)[0])
        for _, y, party, at in (node(*rows), node(*rows, (0.0, 1, 4)))
    ]
    require(infinite[0] == infinite[1], "all bounds are infinite until the fifth party has a row of class 1")


def counts_move_by_one(n: int) -> None:
    """One record more moves the two counts of a leaf by 1 together."""
    before, after = (counting.short_counts(np.array([counts], dtype=float)) for counts in ((n, 0), (n, 1)))
    moved = float(abs(before - after).sum())
    require(moved <= 1, f"one record of class 1 moves the counts of {n} of class 0 by {moved:g}")


def emptiness_is_not_released(seeds: int) -> None:
    """What has probability 0 with one record less has probability 0: here, that the root is split."""
    setting, variant = Setting(3, 20, 1, 1, 0), Variant("one-fault", Faults(empty_child_is_leaf=True))
    X, y, party, _ = node(*[(0.0, k % 2, k % 5) for k in range(20)])
    less = Sample(X, y, party, X, y)
    more = Sample(np.append(X, [[3.0]], 0), np.append(y, 1), np.append(party, 0), X, y)
    split = [
        any(
            grow_runs([rows], setting, variant, saving=False, epsilon=1, rng=np.random.default_rng(k)).roots[0, 0] >= 0
            for k in range(seeds)
        )
        for rows in (less, more)
    ]
    require(split[0] == split[1], "20 equal rows are never split; with another one beside them they may be")


def agrees_with_the_figures(setting: Setting, runs: int) -> None:
    """With all faults, both algorithms have the accuracies that were read off the report's figures."""
    epsilons = tuple(e for m, e in READ_OFF[setting] if m == "algorithm-5" and e is not None)
    study = Study((setting,), VARIANTS["published"], ("algorithm-5", "algorithm-6"), epsilons, runs, seed=10)
    for (method, epsilon), z in deviations(study.results()[0]).items():
        require(abs(z) < FAR, f"{method} at ε = {epsilon} lies {z:.1f} standard errors from the figure")


def saving_is_not_worse(variant: str, epsilon: str, runs: int) -> None:
    """Algorithm 6 is not less accurate than Algorithm 5, beyond chance."""
    setting = Setting(3, 250, 10, 5, "0.3")
    found = Study((setting,), VARIANTS[variant], ("algorithm-5", "algorithm-6"), (Fraction(epsilon),), runs).results()
    mean, error = paired_difference(found[0], "algorithm-6", "algorithm-5", epsilon)
    require(mean > -FAR * error, f"Algorithm 6 is less accurate by {-mean:.3f} ± {error:.3f}")


def saving_changes_little(runs: int) -> None:
    """Paid for, with true bounds on a public grid and clipped counts, the algorithms differ by less than .025."""
    settings = [Setting(3, 250, p, 5, rho) for p, rho in ((10, "0.3"), (25, "0.9"))]
    methods, epsilons = ("algorithm-5", "algorithm-6"), (Fraction(6, 5), Fraction(10))
    found = Study(tuple(settings), VARIANTS["corrected"], methods, epsilons, runs, seed=3).results()
    each = [paired_difference(one, "algorithm-6", "algorithm-5", e) for one in found for e in epsilons]
    mean, error = np.mean([m for m, _ in each]), np.sqrt(sum(s**2 for _, s in each)) / len(each)
    require(abs(mean) < 0.025, f"over {len(each)} points Algorithm 6 is better by {mean:.3f} ± {error:.3f}")
    require(abs(mean) < FAR * error, f"over {len(each)} points Algorithm 6 is better by {mean:.3f} ± {error:.3f}")


def noise_helps(runs: int) -> None:
    """At depth 10 and ε = 10 the tree is more accurate than the same without noise."""
    setting, variant = Setting(3, 250, 25, 10, "0.9"), VARIANTS["corrected"]
    rows = [draw_sample(setting, variant.faults, np.random.default_rng([10, run])) for run in range(runs)]
    noisy, plain = (
        grow_runs(rows, setting, variant, saving=False, epsilon=10, rng=rng).correct / setting.n
        for rng in (np.random.default_rng(10), None)
    )
    gain = float((noisy - plain).mean())
    require(gain > 0, f"noise changes the accuracy by {gain:.3f}")


def _points(runs: int) -> list[tuple[Setting, int]]:
    return [(setting, runs) for setting in READ_OFF]


CLAIMS = (
    Claim(
        "published-trees-are-private",
        status="refuted as stated",
        code=("fdpedu.sources.gubler.costs.epsilon_spent",),
        checks=(
            Check(
                "limits of bins",
                "exact",
                "{size} rows of a node, and one record more: where the bins end",
                limits_are_public,
                as_case,
                10,
            ),
            Check(
                "infinite bounds",
                "exact",
                "{size} rows of class 0 at a party without class 1, and one of class 1 more",
                bounds_stay_finite,
                as_case,
                3,
            ),
            Check(
                "short counts",
                "exact",
                "a leaf of {size} rows of class 0, and one of class 1 more: the counts that noise is added to",
                counts_move_by_one,
                as_case,
                100,
            ),
            Check(
                "empty children",
                "exact",
                "20 equal rows, and one record elsewhere: is the root ever split, in {size} trees?",
                emptiness_is_not_released,
                as_case,
                40,
            ),
        ),
        assumptions=(ADD_REMOVE, "an outsider who sees the tree", "noise as the published code draws it"),
        corrected_by="thm-federated-tree",
    ),
    Claim(
        "alg-published-study",
        status="checked",
        code=("fdpedu.sources.gubler.growing.grow_runs",),
        checks=(
            Check(
                "figures",
                "statistical",
                "{size} runs of 18 points, beside 50 runs of the report: within five standard errors, two-sided",
                agrees_with_the_figures,
                _points,
                30,
                400,
                alpha=1e-3,
            ),
        ),
        assumptions=(MIXTURE, SEEDED, "accuracies read off to three decimals"),
    ),
    Claim(
        "saving-strictly-improves",
        status="refuted as stated",
        code=("fdpedu.sources.gubler.growing.grow_runs",),
        checks=(
            Check(
                "as printed",
                "statistical",
                "{size} runs at n=250, p=10, depth 5, ρ=.3, ε=1.2: not worse by five standard errors",
                saving_is_not_worse,
                lambda runs: [("printed", "1.2", runs)],
                20,
                alpha=1e-4,
            ),
        ),
        assumptions=(MIXTURE, SEEDED, "counts neither clipped nor corrected, as Algorithm 4 is printed"),
        corrected_by="alg-mended-saving",
    ),
    Claim(
        "alg-mended-saving",
        status="checked",
        code=("fdpedu.sources.gubler.growing.grow_runs",),
        checks=(
            Check(
                "pooled",
                "statistical",
                "{size} runs at n=250, depth 5, two pairs (p, ρ), ε = 1.2 and 10: the pooled difference, two-sided",
                saving_changes_little,
                as_case,
                20,
                100,
                alpha=1e-4,
            ),
        ),
        assumptions=(MIXTURE, SEEDED),
    ),
    Claim(
        "alg-noise-regularises",
        status="checked",
        code=("fdpedu.sources.gubler.growing.grow_runs",),
        checks=(
            Check(
                "with and without noise",
                "statistical",
                "{size} runs: the mean of the paired differences lies above 0",
                noise_helps,
                as_case,
                60,
                300,
                alpha=0.002,
            ),
        ),
        assumptions=(MIXTURE, SEEDED, "a true difference of .015 with a deviation of .04 a run, as in 150 runs"),
    ),
)

TWINS = (
    Broken(
        "a party without class 1 has the bound 0",
        "fdpedu.sources.gubler.growing._Forest._bounds",
        "= np.inf",
        "= 0",
        "It does not matter for the accuracy what a party without rows of class 1 reports.",
        "alg-published-study",
        "figures",
    ),
)
