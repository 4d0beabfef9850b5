"""What chapter 8 refuses, and in which words: in one table."""

from fractions import Fraction
from functools import partial

from fdpedu.accounting import Ledger
from fdpedu.bounds import (
    LossScore,
    block_pmf,
    bound_with_least_rows,
    entropy_increment,
    fit_saving_tree,
    half_gini_score,
    impurity_gap,
    impurity_lower_bound,
    joint_sensitivity,
    largest_increment,
    lattice_bound,
    least_score,
    local_bound,
    local_bounds_of_rows,
    power_score,
    private_block,
    private_split,
    pruning_probability,
    search_near_one,
    split_pmf,
)
from fdpedu.bounds.saving_costs import as_share
from fdpedu.bounds.scored import scored_rows
from fdpedu.claims.federations import federate
from fdpedu.domain import Domain, Numeric
from fdpedu.randomness import ZeroWords
from fdpedu.sources.gubler import cost_as_printed
from tests.support.sentences import (
    BETWEEN,
    EXACTLY_ONE,
    INTEGERS,
    NUMBER,
    above_0,
    at_least,
    at_most,
    no,
    no_list,
    said_in_full,
)

NORM = "norm must be one of l1, l2 squared, linf; got"
SCORE = "score must be one of errors, gini; got"
TOO_LARGE = "must be at most 4611686018427387904, got 4611686018427387905"
MATRIX = "X must be finite numbers of 2 dimensions, got"
TABLE = "table must be counts ≥ 0 of shape (codes, classes) that add up to at most 2**53"
TABLES = "tables must be counts of one shape (codes, classes), at least one table"
COMPANY = "left must be the codes 0, 1, … up to a border, because the feature is ordered"
LOSSES = "losses must be at least one row of numbers from 0 to 1, one for each class, all as long"
NONE_BELOW = "counts must be at least one number, none below 0"
ROWS_OF_COUNTS = "table must be at least one row of counts, all of one length"
K = "k must lie between 1 and 2, got"
BORDERS = "sizes must be of features with 1 to 500 borders in all, got"
RANGES = "codes must be from 0 to below the feature's size, and labels from 0 to below n_classes"
TWO_FEATURES = "codes must be of shape (n, 2), and labels of shape (n,)"
MECHANISM = "mechanism must be one of exponential, permute-and-flip; got"
STEPS = "gap must be at most 4611686018427387904 steps of the lattice, above 0 or below"
SHARE = f"bounds_share {BETWEEN}"
TINY = "epsilon/sensitivity must be at least 2**-40, so that the noise fits 64-bit integers"
DIGITS = (
    "some costs would be fractions of more than 40 digits, because what is saved is divided again at each level: give "
    "a smaller max_depth, or shares with small denominators; nothing was charged"
)

PRUNED = {"gap": 1, "epsilon_bounds": 1, "n_features": 2}
PRINTED = {"epsilon": 1, "n_features": 3, "max_depth": 2}
AB = Domain([Numeric.grid(name, 0, 4, bins=4) for name in ("x", "y")], ("a", "b"))


def saving(**options):
    return fit_saving_tree(federate([[], []], AB, 1, ZeroWords()), **options)


