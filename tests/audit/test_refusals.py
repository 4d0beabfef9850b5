"""What an audit refuses, and in which words: one table. What is in a file stands with its tests."""

from functools import partial

import numpy as np
import pytest

from fdpedu.audit import Audit, Bet, audit, audit_pairs, draw_wealth, epsilon_lower, predicted_runs, vectorised
from fdpedu.audit.confidence import bet_of_part
from fdpedu.audit.events import Given
from fdpedu.audit.outputs import Outputs

FOUND = audit(len, [], [1], runs=8, event=bool)


def asked(**changed):
    """An audit with other arguments."""
    return partial(audit, **{"mechanism": len, "D": [], "D_prime": [1], "runs": 40, "seed": 1, **changed})


def pairs(**changed):
    """An audit of several pairs, made."""
    return list(audit_pairs(len, runs=8, **changed))


def shapes():
    """A statistic whose shape changes."""
    sizes = iter(range(10**6))

    def growing(output):
        return np.zeros(next(sizes))

    return asked(statistic=growing)


FINITE = "must be a finite number (an int, a Fraction, a decimal, or text like '1/3'), got 'x'"
EQUAL = "D and D_prime must be two data sets that differ, and they are equal"
ALIKE = (
    "the {} is a {}, of which two that are alike cannot be told to be: give a statistic that makes of it a number, a "
    "text, a list or an array"
)
BOTH = "event must be two sets without a common output, and one of the outputs lies in both"
TABLE = [
    (asked(mechanism=3), "mechanism must be a function, got 3"),
    (asked(statistic="sum"), "statistic must be a function, got 'sum'"),
    (asked(event=3), "event must be a function, got 3"),
    (asked(event=(bool, 3)), "event must be a function, got 3"),
    (asked(event=(bool, bool, bool)), "event must be a predicate, or a pair of them, got 3"),
    (asked(event=()), "event must be a predicate, or a pair of them, got 0"),
    (asked(event=(bool, bool)), BOTH),
    (asked(batch="yes"), "batch must be a bool, got str"),
    (asked(runs=7), "runs must be an integer ≥ 8, got 7"),
    (asked(runs=10**9 + 1), "runs must be at most 1000000000, got 1000000001"),
    (asked(seed=-1), "seed must be an integer ≥ 0, got -1"),
    (asked(seed=2**128 + 1), f"seed must be at most {2**128}, got about 3.40282E+38"),
    (asked(epsilon=-1), "epsilon must lie between 0 and 50, got -1"),
    (asked(epsilon=51), "epsilon must lie between 0 and 50, got 51"),
    (asked(delta=-1), "delta must be at least 0 and less than 1, got -1"),
    (asked(delta=1), "delta must be at least 0 and less than 1, got 1"),
    (asked(alpha=0), "alpha must be greater than 0 and less than 1, got 0"),
    (asked(alpha=1), "alpha must be greater than 0 and less than 1, got 1"),
    (asked(alpha="1e-101"), "alpha must be at least 10⁻¹⁰⁰, got about 1E-101"),
    *((asked(**{name: "x"}), f"{name} {FINITE}") for name in ("epsilon", "delta", "alpha")),
    (partial(epsilon_lower, 10**12 + 1, 0, alpha="1/2"), "right must be at most 1000000000000, got 1000000000001"),
    (partial(epsilon_lower, 1, 0, alpha="1/2", delta="x"), f"delta {FINITE}"),
    (partial(predicted_runs, "x", 0), f"p_right {FINITE}"),
    (asked(D=[1]), EQUAL),
    (asked(D=np.array([1, 2]), D_prime=np.array([1, 2])), EQUAL),
    (asked(D=FOUND, D_prime=FOUND), EQUAL),
    (asked(mechanism=lambda data: object()), ALIKE.format("output", "object")),
    (asked(statistic=lambda y: [object()]), ALIKE.format("statistic", "object")),
    (
        shapes(),
        "statistic must give arrays of one shape, and growing gave (0,) and (1,): let it give a list where its length "
        "is what tells",
    ),
    (
        asked(mechanism=lambda data, n: [0] * (n + 1), batch=True),
        "mechanism(data, n) must give n outputs, and of 3 it gave 4",
    ),
    (asked(mechanism=lambda data, n: 3, batch=True), "what mechanism(data, n) gives must be a list, got 3"),
    (partial(FOUND.more, 0), "runs must be an integer ≥ 1, got 0"),
    (partial(FOUND.lower, 2), "alpha must be greater than 0 and less than 1, got 2"),
    (partial(FOUND.path, 1), "points must be an integer ≥ 2, got 1"),
    (partial(Audit.load, "nowhere.json"), "cannot read nowhere.json: no such file or directory"),
    (partial(Bet, -1), "odds must lie between 0 and 1, got -1"),
    (partial(Bet, 2), "odds must lie between 0 and 1, got 2"),
    (partial(Bet, 1, 1), "fee must be at least 0 and less than 1, got 1"),
    (partial(Bet, 1, -1), "fee must be at least 0 and less than 1, got -1"),
    (partial(Bet(1).wealth, 10_001, 0), "right must be at most 10000, got 10001"),
    (partial(Bet(1).reaches, 2, 10**12 + 1, 0), "right must be at most 1000000000000, got 1000000000001"),
    *(
        (partial(Bet(1).log_wealth, truth, [0]), "right must be counts, and one of them is a truth value")
        for truth in (True, [True], np.array([True]), np.bool_(True), (1, True))
    ),
    (partial(Bet(1).log_wealth, [1], [-1]), "right, wrong and none must be counts from 0 to 1000000000000"),
    (partial(Bet(1).log_wealth, [1e13], [0]), "right, wrong and none must be counts from 0 to 1000000000000"),
    (partial(pairs, pairs=[[1, 2, 3]]), "pairs must be pairs of two"),
    (partial(pairs, pairs=[3]), "each of pairs must be a list, got 3"),
    (partial(pairs, pairs=3), "pairs must be a list, got 3"),
    (partial(pairs, pairs=[([], [1])], names=[]), "names must be two texts for each of 1 pairs"),
    (partial(pairs, pairs=[([], [1])], names=[("a", 1)]), "names must be two texts for each of 1 pairs"),
    (partial(draw_wealth, {"x": FOUND}, alt=1), "alt must be a str, got int"),
    (partial(draw_wealth, {"x": FOUND}, caption=1), "caption must be a str, got int"),
    (partial(Bet, "x"), "odds must be a finite number (an int, a Fraction, a decimal, or text like '1/3'), got 'x'"),
    (partial(Bet.against, 1, 0, 3), "directions must be at most 2, got 3"),
    (partial(Bet.against, 1, 0, 0), "directions must be an integer ≥ 1, got 0"),
    (partial(Bet(1).wealth, -1, 0), "right must be an integer ≥ 0, got -1"),
    (partial(Bet(1).wealth, 0, -1), "wrong must be an integer ≥ 0, got -1"),
    (partial(Bet(1).reaches, 2, 0, 0, -1), "none must be an integer ≥ 0, got -1"),
    (partial(epsilon_lower, -1, 0, alpha="1/2"), "right must be an integer ≥ 0, got -1"),
    (partial(epsilon_lower, 0, 0.5, alpha="1/2"), "wrong must be an integer ≥ 0, got 0.5"),
    (partial(epsilon_lower, 0, 0, -1, alpha="1/2"), "none must be an integer ≥ 0, got -1"),
    (partial(epsilon_lower, 0, 0, alpha=0), "alpha must be greater than 0 and less than 1, got 0"),
    (partial(epsilon_lower, 0, 0, alpha="1/2", directions=0), "directions must be an integer ≥ 1, got 0"),
    (partial(epsilon_lower, 0, 0, alpha="1/2", directions=3), "directions must be at most 2, got 3"),
    (partial(bet_of_part, -1), "part must be an integer ≥ 0, got -1"),
    (partial(bet_of_part, 50_000), "part must be at most 49999, got 50000"),
    (partial(predicted_runs, -1, 0), "p_right must lie between 0 and 1, got -1"),
    (partial(predicted_runs, 0, 2), "p_wrong must lie between 0 and 1, got 2"),
    (partial(predicted_runs, 0.75, 0.5), "p_right and p_wrong must be at most 1 together, got 1.25"),
    (partial(draw_wealth, {}), "audits must be from 1 to 6 by name, got 0"),
    (partial(draw_wealth, {str(k): FOUND for k in range(7)}), "audits must be from 1 to 6 by name, got 7"),
    (partial(draw_wealth, [FOUND]), "audits must be a Mapping, got list"),
    (partial(draw_wealth, {"x": 1}), "each of audits must be a Audit, got int"),
    (partial(vectorised, 1), "predicate must be a function, got 1"),
    (
        partial(Given(vectorised(lambda y: [1])).guesses, Outputs([1, 2])),
        "event must give one truth value for each output, got int64 (1,)",
    ),
]


@pytest.mark.parametrize(("call", "sentence"), TABLE, ids=range(len(TABLE)))
def test_refusals(call, sentence):
    with pytest.raises(ValueError) as refusal:
        call()
    assert str(refusal.value) == sentence
