"""What a party is made of: where its features and its class are found, and how it says what is wrong."""

import warnings
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from fdpedu.accounting import Ledger
from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.federation import ClassCounts, Limits, Party
from fdpedu.federation.party import ClippedWarning
from fdpedu.randomness import ZeroWords
from fdpedu.secure_sum import Identity

DOMAIN = Domain([Numeric.grid("age", 0, 100, bins=4), Categorical("ward", ("A", "B"))], ("well", "ill"))
ROWS = [[63, "A", "ill"], [17, "B", "well"], [99, "B", "ill"]]
TABLE = {"ward": ["A", "B", "B"], "id": [7, 8, 9], "class": ["ill", "well", "ill"], "age": [63, 17, 99]}
FEATURES, CLASSES = [row[:2] for row in ROWS], [row[2] for row in ROWS]
HELD = [[2, 0], [0, 1], [3, 1]], [1, 0, 1]


def held(party):
    return party._codes.tolist(), party._labels.tolist()


@pytest.mark.parametrize(
    ("rows", "own"),
    [
        (ROWS, {}),
        (iter(ROWS), {}),
        (np.array(ROWS, dtype=object), {}),
        (FEATURES, {"labels": CLASSES}),
        (np.array(FEATURES, dtype=object), {"labels": np.array(CLASSES)}),
        (TABLE, {"label": "class"}),
        (TABLE, {"labels": CLASSES}),
        ([dict(zip(TABLE, cells, strict=True)) for cells in zip(*TABLE.values(), strict=True)], {"label": "class"}),
        (pd.DataFrame(TABLE), {"label": "class"}),
        (pd.DataFrame(TABLE), {"labels": pd.Series(CLASSES)}),
        (pd.DataFrame(TABLE, index=[5, 6, 7]), {"labels": CLASSES}),
        (FEATURES, {"labels": pd.Series(CLASSES, index=[5, 6, 7])}),
        (pd.DataFrame(TABLE, index=[5, 6, 7]), {"labels": pd.Series(CLASSES, index=[5, 6, 7])}),
    ],
    ids=range(13),
)
def test_features_and_class_are_found_wherever_they_stand(rows, own):
    party = Party(rows, DOMAIN, **own)
    assert held(party) == HELD and party.clipped == {"age": 0, "ward": 0}


def test_a_party_is_what_was_given():
    party = Party(ROWS, DOMAIN)
    assert (party.name, repr(party), party.domain, party.ledger) == ("party", "Party('party')", DOMAIN, None)
    assert party._limits == Limits(members="anybody", tolerate=0) and party._identity is None
    own = {
        "ledger": Ledger(1),
        "limits": Limits(members="anybody", tolerate=0, minimum=3),
        "identity": Identity.create(),
    }
    party = Party([], DOMAIN, name=7, **own)
    assert (party.name, party.ledger, party._limits, party._identity) == ("7", *own.values())
    assert len(party._token) == 16 and party._token != Party([], DOMAIN)._token


def test_an_endpoint_has_what_its_party_has():
    own = {
        "ledger": Ledger(1),
        "limits": Limits(members="anybody", tolerate=0, minimum=3),
        "identity": Identity.create(),
    }
    party, source = Party(ROWS, DOMAIN, **own), ZeroWords()
    endpoint = party.endpoint(source)
    assert endpoint.ledger is own["ledger"] and endpoint.identity == own["identity"].public
    assert (endpoint._domain, endpoint._source, endpoint._limits) == (DOMAIN, source, own["limits"])
    assert endpoint._counts([ClassCounts(DOMAIN.everything, Fraction(1))]).tolist() == [1, 2]
    assert endpoint._counts([ClassCounts(DOMAIN.everything.restrict(1, [1]), Fraction(1))]).tolist() == [1, 1]
    first, second = Party(ROWS, DOMAIN).endpoint(source), Party(ROWS, DOMAIN).endpoint(source)
    assert first.identity != second.identity and first.ledger is None


def test_rows_keep_the_names_that_their_table_gives_them(tmp_path):
    """A line of a file stays a line, for its features and for its class."""
    for text, place in (
        ("age,ward,class\n63,A,ill\n17,C,well\n", "line 3, column 'ward'"),
        ("age,ward,class\n63,A,ill\n17,B,dead\n", "line 3, the class"),
    ):
        path = tmp_path / "visits.csv"
        path.write_text(text, "utf8")
        with pytest.raises(ValueError, match=f"^visits.csv {place}: "):
            Party.from_csv(path, DOMAIN, label="class")


