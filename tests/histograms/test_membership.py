"""The attack on undivided budgets: votes over all outcomes, on real releases, and in numbers."""

from fractions import Fraction

from fdpedu.accounting import Ledger
from fdpedu.domain import Domain, Numeric
from fdpedu.exact import Enclosure
from fdpedu.federation import Federation, NodeHistograms, Party
from fdpedu.histograms import MembershipTest, membership_test
from fdpedu.randomness import Rehearsal


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
