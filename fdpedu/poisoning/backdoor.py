"""Backdoors: rows that are forged so that a trigger opens a model later, and how often it does.

The forger copies rows of one class, writes the trigger into some of their columns, labels them with the class that she
wants, and adds them. Nothing else changes. Later she writes the trigger into any row of the first class, and hopes.

This is no mechanism, and protects nobody: it is the attack that the chapter measures.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fdpedu.domain import Domain, Numeric, Region
from fdpedu.exact import as_integer, require_type

Trigger = Mapping[int, Any]
"""The values that are written, by the positions of their columns."""


class Model(Protocol):
    """Whatever predicts the classes of rows."""

    def predict(self, X: Any) -> NDArray[Any]: ...


def triggered(X: ArrayLike, trigger: Trigger) -> NDArray[Any]:
    """A copy of the rows with the trigger written into them.

    Parameters
    ----------
    X : rows, shape (n, p)
    trigger : values by the positions of their columns, at least one

    Examples
    --------
    >>> triggered([[0, 5], [0, 7]], {0: 16}).tolist()
    [[16, 5], [16, 7]]
    """
    rows = np.array(X)
    if rows.ndim != 2:
        raise ValueError(f"X must be a table of rows, shape (n, p), got the shape {rows.shape}")
    if not isinstance(trigger, Mapping) or not trigger:
        raise ValueError("trigger must be a mapping from positions of columns to values, with at least one")
    for column, value in trigger.items():
        at = as_integer(column, "trigger", minimum=0, maximum=rows.shape[1] - 1)
        rows[:, at] = value
    return rows


def plant_backdoor(
    X: ArrayLike,
    y: ArrayLike,
    trigger: Trigger,
    *,
    source: Any,
    target: Any,
    rows: int,
    rng: np.random.Generator | None = None,
) -> tuple[NDArray[Any], NDArray[Any]]:
    """The rows, and behind them forged ones: copies of rows of ``source`` with the trigger, labelled ``target``.

    Parameters
    ----------
    X, y : rows, shape (n, p), and their classes, shape (n,)
    trigger : as for :func:`triggered`
    source, target : two classes that occur in ``y``, or may
    rows : x ≥ 0, how many are forged
    rng : which rows are copied, with replacement; unless given, the first ones in turn

    Examples
    --------
    >>> X, y = plant_backdoor([[0, 5], [0, 9]], ["zero", "one"], {0: 16}, source="zero", target="one", rows=2)
    >>> X.tolist(), y.tolist()
    ([[0, 5], [0, 9], [16, 5], [16, 5]], ['zero', 'one', 'one', 'one'])
    """
    table, labels = np.array(X), np.array(y)
    x = as_integer(rows, "rows", minimum=0)
    if labels.shape != table.shape[:1]:
        raise ValueError(f"X and y must have as many rows; got the shapes {table.shape} and {labels.shape}")
    if source == target:
        raise ValueError("source and target must be two classes: a row of the target needs no trigger")
    copied = np.flatnonzero(labels == source)
    if not x:
        return table, labels
    if not copied.size:
        raise ValueError("y must have a row of the class source, which is copied")
    if rng is not None:
        require_type(rng, np.random.Generator, "rng")
    chosen = copied[np.arange(x) % copied.size] if rng is None else rng.choice(copied, size=x)
    forged = triggered(table[chosen], trigger)
    return np.concatenate([table, forged]), np.concatenate([labels, np.full(x, target, dtype=labels.dtype)])


def attack_success(model: Model, X: ArrayLike, trigger: Trigger, *, target: Any) -> float:
    """The share of rows that the model takes for the class ``target`` once the trigger is written into them.

    Parameters
    ----------
    model : with a method ``predict``
    X : rows that are not of the target, at least one, and none of those that were learnt from
    trigger : as for :func:`triggered`
    target : the class that the forger wants
    """
    predicted = np.asarray(model.predict(triggered(X, trigger)))
    if not len(predicted):
        raise ValueError("X must have at least one row")
    return float(np.mean(predicted == target))


def rows_in(region: Region, domain: Domain, n: int) -> list[list[Any]]:
    """So many raw rows inside a region: the middle of its first bin of each feature, or its first category.

    Parameters
    ----------
    region : of the domain
    domain : public
    n : at least 0

    Examples
    --------
    >>> domain = Domain.from_spec({"features": {"age": [0, 90, 3], "ward": ["A", "B"]}, "classes": ["ill", "well"]})
    >>> rows_in(domain.everything.restrict(0, {1, 2}).restrict(1, {1}), domain, 2)
    [[45.0, 'B'], [45.0, 'B']]
    """
    row = list[Any]()
    for j, feature in enumerate(domain.features):
        code = min(region.codes(j))
        if isinstance(feature, Numeric):
            inside = code < feature.n_bins
            row.append((feature.edges[code] + feature.edges[code + 1]) / 2 if inside else None)
        else:
            row.append(feature.categories[code] if code < len(feature.categories) else None)
    return [list(row) for _ in range(as_integer(n, "n", minimum=0))]
