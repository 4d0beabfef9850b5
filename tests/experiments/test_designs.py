"""The book's designs in the protocol of the report."""

from fractions import Fraction

import numpy as np
import pytest

from fdpedu.experiments import VARIANTS
from fdpedu.experiments.designs import DESIGN_METHODS, grow_design
from fdpedu.sources.gubler import Setting
from fdpedu.sources.gubler.sample import draw_sample
from fdpedu.sources.gubler.setting import PARTIES


@pytest.mark.parametrize("method", DESIGN_METHODS)
def test_designs_are_grown_as_the_setting_says(method, simulated):
    """Depth, leaf share, the least number of rows, five parties; rows of every run."""
    setting = Setting(3, 40, 3, 6, "0.3", "2/7")
    samples = [draw_sample(setting, VARIANTS["corrected"].faults, np.random.default_rng(run)) for run in range(3)]
    assert grow_design(method, samples, setting, Fraction(3), np.random.default_rng(1)) == [0, 1, 2]
    ((name, rows, options, _),) = simulated
    assert name == method and Fraction(options.pop("leaf_share")) == Fraction(2, 7)
    assert options == {"epsilon": 3, "max_depth": 6, "min_samples_split": 10}
    assert rows.n_parties == PARTIES and np.array_equal(rows.parties, [sample.party for sample in samples])
    for run, sample in enumerate(samples):
        assert np.array_equal(rows.labels[run], sample.y) and np.array_equal(rows.test_labels[run], sample.y_test)
        expected = [rows.domain.encode(part) for part in (sample.X, sample.X_test)]
        assert np.array_equal(rows.codes[run], expected[0]) and np.array_equal(rows.test_codes[run], expected[1])
