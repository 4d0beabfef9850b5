"""Derivations in ρ: what they promise, and that a forged one is refused, however carefully it was restated."""

import copy
import json
from decimal import ROUND_CEILING, ROUND_FLOOR, Context
from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu import derivation_checker
from fdpedu.accounting import Amount, Ledger
from fdpedu.accounting.normal import gaussian_delta, mills_ratio
from fdpedu.claims.accounting.derivations import releases, walk
from fdpedu.claims.accounting.two_currencies import charge_in_rho
from fdpedu.derivation_checker import (
    MAX_ORDER,
    RELATION,
    DerivationRefused,
    _log,
    check_derivation,
    in_words,
    is_converted,
)
from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.exact import exp_enclosure, log_enclosure
from fdpedu.federation import ClassCounts, Federation, NodeHistograms, Party
from tests.support.accounting import validate

DOMAIN = Domain([Numeric.grid("age", 0, 100, bins=4), Categorical("ward", ("A", "B"))], ("well", "ill"))
ALL, YOUNG, OLD = DOMAIN.everything, *(DOMAIN.everything.restrict(0, codes) for codes in ([0, 1], [2, 3]))
ONE, MILLIONTH = Fraction(1), Fraction(1, 10**6)


def content():
    """Two releases of everybody, then one on either side: at most ρ = 1/50 + 1/300 and ξ = 7/10⁶ are spent."""
    ledger = Ledger(1, delta=1e-6, domain=DOMAIN)
    ledger.charge([charge_in_rho(ALL, Amount(Fraction(1, 100), Fraction(1, 500_000)))] * 2)
    sides = (YOUNG, "1/300", "1/500000"), (OLD, "1/400", "3/1000000")
    ledger.charge([charge_in_rho(side, Amount(Fraction(rho), Fraction(xi))) for side, rho, xi in sides])
    return copy.deepcopy(ledger.derivation().content)


def restated(content):
    """Every sum and maximum anew, and the promise like the budget: what a careful forger does."""

    def cost(step):
        if step["rule"] == "release":
            return tuple(Fraction(step[key]) for key in ("rho", "xi"))
        parts = list(zip(*map(cost, step["premises"]), strict=True))
        found = tuple((max if step["rule"] == "parallel" else sum)(part) for part in parts)
        if step["rule"] != "adaptive":
            step["rho"], step["xi"] = map(str, found)
        return found

    cost(content["proof"])
    content["proof"].update({key: content["budget"][key] for key in ("rho", "xi")})
    guarantee = content["guarantee"]
    content["guarantee"] = {
        **{"measure": guarantee["measure"], "colluders": guarantee["colluders"]},
        **content["budget"],
    }
    return content


def accepted(content):
    return check_derivation(json.dumps(content))


def test_what_is_promised_is_the_budget():
    found = accepted(content())
    assert (found.measure, found.value, found.delta, found.order) == ("gaussian", ONE, MILLIONTH, None)
    assert (found.rho, found.xi) == (Fraction(2801, 10**5), Fraction(1, 10**5)) and found.adaptive
    assert found.spent == (Fraction(1, 50) + Fraction(1, 300), Fraction(7, 10**6))
    assert found.promise == "(ε, δ) = (1, 10⁻⁶), from ρ = 2801/100000, ξ ≤ 1/100000"
    assert str(found) == (
        f"private with {found.promise} ({RELATION}), with 1 colluder; in this run no record paid more than "
        "ρ = 7/300, ξ = 7/1000000"
    )
    assert accepted(restated(content())) == found
    validate("derivation", json.dumps(content()))


def test_without_a_conversion_the_limits_are_promised():
    ledger = Ledger(rho="1/40", domain=DOMAIN)
    ledger.charge([charge_in_rho(ALL, Amount(Fraction(1, 50)))])
    found = ledger.derivation().guarantee
    assert (found.value, found.rho, found.xi, found.delta, found.order) == (
        *(Fraction(1, 40), Fraction(1, 40), Fraction(1, 10**5), 0, None),
    )
    assert found.promise == "ρ = 1/40, ξ ≤ 1/100000"
    stated = json.loads(ledger.derivation().to_json())
    for forged in ({"delta": "0"}, {"order": 22}, {"epsilon": "1"}):
        with pytest.raises(DerivationRefused):
            accepted({**stated, "guarantee": {**stated["guarantee"], **forged}})


