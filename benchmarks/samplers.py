"""Noise: exact draws against NumPy's inexact ones, and against other libraries' exact ones."""

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from benchmarks.pairs import Row, ask_peer, cpu

DRAWS = 1_000_000
SHARES = 100_000
GENERATOR = np.random.default_rng(0)
EPSILONS = ("10", "1", "1/10", "1/100", "1/1000", "1/1000000")
CARRIERS = (2, 4, 99, 1000)


def rows() -> Iterator[Row]:
    from fdpedu.randomness import Rehearsal

    seeded = Rehearsal(0)
    floats = cpu(lambda: GENERATOR.laplace(size=DRAWS))
    group = "discrete Laplace / numpy's float Laplace"
    for epsilon in EPSILONS:
        limit = {"1": 1.0, "1/1000": 1.5}.get(epsilon)
        yield Row(group, f"ε = {epsilon}, seeded words", _noise(epsilon, seeded), floats, limit, quick=epsilon == "1")
        limit = 1.5 if epsilon == "1" else None
        yield Row(group, f"ε = {epsilon}, the system's entropy", _noise(epsilon), floats, limit)
    group = "discrete Laplace / other libraries"
    opendp = ask_peer("speed.py", "opendp", 1.0, 10_000, scale=DRAWS / 10_000)
    yield Row(group, "OpenDP's, a vector", _noise("1"), opendp, 1 / 200, pairs=3)
    ibm = ask_peer("speed.py", "diffprivlib", 1.0, 10_000, scale=DRAWS / 10_000)
    yield Row(group, "diffprivlib's, one by one", _noise("1"), ibm, 1 / 200, pairs=3)
    group = "Pólya share / numpy's inexact one"
    for epsilon in EPSILONS:
        for n_noise_shares in CARRIERS:
            small = epsilon in ("1/1000", "1/1000000")
            yield Row(
                group,
                f"ε = {epsilon}, m = {n_noise_shares}",
                *_shares(epsilon, n_noise_shares, seeded),
                limit=3.0 if small else 1.0,
                quick=n_noise_shares == 4 and epsilon in ("1", "1/1000"),
            )
    group = "Skellam share / numpy's inexact one"
    for variance in (1, 20, 1000, 100_000):
        yield Row(group, f"σ² = {variance:,}", *_skellam(variance, seeded), limit=1.0, quick=variance == 20)
    group = "discrete Gaussian / numpy's normal, rounded"
    rounded = cpu(lambda: np.rint(GENERATOR.normal(0, 10, DRAWS)).astype(np.int64))
    for sigma in (1, 10, 300, 1000):
        limit = 8.0 if sigma > 300 else 1.0
        yield Row(group, f"σ = {sigma:,}", _gaussian(sigma, seeded), rounded, limit, quick=sigma in (10, 300))


def _noise(epsilon, source=None):
    """A million exact draws, from the system's entropy or from seeded words."""
    from fdpedu.mechanisms import discrete_laplace

    zeros = np.zeros(DRAWS, dtype=np.int64)
    return cpu(lambda: discrete_laplace(zeros, epsilon, source))


def _shares(epsilon, n_noise_shares, source):
    """A hundred thousand shares, m of which make up the noise; and NumPy's, from its floating-point law."""
    from fdpedu.dlpa import polya_share
    from fdpedu.exact import Rate

    rate = Rate.of(epsilon=epsilon)
    return cpu(lambda: polya_share(rate, n_noise_shares, SHARES, source)), cpu(
        lambda: inexact_share(rate, n_noise_shares, SHARES)
    )


def _gaussian(sigma, source):
    """A million exact discrete Gaussian numbers: from a table for σ up to 300, beyond by rejection."""
    from fdpedu.sampling.gaussians import discrete_gaussian_noise

    return cpu(lambda: discrete_gaussian_noise(Fraction(sigma) ** 2, DRAWS, source))


def _skellam(variance, source):
    """A hundred thousand Skellam numbers; and NumPy's, from its floating-point Poisson law."""
    from fdpedu.dlpa import skellam_shares

    return cpu(lambda: skellam_shares(1, variance, SHARES, source)), cpu(
        lambda: GENERATOR.poisson(variance / 2, SHARES) - GENERATOR.poisson(variance / 2, SHARES)
    )


def inexact_share(rate, n_noise_shares, size, source=None):
    """What the exact share is compared with: NumPy's floating-point negative binomial."""
    p = -np.expm1(-float(rate))
    return GENERATOR.negative_binomial(1 / n_noise_shares, p, size) - GENERATOR.negative_binomial(
        1 / n_noise_shares, p, size
    )
