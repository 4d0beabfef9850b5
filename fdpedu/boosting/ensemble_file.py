"""An ensemble as a document, and what is checked when one is read.

Each question of a round carries the model so far and the new trees, and the derivation keeps a hash of both. So an
ensemble that is read is held against its derivation round by round: trees and weights are those that parties were asked
about. And it is held against the sums that it says were released: weights, numbers of questions, steps, guard, scale
and intercepts are made from them anew, and must agree to one unit of 1/4096.

Older files, of the first rule, have no sums. They are held against their derivations only.
"""

# Longer than 400 lines because what a file says and what is made of it anew are one check, read from top to bottom.

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np

from fdpedu import files
from fdpedu.accounting import Cost, Derivation
from fdpedu.boosting.course import Course, Round
from fdpedu.boosting.course_again import ANY_COST, begun_outcome, costs_of, course_of, threshold_of
from fdpedu.boosting.first_rule import Batch, FirstRules, class_weights, marginals_of
from fdpedu.boosting.monotone import read_fits, written_fits
from fdpedu.boosting.noise import query_deviation
from fdpedu.boosting.outcome import TWO_CLASSES, AnyModel, CountedClasses, Each, Outcome, outcome_of
from fdpedu.boosting.rules import STEPS, Rules, rules_for
from fdpedu.boosting.stepping import MOST, as_units, enlarged, shifted
from fdpedu.derivation_checker import MAX_INTEGER
from fdpedu.dlpa import count_noise_shares
from fdpedu.domain import Domain, code_groups
from fdpedu.domain.spec import WRITTEN
from fdpedu.exact import Integers, as_float, as_integer, as_list, require_type
from fdpedu.federation import GradientSums, GroupCounts, InterceptSums, NodeHistograms, Query
from fdpedu.gradients import UNIT, AdditiveModel, TreeShapes
from fdpedu.gradients.additive import SIXTEENTHS, Questions, WeightedTrees
from fdpedu.gradients.table import FULL_WEIGHT
from fdpedu.trees.shape import MAX_SIZE
from fdpedu.trees.tree_paid import Paid, read_rounds, require_adaptive, require_by_parties

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
    keys = _KEYS[schema] + (" threshold" if content.get("outcome") == CountedClasses.name else "")
    if set(content) - {"monotone"} != set(keys.split()):
        raise ValueError(f"an ensemble needs exactly the keys {keys}")
    _require_keys(content["batches"], "trees intercept" if schema == FIRST else "trees intercept sums", "a batch")
    _require_keys([tree for batch in content["batches"] for tree in batch["trees"]], "questions weights", "a tree")
    domain = Domain.from_spec({"schema": WRITTEN, **content["domain"]})
    derivation = Derivation(content["derivation"], domain)
    guarantee = derivation.guarantee  # the checker accepts it, or raises
    require_adaptive(guarantee)
    if not derivation.is_of(domain):
        raise ValueError("its derivation is of another domain")
    outcome = _outcome(content, domain, schema)
    at = [_each(batch["intercept"], outcome) for batch in content["batches"]]
    rules = _first_rules(content) if schema == FIRST else _rules(content, outcome)
    found: dict[str, Any] = {
        "domain": domain,
        "model": _model(content, domain, outcome),
        "rules": rules,
        "batches": tuple(Batch(len(one["trees"]), i) for one, i in zip(content["batches"], at, strict=True)),
        "start": outcome.start,
        "intercepts": _integers(content["intercepts"], "intercepts", -MAX_INTEGER, MAX_INTEGER),
        "pairs": tuple(_pair(one) for one in as_list(content.get("pairs", []), "pairs")),
        "histograms": _histograms(content["histograms"], domain, rules),
        "derivation": derivation,
        "paid_in": read_rounds(content["n_rounds"], derivation),
        "n_parties": as_integer(content["n_parties"], "n_parties", minimum=1, maximum=MAX_INTEGER),
    }
    most = found["n_parties"] - 1
    found["tolerate"] = as_integer(content["tolerate"], "tolerate", minimum=guarantee.colluders, maximum=most)
    _require_by_rules(found, content)
    require_by_parties(derivation, found["paid_in"], found["n_parties"])
    _require_paid(found)
    if schema != FIRST:
        found["batches"] = _gone_again(
            found, [_sums(one["sums"], len(one["trees"]), outcome) for one in content["batches"]]
        )
    if "monotone" in content:
        of_first = schema == FIRST
        marginals = marginals_of(domain, found["histograms"]) if of_first else course_of(found).marginals
        found["monotone"] = read_fits(content["monotone"], found, marginals)
    if "threshold" in content:
        stated = as_integer(content["threshold"], "threshold", minimum=-MAX_INTEGER, maximum=MAX_INTEGER)
        if not _near(stated, threshold_of(found)):
            raise ValueError("its threshold is not the one that its class counts and made-up rows lead to")
    return found


