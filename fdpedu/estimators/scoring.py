"""A score on private rows, paid for: how many predictions of a released model are right, or how far they are off.

The model is public, so whether it is right about a record is a function of this record alone. A federation asks its
parties how often it is right and how often wrong, by predicted class
(:class:`~fdpedu.federation.queries.OutcomeCounts`); the question carries the model. One record more or less changes one
of these counts by 1, or (if it is none of the scored rows) nothing. Of a model of numbers it asks for sums of squares
(:class:`~fdpedu.federation.queries.SquareSums`).

Claims: lem-noisy-score, lem-squares
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from typing import Any, ClassVar

from fdpedu.accounting import Amount, Budget, BudgetExceeded, Cost, Derivation, Ledger
from fdpedu.accounting.charge import too_much
from fdpedu.accounting.cost import Priced
from fdpedu.boosting import Ensemble
from fdpedu.boosting.noise import query_deviation
from fdpedu.boosting.outcomes import Number, require_two
from fdpedu.cart import CodeSplit, Node
from fdpedu.dlpa import count_noise_shares
from fdpedu.domain import Domain, require_classes
from fdpedu.estimators.fit_score import NoisyFit
from fdpedu.estimators.paid_score import PaidScore
from fdpedu.exact import Rational, as_integer, as_list, require_type
from fdpedu.federation import ConfusionCounts, Curator, Federation, Model, OutcomeCounts, Party, SquareSums
from fdpedu.federation.members import is_same_account
from fdpedu.gradients import UNIT, AdditiveModel, VectorModel
from fdpedu.randomness import Rng, Source, as_source
from fdpedu.trees import Tree
from fdpedu.trees.means import leaf_means


@dataclass(frozen=True)
class NoisyScore(PaidScore):
    """The released counts of right and wrong predictions, by predicted class, and the score that they give.

    Parameters
    ----------
    by_class : for each class of the domain the counts of right and of wrong predictions of it, as released: with noise,
        so they may be negative
    cost : what they cost; a number is ε
    deviation : the standard deviation of the noise in each of these counts
    derivation : why they cost that, for the scored rows by themselves
    confusion : for each predicted class how many rows are of each class, as released, if that was asked

    Examples
    --------
    >>> score = NoisyScore(((50, 5), (30, 15)), cost=1, deviation=1.5, derivation=None)
    >>> print(score)
    0.800 ± 0.017 (noisy counts: right 80, wrong 20; ε = 1)
    """

    by_class: tuple[tuple[int, int], ...]
    cost: Priced
    deviation: float
    derivation: Derivation | None = field(repr=False, compare=False)
    confusion: tuple[tuple[int, ...], ...] = ()
    _numbers: ClassVar[str] = "counts"

    @property
    def right(self) -> int:
        """The right predictions of all classes together."""
        return sum(right for right, _ in self.by_class)

    @property
    def wrong(self) -> int:
        """The wrong predictions of all classes together."""
        return sum(wrong for _, wrong in self.by_class)

    @property
    def value(self) -> float:
        """The share of right predictions, of what is left when negative counts become 0; 1/2 if nothing is left."""
        right, wrong = self._clipped()
        return right / (right + wrong) if right + wrong else 0.5

    @property
    def standard_error(self) -> float:
        """The standard error of ``value`` by its noise, to first order; 1/2 if the counts carry no information.

        It covers the noise only. How well n rows stand for all others is another question, with an error of its own.
        """
        right, wrong = self._clipped()
        total = right + wrong
        more = math.sqrt(len(self.by_class) - 1) if self.confusion else 1.0  # as a class is mistaken for so many
        return min(0.5, self._of_each() * math.hypot(more * right, wrong) / total**2) if total else 0.5

    def _of_each(self) -> float:
        """The noise in a sum over the classes."""
        return self.deviation * math.sqrt(len(self.by_class))

    def _error_of_one_row(self) -> float:
        return self._of_each() * (math.sqrt(len(self.by_class) - 1) if self.confusion else 1.0)

    def counted(self) -> dict[str, Any]:
        """What was released, for JSON."""
        return {"right": self.right, "wrong": self.wrong, **({"confusion": self.confusion} if self.confusion else {})}

    def _clipped(self) -> tuple[int, int]:
        return max(self.right, 0), max(self.wrong, 0)

    def __str__(self) -> str:
        counts = f"noisy counts: right {self.right}, wrong {self.wrong}; {self.cost}"
        score = self._unknown() if self.too_noisy else f"{self.value:.3f} ± {self.standard_error:.3f}"
        return f"{score} ({counts})"


def noisy_score(
    tree: Tree | Ensemble,
    parties: Sequence[Party] | Party,
    epsilon: Budget | Cost | Rational,
    *,
    delta: Rational | None = None,
    tolerate: int | None = None,
    budget: Ledger | None = None,
    confusion: bool = False,
    threshold: Rational | None = None,
    rng: Rng = None,
) -> NoisyScore | NoisyFit:
    """How many predictions of a tree are right on the parties' rows: noisy counts by predicted class, which cost ε.

    Of a model of numbers: R² and the root of the mean squared error, from noisy sums of squares.

    A person with rows among those that the tree was grown on, and among these, pays for both. A budget for both is
    given as ``budget``; it is charged first, as if every scored row were one of those.

    Claims: lem-noisy-score, lem-squares

    Parameters
    ----------
    tree : released, with its domain; or an :class:`~fdpedu.boosting.Ensemble`
    parties : at least two, each once, of the tree's domain; one with a ledger of its own charges it as well. Or one
        :class:`~fdpedu.federation.Party`, not in a list: the owner of all rows, who counts and draws alone
    epsilon : what the counts cost, in ε; or a budget or a cost in ρ
    delta : δ, with which they are paid in ρ and are (ε, δ)-differentially private
    tolerate : colluding parties that the noise withstands: 1 unless given; of one owner there are none
    budget : of the tree's domain, which is charged too; None: the score has a ledger of its own only
    confusion : whether wrong predictions are told apart by their true class, at the same cost; their sum then has more
        noise. Of classes only
    threshold : of an ensemble of two classes, the score above which the second one is predicted; its own unless given
    rng : None for the operating system; a generator is for teaching, and warns

    Raises
    ------
    BudgetExceeded
        If ``epsilon`` is more than the budget has left; then nothing is released.
    ValueError
        If a party is none that can be asked; before anything is charged.

    Examples
    --------
    >>> from fdpedu.domain import Numeric
    >>> from fdpedu.randomness import ZeroWords
    >>> from fdpedu.trees import fit_federated_tree
    >>> domain = Domain([Numeric.grid("age", 0, 100, bins=2)], ("well", "ill"))
    >>> rows = [[[20, "well"], [30, "well"]], [[80, "ill"], [70, "well"]]]
    >>> parties = [Party(part, domain) for part in rows]
    >>> federation = Federation(parties, domain, Ledger(1), rng=ZeroWords())  # a test: zero words, zero noise
    >>> tree = fit_federated_tree(federation, max_depth=0)
    >>> score = noisy_score(tree, parties, 1, rng=ZeroWords())
    >>> score.right, score.wrong, score.value
    (3, 1, 0.75)
    """
    if not isinstance(tree, (Tree, Ensemble)):
        raise ValueError(f"tree must be a Tree or an Ensemble, got {type(tree).__name__}")
    own, members = Budget.of(epsilon, delta=delta), _members(parties, tree.domain)
    domain, source = tree.domain, as_source(rng)
    asker = _asker(parties, members, Ledger(own, domain=domain), tolerate, source)
    query = _question(tree, replace(own.limit, xi=Fraction(0)), confusion, threshold)
    shares = count_noise_shares(asker.n_parties, asker.tolerate)
    query.check(domain)
    number = 0
    if budget is not None:
        require_type(budget, Ledger, "budget")
        if any(party.ledger is not None and is_same_account(party.ledger, budget) for party in members):
            raise ValueError("a party's own ledger and the budget are two: the score is charged to both")
        budget.bind(domain)
        charge = query.charge(domain, asker.colluders, source.kind, n_noise_shares=shares)
        _require_room(charge.cost.amount, own)
        number = budget.charge([charge], f"score after round {budget.rounds}", asked=partial(asker.entry, [query]))
    counts = asker.release([query])[0]
    if number and budget:
        with suppress(ValueError):  # it is paid for, whatever becomes of the file
            budget.note_answers(number, asker.last_answers())
    rest = query.cost, query_deviation(query, asker.n_parties, shares), asker.ledger.derivation()
    if domain.target is None:
        return _score_of(tuple(map(tuple, counts.tolist())), confusion, *rest)
    rows, distances, squares, errors = counts.tolist()
    span = domain.target.edges[-1] - domain.target.edges[0]
    return NoisyFit((rows, distances, squares, errors), span, *rest, unit=domain.target.unit)


def _require_room(asked: Amount, own: Budget) -> None:
    """Refuse so small an ε that it leaves no ξ for its noise: before another budget is charged for it."""
    if not asked.within(own.amount):
        said = too_much(asked, own.amount, own.measure, own.delta or Fraction(0))
        raise BudgetExceeded(f"{said}; nothing was charged")


def _score_of(
    cells: tuple[tuple[int, ...], ...], confusion: bool, cost: Cost, deviation: float, derivation: Derivation
) -> NoisyScore:
    """Of counts of right and wrong predictions, or of a confusion matrix."""
    if not confusion:
        return NoisyScore(tuple((right, wrong) for right, wrong in cells), cost, deviation, derivation)
    by_class = tuple((row[k], sum(row) - row[k]) for k, row in enumerate(cells))
    return NoisyScore(by_class, cost, deviation, derivation, cells)


def _question(
    tree: Tree | Ensemble, cost: Cost, confusion: bool, threshold: Rational | None
) -> OutcomeCounts | SquareSums:
    """What parties are asked; the question carries the model."""
    domain = tree.domain
    require_type(confusion, bool, "confusion")
    if threshold is not None:
        require_scores_of_two(tree, "threshold")
    if confusion:
        require_classes(domain, "a confusion matrix")
    if domain.target is None:
        return (ConfusionCounts if confusion else OutcomeCounts)(domain.everything, cost, model_of(tree, threshold))
    if isinstance(tree, Ensemble):
        assert isinstance(tree.outcome, Number) and isinstance(tree.scorer, AdditiveModel)
        return SquareSums(domain.everything, cost, tree.outcome.spread, tree.scorer)
    # of a tree of numbers each leaf answers with where its mean lies in the range
    low, high = domain.target.edges[0], domain.target.edges[-1]
    places = iter(round(UNIT * (mean - low) / (high - low)) for mean in leaf_means(tree.root, tree.classes))
    return SquareSums(domain.everything, cost, 0, Model(nodes_of(tree.root, lambda _: next(places))))


def _asker(
    parties: Sequence[Party] | Party, members: Sequence[Party], ledger: Ledger, tolerate: int | None, source: Source
) -> Federation | Curator:
    """Who counts: a federation of the parties, or the one owner of all rows."""
    if type(parties) is not Party:
        return Federation(members, members[0].domain, ledger, tolerate=1 if tolerate is None else tolerate, rng=source)
    if tolerate is not None and as_integer(tolerate, "tolerate", minimum=0):
        raise ValueError(
            f"tolerate must be left out for one owner of all rows: nobody shares the noise; got {tolerate}"
        )
    return Curator(members[0], ledger, source)


def require_scores_of_two(model: Tree | Ensemble, name: str) -> None:
    """Refuse what is for an ensemble of two classes, which alone has a score above which the second is predicted."""
    if not isinstance(model, Ensemble):
        raise ValueError(f"{name} must be left out: it is for an ensemble of two classes, and this is a tree")
    require_two(model.domain, name)


def model_of(tree: Tree | Ensemble, threshold: Rational | None = None) -> Model | AdditiveModel | VectorModel:
    """A model as a question carries it: of a tree its splits and the labels of its leaves; of an ensemble all of it.

    >>> from fdpedu.cart import CodeSplit, Node
    >>> root = Node((2, 2), CodeSplit(0, frozenset({0, 1})), Node((2, 0)), Node((0, 2)))
    >>> nodes_of(root)
    ((0, 3), (0,), (1,))
    """
    return tree.deciding(threshold) if isinstance(tree, Ensemble) else Model(nodes_of(tree.root))


def nodes_of(root: Node, answer: Callable[[Node], int] = lambda leaf: leaf.label) -> tuple[tuple[int, ...], ...]:
    """The nodes from the root on, each before its left and its right side; of a leaf its label, or another answer."""
    nodes, waiting = list[tuple[int, ...]](), [root]
    while waiting:
        node = waiting.pop()
        if isinstance(node.split, CodeSplit) and node.left and node.right:
            nodes.append((node.split.feature, sum(1 << code for code in node.split.left)))
            waiting += [node.right, node.left]
        else:
            nodes.append((answer(node),))
    return tuple(nodes)


def _members(parties: Sequence[Party] | Party, domain: Domain) -> list[Party]:
    if type(parties) is Party:
        members, least = [parties], 1
    else:
        members, least = as_list(parties, "parties"), 2
    if len(members) < least or not all(type(party) is Party for party in members):
        raise ValueError(
            "a score needs a list of at least 2 parties, each made by Party(rows, domain), or one Party with all rows"
        )
    if any(party.domain != domain for party in members):
        raise ValueError("a score needs parties of the model's domain: their rows are encoded by it")
    if len({party._token for party in members}) < len(members):  # a copy of a party has its rows
        raise ValueError("a party is scored once: its records would be counted twice")
    return members
