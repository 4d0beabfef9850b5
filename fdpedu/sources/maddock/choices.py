"""What Maddock et al.'s framework leaves open: one choice for each component, and how many queries that takes.

The numbers of queries are those of their Table 1, for p features of which a tree uses k:

- splits, κ_s: 0 if they are totally random; T if k = 1; else T·k·d;
- weights, κ_w: T if splits are totally random; else 0, because the last split's sums are those of the leaves;
- candidates, κ_c: s·k for s rounds of paid candidates; 0 if splits are by histograms, which hold what is needed;
  0 for uniform and log ones, which need no data; "N/A" for quantiles of the rows, which are not private.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from fdpedu.exact import Rational, as_fraction, as_integer, quoted, shown

SPLITS = ("histogram", "partially random", "totally random")
WEIGHTS = ("averages", "gradient", "newton")
CANDIDATES = ("uniform", "log", "quantiles", "paid")
TURNS = ("cyclical", "random")
MAX_TREES, MAX_DEPTH = 1000, 6
UNPRICED = (
    "candidates must not be 'quantiles' where a price or a guarantee is stated: they are read off the rows, which "
    "nobody has paid for; choose 'paid', or run them as 'not private'"
)


class Queries(NamedTuple):
    """κ_s, κ_w and κ_c: how many queries are asked for splits, for weights and for candidates."""

    splits: int
    weights: int
    candidates: int


@dataclass(frozen=True)
class Choices:
    """One choice for each component of the framework.

    Claims: lem-maddock-releases

    Parameters
    ----------
    trees : T, from 1 to 1000
    depth : d, from 1 to 6; every tree is complete
    splits : C1, ``"histogram"``: the best candidate by eq. (5), from sums by cell; ``"partially random"``: the best of
        one random candidate a feature; ``"totally random"``: a random candidate of a random feature, without a query
    weights : C2, ``"averages"``: the share of the second class in the leaf less ½, the same for trees in any order;
        ``"gradient"``: eq. (3); ``"newton"``: eq. (4)
    candidates : C3, ``"uniform"``: evenly spaced borders of the domain; ``"log"``: their distances from the lower end
        grow by equal factors; ``"quantiles"``: of the rows, so not private, and refused wherever a price or a guarantee
        is stated; ``"paid"``: they move, by a rule of ours
    n_candidates : Q, how many candidates a feature has, from 1 to 255; all borders where it has fewer
    moves : s, how often paid candidates move: once in each of the first s batches
    features : A1, k, how many features a tree uses; all of them unless given
    turns : A1, ``"cyclical"``: trees use the features in turn; ``"random"``: a random subset each
    batch : A2, B, how many trees are grown before scores change, from 1 to T
    regularisation, gamma : λ > 0 and γ ≥ 0 of eq. (1)
    learning_rate : by what a batch's weights are multiplied, and divided by B; greater than 0 (1 in the source)

    Examples
    --------
    >>> Choices(trees=25, depth=3).queries(n_features=10)
    Queries(splits=750, weights=0, candidates=0)
    >>> Choices(trees=25, depth=3, splits="totally random").queries(10)
    Queries(splits=0, weights=25, candidates=0)
    >>> Choices(splits="by eye")
    Traceback (most recent call last):
    ValueError: splits must be 'histogram', 'partially random' or 'totally random', got 'by eye'
    """

    trees: int = 25
    depth: int = 3
    splits: str = "histogram"
    weights: str = "newton"
    candidates: str = "uniform"
    n_candidates: int = 16
    moves: int = 3
    features: int | None = None
    turns: str = "cyclical"
    batch: int = 1
    regularisation: Rational = 1
    gamma: Rational = 0
    learning_rate: Rational = "3/10"

    def __post_init__(self) -> None:
        self._set("trees", as_integer(self.trees, "trees", minimum=1, maximum=MAX_TREES))
        self._set("depth", as_integer(self.depth, "depth", minimum=1, maximum=MAX_DEPTH))
        for name, allowed in (
            ("splits", SPLITS),
            ("weights", WEIGHTS),
            ("candidates", CANDIDATES),
            ("turns", TURNS),
        ):
            found = getattr(self, name)
            if not isinstance(found, str) or found not in allowed:
                listed = f"{', '.join(map(repr, allowed[:-1]))} or {allowed[-1]!r}"
                raise ValueError(f"{name} must be {listed}, got {quoted(found)}")
        self._set("n_candidates", as_integer(self.n_candidates, "n_candidates", minimum=1, maximum=255))
        if self.features is not None:
            self._set("features", as_integer(self.features, "features", minimum=1))
        self._set("batch", as_integer(self.batch, "batch", minimum=1, maximum=self.trees))
        self._set("moves", as_integer(self.moves, "moves", minimum=1))
        if self.candidates == "paid" and self.moves > self.batches:
            raise ValueError(f"moves must be at most {self.batches}, the number of batches, got {self.moves}")
        for name, least in (("regularisation", None), ("gamma", 0), ("learning_rate", None)):
            value = as_fraction(getattr(self, name), name)
            if value < 0 or (least is None and not value) or value > 10**6:
                domain = "from 0 to" if least == 0 else "greater than 0 and at most"
                raise ValueError(f"{name} must be {domain} 10⁶, got {shown(value)}")
            self._set(name, value)

    def _set(self, name: str, value: int | Fraction) -> None:
        object.__setattr__(self, name, value)

    @property
    def batches(self) -> int:
        """⌈T/B⌉."""
        return math.ceil(self.trees / self.batch)

    def used(self, n_features: int) -> int:
        """k, of p features; refuses more than there are."""
        if self.features is not None and self.features > n_features:
            raise ValueError(f"features must be at most {n_features}, the number that there are, got {self.features}")
        return self.features or n_features

    def queries(self, n_features: int) -> Queries:
        """κ_s, κ_w and κ_c by the formulas of Table 1, for p features.

        The root's totals are not asked for: they are the sums over the cells of a histogram.

        Parameters
        ----------
        n_features : p
        """
        if self.candidates == "quantiles":
            raise ValueError(UNPRICED)
        k = self.used(as_integer(n_features, "n_features", minimum=1))
        moved = self.moves * k if self.candidates == "paid" and self.splits != "histogram" else 0
        if self.splits == "totally random":
            return Queries(0, self.trees, moved)
        # a tree of one feature asks once: its histogram, or, with one candidate a node, nothing but its leaves
        return Queries(self.trees if k == 1 else self.trees * k * self.depth, 0, moved)
