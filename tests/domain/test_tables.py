"""Tables of every kind give the same records; what does not fit is named."""

import warnings
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.claims.strategies import domains, tables
from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.domain.tables import as_table, similar, width_of
from fdpedu.federation import Party
from tests.support.odd_cells import MARK, Odd, messages
from tests.support.tables import BY_POSITION, DICTIONARIES, DOMAIN, EVERY, Frame, held, objects, turned


@pytest.mark.parametrize("kind", EVERY)
@settings(max_examples=25, deadline=None)
@given(st.data())
def test_every_kind_of_table_gives_the_same_records(kind, data):
    """The codes are those that one gets from each record on its own; by name, in any order of columns."""
    domain = data.draw(domains())
    rows = data.draw(tables(domain, least=int(kind in DICTIONARIES)))
    names = [*(feature.name for feature in domain.features), "class"]
    codes = [[domain.features[j].encode([x])[0] for j, x in enumerate(row[:-1])] for row in rows]
    expected = codes, [domain.classes.index(row[-1]) for row in rows]
    if kind in BY_POSITION:
        assert held(Party(EVERY[kind](rows, names), domain)) == expected
        features = EVERY[kind]([row[:-1] for row in rows], names[:-1])
        assert held(Party(features, domain, labels=[row[-1] for row in rows])) == expected
    else:
        assert held(Party(turned(EVERY[kind], rows, names, data), domain, label="class")) == expected
        unlabelled = turned(EVERY[kind], [row[:-1] for row in rows], names[:-1], data)
        assert held(Party(unlabelled, domain, labels=(row[-1] for row in rows))) == expected
        if rows:
            assert domain.encode(turned(EVERY[kind], rows, names, data)).tolist() == codes


@pytest.mark.parametrize("dtype", ["i1", "u2", "i8", "f2", "f4", "f8", "g", "O"])
def test_numbers_of_every_type_are_the_same_numbers(dtype):
    numbers = np.array([[0, 3], [50, 100], [7, 60]], dtype=dtype)
    domain = Domain([Numeric.grid("x", 0, 100, 7), Numeric.grid("y", 0, 100, 3)], (0, 1))
    expected = domain.encode([[0, 3], [50, 100], [7, 60]]).tolist()
    for table in (numbers, np.asfortranarray(numbers), numbers.tolist(), dict(zip("xy", numbers.T, strict=True))):
        assert domain.encode(table).tolist() == expected
    assert numbers.tolist() == np.array([[0, 3], [50, 100], [7, 60]], dtype=dtype).tolist()  # nothing was written


def test_a_large_integer_is_the_category_that_it_is():
    """No way through floats, where it would be its neighbour."""
    domain = Domain([Categorical("id", (2**53, 2**53 + 1)), Numeric.grid("x", 0, 1)], (0, 1))
    for rows in ([[2**53 + 1, 0.5]], np.array([[2**53 + 1, 0]]), {"id": [2**53 + 1], "x": [0.5]}):
        assert domain.encode(rows)[0, 0] == 1


@pytest.mark.parametrize(
    ("table", "place"),
    [
        ({"Age": [1], "ward": ["A"]}, "'age' (its column 'Age'"),
        ({"agee": [1], "id": [7]}, "'ward'"),
        ({"weight": [1], "ward": ["A"]}, "'age'"),
        ({}, "'age', 'ward'"),
        (Frame([(0, [1]), (1, ["A"])]), "'age', 'ward'"),
        (Frame([(("age", ""), [1]), (("ward", ""), ["A"])]), "'age', 'ward'"),
        (Frame([("age", [1]), ("age", [2]), ("ward", ["A"])]), "column 'age'"),
        ({"age": [1, 2], "ward": ["A"]}, "columns 'age' and 'ward'"),
        ({"age": {0: 1}, "ward": ["A"]}, "p, column 'age'"),
        ({"age": {1}, "ward": ["A"]}, "p, column 'age'"),
        ({"age": "17", "ward": ["A"]}, "p, column 'age'"),
        ({"age": 17, "ward": "A"}, "p, column 'age'"),
        ({"age": np.zeros((1, 2)), "ward": ["A"]}, "p, column 'age'"),
        ({"age": Odd(), "ward": ["A"]}, "p, column 'age'"),
        (SimpleNamespace(columns=["age", "ward"]), "p: "),
        ([{"age": 1, "ward": "A"}, [1, "A"]], "p row 1"),
        ([{"age": 1, "ward": "A"}, {"age": 1}], "p row 1, column 'ward'"),
        ([{1, "A"}], "p row 0"),
        ([[1, "A"], Odd()], "p row 1"),
        ([np.array(5)], "p row 0"),
        ({1, "A"}, "p: "),
        (np.zeros((1, 2), dtype=[("age", int)]), "p: "),
    ],
)
def test_what_is_wrong_with_a_table_is_named(table, place):
    for read in (lambda: DOMAIN.encode(table, "p"), lambda: Party(table, DOMAIN, labels=["ill"], name="p")):
        with pytest.raises(ValueError) as caught:
            read()
        assert place in str(caught.value) and not any(MARK in text for text in messages(caught.value))


AGE = Numeric.grid("age", 0, 100, bins=4)


class Arrow(Frame):
    """A table whose ``columns`` are its cells, and whose names are elsewhere."""

    @property
    def columns(self):
        return [column for _, column in self._columns]

    @property
    def column_names(self):
        return [name for name, _ in self._columns]


def test_a_table_whose_names_are_elsewhere():
    table = Arrow([("ward", ["B", "A"]), ("age", [17, 63])])
    assert Domain([AGE, Categorical("ward", ("A", "B"))], (0, 1)).encode(table).tolist() == [[0, 1], [2, 0]]


def test_a_matrix_is_a_table():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PendingDeprecationWarning)
        table = np.matrix([[17, 63], [63, 17]])
    assert Domain([AGE, Numeric.grid("weight", 0, 50, bins=2)], (0, 1)).encode(table).tolist() == [[0, 1], [2, 0]]


def test_an_array_of_rows_is_a_list_of_rows():
    domain = Domain([AGE, Categorical("ward", ("A", "B"))], (0, 1))
    for rows in ([[17, "A"], [63, "B"]], [{"ward": "A", "age": 17}, {"age": 63, "ward": "B"}]):
        assert domain.encode(objects(rows)).tolist() == domain.encode(rows).tolist() == [[0, 0], [2, 1]]


def test_a_table_of_nothing_has_no_width():
    assert width_of([]) is None and width_of([()]) == 0 and width_of(np.zeros((0, 3))) == 3
    assert Domain([AGE], (0, 1)).check([]).ok


def test_a_similar_name_is_offered_only_for_text():
    assert [similar(name, ("7", " Age")) for name in ("age", "ward", 7, None, ["age"])] == [" Age", *[None] * 4]


def test_rows_that_are_taken_are_called_as_before():
    """So that an owner finds them in the table that was given, and not in the part of it that a party has."""
    part = as_table({"age": [1, 2, "x"], "ward": ["A"] * 3}, "p").take(np.array([0, 2]), "p")
    with pytest.raises(ValueError, match="p row 2, column 'age'"):
        DOMAIN.encode(part, "p")