def budget(**changed):
    def forge(content):
        content["budget"].update(changed)

    return forge


def of_release(**changed):
    def forge(content):
        releases(content)[0].update(changed)

    return forge


def without(key):
    def forge(content):
        del content["budget"][key]

    return forge


def cheaper(content):
    """Half the cost with the same noise."""
    step = releases(content)[0]
    step["rho"] = str(Fraction(step["rho"]) / 2)


def in_epsilon(content):
    """One of the releases states a cost in ε."""
    step = releases(content)[0]
    for key in ("l2_squared", "cells", "variance", "rho", "xi"):
        del step[key]
    step.update({"releases": 1, "sensitivity": 1, "rate": "1/10", "epsilon": "1/10"})


def called_pure(content):
    content["measure"] = content["guarantee"]["measure"] = "pure"


def of_the_schema(number):
    def forge(content):
        content["schema"] = f"fdpedu-derivation/{number}"

    return forge


def in_moments(content):
    content["measure"] = content["guarantee"]["measure"] = "concentrated"


def overlapping(content):
    """The two sides are made one, in parallel."""
    (parallel,) = (step for step in walk(content["proof"]) if step["rule"] == "parallel")
    parallel["premises"][1]["region"] = copy.deepcopy(parallel["premises"][0]["region"])


FORGED = {  # what a forger changes, and what the refusal says
    "a smaller ε": (budget(epsilon="999/1000"), "give no"),
    "a smaller δ": (budget(delta="1/1100000"), "give no"),
    "a larger ρ": (budget(rho="2802/100000"), "give no"),
    "a larger ξ": (budget(xi="1/1000"), "give no"),
    "ξ of half of ε": (budget(xi="1/2"), "less than ε/2"),
    "ξ = 1": (budget(xi="1", epsilon="9"), "less than 1"),
    "ρ that is too large for any δ": (budget(rho="3/4"), "take a smaller δ"),
    "an order": (budget(order=22), "keys"),
    "δ = 0": (budget(delta="0"), "delta"),
    "δ = 1": (budget(delta="1"), "delta"),
    "δ as a float": (budget(delta=0.5), "float"),
    "ε = 0": (budget(epsilon="0"), "less than ε/2"),
    "a budget without ξ": (without("xi"), "keys"),
    "a budget without δ": (without("delta"), "keys"),
    "less noise": (of_release(variance="50"), "too little"),
    "a variance of 1": (of_release(variance="1"), "too little"),
    "a longer vector": (of_release(l2_squared=2), "too little"),
    "a cost of half": (cheaper, "too little"),
    "a cost of 0": (of_release(rho="0"), "more than 0"),
    "l2_squared that is true": (of_release(l2_squared=True), "l2_squared"),
    "no cells": (of_release(cells=0), "cells"),
    "a variance of 0": (of_release(variance="0"), "too little"),
    "too much ξ": (of_release(xi="1/100000"), "more than the budget"),
    "too much ρ": (of_release(rho="1/50", variance="26"), "more than the budget"),
    "one release in ε": (in_epsilon, "keys"),
    "sides that overlap": (overlapping, "same record"),
    "another measure": (called_pure, "number|keys"),
    "the first schema": (of_the_schema("6"), "must be pure"),
    "the schema before": (of_the_schema("8"), "must be pure or concentrated"),
    "the older measure": (in_moments, "must be pure or gaussian"),
}


@pytest.mark.claim("thm-checker-sound")
@pytest.mark.parametrize("name", FORGED)
def test_a_forged_derivation_is_refused(name):
    """With nothing else changed, and with every sum and the promise restated."""
    forge, said = FORGED[name]
    careful = content()
    forge(careful)
    with pytest.raises(DerivationRefused):
        accepted(careful)
    if name not in ("a budget without ξ", "one release in ε"):
        restated(careful)
    with pytest.raises(DerivationRefused, match=said):
        accepted(careful)


STATED = ("rho", "xi")


