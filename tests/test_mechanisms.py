"""The mechanisms: each shipped sampler has the law that stands beside it, and that law is private, exactly."""

import math
from fractions import Fraction
from itertools import permutations, product

import numpy as np
import pytest
from conftest import ask_peers
from hypothesis import given, settings
from hypothesis import strategies as st

import fdpedu.mechanisms as m
from fdpedu.claims.laws import clamped_pmf, enumerate_law, worst_ratio
from fdpedu.claims.strategies import alphas
from fdpedu.exact import Enclosure, Rate
from fdpedu.randomness import Rehearsal, SeededSource, ZeroWords

slow = settings(max_examples=4, deadline=None)
halves = st.fractions(Fraction(1, 10), Fraction(1, 2), max_denominator=20)
SELECTIONS = [
    pytest.param(m.exponential, m.exponential_pmf, id="exponential"),
    pytest.param(m.permute_and_flip, m.permute_and_flip_pmf, id="permute-and-flip"),
    pytest.param(m.report_noisy_max, m.report_noisy_max_pmf, id="report-noisy-max"),
]


def ends(p):
    return (p.lower, p.upper) if isinstance(p, Enclosure) else (p, p)


def has_law(draw, pmf, words=3, most=Fraction(1, 10)):
    """Over all tapes of 4-bit words the sampler gives each output a mass that agrees with the stated one."""
    decided, undecided = enumerate_law(draw, 4, words)
    assert undecided < most
    for output, mass in decided.items():
        low, high = ends(pmf(output))
        assert mass <= high and low <= mass + undecided, output


@pytest.mark.claim("thm-discrete-laplace")
@slow
@given(halves, st.integers(-3, 3))
def test_discrete_laplace_from_replayed_bits(alpha, value):
    """The alias table and the rational coins both have the stated law."""
    for draw in (m.discrete_laplace, m.slow_discrete_laplace):
        has_law(
            lambda tape, draw=draw: draw(value, rng=tape, alpha=alpha),
            lambda k: m.discrete_laplace_pmf(k - value, alpha=alpha),
            most=Fraction(3, 4),
        )


@pytest.mark.claim("thm-discrete-laplace")
@given(alphas, st.integers(-4, 4), st.integers(-4, 4))
def test_the_inequality_is_met_with_equality(alpha, a, b):
    """The worst ratio of neighbouring outputs is exactly α^{−|a−b|}: ε-DP for sensitivity 1, and no better."""
    assert worst_ratio([a], [b], alpha) == alpha ** -abs(a - b)


@given(alphas)
def test_half_the_scale_breaks_it(alpha):
    """The broken twin, noise of half the scale (α² for α), exceeds the claimed ratio on the smallest pair, 0 and 1."""
    assert worst_ratio([0], [1], alpha**2) > 1 / alpha


@given(alphas, st.integers(-5, 5), st.integers(1, 8))
def test_the_clamped_law_is_a_law(alpha, centre, bound):
    assert sum(clamped_pmf(alpha, centre, bound + abs(centre))) == 1


@pytest.mark.parametrize("epsilon", ["1/100", "1/2", 3])
def test_the_pmf_in_epsilon_encloses(epsilon):
    """In ε the pmf is an enclosure, and the enclosures of −60…60/ε add up to almost 1; the tail is what is left."""
    width = int(60 / Fraction(epsilon))
    parts = [m.discrete_laplace_pmf(k, epsilon) for k in range(width)]
    total = 2 * sum((p.upper for p in parts), Fraction(0)) - parts[0].lower
    assert all(isinstance(p, Enclosure) and p.lower < p.upper for p in parts) and abs(total - 1) < Fraction(1, 10**20)
    inner = 2 * sum(parts[1:10], parts[0]) - parts[0]
    tail = m.discrete_laplace_tail(9, epsilon)
    assert (1 - inner).lower <= tail.upper and tail.lower <= (1 - inner).upper


