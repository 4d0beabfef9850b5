"""The small zoo: mechanisms on domains that one can go through by hand, each beside a plausible bug.

Each pair is a sound and a broken mechanism that make the same claim. The same check, `check_mechanism` of chapter 2,
passes the sound one on all neighbours, and refutes the broken one with the smallest pair on which it fails. All laws
are finite tables of fractions, so nothing here is a matter of luck. (:mod:`fdpedu.claims.zoo` collects the bugs of the
shipped code.)

>>> both = next(both for both in SMALL_PAIRS if both.name == "half the scale")
>>> print(both.verdict("sound"))
holds, exactly, on 3 pairs of distributions
>>> print(both.verdict("broken"))
fails, [] against ['a']: P = 0.80 on {0}, at most 2 × 0.20 allowed; the actual ε is at least ln 4
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal

from fdpedu.claims.noisy_counts import clamped_law
from fdpedu.exact import as_fraction
from fdpedu.privacy import Law, Verdict, check_mechanism, mix, product_law, push_forward

Data = tuple[Any, ...]
Mechanism = Callable[[Data], Law]
HALF, QUARTER = Fraction(1, 2), Fraction(1, 4)
FAR = 12  # noise is cut here: further than any output, so that nothing is changed


@dataclass(frozen=True)
class SoundAndBroken:
    """A sound mechanism and a broken one with the same claim.

    Parameters
    ----------
    name : for people
    misconception : what one has to believe to build the broken one, in a sentence
    sound, broken : from a data set, a tuple in the order of the universe, to the law of the output
    universe : the possible records
    exp_epsilon : e^ε of the claim
    pair : the smallest neighbours that refute the broken one
    max_size, relation : which neighbours are looked at, all of them
    """

    name: str
    misconception: str
    sound: Mechanism = field(repr=False)
    broken: Mechanism = field(repr=False)
    universe: tuple[Any, ...]
    exp_epsilon: int
    pair: tuple[Data, Data]
    max_size: int = 3
    relation: str = "add-remove"

    def verdict(self, which: Literal["sound", "broken"], delta: Any = 0) -> Verdict:
        """The check, the same for both."""
        mechanism = self.sound if which == "sound" else self.broken
        bounds = {"max_size": self.max_size, "relation": self.relation}
        return check_mechanism(mechanism, self.universe, self.exp_epsilon, delta=delta, **bounds)  # type: ignore[arg-type]


def geometric(centre: int, alpha: Any = HALF, low: int = 0, high: int = 5) -> Law:
    """centre + discrete Laplace noise, clamped to low, …, high.

    >>> geometric(0, high=1)
    {0: Fraction(2, 3), 1: Fraction(1, 3)}
    """
    if not low <= centre <= high:
        raise ValueError(f"centre must lie between {low} and {high}, got {centre}")
    return clamped_law(as_fraction(alpha, "alpha"), centre, low, high)


def histogram(counts: tuple[int, ...], alpha: Any = HALF) -> Law:
    """Every count with noise of its own."""
    return product_law(*(geometric(count, alpha) for count in counts))


def _ab(data: Data) -> tuple[int, int]:
    return data.count("a"), data.count("b")


# --- The bugs ---


def exact_when_large(data: Data) -> Law:
    """The count as it is when it is at least 3, else a noisy one."""
    return {len(data): Fraction(1)} if len(data) >= 3 else geometric(len(data))


def positive_bins(data: Data) -> Law:
    """The bins whose noisy count is positive: post-processing of a noisy histogram."""
    return push_forward(
        histogram(_ab(data)), lambda noisy: {tuple(x for x in zip("ab", noisy, strict=True) if x[1]): 1}
    )


def occupied_bins(data: Data) -> Law:
    """Noisy counts of the bins in which there is somebody."""
    bins = sorted(set(data))
    noisy = histogram(tuple(data.count(name) for name in bins)) if bins else {(): Fraction(1)}
    return push_forward(noisy, lambda counts: {tuple(zip(bins, counts, strict=True)): 1})


def two_bins(data: Data, edge: Any) -> Law:
    """Noisy counts of the ages up to the edge, and above it."""
    young = sum(age <= edge for age in data)
    return histogram((young, len(data) - young))


def halfway(data: Data) -> Fraction:
    """Halfway between the least and the largest age in the data."""
    return Fraction(min(data) + max(data), 2) if data else Fraction(0)


def ill_of_all(data: Data) -> Law:
    """A noisy count of the ill, cut at the number of patients: "there cannot be more"."""
    return geometric(sum(data), high=len(data)) if data else {0: Fraction(1)}


def shared_noise(data: Data) -> Law:
    """Two counts with one and the same noise."""
    a, b = _ab(data)
    return push_forward(geometric(0, low=-FAR, high=FAR), lambda k: {(_clamp(a + k), _clamp(b + k)): 1})


def _clamp(value: int) -> int:
    return max(0, min(5, value))


def rounded(data: Data, unit: int) -> Law:
    """A noisy count, rounded down to a multiple of the unit."""
    return push_forward(geometric(len(data)), lambda k: {k - k % unit: 1})


def sometimes(data: Data, instead: Any) -> Law:
    """A noisy count; with probability 1/10 something else in its place."""
    return mix(["9/10", "1/10"], [geometric(len(data)), {instead: 1}])


def yes_answers(data: Data, truth: tuple[Any, Any]) -> Law:
    """How many say yes (1), when a patient whose truth is 0 or 1 says it with probability truth[0] or truth[1]."""
    said = product_law(*({1: truth[x], 0: 1 - truth[x]} for x in data))
    return push_forward(said, lambda answers: {sum(answers): 1})


SMALL_PAIRS = (
    SoundAndBroken(
        "half the scale",
        "A factor of 2 in the scale of the noise is harmless.",
        sound=lambda data: geometric(len(data)),
        broken=lambda data: geometric(len(data), QUARTER),
        universe=("a",),
        exp_epsilon=2,
        pair=((), ("a",)),
    ),
    SoundAndBroken(
        "substitution at the price of add/remove",
        "Changing a record is one change, so it costs one ε.",
        sound=lambda data: histogram(_ab(data), HALF),
        broken=lambda data: histogram(_ab(data), QUARTER),
        universe=("a", "b"),
        exp_epsilon=4,
        pair=(("a",), ("b",)),
        relation="substitution",
    ),
    SoundAndBroken(
        "exact above a threshold",
        "A large group hides its members, so only small counts need noise.",
        sound=lambda data: geometric(len(data)),
        broken=exact_when_large,
        universe=("a",),
        exp_epsilon=2,
        pair=(("a", "a"), ("a", "a", "a")),
    ),
    SoundAndBroken(
        "empty bins left out",
        "A bin that nobody is in has nothing to hide.",
        sound=positive_bins,
        broken=occupied_bins,
        universe=("a", "b"),
        exp_epsilon=2,
        pair=((), ("a",)),
    ),
    SoundAndBroken(
        "range from the data",
        "The edge of a bin is not an answer, so it may be chosen from the data.",
        sound=lambda data: two_bins(data, 1),
        broken=lambda data: two_bins(data, halfway(data)),
        universe=(0, 1, 2),
        exp_epsilon=2,
        pair=((1, 1), (0, 1, 1)),
    ),
    SoundAndBroken(
        "clamped at the data's own size",
        "An impossible answer looks bad: cut the noise where the data end.",
        sound=lambda data: geometric(sum(data)),
        broken=ill_of_all,
        universe=(0, 1),
        exp_epsilon=2,
        pair=((), (0,)),
    ),
    SoundAndBroken(
        "noise used twice",
        "Noise that hides one count will hide another one too.",
        sound=lambda data: histogram(_ab(data)),
        broken=shared_noise,
        universe=("a", "b"),
        exp_epsilon=2,
        pair=((), ("a",)),
    ),
    SoundAndBroken(
        "rounding that looks at the data",
        "Rounding is post-processing, whatever decides about it.",
        sound=lambda data: rounded(data, 2),
        broken=lambda data: rounded(data, 2 if len(data) > 1 else 1),
        universe=("a",),
        exp_epsilon=2,
        pair=(("a",), ("a", "a")),
    ),
    SoundAndBroken(
        "the data, now and then",
        "What happens with probability 1/10 only need not be counted.",
        sound=lambda data: sometimes(data, "no answer"),
        broken=lambda data: sometimes(data, data),
        universe=("a",),
        exp_epsilon=2,
        pair=((), ("a",)),
    ),
    SoundAndBroken(
        "only one answer is masked",
        "Only a yes is sensitive, so only a yes needs to be masked.",
        sound=lambda data: yes_answers(data, (QUARTER, 1 - QUARTER)),
        broken=lambda data: yes_answers(data, (Fraction(0), 1 - QUARTER)),
        universe=(0, 1),
        exp_epsilon=3,
        pair=((0,), (1,)),
        relation="substitution",
    ),
)
