"""Valid calls of what the experiments offer, for the odd values of `tests/support/odd_calls.py`."""

import numpy as np

from fdpedu.experiments import VARIANTS, Results, mixture_of
from fdpedu.sources.gubler import CONSEQUENCES, PRINTED, Faults, Setting, draw_sample

SETTING, VARIANT = Setting(5, 20, 1, 1, "0.3"), VARIANTS["printed"]
SAMPLE = draw_sample(SETTING, PRINTED, np.random.default_rng(0))
COUNTS = {("local", None): (10, 12), ("central", None): (11, 12)}
FOUND = Results(SETTING, VARIANT, 20, COUNTS, {})
GROWN = {"setting": SETTING, "variant": VARIANT, "saving": True, "epsilon": 1, "rng": None}
SHARES = {"leaf_share": "1/2", "bounds_share": "1/4"}
EXPERIMENTS = {
    "sources.gubler.Faults": dict.fromkeys(CONSEQUENCES, True),
    "sources.gubler.Setting": {"figure": 3, "n": 250, "p": 10, "max_depth": 5, "rho": "0.3", **SHARES},
    "experiments.Study": {
        **{"settings": [SETTING], "variant": VARIANT, "methods": ["local"], "epsilons": [1], "runs": 2, "seed": 1},
    },
    "sources.gubler.Variant": {"name": "mine", "faults": Faults(), "clip": True},
    "experiments.compare_with_own": {
        **{"data": mixture_of(20, 1, 0), "epsilons": [1], "parties": 2, "skewed": True, "method": "default"},
        **{"max_depth": 1, "runs": 2, "seed": 0},
    },
    "experiments.mixture_of": {"n": 20, "p": 1, "rho": 0},
    "sources.gubler.dearest_cost": {"epsilon": 1, "setting": SETTING, "faults": PRINTED},
    "sources.gubler.draw_sample": {"setting": SETTING, "faults": PRINTED, "rng": np.random.default_rng(0)},
    "sources.gubler.epsilon_spent": {"method": "algorithm-6", "epsilon": 1, "setting": SETTING, "faults": PRINTED},
    "experiments.gap_closed": {
        **{"method": "local", "epsilon": 1, "data": ["one strong feature"], "runs": 2, "parties": 5, "seed": 0},
    },
    "sources.gubler.grow_runs": {"samples": [SAMPLE], **GROWN},
    "experiments.paired_difference": {"found": FOUND, "method": "local", "other": "central", "epsilon": 1},
    "sources.gubler.path_cost": {"asked": [1], "epsilon": 1, "setting": SETTING, "faults": PRINTED, "sensitivity": 1},
    "experiments.records": {"results": [FOUND]},
    "experiments.settings": {"figure": 3},
}
