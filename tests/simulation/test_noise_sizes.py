"""Noise beyond one tile, one table and one number: joint laws of what is drawn together, and of slow laws' digits.

Seeded chi-square tests, two-sided, with a false alarm of probability 10⁻⁸ on either side (`tests/support/chi.py`).
"""

from collections import Counter
from itertools import product

import numpy as np
import pytest

from fdpedu.exact import Rate
from fdpedu.randomness import Rehearsal, ZeroWords
from fdpedu.simulation import noise as noise_module
from fdpedu.simulation.noise import Digits, laplace_noise, laplace_noise_of_rates, summed_noise
from tests.support.chi import agree, agrees

TILE = 16384


class Counted(ZeroWords):
    """Words of zeros, and how many were asked for at a time."""

    def __init__(self):
        super().__init__()
        self.asked = []

    def words(self, size):
        self.asked.append(size)
        return super().words(size)


def geometric(low, high, decay, base):
    """The probability that a digit lies in a range: of a geometric number of that decay, cut off at the base."""
    return float(np.expm1(-decay * high) - np.expm1(-decay * low)) / float(np.expm1(-decay * base))


@pytest.mark.parametrize(("rate", "lower"), [("1e-8", 2), ("1e-10", 3)])
def test_all_digits_of_slow_laws_jointly(rate, lower):
    """The sign, and each digit of a geometric number in base 1023: independent, each with its own truncated law."""
    drawn, decay, cuts = laplace_noise(Rate.of(rate), 120_000, Rehearsal(7)), float(rate), (0, 100, 400, 1023)
    size = np.where(drawn < 0, -drawn - 1, drawn)
    digits = [np.floor(size / 1023.0**j) % 1023 for j in range(lower)] + [np.floor(size / 1023.0**lower)]
    ends = [cuts] * lower + [(0, *(round(x / (decay * 1023.0**lower)) for x in (0.3, 1)), 10**9)]
    found = [np.searchsorted(end, digit, side="right") - 1 for end, digit in zip(ends, digits, strict=True)]
    law = {(negative,): 0.5 for negative in (False, True)}  # to 10⁻⁸
    for j, end in enumerate(ends):
        base = 1023 if j < lower else 1e12
        each = [geometric(*end[i : i + 2], decay * 1023.0**j, base) for i in range(3)]
        law = {(*key, i): mass * each[i] for (key, mass), i in product(law.items(), range(3))}
    assert len(Digits.of(Rate.of(rate)).lower) == lower
    agrees(Counter(zip((drawn < 0).tolist(), *(part.tolist() for part in found), strict=True)), law)


@pytest.mark.parametrize("rate", ["1", "1/1000"])
def test_tiles_are_drawn_one_after_the_other_and_none_twice(rate):
    """Three tiles and a half: each number pairs with that of the tile before as two independent ones do."""
    drawn = laplace_noise(Rate.of(rate), 3 * TILE + 9000, Rehearsal(3))
    scale = 1 if rate == "1" else 700
    cells = np.clip(np.floor(drawn / scale), -2, 2).astype(int).tolist()
    assert len(drawn) == 3 * TILE + 9000 and len(set(cells)) == 5
    alone = Counter(cells)
    law = {pair: alone[pair[0]] * alone[pair[1]] / len(cells) ** 2 for pair in product(alone, repeat=2)}
    for lag in (1, 2, 4, TILE, 2 * TILE, 3 * TILE):
        pairs = Counter(zip(cells[:-lag], cells[lag:], strict=True))
        expected = {pair: (sum(pairs.values()) * mass) for pair, mass in law.items()}
        statistic = sum((pairs[pair] - e) ** 2 / e for pair, e in expected.items())
        assert statistic < 90, (lag, statistic)  # 24 degrees of freedom: 10⁻⁹


