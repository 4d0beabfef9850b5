"""What may be spent at most: ε; or ρ and ξ, alone or with the (ε, δ) that they are converted to, once, at the root.

A budget in ρ is made from (ε, δ) before anything is charged. With δ_G the exact δ of one number from N(0, 2ρ) or from
N(2ρ, 2ρ), the conversion is one inequality,

    δ_G(ε − 2ξ) ≤ (1 − ξ)·δ,

and :func:`gaussian_budget` takes the largest ρ that keeps it. Guarantees use these limits, never what a run has spent:
a sum that depends on what was released converts to nothing. A budget in the older measure ``concentrated`` is read as
it was written, with the order of its conversion, and goes on in it; none is made.

Claims: thm-gaussian-root
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from fdpedu.accounting.cost import CONCENTRATED, GAUSSIAN, NAMES, PURE, Amount, Cost
from fdpedu.accounting.normal import gaussian_delta
from fdpedu.accounting.parameters import as_delta, as_epsilon, require_short
from fdpedu.derivation_checker import MAX_ORDER, in_words, is_converted, is_converted_at
from fdpedu.exact import Enclosure, Rational, as_fraction, as_integer, as_positive_fraction, quoted, shown

_LEAST_LEFT, _LARGEST_DELTA = Fraction(1, 10**5), Fraction(1, 10**4)  # beyond, no ε is named that is possible
_STEPS = 9000  # numbers of four digits to a power of ten
_KEYS = ("rho", "xi", "epsilon", "delta", "order")


@dataclass(frozen=True)
class Budget:
    """What a ledger may spend, in its measure, and what that promises.

    Parameters
    ----------
    limit : what a record may pay at most
    epsilon, delta : the promise; of a budget in ρ alone None and 0, as nothing is converted
    order : of a budget in the older measure ``concentrated`` the order of its conversion; else None

    Raises
    ------
    ValueError
        If the limit does not give the promise, as the checker would say of it.

    Examples
    --------
    >>> print(Budget.of(epsilon=1, delta=1e-6))
    (ε, δ) = (1, 10⁻⁶), from ρ = 2801/100000, ξ ≤ 1/100000
    >>> print(Budget.of(1), "and", Budget.of(rho="1/40"))
    ε = 1 and ρ = 1/40, ξ ≤ 1/100000
    """

    limit: Cost
    epsilon: Fraction | None
    delta: Fraction = Fraction(0)
    order: int | None = None

    def __post_init__(self) -> None:
        if type(self.limit) is not Cost:  # a subclass could state another limit later
            raise ValueError(f"limit must be a Cost, got {type(self.limit).__name__}")
        require_short(self.limit.value, NAMES[self.limit.measure])
        require_short(self.limit.xi, "xi")
        if self.is_pure or self.epsilon is None:
            own = self.limit.value if self.is_pure else None
            if self.epsilon != own or self.delta or self.order is not None:
                raise ValueError(f"a budget of {self.limit} promises that alone: it has no delta and no order")
            return
        object.__setattr__(self, "epsilon", as_epsilon(self.epsilon, "epsilon"))
        object.__setattr__(self, "delta", as_delta(self.delta))
        # thm-gaussian-root, thm-zcdp-to-dp: what the checker would refuse is no budget
        if self.measure == CONCENTRATED:
            self._require_order()
        elif self.order is not None:
            raise ValueError("order must be left out: only a budget in the older measure concentrated has one")
        elif not (self.limit.xi < 1 and 2 * self.limit.xi < self.epsilon):
            raise ValueError(f"xi must be less than 1 and than epsilon/2, got {shown(self.limit.xi)}")
        elif not is_converted(self.epsilon, self.delta, *self.amount):
            near = _are_near(self.epsilon - 2 * self.limit.xi, self.limit.value)
            hint = ": take a smaller delta" * near
            raise ValueError(f"{self.limit} is not converted to this epsilon and delta{hint}")

    def _require_order(self) -> None:
        order = as_integer(self.order, "order", minimum=2)
        object.__setattr__(self, "order", order)
        if order > MAX_ORDER:
            raise ValueError(f"order must be at most {MAX_ORDER}, got {shown(Fraction(order))}")
        assert self.epsilon is not None
        if not is_converted_at(order, self.epsilon, self.delta, *self.amount):
            raise ValueError(f"no conversion at the order {order} takes {self.limit} to this epsilon and delta")

    @classmethod
    def of(
        cls,
        epsilon: Budget | Cost | Rational | None = None,
        *,
        delta: Rational | None = None,
        rho: Rational | None = None,
    ) -> Budget:
        """The budget of ε alone, of ε with δ, or of ρ; refuses other combinations.

        Parameters
        ----------
        epsilon : greater than 0, read exactly; or a budget, or the cost that is its limit
        delta : strictly between 0 and 1; then ρ is chosen by :func:`gaussian_budget`
        rho : greater than 0, in place of both
        """
        if isinstance(epsilon, (Budget, Cost)):
            if type(epsilon) not in (Budget, Cost):  # a subclass could promise something else
                raise ValueError(f"epsilon must be a number, a Budget or a Cost, got {type(epsilon).__name__}")
            if delta is not None or rho is not None:
                raise ValueError("give a budget alone, without delta and rho: it says all of itself")
            return epsilon if isinstance(epsilon, Budget) else cls._of_limit(epsilon)
        if (epsilon is None) == (rho is None):
            raise ValueError("give epsilon or rho, one of them: a ledger has one measure")
        if rho is not None:
            if delta is not None:
                raise ValueError("delta must be left out beside rho: give epsilon and delta, and ρ is chosen for them")
            value = as_epsilon(rho, "rho")
            return cls._of_limit(Cost(GAUSSIAN, value))
        assert epsilon is not None
        if delta is not None:
            return gaussian_budget(epsilon, delta)
        return cls._of_limit(Cost(PURE, as_positive_fraction(epsilon, "epsilon")))

    @classmethod
    def _of_limit(cls, limit: Cost) -> Budget:
        if limit.measure == GAUSSIAN and not limit.xi:
            limit = Cost(limit.measure, limit.value, xi_of(limit.value))
        return cls(limit, limit.value if limit.is_pure else None)

    def __str__(self) -> str:
        return in_words(self.measure, self.limit.value, self.limit.xi, self.epsilon, self.delta, self.order)

    @property
    def measure(self) -> str:
        return self.limit.measure

    @property
    def amount(self) -> Amount:
        return self.limit.amount

    @property
    def is_pure(self) -> bool:
        return self.limit.is_pure

    def to_json(self) -> dict[str, Any] | str:
        """As a derivation in its measure states it: ε as text, or ρ and ξ, with what they are converted to."""
        if self.is_pure:
            return str(self.limit.value)
        stated = {"rho": str(self.limit.value), "xi": str(self.limit.xi)}
        if self.epsilon is None:
            return stated
        converted = {**stated, "epsilon": str(self.epsilon), "delta": str(self.delta)}
        return converted if self.order is None else {**converted, "order": self.order}

    @classmethod
    def from_json(cls, found: Any, measure: str = GAUSSIAN) -> Budget:
        """The budget that was stated so, in a derivation of this measure."""
        if isinstance(found, str):
            return cls.of(found)
        keys, order = set(found) if type(found) is dict else set(), {"order"} if measure == CONCENTRATED else set()
        if keys not in ({"rho", "xi"}, {"rho", "xi", "epsilon", "delta", *order}):
            raise ValueError(
                "a budget is ε as text, or states rho and xi, alone or with epsilon and delta (in the measure "
                f"concentrated also with an order); got {quoted(found)}"
            )
        limit = Cost(measure, found["rho"], found["xi"])
        if "epsilon" not in keys:
            return cls(limit, None)
        return cls(limit, found["epsilon"], found["delta"], found.get("order"))

    def to_wire(self) -> Fraction | tuple[Fraction | int | str, ...]:
        """As it stands in an invitation: ε, or ρ and ξ, with what they are converted to, behind their measure.

        In the older measure, as it was written there, without its name.
        """
        if self.is_pure:
            return self.limit.value
        name = () if self.measure == CONCENTRATED else (self.measure,)
        order = () if self.order is None else (self.order,)
        return (
            (*name, *self.amount) if self.epsilon is None else (*name, *self.amount, self.epsilon, self.delta, *order)
        )

    @classmethod
    def from_wire(cls, found: Fraction | tuple[Fraction | int | str, ...]) -> Budget:
        """The budget that was written so."""
        if isinstance(found, Fraction):
            return cls.of(found)
        named = found[:1] == (GAUSSIAN,)
        stated = dict(zip(_KEYS, found[named:], strict=False))
        return cls.from_json(stated, GAUSSIAN if named else CONCENTRATED)

    def to_text(self) -> str:
        """As it stands in a file of a ledger; in the older measure, as it was written there, without its name."""
        stated = self.to_json()
        if isinstance(stated, str):
            return stated
        return json.dumps(stated if self.measure == CONCENTRATED else {"measure": self.measure, **stated})

    @classmethod
    def from_text(cls, text: str) -> Budget:
        """The budget that was written so."""
        stated = json.loads(text) if text.startswith("{") else text
        named = isinstance(stated, dict) and stated.pop("measure", None) == GAUSSIAN
        return cls.from_json(stated, GAUSSIAN if named else CONCENTRATED)


def require_new(budget: Budget) -> Budget:
    """Refuse to begin in the older measure."""
    if budget.measure == CONCENTRATED:
        raise ValueError(
            "a new budget cannot be one in the measure concentrated, which is read only: give epsilon and delta, or "
            "rho. (A budget file that was begun in it goes on in it)"
        )
    return budget


def cost_asked(
    total: Budget, epsilon: Rational | None, delta: Rational | None, left: Amount | None = None
) -> Cost | None:
    """What a tree or a score may cost that is asked for as ε, or as ε and δ, of a ledger; None for all that is left.

    In a ledger of ρ it is the ρ that by itself would keep this (ε, δ), with the ξ of it that is ``left``.
    """
    if epsilon is None:
        if delta is not None:
            raise ValueError("delta needs an epsilon: leave out both for all that is left")
        return None
    if delta is None and total.is_pure:
        return Cost(PURE, as_positive_fraction(epsilon, "epsilon"))
    if delta is None:
        raise ValueError(f"delta must be given, too: the budget is one of ρ, and has no ε by itself: {total}")
    if total.is_pure:
        raise ValueError(f"delta must be left out: the budget is one of ε, {total}, where nothing is paid in ρ")
    if total.measure == CONCENTRATED:
        raise ValueError(
            f"epsilon and delta must be left out, or given as a Cost: the budget is one in the measure concentrated, "
            f"{total}, and none is converted to it any more"
        )
    limit = gaussian_budget(epsilon, delta).limit
    return limit if left is None or left.xi <= 0 else Cost(GAUSSIAN, limit.value, min(limit.xi, left.xi))


def xi_of(rho: Fraction) -> Fraction:
    """What a budget of ρ allows for ξ: the largest power of ten that is at most ρ/1000.

    >>> str(xi_of(Fraction(1, 40)))
    '1/100000'
    """
    return Fraction(10) ** (_exponent(rho) - 3)


def _exponent(x: Fraction) -> int:
    """The largest whole number e with 10^e ≤ x."""
    near = len(str(x.numerator)) - len(str(x.denominator))
    return near if Fraction(10) ** near <= x else near - 1


def _place(x: Fraction) -> int:
    """Of the numbers of four digits, in their order, the place of the largest one that is at most x."""
    exponent = _exponent(x)
    return exponent * _STEPS + math.floor(x / Fraction(10) ** (exponent - 3)) - 1000


def _number(place: int) -> Fraction:
    exponent, rest = divmod(place, _STEPS)
    return (1000 + rest) * Fraction(10) ** (exponent - 3)


def _are_near(epsilon: Fraction, rho: Fraction) -> bool:
    """Whether ε/μ − μ/2 is less than 1/4, for μ = √(2ρ): the checker computes no δ there."""
    return epsilon < rho or 8 * (epsilon - rho) ** 2 < rho


@lru_cache(maxsize=256)
def _chosen(epsilon: Fraction, delta: Fraction) -> Budget:
    def holds(place: int) -> bool:
        rho = _number(place)
        return is_converted(epsilon, delta, rho, xi_of(rho))

    low, high = _place(epsilon * min(Fraction(1), epsilon) / 10**4), _place(epsilon) + 1  # a is then less than 0
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    more = _number(high)
    if _are_near(epsilon - 2 * xi_of(more), more):  # it is not δ that ends the search
        raise ValueError(
            f"delta must be smaller beside ε = {shown(epsilon)}, got {shown(delta)}: for so large a δ no ρ is computed"
        )
    rho = _number(low)
    return Budget(Cost(GAUSSIAN, rho, xi_of(rho)), epsilon, delta)


def gaussian_budget(epsilon: Rational, delta: Rational) -> Budget:
    """The budget in ρ that keeps (ε, δ): ρ and ξ, fixed before the first charge.

    ρ is the largest number of four digits that will do; ξ is the largest power of ten of at most ρ/1000.

    Claims: thm-gaussian-root

    Parameters
    ----------
    epsilon : from 10⁻³⁰⁰ to 1000
    delta : from 10⁻³⁰⁰ to less than 1; for small ε, to about ε

    Examples
    --------
    >>> print(gaussian_budget("1/2", 1e-6))
    (ε, δ) = (1/2, 10⁻⁶), from ρ = 7701/1000000, ξ ≤ 1/1000000
    """
    return _chosen(as_epsilon(epsilon, "epsilon"), as_delta(delta))


def gaussian_epsilon(rho: Rational, xi: Rational, delta: Rational) -> Enclosure:
    """The least ε to which (ρ, ξ) is converted at δ, enclosed; not below 0.

    Claims: thm-gaussian-root

    Parameters
    ----------
    rho : from 10⁻³⁰⁰ to 1000
    xi : at least 0, and less than 1
    delta : from 10⁻³⁰⁰ to less than 1

    Examples
    --------
    >>> gaussian_epsilon("2801/100000", "1/100000", 1e-6)
    0.99993... (±...e-...)
    """
    value, allowed, more = as_epsilon(rho, "rho"), as_delta(delta), as_fraction(xi, "xi")
    if not 0 <= more < 1:
        raise ValueError(f"xi must be at least 0 and less than 1, got {shown(more)}")
    allowed *= 1 - more
    if gaussian_delta(Fraction(0), value).upper <= allowed:
        return Enclosure.exactly(2 * more)
    low, high = Fraction(0), 2 * value + math.ceil(1 / allowed).bit_length()  # more than ρ + 2·√(ρ·ln(1/δ))
    near = _near(float(value), float(allowed), float(high))
    tries = [near * (1 + side / Fraction(10) ** place) for place in (15, 12, 8) for side in (1, -1)]
    while high - low > Fraction(1, 10**16) * high:
        at = tries.pop() if tries else (low + high) / 2
        found = gaussian_delta(at, value)
        if found.upper <= allowed:
            high = min(high, at)
        elif found.lower > allowed:
            low = max(low, at)
        elif not tries:
            break
    return Enclosure(low + 2 * more, high + 2 * more)


def epsilon_within(rho: Fraction, delta: Fraction) -> Fraction | None:
    """The largest ε of three digits that can be asked for at δ where so much ρ is left; None if none is worth a word.

    >>> print(epsilon_within(Fraction(7701, 10**6), Fraction(1, 10**6)))
    1/2
    """

    if rho < _LEAST_LEFT or delta > _LARGEST_DELTA:
        return None
    start = gaussian_epsilon(rho, xi_of(rho), delta).upper
    step = Fraction(10) ** (_exponent(start) - 2)
    tries = ((start // step + 1 - below) * step for below in range(3))
    return next((one for one in tries if gaussian_budget(one, delta).limit.value <= rho), None)


def _near(rho: float, delta: float, high: float) -> Fraction:
    """About the ε of δ, by bisection in floats; where they are not exact enough, somewhere."""
    mu, low = math.sqrt(2 * rho), 0.0

    def beyond(z: float) -> float:
        return math.erfc(z / math.sqrt(2)) / 2

    for _ in range(60):
        middle = (low + high) / 2
        last = beyond(middle / mu + mu / 2)
        found = beyond(middle / mu - mu / 2) - (math.exp(middle + math.log(last)) if last else 0)
        low, high = (middle, high) if found > delta else (low, middle)
    return Fraction(high)
