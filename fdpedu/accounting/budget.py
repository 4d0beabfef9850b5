"""What may be spent at most: ε; or ρ and ξ, alone or with the (ε, δ) that they are converted to, once, at the root.

A budget in ρ is made from (ε, δ) before anything is charged. The conversion at a whole order λ ≥ 2 is one inequality,

    ln δ ≥ (λ − 1)·(λρ + ξ − ε) − ln(λ − 1) + λ·ln(1 − 1/λ),

and :func:`concentrated_budget` takes the order that leaves the most ρ. Guarantees use these limits, never what a run
has spent: a sum that depends on what was released converts to nothing.

Claims: thm-root-conversion
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from fdpedu.accounting.cost import CONCENTRATED, NAMES, PURE, Amount, Cost
from fdpedu.accounting.lattice import logarithm
from fdpedu.accounting.parameters import as_delta, as_epsilon, require_short
from fdpedu.derivation_checker import MAX_ORDER, in_words, is_converted
from fdpedu.exact import Enclosure, Rational, as_fraction, as_integer, as_positive_fraction, quoted, shown

_DIGITS, _KEPT = 60, 4  # of a logarithm; of ρ, rounded down


@dataclass(frozen=True)
class Budget:
    """What a ledger may spend, in its measure, and what that promises.

    Parameters
    ----------
    limit : what a record may pay at most
    epsilon, delta : the promise; of a budget in ρ alone None and 0, as nothing is converted
    order : λ of the conversion; None without one

    Raises
    ------
    ValueError
        If the limit does not give the promise, as the checker would say of it.

    Examples
    --------
    >>> print(Budget.of(epsilon=1, delta=1e-6))
    (ε, δ) = (1, 10⁻⁶), from ρ = 487/20000, ξ ≤ 1/10000, order 22
    >>> print(Budget.of(1), "and", Budget.of(rho="1/40"))
    ε = 1 and ρ = 1/40, ξ ≤ 1/10000
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
        if self.is_pure or self.order is None:
            own = self.limit.value if self.is_pure else None
            if self.epsilon != own or self.delta or self.order is not None:
                raise ValueError(f"a budget of {self.limit} promises that alone: it has no delta and no order")
            return
        order = as_integer(self.order, "order", minimum=2)
        for name, value in (
            ("order", order),
            ("epsilon", as_epsilon(self.epsilon, "epsilon")),
            ("delta", as_delta(self.delta)),
        ):
            object.__setattr__(self, name, value)
        if order > MAX_ORDER:
            raise ValueError(f"order must be at most {MAX_ORDER}, got {shown(Fraction(order))}")
        assert self.epsilon is not None
        # thm-root-conversion: what the checker would refuse is no budget
        if not is_converted(self.epsilon, self.delta, *self.amount, order):
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
        delta : strictly between 0 and 1; then ρ and order are chosen by :func:`concentrated_budget`
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
            return cls._of_limit(Cost(CONCENTRATED, value))
        assert epsilon is not None
        if delta is not None:
            return concentrated_budget(epsilon, delta)
        return cls._of_limit(Cost(PURE, as_positive_fraction(epsilon, "epsilon")))

    @classmethod
    def _of_limit(cls, limit: Cost) -> Budget:
        if not limit.is_pure and not limit.xi:
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
        """As a derivation states it: ε as text, or ρ and ξ, with what they are converted to."""
        if self.is_pure:
            return str(self.limit.value)
        stated = {"rho": str(self.limit.value), "xi": str(self.limit.xi)}
        if self.epsilon is None:
            return stated
        return {**stated, "epsilon": str(self.epsilon), "delta": str(self.delta), "order": self.order}

    @classmethod
    def from_json(cls, found: Any) -> Budget:
        """The budget that was stated so."""
        if isinstance(found, str):
            return cls.of(found)
        keys = set(found) if type(found) is dict else set()
        if keys not in ({"rho", "xi"}, {"rho", "xi", "epsilon", "delta", "order"}):
            raise ValueError(
                f"a budget is ε as text, or states rho and xi, alone or with epsilon, delta and order; got "
                f"{quoted(found)}"
            )
        limit = Cost(CONCENTRATED, found["rho"], found["xi"])
        if "order" not in keys:
            return cls(limit, None)
        return cls(limit, found["epsilon"], found["delta"], found["order"])

    def to_wire(self) -> Fraction | tuple[Fraction | int, ...]:
        """As it stands in an invitation: ε, or ρ and ξ, with what they are converted to."""
        if self.is_pure:
            return self.limit.value
        if self.epsilon is None or self.order is None:
            return (*self.amount,)
        return (*self.amount, self.epsilon, self.delta, self.order)

    @classmethod
    def from_wire(cls, found: Fraction | tuple[Fraction | int, ...]) -> Budget:
        """The budget that was written so."""
        if isinstance(found, Fraction):
            return cls.of(found)
        return cls.from_json(dict(zip(("rho", "xi", "epsilon", "delta", "order"), found, strict=False)))

    def to_text(self) -> str:
        """As it stands in a file of a ledger."""
        stated = self.to_json()
        return stated if isinstance(stated, str) else json.dumps(stated)

    @classmethod
    def from_text(cls, text: str) -> Budget:
        """The budget that was written so."""
        return cls.from_json(json.loads(text) if text.startswith("{") else text)


