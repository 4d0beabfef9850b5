"""A study: methods × settings × ε × runs, in tasks that any number of processes may share.

A task is a few runs of one setting, with all methods and every ε on the same rows. Its random numbers are named by what
it is: rows by (seed, data set, parties, run), noise by these and by everything else that the task, the method and ε are
made of. So a result depends neither on the number of processes nor on what else is in the study, and differences
between methods, depths and ε are differences on the same rows.

Tasks go through joblib where it is there (``pip install "fdpedu[data]"``): two processes of one machine, or by
``joblib.parallel_config(backend=…)`` whatever else joblib drives.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any
from zlib import crc32

import numpy as np

from fdpedu.datasets import DataSet
from fdpedu.exact import Rational, as_integer, as_list, as_positive_fraction, require_callable, require_type
from fdpedu.simulation.methods import needs_epsilon, plan_of
from fdpedu.simulation.parameters import Parameters
from fdpedu.simulation.rows import draw_rows
from fdpedu.simulation.runs import simulate
from fdpedu.trees.designs.base import TreeDesign

Method = str | TreeDesign
Progress = Callable[[int, int], object]
MAX_SEED = 2**63 - 1


@dataclass(frozen=True)
class Setting:
    """One cell of a study: where rows come from, among how many parties, and the parameters of the trees.

    Parameters
    ----------
    data : the law of the rows; its ``draw`` must be a function that another process can import
    n_parties : K
    max_depth, min_samples_split, leaf_share, bounds_share, lattice, tolerate : of :func:`simulate`
    """

    data: DataSet
    n_parties: int = 5
    max_depth: int = 5
    min_samples_split: int = 10
    leaf_share: Rational = "1/2"
    bounds_share: Rational = "1/4"
    lattice: int = 4
    tolerate: int = 0

    def __post_init__(self) -> None:
        require_type(self.data, DataSet, "data")
        object.__setattr__(self, "n_parties", as_integer(self.n_parties, "n_parties", minimum=1, maximum=10**6))
        for name, value in vars(Parameters(**self.parameters)).items():
            object.__setattr__(self, name, value)

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters of the trees."""
        names = ("max_depth", "min_samples_split", "leaf_share", "bounds_share", "lattice", "tolerate")
        return {name: getattr(self, name) for name in names}

    @property
    def key(self) -> str:
        """The setting in a line, the same one for the same numbers."""
        shares = {name: as_positive_fraction(getattr(self, name), name) for name in ("leaf_share", "bounds_share")}
        return f"{self.data.name}; K={self.n_parties}; " + "; ".join(
            f"{name}={value}" for name, value in {**self.parameters, **shares}.items()
        )


@dataclass(frozen=True)
class Task:
    """Some runs of a setting, with all methods and every ε.

    Parameters
    ----------
    setting : of all runs
    methods, epsilons : what is compared
    first, runs : the number of the first run, and how many there are
    seed : of the study
    """

    setting: Setting
    methods: tuple[Method, ...]
    epsilons: tuple[Fraction, ...]
    first: int
    runs: int
    seed: int

    @property
    def key(self) -> str:
        """What names the task and all its random numbers, but for methods and ε."""
        return f"{self.setting.key}; seed={self.seed}; runs {self.first}–{self.first + self.runs - 1}"

    def run(self) -> Result:
        """Draw the rows, grow the trees, count the test rows that they get right."""
        setting = self.setting
        of_rows = f"rows: {setting.data.name}; K={setting.n_parties}"
        seeds = [self._seed(of_rows, run) for run in range(self.first, self.first + self.runs)]
        rows = draw_rows(setting.data, setting.n_parties, seeds)
        correct = dict[tuple[str, str], tuple[int, ...]]()
        for method in self.methods:
            for epsilon in self.epsilons if needs_epsilon(method) else (None,):
                names = str(method), "" if epsilon is None else str(epsilon)
                rng = np.random.default_rng(self._seed(f"noise: {setting.key}; {names}", self.first))
                found = simulate(method, rows, epsilon=epsilon, rng=rng, **setting.parameters)
                correct[names] = tuple(found.tolist())
        return Result(self.key, setting, self.first, rows.n_test, correct)

    def _seed(self, purpose: str, run: int) -> np.random.SeedSequence:
        """The stream of random numbers for one purpose: the child of that number of the purpose's sequence."""
        return np.random.SeedSequence([self.seed, crc32(purpose.encode())], spawn_key=(run,))


