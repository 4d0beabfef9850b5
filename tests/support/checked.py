"""One honest derivation and its manifest, for tests that change one thing: a count of four codes, then of each half."""

import copy
import json
from fractions import Fraction

from fdpedu.derivation_checker import DerivationRefused, check_derivation

ASKED = {"type": "a-type", "parameters": {"feature": 1, "model": "m"}}


def query(region, releases, sensitivity, rate):
    cost = {"releases": releases, "sensitivity": sensitivity, "rate": rate}
    return {**copy.deepcopy(ASKED), "query": "q", "region": region, **cost}


def release(number, index, region, cost, colluders, epsilon):
    what = {"rule": "release", "round": number, "index": index, "mechanism": "m", "claim": "c"}
    return {**query(region, *cost), **what, "colluders": colluders, "epsilon": epsilon}


def step(rule, epsilon, *premises, region=None):
    return {"rule": rule, "epsilon": epsilon, "region": region or {}, "premises": list(premises)}


FEATURES = [{"name": "x", "codes": 6}, {"name": "y", "codes": 256}]
LEAVES = (
    release(2, 1, {"0": [0, 1]}, (1, 2, "1/4"), 1, "1/2"),
    release(2, 2, {"0": [3, 2], "class": [0]}, (3, 1, "1/9"), 2, "1/3"),
)
WHOLE = release(1, 1, {}, (1, 1, "1/2"), 3, "1/2")
INNER = step("sequential", "1", WHOLE, step("parallel", "1/2", *LEAVES), region={"0": [0, 1, 2, 3]})
HEAD = {"schema": "fdpedu-derivation/9", "measure": "pure", "relation": "add-remove"}
DOCUMENT = {
    **HEAD,
    "randomness": ["operating system", "seeded generator"],
    "budget": "3/2",
    "colluders": 1,
    "domain": {"features": FEATURES, "classes": 2},
    "proof": step("adaptive", "3/2", INNER),
    "guarantee": {"measure": "pure", "value": "3/2", "delta": "0", "colluders": 1},
}
HALVES = [query({"0": [1, 0]}, 1, 2, "1/4"), query({"0": [2, 3], "class": [0]}, 3, 1, "1/9")]
MONDAY, TUESDAY = "0" * 64, "1" * 64  # names of sessions
AT = {"receivers": ["a", "b", "c", "d"], "session": MONDAY, "shares": 1, "missing": 0}
MANIFEST = {
    "schema": "fdpedu-manifest/5",
    "rounds": [
        {"round": 2, "queries": HALVES, "answers": ["b"], **AT},
        {"round": 1, "queries": [query({"0": [0, 1, 2, 3]}, 1, 1, "1/2")], "answers": ["a"], **AT},
    ],
}


def spending(*costs, total=None, budget="9" * 75):
    """Releases with these rates in sequence and nothing else; the sum as it is unless another one is stated."""
    premises = [release(1, i, {}, (1, 1, cost), 0, cost) for i, cost in enumerate(costs, 1)]
    total = total or str(sum(map(Fraction, costs)))
    claimed = {"measure": "pure", "value": total, "delta": "0", "colluders": 0}
    promised = {"budget": budget, "colluders": 0, "guarantee": claimed}
    return {**DOCUMENT, **promised, "proof": step("sequential", total, *premises)}


def nested(levels):
    """A document in which so many steps in sequence, each of one premise, stand around one release."""
    content = WHOLE
    for _ in range(levels):
        content = step("sequential", "1/2", content)
    claimed = {"measure": "pure", "value": "1/2", "delta": "0", "colluders": 1}
    return {**DOCUMENT, "budget": "1/2", "proof": step("adaptive", "1/2", content), "guarantee": claimed}


def at(content, path):
    """The part of a document that a path of keys leads to."""
    for key in path:
        content = content[key]
    return content


def changed(content, path, value):
    """A copy with another value there; ``...`` takes it away."""
    content = copy.deepcopy(content)
    inside = at(content, path[:-1])
    if value is ...:
        del inside[path[-1]]
    else:
        inside[path[-1]] = value
    return content


def said(document, manifest=None):
    """What is proved, or why it is refused."""
    texts = [each if each is None or isinstance(each, str) else json.dumps(each) for each in (document, manifest)]
    try:
        return check_derivation(*texts)
    except DerivationRefused as refusal:
        return str(refusal)
