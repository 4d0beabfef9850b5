"""An audit: a bet against a claim of (ε, δ)-privacy, run by run, that may be looked at and stopped at any time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from fdpedu import files
from fdpedu.audit.audit_file import MOST_SEED, from_document, to_document
from fdpedu.audit.betting import Bet, Floats, as_alpha, as_delta, as_epsilon
from fdpedu.audit.confidence import epsilon_lower, roughly_lower
from fdpedu.audit.events import Event, Given, Guesses, Predicate
from fdpedu.audit.learning import Goal, learnt_event
from fdpedu.audit.picture import WealthPath, draw_paths
from fdpedu.audit.running import MARKS, as_wealth, first_reaching, order, running
from fdpedu.audit.trial import Trial, named
from fdpedu.exact import Rational, as_integer, require_callable
from fdpedu.printable import escape, one_line

Claim = tuple[Fraction, Fraction, Fraction]  # ε, δ and α
LEAST_RUNS = 8
MOST_LEARNT = 20_000
MOST_RUNS = 10**9
LOOKS = 16
"""So often the bound on ε is looked at in the runs of one call, and at their end."""
_ONE_BY_ONE, _BATCH = 256, 2**16


class Audit:
    """What is known of a claim after some runs. It is made by :func:`audit`, or read by :meth:`load`.

    An audit refutes and never confirms: if it has not refuted a claim, it has a lower bound on ε, for this pair of data
    sets, this event and these runs. Its error is at most α however long one goes on, and whenever one stops, if each
    run is (ε, δ)-private given all before it. (Noise that is drawn once and used in all runs is refuted, rightly.)

    Claims: def-wealth

    Parameters
    ----------
    claim : ε, δ and α
    pair : what D and D′ are called
    event : what is bet on
    learnt_on : how many runs it was learnt from
    seed : of the order in which D and D′ take turns
    trial : what runs; None for an audit that is only looked at
    marks : of each run that was bet on: 1 for a right guess, −1 for a wrong one, 0 for none
    looks : after how many of them the bound on ε was looked at
    broken_off : whether runs were begun of which nobody knows what came out, so that it cannot go on
    """

    def __init__(
        self,
        claim: Claim,
        pair: tuple[str, str],
        event: Event,
        learnt_on: int,
        seed: int,
        trial: Trial | None,
        marks: Guesses | None = None,
        looks: Sequence[int] = (),
        broken_off: bool = False,
    ) -> None:
        self.epsilon, self.delta, self.alpha = claim
        self.pair, self._event, self.learnt_on, self._seed, self._trial = pair, event, learnt_on, seed, trial
        self._bet = Bet.against(self.epsilon, self.delta, event.directions)
        self._parts, self._totals = [np.empty(0, dtype=np.int8)], np.zeros(3, dtype=np.int64)
        self._refuted_at: int | None = None
        self._looks, self._broken_off = list[int](), broken_off
        if marks is not None:
            self._add(marks)
        self._looks = sorted({*self._looks, *looks})

    @property
    def runs(self) -> int:
        """How many runs there were, with those that the event was learnt from."""
        return self.learnt_on + int(self._totals.sum())

    @property
    def marks(self) -> Guesses:
        """Of each run that was bet on: 1 for a right guess, −1 for a wrong one, 0 for none."""
        if len(self._parts) > 1:
            self._parts = [np.concatenate(self._parts)]
        return self._parts[0].copy()

    @property
    def counts(self) -> tuple[int, int, int]:
        """How many guesses were right, how many wrong, and how many runs were without one."""
        right, wrong, none = map(int, self._totals)
        return right, wrong, none

    @property
    def refuted(self) -> bool:
        """Whether the wealth has ever reached 1/α: if the claim is true, this has a probability of at most α."""
        return self._refuted_at is not None

    @property
    def refuted_at(self) -> int | None:
        """After how many runs it first did, counted as :attr:`runs`; None if it has not."""
        return self._refuted_at

    @property
    def e_value(self) -> float:
        """The wealth now, of 1 at the beginning: its mean is at most 1 if the claim is true."""
        return float(as_wealth(self._bet.log_wealth(*self._totals)))

    @property
    def wealth(self) -> Floats:
        """The wealth after each run that was bet on."""
        return as_wealth(self._bet.log_wealth(*running(self.marks)))

    @property
    def event(self) -> str:
        """What is bet on, in words."""
        return self._event.words

    @property
    def raised(self) -> int:
        """How many of the runs since it was made or read raised an exception."""
        return 0 if self._trial is None else self._trial.raised

    @property
    def error(self) -> str:
        """The last exception, in words; empty if there was none."""
        return "" if self._trial is None else self._trial.error

    @property
    def epsilon_lower(self) -> float:
        """The largest lower bound on ε so far, for the claim's δ, with an error of at most α at all times together."""
        return self.lower(self.alpha)

    def lower(self, alpha: Rational) -> float:
        """The same with another error; α must not be chosen by what comes out.

        Parameters
        ----------
        alpha : 0 < α < 1
        """
        error, sides = as_alpha(alpha), self._event.directions
        at = np.array(sorted({*self._looks, int(self._totals.sum())} - {0}), dtype=np.int64)
        if not len(at):
            return 0.0
        right, wrong, none = (counts[at - 1] for counts in running(self.marks))
        best = int(np.argmax(roughly_lower((right, wrong, none), error, self.delta, sides)))
        counts = int(right[best]), int(wrong[best]), int(none[best])
        bound = epsilon_lower(*counts, alpha=error, delta=self.delta, directions=sides)
        # With δ = 0 whoever refutes ε refutes all that is below it; with δ > 0 that need not be so.
        surely = self.refuted and not self.delta and error >= self.alpha
        return max(bound, float(self.epsilon)) if surely else bound

    def more(self, runs: int) -> Audit:
        """Go on for so many runs, with the same event and the same α; returns the audit itself.

        Claims: thm-ville

        Parameters
        ----------
        runs : ≥ 1

        Raises
        ------
        ValueError
            If the audit was read from a file without a mechanism, or runs of it were broken off: whether they were may
            depend on what came out, and whoever leaves out runs for that reason can win against a true claim.
        """
        wanted = as_integer(runs, "runs", minimum=1, maximum=MOST_RUNS)
        if self._trial is None:
            raise ValueError(
                "this audit was read without a mechanism, so it cannot go on: give Audit.load mechanism, D and D_prime"
            )
        if self._broken_off:
            raise ValueError(
                "runs of this audit were broken off, and what came out of them is lost, so it cannot go on; what is "
                "known stays. A new audit of the same claim has an error α of its own, which adds to this one's"
            )
        first, step = self.runs, _BATCH if self._trial.batch else _ONE_BY_ONE
        begun = first - self.learnt_on
        try:
            for start in range(first, first + wanted, step):
                primes, self._broken_off = order(self._seed, start, min(step, first + wanted - start)), True
                guesses = self._event.guesses(self._trial.run(primes))
                self._add(np.where(primes, guesses, -guesses))
                self._broken_off = False  # def-wealth: no run is left out, whatever came out of it
        finally:
            ended = self.runs - self.learnt_on
            self._looks += [begun + (ended - begun) * (i + 1) // LOOKS for i in range(LOOKS)]
            self._looks = sorted({*self._looks} - {0})
        return self

    def _add(self, marks: Guesses) -> None:
        """Take note of further runs, and of whether the wealth reaches 1/α after one of them."""
        if not self.refuted:
            at = first_reaching(self._bet, 1 / self.alpha, self._totals, marks)
            if at is not None:
                self._refuted_at = self.runs + at
                self._looks.append(self._refuted_at - self.learnt_on)
        self._parts.append(marks.astype(np.int8))
        self._totals += [np.count_nonzero(marks == mark) for mark in MARKS]

    @property
    def sentence(self) -> str:
        """What is known, and what is not, on one line: the names of the data may come from anybody's file."""
        return one_line(self._said())

    def _said(self) -> str:
        one, other = self.pair
        claim = f"ε = {float(self.epsilon):g}" + (f", δ = {float(self.delta):g}" if self.delta else "")
        where = f"with D = {one} and D′ = {other}"
        bound = f"ε is at least {self.epsilon_lower:g}"
        if self.all_raised:
            return f"Nothing was audited {where}: every run raised an exception, the last one {self.error}."
        if self.refuted:
            return (
                f"Refuted: {claim} does not hold {where}. After {self.refuted_at} runs a bet against it had grown "
                f"{float(1 / self.alpha):g}-fold, which has a probability of at most {float(self.alpha):g} if it "
                f"holds; with the same error, {bound}. The event: {self.event}."
            )
        return (
            f"Not refuted in {self.runs} runs {where}: a bet against {claim} has become {self.e_value:.3g} times "
            f"what it was. With an error of at most {float(self.alpha):g}, {bound}: a bound for this pair, this event "
            f"and these runs, and no proof that the claim holds. The event: {self.event}."
        )

    @property
    def all_raised(self) -> bool:
        """Whether all runs raised an exception, so that nothing was audited."""
        return self._trial is not None and 0 < self.runs <= self._trial.raised

    def __repr__(self) -> str:
        return self.sentence

    def _repr_html_(self) -> str:
        """The wealth over the runs, and the sentence."""
        try:
            return str(draw_paths({"wealth": self.path()}, caption=self.sentence))
        except ModuleNotFoundError:  # matplotlib is no part of a plain installation
            return f"<p>{escape(self.sentence)}</p>"

    def path(self, points: int = 400) -> WealthPath:
        """The wealth after some numbers of runs, the last one among them, to be drawn.

        Parameters
        ----------
        points : how many at most, ≥ 2
        """
        most, bets = as_integer(points, "points", minimum=2, maximum=10**6), int(self._totals.sum())
        at = np.unique(np.linspace(0, bets, min(most, bets + 1)).astype(np.int64))
        counts = (np.append(0, counted)[at] for counted in running(self.marks))
        return WealthPath(self.learnt_on + at, self._bet.log_wealth(*counts), self.alpha, self.refuted_at)

    def to_json(self) -> str:
        """The audit as a document (the form is on the book's page of file formats)."""
        kept = {"pair": list(self.pair), "event": self._event, "learnt_on": self.learnt_on, "seed": self._seed}
        claim = {"epsilon": self.epsilon, "delta": self.delta, "alpha": self.alpha}
        state = {"looks": self._looks, "marks": self.marks, "broken_off": self._broken_off}
        return to_document({**claim, **kept, **state})

    def save(self, path: files.Location, *, overwrite: bool = False) -> None:
        """Write it to a file.

        Parameters
        ----------
        path : of the file
        overwrite : whether a file that stands there may be replaced
        """
        files.write_text(path, self.to_json(), overwrite=overwrite)

    @classmethod
    def load(
        cls,
        path: files.Location,
        mechanism: Callable[..., Any] | None = None,
        D: Any = None,
        D_prime: Any = None,
        *,
        statistic: Callable[[Any], Any] | None = None,
        event: Predicate | tuple[Predicate, Predicate] | None = None,
        batch: bool = False,
    ) -> Audit:
        """An audit of a file; to go on with it, give it the same mechanism and data again.

        Parameters
        ----------
        path : of the file
        mechanism, D, D_prime, statistic, event, batch : as for :func:`audit`; without a mechanism it is looked at only

        Raises
        ------
        ValueError
            If the file is refused, or the data are not called as before.
        """
        given = None if event is None else _as_event(event)
        found = from_document(files.read_text(path), str(path), given)
        trial = None if mechanism is None else Trial(mechanism, (D, D_prime), statistic, batch)
        if trial is not None and found["pair"] != (named(D), named(D_prime)):
            before = " and ".join(found["pair"])
            raise ValueError(f"D and D_prime must be those of the audit, {before}, got {named(D)} and {named(D_prime)}")
        return cls(**found, trial=trial)


def audit(
    mechanism: Callable[..., Any],
    D: Any,
    D_prime: Any,
    *,
    epsilon: Rational = 1,
    delta: Rational = 0,
    alpha: Rational = 1e-6,
    runs: int = 2000,
    statistic: Callable[[Any], Any] | None = None,
    event: Predicate | tuple[Predicate, Predicate] | None = None,
    batch: bool = False,
    seed: int | None = None,
) -> Audit:
    """Bet against the claim that a mechanism is (ε, δ)-private on these two data sets.

    In each run a coin says whether it sees D or D′; the bet is on guessing which, by the output. That the two are
    neighbours is the caller's claim. A mechanism that never returns is not covered.

    Parameters
    ----------
    mechanism : any function from data to an output: a number, text, bytes, a dictionary, list, tuple, set, array or
        tree. If it raises an exception, the exception's type is the output
    D, D_prime : data as the mechanism takes it; it is given the same object in all runs
    epsilon, delta : the claim, 0 ≤ ε ≤ 50 and 0 ≤ δ < 1
    alpha : the error, 0 < α < 1: how likely a true claim may be refuted at any time
    runs : ≥ 8, all of them are made; :meth:`Audit.more` adds to them
    statistic : what to look at, a function of the output; the output itself unless given
    event : S₁, a predicate of outputs (or of the statistic) for which the guess is D′; or a pair (S₁, S₀) of disjoint
        ones. Unless it is given it is learnt from the first quarter of the runs, 20,000 at most, which then are not
        bet on
    batch : whether the mechanism is ``mechanism(data, n)`` and gives n outputs of independent runs, such as an array
        whose first axis is the run. An exception then ends the audit: it cannot go on
    seed : of the order in which D and D′ take turns, not of the mechanism's noise

    Raises
    ------
    ValueError
        If a parameter is outside its domain, D and D′ are equal, or an output cannot be compared.

    Examples
    --------
    >>> from fdpedu.mechanisms import discrete_laplace
    >>> def noisy_count(data): return discrete_laplace(len(data), epsilon=2)
    >>> found = audit(noisy_count, [], [1], epsilon=1, seed=1)
    >>> found.refuted, 1 < found.epsilon_lower <= 2
    (True, True)
    """
    trial = Trial(mechanism, (D, D_prime), statistic, batch)
    claim = as_epsilon(epsilon), as_delta(delta), as_alpha(alpha)
    wanted = as_integer(runs, "runs", minimum=LEAST_RUNS, maximum=MOST_RUNS)
    begun = begin(trial, claim, wanted, None if event is None else _as_event(event), seed)
    return begun.more(wanted - begun.learnt_on)


def begin(trial: Trial, claim: Claim, runs: int, event: Event | None = None, seed: int | None = None) -> Audit:
    """An audit that has learnt its event, if it has to, and not yet bet.

    Parameters
    ----------
    trial : what runs
    claim : ε, δ and α
    runs : how many there will be, at least, with those that are learnt from
    event, seed : as for :func:`audit`
    """
    start = np.random.SeedSequence().entropy if seed is None else as_integer(seed, "seed", minimum=0, maximum=MOST_SEED)
    assert isinstance(start, int)
    learnt_on = 0 if event else min(runs // 4, MOST_LEARNT)
    if event is None:
        primes = order(start, 0, learnt_on)
        event = learnt_event(trial.run(primes), primes, Goal(*claim, runs - learnt_on))
    one, other = trial.data
    return Audit(claim, (named(one), named(other)), event, learnt_on, start, trial)


def _as_event(event: Any) -> Given:
    """The caller's event."""
    sets = event if isinstance(event, tuple) else (event,)
    if len(sets) not in (1, 2):
        raise ValueError(f"event must be a predicate, or a pair of them, got {len(sets)}")
    for predicate in sets:
        require_callable(predicate, "event")
    return Given(*sets)