@dataclass(frozen=True)
class Result:
    """What a task found: for each method and ε (as texts, "" for none) the correct test rows of each run.

    Parameters
    ----------
    key : the task's
    setting : the task's
    first : the number of the first run
    n_test : how many test rows each run has
    correct : one integer for each run
    """

    key: str
    setting: Setting = field(repr=False)
    first: int
    n_test: int
    correct: dict[tuple[str, str], tuple[int, ...]]

    def to_json(self) -> dict[str, Any]:
        """The same as plain data: key, first, n_test, and correct as a list of [method, ε, integers]."""
        listed = [[*names, list(found)] for names, found in self.correct.items()]
        return {"key": self.key, "first": self.first, "n_test": self.n_test, "correct": listed}


@dataclass(frozen=True)
class Study:
    """Methods × settings × ε × runs.

    Parameters
    ----------
    settings : at least one
    methods : names of :data:`METHODS`, or designs
    epsilons : what a tree costs; none is needed if no method is private
    runs : of each setting
    seed : of all random numbers
    chunk : how many runs make a task. They share a stream of noise, so results depend on it

    Examples
    --------
    >>> from fdpedu.datasets import BENCHMARK
    >>> study = Study([Setting(BENCHMARK[0])], ["central", "default"], [1], runs=4, chunk=2)
    >>> [result.first for result in study.results()]
    [0, 2]
    """

    settings: tuple[Setting, ...]
    methods: tuple[Method, ...]
    epsilons: tuple[Fraction, ...]
    runs: int = 50
    seed: int = 0
    chunk: int = 25

    def __post_init__(self) -> None:
        settings, methods = as_list(self.settings, "settings"), as_list(self.methods, "methods")
        epsilons = [as_positive_fraction(epsilon, "epsilons") for epsilon in as_list(self.epsilons, "epsilons")]
        for setting in settings:
            require_type(setting, Setting, "settings")
        for name, least, most in (("runs", 1, 10**6), ("seed", 0, MAX_SEED), ("chunk", 1, 10**6)):
            object.__setattr__(self, name, as_integer(getattr(self, name), name, minimum=least, maximum=most))
        for name, value in (("settings", settings), ("methods", methods), ("epsilons", epsilons)):
            object.__setattr__(self, name, tuple(value))
        self._require_plans()

    def _require_plans(self) -> None:
        """Refuse here what some task would refuse."""
        for setting in self.settings:
            given = Parameters(**setting.parameters)
            for method in self.methods:
                private = needs_epsilon(method)
                if private and not self.epsilons:
                    raise ValueError(f"epsilons must name at least one ε: {method} is private")
                for epsilon in self.epsilons if private else (None,):
                    plan_of(method, setting.data.domain, setting.n_parties, epsilon, given)

    def tasks(self) -> tuple[Task, ...]:
        """All tasks, setting by setting."""
        firsts = range(0, self.runs, self.chunk)
        return tuple(
            Task(setting, self.methods, self.epsilons, first, min(self.chunk, self.runs - first), self.seed)
            for setting in self.settings
            for first in firsts
        )

    def results(self, jobs: int = 1, *, done: Iterable[str] = (), progress: Progress | None = None) -> Iterator[Result]:
        """The results of the tasks in their order, each as soon as it and those before it are there.

        Parameters
        ----------
        jobs : how many processes; more than one needs joblib
        done : keys of tasks that are left out
        progress : called with the number of tasks done and of all
        """
        workers = as_integer(jobs, "jobs", minimum=1, maximum=10**4)
        if progress is not None:
            require_callable(progress, "progress")
        left_out = as_list(done, "done")
        if not all(isinstance(key, str) for key in left_out):
            raise ValueError("done must be keys of tasks, which are texts")
        return _with_progress([task for task in self.tasks() if task.key not in left_out], workers, progress)


def _with_progress(tasks: list[Task], jobs: int, progress: Progress | None) -> Iterator[Result]:
    """Each task's result, in order, and after each how many there are."""
    for number, result in enumerate(_all(tasks, jobs), 1):
        if progress is not None:
            progress(number, len(tasks))
        yield result


def _all(tasks: list[Task], jobs: int) -> Iterator[Result]:
    """Each task's result, in order."""
    if jobs == 1:
        yield from map(Task.run, tasks)
        return
    try:
        import joblib
    except ImportError as reason:
        raise ValueError('several jobs need joblib: pip install "fdpedu[data]", or leave jobs=1') from reason
    yield from joblib.Parallel(jobs, return_as="generator")(joblib.delayed(Task.run)(task) for task in tasks)
