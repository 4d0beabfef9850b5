"""Results on disk: one file for each task, kept as soon as it is done, so a study goes on where it was stopped.

A file's name is the task's key, and its content names the code that made it. A file of other code is no result and is
made anew; a file that was damaged is refused, as every document of the package is (:mod:`fdpedu.files`).
"""

from __future__ import annotations

import ast
from fractions import Fraction
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from fdpedu.exact import require_type
from fdpedu.experiments.designs import DESIGN_METHODS
from fdpedu.experiments.tasks import Results, Task
from fdpedu.files import as_path, dumps, loads, read_text, reason, understood, write_text

SCHEMA = "fdpedu-experiment/1"
_PACKAGE = Path(__file__).resolve().parents[1]
REPORT = (
    "datasets.synthetic",
    *(f"sources.gubler.{name}" for name in "budget choosing counting growing sample".split()),
    "experiments.tasks",
)
"""What the report's trees and the baselines are made by."""
DESIGNS = (
    *("experiments.designs", "experiments.protocol", "sources.gubler.faults", "sources.gubler.setting"),
    "simulation",
    *(f"sampling.{name}" for name in "__init__ alias blocks coins digits gaussians law polya_weights".split()),
    *("randomness", "exact.rate", "dlpa.shares"),
    *("domain.domain", "domain.features", "cart.grid", "cart.split", "histograms.clipping", "histograms.consistency"),
    *(f"trees.{name}" for name in "cell_noise costs counts designs.counts stopping subset".split()),
)
"""What the book's own trees are made by beside that, and what settings and variants are; a package is all its files."""


@cache
def fingerprint(modules: tuple[str, ...] = (*REPORT, *DESIGNS)) -> str:
    """A fingerprint of the code that results depend on, without its docstrings and comments.

    Parameters
    ----------
    modules : all of it, or :data:`REPORT`, without what only designs depend on

    Examples
    --------
    >>> len(fingerprint()), fingerprint() == fingerprint(REPORT)
    (16, False)
    """
    whole = sha256()
    for file in (file for name in modules for file in _files(name)):
        tree = ast.parse(file.read_text("utf8"))
        for node in ast.walk(tree):
            if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(node) is not None:
                node.body = node.body[1:]
        name = ".".join(file.relative_to(_PACKAGE).with_suffix("").parts)
        whole.update(f"{name}\0{ast.dump(tree)}\0".encode())
    return whole.hexdigest()[:16]


def _files(name: str) -> list[Path]:
    place = _PACKAGE.joinpath(*name.split("."))
    return sorted(place.glob("*.py")) if place.is_dir() else [place.with_suffix(".py")]


class Store:
    """A folder of finished tasks; called with a task, it reads the result or makes and keeps it.

    Parameters
    ----------
    folder : is made if it is not there
    """

    def __init__(self, folder: Path | str) -> None:
        self.folder = as_path(folder)
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ValueError(f"cannot write to {folder}: {reason(error)}") from None

    def __call__(self, task: Task) -> Results:
        """The result of a task."""
        require_type(task, Task, "task")
        code = fingerprint() if set(task.methods) & set(DESIGN_METHODS) else fingerprint(REPORT)
        place = self.folder / f"{task.key}.json"
        if place.exists():
            content = loads(read_text(place), SCHEMA, str(place))
            if content.get("code") == code:
                return understood(str(place), lambda: read_results(task, content["results"]))
        results = task.run()
        write_text(place, dumps(SCHEMA, {"task": task.key, "code": code, "results": written(results)}), overwrite=True)
        return results


def written(results: Results) -> dict[str, Any]:
    """Results as JSON: for each method and ε the correct test rows of each run, and what was asked.

    >>> from fdpedu.experiments.protocol import VARIANTS
    >>> from fdpedu.sources.gubler.setting import Setting
    >>> found = Results(Setting(3, 250, 10, 5, "0.3"), VARIANTS["printed"], 250, {("local", None): (180, 190)}, {})
    >>> written(found)["correct"]
    [['local', None, [180, 190]]]
    """
    return {
        "n_test": results.n_test,
        "correct": [[m, _text(e), list(counts)] for (m, e), counts in results.correct.items()],
        "dearest": [[m, _text(e), [list(path) for path in paths]] for (m, e), paths in results.dearest.items()],
    }


def read_results(task: Task, content: dict[str, Any]) -> Results:
    """The results that :func:`written` wrote, of the task that they belong to."""
    correct = {(m, _epsilon(e)): tuple(int(c) for c in counts) for m, e, counts in content["correct"]}
    dearest = {(m, _epsilon(e)): tuple(tuple(path) for path in paths) for m, e, paths in content["dearest"]}
    return Results(task.setting, task.variant, int(content["n_test"]), correct, dearest)


def _text(epsilon: Fraction | None) -> str | None:
    return None if epsilon is None else str(epsilon)


def _epsilon(text: str | None) -> Fraction | None:
    return None if text is None else Fraction(text)
