"""What boosting refuses, in whole sentences; and that nothing is charged for it."""

import pytest

from benchmarks.pooled import simulate_boosting
from fdpedu.accounting import Cost, Ledger
from fdpedu.boosting import boosting_guarantee, fit_federated_boosting, rules_for
from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.federation import Federation, Party
from fdpedu.randomness import Rehearsal
from tests.support.sentences import said_in_full

DOMAIN = Domain([Numeric.grid("x", 0, 3, bins=3), Categorical("w", ("A", "B"))], ("well", "ill"))
THREE = Domain(DOMAIN.features, ("a", "b", "c"))
NUMBERS = Domain.from_spec({"features": {"x": [0, 3, 3]}, "target": [0, 9]})
SMALL = {"nominal_size": 60, "rounds": 2, "trees_per_round": 1}
RHO = Cost("gaussian", "1/40")
NO_SIZE = (
    "boosting needs a nominal_size: about how many rows all parties have, a public number that is fixed beforehand, "
    "never their true number"
)
NO_CURVES = "form 'curves' is for a budget in ρ: give a delta, or take form 'trees'"


def ensemble():
    party = Party([[0.5, "A", "well"], [2.5, "B", "ill"]] * 9, DOMAIN)
    return simulate_boosting(party, 50, rng=Rehearsal(1), **SMALL)


CALLS = {
    NO_SIZE: [lambda: rules_for("trees", None, 1, 5), lambda: boosting_guarantee(1, nominal_size=None, **sizes())],
    "nominal_size must be an integer ≥ 1, got 0": [lambda: rules_for("trees", 0, 1, 5)],
    "form must be 'trees' or 'curves', got 'curve'": [lambda: rules_for("curve", 9, RHO, 5)],
    "form must be 'trees' or 'curves', got None": [lambda: rules_for(None, 9, RHO, 5)],
    NO_CURVES: [
        lambda: rules_for("curves", 9, 1, 5),
        lambda: boosting_guarantee(1, form="curves", **sizes()),
    ],
    "n_features must be an integer ≥ 1, got 0": [
        lambda: rules_for("trees", 9, 1, 0),
        lambda: boosting_guarantee(1, **sizes(n_features=0)),
    ],
    "n_features must be at most 4096, got 4097": [lambda: boosting_guarantee(1, **sizes(n_features=4097))],
    "rounds must be an integer ≥ 1, got 0": [lambda: rules_for("trees", 9, 1, 5, rounds=0)],
    "rounds must be at most 64, got 65": [lambda: rules_for("trees", 9, 1, 5, rounds=65)],
    "trees_per_round must be at most 64, got 65": [lambda: rules_for("trees", 9, 1, 5, rounds=64, trees_per_round=65)],
    "max_depth must be an integer ≥ 1, got 0": [lambda: rules_for("trees", 9, 1, 5, max_depth=0)],
    "max_depth must be at most 6, got 7": [lambda: rules_for("trees", 9, 1, 5, max_depth=7)],
    "X and y must have as many rows, at least 1; got 2 and 1": [
        lambda: ensemble().score([[0.5, "A"], [2.5, "B"]], ["well"])
    ],
    "X and y must have as many rows, at least 1; got 0 and 0": [lambda: ensemble().score([], [])],
    "X row 0, column 'w': expected one of the 2 public categories ('A', 'B')": [
        lambda: ensemble().predict([[0.5, "C"]]),
        lambda: ensemble().decision_function([[0.5, "C"]]),
    ],
    "y row 0, the class: expected one of the 2 public categories ('well', 'ill')": [
        lambda: ensemble().score([[0.5, "A"]], ["dead"])
    ],
    "curves are of an ensemble of form 'curves', and this one is of form 'trees'": [lambda: ensemble().curves()],
}


def sizes(**changed):
    return {"n_features": 5, "n_parties": 3, **changed}


test_what_is_refused_is_said_in_this_sentence = said_in_full(
    [(call, sentence) for sentence, calls in CALLS.items() for call in calls]
)


def test_curves_that_are_left_to_the_rules_fit_into_a_model():
    """However many rounds there are: as many trees a round as a model has room for."""
    assert rules_for("curves", 9, RHO, 4000, rounds=64).trees_per_round == 64
    assert rules_for("curves", 9, RHO, 3, rounds=64).trees_per_round == 3


FITS = [
    (
        {},
        THREE,
        "boosting of 3 classes is paid in ρ, so give a delta, or grow a tree: in ε a pull that is divided among "
        "several classes would tell colluders more than a whole one",
    ),
    ({"threshold": "counted"}, THREE, "threshold must be left out: it is for two classes, and the domain has 3"),
    (
        {"threshold": "counted"},
        NUMBERS,
        "threshold must be left out: it is for two classes, and the domain has a target",
    ),
    ({"threshold": "count"}, DOMAIN, "threshold must be None or 'counted', got 'count': a score is for predict"),
    ({"threshold": 0.5}, DOMAIN, "threshold must be None or 'counted', got 0.5: a score is for predict"),
    *(({"nominal_size": None}, domain, NO_SIZE) for domain in (DOMAIN, NUMBERS)),
    *(({"form": "curves"}, domain, NO_CURVES) for domain in (DOMAIN, NUMBERS)),
    ({"epsilon": 2}, DOMAIN, "ε = 2 was asked, and ε = 1 is left in the ledger; nothing was charged"),
    ({"progress": 3}, DOMAIN, "progress must be a function, got 3"),
    ({"max_depth": 0}, DOMAIN, "max_depth must be an integer ≥ 1, got 0"),
    (
        {"epsilon": "1e-30"},
        DOMAIN,
        "epsilon/sensitivity must be at least 2**-40, so that the noise fits 64-bit integers",
    ),
]


@pytest.mark.parametrize(("options", "domain", "sentence"), FITS)
def test_a_fit_is_refused_before_anything_is_charged(options, domain, sentence):
    federation = Federation([Party([], domain) for _ in range(3)], domain, Ledger(1), rng=Rehearsal(0))
    with pytest.raises(ValueError) as refused:
        fit_federated_boosting(federation, **{**SMALL, **options})
    assert str(refused.value) == sentence
    assert federation.ledger.rounds == federation.rounds == 0


def test_what_is_no_federation():
    with pytest.raises(ValueError, match="federation must be a Federation, or the Curator of all rows, got list"):
        fit_federated_boosting([], **SMALL)
