"""Each entry of the errata has a grade and quotes its source; where the sources are, each quotation is looked for.

So is what a cell of another page quotes.
"""

import hashlib
import runpy
import subprocess
import sys
from collections import Counter

import pytest

from tests.support.repository import ROOT

TOOL = runpy.run_path(str(ROOT / "tools" / "quotations.py"))
FOUND = list(TOOL["entries"]((ROOT / "book" / "errata.md").read_text("utf8")))
CELLS = [cell for page in (ROOT / "book").rglob("*.md") for cell in TOOL["cells"](page.read_text("utf8"), page.name)]
ENTRY = """## Vos et al.

### §II: a title ({grade})

*Printed.* They say {words}, and
more.

*Instead.* "No quotation."
"""


def test_the_page_has_entries_of_every_source():
    assert {entry.section for entry in FOUND} == {*TOOL["SOURCES"]} and len(FOUND) > 60


@pytest.mark.parametrize("entry", FOUND + CELLS, ids=lambda entry: f"{entry.section} {entry.title}")
def test_an_entry_has_a_grade_and_a_quotation(entry):
    assert list(TOOL["departures"](entry)) == []


def test_what_a_cell_quotes_is_looked_for():
    """Between its quotation marks, also where the text goes on in a further string; in no cell that names no source."""
    cell = '```{code-cell} python3\nsource = "Vos et al."\nsaid = ("“to be or "\n        "not”", "“that”")\n```\n'
    other = "```{code-cell} python3\nprint('“to be”')\n```\n\n“to be”\n\n"
    (found,) = TOOL["cells"](other + cell + other, "page.md")
    assert (found.section, found.quotations) == ("Vos et al.", ("to be or not", "that"))
    (wrong,) = TOOL["cells"](cell.replace("Vos", "Fox").replace("that", "word " * 26), "page.md")
    first, second = TOOL["departures"](wrong)
    assert "source must be one of" in first and "'Fox et al.'" in first and "25 words" in second
    assert {cell.section for cell in CELLS} >= {"Maddock et al."}


@pytest.mark.parametrize(
    ("grade", "words", "found"),
    [
        ("gap", '"to be or …\nnot"', []),
        ("factor", '"to be"', ["the grade must be one of error, gap, slip, wording, got 'factor'"]),
        ("slip, and a gap", '"to be"', ["the grade must be one of error, gap, slip, wording, got ''"]),
        ("slip", "to be", ["*Printed.* must quote the source, between quotation marks"]),
        ("slip", '"' + "word " * 26 + '"', ["a quotation has at most 25 words, got 26"]),
    ],
)
def test_the_check_of_the_form_can_fail(grade, words, found):
    (entry,) = TOOL["entries"](ENTRY.format(grade=grade, words=words))
    assert [line.split("title: ")[-1].split("gap): ")[-1] for line in TOOL["departures"](entry)] == found


@pytest.mark.parametrize(
    ("words", "there"),
    [
        ("to be or not", True),
        ("To be … that is", True),
        ("that is … to be", False),
        ("to be, or not", False),
        ("the “budget” of ε_node", True),
        ("privacy", True),
    ],
)
def test_words_are_found_whatever_a_conversion_did_to_them(words, there):
    """Blanks, lines, hyphens at their ends, case and marks do not matter; letters, commas and the order do."""
    source = TOOL["folded"]('To  be or\nnot **to be**: that is the "budget" of $ε_{node}$, pri-\nvacy')
    assert TOOL["is_quoted"](words, source) is there


def test_only_our_copies_are_believed_and_a_word_is_looked_for_in_its_own_source(tmp_path, monkeypatch):
    (entry,) = TOOL["entries"](ENTRY.format(grade="gap", words='"to be"'))
    names = {section: name for section, (name, _) in TOOL["SOURCES"].items()}
    for own, found in ((b"or not", 1), (b"to be, or not", 0)):
        texts = {section: b"to be" for section in names} | {entry.section: own}
        for section, name in names.items():
            (tmp_path / name).write_bytes(texts[section])
        with pytest.raises(ValueError, match="is not the copy that the page was written from"):
            list(TOOL["missing"]([entry], tmp_path))
        copies = {section: (name, hashlib.sha256(texts[section]).hexdigest()) for section, name in names.items()}
        with monkeypatch.context() as patch:
            patch.setitem(TOOL["missing"].__globals__, "SOURCES", copies)
            said = ['Vos et al., §II: a title: the source has not the words "to be"']
            assert list(TOOL["missing"]([entry], tmp_path)) == said * found


def test_without_the_sources_that_is_said():
    done = subprocess.run([sys.executable, ROOT / "tools" / "quotations.py"], capture_output=True, text=True)
    assert done.stdout.startswith("quotations not checked: no sources here") and done.returncode == 0


def test_a_row_of_a_table_is_looked_for_in_its_own_table():
    """A digit, a sign, an order, and the table itself count; a bold number does not."""
    text = "TABLE II: Caption\nadult\t.840 ± .001\t<b>.752</b> ± .000\nvote .1 - .2\nTABLE VI: Another\nadult .7 ± .1\n"
    found = [("II", "adult .840 ± .001 .752 ± .000"), ("VI", "adult .7 ± .1"), ("II", "vote .1 - .2")]
    assert list(TOOL["missing_rows"](found, text)) == []
    wrong = [("II", "adult .841 ± .001"), ("II", "adult .7 ± .1"), ("VI", "adult .1 ± .7"), ("VII", "adult .7 ± .1")]
    wrong += [("II", "adult .840 ± .001 ± .752"), ("II", "vote .2 - .1")]
    assert len(list(TOOL["missing_rows"](wrong, text))) == len(wrong)


def test_typed_rows_of_all_tables_are_looked_for():
    """Six sets in three tables, 29 lines of Tables III and VIII with their sets' sizes; three sets of El Zein et al."""
    text = "TABLE 2  \nCaption\nEyes\t11 984\t14\nTABLE 3\n\nEyes\tL\t0.1\n\tC\t1\n"
    assert list(TOOL["missing_rows"]([("2", "Eyes 11984 14"), ("3", "Eyes L 0.1 C 1")], text)) == []
    (said,) = TOOL["missing_rows"]([("2", "Eyes L 0.1 C 1")], text, "El Zein et al.")
    assert said.startswith("El Zein et al., Table 2") and [t for t, _ in TOOL["shared_rows"]()] == [*"222333"]
    assert Counter(table for table, _ in TOOL["table_rows"]()) == {
        "II": 6,
        "VI": 6,
        "VII": 6,
        "III": 16,
        "VIII": 13,
        "IV": 29,
    }
