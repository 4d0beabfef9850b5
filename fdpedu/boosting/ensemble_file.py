"""An ensemble as a document: its keys, and how each is written and read.

One that is read is then held against its rules, its derivation and the sums that it says were released
(:mod:`~fdpedu.boosting.ensemble_checks`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from fdpedu import files
from fdpedu.accounting import Derivation
from fdpedu.boosting.course_again import ANY_COST, course_of, threshold_of
from fdpedu.boosting.ensemble_checks import require_by_rules, require_paid, require_threshold, rounds_again
from fdpedu.boosting.first_rule import Batch, FirstRules, class_weights, marginals_of
from fdpedu.boosting.monotone import read_fits, written_fits
from fdpedu.boosting.outcome import AnyModel, Each, Outcome
from fdpedu.boosting.outcomes import TWO_CLASSES, CountedClasses, outcome_of
from fdpedu.boosting.rules import STEPS, Rules
from fdpedu.derivation_checker import MAX_INTEGER
from fdpedu.domain import Domain, code_groups
from fdpedu.domain.spec import WRITTEN
from fdpedu.exact import Integers, as_float, as_integer, as_list, require_type
from fdpedu.gradients import AdditiveModel
from fdpedu.gradients.additive import SIXTEENTHS, Questions
from fdpedu.gradients.table import FULL_WEIGHT
from fdpedu.trees.shape import MAX_SIZE
from fdpedu.trees.tree_paid import read_rounds, require_adaptive, require_by_parties

FIRST, SCHEMA, OTHERS = "fdpedu-ensemble/1", "fdpedu-ensemble/2", "fdpedu-ensemble/3"  # of two classes, and of others
_COMMON = (
    "form nominal_size rounds trees_per_round questions quantiles step clip batches scale intercepts intercept "
    "histograms n_rounds n_parties tolerate domain derivation"
)
_SECOND = f"{_COMMON} most_questions groups pairs"
_KEYS = {FIRST: f"{_COMMON} weighted weights", SCHEMA: _SECOND, OTHERS: f"{_SECOND} outcome start"}
_MOST_SUM = 2**62  # of what was released


def to_document(ensemble: Mapping[str, Any], indent: int | None = 1) -> str:
    """The text of an ensemble's document, from what it keeps, by its names."""
    model, rules, domain = ensemble["model"], ensemble["rules"], ensemble["domain"]
    is_first, end = isinstance(rules, FirstRules), 0
    batches: list[dict[str, Any]] = []
    outcome = rules.outcome
    schema = FIRST if is_first else SCHEMA if outcome == TWO_CLASSES else OTHERS
    for batch in ensemble["batches"]:
        begin, end = end, end + batch.n_trees
        trees = [{"questions": _named(q, domain), "weights": list(w)} for q, w in model.trees[begin:end]]
        sums = {} if is_first else {"sums": batch.sums.tolist()}
        batches.append({"trees": trees, "intercept": _listed(batch.intercept), **sums})
    first: dict[str, Any] = (
        {"weights": list(class_weights(domain, ensemble["histograms"], rules)[:2])} if is_first else {}
    )
    other: dict[str, Any] = {"outcome": outcome.name, "start": list(ensemble["start"])} if schema == OTHERS else {}
    if isinstance(outcome, CountedClasses):
        other["threshold"] = threshold_of(ensemble)
    content = {
        **{name: value for name, value in vars(rules).items() if name != "outcome"},
        **other,
        **(first or {"pairs": [list(pair) for pair in ensemble["pairs"]]}),
        "batches": batches,
        "scale": model.scale if isinstance(model, AdditiveModel) else SIXTEENTHS,
        "intercepts": list(ensemble["intercepts"]),
        "intercept": model.intercept if isinstance(model, AdditiveModel) else list(model.intercepts),
        "histograms": ensemble["histograms"].tolist(),
        "n_rounds": list(ensemble["paid_in"]) or rules.rounds + 3,  # of an older file
        "n_parties": ensemble["n_parties"],
        "tolerate": ensemble["tolerate"],
        "domain": domain.to_spec(),
        "derivation": ensemble["derivation"].content,
        **({"monotone": written_fits(ensemble["monotone"], domain)} if ensemble["monotone"] else {}),
    }
    return files.dumps(schema, content, indent)


def _listed(intercept: Each) -> Any:
    return intercept if isinstance(intercept, int) else list(intercept)


