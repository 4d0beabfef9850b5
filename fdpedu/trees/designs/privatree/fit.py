"""PrivaTree, mended: one owner's tree at the ε that it says.

Guarantee: for records added or removed, against whoever sees the tree; the owner sees the rows. Integers. Public are
the domain, the depth, the nominal size and the number of rounds. Without one owner of all rows, the same is Algorithm 5
of chapter 8, on the edges of :func:`fdpedu.histograms.private_quantile_domain`.

Claims: thm-privatree
"""

from __future__ import annotations

from typing import Literal

from fdpedu import cart
from fdpedu.accounting import Ledger
from fdpedu.cart import CodeSplit
from fdpedu.domain import Domain
from fdpedu.exact import Rational, one_of, quoted
from fdpedu.federation import Curator, Party
from fdpedu.federation.asker import Progress
from fdpedu.randomness import Rng, as_source
from fdpedu.trees.costs import budget_within
from fdpedu.trees.designs.base import epsilon_of
from fdpedu.trees.designs.privatree.design import DEPTH, LEAF_SHARE, PrivaTree
from fdpedu.trees.designs.privatree.leaf_share import leaf_share_by_rule
from fdpedu.trees.grow import grown_tree
from fdpedu.trees.shape import Asked
from fdpedu.trees.tree import Tree


def fit_privatree(
    party: Party,
    ledger: Ledger,
    *,
    max_depth: int = DEPTH,
    epsilon: Rational | None = None,
    splits: str | cart.Tree = "choice",
    score: str = "errors",
    edges: str = "public",
    edge_bins: int = 10,
    leaves: str = "labels",
    leaf_share: Rational | Literal["rule"] = LEAF_SHARE,
    nominal_size: int | None = None,
    progress: Progress | None = None,
    rng: Rng = None,
) -> Tree:
    """A tree of one owner of all rows; returns it with its derivation.

    Of ε, ``leaf_share`` is for the leaves. The rest is shared equally by the levels and, where edges are paid for, by
    them as one level more. Where splits look at no rows, all of ε is for the leaves.

    Claims: thm-privatree

    Parameters
    ----------
    party : the owner, with all rows
    ledger : what may be spent
    max_depth : d, 0 to 8; nodes at less than this depth are split, whatever their rows are
    epsilon : what this tree may cost; all that the ledger has left unless given
    splits : ``choice`` (one is drawn by permute-and-flip), ``histograms`` (of all features, at ε/m each), ``random``
        (public coins); or a tree that was grown on public rows on the grid of the same domain, which is not deeper
    score : ``errors``, ``gini`` or ``mixed``
    edges : ``public`` (all borders of the domain), ``joint`` or ``histogram`` (some, which are paid for)
    edge_bins : how many wide bins a numeric feature has at most, 2 to 256, where edges are paid for
    leaves : ``labels`` (drawn by permute-and-flip) or ``counts``
    leaf_share : strictly between 0 and 1; or ``rule``, as much as leaves need for an expected error of a hundredth of
        ``nominal_size`` rows, at most a half (:func:`fdpedu.trees.leaf_share_by_rule`)
    nominal_size : N, how many rows there are about: a public number, fixed beforehand, never their true number
    progress : called with the number of answers so far and of all; unless given, a fit of more than three seconds shows
        a bar where standard error is a terminal
    rng : None for the operating system's entropy; a generator is for teaching, and warns

    Raises
    ------
    BudgetExceeded
        If ``epsilon`` is more than the ledger has left; then nothing is released.
    ValueError
        If an option is none of those named, or something could not be asked to the end; before anything is charged.

    Examples
    --------
    >>> from fdpedu.domain import Domain, Numeric
    >>> from fdpedu.randomness import Rehearsal
    >>> domain = Domain([Numeric.grid("age", 0, 100, bins=4), Numeric.grid("dose", 0, 1, bins=2)], ("well", "ill"))
    >>> rows = [[age, dose, "ill" if age > 50 and dose > 0.5 else "well"] for age in (20, 80) for dose in (0.1, 0.9)]
    >>> tree = fit_privatree(Party(rows * 50, domain), Ledger(1), max_depth=2, rng=Rehearsal(1))
    >>> tree.predict([[70, 0.8], [70, 0.2]]).tolist(), tree.derivation.spent
    (['ill', 'well'], Fraction(1, 1))
    """
    source = as_source(rng)
    curator = Curator(party, ledger, source)
    asked = Asked(max_depth=max_depth, nominal_size=nominal_size)
    public = None if isinstance(splits, str) else _public_root(splits, curator.domain, asked.max_depth or 0)
    named = one_of(("choice", "histograms", "random"), splits, "splits") if public is None else "public"
    design = PrivaTree(named, score, edges, edge_bins, leaves, public=public)
    if isinstance(leaf_share, str) and leaf_share == "rule":
        budget = epsilon_of(budget_within(ledger.left(), ledger.measure, epsilon, ledger.total.delta), "privatree")
        leaf_share = _by_rule(budget, asked, curator.domain)
    asked = Asked(asked.max_depth, leaf_share, nominal_size=asked.nominal_size)
    return grown_tree(curator, asked, epsilon, design, progress, source)


def _by_rule(epsilon: Rational, asked: Asked, domain: Domain) -> Rational:
    if asked.nominal_size is None:
        raise ValueError(
            "nominal_size must be given for leaf_share='rule': a public number of rows, fixed beforehand, as the true "
            "one is private"
        )
    return leaf_share_by_rule(epsilon, asked.nominal_size, domain.n_classes, asked.max_depth or 0)


def _public_root(tree: object, domain: Domain, max_depth: int) -> cart.Node:
    """The root of a tree that was grown on public rows, if it is of the same domain."""
    if not isinstance(tree, cart.Tree):
        raise ValueError(
            f"splits must be choice, histograms or random, or a tree that was grown on public rows; got {quoted(tree)}"
        )
    if tree.domain != domain:
        raise ValueError(
            "splits must be a tree on the grid of the party's domain (fit_cart(…, grid=domain)); this one is of another"
        )
    if tree.depth > max_depth:
        raise ValueError(f"splits has {tree.depth} levels, and max_depth is {max_depth}: it must not be deeper")
    assert all(node.is_leaf or isinstance(node.split, CodeSplit) for _, node in tree.nodes())
    return tree.root
