"""How rounds are entered in region trees, what they cost there, and where a ledger keeps them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from itertools import groupby
from typing import TYPE_CHECKING, Protocol

from fdpedu.accounting.budget import Budget
from fdpedu.accounting.charge import Charge, Entry, require_measure
from fdpedu.accounting.cost import Amount, sum_of
from fdpedu.accounting.derivation import Derivation
from fdpedu.accounting.region_tree import RegionTree
from fdpedu.accounting.writing import document, proof_of, release_step
from fdpedu.derivation_checker import stated_in
from fdpedu.domain import Domain, Region

if TYPE_CHECKING:
    from fdpedu.accounting.budget_file import Evidenced, LastCharge, Round, Transaction
RegionTrees = list[RegionTree[Charge]]


class Books(Protocol):
    """Where a ledger's rounds are kept, while nobody else charges."""

    def part(self) -> AbstractContextManager[None]: ...
    def append(self, number: int, account: str, charges: Sequence[Charge], asked: Entry | None = None) -> None: ...
    def note_answers(self, number: int, names: Sequence[str]) -> None: ...
    def evidence(self) -> Sequence[Evidenced]: ...
    def name_domain(self, domain: Domain) -> None: ...
    def last_charge(self) -> LastCharge | None: ...
    def kept(self, key: str) -> bytes | None: ...
    def keep(self, key: str, content: bytes) -> None: ...
    def forget(self, beginning: str) -> None: ...
    def next_round_of(self, session: str, after: int) -> Round | None: ...
    def accounts_of(self, session: str, after: int) -> Sequence[str]: ...


class InMemory:
    """Of rounds nothing is kept but the ledger itself."""

    def __init__(self) -> None:
        self._kept: dict[str, bytes] = {}

    @contextmanager
    def part(self) -> Iterator[None]:
        """For the length of a block; if it fails, what was kept before is kept again."""
        before = dict(self._kept)
        try:
            yield
        except BaseException:
            self._kept = before
            raise

    def kept(self, key: str) -> bytes | None:
        return self._kept.get(key)

    def keep(self, key: str, content: bytes) -> None:
        self._kept[key] = content

    def forget(self, beginning: str) -> None:
        self._kept = {key: content for key, content in self._kept.items() if not key.startswith(beginning)}

    def next_round_of(self, session: str, after: int) -> Round | None:
        return None

    def accounts_of(self, session: str, after: int) -> Sequence[str]:
        return ()

    def append(self, number: int, account: str, charges: Sequence[Charge], asked: Entry | None = None) -> None:
        pass

    def note_answers(self, number: int, names: Sequence[str]) -> None:
        pass

    def evidence(self) -> Sequence[Evidenced]:
        return ()

    def name_domain(self, domain: Domain) -> None:
        pass

    def last_charge(self) -> LastCharge | None:
        return None


def require_inside(domain: Domain, regions: Iterable[Region]) -> None:
    for region in regions:
        if len(region.features) != domain.n_features or not domain.everything.contains(region):
            raise ValueError("every region must lie in the ledger's domain; nothing was charged")


def book_round(region_trees: RegionTrees, number: int, charges: Sequence[Charge], account: str) -> None:
    """Enter the charges of a round."""
    named = [((number, index), charge) for index, charge in enumerate(charges, 1)]
    for region, group in groupby(named, key=lambda pair: pair[1].region):
        booked = list(group)
        names, letters = zip(*(stated_in(release_step(*pair)) for pair in booked), strict=True)
        tree_for(region_trees, account, region).add(booked, sum(names), sum(letters))


def spent_on(region_trees: RegionTrees, region: Region | None) -> Amount:
    return sum_of(region_tree.max_descendant_cost(meeting=region) for region_tree in region_trees)


def last_round(region_trees: RegionTrees) -> int:
    """The number of the last round charged; a round is numbered by what it books, so it cannot be miscounted."""
    last = (booked[-1][0][0] for region_tree in region_trees for booked in region_tree.charges.values())
    return max(last, default=0)


def cost_of(region_trees: RegionTrees) -> Amount:
    """At most this is paid by any record: region trees in sequence, each along its paths."""
    return sum_of(region_tree.max_descendant_cost() for region_tree in region_trees)


def cost_of_round(charges: Sequence[Charge]) -> Amount:
    """At most this is paid by any record in one round, whatever came before it."""
    alone: RegionTrees = []
    book_round(alone, 1, charges, "")
    return cost_of(alone)


def tree_for(region_trees: RegionTrees, account: str, region: Region) -> RegionTree[Charge]:
    """The first tree of the account in which the region is nested in, around or apart from all others; else a new one.

    Regions that overlap without nesting thus stand in different trees, and their costs are added.
    """
    for region_tree in region_trees:
        if region_tree.account == account and region_tree.insert(region):
            return region_tree
    # lem-filter: costs of different region trees are added, which is an upper bound for overlapping regions
    region_trees.append(RegionTree(account))
    region_trees[-1].insert(region)
    return region_trees[-1]


def caught_up(
    books: Transaction, region_trees: RegionTrees, domain: Domain | None, budget: Budget, upto: int | None = None
) -> tuple[RegionTrees, Domain | None]:
    """With what other processes have charged and named since; of charges, up to a round if one is given."""
    named, rounds = books.domain() if domain is None else domain, books.rounds(last_round(region_trees))
    rounds = [one for one in rounds if upto is None or one.number <= upto]
    if not rounds:
        return region_trees, named
    trial = [region_tree.copy() for region_tree in region_trees]
    for number, account, _, charges, _ in rounds:
        for charge in charges:
            require_measure(charge.cost.measure, budget.measure)
        book_round(trial, number, charges, account)
    if named is not None:
        require_inside(named, (region for region_tree in trial for region in region_tree.parent))
    if not cost_of(trial).within(budget.amount):
        raise ValueError("the file is damaged: it holds charges of more than its budget; nothing is released")
    return trial, named


def derived(region_trees: RegionTrees, domain: Domain, budget: Budget, colluders: int) -> Derivation:
    """The derivation of what is booked; at least one round is."""
    every = [charge for region_tree in region_trees for booked in region_tree.charges.values() for _, charge in booked]
    proof, kinds = proof_of(region_trees, domain.everything), sorted({charge.randomness for charge in every})
    return Derivation(document(domain, proof, budget, colluders, kinds), domain)
