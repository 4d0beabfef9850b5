"""Algorithm 5: grow a tree level by level, each level from one round of released counts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from fdpedu.accounting import BudgetExceeded
from fdpedu.cart import CodeSplit, GridSearch, Node
from fdpedu.dlpa import count_noise_shares
from fdpedu.domain import Region
from fdpedu.exact import Rate, Rational, as_integer, require_callable, require_type
from fdpedu.federation import ClassCounts, Federation, NodeHistograms
from fdpedu.federation.endpoint import MOST_QUERIES
from fdpedu.federation.federation import Progress
from fdpedu.federation.queries import Counts
from fdpedu.histograms import clip
from fdpedu.trees.costs import Costs
from fdpedu.trees.counts import View, built, estimates_and_counts, in_order
from fdpedu.trees.design import Design, find_design
from fdpedu.trees.progress import TerminalBar
from fdpedu.trees.stopping import Level, noise_deviation
from fdpedu.trees.tree import Tree

MAX_DEPTH = 64  # deeper trees than any data fill; a derivation must not be nested without bound


@dataclass
class _Growing:
    """A node while it grows: open (to be split), waiting (for its leaf counts), or done.

    ``inside`` says which codes, of all features one after the other, lie in its region.
    """

    region: Region
    inside: NDArray[np.bool_]
    views: list[View] = field(default_factory=list)
    chosen: CodeSplit | None = None
    sides: tuple[_Growing, ...] = ()

    def split(self, chosen: CodeSplit, first: int) -> tuple[_Growing, ...]:
        """The two sides; ``first`` is where the codes of the split's feature begin among all codes."""
        feature, codes = chosen.feature, chosen.left
        here = self.region.codes(feature)
        sides = []
        for side in (codes & here, here - codes):
            inside = self.inside.copy()
            inside[first : first + max(here) + 1] = False
            inside[[first + code for code in side]] = True
            sides.append(_Growing(self.region.restrict(feature, side), inside))
        self.chosen, self.sides = chosen, tuple(sides)
        return self.sides


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
) -> Tree:
    """Grow one decision tree together; returns it with its derivation.

    Claims: thm-federated-tree

    Parameters
    ----------
    federation : parties, domain and ledger
    max_depth : d, from 0 to 64
    min_samples_split : a node with fewer rows, as far as the noise lets one tell, becomes a leaf (the report's
        min_samples_leaf)
    leaf_share : the part of ε kept for leaf counts, strictly between 0 and 1
    epsilon : what this tree may cost; all that the ledger has left unless given
    unspent_to_leaf : give an early leaf the node budget that its depth did not use (False: the report's ε_leaf);
        as the design says unless given
    design : what is made of the released counts: a name of :data:`DESIGNS`, or a :class:`Design`
    progress : called with the number of answers so far and the most that there may be; unless given, a fit of more
        than three seconds shows a bar where standard error is a terminal

    Raises
    ------
    BudgetExceeded
        If ``epsilon`` is more than the ledger has left; then nothing is released.
    ValueError
        If a release would cost so little that its noise cannot be drawn; before anything is charged.
    """
    require_type(federation, Federation, "federation")
    depth, grown_by = as_integer(max_depth, "max_depth", minimum=0), find_design(design)
    if depth > MAX_DEPTH:
        raise ValueError(f"max_depth must be at most {MAX_DEPTH}, got {depth}")
    to_leaf = grown_by.unspent_to_leaf if unspent_to_leaf is None else unspent_to_leaf
    least = as_integer(min_samples_split, "min_samples_split", minimum=0, maximum=2**62)
    if progress is not None:
        require_callable(progress, "progress")
    costs = Costs.within(federation.ledger.remaining(), epsilon, leaf_share, depth, unspent_to_leaf=to_leaf)
    costs.require_drawable(federation.domain.n_features)
    report, before = TerminalBar("growing a tree") if progress is None else progress, federation.rounds
    domain, account = federation.domain, f"tree that begins after round {federation.ledger.rounds}"
    search = GridSearch(domain)
    root = _Growing(domain.everything, np.ones(sum(search.sizes), dtype=bool))
    level, waiting = [root], list[tuple[_Growing, Fraction]]()
    for t in range(depth + 1):
        if t == depth:
            waiting += [(node, costs.of_leaf(t)) for node in level]
            level = []
        if not level and not waiting:
            break
        answered = _from(t, depth + 1, report)
        with _told_what_is_paid(t):
            tables = _release_round(federation, account, level, costs.node, waiting, answered)
        below = _split_level(level, tables, federation, costs.node, search, least, grown_by) if level else []
        waiting = [(node, costs.of_leaf(t + 1)) for node in level if node.chosen is None]
        level = below
    report(1, 1)
    names = tuple(feature.name for feature in domain.features)
    derivation, rounds = federation.ledger.derivation(), federation.rounds - before
    finished = _finished(root, grown_by.consistent)
    return Tree(finished, domain.classes, names, domain, derivation=derivation, rounds=rounds)


def _finished(root: _Growing, consistent: bool) -> Node:
    """The tree with counts that add up: from all that was released of its nodes, post-processing."""
    nodes, parents = in_order(root, lambda node: node.sides)
    estimates, counts = estimates_and_counts(parents, [node.views for node in nodes])
    own = estimates if consistent else [tuple(node.views[-1].counts.tolist()) for node in nodes]
    return built(parents, [node.chosen for node in nodes], counts, own)


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
    level: Sequence[_Growing],
    node_epsilon: Fraction,
    leaves: Sequence[tuple[_Growing, Fraction]],
    answered: Progress,
) -> Counts:
    """One round: histograms of all features for the open nodes, class counts for the waiting leaves."""
    histograms = [NodeHistograms(node.region, node_epsilon) for node in level]
    counts = [ClassCounts(node.region, epsilon) for node, epsilon in leaves]
    answers = federation.release([*histograms, *counts], account, answered=answered)
    for (leaf, epsilon), answer in zip(leaves, answers[len(level) :], strict=True):
        leaf.views.append(View(answer, _noise(federation, epsilon) ** 2))
    return np.array(answers[: len(level)])


def _split_level(
    level: Sequence[_Growing],
    tables: Counts,
    federation: Federation,
    node_epsilon: Fraction,
    search: GridSearch,
    min_samples_split: int,
    design: Design,
) -> list[_Growing]:
    """Decide from released counts alone which nodes are split, and how: post-processing. Returns the next level."""
    inside = np.array([node.inside for node in level])
    tables *= inside[:, :, None]  # cells outside the node's region hold noise and no record, which is public
    deviation = _noise(federation, node_epsilon / federation.domain.n_features)
    seen = Level(tables, inside, search.first, deviation)
    going_on = np.flatnonzero(~design.stop(seen, min_samples_split))
    for node, totals, variance in zip(level, *seen.best_totals(), strict=True):
        node.views.append(View(totals, variance))
    splits = search.best_splits(clip(tables[going_on]), relative=design.relative, shrink=design.shrink * deviation)
    below = list[_Growing]()
    for i, chosen in zip(going_on.tolist(), splits, strict=True):
        if chosen is not None and len(below) < MOST_QUERIES // 2:  # so that all of the next round fits in one request
            sides = level[i].split(chosen.split, int(search.first[chosen.split.feature]))
            below += sides if sum(chosen.left) <= sum(chosen.right) else sides[::-1]  # parties count the first side
    return below


def _noise(federation: Federation, rate: Fraction) -> float:
    """The standard deviation of the noise of a cell that is released at a rate."""
    parties = federation.n_parties
    return noise_deviation(Rate(rate=rate), parties, count_noise_shares(parties, federation.tolerate))