@pytest.mark.claim("thm-discrete-laplace")
def test_frequencies():
    """10⁶ draws against the law: chi-square over 9 cells; a false alarm has probability below 10⁻⁹ (seeded)."""
    from scipy.stats import chi2

    draws = m.discrete_laplace(np.zeros(10**6, dtype=int), "1/2", SeededSource(np.random.default_rng(3)))
    cells = np.clip(draws, -4, 4)
    pmf = np.array([float(m.discrete_laplace_pmf(k, "1/2").lower) for k in range(-4, 5)])
    pmf[[0, -1]] = (1 - pmf[1:-1].sum()) / 2
    observed = np.bincount(cells + 4, minlength=9)
    statistic = float((((observed - 10**6 * pmf) ** 2) / (10**6 * pmf)).sum())
    assert chi2.sf(statistic, 8) > 1e-9 and chi2.cdf(statistic, 8) > 1e-9  # neither too far from the law nor too near


@pytest.mark.parametrize(("epsilon", "sensitivity"), [("1/2", 1), (3, 2)])
def test_epsilon_is_a_rate_and_not_a_scale(epsilon, sensitivity):
    """Pr[0]/Pr[1] = e^{ε/Δ}, by an exponential that is not ours: ε away from 1, where a rate and a scale differ."""
    zero, one = (m.discrete_laplace_pmf(k, epsilon, sensitivity=sensitivity) for k in (0, 1))
    assert float(zero.upper / one.lower) == pytest.approx(math.exp(float(Fraction(epsilon)) / sensitivity), rel=1e-12)


# Selection


@pytest.mark.claim("thm-permute-and-flip")
@settings(max_examples=30, deadline=None)
@given(alphas, st.lists(st.integers(0, 4), min_size=1, max_size=4))
def test_permute_and_flip_by_all_orders(alpha, utilities):
    """The integral formula is the average over all orders of the coins taken in that order."""
    coins = [alpha ** (max(utilities) - u) for u in utilities]
    law = [Fraction(0)] * len(utilities)
    for order in permutations(range(len(utilities))):
        left = Fraction(1, math.factorial(len(utilities)))
        for r in order:
            law[r] += left * coins[r]
            left *= 1 - coins[r]
    assert m.permute_and_flip_pmf(utilities, alpha=alpha) == law and sum(law) == 1


@pytest.mark.claim("thm-report-noisy-max")
@settings(max_examples=20, deadline=None)
@given(halves, st.lists(st.integers(0, 3), min_size=1, max_size=3))
def test_report_noisy_max_by_summing_all_noises(alpha, utilities):
    """The closed form is the sum over all geometric noises up to 12, and what lies beyond."""
    law, reach = [Fraction(0)] * len(utilities), 12
    for noises in product(range(reach + 1), repeat=len(utilities)):
        sums = [u + z for u, z in zip(utilities, noises, strict=True)]
        law[sums.index(max(sums))] += math.prod((1 - alpha) * alpha**z for z in noises)
    stated, beyond = m.report_noisy_max_pmf(utilities, alpha=alpha), 1 - sum(law)
    assert sum(stated) == 1 and all(p <= q <= p + beyond for p, q in zip(law, stated, strict=True))


@pytest.mark.parametrize(("draw", "pmf"), SELECTIONS)
@pytest.mark.parametrize("utilities", [[1, 0], [0, 2, 1], [1, 1, 0]])
def test_selection_from_replayed_bits(draw, pmf, utilities):
    """Each shipped selection has its stated law, with α given and with ε given (general and monotone)."""
    for options in ({"alpha": Fraction(1, 3)}, {"epsilon": 2}, {"epsilon": 1, "monotone": True}):
        law = pmf(utilities, **options)
        has_law(
            lambda tape, options=options: draw(utilities, rng=tape, **options),
            lambda r, law=law: law[r],
            words=3,
            most=Fraction(1, 3),
        )


@pytest.mark.parametrize(("draw", "pmf"), SELECTIONS)
@settings(max_examples=60, deadline=None)
@given(
    st.fractions(Fraction(1, 10), Fraction(9, 10), max_denominator=20),
    st.lists(st.tuples(st.integers(0, 4), st.integers(-1, 1)), min_size=1, max_size=4),
)
def test_selection_is_private(draw, pmf, alpha, pairs):
    """For all utilities that differ by at most 1: the ratio is at most α⁻² (= e^ε); one-sided: at most α⁻¹ (= e^ε)."""
    before, change = zip(*pairs, strict=True)
    for steps, bound in ((change, alpha**-2), (tuple(abs(c) for c in change), alpha**-1)):
        after = [u + c for u, c in zip(before, steps, strict=True)]
        p, q = pmf(before, alpha=alpha), pmf(after, alpha=alpha)
        assert all(x <= bound * y and y <= bound * x for x, y in zip(p, q, strict=True))


