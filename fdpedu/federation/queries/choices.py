"""Choices in place of counts: a split, or a block of three splits, that somebody draws on the rows at hand.

Of all that is known of the rows, only the choice leaves. So it costs ε whatever the number of features and splits is.
In a federation one party, the *designer*, draws on its own rows; what it sends is masked like all answers, and the
others send 0. No noise is added to it: the draw itself hides the rows. A curator of all rows draws alone.

The number that is told is 1 + the position of the split among the public candidates of the region
(:func:`fdpedu.cart.candidates`); 0 is no split.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from fdpedu.cart import CodeSplit, candidates
from fdpedu.cart.candidates import ALL_BORDERS, MAX_CANDIDATES, Borders, Candidates, require_few
from fdpedu.cart.losses import LOSSES, TARGET_LOSSES, losses_of, require_loss
from fdpedu.domain import Codes, Domain, Region, require_classes
from fdpedu.exact import Integers, Rate, as_integer, occurrences, require_type
from fdpedu.federation.queries.counts import NodeHistograms
from fdpedu.federation.queries.noise import Layer
from fdpedu.federation.queries.query import Query
from fdpedu.federation.records import Records, RowNumbers
from fdpedu.mechanisms import draw_block, permute_and_flip
from fdpedu.randomness import Source
from fdpedu.sampling import require_drawable

MAX_LATTICE = 2**16
MAX_PARTIES = 256
_ROWS = 2**14  # at a time


def require_pure(query: Query) -> None:
    """Refuse a choice that is to be paid in ρ: nothing but ε is proved of it."""
    if not query.cost.is_pure:
        raise ValueError(
            f"a {query.type} is a choice and costs ε: it cannot be paid in ρ ({query.cost}). Take a ledger of ε, or a "
            "design of noisy counts such as 'screened'"
        )


def require_loss_of(domain: Domain, loss: str) -> None:
    """Refuse the squared loss where records have classes, and another one where they have a number.

    >>> from fdpedu.domain import Numeric
    >>> require_loss_of(Domain([Numeric.grid("age", 0, 100, bins=4)], ("well", "ill")), "squared")
    Traceback (most recent call last):
    ValueError: the loss 'squared' is for a numeric target, and the domain has classes: take one of errors, gini, mixed
    """
    if (loss in TARGET_LOSSES) == (domain.target is not None):
        return
    if domain.target is None:
        raise ValueError(
            f"the loss {loss!r} is for a numeric target, and the domain has classes: take one of {', '.join(LOSSES)}"
        )
    raise ValueError(
        f"the loss {loss!r} is for classes, and the domain has a numeric target, {domain.target.name!r}: take "
        f"{TARGET_LOSSES[0]!r}"
    )


class Drawn:
    """A choice is drawn; the exact numbers are what the type draws by."""

    def __init__(self, mechanism: str) -> None:
        self.mechanism = mechanism

    def require_drawable(self, query: Query) -> None:
        require_pure(query)
        require_drawable(query.rate)

    def noisy(
        self, exact: Integers, queries: Sequence[Any], domain: Domain, n_noise_shares: int, source: Source
    ) -> Integers:
        parts, begin = list[int](), 0
        for query in queries:
            end = begin + query.exact_size(domain)
            parts += query.drawn(exact[begin:end], domain, source)
            begin = end
        return np.array(parts, dtype=np.int64)


class Silence:
    """What is sent in place of another party's choice: 0, with nothing drawn."""

    mechanism = "nothing"

    def require_drawable(self, query: Query) -> None:
        pass

    def noisy(
        self, exact: Integers, queries: Sequence[Any], domain: Domain, n_noise_shares: int, source: Source
    ) -> Integers:
        return exact


SILENCE = Silence()


class Choice(Query):
    """A split of a region, drawn by permute-and-flip on −loss: one number.

    A record raises the loss of every candidate by 0 to m steps, and lowers none. So the draw with base e^{−ε/m} costs
    ε, with no factor 2 and whatever the number of candidates is. It is drawn from an empty region, too.

    Claims: lem-chosen-split
    """

    layer: ClassVar[Layer] = Drawn("permute-and-flip")
    claim: ClassVar[str] = "lem-chosen-split"
    most_splits: ClassVar[int] = MAX_CANDIDATES
    losses: ClassVar[tuple[str, ...]] = LOSSES
    loss: str
    lattice: int

    def __post_init__(self) -> None:
        super().__post_init__()
        require_loss(self.loss, self.losses)
        object.__setattr__(self, "lattice", as_integer(self.lattice, "lattice", minimum=1, maximum=MAX_LATTICE))

    def shape(self, domain: Domain) -> tuple[int, ...]:
        return (1,)

    def candidates(self, domain: Domain, region: Region) -> Candidates:
        """The splits of a region among which it is chosen."""
        return candidates(domain, region)

    def exact_size(self, domain: Domain) -> int:
        return len(self.candidates(domain, self.region))

    def tally(self, records: Records, rows: RowNumbers, domain: Domain) -> Integers:
        table = NodeHistograms(self.region, self.cost).tally(records, rows, domain)
        sides = self.candidates(domain, self.region).sides(table.reshape(domain.n_codes, domain.n_classes))
        return losses_of(*sides, self.loss, self.lattice)

    def drawn(self, losses: Integers, domain: Domain, source: Source) -> list[int]:
        """1 + the position of the split that is drawn."""
        # lem-chosen-split: all losses move in one direction, by at most m
        scores, m = (-losses).tolist(), self.lattice
        at = permute_and_flip(scores, self.epsilon, source, sensitivity=m, monotone=True)
        return [1 + int(at)]

    def check(self, domain: Domain) -> None:
        super().check(domain)
        require_loss_of(domain, self.loss)
        if type(self.lattice) is not int or not 1 <= self.lattice <= MAX_LATTICE:
            raise ValueError(f"lattice must be an integer from 1 to {MAX_LATTICE}")
        require_few(len(self.candidates(domain, domain.everything)), self.most_splits)
        if not len(self.candidates(domain, self.region)):
            raise ValueError(f"nothing divides the region {domain.describe(self.region)}: it has no split to choose")


