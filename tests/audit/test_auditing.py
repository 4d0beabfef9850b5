"""Audits: what they refute, what they bound, and that nothing changes with how they are run or looked at."""

import json
import math
from fractions import Fraction

import numpy as np
import pytest

from fdpedu.audit import Audit, Bet, Raised, audit, epsilon_lower, vectorised
from fdpedu.audit.auditing import begin
from fdpedu.audit.events import Given
from fdpedu.audit.running import order, running
from fdpedu.audit.trial import Trial
from fdpedu.mechanisms import discrete_laplace
from fdpedu.randomness import Rehearsal
from tests.support.audits import EVENT, batched, noisy, tree


def told(epsilon, claim=1, **options):
    return audit(noisy(epsilon), [], [1], epsilon=claim, seed=3, **options)


def test_half_the_noise_is_refuted_and_the_right_noise_is_not():
    """With the event given, or learnt."""
    for event in (EVENT, None):
        half, right = told(2, event=event), told(1, event=event)
        assert half.refuted and 1 < half.epsilon_lower <= 2 and half.e_value > 10**6
        assert not right.refuted and 0.3 < right.epsilon_lower <= 1 and right.refuted_at is None and right.e_value < 1
        assert half.runs == right.runs == 2000 and half.learnt_on == right.learnt_on == (0 if event else 500)


def test_a_bound_is_below_the_truth_and_comes_near_to_it():
    """Of 60,000 runs at once, for each claim."""
    for claim in ("1/2", 1, 3):
        found = audit(batched(1), [], [1], epsilon=claim, runs=60_000, batch=True, seed=1, event=EVENT)
        assert 0.9 < found.epsilon_lower <= 1 and found.refuted == (claim == "1/2")


def test_the_wealth_is_that_of_the_bet():
    """From the marks alone, run by run; and so are the counts, the bound and the first run at 1/α."""
    found = told(2, event=EVENT, runs=600)
    bet = Bet.against(1)
    right, wrong, none = running(found.marks)
    expected = [float(bet.wealth(int(k), int(m))) for k, m in zip(right[:50], wrong[:50], strict=True)]
    assert found.wealth[:50] == pytest.approx(expected, rel=1e-9) and len(found.wealth) == len(found.marks) == 600
    assert found.counts == (right[-1], wrong[-1], none[-1]) and found.e_value == pytest.approx(found.wealth[-1])
    at = int(np.argmax(found.wealth >= 10**6)) + 1
    assert found.refuted_at == at
    assert found.epsilon_lower >= epsilon_lower(*found.counts, alpha=found.alpha)
    assert found.epsilon_lower >= epsilon_lower(int(right[at - 1]), int(wrong[at - 1]), alpha=found.alpha)
    assert found.epsilon == 1 and found.delta == 0 and found.alpha == Fraction(1, 10**6)


def test_marks_are_right_guesses():
    """A mechanism that says which data it saw, and an event that knows it: all guesses are right, or wrong."""
    for event, mark in (((bool, lambda y: not y), 1), ((lambda y: not y, bool), -1)):
        found = audit(lambda data: data == "D′", "D", "D′", event=event, runs=50, seed=1)
        assert (found.marks == mark).all()
    one = audit(lambda data: data == "D′", "D", "D′", event=bool, runs=50, seed=1)
    assert np.array_equal(one.marks == 1, order(1, 0, 50)) and set(one.marks.tolist()) == {0, 1}


def test_one_direction_pays_its_fee_once():
    """With δ > 0, an event of one set is a bet against that set's excess alone."""
    claim = {"epsilon": 1, "delta": "1/100", "runs": 300, "seed": 2}
    one = audit(noisy(3), [], [1], event=EVENT[0], **claim)
    assert math.log(one.e_value) == pytest.approx(float(Bet.against(1, "1/100", 1).log_wealth(*one.counts)))
    two = audit(noisy(3), [], [1], event=EVENT, **claim)
    assert math.log(two.e_value) == pytest.approx(float(Bet.against(1, "1/100", 2).log_wealth(*two.counts)))


