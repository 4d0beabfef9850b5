"""What the benchmarks say of their numbers, and that they still find the code that they measure."""

import json
import re
from fractions import Fraction

import pytest

from benchmarks import better_trees, conclusions, stamp, trees, two_currencies
from benchmarks.accuracy import CLIPPED, CONFIGURATIONS, LOWER, UPPER
from benchmarks.repeated import a_row_a_line
from benchmarks.tables import currencies, gaps, ratios
from benchmarks.words import GROUPS, METHODS, row_in_words
from fdpedu.datasets import BENCHMARK
from fdpedu.experiments import gap_closed
from tests.support.repository import ROOT

KEPT = {name: json.loads((ROOT / f"book/measured/{name}.json").read_text("utf8")) for name in ("speed", "accuracy")}
LARGE, SMALL = "mixture n=20000 p=10 ρ=0.3", "mixture n=250 p=10 ρ=0.9"
FIT = "a fit from raw values / LightGBM from raw values"
MANY, FEW = (f"{rows} rows × 20, 32 bins, 2 classes, depth 5" for rows in ("1,000,000", "1,000"))
PARTIES = "a fit of K parties / K/5 fits of 5"


def accuracies(**lost):
    """A kept file in which a private tree loses so many points on large data and on small."""
    return {"records": [
        {"data": name, "epsilon": "1", "method": method, "mean": mean}
        for name, points in ((LARGE, lost["large"]), (SMALL, lost["small"]))
        for method, mean in ((conclusions.ORDINARY, 0.8), (conclusions.PRIVATE, 0.8 - points / 100))
    ]}  # fmt: skip


def speeds(group, many, few):
    names = {FIT: (MANY, FEW), PARTIES: ("1,000,000 rows, K = 100", "10,000 rows, K = 100")}[group]
    pairs = zip(names, (many, few), strict=True)
    return {"ratios": [{"group": group, "name": name, "median": ratio, "seconds": 0.04} for name, ratio in pairs]}


@pytest.mark.parametrize(
    ("large", "small", "parts"),
    [
        (2, 9, ("2 fewer", "9 fewer", "More rows make")),
        (9, 2, ("9 fewer", "2 fewer", "did not make")),
        (-3, 0, ("3 more", "no fewer", "More rows make")),
    ],
)
def test_accuracy_is_concluded_from_the_numbers(large, small, parts):
    """More rows make privacy cheaper only where they do."""
    words = conclusions.on_accuracy(accuracies(large=large, small=small))
    assert all(part in words for part in parts)


@pytest.mark.parametrize(("many", "few", "end"), [(0.8, 8, "Few rows cost more"), (8, 0.8, "no more than many")])
def test_time_is_concluded_from_the_numbers(many, few, end):
    """Few rows cost more per row only where they do."""
    words = conclusions.on_time(speeds(FIT, many, few))
    assert f"takes {many} times" in words and f"takes {few} times" in words and end in words


@pytest.mark.parametrize(
    ("many", "few", "end"),
    [(0.7, 1.9, "where its own rows are few."), (0.7, 0.9, "does not grow"), (2, 3, "grows with their number.")],
)
def test_parties_are_concluded_from_the_numbers(many, few, end):
    """A party's work grows in both cases, in one, or in none."""
    words = conclusions.on_parties(speeds(PARTIES, many, few))
    assert f"{many} times the work" in words and end in words


@pytest.mark.parametrize(("there", "worse"), [(152, True), (100, False)])
def test_two_accuracies_of_the_same_patients_are_explained(there, worse):
    """By the noise of a count, which is 25 times as large; and not where it makes nothing worse."""
    kept = {"records": [{"data": "breast cancer", "epsilon": "1", "method": conclusions.PRIVATE, "mean": 0.77}]}
    words = conclusions.on_breast_cancer(kept, {"by diagnosis": {"private": [there]}, "patients": 169})
    assert f"{there / 169:.0%}".replace("%", " %") in words and "77 %" in words and "25 times" in words
    assert ("did not make it worse" in words) != worse


def test_every_row_has_words():
    """All trees and all groups that are stored; no name that only programs need is on the page."""
    assert (
        METHODS.keys() == {LOWER, UPPER, CLIPPED, *CONFIGURATIONS} == {r["method"] for r in KEPT["accuracy"]["pooled"]}
    )
    assert {row["group"] for row in KEPT["speed"]["ratios"]} <= GROUPS.keys()
    page = gaps(KEPT["accuracy"]) + ratios(KEPT["speed"])
    assert "n·G" not in page and "K = " not in page and "tolerate=" not in page and " m = " not in page
    assert row_in_words("ε = 1, m = 99") == "ε = 1, 99 shares make up the noise"


def test_a_fit_with_inexact_noise_is_one():
    """The rows that change what the package draws with find what they change."""
    assert [row.limit for row in trees._demo()] == [3.0, None]


def test_what_was_measured_is_known_by_its_code(tmp_path, monkeypatch):
    """A docstring, a comment and a blank line change nothing; a number does, and so does a file that is gone."""
    code = 'def f():\n    """One."""\n    return 1\n'
    assert stamp.code_print(code) == stamp.code_print('"""Of all."""\n\n\ndef f():  # one\n    return 1\n')
    assert stamp.code_print(code) != stamp.code_print(code.replace("return 1", "return 2"))
    now = stamp.stamp()
    assert "trees/grow.py" in now["measured"] and stamp.changed_since(now) == []
    assert "is the one that you have" in stamp.since(now)
    assert "you have" not in stamp.since({**now, "measured": {}})
    monkeypatch.setattr(stamp, "PACKAGE", tmp_path)
    (tmp_path / "a.py").write_text(code)
    kept = {"measured": {"a.py": stamp.code_print(code), "b/c.py": "gone", "b/d.py": "gone"}}
    assert stamp.changed_since(kept) == ["b"] and "measured, b have other code" in stamp.since({**now, **kept})


