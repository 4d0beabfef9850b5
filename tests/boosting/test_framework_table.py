"""The framework's table of choices, and what it refuses, by name."""

import math
from fractions import Fraction

import numpy as np
import pytest

from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.randomness import ZeroWords
from fdpedu.sources.maddock import (
    Choices,
    counted,
    fit_framework,
    framework_rows,
    framework_table,
    hessian_is_free,
    largest_integer_pair,
    largest_pair,
    pair_norm_squared,
    poisson_rdp2,
)
from fdpedu.sources.maddock.paying import Asking, Mended
from fdpedu.sources.maddock.table import auc

NUMBERS = Domain([Numeric.grid(f"x{j}", 0, 6, bins=6) for j in range(3)], ("a", "b"))
ODD = Domain([*NUMBERS.features[:2], Categorical("ward", ("A", "B", "C"))], ("a", "b"))
SIX = [[0, 0, 5], [1, 4, 5], [1, 3, 1], [3, 0, 0], [4, 5, 1], [5, 1, 1]]  # codes of rows
CLASSES = [0, 0, 1, 1, 1, 0]


def drawn(rng):
    X = rng.uniform(0, 6, (300, 3))
    y = np.where(X[:, 0] > 2.5, "b", "a")
    return X[:200], y[:200], X[200:], y[200:]


def test_the_table_shows_releases_rounds_bytes_and_both_accuracies():
    rows = {"by histogram": Choices(3, 2), "at random": Choices(3, 2, "totally random", batch=3)}
    table = framework_table(drawn, NUMBERS, rows, epsilon=2, delta="1e-6", seeds=[1, 2])
    first, second = str(table).splitlines()[1:]
    assert first.split()[:5] == ["by", "histogram", "18", "6", "2.6"] and second.split()[2:4] == ["3", "1"]
    assert '<th scope="row">by histogram</th>' in table._repr_html_()
    assert "<td>18</td><td>6</td><td>2.6</td>" in table._repr_html_() and "ε = 2" in table._repr_html_()
    row = table["at random"]
    assert row.measured["mended"].shape == (2, 2) and row.counts == counted(rows["at random"], NUMBERS)
    assert row.mean("mended")[1] == pytest.approx(row.measured["mended"][:, 1].mean())
    assert row.standard_error("mended")[0] == pytest.approx(np.std(row.measured["mended"][:, 0], ddof=1) / math.sqrt(2))
    shown = f"{row.mean('mended')[1]:.3f} ± {row.standard_error('mended')[1]:.3f}"
    assert second.endswith(shown) and f"<td>{shown}</td>" in table._repr_html_()
    with pytest.raises(KeyError):
        table["neither"]
    with pytest.raises(ValueError, match="seeds"):
        framework_table(drawn, NUMBERS, rows, epsilon=2, delta="1e-6", seeds=[1])["at random"].standard_error("mended")
    assert "±" not in str(framework_table(drawn, NUMBERS, rows, epsilon=2, delta="1e-6", seeds=[1]))
    again = framework_table(drawn, NUMBERS, rows, epsilon=2, delta="1e-6", seeds=[1, 2])
    assert str(again) == str(table)


def test_the_rows_that_are_shown():
    """Each split with each weight, and one change at a time."""
    rows = framework_rows()
    assert rows == framework_rows(25, 3, 32) and rows["totally random, λ = 1"].regularisation == 1
    for splits in ("histogram", "partially random", "totally random"):
        for weights in ("averages", "gradient", "newton"):
            assert rows[f"{splits}, {weights}"] == Choices(25, 3, splits, weights, regularisation=32)
    asked = {name: (*own.queries(10), own.batches) for name, own in list(rows.items())[9:]}
    assert asked == {
        "histogram, one feature a tree": (25, 0, 0, 25),
        "totally random, λ = 1": (0, 25, 0, 25),
        "totally random, one feature a tree": (0, 25, 0, 25),
        "totally random, log candidates": (0, 25, 0, 25),
        "totally random, paid candidates": (0, 25, 30, 25),
        "totally random, batches of 5": (0, 25, 0, 5),
        "totally random, one batch": (0, 25, 0, 1),
    }
    assert rows["totally random, one feature a tree"].features == 1
    assert [own.batches for own in framework_rows(2, 1).values()][-2:] == [1, 1]


def test_choices_are_plain_numbers():
    """NumPy's integers, which have an end, become Python's."""
    numbers = ("trees", "depth", "n_candidates", "moves", "features", "batch")
    choices = Choices(**{name: np.int8(3) for name in numbers})
    assert {type(getattr(choices, name)) for name in numbers} == {int}
    assert Choices(3, 2).queries(1) == (3, 0, 0)  # a domain of one feature is k = 1


def test_auc_counts_pairs():
    """How often a row of class 1 is above one of class 0, ties half."""
    rng = np.random.default_rng(4)
    scores, labels = rng.integers(0, 5, 40) / 4, rng.integers(0, 2, 40)
    pairs = [(a > b) + (a == b) / 2 for a in scores[labels == 1] for b in scores[labels == 0]]
    assert auc(scores, labels) == pytest.approx(np.mean(pairs))
    assert auc(scores, np.ones(40, dtype=int)) == 0.5


THREE = Domain([Numeric.grid("x", 0, 6, bins=6)], ("a", "b", "c"))
GOOD = {"codes": SIX, "labels": CLASSES, "domain": NUMBERS, "choices": Choices(1, 1), "paid": "mended",
        "epsilon": 1, "delta": 1e-6, "rng": ZeroWords()}  # fmt: skip
QUANTILES = Choices(1, 1, candidates="quantiles")
TABLE = {"draw": drawn, "domain": NUMBERS, "epsilon": 1, "delta": 1e-6}


