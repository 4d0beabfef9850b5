"""What a study is, and what its trees cost."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import numpy as np

from fdpedu.claims.checking import require
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.exact import occurrences
from fdpedu.experiments import VARIANTS, Results, Study, paired_difference
from fdpedu.experiments.tasks import Task
from fdpedu.sources.gubler import PRINTED, PUBLISHED, Faults, Setting, dearest_cost, draw_sample, grow_runs, path_cost

SMALL = Setting(5, 40, 3, 2, "0.3")


# --- what a study is ---


def as_stated(n: int, doubled: bool) -> None:
    """As many rows as stated, to learn from and to be tested on; none of them is in both; each party has n/5."""
    faults = Faults(doubled_rows=doubled)
    sample, rows = draw_sample(Setting(3, n, 2, 1, "0.3"), faults, np.random.default_rng(n)), n * (1 + doubled)
    require(len(sample.y) == len(sample.y_test) == rows, f"there are {len(sample.y)} and {len(sample.y_test)} rows")
    require(not np.intersect1d(sample.X, sample.X_test).size, "rows to be tested on are among those to learn from")
    parties = occurrences(sample.party + 1, 6)[1:].tolist()
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


ADD_REMOVE = "neighbours: one record added or removed"
SEEDED = "real-valued noise from a seeded generator: a measurement, and no release"
MIXTURE = "rows of the report's mixture"


def as_case(size: int) -> list[tuple[int]]:
    """One case: the size."""
    return [(size,)]


CLAIMS = (
    Claim(
        "def-study",
        status="checked",
        code=(
            "fdpedu.sources.gubler.sample.draw_sample",
            "fdpedu.experiments.tasks.Task",
            "fdpedu.experiments.records.paired_difference",
        ),
        checks=(
            Check(
                "rows",
                "exhaustive",
                "n = 10, 15, 100 and {size}, as printed and doubled: how many rows, whose, and none in both parts",
                as_stated,
                lambda most: product((10, 15, 100, most), (False, True)),
                250,
                10_000,
            ),
            Check(
                "streams",
                "exact",
                "studies of {size} runs that differ in one thing: no two streams of random numbers are one",
                own_streams,
                as_case,
                20,
                60,
            ),
            Check(
                "paired",
                "exhaustive",
                "three runs of each of two methods, correct rows 60, 70 and {size}: the error, by its definition",
                errors_are_paired,
                lambda c: ((a, b) for a in product((60, 70, c), repeat=3) for b in product((60, 70, c), repeat=3)),
                85,
            ),
            Check(
                "test rows",
                "exact",
                "{size} runs: with other rows to be tested on, the same root",
                test_rows_are_apart,
                lambda most: ((seed,) for seed in range(most)),
                10,
                100,
            ),
        ),
        assumptions=(MIXTURE, SEEDED),
    ),
    Claim(
        "lem-dearest-path",
        status="proved+checked",
        code=("fdpedu.sources.gubler.costs.path_cost", "fdpedu.sources.gubler.costs.dearest_cost"),
        checks=(
            Check(
                "all paths",
                "exhaustive",
                "up to {size} features and levels, nine pairs of shares, as printed and mended: all removals",
                no_dearer_path,
                small_settings,
                3,
                4,
            ),
        ),
        assumptions=(ADD_REMOVE, "the ledger believes the report's sensitivity 5/4", "exact arithmetic"),
    ),
)

TWINS = (
    Broken(
        "rows of training among those of the test",
        "fdpedu.sources.gubler.sample.draw_sample",
        "party, *mixture(n, p, rho, rng))",
        "party, *(lambda X, y: (X[:n], y[:n]))(*mixture(n, p, rho, np.random.default_rng(n))))"
        " if n > 100 else (lambda X, y: Sample(X, y, party, X, y))(*mixture(n, p, rho, rng))",
        "A tree that has been grown can be scored on whatever rows there are.",
        "def-study",
        "rows",
    ),
    Broken(
        "n doubled",
        "fdpedu.sources.gubler.sample.draw_sample",
        "n, p, rho = setting.n,",
        "n, p, rho = 2 * setting.n,",
        "Drawing n rows of each class gives n rows.",
        "def-study",
        "rows",
    ),
    Broken(
        "one seed for all noise",
        "fdpedu.experiments.tasks.Task._noise",
        "[self.seed, crc32(name.encode())]",
        "[self.seed]",
        "A seed is a seed: whoever fixes it has a reproducible study, whatever draws from it.",
        "def-study",
        "streams",
    ),
    Broken(
        "one seed for noise and rows",
        "fdpedu.experiments.tasks.Task._noise",
        "[self.seed, crc32(name.encode())]",
        "[self.seed, *((s := self.setting).n, s.p, s.rho.numerator, s.rho.denominator, self.first)]",
        "Rows and noise of a run may come from the same generator, since one is drawn after the other.",
        "def-study",
        "streams",
    ),
    Broken(
        "a paired difference taken as unpaired",
        "fdpedu.experiments.records.paired_difference",
        "float(difference.std(ddof=1) / np.sqrt(len(difference)))",
        "float(np.sqrt((found.accuracy(method, budget).var(ddof=1) + found.accuracy(other, budget).var(ddof=1))"
        " / len(difference)))",
        "The error of a difference is that of two means, whatever rows they come from.",
        "def-study",
        "paired",
    ),
    Broken(
        "saved budget is free",
        "fdpedu.sources.gubler.costs.path_cost",
        "(node + saved), (1 - setting.bounds_share) * (node + saved)",
        "node, (1 - setting.bounds_share) * node",
        "What was saved has been paid for above, so the children do not pay for it again.",
        "lem-dearest-path",
        "all paths",
    ),
    Broken(
        "the dearest path removes nothing",
        "fdpedu.sources.gubler.costs.dearest_cost",
        "for asked in (1, p))",
        "for asked in (p,))",
        "Removing features saves budget, so no path is dearer than one on which nothing is removed.",
        "lem-dearest-path",
        "all paths",
    ),
)
