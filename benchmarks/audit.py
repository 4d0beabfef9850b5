"""``python -m benchmarks.audit``: the mechanisms on trial, runs predicted beside runs measured; and planted bugs.

Each mechanism of :mod:`benchmarks.on_trial` and its right version are audited with the event given, and with an event
that is learnt. Then bugs that this package keeps are put into the shipped code, one after the other, and what that code
does is audited (:mod:`benchmarks.audited_bugs`). Last, what the command ``fdpedu audit`` does at its defaults is done
a thousand times with half of the noise, and with the right noise.

Nothing is released, and no data are secret.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from statistics import median
from typing import Any
from zlib import crc32

import numpy as np

from benchmarks.accuracy import in_parallel
from benchmarks.audited_bugs import BUGS, audited
from benchmarks.on_trial import Trial, trials
from benchmarks.repeated import keep, read_options
from fdpedu.audit import Audit, audit, predicted_runs, vectorised
from fdpedu.audit.pairs import audit_pairs
from fdpedu.showing import text_table

ALPHA = 1e-6
LEAST, LEARNT, MOST = 400, 2000, 10**6  # runs
COMMANDS = 1000  # seeds
BY_NAME = {trial.name: trial for trial in trials()}


def predicted(trial: Trial) -> int | None:
    """After how many runs the bet is expected to be won, by the law; None if that is not computed, or never."""
    if trial.shares is None:
        return None
    d_one, d_zero, prime_one, prime_zero = trial.shares
    return predicted_runs(
        (prime_one + d_zero) / 2, (d_one + prime_zero) / 2, epsilon=trial.epsilon, delta=trial.delta, alpha=ALPHA
    )


def play(trial: Trial, which: str, seed: int, runs: int, *, given: bool, alpha: float = ALPHA) -> Audit:
    """One audit of the broken or the right version, with the event of the trial or with one that is learnt."""
    rng = np.random.default_rng(crc32(f"{trial.name} {which} {given} {seed}".encode()))
    mechanism, guess = getattr(trial, which), trial.guess
    one = (lambda data: mechanism(data, 1, rng)[0]) if trial.one_by_one else (lambda data, n: mechanism(data, n, rng))
    event = None
    if given and guess is not None:
        event = vectorised(lambda y: guess(y) == 1), vectorised(lambda y: guess(y) == -1)
    claim: dict[str, Any] = {"epsilon": trial.epsilon, "delta": trial.delta, "alpha": alpha}
    return audit(one, *trial.pair, **claim, runs=runs, event=event, batch=not trial.one_by_one, seed=seed)


def measure(task: tuple[str, int]) -> list[int | None]:
    """Of one mechanism and one seed: when broken and right version were refuted, with the event given and learnt."""
    name, seed = task
    trial = BY_NAME[name]
    wanted = predicted(trial) or LEAST
    own, learnt = max(LEAST, min(3 * wanted, MOST)), max(LEARNT, min(4 * wanted, MOST))
    given = trial.guess is not None
    found = [play(trial, which, seed, own, given=True).refuted_at if given else None for which in ("broken", "right")]
    return found + [play(trial, which, seed, learnt, given=False).refuted_at for which in ("broken", "right")]


def refuted_by_default(task: tuple[float, int]) -> bool:
    """Whether ``fdpedu audit`` at its defaults refutes a count with noise of a rate, where a rate of 1 is claimed."""
    rate, seed = task
    coin = random.Random(f"{rate} {seed}")

    def counted(data: Sequence[Any]) -> int:
        up, down = (int(-math.log(1 - coin.random()) / rate) for _ in range(2))
        return len(data) + up - down

    last = {one.pair: one.refuted for one in audit_pairs(counted, seed=seed)}
    return any(last.values())


def records(found: dict[str, list[list[int | None]]]) -> list[dict[str, Any]]:
    """For each mechanism what was predicted and measured."""
    rows = []
    for name, runs in found.items():
        trial, columns = BY_NAME[name], list(zip(*runs, strict=True))
        rows.append(
            {
                "name": name,
                "known": trial.known,
                "found": trial.found,
                "given": trial.guess is not None,
                "predicted": predicted(trial),
                "measured": _middle(columns[0]),
                "learnt": _middle(columns[2]),
                "alarms": sum(at is not None for column in (columns[1], columns[3]) for at in column),
                "audits": len(runs) * (2 if trial.guess is not None else 1),
                "runs": [list(one) for one in runs],
            }
        )
    return rows


def _middle(times: Sequence[int | None]) -> float | None:
    """The median, where an audit that did not refute counts as later than all; None if that is the median."""
    middle = median(10**12 if at is None else at for at in times)
    return None if middle >= 10**11 else middle


def report(rows: Sequence[dict[str, Any]]) -> str:
    """The table of the chapter."""
    lines = [
        (row["name"], *(str(row[column]) for column in ("predicted", "measured", "learnt", "alarms", "audits")))
        for row in rows
    ]
    return text_table(
        [("mechanism", "predicted", "event given", "event learnt", "false alarms", "audits"), *lines],
        right=(1, 2, 3, 4, 5),
    )


def main() -> None:
    chosen = read_options("audit", __doc__, seeds=21)
    tasks = [(name, seed) for name in BY_NAME for seed in range(chosen.seeds)]
    runs: dict[str, list[list[int | None]]] = {name: [] for name in BY_NAME}
    for (name, _), found in zip(tasks, in_parallel(measure, tasks, chosen.jobs), strict=True):
        runs[name].append(found)
    rows, bugs = records(runs), list(in_parallel(audited, BUGS, chosen.jobs))
    print(report(rows))
    for bug in bugs:
        print(bug)
    commands = {
        name: sum(in_parallel(refuted_by_default, [(rate, seed) for seed in range(COMMANDS)], chosen.jobs))
        for name, rate in (("half", 2.0), ("right", 1.0))
    }
    print(f"of {COMMANDS} commands at their defaults refute half of the noise, and the right noise: {commands}")
    content = {"seeds": chosen.seeds, "alpha": ALPHA, "trials": rows, "bugs": bugs, "commands": commands}
    keep(content, chosen.json)


if __name__ == "__main__":
    main()
