"""Algorithm 6 as it is printed, and what it costs: p bounds, each released with all of ε_bounds.

The report divides a node's budget into ε_bounds and ε_hists, and ε_hists by the number p of features, because all p
histograms are about the same records. It does not divide ε_bounds, and the p bounds are about the same records, too. So
a node costs p·ε_bounds + ε_hists, and a budget of ε does not pay for it.

Claims: algorithm-6-as-printed, lem-printed-cost
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from fdpedu.accounting import BudgetExceeded, split_budget
from fdpedu.bounds.saving import NO_SPLIT, NOTHING, FitSavingTree, Found, Impurity, grown
from fdpedu.bounds.saving_costs import Plan, as_share
from fdpedu.bounds.saving_report import SavingTree
from fdpedu.cart.split import Counts
from fdpedu.domain import Region
from fdpedu.exact import Rational, as_fraction, as_integer, as_list, shown
from fdpedu.federation.asker import Asker
from fdpedu.trees.costs import pure_left
from fdpedu.trees.recursive import MAX_DEPTH

MAX_FEATURES = 4096


class FitAsPrinted(FitSavingTree):
    """Algorithm 6 to the letter: every bound with ε_bounds, and the least G so far times the latest feature's n."""

    def look(self, region: Region, budget: Fraction) -> tuple[list[Counts], list[Found], Fraction]:
        """Histograms of the features that are left, the split of the least G, and what was saved."""
        p = len(region.features)
        bounds = self.bounds(region, p * self.bounds_share * budget)
        each = (1 - self.bounds_share) * budget / p
        saved, removed = NOTHING, set[int]()
        least: Impurity = NO_SPLIT
        tables, asked, chosen = list[Counts](), list[tuple[int, Found | None]](), list[Found]()
        for j in sorted(range(p), key=bounds.__getitem__):
            if j in removed:
                saved += each
                continue
            cells = self.histogram(region, each, j)
            best, n = self.best_split(cells, j), int(cells.sum())
            if best and best.impurity / n < least:
                least, chosen = best.impurity / n, [best]
            threshold = n * least if n else NO_SPLIT  # nothing counted says nothing
            removed |= {other for other in range(p) if bounds[other] > threshold}
            tables.append(cells)
            asked.append((j, best))
        self.note(region, budget, bounds, asked, saved)
        return tables, chosen, saved


def fit_saving_tree_as_printed(
    federation: Asker,
    *,
    max_depth: int = 3,
    min_samples_split: int = 10,
    leaf_share: Rational = "1/2",
    bounds_share: Rational = "1/4",
    lattice: int = 4,
    epsilon: Rational | None = None,
) -> SavingTree:
    """Grow a tree as the report's Algorithm 6 does, if the ledger has what that costs: much more than ``epsilon``.

    Counts are clipped, and bounds are integers of sensitivity m, as in :func:`~fdpedu.bounds.fit_saving_tree`. All else
    is as printed: each of the p bounds costs ε_bounds, a feature is removed if its bound is above n_j times the least G
    so far, with the total n_j of the feature just asked for, equal splits go to the feature asked for first, and a leaf
    has ε_leaf.

    Claims: algorithm-6-as-printed, lem-printed-cost

    Parameters
    ----------
    federation : parties, domain and ledger
    max_depth, min_samples_split, leaf_share, bounds_share, lattice : as for :func:`~fdpedu.bounds.fit_saving_tree`
    epsilon : what the report says that this tree costs; all that the ledger has left unless given

    Raises
    ------
    BudgetExceeded
        If the ledger has less left than the dearest path of such a tree may cost (:func:`cost_as_printed`, with all
        features but one removed at all levels but the last); before anything is charged or released.
    ValueError
        As for :func:`~fdpedu.bounds.fit_saving_tree`.

    Examples
    --------
    >>> from fdpedu.accounting import Ledger
    >>> from fdpedu.domain import Domain, Numeric
    >>> from fdpedu.federation import Federation, Party
    >>> domain = Domain([Numeric.grid(f"x{j}", 0, 4, bins=4) for j in range(10)], ("well", "ill"))
    >>> federation = Federation([Party([], domain), Party([], domain)], domain, Ledger(1))
    >>> fit_saving_tree_as_printed(federation, max_depth=1)
    Traceback (most recent call last):
    fdpedu.accounting.charge.BudgetExceeded: as printed, a tree with ε = 1 costs a record ε = 17/8 ...
    >>> federation.ledger.spent
    Fraction(0, 1)
    """
    plan = Plan.of(
        federation,
        max_depth=max_depth,
        min_samples_split=min_samples_split,
        leaf_share=leaf_share,
        bounds_share=bounds_share,
        lattice=lattice,
        epsilon=epsilon,
        unspent_to_leaf=False,
    )
    require_affordable(
        plan, federation.domain.n_features, leaf_share, pure_left(federation.ledger, "printed Algorithm 6")
    )
    return grown(FitAsPrinted, federation, plan)


