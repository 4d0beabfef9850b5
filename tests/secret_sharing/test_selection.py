"""Secret selections: the totals of plain counting, by shares that are really dealt; and what Algorithm 1 printed."""

from collections import Counter
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.randomness import Rehearsal, ReplayedWords, ZeroWords
from fdpedu.sources.elzein import (
    Selection,
    Traffic,
    published_totals,
    secret_selection,
    selection,
    selection_as_printed_law,
)
from fdpedu.sources.elzein.selection import MAX_CHOICES, MAX_PARTIES, as_modulus, as_vectors, selected, shared_totals

THIRD = Fraction(1, 3)


@st.composite
def elections(draw):
    """Votes, the number of choices, and a modulus that is large enough."""
    m = draw(st.integers(1, 9))
    votes = draw(st.lists(st.integers(0, m - 1), min_size=2, max_size=9))
    return votes, m, draw(st.one_of(st.none(), st.integers(len(votes) + 1, 2**62)))


@pytest.mark.claim("lem-selection")
@settings(max_examples=60, deadline=None)
@given(elections(), st.integers(0, 99), st.booleans())
def test_totals_are_those_of_plain_counting(election, seed, spelled):
    votes, m, q = election
    given = [[int(k == vote) for k in range(m)] for vote in votes] if spelled else votes
    found = secret_selection(given, m, modulus=q, rng=Rehearsal(seed))
    assert found.totals == tuple(votes.count(k) for k in range(m)) and sum(found.totals) == len(votes)
    assert found.winners == tuple(k for k in range(m) if votes.count(k) == max(found.totals))
    assert found.messages.messages == 2 * len(votes) * (len(votes) - 1)


@pytest.mark.claim("lem-selection", "lem-shared-messages")
@pytest.mark.parametrize(
    ("n", "m", "q", "size"), [(2, 3, None, 1), (3, 8, None, 2), (4, 8, None, 3), (3, 8, 5, 3), (4, 11, 2**62, 86)]
)
def test_a_message_has_the_bits_of_its_residues_with_the_least_modulus_unless_another_is_given(n, m, q, size):
    found = secret_selection([0] * n, m, modulus=q, rng=ZeroWords())
    assert found.messages == Traffic(2 * n * (n - 1), 2 * n * (n - 1) * size)


@pytest.mark.claim("lem-selection")
def test_the_least_modulus_is_one_more_than_the_parties():
    assert [as_modulus(q, 4) for q in (None, 5, 2**62)] == [5, 5, 2**62]


@pytest.mark.claim("lem-selection")
def test_what_is_published_are_sums_of_shares_that_were_dealt(monkeypatch):
    """Two parties with q = 4: the words are the first shares, and each party adds up what it holds."""
    seen = []

    def keeping(sums, n, modulus):
        seen.append(({k: held.tolist() for k, held in sums.items()}, n, modulus))
        return published_totals(sums, n, modulus)

    monkeypatch.setattr(selection, "published_totals", keeping)
    found = shared_totals(np.array([[1, 0], [1, 2]]), 4, ReplayedWords([3, 1, 2, 2], word_bits=2))
    assert found.tolist() == [2, 2] and found.dtype == np.int64
    assert seen == [({0: [(3 + 2) % 4, (1 + 2) % 4], 1: [(1 - 3 + 1 - 2) % 4, (0 - 1 + 2 - 2) % 4]}, 2, 4)]


@pytest.mark.claim("lem-selection")
def test_each_party_deals_by_words_of_its_own():
    class Apart:
        """A source whose children have one word each."""

        kind, word_bits = "apart (test only)", 2

        def words(self, size):
            raise AssertionError

        def spawn(self, n):
            return [ReplayedWords([k % 4], word_bits=2) for k in range(n)]

    assert shared_totals(np.array([[3], [0]]), 4, Apart()).tolist() == [3]


