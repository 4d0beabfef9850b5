"""What the experiments refuse, and in which words: one table."""

from fdpedu import simulation
from fdpedu.datasets import BENCHMARK
from fdpedu.experiments import METHODS, REAL, VARIANTS, Study, compare_with_own, gap_closed, mixture_of, settings
from fdpedu.experiments.designs import DESIGN_METHODS
from fdpedu.experiments.gap import cart, pooled
from fdpedu.sources.gubler import (
    CONSEQUENCES,
    PRINTED,
    PUBLISHED,
    Faults,
    Setting,
    Variant,
    dearest_cost,
    draw_sample,
    epsilon_spent,
    path_cost,
)
from tests.support.sentences import said_in_full

SETTING = Setting(3, 250, 10, 5, "0.3")
FAULTS = ", ".join(CONSEQUENCES)
KNOWN = ", ".join(simulation.METHODS)
METHODS_HERE = ", ".join((*METHODS, "algorithm-5-clipped", "algorithm-6-clipped", *DESIGN_METHODS))
DATA = ", ".join(data.name for data in BENCHMARK)


def small(**others):
    more = {"runs": 12, "n": 40, "p": 3, "max_depth": 2, "epsilons": ["1/2", 5], "rho": "0.3", **others}
    return Study.of(5, "published", **more)


