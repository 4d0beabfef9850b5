"""What is shown of a study is what came of it; and comparisons with references, run by run, from rows of their own."""

import csv
import io
import re
from fractions import Fraction

import numpy as np
import pytest

import fdpedu.simulation
from fdpedu.datasets import DataSet, Split
from fdpedu.domain import Domain, Numeric
from fdpedu.experiments import PRINTED, REAL, VARIANTS, Setting, epsilon_spent, own, paired_difference, records
from fdpedu.experiments import gap as gap_module
from fdpedu.experiments.designs import DESIGN_METHODS, grow_design
from fdpedu.experiments.drawing import as_svg
from fdpedu.experiments.protocol import PARTIES
from fdpedu.experiments.records import FIELDS, as_csv, as_table
from fdpedu.experiments.sample import draw_sample
from fdpedu.experiments.tasks import Results

BUDGETS = (Fraction(1, 2), Fraction(3), Fraction(10))
METHODS = ("algorithm-6", "algorithm-5-clipped", "algorithm-6-clipped", "default")
SETTINGS = [Setting(3, 250, p, depth, rho, "1/3", "2/5") for p, depth, rho in [(4, 5, "0.9"), (6, 7, "0.3"), (9, 2, 0)]]
SETTINGS += [Setting(3, 990, 11, 3, "0.5", "2/7", "1/6")]


def results_of(setting, seed=0, runs=7):
    """Numbers of their own for each method and ε."""
    rng = np.random.default_rng([seed, setting.p])
    keys = [(method, epsilon) for method in METHODS for epsilon in BUDGETS] + [("local", None), ("central", None)]
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
        for start, method in enumerate((*METHODS, "local", "central")):
            three = own_rows[3 * start : 3 * start + 3]
            cells = [f"{row['mean']:.3f} ({row['se']:.3f})" for row in three]
            place = next(i for i, line in enumerate(lines) if line.startswith(f"{method} "))
            assert re.findall(r"\S+ \(\S+\)", lines[place]) == cells
            if method in METHODS:
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
        for i, (method, curve) in enumerate(zip((*METHODS, "local", "central"), curves, strict=True)):
            three = every[3 * i : 3 * i + 3]
            for row, (x, y), bar in zip(three, curve, bars[3 * i :], strict=False):
                scale = 170 / (high - low)
                assert x == pytest.approx(60 + 340 * row["epsilon"] / 10, abs=0.1) == pytest.approx(bar[0], abs=0.1)
                assert y == pytest.approx(210 - scale * (row["mean"] - low), abs=0.1)
                ends = [210 - scale * (row["mean"] + k * row["se"] - low) for k in (2, -2)]
                assert bar[1:] == pytest.approx(ends, abs=0.1)
            cost = f": {three[0]['epsilon_spent'] / 0.5:.3g} ε" if method in METHODS else ""
            assert names[i] == f"{method}{cost}"


# --- comparisons ------------------------------------------------------------------------------------------------------

THREE = Domain([Numeric.grid("x", 0, 4, 4)], (0, 1, 2))


class Drawn:
    """A law that notes where its rows come from; the third class is the most frequent of those to learn from."""

    def __init__(self):
        self.first = []

    def __call__(self, rng):
        self.first.append(int(rng.integers(2**60)))
        return Split(
            np.full((60, 1), 1.5), np.repeat([0, 1, 2], [10, 20, 30]), np.ones((10, 1)), [0] * 5 + [1] * 3 + [2] * 2
        )


def data_of(name="three"):
    drawn = Drawn()
    return drawn, DataSet(name, 60, THREE, drawn)


def test_a_comparison_is_made_of_its_runs(monkeypatch):
    """Means, the difference and the error of the difference run by run, at each of three ε for itself."""
    table = np.random.default_rng(1).uniform(0, 1, (6, 5))
    monkeypatch.setattr(own, "_run", lambda *given: table[given[-1]])
    found = own.compare_with_own(data_of()[1], [1, 2, 3], parties=4, runs=6)
    for i, one in enumerate(found):
        each = table[:, 2 + i] - table[:, 1]
        assert one.majority == pytest.approx(table[:, 0].mean()) and one.own == pytest.approx(table[:, 1].mean())
        assert one.private == pytest.approx(table[:, 2 + i].mean()) and one.difference == pytest.approx(each.mean())
        assert one.se == pytest.approx((sum((each - each.mean()) ** 2) / 5 / 6) ** 0.5)
        assert (one.epsilon, one.parties, one.n, one.data) == (i + 1, 4, 60, "three")


@pytest.fixture
def simulated(monkeypatch):
    """What is simulated: methods, rows, options and the first number of each stream."""
    calls = []

    def simulate(method, rows, *, rng, **options):
        calls.append((method, rows, options, int(rng.integers(2**60))))
        return np.arange(rows.n_runs) % (rows.n_test + 1)

    monkeypatch.setattr(fdpedu.simulation, "simulate", simulate)
    return calls


