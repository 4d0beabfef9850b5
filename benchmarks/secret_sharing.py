"""``python -m benchmarks.secret_sharing``: El Zein et al.'s tables on real rows, and what private votes are worth.

- *figure 4*: scores of the tree of all rows, of the parties' own, of trees by shares, and of private votes, with rows
  divided equally (a), a 25th to each party (b), and 10 to 30 parts of a hundred (c): :mod:`benchmarks.shared_trees`.
- *table 2*: nodes, messages, bytes and time with four parties. *Table 3*: the attributes of the top 15 nodes.
- *its size*: one tree on an imitation of the source's largest set, 56,553 rows of 21 attributes, to depth 23.
- *gap*: how much of the gap between the report's tree and CART votes close at ε = 1.
- *liar*: one of five parties always votes for a split that tells nothing; beside it a designer who does the same.
- *against default*: time and bytes of one federation.

All is seeded, so everything but times and memory is the same again. A measurement on data that are not secret.
"""

import argparse
import resource
import time
import warnings
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.accuracy import in_parallel
from benchmarks.elzein_printed import SOURCE
from benchmarks.repeated import a_row_a_line
from benchmarks.shared_trees import (
    ON_TRAFFIC,
    SMALL,
    federation_of,
    mean,
    measure,
    records,
    set_of,
    tasks_of,
    timed,
    times,
)
from benchmarks.stamp import stamp
from fdpedu.datasets import BENCHMARK
from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.experiments import gap_closed
from fdpedu.federation import deal
from fdpedu.randomness import Rehearsal
from fdpedu.showing import text_table
from fdpedu.sources.elzein import fit_local_tree, fit_shared_tree
from fdpedu.trees import fit_federated_tree

DEALING = 10**6  # added to a seed: rows are dealt by words of their own
LIAR_ON = "mixture n=5000 p=25 ρ=0.3"
ITS_ROWS, ITS_NAMED, ITS_NUMBERS, ITS_DEPTH = 56_553, 14, 7, 23  # the source's table 1 and section 8.4
_NAMED = {data.name: data for data in BENCHMARK}


def its_size() -> dict[str, Any]:
    """A tree by shares of four parties on an IMITATION with the source's number of rows, attributes, and its depth."""
    rng = np.random.default_rng(61)
    named = [Categorical(f"answer {k}", ("no", "yes")) for k in range(ITS_NAMED)]
    domain = Domain([*named, *(Numeric.grid(f"number {k}", 0, 100, 20) for k in range(ITS_NUMBERS))], ("well", "ill"))
    answers = rng.integers(0, 2, (ITS_ROWS, ITS_NAMED))
    numbers = rng.integers(0, 101, (ITS_ROWS, ITS_NUMBERS))
    risk = answers @ np.linspace(1, 0.1, ITS_NAMED) + numbers @ np.linspace(0.04, 0.004, ITS_NUMBERS)
    y = np.where(risk + rng.logistic(0, 1, ITS_ROWS) > np.median(risk), "ill", "well")
    X = np.empty((ITS_ROWS, ITS_NAMED + ITS_NUMBERS), dtype=object)
    X[:, :ITS_NAMED], X[:, ITS_NAMED:] = np.where(answers, "yes", "no"), numbers.astype(float)
    parties = [(X[part::ON_TRAFFIC], y[part::ON_TRAFFIC]) for part in range(ON_TRAFFIC)]
    grow = partial(fit_shared_tree, parties, domain, rule="printed", max_depth=ITS_DEPTH, rng=Rehearsal(61))
    tree, seconds = timed(grow)
    _, central = timed(partial(fit_local_tree, X, y, domain, max_depth=ITS_DEPTH))
    return {
        **{"rows": ITS_ROWS, "attributes": domain.n_features, "depth": tree.depth, "nodes": len(tree.nodes())},
        **{"messages": tree.traffic.messages, "bytes": tree.traffic.bytes},
        **{"ratio": round(seconds / central, 2), "seconds": round(seconds, 2)},
        "MB": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
    }


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
    federation = federation_of(parties, data.domain, 1, seed)
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
        kept.append({"design": design, "liar": lies, "accuracy": mean(found[i : i + runs]), "data": LIAR_ON})
    return kept


def against_default() -> dict[str, Any]:
    """The same federation of five parties, three levels: bytes, and the least of five times."""
    data = set_of(0)
    split = data.draw(np.random.default_rng(0))
    parties = [(split.X_train[part], split.y_train[part]) for part in deal(len(split.y_train), 5, Rehearsal(DEALING))]
    found: dict[str, Any] = {}
    for design in ("votes", "default"):
        runs = []
        for seed in range(5):
            federation = federation_of(parties, data.domain, 1, seed)
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
        *(("breast cancer", n, "printed", "votes", "≤ .03") for n in SMALL),
    ]
    found = []
    for data, n, one, other, target in wanted:
        record = next(r for r in kept if (r["data"], r["parties"], r["division"]) == (data, n, "a"))
        runs = np.subtract(record["models"][one]["all"], record["models"][other]["all"]).tolist()
        row = {"data": data, "parties": n, "difference": f"{one} − {other}", "target": target}
        found.append({**row, "mean": mean(runs)[0], "se": mean(runs)[1]})
    return found


def report(content: dict[str, Any]) -> str:
    """Accuracies and targets, as tables."""
    lines = [
        (r["data"], r["division"], str(r["parties"]), name, _shown(m["accuracy"]), _shown(m["f1"]))
        for r in content["figure_4"]
        if "models" in r
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
    parser.add_argument("--seeds", type=int, help="repetitions of each data set, at least 2 (3 to 20)")
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
        **{"source": SOURCE, "figure_4": kept, "its size": its_size(), "targets": differences(kept)},
        "gap": gaps(chosen.gaps),
        **{"liar": liars(20 if chosen.seeds is None else chosen.seeds, chosen.jobs)},
        **{"times": {"table 2": times(tasks, found), "against default": against_default()}},
    }
    print(report(content))
    if chosen.json:
        chosen.json.write_text(a_row_a_line({**stamp(), **content}) + "\n", "utf8")


if __name__ == "__main__":
    main()
