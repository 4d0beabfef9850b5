"""Which plan a method has, and what becomes of its parameters, to the last that is taken."""

from dataclasses import replace
from fractions import Fraction
from functools import partial

import pytest

from fdpedu.cart.local_grid import MAX_LATTICE
from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.federation import NodeBounds
from fdpedu.simulation import METHODS, Setting, own_shape
from fdpedu.simulation.methods import needs_epsilon, plan_of
from fdpedu.simulation.parameters import Parameters
from fdpedu.sources.gubler import AsPrinted
from fdpedu.trees import DESIGNS, Design
from fdpedu.trees.designs.owner import Owner
from fdpedu.trees.designs.rotating import Rotating
from tests.support.simulated import SIX, SQUARE, refusal

WARDS = Domain([Categorical("w", ["a", "b", "c"]), Numeric.grid("x", 0, 2, 2)], (0, 1))
MANY = replace(WARDS, classes=(0, 1, 2))


def test_the_last_of_what_plans_are_made_of():
    """ε = 2⁴⁰; depth 12 of a tree that is grown whole, 64 of others; three categories and two classes; no histogram."""
    assert plan_of("default", SQUARE, 2, 2**40, Parameters(12)).costs.leaf == 2**39
    assert plan_of(Design(consistent=False), SQUARE, 2, 1, Parameters(64)).depth == 64
    assert plan_of("algorithm-6", WARDS, 2, 1, Parameters()).n_parties == 2
    assert plan_of("algorithm-6", replace(SQUARE, classes=(0, 1, 2)), 3, 1, Parameters()).n_parties == 3
    assert plan_of("algorithm-6", SQUARE, 2, "1e-9", Parameters(max_depth=0, lattice=2**16)).depth == 0
    assert [name for name in METHODS if not needs_epsilon(name)] == ["central", "local"] and needs_epsilon(Design())


@pytest.mark.parametrize("make", [Parameters, partial(Setting, SIX)], ids=["trees", "settings"])
def test_the_ends_of_each_parameter(make):
    """Taken to the last, by trees and by settings alike."""
    for name, *ends in (
        ("max_depth", 0, 64),
        ("min_samples_split", 0, 2**62),
        ("lattice", 1, 2**16),
        ("tolerate", 0, 10**30),
    ):
        assert [getattr(make(**{name: value}), name) for value in ends] == ends
    for name in ("leaf_share", "bounds_share"):
        assert make(**{name: "999/1000"}) and make(**{name: "1/1000"})


def least_rate(domain, lattice):
    """The ε at which a bound's rate is exactly 2⁻⁴⁰: ¼ of half of it at one level, for p bounds in steps of 1/m."""
    return Fraction(8 * domain.n_features * lattice, 2**40)


@pytest.mark.parametrize("lattice", [1000, 2**16])
def test_the_least_budget_of_bounds(lattice):
    """To the last ε at which the noise of a bound can be drawn."""
    epsilon, given = least_rate(SQUARE, lattice), Parameters(max_depth=1, lattice=lattice)
    assert plan_of("algorithm-6", SQUARE, 2, epsilon, given).lattice == lattice
    assert refusal(plan_of, "algorithm-6", SQUARE, 2, epsilon - Fraction(1, 2**60), given).startswith("epsilon")


def test_what_a_plan_makes_of_its_parameters():
    """Each at its place."""
    given = Parameters(3, 7, "1/3", "1/5", 6)
    six = plan_of("algorithm-6", SQUARE, 4, 9, given)
    assert (six.depth, six.least, six.bounds_share, six.lattice, six.n_parties) == (3, 7, 0.2, 6, 4)
    assert (six.costs.node, six.costs.leaf, six.costs.unspent_to_leaf) == (2, 3, True)
    for flips, name in enumerate(("exponential", "permute-and-flip")):
        plan = plan_of(name, SQUARE, 4, 9, given)
        assert (plan.depth, plan.lattice, plan.flips, plan.costs.node) == (3, 6, bool(flips), 2)
        assert plan.costs.unspent_to_leaf
    five = plan_of(AsPrinted(), SQUARE, 4, 9, replace(given, tolerate=2))
    assert (five.depth, five.least, five.n_parties, five.tolerate, five.costs.node) == (3, 7, 4, 2, 2)
    central, local = (plan_of(name, SQUARE, 4, None, given) for name in ("central", "local"))
    assert (central.depth, central.least, central.party) == (3, 7, None) and local.party == 0
    assert plan_of("central", SQUARE, 4, None, Parameters(min_samples_split=0)).least == 2


def test_designs_as_plans():
    """Early leaves and leaves that read histograms, as the design says."""
    for to_leaf in (False, True):
        plan = plan_of(Design(unspent_to_leaf=to_leaf), SQUARE, 2, 1, Parameters())
        assert plan.costs.unspent_to_leaf is to_leaf
    fresh, reusing = (plan_of(Design(fresh_leaves=own), SQUARE, 2, 1, Parameters()) for own in (True, False))
    assert (type(fresh).__name__, type(reusing).__name__) == ("Noisy", "Reusing")
    assert reusing.costs.node == 2 * fresh.costs.node


@pytest.mark.parametrize("method", ["exponential", "permute-and-flip"])
def test_the_least_budget_of_an_aggregator(method):
    """To the last ε at which a split and a leaf can be drawn: one of a level, whatever the number of features."""
    epsilon, given = Fraction(2, 2**40), Parameters(max_depth=1)
    assert plan_of(method, SQUARE, 2, epsilon, given).costs.node == Fraction(1, 2**40)
    assert "epsilon" in refusal(plan_of, method, SQUARE, 2, epsilon - Fraction(1, 2**60), given)


def test_the_finest_lattice_is_that_of_a_federation():
    """What can be simulated can be asked of parties, and the other way round."""
    assert Parameters(lattice=MAX_LATTICE).lattice == NodeBounds(SQUARE.everything, 1, MAX_LATTICE).lattice
    for refused in (lambda m: Parameters(lattice=m), lambda m: NodeBounds(SQUARE.everything, 1, m)):
        with pytest.raises(ValueError, match="lattice"):
            refused(MAX_LATTICE + 1)


@pytest.mark.parametrize(("method", "depth"), [("rotating", 1), ("owner", 2)])
def test_the_least_budget_of_a_choice(method, depth):
    """To the last ε at which a split and a leaf can be drawn; and of all parties that a ledger can tell apart."""
    epsilon, given = Fraction(2, 2**40), Parameters(max_depth=depth)
    assert plan_of(method, SQUARE, 256, epsilon, given).leaf == Fraction(1, 2**40)
    assert "epsilon" in refusal(plan_of, method, SQUARE, 2, epsilon - Fraction(1, 2**60), given)


def test_a_design_is_taken_as_well_as_its_name():
    """Of noisy counts, of a designer, of one owner: the same plan, judged as the design says."""
    for name, design in (("rotating", Rotating()), ("owner", Owner()), ("screened", DESIGNS["screened"])):
        given = Parameters(max_depth=4)
        assert plan_of(design, SQUARE, 3, 2, given) == plan_of(name, SQUARE, 3, 2, given) and needs_epsilon(design)
        assert own_shape(design, 5000, 1) == own_shape(name, 5000, 1)
    other = plan_of(Rotating("gini", 7), SQUARE, 3, 2, Parameters())
    assert (other.loss, other.lattice) == ("gini", 7)
    assert plan_of(Owner("errors", 9), SQUARE, 3, 2, Parameters(max_depth=2)).loss == "errors"
