"""A study on a cluster: Dask's scheduler and two worker processes, by joblib's back end, without a change of code."""

import os
from dataclasses import replace

import joblib
import pytest

from fdpedu import simulation
from fdpedu.experiments import Study, mixture_of
from fdpedu.experiments import study as study_module
from fdpedu.experiments.store import Store

PRIVATE = ("algorithm-5", "algorithm-6")  # without scikit-learn, which each worker would have to load
REPORT = Study.of(5, "published", runs=12, methods=PRIVATE, n=40, max_depth=2, rho="0.3", epsilons=["1/2", 5])
OWN = simulation.Study(
    [simulation.Setting(mixture_of(60, 2, "1/2"), 2, 2)], ["central", "default"], ["1"], runs=3, seed=4, chunk=1
)


def run_where(task):
    """A task's results, with the number of the process that made them."""
    return replace(task.run(), n_test=os.getpid())


@pytest.fixture(scope="module")
def cluster():
    """A scheduler and two workers of this machine, each a process of one thread."""
    from distributed import Client, LocalCluster

    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs="CRITICAL") as workers,
        Client(workers) as client,
    ):
        yield client


def test_the_report_s_study_is_the_same_on_a_cluster(cluster, tmp_path):
    """Its results bit for bit, its progress, and its finished tasks in a folder that all workers see."""
    shown = []
    with joblib.parallel_config(backend="dask"):
        found = REPORT.results(jobs=2, keep=Store(tmp_path), progress=lambda done, of: shown.append((done, of)))
    assert found == REPORT.results()
    assert shown == [(done, 6) for done in range(1, 7)] and len(list(tmp_path.iterdir())) == 6


def test_a_study_of_the_engine_is_the_same_on_a_cluster(cluster):
    with joblib.parallel_config(backend="dask"):
        found = [result.to_json() for result in OWN.results(jobs=2)]
    assert found == [result.to_json() for result in OWN.results()]


def test_the_workers_run_the_tasks(cluster):
    """None of them is run by this process; however many jobs are asked for, the cluster's two workers share them."""
    with joblib.parallel_config(backend="dask"):
        found = replace(REPORT, runs=2).results(jobs=9, keep=run_where)
    workers = set(cluster.run(os.getpid).values())
    assert len(workers) == 2 and os.getpid() not in workers and {one.n_test for one in found} <= workers


def test_a_worker_of_other_code_is_refused(cluster, monkeypatch):
    """Its results might be others, and nothing would show it."""
    monkeypatch.setattr(study_module, "_made_by", lambda: "fdpedu of code 0123456789abcdef and NumPy 0.1")
    with (
        joblib.parallel_config(backend="dask"),
        pytest.raises(ValueError, match="the sender has fdpedu of code 01"),
    ):
        REPORT.results(jobs=2)


def test_without_joblib_one_process_does_it(monkeypatch):
    small = replace(REPORT, settings=REPORT.settings[:1])
    monkeypatch.setitem(__import__("sys").modules, "joblib", None)
    with pytest.raises(ValueError, match=r"pip install .* or set jobs to 1"):
        small.results(jobs=2)
    assert len(small.results(keep=run_where)) == 1
