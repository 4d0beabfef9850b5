"""One account of edges and tree: checked as a whole, by the independent checker."""

from fractions import Fraction

import pytest

from fdpedu.accounting import Derivation, Ledger, check_derivation
from fdpedu.claims.histograms import edges as topic
from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.federation import Federation, Party
from fdpedu.histograms import combined_derivation, private_quantile_domain
from fdpedu.trees import fit_federated_tree

FINE = Domain([Numeric.grid("age", 0, 100, bins=50), Categorical("ward", ("A", "B", "C"))], ("well", "ill"))
ROWS = [[[5, "A", "ill"], [61, "C", "well"]] * 9, [[33, "B", "ill"], [20, "A", "well"]] * 9, []]


def two_stages(tolerate=(1, 1)):
    """Edges, and a tree on them."""
    first, second = Ledger("1/4"), Ledger("3/4")
    edges = Federation([Party(rows, FINE) for rows in ROWS], FINE, first, tolerate=tolerate[0])
    coarse = private_quantile_domain(edges, "1/4", 4)
    growth = Federation([Party(rows, coarse) for rows in ROWS], coarse, second, tolerate=tolerate[1])
    fit_federated_tree(growth, max_depth=2, min_samples_split=0)
    return first.derivation(), second.derivation()


def test_a_tree_on_private_edges_is_one_document():
    """ε = 1/4 + 3/4, checked from the text; every release is in it once, the second's rounds after the first's."""
    first, second = two_stages((2, 1))
    both = combined_derivation(first, second)
    guarantee = check_derivation(both.to_json())
    assert guarantee == both.guarantee
    assert (guarantee.value, guarantee.colluders, guarantee.adaptive) == (1, 1, True)
    assert guarantee.spent == first.spent + second.spent and both.domain == FINE
    rounds = [step["round"] for _, step in both.releases()]
    assert sorted(rounds) == [1, *sorted(1 + step["round"] for _, step in second.releases())]
    assert Derivation.from_json(both.to_json(), FINE).guarantee == guarantee
    assert "= 1/4 +" in both.render()


def test_three_stages():
    """A combined account is the first part of another: three rounds of edges, numbered on."""
    first, second = two_stages()
    thrice = combined_derivation(first, combined_derivation(first, first))
    assert thrice.guarantee.value == Fraction(3, 4)
    assert [step["round"] for _, step in thrice.releases()] == [1, 2, 3]
    assert combined_derivation(thrice, second).guarantee.value == Fraction(3, 2)


def test_randomness_of_both_is_stated():
    first, second = two_stages()
    seeded = Derivation({**second.content, "randomness": ["seeded generator"]}, second.domain)
    both = combined_derivation(first, seeded)
    assert both.content["randomness"] == ["operating system", "seeded generator"]
    assert combined_derivation(first, second).content["randomness"] == ["operating system"]


def test_a_proof_without_an_adaptive_step_is_read_too():
    """Where costs were fixed beforehand, the guarantee is what was spent, and that is what is added."""
    first, second = two_stages()
    release = first.content["proof"]["premises"][0]
    guarantee = {**first.content["guarantee"], "value": "1/4"}
    fixed = Derivation({**first.content, "budget": "9", "proof": release, "guarantee": guarantee}, FINE)
    assert fixed.guarantee.value == Fraction(1, 4) and not fixed.guarantee.adaptive
    assert combined_derivation(fixed, second).guarantee.value == 1


def test_a_forged_derivation_is_refused():
    first, _ = two_stages()
    forged = Derivation({**first.content, "budget": "1/5"}, FINE)
    for pair in ((forged, first), (first, forged)):
        with pytest.raises(ValueError, match=r"more than the budget|adaptive rule"):
            combined_derivation(*pair)


CLASSES = ("a", "b")


def grids(*names, bins=8):
    return [Numeric.grid(name, 0, bins, bins=bins) for name in names]


def test_the_last_fine_bin_alone():
    fine = Domain(grids("age", bins=10), CLASSES)
    coarse = Domain([Numeric("age", (0, 1, 9, 10))], CLASSES)
    ends = [(coarse.everything.restrict(0, [code]), Fraction(1, 2 + code)) for code in (0, 1, 2)]
    topic.paid_twice(fine, coarse, [(fine.everything.restrict(0, [9]), Fraction(1))], ends, (1, 1))


def test_the_third_numeric_feature():
    fine = Domain(grids("x", "y", "z"), CLASSES)
    coarse = Domain([fine.features[0], Numeric("y", (0, 3, 8)), Numeric("z", (0, 2, 7, 8))], CLASSES)
    second = [(coarse.everything.restrict(2, [code]), Fraction(1, 3 + code)) for code in (0, 1, 2)]
    topic.paid_twice(fine, coarse, [(fine.everything.restrict(2, [7, 2]), Fraction(1))], second, (1, 1))


def test_features_in_another_order_are_another_domain():
    x, y = grids("x", "y")
    domains = [Domain(features, CLASSES) for features in ([x, y], [y, x])]
    parts = [topic._derivation(domain, [(domain.everything, Fraction(1))], 1) for domain in domains]
    with pytest.raises(ValueError, match="features"):
        combined_derivation(*parts)


def test_rounds_go_on_after_the_last_one():
    """A derivation whose only round is its fourth: the second's are 5, 6, …, and not 2, 3, …"""
    domain = Domain(grids("x"), CLASSES)
    whole = topic._derivation(domain, [(domain.everything, Fraction(1))] * 4, 1)
    (account,) = whole.content["proof"]["premises"]
    last = {**account, "premises": account["premises"][3:], "rule": "sequential", "epsilon": "1"}
    late = Derivation({**whole.content, "proof": {**whole.content["proof"], "premises": [last]}}, domain)
    assert [step["round"] for _, step in combined_derivation(late, whole).releases()] == [4, 5, 6, 7, 8]


def test_a_derivation_with_another_domain_is_refused():
    fine, coarse = Domain(grids("age", bins=4), CLASSES), Domain([Numeric("age", (0, 2, 4))], CLASSES)
    part = topic._derivation(fine, [(fine.everything.restrict(0, [2]), Fraction(1))], 1)
    for wrong in (coarse, None):
        with pytest.raises(ValueError, match="domain"):
            combined_derivation(part, Derivation(part.content, wrong))


def test_what_is_combined_stays_as_it_was():
    domain = Domain(grids("x"), CLASSES)
    first = topic._derivation(domain, [(domain.everything, Fraction(1))], 1)
    before, both = first.to_json(), combined_derivation(first, first)
    both.content["proof"]["premises"].clear()
    assert first.to_json() == before
