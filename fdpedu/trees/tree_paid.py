"""What a derivation has paid for, held against a tree: the histograms of its inner nodes, the counts of its leaves."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, islice
from typing import Any

from fdpedu.accounting import Cost, Derivation
from fdpedu.accounting.writing import amount_of
from fdpedu.derivation_checker import MAX_INTEGER, PURE, Guarantee
from fdpedu.dlpa import count_noise_shares
from fdpedu.dlpa.gaussian_noise import gaussian_noise
from fdpedu.domain import Domain, Region
from fdpedu.exact import as_integer, as_list
from fdpedu.federation import ClassCounts, ClassHistogram, DesignedSplit, LeafLabel, NodeHistograms, Query
from fdpedu.trees.leaf_release import LeafRelease

_ONE = Fraction(1)
_MOST_WAYS = 256  # to put the parts of a node on two sides, by one feature
Asked = tuple[str, tuple[tuple[str, int | str], ...], int]  # the type of a query, its parameters, and its sensitivity


@dataclass(frozen=True)
class Paid:
    """Which queries were released where, and at what cost.

    Parameters
    ----------
    domain : of the tree
    is_pure : whether releases state ε, and so of how many of them an answer is; else they state ℓ₂²
    costs : for each region and query, by its type, its parameters and that number, the costs of its releases
    """

    domain: Domain
    is_pure: bool
    costs: dict[tuple[Region, Asked], set[Cost]]

    @classmethod
    def by(cls, derivation: Derivation, domain: Domain, rounds: Collection[int] = ()) -> Paid:
        """The releases of these rounds of a derivation, by what identifies them; of all, if no rounds are named."""
        costs: dict[tuple[Region, Asked], set[Cost]] = {}
        is_pure = derivation.measure == PURE
        for paid, step in derivation.releases(rounds):
            region = Region(paid.features, paid.classes)  # of all parties: who has paid for a split does not matter
            # of how many trees a sum is, no parameter says, and so the checker does not see it
            size = step["releases" if is_pure else "l2_squared"]
            asked = (step["type"], tuple(sorted(step["parameters"].items())), size)
            costs.setdefault((region, asked), set()).add(Cost(derivation.measure, amount_of(step).value))
        return cls(domain, is_pure, costs)

    def require_histogram(self, region: Region, feature: int | None = None) -> None:
        """Refuse a node of which neither all histograms were released nor that of the feature (of any, if None)."""
        features = range(self.domain.n_features) if feature is None else [feature]
        every, some = NodeHistograms(region, _ONE), [ClassHistogram(region, _ONE, j) for j in features]
        if not any(self.has_release(query) for query in (every, *some)):
            raise ValueError(self._lacking(every))

    def has(self, region: Region, type_name: str) -> bool:
        """Whether some query of this type was released on the region."""
        return any(at == region and asked[0] == type_name for at, asked in self.costs)

    def has_release(self, query: Query) -> bool:
        """Whether this very query was released, at whatever cost: of its type, region, parameters and sensitivity."""
        return bool(self.costs_of(query))

    def costs_of(self, query: Query) -> set[Cost]:
        """What this very query has cost, each time that it was released."""
        return self.costs.get((query.region, self._asked(query)), set())

    def require_choice(self, region: Region, *types: str) -> None:
        """Refuse a node of which no choice of one of these types was released."""
        if not any(self.has(region, name) for name in types):
            where = self.domain.describe(region)
            raise ValueError(
                f"the derivation has no choice of a split on {where}: this tree is not the one it paid for"
            )

    def require_counts(self, region: Region, cost: Cost | None = None) -> None:
        """Refuse a leaf whose class counts were not released; or not at that cost, if one is given."""
        self.require_release(ClassCounts(region, _ONE), cost)

    def require_release(self, query: Query, cost: Cost | None = None) -> None:
        """Refuse what this very query was not released for; or not at that cost, if one is given."""
        costs = self.costs_of(query)
        if not costs or cost not in (None, *costs):
            raise ValueError(self._lacking(query))

    def require_leaf(self, region: Region, leaf_type: str) -> None:
        """Refuse a leaf of which neither class counts nor, where the design has them, a label was released."""
        self.require_release(LeafLabel(region, _ONE) if leaf_type == LeafLabel.type else ClassCounts(region, _ONE))

    def require_releases(self, releases: Sequence[LeafRelease]) -> None:
        """Refuse leaf releases that were not paid for, or whose regions do not divide the domain."""
        for release in releases:
            self.require_counts(release.region, release.cost)
        if releases and not divides(self.domain.everything, [release.region for release in releases]):
            raise ValueError("the regions of leaf_releases must divide the domain")

    def _lacking(self, query: Query) -> str:
        what, where = query.describe(self.domain), self.domain.describe(query.region)
        return f"the derivation has no release of {what} on {where}: this tree is not the one it paid for"

    def _asked(self, query: Query) -> Asked:
        size = query.n_releases if self.is_pure else query.l2_squared
        return query.type, tuple(sorted(query.parameters.items())), size


def n_rounds(derivation: Derivation) -> int:
    """How many rounds a derivation has."""
    return len({step["round"] for _, step in derivation.releases()})


def read_rounds(found: Any, derivation: Derivation) -> tuple[int, ...]:
    """The numbers of a model's rounds, as its file has them: ascending, and each of the derivation.

    Older files have how many there were, and a derivation that is the model's alone: then there is nothing to tell.
    """
    if type(found) is int:
        as_integer(found, "rounds", minimum=1, maximum=MAX_INTEGER)
        return ()
    rounds = tuple(as_integer(n, "rounds", minimum=1, maximum=MAX_INTEGER) for n in as_list(found, "rounds"))
    known = {step["round"] for _, step in derivation.releases()}
    if not rounds or list(rounds) != sorted(set(rounds)) or not known.issuperset(rounds):
        raise ValueError("rounds must be the numbers of rounds that the derivation has, in ascending order")
    return rounds


def require_by_parties(
    derivation: Derivation, rounds: Collection[int], n_parties: int | None, tolerate: int | None
) -> None:
    """Refuse a model whose rounds were designed by a party that there was not, or had other noise than so many make."""
    for _, step in derivation.releases(rounds):
        designer = step["parameters"].get("designer") if step["type"] == DesignedSplit.type else None
        if designer is not None and (n_parties is None or as_integer(designer, "designer", minimum=0) >= n_parties):
            raise ValueError(f"the derivation has a split that party {designer} designed, and n_parties is {n_parties}")
        if tolerate is not None and step["colluders"] > tolerate:
            raise ValueError(f"the derivation withstands {step['colluders']} colluders, and tolerate is {tolerate}")
        if "variance" in step and n_parties is not None and tolerate is not None:
            sensitivity = {name: step[name] for name in ("l2_squared", "cells")}
            cost = Cost(derivation.measure, Fraction(step["rho"]))
            noise = gaussian_noise(cost, **sensitivity, n_shares=count_noise_shares(n_parties, tolerate))
            if (step["variance"], step["xi"]) != (str(noise.variance), str(noise.xi)):
                raise ValueError(
                    f"the derivation has noise of the variance {step['variance']} with ξ = {step['xi']}, and "
                    f"{n_parties} parties of which {tolerate} are tolerated make {noise.variance} with ξ = {noise.xi}"
                )


def require_adaptive(guarantee: Guarantee) -> None:
    """Refuse a derivation that says that regions and costs were fixed beforehand: no ledger writes that of a model.

    What a model asks follows from what was released before, so another run may have cost more than this one.
    """
    if not guarantee.adaptive:
        raise ValueError(
            "its derivation says that regions and costs were fixed beforehand, and those of a model are chosen on the "
            "way: then the adaptive rule stands at the root, and gives the budget"
        )


def divides(whole: Region, parts: Sequence[Region]) -> bool:
    """Whether the parts are disjoint, cover the whole, and come from it by splits of one coordinate each.

    >>> from fdpedu.domain import Domain
    >>> everything = Domain.from_spec({"features": {"x": [0, 4, 4], "w": ["A", "B"]}, "classes": ["a", "b"]}).everything
    >>> left, right = everything.restrict(0, {0}), everything.restrict(0, {1, 2, 3})
    >>> divides(everything, [left, right.restrict(1, {0}), right.restrict(1, {1})]), divides(everything, [left])
    (True, False)
    """
    pending = [(whole, list(parts))]
    while pending:
        around, inside = pending.pop()
        if inside == [around]:
            continue
        groups = ((j, _by_codes(inside, j)) for j in range(len(around.features)))
        j, split = next(((j, found) for j, found in groups if len(found) > 1), (0, []))
        if frozenset().union(*(codes for codes, _ in split)) != around.codes(j):
            return False
        pending += [(around.restrict(j, codes), members) for codes, members in split]
    return True


def comes_apart(
    region: Region, above: Region | None, parts: Sequence[Region], allowed: Callable[[Region, Region | None], bool]
) -> bool:
    """Whether a region comes to these parts by splits into two, each of a node that is allowed, given its parent.

    Of a feature with many groups of parts only the first few hundred ways to put them on two sides are tried.
    """
    known: dict[tuple[Region, Region | None], bool] = {}

    def found(here: Region, outer: Region | None, inside: list[Region]) -> bool:
        if inside == [here]:
            return True
        if (here, outer) not in known:
            known[here, outer] = allowed(here, outer) and any(
                all(found(side, here, members) for side, members in sides) for sides in _in_two(here, inside)
            )
        return known[here, outer]

    return found(region, above, list(parts))


def _in_two(region: Region, parts: Sequence[Region]) -> Iterator[list[tuple[Region, list[Region]]]]:
    """The ways to divide a region in one feature so that each part lies on one side, each side with its parts."""
    for j in range(len(region.features)):
        groups = sorted(_by_codes(parts, j), key=lambda group: min(group[0]))
        if len(groups) < 2 or frozenset().union(*(codes for codes, _ in groups)) != region.codes(j):
            continue
        first, *others = groups
        chosen = (some for n in range(len(others)) for some in combinations(others, n))
        for left in islice(([first, *some] for some in chosen), _MOST_WAYS):
            sides = left, [group for group in groups if group not in left]
            yield [
                (region.restrict(j, frozenset().union(*(c for c, _ in side))), [p for _, ps in side for p in ps])
                for side in sides
            ]


def _by_codes(parts: Iterable[Region], feature: int) -> list[tuple[frozenset[int], list[Region]]]:
    """The parts in groups that have no code of the feature in common, each with its codes."""
    groups: list[tuple[frozenset[int], list[Region]]] = []
    for part in parts:
        codes, members = part.codes(feature), [part]
        apart = []
        for other, some in groups:
            if other & codes:
                codes, members = codes | other, some + members
            else:
                apart.append((other, some))
        groups = [*apart, (codes, members)]
    return groups
