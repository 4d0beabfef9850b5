"""What a search over parameters costs, before its first fit: scikit-learn tells an estimator nothing of the search."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from sklearn.model_selection import (
    GridSearchCV,
    ParameterGrid,
    RandomizedSearchCV,
    TunedThresholdClassifierCV,
    check_cv,
)

from fdpedu.accounting import Amount, Budget, Cost, Ledger
from fdpedu.accounting.budget_copy import looked_at
from fdpedu.accounting.cost import NOTHING, PURE, SYMBOLS, largest_of, sum_of
from fdpedu.estimators.base import PrivateModel
from fdpedu.exact import shown


@dataclass(frozen=True)
class SearchCost:
    """How many fits there will be, what they cost together, and what the budget has left; None if there is no budget.

    Examples
    --------
    >>> cost = SearchCost(11, Amount(Fraction(11, 10)), Amount(Fraction(1)))
    >>> cost.is_affordable
    False
    >>> print(cost)
    11 fits cost ε = 11/10 together; the budget has ε = 1 left, 1/10 too little
    """

    fits: int
    cost: Amount
    left: Amount | None
    measure: str = PURE

    @property
    def epsilon(self) -> Fraction:
        """What they cost together, in ε; of fits that cost ρ there is none."""
        if self.measure != PURE:
            raise ValueError(f"these fits cost ρ ({self.cost}), which is no ε: a budget is converted as a whole")
        return self.cost.value

    @property
    def is_affordable(self) -> bool:
        """Whether the budget can pay for all of it; without a budget nothing keeps the fits from being made."""
        return self.left is None or self.cost.within(self.left)

    def __str__(self) -> str:
        symbol = SYMBOLS[self.measure]
        if self.left is None:
            has = "there is no budget, so each fit has a ledger of its own, and nothing adds them up"
        else:
            lacking = (
                "ξ too little"
                if self.cost.value <= self.left.value
                else (f"{shown(self.cost.value - self.left.value)} too little")
            )
            short = "" if self.is_affordable else f", {lacking}"
            has = f"the budget has {symbol} = {shown(self.left.value)} left{short}"
        fits = f"{self.fits} fit{'s cost' if self.fits > 1 else ' costs'}"
        return f"{fits} {symbol} = {shown(self.cost.value)} together; {has}"


def search_cost(search: Any, X: Any = None, y: Any = None, groups: Any = None) -> SearchCost:
    """What ``search.fit(X, y)`` will cost: a fit for each setting and fold, and one at the end if it is fitted again.

    Nothing is fitted, nothing is charged, and a budget's file is only looked at.

    Parameters
    ----------
    search : a ``GridSearchCV``, ``RandomizedSearchCV`` or ``TunedThresholdClassifierCV`` of a
        :class:`FederatedTreeClassifier`, a :class:`FederatedTreeRegressor`, a :class:`FederatedBoostingClassifier` or a
        :class:`PrivaTreeClassifier`, or of a pipeline of one. How often a halving search fits depends on its rows
    X, y, groups : as the search will have them; needed if the number of folds depends on them

    Raises
    ------
    ValueError
        If it is another kind of search, or not known beforehand what a fit costs.

    Examples
    --------
    >>> from fdpedu.estimators import FederatedTreeClassifier
    >>> model = FederatedTreeClassifier({"features": {"age": [0, 100, 4]}, "classes": ["well", "ill"]}, epsilon="1/10")
    >>> print(search_cost(GridSearchCV(model, {"max_depth": [1, 2, 3]}, cv=5)))
    16 fits cost ε = 8/5 together; there is no budget, so each fit has a ledger of its own, and nothing adds them up
    """
    if type(search) not in (GridSearchCV, RandomizedSearchCV, TunedThresholdClassifierCV):
        raise ValueError(
            "search must be a GridSearchCV, a RandomizedSearchCV or a TunedThresholdClassifierCV, got "
            f"{type(search).__name__}"
        )
    name, model = _model_of(search.estimator)
    if isinstance(search.cv, (str, float)):  # of a threshold: a model that is fitted already, or one split
        return _of_one_split(search, _cost({}, name, model), _left(model.budget))
    costs = [_cost(setting, name, model) for setting in _settings(search, name)]
    try:
        folds = check_cv(search.cv).get_n_splits(X, y, groups)
    except Exception as error:  # of a splitter, or of what it is given
        raise ValueError(f"search has folds that cannot be counted: {error}") from None
    if len({cost.measure for cost in costs}) > 1:
        raise ValueError("search must be in one measure: some of its settings have a delta and others have none")
    again, amounts = bool(search.refit), [cost.amount for cost in costs]
    total = sum_of(amounts * folds).plus(largest_of(amounts) if again else NOTHING)
    return SearchCost(folds * len(costs) + again, total, _left(model.budget), costs[0].measure)


def _of_one_split(search: Any, cost: Cost, left: Amount | None) -> SearchCost:
    """Of a threshold that is found on one part of the rows: two fits, and none of a model that is fitted."""
    fits = 0 if search.cv == "prefit" else 2
    return SearchCost(fits, sum_of([cost.amount] * fits), left, cost.measure)


def _model_of(estimator: Any) -> tuple[str, PrivateModel]:
    """Ours in an estimator, and what its parameters' names begin with there."""
    parts = {"": estimator, **{f"{name}__": part for name, part in estimator.get_params(deep=True).items()}}
    found = [(name, part) for name, part in parts.items() if isinstance(part, PrivateModel)]
    if len(found) != 1:
        raise ValueError(
            "search must be of one FederatedTreeClassifier, FederatedTreeRegressor, FederatedBoostingClassifier or "
            f"PrivaTreeClassifier, and there are {len(found)}"
        )
    return found[0]


def _settings(search: Any, name: str) -> list[Mapping[str, Any]]:
    """The settings of a grid; those of a random search cost the same, whichever are drawn; of a threshold one."""
    if type(search) is TunedThresholdClassifierCV:
        return [{}]
    if type(search) is GridSearchCV:
        return list(ParameterGrid(search.param_grid))
    drawn = search.param_distributions
    spaces = [drawn] if isinstance(drawn, Mapping) else list(drawn)
    if any(f"{name}{of}" in space for space in spaces for of in ("epsilon", "delta", "budget")):
        raise ValueError("search must not draw epsilon, delta or budget: what it costs would not be known beforehand")
    listed = all(not hasattr(values, "rvs") for space in spaces for values in space.values())
    return [{}] * min(search.n_iter, len(ParameterGrid(drawn)) if listed else search.n_iter)


def _cost(setting: Mapping[str, Any], name: str, model: PrivateModel) -> Cost:
    if f"{name}budget" in setting:
        raise ValueError("search must not change the budget: its fits would be charged to several")
    epsilon = setting.get(f"{name}epsilon", model.epsilon)
    if epsilon is None:
        raise ValueError("epsilon must be a number in a search: with None the first fit takes all that is left")
    return Budget.of(epsilon, delta=setting.get(f"{name}delta", model.delta)).limit


def _left(budget: Any) -> Amount | None:
    if budget is None:
        return None
    if isinstance(budget, Ledger):
        return budget.left()
    if not isinstance(budget, (str, os.PathLike)):
        raise ValueError(f"budget must be a Ledger or the path of a budget file, got {type(budget).__name__}")
    with looked_at(budget) as ledger:
        return ledger.left()
