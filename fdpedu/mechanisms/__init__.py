"""Chapter 3. Mechanisms: noise that really has the law it claims.

A mechanism turns an answer into a random one. Each stands here as a sampler with its law beside it (``*_pmf``), so that
the guarantee can be checked on the law, and the law on the sampler.

============================ ==================================== =======================================
mechanism                    the caller answers for               guarantee
============================ ==================================== =======================================
:func:`discrete_laplace`     ℓ₁ sensitivity of integers           ε-DP, exactly
:func:`snapped_laplace`      ℓ₁ sensitivity of a real number      ε-DP, exactly, on a public grid
:func:`discrete_gaussian`    ℓ₂ sensitivity of integers           ρ-zCDP, exactly
:func:`randomised_response`  one person's own answer              ε-DP for that answer (local)
:func:`exponential`          sensitivity of every utility         ε-DP; twice the ε if monotone is not true
:func:`permute_and_flip`     the same                             the same, and never a larger expected error
:func:`report_noisy_max`     the same, integer utilities          the same
:func:`laplace`              ideal reals only                     none for the floats that it returns
:func:`gaussian`             ideal reals only                     none for the floats that it returns
============================ ==================================== =======================================

Guarantees hold against an outsider who sees the outputs, for the neighbour relation under which the sensitivity was
computed. Arithmetic: integers and fractions; a law with e^{−ε} in it is known by enclosures, to as many digits as a
draw needs (:mod:`fdpedu.sampling`). Not guaranteed: running time; a source of random words that is not random.

Claims: thm-discrete-laplace
"""

from fdpedu.mechanisms.blocks import draw_block
from fdpedu.mechanisms.counts import (
    CountInterval,
    count_interval,
    discrete_laplace,
    discrete_laplace_noise,
    discrete_laplace_pmf,
    discrete_laplace_tail,
    slow_discrete_laplace,
)
from fdpedu.mechanisms.normal import (
    classical_gaussian_sigma,
    discrete_gaussian,
    discrete_gaussian_delta,
    discrete_gaussian_pmf,
    gaussian,
    gaussian_delta,
    gaussian_logpdf,
    gaussian_sigma,
)
from fdpedu.mechanisms.reals import (
    laplace,
    laplace_logpdf,
    numpy_laplace_value,
    outputs_needed,
    reachable,
    snapped_laplace,
    snapped_laplace_pmf,
)
from fdpedu.mechanisms.response import estimate_counts, randomised_response, randomised_response_pmf
from fdpedu.mechanisms.selection import (
    expected_error,
    exponential,
    exponential_pmf,
    leaf_error_constant,
    permute_and_flip,
    permute_and_flip_as_described,
    permute_and_flip_pmf,
    report_noisy_max,
    report_noisy_max_pmf,
)

__all__ = [
    "CountInterval",
    "classical_gaussian_sigma",
    "count_interval",
    "discrete_gaussian",
    "discrete_gaussian_delta",
    "discrete_gaussian_pmf",
    "discrete_laplace",
    "discrete_laplace_noise",
    "discrete_laplace_pmf",
    "discrete_laplace_tail",
    "draw_block",
    "estimate_counts",
    "expected_error",
    "exponential",
    "exponential_pmf",
    "gaussian",
    "gaussian_delta",
    "gaussian_logpdf",
    "gaussian_sigma",
    "laplace",
    "laplace_logpdf",
    "leaf_error_constant",
    "numpy_laplace_value",
    "outputs_needed",
    "permute_and_flip",
    "permute_and_flip_as_described",
    "permute_and_flip_pmf",
    "randomised_response",
    "randomised_response_pmf",
    "reachable",
    "report_noisy_max",
    "report_noisy_max_pmf",
    "slow_discrete_laplace",
    "snapped_laplace",
    "snapped_laplace_pmf",
]
