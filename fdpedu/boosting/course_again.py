"""The course of an ensemble once more, from what it keeps and from what its derivation says that releases have cost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from fdpedu.accounting import Cost
from fdpedu.accounting.writing import amount_of
from fdpedu.boosting.course import Course
from fdpedu.boosting.monotone import with_fits
from fdpedu.boosting.noise import pull_deviation, query_deviation
from fdpedu.boosting.outcome import Outcome
from fdpedu.boosting.outcomes import CountedClasses
from fdpedu.dlpa import count_noise_shares
from fdpedu.federation import GroupCounts
from fdpedu.gradients import AdditiveModel, TreeShapes
from fdpedu.gradients.additive import MAX_WEIGHT

ANY_COST = Cost("pure", Fraction(1))
"""Of a query that is only compared."""


def costs_of(ensemble: Mapping[str, Any], query_type: str) -> Cost:
    """What a query of this type has cost; where they differ, in an older file of several ensembles, the least."""
    derivation = ensemble["derivation"]
    steps = [step for _, step in derivation.releases(ensemble["paid_in"]) if step["type"] == query_type]
    if not steps:
        raise ValueError(f"the derivation has no release of {query_type}: this ensemble is not the one it paid for")
    return min((Cost(derivation.measure, amount_of(step).value) for step in steps), key=lambda each: each.value)


def begun_outcome(ensemble: Mapping[str, Any]) -> Outcome:
    """What an ensemble has learnt, with what was released of where scores begin, from what it keeps, by its names."""
    domain, n_parties, outcome = ensemble["domain"], ensemble["n_parties"], ensemble["rules"].outcome
    asked = outcome.start_question(domain.everything, ANY_COST)
    if asked is None:
        return outcome
    asked = replace(asked, cost=costs_of(ensemble, asked.type))
    deviation = query_deviation(asked, n_parties, count_noise_shares(n_parties, ensemble["tolerate"]))
    return outcome.begun(ensemble["start"], ensemble["rules"].nominal_size, deviation**2)


def noise_of_rounds(ensemble: Mapping[str, Any]) -> float:
    """The standard deviation of the noise in each sum of pulls that was released, in steps of 1/64."""
    n_parties, n_trees, domain = ensemble["n_parties"], ensemble["rules"].trees_per_round, ensemble["domain"]
    outcome, trees = ensemble["rules"].outcome, TreeShapes((((0, 1),),))
    asked = outcome.question(domain.everything, ANY_COST, outcome.model((), 0), trees)
    cost, shares = costs_of(ensemble, asked.type), count_noise_shares(n_parties, ensemble["tolerate"])
    return pull_deviation(cost, n_trees, domain, n_parties, shares, outcome)


def course_of(ensemble: Mapping[str, Any]) -> Course:
    """Where the rounds of an ensemble began, from what it keeps, by its names."""
    domain, rules, n_parties = ensemble["domain"], ensemble["rules"], ensemble["n_parties"]
    counts = GroupCounts(domain.everything, costs_of(ensemble, GroupCounts.type), rules.groups)
    deviation = query_deviation(counts, n_parties, count_noise_shares(n_parties, ensemble["tolerate"]))
    return Course.of(rules, domain, ensemble["histograms"], deviation**2, noise_of_rounds(ensemble))


def threshold_of(ensemble: Mapping[str, Any]) -> int:
    """Above which score the second of two classes is predicted, in units of 1/4096: 0, but where it was counted."""
    outcome, model = begun_outcome(ensemble), ensemble["model"]
    if not isinstance(outcome, CountedClasses) or not isinstance(model, AdditiveModel):
        return 0
    made_up = course_of(ensemble).made_up
    scorer = with_fits(model, ensemble.get("monotone", ()))
    found = outcome.threshold(scorer.scores(made_up, np.arange(made_up.shape[1], dtype=np.int64)))
    # an intercept that is less by it is still one that a question may carry
    return min(scorer.intercept + MAX_WEIGHT, max(scorer.intercept - MAX_WEIGHT, found))
