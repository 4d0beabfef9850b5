"""Running experiments: a plan of settings, in tasks whose results do not depend on how many processes share them.

Several processes are driven by joblib: two of one machine, or by ``joblib.parallel_config(backend="dask")`` the workers
of a cluster. Each worker compares the fingerprint of its code, and its version of NumPy, with the sender's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from fdpedu.exact import Rational, as_integer, as_list, quoted, require_type
from fdpedu.experiments.designs import DESIGN_METHODS
from fdpedu.experiments.protocol import EPSILON_OF_FIGURE_2, EPSILONS, MAX_RUNS, METHODS, RUNS, VARIANTS, settings
from fdpedu.experiments.store import fingerprint
from fdpedu.experiments.tasks import OWN, Results, Task
from fdpedu.sources.gubler.setting import Setting, Variant, as_budget

CHUNK = 10
_HIGHEST_SEED = 2**63 - 1


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
        foreign = [name for name in names if name in DESIGN_METHODS]
        if foreign and self.variant.faults.names() not in ((), ("undivided_bounds",)):
            raise ValueError(
                f"{foreign[0]} is a tree of the book, which has no faults of the published code to run with"
            )
        object.__setattr__(self, "methods", tuple(dict.fromkeys(names)))
        if self.epsilons is not None:
            budgets = [as_budget(epsilon) for epsilon in as_list(self.epsilons, "epsilons")]
            if not budgets:
                raise ValueError("epsilons must be one or more numbers")
            object.__setattr__(self, "epsilons", tuple(dict.fromkeys(budgets)))
        for name, least, most in (("runs", 2, MAX_RUNS), ("seed", 0, _HIGHEST_SEED)):
            object.__setattr__(self, name, as_integer(getattr(self, name), name, minimum=least, maximum=most))

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
        budgets = None if epsilons is None else tuple(map(as_budget, epsilons))
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
        jobs : how many processes share the tasks; nothing else depends on it. More than one are joblib's, and within
            ``joblib.parallel_config(backend=…)`` they are whatever this back end has, such as all workers of a cluster
        keep : runs one task instead of ``Task.run``, such as :class:`fdpedu.experiments.store.Store`; on a cluster it
            runs on the workers, so its folder must be one that all of them see
        progress : called with the number of tasks done and of all

        Raises
        ------
        ValueError
            If a worker has other code than this process, or another version of NumPy: its results might be others.
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
    known = (*METHODS, *(own for own in OWN if own not in METHODS), *DESIGN_METHODS)
    if not isinstance(name, str) or name not in known:
        raise ValueError(f"method must be one of {', '.join(known)}, got {quoted(name)}")


def _worked(tasks: Sequence[Task], run: Callable[[Task], Results], jobs: int) -> Iterator[Results]:
    if jobs == 1 or len(tasks) == 1:
        yield from map(run, tasks)
        return
    try:
        import joblib
    except ImportError as reason:
        raise ValueError('several jobs need joblib: pip install "fdpedu[data]", or set jobs to 1') from reason
    here = _made_by()
    shared = joblib.Parallel(min(jobs, len(tasks)), return_as="generator")
    yield from shared(joblib.delayed(_as_here)(here, run, task) for task in tasks)


def _as_here(made_by: str, run: Callable[[Task], Results], task: Task) -> Results:
    """Run a task that another process sent, if this one would have sent the same."""
    if made_by != (here := _made_by()):
        raise ValueError(f"a worker has {here} where the sender has {made_by}: install the same versions on both")
    return run(task)


def _made_by() -> str:
    return f"fdpedu of code {fingerprint()} and NumPy {np.__version__}"


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
