"""The server of FedGA-Tree: it evolves a population of structures by the scores that parties tell.

The body of the source's Algorithm 1 is lost in our copy. Reconstructed from the text: who is there at the start is
drawn once, and once more for each generation. In a generation the parties that are there score the strings that nobody
was asked about; a party that comes for the first time also tells its noisy size, its own structure and its score; all
strings are ranked, the best stay, and these have offspring. No string stands in the population twice. A score that was
told stays, so a string's fitness is the mean over all parties that told one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil

from fdpedu.randomness import Source
from fdpedu.sources.fedga.home import Home
from fdpedu.sources.fedga.result import SERVER, FedGA, Message, Seen
from fdpedu.sources.fedga.scoring import weighted_score
from fdpedu.sources.fedga.validation import Votes, median_depth
from fdpedu.structures.genetic import LEAF_RATIO, String, offspring, random_string
from fdpedu.trees.subset import shuffled


@dataclass
class Told:
    """What a party has told so far."""

    depth: int | None = None
    noisy_size: float | None = None
    structure: String | None = None
    votes: Votes | None = None
    scores: dict[String, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Plan:
    """How the structures evolve.

    Parameters
    ----------
    population, generations : how many strings, and how often they are scored
    pressure : of the tournament
    participation : the share of parties that are there at a time, rounded up
    """

    population: int
    generations: int
    pressure: int
    participation: Fraction


class Server:
    """A run.

    Parameters
    ----------
    homes : the parties
    task, n_features : what is public
    plan : of the genetic algorithm
    coins : public
    """

    def __init__(self, homes: Sequence[Home], task: str, n_features: int, plan: Plan, coins: Source) -> None:
        self.homes, self.task, self.n_features, self.plan, self.coins = homes, task, n_features, plan, coins
        self.active = ceil(plan.participation * len(homes))
        self.told = [Told() for _ in homes]
        self.messages = list[Message]()
        self.max_depth, self.validation, self.elitism = 0, False, False

    def run(self, max_depth: int | None) -> FedGA:
        """All of it: the start, the generations, and the choice that each party makes for itself."""
        present = self._drawn()
        self._start(present, max_depth)
        strings, history = self._first_population(), list[float]()
        for generation in range(self.plan.generations):
            if generation:
                strings += self._offspring(strings)
            strings = self._survivors(self._scored(strings))
            history.append(self._mean(strings[0]))
        return self._result(strings, history)

    def _offspring(self, strings: Sequence[String]) -> list[String]:
        fitness = [self._fitness(string) for string in strings]
        plan = self.plan
        return offspring(strings, fitness, plan.population, plan.pressure, self.n_features, self.coins)

    def _drawn(self) -> list[int]:
        return sorted(shuffled(range(len(self.homes)), self.coins)[: self.active])

    def _start(self, present: Sequence[int], max_depth: int | None) -> None:
        if max_depth is None:
            for k in present:
                self.told[k].depth = self.homes[k].depth()
                self._message(k, SERVER, "depth", 1)
        depths = [depth for told in self.told if (depth := told.depth) is not None]
        self.max_depth = median_depth(depths) if max_depth is None else max_depth
        for k in present:
            self._message(SERVER, k, "global depth", 1)
            self._introduce(k)
        if self.task == "regression":
            self._vote(present)

    def _introduce(self, k: int) -> None:
        """A party tells its noisy size and its own structure."""
        told, home = self.told[k], self.homes[k]
        told.noisy_size, told.structure = home.noisy_size(), home.structure(self.max_depth)
        self._message(k, SERVER, "noisy size", 1)
        self._message(k, SERVER, "structure", self._length)

    def _vote(self, present: Sequence[int]) -> None:
        votes = [self.homes[k].votes(self.max_depth) for k in present]
        for k, vote in zip(present, votes, strict=True):
            self.told[k].votes = vote
            self._message(k, SERVER, "votes", 2)
        self.validation = 2 * sum(vote.validation for vote in votes) > len(votes)
        self.elitism = 2 * sum(vote.elitism for vote in votes) > len(votes)
        for k in present:
            self._message(SERVER, k, "strategies", 2)
        if self.validation:
            for k in present:
                self.homes[k].keep_back()

    @property
    def _length(self) -> int:
        return int(2**self.max_depth - 1)

    def _first_population(self) -> list[String]:
        """The parties' own structures, filled up with random strings; of equal ones one stays."""
        own = self._own()
        drawn = [
            random_string(self.n_features, self.max_depth, LEAF_RATIO, self.coins)
            for _ in range(max(0, self.plan.population - len(own)))
        ]
        return list(dict.fromkeys([*own, *drawn]))

    def _own(self) -> list[String]:
        return list(dict.fromkeys(told.structure for told in self.told if told.structure is not None))

    def _scored(self, strings: Sequence[String]) -> list[String]:
        """The strings, and those of parties that come now, each once and with a score of at least one party."""
        present = self._drawn()
        known = {string for told in self.told for string in told.scores}
        new = [string for string in dict.fromkeys(strings) if string not in known]
        arrived = [self._arrive(k) for k in present if self.told[k].noisy_size is None]
        for k in present if new else ():
            self._message(SERVER, k, "structures", len(new) * self._length)
            self.told[k].scores.update({string: self.homes[k].score(string) for string in new})
            self._message(k, SERVER, "scores", len(new))
        return list(dict.fromkeys([*strings, *arrived]))

    def _arrive(self, k: int) -> String:
        """A party that comes late: it is told what was decided, and scores its own structure."""
        strategies = 2 if self.task == "regression" else 0
        self._message(SERVER, k, "global depth", 1 + strategies)
        if self.validation:
            self.homes[k].keep_back()
        self._introduce(k)
        structure = self.told[k].structure
        assert structure is not None
        self.told[k].scores[structure] = self.homes[k].score(structure)
        self._message(k, SERVER, "scores", 1)
        return structure

    def _mean(self, string: String) -> float:
        answers = [told for told in self.told if string in told.scores]
        return weighted_score([told.scores[string] for told in answers], [told.noisy_size or 0 for told in answers])

    def _fitness(self, string: String) -> float:
        return self._mean(string) * (1 if self.task == "classification" else -1)

    def _survivors(self, strings: Sequence[String]) -> list[String]:
        """The best, and with elitism the parties' own structures as well; ranked, of equals the first."""
        ranked = sorted(strings, key=lambda string: -self._fitness(string))
        own = set(self._own()) if self.elitism else set()
        return [string for rank, string in enumerate(ranked) if rank < self.plan.population or string in own]

    def _result(self, strings: Sequence[String], history: Sequence[float]) -> FedGA:
        for k in range(len(self.homes)):
            self._message(SERVER, k, "final structures", len(strings) * self._length)
        return FedGA(
            trees=tuple(home.choose(strings) for home in self.homes),
            structures=tuple(strings),
            scores=tuple(map(self._mean, strings)),
            messages=tuple(self.messages),
            seen=tuple(
                Seen(k, told.depth, told.noisy_size, told.structure, told.votes, dict(told.scores))
                for k, told in enumerate(self.told)
            ),
            task=self.task,
            max_depth=self.max_depth,
            history=tuple(history),
            validation=self.validation,
            elitism=self.elitism,
        )

    def _message(self, sender: int | str, receiver: int | str, kind: str, numbers: int) -> None:
        self.messages.append(Message(sender, receiver, kind, numbers))
