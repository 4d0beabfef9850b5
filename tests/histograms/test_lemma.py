"""Algorithm 3 and what it costs: many classes, one record in another's place, p features, and an attack."""

from fractions import Fraction
from itertools import product

import pytest

from fdpedu.accounting import Ledger
from fdpedu.claims.histograms import laws
from fdpedu.claims.histograms import laws_membership as law
from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.exact import Enclosure
from fdpedu.federation import ClassHistogram, Federation, NodeHistograms, Party
from fdpedu.histograms import MembershipTest, membership_test, private_histogram
from fdpedu.randomness import Rehearsal, ZeroWords

DOMAIN = Domain([Numeric.grid("age", 0, 90, bins=3), Categorical("ward", ("A", "B"))], ("well", "ill", "cured"))
ROWS = [[10, "A", "ill"], [40, "B", "cured"], [85, "A", "well"], [41, "B", "cured"]]


def federation(rng, budget=10, **options):
    return Federation([Party(ROWS[:1], DOMAIN), Party(ROWS[1:], DOMAIN)], DOMAIN, Ledger(budget), rng=rng, **options)


def test_one_histogram_of_three_classes():
    """By name and by position, everywhere and in a region; each costs its ε, and one round."""
    asked = federation(ZeroWords())
    assert private_histogram(asked, "age", "1/3").tolist() == [[0, 1, 0], [0, 0, 2], [1, 0, 0]]
    assert private_histogram(asked, 1, "1/3").tolist() == [[1, 1, 0], [0, 0, 2]]
    assert private_histogram(asked, "ward", 1, DOMAIN.everything.restrict(0, [1, 2])).tolist() == [[1, 0, 0], [0, 0, 2]]
    assert asked.ledger.spent == Fraction(5, 3) and asked.rounds == 3


def test_its_noise_is_that_of_the_query():
    """From the same words: what the federation releases for the query, of the stated ε."""
    for epsilon in ("1/10", Fraction(2)):
        query = ClassHistogram(DOMAIN.everything, epsilon, 1)
        (released,) = federation(Rehearsal(5)).release([query])
        assert private_histogram(federation(Rehearsal(5)), "ward", epsilon).tolist() == released.tolist()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((None, 0, 1), "federation must be a Federation, got NoneType"),
        ((..., 0, 0), "epsilon must be greater than 0, got 0"),
        ((..., 0, "x"), "epsilon must be a finite number (an int, a Fraction, a decimal, or text like '1/3'), got 'x'"),
        ((..., 2, 1), "feature must be a position from 0 to 1"),
    ],
)
def test_what_cannot_be_asked_is_refused(arguments, message):
    asked = federation(ZeroWords())
    with pytest.raises(ValueError) as refused:
        private_histogram(*(asked if value is ... else value for value in arguments))
    assert str(refused.value) == message and asked.ledger.spent == 0


@pytest.mark.claim("thm-histogram")
@pytest.mark.parametrize("query", laws.unit_queries(DOMAIN, DOMAIN.everything.restrict(0, [0, 2])))
def test_one_record_of_many_classes(query):
    for record in ([10, "B", "cured"], [40, "B", "well"], [90, "A", "ill"]):
        laws.inequality(DOMAIN, query, ROWS, record)


@pytest.mark.claim("thm-histogram-substitution")
@pytest.mark.parametrize("query", laws.unit_queries(DOMAIN, DOMAIN.everything.restrict(0, [0, 2])))
def test_one_record_in_another_s_place(query):
    """In the same cell, in another bin, class or ward, and in a bin that is not counted."""
    others = [[11, "B", "cured"], [80, "B", "cured"], [10, "B", "ill"], [10, "A", "cured"], [40, "B", "cured"]]
    for instead in others:
        law.substitution(DOMAIN, query, ROWS, [10, "B", "cured"], instead)


@pytest.mark.claim("thm-node-histograms")
@pytest.mark.parametrize(("p", "classes"), list(product((1, 3, 20), (2, 4))))
def test_p_histograms_cost_p(p, classes):
    law.exact_factor(p, classes)
    law.attack(p, classes)


@pytest.mark.claim("thm-node-histograms")
@pytest.mark.parametrize("p", [1, 2, 7])
def test_undivided_budgets_are_refused_and_refuted(p):
    law.undivided_refused(p, Fraction(1, 3))
    law.undivided(p, Fraction(1, 3))


@pytest.mark.claim("thm-node-histograms")
def test_votes_over_all_outcomes():
    for p, alpha in product((1, 3), (Fraction(1, 7), Fraction(3, 4))):
        law.votes_by_enumeration(p, alpha)


def test_the_attack_on_real_releases():
    """2,000 seeded rounds with the budget of one histogram for each of ten: as often as stated, within 5 deviations."""
    domain = Domain([Numeric.grid(f"x{j}", 0, 2, bins=2) for j in range(10)], (0, 1))
    record, rounds, votes, rate = [*[2] * 10, 1], 2000, 7, Fraction(1, 2)
    expected = membership_test(10, votes, rate)
    frequencies = []
    for rows, promised in (([record], expected.true_positives), ([], expected.false_positives)):
        asked = Federation(
            [Party(rows, domain), Party([], domain)], domain, Ledger(10**6), rng=Rehearsal(7), tolerate=0
        )
        query = NodeHistograms(domain.everything, 10 * rate)
        said = 0
        for answer in asked.release([query] * rounds):
            said += int((answer.reshape(10, 2, 2)[:, 1, 1] > 0).sum()) >= votes
        deviation = (float(promised) * (1 - float(promised)) / rounds) ** 0.5
        assert abs(said / rounds - float(promised)) < 5 * deviation
        frequencies.append(said / rounds)
    assert frequencies[0] > 5 * frequencies[1] > 0  # where e^(1/2) = 1.65 was claimed for all ten


def test_the_test_in_numbers():
    """Exact with α, enclosed with ε; ratio e^(p·ε) of all votes, and 1 of none."""
    assert membership_test(1, 1, alpha="1/3") == MembershipTest(Fraction(3, 4), Fraction(1, 4))
    assert membership_test(3, 2, alpha="1/2") == MembershipTest(Fraction(20, 27), Fraction(7, 27))
    assert membership_test(2, 0, alpha="1/2").ratio == 1 and membership_test(5, 5, alpha="1/3").ratio == 243
    enclosed = membership_test(2, 2, 1)
    assert isinstance(enclosed.ratio, Enclosure) and enclosed.ratio.upper - enclosed.ratio.lower < 1e-30
    assert abs(enclosed.ratio.upper - Fraction("7.389056098930650227230427460575")) < 1e-29
    assert abs(float(enclosed.true_positives) - (1 / (1 + 2.718281828459045**-1)) ** 2) < 1e-12
    assert membership_test(1000, 1000, alpha="1/2").ratio == 2**1000


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((0, 0, 1), "n_features must be an integer ≥ 1, got 0"),
        ((1001, 0, 1), "n_features must be at most 1000, got 1001"),
        ((2, -1, 1), "votes must be an integer ≥ 0, got -1"),
        ((2, 3, 1), "votes must be at most 2, got 3"),
        ((2, 1, 0), "epsilon must be greater than 0, got 0"),
        ((2, 1), "give exactly one of epsilon and alpha (alpha = e^(−epsilon/sensitivity))"),
    ],
)
def test_no_such_test(arguments, message):
    with pytest.raises(ValueError) as refused:
        membership_test(*arguments)
    assert str(refused.value) == message
