"""What the estimators share: scikit-learn's conventions around a fit that is paid for, and around its score."""

# Longer than 400 lines because all estimators share one order: read, make parties, pay, fit, score.

from __future__ import annotations

import os
import warnings
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from inspect import signature
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from fdpedu.accounting import BudgetExceeded, Cost, Ledger
from fdpedu.accounting.budget import cost_asked
from fdpedu.accounting.turns import taking_turns
from fdpedu.boosting import Ensemble
from fdpedu.cart.tree import class_array
from fdpedu.domain import BY_VOTES, Domain, require_classes
from fdpedu.domain.tables import Named, Table, as_table
from fdpedu.estimators.fit_score import NoisyFit
from fdpedu.estimators.scoring import NoisyScore, noisy_score
from fdpedu.estimators.tables import (
    are_parties,
    checked_table,
    declares_gaps,
    given_rows,
    made_parties,
    one_column,
    read_domain,
)
from fdpedu.exact import as_floats, as_fraction, as_positive_fraction, require_type, shown
from fdpedu.exact.foreign import require_one_order
from fdpedu.federation import Curator, Federation, Party
from fdpedu.files import PROGRAM
from fdpedu.trees import Tree

_NO_WEIGHTS = (
    "{} takes no sample_weight: a row that counts w times changes a count by w, so the noise would have to grow with "
    "the largest weight. Leave it out"
)


class FittedAgainWarning(UserWarning):
    """An estimator without a budget, or copies of one, were fitted again: what they cost adds up, in no ledger."""


class SharedBudgetWarning(UserWarning):
    """A copy of an estimator is fitted, as a search does many times, and each fit is charged to one budget."""


class ClassWithoutRowsWarning(UserWarning):
    """A class of the public domain occurs in no row: the tree knows it, and what learns classes from rows does not."""


