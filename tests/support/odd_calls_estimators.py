"""Valid calls of what the module estimators offers, for `tests/support/odd_calls.py`."""

from sklearn.model_selection import GridSearchCV

from fdpedu.domain import Domain, Numeric
from fdpedu.estimators import FederatedTreeClassifier, FederatedTreeRegressor
from fdpedu.federation import Party
from fdpedu.randomness import ZeroWords


def estimators(fresh, domain, rows, tree):
    """The calls; ``fresh`` makes an argument anew for every call."""
    X, y = [row[:-1] for row in rows] * 2, [row[-1] for row in rows] * 2
    sites = ["north", "south"] * len(rows)

    def model():
        # a design that tosses no public coins: these would be words that are drawn outside of a round
        return FederatedTreeClassifier(domain, n_parties=2, design="default", rng=ZeroWords())

    def parties():
        return [Party(rows, domain), Party([], domain)]

    shape = {"max_depth": 1, "min_samples_split": 2, "leaf_share": "1/2", "tolerate": 1, "design": "default"}
    shape["nominal_size"] = None
    fitted = model().fit(X, y)
    labelled = {"self": fitted, "X": X, "y": y}
    target = Domain(domain.features, target=Numeric.grid("stay", 0, 16, bins=4))
    numbers = [float(k % 16) for k in range(len(X))]

    def regressor():
        return FederatedTreeRegressor(target, max_depth=1, n_parties=2, rng=ZeroWords())

    of_numbers = {"self": regressor().fit(X, numbers), "X": X}
    return {
        "estimators.search_cost": {"search": GridSearchCV(model(), {"max_depth": [1]}), "X": X, "y": y, "groups": None},
        "estimators.noisy_score": {
            **{
                "tree": tree,
                "parties": fresh(parties),
                "epsilon": 1,
                "tolerate": 1,
                "budget": None,
                "rng": ZeroWords(),
            },
            "confusion": False,
        },
        "estimators.FederatedTreeClassifier": {
            **{"domain": domain, "epsilon": 1, **shape, "n_parties": 2, "budget": None, "rng": None}
        },
        "estimators.FederatedTreeRegressor": {
            **{"domain": target, "epsilon": 1, "max_depth": 1, "leaf_share": "1/2", "tolerate": 1, "n_parties": 2},
            **{"budget": None, "rng": None},
        },
    }, {
        "estimators.FederatedTreeRegressor.fit": {"self": fresh(regressor), "X": X, "y": numbers, "parties": sites},
        "estimators.FederatedTreeRegressor.predict": of_numbers,
        "estimators.FederatedTreeRegressor.score": {**of_numbers, "y": numbers, "sample_weight": None},
        "estimators.FederatedTreeClassifier.fit": {"self": fresh(model), "X": X, "y": y, "parties": sites},
        "trees.Tree.to_sklearn_text": {"self": tree, "decimals": 2, "show_weights": True},
        "estimators.FederatedTreeClassifier.predict": {"self": fitted, "X": X},
        "estimators.FederatedTreeClassifier.predict_proba": {"self": fitted, "X": X},
        "estimators.FederatedTreeClassifier.score": {**labelled, "sample_weight": None},
        "estimators.FederatedTreeClassifier.noisy_score": {
            **labelled,
            "epsilon": 1,
            "parties": sites,
            "confusion": True,
        },
    }
