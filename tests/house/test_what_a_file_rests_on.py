"""Whatever a file rests on: a model whose derivation lacks one of the releases that made it is refused.

For every format and every design, also for a second model of one budget: the i-th release is left out, for every i, or
something else was released in its place; sums follow, and the digest is made anew. With its manifest a derivation is
refused then, whatever was made of it.
"""

import copy
import itertools
import json
from fractions import Fraction

import pytest

from fdpedu import files
from fdpedu.accounting import Cost, Ledger, check_derivation
from fdpedu.boosting import Ensemble, fit_federated_boosting
from fdpedu.claims.accounting.derivations import releases
from fdpedu.derivation_checker import DerivationRefused
from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.federation import Federation, Manifest, Party
from fdpedu.files import FileRefused
from fdpedu.randomness import Rehearsal
from fdpedu.structures import Structures, fit_private_structures
from fdpedu.trees import Design, Tree, fit_federated_tree, fit_owner_tree, fit_privatree

MIXED = Domain([Numeric.grid("age", 0, 4, bins=4), Categorical("ward", ("A", "B", "C"))], ("well", "ill"))
ROWS = [[i % 4 + 0.5, "ABC"[i % 3], "ill" if i % 4 > 1 else "well"] for i in range(60)]


def federated(fit, **options):
    """A fit of two parties; it returns the model, and the manifest of its own session."""

    def fitted(ledger):
        parties = [Party(ROWS[k::2], MIXED, name=f"clinic {k}") for k in range(2)]
        federation = Federation(parties, MIXED, ledger, rng=Rehearsal(1))
        return fit(federation, rng=Rehearsal(2), **{**of_half(ledger), **options}), federation.manifest

    return fitted


def owned(fit, **options):
    """The same of one owner, without a manifest."""
    return lambda ledger: (fit(Party(ROWS, MIXED), ledger, rng=Rehearsal(2), **of_half(ledger), **options), None)


def of_half(ledger):
    return {"epsilon": 1 if ledger.measure == "pure" else Cost("gaussian", "1/20")}


def pure():
    return Ledger(2)


def in_rho():
    return Ledger(4, delta="1/1000000")


BOOSTED = {"nominal_size": 60, "rounds": 2, "trees_per_round": 2, "max_depth": 2}
FITS = {  # how a model is made, of which budget, and what reads it
    **{
        name: (federated(fit_federated_tree, max_depth=2, design=name), pure, Tree)
        for name in ("default", "screened", "rotating", "votes", "algorithm-5-clipped")
    },
    "default in ρ": (federated(fit_federated_tree, max_depth=2), in_rho, Tree),
    "leaves of histograms": (
        federated(fit_federated_tree, max_depth=2, design=Design(fresh_leaves=False)),
        pure,
        Tree,
    ),
    "pruned": (  # of seven leaves that were counted four are left
        federated(fit_federated_tree, max_depth=3, design=Design(prune=True), epsilon="1/10"),
        pure,
        Tree,
    ),
    "owner": (owned(fit_owner_tree), pure, Tree),
    "privatree": (owned(fit_privatree, max_depth=2), pure, Tree),
    "privatree on edges": (owned(fit_privatree, max_depth=2, edges="joint", leaves="counts"), pure, Tree),
    "boosted trees": (federated(fit_federated_boosting, form="trees", **BOOSTED), pure, Ensemble),
    "boosted, a threshold counted": (
        federated(fit_federated_boosting, form="curves", threshold="counted", monotone={"age": 1}, **BOOSTED),
        in_rho,
        Ensemble,
    ),
    "boosted curves": (federated(fit_federated_boosting, form="curves", **BOOSTED), in_rho, Ensemble),
    "structures": (
        federated(fit_private_structures, max_depth=1, population=3, generations=3),
        pure,
        Structures,
    ),
}


def without(step, index):
    """The step without the release of this round and index; None if nothing is left of it. What remains adds up."""
    if step["rule"] == "release":
        return None if name_of(step) == index else step
    premises = [kept for premise in step["premises"] if (kept := without(premise, index)) is not None]
    if not premises:
        return None
    kept = {**step, "premises": premises}
    for part in {"epsilon", "rho", "xi"} & set(step):
        fold = max if step["rule"] == "parallel" else sum
        kept[part] = step[part] if step["rule"] == "adaptive" else str(fold(Fraction(p[part]) for p in premises))
    return kept


def another_in_place(step, index):
    """The step with another question at the place of this release, at its cost."""
    if step["rule"] == "release":
        return {**step, "type": "by-hand", "parameters": {}} if name_of(step) == index else step
    return {**step, "premises": [another_in_place(premise, index) for premise in step["premises"]]}


def name_of(step):
    return step["round"], step["index"]


def signed(document):
    return files.dumps(document["schema"], {k: v for k, v in document.items() if k not in ("schema", "digest")})


@pytest.mark.parametrize("second", [False, True], ids=["alone", "second"])
@pytest.mark.parametrize("name", FITS)
def test_a_model_without_one_of_its_releases_is_refused(name, second):
    """Of the releases of its own rounds; as it is written it is read. The account by itself stays one.

    A tree does not show why a node was not divided: the histograms of a leaf with counts of its own do not count.
    """
    fit, budget, kind = FITS[name]
    ledger = budget()
    first = [fit(ledger) for _ in range(second)]
    others = {name_of(step) for model, _ in first for step in releases(model.derivation.content)}
    model, manifest = fit(ledger)
    document = json.loads(model.to_json())
    kind.from_json(signed(document))
    whole = manifest and Manifest.joined([*(one for _, one in first), manifest]).to_json()
    check_derivation(json.dumps(document["derivation"]), whole)
    leaves = {one.region for one in getattr(model, "leaf_releases", ())}
    own = [
        name_of(step)
        for region, step in model.derivation.releases()
        if name_of(step) not in others and not (step["type"] == "node-histograms" and region in leaves)
    ]
    assert own
    for index, change in itertools.product(own, (without, another_in_place)):
        changed = copy.deepcopy(document)
        changed["derivation"]["proof"] = change(changed["derivation"]["proof"], index)
        if changed["derivation"]["proof"] is None:
            continue
        text = json.dumps(changed["derivation"])
        check_derivation(text)
        with pytest.raises(FileRefused):
            kind.from_json(signed(changed))
        if whole:
            with pytest.raises(DerivationRefused, match=r"the manifest has a query whose release is not|differ"):
                check_derivation(text, whole)


@pytest.mark.parametrize("name", FITS)
def test_a_model_whose_regions_and_costs_are_fixed_beforehand_by_its_word_is_refused(name):
    """Without the adaptive rule a derivation may promise what this run has cost; that of a model may not."""
    fit, budget, kind = FITS[name]
    document = json.loads(fit(budget())[0].to_json())
    derivation = document["derivation"]
    (derivation["proof"],) = derivation["proof"]["premises"]
    if derivation["measure"] == "pure":
        derivation["guarantee"]["value"] = derivation["proof"]["epsilon"]
    assert not check_derivation(json.dumps(derivation)).adaptive
    with pytest.raises(FileRefused, match="regions and costs were fixed beforehand"):
        kind.from_json(signed(document))
