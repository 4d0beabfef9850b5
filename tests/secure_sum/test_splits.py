"""How often a graph of neighbours falls apart, and how many neighbours are enough: exactly."""

from fractions import Fraction
from math import comb

import pytest

from fdpedu.secure_sum import Edges, Ring, failure_probability, neighbours_needed, sharing_risk
from fdpedu.secure_sum.splits import connected


def test_how_many_neighbours_are_needed():
    """Known answers; more colluders, more missing ones and less failure need more neighbours."""
    assert [neighbours_needed(n, n // 5) for n in (20, 100, 500, 1000)] == [6, 18, 24, 26]
    assert neighbours_needed(100) == 2 and neighbours_needed(100, 20, 10) == 32
    assert neighbours_needed(100, 20, failure="1/1000") < neighbours_needed(100, 20) < neighbours_needed(100, 60)
    assert neighbours_needed(5, 1, 2) == 4


@pytest.mark.claim("lem-edges-split")
def test_the_recursion_counts_connected_graphs():
    """With q = 1/2 the probability times 2^(n(n−1)/2) is the number of connected graphs (OEIS A001187)."""
    known = [1, 1, 4, 38, 728, 26704, 1866256, 251548592]
    assert [connected(n, Fraction(1, 2)) * 2 ** comb(n, 2) for n in range(1, 9)] == known


@pytest.mark.claim("lem-neighbour-shares")
def test_shares_among_all_are_too_many_only_from_the_threshold_on():
    """With everybody a neighbour nothing is left to chance."""
    for t in range(1, 7):
        risk = sharing_risk(Ring(6), 7, t, colluders=2, missing=1)
        assert risk.opened == (t <= 2) and risk.lost == (t > 5)
        assert sharing_risk(Edges(1), 7, t, 2, 1) == risk
        assert sharing_risk(Ring(6), 7, t, 2).lost == 0


@pytest.mark.parametrize("model", [Ring(4), Edges("1/3")])
def test_odd_numbers_of_parties_are_refused(model):
    for numbers, name in (
        ((0,), "n_parties"),
        ((2.5,), "n_parties"),
        ((5, -1), "colluders"),
        ((5, 0, -1), "missing"),
        ((5, 3, 2), "3 colluders and 2 missing"),
        ((5, 5), "5 colluders"),
    ):
        with pytest.raises(ValueError, match=name):
            failure_probability(model, *numbers)
        with pytest.raises(ValueError, match=name):
            sharing_risk(model, numbers[0], 1, *numbers[1:])
    assert failure_probability(model, 1) == 0 and failure_probability(model, 5, 4) == 0
    assert failure_probability(Ring(2), 10_000, 1) == 0
    with pytest.raises(ValueError, match="threshold"):
        sharing_risk(model, 5, 0)


def test_who_chooses_the_missing_does_better_than_chance():
    """The bound is above the probability for missing ones by chance, and at most 1; without missing it is the same."""
    for model in (Ring(2), Ring(4), Edges("3/4")):
        by_chance = failure_probability(model, 20, 2, 2)
        assert by_chance < failure_probability(model, 20, 2, 2, chosen=True) <= 1
        assert failure_probability(model, 20, 4, chosen=True) == failure_probability(model, 20, 4)
    assert failure_probability(Ring(2), 20, 2, 9, chosen=True) == 1
    assert failure_probability(Ring(20), 20, 2, 9, chosen=True) == 0


def total_failure(k, n, c, m):
    """The failure of a ring as it is stated, added up from its parts."""
    split = failure_probability(Ring(k), n, c, m)
    return split + min(sum(sharing_risk(Ring(k), n, t, c, m)) for t in range(1, n)) if m else split


@pytest.mark.claim("lem-ring-splits")
@pytest.mark.parametrize(("n", "c", "m"), [(12, 4, 0), (30, 10, 0), (40, 2, 4), (20, 2, 3), (30, 4, 6)])
def test_a_probability_that_is_just_reached_is_accepted(n, c, m):
    """With the failure of the ring of k itself k is enough; with the least bit below it is not, and 2 more are."""
    failures = [total_failure(k, n, c, m) for k in range(2, n - 1, 2)]
    falling = [
        at for at, one in enumerate(failures[:-1]) if 1 > one > failures[at + 1] and one < min(failures[:at], default=2)
    ]
    assert falling
    for at in falling:
        assert neighbours_needed(n, c, m, failures[at]) == 2 * (at + 1)
        assert neighbours_needed(n, c, m, failures[at] * (1 - Fraction(1, 10**40))) == 2 * (at + 2)


@pytest.mark.claim("lem-ring-splits")
@pytest.mark.parametrize(
    ("n", "k", "c", "m"), [(20, 4, 5, 1), (30, 6, 4, 2), (9, 6, 4, 1), (50, 10, 12, 0), (8, 6, 4, 1)]
)
def test_the_bound_for_chosen_missing_is_the_stated_one(n, k, c, m):
    """½·K·(K−k−1) pairs of stretches, times the probability that all but m of their places are colluders'."""
    if m == 0:
        expected = failure_probability(Ring(k), n, c)
    else:
        drawn = [comb(c, x) * comb(n - c, k - x) for x in range(k + 1)]
        expected = min(Fraction(1), Fraction(n * (n - k - 1), 2) * Fraction(sum(drawn[k - m :]), comb(n, k)))
    assert failure_probability(Ring(k), n, c, m, chosen=True) == expected > 0 or n - k - 1 == 0 or c < k - m


@pytest.mark.claim("lem-edges-split")
@pytest.mark.parametrize(("n", "c", "m"), [(9, 2, 1), (9, 0, 3), (12, 1, 2)])
def test_the_bound_for_chosen_missing_of_edges_is_the_stated_one(n, c, m):
    q = Fraction(1, 9)
    expected = comb(n - c, m) * (1 - connected(n - c - m, q))
    assert failure_probability(Edges(1 - q), n, c, m, chosen=True) == expected < 1


@pytest.mark.claim("lem-ring-splits")
def test_a_ring_of_all_is_split_by_nobody():
    """With k ≥ K − 1 there are no two stretches with somebody between them."""
    assert failure_probability(Ring(8), 9, 5, 3, chosen=True) == failure_probability(Ring(8), 8, 5, 2, chosen=True) == 0
    assert failure_probability(Ring(6), 8, 5, 2, chosen=True) == 1


@pytest.mark.claim("lem-neighbour-shares")
@pytest.mark.parametrize(("n", "k", "c", "m"), [(12, 4, 3, 2), (9, 4, 1, 0), (20, 6, 5, 4)])
def test_the_risks_of_a_ring_are_the_stated_sums(n, k, c, m):
    """Of hypergeometric numbers: of k of the K − 1 others those that collude, and those that are there."""

    def chance(marked, wanted):
        drawn = [comb(marked, x) * comb(n - 1 - marked, k - x) for x in range(k + 1) if wanted(x)]
        return Fraction(sum(drawn), comb(n - 1, k))

    for t in range(1, k + 3):
        opened = (n - c) * chance(c, lambda x, t=t: x >= t)
        lost = (n - m) * chance(n - 1 - m, lambda x, t=t: x < t)
        lost += m * chance(n - m, lambda x, t=t: x < t) if m else 0
        risk = sharing_risk(Ring(k), n, t, c, m)
        assert risk == (min(1, opened), min(1, lost))
        assert all(type(one) is Fraction for one in risk)


@pytest.mark.claim("lem-neighbour-shares")
def test_without_colluders_one_share_may_open_a_secret():
    """The best threshold is 1 then, and all that can fail is that nobody near is there."""
    for failure in (Fraction(1, 10), Fraction(1, 1000)):
        k = neighbours_needed(12, 0, 5, failure)
        best = [sharing_risk(Ring(near), 12, 1, 0, 5).lost for near in (k - 2, k)]
        splits = [failure_probability(Ring(near), 12, 0, 5) for near in (k - 2, k)]
        assert best[1] + splits[1] <= failure < best[0] + splits[0]


def test_nobody_colludes_and_nobody_is_missing_unless_it_is_said():
    for model in (Ring(4), Edges("1/2")):
        assert sharing_risk(model, 9, 1) == sharing_risk(model, 9, 1, 0, 0) != sharing_risk(model, 9, 1, 1, 0)
    for failure in (Fraction(1, 2**10), Fraction(1, 2**40)):
        assert neighbours_needed(60, failure=failure) == neighbours_needed(60, 0, 0, failure)
    assert neighbours_needed(60, 3) == neighbours_needed(60, 3, 0) < neighbours_needed(60, 3, 1)


def test_a_risk_of_no_share_at_all_is_none():
    """A threshold of one is met by a ring, and is read by whoever is a neighbour."""
    assert sharing_risk(Ring(2), 5, 1).lost == 0 and sharing_risk(Ring(2), 5, 1, 0, 4).lost == 1
    assert sharing_risk(Edges("1/2"), 3, 1).lost == Fraction(3, 4)
