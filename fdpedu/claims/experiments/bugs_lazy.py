"""The zoo, chapter 10: a simulation that leaves out more than it may."""

from __future__ import annotations

from fdpedu.claims.mutation import Broken

TWINS = (
    Broken(
        "a leaf without records needs no noise",
        "fdpedu.experiments.growing._Forest._finish",
        "right = labels[",
        "labels = np.where(counts.any(axis=1), labels, 0); right = labels[",
        "Where there is no training row, there is nothing to hide, so the label may be the first class.",
        "lem-lazy-expansion",
        "grown whole",
    ),
)
