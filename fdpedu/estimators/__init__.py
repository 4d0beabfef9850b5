"""Chapter 8, second page. A private tree for those who know scikit-learn.

:class:`FederatedTreeClassifier` is :func:`fdpedu.trees.fit_federated_tree` with the conventions of scikit-learn:
parameters, ``fit``, ``predict``, ``clone``, pipelines. It needs scikit-learn (``pip install 'fdpedu[data]'``), and is
loaded when it is first asked for. :func:`search_cost` says what a search over its parameters will cost.
:func:`noisy_score` pays for the score of a tree on private rows, and needs no more
than a private tree does.

What the conventions cannot change: ranges, categories and classes are public and come from a ``domain``, never from the
rows; a release costs ε each time, so a second ``fit`` costs again; and a score on private rows is a release like any
other.

Guarantee: that of the tree, and of the score: ε-DP for adding or removing one record, against an outsider and
``tolerate`` colluders; integers.

Claims: lem-predict-free
"""

from typing import TYPE_CHECKING, Any

from fdpedu.estimators.scoring import NoisyScore, noisy_score

if TYPE_CHECKING:
    from fdpedu.estimators.classifier import (
        ClassWithoutRowsWarning,
        FederatedTreeClassifier,
        FittedAgainWarning,
        SharedBudgetWarning,
    )
    from fdpedu.estimators.search import SearchCost, search_cost

__all__ = [
    "ClassWithoutRowsWarning",
    "FederatedTreeClassifier",
    "FittedAgainWarning",
    "NoisyScore",
    "SearchCost",
    "SharedBudgetWarning",
    "noisy_score",
    "search_cost",
]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        from fdpedu.estimators import classifier, search
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] != "sklearn":
            raise
        needed = f"{name} needs scikit-learn, which a plain installation leaves out: pip install 'fdpedu[data]'"
        raise ModuleNotFoundError(needed, name="sklearn") from None
    return getattr(search if name in ("SearchCost", "search_cost") else classifier, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
