"""At the largest sizes every sum is that of Python's integers: no type is too narrow, and no float takes part."""

from fractions import Fraction as F

import numpy as np
import pytest

from fdpedu.robust import structured_bound
from fdpedu.robust.certificate import MAX_ROWS, _bounds, _Leaf
from fdpedu.robust.curve import curve_table
from fdpedu.robust.ensemble import certified_rows_of_votes
from fdpedu.robust.knapsack import MAX_TOTAL, allocation, best_sums, least_value

N = 2**21  # test rows of a structured bound
TINY = F(1, 9001)  # so that ten thousand rows leave some of every value


def least_of_two(a, b, rows):
    return min(a[rows - i] + b[i] for i in range(rows + 1))


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("leaves", [2, 3, 1000])
def test_the_least_value_at_the_largest_total(sign, leaves):
    """Equal parts of 2⁶² but for odd rests: the last leaf falls by 1 and by 2, which no float of 53 bits sees."""
    part = MAX_TOTAL // leaves
    tops = [part] * (leaves - 1) + [MAX_TOTAL - part * (leaves - 1)]
    if sign > 0:
        tables = [[top, top, top] for top in tops[:-1]] + [[tops[-1], tops[-1] - 1, tops[-1] - 3]]
        assert least_value(tables, 2) == (MAX_TOTAL - 3, (*[0] * (leaves - 1), 2))
        tables[0] = [tops[0] + 1] * 3
    else:
        tables = [[-top, -top, -top] for top in tops[:-1]] + [[3 - tops[-1], 2 - tops[-1], -tops[-1]]]
        assert least_value(tables, 2) == (-MAX_TOTAL, (*[0] * (leaves - 1), 2))
        tables[0] = [-tops[0] - 1] * 3
    with pytest.raises(ValueError, match="62 bits"):
        least_value(tables, 2)


def test_the_most_rows_among_the_longest_values():
    """Ten thousand rows in two leaves that together are worth 2⁶² and fall by odd steps: the sum and a division."""
    x = MAX_ROWS
    tables = [[MAX_TOTAL // 2 - k * k * 10**9 - 7 * k for k in range(x + 1)] for _ in range(2)]
    tables[1] = [value - k // 3 for k, value in enumerate(tables[1])]
    least, division = least_value(tables, x)
    assert least == least_of_two(*tables, x) == sum(t[k] for t, k in zip(tables, division, strict=True))
    assert sum(division) <= x
    found, choices = best_sums(np.array(tables, dtype=np.int64))
    for rows in (1, 77, 9_999):
        assert int(found[rows]) == least_of_two(*tables, rows) and sum(allocation(choices, rows)) == rows


@pytest.mark.parametrize(
    "leaves",
    [
        [(N - 1, 1, "0.999")],
        [(0, N - 7, "0.9"), (5, 2, 1)],
        [(N // 2 + 1, 1, "0.99"), (3, N // 2 - 5, "0.999")],
    ],
)
def test_a_structured_bound_of_the_most_test_rows_and_forged_rows(leaves):
    """2²¹ test rows times 2⁴⁰: sixty-one bits, and the last of them counts."""
    assert sum(a + b for a, b, _ in leaves) == N
    tables = [[abs(a - b) * kept for kept in curve_table(F(q), TINY, MAX_ROWS, 40)] for a, b, q in leaves]
    least = tables[0][-1] if len(leaves) == 1 else least_of_two(*tables, MAX_ROWS)
    right = sum(min(a, b) for a, b, _ in leaves) * 2**40 + least
    found = structured_bound(leaves, TINY, MAX_ROWS)
    assert found == F(right, N * 2**40) and right > 2**60 and right % 2**8
    with pytest.raises(ValueError, match="leaves"):
        structured_bound([*leaves, (1, 0, 1)], TINY, 1)


@pytest.mark.parametrize("n", [2**21 + 5, 2**24 + 1, 2**33 + 3, 2**54 + 1])
def test_a_certificate_counts_test_rows_in_parts_that_fit(n):
    """However many test rows a leaf has: the unit shrinks as they grow, and the sums are those of Python's integers."""
    first = _Leaf((n, 7), 9, lambda lead: F(3 * lead + 400, 700), 0)
    second = _Leaf((n // 3, n), 4, lambda lead: F(5 * lead + 500, 801), 1)
    rows, total = 60, 2 * n + 7 + n // 3
    unit = 2 ** (61 - total.bit_length())
    tables = [
        [min(int(extra * unit * leaf.kept(leaf.lead - k)) for k in range(x + 1)) for x in range(rows + 1)]
        for leaf, extra in ((first, n - 7), (second, n - n // 3))
    ]
    always = (7 + n // 3) * unit
    found = _bounds([first, second], rows)
    assert found == [F(always + least_of_two(*tables, x), total * unit) for x in range(rows + 1)]


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64])
def test_votes_in_every_type_of_integer(kind):
    """As many votes as the type holds, up to 2⁶²: a lead is that of Python's integers."""
    most = min(int(np.iinfo(kind).max), 2**62)
    votes = [[most, 0, 1], [0, most, most - 1], [0, 1, most], [most, most, most], [1, 0, 0], [most - 3, most, 0]]
    expected = []
    for row in votes:
        c = row.index(max(row))
        expected.append(min((row[c] - v - (j < c)) // 2 for j, v in enumerate(row) if j != c))
    found = certified_rows_of_votes(np.array(votes, dtype=kind))
    assert found.tolist() == expected and found.dtype == np.int64
    assert certified_rows_of_votes(votes).tolist() == expected
