"""The noise of a sum has the law of the sum of the shares: counted in the tables, and by seeded samples."""

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from fdpedu.exact import Rate
from fdpedu.mechanisms import discrete_laplace_pmf
from fdpedu.randomness import Rehearsal, ZeroWords
from fdpedu.sampling import AliasTable
from fdpedu.sampling.alias import RESIDUAL
from fdpedu.sampling.digits import two_sided_law
from fdpedu.simulation.noise import Digits, Lookup, laplace_noise, laplace_noise_of_rates, summed_noise
from fdpedu.trees.noise_law import law_of_sum, shapes_of
from tests.support.chi import agrees


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
