"""Valid calls of what the module dlpa offers, for the odd values of `tests/support/odd_calls.py`."""

from fdpedu.randomness import ZeroWords

RATED = {"epsilon": 1, "rng": ZeroWords()}
DLPA = {
    "dlpa.discrete_gaussian_shares": {"n_parties": 2, "variance": 8, "size": 2, "rng": ZeroWords(), "tolerate": 1},
    "dlpa.noise_map": {"epsilon": 1, "deltas": ["1/100"], "releases": [1, 9], "n_shares": 2},
    "dlpa.noise_needed": {"epsilon": 1, "delta": "1/100", "releases": 3, "n_shares": 2},
    "dlpa.skellam_loss": {"variance": 5, "sensitivity": 1, "step": "1/16"},
    "dlpa.skellam_shares": {"n_parties": 3, "variance": 5, "size": 2, "rng": ZeroWords(), "tolerate": 1},
    "dlpa.count_noise_shares": {"n_parties": 3, "tolerate": 1},
    "dlpa.insider_epsilon": {
        **{"epsilon": 1, "n_parties": 3, "colluders": 1, "noise": "gamma", "tolerate": 0, "sensitivity": 1},
        **{"lattice": 2},
    },
    "dlpa.LevelCost": {"epsilon": "1/2", "releases": 3, "shared": True},
    "dlpa.tree_guarantee": {
        **{"epsilon": 1, "n_features": 3, "max_depth": 2, "n_parties": 3, "colluders": 1, "leaf_share": "1/2"},
        **{"tolerate": 0, "unspent_to_leaf": False, "noise": "polya", "delta": "1/10"},
    },
    "dlpa.gamma_shares": {"n_parties": 3, "scale": 1, "size": 2, "rng": ZeroWords(), "tolerate": 1},
    "dlpa.lattice_sensitivity": {"sensitivity": 1, "lattice": 3},
    "dlpa.on_lattice": {"values": [1, "1/2"], "lattice": 3},
    "dlpa.underflow_probability": {"n_parties": 3, "tolerate": 1},
    "dlpa.zero_cells_test": {
        **{"epsilon": 1, "n_parties": 3, "silent": 1, "cells": 2, "tolerate": 1, "level": "1/4"},
    },
    "dlpa.polya_shares": {"n_parties": 3, "size": 2, "sensitivity": 1, "tolerate": 1, **RATED},
    "dlpa.gaussian_noise": {"rho": "1/100", "l2_squared": 8, "cells": 8, "n_shares": 3},
    "dlpa.gaussian_reach": {"share": "667/5", "n_parties": 4, "miss": "1/1000"},
    "dlpa.sub_gaussian_reach": {"variance": "667/5", "miss": "1/1000"},
    "dlpa.gaussian_sum_delta": {"epsilon": 1, "n_shares": 2, "variance": 8},
    "dlpa.gaussian_sum_distance": {"n_shares": 2, "variance": 8},
    "dlpa.skellam_delta": {"epsilon": 1, "variance": 5, "sensitivity": 1},
    "dlpa.skellam_pmf": {"k": 1, "variance": 5},
    "dlpa.skellam_rdp": {"order": 2, "variance": 5, "sensitivity": 1, "times": 2},
    "dlpa.rounded_sum_loss": {"k": 0, "values": [0, 1], "neighbour": [1, 1], "epsilon": 1},
    "dlpa.rounded_sum_pmf": {"k": 0, "values": [0, 1], "epsilon": 1},
    "dlpa.insider_delta": {
        **{"epsilon": 1, "n_parties": 3, "colluders": 1, "epsilon_prime": 1},
    },
}
