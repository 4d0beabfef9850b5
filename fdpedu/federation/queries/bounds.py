"""Lower bounds for the impurity of splits, in steps of a public lattice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from fdpedu.cart.local_grid import MAX_LATTICE, layout_of, steps_of
from fdpedu.domain import Domain
from fdpedu.exact import Integers, as_integer
from fdpedu.federation.queries.counts import NodeHistograms
from fdpedu.federation.queries.query import Query
from fdpedu.federation.records import Records, RowNumbers


@dataclass(frozen=True)
class NodeBounds(Query):
    """A lower bound for the impurity of every split of each feature, in a region (a node): integers of shape (p,).

    Of each party and feature j it is ⌊m·F_j⌋, F_j the least n·G that a split of the public grid leaves of the party's
    rows in the region. What is released is the sum over the parties, plus noise; divided by m, the exact sum is at most
    the n·G of any split of all their rows. One record moves each ⌊m·F_j⌋ by at most m, and all of them at once. So the
    answer is p releases of sensitivity m, and each number carries noise of rate ε/(p·m). In ρ it is one vector, with
    ℓ₂² = p·m².

    Claims: thm-node-bounds

    Parameters
    ----------
    region : the records that it looks at
    cost : of all bounds together: ε, or a cost in ρ
    lattice : m, the number of steps of 1, from 1 to 2**16; of more than two classes, a feature has at most 14
        categories

    Examples
    --------
    >>> from fdpedu.domain import Domain, Numeric
    >>> ages = Domain([Numeric.grid(name, 0, 100, bins=4) for name in ("age", "dose")], ("well", "ill"))
    >>> bounds = NodeBounds(ages.everything, "1/2", 4)
    >>> bounds.n_releases, bounds.sensitivity, bounds.rate.rate, bounds.describe(ages)
    (2, 4, Fraction(1, 16), 'impurity lower bounds of all features, in steps of 1/4')
    """

    lattice: int
    type: ClassVar[str] = "node-bounds"
    claim: ClassVar[str] = "thm-node-bounds"

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "lattice", as_integer(self.lattice, "lattice", minimum=1, maximum=MAX_LATTICE))

    @property
    def n_releases(self) -> int:
        return len(self.region.features)

    @property
    def sensitivity(self) -> int:
        return self.lattice

    def shape(self, domain: Domain) -> tuple[int, ...]:
        return (domain.n_features,)

    def tally(self, records: Records, rows: RowNumbers, domain: Domain) -> Integers:
        table = NodeHistograms(self.region, self.cost).tally(records, rows, domain)
        # lem-lattice-bound: rounded down at the party, before any noise
        return steps_of(table.reshape(domain.n_codes, domain.n_classes), layout_of(domain), self.lattice)

    def describe(self, domain: Domain) -> str:
        return f"impurity lower bounds of all features, in steps of 1/{self.lattice}"

    def check(self, domain: Domain) -> None:
        if type(self.lattice) is not int or not 1 <= self.lattice <= MAX_LATTICE:
            raise ValueError(f"lattice must be an integer from 1 to {MAX_LATTICE}")
        super().check(domain)
        layout_of(domain)  # refuses too many categories
