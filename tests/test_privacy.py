"""Laws, neighbours and the definition of differential privacy, exactly; and odd input, ten thousand times."""

import math
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from fdpedu import privacy
from fdpedu.claims.checks import privacy as check
from fdpedu.claims.checks import privacy_meaning as meaning
from fdpedu.claims.checks.privacy import events, mass
from fdpedu.claims.laws import clamped_pmf
from fdpedu.claims.small import SMALL_ZOO, geometric
from fdpedu.claims.strategies import channels, deltas, exp_epsilons, laws, shares
from fdpedu.privacy import (
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

# What a claim of the register says of one case is written once, in fdpedu.claims.checks; here it meets other cases.


@pytest.mark.claim("lem-atoms")
@given(laws, laws)
def test_the_worst_event_for_a_ratio_is_an_atom(p, q):
    """sup over all events of p(S)/q(S), by trying all of them, is the largest ratio of atoms."""
    check.atoms(p, q)


@pytest.mark.claim("def-dp")
@given(laws, laws, exp_epsilons, deltas)
def test_the_check_is_the_definition(p, q, factor, delta):
    """check_dp says yes iff p(S) ≤ e^ε q(S) + δ for all events both ways, and its excess is the largest over all of
    them.
    """
    check.definition(p, q, factor, delta)


@pytest.mark.claim("lem-hockey-stick")
@given(laws, laws, exp_epsilons)
def test_the_least_delta_is_a_sum_over_atoms(p, q, factor):
    check.least_delta(p, q, factor)


@pytest.mark.claim("def-dp")
@given(laws, laws, st.fractions(0, 3, max_denominator=8))
def test_a_claim_in_epsilon_agrees_with_the_loss(p, q, epsilon):
    """With ε for e^ε the answer is decided by enclosures, and is that of the privacy loss."""
    check.in_epsilon(p, q, epsilon)


@pytest.mark.claim("thm-post-processing")
@given(laws, laws, exp_epsilons, deltas, channels)
def test_post_processing_never_hurts(p, q, factor, delta, channel):
    """For random rational channels: a claim that holds of two laws holds of what is made of them."""
    check.processed(p, q, channel)
    made = push_forward(p, lambda k: channel[k]), push_forward(q, lambda k: channel[k])
    if check_dp(p, q, factor, delta=delta):
        assert check_dp(*made, factor, delta=delta)


@pytest.mark.claim("lem-convexity")
@given(laws, laws, laws, laws, shares, exp_epsilons)
def test_mixtures_are_no_worse_than_the_worst_part(p, q, r, s, weight, factor):
    """Mixing two mechanisms with a coin that does not depend on the data, whether it is shown or not."""
    check.convexity(p, q, r, s, weight, factor)
    shown = [
        mix([weight, 1 - weight], [product_law([1], a), product_law([0, 1], b)]) for a, b in ((p, r), (q, s))
    ]  # the coin is part of the output
    parts = weight * hockey_stick(p, q, factor) + (1 - weight) * hockey_stick(r, s, factor)
    assert hockey_stick(*shown, factor) == parts


@given(laws, laws, laws, laws)
def test_independent_losses_add(p, q, r, s):
    """Ratios of independent outcomes multiply, exactly."""
    assume(set(p) <= set(q) and set(r) <= set(s))
    assert max_ratio(product_law(p, r), product_law(q, s)) == max_ratio(p, q) * max_ratio(r, s)


@pytest.mark.claim("thm-group-privacy")
@given(laws, laws, laws, exp_epsilons)
def test_losses_of_steps_add_up(p, q, r, factor):
    """Group privacy over two steps: ratios multiply, and δ grows as stated."""
    meaning.steps(p, q, r, factor)


@pytest.mark.claim("thm-hypothesis-test")
@given(laws, laws, exp_epsilons, deltas)
def test_dp_is_a_statement_about_tests(p, q, factor, delta):
    """(ε, δ) holds iff every test has TPR ≤ e^ε·FPR + δ and 1−FPR ≤ e^ε·(1−TPR) + δ."""
    meaning.tests(p, q, factor, delta)


@given(laws, laws)
def test_no_test_beats_the_roc_curve(p, q):
    """Every event, as a test, lies on or below the curve; the curve is concave and runs from (0, 0) to (1, 1)."""
    corners = roc(p, q)
    assert corners[0] == (0, 0) and corners[-1] == (1, 1)
    for event in events(p, q):
        fpr, tpr = mass(q, event), mass(p, event)
        bounds = [
            a[1] + (b[1] - a[1]) * (fpr - a[0]) / (b[0] - a[0])
            for a, b in pairwise(corners)
            if a[0] <= fpr <= b[0] and a[0] < b[0]
        ]
        assert not bounds or tpr <= max(bounds)


@given(exp_epsilons, deltas)
def test_the_allowed_region_is_attained(factor, delta):
    """Its corner lies on both lines."""
    fpr, tpr = allowed_region(factor, delta)[1]
    assert tpr == factor * fpr + delta and 1 - fpr == factor * (1 - tpr) + delta


@pytest.mark.claim("thm-posterior")
@given(laws, laws, shares)
def test_odds_move_by_the_ratio(p, q, prior):
    meaning.beliefs(p, q, prior)


@pytest.mark.claim("def-neighbours")
@pytest.mark.parametrize("relation", ["add-remove", "substitution"])
def test_neighbours_are_at_distance_one(relation):
    """By trying all pairs of up to three records; with ``smaller`` each pair is met once."""
    everything = list(datasets("abc", 3))
    met = []
    for data in everything:
        check.neighbours_of(data, "abc", relation)
        met += [frozenset([data, other]) for other in neighbours(data, "abc", relation, smaller=True)]
    assert len(met) == len(set(met))
    assert set(met) == {frozenset([a, b]) for a in everything for b in everything if distance(a, b, relation) == 1}


@given(st.text("ab", max_size=5), st.text("ab", max_size=5), st.text("ab", max_size=5))
def test_distance_is_a_metric(a, b, c):
    assert (distance(a, b) == 0) == (sorted(a) == sorted(b)) and distance(a, b) == distance(b, a)
    assert distance(a, c) <= distance(a, b) + distance(b, c)
    if len(a) == len(b):  # a substitution is a removal and an addition
        assert distance(a, b) == 2 * distance(a, b, "substitution")


@pytest.mark.claim("def-sensitivity")
@pytest.mark.parametrize("case", check.QUERIES, ids=range(len(check.QUERIES)))
def test_sensitivities_by_exhaustive_search(case):
    check.stated_sensitivity(*case, 3)


def noisy_count(alpha, bound=6):
    """A geometric count, clamped: sound for ε with e^{−ε} = alpha."""
    return lambda data: clamped_pmf(alpha, len(data), bound)


@given(st.fractions(Fraction(1, 5), Fraction(4, 5), max_denominator=10))
def test_a_sound_mechanism_holds_and_its_twin_is_refuted_on_the_smallest_pair(alpha):
    """A clamped geometric count is ε-DP, tightly; with half the scale the first pair already refutes it."""
    assert check_mechanism(noisy_count(alpha), "ab", 1 / alpha)
    verdict = check_mechanism(noisy_count(alpha**2), "ab", 1 / alpha)
    assert not verdict.holds and verdict.pair == ((), ("a",)) and verdict.cases == 1
    assert not check_mechanism(noisy_count(alpha), "ab", 1 / alpha - Fraction(1, 1000))


# --- The small zoo ---

twins_by_name = pytest.mark.parametrize("name", SMALL_ZOO)


@pytest.mark.claim("def-dp")
@twins_by_name
def test_one_check_passes_the_sound_twin_and_refutes_the_broken_one(name):
    """On all neighbours up to the stated size; the broken one on the stated pair, by a positive amount."""
    check.twins(name)
    verdict = SMALL_ZOO[name].verdict("broken")
    assert verdict.excess == verdict.p_event - SMALL_ZOO[name].exp_epsilon * verdict.q_event > 0
    assert len(str(verdict)) < 300 and SMALL_ZOO[name].misconception.endswith(".")


@twins_by_name
def test_no_smaller_pair_refutes_it(name):
    """By trying all pairs at distance 1 without the check's order: none with fewer records fails."""
    twins = SMALL_ZOO[name]
    small = list(datasets(twins.universe, twins.max_size))[::-1]
    failing = [
        len(a) + len(b)
        for a in small
        for b in small
        if distance(a, b, twins.relation) == 1 and not check_dp(twins.broken(a), twins.broken(b), twins.exp_epsilon)
    ]
    assert min(failing) == sum(map(len, twins.pair))


@twins_by_name
def test_every_sound_twin_spends_what_it_claims(name):
    """So the twins differ by the bug, and not by noise to spare."""
    twins = SMALL_ZOO[name]
    less = twins.exp_epsilon - Fraction(1, 1000)
    assert not check_mechanism(twins.sound, twins.universe, less, relation=twins.relation)


def test_a_leak_of_probability_delta_is_a_delta():
    """Data released with probability 1/10 break every ε; with δ = 1/10 the claim holds, with less it does not."""
    twins = SMALL_ZOO["the data, now and then"]
    assert twins.verdict("broken", delta="1/10") and not twins.verdict("broken", delta="99/1000")
    assert not check_mechanism(twins.broken, twins.universe, 1000)


def test_a_substitution_is_what_the_noise_is_for():
    """The histogram that fails under substitution is sound under add/remove."""
    twins = SMALL_ZOO["substitution at the price of add/remove"]
    assert check_mechanism(twins.broken, twins.universe, twins.exp_epsilon)


@pytest.mark.parametrize("alpha", ["1/2", "1/4", "2/3"])
def test_the_geometric_law_of_the_zoo_is_the_clamped_one(alpha):
    for centre in range(-3, 4):
        law = geometric(centre, alpha, low=-3, high=3)
        assert list(law.values()) == clamped_pmf(Fraction(alpha), centre, 3) and sum(law.values()) == 1
    with pytest.raises(ValueError, match="between 0 and 5"):
        geometric(6)


def test_verdicts_read_well():
    failed = check_dp({"in": 1}, {"out": 1}, epsilon=1)
    assert str(failed).startswith("fails. the event {'in'} has probability 1 against 0") and "✗" in failed._repr_html_()
    assert "<b>" not in check_dp({"<b>": 1}, {"x": 1}, 1)._repr_html_()
    assert str(check_mechanism(lambda d: [1], "a", 1)) == "holds, exactly, on 3 pairs of laws"


HUGE = Fraction(10**3000 + 1, 10**3000)
BAD_LAWS = [
    ([-1, 2], "negative"),
    (["1/2", "1/3"], "add up to 5/6"),
    ([0.5, 0.5], "is a float"),
    ([np.float64(0.5)] * 2, "is a float"),
    ([], "1 to 100000 outcomes"),
    ({}, "1 to 100000 outcomes"),
    ("1/2", "expected a mapping"),
    (7, "expected a mapping"),
    (None, "expected a mapping"),
    ({1, 2}, "expected a mapping"),
    ([math.nan, 1], "is a float"),
    ([None, 1], "finite number"),
    ([True, 0], "finite number"),
    ([1j], "finite number"),
    (["a"], "finite number"),
    (["1/0"], "finite number"),
    ([HUGE], "add up to about 1"),
    (np.eye(2), "one dimension"),
    ([["1"]], "finite number"),
    ([0] * 100_001, "outcomes"),
]


@pytest.mark.parametrize(("table", "message"), BAD_LAWS, ids=range(len(BAD_LAWS)))
def test_bad_laws_are_refused_with_advice(table, message):
    for call in (lambda: as_law(table), lambda: max_ratio(table, [1]), lambda: check_dp([1], table, 2)):
        with pytest.raises(ValueError, match=message):
            call()


@pytest.mark.parametrize(
    "call",
    [
        lambda: check_dp([1], [1]),
        lambda: check_dp([1], [1], 2, epsilon=1),
        lambda: check_dp([1], [1], "1/2"),
        lambda: check_dp([1], [1], epsilon=-1),
        lambda: check_dp([1], [1], epsilon=10**6),
        lambda: check_dp([1], [1], 2, delta=2),
        lambda: check_dp([1], [1], math.inf),
        lambda: hockey_stick([1], [1], 0),
        lambda: check_mechanism(lambda d: [1], "ab", 1, max_size=0),
        lambda: check_mechanism(lambda d: [1], "", 1),
        lambda: check_mechanism(lambda d: [1], "aa", 1),
        lambda: check_mechanism(lambda d: [1], range(50), 1, max_size=9),
        lambda: check_mechanism(lambda d: [0.5, 0.5], "a", 1),
        lambda: check_mechanism(lambda d: [1], "a", 1, relation="swap"),
        lambda: sensitivity(len, "ab", norm="l7"),
        lambda: sensitivity(lambda d: [0] * len(d), "ab"),
        lambda: sensitivity(lambda d: "x", "ab"),
        lambda: sensitivity(len, [[1]]),
        lambda: list(neighbours("abc", "ab")),
        lambda: distance("a", "b", "swap"),
        lambda: list(datasets("ab", 1.5)),
        lambda: push_forward([1], {}),
        lambda: push_forward([1], lambda k: [2]),
        lambda: mix([1], []),
        lambda: mix([2], [[1]]),
        lambda: rational_law([0, 0]),
        lambda: rational_law([1, -1]),
        lambda: rational_law([math.inf]),
        lambda: product_law(*[["1/2", "1/2"]] * 20),
        lambda: posterior(2, [1], [1], 0),
        lambda: posterior("1/2", [1], [1], 5),
        lambda: posterior("1/2", [1], [1], []),
        lambda: allowed_region(2, -1),
        lambda: privacy_loss([1], [1], digits=0),
    ],
)
def test_bad_input_is_refused(call):
    with pytest.raises(ValueError):
        call()


ATOMS = st.sampled_from([
    None, True, 0, 1, -1, 2, 10**400, 0.5, -0.0, math.nan, math.inf, 1e-320, 1j, "", "a", "1/2", "1/3", "1/0", "nan",
    b"x",
    Fraction(1, 2), Fraction(1, 3), Fraction(-7, 2), Fraction(1, 10**50), Decimal("0.5"), Decimal("sNaN"),
    Ellipsis, int,
    np.float64("nan"), np.int64(1), np.bool_(True), np.array(1), np.array([1]), np.array([[1]]), np.array([0.5, 0.5]),
    [], (), {}, {1}, [[]], range(3), len,
])  # fmt: skip
odd = ATOMS | st.lists(ATOMS, max_size=3) | st.dictionaries(st.sampled_from([0, 1, "a"]), ATOMS, max_size=3)
PUBLIC = {
    "as_law": lambda a, b, c: as_law(a),
    "rational_law": lambda a, b, c: rational_law(a),
    "max_ratio": lambda a, b, c: max_ratio(a, b),
    "privacy_loss": lambda a, b, c: privacy_loss(a, b),
    "hockey_stick": lambda a, b, c: hockey_stick(a, b, c),
    "check_dp": lambda a, b, c: check_dp(a, b, c),
    "check_dp epsilon": lambda a, b, c: check_dp(a, b, epsilon=c, delta=a),
    "check_mechanism": lambda a, b, c: check_mechanism(lambda data: a, "ab", b, delta=c, max_size=1),
    "datasets": lambda a, b, c: list(datasets(a, b if not isinstance(b, int) else min(b, 3))),
    "neighbours": lambda a, b, c: list(neighbours(a, b, c if isinstance(c, str) else "add-remove")),
    "distance": lambda a, b, c: distance(a, b),
    "sensitivity": lambda a, b, c: sensitivity(lambda data: a, "ab", max_size=1),
    "push_forward": lambda a, b, c: push_forward(a, {0: b, 1: c}),
    "mix": lambda a, b, c: mix(a, [b, c]),
    "product_law": lambda a, b, c: product_law(a, b),
    "roc": lambda a, b, c: roc(a, b),
    "allowed_region": lambda a, b, c: allowed_region(a, b),
    "posterior": lambda a, b, c: posterior(a, b, c, 0),
}


def test_every_public_function_is_fuzzed():
    names = {name.split()[0] for name in PUBLIC}
    assert names == set(privacy.__all__) - {"Law", "Sensitivity", "Verdict"}


@pytest.mark.parametrize("name", PUBLIC)
@settings(max_examples=600, deadline=2000)
@given(odd, odd, odd)
def test_odd_input_is_refused_or_answered(name, a, b, c):
    """18 × 600 odd inputs: an answer or a ValueError; no other exception, no warning, no hang."""
    try:
        assert PUBLIC[name](a, b, c) is not None or name == "distance"
    except ValueError as error:
        assert str(error)
