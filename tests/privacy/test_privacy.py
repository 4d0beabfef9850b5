"""Laws, neighbours and the definition of differential privacy, exactly."""

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from fdpedu.claims.noisy_counts import clamped_pmf
from fdpedu.claims.privacy import laws as law
from fdpedu.claims.privacy import laws_meaning as meaning
from fdpedu.claims.privacy.laws import events, mass
from fdpedu.claims.strategies import deltas, exp_epsilons, shares
from fdpedu.privacy import (
    allowed_region,
    check_dp,
    check_mechanism,
    datasets,
    distance,
    hockey_stick,
    max_ratio,
    mix,
    neighbours,
    product_law,
    push_forward,
    rational_law,
    roc,
)

# What a claim of the register says of one case is written once, in fdpedu.claims.privacy; here it meets other cases:
# laws of one to five outcomes, where those of the register have three.
laws = st.lists(st.integers(0, 20), min_size=1, max_size=5).filter(any).map(rational_law)
channels = st.lists(laws, min_size=5, max_size=5)  # what is made of the outcomes 0 to 4


@pytest.mark.claim("lem-atoms")
@given(laws, laws)
def test_the_worst_event_for_a_ratio_is_an_atom(p, q):
    """sup over all events of p(S)/q(S), by trying all of them, is the largest ratio of atoms."""
    law.atoms(p, q)


@pytest.mark.claim("def-dp")
@given(laws, laws, exp_epsilons, deltas)
def test_the_check_is_the_definition(p, q, factor, delta):
    """check_dp says yes iff p(S) ≤ e^ε q(S) + δ for all events both ways, and its excess is the largest over all of
    them.
    """
    law.definition(p, q, factor, delta)


@pytest.mark.claim("lem-hockey-stick")
@given(laws, laws, exp_epsilons)
def test_the_least_delta_is_a_sum_over_atoms(p, q, factor):
    law.least_delta(p, q, factor)


@pytest.mark.claim("def-dp")
@given(laws, laws, st.fractions(0, 3, max_denominator=8))
def test_a_claim_in_epsilon_agrees_with_the_loss(p, q, epsilon):
    """With ε for e^ε the answer is decided by enclosures, and is that of the privacy loss."""
    law.in_epsilon(p, q, epsilon)


@pytest.mark.claim("thm-post-processing")
@given(laws, laws, exp_epsilons, deltas, channels)
def test_post_processing_never_hurts(p, q, factor, delta, channel):
    """For random rational channels: a claim that holds of two laws holds of what is made of them."""
    law.processed(p, q, channel)
    made = push_forward(p, lambda k: channel[k]), push_forward(q, lambda k: channel[k])
    if check_dp(p, q, factor, delta=delta):
        assert check_dp(*made, factor, delta=delta)


@pytest.mark.claim("lem-convexity")
@given(laws, laws, laws, laws, shares, exp_epsilons)
def test_mixtures_are_no_worse_than_the_worst_part(p, q, r, s, weight, factor):
    """Mixing two mechanisms with a coin that does not depend on the data, whether it is shown or not."""
    law.convexity(p, q, r, s, weight, factor)
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
@pytest.mark.parametrize(
    ("query", "norm", "relation", "value"),
    [
        ("count", "l2 squared", "add-remove", 1),
        ("histogram", "linf", "add-remove", 1),
        ("sum", "l1", "substitution", 2),
        ("largest", "l1", "substitution", 2),
        ("sum and count", "l1", "substitution", 2),
        ("sum and count", "l2 squared", "add-remove", 5),
        ("sum and count", "linf", "add-remove", 2),
        ("mean", "l1", "substitution", 2),
    ],
)
def test_sensitivities_by_exhaustive_search(query, norm, relation, value):
    law.stated_sensitivity(query, norm, relation, value, 3)


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
