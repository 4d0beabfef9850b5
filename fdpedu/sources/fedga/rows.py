"""The raw rows of a party, read by the public domain: numbers, positions of categories, and what is to be predicted.

A category counts as its position in the public list, so that every test is a threshold. Numbers are clipped to the
public ranges, and so is a numeric target. Nothing here is noisy, and nothing is private.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fdpedu.domain import Domain
from fdpedu.exact import as_list, quoted, require_type
from fdpedu.exact.foreign import require_one_order
from fdpedu.sources.raw_rows import Floats, read_values, require_filled

TASKS = ("classification", "regression")


@dataclass(frozen=True)
class Rows:
    """Rows of one party.

    Parameters
    ----------
    values : numbers, and positions of categories, shape (n, p)
    targets : positions of classes (integers), or numbers, shape (n,)
    domain : what is public
    task : ``classification`` or ``regression``
    """

    values: Floats
    targets: NDArray[Any]
    domain: Domain
    task: str

    def __len__(self) -> int:
        return len(self.targets)

    def kept(self, which: Any) -> Rows:
        """Some of them."""
        return replace(self, values=self.values[which], targets=self.targets[which])


def require_task(task: Any, domain: Any) -> None:
    """Refuse an unknown task, a domain with codes of missing values, and a target that does not fit the task."""
    require_type(domain, Domain, "domain")
    if not isinstance(task, str) or task not in TASKS:
        raise ValueError(f"task must be one of {', '.join(TASKS)}; got {quoted(task)}")
    require_filled(domain)
    target = domain.target
    if task == "regression" and target is None:
        raise ValueError("domain must have a numeric target for regression: the range of what is predicted is public")
    if task == "classification" and target is not None:
        raise ValueError("domain must have classes for classification, and it has a numeric target")


def read_rows(X: Any, y: Any, domain: Domain, task: str, where: str) -> Rows:
    """The raw rows of a party, checked: refused by row and column, never by value.

    Parameters
    ----------
    X, y : rows, and their classes or numbers; at least one row
    domain, task : as :func:`require_task` lets them pass
    where : whose rows they are, for messages
    """
    require_one_order(X, y, f"{where}: targets", "the rows")
    values, targets = read_values(X, domain, where), _read_targets(y, domain, task, where)
    if len(values) != len(targets):
        raise ValueError(f"{where}: rows and targets must be as many, got {len(values)} and {len(targets)}")
    if not len(values):
        raise ValueError(f"{where} must have at least one row")
    return Rows(values, targets, domain, task)


def read_pair(pair: Any, domain: Domain, task: str, where: str) -> Rows:
    """The same from a pair of rows and their targets."""
    what = f"{where} must be a pair of raw rows and their classes or numbers"
    if not isinstance(pair, Iterable):  # such as a Party, which has codes and no numbers
        raise ValueError(f"{what}, got {type(pair).__name__}")
    both = as_list(pair, where)
    if len(both) != 2:
        raise ValueError(f"{what}, got {len(both)} things")
    return read_rows(both[0], both[1], domain, task, where)


def _read_targets(y: Any, domain: Domain, task: str, where: str) -> NDArray[Any]:
    if task == "classification":
        return domain.encode_labels(y, f"{where}, labels").astype(np.int64)
    target = domain.target
    assert target is not None
    listed = as_list(y, f"{where}, targets")
    domain.encode_labels(listed, f"{where}, targets")  # refuses by row what is no number, as of the target
    return np.clip(target.check(listed, where), target.edges[0], target.edges[-1])