@given(st.data(), st.sampled_from(STATED), st.fractions(0, 2, max_denominator=50))
def test_a_cost_that_is_not_the_sum_is_refused(data, key, factor):
    """Any step that is no release states the sum or the largest, in both parts; the root the budget."""
    forged = content()
    step = data.draw(st.sampled_from([step for step in walk(forged["proof"]) if step["rule"] != "release"]))
    before, step[key] = Fraction(step[key]), str(Fraction(step[key]) * factor)
    if Fraction(step[key]) == before:
        assert accepted(forged)
        return
    with pytest.raises(DerivationRefused, match="states"):
        accepted(forged)


@given(st.sampled_from(["value", "measure", *STATED, "epsilon", "delta", "colluders"]))
def test_a_promise_is_what_is_proved(key):
    """The guarantee is the budget's, with every key, and none more."""
    for change in ("left out", "changed", "as text"):
        forged = content()
        promise = forged["guarantee"]
        if change == "left out":
            del promise[key if key in promise else "measure"]
        else:
            promise[key] = str(promise.get(key)) if change == "as text" and key == "colluders" else "1/9"
        with pytest.raises(DerivationRefused, match="what is proved"):
            accepted(forged)


@pytest.mark.claim("thm-gaussian-root")
@settings(deadline=None)
@given(st.fractions(Fraction(1, 100), Fraction(1, 10), max_denominator=400), st.fractions(Fraction(1, 2), 2))
def test_a_changed_budget_is_accepted_where_the_inequality_holds(rho, epsilon):
    changed = content()
    changed["budget"].update(rho=str(rho + Fraction(1, 40)), epsilon=str(epsilon))
    restated(changed)
    if is_converted(epsilon, MILLIONTH, rho + Fraction(1, 40), Fraction(1, 10**5)):
        found = accepted(changed)
        assert (found.rho, found.value) == (rho + Fraction(1, 40), epsilon)
    else:
        with pytest.raises(DerivationRefused, match="give no"):
            accepted(changed)


DATA = Path(__file__).parent / "data"
OLDER = (DATA / "derivation-8.json").read_text("utf8"), (DATA / "manifest-of-derivation-8.json").read_text("utf8")


@pytest.mark.claim("thm-zcdp-to-dp")
@pytest.mark.parametrize("manifest", [None, OLDER[1]])
def test_a_text_of_the_schema_before_is_read_on(manifest):
    """In its measure, with its order; its release rule is the older one, and its ξ is 3θ for each cell."""
    found = check_derivation(OLDER[0], manifest)
    assert (found.measure, found.value, found.order) == ("concentrated", 4, 7)
    assert found.promise == "(ε, δ) = (4, 10⁻⁶), from ρ = 1553/5000, ξ ≤ 1/1000, order 7"
    assert found.spent == (Fraction(1, 10), Fraction(3, 10**12))
    validate("derivation", OLDER[0])


OLDER_FORGED = {
    "another order": (budget(order=6), "order 6"),
    "order 1": (budget(order=1), "order"),
    "an order that is true": (budget(order=True), "order"),
    "an order as text": (budget(order="7"), "order"),
    "an order beyond the limit": (budget(order=MAX_ORDER + 1), "at most 1000000"),
    "no order": (without("order"), "keys"),
    "a smaller ε": (budget(epsilon="399/100"), "order 7"),
    "a larger ρ": (budget(rho="1554/5000"), "order 7"),
    "the next schema": (of_the_schema("9"), "must be pure or gaussian"),
    "the measure of the next": (lambda content: content.update(measure="gaussian"), "must be pure or concentrated"),
    "half of the noise": (of_release(variance="5"), "too little"),
}


@pytest.mark.claim("thm-checker-sound")
@pytest.mark.parametrize("name", OLDER_FORGED)
def test_a_forged_older_derivation_is_refused(name):
    forge, said = OLDER_FORGED[name]
    forged = json.loads(OLDER[0])
    forge(forged)
    forged["guarantee"] = {**forged["guarantee"], **forged["budget"]}
    with pytest.raises(DerivationRefused, match=said):
        accepted(forged)


@given(st.fractions(Fraction(1, 10**30), 10**30))
def test_a_logarithm_is_enclosed(x):
    """By two numbers that are close; of 1 it is 0."""
    low, high = _log(x)
    truth = log_enclosure(x, 80)
    assert low <= truth.lower and truth.upper <= high
    assert high - low <= Fraction(1, 10**56) and _log(Fraction(1)) == (0, 0)


