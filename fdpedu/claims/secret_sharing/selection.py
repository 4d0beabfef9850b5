"""A secret selection gives the totals and nothing more; the printed one gives nothing of the votes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from types import ModuleType
from typing import Any

import numpy as np

from fdpedu.claims.checking import require
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.claims.replay import enumerate_law
from fdpedu.randomness import Rehearsal, ReplayedWords
from fdpedu.secure_sum import share
from fdpedu.secure_sum.modular import add_up
from fdpedu.sources.elzein import secret_selection, selection_as_printed_law
from fdpedu.sources.elzein.selection import as_vectors

CURIOUS = "all parties are honest but curious, and channels are private"


def counted(votes: Sequence[int], n_choices: int, modulus: int | None, seed: int) -> None:
    """The totals are those of plain counting, and the winners have the most votes; q ≤ N is refused."""
    try:
        found = secret_selection(votes, n_choices, modulus=modulus, rng=Rehearsal(seed))
    except ValueError:
        require(modulus is not None and modulus <= len(votes), f"the modulus {modulus} is refused")
        return
    expected = tuple(list(votes).count(choice) for choice in range(n_choices))
    require(found.totals == expected, f"the totals are {found.totals}, and there are {expected} votes")
    most = tuple(choice for choice, total in enumerate(expected) if total == max(expected))
    require(found.winners == most, f"the winners are {found.winners}, and {most} have most votes")


def elections(most: int) -> Iterator[tuple[tuple[int, ...], int, int | None, int]]:
    """All votes of 2 to so many parties on 1 to 3 choices, with the least modulus, larger ones, and one too small."""
    for n, m in product(range(2, most + 1), (1, 2, 3)):
        for votes in product(range(m), repeat=n):
            yield from ((votes, m, modulus, n + m) for modulus in (None, n, n + 1, 2 * n + 3, 2**20))


def many(draw: ModuleType) -> Any:
    """Up to twelve parties and twenty choices."""

    def of(n_choices: int) -> Any:
        votes = draw.st.lists(draw.integers(0, n_choices - 1), min_size=2, max_size=12)
        return draw.tuples(votes, draw.st.just(n_choices), draw.st.just(None), draw.integers(0, 99))

    return draw.integers(1, 20).flatmap(of)


View = tuple[tuple[int, ...], ...]


def views(votes: Sequence[int], modulus: int, colluders: Sequence[int]) -> Counter[View]:
    """How often the colluders see what, over all shares of one choice's numbers: shares they get, and all sums."""
    n = len(votes)
    found = Counter[View]()
    for first in product(product(range(modulus), repeat=n - 1), repeat=n):
        dealt = [[*some, (vote - sum(some)) % modulus] for vote, some in zip(votes, first, strict=True)]
        sums = tuple(sum(row[k] for row in dealt) % modulus for k in range(n))
        seen = tuple(tuple(row[k] for k in colluders) for row in dealt)
        found[(*seen, sums)] += 1
    return found


def no_more(numbers: tuple[int, ...], others: tuple[int, ...], colluders: tuple[int, ...]) -> None:
    """With the same own numbers and the same total, the colluders' view has the same law."""
    q = len(numbers) + 1
    require(views(numbers, q, colluders) == views(others, q, colluders), "the views differ")


def same_totals(parties: int) -> Iterator[tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]]:
    """Three parties' numbers for one choice: all pairs of equal total in which the colluders have the same."""
    for n in range(3, parties + 1):
        every = list(product((0, 1), repeat=n))
        for a, b in product(every, repeat=2):
            if a < b and sum(a) == sum(b):
                same = [k for k in range(n) if a[k] == b[k]]
                yield from ((a, b, (k,)) for k in same)


def shipped_shares(vote: int, modulus: int, words: int) -> None:
    """Over all tapes, N − 1 shares of a number are uniform, and all of them add up to it."""

    def sampler(tape: ReplayedWords) -> tuple[int, ...]:
        return tuple(share(np.array([vote]), 3, modulus, tape)[:, 0].tolist())

    found, rest = enumerate_law(sampler, 3, words)
    least, most = Fraction(1 - rest, modulus**2), Fraction(1, modulus**2)
    require(len(found) == modulus**2, f"{len(found)} vectors of shares")
    for shares, mass in found.items():
        require(sum(shares) % modulus == vote, f"the shares {shares} add up to another number")
        require(least <= mass <= most, f"{shares} has probability {mass}")


def tapes(words: int) -> Iterator[tuple[int, int, int]]:
    """Both votes, two moduli."""
    yield from ((vote, q, words) for vote in (0, 1) for q in (4, 5))


def printed(votes: tuple[int, ...], n_choices: int, modulus: int) -> None:
    """Each party's answer has the law of a uniform vector's argmax, whatever the votes are, and so have any N − 1."""
    law, n = selection_as_printed_law(votes, n_choices, modulus), len(votes)
    uniform = Counter[int]()
    for sums in product(range(modulus), repeat=n_choices):
        uniform[sums.index(max(sums))] += 1
    alone = {answer: Fraction(times, modulus**n_choices) for answer, times in uniform.items()}
    for left_out in range(n):
        joint = Counter[tuple[int, ...]]()
        for answers, mass in law.items():
            joint[answers[:left_out] + answers[left_out + 1 :]] += mass  # type: ignore[assignment]
        for some in product(range(n_choices), repeat=n - 1):
            expected = Fraction(1)
            for answer in some:
                expected *= alone[answer]
            require(joint[some] == expected, f"without party {left_out}, {some} has probability {joint[some]}")


