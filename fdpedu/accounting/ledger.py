"""The ledger: charges on regions, booked before a release, atomically, in exact fractions."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import groupby
from typing import Any

from fdpedu.accounting.derivation import Derivation
from fdpedu.accounting.limits import fewest_withstood, require_acceptable, require_short, require_withstood
from fdpedu.accounting.parameters import as_stated_integer, require_text
from fdpedu.accounting.region_tree import RegionTree
from fdpedu.accounting.size import Size, of_release
from fdpedu.accounting.writing import document, proof_of
from fdpedu.domain import Domain, Region
from fdpedu.exact import Rational, as_fraction, as_positive_fraction, shown


class BudgetExceeded(ValueError):
    """A round would cost some record more than the budget. Nothing was charged and nothing was released."""


@dataclass(frozen=True)
class Charge:
    """Releases that one query makes at once: its region, its ε, and why that is so (query, mechanism, claim).

    Parameters
    ----------
    region : the records that the query looks at
    epsilon : the cost of all releases together, releases × sensitivity × rate, greater than 0
    query, mechanism : what is asked, and how noise is drawn
    sensitivity : of one release, an integer ≥ 1
    claim : the label of the claim that says why this costs ``epsilon``
    colluders, randomness : whom the noise withstands, and where it comes from
    releases : how many of this sensitivity and rate, ≥ 1; the histograms of p features are p releases of sensitivity 1

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

    def __post_init__(self) -> None:
        _require_region(self.region)
        object.__setattr__(self, "epsilon", as_positive_fraction(self.epsilon, "epsilon"))
        for name, least in (("sensitivity", 1), ("colluders", 0), ("releases", 1)):
            object.__setattr__(self, name, as_stated_integer(getattr(self, name), name, least))
        for name in ("query", "mechanism", "claim", "randomness"):
            require_text(getattr(self, name), name)
        require_short(self.epsilon, "epsilon")
        require_short(self.rate, "epsilon / (releases × sensitivity)")

    @cached_property
    def rate(self) -> Fraction:
        """Of the noise: ε / (releases × sensitivity)."""
        return self.epsilon / (self.releases * self.sensitivity)

    @cached_property
    def size(self) -> Size:
        """How long it is when it is written, at most."""
        numbers = (self.epsilon, self.rate, self.sensitivity, self.releases, self.colluders)
        return of_release((self.query, self.mechanism, self.claim), numbers)