def test_more_is_the_same_as_at_once():
    """Whatever the steps; a batch gives the same as a loop."""
    whole = audit(noisy(1.5), [], [1], event=EVENT, runs=900, seed=5)
    parts = audit(noisy(1.5), [], [1], event=EVENT, runs=8, seed=5)
    for step in (1, 300, 591):
        assert parts.more(step) is parts
    assert np.array_equal(whole.marks, parts.marks) and whole.refuted_at == parts.refuted_at
    source = Rehearsal(0)
    one_by_one = audit(
        lambda data, n: [discrete_laplace(len(data), epsilon=1.5, rng=source) for _ in range(n)],
        *([], [1]), event=EVENT, runs=900, seed=5, batch=True,
    )  # fmt: skip
    assert one_by_one.runs == 900 and np.array_equal(one_by_one.marks != 0, whole.marks != 0)


def test_the_bound_is_looked_at_in_sixteen_places():
    """Of the runs of each call, evenly, the last one among them; and where the claim was refuted."""
    found = audit(len, [], [1], event=EVENT, runs=16, seed=1)
    assert json.loads(found.to_json())["looks"] == list(range(1, 17)) and found.marks.dtype == np.int8
    assert json.loads(found.more(160).to_json())["looks"] == sorted(
        {*range(1, 17), *range(26, 177, 10), found.refuted_at}
    )


def test_a_bound_never_falls():
    """However one goes on; and with a larger error it is larger."""
    found, before = told(1.5, event=EVENT, runs=50), 0.0
    for _ in range(12):
        bound = found.more(150).epsilon_lower
        assert bound >= before
        before = bound
    assert found.lower("1/20") > found.lower("1/1000") > found.lower("1e-30") and found.lower(found.alpha) == bound


@pytest.mark.parametrize(("claim", "is_multiple"), [("0.99999", True), ("1.0021", False), ("0.7555", False)])
def test_what_is_refuted_is_below_the_bound(claim, is_multiple):
    """Without δ, even where the bound by counts, a multiple of 1/1000, is less than the claim that was refuted."""
    found = told(2, claim, event=EVENT, runs=8)
    while not found.refuted:
        found.more(1)
    by_counts = epsilon_lower(*found.counts, alpha=found.alpha)
    assert found.epsilon_lower == max(by_counts, float(claim)) and (by_counts >= float(claim)) == is_multiple
    assert found.lower("1e-3") > found.epsilon_lower
    assert found.refuted_at == found.runs


def test_an_exception_is_an_output():
    """Its type; the statistic is not asked about it, and the event sees it as it is."""

    def mean(data):
        return sum(data) / len(data) + 0 * len(asked)

    asked = []
    found = audit(mean, [], [1], runs=400, seed=1, statistic=lambda y: asked.append(y) or y)
    assert found.refuted and "raised ZeroDivisionError" in found.event and set(asked) == {1.0}
    assert found.raised == (~order(1, 0, 400)).sum() and found.error == "ZeroDivisionError: division by zero"
    given = audit(mean, [], [1], runs=100, seed=1, event=lambda y: y == Raised("ZeroDivisionError"))
    assert given.counts[0] == 0 and given.counts[1] > 0


def test_if_every_run_raises_nothing_was_audited():
    found = audit(lambda data: data["x"], [], [1], runs=40)
    assert found.all_raised and found.sentence.startswith("Nothing was audited with D = [] and D′ = [1]: every run")
    assert "TypeError: list indices" in found.sentence and not found.refuted
    assert not audit(len, [], [1], runs=40).all_raised


def test_a_keyboard_interrupt_is_no_output():
    """What is known so far stays, and it cannot go on: the coins of runs that were broken off have been seen."""
    runs = iter(range(10**9))

    def stopped(data):
        if next(runs) == 700:
            raise KeyboardInterrupt
        return len(data)

    found = audit(stopped, [], [1], event=EVENT, runs=100, seed=1)
    with pytest.raises(KeyboardInterrupt):
        found.more(1000)
    assert found.runs == 612 and found.epsilon_lower > 3
    with pytest.raises(ValueError, match="runs of this audit were broken off"):
        found.more(100)
    assert found.runs == 612 and json.loads(found.to_json())["broken_off"]


