"""The methods by name, and the plan that each makes of its parameters."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from types import MappingProxyType

from fdpedu.accounting import Cost, as_cost
from fdpedu.dlpa import count_noise_shares
from fdpedu.domain import Domain, require_classes
from fdpedu.exact import Rate, Rational, as_positive_fraction
from fdpedu.sampling import require_drawable
from fdpedu.simulation.blocks import owner_plan
from fdpedu.simulation.choosing import rotating_plan
from fdpedu.simulation.designs import Noisy, Reusing, Screened
from fdpedu.simulation.parameters import Parameters, require_no_colluders
from fdpedu.simulation.plan import Cart, Plan
from fdpedu.simulation.saving import Saving
from fdpedu.simulation.trusted import Trusted
from fdpedu.simulation.voting import voting_plan
from fdpedu.trees import Design
from fdpedu.trees.costs import Costs
from fdpedu.trees.designs import NAMED, Owner, Rotating, Votes, find_design, is_design
from fdpedu.trees.designs.base import TreeDesign
from fdpedu.trees.shape import Asked, Shape

MAX_EPSILON = 2**40
MAX_WHOLE = 12
"""The depth to which trees are grown whole: there are 2^depth nodes, with rows or without."""

Maker = Callable[[Domain, int, Cost, Parameters], Plan]


def plan_of_counts(design: Design, domain: Domain, n_parties: int, budget: Cost, given: Parameters) -> Plan:
    """The plan of a design of noisy counts.

    Parameters
    ----------
    design : of a tree
    domain, n_parties : of the rows
    budget : what a tree costs, in ε or in ρ
    given : its shape, and what may be missing from the noise
    """
    depth = given.max_depth
    if design.consistent and depth > MAX_WHOLE:
        raise ValueError(
            f"max_depth must be at most {MAX_WHOLE} for a design that reconciles the counts of its nodes, got "
            f"{depth}: all 2^depth nodes are grown. Take a design with consistent=False"
        )
    shares = count_noise_shares(n_parties, given.tolerate)
    shape = Shape(depth, as_positive_fraction(given.leaf_share, "leaf_share"), given.min_samples_split)
    costs = design.costs(budget, shape, domain.n_features)
    histograms = [design.histograms_at(level, domain.n_features) for level in range(max(1, depth))]
    costs.require_drawable(*histograms)
    costs.require_xi(shares, *histograms)
    kind = Reusing if not design.fresh_leaves else Noisy if design.keep is None else Screened
    return kind(domain, depth, given.min_samples_split, design, costs, n_parties, given.tolerate)


PLANS: Mapping[type[TreeDesign], Callable[..., Plan]] = MappingProxyType(
    {Design: plan_of_counts, Rotating: rotating_plan, Votes: voting_plan, Owner: owner_plan}
)
"""By the class of a design, or of what it is a kind of, the function that makes its plan."""


def _saving(domain: Domain, n_parties: int, budget: Cost, given: Parameters) -> Plan:
    """Algorithm 6."""
    require_no_colluders(given, "Algorithm 6")
    if domain.n_classes > 2 and not all(feature.ordered for feature in domain.features):
        raise ValueError("with more than two classes, all features must be ordered for Algorithm 6")
    share, least = float(as_positive_fraction(given.bounds_share, "bounds_share")), given.min_samples_split
    costs = _costs(budget, given, domain.n_features)
    if given.max_depth:
        require_drawable(Rate(rate=costs.node * Fraction(share) / (domain.n_features * given.lattice)))
    return Saving(domain, given.max_depth, least, costs, share, given.lattice, n_parties)


def _trusted(flips: bool, domain: Domain, n_parties: int, budget: Cost, given: Parameters) -> Plan:
    """Splits by a trusted aggregator."""
    require_no_colluders(given, "a trusted aggregator")
    costs = _costs(budget, given, 1)
    return Trusted(domain, given.max_depth, 0, costs, given.lattice, flips)


def _costs(budget: Cost, given: Parameters, histograms: int) -> Costs:
    if not budget.is_pure:
        raise ValueError(f"this method is paid in ε, and the budget is in ρ ({budget}): take a design of noisy counts")
    costs = Costs.within(budget, None, given.leaf_share, given.max_depth, unspent_to_leaf=True)
    costs.require_drawable(histograms)
    return costs


_WITHOUT_NOISE: Mapping[str, int | None] = {"central": None, "local": 0}
_TEXTS = {
    "central": "CART on the grid, on all rows in one place; not private",
    "local": "the same on the rows of the first party alone; not private",
    "algorithm-5-clipped": "the report's Algorithm 5 on counts clipped at 0",
    "algorithm-6": "Algorithm 6, mended: lower bounds that are paid for",
    "exponential": "a trusted aggregator draws each split by the exponential mechanism",
    "permute-and-flip": "the same by permute-and-flip",
    "screened": "below the root, the four features that look best there; no test whether to stop",
    "rotating": "one party a level chooses all its splits, in a public random order",
    "votes": "each node is split where most of the parties' paid draws fall",
    "owner": "one owner of all rows draws blocks of three splits at once",
    "averaged": "the book's tree with totals taken as they are",
    "default": "the book's tree",
}
_MAKERS: dict[str, Maker] = {
    "algorithm-6": _saving,
    "exponential": partial(_trusted, False),
    "permute-and-flip": partial(_trusted, True),
}
METHODS: Mapping[str, str] = MappingProxyType(_TEXTS)
"""The methods by name, each in a line."""


def needs_epsilon(method: str | TreeDesign) -> bool:
    """Whether a method is private, so that ε must be given.

    >>> needs_epsilon("central"), needs_epsilon("default")
    (False, True)
    """
    return not isinstance(method, str) or method not in _WITHOUT_NOISE


def plan_of(
    method: str | TreeDesign, domain: Domain, n_parties: int, epsilon: Cost | Rational | None, given: Parameters
) -> Plan:
    """The plan of a method with these parameters.

    Raises
    ------
    ValueError
        If there is no such method, it needs an ε or has no use for one, or a parameter is outside its domain.
    """
    _require_known(method)
    require_classes(domain, "a simulation")
    if not needs_epsilon(method):
        if epsilon is not None:
            raise ValueError(f"epsilon must be None for the method {method!r}, which is not private")
        return Cart(domain, given.max_depth, max(2, given.min_samples_split), _WITHOUT_NOISE[str(method)])
    if epsilon is None:
        raise ValueError("epsilon must be given: this method is private")
    cost = as_cost(epsilon, "epsilon")
    if cost.value > MAX_EPSILON:
        raise ValueError(f"epsilon must be at most {MAX_EPSILON}; for no noise at all give rng=ZeroWords()")
    if isinstance(method, str) and method in _MAKERS:
        return _MAKERS[method](domain, n_parties, cost, given)
    design = _found(method)
    for kind, made in PLANS.items():
        if isinstance(design, kind):
            return made(design, domain, n_parties, cost, given)
    raise ValueError(f"a {type(design).__name__} has no plan for simulations: {', '.join(map(repr, METHODS))} have")


def own_shape(method: str | TreeDesign, nominal_size: int, epsilon: Cost | Rational) -> dict[str, int | Fraction]:
    """The depth and the leaf share that a method takes by itself, given N rows or so; nothing, if it has no rule.

    Parameters
    ----------
    method : a name of :data:`METHODS`, or a design
    nominal_size : N ≥ 1, public
    epsilon : of the whole tree

    Examples
    --------
    >>> own_shape("owner", 1000, 1), own_shape("default", 1000, 1)
    ({'max_depth': 4, 'leaf_share': Fraction(1, 5)}, {})
    """
    _require_known(method)
    if isinstance(method, str) and (method in _MAKERS or method in _WITHOUT_NOISE):
        return {}
    design = _found(method)
    if isinstance(design, Design) and design.keep is None:
        return {}
    size = nominal_size if design.reads_size else None
    _, shape = design.settled(Asked(nominal_size=size), epsilon)
    return {"max_depth": shape.depth, "leaf_share": shape.leaf_share}


def _found(method: str | TreeDesign) -> TreeDesign:
    """The design of a known method, which may be for one owner."""
    if isinstance(method, str) and method in NAMED:
        return NAMED[method]()
    if not isinstance(method, str) and method.curated:
        return method
    return find_design(method)


def _require_known(method: str | TreeDesign) -> None:
    if not (isinstance(method, str) and method in METHODS) and not is_design(method):
        raise ValueError(f"method must be one of {', '.join(map(repr, METHODS))}, or a Design, got {method!r:.40}")
