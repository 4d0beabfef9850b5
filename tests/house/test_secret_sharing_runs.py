"""The stored runs of trees by shares and of private votes: complete, the same when made again, sound means."""

import json

import numpy as np
import pytest

from benchmarks import secret_sharing, stamp, votes
from benchmarks.secret_sharing import DATA, DIVISIONS, PARTIES, RULES, Task, lied_to
from benchmarks.words import GROUPS, row_in_words
from tests.support.repository import ROOT, drawn_by_the_code

pytestmark = pytest.mark.filterwarnings("ignore::fdpedu.federation.ClippedWarning")  # of data drawn here

KEPT = json.loads((ROOT / "book/measured/secret_sharing.json").read_text("utf8"))
STALE = "book/measured/secret_sharing.json is stale: make measure NAME=secret_sharing"
ROWS = {(row["data"], row["parties"], row["division"]): row for row in KEPT["figure_4"]}


def test_nothing_is_missing():
    """Four data sets, three numbers of parties, three divisions; four parties for the table of traffic; liars; gaps."""
    names = [data.name for data, _, _ in DATA]
    assert ROWS.keys() == {(d, n, way) for d in names for n in PARTIES for way in DIVISIONS} | {
        (d, 4, "a") for d in names
    }
    for data, _, runs in DATA:
        own = [row for row in KEPT["figure_4"] if row["data"] == data.name]
        assert {row["runs"] for row in own} == {runs} and runs >= (10 if data.name == "digits" else 20)
    for (_, _, division), row in ROWS.items():
        models = {
            "central",
            "local",
            *(RULES if division == "a" else RULES[:2]),
            *({"votes"} if division == "a" else ()),
        }
        assert row["models"].keys() == models and (division != "a" or {"jaccard", "size"} <= row.keys())
    assert {gap["method"] for gap in KEPT["gap"]} == {"votes", "default", "rotating"}
    assert {(row["design"], row["liar"]) for row in KEPT["liar"]} == {
        (d, lies) for d in ("votes", "rotating") for lies in (False, True)
    }
    assert {row["data"] for row in KEPT["times"]["table 2"]} == set(names)


def test_it_says_where_it_was_measured():
    """Processor, date and the code of each file, that of both kinds of trees among them."""
    assert {"sources/elzein/growing.py", "trees/designs/votes.py", "simulation/voting.py"} < KEPT["measured"].keys()
    said = stamp.since(KEPT)
    assert KEPT["date"] in said and KEPT["processor"] in said


def test_a_random_part_is_made_again():
    """A repetition of two of the small tasks, others for other code; and one with a liar."""
    draw = drawn_by_the_code()
    for data, division in ((0, "a"), (0, "bc")):
        task = Task(data, draw.choice((2, 5)), draw.choice(division), draw.randrange(DATA[data][2]))
        row, found = ROWS[DATA[data][0].name, task.n_parties, task.division], secret_sharing.measure(task)
        for name, (accuracy, _) in found["scores"].items():
            assert accuracy == pytest.approx(row["models"][name]["all"][task.seed], abs=1e-5), (STALE, task, name)


def test_means_follow_from_the_runs():
    """Of all models; and the paired differences of the targets, from the same runs."""
    for row in KEPT["figure_4"]:
        for model in row["models"].values():
            mean, error = model["accuracy"]
            assert mean == pytest.approx(np.mean(model["all"]), abs=1e-5)
            assert error == pytest.approx(np.std(model["all"], ddof=1) / np.sqrt(row["runs"]), abs=1e-5)
    assert secret_sharing.differences(KEPT["figure_4"]) == KEPT["targets"]
    assert all(words in secret_sharing.report(KEPT) for words in ("gap closed: votes", "digits", "±"))


def test_parts_are_as_stated():
    """Equal parts of all rows, a 25th each, and parts in the proportions 10 to 30."""
    assert Task(0, 5, "a", 0).sizes(400) == [80] * 5 and Task(0, 5, "b", 0).sizes(400) == [16] * 5
    assert Task(0, 5, "c", 0).sizes(400) == [40, 60, 80, 100, 120] and sum(Task(0, 10, "c", 0).sizes(400)) == 400


def test_a_liar_is_told_from_an_honest_party():
    """With the same seed a tree with a liar is another one."""
    assert lied_to(("votes", True, 0)) != lied_to(("votes", False, 0))


def test_the_measured_targets_are_met():
    """Those that are inequalities of means; the page shows all with their errors."""
    found = {(row["data"], row["parties"], row["difference"]): row["mean"] for row in KEPT["targets"]}
    assert found["clusters", 5, "printed − local"] >= 0.015
    assert found["breast cancer", 2, "printed − local"] < 0.01
    assert next(gap["share"] for gap in KEPT["gap"] if gap["method"] == "votes") >= 0.35
    one = KEPT["times"]["against default"]
    assert one["votes"]["bytes"] <= 0.7 * one["default"]["bytes"]


def test_the_rows_of_speed_have_words():
    """Both groups of trees by votes are named on the page of speed, with their limits."""
    rows = list(votes.rows())
    assert {row.group for row in rows} < GROUPS.keys() and all(" / " not in row_in_words(row.name) for row in rows)
    assert [row.limit for row in rows if row.quick] == [2.0, 0.7]
