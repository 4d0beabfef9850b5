"""How far apart two laws are, and whether a claim of (ε, δ)-differential privacy holds for them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import count
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
from fdpedu.privacy.enclosed import EnclosedLaw, enclosed_law
from fdpedu.privacy.laws import Law, as_law
from fdpedu.privacy.neighbours import datasets, neighbours
from fdpedu.privacy.verdicts import Verdict, least_factors

_TWICE = 32  # on so many data sets a mechanism is asked twice whether its table is one


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

    Of tables with enclosures or floats it encloses the ε of all distributions within them.

    >>> 0.6931471805599453 in privacy_loss(["1/2", "1/2"], ["1/4", "3/4"], digits=10)
    True
    """
    first, second = enclosed_law(p, "p"), enclosed_law(q, "q")
    places = as_integer(digits, "digits", minimum=1, maximum=10_000)
    forth, back = least_factors(first, second, Fraction(0)), least_factors(second, first, Fraction(0))
    low, high = max(forth[0], back[0]), max(forth[1], back[1])
    if isinstance(low, float):
        return low
    if isinstance(high, float):
        raise ValueError("a probability of p or q may be 0, and then the loss is infinite: it needs more digits")
    return Enclosure(log_enclosure(low, places).lower, log_enclosure(high, places).upper)


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


