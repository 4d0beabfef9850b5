"""Trees of regions, and the sizes of what is written of them, by looking at every record and at every text."""

import json
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.accounting import Ledger
from fdpedu.accounting.limits import size_at_most, surely_accepted
from fdpedu.accounting.region_tree import RegionTree
from fdpedu.accounting.size import Size, of_names, of_release, of_texts
from fdpedu.accounting.worked.by_hand import columns_in_parallel, theorem_6
from fdpedu.claims import REGISTER
from fdpedu.claims.accounting.laws import charge, paid
from fdpedu.claims.strategies import heaps_of_charges, trees_of_charges
from fdpedu.domain import Categorical, Domain, Numeric
from tests.support.accounting import WARDS, ward


def planted(bookings):
    tree = RegionTree()
    for i, (region, epsilon) in enumerate(bookings, 1):
        assert tree.insert(region)
        tree.add([((1, i), charge(region, epsilon))])
    return tree


@settings(max_examples=60, deadline=None)
@given(trees_of_charges())
def test_what_a_tree_says_that_records_pay(case):
    """At all, inside a region, in a region or what meets it: the most of all records there."""
    domain, bookings = case
    tree = planted(bookings)
    assert tree.max_descendant_cost() == paid(domain, bookings)
    for region, _ in bookings:
        inside = [(r, e) for r, e in bookings if region.contains(r) and r != region]
        touching = [(r, e) for r, e in bookings if not r.is_disjoint(region)]
        assert tree.max_descendant_cost(region) == (paid(domain, inside) if inside else 0)
        assert tree.path_cost(region) == tree.max_descendant_cost(meeting=region) == paid(domain, touching)
        assert tree.local_cost(region) == sum(e for r, e in bookings if r == region)


@settings(max_examples=60, deadline=None)
@given(trees_of_charges())
def test_parents_and_children_are_the_nearest_regions(case):
    """However they come: a region's parent is the smallest around it, and children are those whose parent it is."""
    _, bookings = case
    tree, regions = planted(bookings), {region for region, _ in bookings}
    for region in regions:
        around = [r for r in regions if r != region and r.contains(region)]
        assert tree.parent[region] == min(
            around, key=lambda r: sum(r.contains(other) for other in around), default=None
        )
    for above in (None, *regions):
        assert {r for r, parent in tree.parent.items() if parent == above} == set(tree.children[above])
        assert len(set(tree.children[above])) == len(tree.children[above])
    below = tree.downwards()
    assert below[0] is None and set(below[1:]) == regions and len(below) == len(regions) + 1
    assert all(below.index(tree.parent[r]) < below.index(r) for r in regions)
    booked = sorted((index, each.epsilon) for r in regions for index, each in tree.charges[r])
    assert booked == [((1, i), epsilon) for i, (_, epsilon) in enumerate(bookings, 1)]


@settings(max_examples=60, deadline=None)
@given(heaps_of_charges())
def test_a_region_that_overlaps_is_turned_away_and_nothing_changes(case):
    """It is turned away only if it overlaps one that is there, and a copy does not see what is added later."""
    tree = RegionTree("book")
    for i, (region, epsilon) in enumerate(case[1], 1):
        before, there = tree.copy(), list(tree.parent)
        crossing = [r for r in there if not (r.is_disjoint(region) or r.contains(region) or region.contains(r))]
        assert tree.insert(region) is not bool(crossing)
        if crossing:
            assert tree == before
            continue
        tree.add([((1, i), charge(region, epsilon))])
        assert before.account == "book" and before != tree and list(before.parent) == there
        assert tree.denominator % epsilon.denominator == 0 and tree.denominator % before.denominator == 0


def test_a_denominator_is_no_longer_kept_up_beyond_400_digits():
    tree = planted([(ward(0), Fraction(1, 3)), (ward(0), Fraction(1, 4)), (ward(1), Fraction(1, 10**399))])
    assert tree.denominator == 12 * 10**399 // 4
    tree.add([((1, 4), charge(ward(1), Fraction(1, 7 * 10**399)))])
    assert tree.denominator == 21 * 10**399
    tree.add([((1, 5), charge(ward(1), Fraction(1, 11 * 10**398))), ((1, 6), charge(ward(1), Fraction(1, 13)))])
    assert tree.denominator == 21 * 10**399  # of 401 digits already


# Sizes


