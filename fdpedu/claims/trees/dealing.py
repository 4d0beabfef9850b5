"""Rows dealt one by one: dealing and a choice or vote together, exactly, over all ways to deal them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import product
from math import lcm
from typing import Any

import numpy as np

from fdpedu.claims.checking import require
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.claims.replay import enumerate_law
from fdpedu.claims.trees.federated import ADD_REMOVE
from fdpedu.domain import Domain
from fdpedu.federation import DesignedSplit, SplitVote, StructureVote
from fdpedu.federation.dealing import party_of_each
from fdpedu.federation.queries.query import Query
from fdpedu.federation.queries.structures import Population
from fdpedu.federation.records import Records
from fdpedu.mechanisms import permute_and_flip_pmf
from fdpedu.privacy import datasets
from fdpedu.randomness import ReplayedWords
from fdpedu.trees.clamped_tables import Data

Record = tuple[int, ...]
Ways = Mapping[tuple[int, ...], int]  # of the equally likely cases, in how many the rows have these parties
TWO = Domain.from_spec({"features": {"age": [0, 2, 2], "dose": [0, 2, 2]}, "classes": ["well", "ill"]})
STAY = Domain.from_spec({"features": {"age": [0, 2, 2], "dose": [0, 2, 2]}, "target": [0, 3, 3]})
BOTH = Population(((0,), (1,)))  # two structures: one question, about either feature
MOST = 9  # rows of a table
DECIDED: Data = ((0, 1, 1),) * 2 + (
    (0, 0, 0),
) * 6  # and one record more: equal parts move an old one, and a vote turns


def row_by_row(n_rows: int) -> Ways:
    """How the shipped code deals among two parties: over all tapes of as many words of one bit."""
    tapes = product((0, 1), repeat=n_rows)
    return Counter(tuple(party_of_each(n_rows, 2, ReplayedWords(tape, word_bits=1)).tolist()) for tape in tapes)


def equal_parts(n_rows: int) -> Ways:
    """All divisions into a part and one that is as long or longer by a row, as a random permutation modulo 2 has them.

    >>> equal_parts(3)
    {(0, 0, 1): 1, (0, 1, 0): 1, (1, 0, 0): 1}
    """
    return {way: 1 for way in product((0, 1), repeat=n_rows) if sum(way) == n_rows // 2}


class Tables:
    """Tables and how they come to lie at two parties; each is divided once.

    Parameters
    ----------
    ways : how so many rows are dealt
    """

    def __init__(self, ways: Callable[[int], Ways] = row_by_row) -> None:
        self._ways, self._known = ways, dict[Any, Any]()

    def dealt(self, table: Data) -> Mapping[tuple[Data, Data], int]:
        """In how many of the equally likely cases the parties have these records."""
        if len(table) not in self._known:
            self._known[len(table)] = self._ways(len(table))
        if table not in self._known:
            found = Counter[tuple[Data, Data]]()
            for way, times in self._known[len(table)].items():
                one, other = (tuple(sorted(r for r, at in zip(table, way, strict=True) if at == k)) for k in (0, 1))
                found[one, other] += times
            self._known[table] = found
        return self._known[table]


class Asked:
    """A query to two parties: how likely each pair of answers is, if a table is dealt among them.

    Parameters
    ----------
    domain, query : what is asked; of a designed split the designer alone
    base : 1/α, by how much a step of loss makes an answer less likely, so that e^ε is this to the number of steps
    tables : how rows are dealt
    """

    def __init__(self, domain: Domain, query: Any, base: int, tables: Tables) -> None:
        self.domain, self.query, self.tables = domain, query, tables
        self.base, self.exp_epsilon = base, base**query.lattice
        self._known = dict[Any, Any]()

    def __repr__(self) -> str:
        return f"{self.query}, 1/α = {self.base}"

    def answer(self, data: Data, party: int) -> list[int]:
        """The law of a party's answer on its own records, by the losses that it draws by, in whole parts."""
        if (data, party) not in self._known:
            asked: Query = self.query.asked_of(party)
            law = [Fraction(1)] if asked is not self.query else self._drawn(data)
            scale = self.base ** (len(law) * self.query.lattice * MOST) * lcm(*range(1, len(law) + 1))
            require(all((p * scale).denominator == 1 for p in law), "a probability is no multiple of the least part")
            self._known[data, party] = [int(p * scale) for p in law]
        return self._known[data, party]

    def _drawn(self, data: Data) -> list[Fraction]:
        codes = np.array([record[:-1] for record in data], dtype=np.uint8).reshape(len(data), self.domain.n_features)
        own = Records(codes, np.array([record[-1] for record in data], dtype=np.uint8), self.domain)
        losses = self.query.tally(own, own.within([self.query.region])[0], self.domain)
        law: list[Any] = permute_and_flip_pmf((-losses).tolist(), alpha=Fraction(1, self.base))
        return law

    def law(self, table: Data) -> tuple[list[int], int]:
        """How likely each pair of answers is, over all ways to deal the table: numbers, and their sum."""
        if table not in self._known:
            found = [0] * len(self.answer((), 0)) * len(self.answer((), 1))
            for (one, other), times in self.tables.dealt(table).items():
                pairs = product(self.answer(one, 0), self.answer(other, 1))
                found = [mass + times * p * q for mass, (p, q) in zip(found, pairs, strict=True)]
            self._known[table] = found, sum(found)
        return self._known[table]