def test_words_are_asked_for_as_they_are_needed():
    """Four numbers a word, tile by tile, the last one shorter; one table more for each digit."""
    source = Counted()
    assert not laplace_noise(Rate.of("1/2"), TILE + 5, source).any()
    assert [n for n in source.asked if n] == [TILE // 4, 2]
    source = Counted()
    assert laplace_noise(Rate.of("1/1000"), 9, source).tolist() == [0] * 9
    assert [n for n in source.asked if n] == [3, 3]
    assert laplace_noise(Rate.of("1/2"), 0, Rehearsal(1)).shape == (0,)


def test_tables_are_kept_by_their_whole_rate():
    """Rates that differ by little have tables of their own; one rate has one."""
    near = [Rate.of(text) for text in ("1/3", "1/3", "0.3333", "0.33333333333333333333")]
    tables = [noise_module._digits(rate) for rate in near]
    assert tables[0] is tables[1] and len({id(table) for table in tables}) == 3


def test_the_least_rate_can_be_drawn_and_no_less():
    assert np.abs(laplace_noise(Rate.of(epsilon="1/1099511627776"), 50, Rehearsal(1))).max() > 2**38
    with pytest.raises(ValueError, match=r"at least 2\*\*-40"):
        laplace_noise(Rate.of(epsilon="1/1099511627777"), 1, Rehearsal(1))


def test_the_shares_of_several_parties_are_independent():
    """Of five parties two may be missing: what comes beside the honest noise is a sum of two shares, not one twice."""
    rate, size = Rate.of("1/2"), 60_000
    whole = summed_noise(rate, 5, 2, size, Rehearsal(2))
    source, shares = Rehearsal(4), 0
    for _ in range(5):
        shares = shares + noise_module.polya_share(rate, 3, size, source)
    agree(Counter(np.clip(whole, -9, 9).tolist()), Counter(np.clip(shares, -9, 9).astype(float).tolist()))


def masses(rate):
    """Probabilities of at most −1, 0 and at least 1."""
    alpha = float(np.exp(-rate))
    return {-1: alpha / (1 + alpha), 0: (1 - alpha) / (1 + alpha), 1: alpha / (1 + alpha)}


def test_numbers_of_several_rates_are_independent_of_each_other():
    """Two times of three rates: six numbers, each of its rate, in 60,000 nodes that are nodes of one call, too."""
    rates = np.repeat([[0.3, 1.0, 2.5]], 30_000, axis=0)
    drawn = laplace_noise_of_rates(rates, 2, Rehearsal(5))
    assert drawn.shape == (2, 30_000, 3) and (drawn == np.floor(drawn)).all()
    law = {(): 1.0}
    for rate in (0.3, 1.0, 2.5) * 2:
        law = {(*key, value): mass * m for key, mass in law.items() for value, m in masses(rate).items()}
    cells = np.clip(drawn, -1, 1).astype(int).transpose(1, 0, 2).reshape(30_000, 6)
    agrees(Counter(map(tuple, cells.tolist())), law)
    pairs = Counter(zip(*np.clip(drawn[0, :, 0], -1, 1).astype(int).reshape(-1, 2).T.tolist(), strict=True))
    agrees(pairs, {(a, b): masses(0.3)[a] * masses(0.3)[b] for a in (-1, 0, 1) for b in (-1, 0, 1)})


def test_far_values_of_one_rate():
    """The size of a number, in intervals of equal probability, on each side."""
    alpha, drawn = np.exp(-0.01), laplace_noise_of_rates(np.full(80_000, 0.01), 1, Rehearsal(8))[0]
    size = np.where(drawn < 0, -drawn - 1, drawn)
    ends = [0, 10, 30, 70, 120, 200, 350, 600, 10**6]
    place = (np.searchsorted(ends, size, side="right") - 1).tolist()
    law = {}
    for i in range(8):
        mass = float(alpha ** ends[i] - alpha ** ends[i + 1])
        law |= {(False, i): mass / (1 + alpha), (True, i): mass * alpha / (1 + alpha)}
    agrees(Counter(zip((drawn < 0).tolist(), place, strict=True)), law)
