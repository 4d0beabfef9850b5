"""The gap between the reference trees: the benchmark's scale, whose code shares nothing with the package."""

import json

import numpy as np
import pytest

from benchmarks import reference
from fdpedu.datasets import BENCHMARK
from fdpedu.experiments import gap_closed
from fdpedu.experiments.gap import pooled
from fdpedu.experiments.lower import algorithm_5
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


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: gap_closed("best", 1), "method must be one of"),
        (lambda: gap_closed("local", 1, data=["iris"]), "data must be one or more of .* got 'iris'"),
        (lambda: gap_closed("local", 1, data=[]), "data must be one or more of"),
        (lambda: gap_closed("local", 1, runs=1), "runs must be an integer ≥ 2"),
        (lambda: gap_closed("default", 0), "epsilon must be greater than 0"),
        (lambda: gap_closed("default", "1e400"), "epsilon must lie between 1e-6 and 1e6"),
        (lambda: gap_closed("local", 1, parties=0), "parties must be an integer ≥ 1"),
    ],
)
def test_what_makes_no_sense_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()
