"""The imitation of the census follows the law that it states."""

import numpy as np
import pytest
from scipy import stats

from fdpedu.datasets import INCOMES, adult_domain, adult_like
from tests.support.standard_errors import frequencies, within


@pytest.fixture(scope="module")
def census():
    """Many rows of the imitation: columns by name, categories as codes; labels as 0 and 1."""
    X, y = adult_like(200_000, np.random.default_rng(6))
    columns = {}
    for feature, column in zip(adult_domain().features, X.T, strict=True):
        columns[feature.name] = column.astype(float) if feature.ordered else feature.encode(column)
    return columns, (y == INCOMES[1]).astype(np.int64)


YOUNG = stats.gamma.cdf(25 - 17, 2.2, scale=10)
MARITAL = np.array([0.46, 0.33, 0.135, 0.03, 0.03, 0.013, 0.002]) * (1 - 0.7 * YOUNG) + 0.7 * YOUNG * np.eye(7)[1]
SCHOOLING = np.diff(stats.norm.cdf([-np.inf, *np.arange(1.5, 16), np.inf], 10, 2.6))
BY_SCHOOLING = SCHOOLING @ [
    np.diff(stats.norm.cdf([-np.inf, *np.arange(0.5, 13), np.inf], step - 3, 2)) for step in range(1, 17)
]
MARGINALS = {
    "employer": [0.7, 0.08, 0.035, 0.03, 0.065, 0.04, 0.0005, 0.0495],
    "marital status": MARITAL,
    "occupation": 0.3 * BY_SCHOOLING + 0.7 * (0.7 / 14 + 0.3 * np.eye(14)[0]),
    "relationship": [0.87 * MARITAL[0], 0.13 * MARITAL[0], *(1 - MARITAL[0]) * np.array([0.48, 0.28, 0.19, 0.05])],
    "race": [0.855, 0.095, 0.03, 0.01, 0.01],
    "sex": [0.5 - 0.37 * MARITAL[0], 0.5 + 0.37 * MARITAL[0]],
    "country": [0.9, 0.02, 0.02, 0.01, 0.01, 0.01, 0.01, 0.01, 0.005, 0.005],
    "colour": [0.25] * 4,
}


@pytest.mark.parametrize("name", MARGINALS)
def test_categories_of_the_census_imitation(census, name):
    """Each category, in the order of the public list, has its stated probability."""
    frequencies(census[0][name], MARGINALS[name])


def test_numbers_of_the_census_imitation(census):
    """Where the law is continuous, its distribution function at some points; where it has atoms, their size."""
    columns, _ = census
    frequencies(columns["schooling"].astype(int) - 1, SCHOOLING)
    gain, loss, hours = columns["capital gain"], columns["capital loss"], columns["hours"]

    def more_than(t):
        return stats.norm.sf(np.log(t), 8.2 + 0.08 * (np.arange(1, 17) - 10), 1.2)

    checks = [
        (columns["age"] <= t, stats.gamma.cdf(t - 17, 2.2, scale=10)) for t in (20, 30, 45, 70)
    ]  # the gamma distribution begins at 17
    checks += [(columns["weight"] <= np.exp(t), stats.norm.cdf(t, 12, 0.5)) for t in (11, 12, 12.7)]
    checks += [(gain > 0, 0.08), *((gain > t, 0.08 * SCHOOLING @ more_than(t)) for t in (1000, 5000, 20_000))]
    checks += [(loss > 0, 0.045), (loss > 1700, 0.045 * stats.norm.sf(1700, 1870, 360))]
    checks += [(hours == 40, 0.47), *((hours <= t, 0.53 * stats.norm.cdf(t, 41, 13)) for t in (1, 20, 35))]
    for event, probability in checks:
        within(event.mean(), probability, np.sqrt(probability * (1 - probability) / len(event)))
    assert columns["age"].min() > 17 and columns["age"].max() == 90 and hours.min() == 1 and hours.max() <= 99


def test_names_of_the_census_imitation():
    """The codes to which the law gives a meaning have the names that say so."""
    domain = adult_domain()
    names = {feature.name: feature.categories for feature in domain.features if not feature.ordered}
    assert tuple(len(categories) for categories in names.values()) == (8, 7, 14, 6, 5, 2, 10, 4)
    assert names["employer"][:3] == ("private", "own", "own, incorporated")
    assert names["marital status"][:3] == ("married", "never married", "divorced")
    assert names["occupation"][0] == "unknown" and names["relationship"][:2] == ("husband", "wife")
    assert names["sex"] == ("female", "male") and names["country"][:2] == ("United States", "Mexico")
    assert domain.classes == INCOMES == ("≤ 50K", "> 50K")


def test_dependences_of_the_census_imitation(census):
    """The young are seldom married, husbands are men, and the occupation follows the schooling for some."""
    columns, _ = census
    married = columns["marital status"] == 0
    young = columns["age"] < 25
    within(married[young].mean(), 0.3 * 0.46, np.sqrt(0.138 * 0.862 / young.sum()))
    assert np.array_equal(columns["relationship"] == 0, married & (columns["sex"] == 1))
    assert np.array_equal(columns["relationship"] == 1, married & (columns["sex"] == 0))
    top = columns["schooling"] == 16
    expected = 0.3 * stats.norm.sf(12.5, 13, 2) + 0.7 * 0.7 / 14
    within((columns["occupation"][top] == 13).mean(), expected, np.sqrt(expected * (1 - expected) / top.sum()))


def test_income_in_the_census_imitation(census):
    """For each effect, the positives among the rows that have it are as many as the stated odds say; 19 % in all."""
    c, y = census
    one = np.ones(len(y))
    effects = [
        (one, -3.1),
        (c["marital status"] == 0, 2.2),
        (c["schooling"] - 10, 0.33),
        (c["hours"] - 40, 0.03),
        (c["age"] < 27, -1.8),
        (np.clip(c["age"] - 38, -15, 20), 0.02),
        (c["capital gain"] > 5000, 3),
        (c["capital loss"] > 1700, 1.1),
        (np.isin(c["occupation"], [9, 10, 12]), 0.55),
        (np.isin(c["occupation"], [1, 5]), -0.6),
        (c["sex"] == 1, 0.2),
        (c["employer"] == 2, -0.2),
    ]
    p = stats.logistic.cdf(sum(weight * np.asarray(effect) for effect, weight in effects))
    for effect, _ in effects:
        within(effect @ (y - p), 0, np.sqrt(np.square(effect) @ (p * (1 - p))))
    assert 0.185 < y.mean() < 0.2
