"""Public ranges that nobody read off the data, and laws that the drawn rows follow.

The sampling tests have fixed seeds and refuse a statistic that lies more than six standard errors from its stated
value: about 250 statistics in all, so a right generator fails with probability below 10⁻⁶.
"""

import subprocess
import sys

import numpy as np
import pytest
from scipy import stats

from fdpedu.datasets import (
    BENCHMARK,
    CLASSES,
    CLINICAL,
    INCOMES,
    adult_domain,
    adult_like,
    divide,
    informative,
    informative_domain,
    mixture,
    mixture_domain,
    strong_feature,
    strong_feature_domain,
    ward_visits,
    wisconsin,
    wisconsin_domain,
    wisconsin_features,
)

LIMIT = 6  # standard errors

NATURAL_ZERO = (
    0.0  # a length, a share or a spread cannot be negative: this end needs no data, even where a patient attains it
)


def test_no_bound_is_a_column_s_extreme():
    """No typed bound equals a column's extreme, except the natural 0 of quantities that cannot be negative."""
    patients = wisconsin(wisconsin_features())
    assert len(patients.domain.features) == 30
    for feature, column in zip(patients.domain.features, patients.X.T, strict=True):
        low, high = feature.edges[0], feature.edges[-1]
        assert high not in (column.min(), column.max()) and feature.reason
        assert low == NATURAL_ZERO and column.min() >= 0


def test_the_bounds_are_round():
    for feature in wisconsin_domain(wisconsin_features()).features:
        assert float(f"{feature.edges[-1]:.2g}") == feature.edges[-1]


def test_few_values_are_clipped():
    """A public range that misses many patients would be useless: at most 2 in 100 of each feature lie outside."""
    patients = wisconsin(wisconsin_features())
    _, clipped = patients.domain.admit(patients.X)
    assert max(clipped.values()) <= 0.02 * len(patients.y)


def test_the_data_is_what_it_says():
    patients = wisconsin()
    assert patients.X.shape == (569, len(CLINICAL)) and set(patients.y) == set(CLASSES)
    assert (patients.y == "malignant").sum() == 212


def test_the_made_up_visits_have_a_category():
    visits = ward_visits()
    assert visits.domain.encode(visits.X).shape == (12, 2) and not visits.domain.features[1].ordered
    assert len(visits.domain.encode_labels(visits.y)) == 12


def test_dividing_loses_and_doubles_nobody():
    rows, test = divide(569, 5, 169, np.random.default_rng(0))
    assert sorted(np.concatenate([*rows, test]).tolist()) == list(range(569)) and {len(r) for r in rows} == {80}


@pytest.mark.parametrize(
    "call",
    [
        lambda rng: wisconsin(["height"]),
        lambda rng: wisconsin([]),
        lambda rng: divide(10, 5, 6, rng),
        lambda rng: mixture(0, 10, 0.3, rng),
        lambda rng: mixture(10, 0, 0.3, rng),
        lambda rng: mixture(10, 2, 1.01, rng),
        lambda rng: mixture(10, 2, -0.01, rng),
        lambda rng: mixture(10, 2, float("nan"), rng),
        lambda rng: mixture(2.5, 2, 0.3, rng),
        lambda rng: informative(0, rng),
        lambda rng: strong_feature(0, rng),
        lambda rng: strong_feature(10, rng, p=0),
        lambda rng: adult_like(0, rng),
        lambda rng: mixture_domain(0),
        lambda rng: strong_feature_domain(0),
        lambda rng: informative_domain(bins=1),
        lambda rng: adult_domain(bins=257),
    ],
)
def test_bad_requests_are_refused(call):
    with pytest.raises(ValueError):
        call(np.random.default_rng(0))


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


