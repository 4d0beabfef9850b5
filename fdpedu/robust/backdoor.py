"""Backdoors: rows that are forged so that a trigger opens a model later, and how often it does.

The forger copies rows of one class, writes the trigger into some of their columns, labels them with the class that she
wants, and adds them. Nothing else changes. Later she writes the trigger into any row of the first class, and hopes.

This is no mechanism, and protects nobody: it is the attack that the chapter measures.
"""

from __future__ import annotations

import numbers
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fdpedu.cart.tree import class_array
from fdpedu.domain import Domain, Numeric, Region
from fdpedu.domain.columns import as_cells
from fdpedu.domain.tables import has_names
from fdpedu.exact import as_integer, as_list, quoted, require_callable, require_type, unmasked
from fdpedu.exact.foreign import require_one_order

MAX_FORGED = 10**7
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
    rows = _as_table(X)
    if not isinstance(trigger, Mapping) or not trigger:
        raise ValueError("trigger must be a mapping from positions of columns to values, with at least one")
    if not all(np.isscalar(value) or value is None for value in trigger.values()):
        raise ValueError("trigger must have one value for each column")
    columns = [as_integer(column, "trigger", minimum=0, maximum=rows.shape[1] - 1) for column in trigger]
    rows = rows.astype(_type_for(rows, list(trigger.values())))
    for at, value in zip(columns, trigger.values(), strict=True):
        rows[:, at] = value
    return rows


def _as_table(X: Any) -> NDArray[Any]:
    """A copy of the rows by position; numbers stay numbers where text stands beside them."""
    if has_names(X):
        raise ValueError("X must be rows by position, and its columns have names: give an array, columns in order")
    if hasattr(X, "__array__"):
        rows = np.array(unmasked(X, "X"))
    else:
        lines = [
            [value.item() if isinstance(value, np.generic) else value for value in as_list(row, "X")]
            if isinstance(row, Iterable) and not isinstance(row, str)
            else row
            for row in as_list(X, "X")
        ]
        if not all(isinstance(line, list) for line in lines) or len({len(line) for line in lines}) > 1:
            raise ValueError("X must be a table of rows, shape (n, p), got rows of several lengths, or none")
        if len({isinstance(value, bool) for line in lines for value in line if isinstance(value, numbers.Real)}) > 1:
            raise ValueError("X must be numbers or text, and has truth values beside numbers")
        rows = np.array(lines)
        if rows.dtype.kind not in "iufb" and rows.ndim == 2:
            rows = np.array(lines, dtype=object)
    if rows.ndim != 2:
        raise ValueError(f"X must be a table of rows, shape (n, p), got the shape {rows.shape}")
    return rows


def _type_for(rows: NDArray[Any], values: Sequence[Any]) -> Any:
    """A type of array that holds the rows and the values as they are."""
    if rows.dtype.kind in "iuf" and all(isinstance(v, numbers.Real) and not isinstance(v, bool) for v in values):
        return np.result_type(rows.dtype, *map(np.min_scalar_type, values))
    return object


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
    require_one_order(X, y, "y")
    table, labels = _as_table(X), as_cells(y, "y").tolist()
    x = as_integer(rows, "rows", minimum=0, maximum=MAX_FORGED)
    if len(labels) != len(table):
        raise ValueError(f"X and y must have as many rows, got {len(table)} and {len(labels)}")
    if source == target:
        raise ValueError("source and target must be two classes: a row of the target needs no trigger")
    if rng is not None:
        require_type(rng, np.random.Generator, "rng")
    copied = np.flatnonzero([label == source for label in labels])
    if x and not copied.size:
        raise ValueError("y must have a row of the class source, which is copied")
    if not x:
        return table, class_array(labels)
    chosen = copied[np.arange(x, dtype=np.int64) % copied.size] if rng is None else rng.choice(copied, size=x)
    forged = triggered(table[chosen], trigger)
    joined = np.concatenate([table.astype(forged.dtype), forged])
    return joined, class_array([*labels, *[target] * x])


def attack_success(model: Model, X: ArrayLike, trigger: Trigger, *, target: Any) -> float:
    """The share of rows that the model takes for the class ``target`` once the trigger is written into them.

    Parameters
    ----------
    model : with a method ``predict``
    X : rows that are not of the target, at least one, and none of those that were learnt from
    trigger : as for :func:`triggered`
    target : the class that the forger wants
    """
    require_callable(getattr(model, "predict", None), "model.predict")
    rows = triggered(X, trigger)
    if not len(rows):
        raise ValueError("X must have at least one row")
    if not np.isscalar(target):
        raise ValueError(f"target must be a class, got {quoted(target)}")
    predicted = np.asarray(model.predict(rows)).tolist()
    if len(predicted) != len(rows):
        raise ValueError(f"model must predict a class for each of {len(rows)} rows, got {len(predicted)}")
    return sum(label == target for label in predicted) / len(rows)


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
            row.append(_inside(*feature.edges[code : code + 2]) if code < feature.n_bins else None)
        else:
            row.append(feature.categories[code] if code < len(feature.categories) else None)
    return [list(row) for _ in range(as_integer(n, "n", minimum=0))]


def _inside(low: float, high: float) -> float:
    """A number in (low, high]: the middle, unless the two are so close that no float lies between them."""
    middle = low / 2 + high / 2
    return middle if low < middle <= high else high
