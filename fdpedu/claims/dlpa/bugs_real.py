"""The zoo, chapter 6: real-valued shares, and real values that are rounded."""

from __future__ import annotations

from fdpedu.claims.mutation import Broken

_ROUNDED_GAMMA = (
    "np.rint(__import__('fdpedu.dlpa.gamma', fromlist='_')._share(1 / n_noise_shares, 1 / float(rate), size, source))"
    ".astype(np.int64)"
)

TWINS = (
    Broken(
        "shape K",
        "fdpedu.dlpa.gamma.gamma_shares",
        "1 / count_noise_shares(n_parties, tolerate)",
        "count_noise_shares(n_parties, tolerate)",
        "K parties, so the shape is K.",
        "lem-laplace-divisible",
        "variance",
    ),
    Broken(
        "a rate for a scale",
        "fdpedu.dlpa.gamma.gamma_shares",
        "_share(shape, spread, size, source)",
        "_share(shape, 1 / spread, size, source)",
        "The report's Gamma(1/K, ε) is NumPy's gamma(1/K, ε).",
        "lem-laplace-divisible",
        "variance",
    ),
    Broken(
        "one gamma number",
        "fdpedu.dlpa.gamma._share",
        "scale * _gamma(shape, size, source) - scale * _gamma(shape, size, source)",
        "(drawn := scale * _gamma(shape, size, source)) - drawn.mean()",
        "Only the mean has to be taken off a gamma number.",
        "lem-laplace-divisible",
        "variance",
    ),
    Broken(
        "real noise rounded",
        "fdpedu.dlpa.shares.polya_share",
        "negative_binomial(rate, n_noise_shares, size, source) - negative_binomial(rate, n_noise_shares, size, source)",
        _ROUNDED_GAMMA,
        "Rounding is post-processing.",
        "thm-tolerate",
        "divided variance",
    ),
    Broken(
        "sign by one coin",
        "fdpedu.dlpa.shares.polya_share",
        "negative_binomial(rate, n_noise_shares, size, source) - negative_binomial(rate, n_noise_shares, size, source)",
        "negative_binomial(rate, n_noise_shares, size, source) * (1 - 2 * uniform_below(np.full(size, 2), source))",
        "A symmetric number is one of the right size with a random sign.",
        "thm-polya-shares",
        "replayed difference",
    ),
    Broken(
        "rounded to the nearest",
        "fdpedu.dlpa.lattice.on_lattice",
        "m * number.numerator // number.denominator",
        "round(m * number)",
        "The nearest point of the lattice is the best one.",
        "thm-lattice-first",
        "lower bound",
    ),
    Broken(
        "sensitivity before the lattice",
        "fdpedu.dlpa.lattice.lattice_sensitivity",
        '_lattice(lattice) * as_positive_fraction(sensitivity, "sensitivity")',
        'as_positive_fraction(sensitivity, "sensitivity")',
        "Rounding does not change what a record can do.",
        "thm-lattice-first",
        "sensitivity",
    ),
    Broken(
        "lattice sensitivity rounded down",
        "fdpedu.dlpa.lattice.lattice_sensitivity",
        "math.ceil(",
        "math.floor(",
        "Data that are rounded down move by less.",
        "thm-lattice-first",
        "sensitivity",
    ),
)