@pytest.mark.parametrize("file", sorted((ROOT / "book/measured").glob("*.json")), ids=lambda file: file.stem)
def test_a_date_says_of_older_files_that_rows_were_dealt_in_equal_parts(file):
    """A file that measured private trees does, until it is measured with the code that deals row by row.

    Of rows that were made again since the date says so, too.
    """
    if file.stem == "mutants":
        return  # of tests, and not of trees
    kept = json.loads(file.read_text("utf8"))
    never = {"experiments", "fedga", "poisoning"}  # the sources' own parts; one owner
    old = file.stem not in never and "federation/dealing.py" not in kept.get("measured", {})
    day, again = r"\d{4}-\d\d-\d\d", r"(, the printed rows on \d{4}-\d\d-\d\d)?"
    assert re.fullmatch(day + stamp.EQUAL_PARTS * old + again, kept["date"])


def test_the_shares_of_better_trees_are_those_of_gap_closed(monkeypatch):
    """Of any method, ε and number of parties; rows that are sorted before they are divided make another share."""
    monkeypatch.setattr(better_trees, "METHODS", ("rotating", "local"))
    monkeypatch.setattr(better_trees, "EPSILONS", (Fraction(1), Fraction(2)))
    monkeypatch.setattr(better_trees, "SIZES", (2, 3))
    tasks = [task for task in better_trees.tasks_of(2) if task.data < 2]
    rows = better_trees.records(tasks, [better_trees.measure(task) for task in tasks])
    data = [one.name for one in BENCHMARK[:2]]
    for row in rows:
        again = gap_closed(row["method"], row["epsilon"], data=data, runs=2, parties=row["parties"])
        same = (row["share"], row["se"]) == (pytest.approx(again.share), pytest.approx(again.se))
        assert same == (row["series"] != "skewed"), row
    rotating = {(row["series"], row["epsilon"], row["parties"]) for row in rows if row["method"] == "rotating"}
    private = {("by epsilon", "1", 5), ("by epsilon", "2", 5), ("by parties", "1", 2), ("by parties", "1", 3)}
    assert rotating == {*private, ("skewed", "1", 5)}
    assert all(words in better_trees.report(rows) for words in ("rotating", "ε=2", "K=2", "±"))


def test_the_shares_of_two_currencies_are_those_of_gap_closed(monkeypatch):
    """With and without δ; by groups of data sets with so many features; and the table has a row for each."""
    monkeypatch.setattr(two_currencies, "METHODS", ("screened",))
    monkeypatch.setattr(two_currencies, "EPSILONS", (Fraction(1), Fraction(2)))
    tasks = [task for task in two_currencies.tasks_of(2) if task.data < 2]
    rows = two_currencies.records(tasks, [two_currencies.measure(task) for task in tasks])
    assert {row["group"]: row["data_sets"] for row in rows} == {"all": 2, "10 to 14 features": 1, "25 to 30": 1}
    names = {"all": [0, 1], "10 to 14 features": [0], "25 to 30": [1]}
    for row in rows:
        data, delta = [BENCHMARK[k].name for k in names[row["group"]]], None if row["delta"] == "0" else row["delta"]
        again = gap_closed("screened", row["epsilon"], delta=delta, data=data, runs=2)
        assert (row["share"], row["se"]) == (pytest.approx(again.share), pytest.approx(again.se))
        assert again.delta == Fraction(row["delta"])
    assert all(words in two_currencies.report(rows) for words in ("screened, without δ", "ε=2", "25 to 30"))
    table = currencies({"records": rows})
    assert table.count("paid in ρ") == table.count("paid in ε") == 3 and "ε = 2" in table


@pytest.mark.parametrize(
    ("pure", "rho", "words"), [(0.2, 0.5, "more with δ at ε = 1"), (0.5, 0.2, "less with it"), (0.3, 0.31, "is level")]
)
def test_what_is_said_of_delta_is_what_was_measured(pure, rho, words):
    row = {"method": "default", "epsilon": "1", "group": "all", "se": 0.02}
    rows = [{**row, "delta": "0", "share": pure}, {**row, "delta": "1/1000000", "share": rho}]
    other = {**row, "group": "50", "delta": "0", "share": 9}
    assert words in conclusions.on_delta({"records": [*rows, other]})


@pytest.mark.parametrize("file", sorted((ROOT / "book/measured").glob("*.json")), ids=lambda file: file.stem)
def test_a_stored_measurement_has_a_row_a_line(file):
    """So that a difference shows which rows differ; the study of chapter 10 has its own writer, a setting a line."""
    text = file.read_text("utf8")
    content = json.loads(text)
    if file.stem == "experiments":
        assert text.count("\n") > len(content["settings"])
    elif file.stem != "mutants":
        assert text == a_row_a_line(content) + "\n"
    assert text.count("\n") > 50


@pytest.mark.parametrize(
    "content", [{"a": 1.5, "é": None}, {"rows": [{"x": "y" * 200, "runs": [[1, 2], [3]]}] * 3, "n": [1] * 99}, [[]], {}]
)
def test_what_is_written_in_rows_is_read_back(content):
    """The same numbers, in the same order; a row is one line, rows in a row have lines of their own."""
    assert json.loads(a_row_a_line(content)) == content
    deep = {"of": [{"name": "n" * 200, "in it": [{"x": 1}, {"x": 2}]}]}
    assert a_row_a_line(deep).count("\n") > 4 and json.loads(a_row_a_line(deep)) == deep