@dataclass(frozen=True)
class DesignedSplit(Choice):
    """A choice that one party of a federation draws on its own rows; the others send 0.

    A record that lies at another party changes nothing, so the choice is charged to the designer's records alone.

    Claims: lem-chosen-split, lem-party-coordinate

    Parameters
    ----------
    region : a node
    cost : ε, for the designer's records
    designer : its position on this session's list of parties, from 0
    loss : a name of :data:`fdpedu.cart.LOSSES`
    lattice : m, from 1 to 2**16: losses are compared in steps of 1/m

    Examples
    --------
    >>> from fdpedu.domain import Numeric
    >>> ages = Domain([Numeric.grid("age", 0, 100, bins=4)], ("well", "ill"))
    >>> DesignedSplit(ages.everything, "1/2", 3).describe(ages)
    'split that party 4 designs'
    """

    designer: int
    loss: str = "mixed"
    lattice: int = 1024
    type: ClassVar[str] = "designed-split"

    def __post_init__(self) -> None:
        super().__post_init__()
        designer = as_integer(self.designer, "designer", minimum=0, maximum=MAX_PARTIES - 1)
        object.__setattr__(self, "designer", designer)

    def charged_region(self, session: str) -> Region:
        # lem-party-coordinate: in a session a record is at one party
        return self.region.of_party({self.designer}, session)

    def asked_of(self, index: int) -> Query:
        return self if index == self.designer else Silent(self.region, self.cost)

    def describe(self, domain: Domain) -> str:
        return f"split that party {self.designer + 1} designs"

    def check(self, domain: Domain) -> None:
        if type(self.designer) is not int or not 0 <= self.designer < MAX_PARTIES:
            raise ValueError(f"designer must be a position from 0 to {MAX_PARTIES - 1}")
        super().check(domain)


@dataclass(frozen=True)
class Silent(Query):
    """What the other parties have to say to a choice: 0, whatever their rows are. Nothing is charged for it."""

    type: ClassVar[str] = "silence"
    layer: ClassVar[Layer] = SILENCE

    def shape(self, domain: Domain) -> tuple[int, ...]:
        return (1,)

    def tally(self, records: Records, rows: RowNumbers, domain: Domain) -> Integers:
        return np.zeros(1, dtype=np.int64)

    def describe(self, domain: Domain) -> str:
        return "nothing"


@dataclass(frozen=True)
class ChosenSplit(Choice):
    """A choice that a curator draws on all rows, perhaps among some borders only.

    Claims: lem-chosen-split

    Parameters
    ----------
    region : a node
    cost : ε
    loss : a name of :data:`fdpedu.cart.LOSSES`
    lattice : m, from 1 to 2**16: losses are compared in steps of 1/m
    borders : the only ones at which features may be split: public, or released before
    """

    loss: str = "mixed"
    lattice: int = 1024
    borders: Borders = ALL_BORDERS
    type: ClassVar[str] = "chosen-split"

    def __post_init__(self) -> None:
        super().__post_init__()
        require_type(self.borders, Borders, "borders")

    def candidates(self, domain: Domain, region: Region) -> Candidates:
        return candidates(domain, region, self.borders)

    def describe(self, domain: Domain) -> str:
        return "split chosen on all rows"

    def check(self, domain: Domain) -> None:
        self.borders.require_of(domain)
        super().check(domain)


