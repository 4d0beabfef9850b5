"""Chapter 12. What a row pulls at a score, in whole steps: public tables, additive models and sums of pulls.

Boosting asks in each round how far the scores are from the classes. A row answers with its *pull*, the gradient of a
loss at its score: an integer that is looked up in a public table. A party adds up the pulls of its rows by leaf.

Guarantee: none by itself; these are the exact sums to which :mod:`fdpedu.federation` adds noise. One record more or
less moves the sums of a tree in one leaf only, by at most the clip of its pull.
"""

from fdpedu.gradients.additive import AdditiveModel, TreeShapes
from fdpedu.gradients.known import KnownSums
from fdpedu.gradients.sums import intercept_sums, pull_sums
from fdpedu.gradients.table import UNIT, curvatures, intercept_shifts, positions, probabilities, pulls
from fdpedu.gradients.vectors import VectorModel, powers, pull_vectors

__all__ = [
    "UNIT",
    "AdditiveModel",
    "KnownSums",
    "TreeShapes",
    "VectorModel",
    "curvatures",
    "intercept_shifts",
    "intercept_sums",
    "positions",
    "powers",
    "probabilities",
    "pull_sums",
    "pull_vectors",
    "pulls",
]
