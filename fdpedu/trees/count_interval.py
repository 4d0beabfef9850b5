"""Intervals for the true counts of leaves, from what was released of them (:mod:`fdpedu.trees.intervals` says why)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from fdpedu.accounting import Cost
from fdpedu.dlpa.gaussian_noise import gaussian_noise, gaussian_reach, sub_gaussian_reach
from fdpedu.exact import Enclosure, Rate, Rational, as_fraction, as_integer, shown
from fdpedu.trees.leaf_release import LeafRelease
from fdpedu.trees.noise_law import reach, shapes_of


@dataclass(frozen=True)
class CountInterval:
    """The true number of a class's training rows in a leaf lies in [low, high], at least with the stated confidence.

    Parameters
    ----------
    leaf : the position of the leaf in :meth:`Tree.leaves`
    label : the class
    released : the count as it was released, of a merged leaf the sum
    low, high : integers ≥ 0, both included
    half_width : t, the reach of the noise; low is max(0, released − t), high is max(0, released + t)
    confidence : asked for
    coverage : the probability that the noise stays within ±t, enclosed; at least ``confidence``
    """

    leaf: int
    label: Any
    released: int
    low: int
    high: int
    half_width: int
    confidence: Fraction
    coverage: Enclosure

    def __str__(self) -> str:
        percent = f"{float(self.confidence * 100):.6g} %"
        return (
            f"leaf {self.leaf} holds {self.low} to {self.high} training rows of class {self.label}, "
            f"with a confidence of at least {percent}"
        )


def reach_of(costs: Sequence[Cost], shares: tuple[int, int], miss: Fraction) -> tuple[int, Enclosure]:
    """How far the noises of some releases reach together, and what lies within; longer, never shorter, than need be.

    Parameters
    ----------
    costs : of the releases, all in one measure
    shares : as for :func:`intervals_of`
    miss : the probability that may lie beyond
    """
    if costs[0].is_pure:
        return reach(shapes_of([Rate(rate=cost.value) for cost in costs], Fraction(*shares)), miss)
    of_each = [gaussian_noise(cost, l2_squared=1, cells=1, n_shares=shares[1]).share for cost in costs]
    if len(set(of_each)) == 1:
        t = gaussian_reach(of_each[0], len(costs) * shares[0], miss)
    else:  # lem-gaussian-sum-renyi: each is sub-Gaussian with its parameter, and parameters add up
        t = sub_gaussian_reach(shares[0] * sum(of_each, Fraction(0)), miss)
    return t, Enclosure(1 - miss, Fraction(1))


def intervals_of(
    classes: Sequence[Any],
    shares: tuple[int, int],
    leaves: Sequence[Sequence[LeafRelease]],
    confidence: Rational,
    simultaneous: int = 1,
) -> list[CountInterval]:
    """For each leaf and each class an interval for its true number of training rows, leaf by leaf.

    Parameters
    ----------
    classes : their labels
    shares : K and m: how many shares of noise are in a release, and how many make up the full noise
    leaves : of each leaf its release, or those of the leaves that were merged into it
    confidence : strictly between 0 and 1
    simultaneous : how many of the intervals are to hold at once with that confidence, ≥ 1
    """
    level = as_fraction(confidence, "confidence")
    if not 0 < level < 1:
        raise ValueError(f"confidence must lie strictly between 0 and 1, got {shown(level)}")
    miss = (1 - level) / as_integer(simultaneous, "simultaneous", minimum=1)
    found = list[CountInterval]()
    for at, releases in enumerate(leaves):
        t, within = reach_of([release.cost for release in releases], shares, miss)
        for k, label in enumerate(classes):
            released = sum(release.counts[k] for release in releases)
            ends = max(0, released - t), max(0, released + t)
            found.append(CountInterval(at, label, released, *ends, t, level, within))
    return found
