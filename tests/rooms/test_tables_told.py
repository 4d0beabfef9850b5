"""What an owner is told about a table: warnings and reports, numbers of rows and never a value."""

import warnings

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from fdpedu.domain import Domain, Numeric
from fdpedu.federation import ClippedWarning, Party
from tests.support.tables import BY_NAME, BY_POSITION, DOMAIN, EVERY, NAMES


@example(1, 19, False)
@given(st.integers(0, 30), st.integers(1, 30), st.booleans())
def test_a_party_warns_of_a_column_clipped_beyond_a_twentieth(outside, inside, named):
    """Exactly then; it says which column and how much, and nothing of a value."""
    rows = [[-5 if i % 2 else 7391, "A"] for i in range(outside)] + [[50, "A"]] * inside
    table = BY_NAME["lists by name"](rows, NAMES[:2]) if named else rows
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        party = Party(table, DOMAIN, labels=["ill"] * len(rows), name="north")
    assert party.clipped == {"age": outside, "ward": 0}
    assert len(caught) == (20 * outside > len(rows))
    for warning in caught:
        told = str(warning.message)
        assert warning.category is ClippedWarning and warning.filename == __file__
        assert told.startswith("north: ") and f"{outside / len(rows):.0%} of 'age'" in told and "7391" not in told
        assert ("order" in told) == (not named) and "Seen by you only" in told


def test_swapped_columns_are_noticed():
    """Without names they are two columns of numbers, and only the ranges can tell."""
    domain = Domain([Numeric.grid("age", 0, 100), Numeric.grid("cholesterol", 100, 400)], (0, 1))
    rows, labels = [[63, 240], [17, 180]], [0, 1]
    Party(rows, domain, labels=labels)
    with pytest.warns(
        ClippedWarning, match="100% of 'age', 100% of 'cholesterol'; are the columns in the domain's order"
    ):
        Party([row[::-1] for row in rows], domain, labels=labels)


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
    assert not report.ok and report.columns[0].told == "refused: 2 rows"
    good = DOMAIN.check(EVERY[kind](rows[:2], NAMES), label="class")
    assert good.ok and [column.told for column in good.columns] == ["clipped: 50.0%", "ok", "ok"]


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
        "'Age' is no column of the domain and is left out",
        "'<b>' is no column of the domain and is left out",
    ]
    shown = report._repr_html_()
    assert shown.count("<tr>") == 4 and "&lt;b&gt;" in shown and "<b>" not in shown and "7391" not in shown


@pytest.mark.parametrize(
    "table", [7, None, "AB", [[1]], [[1, "A"], [1]], {"age": [1, 2], "ward": ["A"]}, np.zeros((2, 7))]
)
def test_a_table_that_cannot_be_read_has_a_report_too(table):
    report = DOMAIN.check(table)
    assert not report.ok and report.problem and str(report).splitlines()[-1] == report.problem
    assert report.problem in report._repr_html_()
