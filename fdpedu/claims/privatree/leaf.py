"""The label of a leaf: drawn by permute-and-flip on class counts, which all move in one direction."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from fdpedu.accounting import Ledger
from fdpedu.claims.better_trees.losses import ADD_REMOVE
from fdpedu.claims.checking import require
from fdpedu.claims.mutation import Broken
from fdpedu.claims.privatree.law import HALF, all_ways
from fdpedu.claims.records import Check, Claim
from fdpedu.claims.replay import require_law
from fdpedu.domain import Domain, Numeric
from fdpedu.exact import Enclosure, log_enclosure
from fdpedu.federation import Curator, LeafLabel, Party
from fdpedu.mechanisms import expected_error, leaf_error_constant, permute_and_flip_pmf
from fdpedu.privacy import max_ratio
from fdpedu.randomness import Source, ZeroWords

Counts = tuple[int, ...]


def leaf_of(counts: Counts) -> tuple[Domain, Party]:
    """A domain with so many classes, and an owner with so many rows of each."""
    domain = Domain([Numeric.grid("x", 0, 2, bins=2)], tuple(range(len(counts))))
    return domain, Party([[0.5, c] for c, count in enumerate(counts) for _ in range(count)], domain)


def label(domain: Domain, party: Party, epsilon: Fraction, source: Source) -> int:
    """What a curator tells, and it is paid for."""
    curator = Curator(party, Ledger(100), source)
    ((told,),) = curator.release([LeafLabel(domain.everything, epsilon)])
    require(curator.ledger.spent == epsilon, f"a label at {epsilon} costs {curator.ledger.spent}")
    return int(told)


def label_law(counts: Counts) -> list[Fraction]:
    """The law of the label at ε = ln 2, from what the shipped query draws by."""
    domain, party = leaf_of(counts)
    law = all_ways(1, lambda: label(domain, party, Fraction(1), ZeroWords()))
    return [law.get(c, Fraction(0)) for c in range(len(counts))]


def one_epsilon(counts: Counts) -> None:
    """A record more of any class: no label more than e^ε times as likely or less, and its own exactly so if it trails.

    Of no records each label is as likely. A record whose class is changed is two steps, and e^{2ε} is attained.
    """
    law, e = label_law(counts), Fraction(2)
    require(sum(law) == 1, f"the probabilities add up to {sum(law)}")
    require(any(counts) or len(set(law)) == 1, f"of no records the labels have the law {law}")
    laws = list[list[Fraction]]()
    for c, count in enumerate(counts):
        laws.append(label_law((*counts[:c], count + 1, *counts[c + 1 :])))
        worst = max(max_ratio(law, laws[-1]), max_ratio(laws[-1], law))
        require(worst <= e, f"with a record of class {c} a label is {worst} times as likely, e^ε is {e}")
        trails = len(counts) == 2 and count < max(counts)
        require(not trails or laws[-1][c] == e * law[c], f"class {c} is not e^ε times as likely")
    for one, other in product(laws, repeat=2):
        require(max_ratio(one, other) <= e**2, f"by substitution a label is {max_ratio(one, other)} times as likely")


def small_counts(most: int) -> Iterator[tuple[Counts]]:
    """All counts up to so many of two classes, and of three and four classes less; and large ones."""
    for classes, fewer in ((2, 0), (3, 1), (4, 2)):
        yield from ((counts,) for counts in product(range(max(1, most - fewer) + 1), repeat=classes))
    yield from (((40, 0),), ((40, 38),), ((9, 0, 9),))


def played(counts: Counts, epsilon: Fraction, words: int) -> None:
    """Over all tapes of 4-bit words the curator's label has the law of permute-and-flip with base e^{−ε}."""
    domain, party = leaf_of(counts)
    law = permute_and_flip_pmf(counts, epsilon, monotone=True)
    require_law(lambda tape: label(domain, party, epsilon, tape), law.__getitem__, words, Fraction(1, 2))


def tapes(words: int) -> Iterator[tuple[Counts, Fraction, int]]:
    """An empty leaf, a class without records, and three classes."""
    for counts, epsilon in (((0, 0), 1), ((2, 0), 1), ((0, 1, 2), 2), ((1, 1, 0), Fraction(1, 2))):
        yield counts, Fraction(epsilon), words


def half_the_error(counts: Counts, constant: Enclosure) -> None:
    """The expected error times ε is at most C_K/2, half of what Corollary 1 reserves."""
    error = expected_error(label_law(counts), counts)
    scaled, most = -log_enclosure(HALF) * error, constant.upper / 2
    require(scaled.lower <= most, f"expected error times ε is {scaled}, more than {float(most)}")


def with_constants(most: int) -> Iterator[tuple[Counts, Enclosure]]:
    """Counts, each with the constant of its number of classes."""
    constants = {k: leaf_error_constant(k) for k in (2, 3, 4)}
    yield from ((counts, constants[len(counts)]) for (counts,) in small_counts(most))


CLAIMS = (
    Claim(
        "lem-leaf-label",
        status="proved+checked",
        code=("fdpedu.federation.queries.choices.LeafLabel",),
        checks=(
            Check(
                "neighbours",
                "exhaustive",
                "two classes: all counts up to {size}, of three and four classes up to less, and larger ones; a record "
                "more of each class: the exact distributions, attained; by substitution; of no records",
                one_epsilon,
                small_counts,
                3,
                6,
            ),
            Check(
                "tapes",
                "exact",
                "empty leaves, absent classes, three classes: a curator's label over all tapes of {size} words of 4 "
                "bits: the distribution, up to tapes without an answer",
                played,
                tapes,
                3,
                4,
            ),
            Check(
                "half the error",
                "exhaustive",
                "the same counts up to {size}: expected error times ε, enclosed, is at most C_K/2",
                half_the_error,
                with_constants,
                3,
                7,
            ),
        ),
        assumptions=(ADD_REMOVE, "integers", "the leaf's region and the classes are public, or paid for before"),
        uses=("thm-permute-and-flip", "lem-leaf-error"),
    ),
)

_DRAWN = "fdpedu.federation.queries.choices.LeafLabel.drawn"
_FLIP = "permute_and_flip(counts.tolist(), self.epsilon, source, monotone=True)"

TWINS = (
    Broken(
        "the label of most records",
        _DRAWN,
        _FLIP,
        "np.argmax(counts)",
        "A label says of a leaf only what most of its records have, so it says nothing of any one of them.",
        "lem-leaf-label",
        "neighbours",
    ),
    Broken(
        "labels that no record has are left out",
        _DRAWN,
        _FLIP,
        "np.flatnonzero(counts)[permute_and_flip(counts[counts > 0].tolist(), self.epsilon, source, monotone=True)] "
        "if counts.any() else permute_and_flip(counts.tolist(), self.epsilon, source, monotone=True)",
        "A class without records cannot be the majority, so it need not be drawn.",
        "lem-leaf-label",
        "neighbours",
    ),
    Broken(
        "a factor 2 that class counts do not need",
        _DRAWN,
        ", monotone=True",
        "",
        "Every choice by utilities needs ε/2: one may rise while another falls.",
        "lem-leaf-label",
        "tapes",
    ),
    Broken(
        "an empty leaf has the first label",
        _DRAWN,
        "[int(",
        "[0] if not counts.any() else [int(",
        "Where there are no records nothing has to be hidden.",
        "lem-leaf-label",
        "neighbours",
    ),
)
