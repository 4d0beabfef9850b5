"""How far apart two laws are, and whether a claim of (ε, δ)-differential privacy holds for them."""

from __future__ import annotations

import html
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from fdpedu.exact import (
    Enclosure,
    Rational,
    as_fraction,
    as_integer,
    exp_enclosure,
    log_enclosure,
    require_callable,
    shown,
)
from fdpedu.privacy.laws import Law, as_law
from fdpedu.privacy.neighbours import datasets, neighbours


def max_ratio(p: Any, q: Any) -> Fraction | float:
    """sup over events S of p(S)/q(S), which is the largest ratio of an atom; ``math.inf`` if q misses something p has.

    p and q are within a factor e^ε of each other iff ``max_ratio(p, q)`` and ``max_ratio(q, p)`` are both at most e^ε.

    Claims: lem-atoms

    >>> max_ratio(["1/2", "1/2"], ["1/4", "3/4"])
    Fraction(2, 1)
    """
    first, second = as_law(p, "p"), as_law(q, "q")
    if any(outcome not in second for outcome in first):
        return math.inf
    return max(mass / second[outcome] for outcome, mass in first.items())


def privacy_loss(p: Any, q: Any, digits: int = 30) -> Enclosure | float:
    """The least ε for which p and q are within e^ε of each other, both ways: an enclosure, or ``math.inf``.

    >>> 0.6931471805599453 in privacy_loss(["1/2", "1/2"], ["1/4", "3/4"], digits=10)
    True
    """
    worst = max(max_ratio(p, q), max_ratio(q, p))
    if isinstance(worst, float):
        return worst
    return log_enclosure(worst, as_integer(digits, "digits", minimum=1, maximum=10_000))


def hockey_stick(p: Any, q: Any, exp_epsilon: Rational) -> Fraction:
    """sup over events S of p(S) − e^ε·q(S) = Σ max(0, p − e^ε q): the least δ of an (ε, δ) claim, one way. Exact.

    Claims: lem-hockey-stick

    Parameters
    ----------
    p, q : laws as :func:`as_law` reads them; outcomes that a mapping leaves out have probability 0
    exp_epsilon : e^ε as a fraction, at least 1

    Examples
    --------
    >>> hockey_stick(["1/2", "1/2"], ["1/4", "3/4"], "3/2")
    Fraction(1, 8)
    """
    factor = as_factor(exp_epsilon)
    first, second = as_law(p, "p"), as_law(q, "q")
    return sum((mass for mass in _excesses(first, second, factor).values()), Fraction(0))


@dataclass(frozen=True)
class Verdict:
    """The answer to a claim: whether it holds, and the event that is worst for it.

    ``excess`` is by how much p(event) is more than e^ε·q(event) + δ at the worst event: exact when ``exp_epsilon``
    was given, a lower bound of it when ``epsilon`` was. ``swapped`` says that the roles of p and q are exchanged
    there. ``pair`` names the two data sets when a mechanism was checked, ``cases`` how many pairs.
    """

    holds: bool
    event: tuple[Any, ...]
    excess: Fraction
    p_event: Fraction
    q_event: Fraction
    swapped: bool = False
    pair: tuple[Any, Any] | None = None
    cases: int = 1

    def __bool__(self) -> bool:
        return self.holds

    def __str__(self) -> str:
        tried = f"on {self.cases} pair{'s' if self.cases > 1 else ''} of laws"
        if self.holds:
            return f"holds, exactly, {tried}"
        where = f"the data sets {list(self.pair[0])} and {list(self.pair[1])}: " if self.pair else ""
        event = ", ".join(map(repr, self.event[:6])) + (", …" if len(self.event) > 6 else "")
        way = "q against p" if self.swapped else "p against q"
        return (
            f"fails. {where}the event {{{event}}} has probability {shown(self.p_event)} against "
            f"{shown(self.q_event)} ({way}), {shown(self.excess)} more than allowed"
        )

    def _repr_html_(self) -> str:
        return f'<p class="fdpedu-verdict">{"✓" if self.holds else "✗"} {html.escape(str(self))}</p>'


