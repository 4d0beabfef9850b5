"""``python -m benchmarks.fedga_figures``: what FedGA-Tree's figures 3 to 11 show, on real rows at its sizes.

- *runs*: 5 to 25 parties, all of them at a time, or of twenty three fifths or one fifth. In each: test F1, or test MSE
  as a share of the target's range squared, of the parties' own CART, of FedGA-Tree and, for classes, of Algorithm 5 on
  clipped counts in place of the source's IBM tree. Gain by eq. (3) and log-ratio over own CART, share of parties that
  are better off, questions in a tree; edit distances.
- *depths*: the depth of Algorithm 5 is tuned as the source's is: on three sets, and then the same for all.
- *luck*: one division of nursery, ten other draws of all coins.

Where not all parties are there, Algorithm 5 has those that are drawn once; in FedGA-Tree each generation has its own.
All is seeded, so everything is the same again. A measurement on data that are public, no release.
"""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import Any

import numpy as np

from benchmarks.accuracy import in_parallel, spread
from benchmarks.fedga import POPULATION, Found, distances_of, ibm_tree, nodes_of, paired_scores, scorer
from benchmarks.fedga_sets import NAMES, rows_of
from benchmarks.repeated import keep, read_options
from fdpedu.randomness import Rehearsal
from fdpedu.showing import text_table
from fdpedu.sources.fedga import fit_fedga, fit_local, improvement, log_ratio

RUNS, LUCKY, DEEPEST = 6, 10, 8
WHOLE = Fraction(1)
SETTINGS: tuple[tuple[int, Fraction], ...] = (
    *((n, WHOLE) for n in (5, 10, 15, 20, 25)),
    *((20, share) for share in (Fraction(3, 5), Fraction(1, 5))),
)
"""Parties, and the share of them that is there at a time."""
MAIN, NURSERY = 20, "nursery"
DEPTHS, TUNED_ON, TUNING_RUNS = (2, 4, 6, 8), ("telescope", "spambase", "segment"), 3
MEASURES = ("score", "gain", "log_ratio", "better", "nodes")


