"""An ensemble as a document, and what is checked when one is read.

Each question of a round carries the model so far and the new trees, and the derivation keeps a hash of both. So an
ensemble that is read is held against its derivation round by round: trees and weights are those that parties were asked
about. Only the last step of the intercept was never asked about again; it may be 2 at most.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from fdpedu import files
from fdpedu.accounting import Cost, Derivation
from fdpedu.boosting.marginals import Marginals, class_weights
from fdpedu.boosting.rules import STEPS, Rules, rules_for
from fdpedu.boosting.stepping import MOST, as_units
from fdpedu.derivation_checker import MAX_INTEGER
from fdpedu.domain import Domain, require_classes
from fdpedu.domain.spec import WRITTEN
from fdpedu.exact import as_float, as_integer, as_list, require_type
from fdpedu.federation import GradientSums, InterceptSums, NodeHistograms, Query
from fdpedu.gradients import UNIT, AdditiveModel, TreeShapes
from fdpedu.gradients.additive import SIXTEENTHS, Questions
from fdpedu.gradients.table import FULL_WEIGHT
from fdpedu.trees.tree_paid import Paid, read_rounds, require_adaptive, require_by_parties

SCHEMA = "fdpedu-ensemble/1"
_KEYS = (
    "form nominal_size rounds trees_per_round questions quantiles step weighted clip weights batches scale intercepts "
    "intercept histograms n_rounds n_parties tolerate domain derivation"
)


ASKED_AGAIN = 2
"""How often parties are asked about the intercept in the end."""


class Batch(NamedTuple):
    """The trees of one round: how many, and the intercept after them, in units of 1/4096."""

    n_trees: int
    intercept: int


def to_document(ensemble: Mapping[str, Any], indent: int | None = 1) -> str:
    """The text of an ensemble's document, from what it keeps, by its names."""
    model, end, batches = ensemble["model"], 0, []
    for batch in ensemble["batches"]:
        begin, end = end, end + batch.n_trees
        trees = [{"questions": _named(q, ensemble["domain"]), "weights": list(w)} for q, w in model.trees[begin:end]]
        batches.append({"trees": trees, "intercept": batch.intercept})
    content = {
        **vars(ensemble["rules"]),
        "weights": list(ensemble["weights"]),
        "batches": batches,
        "scale": model.scale,
        "intercepts": list(ensemble["intercepts"]),
        "intercept": model.intercept,
        "histograms": ensemble["histograms"].tolist(),
        "n_rounds": list(ensemble["paid_in"]) or ensemble["rules"].rounds + 3,
        "n_parties": ensemble["n_parties"],
        "tolerate": ensemble["tolerate"],
        "domain": ensemble["domain"].to_spec(),
        "derivation": ensemble["derivation"].content,
    }
    return files.dumps(SCHEMA, content, indent)


def from_document(text: str, where: str = "the text") -> dict[str, Any]:
    """What :func:`to_document` kept, by its names; a ``FileRefused`` if the document does not hold together."""
    content = files.loads(text, SCHEMA, where)
    return files.understood(where, lambda: _read(content))


def _read(content: Mapping[str, Any]) -> dict[str, Any]:
    if set(content) != set(_KEYS.split()):
        raise ValueError(f"an ensemble needs exactly the keys {_KEYS}")
    domain = Domain.from_spec({"schema": WRITTEN, **content["domain"]})
    derivation = Derivation(content["derivation"], domain)
    guarantee = derivation.guarantee  # the checker accepts it, or raises
    require_adaptive(guarantee)
    if not derivation.is_of(domain):
        raise ValueError("its derivation is of another domain")
    require_classes(domain, "an ensemble")
    if domain.n_classes != 2:
        raise ValueError(f"an ensemble is for two classes, and its domain has {domain.n_classes}")
    found: dict[str, Any] = {
        "domain": domain,
        "model": _model(content, domain),
        "rules": _rules(content),
        "batches": tuple(Batch(len(one["trees"]), one["intercept"]) for one in content["batches"]),
        "weights": _pair(content["weights"], "weights", 1, FULL_WEIGHT),
        "intercepts": _integers(content["intercepts"], "intercepts", -MAX_INTEGER, MAX_INTEGER),
        "histograms": _histograms(content["histograms"], domain),
        "derivation": derivation,
        "paid_in": read_rounds(content["n_rounds"], derivation),
        "n_parties": as_integer(content["n_parties"], "n_parties", minimum=2, maximum=MAX_INTEGER),
    }
    most = found["n_parties"] - 1
    found["tolerate"] = as_integer(content["tolerate"], "tolerate", minimum=guarantee.colluders, maximum=most)
    _require_by_rules(found)
    require_by_parties(derivation, found["paid_in"], found["n_parties"])
    _require_paid(found)
    return found


def _rules(content: Mapping[str, Any]) -> Rules:
    whole = {name: as_integer(content[name], name, minimum=1) for name in ("nominal_size", "rounds", "trees_per_round")}
    require_type(content["weighted"], bool, "weighted")
    if content["form"] not in ("trees", "curves"):
        raise ValueError("form must be 'trees' or 'curves'")
    return Rules(
        form=content["form"],
        **whole,
        questions=as_integer(content["questions"], "questions", minimum=1),
        quantiles=as_integer(content["quantiles"], "quantiles", minimum=1),
        step=as_float(content["step"], "step"),
        weighted=content["weighted"],
        clip=as_integer(content["clip"], "clip", minimum=1, maximum=STEPS),
    )


