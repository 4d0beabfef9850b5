"""What the edition for students has in the place of references: the inputs, and what is expected for each of them.

That edition is a wheel of its own, which `tools/student.py` makes of the teachers' one. Its records of exercises are
written without references, wrong answers and explanations, and ask :func:`stored` for what ``stored.zip`` has of them.
An answer that is a value is stored as a digest, which says of a guess whether it is right, as the checker does, and no
more. What a function gives is stored as it is: whoever unpacks it has a table of values and no solution, as one also
gets it from the checker, which says what it expected. Nobody who tries all guesses in a loop is kept from either.

The edition for teachers has no such file.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from inspect import Parameter, Signature
from pathlib import Path
from typing import Any
from zipfile import ZipFile

from fdpedu.exercises.crossing import decode, encode
from fdpedu.exercises.values import close

FILE = Path(__file__).with_name("stored.zip")
_LARGEST_DENOMINATOR = 1000


def has_solutions() -> bool:
    """Is this the edition for teachers?"""
    return not FILE.exists()


def require_solutions(what: str) -> None:
    """Refuse, in the edition for students, what only teachers can do."""
    if not has_solutions():
        raise ValueError(f"{what} needs the edition for teachers: this is the one for students, without solutions")


class NotStored(Exception):
    """There is nothing stored for this input, which is none of the exercise's."""


class _LeftOut:
    def __repr__(self) -> str:
        return "(in the edition for teachers)"


LEFT_OUT = _LeftOut()
"""The reference of an exercise that asks for a value, where there is none."""


def stored(id: str) -> dict[str, Any]:
    """The fields of a record for which the edition for students has something else."""
    content = _content(id)
    if "digest" in content:
        right = content["digest"]
        more = {"agrees": lambda case, given, expected: digest(id, given) == right}
    elif "name" in content:
        more = {"size": lambda *case: 0}
    else:  # whatever is found is judged by what it is
        return {"reference": LEFT_OUT, "wrong": ()}
    reference = _reference(id, content) if "name" in content else LEFT_OUT
    return {"reference": reference, "wrong": (), "cases": lambda: _cases(id), **more}


@cache
def _content(id: str) -> dict[str, Any]:
    with ZipFile(FILE) as archive:
        return dict(json.loads(archive.read(f"{id}.json")))


@cache
def _cases(id: str) -> tuple[Any, ...]:
    return tuple(map(decode, _content(id)["cases"]))


@cache
def _expected(id: str) -> dict[str, Any]:
    content = _content(id)
    return dict(zip(map(json.dumps, content["cases"]), content["values"], strict=True))


def _reference(id: str, content: dict[str, Any]) -> Callable[..., Any]:
    """A function with the reference's name and parameters, which looks up what the reference gives."""

    def reference(*case: Any) -> Any:
        key = json.dumps(encode(case))
        if key not in _expected(id):
            raise NotStored
        return decode(_expected(id)[key])

    reference.__name__ = content["name"]
    parameters = [Parameter(name, Parameter.POSITIONAL_OR_KEYWORD) for name in content["parameters"]]
    vars(reference)["__signature__"] = Signature(parameters)
    return reference


def digest(id: str, value: Any) -> str:
    """One text for all values that are equal within rounding; exercises have different texts for the same value.

    >>> digest("", [0.5, 1]) == digest("", (Fraction(1, 2), 1.0)) != digest("", (1, 0.5))
    True
    """
    return hashlib.sha256(f"{id}: {_plain(value)}".encode()).hexdigest()


def _plain(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if isinstance(value, (int, float, Fraction)):
        near = Fraction(value).limit_denominator(_LARGEST_DENOMINATOR) if isinstance(value, float) else value
        return str(Fraction(near)) if close(value, near) else repr(value)
    return repr(value)
