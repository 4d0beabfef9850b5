"""One choice among all public splits costs one ε: its law, whose records it sees, and what the others say."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from types import ModuleType
from typing import Any

import numpy as np

from fdpedu.claims.better_trees.law import choice_law, coded, enclosed_choice, losses_by_hand, records
from fdpedu.claims.better_trees.losses import ADD_REMOVE
from fdpedu.claims.checking import require
from fdpedu.claims.federations import federate
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.claims.replay import bounds, enumerate_law
from fdpedu.domain import Categorical, Domain, Numeric, Region
from fdpedu.federation import DesignedSplit, Federation
from fdpedu.privacy import datasets
from fdpedu.randomness import ZeroWords
from fdpedu.secure_sum import RoundLost
from fdpedu.trees.clamped_tables import Data

HALF = Fraction(1, 2)
TWO = Domain([Numeric.grid(name, 0, 2, bins=2) for name in ("age", "dose")], ("well", "ill"))
WARDS = Domain([Categorical("ward", ("A", "B", "C", "D"))], ("well", "ill"))
GAPS = Domain(
    [Numeric.grid("age", 0, 2, bins=2, missing=True), Numeric.grid("dose", 0, 2, bins=2)], ("well", "ill", "cured")
)


def one_epsilon(domain: Domain, data: Data, loss: str, lattice: int) -> None:
    """With any record more, every split is at most α^{−m} times as likely, or as little: e^ε for α = e^{−ε/m}."""
    law = choice_law(domain, domain.everything, data, HALF, lattice, loss)
    require(sum(law) == 1, f"the probabilities add up to {sum(law)}")
    for record in records(domain):
        other = choice_law(domain, domain.everything, (*data, record), HALF, lattice, loss)
        worst = max(max(p / q, q / p) for p, q in zip(law, other, strict=True))
        require(worst <= 2**lattice, f"with {record} a split is {worst} times as likely, e^ε is {2**lattice}")


def neighbours(most: int) -> Iterator[tuple[Domain, Data, str, int]]:
    """All data of at most so many records, where values may be missing one less; and eight that one split divides."""
    for domain, fewer in ((TWO, 0), (WARDS, 0), (GAPS, 1)):
        every = records(domain)
        for data in (*datasets(every, most - fewer), (every[0], every[3]) * 4):
            yield from ((domain, tuple(data), loss, lattice) for loss, lattice in (("mixed", 2), ("gini", 1)))


def noiseless(domain: Domain, region: Region, parts: Sequence[Any], at: int, loss: str, lattice: int) -> None:
    """Where all words are zero, the answer is 1 + the first split of least loss on the designer's own records."""
    who, rows = at % len(parts), coded(domain, parts[at % len(parts)])
    if losses := losses_by_hand(domain, region, rows, loss, lattice):
        got = told(federate(parts, domain, 1, ZeroWords()), DesignedSplit(region, Fraction(1), who, loss, lattice))
        require(got == 1 + losses.index(min(losses)), f"the answer is {got}, the losses are {losses}")


def told(federation: Federation, query: DesignedSplit) -> int:
    """What a federation releases."""
    (answer,) = federation.release([query], "one choice")
    return int(answer.item())


def drawn(parts: Sequence[Any], region: Region, designer: int, words: int) -> None:
    """A round of two parties, over all tapes of so many 3-bit words, has the law of the designer's records at ε = 2."""
    query = DesignedSplit(region, Fraction(2), designer, "mixed", 4)
    found, rest = enumerate_law(lambda tape: told(federate(parts, GAPS, 2, tape), query), 3, words)
    stated = enclosed_choice(GAPS, region, coded(GAPS, parts[designer]), Fraction(2), 4)
    require(rest < HALF and set(found) <= set(range(1, len(stated) + 1)), f"{rest} left open, drawn are {set(found)}")
    for position, mass in enumerate(stated, 1):
        got, (low, high) = found.get(position, Fraction(0)), bounds(mass)
        require(
            got <= high and low <= got + rest,
            f"split {position} has probability {float(high):.4f}, drawn {float(got):.4f}, {float(rest):.4f} left open",
        )


def tapes(words: int) -> Iterator[tuple[Any, Region, int, int]]:
    """Two parties whose records differ; a node that the designer has no record of; a node with three splits."""
    one = [[0.5, 0.5, "ill"], [0.5, 1.5, "ill"], [1.5, 0.5, "well"], [None, 0.5, "well"]]
    other = [[0.5, 0.5, "well"], [0.5, 1.5, "ill"], [1.5, 1.5, "ill"]]
    known, gaps = (GAPS.everything.restrict(0, codes) for codes in ({0, 1}, {1, 2}))
    yield from (([one, other], known, designer, words) for designer in (0, 1))
    yield [one, other[:2]], gaps, 1, words  # an empty node: all splits are as likely


