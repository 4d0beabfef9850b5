"""How often a released model is right: a query that carries the model, as splits and labels, or as trees that add up.

The model is public, so whether it is right about a record is a function of this record alone, and so is the class that
it predicts. One record more or less moves one of the counts by 1.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from fdpedu.domain import Codes, Domain, require_classes
from fdpedu.exact import Integers, as_indices, occurrences
from fdpedu.federation.queries.query import Query
from fdpedu.federation.records import Records, RowNumbers, members
from fdpedu.gradients import AdditiveModel, VectorModel
from fdpedu.gradients.additive import MODEL_NAMES
from fdpedu.gradients.vectors import VECTORS
from fdpedu.secure_sum.binding import Canonical

MAX_NODES = 2**14  # of a model in a question


@dataclass(frozen=True)
class Model:
    """A decision tree as a party needs it: its nodes from the root on, every node before its left and its right side.

    Parameters
    ----------
    nodes : for an inner node (feature, the codes that go left as a bit mask), for a leaf (label,)

    Examples
    --------
    >>> stump = Model(((0, 0b0011), (1,), (0,)))  # codes 0 and 1 of the first feature: class 1, others: class 0
    >>> stump.predict(np.array([[0, 1, 2, 3]], dtype=np.uint8), np.arange(4)).tolist()
    [1, 1, 0, 0]
    """

    nodes: tuple[tuple[int, ...], ...]

    def to_wire(self) -> Canonical:
        """As it stands in a request."""
        return self.nodes

    def check(self, domain: Domain, answers: int | None = None) -> None:
        """Refuse what is no tree of this domain, or has leaves beyond its classes, or beyond so many answers."""
        most = domain.n_classes if answers is None else answers
        if not 1 <= len(self.nodes) <= MAX_NODES or not all(self._is_node(node, domain, most) for node in self.nodes):
            raise ValueError(f"model must have 1 to {MAX_NODES} nodes, of this domain's features, codes and classes")
        due = 1  # nodes that have a place and are still to come
        for k, node in enumerate(self.nodes, 1):
            due += 1 if len(node) == 2 else -1
            if (due == 0) != (k == len(self.nodes)):
                raise ValueError("model must be one tree, every node before its left and its right side")

    @staticmethod
    def _is_node(node: Any, domain: Domain, answers: int) -> bool:
        if type(node) is not tuple or not all(type(part) is int for part in node):
            return False
        if len(node) == 1:
            return 0 <= node[0] < answers
        known = len(node) == 2 and 0 <= node[0] < domain.n_features
        return known and 0 <= node[1] < 2 ** domain.features[node[0]].n_codes

    def predict(self, columns: Codes, rows: RowNumbers) -> NDArray[np.int64]:
        """The predicted class of each of the rows; ``columns`` are the codes of all records, of shape (p, n)."""
        predicted = np.zeros(len(rows), dtype=np.int64)
        nodes: Iterator[tuple[int, ...]] = iter(self.nodes)
        waiting = [np.arange(len(rows), dtype=np.int64)]  # for each node still to come, the places of its rows
        for node in nodes:
            here = waiting.pop()
            if len(node) == 1:
                predicted[here] = node[0]
                continue
            left = members(node[1]).take(as_indices(columns[node[0]].take(as_indices(rows.take(as_indices(here))))))
            waiting += [here.compress(~left), here.compress(left)]
        return predicted


AnyModel = Model | AdditiveModel | VectorModel


@dataclass(frozen=True)
class OutcomeCounts(Query):
    """How often a model is right and how often wrong, by predicted class: integers of shape (classes, 2).

    Claims: lem-noisy-score

    Parameters
    ----------
    region : the records that are scored
    cost : of all counts together: ε, or a cost in ρ
    model : which is public: a :class:`Model`; of two classes an :class:`~fdpedu.gradients.AdditiveModel`, of several a
        :class:`~fdpedu.gradients.VectorModel`

    Examples
    --------
    >>> from fdpedu.domain import Numeric
    >>> ages = Domain([Numeric.grid("age", 0, 100, bins=4)], ("well", "ill"))
    >>> scored = OutcomeCounts(ages.everything, 1, Model(((0, 0b0011), (0,), (1,))))
    >>> scored.shape(ages), scored.sensitivity, list(scored.parameters)
    ((2, 2), 1, ['model'])
    """

    model: AnyModel
    type: ClassVar[str] = "outcome-counts"
    claim: ClassVar[str] = "lem-noisy-score"

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "model", model_of_wire(self.model))

    def shape(self, domain: Domain) -> tuple[int, ...]:
        return (domain.n_classes, 2)

    def tally(self, records: Records, rows: RowNumbers, domain: Domain) -> Integers:
        # lem-noisy-score: the model is public, so one record moves one count by 1
        predicted = self._predicted(records, rows)
        wrong = predicted != records.labels[rows]
        return occurrences(2 * predicted + wrong, self.size(domain))

    def _predicted(self, records: Records, rows: RowNumbers) -> NDArray[np.int64]:
        """The class of each row; the scores of an additive model are kept for the next question about it."""
        if isinstance(self.model, Model):
            return self.model.predict(records.columns, rows)
        return self.model.chosen(records.scores(self.model).take(as_indices(rows), axis=0))

    def describe(self, domain: Domain) -> str:
        return "right and wrong predictions of a model, by predicted class"

    def check(self, domain: Domain) -> None:
        super().check(domain)
        require_classes(domain, "a score")
        if isinstance(self.model, AdditiveModel) and domain.n_classes != 2:
            raise ValueError(f"an additive model is for two classes, and the domain has {domain.n_classes}")
        self.model.check(domain)


@dataclass(frozen=True)
class ConfusionCounts(OutcomeCounts):
    """How often a model predicts each class for each class: integers of shape (predicted, true).

    It costs what right and wrong predictions cost, as one record is in one cell. Their sums have more noise, that of
    all their cells.

    Claims: lem-noisy-score

    Examples
    --------
    >>> from fdpedu.domain import Numeric
    >>> ages = Domain([Numeric.grid("age", 0, 100, bins=4)], ("well", "ill", "dead"))
    >>> asked = ConfusionCounts(ages.everything, 1, Model(((0, 0b0011), (0,), (1,))))
    >>> asked.shape(ages), asked.sensitivity, asked.cells
    ((3, 3), 1, 1)
    """

    type: ClassVar[str] = "confusion-counts"

    def shape(self, domain: Domain) -> tuple[int, ...]:
        return (domain.n_classes, domain.n_classes)

    def tally(self, records: Records, rows: RowNumbers, domain: Domain) -> Integers:
        # lem-noisy-score: the model is public, so one record is in one cell
        return occurrences(domain.n_classes * self._predicted(records, rows) + records.labels[rows], self.size(domain))

    def describe(self, domain: Domain) -> str:
        return "predicted and true classes of a model"


def model_of_wire(given: object) -> AnyModel:
    """A model, or the one that stands in a request: one of scores begins with its name, which no node of a tree is."""
    if isinstance(given, tuple):
        if given[:1] == (VECTORS,):
            return VectorModel.from_wire(given)
        return AdditiveModel.from_wire(given) if given[:1] and given[0] in MODEL_NAMES else Model(given)
    if type(given) not in (Model, AdditiveModel, VectorModel):
        raise ValueError(f"model must be a Model, an AdditiveModel or a VectorModel, got {type(given).__name__}")
    found: AnyModel = given  # type: ignore[assignment]  # its type is one of these
    return found
