"""The methods by name, and the plan that each makes of its parameters."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from types import MappingProxyType

from fdpedu.better_trees.rules import designers, level_costs, owner_shape, rotating_shape
from fdpedu.cart.local_grid import MAX_LATTICE
from fdpedu.dlpa import count_noise_shares
from fdpedu.domain import Domain
from fdpedu.exact import Rate, Rational, as_integer, as_positive_fraction
from fdpedu.sampling import require_drawable
from fdpedu.simulation.blocks import Owner
from fdpedu.simulation.choosing import Rotating
from fdpedu.simulation.designs import Noisy, Reusing
from fdpedu.simulation.plan import Cart, Plan
from fdpedu.simulation.saving import Saving
from fdpedu.simulation.trusted import Trusted
from fdpedu.trees import DESIGNS, Design
from fdpedu.trees.costs import Costs
from fdpedu.trees.systems import counting_design

MAX_EPSILON = 2**40
MAX_WHOLE = 12
"""The depth to which trees are grown whole: there are 2^depth nodes, with rows or without."""
MAX_DESIGNERS = 256
"""Of how many parties a ledger can tell which one chose."""


@dataclass(frozen=True)
class Parameters:
    """What the methods have in common; each reads what it needs.

    Parameters
    ----------
    max_depth : d, from 0 to 64; to 12 for designs that reconcile the counts of the whole tree
    min_samples_split : a node with fewer rows, as far as the method can tell, is a leaf
    leaf_share : the part of ε kept for leaf counts, strictly between 0 and 1
    bounds_share : of a node's budget, the part for lower bounds (Algorithm 6), strictly between 0 and 1
    lattice : m, the steps of 1/m in which bounds and scores are released, from 1 to 2**16 as in a federation
    tolerate : how many parties' shares may be missing from the noise, less than there are
    """

    max_depth: int = 5
    min_samples_split: int = 10
    leaf_share: Rational = "1/2"
    bounds_share: Rational = "1/4"
    lattice: int = 4
    tolerate: int = 0

    def __post_init__(self) -> None:
        for name, least, most in (
            ("max_depth", 0, 64),
            ("min_samples_split", 0, 2**62),
            ("lattice", 1, MAX_LATTICE),
            ("tolerate", 0, None),
        ):
            object.__setattr__(self, name, as_integer(getattr(self, name), name, minimum=least, maximum=most))
        for name in ("leaf_share", "bounds_share"):
            if not 0 < as_positive_fraction(getattr(self, name), name) < 1:
                raise ValueError(f"{name} must lie strictly between 0 and 1, got {getattr(self, name)}")


Maker = Callable[[Domain, int, Fraction, Parameters], Plan]


def _design(design: str | Design, domain: Domain, n_parties: int, epsilon: Fraction, given: Parameters) -> Plan:
    """A tree of :mod:`fdpedu.trees`."""
    found, depth = counting_design(design), given.max_depth
    if found.consistent and depth > MAX_WHOLE:
        raise ValueError(
            f"max_depth must be at most {MAX_WHOLE} for a design that reconciles the counts of its nodes, got "
            f"{depth}: all 2^depth nodes are grown. Take a design with consistent=False"
        )
    count_noise_shares(n_parties, given.tolerate)
    to_leaf, fresh = found.unspent_to_leaf, found.fresh_leaves
    costs = Costs.within(epsilon, None, given.leaf_share, depth, unspent_to_leaf=to_leaf, fresh_leaves=fresh)
    costs.require_drawable(found.histograms_per_node(domain.n_features))
    kind = Noisy if fresh else Reusing
    return kind(domain, depth, given.min_samples_split, found, costs, n_parties, given.tolerate)


def _saving(domain: Domain, n_parties: int, epsilon: Fraction, given: Parameters) -> Plan:
    """Algorithm 6."""
    _require_no_colluders(given, "Algorithm 6")
    if domain.n_classes > 2 and not all(feature.ordered for feature in domain.features):
        raise ValueError("with more than two classes, all features must be ordered for Algorithm 6")
    share, least = float(as_positive_fraction(given.bounds_share, "bounds_share")), given.min_samples_split
    costs = _costs(epsilon, given, domain.n_features)
    if given.max_depth:
        require_drawable(Rate(rate=costs.node * Fraction(share) / (domain.n_features * given.lattice)))
    return Saving(domain, given.max_depth, least, costs, share, given.lattice, n_parties)


def _trusted(flips: bool, domain: Domain, n_parties: int, epsilon: Fraction, given: Parameters) -> Plan:
    """Splits by a trusted aggregator."""
    _require_no_colluders(given, "a trusted aggregator")
    costs = _costs(epsilon, given, 1)
    return Trusted(domain, given.max_depth, 0, costs, given.lattice, flips)


def _rotating(domain: Domain, n_parties: int, epsilon: Fraction, given: Parameters) -> Plan:
    """Splits by one party a level."""
    if n_parties > MAX_DESIGNERS:
        raise ValueError(f"n_parties must be at most {MAX_DESIGNERS} where parties choose in turn, got {n_parties}")
    count_noise_shares(n_parties, given.tolerate)
    levels = level_costs(designers(range(n_parties), given.max_depth), epsilon, given.leaf_share)
    leaf = epsilon * as_positive_fraction(given.leaf_share, "leaf_share")
    _require_choices(leaf, *levels)
    return Rotating(domain, given.max_depth, 0, leaf, n_parties, given.tolerate, levels)


def _owner(domain: Domain, n_parties: int, epsilon: Fraction, given: Parameters) -> Plan:
    """Blocks of three splits by the owner of all rows."""
    _require_no_colluders(given, "one owner of all rows")
    leaf = epsilon * as_positive_fraction(given.leaf_share, "leaf_share")
    step = (epsilon - leaf) / max(1, (given.max_depth + 1) // 2)
    _require_choices(leaf, step)
    return Owner(domain, given.max_depth, 0, leaf, 1, 0, step)


def _require_choices(*rates: Fraction) -> None:
    """Refuse an ε of which the noise of some release could not be drawn."""
    for rate in rates:
        require_drawable(Rate(rate=rate))


def _costs(epsilon: Fraction, given: Parameters, histograms: int) -> Costs:
    costs = Costs.within(epsilon, None, given.leaf_share, given.max_depth, unspent_to_leaf=True)
    costs.require_drawable(histograms)
    return costs


def _require_no_colluders(given: Parameters, where: str) -> None:
    if given.tolerate:
        raise ValueError(f"tolerate must be 0 for {where}, got {given.tolerate}")


_WITHOUT_NOISE: Mapping[str, int | None] = {"central": None, "local": 0}
_TEXTS = {
    "central": "CART on the grid, on all rows in one place; not private",
    "local": "the same on the rows of the first party alone; not private",
    "algorithm-5": "the report's Algorithm 5 as printed, on raw noisy counts",
    "algorithm-5-clipped": "the same on counts clipped at 0",
    "algorithm-6": "Algorithm 6, mended: lower bounds that are paid for",
    "exponential": "a trusted aggregator draws each split by the exponential mechanism",
    "permute-and-flip": "the same by permute-and-flip",
    "rotating": "one party a level chooses all its splits, in a public random order",
    "owner": "one owner of all rows draws blocks of three splits at once",
    "averaged": "the book's tree with totals taken as they are",
    "default": "the book's tree",
}
_MAKERS: dict[str, Maker] = {
    "algorithm-5": partial(_design, "algorithm-5-as-printed"),
    "algorithm-6": _saving,
    "exponential": partial(_trusted, False),
    "permute-and-flip": partial(_trusted, True),
    "rotating": _rotating,
    "owner": _owner,
    **{name: partial(_design, name) for name in DESIGNS if name != "algorithm-5-as-printed"},
}
METHODS: Mapping[str, str] = MappingProxyType(_TEXTS)
"""The methods by name, each in a line."""


def own_shape(method: str | Design, nominal_size: int, epsilon: Rational) -> dict[str, int | Fraction]:
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
    rule = _SHAPES.get(method) if isinstance(method, str) else None
    return {} if rule is None else dict(zip(("max_depth", "leaf_share"), rule(nominal_size, epsilon), strict=True))


def _owner_levels(nominal_size: int | None, epsilon: Rational) -> tuple[int, Fraction]:
    blocks, share = owner_shape(nominal_size, epsilon)
    return 2 * blocks, share


_SHAPES: Mapping[str, Callable[[int | None, Rational], tuple[int, Fraction]]] = {
    "rotating": rotating_shape,
    "owner": _owner_levels,
}


def needs_epsilon(method: str | Design) -> bool:
    """Whether a method is private, so that ε must be given.

    >>> needs_epsilon("central"), needs_epsilon("algorithm-5")
    (False, True)
    """
    return not isinstance(method, str) or method not in _WITHOUT_NOISE


def plan_of(method: str | Design, domain: Domain, n_parties: int, epsilon: Rational | None, given: Parameters) -> Plan:
    """The plan of a method with these parameters.

    Raises
    ------
    ValueError
        If there is no such method, it needs an ε or has no use for one, or a parameter is outside its domain.
    """
    if not isinstance(method, Design) and (not isinstance(method, str) or method not in METHODS):
        raise ValueError(f"method must be one of {', '.join(map(repr, METHODS))}, or a Design, got {method!r:.40}")
    if not needs_epsilon(method):
        if epsilon is not None:
            raise ValueError(f"epsilon must be None for the method {method!r}, which is not private")
        return Cart(domain, given.max_depth, max(2, given.min_samples_split), _WITHOUT_NOISE[str(method)])
    if epsilon is None:
        raise ValueError("epsilon must be given: this method is private")
    cost = as_positive_fraction(epsilon, "epsilon")
    if cost > MAX_EPSILON:
        raise ValueError(f"epsilon must be at most {MAX_EPSILON}; for no noise at all give rng=ZeroWords()")
    make: Maker = partial(_design, method) if isinstance(method, Design) else _MAKERS[method]
    return make(domain, n_parties, cost, given)
