"""The zoo, chapter 6: a test for missing noise that expects the wrong noise."""

from __future__ import annotations

from fdpedu.claims.mutation import Broken

TWINS = (
    Broken(
        "a noise of shape one",
        "fdpedu.dlpa.cheating.zero_cells_test",
        "Fraction(shares, m), count) for shares",
        "Fraction(shares, n_parties), count) for shares",
        "All shares together are one noise.",
        "thm-cheats",
        "known zeros",
    ),
    Broken(
        "one value above the level",
        "fdpedu.dlpa.cheating.zero_cells_test",
        'side="right")) - 1',
        'side="right"))',
        "The alarm begins where the level is reached.",
        "thm-cheats",
        "known zeros",
    ),
    Broken(
        "cells of one sign",
        "fdpedu.dlpa.cheating._difference_law",
        "law[1:] *= 2",
        "law[1:] *= 1",
        "Noise of size k has the probability of k.",
        "thm-cheats",
        "known zeros",
    ),
)
