"""What a run of FedGA-Tree leaves: a tree at each party, the final structures, and all that the server has seen.

Not private: every score is an exact function of counts of rows, and so are depths and votes. Only the size has noise.

Claims: fedga-coarse
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from fdpedu.exact import as_integer
from fdpedu.showing import html_table, text_table
from fdpedu.sources.fedga.local import LocalTree
from fdpedu.sources.fedga.validation import Votes
from fdpedu.structures.genetic import String

SERVER = "server"
BEST = {"classification": "best macro F1", "regression": "least mean squared error"}
NOT_PRIVATE = "not private: scores are exact functions of counts"


@dataclass(frozen=True)
class Message:
    """A message: parties are numbers from 0, the server has its name; and how many numbers it holds."""

    sender: int | str
    receiver: int | str
    kind: str
    numbers: int

    @property
    def bytes(self) -> int:
        """Eight for each number."""
        return 8 * self.numbers


@dataclass(frozen=True)
class Seen:
    """What the server was told by one party.

    Parameters
    ----------
    party : from 0
    depth : of its best tree in cross-validation; None if it was not asked
    noisy_size : None if it never took part
    structure : of its own CART, as a string; None if it never took part
    votes : for regression, of a party that was there at the start
    scores : exact, by the strings that it was sent
    """

    party: int
    depth: int | None
    noisy_size: float | None
    structure: String | None
    votes: Votes | None
    scores: Mapping[String, float]


@dataclass(frozen=True, repr=False)
class FedGA:
    """The end of a run.

    Parameters
    ----------
    trees : one a party, in their order; each stays at home
    structures : the strings of the final population, the best first
    scores : their means over the parties that were asked, by noisy sizes: macro F1, or mean squared error
    messages : in order
    seen : by the server, of each party
    task : ``classification`` or ``regression``
    max_depth : the global depth
    history : the best weighted score after each generation
    validation, elitism : whether these strategies won their votes
    """

    trees: tuple[LocalTree, ...]
    structures: tuple[String, ...]
    scores: tuple[float, ...]
    messages: tuple[Message, ...]
    seen: tuple[Seen, ...]
    task: str
    max_depth: int
    history: tuple[float, ...]
    validation: bool = False
    elitism: bool = False

    def predict(self, X: Any, party: int) -> NDArray[Any]:
        """The classes, or numbers, that the tree of a party says, shape (n,)."""
        return self.trees[as_integer(party, "party", minimum=0, maximum=len(self.trees) - 1)].predict(X)

    def __repr__(self) -> str:
        return f"FedGA({self.task}, {len(self.trees)} parties, {len(self.structures)} structures; {NOT_PRIVATE})"

    def __str__(self) -> str:
        return self.summary()

    def _summary(self) -> list[tuple[str, str]]:
        return [
            ("task", self.task),
            ("parties", str(len(self.trees))),
            ("structures", f"{len(self.structures)} of depth up to {self.max_depth}"),
            (BEST[self.task], f"{self.scores[0]:.6g}"),
            ("scores sent", f"{sum(len(one.scores) for one in self.seen):,}"),
            ("messages", f"{len(self.messages):,}"),
            ("numbers", f"{sum(message.numbers for message in self.messages):,}"),
            ("ε", NOT_PRIVATE),
        ]

    def summary(self) -> str:
        """Its size, its messages and what protects the rows, as an aligned table."""
        return text_table(self._summary())

    def _repr_html_(self) -> str:
        return html_table(("", "FedGA-Tree"), self._summary(), caption="Structures that travelled")
