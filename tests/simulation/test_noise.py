"""The noise of a sum has the law of the sum of the shares: counted in the tables, and by seeded samples.

Chi-square tests are two-sided, with a false alarm of probability 10⁻⁸ on either side (`tests/support/chi.py`).
"""

from collections import Counter
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from fdpedu.exact import Rate
from fdpedu.mechanisms import discrete_laplace_pmf
from fdpedu.randomness import Rehearsal, ZeroWords
from fdpedu.sampling import AliasTable
from fdpedu.sampling.alias import RESIDUAL
from fdpedu.sampling.digits import two_sided_law
from fdpedu.simulation import noise
from fdpedu.simulation.noise import Digits, Lookup, laplace_noise, laplace_noise_of_rates, summed_noise
from fdpedu.trees.noise_law import law_of_sum, shapes_of
from tests.support.chi import agree, agrees


def law_of(rate, reach):
    """Discrete Laplace masses within ±reach; what lies beyond goes to the ends."""
    masses = {k: float(discrete_laplace_pmf(k, rate)) for k in range(-reach, reach + 1)}
    missing = (1 - sum(masses.values())) / 2
    return masses | {end: masses[end] + missing for end in (-reach, reach)}


def clamped(noise, reach):
    return Counter(np.clip(noise, -reach, reach).astype(int).tolist())


@pytest.mark.parametrize("rate", ["2", "1/3", "1/40", "1/100"])
def test_every_word_of_the_table_has_the_value_that_the_alias_table_gives_it(rate):
    """Of the 65,536 words each value owns as many as there; the others are the residual's."""
    law = two_sided_law(Rate.of(rate))
    table, found = AliasTable.of(law, 16), Lookup.of(law, lambda values: values)
    owned = Counter(table.words_of())
    rest = owned.pop(RESIDUAL, 0)
    assert found.sure == 2**16 - rest and found.residual.bounds(3, 20) == table.residual.bounds(3, 20)
    assert Counter(found.values[: found.sure].astype(int).tolist()) == owned


def test_words_beyond_the_table_are_drawn_from_the_residual():
    """A source of the largest words only: all values come from the residual, and none is the table's padding."""

    class Largest(ZeroWords):
        def words(self, size):
            return np.full(size, 2**64 - 1, dtype=np.uint64)

    found = Lookup.of(two_sided_law(Rate.of("1/100")), lambda values: values + 0.25)
    out = np.zeros(50_000)
    assert found.sure < 2**16
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("fdpedu.simulation.noise.sample", lambda law, size, source: np.full(size, 7))
        found.draw(out, Largest())
    assert set(out.tolist()) == {7.25}


@pytest.mark.parametrize(("rate", "reach"), [("2", 3), ("1/2", 12), ("1/50", 120)])
def test_a_sample_of_discrete_laplace_noise(rate, reach):
    """200,000 numbers; from one table here."""
    agrees(clamped(laplace_noise(Rate.of(rate), 200_000, Rehearsal(5)), reach), law_of(rate, reach))


@pytest.mark.parametrize(("rate", "digits"), [("1/500", 1), ("1/2000000", 2)])
def test_a_sample_of_noise_in_digits(rate, digits):
    """In twenty intervals of equal probability, and whether a number is even: the lower digits count, too."""
    alpha, runs = np.exp(-float(Fraction(rate))), 200_000
    assert len(Digits.of(Rate.of(rate)).lower) == digits
    noise = laplace_noise(Rate.of(rate), runs, Rehearsal(6))
    size = np.where(noise < 0, -noise - 1, noise)  # geometric given the sign
    uniform = -np.expm1(np.log(alpha) * (size + 0.5))  # nearly uniform
    cells = Counter(zip((noise < 0).tolist(), (uniform * 20).astype(int).tolist(), strict=True))
    low = [(1 - alpha**k) for k in np.ceil(np.log1p(-np.arange(20) / 20) / np.log(alpha) - 0.5)] + [1.0]
    law = {(False, i): (low[i + 1] - low[i]) / (1 + alpha) for i in range(20)}
    law |= {(True, i): (low[i + 1] - low[i]) * alpha / (1 + alpha) for i in range(20)}
    agrees(cells, law)
    even = (size % 2 == 0).tolist()
    agrees(Counter(even), {True: 1 / (1 + alpha), False: alpha / (1 + alpha)})


@pytest.mark.parametrize(("parties", "tolerate"), [(1, 0), (5, 0), (5, 1), (3, 2)])
def test_the_noise_of_a_sum_is_that_of_all_shares(parties, tolerate):
    """With shape K/(K − c) on both sides, by the law that intervals of counts use."""
    rate, reach = Rate.of("1/2"), 15
    law = law_of_sum(shapes_of([rate], Fraction(parties, parties - tolerate)), 60)
    middle, whole = len(law) // 2, sum(law)
    masses = Counter()
    for at, weight in enumerate(law):
        masses[min(max(at - middle, -reach), reach)] += weight / whole
    agrees(clamped(summed_noise(rate, parties, tolerate, 100_000, Rehearsal(parties + tolerate)), reach), masses)


