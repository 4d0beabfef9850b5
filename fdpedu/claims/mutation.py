"""A bug as a changed line of the shipped code.

A :class:`Broken` names a function, a fragment of its source that stands there exactly once, and what stands there
instead. ``with broken.applied():`` compiles the changed source and lends its bytecode to the function itself, so that
the bug is in the very path that everybody uses, wherever the function was imported; on leaving, the shipped bytecode is
back. A fragment that is no longer there is an error: a bug cannot silently outlive the line that it breaks.

What the package's functions remember (``lru_cache``) is forgotten on entering and on leaving. So a bug below such a
function is seen whatever ran before, and nothing that it computed is found afterwards.

Not safe for threads: while it lasts, the bug is everywhere in the process.
"""

from __future__ import annotations

import importlib
import inspect
import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
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
        _forget()
        try:
            yield self
        finally:
            function.__code__ = whole
            _forget()

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


def _forget() -> None:
    for remembering in _remembering(len(sys.modules)):
        remembering.cache_clear()


@lru_cache(maxsize=1)
def _remembering(n_modules: int) -> list[Any]:
    """All functions of the package with a cache, as long as there are so many modules."""
    modules = [module for name, module in sys.modules.items() if name.startswith("fdpedu.") and name != __name__]
    found = (value for module in modules for value in list(vars(module).values()))
    return [value for value in found if hasattr(value, "cache_clear")]


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
