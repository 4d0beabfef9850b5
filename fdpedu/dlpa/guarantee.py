"""What a tree costs an outsider and an insider, from public numbers, before any tree is grown.

A record pays for every feature's histogram at s levels of the tree, each of rate h = (1−λ)ε/(d·p), and then for the
counts of its leaf: λε, and what its path has not used if that goes to the leaf. Against insiders a release of rate x
costs e(x) ≥ x (:func:`fdpedu.dlpa.insider_epsilon`). So no tree costs an insider more than

    E = max over s of  s·p·e(h) + e(λε + (d−s)·p·h),   s = 1, …, d   (s = 0 if d = 0),

and some tree costs that. The function e looks concave, and then s = d is the worst; as that is not proved, every s is
evaluated.

The levels of a tree may also cost different amounts (:class:`LevelCost`), as when features are screened at the root,
and a level may be a choice that a party draws itself: nobody else's noise is in it, so against insiders, too, it costs
its ε, and e is taken of the leaf counts alone.

Of Gaussian noise the budget alone says all: it is converted to (ε, δ) once, for outsiders and for insiders
(:mod:`fdpedu.dlpa.insiders_in_rho`), whatever the tree is.

Guarantee: both numbers are enclosed, and hold for every tree of these parameters. Arithmetic: fractions. Not
guaranteed: anything against parties that deviate from the protocol.

Claims: thm-tree-before-the-run
"""
# Longer than 400 lines because the guarantee of every kind of tree is read off, and said, in one place.

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, Decimal
from fractions import Fraction
from functools import cache
from itertools import groupby
from types import MappingProxyType
from typing import Any, Literal

from fdpedu.accounting import Budget, Derivation, Guarantee, compose_optimal, split_budget
from fdpedu.accounting.cost import PURE
from fdpedu.dlpa.insiders import Noise, insider_epsilon
from fdpedu.dlpa.insiders_in_rho import insider_gaussian_epsilon
from fdpedu.exact import (
    Enclosure,
    Rational,
    as_fraction,
    as_integer,
    as_list,
    as_positive_fraction,
    require_type,
    shown,
)
from fdpedu.exact.reading import decimal_context
from fdpedu.showing import html_table, text_table

