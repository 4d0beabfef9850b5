"""The public splits of a region: which there are, in which order, and how many rows are on either side."""

from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fdpedu.cart import CodeSplit, candidates
from fdpedu.cart.candidates import MAX_CANDIDATES, count_candidates, require_few
from fdpedu.domain import Categorical, Domain, Numeric

MIXED = Domain(
    [
        Numeric.grid("x", 0, 4, bins=4),
        Categorical("w", ("A", "B", "C")),
        Numeric.grid("z", 0, 3, bins=3, missing=True),
        Categorical("v", ("K", "L"), missing=True),
    ],
    ("a", "b", "c"),
)


def divided(domain, region):
    """All ways in which the splits may divide a region, by the definition: pairs of a feature and of two code sets."""
    for j, feature in enumerate(domain.features):
        here = region.codes(j)
        if feature.ordered:
            sides = {frozenset(order[:k]) & here for order in feature.orders for k in range(1, len(order))}
            # missing against the rest is one split, whichever side is left
            sides = {min(side, here - side, key=sorted) if _alone(feature, side, here) else side for side in sides}
        else:
            sides = {frozenset({code}) for code in here}
        yield from (frozenset({(j, side), (j, here - side)}) for side in sides if side and side < here)


def _alone(feature, side, here):
    gap = feature.n_codes - 1
    return feature.missing and {gap} in (side, here - side)


def regions():
    masks = st.tuples(*(st.integers(1, 2**feature.n_codes - 1) for feature in MIXED.features))
    return masks.map(lambda found: _region(found))


def _region(masks):
    region = MIXED.everything
    for j, mask in enumerate(masks):
        region = region.restrict(j, [code for code in range(8) if mask >> code & 1])
    return region


@pytest.mark.claim("lem-chosen-split")
@given(regions())
def test_all_divisions_of_a_region_stand_on_the_list_once(region):
    found = candidates(MIXED, region)
    sides = Counter()
    for at in range(len(found)):
        split = found[at]
        left = split.left & region.codes(split.feature)
        sides[frozenset({(split.feature, left), (split.feature, region.codes(split.feature) - left)})] += 1
    expected = set(divided(MIXED, region))
    assert set(sides) == expected and set(sides.values()) <= {1}


@pytest.mark.claim("lem-chosen-split")
@given(regions(), st.lists(st.tuples(*(st.integers(0, 4) for _ in range(4)), st.integers(0, 2)), max_size=12))
def test_the_rows_on_both_sides_are_counted(region, drawn):
    rows = [r for r in drawn if all(r[j] in region.codes(j) for j in range(4))]
    table = np.zeros((MIXED.n_codes, 3), dtype=np.int64)
    first = np.cumsum([0, *(feature.n_codes for feature in MIXED.features)])
    for row in rows:
        for j in range(4):
            table[first[j] + row[j], row[-1]] += 1
    found = candidates(MIXED, region)
    left, right = found.sides(table)
    assert left.shape == right.shape == (len(found), 3)
    for at in range(len(found)):
        split = found[at]
        goes = [row[split.feature] in split.left for row in rows]
        for side, where in ((left, True), (right, False)):
            classes = [row[-1] for row, is_left in zip(rows, goes, strict=True) if is_left is where]
            assert side[at].tolist() == [classes.count(c) for c in range(3)]


def test_rows_with_a_missing_value_go_to_either_side_or_stand_alone():
    domain = Domain([Categorical("w", ("A", "B")), Numeric.grid("z", 0, 3, bins=3, missing=True)], ("a", "b"))
    table = np.array([[1, 2], [14, 28], [1, 0], [2, 0], [4, 10], [8, 20]])  # of z, the last row is missing
    left, right = candidates(domain, domain.everything).sides(table)
    assert left.tolist() == [[1, 2], [9, 20], [1, 0], [11, 20], [3, 0], [7, 10]]
    assert (left + right).tolist() == [[15, 30]] * 6


def test_the_order_is_feature_by_feature_border_by_border():
    found = candidates(MIXED, MIXED.everything)
    lefts = [(split.feature, sorted(split.left)) for split in (found[at] for at in range(len(found)))]
    assert lefts == [
        *((0, codes) for codes in ([0], [0, 1], [0, 1, 2])),
        *((1, [code]) for code in range(3)),
        *((2, codes) for codes in ([0, 3], [0], [0, 1, 3], [0, 1], [0, 1, 2])),
        *((3, [code]) for code in range(3)),
    ]
    assert count_candidates(MIXED) == len(lefts) == 14


def test_a_region_of_one_cell_has_no_split():
    cell = _region((2, 4, 8, 1))
    assert len(candidates(MIXED, cell)) == 0
    left, right = candidates(MIXED, cell).sides(np.zeros((MIXED.n_codes, 3), dtype=np.int64))
    assert left.shape == right.shape == (0, 3)


def test_a_split_of_a_part_is_a_prefix_of_the_whole_order():
    """As trees and their files write it; and of two categories that are left there is one split."""
    part = _region((0b1100, 0b101, 0b1100, 0b11))
    found = candidates(MIXED, part)
    assert [found[at] for at in range(len(found))] == [
        CodeSplit(0, frozenset({0, 1, 2})),
        CodeSplit(1, frozenset({0})),
        CodeSplit(2, frozenset({0, 1, 2})),
        CodeSplit(3, frozenset({0})),
    ]


def test_no_two_divisions_are_the_same_for_any_region_of_one_feature():
    domain = Domain([Numeric.grid("z", 0, 3, bins=3, missing=True)], ("a", "b"))
    for size in (1, 2, 3, 4):
        for codes in combinations(range(4), size):
            region = domain.everything.restrict(0, codes)
            found = candidates(domain, region)
            assert len(found) == len(set(divided(domain, region)))


def test_too_many_splits_are_refused():
    many = Domain([Numeric.grid(f"x{j}", 0, 1, bins=256) for j in range(65)], ("a", "b"))
    with pytest.raises(ValueError, match=r"at most 16384 splits .*got 16575: take fewer bins"):
        require_few(count_candidates(many))
    require_few(count_candidates(many), 65 * 255)
    with pytest.raises(ValueError, match="at most 13 splits"):
        require_few(count_candidates(MIXED), 13)
    require_few(count_candidates(MIXED), 14)
    assert MAX_CANDIDATES == 2**14


def test_what_is_no_domain_or_no_region_of_it_is_refused():
    with pytest.raises(ValueError, match="domain must be a Domain"):
        candidates("x", MIXED.everything)
    with pytest.raises(ValueError, match="region must be a Region"):
        candidates(MIXED, 3)
    one = Domain([Numeric.grid("x", 0, 1, bins=9)], ("a", "b"))
    with pytest.raises(ValueError, match="region must lie in the domain"):
        candidates(MIXED, one.everything)
    with pytest.raises(ValueError, match="region must lie in the domain"):
        candidates(Domain([Numeric.grid("x", 0, 1, bins=2)], ("a", "b")), one.everything)
    with pytest.raises(ValueError, match="domain must be a Domain"):
        count_candidates(5)
