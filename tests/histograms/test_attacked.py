"""What an attack on chapter 7 found, and what planted faults had survived: features, rounds and classes further on."""

from fractions import Fraction

import numpy as np
import pytest

from fdpedu.accounting import Derivation, Ledger
from fdpedu.claims.histograms import laws_edges as law
from fdpedu.domain import Domain, Numeric
from fdpedu.exact import Rate
from fdpedu.federation import Federation, Party
from fdpedu.histograms import (
    combined_derivation,
    impurity_as_printed,
    impurity_from_counts,
    joint_sensitivity,
    joint_utility,
    negative_choices,
    private_quantile_domain,
    round_with_sums,
)
from fdpedu.histograms.joint import Chain
from fdpedu.randomness import Rehearsal, ZeroWords

HALF = Fraction(1, 2)
CLASSES = ("a", "b")


def grids(*names, bins=8):
    return [Numeric.grid(name, 0, bins, bins=bins) for name in names]


def test_the_last_fine_bin_alone():
    fine = Domain(grids("age", bins=10), CLASSES)
    coarse = Domain([Numeric("age", (0, 1, 9, 10))], CLASSES)
    ends = [(coarse.everything.restrict(0, [code]), Fraction(1, 2 + code)) for code in (0, 1, 2)]
    law.paid_twice(fine, coarse, [(fine.everything.restrict(0, [9]), Fraction(1))], ends, (1, 1))


def test_the_third_numeric_feature():
    fine = Domain(grids("x", "y", "z"), CLASSES)
    coarse = Domain([fine.features[0], Numeric("y", (0, 3, 8)), Numeric("z", (0, 2, 7, 8))], CLASSES)
    second = [(coarse.everything.restrict(2, [code]), Fraction(1, 3 + code)) for code in (0, 1, 2)]
    law.paid_twice(fine, coarse, [(fine.everything.restrict(2, [7, 2]), Fraction(1))], second, (1, 1))


def test_features_in_another_order_are_another_domain():
    x, y = grids("x", "y")
    domains = [Domain(features, CLASSES) for features in ([x, y], [y, x])]
    parts = [law._derivation(domain, [(domain.everything, Fraction(1))], 1) for domain in domains]
    with pytest.raises(ValueError, match="same order"):
        combined_derivation(*parts)


def test_rounds_go_on_after_the_last_one():
    """A derivation whose only round is its fourth: the second's are 5, 6, …, and not 2, 3, …"""
    domain = Domain(grids("x"), CLASSES)
    whole = law._derivation(domain, [(domain.everything, Fraction(1))] * 4, 1)
    (account,) = whole.content["proof"]["premises"]
    last = {**account, "premises": account["premises"][3:], "rule": "sequential", "epsilon": "1"}
    late = Derivation({**whole.content, "proof": {**whole.content["proof"], "premises": [last]}}, domain)
    assert [step["round"] for _, step in combined_derivation(late, whole).releases()] == [4, 5, 6, 7, 8]


def test_a_derivation_with_another_domain_is_refused():
    fine, coarse = Domain(grids("age", bins=4), CLASSES), Domain([Numeric("age", (0, 2, 4))], CLASSES)
    part = law._derivation(fine, [(fine.everything.restrict(0, [2]), Fraction(1))], 1)
    for wrong in (coarse, None):
        with pytest.raises(ValueError, match="domain"):
            combined_derivation(part, Derivation(part.content, wrong))


def test_what_is_combined_stays_as_it_was():
    domain = Domain(grids("x"), CLASSES)
    first = law._derivation(domain, [(domain.everything, Fraction(1))], 1)
    before, both = first.to_json(), combined_derivation(first, first)
    both.content["proof"]["premises"].clear()
    assert first.to_json() == before


@pytest.mark.claim("lem-joint-quantile-sensitivity")
def test_the_joint_sensitivity_for_every_number_of_bins():
    """Attained where there is no record, and one comes."""
    for bins in range(2, 257):
        places, nobody = list(range(1, bins)), [0] * bins
        moved = joint_utility(nobody, places) - joint_utility([*nobody[:-1], 1], places)
        assert moved == joint_sensitivity(bins) == 2 * (bins - 1)


@pytest.mark.parametrize("gap", [2**20 - 1, 2**20 + 5, 10**9 + 77, 2**36 + 3])
def test_powers_of_large_gaps_are_enclosed(gap):
    chain = Chain([1, 1], 2, Rate(rate=Fraction(1, 10**9)))
    (low, high), truth = chain._power(100)(gap), chain.rate.power(gap, 60)
    assert Fraction(low, 2**100) <= truth.upper and truth.lower <= Fraction(high, 2**100) and high - low <= 4


def test_each_of_six_classes_is_rounded_for_itself():
    table = np.random.default_rng(1).normal(5, 4, (7, 6))
    parents = [-1, 0, 0, 1, 1, 2, 2]
    alone = [round_with_sums(parents, table[:, c]).tolist() for c in range(6)]
    assert alone == round_with_sums(parents, table).T.tolist()


@pytest.mark.parametrize("call", [impurity_from_counts, impurity_as_printed])
def test_what_is_no_number_is_refused_in_an_array_too(call):
    with pytest.raises(ValueError, match="counts must"):
        call(np.array([[np.nan, 1], [1, 2]]))


def test_a_run_in_which_every_border_divides_by_nothing_rests_on_nothing():
    assert negative_choices([[[0, 0], [0, 0]]], 50, 10, Rehearsal(1)) == 0


def test_edges_are_not_paid_for_where_there_are_none():
    """Categories have no edges: nothing is charged for them, and nothing at all if there is nothing else."""
    domain = Domain.from_spec({"features": {"ward": ["A", "B"]}, "classes": ["ill", "well"]})
    parties = [Party([["A", "ill"]], domain) for _ in range(2)]
    asked = Federation(parties, domain, Ledger(1), rng=ZeroWords())
    with pytest.raises(ValueError, match="numeric feature"):
        private_quantile_domain(asked, HALF, 4)
    assert asked.ledger.spent == 0 and asked.rounds == 0
