"""Past every border: 256 codes in 8 bits, cells in 16 and 32 bits, 4096 rows of a block, memories that are full."""

from fractions import Fraction

import numpy as np
import pytest

from fdpedu.cart import fit_cart
from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.federation import ClassCounts, ClassHistogram, NodeHistograms
from fdpedu.federation.queries import read_queries, write_queries
from fdpedu.federation.records import Records, members
from tests.support.records import SPECIAL, count_by_hand, federation, special_rows


@pytest.mark.parametrize("n", [0, 1, 4095, 4096, 4097, 8193])
def test_blocks_of_rows(n):
    """Rows up to a block, and beyond it: every query is the count by hand."""
    rows = special_rows(n, 7)
    region = SPECIAL.everything.restrict(1, [0, 2, 3])
    asked = [NodeHistograms(region, 1), ClassHistogram(region, 1, 2), ClassCounts(region, 1)]
    for query, answer in zip(asked, federation([rows, rows[:5]], SPECIAL).release(asked), strict=True):
        assert answer.tolist() == count_by_hand(query, rows + rows[:5], SPECIAL).tolist()


@pytest.mark.parametrize("codes", [255, 256])
@pytest.mark.parametrize("features", [1, 2])
@pytest.mark.parametrize("classes", [2, 255, 256])
def test_the_last_code_of_the_last_feature_and_the_last_class(codes, features, classes):
    """8 bits hold 256 codes; the cells of one feature of 256 codes and 256 classes fill 16 bits, of two they do not."""
    kinds = [Numeric.grid("x", 0, codes, bins=codes), Categorical("w", tuple(range(codes)))][-features:]
    domain = Domain(kinds, range(classes))
    values = {"x": codes - 0.5, "w": codes - 1}
    last, first = ([values[f.name] for f in kinds], classes - 1), ([0 for _ in kinds], 0)
    rows = [[*last[0], last[1]]] * 3 + [[*first[0], first[1]]] * 2
    asked = [NodeHistograms(domain.everything, 1), ClassHistogram(domain.everything, 1, features - 1)]
    asked.append(ClassCounts(domain.everything.restrict(features - 1, [codes - 1]), 1))
    whole, one, counts = federation([rows, []], domain).release(asked)
    ends = np.cumsum([codes] * features)
    assert whole.sum() == 5 * features and all(whole[end - 1, classes - 1] == 3 for end in ends)
    assert all(whole[end - codes, 0] == 2 for end in ends)
    assert one[codes - 1, classes - 1] == 3 and one[0, 0] == 2 and one.sum() == 5
    assert counts[classes - 1] == 3 and counts.sum() == 3
    if classes == 2:
        tree = fit_cart([row[:-1] for row in rows], [row[-1] for row in rows], grid=domain)
        assert tree.predict([last[0], first[0]]).tolist() == [1, 0] and tree.depth == 1


def test_memories_do_not_mix_what_they_remember():
    """More requests, domains and sets of codes than are kept: each is read as if for the first time."""
    second = Domain([Numeric.grid("x", 0, 8, bins=9), *SPECIAL.features[1:]], SPECIAL.classes)
    asked = [
        (domain, [ClassHistogram(domain.everything.restrict(0, [number, 7]), Fraction(1, number), number % 4)])
        for number in range(1, 7)
        for domain in (SPECIAL, second)
    ]
    for _ in range(2):
        for domain, queries in asked:
            form = write_queries(queries, domain)
            assert read_queries(form, domain) == tuple(queries)
    everywhere = write_queries([NodeHistograms(SPECIAL.everything, 1)], SPECIAL)
    sizes = [read_queries(everywhere, domain)[0].size(domain) for domain in (SPECIAL, second, SPECIAL)]
    assert sizes == [63, 66, 63]
    for _ in range(2):
        for mask in range(1, 4200):
            assert np.flatnonzero(members(mask)).tolist() == [code for code in range(13) if mask >> code & 1]


def test_records_of_two_parties_share_nothing():
    """The second party's rows, and what it knows of regions, are its own, also under one domain."""
    rows = special_rows(50, 1), special_rows(50, 2)
    records = [
        Records(SPECIAL.encode([r[:-1] for r in some]), SPECIAL.encode_labels([r[-1] for r in some]), SPECIAL)
        for some in rows
    ]
    inner = SPECIAL.everything.restrict(0, [0, 1, 2])
    for _ in range(2):
        for some, record in zip(rows, records, strict=True):
            (found,) = record.within([inner])
            assert found.tolist() == [i for i, row in enumerate(some) if row[0] <= 3]
