"""Scores of DP-EBM, InterpretML's boosting with a trusted curator, for ``benchmarks/boosting.py``.

Reads a question a line, as JSON, and answers each by a line. Its rows stand in an .npz file: "train" and "test" of
shape (n, p), with codes where a feature is categorical, and "labels" 0 or 1. The question has "rows", the path of that
file; "ranges", for each feature its public ends, or null where it is categorical; "epsilon", "delta" and "seed". The
answer has the log odds of class 1 of the test rows as "scores", and the CPU "seconds" of the fit. A question with
"target", public ends of a number, has numbers as "labels", and its "scores" are predictions. All else is DP-EBM's
default: 300 rounds, 32 bins, Gaussian noise booked by Gaussian differential privacy.

With the argument ``versions`` it prints what it is made of.
"""

import json
import sys
import time
import warnings
from importlib.metadata import version

import numpy as np
from interpret.privacy import DPExplainableBoostingClassifier, DPExplainableBoostingRegressor

PARTS = ("interpret-core", "numpy", "scikit-learn")


def columns(codes, ranges):
    """Numbers as they are, and a category as text: DP-EBM finds by noisy counts which there are."""
    if all(ranges):
        return codes
    found = codes.astype(object)
    for j, ends in enumerate(ranges):
        if ends is None:
            found[:, j] = [f"code {int(code)}" for code in codes[:, j]]
    return found


def scores(rows, ranges, epsilon, delta, seed, target=None):
    table = np.load(rows)
    train, test = (columns(table[part], ranges) for part in ("train", "test"))
    kind, own = DPExplainableBoostingClassifier, {}
    if target is not None:
        kind = DPExplainableBoostingRegressor
        own = {"privacy_target_min": target[0], "privacy_target_max": target[1]}
    model = kind(
        **own,
        feature_types=["nominal" if ends is None else "continuous" for ends in ranges],
        privacy_bounds={j: tuple(ends) for j, ends in enumerate(ranges) if ends is not None},
        epsilon=epsilon,
        delta=delta,
        random_state=seed,
        n_jobs=1,  # which changes no result
    )
    start = time.process_time()
    model.fit(train, table["labels"])
    seconds = time.process_time() - start
    found = model.decision_function(test) if target is None else model.predict(test)
    return {"scores": found.tolist(), "seconds": seconds}


if __name__ == "__main__":
    if sys.argv[1:] == ["versions"]:
        json.dump({name: version(name) for name in PARTS}, sys.stdout)
    else:
        warnings.simplefilter("ignore")  # of a seed: these data are not secret
        for line in sys.stdin:
            print(json.dumps(scores(**json.loads(line))), flush=True)
