"""CPU seconds of one tree of diffprivlib, with the rows of ``trees.py``: ``python small_trees.py ROWS FEATURES DEPTH``.

Its tree takes features and thresholds at random, and looks at the rows only for the labels of its leaves: one party,
floating-point noise.
"""

import sys
import time

from diffprivlib.models import DecisionTreeClassifier
from trees import table


def main(rows, features, depth):
    X, y = table(rows, features, 2)
    bounds = ([0] * features, [1] * features)
    taken = []
    for seed in range(3):
        tree = DecisionTreeClassifier(epsilon=1, max_depth=depth, bounds=bounds, classes=[0, 1], random_state=seed)
        start = time.process_time()
        tree.fit(X, y)
        taken.append(time.process_time() - start)
    print(sorted(taken)[1])


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