TABLE = [
    # protocol
    (
        lambda: PUBLISHED.without("raw"),
        f"a fault must be one of {FAULTS}, got 'raw'",
    ),
    (
        lambda: PUBLISHED.without(None),
        f"a fault must be one of {FAULTS}, got None",
    ),
    (lambda: Faults(raw_ranges=1), "raw_ranges must be True or False, got 1"),
    (lambda: Variant("two words", Faults()), "name must be letters, digits and hyphens, got 'two words'"),
    (lambda: Variant("x", None), "faults must be a Faults, got None"),
    (lambda: Variant("x", Faults(), clip=0), "clip must be True or False, got 0"),
    (lambda: settings(1), "figure must be 2, 3, 4 or 5, got 1"),
    (lambda: settings(True), "figure must be 2, 3, 4 or 5, got True"),
    (lambda: Setting(3, 9, 10, 5, "0.3"), "n must be an integer ≥ 10, got 9"),
    (lambda: Setting(3, 250, 0, 5, "0.3"), "p must be an integer ≥ 1, got 0"),
    (lambda: Setting(3, 250, 10, 21, "0.3"), "max_depth must be at most 20, got 21"),
    (lambda: Setting(3, 250, 10, 5, "1.1"), "rho must lie between 0 and 1, got 11/10"),
    (lambda: Setting(3, 250, 10, 5, "0.3", 1), "leaf_share must be less than 1, got 1"),
    (lambda: Setting(3, 250, 10, 5, "0.3", "1/2", 0), "bounds_share must be greater than 0, got 0"),
    (lambda: draw_sample(settings(3)[0], PRINTED, 3), "rng must be a Generator, got int"),
    # study
    (lambda: Study.of(6, "printed"), "figure must be 2, 3, 4 or 5, got 6"),
    (lambda: Study.of(3, "Printed"), "variant must be one of printed, published, corrected, got 'Printed'"),
    (lambda: small(runs=1), "runs must be an integer ≥ 2, got 1"),
    (lambda: small(seed=-1), "seed must be an integer ≥ 0, got -1"),
    (lambda: small(epsilons=[0]), "epsilon must be greater than 0, got 0"),
    (lambda: small(epsilons=[]), "epsilons must be one or more numbers"),
    (lambda: small(epsilons=["1e7"]), "epsilon must lie between 1e-6 and 1e6, got '1e7'"),
    (
        lambda: small(methods=["algorithm-7"]),
        f"method must be one of {METHODS_HERE}, got 'algorithm-7'",
    ),
    (
        lambda: Study((), VARIANTS["printed"]),
        "settings must be a list of Setting, one or more; settings(3) has those of Figure 3",
    ),
    (lambda: Study((Setting(3, 250, 10, 5, 0),), "printed"), "variant must be a Variant, got str"),
    (lambda: small().results(jobs=0), "jobs must be an integer ≥ 1, got 0"),
    # costs
    (lambda: path_cost([0], 1, SETTING, PRINTED), "asked must be an integer ≥ 1, got 0"),
    (lambda: path_cost([11], 1, SETTING, PRINTED), "asked must be at most 10, got 11"),
    (lambda: path_cost([1] * 6, 1, SETTING, PRINTED), "asked must have at most max_depth = 5 nodes, got 6"),
    (lambda: path_cost("11", 1, SETTING, PRINTED), "asked must be a list, got '11'"),
    (lambda: path_cost([1], 0, SETTING, PRINTED), "epsilon must be greater than 0, got 0"),
    (lambda: epsilon_spent(3, 1, SETTING, PRINTED), "method must be the name of a method, got 3"),
    (lambda: dearest_cost(1, SETTING, None), "faults must be a Faults, got NoneType"),
    (lambda: dearest_cost(1, "figure 3", PRINTED), "setting must be a Setting, got str"),
    # gap
    (
        lambda: gap_closed("best", 1),
        f"method must be one of {KNOWN}, or a Design, got 'best'",
    ),
    (
        lambda: gap_closed("local", 1, data=["iris"]),
        f"data must be one or more of {DATA}, got 'iris'",
    ),
    (
        lambda: gap_closed("local", 1, data=[]),
        f"data must be one or more of {DATA}",
    ),
    (lambda: gap_closed("local", 1, runs=1), "runs must be an integer ≥ 2, got 1"),
    (lambda: gap_closed("default", 0), "epsilon must be greater than 0, got 0"),
    (lambda: gap_closed("default", "1e400"), "epsilon must lie between 1e-6 and 1e6, got '1e400'"),
    (lambda: gap_closed("local", 1, parties=0), "parties must be an integer ≥ 1, got 0"),
    # own
    (lambda: compare_with_own(None, [1]), "data must be a DataSet, got NoneType"),
    (
        lambda: compare_with_own(REAL[1], [1], method="local"),
        f"method must be a private one of {KNOWN}, got 'local'",
    ),
    (lambda: compare_with_own(REAL[1], [1], parties=1), "parties must be an integer ≥ 2, got 1"),
    (
        lambda: compare_with_own(REAL[1], [1], parties=20, skewed=True),
        "120 rows are too few for 20 parties: expected at least 420",
    ),
    (lambda: compare_with_own(REAL[1], [0]), "epsilon must be greater than 0, got 0"),
    (lambda: compare_with_own(REAL[1], [1], max_depth=11), "max_depth must be at most 10, got 11"),
    (lambda: mixture_of(5, 1, 0), "n must be an integer ≥ 10, got 5"),
    (lambda: mixture_of(50, 1, 2), "rho must lie between 0 and 1, got 2"),
    (
        lambda: gap_closed(3, 1),
        f"method must be one of {KNOWN}, or a Design, got 3",
    ),
    (
        lambda: gap_closed("x", 1),
        f"method must be one of {KNOWN}, or a Design, got 'x'",
    ),
    (
        lambda: gap_closed(["local"], 1),
        f"method must be one of {KNOWN}, or a Design, got list",
    ),
    (lambda: gap_closed("local", 1, runs=10_001), "runs must be at most 10000, got 10001"),
    (lambda: gap_closed("local", 1, parties=101), "parties must be at most 100, got 101"),
    (lambda: gap_closed("local", 1, seed=2**63), "seed must be at most 9223372036854775807, got 9223372036854775808"),
    (lambda: gap_closed("local", 1, seed=-1), "seed must be an integer ≥ 0, got -1"),
    (lambda: gap_closed("local", 1, data=3), "data must be a list, got 3"),
    (lambda: pooled(3), "accuracies must be a list, got 3"),
    (lambda: cart(None, None, 3, 0), "data must be a DataSet, got int"),
    (lambda: path_cost([1], 0, SETTING, Faults()), "epsilon must be greater than 0, got 0"),
    (lambda: path_cost([1], 1, 3, Faults()), "setting must be a Setting, got int"),
    (lambda: path_cost([1], 1, SETTING, 4), "faults must be a Faults, got int"),
    (lambda: path_cost([1], 1, SETTING, Faults(), sensitivity=0), "sensitivity must be greater than 0, got 0"),
    (lambda: epsilon_spent("local", 0, SETTING, Faults()), "epsilon must be greater than 0, got 0"),
    (lambda: epsilon_spent("local", 1, 3, Faults()), "setting must be a Setting, got int"),
    (lambda: epsilon_spent("local", 1, SETTING, 3), "faults must be a Faults, got int"),
    (lambda: epsilon_spent(5, 1, SETTING, Faults()), "method must be the name of a method, got 5"),
    (lambda: dearest_cost(0, SETTING, Faults()), "epsilon must be greater than 0, got 0"),
    (lambda: dearest_cost(1, 3, Faults()), "setting must be a Setting, got int"),
    (lambda: dearest_cost(1, SETTING, 3), "faults must be a Faults, got int"),
    (
        lambda: Faults().without("x"),
        f"a fault must be one of {FAULTS}, got 'x'",
    ),
]


test_the_sentences_of_refusals = said_in_full(TABLE)