def check_dp(
    p: Any, q: Any, exp_epsilon: Rational | None = None, *, epsilon: Rational | None = None, delta: Rational = 0
) -> Verdict:
    """Does p(S) ≤ e^ε·q(S) + δ hold for every event S, and with p and q exchanged? Exact, for anyone's own tables.

    Of tables with enclosures or floats it says "holds" only if the claim holds for every pair of distributions within
    them, and "fails" only if it fails for every pair; else that this cannot be decided, and what to do.

    Claims: def-dp, lem-enclosed-tables

    Parameters
    ----------
    p, q : tables as :func:`enclosed_law` reads them; outcomes that a mapping leaves out have probability 0
    exp_epsilon, epsilon : exactly one of them; with ``epsilon`` the irrational e^ε is enclosed as closely as it takes
    delta : 0 ≤ δ ≤ 1

    Examples
    --------
    >>> print(check_dp(["2/3", "1/3"], ["1/3", "2/3"], exp_epsilon=2))
    holds, exactly, on 1 pair of distributions
    >>> print(check_dp({"a": "4/5", "b": "1/5"}, {"a": "1/5", "b": "4/5"}, exp_epsilon=2))
    fails, p against q: P = 0.80 on {a}, at most 2 × 0.20 allowed; the actual ε is ln 4
    """
    first, second = enclosed_law(p, "p"), enclosed_law(q, "q")
    slack = as_fraction(delta, "delta")
    if not 0 <= slack <= 1:
        raise ValueError(f"delta must lie between 0 and 1, got {shown(slack)}")
    if (exp_epsilon is None) == (epsilon is None):
        raise ValueError("give exactly one of exp_epsilon (a fraction) and epsilon")
    loss: Fraction | None = None
    factors: Iterable[Enclosure]
    if exp_epsilon is not None:
        factors = [Enclosure.exactly(as_factor(exp_epsilon))]
    else:
        loss = as_fraction(epsilon, "epsilon")
        if not 0 <= loss <= 10_000:
            raise ValueError(f"epsilon must lie between 0 and 10000, got {shown(loss)}")
        factors = (exp_enclosure(loss, 40 * 4**k) for k in count())
    # It ends: e^ε is irrational (or ε = 0), so p(S) − e^ε·q(S) = δ only if q(S) = 0, and then e^ε does not matter.
    decided = ((factor, _decide(first, second, factor, slack)) for factor in factors)
    factor, verdict = next((factor, verdict) for factor, verdict in decided if verdict is not None)
    return replace(verdict, exp_epsilon=factor, epsilon=loss, delta=slack, laws=((first, second),))


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
    mechanism : from a data set (a sorted tuple of records) to the distribution of its output, a table as
        :func:`enclosed_law` reads it; not a function that draws an output
    universe : the possible records
    exp_epsilon, epsilon : exactly one of them, as for :func:`check_dp`
    delta : 0 ≤ δ ≤ 1
    max_size : of the larger of two neighbours, ≥ 1; time grows like (size of the universe)^max_size
    relation : ``add-remove`` or ``substitution``

    Returns
    -------
    Verdict
        Of the first, hence smallest, pair that breaks the claim; else of the first that cannot be decided; or of all
        of them.

    Raises
    ------
    ValueError
        If the mechanism draws an output: the page "Check your own mechanism" of the book says what to do.

    Examples
    --------
    >>> def exact_count(data): return {len(data): 1}
    >>> print(check_mechanism(exact_count, ["a"], epsilon=1).event)
    (0,)
    """
    require_callable(mechanism, "mechanism")
    laws: dict[tuple[Any, ...], EnclosedLaw] = {}

    def law(data: tuple[Any, ...]) -> EnclosedLaw:
        if data not in laws:
            laws[data] = _law_on(mechanism, data, twice=len(laws) < _TWICE)
        return laws[data]

    compared: list[tuple[EnclosedLaw, EnclosedLaw]] = []
    verdict = undecided = None
    for data in datasets(universe, max_size):
        for other in neighbours(data, universe, relation, smaller=True):
            compared.append((law(other), law(data)))
            verdict = check_dp(*compared[-1], exp_epsilon, epsilon=epsilon, delta=delta)
            if verdict.fails:
                return replace(verdict, pair=(other, data), cases=len(compared), laws=tuple(compared))
            if not verdict.decided and undecided is None:
                undecided = replace(verdict, pair=(other, data))
    if verdict is None:
        raise ValueError(
            "there are no neighbours to compare: max_size must be at least 1, the universe must not be empty"
        )
    return replace(undecided if undecided is not None else verdict, cases=len(compared), laws=tuple(compared))


def _law_on(mechanism: Callable[[tuple[Any, ...]], Any], data: tuple[Any, ...], *, twice: bool) -> EnclosedLaw:
    """The table of a mechanism on a data set; refuses an output that was drawn, and says what to do.

    What is drawn may look like a table, such as an array of zeros and a one: asked twice, it gives two.
    """
    answer = mechanism(data)
    try:
        law = enclosed_law(answer, f"the distribution on {list(data)}")
        if not twice or enclosed_law(mechanism(data), "the same") == law:
            return law
    except ValueError:
        list_like = isinstance(answer, Sequence) and not isinstance(answer, (str, bytes))
        table = list_like or isinstance(answer, Mapping) or getattr(answer, "ndim", 0) == 1
        if table and repr(mechanism(data)) == repr(answer):
            raise
    raise ValueError(
        f"mechanism must return the distribution of its output, a table outcome → probability; on {list(data)} it "
        f"returned an output ({type(answer).__name__}). Outputs that are drawn can refute a claim (see fdpedu.audit) "
        'and never prove it: the page "Check your own mechanism in five minutes" of the book says how to write the '
        "table of a function that draws (its section on samplers)"
    )


def _decide(p: EnclosedLaw, q: EnclosedLaw, factor: Enclosure, delta: Fraction) -> Verdict | None:
    """Holds for all distributions within the bounds, fails for all, or neither; None if e^ε is not known well enough.

    lem-enclosed-tables: what is most for the claim's excess has p at its upper ends and q at its lower ones.
    """
    most = _verdict((p.upper, q.lower), (q.upper, p.lower), factor.lower, delta)
    if most.holds:
        return most
    least = _verdict((p.lower, q.upper), (q.lower, p.upper), factor.upper, delta)
    if not least.holds:
        return least
    open_above = not _verdict((p.upper, q.lower), (q.upper, p.lower), factor.upper, delta).holds
    open_below = _verdict((p.lower, q.upper), (q.lower, p.upper), factor.lower, delta).holds
    return replace(most, holds=False, decided=False) if open_above and open_below else None


def _verdict(forth: tuple[Law, Law], back: tuple[Law, Law], factor: Fraction, delta: Fraction) -> Verdict:
    """On two tables: p against q, and q against p; the worse of the two, with its event."""
    worst: Verdict | None = None
    for (a, b), swapped in ((forth, False), (back, True)):
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
