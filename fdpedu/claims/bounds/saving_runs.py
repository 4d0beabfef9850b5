"""All runs of Algorithm 6 on a small domain, and how likely each is, exactly.

Checks of thm-saving-tree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from itertools import product
from math import lcm, prod
from typing import Any, cast

import numpy as np

from fdpedu.bounds.saving import FitSavingTree
from fdpedu.cart import GridSearch
from fdpedu.claims.checking import require
from fdpedu.claims.trees.exact_law import HALF, TWO, universe
from fdpedu.domain import Codes, Domain
from fdpedu.exact import Integers
from fdpedu.federation import ClassCounts, NodeBounds, Query
from fdpedu.federation.records import Records
from fdpedu.privacy import datasets
from fdpedu.trees.clamped_tables import clamped
from fdpedu.trees.costs import Costs

Answer = tuple[int, ...]
Answered = tuple[Query, Answer]
Transcript = tuple[Answered, ...]
Exact = Callable[[Query], Answer]
MAX_COUNT = 12  # exact numbers are smaller, on the data that are tried


@dataclass
class Tape:
    """Stands for a federation: what is asked gets the next answers of a list, and a first one where there are no more.

    Counts of leaves decide nothing, so one answer stands for all.
    """

    runs: SmallRuns
    answers: Sequence[Answer]
    answered: list[Answered] = field(default_factory=list)

    def release(self, queries: Sequence[Query]) -> list[Any]:
        (query,) = queries
        at = len(self.answered)
        answer = self.answers[at] if at < len(self.answers) else next(self.possible(query))
        self.answered.append((query, answer))
        return [np.array(answer).reshape(query.shape(self.runs.domain))]

    def possible(self, query: Query) -> Iterator[Answer]:
        """All clamped answers."""
        if isinstance(query, ClassCounts):
            return iter([(0,) * self.runs.domain.n_classes])
        low, high = self.runs.ends(query)
        return product(range(low, high + 1), repeat=query.size(self.runs.domain))


@dataclass(frozen=True)
class SmallRuns:
    """All runs of the shipped procedure at depth 1, where the noise of each number has a whole number of steps.

    A step is ln(1/α). With a share of m/(m + 1) for bounds, each of a node's 2p releases costs ``node``/(p·(m + 1))
    steps and a removed feature saves as many.

    Parameters
    ----------
    domain : small
    alpha : of a step
    lattice : m
    node, leaf : what histograms and bounds of a node cost, and what is kept for a leaf, in steps
    bounds : what bounds are clamped to, from and to, in steps of 1/m
    counts : what the counts of histograms are clamped to, from and to
    """

    domain: Domain = TWO
    alpha: Fraction = HALF
    lattice: int = 2
    node: int = 6
    leaf: int = 2
    bounds: tuple[int, int] = (0, 1)
    counts: tuple[int, int] = (0, 1)

    @property
    def steps(self) -> int:
        """ε, in steps."""
        return self.node + self.leaf

    def transcripts(self) -> list[Transcript]:
        """Every sequence of queries and clamped answers, by running it.

        Of a transcript's first query all answers, of the query that follows each of them all answers, and so on.
        """
        found, pending = list[Transcript](), [tuple[Answer, ...]()]
        while pending:
            answers = pending.pop()
            tape = self.run(answers)
            if all(isinstance(query, ClassCounts) for query, _ in tape.answered[len(answers) :]):
                found.append(tuple(tape.answered))
            else:
                pending += [(*answers, answer) for answer in tape.possible(tape.answered[len(answers)][0])]
        return found

    def run(self, answers: Sequence[Answer]) -> Tape:
        """The shipped procedure with these answers."""
        tape = Tape(self, answers)
        costs = Costs(Fraction(self.steps), Fraction(self.node), Fraction(self.leaf), 1, unspent_to_leaf=True)
        share = Fraction(self.lattice, self.lattice + 1)
        fit = FitSavingTree(cast(Any, tape), costs, GridSearch(self.domain), 0, share, self.lattice, 1)
        fit.fit(self.domain.everything, 0)
        return tape

    def scaled(self, query: Query) -> tuple[int, list[list[int]]]:
        """A denominator, and the law of a clamped number for each exact one, times it; 1 for the counts of leaves."""
        if isinstance(query, ClassCounts):
            return 1, [[1]] * MAX_COUNT
        return _laws(self.alpha ** steps_of(query), *self.ends(query))

    def ends(self, query: Query) -> tuple[int, int]:
        """What the answer is clamped to."""
        return self.bounds if isinstance(query, NodeBounds) else self.counts


@cache
def _laws(alpha: Fraction, low: int, high: int) -> tuple[int, list[list[int]]]:
    """Of each exact number the masses of the clamped ones; 0 for those below ``low``, so that a value is a position."""
    laws = [[Fraction(0)] * low + clamped(n, alpha, low, high) for n in range(MAX_COUNT)]
    unit = lcm(*(mass.denominator for law in laws for mass in law))
    return unit, [[int(mass * unit) for mass in law] for law in laws]


def steps_of(query: Query) -> int:
    """The rate of the noise, which is a whole number of steps."""
    rate = Fraction(query.rate.rate or 0)
    require(rate.denominator == 1, f"a number of {query.type} has a rate of {rate} steps")
    return rate.numerator


def exact_answers(domain: Domain, queries: Iterable[Query]) -> Callable[..., Exact]:
    """A function of parties' rows: what they answer without noise. Each party is asked once; a cost changes nothing."""
    asked = {_what(query): query for query in queries}

    @cache
    def own(rows: tuple[Any, ...]) -> dict[tuple[Any, ...], Integers]:
        records = Records(*_codes(rows, domain), domain)
        here = records.within([query.region for query in asked.values()])
        each = zip(asked.items(), here, strict=True)
        return {what: query.tally(records, found, domain) for (what, query), found in each}

    def exact(*parts: Sequence[Any]) -> Exact:
        found = [own(tuple(sorted(rows))) for rows in parts]
        sums = {what: tuple(np.sum([some[what] for some in found], axis=0).tolist()) for what in asked}
        return lambda query: sums[_what(query)]

    return exact


