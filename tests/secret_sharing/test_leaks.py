"""What totals tell of votes: against all elections, listed; and against numbers that were worked out by hand."""

from fractions import Fraction
from itertools import combinations, product
from math import comb, exp, log2

import pytest

from fdpedu.mechanisms import discrete_laplace_pmf
from fdpedu.sources.elzein import certain_votes, noisy_totals_win, threshold_information, vote_information
from fdpedu.sources.elzein.leaks import totals_rate


def counted(votes, m):
    return tuple(votes.count(choice) for choice in range(m))


@pytest.mark.claim("lem-certain-votes")
@pytest.mark.parametrize("m", [1, 2, 3, 4])
@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_certain_votes_are_those_that_are_the_same_in_all_elections_with_these_totals_and_own_votes(n, m):
    elections = list(product(range(m), repeat=n))
    for c in range(n + 1):
        for members in combinations(range(n), c):
            alike = {}
            for votes in elections:
                alike.setdefault((counted(votes, m), tuple(votes[k] for k in members)), []).append(votes)
            for (totals, own), some in alike.items():
                certain = sum(len(set(each)) == 1 for k, each in enumerate(zip(*some, strict=True)) if k not in members)
                assert certain_votes(totals, own) == certain
        if n == 5 and c == 2:
            break  # which parties collude makes no difference to their number


def test_a_vote_of_one_party_against_all_others_is_certain_to_nobody_but_that_party():
    assert certain_votes([4, 1], [1]) == 4
    assert certain_votes([4, 1], [0]) == certain_votes([4, 1]) == 0
    assert certain_votes([5, 0]) == 5 and certain_votes([0]) == 0 and certain_votes((2, 1, 1), (1, 2)) == 2


def bits(outcomes):
    """The mutual information of the first of equally likely values and a function of all, from pairs."""
    outcomes = list(outcomes)
    weight = 1 / len(outcomes)

    def entropy(values):
        values = list(values)
        return -sum(values.count(one) * weight * log2(values.count(one) * weight) for one in set(values))

    return entropy(a for a, _ in outcomes) + entropy(b for _, b in outcomes) - entropy(outcomes)


@pytest.mark.claim("lem-vote-bits")
@pytest.mark.parametrize(("m", "n"), [(1, 1), (1, 3), (2, 1), (2, 2), (2, 5), (3, 1), (3, 3), (3, 4), (4, 3), (5, 3)])
def test_bits_are_those_of_all_elections_and_all_thresholds(m, n):
    cases = list(product(range(m), repeat=n))
    assert vote_information(m, n) == pytest.approx(bits((v[0], counted(v, m)) for v in cases), abs=1e-9)
    assert threshold_information(m, n) == pytest.approx(bits((v[0], sum(v)) for v in cases), abs=1e-9)


def test_bits_by_hand():
    assert [round(vote_information(2, n), 3) for n in (1, 2, 3, 4)] == [1.0, 0.5, 0.311, 0.219]
    assert round(vote_information(5, 4), 3) == 0.874 and round(vote_information(5, 1), 2) == 2.32
    assert [round(threshold_information(10, n), 3) for n in (1, 2, 3)] == [3.322, 0.709, 0.321]
    assert vote_information(64, 64) > 0 and threshold_information(4096, 1) == pytest.approx(12)
    assert 0 < threshold_information(2, 64) < 0.02


def winning(n, m, epsilon, reach):
    """By sums over each number of choices that are level with the winner, in plain floats."""
    pmf = {k: float(discrete_laplace_pmf(k, Fraction(epsilon) / 2).upper) for k in range(-reach, reach + 1)}
    found = 0.0
    for x in range(-reach, reach - n + 1):
        level, below = pmf[x + n], sum(pmf[k] for k in range(-reach, x + n))
        found += pmf[x] * sum(comb(m - 1, t) * level**t * below ** (m - 1 - t) / (t + 1) for t in range(m))
    return found + sum(pmf[x] for x in range(reach - n + 1, reach + 1))


@pytest.mark.claim("lem-noisy-totals")
@pytest.mark.parametrize(("n", "m", "epsilon"), [(1, 1, 4), (1, 2, 4), (2, 2, 3), (3, 3, 2), (5, 4, 3), (1, 5, 6)])
def test_a_unanimous_choice_wins_over_noise_as_often_as_an_enumeration_says(n, m, epsilon):
    assert noisy_totals_win(n, m, epsilon) == pytest.approx(winning(n, m, epsilon, 30), abs=1e-9)


def test_a_unanimous_choice_over_noise_by_hand():
    assert round(noisy_totals_win(5, 11, 1), 3) == 0.596 and round(noisy_totals_win(5, 31, 1), 3) == 0.338
    assert noisy_totals_win(1, 1, "1/1000") == pytest.approx(1, abs=1e-9)
    assert noisy_totals_win(1, 2, "1/1000") == pytest.approx(0.5, abs=1e-3)
    assert [totals_rate(epsilon) for epsilon in (1, "1/3")] == [Fraction(1, 2), Fraction(1, 6)]


@pytest.mark.claim("lem-noisy-totals")
@pytest.mark.parametrize(
    ("n", "m", "epsilon"),
    [(1, 2, 60), (1, 5, 300), (5, 11, 30), (5, 11, 14), (1, 2, 1000), (3, 2**14, 1000), (1000, 3, 2), (2**16, 3, 1)],
)
def test_with_little_noise_or_many_parties_a_unanimous_choice_wins_almost_surely(n, m, epsilon):
    """One of the others is level or ahead with at most (m − 1)·4·(1 + nε/2)·e^(−nε/2)."""
    lost = (m - 1) * 4 * (1 + n * epsilon / 2) * exp(-n * epsilon / 2)
    assert 1 - lost - 1e-9 <= noisy_totals_win(n, m, epsilon) <= 1 + 1e-9
