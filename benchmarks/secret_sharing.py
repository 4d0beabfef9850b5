"""``python -m benchmarks.secret_sharing``: El Zein et al.'s tables in miniature, and what private votes are worth.

- *figure 4*: accuracy and F1 of the tree of all rows, of the parties' own, of trees by shares, and of private votes,
  with rows divided equally (a), a 25th to each party (b), and 10 to 30 parts of a hundred (c).
- *table 2*: nodes, messages, bytes and time with four parties. *Table 3*: the attributes of the top 15 nodes.
- *gap*: how much of the gap between the report's tree and CART votes close at ε = 1.
- *liar*: one of five parties always votes for a split that tells nothing; beside it a designer who does the same.
- *against default*: time and bytes of one federation.

All is seeded, so everything but the times is the same again. A measurement on data that are not secret, no release.
"""

import argparse
import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.datasets import load_digits
from sklearn.metrics import f1_score

from benchmarks.accuracy import in_parallel, spread
from benchmarks.repeated import a_row_a_line
from benchmarks.stamp import stamp
from fdpedu.accounting import Ledger
from fdpedu.datasets import BENCHMARK, DataSet, Split
from fdpedu.domain import Domain, Numeric
from fdpedu.experiments import gap_closed
from fdpedu.federation import Federation, Party, deal
from fdpedu.randomness import Rehearsal
from fdpedu.showing import text_table
from fdpedu.sources.elzein import SharedTree, fit_local_tree, fit_shared_tree
from fdpedu.trees import fit_federated_tree

PARTIES, RULES = (2, 5, 10), ("printed", "mended", "median", "histograms")
PARTS = (10, 15, 20, 25, 30)
DIVISIONS = {"a": "equal parts of all rows", "b": "a 25th of all rows each", "c": "10 to 30 parts of a hundred"}
"""The source's. Which party has a row depends on the number of rows here, so votes are measured, and promise no ε."""
PRIVATE: dict[str, Any] = {"epsilon": 5, "max_depth": 2, "leaf_share": Fraction(7, 20)}
TOP = 15
DEALING = 10**6  # added to a seed: rows are dealt by words of their own
LIAR_ON = "mixture n=5000 p=25 ρ=0.3"


@cache
def _digits() -> tuple[Any, Any]:
    X, y = load_digits(return_X_y=True)
    return X, y


def _draw_digits(rng: np.random.Generator) -> Split:
    X, y = _digits()
    order = rng.permutation(len(y))
    train, test = order[:1257], order[1257:]
    return Split(X[train], y[train], X[test], y[test])


def _digits_domain() -> Domain:
    reason = "the number of pixels that are set in a block of 4 × 4"
    blocks = [Numeric.grid(f"block {i // 8},{i % 8}", 0, 16, 8, reason=reason) for i in range(64)]
    return Domain(blocks, tuple(range(10)))


_NAMED = {data.name: data for data in BENCHMARK}
DATA: tuple[tuple[DataSet, int, int], ...] = (
    (_NAMED["breast cancer"], 398, 20),
    (_NAMED["clusters"], 2000, 20),
    (DataSet("digits", 1257, _digits_domain(), _draw_digits), 1257, 10),
    (_NAMED["census imitation"], 2000, 20),
)
"""Each with how many rows are learnt from, and how many repetitions there are."""