@pytest.mark.claim("exponential-without-two")
@pytest.mark.parametrize(("draw", "pmf"), SELECTIONS)
def test_a_utility_that_is_not_monotone_needs_the_two(draw, pmf):
    """With half the noise, two utilities that move apart break the claim: two candidates are enough."""
    alpha = Fraction(1, 2)
    p, q = pmf([2, 0], alpha=alpha), pmf([1, 1], alpha=alpha)
    assert max(max(x / y, y / x) for x, y in zip(p, q, strict=True)) > 1 / alpha


@pytest.mark.claim("lem-permute-and-flip-dominates")
@settings(max_examples=100, deadline=None)
@given(alphas, st.lists(st.integers(0, 6), min_size=1, max_size=5))
def test_permute_and_flip_never_errs_more(alpha, utilities):
    """Its expected error is at most the exponential mechanism's, and so is the chance of each level of error."""
    flip, exp = m.permute_and_flip_pmf(utilities, alpha=alpha), m.exponential_pmf(utilities, alpha=alpha)
    assert m.expected_error(flip, utilities) <= m.expected_error(exp, utilities)
    for level in set(utilities):
        worse = [r for r, u in enumerate(utilities) if u < level]
        assert sum(flip[r] for r in worse) <= sum(exp[r] for r in worse)


def test_monotone_and_sensitivity_set_the_base():
    """α = e^{−ε/(2Δ)}, and e^{−ε/Δ} for monotone utilities: twice the ε, or half the Δ, is the same law."""
    law = m.exponential_pmf([0, 3, 1], 1)
    for same in (
        {"epsilon": 2, "sensitivity": 2},
        {"epsilon": "1/2", "monotone": True},
        {"epsilon": "1/4", "sensitivity": "1/4"},
    ):
        assert m.exponential_pmf([0, 3, 1], **same) == law
    two = m.exponential_pmf([1, 0], 1)
    assert float((two[0] / two[1]).upper) == pytest.approx(math.exp(0.5), rel=1e-12)


# The others


@pytest.mark.claim("thm-randomised-response")
@slow
@given(halves, st.integers(2, 4))
def test_randomised_response(alpha, categories):
    """The shipped law is the stated one; it adds up to 1, and its worst ratio is exactly e^ε = 1/α."""
    law = [
        [m.randomised_response_pmf(a, t, alpha=alpha, categories=categories) for a in range(categories)]
        for t in range(categories)
    ]
    assert all(sum(row) == 1 for row in law)
    assert max(p / q for row, other in product(law, law) for p, q in zip(row, other, strict=True)) == 1 / alpha
    for truth in range(categories):
        has_law(
            lambda tape, truth=truth: int(
                m.randomised_response([truth], rng=tape, alpha=alpha, categories=categories)[0]
            ),
            lambda a, truth=truth: law[truth][a],
        )


@given(alphas, st.lists(st.integers(0, 50), min_size=2, max_size=5))
def test_estimates_are_unbiased(alpha, true):
    """Put in the expected reports, multiplied so that they are integers, and the true counts come out."""
    k = len(true)
    expected = [
        sum(n * m.randomised_response_pmf(a, t, alpha=alpha, categories=k) for t, n in enumerate(true))
        for a in range(k)
    ]
    scale = math.lcm(*(e.denominator for e in expected))
    estimates = m.estimate_counts([int(e * scale) for e in expected], alpha=alpha)
    assert [e / scale for e in estimates] == true


@pytest.mark.claim("thm-discrete-gaussian")
@pytest.mark.parametrize("rho", ["1/2", "2", "1/20"])
def test_discrete_gaussian_from_replayed_bits(rho):
    has_law(
        lambda tape: m.discrete_gaussian(0, rho, tape),
        lambda k: m.discrete_gaussian_pmf(k, rho),
        words=4,
        most=Fraction(3, 4),
    )


