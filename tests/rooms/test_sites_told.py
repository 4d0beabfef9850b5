"""One table with the rows of many sites: whose row is whose, in which order, and the words of each refusal."""

import numpy as np
import pytest

from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.domain.tables import Named
from fdpedu.federation import parties_from_frame

DOMAIN = Domain([Numeric.grid("age", 0, 100, bins=4), Categorical("ward", ("A", "B"))], ("well", "ill"))
FRAME = {"age": [63, 17, 99], "ward": ["A", "B", "B"], "id": [7, 8, 9], "class": ["ill", "well", "ill"]}


def parties(sites, frame=FRAME, **options):
    return parties_from_frame({**frame, "site": sites}, DOMAIN, **{"label": "class", "by": "site", **options})


def held(found):
    return [(party.name, party._codes.tolist(), party._labels.tolist()) for party in found]


NORTH, SOUTH = [[0, 1]], [[2, 0], [3, 1]]


@pytest.mark.parametrize(
    ("sites", "names"),
    [
        (["s", "n", "s"], ["n", "s"]),
        (["s", 9, "s"], ["9", "s"]),
        ([10, 9, 10], ["9", "10"]),
        (["s", -1, "s"], ["-1", "s"]),
        (["ä b", "A", "ä b"], ["A", "ä b"]),
    ],
)
def test_every_site_has_its_rows(sites, names):
    """In the order of numbers, then of names."""
    assert held(parties(sites)) == [(names[0], NORTH, [0]), (names[1], SOUTH, [1, 1])]


def test_sites_that_are_fixed_beforehand_come_as_they_are_given():
    found = parties(["s", "n", "s"], parties=iter(["s", "nobody", "n"]))
    assert held(found) == [("s", SOUTH, [1, 1]), ("nobody", [], []), ("n", NORTH, [0])]
    assert held(parties(["s"] * 3, parties=("s",))) == [("s", [[2, 0], [0, 1], [3, 1]], [1, 0, 1])]
    empty = {name: [] for name in FRAME}
    assert held(parties([], empty, parties=[])) == [] and held(parties([], empty)) == []
    assert held(parties([], empty, parties=["a", 7])) == [("a", [], []), ("7", [], [])]


def test_columns_that_can_be_read_once_are_read_once():
    """And for every party; columns that are not needed are not read."""
    asked = []

    def column(name):
        asked.append(name)
        return iter({**FRAME, "site": ["s", "n", "s"]}[name])

    table = Named(("age", "ward", "id", "class", "site"), column)
    found = parties_from_frame(table, DOMAIN, label="class", by="site")
    assert held(found) == [("n", NORTH, [0]), ("s", SOUTH, [1, 1])]
    assert sorted(asked) == ["age", "class", "site", "ward"]


def test_rows_are_called_as_their_table_calls_them():
    def table(**changed):
        return Named(
            ("age", "ward", "class", "site"), {**FRAME, "site": ["s", "n", "s"], **changed}.get, "visit {}".format
        )

    for changed, told in (
        ({"site": ["s", "n", 0.5]}, "the frame visit 2, column 'site': expected the name of a site"),
        ({"ward": ["A", "B", "C"]}, "s visit 2, column 'ward': expected one of the 2 public categories"),
    ):
        with pytest.raises(ValueError, match=f"^{told}"):
            parties_from_frame(table(**changed), DOMAIN, label="class", by="site")


