"""How many trees, how many rounds, how large a step, and what each release costs: rules of public numbers.

Boosting here adds up many small trees whose questions are drawn by public coins. Budget is spent on what their leaves
say. All of it is fixed before the first release: nothing stops early, and nothing is validated on rows.

The total step M grows with ν = N·√ρ/p, how much one feature's curve stands out of its noise. N is a nominal number of
rows, public and fixed beforehand.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from fdpedu.accounting import Cost, gaussian_budget
from fdpedu.dlpa.guarantee import MAX_FEATURES
from fdpedu.exact import Rational, as_integer, quoted
from fdpedu.gradients.additive import MAX_QUESTIONS, MAX_TREES
from fdpedu.trees.shape import as_nominal_size

FORMS = ("trees", "curves")
STEPS = 64  # m, of probabilities
CLIP = STEPS // 2  # of a pull: a row pulls with 1/2 at most
QUESTIONS = {"trees": 3, "curves": 2}
MAX_ROUNDS = 64
_HISTOGRAMS, _INTERCEPT = Fraction(1, 10), Fraction(3, 100)  # parts of the budget; an intercept is asked for twice
_DELTA = Fraction(1, 10**6)  # of the ρ by which the step of a budget in ε is chosen
WEIGHTED_FROM = 500  # N·√ρ from which classes are weighted


@dataclass(frozen=True)
class Rules:
    """What is fixed before the first release.

    Parameters
    ----------
    form : ``"trees"``: each asks about several features; ``"curves"``: each asks about one, so that trees add up to a
        curve for each feature
    nominal_size : N
    rounds, trees_per_round, questions : R, B, and the number of questions of each tree
    quantiles : thresholds are drawn from so many quantiles of the released histograms
    step : M, the total step
    weighted : whether the more frequent class weighs less
    clip : c, of a pull in steps of 1/64; half of them, and a row pulls with 1/2 at most
    """

    form: str
    nominal_size: int
    rounds: int
    trees_per_round: int
    questions: int
    quantiles: int
    step: float
    weighted: bool
    clip: int = CLIP

    @property
    def shares(self) -> dict[str, Fraction]:
        """The parts of the budget that the releases cost, by what is asked; together they make 1.

        >>> rules = rules_for("trees", 5000, Cost("gaussian", "1/40"), 10)
        >>> {name: str(share) for name, share in rules.shares.items()}
        {'histograms': '1/10', 'round': '21/400', 'intercept': '3/100'}
        """
        each = (1 - _HISTOGRAMS - 2 * _INTERCEPT) / self.rounds
        return {"histograms": _HISTOGRAMS, "round": each, "intercept": _INTERCEPT}

    def factor(self, n_features: int) -> float:
        """By what a leaf's weight is multiplied: 3/2·M·p/(k·R·B), with k features a tree.

        Claims: lem-direct-noise
        """
        asked = self.questions if self.form == "trees" else 1
        return 1.5 * self.step * n_features / (asked * self.rounds * self.trees_per_round)


def rules_for(
    form: str,
    nominal_size: int | None,
    budget: Cost | Rational,
    n_features: int,
    *,
    rounds: int | None = None,
    trees_per_round: int | None = None,
    max_depth: int | None = None,
) -> Rules:
    """The rules for public numbers; what is left out is chosen.

    Parameters
    ----------
    form : ``"trees"`` or ``"curves"``, the latter for a budget in ρ only
    nominal_size : N ≥ 1, about how many rows all parties have; public, never their true number
    budget : of all releases, in ε or in ρ; a number is ε
    n_features : p
    rounds, trees_per_round : R from 1 to 64, and B, with at most 4096 trees in all
    max_depth : how many questions each tree asks, 1 to 6

    Examples
    --------
    >>> rules = rules_for("trees", 5000, Cost("gaussian", "487/20000"), 10)
    >>> rules.rounds, rules.trees_per_round, rules.questions, round(rules.step, 2), rules.weighted
    (16, 25, 3, 2.6, True)
    >>> rules_for("trees", 400, 1, 10).rounds
    4
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
    wanted: tuple[Any, ...] = (4, 6, 8) if cost.is_pure else (16, 25 if form == "trees" else _curves(p), 12)
    r = as_integer(wanted[0] if rounds is None else rounds, "rounds", minimum=1, maximum=MAX_ROUNDS)
    trees = min(wanted[1], MAX_TREES // r) if trees_per_round is None else trees_per_round
    b = as_integer(trees, "trees_per_round", minimum=1, maximum=MAX_TREES // r)
    asked = QUESTIONS[form] if max_depth is None else max_depth
    k = as_integer(asked, "max_depth", minimum=1, maximum=MAX_QUESTIONS)
    rho = float(gaussian_budget(cost.value, _DELTA).limit.value if cost.is_pure else cost.value)
    signal = size * math.sqrt(rho)
    return Rules(form, size, r, b, k, wanted[2], min(4.0, max(0.35, signal / p / 30)), signal >= WEIGHTED_FROM)


def _curves(n_features: int) -> int:
    """Two trees a feature, and no more than a model of 16 rounds has room for."""
    return min(2 * n_features, MAX_TREES // 16)
