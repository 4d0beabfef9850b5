"""Inside pytest, for `tools/mutants.py`: run the collected tests on each mutant, in a process of its own.

The tests are imported and collected once, with all mutants asleep. First, one child runs all of them as they are and
notes which test calls which function, and for how long. A test is left out if it fails there, because it reads the
source or the bytecode of what mutmut has wrapped: that can only lower a score. Then a child for each mutant wakes it
and runs the tests that call its function, the fast ones first, until one fails. Children share nothing, so no cache
hides a mutant. Tests that draw inputs draw the same in every run, and do not look for the smallest counterexample.
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
ENOUGH = 20  # CPU seconds of tests for one mutant: the fastest that call its function
PHASES = (Phase.explicit, Phase.generate)
settings.register_profile(
    "mutants", derandomize=True, database=None, deadline=None, phases=PHASES, suppress_health_check=list(HealthCheck)
)
settings.load_profile("mutants")  # before the tests are imported, whose own settings take the rest from here


def pytest_runtestloop(session):
    if session.testsfailed:
        raise session.Interrupted("the tests cannot be imported")
    plan = json.loads(Path("plan.json").read_text())
    caches = [each for each in gc.get_objects() if isinstance(each, functools._lru_cache_wrapper)]
    gc.freeze()
    if os.waitpid(_child(lambda: _note_callers(session.items, caches)), 0)[1] != 0:
        raise session.Failed("no test passes without a mutant")
    callers = json.loads(Path("callers.json").read_text())
    Path("survived.json").write_text(json.dumps(_judge_all(session.items, plan, callers)))
    return True


def _child(work):
    """The process id of a child that does the work; its status is what the work returns."""
    if pid := os.fork():
        return pid
    status = 1
    try:
        status = work()
    finally:
        os._exit(status)


def _cpu():
    """CPU seconds of this process and of those that it has started."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def _reports(item, following):
    """What a test reports, with the warnings that its marks allow."""
    with catch_warnings_for_item(item.config, item.ihook, when="runtest", item=item, record=False):
        return runtestprotocol(item, log=False, nextitem=following)


class TooSlow(BaseException):
    """Not an exception that a test could catch."""


def _note_callers(items, caches):
    """Run every test without a mutant; note function → the tests that call it, with CPU seconds, fast ones first."""

    def stop(*_):
        raise TooSlow

    signal.signal(signal.SIGPROF, stop)
    set_mutant_under_test("stats")
    callers, left_out = {}, []
    for place, (item, following) in enumerate(pairwise([*items, None])):
        for cache in caches:
            cache.cache_clear()  # a kept answer would hide the functions that it came from
        state()._stats.clear()
        start = _cpu()
        signal.setitimer(signal.ITIMER_PROF, ENOUGH)
        failed = any(report.failed for report in _reports(item, following))
        signal.setitimer(signal.ITIMER_PROF, 0)
        seconds = _cpu() - start
        if failed:
            left_out.append(item.nodeid)
            continue
        for function in state()._stats:
            callers.setdefault(function, []).append((seconds, place))
    if left_out:
        print(
            f"{len(left_out)} of {len(items)} tests are left out:", *left_out, sep="\n  ", file=sys.stderr, flush=True
        )
    Path("callers.json").write_text(json.dumps({function: _fastest(tests) for function, tests in callers.items()}))
    return int(len(left_out) == len(items))


def _fastest(tests):
    """Of pairs of seconds and a test those that together take no more than is enough, fast ones first."""
    chosen, total = [], 0.0
    for seconds, place in sorted(tests):
        total += seconds
        if total > ENOUGH:
            break
        chosen.append((seconds, place))
    return chosen


def _trial(mutant, items, usual, least):
    """0 if all tests pass on the mutant. Too much time ends the process by a signal; too much memory is an error.

    ``usual`` holds the CPU seconds of each test without a mutant; it may take five times as long, and ``least`` more.
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


def _judge_all(items, plan, callers):
    """The mutants on which no test fails, of those that the plan names."""
    running, survived, judged, shown = {}, [], 0, time.monotonic()

    def finish():
        pid, status = os.wait()
        mutant = running.pop(pid)
        if status == 0:
            survived.append(mutant)

    for mutant in plan["mutants"]:
        tests = callers.get(mutant.partition("__mutmut_")[0], [])
        chosen, usual = [items[place] for _, place in tests], [seconds for seconds, _ in tests]
        running[_child(lambda m=mutant, c=chosen, u=usual: _trial(m, c, u, plan["least"]))] = mutant
        judged += 1
        while len(running) >= plan["jobs"]:
            finish()
        if time.monotonic() - shown > 60:
            shown = time.monotonic()
            print(f"{judged} of {len(plan['mutants'])} tried, {len(survived)} survived", file=sys.stderr, flush=True)
    while running:
        finish()
    return survived