def test_noise_of_many_rates_at_once():
    """Each column has its own law, and the rows are independent: pairs of neighbours have the product law."""
    rates = np.array([[2.0, 0.5], [1 / 8, 1e-9]])
    noise = laplace_noise_of_rates(rates, 100_000, Rehearsal(8))
    assert noise.shape == (100_000, 2, 2) and (noise == np.rint(noise)).all()
    for at, (rate, reach) in {(0, 0): ("2", 3), (0, 1): ("1/2", 12), (1, 0): ("1/8", 40)}.items():
        agrees(clamped(noise[:, *at], reach), law_of(rate, reach))
    wide = noise[:, 1, 1]
    assert abs((wide < 0).mean() - 0.5) < 0.01 and abs(np.abs(wide).mean() * 1e-9 - 1) < 0.02  # 6 standard errors
    one = law_of("2", 2)
    pairs = zip(np.clip(noise[:-1:2, 0, 0], -2, 2).tolist(), np.clip(noise[1::2, 0, 0], -2, 2).tolist(), strict=True)
    agrees(Counter(pairs), {(a, b): one[a] * one[b] for a in one for b in one})


def test_words_of_zeros_are_no_noise():
    """At all rates, with and without colluders; so what is tested without noise is tested without noise."""
    for rate in ("1", "1/1000", "1/1000000000"):
        assert not summed_noise(Rate.of(rate), 5, 2, 9, ZeroWords()).any()
    assert not laplace_noise_of_rates(np.array([1e-9, 1.0, 700.0]), 4, ZeroWords()).any()


@pytest.mark.parametrize("size", [0, 1, 3, 16_384, 16_385])
def test_as_many_numbers_as_asked_for(size):
    """Also where they are no multiple of the four words in 64 bits; no two tiles are the same."""
    noise = laplace_noise(Rate.of("1/1000"), size, Rehearsal(1))
    assert noise.shape == (size,) and (noise == np.rint(noise)).all()
    assert size < 16_385 or not np.array_equal(noise[:1], noise[16_384:])


def test_a_rate_too_small_to_be_drawn_is_refused():
    with pytest.raises(ValueError, match="at least 2"):
        laplace_noise(Rate(rate=Fraction(1, 2**41)), 1, ZeroWords())


# --- every word of the table ------------------------------------------------------------------------------------------


class EveryWord(ZeroWords):
    """All words of 16 bits in their order, four in a word of 64."""

    def words(self, size):
        return np.arange(2**16, dtype=np.uint16).view(np.uint64)[:size]


@pytest.mark.parametrize("rate", ["2", "1/3", "1/100"])
def test_each_word_is_looked_up_or_left_to_the_residual(rate, monkeypatch):
    """The last that is sure, the first that is not, and all others; the residual's number passes through the same."""
    found = Lookup.of(two_sided_law(Rate.of(rate)), lambda values: 3 * values)
    monkeypatch.setattr(noise, "sample", lambda law, size, source: np.arange(size) + 10**6)
    out = np.empty(2**16)
    found.draw(out, EveryWord())
    assert 0 < found.sure < 2**16
    assert np.array_equal(out[: found.sure], found.values[: found.sure])
    assert np.array_equal(out[found.sure :], 3.0 * (np.arange(2**16 - found.sure) + 10**6))


# --- digits of slow laws ----------------------------------------------------------------------------------------------


MAX_DIGIT = 1022.0
"""The largest digit."""


@pytest.mark.parametrize(("rate", "lower"), [("1/2", 0), ("1e-3", 1), ("1e-6", 2), ("1e-9", 3), ("1/2000000000", 3)])
def test_a_digit_is_worth_one_more_than_all_lower_ones_make(rate, lower):
    """From the lowest, which is worth 1, to the highest, whose −1 − g is the other sign of g."""
    digits, most = Digits.of(Rate.of(rate)), 0.0
    assert len(digits.lower) == lower
    for lookup in digits.lower:
        assert lookup.made(np.array([0.0, 1.0, 2.0])).tolist() == [0, most + 1, 2 * most + 2]
        assert lookup.values[: lookup.sure].max() <= lookup.made(np.array([MAX_DIGIT]))[0]
        most += lookup.made(np.array([MAX_DIGIT]))[0]
    assert digits.highest.made(np.array([0.0, 3.0, -1.0, -4.0])).tolist() == [0, 3 * most + 3, -1, -1 - 3 * (most + 1)]


# --- beyond one tile, one table and one number ------------------------------------------------------------------------


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
    tables = [noise._digits(rate) for rate in near]
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
        shares = shares + noise.polya_share(rate, 3, size, source)
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