def _outcome(content: Mapping[str, Any], domain: Domain, schema: str) -> Outcome:
    """What was learnt: with the released numbers of where scores begin, if there are any."""
    counted = CountedClasses.name
    outcome = outcome_of(domain, counted if content.get("outcome") == counted else None)
    if (schema == OTHERS) != (outcome != TWO_CLASSES) or content.get("outcome", outcome.name) != outcome.name:
        raise ValueError(f"its domain is of the outcome {outcome.name!r}, and the file says otherwise")
    start = _integers(content.get("start", []), "start", -_MOST_SUM, _MOST_SUM)
    if len(start) != outcome.size_of_start():
        raise ValueError(f"start must have {outcome.size_of_start()} integers")
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


def _require_by_rules(found: Mapping[str, Any], content: Mapping[str, Any]) -> None:
    """Refuse an ensemble that does not keep the rules that it states, as far as a file can show it."""
    rules, sizes = found["rules"], [batch.n_trees for batch in found["batches"]]
    if sizes != [rules.trees_per_round] * len(sizes) or not _has_rounds(found):
        raise ValueError("its rounds are not as many, or not as large, as its rules say")
    if isinstance(rules, Rules):
        if len(found["pairs"]) != len(found["intercepts"]):
            raise ValueError("pairs and intercepts must be as many")
        return
    if any(len(questions) != rules.questions for questions, _ in found["model"].trees):
        raise ValueError("its trees do not ask as many questions as its rules say")
    weights = _integers(content["weights"], "weights", 1, FULL_WEIGHT)
    if class_weights(found["domain"], found["histograms"], rules)[:2] != weights:
        raise ValueError("the weights of its classes are not those that follow from its histograms")


def _has_rounds(found: Mapping[str, Any]) -> bool:
    """Whether it has all its rounds; or, if it is unfinished, the first ones, and paid for one more at most."""
    planned, n_batches, n_asked = found["rules"].rounds, len(found["batches"]), len(found["intercepts"])
    outcome = found["rules"].outcome
    n_paid, n_whole = len(found["paid_in"]), 1 + bool(outcome.begins) + n_batches + n_asked
    if n_asked == outcome.ends and n_batches == planned:
        # only files of two classes are so old that they do not have the numbers of their rounds
        return n_paid == n_whole or (n_paid == 0 and outcome == TWO_CLASSES)
    is_plain = not isinstance(found["model"], AdditiveModel) or found["model"].scale == SIXTEENTHS
    in_order = n_batches == planned or (is_plain and not n_asked)
    return 0 < n_batches <= planned and n_asked <= outcome.ends and in_order and 0 <= n_paid - n_whole <= 1


def _require_paid(found: Mapping[str, Any]) -> None:
    """Refuse an ensemble whose rounds are not those that the derivation has paid for."""
    domain, model, rules = found["domain"], found["model"], found["rules"]
    paid, asked = Paid.by(found["derivation"], domain, found["paid_in"]), _asked(found)
    if not _is_ended(found, model):
        raise ValueError("its intercept is not the one that its rounds lead to")
    for query in asked:
        if not paid.has_release(query):
            raise ValueError(
                f"the derivation has no release of {query.describe(domain)}: this ensemble is not the one it paid for"
            )
    if not any(
        _follows_from(rules, cost, domain.n_features) for cost in paid.costs_of(asked[-1 - len(found["intercepts"])])
    ):
        raise ValueError("its rules are not those of its nominal size and of what it cost")


def _is_ended(found: Mapping[str, Any], model: AnyModel) -> bool:
    """Whether the intercept is the one of the last round, moved by the steps at the end.

    In older files it was multiplied like the trees.
    """
    last = found["batches"][-1].intercept
    if not isinstance(model, AdditiveModel):
        return bool(model.intercepts == last) and not found["intercepts"]
    (scaled,) = as_units([last * model.scale / SIXTEENTHS / UNIT])
    steps = [*found["intercepts"], model.intercept]
    return steps[0] in (last, scaled) and not any(abs(after - i) > MOST * UNIT for i, after in pairwise(steps))


def _asked(found: Mapping[str, Any]) -> list[Query]:
    """What parties were asked, as far as it identifies a release."""
    domain, model, rules, everything = found["domain"], found["model"], found["rules"], found["domain"].everything
    rounds, outcome = _rounds_of(found), begun_outcome(found)
    at_the_end = [
        InterceptSums(everything, 1, STEPS, AdditiveModel(model.trees, i, model.scale)) for i in found["intercepts"]
    ]
    if isinstance(rules, FirstRules):
        weights = class_weights(domain, found["histograms"], rules)[:2]
        scored = [
            GradientSums(everything, 1, STEPS, so_far, rules.clip, *weights, trees)
            for so_far, trees in rounds
            if isinstance(so_far, AdditiveModel)
        ]
        return [NodeHistograms(everything, 1), *(query.plain() for query in (*scored, *at_the_end))]
    start = outcome.start_question(everything, ANY_COST)
    pulls = [outcome.question(everything, ANY_COST, so_far, trees) for so_far, trees in rounds]
    return [GroupCounts(everything, 1, rules.groups), *([start] if start else []), *pulls, *at_the_end]


