"""The ledger: charges on regions, booked before a release, atomically, in exact fractions."""
# Longer than 400 lines because all that may be asked of a ledger stands in one class.

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from fractions import Fraction
from itertools import chain, count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fdpedu import process
from fdpedu.accounting import booking
from fdpedu.accounting.booking import RegionTrees
from fdpedu.accounting.budget import Budget, require_new
from fdpedu.accounting.charge import BudgetExceeded, Charge, Entry, require_measure, require_region, too_much
from fdpedu.accounting.cost import Amount, Cost, Paid
from fdpedu.accounting.derivation import Derivation
from fdpedu.accounting.limits import counts_of, fewest_withstood, require_acceptable, require_withstood
from fdpedu.accounting.parameters import as_stated_integer
from fdpedu.accounting.steps import Steps, as_bytes, require_key
from fdpedu.derivation_checker import Inventory
from fdpedu.domain import Domain, Region
from fdpedu.exact import Rational, as_list, require_callable, require_type, shown

if TYPE_CHECKING:
    from fdpedu.accounting.budget_file import Evidenced, LastCharge


class Ledger(Steps, AbstractContextManager["Ledger"]):
    """The budget of one data set: charges are booked before a release, atomically, and never beyond the budget.

    Claims: thm-sequential, thm-parallel, thm-parallel-substitution, lem-filter

    Parameters
    ----------
    epsilon : ε > 0 in total, read exactly (a float as the decimal it prints as); or a :class:`Budget`
    delta : δ, strictly between 0 and 1: the ledger is then one of ρ, with a budget that keeps (ε, δ)
    rho : ρ > 0, in place of both: a ledger of ρ from which nothing is converted
    relation : ``"add-remove"``; a substitution is one removal and one addition, and costs twice
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
    fdpedu.accounting.charge.BudgetExceeded: ε = 2/3 was asked, and ε = 1/2 is left in the ledger: ...
    >>> ledger.spent
    Fraction(1, 2)
    >>> print(Ledger(epsilon=1, delta="1/1000000").total)
    (ε, δ) = (1, 10⁻⁶), from ρ = 2801/100000, ξ ≤ 1/100000
    """

    def __init__(
        self,
        epsilon: Budget | Cost | Rational | None = None,
        *,
        delta: Rational | None = None,
        rho: Rational | None = None,
        relation: str = "add-remove",
        domain: Domain | None = None,
        colluders: int | None = None,
    ) -> None:
        # thm-parallel: the maximum over disjoint regions holds under add/remove only
        if relation != "add-remove":
            raise ValueError(f"relation must be 'add-remove' (a substitution costs twice as much), got {relation!r}")
        self._begin(require_new(Budget.of(epsilon, delta=delta, rho=rho)), colluders)
        if domain is not None:
            self.bind(domain)

    def _begin(self, budget: Budget, colluders: int | None) -> None:
        Steps.__init__(self, budget)
        self._relation = "add-remove"
        self._promised = None if colluders is None else as_stated_integer(colluders, "colluders", 0)
        self._named = set[str]()  # accounts that are to be opened

    @classmethod
    def going_on(cls, budget: Budget, colluders: int | None = None) -> Ledger:
        """A ledger of a budget that was begun elsewhere: in a file, or by whoever invites to a session."""
        ledger = cls.__new__(cls)
        ledger._begin(budget, colluders)
        return ledger

    @classmethod
    def open(
        cls,
        path: str | os.PathLike[str],
        epsilon: Budget | Cost | Rational | None = None,
        *,
        delta: Rational | None = None,
        rho: Rational | None = None,
        domain: Domain | None = None,
        colluders: int | None = None,
    ) -> Ledger:
        """A ledger in a file, which outlives the process and may be open in several at once; made if it is not there.

        A round is admitted before anything of it is counted, and is in the file, on the disk as far as the system says,
        before anything of it is sent. A process that is killed loses nothing that was released, and all processes
        together spend the budget once. The file must be on a local disk, belongs to its owner alone (mode 0600), and is
        written by this class only. A lost disk and power failure are not covered. Nor can it be noticed that an old
        copy of the file is put back before it is opened, which lets its owner spend again what was spent since.

        Parameters
        ----------
        path : of the file, say ``"budget.db"``
        epsilon, delta, rho : as for a new ledger; may be left out where the file is there, and must not differ from
            what it holds
        domain : as for a new ledger; it is kept in the file as soon as it is named, by this process or another
        colluders : as for a new ledger; it must not differ from what the file holds

        Raises
        ------
        ValueError
            If the file is none of this kind, damaged, in use for long, not writable, or of another budget, domain or
            number of colluders.
        """
        from fdpedu.accounting.budget_file import opened

        promised = None if colluders is None else as_stated_integer(colluders, "colluders", 0)
        stated = None
        if any(given is not None for given in (epsilon, delta, rho)):
            stated = Budget.of(epsilon, delta=delta, rho=rho)
        file, found, promised = opened(path, stated, domain, promised)
        ledger = cls.going_on(found, promised)
        ledger._file, ledger._lock = file, process.undivided
        if domain is not None:
            ledger.bind(domain)
        ledger._now()
        return ledger

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        file, known = ("", "") if self._file is None else (f"{self._file.path!r}, ", "at least ")
        spent = booking.cost_of(self._region_trees).public(self.measure)
        whole = self.budget if self._budget.is_pure else self._budget
        return f"Ledger({file}budget {whole}, spent {known}{spent}, add-remove)"

    def __reduce__(self) -> Any:
        if self._file is not None:
            return Ledger.open, (self._file.path,)
        raise TypeError(
            "a ledger is neither copied nor pickled: both would spend what is left. One that several processes share "
            "is Ledger.open(path, epsilon)"
        )

    @property
    def total(self) -> Budget:
        """What may be spent, and what that promises; it does not change."""
        return self._budget

    @property
    def budget(self) -> Fraction:
        """What may be spent, as a number: ε, or ρ."""
        return self._budget.limit.value

    @property
    def measure(self) -> str:
        """``"pure"`` or ``"gaussian"``, or of what was begun before ``"concentrated"``: a ledger has one."""
        return self._budget.measure

    @property
    def relation(self) -> str:
        return self._relation

    @property
    def domain(self) -> Domain | None:
        """The public domain that the regions belong to; None until it is named."""
        if self._domain is None:
            self._now()
        return self._domain

    @property
    def path(self) -> Path | None:
        """The path of the file; None for a ledger in memory."""
        return None if self._file is None else Path(self._file.path)

    @property
    def last_charge(self) -> LastCharge | None:
        """Number and time (UTC) of the last round in the file; None if there is none, and for a ledger in memory."""
        with self._books() as books:
            return books.last_charge()

    def bind(self, domain: Domain) -> None:
        """Name the domain whose regions are charged; once named it does not change."""
        if type(domain) is not Domain:
            raise ValueError(f"domain must be a Domain, got {type(domain).__name__}")
        require_acceptable([], domain, self._budget)
        with self._books("BEGIN IMMEDIATE" if self.domain is None else "BEGIN") as books:
            if self._domain is not None and self._domain != domain:
                raise ValueError("this ledger belongs to another domain")
            for region_tree in self._region_trees:
                booking.require_inside(domain, region_tree.parent)
            if self._domain is None:
                books.name_domain(domain)
                self._domain = domain

    @property
    def spent(self) -> Paid:
        """The most that any record has paid: ε, or (ρ, ξ)."""
        return booking.cost_of(self._now()).public(self.measure)

    def remaining(self, region: Region | None = None, account: str = "") -> Paid:
        """What may still be charged to the region (by default to all records), in the named account: ε, or (ρ, ξ)."""
        return self.left(region, account).public(self.measure)

    def left(self, region: Region | None = None, account: str = "") -> Amount:
        """The same as a pair in either measure; in ε its second part is 0."""
        if region is None:
            return self._budget.amount.less(booking.cost_of(self._now()))
        require_region(region)
        trial = [region_tree.copy() for region_tree in self._now()]
        own = booking.tree_for(trial, account, region)
        others = booking.cost_of([region_tree for region_tree in trial if region_tree is not own])
        return self._budget.amount.less(own.path_cost(region)).less(others)

    def spent_on(self, region: Region | None = None) -> Paid:
        """The most that a record of the region has paid, at most; exact if all regions are nested or disjoint."""
        if region is not None:
            require_region(region)
        return booking.spent_on(self._now(), region).public(self.measure)

    def odometer(self) -> dict[Region, Paid]:
        """What is spent on each region that was ever charged, in the order of booking."""
        now, measure = self._now(), self.measure
        every = (region for region_tree in now for region in region_tree.charges)
        return {region: booking.spent_on(now, region).public(measure) for region in every}

    @property
    def accounts(self) -> tuple[str, ...]:
        """Their names, in the order in which they were opened."""
        return tuple(dict.fromkeys(region_tree.account for region_tree in self._now()))

    @property
    def colluders(self) -> int | None:
        """How many colluders every charge withstands: fixed when the ledger was made, or by its first round."""
        self._now()
        return self._withstood()

    def _withstood(self) -> int | None:
        return fewest_withstood(self._region_trees) if self._promised is None else self._promised

    @property
    def rounds(self) -> int:
        """How many rounds have been charged."""
        return booking.last_round(self._now())

    def new_account(self, what: str) -> str:
        """A name for an account that nobody else has: no computation on this ledger or its file, in any process.

        >>> ledger = Ledger(1)
        >>> ledger.new_account("tree"), ledger.new_account("tree")
        ('tree that begins after round 0', 'tree that begins after round 0 (2)')
        """
        require_type(what, str, "what")
        with self._books("BEGIN IMMEDIATE", synced=False) as books:
            begins = f"{what} that begins after round "
            if self._upto is not None:  # a computation that goes on has the account that it had
                own = books.accounts_of(self._session, self._upto)
                if found := [name for name in own if name.startswith(begins) and name not in self._named]:
                    self._named.add(found[0])
                    return found[0]
            first = f"{begins}{self.rounds}"
            names = chain([first], (f"{first} ({n})" for n in count(2)))
            taken = {*self._named, *self.accounts}
            name = next(name for name in names if name not in taken and books.kept(f"account {name}") is None)
            if self._file is not None:
                books.keep(f"account {name}", b"")
            self._named.add(name)
        return name

    def rounds_of(self, account: str) -> tuple[int, ...]:
        """The numbers of the rounds that were charged to one account, in their order."""
        own = (region_tree for region_tree in self._now() if region_tree.account == account)
        charged = (index for one in own for charges in one.charges.values() for index, _ in charges)
        return tuple(sorted({number for number, _ in charged}))

    @property
    def counts(self) -> Inventory:
        """What the derivation holds, as the checker counts it (:data:`fdpedu.derivation_checker.MAX_COUNTS`)."""
        return counts_of(self._now(), self._domain, self._budget)

    def charge(
        self,
        charges: Iterable[Charge],
        account: str = "",
        *,
        asked: Callable[[], Entry] | None = None,
        key: str = "",
        answer: Callable[[], bytes] | None = None,
    ) -> int:
        """Book all charges of one round, or none of them; returns the number of the round.

        The new state is computed beside the old one and takes its place in one assignment, under a lock. So neither a
        second thread nor an exception, wherever it strikes, can lose a charge or book it twice.

        With an ``answer`` the round is *admitted before anything is counted, and on the disk before anything is sent*:
        under the lock of the file the budget is checked, then the answer is counted and drawn, and then both are
        committed in one transaction. If the answer fails, or the process is killed, nothing is charged. What stands
        under the key is neither charged nor drawn again, whoever asks.

        Parameters
        ----------
        charges : the releases of the round
        account : charges of one computation (one tree) go to one account; accounts add up, whatever their regions
        asked : what is asked for them, and of whom, as the entry of a manifest without the number of its round: a
            ledger in a file keeps it beside the charges, in the same step
        key : under which the answer is kept, for :meth:`kept`; where something stands under it, nothing is done, and 0
            is returned. Without a key the answer is not kept
        answer : counts and draws, and sends nothing; its bytes are committed together with the charges

        Raises
        ------
        BudgetExceeded
            If some record would pay more than the budget.
        ValueError
            If a charge withstands fewer colluders than promised, the checker would refuse the derivation, rounds are
            stepped over and this one is another than the one charged then, or a step is open and there is no answer.

        Examples
        --------
        >>> from fdpedu.domain import Domain, Numeric
        >>> everybody = Domain([Numeric.grid("age", 0, 100, bins=2)], ("well", "ill")).everything
        >>> charges = [Charge(everybody, "1/2", "count", "discrete Laplace", 1, "thm-discrete-laplace")]
        >>> ledger, draws = Ledger(1), iter([b"17", b"12"])
        >>> [ledger.charge(charges, key="monday", answer=lambda: next(draws)) for _ in range(2)]
        [1, 0]
        >>> ledger.kept("monday"), ledger.spent
        (b'17', Fraction(1, 2))
        """
        batch = as_list(charges, "charges")
        if not batch or not all(type(charge) is Charge for charge in batch):  # a subclass could state another ε later
            raise ValueError("charge a non-empty list of Charge")
        for charge in batch:
            require_measure(charge.cost.measure, self.measure)
        require_key(key, answer)
        if answer is None:  # thm-round: whoever draws afterwards must find the charge on the disk
            self.require_no_step("a charge without its answer")
        else:
            require_callable(answer, "answer")
        entry = None if asked is None or self._file is None else asked()
        with self._books("BEGIN IMMEDIATE") as books:
            if key and books.kept(key) is not None:
                return 0
            if stepped_over := self._step_over(books, batch, account):
                return stepped_over
            number, trial = self._admitted(batch, account)
            books.append(number, account, batch, entry)
            self._region_trees = trial
            if answer is not None:
                content = answer()
                if key:
                    books.keep(key, as_bytes(content, "answer"))
        return number  # of a ledger in a file: it is on the disk before anybody goes on

    def _admitted(self, batch: Sequence[Charge], account: str) -> tuple[int, RegionTrees]:
        """The number of a round, and what is booked with it, if the budget is enough."""
        # thm-checker-sound: their number is fixed beforehand
        require_withstood(self._withstood(), (charge.colluders for charge in batch))
        trial = [region_tree.copy() for region_tree in self._region_trees]
        number = booking.last_round(trial) + 1
        if self._domain is not None:
            booking.require_inside(self._domain, (charge.region for charge in batch))
        booking.book_round(trial, number, batch, account)
        cost = booking.cost_of(trial)
        # lem-filter: no record may ever pay more than the budget
        if not cost.within(self._budget.amount):
            spent = booking.cost_of(self._region_trees)
            # overlapping regions may add more than alone
            wanted = booking.cost_of_round(batch).joined(cost.less(spent))
            reached = f"ε = {shown(cost.value)}" if self._budget.is_pure else str(cost)
            most = shown(self.budget) if self._budget.is_pure else str(self._budget.limit)
            said = too_much(wanted, self._budget.amount.less(spent), self.measure, self._budget.delta)
            raise BudgetExceeded(
                f"{said}: the round would bring some record to {reached}, more than the budget {most}; nothing was "
                "charged"
            )
        require_acceptable(trial, self._domain, self._budget)
        return number, trial

    def note_answers(self, number: int, names: Sequence[str]) -> None:
        """Write down, in a ledger's file, whose answers the sums of a round hold; without it they stay unknown."""
        if self._file is not None and not self._closed:
            with self._books("BEGIN IMMEDIATE", synced=False) as books:
                books.note_answers(number, names)

    def evidence(self) -> Sequence[Evidenced]:
        """The rounds in a ledger's file, each with what was asked in it; none of a ledger in memory."""
        with self._books() as books:
            return books.evidence()

    def derivation(self) -> Derivation:
        """The cost of everything charged so far, as a tree of rules."""
        region_trees = self._now()
        colluders = self._withstood()
        if self._domain is None or colluders is None or not region_trees:
            raise ValueError("a derivation needs a domain and at least one charge")
        return booking.derived(region_trees, self._domain, self._budget, colluders)
