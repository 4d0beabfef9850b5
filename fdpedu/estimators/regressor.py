"""Regressors: scikit-learn's conventions around models of numbers, such as a tree by votes, whose leaves have means."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, ClassVar

from sklearn.base import RegressorMixin

from fdpedu.accounting import Ledger
from fdpedu.domain import Domain
from fdpedu.estimators.base import OfFederation
from fdpedu.estimators.tables import one_column
from fdpedu.exact import Rational, as_floats
from fdpedu.exact.foreign import require_one_order
from fdpedu.federation import Curator, Federation
from fdpedu.randomness import Rng
from fdpedu.trees import Tree, fit_federated_tree
from fdpedu.trees.designs.votes import require_epsilon

DESIGN = "votes"


class FederatedRegressor(RegressorMixin, OfFederation):  # type: ignore[misc]
    """A regressor whose model a federation grows."""

    _of_target = True
    _of_classes: ClassVar[str] = "FederatedTreeClassifier"

    def _require_fit(self, domain: Domain) -> None:
        if domain.target is None:
            raise ValueError(
                f"{type(self).__name__} is for a numeric target, and the domain has classes: write "
                f'"target": [low, high] in place of them, or take {self._of_classes}'
            )

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """R² of the predictions, 1 − Σ(y − f)²/Σ(y − mean of y)²: exact, so for public rows, or for your own eyes.

        On private rows it is an exact function of them, and no ε covers it. Values of ``y`` are taken as they are, also
        beyond the public range.

        Parameters
        ----------
        X, y : rows and their numbers, at least two
        sample_weight : how much each row counts
        """
        require_one_order(X, y, "y")
        require_one_order(X, sample_weight, "sample_weight")
        y = one_column(y)
        self._released.domain.encode_labels(y, "y")  # refuses what a fit refuses: texts, missing values
        weights = None if sample_weight is None else as_floats(sample_weight, "sample_weight", 1)
        return float(super().score(X, as_floats(y, "y", 1), weights))


class FederatedTreeRegressor(FederatedRegressor):
    """A federated differentially private regression tree, by the conventions of scikit-learn.

    The rows of ``fit`` are private; what is public is the ``domain``: columns, ranges, categories, and the range of the
    target with its levels. At each node every party draws a split on its own rows by the squared loss of the levels,
    and the most votes win; a leaf predicts the mean of its noisy counts of levels. Counts below 0 are taken as 0, which
    with many levels or a small ε pulls means towards the middle of the range: take few levels, 8 to 16. Each fit
    releases one tree, which costs ε for adding or removing one row, if the party of a row does not depend on other
    rows: sites are so, and rows that ``fit`` deals. The row is protected against whoever sees the tree, and against
    ``tolerate`` colluding parties; draws and noise come from the operating system unless ``rng`` is given.

    Parameters
    ----------
    domain : a :class:`~fdpedu.domain.Domain` with a target, its specification as a dictionary, or the path of a JSON
        file. Needed, unless ``fit`` is given parties, which have one. Values beyond the target's range count as its
        ends
    epsilon : what a fit may cost; None: all that the budget has left
    max_depth : from 0 to 8; every node is split
    leaf_share : the part of ε for the counts of the leaves, strictly between 0 and 1
    tolerate, n_parties, sites, budget, rng : as in :class:`FederatedTreeClassifier`, with at least 2 parties

    Attributes
    ----------
    tree_ : the released :class:`~fdpedu.trees.Tree`
    derivation_, domain_, n_features_in_, n_parties_, feature_names_in_ : as of :class:`FederatedTreeClassifier`

    Notes
    -----
    Costs are in ε: choices are not paid in ρ, so there is no ``delta``. What :class:`FederatedTreeClassifier` says of
    copies, of budgets and of cross-validation holds here as well.

    Examples
    --------
    >>> from fdpedu.randomness import Rehearsal
    >>> domain = {"features": {"age": [0, 100, 4]}, "target": [0, 40, 8]}
    >>> model = FederatedTreeRegressor(domain, epsilon=20, max_depth=1, rng=Rehearsal(1))
    >>> ages, days = [[20], [30], [80], [90]] * 90, [2, 2, 22, 22] * 90
    >>> model.fit(ages, days, parties=["north", "south"] * 180).predict([[25], [85]]).round().tolist()
    [2.0, 22.0]
    >>> model.n_parties_
    2
    """

    _kept, _called = "tree_", "tree"

    def __init__(
        self,
        domain: Any = None,
        *,
        epsilon: Rational | None = 1,
        max_depth: int | None = 3,
        leaf_share: Rational | None = "7/20",
        tolerate: int = 1,
        n_parties: int = 5,
        sites: Sequence[Any] | None = None,
        budget: Ledger | str | os.PathLike[str] | None = None,
        rng: Rng = None,
    ) -> None:
        self.domain = domain
        self.epsilon = epsilon
        self.max_depth = max_depth
        self.leaf_share = leaf_share
        self.tolerate = tolerate
        self.n_parties = n_parties
        self.sites = sites
        self.budget = budget
        self.rng = rng

    def _grown_by(self, asker: Federation | Curator, ledger: Ledger) -> Tree:
        require_epsilon(ledger.total.limit)
        if asker.n_parties == 1:
            raise ValueError("n_parties must be at least 2, got 1: a regression tree is grown by votes of parties")
        return fit_federated_tree(
            asker,
            max_depth=self.max_depth,
            leaf_share=self.leaf_share,
            epsilon=self._cost(ledger),
            design=DESIGN,
            rng=self.rng,
        )
