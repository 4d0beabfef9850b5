"""The stored runs of backdoors: complete, the same when made again, with means that follow."""

import json

import numpy as np
import pytest

from benchmarks import one_owner, poisoning, stamp
from benchmarks.poisoning import FORGED, LEARNERS
from benchmarks.words import GROUPS, row_in_words
from tests.support.repository import ROOT, drawn_by_the_code

KEPT = json.loads((ROOT / "book/measured/poisoning.json").read_text("utf8"))
STALE = "book/measured/poisoning.json is stale: make measure NAME=poisoning"
BACKDOOR = {(row["learner"], row["rows"]): row for row in KEPT["backdoor"]}


def test_nothing_is_missing():
    """Six learners at four numbers of forged pictures, a run of each for every seed."""
    assert BACKDOOR.keys() == {(learner, x) for learner in LEARNERS for x in FORGED}
    assert {len(row["runs"]) for row in KEPT["backdoor"]} == {KEPT["seeds"]} and KEPT["seeds"] >= 20


def test_it_says_where_it_was_measured():
    """Processor, date and the code of each file, that of the attack among them."""
    files = {"robust/backdoor.py", "trees/designs/privatree/fit.py", "federation/curator.py"}
    assert files < KEPT["measured"].keys()
    assert KEPT["date"] in stamp.since(KEPT) and KEPT["processor"] in stamp.since(KEPT)


def test_a_random_backdoor_is_made_again():
    """A run of each learner, anothers for other code."""
    draw = drawn_by_the_code()
    for learner in LEARNERS:
        task = draw.choice(poisoning.tasks_of(KEPT["seeds"]))
        (found,) = poisoning.measure(task, [learner]).values()
        assert found == pytest.approx(BACKDOOR[learner, task.rows]["runs"][task.seed], abs=1e-5), (STALE, task)


def test_means_follow_from_the_runs():
    """With their standard errors."""
    for row in KEPT["backdoor"]:
        success, accuracy = np.mean(row["runs"], axis=0)
        assert (row["success"], row["accuracy"]) == pytest.approx((success, accuracy), abs=1e-5)
        spread = np.std([one for one, _ in row["runs"]], ddof=1) / np.sqrt(KEPT["seeds"])
        assert row["se"] == pytest.approx(spread, abs=1e-5)
    assert "choice, ε = 1" in poisoning.report(KEPT["backdoor"])


def test_the_measured_targets_are_met():
    """One forged picture opens CART, and twenty-four a private tree at ε = 1."""
    assert BACKDOOR["CART", 1]["success"] >= 0.8
    assert BACKDOOR["choice, ε = 1", 0]["success"] <= 0.25 and BACKDOOR["choice, ε = 1", 24]["success"] >= 0.5


def test_the_rows_of_speed_have_words():
    """All groups of one owner's trees are named on the page of speed."""
    rows = list(one_owner.rows())
    assert {row.group for row in rows} < GROUPS.keys() and all(" / " not in row_in_words(row.name) for row in rows)
    assert [row.limit for row in rows if row.quick] == [6.0, 10.0, 3.0, 3.0]
