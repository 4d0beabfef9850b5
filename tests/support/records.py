"""Counts of rows by going through them one by one."""

import numpy as np

from fdpedu.domain import Numeric
from fdpedu.federation import ClassCounts, ClassHistogram


def code_of(feature, value):
    """The code of one raw value, by the edges or by the list of categories."""
    if isinstance(feature, Numeric):
        return sum(value > edge for edge in feature.edges[1:-1])
    return feature.categories.index(value)


def count_by_hand(query, rows, domain):
    """The exact answer to a query, in its shape."""
    if isinstance(query, ClassCounts):
        features = []
    else:
        features = [query.feature] if isinstance(query, ClassHistogram) else list(range(domain.n_features))
    tables = [np.zeros((domain.features[j].n_codes, domain.n_classes), dtype=np.int64) for j in features]
    classes = np.zeros(domain.n_classes, dtype=np.int64)
    for *values, label in rows:
        codes = [code_of(feature, value) for feature, value in zip(domain.features, values, strict=True)]
        c = domain.classes.index(label)
        if c in query.region.class_codes and all(code in query.region.codes(j) for j, code in enumerate(codes)):
            classes[c] += 1
            for j, table in zip(features, tables, strict=True):
                table[codes[j], c] += 1
    return np.concatenate(tables) if features else classes
