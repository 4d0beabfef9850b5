"""Chapter 8, second page. A private tree for those who know scikit-learn.

:class:`FederatedTreeClassifier` is :func:`fdpedu.trees.fit_federated_tree` with the conventions of scikit-learn:
parameters, ``fit``, ``predict``, ``clone``, pipelines. :class:`FederatedTreeRegressor` is the same for numbers, with
the design ``votes``; :class:`FederatedBoostingClassifier` and :class:`FederatedBoostingRegressor` are the same of
:func:`fdpedu.boosting.fit_federated_boosting`, and :class:`PrivaTreeClassifier`, for one owner of all rows, of
:func:`fdpedu.trees.fit_privatree`. They need scikit-learn (``pip install 'fdpedu[data]'``), and are loaded when they
are first asked for. :func:`search_cost` says what a search over their parameters will cost. :func:`noisy_score` pays
for the score of a tree or an ensemble on private rows, and needs no more than a private tree does.

What the conventions cannot change: ranges, categories and classes are public and come from a ``domain``, never from the
rows; a release costs ε each time, so a second ``fit`` costs again; and a score on private rows is a release like any
other.

Guarantee: that of the model, and of the score: ε-DP, or (ε, δ)-DP, for adding or removing one record, against an
outsider and ``tolerate`` colluders, or where one owner has all rows against whoever sees the model; integers.

Claims: lem-predict-free
"""

from typing import TYPE_CHECKING, Any

from fdpedu.estimators.fit_score import NoisyFit
from fdpedu.estimators.scoring import NoisyScore, noisy_score

if TYPE_CHECKING:
    from fdpedu.estimators.base import ClassWithoutRowsWarning, FittedAgainWarning, SharedBudgetWarning
    from fdpedu.estimators.boosting import FederatedBoostingClassifier, FederatedBoostingRegressor
    from fdpedu.estimators.classifier import FederatedTreeClassifier
    from fdpedu.estimators.privatree import PrivaTreeClassifier
    from fdpedu.estimators.regressor import FederatedTreeRegressor
    from fdpedu.estimators.search import SearchCost, search_cost

__all__ = [
    "ClassWithoutRowsWarning",
    "FederatedBoostingClassifier",
    "FederatedBoostingRegressor",
    "FederatedTreeClassifier",
    "FederatedTreeRegressor",
    "FittedAgainWarning",
    "NoisyFit",
    "NoisyScore",
    "PrivaTreeClassifier",
    "SearchCost",
    "SharedBudgetWarning",
    "noisy_score",
    "search_cost",
]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        from fdpedu.estimators import base, boosting, classifier, privatree, regressor, search
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] != "sklearn":
            raise
        needed = f"{name} needs scikit-learn, which a plain installation leaves out: pip install 'fdpedu[data]'"
        raise ModuleNotFoundError(needed, name="sklearn") from None
    modules = (base, boosting, classifier, privatree, regressor, search)
    return next(getattr(module, name) for module in modules if hasattr(module, name))


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
