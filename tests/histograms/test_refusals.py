"""What chapter 7 refuses, and in which words: in one table."""

from fractions import Fraction

import numpy as np

from fdpedu.accounting import Ledger
from fdpedu.claims.histograms import edges as topic
from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.federation import Federation, Party
from fdpedu.histograms import (
    bin_of,
    clipping_bias,
    combined_derivation,
    consistent_totals,
    impurity_from_counts,
    joint_sensitivity,
    joint_utility,
    least_squares,
    membership_test,
    one_hot_histograms,
    prefix_error,
    private_histogram,
    private_quantile_domain,
    probability_of_best_split,
    quantile_domain,
    quantile_edges,
    round_with_sums,
    step_table,
    summed_impurity,
    trusted_joint_quantiles,
    trusted_joint_quantiles_pmf,
)
from fdpedu.histograms.parents import as_parents
from fdpedu.randomness import ZeroWords
from fdpedu.secure_sum import pairwise_keys
from fdpedu.sources.gubler import bin_as_printed, choice_as_printed, impurity_as_printed, negative_choices
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

VIEW_TYPES = "variances must be finite numbers of 1 dimension, got"
GRID = "feature 'value' needs 3 to 257 edges in increasing order"
DUMMIES = "counts must have shape (categories, classes), at least one each, got"
DUMMIES_OVERFLOW = "counts must be small enough that those of all categories add up to less than 2**63"
FLOATS_HOLD = "counts must lie within ±2**53, where floats are whole numbers"
HELD = "histograms must have counts that add up to at most 2**53, where floats are whole numbers"
BORDERS = "histograms must be a list of tables of shape (bins, 2), with at least 2 bins each"
SPLITS = "histograms must be a list of counts ≥ 0 of shape (bins, classes), at least 2 of each"
STEP = "step must lie strictly between 0 and 1, below and above between 0 and 1"
ROOT = "parents must be a list of indices that begins with the root's, which is -1"
SHAPES = "values must have shape (3,) or (3, classes), got"
ESTIMATES = "estimates must be numbers of shape (3,) or (3, classes), got"
WITHIN = "estimates must be numbers within ±2**62"
PLACES = "places must be one inner edge or more, in increasing order"
EDGES = "edges must be 3 increasing numbers, one more than counts has bins"
TABLE_OF = "counts must be finite numbers of 2 dimensions, got"
SPREAD = "variances must be from 1e-100 to 1e100; only their ratios matter, so they may be scaled"
SHARED = "must be the same in both derivations, or numeric in both"
AMONG = "the second's edges of 'age' must be among the first's, the outer ones the same"
SOME_BINS = "counts must have the shape (bins,) or (bins, classes), 2 bins or more, got"
FINE_BINS = "counts must be 2 to 256 integers ≥ 0, one a fine bin, got the shape"
VIEWS = "values must be finite numbers, got float64 of shape (3,)"
SMALL_COUNTS = "must be counts from 0 to 2**40 of shape (parties, classes), got"
THREE = "must be 3 numbers, one for each node, got 2"
NO_VIEW = "must be a number, got None: a node without children needs a view"
FAILURE = f"failure {BETWEEN}"
EARLIER = "must be the index of an earlier node, from 0 to"
AGE, WARD = Numeric("age", (0, 10, 20, 98, 100)), Categorical("ward", ("A", "B", "C"))
FINE = Domain([AGE, WARD], ("ill", "well"))
HALVES = Numeric("age", (0, 20, 100))
TABLE = [[4, 0], [0, 6]]


def federation():
    return Federation([Party([], FINE) for _ in range(2)], FINE, Ledger(1), rng=ZeroWords())


def combined(*coarse):
    domains = FINE, Domain(coarse, FINE.classes)
    return combined_derivation(
        *(topic._derivation(domain, [(domain.everything, Fraction(1))], 1) for domain in domains)
    )


def derivation():
    return topic._derivation(FINE, [(FINE.everything, Fraction(1))], 1)


