"""An audit in a file: what is read again is what was written, and what cannot be is refused."""

import json
from pathlib import Path

import numpy as np
import pytest

from fdpedu import files
from fdpedu.audit import Audit, audit
from fdpedu.audit.audit_file import SCHEMA
from tests.support.audits import EVENT, noisy

KEPT = ("sentence", "epsilon_lower", "e_value", "runs", "refuted_at", "pair", "event", "learnt_on", "counts")


def made(**options):
    return audit(noisy(2), [], [1], **{"runs": 400, "seed": 5, **options})


def learnt_by(kind):
    """A mechanism, made anew: a source with a state does not go on after a fork."""
    count, weak = noisy(2), noisy("1/2")
    return {
        "a number": count,
        "a falling number": lambda data: -count(data),
        "a word": lambda data: "yes" if count(data) > 0 else "no",
        "a pair": lambda data: [weak(data), weak(data), "x"],
        "an infinity": lambda data: float("inf") if data else -float("inf"),
        "an exception": lambda data: 1 / len(data),
    }[kind]


KINDS = ("a number", "a falling number", "a word", "a pair", "an infinity", "an exception")


@pytest.mark.parametrize("kind", KINDS)
def test_what_was_learnt_is_read_again(kind, tmp_path):
    """It goes on as if it had never been away: the same order, the same event, the same guesses."""
    mechanism = learnt_by(kind)
    found = audit(mechanism, [], [1], runs=400, seed=5)
    found.save(tmp_path / "a.json")
    read = Audit.load(tmp_path / "a.json", mechanism, [], [1])
    assert [getattr(read, name) for name in KEPT] == [getattr(found, name) for name in KEPT]
    assert np.array_equal(read.marks, found.marks) and read._event == found._event
    assert read.to_json() == found.to_json() and read.more(100).runs == 500


def test_it_goes_on_in_the_same_order(tmp_path):
    """An exact answer: which guesses are right is the order itself."""
    whole = audit(len, [], [1], event=lambda n: n == 1, runs=300, seed=8)
    part = audit(len, [], [1], event=lambda n: n == 1, runs=100, seed=8)
    part.save(tmp_path / "a.json")
    read = Audit.load(tmp_path / "a.json", len, [], [1], event=lambda n: n == 1).more(200)
    assert np.array_equal(read.marks, whole.marks) and read.refuted_at == whole.refuted_at


def test_an_event_of_ones_own_has_to_be_given_again(tmp_path):
    """Without it there is the audit to look at; with another number of sets it is refused."""
    found = made(event=EVENT)
    found.save(tmp_path / "a.json")
    read = Audit.load(tmp_path / "a.json", noisy(2), [], [1])
    assert read.event == found.event and read.refuted == found.refuted
    with pytest.raises(ValueError, match="event was the caller's own"):
        read.more(10)
    assert Audit.load(tmp_path / "a.json", noisy(2), [], [1], event=EVENT).more(10).runs == 410
    with pytest.raises(ValueError, match="as many sets as before, 2, got 1"):
        Audit.load(tmp_path / "a.json", event=EVENT[0])
    made().save(tmp_path / "b.json")
    with pytest.raises(ValueError, match="event must be left out"):
        Audit.load(tmp_path / "b.json", event=EVENT)


def test_without_a_mechanism_it_is_looked_at_only(tmp_path):
    found = made()
    found.save(tmp_path / "a.json")
    read = Audit.load(tmp_path / "a.json")
    assert read.sentence == found.sentence and found.sentence[:30] in read._repr_html_()
    with pytest.raises(ValueError, match="so it cannot go on: give Audit"):
        read.more(1)
    with pytest.raises(ValueError, match=r"those of the audit, \[\] and \[1\], got \[\] and \[2\]"):
        Audit.load(tmp_path / "a.json", noisy(2), [], [2])


def test_a_file_is_not_written_over(tmp_path):
    made().save(tmp_path / "a.json")
    with pytest.raises(ValueError):
        made(seed=6).save(tmp_path / "a.json")
    made(seed=6).save(tmp_path / "a.json", overwrite=True)


def changed(document, key, value):
    """The document with another value, whose digest fits."""
    content = {k: v for k, v in json.loads(document).items() if k not in ("schema", "program", "digest")}
    content[key] = value
    return files.dumps(SCHEMA, content)


