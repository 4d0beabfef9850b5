"""Secret selection: which choice got most votes, without telling who voted for what (El Zein et al., Algorithm 1).

Each party's vote is a vector with a single 1. It is shared out additively (:mod:`fdpedu.secure_sum.additive`), every
party adds the shares that it holds and publishes the sums, and these add up to the number of votes for each choice. All
totals are then public, not only the largest.

As printed, Algorithm 1 forgets to publish: line 11 takes the argmax of the party's own sum of shares. That sum is
uniform whatever the votes are, and other parties have other sums (:func:`selection_as_printed_law`).

Guarantee: given the totals, perfect against up to N−2 honest but curious parties, over private channels; integers mod
q. Not guaranteed: anything that the totals themselves tell (:mod:`fdpedu.sources.elzein.leaks`); no ε.

Claims: lem-selection, lem-printed-selection
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from fdpedu.exact import Integers, as_integer, as_integers, as_list
from fdpedu.randomness import Rng, Source, Words, as_source
from fdpedu.secure_sum import share
from fdpedu.secure_sum.modular import add_up
from fdpedu.showing import html_table, text_table
from fdpedu.sources.elzein.counting import Traffic, wire_bytes

MAX_PARTIES, MAX_CHOICES = 256, 2**14
_MAX_LAW = 2**20  # outcomes of the printed algorithm that are enumerated


@dataclass(frozen=True)
class Selection:
    """What everybody knows after a selection.

    Parameters
    ----------
    totals : votes for each choice, shape (M,)
    winners : the positions of the largest total, ascending; more than one is a tie
    messages : how many travelled, and how long they are
    """

    totals: tuple[int, ...]
    winners: tuple[int, ...]
    messages: Traffic

    def __str__(self) -> str:
        return text_table([("choice", "votes"), *((str(i), str(n)) for i, n in enumerate(self.totals))])

    def _repr_html_(self) -> str:
        rows = [(str(i), str(n)) for i, n in enumerate(self.totals)]
        return html_table(("choice", "votes"), rows, caption="Votes for each choice")


def secret_selection(votes: Any, n_choices: int, *, modulus: int | None = None, rng: Rng = None) -> Selection:
    """The number of votes for each choice, by additive sharing in one process: Algorithm 1, with sums published.

    Claims: lem-selection

    Parameters
    ----------
    votes : one a party, for at least 2 parties: the position of its choice, or a vector of M numbers with a single 1
    n_choices : M ≥ 1
    modulus : q, greater than N; N + 1 unless given
    rng : None for the operating system; a generator is for teaching, and warns

    Examples
    --------
    >>> from fdpedu.randomness import Rehearsal
    >>> found = secret_selection([2, 0, 2], 3, rng=Rehearsal(1))
    >>> found.totals, found.winners, found.messages.messages
    ((1, 0, 2), (2,), 12)
    """
    vectors = as_vectors(votes, n_choices)
    q = as_modulus(modulus, len(vectors))
    totals = shared_totals(vectors, q, as_source(rng))
    return selected(totals, Traffic.of_sum(len(vectors), wire_bytes(q, vectors.shape[1])))


def selected(totals: Integers, messages: Traffic) -> Selection:
    """The selection with these totals."""
    winners = np.flatnonzero(totals == totals.max())
    return Selection(tuple(totals.tolist()), tuple(winners.tolist()), messages)


def shared_totals(vectors: Integers, modulus: int, source: Source) -> Integers:
    """The sums of the parties' vectors: shared out, added up by every party, and published.

    Parameters
    ----------
    vectors : integers ≥ 0, shape (N, M), whose sums are less than the modulus
    modulus : q
    source : of all parties
    """
    n = len(vectors)
    dealt = [share(row, n, modulus, own) for row, own in zip(vectors, source.spawn(n), strict=True)]
    held = [add_up([shares[k] for shares in dealt], modulus) for k in range(n)]  # eq. (3)
    return published_totals(dict(enumerate(held)), n, modulus)


def published_totals(sums: Mapping[int, Any] | Sequence[tuple[int, Any]], n_parties: int, modulus: int) -> Integers:
    """The totals, from the sums that the parties publish: equation (4), read from 0 to q − 1 and not lifted.

    Claims: lem-selection

    Parameters
    ----------
    sums : for each party its vector of residues, by position, or as pairs of a position and a vector
    n_parties : N
    modulus : q

    Raises
    ------
    ValueError
        If a party's sum is missing or doubled, is of another length, or has a number outside 0 to q − 1.

    Examples
    --------
    >>> published_totals({0: [1, 4], 1: [2, 3]}, 2, 5).tolist()
    [3, 2]
    """
    n, q = as_integer(n_parties, "n_parties", minimum=2, maximum=MAX_PARTIES), _modulus(modulus)
    listed = (
        list(sums.items()) if isinstance(sums, Mapping) else [as_list(pair, "sums") for pair in as_list(sums, "sums")]
    )
    if any(len(pair) != 2 for pair in listed):
        raise ValueError("sums must be pairs of a party's position and its vector")
    pairs = [(as_integer(party, "sums", minimum=0, maximum=MAX_PARTIES), vector) for party, vector in listed]
    named = Counter(party for party, _ in pairs)
    if set(named) != set(range(n)):
        raise ValueError(f"sums must be of each of the {n} parties, and of nobody else; they are of {sorted(named)}")
    if twice := sorted(party for party, times in named.items() if times > 1):
        raise ValueError(f"sums must have one vector a party, and more are of {', '.join(map(str, twice))}")
    vectors = [as_integers(vector, "sums") for _, vector in pairs]
    if any(vector.ndim != 1 or vector.shape != vectors[0].shape for vector in vectors):
        raise ValueError(f"sums must be vectors of one length, got {[vector.shape for vector in vectors]}")
    if any(((vector < 0) | (vector >= q)).any() for vector in vectors):
        raise ValueError(f"sums must hold residues from 0 to {q - 1}: a share is less than the modulus")
    words: list[Words] = [vector.astype(np.uint64) for vector in vectors]
    return np.asarray(add_up(words, q)).astype(np.int64)


def selection_as_printed_law(votes: Any, n_choices: int, modulus: int) -> dict[tuple[int, ...], Fraction]:
    """The exact joint law of the parties' answers by Algorithm 1 as printed: each the argmax of its own sum of shares.

    Claims: elzein-algorithm-1-as-printed, lem-printed-selection

    Parameters
    ----------
    votes : as for :func:`secret_selection`
    n_choices : M ≥ 1
    modulus : q > N; q^(M·(N−1)) must be at most 2^20

    Returns
    -------
    For each tuple of answers, party by party, its probability; ties go to the first.

    Examples
    --------
    >>> law = selection_as_printed_law([0, 0], 2, 3)
    >>> sum(p for answers, p in law.items() if answers[0] == 0), law == selection_as_printed_law([1, 1], 2, 3)
    (Fraction(2, 3), False)
    """
    vectors = as_vectors(votes, n_choices)
    q, n = as_modulus(modulus, len(vectors)), len(vectors)
    size = q ** (n_choices * (n - 1))
    if size > _MAX_LAW:
        raise ValueError(f"modulus must leave at most {_MAX_LAW} cases, and q^(M·(N−1)) is {size}")
    # lem-printed-selection: N − 1 sums of shares are uniform and independent, and the last one makes up the totals
    totals, found = vectors.sum(axis=0), Counter[tuple[int, ...]]()
    for held in product(product(range(q), repeat=n_choices), repeat=n - 1):
        last = tuple(
            (int(total) - sum(column)) % q for total, column in zip(totals, zip(*held, strict=True), strict=True)
        )
        found[tuple(sums.index(max(sums)) for sums in (*held, last))] += 1
    return {answers: Fraction(times, size) for answers, times in sorted(found.items())}


def as_vectors(votes: Any, n_choices: int) -> Integers:
    """The votes as vectors with a single 1, shape (N, M)."""
    m = as_integer(n_choices, "n_choices", minimum=1, maximum=MAX_CHOICES)
    listed = as_list(votes, "votes")
    if not 2 <= len(listed) <= MAX_PARTIES:
        raise ValueError(f"votes must be of 2 to {MAX_PARTIES} parties, got {len(listed)}: one alone has no secret")
    return np.stack([_vector(vote, party, m) for party, vote in enumerate(listed)])


def _vector(vote: Any, party: int, m: int) -> Integers:
    if np.ndim(vote) == 0:
        at = as_integer(vote, f"the vote of party {party}", minimum=0, maximum=m - 1)
        return (np.arange(m, dtype=np.int64) == at).astype(np.int64)
    vector = as_integers(vote, f"the vote of party {party}")
    if vector.shape != (m,) or sorted(vector.tolist()) != [0] * (m - 1) + [1]:
        raise ValueError(f"the vote of party {party} must be a vector of {m} numbers: a single 1, else 0")
    return vector


def as_modulus(modulus: int | None, n_parties: int) -> int:
    """q; N + 1 unless it is given, which is the least one that tells all totals apart."""
    q = n_parties + 1 if modulus is None else _modulus(modulus)
    if q <= n_parties:
        # lem-selection: with q = N a total of N reads as 0
        raise ValueError(f"modulus must be greater than the {n_parties} votes that a choice may get, got {q}")
    return q


def _modulus(modulus: Any) -> int:
    return as_integer(modulus, "modulus", minimum=2, maximum=2**62)
