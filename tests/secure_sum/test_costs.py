"""What travels in a sum, counted."""

import pytest

from fdpedu.secure_sum import (
    Traffic,
    count_messages,
)


@pytest.mark.claim("lem-traffic")
def test_what_is_added_by_one_more_number_or_party():
    """Eight bytes a message that holds numbers; keys and shares do not grow with the numbers."""
    few, many = count_messages(5, 10), count_messages(5, 11)
    grown = {name: many[name].bytes - few[name].bytes for name in few}
    assert grown == {"pairwise masks": 40, "additive shares": 200, "masks with recovery": 40}
    assert all(many[name].setup_bytes == few[name].setup_bytes for name in few)
    assert [count_messages(n, 1)["masks with recovery"].missing for n in (3, 4, 5, 7)] == [1, 1, 2, 3]
    assert few["pairwise masks"].colluders == few["additive shares"].colluders == 3


@pytest.mark.claim("lem-traffic")
@pytest.mark.parametrize("n", [3, 4, 5, 8])
def test_traffic_says_how_many_may_collude_and_be_missing(n):
    """Of masks and of additive shares all but two may collude; with recovery nearly half may be missing."""
    found = count_messages(n, 2)
    assert all(type(one) is Traffic for one in found.values())
    assert [(one.colluders, one.missing) for one in found.values()] == [(n - 2, 0), (n - 2, 0), (0, (n - 1) // 2)]