@pytest.mark.parametrize(("named", "call"), [
    *((name, lambda name=name, bad=bad: Choices(**{name: bad})) for name, bad in [
        ("trees", 0), ("trees", 1001), ("depth", 0), ("depth", 7), ("depth", 2.5), ("splits", "best"),
        ("weights", ["newton"]), ("candidates", None), ("turns", 1), ("n_candidates", 0), ("features", 0),
        ("batch", 26), ("moves", 0), ("regularisation", 0), ("gamma", -1), ("learning_rate", 0),
        ("learning_rate", "fast"),
    ]),
    ("moves", lambda: Choices(4, candidates="paid", batch=2, moves=3)),
    ("features", lambda: Choices(features=4).queries(3)),
    ("features", lambda: counted(Choices(features=4), NUMBERS)),
    ("n_features", lambda: Choices().queries(0)),
    ("candidates", lambda: counted(Choices(candidates="paid"), ODD)),
    *(("not private", call) for call in [
        lambda: QUANTILES.queries(3), lambda: counted(QUANTILES, NUMBERS),
        lambda: fit_framework(**{**GOOD, "choices": QUANTILES}),
        lambda: fit_framework(**{**GOOD, "choices": QUANTILES, "paid": "as printed"}),
        lambda: framework_table(**TABLE, rows={"quantiles": QUANTILES}),
    ]),
    *((name, lambda name=name, bad=bad: fit_framework(**{**GOOD, name: bad})) for name, bad in [
        ("codes", [[0, 0]] * 6), ("codes", [[0.5, 0, 0]] * 6), ("labels", [0, 1]), ("labels", [0, 1, 2, 0, 0, 0]),
        ("domain", None), ("domain", THREE), ("choices", "newton"), ("paid", "printed"), ("epsilon", 0), ("delta", 1),
        ("rng", 7), ("rng", "seed"), ("delta", None), ("epsilon", None),
    ]),
    ("epsilon", lambda: Asking(Mended("newton"), Fraction(1, 10**30), 1, ZeroWords())),
    ("p", lambda: pair_norm_squared(2)), ("kappa", lambda: hessian_is_free(-1)), ("kappa", lambda: largest_pair("x")),
    ("steps", lambda: largest_integer_pair(0, 1)),
    ("q", lambda: poisson_rdp2(2, 1, 1, once=True)), ("sigma", lambda: poisson_rdp2(0, 0, 1, once=True)),
    ("sigma", lambda: poisson_rdp2(1, "1/10", 90, once=True)), ("queries", lambda: poisson_rdp2(1, 1, 0, once=True)),
    ("q", lambda: poisson_rdp2("x", 1, 1, once=True)), ("sigma", lambda: poisson_rdp2(1, "x", 1, once=True)),
    ("sigma", lambda: poisson_rdp2(1, 1, 1001, once=True)),
    ("by eye", lambda: fit_framework(**{**GOOD, "paid": "by eye"})),
    ("by eye", lambda: Choices(splits="by eye")), ("p", lambda: pair_norm_squared("x")),
    ("once", lambda: poisson_rdp2(1, 1, 1, once="yes")),
    *((name, lambda name=name, bad=bad: framework_table(**{**TABLE, name: bad})) for name, bad in [
        ("draw", 1), ("domain", 1), ("rows", []), ("rows", {}), ("rows", {"a": 1}), ("seeds", []), ("seeds", [-1]),
        ("epsilon", -1), ("seeds", 3), ("draw", lambda rng: [1, 2, 3, 4]),
    ]),
])  # fmt: skip
def test_bad_input_is_refused_by_name(named, call):
    with pytest.raises(ValueError, match=rf"\b{named}\b"):
        call()


@pytest.mark.parametrize(("row", "column", "code"), [(0, 1, 6), (2, 0, -1)])
def test_a_wrong_code_is_named_by_row_and_column(row, column, code):
    codes = [list(own) for own in SIX]
    codes[row][column] = code
    with pytest.raises(ValueError, match=f"codes row {row}, column 'x{column}'"):
        fit_framework(**{**GOOD, "codes": codes})


SENTENCES = {
    "splits must be 'histogram', 'partially random' or 'totally random', got 'x'": {"splits": "x"},
    "weights must be 'averages', 'gradient' or 'newton', got 'x'": {"weights": "x"},
    "candidates must be 'uniform', 'log', 'quantiles' or 'paid', got 'x'": {"candidates": "x"},
    "turns must be 'cyclical' or 'random', got 'x'": {"turns": "x"},
    "regularisation must be greater than 0 and at most 10⁶, got 0": {"regularisation": 0},
    "gamma must be from 0 to 10⁶, got 1000001": {"gamma": 10**6 + 1},
    "learning_rate must be greater than 0 and at most 10⁶, got 1000001": {"learning_rate": 10**6 + 1},
    "moves must be at most 5, the number of batches, got 6": {"trees": 9, "batch": 2, "candidates": "paid", "moves": 6},
}


@pytest.mark.parametrize("sentence", SENTENCES)
def test_choices_are_refused_in_whole_sentences(sentence):
    with pytest.raises(ValueError) as refused:
        Choices(**SENTENCES[sentence])
    assert str(refused.value) == sentence


def test_limits_of_choices_are_allowed():
    assert Choices(7, 2, splits="totally random").queries(1) == (0, 7, 0)
    most = {"trees": 1000, "depth": 6, "n_candidates": 255, "batch": 1000}
    choices = Choices(**most, regularisation=10**6, gamma=10**6, learning_rate=10**6)
    assert choices.batches == 1 and Choices(gamma=0, trees=1, batch=1, depth=1, n_candidates=1).gamma == 0
    assert Choices(9, candidates="paid", batch=2, moves=5).batches == 5
