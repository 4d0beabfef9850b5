"""Bets against ε, and against ε and δ: guesses, odds and the fee, on laws that can all be written down."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import isclose, log

from fdpedu.audit import Bet, predicted_runs
from fdpedu.audit.betting import STAKES
from fdpedu.audit.events import Given
from fdpedu.audit.outputs import Outputs
from fdpedu.claims.audit.wealth import ALL_BEFORE, ODDS, PAIR, least_favourable, own_wealth
from fdpedu.claims.checking import require
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.exact import exp_enclosure

Law = tuple[int, ...]  # probabilities in units
Sides = tuple[int, ...]  # of each output the guess: 1, −1 or 0
CLOSE = Fraction(1, 2**60)


def laws(outputs: int, units: int) -> Iterator[Law]:
    """All laws on so many outputs, in so many units."""
    if outputs == 1:
        yield (units,)
    else:
        yield from ((first, *rest) for first in range(units + 1) for rest in laws(outputs - 1, units - first))


def within(p: Law, q: Law, factor: int, extra: int = 0) -> bool:
    """Whether no event exceeds ``factor`` times its probability on the other side by more than ``extra`` units."""
    beyond = ([max(0, one - factor * other) for one, other in zip(*pair, strict=True)] for pair in ((p, q), (q, p)))
    return all(sum(parts) <= extra for parts in beyond)


def guesses_of(sides: Sides) -> Sides:
    """What the library makes of an event with these sets."""
    event = Given(lambda y: sides[y] == 1, lambda y: sides[y] == -1)
    return tuple(event.guesses(Outputs(list(range(len(sides))))).tolist())


def counted(p: Law, q: Law, guesses: Sides) -> tuple[int, int, int]:
    """In units of both coins together: right guesses, wrong ones, none."""
    right = sum(q[k] if g == 1 else p[k] for k, g in enumerate(guesses) if g)
    wrong = sum(p[k] if g == 1 else q[k] for k, g in enumerate(guesses) if g)
    return right, wrong, sum(p) + sum(q) - right - wrong


def how_often_right(factor: int, outputs: int, units: int) -> None:
    """Whatever keeps to e^ε, and whatever the sets are: right guesses are at most e^ε times the wrong ones.

    A guess of D′ is made on S₁, of D on S₀; and somewhere the bound is attained.
    """
    attained = False
    events = {sides: guesses_of(sides) for sides in product((0, 1, -1), repeat=outputs)}
    for sides, guesses in events.items():
        require(sides == guesses, f"with the sets {sides} it guesses {guesses}")
    for p, q in product(laws(outputs, units), repeat=2):
        if within(p, q, factor):
            for guesses in events.values():
                right, wrong, _ = counted(p, q, guesses)
                require(right <= factor * wrong, f"p = {p}, q = {q}, guesses {guesses}: {right} right, {wrong} wrong")
                attained |= right == factor * wrong > 0
    require(attained or units % (factor + 1), "the bound is never attained")


def sum_of_gamblers(odds: Fraction, fee: Fraction, right: int, wrong: int, none: int) -> None:
    """The wealth is what 64 gamblers own who play run by run; as a float, too; and 1/α is reached iff it is."""
    bet, own = Bet(odds, fee), own_wealth(odds, fee, [1] * right + [-1] * wrong + [0] * none)
    found = bet.wealth(right, wrong, none)
    require(found == own, f"the wealth is {float(found)}, 64 gamblers own {float(own)}")
    told = float(bet.log_wealth(right, wrong, none))
    require(isclose(told, log(own), rel_tol=1e-9, abs_tol=1e-9), f"the logarithm is {told}, not {log(own)}")
    for level, reached in ((own, None), (own * (1 + CLOSE), False), (own * (1 - CLOSE), True)):
        decided = bet.reaches(level, right, wrong, none)
        require(decided is reached or reached is None, f"wealth {float(own)}: reaches {level} is {decided}")


def counts(most: int) -> Iterator[tuple[Fraction, Fraction, int, int, int]]:
    """Three odds, no fee and one, few runs of each kind; the fewest first."""
    numbers = sorted(product(range(0, most + 1, 2), repeat=3), key=sum)
    return ((odds, fee, *n) for n in numbers for odds in ODDS for fee in (Fraction(0), Fraction(1, 12)))  # type: ignore[misc]


def fair(odds: Fraction, right: int, wrong: int) -> None:
    """If guesses are right as often as the claim allows, the mean wealth after one more run is the wealth before it."""
    bet, (r, w, _) = Bet(odds), least_favourable(odds, Fraction(1))
    mean = r * bet.wealth(right + 1, wrong) + w * bet.wealth(right, wrong + 1)
    require(mean == bet.wealth(right, wrong), f"the mean wealth is {mean}, before it was {bet.wealth(right, wrong)}")


def fastest(epsilon: Fraction, share: Fraction) -> None:
    """The stake (π−π₀)/(1−π₀) makes the logarithm grow by the divergence, and no gambler's stake by more.

    And the predicted number of runs is where a wealth of 64 gamblers with the expected counts is first 10⁶.
    """
    odds = float(Bet.against(epsilon).odds)
    even, pi = 1 / (1 + odds), float(share)
    divergence = pi * log(pi / even) + (1 - pi) * log((1 - pi) / (1 - even))

    def growth(u: float) -> float:
        return pi * log(1 + odds * u) + (1 - pi) * log(1 - u)

    best = growth((pi - even) / (1 - even))
    require(isclose(best, divergence, rel_tol=1e-9), f"it grows by {best}, the divergence is {divergence}")
    require(all(growth(float(u)) <= best + 1e-12 for u in STAKES), "some stake grows faster")
    for delta, guessing in ((Fraction(0), 1.0), (Fraction(1, 100), 0.5)):  # with a fee for every other run
        right, wrong, bet = guessing * pi, guessing * (1 - pi), Bet.against(epsilon, delta)
        n = predicted_runs(right, wrong, epsilon=epsilon, delta=delta)
        grown = [_grown(bet, runs * right, runs * wrong, runs * (1 - guessing)) for runs in (n or 0, (n or 0) - 1)]
        require(n is not None and grown[0] >= 10**6 > grown[1], f"predicted are {n} runs, with δ = {delta}")


def _grown(bet: Bet, right: float, wrong: float, none: float) -> float:
    """What 64 gamblers own on average after so many runs of each kind, which need not be whole numbers."""
    c, d, stakes = float(bet.odds), float(bet.fee), map(float, STAKES)
    return sum((1 + c * u) ** right * (1 - u) ** wrong * (1 - d * u) ** none for u in stakes) / 64


def never_better_than_fair(epsilon: Fraction) -> None:
    """Odds are at most e^−ε, and within 2⁻⁶⁰ of it."""
    found, exact = Bet.against(epsilon), 1 / exp_enclosure(epsilon)
    require(found.odds <= exact.lower or found.odds <= exact.upper - CLOSE / 2**8, f"{found.odds} may exceed {exact}")
    require(found.odds >= exact.lower - CLOSE and found.fee == 0, f"{found} is far from {exact}")


LN2 = Fraction(799144290325165979, 1152921504606846976) + Fraction(1, 2**60)  # a little more than ln 2


def with_delta(extra: int, outputs: int, units: int) -> None:
    """Whatever keeps to e^ε = 2 and δ, and whatever the sets are: no stake has a mean factor above 1."""
    delta = Fraction(extra, units)
    bets = {r: Bet.against(LN2, delta, r) for r in (1, 2)}
    for p, q in product(laws(outputs, units), repeat=2):
        if within(p, q, 2, extra):
            for sides in product((0, 1, -1), repeat=outputs):
                bet = bets[2 if 1 in sides and -1 in sides else 1]
                right, wrong, none = counted(p, q, sides)
                gain = right * bet.odds - wrong - none * bet.fee
                require(gain <= 0, f"δ = {delta}, p = {p}, q = {q}, guesses {sides}: a stake gains {float(gain):.4f}")
    for r, bet in bets.items():
        exact = (2 - r * delta) / (4 + r * delta), r * delta / (4 + r * delta)
        near = abs(bet.odds - exact[0]) <= 2 * CLOSE and abs(bet.fee - exact[1]) <= 2 * CLOSE
        require(near, f"with {r} directions the odds are {float(bet.odds)}, the fee is {float(bet.fee)}")


CLAIMS = (
    Claim(
        "lem-guess",
        status="proved+checked",
        code=("fdpedu.audit.events.Given",),
        checks=(
            Check(
                "all laws",
                "exhaustive",
                "e^ε = 2 and 3, all pairs of distributions on two and three outputs in {size} units, and all sets",
                how_often_right,
                lambda units: ((factor, outputs, units) for outputs in (2, 3) for factor in (2, 3)),
                6,
                12,
            ),
        ),
        assumptions=(PAIR, "a fair coin chooses the data"),
        uses=("thm-randomised-response",),
    ),
    Claim(
        "thm-two-sided-bet",
        status="proved+checked",
        code=("fdpedu.audit.betting.Bet",),
        checks=(
            Check(
                "gamblers",
                "exact",
                "three odds, with a fee and without, up to {size} runs of each kind: the wealth run by run",
                sum_of_gamblers,
                counts,
                4,
                10,
            ),
            Check(
                "fair",
                "exact",
                "three odds, up to {size} right and wrong guesses: one more run leaves the mean as it is",
                fair,
                lambda most: product(ODDS, range(most + 1), range(most + 1)),
                3,
                12,
            ),
            Check(
                "fastest",
                "exact",
                "ε = 1/2, 1, 2 and shares up to {size} hundredths: growth, best stake, predicted runs",
                fastest,
                lambda most: ((Fraction(e), Fraction(k, 100)) for e in ("1/2", "1", "2") for k in range(92, most, 2)),
                97,
                99,
            ),
            Check(
                "odds",
                "exact",
                "ε in steps of 1/7 up to {size} steps: odds are rounded down",
                never_better_than_fair,
                lambda most: ((Fraction(k, 7),) for k in range(most)),
                40,
                300,
            ),
        ),
        assumptions=(ALL_BEFORE, PAIR),
        uses=("def-wealth", "lem-guess"),
    ),
    Claim(
        "thm-approximate-bet",
        status="proved+checked",
        code=("fdpedu.audit.betting.Bet.against",),
        checks=(
            Check(
                "all laws with a δ",
                "exhaustive",
                "e^ε = 2, δ up to {size} of 8 units, all pairs of distributions on three outputs, all sets, in "
                "fractions",
                with_delta,
                lambda most: ((extra, 3, 8) for extra in range(most + 1)),
                3,
                7,
            ),
        ),
        assumptions=(ALL_BEFORE, PAIR),
        uses=("def-wealth", "lem-guess"),
    ),
)

TWINS = (
    Broken(
        "guesses exchanged",
        "fdpedu.audit.events.Given.guesses",
        "first.astype(np.int8) - second.astype(np.int8)",
        "second.astype(np.int8) - first.astype(np.int8)",
        "Which of the two is called D′ makes no difference.",
        "lem-guess",
        "all laws",
    ),
    Broken(
        "odds rounded to the nearest",
        "fdpedu.audit.betting.Bet.against_any",
        "odds.rounded(64).lower",
        "odds.rounded(64).upper",
        "In the twentieth place nobody is cheated.",
        "thm-two-sided-bet",
        "odds",
    ),
    Broken(
        "runs without a guess are left out",
        "fdpedu.audit.betting.Bet.against_any",
        'slack = as_integer(directions, "directions", minimum=1, maximum=2) * as_delta(delta)',
        "slack = 0 * as_delta(delta)",
        "Given that a guess is made it is right with the probability that ε allows, so other runs may be left out.",
        "thm-approximate-bet",
        "all laws with a δ",
    ),
    Broken(
        "one δ for both directions",
        "fdpedu.audit.betting.Bet.against_any",
        'slack = as_integer(directions, "directions", minimum=1, maximum=2) * as_delta(delta)',
        "slack = as_delta(delta)",
        "The claim has one δ.",
        "thm-approximate-bet",
        "all laws with a δ",
    ),
)
