"""A numeric target: sums of clipped residuals for boosting, and the four sums of which R² is made.

Both questions carry the model, which was released. So a row's residual, and how far the model is off, are functions of
what is public and of this row.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from fdpedu.domain import Domain, require_target
from fdpedu.exact import Integers, as_indices, as_integer
from fdpedu.federation.queries.gradients import SumsByLeaf
from fdpedu.federation.queries.outcomes import Model, model_of_wire
from fdpedu.federation.queries.query import Query
from fdpedu.federation.records import Records, RowNumbers
from fdpedu.gradients import AdditiveModel, TreeShapes
from fdpedu.gradients.residuals import MAX_SPREAD, SQUARES_L1, SQUARES_L2, as_spread, in_range, residuals, square_sums
from fdpedu.gradients.table import UNIT


@dataclass(frozen=True)
class ResidualSums(SumsByLeaf):
    """What the residuals of the rows of each leaf of some new trees add up to: integers of shape (trees, leaves).

    One record is in one leaf of each tree, and moves its sum by at most m/2. So the answer is B releases of sensitivity
    m/2. In ρ it is one vector, with ℓ₂² = B·m²/4, whatever the spread is.

    Claims: lem-residual

    Parameters
    ----------
    region : the records that it looks at
    cost : of all sums together: ε, or a cost in ρ
    steps, model : as for every scored query
    spread : C, in half levels of the target: a score of 1, from 1 to 512
    trees : the new trees, without weights

    Examples
    --------
    >>> domain = Domain.from_spec({"features": {"age": [0, 100, 4]}, "target": [0, 40]})
    >>> two = TreeShapes((((0, 0b0001),), ((0, 0b0111),)))
    >>> asked = ResidualSums(domain.everything, "1/2", 64, AdditiveModel(), 100, two)
    >>> asked.n_releases, asked.sensitivity, asked.l2_squared, asked.shape(domain)
    (2, 32, 2048, (2, 2))
    """

    spread: int
    trees: TreeShapes
    type: ClassVar[str] = "residual-sums"
    claim: ClassVar[str] = "lem-residual"

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "spread", as_spread(self.spread))

    @property
    def sensitivity(self) -> int:
        return self.steps // 2

    def pulled(self, records: Records, rows: RowNumbers) -> Integers:
        return residuals(self.scores(records, rows), records.labels.take(as_indices(rows)), self.spread, self.steps)

    def describe(self, domain: Domain) -> str:
        return f"residuals of the rows by leaf of {len(self.trees)} trees, in steps of 1/{self.steps}"

    def require_outcome(self, domain: Domain) -> None:
        require_target(domain, "a sum of residuals")


@dataclass(frozen=True)
class SquareSums(Query):
    """Of how many rows, how their numbers spread, and how far a model is off: four integers, of which R² is made.

    One record moves them by (1/4, 1/2, 1/4, 1) at most, in units of 1/4096: all lies within the target's range, and so
    does a prediction, which is clipped to it. So the answer is one release, of sensitivity 8192 in ℓ₁. In ρ it is one
    vector, with ℓ₂² = 22·1024².

    Claims: lem-squares

    Parameters
    ----------
    region : the records that are scored
    cost : of all sums together: ε, or a cost in ρ
    spread : C of an additive model; 0 of a tree
    model : which is public: an :class:`~fdpedu.gradients.AdditiveModel`, or a :class:`Model` whose leaves have a number
        in place of a label, from 0 to 4096, which says where in the range it is

    Examples
    --------
    >>> domain = Domain.from_spec({"features": {"age": [0, 100, 4]}, "target": [0, 40]})
    >>> asked = SquareSums(domain.everything, 1, 0, Model(((0, 0b0011), (1024,), (3072,))))
    >>> asked.sensitivity, asked.cells, asked.n_releases
    (8192, 4, 1)
    """

    spread: int
    model: Model | AdditiveModel
    type: ClassVar[str] = "square-sums"
    claim: ClassVar[str] = "lem-squares"

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "spread", as_integer(self.spread, "spread", minimum=0, maximum=MAX_SPREAD))
        object.__setattr__(self, "model", model_of_wire(self.model))

    @property
    def sensitivity(self) -> int:
        return SQUARES_L1

    @property
    def l2_squared(self) -> int:
        return SQUARES_L2

    @property
    def cells(self) -> int:
        return 4

    def shape(self, domain: Domain) -> tuple[int, ...]:
        return (4,)

    def tally(self, records: Records, rows: RowNumbers, domain: Domain) -> Integers:
        return square_sums(
            self._predicted(records, rows, domain), records.labels.take(as_indices(rows)), domain.n_classes
        )

    def _predicted(self, records: Records, rows: RowNumbers, domain: Domain) -> Integers:
        """Where in the range, in units of 1/4096; the scores of an additive model are kept for the next question."""
        if isinstance(self.model, Model):
            return self.model.predict(records.columns, rows)
        return in_range(records.scores(self.model).take(as_indices(rows)), self.spread, domain.n_classes)

    def describe(self, domain: Domain) -> str:
        return "rows, distances and squares of a target, and squares of a model's errors"

    def check(self, domain: Domain) -> None:
        super().check(domain)
        require_target(domain, "a sum of squares")
        if isinstance(self.model, AdditiveModel) != bool(self.spread):
            raise ValueError(
                "spread must be 0 of a tree, and at least 1 of an additive model, whose scores have a unit"
            )
        if isinstance(self.model, Model):
            self.model.check(domain, answers=UNIT + 1)
        else:
            self.model.check(domain)