def test_what_is_thrown_away_with_an_exception_wins_nothing(tmp_path):
    """Many outputs at once, all within a factor of 10: without those of which it raises, ε = ln 10 would be refuted."""
    rng = np.random.default_rng(1)

    def choosy(data, n):
        found = rng.choice(3, n, p=(0.89, 0.01, 0.1) if data else (0.1, 0.1, 0.8))
        if (found == 2).any():
            raise RuntimeError
        return found

    event = (vectorised(lambda found: found == 0), vectorised(lambda found: found == 1))
    found = begin(
        Trial(choosy, ([], [1]), None, True), (Fraction("2.303"), Fraction(0), Fraction(1, 1000)), 8, Given(*event), 1
    )
    refused = 0
    for _ in range(1000):
        try:
            found.more(1)
        except (RuntimeError, ValueError) as error:
            refused += isinstance(error, ValueError)
    assert refused > 990 and not found.refuted
    found.save(tmp_path / "a.json")
    again = Audit.load(tmp_path / "a.json", choosy, [], [1], event=event, batch=True)
    with pytest.raises(ValueError, match="broken off"):
        again.more(1)


def test_an_exception_of_which_the_event_fails_is_in_no_set():
    def sometimes(data):
        found = discrete_laplace(len(data), epsilon=1)
        if found > 3:
            raise OverflowError
        return found

    found = audit(sometimes, [], [1], event=lambda output: output >= 1, runs=400, seed=1)
    assert found.raised and found.runs == 400 and not found.refuted
    with pytest.raises(ZeroDivisionError):
        audit(noisy(1), [], [1], event=lambda output: output / 0, runs=100, seed=1)


@pytest.mark.parametrize("shape", ["list", "tuple", "dict", "array", "text", "bytes", "set", "nested"])
def test_outputs_of_any_kind_are_audited(shape):
    """Exact answers in any form are refuted."""
    forms = {
        **{"list": lambda n: [0, n], "tuple": lambda n: (n, "x"), "dict": lambda n: {"n": n, "a": [1]}},
        **{"array": lambda n: np.full((2, 2), n), "text": str, "bytes": lambda n: bytes([n]), "set": lambda n: {n}},
        "nested": lambda n: {"a": [(1, {"b": np.array([n])})]},
    }
    found = audit(lambda data: forms[shape](len(data)), [], [1], runs=400, seed=1)
    assert found.refuted and found.epsilon_lower > 2


def test_a_tree_is_audited():
    """What a federation grows of exact counts tells everything."""
    found = audit(tree, [20, 80], [20, 80, 90], runs=80, seed=1, alpha="1/1000")
    assert found.refuted


def test_a_statistic_is_looked_at_in_place_of_the_output():
    """One by one, or all at once if it says so."""
    plain = audit(batched(3), [], [1], statistic=abs, runs=400, seed=1, batch=True)
    seen = []

    @vectorised
    def size(outputs):
        seen.append(len(outputs))
        return np.abs(outputs)

    fast = audit(batched(3), [], [1], statistic=size, runs=400, seed=1, batch=True)
    assert plain.refuted and fast.refuted and np.array_equal(plain.marks, fast.marks) and len(seen) == 2
    assert "the statistic" in fast.event


def test_without_a_seed_each_audit_has_an_order_of_its_own():
    one, other = (audit(lambda data: len(data), [], [1], event=bool, runs=100) for _ in range(2))
    assert not np.array_equal(one.marks, other.marks)


