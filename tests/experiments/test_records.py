"""What is shown of a study is what came of it: records, tables and drawings."""

import csv
import io
import json
import re
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from fdpedu.experiments import METHODS, VARIANTS, Study, paired_difference, records
from fdpedu.experiments.drawing import as_svg
from fdpedu.experiments.records import FIELDS, as_csv, as_table
from fdpedu.experiments.tasks import Results
from fdpedu.sources.gubler import PRINTED, Setting, epsilon_spent

BUDGETS = (Fraction(1, 2), Fraction(3), Fraction(10))
SHOWN = ("algorithm-6", "algorithm-5-clipped", "algorithm-6-clipped", "default")
SETTINGS = [Setting(3, 250, p, depth, rho, "1/3", "2/5") for p, depth, rho in [(4, 5, "0.9"), (6, 7, "0.3"), (9, 2, 0)]]
SETTINGS += [Setting(3, 990, 11, 3, "0.5", "2/7", "1/6")]


def results_of(setting, seed=0, runs=7):
    """Numbers of their own for each method and ε."""
    rng = np.random.default_rng([seed, setting.p])
    keys = [(method, epsilon) for method in SHOWN for epsilon in BUDGETS] + [("local", None), ("central", None)]
    correct = {key: tuple(rng.integers(500 + 20 * i, 560 + 20 * i, runs).tolist()) for i, key in enumerate(keys)}
    return Results(setting, VARIANTS["printed"], 1000, correct, {})


ROWS = records([results_of(setting) for setting in SETTINGS])


def test_each_record_says_what_came_of_its_own_setting_method_and_budget():
    """Shares, sizes, means and errors; clipped trees that save cost what trees that save cost."""
    lines = {(row["p"], row["method"], row["epsilon"]): row for row in ROWS}
    assert len(lines) == len(ROWS) == 4 * 6 * 3
    for setting in SETTINGS:
        found = results_of(setting)
        for (method, epsilon), counts in found.correct.items():
            for booked in BUDGETS if epsilon is None else (epsilon,):
                row, each = lines[setting.p, method, float(booked)], [count / 1000 for count in counts]
                mean = sum(each) / 7
                se = (sum((value - mean) ** 2 for value in each) / 6 / 7) ** 0.5
                spent = "inf" if epsilon is None else epsilon_spent(method, booked, setting, PRINTED)
                assert row["mean"] == pytest.approx(mean) and row["se"] == pytest.approx(se) and row["runs"] == 7
                assert row["epsilon_spent"] == (spent if spent == "inf" else float(spent))
                shape = [row[name] for name in ("figure", "n", "p", "max_depth", "rho", "leaf_share", "bounds_share")]
                parts = (setting.rho, setting.leaf_share, setting.bounds_share)
                assert shape == [3, setting.n, setting.p, setting.max_depth, *map(float, parts)]
                saving = epsilon_spent("algorithm-6", booked, setting, PRINTED)
                assert spent == {"algorithm-6-clipped": saving, "algorithm-6": saving}.get(method, spent)
                assert method in ("local", "central") or (spent > booked) == method.startswith("algorithm-6")


def test_paired_differences_are_those_of_the_same_runs():
    """The first less the second, run by run; the error of seven differences."""
    found = results_of(SETTINGS[1])
    for one, other, epsilon in (("default", "local", 3), ("central", "algorithm-6", "1/2"), ("default", "default", 10)):
        a, b = (found.accuracy(name, Fraction(epsilon)) for name in (one, other))
        each = [x - y for x, y in zip(a, b, strict=True)]
        mean = sum(each) / 7
        se = (sum((value - mean) ** 2 for value in each) / 6 / 7) ** 0.5
        assert paired_difference(found, one, other, epsilon) == (pytest.approx(mean), pytest.approx(se))


def test_csv_is_the_records_in_their_order():
    again = list(csv.DictReader(io.StringIO(as_csv(ROWS))))
    assert [list(row) for row in again] == [list(FIELDS)] * len(ROWS)
    assert again == [{name: str(row[name]) for name in FIELDS} for row in ROWS]


def test_a_table_has_each_number_in_its_block_line_and_column():
    blocks = as_table(ROWS).split("\n\n")
    assert len(blocks) == len(SETTINGS)
    for setting, block in zip(SETTINGS, blocks, strict=True):
        head, budgets, *lines = block.split("\n")
        n, p, depth, rho = setting.n, setting.p, setting.max_depth, float(setting.rho)
        assert head == f"Figure 3 as printed: n={n}, p={p}, depth {depth}, ρ={rho:g}"
        assert budgets.split("=")[1].split() == ["0.5", "3", "10"]
        own_rows = [row for row in ROWS if row["p"] == setting.p]
        for start, method in enumerate((*SHOWN, "local", "central")):
            three = own_rows[3 * start : 3 * start + 3]
            cells = [f"{row['mean']:.3f} ({row['se']:.3f})" for row in three]
            place = next(i for i, line in enumerate(lines) if line.startswith(f"{method} "))
            assert re.findall(r"\S+ \(\S+\)", lines[place]) == cells
            if method in SHOWN:
                assert lines[place + 1].split("=")[1].split() == [f"{row['epsilon_spent']:.3g}" for row in three]


