"""Random domains, records and trees for hypothesis, built from small integers so that counterexamples shrink well."""

import numpy as np
from hypothesis import strategies as st

from fdpedu.domain import Categorical, Domain, Numeric


@st.composite
def domains(draw, most_features=3, most_codes=5, most_classes=3):
    features = []
    for j in range(draw(st.integers(1, most_features))):
        codes = draw(st.integers(2, most_codes))
        if draw(st.booleans()):
            features.append(Numeric.grid(f"x{j}", 0, codes, bins=codes))
        else:
            features.append(Categorical(f"x{j}", tuple("ABCDE"[:codes])))
    return Domain(features, tuple(range(draw(st.integers(2, most_classes)))))


@st.composite
def records(draw, domain):
    """One record: raw feature values and a class."""
    values = [
        draw(st.integers(0, feature.n_codes))
        if isinstance(feature, Numeric)
        else draw(st.sampled_from(feature.categories))
        for feature in domain.features
    ]
    return [*values, draw(st.sampled_from(domain.classes))]


@st.composite
def tables(draw, domain, least=0, most=12):
    """Rows of records; may be empty."""
    return [draw(records(domain)) for _ in range(draw(st.integers(least, most)))]


@st.composite
def domains_with_parties(draw, least_parties=2, most_parties=4):
    domain = draw(domains())
    return domain, [draw(tables(domain)) for _ in range(draw(st.integers(least_parties, most_parties)))]


@st.composite
def regions(draw, domain):
    """A product of code sets and a class set, never empty."""
    region = domain.everything
    for j, feature in enumerate(domain.features):
        region = region.restrict(j, draw(st.sets(st.integers(0, feature.n_codes - 1), min_size=1)))
    return region.restrict_class(draw(st.sets(st.integers(0, domain.n_classes - 1), min_size=1)))


def raw(rows, domain):
    """Rows of records as (X, y) arrays of objects."""
    X = np.array([row[:-1] for row in rows], dtype=object).reshape(len(rows), domain.n_features)
    return X, np.array([row[-1] for row in rows])
