"""What boosting releases: a score for each row, which many small trees add up to, with the accounting of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fdpedu.accounting import Derivation
from fdpedu.boosting.marginals import Floats
from fdpedu.boosting.rules import Rules
from fdpedu.cart.tree import class_array
from fdpedu.derivation_checker import Guarantee
from fdpedu.domain import Codes, Domain
from fdpedu.exact import Integers
from fdpedu.gradients import UNIT, AdditiveModel


class Batch(NamedTuple):
    """The trees of one round: how many, and the intercept after them, in units of 1/4096."""

    n_trees: int
    intercept: int


@dataclass(frozen=True, eq=False)
class Ensemble:
    """Boosted trees. Predictions are functions of the released model and of a row, so they cost nothing.

    Parameters
    ----------
    domain : what is public
    model : trees with weights, intercept, scale
    rules : what was fixed before the first release
    batches : the rounds
    weights : of both classes, of 256
    histograms : as released, from which questions and leaves' shares were made
    derivation : what it has cost, and why
    rounds : the number of federated rounds
    n_parties, tolerate : how many there were, and how many the noise withstands
    """

    domain: Domain
    model: AdditiveModel
    rules: Rules = field(kw_only=True)
    batches: tuple[Batch, ...] = field(kw_only=True)
    weights: tuple[int, int] = field(kw_only=True)
    histograms: Integers = field(kw_only=True)
    derivation: Derivation = field(kw_only=True)
    rounds: int = field(kw_only=True)
    n_parties: int = field(kw_only=True)
    tolerate: int = field(kw_only=True)

    @property
    def classes(self) -> tuple[Any, ...]:
        return self.domain.classes

    @property
    def form(self) -> str:
        """``"trees"`` or ``"curves"``."""
        return self.rules.form

    @property
    def guarantee(self) -> Guarantee:
        """What the derivation proves."""
        return self.derivation.guarantee

    def decision_function(self, X: Any) -> Floats:
        """The score of each row: above 0 for the second class of the domain."""
        columns = self._columns(X)
        return self.model.scores(columns, np.arange(columns.shape[1])) / UNIT

    def predict(self, X: Any) -> NDArray[Any]:
        """The class of each row."""
        return class_array(self.classes)[(self.decision_function(X) > 0).astype(np.int64)]

    def predict_proba(self, X: Any) -> Floats:
        """1/(1 + e^{−score}) for the second class, a convention: shape (n, 2), in the order of the domain's classes.

        The clipped loss is calibrated for classes and not for probabilities.
        """
        second = 1 / (1 + np.exp(-self.decision_function(X)))
        return np.column_stack([1 - second, second])

    def score(self, X: Any, y: Any) -> float:
        """The share of rows whose predicted class is theirs: exact, so for public rows."""
        right = self.domain.encode_labels(y) == (self.decision_function(X) > 0)
        return float(np.mean(right))

    def staged(self, X: Any) -> Iterator[Floats]:
        """The scores after each round of trees, before the model was enlarged; then those of the whole model."""
        columns, end = self._columns(X), 0
        rows = np.arange(columns.shape[1])
        sums = np.zeros(len(rows), dtype=np.int64)
        for batch in self.batches:
            begin, end = end, end + batch.n_trees
            sums = sums + AdditiveModel(self.model.trees[begin:end]).scores(columns, rows)
            yield (sums + batch.intercept) / UNIT
        yield self.model.scores(columns, rows) / UNIT

    def _columns(self, X: Any) -> Codes:
        return np.ascontiguousarray(self.domain.encode(X).T)