class Ledger:
    """The budget of one data set: charges are booked before a release, atomically, and never beyond the budget.

    Claims: thm-sequential, thm-parallel, thm-parallel-substitution, lem-filter

    Parameters
    ----------
    budget : ε > 0 in total, read exactly (a float as the decimal it prints as)
    measure, relation : ``"pure"`` and ``"add-remove"``; a substitution is one removal and one addition, and costs twice
    domain : the public domain that the regions belong to (a federation fills it in)
    colluders : the number that every charge must withstand; None: the least of the first round

    Examples
    --------
    >>> from fdpedu.domain import Domain, Numeric
    >>> domain = Domain([Numeric.grid("age", 0, 100, bins=2)], ("well", "ill"))
    >>> young, old = (domain.everything.restrict(0, [code]) for code in (0, 1))
    >>> ledger = Ledger(1, domain=domain)
    >>> def count(region, epsilon):
    ...     return Charge(region, epsilon, "count", "discrete Laplace", 1, "thm-discrete-laplace")
    >>> ledger.charge([count(young, "1/2"), count(old, "1/3")])  # disjoint: no record pays for both
    1
    >>> ledger.spent, ledger.remaining(old)
    (Fraction(1, 2), Fraction(2, 3))
    >>> ledger.charge([count(old, "1/3"), count(young, "2/3")])
    Traceback (most recent call last):
    fdpedu.accounting.ledger.BudgetExceeded: the round would bring some record to ε = 7/6, more than the budget 1; ...
    >>> ledger.spent
    Fraction(1, 2)
    """

    def __init__(
        self,
        budget: Rational,
        *,
        measure: str = "pure",
        relation: str = "add-remove",
        domain: Domain | None = None,
        colluders: int | None = None,
    ) -> None:
        if measure != "pure":
            raise ValueError(f"measure must be 'pure', got {measure!r}")
        if relation != "add-remove":
            raise ValueError(f"relation must be 'add-remove' (a substitution costs twice as much), got {relation!r}")
        self.budget = as_positive_fraction(budget, "budget")
        require_short(self.budget, "budget")
        self.measure, self.relation = measure, relation
        self.domain: Domain | None = None
        self._promised = None if colluders is None else as_stated_integer(colluders, "colluders", 0)
        self._region_trees: list[RegionTree[Charge]] = []
        self._lock = threading.RLock()  # an interrupt on leaving `with` must not lock out its own thread
        if domain is not None:
            self.bind(domain)

    def __repr__(self) -> str:
        return f"Ledger(budget {self.budget}, spent {self.spent}, add-remove)"

    def __reduce__(self) -> Any:
        raise TypeError("a ledger is neither copied nor pickled: both would spend what is left")

    def bind(self, domain: Domain) -> None:
        """Name the domain whose regions are charged; once named it does not change."""
        if type(domain) is not Domain:
            raise ValueError(f"domain must be a Domain, got {type(domain).__name__}")
        with self._lock:
            if self.domain is not None and self.domain != domain:
                raise ValueError("this ledger belongs to another domain")
            for region_tree in self._region_trees:
                _require_inside(domain, region_tree.parent)
            self.domain = domain

    @property
    def spent(self) -> Fraction:
        """The most that any record has paid."""
        return _cost(self._region_trees)

    def remaining(self, region: Region | None = None, account: str = "") -> Fraction:
        """What may still be charged to the region (by default to all records), in the named account."""
        if region is None:
            return self.budget - self.spent
        _require_region(region)
        trial = self._copy()
        own = _tree_for(trial, account, region)
        others = _cost([region_tree for region_tree in trial if region_tree is not own])
        return self.budget - own.path_cost(region) - others

    def spent_on(self, region: Region | None = None) -> Fraction:
        """The most that a record of the region has paid, as far as the ledger knows.

        It is exact where there is one account and all its regions are nested or disjoint. :attr:`spent` is that of
        all records.
        """
        if region is not None:
            _require_region(region)
        return sum((region_tree.max_descendant_cost(meeting=region) for region_tree in self._region_trees), Fraction(0))

    def odometer(self) -> dict[Region, Fraction]:
        """What is spent on each region that was ever charged, in the order of booking."""
        region_trees = self._region_trees
        return {region: self.spent_on(region) for region_tree in region_trees for region in region_tree.charges}

    @property
    def accounts(self) -> tuple[str, ...]:
        """The names of the books, in the order in which they were opened."""
        return tuple(dict.fromkeys(region_tree.account for region_tree in self._region_trees))

    @property
    def colluders(self) -> int | None:
        """How many colluders every charge withstands: fixed when the ledger was made, or by its first round."""
        return fewest_withstood(self._region_trees) if self._promised is None else self._promised

    @property
    def rounds(self) -> int:
        """How many rounds have been charged."""
        return _last_round(self._region_trees)

    def charge(self, charges: Iterable[Charge], account: str = "") -> int:
        """Book all charges of one round, or none of them; returns the number of the round.

        The new state is computed beside the old one and takes its place in one assignment, under a lock. So neither a
        second thread nor an exception, wherever it strikes, can lose a charge or book it twice.

        Parameters
        ----------
        charges : the releases of the round
        account : charges of one computation (one tree) go to one account; accounts add up, whatever their regions

        Raises
        ------
        BudgetExceeded
            If some record would pay more than the budget.
        ValueError
            If a charge withstands fewer colluders than the ledger promises, a region is not of its domain, or the
            checker would refuse the derivation: for its length, its nesting, or its digits.
        """
        batch = list(charges)
        if not batch or not all(type(charge) is Charge for charge in batch):  # a subclass could state another ε later
            raise ValueError("charge a non-empty list of Charge")
        with self._lock:
            require_withstood(self.colluders, (charge.colluders for charge in batch))
            trial = self._copy()
            number = _last_round(trial) + 1
            if self.domain is not None:
                _require_inside(self.domain, (charge.region for charge in batch))
            named = [((number, index), charge) for index, charge in enumerate(batch, 1)]
            for region, booked in groupby(named, key=lambda pair: pair[1].region):
                _tree_for(trial, account, region).add(list(booked))
            cost = _cost(trial)
            if cost > self.budget:
                raise BudgetExceeded(
                    f"the round would bring some record to ε = {shown(cost)}, more than the budget "
                    f"{shown(self.budget)}; nothing was charged"
                )
            require_acceptable(trial, self.domain, self.budget)
            self._region_trees = trial
        return number

    def _copy(self) -> list[RegionTree[Charge]]:
        return [region_tree.copy() for region_tree in self._region_trees]

    def derivation(self) -> Derivation:
        """The cost of everything charged so far, as a tree of rules."""
        region_trees, colluders = self._region_trees, self.colluders
        if self.domain is None or colluders is None or not region_trees:
            raise ValueError("a derivation needs a domain and at least one charge")
        every = [
            charge for region_tree in region_trees for booked in region_tree.charges.values() for _, charge in booked
        ]
        proof, kinds = proof_of(region_trees, self.domain.everything), sorted({charge.randomness for charge in every})
        return Derivation(document(self.domain, proof, self.budget, colluders, kinds), self.domain)


