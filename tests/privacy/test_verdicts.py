"""What a verdict says in words: no rounding makes its sentence false, and a hint says what may be wrong."""

import math
import re
from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from fdpedu.claims.strategies import deltas, exp_epsilons
from fdpedu.exact import Enclosure, exp_enclosure
from fdpedu.mechanisms import discrete_laplace_pmf
from fdpedu.privacy import check_dp, check_mechanism, clamped, hockey_stick, privacy_loss, product_law, rational_law

laws = st.lists(st.integers(0, 10**6), min_size=1, max_size=5).filter(any).map(rational_law)
A, B = {"a": "4/5", "b": "1/5"}, {"a": "1/5", "b": "4/5"}


def test_the_sentence_of_a_verdict():
    """The event, its probability, what is allowed, and what the table costs; which of the two it speaks of."""
    said = "fails, p against q: P = 0.80 on {a}, at most 2 × 0.20 allowed; the actual ε is ln 4"
    assert (
        str(check_dp(A, B, 2)) == said and check_dp(A, B, 2)._repr_html_() == f'<p class="fdpedu-verdict">✗ {said}</p>'
    )
    back = check_dp(["99/100", "1/100"], ["1/2", "1/2"], 4)
    assert back.swapped
    assert str(back) == "fails, q against p: P = 0.50 on {1}, at most 4 × 0.01 allowed; the actual ε is ln 50"
    pair = check_mechanism(lambda d: B if d else A, "x", 2)
    assert str(pair) == str(check_dp(A, B, 2)).replace("p against q", "[] against ['x']").replace(
        "is ln", "is at least ln"
    )
    one, many = check_dp([1], [1], 2), check_mechanism(lambda data: [1], "ab", 2, max_size=1)
    assert str(one) == "holds, exactly, on 1 pair of distributions"
    assert str(many) == "holds, exactly, on 2 pairs of distributions"
    assert one._repr_html_() == '<p class="fdpedu-verdict">✓ holds, exactly, on 1 pair of distributions</p>'
    assert "<b>" not in check_dp({"<b>": 1}, {"x": 1}, 1)._repr_html_()


@pytest.mark.parametrize(
    ("verdict", "words"),
    [
        (lambda: check_dp(A, B, epsilon=1), "less than 2.72 × 0.20 allowed; the actual ε is ln 4 ≈ 1.386"),
        (
            lambda: check_dp(A, B, 2, delta="1/100"),
            "at most 2 × 0.20 + 0.01 allowed; the actual ε is ln(79/20) with this δ",
        ),
        (lambda: check_dp(["2/3", "1/3"], ["1/3", "2/3"], "3/2"), "P > 0.666 on {0}, less than 1.50 × 0.334 allowed"),
        (
            lambda: check_dp({"in": 1}, {"out": 1}, epsilon=1),
            "P = 1 on {in}, at most 2.72 × 0 allowed; no ε is large enough",
        ),
        (lambda: check_dp([0.75, 0.25], [0.25, 0.75], 2), "P > 0.749 on {0}, less than 2 × 0.251 allowed"),
    ],
)
def test_what_a_sentence_says(verdict, words):
    assert words in str(verdict())


@pytest.mark.parametrize("outcomes", [5, 6, 7, 8])
def test_of_a_long_event_six_outcomes_are_shown(outcomes):
    law = {k: Fraction(1, outcomes) for k in range(outcomes)}
    shown = ", ".join(map(str, range(min(6, outcomes)))) + (", …" if outcomes > 6 else "")
    assert f"on {{{shown}}}, " in str(check_dp(law, {-1: 1}, 2))


NUMBER = r"([\d.]+(?:e-?\d+)?)"
SENTENCE = re.compile(rf"P ([=>]) {NUMBER} on .*, (at most|less than) {NUMBER} × {NUMBER}(?: \+ {NUMBER})? allowed")


@given(laws, laws, exp_epsilons, deltas, st.booleans())
def test_the_printed_numbers_make_a_true_sentence_and_refute_the_claim(p, q, factor, delta, in_epsilon):
    """P is at least what is printed, what is allowed at most, and by the printed numbers alone the claim is false."""
    options = {"epsilon": factor - 1} if in_epsilon else {"exp_epsilon": factor}
    verdict = check_dp(p, q, **options, delta=delta)
    assume(verdict.fails)
    if not (found := SENTENCE.search(str(verdict))):
        assert "is larger than what is allowed, by at least" in str(verdict) and verdict.excess < Fraction(1, 10**20)
        return
    sign, printed, most, *allowed = found.groups()
    printed, c, mass, slack = (Fraction(number or 0) for number in (printed, *allowed))
    truth = exp_enclosure(factor - 1).upper if in_epsilon else factor
    assert printed <= verdict.p_event and (sign == ">") == (printed < verdict.p_event)
    assert c >= truth and mass >= verdict.q_event and slack >= delta and printed > c * mass + slack
    assert (most == "at most") == (c * mass + slack == truth * verdict.q_event + delta)


