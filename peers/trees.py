"""CPU seconds of one LightGBM tree on one thread: ``python trees.py ROWS FEATURES BINS CLASSES DEPTH``.

Prints two numbers: training alone, on data that are binned already, and all of it from raw values.
"""

import sys
import time

import lightgbm
import numpy as np


def table(rows, features, classes):
    """The rows that fdpedu's benchmark has, too."""
    rng = np.random.default_rng(0)
    X = rng.random((rows, features))
    score = X[:, 0] + X[:, 1] * X[:, 2] + 0.3 * rng.standard_normal(rows)
    return X, np.searchsorted(np.quantile(score, np.arange(1, classes) / classes), score)


def main(rows, features, bins, classes, depth):
    X, y = table(rows, features, classes)
    parameters = {
        "objective": "binary" if classes == 2 else "multiclass",
        "num_leaves": 2**depth,
        "max_depth": depth,
        "max_bin": bins,
        "min_data_in_leaf": 10,
        "num_threads": 1,
        "verbose": -1,
    }
    if classes > 2:
        parameters["num_class"] = classes  # one tree a class
    trained, whole = [], []
    for _ in range(3 if rows < 10**6 else 2):
        start = time.process_time()
        data = lightgbm.Dataset(X, y, params=parameters).construct()
        binned = time.process_time()
        lightgbm.train(parameters, data, num_boost_round=1)
        end = time.process_time()
        trained.append(end - binned)
        whole.append(end - start)
    print(sorted(trained)[len(trained) // 2], sorted(whole)[len(whole) // 2])


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
