"""``python -m benchmarks.edges``: equal width, quantiles of released counts, and the trusted joint mechanism, compared.

Rows of p features alike are divided among parties. Each way of choosing bin edges has the same ε in all. Equal width
costs nothing, so that the tree has all of ε. The two others spend a share of it on edges: one round on a fine grid
through the federation, or one draw a feature by somebody who sees all rows. Measured are

- the rank error of the edges: the largest miss |n_k − (i/b)n| over the shares i/b, each with the edge nearest to it, as
  a part of n, averaged over the features;
- the test accuracy of the tree that is then grown, through a federation, with what is left of ε.

Every row and every draw come from a seed; noise from a seed is a measurement on data that are not secret, and no
release. All ways are tried on the same rows. Means have standard errors over the runs.
"""

import argparse
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.repeated import a_row_a_line
from benchmarks.stamp import stamp
from fdpedu.accounting import Ledger
from fdpedu.datasets import divide, mixture
from fdpedu.domain import Domain, Numeric
from fdpedu.federation import Federation, Party
from fdpedu.histograms import private_quantile_domain, trusted_joint_quantiles
from fdpedu.randomness import SeededReleaseWarning
from fdpedu.showing import text_table
from fdpedu.trees import fit_federated_tree

Labelled = tuple[NDArray[np.float64], NDArray[np.int64]]
CLASSES = (0, 1)


@dataclass(frozen=True)
class Setting:
    """What is the same in all runs: rows for training, features, parties, bins, the fine grid, ε and its share."""

    rows: int = 2000
    features: int = 2
    parties: int = 5
    bins: int = 8
    fine: int = 128
    epsilon: Fraction = Fraction(1)
    for_edges: Fraction = Fraction(1, 4)
    depth: int = 3


@dataclass(frozen=True)
class Result:
    """Rank error and accuracy of one way to choose edges on one kind of data: means, and their standard errors."""

    data: str
    edges: str
    rank_error: float
    rank_error_se: float
    accuracy: float
    accuracy_se: float
    runs: int


def _bands(values: NDArray[np.float64], ranks: NDArray[np.float64], rng: np.random.Generator) -> Labelled:
    """Class 1 in a band of the first feature's ranks, as wide as 0.4 and anywhere from 0.1 on; a tenth is flipped.

    The band is drawn in every run, so that it suits no way of choosing edges more often than another.
    """
    start = rng.uniform(0.1, 0.5)
    inside = (ranks[:, 0] > start) & (ranks[:, 0] <= start + 0.4)
    return values, (inside ^ (rng.random(len(values)) < 0.1)).astype(np.int64)


def uniform(n: int, p: int, rng: np.random.Generator) -> Labelled:
    ranks = rng.random((n, p))
    return _bands(100 * ranks, ranks, rng)


def long_tail(n: int, p: int, rng: np.random.Generator) -> Labelled:
    """Exponential with mean 4 on the public range 0 to 100, as an income in a unit that was chosen generously."""
    ranks = rng.random((n, p))
    return _bands(-4 * np.log1p(-ranks), ranks, rng)


def report_mixture(n: int, p: int, rng: np.random.Generator) -> Labelled:
    """The report's mixture, ρ = 0.3."""
    return mixture(n, p, 0.3, rng)


DATA: dict[str, tuple[Callable[[int, int, np.random.Generator], Labelled], tuple[int, int]]] = {
    "uniform": (uniform, (0, 100)),
    "long tail": (long_tail, (0, 100)),
    "mixture": (report_mixture, (-5, 4)),
}


def grid(data: str, setting: Setting, bins: int) -> Domain:
    """So many bins of equal width for every feature."""
    low, high = DATA[data][1]
    return Domain([Numeric.grid(f"x{j + 1}", low, high, bins) for j in range(setting.features)], CLASSES)


def federation(
    rows: Labelled, domain: Domain, budget: Fraction, setting: Setting, rng: np.random.Generator
) -> Federation:
    """The rows among the parties; one colluder is tolerated."""
    parts, _ = divide(len(rows[1]), setting.parties, 0, np.random.default_rng(0))
    parties = [Party(rows[0][part], domain, labels=rows[1][part]) for part in parts]
    return Federation(parties, domain, Ledger(budget), rng=rng)


def equal_width(data: str, rows: Labelled, setting: Setting, rng: np.random.Generator) -> tuple[Domain, Fraction]:
    """The coarse domain, and what is left of ε."""
    return grid(data, setting, setting.bins), setting.epsilon


