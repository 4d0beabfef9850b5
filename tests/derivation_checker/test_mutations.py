"""One change to a valid derivation has one outcome; any text and any JSON give a guarantee or a refusal."""

import copy
import json
import re
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.claims.accounting.derivations import releases, restated, value, walk
from fdpedu.derivation_checker import MANIFEST_SCHEMA, DerivationRefused, check_derivation
from tests.support.derivations import CODES, document
from tests.support.mutations import nested_steps, pick

HUGE = "9" * 60


def rules(content, rule, least=1):
    return [s for s in walk(content["proof"]) if s["rule"] == rule and len(s["premises"]) >= least]


def lowered(data, content):
    step = pick(data, list(walk(content["proof"])))
    step["epsilon"] = str(Fraction(step["epsilon"]) / 2)


def raised(data, content):
    step = pick(data, list(walk(content["proof"])))
    step["epsilon"] = str(Fraction(step["epsilon"]) * 2)


def cheaper_noise(data, content):
    """The rate is raised, and every sum with it: an honest derivation of a costlier tree."""
    step = pick(data, releases(content))
    step["rate"] = str(Fraction(step["rate"]) * 3)
    restated(content)


def lower_rate_only(data, content):
    step = pick(data, releases(content))
    step["rate"] = str(Fraction(step["rate"]) / 3)


def overlapping(data, content):
    parallel = pick(data, rules(content, "parallel", 2))
    parallel["premises"][0]["region"] = copy.deepcopy(parallel["premises"][1]["region"])
    for step in walk(parallel["premises"][0]):
        step["region"] = copy.deepcopy(parallel["premises"][1]["region"])


def reaching_out(data, content):
    every = set(range(CODES))
    sequential = pick(data, [r for r in rules(content, "sequential") if set(r["region"].get("0", every)) != every])
    sequential["premises"][0]["region"] = {"0": list(range(CODES))}


def superset_of_inherited(data, content):
    """A step names nothing, so it has what is around it; and its premise names more than that."""
    sequential = pick(data, [r for r in rules(content, "sequential") if 1 < len(r["region"].get("0", [])) < CODES])
    premise = {**sequential, "region": {}, "premises": sequential["premises"]}
    sequential.update(rule="sequential", premises=[premise])
    premise["premises"][0]["region"] = {"0": list(range(CODES))}


def named_again(data, content):
    """What is inherited may be named: it is the same region."""
    for step in walk(content["proof"]):
        for premise in step.get("premises", []):
            premise["region"].setdefault("class", [0, 1])


def more_releases(data, content):
    """Each release many times over, and every sum with it."""
    pick(data, releases(content))["releases"] *= 7
    restated(content)


def more_releases_only(data, content):
    pick(data, releases(content))["releases"] *= 2


def parallel_for_sequential(data, content):
    """Same records, composed in parallel: columns as regions."""
    sequential = pick(data, rules(content, "sequential", 2))
    for step in sequential["premises"]:
        for below in walk(step):
            below["region"] = copy.deepcopy(sequential["region"])
    sequential["rule"] = "parallel"
    restated(content)


def sequential_for_parallel(data, content):
    """Disjoint parts composed in sequence: more is paid than need be, and that is no error."""
    pick(data, rules(content, "parallel"))["rule"] = "sequential"
    restated(content)


def adaptive_for_sequential(data, content):
    pick(data, rules(content, "sequential", 2))["rule"] = "adaptive"


def dropped(data, content):
    pick(data, rules(content, "sequential", 2))["premises"].pop(0)


def dropped_and_restated(data, content):
    """Without a manifest nobody can see that a release is missing: the axiom says so."""
    pick(data, rules(content, "sequential", 2))["premises"].pop(0)
    restated(content)


def float_number(data, content):
    step = pick(data, list(walk(content["proof"])))
    step["epsilon"] = float(Fraction(step["epsilon"]))


def float_text(data, content):
    step = pick(data, list(walk(content["proof"])))
    step["epsilon"] = f"{float(Fraction(step['epsilon'])):.6f}"


def twice(data, content):
    sequential = pick(data, rules(content, "sequential"))
    sequential["premises"].append(copy.deepcopy(sequential["premises"][0]))
    restated(content)


def twice_renumbered(data, content):
    """The same query asked again is another release, and is paid again."""
    sequential = pick(data, rules(content, "sequential"))
    again = copy.deepcopy(sequential["premises"][0])
    for release in (s for s in walk(again) if s["rule"] == "release"):
        release["index"] += 1000
    sequential["premises"].append(again)
    restated(content)


