"""What was released for a leaf: its form, in memory and in a file."""

from fractions import Fraction

import pytest

from fdpedu.domain import Domain
from fdpedu.trees import LeafRelease
from tests.support.private_trees import ALL, DOMAIN

ONE = Fraction(1)


def test_a_leaf_release_knows_its_form():
    release = LeafRelease(ALL.restrict(0, {1, 2}), (3, -1, 0), "1/3")
    assert release.to_json(DOMAIN) == {
        "type": "class-counts",
        "parameters": {},
        "region": {"0": [1, 2]},
        "counts": [3, -1, 0],
        "epsilon": "1/3",
    }
    assert LeafRelease.from_json(release.to_json(DOMAIN), DOMAIN) == release and release.epsilon == Fraction(1, 3)
    for wrong in ({"counts": [1, 2]}, {"more": 1}, {"type": "node-histograms"}, {"parameters": {"feature": 0}}):
        with pytest.raises(ValueError, match="leaf release"):
            LeafRelease.from_json({**release.to_json(DOMAIN), **wrong}, DOMAIN)


ORDERED = Domain.from_spec({"features": {"x": [0, 4, 4]}, "classes": ["a", "b", "c"]})


@pytest.mark.parametrize("n", [2**63 - 1, -(2**63) + 1, 0])
def test_a_release_keeps_counts_as_integers(n):
    """The largest too; and as they can be hashed and compared, whatever they came in."""
    release = LeafRelease(DOMAIN.everything, [n, 1, 2], "1/2")
    assert release.counts == (n, 1, 2) and release.epsilon == Fraction(1, 2)
    assert {release} == {LeafRelease(DOMAIN.everything, (n, 1, 2), Fraction(1, 2))}
    assert LeafRelease.from_json(release.to_json(DOMAIN), DOMAIN) == release


@pytest.mark.parametrize(
    "change",
    [
        {"counts": [1, 2]},
        {"counts": [1, 2, 3, 4]},
        {"label": "a"},
        {"label": "a", "counts": [1, 2]},
        {"region": None, "counts": None},
    ],
)
def test_a_release_in_a_file_has_its_keys_and_a_count_for_each_class(change):
    written = {**LeafRelease(DOMAIN.everything, (1, 2, 3), ONE).to_json(DOMAIN), **change}
    found = {key: value for key, value in written.items() if value is not None}
    with pytest.raises(ValueError, match="leaf release"):
        LeafRelease.from_json(found, DOMAIN)