@dataclass(frozen=True)
class ChosenBlock(Choice):
    """A split and one for each of its sides, which a curator draws at once on all rows: three numbers, for one ε.

    Drawn with Pr ∝ e^{−ε·loss/m} among all blocks, the loss being that of the two sides together, each rounded down. A
    side that nothing divides has the number 0.

    Claims: thm-owner-tree, thm-block
    """

    loss: str = "mixed"
    lattice: int = 1024
    type: ClassVar[str] = "chosen-block"
    claim: ClassVar[str] = "thm-owner-tree"
    layer: ClassVar[Layer] = Drawn("exponential mechanism over blocks")
    most_splits: ClassVar[int] = 500

    def shape(self, domain: Domain) -> tuple[int, ...]:
        return (3,)

    def exact_size(self, domain: Domain) -> int:
        return domain.n_codes**2 * domain.n_classes

    def tally(self, records: Records, rows: RowNumbers, domain: Domain) -> Integers:
        sizes = [feature.n_codes for feature in domain.features]
        return pairs_of_codes(records.columns[:, rows], records.labels[rows], sizes, domain.n_classes).ravel()

    def drawn(self, pairs: Integers, domain: Domain, source: Source) -> list[int]:
        """1 + the positions of the root's split and of those of its sides."""
        found = candidates(domain, self.region)
        sides = found.sides(pairs.reshape(domain.n_codes, -1))
        regions = [_sides(self.region, found[i]) for i in range(len(found))]
        losses = [
            (self._losses(domain, left, a), self._losses(domain, right, b))
            for (left, right), a, b in zip(regions, *sides, strict=True)
        ]
        # thm-owner-tree: one draw among all blocks, and a record is in one of four leaves
        root, *below = draw_block(losses, Rate(rate=self.epsilon / self.lattice), source)
        there = (len(candidates(domain, region)) > 0 for region in regions[root])
        return [1 + root, *(1 + at if any_split else 0 for at, any_split in zip(below, there, strict=True))]

    def _losses(self, domain: Domain, region: Region, table: Integers) -> list[int]:
        """What each split of a side leaves of its rows; or what the side is, where nothing divides it."""
        cells, found = table.reshape(domain.n_codes, domain.n_classes), candidates(domain, region)
        if len(found):
            return losses_of(*found.sides(cells), self.loss, self.lattice).tolist()
        whole = cells[: domain.features[0].n_codes].sum(axis=0, keepdims=True)
        return losses_of(whole, np.zeros_like(whole), self.loss, self.lattice).tolist()

    def describe(self, domain: Domain) -> str:
        return "block of three splits chosen on all rows"


@dataclass(frozen=True)
class LeafLabel(Query):
    """The label of a region's records, drawn by a curator by permute-and-flip on the class counts: one number.

    A record raises the count of its class by 1, and no other. So the draw with base e^{−ε} costs ε, with no factor 2;
    on an empty region every class is equally likely. The number is the position of the class.

    Claims: lem-leaf-label

    Examples
    --------
    >>> from fdpedu.domain import Numeric
    >>> ages = Domain([Numeric.grid("age", 0, 100, bins=4)], ("well", "ill"))
    >>> LeafLabel(ages.everything, "1/2").describe(ages)
    'label of a leaf'
    """

    layer: ClassVar[Layer] = Drawn("permute-and-flip")
    claim: ClassVar[str] = "lem-leaf-label"
    type: ClassVar[str] = "leaf-label"

    def shape(self, domain: Domain) -> tuple[int, ...]:
        return (1,)

    def exact_size(self, domain: Domain) -> int:
        return domain.n_classes

    def tally(self, records: Records, rows: RowNumbers, domain: Domain) -> Integers:
        return occurrences(records.labels[rows], domain.n_classes)

    def drawn(self, counts: Integers, domain: Domain, source: Source) -> list[int]:
        """The position of the class that is drawn."""
        # lem-leaf-label: all counts move in one direction, by at most 1
        return [int(permute_and_flip(counts.tolist(), self.epsilon, source, monotone=True))]

    def describe(self, domain: Domain) -> str:
        return "label of a leaf"

    def check(self, domain: Domain) -> None:
        super().check(domain)
        require_classes(domain, "the query leaf-label")


def _sides(region: Region, split: CodeSplit) -> tuple[Region, Region]:
    """The two sides of a split."""
    here = region.codes(split.feature)
    return region.restrict(split.feature, split.left & here), region.restrict(split.feature, here - split.left)


def pairs_of_codes(columns: Codes, labels: Codes, sizes: Sequence[int], n_classes: int) -> Integers:
    """How many rows of each class have each two codes: integers of shape (Σ codes, Σ codes, classes).

    Parameters
    ----------
    columns : codes of the rows, shape (p, n)
    labels : class codes, shape (n,)
    sizes : the number of codes of each feature
    n_classes : of the domain
    """
    first, total = np.cumsum([0, *sizes], dtype=np.int64)[:-1], sum(sizes)
    found = np.zeros((total, total, n_classes), dtype=np.int64)
    for c in range(n_classes):
        own = columns[:, labels == c]
        for start in range(0, own.shape[1], _ROWS):
            codes = own[:, start : start + _ROWS].astype(np.intp) + first[:, None]
            table = np.zeros((codes.shape[1], total), dtype=np.float32)  # sums of at most 2^14 ones are exact
            table[np.arange(codes.shape[1], dtype=np.int64), codes] = 1
            found[:, :, c] += (table.T @ table).astype(np.int64)
    return found
