"""Trees of regions, by looking at every record."""

from fractions import Fraction

from hypothesis import given, settings

from fdpedu.accounting.cost import NOTHING, Amount
from fdpedu.accounting.region_tree import RegionTree
from fdpedu.claims.accounting.composition import charge
from fdpedu.claims.accounting.filter import paid
from fdpedu.claims.strategies import heaps_of_charges, trees_of_charges
from fdpedu.domain import Categorical, Domain, Numeric
from tests.support.accounting import planted, ward


@settings(max_examples=60, deadline=None)
@given(trees_of_charges())
def test_what_a_tree_says_that_records_pay(case):
    """At all, inside a region, in a region or what meets it: the most of all records there."""
    domain, bookings = case
    tree = planted(bookings)
    assert tree.max_descendant_cost() == Amount(paid(domain, bookings))
    for region, _ in bookings:
        inside = [(r, e) for r, e in bookings if region.contains(r) and r != region]
        touching = [(r, e) for r, e in bookings if not r.is_disjoint(region)]
        assert tree.max_descendant_cost(region) == Amount(paid(domain, inside) if inside else Fraction(0))
        most = Amount(paid(domain, touching))
        assert tree.path_cost(region) == tree.max_descendant_cost(meeting=region) == most
        assert tree.local_cost(region) == Amount(sum(e for r, e in bookings if r == region))


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


def test_a_region_is_named_by_what_it_differs_in():
    """From the region around it as it is now, or from the whole; without a charge it costs nothing."""
    domain = Domain([Categorical(name, tuple(range(12))) for name in "abc"], (0, 1))
    whole, tree = domain.everything, RegionTree()
    inner = whole.restrict(0, {0, 1}).restrict(2, {10, 11})
    assert tree.insert(inner)
    both = len('"0":[0,1],"2":[10,11]')
    assert [tree.named(inner, around) for around in (whole, None)] == [(2, both), (4, both + 46)]
    assert tree.insert(outer := whole.restrict(0, {0, 1}))
    assert tree.named(inner, whole) == (1, len('"2":[10,11]')) and tree.named(outer, whole) == (1, len('"0":[0,1]'))
    assert tree.local_cost(inner) == tree.path_cost(inner) == NOTHING
    assert tree.copy() == tree and tree.named(whole.restrict(0, {0, 1}), whole) == (1, 9)


SMALL = Domain([Numeric.grid("x", 0, 3, bins=3), Categorical("w", ("A", "B", "C"))], ("a", "b"))


def test_a_region_that_holds_one_and_crosses_another_has_no_place():
    """The codes {0, 1} hold {0}, and cross {1, 2} with the category B: not all that it meets lies in it."""
    whole, tree = SMALL.everything, RegionTree()
    first, second = whole.restrict(0, [0]), whole.restrict(0, [1, 2]).restrict(1, [1])
    assert tree.insert(first) and tree.insert(second)
    assert not tree.insert(whole.restrict(0, [0, 1])) and tree.children[None] == (first, second)
    assert tree.insert(whole) and tree.children[whole] == (first, second)
