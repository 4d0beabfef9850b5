"""Impurity over parties."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fdpedu.claims.cart import splits as topic
from fdpedu.claims.strategies import nodes


@pytest.mark.claim("lem-pooled-counts")
@given(st.lists(st.tuples(nodes(9), nodes(9)), min_size=1, max_size=4))
def test_counts_are_summed_then_divided(parties):
    """The impurity of a split over parties is that of the pooled rows; empty sides of a party do not matter."""
    topic.pooled_counts(*zip(*parties, strict=True))
