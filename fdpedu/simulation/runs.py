"""One method on the rows of many runs: what each tree says of the test rows, and how often that is right."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fdpedu.accounting import Cost
from fdpedu.exact import Rational, require_type
from fdpedu.randomness import Source
from fdpedu.simulation.growth import predicted_labels
from fdpedu.simulation.methods import plan_of
from fdpedu.simulation.parameters import Parameters
from fdpedu.simulation.plan import Plan
from fdpedu.simulation.rows import CodedRows
from fdpedu.trees.designs.base import TreeDesign
from fdpedu.trees.subset import PublicCoins

MAX_BYTES = 2**26
"""About what the codes of the nodes of one level may take, 64 MB; more runs are gone through in parts.

Beside it there are the rows (five bytes for each code), the same once more while a level is made from the one above,
and about 30 MB for the cells that are decided at a time; or a dozen times the cells of one node, if those are more.
"""


def simulate(
    method: str | TreeDesign,
    rows: CodedRows,
    *,
    epsilon: Cost | Rational | None = None,
    max_depth: int = 5,
    min_samples_split: int = 10,
    leaf_share: Rational = "1/2",
    bounds_share: Rational = "1/4",
    lattice: int = 4,
    tolerate: int = 0,
    rng: np.random.Generator | Source,
) -> NDArray[np.int64]:
    """How many test rows the tree of each run gets right, shape (R,); a tree is grown by the method on each run's rows.

    They depend on ``rng`` alone, and hardly ever on the processor: Algorithm 6 and the aggregator draw noise by the
    logarithms of floats, whose last digit a processor may round in its own way.

    Nothing is released: accuracy on rows that somebody holds in one place is an evaluation, for data that are not
    secret. Trees are lazily expanded (:mod:`fdpedu.simulation.growth`), which no released tree may be.

    Parameters
    ----------
    method : a name of :data:`METHODS`, or a design, as :class:`fdpedu.trees.Design`
    rows : of R runs
    epsilon : what a tree costs, greater than 0; of designs of noisy counts also a cost in ρ; None for a method that is
        not private
    max_depth, min_samples_split, leaf_share, bounds_share, lattice, tolerate : of :class:`Parameters`
    rng : a generator of NumPy, or a source of random words: ``ZeroWords()`` is no noise

    Raises
    ------
    ValueError
        If a parameter is outside its domain, or an ε is missing or without use.

    Examples
    --------
    >>> from fdpedu.datasets import BENCHMARK
    >>> from fdpedu.simulation import draw_rows
    >>> rows = draw_rows(BENCHMARK[0], 5, np.random.SeedSequence(1).spawn(3))
    >>> rng = np.random.default_rng(2)
    >>> simulate("central", rows, rng=rng).tolist(), simulate("default", rows, epsilon=2, rng=rng).tolist()
    ([700, 691, 729], [733, 721, 745])
    """
    require_type(rows, CodedRows, "rows")
    given = Parameters(max_depth, min_samples_split, leaf_share, bounds_share, lattice, tolerate)
    said = _said(method, rows, epsilon, given, rng)
    return np.concatenate([(labels == part.test_labels).sum(axis=1) for labels, part in said])


def simulated_labels(
    method: str | TreeDesign,
    rows: CodedRows,
    *,
    epsilon: Cost | Rational | None = None,
    max_depth: int = 5,
    min_samples_split: int = 10,
    leaf_share: Rational = "1/2",
    bounds_share: Rational = "1/4",
    lattice: int = 4,
    tolerate: int = 0,
    rng: np.random.Generator | Source,
) -> NDArray[np.int64]:
    """The class code that the tree of each run gives to each test row, shape (R, m).

    With every cell of the domain as a test row this is all that a released tree says of classes, with its law.

    Parameters
    ----------
    method, rows, epsilon, max_depth, min_samples_split, leaf_share, bounds_share, lattice, tolerate, rng : as for
        :func:`simulate`

    Raises
    ------
    ValueError
        As by :func:`simulate`.

    Examples
    --------
    >>> from fdpedu.datasets import BENCHMARK
    >>> from fdpedu.simulation import draw_rows
    >>> rows = draw_rows(BENCHMARK[0], 5, np.random.SeedSequence(1).spawn(3))
    >>> simulated_labels("central", rows, rng=np.random.default_rng(2)).shape
    (3, 1000)
    """
    require_type(rows, CodedRows, "rows")
    given = Parameters(max_depth, min_samples_split, leaf_share, bounds_share, lattice, tolerate)
    return np.concatenate([labels for labels, _ in _said(method, rows, epsilon, given, rng)])


def _said(
    method: str | TreeDesign,
    rows: CodedRows,
    epsilon: Cost | Rational | None,
    given: Parameters,
    rng: np.random.Generator | Source,
) -> list[tuple[NDArray[np.int64], CodedRows]]:
    """What the trees say of the test rows, and whose trees these are: so many runs at a time as memory allows."""
    plan, source = plan_of(method, rows.domain, rows.n_parties, epsilon, given), _as_source(rng)
    step = runs_at_a_time(plan, rows)
    parts = [rows.of_runs(first, first + step) for first in range(0, rows.n_runs, step)]
    return [(predicted_labels(plan, part, source), part) for part in parts]


def runs_at_a_time(plan: Plan, rows: CodedRows) -> int:
    """How many runs are grown side by side, so that no level takes much more than :data:`MAX_BYTES`."""
    widest = 2 ** min(plan.depth, 40)
    nodes = widest if plan.reconciles else min(widest, max(1, rows.n_test))
    return max(1, MAX_BYTES // (nodes * plan.grid.most_codes * plan.grid.n_features))


def _as_source(rng: np.random.Generator | Source) -> Source:
    """A generator as it is, without the warning of a release; or a source of words of 64 bits."""
    if isinstance(rng, np.random.Generator):
        return PublicCoins(rng)
    if not isinstance(rng, Source) or rng.word_bits != 64:
        raise ValueError(
            f"rng must be a numpy.random.Generator or a source of words of 64 bits, got {type(rng).__name__}"
        )
    return rng
