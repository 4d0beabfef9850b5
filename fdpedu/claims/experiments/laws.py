"""Checks of chapter 10: what a study is, what its trees tell and cost, and what comes of them."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import numpy as np

from fdpedu.claims.checking import require
from fdpedu.experiments import (
    PRINTED,
    PUBLISHED,
    VARIANTS,
    Faults,
    Results,
    Sample,
    Setting,
    Study,
    Variant,
    counting,
    dearest_cost,
    draw_sample,
    grow_runs,
    paired_difference,
    path_cost,
)
from fdpedu.experiments.read_off import READ_OFF, deviations
from fdpedu.experiments.tasks import Task

SMALL = Setting(5, 40, 3, 2, "0.3")
FAR = 5  # standard errors beyond which a difference is no chance


# --- what a study is ---


def as_stated(n: int, doubled: bool) -> None:
    """As many rows as stated, to learn from and to be tested on; none of them is in both; each party has n/5."""
    faults = Faults(doubled_rows=doubled)
    sample, rows = draw_sample(Setting(3, n, 2, 1, "0.3"), faults, np.random.default_rng(n)), n * (1 + doubled)
    require(len(sample.y) == len(sample.y_test) == rows, f"there are {len(sample.y)} and {len(sample.y_test)} rows")
    require(not np.intersect1d(sample.X, sample.X_test).size, "rows to be tested on are among those to learn from")
    parties = np.bincount(sample.party + 1, minlength=6)[1:].tolist()
    require(parties == [n // 5] * 5, f"the parties have {parties} rows")


def tasks(runs: int) -> list[Task]:
    """The tasks of small studies that differ in one thing."""
    studies = [
        Study((setting,), variant, epsilons=(Fraction(1), Fraction(2)), runs=runs, seed=seed)
        for setting in (SMALL, Setting(5, 40, 3, 3, "0.3"))
        for variant in (VARIANTS["printed"], VARIANTS["published"])
        for seed in (0, 1)
    ]
    return [task for study in studies for task in study.tasks()]


def own_streams(runs: int) -> None:
    """No two of the noises, and no noise and no rows, come from one stream of random numbers."""
    noises = [task._noise(m, e) for task in tasks(runs) for m in ("algorithm-5", "algorithm-6") for e in task.epsilons]
    of_rows = [task._sample(run) for task in tasks(runs)[:1] for run in range(task.first, task.first + task.runs)]
    words = [tuple(noise.standard_normal(4)) for noise in noises]
    require(len(set(words)) == len(words), "two methods, budgets, settings or tasks have the same noise")
    require(len({float(sample.X[0, 0]) for sample in of_rows}) == len(of_rows), "two runs have the same rows")
    drawn = {float(value) for sample in of_rows for value in sample.X.ravel()}
    task = tasks(runs)[0]
    rng = np.random.default_rng(np.random.SeedSequence([task.seed, 40, 3, 3, 10, task.first]))
    require(float(task._sample(task.first).X[0, 0]) in drawn, "rows do not depend on (seed, n, p, ρ, run) alone")
    require(rng.standard_normal() != task._noise("algorithm-5", Fraction(1)).standard_normal(), "rows and noise agree")


def errors_are_paired(first: tuple[int, ...], second: tuple[int, ...]) -> None:
    """The error of a difference is that of the differences of runs, by its definition."""
    counts: dict[tuple[str, Fraction | None], tuple[int, ...]] = {("local", None): first, ("central", None): second}
    found = Results(SMALL, VARIANTS["printed"], 100, counts, {})
    mean, error = paired_difference(found, "central", "local", 1)
    d = [Fraction(b - a, 100) for a, b in zip(first, second, strict=True)]
    average = sum(d, Fraction(0)) / len(d)
    variance = sum(((one - average) ** 2 for one in d), Fraction(0)) / (len(d) - 1) / len(d)
    require(abs(mean - float(average)) < 1e-12, f"the mean is {float(average)}, not {mean}")
    require(abs(error**2 - float(variance)) < 1e-12, f"the variance of the mean is {float(variance)}, not {error**2}")


def test_rows_are_apart(seed: int) -> None:
    """With other rows to be tested on, the same tree is grown, from the same noise."""
    one, other = (draw_sample(SMALL, PUBLISHED, np.random.default_rng([seed, k])) for k in (0, 1))
    moved = one._replace(X_test=other.X_test[:1], y_test=other.y_test[:1])
    both = [grow_runs([rows], SMALL, VARIANTS["published"], saving=True, epsilon=50, rng=None) for rows in (one, moved)]
    require(both[0].roots.tolist() == both[1].roots.tolist(), "the root depends on the rows to be tested on")


# --- what trees cost ---


def no_dearer_path(setting: Setting, faults: Faults) -> None:
    """Of all that may be removed, on paths of all lengths, the stated maximum is the maximum."""
    lengths = range(setting.max_depth + 1)
    paths = [path for k in lengths for path in product(range(1, setting.p + 1), repeat=k)]
    most, stated = max(path_cost(path, 1, setting, faults) for path in paths), dearest_cost(1, setting, faults)
    require(most == stated, f"the dearest path costs {most}, and {stated} is stated")


def small_settings(most: int) -> Iterator[tuple[Setting, Faults]]:
    """p and depth up to 3, several shares, as printed and mended."""
    shares = ("1/10", "1/4", "9/10")
    for p, depth, leaf, bounds in product(range(1, most + 1), range(1, most + 1), shares, shares):
        for faults in (PRINTED, Faults()):
            yield Setting(3, 250, p, depth, 0, leaf, bounds), faults


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
    told = [
        bool(counting.some_party_lacks_class_1(y, party, at, 1)[0])
        for _, y, party, at in (node(*rows), node(*rows, (0.0, 1, 4)))
    ]
    require(told[0] == told[1], "all bounds are infinite until the fifth party has a row of class 1")


def counts_move_by_one(n: int) -> None:
    """One record more moves the two counts of a leaf by 1 together."""
    before, after = (counting.short_counts(np.array([counts], dtype=float)) for counts in ((n, 0), (n, 1)))
    moved = float(abs(before - after).sum())
    require(moved <= 1, f"one record of class 1 moves the counts of {n} of class 0 by {moved:g}")


def emptiness_is_not_told(seeds: int) -> None:
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


# --- what comes of them ---


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
