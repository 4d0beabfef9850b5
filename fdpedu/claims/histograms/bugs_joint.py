"""The zoo, chapter 7: releases whose noise repeats, and tables that are too wide."""

from __future__ import annotations

from fdpedu.claims.mutation import Broken

TWINS = (
    Broken(
        "one noise for queries of one rate",
        "fdpedu.federation.queries.noise_of",
        "polya_share(rate, n_noise_shares, sum(query.size(domain) for query in alike), source)",
        "np.tile(polya_share(rate, n_noise_shares, (same := list(alike))[0].size(domain), source), len(same))",
        "Queries of one rate are drawn together.",
        "thm-histogram",
        "joint law of a party's noise",
    ),
    Broken(
        "parties that share a source",
        "fdpedu.federation.federation.Federation.__init__",
        "source.spawn(len(members))",
        "source.spawn(1) * len(members)",
        "Where the words come from does not matter, as long as none is used twice.",
        "thm-histogram",
        "own words",
    ),
    Broken(
        "narrow cells",
        "fdpedu.federation.records._cells",
        "<= 2**16",
        "<= 2**17",
        "Sixteen bits are enough for the cells of any table that one can look at.",
        "thm-histogram",
        "wide tables",
    ),
)
