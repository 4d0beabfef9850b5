"""Secrets in shares, of which one needs all or t; and what travels."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.claims.secure_sum import laws_shares as law
from fdpedu.randomness import Rehearsal, ReplayedWords, TapeExhausted, ZeroWords
from fdpedu.secure_sum import (
    SEED_PRIME,
    WORD,
    Share,
    count_messages,
    reconstruct,
    recover_secret,
    share,
    share_secret,
    shared_sum,
)
from fdpedu.secure_sum.shamir import uniform_residue

MODULI = st.sampled_from([2, 3, 97, 2**62, WORD])


@pytest.mark.claim("lem-additive-shares")
@pytest.mark.parametrize("missing", range(3))
def test_all_shares_but_one_say_nothing(missing):
    law.missing_share(5, 3, 4, missing, 4)


@pytest.mark.claim("lem-additive-shares")
@given(MODULI, st.integers(1, 6), st.lists(st.integers(-(2**62), 2**62), min_size=1, max_size=5))
def test_all_shares_give_the_value(modulus, n, values):
    shares = share(values, n, modulus)
    assert shares.shape == (n, len(values)) and (modulus == WORD or int(shares.max()) < modulus)
    lifted = [(value + modulus // 2) % modulus - modulus // 2 for value in values]
    assert reconstruct(shares, modulus).tolist() == lifted == reconstruct(list(shares)[::-1], modulus).tolist()


@pytest.mark.claim("lem-additive-shares")
@given(MODULI, st.lists(st.lists(st.integers(-9, 9), min_size=2, max_size=2), min_size=1, max_size=5))
def test_two_ways_to_one_sum(modulus, rows):
    law.additive_sum(rows, modulus)


def test_shares_come_from_the_source_that_is_given():
    assert share([3, 4], 3, 97, ZeroWords()).tolist() == [[0, 0], [0, 0], [3, 4]]
    words = Rehearsal(1).words(2).tolist()
    assert share([0], 3, rng=Rehearsal(1))[:2].ravel().tolist() == words
    assert shared_sum([[3], [4]], 97, ZeroWords()).tolist() == [7]
    with pytest.raises(TapeExhausted):
        shared_sum([[3], [4]], 97, ReplayedWords([]))
    assert reconstruct([[3], [95]], 97).tolist() == [1]


@pytest.mark.parametrize(
    ("call", "why"),
    [
        (lambda: share(1.5, 2), "must be integers"),
        (lambda: share(1, 0), "n must be an integer ≥ 1"),
        (lambda: share(1, 2, 2**63), "modulus must be"),
        (lambda: reconstruct([]), "at least one array"),
        (lambda: reconstruct([np.zeros(2, dtype=np.uint64), np.zeros(3, dtype=np.uint64)]), "all of one shape"),
        (lambda: reconstruct([np.zeros(2, dtype=np.uint64)], 1), "modulus must be"),
        (lambda: shared_sum([[1.5]]), "values must be integers"),
        (lambda: share_secret(1, 1, 0, 5), "n must be"),
        (lambda: share_secret(1, 1.0, 2, 5), "threshold must be"),
        (lambda: shared_sum([1, 2]), r"must have shape \(parties, numbers\)"),
        (lambda: share_secret(5, 2, 3, 5), "must be less than the prime"),
        (lambda: share_secret(-1, 2, 3, 5), "secret must be"),
        (lambda: share_secret(1, 3, 2, 5), "threshold must be at most n"),
        (lambda: share_secret(1, 2, 5, 5), "n less than the prime"),
        (lambda: recover_secret([Share(1, 1)], 2, 5), "2 shares are needed to recover a secret, got 1"),
        (lambda: recover_secret([Share(1, 1), Share(1, 2)], 2, 5), "different places"),
        (lambda: recover_secret([Share(1, 1), Share(6, 2)], 2, 5), "different places"),
        (lambda: recover_secret([Share(1, 1), Share(0, 2)], 2, 5), "none of them 0"),
        (lambda: recover_secret([Share(1, 1), Share(5, 2)], 2, 5), "none of them 0"),
        (lambda: recover_secret([Share(1, 1)], 0, 5), "threshold must be"),
        (lambda: count_messages(2, 1), "n_parties must be"),
        (lambda: count_messages(3, -1), "size must be"),
    ],
)
def test_bad_input_is_refused(call, why):
    with pytest.raises(ValueError, match=why):
        call()


@pytest.mark.claim("thm-shamir")
@pytest.mark.parametrize("case", [(3, 2, 2), (5, 1, 4), (5, 3, 4), (7, 2, 3)])
def test_too_few_shares_say_nothing(case):
    law.too_few_say_nothing(*case)


@pytest.mark.claim("thm-shamir")
@pytest.mark.parametrize("case", [(1, 1), (2, 5), (5, 5), (20, 31)])
def test_seeds_come_back(case):
    law.seeds_come_back(*case, 5)


@pytest.mark.claim("thm-shamir")
@settings(max_examples=30)
@given(st.integers(0, SEED_PRIME - 1), st.integers(1, 6), st.integers(0, 4), st.randoms())
def test_any_shares_in_any_order_give_the_secret(secret, threshold, more, random):
    shares = list(share_secret(secret, threshold, threshold + more))
    assert [one.x for one in shares] == list(range(1, threshold + more + 1))
    random.shuffle(shares)
    assert recover_secret(shares[:threshold], threshold) == secret == recover_secret(shares, threshold)


@pytest.mark.claim("thm-shamir")
def test_residues_of_many_words():
    """The first word is the highest; bits too many are dropped; what is p or more is drawn again."""
    assert uniform_residue(16, ReplayedWords([2, 3], word_bits=2)) == 11
    assert uniform_residue(8, ReplayedWords([2, 3], word_bits=2)) == 5
    assert uniform_residue(11, ReplayedWords([3, 0, 2, 2], word_bits=2)) == 10
    assert uniform_residue(2, ReplayedWords([1], word_bits=1)) == 1


@pytest.mark.claim("lem-traffic")
@pytest.mark.parametrize("case", [(3, 0), (4, 17), (9, 2)])
def test_messages_are_counted(case):
    law.traffic_counted(*case)
    law.message_sizes()


@pytest.mark.claim("lem-traffic")
def test_what_is_added_by_one_more_number_or_party():
    """Eight bytes a message that holds numbers; keys and shares do not grow with the numbers."""
    few, many = count_messages(5, 10), count_messages(5, 11)
    grown = {name: many[name].bytes - few[name].bytes for name in few}
    assert grown == {"pairwise masks": 40, "additive shares": 200, "masks with recovery": 40}
    assert all(many[name].setup_bytes == few[name].setup_bytes for name in few)
    assert [count_messages(n, 1)["masks with recovery"].missing for n in (3, 4, 5, 7)] == [1, 1, 2, 3]
    assert few["pairwise masks"].colluders == few["additive shares"].colluders == 3
