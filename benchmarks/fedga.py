"""``python -m benchmarks.fedga``: FedGA-Tree's figures in miniature, and whether exchange is worth it.

- *figures*: test F1, or test MSE as a share of the target's range squared, of the tree of all rows, of the parties'
  own, of FedGA-Tree, and of structures that nobody sent: each party takes, at home, the best of 40 random public ones.
  Beside them, for classes, the tree that the source calls IBM's: Algorithm 5 on clipped counts at ε = 1/2, two levels
  deep, as deep as FedGA-Tree, and half as deep as there are features, but at most six levels (deeper trees would not
  fit into a miniature). Gain by eq. (3), log-ratio, share of parties that are better off, nodes, edit distances.
- *pairs*: eq. (3) between local trees of parties that are alike, each against each, and the log-ratio of each with the
  next one: both improve on each other.

5, 10 and 20 parties; all of them at a time, three fifths, one fifth; rows at random, or sorted by the first number.
All is seeded, so everything but the times is the same again. A measurement on data that are not secret, no release.
"""

import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from sklearn.datasets import load_diabetes, load_wine, make_friedman1

from benchmarks.accuracy import in_parallel, spread
from benchmarks.repeated import keep, read_options
from fdpedu.accounting import Ledger
from fdpedu.cart.structures import to_structure
from fdpedu.datasets import BENCHMARK, Split
from fdpedu.domain import Domain, Numeric
from fdpedu.experiments.own import REAL
from fdpedu.federation import Federation, Party
from fdpedu.randomness import Rehearsal
from fdpedu.showing import text_table
from fdpedu.sources.fedga import edit_distance, f1, fit_at_structure, fit_fedga, fit_local, improvement, log_ratio, mse
from fdpedu.sources.raw_rows import read_values
from fdpedu.structures.genetic import LEAF_RATIO, random_string
from fdpedu.trees import fit_federated_tree

Found = dict[str, Any]
Model = Any  # what predicts; a tree of a party, or one of all
RUNS, POPULATION = 12, 40
IBM_EPSILON, IBM_DEEPEST = Fraction(1, 2), 6
NEVER_SENT_DEPTH = {"classification": 2, "regression": 4}  # public: nobody was asked for it
PAIR_DEPTH = 3
_NAMED = {data.name: data for data in BENCHMARK}
DIABETES = (
    *(("age", 18, 80), ("sex", 1, 2), ("bmi", 15, 45), ("blood pressure", 60, 140), ("s1", 90, 310)),
    *(("s2", 40, 250), ("s3", 20, 100), ("s4", 2, 10), ("s5", 3, 6.2), ("s6", 50, 130)),
)


def _draw_wine(rng: np.random.Generator) -> Split:
    X, y = load_wine(return_X_y=True)
    return _shuffled(X, y, 120, rng)


def _draw_diabetes(rng: np.random.Generator) -> Split:
    X, y = load_diabetes(return_X_y=True, scaled=False)
    return _shuffled(X, y, 309, rng)


def _shuffled(X: Any, y: Any, train: int, rng: np.random.Generator) -> Split:
    order = rng.permutation(len(y))
    return Split(X[order[:train]], y[order[:train]], X[order[train:]], y[order[train:]])


def _draw_friedman(rng: np.random.Generator) -> Split:
    X, y = make_friedman1(3000, noise=1.0, random_state=int(rng.integers(2**31)))
    return Split(X[:2000], y[:2000], X[2000:], y[2000:])


def _friedman_domain() -> Domain:
    return Domain([Numeric.grid(f"x{j}", 0, 1, 16) for j in range(10)], target=Numeric.grid("y", 0, 30, 16))


def _diabetes_domain() -> Domain:
    features = [Numeric.grid(name, low, high, 16) for name, low, high in DIABETES]
    return Domain(features, target=Numeric.grid("progress of the disease", 0, 350, 16))


class Rows(NamedTuple):
    """Where rows come from: classes, or numbers."""

    name: str
    domain: Domain
    draw: Callable[[np.random.Generator], Split]


def _known(name: str) -> Rows:
    return Rows(name, _NAMED[name].domain, _NAMED[name].draw)


