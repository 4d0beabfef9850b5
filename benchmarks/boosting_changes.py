"""``python -m benchmarks.boosting_changes``: what each rule of boosting is worth, by changing one of them at a time.

Data sets, divisions of rows and streams of random numbers are those of :mod:`benchmarks.boosting`, at ε = 1 and δ =
10⁻⁶. The sums are those of all rows together, with the noise that five parties' shares would add. Each change is
compared with the rules as they are, on the same rows: paired differences of accuracy and AUC.

The noise is seeded: this is a measurement on data that are not secret, and no release.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
from sklearn.metrics import roc_auc_score

from benchmarks.accuracy import DELTA, Task, in_parallel, spread
from benchmarks.boosting import TOLERATE
from benchmarks.boosting_data import DATA, MAIN, binned
from benchmarks.pooled import PooledSums
from benchmarks.repeated import keep, read_options
from fdpedu.accounting import Budget, Ledger
from fdpedu.boosting import Rules, rules_for
from fdpedu.boosting.growth import Growth
from fdpedu.federation import Party
from fdpedu.randomness import Rehearsal
from fdpedu.showing import text_table

AS_IT_IS = "as it is"
PARTIES, EPSILON = 5, Fraction(1)
Change = Callable[[Rules], Rules]


def _with(**changed: Any) -> Change:
    return lambda rules: replace(rules, **changed)


CHANGES: dict[str, Change] = {
    AS_IT_IS: lambda rules: rules,
    "the full gradient (clip 1)": _with(clip=64),
    "clip 0.35": _with(clip=22),
    "one round of 400 trees": _with(rounds=1, trees_per_round=400),
    "four rounds of 100 trees": _with(rounds=4, trees_per_round=100),
    "16 rounds of 5 trees": _with(trees_per_round=5),
    "one question a tree": _with(questions=1),
    "five questions a tree": _with(questions=5),
    "half the whole step": lambda rules: replace(rules, step=rules.step / 2),
    "twice the whole step": lambda rules: replace(rules, step=2 * rules.step),
    "all quantiles": _with(quantiles=32),
    "without class weights": _with(weighted=False),
    "with class weights": _with(weighted=True),
    "curves": _with(form="curves", questions=2),
}


def measure(task: Task) -> dict[str, tuple[float, float]]:
    """Accuracy and AUC of each change on the rows of one repetition."""
    data = DATA[task.data]
    split, domain = data.draw(task.rng("rows")), binned(data.domain)
    party = Party(split.X_train, domain, labels=split.y_train)
    truth, found = domain.encode_labels(split.y_test), {}
    budget = Budget.of(task.epsilon, delta=DELTA)
    rules = rules_for("trees", data.size, budget.limit, domain.n_features)
    for name, change in CHANGES.items():
        changed = change(rules)
        if changed.form == "curves":
            changed = replace(changed, trees_per_round=2 * domain.n_features)
        seed = int(task.rng(name).integers(2**31))
        asker: Any = PooledSums(party, Ledger(budget), PARTIES, TOLERATE, Rehearsal(seed))
        ensemble = Growth(asker, budget.limit, changed, Rehearsal(seed + 1), lambda *_: None).ensemble()
        scores = ensemble.decision_function(split.X_test)
        found[name] = (float(np.mean((scores > 0) == truth)), float(roc_auc_score(truth, scores)))
    return found


def records(tasks: Sequence[Task], found: Sequence[dict[str, tuple[float, float]]]) -> list[dict[str, Any]]:
    """For each change the mean over the data sets of its difference to the rules as they are, with standard errors."""
    rows = []
    for name in CHANGES:
        row: dict[str, Any] = {"change": name}
        for k, what in enumerate(("accuracy", "auc")):
            by_data: dict[int, list[float]] = {}
            for task, results in zip(tasks, found, strict=True):
                base = 0.0 if name == AS_IT_IS else results[AS_IT_IS][k]
                by_data.setdefault(task.data, []).append(results[name][k] - base)
            row[what] = round(float(np.mean([np.mean(each) for each in by_data.values()])), 5)
            errors = [spread(each) for each in by_data.values()]
            row[f"{what}_se"] = round(float(np.sqrt(np.sum(np.square(errors))) / len(errors)), 5)
        rows.append(row)
    return rows


def report(rows: Sequence[dict[str, Any]]) -> str:
    """Differences of accuracy and AUC, in hundredths."""
    lines = [
        (row["change"], *(f"{100 * row[what]:+.1f} ± {100 * row[f'{what}_se']:.1f}" for what in ("accuracy", "auc")))
        for row in rows
    ]
    return text_table([("change", "accuracy", "AUC"), *lines], right=(1, 2))


def main() -> None:
    chosen = read_options("boosting_changes", __doc__, seeds=16)
    positions = [k for k, data in enumerate(DATA) if data.name in MAIN]
    tasks = [Task(k, EPSILON, seed, PARTIES, tuple(CHANGES)) for seed in range(chosen.seeds) for k in positions]
    rows = records(tasks, list(in_parallel(measure, tasks, chosen.jobs)))
    print(report(rows))
    head = {"seeds": chosen.seeds, "parties": PARTIES, "epsilon": str(EPSILON), "delta": DELTA}
    keep({**head, "records": rows}, chosen.json)


if __name__ == "__main__":
    main()
