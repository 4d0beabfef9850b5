"""The rows of several runs, coded: what to learn from, whose each row is, and what to be tested on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fdpedu.datasets import DataSet, divide
from fdpedu.domain import Domain, require_classes
from fdpedu.exact import as_integer, as_integers, as_list, require_type

MAX_NUMBERS = 2**28  # codes of all runs


@dataclass(frozen=True, eq=False)
class CodedRows:
    """Coded rows of R runs: n rows to learn from in each, divided among K parties, and m rows to be tested on.

    Parameters
    ----------
    domain : public, with p features
    codes : shape (R, n, p), each from 0 to the number of codes of its feature less 1
    labels : class codes, shape (R, n)
    parties : whose each row is, 0 to K − 1, shape (R, n)
    test_codes : shape (R, m, p)
    test_labels : shape (R, m)
    n_parties : K ≥ 1

    Raises
    ------
    ValueError
        If shapes do not fit each other, or a number is outside what it may be.

    Examples
    --------
    >>> from fdpedu.domain import Numeric
    >>> age = Domain([Numeric.grid("age", 0, 100, bins=4)], ("well", "ill"))
    >>> CodedRows(age, [[[0], [3]]], [[0, 1]], [[0, 1]], [[[1], [2], [3]]], [[0, 1, 1]], n_parties=2)
    CodedRows(1 run, 2 rows of 1 feature to learn from, 3 to be tested on, 2 parties)
    """

    domain: Domain
    codes: NDArray[np.uint8] = field(repr=False)
    labels: NDArray[np.int64] = field(repr=False)
    parties: NDArray[np.int64] = field(repr=False)
    test_codes: NDArray[np.uint8] = field(repr=False)
    test_labels: NDArray[np.int64] = field(repr=False)
    n_parties: int

    def __post_init__(self) -> None:
        require_type(self.domain, Domain, "domain")
        require_classes(self.domain, "a simulation")
        parties = as_integer(self.n_parties, "n_parties", minimum=1, maximum=10**6)
        codes = _as_codes(self.codes, self.domain, "codes")
        tests = _as_codes(self.test_codes, self.domain, "test_codes")
        if len(codes) != len(tests):
            raise ValueError(f"codes and test_codes must have as many runs, got {len(codes)} and {len(tests)}")
        classes = self.domain.n_classes
        checked: dict[str, Any] = {
            "codes": codes,
            "labels": _as_numbers(self.labels, codes.shape[:2], classes, "labels"),
            "parties": _as_numbers(self.parties, codes.shape[:2], parties, "parties"),
            "test_codes": tests,
            "test_labels": _as_numbers(self.test_labels, tests.shape[:2], classes, "test_labels"),
            "n_parties": parties,
        }
        for name, value in checked.items():
            object.__setattr__(self, name, value)

    @property
    def n_runs(self) -> int:
        """How many runs there are, R."""
        return len(self.codes)

    @property
    def n_test(self) -> int:
        """m, of each run."""
        return self.test_codes.shape[1]

    def repeated(self, times: int) -> CodedRows:
        """The same rows repeated: runs that differ only in the noise.

        Parameters
        ----------
        times : ≥ 1
        """
        k = as_integer(times, "times", minimum=1, maximum=10**6)
        arrays = (self.codes, self.labels, self.parties, self.test_codes, self.test_labels)
        if k * sum(array.size for array in arrays) > MAX_NUMBERS:
            raise ValueError(f"times must be small enough that there are at most {MAX_NUMBERS} numbers, got {k}")
        return _unchecked(self.domain, [np.concatenate([array] * k) for array in arrays], self.n_parties)

    def of_runs(self, first: int, last: int) -> CodedRows:
        """The runs from ``first`` to the one before ``last``."""
        arrays = (self.codes, self.labels, self.parties, self.test_codes, self.test_labels)
        return _unchecked(self.domain, [array[first:last] for array in arrays], self.n_parties)

    def __repr__(self) -> str:
        runs, n, p = self.codes.shape
        return (
            f"CodedRows({_many(runs, 'run')}, {_many(n, 'row')} of {_many(p, 'feature')} to learn from, "
            f"{self.n_test} to be tested on, {self.n_parties} parties)"
        )


def _unchecked(domain: Domain, arrays: Sequence[NDArray[Any]], n_parties: int) -> CodedRows:
    """Rows out of parts of rows that were looked at."""
    rows = object.__new__(CodedRows)
    names = ("codes", "labels", "parties", "test_codes", "test_labels")
    for name, value in {"domain": domain, **dict(zip(names, arrays, strict=True)), "n_parties": n_parties}.items():
        object.__setattr__(rows, name, value)
    return rows


def _many(number: int, what: str) -> str:
    return f"{number} {what}{'s' * (number != 1)}"


def _as_codes(given: ArrayLike, domain: Domain, name: str) -> NDArray[np.uint8]:
    codes = as_integers(given, name)
    sizes = np.array([feature.n_codes for feature in domain.features], dtype=np.int64)
    if codes.ndim != 3 or codes.shape[2] != len(sizes) or not len(codes):
        raise ValueError(f"{name} must have the shape (runs, rows, {len(sizes)}), at least one run, got {codes.shape}")
    if codes.size > MAX_NUMBERS:
        raise ValueError(f"{name} must be at most {MAX_NUMBERS} numbers, got {codes.size}: take fewer runs at a time")
    if codes.size and (codes.min() < 0 or (codes >= sizes).any()):
        raise ValueError(f"{name} must be codes of the domain, from 0 to the number of a feature's codes less 1")
    return codes.astype(np.uint8)


def _as_numbers(given: ArrayLike, shape: tuple[int, ...], limit: int, name: str) -> NDArray[np.int64]:
    numbers = as_integers(given, name)
    if numbers.shape != shape:
        raise ValueError(f"{name} must have the shape {shape}, got {numbers.shape}")
    if numbers.size and not 0 <= numbers.min() <= numbers.max() < limit:
        raise ValueError(f"{name} must be integers from 0 to {limit - 1}")
    return numbers


def draw_rows(data: DataSet, n_parties: int, seeds: Sequence[np.random.SeedSequence]) -> CodedRows:
    """Fresh rows for each seed, coded by the public domain, each dealt to a party of its own draw.

    Parameters
    ----------
    data : the law, and what is public
    n_parties : K ≥ 1
    seeds : one for each run

    Examples
    --------
    >>> from fdpedu.datasets import BENCHMARK
    >>> draw_rows(BENCHMARK[0], 5, np.random.SeedSequence(1).spawn(2))
    CodedRows(2 runs, 250 rows of 10 features to learn from, 1000 to be tested on, 5 parties)
    """
    require_type(data, DataSet, "data")
    parties = as_integer(n_parties, "n_parties", minimum=1, maximum=10**6)
    runs = as_list(seeds, "seeds")
    if not runs or not all(isinstance(seed, np.random.SeedSequence) for seed in runs):
        raise ValueError("seeds must be one numpy.random.SeedSequence for each run, at least one")
    drawn = [_one_run(data, parties, seed) for seed in runs]
    return _unchecked(data.domain, [np.stack(part) for part in zip(*drawn, strict=True)], parties)


def _one_run(data: DataSet, parties: int, seed: np.random.SeedSequence) -> tuple[NDArray[Any], ...]:
    rng, domain = np.random.default_rng(seed), data.domain
    split = data.draw(rng)
    labels, truth = (domain.encode_labels(y).astype(np.int64) for y in (split.y_train, split.y_test))
    owners = np.empty(len(labels), dtype=np.int64)
    for party, own in enumerate(divide(len(labels), parties, 0, rng)[0]):
        owners[own] = party
    return domain.encode(split.X_train), labels, owners, domain.encode(split.X_test), truth