@pytest.mark.claim("thm-discrete-gaussian")
@pytest.mark.parametrize("rho", ["1/2", "1/50", "8"])
def test_discrete_gaussian_against_a_plain_sum(rho):
    """pmf and δ(ε) against sums in floats; its δ is near the continuous one and not above the zCDP bound's."""
    sigma = math.sqrt(1 / (2 * Fraction(rho)))
    k = np.arange(-400, 401)
    weights = np.exp(-(k**2) / (2 * sigma**2))
    p = weights / weights.sum()
    assert float(m.discrete_gaussian_pmf(2, rho)) == pytest.approx(p[402], rel=1e-12)
    for epsilon in (0, 0.5, 2):
        loss = p - math.exp(epsilon) * np.roll(p, 1)
        assert float(m.discrete_gaussian_delta(epsilon, rho)) == pytest.approx(
            loss[loss > 0].sum(), rel=1e-9, abs=1e-15
        )


def test_a_wide_discrete_gaussian():
    """Mean, variance and fourth moment of 10⁵ draws with σ = 10⁶/√2, within 6.2 standard errors (seeded)."""
    n, sigma = 10**5, 10**6 / math.sqrt(2)
    draws = m.discrete_gaussian(np.zeros(n, dtype=int), "1/1000000000000", Rehearsal(5)) / sigma
    assert abs(draws.mean()) < 6.2 / math.sqrt(n)
    assert abs((draws**2).mean() - 1) < 6.2 * math.sqrt(2 / n) and abs((draws**4).mean() - 3) < 6.2 * math.sqrt(96 / n)


@pytest.mark.claim("float-laplace-as-coded")
def test_the_attack_knows_numpy_bit_for_bit():
    """The formula under attack is NumPy's own: 20,000 draws and their uniform numbers agree in every bit."""
    for value, scale in ((0.0, 1.0), (1.0, 3.7), (-250.0, 0.01)):
        generator, twin = np.random.default_rng(9), np.random.default_rng(9)
        drawn, uniform = generator.laplace(value, scale, 20_000), twin.random(20_000)
        assert [m.numpy_laplace_value(value, scale, u) for u in uniform.tolist()] == drawn.tolist()
        assert all(m.reachable(x, value, scale) for x in drawn[:300].tolist())


@pytest.mark.claim("float-laplace-as-coded")
def test_a_handful_of_floats_gives_the_input_away():
    """Reachable is exhaustive (on a coarse grid, all uniform numbers), so an unreachable output is proof."""
    needed = [m.outputs_needed(1, 0.0, 1.0, Rehearsal(i)) for i in range(40)]
    assert max(needed) < 30
    outputs = {m.numpy_laplace_value(0.0, 1.0, j * 2.0**-53) for j in range(2**52, 2**52 + 3000)}
    others = {m.numpy_laplace_value(1.0, 1.0, j * 2.0**-53) for j in range(1656790000000000, 1656790000003000)}
    for output in sorted(others)[1:-1:7]:
        inside = output in outputs
        assert not inside or m.reachable(output, 0.0, 1.0)


@pytest.mark.claim("thm-snapped-laplace")
@pytest.mark.parametrize(("value", "grid"), [(0, 2), ("3/10", "1/2"), (-1.25, "5/2")])
def test_snapped_laplace(value, grid):
    """The shipped law over replayed bits; the pmf against the ideal distribution function; every point reachable."""
    has_law(
        lambda tape: m.snapped_laplace(value, 1, tape, grid=grid) / Fraction(grid),
        lambda k: m.snapped_laplace_pmf(int(k), value, 1, grid=grid),
        most=Fraction(1, 3),
    )
    v, g = float(Fraction(str(value))), float(Fraction(grid))

    def below(x):
        return 0.5 * math.exp(x - v) if x < v else 1 - 0.5 * math.exp(v - x)

    for k in range(-8, 9):
        ideal = below((k + 0.5) * g) - below((k - 0.5) * g)
        assert float(m.snapped_laplace_pmf(k, value, 1, grid=grid)) == pytest.approx(ideal, rel=1e-9) and ideal > 0


