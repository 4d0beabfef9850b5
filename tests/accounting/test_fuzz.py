"""Any text, and any JSON in any place of a derivation: a guarantee or a refusal, and never a crash."""

import copy
import json
import re
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.derivation_checker import MANIFEST_SCHEMA, DerivationRefused, check_derivation
from tests.support.derivations import document, walk
from tests.support.mutations import nested_steps, pick, value


@given(nested_steps, st.data())
def test_truncated_text_is_refused(pair, data):
    """Cut anywhere, it is no JSON."""
    text = json.dumps(document(*pair))
    with pytest.raises(DerivationRefused, match="not valid JSON"):
        check_derivation(text[: data.draw(st.integers(0, len(text) - 1))])


@settings(max_examples=300, deadline=None)
@given(nested_steps, st.data())
def test_any_text_gives_a_guarantee_or_a_refusal(pair, data):
    """A few characters changed at random: never another exception, and what is accepted was recomputed."""
    text = json.dumps(document(*pair))
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
    base = {
        "rule": "release",
        "round": 1,
        "query": "q",
        "mechanism": "m",
        "releases": 1,
        "sensitivity": 1,
        "colluders": 0,
        "claim": "c",
    }
    parts = []
    for i in range(1, 15):
        number = f"1/{10**390 + i}"
        parts.append({**base, "place": i, "rate": number, "epsilon": number, "region": {}, "colluders": 0})
    step = {"rule": "sequential", "epsilon": "1", "region": {}, "premises": parts}
    with pytest.raises(DerivationRefused, match="more than 400 digits"):
        check_derivation(json.dumps(document(step, Fraction(1))))


@settings(max_examples=200, deadline=None)
@given(junk, nested_steps, st.data())
def test_any_json_in_any_place_gives_a_guarantee_or_a_refusal(junk, pair, data):
    """A value replaced by arbitrary JSON, in the derivation and in the manifest."""
    content = copy.deepcopy(document(*pair))
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
        check_derivation(json.dumps(document(*pair)), json.dumps(manifest))
