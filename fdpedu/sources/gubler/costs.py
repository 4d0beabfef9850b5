"""What a tree of each variant really costs in ε, by the ledger's arithmetic; ∞ where no ε is finite.

A node of Algorithm 6 with the budget e pays for p bounds and for the histograms of the features that it asks. As
printed each bound is released with all of b·e (b the bounds share), so the bounds cost p·b·e, where p·(b·e/p) = b·e was
booked. What removed features leave unspent goes to the children, where it is spent again p-fold. A path costs the sum
over its nodes, and the leaf; a record is on one path, so the tree costs what its dearest path costs.

The ledger believes the report's Lemma 3.2, a sensitivity of 5/4. In truth a bound moves by less than 1 (chapter 9), so
noise of that scale costs 4/5 as much; ``sensitivity=1`` counts so.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Literal

from fdpedu.exact import Rational, as_integer, as_list, as_positive_fraction, quoted, require_type
from fdpedu.sources.gubler.faults import UNBOUNDED, Faults
from fdpedu.sources.gubler.setting import BASELINES, Setting

INFINITE: Literal["inf"] = "inf"
Cost = Fraction | Literal["inf"]
STATED = Fraction(5, 4)


def path_cost(
    asked: Iterable[int],
    epsilon: Rational,
    setting: Setting,
    faults: Faults,
    *,
    sensitivity: Rational = STATED,
) -> Fraction:
    """Cost of one path of Algorithm 6 and its leaf, given the number of features visited at each node.

    Claims: lem-dearest-path

    Parameters
    ----------
    asked : for each node from the root on, from 1 to p; at most ``max_depth`` nodes
    epsilon : the budget as the algorithm books it
    setting : p, depth and shares
    faults : whether bounds are paid undivided
    sensitivity : of a bound: the report's 5/4, which the noise is made for, or less

    Examples
    --------
    >>> from fdpedu.sources.gubler.faults import PRINTED
    >>> setting = Setting(3, 250, 10, 5, "0.3")
    >>> path_cost([10] * 5, 1, setting, PRINTED), path_cost([10] * 5, 1, setting, Faults())
    (Fraction(17, 8), Fraction(1, 1))
    >>> path_cost([1] * 5, 1, setting, PRINTED)
    Fraction(3119679943, 1024000000)
    """
    total = as_positive_fraction(epsilon, "epsilon")
    require_type(setting, Setting, "setting")
    require_type(faults, Faults, "faults")
    moved = as_positive_fraction(sensitivity, "sensitivity") / STATED
    p, times = setting.p, setting.p if faults.undivided_bounds else 1
    steps = [as_integer(q, "asked", minimum=1, maximum=p) for q in as_list(asked, "asked")]
    if len(steps) > setting.max_depth:
        raise ValueError(f"asked must have at most max_depth = {setting.max_depth} nodes, got {len(steps)}")
    cost, saved, node = Fraction(0), Fraction(0), (1 - setting.leaf_share) * total / setting.max_depth
    for q in steps:
        for_bounds, for_hists = setting.bounds_share * (node + saved), (1 - setting.bounds_share) * (node + saved)
        saved = for_hists * (p - q) / p
        cost += times * for_bounds * moved + for_hists - saved
    return cost + setting.leaf_share * total


def epsilon_spent(method: str, epsilon: Rational, setting: Setting, faults: Faults) -> Cost:
    """The true cost of a method's tree: the ε that can be promised beforehand, or :data:`INFINITE`.

    Baselines have no noise. In the published code borders of bins, stopping, and labels depend on raw rows. Algorithm 6
    costs what its dearest path costs whatever is removed, see :func:`dearest_cost`; all else costs what is booked.

    Claims: published-trees-are-private

    Parameters
    ----------
    method : a name of :data:`fdpedu.experiments.METHODS`, or of a design
    epsilon : the budget as the algorithm books it
    setting : p, depth and shares
    faults : which are on

    Examples
    --------
    >>> from fdpedu.sources.gubler.faults import PRINTED, PUBLISHED
    >>> setting = Setting(3, 250, 50, 5, "0.3")
    >>> epsilon_spent("algorithm-5", 1, setting, PRINTED), float(epsilon_spent("algorithm-6", 1, setting, PRINTED))
    (Fraction(1, 1), 14.042144780765625)
    >>> epsilon_spent("algorithm-5", 1, setting, PUBLISHED), epsilon_spent("central", 1, setting, PRINTED)
    ('inf', 'inf')
    """
    booked = as_positive_fraction(epsilon, "epsilon")
    require_type(setting, Setting, "setting")
    require_type(faults, Faults, "faults")
    if not isinstance(method, str):
        raise ValueError(f"method must be the name of a method, got {quoted(method)}")
    saving = method.startswith("algorithm-6")
    unbounded = [name for name in UNBOUNDED if getattr(faults, name) and (saving or name != "infinite_bounds")]
    if method in BASELINES or unbounded:
        return INFINITE
    return dearest_cost(booked, setting, faults) if saving else booked


def dearest_cost(epsilon: Rational, setting: Setting, faults: Faults) -> Fraction:
    """The most that any path of Algorithm 6 can cost, whatever is removed on it: what could be promised beforehand.

    The cost of a path is linear in what each node saves, and a node at depth t gains by saving if what it hands down
    costs more below than it would here, so the dearest path asks one feature at its upper nodes and all at the last.

    Claims: lem-dearest-path

    Parameters
    ----------
    epsilon : the budget as the algorithm books it
    setting : p, depth and shares
    faults : whether bounds are paid undivided

    Examples
    --------
    >>> from fdpedu.sources.gubler.faults import PRINTED
    >>> setting = Setting(3, 250, 10, 5, "0.3")
    >>> float(dearest_cost(1, setting, PRINTED)), dearest_cost(1, setting, Faults())
    (3.225151650390625, Fraction(1, 1))
    """
    total = as_positive_fraction(epsilon, "epsilon")
    require_type(setting, Setting, "setting")
    require_type(faults, Faults, "faults")
    p, b, depth = setting.p, setting.bounds_share, setting.max_depth
    times, node, worth = (p if faults.undivided_bounds else 1), (1 - setting.leaf_share) * total / depth, Fraction(0)
    cost = setting.leaf_share * total
    for _ in range(depth):  # from the last node up; `worth` is what a unit of budget costs from here on
        worth = max(times * b + (1 - b) * (asked + (p - asked) * worth) / p for asked in (1, p))
        cost += node * worth
    return cost
