"""The exact law of a whole small tree of one owner: the shipped fit is played once for every way in which it can draw.

In place of a draw the fit takes each of its outcomes in turn, and what the draw is given (scores, sensitivity, ε) says
how likely each is, for a rational α with α^steps = e^{−1}. Noisy counts are clamped to 0 and 1, which is
post-processing. Nothing else of the fit is replaced: regions, costs, borders, the search and the ledger are as shipped.

Checks of thm-privatree, lem-edges-add-up, and lem-leaf-label.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations, product
from math import prod
from typing import Any

import numpy as np

from fdpedu.accounting import Ledger
from fdpedu.claims.checking import require
from fdpedu.claims.replay import patched
from fdpedu.domain import Domain, Region
from fdpedu.exact import Integers, Rate
from fdpedu.federation import ClassCounts, Party, Query
from fdpedu.federation.queries.choices import Drawn
from fdpedu.federation.queries.noise import noisy
from fdpedu.histograms.edges import quantile_places
from fdpedu.histograms.joint import joint_utility
from fdpedu.mechanisms import permute_and_flip_pmf
from fdpedu.randomness import ZeroWords
from fdpedu.trees import Tree
from fdpedu.trees.clamped_tables import Data, clamped
from fdpedu.trees.designs.privatree.fit import fit_privatree
from fdpedu.trees.designs.privatree.search import best_noisy_split

HALF = Fraction(1, 2)
Law = Mapping[Any, Fraction]


@dataclass
class Draws:
    """One way in which a fit draws: outcomes that are taken as a script says, then the first that is possible.

    Parameters
    ----------
    script : the number of the outcome of each of the first draws
    steps : how many steps of ln(1/α) an ε of 1 has
    known : laws of tables that were met before, of the same fit
    """

    script: tuple[int, ...]
    steps: int
    known: dict[Any, Any] = field(default_factory=dict, repr=False)
    trail: list[tuple[int, tuple[Fraction, ...]]] = field(
        default_factory=list, init=False
    )  # of each draw, what was taken of what
    rates: dict[Region, Fraction] = field(default_factory=dict, init=False)  # of the histograms of a node
    edge_rate: Fraction = field(default=Fraction(0), init=False)

    def take(self, outcomes: Sequence[Any], masses: Sequence[Fraction]) -> Any:
        """One of the outcomes."""
        at = len(self.trail)
        first = next(k for k, mass in enumerate(masses) if mass)
        chosen = self.script[at] if at < len(self.script) else first
        self.trail.append((chosen, tuple(masses)))
        return outcomes[chosen]

    def in_steps(self, epsilon: Fraction) -> int:
        """So many ε, in whole steps."""
        steps = epsilon * self.steps
        require(steps.denominator == 1, f"{epsilon} is not a number of steps of 1/{self.steps}")
        return int(steps)

    def flip(
        self, scores: Sequence[int], epsilon: Fraction, source: object, *, sensitivity: int = 1, monotone: bool = False
    ) -> int:
        """In place of permute-and-flip."""
        unit = Fraction(epsilon) / (sensitivity if monotone else 2 * sensitivity)
        masses: list[Any] = permute_and_flip_pmf([self.in_steps(score * unit) for score in scores], alpha=HALF)
        return int(self.take(range(len(scores)), masses))

    def chain(self, counts: Sequence[int], bins: int, rate: Rate) -> Any:
        """In place of the chain of joint edges."""
        assert rate.rate is not None
        places = list(combinations(range(1, len(counts)), bins - 1))
        weights = [HALF ** -self.in_steps(joint_utility(counts, some) * rate.rate) for some in places]
        drawn = self.take(places, [weight / sum(weights) for weight in weights])
        return type("Drawn", (), {"draw": lambda self, source: drawn})()

    def noisy(self, exact: Integers, queries: Sequence[Query], domain: Domain, *rest: Any) -> Integers:
        """In place of noise; what is decided by histograms takes its outcome where it is decided."""
        (query,) = queries
        if isinstance(query.layer, Drawn):
            return noisy(exact, queries, domain, *rest)
        rate = query.rate.rate
        assert rate is not None
        self.rates[query.region], self.edge_rate = rate, rate
        if isinstance(query, ClassCounts):
            laws = (clamped(count, HALF ** self.in_steps(rate), 0, 1) for count in exact.tolist())
            return np.array([self.take((0, 1), law) for law in laws])
        return exact

    def table_law(self, exact: Integers, rate: Fraction, decide: Callable[[Integers], Hashable], name: Any) -> Any:
        """What is decided by noisy counts that are clamped to 0 and 1: each outcome, and how likely it is."""
        table, alpha = np.asarray(exact), HALF ** self.in_steps(rate)
        key = (name, table.tobytes(), rate)
        if key not in self.known:
            laws = [clamped(count, alpha, 0, 1) for count in table.ravel().tolist()]
            found: dict[Any, Fraction] = {}
            for bits in product((0, 1), repeat=len(laws)):
                outcome = self._decided(bits, table.shape, decide, name)
                mass = prod((law[bit] for law, bit in zip(laws, bits, strict=True)), start=Fraction(1))
                found[outcome] = found.get(outcome, Fraction(0)) + mass
            self.known[key] = tuple(found), tuple(found.values())
        return self.known[key]

    def _decided(self, bits: tuple[int, ...], shape: tuple[int, ...], decide: Any, name: Any) -> Any:
        if (name, bits) not in self.known:
            self.known[name, bits] = decide(np.array(bits).reshape(shape))
        return self.known[name, bits]

    def searched(self, table: Integers, domain: Domain, region: Region, score: str, borders: Any) -> Any:
        """In place of the best split of noisy counts: of each table of zeros and ones the split that is best."""

        def decide(bits: Integers) -> Any:
            return best_noisy_split(bits, domain, region, score, borders)

        inside = np.where(region.inside([feature.n_codes for feature in domain.features])[:, None], table, 0)
        return self.take(*self.table_law(inside, self.rates[region], decide, ("split", region, score, borders)))

    def quantiles(self, counts: Integers, bins: int) -> Any:
        """In place of quantiles of noisy counts."""
        of = ("quantiles", bins, np.shape(counts))
        return self.take(*self.table_law(counts, self.edge_rate, lambda bits: quantile_places(bits, bins), of))

    def coin(self, bounds: Sequence[int], source: object) -> list[int]:
        """In place of a public coin."""
        (n,) = map(int, bounds)
        return [self.take(range(n), [Fraction(1, n)] * n)]

    @contextmanager
    def played(self) -> Iterator[None]:
        """Within the block, all that draws takes its outcome here."""
        with ExitStack() as stack:
            replaced: dict[str, dict[str, Any]] = {
                "fdpedu.federation.queries.choices": {"permute_and_flip": self.flip},
                "fdpedu.federation.queries.edges": {"Chain": self.chain},
                "fdpedu.federation.curator": {"noisy": self.noisy},
                "fdpedu.trees.designs.privatree.design": {
                    "best_noisy_split": self.searched,
                    "uniform_below": self.coin,
                },
                "fdpedu.trees.designs.privatree.edges": {"quantile_places": self.quantiles},
            }
            for module, names in replaced.items():
                stack.enter_context(patched(module, **names))
            yield


def all_ways(steps: int, play: Callable[[], Hashable], known: dict[Any, Any] | None = None) -> dict[Any, Fraction]:
    """The law of what is played, over all ways to draw.

    Parameters
    ----------
    steps : how many steps of ln(1/α) an ε of 1 has; α = ½
    play : runs what draws, once
    known : laws of tables that were met before
    """
    known = {} if known is None else known
    found, pending = dict[Any, Fraction](), [tuple[int, ...]()]
    while pending:
        script = pending.pop()
        draws = Draws(script, steps, known)
        with draws.played():
            outcome = play()
        mass = prod((masses[chosen] for chosen, masses in draws.trail), start=Fraction(1))
        found[outcome] = found.get(outcome, Fraction(0)) + mass
        taken = tuple(chosen for chosen, _ in draws.trail)
        for at in range(len(script), len(taken)):
            others = (k for k, mass in enumerate(draws.trail[at][1]) if mass and k > taken[at])
            pending += [(*taken[:at], k) for k in others]
    return found


@dataclass(frozen=True)
class SmallPrivaTrees:
    """The trees of one owner of a small domain, with an ε of 1, and how likely each is.

    Parameters
    ----------
    domain : small
    steps : how many steps of ln(1/α) an ε of 1 has; α = ½, so e^ε = 2^steps
    options : of the fit
    """

    domain: Domain
    steps: int
    options: Mapping[str, Any]
    _laws: dict[Data, dict[Any, Fraction]] = field(default_factory=dict, init=False, repr=False, compare=False)
    _known: dict[Any, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    def law(self, data: Data) -> dict[Any, Fraction]:
        """Of each tree, with the borders that were kept and what leaves released: how likely it is on these records."""
        key = tuple(sorted(data))
        if key not in self._laws:
            party = Party(raw_rows(self.domain, key), self.domain)
            self._laws[key] = all_ways(self.steps, lambda: shown(self.fitted(party)), self._known)
        return self._laws[key]

    def fitted(self, party: Party) -> Tree:
        """One tree, from a ledger that has more than the tree may cost."""
        ledger = Ledger(100)
        tree = fit_privatree(party, ledger, epsilon=1, rng=ZeroWords(), **self.options)
        require(ledger.spent == 1, f"a tree of ε = 1 costs {ledger.spent}")
        return tree


def shown(tree: Tree) -> tuple[Any, ...]:
    """All that anybody sees of a tree."""
    design: Any = tree.design
    return tree.root, design.borders, tuple(release.counts for release in tree.leaf_releases)


def raw_rows(domain: Domain, data: Data) -> list[list[Any]]:
    """Records of codes as rows of a party; every numeric feature has a bin for each unit."""
    return [
        [*(_value(domain, j, code) for j, code in enumerate(record[:-1])), domain.classes[record[-1]]]
        for record in data
    ]


def _value(domain: Domain, j: int, code: int) -> Any:
    feature: Any = domain.features[j]
    if feature.missing and code == feature.n_codes - 1:
        return None
    return code + 0.5 if hasattr(feature, "n_bins") else feature.categories[code]
