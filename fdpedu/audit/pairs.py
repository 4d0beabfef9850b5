"""Short lists on which any mechanism for lists can be tried, and an audit of several pairs under one α."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from time import monotonic
from typing import Any

from fdpedu.audit.auditing import LEAST_RUNS, MOST_RUNS, Audit, begin
from fdpedu.audit.betting import as_alpha, as_delta, as_epsilon
from fdpedu.audit.trial import Trial
from fdpedu.exact import Rational, as_integer, as_list

PAIRS: tuple[tuple[list[int], list[int]], ...] = (
    ([], [1]),
    ([0], [0, 1]),
    ([1, 1], [0, 1, 1]),
    ([0, 1], [0, 0, 1]),
)
"""Four pairs of neighbours: a record of 0 or 1 is added, in front, in the middle or at the end."""
_SECONDS = 0.2  # about how long a step of an audit takes that is watched


def audit_pairs(
    mechanism: Callable[[Any], Any],
    pairs: Sequence[tuple[Any, Any]] = PAIRS,
    *,
    epsilon: Rational = 1,
    delta: Rational = 0,
    alpha: Rational = 1e-6,
    runs: int = 2000,
    seed: int | None = None,
    names: Sequence[tuple[str, str]] | None = None,
) -> Iterator[Audit]:
    """Audits of one mechanism on several pairs, each with its part of α, so that all errors together are at most α.

    Claims: lem-split-alpha

    It yields the audit of a pair again and again while that goes on, first after its event is learnt: whoever stops
    asking stops the audit. The next pair's turn comes after ``runs`` runs.

    Parameters
    ----------
    mechanism : as for :func:`fdpedu.audit.audit`
    pairs : of D and D′; a list is copied for each run, so that a mechanism may change it
    epsilon, delta, alpha, runs, seed : as for :func:`fdpedu.audit.audit`; ``runs`` on each pair
    names : what D and D′ of each pair are called; as they are written unless given

    Examples
    --------
    >>> found = {one.pair: one for one in audit_pairs(lambda data: sum(data), runs=400)}
    >>> [one.refuted for one in found.values()]
    [True, True, False, False]
    """
    wanted = as_integer(runs, "runs", minimum=LEAST_RUNS, maximum=MOST_RUNS)
    each, called = _as_pairs(pairs, "pairs"), None if names is None else _as_pairs(names, "names")
    if called is not None and (len(called) != len(each) or not all(isinstance(x, str) for one in called for x in one)):
        raise ValueError(f"names must be two texts for each of {len(each)} pairs")
    claim = as_epsilon(epsilon), as_delta(delta), as_alpha(alpha) / max(1, len(each))

    def on_a_copy(data: Any) -> Any:
        return mechanism(list(data) if isinstance(data, list) else data)

    for number, (one, other) in enumerate(each):
        found = begin(Trial(on_a_copy, (one, other)), claim, wanted, seed=seed)
        found.pair = called[number] if called else found.pair
        yield found
        step = 1
        while found.runs < wanted:
            begun = monotonic()
            found.more(min(step, wanted - found.runs))
            yield found
            step = 2 * step if monotonic() - begun < _SECONDS else max(1, step // 2)


def _as_pairs(given: object, name: str) -> list[tuple[Any, Any]]:
    """A list of pairs."""
    found = [tuple(as_list(pair, f"each of {name}")) for pair in as_list(given, name)]
    if not all(len(pair) == 2 for pair in found):
        raise ValueError(f"{name} must be pairs of two")
    return [(one, other) for one, other in found]
