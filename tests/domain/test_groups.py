"""Which cell of a coarser histogram each code is in, beside halves of halves where these are whole."""

import numpy as np
import pytest

from fdpedu.domain import Categorical, Domain, Numeric, code_groups
from fdpedu.federation import GroupCounts


@pytest.mark.claim("lem-group-counts")
@pytest.mark.parametrize("missing", [False, True])
def test_powers_of_two_are_halves_of_halves(missing):
    feature = Numeric.grid("x", 0, 1, 128, missing=missing)
    for groups in (2, 4, 8, 16, 32, 64, 128):
        found = code_groups(feature, groups)
        assert found.dtype == np.uint8
        assert found[:128].tolist() == np.repeat(np.arange(groups), 128 // groups).tolist()
        assert found[128:].tolist() == [groups] * missing


def test_no_group_and_no_category_is_divided_or_joined_without_need():
    assert code_groups(Numeric("x", (0, 1, 2, 9, 10, 11)), 3).tolist() == [0, 0, 1, 1, 2]
    assert code_groups(Numeric.grid("x", 0, 1, 255, missing=True), 256).tolist() == list(range(256))
    assert code_groups(Numeric.grid("x", 0, 1, 255, missing=True), 2)[-1] == 2
    assert code_groups(Categorical("w", tuple("ABCDE"), missing=True), 2).tolist() == [0, 1, 2, 3, 4, 5]
    assert code_groups(Categorical("w", tuple("AB")), 2).tolist() == [0, 1]


@pytest.mark.parametrize(
    ("groups", "sentence"),
    [(1, "groups must be an integer ≥ 2, got 1"), (257, "groups must be at most 256, got 257"), ("4", "groups")],
)
def test_what_is_no_number_of_groups(groups, sentence):
    with pytest.raises(ValueError, match=sentence):
        code_groups(Categorical("w", tuple("AB")), groups)


def test_groups_are_of_a_feature_and_kept_as_an_integer():
    with pytest.raises(ValueError, match="feature must be a feature of a domain, got str"):
        code_groups("x", 2)
    domain = Domain([Numeric.grid("x", 0, 1, 4)], ("a", "b"))
    query = GroupCounts(domain.everything, 1, np.int64(3))
    assert type(query.groups) is int and query.parameters == {"groups": 3}