@pytest.mark.claim("lem-count-interval")
@given(
    st.fractions(Fraction(1, 50), 5),
    st.fractions(Fraction(1, 20), Fraction(99, 100)),
    st.integers(1, 9),
    st.integers(1, 5),
)
def test_the_interval_is_the_smallest(epsilon, confidence, simultaneous, sensitivity):
    """The tail beyond the half-width is small enough; beyond one less it is not."""
    given_ = {"confidence": confidence, "simultaneous": simultaneous, "sensitivity": sensitivity}
    interval = m.count_interval(7, epsilon, **given_)
    miss, t = (1 - confidence) / simultaneous, interval.half_width
    assert m.discrete_laplace_tail(t, epsilon, sensitivity=sensitivity).upper <= miss
    assert t == 0 or m.discrete_laplace_tail(t - 1, epsilon, sensitivity=sensitivity).lower > miss
    assert (interval.low, interval.high) == (7 - t, 7 + t)


@pytest.mark.parametrize(("end", "half_width"), [("upper", 9), ("lower", 10)])
def test_the_closest_call_of_an_interval_is_settled_by_digits(end, half_width):
    """A confidence that is right to seventy digits, from above or from below, still gets the right half-width."""
    rate = Rate.of(epsilon="1/3")
    tail = 2 * rate.power(10, digits=70) / (1 + rate.power(1, digits=70))
    assert m.count_interval(0, "1/3", confidence=1 - getattr(tail, end)).half_width == half_width


def test_an_interval_whose_confidence_is_its_own_coverage():
    """For a rational α the tail may equal what is allowed, which no number of digits decides; fractions do."""
    first = m.count_interval(0, alpha="9/10", confidence="0.999")
    assert m.count_interval(0, alpha="9/10", confidence=first.coverage).half_width == first.half_width


@pytest.mark.claim("lem-leaf-error")
@pytest.mark.parametrize("classes", [2, 3, 10])
def test_the_constant_of_the_leaves(classes):
    """The enclosure holds the maximum over a fine grid; for two classes it is 1/e; and a law attains it at its p."""
    p = np.linspace(1e-6, 1 - 1e-6, 10**5)
    values = 2 * np.log(1 / p) * (1 - (1 - (1 - p) ** classes) / (classes * p))
    constant = m.leaf_error_constant(classes)
    assert float(constant.lower) - 1e-9 <= values.max() + 2e-5 and values.max() <= float(constant) + 1e-12
    alpha, gap = Fraction(1, 2), 3  # all but one candidate lie `gap` below: p = α^gap, ε = 2·ln(1/α)
    error = m.expected_error(
        m.permute_and_flip_pmf([gap] + [0] * (classes - 1), alpha=alpha), [gap] + [0] * (classes - 1)
    )
    q = float(alpha**gap)
    at = 2 * math.log(1 / q) * (1 - (1 - (1 - q) ** classes) / (classes * q))
    assert float(error) * 2 * math.log(2) == pytest.approx(at, rel=1e-12) and at <= float(constant)


@pytest.mark.claim("thm-gaussian")
@pytest.mark.parametrize(("epsilon", "delta"), [(0.1, 1e-3), (1, 1e-6), (8, 1e-10)])
def test_the_gaussian_delta_is_the_hockey_stick_of_two_densities(epsilon, delta):
    """∫ (p − e^ε·q)₊ by quadrature is the closed form, and the calibrated σ meets δ and is the least that does."""
    sigma = m.gaussian_sigma(epsilon, delta)
    edge = 0.5 - epsilon * sigma**2  # beyond it the loss is below ε
    x = np.linspace(edge - 40 * sigma, edge, 2_000_001)
    p, q = (np.exp(m.gaussian_logpdf(x - shift, sigma)) for shift in (0, 1))
    integral = np.trapezoid(p - math.exp(epsilon) * q, x)
    assert integral == pytest.approx(m.gaussian_delta(epsilon, sigma), rel=1e-4)
    assert m.gaussian_delta(epsilon, sigma) <= delta < m.gaussian_delta(epsilon, sigma * (1 - 1e-9))


