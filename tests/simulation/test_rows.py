"""Rows of several runs: what is refused, what is drawn, and that runs do not meet."""

import numpy as np
import pytest

from fdpedu.datasets import BENCHMARK, DataSet, Split
from fdpedu.domain import Domain, Numeric
from fdpedu.simulation import CodedRows, draw_rows, rows, simulate
from fdpedu.simulation.rows import MAX_NUMBERS
from tests.support.simulated import SIX, TWO_ROWS, refusal

AGE = Domain([Numeric.grid("age", 0, 3, 3), Numeric.grid("dose", 0, 2, 2)], ("well", "ill"))
GOOD = {
    "codes": np.array([[[0, 0], [2, 1]]]),
    "labels": np.array([[0, 1]]),
    "parties": np.array([[1, 0]]),
    "test_codes": np.array([[[1, 1]]]),
    "test_labels": np.array([[1]]),
    "n_parties": 2,
}
BAD = {
    "codes": ([[0, 0]], [[[0]]], [[[0, 2]]], [[[3, 0]]], [[[-1, 0]]], [[[0.0, 0.0]]], [[[0, 0], [2, 1]]] * 2, None),
    "labels": ([[0]], [[0, 2]], [[-1, 0]], [0, 1]),
    "parties": ([[0, 2]], [[-1, 0]], [[0]]),
    "test_codes": ([[[1, 2]]], [[[3, 1]]], [[[1, 1]]] * 2),
    "test_labels": ([[2]], [[0, 0]], [[-1]]),
    "n_parties": (0, True, 10**6 + 1, "2"),
}


def law(name, draw):
    return DataSet(name, 4, AGE, draw)


def four_and_two(rng):
    values = rng.random((6, 2)) * [3, 2]
    return Split(values[:4], ["well", "ill"] * 2, values[4:], ["ill", "well"])


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, values in BAD.items() for value in values])
def test_what_does_not_fit_is_refused(name, value):
    """Each table for itself; an error names the table and echoes none of its values."""
    CodedRows(AGE, **GOOD)
    with pytest.raises(ValueError, match=name.split("_")[0]):
        CodedRows(AGE, **{**GOOD, name: value})


def test_what_rows_say_of_themselves():
    rows = CodedRows(AGE, **GOOD)
    assert (rows.n_runs, rows.n_test) == (1, 1) and rows.codes.dtype == np.uint8
    with pytest.raises(ValueError, match="domain"):
        CodedRows("age", **GOOD)


def test_repeated_rows_are_the_same_rows_run_after_run():
    rows = CodedRows(AGE, **GOOD).repeated(3)
    assert rows.n_runs == 3 and rows.n_parties == 2
    for name in ("codes", "labels", "parties", "test_codes", "test_labels"):
        assert np.array_equal(getattr(rows, name), np.concatenate([GOOD[name]] * 3))
    last = rows.of_runs(2, 3)
    assert last.n_runs == 1 and np.array_equal(last.codes, GOOD["codes"]) and last.domain is AGE
    for times in (0, -1, 1.5):
        with pytest.raises(ValueError, match="times"):
            rows.repeated(times)
    many = CodedRows(
        AGE,
        **{
            **GOOD,
            "codes": np.zeros((1, 200, 2), int),
            "labels": np.zeros((1, 200), int),
            "parties": np.zeros((1, 200), int),
        },
    )
    with pytest.raises(ValueError, match=f"at most {MAX_NUMBERS}"):
        many.repeated(10**6)


def test_each_seed_draws_its_own_run_whatever_runs_beside_it():
    """Rows, the division among parties and the test rows."""
    seeds = np.random.SeedSequence(5).spawn(3)
    together, data = draw_rows(law("small", four_and_two), 2, seeds), law("small", four_and_two)
    for run in range(3):
        alone = draw_rows(data, 2, [seeds[run]])
        for name in ("codes", "labels", "parties", "test_codes", "test_labels"):
            assert np.array_equal(getattr(alone, name)[0], getattr(together, name)[run])
    assert not np.array_equal(together.codes[0], together.codes[1])


def test_rows_are_dealt_each_by_its_draw_and_coded_by_the_public_domain():
    data = BENCHMARK[0]
    seed = np.random.SeedSequence(9)
    rows = draw_rows(data, 5, [seed])
    sizes = np.bincount(rows.parties[0], minlength=5)
    assert sizes.sum() == 250 and ((sizes - 50) ** 2 / 50).sum() < 48  # χ², 4 degrees of freedom: once in 10⁹
    split = data.draw(np.random.default_rng(seed))
    assert np.array_equal(rows.codes[0], data.domain.encode(split.X_train))
    assert np.array_equal(rows.test_labels[0], split.y_test)
    orders = [tuple(draw_rows(data, 5, [s]).parties[0]) for s in seed.spawn(2)]
    assert orders[0] != orders[1]


