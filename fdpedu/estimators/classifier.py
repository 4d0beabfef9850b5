"""The classifier itself: scikit-learn's conventions around :func:`fdpedu.trees.fit_federated_tree`."""

from __future__ import annotations

import os
import warnings
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from fdpedu.accounting import Cost, Ledger
from fdpedu.accounting.budget import cost_asked
from fdpedu.accounting.turns import taking_turns
from fdpedu.cart.tree import class_array
from fdpedu.domain import Domain
from fdpedu.domain.tables import Named, Table, as_table
from fdpedu.estimators.scoring import NoisyScore, noisy_score
from fdpedu.estimators.tables import (
    are_parties,
    cells,
    checked_table,
    declares_gaps,
    given_rows,
    made_parties,
    one_column,
    read_domain,
)
from fdpedu.exact import Rational, as_floats, as_fraction, as_positive_fraction, require_type, shown
from fdpedu.federation import Federation
from fdpedu.randomness import Rng
from fdpedu.trees import Tree, fit_federated_tree
from fdpedu.trees.protocol import TreeDesign

_NO_WEIGHTS = (
    "FederatedTreeClassifier takes no sample_weight: a row that counts w times changes a count by w, so the noise "
    "would have to grow with the largest weight. Leave it out"
)


class FittedAgainWarning(UserWarning):
    """An estimator without a budget was fitted again: what both trees cost adds up, and no ledger adds it."""


class SharedBudgetWarning(UserWarning):
    """A copy of an estimator is fitted, as a search does many times, and each fit is charged to one budget."""


class ClassWithoutRowsWarning(UserWarning):
    """A class of the public domain occurs in no row: the tree knows it, and what learns classes from rows does not."""


class FederatedTreeClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A federated differentially private decision tree, by the conventions of scikit-learn.

    The rows of ``fit`` are private; what is public is the ``domain``: columns, ranges, categories, classes. Each fit
    releases one tree, which costs ε for adding or removing one row. It is protected against whoever sees the tree, and
    against ``tolerate`` colluding parties; noise is drawn from the operating system unless ``rng`` is given.

    Claims: lem-predict-free

    Parameters
    ----------
    domain : a :class:`~fdpedu.domain.Domain`, its specification as a dictionary, or the path of a JSON file. Needed,
        unless ``fit`` is given parties, which have one
    epsilon : what a fit may cost; None: all that the budget has left
    delta : δ, strictly between 0 and 1: a fit is then paid in ρ, and (ε, δ)-differentially private. None: paid in ε
    max_depth, min_samples_split, leaf_share : as in :func:`~fdpedu.trees.fit_federated_tree`; None is the design's own
    tolerate : colluding parties that the noise withstands
    design : as in :func:`~fdpedu.trees.fit_federated_tree`; None is ``"rotating"``, or with δ ``"screened"``, as
        choices are not paid in ρ
    nominal_size : N, how many rows there are about: a public number, fixed beforehand, never their true number; by it
        some designs choose depth and leaf share
    n_parties : among how many the rows are dealt at random if ``fit`` gets no ``parties``: for trying out
    budget : a :class:`~fdpedu.accounting.Ledger`, or the path of a budget file, which every fit and every noisy score
        is charged to, and which refuses what it cannot pay; None: each fit has a ledger of its own, and nobody adds up
    rng : None for the operating system; a generator is for teaching, and warns

    Attributes
    ----------
    tree_ : the released :class:`~fdpedu.trees.Tree`
    classes_ : those of the domain, whether or not a row has them, sorted, as all of scikit-learn expects it; ``tree_``
        keeps the order of the domain
    derivation_ : why the tree costs what it costs; ``derivation_.guarantee`` says it in a sentence
    domain_, n_features_in_, n_parties_ : what was public
    feature_names_in_ : the names of the domain's features, if ``fit`` found columns by name

    Notes
    -----
    ``clone`` (and so cross-validation) copies the parameters. A ledger in memory refuses to be copied; the path of a
    budget file is shared by all copies, so the file refuses what all of them together cannot pay, and a copy's first
    fit says so (:class:`SharedBudgetWarning`). Without either, five folds cost what five trees cost, and nothing says
    so. :func:`search_cost` says what a search will cost before it begins. Cross-validation belongs on public data.

    Examples
    --------
    >>> from fdpedu.randomness import ZeroWords
    >>> domain = {"features": {"age": [0, 100, 4]}, "classes": ["well", "ill"]}
    >>> model = FederatedTreeClassifier(domain, max_depth=1, rng=ZeroWords())  # a test: zero words, zero noise
    >>> ages, states = [[20], [30], [80], [90]] * 9, ["well", "well", "ill", "ill"] * 9
    >>> model.fit(ages, states, parties=["north", "south"] * 18).predict([[25], [85]]).tolist()
    ['well', 'ill']
    >>> model.n_parties_
    2
    """

    def __init__(
        self,
        domain: Any = None,
        *,
        epsilon: Rational | None = 1,
        delta: Rational | None = None,
        max_depth: int | None = None,
        min_samples_split: int | None = None,
        leaf_share: Rational | None = None,
        tolerate: int = 1,
        design: str | TreeDesign | None = None,
        nominal_size: int | None = None,
        n_parties: int = 5,
        budget: Ledger | str | os.PathLike[str] | None = None,
        rng: Rng = None,
    ) -> None:
        self.domain = domain
        self.epsilon = epsilon
        self.delta = delta
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.leaf_share = leaf_share
        self.tolerate = tolerate
        self.design = design
        self.nominal_size = nominal_size
        self.n_parties = n_parties
        self.budget = budget
        self.rng = rng

    def __sklearn_clone__(self) -> FederatedTreeClassifier:
        """A copy with the same parameters, which knows that it is one."""
        copy: FederatedTreeClassifier = super().__sklearn_clone__()
        copy._is_copy = True
        return copy

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.non_deterministic = True  # noise
        tags.input_tags.categorical = tags.input_tags.string = True
        tags.input_tags.allow_nan = declares_gaps(self.domain)
        return tags

    def fit(self, X: Any = None, y: Any = None, parties: Any = None, **refused: Any) -> FederatedTreeClassifier:
        """Grow a tree; it costs ``epsilon``, each time.

        All that can be wrong with rows and parameters is refused before any budget is spent.

        Parameters
        ----------
        X : one table of any kind, with the columns of the domain; by name if it has names, else in the domain's order
        y : the class of each row
        parties : whose row it is: the name of a site for each row; these names become public. Or, without ``X`` and
            ``y``, a list of :class:`~fdpedu.federation.Party`, one for each site, each with its own rows: then no table
            ever holds those of two. If left out, the rows of ``X`` are dealt at random among ``n_parties``
        **refused : ``sample_weight`` is refused with its reason, everything else as unknown

        Returns
        -------
        FederatedTreeClassifier
            Itself.

        Raises
        ------
        ValueError
            For a missing domain, labels and categories that it does not have, missing values that it does not declare,
            other columns; by row and column, never by value.
        BudgetExceeded
            If the budget has less left than ``epsilon``; then nothing is released.
        """
        _refuse(refused)
        y = one_column(y)
        X = given_rows(X, y, parties, type(self).__name__)
        domain = parties[0].domain if self.domain is None and are_parties(parties) else self._domain(X)
        members = made_parties(X, y, parties, domain, self.n_parties, type(self).__name__)
        if self.budget is None and hasattr(self, "tree_"):
            warnings.warn(
                f"this {type(self).__name__} is fitted again, with a ledger of its own: if rows are in both fits, the "
                "two trees cost the sum of both ε. Give budget=, a Ledger or the path of a budget file, to have it "
                "added up",
                FittedAgainWarning,
                stacklevel=2,
            )
        if X is not None:
            self._warn_of_absent(domain, y)
        if self.budget is not None and getattr(self, "_is_copy", False):
            epsilon = "all that is left" if self.epsilon is None else f"ε = {shown(as_fraction(self.epsilon))}"
            epsilon += "" if self.delta is None else f", δ = {shown(as_fraction(self.delta))}"
            warnings.warn(
                f"each fit of a copy is charged to the budget {self.budget}: {epsilon}. A search makes one for each "
                "setting and fold; search_cost(search, X, y) says beforehand what they cost together",
                SharedBudgetWarning,
                stacklevel=2,
            )
        with self._ledger(domain) as ledger, taking_turns(ledger):
            federation = Federation(members, domain, ledger, tolerate=self.tolerate, rng=self.rng)
            tree = fit_federated_tree(
                federation,
                max_depth=self.max_depth,
                min_samples_split=self.min_samples_split,
                leaf_share=self.leaf_share,
                epsilon=self._cost(ledger),
                nominal_size=self.nominal_size,
                design=self._design(ledger),
                rng=self.rng,
            )
        return self._fitted(tree, len(members), named=X is not None and isinstance(as_table(X, "X"), Named))

    @staticmethod
    def _warn_of_absent(domain: Domain, y: Any) -> None:
        """What has no row is told to whoever holds all rows, and before anything is charged."""
        absent = sorted(set(range(domain.n_classes)).difference(domain.encode_labels(cells(y, "y")).tolist()))
        if absent:
            names = ", ".join(repr(domain.classes[k]) for k in absent)
            warnings.warn(
                f"no row of y is of class {names}, which the domain has. The tree will know it: classes_ and the "
                "columns of predict_proba are the domain's. What takes its classes from y (CalibratedClassifierCV, "
                "VotingClassifier, a scorer of probabilities without labels=) will fail on them after the fit is paid",
                ClassWithoutRowsWarning,
                stacklevel=3,
            )

    def _domain(self, X: Any) -> Domain:
        return read_domain(self.domain, X, type(self).__name__)

    def _ledger(self, domain: Domain) -> AbstractContextManager[Ledger]:
        """The budget that is charged; a file is closed again afterwards."""
        if self.budget is None:
            return Ledger(as_positive_fraction(self.epsilon, "epsilon"), delta=self.delta, domain=domain)
        if isinstance(self.budget, (str, os.PathLike)):
            return Ledger.open(self.budget, domain=domain)
        require_type(self.budget, Ledger, "budget")
        return nullcontext(self.budget)

    def _cost(self, ledger: Ledger) -> Cost | None:
        """What a fit may cost, in the measure of what it is charged to."""
        return cost_asked(ledger.total, self.epsilon, self.delta)

    def _design(self, ledger: Ledger) -> str | TreeDesign:
        """The design; by itself one that the ledger's measure can pay for."""
        if self.design is not None:
            return self.design
        return "rotating" if ledger.total.is_pure else "screened"

    def _fitted(self, tree: Tree, n_parties: int, named: bool) -> FederatedTreeClassifier:
        self.tree_, self.derivation_, self.domain_ = tree, tree.derivation, tree.domain
        self.classes_, self.n_parties_ = class_array(tree.classes)[sorted_classes(tree)], n_parties
        self.n_features_in_ = tree.domain.n_features
        if named:
            self.feature_names_in_ = np.array(tree.feature_names, dtype=object)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """The class of each row, shape (n,): a function of the tree and of the row, so it costs nothing.

        Parameters
        ----------
        X : a table with the columns of ``fit``, by name if it has names, in any order; categories that the domain does
            not have are refused
        """
        table = self._checked(X)
        return self.tree_.predict(table)

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """The share of each class in the row's leaf, shape (n, C): as released, so it costs nothing.

        The columns are in the order of ``classes_``.

        Parameters
        ----------
        X : as in :meth:`predict`
        """
        table = self._checked(X)
        return self.tree_.predict_proba(table)[:, sorted_classes(self.tree_)]

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The share of rows whose predicted class is theirs: exact, so for public rows, or for your own eyes.

        On private rows it is an exact function of them, and no ε covers it: one row more makes another number. What may
        be shown to others is :meth:`noisy_score`.

        Parameters
        ----------
        X, y : rows and their classes, at least one
        sample_weight : how much each row counts; numbers of at least 0
        """
        table, y = self._checked(X), one_column(y)
        if sample_weight is None:
            return self.tree_.score(table, y)
        predicted = self.domain_.encode_labels(self.tree_.predict(table), "predictions")
        right, weights = predicted == self.domain_.encode_labels(y, "y"), as_floats(sample_weight, "sample_weight", 1)
        if len(weights) != len(right) or not (np.isfinite(weights).all() and weights.min() >= 0 and weights.any()):
            raise ValueError(f"sample_weight must be {len(right)} numbers of at least 0, and not all 0")
        return float(np.average(right, weights=weights))

    def noisy_score(
        self, X: Any = None, y: Any = None, epsilon: Any = None, parties: Any = None, delta: Any = None
    ) -> NoisyScore:
        """How many predictions are right, as noisy counts that cost ``epsilon``; charged to ``budget``, too.

        Without a budget the score has a ledger of its own, and what it costs adds to what the tree has cost, for all
        who have rows in both.

        Claims: lem-noisy-score

        Parameters
        ----------
        X, y : as in :meth:`fit`
        epsilon : what the counts cost; needed, as nothing is spent unasked
        parties : as in :meth:`fit`
        delta : δ, with which they are paid in ρ; needed if the budget is one of ρ
        """
        check_is_fitted(self, "tree_")
        y = one_column(y)
        X = given_rows(X, y, parties, type(self).__name__)
        members = made_parties(X, y, parties, self.domain_, self.n_parties, type(self).__name__)
        with nullcontext() if self.budget is None else self._ledger(self.domain_) as ledger:
            return noisy_score(
                self.tree_, members, epsilon, delta=delta, tolerate=self.tolerate, budget=ledger, rng=self.rng
            )

    def _checked(self, X: Any) -> Table:
        """The table, if there is a tree and it has the form of one for it."""
        check_is_fitted(self, "tree_")
        return checked_table(X, self.domain_, type(self).__name__)


def sorted_classes(tree: Tree) -> list[int]:
    """Positions of a tree's classes in the order of scikit-learn; as they are, if numbers and texts stand together."""
    try:
        return sorted(range(len(tree.classes)), key=lambda k: tree.classes[k])
    except TypeError:
        return list(range(len(tree.classes)))


def _refuse(unknown: dict[str, Any]) -> None:
    """Weights are refused with their reason; None is what scikit-learn hands on where there are none."""
    if unknown.pop("sample_weight", None) is not None:
        raise ValueError(_NO_WEIGHTS)
    if unknown:
        raise TypeError(f"fit() got an unexpected keyword argument {next(iter(unknown))!r}")
