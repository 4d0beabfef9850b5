"""The zoo, chapter 6: plausible bugs in shares of noise."""

from __future__ import annotations

from fdpedu.claims.mutation import Broken

TWINS = (
    Broken(
        "shares for all parties",
        "fdpedu.dlpa.shares.count_noise_shares",
        "return n_parties - tolerate",
        "return n_parties",
        "With many parties, one party's own share hardly matters.",
        "thm-tolerate",
        "honest shares",
    ),
    Broken(
        "blocks without rejection",
        "fdpedu.sampling.blocks.BlockTable._within",
        "values[unsure[~kept]] = FAILED",
        "kept",
        "Within a block the weights hardly differ.",
        "lem-nb-blocks",
        "replayed attempt",
    ),
    Broken(
        "close calls kept",
        "fdpedu.sampling.blocks.BlockTable._coins",
        "low + width <= ratio - MARGIN",
        "low <= ratio",
        "A float is right to sixteen digits, so it may decide a coin.",
        "lem-nb-blocks",
        "replayed attempt",
    ),
    Broken(
        "residual dropped",
        "fdpedu.sampling.blocks.BlockTable._settle",
        "tile[i] = self._residual(source)",
        "tile[i] = FAILED",
        "What happens once in a quarter of a million draws can be drawn again.",
        "lem-nb-blocks",
        "replayed residual",
    ),
    Broken(
        "two numbers of one draw",
        "fdpedu.dlpa.shares.polya_share",
        "negative_binomial(rate, n_noise_shares, size, source) - negative_binomial(rate, n_noise_shares, size, source)",
        "(drawn := negative_binomial(rate, n_noise_shares, size, source)) - drawn[::-1]",
        "Each number has the right distribution, so their difference has.",
        "thm-polya-shares",
        "replayed difference",
    ),
)
