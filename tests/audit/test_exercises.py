"""The mathematics that the exercises of chapter 17 rely on, held against the library."""

from fractions import Fraction
from math import comb

import pytest

from fdpedu.audit import Bet
from fdpedu.audit.betting import STAKES
from fdpedu.claims.audit.bets import within
from fdpedu.claims.audit.wealth import ever
from fdpedu.exercises.audit.delta import found as judged
from fdpedu.exercises.audit.delta import is_private
from fdpedu.exercises.audit.stop import critical, false_alarm
from fdpedu.exercises.audit.stop import found as stopped
from fdpedu.exercises.catalogue import find
from tests.support.exercises import cases_of


@pytest.mark.claim("lem-guess")
def test_a_guess_is_right_as_often_as_the_claim_allows_at_most():
    """For the least e^ε that both laws keep to; and for three outputs, as the exercise has them."""
    for (p, q, _, _), share in cases_of("audit-guess"):
        ratios = [max(a, b) / min(a, b) for a, b in zip(p, q, strict=True) if min(a, b)]
        if all((a == 0) == (b == 0) for a, b in zip(p, q, strict=True)):
            assert share <= max(ratios) / (1 + max(ratios))


@pytest.mark.claim("thm-two-sided-bet")
def test_the_gambler_s_account_is_one_of_the_library_s_64():
    """The mean over the stakes of the library, of the account that the exercise asks for, is the wealth."""
    account = find("audit-wealth").reference
    for guesses in (["right"] * 3 + ["wrong"], ["none", "wrong", "right"], []):
        odds = Fraction(1, 3)
        mean = sum(account(guesses, odds, u) for u in STAKES) / len(STAKES)
        assert mean == Bet(odds).wealth(guesses.count("right"), guesses.count("wrong"), guesses.count("none"))


@pytest.mark.claim("thm-two-sided-bet")
def test_a_guess_pays_exactly_at_the_outputs_of_the_event():
    """A stake on one output alone gains on average iff the output is in the list."""
    for (p, q, factor), (ones, zeros) in cases_of("audit-event"):
        for k in range(len(p)):
            assert (k in ones) == (q[k] / factor - p[k] > 0) and (k in zeros) == (p[k] / factor - q[k] > 0)


@pytest.mark.claim("thm-ville")
def test_a_p_value_breaks_its_word_and_a_wealth_does_not():
    """The risk by walking through all sequences; the same walk with wealth stays below 1/10."""
    fair = Fraction(1, 2), Fraction(1, 2), Fraction(0)
    for runs in (1, 5, 12, 25):
        assert false_alarm(runs) == ever(lambda n: n[0] >= critical(sum(n)), fair, runs)
        assert ever(lambda n: Bet(Fraction(1)).reaches(10, *n), fair, runs) <= Fraction(1, 10)
    for n in (4, 9, 30):
        tails = [Fraction(sum(comb(n, j) for j in range(k, n + 1)), 2**n) for k in (critical(n), critical(n) - 1)]
        assert tails[0] <= Fraction(1, 10) < tails[1]
    words = [stopped(n)[0] for n in range(1, 60)]
    assert words == sorted(words, key=["fine", "above", "fails"].index) and {"fine", "above", "fails"} == {*words}


@pytest.mark.claim("thm-epsilon-sequence")
def test_the_bound_is_the_first_that_stands():
    for (claims, alpha), bound in cases_of("audit-bound"):
        assert all(wealth * alpha >= 1 for epsilon, wealth in claims if epsilon < bound)
        assert dict(map(tuple, claims))[bound] * alpha < 1


@pytest.mark.claim("thm-approximate-bet")
def test_a_pair_with_a_delta_is_judged_as_the_register_does():
    """On a lattice of twentieths: two laws of two outputs, e^ε = 2 and δ = 2/20."""
    for p in range(21):
        for q in range(21):
            if p + q:
                private = is_private(Fraction(p, 20), Fraction(q, 20))
                assert private == within((p, 20 - p), (q, 20 - q), 2, 2)
                fails = private and 3 * q > 2 * (p + q)
                assert (judged([Fraction(p, 20), Fraction(q, 20)])[0] == "fails") == fails