TEST_ROWS = (1000, 1000, 1000, 1000, 1000, 4000, 4000, 4000, 4000, 171, 4000, 4000, 5000)
SIZES = (250, 250, 250, 1000, 1000, 5000, 5000, 20000, 20000, 398, 5000, 1000, 20000)
FEATURES = (10, 25, 50, 10, 50, 25, 50, 10, 25, 30, 10, 25, 14)
RHOS = (0.9, 0.3, 0.3, 0.3, 0.9, 0.3, 0.9, 0.3, 0.9)
CENSUS_ENDS = [(0, 120), (0, 1_500_000), (0, 16.01), (0, 100_000), (0, 5_000), (0, 100)]
CANCER_ENDS = [(0, feature.edges[-1]) for feature in wisconsin_domain(wisconsin_features()).features]
ENDS = (*([(-5, 4)] * p for p in FEATURES[:9]), CANCER_ENDS, [(-6, 5)] * 10, [(-0.07, 1.04)] * 25, CENSUS_ENDS)


def test_there_are_thirteen_benchmark_data_sets():
    """Names differ, and the nominal size is the number of training rows."""
    assert len({data.name for data in BENCHMARK}) == 13
    assert tuple(data.size for data in BENCHMARK) == SIZES
    assert tuple(data.domain.n_features for data in BENCHMARK) == FEATURES


@pytest.mark.parametrize("at", range(13), ids=[data.name for data in BENCHMARK])
def test_a_benchmark_data_set_is_drawn_anew_by_its_generator(at):
    """Shapes are the stated ones; a seed decides the rows, another seed gives others; no row is in both parts."""
    data = BENCHMARK[at]
    one, again, other = (data.draw(np.random.default_rng(seed)) for seed in (7, 7, 8))
    assert one.X_train.shape == (SIZES[at], FEATURES[at]) and one.y_train.shape == (SIZES[at],)
    assert one.X_test.shape == (TEST_ROWS[at], FEATURES[at]) and one.y_test.shape == (TEST_ROWS[at],)
    assert all(np.array_equal(a, b) for a, b in zip(one, again, strict=True))
    assert not np.array_equal(one.X_train, other.X_train)
    assert not set(map(tuple, one.X_train)) & set(map(tuple, one.X_test))
    assert set(one.y_train) == set(one.y_test) == set(data.domain.classes)


@pytest.mark.parametrize("at", range(13), ids=[data.name for data in BENCHMARK])
def test_a_benchmark_domain_is_public_and_fits(at):
    """Ten bins of equal width over the stated range, or the stated categories; at most 1 in 20 values is clipped."""
    data = BENCHMARK[at]
    assert all(feature.reason for feature in data.domain.features)
    numbers = [feature for feature in data.domain.features if feature.ordered]  # they come first
    for feature, ends in zip(numbers, ENDS[at], strict=True):
        assert np.allclose(feature.edges, np.linspace(*ends, 11), rtol=1e-12)
    rows = data.draw(np.random.default_rng(1))
    codes, clipped = data.domain.admit(rows.X_train)
    assert codes.shape == rows.X_train.shape and max(clipped.values()) <= 0.05 * data.size
    for feature, column in zip(numbers, rows.X_train.T, strict=False):
        assert column.min() != feature.edges[0] or column.min() == NATURAL_ZERO
        assert column.max() != feature.edges[-1]


@pytest.mark.parametrize("at", range(9), ids=[data.name for data in BENCHMARK[:9]])
def test_a_benchmark_mixture_has_its_correlation(at):
    """Neighbouring features, seen from class 0, have the covariance ρ + 2/25: nearer to the one setting than to the
    other.
    """
    rows = BENCHMARK[at].draw(np.random.default_rng(3))
    X, y = np.vstack([rows.X_train, rows.X_test]), np.concatenate([rows.y_train, rows.y_test])
    centred = np.where(y == 0, 1, -1)[:, None] * X - 3 / 5
    covariance = (centred[:, 1:] * centred[:, :-1]).mean()
    assert (covariance > 0.6 + 2 / 25) == (RHOS[at] == 0.9)


def test_the_benchmark_s_patients_are_all_of_them():
    rows = next(data for data in BENCHMARK if data.name == "breast cancer").draw(np.random.default_rng(2))
    together = np.vstack([rows.X_train, rows.X_test])
    assert sorted(map(tuple, together)) == sorted(map(tuple, wisconsin(wisconsin_features()).X))


def test_importing_the_data_sets_does_not_load_scikit_learn():
    code = "import sys, fdpedu.datasets; print(any(name.startswith('sklearn') for name in sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "False\n"


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
