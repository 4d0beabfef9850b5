"""Data sets as values, who is whose neighbour, and the sensitivity of a query, by looking at all of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement
from math import comb
from typing import Any

import numpy as np

from fdpedu.exact import as_fraction, as_integer, require_callable

Data = tuple[Any, ...]
RELATIONS = ("add-remove", "substitution")
NORMS = ("l1", "l2 squared", "linf")
MAX_DATA_SETS = 200_000  # data sets that an exhaustive search may visit


def datasets(universe: Sequence[Any], max_size: int) -> Iterator[Data]:
    """All data sets of at most ``max_size`` records from a finite universe, smallest first.

    A data set is a multiset: the same record may occur twice, and order does not matter. Each is a tuple in the order
    of the universe.

    >>> list(datasets("ab", 2))
    [(), ('a',), ('b',), ('a', 'a'), ('a', 'b'), ('b', 'b')]
    """
    records = _universe(universe)
    most = as_integer(max_size, "max_size", minimum=0, maximum=10_000)
    if comb(len(records) + most, most) > MAX_DATA_SETS:
        raise ValueError(
            f"there are more than {MAX_DATA_SETS} data sets of that size; choose a smaller universe or max_size"
        )
    for size in range(most + 1):
        yield from combinations_with_replacement(records, size)


def neighbours(
    data: Sequence[Any], universe: Sequence[Any], relation: str = "add-remove", *, smaller: bool = False
) -> Iterator[Data]:
    """All neighbours of a data set: one record added or removed, or (``substitution``) one record changed.

    With ``smaller`` only those that come before it in the order of :func:`datasets`: then every pair of neighbours is
    met once.

    Claims: def-neighbours

    >>> list(neighbours(("a", "b"), "ab"))
    [('b',), ('a',), ('a', 'a', 'b'), ('a', 'b', 'b')]
    >>> list(neighbours(("a", "b"), "ab", "substitution"))
    [('b', 'b'), ('a', 'a')]
    """
    records = _universe(universe)
    rank = {record: i for i, record in enumerate(records)}
    if relation not in RELATIONS:
        raise ValueError(f"relation must be one of {', '.join(RELATIONS)}; got {relation!r}")
    members = _records(data)
    if any(record not in rank for record in members):
        raise ValueError("a record of the data set is not in the universe")
    own = tuple(sorted(members, key=rank.__getitem__))

    def in_order(members: Sequence[Any]) -> Data:
        return tuple(sorted(members, key=rank.__getitem__))

    without = list(dict.fromkeys(own[:i] + own[i + 1 :] for i in range(len(own))))
    if relation == "add-remove":
        found = without if smaller else without + [in_order([*own, record]) for record in records]
    else:
        found = [in_order([*rest, record]) for rest in without for record in records]
        found = [other for other in dict.fromkeys(found) if other != own]
        if smaller:
            found = [other for other in found if [rank[r] for r in other] < [rank[r] for r in own]]
    yield from found


def distance(data: Sequence[Any], other: Sequence[Any], relation: str = "add-remove") -> int | None:
    """The least number of steps between two data sets; None if no number of substitutions leads from one to the other.

    Claims: def-neighbours, thm-group-privacy, lem-substitution

    >>> distance("aab", "abb"), distance("aab", "abb", "substitution"), distance("a", "ab", "substitution")
    (2, 1, None)
    """
    if relation not in RELATIONS:
        raise ValueError(f"relation must be one of {', '.join(RELATIONS)}; got {relation!r}")
    mine, theirs = Counter(_records(data)), Counter(_records(other))
    gone, new = (mine - theirs).total(), (theirs - mine).total()
    if relation == "add-remove":
        return gone + new
    return gone if gone == new else None


@dataclass(frozen=True)
class Sensitivity:
    """The largest change of a query between neighbours, a smallest pair that attains it, and how many were tried."""

    value: Fraction
    pair: tuple[Data, Data]
    cases: int

    def __str__(self) -> str:
        pair = " and ".join(str(list(data)) for data in self.pair)
        return f"{self.value}, attained by {pair}; the largest of {self.cases} pairs"


def sensitivity(
    query: Callable[[Data], Any],
    universe: Sequence[Any],
    *,
    max_size: int = 3,
    norm: str = "l1",
    relation: str = "add-remove",
) -> Sensitivity:
    """The sensitivity of a query over all neighbours of at most ``max_size`` records, by exhaustive search.

    It is a lower bound of the true one, which is a supremum over data sets of every size, and may not be attained at
    all.

    Claims: def-sensitivity

    Parameters
    ----------
    query : from a data set to a number or a flat sequence of numbers, the same length for all; read exactly
    universe : the possible records, hashable and no two alike
    max_size : of the larger of two neighbours, ≥ 1
    norm : ``l1``, ``l2 squared`` (the square stays a fraction) or ``linf``
    relation : ``add-remove`` or ``substitution``

    Examples
    --------
    >>> print(sensitivity(len, "ab"))
    1, attained by [] and ['a']; the largest of 12 pairs
    """
    require_callable(query, "query")
    if norm not in NORMS:
        raise ValueError(f"norm must be one of {', '.join(NORMS)}; got {norm!r}")
    values: dict[Data, tuple[Fraction, ...]] = {}
    best: tuple[Fraction, tuple[Data, Data]] | None = None
    cases = 0
    for data in datasets(universe, max_size):
        values[data] = _vector(query(data), data)
        for other in neighbours(data, universe, relation, smaller=True):
            cases += 1
            change = _norm(values[other], values[data], norm)
            if best is None or change > best[0]:
                best = (change, (other, data))
    if best is None:
        raise ValueError(
            "there are no neighbours to compare: max_size must be at least 1, the universe must not be empty"
        )
    return Sensitivity(*best, cases)


def _norm(a: tuple[Fraction, ...], b: tuple[Fraction, ...], norm: str) -> Fraction:
    if len(a) != len(b):
        raise ValueError(
            f"the query has answers of different lengths, {len(a)} and {len(b)}: its shape would reveal the data"
        )
    changes = [abs(x - y) for x, y in zip(a, b, strict=True)]
    if norm == "linf":
        return max(changes, default=Fraction(0))
    return sum((c * c if norm == "l2 squared" else c for c in changes), Fraction(0))


def _vector(answer: Any, data: Data) -> tuple[Fraction, ...]:
    if isinstance(answer, np.ndarray):
        answer = answer.ravel().tolist()
    parts = answer if isinstance(answer, (list, tuple)) else [answer]
    return tuple(as_fraction(part, f"the query's answer on {list(data)}") for part in parts)


def _universe(universe: Sequence[Any]) -> list[Any]:
    records = _records(universe, "universe")
    if len(set(records)) != len(records):
        raise ValueError("universe must not name a record twice")
    return records


def _records(data: Any, name: str = "a data set") -> list[Any]:
    try:
        members = list(data)
        set(members)
    except TypeError:
        raise ValueError(f"{name} must be a sequence of hashable records: numbers, strings or tuples") from None
    return members
