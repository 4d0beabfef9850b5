"""The zoo, chapter 6: ways to tell an insider's ε too small."""

from __future__ import annotations

from fdpedu.claims.mutation import Broken

TWINS = (
    Broken(
        "an insider is an outsider",
        "fdpedu.dlpa.insiders.insider_epsilon",
        "if tau >= 1:",
        "if tau > 0:",
        "To subtract one's own noise is a small potential privacy loss.",
        "thm-insider-polya",
        "bracket",
    ),
    Broken(
        "the others add all of the noise",
        "fdpedu.dlpa.insiders._left",
        "Fraction(n_parties - colluders, ",
        "Fraction(n_parties, ",
        "Who knows a share still does not know the sum of the others.",
        "thm-insider-polya",
        "played",
    ),
    Broken(
        "one step for the sensitivity",
        "fdpedu.dlpa.insiders._polya_loss",
        "left.weight(steps)",
        "left.weight(1)",
        "The worst pair is 0 against its neighbour on the lattice.",
        "thm-insider-lattice",
        "worst pair",
    ),
    Broken(
        "a density has a largest value",
        "fdpedu.dlpa.insiders.insider_epsilon",
        "_gamma_loss(tau, budget) if tau > HALF else math.inf",
        "_gamma_loss(max(tau, HALF + Fraction(1, 1000)), budget)",
        "A little less noise is a little more loss.",
        "thm-insider-gamma",
        "finer lattices",
    ),
    Broken(
        "gains on one side only",
        "fdpedu.dlpa.insiders._polya_delta",
        "return total + half",
        "return half",
        "What speaks for 0 is at 0 or beyond it, seen from n.",
        "thm-insider-delta",
        "all moves",
    ),
    Broken(
        "p releases as one",
        "fdpedu.dlpa.guarantee.tree_guarantee",
        "_added(s * p, loss(h), ",
        "_added(s, loss(p * h), ",
        "A node has one budget, however many histograms it is asked for.",
        "thm-tree-before-the-run",
        "every tree",
    ),
    Broken(
        "the last level only",
        "fdpedu.dlpa.guarantee.tree_guarantee",
        "_added(s * p, loss(h), ",
        "_added(p, loss(h), ",
        "What is released last is released of the smallest nodes, where a record counts most.",
        "thm-tree-before-the-run",
        "every level",
    ),
    Broken(
        "any number of colluders is charged for",
        "fdpedu.federation.federation.Federation.release",
        "query.charge(self.domain, self.colluders, ",
        "query.charge(self.domain, self.n_parties - 1, ",
        "Colluders know their own shares only, so any number of them is withstood.",
        "thm-tree-before-the-run",
        "every tree",
    ),
)
