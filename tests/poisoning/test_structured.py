"""Leaf by leaf, the bound is the worst that forged rows can do."""

from fractions import Fraction as F
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fdpedu.mechanisms import permute_and_flip_pmf
from fdpedu.robust import poisoning_curve, structured_bound

CLOSE = F(1, 2**38)  # tables have forty bits
SHARES = st.fractions(0, 1, max_denominator=20)
LEAVES = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9), SHARES), min_size=1, max_size=3).filter(
    lambda leaves: any(a + b for a, b, _ in leaves)
)
EPSILONS = st.sampled_from([F(0), F(1, 10), F(1, 2), F(1), F(3)])


def by_trying(leaves, epsilon, rows):
    """The least over all divisions."""
    n = sum(a + b for a, b, _ in leaves)

    def left(way):
        curved = (poisoning_curve(q, epsilon, x) for (_, _, q), x in zip(leaves, way, strict=True))
        return sum(min(a, b) + abs(a - b) * f for (a, b, _), f in zip(leaves, curved, strict=True)) / n

    return min(left(way) for way in product(range(rows + 1), repeat=len(leaves)) if sum(way) <= rows)


@given(leaves=LEAVES, epsilon=EPSILONS, rows=st.integers(0, 6))
def test_the_bound_is_the_least_over_all_divisions(leaves, epsilon, rows):
    """Rounded down, by hardly anything."""
    exact, found = by_trying(leaves, epsilon, rows), structured_bound(leaves, epsilon, rows)
    assert found <= exact + F(1, 2**60) and exact - found <= CLOSE


@given(leaves=LEAVES, epsilon=EPSILONS, structure=EPSILONS, rows=st.integers(0, 50))
def test_splits_that_can_be_moved_bend_it_once_more(leaves, epsilon, structure, rows):
    fixed = structured_bound(leaves, epsilon, rows)
    moved = structured_bound(leaves, epsilon, rows, epsilon_structure=structure)
    assert moved == (poisoning_curve(fixed, structure, rows) if structure else fixed) <= fixed
    assert structured_bound(leaves, epsilon, rows + 1, epsilon_structure=structure) <= moved


@pytest.mark.parametrize("epsilon", [F(1, 3), F(1)])
def test_with_permute_and_flip_it_is_what_the_worst_rows_leave(epsilon):
    """Three leaves of (zeros, ones) in training and in test; all ways to add rows of either class are tried."""
    train, test, rows = [(6, 1), (2, 5), (3, 3)], [(8, 1), (3, 7), (4, 2)], 5

    def right(counts):
        total = F(0)
        for of_leaf, tested in zip(counts, test, strict=True):
            law = permute_and_flip_pmf(of_leaf, epsilon, monotone=True)
            total += sum(share * p.lower for share, p in zip(tested, law, strict=True))
        return total / sum(map(sum, test))

    worst = F(1)
    for added in product(range(rows + 1), repeat=6):
        if sum(added) <= rows:
            pairs = zip(train, added[::2], added[1::2], strict=True)
            worst = min(worst, right([(a + x, b + y) for (a, b), x, y in pairs]))
    laws = [permute_and_flip_pmf(counts, epsilon, monotone=True) for counts in train]
    leaves = [(a, b, law[int(b > a)].lower) for (a, b), law in zip(test, laws, strict=True)]
    assert abs(structured_bound(leaves, epsilon, rows) - worst) <= CLOSE


def test_a_whole_learner_can_lose_what_leaves_keep():
    """Where splits are public, 20 rows at ε = 1 leave most; the curve of the whole learner, nothing."""
    leaves = [(45, 1, "0.999"), (3, 40, "0.999"), (1, 50, "0.9999"), (30, 1, "0.99")]
    assert structured_bound(leaves, "1/10", 20) > F(1, 2)
    assert poisoning_curve(structured_bound(leaves, 1, 0), 1, 20) < F(1, 10**6)


def test_many_leaves_and_many_rows():
    """64 leaves and 1,000 rows: the same with any order of leaves, and half a knapsack for each half."""
    leaves = [(3 + k % 7, k % 5, F(9, 10) - F(k, 200)) for k in range(64)]
    found = structured_bound(leaves, "1/100", 1000)
    assert abs(found - structured_bound(leaves[::-1], "1/100", 1000)) <= CLOSE
    n, halves = sum(a + b for a, b, _ in leaves), (leaves[:32], leaves[32:])
    sizes = [sum(a + b for a, b, _ in half) for half in halves]
    split = [sum(F(m, n) * structured_bound(h, "1/100", x) for h, m, x in zip(halves, sizes, (500, 500), strict=True))]
    assert found <= split[0] + CLOSE
