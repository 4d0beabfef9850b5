"""An imitation of the census records called Adult (Becker and Kohavi, 1996): who earns more than 50,000?

It holds no real person: every row is drawn from the law below, whose frequencies resemble the published ones. It is
here because it has what the other synthetic data lack: categorical features, skewed numbers, and few positives (19 %).
The categories' names are ours; a category's place in its list is its code.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from fdpedu.domain import Categorical, Domain, Feature, Numeric
from fdpedu.exact import as_integer, require_type

INCOMES = ("≤ 50K", "> 50K")

# Feature: lower and upper end of the public range, unit, reason.
_NUMBERS: dict[str, tuple[float, float, str, str]] = {
    "age": (0, 120, "years", "hardly anybody grows older"),
    "weight": (0, 1_500_000, "people", "how many a record stands for, if a country's census draws thousands"),
    "schooling": (0, 16.01, "", "the form's steps 1 to 16, and a margin for the last one"),
    "capital gain": (0, 100_000, "", "the form's largest amount"),
    "capital loss": (0, 5_000, "", "the form's largest amount"),
    "hours": (0, 100, "a week", "a week has 168 hours, and hardly anybody works more than 100"),
}

# Feature: its categories in the order of their codes, and the probability of each where the law draws it directly.
_CATEGORIES: dict[str, tuple[tuple[str, ...], tuple[float, ...]]] = {
    "employer": (
        ("private", "own", "own, incorporated", "federal", "local", "state", "without pay", "unknown"),
        (0.7, 0.08, 0.035, 0.03, 0.065, 0.04, 0.0005, 0.0495),
    ),
    "marital status": (
        ("married", "never married", "divorced", "separated", "widowed", "spouse absent", "spouse in the army"),
        (0.46, 0.33, 0.135, 0.03, 0.03, 0.013, 0.002),
    ),
    "occupation": (
        (
            "unknown",
            "cleaning",
            "farming",
            "transport",
            "machines",
            "household",
            "crafts",
            "protection",
            "clerical",
            "sales",
            "technical",
            "teaching",
            "managing",
            "research",
        ),
        (1 / 14,) * 14,
    ),
    "relationship": (
        ("husband", "wife", "not in a family", "own child", "unmarried", "other relative"),
        (0, 0, 0.48, 0.28, 0.19, 0.05),
    ),
    "race": (("white", "black", "asian", "american indian", "other"), (0.855, 0.095, 0.03, 0.01, 0.01)),
    "sex": (("female", "male"), ()),
    "country": (
        (
            "United States",
            "Mexico",
            "Philippines",
            "Germany",
            "Canada",
            "Puerto Rico",
            "El Salvador",
            "India",
            "Cuba",
            "other",
        ),
        (0.9, 0.02, 0.02, 0.01, 0.01, 0.01, 0.01, 0.01, 0.005, 0.005),
    ),
    "colour": (("red", "green", "blue", "grey"), (0.25,) * 4),
}


def adult_domain(*, bins: int = 10) -> Domain:
    """The public domain of :func:`adult_like`: six numbers, eight categorical features, two classes of income.

    >>> [feature.name for feature in adult_domain().features if feature.ordered]
    ['age', 'weight', 'schooling', 'capital gain', 'capital loss', 'hours']
    """
    features: list[Feature] = [
        Numeric.grid(name, low, high, bins, unit=unit, reason=reason)
        for name, (low, high, unit, reason) in _NUMBERS.items()
    ]
    features += [
        Categorical(name, names, reason="the boxes of the census form") for name, (names, _) in _CATEGORIES.items()
    ]
    return Domain(features, INCOMES)


def adult_like(n: int, rng: np.random.Generator) -> tuple[NDArray[Any], NDArray[Any]]:
    """Rows (n, 14) of numbers and names of categories, and labels (n,), drawn independently.

    The feature "colour" is noise. ``rng`` decides the rows: the same state of the generator gives the same rows.

    >>> X, y = adult_like(1000, np.random.default_rng(0))
    >>> X.shape, [str(value) for value in X[0, 6:9]], str(y[0]) in INCOMES
    ((1000, 14), ['private', 'separated', 'managing'], True)
    """
    require_type(rng, np.random.Generator, "rng")
    n = as_integer(n, "n", minimum=1, maximum=10**9)
    numbers = _numbers(n, rng)
    codes = _codes(numbers["age"], numbers["schooling"], rng)
    positive = rng.random(n) < 1 / (1 + np.exp(-_logit(numbers, codes)))
    X = np.empty((n, len(_NUMBERS) + len(_CATEGORIES)), dtype=object)
    for j, name in enumerate(_NUMBERS):
        X[:, j] = numbers[name]
    for j, (name, (names, _)) in enumerate(_CATEGORIES.items(), start=len(_NUMBERS)):
        X[:, j] = np.array(names, dtype=object)[codes[name]]
    return X, np.array(INCOMES)[positive.astype(np.int64)]


def _numbers(n: int, rng: np.random.Generator) -> dict[str, NDArray[np.float64]]:
    schooling = np.clip(np.rint(rng.normal(10, 2.6, n)), 1, 16)
    return {
        "age": np.clip(17 + rng.gamma(2.2, 10, n), 17, 90),
        "weight": np.exp(rng.normal(12, 0.5, n)),
        "schooling": schooling,
        "capital gain": _sometimes(0.08, np.exp(rng.normal(8.2 + 0.08 * (schooling - 10), 1.2)), rng),
        "capital loss": _sometimes(0.045, rng.normal(1870, 360, n), rng),
        "hours": np.clip(np.where(rng.random(n) < 0.47, 40, rng.normal(41, 13, n)), 1, 99),
    }


def _sometimes(probability: float, values: NDArray[np.float64], rng: np.random.Generator) -> NDArray[np.float64]:
    return np.where(rng.random(len(values)) < probability, values, 0.0)


def _codes(
    age: NDArray[np.float64], schooling: NDArray[np.float64], rng: np.random.Generator
) -> dict[str, NDArray[np.int64]]:
    n = len(age)
    drawn = {
        name: rng.choice(len(names), n, p=probabilities)
        for name, (names, probabilities) in _CATEGORIES.items()
        if probabilities
    }
    single = (age < 25) & (rng.random(n) < 0.7)
    marital = np.where(single, 1, drawn["marital status"])
    married = marital == 0
    sex = (rng.random(n) < np.where(married, 0.87, 0.5)).astype(np.int64)
    by_schooling = np.clip(np.rint(schooling - 3 + rng.normal(0, 2, n)), 0, 13).astype(np.int64)
    stated = np.where(rng.random(n) < 0.7, drawn["occupation"], 0)
    changed = {
        "marital status": marital,
        "occupation": np.where(rng.random(n) < 0.3, by_schooling, stated),
        "relationship": np.where(married, 1 - sex, drawn["relationship"]),
        "sex": sex,
    }
    return drawn | changed


def _logit(numbers: dict[str, NDArray[np.float64]], codes: dict[str, NDArray[np.int64]]) -> NDArray[np.float64]:
    """The log odds of the higher income; all effects are fixed numbers."""
    age, occupation = numbers["age"], codes["occupation"]
    return np.asarray(
        -3.1
        + 2.2 * (codes["marital status"] == 0)
        + 0.33 * (numbers["schooling"] - 10)
        + 0.03 * (numbers["hours"] - 40)
        - 1.8 * (age < 27)
        + 0.02 * np.clip(age - 38, -15, 20)
        + 3 * (numbers["capital gain"] > 5000)
        + 1.1 * (numbers["capital loss"] > 1700)
        + 0.55 * np.isin(occupation, (9, 10, 12))
        - 0.6 * np.isin(occupation, (1, 5))
        + 0.2 * codes["sex"]
        - 0.2 * (codes["employer"] == 2)
    )
