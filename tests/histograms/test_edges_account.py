"""One account of edges and tree: checked as a whole, by the independent checker."""

from fractions import Fraction

import pytest

from fdpedu.accounting import Derivation, Ledger, check_derivation
from fdpedu.claims.histograms import laws_edges as law
from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.federation import Federation, Party
from fdpedu.histograms import combined_derivation, private_quantile_domain
from fdpedu.trees import fit_federated_tree

FINE = Domain([Numeric.grid("age", 0, 100, bins=50), Categorical("ward", ("A", "B", "C"))], ("well", "ill"))
COARSE = Domain([Numeric("age", (0, 20, 60, 100)), FINE.features[1]], FINE.classes)
ROWS = [[[5, "A", "ill"], [61, "C", "well"]] * 9, [[33, "B", "ill"], [20, "A", "well"]] * 9, []]


def two_stages(tolerate=(1, 1)):
    """Edges, and a tree on them."""
    first, second = Ledger("1/4"), Ledger("3/4")
    edges = Federation([Party(rows, FINE) for rows in ROWS], FINE, first, tolerate=tolerate[0])
    coarse = private_quantile_domain(edges, "1/4", 4)
    growth = Federation([Party(rows, coarse) for rows in ROWS], coarse, second, tolerate=tolerate[1])
    fit_federated_tree(growth, max_depth=2, min_samples_split=0)
    return first.derivation(), second.derivation()


@pytest.mark.claim("thm-quantile-edges")
def test_records_pay_the_sum():
    """An edge at 20 takes 0 < x ≤ 20, so bins 0 to 9 of the fine grid; charges on sides, wards and a class."""
    fine = Domain([Numeric.grid("age", 0, 100, bins=10), FINE.features[1]], FINE.classes)
    young, old = (COARSE.everything.restrict(0, codes) for codes in ([0], [1, 2]))
    second = [(COARSE.everything, Fraction(1, 3)), (young, Fraction(1, 5)), (old, Fraction(1, 7))]
    second += [(young.restrict(1, [0, 2]), Fraction(1, 9)), (old.restrict_class([1]), Fraction(1, 11))]
    first = [(fine.everything, Fraction(1)), (fine.everything.restrict(0, [0, 3]), Fraction(1, 2))]
    law.paid_twice(fine, COARSE, first, second, (2, 3))
    law.paid_twice(fine, fine, first, first, (3, 2))


@pytest.mark.claim("thm-quantile-edges")
@pytest.mark.parametrize("kind", law.KINDS)
def test_other_domains_are_refused(kind):
    law.unlike(kind)


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


@pytest.mark.parametrize(
    ("coarse", "said"),
    [
        ([Numeric("age", (0, 20, 100))], "the same features and classes"),
        ([COARSE.features[0], Categorical("ward", ("A", "C", "B"))], "'ward' must be the same in both"),
        ([Categorical("age", (0, 1)), COARSE.features[1]], "'age' must be the same in both derivations, or numeric"),
        ([COARSE.features[0], Numeric("ward", (0, 1, 2))], "'ward' must be the same in both derivations, or numeric"),
        (
            [Numeric("age", (0, 21, 100)), COARSE.features[1]],
            "edges of 'age' must be among the first's, the outer ones",
        ),
        ([Numeric("age", (0, 20, 98)), COARSE.features[1]], "edges of 'age' must be among the first's, the outer ones"),
        (
            [Numeric("age", (2, 20, 100)), COARSE.features[1]],
            "edges of 'age' must be among the first's, the outer ones",
        ),
    ],
)
def test_what_is_not_made_of_the_first(coarse, said):
    domains = FINE, Domain(coarse, FINE.classes)
    parts = [law._derivation(domain, [(domain.everything, Fraction(1))], 1) for domain in domains]
    with pytest.raises(ValueError, match=said):
        combined_derivation(*parts)


def test_other_things_are_refused():
    first, _ = two_stages()
    with pytest.raises(ValueError, match="first must be a Derivation, got str"):
        combined_derivation(first.to_json(), first)
    with pytest.raises(ValueError, match="second must be a Derivation, got Ledger"):
        combined_derivation(first, Ledger(1))
    forged = Derivation({**first.content, "budget": "1/5"}, FINE)
    for pair in ((forged, first), (first, forged)):
        with pytest.raises(ValueError, match=r"more than the budget|adaptive rule"):
            combined_derivation(*pair)
