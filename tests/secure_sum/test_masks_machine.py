"""Masks under random sequences of calls: no stream is ever used again, in no part and by nobody.

Two streams of uniform 64-bit words that have a word in common overlap: of 10⁵ independent words two are equal with a
probability below 3·10⁻¹⁰. So all words ever handed out are kept, and no two are equal.
"""

import copy
import itertools
import pickle
import sys
import threading
from collections import defaultdict

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from fdpedu.secure_sum import WORD, KeyPair, Masks, decode_sum, encode, exchange, pairwise_keys, private_sum

MODULI = st.sampled_from([WORD, 2**62, 3 * 2**60, 97, 2])

SIZES = st.sampled_from([8, 9, 100, 8191, 8192, 8193])  # a block of key stream has 8192 words


def distinct(words):
    """Whether no two are equal, nor one the negative of another."""
    assert len({min(w, WORD - w) for w in words}) == len(words)


class Sums(RuleBasedStateMachine):
    """Groups of parties that draw masks, each at its own pace; the model knows the last number of each."""

    def __init__(self):
        super().__init__()
        self.groups, self.last, self.drawn, self.words = [], {}, defaultdict(dict), []

    @initialize(n=st.integers(2, 4))
    def first(self, n):
        self.group(n)

    @rule(n=st.integers(2, 4))
    def group(self, n):
        if len(self.groups) < 3:
            self.last |= dict.fromkeys(itertools.product([len(self.groups)], range(n)), -1)
            self.groups.append(pairwise_keys(n))

    def one(self, data):
        g = data.draw(st.integers(0, len(self.groups) - 1), label="group")
        return g, data.draw(st.integers(0, len(self.groups[g]) - 1), label="party")

    @rule(data=st.data(), number=st.integers(0, 6) | st.sampled_from([2**32, 2**64 - 1, 2**64]), size=SIZES, R=MODULI)
    def draw(self, data, number, size, R):
        """A number that is not larger than the last one is refused, for any size or modulus; and nothing changes."""
        g, k = self.one(data)
        masks = self.groups[g][k]
        if number <= self.last[g, k]:
            with pytest.raises(ValueError, match=f"sum {number}"):
                masks.draw(number, size, R)
            return
        found = masks.draw(np.int64(number) if number < 2**32 else number, size, R)
        assert found.shape == (size,) and found.dtype == np.uint64 and (R == WORD or int(found.max()) < R)
        self.last[g, k] = number
        self.keep(g, number, size, R, k, found)

    def keep(self, g, number, size, R, k, found):
        """Masks of one sum cancel; of two parties the second has the first's, negated, so one is kept."""
        of_sum = self.drawn[g, number, size, R]
        of_sum[k] = found
        if len(of_sum) == len(self.groups[g]):
            total = [sum(column) % R for column in zip(*(of_sum[j][:50].tolist() for j in of_sum), strict=True)]
            assert not any(total) and decode_sum(list(of_sum.values()), R).tolist() == [0] * size
        if R == WORD and (len(self.groups[g]) > 2 or k == 0):
            self.words += found.tolist()

    @rule(data=st.data(), size=SIZES, R=MODULI)
    def whole_sum(self, data, size, R):
        """All parties of a group, with the next number that none has used."""
        g = data.draw(st.integers(0, len(self.groups) - 1), label="group")
        parties = self.groups[g]
        number = 1 + max(self.last[g, k] for k in range(len(parties)))
        values = data.draw(st.lists(st.integers(-40, 40), min_size=len(parties), max_size=len(parties)))
        masks = [party.draw(number, size, R) for party in parties]
        codes = [encode(np.full(size, v), mask, R) for v, mask in zip(values, masks, strict=True)]
        lifted = (sum(values) + R // 2) % R - R // 2
        assert set(decode_sum(codes, R).tolist()) == {lifted}
        for k in range(len(parties)):
            self.last[g, k] = number
        if R == WORD:
            self.words += [w for mask in masks[: len(masks) - (len(masks) == 2)] for w in mask.tolist()]

    @rule(data=st.data(), number=st.sampled_from([-1, 1.0, True, "1", None]))
    def no_number(self, data, number):
        g, k = self.one(data)
        with pytest.raises(ValueError, match="sum_number"):
            self.groups[g][k].draw(number, 8)

    @rule(data=st.data(), size=st.sampled_from([-1, 1.0, 2**33]), R=st.sampled_from([0, 1, 2**63, 97.0, WORD + 1]))
    def no_sum(self, data, size, R):
        """A size or a modulus that makes no sum is refused, and does not use the number up."""
        g, k = self.one(data)
        number = self.last[g, k] + 1
        for wrong in ((number, 8, R), (number, size, WORD)):
            with pytest.raises(ValueError):
                self.groups[g][k].draw(*wrong)
        found = self.groups[g][k].draw(number, 8)
        self.last[g, k] = number
        self.keep(g, number, 8, WORD, k, found)

    @rule(data=st.data(), how=st.sampled_from([copy.copy, copy.deepcopy, pickle.dumps]))
    def never_copied(self, data, how):
        g, k = self.one(data)
        with pytest.raises(TypeError, match="copied"):
            how(self.groups[g][k])

    @invariant()
    def fresh(self):
        distinct(self.words)


Sums.TestCase.settings = settings(
    max_examples=max(10, settings().max_examples // 3), stateful_step_count=12, deadline=None
)

TestSums = Sums.TestCase


def test_every_pair_direction_and_number_has_a_stream_of_its_own():
    """Four parties in two groups; 20 numbers, small, neighbouring and large; 64 bytes of each pair's own mask."""
    words = []
    numbers = [*range(12), 255, 256, 2**16, 2**31, 2**32 - 1, 2**32, 2**63, 2**64]
    for pairs in ([KeyPair() for _ in range(4)] for _ in range(2)):
        for (i, a), (j, b) in itertools.combinations(enumerate(pairs), 2):
            key = a.shared_key(b.public)
            there, back = Masks(i, {j: key}), Masks(j, {i: key})
            for number in numbers:
                one, other = there.draw(number, 8), back.draw(number, 8)
                assert not (one + other).any() and one.any()
                words += one.tolist()
    distinct(words)


@pytest.mark.parametrize("R", [WORD, 97])
@pytest.mark.parametrize("n", [2, 3, 5])
def test_a_mask_is_made_of_the_streams_of_all_pairs(n, R):
    """None is left out: what one colluder knows of the others' masks are its own pairs' streams, and no more."""
    pairs = [KeyPair() for _ in range(n)]
    publics = [pair.public for pair in pairs]
    for i, pair in enumerate(pairs):
        streams = [
            Masks(i, {j: other.shared_key(pair.public)}).draw(4, 10, R).tolist()
            for j, other in enumerate(pairs)
            if j != i
        ]
        expected = [sum(column) % R for column in zip(*streams, strict=True)]
        assert exchange(i, pair, publics).draw(4, 10, R).tolist() == expected and len(streams) == n - 1


def test_a_long_sum_repeats_nothing():
    """Five blocks of key stream and a bit, for a power of 2 and for a modulus that refuses a quarter of the words."""
    for R in (WORD, 3 * 2**60):
        masks = [m.draw(3, 5 * 8192 + 7, R) for m in pairwise_keys(2)]
        assert len(np.unique(masks[0])) == masks[0].size and not decode_sum(masks, R).any()


def test_keys_left_out_are_fresh_each_time(monkeypatch):
    """Three sums of the same values, all with the number 0, are masked by nine different masks."""
    masks = []

    def seen(values, mask, modulus):
        masks.append(mask.tobytes())
        return encode(values, mask, modulus)

    monkeypatch.setattr("fdpedu.secure_sum.masks.encode", seen)
    for _ in range(3):
        assert private_sum([[1], [2], [3]]).tolist() == [6]
    assert len(set(masks)) == 9


def test_threads_cannot_draw_one_number_twice():
    """Eight threads ask one party for the masks of the same sum, a hundred times: one of them gets it."""
    masks, switch = pairwise_keys(2)[0], sys.getswitchinterval()
    got, start = [], threading.Barrier(8)

    def draw():
        for number in range(100):
            start.wait()
            try:
                masks.draw(number, 1)
                got.append(number)
            except ValueError:
                pass

    sys.setswitchinterval(1e-6)
    team = [threading.Thread(target=draw) for _ in range(8)]
    for thread in team:
        thread.start()
    for thread in team:
        thread.join()
    sys.setswitchinterval(switch)
    assert sorted(got) == list(range(100))