REFUSED = [
    (lambda: bin_of(bin_of, bin_of), f"value {NUMBER} function"),
    (lambda: bin_as_printed(bin_of, bin_of), f"value {NUMBER} function"),
    (lambda: bin_of(bin_as_printed, bin_as_printed), f"value {NUMBER} function"),
    (lambda: bin_as_printed(bin_as_printed, bin_as_printed), f"value {NUMBER} function"),
    (lambda: bin_of(None, EDGES), f"value {NUMBER} None"),
    (lambda: bin_as_printed(None, EDGES), f"value {NUMBER} None"),
    (lambda: bin_of(1, 7), no_list("edges", 7)),
    (lambda: bin_as_printed(1, 7), no_list("edges", 7)),
    (lambda: bin_of(1, [0, None, 2]), f"an edge {NUMBER} None"),
    (lambda: bin_as_printed(1, [0, None, 2]), f"an edge {NUMBER} None"),
    (lambda: bin_of(1, [0, 2, 1]), GRID),
    (lambda: bin_as_printed(1, [0, 2, 1]), GRID),
    (lambda: bin_of(1, [0, 2]), GRID),
    (lambda: bin_as_printed(1, [0, 2]), GRID),
    (lambda: one_hot_histograms([]), f"{DUMMIES} (0,)"),
    (lambda: one_hot_histograms([[]]), f"{DUMMIES} (1, 0)"),
    (lambda: one_hot_histograms([1, 2]), f"{DUMMIES} (2,)"),
    (lambda: one_hot_histograms([[[1]]]), f"{DUMMIES} (1, 1, 1)"),
    (lambda: one_hot_histograms(np.zeros((0, 2), int)), f"{DUMMIES} (0, 2)"),
    (lambda: one_hot_histograms([[0.5]]), f"counts {INTEGERS}"),
    (lambda: one_hot_histograms([[2**62], [0]]), DUMMIES_OVERFLOW),
    (lambda: one_hot_histograms([[-(2**62)], [0]]), DUMMIES_OVERFLOW),
    (lambda: one_hot_histograms([[0, 2**61], [0, 0], [0, 0], [0, 0]]), DUMMIES_OVERFLOW),
    (lambda: private_histogram(None, 0, 1), no("Federation", "federation", "NoneType")),
    (lambda: private_histogram(federation(), 0, 0), above_0("epsilon", 0)),
    (lambda: private_histogram(federation(), 0, "x"), f"epsilon {NUMBER} 'x'"),
    (lambda: private_histogram(federation(), 2, 1), "feature must be a position from 0 to 1"),
    (lambda: private_histogram(federation(), np.int64(-1), 1), at_least("feature", 0, "np.int64(-1)")),
    (lambda: membership_test(0, 0, 1), at_least("n_features", 1, 0)),
    (lambda: membership_test(1001, 0, 1), at_most("n_features", 1000, 1001)),
    (lambda: membership_test(2, -1, 1), at_least("votes", 0, -1)),
    (lambda: membership_test(2, 3, 1), at_most("votes", 2, 3)),
    (lambda: membership_test(2, 1, 0), above_0("epsilon", 0)),
    (lambda: membership_test(2, 1), EXACTLY_ONE),
    (lambda: impurity_from_counts([1, 2]), f"{TABLE_OF} int64 of shape (2,)"),
    (lambda: impurity_as_printed([1, 2]), f"{TABLE_OF} int64 of shape (2,)"),
    (lambda: impurity_from_counts([[None, 1]]), f"{TABLE_OF} object of shape (1, 2)"),
    (lambda: impurity_as_printed([[None, 1]]), f"{TABLE_OF} object of shape (1, 2)"),
    (lambda: impurity_from_counts("counts"), f"{TABLE_OF} str192 of shape ()"),
    (lambda: impurity_as_printed("counts"), f"{TABLE_OF} str192 of shape ()"),
    (lambda: impurity_from_counts([[[1, 2]]]), f"{TABLE_OF} int64 of shape (1, 1, 2)"),
    (lambda: impurity_as_printed([[[1, 2]]]), f"{TABLE_OF} int64 of shape (1, 1, 2)"),
    (lambda: impurity_as_printed([[1, 2, 3], [1, 2, 3]]), "counts must have two classes, got 3"),
    (lambda: impurity_from_counts([[2.0**54, 1], [1, 1]]), FLOATS_HOLD),
    (lambda: impurity_from_counts([[-(2.0**54), 1], [1, 1]]), FLOATS_HOLD),
    (lambda: impurity_from_counts([[1e308, 1], [1, 1]]), FLOATS_HOLD),
    (lambda: impurity_from_counts(np.array([[np.nan, 1], [1, 2]])), f"{TABLE_OF} float64 of shape (2, 2)"),
    (lambda: impurity_as_printed([[2.0**54, 1], [1, 1]]), FLOATS_HOLD),
    (lambda: impurity_as_printed([[-(2.0**54), 1], [1, 1]]), FLOATS_HOLD),
    (lambda: impurity_as_printed([[1e308, 1], [1, 1]]), FLOATS_HOLD),
    (lambda: impurity_as_printed(np.array([[np.nan, 1], [1, 2]])), f"{TABLE_OF} float64 of shape (2, 2)"),
    (lambda: negative_choices([], 1), BORDERS),
    (lambda: negative_choices([[[1, 2]]], 1), BORDERS),
    (lambda: negative_choices([[1, 2], [3, 4]], 1), BORDERS),
    (lambda: negative_choices([[[1, 2, 3]] * 2], 1), BORDERS),
    (lambda: negative_choices(None, 1), no_list("histograms", "None")),
    (lambda: negative_choices([[[1, 2]] * 2], 0), above_0("epsilon", 0)),
    (lambda: negative_choices([[[1, 2]] * 2], 1, 0), at_least("runs", 1, 0)),
    (lambda: negative_choices([[[1, 2]] * 2], 1, 10**6 + 1), at_most("runs", 1000000, 1000001)),
    (lambda: choice_as_printed([]), BORDERS),
    (lambda: choice_as_printed([[[1, 2]]]), BORDERS),
    (lambda: choice_as_printed([[1, 2], [3, 4]]), BORDERS),
    (lambda: choice_as_printed([[[1, 2, 3]] * 2]), BORDERS),
    (lambda: choice_as_printed(None), no_list("histograms", "None")),
    (
        lambda: choice_as_printed([[[0, 0], [1, 1]]]),
        "no border has an impurity as printed: every one of them divides 0 by 0",
    ),
    (lambda: choice_as_printed([TABLE, [[2**52 + 1, 1], [1, 1]]]), HELD),
    (lambda: choice_as_printed([TABLE, [[-(2**52) - 1, 1], [1, 1]]]), HELD),
    (lambda: choice_as_printed([TABLE, [[2**62, 1], [1, 1]]]), HELD),
    (lambda: choice_as_printed([[[0.5, 1], [1, 1]]]), f"histograms {INTEGERS}"),
    (lambda: clipping_bias(-1, 1), at_least("count", 0, -1)),
    (lambda: clipping_bias(2**53 + 1, 1), at_most("count", 9007199254740992, 9007199254740993)),
    (lambda: clipping_bias(0, 0), above_0("epsilon", 0)),
    (lambda: clipping_bias(0), EXACTLY_ONE),
    (lambda: summed_impurity([[1, 2]], [[1, 2], [3, 4]]), "left and right must have one shape, got (1, 2) and (2, 2)"),
    (lambda: summed_impurity([[1, -2]], [[1, 2]]), f"left {SMALL_COUNTS} (1, 2)"),
    (lambda: summed_impurity([[1, 2]], [[1, 2**40 + 1]]), f"right {SMALL_COUNTS} (1, 2)"),
    (lambda: summed_impurity([[1, 2]], [1, 2]), f"right {SMALL_COUNTS} (2,)"),
    (lambda: summed_impurity([[]], [[1]]), f"left {SMALL_COUNTS} (1, 0)"),
    (lambda: summed_impurity([[0.5]], [[1]]), f"left {INTEGERS}"),
    (lambda: summed_impurity([[1]], [[0.5]]), f"right {INTEGERS}"),
    (
        lambda: summed_impurity([[1, 0]] * 3, [[0, 1]] * 3, keys=pairwise_keys(2)),
        "there are 3 parties but 2 sets of keys",
    ),
    (lambda: step_table(-1, 2), at_least("n", 0, -1)),
    (lambda: step_table(10**9 + 1, 2), at_most("n", 1000000000, 1000000001)),
    (lambda: step_table(1, 1), at_least("bins", 2, 1)),
    (lambda: step_table(1, 257), at_most("bins", 256, 257)),
    (lambda: step_table(1, 2, step=None), f"step {NUMBER} None"),
    (lambda: step_table(1, 2, below="x"), f"below {NUMBER} 'x'"),
    (lambda: step_table(1, 2, above="x"), f"above {NUMBER} 'x'"),
    (lambda: step_table(1, 2, step=0), STEP),
    (lambda: step_table(1, 2, step=1), STEP),
    (lambda: step_table(1, 2, below=-1), STEP),
    (lambda: step_table(1, 2, above=-1), STEP),
    (lambda: step_table(1, 2, below=1.1), STEP),
    (lambda: step_table(1, 2, above=1.1), STEP),
    (lambda: probability_of_best_split([], 1), SPLITS),
    (lambda: probability_of_best_split([[[1, 2]]], 1), SPLITS),
    (lambda: probability_of_best_split([[[1], [2]]], 1), SPLITS),
    (lambda: probability_of_best_split([[[1, 2], [3, -1]]], 1), SPLITS),
    (lambda: probability_of_best_split([[1, 2], [3, 4]], 1), SPLITS),
    (
        lambda: probability_of_best_split([TABLE, [[4, 6], [0, 1]]], 1),
        "histograms must count the same rows: their class totals differ",
    ),
    (lambda: probability_of_best_split(3, 1), no_list("histograms", 3)),
    (lambda: probability_of_best_split([TABLE], 0), above_0("epsilon", 0)),
    (lambda: probability_of_best_split([TABLE], 1, 0), at_least("runs", 1, 0)),
    (lambda: probability_of_best_split([TABLE], 1, 10**6 + 1), at_most("runs", 1000000, 1000001)),
    (
        lambda: probability_of_best_split([step_table(9, 256)], 1, 2**14 + 1),
        "runs must be at most 16384 for these tables",
    ),
    (lambda: probability_of_best_split([[[2**51 + 1, 0], [0, 1]]], 1), HELD),
    (lambda: probability_of_best_split([[[2**62, 2**62], [2**62, 2**62]]], 1), HELD),
    (lambda: probability_of_best_split([[[0.5, 1], [1, 1]]], 1), f"histograms {INTEGERS}"),
    (lambda: quantile_edges([1, 2], [0, 1, 2], 1), at_least("bins", 2, 1)),
    (lambda: quantile_edges([1, 2], [0, 1, 2], 257), at_most("bins", 256, 257)),
    (lambda: quantile_edges([1], [0, 1], 2), f"{SOME_BINS} (1,)"),
    (lambda: quantile_edges([[[1]], [[2]]], [0, 1, 2], 2), f"{SOME_BINS} (2, 1, 1)"),
    (lambda: quantile_edges([[], []], [0, 1, 2], 2), f"{SOME_BINS} (2, 0)"),
    (lambda: quantile_edges([1.5, 2], [0, 1, 2], 2), f"counts {INTEGERS}"),
    (lambda: quantile_edges([1, 2], [0, 1], 2), EDGES),
    (lambda: quantile_edges([1, 2], [0, 1, 1], 2), EDGES),
    (lambda: quantile_edges([1, 2], [0, "x", 1], 2), f"edges {NUMBER} 'x'"),
    (lambda: quantile_edges([1, 2], 3, 2), no_list("edges", 3)),
    (
        lambda: quantile_domain([[1, 2, 3]], FINE, 2),
        "counts must have the shape (7, 2) of the domain's codes and classes, got (1, 3)",
    ),
    (lambda: quantile_domain([1.5], FINE, 2), f"counts {INTEGERS}"),
    (lambda: quantile_domain([[1]], None, 2), no("Domain", "domain", "NoneType")),
    (lambda: private_quantile_domain(None, 1, 2), no("Federation", "federation", "NoneType")),
    (lambda: prefix_error(0, 4, "1/2"), above_0("epsilon", 0)),
    (lambda: prefix_error(1, 0, "1/2"), at_least("cells", 1, 0)),
    (lambda: prefix_error(1, 65537, "1/2"), at_most("cells", 65536, 65537)),
    (lambda: prefix_error(1, 4, 0), f"{FAILURE} 0"),
    (lambda: prefix_error(1, 4, 1), f"{FAILURE} 1"),
    (lambda: prefix_error(1, 4, None), f"failure {NUMBER} None"),
    (lambda: prefix_error(1, 4, "1/2", n_parties=0), at_least("n_parties", 1, 0)),
    (lambda: prefix_error(1, 4, "1/2", n_parties=3, tolerate=3), at_most("tolerate", 2, 3)),
    (lambda: prefix_error(1, 4, "1/2", tolerate=-1), at_least("tolerate", 0, -1)),
    (lambda: private_quantile_domain(federation(), 1, 1), at_least("bins", 2, 1)),
    (lambda: private_quantile_domain(federation(), 1, 257), at_most("bins", 256, 257)),
    (lambda: trusted_joint_quantiles([1, -1], range(3), 2, 1), f"{FINE_BINS} (2,)"),
    (lambda: trusted_joint_quantiles([[1, 1]], range(3), 2, 1), f"{FINE_BINS} (1, 2)"),
    (lambda: trusted_joint_quantiles([1], range(2), 2, 1), f"{FINE_BINS} (1,)"),
    (lambda: trusted_joint_quantiles([1] * 257, range(258), 2, 1), f"{FINE_BINS} (257,)"),
    (lambda: trusted_joint_quantiles([2**40, 1], range(3), 2, 1), "counts must be of at most 2**40 records in all"),
    (lambda: trusted_joint_quantiles([1, 1], range(2), 2, 1), EDGES),
    (lambda: trusted_joint_quantiles([1, 1], range(3), 3, 1), at_most("bins", 2, 3)),
    (lambda: trusted_joint_quantiles([1, 1], range(3), 1, 1), at_least("bins", 2, 1)),
    (lambda: trusted_joint_quantiles([1, 1], range(3), 2, 0), above_0("epsilon", 0)),
    (lambda: trusted_joint_quantiles_pmf([1, 1], 3, 1), at_most("bins", 2, 3)),
    (lambda: trusted_joint_quantiles_pmf([1] * 40, 9, 1), "a grid of 40 bins has too many choices of 8 edges to list"),
    (lambda: trusted_joint_quantiles_pmf([1, 1], 2), EXACTLY_ONE),
    (lambda: trusted_joint_quantiles_pmf([1, 1], 2, 1, alpha="1/2"), EXACTLY_ONE),
    (lambda: joint_sensitivity(1), at_least("bins", 2, 1)),
    (lambda: joint_utility([1, 1], []), PLACES),
    (lambda: joint_utility([1, 1, 1], [2, 1]), PLACES),
    (lambda: joint_utility([1, 1, 1], [1, 1]), PLACES),
    (lambda: joint_utility([1, 1], [0]), at_least("places", 1, 0)),
    (lambda: joint_utility([1, 1], [2]), at_most("places", 1, 2)),
    (lambda: joint_utility([1, 1], 1), no_list("places", 1)),
    (lambda: trusted_joint_quantiles_pmf([1.5, 2], 2, 1), f"counts {INTEGERS}"),
    (lambda: combined(HALVES), "both derivations must be of the same features and classes, in the same order"),
    (lambda: combined(HALVES, Categorical("ward", ("A", "C", "B"))), f"the feature 'ward' {SHARED}"),
    (lambda: combined(Categorical("age", (0, 1)), WARD), f"the feature 'age' {SHARED}"),
    (lambda: combined(HALVES, Numeric("ward", (0, 1, 2))), f"the feature 'ward' {SHARED}"),
    (lambda: combined(Numeric("age", (0, 21, 100)), WARD), AMONG),
    (lambda: combined(Numeric("age", (0, 20, 98)), WARD), AMONG),
    (lambda: combined(Numeric("age", (2, 20, 100)), WARD), AMONG),
    (lambda: combined_derivation("text", derivation()), no("Derivation", "first", "str")),
    (lambda: combined_derivation(derivation(), Ledger(1)), no("Derivation", "second", "Ledger")),
    (lambda: as_parents([]), ROOT),
    (lambda: as_parents([0]), ROOT),
    (lambda: as_parents([[-1]]), ROOT),
    (lambda: as_parents([-1, -1]), f"parents[1] {EARLIER} 0, got -1"),
    (lambda: as_parents([-1, 0, 2]), f"parents[2] {EARLIER} 1, got 2"),
    (lambda: as_parents([-1, 0, 3, 9]), f"parents[2] {EARLIER} 1, got 3"),
    (lambda: as_parents([-1, 0.0]), f"parents {INTEGERS}"),
    (lambda: consistent_totals([-1, 0, 0], [1, 2], [1, 1, 1]), f"{SHAPES} (2,)"),
    (lambda: consistent_totals([-1, 0, 0], [[[1]], [[2]], [[3]]], [1, 1, 1]), f"{SHAPES} (3, 1, 1)"),
    (lambda: consistent_totals([-1, 0, 0], 5, [1, 1, 1]), f"{SHAPES} ()"),
    (lambda: consistent_totals([-1, 0, 0], [1, 2, float("nan")], [1, 1, 1]), VIEWS),
    (lambda: consistent_totals([-1, 0, 0], np.array([1, 2, np.nan]), [1, 1, 1]), VIEWS),
    (lambda: consistent_totals([-1, 0, 0], np.array([1, 2, -np.inf]), [1, 1, 1]), VIEWS),
    (lambda: consistent_totals([-1, 0, 0], [1, 2, 2.0**62 + 1024], [1, 1, 1]), "values must be numbers within ±2**62"),
    (lambda: consistent_totals([-1, 0, 0], [1, 2, 3], [1, 1]), f"variances {THREE}"),
    (lambda: consistent_totals([-1, 0, 0], [1, 2, 3], [1, 1, None]), f"variances[2] {NO_VIEW}"),
    (lambda: consistent_totals([-1, 0, 0], [1, 2, 3], [1, None, None]), f"variances[1] {NO_VIEW}"),
    (lambda: consistent_totals([-1, 0, 0], [1, 2, 3], [0, 1, 1]), SPREAD),
    (lambda: consistent_totals([-1, 0, 0], [1, 2, 3], [1, 1, 1e101]), SPREAD),
    (lambda: consistent_totals([-1, 0, 0], [1, 2, 3], [1, 9e-101, 1]), SPREAD),
    (
        lambda: consistent_totals([-1, 0, 0], [1, 2, 3], [1, "x", 1]),
        f"{VIEW_TYPES} str672 of shape (3,)",
    ),
    (
        lambda: consistent_totals([-1, 0, 0], [1, 2, 3], [[1], [1], [1]]),
        f"{VIEW_TYPES} int64 of shape (3, 1)",
    ),
    (lambda: consistent_totals([-1, 0, 0], [1, 2, 3], 7), no_list("variances", 7)),
    (lambda: least_squares([-1, 0, 0], [1, 2], [1, 1, 1]), f"values {THREE}"),
    (lambda: least_squares([-1, 0, 0], [1, 2, "x"], [1, 1, 1]), f"values {NUMBER} 'x'"),
    (lambda: least_squares([-1, 0, 0], [None, 2, 3], [None, 1, 1]), f"values {NUMBER} None"),
    (lambda: least_squares([-1, 0, 0], 7, [1, 1, 1]), no_list("values", 7)),
    (lambda: least_squares([-1, 0, 0], [1, 2, 3], [1, 1, 0]), above_0("variances", 0)),
    (lambda: least_squares([-1, 0, 0], [1, 2, 3], [1, 1, None]), f"variances[2] {NO_VIEW}"),
    (lambda: least_squares([-1, 0, 0], [1, 2, 3], [1, 1]), f"variances {THREE}"),
    (lambda: round_with_sums([-1, 0, 0], [1, 2]), f"{ESTIMATES} (2,)"),
    (lambda: round_with_sums([-1, 0, 0], [[[1]]] * 3), f"{ESTIMATES} (3, 1, 1)"),
    (lambda: round_with_sums([-1, 0, 0], 5), f"{ESTIMATES} ()"),
    (lambda: round_with_sums([-1, 0, 0], ["1", "2", "3"]), f"{ESTIMATES} (3,)"),
    (lambda: round_with_sums([-1, 0, 0], [True, False, True]), f"{ESTIMATES} (3,)"),
    (lambda: round_with_sums([-1, 0, 0], [1, 2, None]), WITHIN),
    (lambda: round_with_sums([-1, 0, 0], [1, Fraction(2), True]), WITHIN),
    (lambda: round_with_sums([-1, 0, 0], [1, 2, float("nan")]), WITHIN),
    (lambda: round_with_sums([-1, 0, 0], [1, 2, 2.0**62 + 1024]), WITHIN),
    (lambda: round_with_sums([-1, 0, 0], [1, 2, -(2**62) - 1]), WITHIN),
]


test_sentences_of_refusals = said_in_full(REFUSED)