def _rounds_of(found: Mapping[str, Any]) -> list[tuple[AnyModel, TreeShapes]]:
    """Of each round the model that was asked with, and the trees that were asked about."""
    outcome, trees, end, asked = begun_outcome(found), found["model"].trees, 0, []
    model = outcome.first(found["rules"].nominal_size)
    for batch in found["batches"]:
        begin, end = end, end + batch.n_trees
        asked.append((model, TreeShapes(tuple(questions for questions, _ in trees[begin:end]))))
        model = outcome.model(trees[:end], batch.intercept)
    return asked


def _follows_from(rules: Rules | FirstRules, round_cost: Cost, n_features: int) -> bool:
    """Whether the rules are those of the nominal size and of a budget of which a round has cost its part."""
    if isinstance(rules, FirstRules):
        return rules.follow_from(round_cost, n_features)
    budget, fixed = Cost(round_cost.measure, round_cost.value / rules.shares["round"]), rules.questions
    shape: dict[str, Any] = {"rounds": rules.rounds, "trees_per_round": rules.trees_per_round}
    depths = (None, fixed) if fixed == rules.most_questions else (None,)
    shape |= {"outcome": rules.outcome}
    known = [rules_for(rules.form, rules.nominal_size, budget, n_features, **shape, max_depth=k) for k in depths]
    return rules in known


# --- the rounds once more, from what they released --------------------------------------------------------------------


def _gone_again(found: Mapping[str, Any], sums: list[Integers]) -> tuple[Round, ...]:
    """The rounds as they follow from their sums; refused where weights, questions or intercepts are others."""
    course, rounds, model = course_of(found), list[Round](), found["model"]
    for (so_far, trees), batch, released in zip(_rounds_of(found), found["batches"], sums, strict=True):
        if len(trees.trees[0]) != course.questions:
            raise ValueError("its trees do not ask as many questions as follow from its sums")
        if released.shape[:2] != (len(trees), trees.n_leaves):
            raise ValueError("sums must have a number for each leaf of each tree")
        added, kept = course.after(so_far, trees, released)
        begin = len(so_far.trees)
        if not _nearly(added, model.trees[begin : begin + len(added)]) or not _near(kept.intercept, batch.intercept):
            raise ValueError("its weights and intercepts are not those that follow from its sums")
        rounds.append(replace(kept, intercept=batch.intercept))
    if isinstance(model, AdditiveModel) and found["rules"].outcome.ends:
        _require_ended(found, course)
    return tuple(rounds)


def _near(one: Each, other: Each) -> bool:
    """Whether intercepts agree to one unit."""
    return bool(np.max(np.abs(np.subtract(one, other))) <= 1)


def _nearly(one: WeightedTrees, other: WeightedTrees) -> bool:
    """Whether all weights agree to one unit: who reads may have another processor than who has grown."""
    return all(abs(a - b) <= 1 for (_, w), (_, v) in zip(one, other, strict=True) for a, b in zip(w, v, strict=True))


def _require_ended(found: Mapping[str, Any], course: Course) -> None:
    """Refuse a scale and intercepts that do not follow from made-up rows and from the pairs that were released."""
    model, n_parties, rules = found["model"], found["n_parties"], found["rules"]
    last = enlarged(AdditiveModel(model.trees, found["batches"][-1].intercept), course.made_up)
    is_enlarged = found["intercepts"] or model.scale != SIXTEENTHS  # an unfinished one may not be
    if is_enlarged and abs(last.scale - model.scale) > 1:
        raise ValueError("its scale is not the one that its made-up rows lead to")
    shares = count_noise_shares(n_parties, found["tolerate"])
    steps = [*found["intercepts"], model.intercept]
    for before, pair, after in zip(found["intercepts"], found["pairs"], steps[1:], strict=True):
        asked = AdditiveModel(model.trees, before, model.scale)
        cost = costs_of(found, InterceptSums.type)
        query = InterceptSums(found["domain"].everything, cost, STEPS, asked)
        deviation = query_deviation(query, n_parties, shares)
        expected = shifted(asked, pair, rows=rules.nominal_size, steps=STEPS, deviation=deviation)
        if abs(expected.intercept - after) > 1:
            raise ValueError("its intercept is not the one that its last sums lead to")
