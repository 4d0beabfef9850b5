"""The zoo, chapter 10: plausible bugs in a study, each of which makes results look better, surer or cheaper."""

from __future__ import annotations

from fdpedu.claims.mutation import Broken

_SAMPLE = "fdpedu.experiments.sample.draw_sample"

TWINS = (
    Broken(
        "rows of training among those of the test",
        _SAMPLE,
        "party, *mixture(n, p, rho, rng))",
        "party, *(lambda X, y: (X[:n], y[:n]))(*mixture(n, p, rho, np.random.default_rng(n))))"
        " if n > 100 else (lambda X, y: Sample(X, y, party, X, y))(*mixture(n, p, rho, rng))",
        "A tree that has been grown can be scored on whatever rows there are.",
        "def-study",
        "rows",
    ),
    Broken(
        "n doubled",
        _SAMPLE,
        "n, p, rho = setting.n,",
        "n, p, rho = 2 * setting.n,",
        "Drawing n rows of each class gives n rows.",
        "def-study",
        "rows",
    ),
    Broken(
        "one seed for all noise",
        "fdpedu.experiments.tasks.Task._noise",
        "[self.seed, crc32(name.encode())]",
        "[self.seed]",
        "A seed is a seed: whoever fixes it has a reproducible study, whatever draws from it.",
        "def-study",
        "streams",
    ),
    Broken(
        "one seed for noise and rows",
        "fdpedu.experiments.tasks.Task._noise",
        "[self.seed, crc32(name.encode())]",
        "[self.seed, *((s := self.setting).n, s.p, s.rho.numerator, s.rho.denominator, self.first)]",
        "Rows and noise of a run may come from the same generator, since one is drawn after the other.",
        "def-study",
        "streams",
    ),
    Broken(
        "a paired difference taken as unpaired",
        "fdpedu.experiments.records.paired_difference",
        "float(difference.std(ddof=1) / np.sqrt(len(difference)))",
        "float(np.sqrt((found.accuracy(method, budget).var(ddof=1) + found.accuracy(other, budget).var(ddof=1))"
        " / len(difference)))",
        "The error of a difference is that of two means, whatever rows they come from.",
        "def-study",
        "paired",
    ),
    Broken(
        "saved budget is free",
        "fdpedu.experiments.costs.path_cost",
        "(node + saved), (1 - setting.bounds_share) * (node + saved)",
        "node, (1 - setting.bounds_share) * node",
        "What was saved has been paid for above, so the children do not pay for it again.",
        "lem-dearest-path",
        "all paths",
    ),
    Broken(
        "the dearest path removes nothing",
        "fdpedu.experiments.costs.dearest_cost",
        "for asked in (1, p))",
        "for asked in (p,))",
        "Removing features saves budget, so no path is dearer than one on which nothing is removed.",
        "lem-dearest-path",
        "all paths",
    ),
    Broken(
        "a party without class 1 has the bound 0",
        "fdpedu.experiments.growing._Forest._bounds",
        "= np.inf",
        "= 0",
        "It does not matter for the accuracy what a party without rows of class 1 reports.",
        "alg-published-study",
        "figures",
    ),
)
