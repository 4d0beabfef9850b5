"""How often the noise of a bound removes the better feature."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction

from fdpedu.bounds import pruning_probability
from fdpedu.claims.checking import require
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.claims.replay import bounds
from fdpedu.exact import Rate, exp_enclosure
from fdpedu.mechanisms import discrete_laplace_pmf
from fdpedu.mechanisms.counts import discrete_laplace_noise
from fdpedu.randomness import Rehearsal

FALSE_ALARM = 1e-8  # of a right sampler, in each setting


def summed(gap: Fraction, epsilon: Fraction, features: int, lattice: int) -> None:
    """The probability is that of all noise for which the noisy bound is above the threshold, added up.

    The bound B is a number of steps, the threshold (B + m·gap)/m, and noise k removes if (B + k)/m is greater. The sum
    ends where what is left of it is smaller than 10⁻¹⁵.
    """
    rate = epsilon / (features * lattice)
    last = math.ceil(abs(gap) * lattice + 35 / rate)
    masses = {k: bounds(discrete_laplace_pmf(k, rate)) for k in range(last + 1)}
    removed = [k for k in range(-last, last + 1) if Fraction(7 * lattice + k, lattice) > 7 + gap]
    low = sum(masses[abs(k)][0] for k in removed)
    high = sum(masses[abs(k)][1] for k in removed) + Fraction(1, 10**15)
    stated = pruning_probability(gap, epsilon, features, lattice)
    require(
        stated.lower <= high and low <= stated.upper and stated.upper - stated.lower < Fraction(1, 10**20),
        f"stated {stated}, summed {float(low):.9f}",
    )


def between(gap: Fraction, epsilon: Fraction, features: int, lattice: int) -> None:
    """For gap ≥ 0 it lies between halves of e^{−ε(gap ± 1/m)/p}; opposite gaps have complements."""
    stated = pruning_probability(gap, epsilon, features, lattice)
    low, high = (exp_enclosure(-epsilon * (gap + Fraction(step, lattice)) / features) for step in (1, -1))
    require(low.lower / 2 <= stated.upper, f"{stated} is below half of {low}")
    require(stated.lower <= high.upper / 2, f"{stated} is above half of {high}")
    # Noise above a number of steps, and noise of at most that, whose opposite is above the opposite less a step.
    steps = math.floor(gap * lattice)
    whole = stated + pruning_probability(Fraction(-steps - 1, lattice), epsilon, features, lattice)
    require(whole.lower <= 1 <= whole.upper, f"with the opposite it adds up to {whole}, not to 1")


def drawn(gap: Fraction, epsilon: Fraction, features: int, lattice: int, seed: int, n: int) -> None:
    """Of n bounds with shipped noise so many are above the threshold, by Hoeffding's inequality at 10⁻⁸."""
    rate = Rate(rate=epsilon / (features * lattice))
    noise = discrete_laplace_noise(rate, n, Rehearsal(seed)).tolist()
    found = sum(Fraction(k, lattice) > gap for k in noise)
    stated = n * float(pruning_probability(gap, epsilon, features, lattice))
    require(
        abs(found - stated) <= math.sqrt(n / 2 * math.log(2 / FALSE_ALARM)),
        f"{found} of {n} are removed, stated {stated:.0f}",
    )


def few(_: int) -> Iterator[tuple[Fraction, Fraction, int, int]]:
    """Gaps of both signs, on the lattice and between its steps, with rates for which the sums are short."""
    for gap in ("0", "1", "7/2", "-1/2", "-3", "1/3"):
        for epsilon, features, lattice in (("1", 1, 1), ("1", 3, 1), ("2", 2, 4)):
            yield Fraction(gap), Fraction(epsilon), features, lattice


def draws(n: int) -> Iterator[tuple[Fraction, Fraction, int, int, int, int]]:
    """The report's setting at ε = 1 and at ε = 10, and two others, with so many draws."""
    settings = ((60, "1/40", 10, 1), (60, "1/4", 10, 4), (30, "1/2", 50, 1), (-5, "1", 4, 10))
    for seed, (gap, epsilon, features, lattice) in enumerate(settings):
        yield Fraction(gap), Fraction(epsilon), features, lattice, seed, n


def settings(most: int) -> Iterator[tuple[Fraction, Fraction, int, int]]:
    """Gaps from 0, numbers of features, lattices and budgets as trees have them."""
    for steps in range(most + 1):
        for epsilon, features, lattice in (("1/40", 10, 1), ("1/4", 50, 4), ("5/2", 3, 100)):
            yield Fraction(5 * steps, 3), Fraction(epsilon), features, lattice


CLAIMS = (
    Claim(
        "lem-pruning-probability",
        status="proved+checked",
        code=("fdpedu.bounds.pruning", "fdpedu.bounds.pruning.pruning_probability"),
        checks=(
            Check(
                "summed",
                "exact",
                "gaps of both signs, on the lattice and between its steps: against the noise, number by number",
                summed,
                few,
                more=[(Fraction(gap), Fraction(3), 2, 3) for gap in ("0", "2", "5/2", "-1/3", "-2")],
            ),
            Check(
                "between",
                "exact",
                "gaps from 0 to 5/3 of {size} in three settings: both ends, and the opposite gap",
                between,
                settings,
                8,
                60,
                more=[(Fraction(gap), Fraction(3), 2, 3) for gap in ("0", "2", "5/2", "1/3")],
            ),
            Check(
                "drawn",
                "statistical",
                "the shipped noise in four settings, {size} draws each",
                drawn,
                draws,
                4_000,
                200_000,
                alpha=4e-8,
            ),
        ),
        assumptions=(
            "nobody is missing and nobody colludes: the parties' shares add up to the stated noise",
            "the number that removes does not depend on the noise of this bound",
        ),
        uses=("thm-discrete-laplace", "lem-lattice-bound"),
    ),
)

TWINS = (
    Broken(
        "all of ε_bounds for each bound",
        "fdpedu.bounds.pruning.pruning_probability",
        "(features * steps)",
        "steps",
        "Bounds are made of sums over records, like histograms' cells: one ε serves them all.",
        "lem-pruning-probability",
        "drawn",
    ),
    Broken(
        "removed in a draw",
        "fdpedu.bounds.pruning.pruning_probability",
        "_tail(rate, above + 1)",
        "_tail(rate, max(above, 1))",
        "Whether equal numbers remove or not is a question of taste.",
        "lem-pruning-probability",
        "summed",
    ),
)