def drawn_as_printed(votes: tuple[int, ...], modulus: int, words: int) -> None:
    """Shares that are really dealt, over all tapes: the argmax of the first party's own sums."""

    def sampler(tape: ReplayedWords) -> int:
        dealt = [share(vector, len(votes), modulus, tape) for vector in as_vectors(votes, 2)]
        return int(add_up([shares[0] for shares in dealt], modulus).argmax())

    found, rest = enumerate_law(sampler, 2, words)
    law = selection_as_printed_law(votes, 2, modulus)
    for answer in (0, 1):
        stated = sum((mass for answers, mass in law.items() if answers[0] == answer), Fraction(0))
        got = found.get(answer, Fraction(0))
        require(got <= stated <= got + rest, f"{answer} has probability {stated}, drawn {got}, {rest} left open")


def small(parties: int) -> Iterator[tuple[tuple[int, ...], int, int]]:
    """All votes of two or three parties on two choices, and of two on three."""
    for n, m in ((2, 2), (2, 3), (3, 2))[:parties]:
        yield from ((votes, m, n + 1) for votes in product(range(m), repeat=n))


def played(words: int) -> Iterator[tuple[tuple[int, ...], int, int]]:
    """All votes of two parties, with q = 4: each word is a residue."""
    yield from ((votes, 4, words) for votes in product((0, 1), repeat=2))


def most_votes(votes: tuple[int, ...], n_choices: int, modulus: int) -> None:
    """The printed algorithm's claim: every party's answer is a choice with most votes."""
    totals = [votes.count(choice) for choice in range(n_choices)]
    for answers, mass in selection_as_printed_law(votes, n_choices, modulus).items():
        good = all(totals[answer] == max(totals) for answer in answers)
        require(good, f"with probability {mass} the answers are {answers}, and the votes {totals}")


CLAIMS = (
    Claim(
        "elzein-algorithm-1-as-printed",
        status="refuted as stated",
        code=("fdpedu.sources.elzein.selection.selection_as_printed_law",),
        checks=(Check("most votes", "exact", "two parties, two choices", most_votes, small, 1),),
        assumptions=(CURIOUS, "integers mod q"),
        corrected_by="lem-selection",
    ),
    Claim(
        "lem-printed-selection",
        status="proved+checked",
        code=("fdpedu.sources.elzein.selection", "fdpedu.sources.elzein.selection.selection_as_printed_law"),
        checks=(
            Check(
                "N − 1 answers",
                "exhaustive",
                "all votes of two parties on two choices and on three, and of three on two (the first {size} of "
                "these): any N − 1 answers have the distribution of independent uniform vectors",
                printed,
                small,
                3,
            ),
            Check(
                "tapes",
                "exact",
                "shares that are dealt over all tapes of {size} words: the distribution of the first party's answer",
                drawn_as_printed,
                played,
                4,
            ),
        ),
        assumptions=(CURIOUS, "integers mod q", "ties go to the first choice"),
        uses=("lem-additive-shares",),
    ),
    Claim(
        "lem-selection",
        status="proved+checked",
        code=(
            "fdpedu.sources.elzein.selection",
            "fdpedu.sources.elzein.selection.secret_selection",
            "fdpedu.sources.elzein.selection.published_totals",
            "fdpedu.sources.elzein.growing",
            "fdpedu.sources.elzein.fit",
            "fdpedu.sources.elzein.fit.fit_shared_tree",
        ),
        checks=(
            Check(
                "plain counting",
                "exhaustive",
                "all votes of up to {size} parties on up to three choices, with several moduli",
                counted,
                elections,
                4,
                5,
            ),
            Check("many", "property", "{size} random elections of up to twelve parties", counted, many, 150, 2000),
            Check(
                "views",
                "exhaustive",
                "{size} parties, one choice: a colluder's view has one distribution for all votes with the same total",
                no_more,
                same_totals,
                3,
            ),
            Check(
                "tapes",
                "exact",
                "shares over all tapes of {size} words: any two of three are uniform",
                shipped_shares,
                tapes,
                4,
                5,
            ),
        ),
        assumptions=(CURIOUS, "integers mod q", "q is greater than the number of parties"),
        uses=("lem-additive-shares",),
    ),
)

_SELECTION = "fdpedu.sources.elzein.selection"
TWINS = (
    Broken(
        "local sums not exchanged",
        f"{_SELECTION}.shared_totals",
        "published_totals(dict(enumerate(held)), n, modulus)",
        "held[0].astype(np.int64)",
        "Every party holds a share of every vote, so its own sum is the sum of the votes.",
        "lem-selection",
        "plain counting",
    ),
    Broken(
        "modulus N",
        f"{_SELECTION}.as_modulus",
        "q <= n_parties",
        "q < n_parties",
        "N numbers of 0 or 1 fit into residues mod N.",
        "lem-selection",
        "plain counting",
    ),
    Broken(
        "totals lifted like signed sums",
        f"{_SELECTION}.published_totals",
        "np.asarray(add_up(words, q)).astype(np.int64)",
        "(np.asarray(add_up(words, q)).astype(np.int64) + q // 2) % q - q // 2",
        "A residue above q/2 is a negative number.",
        "lem-selection",
        "plain counting",
    ),
    Broken(
        "the last winner",
        f"{_SELECTION}.selected",
        "np.flatnonzero(totals == totals.max())",
        "np.flatnonzero(totals == totals.max())[-1:]",
        "There is one winner.",
        "lem-selection",
        "plain counting",
    ),
    Broken(
        "the last of equals",
        f"{_SELECTION}.selection_as_printed_law",
        "sums.index(max(sums))",
        "len(sums) - 1 - sums[::-1].index(max(sums))",
        "Ties are rare, so it does not matter how they fall.",
        "lem-printed-selection",
        "N − 1 answers",
    ),
)