@pytest.mark.parametrize("skewed", [False, True])
def test_own_trees_are_compared_on_rows_of_their_own(simulated, skewed):
    """Other rows, another division and other noise in each run, at each ε, of each seed and data set."""
    sizes = [4, 8, 12, 16, 20] if skewed else [12] * 5
    streams, rows = [], []
    for seed, name in ((0, "three"), (1, "three"), (0, "other")):
        drawn, data = data_of(name)
        (one, _) = own.compare_with_own(data, [1, 2], parties=5, skewed=skewed, runs=3, seed=seed, max_depth=4)
        assert one.majority == pytest.approx(0.2)  # the third class is the most frequent of those that were learnt from
        rows += drawn.first
    assert len(set(rows)) == 9
    for method, given, options, first in simulated:
        assert np.bincount(given.parties[0]).tolist() == sizes and given.n_parties == 5
        assert options["max_depth"] == 4 and (options.get("epsilon") is None) == (method == "local")
        streams.append(first)
    assert len(set(streams)) == len(streams) == 27
    assert len({tuple(given.parties[0]) for _, given, *_ in simulated}) == 9
    assert [options.get("epsilon") for _, _, options, _ in simulated[:3]] == [None, 1, 2]


def test_gaps_are_measured_on_rows_of_their_own(simulated, monkeypatch):
    """The same of a gap; each of seven parties has rows; both references see the same rows."""
    low = []
    monkeypatch.setattr(gap_module, "algorithm_5", lambda codes, labels, tests, domain, epsilon, rng: (
        low.append((epsilon, int(rng.integers(2**60)))), np.zeros(len(tests), int))[1])  # fmt: skip
    two = Domain([Numeric.grid("x", 0, 4, 4)], (0, 1))

    def law(name, first):
        def draw(rng):
            first.append(int(rng.integers(2**60)))
            X = rng.uniform(0, 4, (70, 1))
            return Split(X, (X[:, 0] > 2).astype(int), X[:40], (X[:40, 0] > 2).astype(int))

        return DataSet(name, 70, two, draw)

    firsts = [], []
    monkeypatch.setattr(gap_module, "BENCHMARK", (law("one", firsts[0]), law("two", firsts[1])))
    for seed, epsilon in ((0, 1), (1, 1), (0, 2)):
        found = gap_module.gap_closed("default", epsilon, runs=3, parties=7, seed=seed)
        assert found.data == ("one", "two") and [upper for *_, upper in found.accuracies] == [1.0, 1.0]
    assert len({*firsts[0], *firsts[1]}) == 12 and [len(first) for first in firsts] == [9, 9]  # ε names no rows
    assert all(np.bincount(given.parties[0]).tolist() == [10] * 7 for _, given, *_ in simulated)
    for streams in ([first for *_, first in simulated], [first for _, first in low]):
        assert len(set(streams)) == len(streams) == 18
    assert (
        [options["epsilon"] for _, _, options, _ in simulated] == [epsilon for epsilon, _ in low] == [1] * 12 + [2] * 6
    )
    assert {options["max_depth"] for _, _, options, _ in simulated} == {5}


@pytest.mark.parametrize("method", DESIGN_METHODS)
def test_designs_are_grown_as_the_setting_says(method, simulated):
    """Depth, leaf share, the least number of rows, five parties; rows of every run."""
    setting = Setting(3, 40, 3, 6, "0.3", "2/7")
    samples = [draw_sample(setting, VARIANTS["corrected"].faults, np.random.default_rng(run)) for run in range(3)]
    assert grow_design(method, samples, setting, Fraction(3), np.random.default_rng(1)) == [0, 1, 2]
    ((name, rows, options, _),) = simulated
    assert name == method and Fraction(options.pop("leaf_share")) == Fraction(2, 7)
    assert options == {"epsilon": 3, "max_depth": 6, "min_samples_split": 10}
    assert rows.n_parties == PARTIES and np.array_equal(rows.parties, [sample.party for sample in samples])
    for run, sample in enumerate(samples):
        assert np.array_equal(rows.labels[run], sample.y) and np.array_equal(rows.test_labels[run], sample.y_test)
        expected = [rows.domain.encode(part) for part in (sample.X, sample.X_test)]
        assert np.array_equal(rows.codes[run], expected[0]) and np.array_equal(rows.test_codes[run], expected[1])


@pytest.mark.parametrize(("data", "load", "chosen"), [
    (REAL[1], "load_wine", 0), (REAL[2], "load_digits", 0), (REAL[3], "load_digits", 8)])  # fmt: skip
def test_real_rows_are_all_there_once_with_the_class_of_their_name(data, load, chosen):
    """Those to learn from and those to be tested on are all rows of scikit-learn, each once."""
    import sklearn.datasets

    X, y = getattr(sklearn.datasets, load)(return_X_y=True)
    split = data.draw(np.random.default_rng(3))
    both = np.column_stack(
        [np.concatenate([split.X_train, split.X_test]), np.concatenate([split.y_train, split.y_test])]
    )
    expected = np.column_stack([X, y == chosen])
    assert np.array_equal(both[np.lexsort(both.T)], expected[np.lexsort(expected.T)])
    assert str(chosen) in data.name or data.name == "wine, the first grower"
