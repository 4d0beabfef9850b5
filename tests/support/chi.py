"""Seeded samples against laws and against each other: two-sided chi-square tests."""

from collections import Counter

import numpy as np

ALARM = 1e-8
"""The probability of a false alarm, on each side."""
_LEAST = 10  # expected in a cell; cells with less are put together


def agrees(found, law):
    """A sample, how often each outcome came, has this law; outcomes that the law does not have are refused."""
    runs = sum(found.values())
    assert set(found) <= {outcome for outcome, mass in law.items() if mass > 0}
    assert abs(sum(map(float, law.values())) - 1) < 1e-9
    cells = _together([(found.get(outcome, 0), runs * float(mass)) for outcome, mass in law.items()])
    _within(sum((seen - expected) ** 2 / expected for seen, expected in cells), len(cells) - 1)


def agree(one, other):
    """Two samples come from one law."""
    total, sizes = Counter(one) + Counter(other), (sum(one.values()), sum(other.values()))
    share = [size / sum(sizes) for size in sizes]
    cells = _together([(one.get(key, 0), other.get(key, 0), many * min(share)) for key, many in total.items()])
    statistic = 0.0
    for *seen, _ in cells:
        expected = [sum(seen) * part for part in share]
        statistic += sum((n - e) ** 2 / e for n, e in zip(seen, expected, strict=True))
    _within(statistic, len(cells) - 1)


def _together(cells):
    """Cells of which less is expected than `_LEAST`, in one; the last number of each is what is expected."""
    large = [cell for cell in cells if cell[-1] >= _LEAST]
    small = [cell for cell in cells if cell[-1] < _LEAST]
    rest = tuple(np.sum(small, axis=0)) if small else ()
    return [*large, rest] if rest and rest[-1] >= _LEAST else large


def _within(statistic, freedom):
    from scipy.stats import chi2

    assert freedom >= 1, "one cell says nothing"
    assert chi2.sf(statistic, freedom) > ALARM and chi2.cdf(statistic, freedom) > ALARM, (statistic, freedom)
