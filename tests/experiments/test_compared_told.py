"""What is compared, to the letter: splits of odd counts, removed features, references, pooled gaps, and refusals."""

from zlib import crc32

import numpy as np
import pytest
from sklearn.compose import make_column_transformer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.tree import DecisionTreeClassifier

from fdpedu.datasets import BENCHMARK
from fdpedu.experiments import Faults, Setting, dearest_cost, epsilon_spent, gap_closed, path_cost
from fdpedu.experiments.choosing import choose_and_remove, choose_split, leaf_labels, scaled_impurities, stops
from fdpedu.experiments.gap import cart, pooled
from fdpedu.trees import Design

SETTING, CLIPPED = Setting(3, 250, 10, 5, "0.3"), Faults(clipped_shares=True)
SMALL = "mixture n=250 p=10 ρ=0.9"


def table(*features):
    """One node: for each feature the counts of class 0 and of class 1, bin by bin."""
    return np.array([features], dtype=float)


# --- splits of counts that are not counts any more --------------------------------------------------------------------


def test_a_side_of_no_rows_and_two_classes_is_as_impure_as_division_says():
    """As printed: 1 and −1 rows have n = 0 and ab = −1; with clipped shares such a side is passed over."""
    counts = table([[1, 3], [-1, 4]])
    assert scaled_impurities(counts, clipped_shares=False)[0, 0, 0] == -np.inf
    assert scaled_impurities(counts, clipped_shares=True)[0, 0, 0] == np.inf


def test_the_switch_of_clipped_shares_reaches_both_algorithms():
    """Feature 0 has a side (−2, 3) of −6 as printed, which is the least; clipped it is 0, and feature 1 has less."""
    counts = table([[-2, 9], [3, 1]], [[5, 5], [0, 0.01]])
    for choose in (choose_split, lambda c, faults: choose_and_remove(c, np.zeros((1, 2)), faults)):
        assert choose(counts, Faults()).feature.tolist() == [0]
        assert choose(counts, CLIPPED).feature.tolist() == [1]


@pytest.mark.parametrize("own", [False, True])
def test_where_no_split_is_allowed_none_is_found(own):
    """Whatever the sign of the total: ∞ over −1 is not the least of all."""
    faults = Faults(clipped_shares=True, own_totals=own)
    without = [[-2, 1], [-1, 1]]
    found = choose_split(table(without), faults), choose_and_remove(table(without), np.zeros((1, 1)), faults)
    assert [one.found.tolist() for one in found] == [[False], [False]]
    both = table(without, [[5, 1], [1, 5]])
    assert choose_split(both, faults).feature.tolist() == [1]
    found = choose_and_remove(both, np.array([[0.0, 1.0]]), faults)
    assert (found.feature.tolist(), found.visited.tolist(), found.found.tolist()) == ([1], [[True, True]], [True])


def test_a_total_of_no_rows_is_no_warning():
    """0/0 and 1/0 are passed over, −4/0 is the least of all: as the arithmetic of the algorithm has it."""
    nothing, more, less, good = [[1, -1], [0, 0]], [[1, -2], [1, 0]], [[-2, 1], [3, -2]], [[5, 1], [1, 5]]
    for choose in (choose_split, lambda c, faults: choose_and_remove(c, np.zeros((1, 2)), faults)):
        for one, feature in ((nothing, 1), (more, 1), (less, 0)):
            assert choose(table(one, good), Faults()).feature.tolist() == [feature]


def test_a_later_feature_of_a_larger_total_does_not_lift_the_limit():
    """Feature 0 leaves n·G = 1.8; feature 1, no better, has ten times the rows; 3 is above 1.8."""
    counts = table([[9, 1], [1, 9]], [[50, 50], [50, 50]], [[10, 0], [0, 10]])
    found = choose_and_remove(counts, np.array([[0.0, 1.0, 3.0]]), Faults())
    assert found.visited.tolist() == [[True, True, False]] and found.feature.tolist() == [0]


def test_equal_bounds_are_taken_in_the_features_order():
    """Also of more features than a short sort compares one by one."""
    p = 300
    counts = np.tile(table([[5, 5], [5, 5]]), (1, p, 1, 1))
    found = choose_and_remove(counts, np.full((1, p), np.inf), Faults(own_totals=True))
    assert np.flatnonzero(found.visited[0]).tolist() == [0] and found.feature.tolist() == [0]


def test_of_equal_impurities_the_first_with_the_least_bound_wins():
    nodes, p = 200, 300
    counts = np.tile(table([[5, 5], [5, 5]]), (nodes, p, 1, 1))
    bounds = np.random.default_rng(1).integers(0, 3, size=(nodes, p)).astype(float)
    for faults in (Faults(), Faults(own_totals=True)):
        assert choose_and_remove(counts, bounds, faults).feature.tolist() == (bounds == 0).argmax(axis=1).tolist()


def test_less_than_a_row_is_a_row():
    """Noisy totals are no integers: a class is missing at 0, not at a half."""
    seen = np.ones((1, 1), dtype=bool)
    assert not stops(np.array([[[20, 0.5]]]), seen, Faults(), saving=False)[0]
    assert stops(np.array([[[20, 0.0]]]), seen, Faults(), saving=False)[0]


def test_the_margin_itself_is_enough():
    counts = np.array([[0, 0.3], [0, 0.29]])
    for faults, labels in ((Faults(leaf_margin=True), [1, 0]), (Faults(), [1, 1])):
        found = leaf_labels(counts, faults)
        assert found.tolist() == labels and found.dtype == np.int64