def test_peers():
    """IBM's, Google's and OpenDP's answers: σ to 10⁻⁶, half-widths, exponential laws to 10⁻¹², and their draws by our
    law (two-sided chi-square; their entropy is the system's, so a false alarm happens once in 10⁹ runs).
    """
    from scipy.stats import chi2

    points = list(product([0.05, 0.5, 1, 3], [1e-3, 1e-6, 1e-9]))
    widths = [[scale, miss] for scale in (0.3, 1.0, 2.5, 10.0, 300.0) for miss in (0.5, 0.1, 0.05, 0.001)]
    choices = [
        [u, e, s, mono]
        for u in ([3, 2, 2, 0], [0, 5], [1, 1, 1])
        for e in (0.3, 2)
        for s in (1, 2)
        for mono in (False, True)
    ]
    draws = {"discrete_laplace": [[2.0, 20_000]], "discrete_gaussian": [[2.0, 20_000]]}
    peers = ask_peers("mechanisms", {"gaussian_sigma": points, "half_width": widths, "exponential": choices, **draws})
    for (epsilon, delta), answers in zip(points, peers["gaussian_sigma"], strict=True):
        assert answers == pytest.approx([m.gaussian_sigma(epsilon, delta)] * 2, rel=1e-6)
    for (scale, miss), theirs in zip(widths, peers["half_width"], strict=True):
        ours = m.count_interval(0, 1 / Fraction(str(scale)), confidence=1 - Fraction(str(miss))).half_width
        assert ours == max(0, math.ceil(theirs) - 1)  # theirs bounds Pr[|Z| ≥ a], ours Pr[|Z| > t]
    for (u, epsilon, sensitivity, monotone), theirs in zip(choices, peers["exponential"], strict=True):
        ours = m.exponential_pmf(u, epsilon, sensitivity=sensitivity, monotone=monotone)
        assert np.cumsum([float(p) for p in ours]) == pytest.approx(theirs, rel=1e-12)
    for name, pmf in (
        ("discrete_laplace", lambda k: m.discrete_laplace_pmf(k, "1/2")),
        ("discrete_gaussian", lambda k: m.discrete_gaussian_pmf(k, "1/8")),
    ):
        observed = np.bincount(np.clip(peers[name][0], -5, 5) + 5, minlength=11)
        p = np.array([float(pmf(k)) for k in range(-5, 6)])
        p[[0, -1]] = (1 - p[1:-1].sum()) / 2
        statistic = float(((observed - 20_000 * p) ** 2 / (20_000 * p)).sum())
        assert chi2.sf(statistic, 10) > 2.5e-10 and chi2.cdf(statistic, 10) > 2.5e-10


# The edges


def test_shapes_and_types():
    assert isinstance(m.discrete_laplace(3, 1, ZeroWords()), int)
    assert m.discrete_laplace(np.zeros((2, 0, 3), dtype=int), 1).shape == (2, 0, 3)
    assert m.discrete_laplace([2**62, -(2**62)], 1, ZeroWords()).tolist() == [2**62, -(2**62)]
    assert m.discrete_gaussian([], 1).shape == (0,) and m.randomised_response([], 1).shape == (0,)
    assert m.exponential([1, 2], 1, ZeroWords(), size=0).shape == (0,)
    assert m.discrete_laplace(np.full(3_000_000, -(2**62)), "1/1000", Rehearsal(1)).max() < -(2**62) + 2**16


def test_extreme_parameters_are_right():
    """ε up to 10⁴⁰⁰ is no noise; ε = 10⁻⁶ and sensitivity 10⁶ agree; nothing wraps."""
    assert m.discrete_laplace([5, -5], 10**400).tolist() == [5, -5]
    small = m.discrete_laplace(np.zeros(50_000, dtype=int), "1/1000000", Rehearsal(2)) / 1e6
    scaled = m.discrete_laplace(np.zeros(50_000, dtype=int), 1, Rehearsal(3), sensitivity=10**6) / 1e6
    for draws in (small, scaled):  # Laplace(1): variance 2, fourth moment 24
        assert abs((draws**2).mean() - 2) < 6.2 * math.sqrt(20 / 50_000)
    assert m.exponential([0, 10**30], 1) == m.permute_and_flip([0, 10**30], 1) == 1
    assert m.exponential_pmf([0, 10**30], 1)[0].upper < Fraction(1, 10**1000)
    assert m.discrete_laplace_pmf(10**15, 1).upper < Fraction(1, 10**1000)
    assert m.discrete_gaussian(7, 10**9) == 7 and float(m.discrete_gaussian_pmf(0, 10**4)) == pytest.approx(1)


