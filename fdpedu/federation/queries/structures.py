"""Votes for structures: each party draws one of some public structures on its own rows, and the votes are added up.

A structure says which feature is asked at each node of a tree, and no threshold (:mod:`fdpedu.cart.structures`). How
well each of them can do on a party's rows stays at the party; its answer is a 1 at the structure that it has drawn.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from fdpedu.cart.least_loss import MAX_CELLS, least_losses, most_cells, require_loss
from fdpedu.cart.structures import Structure, require_structure, to_structure
from fdpedu.domain import Domain
from fdpedu.exact import Integers, as_integer, as_list
from fdpedu.federation.queries.choices import MAX_LATTICE
from fdpedu.federation.queries.noise import Layer
from fdpedu.federation.queries.query import Query
from fdpedu.federation.queries.votes import OneHot
from fdpedu.federation.records import Records, RowNumbers
from fdpedu.mechanisms import permute_and_flip
from fdpedu.randomness import Source

MOST_STRUCTURES, DEEPEST = 64, 3


@dataclass(frozen=True)
class Population:
    """Public structures, as strings of one length, in an order.

    Parameters
    ----------
    strings : 2 to 64 of them, each of 1, 3 or 7 entries

    Examples
    --------
    >>> Population([(0, 1, -1), (1, -1, -1)])
    Population(strings=((0, 1, -1), (1, -1, -1)))
    """

    strings: tuple[tuple[int, ...], ...]

    def __post_init__(self) -> None:
        found = tuple(tuple(as_list(each, "structures")) for each in as_list(self.strings, "structures"))
        if not 2 <= len(found) <= MOST_STRUCTURES:
            raise ValueError(
                f"structures must be from 2 to {MOST_STRUCTURES} strings to choose among, got {len(found)}"
            )
        if len({len(each) for each in found}) > 1:
            raise ValueError("structures must be strings of one length")
        depth = (len(found[0]) + 1).bit_length() - 1
        if not 1 <= depth <= DEEPEST or len(found[0]) != 2**depth - 1:
            raise ValueError(
                f"structures must be strings of 2^d − 1 entries, for d from 1 to {DEEPEST}, got {len(found[0])} entries"
            )
        read = tuple(tuple(as_integer(entry, "structures", minimum=-1, maximum=2**16) for entry in s) for s in found)
        object.__setattr__(self, "strings", read)

    def __len__(self) -> int:
        return len(self.strings)

    def to_wire(self) -> tuple[tuple[int, ...], ...]:
        """As it stands in a query."""
        return self.strings

    @property
    def structures(self) -> tuple[Structure, ...]:
        """What the strings stand for."""
        return tuple(map(to_structure, self.strings))

    def check(self, domain: Domain) -> None:
        """Refuse structures with features that the domain has not, or whose tables of counts would be too large."""
        for each in self.structures:
            require_structure(each, domain, "structures")
            if (cells := most_cells(each, domain)) > MAX_CELLS:
                raise ValueError(
                    f"structures must have tables of counts of at most {MAX_CELLS} cells (the codes of the features on "
                    f"a path, and the classes), got {cells}: take fewer bins or levels, or structures of less depth"
                )


@dataclass(frozen=True)
class StructureVote(Query):
    """How many parties drew each of some public structures: integers of shape (structures,).

    Each party draws by permute-and-flip on −⌊m·least loss⌋, the least over all thresholds of the domain and all labels.
    A record lies at one party, and raises that party's loss of every structure by 0 to m steps; so the sum of all votes
    is one release of sensitivity m at the rate ε/m, with no factor 2, however many structures there are.

    Guarantee: for a record added or removed, ε against all other parties together, as they know their own votes and
    share nothing of this party's draw; integers.

    Claims: lem-structure-vote

    Parameters
    ----------
    region : a node
    cost : ε
    structures : among which each party draws, public: a :class:`Population`, or its strings
    loss : ``errors`` for classes, ``squared`` for a numeric target
    lattice : m, from 1 to 2**16: losses are compared in steps of 1/m

    Examples
    --------
    >>> domain = Domain.from_spec({"features": {"a": [0, 3, 3], "b": [0, 2, 2]}, "classes": ["ill", "well"]})
    >>> vote = StructureVote(domain.everything, "1/2", [(0, 1, -1), (1, 0, 0)], lattice=8)
    >>> vote.shape(domain), vote.sensitivity, vote.rate.rate, vote.describe(domain)
    ((2,), 8, Fraction(1, 16), 'votes of the parties for one of 2 structures')
    """

    structures: Population
    loss: str = "errors"
    lattice: int = 1024
    type: ClassVar[str] = "structure-vote"
    claim: ClassVar[str] = "lem-structure-vote"
    layer: ClassVar[Layer] = OneHot("votes by permute-and-flip")

    def __post_init__(self) -> None:
        super().__post_init__()
        given: object = self.structures
        if type(given) is not Population:
            object.__setattr__(self, "structures", Population(given))  # type: ignore[arg-type]  # it checks
        require_loss(self.loss)
        object.__setattr__(self, "lattice", as_integer(self.lattice, "lattice", minimum=1, maximum=MAX_LATTICE))

    @property
    def sensitivity(self) -> int:
        # lem-least-loss: in steps of 1/m a record raises every loss by at most m
        return self.lattice

    def shape(self, domain: Domain) -> tuple[int, ...]:
        return (len(self.structures),)

    def tally(self, records: Records, rows: RowNumbers, domain: Domain) -> Integers:
        columns, labels = records.columns[:, rows], records.labels[rows]
        return least_losses(columns, labels, self.structures.structures, domain, self.loss, self.lattice)

    def drawn(self, losses: Integers, domain: Domain, source: Source) -> Sequence[int]:
        """1 + the position of the structure that is drawn."""
        # lem-structure-vote: all losses move in one direction, by at most m
        scores, m = (-losses).tolist(), self.lattice
        return [1 + int(permute_and_flip(scores, self.epsilon, source, sensitivity=m, monotone=True))]

    def describe(self, domain: Domain) -> str:
        return f"votes of the parties for one of {len(self.structures)} structures"

    def check(self, domain: Domain) -> None:
        super().check(domain)
        if (self.loss == "squared") != (domain.target is not None):
            of = (
                "classes, which have no distance: take 'errors'"
                if domain.target is None
                else "a target: take 'squared'"
            )
            raise ValueError(f"loss must be of the domain's kind, and {self.loss!r} is not: the domain has {of}")
        self.structures.check(domain)
