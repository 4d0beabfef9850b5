"""The mathematics that the exercises of chapter 15 rely on."""

from fractions import Fraction
from itertools import product

from fdpedu.dlpa import insider_epsilon
from fdpedu.exercises.catalogue import find
from fdpedu.randomness import Rehearsal
from fdpedu.sources.elzein import certain_votes, node_messages, published_totals, secret_selection
from fdpedu.trees import Votes
from fdpedu.trees.designs.base import leaf_cost
from fdpedu.trees.designs.votes import level_costs
from fdpedu.trees.shape import Asked
from tests.support.exercises import cases_of


def test_certain_votes_are_the_library_s():
    """In every case, and by going through all elections that look alike."""
    for (totals, own), known in cases_of("secret-sharing-betrayed"):
        assert known == certain_votes(totals, own)
        m, n, c = len(totals), sum(totals), len(own)
        alike = [v for v in product(range(m), repeat=n - c) if [v.count(k) + own.count(k) for k in range(m)] == totals]
        assert known == sum(len({v[k] for v in alike}) == 1 for k in range(n - c))


def test_the_least_modulus_tells_all_sums_apart_and_none_below_does():
    """All parties with the largest number, and none: two sums that a smaller modulus confuses."""
    for (n, largest, _), q in cases_of("secret-sharing-modulus"):
        residues = {total % q for total in (0, n * largest)} if largest > 7 else {t % q for t in range(n * largest + 1)}
        assert len(residues) == (2 if largest > 7 else n * largest + 1)
        assert (n * largest) % (q - 1) == 0  # reads as nothing
        shares = [largest % q] * (n - 1) + [largest % q]
        assert int(published_totals(dict(enumerate([[s] for s in shares])), n, q)[0]) == n * largest


def test_the_middle_keeps_the_mean_inside_and_no_number_from_outside_does():
    """With one to four others anywhere in the node; a number beyond an end can bring the mean out of it."""
    for (_, _, low, high), own in cases_of("secret-sharing-outside"):
        assert low < own < high and own - low == high - own
        for n in range(1, 5):
            assert all(low <= (n * x + own) / (n + 1) <= high for x in (low, high))
            beyond = high + Fraction(1, 10)
            assert (n * Fraction(high) + beyond) / (n + 1) > high


def test_what_is_missing_is_the_vote_that_is_gone():
    """Two rounds of the library, in the second without the last party."""
    for votes in product(range(3), repeat=3):
        before = list(secret_selection(votes, 3, rng=Rehearsal(1)).totals)
        after = list(secret_selection(votes[:-1], 3, rng=Rehearsal(2)).totals)
        assert find("secret-sharing-restart").reference(before, after) == votes[-1]


def test_the_audit_counts_the_library_s_messages():
    """Of inner nodes only; the source's rows leave 132, 4.9 and 23 bytes."""
    for (nodes, bandwidth, n, categorical), left in cases_of("secret-sharing-audit"):
        each = node_messages(n, "categorical" if categorical else "continuous")
        assert left == Fraction(bandwidth, nodes // 2 * each)
    assert [round(float(left), 1) for case, left in cases_of("secret-sharing-audit")[-3:]] == [131.6, 4.9, 22.8]


def test_the_price_is_that_of_the_design():
    """The levels as the design divides them; and with what the library says of leaf counts against insiders."""
    for (epsilon, share, depth, factor, constant), price in cases_of("secret-sharing-price"):
        _, shape = Votes().settled(Asked(max_depth=depth, leaf_share=share), epsilon)
        leaf = leaf_cost(shape, epsilon)
        assert price == sum(level_costs(shape, epsilon)) + factor * leaf + constant
    found = insider_epsilon(Fraction(1, 4), 5, 1)
    reference = find("secret-sharing-price").reference
    upper = reference(Fraction(1), Fraction(1, 4), 3, Fraction(0), found.upper)
    assert upper == Fraction(3, 4) + found.upper > 1
