"""The stored runs of boosting, ours and others': complete, and the same when a random part is made again."""

import json

import numpy as np
import pytest

from benchmarks import boosting, boosting_changes, boosting_joining, boosting_peers, boosting_runs, ensembles, stamp
from benchmarks.boosting_data import CHOSEN, DATA, EXTREME, RARE, binned
from benchmarks.boosting_peers import ALONE, HGB, HOSPITALS, LINEAR, PEER, SHARED
from benchmarks.boosting_runs import BY_NAME, NONE, Outcome, Repetition, Task
from fdpedu.domain import Numeric
from fdpedu.recommending import recommend
from tests.support.repository import ROOT, drawn_by_the_code


def kept_in(name):
    return json.loads((ROOT / "book" / "measured" / f"{name}.json").read_text("utf8"))


NAMES = ("boosting", "boosting_peers", "boosting_before")
FILES = {name: kept_in(name) for name in NAMES}
KEPT, PEERS, BEFORE = FILES.values()
JOINING, CHANGED = kept_in("boosting_joining"), kept_in("boosting_changes")


def stored(kept, task, method, epsilon):
    """The kept run of a method of a task."""
    key = task.data, epsilon, method
    (row,) = (one for one in kept["records"] if (one["data"], one["epsilon"], one["method"]) == key)
    return row["runs"][task.seed]


@pytest.mark.parametrize(("module", "kept"), [(boosting, KEPT), (boosting_peers, PEERS)], ids=["ours", "others"])
def test_nothing_is_missing(module, kept):
    """A run for each seed of all that is measured on each set, and of nothing else."""
    expected = {}
    for task in module.tasks_of(kept["seeds"]):
        for method, epsilon in task.runs:
            expected[task.data, epsilon, method] = expected.get((task.data, epsilon, method), 0) + 1
    assert {(r["data"], r["epsilon"], r["method"]): len(r["runs"]) for r in kept["records"]} == expected
    assert kept["seeds"] >= 5 and {data.name for data in DATA} <= {data for data, _, _ in expected}


def test_old_rule_is_there_for_every_set():
    """At the values of ε that the page compares; with the commit that has it."""
    there = {(r["data"], r["epsilon"], r["method"]) for r in BEFORE["records"]}
    assert len(BEFORE["commit"]) == 8 and {len(r["runs"]) for r in BEFORE["records"]} == {BEFORE["seeds"]}
    assert there >= {(d.name, e, f"{form}, old rule") for d in DATA for e in ("1/2", "1", "4")
                     for form in ("trees", "curves")}  # fmt: skip


def test_they_say_where_they_were_measured():
    """Processor, date and the code of each file, the files of boosting among them; the peer's versions, as pinned."""
    assert {"boosting/growth.py", "gradients/sums.py"} < KEPT["measured"].keys()
    assert all(name.startswith(boosting_peers.OF_ROWS) for name in PEERS["measured"]) and len(PEERS["measured"]) > 10
    for kept in FILES.values():
        assert kept["date"] in stamp.since(kept) and kept["processor"] in stamp.since(kept)
        assert (kept["parties"], kept["delta"]) == (5, "1/1000000")
    pins = (ROOT / "locks" / "peers-boosting.lock").read_text("utf8")
    assert all(f"{name}=={version} " in pins for name, version in PEERS["peer"].items())
    assert PEERS["chosen"] == [one.name for one in CHOSEN] and PEERS["rare"] == [one.name for one in RARE]


def test_a_random_part_is_made_again():
    """Three runs of boosting, others for other code, of small data, for the time.

    Scores are floats, so another processor may round one of them differently.
    """
    draw, small = drawn_by_the_code(), ("COMPAS", "breast cancer", "mixture of 1,000", "nursery", "card imitation")
    tasks = [task for task in boosting.tasks_of(KEPT["seeds"]) if task.data in small]
    for form in (boosting.TREES, boosting.CURVES, boosting.PURE):
        task = draw.choice(tasks)
        one = draw.choice([run for run in task.runs if run[0] == form])
        (found,), (accuracy, auc, _) = boosting.measure(Task(*task[:2], (one,))), stored(KEPT, task, *one)
        stale = "book/measured/boosting.json is stale: make measure NAME=boosting"
        assert (found.accuracy, found.auc) == pytest.approx((accuracy, auc), abs=1e-5), (stale, task, one)


