"""A table of invented patients, for the tests of the estimator."""

import pandas as pd

from fdpedu.domain import Domain
from fdpedu.estimators import FederatedTreeClassifier
from fdpedu.randomness import ZeroWords

SPEC = {"features": {"age": [0, 100, 4], "ward": ["A", "B"]}, "classes": ["well", "ill"]}
DOMAIN = Domain.from_spec(SPEC)
ROWS = [[10 + i % 80, "AB"[i % 2]] for i in range(60)]
LABELS = ["ill" if age > 50 else "well" for age, _ in ROWS]
SITES = ["north", "south", "west"] * 20
FRAME = pd.DataFrame(ROWS, columns=["age", "ward"]).assign(diagnosis=LABELS, site=SITES, patient=range(60))


def quiet(domain=SPEC, **options):
    """An estimator without noise: the words are zero."""
    return FederatedTreeClassifier(domain, rng=ZeroWords(), **options)
