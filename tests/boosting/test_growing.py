"""Whole fits at the edges of what there may be, and what is refused beforehand."""

import json
from fractions import Fraction

import numpy as np
import pytest

from fdpedu.accounting import Budget, BudgetExceeded, Cost, Ledger
from fdpedu.boosting import Ensemble, fit_federated_boosting
from fdpedu.derivation_checker import check_derivation
from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.federation import ClassCounts, Federation, Party
from fdpedu.randomness import Rehearsal, ZeroWords

MIXED = Domain(
    [Numeric.grid("age", 0, 8, bins=8), Numeric.grid("dose", 0, 4, bins=4, missing=True),
     Categorical("ward", ("A", "B", "C"))], ("well", "ill"),
)  # fmt: skip
LINE = Domain([Numeric.grid("age", 0, 8, bins=8)], ("well", "ill"))
CODED = Domain([Categorical("ward", ("A", "B", "C", "D"), missing=True)], ("well", "ill"))
PURE, RHO = Budget.of(2), Budget.of(1, delta=1e-6)


def rows(n, seed=0, ill=4):
    rng = np.random.default_rng(seed)
    found = zip(rng.integers(0, 8, n), rng.integers(0, 5, n), rng.integers(0, 3, n), rng.integers(0, 9, n), strict=True)
    return [
        [a + 0.5, None if d == 4 else d + 0.5, "ABC"[w], "ill" if a + noise > 2 * ill else "well"]
        for a, d, w, noise in found
    ]


def federation(parts, domain, budget, source=None, **options):
    members = [Party(part, domain) for part in parts]
    return Federation(members, domain, Ledger(budget), rng=source or ZeroWords(), **options)


def test_constant_and_doubled_features_and_empty_parties():
    """A feature with one value has no leaf on the other side; a party may have no rows; a column may stand twice."""
    twice = Domain([*MIXED.features, Numeric.grid("again", 0, 8, bins=8)], ("well", "ill"))
    data = [[r[0], 1.5, "B", r[0], r[-1]] for r in rows(60)]
    ensemble = fit_federated_boosting(
        federation([data, []], twice, RHO), nominal_size=60, rounds=4, trees_per_round=3, rng=Rehearsal(1)
    )
    scores = ensemble.decision_function([r[:-1] for r in data])
    assert np.isfinite(scores).all() and len(set(scores.tolist())) > 1
    assert all(np.ptp(np.array(weights)) >= 0 for _, weights in ensemble.model.trees)
    data = [[0.5, 1.5, "B", r[-1]] for r in rows(20)]
    ensemble = fit_federated_boosting(federation([data, []], MIXED, RHO), nominal_size=20, rounds=2, rng=Rehearsal(1))
    assert len(set(ensemble.decision_function([r[:-1] for r in data]))) == 1


@pytest.mark.parametrize(
    ("domain", "form", "budget"),
    [(LINE, "trees", RHO), (LINE, "curves", RHO), (LINE, "trees", PURE), (CODED, "curves", RHO), (CODED, "trees", RHO)],
)
def test_one_feature_has_main_effects_only(domain, form, budget):
    data = [[r[0], r[-1]] if domain is LINE else ["ABCD"[int(r[0]) % 4] if r[1] else None, r[-1]] for r in rows(90)]
    ensemble = fit_federated_boosting(
        federation([data, data], domain, budget), form=form, nominal_size=180, rounds=4, rng=Rehearsal(1)
    )
    assert {batch.ratio for batch in ensemble.batches} == {0} and ensemble.interactions() == ()
    assert {batch.second_step for batch in ensemble.batches} == {0}
    assert len(set(ensemble.decision_function([r[:-1] for r in data]).tolist())) > 1


