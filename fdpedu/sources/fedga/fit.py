"""Run FedGA-Tree among parties in one process, or fit one party's tree; who gives what, and what is refused."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from fdpedu.cart.structures import MAX_DEPTH as DEEPEST
from fdpedu.cart.structures import Structure, require_structure, to_structure
from fdpedu.domain import Domain
from fdpedu.exact import Rational, as_fraction, as_integer, as_list, quoted
from fdpedu.randomness import Rng, as_source
from fdpedu.sources.fedga.home import Home
from fdpedu.sources.fedga.local import Cell, LocalTree, fit_cell, grown_structure
from fdpedu.sources.fedga.result import FedGA
from fdpedu.sources.fedga.rows import read_pair, read_rows, require_task
from fdpedu.sources.fedga.server import Plan, Server
from fdpedu.sources.fedga.validation import MAX_DEPTH, best_depth, fold_scores

MAX_PARTIES, MAX_POPULATION, MAX_GENERATIONS = 256, 1024, 1024


def fit_fedga(
    parties: Any,
    domain: Domain,
    *,
    task: str,
    population: int = 40,
    generations: int = 20,
    participation: Rational = 1,
    pressure: int = 3,
    max_depth: int | None = None,
    rng: Rng = None,
) -> FedGA:
    """Evolve structures by the scores that parties tell; each party keeps a tree. Not private.

    Claims: fedga-coarse

    Parameters
    ----------
    parties : 2 to 256, of each a pair of its raw rows and their classes or numbers; at least one row each
    domain : public: ranges, categories, and classes or the range of the target; without codes for missing values
    task : ``classification``, by macro F1, or ``regression``, by mean squared error
    population, generations : from 2 and from 1, up to 1024; the source's numbers are lost, and these are reconstructed
    participation : the share of parties that are there at a time, above 0 and at most 1; rounded up
    pressure : of the tournament, from 1 to 1024; reconstructed
    max_depth : from 1 to 8; None for the median of the depths that the first parties find by cross-validation
    rng : of all coins; None for the operating system. A generator is for teaching, and warns

    Raises
    ------
    ValueError
        If rows are bad or a party has none, the domain does not fit the task, or an option is beyond its range: before
        anything is sent.

    Examples
    --------
    >>> from fdpedu.randomness import Rehearsal
    >>> domain = Domain.from_spec({"features": {"age": [0, 100, 10]}, "classes": ["well", "ill"]})
    >>> one = [[10], [20], [60], [70]], ["well", "well", "ill", "ill"]
    >>> other = [[10], [30], [50], [90]], ["well", "well", "ill", "ill"]
    >>> found = fit_fedga([one, other], domain, task="classification", generations=2, max_depth=1, rng=Rehearsal(1))
    >>> print(found.trees[1])
    age ≤ 40: class well
    age > 40: class ill
    >>> found, found.structures, found.scores
    (FedGA(classification, 2 parties, 2 structures; not private: scores are exact functions of counts), \
((0,), (-1,)), (1.0, 0.3333333333333333))
    """
    require_task(task, domain)
    members = as_list(parties, "parties")
    if not 2 <= len(members) <= MAX_PARTIES:
        raise ValueError(f"parties must be 2 to {MAX_PARTIES}, got {len(members)}: see fit_local for one")
    plan = Plan(
        as_integer(population, "population", minimum=2, maximum=MAX_POPULATION),
        as_integer(generations, "generations", minimum=1, maximum=MAX_GENERATIONS),
        as_integer(pressure, "pressure", minimum=1, maximum=MAX_POPULATION),
        _share(participation),
    )
    depth = _depth(max_depth, minimum=1)
    rows = [read_pair(pair, domain, task, f"party {k}") for k, pair in enumerate(members)]
    source = as_source(rng)
    deepest = max(MAX_DEPTH, depth or 0)
    homes = [Home(own, coins, deepest) for own, coins in zip(rows, source.spawn(len(rows)), strict=True)]
    return Server(homes, task, domain.n_features, plan, source).run(depth)


def fit_local(X: Any, y: Any, domain: Domain, *, task: str, max_depth: int | None = None, rng: Rng = None) -> LocalTree:
    """CART of one party's rows, or of all rows in one place: nothing is sent. Not private.

    Parameters
    ----------
    X, y : raw rows, at least one, and their classes or numbers
    domain, task : as for :func:`fit_fedga`
    max_depth : from 0 to 8; None for the best of 1 to 4 in five-fold cross-validation
    rng : of the folds

    Examples
    --------
    >>> domain = Domain.from_spec({"features": {"age": [0, 100, 10]}, "classes": ["well", "ill"]})
    >>> tree = fit_local([[10], [20], [60]], ["well", "well", "ill"], domain, task="classification", max_depth=2)
    >>> tree, tree.predict([[35], [45]]).tolist(), str(tree.structure)
    (LocalTree(classification, 3 nodes; not private: it is an exact function of the rows), ['well', 'ill'], '0')
    """
    require_task(task, domain)
    depth = _depth(max_depth, minimum=0)
    rows = read_rows(X, y, domain, task, "the party")
    if depth is None:
        depth = best_depth(fold_scores(rows, MAX_DEPTH, as_source(rng)), task)
    cell = Cell.of(rows)
    return fit_cell(cell, grown_structure(cell, depth))


def fit_at_structure(X: Any, y: Any, structure: Any, domain: Domain, *, task: str) -> LocalTree:
    """The tree of one party's rows with a given structure: thresholds node by node as in CART, and labels.

    Where the rows of a node cannot be split, what the structure has below it is left out.

    Parameters
    ----------
    X, y : raw rows, at least one, and their classes or numbers
    structure : a :class:`~fdpedu.cart.structures.Structure`, or its string
    domain, task : as for :func:`fit_fedga`

    Examples
    --------
    >>> features = {"age": [0, 100, 10], "ward": ["A", "B"]}
    >>> domain = Domain.from_spec({"features": features, "classes": ["well", "ill"]})
    >>> X, y = [[10, "A"], [20, "B"], [60, "A"], [70, "B"]], ["well", "ill", "ill", "ill"]
    >>> print(fit_at_structure(X, y, (1, 0, 0), domain, task="classification"))
    ward in {A}
    |   age ≤ 35: class well
    |   age > 35: class ill
    ward in {B}: class ill
    """
    require_task(task, domain)
    found = structure if isinstance(structure, Structure) else to_structure(structure)
    require_structure(found, domain)
    return fit_cell(Cell.of(read_rows(X, y, domain, task, "the party")), found)


def _share(participation: Any) -> Fraction:
    share = as_fraction(participation, "participation")
    if not 0 < share <= 1:
        raise ValueError(f"participation must be above 0 and at most 1, got {quoted(participation)}")
    return share


def _depth(max_depth: Any, minimum: int) -> int | None:
    return None if max_depth is None else as_integer(max_depth, "max_depth", minimum=minimum, maximum=DEEPEST)
