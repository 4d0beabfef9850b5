"""Valid calls of everything that the modules offer, and odd values to put into their places."""

import importlib
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any

import numpy as np

from fdpedu.accounting import Charge, Ledger
from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.federation import ClassCounts, Federation, Limits, Party
from fdpedu.randomness import Rehearsal, ZeroWords
from fdpedu.secure_sum import Identity, Ring, Rules, Share, canonical, pairwise_keys
from fdpedu.trees import fit_federated_tree
from tests.support.odd_calls_audit import AUDIT, audit_methods
from tests.support.odd_calls_better import better, releases
from tests.support.odd_calls_boosting import boosting, grown
from tests.support.odd_calls_bounds import BOUNDS
from tests.support.odd_calls_dlpa import DLPA
from tests.support.odd_calls_edges import edges
from tests.support.odd_calls_estimators import estimators
from tests.support.odd_calls_experiments import EXPERIMENTS
from tests.support.odd_calls_fedga import fedga, fedga_methods
from tests.support.odd_calls_histograms import HISTOGRAMS
from tests.support.odd_calls_impurity import impurity
from tests.support.odd_calls_poisoning import poisoning
from tests.support.odd_calls_privatree import privatree, privatree_methods
from tests.support.odd_calls_saving import saving
from tests.support.odd_calls_secret_sharing import secret_sharing, secret_sharing_methods
from tests.support.odd_calls_simulation import SIMULATION
from tests.support.odd_calls_teaching import TEACHING
from tests.support.odd_calls_trees import trees
from tests.support.queries import QUERIES


@dataclass(frozen=True)
class Fresh:
    """An argument that is made anew for every call, because a call changes it."""

    make: Callable[[], Any]


DOMAIN = Domain([Numeric.grid("age", 0, 100, bins=4), Categorical("ward", ("A", "B"))], ("well", "ill"))
STAY = Domain(DOMAIN.features, target=Numeric.grid("stay", 0, 16, bins=4))
ALL, ROWS = DOMAIN.everything, [[63, "A", "ill"], [17, "B", "well"]]
OLD, NEW = Identity.create(), Identity.create()
ANNOUNCED, OTHER = (one.announce(b"", bytes([k]) * 32, [OLD.public, NEW.public]) for k, one in enumerate((OLD, NEW)))


def federation():
    return Federation([Party(ROWS, DOMAIN), Party([], DOMAIN)], DOMAIN, Ledger(10**6), rng=Rehearsal(0))


def pair():
    return pairwise_keys(2)


def seeded():
    return np.random.default_rng(0)


LEDGER = Ledger(1, domain=DOMAIN)


def a_member():
    """A party with all that a site needs; its budget's file is where the system keeps what is nobody's."""
    believing, folder = Limits(members="anybody", tolerate=0), tempfile.mkdtemp()
    own = {"ledger": Ledger.open(f"{folder}/own.db", 1), "limits": believing, "identity": Identity.create()}
    return Party([[63, "A"]], DOMAIN, labels=["ill"], **own)


CHARGE = Charge(ALL, "1/2", "count", "discrete Laplace", 1, "thm-histogram")
TREE_OF = federation()
TREE = fit_federated_tree(TREE_OF, max_depth=1, epsilon=1)
ENSEMBLE = grown(DOMAIN, ROWS)
RATED = {"epsilon": 1, "rng": ZeroWords()}
CHOICE = {"utilities": [1, 2], "epsilon": 1, "sensitivity": 1, "monotone": False}
PMF = {"k": 1, "epsilon": 1, "sensitivity": 1}
COUNTS = [[3, 1], [0, 2]]
PAIR = {"p": ["1/2", "1/2"], "q": ["1/3", "2/3"]}

