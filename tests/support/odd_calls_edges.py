"""Valid calls of what the module histograms offers on bin edges, for `tests/support/odd_calls.py`."""

from fdpedu.randomness import ZeroWords


def edges(fresh, federation, domain, tree):
    """The calls; ``fresh`` makes an argument anew for every call."""
    fine = {"counts": [3, 0, 2], "edges": [0, 1, 2, 3], "bins": 2}
    return {
        "histograms.combined_derivation": {"first": tree.derivation, "second": tree.derivation},
        "histograms.joint_sensitivity": {"bins": 2},
        "histograms.joint_utility": {"counts": [3, 0, 2], "places": [1]},
        "histograms.prefix_error": {"epsilon": 1, "cells": 4, "failure": "1/2", "n_parties": 3, "tolerate": 1},
        "histograms.private_quantile_domain": {"federation": fresh(federation), "epsilon": "1/1000", "bins": 2},
        "histograms.quantile_domain": {"counts": [[1, 2]] * domain.n_codes, "domain": domain, "bins": 2},
        "histograms.quantile_edges": fine,
        "histograms.trusted_joint_quantiles": {**fine, "epsilon": 1, "rng": ZeroWords()},
        "histograms.trusted_joint_quantiles_pmf": {"counts": [3, 0, 2], "bins": 2, "epsilon": None, "alpha": "1/2"},
    }
