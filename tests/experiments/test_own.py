"""The private tree beside one party's own: rows, divisions, differences and real data."""

import numpy as np
import pytest

from fdpedu.experiments import REAL, compare_with_own, mixture_of
from fdpedu.experiments.own import divided


@pytest.mark.parametrize(("parties", "skewed", "sizes"), [(4, False, [25] * 4), (4, True, [10, 20, 30, 40])])
def test_divisions(parties, skewed, sizes):
    whose = divided(100, parties, skewed=skewed, rng=np.random.default_rng(1))
    assert np.bincount(whose).tolist() == sizes and sorted(whose.tolist()) != whose.tolist()


@pytest.mark.parametrize(("n", "parties"), [(7, 3), (1000, 7), (101, 100)])
def test_every_row_has_a_party_and_every_party_a_row(n, parties):
    sizes = np.bincount(divided(n, parties, skewed=False, rng=np.random.default_rng(1)), minlength=parties)
    assert sizes.sum() == n and sizes.max() - sizes.min() <= 1


def test_more_rows_and_more_budget_help_the_private_tree():
    """From 100 rows to 4000 the difference grows, and from ε = 1/10 to 10; at 20 parties the private tree wins."""
    few, many = (compare_with_own(mixture_of(n, 5, "0.3"), ["1/10", 10], parties=20, runs=12) for n in (100, 4000))
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


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: compare_with_own(None, [1]), "data must be a DataSet"),
        (lambda: compare_with_own(REAL[1], [1], method="local"), "method must be a private one of"),
        (lambda: compare_with_own(REAL[1], [1], parties=1), "parties must be an integer ≥ 2"),
        (lambda: compare_with_own(REAL[1], [1], parties=20, skewed=True), "120 rows are too few for 20 parties"),
        (lambda: compare_with_own(REAL[1], [0]), "epsilon must be greater than 0"),
        (lambda: compare_with_own(REAL[1], [1], max_depth=11), "max_depth must be at most 10"),
        (lambda: mixture_of(5, 1, 0), "n must be an integer ≥ 10"),
        (lambda: mixture_of(50, 1, 2), "rho must lie between 0 and 1"),
    ],
)
def test_what_makes_no_sense_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()
