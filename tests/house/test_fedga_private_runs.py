"""The stored numbers of private votes for structures: complete, the same when made again, sound means, targets met."""

import json

import numpy as np
import pytest

from benchmarks import fedga_private as runs
from benchmarks import stamp
from benchmarks.fedga import DATA
from benchmarks.fedga_private import AT_HOME, CHOSEN, EPSILONS, PARTIES, POPULATIONS, RUNS
from fdpedu.sources.fedga import WAYS
from tests.support.repository import ROOT, drawn_by_the_code

pytestmark = pytest.mark.filterwarnings("ignore::fdpedu.federation.ClippedWarning")  # of data drawn here

KEPT = json.loads((ROOT / "book/measured/fedga_private.json").read_text("utf8"))
STALE = "book/measured/fedga_private.json is stale: make measure NAME=fedga_private"
NAMES = [rows.name for rows, _ in DATA]


def test_nothing_is_missing():
    """All sets, numbers of parties, ways, numbers of structures and ε; twelve runs each."""
    found = {(row["data"], row["parties"]) for row in KEPT["choices"]}
    assert found == {(NAMES[data], n) for data in CHOSEN for n in PARTIES} and RUNS >= 12
    keys = {f"{way} {size} {epsilon}" for way in WAYS for size in POPULATIONS for epsilon in EPSILONS}
    assert all(row["excess"].keys() == keys and len(row["all"]) == RUNS for row in KEPT["choices"])
    assert [row["data"] for row in KEPT["private"]] == [NAMES[data] for data in AT_HOME]
    assert all(len(model["all"]) == RUNS for row in KEPT["private"] for model in row["models"].values())
    sizes = [(250, 2), (2500, 100), (1_000_000, 2), (1_000_000, 100)]
    assert [(row["rows"], row["parties"]) for row in KEPT["users"]] == sizes
    assert [(row["rows"], row["parties"]) for row in KEPT["numbers"]] == sizes


def test_it_says_where_it_was_measured():
    assert {"structures/voting.py", "cart/least_loss.py"} < KEPT["measured"].keys()
    said = stamp.since(KEPT)
    assert KEPT["date"] in said and KEPT["processor"] in said


def test_a_random_part_is_made_again():
    """A repetition of each kind, others for other code."""
    draw = drawn_by_the_code()
    seed, data, n = draw.randrange(RUNS), draw.choice((0, 1)), draw.choice((2, 5))
    row = next(row for row in KEPT["choices"] if (row["data"], row["parties"]) == (NAMES[data], n))
    assert runs.checksum(runs.choices((data, n, seed))) == pytest.approx(row["all"][seed], abs=2e-6), (STALE, data, n)
    row = next(row for row in KEPT["private"] if row["data"] == NAMES[data])
    for name, score in runs.private((data, 5, seed)).items():
        assert score == pytest.approx(row["models"][name]["all"][seed], abs=2e-6), (STALE, data, name)
    row = next(row for row in KEPT["regressor"] if row["data"] == "diabetes")
    assert runs.regressor((5, seed)) == pytest.approx(row["all"][seed], abs=2e-4), STALE


def test_means_follow_from_the_runs():
    for row in KEPT["private"]:
        for model in row["models"].values():
            assert model["score"][0] == pytest.approx(np.mean(model["all"]), abs=1e-5)
            assert model["score"][1] == pytest.approx(np.std(model["all"], ddof=1) / np.sqrt(RUNS), abs=1e-5)
    for row in KEPT["regressor"]:
        for name, (mean, _) in row["mse"].items():
            assert mean == pytest.approx(np.mean([run[name] for run in row["all"]]), abs=1e-4)
    assert all(words in runs.report(KEPT) for words in ("never sent", "R² of votes", "hospitals of 80"))


def test_the_measured_targets_are_met():
    found = {what: value for what, value, _ in runs.targets(KEPT)}
    for name in ("breast cancer", "wine"):
        assert float(found[f"{name}, 40 structures, ε=1, 5 parties: votes / scores"]) <= 0.5
    assert all(row["found"] >= 9 for row in KEPT["sizes"]) and len(KEPT["sizes"]) == 3
    assert float(found["Friedman, depth 4, no noise to speak of: MSE / pooled grid CART's"]) <= 1.1
    assert float(found["Friedman, depth 3, ε=5: MSE / the mean's"]) <= 0.8
