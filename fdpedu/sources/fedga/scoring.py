"""Scores of trees: macro F1 from counts of rows, mean squared error, and their mean over parties by noisy sizes.

Macro F1 is the mean of F1 = 2·TP/(2·TP + FP + FN) over the classes that some row has or some prediction says; a class
that is never right counts 0. With one leaf, which says a class of share q while k classes are there, it is
2q/((1 + q)·k). The score is a function of counts, however many decimals are told.

Not guaranteed: any privacy. A score on a party's own rows is an exact function of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fdpedu.exact import as_floats, as_integers, occurrences


@dataclass(frozen=True)
class Errors:
    """What one leaf, or several, got right and wrong; it adds up over leaves.

    Parameters
    ----------
    confusion : rows by their class and the class that was said, shape (C, C); without rows and columns for numbers
    squares : the sum of squared errors of numbers
    n : how many rows
    """

    confusion: NDArray[np.int64]
    squares: float
    n: int

    @classmethod
    def of_leaf(cls, targets: NDArray[Any], label: float, n_classes: int) -> Errors:
        """Of rows that are all told the same."""
        confusion = np.zeros((n_classes, n_classes), dtype=np.int64)
        if n_classes:
            confusion[:, int(label)] = occurrences(targets, n_classes)
            return cls(confusion, 0.0, len(targets))
        wrong = targets - label
        return cls(confusion, float(wrong @ wrong), len(targets))

    def __add__(self, other: Errors) -> Errors:
        return Errors(self.confusion + other.confusion, self.squares + other.squares, self.n + other.n)

    @property
    def score(self) -> float:
        """Macro F1, more is better; or the mean squared error, less is better."""
        return _macro_f1(self.confusion) if len(self.confusion) else self.squares / self.n


def _macro_f1(confusion: NDArray[np.int64]) -> float:
    twice_right = 2 * np.diagonal(confusion)
    named = confusion.sum(axis=0) + confusion.sum(axis=1)  # 2·TP + FP + FN
    there = named > 0
    return float((twice_right[there] / named[there]).mean())


def f1(labels: Any, predicted: Any) -> float:
    """Macro F1 of predictions.

    Parameters
    ----------
    labels, predicted : classes as integers, shape (n,), n ≥ 1

    Examples
    --------
    >>> f1([0, 0, 0, 1], [0, 0, 0, 0])  # the classes have 6/7 and 0
    0.42857142857142855
    """
    truth, said = as_integers(labels, "labels"), as_integers(predicted, "predicted")
    _require_alike(truth, said, "labels")
    classes, at = np.unique(np.concatenate([truth, said]), return_inverse=True)
    confusion = np.zeros((len(classes), len(classes)), dtype=np.int64)
    np.add.at(confusion, (at[: len(truth)], at[len(truth) :]), 1)
    return _macro_f1(confusion)


def mse(targets: Any, predicted: Any) -> float:
    """The mean squared error of predictions, both of shape (n,), n ≥ 1.

    >>> mse([1, 3], [2, 2])
    1.0
    """
    truth, said = as_floats(targets, "targets", 1), as_floats(predicted, "predicted", 1)
    _require_alike(truth, said, "targets")
    return float(np.mean((truth - said) ** 2))


def _require_alike(truth: NDArray[Any], said: NDArray[Any], name: str) -> None:
    if truth.ndim != 1 or truth.shape != said.shape or not truth.size:
        raise ValueError(f"{name} and predicted must have one shape (n,), n ≥ 1; got {truth.shape} and {said.shape}")


def weighted_score(scores: Sequence[float], sizes: Sequence[float]) -> float:
    """The mean of the parties' scores by their noisy sizes; a size below 1 counts as 1.

    With the noise a size may be 0 or less, and a mean with such weights may lie beyond all scores. The source does not
    say what happens then; the 1 is reconstructed, and depends on what was told only.

    Examples
    --------
    >>> weighted_score([0.5, 1.0], [30.0, 10.0]), weighted_score([0.5, 1.0], [-7.5, 1.0])
    (0.625, 0.75)
    """
    told, weights = as_floats(scores, "scores", 1), as_floats(sizes, "sizes", 1)
    if told.shape != weights.shape or not told.size:
        raise ValueError(f"scores and sizes must be as many, at least one; got {told.size} and {weights.size}")
    return float(np.average(told, weights=np.maximum(weights, 1)))