Loss = Enclosure | float
MAX_FEATURES = 4096  # as many as a derivation may have
MAX_DEPTH = 64
# the types of releases that a party draws by itself, in a federation
DRAWN = ("designed-split", "split-vote", "structure-vote")
INTERCEPT, SQUARES = "intercept-sums", "square-sums"
MOVED: Mapping[str, Callable[[Mapping[str, Any]], tuple[int, ...]]] = MappingProxyType(
    {
        INTERCEPT: lambda stated: (stated["steps"] // 2, stated["steps"] // 4),
        SQUARES: lambda _: (1024, 2048, 1024, 4096),
    }
)
"""By the types whose one release moves several numbers: by how much each at most (lem-intercept-sums, lem-squares)."""


@dataclass(frozen=True)
class LevelCost:
    """What a record pays at one level of a tree.

    Parameters
    ----------
    epsilon : the cost of the level, greater than 0
    releases : how many releases it is for, of equal cost, 1 to 4096
    shared : whether their noise is made of shares of all parties; if not, one party draws a choice by itself

    Examples
    --------
    >>> root, below = LevelCost("1/4", 25), LevelCost("1/10", 4)
    >>> root.rate, below.rate
    (Fraction(1, 100), Fraction(1, 40))
    """

    epsilon: Fraction
    releases: int = 1
    shared: bool = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", as_positive_fraction(self.epsilon, "epsilon"))
        releases = as_integer(self.releases, "releases", minimum=1, maximum=MAX_FEATURES)
        object.__setattr__(self, "releases", releases)
        require_type(self.shared, bool, "shared")

    @property
    def rate(self) -> Fraction:
        """The cost of one release."""
        return self.epsilon / self.releases


@dataclass(frozen=True)
class TreeGuarantee:
    """Two ε that hold for every tree of the given parameters; ``render()`` is for reading.

    Parameters
    ----------
    outsider : ε against those who see what is released, the aggregator among them
    insider : ε against the colluders, who subtract their own shares; ``math.inf`` if no ε holds
    delta : the probability that is allowed beside both; if it is not 0, both are upper bounds, with a lower end of 0
    levels : for every number of levels that a path can pay for, what such a path costs the insider if δ = 0
    worst : the number of levels for which that is most
    who : the insiders, in words
    path : the most expensive path, in words; of Gaussian noise, the budget that all paths keep
    chosen : the part of both that is for choices which a party draws itself, on the most expensive path
    model : what is grown, in a word
    """

    outsider: Loss
    insider: Loss
    delta: Fraction
    levels: dict[int, Loss]
    worst: int
    who: str
    path: str
    chosen: Fraction = Fraction(0)
    model: str = "tree"

    def rows(self) -> list[tuple[str, str]]:
        """Against whom, and what holds."""
        delta = f", δ = {shown(self.delta)}" * (self.delta > 0)
        pairs = [("an outsider, the aggregator included", self.outsider), (self.who, self.insider)]
        return [(who, f"ε {at_most(loss)}{delta}") for who, loss in pairs]

    def render(self) -> str:
        """The guarantee as aligned text."""
        head, notes = f"Every {self.model} of these parameters, before it is grown:", "\n".join(self._notes())
        return f"{head}\n{text_table(self.rows(), indent='  ')}\n{notes}"

    def _repr_html_(self) -> str:
        """The same as a table."""
        caption = f"Every {self.model} of these parameters, before it is grown. {'. '.join(self._notes())}"
        return html_table((), self.rows(), caption=caption, kind="fdpedu-guarantee", named=True)

    def _notes(self) -> list[str]:
        choices = f"Choices: ε = {shown(self.chosen)} of both, as a party draws them alone, without the noise of others"
        worst = "Worst path" if self.levels else f"Every path, whatever the {self.model} is"
        return [f"{worst}: {self.path}", *[choices] * (self.chosen > 0)]


def promised(guarantee: Guarantee) -> str:
    """What a derivation proves against an outsider and against insiders, side by side.

    How many parties there are does not stand in a derivation, so of more insiders than are withstood it can only be
    said that they learn more; :func:`tree_guarantee` says how much.
    """
    withstood, promise = guarantee.colluders, guarantee.promise
    who = "one curious party" if withstood < 2 else f"up to {withstood} curious parties"
    less = f"ε > {shown(guarantee.value)}" if guarantee.rho is None else f"less than {promise}"
    more = f"{less}: nobody's noise is spared for it (fdpedu.dlpa.tree_guarantee)"
    outside = ("an outsider, the aggregator included", promise)
    return text_table([outside, (who, promise if withstood else more)], indent="  ")


def at_most(loss: Loss) -> str:
    """A loss for people: exact if it is, else its upper end, rounded up to four digits.

    >>> at_most(Enclosure.exactly(Fraction(1, 2))), at_most(Enclosure(Fraction(3), Fraction(30671, 10000)))
    ('= 1/2', '≤ 3.068')
    """
    if isinstance(loss, float):
        return "= ∞: no ε holds"
    if loss.lower == loss.upper:
        return f"= {shown(loss.upper)}"
    return f"≤ {_rounded_up(loss.upper, 4):g}"


def _rounded_up(number: Fraction, digits: int) -> Decimal:
    rounding = decimal_context(digits, ROUND_CEILING)
    return rounding.divide(Decimal(number.numerator), Decimal(number.denominator)).normalize()


def tree_guarantee(
    epsilon: Budget | Rational,
    *,
    n_features: int | None = None,
    max_depth: int | None = None,
    n_parties: int,
    colluders: int,
    leaf_share: Rational | None = None,
    tolerate: int = 1,
    unspent_to_leaf: bool | None = None,
    noise: Noise | Literal["gaussian"] = "polya",
    delta: Rational = 0,
    levels: Sequence[LevelCost] | None = None,
    leaf: Rational | None = None,
) -> TreeGuarantee:
    """What every tree of :func:`fdpedu.trees.fit_federated_tree` costs at most, known before it is grown.

    Claims: thm-tree-before-the-run

    Parameters
    ----------
    epsilon : budget of the tree; of Gaussian noise together with ``delta``, or a :class:`fdpedu.accounting.Budget`
    n_features : p, of the domain, 1 to 4096; not with ``levels``
    max_depth : d, from 0 to 64; not with ``levels``
    n_parties, colluders : K and c; a party that may be missing counts as a colluder
    leaf_share : λ, the part of ε kept for leaf counts, strictly between 0 and 1; 1/2 if left out; not with ``levels``
    tolerate : the number of colluders that the shares are made for
    unspent_to_leaf : as for the tree: whether an early leaf gets the node budget that its depth did not use; if it is
        left out, it does, but not where ``levels`` are given
    noise : "polya" for the integers that this package adds where ε is paid, "gaussian" for those that it adds where
        ρ is paid, "gamma" for the report's real numbers. Gaussian noise needs ``delta``, and nothing about the tree
    delta : 0, or the probability that may be allowed beside ε; more than 0 needs budgets that are fixed beforehand, so
        ``unspent_to_leaf=False``, and gives upper bounds that need not be met; 0 with ``levels``
    levels : of a tree of another kind: what a record pays on the dearest path, level by level, at most 64 of them. Of
        choices only those count that its own party draws
    leaf : with ``levels``: the cost of the leaf counts; all levels and it together cost ``epsilon``

    Examples
    --------
    >>> print(tree_guarantee(1, n_features=10, max_depth=5, n_parties=5, colluders=1, tolerate=0).render())
    Every tree of these parameters, before it is grown:
      an outsider, the aggregator included       ε = 1
      one curious party of 5, shares made for 0  ε ≤ 3.068
    Worst path: 5 levels of 10 × 1/100, then leaf counts at 1/2

    One of five parties draws the splits of two levels, each for 2/5:

    >>> own = [LevelCost("2/5", shared=False)] * 2
    >>> print(tree_guarantee(1, levels=own, leaf="1/5", n_parties=5, colluders=4, tolerate=0).render())
    Every tree of these parameters, before it is grown:
      an outsider, the aggregator included       ε = 1
      4 curious parties of 5, shares made for 0  ε ≤ 2.532
    Worst path: 2 levels of choices that a party draws alone at 2/5, then leaf counts at 1/5
    Choices: ε = 4/5 of both, as a party draws them alone, without the noise of others

    Gaussian noise, with a small δ:

    >>> print(tree_guarantee(1, delta=1e-6, noise="gaussian", n_parties=5, colluders=2, tolerate=1).render())
    Every tree of these parameters, before it is grown:
      an outsider, the aggregator included       ε = 1, δ = 1/1000000
      2 curious parties of 5, shares made for 1  ε ≤ 1.18, δ = 1/1000000
    Every path, whatever the tree is: (ε, δ) = (1, 10⁻⁶), from ρ = 2801/100000, ξ ≤ 1/100000
    """

    as_integer(colluders, "colluders", minimum=0)
    who = f"{'one curious party' if colluders == 1 else f'{colluders} curious parties'} of {n_parties}"
    who += f", shares made for {tolerate}"
    if noise == "gaussian":
        _require_budget_alone(n_features, max_depth, leaf_share, levels, leaf)
        return _of_gaussian(_gaussian_budget(epsilon, delta), n_parties, colluders, tolerate, who)

    @cache
    def loss(rate: Fraction) -> Loss:
        return insider_epsilon(rate, n_parties, colluders, tolerate=tolerate, noise=noise)

    budget = as_positive_fraction(epsilon, "epsilon")
    if levels is not None or leaf is not None:
        _require_levels_alone(n_features, max_depth, leaf_share, delta)
        stated, last = _stated(levels, leaf, budget)
        return _of_levels(stated, last, budget, bool(unspent_to_leaf), loss, who)
    to_leaf = unspent_to_leaf is not False
    p, d = _sizes(n_features, max_depth)
    allowed = _allowed(delta, to_leaf)
    for_leaf, for_nodes = split_budget(budget, "1/2" if leaf_share is None else leaf_share)
    h = for_nodes / (max(d, 1) * p)
    rest = {s: budget - s * p * h if to_leaf or not d else for_leaf for s in _paths(d)}
    # thm-tree-before-the-run: e may not be concave, so every s
    found = {s: _added(s * p, loss(h), loss(rest[s])) for s in rest}
    worst = max(found, key=lambda s: (_upper(found[s]), s))
    outsider: Loss = Enclosure.exactly(budget)
    insider = _largest(list(found.values()))
    if allowed and d:
        outsider = _composed(d * p, Enclosure.exactly(h), Enclosure.exactly(for_leaf), allowed)
        insider = _composed(d * p, loss(h), loss(for_leaf), allowed)
    path = f"{worst} level{'s' * (worst != 1)} of {p} × {shown(h)}, then " * (worst > 0)
    path += f"leaf counts at {shown(rest[worst])}"
    return TreeGuarantee(outsider, insider, allowed, found, worst, who, path)


def _gaussian_budget(epsilon: Budget | Rational, delta: Rational) -> Budget:
    """The budget in ρ of ε and δ; one that is made already says its own δ."""
    if isinstance(epsilon, Budget):
        return Budget.of(epsilon, delta=delta or None)
    return Budget.of(epsilon, delta=delta)


def _of_gaussian(budget: Budget, n_parties: int, colluders: int, tolerate: int, who: str) -> TreeGuarantee:
    """The guarantee of every tree that a budget in ρ pays for."""
    insider = insider_gaussian_epsilon(budget, n_parties, colluders, tolerate=tolerate)
    assert budget.epsilon is not None
    return TreeGuarantee(Enclosure.exactly(budget.epsilon), insider, budget.delta, {}, 0, who, str(budget))


def _require_budget_alone(*of_tree: object) -> None:
    if any(given is not None for given in of_tree):
        raise ValueError(
            "with Gaussian noise the budget alone says what every tree costs: leave out n_features, max_depth, "
            "leaf_share, levels and leaf"
        )


def _require_levels_alone(
    n_features: int | None, max_depth: int | None, leaf_share: Rational | None, delta: Rational
) -> None:
    even = {"n_features": n_features, "max_depth": max_depth, "leaf_share": leaf_share}
    given = [name for name, value in even.items() if value is not None]
    if given or as_fraction(delta, "delta"):
        raise ValueError(
            f"levels and leaf say what a tree costs, without {' and '.join(given or ['delta'])}: leave it out, or give "
            "n_features, max_depth and leaf_share instead"
        )


def _stated(
    levels: Sequence[LevelCost] | None, leaf: Rational | None, budget: Fraction
) -> tuple[list[LevelCost], Fraction]:
    """The levels and the cost of the leaf, if they are what the budget is for."""
    if levels is None or leaf is None:
        raise ValueError("give both levels and leaf, or neither: together they cost epsilon")
    found, last = as_list(levels, "levels"), as_positive_fraction(leaf, "leaf")
    if not all(type(level) is LevelCost for level in found) or len(found) > MAX_DEPTH:
        raise ValueError(f"levels must be a list of at most {MAX_DEPTH} LevelCost, one for each level")
    if (total := sum((level.epsilon for level in found), last)) != budget:
        raise ValueError(
            f"levels and leaf cost {shown(total)} together, and epsilon is {shown(budget)}: make them equal"
        )
    return found, last


def _of_levels(
    levels: list[LevelCost], leaf: Fraction, budget: Fraction, to_leaf: bool, loss: Callable[[Fraction], Loss], who: str
) -> TreeGuarantee:
    """The guarantee of a tree whose levels cost what they do; a party may draw nothing before an early leaf."""
    least = 0 if not all(level.shared for level in levels) else min(1, len(levels))
    found, rest = dict[int, Loss](), dict[int, Fraction]()
    for s in range(least, len(levels) + 1):
        rest[s] = budget - sum(level.epsilon for level in levels[:s]) if to_leaf else leaf
        found[s] = loss(rest[s])
        for level in levels[:s]:
            # thm-designed-insiders: no other party's noise is in a choice
            each = loss(level.rate) if level.shared else Enclosure.exactly(level.epsilon)
            found[s] = _added(level.releases, each, found[s])
    worst = max(found, key=lambda s: (_upper(found[s]), s))
    path = "".join(f"{_in_words(level, len([*same]))}, then " for level, same in groupby(levels[:worst]))
    chosen = sum((level.epsilon for level in levels[:worst] if not level.shared), Fraction(0))
    path += f"leaf counts at {shown(rest[worst])}"
    insider = _largest(list(found.values()))
    return TreeGuarantee(Enclosure.exactly(budget), insider, Fraction(0), found, worst, who, path, chosen)


def _in_words(level: LevelCost, times: int) -> str:
    """So many equal levels."""
    what = (
        f"{level.releases} × {shown(level.rate)}"
        if level.shared
        else f"choices that a party draws alone at {shown(level.epsilon)}"
    )
    return f"{times} level{'s' * (times != 1)} of {what}"


def _sizes(n_features: int | None, max_depth: int | None) -> tuple[int, int]:
    if n_features is None or max_depth is None:
        raise ValueError("give n_features and max_depth, or what each of the levels costs and leaf")
    p = as_integer(n_features, "n_features", minimum=1, maximum=MAX_FEATURES)
    return p, as_integer(max_depth, "max_depth", minimum=0, maximum=MAX_DEPTH)


def _allowed(delta: Rational, unspent_to_leaf: bool) -> Fraction:
    """δ, where the budgets allow for one."""
    allowed = as_fraction(delta, "delta")
    if not 0 <= allowed < 1 or (allowed and unspent_to_leaf):
        raise ValueError(
            "delta must be 0, or less than 1 and with unspent_to_leaf=False, as optimal composition needs budgets that "
            f"are fixed beforehand; got delta={shown(allowed)}, unspent_to_leaf={unspent_to_leaf}"
        )
    return allowed


def _paths(depth: int) -> range:
    """How many levels a path can pay for before its leaf: at least one, unless the root is a leaf from the start."""
    return range(min(1, depth), depth + 1)


def _upper(loss: Loss) -> Fraction | float:
    return loss if isinstance(loss, float) else loss.upper


def _added(releases: int, each: Loss, last: Loss) -> Loss:
    """The cost of ``releases`` equal releases and one more."""
    if isinstance(each, float) or isinstance(last, float):
        return math.inf
    return last + each * releases if releases else last


def _largest(losses: list[Loss]) -> Loss:
    """The largest of several."""
    known = [loss for loss in losses if isinstance(loss, Enclosure)]
    if len(known) < len(losses):
        return math.inf
    return Enclosure(max(loss.lower for loss in known), max(loss.upper for loss in known))


def _composed(releases: int, each: Loss, last: Loss, delta: Fraction) -> Loss:
    """At most ε at δ: the histograms by optimal composition, and the leaf counts added; or the plain sum."""
    if isinstance(each, float) or isinstance(last, float):
        return math.inf
    together = compose_optimal(Fraction(_rounded_up(each.upper, 12)), releases, delta).upper
    return Enclosure(Fraction(0), min(releases * each.upper, together) + last.upper)


def insider_cost(derivation: Derivation, parties: int, tolerate: int, colluders: int = 1) -> Enclosure:
    """ε of one run against colluders who subtract their own noise shares from everything that was released in it.

    Claims: thm-boosting-before-the-run

    That is their loss on each release, added up along the derivation. A split that one party designs has no shares of
    others, so it costs them what it costs everybody. If they are more than the shares were made for, the loss
    grows with the release's sensitivity, which is the number of steps of a lattice, and it depends on how a branch
    divides its budget: a figure of this tree, where :func:`tree_guarantee` is one of all.

    Parameters
    ----------
    derivation : of the run
    parties : K
    tolerate : the number of colluders that the shares were made for
    colluders : c
    """
    require_type(derivation, Derivation, "derivation")

    if derivation.measure != PURE:
        raise ValueError(
            "this run was paid in ρ, of which no run has a cost of its own in ε: the budget alone is converted. See "
            "fdpedu.dlpa.tree_guarantee(…, noise='gaussian')"
        )

    @cache
    def loss(rate: str, steps: int) -> Enclosure:
        return insider_epsilon(Fraction(rate) * steps, parties, colluders, tolerate=tolerate, sensitivity=steps)

    def of_release(step: Mapping[str, Any], side: str) -> Fraction:
        if step["type"] in DRAWN:  # thm-designed-insiders, thm-votes-insiders
            return Fraction(step["epsilon"])
        if step["type"] in MOVED:  # lem-intercept-sums, lem-squares: all numbers move, each by its own noise
            shifts = MOVED[step["type"]](step["parameters"])
            return sum((Fraction(getattr(loss(step["rate"], k), side)) for k in shifts if k), Fraction(0))
        return step["releases"] * Fraction(getattr(loss(step["rate"], step["sensitivity"]), side))

    def end(side: str) -> Fraction:
        return Fraction(derivation.total(lambda step: of_release(step, side)))

    return Enclosure(end("lower"), end("upper"))
