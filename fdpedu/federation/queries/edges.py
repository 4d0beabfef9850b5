"""Edges of one feature's wide bins, which a curator draws at once on all rows: all of them for one ε.

What is told is a list of positions among the borders of the domain's fine bins, and nothing else. One record moves the
utility of a choice of edges by at most 2(b − 1) in the units of |b·n_i − n|, and not all choices in one direction; so
the draw needs the factor 2. Each feature has a question of its own: a record has a value in every feature, so what the
features cost adds up.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from fdpedu.domain import Domain, Numeric
from fdpedu.domain.features import MAX_CODES
from fdpedu.exact import Integers, Rate, as_integer, occurrences
from fdpedu.federation.queries.choices import Drawn
from fdpedu.federation.queries.noise import Layer
from fdpedu.federation.queries.query import Query
from fdpedu.federation.records import Records, RowNumbers
from fdpedu.mechanisms.chain import Chain, joint_sensitivity
from fdpedu.randomness import Source


@dataclass(frozen=True)
class JointEdges(Query):
    """The inner edges of b bins of one feature, by the joint exponential mechanism: b − 1 increasing positions.

    Rows without a value of the feature are in no bin, and say nothing.

    Claims: thm-joint-quantiles

    Parameters
    ----------
    region : all records, or a node
    cost : ε
    feature : the position of a numeric feature
    bins : b, from 2 to the number of the feature's fine bins

    Examples
    --------
    >>> from fdpedu.domain import Domain, Numeric
    >>> ages = Domain([Numeric.grid("age", 0, 100, bins=20)], ("well", "ill"))
    >>> JointEdges(ages.everything, "1/2", 0, 4).describe(ages)
    'edges of 4 bins of age'
    """

    feature: int
    bins: int
    layer: ClassVar[Layer] = Drawn("joint exponential mechanism")
    claim: ClassVar[str] = "thm-joint-quantiles"
    type: ClassVar[str] = "joint-edges"

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "feature", as_integer(self.feature, "feature", minimum=0))
        object.__setattr__(self, "bins", as_integer(self.bins, "bins", minimum=2, maximum=MAX_CODES))

    def shape(self, domain: Domain) -> tuple[int, ...]:
        return (self.bins - 1,)

    def exact_size(self, domain: Domain) -> int:
        return self._of(domain).n_bins

    def tally(self, records: Records, rows: RowNumbers, domain: Domain) -> Integers:
        fine = self._of(domain)
        return occurrences(records.columns[self.feature][rows], fine.n_codes)[: fine.n_bins]

    def drawn(self, counts: Integers, domain: Domain, source: Source) -> list[int]:
        """The positions of the inner edges among those of the fine bins."""
        # thm-joint-quantiles: utilities move either way, so the factor 2 is needed
        rate = Rate(rate=self.epsilon / (2 * joint_sensitivity(self.bins)))
        return list(Chain(counts.tolist(), self.bins, rate).draw(source))

    def describe(self, domain: Domain) -> str:
        return f"edges of {self.bins} bins of {domain.features[self.feature].name}"

    def check(self, domain: Domain) -> None:
        super().check(domain)
        if self.feature >= domain.n_features or not isinstance(domain.features[self.feature], Numeric):
            raise ValueError("feature must be the position of a numeric feature: categories have no edges")
        if self.bins > self._of(domain).n_bins:
            raise ValueError(f"bins must be at most {self._of(domain).n_bins}, the number of the feature's fine bins")

    def _of(self, domain: Domain) -> Numeric:
        feature = domain.features[self.feature]
        assert isinstance(feature, Numeric)
        return feature