CALLS = {
    "exact.Rate": {"rate": Fraction(1), "alpha": None},
    "exact.as_float": {"value": 1, "name": "x"},
    "exact.as_floats": {"value": [1.0], "name": "x"},
    "exact.as_fraction": {"value": 1, "name": "x"},
    "exact.as_integer": {"value": 1, "name": "x"},
    "exact.as_integers": {"value": [1], "name": "x"},
    "exact.as_list": {"value": [1], "name": "x"},
    "exact.unmasked": {"value": [1], "name": "x"},
    "exact.as_positive_fraction": {"value": 1, "name": "x"},
    "exact.quoted": {"value": 1},
    "exact.require_writable": {"text": "a", "name": "x"},
    "accounting.Charge": {
        **{"region": ALL, "cost": 1, "query": "q", "mechanism": "m", "sensitivity": 1, "claim": "c"},
        **{"colluders": 0, "randomness": "operating system", "releases": 1},
    },
    "accounting.Cost": {"measure": "gaussian", "value": "1/40", "xi": "1/10000"},
    "accounting.Ledger": {
        **{"epsilon": 1, "delta": None, "rho": None, "relation": "add-remove", "domain": DOMAIN, "colluders": 1},
    },
    "accounting.as_cost": {"cost": 1, "name": "x"},
    "accounting.check_derivation": {"json_text": TREE.derivation.to_json(), "manifest": TREE_OF.manifest.to_json()},
    "accounting.compose_optimal": {"epsilon": 1, "k": 2, "delta": "1/100"},
    "accounting.gaussian_budget": {"epsilon": 1, "delta": "1/100"},
    "accounting.gaussian_epsilon": {"rho": "1/40", "xi": "1/10000", "delta": "1/100"},
    "accounting.gaussian_to_zcdp": {"sigma": 1, "sensitivity": 1},
    "accounting.optimal_delta": {"epsilon": 1, "k": 2, "epsilon_prime": 1},
    "accounting.pure_to_zcdp": {"epsilon": 1},
    "accounting.rdp_gaussian": {"order": 2, "sigma": 1, "sensitivity": 1, "times": 2},
    "accounting.rdp_laplace": {"order": 2, "epsilon": 1, "times": 2},
    "accounting.rdp_to_epsilon": {"curve": {2: 1, 3: 2}, "delta": "1/100", "orders": [2, 3]},
    "accounting.split_budget": {"epsilon": 1, "share": "1/2"},
    "accounting.zcdp_to_delta": {"rho": 1, "epsilon": 2},
    "accounting.zcdp_to_epsilon": {"rho": 1, "delta": "1/100"},
    "accounting.zcdp_to_epsilon_classical": {"rho": 1, "delta": "1/100"},
    "secure_sum.Edges": {"probability": "1/2"},
    "secure_sum.KeyPair": {"private": bytes(32)},
    "secure_sum.Ring": {"neighbours": 2},
    "secure_sum.Rules": {"n_parties": 4, "threshold": 3, "colluders": 0, "tolerate": 1, "liar": True},
    "sources.gubler.algorithm_1_as_printed": {"values": [1, 2], "keys": [[0, 1], [63, 0]], "modulus": 64},
    "secure_sum.canonical": {"value": ("a", 1)},
    "secure_sum.read_canonical": {"form": canonical(("a", 1))},
    "secure_sum.check_modulus": {"modulus": 97},
    "secure_sum.commit_coins": {"coins": bytes(32), "members": [b"a"]},
    "secure_sum.failure_probability": {"model": Ring(2), "n_parties": 5, "colluders": 1, "missing": 1, "chosen": True},
    "secure_sum.joint_coins": {"coins": [], "commitments": [], "members": []},
    "secure_sum.neighbours_needed": {"n_parties": 9, "colluders": 1, "missing": 1, "failure": "1/2"},
    "secure_sum.sharing_risk": {"model": Ring(2), "n_parties": 5, "threshold": 1, "colluders": 1, "missing": 1},
    "secure_sum.count_messages": {"n_parties": 3, "size": 1},
    "secure_sum.fingerprint": {"public": bytes(32)},
    "secure_sum.hashed": {"value": ("a", 1)},
    "secure_sum.is_signed": {"identity": bytes(32), "signature": bytes(64), "purpose": "a"},
    "secure_sum.joint_nonce": {"contributions": [b"a"]},
    "secure_sum.pairwise_keys": {"n_parties": 2},
    "secure_sum.recover_secret": {"shares": [Share(1, 1), Share(2, 2)], "threshold": 2, "prime": 5},
    "secure_sum.reconstruct": {"shares": [[1], [2]], "modulus": 97},
    "secure_sum.replace_pinned": {"pinned": [ANNOUNCED.identity], "replacement": OLD.endorse(bytes(32))},
    "secure_sum.require_no_overflow": {"largest": 1, "n_parties": 2, "modulus": 64},
    "secure_sum.share": {"values": [1, 2], "n": 3, "modulus": 97, "rng": None},
    "secure_sum.share_secret": {"secret": 1, "threshold": 2, "n": 3, "prime": 5, "words": None},
    "secure_sum.shared_sum": {"values": [[1], [2]], "modulus": 97, "rng": None},
    "secure_sum.sum_with_dropouts": {
        **{"values": [[1], [2]], "rules": Rules(2, 2), "completes": [5, 5], "modulus": 97},
        **{"primitives": None, "watch": None},
    },
    "secure_sum.toy_break": {"public": 8, "prime": 23, "generator": 5},
    "secure_sum.toy_public": {"secret": 1, "prime": 23, "generator": 5},
    "secure_sum.toy_shared": {"secret": 1, "other_public": 2, "prime": 23},
    "secure_sum.verify_announcements": {
        **{"announcements": [ANNOUNCED, OTHER], "pinned": ANNOUNCED.members, "own": ANNOUNCED, "minimum": 2},
    },
    "secure_sum.private_sum": {
        "values": [[1], [2]],
        "modulus": 97,
        "keys": Fresh(lambda: pairwise_keys(2)),
        "sum_number": 0,
    },
    **DLPA,
    **HISTOGRAMS,
    "mechanisms.classical_gaussian_sigma": {"epsilon": "1/2", "delta": "1/100", "sensitivity": 1},
    "mechanisms.count_interval": {"noisy": 3, "epsilon": 1, "confidence": "0.9", "sensitivity": 1, "simultaneous": 2},
    "mechanisms.discrete_gaussian": {"value": [1], "rho": 1, "rng": ZeroWords(), "sensitivity": 1},
    "mechanisms.discrete_gaussian_delta": {"epsilon": 1, "rho": "1/2"},
    "mechanisms.discrete_gaussian_pmf": {"k": 1, "rho": 1, "sensitivity": 1},
    "mechanisms.discrete_laplace": {"value": [1], "sensitivity": 1, **RATED},
    "mechanisms.discrete_laplace_pmf": PMF,
    "mechanisms.discrete_laplace_tail": PMF,
    "mechanisms.estimate_counts": {"reported": [3, 4], "epsilon": 1},
    "mechanisms.expected_error": {"pmf": ["1/2", "1/2"], "utilities": [1, 2]},
    "mechanisms.exponential": {**CHOICE, "rng": ZeroWords(), "size": 2},
    "mechanisms.exponential_pmf": CHOICE,
    "mechanisms.gaussian": {"value": [1.0], "sigma": 1, "rng": ZeroWords()},
    "mechanisms.gaussian_delta": {"epsilon": 1, "sigma": 1, "sensitivity": 1},
    "mechanisms.gaussian_logpdf": {"x": [1.0], "sigma": 1},
    "mechanisms.gaussian_sigma": {"epsilon": 1, "delta": "1/100", "sensitivity": 1},
    "mechanisms.laplace": {"value": [1.0], "sensitivity": 1, **RATED},
    "mechanisms.laplace_logpdf": {"x": [1.0], "epsilon": 1, "sensitivity": 1},
    "mechanisms.leaf_error_constant": {"classes": 2},
    "mechanisms.numpy_laplace_value": {"value": 1.0, "scale": 1.0, "uniform": 0.25},
    "mechanisms.outputs_needed": {"epsilon": 1, "value": 0.0, "other": 1.0, "rng": Fresh(lambda: Rehearsal(0))},
    "mechanisms.permute_and_flip": {**CHOICE, "rng": ZeroWords(), "size": 2},
    "mechanisms.permute_and_flip_as_described": {"utilities": [1, 2], "alpha": "1/2"},
    "mechanisms.permute_and_flip_pmf": CHOICE,
    "mechanisms.randomised_response": {"answers": [0, 1], "categories": 2, **RATED},
    "mechanisms.randomised_response_pmf": {"answer": 0, "truth": 1, "epsilon": 1, "categories": 2},
    "mechanisms.reachable": {"output": 0.5, "value": 0.0, "scale": 1.0},
    "mechanisms.report_noisy_max": {**CHOICE, "rng": ZeroWords(), "size": 2},
    "mechanisms.report_noisy_max_pmf": CHOICE,
    "mechanisms.slow_discrete_laplace": {"value": 1, "sensitivity": 1, **RATED},
    "mechanisms.snapped_laplace": {"value": 1, "grid": "1/2", "sensitivity": 1, **RATED},
    "mechanisms.snapped_laplace_pmf": {"value": 1, "grid": "1/2", **PMF},
    "privacy.allowed_region": {"exp_epsilon": 2, "delta": 0},
    "privacy.as_law": {"table": [1], "name": "law"},
    "privacy.check_dp": {**PAIR, "exp_epsilon": 2, "delta": 0},
    "privacy.check_mechanism": {
        **{"mechanism": lambda data: [1], "universe": "ab", "exp_epsilon": 2, "delta": 0, "max_size": 1},
        "relation": "add-remove",
    },
    "privacy.clamped": {"pmf": lambda k: Fraction(k == 0), "low": 1, "high": 2, "centre": 0},
    "privacy.datasets": {"universe": "ab", "max_size": 1},
    "privacy.distance": {"data": "a", "other": "ab", "relation": "add-remove"},
    "privacy.enclosed_law": {"table": [1], "name": "law"},
    "privacy.hockey_stick": {**PAIR, "exp_epsilon": 2},
    "privacy.max_ratio": PAIR,
    "privacy.mix": {"weights": ["1/2", "1/2"], "laws": [[1], ["1/2", "1/2"]]},
    "privacy.neighbours": {"data": "a", "universe": "ab", "relation": "add-remove", "smaller": False},
    "privacy.posterior": {"prior": "1/2", **PAIR, "outcome": 0},
    "privacy.privacy_loss": {**PAIR, "digits": 5},
    "privacy.product_law": {},
    "privacy.push_forward": {"law": [1], "channel": {0: [1]}},
    "privacy.rational_law": {"weights": [1, 2], "name": "w"},
    "privacy.roc": PAIR,
    "privacy.sensitivity": {"query": len, "universe": "ab", "max_size": 1, "norm": "l1", "relation": "add-remove"},
    "domain.Categorical": {"name": "ward", "categories": ["A", "B"], "unit": "", "reason": ""},
    "domain.Domain": {"features": DOMAIN.features, "classes": ["a", "b"]},
    "domain.Numeric": {"name": "age", "edges": [0, 1, 2], "unit": "", "reason": ""},
    "domain.Region": {"features": (3, 3), "classes": 3},
    "domain.require_classes": {"domain": DOMAIN, "what": "a score"},
    "domain.require_target": {"domain": STAY, "what": "a score"},
    "domain.domain_from_data_not_private": {"X": [[0.0], [1.0]], "y": ["a", "b"], "bins": 4, "names": ["x"]},
    "domain.code_groups": {"feature": DOMAIN.features[0], "groups": 2},
    "domain.read_csv": {
        **{"path": "data.csv", "domain": DOMAIN, "label": "state", "delimiter": ",", "decimal": "."},
        "encoding": "utf-8",
    },
    "federation.Federation": {
        **{"parties": Fresh(lambda: [Party(ROWS, DOMAIN), Party([], DOMAIN)]), "domain": DOMAIN, "ledger": Ledger(1)},
        **{"transport": None, "tolerate": 1, "missing": 0, "identity": None, "journal": None, "rng": ZeroWords()},
    },
    "federation.Agreement": {
        **{"domain": DOMAIN, "members": {"a": bytes([1]) * 32, "b": bytes([2]) * 32}, "aggregator": bytes(32)},
        **{"budget": 1, "tolerate": 1, "missing": 0, "least": 0, "queries": [ClassCounts]},
    },
    "federation.Sockets": {"folder": "sites", "patience": 60},
    "federation.RemoteParty": {"name": "north", "identity": bytes(32), "respond": bytes},
    "federation.InProcess": {},
    "federation.Limits": {
        "queries": [ClassCounts],
        "members": [bytes(32)],
        "minimum": 2,
        "tolerate": 0,
        "maximum": 9,
        "least_epsilon": 0,
        "least_rho": 0,
    },
    "federation.Model": {"nodes": ((0,),)},
    "federation.Party": {
        "rows": [[63, "A"]],
        "domain": DOMAIN,
        "labels": ["ill"],
        "name": "clinic",
        "limits": Limits(members="anybody", tolerate=0),
    },
    "federation.Site": {"party": Fresh(lambda: a_member()), "aggregator": bytes(32)},
    "federation.deal": {"n_rows": 5, "n_parties": 2, "rng": Fresh(lambda: Rehearsal(1))},
    "federation.parties_from_frame": {
        **{"frame": {"age": [1], "ward": ["A"], "state": ["ill"], "site": ["n"]}, "domain": DOMAIN},
        **{"label": "state", "by": "site", "parties": ["n", "s"]},
    },
    **(BOUNDS | SIMULATION | AUDIT | EXPERIMENTS | saving(Fresh, federation)),
    **edges(Fresh, federation, DOMAIN, TREE),
    **impurity(Fresh),
    "histograms.private_histogram": {"federation": Fresh(federation), "feature": 0, "epsilon": "1/1000", "region": ALL},
    "trees.fit_federated_tree": {
        **{"federation": Fresh(federation), "max_depth": 1, "min_samples_split": 2, "leaf_share": "1/2"},
        **{
            "epsilon": "1/1000",
            "nominal_size": None,
            "unspent_to_leaf": True,
            "design": "default",
            "progress": None,
            "rng": None,
        },
    },
    "trees.leaf_budgets": {"tree": TREE, "ledger": TREE_OF.ledger},
    **trees(TREE),
    "cart.GridSearch": {"domain": DOMAIN},
    "cart.best_grid_split": {"histograms": [np.ones((4, 2), int), np.ones((2, 2), int)], "domain": DOMAIN},
    "cart.best_split": {"X": [[0.0], [1.0]], "y": [0, 1], "n_classes": 2},
    **{f"cart.{name}": {"counts": [1, 2]} for name in ("entropy", "exact_scaled_half_gini", "gini", "half_gini")},
    "cart.fit_cart": {
        **{"X": [[0.0], [1.0]], "y": ["a", "b"], "grid": None, "max_depth": 2, "min_samples_split": 2},
        "feature_names": ["x"],
    },
    "cart.scaled_half_gini": {"counts": [1, 2]},
    "cart.threshold_counts": {"column": [0.0, 1.0], "y": [0, 1], "n_classes": 2},
    "datasets.adult_domain": {"bins": 4},
    "datasets.adult_like": {"n": 3, "rng": seeded()},
    "datasets.card_domain": {"bins": 4},
    "datasets.card_like": {"n": 3, "rng": seeded()},
    "datasets.divide": {"n": 9, "parties": 2, "test": 3, "rng": seeded()},
    "datasets.informative": {"n": 3, "rng": seeded()},
    "datasets.informative_domain": {"bins": 4},
    "datasets.mixture": {"n": 3, "p": 2, "rho": "1/2", "rng": seeded()},
    "datasets.mixture_domain": {"p": 2, "bins": 4},
    "datasets.strong_feature": {"n": 3, "rng": seeded(), "p": 2},
    "datasets.strong_feature_domain": {"p": 2, "bins": 4},
    "datasets.ward_visits": {},
    "datasets.wisconsin": {"features": ["worst radius"], "bins": 4},
    "datasets.wisconsin_domain": {"features": ["worst radius"], "bins": 4},
    "datasets.wisconsin_features": {},
}
METHODS = {
    "accounting.Budget.from_json": {"found": {"rho": "1/40", "xi": "1/10000"}},
    "accounting.Budget.of": {"epsilon": 1, "delta": "1/100"},
    "accounting.Charge.in_rho": {"self": CHARGE},
    "accounting.Derivation.from_json": {"text": TREE.derivation.to_json(), "domain": DOMAIN},
    "accounting.Derivation.load": {"path": "derivation.json", "domain": DOMAIN},
    "accounting.Ledger.bind": {"self": Fresh(lambda: Ledger(1)), "domain": DOMAIN},
    "accounting.Ledger.charge": {
        **{"self": Fresh(lambda: Ledger(1)), "charges": [CHARGE], "account": "a"},
        **{"key": "", "answer": lambda: b"17"},
    },
    "accounting.Ledger.forget": {"self": LEDGER, "beginning": "a"},
    "accounting.Ledger.keep": {"self": LEDGER, "key": "a", "content": b"17"},
    "accounting.Ledger.kept": {"self": LEDGER, "key": "a"},
    "accounting.Ledger.new_account": {"self": LEDGER, "what": "tree"},
    "accounting.Ledger.replay": {"self": Fresh(lambda: Ledger(1)), "after": 0, "session": "a"},
    "accounting.Ledger.open": {
        "path": "budget.db",
        "epsilon": 1,
        "delta": None,
        "rho": None,
        "domain": DOMAIN,
        "colluders": 0,
    },
    "accounting.Ledger.remaining": {"self": LEDGER, "region": ALL, "account": "a"},
    "accounting.Ledger.spent_on": {"self": LEDGER, "region": ALL},
    "domain.Domain.check": {"self": DOMAIN, "table": ROWS, "label": None},
    "domain.Domain.encode": {"self": DOMAIN, "rows": [[63, "A"]]},
    "domain.Domain.encode_labels": {"self": DOMAIN, "labels": ["ill"]},
    "domain.Domain.from_spec": {"source": DOMAIN.to_spec()},
    "domain.Domain.index": {"self": DOMAIN, "name": "age"},
    "domain.Domain.load": {"path": "domain.json"},
    "domain.Domain.select": {"self": DOMAIN, "names": ["age"]},
    "domain.Numeric.grid": {"name": "age", "low": 0, "high": 9, "bins": 3, "unit": "years", "reason": "because"},
    "domain.Region.restrict": {"self": ALL, "feature": 0, "codes": [0]},
    "domain.Region.restrict_class": {"self": ALL, "classes": [0]},
    "federation.Federation.release": {
        **{"self": Fresh(federation), "queries": [ClassCounts(ALL, 1)], "account": "a", "answered": None},
    },
    "federation.Manifest.from_json": {"text": TREE_OF.manifest.to_json()},
    "federation.Manifest.load": {"path": "manifest.json"},
    "federation.Party.from_csv": {
        **{"path": "data.csv", "domain": DOMAIN, "label": "state", "delimiter": ",", "decimal": "."},
        **{"encoding": "utf-8", "name": "clinic"},
    },
    "trees.Tree.from_json": {"text": TREE.to_json()},
    "trees.Tree.load": {"path": "tree.json"},
    "trees.Tree.predict": {"self": TREE, "X": [[63, "A"]]},
    "trees.Tree.predict_proba": {"self": TREE, "X": [[63, "A"]]},
    "trees.Tree.save": {"self": TREE, "path": "saved.json"},
    "trees.Tree.score": {"self": TREE, "X": [[63, "A"]], "y": ["ill"]},
}
CALLS.update(better(Fresh))
CALLS.update(poisoning())
CALLS.update(privatree(Fresh))
CALLS.update(secret_sharing())
CALLS.update(fedga(Fresh))
METHODS.update(releases(Fresh))
METHODS.update(privatree_methods(Fresh))
METHODS.update(secret_sharing_methods())
METHODS.update(fedga_methods())
METHODS.update(audit_methods(Fresh))
ESTIMATORS, FITTED = estimators(Fresh, DOMAIN, ROWS, TREE)
CALLS.update(ESTIMATORS)
CALLS.update(TEACHING)
BOOSTING, BOOSTED = boosting(Fresh, federation, DOMAIN, ROWS, ENSEMBLE)
CALLS.update(BOOSTING)
METHODS.update(BOOSTED)
for asked, *_ in QUERIES.values():
    CALLS[f"federation.{type(asked).__name__}"] = {field.name: getattr(asked, field.name) for field in fields(asked)}
EVERY = {**CALLS, **METHODS, **FITTED}
FIXED = {
    "exact.as_floats": {"ndim": 1},
    "exact.as_integer": {"minimum": 0, "maximum": 9},
}  # set by the library, not by its users


def function_of(name):
    """What stands under a name, below the package; a module is imported if nothing of that name is offered."""
    found, path = importlib.import_module("fdpedu"), "fdpedu"
    for part in name.split("."):
        path = f"{path}.{part}"
        found = getattr(found, part) if hasattr(found, part) else importlib.import_module(path)
    return found
