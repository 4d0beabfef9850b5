"""A task: ten runs of one setting and variant, all methods and budgets on the same rows; and what comes of it.

The rows of a run are named by (seed, n, p, ρ, run) and whether rows are doubled: all methods, budgets, depths and
shares see the same rows, so their differences are paired. Noise is named by (seed, setting, variant, method, ε, first
run of the task), so nothing else changes it. The two baselines have no ε; they are fitted once and stand at every ε.

What is kept is the number of correct test rows of each run, an integer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from hashlib import sha256
from typing import Any
from zlib import crc32

import numpy as np

from fdpedu.sources.gubler.growing import grow_runs
from fdpedu.sources.gubler.sample import Sample, draw_sample
from fdpedu.sources.gubler.setting import BASELINES, MIN_SAMPLES, Setting, Variant

CLIPPED = "-clipped"
OWN = ("algorithm-5", "algorithm-6", "algorithm-5-clipped", "algorithm-6-clipped")


@dataclass(frozen=True)
class Results:
    """What came of one setting and variant, for each method and ε.

    Parameters
    ----------
    setting, variant : of which experiment
    n_test : test rows of each run
    correct : for each method and ε the correct test rows of each run; baselines have the ε None
    dearest : for trees that save, the features asked along the dearest path of each run
    """

    setting: Setting
    variant: Variant
    n_test: int
    correct: Mapping[tuple[str, Fraction | None], tuple[int, ...]]
    dearest: Mapping[tuple[str, Fraction | None], tuple[tuple[int, ...], ...]]

    def accuracy(self, method: str, epsilon: Fraction | None) -> np.ndarray[Any, Any]:
        """Test accuracy of each run; that of a baseline whatever ε is."""
        own = None if method in BASELINES else epsilon
        return np.array(self.correct[method, own]) / self.n_test


@dataclass(frozen=True)
class Task:
    """Some runs of one setting and variant: all methods and budgets on the same rows.

    Claims: def-study

    Parameters
    ----------
    setting, variant : of which experiment
    methods : names of :data:`fdpedu.experiments.METHODS`, those with "-clipped" behind, or names of designs
    epsilons : budgets, as the algorithms book them
    seed : of the whole study
    first, runs : the numbers of the runs are first, …, first + runs − 1
    """

    setting: Setting
    variant: Variant
    methods: tuple[str, ...]
    epsilons: tuple[Fraction, ...]
    seed: int
    first: int
    runs: int

    @property
    def key(self) -> str:
        """The name of the task's file: the same in every process, another for every other task."""
        whole = f"{self.variant} {self.methods} {self.epsilons} {self.seed} {self.first} {self.runs}"
        return f"{self.variant.name}-{self.setting.key}-{self.first}-{sha256(whole.encode()).hexdigest()[:12]}"

    def run(self) -> Results:
        """Draw the rows, grow all trees, and count."""
        samples = [self._sample(run) for run in range(self.first, self.first + self.runs)]
        correct: dict[tuple[str, Fraction | None], tuple[int, ...]] = {}
        dearest: dict[tuple[str, Fraction | None], tuple[tuple[int, ...], ...]] = {}
        for method in self.methods:
            for epsilon in (None,) if method in BASELINES else self.epsilons:
                found, paths = self._grow(samples, method, epsilon)
                correct[method, epsilon] = tuple(int(count) for count in found)
                if paths:
                    dearest[method, epsilon] = paths
        return Results(self.setting, self.variant, len(samples[0].y_test), correct, dearest)

    def _sample(self, run: int) -> Sample:
        s = self.setting
        rho = s.rho.numerator, s.rho.denominator
        stream = np.random.SeedSequence([self.seed, s.n, s.p, *rho, run])
        rng = np.random.default_rng(stream)
        return draw_sample(s, self.variant.faults, rng)

    def _noise(self, method: str, epsilon: Fraction) -> np.random.Generator:
        own = self.setting.key, self.variant, method, epsilon, self.first
        name = " ".join(map(str, own))
        stream = np.random.SeedSequence([self.seed, crc32(name.encode())])
        return np.random.default_rng(stream)

    def _grow(
        self, samples: Sequence[Sample], method: str, epsilon: Fraction | None
    ) -> tuple[Sequence[int], tuple[tuple[int, ...], ...]]:
        """Correct test rows of each run, and the dearest paths of trees that save."""
        if epsilon is None:
            return [baseline(method, sample, self.setting, run) for run, sample in enumerate(samples, self.first)], ()
        rng, saving = self._noise(method, epsilon), method.startswith("algorithm-6")
        if method not in OWN:
            from fdpedu.experiments.designs import grow_design

            return grow_design(method, samples, self.setting, epsilon, rng), ()
        variant = replace(self.variant, clip=True) if method.endswith(CLIPPED) else self.variant
        grown = grow_runs(samples, self.setting, variant, saving=saving, epsilon=float(epsilon), rng=rng)
        return grown.correct.tolist(), grown.dearest if saving else ()


def baseline(method: str, sample: Sample, setting: Setting, run: int) -> int:
    """Correct test rows of scikit-learn's CART on all training rows ("central") or on those of party 0 ("local").

    It stops where a node has fewer than ten rows, as the report's trees do, and at the same depth.

    Parameters
    ----------
    method : "central" or "local"
    sample : the rows
    setting : the depth
    run : the seed of the order in which equal splits are looked at
    """
    from sklearn.tree import DecisionTreeClassifier

    X, y = (sample.X, sample.y) if method == "central" else sample.of_party(0)
    tree = DecisionTreeClassifier(max_depth=setting.max_depth, min_samples_split=MIN_SAMPLES, random_state=run)
    return int((tree.fit(X, y).predict(sample.X_test) == sample.y_test).sum())
