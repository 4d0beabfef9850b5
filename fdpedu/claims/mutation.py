"""A bug as a changed line of the shipped code.

A :class:`Broken` names a function, a fragment of its source that stands there exactly once, and what stands there
instead. ``with broken.applied():`` compiles the changed source and lends its bytecode to the function itself, so that
the bug is in the very path that everybody uses, wherever the function was imported; on leaving, the shipped bytecode is
back. A fragment that is no longer there is an error: a twin cannot silently outlive the line that it breaks.

Not safe for threads: while it lasts, the bug is everywhere in the process.
"""

from __future__ import annotations

import importlib
import inspect
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FunctionType
from typing import Any


@dataclass(frozen=True)
class Broken:
    """One bug.

    Parameters
    ----------
    name : for people
    target : dotted path of the function, method or property
    shipped, replacement : a fragment of its source, and what the bug puts there
    misconception : what one has to believe to write it, in a sentence
    claim, check : what must catch it
    """

    name: str
    target: str
    shipped: str
    replacement: str
    misconception: str
    claim: str
    check: str

    @contextmanager
    def applied(self) -> Iterator[Broken]:
        """The shipped code with this bug, for the length of a ``with`` block."""
        function = _function(self.target)
        whole, mutated = function.__code__, self._mutated(function)
        if mutated.__code__.co_freevars != whole.co_freevars:
            raise ValueError(f"{self.target} closes over other variables than its source says")
        function.__code__ = mutated.__code__
        try:
            yield self
        finally:
            function.__code__ = whole

    def _mutated(self, function: FunctionType) -> FunctionType:
        source = textwrap.dedent(inspect.getsource(function))
        if source.count(self.shipped) != 1:
            raise ValueError(f"{self.shipped!r} must stand exactly once in {self.target}")
        scope = dict(function.__globals__)
        exec(compile(source.replace(self.shipped, self.replacement), f"<{self.name}>", "exec"), scope)
        return _plain(scope[function.__name__])

    def diff(self) -> str:
        """The changed fragment."""
        return f"{self.target}\n- {self.shipped}\n+ {self.replacement}"


def _function(path: str) -> FunctionType:
    parts = path.split(".")
    for i in range(len(parts), 0, -1):
        try:
            found: Any = importlib.import_module(".".join(parts[:i]))
        except ModuleNotFoundError:
            continue
        for name in parts[i:]:
            found = inspect.getattr_static(found, name)
        return _plain(found)
    raise ValueError(f"there is no {path}")


def _plain(found: Any) -> FunctionType:
    function = found.fget if isinstance(found, property) else getattr(found, "__func__", found)  # or a class method
    if not isinstance(function, FunctionType):
        raise ValueError(f"{found!r} is no function, method or property")
    return function