def test_what_is_not_private_is_made_again():
    """On the same rows: floats of another processor may move a few of them."""
    task = Task("breast cancer", 0, ((HGB, NONE), (LINEAR, NONE), (ALONE, NONE)))
    for run, found in zip(task.runs, boosting_peers.measure(task), strict=True):
        assert found.accuracy == pytest.approx(stored(PEERS, task, *run)[0], abs=0.03), run


def test_means_follow_from_the_runs():
    """By hand for one; those of the files from their own runs; a report shows them."""
    runs = {("wine", "1", "trees"): [Outcome(0.9, 0.95, 1), Outcome(0.8, 0.85, 3)]}
    assert boosting_runs.records(runs)[0] == {
        "data": "wine", "epsilon": "1", "method": "trees", "accuracy": 0.85, "accuracy_se": 0.05, "auc": 0.9,
        "auc_se": 0.05, "seconds": 2.0, "runs": [[0.9, 0.95, 1], [0.8, 0.85, 3]],
    }  # fmt: skip
    for kept in FILES.values():
        assert boosting_runs.records(boosting_runs.of_records(kept["records"])) == kept["records"]
    assert all(words in boosting_runs.report(PEERS["records"]) for words in ("ε=1/2", "card imitation", PEER, "0.9"))


def test_changes_follow_from_their_runs_and_one_is_made_again():
    """All changes on each set; and with the guard every run of the hard cases is better by more than two hundredths."""
    runs = boosting_runs.of_records(CHANGED["records"])
    assert boosting_changes.changes(runs) == CHANGED["changes"]
    tasks = boosting_changes.tasks_of(CHANGED["seeds"])
    assert runs.keys() == {(task.data, epsilon, change) for task in tasks for change, epsilon in task.runs}
    for data, epsilon, copies in boosting_changes.HARD:
        guarded, not_guarded = (
            [one.auc for one in runs[data, epsilon, f"{change} ×{copies}"]]
            for change in (boosting_changes.AS_IT_IS, boosting_changes.UNGUARDED)
        )
        assert min(guarded) > max(not_guarded) + 0.02
    draw = drawn_by_the_code()
    task = draw.choice([one for one in tasks if one.data in ("COMPAS", "breast cancer", "mixture of 1,000")])
    change, epsilon = draw.choice(task.runs)
    (found,) = boosting_changes.measure(Task(*task[:2], ((change, epsilon),)))
    kept = runs[task.data, epsilon, change][task.seed]
    assert (found.accuracy, found.auc) == pytest.approx((kept.accuracy, kept.auc), abs=1e-5), (task, change)


