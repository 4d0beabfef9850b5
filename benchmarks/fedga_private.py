"""``python -m benchmarks.fedga_private``: what a choice of structures is worth at a stated ε, and what it takes.

- *choices*: the best of P public structures of two levels, chosen at random, by noisy scores, by votes, by somebody
  trusted: what is lost on all rows, in rows per hundred (of a target, in the range squared per hundred), over ε, P and
  the number of parties.
- *private*: test F1, or MSE, of trees at home: with structures that were voted on, with random ones that nobody sent,
  and of the parties' own CART. Paired.
- *regressor*: test MSE of trees by votes on Friedman's numbers and on diabetes, beside CART of all rows and the mean.
- *sizes*: how many of ten hospitals have their number of patients found by forty accuracies.
- *users*: accuracy and time at 250 and 10⁶ rows, with 2 and 100 parties; one vote beside the tree of chapter 8;
  *numbers*: the same of regression trees.

All is seeded, so everything but the times is the same again. A measurement on data that are not secret, no release.
"""

import time
import warnings
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
from sklearn.datasets import make_friedman1

from benchmarks.accuracy import in_parallel, spread
from benchmarks.fedga import DATA, Task, scorer
from benchmarks.repeated import keep, read_options
from fdpedu.accounting import Ledger
from fdpedu.cart.least_loss import least_losses
from fdpedu.cart.structures import to_structure
from fdpedu.claims.fedga.scores import hospital
from fdpedu.datasets import mixture, mixture_domain
from fdpedu.federation import Federation, Party, deal
from fdpedu.randomness import Rehearsal
from fdpedu.showing import text_table
from fdpedu.sources.fedga import WAYS, choose_structure, fit_local, sizes_from_scores
from fdpedu.structures import fit_private_structures
from fdpedu.structures.at_home import fit_at_home
from fdpedu.structures.voting import first_generation
from fdpedu.trees import fit_federated_tree

Found = dict[str, Any]
RUNS, LATTICE, DRAWS = 12, 1024, 10
EPSILONS = tuple(map(Fraction, ("1/4", "1/2", "1", "2", "4")))
POPULATIONS, PARTIES = (2, 8, 20, 40, 64), (2, 5, 20)
CHOSEN = (0, 1, 2, 4)  # of DATA: breast cancer, wine, clusters, Friedman 1
AT_HOME = (0, 1, 2, 4, 5)
DEALING = 10**6  # added to a seed: rows are dealt by words of their own


def _parts(data: int, n_parties: int, seed: int) -> tuple[Any, list[Any], Any]:
    """What is tested on, each party's rows, dealt by a draw of each row, and what is public."""
    split, parties, domain = Task(data, 0, seed).rows()
    X, y = (np.concatenate([part[i] for part in parties]) for i in (0, 1))
    return split, [(X[part], y[part]) for part in deal(len(y), n_parties, Rehearsal(DEALING + seed))], domain


def _loss(domain: Any) -> str:
    return "errors" if domain.target is None else "squared"


def choices(task: tuple[int, int, int]) -> Found:
    """Excess losses of every way, for each ε and P, in hundredths of rows."""
    data, n_parties, seed = task
    _, parties, domain = _parts(data, n_parties, seed)
    strings = first_generation(domain.n_features, 2, max(POPULATIONS), Rehearsal(seed))
    structures, table = [to_structure(string) for string in strings], []
    for X, y in parties:
        columns = np.ascontiguousarray(domain.encode(X).T)
        table.append(least_losses(columns, domain.encode_labels(y), structures, domain, _loss(domain), LATTICE))
    losses, rows = np.array(table), sum(len(y) for _, y in parties)
    source, found = Rehearsal(1000 * data + 100 * n_parties + seed), Found()
    for size in POPULATIONS:
        sums = losses[:, :size].sum(axis=0)
        for epsilon in EPSILONS:
            for way in WAYS:
                drawn = [
                    choose_structure(losses[:, :size], way, epsilon=epsilon, lattice=LATTICE, rng=source)
                    for _ in range(DRAWS)
                ]
                excess = float(np.mean(sums[drawn] - sums.min())) / LATTICE / rows * 100
                found[f"{way} {size} {epsilon}"] = excess
    return found


