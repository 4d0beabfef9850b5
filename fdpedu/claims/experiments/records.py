"""Chapter 10. What the experiments are, what they cost, and what they show."""

from itertools import product

from fdpedu.claims.experiments import laws
from fdpedu.claims.records import Check, Claim
from fdpedu.experiments import Setting
from fdpedu.experiments.read_off import READ_OFF

ADD_REMOVE = "neighbours: one record added or removed"
SEEDED = "real-valued noise from a seeded generator: a measurement, and no release"
MIXTURE = "rows of the report's mixture"


def _points(runs: int) -> list[tuple[Setting, int]]:
    return [(setting, runs) for setting in READ_OFF]


def as_case(size: int) -> list[tuple[int]]:
    """One case: the size."""
    return [(size,)]


CLAIMS = (
    Claim(
        "def-study",
        "A run, and what may be shared by runs",
        "experiments",
        "this book; on the report's section 4",
        status="checked",
        code=(
            "fdpedu.experiments.sample.draw_sample",
            "fdpedu.experiments.tasks.Task",
            "fdpedu.experiments.records.paired_difference",
        ),
        checks=(
            Check(
                "rows",
                "exhaustive",
                "n = 10, 15, 100 and {size}, as printed and doubled: how many rows, whose, and none in both parts",
                laws.as_stated,
                lambda most: product((10, 15, 100, most), (False, True)),
                250,
                10_000,
            ),
            Check(
                "streams",
                "exact",
                "studies of {size} runs that differ in one thing: no two streams of random numbers are one",
                laws.own_streams,
                as_case,
                20,
                60,
            ),
            Check(
                "paired",
                "exhaustive",
                "three runs of each of two methods, correct rows 60, 70 and {size}: the error, by its definition",
                laws.errors_are_paired,
                lambda c: ((a, b) for a in product((60, 70, c), repeat=3) for b in product((60, 70, c), repeat=3)),
                85,
            ),
            Check(
                "test rows",
                "exact",
                "{size} runs: with other rows to be tested on, the same root",
                laws.test_rows_are_apart,
                lambda most: ((seed,) for seed in range(most)),
                10,
                100,
            ),
        ),
        assumptions=(MIXTURE, SEEDED),
    ),
    Claim(
        "lem-dearest-path",
        "What a path of Algorithm 6 costs at most",
        "experiments",
        "this book; on the report's Algorithm 6",
        status="proved+checked",
        code=("fdpedu.experiments.costs.path_cost", "fdpedu.experiments.costs.dearest_cost"),
        checks=(
            Check(
                "all paths",
                "exhaustive",
                "up to {size} features and levels, nine pairs of shares, as printed and mended: all removals",
                laws.no_dearer_path,
                laws.small_settings,
                3,
                4,
            ),
        ),
        assumptions=(ADD_REMOVE, "the ledger believes the report's sensitivity 5/4", "exact arithmetic"),
    ),
    Claim(
        "published-trees-are-private",
        "The trees of the published figures are ε-DP",
        "experiments",
        "report, Figures 2 to 5",
        status="refuted as stated",
        code=("fdpedu.experiments.costs.epsilon_spent",),
        checks=(
            Check(
                "limits of bins",
                "exact",
                "{size} rows of a node, and one record more: where the bins end",
                laws.limits_are_public,
                as_case,
                10,
            ),
            Check(
                "infinite bounds",
                "exact",
                "{size} rows of class 0 at a party without class 1, and one of class 1 more",
                laws.bounds_stay_finite,
                as_case,
                3,
            ),
            Check(
                "short counts",
                "exact",
                "a leaf of {size} rows of class 0, and one of class 1 more: the counts that noise is added to",
                laws.counts_move_by_one,
                as_case,
                100,
            ),
            Check(
                "empty children",
                "exact",
                "20 equal rows, and one record elsewhere: is the root ever split, in {size} trees?",
                laws.emptiness_is_not_told,
                as_case,
                40,
            ),
        ),
        assumptions=(ADD_REMOVE, "an outsider who sees the tree", "noise as the published code draws it"),
        corrected_by="thm-federated-tree",
    ),
    Claim(
        "alg-published-study",
        "Fourteen faults make the published figures",
        "experiments",
        "report, Figures 3 to 5",
        status="checked",
        code=("fdpedu.experiments.growing.grow_runs",),
        checks=(
            Check(
                "figures",
                "statistical",
                "{size} runs of 18 points, beside 50 runs of the report: within five standard errors, two-sided",
                laws.agrees_with_the_figures,
                _points,
                30,
                400,
                alpha=1e-3,
            ),
        ),
        assumptions=(MIXTURE, SEEDED, "accuracies read off to three decimals"),
    ),
    Claim(
        "saving-strictly-improves",
        "Saving strictly improves the tree",
        "experiments",
        "report, sections 4.2 and 5",
        status="refuted as stated",
        code=("fdpedu.experiments.growing.grow_runs",),
        checks=(
            Check(
                "as printed",
                "statistical",
                "{size} runs at n=250, p=10, depth 5, ρ=.3, ε=1.2: not worse by five standard errors",
                laws.saving_is_not_worse,
                lambda runs: [("printed", "1.2", runs)],
                20,
                alpha=1e-4,
            ),
        ),
        assumptions=(MIXTURE, SEEDED, "counts neither clipped nor corrected, as Algorithm 4 is printed"),
        corrected_by="alg-mended-saving",
    ),
    Claim(
        "alg-mended-saving",
        "Paid for, saving changes next to nothing",
        "experiments",
        "this book; on the report's section 4.2",
        status="checked",
        code=("fdpedu.experiments.growing.grow_runs",),
        checks=(
            Check(
                "pooled",
                "statistical",
                "{size} runs at n=250, depth 5, two pairs (p, ρ), ε = 1.2 and 10: the pooled difference, two-sided",
                laws.saving_changes_little,
                as_case,
                20,
                100,
                alpha=1e-4,
            ),
        ),
        assumptions=(MIXTURE, SEEDED),
    ),
    Claim(
        "alg-noise-regularises",
        "Noise can act like regularisation",
        "experiments",
        "report, section 4.2",
        status="checked",
        code=("fdpedu.experiments.growing.grow_runs",),
        checks=(
            Check(
                "with and without noise",
                "statistical",
                "{size} runs: the mean of the paired differences lies above 0",
                laws.noise_helps,
                as_case,
                60,
                300,
                alpha=0.002,
            ),
        ),
        assumptions=(MIXTURE, SEEDED, "a true difference of .015 with a deviation of .04 a run, as in 150 runs"),
    ),
)
