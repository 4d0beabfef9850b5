"""The stated laws against those of SciPy, OpenDP and diffprivlib."""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

import fdpedu.mechanisms as m
from fdpedu.claims.frequencies import require_frequencies
from tests.support.peers import ask_peers


def test_peers():
    """IBM's, Google's and OpenDP's answers: σ to 10⁻⁶, half-widths, exponential laws to 10⁻¹², and their draws by our
    law (two-sided chi-square; their entropy is the system's, so a false alarm happens once in 10⁹ runs).
    """
    points = list(product([0.05, 0.5, 1, 3], [1e-3, 1e-6, 1e-9]))
    widths = [[scale, miss] for scale in (0.3, 1.0, 2.5, 10.0, 300.0) for miss in (0.5, 0.1, 0.05, 0.001)]
    choices = [
        [u, e, s, mono]
        for u in ([3, 2, 2, 0], [0, 5], [1, 1, 1])
        for e in (0.3, 2)
        for s in (1, 2)
        for mono in (False, True)
    ]
    draws = {"discrete_laplace": [[2.0, 20_000]], "discrete_gaussian": [[2.0, 20_000]]}
    peers = ask_peers("mechanisms", {"gaussian_sigma": points, "half_width": widths, "exponential": choices, **draws})
    for (epsilon, delta), answers in zip(points, peers["gaussian_sigma"], strict=True):
        assert answers == pytest.approx([m.gaussian_sigma(epsilon, delta)] * 2, rel=1e-6)
    for (scale, miss), theirs in zip(widths, peers["half_width"], strict=True):
        ours = m.count_interval(0, 1 / Fraction(str(scale)), confidence=1 - Fraction(str(miss))).half_width
        assert ours == max(0, math.ceil(theirs) - 1)  # theirs bounds Pr[|Z| ≥ a], ours Pr[|Z| > t]
    for (u, epsilon, sensitivity, monotone), theirs in zip(choices, peers["exponential"], strict=True):
        ours = m.exponential_pmf(u, epsilon, sensitivity=sensitivity, monotone=monotone)
        assert np.cumsum([float(p) for p in ours]) == pytest.approx(theirs, rel=1e-12)
    for name, pmf in (
        ("discrete_laplace", lambda k: m.discrete_laplace_pmf(k, "1/2")),
        ("discrete_gaussian", lambda k: m.discrete_gaussian_pmf(k, "1/8")),
    ):
        observed = np.bincount(np.clip(peers[name][0], -5, 5) + 5, minlength=11)
        p = np.array([float(pmf(k)) for k in range(-5, 6)])
        p[[0, -1]] = (1 - p[1:-1].sum()) / 2
        require_frequencies(observed, p, alpha=5e-10)
