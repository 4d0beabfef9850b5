"""Where a party's table has its classes, which rows are whose in a frame of sites, and when clipping is said."""

import warnings

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from fdpedu.claims.strategies import domains_with_parties
from fdpedu.domain import Domain, Numeric
from fdpedu.federation import ClippedWarning, Party, parties_from_frame
from tests.support.tables import BY_NAME, DOMAIN, NAMES, held

TABLE = {"age": [63], "ward": ["A"], "class": ["ill"]}


@pytest.mark.parametrize(
    ("make", "place"),
    [
        (lambda: Party(TABLE, DOMAIN), "label="),
        (lambda: Party(TABLE, DOMAIN, label="class", labels=["ill"]), "label"),
        (lambda: Party(TABLE, DOMAIN, label="Class"), "'Class' (its column 'class'"),
        (lambda: Party(TABLE, DOMAIN, label="age"), "'age'"),
        (lambda: Party(TABLE, DOMAIN, label=2), "label"),
        (lambda: Party([[63, "A", "ill"]], DOMAIN, label="class"), "'class'"),
        (lambda: Party(TABLE, DOMAIN, labels=["ill"] * 2), "labels"),
        (lambda: Party(TABLE, DOMAIN, labels={"ill"}), "party: "),
        (lambda: parties_from_frame([[63]], DOMAIN, label="class", by="ward"), "frame"),
        (lambda: parties_from_frame(TABLE, "domain", label="class", by="ward"), "domain"),
        (lambda: parties_from_frame(TABLE, DOMAIN, label="class", by="site"), "'site'"),
    ],
)
def test_where_the_class_stands_is_said_once(make, place):
    with pytest.raises(ValueError) as caught:
        make()
    assert place in str(caught.value)


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
    ("change", "options", "place"),
    [
        ({"site": ["n", None, "n"]}, {}, "the frame row 1, column 'site'"),
        ({"site": ["n", 7.5, "n"]}, {}, "the frame row 1, column 'site'"),
        ({"site": ["n", "s", "7391"]}, {"parties": ["n", "s"]}, "row 2, column 'site'"),
        ({}, {"parties": {"n", "s"}}, "parties"),
        ({}, {"parties": ["n", "n"]}, "parties"),
        ({"age": [1, 2, "7391"]}, {}, "n row 2, column 'age'"),
        ({"class": ["ill", "7391", "ill"]}, {}, "s row 1, the class"),
    ],
)
def test_a_frame_of_sites_is_refused_by_its_own_rows(change, options, place):
    frame = {"age": [1, 2, 3], "ward": ["A"] * 3, "class": ["ill"] * 3, "site": ["n", "s", "n"], **change}
    with pytest.raises(ValueError) as caught:
        parties_from_frame(frame, DOMAIN, label="class", by="site", **options)
    assert place in str(caught.value) and "7391" not in str(caught.value)


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
        text = str(warning.message)
        assert warning.category is ClippedWarning and warning.filename == __file__
        assert text.startswith("north: ") and f"{outside / len(rows):.0%} of 'age'" in text and "7391" not in text
        assert ("order" in text) == (not named) and "Seen by you only" in text


def test_swapped_columns_are_noticed():
    """Without names they are two columns of numbers, and only the ranges can tell."""
    domain = Domain([Numeric.grid("age", 0, 100), Numeric.grid("cholesterol", 100, 400)], (0, 1))
    rows, labels = [[63, 240], [17, 180]], [0, 1]
    Party(rows, domain, labels=labels)
    with pytest.warns(
        ClippedWarning, match="100% of 'age', 100% of 'cholesterol'; are the columns in the domain's order"
    ):
        Party([row[::-1] for row in rows], domain, labels=labels)
