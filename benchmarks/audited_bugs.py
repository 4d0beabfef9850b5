"""Twelve of the bugs that this package keeps (broken variants), each audited in the shipped code that it breaks."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from fdpedu.accounting import BudgetExceeded, Ledger
from fdpedu.audit import Audit, audit
from fdpedu.claims.zoo import ZOO
from fdpedu.domain import Domain, Numeric
from fdpedu.federation import ClassHistogram, Curator, Party
from fdpedu.mechanisms import discrete_laplace, exponential, permute_and_flip, report_noisy_max
from fdpedu.randomness import Rehearsal, SeededReleaseWarning
from fdpedu.trees import fit_privatree

RUNS = 6000
SEED = 66  # of the coins; the noise has another one
DOMAIN = Domain([Numeric.grid(name, 0, 2, bins=2) for name in ("age", "dose")], ("well", "ill"))
ROW = (0.5, 0.5, "ill")
Mechanism = Callable[[Sequence[Any], Rehearsal], Any]


def count(data: Sequence[Any], rng: Rehearsal) -> Any:
    """A noisy count."""
    return discrete_laplace(len(data), 1, rng)


def doubled(data: Sequence[Any], rng: Rehearsal) -> Any:
    """Twice a count: its sensitivity is 2."""
    return discrete_laplace(2 * len(data), 1, rng, sensitivity=2)


def two_cells(data: Sequence[Any], rng: Rehearsal) -> Any:
    """A histogram of two cells."""
    return discrete_laplace(np.array([len(data), 3]), 1, rng)


def largest(data: Sequence[Any], rng: Rehearsal) -> Any:
    """Which of two counts is the larger one, with noise."""
    return report_noisy_max([len(data), 1], 1, rng, monotone=True)


def chosen(data: Sequence[Any], rng: Rehearsal) -> Any:
    """Which of two counts is the larger one, by the exponential mechanism."""
    return exponential([3 + len(data), 3], 1, rng, monotone=True)


def against(data: Sequence[Any], rng: Rehearsal) -> Any:
    """Which of two scores is the larger one: a row raises one and lowers the other."""
    return exponential([len(data), 3 - len(data)], 1, rng)


def flipped(data: Sequence[Any], rng: Rehearsal) -> Any:
    """The same by permute-and-flip."""
    return permute_and_flip([3 + len(data), 3], 1, rng, monotone=True)


def histogram(data: Sequence[Any], rng: Rehearsal) -> Any:
    """What an owner releases of one feature."""
    curator = Curator(Party(list(data), DOMAIN), Ledger(1), rng)
    return curator.release([ClassHistogram(DOMAIN.everything, 1, 0)])[0]


def as_much_as_it_may(data: Sequence[Any], rng: Rehearsal) -> Any:
    """All that an account of ε = 1 admits of two histograms at ε = 1 each: the transcript."""
    curator, found = Curator(Party(list(data), DOMAIN), Ledger(1), rng), []
    for feature in range(2):
        try:
            found.append(curator.release([ClassHistogram(DOMAIN.everything, 1, feature)])[0].tolist())
        except BudgetExceeded:
            break
    return found


def tree(data: Sequence[Any], rng: Rehearsal) -> Any:
    """One owner's tree of two levels."""
    return fit_privatree(Party(list(data), DOMAIN), Ledger(1), max_depth=2, rng=rng)


@dataclass(frozen=True)
class Bug:
    """A broken variant, and what is audited while it is in place."""

    name: str
    mechanism: Mechanism
    words: str
    runs: int = RUNS
    pair: tuple[Sequence[Any], Sequence[Any]] = ((), (ROW,))


BUGS = (
    Bug("half the scale", histogram, "an owner's histogram", 3000),
    Bug("sensitivity forgotten", doubled, "a noisy count, doubled"),
    Bug("one-sided noise", count, "a noisy count"),
    Bug("one noise for all cells", two_cells, "two noisy cells"),
    Bug("one noise for all", largest, "the place of a noisy maximum"),
    Bug("the two forgotten", against, "a choice of two"),
    Bug("features in parallel", as_much_as_it_may, "what an account admits", 6000),
    Bug("nodes without rows are leaves", tree, "a whole tree", 600),
    Bug("residual from the whole law", count, "a noisy count"),
    Bug("words that are used again after a while", count, "a noisy count"),
    Bug("floats decide", chosen, "a choice of two"),
    Bug("close coins are heads", flipped, "a choice of two"),
)


def play(bug: Bug, *, broken: bool) -> Audit:
    """The audit, with the bug in place or without; the event is learnt."""
    rng = Rehearsal(17)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SeededReleaseWarning)  # an audit releases nothing
        if not broken:
            return audit(lambda data: bug.mechanism(data, rng), *bug.pair, runs=bug.runs, seed=SEED)
        with ZOO[bug.name].applied():
            return audit(lambda data: bug.mechanism(data, rng), *bug.pair, runs=bug.runs, seed=SEED)


def audited(bug: Bug) -> dict[str, Any]:
    """What the audit says of the broken code, and whether it lets the right one stand."""
    found, right = play(bug, broken=True), play(bug, broken=False)
    return {
        "name": bug.name,
        "audited": bug.words,
        "refuted": found.refuted,
        "runs": found.refuted_at or found.runs,
        "epsilon_lower": found.epsilon_lower,
        "event": found.event,
        "right_refuted": right.refuted,
    }
