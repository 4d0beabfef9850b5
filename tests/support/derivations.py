"""Random derivations that are valid: rules, regions and costs, as plain data."""

from fractions import Fraction

from hypothesis import strategies as st

from fdpedu.claims.accounting import derivations as topic
from fdpedu.claims.accounting.derivations import combined, release, releases

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
        numbers = {"releases": draw(st.integers(1, 4)), "sensitivity": sensitivity, "rate": str(rate)}
        others = {"round": draw(st.integers(1, 5)), "colluders": draw(st.integers(0, 3))}
        return release(1, region, **numbers, **others), numbers["releases"] * sensitivity * rate
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
    return combined(rule, region, *(step for step, _ in parts)), total


def document(step):
    """A whole document, with what its steps cost; every release gets an index of its own."""
    content = topic.document(combined("adaptive", {}, step), [{"name": "x", "codes": CODES}], classes=2)
    for index, each in enumerate(releases(content), 1):
        each["index"] = index
    return content


documents = steps(set(range(CODES))).map(lambda pair: (document(pair[0]), pair[1]))
