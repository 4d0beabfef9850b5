"""Real patients with ranges that were not read off the data, and a small table made by hand.

The Wisconsin diagnostic data (Wolberg, Street and Mangasarian, 1995; it ships with scikit-learn) describes 569 fine
needle aspirates of breast masses by ten quantities of the cell nuclei, each given as the mean over the nuclei of an
image, the standard error of that mean, and the "worst", the mean of the three largest.

A private tree needs public ranges. Those below are round numbers with a physical reason; neither the rows nor the
minima and maxima in the data's description were used, and a test holds them apart from the columns' extremes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.exact import quoted

CLASSES = ("benign", "malignant")

# Quantity: upper end for mean and worst, upper end for the standard error, unit, reason. All of them start at 0.
# Standard errors: at least ten nuclei an image, and a quantity on [0, r] has a standard deviation of at most r/2, so
# the standard error is at most r/(2·√10) ≈ 0.16·r, rounded.
_NUCLEUS: dict[str, tuple[float, float, str, str]] = {
    "radius": (40, 6, "px", "the image is 400 pixels high; a nucleus of radius 40 would fill a fifth of that"),
    "texture": (
        64,
        10,
        "grey levels",
        "standard deviation of grey values; within half of the 256 levels it is at most 64",
    ),
    "perimeter": (250, 40, "px", "2π times a radius of 40 is 251"),
    "area": (5000, 800, "px²", "π times the square of a radius of 40 is 5027"),
    "smoothness": (
        0.25,
        0.04,
        "",
        "relative change of the radius from one contour point to the next; a quarter is a star",
    ),
    "compactness": (1, 0.16, "", "perimeter²/(4π·area) − 1; at 1 the contour is √2 times as long as the circle's"),
    "concavity": (1, 0.16, "", "depth of the indentations relative to the radius; 1 reaches the centre"),
    "concave points": (
        0.4,
        0.06,
        "",
        "share of the contour that lies in indentations; a closed contour is mostly convex",
    ),
    "symmetry": (
        0.75,
        0.12,
        "",
        "relative difference of the two sides of the longest axis; 3/4 is one side four times the other",
    ),
    "fractal dimension": (0.3, 0.05, "", "coastline dimension less 1; the Koch snowflake has 0.26"),
}

CLINICAL = ("worst radius", "worst texture", "worst concave points")
CLINICAL_REASON = (
    "Pathologists grade nuclei by size, by the unevenness of their chromatin and by the regularity of their outline, "
    "and by the most abnormal nuclei they see: worst radius, worst texture, worst concave points."
)


class Patients(NamedTuple):
    """Rows of feature values (n, p), labels (n,), and the public domain that describes them."""

    X: NDArray[Any]
    y: NDArray[Any]
    domain: Domain


def wisconsin_domain(features: Sequence[str] = CLINICAL, *, bins: int = 10) -> Domain:
    """The public domain of the named features; reads no data.

    >>> wisconsin_domain(["worst radius"], bins=4).features[0].edges
    (0.0, 10.0, 20.0, 30.0, 40.0)
    """
    if isinstance(features, (str, bytes)) or not isinstance(features, Iterable):
        raise ValueError(f"features must be a list of names, such as ['worst radius'], got {quoted(features)}")
    known, features = _all_features(bins), list(features)
    unknown = [name for name in features if not isinstance(name, str) or name not in known]
    if unknown or not features:
        raise ValueError(f"unknown features {unknown}; the data has: {', '.join(known)}")
    return Domain([known[name] for name in features], CLASSES)


def wisconsin_features() -> tuple[str, ...]:
    """The names of all 30 features."""
    return tuple(_all_features(10))


def wisconsin(features: Sequence[str] = CLINICAL, *, bins: int = 10) -> Patients:
    """The 569 patients, with the named features and their public domain. Needs scikit-learn, which carries the data."""
    from sklearn.datasets import load_breast_cancer

    domain, data = wisconsin_domain(features, bins=bins), load_breast_cancer()
    columns = [list(data.feature_names).index(feature.name) for feature in domain.features]
    names = np.array([str(name) for name in data.target_names])
    return Patients(data.data[:, columns], names[data.target], domain)


def ward_visits() -> Patients:
    """Twelve visits made up for the book, with a categorical feature: how the patient came. It holds no real person."""
    rows: list[tuple[float, str, str]] = [
        (36.6, "walk-in", "home"),
        (36.9, "walk-in", "home"),
        (37.4, "walk-in", "home"),
        (38.1, "walk-in", "home"),
        (38.9, "walk-in", "admitted"),
        (36.8, "referred", "home"),
        (37.2, "referred", "home"),
        (38.4, "referred", "admitted"),
        (39.3, "referred", "admitted"),
        (36.7, "ambulance", "admitted"),
        (37.9, "ambulance", "admitted"),
        (39.6, "ambulance", "admitted"),
    ]
    temperature = Numeric.grid("temperature", 35, 42, bins=7, unit="°C", reason="a living patient's temperature")
    arrival = Categorical(
        "arrival", ("walk-in", "referred", "ambulance"), reason="the three boxes of the admission form"
    )
    X = np.array([row[:2] for row in rows], dtype=object)
    return Patients(X, np.array([row[2] for row in rows]), Domain([temperature, arrival], ("home", "admitted")))


def _all_features(bins: int) -> dict[str, Numeric]:
    features = {}
    for prefix, suffix, column in (("mean ", "", 0), ("", " error", 1), ("worst ", "", 0)):
        for quantity, (*ends, unit, reason) in _NUCLEUS.items():
            name = f"{prefix}{quantity}{suffix}"
            features[name] = Numeric.grid(name, 0, ends[column], bins, unit=unit, reason=reason)
    return features
