"""Valid calls of what chapter 9 computes of rows and counts, for the odd values of `tests/support/odd_calls.py`."""

from fdpedu.domain import Domain, Numeric
from fdpedu.randomness import ZeroWords

AGES = Domain([Numeric.grid("age", 0, 2, bins=2)], ("well", "ill"))
TABLE = [[2, 1], [0, 2]]
ROWS = {"codes": [[0, 1], [1, 0]], "labels": [0, 1], "sizes": [2, 2]}
PUBLIC = {"n_classes": 2, "score": "gini", "lattice": 2}
BOUNDS = {
    "bounds.LossScore": {"losses": [[0, 1], [1, 0]]},
    "bounds.block_pmf": {**ROWS, "alpha": "1/2", **PUBLIC},
    "bounds.bound_with_fields_gini": {"table": TABLE},
    "bounds.bound_with_least_rows": {"table": TABLE, "least": 2, "none": "node"},
    "bounds.entropy_increment": {"n": 3},
    "bounds.half_gini_score": {"counts": [1, "1/2"]},
    "bounds.impurity_gap": {"tables": [TABLE, TABLE], "left": [0], "ordered": True},
    "bounds.impurity_lower_bound": {"tables": [TABLE, TABLE], "ordered": True},
    "bounds.joint_sensitivity": {"n_features": 3, "norm": "l1"},
    "bounds.largest_increment": {"n": 3},
    "bounds.lattice_bound": {"table": TABLE, "lattice": 10, "ordered": False},
    "bounds.least_score": {"table": TABLE, "score": max},
    "bounds.local_bound": {"table": TABLE, "ordered": True},
    "bounds.local_bounds_of_rows": {"X": [[0.0], [1.0]], "y": [0, 1], "n_classes": 2},
    "bounds.power_score": {"counts": [1, 2], "k": "3/2"},
    "bounds.private_block": {**ROWS, "epsilon": 1, "rng": ZeroWords(), **PUBLIC, "alpha": None},
    "bounds.private_split": {
        **ROWS,
        "epsilon": 1,
        "rng": ZeroWords(),
        **PUBLIC,
        "mechanism": "exponential",
        "alpha": None,
    },
    "bounds.pruning_probability": {"gap": 2, "epsilon_bounds": 1, "n_features": 2, "lattice": 3},
    "bounds.search_near_one": {"goal": "1/2", "bins": 2, "classes": 2},
    "bounds.split_pmf": {**ROWS, "epsilon": None, **PUBLIC, "mechanism": "permute-and-flip", "alpha": "1/2"},
    "cart.local_best_impurities": {"X": [[0.0], [1.0]], "y": [0, 1], "n_classes": 2},
    "cart.local_best_impurity": {"table": TABLE, "ordered": True},
    "cart.local_impurity_steps": {"table": TABLE, "domain": AGES, "lattice": 4},
}
