"""Checks of chapter 10: a tree that is grown only where rows are, beside one that is grown whole."""

from __future__ import annotations

import numpy as np

from fdpedu.claims.checking import require
from fdpedu.experiments import Faults, Sample, Setting, Variant, choosing, counting, draw_sample, grow_runs
from fdpedu.experiments.budget import Budget

FAR = 5  # standard errors beyond which a difference is no chance
CLIPPED = Variant("clipped", Faults(), clip=True)
SETTING = Setting(5, 10, 2, 3, "0.3")


def labels_of_whole(sample: Sample, setting: Setting, epsilon: float, rng: np.random.Generator) -> np.ndarray:
    """Algorithm 5 on clipped counts, with every node grown, whether a row is in it or not: labels of the test rows."""
    budget = Budget(epsilon, setting, False, CLIPPED.faults, rng)
    ranges, p = counting.public_ranges(1, setting.p), setting.p
    codes, tests = (counting.bins_of(X, *ranges, strict=False) for X in (sample.X, sample.X_test))
    labels = np.full(len(tests), -1)

    def grow(rows: np.ndarray, test: np.ndarray, depth: int) -> None:
        here = np.zeros(len(rows), dtype=np.int64)
        if depth < setting.max_depth:
            counts = counting.histograms(codes[rows], sample.y[rows], here, 1)
            counts = np.maximum(counts + budget.noise(p / np.array([budget.node]), counts.shape), 0)
            chosen = choosing.choose_split(counts, CLIPPED.faults)
            stopped = choosing.stops(counts.sum(axis=3), chosen.visited, CLIPPED.faults, saving=False)
            if chosen.found[0] and not stopped[0]:
                sides = [part[:, chosen.feature[0]] <= chosen.border[0] for part in (codes[rows], tests[test])]
                grow(rows[sides[0]], test[sides[1]], depth + 1)
                return grow(rows[~sides[0]], test[~sides[1]], depth + 1)
        counts = counting.class_counts(sample.y[rows], here, 1)
        noise = budget.noise(1 / np.array([budget.leaf]), counts.shape)
        labels[test] = choosing.leaf_labels(counts + noise, CLIPPED.faults)

    grow(np.arange(len(sample.y)), np.arange(len(tests)), 0)
    return labels


def same_law(epsilon: str, runs: int) -> None:
    """Correct test rows, their squares, and rows in regions without training rows: the means agree, two-sided."""
    sample = draw_sample(SETTING, CLIPPED.faults, np.random.default_rng(8))
    far = sample._replace(X_test=np.full((2, 2), 3.9), y_test=np.array([0, 0]))  # where hardly a row is
    for seed, rows in enumerate((sample, far)):
        rng = np.random.default_rng([seed, 1])
        whole = [int((labels_of_whole(rows, SETTING, float(epsilon), rng) == rows.y_test).sum()) for _ in range(runs)]
        rng = np.random.default_rng([seed, 2])
        grown = grow_runs([rows] * runs, SETTING, CLIPPED, saving=False, epsilon=epsilon, rng=rng).correct
        for power in (1, 2):
            a, b = np.array(whole) ** power, grown**power
            error = np.sqrt((a.var(ddof=1) + b.var(ddof=1)) / runs)
            apart = (a.mean() - b.mean()) / error
            require(abs(apart) < FAR, f"means of correct rows{'²' * (power - 1)} are {apart:.1f} errors apart")
