"""What boosting costs an outsider and an insider, before any tree.

All releases are fixed beforehand: how many, of what sensitivity and at what cost. In ρ the budget is converted once,
for outsiders and for insiders. In ε insiders are promised what they learn from each release, added up.

Claims: thm-boosting-before-the-run
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from fdpedu.accounting import Budget, Cost
from fdpedu.boosting.outcome import Outcome
from fdpedu.boosting.outcomes import TWO_CLASSES
from fdpedu.boosting.rules import CLIP, STEPS, Rules, rules_for
from fdpedu.dlpa import TreeGuarantee, insider_epsilon, tree_guarantee
from fdpedu.dlpa.guarantee import MAX_FEATURES, Loss
from fdpedu.exact import Enclosure, Rational, as_integer


def boosting_guarantee(
    epsilon: Budget | Cost | Rational,
    *,
    delta: Rational | None = None,
    form: str = "trees",
    nominal_size: int = 1000,
    n_features: int,
    n_parties: int,
    colluders: int = 1,
    tolerate: int = 1,
    rounds: int | None = None,
    trees_per_round: int | None = None,
    max_depth: int | None = None,
    outcome: Outcome = TWO_CLASSES,
) -> TreeGuarantee:
    """The guarantee of every ensemble of these parameters, for outsiders and for insiders.

    Claims: thm-boosting-before-the-run

    Parameters
    ----------
    epsilon, delta : ε, or (ε, δ); or a budget or a cost
    form, nominal_size : as in :func:`rules_for`; N changes no guarantee
    n_features : p
    n_parties, colluders, tolerate : as for :func:`fdpedu.dlpa.tree_guarantee`
    rounds, trees_per_round, max_depth, outcome : as in :func:`rules_for`

    Examples
    --------
    >>> print(boosting_guarantee(1, delta=1e-6, n_features=10, n_parties=5, colluders=2).render())
    Every ensemble of these parameters, before it is grown:
      an outsider, the aggregator included       ε = 1, δ = 1/1000000
      2 curious parties of 5, shares made for 1  ε ≤ 1.18, δ = 1/1000000
    Every path, whatever the ensemble is: (ε, δ) = (1, 10⁻⁶), from ρ = 2801/100000, ξ ≤ 1/100000
    >>> print(boosting_guarantee(1, n_features=10, n_parties=5, colluders=1, tolerate=0).render())
    Every ensemble of these parameters, before it is grown:
      an outsider, the aggregator included       ε = 1
      one curious party of 5, shares made for 0  ε ≤ 4.87
    Every path, whatever the ensemble is: 10 histograms, 8 rounds of 6 trees, twice an intercept (1/10, 21/25, 3/50)
    """
    whole, p = Budget.of(epsilon, delta=delta), as_integer(n_features, "n_features", minimum=1, maximum=MAX_FEATURES)
    rules = rules_for(
        form,
        nominal_size,
        whole.limit,
        p,
        rounds=rounds,
        trees_per_round=trees_per_round,
        max_depth=max_depth,
        outcome=outcome,
    )
    sizes: dict[str, Any] = {"n_parties": n_parties, "colluders": colluders, "tolerate": tolerate}
    if not whole.is_pure:
        found = tree_guarantee(whole, noise="gaussian", **sizes)
        return _of_ensembles(found, found.insider, found.path)
    value = whole.limit.value
    shares = [rules.shares["histograms"], rules.rounds * rules.shares["round"]]
    grown = f"{p} histograms, {rules.rounds} rounds of {rules.trees_per_round} trees"
    if outcome.ends:
        grown, shares = f"{grown}, twice an intercept", [*shares, outcome.ends * rules.shares["intercept"]]
    if outcome.begins:
        once = "class counts" if outcome.ends else "where scores begin"
        grown, shares = f"{grown}, once {once}", [*shares, outcome.begins]
    outsider = tree_guarantee(value, n_features=1, max_depth=0, **sizes)
    return _of_ensembles(outsider, _insiders_of(rules, p, value, **sizes), f"{grown} ({', '.join(map(str, shares))})")


def _insiders_of(
    rules: Rules, n_features: int, epsilon: Fraction, *, n_parties: int, colluders: int, **own: Any
) -> Loss:
    """What insiders get of all releases that are paid in ε, added up."""
    costs = {name: share * epsilon for name, share in rules.shares.items()}
    # thm-boosting-before-the-run: p releases of 1, R·B of m/2, and twice a pair of m/2 and ⌊m/4⌋
    steps = [
        (n_features, costs["histograms"] / n_features, (1,)),
        (rules.rounds * rules.trees_per_round, costs["round"] / rules.trees_per_round / CLIP, (CLIP,)),
        (rules.outcome.ends, costs["intercept"] / (STEPS // 2 + STEPS // 4), (STEPS // 2, STEPS // 4)),
        *([(1, costs["start"], (1,))] if rules.outcome.begins else []),
    ]
    insider: Loss = Enclosure.exactly(Fraction(0))
    for times, rate, shifts in steps:
        for shift in shifts:
            each = insider_epsilon(rate * shift, n_parties, colluders, sensitivity=shift, **own)
            insider = _added(insider, each, times)
    return insider


def _of_ensembles(found: TreeGuarantee, insider: Loss, path: str) -> TreeGuarantee:
    return TreeGuarantee(found.outsider, insider, found.delta, {}, 0, found.who, path, model="ensemble")


def _added(so_far: Loss, each: Loss, times: int) -> Loss:
    if isinstance(so_far, float) or isinstance(each, float):
        return math.inf
    return so_far + each * times
