"""Valid calls of what audits offer, for the odd values of `tests/support/odd_calls.py`."""

from functools import partial

from fdpedu.audit import Bet, audit
from fdpedu.domain import Domain, Numeric
from fdpedu.randomness import ZeroWords

AGE = Domain([Numeric.grid("age", 0, 4, bins=4)], ("well", "ill"))


def counted(data, n=None):
    """One output, or n."""
    return len(data) if n is None else [len(data)] * n


CLAIM = {"epsilon": 1, "delta": 0, "alpha": "1/100", "runs": 16, "seed": 1}
FOUND = audit(len, [], [1], event=bool, runs=16, seed=1)
AUDIT = {
    "audit.Bet": {"odds": "1/3", "fee": 0},
    "audit.audit": {
        **{"mechanism": counted, "D": [], "D_prime": [1], **CLAIM},
        **{"statistic": None, "event": bool, "batch": False},
    },
    "audit.audit_pairs": {"mechanism": len, "pairs": [([], [1])], **CLAIM, "names": [("D", "the other")]},
    "audit.draw_wealth": {"audits": {"one": FOUND}, "alt": "It rises.", "caption": "So.", "log_runs": False},
    "audit.epsilon_lower": {"right": 9, "wrong": 1, "none": 2, "alpha": "1/20", "delta": 0, "directions": 2},
    "audit.predicted_runs": {
        **{"p_right": 0.9, "p_wrong": 0.1, "epsilon": 1, "delta": 0, "alpha": "1/20", "directions": 2},
    },
    "audit.simulated_trees": {
        **{"domain": AGE, "epsilon": 1, "method": "default", "n_parties": 2, "rng": ZeroWords(), "max_depth": 1},
    },
    "audit.vectorised": {"predicate": bool},
}


def audit_methods(Fresh):
    """Methods of an audit and of a bet; an audit that goes on is another one in each call."""
    going = Fresh(partial(audit, len, [], [1], event=bool, runs=16, seed=1))
    return {
        "audit.Audit.more": {"self": going, "runs": 3},
        "audit.Audit.lower": {"self": FOUND, "alpha": "1/20"},
        "audit.Audit.path": {"self": FOUND, "points": 5},
        "audit.Bet.wealth": {"self": Bet("1/3"), "right": 2, "wrong": 1, "none": 0},
        "audit.Bet.log_wealth": {"self": Bet("1/3"), "right": [2], "wrong": [1], "none": [0]},
        "audit.Bet.reaches": {"self": Bet("1/3"), "level": 2, "right": 2, "wrong": 1, "none": 0},
        "audit.Bet.against": {"epsilon": 1, "delta": 0, "directions": 2},
    }
