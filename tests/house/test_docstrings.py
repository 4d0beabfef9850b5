"""Docstrings say what the code takes; and a ``Claims:`` line leads to its claims, as a claim leads to its code."""

import importlib
import inspect
import re

import pytest
from api_links import anchor, claims_at_the_end, code_link, entry, sections_with_links

from fdpedu.chapters import CHAPTERS, TIERS
from fdpedu.claims import REGISTER
from tests.support.docstrings import faults, public_things
from tests.support.repository import PACKAGE, ROOT

THINGS = dict(public_things())


def test_everything_public_has_a_sound_docstring():
    """Parameters that are documented are those of the signature, all of them and in order; nothing is swallowed."""
    assert {path: wrong for path, thing in THINGS.items() if (wrong := faults(thing))} == {}


def test_the_guard_sees_the_whole_package():
    """Among what is looked at: every name that a package offers, methods, properties, and constructors by name."""
    seen = set(map(id, THINGS.values()))
    for package in ("cart", "privacy", "mechanisms", "accounting", "federation", "trees", "viz"):
        module = importlib.import_module(f"fdpedu.{package}")
        named = [getattr(module, name) for name in module.__all__]
        shown = [thing for thing in named if inspect.isroutine(thing) or inspect.isclass(thing)]
        assert [thing for thing in shown if id(thing) not in seen] == [], package
    assert {"fdpedu.accounting.ledger.Ledger.charge", "fdpedu.accounting.ledger.Ledger.spent"} <= set(THINGS)
    assert "fdpedu.exact.rate.Rate.of" in THINGS


def sound(x, y=1):
    """Do something.

    In more words.

    Contract: the caller answers for x.

    Claims: lem-one, thm-two (in part)

    Parameters
    ----------
    x, y : numbers

    Examples
    --------
    >>> sound(1)
    """


def sound_without_sections(x):
    """Do something.

    Claims: lem-one

    >>> sound_without_sections(1)
    """


def missing(x, y=1):
    """Do something.

    Parameters
    ----------
    x : a number
    """


def unknown(x):
    """Do something.

    Parameters
    ----------
    x : a number
    z : another
    """


def disordered(x, y):
    """Do something.

    Parameters
    ----------
    y : a number
    x : a number
    """


def long_summary(x):
    """Do something, which takes so many words
    that they do not fit.
    """


def wrapped(x):
    """Do something.

    Parameters
    ----------
    x : a number of which there is so much
    to say, that it is wrapped
    """


def claims_in_parameters(x):
    """Do something.

    Parameters
    ----------
    x : a number

    Claims: lem-one
    """


def claims_in_raises(x):
    """Do something.

    Raises
    ------
    ValueError
        If x is wrong.

    Claims: lem-one
    """


def claims_after_example(x):
    """Do something.

    >>> claims_after_example(1)

    Claims: lem-one
    """


def claims_glued(x):
    """Do something.

    It has more to say.
    Claims: lem-one
    """


def claims_over_two_lines(x):
    """Do something.

    Claims: lem-one,
    lem-two
    """


def contract_in_returns(x):
    """Do something.

    Returns
    -------
    A number.

    Contract: the caller answers for x.
    """


def example_in_parameters(x):
    """Do something.

    Parameters
    ----------
    x : a number

    >>> example_in_parameters(1)
    """


def example_in_raises(x):
    """Do something.

    Raises
    ------
    ValueError
        If x is wrong.

    >>> example_in_raises(1)
    """


@pytest.mark.parametrize("thing", [sound, sound_without_sections], ids=lambda thing: thing.__name__)
def test_the_guard_accepts(thing):
    """A docstring that keeps the rules has no fault."""
    assert faults(thing) == []


@pytest.mark.parametrize(
    ("thing", "fault"),
    [
        (missing, "PR01"),
        (unknown, "PR02"),
        (disordered, "PR03"),
        (long_summary, "SS06"),
        (wrapped, "PR02"),
        (claims_in_parameters, "Claims"),
        (claims_in_raises, "Claims"),
        (claims_after_example, "Claims"),
        (claims_glued, "Claims"),
        (claims_over_two_lines, "Claims"),
        (contract_in_returns, "Contract"),
        (example_in_parameters, "Examples"),
        (example_in_raises, "Examples"),
    ],
    ids=lambda value: getattr(value, "__name__", value),
)
def test_the_guard_refuses(thing, fault):
    """A docstring of each faulty kind is refused, and the fault is named."""
    assert fault in [found.partition(":")[0] for found in faults(thing)]


def test_a_claims_line_becomes_links():
    """It stands last; each label leads to its record, and to the chapter that numbers it; the rest stays."""
    parameters = "Parameters\n----------\nx\n    a number"
    docstring = f"Do something.\n\nIn words.\n\nClaims: lem-one, thm-two (in part)\n\n{parameters}\n"
    expected = (
        f"Do something.\n\nIn words.\n\n{parameters}\n\nClaims\n------\n"
        ":ref:`lem-one <claim-lem-one>` (:prf:ref:`lem-one`), :ref:`thm-two <claim-thm-two>` (in part)\n"
    )
    assert claims_at_the_end(docstring, {"lem-one"}) == expected


def test_all_claims_lines_become_links():
    """Two lines of a module's docstring are one list; a docstring without claims stays as it is, with that word too."""
    assert claims_at_the_end("A package.\n\nClaims: lem-one\nClaims: lem-two\n", set()) == (
        "A package.\n\nClaims\n------\n:ref:`lem-one <claim-lem-one>`, :ref:`lem-two <claim-lem-two>`\n"
    )
    assert claims_at_the_end("A package.\n\nThe Claims: none.\n", set()) == "A package.\n\nThe Claims: none.\n"


