"""The zoo, chapter 10: an engine that adds up the wrong shares, and one that looks where nobody has asked."""

from __future__ import annotations

from fdpedu.claims.mutation import Broken

TWINS = (
    Broken(
        "a K-th of the noise from each colluder",
        "fdpedu.simulation.noise.summed_noise",
        "polya_share(rate, honest, size, source)",
        "polya_share(rate, n_parties, size, source)",
        "There are K parties, so the share of each is a K-th of the noise.",
        "lem-summed-noise",
        "shares added up",
    ),
    Broken(
        "the best of histograms that nobody asked for",
        "fdpedu.experiments.choosing.choose_and_remove",
        "asked = bounds[every, j] <= limit",
        "asked = bounds[every, j] <= np.minimum(limit, nG_of.min(axis=1))",
        "All histograms are drawn anyway, so the best of them all may say which features are worth asking for.",
        "lem-unvisited",
        "one by one",
    ),
)
