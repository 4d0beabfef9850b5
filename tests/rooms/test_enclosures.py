"""Both ends of every enclosure that a public function returns, against a value that is computed another way.

The independent value is a decimal of 130 or 300 digits by a formula of its own: sums term by term, a search for the
minimum, a power series. Its error is far below the width of the enclosure. So one that has lost an end, or moved it,
does not pass: the last step of every case tries that on the case itself.
"""

import decimal
import inspect
import itertools
import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fdpedu.accounting as accounting
import fdpedu.dlpa as dlpa
import fdpedu.exact as exact
import fdpedu.mechanisms as mechanisms
import fdpedu.privacy as privacy
from fdpedu.accounting import Ledger, LossDistribution
from fdpedu.accounting.lattice import decay, logarithm
from fdpedu.accounting.normal import normal_tail
from fdpedu.demo import insider_cost
from fdpedu.domain import Domain, Numeric
from fdpedu.exact import Enclosure, Rate, exp_enclosure, log_enclosure
from fdpedu.federation import ClassCounts, Federation, NodeHistograms, Party
from fdpedu.mechanisms import leaf_error_constant
from fdpedu.randomness import ZeroWords
from fdpedu.sampling.polya_weights import NegativeBinomialWeights, coefficient, multiplied_out, product, stirling
from tests.support.truths import (
    CONTEXT,
    choice,
    coins_delta,
    coins_epsilon,
    dec,
    error,
    exp,
    gaussian_delta,
    gaussian_sum,
    insider,
    leaf_constant,
    ln,
    log_gamma_rest,
    normal_cdf,
    precision,
    rdp_epsilon,
    rdp_laplace,
    rising,
    snapped,
    zcdp_delta,
    zcdp_epsilon,
)


def require_tight(found, truth, digits, error):
    """lower ≤ truth ≤ upper, and not wider than 10^(−digits) relative to the truth; exact only where the truth is."""
    middle = Fraction(truth)
    assert found.lower <= middle + error and middle - error <= found.upper, "the truth lies outside"
    assert found.upper - found.lower <= abs(middle) / Fraction(10) ** digits, "too wide"


def check(enclosure, value, digits):
    """The enclosure holds; and none does that has lost an end, or that has the ends on one side of the truth.

    What the independent value may be off by is 10⁻²⁵ of the width.
    """
    with decimal.localcontext(CONTEXT) as context:
        context.prec = precision(digits)
        found, truth = enclosure(), value()
    assert type(found.lower) is Fraction and type(found.upper) is Fraction
    width = found.upper - found.lower
    error = width / 10**25
    require_tight(found, truth, digits, error)
    if width == 0:
        assert Fraction(truth) == found.lower
        return
    room = 2 * abs(Fraction(truth)) / Fraction(10) ** digits
    moved = [
        (found.lower, found.lower),
        (found.upper, found.upper),
        (found.lower - room, found.upper),
        (found.lower, found.upper + room),
        (found.upper, found.upper + width),
        (found.lower - width, found.lower),
        (2 * found.upper - found.lower, 2 * found.upper - found.lower),
    ]
    for ends in moved:
        with pytest.raises(AssertionError, match=r"outside|wide"):
            require_tight(Enclosure(*ends), truth, digits, error)


def released(epsilon, parties):
    """What an insider learns from a tree's round: 2 histograms of rate ε/2, and counts of rate ε."""
    domain = Domain([Numeric.grid(name, 0, 1, bins=2) for name in "ab"], (0, 1))
    f = Federation([Party([], domain) for _ in range(parties)], domain, Ledger(9), rng=ZeroWords(), tolerate=0)
    f.release([NodeHistograms(domain.everything, epsilon), ClassCounts(domain.everything, epsilon)])
    return insider_cost(f.ledger.derivation(), parties, 0)


