"""Values computed another way, in decimals of many digits: sums term by term, searches for a minimum, power series."""

import decimal
import itertools
import math
from decimal import Decimal
from fractions import Fraction
from functools import cache

from fdpedu.accounting import renyi

CONTEXT = decimal.Context(
    prec=300, rounding=decimal.ROUND_HALF_EVEN, Emin=decimal.MIN_EMIN, Emax=decimal.MAX_EMAX, traps=[]
)


def dec(x):
    x = Fraction(x)
    return Decimal(x.numerator) / Decimal(x.denominator)


def exp(x):
    return dec(x).exp() if not isinstance(x, Decimal) else x.exp()


def ln(x):
    return dec(x).ln() if not isinstance(x, Decimal) else x.ln()


def precision(digits):
    """The digits of the independent value."""
    return 300 if digits > 90 else 130


def gaussian_sum(variance, start=None):
    """Σ e^{−k²/2σ²} over k ≥ start, or over all integers; term by term until nothing is added.

    All of a wide one is σ√2π, by Poisson's summation: the next term is e^{−2π²σ²} times that.
    """
    if start is None and variance > 25:
        return (2 * pi() * dec(variance)).sqrt()
    reach = int(40 * math.sqrt(variance)) + 40
    first = -reach if start is None else start
    return sum((exp(-Fraction(k * k) / (2 * variance)) for k in range(first, max(first, 0) + reach)), Decimal(0))


def normal_cdf(z):
    """Φ(z) by the power series of the error function."""
    z, total = dec(z), Decimal(0)
    term, n = z, 0
    while abs(term) > Decimal(10) ** -decimal.getcontext().prec:
        total += term / (2 * n + 1)
        n += 1
        term = -term * z * z / (2 * n)
    return Decimal("0.5") + total / (2 * pi()).sqrt()


@cache
def pi():
    """Machin: π = 16·arctan(1/5) − 4·arctan(1/239)."""

    def arctan(q):
        return sum((Decimal((-1) ** n) / ((2 * n + 1) * Decimal(q) ** (2 * n + 1)) for n in range(260)), Decimal(0))

    with decimal.localcontext(CONTEXT):
        return 16 * arctan(5) - 4 * arctan(239)


def least(function, low, high, steps=230):
    """The minimum of a function with one valley between the two, by thirds; the value is right to twice the digits."""
    low, high = Decimal(low), Decimal(high)
    for _ in range(steps):
        third = (high - low) / 3
        if function(low + third) < function(high - third):
            high -= third
        else:
            low += third
    return function((low + high) / 2)


def zcdp_epsilon(rho, delta):
    """Over the orders α = 1 + e^t the least of αρ + (ln(1/δ) + α·ln(1 − 1/α) − ln(α − 1))/(α − 1)."""
    r, log = dec(rho), -ln(delta)

    def at(t):
        u = t.exp()
        a = 1 + u
        return a * r + (log + a * (u / a).ln() - u.ln()) / u

    return max(Decimal(0), least(at, -20, 20))


def zcdp_delta(rho, epsilon):
    r, e = dec(rho), dec(epsilon)

    def at(t):
        u = t.exp()
        a = 1 + u
        return u * (a * r - e) - u.ln() + a * (u / a).ln()

    return min(Decimal(1), least(at, -20, 20).exp())


def coins_delta(epsilon, k, target):
    """Σ over the outcomes of k coins of what p has beyond e^{ε'}·q."""
    e, t = dec(epsilon), dec(target) if not isinstance(target, Decimal) else target
    return sum(
        (
            math.comb(k, i) * (((k - i) * e).exp() - (t + i * e).exp())
            for i in range(k + 1)
            if (k - 2 * i) * e > t
        ),
        Decimal(0),
    ) / (1 + e.exp()) ** k  # fmt: skip


def coins_epsilon(epsilon, k, delta):
    """Where δ(ε') = A − e^{ε'}·B falls to δ: on one of the intervals between two losses, A and B are constant."""
    e, d = dec(epsilon), dec(delta)
    a = b = Decimal(0)
    for i in range(k + 1):
        a += math.comb(k, i) * ((k - i) * e).exp()
        b += math.comb(k, i) * (i * e).exp()
        rest = a - d * (1 + e.exp()) ** k
        if rest > 0 and (rest / b).ln() >= (k - 2 * (i + 1)) * e:
            return max(Decimal(0), (rest / b).ln())
    return Decimal(0)


