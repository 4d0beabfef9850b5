"""Valid calls of trees with lower bounds, for the odd values of `tests/support/odd_calls.py`."""


def saving(fresh, federation):
    """Calls on a federation with enough for what Algorithm 6 costs as printed; ``fresh`` makes one for each call."""
    tree = {
        **{"federation": fresh(federation), "max_depth": 1, "min_samples_split": 2, "leaf_share": "1/2"},
        **{"bounds_share": "1/4", "lattice": 2, "epsilon": "1/1000"},
    }
    return {
        "bounds.fit_saving_tree": {**tree, "unspent_to_leaf": True},
        "sources.gubler.fit_saving_tree_as_printed": tree,
        "sources.gubler.cost_as_printed": {
            **{"epsilon": 1, "n_features": 3, "max_depth": 2, "leaf_share": "1/2", "bounds_share": "1/4"},
            **{"removed": [1, 0], "noise_for": "5/4"},
        },
    }