def from_document(text: str, where: str = "the text") -> dict[str, Any]:
    """What :func:`to_document` kept, by its names; a ``FileRefused`` if the document does not hold together."""
    stated = files.read_object(text, where).get("schema")
    schema = stated if stated in (FIRST, OTHERS) else SCHEMA
    content = files.loads(text, schema, where)
    return files.understood(where, lambda: _read(content, schema))


def _read(content: Mapping[str, Any], schema: str) -> dict[str, Any]:
    _require_all_keys(content, schema)
    domain = Domain.from_spec({"schema": WRITTEN, **content["domain"]})
    derivation = Derivation(content["derivation"], domain)
    guarantee = derivation.guarantee  # the checker accepts it, or raises
    require_adaptive(guarantee)
    if not derivation.is_of(domain):
        raise ValueError("its derivation is of another domain")
    found = _kept(content, schema, domain, derivation)
    most = found["n_parties"] - 1
    found["tolerate"] = as_integer(content["tolerate"], "tolerate", minimum=guarantee.colluders, maximum=most)
    of_first, weights = schema == FIRST, content.get("weights", [])
    require_by_rules(found, _integers(weights, "weights", 1, FULL_WEIGHT))
    require_by_parties(derivation, found["paid_in"], found["n_parties"], found["tolerate"])
    require_paid(found)
    if not of_first:
        outcome = found["rules"].outcome
        sums = [_sums(one["sums"], len(one["trees"]), outcome) for one in content["batches"]]
        found["batches"] = rounds_again(found, sums)
    if "monotone" in content:
        marginals = marginals_of(domain, found["histograms"]) if of_first else course_of(found).marginals
        found["monotone"] = read_fits(content["monotone"], found, marginals)
    if "threshold" in content:
        stated = as_integer(content["threshold"], "threshold", minimum=-MAX_INTEGER, maximum=MAX_INTEGER)
        require_threshold(found, stated)
    return found


def _require_all_keys(content: Mapping[str, Any], schema: str) -> None:
    keys = _KEYS[schema] + (" threshold" if content.get("outcome") == CountedClasses.name else "")
    if set(content) - {"monotone"} != set(keys.split()):
        raise ValueError(f"an ensemble needs exactly the keys {keys}")
    _require_keys(content["batches"], "trees intercept" if schema == FIRST else "trees intercept sums", "a batch")
    _require_keys([tree for batch in content["batches"] for tree in batch["trees"]], "questions weights", "a tree")


def _kept(content: Mapping[str, Any], schema: str, domain: Domain, derivation: Derivation) -> dict[str, Any]:
    """What an ensemble keeps, each by itself as it may be."""
    outcome = _outcome(content, domain, schema)
    rules = _first_rules(content) if schema == FIRST else _rules(content, outcome)
    batches = tuple(Batch(len(one["trees"]), _each(one["intercept"], outcome)) for one in content["batches"])
    return {
        "domain": domain,
        "model": _model(content, domain, outcome),
        "rules": rules,
        "batches": batches,
        "start": outcome.start,
        "intercepts": _integers(content["intercepts"], "intercepts", -MAX_INTEGER, MAX_INTEGER),
        "pairs": tuple(_pair(one) for one in as_list(content.get("pairs", []), "pairs")),
        "histograms": _histograms(content["histograms"], domain, rules),
        "derivation": derivation,
        "paid_in": read_rounds(content["n_rounds"], derivation),
        "n_parties": as_integer(content["n_parties"], "n_parties", minimum=1, maximum=MAX_INTEGER),
    }


def _outcome(content: Mapping[str, Any], domain: Domain, schema: str) -> Outcome:
    """What was learnt: with the released numbers of where scores begin, if there are any."""
    counted = CountedClasses.name
    outcome = outcome_of(domain, counted if content.get("outcome") == counted else None)
    if (schema == OTHERS) != (outcome != TWO_CLASSES) or content.get("outcome", outcome.name) != outcome.name:
        raise ValueError(f"its domain is of the outcome {outcome.name!r}, and the file says otherwise")
    start = _integers(content.get("start", []), "start", -_MOST_SUM, _MOST_SUM)
    asked = outcome.start_question(domain.everything, ANY_COST)
    size = asked.size(domain) if asked else 0
    if len(start) != size:
        raise ValueError(f"start must have {size} integers")
    return replace(outcome, start=start)


