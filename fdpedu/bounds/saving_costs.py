"""What a tree with lower bounds may spend: read and checked before anything is charged.

Everything here is a function of the domain, the parameters and the ledger, so of what is public.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, lcm

from fdpedu.accounting import as_cost
from fdpedu.accounting.limits import left, needs_of, needs_of_side, require_left
from fdpedu.cart.local_grid import MAX_LATTICE
from fdpedu.domain import Domain
from fdpedu.exact import Rational, as_fraction, as_integer, require_type, shown
from fdpedu.federation import ClassCounts, ClassHistogram, NodeBounds, Query
from fdpedu.federation.asker import Asker, require_federation
from fdpedu.federation.queries import MAX_PART
from fdpedu.trees.costs import Costs, pure_left
from fdpedu.trees.recursive import MAX_DEPTH


@dataclass(frozen=True)
class Plan:
    """The parameters of a tree with lower bounds, all of them sound.

    Parameters
    ----------
    costs : of nodes and leaves, before anything is saved
    bounds_share : the part of a node's budget that is for bounds
    lattice : m, bounds are released in steps of 1/m
    min_samples : a node with fewer rows becomes a leaf
    most_nodes : how many nodes may ask for bounds, so that the checker accepts the derivation
    """

    costs: Costs
    bounds_share: Fraction
    lattice: int
    min_samples: int
    most_nodes: int

    @classmethod
    def of(
        cls,
        federation: Asker,
        *,
        max_depth: int,
        min_samples_split: int,
        leaf_share: Rational,
        bounds_share: Rational,
        lattice: int,
        epsilon: Rational | None,
        unspent_to_leaf: bool,
    ) -> Plan:
        """The plan of a call; a ValueError if no tree could be grown so, whatever is released."""
        require_federation(federation)
        require_type(unspent_to_leaf, bool, "unspent_to_leaf")
        depth = as_integer(max_depth, "max_depth", minimum=0, maximum=MAX_DEPTH)
        least = as_integer(min_samples_split, "min_samples_split", minimum=0, maximum=2**62)
        share = as_share(bounds_share, "bounds_share")
        steps = as_integer(lattice, "lattice", minimum=1, maximum=MAX_LATTICE)
        remaining = pure_left(federation.ledger, "a tree of lower bounds")
        costs = Costs.within(remaining, epsilon, leaf_share, depth, unspent_to_leaf=unspent_to_leaf)
        asked = queries_of(federation.domain, costs, share, steps)
        for query in asked:
            query.check(federation.domain)
        common = common_denominator(federation.domain.n_features, costs, share)
        if common * ceil(federation.ledger.budget) >= MAX_PART:
            raise ValueError(
                "some costs would be fractions of more than 40 digits, because what is saved is divided again at each "
                "level: give a smaller max_depth, or shares with small denominators; nothing was charged"
            )
        return cls(costs, share, steps, least, _most_nodes(federation, asked, common))


def as_share(value: Rational, name: str) -> Fraction:
    """A part of a budget, strictly between 0 and 1."""
    share = as_fraction(value, name)
    if not 0 < share < 1:
        raise ValueError(f"{name} must lie strictly between 0 and 1, got {shown(share)}")
    return share


def queries_of(domain: Domain, costs: Costs, bounds_share: Fraction, lattice: int) -> list[Query]:
    """One of each kind that a tree may ask, at the least cost that it may have; the counts of a leaf are the last."""
    whole, p = domain.everything, domain.n_features
    leaf = ClassCounts(whole, costs.of_leaf(costs.depth))
    if not costs.depth:
        return [leaf]
    bounds = NodeBounds(whole, bounds_share * costs.node, lattice)
    each = (1 - bounds_share) * costs.node / p
    return [bounds, *(ClassHistogram(whole, each, j) for j in range(p)), leaf]


def common_denominator(n_features: int, costs: Costs, bounds_share: Fraction) -> int:
    """A denominator of whatever is charged: a level divides what it has by p, and by that of the share."""
    first = lcm(*(part.denominator for part in (costs.budget, costs.node, costs.leaf)))
    return first * (n_features * bounds_share.denominator) ** costs.depth


def _most_nodes(federation: Asker, asked: Sequence[Query], common: int) -> int:
    """The number of nodes with bounds that the derivation can hold; at least one.

    Each has its releases, a sequence, two sides in parallel; there is one leaf more than there are splits.
    """
    domain, ledger = federation.domain, federation.ledger
    *open_, leaf = (needs_of([query.charge(domain, federation.colluders, "any")]) for query in asked)
    side, rules = needs_of_side(domain), Counter(steps=2)
    once = leaf + Counter(steps=2)  # the first leaf, in a sequence, and this tree in sequence with others
    each = sum([*open_, leaf, side, side, rules], Counter[str]())
    require_left(ledger.counts, ledger.total, [as_cost(Fraction(1, common))], once + each)
    return left(ledger.counts, each, once)
