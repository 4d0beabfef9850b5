"""Boosting among parties: histograms once, then round after round of pulls, then the intercept twice.

Guarantee: for records added or removed, as the budget says: ε, or (ε, δ) from ρ; against an outsider and ``tolerate``
colluders; integers. Everything that is asked is a function of what is public and of what was released before.

Claims: thm-federated-boosting
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from fdpedu.accounting import BudgetExceeded, Cost
from fdpedu.accounting.limits import needs_of, require_left
from fdpedu.boosting.course import Course, Round
from fdpedu.boosting.drawing import Drawing
from fdpedu.boosting.ensemble import Ensemble
from fdpedu.boosting.monotone import fits_of, require_monotone
from fdpedu.boosting.noise import pull_deviation, query_deviation
from fdpedu.boosting.outcome import AnyModel
from fdpedu.boosting.outcomes import outcome_of
from fdpedu.boosting.rules import STEPS, Rules, rules_for
from fdpedu.boosting.stepping import enlarged, shifted
from fdpedu.dlpa import count_noise_shares
from fdpedu.exact import Integers, Rational, require_callable, shown
from fdpedu.federation import GroupCounts, InterceptSums, Query
from fdpedu.federation.asker import Asker, Progress, require_asker
from fdpedu.gradients import AdditiveModel, TreeShapes
from fdpedu.randomness import Rng, Source
from fdpedu.showing import TerminalBar
from fdpedu.trees.account import Account
from fdpedu.trees.costs import budget_within
from fdpedu.trees.nominal import warn_of_delta, warn_of_size
from fdpedu.trees.subset import public_coins


def fit_federated_boosting(
    federation: Asker,
    *,
    form: str = "trees",
    nominal_size: int | None = None,
    rounds: int | None = None,
    trees_per_round: int | None = None,
    max_depth: int | None = None,
    monotone: Mapping[str, int] | None = None,
    threshold: str | None = None,
    epsilon: Cost | Rational | None = None,
    progress: Progress | None = None,
    rng: Rng = None,
) -> Ensemble:
    """Boost many small trees together; returns them with their derivation.

    Claims: thm-federated-boosting

    Parameters
    ----------
    federation : parties, or the :class:`fdpedu.federation.Curator` of all rows; a domain of 2 to 32 classes, or of
        a target; and a ledger of ρ, or of ε, but for several classes
    form : ``"trees"``, or ``"curves"`` for a ledger of ρ: a curve for each feature, to be read
    nominal_size : N, about how many rows all parties have: public, fixed beforehand, never their true number
    rounds, trees_per_round, max_depth : as in :func:`rules_for`
    monotone : of curves, by the names of numeric features +1 if a curve may only rise, −1 if it may only fall
        (:meth:`Ensemble.with_monotone`)
    threshold : of two classes ``"counted"``, for a rare one: a hundredth of the budget pays for class counts, and rows
        are of the second class above :attr:`Ensemble.threshold`, not above 0
    epsilon : what the ensemble may cost, of a ledger of ρ a :class:`fdpedu.accounting.Cost` in ρ; all that the ledger
        has left unless given
    progress : called with the number of rounds so far and their number; unless given, a bar is shown on a terminal
    rng : public coins, by which questions are drawn; None for the operating system's

    Raises
    ------
    BudgetExceeded
        If ``epsilon`` is more than the ledger has left; then nothing is released.
    ValueError
        For more than 32 classes, for more than two in ε, for a threshold of anything but two, and for what
        :func:`rules_for` refuses; before anything is charged.
    Exception
        Whatever fails after something was paid, such as a party that falls silent: its attribute ``released`` has the
        answers, and ``model`` the ensemble of the rounds that are whole (:attr:`Ensemble.unfinished`), None if none is.
    """
    require_asker(federation)
    return boosted(
        federation,
        budget_of(federation, epsilon),
        {"rounds": rounds, "trees_per_round": trees_per_round, "max_depth": max_depth},
        form,
        nominal_size,
        progress,
        public_coins(rng, federation),
        monotone,
        threshold,
    )


def budget_of(asker: Asker, epsilon: Cost | Rational | None) -> Cost:
    """What an ensemble may cost."""
    ledger = asker.ledger
    return budget_within(ledger.left(), ledger.measure, epsilon, ledger.total.delta)


def boosted(
    asker: Asker,
    budget: Cost,
    shape: dict[str, int | None],
    form: str,
    nominal_size: int | None,
    progress: Progress | None,
    coins: Source,
    monotone: Mapping[str, int] | None = None,
    threshold: str | None = None,
) -> Ensemble:
    """The ensemble that is grown from what an asker releases, as :func:`fit_federated_boosting` says."""
    domain = asker.domain
    rules = rules_for(form, nominal_size, budget, domain.n_features, **shape, outcome=outcome_of(domain, threshold))
    if progress is not None:
        require_callable(progress, "progress")
    report = TerminalBar("boosting") if progress is None else progress
    growth = Growth(asker, budget, rules, coins, report, require_monotone(monotone, domain, rules))
    warn_of_delta(asker.ledger.total.delta, rules.nominal_size)
    with growth.account.delivering(growth.so_far):
        return growth.ensemble()


@dataclass
class Growth:
    """An ensemble while it grows.

    Parameters
    ----------
    asker : whoever releases
    budget : of all releases
    rules : fixed beforehand
    coins : public
    report : progress
    monotone : by the position of a feature the direction of its curve
    """

    asker: Asker
    budget: Cost
    rules: Rules
    coins: Source
    report: Progress
    monotone: Mapping[int, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.domain, self.account = self.asker.domain, Account(self.asker, "ensemble")
        self.outcome, self.batches = self.rules.outcome, list[Round]()
        self.model: AnyModel = self.outcome.model((), 0)
        self.intercepts, self.pairs = list[int](), list[tuple[int, int]]()
        self.shares = count_noise_shares(self.asker.n_parties, self.asker.tolerate)
        self._require_payable()

    def ensemble(self) -> Ensemble:
        """Ask round after round, and decide from what is released."""
        self.histograms = self._ask(self._counts())
        course = self._course()
        self._begin()
        drawing = Drawing(self.rules, course.marginals, self.coins)
        for _ in range(self.rules.rounds):
            trees = drawing.trees(course.questions)
            # thm-federated-boosting: the question is a function of what was released, and of public coins
            sums = self._ask(self._gradients(self.model, trees))
            added, kept = course.after(self.model, trees, sums)
            self.model = self.outcome.model(self.model.trees + added, kept.intercept)
            self.batches.append(kept)
        if isinstance(self.model, AdditiveModel) and self.outcome.ends:
            self._end(self.model, course)
        self._warn_of_size()
        return self._of_rounds()

    def _begin(self) -> None:
        """Ask where scores begin, if the outcome has such a question."""
        if asked := self._start():
            deviation = query_deviation(asked, self.asker.n_parties, self.shares)
            self.outcome = self.outcome.begun(self._ask(asked).ravel(), self.rules.nominal_size, deviation**2)
        self.model = self.outcome.first(self.rules.nominal_size)

    def _end(self, model: AdditiveModel, course: Course) -> None:
        """Enlarge the scores, and ask for the intercept again."""
        self.model = model = enlarged(model, course.made_up)
        for _ in range(self.outcome.ends):
            query = self._intercept(model)
            first, second = self._ask(query).tolist()
            self.intercepts.append(model.intercept)
            self.pairs.append((first, second))
            sigma = query_deviation(query, self.asker.n_parties, self.shares)
            rows = self.rules.nominal_size
            self.model = model = shifted(model, self.pairs[-1], rows=rows, steps=STEPS, deviation=sigma)

    def _course(self) -> Course:
        sizes = self.asker.n_parties, self.shares
        variance = query_deviation(self._counts(), *sizes) ** 2
        each = self._cost("round"), self.rules.trees_per_round
        sigma = pull_deviation(*each, self.domain, *sizes, self.outcome)
        return Course.of(self.rules, self.domain, self.histograms, variance, sigma)

    def _warn_of_size(self) -> None:
        size, counts, p = self.rules.nominal_size, self.histograms, self.domain.n_features
        asked = [(self._counts(), counts.size)]
        warn_of_size(size, int(counts.sum()), p, asked, self.asker.n_parties, self.shares)

    def so_far(self) -> Ensemble | None:
        """The ensemble of the rounds that are whole; None before the first round of trees is."""
        return self._of_rounds() if self.batches else None

    def _of_rounds(self) -> Ensemble:
        found = Ensemble(
            self.domain,
            self.model,
            rules=self.rules,
            batches=tuple(self.batches),
            intercepts=tuple(self.intercepts),
            pairs=tuple(self.pairs),
            histograms=self.histograms,
            start=self.outcome.start,
            derivation=self.asker.ledger.derivation(),
            paid_in=self.account.rounds,
            n_parties=self.asker.n_parties,
            tolerate=self.asker.tolerate,
        )
        # lem-monotone: by what was released
        return replace(found, monotone=fits_of(self.domain, self.model, found.marginals, self.monotone))

    def _ask(self, query: Query) -> Integers:
        (found,) = self.account.release([query])
        self.report(len(self.account.released), self.rules.n_rounds)
        return found

    def _cost(self, of: str) -> Cost:
        return self.budget.scaled(self.rules.shares[of])

    def _counts(self) -> GroupCounts:
        return GroupCounts(self.domain.everything, self._cost("histograms"), self.rules.groups)

    def _start(self) -> Query | None:
        outcome = self.rules.outcome
        return outcome.start_question(self.domain.everything, self._cost("start")) if outcome.begins else None

    def _gradients(self, model: AnyModel, trees: TreeShapes) -> Query:
        return self.outcome.question(self.domain.everything, self._cost("round"), model, trees)

    def _intercept(self, model: AdditiveModel) -> InterceptSums:
        return InterceptSums(self.domain.everything, self._cost("intercept"), STEPS, model)

    def _require_payable(self) -> None:
        """Refuse, before anything is charged, noise that cannot be drawn, ξ that is not paid, too long a derivation."""
        trees = TreeShapes((((0, 1),) * self.rules.most_questions,) * self.rules.trees_per_round)
        all_asked: list[tuple[Any, int]] = [
            (self._counts(), 1),
            (self._gradients(self.model, trees), self.rules.rounds),
        ]
        all_asked += [(asked, 1)] if (asked := self._start()) else []
        all_asked += [(self._intercept(AdditiveModel()), self.outcome.ends)] if self.outcome.ends else []
        for query, _ in all_asked:
            query.check(self.domain)
        charges = [
            query.charge(self.domain, self.asker.colluders, "any", n_noise_shares=self.shares) for query, _ in all_asked
        ]
        needs = sum((needs_of([c], n) for c, (_, n) in zip(charges, all_asked, strict=True)), Counter(steps=2))
        require_left(self.asker.ledger.counts, self.asker.ledger.total, [charge.cost for charge in charges], needs)
        if self.budget.is_pure:
            return
        taken = sum((times * query.gaussian(self.shares).xi for query, times in all_asked), Fraction(0))
        if taken > self.budget.xi:
            raise BudgetExceeded(
                f"the noise of this ensemble takes ξ = {shown(taken)}, and ξ = {shown(self.budget.xi)} is left in the "
                "ledger: take fewer parties, or a larger budget; nothing was charged"
            )
