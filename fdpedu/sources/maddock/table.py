"""The framework as one table: choices by name, what they ask, and how good they are, as printed and mended."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fdpedu.domain import Codes, Domain
from fdpedu.exact import Rational, as_fraction, as_integer, as_list, require_callable, require_type, shown
from fdpedu.randomness import Rehearsal
from fdpedu.showing import html_table, text_table
from fdpedu.sources.maddock.candidates import Floats
from fdpedu.sources.maddock.choices import SPLITS, WEIGHTS, Choices
from fdpedu.sources.maddock.growing import counted, fit_framework
from fdpedu.sources.maddock.paying import PAID, Counts

Draw = Callable[[np.random.Generator], tuple[Any, Any, Any, Any]]
_HEAD = ("choices", "releases", "rounds", "kB", *(f"{what}, {paid}" for paid in PAID for what in ("AUC", "accuracy")))


@dataclass(frozen=True, eq=False)
class FrameworkRow:
    """One row of the table.

    Parameters
    ----------
    name : of the choices
    choices : of the framework
    counts : what they ask of the domain
    measured : by how it was paid, AUC and accuracy of each seed: shape (seeds, 2)
    """

    name: str
    choices: Choices
    counts: Counts
    measured: Mapping[str, Floats]

    def mean(self, paid: str) -> tuple[float, float]:
        """AUC and accuracy, over the seeds."""
        auc, accuracy = self.measured[paid].mean(axis=0).tolist()
        return auc, accuracy

    def standard_error(self, paid: str) -> tuple[float, float]:
        """Of both means; refuses a single seed."""
        measured = self.measured[paid]
        if len(measured) < 2:
            raise ValueError("seeds must be at least two for a standard error")
        auc, accuracy = (measured.std(axis=0, ddof=1) / np.sqrt(len(measured))).tolist()
        return auc, accuracy

    def _shown(self) -> list[str]:
        """Both means by how it was paid, with their standard errors if there are two seeds."""
        means = [f"{value:.3f}" for paid in PAID for value in self.mean(paid)]
        if len(self.measured[PAID[0]]) < 2:
            return means
        errors = [f"{value:.3f}" for paid in PAID for value in self.standard_error(paid)]
        return [f"{mean} ± {error}" for mean, error in zip(means, errors, strict=True)]


@dataclass(frozen=True)
class FrameworkTable:
    """The rows of :func:`framework_table`.

    Parameters
    ----------
    rows : in order
    epsilon, delta : what each model costs
    """

    rows: tuple[FrameworkRow, ...]
    epsilon: Fraction
    delta: Fraction

    def __getitem__(self, name: str) -> FrameworkRow:
        """The row of a name."""
        for row in self.rows:
            if row.name == name:
                return row
        raise KeyError(name)

    def _cells(self) -> list[tuple[str, ...]]:
        return [
            (
                row.name,
                str(row.counts.releases),
                str(row.counts.rounds),
                f"{row.counts.answer_bytes / 1000:.1f}",
                *row._shown(),
            )
            for row in self.rows
        ]

    def __str__(self) -> str:
        return text_table([_HEAD, *self._cells()], right=range(1, len(_HEAD)))

    def _repr_html_(self) -> str:
        caption = f"The framework at ε = {shown(self.epsilon)}, δ = {float(self.delta):g}"
        return html_table(_HEAD, self._cells(), caption=caption, named=True)


def framework_rows(trees: int = 25, depth: int = 3, regularisation: Rational = 32) -> dict[str, Choices]:
    """The choices that the table shows unless others are given: nine of splits and weights, then one change at a time.

    The source leaves λ open. A small one lets leaves of few rows follow their noise: at ε = 1, δ = 10⁻⁶ the noise of 25
    queries has a standard deviation of 23 in a sum of gradients. So λ is of that size, and a row shows what 1 does.

    Parameters
    ----------
    trees, depth, regularisation : T, d and λ

    Examples
    --------
    >>> list(framework_rows())[::4]
    ['histogram, averages', 'partially random, gradient', 'totally random, newton', 'totally random, log candidates']
    """
    base = Choices(trees, depth, regularisation=regularisation)
    found = {
        f"{splits}, {weights}": replace(base, splits=splits, weights=weights)
        for splits in SPLITS
        for weights in WEIGHTS
    }
    found["histogram, one feature a tree"] = replace(base, features=1)
    random = replace(base, splits="totally random")
    changes: dict[str, dict[str, Any]] = {
        "λ = 1": {"regularisation": 1},
        "one feature a tree": {"features": 1},
        "log candidates": {"candidates": "log"},
        "paid candidates": {"candidates": "paid", "moves": min(3, random.trees)},
        "batches of 5": {"batch": min(5, random.trees)},
        "one batch": {"batch": random.trees},
    }
    return found | {f"totally random, {name}": replace(random, **change) for name, change in changes.items()}


def framework_table(
    draw: Draw,
    domain: Domain,
    rows: Mapping[str, Choices] | None = None,
    *,
    epsilon: Rational,
    delta: Rational,
    seeds: Iterable[int] = range(4),
) -> FrameworkTable:
    """Run named choices on rows that are drawn afresh for each seed, as printed and mended.

    Both ways to pay see the same rows, and the same coins. Test rows are used as they are.

    Parameters
    ----------
    draw : from a generator to training rows and labels, test rows and labels
    domain : of two classes
    rows : choices by name; those of :func:`framework_rows` unless given
    epsilon, delta : of each model
    seeds : of rows, coins and noise

    Examples
    --------
    >>> domain = Domain.from_spec({"features": {"x": [0, 8, 8]}, "classes": ["a", "b"]})
    >>> def draw(rng):
    ...     x = rng.uniform(0, 8, (800, 1))
    ...     y = np.where(x[:, 0] > 3, "b", "a")
    ...     return x[:400], y[:400], x[400:], y[400:]
    >>> rows = {"random": Choices(5, 2, "totally random", "averages")}
    >>> table = framework_table(draw, domain, rows, epsilon=8, delta=1e-6)
    >>> table["random"].counts.releases, table["random"].mean("mended")[0] > 0.9
    (5, True)
    """
    require_callable(draw, "draw")
    require_type(domain, Domain, "domain")
    chosen = framework_rows() if rows is None else rows
    require_type(chosen, Mapping, "rows")
    if not chosen or not all(isinstance(name, str) and isinstance(own, Choices) for name, own in chosen.items()):
        raise ValueError("rows must be choices by name, such as {'mine': Choices(splits='totally random')}")
    starts = [as_integer(seed, "seeds", minimum=0) for seed in as_list(seeds, "seeds")]
    if not starts:
        raise ValueError("seeds must hold at least one seed")
    counts = {name: counted(choices, domain) for name, choices in chosen.items()}
    measured = {name: {paid: list[tuple[float, float]]() for paid in PAID} for name in chosen}
    for seed in starts:
        codes, labels, test, truth = _encoded(draw(np.random.default_rng(seed)), domain)
        for number, (name, choices) in enumerate(chosen.items()):
            for paid in PAID:
                model = fit_framework(
                    codes,
                    labels,
                    domain,
                    choices,
                    paid=paid,
                    epsilon=epsilon,
                    delta=delta,
                    rng=Rehearsal(10**6 * (PAID.index(paid) + 1) + 1000 * seed + number),
                    coins=Rehearsal(1000 * seed + number),
                )
                scores = model.scores(test)
                measured[name][paid].append((auc(scores, truth), float(np.mean((scores > 0) == truth))))
    found = tuple(
        FrameworkRow(name, choices, counts[name], {paid: np.array(own) for paid, own in measured[name].items()})
        for name, choices in chosen.items()
    )
    return FrameworkTable(found, as_fraction(epsilon, "epsilon"), as_fraction(delta, "delta"))


def _encoded(drawn: Any, domain: Domain) -> list[Codes]:
    if not isinstance(drawn, tuple) or len(drawn) != 4:
        raise ValueError("draw must return training rows and labels, test rows and labels, a tuple of four")
    X, y, X_test, y_test = drawn
    return [domain.encode(X), domain.encode_labels(y), domain.encode(X_test), domain.encode_labels(y_test)]


def auc(scores: Floats, labels: NDArray[np.integer]) -> float:
    """How often a row of the second class has a larger score than one of the first; equal scores count half.

    Parameters
    ----------
    scores, labels : of rows; if a class has none, ½

    Examples
    --------
    >>> auc(np.array([0.1, 0.4, 0.4, 0.8]), np.array([0, 0, 1, 1]))
    0.875
    """
    ones = scores[labels == 1]
    zeros = np.sort(scores[labels == 0])
    if not len(ones) or not len(zeros):
        return 0.5
    below = np.searchsorted(zeros, ones, "left") + np.searchsorted(zeros, ones, "right")
    return float(below.sum() / (2 * len(ones) * len(zeros)))
