"""Is it worth it? A private tree of all parties against the tree that one party grows from its own rows, not private.

:func:`compare_with_own` asks on one data set; :func:`mixture_of` makes the report's rows in any number, so that one
sees from how many records on the private tree wins; :data:`REAL` has real patients, wines and digits, each with two
classes and with public ranges that were not read off the rows.

The party whose own tree is compared is the first. With ``skewed`` sizes the parties have 1, 2, …, K parts of the rows,
and the first is the smallest, which has most to gain. Beside both stands that of naming the more frequent class.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from fdpedu.datasets import BENCHMARK, DataSet, Split, mixture, mixture_domain
from fdpedu.domain import Domain, Numeric
from fdpedu.exact import Rational, as_float, as_indices, as_integer, as_list, occurrences, quoted, require_type
from fdpedu.federation.dealing import party_of_each
from fdpedu.randomness import Rehearsal
from fdpedu.sources.gubler.setting import as_budget

MAX_PARTIES, MAX_ROWS = 100, 1_000_000
_WINE = (
    ("alcohol", 5, 20, "per cent by volume; wine is fermented, and yeast dies at 20"),
    ("malic acid", 0, 10, "g/l; ripe grapes have less than 10"),
    ("ash", 0, 6, "g/l of mineral matter"),
    ("alcalinity of ash", 0, 50, "meq/l, as much as 6 g/l of ash can neutralise"),
    ("magnesium", 0, 250, "mg/l; mineral water has as much"),
    ("total phenols", 0, 8, "g/l; tannic red wines"),
    ("flavanoids", 0, 8, "g/l, a part of the phenols"),
    ("nonflavanoid phenols", 0, 2, "g/l, the smaller part of the phenols"),
    ("proanthocyanins", 0, 8, "g/l, a part of the flavanoids"),
    ("colour intensity", 0, 20, "sum of absorbances of a few millimetres, from white to ink"),
    ("hue", 0, 3, "ratio of two absorbances, brown to purple"),
    ("OD280/OD315", 0, 5, "ratio of two absorbances of diluted wine"),
    ("proline", 0, 3000, "mg/l, the most frequent amino acid of grapes"),
)


@dataclass(frozen=True)
class Comparison:
    """The private tree beside the party's own, over runs on the same rows.

    Parameters
    ----------
    data : name of the data set
    n : rows of all parties together
    parties : how many they are divided among
    epsilon : of the private tree
    private, own, majority : mean test accuracy of the two trees, and of naming the class that is more frequent
    difference, se : private less own, and the standard error of the paired difference
    """

    data: str
    n: int
    parties: int
    epsilon: Fraction
    private: float
    own: float
    majority: float
    difference: float
    se: float

    @property
    def wins(self) -> bool | None:
        """True if the private tree is better by two standard errors, False if the own is, None if neither is."""
        return None if abs(self.difference) < 2 * self.se else self.difference > 0


def compare_with_own(
    data: DataSet,
    epsilons: Sequence[Rational],
    *,
    parties: int = 5,
    skewed: bool = False,
    method: str = "default",
    max_depth: int = 3,
    runs: int = 20,
    seed: int = 0,
) -> tuple[Comparison, ...]:
    """For each ε the private tree of all parties beside the first party's own CART, on the same rows in each run.

    Parameters
    ----------
    data : where rows come from
    epsilons : budgets of the private tree
    parties : from 2 to 100
    skewed : whether a row goes to the parties in the ratio 1 : 2 : … : K, and not to all as likely
    method : a name of :data:`fdpedu.simulation.METHODS` that needs a budget
    max_depth : of both trees, from 1 to 10
    runs : from 2 to 10,000
    seed : an integer ≥ 0

    Examples
    --------
    >>> compare_with_own(mixture_of(4000, 5, "0.3"), ["1/100", 10], parties=40, runs=8)[1].wins
    True
    """
    from fdpedu.simulation import METHODS

    require_type(data, DataSet, "data")
    require_type(skewed, bool, "skewed")
    if not isinstance(method, str) or method not in METHODS or method in ("central", "local"):
        raise ValueError(f"method must be a private one of {', '.join(METHODS)}, got {quoted(method)}")
    budgets = [as_budget(epsilon) for epsilon in as_list(epsilons, "epsilons")]
    k = as_integer(parties, "parties", minimum=2, maximum=MAX_PARTIES)
    depth = as_integer(max_depth, "max_depth", minimum=1, maximum=10)
    times = as_integer(runs, "runs", minimum=2, maximum=10_000)
    start = as_integer(seed, "seed", minimum=0, maximum=2**63 - 1)
    if data.size < (least := k * (k + 1) if skewed else 2 * k):
        raise ValueError(f"{data.size} rows are too few for {k} parties: expected at least {least}")
    run = partial(_run, data, budgets, k, skewed, method, depth, start)
    found = np.array([run(number) for number in range(times)])  # (runs, 2 + budgets): majority, own tree, private ones
    return tuple(_compared(data, k, epsilon, found[:, i], found) for i, epsilon in enumerate(budgets, 2))


def _compared(
    data: DataSet, parties: int, epsilon: Fraction, private: NDArray[np.float64], found: NDArray[np.float64]
) -> Comparison:
    difference, (majority, own) = private - found[:, 1], found[:, :2].mean(axis=0)
    mean, se = float(difference.mean()), float(difference.std(ddof=1) / np.sqrt(len(found)))
    means = float(private.mean()), float(own), float(majority)
    return Comparison(data.name, data.size, parties, epsilon, *means, mean, se)


def _run(
    data: DataSet,
    budgets: Sequence[Fraction],
    parties: int,
    skewed: bool,
    method: str,
    depth: int,
    seed: int,
    number: int,
) -> list[float]:
    """Test accuracies of one run: the more frequent class, the first party's own tree, the private one at each ε."""
    from fdpedu.simulation import CodedRows, simulate

    def rng(purpose: str) -> np.random.Generator:
        names = [crc32(data.name.encode()), crc32(purpose.encode())]
        return np.random.default_rng(np.random.SeedSequence([seed, number, *names]))

    split, domain = data.draw(rng("rows")), data.domain
    labels, truth = (domain.encode_labels(y).astype(np.int64) for y in (split.y_train, split.y_test))
    party = divided(len(labels), parties, skewed=skewed, rng=rng("division"))
    codes, tests = domain.encode(split.X_train), domain.encode(split.X_test)
    rows = CodedRows(domain, codes[None], labels[None], party[None], tests[None], truth[None], n_parties=parties)
    frequent = occurrences(labels, domain.n_classes).argmax()
    found = [np.array([(truth == frequent).sum()]), simulate("local", rows, max_depth=depth, rng=rng("own"))]
    for epsilon in budgets:
        found.append(simulate(method, rows, epsilon=epsilon, max_depth=depth, rng=rng(f"{method} {epsilon}")))
    return [int(correct[0]) / len(truth) for correct in found]


