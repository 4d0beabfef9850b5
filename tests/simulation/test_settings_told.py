"""A setting keeps Python's integers, whatever they were given as."""

import numpy as np

from fdpedu.datasets import BENCHMARK
from fdpedu.simulation import Setting


def test_what_is_kept_is_an_integer_of_python():
    names = ("n_parties", "max_depth", "min_samples_split", "lattice", "tolerate")
    data = BENCHMARK[0]
    given = Setting(data, **dict(zip(names, map(np.int8, (4, 3, 9, 2, 1)), strict=True)))
    assert given == Setting(data, **dict(zip(names, (4, 3, 9, 2, 1), strict=True)))
    assert {type(getattr(given, name)) for name in names} == {int}
