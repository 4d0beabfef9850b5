"""Values that were read out of the report's vector figures: what the published variant has to agree with.

Each is the mean test accuracy of 50 runs, to three decimals. A curve is held to them within sampling error only: 50
runs there, and as many here as one has.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from types import MappingProxyType

import numpy as np

from fdpedu.exact import require_type
from fdpedu.experiments.protocol import RUNS
from fdpedu.experiments.tasks import Results
from fdpedu.sources.gubler.setting import BASELINES, Setting

_AT = (Fraction(6, 5), Fraction(17, 5), Fraction(10))
_ROUNDED = 0.001 / np.sqrt(12)  # standard deviation of what rounding to three decimals adds


def _values(
    five: tuple[float, ...], six: tuple[float, ...], local: float, central: float
) -> Mapping[tuple[str, Fraction | None], float]:
    curves = {"algorithm-5": five, "algorithm-6": six}
    private = {(method, epsilon): v for method, own in curves.items() for epsilon, v in zip(_AT, own, strict=True)}
    return MappingProxyType({**private, ("local", None): local, ("central", None): central})


READ_OFF: Mapping[Setting, Mapping[tuple[str, Fraction | None], float]] = MappingProxyType(
    {
        Setting(3, 250, 10, 5, "0.3"): _values((0.687, 0.736, 0.761), (0.694, 0.735, 0.767), 0.749, 0.801),
        Setting(5, 100, 50, 10, "0.9"): _values((0.581, 0.617, 0.659), (0.700, 0.709, 0.732), 0.707, 0.748),
        Setting(4, 1000, 10, 5, "0.3"): _values((0.748, 0.775, 0.791), (0.752, 0.769, 0.789), 0.786, 0.815),
    }
)
"""For three settings: the accuracy of each method at ε = 1.2, 3.4 and 10; of the baselines, whatever ε is."""


def deviations(found: Results) -> dict[tuple[str, Fraction | None], float]:
    """How far results lie from what was read off, in standard errors of the difference, where there is such a value.

    Parameters
    ----------
    found : results of a setting of :data:`READ_OFF`, at least two runs

    Examples
    --------
    >>> from fdpedu.experiments.protocol import VARIANTS
    >>> setting = Setting(3, 250, 10, 5, "0.3")
    >>> found = Results(setting, VARIANTS["published"], 1000, {("central", None): (790, 800, 810)}, {})
    >>> {method: round(z, 1) for (method, _), z in deviations(found).items()}
    {'central': -0.2}
    """
    require_type(found, Results, "found")
    values = READ_OFF.get(found.setting)
    if values is None:
        raise ValueError(f"nothing was read off for {found.setting}; READ_OFF has {len(READ_OFF)} settings")
    return {
        key: _deviation(found, *key, value)
        for key, value in values.items()
        if (key[0], None if key[0] in BASELINES else key[1]) in found.correct
    }


def _deviation(found: Results, method: str, epsilon: Fraction | None, value: float) -> float:
    accuracy = found.accuracy(method, epsilon)
    variance = accuracy.var(ddof=1) * (1 / len(accuracy) + 1 / RUNS) + _ROUNDED**2
    return float((accuracy.mean() - value) / np.sqrt(variance))