def law_cases():
    utilities, shorter = (5, 3, 5, -2), (0, 7, 2)
    pmfs = {
        "exponential": mechanisms.exponential_pmf,
        "permute and flip": mechanisms.permute_and_flip_pmf,
        "report noisy max": mechanisms.report_noisy_max_pmf,
    }
    for (name, pmf), (u, e) in itertools.product(pmfs.items(), [(utilities, "1/3"), (shorter, 2)]):
        for r in range(len(u)):
            yield f"{name}, {e}, {r}", lambda pmf=pmf, u=u, e=e, r=r: pmf(u, e)[r], lambda n=name, u=u, e=e, r=r: choice(u, e, n)[r], 55  # noqa: E501  # fmt: skip
        yield f"expected error, {name}, {e}", lambda pmf=pmf, u=u, e=e: mechanisms.expected_error(pmf(u, e), u), lambda n=name, u=u, e=e: error(choice(u, e, n), u), 55  # noqa: E501  # fmt: skip


def cases():
    """A name, the enclosure, the truth, and how many digits the enclosure has at least."""
    F = Fraction
    for x in ("-19999", "-700", "-1/3", "1e-40", "1/7", "45", "90000"):
        yield f"exp {x}", lambda x=x: exp_enclosure(F(x)), lambda x=x: exp(x), 37
        yield f"exp {x}, 100", lambda x=x: exp_enclosure(F(x), digits=100), lambda x=x: exp(x), 97
    for x in ("1e-300", "1/3", "999999/1000000", "1000001/1000000", "7", "1e300"):
        yield f"ln {x}", lambda x=x: log_enclosure(F(x)), lambda x=x: ln(x), 36
        yield f"logarithm {x}", lambda x=x: logarithm(F(x), 80), lambda x=x: ln(x), 76
    for x in ("1/9", "40", "4999", "5000"):
        yield f"decay {x}", lambda x=x: decay(F(x)), lambda x=x: exp(-F(x)), 86
    for e, k in itertools.product(("1/1000", "3/2"), (1, 64, 65, 2**20)):
        if F(e) * k < 20000:
            yield f"power {e}·{k}", lambda e=e, k=k: Rate.of(epsilon=e).power(k), lambda e=e, k=k: exp(-F(e) * k), 37
            yield f"weight {e}·{k}", lambda e=e, k=k: Rate.of(epsilon=e).weight(k), lambda e=e, k=k: exp(-F(e) * k), 37
    for k in (64, 65, 1000, 10**5):
        yield f"power of 9/10, {k}", lambda k=k: Rate.of(alpha="9/10").power(k), lambda k=k: F(9, 10) ** k if k <= 64 else exp(k * ln("9/10")), 35  # noqa: E501  # fmt: skip
    for e, s, k in (("1/100", 1, 0), ("1/2", 3, -7), (4, 1, 5), ("1/100", 1, 2**33)):
        a = F(e) / s
        if a * abs(k) < 10000:
            yield f"discrete Laplace {e}/{s}, {k}", lambda e=e, s=s, k=k: mechanisms.discrete_laplace_pmf(k, e, sensitivity=s), lambda a=a, k=k: (1 - exp(-a)) / (1 + exp(-a)) * exp(-a * abs(k)), 35  # noqa: E501  # fmt: skip
            yield f"its tail {e}/{s}, {k}", lambda e=e, s=s, k=k: mechanisms.discrete_laplace_tail(abs(k), e, sensitivity=s), lambda a=a, k=k: 2 * exp(-a * (abs(k) + 1)) / (1 + exp(-a)), 35  # noqa: E501  # fmt: skip
    for e, categories, same in itertools.product(("1/10", 3), (2, 200), (True, False)):
        yield f"response {e}, {categories}, {same}", lambda e=e, c=categories, s=same: mechanisms.randomised_response_pmf(1, int(s), e, categories=c), lambda e=e, c=categories, s=same: (1 if s else exp(-F(e))) / (1 + (c - 1) * exp(-F(e))), 35  # noqa: E501  # fmt: skip
    values = ((0, 0, 1, 2), (3, "1/3", "1/2", "1/4"), (-9, "5/2", 2, 1), (0, "1/2", "1/10", 1), (200, 3, 1, 1))
    for k, v, e, g in values:
        yield f"snapped {k}, {v}, {e}, {g}", lambda k=k, v=v, e=e, g=g: mechanisms.snapped_laplace_pmf(k, v, e, grid=g), lambda k=k, v=v, e=e, g=g: snapped(k, v, e, g), 35  # noqa: E501  # fmt: skip
    for rho, s, k in (
        ("1/2", 1, 0),
        ("1/50", 1, 7),
        ("1/50", 3, -60),
        (8, 1, 1),
        ("1/2000000", 1, 900),
        ("1/20000", 1, 0),
    ):
        variance = F(s * s) / (2 * F(rho))
        yield f"discrete Gaussian {rho}, {s}, {k}", lambda r=rho, s=s, k=k: mechanisms.discrete_gaussian_pmf(k, r, sensitivity=s), lambda v=variance, k=k: exp(-F(k * k) / (2 * v)) / gaussian_sum(v), 35  # noqa: E501  # fmt: skip
    for e, rho in ((1, "1/2"), (0, "1/18"), ("1/3", "1/50"), (3, "1/8")):
        v = 1 / (2 * F(rho))
        m = math.ceil(F(1, 2) - F(e) * v) - 1
        yield f"its δ {e}, {rho}", lambda e=e, r=rho: mechanisms.discrete_gaussian_delta(e, r), lambda e=e, v=v, m=m: (gaussian_sum(v, -m) - exp(F(e)) * gaussian_sum(v, 1 - m)) / gaussian_sum(v), 35  # noqa: E501  # fmt: skip
    yield from law_cases()
    for k in (3, 30):
        yield f"leaf constant {k}", lambda k=k: leaf_error_constant(k), lambda k=k: leaf_constant(k), 4
    yield "leaf constant 2", lambda: leaf_error_constant(2), lambda: exp(-1), 37
    for e, n, c, t in ((1, 5, 1, 0), ("1/4", 3, 2, 0), (3, 9, 5, 2), ("1/20", 4, 1, 0)):
        yield f"insider {e}, {n}, {c}, {t}", lambda e=e, n=n, c=c, t=t: dlpa.insider_epsilon(e, n, c, tolerate=t), lambda e=e, n=n, c=c, t=t: insider(e, n, c, t), 33  # noqa: E501  # fmt: skip
    yield "insider tolerated", lambda: dlpa.insider_epsilon("1/3", 5, 2, tolerate=2), lambda: F(1, 3), 30
    yield "insider's cost of a round", lambda: released("1/2", 3), lambda: 2 * insider("1/4", 3, 1, 0) + insider("1/2", 3, 1, 0), 33  # noqa: E501  # fmt: skip
    yield "privacy loss", lambda: privacy.privacy_loss(["1/7", "6/7"], ["1/2", "1/2"]), lambda: ln("7/2"), 27
    yield "privacy loss, other way", lambda: privacy.privacy_loss(["1/2", "1/2"], ["1/7", "6/7"], digits=60), lambda: ln("7/2"), 57  # noqa: E501  # fmt: skip
    for e, k, d in (("1/4", 12, "1e-4"), (1, 3, "1/10"), ("1/100", 30, "1e-9"), (2, 1, "1e-6")):
        yield f"composed {e}, {k}, {d}", lambda e=e, k=k, d=d: accounting.compose_optimal(e, k, d), lambda e=e, k=k, d=d: coins_epsilon(e, k, F(d)), 79  # noqa: E501  # fmt: skip
    for e, k, t in (("1/4", 12, 2), (1, 3, "1/2"), ("1/100", 30, "1/50"), (2, 1, "3/2"), ("1/10", 40, 0)):
        yield f"composed δ {e}, {k}, {t}", lambda e=e, k=k, t=t: accounting.optimal_delta(e, k, t), lambda e=e, k=k, t=t: coins_delta(e, k, t), 85  # noqa: E501  # fmt: skip
    for r, d in (("1/2", "1e-6"), ("1/1000", "1e-12"), (20, "1/10"), ("1/10", "1e-300")):
        yield f"zCDP to ε {r}, {d}", lambda r=r, d=d: accounting.zcdp_to_epsilon(r, d), lambda r=r, d=d: zcdp_epsilon(r, d), 29  # noqa: E501  # fmt: skip
        yield f"zCDP to ε, classical {r}, {d}", lambda r=r, d=d: accounting.zcdp_to_epsilon_classical(r, d), lambda r=r, d=d: dec(r) + 2 * (-dec(r) * ln(d)).sqrt(), 56  # noqa: E501  # fmt: skip
    for r, e in (("1/2", 5), ("1/1000", "1/2"), (2, 0), ("1/10", 30)):
        yield f"zCDP to δ {r}, {e}", lambda r=r, e=e: accounting.zcdp_to_delta(r, e), lambda r=r, e=e: zcdp_delta(r, e), 28  # noqa: E501  # fmt: skip
    for a, e, n in ((2, 1, 1), ("11/10", "1/50", 70), (64, 3, 5), (1000, "1/2", 10**6)):
        yield f"RDP of Laplace {a}, {e}, {n}", lambda a=a, e=e, n=n: accounting.rdp_laplace(a, e, n), lambda a=a, e=e, n=n: rdp_laplace(a, e, n), 141  # noqa: E501  # fmt: skip
    yield "RDP of Gaussian", lambda: accounting.rdp_gaussian(4, 3, 2, 5), lambda: F(4 * 5 * 4, 2 * 9), 30
    for d in ("1e-6", "1/3"):
        yield f"RDP to ε {d}", lambda d=d: accounting.rdp_to_epsilon(lambda a: accounting.rdp_laplace(a, "1/10", 70), d), lambda d=d: rdp_epsilon(lambda a: rdp_laplace(a, "1/10", 70), d), 140  # noqa: E501  # fmt: skip
    for e, t in ((1, "1/3"), ("1/2", 0)):
        yield f"Laplace δ {e}, {t}", lambda e=e, t=t: LossDistribution.laplace(e, step="1/400").delta(t), lambda e=e, t=t: 1 - exp((F(t) - F(e)) / 2), 2  # noqa: E501  # fmt: skip
        yield f"Laplace ε {e}", lambda e=e: LossDistribution.laplace(e, step="1/400").epsilon("1/20"), lambda e=e: dec(e) + 2 * ln("19/20"), 2  # noqa: E501  # fmt: skip
        yield f"coin δ {e}, {t}", lambda e=e, t=t: LossDistribution.randomised_response(e, step=F(e) / 6).delta(t), lambda e=e, t=t: coins_delta(e, 1, F(t)), 26  # noqa: E501  # fmt: skip
        yield f"coins δ {e}, {t}", lambda e=e, t=t: LossDistribution.discrete_laplace(e, step=e).compose(9).delta(t), lambda e=e, t=t: coins_delta(e, 9, F(t)), 26  # noqa: E501  # fmt: skip
        yield f"coins ε {e}", lambda e=e: LossDistribution.discrete_laplace(e, step=e).compose(9).epsilon("1e-3"), lambda e=e: coins_epsilon(e, 9, F("1e-3")), 26  # noqa: E501  # fmt: skip
    for mu, t in ((1, "1/2"), ("1/3", "1/4")):
        yield f"Gaussian δ {mu}, {t}", lambda m=mu, t=t: LossDistribution.gaussian(1, m, step="1/100").delta(t), lambda m=mu, t=t: gaussian_delta(m, t), 0  # noqa: E501  # fmt: skip
    for z in ("-3", "-1/9", "1/9", "2", "7", "12"):
        yield f"normal tail {z}", lambda z=z: normal_tail(F(z)), lambda z=z: normal_cdf(-F(z)), 44 - int(max(0, F(z)) ** 2 / 4 - (F(z) > 7))  # noqa: E501  # fmt: skip
    for k, m in ((1, 2), (64, 3), (65, 3), (300, 40), (1025, 2)):
        yield f"Pólya coefficient {k}, {m}", lambda k=k, m=m: coefficient(k, m, 70), lambda k=k, m=m: dec(rising(k, m)), 66  # noqa: E501  # fmt: skip
        yield f"multiplied out {k}, {m}", lambda k=k, m=m: multiplied_out(k, m, 90), lambda k=k, m=m: dec(rising(k, m)), 87  # noqa: E501  # fmt: skip
        yield f"Pólya weight {k}, {m}", lambda k=k, m=m: NegativeBinomialWeights(Rate.of(epsilon="1/7"), m).enclosure(k, 60), lambda k=k, m=m: dec(rising(k, m)) * exp(-F(k, 7)), 56  # noqa: E501  # fmt: skip
    for x in (64, 200, 1025):
        yield f"Stirling {x}", lambda x=x: stirling(F(x), 80), lambda x=x: log_gamma_rest(x), 70
    yield "product", lambda: product(exp_enclosure(F(-3)), log_enclosure(F(5))), lambda: exp(-3) * ln(5), 36
    yield "sum", lambda: Enclosure.sum([exp_enclosure(F(-3)), log_enclosure(F(5)), Enclosure.exactly(F(2))]), lambda: exp(-3) + ln(5) + 2, 36  # noqa: E501  # fmt: skip
    yield "difference", lambda: exp_enclosure(F(2)) - log_enclosure(F(5)), lambda: exp(2) - ln(5), 36
    yield "quotient", lambda: 3 / (1 - exp_enclosure(F(-2))), lambda: 3 / (1 - exp(-2)), 36