@dataclass(frozen=True)
class Task:
    """One repetition: a data set, a number of parties, and how rows are divided."""

    data: int
    n_parties: int
    division: str
    seed: int

    def rows(self) -> tuple[Split, list[tuple[Any, Any]], Domain]:
        """What is tested on, what each party has, and what is public; the same rows for every division."""
        data, size, _ = DATA[self.data]
        split = data.draw(np.random.default_rng([self.seed, self.data]))
        X, y = split.X_train[:size], split.y_train[:size]
        ends = [0, *np.cumsum(self.sizes(size))]
        return split, [(X[a:b], y[a:b]) for a, b in pairwise(ends)], data.domain

    def sizes(self, size: int) -> list[int]:
        """How many rows each party has."""
        if self.division == "b":
            return [size // 25] * self.n_parties
        parts = [1] * self.n_parties if self.division == "a" else [PARTS[k % 5] for k in range(self.n_parties)]
        return [size * part // sum(parts) for part in parts]


Found = dict[str, Any]


def measure(task: Task) -> Found:
    """Accuracy and F1 of every tree, and for equal parts also tables 2 and 3."""
    split, parties, domain = task.rows()
    found, seed = Found(), 100_000 * task.data + 1000 * task.n_parties + task.seed
    X_all, y_all = (np.concatenate([part[i] for part in parties]) for i in (0, 1))
    central, seconds = _timed(lambda: fit_local_tree(X_all, y_all, domain, rng=Rehearsal(seed)))
    own = [fit_local_tree(X, y, domain, rng=Rehearsal(seed + k)) for k, (X, y) in enumerate(parties, 1)]
    rules = RULES if task.division == "a" else RULES[:2]
    shared = {rule: _timed(partial(_shared, parties, domain, rule, seed)) for rule in rules}
    scores = {"central": [_score(central, split)], "local": [_score(tree, split) for tree in own]}
    scores |= {rule: [_score(tree, split)] for rule, (tree, _) in shared.items()}
    if task.division == "a":
        scores["votes"] = [_score(_votes(parties, domain, seed, **PRIVATE), split)]
    found["scores"] = {name: [round(float(x), 5) for x in np.mean(some, axis=0)] for name, some in scores.items()}
    counts = np.unique(split.y_train, return_counts=True)
    found["baseline"] = round(float(np.mean(split.y_test == counts[0][counts[1].argmax()])), 5)
    if task.division == "a":
        tree, took = shared["printed"]
        found["jaccard"] = {
            "local": round(float(np.mean([_jaccard(central, one) for one in own])), 5),
            "printed": round(_jaccard(central, tree), 5),
        }
        found["size"] = {
            **{"nodes": len(tree.nodes()), "depth": tree.depth, "messages": tree.traffic.messages},
            **{"bytes": tree.traffic.bytes, "central nodes": len(central.nodes())},
        }
        found["seconds"] = {"printed": took, "central": seconds}
    return found


def _shared(parties: Sequence[Any], domain: Domain, rule: str, seed: int) -> SharedTree:
    return fit_shared_tree(parties, domain, rule=rule, rng=Rehearsal(seed))


def _federation(parties: Sequence[Any], domain: Domain, epsilon: int, seed: int) -> Federation:
    members = [Party(X, domain, labels=y) for X, y in parties]
    return Federation(members, domain, Ledger(epsilon), tolerate=0, rng=Rehearsal(seed))


def _votes(parties: Sequence[Any], domain: Domain, seed: int, *, epsilon: int, **options: Any) -> Any:
    federation = _federation(parties, domain, epsilon, seed)
    return fit_federated_tree(federation, design="votes", rng=Rehearsal(seed + 1), **options)


def _score(tree: Any, split: Split) -> tuple[float, float]:
    """Accuracy, and the mean F1 of the classes."""
    predicted = tree.predict(split.X_test)
    return float(np.mean(predicted == split.y_test)), float(f1_score(split.y_test, predicted, average="macro"))


def _timed(work: Callable[[], Any]) -> tuple[Any, float]:
    start = time.process_time()
    return work(), time.process_time() - start


def _attributes(tree: SharedTree) -> set[int]:
    """Those of the top 15 nodes, level by level."""
    found, level = list[int](), [tree.root]
    while level:
        found += [node.attribute for node in level if node.attribute is not None]
        level = [child for node in level for child in node.children]
    return set(found[:TOP])


def _jaccard(one: SharedTree, other: SharedTree) -> float:
    a, b = _attributes(one), _attributes(other)
    return len(a & b) / len(a | b) if a | b else 1.0


def tasks_of(seeds: int | None) -> list[Task]:
    """All repetitions; table 2 has four parties."""
    found = []
    for k, (_, _, runs) in enumerate(DATA):
        for seed in range(runs if seeds is None else seeds):
            found += [Task(k, n, division, seed) for division in DIVISIONS for n in PARTIES]
            found.append(Task(k, 4, "a", seed))
    return found


def records(tasks: Sequence[Task], found: Sequence[Found]) -> list[dict[str, Any]]:
    """For each data set, number of parties and division: the means, their errors, and all runs."""
    groups: dict[tuple[int, int, str], list[Found]] = {}
    for task, one in zip(tasks, found, strict=True):
        groups.setdefault((task.data, task.n_parties, task.division), []).append(one)
    kept = []
    for (k, n, division), runs in groups.items():
        record: dict[str, Any] = {"data": DATA[k][0].name, "parties": n, "division": division, "runs": len(runs)}
        record["baseline"] = round(float(np.mean([run["baseline"] for run in runs])), 5)
        record["models"] = {
            name: {
                **{"accuracy": _mean([run["scores"][name][0] for run in runs])},
                **{"f1": _mean([run["scores"][name][1] for run in runs])},
                "all": [run["scores"][name][0] for run in runs],
            }
            for name in runs[0]["scores"]
        }
        for what in ("jaccard", "size"):
            if what in runs[0]:
                record[what] = {name: _mean([run[what][name] for run in runs]) for name in runs[0][what]}
        kept.append(record)
    return kept


def times(tasks: Sequence[Task], found: Sequence[Found]) -> list[dict[str, Any]]:
    """Median CPU seconds with four parties: they are not the same again."""
    kept = []
    for k, (data, _, _) in enumerate(DATA):
        runs = [one["seconds"] for task, one in zip(tasks, found, strict=True) if (task.data, task.n_parties) == (k, 4)]
        kept.append({"data": data.name, **{n: round(float(np.median([run[n] for run in runs])), 3) for n in runs[0]}})
    return kept


def _mean(values: Sequence[float]) -> list[float]:
    return [round(float(np.mean(values)), 5), round(spread(values) if len(values) > 1 else 0.0, 5)]


def gaps(runs: int) -> list[dict[str, Any]]:
    """Votes of three levels and the book's tree on the ten sets of numbers of at most 5,000 rows, at ε = 1."""
    names = [d.name for d in BENCHMARK if d.size <= 5000 and all(isinstance(f, Numeric) for f in d.domain.features)]
    kept = []
    for method in ("votes", "default", "rotating"):
        gap = gap_closed(method, 1, data=names, runs=runs)
        kept.append({"method": method, "share": round(gap.share, 4), "se": round(gap.se, 4), "sets": len(names)})
    return kept


def lied_to(task: tuple[str, bool, int]) -> float:
    """The accuracy at ε = 1 of a design of five parties; the third may always name the last split of all."""
    design, lies, seed = task
    data = _NAMED[LIAR_ON]
    split = data.draw(np.random.default_rng([seed, 77]))
    parties = [
        (split.X_train[part], split.y_train[part]) for part in deal(len(split.y_train), 5, Rehearsal(DEALING + seed))
    ]
    federation = _federation(parties, data.domain, 1, seed)
    if lies:
        endpoint: Any = federation._endpoints[2].__self__  # type: ignore[attr-defined]
        honest = endpoint._noisy

        def lying(queries: Any) -> Any:
            said = honest(queries)
            if all(query.type == "split-vote" for query in queries):
                ends = np.cumsum([query.size(data.domain) for query in queries])
                said = np.zeros(ends[-1], dtype=np.int64)
                said[ends - 1] = 1
            elif all(query.type in ("designed-split", "silence") for query in queries):
                sizes = [query.exact_size(data.domain) if query.type == "designed-split" else 0 for query in queries]
                said = np.array(sizes, dtype=np.int64)
            return said

        endpoint._noisy = lying
    tree = fit_federated_tree(federation, design=design, max_depth=3, rng=Rehearsal(seed + 1))
    return round(float(tree.score(split.X_test, split.y_test)), 5)


def liars(runs: int, jobs: int) -> list[dict[str, Any]]:
    """Votes and a rotating designer, with one liar and without."""
    tasks = [(design, lies, seed) for design in ("votes", "rotating") for lies in (False, True) for seed in range(runs)]
    found = list(in_parallel(lied_to, tasks, jobs))
    kept = []
    for i in range(0, len(tasks), runs):
        design, lies, _ = tasks[i]
        kept.append({"design": design, "liar": lies, "accuracy": _mean(found[i : i + runs]), "data": LIAR_ON})
    return kept


def against_default() -> dict[str, Any]:
    """The same federation of five parties, three levels: bytes, and the least of five times."""
    data, _, _ = DATA[0]
    split = data.draw(np.random.default_rng(0))
    parties = [(split.X_train[part], split.y_train[part]) for part in deal(len(split.y_train), 5, Rehearsal(DEALING))]
    found: dict[str, Any] = {}
    for design in ("votes", "default"):
        runs = []
        for seed in range(5):
            federation = _federation(parties, data.domain, 1, seed)
            start = time.process_time()
            fit_federated_tree(federation, design=design, max_depth=3, rng=Rehearsal(1))
            runs.append(time.process_time() - start)
        found[design] = {"seconds": round(min(runs), 4), "bytes": federation.transcript.bytes}
    return found


def differences(kept: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The targets of the chapter: paired differences with their errors."""
    wanted = [
        ("breast cancer", 2, "printed", "local", "< .01"),
        ("breast cancer", 2, "histograms", "printed", "> 0"),
        ("clusters", 5, "printed", "local", "≥ .015"),
        *(("breast cancer", n, "printed", "votes", "≤ .03") for n in PARTIES),
    ]
    found = []
    for data, n, one, other, target in wanted:
        record = next(r for r in kept if (r["data"], r["parties"], r["division"]) == (data, n, "a"))
        runs = np.subtract(record["models"][one]["all"], record["models"][other]["all"]).tolist()
        row = {"data": data, "parties": n, "difference": f"{one} − {other}", "target": target}
        found.append({**row, "mean": _mean(runs)[0], "se": _mean(runs)[1]})
    return found


def report(content: dict[str, Any]) -> str:
    """Accuracies and targets, as tables."""
    lines = [
        (r["data"], r["division"], str(r["parties"]), name, _shown(m["accuracy"]), _shown(m["f1"]))
        for r in content["figure_4"]
        for name, m in r["models"].items()
    ]
    targets = [
        (d["data"], str(d["parties"]), d["difference"], f"{d['mean']:.4f} ± {d['se']:.4f}", d["target"])
        for d in content["targets"]
    ]
    gap = content["gap"][0]
    targets.append(("ten sets", "5", "gap closed: votes", _shown((gap["share"], gap["se"])), "≥ .35"))
    one = content["times"]["against default"]
    for what, target in (("seconds", "≤ 2"), ("bytes", "≤ .7")):
        ratio = f"{one['votes'][what] / one['default'][what]:.2f}"
        targets.append(("breast cancer", "5", f"{what}: votes / default", ratio, target))
    head = ("data", "division", "N", "tree", "accuracy", "F1")
    return f"{text_table([head, *lines])}\n\n{text_table([('data', 'N', 'what', 'measured', 'target'), *targets])}"


def _shown(mean: Sequence[float]) -> str:
    return f"{mean[0]:.3f} ± {mean[1]:.3f}"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.secret_sharing", description=__doc__)
    parser.add_argument("--seeds", type=int, help="repetitions of each data set, at least 2 (20, of digits 10)")
    parser.add_argument("--gaps", type=int, default=30, help="repetitions of each set of the gap, at least 2")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all numbers to FILE")
    chosen = parser.parse_args()
    if (chosen.seeds is not None and chosen.seeds < 2) or chosen.gaps < 2 or chosen.jobs < 1:
        parser.error("needs seeds ≥ 2, gaps ≥ 2 and jobs ≥ 1")
    warnings.filterwarnings("ignore", message=".*clipped.*")
    tasks = tasks_of(chosen.seeds)
    found = list(in_parallel(measure, tasks, chosen.jobs))
    kept = records(tasks, found)
    content: dict[str, Any] = {
        **{"figure_4": kept, "targets": differences(kept), "gap": gaps(chosen.gaps)},
        **{"liar": liars(20 if chosen.seeds is None else chosen.seeds, chosen.jobs)},
        **{"times": {"table 2": times(tasks, found), "against default": against_default()}},
    }
    print(report(content))
    if chosen.json:
        chosen.json.write_text(a_row_a_line({**stamp(), **content}) + "\n", "utf8")


if __name__ == "__main__":
    main()
