"""Small whole trees, many at once: a mechanism that gives many outputs, of which each is all that a tree says.

A tree says a class of every cell of its domain. With every cell as a test row, the simulation of accuracies
(:mod:`fdpedu.simulation`) grows such trees at a thousand times the speed of a federation, and with the same law.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fdpedu.accounting import Cost
from fdpedu.domain import Domain
from fdpedu.exact import Rational, as_integer, as_integers, require_type
from fdpedu.randomness import Source
from fdpedu.simulation import CodedRows, simulated_labels
from fdpedu.trees.designs.base import TreeDesign

MOST_CELLS = 4096


def every_cell(domain: Domain) -> NDArray[np.uint8]:
    """The codes of every cell of a domain, shape (cells, p), in order.

    Parameters
    ----------
    domain : of at most 4,096 cells
    """
    require_type(domain, Domain, "domain")
    sizes = [feature.n_codes for feature in domain.features]
    if np.prod(sizes, dtype=float) > MOST_CELLS:
        raise ValueError(f"domain must have at most {MOST_CELLS} cells, got {np.prod(sizes, dtype=float):.0f}")
    return np.array(list(product(*map(range, sizes))), dtype=np.uint8)


def simulated_trees(
    domain: Domain,
    *,
    epsilon: Cost | Rational,
    method: str | TreeDesign = "default",
    n_parties: int = 2,
    rng: np.random.Generator | Source,
    **shape: Any,
) -> Callable[[Sequence[Sequence[int]], int], NDArray[np.uint8]]:
    """A mechanism for ``audit(…, batch=True)``: from rows and n to the labels of all cells by n trees, (n, cells).

    A row is a sequence of its codes and, last, its class code. All rows are those of the first party.

    Parameters
    ----------
    domain : of at most 4,096 cells
    epsilon : what a tree costs
    method : a name of :data:`fdpedu.simulation.METHODS`, or a design
    n_parties : how many shares the noise has
    rng : of the noise
    **shape : ``max_depth`` and other parameters of :func:`fdpedu.simulation.simulate`

    Examples
    --------
    >>> from fdpedu.domain import Numeric
    >>> age = Domain([Numeric.grid("age", 0, 100, bins=4)], ("well", "ill"))
    >>> trees = simulated_trees(age, epsilon=1, max_depth=1, rng=np.random.default_rng(1))
    >>> trees([(0, 0), (3, 1), (3, 1)], 5).shape
    (5, 4)
    """
    cells = every_cell(domain)
    parties = as_integer(n_parties, "n_parties", minimum=1)

    def trees(rows: Sequence[Sequence[int]], n: int) -> NDArray[np.uint8]:
        coded = coded_rows(domain, rows, cells, parties).repeated(n)
        return simulated_labels(method, coded, epsilon=epsilon, rng=rng, **shape).astype(np.uint8)

    trees([], 1)  # refuses now what would be refused later
    return trees


def coded_rows(domain: Domain, rows: Sequence[Sequence[int]], cells: NDArray[np.uint8], n_parties: int) -> CodedRows:
    """One run of these rows, with these cells to be tested on."""
    width = len(domain.features) + 1
    found: Any = as_integers(rows, "rows") if len(rows) else np.empty((0, width), dtype=np.int64)
    if found.ndim != 2 or found.shape[1] != width:
        raise ValueError(f"rows must have {width} codes each, the last one of the class, got the shape {found.shape}")
    nobody = np.zeros((1, len(found)), dtype=np.int64)
    tested = np.zeros((1, len(cells)), dtype=np.int64)
    return CodedRows(domain, found[None, :, :-1], found[None, :, -1], nobody, cells[None], tested, n_parties)
