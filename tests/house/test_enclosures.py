"""Every public function that returns an enclosure has both of its ends tried by `tests.support.both_ends`."""

import fdpedu.accounting as accounting
import fdpedu.exact as exact
import fdpedu.mechanisms as mechanisms
import fdpedu.privacy as privacy
from tests.support.repository import ROOT


def enclosing(space):
    """The names in it that return an enclosure, by what their annotations say."""
    annotated = ((name, getattr(thing, "__annotations__", {})) for name, thing in space.items())
    return {name for name, annotations in annotated if "Enclosure" in str(annotations.get("return", ""))}


def test_every_function_that_returns_an_enclosure_is_tried():
    """Of these modules; those of `dlpa` have a test of their own."""
    names = {
        name
        for module in (exact, mechanisms, accounting, privacy)
        for name in enclosing({name: getattr(module, name) for name in module.__all__})
    }
    assert len(names) > 15 and enclosing(vars(accounting.LossDistribution)) == {"delta", "epsilon"}
    texts = [file.read_text("utf8") for file in sorted((ROOT / "tests").glob("*/test_*.py"))]
    tried = "".join(text for text in texts if "both_ends(" in text)
    assert {name for name in names if f"{name}(" not in tried} == set()