BAD_VALUES = [1.0, [0.5], "3", None, True, 2**63, [2**62 + 1], np.array([2**64 - 1], dtype=np.uint64), [[1], [2, 3]]]


@pytest.mark.parametrize("value", BAD_VALUES)
def test_values_that_are_no_integers_are_refused(value):
    for mechanism in (m.discrete_laplace, m.discrete_gaussian):
        with pytest.raises(ValueError):
            mechanism(value, 1, ZeroWords())


@pytest.mark.parametrize(
    "call",
    [
        lambda: m.discrete_laplace(1, "1/10000000000000"),
        lambda: m.discrete_laplace(1, 1, sensitivity="2"),
        lambda: m.discrete_gaussian(1, 1, sensitivity=0),
        lambda: m.discrete_gaussian(1, Fraction(1, 2**70)),
        lambda: m.discrete_gaussian_pmf(0, "1/1000000000000"),
        lambda: m.exponential([], 1),
        lambda: m.exponential([float("nan")], 1),
        lambda: m.exponential("12", 1),
        lambda: m.exponential([0.5, 0], alpha="1/2"),
        lambda: m.exponential([1], 1, alpha="1/2"),
        lambda: m.exponential([1], 1, monotone="yes"),
        lambda: m.report_noisy_max([0.5, 0], 1),
        lambda: m.permute_and_flip([1], 1, size=-1),
        lambda: m.randomised_response([2], 1),
        lambda: m.randomised_response([0.0], 1),
        lambda: m.randomised_response([0], 1, categories=1),
        lambda: m.randomised_response_pmf(0, 5, 1),
        lambda: m.estimate_counts([3], 1),
        lambda: m.count_interval(3, 1, confidence=1),
        lambda: m.count_interval(3.5, 1),
        lambda: m.count_interval(3, 1, simultaneous=0),
        lambda: m.snapped_laplace(1, 1, grid=0),
        lambda: m.snapped_laplace(float("inf"), 1, grid=1),
        lambda: m.laplace(["a"], 1),
        lambda: m.laplace(float("nan"), 1),
        lambda: m.gaussian([1], 0),
        lambda: m.gaussian_sigma(1, 0),
        lambda: m.gaussian_delta(-1, 1),
        lambda: m.classical_gaussian_sigma(1, 1e-6),
        lambda: m.leaf_error_constant(1),
        lambda: m.expected_error([1], [1, 2]),
        lambda: m.outputs_needed(1, 0.0, 0.0, Rehearsal(1)),
    ],
)
def test_bad_input_is_refused(call):
    with pytest.raises(ValueError):
        call()


ODD = st.one_of(
    st.none(), st.booleans(), st.integers(-(2**70), 2**70), st.floats(), st.text(max_size=3), st.fractions(),
    st.lists(st.integers(-3, 3), max_size=3), st.lists(st.floats(), max_size=2), st.binary(max_size=2),
)  # fmt: skip


@pytest.mark.parametrize(
    "name", [name for name in m.__all__ if name not in ("CountInterval", "discrete_laplace_noise")]
)
@settings(max_examples=80, deadline=None)
@given(st.data())
def test_odd_input_gives_an_answer_or_a_value_error(name, data):
    """Whatever is put in, a public function answers or raises ValueError, and nothing else."""
    import inspect

    function = getattr(m, name)
    parameters = inspect.signature(function).parameters.values()
    arguments, options = [], {}
    for parameter in parameters:
        if parameter.name in ("rng", "size", "uniform"):
            value = Rehearsal(1) if parameter.name == "rng" else None if parameter.name == "size" else 0.25
        else:
            value = data.draw(ODD)
        if parameter.kind is parameter.KEYWORD_ONLY:
            options[parameter.name] = value
        else:
            arguments.append(value)
    try:
        function(*arguments, **options)
    except ValueError:
        pass