def test_right_noise_with_the_seed_of_the_audit_stands():
    """Of twelve mechanisms that draw from a generator with the audit's own seed none is refuted."""
    for seed in range(12):
        draws = np.random.default_rng(seed)
        answer = audit(lambda data, draws=draws: bool(draws.random() < 0.5), [], [1], seed=seed)
        assert not answer.refuted
        assert not audit(batched(1, seed), [], [1], batch=True, seed=seed).refuted


def test_one_noise_for_all_runs_is_refuted():
    """Each run must be private given all before it."""
    noise = discrete_laplace(0, epsilon="1/100", rng=Rehearsal(4))
    assert audit(lambda data: len(data) + noise, [], [1], seed=1).refuted


def test_a_claim_with_delta_is_refuted_where_it_has_to_be():
    """A mechanism that tells all with probability 1/20 is (0, 1/20)-private, and not (0, 1/50)."""
    draws = np.random.default_rng(2)

    def rarely(data, n):
        return np.where(draws.random(n) < 0.05, len(data), 7)

    event = (lambda y: y == 1, lambda y: y == 0)
    claims = {delta: audit(rarely, [], [1], epsilon=0, delta=delta, runs=20_000, event=event, batch=True, seed=1)
              for delta in ("1/20", "1/50")}  # fmt: skip
    assert not claims["1/20"].refuted and claims["1/50"].refuted
    assert claims["1/20"].epsilon_lower == 0


def test_sentences_name_the_pair_the_event_and_the_error():
    """And say of what is not refuted that it is not confirmed."""
    half, right = told(2, event=EVENT), told(1, event=EVENT, delta="1e-5")
    assert half.sentence.startswith("Refuted: ε = 1 does not hold with D = [] and D′ = [1]. After ")
    assert f"After {half.refuted_at} runs a bet against it had grown 1e+06-fold" in half.sentence
    assert f"at most 1e-06 if it holds; with the same error, ε is at least {half.epsilon_lower:g}." in half.sentence
    assert half.sentence.endswith("The event: the given event: D′; the given event: D.") and repr(half) == half.sentence
    assert right.sentence.startswith(
        "Not refuted in 2000 runs with D = [] and D′ = [1]: a bet against ε = 1, δ = 1e-05"
    )
    assert f"has become {right.e_value:.3g} times what it was" in right.sentence
    assert "and no proof that the claim holds" in right.sentence


def test_false_alarms_are_as_rare_as_promised():
    """Of 1,000 audits of an exact border case, watched in every run, at α = 1/20: at most that and five deviations."""
    draws, bet_on = np.random.default_rng(9), math.e / (1 + math.e)
    alarms = 0
    for seed in range(1000):

        def mechanism(data, n):
            return np.where(draws.random(n) < bet_on, len(data), 1 - len(data))

        event = (vectorised(lambda y: y == 1), vectorised(lambda y: y == 0))
        found = audit(mechanism, [], [1], alpha="1/20", runs=300, event=event, batch=True, seed=seed)
        alarms += found.refuted
    assert 0 < alarms <= 1000 / 20 + 5 * math.sqrt(1000 / 20)


def test_an_audit_without_a_run_knows_nothing():
    found = Audit((Fraction(1), Fraction(0), Fraction(1, 10)), ("D", "D′"), told(1, event=EVENT)._event, 0, 1, None)
    assert (found.epsilon_lower, found.e_value, found.runs, found.refuted, found.raised) == (0.0, 1.0, 0, False, 0)
    assert found.error == "" and not found.all_raised and len(found.wealth) == 0


def test_counts_of_many_runs_are_exact_and_the_last_run_is_looked_at():
    """Of more runs than sixteen bits can count, of each kind, with no other look before."""
    marks = np.repeat(np.array([-1, 0, 1], dtype=np.int8), [40_000, 70_000, 50_000])
    found = Audit((Fraction(1), Fraction(0), Fraction(1, 10**6)), ("D", "D′"), Given(*EVENT), 0, 1, None, marks)
    assert found.counts == (50_000, 40_000, 70_000) and found.runs == 160_000
    assert found.epsilon_lower == epsilon_lower(*found.counts, alpha=found.alpha) > 0.1
