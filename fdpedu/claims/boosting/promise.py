"""What an ensemble costs outsiders and insiders, before it is grown, and afterwards by its derivation."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from fdpedu.accounting import Budget, gaussian_epsilon
from fdpedu.boosting import boosting_guarantee
from fdpedu.boosting.outcomes import outcome_of
from fdpedu.claims.boosting.fits import ROWS, fitted
from fdpedu.claims.boosting.questions import SMALL
from fdpedu.claims.boosting.table import ADD_REMOVE
from fdpedu.claims.checking import require
from fdpedu.claims.federations import dealt
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.claims.replay import intersects
from fdpedu.dlpa import insider_epsilon
from fdpedu.dlpa.guarantee import insider_cost
from fdpedu.dlpa.insiders_in_rho import insider_gaussian_epsilon
from fdpedu.exact import Enclosure
from fdpedu.gradients import intercept_shifts

P = SMALL.n_features


def before_and_after(
    parties: int, tolerate: int, colluders: int, rounds: int, trees: int, threshold: str | None = None
) -> None:
    """In ε: what is promised beforehand is what the derivation of a fit comes to, release by release, and the lemma's.

    As many colluders as the shares are made for learn no more than an outsider.
    """
    epsilon, options = Fraction(3, 2), dict[str, Any](rounds=rounds, trees_per_round=trees)
    sizes: Any = {"n_parties": parties, "tolerate": tolerate, "colluders": colluders}
    promised: Any = boosting_guarantee(epsilon, n_features=P, **sizes, **options, outcome=outcome_of(SMALL, threshold))
    parts = dealt(ROWS, parties)
    ensemble, _ = fitted(SMALL, parts, Budget.of(epsilon).limit, 1, tolerate, **options, threshold=threshold)
    afterwards = insider_cost(ensemble.derivation, parties, tolerate, colluders)
    require(ensemble.guarantee.value == promised.outsider.upper == promised.outsider.lower == epsilon, "an outsider")

    def e(shift: int, cost: Fraction) -> Enclosure:
        return insider_epsilon(cost, parties, colluders, tolerate=tolerate, sensitivity=shift)

    counted = epsilon / 100 if threshold else Fraction(0)
    h, q, i = ((epsilon - counted) * Fraction(part, 100) for part in (10, Fraction(84, rounds), 3))
    stated = e(1, h / P) * P + e(32, q / trees) * (rounds * trees) + (e(32, 2 * i / 3) + e(16, i / 3)) * 2
    stated = stated + e(1, counted) if threshold else stated
    require(intersects(promised.insider, stated), f"insiders are promised {promised.insider}, in the lemma {stated}")
    require(intersects(afterwards, stated), f"the derivation comes to {afterwards} for insiders, in the lemma {stated}")
    safe = colluders <= tolerate
    require((promised.insider.lower > epsilon) != safe, f"{colluders} of {tolerate} tolerated learn {promised.insider}")


def sizes(most: int) -> Iterator[tuple[int, int, int, int, int]]:
    """Up to so many parties, all that are tolerated and that collude; some numbers of rounds and of trees a round."""
    for parties in range(2, most + 1):
        for tolerate in range(parties):
            for colluders in range(1, parties):
                yield parties, tolerate, colluders, 1 + colluders, 1 + (parties + tolerate) % 4


def in_rho(parties: int, tolerate: int, colluders: int, form: str) -> None:
    """In ρ the budget says it all: outsiders (ε, δ), insiders the lemma's factor, converted once.

    What the releases of a fit cost both, by their shares and lengths, is no more.
    """
    budget = Budget.of(1, delta=Fraction(1, 10**6))
    numbers: Any = {"n_parties": parties, "tolerate": tolerate, "colluders": colluders}
    promised: Any = boosting_guarantee(budget, form=form, n_features=P, **numbers)
    expected: Any = insider_gaussian_epsilon(budget, parties, colluders, tolerate=tolerate)
    require(promised.outsider.upper == 1 and promised.delta == budget.delta, f"outsiders: {promised.outsider}")
    require(promised.insider == expected, f"insiders are promised {promised.insider}, not {expected}")
    parts = dealt(ROWS, parties)
    ensemble, _ = fitted(SMALL, parts, budget.limit, 1, tolerate, form=form, rounds=1, trees_per_round=2)
    proved = ensemble.guarantee
    require((proved.rho, proved.xi) <= (budget.limit.value, budget.limit.xi), f"the derivation proves {proved}")
    rho, needed, left = budget.limit.value, parties - tolerate, min(parties - colluders, parties - tolerate)
    least = max(Fraction(2), (1 / (2 * rho) + 1) / needed)
    require(expected == converted(budget, rho * (needed * least - 1) / (left * least - 1)), "another factor")
    for shares, most in ((needed, rho), (left, rho * (needed * least - 1) / (left * least - 1))):
        costs = (
            Fraction(s["l2_squared"]) / (2 * (Fraction(s["variance"]) * shares / needed - 1))
            for _, s in ensemble.derivation.releases()
        )
        require((total := sum(costs)) <= most, f"with {shares} shares all releases cost ρ = {float(total)}, not {most}")


def converted(budget: Any, rho: Fraction) -> Enclosure:
    """The ε that a cost ρ comes to beside the budget's δ and ξ."""
    found: Enclosure = gaussian_epsilon(rho, budget.limit.xi, budget.delta)
    return Enclosure.exactly(budget.epsilon) if rho == budget.limit.value else found