def test_no_rows_are_a_party():
    for rows, own in (([], {}), ([], {"label": "class"}), ({name: [] for name in TABLE}, {"label": "class"})):
        assert held(Party(rows, DOMAIN, **own)) == ([], [])


def clipped(n, ages, named=False):
    """The warning of a party whose first ages lie beyond the range, or nothing."""
    rows = {"age": [*ages, *[50] * (n - len(ages))], "ward": ["A"] * n, "class": ["ill"] * n}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        if named:
            party = Party(rows, DOMAIN, label="class", name="clinic")
        else:
            party = Party([list(row) for row in zip(*rows.values(), strict=True)], DOMAIN, name="clinic")
    assert party.clipped == {"age": len(ages), "ward": 0}
    assert all(issubclass(one.category, ClippedWarning) for one in caught)
    return [str(one.message) for one in caught]


def test_many_values_beyond_the_range_are_warned_of():
    """More than one in twenty; on both sides of the range. Without names, the columns may be in another order."""
    beyond = "clinic: values outside the public range were clipped: {} of 'age'; {} (Seen by you only.)"
    unit, order = "is it in the domain's unit?", "are the columns in the domain's order and units?"
    assert clipped(40, [101, -1]) == [] and clipped(40, []) == []
    assert clipped(40, [101, -1, 200]) == [beyond.format("8%", order)]
    assert clipped(40, [101, -1, 200], named=True) == [beyond.format("8%", unit)]
    assert clipped(2, [500]) == [beyond.format("50%", order)]
    assert clipped(1, []) == [] and clipped(1, [-5], named=True) == [beyond.format("100%", unit)]


def test_every_column_that_is_clipped_is_named():
    two = Domain([Numeric.grid("x", 0, 1), Numeric.grid("y", 0, 1)], (0, 1))
    with pytest.warns(ClippedWarning, match=r"^party: .* 50% of 'x', 100% of 'y'; "):
        Party([[2, 2, 0], [0.5, 2, 0]], two)


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "visits.csv"
    path.write_text("id;age;ward;class\n7;63,5;A;ill\n8;17;B;well\n9;99;B;ill\n", "utf-8-sig")
    return path


def test_a_party_of_a_file_is_what_was_given(file):
    own = {
        "ledger": Ledger(1),
        "limits": Limits(members="anybody", tolerate=0, minimum=3),
        "identity": Identity.create(),
    }
    party = Party.from_csv(file, DOMAIN, label="class", decimal=",", **own)
    assert held(party) == HELD and party.name == "visits.csv"
    assert (party.ledger, party._limits, party._identity) == tuple(own.values())
    party = Party.from_csv(str(file), DOMAIN, label="class", decimal=",", delimiter=";", name="clinic")
    assert held(party) == HELD and (party.name, party.ledger, party._limits) == (
        "clinic",
        None,
        Limits(members="anybody", tolerate=0),
    )


def test_files_are_read_as_they_are_said_to_be(tmp_path):
    """In their own encoding; with a mark at their beginning, and a decimal point, where nothing is said."""
    letters = Domain([Numeric.grid("age", 0, 100, bins=4), Categorical("ward", ("ä", "B"))], ("well", "ill"))
    text = "age,ward,class\n63.5,ä,ill\n"
    for encoding, given in (("utf-8-sig", {}), ("utf8", {}), ("latin-1", {"encoding": "latin-1"})):
        path = tmp_path / "visits.csv"
        path.write_bytes(text.encode(encoding))
        assert held(Party.from_csv(path, letters, label="class", **given)) == ([[2, 0]], [1])
    path.write_text("age|ward|class\n1|A|ill\n", "utf8")
    with pytest.raises(ValueError):
        Party.from_csv(path, DOMAIN, label="class", delimiter=",")


def test_classes_that_are_numbers_are_read_as_numbers(tmp_path):
    numbered = Domain(DOMAIN.features, (0, 1, 2))
    path = tmp_path / "visits.csv"
    path.write_text("age,ward,class\n63,A,2\n17,B,0\n", "utf8")
    assert held(Party.from_csv(path, numbered, label="class")) == ([[2, 0], [0, 1]], [2, 0])


def test_a_decimal_comma_is_none_unless_it_is_said(file):
    with pytest.raises(ValueError, match="'age'"):
        Party.from_csv(file, DOMAIN, label="class")