def divided(n: int, parties: int, *, skewed: bool, rng: np.random.Generator) -> NDArray[np.int64]:
    """The party of each row, (n,), each by its own draw: all are as likely, or in the ratio 1 : 2 : … : K.

    >>> occurrences(divided(1200, 3, skewed=True, rng=np.random.default_rng(0)), 3).tolist()
    [200, 419, 581]
    """
    shares = np.arange(parties, dtype=np.int64) if skewed else np.zeros(parties, dtype=np.int64)
    owners = np.repeat(
        np.arange(parties, dtype=np.int64), as_indices(1 + shares)
    )  # a party has so many of the parts that rows are dealt among
    return owners[party_of_each(n, len(owners), Rehearsal(int(rng.integers(2**63))))]


def mixture_of(n: int, p: int, rho: Rational) -> DataSet:
    """The report's mixture with n rows to learn from, and max(n, 1000) up to 4000 to be tested on.

    Parameters
    ----------
    n : from 10 to 1,000,000
    p : features, from 1 to 1000
    rho : correlation of neighbouring features, from 0 to 1
    """
    rows = as_integer(n, "n", minimum=10, maximum=MAX_ROWS)
    features, correlation = as_integer(p, "p", minimum=1, maximum=1000), as_float(rho, "rho")
    if not 0 <= correlation <= 1:
        raise ValueError(f"rho must lie between 0 and 1, got {quoted(rho)}")
    draw = partial(_draw_mixture, rows, features, correlation)
    return DataSet(f"mixture n={rows} p={features} ρ={correlation:g}", rows, mixture_domain(features), draw)


def _draw_mixture(n: int, p: int, rho: float, rng: np.random.Generator) -> Split:
    return Split(*mixture(n, p, rho, rng), *mixture(min(max(n, 1000), 4000), p, rho, rng))


def _draw_one_against_rest(load: str, chosen: int, train: int, rng: np.random.Generator) -> Split:
    """Real rows, divided at random; class 1 is the chosen one."""
    import sklearn.datasets

    loader: Callable[..., Any] = getattr(sklearn.datasets, load)
    X, y = loader(return_X_y=True)
    order, labels = rng.permutation(len(y)), (y == chosen).astype(np.int64)
    own, other = order[:train], order[train:]
    return Split(X[own], labels[own], X[other], labels[other])


def _wine() -> Domain:
    return Domain([Numeric.grid(name, low, high, 10, reason=reason) for name, low, high, reason in _WINE], (0, 1))


def _digits() -> Domain:
    reason = "the number of pixels that are set in a block of 4 × 4"
    return Domain([Numeric.grid(f"block {i // 8},{i % 8}", 0, 16, 8, reason=reason) for i in range(64)], (0, 1))


REAL = (
    next(data for data in BENCHMARK if data.name == "breast cancer"),
    DataSet("wine, the first grower", 120, _wine(), partial(_draw_one_against_rest, "load_wine", 0, 120)),
    DataSet("digits, 0 against the rest", 1258, _digits(), partial(_draw_one_against_rest, "load_digits", 0, 1258)),
    DataSet("digits, 8 against the rest", 1258, _digits(), partial(_draw_one_against_rest, "load_digits", 8, 1258)),
)
"""Breast cancer, wine and handwritten digits as scikit-learn ships them, in two classes each."""
