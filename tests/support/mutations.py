"""What the tests of mutations share."""

from hypothesis import assume
from hypothesis import strategies as st

from fdpedu.claims.accounting.derivations import combined
from tests.support.derivations import CODES, steps


def pick(data, choices):
    assume(choices)
    return data.draw(st.sampled_from(choices))


@st.composite
def rich_steps(draw):
    """A sequence on a part of the records and two disjoint parts, so that every mutation has something to change."""
    cut = draw(st.integers(1, CODES - 1))
    sides = [draw(steps(set(range(cut)), 1)), draw(steps(set(range(cut, CODES)), 1))]
    parallel = combined("parallel", {"0": list(range(CODES))}, *(step for step, _ in sides))
    first, second = (draw(steps(set(range(cut)), 0))[0] for _ in range(2))
    inner = combined("sequential", {"0": list(range(cut))}, first, second)
    return combined("sequential", {"0": list(range(CODES))}, inner, parallel)


nested_steps = rich_steps()
