"""The zoo: plausible bugs, each one changed line of the shipped code, and the check that catches it.

>>> twin = ZOO["half the scale"]
>>> print(twin.diff())
fdpedu.federation.queries.Query.rate
- self.epsilon / (self.n_releases * self.sensitivity)
+ 2 * self.epsilon / (self.n_releases * self.sensitivity)
>>> with twin.applied():
...     print(twin.verify().verdict)
FAILED
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from fdpedu.claims import broken_accounting, broken_mechanisms, broken_privacy, broken_small_delta
from fdpedu.claims.mutation import Broken

__all__ = ["ZOO", "Broken"]

_TWINS = (
    Broken(
        "half the scale",
        "fdpedu.federation.queries.Query.rate",
        "self.epsilon / (self.n_releases * self.sensitivity)",
        "2 * self.epsilon / (self.n_releases * self.sensitivity)",
        "A factor of 2 in the scale of the noise is harmless.",
        "thm-histogram",
        "inequality",
    ),
    Broken(
        "sensitivity forgotten",
        "fdpedu.mechanisms.discrete_laplace",
        "Rate.of(epsilon, alpha, sensitivity)",
        "Rate.of(epsilon, alpha)",
        "Noise of scale 1/ε is enough for any query.",
        "thm-discrete-laplace",
        "replayed law",
    ),
    Broken(
        "one-sided noise",
        "fdpedu.mechanisms.counts.discrete_laplace_noise",
        "two_sided_geometric(rate, size, source)",
        "np.abs(two_sided_geometric(rate, size, source))",
        "Counts cannot be negative, so noise need not be.",
        "thm-discrete-laplace",
        "replayed law",
    ),
    Broken(
        "substitution at the price of add/remove",
        "fdpedu.accounting.ledger.Ledger.__init__",
        'if relation != "add-remove":',
        'if relation not in ("add-remove", "substitution"):',
        "Changing a record is one change, so it costs one ε.",
        "thm-histogram",
        "relations",
    ),
    Broken(
        "features in parallel",
        "fdpedu.accounting.forest.Forest.own",
        "sum((charge.epsilon for _, charge in self.charges[region]), Fraction(0))",
        "max((charge.epsilon for _, charge in self.charges[region]), default=Fraction(0))",
        "The histograms of different features look at different columns, so they compose in parallel.",
        "lem-filter",
        "adaptive transcripts",
    ),
    Broken(
        "float budget",
        "fdpedu.accounting.forest.Forest.own",
        "sum((charge.epsilon for _, charge in self.charges[region]), Fraction(0))",
        "Fraction(sum(float(charge.epsilon) for _, charge in self.charges[region]))",
        "Rounding errors of 10⁻¹⁷ do not matter to a budget.",
        "lem-filter",
        "no float decides",
    ),
    Broken(
        "refused but charged",
        "fdpedu.accounting.ledger.Ledger.charge",
        "cost = _cost(trial)",
        "self._forests, cost = trial, _cost(trial)",
        "The caller will notice the exception, so what the ledger holds afterwards does not matter.",
        "thm-round",
        "refused",
    ),
    Broken(
        "depth less one",
        "fdpedu.trees.fit_federated_tree",
        "for_nodes / depth if depth",
        "for_nodes / max(1, depth - 1) if depth",
        "A tree of depth d has d − 1 levels that are split.",
        "thm-federated-tree",
        "cost",
    ),
    Broken(
        "undivided feature budget",
        "fdpedu.federation.queries.Query.rate",
        "self.epsilon / (self.n_releases * self.sensitivity)",
        "self.epsilon / self.sensitivity",
        "A node costs ε_node, and so does each of its histograms.",
        "thm-node-histograms",
        "inequality",
    ),
    Broken(
        "the product first",
        "fdpedu.federation.queries.Query.charge",
        "self.n_releases,",
        "1,",
        "Whether p releases of ε/p are entered or one release of ε is the same to any account.",
        "thm-node-histograms",
        "entered",
    ),
    Broken(
        "budget passed down twice",
        "fdpedu.trees.fit_federated_tree",
        "budget - levels_paid * node_epsilon",
        "budget - (levels_paid - 1) * node_epsilon",
        "A leaf gets what its own level did not use, on top of what it inherited.",
        "thm-federated-tree",
        "cost",
    ),
    Broken(
        "pure nodes split",
        "fdpedu.trees.stopping.averaged",
        "few | (np.count_nonzero(totals > 0, axis=1) <= 1)",
        "few",
        "A stopping rule only saves time.",
        "thm-federated-tree",
        "noiseless",
    ),
    Broken(
        "the noise of one party",
        "fdpedu.trees.stopping.noise_deviation",
        "2 * n_parties / carriers",
        "2 / carriers",
        "The noise of a cell is what one party adds to it.",
        "lem-confident-stopping",
        "variance",
    ),
    Broken(
        "masks reused",
        "fdpedu.secure_sum.Masks.draw",
        "_uniform_stream(key, sum_number, size, modulus)",
        "_uniform_stream(key, 0, size, modulus)",
        "A mask that cancelled once will cancel again.",
        "thm-private-sum",
        "fresh masks",
    ),
    Broken(
        "sum not lifted",
        "fdpedu.secure_sum.decode_sum",
        "np.where(signed >= (modulus + 1) // 2, signed - modulus, signed)",
        "signed",
        "A sum of counts is not negative.",
        "thm-private-sum",
        "sums",
    ),
    Broken(
        "shares for all parties",
        "fdpedu.dlpa.noise_carriers",
        "return n_parties - tolerate",
        "return n_parties",
        "With many parties, one party's own share hardly matters.",
        "thm-tolerate",
        "honest shares",
    ),
    Broken(
        "blocks without rejection",
        "fdpedu.sampling.blocks.BlockTable._within",
        "values[unsure[~kept]] = FAILED",
        "kept",
        "Within a block the weights hardly differ.",
        "lem-nb-blocks",
        "replayed attempt",
    ),
    Broken(
        "close calls kept",
        "fdpedu.sampling.blocks.BlockTable._coins",
        "low + width <= ratio - MARGIN",
        "low <= ratio",
        "A float is right to sixteen digits, so it may decide a coin.",
        "lem-nb-blocks",
        "replayed attempt",
    ),
    Broken(
        "residual dropped",
        "fdpedu.sampling.blocks.BlockTable._settle",
        "tile[i] = self._residual(source)",
        "tile[i] = FAILED",
        "What happens once in a quarter of a million draws can be drawn again.",
        "lem-nb-blocks",
        "replayed residual",
    ),
    Broken(
        "two numbers of one draw",
        "fdpedu.dlpa.polya_share",
        "negative_binomial(rate, carriers, size, source) - negative_binomial(rate, carriers, size, source)",
        "(drawn := negative_binomial(rate, carriers, size, source)) - drawn[::-1]",
        "Each number has the right law, so their difference has.",
        "thm-polya-shares",
        "replayed difference",
    ),
    Broken(
        "minlength missing",
        "fdpedu.federation.queries.ClassCounts.tally",
        ", minlength=domain.n_classes",
        "",
        "Cells that nobody is in need not be counted.",
        "thm-histogram",
        "inequality",
    ),
    Broken(
        "ranges from the data",
        "fdpedu.domain.features.Numeric.encode",
        "np.asarray(self.edges[1:-1])",
        "np.linspace(*((min(column), max(column)) if len(column) else (0, 1)), self.n_codes + 1)[1:-1]",
        "Minimum and maximum are only two numbers.",
        "thm-histogram",
        "inequality",
    ),
    Broken(
        "x < t on raw values",
        "fdpedu.cart.split.ThresholdSplit.goes_left",
        "column <= self.threshold",
        "column < self.threshold",
        "A threshold halfway between two values is never equal to a value.",
        "lem-thresholds",
        "columns",
    ),
    Broken(
        "x < t on a grid",
        "fdpedu.domain.features.Numeric.encode",
        'side="left"',
        'side="right"',
        "Whether bins are closed on the left or on the right is a matter of taste.",
        "lem-thresholds",
        "grid",
    ),
    Broken(
        "the other Gini",
        "fdpedu.cart.impurity.scaled_half_gini",
        "(2 * np.where(n > 0, n, 1))",
        "np.where(n > 0, n, 1)",
        "Gini is Gini: a factor of 2 changes no split, so it changes no constant.",
        "def-scaled-impurity",
        "conventions",
    ),
    Broken(
        "sides unweighted",
        "fdpedu.cart.split.Candidate.impurity",
        "exact_scaled_half_gini(self.left) + exact_scaled_half_gini(self.right)",
        "sum(exact_scaled_half_gini(side) / max(1, sum(side)) for side in (self.left, self.right))",
        "The impurity of a split is the sum of the impurities of its sides.",
        "lem-split-never-hurts",
        "splits",
    ),
    Broken(
        "mean of means",
        "fdpedu.cart.federated.federated_impurity",
        "Fraction(positives, n_side)",
        "Fraction(sum(Fraction(b, a + b or 1) for a, b in parties), len(parties))",
        "The average of the parties' averages is the average of all.",
        "lem-pooled-counts",
        "divisions",
    ),
)

_ROOMS = (broken_privacy, broken_mechanisms, broken_accounting, broken_small_delta)

ZOO: Mapping[str, Broken] = MappingProxyType(
    {twin.name: twin for twins in (_TWINS, *(room.TWINS for room in _ROOMS)) for twin in twins}
)
