"""Runs of a mechanism on one of two data sets, and what they put out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fdpedu.audit.outputs import Outputs, Raised, kind_and_parts
from fdpedu.exact import as_list, require_callable, require_type

_LONG = 60


@dataclass
class Trial:
    """A mechanism and two data sets.

    Parameters
    ----------
    mechanism : from data to an output; or, if it gives many, from data and n to n outputs of independent runs
    data : D and D′
    statistic : of an output; None for the output itself
    batch : whether the mechanism gives many
    """

    mechanism: Callable[..., Any]
    data: tuple[Any, Any]
    statistic: Callable[[Any], Any] | None = None
    batch: bool = False

    def __post_init__(self) -> None:
        self.raised, self.error = 0, ""  # how many runs raised an exception, and the last one, in words
        self._shape: tuple[int, ...] | None = None
        require_callable(self.mechanism, "mechanism")
        if self.statistic is not None:
            require_callable(self.statistic, "statistic")
        require_type(self.batch, bool, "batch")
        if _alike(*self.data):
            raise ValueError("D and D_prime must be two data sets that differ, and they are equal")

    def run(self, primes: NDArray[np.bool_]) -> Outputs:
        """The outputs of so many runs, on D′ where ``primes`` says so; of each the statistic, if there is one.

        Raises
        ------
        ValueError
            If a mechanism that gives many gave another number, or the statistic's shape changes.
        """
        found = self._batch(primes) if self.batch else [self._one(self.data[prime]) for prime in primes.tolist()]
        if self.statistic is None:
            return Outputs(found)
        if getattr(self.statistic, "vectorised", False) and isinstance(found, np.ndarray):
            return Outputs(self.statistic(found), "the statistic")
        return Outputs([self._looked_at(output) for output in found], "the statistic")

    def _one(self, data: Any) -> Any:
        try:
            return self.mechanism(data)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # sys.exit is one, and would end the audit as if all had gone well
            self.raised, self.error = self.raised + 1, f"{type(error).__name__}: {error}"
            return Raised(type(error).__name__)

    def _batch(self, primes: NDArray[np.bool_]) -> Sequence[Any] | NDArray[Any]:
        sides = [(side, np.flatnonzero(primes == side)) for side in (False, True)]
        parts = [(at, self._many(self.data[side], len(at))) for side, at in sides if len(at)]
        if all(isinstance(part, np.ndarray) for _, part in parts):
            if len({(part.shape[1:], part.dtype.kind) for _, part in parts}) == 1:
                whole = np.empty((len(primes), *parts[0][1].shape[1:]), dtype=np.result_type(*(p for _, p in parts)))
                for at, part in parts:
                    whole[at] = part
                return whole
        outputs: list[Any] = [None] * len(primes)
        for at, part in parts:
            for i, output in zip(at.tolist(), part, strict=True):
                outputs[i] = output
        return outputs

    def _many(self, data: Any, n: int) -> Any:
        found = self.mechanism(data, n)
        found = (
            found if isinstance(found, np.ndarray) and found.ndim else as_list(found, "what mechanism(data, n) gives")
        )
        if len(found) != n:
            raise ValueError(f"mechanism(data, n) must give n outputs, and of {n} it gave {len(found)}")
        return found

    def _looked_at(self, output: Any) -> Any:
        assert self.statistic is not None
        if isinstance(output, Raised):
            return output
        found = self.statistic(output)
        if isinstance(found, np.ndarray):
            if self._shape not in (None, found.shape):
                name = getattr(self.statistic, "__name__", type(self.statistic).__name__)
                raise ValueError(
                    f"statistic must give arrays of one shape, and {name} gave {self._shape} and {found.shape}: let it "
                    "give a list where its length is what tells"
                )
            self._shape = found.shape
        return found


def _alike(one: Any, other: Any) -> bool:
    """Whether two data sets are equal in all, as far as that can be told."""
    if one is other:
        return True
    try:
        return kind_and_parts(one) == kind_and_parts(other)
    except ValueError:
        return False


def named(data: Any) -> str:
    """A data set for a sentence: as it is written if that is short, else what it is and how long.

    >>> named([0, 1]), named(range(10**6)), named([7] * 1000)
    ('[0, 1]', 'range(0, 1000000)', 'a list of 1000')
    """
    kind, size = type(data).__name__, _size_of(data)
    if size is None or size <= _LONG or isinstance(data, range):
        written = repr(data)
        if len(written) <= _LONG and "\n" not in written:
            return written
    return f"a {kind}" if size is None else f"a {kind} of {size}"


def _size_of(data: Any) -> int | None:
    """How many things are in it; None if it is one thing, as an array without dimensions is."""
    try:
        return len(data)
    except TypeError:
        return None