def test_joining_is_compared_on_the_same_rows():
    """For each part, K and ε; the gain is what together has more than alone, whose model is the better of two."""
    expected = {
        (name, BY_NAME[name].size // part, k, epsilon)
        for name in SHARED
        for part, k in boosting_joining.sizes(BY_NAME[name].size)
        for epsilon in boosting_joining.EPSILONS
    }
    assert {(r["data"], r["rows"], r["hospitals"], r["epsilon"]) for r in JOINING["rows"]} == expected
    for row in JOINING["rows"]:
        assert row["gain"] == pytest.approx(row["together"] - row["alone"], abs=2e-4)
        assert row["model"] in (HGB, LINEAR) and row["hospitals"] in boosting_joining.HOSPITALS
    alone = {HGB: np.array([0.7, 0.7]), LINEAR: np.array([0.8, 0.8])}
    assert boosting_joining.gain(np.array([0.9, 0.7]), alone) == {
        "model": LINEAR, "together": 0.8, "together_se": 0.1, "alone": 0.8, "alone_se": 0.0, "gain": 0.0,
        "gain_se": 0.1,
    }  # fmt: skip


def test_recommended_joining_is_as_measured():
    """The rule is wrong in an eighth of the settings at most and loses little there; always and never lose more."""
    joined, gains = [], np.array([row["gain"] for row in JOINING["rows"]])
    for row in JOINING["rows"]:
        p, numbers = BY_NAME[row["data"]].domain.n_features, {"epsilon": row["epsilon"], "delta": "1/1000000"}
        size, parties = row["rows"], row["hospitals"]
        said = recommend(n_parties=parties, nominal_size=size, want="score", n_features=p, **numbers).alone
        joined.append(said.startswith("joining is better"))
    wrong = np.array(joined) != (gains > 0)
    lost = np.abs(gains)
    assert wrong.mean() < 1 / 8 and lost[wrong].sum() / len(gains) < 0.0025
    assert wrong.sum() < min((gains <= 0).sum(), (gains > 0).sum()) / 2


@pytest.mark.parametrize("data", [*DATA, EXTREME[0][0], EXTREME[2][0]], ids=lambda data: data.name)
def test_rows_are_drawn_anew_and_fit_their_ranges(data):
    """The same for the same seed; both classes; numbers have 256 bins; few values are clipped."""
    one, again, other = (data.draw(np.random.default_rng(seed)) for seed in (7, 7, 8))
    assert all(np.array_equal(a, b) for a, b in zip(one, again, strict=True))
    assert not np.array_equal(one.X_train, other.X_train) and len(one.X_train) == data.size
    assert set(one.y_train) == set(one.y_test) == {0, 1} == set(data.domain.classes)
    assert max(data.domain.admit(one.X_train[:2000])[1].values(), default=0) <= 0.1 * min(2000, data.size)
    assert all(f.n_codes == 256 for f in data.domain.features if isinstance(f, Numeric) and "pay" not in f.name)


def test_classes_are_as_rare_as_is_said():
    """Three of a hundred; and the larger set has all of Adult's other rows."""
    for data in RARE:
        split = data.draw(np.random.default_rng(1))
        y = np.concatenate([split.y_train, split.y_test])
        assert y.mean() == pytest.approx(0.03, abs=0.006)
    assert len(y) == 38_304 and y.sum() == 1_149


def test_bins_of_the_old_rule_are_in_the_same_ranges():
    """Categories stay as they are."""
    for data in DATA:
        for old, new in zip(data.domain.features, binned(data.domain).features, strict=True):
            assert new.n_codes == (32 if old.ordered else old.n_codes) and new.name == old.name
            if isinstance(old, Numeric):
                assert (new.edges[0], new.edges[-1]) == (old.edges[0], old.edges[-1])


def test_the_peer_has_the_same_rows_and_ranges(monkeypatch):
    """Clipped, with codes for categories; asked with the budget of the run, and a seed of its own stream."""
    asked = []

    def answer(environment, script, rows, **question):
        assert (environment, script) == (".peers-boosting", "boosting.py")
        with np.load(rows) as table:
            asked.append((question, {name: table[name] for name in table.files}))
        return {"scores": [0.0] * len(asked[-1][1]["test"]), "seconds": 1.0}

    monkeypatch.setattr(boosting_peers, "ask", answer)
    for name in ("card imitation", "breast cancer"):
        task = Task(name, 0, ((PEER, "1/2"),))
        assert boosting_peers.measure(task)[0].auc == 0.5
        (question, rows), repetition = asked.pop(), Repetition(task)
        assert (question["epsilon"], question["delta"]) == (0.5, 1e-6) and 0 <= question["seed"] < 2**31
        features, X = BY_NAME[name].domain.features, repetition.split.X_train
        for j, (feature, ends) in enumerate(zip(features, question["ranges"], strict=True)):
            column = rows["train"][:, j]
            if ends is None:
                assert not feature.ordered and np.array_equal(column, feature.encode(X[:, j]))
            else:
                assert np.array_equal(column, np.clip(X[:, j].astype(float), *ends))
                assert tuple(ends) == (feature.edges[0], feature.edges[-1])
        assert np.array_equal(rows["labels"], repetition.labels)


def test_a_hospital_alone_has_its_own_rows_only():
    """Of K as many as its share; and what has one class orders nothing."""
    repetition = Repetition(Task("breast cancer", 0, ()))
    assert [len(repetition.parts(k)[0]) for k in HOSPITALS] == pytest.approx([398 / k for k in HOSPITALS], rel=1, abs=9)
    ones = np.flatnonzero(repetition.labels)[:30]
    assert set(boosting_peers.unprotected(repetition, ones, HGB)) == {0.5}


def test_speed_and_requests_were_measured():
    """The rows of `make bench` are those of the file; a request is never larger than 256 kB."""
    for speed, row in zip(KEPT["speed"], ensembles.rows(), strict=True):
        assert (speed["group"], speed["name"], speed["limit"]) == (row.group, row.name, row.limit)
        assert speed["median"] <= speed["limit"]
    assert set(KEPT["request_bytes"]) == {"trees of 3", "trees of 5", "curves"}
    assert max(KEPT["request_bytes"].values()) <= 256_000
