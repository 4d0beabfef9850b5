"""What an attack on lower bounds and their account tried: regions record by record, and a query changed after it."""

import random
from fractions import Fraction
from itertools import product

import pytest

from fdpedu.accounting import Charge
from fdpedu.accounting.region_tree import RegionTree
from fdpedu.bounds import fit_saving_tree
from fdpedu.cart import local_impurity_steps
from fdpedu.claims.federations import federate
from fdpedu.domain import Categorical, Domain, Numeric, Region
from fdpedu.federation import NodeBounds
from fdpedu.randomness import ZeroWords

SMALL = Domain([Numeric.grid("x", 0, 3, bins=3), Categorical("w", ("A", "B", "C"))], ("a", "b"))
RECORDS = list(product(range(3), range(3), range(2)))


def held(region):
    """The records that lie in a region, one by one."""
    masks = (*region.features, region.classes)
    return {record for record in RECORDS if all(mask >> code & 1 for mask, code in zip(masks, record, strict=True))}


def part(mask, rng):
    return mask & rng.randrange(1, 8) or mask


def some_region(regions, rng):
    """Any region, or one of those that are there with one coordinate cut: often nested, often not."""
    around = rng.choice([SMALL.everything, *regions])
    masks, j = [*around.features, around.classes], rng.randrange(3)
    masks[j] = part(masks[j], rng)
    if rng.random() < 0.3:
        masks[j - 1] = part(masks[j - 1], rng)
    return Region(tuple(masks[:2]), masks[2])


@pytest.mark.parametrize("seed", range(60))
def test_a_tree_of_regions_accepts_what_is_nested_or_apart_and_sums_what_a_record_pays(seed):
    """Compared with the records: a region is accepted iff each other one holds it, lies in it, or shares no record."""
    rng, tree, paid = random.Random(seed), RegionTree[Charge](), []
    for k in range(9):
        region = some_region([other for other, _ in paid], rng)
        here, others = held(region), [held(other) for other, _ in paid]
        fits = all(here <= other or other <= here or not here & other for other in others)
        assert tree.insert(region) is fits
        if fits:
            cost = Fraction(rng.randrange(1, 9), 4)
            tree.add([((k + 1, 1), Charge(region, cost, "counts", "any", 1, "thm-histogram", 1, "any"))])
            paid.append((region, cost))
        of_record = {z: sum(cost for other, cost in paid if z in held(other)) for z in RECORDS}
        assert tree.max_descendant_cost() == max(of_record.values())
        for other, _ in paid:
            assert tree.path_cost(other) == max(of_record[z] for z in held(other))


def test_a_region_that_holds_one_and_crosses_another_has_no_place():
    """The codes {0, 1} hold {0}, and cross {1, 2} with the category B: not all that it meets lies in it."""
    whole, tree = SMALL.everything, RegionTree[Charge]()
    first, second = whole.restrict(0, [0]), whole.restrict(0, [1, 2]).restrict(1, [1])
    assert tree.insert(first) and tree.insert(second)
    assert not tree.insert(whole.restrict(0, [0, 1])) and tree.children[None] == (first, second)
    assert tree.insert(whole) and tree.children[whole] == (first, second)


@pytest.mark.parametrize("lattice", [0, -4, True, 4.0, 2**16 + 1, None])
def test_a_lattice_that_was_changed_after_it_was_read_is_refused_before_it_is_asked(lattice):
    """The sensitivity is the lattice: of one that is 0 or below, the noise would be none."""
    bounds = NodeBounds(SMALL.everything, 1, 4)
    bounds.check(SMALL)
    object.__setattr__(bounds, "lattice", lattice)
    with pytest.raises(ValueError, match="lattice must be an integer from 1 to 65536"):
        bounds.check(SMALL)


@pytest.mark.parametrize("c", [7_586_713_596, 8_741_889_378, 193_995_355_336, 15_737_609_607_210])
def test_an_empty_first_bin_changes_nothing_of_many_rows(c):
    """What floats may be wrong by is that of all rows, not of those before the first border."""
    table = [[3 * c - 1, c - 1], [1, 1], [1, 1], [c - 1, 3 * c - 1]]
    four, five = (Domain([Numeric.grid("x", 0, n, bins=n)], ("a", "b")) for n in (4, 5))
    expected = local_impurity_steps(table, four, 1).tolist()
    assert expected == [3 * c // 2 - 1] == local_impurity_steps([[0, 0], *table], five, 1).tolist()


def test_a_tree_says_how_many_parties_and_colluders_its_noise_is_for():
    tree = fit_saving_tree(federate([[]] * 4, SMALL, 1, ZeroWords(), tolerate=2), max_depth=1)
    assert (tree.n_parties, tree.tolerate) == (4, 2)
