"""CPU seconds of a fit of diffprivlib's tree and of its predictions: ``python simulation.py ROWS FEATURES DEPTH``."""

import sys
import time
import warnings

import numpy as np
from diffprivlib.models import DecisionTreeClassifier

warnings.simplefilter("ignore")
n, p, depth = map(int, sys.argv[1:])
rng = np.random.default_rng(0)
y = np.arange(n) % 2
X = rng.standard_normal((n, p)) + 0.6 * (1 - 2 * y)[:, None]
seconds = []
for _ in range(8):
    start = time.process_time()
    tree = DecisionTreeClassifier(max_depth=depth, epsilon=1.2, bounds=(-5, 4), classes=[0, 1])
    tree.fit(X, y).predict(X)
    seconds.append(time.process_time() - start)
print(sorted(seconds)[4])
