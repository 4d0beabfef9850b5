"""Algorithm 1 of Maddock et al. on rows in one place: a simulation for teaching, and no release.

Where the source leaves something open, or its text is not in our copy (it ends in section 4.3.1), the rule is ours: a
noisy S below 0 becomes 0; a tree is complete, whatever its splits gain; B trees of a batch are averaged; candidates
move as :meth:`fdpedu.sources.maddock.candidates.Cells.moved` says.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike

from fdpedu.accounting import gaussian_budget
from fdpedu.domain import BY_VOTES, Domain, require_classes
from fdpedu.exact import Integers, Rational, as_integers, quoted, require_type, sums_at
from fdpedu.gradients import UNIT
from fdpedu.randomness import Rng, Source, ZeroWords, as_source, uniform_below
from fdpedu.sources.maddock.candidates import Bools, Floats, first_cells
from fdpedu.sources.maddock.choices import Choices
from fdpedu.sources.maddock.formulas import leaf_weight, split_score
from fdpedu.sources.maddock.model import Grown, Level, Model, as_columns
from fdpedu.sources.maddock.paying import PAID, UNPAID, Asking, Counts, Mended, Printed
from fdpedu.trees.subset import public_coins, shuffled

MAX_WEIGHT = 2**20  # of a leaf, in units of 1/4096
MOST = 10**9  # queries of a run that only counts


def fit_framework(
    codes: ArrayLike,
    labels: ArrayLike,
    domain: Domain,
    choices: Choices,
    *,
    paid: str,
    epsilon: Rational,
    delta: Rational,
    rng: Rng = None,
    coins: Rng = None,
) -> Model:
    """Grow an ensemble by the framework, paid for in one of two ways. Of a simulation, nothing is to be released.

    Parameters
    ----------
    codes : of all rows, integers of shape (n, p)
    labels : of all rows, 0 or 1, shape (n,)
    domain : of two classes
    choices : of the framework
    paid : ``"as printed"`` or ``"mended"``, as :mod:`fdpedu.sources.maddock.paying` says; ``"not private"``: mended,
        and candidates may be quantiles of the rows, so no guarantee is stated
    epsilon, delta : from which ρ is made, before anything is asked
    rng : of the noise
    coins : by which features and candidates are drawn; ``rng`` unless given

    Raises
    ------
    ValueError
        For codes and labels that are not of the domain, for more than two classes, and for quantiles of the rows unless
        ``paid="not private"``.

    Examples
    --------
    >>> domain = Domain.from_spec({"features": {"x": [0, 4, 4]}, "classes": ["a", "b"]})
    >>> choices = Choices(trees=1, depth=1, learning_rate=1)
    >>> codes, labels = [[0], [0], [1], [2], [3], [3]], [0, 0, 0, 1, 1, 1]
    >>> model = fit_framework(
    ...     codes, labels, domain, choices, paid="mended", epsilon=1, delta=1e-6, rng=ZeroWords()
    ... )  # words of zeros: no noise
    >>> model.scores(codes).round(3).tolist()  # ∓(3/2)/(3/4 + 1)
    [-0.857, -0.857, -0.857, 0.857, 0.857, 0.857]
    """
    require_type(domain, Domain, "domain")
    require_type(choices, Choices, "choices")
    if not isinstance(paid, str) or paid not in (*PAID, UNPAID):
        raise ValueError(f"paid must be 'as printed', 'mended' or 'not private', got {quoted(paid)}")
    require_classes(domain, "the framework", BY_VOTES)
    if domain.n_classes != 2:
        raise ValueError(f"domain must have two classes, got {domain.n_classes}")
    columns, classes = as_columns(codes, domain), as_integers(labels, "labels")
    if classes.shape != columns.shape[1:] or not np.isin(classes, (0, 1)).all():
        raise ValueError(f"labels must be 0 or 1, one for each of the {columns.shape[1]} rows")
    budget, source = gaussian_budget(epsilon, delta).limit.value, as_source(rng)
    pairs = Printed(choices.weights) if paid == "as printed" else Mended(choices.weights)
    rest = replace(choices, candidates="uniform") if (paid, choices.candidates) == (UNPAID, "quantiles") else choices
    asking = Asking(pairs, budget, sum(rest.queries(domain.n_features)), source)
    return Growth(columns, classes, domain, choices, asking, source if coins is None else public_coins(coins)).model()


def counted(choices: Choices, domain: Domain) -> Counts:
    """What the framework asks, counted by running it on no rows at all and recording each query.

    Claims: lem-maddock-releases

    Parameters
    ----------
    choices : of the framework
    domain : of two classes

    Examples
    --------
    >>> domain = Domain.from_spec({"features": {"x": [0, 4, 4], "y": [0, 4, 4]}, "classes": ["a", "b"]})
    >>> counted(Choices(trees=5, depth=3), domain)
    Counts(splits=30, weights=0, candidates=0, rounds=15, numbers=560)
    >>> counted(Choices(trees=5, depth=3, splits="totally random", batch=5), domain)
    Counts(splits=0, weights=5, candidates=0, rounds=1, numbers=80)
    """
    require_type(choices, Choices, "choices")
    require_type(domain, Domain, "domain")
    choices.queries(domain.n_features)
    asking = Asking(Printed(choices.weights), Fraction(1), MOST, ZeroWords())  # counted, and not held to the formulas
    none = np.zeros((domain.n_features, 0), dtype=np.int64)
    return Growth(none, none[0], domain, choices, asking, ZeroWords()).model().counts


@dataclass(eq=False)
class Growing:
    """A tree while it grows: its features, and for each level the splits; where rows are; what is released of nodes.

    ``cells`` holds, of a tree of one feature, the sums of each node by cell, as they follow from the root's.
    """

    features: tuple[int, ...]
    nodes: Integers
    levels: list[Level] = field(default_factory=list)
    sums: Floats | None = None
    cells: Floats | None = None

    @property
    def n_nodes(self) -> int:
        return 1 << len(self.levels)


@dataclass(frozen=True, eq=False)
class Question:
    """What is asked of a feature at all nodes of a level.

    Parameters
    ----------
    feature : whose codes are added up
    cells : in which cell each code is, by node: shape (nodes, codes)
    left : for each candidate, which cells go left: shape (candidates, cells)
    """

    feature: int
    cells: Integers
    left: Bools

    def sums(self, tree: Growing, columns: Integers, pairs: Floats) -> Floats:
        """Σ of the pairs, by node and cell: shape (nodes, cells, 2)."""
        shape = len(self.cells), self.left.shape[1]
        at = tree.nodes * shape[1] + self.cells[tree.nodes, columns[self.feature]]
        return summed(at, pairs, shape)


def summed(at: Integers, pairs: Floats, shape: tuple[int, ...]) -> Floats:
    """The pairs of rows, added up by where they are: shape (…, number of pairs' parts)."""
    size = int(np.prod(shape))
    return np.stack([sums_at(at, part, size).reshape(shape) for part in pairs], axis=-1)


class Growth:
    """An ensemble while it grows.

    Parameters
    ----------
    columns, labels : of all rows, by feature
    domain, choices : what is public
    asking : answers, for a price
    coins : by which features and candidates are drawn
    """

    def __init__(
        self, columns: Integers, labels: Integers, domain: Domain, choices: Choices, asking: Asking, coins: Source
    ) -> None:
        self._columns, self._labels, self._domain = columns, labels.astype(np.uint8), domain
        self._choices, self._asking, self._coins = choices, asking, coins
        self._k, self._n_codes = choices.used(domain.n_features), max(f.n_codes for f in domain.features)
        if choices.candidates == "paid" and not all(feature.ordered for feature in domain.features):
            raise ValueError("candidates must not be 'paid' where a feature has categories: only numbers are cut")
        self._cells = [
            first_cells(feature, choices.candidates, choices.n_candidates, own)
            for feature, own in zip(domain.features, columns, strict=True)
        ]

    def model(self) -> Model:
        """Batch after batch."""
        choices, grown = self._choices, list[Grown]()
        scores = np.zeros(self._columns.shape[1], dtype=np.int64)
        for batch, first in enumerate(range(0, choices.trees, choices.batch)):
            numbers = range(first, min(first + choices.batch, choices.trees))
            pairs = self._asking.pairs.of(scores, self._labels)  # line 4
            trees = [Growing(self._features(t), np.zeros_like(scores)) for t in numbers]  # line 5
            moving = choices.candidates == "paid" and batch < choices.moves
            if moving and choices.splits != "histogram":
                self._move(trees[0].features, self._masses(trees[0].features, pairs))
            roots, *_ = [self._split(trees, pairs) for _ in range(choices.depth)]  # lines 6 to 9
            if moving and choices.splits == "histogram":  # the histograms of a root have the sums by cell
                self._move(trees[0].features, [cells[0, :, 1] for cells in roots[0]])
            for tree, sums in zip(trees, self._leaves(trees, pairs), strict=True):  # lines 10 to 12
                grown.append(Grown(tuple(tree.levels), self._weights(sums, len(trees))))
                if choices.weights != "averages":
                    scores += grown[-1].weights[tree.nodes]
        return Model(self._domain, tuple(grown), self._asking.counts)

    def _features(self, t: int) -> tuple[int, ...]:
        """Of tree t."""
        p, k = self._domain.n_features, self._k
        if self._choices.turns == "random" and k < p:
            return tuple(sorted(shuffled(range(p), self._coins)[:k]))
        return tuple(sorted((t * k + i) % p for i in range(k)))

    def _below(self, bounds: Sequence[int]) -> Integers:
        return uniform_below(np.array(bounds), self._coins)

    def _masses(self, features: Sequence[int], pairs: Floats) -> list[Floats]:
        """What paid candidates ask for: the sums of s by cell, of each feature."""
        exact = [
            summed(self._cells[j].of_codes[self._columns[j]], pairs[1:], (self._cells[j].n_cells,)) for j in features
        ]
        return [found[:, 0] for found in self._asking.ask("candidates", exact)]

    def _move(self, features: Sequence[int], masses: Sequence[Floats]) -> None:
        for j, mass in zip(features, masses, strict=True):
            self._cells[j] = self._cells[j].moved(mass)

    def _split(self, trees: Sequence[Growing], pairs: Floats) -> list[list[Floats]]:
        """One more level of all trees of a batch; returns what was released for it, of each tree and feature."""
        random = self._choices.splits == "totally random" or (
            self._choices.splits == "partially random" and self._k == 1
        )
        if random:
            for tree in trees:
                questions = [self._one_each(j, tree.n_nodes) for j in tree.features]
                at = self._below([len(questions)] * tree.n_nodes)
                self._descend(tree, questions, at, np.zeros_like(at))
            return []
        asked = [[self._question(j, tree.n_nodes) for j in tree.features] for tree in trees]
        answers = self._answers(trees, asked, pairs)
        for tree, questions, cells in zip(trees, asked, answers, strict=True):
            self._best(tree, questions, cells)
        return answers

    def _answers(
        self, trees: Sequence[Growing], asked: Sequence[Sequence[Question]], pairs: Floats
    ) -> list[list[Floats]]:
        """The released sums of each tree's questions; of a tree of one feature, from those of its root."""
        if trees[0].cells is not None:
            return [[tree.cells] for tree in trees if tree.cells is not None]
        exact = [q.sums(tree, self._columns, pairs) for tree, own in zip(trees, asked, strict=True) for q in own]
        found = iter(self._asking.ask("splits", exact))
        return [[next(found) for _ in own] for own in asked]

    def _question(self, feature: int, n_nodes: int) -> Question:
        if self._choices.splits == "partially random":
            return self._one_each(feature, n_nodes)
        cells = self._cells[feature]
        return Question(feature, np.tile(cells.of_codes, (n_nodes, 1)), cells.left)

    def _one_each(self, feature: int, n_nodes: int) -> Question:
        """One random candidate for each node: two cells, of which the first goes left."""
        cells = self._cells[feature]
        chosen = self._below([len(cells.left)] * n_nodes)
        right = ~cells.left[chosen][:, cells.of_codes]
        return Question(feature, right.astype(np.int64), np.array([[True, False]]))

    def _best(self, tree: Growing, questions: Sequence[Question], cells: Sequence[Floats]) -> None:
        """Split each node by the candidate of the largest score by eq. (5), the first of equals."""
        regularisation, gamma = float(self._choices.regularisation), float(self._choices.gamma)
        lefts, rights, place = list[Floats](), list[Floats](), list[tuple[int, int]]()
        for i, (question, found) in enumerate(zip(questions, cells, strict=True)):
            lefts.append(np.einsum("qc,ncs->nqs", question.left.astype(np.float64), found))
            rights.append(found.sum(axis=1, keepdims=True) - lefts[-1])
            place += [(i, q) for q in range(len(question.left))]
        sides = np.concatenate(lefts, axis=1), np.concatenate(rights, axis=1)
        left, right = ((side[..., 0], np.maximum(side[..., 1], 0)) for side in sides)
        scores = split_score(left, right, regularisation, gamma)
        best, nodes = scores.argmax(axis=1), np.arange(tree.n_nodes, dtype=np.int64)
        tree.sums = np.stack([side[nodes, best] for side in sides], axis=1).reshape(-1, 2)
        at = np.array(place, dtype=np.int64)[best]
        if self._k == 1 and self._choices.splits == "histogram":
            going = questions[0].left[at[:, 1]][:, None, :, None]
            tree.cells = (cells[0][:, None] * np.concatenate([going, ~going], axis=1)).reshape(-1, *cells[0].shape[1:])
        self._descend(tree, questions, at[:, 0], at[:, 1])

    def _descend(self, tree: Growing, questions: Sequence[Question], which: Integers, candidate: Integers) -> None:
        """Split each node by a question and a candidate of it, and send the rows on."""
        right = np.zeros((tree.n_nodes, self._n_codes), dtype=bool)
        for node, (i, q) in enumerate(zip(which.tolist(), candidate.tolist(), strict=True)):
            goes_left = questions[i].left[q][questions[i].cells[node]]
            right[node, : len(goes_left)] = ~goes_left
        level = Level(np.array([questions[i].feature for i in which.tolist()], dtype=np.int64), right)
        tree.nodes = level.below(tree.nodes, self._columns)
        tree.levels.append(level)

    def _leaves(self, trees: Sequence[Growing], pairs: Floats) -> list[Floats]:
        """The released sums of all leaves: those of the last splits, if they were paid for."""
        known = [tree.sums for tree in trees if tree.sums is not None]
        if known:
            return known
        what = "weights" if self._choices.splits == "totally random" else "splits"
        return self._asking.ask(what, [summed(tree.nodes, pairs, (tree.n_nodes,)) for tree in trees])

    def _weights(self, sums: Floats, n_batch: int) -> Integers:
        """Of the leaves, in units of 1/4096."""
        gradients, seconds = sums[:, 0], np.maximum(sums[:, 1], 0)
        if self._choices.weights == "averages":
            found = np.clip(-gradients / np.maximum(seconds, 1), -0.5, 0.5) / self._choices.trees
        else:
            rate = float(self._choices.learning_rate) / n_batch
            found = rate * leaf_weight(gradients, seconds, float(self._choices.regularisation))
        return np.clip(np.rint(found * UNIT), -MAX_WEIGHT, MAX_WEIGHT).astype(np.int64)