def test_two_features_make_one_pair():
    """Of two questions: the pair is asked about by every tree."""
    two = Domain(MIXED.features[::2], ("well", "ill"))
    data = [[r[0], r[2], "ill" if (r[0] > 4) == (r[2] == "A") else "well"] for r in rows(300)]
    ensemble = fit_federated_boosting(federation([data, data], two, Budget.of(8, delta=1e-6)), nominal_size=600,
                                      rounds=8, rng=Rehearsal(1))  # fmt: skip
    assert {batch.questions for batch in ensemble.batches} == {2} and ensemble.batches[-1].ratio > 0
    assert [one.features for one in ensemble.interactions()] == [("age", "ward")]
    assert ensemble.interactions()[0].stands_out


def test_nine_hundred_trees_at_the_limits_of_the_tables():
    """Rows that all know their class at M = 30 and next to no noise: scores beyond the table, weights within limits."""
    data = [[a + 0.5, "ill" if a > 3 else "well"] for a in range(8)] * 40
    f = federation([data, data], LINE, Budget.of(900, delta=1e-6), Rehearsal(1))
    ensemble = fit_federated_boosting(f, nominal_size=640, rng=Rehearsal(1))
    assert len(ensemble.model.trees) == 900 and ensemble.rules.step == 30 * 4096
    scores = ensemble.decision_function([r[:-1] for r in data])
    assert np.abs(scores).max() > 4 and (ensemble.predict([r[:-1] for r in data]) == [r[-1] for r in data]).all()
    assert Ensemble.from_json(ensemble.to_json()).model == ensemble.model


@pytest.mark.parametrize(("parties", "tolerate"), [(3, 2), (7, 1), (100, 1)])
def test_few_and_many_parties(parties, tolerate):
    f = federation([rows(2, k) for k in range(parties)], MIXED, RHO, Rehearsal(1), tolerate=tolerate)
    ensemble = fit_federated_boosting(f, nominal_size=200, rounds=1, trees_per_round=2, rng=Rehearsal(2))
    guarantee = check_derivation(ensemble.derivation.to_json(), f.manifest.to_json())
    assert guarantee.colluders == tolerate and f.ledger.spent.value == RHO.limit.value
    assert (ensemble.n_parties, ensemble.tolerate, ensemble.rounds) == (parties, tolerate, 4)


@pytest.mark.claim("thm-federated-boosting")
def test_a_part_of_a_ledger_and_twice():
    """Two ensembles from one ledger: each costs its part, and its derivation has both."""
    f = federation([rows(20, k) for k in range(2)], MIXED, 3, Rehearsal(1))
    options = {"nominal_size": 40, "rounds": 1, "trees_per_round": 2, "rng": Rehearsal(2)}
    first = fit_federated_boosting(f, epsilon="1", **options)
    second = fit_federated_boosting(f, epsilon="3/2", **options)
    assert f.ledger.spent == Fraction(5, 2) and (first.rounds, second.rounds) == (4, 4)
    assert first.guarantee.spent == 1 and second.guarantee.spent == Fraction(5, 2)
    assert json.loads(second.to_json())["n_rounds"] == [5, 6, 7, 8]
    with pytest.raises(BudgetExceeded):
        fit_federated_boosting(f, epsilon=1, **options)
    assert f.ledger.spent == Fraction(5, 2) and f.rounds == 8


def test_progress_counts_the_rounds():
    seen = []
    f = federation([rows(5)] * 2, MIXED, 1, Rehearsal(1))
    fit_federated_boosting(
        f, nominal_size=10, rounds=3, trees_per_round=1, rng=Rehearsal(2), progress=lambda *at: seen.append(at)
    )
    assert seen == [(k, 6) for k in range(1, 7)]