def insider(epsilon, parties, colluders, tolerate):
    """ln(Pr[0]/Pr[1]) of the difference of two NB(τ, α) numbers, from their weights, term by term."""
    tau, alpha = Fraction(parties - colluders, parties - tolerate), exp(-Fraction(epsilon))
    terms = int(150 / Fraction(epsilon))
    w = [Decimal(1)]
    for i in range(terms):
        w.append(w[-1] * alpha * dec((tau + i) / (i + 1)))
    zero, one = (sum((a * b for a, b in zip(w, w[d:], strict=False)), Decimal(0)) for d in (0, 1))
    return (zero / one).ln()


@cache
def choice(utilities, epsilon, rule):
    """The law of a choice with weights e^{−ε·gap/2}: all of them at once, in every order, or by noise."""
    gaps = [max(utilities) - u for u in utilities]
    w = [exp(-Fraction(epsilon) * gap / 2) for gap in gaps]
    n = len(w)
    if rule == "exponential":
        return [p / sum(w) for p in w]
    if rule == "permute and flip":
        law = [Decimal(0)] * n
        for order in itertools.permutations(range(n)):
            missed = Decimal(1)
            for r in order:
                law[r] += missed * w[r] / math.factorial(n)
                missed *= 1 - w[r]
        return law
    unit, law = exp(-Fraction(epsilon) / 2), [Decimal(0)] * n  # geometric noise, ties to the first
    for r in range(n):
        for z in range(max(0, -gaps[r]), int(500 / Fraction(epsilon))):  # the winner's number above the best utility
            own, others = (1 - unit) * unit ** (z + gaps[r]), Decimal(1)
            for s in range(n):
                if s != r:
                    others *= 1 - unit ** (z + gaps[s] + (1 if s > r else 0))
            law[r] += own * others
    return law


def error(law, utilities):
    return sum((p * (max(utilities) - u) for p, u in zip(law, utilities, strict=True)), Decimal(0))


def leaf_constant(classes):
    """The largest 2·ln(1/p)·(1 − (1 − (1−p)^K)/(K·p)) over p = e^{−t}."""

    def negative(t):
        p = (-t).exp()
        return -2 * t * (1 - (1 - (1 - p) ** classes) / (classes * p))

    return -least(negative, "0.0001", 12, 110)


def snapped(k, value, epsilon, grid):
    """The mass of a cell under a Laplace density, by its distribution function."""

    def below(x):
        x = (Fraction(x) - Fraction(value)) * Fraction(epsilon)
        return exp(x) / 2 if x < 0 else 1 - exp(-x) / 2

    g = Fraction(grid)
    return below((k + Fraction(1, 2)) * g) - below((k - Fraction(1, 2)) * g)


def gaussian_delta(mu, epsilon):
    m, e = Fraction(mu), Fraction(epsilon)
    return normal_cdf(m / 2 - e / m) - exp(e) * normal_cdf(-m / 2 - e / m)


def rdp_laplace(order, epsilon, times):
    a, e = dec(order), dec(epsilon)
    inside = a / (2 * a - 1) * ((a - 1) * e).exp() + (a - 1) / (2 * a - 1) * (-a * e).exp()
    return times * inside.ln() / (a - 1)


def rdp_epsilon(curve, delta):
    """The best of all orders that are tried, as the conversion is printed."""
    best = (curve(a) + ln(1 - 1 / a) - (ln(delta) + ln(a)) / dec(a - 1) for a in renyi.ORDERS)
    return max(Decimal(0), min(best))


def rising(k, m):
    """Γ(k + 1/m)/(k!·Γ(1/m)), the product as it stands."""
    return math.prod((Fraction((i - 1) * m + 1, i * m) for i in range(1, k + 1)), start=Fraction(1))


def log_gamma_rest(x):
    """lnΓ(x) − (x−½)·ln x + x − ½·ln 2π for an integer x."""
    return ln(math.factorial(x - 1)) - (dec(x) - Decimal("0.5")) * ln(x) + x - (2 * pi()).ln() / 2
