"""Sums for boosting: the question carries the model so far, so a party keeps no state and trusts none.

The scores of neighbours' common rows agree, because they are computed from the model in the question, which was
released. A record is in one leaf of each tree and moves it by its clipped pull.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

from fdpedu.domain import Domain, require_classes
from fdpedu.exact import Integers, as_indices, as_integer
from fdpedu.federation.queries.query import Query
from fdpedu.federation.records import Records, RowNumbers
from fdpedu.gradients import AdditiveModel, TreeShapes, intercept_sums, positions, pull_sums, pulls
from fdpedu.gradients.table import FULL_WEIGHT, MAX_STEPS, as_steps


@dataclass(frozen=True)
class Scored(Query):
    """A query that carries a released model, by which each row has a score, or one for each class.

    Parameters
    ----------
    region : the records that it looks at
    cost : of all numbers together: ε, or a cost in ρ
    steps : m, the even number of steps of the table of probabilities, from 2 to 4096
    model : released, and public
    """

    steps: int
    model: AdditiveModel
    kind_of_model: ClassVar[type] = AdditiveModel

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "steps", as_integer(self.steps, "steps", minimum=2, maximum=MAX_STEPS))
        self._read("model", self.kind_of_model)

    def _read(self, name: str, kind: Any) -> None:
        given = getattr(self, name)
        if isinstance(given, tuple):  # as it stands in a request
            object.__setattr__(self, name, kind.from_wire(given))
        elif type(given) is not kind:
            raise ValueError(f"{name} must be {kind.__name__}, got {type(given).__name__}")

    def plain(self) -> Self:
        """The same question, as older derivations know it: written number by number."""
        return replace(self, model=self.model.plain())

    def scores(self, records: Records, rows: RowNumbers) -> Integers:
        """The scores of the given rows by the model, in units of 1/4096."""
        return records.scores(self.model).take(as_indices(rows), axis=0)

    def require_outcome(self, domain: Domain) -> None:
        """Refuse a domain in which rows have no such scores."""
        require_classes(domain, "a sum of gradients")
        if domain.n_classes != 2:
            raise ValueError(f"scores are for two classes, and the domain has {domain.n_classes}")

    def check(self, domain: Domain) -> None:
        self.require_outcome(domain)
        as_steps(self.steps)
        self.model.check(domain)
        super().check(domain)


class SumsByLeaf(Scored):
    """What the pulls of the rows of each leaf of some new trees add up to; a type has ``trees`` as its last field.

    One record is in one leaf of each of the B trees, so the answer is B releases of the sensitivity of a pull.
    """

    trees: TreeShapes

    def __post_init__(self) -> None:
        super().__post_init__()
        self._read("trees", TreeShapes)

    @property
    def n_releases(self) -> int:
        return len(self.trees)

    def shape(self, domain: Domain) -> tuple[int, ...]:
        return (len(self.trees), self.trees.n_leaves)

    def pulled(self, records: Records, rows: RowNumbers) -> Integers:
        """The pull of each row, clipped by itself: a number, or one for each class."""
        raise TypeError("ask one of the closed set of queries")

    def tally(self, records: Records, rows: RowNumbers, domain: Domain) -> Integers:
        # thm-gradient-sums, lem-residual, thm-pull-vectors: clipped row by row, before anything is added up
        pull = self.pulled(records, rows)
        return pull_sums(records.leaves(self.trees, rows), self.trees.n_leaves, pull).ravel()

    def check(self, domain: Domain) -> None:
        self.trees.check(domain)
        super().check(domain)


@dataclass(frozen=True)
class GradientSums(SumsByLeaf):
    """What the rows of each leaf of some new trees pull together, at their scores: integers of shape (trees, leaves).

    One record is in one leaf of each tree, and moves its sum by at most c. So the answer is B releases of sensitivity
    c, and each number carries noise of rate ε/(B·c). In ρ it is one vector, with ℓ₂² = B·c².

    Claims: thm-gradient-sums

    Parameters
    ----------
    region : the records that it looks at
    cost : of all sums together: ε, or a cost in ρ
    steps, model : as for every scored query
    clip : c, the largest pull, from 1 to m: half of m, and boosting asks four times cheaper than by the full gradient
    first, second : the weights of both classes, from 1 to 256, of 256
    trees : the new trees, without weights

    Examples
    --------
    >>> from fdpedu.domain import Numeric
    >>> ages = Domain([Numeric.grid("age", 0, 100, bins=4)], ("well", "ill"))
    >>> two = TreeShapes((((0, 0b0001),), ((0, 0b0111),)))
    >>> asked = GradientSums(ages.everything, "1/2", 64, AdditiveModel(), 32, 256, 256, two)
    >>> asked.n_releases, asked.sensitivity, asked.l2_squared, asked.rate.rate, asked.shape(ages)
    (2, 32, 2048, Fraction(1, 128), (2, 2))
    """

    clip: int
    first: int
    second: int
    trees: TreeShapes
    type: ClassVar[str] = "gradient-sums"
    claim: ClassVar[str] = "thm-gradient-sums"

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "clip", as_integer(self.clip, "clip", minimum=1, maximum=self.steps))
        for name in ("first", "second"):
            weight = as_integer(getattr(self, name), name, minimum=1, maximum=FULL_WEIGHT)
            object.__setattr__(self, name, weight)

    @property
    def sensitivity(self) -> int:
        return self.clip

    def pulled(self, records: Records, rows: RowNumbers) -> Integers:
        table = pulls(self.steps, self.clip, self.first, self.second)
        pull: Integers = table[records.labels.take(as_indices(rows)), positions(self.scores(records, rows))]
        return pull

    def plain(self) -> GradientSums:
        return replace(super().plain(), trees=replace(self.trees, packed=False))

    def describe(self, domain: Domain) -> str:
        return f"pulls of the rows by leaf of {len(self.trees)} trees, in steps of 1/{self.steps}"


@dataclass(frozen=True)
class InterceptSums(Scored):
    """What all rows pull together, clipped at m/2, and their curvatures: two integers.

    One record moves the pair by (min(P, m/2), ⌊P·(m−P)/m⌋) at most, for some P of the table. So the answer is one
    release, of sensitivity m/2 + ⌊m/4⌋ in ℓ₁. In ρ it is one vector, with ℓ₂² = m²/4 + ⌊m/4⌋².

    Claims: lem-intercept-sums

    Examples
    --------
    >>> from fdpedu.domain import Numeric
    >>> ages = Domain([Numeric.grid("age", 0, 100, bins=4)], ("well", "ill"))
    >>> asked = InterceptSums(ages.everything, "1/2", 64, AdditiveModel())
    >>> asked.sensitivity, asked.l2_squared, asked.cells
    (48, 1280, 2)
    """

    type: ClassVar[str] = "intercept-sums"
    claim: ClassVar[str] = "lem-intercept-sums"

    @property
    def sensitivity(self) -> int:
        return self.steps // 2 + self.steps // 4

    @property
    def l2_squared(self) -> int:
        return (self.steps // 2) ** 2 + (self.steps // 4) ** 2

    @property
    def cells(self) -> int:
        return 2

    def shape(self, domain: Domain) -> tuple[int, ...]:
        return (2,)

    def tally(self, records: Records, rows: RowNumbers, domain: Domain) -> Integers:
        return intercept_sums(self.scores(records, rows), records.labels.take(as_indices(rows)), self.steps)

    def describe(self, domain: Domain) -> str:
        return f"pulls and curvatures of all rows, in steps of 1/{self.steps}"
