"""A table of invented patients, for the tests of the estimator."""

import warnings

import numpy as np
import pandas as pd

from fdpedu.domain import Domain
from fdpedu.domain.domain import domain_from_data_not_private
from fdpedu.domain.tables import Named, as_table
from fdpedu.estimators import ClassWithoutRowsWarning, FederatedTreeClassifier, FittedAgainWarning
from fdpedu.randomness import Rehearsal, ZeroWords

SPEC = {"features": {"age": [0, 100, 4], "ward": ["A", "B"]}, "classes": ["well", "ill"]}
DOMAIN = Domain.from_spec(SPEC)
ROWS = [[10 + i % 80, "AB"[i % 2]] for i in range(60)]
LABELS = ["ill" if age > 50 else "well" for age, _ in ROWS]
SITES = ["north", "south", "west"] * 20
FRAME = pd.DataFrame(ROWS, columns=["age", "ward"]).assign(diagnosis=LABELS, site=SITES, patient=range(60))


def quiet(domain=SPEC, **options):
    """An estimator without noise: the words are zero."""
    return FederatedTreeClassifier(domain, rng=ZeroWords(), **options)


class DomainOfItsRows:
    """What the rule forbids: a domain from the rows, so that scikit-learn's checks get as far as they can."""

    def fit(self, X=None, y=None, parties=None, **refused):
        self._seen, given, self.rng = y, self.rng, self.rng or Rehearsal(2)  # the same words for each fit
        try:
            with warnings.catch_warnings():
                for expected in (FittedAgainWarning, ClassWithoutRowsWarning):
                    warnings.simplefilter("ignore", expected)
                return super().fit(X, y, parties, **refused)
        finally:
            self.rng = given
            del self._seen

    def _domain(self, X):
        table, labels = as_table(X, "X"), np.asarray(self._seen).ravel().tolist()
        names = list(table.names) if isinstance(table, Named) else None
        if len(set(labels)) == 1:
            labels = [*labels, "another" if isinstance(labels[0], str) else labels[0] + 1]
        numbers = np.nan_to_num(np.asarray(X, dtype=float), posinf=0, neginf=0)
        numbers = np.vstack([numbers, numbers[: len(labels) - len(numbers)]])
        return domain_from_data_not_private(numbers, labels, names=names)
