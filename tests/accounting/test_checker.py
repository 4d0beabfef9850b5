"""The checker accepts valid derivations with their exact totals, and refuses forged ones for the right reason."""

import ast
import json
import sys
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fdpedu.derivation_checker
from fdpedu.accounting import Charge, Ledger
from fdpedu.claims.accounting.laws_derivations import combined, release, walk
from fdpedu.derivation_checker import DerivationRefused, check_derivation
from fdpedu.domain import Categorical, Domain
from tests.support.accounting import from_a_stack
from tests.support.derivations import document, documents


@given(documents)
def test_valid_derivations_are_accepted_with_the_exact_total(pair):
    content, total = pair
    proved = ("pure", total, 0, content["colluders"], total, True, ("operating system",))
    assert check_derivation(json.dumps(content)) == proved


@settings(max_examples=200)
@given(documents, st.data())
def test_a_changed_epsilon_anywhere_is_refused(pair, data):
    """Whatever step's ε is raised or lowered, the sums no longer hold."""
    content, _ = pair
    step = data.draw(st.sampled_from(list(walk(content["proof"]))))
    step["epsilon"] = str(Fraction(step["epsilon"]) + data.draw(st.sampled_from([Fraction(1, 7), Fraction(-1, 100)])))
    with pytest.raises(DerivationRefused, match=r"the step states|the release states|number must be text"):
        check_derivation(json.dumps(content))


@given(documents)
def test_a_dropped_premise_is_refused_or_costs_nothing(pair):
    """A rule without its first premise is refused, unless the sum or maximum is the same without it."""
    content, _ = pair
    rules = [s for s in walk(content["proof"]["premises"][0]) if len(s.get("premises", [])) > 1]
    if rules:
        dropped = Fraction(rules[0]["premises"].pop(0)["epsilon"])
        if rules[0]["rule"] == "sequential" or dropped > max(Fraction(p["epsilon"]) for p in rules[0]["premises"]):
            with pytest.raises(DerivationRefused, match="rule gives"):
                check_derivation(json.dumps(content))


def base():
    """Two histograms in sequence, then two disjoint leaves: a small tree by hand."""
    leaves = [({"0": [0, 1]}, "1/2"), ({"0": [2, 3, 4, 5]}, "1/3")]
    parallel = combined("parallel", {}, *(release(1, region, rate=rate, colluders=1) for region, rate in leaves))
    histograms = [release(1, {}, rate="1/4", colluders=1) for _ in range(2)]
    return document(combined("sequential", {}, *histograms, parallel))


def sequence(content):
    return content["proof"]["premises"][0]


def leaves(content):
    return sequence(content)["premises"][2]["premises"]


