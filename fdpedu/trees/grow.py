"""Algorithm 5: grow a tree level by level, each level from one round of released counts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction
from itertools import chain, islice

import numpy as np
from numpy.typing import NDArray

from fdpedu.accounting import BudgetExceeded
from fdpedu.cart import CodeSplit, GridSearch
from fdpedu.dlpa import count_noise_shares
from fdpedu.domain import Domain
from fdpedu.exact import Rate, Rational, as_integer, require_callable, require_type
from fdpedu.federation import ClassCounts, Federation
from fdpedu.federation.endpoint import MAX_QUERIES
from fdpedu.federation.federation import Progress
from fdpedu.federation.queries import Counts
from fdpedu.histograms import clip
from fdpedu.randomness import Rng
from fdpedu.trees.costs import Costs
from fdpedu.trees.counts import View, built, estimates_and_counts, in_order
from fdpedu.trees.design import Design, find_design
from fdpedu.trees.growing import Growing
from fdpedu.trees.leaf_release import LeafRelease
from fdpedu.trees.printed import splits_as_printed
from fdpedu.trees.progress import TerminalBar
from fdpedu.trees.pruning import pruned_node
from fdpedu.trees.room import Room
from fdpedu.trees.stopping import Level, noise_deviation
from fdpedu.trees.subset import drawn_features, mask_of, public_coins
from fdpedu.trees.tree import Tree

MAX_DEPTH = 64  # deeper trees than any data fill; a derivation must not be nested without bound


def fit_federated_tree(
    federation: Federation,
    *,
    max_depth: int = 3,
    min_samples_split: int = 10,
    leaf_share: Rational = "1/2",
    epsilon: Rational | None = None,
    unspent_to_leaf: bool | None = None,
    design: str | Design = "default",
    progress: Progress | None = None,
    rng: Rng = None,
) -> Tree:
    """Grow one decision tree together; returns it with its derivation.

    Claims: thm-federated-tree, lem-grid-limit

    Parameters
    ----------
    federation : parties, domain and ledger
    max_depth : d, from 0 to 64; there are no more nodes than can be asked about and written down
        (:mod:`fdpedu.trees.room`)
    min_samples_split : a node with fewer rows, as far as the noise lets one tell, becomes a leaf (the report's
        min_samples_leaf)
    leaf_share : the part of ε kept for leaf counts, strictly between 0 and 1
    epsilon : what this tree may cost; all that the ledger has left unless given
    unspent_to_leaf : give an early leaf the node budget that its depth did not use (False: the report's ε_leaf);
        as the design says unless given
    design : what is made of the released counts: a name of :data:`DESIGNS`, or a :class:`Design`
    progress : called with the number of answers so far and the most that there may be; unless given, a fit of more
        than three seconds shows a bar where standard error is a terminal
    rng : public coins, by which a design with ``features_per_node`` draws the features of a node; None for the
        operating system's. They hide nothing, so a generator is as good

    Raises
    ------
    BudgetExceeded
        If ``epsilon`` is more than the ledger has left; then nothing is released.
    ValueError
        If a release would cost so little that its noise cannot be drawn; before anything is charged.
    """
    require_type(federation, Federation, "federation")
    domain, grown_by = federation.domain, _design(design, unspent_to_leaf)
    fresh, drawn, coins = grown_by.fresh_leaves, grown_by.histograms_per_node(domain.n_features), public_coins(rng)
    depth = as_integer(max_depth, "max_depth", minimum=0)
    if depth > MAX_DEPTH:
        raise ValueError(f"max_depth must be at most {MAX_DEPTH}, got {depth}")
    least = as_integer(min_samples_split, "min_samples_split", minimum=0, maximum=2**62)
    if progress is not None:
        require_callable(progress, "progress")
    to_leaf = grown_by.unspent_to_leaf
    remaining = federation.ledger.remaining()
    costs = Costs.within(remaining, epsilon, leaf_share, depth, unspent_to_leaf=to_leaf, fresh_leaves=fresh)
    costs.require_drawable(drawn)
    room = Room.of(federation, costs, drawn)
    report, before = TerminalBar("growing a tree") if progress is None else progress, federation.rounds
    account = f"tree that begins after round {federation.ledger.rounds}"
    search = GridSearch(domain)
    root = Growing(domain.everything, np.ones(sum(search.sizes), dtype=bool))
    level, waiting, made = [root], list[tuple[Growing, Fraction]](), 1
    for t in range(depth + fresh):
        if t == depth:
            waiting += [(node, costs.of_leaf(t)) for node in level]
            level = []
        if not level and not waiting:
            break
        answered = _from(t, depth + fresh, report)
        for node in level:
            node.features = drawn_features(node.region, drawn, coins) if drawn < domain.n_features else None
        with _told_what_is_paid(t):
            tables = _release_round(federation, account, level, costs.node, waiting, answered)
        most = room.below(made, len(level), t + 1)
        below = _split_level(level, tables, federation, costs.node, search, least, grown_by, most) if level else []
        made += len(below)
        if not fresh and t == depth - 1:
            _read_sides(level, tables, search, _noise(federation, costs.node / drawn))
        waiting = [(node, costs.of_leaf(t + 1)) for node in level if fresh and node.chosen is None]
        level = below
    report(1, 1)
    return _finished(root, federation, grown_by, federation.rounds - before)


def _design(design: str | Design, unspent_to_leaf: bool | None) -> Design:
    """The design of that name, or the design itself, with what is asked for beside it."""
    found = find_design(design)
    return found if unspent_to_leaf is None else replace(found, unspent_to_leaf=unspent_to_leaf)


def _finished(root: Growing, federation: Federation, design: Design, rounds: int) -> Tree:
    """The tree with counts that add up: from all that was released of its nodes, post-processing."""
    nodes, parents = in_order(root, lambda node: node.sides)
    estimates, counts = estimates_and_counts(parents, [node.views for node in nodes])
    own = estimates if design.consistent else [_in_thousandths(node.views[-1]) for node in nodes]
    grown, domain = built(parents, [node.chosen for node in nodes], counts, own), federation.domain
    return Tree(
        pruned_node(grown) if design.prune else grown,
        domain.classes,
        tuple(feature.name for feature in domain.features),
        domain,
        derivation=federation.ledger.derivation(),
        rounds=rounds,
        design=design,
        leaf_releases=root.releases(),
        n_parties=federation.n_parties,
        tolerate=federation.tolerate,
    )


def _in_thousandths(view: View) -> tuple[float, ...]:
    """The counts of a view: integers as they are, means to three decimals."""
    whole = np.issubdtype(view.counts.dtype, np.integer)
    return tuple((view.counts if whole else view.counts.round(3) + 0.0).tolist())


def _read_sides(level: Sequence[Growing], tables: Counts, search: GridSearch, deviation: float) -> None:
    """Where leaves have no counts of their own, those at full depth read the histogram that their parent chose."""
    for node, table in zip(level, tables, strict=True):
        node.read_sides(table, search.first, deviation**2)


@contextmanager
def _told_what_is_paid(rounds: int) -> Iterator[None]:
    """Another program may have spent in the midst of a tree what the tree still needs."""
    try:
        yield
    except BudgetExceeded as refusal:
        if not rounds:
            raise
        before = f"what this tree has charged in {rounds} round{'s' * (rounds > 1)} stays paid (Ledger.spent)"
        raise BudgetExceeded(f"{refusal}; {before}. Somebody else charged the same budget in the meantime") from None


def _from(t: int, rounds: int, progress: Progress) -> Progress:
    """Progress of round t as progress of the whole."""
    return lambda done, of: progress(t * of + done, rounds * of)


def _release_round(
    federation: Federation,
    account: str,
    level: Sequence[Growing],
    node_epsilon: Fraction,
    leaves: Sequence[tuple[Growing, Fraction]],
    answered: Progress,
) -> Counts:
    """One round: histograms for the open nodes, class counts for the waiting leaves. Returns a table for each node."""
    asked = [node.queries(node_epsilon) for node in level]
    counts = [ClassCounts(node.region, epsilon) for node, epsilon in leaves]
    answers = iter(federation.release([*chain.from_iterable(asked), *counts], account, answered=answered))
    sizes = [feature.n_codes for feature in federation.domain.features]
    tables = [node.table(list(islice(answers, len(own))), sizes) for node, own in zip(level, asked, strict=True)]
    for (leaf, epsilon), answer in zip(leaves, answers, strict=True):
        leaf.views.append(View(answer, _noise(federation, epsilon) ** 2))
        leaf.release = LeafRelease(leaf.region, tuple(answer.tolist()), epsilon)
    return np.array(tables)


def _split_level(
    level: Sequence[Growing],
    tables: Counts,
    federation: Federation,
    node_epsilon: Fraction,
    search: GridSearch,
    min_samples_split: int,
    design: Design,
    room: int,
) -> list[Growing]:
    """Decide from released counts alone which nodes are split, and how: post-processing. Returns the next level."""
    inside = np.array([node.inside & mask_of(node.features, search.sizes) for node in level])
    tables *= inside[:, :, None]  # cells outside the node's region hold noise and no record, which is public
    deviation = _noise(federation, node_epsilon / design.histograms_per_node(federation.domain.n_features))
    seen = Level(tables, inside, search.first, deviation)
    going_on = np.flatnonzero(~design.stop(seen, min_samples_split))
    for node, totals, variance in zip(level, *seen.best_totals(), strict=True):
        node.views.append(View(totals, variance))
    splits = _splits(tables[going_on], inside[going_on], federation.domain, search, design, deviation)
    most = min(MAX_QUERIES // (2 * len(level[0].queries(node_epsilon))), room)  # the next round is one request
    below = list[Growing]()
    for i, chosen in zip(going_on.tolist(), splits, strict=True):
        if chosen is not None and len(below) + 2 <= most:
            below += level[i].split(chosen, int(search.first[chosen.feature]))
    return below


def _splits(
    tables: Counts, inside: NDArray[np.bool_], domain: Domain, search: GridSearch, design: Design, deviation: float
) -> list[CodeSplit | None]:
    """The best split of each node as the design compares them."""
    if not design.clip and not design.shrink:
        return splits_as_printed(tables, inside, domain, relative=design.relative)
    counts = clip(tables) if design.clip else tables
    found = search.best_splits(counts, relative=design.relative, shrink=design.shrink * deviation)
    return [None if candidate is None else candidate.split for candidate in found]


def _noise(federation: Federation, rate: Fraction) -> float:
    """The standard deviation of the noise of a cell that is released at a rate."""
    parties = federation.n_parties
    return noise_deviation(Rate(rate=rate), parties, count_noise_shares(parties, federation.tolerate))
