"""A charge: what one query releases at once, on which region, at what cost, and why; and a budget in two parts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from fdpedu import derivation_checker as checker
from fdpedu.accounting.parameters import as_stated_integer, require_short, require_text
from fdpedu.domain import Region
from fdpedu.exact import Rational, as_fraction, as_positive_fraction, quoted, shown

BY_HAND = "by-hand"  # the type of a charge that no query of a federation has made


class BudgetExceeded(ValueError):
    """A round would cost some record more than the budget. Nothing was charged and nothing was released."""


def too_much(asked: Fraction, left: Fraction) -> str:
    """What a refusal says about ε that was asked and ε that is left, both exactly where they can be read.

    >>> print(too_much(Fraction(2), Fraction(1, 3)))
    ε = 2 was asked, and ε = 1/3 is left in the ledger
    >>> print(too_much(as_fraction(0.1 + 0.2), as_fraction(0.3)))
    ε = 0.30000000000000004 was asked, and ε = 3/10 is left in the ledger (floats add up so: give ε as text, "3/10")
    """
    near = Fraction(1, 10**9) * left > asked - left
    hint = f' (floats add up so: give ε as text, "{shown(left)}")' if near else ""
    return f"ε = {_exactly(asked)} was asked, and ε = {_exactly(left)} is left in the ledger{hint}"


def _exactly(number: Fraction) -> str:
    """The decimal number, if it is one of at most 20 places that is too long as a fraction; else as in any message."""
    if (len(found := shown(number)) < 20 and not found.startswith("about")) or 10**20 % number.denominator:
        return found
    whole, rest = divmod(number.numerator * (10**20 // number.denominator), 10**20)
    return f"{whole}.{rest:020}".rstrip("0") if whole < 10**9 else found


@dataclass(frozen=True)
class Charge:
    """Releases that one query makes at once: its region, its ε, and why that is so (query, mechanism, claim).

    Parameters
    ----------
    region : the records that the query looks at; those of some parties only (:meth:`~fdpedu.domain.Region.of_party`),
        if the rows of all others leave nothing in the answer
    epsilon : the cost of all releases together, releases × sensitivity × rate, greater than 0
    query, mechanism : what is asked, in words, and how noise is drawn
    sensitivity : of one release, an integer ≥ 1
    claim : the label of the claim that says why this costs ``epsilon``
    colluders, randomness : whom the noise withstands, and where it comes from
    releases : how many of this sensitivity and rate, ≥ 1; the histograms of p features are p releases of sensitivity 1
    type, parameters : what is asked, for programs: the name of a type of queries, and what tells the query from others
        of its type, as pairs of a name and an integer or a text

    Examples
    --------
    >>> from fdpedu.domain import Region
    >>> ten = Charge(Region((3,), 3), "1/10", "ten counts", "discrete Laplace", 1, "thm-histogram", releases=10)
    >>> ten.epsilon, ten.rate
    (Fraction(1, 10), Fraction(1, 100))
    """

    region: Region
    epsilon: Fraction
    query: str
    mechanism: str
    sensitivity: int
    claim: str
    colluders: int = 0
    randomness: str = "operating system"
    releases: int = 1
    type: str = BY_HAND
    parameters: tuple[tuple[str, int | str], ...] = ()

    def __post_init__(self) -> None:
        require_region(self.region)
        object.__setattr__(self, "epsilon", as_positive_fraction(self.epsilon, "epsilon"))
        for name, least in (("sensitivity", 1), ("colluders", 0), ("releases", 1)):
            object.__setattr__(self, name, as_stated_integer(getattr(self, name), name, least))
        for name in ("query", "mechanism", "claim", "randomness"):
            require_text(getattr(self, name), name)
        require_identity(self.type, dict(self.parameters))
        require_short(self.epsilon, "epsilon")
        require_short(self.rate, "epsilon / (releases × sensitivity)")

    @cached_property
    def rate(self) -> Fraction:
        """The rate of the noise: ε / (releases × sensitivity)."""
        return self.epsilon / (self.releases * self.sensitivity)


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