def released(data: str, rows: Labelled, setting: Setting, rng: np.random.Generator) -> tuple[Domain, Fraction]:
    """The same by one round on the fine grid."""
    cost, fine = setting.epsilon * setting.for_edges, grid(data, setting, setting.fine)
    coarse = private_quantile_domain(federation(rows, fine, cost, setting, rng), cost, setting.bins)
    return coarse, setting.epsilon - cost


def trusted(data: str, rows: Labelled, setting: Setting, rng: np.random.Generator) -> tuple[Domain, Fraction]:
    """The same by one draw a feature, each for ε/p, by somebody who sees all rows."""
    cost, fine = setting.epsilon * setting.for_edges, grid(data, setting, setting.fine)
    features = []
    for feature, column in zip(fine.features, rows[0].T, strict=True):
        assert isinstance(feature, Numeric)
        counts = np.bincount(feature.encode(column), minlength=feature.n_codes)
        edges = trusted_joint_quantiles(counts, feature.edges, setting.bins, cost / setting.features, rng)
        features.append(Numeric(feature.name, edges))
    return Domain(features, CLASSES), setting.epsilon - cost


WAYS = {"equal width": equal_width, "released counts": released, "trusted joint mechanism": trusted}


def rank_error(values: NDArray[np.float64], edges: Sequence[float], bins: int) -> float:
    """The largest miss over the shares i/b, each with the inner edge nearest to it, as a part of the rows."""
    ranks = np.searchsorted(np.sort(values), edges[1:-1], side="right") / len(values)
    return max(float(abs(ranks - i / bins).min()) for i in range(1, bins))


def measure(data: str, setting: Setting, seed: int) -> Iterator[tuple[str, float, float]]:
    """One run: for each way its name, the mean rank error over features, and the test accuracy of its tree."""
    draw = DATA[data][0]
    named = sorted(DATA).index(data)
    X, y = draw(setting.rows + 2000, setting.features, np.random.default_rng([seed, named]))
    rows, test = (X[: setting.rows], y[: setting.rows]), (X[setting.rows :], y[setting.rows :])
    for i, (way, choose) in enumerate(WAYS.items()):
        rng = np.random.default_rng([seed, named, i])
        domain, left = choose(data, rows, setting, rng)
        pairs = zip(rows[0].T, domain.features, strict=True)
        misses = [rank_error(x, f.edges, setting.bins) for x, f in pairs if isinstance(f, Numeric)]
        tree = fit_federated_tree(federation(rows, domain, left, setting, rng), max_depth=setting.depth)
        yield way, float(np.mean(misses)), float(np.mean(np.asarray(tree.predict(test[0])) == test[1]))


def compare(setting: Setting | None = None, runs: int = 10, data: Sequence[str] = tuple(DATA)) -> list[Result]:
    """All ways on all kinds of data, in the same order; ``runs`` of at least 2, with the seeds 0, 1, 2, …"""
    fixed, results = setting or Setting(), []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SeededReleaseWarning)
        for name in data:
            found = [run for seed in range(runs) for run in measure(name, fixed, seed)]
            for way in WAYS:
                scores = np.array([run[1:] for run in found if run[0] == way])
                mean, se = scores.mean(axis=0), scores.std(axis=0, ddof=1) / np.sqrt(runs)
                results.append(
                    Result(name, way, *(float(x) for pair in zip(mean, se, strict=True) for x in pair), runs)
                )
    return results


def report(results: Sequence[Result]) -> str:
    """The results as an aligned table."""
    rows = [("data", "edges", "rank error", "accuracy")]
    for r in results:
        errors = f"{r.rank_error:.3f} ± {r.rank_error_se:.3f}", f"{r.accuracy:.3f} ± {r.accuracy_se:.3f}"
        rows.append((r.data, r.edges, *errors))
    return text_table(rows, right={2, 3})


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.edges", description="Three ways to choose bin edges.")
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--rows", type=int, nargs="+", default=[2000])
    parser.add_argument("--epsilon", type=Fraction, nargs="+", default=[Fraction(1)])
    parser.add_argument("--json", metavar="FILE", type=Path, help="keep the results there")
    options = parser.parse_args()
    kept = []
    for rows in options.rows:
        for epsilon in options.epsilon:
            results = compare(Setting(rows=rows, epsilon=epsilon), options.runs)
            print(f"\n{rows} rows, ε = {epsilon} in all, {options.runs} runs\n{report(results)}")
            kept += [{"rows": rows, "epsilon": str(epsilon), **asdict(result)} for result in results]
    if options.json:
        content = {**stamp(), "results": kept}
        options.json.write_text(a_row_a_line(content) + "\n", "utf8")


if __name__ == "__main__":
    main()
