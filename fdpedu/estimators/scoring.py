"""A score on private rows, paid for: how many predictions of a released tree are right, from noisy counts.

The tree is public, so whether it is right about a record is a function of this record alone. Each party writes "right"
or "wrong" for each of its rows, under a small domain of its own (the predicted class, and whether it is right), and a
federation releases the two counts, as it releases the class counts of a leaf. One record more or less changes one of
them by 1, or (if it is none of the scored rows) nothing.

Claims: lem-noisy-score
"""

from __future__ import annotations

import html
import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fdpedu.accounting import Derivation, Ledger
from fdpedu.derivation_checker import DerivationRefused
from fdpedu.dlpa import count_noise_shares
from fdpedu.domain import Categorical, Domain
from fdpedu.exact import Rational, as_list, as_positive_fraction, require_type, shown
from fdpedu.federation import ClassCounts, Federation, Party
from fdpedu.randomness import Rng, as_source
from fdpedu.trees import Tree
from fdpedu.trees.stopping import noise_deviation

OUTCOMES = ("right", "wrong")


@dataclass(frozen=True)
class NoisyScore:
    """The released counts of right and wrong predictions, and the score that they give.

    Parameters
    ----------
    right, wrong : as released: with noise, so they may be negative
    epsilon : what they cost
    deviation : the standard deviation of the noise in each of the two
    derivation : why they cost that, for the scored rows by themselves

    Examples
    --------
    >>> score = NoisyScore(right=80, wrong=20, epsilon=Fraction(1), deviation=1.5, derivation=None)
    >>> print(score)
    0.800 ± 0.012 (noisy counts: right 80, wrong 20; ε = 1)
    """

    right: int
    wrong: int
    epsilon: Fraction
    deviation: float
    derivation: Derivation | None = field(repr=False, compare=False)

    @property
    def value(self) -> float:
        """The share of right predictions, of what is left when negative counts become 0; 1/2 if nothing is left."""
        right, wrong = self._clipped()
        return right / (right + wrong) if right + wrong else 0.5

    @property
    def standard_error(self) -> float:
        """That of the noise in ``value``, to first order; at most 1/2, which says that the counts say nothing.

        It covers the noise only. How well n rows stand for all others is another question, with an error of its own.
        """
        right, wrong = self._clipped()
        total = right + wrong
        return min(0.5, self.deviation * math.hypot(right, wrong) / total**2) if total else 0.5

    def _clipped(self) -> tuple[int, int]:
        return max(self.right, 0), max(self.wrong, 0)

    def __str__(self) -> str:
        counts = f"noisy counts: right {self.right}, wrong {self.wrong}; ε = {shown(self.epsilon)}"
        return f"{self.value:.3f} ± {self.standard_error:.3f} ({counts})"

    def _repr_html_(self) -> str:
        """A sentence for a notebook; what it cost stands in it."""
        return f'<p class="fdpedu">{html.escape(str(self))}<br>{html.escape(self._promise())}</p>'

    def _promise(self) -> str:
        """What the counts are worth as a promise; that of noise that is none, as in tests, is nothing."""
        try:
            return f"The two counts are {self.derivation.guarantee}." if self.derivation else ""
        except DerivationRefused as refused:
            return f"Nothing is promised: {refused}."


def noisy_score(
    tree: Tree,
    parties: Sequence[Party],
    epsilon: Rational,
    *,
    tolerate: int = 1,
    budget: Ledger | None = None,
    rng: Rng = None,
) -> NoisyScore:
    """How many predictions of the tree are right on the parties' rows: two noisy counts, which cost ε.

    Who has rows among those that the tree was grown on, and among these, pays for both. A budget for all of it is given
    as ``budget``; it is charged first, as if every scored row were one of those.

    Claims: lem-noisy-score

    Parameters
    ----------
    tree : released, with its domain
    parties : at least two, each once, of the tree's domain, without a ledger of their own
    epsilon : what the two counts cost
    tolerate : colluding parties that the noise withstands
    budget : of the tree's domain, which is charged too; None: the score has a ledger of its own only
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
    require_type(tree, Tree, "tree")
    cost, members = as_positive_fraction(epsilon, "epsilon"), _members(parties, tree.domain)
    domain, source = _outcomes_domain(tree), as_source(rng)
    scored = [_scored(tree, party, domain) for party in members]
    federation = Federation(scored, domain, Ledger(cost, domain=domain), tolerate=tolerate, rng=source)
    query = ClassCounts(domain.everything, cost)
    query.check(domain)
    if budget is not None:
        _charge(budget, tree.domain, query, federation.colluders, source.kind)
    right, wrong = federation.release([query])[0].tolist()
    deviation = noise_deviation(query.rate, federation.n_parties, count_noise_shares(federation.n_parties, tolerate))
    return NoisyScore(right, wrong, cost, deviation, federation.ledger.derivation())


def outcomes(tree: Tree, party: Party) -> NDArray[np.bool_]:
    """Whether the tree is right about each row of the party: exact, for its own eyes, and a function row by row."""
    labels = np.array([leaf.label for leaf in tree.leaves()])
    return np.asarray(labels[tree.route(party._codes)] == party._labels)


def _scored(tree: Tree, party: Party, domain: Domain) -> Party:
    """The party with what the tree makes of its rows in place of the rows."""
    right = outcomes(tree, party)
    rows = [[label] for label in _predicted(tree, party)]
    labels = [OUTCOMES[not hit] for hit in right.tolist()]
    return Party(rows, domain, labels=labels, name=party.name, limits=party._limits, identity=party._identity)


def _predicted(tree: Tree, party: Party) -> list[Any]:
    labels = [tree.classes[leaf.label] for leaf in tree.leaves()]
    return [labels[leaf] for leaf in tree.route(party._codes).tolist()]


def _outcomes_domain(tree: Tree) -> Domain:
    """What is public about an outcome: the class that the tree predicts, and whether it is right."""
    return Domain([Categorical("predicted", tree.classes)], OUTCOMES)


def _members(parties: Sequence[Party], domain: Domain) -> list[Party]:
    members = as_list(parties, "parties")
    if len(members) < 2 or not all(type(party) is Party for party in members):
        raise ValueError("a score needs a list of at least 2 parties, each made by Party(rows, domain)")
    if any(party.domain != domain for party in members):
        raise ValueError("a score needs parties of the tree's domain: their rows are told by its codes")
    if len({party._token for party in members}) < len(members):  # a copy of a party has its rows
        raise ValueError("a party is scored once: its records would be counted twice")
    if any(party.ledger is not None for party in members):
        raise ValueError(
            "a party with a ledger of its own is asked by a federation of its ledger's domain only; "
            "make one without, and let it charge what the score costs to its ledger itself"
        )
    return members


def _charge(budget: Ledger, domain: Domain, query: ClassCounts, colluders: int, randomness: str) -> None:
    """Charge what the two counts cost to all records of the tree's domain."""
    require_type(budget, Ledger, "budget")
    budget.bind(domain)
    charge = query.charge(domain, colluders, randomness)
    what = replace(charge, region=domain.everything, query="right and wrong predictions", claim="lem-noisy-score")
    budget.charge([what], f"score after round {budget.rounds}")