@pytest.mark.parametrize(
    ("delta", "said"),
    [("1/1000000", "10⁻⁶"), ("1/1000", "10⁻³"), ("1/100", "1/100"), ("3/1000000", "3/1000000"), ("1/2", "1/2")],
)
def test_a_small_delta_is_a_power_of_ten_in_words(delta, said):
    words = in_words("gaussian", Fraction(1, 40), Fraction(1, 10**4), ONE, Fraction(delta), None)
    assert words == f"(ε, δ) = (1, {said}), from ρ = 1/40, ξ ≤ 1/10000"
    older = in_words("concentrated", Fraction(1, 40), Fraction(1, 10**4), ONE, Fraction(delta), 9)
    assert older == f"{words}, order 9"
    assert in_words("pure", ONE, Fraction(0), ONE, Fraction(0), None) == "ε = 1"


def asked():
    """A derivation and a manifest of two rounds that were really asked, in ρ."""
    ledger = Ledger(1, delta=1e-6)
    parties = [Party([[63, "A", "ill"], [17, "B", "well"]], DOMAIN), Party([], DOMAIN)]
    federation = Federation(parties, DOMAIN, ledger, rng=np.random.default_rng(1))
    cost = ledger.total.limit.scaled(Fraction(1, 4))
    federation.release([NodeHistograms(ALL, cost)])
    federation.release([ClassCounts(YOUNG, cost), ClassCounts(OLD, cost)])
    return json.loads(ledger.derivation().to_json()), json.loads(federation.manifest.to_json())


@pytest.mark.claim("thm-manifest-complete")
@pytest.mark.parametrize(
    ("key", "changed"), [("l2_squared", 1), ("l2_squared", 3), ("cells", 1), ("variance", "10000"), ("rate", "1/10")]
)
def test_a_query_of_other_noise_is_another_query(key, changed):
    derivation, manifest = asked()
    validate("manifest", json.dumps(manifest))
    assert check_derivation(json.dumps(derivation), json.dumps(manifest)).delta == MILLIONTH
    forged = copy.deepcopy(manifest)
    forged["rounds"][0]["queries"][0][key] = changed
    with pytest.raises(DerivationRefused, match=r"differ|keys"):
        check_derivation(json.dumps(derivation), json.dumps(forged))
    if key != "rate":
        forged = copy.deepcopy(derivation)
        releases(forged)[0][key] = changed
        with pytest.raises(DerivationRefused):
            check_derivation(json.dumps(forged), json.dumps(manifest))


@pytest.mark.parametrize(("digits", "levels"), [(60, 0), (60, 1), (60, 3), (60, 10), (4, 40), (6, 40), (9, 40)])
def test_few_digits_and_few_levels_can_only_refuse(digits, levels, monkeypatch):
    """Whatever is cut off or rounded, no δ below the exact one is accepted; with all of both one a little above is."""
    epsilons, rhos = map(Fraction, ("1/10", "1/2", "1", "3", "8")), map(Fraction, ("1/1000", "1/30", "1/9", "1/2"))
    mills, little = derivation_checker._mills, Fraction(1, 10**9)
    points = [(e, r, gaussian_delta(e, r)) for e, r in product(epsilons, rhos)]
    points = [(e, r, d) for e, r, d in points if d.lower > little**30 and derivation_checker._ends(e, r)[0] >= 1 / 4]
    assert len(points) > 12 and all(is_converted(e, d.upper * (1 + little), r, Fraction(0)) for e, r, d in points)
    for name, rounding in (("_DOWN", ROUND_FLOOR), ("_UP", ROUND_CEILING)):
        context = Context(prec=digits, rounding=rounding, Emin=-(10**6), Emax=10**6)
        monkeypatch.setattr(derivation_checker, name, context)
    monkeypatch.setattr(derivation_checker, "_mills", lambda z, odd: mills(z, odd, levels))
    for epsilon, rho, delta in points:
        assert not is_converted(epsilon, delta.lower * (1 - little**2), rho, Fraction(0))
    for z in (Fraction(k, 7) for k in range(2, 80)):
        ratio = mills_ratio(z)
        assert mills(z, 1, levels) <= ratio.upper and ratio.lower <= mills(z, 0, levels)
        assert derivation_checker._exp_above(-z) >= exp_enclosure(-z).lower
