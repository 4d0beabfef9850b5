"""Audits: measure the ε of anything that runs.

Somebody hands over any mechanism, and gets a refutation of its claim with a stated error, or a lower bound on its ε.
A run is on D or on D′, by a coin, and the bet is on guessing which. If the claim is true nobody grows rich by that.

- :func:`audit` makes an :class:`Audit`, live: look at it, go on, stop, at any time
- :func:`audit_pairs` makes several, on :data:`PAIRS` of short lists unless others are given, under one α
- :func:`simulated_trees`: many small whole trees at once, as a mechanism
- :class:`Bet`, :func:`epsilon_lower`, :func:`predicted_runs`: the bet itself, exactly
- :func:`draw_wealth`: what the gamblers have, run by run

Not guaranteed: anything by a claim that is *not* refuted, beyond the bound. An audit sees one pair of data sets and one
event; what to look at matters more than how long. Neighbours are the caller's claim. Nothing is released.
"""

from fdpedu.audit.auditing import Audit, audit
from fdpedu.audit.betting import STAKES, Bet, predicted_runs
from fdpedu.audit.confidence import epsilon_lower
from fdpedu.audit.events import vectorised
from fdpedu.audit.outputs import Raised
from fdpedu.audit.pairs import PAIRS, audit_pairs
from fdpedu.audit.simulated import simulated_trees
from fdpedu.audit.wealth import draw_wealth

__all__ = [
    "PAIRS",
    "STAKES",
    "Audit",
    "Bet",
    "Raised",
    "audit",
    "audit_pairs",
    "draw_wealth",
    "epsilon_lower",
    "predicted_runs",
    "simulated_trees",
    "vectorised",
]
