"""What privacy tools refuse and answer, word by word: a researcher who audits a mechanism reads nothing else."""

import math
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fdpedu.claims.strategies import exp_epsilons
from fdpedu.exact import log_enclosure
from fdpedu.privacy import (
    Verdict,
    allowed_region,
    as_law,
    check_dp,
    check_mechanism,
    datasets,
    distance,
    hockey_stick,
    max_ratio,
    mix,
    neighbours,
    posterior,
    privacy_loss,
    product_law,
    push_forward,
    rational_law,
    roc,
    sensitivity,
)

SUM = "the probabilities add up to 2, not to 1; rational_law divides by the total"
NUMBER = "must be a finite number (an int, a Fraction, a decimal, or text like '1/3'), got"
FLOAT = "a probability is a float; write it as a fraction ('1/10'), or make a law of weights with rational_law"
NO_PAIRS = "there are no neighbours to compare: max_size must be at least 1, the universe must not be empty"
ALIKE = "must be a sequence of hashable records: numbers, strings or tuples"
RELATION = "relation must be one of add-remove, substitution; got 'swap'"
TWO, ONE = [2], [1]
TOLD = [
    # Each law by its own name.
    *[
        (call, f"{name}: {SUM}")
        for name, p, q in (("p", TWO, ONE), ("q", ONE, TWO))
        for call in (
            lambda p=p, q=q: max_ratio(p, q),
            lambda p=p, q=q: privacy_loss(p, q),
            lambda p=p, q=q: hockey_stick(p, q, 2),
            lambda p=p, q=q: check_dp(p, q, 2),
            lambda p=p, q=q: roc(p, q),
            lambda p=p, q=q: posterior("1/2", p, q, 0),
        )
    ],
    (lambda: as_law(TWO), f"law: {SUM}"),
    (lambda: as_law([0.5, 0.5]), f"law: {FLOAT}"),
    (lambda: as_law([np.float64(1)], "mine"), f"mine: {FLOAT}"),
    (lambda: as_law(["x"], "mine"), f"mine: a probability {NUMBER} 'x'"),
    (lambda: as_law([-1, 2], "mine"), "mine: a probability is negative; all must lie between 0 and 1"),
    (lambda: as_law(np.eye(2), "mine"), "mine: expected one dimension, got 2"),
    (lambda: as_law("1", "mine"), "mine: expected a mapping outcome → probability or a list of probabilities"),
    (lambda: as_law(b"1"), "law: expected a mapping outcome → probability or a list of probabilities"),
    (lambda: as_law([], "mine"), "mine: expected 1 to 100000 outcomes, got 0"),
    (lambda: as_law([0] * 100_001), "law: expected 1 to 100000 outcomes, got 100001"),
    (lambda: rational_law([None]), f"weights: a weight {NUMBER} None"),
    (lambda: rational_law([0], "shares"), "shares: weights must be non-negative, and at least one of them positive"),
    (lambda: rational_law([2, -1]), "weights: weights must be non-negative, and at least one of them positive"),
    (lambda: rational_law("ab"), "weights: expected a mapping outcome → probability or a list of probabilities"),
    (lambda: push_forward(TWO, {}), f"law: {SUM}"),
    (lambda: push_forward(ONE, {1: [1]}), "channel: no law for the outcome 0"),
    (lambda: push_forward(ONE, 7), "channel must be a function, got 7"),
    (lambda: push_forward(ONE, lambda k: TWO), f"channel at 0: {SUM}"),
    (lambda: mix([1, 0], [ONE]), "there are 2 weights for 1 laws"),
    (lambda: mix("a", [ONE]), "weights: expected a mapping outcome → probability or a list of probabilities"),
    (lambda: mix(ONE, "a"), "laws: expected a mapping outcome → probability or a list of probabilities"),
    (lambda: mix(TWO, [ONE]), f"weights: {SUM}"),
    (lambda: product_law(ONE, TWO), f"law 1: {SUM}"),
    (lambda: product_law(*[["1/2", "1/2"]] * 17), "the joint law would have more than 100000 outcomes"),
    # Parameters.
    (lambda: privacy_loss(ONE, ONE, 0), "digits must be an integer ≥ 1, got 0"),
    (lambda: privacy_loss(ONE, ONE, 10_001), "digits must be at most 10000, got 10001"),
    (lambda: hockey_stick(ONE, ONE, "x"), f"exp_epsilon {NUMBER} 'x'"),
    (lambda: hockey_stick(ONE, ONE, "1/2"), "exp_epsilon is e^ε and must be at least 1, got 1/2"),
    (lambda: check_dp(ONE, ONE, 2, delta="x"), f"delta {NUMBER} 'x'"),
    (lambda: check_dp(ONE, ONE, 2, delta="3/2"), "delta must lie between 0 and 1, got 3/2"),
    (lambda: check_dp(ONE, ONE, 2, delta=-1), "delta must lie between 0 and 1, got -1"),
    (lambda: check_dp(ONE, ONE), "give exactly one of exp_epsilon (a fraction) and epsilon"),
    (lambda: check_dp(ONE, ONE, 2, epsilon=1), "give exactly one of exp_epsilon (a fraction) and epsilon"),
    (lambda: check_dp(ONE, ONE, epsilon="x"), f"epsilon {NUMBER} 'x'"),
    (lambda: check_dp(ONE, ONE, epsilon=-1), "epsilon must lie between 0 and 10000, got -1"),
    (lambda: check_dp(ONE, ONE, epsilon="20001/2"), "epsilon must lie between 0 and 10000, got 20001/2"),
    (lambda: check_mechanism(7, "a", 2), "mechanism must be a function, got 7"),
    (lambda: check_mechanism(lambda d: TWO, "a", 2), f"the law on []: {SUM}"),
    (lambda: check_mechanism(lambda d: [1 + len(d)], "a", 2), f"the law on ['a']: {SUM}"),
    (lambda: check_mechanism(lambda d: ONE, "", 2), NO_PAIRS),
    (lambda: check_mechanism(lambda d: ONE, "a", 2, max_size=0), NO_PAIRS),
    (lambda: check_mechanism(lambda d: ONE, "a", 2, relation="swap"), RELATION),
    (lambda: allowed_region("x"), f"exp_epsilon {NUMBER} 'x'"),
    (lambda: allowed_region(2, "x"), f"delta {NUMBER} 'x'"),
    (lambda: allowed_region(2, "3/2"), "delta must lie between 0 and 1"),
    (lambda: posterior("x", ONE, ONE, 0), f"prior {NUMBER} 'x'"),
    (lambda: posterior("3/2", ONE, ONE, 0), "prior must lie between 0 and 1"),
    (lambda: posterior("1/2", ONE, ONE, 5), "the outcome 5 cannot occur under this prior"),
    (lambda: posterior("1/2", ONE, ONE, []), "an outcome must be hashable, such as a number, a string or a tuple"),
    # Data sets.
    (lambda: list(datasets(7, 1)), f"universe {ALIKE}"),
    (lambda: list(datasets("aa", 1)), "universe must not name a record twice"),
    (lambda: list(datasets("a", -1)), "max_size must be an integer ≥ 0, got -1"),
    (lambda: list(datasets("a", 10_001)), "max_size must be at most 10000, got 10001"),
    (
        lambda: list(datasets(range(632), 2)),
        "there are more than 200000 data sets of that size; choose a smaller universe or max_size",
    ),
    (lambda: list(neighbours(7, "ab")), f"a data set {ALIKE}"),
    (lambda: list(neighbours("ac", "ab")), "a record of the data set is not in the universe"),
    (lambda: list(neighbours("a", "ab", "swap")), RELATION),
    (lambda: distance("a", "b", "swap"), RELATION),
    (lambda: distance([[]], "b"), f"a data set {ALIKE}"),
    (lambda: sensitivity(7, "a"), "query must be a function, got 7"),
    (lambda: sensitivity(len, "a", norm="l7"), "norm must be one of l1, l2 squared, linf; got 'l7'"),
    (lambda: sensitivity(len, ""), NO_PAIRS),
    (lambda: sensitivity(lambda d: "x", "a"), f"the query's answer on [] {NUMBER} 'x'"),
    (
        lambda: sensitivity(lambda d: [0] * len(d), "a"),
        "the query has answers of different lengths, 0 and 1: its shape would reveal the data",
    ),
]