# What is refused of rows, in each of five functions.
GOOD = {"codes": [[0, 1], [1, 0]], "labels": [0, 1], "sizes": [2, 2]}
OF_ROWS = {
    scored_rows: {"n_classes": 2, "score": "gini", "lattice": 1},
    private_block: {"epsilon": 1},
    block_pmf: {"alpha": "1/2"},
    private_split: {"epsilon": 1},
    split_pmf: {"alpha": "1/2"},
}
ROWS = [
    ({"sizes": []}, f"{BORDERS} 0"),
    ({"sizes": [256, 247]}, f"{BORDERS} 501"),
    ({"sizes": [1, 2]}, at_least("sizes", 2, 1)),
    ({"sizes": [2, 257]}, at_most("sizes", 256, 257)),
    ({"sizes": 2}, no_list("sizes", 2)),
    ({"sizes": [2]}, "codes must be of shape (n, 1), and labels of shape (n,)"),
    ({"labels": [0]}, TWO_FEATURES),
    ({"labels": []}, TWO_FEATURES),
    ({"labels": [[0, 1]]}, TWO_FEATURES),
    ({"codes": [0, 1]}, TWO_FEATURES),
    ({"codes": []}, TWO_FEATURES),
    ({"codes": [[0, 2], [0, 0]]}, RANGES),
    ({"codes": [[0, -1], [0, 0]]}, RANGES),
    ({"labels": [0, 2]}, RANGES),
    ({"labels": [0, -1]}, RANGES),
    ({"codes": [[0.5, 0], [0, 0]]}, f"codes {INTEGERS}"),
    ({"labels": [0.5, 0]}, f"labels {INTEGERS}"),
    ({"n_classes": 1}, at_least("n_classes", 2, 1)),
    ({"n_classes": 1001}, at_most("n_classes", 1000, 1001)),
    ({"score": "entropy"}, f"{SCORE} 'entropy'"),
    ({"score": None}, f"{SCORE} None"),
    ({"lattice": 0}, at_least("lattice", 1, 0)),
    ({"lattice": 10**6 + 1}, at_most("lattice", 1000000, 1000001)),
]
MECHANISMS = [("noisy-max", "'noisy-max'"), (None, "None"), (["exponential"], "list")]
BUDGETS = [
    ({"epsilon": 0}, above_0("epsilon", 0)),
    ({"epsilon": 1, "alpha": "1/2"}, EXACTLY_ONE),
    ({}, EXACTLY_ONE),
    ({"alpha": 1}, f"alpha {BETWEEN} 1"),
    ({"alpha": 0}, f"alpha {BETWEEN} 0"),
]
REFUSED = [
    *[(partial(ask, **GOOD | how | change), words) for ask, how in OF_ROWS.items() for change, words in ROWS],
    *[
        (partial(ask, **GOOD | OF_ROWS[ask], mechanism=odd), f"{MECHANISM} {shown}")
        for ask in (private_split, split_pmf)
        for odd, shown in MECHANISMS
    ],
    *[
        (partial(ask, **GOOD | how), words)
        for ask in (private_split, split_pmf, private_block)
        for how, words in BUDGETS
    ],
    (lambda: impurity_gap(None, []), no_list("tables", "None")),
    (lambda: local_bounds_of_rows([1.0], [0]), f"{MATRIX} float64 of shape (1,)"),
    (lambda: local_bounds_of_rows([[[1.0]]], [0]), f"{MATRIX} float64 of shape (1, 1, 1)"),
    (lambda: local_bounds_of_rows([[None]], [0]), f"{MATRIX} object of shape (1, 1)"),
    (lambda: local_bounds_of_rows([[1.0]], [0.5]), f"y {INTEGERS}"),
    (lambda: LossScore(3), no_list("losses", 3)),
    (lambda: LossScore((3,)), no_list("losses", 3)),
    (lambda: power_score(3, 1), no_list("counts", 3)),
    (lambda: power_score([1, 2], None), f"k {NUMBER} None"),
    (lambda: half_gini_score(3), no_list("counts", 3)),
    (lambda: half_gini_score([None]), f"counts {NUMBER} None"),
    (lambda: least_score(3, max), no_list("table", 3)),
    (lambda: least_score([3], max), no_list("table", 3)),
    (lambda: search_near_one(None), f"goal {NUMBER} None"),
    (lambda: local_bound([1, 2]), TABLE),
    (lambda: local_bound([[1]], ordered=1), "ordered must be True or False, got int"),
    (lambda: lattice_bound([1, 2], 1), TABLE),
    (lambda: impurity_lower_bound([[1, 2]]), TABLE),
    (lambda: local_bounds_of_rows([[1.0]], [2], 2), at_least("n_classes", 3, 2)),
    (lambda: lattice_bound([[1]], 0), at_least("lattice", 1, 0)),
    (lambda: lattice_bound([[1]], 2**62 + 1), f"lattice {TOO_LARGE}"),
    (lambda: joint_sensitivity(0), at_least("n_features", 1, 0)),
    (lambda: joint_sensitivity(1, "l3"), f"{NORM} 'l3'"),
    (lambda: joint_sensitivity(1, None), f"{NORM} None"),
    (lambda: impurity_lower_bound(3), no_list("tables", 3)),
    (lambda: search_near_one("1"), "goal must be at most 999/1000, got 1: 1 is never reached"),
    (lambda: search_near_one("1/2", bins=0), at_least("bins", 1, 0)),
    (lambda: search_near_one("1/2", bins=9), at_most("bins", 8, 9)),
    (lambda: search_near_one("1/2", classes=1), at_least("classes", 2, 1)),
    (lambda: search_near_one("1/2", classes=9), at_most("classes", 8, 9)),
    (lambda: largest_increment(-1), at_least("n", 0, -1)),
    (lambda: impurity_gap([], []), TABLES),
    (lambda: impurity_gap([[[1]], [[1], [2]]], []), TABLES),
    (lambda: impurity_gap([[1, 2]], []), TABLES),
    (lambda: impurity_gap([[[-1, 2]]], []), TABLE),
    (lambda: impurity_gap([[[1, 2], [0, 1]]], [1]), COMPANY),
    (lambda: impurity_gap([[[1, 2], [0, 1]]], [2]), at_most("left", 1, 2)),
    (lambda: impurity_gap([[[1, 2], [0, 1]]], [-1]), at_least("left", 0, -1)),
    (lambda: impurity_gap([[[1, 2], [0, 1]]], 0), no_list("left", 0)),
    (lambda: impurity_gap([[[1.5]]], []), f"tables {INTEGERS}"),
    (lambda: impurity_gap([[[1, 0], [0, 1], [1, 0]]], [0, 2]), COMPANY),
    (lambda: LossScore(()), LOSSES),
    (lambda: LossScore(((),)), LOSSES),
    (lambda: LossScore(((0, 1), (1,))), LOSSES),
    (lambda: LossScore(((0, "5/4"),)), LOSSES),
    (lambda: LossScore(((0, -1),)), LOSSES),
    (lambda: LossScore((1, 2)), no_list("losses", 1)),
    (lambda: LossScore(((0, None),)), f"losses {NUMBER} None"),
    (lambda: LossScore(((0, 1),))([1]), "counts must be 2 numbers, one for each class; got 1"),
    (lambda: LossScore(((0, 1),))([1, -1]), NONE_BELOW),
    (lambda: half_gini_score([]), NONE_BELOW),
    (lambda: power_score([1, 2, 3], 1), "counts must be two numbers, one for each class; got 3"),
    (lambda: power_score([1, -2], 1), at_least("counts", 0, -2)),
    (lambda: power_score([1, 2], "1/2"), f"{K} 1/2"),
    (lambda: power_score([1, 2], "5/2"), f"{K} 5/2"),
    (lambda: least_score([], max), ROWS_OF_COUNTS),
    (lambda: least_score([[1], [1, 2]], max), ROWS_OF_COUNTS),
    (lambda: least_score([[1]], 3), "score must be a function, got 3"),
    (lambda: least_score([1], max), no_list("table", 1)),
    (lambda: bound_with_least_rows([[1]], 0), at_least("least", 1, 0)),
    (lambda: bound_with_least_rows([[1]], 1, none="nought"), "none must be 'node' or 'zero'"),
    (lambda: bound_with_least_rows([1], 1), TABLE),
    (lambda: entropy_increment(0), at_least("n", 1, 0)),
    (lambda: entropy_increment(10**9 + 1), at_most("n", 1000000000, 1000000001)),
    (lambda: block_pmf([[0]], [0], [48], alpha="1/2"), "sizes must give at most 100000 blocks, got 103823"),
    (
        lambda: split_pmf([[0]], [0], [34], alpha="1/2", mechanism="permute-and-flip"),
        "sizes must give at most 32 borders for the law of permute-and-flip, got 33",
    ),
    (lambda: private_split([[0]], [2], [2], 1), RANGES),
    (lambda: pruning_probability(**PRUNED | {"gap": None}), f"gap {NUMBER} None"),
    (lambda: pruning_probability(**PRUNED | {"gap": 2**62 + 1}), STEPS),
    (lambda: pruning_probability(**PRUNED | {"gap": -(2**61) - 1, "lattice": 2}), STEPS),
    (lambda: pruning_probability(**PRUNED | {"epsilon_bounds": 0}), above_0("epsilon_bounds", 0)),
    (lambda: pruning_probability(**PRUNED | {"n_features": 0}), at_least("n_features", 1, 0)),
    (lambda: pruning_probability(**PRUNED | {"n_features": 2**62 + 1}), f"n_features {TOO_LARGE}"),
    (lambda: pruning_probability(**PRUNED | {"lattice": 0}), at_least("lattice", 1, 0)),
    (lambda: pruning_probability(**PRUNED | {"lattice": 2**62 + 1}), f"lattice {TOO_LARGE}"),
    (lambda: cost_as_printed(**PRINTED | {"removed": 1.5}), no_list("removed", "1.5")),
    (lambda: cost_as_printed(**PRINTED | {"noise_for": None}), f"noise_for {NUMBER} None"),
    (lambda: cost_as_printed(**PRINTED | {"epsilon": 0}), above_0("epsilon", 0)),
    (lambda: cost_as_printed(**PRINTED | {"n_features": 0}), at_least("n_features", 1, 0)),
    (lambda: cost_as_printed(**PRINTED | {"n_features": 4097}), at_most("n_features", 4096, 4097)),
    (lambda: cost_as_printed(**PRINTED | {"max_depth": -1}), at_least("max_depth", 0, -1)),
    (lambda: cost_as_printed(**PRINTED | {"max_depth": 13}), at_most("max_depth", 12, 13)),
    (lambda: cost_as_printed(**PRINTED | {"leaf_share": 1}), f"a share of the budget {BETWEEN} 1"),
    (lambda: cost_as_printed(**PRINTED | {"bounds_share": 0}), f"{SHARE} 0"),
    (lambda: cost_as_printed(**PRINTED | {"removed": 3}), at_most("removed", 2, 3)),
    (lambda: cost_as_printed(**PRINTED | {"removed": -1}), at_least("removed", 0, -1)),
    (
        lambda: cost_as_printed(**PRINTED | {"removed": [0]}),
        "removed must be one number, or one for each of the 2 levels, got 1",
    ),
    (lambda: cost_as_printed(**PRINTED | {"removed": [0, 3]}), at_most("removed", 2, 3)),
    (lambda: cost_as_printed(**PRINTED | {"removed": "12"}), no_list("removed", "'12'")),
    (lambda: cost_as_printed(**PRINTED | {"removed": True}), at_least("removed", 0, "True")),
    (
        lambda: cost_as_printed(**PRINTED | {"noise_for": "99/100"}),
        "noise_for must be at least 1, the sensitivity of a bound, got 99/100",
    ),
    (lambda: saving(unspent_to_leaf=None), no("bool", "unspent_to_leaf", "NoneType")),
    (lambda: saving(min_samples_split=-1), at_least("min_samples_split", 0, -1)),
    (lambda: saving(lattice=0), at_least("lattice", 1, 0)),
    (lambda: saving(bounds_share=None), f"bounds_share {NUMBER} None"),
    (lambda: saving(max_depth=13), at_most("max_depth", 12, 13)),
    (lambda: saving(max_depth=-1), at_least("max_depth", 0, -1)),
    (lambda: saving(min_samples_split=2**62 + 1), f"min_samples_split {TOO_LARGE}"),
    (lambda: saving(unspent_to_leaf=1), no("bool", "unspent_to_leaf", "int")),
    (lambda: saving(leaf_share=1), f"a share of the budget {BETWEEN} 1"),
    (lambda: saving(bounds_share=1), f"{SHARE} 1"),
    (lambda: saving(bounds_share=0), f"{SHARE} 0"),
    (lambda: saving(lattice=2**16 + 1), at_most("lattice", 65536, 65537)),
    (lambda: saving(lattice=2**16 + 1, max_depth=0), at_most("lattice", 65536, 65537)),
    (lambda: saving(epsilon=0), above_0("epsilon", 0)),
    (lambda: saving(epsilon=Fraction(1, 10**30)), TINY),
    (lambda: saving(leaf_share=Fraction(1, 10**13)), TINY),
    (lambda: saving(leaf_share=1 - Fraction(1, 10**13)), TINY),
    (lambda: saving(bounds_share=Fraction(1, 10**12)), TINY),
    (lambda: saving(bounds_share=1 - Fraction(1, 10**12)), TINY),
    (lambda: saving(lattice=2**16, bounds_share=Fraction(1, 10**8)), TINY),
    (lambda: saving(max_depth=12, bounds_share="123/1000"), DIGITS),
    (lambda: saving(epsilon=2), "ε = 2 was asked, and ε = 1 is left in the ledger; nothing was charged"),
    (lambda: fit_saving_tree(None), no("Federation", "federation", "NoneType")),
    (lambda: fit_saving_tree(3), no("Federation", "federation", "int")),
    (lambda: fit_saving_tree(Ledger(1)), no("Federation", "federation", "Ledger")),
    (lambda: as_share(0, "this"), f"this {BETWEEN} 0"),
    (lambda: as_share(1, "this"), f"this {BETWEEN} 1"),
    (lambda: as_share("-1/2", "this"), f"this {BETWEEN} -1/2"),
    (lambda: as_share("3/2", "this"), f"this {BETWEEN} 3/2"),
]


test_sentences_of_refusals = said_in_full(REFUSED)
