"""Valid calls of what chapter 14 offers, for the odd values of `odd_calls.py`."""

from tests.support.forged_trees import CLEAN, DOMAIN, table

X, Y = table(((2, 1), (1, 2)))


class Says:
    """A model that says the same of every row."""

    def predict(self, X):
        return ["yes"] * len(X)


def poisoning():
    """The calls."""
    curve = {"level": "9/10", "epsilon": 1, "rows": 3}
    success = {"clean_rate": "1/10", "epsilon": 1, "rows": 3}
    tested = {"tree": CLEAN, "X": X, "y": Y}
    known = {**tested, "train_X": X, "train_y": Y, "rows": 2}
    return {
        "robust.poisoning_curve": {**curve, "delta": 0},
        "sources.vos.poisoning_bound_as_printed": curve,
        "robust.attack_success_bound": {**success, "delta": 0},
        "sources.vos.attack_success_bound_as_printed": success,
        "robust.certified_rows": {"level": "9/10", "epsilon": 1, "target": "3/4"},
        "robust.structured_bound": {
            **{"leaves": [(3, 1, "9/10")], "epsilon_leaf": 1, "rows": 2, "epsilon_structure": "1/2"},
        },
        "robust.certify": {**tested, "rows": 2, "target": None, "confidence": "9/10"},
        "robust.worst_case": known,
        "robust.best_attack": known,
        "robust.worst_case_curve": known,
        "robust.triggered": {"X": [[1, 2]], "trigger": {0: 3}},
        "robust.attack_success": {"model": Says(), "X": [[1, 2]], "trigger": {0: 3}, "target": "yes"},
        "robust.plant_backdoor": {
            **{"X": [[1, 2], [3, 4]], "y": ["a", "b"], "trigger": {0: 3}, "source": "a", "target": "b"},
            **{"rows": 2, "rng": None},
        },
        "sources.vos.printed_guarantees": {},
        "robust.fit_partition_ensemble": {"X": X, "y": Y, "domain": DOMAIN, "parts": 2, "max_depth": 1},
    }
