"""The private tree beside one party's own: rows, divisions, differences and real data."""

import numpy as np
import pytest

from fdpedu.datasets import DataSet, Split
from fdpedu.domain import Domain, Numeric
from fdpedu.experiments import (
    REAL,
    compare_with_own,
    mixture_of,
    own,
)
from fdpedu.experiments.own import divided


@pytest.mark.parametrize(("skewed", "shares"), [(False, [1, 1, 1, 1]), (True, [1, 2, 3, 4])])
def test_divisions(skewed, shares):
    """Every row has its own draw: all parties as likely, or in the ratio 1 : 2 : 3 : 4, by χ²; a part may be empty."""
    whose = divided(4000, 4, skewed=skewed, rng=np.random.default_rng(1))
    expected = 4000 * np.array(shares) / sum(shares)
    assert ((np.bincount(whose) - expected) ** 2 / expected).sum() < 45  # 3 degrees of freedom: once in 10⁹
    assert len(set(divided(4, 100, skewed=skewed, rng=np.random.default_rng(1)).tolist())) <= 4


def test_more_rows_and_more_budget_help_the_private_tree():
    """From 100 rows to 4000 the difference grows, and from ε = 1/10 to 10; at 40 parties the private tree wins."""
    few, many = (compare_with_own(mixture_of(n, 5, "0.3"), ["1/10", 10], parties=40, runs=12) for n in (100, 4000))
    assert many[1].wins and not few[0].wins
    assert few[0].private < few[1].private < many[1].private and many[0].private < many[1].private


def test_numbers_fit_each_other():
    one = compare_with_own(mixture_of(400, 3, 0), [2], parties=4, runs=6)[0]
    assert one.difference == pytest.approx(one.private - one.own) and one.se > 0
    assert (one.n, one.parties, one.majority) == (400, 4, 0.5)
    assert compare_with_own(mixture_of(400, 3, 0), [2], parties=4, runs=6)[0] == one
    alone = compare_with_own(mixture_of(400, 3, 0), [1, 2], parties=4, runs=6)[1]
    assert alone == one


def test_the_smallest_of_skewed_parties_is_the_one_compared():
    """With 1, 2, …, 10 parts its own tree is worse than with equal parts; the private tree's rows are the same."""
    equal, skewed = (compare_with_own(REAL[0], [5], parties=10, skewed=s, runs=8)[0] for s in (False, True))
    assert skewed.own < equal.own - 0.1 and abs(skewed.private - equal.private) < 0.05


@pytest.mark.parametrize("data", REAL, ids=lambda data: data.name)
def test_real_data(data):
    """As many rows as stated, both classes, no row twice; ranges are not the columns' extremes."""
    split = data.draw(np.random.default_rng(1))
    assert len(split.y_train) == data.size and split.X_train.shape[1] == data.domain.n_features
    assert len(set(np.asarray(split.y_train).tolist())) == 2
    whole = np.concatenate([split.X_train, split.X_test]).astype(float)
    beyond = [
        f.edges[0] <= c.min() and c.max() <= f.edges[-1] for f, c in zip(data.domain.features, whole.T, strict=True)
    ]
    assert np.mean(beyond) > 0.8
    again = data.draw(np.random.default_rng(1))
    assert np.array_equal(split.X_train, again.X_train)


THREE = Domain([Numeric.grid("x", 0, 4, 4)], (0, 1, 2))


class Drawn:
    """A law that notes where its rows come from; the third class is the most frequent of those to learn from."""

    def __init__(self):
        self.first = []

    def __call__(self, rng):
        self.first.append(int(rng.integers(2**60)))
        return Split(
            np.full((60, 1), 1.5), np.repeat([0, 1, 2], [10, 20, 30]), np.ones((10, 1)), [0] * 5 + [1] * 3 + [2] * 2
        )


def data_of(name="three"):
    drawn = Drawn()
    return drawn, DataSet(name, 60, THREE, drawn)


def test_a_comparison_is_made_of_its_runs(monkeypatch):
    """Means, the difference and the error of the difference run by run, at each of three ε for itself."""
    table = np.random.default_rng(1).uniform(0, 1, (6, 5))
    monkeypatch.setattr(own, "_run", lambda *given: table[given[-1]])
    found = own.compare_with_own(data_of()[1], [1, 2, 3], parties=4, runs=6)
    for i, one in enumerate(found):
        each = table[:, 2 + i] - table[:, 1]
        assert one.majority == pytest.approx(table[:, 0].mean()) and one.own == pytest.approx(table[:, 1].mean())
        assert one.private == pytest.approx(table[:, 2 + i].mean()) and one.difference == pytest.approx(each.mean())
        assert one.se == pytest.approx((sum((each - each.mean()) ** 2) / 5 / 6) ** 0.5)
        assert (one.epsilon, one.parties, one.n, one.data) == (i + 1, 4, 60, "three")


@pytest.mark.parametrize("skewed", [False, True])
def test_own_trees_are_compared_on_rows_of_their_own(simulated, skewed):
    """Other rows, another division and other noise in each run, at each ε, of each seed and data set."""
    streams, rows = [], []
    for seed, name in ((0, "three"), (1, "three"), (0, "other")):
        drawn, data = data_of(name)
        (one, _) = own.compare_with_own(data, [1, 2], parties=5, skewed=skewed, runs=3, seed=seed, max_depth=4)
        assert one.majority == pytest.approx(0.2)  # the third class is the most frequent of those that were learnt from
        rows += drawn.first
    assert len(set(rows)) == 9
    for method, given, options, first in simulated:
        assert given.parties.shape == (1, 60) and given.n_parties == 5
        assert options["max_depth"] == 4 and (options.get("epsilon") is None) == (method == "local")
        streams.append(first)
    assert len(set(streams)) == len(streams) == 27
    assert len({tuple(given.parties[0]) for _, given, *_ in simulated}) == 9
    assert [options.get("epsilon") for _, _, options, _ in simulated[:3]] == [None, 1, 2]


@pytest.mark.parametrize(("data", "load", "chosen"), [
    (REAL[1], "load_wine", 0), (REAL[2], "load_digits", 0), (REAL[3], "load_digits", 8)])  # fmt: skip
def test_real_rows_are_all_there_once_with_the_class_of_their_name(data, load, chosen):
    """Those to learn from and those to be tested on are all rows of scikit-learn, each once."""
    import sklearn.datasets

    X, y = getattr(sklearn.datasets, load)(return_X_y=True)
    split = data.draw(np.random.default_rng(3))
    both = np.column_stack(
        [np.concatenate([split.X_train, split.X_test]), np.concatenate([split.y_train, split.y_test])]
    )
    expected = np.column_stack([X, y == chosen])
    assert np.array_equal(both[np.lexsort(both.T)], expected[np.lexsort(expected.T)])
    assert str(chosen) in data.name or data.name == "wine, the first grower"
