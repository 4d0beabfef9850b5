"""What the tests of mutations share."""

from fractions import Fraction

from hypothesis import assume
from hypothesis import strategies as st

from tests.support.derivations import CODES, steps, walk


def value(step):
    """The total of a step, computed apart from the checker."""
    if step["rule"] == "release":
        return step["releases"] * step["sensitivity"] * Fraction(step["rate"])
    parts = [value(premise) for premise in step["premises"]]
    return max(parts) if step["rule"] == "parallel" else sum(parts)


def pick(data, choices):
    assume(choices)
    return data.draw(st.sampled_from(choices))


@st.composite
def rich_steps(draw):
    """A sequence on a part of the records and two disjoint parts, so that every mutation has something to change."""
    cut = draw(st.integers(1, CODES - 1))
    sides = [draw(steps(set(range(cut)), 1)), draw(steps(set(range(cut, CODES)), 1))]
    parallel = {"rule": "parallel", "region": {"0": list(range(CODES))}, "premises": [step for step, _ in sides]}
    first = draw(steps(set(range(cut)), 0))[0]
    second = draw(steps(set(range(cut)), 0))[0]
    inner = {"rule": "sequential", "region": {"0": list(range(cut))}, "premises": [first, second]}
    step = {"rule": "sequential", "region": {"0": list(range(CODES))}, "premises": [inner, parallel]}
    for below in walk(step):
        below["epsilon"] = str(value(below))
    return step, value(step)


nested_steps = rich_steps()