@pytest.mark.parametrize(("call", "told"), TOLD, ids=range(len(TOLD)))
def test_what_is_refused_is_told_in_these_words(call, told):
    with pytest.raises(ValueError) as refusal:
        call()
    assert str(refusal.value) == told


def test_what_is_allowed_at_the_borders():
    assert check_dp([1], {1: 1}, 1, delta=1) and check_dp([1], [1], epsilon=10_000) and check_dp([1], [1], epsilon=0)
    assert not check_dp([1], {1: 1}, 1, delta="9/10")
    assert allowed_region(3, 1) == [(0, 1), (0, 1), (0, 1)]
    assert allowed_region(3) == allowed_region(3, 0) == [(0, 0), (Fraction(1, 4), Fraction(3, 4)), (1, 1)]
    assert posterior(0, [1], [1], 0) == 0 and posterior(1, [1], [1], 0) == 1
    assert len(as_law([Fraction(1, 100_000)] * 100_000)) == 100_000
    assert len(product_law(*[as_law(["1/2", "1/2"])] * 16)) == 2**16
    assert len(product_law([Fraction(1, 316)] * 316, [Fraction(1, 316)] * 316)) == 99_856
    assert sum(1 for _ in datasets("a", 10_000)) == 10_001
    assert sum(1 for _ in datasets(range(199_999), 1)) == 200_000
    assert privacy_loss(["1/2", "1/2"], ["1/4", "3/4"], 1) == log_enclosure(Fraction(2), 1)
    assert privacy_loss(["1/2", "1/2"], ["1/4", "3/4"]) == log_enclosure(Fraction(2), 30)
    assert privacy_loss([1], [0, 1]) == math.inf


