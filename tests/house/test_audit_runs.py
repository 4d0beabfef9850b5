"""The stored audits: complete, the same when made again, with medians that follow and keep to what was predicted."""

import json

import pytest

from benchmarks import audit as runs
from benchmarks import stamp
from benchmarks.audited_bugs import BUGS, play
from tests.support.repository import ROOT, drawn_by_the_code

KEPT = json.loads((ROOT / "book/measured/audit.json").read_text("utf8"))
STALE = "book/measured/audit.json is stale: make measure NAME=audit"
ROWS = {row["name"]: row for row in KEPT["trials"]}


def test_nothing_is_missing():
    """Twenty mechanisms with all seeds, twelve bugs in their order; and the code that was measured."""
    assert [*ROWS] == [*runs.BY_NAME] and {len(row["runs"]) for row in ROWS.values()} == {KEPT["seeds"]}
    assert KEPT["seeds"] >= 20 and [bug["name"] for bug in KEPT["bugs"]] == [bug.name for bug in BUGS]
    assert {"audit/auditing.py", "audit/learning.py", "federation/curator.py"} < KEPT["measured"].keys()
    assert KEPT["date"] in stamp.since(KEPT)


def test_some_audits_are_made_again():
    """Two of the mechanisms at a random seed, others for other code; and one of the quick bugs."""
    draw = drawn_by_the_code()
    for name in draw.sample([*runs.BY_NAME], 2):
        seed = draw.randrange(KEPT["seeds"])
        assert runs.measure((name, seed)) == ROWS[name]["runs"][seed], (STALE, name, seed)
    bug = draw.choice([bug for bug in BUGS if bug.words == "a noisy count"])
    (kept,) = (row for row in KEPT["bugs"] if row["name"] == bug.name)
    found = play(bug, broken=True)
    assert (found.refuted, found.refuted_at or found.runs) == (kept["refuted"], kept["runs"]), (STALE, bug.name)


def test_the_medians_follow_from_the_runs():
    again = runs.records({name: row["runs"] for name, row in ROWS.items()})
    assert again == KEPT["trials"]
    assert all(name in runs.report(again) for name in ROWS)


@pytest.mark.parametrize("name", runs.BY_NAME)
def test_each_is_refuted_within_twice_the_prediction(name):
    """With the event given, in the median; and no right version is refuted; the tree of two features never is."""
    row, trial = ROWS[name], runs.BY_NAME[name]
    assert row["alarms"] == 0 and row["predicted"] == runs.predicted(trial)
    if trial.shares is not None:
        assert row["measured"] <= 2 * row["predicted"]
    elif trial.found:
        assert row["learnt"] is not None
    else:
        assert {at for one in row["runs"] for at in one} == {None}


def test_half_of_the_noise_meets_its_targets():
    """430 runs with the event given, 2,000 with it learnt, in the median."""
    row = ROWS["half of the noise"]
    assert row["measured"] <= 430 and row["learnt"] <= 2000


def test_the_command_at_its_defaults():
    """It refutes half of the noise for at least 999 of 1,000 seeds, and the right noise for none; some again."""
    assert KEPT["commands"]["half"] >= 999 and KEPT["commands"]["right"] == 0
    seeds = [drawn_by_the_code().randrange(runs.COMMANDS) for _ in range(2)]
    assert [runs.refuted_by_default((rate, seed)) for rate in (2.0, 1.0) for seed in seeds] == [
        True,
        True,
        False,
        False,
    ]


def test_an_audit_finds_seven_or_more_of_the_bugs_and_no_right_code():
    assert sum(bug["refuted"] for bug in KEPT["bugs"]) >= 7
    assert not any(bug["right_refuted"] for bug in KEPT["bugs"])
