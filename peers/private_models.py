"""Accuracy of diffprivlib's trees and logistic regression on test rows, for ``benchmarks/vos_tables.py``.

Reads a question a line, as JSON, and answers each by a line: the share of test rows that the model gets right. Rows
stand in an .npz file: "train" and "test" of shape (n, p), categories as codes, and "labels" and "truth", 0 or 1. The
question has "rows", the path of that file; "model", ``tree`` or ``regression``; for a tree "bounds", the lists of lower
and upper ends, and "depth"; "epsilon" and "seed". Regression gets columns that are centred and scaled by the rows that
it learns from, and takes the largest norm of a row from them, too: it is not private, as it is run here.
"""

import json
import sys
import warnings

import numpy as np
from diffprivlib.models import DecisionTreeClassifier, LogisticRegression


def right(rows, model, epsilon, seed, bounds=None, depth=4):
    table = np.load(rows)
    train, test = table["train"], table["test"]
    if model == "tree":
        learner = DecisionTreeClassifier(
            max_depth=depth, epsilon=epsilon, bounds=tuple(bounds), classes=[0, 1], random_state=seed
        )
    else:
        mean, scale = train.mean(axis=0), train.std(axis=0)
        scale[scale == 0] = 1
        train, test = (train - mean) / scale, (test - mean) / scale
        learner = LogisticRegression(epsilon=epsilon, random_state=seed)
    found = learner.fit(train, table["labels"]).predict(test)
    return float(np.mean(found == table["truth"]))


if __name__ == "__main__":
    warnings.simplefilter("ignore")  # of ranges and norms that are taken from rows: these data are not secret
    for line in sys.stdin:
        print(json.dumps(right(**json.loads(line))), flush=True)
