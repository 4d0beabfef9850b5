"""Sums of pulls for boosting with many classes: a row's pull is a vector, and has one clip for all classes together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from fdpedu.domain import Domain, require_classes
from fdpedu.exact import Integers, as_indices
from fdpedu.federation.queries.gradients import SumsByLeaf
from fdpedu.federation.records import Records, RowNumbers
from fdpedu.gradients import TreeShapes, VectorModel, pull_vectors
from fdpedu.gradients.vectors import MAX_SCORES


@dataclass(frozen=True)
class PullVectors(SumsByLeaf):
    """What the rows of each leaf of some new trees pull at each class: integers of shape (trees, leaves, classes).

    One record is in one leaf of each tree. There it moves the sum of its own class by −g, and the sums of the others by
    whole numbers that add up to g ≤ m/2. So the answer is B releases of sensitivity m, and one vector with ℓ₂² =
    B·m²/2, however many classes there are. It costs ρ: in ε, where noise is Laplace noise, a pull that is divided among
    several classes would tell colluders beyond the tolerance more than a whole one.

    Claims: thm-pull-vectors

    Parameters
    ----------
    region : the records that it looks at
    cost : of all sums together, in ρ
    steps : m, the even number of steps of a probability, from 2 to 4096
    model : released, and public, with a score for each class of the domain
    trees : the new trees, without weights

    Examples
    --------
    >>> from fdpedu.domain import Numeric
    >>> ages = Domain([Numeric.grid("age", 0, 100, bins=4)], ("well", "ill", "dead"))
    >>> two = TreeShapes((((0, 0b0001),), ((0, 0b0111),)))
    >>> from fdpedu.accounting import Cost
    >>> asked = PullVectors(ages.everything, Cost("gaussian", "1/2"), 64, VectorModel((), (0, 0, 0)), two)
    >>> asked.n_releases, asked.sensitivity, asked.l2_squared, asked.cells, asked.shape(ages)
    (2, 64, 4096, 6, (2, 2, 3))
    """

    model: VectorModel  # type: ignore[assignment]  # whose rows have several scores
    trees: TreeShapes
    kind_of_model: ClassVar[type] = VectorModel
    type: ClassVar[str] = "pull-vectors"
    claim: ClassVar[str] = "thm-pull-vectors"

    @property
    def sensitivity(self) -> int:
        return self.steps

    @property
    def l2_squared(self) -> int:
        # thm-pull-vectors: g² of the row's own class, and of the others at most g² together, with g ≤ m/2
        return len(self.trees) * self.steps**2 // 2

    @property
    def cells(self) -> int:
        return len(self.trees) * min(self.model.n_scores, 1 + self.steps // 2)

    def shape(self, domain: Domain) -> tuple[int, ...]:
        return (*super().shape(domain), domain.n_classes)

    def pulled(self, records: Records, rows: RowNumbers) -> Integers:
        return pull_vectors(self.scores(records, rows), records.labels.take(as_indices(rows)), self.steps)

    def describe(self, domain: Domain) -> str:
        return (
            f"pulls of the rows at each of {domain.n_classes} classes by leaf of {len(self.trees)} trees, in steps of "
            f"1/{self.steps}"
        )

    def require_outcome(self, domain: Domain) -> None:
        require_classes(domain, "a sum of pulls")
        if domain.n_classes > MAX_SCORES:
            raise ValueError(f"pulls are of at most {MAX_SCORES} classes, and the domain has {domain.n_classes}")
        if self.cost.is_pure:
            raise ValueError(
                "pulls at several classes cost ρ, not ε: give a delta. In ε a pull that is divided among classes would "
                "tell colluders more than a whole one"
            )
