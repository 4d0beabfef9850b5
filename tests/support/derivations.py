"""Random derivations that are valid: rules, regions and costs, as plain data."""

from fractions import Fraction

from hypothesis import strategies as st

from fdpedu.derivation_checker import SCHEMA

CODES = 6


@st.composite
def steps(draw, codes, levels=3, around=None):
    """A random valid step on records whose code lies in ``codes``, with its total computed apart; where the codes are
    those ``around`` it, it does not name them.
    """
    kinds = ["release"] + (["sequential"] + ["parallel"] * (len(codes) > 1) if levels else [])
    rule = draw(st.sampled_from(kinds))
    region = {} if codes == around else {"0": sorted(codes)}
    if rule == "release":
        sensitivity, rate = draw(st.integers(1, 3)), draw(st.fractions(Fraction(1, 9), 2, max_denominator=9))
        releases = draw(st.integers(1, 4))
        cost = releases * sensitivity * rate
        step = {
            "rule": "release",
            "round": draw(st.integers(1, 5)),
            "place": 1,
            "query": "q",
            "mechanism": "m",
            "releases": releases,
            "sensitivity": sensitivity,
        }
        rest = {
            "rate": str(rate),
            "epsilon": str(cost),
            "region": region,
            "colluders": draw(st.integers(0, 3)),
            "claim": "c",
        }
        return {**step, **rest}, cost
    if rule == "sequential":
        parts = [
            draw(steps(draw(st.sets(st.sampled_from(sorted(codes)), min_size=1)), levels - 1, codes))
            for _ in range(draw(st.integers(1, 3)))
        ]
        total = sum((value for _, value in parts), Fraction(0))
    else:
        cut = draw(st.integers(1, len(codes) - 1))
        parts = [draw(steps(set(side), levels - 1)) for side in (sorted(codes)[:cut], sorted(codes)[cut:])]
        total = max(value for _, value in parts)
    return {"rule": rule, "epsilon": str(total), "region": region, "premises": [step for step, _ in parts]}, total


def colluders(step):
    return step["colluders"] if step["rule"] == "release" else min(map(colluders, step["premises"]))


def document(step, total):
    """A whole document; every release gets a place of its own."""
    for place, release in enumerate((s for s in walk(step) if s["rule"] == "release"), 1):
        release["place"] = place
    proof = {"rule": "adaptive", "epsilon": str(total), "region": {}, "premises": [step]}
    return {
        "schema": SCHEMA,
        "measure": "pure",
        "relation": "add-remove",
        "randomness": ["operating system"],
        "budget": str(total),
        "domain": {"features": [{"name": "x", "codes": CODES}], "classes": 2},
        "proof": proof,
        "guarantee": {"measure": "pure", "value": str(total), "delta": "0", "colluders": colluders(step)},
    }


documents = steps(set(range(CODES))).map(lambda pair: (document(*pair), pair[1]))


def walk(step):
    yield step
    for premise in step.get("premises", []):
        yield from walk(premise)
