"""Any text, and any JSON in any place of a derivation: a guarantee or a refusal, and never a crash."""

import copy
import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.claims.accounting.laws_derivations import combined, release, value, walk
from fdpedu.derivation_checker import MANIFEST_SCHEMA, DerivationRefused, check_derivation
from tests.support.derivations import document
from tests.support.mutations import nested_steps, pick


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


def test_sums_of_too_many_digits_are_refused():
    """Fractions whose sum no longer fits 400 digits: refused, and not by an error of Python's own."""
    content, rates = document(combined("sequential", {}, release(1, {}))), [f"1/{10**390 + i}" for i in range(1, 15)]
    parts = [release(index, {}, rate=rate, epsilon=rate) for index, rate in enumerate(rates, 1)]
    content["proof"]["premises"][0]["premises"] = parts
    with pytest.raises(DerivationRefused, match="more than 400 digits"):
        check_derivation(json.dumps(content))


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