@pytest.mark.claim("lem-selection")
def test_published_sums_add_up_to_totals_in_any_order_and_are_not_lifted():
    sums = {0: [4, 1, 0], 1: [3, 3, 4], 2: [0, 0, 0]}
    assert published_totals(sums, 3, 5).tolist() == [2, 4, 4]
    assert published_totals(list(sums.items())[::-1], 3, 5).tolist() == [2, 4, 4]
    assert published_totals({0: [0], 1: [1]}, 2, 2).tolist() == [1]
    assert published_totals([(1, np.array([2**61])), (0, [2**61])], 2, 2**62).tolist() == [0]


@pytest.mark.claim("lem-printed-selection", "elzein-algorithm-1-as-printed")
@pytest.mark.parametrize("votes", list(product((0, 1), repeat=2)))
def test_as_printed_two_parties_answer_0_with_two_thirds_whatever_their_votes_are(votes):
    law = selection_as_printed_law(votes, 2, 3)
    assert sum(law.values()) == 1 and all(type(mass) is Fraction for mass in law.values())
    for party in (0, 1):
        assert sum(mass for answers, mass in law.items() if answers[party] == 0) == 2 * THIRD
    assert list(law) == sorted(law)


@pytest.mark.claim("lem-printed-selection")
def test_as_printed_parties_who_agree_have_different_answers_with_two_thirds():
    law = selection_as_printed_law([0, 0], 2, 3)
    assert law[0, 1] + law[1, 0] == 2 * THIRD
    assert law == {(0, 0): THIRD, (0, 1): THIRD, (1, 0): THIRD}


@pytest.mark.claim("lem-printed-selection")
@pytest.mark.parametrize(("votes", "m", "q"), [((0, 1), 2, 4), ((1, 1, 0), 2, 4), ((2, 0), 3, 3), ((0, 0, 0), 1, 5)])
def test_the_printed_law_is_that_of_all_shares_that_may_be_dealt(votes, m, q):
    n, found = len(votes), Counter()
    for sums in product(product(range(q), repeat=n), repeat=m):  # of each choice what each party holds
        if all(sum(held) % q == votes.count(choice) % q for choice, held in enumerate(sums)):
            found[tuple(max(range(m), key=lambda j, k=k: (sums[j][k], -j)) for k in range(n))] += 1
    law = selection_as_printed_law(votes, m, q)
    assert law == {answers: Fraction(times, found.total()) for answers, times in found.items()}


def test_laws_of_as_many_cases_as_are_allowed(monkeypatch):
    monkeypatch.setattr(selection, "_MAX_LAW", 27)
    assert len(selection_as_printed_law([0, 0, 0], 1, 4)) == 1
    with pytest.raises(ValueError, match="modulus"):
        selection_as_printed_law([0, 0], 3, 4)
    with pytest.raises(ValueError, match="modulus"):
        selection_as_printed_law([0, 0, 0, 0], 1, 5)


def test_as_many_parties_and_choices_as_are_allowed():
    assert as_vectors([0] * MAX_PARTIES, 1).tolist() == [[1]] * 256
    vectors = as_vectors([MAX_CHOICES - 1, 0], MAX_CHOICES)
    assert vectors.shape == (2, 2**14) and vectors[0, -1] == vectors[1, 0] == 1 and vectors.sum() == 2
    assert as_vectors([np.array([0, 1]), 1, (1, 0)], 2).tolist() == [[0, 1], [0, 1], [1, 0]]


def test_a_selection_is_shown_with_its_totals():
    found = selected(np.array([2, 0, 2]), Traffic(1, 2))
    assert found == Selection((2, 0, 2), (0, 2), Traffic(1, 2))
    assert all(type(n) is int for n in (*found.totals, *found.winners))
    assert [line.split() for line in str(found).splitlines()] == [
        ["choice", "votes"],
        ["0", "2"],
        ["1", "0"],
        ["2", "2"],
    ]
    html = found._repr_html_()
    assert "Votes for each choice" in html and html.count("<tr") == 4 and ">2<" in html
