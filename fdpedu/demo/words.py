"""What accuracies mean, in sentences that depend on them: none of these says more than its numbers do.

An accuracy is the share of the patients held back for whom a tree is right. Two lists of the same length hold the
accuracies of two trees over the same runs, so that differences are taken run by run.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Accuracies = Sequence[float]


def what_federation_pays(joint: Accuracies, own: Accuracies) -> str:
    """Whether growing a tree together pays, measured by the spread of the difference over the runs.

    Examples
    --------
    >>> print(what_federation_pays([0.9, 0.88], [0.6, 0.7]))
    In 2 of 2 runs the joint tree was right for more patients than the practice's own. It gained 24 points on average, with a standard deviation of 6 points. Growing a tree together pays here.
    """  # noqa: E501
    gain = _points(joint) - _points(own)
    mean, spread = gain.mean(), gain.std()
    wins = f"In {np.count_nonzero(gain > 0)} of {len(gain)} runs the joint tree was right for more patients than the"
    wins += " practice's own."
    if mean <= 0:
        return f"{wins} On average it was {_short(-mean)} points worse. Growing a tree together does not pay here."
    by = f"It gained {_short(mean)} points on average, with a standard deviation of {_short(spread)} points."
    if mean <= spread:
        return f"{wins} {by} That is less than it varies, so a practice may do as well alone here."
    return f"{wins} {by} Growing a tree together pays here."


def where_it_would_not_pay(joint: Accuracies, own: Accuracies, reason: str) -> str:
    """The same for a second division of the patients, in a sentence to follow the first.

    Parameters
    ----------
    joint, own : accuracies over the same runs
    reason : how the patients are divided, as a condition: "If every practice saw the same mix"
    """
    gain = _points(joint) - _points(own)
    numbers = f"{reason}, the joint tree would be right for {percent(joint)} and the practice's own for {percent(own)}"
    if gain.mean() <= 0:
        return f"{numbers}: then a practice does better alone."
    if gain.mean() <= gain.std():
        return f"{numbers}. That is a gain, but it is smaller than its standard deviation, {_short(gain.std())} points."
    return f"{numbers}: then it pays too."


def what_privacy_costs(joint: Accuracies, central: Accuracies) -> str:
    """What the joint tree lacks against a tree on all records in one place, without noise.

    Examples
    --------
    >>> print(what_privacy_costs([0.9, 0.9], [0.93, 0.93]))
    A tree without privacy, on all records in one place, is right for 93 %: privacy costs 3 points.
    """
    lost = (_points(central) - _points(joint)).mean()
    cost = f"costs {_short(lost)} points" if lost >= 0.5 else "costs nothing that these runs can show"
    return f"A tree without privacy, on all records in one place, is right for {percent(central)}: privacy {cost}."


def this_time(joint: float, own: float) -> str:
    """One run alone, without a conclusion.

    Examples
    --------
    >>> print(this_time(0.9, 0.6))
    This tree was right for 90 % of the patients held back, and the own tree of a practice drawn at random for 60 %.
    """
    alone = f"the own tree of a practice drawn at random for {percent([own])}"
    return f"This tree was right for {percent([joint])} of the patients held back, and {alone}."


def percent(values: Accuracies) -> str:
    """Their mean in whole percents."""
    return f"{np.mean(values):.0%}".replace("%", " %")


def _points(values: Accuracies) -> NDArray[np.float64]:
    return 100 * np.asarray(values, dtype=float)


def _short(points: float) -> str:
    """In whole points, or with one digit after the point where that would be 0."""
    return f"{points:.0f}" if points >= 0.95 else f"{points:.1f}"
