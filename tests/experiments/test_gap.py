"""The gap between the reference trees: the benchmark's scale, whose code shares nothing with the package."""

import json
from dataclasses import replace
from fractions import Fraction
from zlib import crc32

import numpy as np
import pytest
from sklearn.compose import make_column_transformer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.tree import DecisionTreeClassifier

from benchmarks import reference
from fdpedu.datasets import BENCHMARK, DataSet, Split
from fdpedu.domain import Domain, Numeric
from fdpedu.experiments import gap as gap_module
from fdpedu.experiments import (
    gap_closed,
)
from fdpedu.experiments.gap import cart, pooled
from fdpedu.experiments.lower import algorithm_5
from fdpedu.trees import Design
from tests.support.repository import ROOT

SMALL = [data for data in BENCHMARK if data.size * data.domain.n_features < 150_000]


class Silent:
    """A generator whose noise is 0."""

    def laplace(self, scale, size):
        return np.zeros(size)


@pytest.mark.parametrize("data", SMALL, ids=lambda data: data.name)
def test_the_lower_reference_is_the_benchmark_s(data):
    """Without noise bit for bit: categories, ties and empty children included."""
    split = data.draw(np.random.default_rng(2))
    codes, tests = data.domain.encode(split.X_train), data.domain.encode(split.X_test)
    labels = data.domain.encode_labels(split.y_train).astype(np.int64)
    features = data.domain.features
    table = reference.Table(codes, labels, tuple(f.n_codes for f in features), tuple(f.ordered for f in features))
    expected = reference.algorithm_5(table, tests, 1.0, Silent(), clip=False).predictions
    assert algorithm_5(codes, labels, tests, data.domain, 1.0, None).tolist() == expected.tolist()


def test_it_measures_what_was_measured_by_the_federation():
    """Accuracies of all three trees at ε = 1, against the stored ones: two-sided, within 4 standard errors."""
    rows = json.loads((ROOT / "book" / "measured" / "accuracy.json").read_text("utf8"))["records"]
    for name in ("mixture n=250 p=10 ρ=0.9", "one strong feature"):
        methods = ("A5", "algorithm-5-clipped, tolerate=0", "CART")
        there = [next(r for r in rows if (r["data"], r["epsilon"], r["method"]) == (name, "1", m)) for m in methods]
        gap = gap_closed("algorithm-5-clipped", 1, data=[name], runs=20)
        for mine, stored in zip(gap.accuracies[0], there, strict=True):
            assert abs(mine - stored["mean"]) < 4 * stored["se"] * np.sqrt(1 + stored["runs"] / 20)


def test_pooled_by_hand():
    """Two data sets with gaps of .2 and .1, of which .1 and .1 is closed: two thirds; the error by the delta method."""
    one = np.array([[0.5, 0.6, 0.7], [0.5, 0.6, 0.7]])
    other = np.array([[0.5, 0.58, 0.6], [0.5, 0.62, 0.6]])
    share, error = pooled([one, other])
    assert share == pytest.approx(2 / 3)
    assert error == pytest.approx(np.std([0.08, 0.12], ddof=1) / np.sqrt(2) / 0.3)


def test_the_references_close_nothing_and_nearly_everything():
    """CART on the grid closes most of the gap; one party's own less; a repetition gives the same."""
    data = ["mixture n=1000 p=10 ρ=0.3"]
    central, local = (gap_closed(method, 1, data=data, runs=6) for method in ("central", "local"))
    assert central.share > local.share and 0.6 < central.share < 1.4
    assert gap_closed("local", 1, data=data, runs=6) == local and "local closes" in str(local)


# --- what was measured, and on which rows -----------------------------------------------------------------------------


MIXTURE = "mixture n=250 p=10 ρ=0.9"


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
    small = next(one for one in BENCHMARK if one.name == MIXTURE)
    split = small.draw(np.random.default_rng(3))
    labels = small.domain.encode_labels(split.y_train).astype(np.int64)
    numbers = split.X_train.astype(float), split.X_test.astype(float)
    for least, same in ((10, True), (1, False)):
        tree = DecisionTreeClassifier(max_depth=5, min_samples_leaf=least, random_state=1).fit(numbers[0], labels)
        assert (tree.predict(numbers[1]) == cart(split, labels, small, 1)).all() == same


def test_a_gap_says_what_was_measured():
    """Method, budget, data, runs; what is not given is ten runs, five parties and the seed 0."""
    whole = gap_closed("local", 1, data=[MIXTURE])
    assert whole == gap_closed("local", 1, data=(MIXTURE, MIXTURE), runs=10, parties=5, seed=0)
    assert (whole.method, whole.epsilon, whole.data, whole.runs) == ("local", 1, (MIXTURE,), 10)
    assert str(whole) == f"local closes {whole.share:.2f} ± {whole.se:.2f} of the gap at ε = 1"
    for other in ({"runs": 9}, {"parties": 7}, {"seed": 1}):
        assert gap_closed("local", 1, data=[MIXTURE], **other).accuracies != whole.accuracies
    assert gap_closed(Design(), "1/2", data=[MIXTURE], runs=2, seed=2**63 - 1).method == "a design"


