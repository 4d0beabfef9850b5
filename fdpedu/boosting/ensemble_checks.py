"""What an ensemble that is read is held against: its rules, its derivation, and the sums that it says were released.

Each question of a round carries the model so far and the new trees, and the derivation keeps a hash of both. So trees
and weights are those that parties were asked about. And weights, numbers of questions, steps, guard, scale, intercepts
and threshold are made from the sums anew, and must agree to one unit of 1/4096. Older files, of the first rule, have no
sums. They are held against their derivations only.

All functions take what an ensemble keeps, by its names.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np

from fdpedu.accounting import Cost
from fdpedu.boosting.course import Course, Round
from fdpedu.boosting.course_again import ANY_COST, begun_outcome, costs_of, course_of, threshold_of
from fdpedu.boosting.first_rule import FirstRules, class_weights
from fdpedu.boosting.noise import query_deviation
from fdpedu.boosting.outcome import AnyModel, Each
from fdpedu.boosting.outcomes import TWO_CLASSES
from fdpedu.boosting.rules import STEPS, Rules, rules_for
from fdpedu.boosting.stepping import MOST, as_units, enlarged, shifted
from fdpedu.dlpa import count_noise_shares
from fdpedu.exact import Integers
from fdpedu.federation import GradientSums, GroupCounts, InterceptSums, NodeHistograms, Query
from fdpedu.gradients import UNIT, AdditiveModel, TreeShapes
from fdpedu.gradients.additive import SIXTEENTHS, WeightedTrees
from fdpedu.trees.tree_paid import Paid


def require_by_rules(found: Mapping[str, Any], weights: tuple[int, ...]) -> None:
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


def require_paid(found: Mapping[str, Any]) -> None:
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


def rounds_again(found: Mapping[str, Any], sums: list[Integers]) -> tuple[Round, ...]:
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


def require_threshold(found: Mapping[str, Any], stated: int) -> None:
    """Refuse a threshold that does not follow from class counts and made-up rows."""
    if not _near(stated, threshold_of(found)):
        raise ValueError("its threshold is not the one that its class counts and made-up rows lead to")