def _codes(rows: Sequence[Any], domain: Domain) -> tuple[Codes, Codes]:
    return domain.encode([row[:-1] for row in rows]), domain.encode_labels([row[-1] for row in rows])


def _what(query: Query) -> tuple[Any, ...]:
    return query.type, query.region, getattr(query, "feature", None)


class Transcripts:
    """All transcripts of small runs, and how likely each is on given exact answers."""

    def __init__(self, runs: SmallRuns) -> None:
        found, self.alpha = runs.transcripts(), runs.alpha
        self.answered = list(dict.fromkeys(one for transcript in found for one in transcript))
        places, longest = {one: at for at, one in enumerate(self.answered)}, max(map(len, found))
        self._paths = np.array([[*(places[one] for one in path), *[-1] * (longest - len(path))] for path in found])
        self._scaled = [runs.scaled(query) for query, _ in self.answered]
        whole = [unit ** len(answer) for (unit, _), (_, answer) in zip(self._scaled, self.answered, strict=True)]
        self.units = self.products(whole)

    def products(self, factors: Sequence[int]) -> Any:
        """Of each transcript the product of what belongs to its answers; integers of any length."""
        return np.array([*factors, 1], dtype=object)[self._paths].prod(axis=1)

    def masses(self, exact: Exact) -> Any:
        """The probabilities, times the units; the counts of leaves are left out."""
        each = zip(self._scaled, self.answered, strict=True)
        return self.products(
            [prod(laws[n][a] for n, a in zip(exact(q), answer, strict=True)) for (_, laws), (q, answer) in each]
        )

    def total(self, masses: Any) -> Fraction:
        """What the probabilities add up to."""
        whole = lcm(*self.units)
        return Fraction((masses * (whole // self.units)).sum(), whole)


def whole_runs(runs: SmallRuns, most: int) -> None:
    """On data of at most so many records, with one more: no transcript is more than e^ε times as likely, either way.

    The records are those of the party that gets one more, or of the other, or of both.
    """
    all_runs, bound = Transcripts(runs), int(1 / runs.alpha) ** runs.steps
    answers = exact_answers(runs.domain, [query for query, _ in all_runs.answered])
    for rows in datasets(universe(runs.domain), most):
        for parts in ([[], rows], [rows, []], [rows[:1], rows[1:]])[: len(rows) + 1]:
            exact = answers(*parts)
            total = all_runs.total(all_runs.masses(exact))
            require(total == 1, f"on {parts} the probabilities add up to {total}")
            for record in universe(runs.domain):
                worst = worst_ratio(all_runs, exact, answers(parts[0], [*parts[1], record]))
                require(worst <= bound, f"{parts} with {record}: {worst} times as likely, e^ε is {bound}")


def worst_ratio(all_runs: Transcripts, exact: Exact, more: Exact) -> Fraction:
    """The largest ratio of the probabilities of a transcript, either way.

    The counts of leaves add the factor e to their rate where the record is in the leaf: all noise may fall on one side.
    """
    law, other = all_runs.masses(exact), all_runs.masses(more)
    leaf = all_runs.products([_leaf(all_runs.alpha, query, exact, more) for query, _ in all_runs.answered])
    both = (*zip(law, other, leaf, strict=True), *zip(other, law, leaf, strict=True))
    return max(Fraction(a * c, b) for a, b, c in both)


def attained(leaf: int) -> None:
    """Where a record moves both bounds by m, one that removes a feature has e^ε times the probability, and none more.

    Six rows of one class and one of the other are alike, and another of the other class comes: F goes from 6/7 to 3/2,
    which in steps of ½ is from 1 to 3.
    """
    runs = SmallRuns(leaf=leaf, bounds=(2, 3), counts=(1, 2))
    all_runs = Transcripts(runs)
    answers = exact_answers(runs.domain, [query for query, _ in all_runs.answered])
    alike = [(0.5, 0.5, "well")] * 6 + [(0.5, 0.5, "ill")] * 2
    worst, bound = worst_ratio(all_runs, answers(alike[:-1], []), answers(alike, [])), (1 / runs.alpha) ** runs.steps
    require(worst == bound, f"some run is {worst} times as likely, e^ε is {bound}")


def _leaf(alpha: Fraction, query: Query, exact: Exact, more: Exact) -> int:
    """The worst ratio of a leaf's counts."""
    if not isinstance(query, ClassCounts):
        return 1
    moved = sum(abs(a - b) for a, b in zip(exact(query), more(query), strict=True))
    return int(1 / alpha) ** (steps_of(query) * moved)
