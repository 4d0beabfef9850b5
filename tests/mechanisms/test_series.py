"""A series of a data frame is taken wherever a list or an array of numbers is."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

from fdpedu.mechanisms import (
    discrete_gaussian,
    discrete_laplace,
    estimate_counts,
    exponential,
    exponential_pmf,
    gaussian,
    laplace,
    permute_and_flip,
    permute_and_flip_pmf,
    report_noisy_max,
    report_noisy_max_pmf,
)

SERIES = {
    "pandas": lambda numbers: pd.Series(numbers),
    "another index": lambda numbers: pd.Series(numbers, index=[7, 3, 5]),
    "nullable": lambda numbers: pd.Series(numbers, dtype="Int64"),
    "index": lambda numbers: pd.Index(numbers),
    "polars": lambda numbers: pl.Series("a", numbers),
}
MECHANISMS = {
    found.__name__: found
    for found in (
        discrete_gaussian,
        discrete_laplace,
        exponential,
        gaussian,
        laplace,
        permute_and_flip,
        report_noisy_max,
    )
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("series", SERIES.values(), ids=SERIES)
@pytest.mark.parametrize("mechanism", MECHANISMS.values(), ids=MECHANISMS)
def test_a_mechanism_gives_for_a_series_what_it_gives_for_its_list(mechanism, series):
    given = {
        rows: mechanism(rows_of, 1, rng=np.random.default_rng(4))
        for rows, rows_of in (("list", [4, 9, 2]), ("series", series([4, 9, 2])))
    }
    assert np.array_equal(given["list"], given["series"])


@pytest.mark.parametrize("series", SERIES.values(), ids=SERIES)
def test_laws_and_estimates_take_a_series(series):
    for law in (exponential_pmf, permute_and_flip_pmf, report_noisy_max_pmf):
        assert law(series([4, 9, 2]), alpha="1/2") == law([4, 9, 2], alpha="1/2")
    assert estimate_counts(series([60, 40, 20]), alpha="1/3") == estimate_counts([60, 40, 20], alpha="1/3")


@pytest.mark.parametrize(
    "missing", [pd.Series([1, None, 2]), pd.Series([1, None, 2], dtype="Int64"), pl.Series([1, None])]
)
def test_a_series_with_something_missing_is_refused(missing):
    for call in (exponential, laplace, permute_and_flip, discrete_laplace, report_noisy_max):
        with pytest.raises(ValueError, match=r"utilities|value|integers|finite"):
            call(missing, 1)
    with pytest.raises(ValueError, match="reported"):
        estimate_counts(missing, alpha="1/3")


def test_a_frame_is_no_series():
    for call in (exponential, permute_and_flip, report_noisy_max):
        with pytest.raises(ValueError, match="utilities"):
            call(pd.DataFrame({"a": [1, 2]}), 1)
