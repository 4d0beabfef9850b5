"""A whole study in one file: the correct test rows of each run, with the code, the seed and the number of runs.

From these any part can be made again, bit for bit: :func:`made_again` does so for one method and ε of one setting. This
holds for one version of NumPy. Scores are floats, so another processor may round one differently, and choose the other
of two splits that are equal.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from fdpedu.exact import as_integer, require_type
from fdpedu.experiments.protocol import VARIANTS
from fdpedu.experiments.study import Study
from fdpedu.experiments.tasks import Results
from fdpedu.files import Location, read_object, read_text, understood
from fdpedu.sources.gubler.setting import Setting

PLACE = ("figure", "n", "p", "max_depth", "rho", "leaf_share", "bounds_share")


@dataclass(frozen=True)
class Stored:
    """What a file holds.

    Parameters
    ----------
    code : fingerprint of the code that made the report's trees, see :func:`fdpedu.experiments.store.fingerprint`
    designs : fingerprint of that code and of the code that made the book's own trees; empty if it is not known
    seed, runs : of the study
    results : one for each setting and variant
    """

    code: str
    designs: str
    seed: int
    runs: int
    results: tuple[Results, ...]

    def of(self, variant: str, figure: int) -> list[Results]:
        """The results of a figure in a variant."""
        return [r for r in self.results if (r.variant.name, r.setting.figure) == (variant, figure)]


def stored_text(results: Iterable[Results], head: Mapping[str, Any]) -> str:
    """The text of a file, one line for each setting and variant, so that a change shows which.

    Parameters
    ----------
    results : what to keep
    head : "code", "designs", "seed", "runs", and whatever else says where and when it was measured
    """
    first = json.dumps(dict(head), ensure_ascii=False)
    lines = ",\n".join(json.dumps(_entry(r), ensure_ascii=False, separators=(",", ":")) for r in results)
    return f'{first[:-1]}, "settings": [\n{lines}\n]}}\n'


def read_stored(path: Location) -> Stored:
    """Read a file that :func:`stored_text` made.

    Raises
    ------
    ValueError
        If it cannot be read, or is not such a file.
    """
    content = read_object(read_text(path), str(path))
    return understood(str(path), lambda: _read(content))


def made_again(stored: Stored, found: Results, method: str, epsilon: Fraction | None) -> tuple[int, ...]:
    """The correct test rows of one method and ε of a setting, grown anew.

    Parameters
    ----------
    stored : whose seed and number of runs are taken
    found : one of its results
    method, epsilon : a key of ``found.correct``
    """
    require_type(stored, Stored, "stored")
    budgets = None if epsilon is None else (epsilon,)
    plan = Study((found.setting,), found.variant, (method,), budgets, stored.runs, stored.seed)
    tasks = [replace(task, methods=(method,)) for task in plan.tasks()]
    return tuple(count for task in tasks for count in task.run().correct[method, epsilon])


def _entry(found: Results) -> dict[str, Any]:
    place = {name: getattr(found.setting, name) for name in PLACE}
    place = {name: str(value) if isinstance(value, Fraction) else value for name, value in place.items()}
    correct = [[m, None if e is None else str(e), list(counts)] for (m, e), counts in found.correct.items()]
    return {"variant": found.variant.name, **place, "n_test": found.n_test, "correct": correct}


def _read(content: Mapping[str, Any]) -> Stored:
    runs = as_integer(content["runs"], "runs", minimum=2)
    results = tuple(_results(entry, runs) for entry in content["settings"])
    prints = str(content["code"]), str(content.get("designs", ""))
    return Stored(*prints, as_integer(content["seed"], "seed", minimum=0), runs, results)


def _results(entry: Mapping[str, Any], runs: int) -> Results:
    setting, n_test = Setting(**{name: entry[name] for name in PLACE}), entry["n_test"]
    correct = {(m, None if e is None else Fraction(e)): tuple(counts) for m, e, counts in entry["correct"]}
    for counts in correct.values():
        if len(counts) != runs or not all(isinstance(c, int) and 0 <= c <= n_test for c in counts):
            raise ValueError(f"expected {runs} numbers of correct test rows, from 0 to {n_test}")
    return Results(setting, VARIANTS[entry["variant"]], n_test, correct, {})
