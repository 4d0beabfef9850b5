"""How a check is run: a *condition* is tried on cases, and the first case that breaks it is the counterexample.

A condition is a function that takes a case and raises :class:`Refuted` if the case breaks it; anything else that it
raises breaks it too. ``exhaust`` tries all cases of a list in its order, so that the first counterexample is a smallest
one. ``explore`` lets hypothesis look for one and shrink it; hypothesis is imported there and nowhere else.

``grid`` proves an identity of polynomials. A polynomial of degree at most d in each of m variables that is zero on a
grid of (d+1)^m points is zero: fix all variables but one, and what is left has d+1 roots but degree at most d, so all
its coefficients vanish; these are polynomials in one variable less, zero on a grid of one dimension less. No chance is
involved. It is a proof for formulas; that the code computes the formula is what the other checks are for.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator
from itertools import product
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import Any

Condition = Callable[..., None]


class Refuted(Exception):
    """A case breaks a condition; the message says how."""


class NotRun(Exception):
    """A check could not be run at all; the message says what is missing."""


class Counterexample(Exception):
    """The case that broke a condition, how, and its index, counted from 1."""

    def __init__(self, condition: Condition, case: tuple[Any, ...], error: Exception, cases: int) -> None:
        why = str(error) if isinstance(error, Refuted) else f"{type(error).__name__}: {error}"
        names = inspect.signature(condition).parameters
        shown = ", ".join(f"{name} = {value!r}" for name, value in zip(names, case, strict=False))
        super().__init__(f"{shown}: {why}" if case else why)
        self.case, self.cases = case, cases


def require(holds: Any, why: str) -> None:
    """Raise :class:`Refuted` unless it holds (an ``assert`` would vanish under ``python -O``)."""
    if not holds:
        raise Refuted(why)


def exhaust(condition: Condition, cases: Iterable[tuple[Any, ...]]) -> int:
    """Try a condition on every case, in order; returns how many there were.

    >>> def below_three(n):
    ...     require(n < 3, f"{n} is not below 3")
    >>> exhaust(below_three, [(0,), (1,)])
    2
    >>> exhaust(below_three, [(0,), (3,)])
    Traceback (most recent call last):
    fdpedu.claims.checking.Counterexample: n = 3: 3 is not below 3
    """
    count = 0
    for case in cases:
        count += 1
        try:
            condition(*case)
        except Exception as error:
            raise Counterexample(condition, case, error, count) from error
    if not count:
        raise Counterexample(condition, (), Refuted("there was no case to try"), 0)
    return count


def explore(condition: Condition, cases: Callable[[ModuleType], Any], examples: int) -> int:
    """Try a condition on ``examples`` random cases, always the same ones; a counterexample is shrunk to a simple one.

    Parameters
    ----------
    condition : raises :class:`Counterexample` when it does not hold
    cases : given the module :mod:`fdpedu.claims.strategies`, returns a strategy of tuples, the condition's arguments
    examples : how many cases are tried, ≥ 1
    """
    strategies = import_strategies()
    from hypothesis import HealthCheck, Phase, configuration, given, settings

    tried: list[tuple[Any, ...]] = []
    law = condition  # which cases are tried is derived from the words of `attempt`, so these stay as they are

    @settings(
        max_examples=examples,
        phases=[Phase.generate, Phase.shrink],
        derandomize=True,
        database=None,
        deadline=None,
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
    )
    @given(cases(strategies))
    def attempt(case: tuple[Any, ...]) -> None:
        tried.append(case)
        law(*case)

    with TemporaryDirectory() as folder:
        configuration.set_hypothesis_home_dir(folder)  # else it would leave one where the reader works
        try:
            attempt()
        except Exception as error:  # the last case tried is the simplest that fails
            raise Counterexample(condition, tried[-1] if tried else (), error, len(tried)) from error
        finally:
            configuration.set_hypothesis_home_dir(None)
    return len(tried)


def import_strategies() -> ModuleType:
    """:mod:`fdpedu.claims.strategies`, or an error that says what to install."""
    try:
        from fdpedu.claims import strategies
    except ImportError as error:
        raise NotRun("a property check needs hypothesis: pip install 'fdpedu[verify]'") from error
    return strategies


def grid(variables: int, degree: int) -> Iterator[tuple[int, ...]]:
    """The points {1, …, degree+1}^variables: two polynomials that agree on them are equal.

    >>> def binomial(x, y):
    ...     require((x + y) ** 2 == x * x + 2 * x * y + y * y, "the sides differ")
    >>> exhaust(binomial, grid(variables=2, degree=2))
    9
    """
    return product(range(1, degree + 2), repeat=variables)


def as_case(size: int) -> list[tuple[int]]:
    """The size itself is the one case."""
    return [(size,)]
