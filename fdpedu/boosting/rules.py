"""How many trees, how many rounds, how large a step, and what each release costs: rules of public numbers.

Boosting here adds up many small trees whose questions are drawn by public coins. Budget is spent on what their leaves
say. How much is asked is fixed before the first release: nothing stops early, and nothing is validated on rows.

All else grows with ν = N·√ρ/p, how much one feature's curve stands out of its noise. N is a nominal number of rows,
public and fixed beforehand.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from fdpedu.accounting import Cost, gaussian_budget
from fdpedu.boosting.outcome import CLIP as CLIP
from fdpedu.boosting.outcome import STEPS as STEPS
from fdpedu.boosting.outcome import Outcome
from fdpedu.boosting.outcomes import TWO_CLASSES, CountedClasses
from fdpedu.dlpa.guarantee import MAX_FEATURES
from fdpedu.exact import Rational, as_integer, quoted
from fdpedu.federation.messages import MAX_QUERY_BYTES
from fdpedu.gradients import UNIT
from fdpedu.gradients.additive import MAX_QUESTIONS, MAX_TREES
from fdpedu.trees.shape import as_nominal_size

FORMS = ("trees", "curves")
MAX_ROUNDS = 64
_QUESTION, _HEADS = 33, 2**14  # bytes: a question's feature and codes at most; all else in a request
ROUNDS, TREES, QUESTIONS = 36, 25, (3, 5)  # R; B; k, and k where features interact
PURE_ROUNDS, PURE_TREES, PURE_QUESTIONS = 8, 6, 5
CURVES = MAX_TREES // ROUNDS  # a round at most, so that all of them fit into a model
_HISTOGRAMS, _INTERCEPT = Fraction(1, 10), Fraction(3, 100)  # parts of the budget; an intercept is asked for twice
_DELTA = Fraction(1, 10**6)  # of the ρ by which ν of a budget in ε is reckoned
_LEAST = Fraction(1, 10**5)  # ε; below it a ρ at that δ says nothing, and steps are the least anyway


@dataclass(frozen=True)
class Rules:
    """What is fixed before the first release.

    Parameters
    ----------
    form : ``"trees"``: each asks about several features; ``"curves"``: each asks about one, so that trees add up to a
        curve for each feature
    nominal_size : N
    rounds, trees_per_round : R and B
    questions, most_questions : k, of each tree, and the k of rounds before which released interactions stand out
    quantiles : thresholds are drawn from so many quantiles of the released histograms
    groups : how many groups of adjacent codes the histogram of a number has at most
    step : M, the total step, in units of 1/4096
    clip : c, of a pull in steps of 1/64; half of them, and a row pulls with 1/2 at most
    outcome : what is learnt
    """

    form: str
    nominal_size: int
    rounds: int
    trees_per_round: int
    questions: int
    most_questions: int
    quantiles: int
    groups: int
    step: int
    clip: int = CLIP
    outcome: Outcome = TWO_CLASSES

    @property
    def shares(self) -> dict[str, Fraction]:
        """The parts of the budget that the releases cost, by what is asked; together they make 1.

        >>> rules = rules_for("trees", 5000, Cost("gaussian", "1/40"), 10)
        >>> {name: str(share) for name, share in rules.shares.items()}
        {'histograms': '1/10', 'start': '0', 'round': '7/300', 'intercept': '3/100'}
        """
        return parts_of(self.rounds, self.outcome)

    @property
    def n_rounds(self) -> int:
        """How often parties are asked in all."""
        return 1 + bool(self.outcome.begins) + self.rounds + self.outcome.ends

    @property
    def watched_from(self) -> int:
        """⌊R/4⌋, the round from which interactions are looked for: at the score 0 additive data show some as well."""
        return self.rounds // 4


def parts_of(rounds: int, outcome: Outcome = TWO_CLASSES) -> dict[str, Fraction]:
    """What part of the budget the histograms cost, where scores begin, each round, and each question of the intercept.

    >>> from fdpedu.boosting.outcomes import Classes
    >>> {name: str(share) for name, share in parts_of(36, Classes(n_classes=5)).items()}
    {'histograms': '1/10', 'start': '3/100', 'round': '29/1200', 'intercept': '3/100'}
    """
    if isinstance(outcome, CountedClasses):  # what a threshold is made of is paid first, all else from the rest
        rest = {name: share * (1 - outcome.begins) for name, share in parts_of(rounds).items()}
        return {**rest, "start": outcome.begins}
    each = (1 - _HISTOGRAMS - outcome.begins - outcome.ends * _INTERCEPT) / rounds
    return {"histograms": _HISTOGRAMS, "start": outcome.begins, "round": each, "intercept": _INTERCEPT}


def rules_for(
    form: str,
    nominal_size: int | None,
    budget: Cost | Rational,
    n_features: int,
    *,
    rounds: int | None = None,
    trees_per_round: int | None = None,
    max_depth: int | None = None,
    outcome: Outcome = TWO_CLASSES,
) -> Rules:
    """The rules for public numbers; what is left out is chosen.

    Claims: lem-too-bold

    Parameters
    ----------
    form : ``"trees"`` or ``"curves"``, the latter for a budget in ρ only
    nominal_size : N ≥ 1, about how many rows all parties have; public, never their true number
    budget : of all releases, in ε or in ρ; a number is ε
    n_features : p
    rounds, trees_per_round : R from 1 to 64, and B, with at most 4096 trees in all
    max_depth : how many questions each tree asks in every round, 1 to 6; of trees p at most, each of another feature
    outcome : what is learnt

    Examples
    --------
    >>> rules = rules_for("trees", 5000, Cost("gaussian", "487/20000"), 10)
    >>> rules.rounds, rules.trees_per_round, rules.questions, rules.most_questions, round(rules.step / 4096, 2)
    (36, 25, 3, 5, 19.51)
    >>> rules_for("trees", 400, 1, 10).rounds
    8
    """
    if not isinstance(form, str) or form not in FORMS:
        raise ValueError(f"form must be 'trees' or 'curves', got {quoted(form)}")
    size = as_nominal_size(nominal_size)
    if size is None:
        raise ValueError(
            "boosting needs a nominal_size: about how many rows all parties have, a public number that is fixed "
            "beforehand, never their true number"
        )
    cost = budget if isinstance(budget, Cost) else Cost("pure", budget)  # type: ignore[arg-type]
    if cost.is_pure and form == "curves":
        raise ValueError("form 'curves' is for a budget in ρ: give a delta, or take form 'trees'")
    p = as_integer(n_features, "n_features", minimum=1, maximum=MAX_FEATURES)
    outcome.require(cost)
    nu = size * math.sqrt(rho_of(cost) / outcome.dearer) / p
    wanted = PURE_ROUNDS if cost.is_pure else ROUNDS
    r = as_integer(wanted if rounds is None else rounds, "rounds", minimum=1, maximum=MAX_ROUNDS)
    usual = min(p, CURVES) if form == "curves" else PURE_TREES if cost.is_pure else TREES
    trees = min(usual, MAX_TREES // r) if trees_per_round is None else trees_per_round
    b = as_integer(trees, "trees_per_round", minimum=1, maximum=MAX_TREES // r)
    k, most = _questions(form, p, nu, cost.is_pure, max_depth)
    step = math.floor(UNIT * outcome.boldest(form, nu, r, cost.is_pure))
    groups = 2 ** _clip(round(math.log2(nu)), 5, 8)
    rules = Rules(form, size, r, b, k, most, _quantiles(nu), groups, step, outcome=outcome)
    _require_room(rules)
    return rules


def _require_room(rules: Rules) -> None:
    """Refuse a model that the last question could not carry: weights of two bytes where there are several scores."""
    if rules.outcome.n_scores == 1:
        return
    each = rules.most_questions * _QUESTION + (2 * rules.outcome.n_scores << rules.most_questions)
    most = rules.rounds * rules.trees_per_round * each
    if most > MAX_QUERY_BYTES - _HEADS:
        raise ValueError(
            f"the model of the last round would take up to {most} bytes for {rules.outcome.n_scores} classes, and a "
            f"request has {MAX_QUERY_BYTES}: give rounds=, trees_per_round= or max_depth= a smaller value; nothing was "
            "charged"
        )


def rho_of(cost: Cost) -> float:
    """The ρ by which rules are chosen: of a budget in ε the one that is sold as it at δ = 10⁻⁶, or as the least ε."""
    return float(gaussian_budget(max(cost.value, _LEAST), _DELTA).limit.value if cost.is_pure else cost.value)


def _questions(form: str, p: int, nu: float, is_pure: bool, max_depth: int | None) -> tuple[int, int]:
    """k, and the k of rounds before which interactions stand out."""
    if max_depth is not None:
        asked = as_integer(max_depth, "max_depth", minimum=1, maximum=MAX_QUESTIONS)
        return (asked, asked) if form == "curves" else (min(p, asked), min(p, asked))
    if form == "curves":
        digits = _clip(round(math.log2(math.sqrt(nu) / 2)), 2 if nu > 5 else 1, 4)
        return digits, digits
    least, most = (PURE_QUESTIONS, PURE_QUESTIONS) if is_pure else QUESTIONS
    return min(p, least), min(p, most)


def _quantiles(nu: float) -> int:
    return _clip(4 * 2 ** _clip(round(math.log2(nu) / 2), 1, 4), 8, 64)


def _clip(value: int, least: int, most: int) -> int:
    return max(least, min(most, value))
