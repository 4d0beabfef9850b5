"""One experiment of the report as data: its rows, how trees are grown from them, and with which faults.

The numbers are those of section 4. Figures 3, 4 and 5 show test accuracy against ε for n = 250, 1000 and 100 rows;
Figure 2 shows it, at one ε, against the leaf share (left, Algorithm 5) and against leaf share × bounds share (right,
Algorithm 6).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from types import MappingProxyType

import numpy as np

from fdpedu.exact import Rational, as_fraction, as_integer, as_positive_fraction, quoted
from fdpedu.sources.gubler.faults import Faults

PARTIES, BINS, MIN_SAMPLES = 5, 10, 10
MAX_ROWS, MAX_FEATURES, MAX_DEPTH = 100_000, 1_000, 20
ROWS_OF_FIGURE: Mapping[int, int] = MappingProxyType({2: 300, 3: 250, 4: 1000, 5: 100})
MIN_BUDGET, MAX_BUDGET = Fraction(1, 10**6), 10**6  # budgets
BASELINES = ("local", "central")


@dataclass(frozen=True)
class Setting:
    """One panel, or one point of Figure 2: the rows, and how trees are grown from them.

    Parameters
    ----------
    figure : 2, 3, 4 or 5
    n : rows as the figure states them, 10 ≤ n ≤ 100,000
    p : features, 1 ≤ p ≤ 1,000
    max_depth : from 1 to 20
    rho : correlation of neighbouring features, 0 ≤ ρ ≤ 1
    leaf_share, bounds_share : the leaves' part of ε, and the bounds' part of a node's budget; strictly between 0 and 1

    Examples
    --------
    >>> Setting(3, 250, 10, 5, "0.3")
    Setting(figure=3, n=250, p=10, max_depth=5, rho=Fraction(3, 10))
    """

    figure: int
    n: int
    p: int
    max_depth: int
    rho: Fraction
    leaf_share: Fraction = field(default=Fraction(1, 2), repr=False)
    bounds_share: Fraction = field(default=Fraction(1, 4), repr=False)

    def __init__(
        self,
        figure: int,
        n: int,
        p: int,
        max_depth: int,
        rho: Rational,
        leaf_share: Rational = "1/2",
        bounds_share: Rational = "1/4",
    ) -> None:
        self._set("figure", as_figure(figure))
        self._set("n", as_integer(n, "n", minimum=2 * PARTIES, maximum=MAX_ROWS))
        self._set("p", as_integer(p, "p", minimum=1, maximum=MAX_FEATURES))
        self._set("max_depth", as_integer(max_depth, "max_depth", minimum=1, maximum=MAX_DEPTH))
        self._set("rho", as_fraction(rho, "rho"))
        if not 0 <= self.rho <= 1:
            raise ValueError(f"rho must lie between 0 and 1, got {quoted(self.rho)}")
        for name, share in (("leaf_share", leaf_share), ("bounds_share", bounds_share)):
            self._set(name, as_positive_fraction(share, name))
            if getattr(self, name) >= 1:
                raise ValueError(f"{name} must be less than 1, got {quoted(getattr(self, name))}")

    def _set(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)

    @property
    def key(self) -> str:
        """The setting as a short text, the same in every process.

        >>> Setting(3, 250, 10, 5, "0.3").key
        'figure3-n250-p10-d5-rho3:10-leaf1:2-bounds1:4'
        """
        shares = f"leaf{self.leaf_share}-bounds{self.bounds_share}"
        return f"figure{self.figure}-n{self.n}-p{self.p}-d{self.max_depth}-rho{self.rho}-{shares}".replace("/", ":")


@dataclass(frozen=True)
class Variant:
    """One way to run the same experiment.

    Parameters
    ----------
    name : "printed", "published", "corrected", or a name of one's own
    faults : the switches of the published code that are on
    clip : set noisy counts below 0 to 0 before a split is chosen from them
    """

    name: str
    faults: Faults
    clip: bool = False

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name.replace("-", "").isalnum() or len(self.name) > 60:
            raise ValueError(f"name must be letters, digits and hyphens, got {quoted(self.name)}")
        if not isinstance(self.faults, Faults):
            raise ValueError(f"faults must be a Faults, got {quoted(self.faults)}")
        if not isinstance(self.clip, bool):
            raise ValueError(f"clip must be True or False, got {quoted(self.clip)}")


def as_figure(figure: object) -> int:
    """The number of a figure with experiments in it.

    >>> as_figure(5)
    5
    """
    if isinstance(figure, bool) or not isinstance(figure, (int, np.integer)) or int(figure) not in ROWS_OF_FIGURE:
        raise ValueError(f"figure must be 2, 3, 4 or 5, got {quoted(figure)}")
    return int(figure)


def as_budget(epsilon: object) -> Fraction:
    """A budget that trees can be grown with.

    >>> as_budget("1/2")
    Fraction(1, 2)
    """
    budget = as_positive_fraction(epsilon, "epsilon")
    if not MIN_BUDGET <= budget <= MAX_BUDGET:
        raise ValueError(f"epsilon must lie between 1e-6 and 1e6, got {quoted(epsilon)}")
    return budget
