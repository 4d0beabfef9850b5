"""What a party finds out by cross-validation: its best depth, and its two votes for regression.

The source leaves the best depth, the coefficients of variation and the share of unique targets to each party, and calls
them coarse. All of them are exact functions of the rows.

Reconstructed, for the formulas and numbers of eq. (1), eq. (2) and Table II are lost in our copy: five folds, depths 1
to 4, the limits of both votes, seven tenths of the rows for training, and mean squared error as the score of folds.
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median_low

import numpy as np
from numpy.typing import NDArray

from fdpedu.randomness import Source
from fdpedu.sources.fedga.local import Cell, errors_by_depth
from fdpedu.sources.fedga.rows import Rows
from fdpedu.sources.raw_rows import Floats
from fdpedu.trees.subset import shuffled

FOLDS, MAX_DEPTH = 5, 4
NOISE_LIMIT, INTERACTION_LIMIT = 0.25, 0.25  # of coefficients of variation, eq. (1); reconstructed
UNIQUE_LIMIT = 0.5  # of the share of unique targets, eq. (2); reconstructed
TRAIN_SHARE = 0.7  # reconstructed


@dataclass(frozen=True)
class Votes:
    """Of one party, for regression.

    Parameters
    ----------
    validation : whether structures are to be scored on rows that were kept back
    elitism : whether the parties' own structures are to stay in every generation
    """

    validation: bool
    elitism: bool


def fold_scores(rows: Rows, max_depth: int, coins: Source) -> Floats:
    """The score of a party's own tree in each fold at depths 1, 2, …, shape (max_depth, folds).

    A party with fewer rows than folds leaves out one row at a time; with a single row there is no fold.
    """
    n, folds = len(rows), min(FOLDS, len(rows))
    if folds < 2:
        return np.zeros((max_depth, 0))
    fold = np.empty(n, dtype=np.int64)
    fold[np.asarray(shuffled(range(n), coins))] = np.arange(n, dtype=np.int64) % folds
    cells = (Cell.of(rows.kept(fold != k), rows.kept(fold == k)) for k in range(folds))
    return np.array([[e.score for e in errors_by_depth(cell, max_depth)[1:]] for cell in cells]).T


def best_depth(scores: Floats, task: str) -> int:
    """The depth of the best mean over folds, of equals the least; 1 where there is no fold.

    >>> best_depth(np.array([[0.5, 0.7], [0.8, 0.8], [0.9, 0.7]]), "classification")
    2
    """
    if not scores.shape[1]:
        return 1
    means = scores.mean(axis=1) * (1 if task == "classification" else -1)
    return 1 + int((means >= means.max() - 1e-12 * abs(means.max())).argmax())


def median_depth(depths: list[int]) -> int:
    """The median of the parties' depths; of two in the middle the lower one (reconstructed).

    >>> median_depth([4, 1, 2, 3])
    2
    """
    return median_low(depths)


def variation(values: Floats) -> float:
    """The coefficient of variation, standard deviation over mean; 0 of fewer than two values, or if the mean is 0.

    The scores are mean squared errors, so the mean is 0 only where all of them are.

    >>> variation(np.array([1.0, 3.0])), variation(np.zeros(3))
    (0.5, 0.0)
    """
    return float(values.std() / values.mean()) if len(values) > 1 and values.mean() else 0.0


def votes_of(rows: Rows, scores: Floats, depth: int) -> Votes:
    """A party's votes, from its folds and its targets.

    - Eq. (1): all rows are better for scoring if the scores of the folds at the global depth vary little, and those of
      a fold vary much over the depths; else the party votes for validation.
    - Eq. (2): elitism, if the share of unique targets is high.

    Parameters
    ----------
    rows : of the party
    scores : shape (depths, folds)
    depth : the global one
    """
    noise = variation(scores[depth - 1])
    interactions = float(np.mean([variation(fold) for fold in scores.T])) if scores.shape[1] else 0.0
    unique = len(np.unique(rows.targets)) / len(rows)
    return Votes(not (noise < NOISE_LIMIT and interactions > INTERACTION_LIMIT), unique > UNIQUE_LIMIT)


def train_and_validation(rows: Rows, coins: Source) -> tuple[Rows, Rows]:
    """Both parts of a party's rows, at least one row each; of a single row twice the same."""
    order: NDArray[np.intp] = np.asarray(shuffled(range(len(rows)), coins))
    if len(order) < 2:
        return rows, rows
    cut = min(max(1, int(TRAIN_SHARE * len(order) + 0.5)), len(order) - 1)
    return rows.kept(order[:cut]), rows.kept(order[cut:])