def require_affordable(plan: Plan, n_features: int, leaf_share: Rational, remaining: Fraction) -> None:
    """Refuse a plan of which some path may cost more than remains, and say by how much."""
    epsilon, depth = plan.costs.budget, plan.costs.depth
    most_removed = [n_features - 1] * (depth - 1) + [0] * (depth > 0)
    least, most = (
        cost_as_printed(epsilon, n_features, depth, leaf_share, plan.bounds_share, removed)
        for removed in (0, most_removed)
    )
    if most > remaining:
        also = "" if most == least else f", and up to {shown(most)} where some are"
        raise BudgetExceeded(
            f"as printed, a tree with ε = {shown(epsilon)} costs a record ε = {shown(least)} where no feature is "
            f"removed{also}: each of the {n_features} bounds of a node is released with all of ε_bounds. "
            f"The ledger has {shown(remaining)} left, {shown(most - remaining)} too little; nothing was charged. "
            "fit_saving_tree divides ε_bounds among the bounds"
        )


def cost_as_printed(
    epsilon: Rational,
    n_features: int,
    max_depth: int,
    leaf_share: Rational = "1/2",
    bounds_share: Rational = "1/4",
    removed: int | Sequence[int] = 0,
    *,
    noise_for: Rational = 1,
) -> Fraction:
    """What a record on a path of full depth pays in Algorithm 6 as printed, if its budget is called ε.

    A node of budget e pays p·ε_bounds + (p − q)·ε_hists/p, with ε_bounds = b·e, and hands q·ε_hists/p down, where q
    features are removed. With q = 0 that is (1 − λ)·ε·(p·b + 1 − b) + λ·ε for the shares λ of leaves and b of bounds.

    Claims: lem-printed-cost

    Parameters
    ----------
    epsilon : what the report says that the tree costs
    n_features : p, from 1 to 4096
    max_depth : d, from 0 to 12
    leaf_share, bounds_share : λ and b, strictly between 0 and 1
    removed : q, how many features each node on the path removes, from 0 to p − 1; or a list with a number for each of
        the d levels
    noise_for : for which sensitivity the noise of a bound is scaled. Its true one is 1 (that of ⌊m·F⌋ is m, in steps of
        1/m), so with the report's 5/4 a bound costs 4/5 of ε_bounds

    Examples
    --------
    >>> [float(cost_as_printed(1, p, 5)) for p in (10, 25, 50)]
    [2.125, 4.0, 7.125]
    >>> [float(cost_as_printed(1, p, 5, noise_for="5/4")) for p in (10, 25, 50)]
    [1.875, 3.375, 5.875]
    >>> cost_as_printed(1, 10, 1, removed=9), cost_as_printed(1, 10, 2, removed=[9, 0])
    (Fraction(143, 80), Fraction(1603, 640))
    """
    for_leaf, for_nodes = split_budget(epsilon, leaf_share)
    p = as_integer(n_features, "n_features", minimum=1, maximum=MAX_FEATURES)
    depth = as_integer(max_depth, "max_depth", minimum=0, maximum=MAX_DEPTH)
    share, larger = as_share(bounds_share, "bounds_share"), as_fraction(noise_for, "noise_for")
    if larger < 1:
        raise ValueError(f"noise_for must be at least 1, the sensitivity of a bound, got {shown(larger)}")
    cost, saved = Fraction(0), NOTHING
    for q in _removed_by_level(removed, p, depth):
        node = for_nodes / depth + saved
        saved = q * (1 - share) * node / p
        cost += p * share * node / larger + (1 - share) * node - saved
    return cost + (for_leaf if depth else for_leaf + for_nodes)


def _removed_by_level(removed: int | Sequence[int], n_features: int, depth: int) -> list[int]:
    """The number of features removed at each level: one number for all levels, or a list of one for each."""
    given = [removed] * depth if isinstance(removed, int) else as_list(removed, "removed")
    if len(given) != depth:
        raise ValueError(f"removed must be one number, or one for each of the {depth} levels, got {len(given)}")
    return [as_integer(q, "removed", minimum=0, maximum=n_features - 1) for q in given]