def one_epsilon(asked: Asked, table: Data, record: Record, place: int) -> None:
    """With one row more, anywhere in the table, no pair of answers is more than e^ε times as likely, or as unlikely."""
    (before, whole), (after, more) = (asked.law(some) for some in (table, (*table[:place], record, *table[place:])))
    for p, q in zip(before, after, strict=True):
        fits = p * more <= asked.exp_epsilon * q * whole and q * whole <= asked.exp_epsilon * p * more
        require(fits, f"answers are {Fraction(p * more, q * whole)} times as likely, e^ε is {asked.exp_epsilon}")


def questions(tables: Tables) -> Iterator[Asked]:
    """Every type that asks single parties, with every loss; errors at a large ε, too."""
    for loss, lattice, base, designer in (
        ("errors", 1, 64, 0),
        ("errors", 1, 2, 1),
        ("gini", 2, 2, 1),
        ("mixed", 4, 2, 0),
    ):
        yield Asked(TWO, SplitVote(TWO.everything, 1, loss, lattice), base, tables)
        yield Asked(TWO, DesignedSplit(TWO.everything, 1, designer, loss, lattice), base, tables)
    yield Asked(STAY, SplitVote(STAY.everything, 1, "squared", 2), 2, tables)
    for domain, loss in ((TWO, "errors"), (STAY, "squared")):
        yield Asked(domain, StructureVote(domain.everything, 1, BOTH, loss, 2), 2, tables)


def small(most: int) -> Iterator[tuple[Asked, Data, Record, int]]:
    """All tables of fewer than so many rows, and one of eight, every record added at every place.

    There is a record in each cell, of the class that is the sum of its codes.
    """
    for asked in questions(Tables()):
        universe = [(a, b, (a + b) % asked.domain.n_classes) for a, b in product((0, 1), repeat=2)]
        for table in map(tuple, (*datasets(universe, most - 1), DECIDED)):
            yield from ((asked, table, record, place) for record in universe for place in range(len(table) + 1))


def draws(n_rows: int, n_parties: int) -> None:
    """All ways to deal so many rows are as likely, over all tapes of as many words as there are rows."""
    bits = (n_parties - 1).bit_length()
    found, rest = enumerate_law(
        lambda tape: tuple(party_of_each(n_rows, n_parties, tape).tolist()), max(1, bits), n_rows
    )
    least = Fraction(1, 2 ** (bits * n_rows))  # a row whose word is beyond the last multiple of K takes another word
    require(set(found) == set(product(range(n_parties), repeat=n_rows)), f"only {len(found)} ways are there")
    require(all(mass == least for mass in found.values()), f"some ways are likelier than others: {found}")
    require(rest == 1 - n_parties**n_rows * least, f"{rest} of the tapes have no answer")


def divisions(most: int) -> Iterator[tuple[int, int]]:
    """So many rows at most, among one to four parties."""
    yield from ((n, k) for n in range(most + 1) for k in (1, 2, 3, 4) if k**n <= 4**6)


CLAIMS = (
    Claim(
        "lem-dealt-rows",
        status="proved+checked",
        code=("fdpedu.federation.dealing.deal", "fdpedu.federation.dealing.party_of_each"),
        checks=(
            Check(
                "draws",
                "exact",
                "at most {size} rows among one to four parties, over all tapes: every way to deal them is as likely",
                draws,
                divisions,
                6,
                7,
                more=[(3, 5)],
            ),
            Check(
                "neighbours",
                "exhaustive",
                "votes, designed splits and votes for structures, every loss: all tables of at most {size} rows of "
                "four records, and eight rows and one more, every record added at every place, over all ways to deal "
                "them among two parties: the distribution of both answers",
                one_epsilon,
                small,
                6,
                7,
            ),
        ),
        assumptions=(ADD_REMOVE, "the number of parties is fixed", "each row has coins of its own"),
        uses=("def-dp",),
    ),
)

_DEALT = "uniform_below(np.full(n_rows, n_parties, dtype=np.int64), as_source(rng))"
_DEALING = "fdpedu.federation.dealing.party_of_each"

TWINS = (
    Broken(
        "parts of one size, at random",
        _DEALING,
        _DEALT,
        "np.random.default_rng(as_source(rng).words(n_rows).tolist()).permutation(n_rows) % n_parties",
        "A random permutation treats all rows alike, so equal parts of it are as good as coins.",
        "lem-dealt-rows",
        "neighbours",
    ),
    Broken(
        "every second row",
        _DEALING,
        _DEALT,
        "np.arange(n_rows) % n_parties",
        "Each row lies at one party, so one row more is a record more at one party.",
        "lem-dealt-rows",
        "neighbours",
    ),
    Broken(
        "two rows a coin",
        _DEALING,
        _DEALT,
        "(np.arange(n_rows) + uniform_below(np.full(n_rows, n_parties), as_source(rng))[np.arange(n_rows) // 2])"
        " % n_parties",
        "Parts of one size learn better, and there is a coin in it all the same.",
        "lem-dealt-rows",
        "neighbours",
    ),
    Broken(
        "the last party drawn less often",
        _DEALING,
        _DEALT,
        "uniform_below(np.full(n_rows, max(1, n_parties - 1), dtype=np.int64), as_source(rng))",
        "Integers below K − 1 are K of them, from 0.",
        "lem-dealt-rows",
        "draws",
    ),
)