THREE = Domain([Numeric.grid("age", 0, 8, bins=8)], ("a", "b", "c"))
MANY = Domain([Numeric.grid("age", 0, 8, bins=8)], range(33))
REFUSED = {
    "no nominal size": (MIXED, PURE, {"nominal_size": None}, "nominal_size"),
    "a nominal size of 0": (MIXED, PURE, {"nominal_size": 0}, "nominal_size"),
    "three classes in ε": (THREE, PURE, {}, "give a delta"),
    "33 classes": (MANY, Cost("gaussian", Fraction(1, 20), Fraction(1)), {}, "2 to 32 classes"),
    "depth 0": (MIXED, PURE, {"max_depth": 0}, "max_depth"),
    "depth 7": (MIXED, PURE, {"max_depth": 7}, "max_depth"),
    "no rounds": (MIXED, PURE, {"rounds": 0}, "rounds"),
    "no trees": (MIXED, PURE, {"trees_per_round": 0}, "trees_per_round"),
    "too many trees": (MIXED, PURE, {"rounds": 64, "trees_per_round": 65}, "trees_per_round"),
    "curves in ε": (MIXED, PURE, {"form": "curves"}, "curves"),
    "another form": (MIXED, PURE, {"form": "forest"}, "form"),
    "tiny ε": (MIXED, Budget.of("1/1000000000000000000000"), {}, "epsilon|rate"),
    "tiny ρ": (MIXED, Cost("gaussian", Fraction(1, 10**22), Fraction(1)), {}, "rho"),
    "more than is left": (MIXED, PURE, {"epsilon": 3}, "left|budget"),
    "progress that cannot be called": (MIXED, PURE, {"progress": 3}, "progress"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused_is_refused_before_anything_is_charged(name):
    domain, budget, options, named = REFUSED[name]
    f = federation([[], []], domain, budget, Rehearsal(1))
    with pytest.raises(ValueError, match=named):
        fit_federated_boosting(f, **{"nominal_size": 10, "rng": Rehearsal(1), **options})
    assert f.rounds == 0 and f.ledger.derivation is not None and not f.transport.requests
    assert not any(f.ledger.spent if isinstance(f.ledger.spent, tuple) else [f.ledger.spent])


def test_a_ledger_with_too_little_xi_is_refused_before_anything_is_charged():
    f = federation([[], []], MIXED, Cost("gaussian", Fraction(1, 40), Fraction(1, 10**12)), Rehearsal(1), tolerate=0)
    with pytest.raises(BudgetExceeded, match="nothing was charged"):
        fit_federated_boosting(f, nominal_size=10, rounds=1, trees_per_round=2, rng=Rehearsal(1))
    assert f.rounds == 0 and f.ledger.spent == (0, 0)


def test_what_is_no_federation_is_refused():
    with pytest.raises(ValueError, match="federation"):
        fit_federated_boosting([[1, 2]], nominal_size=10)


def test_a_ledger_that_is_exceeded_in_between_keeps_what_was_paid():
    """Somebody else spends from the ledger after two rounds: the fit ends, and says what has been paid."""
    f = federation([rows(5)] * 2, MIXED, 1, Rehearsal(1))

    def spend(done, _):
        if done == 2:
            f.release([ClassCounts(MIXED.everything, "1/4")])

    with pytest.raises(BudgetExceeded, match="ensemble"):
        fit_federated_boosting(f, nominal_size=10, rounds=2, trees_per_round=1, rng=Rehearsal(2), progress=spend)
    assert f.ledger.spent == Fraction(1, 10) + Fraction(42, 100) + Fraction(1, 4)


@pytest.mark.claim("thm-federated-boosting")
def test_of_everything_released_only_the_sums_depend_on_rows():
    """The public coins alone say which features are asked about in which round, whatever the rows are."""
    found = []
    for seed in (1, 2):
        f = federation([rows(30, seed)] * 2, MIXED, PURE, Rehearsal(1))
        ensemble = fit_federated_boosting(f, nominal_size=60, rounds=2, trees_per_round=4, rng=Rehearsal(5))
        found.append([tuple(feature for feature, _ in q) for q, _ in ensemble.model.trees])
    assert found[0] == found[1] and {len(set(features)) for features in found[0]} == {3}  # all that there are
