"""The book's own trees on the rows of a study: by name, grown by :mod:`fdpedu.simulation` with its integer noise."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from fdpedu.datasets import mixture_domain
from fdpedu.exact import quoted
from fdpedu.sources.gubler.sample import Sample
from fdpedu.sources.gubler.setting import BINS, MIN_SAMPLES, PARTIES, Setting

DESIGN_METHODS = ("default", "averaged", "exponential", "permute-and-flip")
"""Two designs of chapter 8, and two mechanisms of a trusted aggregator."""


def grow_design(
    method: str, samples: Sequence[Sample], setting: Setting, epsilon: Fraction, rng: np.random.Generator
) -> list[int]:
    """Correct test rows of one tree for each sample.

    Parameters
    ----------
    method : a name of :data:`DESIGN_METHODS`
    samples : rows, all of which belong to a party
    setting : depth and leaf share
    epsilon : the budget, which these trees keep to
    rng : of the noise
    """
    from fdpedu.simulation import CodedRows, simulate

    if method not in DESIGN_METHODS:
        raise ValueError(f"method must be one of {', '.join(DESIGN_METHODS)}, got {quoted(method)}")
    domain = mixture_domain(setting.p, bins=BINS)
    rows = CodedRows(
        domain,
        np.stack([domain.encode(sample.X) for sample in samples]),
        np.stack([sample.y for sample in samples]),
        np.stack([np.maximum(sample.party, 0) for sample in samples]),
        np.stack([domain.encode(sample.X_test) for sample in samples]),
        np.stack([sample.y_test for sample in samples]),
        PARTIES,
    )
    correct = simulate(
        method,
        rows,
        epsilon=epsilon,
        max_depth=setting.max_depth,
        min_samples_split=MIN_SAMPLES,
        leaf_share=str(setting.leaf_share),
        rng=rng,
    )
    return [int(count) for count in correct]
