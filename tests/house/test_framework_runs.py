"""The stored numbers of Maddock et al.'s framework: complete, the same when made again, and what the page says."""

import json

import numpy as np
import pytest

from benchmarks import framework as runs
from benchmarks import stamp
from benchmarks.framework import BASE, CHOICES, DATA, PATIENTS
from fdpedu.sources.maddock.paying import PAID
from tests.support.repository import ROOT, drawn_by_the_code

pytestmark = pytest.mark.filterwarnings("ignore::fdpedu.federation.ClippedWarning")  # of data drawn here

KEPT = json.loads((ROOT / "book/measured/framework.json").read_text("utf8"))
ROWS = {(row["data"], row["choices"], row["paid"]): row for row in KEPT["records"]}


def test_nothing_is_missing():
    assert ROWS.keys() == {(data, name, paid) for data in DATA for name in CHOICES for paid in PAID}
    assert KEPT["seeds"] >= 8 and all(len(row["all"]) == KEPT["seeds"] for row in ROWS.values())
    assert "sources/maddock/growing.py" in KEPT["measured"] and KEPT["date"] in stamp.since(KEPT)


def test_a_random_part_is_made_again():
    """One repetition of three of the choices, each with its own place, other ones for other code."""
    draw = drawn_by_the_code()
    data, seed, names = draw.choice(DATA), draw.randrange(KEPT["seeds"]), CHOICES[: draw.choice((2, 4))]
    for name, found in runs.measure(runs.Task(data, seed), names).items():
        for paid in PAID:
            kept = ROWS[data, name, paid]["all"][seed]
            assert found[paid] == pytest.approx(kept, abs=2e-5), f"{data}, {name}: make measure NAME=framework"


def test_means_and_paired_differences_follow_from_the_runs():
    for (data, name, paid), row in ROWS.items():
        own, base = (np.array(ROWS[data, which, paid]["all"]) for which in (name, BASE))
        for at, what in enumerate(("auc", "accuracy")):
            for key, values in ((what, own[:, at]), (f"{what} less", own[:, at] - base[:, at])):
                error = np.std(values, ddof=1) / np.sqrt(KEPT["seeds"])
                assert row[key] == pytest.approx([values.mean(), error], abs=2e-5), (data, name, key)
    assert all(name in runs.report(KEPT["records"]) for name in CHOICES)


def test_full_histograms_lose_and_one_feature_a_tree_may_gain():
    """By more than two standard errors: the first on every set, the second on the largest."""
    for data in DATA:
        mean, error = ROWS[data, "histogram, newton", "mended"]["auc less"]
        assert mean < -2 * error, data
    mean, error = ROWS[DATA[3], "histogram, one feature a tree", "mended"]["auc less"]
    assert mean > 2 * error
    assert ROWS[PATIENTS, "histogram, newton", "mended"]["releases"] == 750
