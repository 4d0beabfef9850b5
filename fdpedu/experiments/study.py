"""Running experiments: tasks of ten runs each, whose results do not depend on how many processes share them.

The rows of a run are named by (seed, n, p, ρ, run) and whether rows are doubled: all methods, budgets, depths and
shares see the same rows, so their differences are paired. Noise is named by (seed, setting, variant, method, ε, first
run of the task), so nothing else changes it. The two baselines have no ε; they are fitted once and stand at every ε.

What is kept is the number of correct test rows of each run, an integer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from fractions import Fraction
from hashlib import sha256
from typing import Any
from zlib import crc32

import numpy as np

from fdpedu.exact import Rational, as_integer, as_list, as_positive_fraction, quoted, require_type
from fdpedu.experiments.growing import grow_runs
from fdpedu.experiments.protocol import (
    BASELINES,
    EPSILON_OF_FIGURE_2,
    EPSILONS,
    METHODS,
    MIN_SAMPLES,
    MOST_RUNS,
    RUNS,
    VARIANTS,
    Setting,
    Variant,
    settings,
)
from fdpedu.experiments.sample import Sample, draw_sample

CHUNK = 10
CLIPPED = "-clipped"
OWN = ("algorithm-5", "algorithm-6", "algorithm-5-clipped", "algorithm-6-clipped")
_HIGHEST_SEED = 2**63 - 1


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
        numbers = [self.seed, s.n, s.p, s.rho.numerator, s.rho.denominator, run]
        return draw_sample(s, self.variant.faults, np.random.default_rng(np.random.SeedSequence(numbers)))

    def _noise(self, method: str, epsilon: Fraction) -> np.random.Generator:
        name = f"{self.setting.key} {self.variant} {method} {epsilon} {self.first}"
        return np.random.default_rng(np.random.SeedSequence([self.seed, crc32(name.encode())]))

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


@dataclass(frozen=True)
class Study:
    """A plan: which settings of which variants, how many runs, and from which seed.

    Parameters
    ----------
    settings : one or more
    variant : one way to run them
    methods : for settings of Figures 3 to 5; Figure 2 has Algorithm 5 on the left and Algorithm 6 on the right
    epsilons : for settings of Figures 3 to 5; Figure 2 has ε = 5 unless others are given
    runs : repetitions, at least 2
    seed : an integer ≥ 0

    Examples
    --------
    >>> study = Study.of(3, "published", runs=20, p=10, max_depth=5, rho="0.3", epsilons=["1.2"])
    >>> len(study.settings), len(study.tasks())
    (1, 2)
    """

    settings: tuple[Setting, ...]
    variant: Variant
    methods: tuple[str, ...] = METHODS
    epsilons: tuple[Fraction, ...] | None = None
    runs: int = RUNS
    seed: int = 0

    def __post_init__(self) -> None:
        require_type(self.variant, Variant, "variant")
        given = as_list(self.settings, "settings")
        if not given or not all(isinstance(setting, Setting) for setting in given):
            raise ValueError("settings must be a list of Setting, one or more; settings(3) has those of Figure 3")
        object.__setattr__(self, "settings", tuple(given))
        names = as_list(self.methods, "methods")
        for name in names:
            require_method(name)
        object.__setattr__(self, "methods", tuple(dict.fromkeys(names)))
        if self.epsilons is not None:
            budgets = [as_positive_fraction(epsilon, "epsilons") for epsilon in as_list(self.epsilons, "epsilons")]
            if not budgets or max(budgets) > 10**6 or min(budgets) < Fraction(1, 10**6):
                raise ValueError("epsilons must be one or more numbers from 1e-6 to 1e6")
            object.__setattr__(self, "epsilons", tuple(dict.fromkeys(budgets)))
        as_integer(self.runs, "runs", minimum=2, maximum=MOST_RUNS)
        as_integer(self.seed, "seed", minimum=0, maximum=_HIGHEST_SEED)

    @classmethod
    def of(
        cls,
        figure: int,
        variant: str,
        *,
        runs: int = RUNS,
        seed: int = 0,
        epsilons: Sequence[Rational] | None = None,
        methods: Sequence[str] = METHODS,
        n: int | None = None,
        p: int | None = None,
        max_depth: int | None = None,
        rho: Rational | None = None,
    ) -> Study:
        """One figure of the report, or those of its settings that have the given p, depth and ρ.

        Values that the figure does not have, and another n, make settings of their own.
        """
        if not isinstance(variant, str) or variant not in VARIANTS:
            raise ValueError(f"variant must be one of {', '.join(VARIANTS)}, got {quoted(variant)}")
        asked = {"n": n, "p": p, "max_depth": max_depth, "rho": rho}
        chosen = {name: value for name, value in asked.items() if value is not None}
        found = tuple(dict.fromkeys(_varied(setting, chosen) for setting in settings(figure)))
        budgets = None if epsilons is None else tuple(as_positive_fraction(e, "epsilon") for e in epsilons)
        return cls(found, VARIANTS[variant], tuple(methods), budgets, runs, seed)

    def tasks(self) -> list[Task]:
        """All runs, ten a task."""
        return [
            Task(setting, self.variant, *self._asked(setting), self.seed, first, min(CHUNK, self.runs - first))
            for setting in self.settings
            for first in range(0, self.runs, CHUNK)
        ]

    def _asked(self, setting: Setting) -> tuple[tuple[str, ...], tuple[Fraction, ...]]:
        if setting.figure == 2:
            right = setting.bounds_share != Fraction(1, 4)
            return (METHODS[right],), self.epsilons or (EPSILON_OF_FIGURE_2,)
        return self.methods, self.epsilons or EPSILONS

    def results(
        self,
        *,
        jobs: int = 1,
        keep: Callable[[Task], Results] | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> list[Results]:
        """Run what is planned; one result for each setting.

        Parameters
        ----------
        jobs : how many processes share the tasks; nothing else depends on it
        keep : runs one task instead of ``Task.run``, such as :class:`fdpedu.experiments.store.Store`
        progress : called with the number of tasks done and of all
        """
        as_integer(jobs, "jobs", minimum=1, maximum=256)
        tasks, done = self.tasks(), []
        for result in _worked(tasks, keep or Task.run, jobs):
            done.append(result)
            if progress is not None:
                progress(len(done), len(tasks))
        each = -(-self.runs // CHUNK)
        return [_joined(done[at : at + each]) for at in range(0, len(done), each)]


def require_method(name: object) -> None:
    """Refuse what is no name of a method or of a design."""
    from fdpedu.experiments.designs import DESIGN_METHODS

    known = (*METHODS, *(own for own in OWN if own not in METHODS), *DESIGN_METHODS)
    if not isinstance(name, str) or name not in known:
        raise ValueError(f"method must be one of {', '.join(known)}, got {quoted(name)}")


def _worked(tasks: Sequence[Task], run: Callable[[Task], Results], jobs: int) -> Iterator[Results]:
    if jobs == 1 or len(tasks) == 1:
        yield from map(run, tasks)
        return
    with ProcessPoolExecutor(min(jobs, len(tasks))) as pool:
        yield from pool.map(run, tasks)


def _varied(setting: Setting, chosen: Mapping[str, Any]) -> Setting:
    s = setting
    given = {"n": s.n, "p": s.p, "max_depth": s.max_depth, "rho": s.rho, **chosen}
    return Setting(s.figure, **given, leaf_share=s.leaf_share, bounds_share=s.bounds_share)


def _joined(parts: Sequence[Results]) -> Results:
    """The runs of several tasks one after the other."""
    first = parts[0]
    correct = {key: tuple(count for part in parts for count in part.correct[key]) for key in first.correct}
    dearest = {key: tuple(path for part in parts for path in part.dearest[key]) for key in first.dearest}
    return replace(first, correct=correct, dearest=dearest)