def test_the_table_of_a_document_becomes_links():
    """Names lead to their entries, claims to their records; a cell may be empty, and all around the table stays."""
    rule = "===  =====  ====="
    rows = [
        "A.\n",
        rule,
        "§    name   claim",
        rule,
        "A-b  `f`    –",
        "     ``g``  lem-one, thm-two",
        rule,
        "\nlem-one\n",
    ]
    expected = (
        "A.\n\n.. list-table::\n   :header-rows: 1\n\n   * - §\n     - name\n     - claim\n"
        "   * - A-b\n     - :py:obj:`f`\n     - –\n   * - \n     - :py:obj:`g`\n"
        "     - :ref:`lem-one <claim-lem-one>` (:prf:ref:`lem-one`), :ref:`thm-two <claim-thm-two>`\n\nlem-one\n"
    )
    assert sections_with_links("\n".join(rows), {"lem-one"}) == expected
    assert sections_with_links("No table.\n", set()) == "No table.\n"


def test_every_label_of_the_library_is_linked():
    """The labels that a docstring names and the register knows are the links that its entry gets."""
    for path, thing in THINGS.items():
        labels = [label for label, claim in REGISTER.items() if path in claim.code]
        text = claims_at_the_end(inspect.getdoc(thing) or "", set())
        assert all(f"<{anchor(label)}>`" in text for label in labels), path


ENTRIES = {
    "fdpedu.mechanisms.counts.discrete_laplace": "fdpedu.mechanisms.discrete_laplace",
    "fdpedu.federation.federation.Federation.release": "fdpedu.federation.Federation.release",
    "fdpedu.secure_sum.masks.private_sum": "fdpedu.secure_sum.private_sum",
    "fdpedu.privacy": "fdpedu.privacy",
    "fdpedu.mechanisms.counts": "fdpedu.mechanisms",
    "fdpedu.cart.split._category_orders": "fdpedu.cart",
    "fdpedu.sources.elzein.fit.fit_shared_tree": "fdpedu.sources.elzein.fit_shared_tree",
    "fdpedu.sources.elzein.growing.Growth": "fdpedu.sources.elzein",
    "fdpedu.accounting.worked.columns.exact_factor": "fdpedu.accounting",
}


@pytest.mark.parametrize("path", ENTRIES)
def test_code_leads_to_its_entry(path):
    """What a package offers has its own entry; what it does not, and a module within it, leads to the package."""
    assert entry(path) == ENTRIES[path]
    assert code_link(path) == f"{{py:obj}}`{path} <{ENTRIES[path]}>`"


def test_a_name_that_means_something_else_is_no_entry(monkeypatch):
    """If a package offers another object under the name, the path leads to the package."""
    monkeypatch.setattr("fdpedu.mechanisms.discrete_laplace", entry)
    assert entry("fdpedu.mechanisms.counts.discrete_laplace") == "fdpedu.mechanisms"


def test_all_code_of_the_register_leads_somewhere():
    """A path that leads nowhere is refused, and the register has none."""
    assert all(entry(path).startswith("fdpedu.") for claim in REGISTER.values() for path in claim.code)
    with pytest.raises(ValueError, match="path must lead to an object"):
        entry("fdpedu.cart.no_such_thing")
    with pytest.raises(ValueError, match="path must lead to an object"):
        entry("fdpedu.federation.federation.Federation.no_such_method")


ON_PAGES = re.compile(r"`((?:fdpedu\.)?(?:\w+\.)+\w+)(?=[`(])")
IN_DOCSTRINGS = re.compile(r":\w+:`[~.]?(fdpedu\.[\w.]+)`")
ROOMS = {room for tier in TIERS for room in tier} | {chapter.name for chapter in CHAPTERS}


def lost(text, pattern):
    """What a text calls by a path, such as ``room.name``, and is not there; a chapter's name was, or may be, a room."""
    for path in pattern.findall(text):
        room, _, rest = path.removeprefix("fdpedu.").partition(".")
        if rest in ("json", "csv"):  # a file that is called as a module is
            continue
        try:
            if room in ROOMS or room != path.partition(".")[0]:
                entry(".".join(filter(None, ("fdpedu", room, rest))))
        except (ValueError, ModuleNotFoundError):
            yield path


def test_what_pages_and_docstrings_call_by_a_path_is_there():
    """Whatever moves or is renamed: no page, and no role of a docstring, keeps the path that it had."""
    texts = {path: ON_PAGES for path in (*(ROOT / "book").rglob("*.md"), ROOT / "README.md", ROOT / "CONTRIBUTING.md")}
    texts |= dict.fromkeys(PACKAGE.rglob("*.py"), IN_DOCSTRINGS)
    assert {path: names for path, kind in texts.items() if (names := [*lost(path.read_text("utf8"), kind)])} == {}


def test_the_check_of_paths_can_fail():
    there, gone = (
        "`cart.gini`, `fdpedu.cart.gini(x)`, `np.sum`",
        "`cart.no`, `privatree.f`, `trees.Tree.no`, `fdpedu.gone`",
    )
    assert [*lost(there + gone, ON_PAGES)] == ["cart.no", "privatree.f", "trees.Tree.no", "fdpedu.gone"]
    docstring = ":mod:`~fdpedu.fedga.private`, :func:`fdpedu.cart.gini`, ``cart.no_such``"
    assert [*lost(docstring, IN_DOCSTRINGS)] == ["fdpedu.fedga.private"]