@given(st.lists(st.text(max_size=9), max_size=3), st.lists(st.integers(0, 10**30), max_size=3))
def test_texts_and_numbers_are_measured_as_they_are_written(texts, numbers):
    written = [json.dumps(text, ensure_ascii=False) for text in texts]
    size = of_texts(*texts)
    brackets = sum(text.count("[") + text.count("{") for text in written)
    assert size == (sum(map(len, written)), brackets, sum(text.count('"') for text in written))
    bare, whole = of_release((), ()), of_release(tuple(texts), tuple(numbers))
    digits = whole.characters - bare.characters - size.characters
    assert sum(len(str(number)) for number in numbers) <= digits <= sum(1.2 * len(str(n)) + 4 for n in numbers)
    assert whole[1:] == (bare.brackets + size.brackets, bare.quotes + size.quotes)
    assert Size(1, 2, 3).plus(size, 2) == tuple(a + 2 * b for a, b in zip((1, 2, 3), size, strict=True))


def test_a_region_is_named_by_what_differs():
    """In a coordinate that differs its codes are written; what is the same is not written."""
    assert of_names(ward(0, 1), ward(0, 1)) == Size() and of_names(ward(0), ward(0, 1)) == (12 + 4, 1, 2)
    assert of_names(ward(0, 1), None) == (2 * 12 + 4 * (2 + 2), 2, 4)


@pytest.mark.parametrize("length", [1, 4000])
def test_the_names_of_features_count(length):
    """A domain's features are written with their names, and in the bound they are, too."""
    domain = Domain([Categorical(f"{'x' * length} {j}", (0, 1)) for j in range(9)], (0, 1))
    ledger = Ledger(1, domain=domain)
    ledger.charge([charge(domain.everything, "1/2")])
    text, bound = ledger.derivation().to_json(), size_at_most(ledger._region_trees, domain, ledger.budget)
    assert len(text) <= bound.characters <= 1.5 * len(text) + 300
    assert text.count('"') <= bound.quotes <= 1.5 * text.count('"') + 60


def test_nothing_is_sure_of_long_totals_or_deep_regions():
    """Bounds leave it open when a total may have more than 400 digits, or regions may be nested too deep."""
    short, long = (planted([(ward(0), Fraction(1, d))]) for d in (3, 10**399))
    assert surely_accepted([short], WARDS, Fraction(1)) and not surely_accepted([short], WARDS, Fraction(10**400))
    assert surely_accepted([long], WARDS, Fraction(1)) and not surely_accepted([long, short], WARDS, Fraction(4))
    grid = Domain([Numeric.grid("x", 0, 200, bins=200)], (0, 1))
    nested = [(grid.everything.restrict(0, range(200 - level)), Fraction(1, 200)) for level in range(100)]
    assert surely_accepted([planted(nested[:98])], grid, Fraction(9))
    assert not surely_accepted([planted(nested[:99])], grid, Fraction(9))


# Derivations by hand


def test_what_is_derived_by_hand_names_claims_of_the_register():
    """Every release states a claim of the book; a histogram of each column in parallel says all that a ledger would."""
    domain = Domain([Numeric.grid(name, 0, 4, bins=4) for name in ("x", "z")], ("a", "b"))
    derivations = theorem_6(domain, None, epsilon=1, max_depth=2), columns_in_parallel(domain, "1/2")
    claims = []
    for derivation in derivations:
        derivation.total(lambda step: claims.append(step["claim"]) or 0)
    assert set(claims) == {"thm-histogram", "thm-node-histograms"} <= set(REGISTER)
    (proof,) = derivations[1].content["proof"]["premises"]
    assert [step["query"] for step in proof["premises"]] == [f"class × bin histogram of {name}" for name in ("x", "z")]
    (only,) = columns_in_parallel(domain, "1/2", [1]).content["proof"]["premises"][0]["premises"]
    common = {"rule": "release", "round": 1, "mechanism": "discrete Laplace", "releases": 1, "sensitivity": 1}
    cost = {"rate": "1/2", "epsilon": "1/2", "region": {}, "colluders": 0, "claim": "thm-histogram"}
    assert only == {**common, **cost, "index": 1, "query": "class × bin histogram of z"}
    assert {key: proof[key] for key in ("rule", "epsilon", "region")} == {
        "rule": "parallel", "epsilon": "1/2", "region": {},
    }  # fmt: skip