def cost_asked(total: Budget, epsilon: Rational | None, delta: Rational | None) -> Cost | None:
    """What a tree or a score may cost that is asked for as ε, or as ε and δ, of a ledger; None for all that is left.

    In a ledger of ρ it is the ρ that by itself would keep this (ε, δ).
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
    return concentrated_budget(epsilon, delta).limit


def xi_of(rho: Fraction) -> Fraction:
    """What a budget of ρ allows for ξ: the largest power of ten that is at most ρ/100.

    >>> str(xi_of(Fraction(1, 40)))
    '1/10000'
    """
    found = Fraction(10) ** (math.floor(math.log10(rho)) - 1)
    while found * 100 > rho:
        found /= 10
    return found


def most_rho(epsilon: Fraction, delta: Fraction, order: int, xi: Fraction = Fraction(0)) -> Fraction:
    """The largest ρ, from below, with which (ρ, ξ) is converted to (ε, δ) at this order; negative if there is none."""
    return (epsilon - xi - _offset(order, delta)[1]) / order


def epsilon_at(order: int, rho: Fraction, xi: Fraction, delta: Fraction) -> Enclosure:
    """The ε to which (ρ, ξ) is converted at δ and this order, enclosed."""
    low, high = _offset(order, delta)
    return Enclosure(order * rho + xi + low, order * rho + xi + high)


@lru_cache(maxsize=4096)
def _offset(order: int, delta: Fraction) -> tuple[Fraction, Fraction]:
    """(ln(1/δ) − ln(λ−1) + λ·ln(1−1/λ))/(λ−1), enclosed: what an order adds to λρ + ξ."""
    logs = [logarithm(Fraction(1) / delta, _DIGITS), logarithm(Fraction(order - 1, order), _DIGITS)]
    last = logarithm(Fraction(order - 1), _DIGITS)
    low = logs[0].lower + order * logs[1].lower - last.upper
    high = logs[0].upper + order * logs[1].upper - last.lower
    return low / (order - 1), high / (order - 1)


def _best_order(value: Callable[[int], float]) -> int:
    """The whole order from 2 on at which a function that first falls and then rises is least."""
    low, high = 2, MAX_ORDER
    while high - low > 2:
        third = (high - low) // 3
        a, b = low + third, high - third
        low, high = (low, b) if value(a) <= value(b) else (a, high)
    return min(range(low, high + 1), key=value)


@lru_cache(maxsize=256)
def _chosen(epsilon: Fraction, delta: Fraction, order: int | None) -> Budget:
    if order is None:
        log = -math.log(delta) if delta > 1e-300 else float(-logarithm(delta, 20).lower)

        def worse(at: int) -> float:
            return -(float(epsilon) - (log - math.log(at - 1) + at * math.log1p(-1 / at)) / (at - 1)) / at

        order = _best_order(worse)
    without = most_rho(epsilon, delta, order)
    xi = xi_of(without) if without > 0 else Fraction(0)
    rho = _rounded_down(most_rho(epsilon, delta, order, xi)) if without > 0 else without
    if rho <= 0:
        raise ValueError(
            f"no ρ is left at the order {order} for ε = {shown(epsilon)} and δ = {shown(delta)}: "
            "take a larger epsilon, a larger delta, or another order"
        )
    return Budget(Cost(CONCENTRATED, rho, xi), epsilon, delta, order)


def concentrated_budget(epsilon: Rational, delta: Rational, *, order: int | None = None) -> Budget:
    """The budget in ρ that keeps (ε, δ): order, ρ and ξ, all fixed before the first charge.

    ρ is rounded down to four digits; ξ is the largest power of ten of at most ρ/100.

    Claims: thm-root-conversion

    Parameters
    ----------
    epsilon : from 10⁻³⁰⁰ to 1000
    delta : from 10⁻³⁰⁰ to less than 1
    order : λ, whole, from 2 to 10⁶; the one that leaves the most ρ unless given

    Examples
    --------
    >>> print(concentrated_budget("1/2", 1e-6))
    (ε, δ) = (1/2, 10⁻⁶), from ρ = 6641/1000000, ξ ≤ 1/100000, order 40
    """
    if order is not None and as_integer(order, "order", minimum=2) > MAX_ORDER:
        raise ValueError(f"order must be at most {MAX_ORDER}, got {shown(Fraction(order))}")
    return _chosen(as_epsilon(epsilon, "epsilon"), as_delta(delta), order)


def concentrated_epsilon(rho: Rational, xi: Rational, delta: Rational) -> Enclosure:
    """The least ε over whole orders to which (ρ, ξ) is converted at δ, enclosed; not below 0.

    Claims: thm-root-conversion

    Parameters
    ----------
    rho : from 10⁻³⁰⁰ to 1000
    xi : at least 0
    delta : from 10⁻³⁰⁰ to less than 1

    Examples
    --------
    >>> concentrated_epsilon("487/20000", "1/10000", 1e-6)
    0.99996894 (±...e-...)
    """
    value, allowed, more = as_epsilon(rho, "rho"), as_delta(delta), as_fraction(xi, "xi")
    if more < 0:
        raise ValueError(f"xi must be at least 0, got {shown(more)}")
    log = float(_offset(2, allowed)[1]) + 2 * math.log(2)  # ln(1/δ)

    def at(order: int) -> float:
        return order * float(value) + (log - math.log(order - 1) + order * math.log1p(-1 / order)) / (order - 1)

    found = epsilon_at(_best_order(at), value, more, allowed)
    return Enclosure(max(Fraction(0), found.lower), max(Fraction(0), found.upper))


def _rounded_down(rho: Fraction) -> Fraction:
    if rho <= 0:
        return rho
    unit = Fraction(10) ** (math.floor(math.log10(rho)) - _KEPT + 1)
    return math.floor(rho / unit) * unit
