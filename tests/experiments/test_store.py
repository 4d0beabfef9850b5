"""Studies that are kept: continued where they were stopped, and made again where anything differs."""

import json
from dataclasses import replace
from itertools import product

import pytest

from fdpedu.experiments import VARIANTS, Study
from fdpedu.experiments import store as store_module
from fdpedu.experiments import tasks as tasks_module
from fdpedu.experiments.store import Store, read_results, written
from fdpedu.experiments.tasks import Results
from fdpedu.files import FileRefused
from fdpedu.sources.gubler import Faults, Variant
from tests.support.reports_settings import BASE, BUDGETS, METHODS, SETTINGS

SMALL = {"runs": 12, "n": 40, "p": 3, "max_depth": 2, "epsilons": ["1/2", 5]}


def small(variant="published", figure=5, **others):
    return Study.of(figure, variant, **{**SMALL, "rho": "0.3", **others})


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


STUDY = Study((BASE,), VARIANTS["printed"], METHODS[:2], BUDGETS[:2], 12)
CHANGED = [
    *({"settings": (setting,)} for setting in SETTINGS[1:]),
    {"variant": VARIANTS["published"]},
    {"variant": Variant("printed", Faults())},
    {"methods": METHODS[1::-1]},
    {"methods": METHODS[:1]},
    {"epsilons": BUDGETS[1:3]},
    {"epsilons": BUDGETS[:1]},
    {"runs": 13},
    {"seed": 1},
]


@pytest.mark.parametrize("changed", CHANGED, ids=lambda changed: next(iter(changed)))
def test_what_was_stored_for_another_study_is_not_taken(changed, tmp_path, monkeypatch):
    """Another seed, budget, method, setting, variant or number of runs, in the same folder: grown anew."""
    ran = []

    def run(task):
        ran.append(task)
        shape = product(task.methods, task.epsilons)
        return Results(task.setting, task.variant, 9, {key: (len(ran),) * task.runs for key in shape}, {})

    monkeypatch.setattr(tasks_module.Task, "run", run)
    first = STUDY.results(keep=Store(tmp_path))
    assert STUDY.results(keep=Store(tmp_path)) == first and len(ran) == 2
    other = replace(STUDY, **changed)
    new = [task for task in other.tasks() if task not in STUDY.tasks()]
    other.results(keep=Store(tmp_path))
    assert ran[2:] == new and new
