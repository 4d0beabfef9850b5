"""The zoo, chapter 8: plausible bugs in growing a tree and in paying for it."""

from __future__ import annotations

from fdpedu.claims.mutation import Broken

TWINS = (
    Broken(
        "depth less one",
        "fdpedu.trees.costs.Costs.within",
        "for_nodes / depth if depth",
        "for_nodes / max(1, depth - 1) if depth",
        "A tree of depth d has d − 1 levels that are split.",
        "thm-federated-tree",
        "cost",
    ),
    Broken(
        "budget passed down twice",
        "fdpedu.trees.costs.Costs.of_leaf",
        "self.budget - levels_paid * self.node",
        "self.budget - (levels_paid - 1) * self.node",
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
        "2 * n_parties / n_noise_shares",
        "2 / n_noise_shares",
        "The noise of a cell is what one party adds to it.",
        "lem-confident-stopping",
        "variance",
    ),
    Broken(
        "budget added again at each level",
        "fdpedu.trees.grow.Growth.ask",
        "node.queries(self.costs.node)",
        "node.queries((self.depth + 1) * self.costs.node)",
        "What the levels above did not need is there again on each level below.",
        "thm-federated-tree",
        "cost",
    ),
    Broken(
        "unspent budget before it is known",
        "fdpedu.trees.grow.Growth.split",
        "self.costs.of_leaf(self.depth + 1)",
        "self.costs.of_leaf(self.depth)",
        "A node that becomes a leaf has not used its histograms, so it has not paid for them.",
        "thm-federated-tree",
        "cost",
    ),
    Broken(
        "depth off by one, by hand",
        "fdpedu.accounting.worked.by_hand.theorem_6",
        "node = for_nodes / depth if depth",
        "node = for_nodes / (depth + 1) if depth",
        "A tree of depth d has d + 1 levels, so the budget of the nodes has d + 1 parts.",
        "thm-federated-tree",
        "by hand",
    ),
)
