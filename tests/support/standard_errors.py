"""Statistics of seeded samples lie within six standard errors of their stated values.

There are about 250 such statistics in all, so a right generator fails with probability below 10⁻⁶.
"""

import numpy as np

LIMIT = 6  # standard errors


def within(observed, expected, error):
    """Every observed number lies within six standard errors of the expected one."""
    z = (np.asarray(observed) - expected) / error
    assert np.abs(z).max() <= LIMIT, (observed, expected, z)


def frequencies(codes, probabilities):
    """The codes 0, 1, … occur as often as stated; what is stated as impossible does not occur."""
    p, n = np.asarray(probabilities), len(codes)
    counts = np.bincount(codes, minlength=len(p))
    assert len(counts) == len(p) and abs(p.sum() - 1) < 1e-12 and not counts[p == 0].any()
    within(counts[p > 0], n * p[p > 0], np.sqrt(n * p * (1 - p))[p > 0])
