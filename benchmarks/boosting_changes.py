"""``python -m benchmarks.boosting_changes``: what each part of boosting's rule is worth, by changing one at a time.

Data sets and divisions of rows are those of :mod:`benchmarks.boosting`, at ε = 1 and 4 and δ = 10⁻⁶. What grows is
:mod:`benchmarks.boosting_simulation`, which has what can be changed; a test shows that it is the package's rule. Each
change is compared with the rule as it is, on the same rows with the same seeds of noise and coins. The guard is tried
where it is needed: on credit at ε = 16, and at ε = 4 on magic with each column five times.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from benchmarks.accuracy import DELTA, spread
from benchmarks.boosting_data import DRAWN, REAL
from benchmarks.boosting_pieces import UNIT, Public, Rule, rule_of
from benchmarks.boosting_runs import PARTIES, TOLERATE, Outcome, Repetition, Runs, Task, measured, quietly, records
from benchmarks.boosting_simulation import Growth
from benchmarks.repeated import keep, read_options
from fdpedu.accounting import gaussian_budget
from fdpedu.domain import Domain
from fdpedu.showing import text_table

AS_IT_IS, UNGUARDED = "as it is", "no guard"
EPSILONS = ("1", "4")
COPIES = 5
HARD = (("credit", "16", 1), ("magic", "4", COPIES))  # data, ε, how often each column stands there
Change = Callable[[Rule], Rule]


def _with(**changed: Any) -> Change:
    return lambda rule: replace(rule, **changed)


def _gentle(rule: Rule) -> Rule:
    return replace(rule, step=int(UNIT * min(4, max(0.35, rule.nu / 30))))


CHANGES: dict[str, Change] = {
    AS_IT_IS: _with(),
    "a small step: ν/30, 4 at most": _gentle,
    "three questions, one step for all orders": _with(most_questions=3, split=False),
    "three questions": _with(most_questions=3),
    "one step for all orders": _with(split=False),
    "16 rounds": lambda rule: replace(rule, rounds=16, step=min(rule.step, 5 * 16 * UNIT // 6)),
    "curvature ¼": _with(curvature=UNIT // 4),
    "half the penalty": _with(penalty=0.5),
    "32 groups": _with(groups=32),
    "12 quantiles": _with(quantiles=12),
    "shares from counts clipped at 0": _with(estimate="clipped"),
    "shares by halves alone": _with(estimate="dyadic"),
    "shares by least squares alone": _with(estimate="simplex"),
    "intercept undamped": _with(damped=False),
    "coverage forgotten": _with(covered=False),
    UNGUARDED: _with(guarded=False),
}


def rho_of(epsilon: str) -> float:
    return float(gaussian_budget(Fraction(epsilon), Fraction(DELTA)).limit.value)


def public_of(domain: Domain, size: int, copies: int = 1) -> Public:
    features = copies * domain.features
    n_codes, ordered = tuple(one.n_codes for one in features), tuple(one.ordered for one in features)
    return Public(size, n_codes, ordered, tuple(one.ordered and one.missing for one in features))


def run(repetition: Repetition, method: str, epsilon: str) -> Outcome:
    """A change, on the rows of a repetition; where each column stands there several times, its name says it."""
    start, (name, _, times) = time.process_time(), method.partition(" ×")
    copies, data = int(times or 1), repetition.data
    train, test = (np.tile(codes.T, (copies, 1)) for codes in repetition.codes)
    public = public_of(data.domain, data.size, copies)
    noise, coins = (repetition.task.rng(f"{what} at {epsilon}") for what in ("noise", "coins"))
    rule = CHANGES[name](rule_of(public, rho_of(epsilon)))
    fit = Growth(public, rule, train, repetition.labels, noise, coins).whole()
    return Outcome.of(fit.scores(test), repetition.truth, time.process_time() - start)


measure = partial(quietly, run)


def tasks_of(seeds: int) -> list[Task]:
    """All changes on each set; then the guard where it is needed."""
    all_changes = tuple((name, epsilon) for name in CHANGES for epsilon in EPSILONS)
    tasks = [Task(data.name, seed, all_changes) for data in (*REAL, *DRAWN) for seed in range(seeds)]
    for name, epsilon, copies in HARD:
        both = tuple((f"{one} ×{copies}", epsilon) for one in (AS_IT_IS, UNGUARDED))
        tasks += [Task(name, seed, both) for seed in range(seeds)]
    return tasks


def changes(runs: Runs) -> list[dict[str, Any]]:
    """For each ε and change its mean difference to the rule as it is over all data sets, with standard errors."""
    rows, names = [], list(dict.fromkeys(name for name, _, _ in runs))
    for epsilon in EPSILONS:
        for change in CHANGES:
            row: dict[str, Any] = {"epsilon": epsilon, "change": change}
            for what in ("accuracy", "auc"):
                by_data = {name: differences(runs, name, epsilon, change, what) for name in names}
                row[what] = round(float(np.mean([each.mean() for each in by_data.values()])), 5)
                errors = [spread(each) for each in by_data.values()]
                row[f"{what}_se"] = round(float(np.sqrt(np.sum(np.square(errors))) / len(errors)), 5)
            worst = min(by_data, key=lambda name: by_data[name].mean())
            rows.append({**row, "worst": worst, "worst_auc": round(float(by_data[worst].mean()), 5)})
    return rows


def differences(runs: Runs, name: str, epsilon: str, change: str, what: str) -> np.ndarray:
    changed, kept = (np.array([getattr(one, what) for one in runs[name, epsilon, c]]) for c in (change, AS_IT_IS))
    return changed - (0 if change == AS_IT_IS else kept)


def report(rows: Sequence[dict[str, Any]]) -> str:
    """Differences of accuracy and AUC, in hundredths."""
    lines = [
        (
            row["epsilon"],
            row["change"],
            *(f"{100 * row[what]:+.2f} ± {100 * row[f'{what}_se']:.2f}" for what in ("accuracy", "auc")),
            f"{row['worst']} {100 * row['worst_auc']:+.2f}",
        )
        for row in rows
    ]
    return text_table([("ε", "change", "accuracy", "AUC", "worst AUC"), *lines], right=(2, 3))


def main() -> None:
    chosen = read_options("boosting_changes", __doc__, seeds=3)
    runs = measured(measure, tasks_of(chosen.seeds), chosen.jobs)
    rows = changes(runs)
    print(report(rows))
    head = {"seeds": chosen.seeds, "parties": PARTIES, "tolerate": TOLERATE, "delta": DELTA}
    keep({**head, "changes": rows, "records": records(runs)}, chosen.json)


if __name__ == "__main__":
    main()
