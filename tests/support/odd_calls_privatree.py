"""Valid calls of what chapter 13 offers, and of the questions and data below them, for `odd_calls.py`."""

import numpy as np

from fdpedu.accounting import Ledger
from fdpedu.domain import Domain, Numeric
from fdpedu.estimators import PrivaTreeClassifier
from fdpedu.federation import Party
from fdpedu.randomness import ZeroWords

AGES = Domain([Numeric.grid("age", 0, 4, bins=4), Numeric.grid("dose", 0, 2, bins=2)], ("well", "ill"))
X, Y = [[0.5, 0.5], [3.5, 1.5]], ["well", "ill"]


def privatree(fresh):
    """The calls; ``fresh`` makes anew what a call uses up."""
    owner = Party(X, AGES, labels=Y)
    printed = {
        **{"epsilon": 1, "numeric": 2, "categorical": 1, "rows": 50, "classes": 2, "max_depth": 2},
        **{"max_error": "1/100", "stop": "depth", "quantiles": "joint", "size": "raw"},
    }
    rule = {"epsilon": 1, "classes": 2, "max_depth": 2, "max_error": "1/100"}
    shape = {
        **{"max_depth": 2, "epsilon": "1/2", "splits": "histograms", "score": "gini", "edges": "joint", "edge_bins": 2},
        **{"leaves": "labels", "leaf_share": "1/4", "nominal_size": 9},
    }
    return {
        "federation.LeafLabel": {"region": AGES.everything, "cost": "1/2"},
        "federation.JointEdges": {"region": AGES.everything, "cost": "1/2", "feature": 0, "bins": 2},
        "datasets.zeros_and_ones": {"rng": np.random.default_rng(0), "train": 3, "test": 2},
        "datasets.zeros_and_ones_domain": {"bins": 4},
        "trees.PrivaTree": {
            **{"splits": "choice", "score": "gini", "edges": "joint", "edge_bins": 3, "leaves": "counts"},
            **{"lattice": 4, "prune": False},
        },
        "trees.fit_privatree": {
            **{"party": owner, "ledger": fresh(lambda: Ledger(1)), **shape, "progress": None, "rng": ZeroWords()},
        },
        "sources.vos.fit_privatree_as_printed": {
            **{"X": X, "y": Y, "domain": AGES, "epsilon": 1, "max_depth": 2, "max_error": "1/100", "edge_bins": 2},
            **{"quantiles": "joint", "stop": "raw", "rng": ZeroWords()},
        },
        "trees.leaf_share_by_rule": {**rule, "nominal_size": 50},
        "sources.vos.equation_4_as_printed": {"k": 1, "epsilon": 1},
        "sources.vos.printed_price": printed,
        "sources.vos.printed_shares": {**rule, "rows": 50, "quantiles": "joint"},
        "sources.vos.epsilon_at_most": printed,
        "estimators.PrivaTreeClassifier": {
            **{"domain": AGES, "epsilon": 1, "budget": None, "max_depth": 2, "splits": "choice", "split_score": "gini"},
            **{"edges": "public", "edge_bins": 3, "leaves": "counts", "leaf_share": "1/4", "nominal_size": 9},
            **{"rng": None},
        },
    }


def privatree_methods(fresh):
    """Methods of the estimator."""

    def model():
        return PrivaTreeClassifier(AGES, max_depth=1, rng=ZeroWords())

    fitted = model().fit(X, Y)
    name, rows = "estimators.PrivaTreeClassifier", {"X": X, "y": Y}
    return {
        f"{name}.fit": {"self": fresh(model), **rows, "parties": None},
        f"{name}.predict": {"self": fitted, "X": X},
        f"{name}.score": {"self": fitted, **rows, "sample_weight": None},
        f"{name}.noisy_score": {"self": fitted, **rows, "epsilon": 1, "parties": None},
    }
