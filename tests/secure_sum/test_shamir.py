"""Secrets in shares of which t are needed: fewer say nothing."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.randomness import ReplayedWords
from fdpedu.secure_sum import SEED_PRIME, Share, recover_secret, share_secret
from fdpedu.secure_sum.shamir import uniform_residue
from tests.support.polynomials import interpolated, tape_of

secrets = st.integers(0, SEED_PRIME - 1)


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


@pytest.mark.claim("thm-shamir")
def test_shares_beyond_the_threshold_are_not_looked_at():
    """A false one behind those that are enough changes nothing; among them it does."""
    line = [Share(1, 2), Share(2, 6)]  # 5 + 4x mod 7
    assert recover_secret([*line, Share(3, 0)], 2, 7) == 5
    assert recover_secret([Share(3, 0), *line], 2, 7) != 5


@pytest.mark.claim("thm-shamir")
@settings(max_examples=25, deadline=None)
@given(st.data())
def test_any_too_few_shares_are_as_likely_for_every_secret_in_the_shipped_field(data):
    """For t − 1 shares and any other secret there is exactly one choice of coefficients, and the code deals the shares.

    The coefficients are uniform if the words are, as each is made of words of its own: those of the test's tape, to the
    last one. So both secrets have deals in equal number with these shares: they say nothing, exactly.
    """
    threshold = data.draw(st.integers(1, 5))
    n = data.draw(st.integers(threshold, threshold + 3))
    coefficients = data.draw(st.lists(secrets, min_size=threshold - 1, max_size=threshold - 1))
    secret, other = data.draw(secrets), data.draw(secrets)
    shares = share_secret(secret, threshold, n, words=ReplayedWords(tape_of(coefficients, data.draw(secrets))))
    assert interpolated([(0, secret), *shares[: threshold - 1]])[1:] == coefficients
    few = data.draw(st.permutations(shares))[: threshold - 1]
    elsewhere = interpolated([(0, other), *few])[1:]
    dealt = share_secret(other, threshold, n, words=ReplayedWords(tape_of(elsewhere)))
    assert set(few) <= set(dealt)
    assert interpolated([(0, other), *dealt])[threshold:] == [0] * (n + 1 - threshold)
