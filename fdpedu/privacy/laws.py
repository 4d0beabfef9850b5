"""Finite laws with rational probabilities: read with care, pushed through channels, mixed and multiplied."""

from __future__ import annotations

import numbers
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from fdpedu.exact import Enclosure, as_fraction, require_callable, shown
from fdpedu.exact.foreign import held

Law = dict[Any, Fraction]
MAX_OUTCOMES = 100_000  # outcomes; beyond that a table is not what one wants


def as_law(table: Any, name: str = "law") -> Law:
    """Read a probability table exactly: outcomes with positive probability, which must add up to 1.

    Parameters
    ----------
    table : a mapping outcome → probability, or a sequence of probabilities of the outcomes 0, 1, 2, …. A probability
        is an int, a Fraction, a Decimal or text such as ``"1/3"``
    name : for messages

    Raises
    ------
    ValueError
        For negative or missing probabilities, for a total that is not 1, and for floats: 0.1 is not 1/10, and a float
        table almost never adds up to 1. :func:`rational_law` makes a law of weights.

    Examples
    --------
    >>> as_law(["1/4", "3/4"])
    {0: Fraction(1, 4), 1: Fraction(3, 4)}
    """
    law: Law = {}
    for outcome, value in entries(table, name):
        if isinstance(value, (float, np.floating)):
            raise ValueError(
                f"{name}: a probability is a float; write it as a fraction ('1/10'), "
                "or make a law of weights with rational_law"
            )
        if isinstance(value, Enclosure):
            raise ValueError(
                f"{name}: a probability is an enclosure; give fractions (the library's laws are exact with alpha=), "
                "or ask check_dp or privacy_loss, which read enclosures"
            )
        probability = as_fraction(value, f"{name}: a probability")
        if probability < 0:
            raise ValueError(f"{name}: a probability is negative; all must lie between 0 and 1")
        if probability:
            law[outcome] = probability
    total = sum(law.values(), Fraction(0))
    if total != 1:
        raise ValueError(wrong_total(name, total))
    return law


def wrong_total(name: str, total: Fraction) -> str:
    """What is wrong with probabilities that do not add up to 1, and what to do."""
    return (
        f"{name}: the probabilities add up to {shown(total)}, not to 1; where a distribution was cut off, "
        "clamped keeps its tail; rational_law makes a law of weights"
    )


def rational_law(weights: Any, name: str = "weights") -> Law:
    """The law proportional to non-negative weights; floats are read as the decimals they print as.

    >>> rational_law({"a": 1, "b": 0.5})
    {'a': Fraction(2, 3), 'b': Fraction(1, 3)}
    """
    read = [(outcome, as_fraction(value, f"{name}: a weight")) for outcome, value in entries(weights, name)]
    total = sum((weight for _, weight in read), Fraction(0))
    if any(weight < 0 for _, weight in read) or total <= 0:
        raise ValueError(f"{name}: weights must be non-negative, and at least one of them positive")
    return {outcome: weight / total for outcome, weight in read if weight}


def push_forward(law: Any, channel: Callable[[Any], Any] | Mapping[Any, Any]) -> Law:
    """The law of the output of a (randomised) function applied to an outcome: post-processing.

    Claims: thm-post-processing

    Parameters
    ----------
    law : what :func:`as_law` reads
    channel : for each outcome the law of what is made of it, as a function or a mapping

    Examples
    --------
    >>> push_forward(["1/4", "3/4"], lambda k: {"even": 1} if k % 2 == 0 else {"even": "1/2", "odd": "1/2"})
    {'even': Fraction(5, 8), 'odd': Fraction(3, 8)}
    """
    result: Law = {}
    if not isinstance(channel, Mapping):
        require_callable(channel, "channel")
    for outcome, mass in as_law(law).items():
        if isinstance(channel, Mapping) and outcome not in channel:
            raise ValueError(f"channel: no law for the outcome {outcome!r}")
        onwards = channel[outcome] if isinstance(channel, Mapping) else channel(outcome)
        for output, probability in as_law(onwards, f"channel at {outcome!r}").items():
            result[output] = result.get(output, Fraction(0)) + mass * probability
    return result


def mix(weights: Sequence[Any], laws: Sequence[Any]) -> Law:
    """The mixture: draw a law by weight, then an outcome from it.

    Claims: lem-convexity

    >>> mix(["1/2", "1/2"], [[1], ["1/2", "1/2"]])
    {0: Fraction(3, 4), 1: Fraction(1, 4)}
    """
    shares, members = dict(entries(weights, "weights")), dict(entries(laws, "laws"))
    if shares.keys() != members.keys():
        raise ValueError(f"there are {len(shares)} weights for {len(members)} laws")
    return push_forward(as_law(shares, "weights"), members)


def product_law(*laws: Any) -> Law:
    """The joint law of independent outcomes, as tuples.

    >>> len(product_law(["1/2", "1/2"], ["1/3", "2/3"]))
    4
    """
    joint: Law = {(): Fraction(1)}
    for i, table in enumerate(laws):
        law = as_law(table, f"law {i}")
        if len(joint) * len(law) > MAX_OUTCOMES:
            raise ValueError(f"the joint law would have more than {MAX_OUTCOMES} outcomes")
        joint = {(*outcome, new): p * q for outcome, p in joint.items() for new, q in law.items()}
    return joint


def entries(table: Any, name: str) -> Iterable[tuple[Hashable, Any]]:
    """The outcomes of a table with what stands beside them; a list has the outcomes 0, 1, 2, …."""
    if isinstance(table, np.ndarray):
        table = held(table, name)
        if table.ndim != 1:
            raise ValueError(f"{name}: expected one dimension, got {table.ndim}")
        table = list(table)
    elif not isinstance(table, (Mapping, Sequence)) and hasattr(table, "to_dict") and hasattr(table, "index"):
        members = table.to_dict()  # a column with names, such as a Series of shares
        if len(members) != len(table):
            raise ValueError(f"{name}: expected each outcome once in the index")
        table = members
    if isinstance(table, (str, bytes)) or not isinstance(table, (Mapping, Sequence)):
        raise ValueError(f"{name}: expected a mapping outcome → probability or a list of probabilities")
    if not 0 < len(table) <= MAX_OUTCOMES:
        raise ValueError(f"{name}: expected 1 to {MAX_OUTCOMES} outcomes, got {len(table)}")
    if isinstance(table, Mapping) and any(map(_is_nan, table)):
        raise ValueError(f"{name}: an outcome is NaN, which equals nothing: name it by a text, such as 'missing'")
    return table.items() if isinstance(table, Mapping) else enumerate(table)


def _is_nan(outcome: Any) -> bool:
    """Whether it is NaN, or has one in it: two of them would be two outcomes."""
    if isinstance(outcome, (tuple, frozenset)):
        return any(map(_is_nan, outcome))
    return isinstance(outcome, (numbers.Number, np.generic)) and bool(outcome != outcome)
