"""Every function of the module that returns an enclosure is held to independent values, at both of its ends."""

import inspect
from pathlib import Path

from fdpedu import dlpa
from fdpedu.exact import Enclosure

ENDS = (".lower", ".upper")


def annotations(name):
    return getattr(getattr(dlpa, name), "__annotations__", {})


def enclosing():
    """The public functions that return an enclosure, by what their signature says."""
    return {name for name in dlpa.__all__ if Enclosure.__name__ in str(annotations(name).get("return", ""))}


def test_both_ends_of_each_are_tested():
    """Somewhere among the module's tests there is one that calls it, and looks at its lower and its upper end."""
    files = [file.read_text("utf8") for file in Path(__file__).parent.glob("test_*.py")]
    tests = [text for file in files for text in file.split("\ndef ")]
    unseen = {name for name in enclosing() if not any(f"{name}(" in t and all(e in t for e in ENDS) for t in tests)}
    assert not unseen and len(enclosing()) >= 7
    assert all(inspect.getdoc(getattr(dlpa, name)) for name in dlpa.__all__)