# --- the gap ----------------------------------------------------------------------------------------------------------


def test_the_upper_reference_is_scikit_learn_s_with_a_column_for_each_category():
    """Predictions as its own encoder gives them; the tree differs where a leaf may have fewer rows, or is deeper."""
    data = next(one for one in BENCHMARK if one.name == "census imitation")
    split, features = data.draw(np.random.default_rng(3)), data.domain.features
    labels = data.domain.encode_labels(split.y_train).astype(np.int64)
    named = [j for j, feature in enumerate(features) if not feature.ordered]
    kinds = OneHotEncoder(categories=[list(features[j].categories) for j in named])
    columns = make_column_transformer((kinds, named), remainder="passthrough", sparse_threshold=0)

    def predicted(**options):
        tree = make_pipeline(columns, DecisionTreeClassifier(random_state=1, **options))
        return tree.fit(split.X_train, labels).predict(split.X_test)

    found = cart(split, labels, data, 1)
    assert (found == predicted(max_depth=5, min_samples_leaf=10)).mean() > 0.999
    small = next(one for one in BENCHMARK if one.name == SMALL)
    split = small.draw(np.random.default_rng(3))
    labels = small.domain.encode_labels(split.y_train).astype(np.int64)
    numbers = split.X_train.astype(float), split.X_test.astype(float)
    for least, same in ((10, True), (1, False)):
        tree = DecisionTreeClassifier(max_depth=5, min_samples_leaf=least, random_state=1).fit(numbers[0], labels)
        assert (tree.predict(numbers[1]) == cart(split, labels, small, 1)).all() == same


def test_a_gap_says_what_was_measured():
    """Method, budget, data, runs; what is not given is ten runs, five parties and the seed 0."""
    whole = gap_closed("local", 1, data=[SMALL])
    assert whole == gap_closed("local", 1, data=(SMALL, SMALL), runs=10, parties=5, seed=0)
    assert (whole.method, whole.epsilon, whole.data, whole.runs) == ("local", 1, (SMALL,), 10)
    assert str(whole) == f"local closes {whole.share:.2f} ± {whole.se:.2f} of the gap at ε = 1"
    for other in ({"runs": 9}, {"parties": 7}, {"seed": 1}):
        assert gap_closed("local", 1, data=[SMALL], **other).accuracies != whole.accuracies
    assert gap_closed(Design(), "1/2", data=[SMALL], runs=2, seed=2**63 - 1).method == "a design"


def test_rows_come_from_a_stream_named_by_seed_data_set_and_run():
    data, right = next(one for one in BENCHMARK if one.name == SMALL), []
    for run in range(2):
        names = [crc32(SMALL.encode()), crc32(b"rows")]
        split = data.draw(np.random.default_rng(np.random.SeedSequence([5, run, *names])))
        labels = data.domain.encode_labels(split.y_train).astype(np.int64)
        right.append((cart(split, labels, data, run) == data.domain.encode_labels(split.y_test)).mean())
    assert gap_closed("local", 1, data=[SMALL], runs=2, seed=5).accuracies[0][2] == pytest.approx(np.mean(right))


@pytest.mark.parametrize("seed", range(3))
def test_the_error_of_a_pooled_share_is_the_delta_method_s(seed):
    """Against the derivatives of (Σ own − Σ lower)/(Σ upper − Σ lower), with the covariances of the three."""
    rng = np.random.default_rng(seed)
    tables = [rng.random((runs, 3)) + np.array([0, 1, 3]) for runs in (5, 9)]
    means = [one.mean(axis=0) for one in tables]
    whole = sum(mean[2] - mean[0] for mean in means)
    own = sum(mean[1] - mean[0] for mean in means)
    slope = np.array([own / whole - 1, 1, -own / whole]) / whole
    variance = sum(slope @ np.cov(one.T) @ slope / len(one) for one in tables)
    assert pooled(tables) == (pytest.approx(own / whole), pytest.approx(np.sqrt(variance)))
    assert pooled([one.astype(np.float32) for one in tables])[0] == pytest.approx(own / whole, rel=1e-6)


def test_text_is_no_number_of_a_gap():
    assert pooled([np.array([["0", "1", "2"], ["0", "1", "2"]])]) == (0.5, 0.0)


# --- refusals ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: gap_closed(3, 1), "averaged, default, or a Design, got 3"),
        (lambda: gap_closed("x", 1), "averaged, default, or a Design, got 'x'"),
        (lambda: gap_closed(["local"], 1), "averaged, default, or a Design, got list"),
        (lambda: gap_closed("local", 1, runs=10_001), "runs must be at most 10000, got 10001"),
        (lambda: gap_closed("local", 1, parties=101), "parties must be at most 100, got 101"),
        (lambda: gap_closed("local", 1, seed=2**63), f"seed must be at most {2**63 - 1}, got {2**63}"),
        (lambda: gap_closed("local", 1, seed=-1), "seed must be an integer ≥ 0, got -1"),
        (lambda: gap_closed("local", 1, data=3), "data must be a list, got 3"),
        (lambda: gap_closed("local", 1, data=[]), "clusters, one strong feature, census imitation"),
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
        (lambda: Faults().without("x"), "leaf_margin, strict_threshold, no_federation, got 'x'"),
    ],
)
def test_a_refusal_names_what_was_given(call, message):
    with pytest.raises(ValueError) as refusal:
        call()
    assert str(refusal.value).endswith(message)