@given(laws, laws, deltas)
def test_the_actual_epsilon_is_the_least(p, q, delta):
    """With the factor that a verdict names the claim holds, exactly; with any smaller one it does not."""
    verdict = check_dp(p, q, 1, delta=delta)
    low, high = verdict.actual_factor
    assert low == high
    if low == math.inf:
        assert verdict.actual_epsilon == math.inf and not check_dp(p, q, 10**12, delta=delta)
        return
    assert check_dp(p, q, low, delta=delta) and max(hockey_stick(p, q, low), hockey_stick(q, p, low)) <= delta
    if low > 1:
        assert not check_dp(p, q, max(1, low * (1 - Fraction(1, 10**9))), delta=delta)
        assert max(hockey_stick(p, q, low), hockey_stick(q, p, low)) == delta
    if not delta:
        assert abs(verdict.actual_epsilon.upper - privacy_loss(p, q).upper) < Fraction(1, 10**25)


def test_a_near_tie_is_put_in_words():
    near = exp_enclosure(Fraction(1), 170).upper / 4
    verdict = check_dp([near, 1 - near], ["1/4", "3/4"], epsilon=1)
    excess = Fraction(re.search(r"larger than what is allowed, by at least (\S+);", str(verdict))[1])
    assert verdict.fails and 0 < excess <= verdict.excess and "the actual ε is more than " in str(verdict)


# --- what a verdict says when the tables do not decide ----------------------------------------------------------------


def noisy_count(data, **rate):
    return clamped(lambda k: discrete_laplace_pmf(k - len(data), **rate), 0, 6, centre=len(data))


def test_a_claim_that_is_tight_cannot_be_decided_by_enclosures():
    """And the verdict says what to claim instead, for which it holds; a claim with room is decided either way."""
    verdict = check_mechanism(lambda d: noisy_count(d, epsilon=1), "ab", epsilon=1)
    assert not (verdict.decided or verdict.holds or verdict.fails or verdict) and verdict.pair and verdict.cases > 1
    assert "cannot be decided at this precision" in str(verdict) and "?" in verdict._repr_html_()
    assert verdict.pair == ((), ("a",)), "the smallest pair that is undecided"
    assert "fractions" in str(verdict)
    instead = re.search(r"or claim ([\d.]+), which holds", str(verdict))[1]
    assert check_mechanism(lambda d: noisy_count(d, epsilon=1), "ab", epsilon=instead)
    assert check_mechanism(lambda d: noisy_count(d, epsilon=1), "ab", epsilon="0.999").fails
    assert check_mechanism(lambda d: noisy_count(d, alpha="1/3"), "ab", exp_epsilon=3)


def test_a_claim_that_fails_later_is_found_behind_one_that_is_undecided():
    def mechanism(data):
        return noisy_count(data, epsilon=1) if len(data) < 3 else {0: 1}

    verdict = check_mechanism(mechanism, "a", epsilon=1)
    assert verdict.fails and verdict.pair == (("a", "a"), ("a", "a", "a")) and verdict.cases == 3


def test_where_a_probability_may_be_zero_no_claim_is_suggested():
    perhaps = Enclosure(Fraction(0), Fraction(1, 2))
    verdict = check_dp(["1/2", "1/2"], [perhaps, 1], 2)
    assert not verdict.decided and verdict.actual_factor == (2, math.inf) and verdict.actual_epsilon == math.inf
    assert "may be 0" in str(verdict) and "or claim" not in str(verdict)


def test_floats_and_enclosures_are_named_in_a_verdict_that_holds():
    assert str(check_dp([0.5, 0.5], ["1/2", "1/2"], 2)).startswith("holds for all tables within the floats on 1 pair")
    half = Enclosure(Fraction(49, 100), Fraction(51, 100))
    assert str(check_dp([half, half], [1, 0], 2)).startswith("fails")
    assert "within the enclosures" in str(check_dp([half, half], ["1/2", "1/2"], 2))


# --- hints ------------------------------------------------------------------------------------------------------------


def renormalised(data, low=0, high=8):
    return rational_law({k: discrete_laplace_pmf(k - len(data), alpha="1/2") for k in range(low, high + 1)})


@pytest.mark.parametrize(
    "mechanism",
    [
        renormalised,
        lambda d: product_law(*(renormalised([x for x in d if x == y], high=3) for y in "ab")),
        lambda d: {k: float(p) for k, p in renormalised(d).items()},
    ],
)
@pytest.mark.parametrize("claim", [{"exp_epsilon": 2}, {"epsilon": "0.6931471805599453"}])
def test_a_window_that_was_renormalised_gets_a_hint(mechanism, claim):
    verdict = check_mechanism(mechanism, "ab", **claim)
    assert verdict.fails and "multiplied by a constant" in verdict.hint and "fdpedu.privacy.clamped" in verdict.hint
    assert str(verdict).endswith(verdict.hint)


def test_a_support_of_its_own_gets_a_hint():
    verdict = check_mechanism(lambda d: renormalised(d, len(d) - 2, len(d) + 2), "a", 2)
    assert "Only one of the two" in verdict.hint and "fdpedu.privacy.clamped" in str(verdict)


def test_other_faults_get_no_hint():
    for verdict in (
        check_dp(A, B, 2),
        check_dp(A, B, 5),
        check_dp(["1/2", "1/2"], ["1/5", "4/5"], 2),  # of two numbers each is 1 minus the other: no sign of a divisor
        check_dp(renormalised(()), renormalised("a"), 2, delta="1/1000000"),
        check_mechanism(lambda d: noisy_count(d, alpha="1/3"), "a", 2),
        check_mechanism(lambda d: noisy_count(d, epsilon=1), "a", epsilon=1),
    ):
        assert verdict.hint == "" and "clamped" not in str(verdict)