def test_runs_do_not_meet():
    """Two runs with opposite labels, together and alone: CART learns each from its own rows."""
    codes = np.array([[[0, 0], [2, 0]]] * 2)
    labels = np.array([[0, 1], [1, 0]])
    rows = CodedRows(AGE, codes, labels, np.zeros((2, 2), int), codes, labels, 1)
    rng = np.random.default_rng(1)
    assert simulate("central", rows, min_samples_split=2, rng=rng).tolist() == [2, 2]
    swapped = CodedRows(AGE, codes, labels, np.zeros((2, 2), int), codes, labels[::-1], 1)
    assert simulate("central", swapped, min_samples_split=2, rng=rng).tolist() == [0, 0]


def test_runs_without_rows_to_learn_from_or_to_be_tested_on():
    """A tree of nothing says the first class; of no test rows none is right."""
    none = {"codes": np.zeros((2, 0, 2), int), "labels": np.zeros((2, 0), int), "parties": np.zeros((2, 0), int)}
    tests = {"test_codes": np.zeros((2, 3, 2), int), "test_labels": np.array([[0, 0, 1]] * 2)}
    rng = np.random.default_rng(1)
    assert simulate("central", CodedRows(AGE, **none, **tests, n_parties=1), rng=rng).tolist() == [2, 2]
    untested = {"test_codes": np.zeros((1, 0, 2), int), "test_labels": np.zeros((1, 0), int)}
    for method in ("algorithm-5-clipped", "algorithm-6", "default", "exponential"):
        assert simulate(method, CodedRows(AGE, **{**GOOD, **untested}), epsilon=1, rng=rng).tolist() == [0]


SEED = np.random.SeedSequence(1)


def test_the_last_rows_that_there_are(monkeypatch):
    """A million parties, a million repetitions, and as many numbers as there may be; one more is refused."""
    found = CodedRows(**{**TWO_ROWS, "n_parties": 10**6})
    assert found.n_parties == 10**6 and CodedRows(**{**TWO_ROWS, "n_parties": 1, "parties": [[0, 0]]}).n_parties == 1
    assert "times" in refusal(found.repeated, 0)
    assert found.repeated(1).n_runs == 1 and found.repeated(10**6).n_runs == 10**6
    monkeypatch.setattr(rows, "MAX_NUMBERS", 33)  # eleven numbers a run: 4 codes, 2 labels, 2 parties, 2 + 1 tests
    assert found.repeated(3).n_runs == 3
    assert "times" in refusal(found.repeated, 4)
    monkeypatch.setattr(rows, "MAX_NUMBERS", 4)
    assert CodedRows(**TWO_ROWS).n_runs == 1
    monkeypatch.setattr(rows, "MAX_NUMBERS", 3)
    assert "codes" in refusal(CodedRows, **TWO_ROWS)


def test_rows_as_they_are_reported():
    """One is one, and two are two."""
    one = CodedRows(**TWO_ROWS)
    assert repr(one) == "CodedRows(1 run, 2 rows of 2 features to learn from, 1 to be tested on, 2 parties)"
    age = Domain([Numeric.grid("age", 0, 3, 3)], (0, 1))
    few = CodedRows(age, [[[0]], [[1]]], [[0], [1]], [[0], [0]], [[[0], [1]]] * 2, [[0, 1]] * 2, 1)
    assert repr(few) == "CodedRows(2 runs, 1 row of 1 feature to learn from, 2 to be tested on, 1 parties)"
    kinds = [getattr(few, name).dtype for name in ("codes", "labels", "parties", "test_codes", "test_labels")]
    assert kinds == [np.uint8, np.int64, np.int64, np.uint8, np.int64] and few.n_test == 2


def test_rows_of_as_many_parties_as_there_are_rows():
    drawn = draw_rows(SIX, 6, [SEED, SEED])
    assert set(drawn.parties[0].tolist()) < {0, 1, 2, 3, 4, 5} and drawn.n_parties == 6  # one may have none
    assert draw_rows(SIX, 1, [SEED]).parties.tolist() == [[0] * 6]
    assert [drawn.labels.dtype, drawn.test_labels.dtype, drawn.parties.dtype] == [np.int64] * 3
