"""Rows for tests: a domain of four features, federations without noise, and counts by going through the rows."""

import numpy as np

from fdpedu.accounting import Ledger
from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.federation import ClassCounts, ClassHistogram, Federation, Party
from fdpedu.randomness import ZeroWords

SPECIAL = Domain(
    [
        Numeric.grid("x", 0, 8, bins=8),
        Categorical("w", tuple("ABCDE")),
        Numeric.grid("y", -2, 2, bins=5),
        Categorical("v", tuple("KLM")),
    ],
    ("well", "ill", "unclear"),
)


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


def federation(parts, domain, budget=100):
    return Federation([Party(rows, domain) for rows in parts], domain, Ledger(budget), rng=ZeroWords())


def special_rows(n, seed, classes=3):
    """Rows whose class depends on all features, so that no two splits are equally good."""
    rng = np.random.default_rng(seed)
    rows = []
    for x, w, y, v, u in zip(*(rng.random((5, n))), strict=True):
        values = [8 * x, "ABCDE"[int(5 * w)], 4 * y - 2, "KLM"[int(3 * v)]]
        score = x + 0.7 * (int(5 * w) in (1, 4)) + 0.5 * y * (v < 0.6) + 0.8 * u
        rows.append([*values, SPECIAL.classes[min(int(classes * score / 3), classes - 1)]])
    return rows


def outline(node, tree):
    """The tree without what is a matter of order: features and classes by name, the sides without left and right."""
    counts = frozenset(zip(tree.classes, node.counts, strict=True))
    if node.split is None:
        return counts
    feature = tree.domain.features[node.split.feature]
    border = max(node.split.left) if feature.ordered else None
    return counts, feature.name, border, frozenset(outline(side, tree) for side in (node.left, node.right))


ORDERS = [([0, 1, 2, 3], [0, 1, 2]), ([3, 1, 0, 2], [0, 1, 2]), ([0, 1, 2, 3], [2, 0, 1]), ([2, 3, 1, 0], [1, 2, 0])]


def turned_about(rows, features, classes):
    domain = Domain([SPECIAL.features[j] for j in features], [SPECIAL.classes[c] for c in classes])
    return [[*(row[j] for j in features), row[-1]] for row in rows[::-1]], domain
