"""Data sets that are drawn: mixture, clusters and the imitation of the census follow the laws that they state."""

import numpy as np
import pytest
from scipy import stats

from fdpedu.datasets import (
    INCOMES,
    adult_domain,
    adult_like,
    informative,
    mixture,
    strong_feature,
)

LIMIT = 6  # standard errors


def within(observed, expected, error):
    """Every observed number lies within six standard errors of the expected one."""
    z = (np.asarray(observed) - expected) / error
    assert np.abs(z).max() <= LIMIT, (observed, expected, z)


def frequencies(codes, probabilities):
    """The codes 0, 1, … occur as often as stated; what is stated as impossible does not occur."""
    p, n = np.asarray(probabilities), len(codes)
    counts = np.bincount(codes, minlength=len(p))
    assert len(counts) == len(p) and abs(p.sum() - 1) < 1e-12 and not counts[p == 0].any()
    within(counts[p > 0], n * p[p > 0], np.sqrt(n * p * (1 - p))[p > 0])


@pytest.mark.parametrize(("n", "counts"), [(1, [1, 0]), (250, [125, 125]), (251, [126, 125])])
def test_half_of_the_mixture_is_in_each_class(n, counts):
    """Exactly half, the odd row in class 0, in an order of which the seed decides."""
    y, other = (mixture(n, 3, 0.3, np.random.default_rng(seed))[1] for seed in (0, 1))
    assert np.bincount(y, minlength=2).tolist() == np.bincount(other, minlength=2).tolist() == counts
    assert n == 1 or not np.array_equal(y, other)


@pytest.mark.parametrize("rho", [0, 0.3, 0.9])
def test_moments_of_the_mixture(rho):
    """Seen from class 0: every mean is 3/5, and the covariance is ρ^|j−k| + 2/25, which is the variance of i/5."""
    X, y = mixture(20_000, 6, rho, np.random.default_rng(1))
    mirrored = np.where(y == 0, 1, -1)[:, None] * X
    within(mirrored.mean(axis=0), 3 / 5, mirrored.std(axis=0) / np.sqrt(len(y)))
    centred = mirrored - 3 / 5
    products = centred[:, :, None] * centred[:, None, :]
    lag = np.abs(np.subtract.outer(np.arange(6), np.arange(6)))
    within(products.mean(axis=0), float(rho) ** lag + 2 / 25, products.std(axis=0) / np.sqrt(len(y)))


def test_components_of_the_mixture():
    """With many independent features a row's average shows its component: five, equally probable, sign by class."""
    X, y = mixture(4000, 2500, 0, np.random.default_rng(2))
    scaled = 5 * X.mean(axis=1) * np.where(y == 0, 1, -1)
    component = np.rint(scaled).astype(np.int64)
    assert np.abs(scaled - component).max() < 0.5  # five standard deviations of an average
    frequencies(component - 1, [0.2] * 5)


def test_a_correlation_of_one_repeats_the_feature():
    X, _ = mixture(50, 4, 1, np.random.default_rng(3))
    assert np.allclose(X, X[:, :1])


def test_clusters_have_five_informative_and_two_redundant_features():
    """Five informative and three noisy columns span eight dimensions; the two redundant ones add none."""
    X, y = informative(500, np.random.default_rng(4))
    assert X.shape == (500, 10) and np.linalg.matrix_rank(X) == 8
    assert 0.4 < y.mean() < 0.6


def test_the_strong_feature_is_any_and_is_right_nine_times_in_ten():
    """The threshold is .43, a label is flipped with probability .1, and each feature is the strong one as often."""
    rng, chosen = np.random.default_rng(5), []
    for _ in range(500):
        X, y = strong_feature(200, rng, p=5)
        chosen.append(int(((X > 0.43) == y[:, None]).mean(axis=0).argmax()))
    frequencies(np.array(chosen), [0.2] * 5)
    X, y = strong_feature(100_000, rng)
    j = ((X > 0.43) == y[:, None]).mean(axis=0).argmax()
    assert X.shape == (100_000, 25) and 0 <= X.min() and X.max() <= 1
    for side in (X[:, j] > 0.43, X[:, j] <= 0.43):
        flips = (y != (X[:, j] > 0.43))[side]
        within(flips.mean(), 0.1, np.sqrt(0.09 / side.sum()))
    near = np.abs(X[:, j] - 0.43) < 0.01  # the threshold lies here, and nowhere else
    assert ((X[:, j] > 0.43) == y)[near].mean() > 0.85


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
