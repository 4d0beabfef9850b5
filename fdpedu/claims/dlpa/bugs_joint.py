"""The zoo, chapter 6: shares that repeat, or share their words; the law of each share is the right one."""

from __future__ import annotations

from fdpedu.claims.mutation import Broken

TWINS = (
    Broken(
        "one coin for all cycles",
        "fdpedu.dlpa.shares.negative_binomial_by_cycles",
        "uniform_below(np.full(open_.size, n_noise_shares), source)",
        "uniform_below(np.full(1, n_noise_shares), source)",
        "A cycle is this party's with probability 1/m, in whatever cell.",
        "lem-cycles",
        "joint law",
    ),
    Broken(
        "one attempt for all that failed",
        "fdpedu.sampling.blocks.BlockTable.sample",
        "self._attempts(failed.size, source)",
        "self._attempts(1, source)",
        "What failed is drawn again, and what it becomes has the right distribution.",
        "lem-nb-blocks",
        "drawn again",
    ),
    Broken(
        "one value for the whole residual",
        "fdpedu.sampling.blocks.BlockTable._settle",
        "tile[i] = self._residual",
        "tile[tile == RESIDUAL] = self._residual",
        "The residual is met once in a long draw.",
        "lem-nb-blocks",
        "in the residual",
    ),
    Broken(
        "one share for all parties",
        "fdpedu.dlpa.shares.polya_shares",
        "size, source) for source in sources]",
        "size, source) for source in sources][:1] * n_parties",
        "Each party's share has the right distribution.",
        "thm-polya-shares",
        "joint law",
    ),
    Broken(
        "Y is the neighbour's X",
        "fdpedu.dlpa.shares.polya_share",
        "negative_binomial(rate, n_noise_shares, size, source) - negative_binomial(rate, n_noise_shares, size, source)",
        "(drawn := negative_binomial(rate, n_noise_shares, size + 1, source))[1:] - drawn[:-1]",
        "In every cell X and Y are independent.",
        "thm-polya-shares",
        "own words",
    ),
    Broken(
        "shares for sensitivity one",
        "fdpedu.dlpa.shares.polya_shares",
        "Rate.of(epsilon, alpha, sensitivity)",
        "Rate.of(epsilon, alpha)",
        "Counts have sensitivity one.",
        "thm-polya-shares",
        "sensitivity",
    ),
)
