"""The answer to a claim of differential privacy, in numbers and in a sentence that no rounding makes false."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Decimal
from fractions import Fraction
from typing import Any

from fdpedu.exact import Enclosure, log_enclosure
from fdpedu.exact.reading import decimal_context
from fdpedu.printable import escape
from fdpedu.privacy.enclosed import EnclosedLaw
from fdpedu.privacy.laws import Law

ONE = Enclosure.exactly(Fraction(1))
Laws = tuple[EnclosedLaw, EnclosedLaw]
WHAT_TO_DO = "Give the probabilities as fractions (the library's *_pmf are exact with alpha=)"
CUT_OFF = "If the tables were cut off and divided by their sums, use fdpedu.privacy.clamped, which keeps the tails"


@dataclass(frozen=True)
class Verdict:
    """The answer to a claim: whether it holds, and the event that is worst for it.

    Parameters
    ----------
    holds : for every distribution within what the tables say; for tables of fractions, for them
    event : where p(event) exceeds e^ε·q(event) most; nothing where it never does
    excess : by how much p(event) is more than e^ε·q(event) + δ: exact for fractions with ``exp_epsilon``; else a
        lower bound where the claim fails, and an upper bound where it does not
    p_event, q_event : the two probabilities, exact for fractions; else the bounds that the excess is made of
    swapped : whether the roles of p and q are exchanged in the event
    pair : the two data sets when a mechanism was checked
    cases : how many pairs were compared
    decided : False where the claim holds for some distributions within the tables and fails for others, or might
    exp_epsilon, epsilon, delta : the claim; e^ε enclosed as closely as the decision took, ε if it was given
    laws : the pairs that were compared
    """

    holds: bool
    event: tuple[Any, ...]
    excess: Fraction
    p_event: Fraction
    q_event: Fraction
    swapped: bool = False
    pair: tuple[Any, Any] | None = None
    cases: int = 1
    decided: bool = True
    exp_epsilon: Enclosure = field(default=ONE, compare=False)
    epsilon: Fraction | None = field(default=None, compare=False)
    delta: Fraction = field(default=Fraction(0), compare=False)
    laws: tuple[Laws, ...] = field(default=(), compare=False, repr=False)

    def __bool__(self) -> bool:
        return self.holds

    @property
    def fails(self) -> bool:
        """Whether the claim is false for every distribution within the tables."""
        return self.decided and not self.holds

    @property
    def actual_factor(self) -> tuple[Fraction | float, Fraction | float]:
        """The least e^ε with which the claim holds, with its δ, on all pairs that were compared: between these two.

        They are equal for fractions. ``math.inf`` says that no factor is enough.

        >>> from fdpedu.privacy import check_dp
        >>> check_dp(["2/3", "1/3"], ["1/3", "2/3"], epsilon="1/2").actual_factor
        (Fraction(2, 1), Fraction(2, 1))
        """
        ends = [least_factors(a, b, self.delta) for p, q in self.laws for a, b in ((p, q), (q, p))]
        return max(low for low, _ in ends), max(high for _, high in ends)

    @property
    def actual_epsilon(self) -> Enclosure | float:
        """The logarithm of :attr:`actual_factor`, enclosed; ``math.inf`` if it is, or may be, infinite."""
        low, high = self.actual_factor
        if isinstance(low, float) or isinstance(high, float):
            return math.inf
        return Enclosure(log_enclosure(low).lower, log_enclosure(high).upper)

    @property
    def hint(self) -> str:
        """What may be wrong with the tables of a claim that fails: a support of their own, or a window renormalised."""
        if not self.fails or not self.laws:
            return ""
        p, q = self.laws[-1]
        if p.upper.keys() != q.upper.keys():
            return f"Only one of the two can give some of these outputs. {CUT_OFF}"
        ratios = [p.lower[y] / q.lower[y] for y in p.lower if q.lower[y]]
        allowed = self.exp_epsilon.upper**2 * (1 + Fraction(1, 10**9))
        if len(ratios) > 2 and len(ratios) == len(p.upper) and not self.delta and max(ratios) <= allowed * min(ratios):
            return f"It would hold if one of the tables were multiplied by a constant. {CUT_OFF}"
        return ""

    def __str__(self) -> str:
        words = self._sentence()
        return f"{words}. {hint}" if (hint := self.hint) else words

    def _sentence(self) -> str:
        if self.holds:
            compared = [law for pair in self.laws for law in pair]
            floats, exact = any(law.floats for law in compared), all(law.exact for law in compared)
            how = ", exactly," if exact else f" for all tables within the {'floats' if floats else 'enclosures'}"
            return f"holds{how} on {self.cases} pair{'s' * (self.cases > 1)} of distributions"
        names = [str(list(data)) for data in self.pair] if self.pair else ["p", "q"]
        where = " against ".join(reversed(names) if self.swapped else names)
        if not self.decided:
            return f"cannot be decided at this precision ({where}): {self._undecided()}"
        event = ", ".join(map(_outcome, self.event[:6])) + (", …" if len(self.event) > 6 else "")
        return f"fails, {where}: {self._comparison(event)}; {self._actual()}"

    def _comparison(self, event: str) -> str:
        """ "P = 0.80 on {a}, at most 2 × 0.20 allowed", with as many digits as it takes to stay true."""
        exact = all(law.exact for pair in self.laws for law in pair)
        numbers = (self.p_event, self.exp_epsilon.upper, self.q_event, self.delta)
        short = all(figures(x, 4, ROUND_FLOOR)[0] == x for x in numbers)
        for digits in [4] if short else range(3, 31):
            (p, p_text), *rounded = (
                figures(x, digits, ROUND_CEILING if i else ROUND_FLOOR) for i, x in enumerate(numbers)
            )
            (factor, factor_text), (q, q_text), (delta, delta_text) = rounded
            if p > factor * q + delta:
                sign = ">" if p < self.p_event else "=" if exact else "≥"
                allowed = self.exp_epsilon.upper * self.q_event + self.delta
                most = "at most" if factor * q + delta == allowed else "less than"
                plus = f" + {delta_text}" * bool(self.delta)
                return f"P {sign} {p_text} on {{{event}}}, {most} {factor_text} × {q_text}{plus} allowed"
        _, excess = figures(self.excess, 2, ROUND_FLOOR)
        return f"P on {{{event}}} is larger than what is allowed, by at least {excess}"

    def _actual(self) -> str:
        low, high = self.actual_factor
        slack = " with this δ" * bool(self.delta)
        if isinstance(low, float):
            return f"no ε is large enough{slack}"
        least = "at least " if self.pair else ""
        if low == high and low.numerator < 10**4:
            value = "0" if low == 1 else f"ln {low}" if low.denominator == 1 else f"ln({low})"
            about = f" ≈ {figures(log_enclosure(low).upper, 4, ROUND_HALF_EVEN)[1]}" if low > 1 and self.epsilon else ""
            return f"the actual ε is {least}{value}{about}{slack}"
        below = next(_separating(log_enclosure(low).lower, log_enclosure(self.exp_epsilon.upper).upper))
        return f"the actual ε is more than {below}{slack}"

    def _undecided(self) -> str:
        """By how much the truth may exceed the claim, and what to do."""
        high = self.actual_factor[1]
        if isinstance(high, float):
            return f"a probability may be 0, and then no ε is enough. {WHAT_TO_DO}; write 0 for what cannot happen"
        if self.epsilon is None:
            claimed, most, name = self.exp_epsilon.lower, high, "e^ε"
        else:
            claimed, most, name = self.epsilon, log_enclosure(high, 60).upper, "ε"
        more, enough = figures(most - claimed, 2, ROUND_CEILING)[1], figures(most, 4, ROUND_CEILING)[1]
        return f"the actual {name} may exceed the claim by up to {more}. {WHAT_TO_DO}, or claim {enough}, which holds"

    def _repr_html_(self) -> str:
        mark = "✓" if self.holds else "✗" if self.decided else "?"
        return f'<p class="fdpedu-verdict">{mark} {escape(str(self))}</p>'


def least_factors(p: EnclosedLaw, q: EnclosedLaw, delta: Fraction) -> tuple[Fraction | float, Fraction | float]:
    """The least c ≥ 1 with p(S) ≤ c·q(S) + δ for all S lies between these two, whatever is within the bounds."""
    return _least_factor(p.lower, q.upper, delta), _least_factor(p.upper, q.lower, delta)


def _least_factor(p: Law, q: Law, delta: Fraction) -> Fraction | float:
    """max over S of (p(S) − δ)/q(S), or 1; an S with the largest ratios p/q attains it, by lem-hockey-stick."""
    least, p_event, q_event = Fraction(1), Fraction(0), Fraction(0)
    for _, a, b in sorted((-p[y] / q[y] if q.get(y) else -math.inf, p[y], q.get(y, Fraction(0))) for y in p if p[y]):
        p_event, q_event = p_event + a, q_event + b
        if p_event > delta:
            if not q_event:
                return math.inf
            least = max(least, (p_event - delta) / q_event)
    return least


def _outcome(outcome: Any) -> str:
    """An outcome as it is written; a word without its quotes."""
    return outcome if isinstance(outcome, str) and outcome.isidentifier() else repr(outcome)


def figures(number: Fraction, digits: int, rounding: str) -> tuple[Fraction, str]:
    """A number ≥ 0 in at most so many digits, and in two at least if it is no integer, rounded that way.

    >>> figures(Fraction(4, 5), 4, ROUND_FLOOR)[1], figures(Fraction(2, 3), 3, ROUND_CEILING)[1]
    ('0.80', '0.667')
    """
    context = decimal_context(digits, rounding)
    rounded = context.divide(Decimal(number.numerator), Decimal(number.denominator))
    value = Fraction(rounded)
    if value.denominator == 1 and value < 10**9:
        return value, str(value)
    if rounded.adjusted() < -4 or rounded.adjusted() > 8:
        return value, f"{rounded.normalize():e}".replace("e+", "e")
    places = max(-int(rounded.normalize().as_tuple().exponent), 2)
    return value, f"{rounded:.{places}f}"


def _separating(number: Fraction, other: Fraction) -> Iterator[str]:
    """The number in as few digits, at least four, as it takes to be larger than the other when it is rounded down."""
    for digits in range(4, 60):
        value, text = figures(number, digits, ROUND_FLOOR)
        if value >= other:
            yield text
    yield figures(number, 60, ROUND_FLOOR)[1]