WRONG = [
    *(("epsilon", bad) for bad in ("-1", "51", None, "x")),
    *(("delta", bad) for bad in ("-1", "1", [])),
    *(("alpha", bad) for bad in ("0", "1", {})),
    *(("pair", bad) for bad in (["a"], ["a", "b", "c"], ["a", 1], "ab", None)),
    *(("seed", bad) for bad in (5, "x", "-1", " 1", "1_0", "٣", str(2**129), "9" * 5000, None)),
    *(("looks", bad) for bad in ([0], [301], ["1"], None)),
    *(("learnt_on", bad) for bad in (-1, "1", 10**9, None)),
    *(("marks", bad) for bad in ("++x", 7, "é", None)),
    *(("event", bad) for bad in (None, [], {}, {"given": "x"}, {"given": 1, "directions": 1})),
    ("event", {"given": "x", "directions": 3}),
    ("more", 1),
]
SUM = {"words": "it", "kind": "'number'", "parts": [0], "weights": ["1.0"], "high": "1.0", "low": "0.0", "rising": True}
TABLE = {
    "words": "it",
    "of_what": "kind",
    "part": 0,
    "scores": {"a": "1.0"},
    "high": None,
    "low": "0.0",
    "rising": True,
}
WRONG += [("event", {**SUM, **bad}) for bad in (
    {"words": 1}, {"kind": 1}, {"parts": []}, {"parts": [-1]}, {"weights": []}, {"weights": ["x"]}, {"weights": [1.0]},
    {"high": "nan"}, {"high": "0.0"}, {"high": 1}, {"rising": 2}, {"rising": 1}, {"rising": "x"},
    {"parts": [0, 1]}, {"low": "2"},
)]  # fmt: skip
WRONG += [("event", {**TABLE, **bad}) for bad in (
    {"scores": [1]}, {"scores": []}, {"scores": ""}, {"scores": {"a": 1}},
    {"part": -1}, {"part": "0"}, {"of_what": 1}, {"scores": {"a": "nan"}},
)]  # fmt: skip


@pytest.mark.parametrize(("key", "value"), WRONG)
def test_what_cannot_be_is_refused(key, value, tmp_path):
    """By a sentence with the file's name, whatever stands there."""
    (tmp_path / "a.json").write_text(changed(made().to_json(), key, value), "utf8")
    with pytest.raises(files.FileRefused, match=r"a\.json: ."):
        Audit.load(tmp_path / "a.json")


def test_names_in_a_file_do_nothing_to_a_terminal(tmp_path):
    (tmp_path / "a.json").write_text(changed(made().to_json(), "pair", ["\x1b[2J", "a\nb"]), "utf8")
    read = Audit.load(tmp_path / "a.json")
    assert r"with D = \u001b[2J and D′ = a\u000ab" in read.sentence and "\n" not in repr(read)


@pytest.mark.parametrize("event", [SUM, TABLE, {"given": "x", "directions": 1}])
def test_what_can_be_is_read(event, tmp_path):
    """The same changes, made soundly."""
    (tmp_path / "a.json").write_text(changed(made().to_json(), "event", event), "utf8")
    assert Audit.load(tmp_path / "a.json").runs == 400


def test_a_missing_key_and_another_schema_are_refused(tmp_path):
    content = json.loads(made().to_json())
    for key in set(content) - {"schema", "program", "digest"}:
        less = {k: v for k, v in content.items() if k not in ("schema", "program", "digest", key)}
        (tmp_path / "a.json").write_text(files.dumps(SCHEMA, less), "utf8")
        with pytest.raises(files.FileRefused, match="an audit has exactly the keys alpha, broken_off, delta"):
            Audit.load(tmp_path / "a.json")
    (tmp_path / "a.json").write_text(files.dumps("fdpedu-tree/2", {}), "utf8")
    with pytest.raises(files.FileRefused, match="fdpedu-audit/1"):
        Audit.load(tmp_path / "a.json")


def test_what_follows_from_the_runs_is_found_again(tmp_path):
    """A file cannot say that something is refuted: it has the runs alone."""
    right = audit(noisy(1), [], [1], runs=400, seed=5)
    assert "refuted" not in right.to_json()
    (tmp_path / "a.json").write_text(changed(right.to_json(), "marks", "+" * 300), "utf8")
    assert not right.refuted and Audit.load(tmp_path / "a.json").refuted


def test_a_file_of_each_version_is_read():
    """What was written once is read on, and says the same."""
    kept = Audit.load(Path(__file__).parent / "data" / "audit-1.json")
    assert (kept.runs, kept.learnt_on, kept.counts, kept.refuted_at) == (400, 100, (267, 33, 0), 280)
    assert kept.event == "the output ≥ 1: D′; the output ≤ 0: D" and kept.epsilon_lower == 1.167
