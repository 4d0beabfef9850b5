"""Rows dealt one by one: dealing and what single parties are asked, together."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fdpedu.claims.checking import Refuted
from fdpedu.claims.trees import dealing as topic

RECORDS = [(a, b, (a + b) % 2) for a in (0, 1) for b in (0, 1)]
QUESTIONS = list(topic.questions(topic.Tables()))
AT_ONCE = next(topic.questions(topic.Tables(topic.equal_parts)))


@pytest.mark.claim("lem-dealt-rows")
@pytest.mark.parametrize(("rows", "parties"), [(0, 4), (1, 3), (3, 5), (5, 2)])
def test_all_ways_to_deal_are_as_likely(rows, parties):
    topic.draws(rows, parties)


@pytest.mark.claim("lem-dealt-rows")
@given(st.sampled_from(QUESTIONS), st.lists(st.sampled_from(RECORDS), max_size=6), st.sampled_from(RECORDS), st.data())
def test_one_row_more_costs_epsilon(asked, table, record, data):
    """In any order of the rows."""
    topic.one_epsilon(asked, tuple(table), record, data.draw(st.integers(0, len(table))))


def test_equal_parts_cost_more():
    """All random divisions into equal parts, as likely: one row more of nine costs more than ε, and six rows do not."""
    with pytest.raises(Refuted, match="128/30563"):
        topic.one_epsilon(AT_ONCE, topic.DECIDED, (1, 0, 1), 8)
    topic.one_epsilon(AT_ONCE, topic.DECIDED[:5], (1, 0, 1), 5)


def test_what_is_asked_is_every_type_and_loss():
    """Votes by all four losses, designed splits by three and by a designer of either part, structures by their two."""
    found = {(asked.query.type, asked.query.loss, getattr(asked.query, "designer", None)) for asked in QUESTIONS}
    votes = {("split-vote", loss, None) for loss in ("errors", "gini", "mixed", "squared")}
    designed = {("designed-split", *pair) for pair in (("errors", 0), ("errors", 1), ("gini", 1), ("mixed", 0))}
    assert found == votes | designed | {("structure-vote", loss, None) for loss in ("errors", "squared")}