def checksum(run: Found) -> float:
    """One number of a run, by which it is known again."""
    return round(float(np.mean(list(run.values()))), 6)


def private(task: tuple[int, int, int]) -> Found:
    """Scores at home, the mean over parties: one way of coming by structures after the other."""
    data, n_parties, seed = task
    split, parties, domain = _parts(data, n_parties, seed)
    score, kind = scorer(split, domain), "classification" if domain.target is None else "regression"
    found = Found(local=_mean_score(score, [fit_local(*pair, domain, task=kind, max_depth=2) for pair in parties]))
    strings = first_generation(domain.n_features, 2, 40, Rehearsal(seed))
    never = [fit_at_home(X, y, strings, domain, _loss(domain)) for X, y in parties]
    found["never sent"] = _mean_score(score, never)
    for generations in (3, 10):
        federation = _federation(parties, domain, Fraction(1), seed)
        voted = fit_private_structures(federation, generations=generations, rng=Rehearsal(seed))
        found[f"{generations} of votes"] = _mean_score(score, [voted.fit_at_home(X, y) for X, y in parties])
    return found


def _mean_score(score: Any, trees: Sequence[Any]) -> float:
    return round(float(np.mean([score(tree) for tree in trees])), 6)


def _federation(parties: Sequence[Any], domain: Any, epsilon: Fraction, seed: int) -> Federation:
    members = [Party(X, domain, labels=y) for X, y in parties]
    return Federation(members, domain, Ledger(epsilon), tolerate=0, rng=Rehearsal(seed))


def regressor(task: tuple[int, int]) -> Found:
    """Test MSE, in thousandths of the range squared, of trees by votes and of what stands beside them."""
    data, seed = task
    split, parties, domain = _parts(data, 5, seed)
    score = scorer(split, domain)
    X, y = (np.concatenate([part[i] for part in parties]) for i in (0, 1))
    width = domain.target.edges[-1] - domain.target.edges[0]
    found = Found(mean=float(np.mean((split.y_test - y.mean()) ** 2)) / width**2)
    codes, labels, tests = domain.encode(X), domain.encode_labels(y), domain.encode(split.X_test)
    middles = np.array(domain.classes)[labels]
    for depth in (2, 4):
        found[f"pooled grid CART, depth {depth}"] = _grid_cart(codes, middles, tests, split.y_test, depth) / width**2
    for epsilon, depth in ((10_000, 4), (10_000, 2), (5, 3), (5, 1), (1, 3)):
        federation = _federation(parties, domain, Fraction(epsilon), seed)
        options: Any = {"max_depth": depth, "leaf_share": Fraction(7, 20), "rng": Rehearsal(seed)}
        tree = fit_federated_tree(federation, design="votes", **options)
        found[f"votes, depth {depth}, ε={epsilon}"] = score(tree)
    return {name: round(1000 * value, 4) for name, value in found.items()}


def _grid_cart(codes: Any, y: Any, tests: Any, truth: Any, depth: int) -> float:
    from sklearn.tree import DecisionTreeRegressor

    tree = DecisionTreeRegressor(max_depth=depth, random_state=0).fit(codes, y)
    return float(np.mean((tree.predict(tests) - truth) ** 2))


def sizes(hospitals: int) -> list[Found]:
    """How many numbers of patients are found, of each size."""
    found = []
    for n in (20, 40, 80):
        told = [sizes_from_scores(hospital(n, seed), "accuracy", 3).best for seed in range(hospitals)]
        found.append(Found(rows=n, found=sum(best == n for best in told), hospitals=hospitals))
    return found


@cache
def _many(n: int, seed: int) -> tuple[Any, Any, Any, Any]:
    rng = np.random.default_rng(seed)
    return (*mixture(n, 10, "0.3", rng), *mixture(2000, 10, "0.3", rng))


