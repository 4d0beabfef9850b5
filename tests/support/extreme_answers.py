"""What may be released at the worst: answers to queries at both ends of what noise reaches, in several patterns."""

from contextlib import contextmanager
from unittest import mock

import numpy as np

from fdpedu.federation import ChosenBlock, ChosenSplit, Curator, DesignedSplit, Federation, JointEdges, LeafLabel

REACH = 2**50
"""Noise of the least rate that is drawn, 2⁻⁴⁰, lies beyond it with a probability of e^−1024."""
DRAWN = (DesignedSplit, ChosenSplit, ChosenBlock, LeafLabel, JointEdges)
"""Types whose answer is one of a list, and no sum."""
PATTERNS = {
    "all high": lambda k, shape: np.full(shape, REACH),
    "all low": lambda k, shape: np.full(shape, -REACH),
    "nothing": lambda k, shape: np.zeros(shape),
    "in turn": lambda k, shape: np.full(shape, (-REACH, REACH)[k % 2]),
    "cells in turn": lambda k, shape: REACH * (1 - 2 * (np.arange(np.prod(shape)).reshape(shape) % 2)),
    "one cell": lambda k, shape: _one(k, shape, REACH, 0),
    "one class": lambda k, shape: np.where(np.arange(shape[-1]) == 0, REACH, -REACH) * np.ones(shape),
}


def _one(k, shape, there, elsewhere):
    found = np.full(shape, elsewhere)
    found.flat[k % found.size] = there
    return found


@contextmanager
def answering(pattern):
    """Whatever is asked of a federation or a curator is charged and answered by a pattern of :data:`PATTERNS`."""
    made, asked = PATTERNS[pattern], []

    def extreme(kind, release):
        def answered(self, queries, *rest, **options):
            answers = release(self, queries, *rest, **options)
            found = []
            for query, answer in zip(queries, answers, strict=True):
                asked.append(query)
                drawn = type(query) in DRAWN
                found.append(answer if drawn else made(len(asked), answer.shape).astype(np.int64))
            return found

        return mock.patch.object(kind, "release", answered)

    with extreme(Federation, Federation.release), extreme(Curator, Curator.release):
        yield asked