FORGERIES = {
    "regions overlap": (
        lambda c: leaves(c)[0]["region"].update({"0": [0, 1, 2]}),
        "premises 0 and 1 can hold the same record",
    ),
    "a rule is swapped": (lambda c: sequence(c).update(rule="parallel", epsilon="1/2"), "can hold the same record"),
    "columns as regions": (lambda c: sequence(c).update(rule="parallel"), "can hold the same record"),
    "a premise reaches outside": (
        lambda c: sequence(c)["premises"][2].update(region={"0": [0, 1, 2, 3, 4]}),
        "not part of the region",
    ),
    "a child names a superset": (
        lambda c: (
            sequence(c).update(region={"0": [0, 1]}),
            sequence(c)["premises"][0].update(region={"0": [0, 1, 2]}),
        ),
        r"proof\.0\.0: its region is not part of the region of the step that it stands in",
    ),
    "a grandchild names what its parent does not have": (
        lambda c: (
            sequence(c)["premises"][2].update(region={"0": [0, 1, 2, 3, 4]}),
            sequence(c)["premises"][2]["premises"].pop(),
            leaves(c)[0].update(region={"0": [5]}),
        ),
        r"proof\.0\.2\.0: its region is not part of the region",
    ),
    "ten releases for one": (lambda c: leaves(c)[0].update(releases=10), "releases × sensitivity × rate is 5"),
    "no releases": (lambda c: leaves(c)[0].update(releases=0), "releases must be an integer ≥ 1"),
    "releases true": (lambda c: leaves(c)[0].update(releases=True), "releases must be an integer ≥ 1"),
    "a float slips in": (lambda c: leaves(c)[0].update(epsilon=0.5), "floats have no place"),
    "a float as text": (lambda c: leaves(c)[0].update(epsilon="0.5"), "never a float"),
    "a negative cost": (lambda c: leaves(c)[0].update(epsilon="-1/2"), "never a float"),
    "a cost of nothing": (lambda c: leaves(c)[0].update(epsilon="0", rate="0"), "cost more than 0"),
    "denominator 0": (lambda c: leaves(c)[0].update(epsilon="1/0"), "denominator 0"),
    "halved rate": (lambda c: leaves(c)[0].update(rate="1/4"), "sensitivity × rate is 1/4"),
    "doubled sensitivity": (lambda c: leaves(c)[0].update(sensitivity=2), "sensitivity × rate is 1"),
    "sensitivity true": (lambda c: leaves(c)[0].update(sensitivity=True), "sensitivity must be an integer"),
    "an unknown rule": (lambda c: sequence(c).update(rule="magic"), "unknown rule"),
    "no premise": (lambda c: sequence(c).update(premises=[]), "at least one premise"),
    "an adaptive step that costs less than the budget": (
        lambda c: c.update(budget="2"),
        "the adaptive rule gives the budget 2",
    ),
    "an adaptive step below the root": (
        lambda c: c["proof"].update(premises=[{**c["proof"], "premises": [sequence(c)]}]),
        "stands at the root",
    ),
    "too long": (lambda c: leaves(c)[0].update(claim="c" * 10**7), "longer than 10000000 characters"),
    "two adaptive premises": (lambda c: c["proof"]["premises"].append(sequence(c)), "stands twice"),
    "an unknown coordinate": (lambda c: leaves(c)[0].update(region={"7": [0]}), "unknown coordinate"),
    "a code out of range": (lambda c: leaves(c)[0].update(region={"0": [6]}), "out of range"),
    "a code twice": (lambda c: leaves(c)[0].update(region={"0": [0, 0]}), "twice"),
    "an empty region": (lambda c: leaves(c)[0].update(region={"0": []}), "at least one code"),
    "over the budget": (lambda c: c.update(budget="9/10"), "more than the budget"),
    "a better guarantee": (lambda c: c["guarantee"].update(value="1/2"), "what is proved"),
    "more colluders": (lambda c: c["guarantee"].update(colluders=2), "what is proved"),
    "more colluders everywhere": (
        lambda c: (c.update(colluders=2), c["guarantee"].update(colluders=2)),
        "withstands 1 of the 2 colluders",
    ),
    "the least of this run": (
        lambda c: (leaves(c)[0].update(colluders=0), c["guarantee"].update(colluders=0)),
        r"proof\.0\.2\.0: it withstands 0 of the 1 colluders",
    ),
    "another measure": (lambda c: c.update(measure="zcdp"), "measure must be pure"),
    "another relation": (lambda c: c.update(relation="substitution"), "add-remove"),
    "another schema": (
        lambda c: c.update(schema="fdpedu-derivation/6"),
        "an object with the schema fdpedu-derivation/5",
    ),
    "zero noise": (lambda c: c.update(randomness=["zero (test only)"]), "proves nothing"),
    "an extra key": (lambda c: leaves(c)[0].update(note="trust me"), "exactly the keys"),
    "a missing key": (lambda c: leaves(c)[0].pop("claim"), "exactly"),
    "a huge domain": (lambda c: c["domain"].update(classes=10**9), "1 to 256"),
    "a wide domain": (lambda c: c["domain"].update(features=[{"codes": 2}] * 100_000), "a list of 1 to 4096 features"),
    "a list for a step": (lambda c: c["proof"].update(premises=[[]]), "unknown rule"),
}


def test_the_honest_one_is_accepted():
    assert check_derivation(json.dumps(base())).value == 1


