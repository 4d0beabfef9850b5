"""Shamir's secret sharing: any t of n shares give the secret, and t−1 give nothing.

A polynomial of degree at most t−1 over the field of p elements has the secret as its value at 0, and t−1 uniform
coefficients; party i gets its value at i. Through any t points with different abscissas goes exactly one polynomial of
degree at most t−1, so t shares give it back (Lagrange). And t−1 points together with *any* value at 0 are t points: for
every secret exactly one polynomial passes through them. So t−1 shares are equally likely whatever the secret is, and
uniform.

For seeds of 32 bytes the field is that of p = 2^521 − 1; for exhaustive checks it is a small one. Arithmetic: exact
integers mod p.

Guarantee: perfect, against t−1 parties and everybody who has their shares. Not guaranteed: that a share is right. One
false share gives a false secret, and nothing shows it; so what is done with a recovered secret has to be checked.
Running time depends on the numbers.

Claims: thm-shamir
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from fdpedu.exact import as_integer, as_list, ceil_div
from fdpedu.randomness import Rng, Source, as_source
from fdpedu.secure_sum.modular import MAX_PARTIES

SEED_PRIME = 2**521 - 1  # a field in which seeds and keys of 32 bytes fit


class Share(NamedTuple):
    """The value ``y`` of the polynomial at ``x`` = 1, 2, …, the number of the party that holds it."""

    x: int
    y: int


def share_secret(secret: int, threshold: int, n: int, prime: int = SEED_PRIME, words: Rng = None) -> tuple[Share, ...]:
    """The n shares of a secret, of which any ``threshold`` give it back.

    Claims: thm-shamir

    Parameters
    ----------
    secret : 0 ≤ secret < prime
    threshold : 1 ≤ t ≤ n
    n : less than the prime, so that all shares stand at different places
    prime : a prime number. That it is one is for the caller to know
    words : None for the operating system; or a source

    Examples
    --------
    >>> from fdpedu.randomness import ReplayedWords
    >>> share_secret(5, 2, 3, 7, ReplayedWords([4], word_bits=3))  # 5 + 4x mod 7
    (Share(x=1, y=2), Share(x=2, y=6), Share(x=3, y=3))
    """
    threshold, n, prime = _sizes(threshold, n, prime)
    secret = as_integer(secret, "secret", minimum=0)
    if secret >= prime:
        raise ValueError("secret must be less than the prime")
    source = as_source(words)
    # thm-shamir: the other coefficients are independent and uniform mod p
    coefficients = [secret, *(uniform_residue(prime, source) for _ in range(threshold - 1))]
    return tuple(Share(x, _value(coefficients, x, prime)) for x in range(1, n + 1))


def recover_secret(shares: Sequence[Share], threshold: int, prime: int = SEED_PRIME) -> int:
    """The value at 0 of the polynomial through the first ``threshold`` shares.

    Claims: thm-shamir

    Parameters
    ----------
    shares : at least ``threshold``, at different places; those beyond are not looked at
    threshold : as they were made with
    prime : the same

    Raises
    ------
    ValueError
        If there are too few, or two stand at one place.

    Examples
    --------
    >>> recover_secret([Share(3, 3), Share(1, 2)], 2, 7)
    5
    """
    shares = as_list(shares, "shares")
    if not all(type(share) is Share for share in shares):
        raise ValueError("shares must be a list of Share(x, y)")
    prime = as_integer(prime, "prime", minimum=2, maximum=2**4096)
    threshold = as_integer(threshold, "threshold", minimum=1)
    if len(shares) < threshold:
        raise ValueError(f"{threshold} shares are needed to recover a secret, got {len(shares)}")
    used = shares[:threshold]
    places = [share.x for share in used]
    # thm-shamir: the places are different, and 0 is the secret's
    if len({x % prime for x in places}) != threshold or any(x % prime == 0 for x in places):
        raise ValueError(f"shares must stand at different places, none of them 0, got {places}")
    return sum(share.y * _weight(share.x, places, prime) for share in used) % prime


def uniform_residue(prime: int, source: Source) -> int:
    """A uniform integer in [0, prime), exactly: bits from the source, drawn again while they make a larger one.

    Claims: thm-shamir

    Parameters
    ----------
    prime : at least 2
    source : as many words are taken as its bits need
    """
    bits = (prime - 1).bit_length()
    count = ceil_div(bits, source.word_bits)
    while True:
        drawn = 0
        for word in source.words(count).tolist():
            drawn = drawn << source.word_bits | word
        # thm-shamir: exactly uniform, because a larger number is drawn again and not reduced
        if (drawn := drawn >> (count * source.word_bits - bits)) < prime:
            return drawn


def _value(coefficients: Sequence[int], x: int, prime: int) -> int:
    """The polynomial at x, by Horner's rule."""
    y = 0
    for coefficient in reversed(coefficients):
        y = (y * x + coefficient) % prime
    return y


def _weight(x: int, places: Sequence[int], prime: int) -> int:
    """The weight of the share at x in the value at 0: Π z/(z − x) over the other places z."""
    above = below = 1
    for z in places:
        if z != x:
            above, below = above * z % prime, below * (z - x) % prime
    return above * pow(below, -1, prime)


def _sizes(threshold: int, n: int, prime: int) -> tuple[int, int, int]:
    prime = as_integer(prime, "prime", minimum=2, maximum=2**4096)
    n, threshold = as_integer(n, "n", minimum=1, maximum=MAX_PARTIES), as_integer(threshold, "threshold", minimum=1)
    if not threshold <= n < prime:
        raise ValueError(f"threshold must be at most n, and n less than the prime, got {threshold}, {n}, {prime}")
    return threshold, n, prime