def _require_region(region: Region) -> None:
    if type(region) is not Region:  # a subclass could answer otherwise what it is disjoint from
        raise ValueError(f"region must be a Region, got {type(region).__name__}")


def _require_inside(domain: Domain, regions: Iterable[Region]) -> None:
    for region in regions:
        if len(region.features) != domain.n_features or not domain.everything.contains(region):
            raise ValueError("every region must lie in the ledger's domain; nothing was charged")


def _last_round(region_trees: Sequence[RegionTree[Charge]]) -> int:
    """The number of the last round charged; a round is numbered by what it books, so it cannot be miscounted."""
    last = (booked[-1][0][0] for region_tree in region_trees for booked in region_tree.charges.values())
    return max(last, default=0)


def _cost(region_trees: Sequence[RegionTree[Charge]]) -> Fraction:
    """At most this is paid by any record: region trees in sequence, each along its paths."""
    return sum((region_tree.max_descendant_cost() for region_tree in region_trees), Fraction(0))


def _tree_for(region_trees: list[RegionTree[Charge]], account: str, region: Region) -> RegionTree[Charge]:
    """The first tree of the account in which the region is nested in, around or apart from all others; else a new one.

    Regions that overlap without nesting thus stand in different trees, and their costs are added.
    """
    for region_tree in region_trees:
        if region_tree.account == account and region_tree.insert(region):
            return region_tree
    region_trees.append(RegionTree(account))
    region_trees[-1].insert(region)
    return region_trees[-1]


def split_budget(epsilon: Rational, share: Rational) -> tuple[Fraction, Fraction]:
    """(share·ε, the rest), both exact; ``share`` must lie strictly between 0 and 1.

    >>> split_budget(1, 0.3)
    (Fraction(3, 10), Fraction(7, 10))
    """
    total, part = as_positive_fraction(epsilon, "epsilon"), as_fraction(share, "share")
    if not 0 < part < 1:
        raise ValueError(f"a share of the budget must lie strictly between 0 and 1, got {shown(part)}")
    return total * part, total * (1 - part)
