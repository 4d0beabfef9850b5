"""The zoo, chapter 7: plausible bugs in what makes counts add up."""

from __future__ import annotations

from fdpedu.claims.mutation import Broken

TWINS = (
    Broken(
        "raw variances on the way down",
        "fdpedu.histograms.consistency.least_squares",
        "for node, below in enumerate(children):",
        "spread = {node: Fraction(v or 1) for node, v in enumerate(variances)}\n    "
        "for node, below in enumerate(children):",
        "What the children lack is spread in proportion to the variances of their own views.",
        "thm-least-squares-tree",
        "normal equations",
    ),
    Broken(
        "spread evenly",
        "fdpedu.histograms.consistency.least_squares",
        "lacking * spread[child] / doubt",
        "lacking / len(below)",
        "What the children lack belongs to each of them in the same part.",
        "thm-least-squares-tree",
        "normal equations",
    ),
    Broken(
        "own view and children's sum averaged evenly",
        "fdpedu.histograms.consistency.least_squares",
        "seen = doubt / spread[node] if node in spread else Fraction(0)",
        "seen = Fraction(node in spread)",
        "Two estimates of one number are best averaged half and half.",
        "thm-consistency-variance",
        "smallest variance",
    ),
    Broken(
        "raw variances on the way down, in floats",
        "fdpedu.histograms.consistency.consistent_totals",
        "for level in levels[1:]:\n        node",
        "spread = np.array([v or 1.0 for v in variances])\n    "
        "doubt = np.bincount(above[1:], spread[1:], len(above))\n    "
        "for level in levels[1:]:\n        node",
        "The variances of the views are all that there is to know of how sure one is.",
        "thm-least-squares-tree",
        "fast",
    ),
    Broken(
        "the second class forgotten",
        "fdpedu.histograms.consistency.consistent_totals",
        "total[level] += (total[node] - below[node])",
        "total[level, :1] += (total[node] - below[node])[:, :1]",
        "With two classes the total and one of them say everything.",
        "thm-least-squares-tree",
        "fast",
    ),
    Broken(
        "children rounded one by one",
        "fdpedu.histograms.rounding.share_out",
        "for i in by_remainder[: total - sum(shares)]:",
        "for i in [i for i in by_remainder if exact[i] - shares[i] >= Fraction(1, 2)]:",
        "The nearest integers of numbers that add up add up.",
        "lem-rounding-with-sums",
        "shares",
    ),
    Broken(
        "negative estimates cut off",
        "fdpedu.histograms.rounding.project",
        "sorted(wishes, reverse=True)",
        "sorted((max(wish, Fraction(0)) for wish in wishes), reverse=True)",
        "What is negative becomes 0, and the others share the difference.",
        "lem-rounding-with-sums",
        "shares",
    ),
    Broken(
        "the nearest even",
        "fdpedu.histograms.rounding.round_with_sums",
        "math.floor(wishes[0] + Fraction(1, 2))",
        "round(wishes[0])",
        "Python's round is the rounding of school.",
        "lem-rounding-with-sums",
        "halves",
    ),
    Broken(
        "totals from clipped counts",
        "fdpedu.trees.stopping.Level.best_totals",
        "np.add.reduceat(self.tables, self.first, axis=1)",
        "np.add.reduceat(np.maximum(self.tables, 0), self.first, axis=1)",
        "A negative count is an error in any case, so it is clipped before anything is added up.",
        "lem-tree-counts",
        "all views",
    ),
    Broken(
        "structural zeros' noise kept",
        "fdpedu.trees.grow.Growth._seen",
        """tables *= inside[:, :, None]  # cells outside the node's region hold noise and no record, which is public
    return Level(tables, inside, self.search.first, self._noise(self.costs.node / self.drawn))""",
        """seen = Level(tables.copy(), inside, self.search.first, self._noise(self.costs.node / self.drawn))
    tables *= inside[:, :, None]
    return seen""",
        "Cells outside of the node have noise of mean 0, which does not matter in a sum.",
        "lem-tree-counts",
        "all views",
    ),
    Broken(
        "the variance of all codes",
        "fdpedu.trees.stopping.Level.best_totals",
        "np.add.reduceat(self.inside, self.first, axis=1, dtype=np.int64)",
        "np.add.reduceat(np.ones_like(self.inside), self.first, axis=1, dtype=np.int64)",
        "A histogram has as many noises as it has cells, in every node.",
        "lem-tree-counts",
        "all views",
    ),
    Broken(
        "a leaf's variance taken for the node's",
        "fdpedu.trees.grow.Growth.read",
        "self._noise(epsilon)",
        "self._noise(self.costs.node or epsilon)",
        "All releases of a tree have the noise of a node.",
        "lem-tree-counts",
        "all views",
    ),
    Broken(
        "the histograms of an early leaf forgotten",
        "fdpedu.trees.grow.Growth._sides",
        "for node, totals, variance in zip(self.level, *seen.best_totals(), strict=True):",
        "for node, totals, variance in [z for z, end in zip(zip(self.level, *seen.best_totals()), "
        "self.design.stop(seen, self.least)) if not end]:",
        "A leaf has its own counts, and what was released before it is used up.",
        "lem-tree-counts",
        "all views",
    ),
    Broken(
        "the true totals of inner nodes",
        "fdpedu.trees.grow.Growth._sides",
        "node.views.append(View(totals, variance))",
        "rows = [ask.__self__._records for ask in self.federation._endpoints]\n        "
        "true = [np.bincount(r.labels[r.within([node.region])[0]], minlength=len(totals)) for r in rows]\n        "
        "node.views.append(View(np.sum(true, axis=0), 1.0))",
        "A sum that is only used to correct the noise is not released.",
        "lem-consistency-free",
        "only released",
    ),
    Broken(
        "counts shown before they are whole",
        "fdpedu.trees.counts.estimates_and_counts",
        "counts = round_with_sums(parents, estimates)",
        "counts = np.maximum(estimates, 0).round().astype(int)",
        "Every number rounded for itself is the nearest, so all of them are.",
        "lem-tree-counts",
        "shown",
    ),
)