def users(task: tuple[int, int, int]) -> Found:
    """Time and mean accuracy at home, of one vote and of three generations, beside the tree of chapter 8."""
    n, n_parties, seed = task
    X, y, X_test, y_test = _many(n, seed)
    domain = mixture_domain(10)
    parties = [(X[part], y[part]) for part in deal(n, n_parties, Rehearsal(DEALING + seed))]
    members, found = [Party(rows, domain, labels=labels) for rows, labels in parties], Found()
    for name in ("tree", "one vote", "three generations"):
        federation = Federation(members, domain, Ledger(1), tolerate=0, rng=Rehearsal(seed))
        start = time.perf_counter()
        if name == "tree":
            tree = fit_federated_tree(federation)
            found[name] = {"seconds": time.perf_counter() - start, "accuracy": tree.score(X_test, y_test)}
            continue
        voted = fit_private_structures(federation, generations=1 if name == "one vote" else 3, rng=Rehearsal(seed))
        took = time.perf_counter() - start
        some = parties[:: max(1, n_parties // 10)]
        right = [voted.fit_at_home(*pair).score(X_test, y_test) for pair in some]
        found[name] = {"seconds": took, "accuracy": float(np.mean(right))}
    return found


def numbers(task: tuple[int, int, int]) -> Found:
    """Time and R² of a regression tree by votes at ε = 1, beside the first party's own CART, on Friedman's numbers."""
    n, n_parties, seed = task
    domain = DATA[4][0].domain
    X, y = make_friedman1(n + 2000, noise=1.0, random_state=seed)
    parties = [(X[part], y[part]) for part in deal(n, n_parties, Rehearsal(DEALING + seed))]
    federation = _federation(parties, domain, Fraction(1), seed)
    start = time.perf_counter()
    tree = fit_federated_tree(federation, design="votes", leaf_share=Fraction(7, 20), rng=Rehearsal(seed))
    took = time.perf_counter() - start
    own = fit_local(*(part[:2000] for part in parties[0]), domain, task="regression", max_depth=3)
    return Found(seconds=took, votes=_r2(y[n:], tree.predict(X[n:])), own=_r2(y[n:], own.predict(X[n:])))


def _r2(truth: Any, said: Any) -> float:
    return float(1 - np.mean((truth - said) ** 2) / np.var(truth))


def _paired(one: Sequence[float], other: Sequence[float]) -> list[float]:
    return _mean(np.subtract(one, other).tolist())


def _mean(values: Sequence[float]) -> list[float]:
    return [round(float(np.mean(values)), 5), round(spread(values) if len(values) > 1 else 0.0, 5)]


def measured(seeds: int, jobs: int) -> Found:
    """All of it."""
    content = Found(choices=[], private=[], regressor=[], users=[], numbers=[], sizes=sizes(10))
    for data in CHOSEN:
        for n in PARTIES:
            runs = list(in_parallel(choices, [(data, n, seed) for seed in range(seeds)], jobs))
            means = {key: _mean([run[key] for run in runs]) for key in runs[0]}
            record = {"data": DATA[data][0].name, "parties": n, "excess": means, "all": list(map(checksum, runs))}
            content["choices"].append(record)
    for data in AT_HOME:
        runs = list(in_parallel(private, [(data, 5, seed) for seed in range(seeds)], jobs))
        columns = {name: [run[name] for run in runs] for name in runs[0]}
        models = {
            name: {"score": _mean(v), "minus local": _paired(v, columns["local"]), "all": v}
            for name, v in columns.items()
        }
        content["private"].append({"data": DATA[data][0].name, "parties": 5, "models": models})
    for data in (4, 5):
        runs = list(in_parallel(regressor, [(data, seed) for seed in range(seeds)], jobs))
        mse = {name: _mean([run[name] for run in runs]) for name in runs[0]}
        content["regressor"].append({"data": DATA[data][0].name, "mse": mse, "all": runs})
    for n, n_parties in ((250, 2), (2500, 100), (1_000_000, 2), (1_000_000, 100)):
        runs = [users((n, n_parties, seed)) for seed in range(3 if n > 10_000 else seeds)]
        content["users"].append(
            {"rows": n, "parties": n_parties, "ways": {name: _of_users(name, runs) for name in runs[0]}}
        )
        found = [numbers((n, n_parties, seed)) for seed in range(len(runs))]
        content["numbers"].append(
            {
                **{
                    "rows": n,
                    "parties": n_parties,
                    "seconds": round(float(np.median([r["seconds"] for r in found])), 4),
                },
                **{name: _mean([r[name] for r in found]) for name in ("votes", "own")},
            }
        )
    return content


def _of_users(name: str, runs: Sequence[Found]) -> Found:
    return {
        "seconds": round(float(np.median([run[name]["seconds"] for run in runs])), 4),
        "accuracy": _mean([run[name]["accuracy"] for run in runs]),
    }


def targets(content: Found) -> list[tuple[str, str, str]]:
    """What was promised, and what was found."""
    rows = []
    for name in ("breast cancer", "wine"):
        excess = next(r for r in content["choices"] if (r["data"], r["parties"]) == (name, 5))["excess"]
        votes, scores = (excess[f"{way} 40 1"][0] for way in ("votes", "scores"))
        rows.append((f"{name}, 40 structures, ε=1, 5 parties: votes / scores", f"{votes / scores:.2f}", "≤ 0.5"))
    rows += [(f"hospitals of {r['rows']}", f"{r['found']} of {r['hospitals']}", "≥ 9 of 10") for r in content["sizes"]]
    friedman = content["regressor"][0]["mse"]
    without = friedman["votes, depth 4, ε=10000"][0] / friedman["pooled grid CART, depth 4"][0]
    at_five = friedman["votes, depth 3, ε=5"][0] / friedman["mean"][0]
    rows.append(("Friedman, depth 4, no noise to speak of: MSE / pooled grid CART's", f"{without:.2f}", "≤ 1.1"))
    rows.append(("Friedman, depth 3, ε=5: MSE / the mean's", f"{at_five:.2f}", "≤ 0.8"))
    ways = content["users"][0]["ways"]
    ratio = ways["one vote"]["seconds"] / ways["tree"]["seconds"]
    rows.append(("one vote among 40 structures: time / fit_federated_tree's", f"{ratio:.1f}", "≤ 5"))
    return rows


def report(content: Found) -> str:
    """Tables of all."""
    lines = [("data", "K", "structures of", "score", "minus local")]
    for r in content["private"]:
        for name, m in r["models"].items():
            shown = (f"{m[key][0]:.4f} ± {m[key][1]:.4f}" for key in ("score", "minus local"))
            lines.append((r["data"], str(r["parties"]), name, *shown))
    users_ = [("rows", "K", "what", "seconds", "accuracy")]
    for r in content["users"]:
        for name, m in r["ways"].items():
            users_.append((f"{r['rows']:,}", str(r["parties"]), name, f"{m['seconds']:.3f}", f"{m['accuracy'][0]:.3f}"))
    regression = [("rows", "K", "seconds", "R² of votes", "R² of one's own")]
    for r in content["numbers"]:
        shown = (f"{r[name][0]:.3f} ± {r[name][1]:.3f}" for name in ("votes", "own"))
        regression.append((f"{r['rows']:,}", str(r["parties"]), f"{r['seconds']:.3f}", *shown))
    mse = [("data", "tree", "MSE · 10³")]
    for r in content["regressor"]:
        mse += [(r["data"], name, f"{m[0]:.2f} ± {m[1]:.2f}") for name, m in r["mse"].items()]
    wanted = [("what", "found", "target"), *targets(content)]
    return "\n\n".join(text_table(table) for table in (lines, mse, users_, regression, wanted))


def main() -> None:
    chosen = read_options("fedga_private", __doc__, seeds=RUNS)
    warnings.filterwarnings("ignore", message=".*clipped.*")
    content = measured(chosen.seeds, chosen.jobs)
    print(report(content))
    keep(content, chosen.json)


if __name__ == "__main__":
    main()
