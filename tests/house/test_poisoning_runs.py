"""The stored runs of backdoors and of forged rows: complete, the same when made again, with means that follow."""

import json
import random
from itertools import pairwise

import numpy as np
import pytest

from benchmarks import one_owner, poisoning, poisoning_trees, stamp
from benchmarks.poisoning import FORGED, LEARNERS
from benchmarks.poisoning_trees import (
    BOUNDS,
    CERTIFIED,
    CURVE,
    EPSILONS,
    EXACT,
    NOISY,
    PRINTED,
    SETTINGS,
    STRUCTURED,
    VOTES,
)
from benchmarks.words import GROUPS, row_in_words
from tests.support.repository import ROOT

KEPT = json.loads((ROOT / "book/measured/poisoning.json").read_text("utf8"))
TREES = json.loads((ROOT / "book/measured/poisoning_trees.json").read_text("utf8"))
STALE = "book/measured/poisoning*.json are stale: make poisoning"
BACKDOOR = {(row["learner"], row["rows"]): row for row in KEPT["backdoor"]}
BOUND = {(row["data"], row["epsilon"], row["bound"]): row for row in TREES["bounds"]}
SMALL = SETTINGS[0]


def test_nothing_is_missing():
    """Six learners at four numbers of forged pictures; all bounds of both trees at six ε, and votes."""
    assert BACKDOOR.keys() == {(learner, x) for learner in LEARNERS for x in FORGED}
    assert {len(row["runs"]) for row in KEPT["backdoor"]} == {KEPT["seeds"]} and KEPT["seeds"] >= 20
    names = [setting.name for setting in SETTINGS]
    private = {(data, str(e), bound) for data in names for e in EPSILONS for bound in BOUNDS}
    assert BOUND.keys() == private | {(data, None, VOTES) for data in names}
    for setting in SETTINGS:
        shapes = {np.shape(row["runs"]) for row in TREES["bounds"] if row["data"] == setting.name}
        assert shapes == {(TREES["seeds"], len(setting.rows))} and TREES["seeds"] >= 20
    assert {(row["seed"], row["epsilon"]) for row in TREES["attack"]} == {
        (seed, str(e)) for seed in range(TREES["seeds"]) for e in NOISY
    }


def test_they_say_where_they_were_measured():
    """Processor, date and the code of each file, those of the attack and the certificate among them."""
    for kept, name in ((KEPT, "poisoning/backdoor.py"), (TREES, "poisoning/certificate.py")):
        assert {name, "privatree/fit.py", "federation/curator.py"} < kept["measured"].keys()
        assert kept["date"] in stamp.since(kept) and kept["processor"] in stamp.since(kept)


def test_a_random_backdoor_is_made_again():
    """A run of each learner, another in every run of the tests."""
    draw = random.SystemRandom()
    for learner in LEARNERS:
        task = draw.choice(poisoning.tasks_of(KEPT["seeds"]))
        (found,) = poisoning.measure(task, [learner]).values()
        assert found == pytest.approx(BACKDOOR[learner, task.rows]["runs"][task.seed], abs=1e-5), (STALE, task)


def test_random_bounds_are_made_again():
    """Of the small data: bounds at one ε up to twenty forged rows, votes, and whether they keep their order."""
    seed, epsilon = random.SystemRandom().randrange(TREES["seeds"]), random.SystemRandom().choice(EPSILONS)
    repetition, some = poisoning_trees.Repetition(poisoning_trees.Task(0, seed, "bounds")), SMALL.rows[:9]
    found = {**repetition.bounds(epsilon, some), VOTES: repetition.votes(some)}
    for bound, accuracies in found.items():
        stored = BOUND[SMALL.name, None if bound == VOTES else str(epsilon), bound]["runs"][seed]
        assert accuracies == pytest.approx(stored[: len(some)], abs=2e-5), (STALE, seed, epsilon, bound)


def test_means_follow_from_the_runs():
    """Of backdoors and of bounds."""
    for row in KEPT["backdoor"]:
        success, accuracy = np.mean(row["runs"], axis=0)
        assert (row["success"], row["accuracy"]) == pytest.approx((success, accuracy), abs=1e-5)
        spread = np.std([one for one, _ in row["runs"]], ddof=1) / np.sqrt(KEPT["seeds"])
        assert row["se"] == pytest.approx(spread, abs=1e-5)
    for row in TREES["bounds"]:
        assert row["mean"] == pytest.approx(np.mean(row["runs"], axis=0), abs=1e-5)
        assert row["se"] == pytest.approx(np.std(row["runs"], axis=0, ddof=1) / np.sqrt(TREES["seeds"]), abs=1e-5)
        assert row["tenth"] == pytest.approx(np.quantile(row["runs"], 0.1, axis=0), abs=1e-5)
    assert "choice, ε = 1" in poisoning.report(KEPT["backdoor"])
    found = {key: TREES[key] for key in ("bounds", "attack", "coverage")}
    assert all(words in poisoning_trees.report(found) for words in (SMALL.name, CERTIFIED, "certificates held", "se)"))


def test_weaker_bounds_are_below_stronger_ones():
    """In every run: as printed, the curve, leaves apart, the worst case; all fall with the number of forged rows."""
    for setting in SETTINGS:
        for epsilon in map(str, EPSILONS):
            runs = [
                np.array(BOUND[setting.name, epsilon, name]["runs"]) for name in (PRINTED, CURVE, STRUCTURED, EXACT)
            ]
            for weaker, stronger in pairwise(runs):
                assert (weaker <= stronger + 2e-5).all(), (setting.name, epsilon)
            assert all((np.diff(each, axis=1) <= 0).all() for each in runs)


def test_certificates_hold_as_often_as_they_say():
    """Of 400 releases at either ε no more than 5 % fail on average; the file has no more than 9 % of them."""
    for epsilon in map(str, NOISY):
        own = [row for row in TREES["coverage"] if row["epsilon"] == epsilon]
        releases = sum(row["releases"] for row in own)
        assert releases >= 400 and sum(row["held"] for row in own) >= 0.91 * releases


def test_the_measured_targets_are_met():
    """One forged picture opens CART, and twenty-four a private tree; what one tree certifies; the best attack."""
    assert BACKDOOR["CART", 1]["success"] >= 0.8
    assert BACKDOOR["choice, ε = 1", 0]["success"] <= 0.25 and BACKDOOR["choice, ε = 1", 24]["success"] >= 0.5
    at = SMALL.rows.index(20)
    assert BOUND[SMALL.name, "1", CERTIFIED]["mean"][at] >= 0.83
    assert BOUND[SMALL.name, "1", PRINTED]["mean"][at] < 0.001
    off = np.array([(row["attacked"] - row["exact"]) / row["se"] for row in TREES["attack"]])
    assert abs(off.sum()) <= 3 * np.sqrt(len(off)) and (np.abs(off) <= 4.5).all()


def test_the_rows_of_speed_have_words():
    """All groups of one owner's trees are named on the page of speed."""
    rows = list(one_owner.rows())
    assert {row.group for row in rows} < GROUPS.keys() and all(" / " not in row_in_words(row.name) for row in rows)
    assert [row.limit for row in rows if row.quick] == [6.0, 10.0, 3.0, 3.0]
