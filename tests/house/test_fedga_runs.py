"""The stored figures of FedGA-Tree in miniature: complete, the same when made again, sound means, targets met."""

import json
from itertools import pairwise

import numpy as np
import pytest

from benchmarks import fedga, stamp
from benchmarks.fedga import DATA, PAIRS, RUNS, SETTINGS, Task
from tests.support.repository import ROOT, drawn_by_the_code

pytestmark = pytest.mark.filterwarnings("ignore::fdpedu.federation.ClippedWarning")  # of data drawn here

KEPT = json.loads((ROOT / "book/measured/fedga.json").read_text("utf8"))
STALE = "book/measured/fedga.json is stale: make measure NAME=fedga"
ROWS = {(row["data"], row["parties"], row["division"], row["participation"]): row for row in KEPT["figures"]}


def test_nothing_is_missing():
    """Six data sets in seven settings, twelve paired runs each; baselines where all parties are there."""
    names = [data.name for data, _ in DATA]
    assert ROWS.keys() == {(name, n, way, str(share)) for name in names for n, way, share in SETTINGS} and RUNS >= 12
    for (name, _, _, share), row in ROWS.items():
        classes = next(data for data, _ in DATA if data.name == name).domain.target is None
        ibm = {"IBM, two", "IBM, median", "IBM, half"} if classes else set()
        assert row["models"].keys() == {"local", "FedGA-Tree"} | (
            {"central", "never sent"} | ibm if share == "1" else set()
        )
        assert row["runs"] == RUNS and all(len(model["all"]) == RUNS for model in row["models"].values())
    assert [(row["data"], row["parties"]) for row in KEPT["pairs"]] == [*PAIRS]


def test_it_says_where_it_was_measured():
    assert {"sources/fedga/server.py", "sources/fedga/splits.py", "cart/structures.py"} < KEPT["measured"].keys()
    said = stamp.since(KEPT)
    assert KEPT["date"] in said and KEPT["processor"] in said


def test_a_random_part_is_made_again():
    """A repetition of one task of each kind, others for other code."""
    draw = drawn_by_the_code()
    for data in (draw.choice((0, 1)), 5):
        setting, seed = draw.randrange(len(SETTINGS)), draw.randrange(RUNS)
        n_parties, division, share = SETTINGS[setting]
        row, found = ROWS[DATA[data][0].name, n_parties, division, str(share)], fedga.measure(Task(data, setting, seed))
        for name, scores in found["scores"].items():
            assert np.mean(scores) == pytest.approx(row["models"][name]["all"][seed], abs=2e-6), (STALE, data, name)


def test_means_follow_from_the_runs():
    """Of all models; and the targets, from the same runs."""
    for row in KEPT["figures"]:
        for model in row["models"].values():
            mean, error = model["score"]
            assert mean == pytest.approx(np.mean(model["all"]), abs=1e-5)
            assert error == pytest.approx(np.std(model["all"], ddof=1) / np.sqrt(RUNS), abs=1e-5)
    assert fedga.targets(KEPT["figures"], KEPT["pairs"]) == KEPT["targets"]
    assert all(words in fedga.report(KEPT) for words in ("never sent / FedGA-Tree", "diabetes", "±"))


def test_rows_are_divided_among_the_parties_and_sorted_where_it_says_so():
    for setting, (n_parties, division, _) in enumerate(SETTINGS):
        _, parties, _ = Task(0, setting, 3).rows()
        assert len(parties) == n_parties and sum(len(y) for _, y in parties) == 398
        ends = [(X[:, 0].min(), X[:, 0].max()) for X, _ in parties]
        in_order = all(high <= low for (_, high), (low, _) in pairwise(ends))
        assert in_order == (division == "sorted")


def test_the_measured_targets_are_met():
    found = {(row["data"], row["what"]): (row["mean"], row["se"]) for row in KEPT["targets"]}
    assert -0.005 <= found["breast cancer", "FedGA-Tree − local"][0] <= 0.035
    assert abs(found["breast cancer", "FedGA-Tree − never sent"][0]) <= 0.02
    assert found["friedman 1", "never sent / FedGA-Tree"][0] >= 1.3
    for name in ("wine", "diabetes"):
        gain, error = found[name, "eq. (3), local trees, %"]
        ratio, spread = found[name, "log-ratio, local trees"]
        assert gain > 2 * error and abs(ratio) <= 3 * spread
