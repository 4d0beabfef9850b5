"""Every parameter of every estimator changes what it names, in the released document or in the ledger that paid."""

import json
import warnings
from inspect import signature

import pytest

from fdpedu.accounting import Ledger
from fdpedu.cart import fit_cart
from fdpedu.domain import Domain
from fdpedu.estimators import (
    FederatedBoostingClassifier,
    FederatedBoostingRegressor,
    FederatedTreeClassifier,
    FederatedTreeRegressor,
    PrivaTreeClassifier,
)
from fdpedu.randomness import Rehearsal
from tests.house.test_options_matter import _leaves, _releases

SPEC = {"features": {"age": [0, 100, 8], "ward": ["A", "B"]}, "classes": ["well", "ill"]}
WIDE = {**SPEC, "features": {**SPEC["features"], "age": [0, 200, 8]}}
NUMBER = {"features": SPEC["features"], "target": [0, 1, 4]}
ROWS = [[10 + i * 7 % 80, "AB"[i % 2]] for i in range(120)]
STATES = [("well", "ill")[age > 50] for age, _ in ROWS]
NUMBERS = [age / 100 for age, _ in ROWS]
PUBLIC = fit_cart(ROWS, STATES, grid=Domain.from_spec(SPEC), max_depth=1)
COSTS = "costs"
TREE = {"domain": SPEC, "max_depth": 2, "design": "default", "rng": 1}
TURNS = {"domain": SPEC, "nominal_size": 100, "design": None, "rng": 1}
BOOST = {"domain": SPEC, "delta": None, "nominal_size": 120, "rounds": 2, "trees_per_round": 2, "rng": 1}
CURVES = {**BOOST, "delta": 1e-6}
RESIDUALS = {**BOOST, "domain": NUMBER}
OWNER = {"domain": SPEC, "max_depth": 2, "rng": 1}
EDGES = {**OWNER, "edges": "joint", "edge_bins": 2}
NAMED = {**TREE, "sites": ["n", "s"]}
CASES = {  # of each parameter: the other fit, what is changed there into what, and what is another then
    FederatedTreeClassifier: {
        "domain": (TREE, WIDE, ["domain"]), "epsilon": (TREE, "1/2", [COSTS, "derivation.budget"]),
        "delta": (TREE, "1e-6", ["derivation.measure"]), "max_depth": (TREE, 1, ["rounds", COSTS]),
        "min_samples_split": ({**TREE, "epsilon": 50}, 1000, ["leaves"]),
        "leaf_share": (TREE, "1/3", [COSTS]), "tolerate": (TREE, 0, ["tolerate"]),
        "design": (TREE, "rotating", ["design"]), "nominal_size": (TURNS, 10**6, [COSTS]),
        "n_parties": (TREE, 3, ["n_parties"]), "sites": (NAMED, ["n", "s", "w"], ["n_parties"]),
        "budget": (TREE, Ledger, ["left"]), "rng": (TREE, 2, ["root"]),
    },
    FederatedTreeRegressor: {
        "domain": ({"domain": NUMBER, "rng": 1}, {**NUMBER, "target": [0, 2, 4]}, ["domain"]),
        "epsilon": ({"domain": NUMBER, "rng": 1}, 2, [COSTS, "derivation.budget"]),
        "max_depth": ({"domain": NUMBER, "rng": 1}, 1, ["rounds", COSTS]),
        "leaf_share": ({"domain": NUMBER, "rng": 1}, "1/2", [COSTS]),
        "tolerate": ({"domain": NUMBER, "rng": 1}, 0, ["tolerate"]),
        "n_parties": ({"domain": NUMBER, "rng": 1}, 3, ["n_parties"]),
        "sites": ({"domain": NUMBER, "rng": 1, "sites": ["n", "s"]}, ["n", "s", "w"], ["n_parties"]),
        "budget": ({"domain": NUMBER, "rng": 1}, Ledger, ["left"]), "rng": ({"domain": NUMBER, "rng": 1}, 2, ["root"]),
    },
    FederatedBoostingClassifier: {
        "domain": (BOOST, WIDE, ["domain"]), "epsilon": (BOOST, "1/2", [COSTS, "derivation.budget"]),
        "delta": (BOOST, 1e-6, ["derivation.measure"]), "form": (CURVES, "curves", ["form"]),
        "nominal_size": (BOOST, 10**4, ["nominal_size"]), "rounds": (BOOST, 3, ["rounds", COSTS]),
        "trees_per_round": (BOOST, 3, ["trees_per_round"]), "max_depth": (BOOST, 1, ["questions"]),
        "n_parties": (BOOST, 3, ["n_parties"]),
        "sites": ({**BOOST, "sites": ["n", "s"]}, ["n", "s", "w"], ["n_parties"]),
        "tolerate": (BOOST, 0, ["tolerate"]),
        "monotone": ({**CURVES, "form": "curves"}, {"age": 1}, ["monotone"]),
        "threshold": (BOOST, "counted", ["outcome", COSTS]),
        "budget": (BOOST, Ledger, ["left"]), "rng": (BOOST, 2, ["intercept"]),
    },
    FederatedBoostingRegressor: {
        "domain": (RESIDUALS, {**NUMBER, "target": [0, 2, 4]}, ["domain"]),
        "epsilon": (RESIDUALS, "1/2", [COSTS, "derivation.budget"]),
        "delta": (RESIDUALS, 1e-6, ["derivation.measure"]),
        "form": ({**RESIDUALS, "delta": 1e-6}, "curves", ["form"]),
        "nominal_size": (RESIDUALS, 10**4, ["nominal_size"]), "rounds": (RESIDUALS, 3, ["rounds", COSTS]),
        "trees_per_round": (RESIDUALS, 3, ["trees_per_round"]), "max_depth": (RESIDUALS, 1, ["questions"]),
        "n_parties": (RESIDUALS, 3, ["n_parties"]),
        "sites": ({**RESIDUALS, "sites": ["n", "s"]}, ["n", "s", "w"], ["n_parties"]),
        "tolerate": (RESIDUALS, 0, ["tolerate"]),
        "monotone": ({**RESIDUALS, "delta": 1e-6, "form": "curves"}, {"age": 1}, ["monotone"]),
        "budget": (RESIDUALS, Ledger, ["left"]), "rng": (RESIDUALS, 2, ["start"]),
    },
    PrivaTreeClassifier: {
        "domain": (OWNER, WIDE, ["domain"]), "epsilon": (OWNER, "1/2", [COSTS, "derivation.budget"]),
        "budget": (OWNER, Ledger, ["left"]), "max_depth": (OWNER, 1, ["rounds"]),
        "splits": (OWNER, "histograms", ["design.splits"]), "split_score": (OWNER, "gini", ["design.score"]),
        "edges": (EDGES, "histogram", ["design.edges"]), "edge_bins": (EDGES, 3, ["design.edge_bins"]),
        "leaves": (OWNER, "counts", ["design.leaves"]), "leaf_share": (OWNER, "1/2", [COSTS]),
        "nominal_size": ({**OWNER, "leaf_share": "rule", "nominal_size": 10}, 10**5, [COSTS]),
        "rng": ({**OWNER, "splits": "random"}, 2, ["root"]),
    },
}  # fmt: skip
MORE = [
    (FederatedTreeClassifier, "epsilon", {**TREE, "delta": "1e-6", "design": "screened"}, 2, [COSTS]),
    (
        FederatedTreeClassifier,
        "delta",
        {**TREE, "delta": "1e-6", "design": "screened"},
        "1e-9",
        ["derivation.guarantee"],
    ),
    (FederatedBoostingClassifier, "delta", CURVES, 1e-9, ["derivation.guarantee"]),
    (PrivaTreeClassifier, "splits", {**OWNER, "leaves": "counts"}, PUBLIC, ["design.splits", "root"]),
]