def test_a_drawing_has_each_point_in_its_panel_at_its_place():
    """Panels in rows of three; ticks give the scale; points, bars of two errors, names and costs of each curve."""
    drawing = as_svg(ROWS)
    panels = re.findall(r'<g transform="translate\((\d+),(\d+)\)">(.*?)</g>', drawing)
    assert [(int(x) // 420, int(y) // 330) for x, y, _ in panels] == [(0, 0), (1, 0), (2, 0), (0, 1)]
    for setting, (_, _, panel) in zip(SETTINGS, panels, strict=True):
        title = f"n={setting.n}, p={setting.p}, depth {setting.max_depth}, ρ={float(setting.rho):g}"
        assert f">{title}</text>" in panel
        curves = [[tuple(map(float, point.split(","))) for point in points.split()]
                  for points in re.findall(r'<polyline points="([^"]*)"', panel)]  # fmt: skip
        bars = [tuple(map(float, bar)) for bar in re.findall(r'<path d="M([\d.]+) ([\d.]+)V([\d.]+)" stroke', panel)]
        names = re.findall(r'<text x="[\d.]+" y="[\d.]+">([^<]*)</text>', panel)[1:]
        every = [row for row in ROWS if row["p"] == setting.p]
        low = min(0.5, *(row["mean"] - 2 * row["se"] for row in every))
        high = max(0.8, *(row["mean"] + 2 * row["se"] for row in every))
        assert re.findall(r'text-anchor="end">([\d.]+)<', panel) == [f"{v:.2f}" for v in (low, (low + high) / 2, high)]
        for i, (method, curve) in enumerate(zip((*SHOWN, "local", "central"), curves, strict=True)):
            three = every[3 * i : 3 * i + 3]
            for row, (x, y), bar in zip(three, curve, bars[3 * i :], strict=False):
                scale = 170 / (high - low)
                assert x == pytest.approx(60 + 340 * row["epsilon"] / 10, abs=0.1) == pytest.approx(bar[0], abs=0.1)
                assert y == pytest.approx(210 - scale * (row["mean"] - low), abs=0.1)
                ends = [210 - scale * (row["mean"] + k * row["se"] - low) for k in (2, -2)]
                assert bar[1:] == pytest.approx(ends, abs=0.1)
            cost = f": {three[0]['epsilon_spent'] / 0.5:.3g} ε" if method in SHOWN else ""
            assert names[i] == f"{method}{cost}"


SMALL = {"runs": 12, "n": 40, "p": 3, "max_depth": 2, "epsilons": ["1/2", 5]}


def small(variant="published", figure=5, **others):
    return Study.of(figure, variant, **{**SMALL, "rho": "0.3", **others})


def test_records_hold_what_they_promise():
    rows = records(small("printed").results())
    assert len(rows) == 4 * 2 and all(tuple(row) == FIELDS for row in rows)
    assert [row["method"] for row in rows[::2]] == list(METHODS)
    five, six = rows[0], rows[2]
    assert {key: five[key] for key in FIELDS[:10]} == {
        **{"figure": 5, "variant": "printed", "method": "algorithm-5", "n": 40, "p": 3, "max_depth": 2, "rho": 0.3},
        **{"epsilon": 0.5, "leaf_share": 0.5, "bounds_share": 0.25},
    }
    assert five["runs"] == 12 and five["epsilon_spent"] == 0.5 < six["epsilon_spent"] and 0 < five["se"] < 0.1
    assert all(row["epsilon_spent"] == "inf" for row in rows[4:])
    json.dumps(rows, allow_nan=False)


def test_means_and_errors_by_hand():
    found = small(methods=["local"]).results()[0]
    accuracy = np.array(found.correct["local", None]) / found.n_test
    row = records([found])[0]
    assert row["mean"] == pytest.approx(sum(accuracy) / 12)
    assert row["se"] == pytest.approx((sum((accuracy - accuracy.mean()) ** 2) / 11 / 12) ** 0.5)


def test_figure_2_has_one_algorithm_a_panel():
    study = Study.of(2, "corrected", runs=2, n=40, p=2, max_depth=1)
    tasks = study.tasks()
    assert [task.methods for task in tasks] == [("algorithm-5",)] * 9 + [("algorithm-6",)] * 81
    assert {task.epsilons for task in tasks} == {(Fraction(5),)}
    drawing = as_svg(records(replace(study, settings=study.settings[7:12]).results()))
    assert "leaf share" in drawing and "bounds share 0.1" in drawing


def test_texts():
    """A table with what a tree really costs, CSV, and a drawing in which every curve is named with its cost."""
    rows = records(small("printed").results())
    table, drawing = as_table(rows), as_svg(rows)
    assert "Figure 5 as printed: n=40, p=3, depth 2, ρ=0.3" in table and "really costs ε" in table
    assert as_csv(rows).splitlines()[0] == ",".join(FIELDS) and len(as_csv(rows).splitlines()) == 9
    assert drawing.count("<polyline") == 4 and "algorithm-5: 1 ε" in drawing and "<title>" in drawing
    assert "∞" in as_svg(records(small().results()))
