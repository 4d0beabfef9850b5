"""Grow a tree together, whatever its design: round after round, until nothing is left to ask."""

from __future__ import annotations

from fdpedu.accounting import Cost, Ledger
from fdpedu.dlpa import count_noise_shares
from fdpedu.exact import Rational, require_callable
from fdpedu.federation import ClassCounts, Curator, Party, Query
from fdpedu.federation.asker import Asker, Progress, require_asker
from fdpedu.randomness import Rng, Source, SystemSource
from fdpedu.showing import TerminalBar
from fdpedu.trees.costs import budget_within
from fdpedu.trees.designs import find_design
from fdpedu.trees.designs.base import TreeDesign
from fdpedu.trees.designs.owner import Owner
from fdpedu.trees.nominal import warn_of_delta, warn_of_size
from fdpedu.trees.protocol import Growth
from fdpedu.trees.shape import Asked
from fdpedu.trees.subset import public_coins
from fdpedu.trees.tree import Tree


def fit_federated_tree(
    federation: Asker,
    *,
    max_depth: int | None = None,
    min_samples_split: int | None = None,
    leaf_share: Rational | None = None,
    epsilon: Cost | Rational | None = None,
    nominal_size: int | None = None,
    unspent_to_leaf: bool | None = None,
    design: str | TreeDesign = "default",
    progress: Progress | None = None,
    rng: Rng = None,
) -> Tree:
    """Grow one decision tree together; returns it with its derivation.

    What is left out is the design's own. A design of noisy counts has 3 levels, at least 10 rows in a node that is
    split, and half of ε for its leaves. The other designs look at ``nominal_size``.

    Claims: thm-federated-tree, lem-grid-limit, thm-rotating-tree, thm-votes-tree

    Parameters
    ----------
    federation : parties, domain and ledger; for a design of noisy counts the :class:`fdpedu.federation.Curator` of all
        rows is as good
    max_depth : d, from 0 to 64; there are no more nodes than can be asked about and written down
        (:mod:`fdpedu.trees.node_limit`)
    min_samples_split : a node with fewer rows, as far as the noise lets one tell, becomes a leaf (the report's
        min_samples_leaf); for designs of noisy counts
    leaf_share : the part of ε kept for leaf counts, strictly between 0 and 1
    epsilon : what this tree may cost, of a ledger of ρ a :class:`fdpedu.accounting.Cost` in ρ; all that the ledger has
        left unless given
    nominal_size : N, how many rows all parties have about: a public number that is fixed beforehand, never their true
        number; for the designs ``screened`` and ``rotating``
    unspent_to_leaf : give an early leaf the node budget that its depth did not use (False: the report's ε_leaf);
        for designs of noisy counts, as the design says unless given
    design : a name of :data:`DESIGNS` (what is made of noisy counts) or of :data:`SYSTEMS` (``rotating``: each level is
        designed by one party), or a design itself
    progress : called with the number of answers so far and the most that there may be; unless given, a fit of more
        than three seconds shows a bar where standard error is a terminal
    rng : public coins, by which a design draws the features of a node, or the order of the parties; None for the
        operating system's. They hide nothing, so a generator is as good

    Raises
    ------
    BudgetExceeded
        If ``epsilon`` is more than the ledger has left; then nothing is released.
    ValueError
        If the design has no use for an option, or is not for the numeric target of the domain, which ``votes`` is, or
        if a release would cost so little that it cannot be drawn; before anything is charged.
    Exception
        Whatever fails after something was paid, such as a party that falls silent: its attribute ``released`` has the
        answers, and ``model`` the tree so far, :attr:`fdpedu.trees.Tree.unfinished`; None if nothing was answered.
    """
    require_asker(federation)
    asked = Asked(max_depth, leaf_share, min_samples_split, nominal_size, unspent_to_leaf)
    return grown_tree(federation, asked, epsilon, find_design(design), progress, public_coins(rng, federation))


