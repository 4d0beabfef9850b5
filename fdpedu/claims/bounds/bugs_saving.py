"""The zoo, chapter 9: plausible bugs in a tree with lower bounds, and in what its savings are worth."""

from __future__ import annotations

from fdpedu.claims.mutation import Broken

_LOOK, _FIT = "fdpedu.bounds.saving.FitSavingTree.look", "fdpedu.bounds.saving.FitSavingTree.fit"
_ROWS = "ask.__self__._records"  # what only a simulation can reach: the exact rows of a party
_TRUE = (
    "sum(NodeBounds(region, budget, self.lattice).tally("
    f"{_ROWS}, {_ROWS}.within([region])[0], self.federation.domain)[j] for ask in self.federation._endpoints)"
)

TWINS = (
    Broken(
        "a node's bounds, each with the whole share",
        _LOOK,
        "self.bounds(region, self.bounds_share * budget)",
        "self.bounds(region, len(region.features) * self.bounds_share * budget)",
        "Each bound is released with ε_bounds, as Algorithm 6 says.",
        "thm-saving-tree",
        "attained",
    ),
    Broken(
        "what a grandparent saved, once more",
        _FIT,
        "tables, found, saved = self.look(region, self.costs.node + saved)",
        "tables, found, saved = (lambda new: (*new[:2], new[2] + saved))(self.look(region, self.costs.node + saved))",
        "What was saved above is still there, since the node did not know of it when it was divided.",
        "thm-saving-tree",
        "by hand",
    ),
    Broken(
        "saved for the child and for the leaf",
        "fdpedu.bounds.saving.FitSavingTree.create_leaf",
        "epsilon += saved",
        "epsilon += 2 * saved",
        "A leaf has what its node has saved, on top of what the node has handed down.",
        "thm-saving-tree",
        "attained",
    ),
    Broken(
        "saved, and asked for all the same",
        _LOOK,
        "if bounds[j] > least:",
        "if bounds[j] > least and self.histogram(region, each, j) is not None:",
        "A histogram that is not used for the split costs nothing.",
        "thm-saving-tree",
        "attained",
    ),
    Broken(
        "removed by the true bound",
        _LOOK,
        "if bounds[j] > least:",
        f"if {_TRUE} > self.lattice * least:",
        "The bounds were paid for, so the better ones behind them may as well be used.",
        "thm-saving-tree",
        "other rows",
    ),
    Broken(
        "in the order of the true bounds",
        _LOOK,
        "key=bounds.__getitem__",
        f"key=lambda j: {_TRUE}",
        "In which order features are looked at releases nothing.",
        "thm-saving-tree",
        "other rows",
    ),
    Broken(
        "another feature's total",
        _LOOK,
        "min(best.impurity, least) if best else least",
        "int(cells.sum()) * min((b.impurity / int(t.sum()) for t, (_, b) in zip([*tables, cells], [*asked, (j, best)]) "
        "if b), default=0 * least)",
        "All features count the same rows, so G times any of their totals is n·G.",
        "thm-saving-tree",
        "by hand",
    ),
    Broken(
        "steps taken for units",
        "fdpedu.bounds.saving.FitSavingTree.bounds",
        "Fraction(n, self.lattice)",
        "Fraction(n)",
        "A bound is the number that was released.",
        "thm-saving-tree",
        "by hand",
    ),
    Broken(
        "as good is not good enough",
        _LOOK,
        "if bounds[j] > least:",
        "if bounds[j] >= least:",
        "A feature that cannot be better is not worth a histogram.",
        "thm-saving-tree",
        "opposite parties",
    ),
    Broken(
        "noise of empty cells",
        "fdpedu.bounds.saving.FitSavingTree.histogram",
        "cells[sorted(outside)] = 0",
        "cells[:0] = 0",
        "Cells in which no record can be add nothing to a histogram.",
        "thm-saving-tree",
        "by hand",
    ),
    Broken(
        "ties to the feature that was asked for first",
        _FIT,
        "min(found)",
        "min(found, key=lambda some: some.impurity)",
        "Of equal splits any is as good.",
        "thm-saving-tree",
        "opposite parties",
    ),
    Broken(
        "a large bound without positives",
        "fdpedu.federation.queries.NodeBounds.tally",
        "layout_of(domain), self.lattice)",
        "layout_of(domain), self.lattice) + 4 * (1 - table.reshape(domain.n_codes, -1)[:, -1].any())",
        "A party without a positive row has no split to offer, so its bound is very large (infinite, in the "
        "code that the report's authors published).",
        "thm-saving-tree",
        "whole runs",
    ),
    Broken(
        "the bounds of a node cost one ε_bounds",
        "fdpedu.bounds.printed_saving.cost_as_printed",
        "p * share * node / larger",
        "share * node / larger",
        "ε_bounds and ε_hists add up to the budget of the node, so that is what it costs.",
        "lem-printed-cost",
        "anchors",
    ),
    Broken(
        "refused only where nothing is saved",
        "fdpedu.bounds.printed_saving.require_affordable",
        "if most > remaining:",
        "if least > remaining:",
        "What is saved was not spent, so saving cannot make a path dearer.",
        "lem-printed-cost",
        "formula",
    ),
)
