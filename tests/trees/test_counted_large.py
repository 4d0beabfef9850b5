"""Counts beyond sixteen bits, where one side of a node is the difference of the node and the other side."""

import numpy as np

from fdpedu.accounting import Ledger
from fdpedu.domain import Domain
from fdpedu.federation import Federation, NodeHistograms, Party
from fdpedu.randomness import ZeroWords

DOMAIN = Domain.from_spec({"features": {"x": [0, 4, 4], "z": [0, 2, 2]}, "classes": ["a", "b"]})


def test_a_difference_of_large_counts_is_exact():
    """Seventy thousand rows in a cell of the second side, which is not counted but taken as a difference."""
    rows = np.repeat([[0.5, 0.5], [3.5, 1.5]], [5, 70_000], axis=0)
    parties = [Party(rows, DOMAIN, labels=["b"] * len(rows)), Party([], DOMAIN)]
    federation = Federation(parties, DOMAIN, Ledger(10), rng=ZeroWords())
    whole = DOMAIN.everything
    federation.release([NodeHistograms(whole, 1)])
    sides = [whole.restrict(0, codes) for codes in ([0, 1], [2, 3])]
    small, large = federation.release([NodeHistograms(side, 1) for side in sides])
    assert small.tolist() == [[0, 5], [0, 0], [0, 0], [0, 0], [0, 5], [0, 0]]
    assert large.tolist() == [[0, 0], [0, 0], [0, 0], [0, 70_000], [0, 0], [0, 70_000]]
