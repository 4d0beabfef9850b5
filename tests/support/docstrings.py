"""What a docstring of the package must be: its parameters as they are, its sections kept apart."""

import importlib
import inspect
import pkgutil
import re
from collections.abc import Iterator
from functools import cached_property
from typing import Any, ClassVar

from numpydoc.docscrape import NumpyDocString, get_doc_object
from numpydoc.validate import Validator

import fdpedu

OURS = ("Contract", "Claims")  # paragraphs that begin with one of these words and a colon
LABELS = re.compile(r"Claims: [a-z0-9-]+(?: \([^()]+\))?(?:, [a-z0-9-]+(?: \([^()]+\))?)*")


class Sections(NumpyDocString):
    """numpydoc's parser, which also knows our paragraphs where they belong: before the first section and example."""

    sections: ClassVar[dict[str, Any]] = {**NumpyDocString.sections, **{name: [] for name in OURS}}

    def _parse(self) -> None:
        super()._parse()
        text = "\n".join(self["Extended Summary"])
        for paragraph in re.split(r"\n\s*\n", text.partition(">>>")[0]):
            name = paragraph.partition(":")[0]
            if name in OURS:
                self[name] = [*self[name], *paragraph.split("\n")]


def faults(thing: Any) -> list[str]:
    """What is wrong with the docstring of a function, a class, a method or a property; nothing if it has none."""
    docstring = inspect.getdoc(thing) if thing.__doc__ else None
    if not docstring:
        return []
    checked = Validator(get_doc_object(thing))
    found = [] if checked.num_summary_lines == 1 else ["SS06: the summary must fit in a single line"]
    if checked.doc_parameters and not isinstance(thing, (property, cached_property)):
        found += [f"{code}: {message}" for code, message in checked.parameter_mismatches]
    return found + _misplaced(docstring)


def _misplaced(docstring: str) -> list[str]:
    sections = Sections(docstring)
    found = []
    for name in OURS:
        lines = [line for line in docstring.split("\n") if line.lstrip().startswith(f"{name}:")]
        known = [line for line in sections[name] if line.startswith(f"{name}:")]
        if lines != known:
            found.append(f"{name}: it must be a paragraph of its own before the first section and the first example")
    wrong = [line for line in sections["Claims"] if not LABELS.fullmatch(line)]
    found += [f"Claims: it must be labels on one line, got {line!r}" for line in wrong]
    examples = sum(line.lstrip().startswith(">>>") for line in docstring.split("\n"))
    in_place = "\n".join(sections["Examples"] or sections["Extended Summary"]).count(">>>")
    if examples != in_place:
        found.append("Examples: where there are sections, examples must stand in one called Examples")
    return found


def public_things() -> Iterator[tuple[str, Any]]:
    """Everything public that a module of the package defines, and the public methods of its classes, by dotted path."""
    for module in map(importlib.import_module, _modules()):
        for name, thing in vars(module).items():
            own = getattr(thing, "__module__", None) == module.__name__
            if not name.startswith("_") and own and (inspect.isfunction(thing) or inspect.isclass(thing)):
                yield f"{module.__name__}.{name}", thing
                if inspect.isclass(thing):
                    yield from _methods(f"{module.__name__}.{name}", thing)


def _modules() -> Iterator[str]:
    return (m.name for m in pkgutil.walk_packages(fdpedu.__path__, "fdpedu.") if not m.name.endswith("__main__"))


def _methods(path: str, cls: type) -> Iterator[tuple[str, Any]]:
    for name, thing in vars(cls).items():
        plain = thing.__func__ if isinstance(thing, (classmethod, staticmethod)) else thing
        if not name.startswith("_") and (inspect.isfunction(plain) or isinstance(plain, (property, cached_property))):
            yield f"{path}.{name}", plain
