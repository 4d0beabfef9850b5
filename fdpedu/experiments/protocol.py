"""The report's experiments as data: 36 settings, ten budgets, two panels of Figure 2, and three variants of each curve.

Figures 3, 4 and 5 show test accuracy against ε for n = 250, 1000 and 100 rows; each has twelve settings, p × depth × ρ.
Figure 2 shows it against the leaf share (left, Algorithm 5) and against leaf share × bounds share (right, Algorithm 6).
Its grid of shares and its ε are not printed: the shares here are tenths, and ε is 5, as in the published code.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import product
from types import MappingProxyType

from fdpedu.sources.gubler.faults import PRINTED, PUBLISHED, Faults
from fdpedu.sources.gubler.setting import BASELINES, ROWS_OF_FIGURE, Setting, Variant, as_figure

RUNS, MAX_RUNS = 50, 100_000
EPSILONS = tuple(Fraction(1 + 11 * i, 10) for i in range(10))
"""The ten budgets of Figures 3 to 5: .1, 1.2, 2.3, …, 10."""

EPSILON_OF_FIGURE_2 = Fraction(5)
METHODS = ("algorithm-5", "algorithm-6", *BASELINES)
SHARES = tuple(Fraction(i, 10) for i in range(1, 10))


VARIANTS: Mapping[str, Variant] = MappingProxyType(
    {
        "printed": Variant("printed", PRINTED),
        "published": Variant("published", PUBLISHED),
        "corrected": Variant("corrected", Faults(), clip=True),
    }
)
"""``corrected`` pays for all that it asks, uses the bounds of Theorem 7 on a public grid, and clips counts at 0."""


def settings(figure: int) -> tuple[Setting, ...]:
    """All settings of a figure, in the order in which the report shows its panels; of Figure 2 both panels.

    >>> len(settings(3)), len(settings(2)), settings(4)[0]
    (12, 90, Setting(figure=4, n=1000, p=10, max_depth=5, rho=Fraction(9, 10)))
    """
    n = ROWS_OF_FIGURE[as_figure(figure)]
    if figure == 2:
        left = [Setting(2, n, 10, 7, "0.3", share) for share in SHARES]
        return (*left, *(Setting(2, n, 10, 7, "0.3", *shares) for shares in product(SHARES, repeat=2)))
    panels = product(("9/10", "3/10"), (5, 10), (10, 25, 50))
    return tuple(Setting(figure, n, p, depth, rho) for rho, depth, p in panels)
