"""The splits among which one is chosen: a function of what is public, so that the choice alone tells of rows.

In a region, a feature with bins has a split at each border between two bins that the region has; a code of missing
values may go to either side of it, and may stand alone. A category stands against all others of the region. Splits that
would leave a side without codes are none. Which sides have rows does not matter: that is not public.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from fdpedu.cart.split import CodeSplit, Counts
from fdpedu.domain import Domain, Numeric, Region
from fdpedu.domain.features import MAX_CODES, Feature
from fdpedu.exact import as_integer, as_list, require_type

MAX_CANDIDATES = 2**14


@dataclass(frozen=True)
class Borders:
    """Borders between bins at which features may be split; public, and of a feature without an entry all of them.

    Parameters
    ----------
    kept : for each feature None, for all of its splits, or the increasing positions k of some borders: the codes below
        k go left. Empty: no feature is restricted

    Examples
    --------
    >>> Borders([[5, 10], None])
    Borders(kept=((5, 10), None))
    """

    kept: tuple[tuple[int, ...] | None, ...] = ()

    def __post_init__(self) -> None:
        read = [None if some is None else as_list(some, "kept") for some in as_list(self.kept, "kept")]
        found = tuple(
            None if some is None else tuple(as_integer(k, "kept", minimum=1, maximum=MAX_CODES) for k in some)
            for some in read
        )
        if any(some is not None and list(some) != sorted(set(some)) for some in found):
            raise ValueError("kept must have increasing positions of borders, for each feature")
        object.__setattr__(self, "kept", found)

    def to_wire(self) -> tuple[tuple[int, ...] | str, ...]:
        """As it stands in a query."""
        return tuple("all" if some is None else some for some in self.kept)

    def require_of(self, domain: Domain) -> None:
        """Refuse borders that the features of the domain do not have."""
        if self.kept and len(self.kept) != domain.n_features:
            raise ValueError(f"borders must have an entry for each of the domain's {domain.n_features} features")
        for feature, some in zip(domain.features, self.kept, strict=False):
            if some is not None and not (isinstance(feature, Numeric) and all(k < feature.n_bins for k in some)):
                raise ValueError(f"borders of {feature.name} must lie between its bins")

    def allow(self, domain: Domain, region: Region, feature: int, codes: Collection[int]) -> bool:
        """Whether some codes of a feature may go left in a region; of a feature without an entry any may.

        >>> ages = Domain.from_spec({"features": {"age": [0, 90, 9]}, "classes": ["ill", "well"]})
        >>> [Borders([[3]]).allow(ages, ages.everything, 0, range(k)) for k in (3, 4)]
        [True, False]
        """
        self.require_of(domain)
        if not self.kept or self.kept[feature] is None:
            return True
        here = region.codes(feature)
        found = candidates(domain, region, self)
        splits = (found[at] for at in range(len(found)) if found.lefts[at].feature == feature)
        return any(split.left & here == here.intersection(codes) for split in splits)

    def have(self, left: _Left, domain: Domain) -> bool:
        """Whether a split is one of them; that of a missing value from all others always is."""
        some = self.kept[left.feature] if self.kept else None
        feature = domain.features[left.feature]
        return some is None or left.end in some or (isinstance(feature, Numeric) and left.end == feature.n_bins)


ALL_BORDERS = Borders()


class _Left(NamedTuple):
    """Codes of a feature from ``start`` to before ``end``, and perhaps one more, ``extra``, go left."""

    feature: int
    start: int
    end: int
    extra: int | None = None


@dataclass(frozen=True)
class Candidates:
    """The public splits of a region, in their order.

    Parameters
    ----------
    domain, region : whose splits these are
    lefts : what goes left in each
    """

    domain: Domain
    region: Region
    lefts: tuple[_Left, ...]

    def __len__(self) -> int:
        return len(self.lefts)

    def __getitem__(self, at: int) -> CodeSplit:
        left = self.lefts[at]
        extra = () if left.extra is None else (left.extra,)
        return CodeSplit(left.feature, frozenset((*range(left.start, left.end), *extra)))

    def sides(self, table: Counts) -> tuple[Counts, Counts]:
        """The class counts on both sides of each split, each of shape (splits, classes).

        Parameters
        ----------
        table : class × code counts of the region's rows, all features one after the other, shape (Σ codes, classes)
        """
        first = np.cumsum([0, *(feature.n_codes for feature in self.domain.features)], dtype=np.int64)
        sums = np.concatenate([np.zeros_like(table[:1]), np.cumsum(table, axis=0)])
        of = np.array([left.feature for left in self.lefts], dtype=np.intp)
        start, end = (
            np.array([getattr(left, name) for left in self.lefts], dtype=np.intp) for name in ("start", "end")
        )
        inside = sums[first[of] + end] - sums[first[of] + start]
        more = np.array([-1 if left.extra is None else left.extra for left in self.lefts], dtype=np.intp)
        inside[more >= 0] += table[first[of[more >= 0]] + more[more >= 0]]
        return inside, sums[first[1]] - inside


def candidates(domain: Domain, region: Region, borders: Borders = ALL_BORDERS) -> Candidates:
    """All splits that divide the codes of a region, feature by feature.

    Claims: lem-chosen-split

    Parameters
    ----------
    domain : public
    region : of the domain; public, too
    borders : the only ones between bins at which a feature may be split

    Examples
    --------
    >>> features = {"age": [0, 90, 3], "ward": ["A", "B", "C"]}
    >>> domain = Domain.from_spec({"features": features, "classes": ["ill", "well"]})
    >>> found = candidates(domain, domain.everything)
    >>> len(found), found[1], found[2].left
    (5, CodeSplit(feature=0, left=frozenset({0, 1})), frozenset({0}))
    >>> len(candidates(domain, domain.everything.restrict(0, {2}).restrict(1, {0, 1})))
    1
    >>> len(candidates(domain, domain.everything, Borders([[2], None])))
    4
    """
    require_type(domain, Domain, "domain")
    require_type(region, Region, "region")
    if len(region.features) != domain.n_features or not domain.everything.contains(region):
        raise ValueError("region must lie in the domain")
    require_type(borders, Borders, "borders")
    borders.require_of(domain)
    return _listed(domain, region, borders)


@lru_cache(maxsize=2**10)  # a node is asked about once, and every party lists its splits
def _listed(domain: Domain, region: Region, borders: Borders) -> Candidates:
    found = [left for j, feature in enumerate(domain.features) for left in _of_feature(j, feature, region.codes(j))]
    return Candidates(domain, region, tuple(left for left in found if borders.have(left, domain)))


def _of_feature(j: int, feature: Feature, codes: frozenset[int]) -> list[_Left]:
    """What may go left in a split of one feature, among the codes that a region has."""
    present = sorted(codes)
    if not feature.ordered:
        # of two categories, one against the other is one split
        alone = present if len(present) > 2 else present[:1] if len(present) == 2 else []
        return [_Left(j, code, code + 1) for code in alone]
    missing = feature.n_codes - 1 if feature.missing and feature.n_codes - 1 in codes else None
    bins = [code for code in present if code != missing]
    borders = [_Left(j, 0, code + 1) for code in bins[:-1]]
    if missing is None:
        return borders
    both = [side for left in borders for side in (left._replace(extra=missing), left)]
    return [*both, _Left(j, 0, missing)] if bins else both


def count_candidates(domain: Domain) -> int:
    """The number of splits of the whole domain: no region of it has more.

    >>> count_candidates(Domain.from_spec({"features": {"age": [0, 90, 3]}, "classes": ["ill", "well"]}))
    2
    """
    require_type(domain, Domain, "domain")
    return len(candidates(domain, domain.everything))


def require_few(number: int, most: int = MAX_CANDIDATES) -> None:
    """Refuse a domain that has more splits than may be chosen among."""
    if number > most:
        raise ValueError(
            f"the domain must have at most {most} splits to choose among (borders, and categories against the rest), "
            f"got {number}: take fewer bins"
        )
