"""The curves that a private tree is measured between, in code that shares nothing with the package.

Below lies the report's Algorithm 5, correctly paid, without or with its cells clipped at 0; above lies CART on all rows
in one place. The noise is NumPy's real-valued Laplace noise of the whole sum, so there are no parties, no shares and
nobody who colludes. What is written here stays as it is: a change would move the scale on which trees are compared.
"""

from dataclasses import dataclass

import numpy as np

DEPTH = 5
LEAF_SHARE = 0.5
MIN_SAMPLES = 10
MIN_SAMPLES_LEAF_OF_CART = 10


@dataclass(frozen=True)
class Table:
    """Codes of the features (n, p) and labels 0 or 1 (n,), with what is public: codes a feature, and whether they are
    ordered."""

    codes: np.ndarray
    labels: np.ndarray
    n_codes: tuple[int, ...]
    ordered: tuple[bool, ...]


@dataclass(frozen=True)
class Outcome:
    """Predicted labels of the test rows, and whether the tree is nothing but a leaf."""

    predictions: np.ndarray
    bare_root: bool


def algorithm_5(train: Table, test: np.ndarray, epsilon: float, rng: np.random.Generator, *, clip: bool) -> Outcome:
    """Grow the report's tree of depth 5 on ``train``, and predict ``test`` (codes, shape (m, p)).

    Half of ε is for the leaf counts, the rest is divided evenly over the levels and, at a node, over the p features.
    ``clip`` sets noisy cells below 0 to 0 before anything is computed from them.
    """
    grower = _Grower(train, test, epsilon, rng, clip)
    root_is_leaf = grower.grow(np.arange(len(train.labels)), np.arange(len(test)), 0)
    return Outcome(grower.predictions, root_is_leaf)


class _Grower:
    def __init__(self, train: Table, test: np.ndarray, epsilon: float, rng: np.random.Generator, clip: bool) -> None:
        p, self.r = len(train.n_codes), max(train.n_codes)
        self.train, self.test, self.rng, self.clip = train, test, rng, clip
        self.leaf_scale = 1 / (LEAF_SHARE * epsilon)
        self.cell_scale = p / ((1 - LEAF_SHARE) * epsilon / DEPTH)
        self.exists = np.arange(self.r) < np.array(train.n_codes)[:, None]  # (p, r): features have unequal many codes
        self.cells = (np.arange(p) * self.r + train.codes) * 2 + train.labels[:, None]  # (n, p): each row's p cells
        self.predictions = np.zeros(len(test), dtype=np.int64)

    def grow(self, rows: np.ndarray, test_rows: np.ndarray, level: int) -> bool:
        """Grow the node of these rows; True if it became a leaf."""
        split = None if level == DEPTH else choose(self.histograms(rows), self.exists, self.train.ordered)
        if split is None:
            self.predictions[test_rows] = self.leaf_label(rows)
            return True
        feature, goes_left = split
        left, left_test = goes_left[self.train.codes[rows, feature]], goes_left[self.test[test_rows, feature]]
        self.grow(rows[left], test_rows[left_test], level + 1)
        self.grow(rows[~left], test_rows[~left_test], level + 1)
        return False

    def histograms(self, rows: np.ndarray) -> np.ndarray:
        """Noisy counts (p, r, 2) of every feature, code and class; codes that a feature does not have count 0."""
        shape = (*self.exists.shape, 2)
        exact = np.bincount(self.cells[rows].ravel(), minlength=np.prod(shape)).reshape(shape)
        noisy = exact + self.rng.laplace(scale=self.cell_scale, size=shape)
        if self.clip:
            noisy = np.maximum(noisy, 0)
        return np.where(self.exists[:, :, None], noisy, 0)

    def leaf_label(self, rows: np.ndarray) -> int:
        """The class of the larger of two noisy counts."""
        counts = np.bincount(self.train.labels[rows], minlength=2) + self.rng.laplace(scale=self.leaf_scale, size=2)
        return int(counts[1] > counts[0])


def choose(counts: np.ndarray, exists: np.ndarray, ordered: tuple[bool, ...]) -> tuple[int, np.ndarray] | None:
    """The feature and the codes (a mask) that go left, from noisy counts (p, r, 2); None makes the node a leaf.

    A leaf: the total is below 10 for all features, or one class's total is at most 0 for all features, or no candidate
    has two positive sides. Otherwise the least n·G, divided by the noisy total of the candidate's own feature. The
    categories of an unordered feature are ordered by their noisy share of class 1; a category whose noisy count is not
    positive has share 0.
    """
    totals = counts.sum(axis=1)
    if (totals.sum(axis=1) < MIN_SAMPLES).all() or (totals <= 0).all(axis=0).any():
        return None
    order = _orders(counts, exists, ordered)
    left = np.cumsum(np.take_along_axis(counts, order[:, :, None], axis=1), axis=1)[:, :-1]
    right = totals[:, None] - left
    n_left, n_right = left.sum(axis=2), right.sum(axis=2)
    # A border exists between codes that exist: behind the last one, rounding could leave a tiny positive side.
    allowed = exists[:, 1:] & (n_left > 0) & (n_right > 0)
    if not allowed.any():
        return None
    with np.errstate(divide="ignore", invalid="ignore"):
        scores = (left.prod(axis=2) / n_left + right.prod(axis=2) / n_right) / totals.sum(axis=1)[:, None]
    feature, border = np.unravel_index(np.argmin(np.where(allowed, scores, np.inf)), scores.shape)
    goes_left = np.zeros(exists.shape[1], dtype=bool)
    goes_left[order[feature, : border + 1]] = True
    return int(feature), goes_left


def _orders(counts: np.ndarray, exists: np.ndarray, ordered: tuple[bool, ...]) -> np.ndarray:
    """For each feature the order (p, r) of its codes, those that do not exist last."""
    order = np.tile(np.arange(exists.shape[1]), (len(exists), 1))
    for j in np.flatnonzero(~np.array(ordered)):
        n = counts[j].sum(axis=1)
        share = np.divide(counts[j, :, 1], n, out=np.zeros_like(n), where=n > 0)
        order[j] = np.lexsort((share, ~exists[j]))
    return order


def cart(
    X: np.ndarray, labels: np.ndarray, test: np.ndarray, categories: list[tuple | None], seed: int
) -> tuple[np.ndarray, bool]:
    """scikit-learn's tree on raw values: predictions of the test rows, and whether the root is a leaf.

    ``categories`` holds, for each column, its categories, which become columns of 0 and 1, or None for a number.
    """
    from sklearn.tree import DecisionTreeClassifier

    tree = DecisionTreeClassifier(max_depth=DEPTH, min_samples_leaf=MIN_SAMPLES_LEAF_OF_CART, random_state=seed)
    tree.fit(one_hot(X, categories), labels)
    return tree.predict(one_hot(test, categories)), tree.tree_.node_count == 1


def one_hot(X: np.ndarray, categories: list[tuple | None]) -> np.ndarray:
    """Numbers as they are, and a column of 0 and 1 for each category."""
    columns = []
    for column, names in zip(X.T, categories, strict=True):
        columns += [column.astype(float)] if names is None else [(column == name).astype(float) for name in names]
    return np.column_stack(columns)
