"""A paid score of a model of numbers: what is released, R² of it, and what noise does to it."""

import math
from fractions import Fraction

import numpy as np
import pytest
from sklearn.metrics import r2_score, root_mean_squared_error

from fdpedu.accounting import Ledger
from fdpedu.domain import Domain
from fdpedu.estimators import FederatedTreeRegressor, NoisyFit, noisy_score
from fdpedu.federation import Party
from fdpedu.randomness import Rehearsal, ZeroWords
from tests.support.stays import DOMAIN, HALVES, ROWS, SPEC, grown

TREE = grown()
PARTIES = [Party(rows, DOMAIN) for rows in HALVES]
X, Y = [row[:2] for row in ROWS], [row[2] for row in ROWS]


def of(sums, deviation=1.0, cost=1):
    return NoisyFit(sums, 40.0, cost, deviation, None)


def test_without_noise_it_is_r2_of_the_levels_middles():
    """Up to the rounding of places and squares to 1/4096; of two sites and of one owner alike."""
    levels = DOMAIN.encode_labels(Y)
    middles, predicted = np.array(DOMAIN.classes)[levels], TREE.predict(X)
    for parties in (PARTIES, PARTIES[::-1], Party(ROWS, DOMAIN)):
        found = noisy_score(TREE, parties, "1/2", rng=ZeroWords())
        assert found.value == pytest.approx(r2_score(middles, predicted), abs=2e-3)
        assert found.root_mean_squared_error == pytest.approx(root_mean_squared_error(middles, predicted), rel=2e-3)
        assert found.rows == len(ROWS) and found.epsilon == Fraction(1, 2) and found.unit == "days"
        assert {type(one) for one in found.sums} == {int}


def test_the_standard_error_is_that_of_the_quotient():
    """To first order, by differences in each of the four sums."""
    sums = (1024 * 90, -20_000, 40_000, 9_000)
    slopes = [
        (of([*sums[:i], sums[i] + 1, *sums[i + 1 :]]).value - of([*sums[:i], sums[i] - 1, *sums[i + 1 :]]).value) / 2
        for i in range(4)
    ]
    assert of(sums, 7.0).standard_error == pytest.approx(7 * math.hypot(*slopes), rel=1e-6)


@pytest.mark.parametrize(
    ("sums", "value"),
    [
        ((1024, 0, 4096, -5), 1.0),
        ((1024, 0, 4096, 8192), -1.0),
        ((-5, 0, 4096, 1), math.nan),
        ((0, 0, 0, 0), math.nan),
        ((1024, 0, -7, 3), math.nan),
        ((1024, 9999, 7, 3), math.nan),
    ],
)
def test_whatever_is_released_has_a_value(sums, value):
    """Squares below 0 count as 0; where no spread is left there is no value, and the error is infinite."""
    found = of(sums)
    assert found.value == pytest.approx(value, nan_ok=True)
    assert math.isinf(found.standard_error) == math.isnan(value)
    assert str(found) and found._repr_html_()


def test_noise_shrinks_with_the_budget_and_is_paid():
    """In both measures; the derivation names query and claim, and a budget is charged too."""
    ledger = Ledger(5, domain=DOMAIN)
    scores = [noisy_score(TREE, PARTIES, e, budget=ledger, rng=Rehearsal(3)) for e in (1, 4)]
    assert scores[0].deviation > 3.9 * scores[1].deviation and ledger.spent == 5
    step = list(ledger.derivation().releases())[-1][1]
    assert (step["type"], step["claim"], step["sensitivity"], step["releases"]) == (
        "square-sums",
        "lem-squares",
        8192,
        1,
    )
    in_rho = noisy_score(TREE, PARTIES, 4, delta="1e-6", rng=Rehearsal(3))
    assert in_rho.deviation < 2 * scores[1].deviation and in_rho.derivation.guarantee.colluders == 1
    assert "The sums are 4-differentially private" in scores[1]._repr_html_()


def test_a_regressor_is_scored():
    model = FederatedTreeRegressor(SPEC, epsilon=10**6, rng=ZeroWords()).fit(X, Y, parties=["a", "b"] * 30)
    found = model.noisy_score(X, Y, 1, parties=["a", "b"] * 30)
    assert isinstance(found, NoisyFit) and found.sums == noisy_score(model.tree_, PARTIES, 1, rng=ZeroWords()).sums


def test_many_levels_and_a_wide_range():
    """Places are those of the range, whatever its ends are."""
    domain = Domain.from_spec({"features": {"age": [0, 80, 4]}, "target": [-1e6, 3e6]})
    rows = [[7 * i % 80, -1e6 + 4e6 * i / 99] for i in range(100)]
    tree = grown([rows[::2], rows[1::2]], domain=domain, budget=10**6)
    found = noisy_score(tree, [Party(rows[k::2], domain) for k in range(2)], 1, rng=ZeroWords())
    middles = np.array(domain.classes)[domain.encode_labels([row[1] for row in rows])]
    assert found.value == pytest.approx(r2_score(middles, tree.predict([row[:1] for row in rows])), abs=2e-3)


@pytest.mark.parametrize("errors", [-9000, 0, 500, 40_000, 10**6])
@pytest.mark.parametrize("rows", [-5, 0, 3, 100, 10_000])
def test_what_is_counted_as_0_never_looks_perfect(rows, errors):
    """Of few rows nothing is said; of many the root of the error has its noise, also where squares are below 0."""
    found = of((1024 * rows, 0, 4096 * rows // 36, errors), 4000.0)
    assert found.too_noisy == (not found.standard_error <= max(1, 1 - found.value) / 4)
    assert found.too_noisy or rows == 10_000
    said = str(found)
    assert said.startswith("R² unknown: the noise is too large") == found.too_noisy
    if not found.too_noisy:
        reach = found.root_mean_squared_error + found.root_error
        assert reach**2 > 40**2 * 3999 / 4096 / rows and f"± {found.root_error:.2g}" in said
    assert found.counted()["root_mean_squared_error"] is None or not found.too_noisy


def test_so_many_rows_are_enough():
    """For numbers that are spread as it is said: the worst R² from 0 to 1 has a standard error of about .05."""
    for deviation in (100.0, 4000.0):
        n = of((0, 0, 0, 0), deviation).rows_needed
        worst = of((1024 * n, 0, 4096 * n // 36, 4096 * n // 36), deviation)
        assert 0.045 < worst.standard_error <= 0.0505


def test_the_error_of_the_root_is_that_of_the_quotient():
    """By differences in squares and rows, where the noise is small."""
    sums, h = (1024 * 90, -20_000, 40_000, 9_000), 1e-3
    slopes = [
        (of([*sums[:i], sums[i] + h, *sums[i + 1 :]]).root_mean_squared_error - of(sums).root_mean_squared_error) / h
        for i in (0, 3)
    ]
    assert of(sums, 0.5).root_error == pytest.approx(0.5 * math.hypot(*slopes), rel=1e-3)