def test_a_verdict_tells_both_laws_and_the_event():
    one, many = check_dp([1], [1], 2), check_mechanism(lambda data: [1], "ab", 2, max_size=1)
    assert str(one) == "holds, exactly, on 1 pair of laws" and str(many) == "holds, exactly, on 2 pairs of laws"
    assert one._repr_html_() == '<p class="fdpedu-verdict">✓ holds, exactly, on 1 pair of laws</p>'
    there = check_dp({"a": "3/4", "b": "1/4"}, {"a": "1/4", "b": "3/4"}, 2)
    told = "fails. the event {'a'} has probability 3/4 against 1/4 (p against q), 1/4 more than allowed"
    assert str(there) == told and not there.swapped and there.pair is None
    back = check_dp(["99/100", "1/100"], ["1/2", "1/2"], 4)
    told = "fails. the event {1} has probability 1/2 against 1/100 (q against p), 23/50 more than allowed"
    assert str(back) == told and back.swapped
    assert back._repr_html_() == f'<p class="fdpedu-verdict">✗ {told}</p>'


@pytest.mark.parametrize("outcomes", [5, 6, 7, 8])
def test_of_a_long_event_six_outcomes_are_shown(outcomes):
    law = {k: Fraction(1, outcomes) for k in range(outcomes)}
    shown = ", ".join(map(str, range(min(6, outcomes)))) + (", …" if outcomes > 6 else "")
    assert f"the event {{{shown}}} has" in str(check_dp(law, {-1: 1}, 2))


