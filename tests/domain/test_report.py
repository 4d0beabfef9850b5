"""A report counts what a party would refuse, and shows names and numbers and never a value."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.domain import Domain, read_csv
from fdpedu.federation import ClippedWarning, Party
from tests.support.tables import BY_POSITION, DOMAIN, EVERY, NAMES


@pytest.mark.parametrize("kind", sorted(EVERY))
def test_a_report_counts_what_a_party_would_refuse(kind):
    rows = [
        [17, "A", "ill"],
        [-3, "B", "well"],
        [130, "A", "dead"],
        [None, "C", "ill"],
        ["x", None, None],
        [200, "B", 7],
    ]
    report = DOMAIN.check(EVERY[kind](rows, NAMES), label="class")
    found = [(c.rows, c.below, c.above, c.missing, c.unfit, c.ok) for c in report.columns]
    assert found == [(6, 1, 2, 1, 1, False), (6, 0, 0, 1, 1, False), (6, 0, 0, 1, 2, False)]
    assert [column.name for column in report.columns] == [
        "age",
        "ward",
        "the class" if kind in BY_POSITION else "class",
    ]
    assert not report.ok and report.columns[0].outcome == "refused: 2 rows"
    assert [column.at for column in report.columns] == [("row 3", "row 4")] * 2 + [("row 2", "row 4", "row 5")]
    good = DOMAIN.check(EVERY[kind](rows[:2], NAMES), label="class")
    assert good.ok and [column.outcome for column in good.columns] == ["clipped: 50.0%", "ok", "ok"]


@settings(deadline=None)
@given(st.sampled_from(sorted(EVERY)), st.data())
def test_a_report_is_fine_iff_a_party_can_be_made(kind, data):
    rows = data.draw(
        st.lists(st.tuples(*[st.sampled_from([7, 130, "A", "ill", None, 0.5])] * 3), min_size=1, max_size=3)
    )
    report = DOMAIN.check(EVERY[kind](rows, NAMES), label="class")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ClippedWarning)
            party = Party(EVERY[kind](rows, NAMES), DOMAIN, **({} if kind in BY_POSITION else {"label": "class"}))
    except ValueError:
        assert not report.ok
    else:
        assert report.ok and [c.below + c.above for c in report.columns] == [*party.clipped.values(), 0]


def test_a_report_shows_names_and_numbers():
    report = DOMAIN.check({"Age": [7391], "ward": ["<i>7391</i>"], "<b>": [7391]}, label="class")
    assert str(report).splitlines() == [
        "column | rows | below | above | missing | unfit | verdict",
        "age    |    – |     – |     – |       – |     – | not there; is it 'Age'?",
        "ward   |    1 |     0 |     0 |       0 |     1 | refused: 1 row",
        "class  |    – |     – |     – |       – |     – | not there",
        "'ward' is refused in row 0",
        "'Age' is no column of the domain and is left out",
        "'<b>' is no column of the domain and is left out",
    ]
    shown = report._repr_html_()
    assert shown.count("<tr>") == 4 and "&lt;b&gt;" in shown and "<b>" not in shown and "7391" not in shown


def test_a_report_as_plain_data_and_as_html():
    report = DOMAIN.check({"age": [17, 130, None], "ward": ["A", "C", None], "<b>": [1, 2, 3], "c": [0, 0, 0]})
    age, ward = {"name": "age", "rows": 3, "below": 0, "above": 1}, {"name": "ward", "rows": 3, "below": 0, "above": 0}
    assert report.to_dict() == {
        "ok": False,
        "columns": (
            {**age, "missing": 1, "unfit": 0, "problem": "", "coded": False, "at": ("row 2",), "note": ""},
            {**ward, "missing": 1, "unfit": 1, "problem": "", "coded": False, "at": ("row 1", "row 2"), "note": ""},
        ),
        "extra": ("<b>", "c"),
        "problem": "",
    }

    def line(tag, *cells):
        sides = ["left", *["right"] * 5, "left"]
        made = [
            f'<{tag} style="text-align: {side}; padding: 0 0.6em">{cell}</{tag}>'
            for side, cell in zip(sides, cells, strict=True)
        ]
        return f"<tr>{''.join(made)}</tr>"

    assert report._repr_html_() == (
        "<table>"
        + line("th", "column", "rows", "below", "above", "missing", "unfit", "verdict")
        + line("td", "age", "3", "0", "1", "1", "0", "refused: 1 row")
        + line("td", "ward", "3", "0", "0", "1", "1", "refused: 2 rows")
        + "</table><p>&#x27;age&#x27; is refused in row 2</p><p>&#x27;ward&#x27; is refused in row 1, row 2</p>"
        + "<p>&#x27;&lt;b&gt;&#x27; is no column of the domain and is left out</p>"
        + "<p>&#x27;c&#x27; is no column of the domain and is left out</p>"
    )


@pytest.mark.parametrize(
    "table", [7, None, "AB", [[1]], [[1, "A"], [1]], {"age": [1, 2], "ward": ["A"]}, np.zeros((2, 7))]
)
def test_a_table_that_cannot_be_read_has_a_report_too(table):
    report = DOMAIN.check(table)
    assert not report.ok and report.problem and str(report).splitlines()[-1] == report.problem
    assert report.problem in report._repr_html_()


def test_a_report_says_why_a_column_cannot_be_read():
    report = DOMAIN.check({"age": np.zeros((2, 2)), "ward": 7})
    assert [column.problem for column in report.columns] == [
        "the table, column 'age': expected one dimension, got 2",
        "the table, column 'ward': expected a sequence, got int",
    ]


def test_a_class_may_stand_in_a_column_without_a_name():
    report = DOMAIN.check({"age": [1], "ward": ["A"], "": ["ill"]}, label="")
    assert report.ok and [column.name for column in report.columns] == ["age", "ward", ""]


def test_all_rows_that_are_refused_are_named_and_in_print_the_first_of_them(tmp_path):
    """As the table calls them: by the lines of a file."""
    (tmp_path / "a.csv").write_text("age,ward\n" + "".join(f"17,{'C' if k % 2 else 'A'}\n" for k in range(60)), "utf8")
    report = DOMAIN.check(read_csv(tmp_path / "a.csv", DOMAIN))
    assert report.columns[1].at == tuple(f"line {k + 2}" for k in range(1, 60, 2))
    assert str(report).endswith("'ward' is refused in " + ", ".join(report.columns[1].at[:20]) + " and 10 more")


@pytest.mark.parametrize(
    ("edges", "values", "noted"),
    [
        ([0, 6, 3], [0, 1, 6, 9], True),
        ([0, 6, 3], [0, None, 4.0], True),
        ([0, 6, 3], [0, 1.5], False),
        ([0, 6, 3], [], False),
        ([0, 6, 3], ["x"], False),
        ([0, 3, 2], [0, 1], False),
        ([-0.5, 5.5, 3], [0, 1], False),
    ],
)
def test_levels_that_lie_askew_of_whole_numbers_are_noted(edges, values, noted):
    domain = Domain.from_spec({"features": {"age": [0, 100, 4]}, "target": edges})
    table = {"age": [1] * len(values), "days": values}
    last = domain.check(table, "days").columns[-1]
    assert bool(last.note) is noted and domain.check([[1, v] for v in values]).ok == last.ok
    assert not noted or last.note.endswith("take edges from -0.5 to 5.5")