def worst_pair(steps: int, parties: int, colluders: int, rate: Fraction) -> None:
    """Of all shifts of (G, H) over the whole table insiders learn most from (m/2, ⌊m/4⌋), as is promised."""

    def e(shift: int) -> Fraction:
        if not shift:
            return Fraction(0)
        loss: Any = insider_epsilon(rate * shift, parties, colluders, tolerate=0, sensitivity=shift)
        return Fraction(loss.upper)

    found = {(a, b): e(a) + e(b) for a, b in intercept_shifts(steps)}
    worst = (steps // 2, steps // 4)
    require(found[worst] == max(found.values()), f"{max(found, key=lambda k: found[k])} costs more than {worst}")


CLAIMS = (
    Claim(
        "thm-boosting-before-the-run",
        status="checked",
        code=(
            "fdpedu.boosting.promise",
            "fdpedu.boosting.promise.boosting_guarantee",
            "fdpedu.dlpa.guarantee.insider_cost",
        ),
        checks=(
            Check(
                "before and after",
                "exact",
                "ε: 2 to {size} parties, all that are tolerated and that collude, several rounds and trees: the "
                "promise, the derivation of a fit, and the lemma",
                before_and_after,
                sizes,
                4,
                6,
                more=[(6, 1, 5, 3, 4), (6, 5, 5, 1, 1), (3, 0, 2, 1, 2, "counted"), (3, 1, 1, 2, 1, "counted")],
            ),
            Check(
                "in ρ",
                "exact",
                "(ε, δ): 2 to {size} parties, all that are tolerated and that collude, both forms: the budget, once",
                in_rho,
                lambda most: (
                    (k, tolerate, c, ("trees", "curves")[c % 2])
                    for k in range(2, most + 1)
                    for tolerate in range(k)
                    for c in range(1, k)
                ),
                3,
                5,
                more=[(6, 2, 4, "curves")],
            ),
            Check(
                "worst pair",
                "exact",
                "m = 4, 8, … {size}, two rates: over the whole table (m/2, ⌊m/4⌋) costs insiders most",
                worst_pair,
                lambda most: (
                    (m, 2 + m % 3, 1, rate) for m in range(4, most + 1, 4) for rate in (Fraction(1, 20), Fraction(1, 2))
                ),
                12,
                64,
                more=[(16, 3, 2, Fraction(2))],
            ),
        ),
        assumptions=(ADD_REMOVE, "integers", "insiders subtract their own shares of noise; honest but curious"),
        uses=(
            *("thm-federated-boosting", "lem-intercept-sums", "thm-insider-polya", "thm-tolerate"),
            *("thm-sequential", "lem-smoothed-gaussian", "thm-gaussian-filter"),
        ),
    ),
)

_PROMISE = "fdpedu.boosting.promise._insiders_of"
_COST = "fdpedu.dlpa.guarantee.insider_cost"
TWINS = (
    Broken(
        "B trees as one long release, before insiders",
        _PROMISE,
        'rules.rounds * rules.trees_per_round, costs["round"] / rules.trees_per_round / CLIP, (CLIP,)',
        'rules.rounds, costs["round"] / rules.trees_per_round / CLIP, (rules.trees_per_round * CLIP,)',
        "A round is one release, of sensitivity B·m/2.",
        "thm-boosting-before-the-run",
        "before and after",
    ),
    Broken(
        "insiders of a derivation: a round as one release",
        _COST,
        'step["releases"] * Fraction(getattr(loss(step["rate"], step["sensitivity"]), side))',
        'Fraction(getattr(loss(step["rate"], step["releases"] * step["sensitivity"]), side))',
        "What a release moves in all, and at which rate, says what it costs insiders.",
        "thm-boosting-before-the-run",
        "before and after",
    ),
    Broken(
        "insiders of a derivation: (G, H) as one number",
        _COST,
        'MOVED[step["type"]](step["parameters"])',
        '(sum(MOVED[step["type"]](step["parameters"])),)',
        "The pair has an ℓ₁ sensitivity of 3/4·m, so it is as if one number moved by so much.",
        "thm-boosting-before-the-run",
        "before and after",
    ),
    Broken(
        "the intercept once, before insiders",
        _PROMISE,
        '(rules.outcome.ends, costs["intercept"]',
        '(rules.outcome.ends // 2, costs["intercept"]',
        "The second question is the first one again.",
        "thm-boosting-before-the-run",
        "before and after",
    ),
)
