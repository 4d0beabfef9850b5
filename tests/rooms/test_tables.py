"""Tables of every kind give the same records; names that do not fit are told by their names."""

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.claims.strategies import domains, domains_with_parties, tables
from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.federation import Party, parties_from_frame
from tests.support.odd_cells import MARK, Odd, messages
from tests.support.tables import BY_NAME, BY_POSITION, DICTIONARIES, DOMAIN, EVERY, NAMES, Frame, held, turned


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
    ("table", "message"),
    [
        (
            {"Age": [1], "ward": ["A"]},
            "p: the table has no column 'age' (its column 'Age' should perhaps be called so)",
        ),
        ({"agee": [1], "id": [7]}, "no column 'age' (its column 'agee' should perhaps be called so), 'ward'"),
        ({"weight": [1], "ward": ["A"]}, "p: the table has no column 'age'"),
        ({}, "p: the table has no column 'age', 'ward'"),
        (Frame([(0, [1]), (1, ["A"])]), "its columns are not named by text: rename them, or give an array"),
        (Frame([(("age", ""), [1]), (("ward", ""), ["A"])]), "its columns are not named by text"),
        (Frame([("age", [1]), ("age", [2]), ("ward", ["A"])]), "column 'age' stands there more than once"),
        ({"age": [1, 2], "ward": ["A"]}, "columns 'age' and 'ward' must have the same number of rows"),
        ({"age": {0: 1}, "ward": ["A"]}, "p, column 'age': expected a sequence, got dict"),
        ({"age": {1}, "ward": ["A"]}, "p, column 'age': expected a sequence, got set"),
        ({"age": "17", "ward": ["A"]}, "p, column 'age': expected a sequence, got str"),
        ({"age": 17, "ward": "A"}, "p, column 'age': expected a sequence, got int"),
        ({"age": np.zeros((1, 2)), "ward": ["A"]}, "p, column 'age': expected one dimension, got 2"),
        ({"age": Odd(), "ward": ["A"]}, "p, column 'age': cannot be read as a column of values"),
        (SimpleNamespace(columns=["age", "ward"]), "p: expected a sequence, got SimpleNamespace"),
        ([{"age": 1, "ward": "A"}, [1, "A"]], "p row 1: expected a dictionary, as the other rows are"),
        ([{"age": 1, "ward": "A"}, {"age": 1}], "p row 1, column 'ward': expected one of the 2 public categories"),
        ([{1, "A"}], "p row 0: expected 2 feature values"),
        ([[1, "A"], Odd()], "p row 1: expected 2 feature values"),
        ([np.array(5)], "p row 0: expected 2 feature values"),
        ({1, "A"}, "p: expected a sequence, got set"),
        (np.zeros((1, 2), dtype=[("age", int)]), "p: expected one dimension, got 2"),
    ],
)
def test_what_is_wrong_with_a_table_is_told_by_its_names(table, message):
    with pytest.raises(ValueError) as caught:
        Party(table, DOMAIN, labels=["ill"], name="p")
    assert message in str(caught.value) and not any(MARK in text for text in messages(caught.value))


TABLE = {"age": [63], "ward": ["A"], "class": ["ill"]}


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Party(TABLE, DOMAIN), "give label=, the name of the column of classes, or labels=, the classes"),
        (lambda: Party(TABLE, DOMAIN, label="class", labels=["ill"]), "not both"),
        (lambda: Party(TABLE, DOMAIN, label="Class"), "no column 'Class' (its column 'class' should perhaps"),
        (lambda: Party(TABLE, DOMAIN, label="age"), "got that of the feature 'age'"),
        (lambda: Party(TABLE, DOMAIN, label=2), "label must be the name of a column, got 2"),
        (lambda: Party([[63, "A", "ill"]], DOMAIN, label="class"), "the rows have no names, so no column 'class'"),
        (lambda: Party(TABLE, DOMAIN, labels=["ill"] * 2), "there must be as many labels as rows"),
        (lambda: Party(TABLE, DOMAIN, labels={"ill"}), "expected a sequence, got set"),
        (lambda: parties_from_frame([[63]], DOMAIN, label="class", by="ward"), "frame must be a table with names"),
        (lambda: parties_from_frame(TABLE, "domain", label="class", by="ward"), "domain must be a Domain, got str"),
        (lambda: parties_from_frame(TABLE, DOMAIN, label="class", by="site"), "the table has no column 'site'"),
    ],
)
def test_where_the_class_stands_is_said_once(make, message):
    with pytest.raises(ValueError) as caught:
        make()
    assert message in str(caught.value)


def test_a_party_without_rows_needs_no_names():
    assert (
        held(Party([], DOMAIN, label="class")) == held(Party({n: [] for n in NAMES}, DOMAIN, label="class")) == ([], [])
    )


@settings(max_examples=50, deadline=None)
@given(domains_with_parties(), st.data())
def test_parties_of_a_frame_have_the_rows_of_their_sites(case, data):
    """In sorted order of the sites, whatever the order of rows."""
    domain, parts = case
    sites = data.draw(
        st.permutations([f"site {i}" for i in range(len(parts))] if len(parts) % 2 else range(len(parts)))
    )
    rows = data.draw(st.permutations([[*row, site] for site, part in zip(sites, parts, strict=True) for row in part]))
    names = [*(feature.name for feature in domain.features), "class", "site"]
    frame = BY_NAME[data.draw(st.sampled_from(sorted(BY_NAME)))](rows, names) if rows else {name: [] for name in names}
    if not rows or data.draw(st.booleans()):
        found, expected = parties_from_frame(frame, domain, label="class", by="site", parties=sites), list(sites)
    else:
        found, expected = parties_from_frame(frame, domain, label="class", by="site"), sorted({row[-1] for row in rows})
    assert [party.name for party in found] == list(map(str, expected))
    for party, site in zip(found, expected, strict=True):
        assert held(party) == held(Party([row[:-1] for row in rows if row[-1] == site], domain))


@pytest.mark.parametrize(
    ("change", "options", "message"),
    [
        ({"site": ["n", None, "n"]}, {}, "the frame row 1, column 'site': expected the name of a site"),
        ({"site": ["n", 7.5, "n"]}, {}, "the frame row 1, column 'site': expected the name of a site"),
        ({"site": ["n", "s", "7391"]}, {"parties": ["n", "s"]}, "row 2, column 'site': expected one of the 2 parties"),
        ({}, {"parties": {"n", "s"}}, "parties must be a list of the values of the column, got set"),
        ({}, {"parties": ["n", "n"]}, "parties must be different names of sites"),
        ({"age": [1, 2, "7391"]}, {}, "n row 2, column 'age': expected a number"),
        ({"class": ["ill", "7391", "ill"]}, {}, "s row 1, the class: expected one of the 2"),
    ],
)
def test_a_frame_of_sites_is_refused_by_its_own_rows(change, options, message):
    frame = {"age": [1, 2, 3], "ward": ["A"] * 3, "class": ["ill"] * 3, "site": ["n", "s", "n"], **change}
    with pytest.raises(ValueError) as caught:
        parties_from_frame(frame, DOMAIN, label="class", by="site", **options)
    assert message in str(caught.value) and "7391" not in str(caught.value)
