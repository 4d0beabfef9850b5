"""A charge: what one query releases at once, on which region, at what cost, and why; and a budget in two parts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from fdpedu import derivation_checker as checker
from fdpedu.accounting.budget import epsilon_within
from fdpedu.accounting.cost import GAUSSIAN, KINDS, NAMES, PURE, SYMBOLS, Amount, Cost, Priced, as_cost
from fdpedu.accounting.parameters import as_stated_integer, require_short, require_text
from fdpedu.domain import Region
from fdpedu.exact import Rational, as_fraction, as_positive_fraction, quoted, shown

Entry = Mapping[str, Any]  # of a manifest: what is asked in a round, of whom, and who has answered
BY_HAND = checker.BY_HAND  # the type of a charge that no query of a federation has made


class BudgetExceeded(ValueError):
    """A round would cost some record more than the budget. Nothing was charged and nothing was released."""


def too_much(asked: Amount, left: Amount, measure: str, delta: Fraction) -> str:
    """What a refusal says about what was asked and what is left, both exactly where they can be read.

    Of ρ it names the ε that is still possible at the ledger's δ.

    >>> print(too_much(Amount(Fraction(2)), Amount(Fraction(1, 3)), "pure", Fraction(0)))
    ε = 2 was asked, and ε = 1/3 is left in the ledger
    >>> print(too_much(Amount(as_fraction(0.1 + 0.2)), Amount(as_fraction(0.3)), "pure", Fraction(0)))
    ε = 0.30000000000000004 was asked, and ε = 3/10 is left in the ledger (floats add up so: give ε as text, "3/10")
    >>> print(too_much(Amount(Fraction(1, 40), Fraction(1, 10**4)), Amount(Fraction(1, 20)), "gaussian", Fraction(0)))
    ρ = 1/40, ξ = 1/10000 was asked, and ρ = 1/20, ξ = 0 is left in the ledger
    >>> print(too_much(Amount(Fraction(1)), Amount(Fraction(7701, 10**6)), "gaussian", Fraction(1, 10**6)))
    ρ = 1 was asked, and ρ = 7701/1000000 is left in the ledger (at δ = 1/1000000, ε = 0.5 is still possible)
    >>> print(too_much(Amount(Fraction(1), Fraction(1, 10**9)), Amount(Fraction(1)), "gaussian", Fraction(1, 10**6)))
    ρ = 1, ξ = 1/1000000000 was asked, and ρ = 1, ξ = 0 is left in the ledger
    """
    symbol, xi = SYMBOLS[measure], [f", ξ = {shown(one.xi)}" * (asked.xi > 0 or left.xi > 0) for one in (asked, left)]
    near = asked.xi <= left.xi and Fraction(1, 10**9) * left.value > asked.value - left.value
    hint = f' (floats add up so: give {symbol} as text, "{shown(left.value)}")' if near else ""
    parts = [f"{symbol} = {_exactly(one.value)}{more}" for one, more in zip((asked, left), xi, strict=True)]
    if delta and measure == GAUSSIAN and (left.xi or not asked.xi) and (possible := epsilon_within(left.value, delta)):
        hint = f" (at δ = {shown(delta)}, ε = {float(possible):g} is still possible)"
    return f"{parts[0]} was asked, and {parts[1]} is left in the ledger{hint}"


def require_measure(charged: str, measure: str) -> None:
    """Refuse a charge in the other measure, by name."""
    if charged != measure:
        other, own = KINDS[charged], KINDS[measure]
        hint = (
            "; Charge.in_rho() charges a pure release in ρ = 11ε²/14" if charged == PURE and measure == GAUSSIAN else ""
        )
        raise ValueError(f"a charge in {other} does not belong in a ledger of {own}; nothing was charged{hint}")


def _exactly(number: Fraction) -> str:
    """The decimal number, if it is one of at most 20 places that is too long as a fraction; else as in any message."""
    if (len(found := shown(number)) < 20 and not found.startswith("about")) or 10**20 % number.denominator:
        return found
    whole, rest = divmod(number.numerator * (10**20 // number.denominator), 10**20)
    return f"{whole}.{rest:020}".rstrip("0") if whole < 10**9 else found


@dataclass(frozen=True)
class Charge:
    """Releases that one query makes at once: its region, its cost, and why that is so (query, mechanism, claim).

    Parameters
    ----------
    region : the records that the query looks at; those of some parties only (:meth:`~fdpedu.domain.Region.of_party`),
        if the rows of all others leave nothing in the answer
    cost : of all releases together, greater than 0: a number is ε = releases × sensitivity × rate; or a
        :class:`Cost` in ρ, of at least l2_squared / (2·(variance − 1))
    query, mechanism : what is asked, in words, and how noise is drawn
    sensitivity : the ℓ₁ sensitivity of one release, an integer ≥ 1
    claim : the label of the claim that says why this is the cost
    colluders, randomness : whom the noise withstands, and where it comes from
    releases : how many of this sensitivity and rate, ≥ 1; the histograms of p features are p releases of sensitivity 1
    type, parameters : what is asked, for programs: the name of a type of queries, and what tells the query from others
        of its type, as pairs of a name and an integer or a text
    l2_squared, cells, variance : of a charge in ρ only: the square of the ℓ₂ sensitivity of the whole answer, in how
        many of its cells neighbours can differ, and the variance of its noise; releases and sensitivity are then not
        stated

    Examples
    --------
    >>> from fdpedu.domain import Region
    >>> ten = Charge(Region((3,), 3), "1/10", "ten counts", "discrete Laplace", 1, "thm-histogram", releases=10)
    >>> ten.epsilon, ten.rate
    (Fraction(1, 10), Fraction(1, 100))
    """

    region: Region
    cost: Priced
    query: str
    mechanism: str
    sensitivity: int
    claim: str
    colluders: int = 0
    randomness: str = "operating system"
    releases: int = 1
    type: str = BY_HAND
    parameters: tuple[tuple[str, int | str], ...] = ()
    l2_squared: int | None = None
    cells: int | None = None
    variance: Fraction | None = None

    def __post_init__(self) -> None:
        require_region(self.region)
        object.__setattr__(self, "cost", as_cost(self.cost, "epsilon"))
        for name, least in (("sensitivity", 1), ("colluders", 0), ("releases", 1)):
            object.__setattr__(self, name, as_stated_integer(getattr(self, name), name, least))
        for name in ("query", "mechanism", "claim", "randomness"):
            require_text(getattr(self, name), name)
        require_identity(self.type, dict(self.parameters))
        places = {} if self.region.of_all_parties else {self.region.session: self.region.parties}
        # lem-party-coordinate: one party alone has answered a designed split, and all parties another query
        if not checker.stands_right(self.type, dict(self.parameters), places):
            raise ValueError(
                f"region must be of all parties for a query that all of them answer, and may be of the designer alone "
                f"for a {checker.DESIGNED}; got {self.region!r} for {self.type}"
            )
        require_short(self.cost.value, NAMES[self.cost.measure])
        require_short(self.cost.xi, "xi")
        if self.cost.is_pure:
            if (self.l2_squared, self.cells, self.variance) != (None, None, None):
                raise ValueError("l2_squared, cells and variance are of a charge in ρ: leave them out for one in ε")
            require_short(self.rate, "epsilon / (releases × sensitivity)")
        else:
            self._require_variance()

    def _require_variance(self) -> None:
        """A charge in ρ states its noise, which is enough for what it costs."""
        for name in ("l2_squared", "cells"):
            object.__setattr__(self, name, as_stated_integer(getattr(self, name), name, 1))
        variance = as_positive_fraction(self.variance, "variance")
        object.__setattr__(self, "variance", variance)
        require_short(variance, "variance")
        assert self.l2_squared is not None
        if variance < (least := self.cost.least_variance(self.l2_squared)):
            one = " + 1" * (self.cost.measure == GAUSSIAN)
            raise ValueError(
                f"variance must be at least l2_squared / (2ρ){one} = {shown(least)}, got {shown(variance)}: with less "
                "noise the release costs more than it says"
            )

    @property
    def epsilon(self) -> Fraction:
        """ε of a charge in ε; one in ρ has none."""
        return self.cost.epsilon

    @cached_property
    def rate(self) -> Fraction:
        """The rate of the noise of a charge in ε: ε / (releases × sensitivity)."""
        return self.epsilon / (self.releases * self.sensitivity)

    def stated_noise(self) -> dict[str, int | str]:
        """What a derivation says of sensitivity and noise, in the measure of the charge."""
        if self.cost.is_pure:
            return {"releases": self.releases, "sensitivity": self.sensitivity, "rate": str(self.rate)}
        assert self.l2_squared is not None and self.cells is not None
        return {"l2_squared": self.l2_squared, "cells": self.cells, "variance": str(self.variance)}

    def in_rho(self) -> Charge:
        """A charge in ε, as one in ρ = 11ε²/14: no more is told than with noise of the variance that it states.

        Claims: lem-pure-to-gaussian

        >>> from fdpedu.domain import Region
        >>> count = Charge(Region((3,), 3), "1/10", "count", "discrete Laplace", 1, "thm-histogram")
        >>> print(count.in_rho().cost)
        ρ = 11/1400
        """
        rho = Cost(GAUSSIAN, Fraction(11, 14) * self.epsilon**2)
        own = replace(self, type=BY_HAND, parameters=())  # no type is paid so
        return replace(own, cost=rho, l2_squared=1, cells=1, variance=rho.least_variance(1))


def require_identity(type_name: object, parameters: Mapping[str, object]) -> None:
    """Refuse a type of queries, or its parameters, that the checker does not read."""
    if not checker.is_type(type_name):
        raise ValueError(f"type must be the name of a type of queries, such as 'class-counts', got {quoted(type_name)}")
    if not checker.are_parameters(parameters):
        raise ValueError(
            f"parameters must be at most {checker.MAX_PARAMETERS} names, each with an integer or a short text"
        )


def require_region(region: Region) -> None:
    if type(region) is not Region:  # a subclass could answer otherwise what it is disjoint from
        raise ValueError(f"region must be a Region, got {type(region).__name__}")


def split_budget(epsilon: Rational, share: Rational) -> tuple[Fraction, Fraction]:
    """(share·ε, the rest), both exact; ``share`` must lie strictly between 0 and 1.

    >>> split_budget(1, 0.3)
    (Fraction(3, 10), Fraction(7, 10))
    """
    total, part = as_positive_fraction(epsilon, "epsilon"), as_fraction(share, "share")
    if not 0 < part < 1:
        raise ValueError(f"a share of the budget must lie strictly between 0 and 1, got {shown(part)}")
    return total * part, total * (1 - part)
