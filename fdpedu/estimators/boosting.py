"""Boosting by the conventions of scikit-learn: around :func:`fdpedu.boosting.fit_federated_boosting`."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fdpedu.accounting import Cost, Ledger
from fdpedu.boosting import Ensemble, fit_federated_boosting
from fdpedu.boosting.outcomes import outcome_of
from fdpedu.domain import Domain
from fdpedu.estimators.base import FederatedClassifier, OfFederation, sorted_classes
from fdpedu.estimators.regressor import FederatedRegressor
from fdpedu.exact import Rational, quoted
from fdpedu.federation import Curator, Federation
from fdpedu.randomness import Rng


class Boosted(OfFederation):
    """One whose model is an ensemble: its parameters, and how it is grown."""

    _kept, _called = "ensemble_", "ensemble"

    def __init__(
        self,
        domain: Any = None,
        *,
        epsilon: Rational | None = 1,
        delta: Rational | None = 1e-6,
        form: str = "trees",
        nominal_size: int | None = None,
        rounds: int | None = None,
        trees_per_round: int | None = None,
        max_depth: int | None = None,
        monotone: Mapping[str, int] | None = None,
        threshold: str | None = None,
        n_parties: int = 5,
        sites: Sequence[Any] | None = None,
        tolerate: int = 1,
        budget: Ledger | str | os.PathLike[str] | None = None,
        rng: Rng = None,
    ) -> None:
        self.domain = domain
        self.epsilon = epsilon
        self.delta = delta
        self.form = form
        self.nominal_size = nominal_size
        self.rounds = rounds
        self.trees_per_round = trees_per_round
        self.max_depth = max_depth
        self.monotone = monotone
        self.threshold = threshold
        self.n_parties = n_parties
        self.sites = sites
        self.tolerate = tolerate
        self.budget = budget
        self.rng = rng

    def _grown_by(self, asker: Federation | Curator, ledger: Ledger) -> Ensemble:
        return fit_federated_boosting(
            asker,
            form=self.form,
            nominal_size=self.nominal_size,
            rounds=self.rounds,
            trees_per_round=self.trees_per_round,
            max_depth=self.max_depth,
            monotone=self.monotone,
            threshold=self.threshold,
            epsilon=self._cost(ledger),
            rng=self.rng,
        )

    def _cost(self, ledger: Ledger) -> Cost | None:
        """What a fit may cost; δ is given unless it is left out by name, so that is what a refusal says."""
        if self.delta is not None and (ledger.total.is_pure or self.epsilon is None):
            why = f"the budget holds {ledger.total} and no δ" if ledger.total.is_pure else "epsilon is None"
            raise ValueError(f"delta must be None where {why}: say delta=None, got {quoted(self.delta)}")
        return super()._cost(ledger)


class FederatedBoostingClassifier(Boosted, FederatedClassifier):
    """Many small differentially private trees that add up to a score, by the conventions of scikit-learn.

    For 2 to 32 classes; more than two need a δ. The rows of ``fit`` are private; what is public is the ``domain``, and
    ``nominal_size``. Each fit releases one ensemble, which costs (ε, δ), or ε, for adding or removing one row. It is
    protected against whoever sees the ensemble, and against ``tolerate`` colluding parties; noise is drawn from the
    operating system unless ``rng`` is given.

    Parameters
    ----------
    domain : a :class:`~fdpedu.domain.Domain` with classes, its specification as a dictionary, or the path of a JSON
        file. Needed, unless ``fit`` is given parties, which have one
    epsilon : what a fit may cost; None, with ``delta=None``: all that the budget has left
    delta : δ, strictly between 0 and 1: a fit is paid in ρ, and (ε, δ)-differentially private. None: paid in ε, which
        pays for fewer trees
    form : ``"trees"``; or ``"curves"``, which need a δ: a curve for each feature, read by ``ensemble_.curves()``
    nominal_size : N, about how many rows all parties have. Needed: a public number, fixed beforehand, never their true
        number
    rounds, trees_per_round, max_depth : as in :func:`~fdpedu.boosting.rules_for`; None is what suits N and the budget
    monotone : of curves, by the names of numeric features +1 if a curve may only rise, −1 if it may only fall, such as
        ``{"age": 1}``; it costs nothing
    threshold : of two classes ``"counted"``: a hundredth of the budget pays for class counts, so that a rare class is
        predicted about as often as was counted, with noise (``ensemble_.to_text()``). None: above the score 0
    n_parties, sites, tolerate, budget, rng : as in :class:`FederatedTreeClassifier`

    Attributes
    ----------
    ensemble_ : the released :class:`~fdpedu.boosting.Ensemble`
    classes_, derivation_, domain_, n_features_in_, n_parties_, feature_names_in_ : as of
        :class:`FederatedTreeClassifier`

    Notes
    -----
    What :class:`FederatedTreeClassifier` says of copies, of budgets and of cross-validation holds here as well.

    Examples
    --------
    >>> from fdpedu.randomness import Rehearsal
    >>> domain = {"features": {"age": [0, 100, 4]}, "classes": ["well", "ill"]}
    >>> model = FederatedBoostingClassifier(domain, epsilon=4, nominal_size=400, rounds=2, rng=Rehearsal(1))
    >>> ages, states = [[20], [30], [80], [90]] * 100, ["well", "well", "ill", "ill"] * 100
    >>> model.fit(ages, states, parties=["north", "south"] * 200).predict([[25], [85]]).tolist()
    ['well', 'ill']
    >>> model.decision_function([[25], [85]]) > 0  # for classes_[1], which is 'well'
    array([ True, False])
    """

    def _require_fit(self, domain: Domain) -> None:
        super()._require_fit(domain)
        outcome_of(domain, self.threshold)  # refuses more classes than it knows

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """The score of each row, shape (n,): above 0 for ``classes_[1]``, so of the domain's class that sorts last.

        Where the threshold was counted, above ``ensemble_.threshold``; negated where the domain's order is another.
        Of several classes a score for each, shape (n, K), in the order of ``classes_``; the highest one is predicted.
        It is a function of the ensemble and of the row, so it costs nothing.

        Parameters
        ----------
        X : as in :meth:`predict`
        """
        scores: NDArray[np.float64] = self._released.decision_function(self._checked(X))
        order = sorted_classes(self.domain_.classes)
        if scores.ndim > 1:
            # of equal scores the domain's first class is predicted: here, too, its score is the highest one
            first, rows = scores.argmax(axis=1), np.arange(len(scores), dtype=np.int64)
            tied = (scores == scores.max(axis=1, keepdims=True)).sum(axis=1) > 1
            scores[rows[tied], first[tied]] = np.nextafter(scores[rows[tied], first[tied]], np.inf)
            return scores[:, order]
        if order == [0, 1]:
            return scores
        # a score of 0 is the domain's first class, which is the last here: the least number above 0
        return np.where(scores == 0, np.nextafter(0, 1), -scores)


class FederatedBoostingRegressor(Boosted, FederatedRegressor):
    """Many small differentially private trees that add up to a number, by the conventions of scikit-learn.

    The rows of ``fit`` are private; what is public is the ``domain``, with the range of its target, and
    ``nominal_size``. A target ``[low, high]`` has 256 levels, which is what boosting wants. Each fit releases one
    ensemble, which costs (ε, δ), or ε, for adding or removing one row. It is protected against whoever sees the
    ensemble, and against ``tolerate`` colluding parties; noise is drawn from the operating system unless ``rng`` is
    given.

    Parameters
    ----------
    domain : a :class:`~fdpedu.domain.Domain` with a target, its specification as a dictionary, or the path of a JSON
        file. Needed, unless ``fit`` is given parties, which have one. Values beyond the target's range count as its
        ends
    epsilon, delta : as in :class:`FederatedBoostingClassifier`
    form : ``"trees"``; or ``"curves"``, which need a δ: a curve for each feature, in the target's unit, read by
        ``ensemble_.curves()``
    nominal_size, rounds, trees_per_round, max_depth, monotone : as in :class:`FederatedBoostingClassifier`
    threshold : None, as numbers have none
    n_parties, sites, tolerate, budget, rng : as in :class:`FederatedTreeClassifier`

    Attributes
    ----------
    ensemble_ : the released :class:`~fdpedu.boosting.Ensemble`
    derivation_, domain_, n_features_in_, n_parties_, feature_names_in_ : as of :class:`FederatedTreeClassifier`

    Notes
    -----
    What :class:`FederatedTreeClassifier` says of copies, of budgets and of cross-validation holds here as well.

    Examples
    --------
    >>> from fdpedu.randomness import Rehearsal
    >>> domain = {"features": {"age": [0, 100, 4]}, "target": [0, 40]}
    >>> model = FederatedBoostingRegressor(domain, epsilon=8, nominal_size=400, rng=Rehearsal(1))
    >>> ages, days = [[20], [30], [80], [90]] * 100, [2, 4, 22, 24] * 100
    >>> model.fit(ages, days, parties=["north", "south"] * 200).predict([[25], [85]]).round().tolist()
    [1.0, 23.0]
    """

    _of_classes = "FederatedBoostingClassifier"