@dataclass(frozen=True)
class Task:
    """One repetition of one setting; rows are the same in all settings of a seed. ``coins`` other than 0: other luck.

    Parts are equal, as the source's are: nothing here is private, so nothing rests on how rows are dealt.
    """

    data: str
    parties: int
    share: Fraction
    seed: int
    tuned: int
    coins: int = 0

    def measured(self) -> Found:
        """Of each kind of tree its scores, one party after the other, and the questions in it; and distances."""
        rows, seed = rows_of(self.data), 10_000 * NAMES.index(self.data) + 100 * self.parties + self.seed
        split, seed = rows.split(self.seed), seed + 10_000_000 * self.coins
        parts = np.array_split(np.arange(len(split.y_train)), self.parties)
        members = [(split.X_train[part], split.y_train[part]) for part in parts]
        kind = {"task": rows.task, "rng": Rehearsal(seed)}
        fedga = fit_fedga(members, rows.domain, participation=self.share, population=POPULATION, **kind)
        own = [fit_local(*pair, rows.domain, task=rows.task, rng=Rehearsal(k)) for k, pair in enumerate(members)]
        trees: dict[str, list[Any]] = {"local": own, "FedGA-Tree": list(fedga.trees)}
        if (self.parties, self.share, self.coins) == (MAIN, WHOLE, 0):
            trees["central"] = [fit_local(split.X_train, split.y_train, rows.domain, **kind)]
        if rows.task == "classification":
            there = members[: ceil(self.share * self.parties)]
            for name, depth in self._depths(rows.domain.n_features, fedga.max_depth).items():
                trees[name] = [ibm_tree(there, rows.domain, depth, seed)]
        score = scorer(split, rows.domain)
        return {
            "depth": fedga.max_depth,
            "scores": {name: [score(tree) for tree in models] for name, models in trees.items()},
            "nodes": {name: float(np.mean([nodes_of(tree) for tree in models])) for name, models in trees.items()},
            "distances": distances_of(fedga, rows.domain, seed),
        }

    def _depths(self, n_features: int, median: int) -> dict[str, int]:
        found = {"IBM": self.tuned}
        if (self.parties, self.share, self.coins) == (MAIN, WHOLE, 0):
            found |= {"IBM, median": median, "IBM, half": min(n_features // 2, DEEPEST)}
        return found


def measure(task: Task) -> Found:
    """What a task finds, for a pool of processes."""
    return task.measured()


def at_depth(task: tuple[str, int, int]) -> float:
    """F1 of Algorithm 5 on the rows of one set, for a seed and at a depth, with twenty parties."""
    data, seed, depth = task
    rows = rows_of(data)
    split = rows.split(seed)
    parts = np.array_split(np.arange(len(split.y_train)), MAIN)
    members = [(split.X_train[part], split.y_train[part]) for part in parts]
    return scorer(split, rows.domain)(ibm_tree(members, rows.domain, depth, 77 + seed))


def tuning(jobs: int) -> dict[str, list[float]]:
    """For each depth the mean F1 on each of the three sets."""
    tasks = [(data, seed, depth) for depth in DEPTHS for data in TUNED_ON for seed in range(TUNING_RUNS)]
    found = np.reshape(list(in_parallel(at_depth, tasks, jobs)), (len(DEPTHS), len(TUNED_ON), TUNING_RUNS))
    return {str(depth): found[i].mean(axis=1).round(5).tolist() for i, depth in enumerate(DEPTHS)}


def best_depth(tuned: dict[str, list[float]]) -> int:
    """The depth with the best mean over the three sets."""
    return int(max(tuned, key=lambda depth: np.mean(tuned[depth])))


def runs_of(seeds: int, parties: int, share: Fraction) -> int:
    """How often a setting is run: a third as often, but twice at least, where not twenty parties are all there."""
    return seeds if (parties, share) == (MAIN, WHOLE) else max(2, seeds // 3)


def tasks_of(seeds: int, tuned: int) -> list[Task]:
    """All repetitions, seed after seed."""
    return [
        Task(data, n, share, seed, tuned)
        for seed in range(seeds)
        for data in NAMES
        for n, share in SETTINGS
        if seed < runs_of(seeds, n, share)
    ]


def records(tasks: Sequence[Task], found: Sequence[Found]) -> list[dict[str, Any]]:
    """For each set and setting: of each kind of tree its measures in all repetitions."""
    groups: dict[tuple[str, int, Fraction], list[Found]] = {}
    for task, one in zip(tasks, found, strict=True):
        groups.setdefault((task.data, task.parties, task.share), []).append(one)
    return [
        {"data": data, "parties": n, "share": str(share), "runs": len(runs), "depth": [run["depth"] for run in runs]}
        | {"models": {name: _model(name, runs, data) for name in runs[0]["scores"]}}
        | {"distances": {kind: [run["distances"][kind] for run in runs] for kind in runs[0]["distances"]}}
        for (data, n, share), runs in groups.items()
    ]


def _model(name: str, runs: Sequence[Found], data: str) -> dict[str, list[float]]:
    more_is_better = rows_of(data).task == "classification"
    lists = [measures_of(run, name, more_is_better) for run in runs]
    return {what: [round(one[what], 5) for one in lists] for what in MEASURES if what in lists[0]}


def measures_of(run: Found, name: str, more_is_better: bool) -> dict[str, float]:
    """Mean score and questions; and what is gained over the parties' own trees."""
    found = {"score": float(np.mean(run["scores"][name])), "nodes": run["nodes"][name]}
    if name != "local":
        ours, theirs = paired_scores(run["scores"][name], run["scores"]["local"])
        better = (ours > theirs) if more_is_better else (ours < theirs)
        found |= {"gain": improvement(ours, theirs), "log_ratio": log_ratio(ours, theirs)}
        found["better"] = float(np.mean(better))
    return found


def luck(jobs: int, tuned: int) -> dict[str, Any]:
    """Nursery, divided once: of each draw of coins the gains; and of each party its score, own and mean over draws."""
    tasks = [Task(NURSERY, MAIN, WHOLE, 0, tuned, coins) for coins in range(1, LUCKY + 1)]
    found = list(in_parallel(measure, tasks, jobs))
    gains = {name: [round(measures_of(run, name, True)["gain"], 5) for run in found] for name in ("FedGA-Tree", "IBM")}
    scores = {
        name: np.mean([np.broadcast_to(run["scores"][name], MAIN) for run in found], axis=0).round(5).tolist()
        for name in ("local", "FedGA-Tree", "IBM")
    }
    return {"gains": gains, "scores": scores}


def mean_of(values: Sequence[float]) -> tuple[float, float]:
    """The mean of repetitions and its standard error."""
    return float(np.mean(values)), spread(values)


def report(content: dict[str, Any]) -> str:
    """Scores and gains, as a table."""
    lines = [("data", "K", "there", "tree", "score", "gain %", "better", "nodes")]
    for row in content["runs"]:
        for name, model in row["models"].items():
            more = [f"{np.mean(model[what]):.2f}" if what in model else "" for what in ("gain", "better", "nodes")]
            mean, error = mean_of(model["score"])
            shown = f"{mean:.4f} ± {error:.4f}"
            lines.append((row["data"], str(row["parties"]), row["share"], name, shown, *more))
    return text_table(lines)


def main() -> None:
    chosen = read_options("fedga_figures", __doc__, seeds=RUNS)
    warnings.filterwarnings("ignore", message=".*clipped.*")
    depths = tuning(chosen.jobs)
    tuned = best_depth(depths)
    tasks = tasks_of(chosen.seeds, tuned)
    found = list(in_parallel(measure, tasks, chosen.jobs))
    content = {"depths": depths, "tuned": tuned, "runs": records(tasks, found), "luck": luck(chosen.jobs, tuned)}
    print(report(content))
    keep(content, chosen.json)


if __name__ == "__main__":
    main()