def check_dp(
    p: Any, q: Any, exp_epsilon: Rational | None = None, *, epsilon: Rational | None = None, delta: Rational = 0
) -> Verdict:
    """Does p(S) ≤ e^ε·q(S) + δ hold for every event S, and with p and q exchanged? Exact, for anyone's own tables.

    Claims: def-dp

    Parameters
    ----------
    p, q : laws as :func:`as_law` reads them; outcomes that a mapping leaves out have probability 0
    exp_epsilon, epsilon : exactly one of them; with ``epsilon`` the irrational e^ε is enclosed as closely as it takes
    delta : 0 ≤ δ ≤ 1

    Examples
    --------
    >>> print(check_dp(["2/3", "1/3"], ["1/3", "2/3"], exp_epsilon=2))
    holds, exactly, on 1 pair of laws
    >>> print(check_dp(["2/3", "1/3"], ["1/3", "2/3"], epsilon="1/2"))
    fails. the event {0} has probability 2/3 against 1/3 (p against q), about 0.117093 more than allowed
    """
    first, second = as_law(p, "p"), as_law(q, "q")
    slack = as_fraction(delta, "delta")
    if not 0 <= slack <= 1:
        raise ValueError(f"delta must lie between 0 and 1, got {shown(slack)}")
    if (exp_epsilon is None) == (epsilon is None):
        raise ValueError("give exactly one of exp_epsilon (a fraction) and epsilon")
    if exp_epsilon is not None:
        return _verdict(first, second, as_factor(exp_epsilon), slack)
    loss = as_fraction(epsilon, "epsilon")
    if not 0 <= loss <= 10_000:
        raise ValueError(f"epsilon must lie between 0 and 10000, got {shown(loss)}")
    digits = 40
    # It ends: e^ε is irrational (or ε = 0), so p(S) − e^ε·q(S) = δ only if q(S) = 0, and then e^ε does not matter.
    while True:
        factor = exp_enclosure(loss, digits)
        most_lenient = _verdict(first, second, factor.upper, slack)
        if not most_lenient.holds or _verdict(first, second, factor.lower, slack).holds:
            return most_lenient
        digits *= 4


def check_mechanism(
    mechanism: Callable[[tuple[Any, ...]], Any],
    universe: Sequence[Any],
    exp_epsilon: Rational | None = None,
    *,
    epsilon: Rational | None = None,
    delta: Rational = 0,
    max_size: int = 3,
    relation: str = "add-remove",
) -> Verdict:
    """:func:`check_dp` for every pair of neighbouring data sets of up to ``max_size`` records, smallest first.

    Claims: def-dp

    Parameters
    ----------
    mechanism : from a data set (a sorted tuple of records) to the law of its output
    universe : the possible records
    exp_epsilon, epsilon : exactly one of them, as for :func:`check_dp`
    delta : 0 ≤ δ ≤ 1
    max_size : of the larger of two neighbours, ≥ 1; time grows like (size of the universe)^max_size
    relation : ``add-remove`` or ``substitution``

    Returns
    -------
    Verdict
        Of the first, hence smallest, pair that breaks the claim; or of all of them.

    Examples
    --------
    >>> def exact_count(data): return {len(data): 1}
    >>> print(check_mechanism(exact_count, ["a"], epsilon=1))
    fails. the data sets [] and ['a']: the event {0} has probability 1 against 0 (p against q), 1 more than allowed
    """
    require_callable(mechanism, "mechanism")
    laws: dict[tuple[Any, ...], Law] = {}

    def law(data: tuple[Any, ...]) -> Law:
        if data not in laws:
            laws[data] = as_law(mechanism(data), f"the law on {list(data)}")
        return laws[data]

    cases, verdict = 0, None
    for data in datasets(universe, max_size):
        for other in neighbours(data, universe, relation, smaller=True):
            cases += 1
            verdict = check_dp(law(other), law(data), exp_epsilon, epsilon=epsilon, delta=delta)
            if not verdict.holds:
                return _with(verdict, (other, data), cases)
    if verdict is None:
        raise ValueError(
            "there are no neighbours to compare: max_size must be at least 1, the universe must not be empty"
        )
    return _with(verdict, None, cases)


def _verdict(p: Law, q: Law, factor: Fraction, delta: Fraction) -> Verdict:
    worst: Verdict | None = None
    for a, b, swapped in ((p, q, False), (q, p, True)):
        excesses = _excesses(a, b, factor)
        total = sum(excesses.values(), Fraction(0)) - delta
        if worst is None or total > worst.excess:
            event = tuple(excesses)
            worst = Verdict(total <= 0, event, total, _mass(a, event), _mass(b, event), swapped)
    assert worst is not None
    return worst


def _excesses(p: Law, q: Law, factor: Fraction) -> Law:
    """p − e^ε·q where it is positive: together, the worst event."""
    excesses = {outcome: mass - factor * q.get(outcome, Fraction(0)) for outcome, mass in p.items()}
    return {outcome: excess for outcome, excess in excesses.items() if excess > 0}


def _mass(law: Law, event: tuple[Any, ...]) -> Fraction:
    return sum((law.get(outcome, Fraction(0)) for outcome in event), Fraction(0))


def as_factor(exp_epsilon: Rational) -> Fraction:
    """e^ε as an exact number, at least 1.

    >>> as_factor("3/2")
    Fraction(3, 2)
    """
    factor = as_fraction(exp_epsilon, "exp_epsilon")
    if factor < 1:
        raise ValueError(f"exp_epsilon is e^ε and must be at least 1, got {shown(factor)}")
    return factor


def _with(verdict: Verdict, pair: tuple[Any, Any] | None, cases: int) -> Verdict:
    v = verdict
    return Verdict(v.holds, v.event, v.excess, v.p_event, v.q_event, v.swapped, pair, cases)
