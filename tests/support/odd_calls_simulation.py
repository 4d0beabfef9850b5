"""Valid calls of what a simulation offers, for the odd values of `tests/support/odd_calls.py`."""

import numpy as np

from fdpedu.datasets import BENCHMARK
from fdpedu.domain import Domain, Numeric
from fdpedu.randomness import ZeroWords
from fdpedu.simulation import CodedRows, Setting

AGE = Domain([Numeric.grid("age", 0, 4, bins=4)], ("well", "ill"))
TABLES = {
    **{"codes": [[[0], [3]]], "labels": [[0, 1]], "parties": [[0, 1]], "test_codes": [[[1]]], "test_labels": [[0]]},
    "n_parties": 2,
}
TREES = {
    **{"max_depth": 1, "min_samples_split": 2, "leaf_share": "1/2", "bounds_share": "1/4", "lattice": 2},
    "tolerate": 0,
}
SIMULATION = {
    "simulation.CodedRows": {"domain": AGE, **TABLES},
    "simulation.Setting": {"data": BENCHMARK[0], "n_parties": 2, **TREES},
    "simulation.Study": {
        **{"settings": [Setting(BENCHMARK[0])], "methods": ["algorithm-6"], "epsilons": [1], "runs": 2, "seed": 1},
        "chunk": 1,
    },
    "simulation.draw_rows": {"data": BENCHMARK[0], "n_parties": 2, "seeds": [np.random.SeedSequence(1)]},
    "simulation.own_shape": {"method": "rotating", "nominal_size": 500, "epsilon": 1},
    **{
        f"simulation.{name}": {
            **{"method": "algorithm-6", "rows": CodedRows(AGE, **TABLES), "epsilon": 1, **TREES},
            "rng": ZeroWords(),
        }
        for name in ("simulate", "simulated_labels")
    },
}
