"""The zoo, chapter 4, second part: plausible bugs in what many releases cost when a small δ is allowed."""

from __future__ import annotations

from fdpedu.claims.mutation import Broken

TWINS = (
    Broken(
        "a toss is worth ε",
        "fdpedu.accounting.composition._losses",
        "2 * epsilon, scale",
        "epsilon, scale",
        "One toss more against P moves the loss by ε.",
        "thm-optimal-composition",
        "coins",
    ),
    Broken(
        "ε²/8 for every mechanism",
        "fdpedu.accounting.concentrated.pure_to_zcdp",
        "** 2 / 2",
        "** 2 / 8",
        "What holds for the exponential mechanism, ρ = ε²/8, holds for every ε-DP mechanism.",
        "lem-pure-to-zcdp",
        "randomised response",
    ),
    Broken(
        "the order not optimised",
        "fdpedu.accounting.concentrated._phi",
        "(1 + 2 * u) * rho + log.lower, (1 + 2 * u) * rho + log.upper",
        "(1 + u) * rho + log.lower, (1 + u) * rho + log.upper",
        "At order α zCDP costs αρ, so that is what stands in the conversion.",
        "thm-zcdp-to-dp",
        "best order",
    ),
    Broken(
        "both tails alike",
        "fdpedu.accounting.renyi.rdp_laplace",
        "(a - 1) / a * end",
        "end",
        "The density is symmetric, so its two tails have the same weight.",
        "lem-rdp-laplace",
        "integral",
    ),
    Broken(
        "σ for σ²",
        "fdpedu.accounting.renyi.rdp_gaussian",
        "ratio**2 / 2",
        "ratio / 2",
        "The Rényi divergence of Gaussian noise is αΔ/(2σ).",
        "lem-rdp-gaussian",
        "integers",
    ),
    Broken(
        "one table for both",
        "fdpedu.accounting.loss.LossDistribution.then",
        "self.pessimistic, other.pessimistic, True",
        "self.optimistic, other.optimistic, True",
        "The two tables differ by rounding only, so one of them will do.",
        "thm-loss-distribution",
        "coins",
    ),
    Broken(
        "pessimistic tables rounded down",
        "fdpedu.accounting.loss._convolve",
        "ceil_div(tail, UNIT) if up else tail // UNIT",
        "tail // UNIT",
        "The last digit of thirty does not matter.",
        "thm-loss-distribution",
        "coins",
    ),
)