SITE = "expected the name of a site: an integer, or text without blanks around it"
FIXED = "parties must be different names of sites, each text or an integer"
COLUMN = "by must be the column of the site, got {!r}, which is a feature or the class"
TOLD = {
    "no domain": (
        lambda: parties_from_frame(FRAME, "ages", label="class", by="id"),
        "domain must be a Domain, got str",
    ),
    "no table": (
        lambda: parties_from_frame("rows", DOMAIN, label="class", by="id"),
        "the frame: expected a sequence, got str",
    ),
    "no names": (
        lambda: parties_from_frame([[63, "A", "ill"]], DOMAIN, label="class", by="id"),
        "frame must be a table with names, such as a data frame or a dictionary of columns",
    ),
    "no label": (
        lambda: parties(["s"] * 3, label=7),
        "label and by must be names of columns, got 7 and 'site'",
    ),
    "no site": (
        lambda: parties(["s"] * 3, by=None),
        "label and by must be names of columns, got 'class' and None",
    ),
    "neither": (
        lambda: parties(["s"] * 3, by=7, label=8),
        "label and by must be names of columns, got 8 and 7",
    ),
    "by the class": (lambda: parties(["s"] * 3, by="class"), COLUMN.format("class")),
    "by a feature": (lambda: parties(["s"] * 3, by="ward"), COLUMN.format("ward")),
    "no such column": (
        lambda: parties(["s"] * 3, by="house"),
        "the frame: the table has no column 'house'",
    ),
    "no such class": (
        lambda: parties(["s"] * 3, label="ending"),
        "the frame: the table has no column 'ending'",
    ),
    "a short column": (
        lambda: parties(["s"] * 2),
        "the frame: columns 'age' and 'site' must have the same number of rows",
    ),
    "missing": (lambda: parties(["s", None, "s"]), f"the frame row 1, column 'site': {SITE}"),
    "blank": (lambda: parties(["s", "n", ""]), f"the frame row 2, column 'site': {SITE}"),
    "a blank before": (lambda: parties([" s", "n", "s"]), f"the frame row 0, column 'site': {SITE}"),
    "a blank behind": (lambda: parties(["s", "n ", "s"]), f"the frame row 1, column 'site': {SITE}"),
    "unprintable": (lambda: parties(["s", "n\x07n", "s"]), f"the frame row 1, column 'site': {SITE}"),
    "truth": (lambda: parties(np.array([1, True, 1], dtype=object)), f"the frame row 1, column 'site': {SITE}"),
    "a float": (lambda: parties([1.0, 2.0, 1.0]), f"the frame row 0, column 'site': {SITE}"),
    "another one": (
        lambda: parties(["s", "n", "w"], parties=["n", "s"]),
        "the frame row 2, column 'site': expected one of the 2 parties that were given",
    ),
    "one of none": (
        lambda: parties(["s", "n", "w"], parties=[]),
        "the frame row 0, column 'site': expected one of the 0 parties that were given",
    ),
    "fixed as text": (
        lambda: parties(["s"] * 3, parties="sn"),
        "parties must be a list of the values of the column, got str",
    ),
    "fixed as bytes": (
        lambda: parties(["s"] * 3, parties=b"sn"),
        "parties must be a list of the values of the column, got bytes",
    ),
    "fixed as a set": (
        lambda: parties(["s"] * 3, parties={"s", "n"}),
        "parties must be a list of the values of the column, got set",
    ),
    "fixed as a mapping": (
        lambda: parties(["s"] * 3, parties={"s": 1}),
        "parties must be a list of the values of the column, got dict",
    ),
    "fixed as a number": (
        lambda: parties(["s"] * 3, parties=2),
        "parties must be a list of the values of the column, got int",
    ),
    "fixed twice": (lambda: parties(["s"] * 3, parties=["s", "n", "s"]), FIXED),
    "fixed with blanks": (lambda: parties(["s"] * 3, parties=["s", " n"]), FIXED),
    "fixed and missing": (lambda: parties(["s"] * 3, parties=["s", None]), FIXED),
    "what a party holds": (
        lambda: parties(["s", "n", "s"], {**FRAME, "ward": ["A", "B", "C"]}),
        "s row 2, column 'ward': expected one of the 2 public categories ('A', 'B')",
    ),
    "what class it has": (
        lambda: parties(["s", "n", "s"], {**FRAME, "class": ["ill", "well", "dead"]}),
        "s row 2, the class: expected one of the 2 public categories ('well', 'ill')",
    ),
}


@pytest.mark.parametrize("case", TOLD)
def test_sites_that_are_none_are_refused_in_these_words(case):
    make, told = TOLD[case]
    with pytest.raises(ValueError) as refused:
        make()
    assert str(refused.value) == told


def long_frame(n):
    return {"age": [50] * n, "ward": ["A"] * n, "class": ["ill"] * n}


@pytest.mark.parametrize(("n", "most"), [(12, 10), (20, 10), (21, 10), (22, 11), (24, 12), (60, 30)])
def test_more_names_than_sites_have_are_persons(n, most):
    """Ten, or one for two rows; if they are given, as many as one likes."""
    frame = long_frame(n)
    assert len(parties([i % most for i in range(n)], frame)) == most
    sites = [i % (most + 1) for i in range(n)]
    with pytest.raises(ValueError) as refused:
        parties(sites, frame)
    told = f"column 'site' has {most + 1} values in {n} rows: does it name sites, or persons?"
    assert str(refused.value) == told
    assert len(parties(sites, frame, parties=range(most + 1))) == most + 1
