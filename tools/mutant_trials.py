"""Inside pytest, for `tools/mutants.py`: run the collected tests on each mutant, in a process of its own.

The tests are imported and collected once, with all mutants asleep. First, one child runs all of them as they are and
notes which test calls which function, and for how long. Then a child for each mutant wakes it and runs the tests that
call its function, the fast ones first, until one fails. Children share nothing, so no cache hides a mutant. Tests that
draw inputs draw the same in every run, and do not look for the smallest counterexample.
"""

import functools
import gc
import json
import os
import resource
import signal
import sys
import time
from itertools import pairwise
from pathlib import Path

from _pytest.runner import runtestprotocol
from _pytest.warnings import catch_warnings_for_item
from hypothesis import HealthCheck, Phase, settings
from mutmut.mutation.trampoline import set_mutant_under_test
from mutmut.state import state

MEMORY = 4 * 2**30
PHASES = (Phase.explicit, Phase.generate)
settings.register_profile(
    "mutants", derandomize=True, database=None, deadline=None, phases=PHASES, suppress_health_check=list(HealthCheck)
)
settings.load_profile("mutants")  # before the tests are imported, whose own settings take the rest from here


def pytest_runtestloop(session):
    if session.testsfailed:
        raise session.Interrupted("the tests cannot be imported")
    plan = json.loads(Path("plan.json").read_text())
    gc.collect()
    caches = [each for each in gc.get_objects() if isinstance(each, functools._lru_cache_wrapper)]
    gc.freeze()  # what is frozen is not found any more
    if _status(_child(lambda: _note_callers(session.items, caches))) != 0:
        raise session.Failed("the tests fail without any mutant")
    callers = json.loads(Path("callers.json").read_text())
    with Path(plan["record"]).open("a", encoding="utf8") as record:
        _judge_all(session.items, plan, callers, record)
    return True


def _child(work):
    """The process id of a child that does the work; it says nothing, and its status is what the work returns."""
    pid = os.fork()
    if pid:
        return pid
    status = 1
    try:
        status = work()
    finally:
        os._exit(status)


def _status(pid):
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def _reports(item, following):
    """What a test reports, with the warnings that its marks allow."""
    with catch_warnings_for_item(item.config, item.ihook, when="runtest", item=item, record=False):
        return runtestprotocol(item, log=False, nextitem=following)


def _note_callers(items, caches):
    """Run every test without a mutant; function → the tests that call it, with their CPU seconds, fast ones first."""
    callers = {}
    set_mutant_under_test("stats")
    for place, (item, following) in enumerate(pairwise([*items, None])):
        for cache in caches:
            cache.cache_clear()  # a kept answer would hide the functions that it came from
        state()._stats.clear()
        start = time.process_time()
        reports = _reports(item, following)
        seconds = time.process_time() - start
        for report in reports:
            if report.failed:
                print(f"{item.nodeid} fails:\n{report.longreprtext}", file=sys.stderr, flush=True)
                return 1
        for function in state()._stats:
            callers.setdefault(function, []).append((seconds, place))
    Path("callers.json").write_text(json.dumps({function: sorted(tests) for function, tests in callers.items()}))
    return 0


def _trial(mutant, items, usual, least):
    """0 if all tests pass on the mutant. Too much time ends the process by a signal; too much memory is an error.

    ``usual`` holds the CPU seconds of each test without a mutant, and each may take five times as long, and ``least``
    seconds more.
    """
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    set_mutant_under_test(mutant)
    for (item, following), seconds in zip(pairwise([*items, None]), usual, strict=True):
        limit = least + round(5 * seconds)
        signal.alarm(20 * limit)  # for a test that waits and uses no CPU
        resource.setrlimit(resource.RLIMIT_CPU, (round(time.process_time()) + limit, resource.RLIM_INFINITY))
        if any(report.failed for report in _reports(item, following)):
            return 1
    return 0


def _judge_all(items, plan, callers, record):
    running, counts, start = {}, {"killed": 0, "timeout": 0, "survived": 0}, time.time()
    shown = 0.0

    def finish():
        nonlocal shown
        pid, status, usage = os.wait3(0)
        mutant = running.pop(pid)
        code = os.waitstatus_to_exitcode(status)
        ended = (-signal.SIGXCPU, -signal.SIGALRM, -signal.SIGKILL)
        outcome = "survived" if code == 0 else "timeout" if code in ended else "killed"
        note(mutant, outcome, usage.ru_utime + usage.ru_stime)
        if time.time() - shown > 5 or sum(counts.values()) == len(plan["mutants"]):
            shown = time.time()
            told = ", ".join(f"{number} {outcome}" for outcome, number in counts.items())
            print(f"{sum(counts.values())}/{len(plan['mutants'])} in {shown - start:.0f} s: {told}", flush=True)

    def note(mutant, outcome, seconds):
        counts[outcome] += 1
        print(json.dumps({"mutant": mutant, "outcome": outcome, "seconds": round(seconds, 2)}), file=record, flush=True)

    for mutant in plan["mutants"]:
        if plan["until"] and time.time() > plan["until"]:
            break
        tests = callers.get(mutant.partition("__mutmut_")[0], [])
        if not tests:
            note(mutant, "survived", 0)
            continue
        chosen, usual = [items[place] for _, place in tests], [seconds for seconds, _ in tests]
        running[_child(lambda m=mutant, c=chosen, u=usual: _trial(m, c, u, plan.get("least", 3)))] = mutant
        while len(running) >= plan["jobs"]:
            finish()
    while running:
        finish()
