"""The stored runs of boosting: complete, and the same when a random part is made again; means follow from them."""

import json

import numpy as np
import pytest

from benchmarks import boosting, ensembles, stamp
from benchmarks.accuracy import Task
from benchmarks.boosting import ALONE, CART, METHODS, OURS, PEER, Outcome
from benchmarks.boosting_data import DATA, MAIN, binned
from fdpedu.datasets import BENCHMARK
from fdpedu.domain import Numeric
from tests.support.repository import PACKAGE, ROOT, drawn_by_the_code

FILE = ROOT / "book" / "measured" / "boosting.json"
KEPT = json.loads(FILE.read_text("utf8"))
STALE = "book/measured/boosting.json is stale: make measure NAME=boosting"
NEW = [data for data in DATA if data not in BENCHMARK]


def stored(task, method):
    """The kept run of a method of a task."""
    key = DATA[task.data].name, str(task.epsilon), method
    (row,) = (one for one in KEPT["records"] if (one["data"], one["epsilon"], one["method"]) == key)
    return row["runs"][task.seed]


def test_nothing_is_missing():
    """Sixteen data sets at ε = 1/2 and 1, the main ones at 2; eight methods; a run of each for every seed."""
    expected = {
        (data.name, epsilon, method)
        for data in DATA
        for epsilon in ("1/2", "1", "2")[: 3 if data.name in MAIN else 2]
        for method in METHODS
    }
    assert len(DATA) == 16 and set(MAIN) < {data.name for data in BENCHMARK}
    assert {(row["data"], row["epsilon"], row["method"]) for row in KEPT["records"]} == expected
    assert {len(row["runs"]) for row in KEPT["records"]} == {KEPT["seeds"]} and KEPT["seeds"] >= 6
    assert {(row["data"], row["epsilon"], row["method"]) for row in KEPT["paired"]} == {
        key for key in expected if key[2] in OURS
    }


def test_it_says_where_it_was_measured():
    """Processor, date and the code of each file, the files of boosting among them; the peer's versions, as pinned."""
    assert {"boosting/growth.py", "gradients/sums.py", "federation/federation.py"} < KEPT["measured"].keys()
    said = stamp.since(KEPT)
    assert KEPT["date"] in said and KEPT["processor"] in said
    pins = (ROOT / "locks" / "peers-boosting.lock").read_text("utf8")
    assert all(f"{name}=={version} " in pins for name, version in KEPT["peer"].items())
    assert (KEPT["parties"], KEPT["tolerate"], KEPT["delta"]) == (5, 1, "1/1000000")


def test_a_random_part_is_made_again():
    """Two runs of each way of boosting and of one tree, others for other code; of small data, for the time.

    Scores are floats, so another processor may round one of them differently.
    """
    draw = drawn_by_the_code()
    small = {k for k, data in enumerate(DATA) if data.size * data.domain.n_features < 20_000}
    tasks = [task for seed in range(KEPT["seeds"]) for task in boosting.tasks_of(seed) if task.data in small]
    for method in (*OURS, "one tree"):
        for task in draw.sample(tasks, 2):
            task = Task(task.data, task.epsilon, task.seed, task.parties, (method,))
            found, (accuracy, auc, _) = boosting.measure(task)[method], stored(task, method)
            assert (found.accuracy, found.auc) == pytest.approx((accuracy, auc), abs=1e-5), (STALE, task)


def test_what_is_not_private_is_made_again():
    """CART and one party's own boosting, on the same rows: floats of another processor may move a few of them."""
    task = next(task for task in boosting.tasks_of(0, ["wine"], (CART, ALONE)))
    for method, found in boosting.measure(task).items():
        assert found.accuracy == pytest.approx(stored(task, method)[0], abs=0.06), method


def test_means_and_paired_differences_follow_from_the_runs():
    """By hand for two data sets; those of the file from its own runs."""
    runs = {
        ("wine", "1", "trees"): [Outcome(0.9, 0.95, 1), Outcome(0.8, 0.85, 3)],
        ("wine", "1", PEER): [Outcome(0.7, 0.9, 1), Outcome(0.8, 0.75, 1)],
        ("shells", "1", "trees"): [Outcome(0.5, 0.5, 1), Outcome(0.5, 0.5, 1)],
    }
    assert boosting.records(runs)[0] == {
        "data": "wine", "epsilon": "1", "method": "trees", "accuracy": 0.85, "accuracy_se": 0.05, "auc": 0.9,
        "auc_se": 0.05, "seconds": 2.0, "runs": [[0.9, 0.95, 1], [0.8, 0.85, 3]],
    }  # fmt: skip
    assert boosting.paired(runs) == [
        {"data": "wine", "epsilon": "1", "method": "trees", "accuracy": 0.1, "accuracy_se": 0.1, "auc": 0.075,
         "auc_se": 0.025},
    ]  # fmt: skip
    whole = {
        (row["data"], row["epsilon"], row["method"]): [Outcome(*run) for run in row["runs"]] for row in KEPT["records"]
    }
    assert boosting.records(whole) == KEPT["records"] and boosting.paired(whole) == KEPT["paired"]
    assert all(words in boosting.report(KEPT["records"]) for words in ("ε=1/2", "card imitation", PEER, "0.9"))


