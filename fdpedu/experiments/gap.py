"""How much of the gap between two reference trees a method closes, over the thirteen data sets of the book.

Below lies Algorithm 5, correctly paid, on counts as they are (depth 5, leaf share ½; splits with a side ≤ 0 are passed
over, categories are ordered by their noisy share of class 1); above lies scikit-learn's CART on all rows in one place
(depth 5, at least ten rows in a leaf). Gap closed = (accuracy − lower)/(upper − lower); of several data sets, the ratio
of the summed gaps. ``benchmarks/accuracy.py`` measures the same by the real federation; here methods are grown by
:mod:`fdpedu.simulation`, in seconds instead of hours.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from fdpedu.accounting import Budget
from fdpedu.datasets import BENCHMARK, DataSet, Split, divide
from fdpedu.exact import Rational, as_integer, as_list, quoted, require_type
from fdpedu.experiments.lower import algorithm_5
from fdpedu.sources.gubler.setting import as_budget
from fdpedu.trees.designs import is_design
from fdpedu.trees.designs.base import TreeDesign

DEPTH, MIN_SAMPLES_LEAF, MAX_RUNS = 5, 10, 10_000


@dataclass(frozen=True)
class Gap:
    """How much of the gap a method closes.

    Parameters
    ----------
    method : its name
    epsilon : the budget of the method and of the lower reference
    data : names of the data sets
    share : (accuracy − lower)/(upper − lower), pooled
    se : standard error of the share, by the delta method over runs
    accuracies : for each data set the mean test accuracy of the lower reference, the method and the upper reference
    runs : of each data set
    delta : of the method, which is then paid in ρ; the references know none
    """

    method: str
    epsilon: Fraction
    data: tuple[str, ...]
    share: float
    se: float
    accuracies: tuple[tuple[float, float, float], ...]
    runs: int
    delta: Fraction = Fraction(0)

    def __str__(self) -> str:
        return f"{self.method} closes {self.share:.2f} ± {self.se:.2f} of the gap at {self.budget}"

    @property
    def budget(self) -> str:
        """ε, and δ where there is one."""
        return f"ε = {self.epsilon}" + f", δ = {self.delta}" * (self.delta > 0)


def gap_closed(
    method: str | TreeDesign,
    epsilon: Rational,
    *,
    delta: Rational | None = None,
    data: Sequence[str] | None = None,
    runs: int = 10,
    parties: int = 5,
    seed: int = 0,
) -> Gap:
    """The share of the gap between Algorithm 5 and CART that a method closes.

    A method that has a rule for its shape (rotating, screened, owner) takes the depth and the leaf share that this rule
    gives for the data set's nominal size; all others are grown to the depth of the references, with a leaf share of ½.
    The three trees of a run have the same rows, so the error is that of their differences. The stream of rows is named
    by (seed, data set, run), that of noise also by ε and the method.

    Parameters
    ----------
    method : a name of :data:`fdpedu.simulation.METHODS`, or a design, as :class:`fdpedu.trees.Design`
    epsilon : the budget
    delta : strictly between 0 and 1, for designs of noisy counts: they are then paid in ρ, and keep (ε, δ)
    data : names of data sets of :data:`fdpedu.datasets.BENCHMARK`; all thirteen unless given
    runs : repetitions of each, from 2 to 10,000
    parties : among how many the rows are dealt, each by its own draw
    seed : an integer ≥ 0

    Examples
    --------
    >>> gap = gap_closed("permute-and-flip", 1, data=["mixture n=250 p=10 ρ=0.9"], runs=4)
    >>> gap.runs, len(gap.accuracies), gap.share > 0
    (4, 1, True)
    """
    from fdpedu.simulation import METHODS

    budget = as_budget(epsilon)
    paid = Budget.of(budget, delta=delta)
    if not (isinstance(method, str) and method in METHODS) and not is_design(method):
        raise ValueError(f"method must be one of {', '.join(METHODS)}, or a Design, got {quoted(method)}")
    times = as_integer(runs, "runs", minimum=2, maximum=MAX_RUNS)
    k = as_integer(parties, "parties", minimum=1, maximum=100)
    start = as_integer(seed, "seed", minimum=0, maximum=2**63 - 1)
    chosen = _chosen(data)
    each = [
        np.array([Repetition(one, k, start, run).accuracies(method, paid) for run in range(times)]) for one in chosen
    ]
    share, error = pooled(each)
    means = tuple((float(lower), float(own), float(upper)) for lower, own, upper in (a.mean(axis=0) for a in each))
    name = method if isinstance(method, str) else "a design"
    return Gap(name, budget, tuple(one.name for one in chosen), share, error, means, times, paid.delta)


def pooled(accuracies: Sequence[NDArray[np.float64]]) -> tuple[float, float]:
    """The share of the gap, and its standard error, from accuracies (runs, 3) of lower, method and upper, by data set.

    >>> pooled([np.array([[0.5, 0.6, 0.7], [0.5, 0.6, 0.7]])])
    (0.5..., 0.0)
    """
    tables = [np.asarray(table, dtype=np.float64) for table in as_list(accuracies, "accuracies")]
    whole = sum(float((table[:, 2] - table[:, 0]).mean()) for table in tables)
    share = sum(float((table[:, 1] - table[:, 0]).mean()) for table in tables) / whole
    rest = [(table[:, 1] - table[:, 0]) - share * (table[:, 2] - table[:, 0]) for table in tables]
    variance = sum(float(values.var(ddof=1)) / len(values) for values in rest)
    return share, float(np.sqrt(variance) / abs(whole))


def _chosen(names: Sequence[str] | None) -> list[DataSet]:
    if names is None:
        return list(BENCHMARK)
    known = {one.name: one for one in BENCHMARK}
    asked = as_list(names, "data")
    unknown = [name for name in asked if not isinstance(name, str) or name not in known]
    if unknown or not asked:
        wrong = f", got {quoted(unknown[0])}" if unknown else ""
        raise ValueError(f"data must be one or more of {', '.join(known)}{wrong}")
    return [known[name] for name in dict.fromkeys(asked)]


class Repetition:
    """The rows of one run of a data set, and how accurate trees of them are on its test rows.

    Parameters
    ----------
    data : the law of the rows
    parties : K, among whom they are divided
    seed, run : what names the streams of all random numbers, beside the data set and their purpose
    by_feature : divide the rows in the order of this feature's values, so that each party has others; else each is
        dealt by its own draw. Parts by order are equal: which party has a row then depends on the other rows, so only
        accuracy is measured there, and no ε of a choice or vote is promised
    """

    def __init__(self, data: DataSet, parties: int, seed: int, run: int, by_feature: int | None = None) -> None:
        from fdpedu.simulation import CodedRows

        require_type(data, DataSet, "data")
        self.data, self.seed, self.run = data, seed, run
        self.split, domain = data.draw(self._rng("rows")), data.domain
        self.labels = domain.encode_labels(self.split.y_train).astype(np.int64)
        self.codes, self.tests = domain.encode(self.split.X_train), domain.encode(self.split.X_test)
        self.truth = domain.encode_labels(self.split.y_test).astype(np.int64)
        party = np.zeros(len(self.labels), dtype=np.int64)
        for k, part in enumerate(divide(len(self.labels), parties, 0, self._rng("division"))[0]):
            party[part] = k
        if by_feature is not None:
            party[np.lexsort((party, self.codes[:, by_feature]))] = (
                np.arange(len(party), dtype=np.int64) * parties // len(party)
            )
        train = self.codes[None], self.labels[None], party[None]
        self.rows = CodedRows(domain, *train, self.tests[None], self.truth[None], n_parties=parties)

    def accuracies(self, method: str | TreeDesign, budget: Budget | Rational) -> tuple[float, float, float]:
        """Of the lower reference, a method and the upper reference; the lower one has the same ε, and no δ."""
        paid = Budget.of(budget)
        assert paid.epsilon is not None
        return self.lower(paid.epsilon), self.own(method, paid), self.upper

    def own(self, method: str | TreeDesign, budget: Budget | Rational) -> float:
        """The accuracy of a method, in its own shape if it has a rule for that, else in that of the references."""
        from fdpedu.simulation import own_shape, simulate

        paid = Budget.of(budget)
        shape: dict[str, Any] = {"max_depth": DEPTH, **own_shape(method, self.data.size, paid.limit)}
        needed = None if method in ("central", "local") else paid.limit
        purpose = f"{method} {paid.epsilon}" + f" {paid.delta}" * (not paid.is_pure)
        correct = simulate(method, self.rows, epsilon=needed, rng=self._rng(purpose), **shape)
        return float(correct[0] / len(self.truth))

    def lower(self, epsilon: Fraction) -> float:
        """The accuracy of the lower reference."""
        rng, domain = self._rng(f"lower {epsilon}"), self.data.domain
        found = algorithm_5(self.codes, self.labels, self.tests, domain, float(epsilon), rng)
        return float((found == self.truth).mean())

    @cached_property
    def upper(self) -> float:
        """The accuracy of the upper reference."""
        return float((cart(self.split, self.labels, self.data, self.run) == self.truth).mean())

    def _rng(self, purpose: str) -> np.random.Generator:
        names = [crc32(self.data.name.encode()), crc32(purpose.encode())]
        return np.random.default_rng(np.random.SeedSequence([self.seed, self.run, *names]))


def cart(split: Split, labels: NDArray[np.int64], data: DataSet, run: int) -> NDArray[np.int64]:
    """Labels that scikit-learn's tree on raw values gives to the test rows; categories become columns of 0 and 1.

    Parameters
    ----------
    split : the rows
    labels : codes of the classes of its training rows
    data : whose domain says what is a category
    run : seed of the order in which equal splits are looked at
    """
    from sklearn.tree import DecisionTreeClassifier

    require_type(data, DataSet, "data")

    def columns(X: NDArray[Any]) -> NDArray[np.float64]:
        found: list[NDArray[Any]] = []
        for feature, column in zip(data.domain.features, X.T, strict=True):
            found += [column] if feature.ordered else [column == name for name in getattr(feature, "categories", ())]
        return np.column_stack([column.astype(np.float64) for column in found])

    tree = DecisionTreeClassifier(max_depth=DEPTH, min_samples_leaf=MIN_SAMPLES_LEAF, random_state=run)
    return np.asarray(tree.fit(columns(split.X_train), labels).predict(columns(split.X_test)))
