"""One account of two federations: releases on a fine domain, then on one whose bins are unions of its bins.

Two ledgers, two derivations, and the same records behind both: what does a record pay in all? The regions of the second
derivation are unions of codes of the coarse domain, and each coarse code is a union of fine ones. So the second proof
can be written in the codes of the fine domain, after the first one, and the independent checker reads the two as one.

The coarse domain was chosen from what the first rounds released. Hence the proof stands under the adaptive rule, and
the guarantee is the sum of the two guarantees, which have to be fixed beforehand (filter lemma).

Claims: thm-quantile-edges
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import deepcopy
from itertools import chain
from typing import Any

from fdpedu.accounting import Budget, Cost, Derivation, Guarantee
from fdpedu.accounting.cost import KINDS, PURE
from fdpedu.accounting.writing import combine, document, stated_domain
from fdpedu.domain import Domain, Numeric
from fdpedu.domain.features import Feature
from fdpedu.exact import require_type

Step = dict[str, Any]
Codes = Mapping[str, Mapping[int, list[int]]]  # for each coordinate, what a code of the second is in the first's


def combined_derivation(first: Derivation, second: Derivation) -> Derivation:
    """One derivation, of the first's domain, that says of every record what it paid for both; accepted by the checker.

    Its budget, and with it ε, is the sum of the two guarantees; in ρ the sum of the two budgets in ρ, of which nothing
    is converted. It withstands as many colluders as both do; neighbours differ by adding or removing one record.

    Claims: thm-quantile-edges

    Parameters
    ----------
    first : of releases on the fine domain
    second : of what was released after it, on a domain of the same features, categories and classes, and of numeric
        edges that are all among the first's, the outer ones the same

    Raises
    ------
    ValueError
        If the second domain's bins are not made of the first's, one derivation is in ε and the other in ρ, or one is
        refused by the checker.

    Examples
    --------
    >>> from fdpedu.accounting import Ledger
    >>> from fdpedu.federation import Federation, Party
    >>> from fdpedu.histograms import private_quantile_domain
    >>> from fdpedu.trees import fit_federated_tree
    >>> rows = [[[1, "no"], [2, "no"], [3, "yes"]], [[5, "no"], [40, "yes"], [80, "yes"]]]
    >>> fine = Domain([Numeric.grid("income", 0, 100, bins=100)], ("no", "yes"))
    >>> edges = Federation([Party(part, fine) for part in rows], fine, Ledger("1/4"))
    >>> coarse = private_quantile_domain(edges, "1/4", bins=4)
    >>> growth = Federation([Party(part, coarse) for part in rows], coarse, Ledger("3/4"))
    >>> tree = fit_federated_tree(growth, max_depth=2)
    >>> both = combined_derivation(edges.ledger.derivation(), growth.ledger.derivation())
    >>> both.guarantee.value, both.guarantee.colluders
    (Fraction(1, 1), 1)
    """
    for derivation, name in ((first, "first"), (second, "second")):
        require_type(derivation, Derivation, name)
        require_type(derivation.domain, Domain, f"the domain of {name}")
    guarantees = first.guarantee, second.guarantee
    if any(derivation.content["domain"] != stated_domain(derivation.domain) for derivation in (first, second)):
        raise ValueError("a derivation must be of the domain that it is given with")
    if first.measure != second.measure:
        raise ValueError(
            f"one derivation is in {KINDS[first.measure]} and the other in {KINDS[second.measure]}: nothing adds them; "
            "make both in one measure"
        )
    codes = _codes(first.domain, second.domain)
    before = deepcopy(_proof(first))
    rounds = max(step["round"] for step in _releases(before))
    proof = combine([before, _rewritten(_proof(second), codes, rounds)], "sequential", {})
    budget = Budget.of(_limit(guarantees[0], guarantees[1]))
    colluders = min(guarantee.colluders for guarantee in guarantees)
    kinds = sorted(set(chain.from_iterable(guarantee.randomness for guarantee in guarantees)))
    both = Derivation(document(first.domain, proof, budget, colluders, kinds), first.domain)
    if both.guarantee.promise != str(budget):  # the checker accepts what it has accepted in two parts
        raise ValueError("the two derivations do not make one")
    return both


def _limit(first: Guarantee, second: Guarantee) -> Cost:
    """What both may have cost together, in their measure."""
    if first.rho is None or second.rho is None:
        return Cost(PURE, first.value + second.value)
    return Cost(first.measure, first.rho + second.rho, first.xi + second.xi)


def _codes(fine: Domain, coarse: Domain) -> Codes:
    """For each coordinate of the coarse domain and each of its codes, the fine codes that it is made of."""
    same = [feature.name for feature in fine.features] == [feature.name for feature in coarse.features]
    if not same or fine.classes != coarse.classes:
        raise ValueError("both derivations must be of the same features and classes, in the same order")
    features = enumerate(fine.features)
    codes = {str(j): _gathered(_coarse_codes(feature, coarse.features[j])) for j, feature in features}
    return {**codes, "class": {code: [code] for code in range(fine.n_classes)}}


def _coarse_codes(fine: Feature, coarse: Feature) -> list[int]:
    """The coarse code of every fine code."""
    if not isinstance(fine, Numeric) or not isinstance(coarse, Numeric):
        if fine != coarse:
            raise ValueError(f"the feature {fine.name!r} must be the same in both derivations, or numeric in both")
        return list(range(fine.n_codes))
    if fine.missing != coarse.missing:
        raise ValueError(
            f"the feature {fine.name!r} must have a code for missing values in both derivations or in none"
        )
    ends = (fine.edges[0], fine.edges[-1]) == (coarse.edges[0], coarse.edges[-1])
    if not ends or not set(coarse.edges) <= set(fine.edges):
        raise ValueError(f"the second's edges of {fine.name!r} must be among the first's, the outer ones the same")
    codes: list[int] = coarse.encode(fine.edges[1:]).tolist()  # x ≤ t: an upper edge lies in its bin
    return codes + [coarse.n_bins] * fine.missing


def _gathered(coarse: list[int]) -> dict[int, list[int]]:
    made_of: dict[int, list[int]] = {}
    for fine, code in enumerate(coarse):
        made_of.setdefault(code, []).append(fine)
    return made_of


def _proof(derivation: Derivation) -> Step:
    """The step under the adaptive rule, if that rule is the root."""
    proof: Step = derivation.content["proof"]
    return proof["premises"][0] if proof["rule"] == "adaptive" else proof


def _releases(step: Step) -> Iterator[Step]:
    if step["rule"] == "release":
        yield step
    for premise in step.get("premises", []):
        yield from _releases(premise)


def _rewritten(step: Step, codes: Codes, rounds: int) -> Step:
    """Recode a step for the other domain, and shift its rounds by ``rounds``."""
    region = {name: sorted(chain.from_iterable(codes[name][c] for c in mask)) for name, mask in step["region"].items()}
    if step["rule"] == "release":
        return {**step, "region": region, "round": step["round"] + rounds}
    premises = [_rewritten(premise, codes, rounds) for premise in step["premises"]]
    return {**step, "region": region, "premises": premises}
