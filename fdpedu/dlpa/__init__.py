"""Chapter 6. Noise in shares: no party holds the whole noise, and the sum has exactly the right law.

The report's equation (1) sums gamma differences to a Laplace number, over ideal reals. Here everything is an integer.
Party k adds X_k − Y_k with X_k, Y_k independent negative binomial NB(1/m, α); the difference of two sums of m such
numbers is a difference of two geometric numbers, which is exactly the discrete Laplace law. With m = K − c, where c
parties are *tolerated*, any K − c honest parties already carry the full noise, so c colluders who subtract their own
shares, or c parties that drop out, leave an exactly ε-private sum. The price is a variance K/(K−c) times as large.

- :mod:`~fdpedu.dlpa.shares`: the shares, and how they are drawn
- :mod:`~fdpedu.dlpa.insiders`: what a sum costs those who know part of its noise
- :mod:`~fdpedu.dlpa.cheating`: what cheats can do, and what the sum tells of them
- :mod:`~fdpedu.dlpa.gamma`: the report's shares, over ideal reals
- :mod:`~fdpedu.dlpa.skellam` (and :mod:`~fdpedu.dlpa.poisson`), :mod:`~fdpedu.dlpa.small_delta`: shares for a small δ
- :mod:`~fdpedu.dlpa.gaussian_noise`: Gaussian shares for an account in ρ
- :mod:`~fdpedu.dlpa.real_noise`: what rounding them does; :mod:`~fdpedu.dlpa.lattice`: rounding the data instead
- :mod:`~fdpedu.dlpa.remainder`: the law of the noise that is left, by :mod:`~fdpedu.dlpa.series`
- :mod:`~fdpedu.dlpa.guarantee`: what a whole tree costs an outsider and an insider, before it is grown

Guarantee: with at most ``tolerate`` colluders, the sum is ε-DP (see :mod:`fdpedu.mechanisms`). Arithmetic: integers.
Not guaranteed: anything against parties that deviate from the protocol (they are honest but curious).

Claims: thm-polya-shares, thm-tolerate
"""

from fdpedu.dlpa.cheating import ZeroCellsTest, zero_cells_test
from fdpedu.dlpa.gamma import gamma_shares, underflow_probability
from fdpedu.dlpa.gaussian_noise import (
    GaussianNoise,
    gaussian_noise,
    gaussian_reach,
    gaussian_share,
    sub_gaussian_reach,
)
from fdpedu.dlpa.guarantee import LevelCost, TreeGuarantee, tree_guarantee
from fdpedu.dlpa.insiders import insider_delta, insider_epsilon
from fdpedu.dlpa.lattice import lattice_sensitivity, on_lattice
from fdpedu.dlpa.real_noise import rounded_sum_loss, rounded_sum_pmf
from fdpedu.dlpa.shares import (
    count_noise_shares,
    negative_binomial_by_cycles,
    polya_share,
    polya_shares,
)
from fdpedu.dlpa.skellam import skellam_delta, skellam_loss, skellam_pmf, skellam_rdp, skellam_shares
from fdpedu.dlpa.small_delta import (
    NoiseNeeded,
    discrete_gaussian_shares,
    gaussian_sum_delta,
    gaussian_sum_distance,
    noise_map,
    noise_needed,
)
from fdpedu.sampling import negative_binomial

__all__ = [
    "GaussianNoise",
    "LevelCost",
    "NoiseNeeded",
    "TreeGuarantee",
    "ZeroCellsTest",
    "count_noise_shares",
    "discrete_gaussian_shares",
    "gamma_shares",
    "gaussian_noise",
    "gaussian_reach",
    "gaussian_share",
    "gaussian_sum_delta",
    "gaussian_sum_distance",
    "insider_delta",
    "insider_epsilon",
    "lattice_sensitivity",
    "negative_binomial",
    "negative_binomial_by_cycles",
    "noise_map",
    "noise_needed",
    "on_lattice",
    "polya_share",
    "polya_shares",
    "rounded_sum_loss",
    "rounded_sum_pmf",
    "skellam_delta",
    "skellam_loss",
    "skellam_pmf",
    "skellam_rdp",
    "skellam_shares",
    "sub_gaussian_reach",
    "tree_guarantee",
    "underflow_probability",
    "zero_cells_test",
]
