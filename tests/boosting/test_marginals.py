"""What follows from shares of codes, against exact fractions."""

import hashlib
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fdpedu.boosting import Marginals
from fdpedu.domain import Categorical, Domain, Numeric

DOMAIN = Domain([Numeric.grid("x", 0, 4, bins=4, missing=True), Categorical("w", ("A", "B", "C"))], ("well", "ill"))
WHOLE = 2**30
tables = st.lists(st.integers(0, 40), min_size=8, max_size=8)


def exact_shares(rows):
    """Rounded to multiples of 2⁻³⁰ from the left, so that they add up to 1."""
    for part in (rows[:5], rows[5:]):
        part = part if any(part) else [1] * len(part)
        ends = [round(Fraction(sum(part[: c + 1]), sum(part)) * WHOLE) for c in range(len(part))]
        yield [Fraction(b - a, WHOLE) for a, b in zip([0, *ends], ends, strict=False)]


@given(tables)
def test_shares_are_multiples_of_a_small_unit_that_add_up_to_1(rows):
    found = Marginals(DOMAIN, np.array(rows)).shares
    for got, exact in zip(found, exact_shares(rows), strict=True):
        assert max(abs(Fraction(g) - e) for g, e in zip(got.tolist(), exact, strict=True)) <= Fraction(1, WHOLE)
        assert sum(map(Fraction, got.tolist())) == 1 and all(Fraction(g) * WHOLE % 1 == 0 for g in got.tolist())


def test_where_nothing_is_left_all_codes_are_alike():
    found = Marginals(DOMAIN, np.zeros(8))
    assert found.shares[0].tolist() == pytest.approx([0.2] * 5) and found.cuts(0, 8) == (0, 1, 2)


@given(tables, st.integers(2, 12))
def test_cuts_are_the_least_codes_up_to_which_a_share_lies(rows, quantiles):
    """Of the bins alone: missing values are no part of it. The last bin's edge divides nothing."""
    marginals = Marginals(DOMAIN, np.array(rows))
    bins, found = [Fraction(n) for n in rows[:4]] if any(rows[:5]) else [Fraction(1)] * 4, marginals.cuts(0, quantiles)
    if not sum(bins):
        assert found == (0, 1, 2)
        return
    ends = [sum(bins[: c + 1]) / sum(bins) for c in range(4)]
    expected = {min(c for c in range(4) if ends[c] >= Fraction(k, quantiles)) for k in range(1, quantiles)} - {3}
    assert found == (tuple(sorted(expected)) or (0, 1, 2))


def test_where_all_rows_are_in_the_last_bin_every_cut_is_allowed():
    rows = np.array([0, 0, 0, 9, 0, 0, 9, 0])
    assert Marginals(DOMAIN, rows).cuts(0, 8) == (0, 1, 2)
    rows[4] = 99  # values that are missing change nothing
    assert Marginals(DOMAIN, rows).cuts(0, 8) == (0, 1, 2)


questions = st.one_of(st.tuples(st.just(0), st.integers(0, 31)), st.tuples(st.just(1), st.integers(0, 7)))


@given(tables, st.lists(questions, min_size=1, max_size=4).map(tuple))
def test_a_leaf_has_the_share_of_its_cells(rows, asked):
    shares, found = list(exact_shares(rows)), [Fraction(0)] * 2 ** len(asked)
    for cell in product(range(5), range(3)):
        leaf = int("".join("10"[mask >> cell[feature] & 1] for feature, mask in asked), 2)
        found[leaf] += shares[0][cell[0]] * shares[1][cell[1]]
    got = Marginals(DOMAIN, np.array(rows)).leaf_shares(asked)
    assert got.tolist() == pytest.approx([float(x) for x in found], abs=1e-8) and sum(found) == 1


def test_made_up_rows_are_read_off_a_stream_that_a_seed_makes():
    """Thirty bits are a place between 0 and 1, and the code is the one whose part of it that is."""
    marginals, n, seed = Marginals(DOMAIN, np.array([0, 1, 3, 0, 4, 3, 0, 1])), 500, b"released"
    found = marginals.rows(n, seed)
    stream = hashlib.shake_256(b"fdpedu made-up rows\0" + seed).digest(8 * n * 2)
    for j, share in enumerate(marginals.shares):
        ends = [sum(map(Fraction, share[: c + 1].tolist())) for c in range(len(share))]
        words = [int.from_bytes(stream[8 * (j * n + i) :][:8], "little") >> 34 for i in range(n)]
        expected = [next(c for c, end in enumerate(ends) if Fraction(word, WHOLE) < end) for word in words]
        assert found[j].tolist() == expected
    assert found.dtype == np.uint8 and found.shape == (2, n)
    assert set(found[0].tolist()) == {1, 2, 4} and set(found[1].tolist()) == {0, 2}  # what has no rows is not made up
    assert (marginals.rows(n, seed) == found).all() and (marginals.rows(n, b"other") != found).any()
