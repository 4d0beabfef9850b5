"""The stored runs beside the source's tables: complete, the same when made again, and means that follow from them."""

import json
from fractions import Fraction

import numpy as np
import pytest

from benchmarks import stamp, vos_printed, vos_tables
from benchmarks.vos_tables import CART, CURVES, FIGURE, METHODS, SETS, VOTES, Task, at_most, source_of, tasks_of
from tests.support.repository import ROOT, drawn_by_the_code

KEPT = json.loads((ROOT / "book/measured/vos_tables.json").read_text("utf8"))
STALE = "book/measured/vos_tables.json is stale: make measure NAME=vos_tables"
ROWS = {(row["data"], row["epsilon"], row["method"]): row for row in KEPT["records"]}


def test_nothing_is_missing():
    """Ten methods on six sets at three ε, Adult's curves at four more, CART and the votes; all folds of all runs."""
    runs = {key: [] for key in ROWS}
    for task in tasks_of(KEPT["seeds"]):
        for method in task.methods():
            runs[task.name, str(task.epsilon), method].append(task.seed)
    assert len(ROWS) == len(KEPT["records"]) == 6 * 3 * 9 + 6 + 1 + len(FIGURE) * len(CURVES)
    for key, seeds in runs.items():
        assert len(ROWS[key]["runs"]) == len(seeds) >= 1, (STALE, key)
        assert {len(one) for one in ROWS[key]["runs"]} == {4 if key[2] == VOTES else 5}


def test_it_says_where_it_was_measured():
    """Processor, date and the code of each file, those of the trees among them."""
    files = {"trees/designs/privatree/fit.py", "sources/vos/printed.py", "robust/ensemble.py"}
    assert files < KEPT["measured"].keys() and KEPT["date"] in stamp.since(KEPT)


def test_a_random_part_is_made_again():
    """A run of each method on a small set, and one on Adult; others for other code."""
    draw = drawn_by_the_code()
    small = [task for task in tasks_of(KEPT["seeds"]) if task.name in ("breast-w", "vote") and task.epsilon]
    adult = Task("adult", 0, Fraction(1, 10))
    for task, method in [*((draw.choice(small), m) for m in METHODS if m != CART), (adult, "choice")]:
        ((name, found),) = vos_tables.measure(task, [method]).items()
        row = ROWS[task.name, str(task.epsilon), name]
        assert found == pytest.approx(row["runs"][task.seed], abs=1e-5), (STALE, task, method)


def test_means_and_what_is_printed_follow():
    """The error is that of all folds; the source's numbers are those of the one table in which they are typed."""
    for row in KEPT["records"]:
        if row["method"] == VOTES:
            assert row["accuracy"] == pytest.approx(np.mean(row["runs"], axis=0), abs=1e-5)
            assert row["accuracy"] == sorted(row["accuracy"], reverse=True)
        else:
            every = np.ravel(row["runs"])
            assert row["accuracy"] == pytest.approx(every.mean(), abs=1e-5)
            assert row["se"] == pytest.approx(every.std(ddof=1) / np.sqrt(len(every)), abs=1e-5)
    assert KEPT["source"] == list(vos_printed.rows()) and len(KEPT["source"]) == 3 * (6 * 6 - 2)
    assert KEPT["at most"]["vote"] == {"1/100": 0.085, "1/10": 0.85, "1": at_most("vote", Fraction(1))}


def test_the_sets_are_those_of_the_source():
    """Rows, features, categories and the share of the larger class, as in its Table IV."""
    table = {
        "adult": (45_222, 14, 8, 0.752), "breast-w": (683, 9, 0, 0.650), "diabetes": (768, 8, 0, 0.651),
        "mushroom": (5644, 22, 22, 0.618), "nursery": (12_960, 8, 8, 0.667), "vote": (232, 16, 16, 0.534),
    }  # fmt: skip
    for name in SETS:
        source = source_of(name)
        largest = max(np.unique(source.y, return_counts=True)[1]) / len(source.y)
        found = (len(source.y), source.X.shape[1], source.X.shape[1] - source.numeric)
        assert found == table[name][:3] and largest == pytest.approx(table[name][3], abs=6e-4), name
