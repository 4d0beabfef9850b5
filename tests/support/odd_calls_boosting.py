"""Valid calls of what the module boosting offers, of queries that carry scores, and of the estimator of both."""

from benchmarks.pooled import simulate_boosting
from fdpedu.accounting import Ledger
from fdpedu.domain import Domain, Numeric
from fdpedu.estimators import FederatedBoostingClassifier, FederatedBoostingRegressor
from fdpedu.federation import Model, Party
from fdpedu.gradients import AdditiveModel, TreeShapes, VectorModel
from fdpedu.randomness import Rehearsal, ZeroWords
from fdpedu.sources.maddock import Choices

SMALL = {"form": "trees", "nominal_size": 5, "rounds": 2, "trees_per_round": 1, "max_depth": 1}
TOSSING = {  # what tosses public coins, between rounds, from the source that it is given
    "boosting.fit_federated_boosting",
    "estimators.FederatedBoostingClassifier.fit",
    "estimators.FederatedBoostingRegressor.fit",
    "structures.fit_private_structures",
}


def grown(domain, rows):
    """An ensemble of the form ``"curves"``, to be asked and saved."""
    party = Party(rows, domain)
    return simulate_boosting(party, Ledger(4, delta=1e-6).total, rng=Rehearsal(1), **{**SMALL, "form": "curves"})


def boosting(fresh, federation, domain, rows, ensemble):
    """The calls; ``fresh`` makes an argument anew for every call."""
    X, y = [row[:-1] for row in rows], [row[-1] for row in rows]
    scored = {"region": domain.everything, "cost": "1/2", "steps": 64, "model": AdditiveModel()}
    estimator = {"domain": domain, "epsilon": 1, "delta": None, "n_parties": 2, "tolerate": 1, "budget": None}

    def model():
        return FederatedBoostingClassifier(**estimator, **SMALL, rng=ZeroWords())

    target = Domain(domain.features, target=Numeric.grid("stay", 0, 16, bins=4))
    numbers = [float(k % 16) for k in range(2 * len(X))]

    def regressor():
        return FederatedBoostingRegressor(**{**estimator, "domain": target}, **SMALL, rng=ZeroWords())

    fitted, of_numbers = model().fit(X * 2, y * 2), {"self": regressor().fit(X * 2, numbers), "X": X * 2}
    labelled, sites = {"self": fitted, "X": X * 2, "y": y * 2}, ["north", "south"] * len(rows)
    name, second = "estimators.FederatedBoostingClassifier", "estimators.FederatedBoostingRegressor"
    return {
        "federation.GroupCounts": {"region": domain.everything, "cost": "1/2", "groups": 2},
        "federation.GradientSums": {**scored, "clip": 32, "first": 256, "second": 3, "trees": TreeShapes((((0, 1),),))},
        "federation.InterceptSums": scored,
        "federation.ConfusionCounts": {"region": domain.everything, "cost": "1/2", "model": Model(((0,),))},
        "federation.PullVectors": {**scored, "model": VectorModel((), (0, 0)), "trees": TreeShapes((((0, 1),),))},
        "federation.TargetCounts": {"region": domain.everything, "cost": "1/2", "groups": 2},
        "federation.ResidualSums": {**scored, "spread": 3, "trees": TreeShapes((((0, 1),),))},
        "federation.SquareSums": {"region": domain.everything, "cost": "1/2", "spread": 3, "model": AdditiveModel()},
        "boosting.rules_for": {"budget": 1, "n_features": 2, **SMALL},
        "boosting.boosting_guarantee": {
            **{"epsilon": 1, "delta": None, "n_features": 2, "n_parties": 3, "colluders": 1, "tolerate": 1, **SMALL},
        },
        "boosting.fit_federated_boosting": {
            **{"federation": fresh(federation), **SMALL, "epsilon": "1/1000", "progress": None},
            "threshold": "counted",
            "rng": fresh(lambda: Rehearsal(0)),
        },
        "sources.maddock.Choices": {
            **{"trees": 2, "depth": 1, "splits": "histogram", "weights": "newton", "candidates": "uniform"},
            **{"n_candidates": 4, "moves": 5, "features": None, "turns": "random", "batch": 1},
            **{"regularisation": 1, "gamma": 0, "learning_rate": 1},
        },
        "sources.maddock.fit_framework": {
            **{"codes": [[0, 1], [3, 0]], "labels": [0, 1], "domain": domain, "choices": Choices(trees=1, depth=1)},
            **{"paid": "mended", "epsilon": 1, "delta": 1e-6, "rng": ZeroWords(), "coins": ZeroWords()},
        },
        "sources.maddock.framework_table": {
            **{"draw": lambda rng: (X * 9, y * 9, X, y), "domain": domain, "epsilon": 1, "delta": 1e-6, "seeds": [0]},
            "rows": {"one": Choices(trees=1, depth=1)},
        },
        "sources.maddock.counted": {"choices": Choices(trees=1, depth=1), "domain": domain},
        "sources.maddock.framework_rows": {"trees": 2, "depth": 1, "regularisation": 1},
        "sources.maddock.hessian_is_free": {"kappa": "3.33"},
        "sources.maddock.largest_pair": {"kappa": "3.33"},
        "sources.maddock.largest_integer_pair": {"steps": 64, "kappa": 1},
        "sources.maddock.pair_norm_squared": {"p": "1/2", "kappa": 1},
        "sources.maddock.poisson_rdp2": {"q": "1/10", "sigma": 5, "queries": 90, "once": True},
        name: {**estimator, **SMALL, "threshold": "counted", "rng": None},
        second: {**estimator, **SMALL, "domain": target, "rng": None},
    }, {
        "boosting.Ensemble.predict": {"self": ensemble, "X": X, "threshold": 1},
        "boosting.Ensemble.predict_proba": {"self": ensemble, "X": X},
        "boosting.Ensemble.decision_function": {"self": ensemble, "X": X},
        "boosting.Ensemble.staged": {"self": ensemble, "X": X},
        "boosting.Ensemble.score": {"self": ensemble, "X": X, "y": y},
        "boosting.Ensemble.from_json": {"text": ensemble.to_json()},
        "boosting.Ensemble.load": {"path": "ensemble.json"},
        "boosting.Ensemble.save": {"self": ensemble, "path": "saved.json"},
        f"{name}.fit": {"self": fresh(model), "X": X * 2, "y": y * 2, "parties": sites},
        f"{name}.predict": {"self": fitted, "X": X},
        f"{name}.predict_proba": {"self": fitted, "X": X},
        f"{name}.decision_function": {"self": fitted, "X": X},
        f"{name}.score": {**labelled, "sample_weight": None},
        f"{name}.noisy_score": {**labelled, "epsilon": 1, "parties": sites},
        f"{second}.fit": {"self": fresh(regressor), "X": X * 2, "y": numbers, "parties": sites},
        f"{second}.predict": of_numbers,
        f"{second}.score": {**of_numbers, "y": numbers, "sample_weight": None},
        f"{second}.noisy_score": {**of_numbers, "y": numbers, "epsilon": 1, "parties": sites},
    }
