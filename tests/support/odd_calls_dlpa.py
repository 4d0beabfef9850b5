"""Valid calls of what the room dlpa offers, for the odd values of `tests/support/odd_calls.py`."""

from fdpedu.randomness import ZeroWords

RATED = {"epsilon": 1, "rng": ZeroWords()}
DLPA = {
    "dlpa.count_noise_shares": {"n_parties": 3, "tolerate": 1},
    "dlpa.insider_epsilon": {"epsilon": 1, "n_parties": 3, "colluders": 1, "tolerate": 1, "sensitivity": 1},
    "dlpa.gamma_shares": {"n_parties": 3, "scale": 1, "size": 2, "rng": ZeroWords(), "tolerate": 1},
    "dlpa.lattice_sensitivity": {"sensitivity": 1, "lattice": 3},
    "dlpa.on_lattice": {"values": [1, "1/2"], "lattice": 3},
    "dlpa.rounded_sum_loss": {"k": 0, "values": [0, 1], "neighbour": [1, 1], "epsilon": 1},
    "dlpa.rounded_sum_pmf": {"k": 0, "values": [0, 1], "epsilon": 1},
    "dlpa.underflow_probability": {"n_parties": 3, "tolerate": 1},
    "dlpa.zero_cells_test": {
        **{"epsilon": 1, "n_parties": 3, "silent": 1, "cells": 2, "tolerate": 1, "level": "1/4"},
    },
    "dlpa.polya_shares": {"n_parties": 3, "size": 2, "sensitivity": 1, "tolerate": 1, **RATED},
}