class PrivateModel(BaseEstimator, ABC):  # type: ignore[misc]
    """An estimator whose fit releases one model, paid for; the rows of ``fit`` are private, the ``domain`` is public.

    A subclass has parameters, among them ``domain``, ``epsilon``, ``budget`` and ``rng``, and maybe ``delta``. It says
    who holds the rows (``_members``), how its model is grown (``_grown``), for which domains it is (``_require_fit``),
    what the model is called, and under which name it is kept.
    """

    domain: Any
    epsilon: Any
    delta: Any = None
    budget: Any
    rng: Any
    _kept: ClassVar[str]
    _called: ClassVar[str]
    _of_target: ClassVar[bool] = False

    @abstractmethod
    def _members(self, X: Any, y: Any, parties: Any, domain: Domain) -> list[Party]:
        """Those who hold the rows; refuses what cannot be read."""

    @abstractmethod
    def _grown(self, members: Sequence[Party], domain: Domain, ledger: Ledger) -> Tree | Ensemble:
        """Charge, ask and grow."""

    @abstractmethod
    def _require_fit(self, domain: Domain) -> None:
        """Refuse a domain that the model is not for, before anything is read or charged."""

    def _warn_of_absent(self, domain: Domain, y: Any) -> None:
        """Tell whoever holds all rows what has none, where that matters, before anything is charged."""

    @abstractmethod
    def _scored(self, members: Sequence[Party], epsilon: Any, own: dict[str, Any]) -> NoisyScore | NoisyFit:
        """The score of the model on the rows of these, with further options of :func:`noisy_score`."""

    @property
    def _released(self) -> Any:
        """The model of the last fit; scikit-learn's ``NotFittedError`` if there is none."""
        check_is_fitted(self, self._kept)
        return getattr(self, self._kept)

    def __getstate__(self) -> dict[str, Any]:
        return {"_pickled_by": PROGRAM, **super().__getstate__()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """What another version has pickled has the defaults of parameters that it did not know; a pickle is no file."""
        found = {"_pickled_by": "an early fdpedu (0.1.0)", **state}  # which did not say it
        new = {name: p.default for name, p in signature(type(self)).parameters.items() if name not in state}
        super().__setstate__({**new, **found})

    def _require_of_this_version(self) -> None:
        """Refuse a model that another version has pickled where something is charged for it."""
        if (other := self.__dict__.get("_pickled_by", PROGRAM)) != PROGRAM:
            raise ValueError(
                f"this {type(self).__name__} was pickled by {other}, and this is {PROGRAM}: nothing is charged. Load "
                f"it there, save its {self._kept} by save(path), and score what is loaded from that file"
            )

    def __sklearn_clone__(self) -> Self:
        """A copy with the same parameters, which knows that it is one."""
        copy: Self = super().__sklearn_clone__()
        copy._is_copy, copy._fits_of_copies = True, self.__dict__.setdefault("_fits_of_copies", [])
        return copy

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.non_deterministic = True  # noise
        tags.input_tags.categorical = tags.input_tags.string = True
        tags.input_tags.allow_nan = declares_gaps(self.domain)
        return tags

    def fit(self, X: Any = None, y: Any = None, parties: Any = None, **refused: Any) -> Self:
        """Grow the model; it costs ``epsilon``, each time.

        All that can be wrong with rows and parameters is refused before any budget is spent.

        Parameters
        ----------
        X : one table of any kind, with the columns of the domain; by name if it has names, else in the domain's order
        y : the class of each row, or its number
        parties : whose row it is: the name of a site for each row; these names become public, and unless the parameter
            ``sites`` fixes them beforehand, ε holds given their set. Or, without ``X`` and ``y``, a list of
            :class:`~fdpedu.federation.Party`, one for each site, each with its own rows: then no table ever holds those
            of two. If left out, each row of ``X`` is dealt to one of ``n_parties`` by its own draw. Where one owner has
            all rows, ``parties`` are left out, or a list of that owner alone. A name must be a function of the row
            alone, and not of other rows (as its number modulo 5 would be): then ε holds for a row
        **refused : ``sample_weight`` is refused with its reason, everything else as unknown

        Returns
        -------
        Self
            The estimator itself.

        Raises
        ------
        ValueError
            For a missing domain, labels and categories that it does not have, missing values that it does not declare,
            other columns; by row and column, never by value.
        BudgetExceeded
            If the budget has less left than ``epsilon``; then nothing is released.
        """
        _refuse(refused, type(self).__name__)
        y = one_column(y)
        X = given_rows(X, y, parties, type(self).__name__)
        domain = parties[0].domain if self.domain is None and are_parties(parties) else self._domain(X)
        self._require_fit(domain)
        members = self._members(X, y, parties, domain)
        if self.budget is None and hasattr(self, self._kept):
            warnings.warn(
                f"this {type(self).__name__} is fitted again, with a ledger of its own: if rows are in both fits, the "
                f"two {self._called}s cost the sum of both ε. Give budget=, a Ledger or the path of a budget file, to "
                "have it added up",
                FittedAgainWarning,
                stacklevel=2,
            )
        if X is not None:
            self._warn_of_absent(domain, y)
        with self._ledger(domain) as ledger, taking_turns(ledger):
            self._tell_copies(ledger)
            with self._counted():
                model = self._grown(members, domain, ledger)
        return self._fitted(model, len(members), named=X is not None and isinstance(as_table(X, "X"), Named))

    def _tell_copies(self, ledger: Ledger) -> None:
        """Say of a fit of a copy what it is charged to, and how many such fits that pays for; nobody tells of others.

        A search and a cross-validation fit copies, and tell them nothing of each other.
        """
        if not getattr(self, "_is_copy", False):
            return
        if self.budget is None:
            if self._fits_of_copies:
                warnings.warn(
                    f"copies of one {type(self).__name__} have been fitted {len(self._fits_of_copies)} times before, "
                    "each with a ledger of its own: for a row that is in all of them, what they cost adds up. Give "
                    "budget=, a Ledger or the path of a budget file, to have it added up",
                    FittedAgainWarning,
                    stacklevel=3,
                )
            return
        epsilon = "all that is left" if self.epsilon is None else f"ε = {shown(as_fraction(self.epsilon))}"
        epsilon += "" if self.delta is None else f", δ = {shown(as_fraction(self.delta))}"
        cost, left = self._cost(ledger), ledger.left()
        times = "" if cost is None else f", which it can pay {left.value // cost.value} times more"
        warnings.warn(
            f"each fit of a copy is charged to the budget {self.budget}: {epsilon}{times}. A search makes one for each "
            "setting and fold; search_cost(search, X, y) says beforehand what they cost together",
            SharedBudgetWarning,
            stacklevel=3,
        )

    @contextmanager
    def _counted(self) -> Iterator[None]:
        """Note a fit of a copy; where the budget cannot pay for another, say how many it has paid for."""
        fits = self.__dict__.get("_fits_of_copies", [])
        try:
            yield
        except BudgetExceeded as refused:
            if fits and getattr(self, "_is_copy", False):
                refused.args = (
                    f"{refused}. {len(fits)} fits of copies were paid for before, and stay paid: of a search that does "
                    "not come to its end nothing is delivered. search_cost(search, X, y) says beforehand what it costs",
                )
            raise
        if getattr(self, "_is_copy", False):
            fits.append(1)

    def _domain(self, X: Any) -> Domain:
        return read_domain(self.domain, X, type(self).__name__, of_target=self._of_target)

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
        return cost_asked(ledger.total, self.epsilon, self.delta, ledger.left())

    def _fitted(self, model: Tree | Ensemble, n_parties: int, named: bool) -> Self:
        setattr(self, self._kept, model)
        self.__dict__.pop("_pickled_by", None)  # the model is this version's
        self.derivation_, self.domain_ = model.derivation, model.domain
        self.n_parties_, self.n_features_in_ = n_parties, model.domain.n_features
        if named:
            self.feature_names_in_ = np.array([feature.name for feature in model.domain.features], dtype=object)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """The class or the number of each row, shape (n,): a function of model and row, so it costs nothing.

        Parameters
        ----------
        X : a table with the columns of ``fit``, by name if it has names, in any order; categories that the domain does
            not have are refused
        """
        table = self._checked(X)
        found: NDArray[Any] = self._released.predict(table)
        return found

    def _checked(self, X: Any) -> Table:
        """The table, if there is a model and it has the form of one for it."""
        check_is_fitted(self, self._kept)
        return checked_table(X, self.domain_, type(self).__name__)

    def noisy_score(
        self,
        X: Any = None,
        y: Any = None,
        epsilon: Any = None,
        parties: Any = None,
        delta: Any = None,
        confusion: bool = False,
    ) -> NoisyScore | NoisyFit:
        """How many predictions are right, or how far they are off, as noisy numbers that cost ``epsilon``.

        It is charged to ``budget``, too. Of classes these are counts, of a target sums of squares, which give R².
        Without a budget the score has a ledger of its own, and what it costs adds to what the model has cost, for all
        who have rows in both.

        Claims: lem-noisy-score, lem-squares

        Parameters
        ----------
        X, y : as in :meth:`fit`
        epsilon : what the numbers cost; needed, as nothing is spent unasked
        parties : as in :meth:`fit`
        delta : δ, with which they are paid in ρ; needed if the budget is one of ρ
        confusion : of classes, whether wrong predictions are told apart by their true class, at the same cost
        """
        check_is_fitted(self, self._kept)
        self._require_of_this_version()
        y = one_column(y)
        X = given_rows(X, y, parties, type(self).__name__)
        members = self._members(X, y, parties, self.domain_)
        with nullcontext() if self.budget is None else self._ledger(self.domain_) as ledger:
            return self._scored(members, epsilon, {"delta": delta, "budget": ledger, "confusion": confusion})


class PrivateClassifier(ClassifierMixin, PrivateModel):  # type: ignore[misc]
    """A classifier whose fit releases one model, paid for."""

    def _require_fit(self, domain: Domain) -> None:
        require_classes(domain, type(self).__name__, BY_VOTES)

    def _warn_of_absent(self, domain: Domain, y: Any) -> None:
        """What has no row is told to whoever holds all rows, and before anything is charged."""
        absent = sorted(set(range(domain.n_classes)).difference(domain.encode_labels(y, "y").tolist()))
        if absent:
            names = ", ".join(repr(domain.classes[k]) for k in absent)
            warnings.warn(
                f"no row of y is of class {names}, which the domain has. The {self._called} will know it: classes_ and "
                "the columns of predict_proba are the domain's. What takes its classes from y (CalibratedClassifierCV, "
                "VotingClassifier, a scorer of probabilities without labels=) will fail on them after the fit is paid",
                ClassWithoutRowsWarning,
                stacklevel=3,
            )

    def _fitted(self, model: Tree | Ensemble, n_parties: int, named: bool) -> Self:
        self.classes_ = class_array(model.classes)[sorted_classes(model.classes)]
        return super()._fitted(model, n_parties, named)

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """A share for each class, shape (n, C): a function of the model and of the row, so it costs nothing.

        Of a tree these are the shares in the row's leaf, as released; of an ensemble 1/(1 + e^{−score}) for the second
        class of the domain, which is a convention. The columns are in the order of ``classes_``.

        Parameters
        ----------
        X : as in :meth:`predict`
        """
        table = self._checked(X)
        found: NDArray[np.float64] = self._released.predict_proba(table)[:, sorted_classes(self._released.classes)]
        return found

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The share of rows whose predicted class is theirs: exact, so for public rows, or for your own eyes.

        On private rows it is an exact function of them, and no ε covers it: one row more makes another number. What may
        be shown to others is :meth:`noisy_score`.

        Parameters
        ----------
        X, y : rows and their classes, at least one
        sample_weight : how much each row counts; numbers of at least 0
        """
        require_one_order(X, y, "y")
        require_one_order(X, sample_weight, "sample_weight")
        table, y = self._checked(X), one_column(y)
        if sample_weight is None:
            return float(self._released.score(table, y))
        predicted = self.domain_.encode_labels(self._released.predict(table), "predictions")
        right, weights = predicted == self.domain_.encode_labels(y, "y"), as_floats(sample_weight, "sample_weight", 1)
        if len(weights) != len(right) or not (np.isfinite(weights).all() and weights.min() >= 0 and weights.any()):
            raise ValueError(f"sample_weight must be {len(right)} numbers of at least 0, and not all 0")
        return float(np.average(right, weights=weights))


class OfFederation(PrivateModel):
    """One whose model a federation grows; it has the parameters ``tolerate``, ``n_parties`` and ``sites``, too."""

    tolerate: Any
    n_parties: Any
    sites: Any

    @abstractmethod
    def _grown_by(self, asker: Federation | Curator, ledger: Ledger) -> Tree | Ensemble:
        """Charge, ask and grow."""

    def _members(self, X: Any, y: Any, parties: Any, domain: Domain) -> list[Party]:
        return made_parties(X, y, parties, domain, self.n_parties, type(self).__name__, self.rng, self.sites)

    def _grown(self, members: Sequence[Party], domain: Domain, ledger: Ledger) -> Tree | Ensemble:
        if len(members) == 1:  # there is nobody to withstand
            return self._grown_by(Curator(members[0], ledger, self.rng), ledger)
        return self._grown_by(Federation(members, domain, ledger, tolerate=self.tolerate, rng=self.rng), ledger)

    def _scored(self, members: Sequence[Party], epsilon: Any, own: dict[str, Any]) -> NoisyScore | NoisyFit:
        if len(members) == 1:
            return noisy_score(self._released, members[0], epsilon, **own, rng=self.rng)
        return noisy_score(self._released, members, epsilon, tolerate=self.tolerate, **own, rng=self.rng)


class FederatedClassifier(PrivateClassifier, OfFederation):
    """A classifier whose model a federation grows."""


def sorted_classes(classes: Sequence[Any]) -> list[int]:
    """Positions of a domain's classes in the order of scikit-learn; as they are, if numbers and texts stand together.

    >>> sorted_classes(("well", "ill")), sorted_classes(("well", 1))
    ([1, 0], [0, 1])
    """
    try:
        return sorted(range(len(classes)), key=lambda k: classes[k])
    except TypeError:
        return list(range(len(classes)))


def _refuse(unknown: dict[str, Any], who: str) -> None:
    """Weights are refused with their reason; None is what scikit-learn hands on where there are none."""
    if unknown.pop("sample_weight", None) is not None:
        raise ValueError(_NO_WEIGHTS.format(who))
    if unknown:
        raise TypeError(f"fit() got an unexpected keyword argument {next(iter(unknown))!r}")