def _each(found: Any, outcome: Outcome) -> Each:
    """An intercept: a number, or where rows have several scores one for each."""
    if outcome.n_scores == 1:
        return as_integer(found, "intercept", minimum=-MAX_INTEGER, maximum=MAX_INTEGER)
    several = _integers(found, "intercept", -MAX_INTEGER, MAX_INTEGER)
    if len(several) != outcome.n_scores:
        raise ValueError(f"intercept must have {outcome.n_scores} integers")
    return several


def _require_keys(found: Any, keys: str, what: str) -> None:
    if any(set(one) != set(keys.split()) for one in found):
        raise ValueError(f"{what} needs exactly the keys {keys}")


def _sizes(content: Mapping[str, Any], *more: str) -> dict[str, Any]:
    if content["form"] not in ("trees", "curves"):
        raise ValueError("form must be 'trees' or 'curves'")
    names = ("rounds", "trees_per_round", "questions", "quantiles", *more)
    whole = {name: as_integer(content[name], name, minimum=1, maximum=MAX_INTEGER) for name in names}
    whole["nominal_size"] = as_integer(content["nominal_size"], "nominal_size", minimum=1, maximum=MAX_SIZE)
    return {"form": content["form"], "clip": as_integer(content["clip"], "clip", minimum=1, maximum=STEPS), **whole}


def _rules(content: Mapping[str, Any], outcome: Outcome) -> Rules:
    return Rules(**_sizes(content, "most_questions", "groups", "step"), outcome=replace(outcome, start=()))


def _first_rules(content: Mapping[str, Any]) -> FirstRules:
    require_type(content["weighted"], bool, "weighted")
    return FirstRules(**_sizes(content), step=as_float(content["step"], "step"), weighted=content["weighted"])


def _model(content: Mapping[str, Any], domain: Domain, outcome: Outcome) -> AnyModel:
    written = [tree for batch in content["batches"] for tree in batch["trees"]]
    trees = tuple((_masked(tree["questions"], domain), tuple(tree["weights"])) for tree in written)
    model = outcome.model(trees, _each(content["intercept"], outcome))
    if outcome.ends and isinstance(model, AdditiveModel):
        model = replace(model, scale=content["scale"])
    elif content["scale"] != SIXTEENTHS:
        raise ValueError(f"scale must be {SIXTEENTHS} where scores are not enlarged")
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


def _pair(found: Any) -> tuple[int, int]:
    first, second = _integers(found, "pairs", -_MOST_SUM, _MOST_SUM)
    return first, second


def _integers(found: Any, name: str, least: int, most: int) -> tuple[int, ...]:
    return tuple(as_integer(one, name, minimum=least, maximum=most) for one in as_list(found, name))


def _histograms(found: Any, domain: Domain, rules: Rules | FirstRules) -> Integers:
    """Released counts: of the first rule by code and class, else of groups of codes."""
    counts = as_list(found, "histograms")
    if isinstance(rules, FirstRules):
        if len(counts) != domain.n_codes or not all(type(row) is list and len(row) == 2 for row in counts):
            raise ValueError("histograms must have an integer for each code and class")
        return np.array([_integers(row, "histograms", -_MOST_SUM, _MOST_SUM) for row in counts], dtype=np.int64)
    cells = sum(1 + int(code_groups(feature, rules.groups)[-1]) for feature in domain.features)
    if len(counts) != cells:
        raise ValueError("histograms must have an integer for each group of codes")
    return np.array(_integers(counts, "histograms", -_MOST_SUM, _MOST_SUM), dtype=np.int64)


def _sums(found: Any, n_trees: int, outcome: Outcome) -> Integers:
    trees = as_list(found, "sums")
    if outcome.n_scores > 1:  # of each leaf a list
        if not all(
            type(leaf) is list and len(leaf) == outcome.n_scores for tree in trees for leaf in as_list(tree, "sums")
        ):
            raise ValueError(f"sums must have {outcome.n_scores} integers for each leaf")
        flat = _sums([[one for leaf in tree for one in leaf] for tree in trees], n_trees, TWO_CLASSES)
        return flat.reshape(n_trees, -1, outcome.n_scores)
    rows = [_integers(row, "sums", -_MOST_SUM, _MOST_SUM) for row in trees]
    if len(rows) != n_trees or len({len(row) for row in rows}) > 1:
        raise ValueError("sums must have a list for each tree of a round, all of them of the same length")
    return np.array(rows, dtype=np.int64)
