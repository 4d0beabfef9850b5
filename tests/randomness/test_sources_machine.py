"""Sources under random sequences of calls: no word is ever used again, by nobody.

Of 10⁵ independent words of 64 bits two are equal with a probability below 3·10⁻¹⁰. So all words ever handed out are
kept, and no two are equal.
"""

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, invariant, rule

from fdpedu.dlpa import polya_shares
from fdpedu.randomness import Rehearsal, SeededSource, SystemSource, as_source, short_words
from fdpedu.secure_sum import WORD


def distinct(words):
    """Whether no two are equal, nor one the negative of another."""
    assert len({min(w, WORD - w) for w in words}) == len(words)


class Sources(RuleBasedStateMachine):
    """A family of sources: each word is handed out once, whoever of the family asks, however deep it was spawned."""

    family = Bundle("family")

    def __init__(self):
        super().__init__()
        self.words, self.ancestors = [], 0

    @rule(target=family, kind=st.sampled_from([SystemSource, Rehearsal, SeededSource]))
    def ancestor(self, kind):
        self.ancestors += 1  # a seed that no other has
        if kind is SystemSource:
            return as_source()
        return Rehearsal(self.ancestors) if kind is Rehearsal else as_source(np.random.default_rng(self.ancestors))

    @rule(target=family, source=family, n=st.integers(1, 4), data=st.data())
    def spawn(self, source, n, data):
        children = source.spawn(n)
        assert len(children) == n and all(child.kind == source.kind for child in children)
        assert type(source) is not SeededSource or len({id(child) for child in [*children, source]}) == n + 1
        for child in children:
            self.take(child, 8)
        return data.draw(st.sampled_from(list(children)))

    @rule(source=family, size=st.integers(0, 20))
    def take(self, source, size):
        words = source.words(size)
        assert words.shape == (size,) and words.dtype == np.uint64
        self.words += words.tolist()

    @rule(source=family, size=st.integers(2, 20))
    def take_halves(self, source, size):
        """Two short words are a long one, and an odd last one's other half is thrown away."""
        halves = short_words(source, size - size % 2).tolist()
        self.words += [a + (b << 32) for a, b in zip(halves[::2], halves[1::2], strict=True)]

    @rule(source=family, n=st.integers(2, 5))
    def shares(self, source, n):
        """Noise shares of the same parties, drawn twice: no row is another's."""
        rows = [row.tobytes() for _ in range(2) for row in polya_shares(n, "1/1000000", 8, source, tolerate=1)]
        assert len(set(rows)) == 2 * n

    @invariant()
    def fresh(self):
        distinct(self.words)


Sources.TestCase.settings = settings(
    max_examples=max(10, settings().max_examples // 2), stateful_step_count=15, deadline=None
)

TestSources = Sources.TestCase


@pytest.mark.parametrize("base", [SystemSource, SeededSource, Rehearsal])
def test_only_the_operating_system_s_source_is_of_its_kind(base):
    """A subclass or a look-alike that says so is refused: a guarantee without a caveat would rest on it."""

    class Mine(base):
        kind = SystemSource.kind

        def __init__(self):
            pass

    class LookAlike:
        kind, word_bits = SystemSource.kind, 64

        def words(self, size):
            return np.zeros(size, dtype=np.uint64)

        def spawn(self, n):
            return [self] * n

    for source in (Mine(), LookAlike()):
        with pytest.raises(ValueError, match="SystemSource"):
            as_source(source)
    assert as_source(SystemSource()).kind == SystemSource.kind