def test_runs_of_other_code_are_not_kept(tmp_path, monkeypatch):
    """What is resumed has the same code and the same peer; a file that is not there has no seeds."""
    file = tmp_path / "boosting.json"
    monkeypatch.setattr(boosting, "versions", lambda: KEPT["peer"])
    assert boosting.kept(file)[1] == 0
    name = "boosting/growth.py"
    now = {**KEPT, "measured": {name: stamp.code_print((PACKAGE / name).read_text("utf8"))}}
    for changed, seeds in (
        (now, KEPT["seeds"]),
        ({**now, "measured": {name: "another"}}, 0),
        ({**now, "peer": {**KEPT["peer"], "interpret-core": "0.0.1"}}, 0),
    ):
        file.write_text(json.dumps(changed), "utf8")
        runs, done, speed = boosting.kept(file)
        assert done == seeds and bool(runs) == bool(speed) == bool(seeds)


@pytest.mark.parametrize("data", NEW, ids=lambda data: data.name)
def test_a_new_data_set_is_drawn_anew_and_its_ranges_fit(data):
    """Round public ends that no column has as an extreme, but for 0; few values are clipped; both classes are there."""
    one, again, other = (data.draw(np.random.default_rng(seed)) for seed in (7, 7, 8))
    assert all(np.array_equal(a, b) for a, b in zip(one, again, strict=True))
    assert not np.array_equal(one.X_train, other.X_train) and len(one.X_train) == data.size
    assert len(one.X_test) == {"card imitation": 3000, "shells": 4000, "wine": 58}[data.name]
    assert set(one.y_train) == set(one.y_test) == set(data.domain.classes)
    assert max(data.domain.admit(one.X_train)[1].values()) <= 0.02 * data.size
    for feature, column in zip(data.domain.features, one.X_train.T, strict=True):
        if isinstance(feature, Numeric):
            low, high = feature.edges[0], feature.edges[-1]
            assert float(f"{high:.2g}") == high != column.max() and (low == 0 or low != column.min())


def test_boosting_has_32_bins_in_the_same_ranges():
    """Categories stay as they are."""
    for data in DATA:
        for old, new in zip(data.domain.features, binned(data.domain).features, strict=True):
            assert new.n_codes == (32 if old.ordered else old.n_codes) and new.name == old.name
            if isinstance(old, Numeric):
                assert (new.edges[0], new.edges[-1]) == (old.edges[0], old.edges[-1])


def test_the_peer_has_the_same_rows_and_ranges(monkeypatch):
    """Clipped, with codes for categories; asked with the budget of the task, and a seed of its own stream."""
    asked = []

    def answer(environment, script, rows, **question):
        assert (environment, script) == (".peers-boosting", "boosting.py")
        with np.load(rows) as table:
            asked.append((question, {name: table[name] for name in table.files}))
        return {"scores": [0.0] * len(asked[-1][1]["test"]), "seconds": 1.0}

    monkeypatch.setattr(boosting, "ask", answer)
    for name in ("card imitation", "shells"):
        task = boosting.tasks_of(0, [name], (PEER,))[0]
        assert boosting.measure(task)[PEER].auc == 0.5
        (question, rows), repetition = asked.pop(), boosting.Repetition(task)
        assert (question["epsilon"], question["delta"]) == (0.5, 1e-6) and 0 <= question["seed"] < 2**31
        features, X = DATA[task.data].domain.features, repetition.split.X_train
        for j, (feature, ends) in enumerate(zip(features, question["ranges"], strict=True)):
            column = rows["train"][:, j]
            if ends is None:
                assert not feature.ordered and np.array_equal(column, feature.encode(X[:, j]))
            else:
                low, high = ends
                assert np.array_equal(column, np.clip(X[:, j].astype(float), low, high))
                assert (low, high) == (feature.edges[0], feature.edges[-1])
        assert np.array_equal(rows["labels"], DATA[task.data].domain.encode_labels(repetition.split.y_train))


def test_speed_and_requests_were_measured():
    """The row of `make bench` is the one of the file; a request is never larger than 256 kB."""
    (row,) = ensembles.rows()
    speed = KEPT["speed"]
    assert (speed["group"], speed["name"], speed["limit"]) == (row.group, row.name, row.limit)
    assert speed["median"] <= speed["limit"] and set(KEPT["request_bytes"]) == {"trees", "curves"}
    assert max(KEPT["request_bytes"].values()) <= 256_000
