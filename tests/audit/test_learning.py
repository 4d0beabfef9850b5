"""Learning where to look: what is chosen, on outputs whose distribution is known. No claim rests on it."""

import math
from fractions import Fraction

import numpy as np
import pytest

from fdpedu.audit.events import Learnt, Sum, Table
from fdpedu.audit.learning import MOST_ENDS, MOST_PARTS, MOST_TEXTS, Goal, learnt_event
from fdpedu.audit.outputs import Outputs, Raised

GOAL = Goal(Fraction(1), Fraction(0), Fraction(1, 10**6), 1500)


def learnt(of, runs=500, goal=GOAL, seed=0):
    """The event learnt from outputs that are made of a coin and a generator."""
    draws = np.random.default_rng(seed)
    primes = draws.random(runs) < 0.5
    return learnt_event(Outputs([of(bool(prime), draws) for prime in primes]), primes, goal)


def noisy(centre, draws, p=0.86):
    return centre + int(draws.geometric(p) - draws.geometric(p))


def share_right(event, of, runs=2000, seed=1):
    """How many guesses are right, and how many runs have one."""
    draws = np.random.default_rng(seed)
    primes = draws.random(runs) < 0.5
    guesses = event.guesses(Outputs([of(bool(prime), draws) for prime in primes]))
    return (guesses == np.where(primes, 1, -1)).sum() / max(1, (guesses != 0).sum()), (guesses != 0).mean()


WHERE = {
    "a number": (lambda p, d: noisy(p, d), "the output"),
    "a falling number": (lambda p, d: noisy(-p, d), "the output"),
    "a part": (lambda p, d: [noisy(0, d), noisy(p, d), "x"], "the output[1]"),
    "an array": (lambda p, d: np.array([noisy(0, d), noisy(p, d)]), "the output[1]"),
    "an item": (lambda p, d: {"a": noisy(0, d), "b": noisy(p, d)}, "the output['b']"),
    "a word": (lambda p, d: "yes" if noisy(p, d) > 0 else "no", "the output"),
    "a word beside numbers": (lambda p, d: [noisy(0, d), "yes" if noisy(p, d) > 0 else "no"], "the output[1]"),
    "a kind": (lambda p, d: [0] * max(1, noisy(1 + p, d)), "the kind of the output"),
    "an exception": (lambda p, d: Raised("KeyError") if noisy(p, d) > 0 else 0, "the kind of the output"),
}


@pytest.mark.parametrize("of", WHERE)
def test_it_looks_where_something_is_to_be_seen(of):
    """And finds an event by which four guesses of five are right, in most runs."""
    mechanism, words = WHERE[of]
    event = learnt(mechanism)
    right, often = share_right(event, mechanism)
    assert event.score.words == words and right > 0.8 and often > 0.8


@pytest.mark.parametrize(("signs", "words"), [((1, 1, 1, 1), "the sum"), ((1, -1, 1, -1), "a linear score")])
def test_many_parts_are_added_where_each_tells_a_little(signs, words):
    def of(prime, draws):
        return np.array([noisy(sign * prime, draws, 0.6) for sign in signs])

    event = learnt(of, 2000)
    assert event.score.words == f"{words} of the output" and share_right(event, of)[0] > 0.85


def test_parts_on_different_scales_are_weighed_alike():
    """One counts in thousands; together they tell more than each."""

    def of(prime, draws):
        return np.array([1000.0 * noisy(prime, draws, 0.6), noisy(-prime, draws, 0.6), noisy(prime, draws, 0.6) / 8])

    event = learnt(of, 2000)
    assert event.score.words == "a linear score of the output" and share_right(event, of)[0] > 0.83
    assert event.score.weights[0] < 0.01 * abs(event.score.weights[1]) < abs(event.score.weights[2])


def test_one_tail_is_enough():
    """Where only large outputs tell, nothing is guessed by the others: an event of one direction."""

    def of(prime, draws):
        return 5 if prime and draws.random() < 0.3 else int(draws.integers(3))

    event = learnt(of)
    assert event.directions == 1 and event.guesses(Outputs([5, 0, 1, 2])).tolist() == [1, 0, 0, 0]