def silence(said: int) -> None:
    """A designer that says 0, or more than there are splits, has said no split: the round is lost, and names it."""
    federation: Any = federate([[], []], TWO, 1, ZeroWords())
    for respond in federation._endpoints:
        endpoint = respond.__self__
        endpoint._noisy = lambda _, mine=endpoint._index == 1: np.array([said * mine], dtype=np.int64)
    try:
        got = told(federation, DesignedSplit(TWO.everything, Fraction(1), 1))
    except RoundLost as lost:
        require(said not in (1, 2) and "'party 2'" in str(lost), f"the designer says {said}: {lost}")
    else:
        require(got == said and said in (1, 2), f"{said} is taken for split {got}")


def random_questions(draw: ModuleType) -> Any:
    """Parties, and a question to one of them."""

    def of(case: Any) -> Any:
        rest = (draw.integers(0, 3), draw.st.sampled_from(["errors", "gini", "mixed"]), draw.integers(1, 9))
        return draw.tuples(draw.st.just(case[0]), draw.regions(case[0]), draw.st.just(case[1]), *rest)

    return draw.domains_with_parties().flatmap(of)


CLAIMS = (
    Claim(
        "lem-chosen-split",
        status="proved+checked",
        code=(
            "fdpedu.cart.candidates.candidates",
            "fdpedu.federation.queries.choices.Choice",
            "fdpedu.federation.queries.choices.DesignedSplit",
            "fdpedu.federation.queries.choices.ChosenSplit",
        ),
        checks=(
            Check(
                "neighbours",
                "exhaustive",
                "two features, four categories, a missing code and three classes: all data of at most {size} records, "
                "where values may be missing one less, and eight more; every record added, two losses: the "
                "distributions",
                one_epsilon,
                neighbours,
                2,
                3,
                more=[
                    (domain, tuple(records(domain)[k :: 3 - k]) * (2 - k), *score)
                    for domain in (TWO, WARDS, GAPS)
                    for k, score in ((0, ("mixed", 3)), (1, ("errors", 1)))
                ],
            ),
            Check(
                "noiseless",
                "property",
                "{size} random federations, regions and losses: with zero words the designer's own best split",
                noiseless,
                random_questions,
                20,
                1000,
            ),
            Check(
                "tapes",
                "exact",
                "rounds of two parties over all tapes of {size} words of 3 bits, an empty node among them: the "
                "distribution, up "
                "to tapes without an answer",
                drawn,
                tapes,
                2,
                4,
            ),
            Check(
                "no split",
                "exact",
                "a designer that says −1, 0, …, 3 where there are two splits: which rounds are lost",
                silence,
                lambda _: ((said,) for said in range(-1, 4)),
            ),
        ),
        assumptions=(
            ADD_REMOVE,
            "integers",
            "ranges, bins, categories, classes, loss and steps are public; running time is not covered",
        ),
        uses=("lem-mixed-loss", "thm-permute-and-flip", "thm-post-processing"),
    ),
)

_BY_SHARE = (
    "np.concatenate([some if feature.ordered else some[np.argsort(some[:, -1] / np.maximum(1, some.sum(axis=1)))] "
    "for feature, some in zip(domain.features, np.split(table.reshape(domain.n_codes, domain.n_classes), "
    "np.cumsum([feature.n_codes for feature in domain.features])[:-1]))])"
)

TWINS = (
    Broken(
        "categories in the order of class shares",
        "fdpedu.federation.queries.choices.Choice.tally",
        "table.reshape(domain.n_codes, domain.n_classes)",
        _BY_SHARE,
        "The best split of categories cuts their order by the share of a class, so the candidates come in this order.",
        "lem-chosen-split",
        "neighbours",
    ),
    Broken(
        "the first split of an empty node",
        "fdpedu.federation.queries.choices.Choice.drawn",
        "return [1 + int(",
        "return [1] if not any(scores) else [1 + int(",
        "Where there are no rows nothing has to be hidden, so nothing is drawn.",
        "lem-chosen-split",
        "tapes",
    ),
    Broken(
        "a silent designer's 0 read as a split",
        "fdpedu.federation.federation.Federation._require_splits",
        "not 1 <= int(answer[0])",
        "not 0 <= int(answer[0])",
        "Positions are counted from 0.",
        "lem-chosen-split",
        "no split",
    ),
)