def test_rows_come_from_a_stream_named_by_seed_data_set_and_run():
    data, right = next(one for one in BENCHMARK if one.name == MIXTURE), []
    for run in range(2):
        names = [crc32(MIXTURE.encode()), crc32(b"rows")]
        split = data.draw(np.random.default_rng(np.random.SeedSequence([5, run, *names])))
        labels = data.domain.encode_labels(split.y_train).astype(np.int64)
        right.append((cart(split, labels, data, run) == data.domain.encode_labels(split.y_test)).mean())
    assert gap_closed("local", 1, data=[MIXTURE], runs=2, seed=5).accuracies[0][2] == pytest.approx(np.mean(right))


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


def test_gaps_are_measured_on_rows_of_their_own(simulated, monkeypatch):
    """The same of a gap; seven parties are dealt the rows; both references see the same rows."""
    low = []
    monkeypatch.setattr(gap_module, "algorithm_5", lambda codes, labels, tests, domain, epsilon, rng: (
        low.append((epsilon, int(rng.integers(2**60)))), np.zeros(len(tests), int))[1])  # fmt: skip
    two = Domain([Numeric.grid("x", 0, 4, 4)], (0, 1))

    def law(name, first):
        def draw(rng):
            first.append(int(rng.integers(2**60)))
            X = rng.uniform(0, 4, (70, 1))
            return Split(X, (X[:, 0] > 2).astype(int), X[:40], (X[:40, 0] > 2).astype(int))

        return DataSet(name, 70, two, draw)

    firsts = [], []
    monkeypatch.setattr(gap_module, "BENCHMARK", (law("one", firsts[0]), law("two", firsts[1])))
    for seed, epsilon in ((0, 1), (1, 1), (0, 2)):
        found = gap_closed("default", epsilon, runs=3, parties=7, seed=seed)
        assert found.data == ("one", "two") and [upper for *_, upper in found.accuracies] == [1.0, 1.0]
    assert len({*firsts[0], *firsts[1]}) == 12 and [len(first) for first in firsts] == [9, 9]  # ε names no rows
    assert all(given.parties.shape == (1, 70) and given.n_parties == 7 for _, given, *_ in simulated)
    assert len({tuple(given.parties[0]) for _, given, *_ in simulated}) == 12  # ε deals nothing either
    for streams in ([first for *_, first in simulated], [first for _, first in low]):
        assert len(set(streams)) == len(streams) == 18
    assert (
        [options["epsilon"].epsilon for _, _, options, _ in simulated]
        == [epsilon for epsilon, _ in low]
        == [1] * 12 + [2] * 6
    )
    assert {options["max_depth"] for _, _, options, _ in simulated} == {5}


def test_a_method_with_a_rule_has_its_own_shape(simulated, monkeypatch):
    """By the nominal size of the data set and ε, not by how many rows there are; other methods have that of old."""
    data = next(one for one in BENCHMARK if one.name == MIXTURE)
    monkeypatch.setattr(gap_module, "BENCHMARK", (replace(data, size=4000),))
    for method, epsilon in (("rotating", "1/2"), ("owner", 3), ("permute-and-flip", 3), (Design(), 3)):
        gap_closed(method, epsilon, data=[MIXTURE], runs=2)
    shapes = [{k: v for k, v in options.items() if k != "epsilon"} for _, _, options, _ in simulated[::2]]
    five, six = ({"max_depth": depth, "leaf_share": Fraction(1, 5)} for depth in (5, 6))
    assert shapes == [five, six, {"max_depth": 5}, {"max_depth": 5}]


CHOOSING = ("rotating", "owner", "exponential", "permute-and-flip")


@pytest.mark.parametrize("method", CHOOSING)
def test_methods_that_choose_know_categories(method, monkeypatch):
    """On an imitation of a census with fewer rows."""
    data = next(one for one in BENCHMARK if one.name == "census imitation")

    def few(rng):
        split = data.draw(rng)
        return Split(split.X_train[:900], split.y_train[:900], split.X_test[:400], split.y_test[:400])

    monkeypatch.setattr(gap_module, "BENCHMARK", (replace(data, size=900, draw=few),))
    gap = gap_closed(method, 50, data=[data.name], runs=2)
    assert gap.accuracies[0][1] > 0.78  # as always "≤ 50K" has, and more


def test_choices_beat_counts():
    """Of three small data sets, at the same ε: by three standard errors of the difference."""
    small = ["mixture n=1000 p=50 ρ=0.9", "one strong feature", "mixture n=1000 p=10 ρ=0.3"]
    counts, rotating, owner = (gap_closed(m, 1, data=small, runs=6) for m in ("default", "rotating", "owner"))
    for choices in (rotating, owner):
        assert choices.share - counts.share > 3 * np.hypot(choices.se, counts.se)