def fit_owner_tree(
    party: Party,
    ledger: Ledger,
    *,
    epsilon: Rational | None = None,
    nominal_size: int | None = None,
    progress: Progress | None = None,
    rng: Rng = None,
) -> Tree:
    """A tree of one owner of all rows; returns it with its derivation.

    Claims: thm-owner-tree

    Parameters
    ----------
    party : the owner, with all rows
    ledger : what may be spent
    epsilon : what this tree may cost; all that the ledger has left unless given
    nominal_size : N, how many rows there are about: a public number, fixed beforehand, never their true number. Below
        N·ε = 400 the tree has one block, from 10,000 on three, else two
    progress : called with the number of answers so far and of all; unless given, a fit of more than three seconds shows
        a bar where standard error is a terminal
    rng : None for the operating system's entropy; a generator is for teaching, and warns

    Raises
    ------
    BudgetExceeded
        If ``epsilon`` is more than the ledger has left; then nothing is released.
    ValueError
        If the domain has too many splits, or a release would cost so little that it cannot be drawn; before anything is
        charged.

    Examples
    --------
    >>> from fdpedu.domain import Domain, Numeric
    >>> from fdpedu.randomness import Rehearsal
    >>> domain = Domain([Numeric.grid("age", 0, 100, bins=4), Numeric.grid("dose", 0, 1, bins=2)], ("well", "ill"))
    >>> rows = [[age, dose, "ill" if age > 50 and dose > 0.5 else "well"] for age in (20, 80) for dose in (0.1, 0.9)]
    >>> tree = fit_owner_tree(Party(rows * 50, domain), Ledger(1), nominal_size=200, rng=Rehearsal(1))
    >>> tree.predict([[70, 0.8], [70, 0.2]]).tolist(), tree.derivation.spent
    (['ill', 'well'], Fraction(1, 1))
    """
    asked = Asked(nominal_size=nominal_size)
    return grown_tree(Curator(party, ledger, rng), asked, epsilon, Owner(), progress, SystemSource())


def grown_tree(
    asker: Asker,
    asked: Asked,
    epsilon: Cost | Rational | None,
    design: TreeDesign,
    progress: Progress | None,
    coins: Source,
) -> Tree:
    """The tree of a design, grown from what a federation or a curator releases.

    Parameters
    ----------
    asker : whoever releases
    asked : what is not left to the design
    epsilon : what the tree may cost; None for all that is left
    design : how it is grown
    progress : as for :func:`fit_federated_tree`
    coins : public
    """
    if progress is not None:
        require_callable(progress, "progress")
    ledger = asker.ledger
    budget = budget_within(ledger.left(), ledger.measure, epsilon, ledger.total.delta)
    settled, shape = design.for_domain(asker.domain).settled(asked, budget)
    growth = settled.growth(asker, shape, budget, coins)
    warn_of_delta(ledger.total.delta, asked.nominal_size)
    report = TerminalBar("growing a tree") if progress is None else progress
    with growth.account.delivering(lambda: _tree_of(asker, growth, settled)):
        while growth.goes_on:
            growth.round(report)
        report(1, 1)
        tree = _tree_of(asker, growth, settled)
        releases = tree.leaf_releases
        counted: list[tuple[Query, int]] = [
            (ClassCounts(leaf.region, leaf.cost), len(leaf.counts)) for leaf in releases
        ]
        total, shares = sum(sum(leaf.counts) for leaf in releases), count_noise_shares(asker.n_parties, asker.tolerate)
        warn_of_size(asked.nominal_size, total, 1, counted, asker.n_parties, shares)
    return tree


def _tree_of(asker: Asker, growth: Growth, design: TreeDesign) -> Tree:
    """The tree that was grown; or of what was released so far, unfinished, if its growth could not go on."""
    domain, unfinished, (root, releases, became) = asker.domain, growth.goes_on, growth.finish()
    return Tree(
        root,
        domain.classes,
        tuple(feature.name for feature in domain.features),
        domain,
        derivation=asker.ledger.derivation(),
        paid_in=growth.account.rounds,
        design=became or design,
        leaf_releases=() if unfinished else releases,
        n_parties=asker.n_parties,
        tolerate=asker.tolerate,
        unfinished=unfinished,
    )