def test_the_claim_says_what_to_look_for():
    """A weak but frequent event against a small ε, a strong and rare one against a large ε."""

    def of(prime, draws):
        if draws.random() < 0.1:
            return 9 if prime else -9
        return noisy(prime, draws, 0.6)

    small = learnt(of, 4000, Goal(Fraction(0), Fraction(0), Fraction(1, 10**6), 1500))
    large = learnt(of, 4000, Goal(Fraction(2), Fraction(0), Fraction(1, 10**6), 1500))
    assert share_right(small, of)[1] > 0.8 and share_right(large, of)[0] > 0.95 > share_right(small, of)[0]


def test_what_is_seen_once_is_no_event():
    """Texts that never recur: nothing is bet."""
    event = learnt(lambda prime, draws: f"{prime} {draws.random()}")
    assert event.directions == 1 and not event.guesses(Outputs(["True 0.5", "False 0.25"])).any()


def test_few_runs_are_enough_to_learn_something():
    """Two runs, one, or none of a half: an event comes of it, whatever it is worth."""
    for runs in (0, 1, 2, 3):
        assert isinstance(learnt(lambda p, d: noisy(p, d), runs), Learnt)
    for always in (True, False):
        primes = np.full(40, always)
        assert isinstance(learnt_event(Outputs([[i, 2 * i] for i in range(40)]), primes, GOAL), Learnt)


def test_what_is_not_finite_does_no_harm():
    """Nor what is beyond a float, or constant."""
    draws = np.random.default_rng(3)
    odd = [math.inf, -math.inf, math.nan, 1e308, 10**400, 0.0]

    def of(prime, _):
        return [noisy(prime, draws), odd[int(draws.integers(6))], odd[int(draws.integers(6))], 7]

    assert share_right(learnt(of), of)[0] > 0.8


def test_of_very_many_parts_those_are_looked_at_that_differ():
    """The last of many, which would be left out by its number."""

    def of(prime, draws):
        noise = draws.geometric(0.86, MOST_PARTS * 2) - draws.geometric(0.86, MOST_PARTS * 2)
        noise[-1] += 2 * prime
        return noise

    event = learnt(of, 1000)
    assert event.score.words == f"the output[{2 * MOST_PARTS - 1}]" and share_right(event, of)[0] > 0.9


def test_worth_counts_what_a_gambler_gains():
    """By the formula for the best of the stakes; and the fewer guesses are wrong, the more it is worth."""
    goal = Goal(Fraction(1), Fraction(1, 50), Fraction(1, 100), 1000)
    refutes, worth = goal.worth(np.array([80.0, 80.0, 50.0]), np.array([10.0, 12.0, 14.0]), 100)
    assert refutes.tolist() == [True, True, False] and worth[0] > worth[1]
    a, b = 80.5 / 102, (11 + 0.75 * math.sqrt(11)) / 102
    slack, e = 0.04, math.e
    odds, fee = (2 - slack) / (2 * e + slack), slack / (2 * e + slack)
    stakes = [((2 * j - 1) / 128) ** 2 for j in range(1, 65)]
    by_hand = max(a * math.log1p(odds * u) + b * math.log1p(-u) + (1 - a - b) * math.log1p(-fee * u) for u in stakes)
    assert worth[0] == pytest.approx(by_hand, rel=1e-3)
    a, b = 50.5 / 102, (15 + 0.75 * math.sqrt(15)) / 102

    def growth(epsilon):
        odds = (2 - slack) / (2 * math.exp(epsilon) + slack)
        fee = slack / (2 * math.exp(epsilon) + slack)
        grown = (
            a * math.log1p(odds * u) + b * math.log1p(-u) + (1 - a - b) * math.log1p(-fee * u)
            for u in np.arange(0, 1, 1e-3)
        )
        return 1000 * max(grown)

    assert growth(worth[2] + 0.01) < 2 + math.log(100) < growth(worth[2] - 0.01)


def test_ends_and_texts_are_limited():
    """Many different numbers are gone through at some of their places; more texts than a few hundred make no table."""
    draws = np.random.default_rng(5)

    def of(prime, _):
        return prime + float(draws.laplace(0, 0.3))

    event = learnt(of, 8 * MOST_ENDS)
    assert isinstance(event.score, Sum) and share_right(event, of)[0] > 0.85

    def texts(prime, _):
        return f"{int(draws.integers(2 * MOST_TEXTS))}"

    assert not isinstance(learnt(texts, 4000).score, Table) or learnt(texts, 4000).high is None