CASES = list(cases())


@pytest.mark.parametrize(("found", "truth", "digits"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_both_ends(found, truth, digits):
    check(found, truth, digits)


small = st.fractions(Fraction(1, 50), 3, max_denominator=50)


@settings(max_examples=max(20, settings().max_examples // 2), deadline=None)
@given(small, st.integers(65, 2000), st.integers(15, 60), st.fractions(Fraction(1, 97), Fraction(96, 97)))
def test_both_ends_at_any_number(x, k, digits, alpha):
    """An end that is off by one unit of the last place shows at some number, if not at those of the cases above."""
    truth = {
        exp_enclosure: lambda: exp(x),
        log_enclosure: lambda: ln(x),
        decay: lambda: exp(-x),
        logarithm: lambda: ln(x),
    }
    for function, value in truth.items():
        if function(x, digits).lower < function(x, digits).upper:
            check(lambda f=function: f(x, digits), value, digits - 4)
    power = Rate.of(alpha=alpha).power(k, digits)
    assert power.lower < alpha**k < power.upper and power.upper - power.lower < alpha**k / 10 ** (digits - 3)
    check(lambda: Rate.of(epsilon=x).power(k, digits), lambda: exp(-k * x), digits - 4)
    tail = mechanisms.discrete_laplace_tail(k, x)
    check(lambda: tail, lambda: 2 * exp(-(k + 1) * x) / (1 + exp(-x)), 35)


@settings(max_examples=max(20, settings().max_examples // 4), deadline=None)
@given(small, st.integers(1, 40), st.fractions(0, 1), st.integers(0, 12))
def test_both_ends_of_compositions(epsilon, k, share, zeros):
    """Of any number of releases, at any δ and ε'."""
    delta = max(share, Fraction(1, 10)) / 10**zeros * Fraction(9, 10)
    found = accounting.compose_optimal(epsilon, k, delta)
    if found.lower > 0:
        check(lambda: found, lambda: coins_epsilon(epsilon, k, delta), 20)
    target = share * k * epsilon * Fraction(99, 100)
    check(lambda: accounting.optimal_delta(epsilon, k, target), lambda: coins_delta(epsilon, k, target), 20)


def test_every_function_that_returns_an_enclosure_is_here():
    """Of the public rooms; by what its signature says that it returns. (Those of `dlpa` have a test of their own.)"""
    rooms = (exact, mechanisms, accounting, privacy)
    names = {name for room in rooms for name in room.__all__ if "Enclosure" in str(returned(getattr(room, name)))}
    text = inspect.getsource(cases) + inspect.getsource(law_cases)
    assert not {name for name in names if f"{name}(" not in text} and len(names) > 15
    methods = {name for name, method in vars(LossDistribution).items() if "Enclosure" in str(returned(method))}
    assert methods == {"delta", "epsilon"}


def returned(thing):
    return getattr(thing, "__annotations__", {}).get("return", "")


def test_the_coverage_of_an_interval():
    """1 − the tail: both ends, and not less than was asked for."""
    for e, simultaneous in (("1/3", 1), ("1/50", 7)):
        found = mechanisms.count_interval(40, e, confidence="0.99", simultaneous=simultaneous)

        def truth(e=e, t=found.half_width):
            return 1 - 2 * exp(-Fraction(e) * (t + 1)) / (1 + exp(-Fraction(e)))

        check(lambda found=found: found.coverage, truth, 30)
        assert found.coverage.lower >= Fraction(99, 100)
