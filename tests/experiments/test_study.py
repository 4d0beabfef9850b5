"""Studies: the same whatever the processes, paired by rows, kept and continued; and their records."""

import json
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from fdpedu.experiments import METHODS, PUBLISHED, VARIANTS, Faults, Setting, Study, Variant, records
from fdpedu.experiments import store as store_module
from fdpedu.experiments.drawing import as_svg
from fdpedu.experiments.records import FIELDS, as_csv, as_table
from fdpedu.experiments.store import Store, read_results, written
from fdpedu.files import FileRefused

SMALL = {"runs": 12, "n": 40, "p": 3, "max_depth": 2, "epsilons": ["1/2", 5]}


def small(variant="published", figure=5, **others):
    return Study.of(figure, variant, **{**SMALL, "rho": "0.3", **others})


def test_results_do_not_depend_on_the_number_of_processes():
    assert small().results(jobs=2) == small().results()


def test_results_do_not_depend_on_what_else_is_asked():
    """A method's runs are the same alone and beside others, and for one ε and for two."""
    whole, alone = small().results()[0], small(methods=["algorithm-6"], epsilons=[5]).results()[0]
    assert alone.correct["algorithm-6", Fraction(5)] == whole.correct["algorithm-6", Fraction(5)]
    longer = small(runs=22).results()[0]
    assert longer.correct["local", None][:12] == whole.correct["local", None]


def test_seeds_settings_and_budgets_have_noise_of_their_own():
    base = small().results()[0].correct
    assert base["algorithm-5", Fraction(1, 2)] != base["algorithm-5", Fraction(5)]
    for other in (small(seed=1), small(max_depth=3), small("printed")):
        assert other.results()[0].correct["algorithm-5", Fraction(5)] != base["algorithm-5", Fraction(5)]


def test_rows_are_shared_by_depths_and_methods_and_not_by_runs():
    """The same rows at every depth and for every method; other rows in every run; noise apart from rows."""
    one, deeper = small().tasks()[0], small(max_depth=3).tasks()[0]
    assert all(np.array_equal(a, b) for a, b in zip(one._sample(3), deeper._sample(3), strict=True))
    assert not np.array_equal(one._sample(3).X, one._sample(4).X)
    streams = {one._noise(m, e).integers(2**60) for m in ("algorithm-5", "algorithm-6") for e in one.epsilons}
    assert len(streams) == 4


def test_each_fault_is_another_study():
    keys = {small().tasks()[0].key} | {
        replace(small(), variant=Variant("published", PUBLISHED.without(name))).tasks()[0].key
        for name in PUBLISHED.names()
    }
    assert len(keys) == 15


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


def test_a_study_goes_on_where_it_was_stopped(tmp_path, monkeypatch):
    """Finished tasks are read, not run; what is missing is run; the result is the same."""
    whole = small().results()
    assert small().results(keep=Store(tmp_path)) == whole
    files = sorted(tmp_path.iterdir())
    assert len(files) == 2
    files[1].unlink()
    ran = []
    run = store_module.Task.run
    monkeypatch.setattr(store_module.Task, "run", lambda task: ran.append(task.first) or run(task))
    assert small().results(keep=Store(tmp_path)) == whole and ran == [10]


def test_what_other_code_made_is_made_again(tmp_path, monkeypatch):
    small().results(keep=Store(tmp_path))
    monkeypatch.setattr(store_module, "fingerprint", lambda *_: "other code")
    ran = []
    run = store_module.Task.run
    monkeypatch.setattr(store_module.Task, "run", lambda task: ran.append(task.first) or run(task))
    small().results(keep=Store(tmp_path))
    assert ran == [0, 10]


def test_a_damaged_file_is_refused(tmp_path):
    small().results(keep=Store(tmp_path))
    file = sorted(tmp_path.iterdir())[0]
    file.write_text(file.read_text("utf8").replace('"n_test": 80', '"n_test": 81'), "utf8")
    with pytest.raises(FileRefused, match="changed after it was written"):
        small().results(keep=Store(tmp_path))


def test_results_are_read_as_they_were_written():
    task = small("printed").tasks()[0]
    found = task.run()
    assert read_results(task, json.loads(json.dumps(written(found)))) == found


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Study.of(6, "printed"), "figure must be 2, 3, 4 or 5"),
        (lambda: Study.of(3, "Printed"), "variant must be one of printed, published, corrected"),
        (lambda: small(runs=1), "runs must be an integer ≥ 2"),
        (lambda: small(seed=-1), "seed must be an integer ≥ 0"),
        (lambda: small(epsilons=[0]), "epsilon must be greater than 0"),
        (lambda: small(epsilons=[]), "epsilons must be one or more"),
        (lambda: small(epsilons=["1e7"]), "between 1e-6 and 1e6"),
        (lambda: small(methods=["algorithm-7"]), "method must be one of algorithm-5"),
        (lambda: Study((), VARIANTS["printed"]), "settings must be a list"),
        (lambda: Study((Setting(3, 250, 10, 5, 0),), "printed"), "variant must be a Variant"),
        (lambda: small().results(jobs=0), "jobs must be an integer ≥ 1"),
    ],
)
def test_what_makes_no_sense_is_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_clipped_is_the_same_on_clipped_counts(monkeypatch):
    """With the noise of the corrected trees, which are clipped, "-clipped" of a variant without faults is the same."""
    monkeypatch.setattr(store_module.Task, "_noise", lambda *_: np.random.default_rng(1))
    plain = Variant("plain", Faults())
    task = Study((Setting(5, 40, 3, 2, "0.3"),), plain, ("algorithm-6", "algorithm-6-clipped"), ("1",), 10).tasks()[0]
    corrected = replace(task, variant=VARIANTS["corrected"], methods=("algorithm-6",)).run().correct
    found = task.run().correct
    assert found["algorithm-6-clipped", Fraction(1)] == corrected["algorithm-6", Fraction(1)]
    assert found["algorithm-6", Fraction(1)] != found["algorithm-6-clipped", Fraction(1)]