DATA: tuple[tuple[Rows, int], ...] = (
    (_known("breast cancer"), 398),
    (Rows("wine", Domain(REAL[1].domain.features, (0, 1, 2)), _draw_wine), 120),
    (_known("clusters"), 2000),
    (_known("census imitation"), 2000),
    (Rows("friedman 1", _friedman_domain(), _draw_friedman), 2000),
    (Rows("diabetes", _diabetes_domain(), _draw_diabetes), 309),
)
"""Each with how many rows are learnt from."""
SETTINGS: tuple[tuple[int, str, Fraction], ...] = (
    *((n, "at random", Fraction(1)) for n in (5, 10, 20)),
    *((20, "at random", share) for share in (Fraction(3, 5), Fraction(1, 5))),
    *((n, "sorted", Fraction(1)) for n in (5, 20)),
)
"""Parties, how rows are divided, and the share of parties that are there at a time."""


@dataclass(frozen=True)
class Task:
    """One repetition: a data set, a setting, and a seed, by which rows are the same in all settings.

    Parts are equal, as the source's are: nothing here is private, so nothing rests on how rows are dealt.
    """

    data: int
    setting: int
    seed: int

    @property
    def task(self) -> str:
        return "classification" if DATA[self.data][0].domain.target is None else "regression"

    def rows(self) -> tuple[Split, list[tuple[Any, Any]], Domain]:
        """What is tested on, what each party has, and what is public."""
        data, size = DATA[self.data]
        n_parties, division, _ = SETTINGS[self.setting]
        split = data.draw(np.random.default_rng([self.seed, self.data]))
        order = np.arange(size)
        if division == "sorted":
            first = next(j for j, feature in enumerate(data.domain.features) if isinstance(feature, Numeric))
            order = np.argsort(np.asarray(split.X_train[:size])[:, first].astype(float), kind="stable")
        parts = np.array_split(order, n_parties)
        return split, [(split.X_train[part], split.y_train[part]) for part in parts], data.domain


def scorer(split: Split, domain: Domain) -> Callable[[Model], float]:
    """F1 on the test rows; or the mean squared error there, as a share of the range squared."""
    target = domain.target
    if target is not None:
        width = target.edges[-1] - target.edges[0]
        return lambda tree: mse(split.y_test, tree.predict(split.X_test)) / width**2
    truth = domain.encode_labels(split.y_test).astype(np.int64)
    return lambda tree: f1(truth, domain.encode_labels(tree.predict(split.X_test)).astype(np.int64))


def measure(task: Task) -> Found:
    """Scores and sizes of every tree, one party after the other, and edit distances."""
    split, parties, domain = task.rows()
    score, kind, seed = scorer(split, domain), task.task, 10_000 * task.data + 100 * task.setting + task.seed
    share = SETTINGS[task.setting][2]
    start = time.process_time()
    fedga = fit_fedga(parties, domain, task=kind, participation=share, population=POPULATION, rng=Rehearsal(seed))
    took = time.process_time() - start
    own = [fit_local(*pair, domain, task=kind, rng=Rehearsal(seed + k)) for k, pair in enumerate(parties)]
    trees: dict[str, list[Model]] = {"local": own, "FedGA-Tree": list(fedga.trees)}
    if share == 1:
        X, y = (np.concatenate([part[i] for part in parties]) for i in (0, 1))
        trees["central"] = [fit_local(X, y, domain, task=kind, rng=Rehearsal(seed))]
        trees["never sent"] = never_sent(parties, domain, kind, seed)
        if kind == "classification":
            trees |= _ibm(parties, domain, fedga.max_depth, seed)
    found = Found(seconds=took, depth=fedga.max_depth, scores={}, nodes={})
    for name, models in trees.items():
        found["scores"][name] = [round(score(tree), 6) for tree in models]
        found["nodes"][name] = round(float(np.mean([nodes_of(tree) for tree in models])), 4)
    return {**found, "distances": distances_of(fedga, domain, seed)}


def never_sent(parties: Sequence[Any], domain: Domain, task: str, seed: int) -> list[Model]:
    """Each party's best, on its own rows, of 40 random structures that everybody knows."""
    coins, depth = Rehearsal(seed), NEVER_SENT_DEPTH[task]
    strings = [random_string(domain.n_features, depth, LEAF_RATIO, coins) for _ in range(POPULATION)]
    return [_best_at_home(X, y, strings, domain, task) for X, y in parties]


def _best_at_home(X: Any, y: Any, strings: Sequence[Any], domain: Domain, task: str) -> Model:
    trees = [fit_at_structure(X, y, string, domain, task=task) for string in strings]
    values = read_values(X, domain, "X")
    if task == "regression":
        return min(trees, key=lambda tree: mse(y, tree.labels_of(values)))
    truth = domain.encode_labels(y).astype(np.int64)
    return max(trees, key=lambda tree: f1(truth, tree.labels_of(values).astype(np.int64)))


