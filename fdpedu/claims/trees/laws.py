"""Checks of chapter 8: what a private tree costs, what it becomes without noise, and what it may depend on."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from fdpedu.cart import fit_cart
from fdpedu.claims.checking import require
from fdpedu.claims.federations import Case, grow
from fdpedu.claims.replay import patched
from fdpedu.exact import Integers, Rate
from fdpedu.federation.session import Session
from fdpedu.mechanisms import discrete_laplace, discrete_laplace_pmf
from fdpedu.randomness import Rehearsal, ZeroWords
from fdpedu.trees import Tree
from fdpedu.trees.stopping import Level, noise_deviation


def cost(case: Case, budget: Fraction, share: Fraction, depth: int, least: int, unspent: bool, seed: int) -> None:
    """At most depth + 1 rounds; at most ε, which the checker confirms; ε exactly if nothing is left over.

    Every histogram costs ε_node/p = (1 − share)·ε/(p·depth), and a leaf at full depth share·ε (report, equation (3)).
    """
    options = {"max_depth": depth, "min_samples_split": least, "leaf_share": share, "unspent_to_leaf": unspent}
    tree, federation = grow(case, budget, Rehearsal(seed), **options)
    spent, proved = federation.ledger.spent, tree.derivation.guarantee
    require(
        proved.spent == spent <= budget, f"the ledger says {spent}, the checker {proved.spent}, the budget {budget}"
    )
    require(proved.value == budget, f"the checker guarantees {proved.value}, although another run may cost {budget}")
    require(proved.colluders == 1, f"it withstands {proved.colluders} colluders")
    require(tree.depth <= depth and tree.rounds == federation.rounds <= depth + 1, f"{tree.rounds} rounds")
    require(spent == budget or not (unspent or tree.depth == depth), f"spent is {spent} of {budget}")
    if depth:
        node = (1 - share) * budget / depth
        leaves = {budget - levels * node if unspent else share * budget for levels in range(1, depth + 1)}
        costs = _costs(tree)
        require(costs["histogram"] <= {node / case[0].n_features}, f"histograms cost {costs['histogram']}")
        require(costs["leaf"] <= leaves, f"leaves cost {costs['leaf']}")


def _costs(tree: Tree) -> dict[str, set[Fraction]]:
    """What each release of each kind costs: a histogram of one feature, the counts of a leaf."""
    costs: dict[str, set[Fraction]] = {"histogram": set(), "leaf": set()}

    def enter(step: dict[str, Any]) -> int:
        costs["leaf" if step["type"] == "class-counts" else "histogram"].add(
            step["sensitivity"] * Fraction(step["rate"])
        )
        return 0

    tree.derivation.total(enter)
    return costs


def noiseless(case: Case, depth: int, least: int, unspent: bool) -> None:
    """Without noise it is CART on the same grid with the same stopping rules: nodes, splits, counts."""
    domain, parts = case
    rows = [row for part in parts for row in part]
    options = {"max_depth": depth, "min_samples_split": least, "unspent_to_leaf": unspent}
    tree, _ = grow(case, 1, ZeroWords(), design="averaged", **options)
    if rows:
        X, y = [row[:-1] for row in rows], [row[-1] for row in rows]
        plain = fit_cart(X, y, grid=domain, max_depth=depth, min_samples_split=least)
        require(tree.root == plain.root, f"the tree is {tree.root}, CART gives {plain.root}")


def only_released(case: Case, depth: int, seed: int) -> None:
    """Parties without any rows, given the sums of others, grow the same tree: it depends on what was released alone."""
    domain, parts = case
    options = {"max_depth": depth, "min_samples_split": 2}
    sums = list[Integers]()

    class Keeping(Session):
        def ask(self, *asked: Any) -> Integers:
            sums.append(super().ask(*asked))
            return sums[-1].copy()

    class Replaying(Session):
        def ask(self, *asked: Any) -> Integers:
            return sums.pop(0)

    with patched("fdpedu.federation.federation", Session=Keeping):
        tree, _ = grow(case, 4, Rehearsal(seed), **options)
    empty: Case = (domain, [[]] * len(parts))
    with patched("fdpedu.federation.federation", Session=Replaying):
        again, _ = grow(empty, 4, ZeroWords(), **options)
    require(again.root == tree.root, f"the tree is {tree.root}, from its sums alone {again.root}")


def variance(alpha: Fraction, n_parties: int, n_noise_shares: int) -> None:
    """The variance of a cell's noise: K shares, m of which are a discrete Laplace number with Σ k²·Pr[k]."""
    one = sum(2 * k * k * float(discrete_laplace_pmf(k, alpha=alpha)) for k in range(1, 800))
    found = noise_deviation(Rate.of(alpha=alpha), n_parties, n_noise_shares) ** 2
    require(abs(found / (one * n_parties / n_noise_shares) - 1) < 1e-9, f"it is given as {found}, one number has {one}")


def stops(draws: int, seed: int = 0) -> None:
    """Of that many nodes with as many rows as are asked for, 2.5 to 8 % stop for few rows, at three rates of noise.

    A bound of level 95 % misses so. If a sum of 64 noises misses with a probability of 5 ± .5 %, then of 4,000 nodes or
    more a share outside has a probability below 10⁻⁸.
    """
    p, codes = 4, 8
    for rate, rows in product(("1/2", "1/10", "1/100"), (2, 10)):
        noise = discrete_laplace(np.zeros((draws, p * codes, 2), dtype=np.int64), rate, Rehearsal(seed))
        noise[:, ::codes] += np.array([rows // 2, rows - rows // 2])  # all rows in the first bin of every feature
        inside = np.ones((draws, p * codes), dtype=bool)
        level = Level(noise, inside, np.arange(p) * codes, noise_deviation(Rate.of(epsilon=rate), 1, 1))
        few = level.bounds(level.totals().sum(axis=1), 2) < rows
        require(0.025 < few.mean() < 0.08, f"at rate {rate}, of nodes with {rows} rows {few.mean():.1%} stop")
