"""Valid calls of what the module histograms offers on bins and impurity, for `tests/support/odd_calls.py`."""

from fdpedu.randomness import Rehearsal
from fdpedu.secure_sum import pairwise_keys

COUNTS = [[3, 1], [0, 2]]
EDGES = {"value": 1, "edges": [0, 1, 2]}


def impurity(fresh):
    """The calls; ``fresh`` makes an argument anew for every call."""
    runs = {"histograms": [COUNTS], "epsilon": 1, "runs": 2, "rng": fresh(lambda: Rehearsal(0))}
    return {
        "sources.gubler.bin_as_printed": EDGES,
        "histograms.bin_of": EDGES,
        "sources.gubler.choice_as_printed": {"histograms": [COUNTS]},
        "histograms.clipping_bias": {"count": 1, "epsilon": 1},
        "sources.gubler.impurity_as_printed": {"counts": COUNTS},
        "histograms.impurity_from_counts": {"counts": COUNTS},
        "histograms.membership_test": {"n_features": 3, "votes": 2, "epsilon": 1},
        "sources.gubler.negative_choices": runs,
        "histograms.one_hot_histograms": {"counts": COUNTS},
        "histograms.probability_of_best_split": runs,
        "histograms.step_table": {"n": 100, "bins": 5, "step": "2/5", "below": "4/5", "above": "1/5"},
        "histograms.summed_impurity": {"left": COUNTS, "right": COUNTS, "keys": fresh(lambda: pairwise_keys(2))},
    }