def grown(kind, options):
    """The parts of what a fit makes, by name."""
    options = {**options, "rng": Rehearsal(options["rng"])}
    ledger = None
    if "budget" in options:
        domain = Domain.from_spec(options["domain"])
        options["budget"] = ledger = Ledger(40, domain=domain)
    y = NUMBERS if kind in (FederatedTreeRegressor, FederatedBoostingRegressor) else STATES
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = kind(**options).fit(ROWS, y, parties=["n", "s"] * 60 if "sites" in options else None)
    document = json.loads(model._released.to_json())
    flat = dict(document)
    for name in ("design", "derivation"):
        value = document.get(name)
        flat |= {f"{name}.{key}": below for key, below in value.items()} if isinstance(value, dict) else {}
    return flat | {
        COSTS: sorted(_releases(document["derivation"]["proof"])),
        "leaves": len(list(_leaves(document["root"]))) if "root" in document else 0,
        "left": ledger and str(ledger.left()),
    }


EACH = [(kind, name, *case) for kind, cases in CASES.items() for name, case in cases.items()]


@pytest.mark.parametrize("case", [*EACH, *MORE], ids=lambda case: f"{case[0].__name__} {case[1]}")
def test_each_parameter_changes_what_it_names(case):
    kind, name, base, value, parts = case
    before, after = grown(kind, base), grown(kind, {**base, name: value})
    assert [part for part in parts if before.get(part) == after.get(part)] == []


def test_no_parameter_is_left_out():
    for kind, cases in CASES.items():
        refused = {"threshold"} if kind is FederatedBoostingRegressor else set()  # a number has none
        assert set(signature(kind).parameters) == {*cases, *refused}


def test_a_number_has_no_threshold():
    with pytest.raises(ValueError, match="threshold"):
        FederatedBoostingRegressor(**{**RESIDUALS, "rng": None}, threshold="counted").fit(ROWS, NUMBERS)