def _model(content: Mapping[str, Any], domain: Domain) -> AdditiveModel:
    trees = [tree for batch in content["batches"] for tree in batch["trees"]]
    model = AdditiveModel(
        tuple((_masked(tree["questions"], domain), tuple(tree["weights"])) for tree in trees),
        content["intercept"],
        content["scale"],
    )
    model.check(domain)
    if content["form"] == "curves" and any(len({feature for feature, _ in q}) > 1 for q, _ in model.trees):
        raise ValueError("each tree of a curve must ask about one feature")
    return model


def _named(questions: Questions, domain: Domain) -> list[Any]:
    """Each question as the name of its feature and the codes that go left."""
    return [[domain.features[feature].name, [c for c in range(256) if left >> c & 1]] for feature, left in questions]


def _masked(questions: Any, domain: Domain) -> Questions:
    found = []
    for name, left in as_list(questions, "questions"):
        codes = [as_integer(code, "a code", minimum=0, maximum=255) for code in as_list(left, "codes")]
        found.append((domain.index(name), sum(1 << code for code in sorted(set(codes)))))
    return tuple(found)


def _pair(found: Any, name: str, least: int, most: int) -> tuple[int, int]:
    first, second = _integers(found, name, least, most)
    return first, second


def _integers(found: Any, name: str, least: int, most: int) -> tuple[int, ...]:
    return tuple(as_integer(one, name, minimum=least, maximum=most) for one in as_list(found, name))


def _histograms(found: Any, domain: Domain) -> np.ndarray[Any, Any]:
    rows = as_list(found, "histograms")
    if len(rows) != domain.n_codes or not all(
        type(row) is list and len(row) == 2 and all(type(n) is int and abs(n) < 2**62 for n in row) for row in rows
    ):
        raise ValueError("histograms must have an integer for each code and class")
    return np.array(rows, dtype=np.int64)


def _require_by_rules(found: Mapping[str, Any]) -> None:
    """Refuse an ensemble that does not keep the rules that it states, as far as a file can show it."""
    rules, sizes = found["rules"], [batch.n_trees for batch in found["batches"]]
    if sizes != [rules.trees_per_round] * len(sizes) or not _has_rounds(found):
        raise ValueError("its rounds are not as many, or not as large, as its rules say")
    if any(len(questions) != rules.questions for questions, _ in found["model"].trees):
        raise ValueError("its trees do not ask as many questions as its rules say")
    if class_weights(Marginals(found["domain"], found["histograms"]), rules)[:2] != found["weights"]:
        raise ValueError("the weights of its classes are not those that follow from its histograms")


def _has_rounds(found: Mapping[str, Any]) -> bool:
    """Whether it has all its rounds; or, if it is unfinished, the first ones, and paid for one more at most."""
    planned, n_batches, n_asked = found["rules"].rounds, len(found["batches"]), len(found["intercepts"])
    n_paid, n_whole = len(found["paid_in"]), 1 + n_batches + n_asked
    if n_asked == ASKED_AGAIN:
        return n_batches == planned and n_paid in (0, n_whole)
    in_order = n_batches == planned or (found["model"].scale == SIXTEENTHS and not n_asked)
    return 0 < n_batches <= planned and n_asked < ASKED_AGAIN and in_order and 0 <= n_paid - n_whole <= 1


def _require_paid(found: Mapping[str, Any]) -> None:
    """Refuse an ensemble whose rounds are not those that the derivation has paid for."""
    domain, model, batches = found["domain"], found["model"], found["batches"]
    paid, everything, end, before = Paid.by(found["derivation"], domain, found["paid_in"]), domain.everything, 0, 0
    asked: list[Query] = [NodeHistograms(everything, 1)]
    for batch in batches:
        so_far, begin, end = AdditiveModel(model.trees[:end], before), end, end + batch.n_trees
        shapes = TreeShapes(tuple(questions for questions, _ in model.trees[begin:end]))
        first, second = found["weights"]
        asked.append(
            GradientSums(
                everything, 1, STEPS, so_far, clip=found["rules"].clip, first=first, second=second, trees=shapes
            )
        )
        before = batch.intercept
    (enlarged,) = as_units([before * model.scale / SIXTEENTHS / UNIT])
    steps = [*found["intercepts"], model.intercept]
    asked += [InterceptSums(everything, 1, STEPS, AdditiveModel(model.trees, i, model.scale)) for i in steps[:-1]]
    if steps[0] != enlarged or any(abs(after - i) > MOST * UNIT for i, after in pairwise(steps)):
        raise ValueError("its intercept is not the one that its rounds lead to")
    for query in asked:
        if not paid.has_release(query):
            raise ValueError(
                f"the derivation has no release of {query.describe(domain)}: this ensemble is not the one it paid for"
            )
    _require_priced(found["rules"], domain.n_features, paid.costs_of(asked[1]))


def _require_priced(rules: Rules, n_features: int, costs: Iterable[Cost]) -> None:
    """Refuse rules that are not those of the nominal size and of the budget, of which a round has cost its part."""
    shape = {"rounds": rules.rounds, "trees_per_round": rules.trees_per_round, "max_depth": rules.questions}
    budgets = [Cost(cost.measure, cost.value / rules.shares["round"]) for cost in costs]
    known = [rules_for(rules.form, rules.nominal_size, budget, n_features, **shape) for budget in budgets]
    if rules not in [replace(each, clip=rules.clip) for each in known]:
        raise ValueError("its quantiles, step and weighting are not those of its nominal size and of what it cost")
