"""The zoo, chapter 6: shares for a small δ."""

from __future__ import annotations

from fdpedu.claims.mutation import Broken

TWINS = (
    Broken(
        "the variance for the mean",
        "fdpedu.dlpa.skellam.skellam_shares",
        "/ (2 * count_noise_shares(n_parties, tolerate))",
        "/ (4 * count_noise_shares(n_parties, tolerate))",
        "A difference of two Poisson numbers has four times the variance of half of one.",
        "thm-skellam",
        "shares",
    ),
    Broken(
        "Skellam shares for all parties",
        "fdpedu.dlpa.skellam.skellam_shares",
        "count_noise_shares(n_parties, tolerate)",
        "count_noise_shares(n_parties, 0)",
        "For a small δ a missing share does not matter.",
        "thm-skellam",
        "shares",
    ),
    Broken(
        "both Poisson numbers from one draw",
        "fdpedu.dlpa.skellam.skellam_shares",
        "poisson(mean, size, source) - poisson(mean, size, source)",
        "(drawn := poisson(mean, size, source)) - drawn[::-1]",
        "Each of the two has the right distribution.",
        "thm-skellam",
        "own words",
    ),
    Broken(
        "twice the variance in the bound",
        "fdpedu.dlpa.skellam.skellam_rdp",
        "whole * d * d / (2 * x) + rest",
        "whole * d * d / (4 * x) + rest",
        "The variance of Skellam noise is twice the parameter.",
        "lem-skellam-renyi",
        "divergence",
    ),
    Broken(
        "the worst single output",
        "fdpedu.dlpa.skellam.skellam_delta",
        "table.tail(t) - factor * table.tail(t + step)",
        "table.mass(abs(t)) - factor * table.mass(abs(t + step))",
        "δ is the largest excess of any output.",
        "thm-skellam",
        "delta",
    ),
    Broken(
        "the mode left out",
        "fdpedu.dlpa.poisson._bounds",
        "(mode + 1 - i) / mean",
        "(mode - i) / mean",
        "Each weight is the next one times k over the mean.",
        "lem-poisson-law",
        "distribution function",
    ),
    Broken(
        "a mean divided twice",
        "fdpedu.dlpa.poisson.poisson",
        "poisson_law(mean / parts)",
        "poisson_law(mean / parts / parts)",
        "Numbers of parts of the mean add up to the mean.",
        "lem-poisson-law",
        "replayed numbers",
    ),
    Broken(
        "discrete Gaussian numbers add up",
        "fdpedu.dlpa.small_delta.gaussian_sum_distance",
        "Enclosure.sum(steps)",
        "Enclosure.exactly(Fraction(0))",
        "Gaussian numbers add up to Gaussian numbers.",
        "thm-gaussian-sum",
        "distance",
    ),
    Broken(
        "a deviation for a variance",
        "fdpedu.dlpa.small_delta.discrete_gaussian_shares",
        "1 / (2 * share)",
        "1 / (2 * share * share)",
        "Noise of variance σ² has the parameter σ².",
        "thm-gaussian-sum",
        "shares",
    ),
)