def circular(data, content):
    """JSON has no cycles; a reference upwards is not a step."""
    pick(data, rules(content, "sequential"))["premises"].append({"$ref": "#/proof"})


def huge(data, content):
    """A fraction of 60 digits is still a fraction."""
    step = pick(data, releases(content))
    step["rate"] = f"{HUGE}/{step['releases'] * step['sensitivity']}"
    restated(content)


def too_huge(data, content):
    pick(data, releases(content))["rate"] = "9" * 401


def huge_integer(data, content):
    pick(data, releases(content))["round"] = 10**18


def too_huge_integer(data, content):
    pick(data, releases(content))["round"] = int("9" * 4000)


def negative(data, content):
    pick(data, releases(content))["rate"] = "-1"


OUTCOMES = {
    lowered: r"the step states|the release states",
    raised: r"the step states|the release states",
    lower_rate_only: "sensitivity × rate is",
    overlapping: "can hold the same record",
    reaching_out: "not part of the region",
    superset_of_inherited: "not part of the region",
    more_releases_only: "releases × sensitivity × rate is",
    too_huge_integer: "round must be an integer ≥ 1 and at most",
    parallel_for_sequential: "can hold the same record",
    adaptive_for_sequential: "the adaptive rule has one premise",
    dropped: "the sequential rule gives",
    float_number: "floats have no place",
    float_text: "never a float",
    twice: "stands twice",
    circular: "unknown rule",
    too_huge: "a number must be text",
    negative: "a number must be text",
    named_again: None,
    more_releases: None,
    cheaper_noise: None,  # accepted with the new total
    sequential_for_parallel: None,
    dropped_and_restated: None,
    twice_renumbered: None,
    huge: None,
    huge_integer: None,
}


@pytest.mark.parametrize("mutation", OUTCOMES, ids=lambda m: m.__name__)
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_each_mutation_has_its_outcome(mutation, data):
    """Refused for the named reason, or accepted with exactly the total of the changed derivation."""
    content = document(data.draw(nested_steps))
    mutation(data, content)
    text, reason = json.dumps(content), OUTCOMES[mutation]
    if reason is None:
        assert check_derivation(text).value == value(content["proof"])
    else:
        with pytest.raises(DerivationRefused, match=reason):
            check_derivation(text)


@given(nested_steps, st.data())
def test_truncated_text_is_refused(step, data):
    """Cut anywhere, it is no JSON."""
    text = json.dumps(document(step))
    with pytest.raises(DerivationRefused, match="not valid JSON"):
        check_derivation(text[: data.draw(st.integers(0, len(text) - 1))])


@settings(max_examples=300, deadline=None)
@given(nested_steps, st.data())
def test_any_text_gives_a_guarantee_or_a_refusal(step, data):
    """A few characters changed at random: never another exception, and what is accepted was recomputed."""
    text = json.dumps(document(step))
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(text) - 1))
        text = (
            text[:at]
            + data.draw(st.sampled_from([*list('0129{}[]",:/.eE-'), "", "null", "true", "²", "٤"]))
            + text[at + 1 :]
        )
    try:
        found = check_derivation(text)
    except DerivationRefused as refusal:
        assert re.match(r"\S", str(refusal))
    else:
        assert found.value == value(json.loads(text)["proof"])


KEYS = st.sampled_from(["rule", "epsilon", "region", "premises", "round", "x"])
junk = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4),
)


@settings(max_examples=200, deadline=None)
@given(junk, nested_steps, st.data())
def test_any_json_in_any_place_gives_a_guarantee_or_a_refusal(junk, step, data):
    """A value replaced by arbitrary JSON, in the derivation and in the manifest."""
    content = copy.deepcopy(document(step))
    holder = pick(data, [content, content["domain"], content["guarantee"], *walk(content["proof"])])
    holder[pick(data, sorted(holder))] = junk
    try:
        check_derivation(json.dumps(content))
    except DerivationRefused:
        pass
    manifest = {"schema": MANIFEST_SCHEMA, "rounds": [{"round": 1, "queries": [], "receivers": [], "answers": []}]}
    inside = pick(data, [manifest, manifest["rounds"][0]])
    inside[pick(data, sorted(inside))] = junk
    with pytest.raises(DerivationRefused):
        check_derivation(json.dumps(document(step)), json.dumps(manifest))