@pytest.mark.claim("thm-checker-sound")
def test_what_is_guaranteed_is_the_budget_and_not_this_run():
    """A second count whose cost depends on the first: the cheap run proves what it spent, and guarantees the budget.

    Over all runs together the worst ratio is that of the dear one, which nothing in the cheap one's text tells.
    """
    domain, run = Domain([Categorical("ward", ("A", "B"))], (0, 1)), {}
    for first, second in ((2, 1), (0, 6)):  # a noisy count of 2 or more: again ε = 1; else ε = 6
        ledger = Ledger(7, domain=domain)
        for epsilon in (1, second):
            ledger.charge([Charge(domain.everything, Fraction(epsilon), "a count", "discrete Laplace", 1, "c")])
        run[first] = ledger.derivation().guarantee
    assert (run[2].spent, run[0].spent) == (2, 7) and run[2].value == run[0].value == 7
    assert str(run[2]).endswith("; in this run no record paid more than 2")


def test_without_the_adaptive_rule_what_is_spent_is_guaranteed():
    content = base()
    content["proof"] = sequence(content)
    content["budget"] = "5"
    assert check_derivation(json.dumps(content))[1:] == (1, 0, 1, 1, False, ("operating system",))


def test_a_sum_of_huge_fractions_is_refused_at_once():
    """Coprime denominators of 400 digits: the first sum that is too long is the last one computed."""
    content = base()
    whole = sequence(content)["premises"]
    whole[:2] = [
        {**whole[0], "index": 9 + i, "rate": f"1/{10**399 + i}", "epsilon": f"1/{10**399 + i}"} for i in range(500)
    ]
    with pytest.raises(DerivationRefused, match="more than 400 digits"):
        check_derivation(json.dumps(content))


@pytest.mark.parametrize("name", FORGERIES)
def test_forgeries_are_refused_by_name(name):
    forge, reason = FORGERIES[name]
    content = base()
    forge(content)
    with pytest.raises(DerivationRefused, match=reason):
        check_derivation(json.dumps(content))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "not valid JSON"),
        ("[" * 100_000, "not valid JSON"),
        (json.dumps(base())[:-40], "not valid JSON"),
        ("[]", "an object with the schema"),
        ("{}", "an object with the schema"),
        ('{"schema": "fdpedu-derivation/5"}', "exactly the keys"),
        ("NaN", "floats"),
        ('{"schema": 1, "schema": 2}', "twice"),
        ("1" * 10_000, "not valid JSON"),
        (None, "as text"),
        (b"{}", "as text"),
    ],
)
def test_odd_texts_are_refused(text, reason):
    with pytest.raises(DerivationRefused, match=reason):
        check_derivation(text)


@pytest.mark.parametrize(("levels", "reason"), [(199, None), (200, "more than 200 steps deep"), (450, "deep")])
def test_deep_nesting_is_refused(levels, reason):
    content = base()
    step = sequence(content)
    for _ in range(levels - 2):
        step = {"rule": "sequential", "epsilon": "1", "region": {}, "premises": [step]}
    content["proof"]["premises"] = [step]
    text = json.dumps(content)
    if reason is None:
        assert check_derivation(text).value == 1
    else:
        with pytest.raises(DerivationRefused, match=reason):
            check_derivation(text)


def test_a_full_stack_is_no_crash():
    """From a stack that is nearly full a deep text is refused by name, and never by a RecursionError."""
    content = base()
    step = sequence(content)
    for _ in range(190):
        step = {"rule": "sequential", "epsilon": "1", "region": {}, "premises": [step]}
    content["proof"]["premises"] = [step]
    text, said = json.dumps(content), set()

    def action():
        try:
            return str(check_derivation(text))
        except DerivationRefused as refusal:
            return str(refusal)

    for frames in range(0, sys.getrecursionlimit() - 250, 50):
        said.add(from_a_stack(frames, action))
    assert any("differentially private" in each for each in said)
    assert any("nested too deeply" in each for each in said) and len(said) <= 3


def test_it_imports_nothing_of_the_package():
    source = ast.parse(Path(fdpedu.derivation_checker.__file__).read_text("utf8"))
    modules = {n.module or "" for n in ast.walk(source) if isinstance(n, ast.ImportFrom)}
    modules |= {alias.name for n in ast.walk(source) if isinstance(n, ast.Import) for alias in n.names}
    assert modules == {"__future__", "dataclasses", "fractions", "functools", "json", "re", "typing"}
