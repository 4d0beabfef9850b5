"""What belongs to one model is read from what it has paid itself, whatever else its ledger has paid for."""

import threading

import pytest

from fdpedu.accounting import Cost, Ledger
from fdpedu.boosting import Ensemble, fit_federated_boosting
from fdpedu.bounds import fit_saving_tree
from fdpedu.domain import Domain
from fdpedu.federation import Federation, Party
from fdpedu.randomness import Rehearsal
from fdpedu.robust.certificate import worst_case_curve
from fdpedu.structures import Structures, fit_private_structures
from fdpedu.trees import DESIGNS, SYSTEMS, count_intervals, fit_federated_tree, fit_owner_tree, fit_privatree
from fdpedu.trees.recursive import fit_recursively

DOMAIN = Domain.from_spec(
    {"features": {"age": {"low": 0, "high": 8, "bins": 8}, "ward": ["a", "b"]}, "classes": ["no", "yes"]}
)
ROWS = [[k % 8 + 0.5, "ab"[k % 3 % 2], ("no", "yes")[k % 8 > 3]] for k in range(120)]
TABLE, LABELS = [row[:-1] for row in ROWS], [row[-1] for row in ROWS]


def seated(ledger):
    return Federation([Party(ROWS[k::2], DOMAIN) for k in range(2)], DOMAIN, ledger, rng=Rehearsal(1))


def federated(fit, **options):
    return lambda ledger, cost: fit(seated(ledger), epsilon=cost, rng=Rehearsal(2), **options)


def owned(fit, **options):
    return lambda ledger, cost: fit(Party(ROWS, DOMAIN), ledger, epsilon=cost.value, rng=Rehearsal(2), **options)


def boosting(form):
    return federated(fit_federated_boosting, form=form, nominal_size=120, rounds=2, trees_per_round=4)


PURE = Cost("pure", 1), Cost("pure", "1/30")
RHO = Cost("gaussian", "1/2"), Cost("gaussian", "1/100")
# how it is fitted, and what a large and a small one cost
WAYS = {
    **{f"{name} in ε": (federated(fit_federated_tree, design=name), PURE) for name in DESIGNS},
    **{name: (federated(fit_federated_tree, design=name), PURE) for name in SYSTEMS},
    "default in ρ": (federated(fit_federated_tree), RHO),
    "by recursion": (lambda ledger, cost: fit_recursively(seated(ledger), epsilon=cost.value), PURE),
    "by bounds": (lambda ledger, cost: fit_saving_tree(seated(ledger), epsilon=cost.value), PURE),
    "one owner": (owned(fit_owner_tree, nominal_size=120), PURE),
    "labels": (owned(fit_privatree, splits="random", leaves="labels", max_depth=1), PURE),
    "counts of public splits": (owned(fit_privatree, splits="random", max_depth=1), PURE),
    "boosting in ε": (boosting("trees"), PURE),
    "boosting in ρ": (boosting("trees"), RHO),
    "curves": (boosting("curves"), RHO),
    "structures": (federated(fit_private_structures, max_depth=1, population=2, generations=3), PURE),
}


def ledger_of(cost):
    return Ledger(40) if cost.is_pure else Ledger(rho=40)


def own(model):
    """What a model says of itself and of what it has paid."""
    said = {"cost": model.cost, "rounds": len(model.paid_in)}
    if isinstance(model, Structures):
        return {**said, "price": model.summary()}
    said["text"] = model.to_text()
    if isinstance(model, Ensemble):
        curves = model.curves() if model.form == "curves" else ()
        return {**said, "noise": model.noise, "bands": [curve.deviations.tolist() for curve in curves]}
    if model.design and model.design.public_splits:
        said["exact"] = worst_case_curve(model, TABLE, LABELS, TABLE, LABELS, 3)
    if model.leaf_releases and model.design and model.cost.is_pure:
        said["intervals"] = [(one.low, one.high) for one in count_intervals(model)]
    return {**said, "leaves": [str(release.cost) for release in model.leaf_releases]}


@pytest.mark.parametrize("way", WAYS)
def test_two_models_on_one_ledger_each_say_what_they_say_alone(way):
    """In either order, and also when both are read from their files."""
    fit, costs = WAYS[way]
    alone = {cost: own(fit(ledger_of(cost), cost)) for cost in costs}
    assert len({one["cost"] for one in alone.values()}) == 2
    for order in (costs, costs[::-1]):
        ledger = ledger_of(order[0])
        models = [fit(ledger, cost) for cost in order]
        for cost, model in zip(order, models, strict=True):
            assert own(model) == own(type(model).from_json(model.to_json())) == alone[cost]
        first, second = (model.paid_in for model in models)
        assert [*first, *second] == list(range(1, ledger.rounds + 1))


def test_rounds_of_models_that_grow_at_the_same_time_are_told_apart(monkeypatch):
    """Both begin before either asks, and then go on round by round."""
    ledger, costs = Ledger(40), ("1", "1/30")
    federations, found = [seated(ledger) for _ in costs], {}
    barrier, named = threading.Barrier(2), ledger.new_account

    def begin(what):
        name = named(what)
        barrier.wait(60)
        return name

    monkeypatch.setattr(ledger, "new_account", begin)

    def grow(federation, cost):
        def wait(done, of):
            barrier.wait(60) if done < of else None

        found[cost] = fit_federated_boosting(
            federation, epsilon=cost, nominal_size=120, rounds=2, trees_per_round=4, progress=wait
        )

    threads = [threading.Thread(target=grow, args=pair) for pair in zip(federations, costs, strict=True)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert {str(found[cost].cost.value) for cost in costs} == set(costs)
    assert sorted(found["1"].paid_in + found["1/30"].paid_in) == list(range(1, 11))
    assert found["1/30"].noise > 20 * found["1"].noise
