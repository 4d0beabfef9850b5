"""Rows dealt one by one: dealing and what single parties are asked, together."""

import pytest

from fdpedu.claims.checking import Refuted
from fdpedu.claims.trees import dealing as topic

QUESTIONS = list(topic.questions(topic.Tables()))
AT_ONCE = next(topic.questions(topic.Tables(topic.equal_parts)))


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
