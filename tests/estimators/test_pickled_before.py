"""An estimator that an older version has pickled: parameters have defaults, and nothing is charged for its model."""

import pickle

import pytest

from fdpedu.accounting import Ledger
from fdpedu.domain import Domain
from fdpedu.estimators import FederatedBoostingClassifier, FederatedTreeClassifier
from fdpedu.randomness import Rehearsal

DOMAIN = Domain.from_spec({"features": {"age": {"low": 0, "high": 4, "bins": 4}}, "classes": ["no", "yes"]})
X, Y = [[i % 4 + 0.5] for i in range(40)], ["yes" if i % 4 > 1 else "no" for i in range(40)]
KINDS = {
    FederatedTreeClassifier: {"max_depth": 1},
    FederatedBoostingClassifier: {"nominal_size": 40, "delta": None},
}


def of_an_older_version(model, *unknown):
    """As it was pickled by a version that did not know these parameters, and did not say which it was."""
    state = {key: value for key, value in model.__getstate__().items() if key not in (*unknown, "_pickled_by")}
    old = type(model).__new__(type(model))
    old.__setstate__(state)
    return old


@pytest.mark.parametrize("kind", KINDS)
def test_parameters_that_it_did_not_know_have_defaults(kind):
    model = kind(DOMAIN, rng=Rehearsal(1), n_parties=2, **KINDS[kind]).fit(X, Y)
    for name in type(model)().get_params():
        old = of_an_older_version(model, name)
        assert old.get_params()[name] == type(model)().get_params()[name] and repr(old)
        assert old.predict(X).tolist() == model.predict(X).tolist()


@pytest.mark.parametrize("kind", KINDS)
def test_its_model_is_not_scored_and_nothing_is_charged(kind):
    """Also of a copy of it; a new fit makes a model of this version."""
    budget = Ledger(3)
    model = kind(DOMAIN, rng=Rehearsal(1), n_parties=2, budget=None, **KINDS[kind]).fit(X, Y)
    old = of_an_older_version(model).set_params(budget=budget)
    for each in (old, of_an_older_version(model).set_params(budget=budget)):
        with pytest.raises(ValueError, match=r"pickled by an early fdpedu \(0\.1\.0\), and this is .*save\(path\)"):
            each.noisy_score(X, Y, epsilon=1)
    assert budget.spent == 0
    again = pickle.loads(pickle.dumps(of_an_older_version(model).set_params(rng=None)))
    with pytest.raises(ValueError, match="pickled by"):
        again.noisy_score(X, Y, epsilon=1)
    assert old.fit(X, Y).noisy_score(X, Y, epsilon=1) and budget.spent == 2
    assert pickle.loads(pickle.dumps(model.set_params(rng=None))).noisy_score(X, Y, epsilon=1)