def test_a_verdict_on_a_mechanism_is_that_of_its_smallest_pair():
    """In ε and in e^ε: the pair is named, and all else is what the two laws say."""

    def mechanism(data):
        return {"many": 1} if len(data) > 1 else {"few": 1}

    for options in ({"epsilon": 1}, {"exp_epsilon": 3}, {"epsilon": 1, "delta": "1/2"}):
        verdict, of_laws = (
            check_mechanism(mechanism, "ab", **options),
            check_dp(mechanism("a"), mechanism("aa"), **options),
        )
        assert verdict.pair == (("a",), ("a", "a")) and verdict.cases == 3
        assert verdict == Verdict(
            False, of_laws.event, of_laws.excess, of_laws.p_event, of_laws.q_event, of_laws.swapped, verdict.pair, 3
        )
        assert str(verdict).startswith("fails. the data sets ['a'] and ['a', 'a']: the event {'few'} has probability 1")
    assert check_mechanism(mechanism, "ab", epsilon=1, delta=1)
    lazy = check_mechanism(lambda data: ["1/2", "1/2"] if data else ["1/3", "2/3"], "a", "3/2")
    assert lazy and lazy.excess == 0 and lazy.event == () and lazy.p_event == lazy.q_event == 0


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=1, max_size=6))
def test_the_corners_of_the_best_tests(pairs):
    """The curve bends at each of its corners: ratios strictly fall, and no outcome of its own is left out."""
    if not any(a for a, _ in pairs) or not any(b for _, b in pairs):
        return
    p, q = (rational_law(dict(enumerate(weights))) for weights in zip(*pairs, strict=True))
    corners = roc(p, q)
    steps = [(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(corners)]
    ratios = [Fraction(up, over) if over else math.inf for over, up in steps]
    assert all(a > b for a, b in pairwise(ratios))
    every = {k: (p.get(k, 0), q.get(k, 0)) for k in p.keys() | q.keys()}
    assert set(ratios) == {a / b if b else math.inf for a, b in every.values()}
    for ratio, (over, up) in zip(ratios, steps, strict=True):
        alike = [(a, b) for a, b in every.values() if (a / b if b else math.inf) == ratio]
        assert (sum(b for _, b in alike), sum(a for a, _ in alike)) == (over, up)


@given(exp_epsilons, st.fractions(0, 1))
def test_the_allowed_region_begins_and_ends_where_delta_says(factor, delta):
    first, meeting, last = allowed_region(factor, delta)
    assert first == (0, delta) and last == (1 - delta, 1) and meeting[0] + meeting[1] == 1


@pytest.mark.parametrize("relation", ["add-remove", "substitution"])
def test_every_pair_of_neighbours_is_met_once(relation):
    """With ``smaller``, of each pair the one that comes later in the order of data sets names the other."""
    order = {data: i for i, data in enumerate(datasets("cab", 3))}
    pairs = {
        frozenset((data, other)) for data in order for other in neighbours(data, "cab", relation) if other in order
    }
    met = [(data, other) for data in order for other in neighbours(data, "cab", relation, smaller=True)]
    assert all(order[other] < order[data] for data, other in met)
    assert len(met) == len(set(met)) == len(pairs) and {frozenset(pair) for pair in met} == pairs
    for data in order:
        found = list(neighbours(reversed(data), "cab", relation))
        assert found == list(neighbours(data, "cab", relation)) and len(set(found)) == len(found)
        assert {distance(data, other, relation) for other in found} <= {1}


def test_norms_of_a_change():
    """A query with two numbers, of which one falls by 3 and the other rises by 4 with each record."""

    def query(data):
        return [-3 * len(data), 4 * len(data)]

    found = {norm: sensitivity(query, "a", norm=norm) for norm in ("l1", "l2 squared", "linf")}
    assert {norm: one.value for norm, one in found.items()} == {"l1": 7, "l2 squared": 25, "linf": 4}
    assert str(found["l1"]) == "7, attained by [] and ['a']; the largest of 3 pairs"
    assert sensitivity(lambda data: np.array(query(data)), "a", max_size=1) == sensitivity(query, "a", max_size=1)
    assert (
        sensitivity(query, "a", max_size=1).cases == 1 and sensitivity(query, "ab", relation="substitution").value == 0
    )
    growing = sensitivity(lambda data: len(data) ** 2, "a")
    assert growing.value == 5 and growing.pair == (("a", "a"), ("a", "a", "a"))
    assert sensitivity(lambda data: [], "a", norm="linf").value == sensitivity(lambda data: [], "a").value == 0


def test_laws_keep_what_can_happen():
    assert rational_law({"a": 1, "b": 0, "c": "1/2"}) == {"a": Fraction(2, 3), "c": Fraction(1, 3)}
    assert as_law({"a": 1, "b": 0}) == {"a": 1} and as_law(np.array([0, 1])) == {1: 1}
    assert mix({"x": "1/3", "y": "2/3"}, {"y": [1], "x": ["1/2", "1/2"]}) == {0: Fraction(5, 6), 1: Fraction(1, 6)}
    assert product_law() == {(): 1} and product_law(["1/2", "1/2"], {"a": 1}) == {
        (0, "a"): Fraction(1, 2),
        (1, "a"): Fraction(1, 2),
    }
