"""What private votes for structures release: the structures of the last generation, and how often each was drawn.

Claims: thm-structures
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from fdpedu import files
from fdpedu.accounting import Cost, Derivation
from fdpedu.cart.structures import require_structure, to_structure
from fdpedu.derivation_checker import Guarantee
from fdpedu.domain import Domain
from fdpedu.showing import html_table, text_table
from fdpedu.structures.at_home import PersonalTree, fit_at_home
from fdpedu.structures.released_file import Generation, from_document, to_document


@dataclass(frozen=True, eq=False, repr=False)
class Structures:
    """Structures that parties have voted on, with the accounting of the votes.

    Parameters
    ----------
    domain : what is public
    loss : by which each party judged
    lattice : in how many steps to 1
    generations : what was voted on in each round, and the votes
    derivation : what it has cost, and why
    n_parties, tolerate : how many there were, and how many colluders the session's noise would withstand
    paid_in : the numbers of the rounds in which it was paid, one for each generation, among all that the derivation
        has; of unfinished ones one more, where the last was charged and not answered; empty in older files, whose
        votes are the last of the derivation
    unfinished : whether voting failed after something was paid: it has the generations before
    """

    domain: Domain
    loss: str
    lattice: int
    generations: tuple[Generation, ...]
    derivation: Derivation
    n_parties: int
    tolerate: int
    paid_in: tuple[int, ...]
    unfinished: bool = False

    @property
    def strings(self) -> tuple[tuple[int, ...], ...]:
        """The structures of the last generation, as strings, in the order in which they were voted on."""
        return self.generations[-1].strings

    @property
    def votes(self) -> tuple[int, ...]:
        """How many parties drew each of them."""
        return self.generations[-1].votes

    @property
    def best(self) -> tuple[int, ...]:
        """The string with the most votes; of several the first."""
        return self.strings[max(range(len(self.votes)), key=self.votes.__getitem__)]

    @property
    def guarantee(self) -> Guarantee:
        """What the derivation proves, of all that its budget pays for."""
        return self.derivation.guarantee

    @property
    def cost(self) -> Cost:
        """The most that a record has paid for these votes, whatever else its budget has paid for."""
        return self.derivation.cost_of(self.paid_in)

    def fit_at_home(self, X: Any, y: Any) -> PersonalTree:
        """One party's own tree, with the structure that is best on its rows. Not private, and for that party alone.

        Claims: thm-billboard

        Parameters
        ----------
        X, y : raw rows of the party and their classes or numbers; at least one
        """
        return fit_at_home(X, y, self.strings, self.domain, self.loss)

    def describe(self, string: tuple[int, ...]) -> str:
        """A structure in words: each feature with its two sides."""
        found = to_structure(string)
        require_structure(found, self.domain, "string")
        return _in_words(found, [feature.name for feature in self.domain.features])

    def to_json(self, indent: int | None = 1) -> str:
        """The text of its file."""
        return to_document(vars(self), indent)

    @classmethod
    def from_json(cls, text: str, where: str = "the text") -> Structures:
        """What :meth:`to_json` wrote; refused if it does not hold together with its derivation."""
        return cls(**from_document(text, where))

    def save(self, path: files.Location, *, overwrite: bool = False) -> None:
        """Write it to a file (the form is on the book's page of file formats)."""
        files.write_text(path, self.to_json(), overwrite=overwrite)

    @classmethod
    def load(cls, path: files.Location) -> Structures:
        """The structures of a file; refused as by :meth:`from_json`."""
        return cls.from_json(files.read_text(path), str(path))

    def summary(self) -> str:
        """The structures with votes, and what they cost, as aligned text."""
        return f"{text_table([('votes', 'structure'), *self._rows()], right=[0])}\n{self._price()}"

    def _rows(self) -> list[tuple[str, str]]:
        voted = sorted((at for at, n in enumerate(self.votes) if n), key=lambda at: -self.votes[at])
        return [(str(self.votes[at]), self.describe(self.strings[at])) for at in voted]

    def _price(self) -> str:
        rounds = f"{len(self.generations)} votes" if len(self.generations) > 1 else "One vote"
        cost = f"{rounds} among {len(self.strings)} structures: {self.cost}, also against all other parties together"
        return f"{cost}. Unfinished: more votes were planned, and one of them failed" if self.unfinished else cost

    def __repr__(self) -> str:
        return f"Structures({len(self.strings)} strings, {len(self.generations)} generations, {self.guarantee})"

    def __str__(self) -> str:
        return self.summary()

    def _repr_html_(self) -> str:
        return html_table(("votes", "structure"), self._rows(), caption=self._price())


def _in_words(structure: Any, names: list[str]) -> str:
    if structure.feature is None:
        return "leaf"
    below = [_in_words(side, names) for side in structure.sides]
    return names[structure.feature] + (f" ({'; '.join(below)})" if structure.n_nodes > 1 else "")