def _ibm(parties: Sequence[Any], domain: Domain, median: int, seed: int) -> dict[str, list[Model]]:
    """Algorithm 5 on clipped counts, at the three depths that the source tried."""
    depths = {"two": 2, "median": median, "half": min(domain.n_features // 2, IBM_DEEPEST)}
    return {f"IBM, {name}": [ibm_tree(parties, domain, depth, seed)] for name, depth in depths.items()}


def ibm_tree(parties: Sequence[Any], domain: Domain, depth: int, seed: int) -> Model:
    """Algorithm 5 on clipped counts at ε = 1/2, in place of the source's IBM tree."""
    members = [Party(X, domain, labels=y) for X, y in parties]
    federation = Federation(members, domain, Ledger(IBM_EPSILON), tolerate=0, rng=Rehearsal(seed))
    return fit_federated_tree(federation, design="algorithm-5-clipped", max_depth=depth)


def nodes_of(tree: Model) -> int:
    """How many questions: all but the leaves of a binary tree."""
    nodes = tree.nodes() if callable(tree.nodes) else tree.nodes
    return (len(list(nodes)) - 1) // 2


def distances_of(fedga: Any, domain: Domain, seed: int) -> dict[str, float]:
    """Of a party's own CART at the global depth: to its FedGA-Tree, to a random structure, to the next party's CART."""
    coins = Rehearsal(seed + 7)
    own = {seen.party: to_structure(seen.structure).features for seen in fedga.seen if seen.structure is not None}
    drawn = [random_string(domain.n_features, fedga.max_depth, LEAF_RATIO, coins) for _ in own]
    there = list(own)
    pairs = {
        "FedGA-Tree": [edit_distance(own[k], fedga.trees[k].structure.features) for k in there],
        "random": [edit_distance(own[k], to_structure(s).features) for k, s in zip(there, drawn, strict=True)],
        "next party": [
            edit_distance(own[k], own[after]) for k, after in zip(there, there[1:] + there[:1], strict=True)
        ],
    }
    return {name: round(float(np.mean(values)), 5) for name, values in pairs.items()}


def tasks_of(seeds: int) -> list[Task]:
    """All repetitions."""
    return [Task(k, s, seed) for k in range(len(DATA)) for s in range(len(SETTINGS)) for seed in range(seeds)]


def records(tasks: Sequence[Task], found: Sequence[Found]) -> list[dict[str, Any]]:
    """For each data set and setting: means over repetitions with their errors, and the scores of all of them."""
    groups: dict[tuple[int, int], list[Found]] = {}
    for task, one in zip(tasks, found, strict=True):
        groups.setdefault((task.data, task.setting), []).append(one)
    kept = []
    for (data, setting), runs in groups.items():
        n_parties, division, share = SETTINGS[setting]
        record: dict[str, Any] = {"data": DATA[data][0].name, "parties": n_parties, "division": division}
        record |= {"participation": str(share), "runs": len(runs), "depth": mean_of([run["depth"] for run in runs])}
        record["models"] = {name: _model(name, runs, data) for name in runs[0]["scores"]}
        record["distances"] = {name: mean_of([r["distances"][name] for r in runs]) for name in runs[0]["distances"]}
        kept.append(record)
    return kept


def _model(name: str, runs: Sequence[Found], data: int) -> dict[str, Any]:
    more_is_better = DATA[data][0].domain.target is None
    scores = [float(np.mean(run["scores"][name])) for run in runs]
    found: dict[str, Any] = {"score": mean_of(scores), "nodes": mean_of([run["nodes"][name] for run in runs])}
    found["all"] = [round(score, 6) for score in scores]
    if name != "local":
        paired = [paired_scores(run["scores"][name], run["scores"]["local"]) for run in runs]
        better = [(ours > theirs) if more_is_better else (ours < theirs) for ours, theirs in paired]
        found["gain"] = mean_of([improvement(ours, theirs) for ours, theirs in paired])
        found["log_ratio"] = mean_of([log_ratio(ours, theirs) for ours, theirs in paired])
        found["better"] = mean_of([float(np.mean(wins)) for wins in better])
    return found


def paired_scores(ours: Sequence[float], theirs: Sequence[float]) -> tuple[Any, Any]:
    """Of each party its scores; a single tree is everybody's."""
    return np.broadcast_to(ours, len(theirs)), np.asarray(theirs)


def mean_of(values: Sequence[float]) -> list[float]:
    return [round(float(np.mean(values)), 5), round(spread(values) if len(values) > 1 else 0.0, 5)]


PAIRS: tuple[tuple[str, int], ...] = (("wine", 10), ("breast cancer", 20), ("diabetes", 20), ("friedman 1", 20))


def paired(task: tuple[str, int, int]) -> tuple[float, float]:
    """Eq. (3) between the local trees of parties that are alike, each against each; log-ratio of each with the next."""
    name, n_parties, seed = task
    data, size = next(one for one in DATA if one[0].name == name)
    split = data.draw(np.random.default_rng([seed, 99]))
    parts = np.array_split(np.arange(size), n_parties)
    kind, score = "classification" if data.domain.target is None else "regression", scorer(split, data.domain)
    scores = [
        score(fit_local(split.X_train[p], split.y_train[p], data.domain, task=kind, max_depth=PAIR_DEPTH))
        for p in parts
    ]
    both = [improvement(np.roll(scores, shift), scores) for shift in range(1, n_parties)]
    return float(np.mean(both)), log_ratio(scores[::2], scores[1::2])


def pairs(seeds: int, jobs: int) -> list[dict[str, Any]]:
    """Means and errors of :func:`paired`."""
    tasks = [(name, n, seed) for name, n in PAIRS for seed in range(seeds)]
    found = list(in_parallel(paired, tasks, jobs))
    kept = []
    for i, (name, n) in enumerate(PAIRS):
        gains, ratios = zip(*found[i * seeds : (i + 1) * seeds], strict=True)
        kept.append({"data": name, "parties": n, "gain": mean_of(gains), "log_ratio": mean_of(ratios), "runs": seeds})
    return kept


def targets(kept: Sequence[dict[str, Any]], alike: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The measured targets of the chapter, with their errors: differences of the same runs."""
    cancer, friedman = (
        next(r for r in kept if (r["data"], r["parties"], r["division"]) == (name, 5, "at random"))["models"]
        for name in ("breast cancer", "friedman 1")
    )
    ratios = np.divide(friedman["never sent"]["all"], friedman["FedGA-Tree"]["all"]).tolist()
    rows = [
        ("breast cancer", 5, "FedGA-Tree − local", _minus(cancer, "FedGA-Tree", "local"), "from −.005 to .035"),
        ("breast cancer", 5, "FedGA-Tree − never sent", _minus(cancer, "FedGA-Tree", "never sent"), "within .02"),
        ("friedman 1", 5, "never sent / FedGA-Tree", mean_of(ratios), "≥ 1.3"),
        *((r["data"], r["parties"], "eq. (3), local trees, %", r["gain"], "> 0 by two errors") for r in alike),
        *((r["data"], r["parties"], "log-ratio, local trees", r["log_ratio"], "0") for r in alike),
    ]
    return [
        {"data": data, "parties": n, "what": what, "mean": mean, "se": se, "target": target}
        for data, n, what, (mean, se), target in rows
    ]


def _minus(models: dict[str, Any], one: str, other: str) -> list[float]:
    return mean_of(np.subtract(models[one]["all"], models[other]["all"]).tolist())


def report(content: dict[str, Any]) -> str:
    """Scores and targets, as tables."""
    head = ("data", "K", "rows", "there", "tree", "score", "gain %", "better", "nodes")
    lines = [
        (r["data"], str(r["parties"]), r["division"], r["participation"], name, _shown(m["score"], 4))
        + ((_shown(m["gain"], 1), f"{m['better'][0]:.2f}") if "gain" in m else ("", ""))
        + (f"{m['nodes'][0]:.1f}",)
        for r in content["figures"]
        for name, m in r["models"].items()
    ]
    rows = [
        (t["data"], str(t["parties"]), t["what"], _shown((t["mean"], t["se"]), 4), t["target"])
        for t in content["targets"]
    ]
    return f"{text_table([head, *lines])}\n\n{text_table([('data', 'K', 'what', 'measured', 'target'), *rows])}"


def _shown(mean: Sequence[float], digits: int) -> str:
    return f"{mean[0]:.{digits}f} ± {mean[1]:.{digits}f}"


def main() -> None:
    chosen = read_options("fedga", __doc__, seeds=RUNS)
    warnings.filterwarnings("ignore", message=".*clipped.*")
    tasks = tasks_of(chosen.seeds)
    found = list(in_parallel(measure, tasks, chosen.jobs))
    kept, alike = records(tasks, found), pairs(chosen.seeds, chosen.jobs)
    content: dict[str, Any] = {"figures": kept, "pairs": alike, "targets": targets(kept, alike)}
    content["seconds"] = round(float(np.median([one["seconds"] for one in found])), 3)
    print(report(content))
    keep(content, chosen.json)


if __name__ == "__main__":
    main()
