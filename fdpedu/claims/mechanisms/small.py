"""The small zoo, chapter 3: choosing and answering on domains that one can go through by hand, beside plausible bugs.

>>> print(next(both for both in SMALL_PAIRS if both.name == "the two forgotten").verdict("broken"))
fails, [] against ['a']: P = 0.50 on {b}, less than 4 × 0.0589 allowed; the actual ε is at least ln(17/2)
"""

from __future__ import annotations

from fractions import Fraction

from fdpedu.claims.privacy.small import HALF, Data, SoundAndBroken, geometric
from fdpedu.exact import Enclosure
from fdpedu.mechanisms import exponential_pmf, randomised_response_pmf, report_noisy_max_pmf
from fdpedu.privacy import Law

HIGHEST = 5  # released counts are cut here, which is post-processing


def _exactly(value: Fraction | Enclosure) -> Fraction:
    assert isinstance(value, Fraction)
    return value


def _counts(data: Data) -> tuple[int, int]:
    return data.count("a"), data.count("b")


def more_of(data: Data, base: Fraction) -> Law:
    """Which of a and b is more frequent, by the exponential mechanism; utilities are the differences, one for each."""
    a, b = _counts(data)
    return {x: _exactly(p) for x, p in zip("ab", exponential_pmf([a - b, b - a], alpha=base), strict=True)}


def frequent(data: Data, candidates: str) -> Law:
    """A candidate with many records, by the exponential mechanism without the two, for counts are monotone."""
    if not candidates:
        return {"nobody": Fraction(1)}
    law = exponential_pmf([data.count(x) for x in candidates], alpha=HALF)
    return {x: _exactly(p) for x, p in zip(candidates, law, strict=True)}


def noisy_winner(data: Data) -> Law:
    """The larger of two counts with one-sided geometric noise on each; ties go to a."""
    return {x: _exactly(p) for x, p in zip("ab", report_noisy_max_pmf(_counts(data), alpha=HALF), strict=True)}


def winner_and_fresh_count(data: Data) -> Law:
    """The winner, and his count with noise that has been used for nothing else."""
    return {(x, value): p * q for x, p in noisy_winner(data).items() for value, q in geometric(data.count(x)).items()}


def winner_and_noisy_count(data: Data) -> Law:
    """The winner, and the noisy count that made him win."""
    a, b = _counts(data)
    law: Law = {}
    for x, own, other, strict in (("a", a, b, 0), ("b", b, a, 1)):
        for value in range(own, HIGHEST):
            loses = 1 - HALF ** max(0, value - other + 1 - strict)
            law[x, value] = HALF * HALF ** (value - own) * loses
        law[x, HIGHEST] = noisy_winner(data)[x] - sum(law.get((x, value), Fraction(0)) for value in range(HIGHEST))
    return {outcome: mass for outcome, mass in law.items() if mass}


def same_noise(data: Data) -> Law:
    """The larger of two counts with one and the same noise on both: the larger one as it is."""
    a, b = _counts(data)
    return {"a" if a >= b else "b": Fraction(1)}


def diagnosis(data: Data, truth: Fraction) -> Law:
    """What the one patient with diagnosis 0, 1 or 2 reports, who tells the truth with that probability."""
    return (
        {answer: truth if answer == data[0] else (1 - truth) / 2 for answer in range(3)} if data else {"": Fraction(1)}
    )


SMALL_PAIRS = (
    SoundAndBroken(
        "the two forgotten",
        "The normalising sum is a constant.",
        sound=lambda data: more_of(data, HALF),
        broken=lambda data: more_of(data, HALF**2),
        universe=("a", "b"),
        exp_epsilon=4,
        pair=((), ("a",)),
    ),
    SoundAndBroken(
        "candidates from the data",
        "A category that nobody has need not be a candidate.",
        sound=lambda data: frequent(data, "ab"),
        broken=lambda data: frequent(data, "".join(x for x in "ab" if x in data)),
        universe=("a", "b"),
        exp_epsilon=2,
        pair=((), ("a",)),
    ),
    SoundAndBroken(
        "the winner's count too",
        "Its noise hides the winning count as well.",
        sound=winner_and_fresh_count,
        broken=winner_and_noisy_count,
        universe=("a", "b"),
        exp_epsilon=4,
        pair=((), ("a",)),
    ),
    SoundAndBroken(
        "one noise for all counts",
        "Noise that hides one count will hide which is larger.",
        sound=noisy_winner,
        broken=same_noise,
        universe=("a", "b"),
        exp_epsilon=2,
        pair=((), ("b",)),
    ),
    SoundAndBroken(
        "one lie shared out",
        "How often the truth is reported decides about ε, whatever the other answers are.",
        sound=lambda data: diagnosis(data, _exactly(randomised_response_pmf(0, 0, categories=3, alpha=Fraction(1, 3)))),
        broken=lambda data: diagnosis(data, Fraction(3, 4)),
        universe=(0, 1, 2),
        exp_epsilon=3,
        pair=((0,), (1,)),
        max_size=1,
        relation="substitution",
    ),
)


def named(*names: str) -> list[tuple[SoundAndBroken]]:
    """The pairs of these names, each a case."""
    by_name = {both.name: both for both in SMALL_PAIRS}
    return [(by_name[name],) for name in names]
