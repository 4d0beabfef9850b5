"""What tables of losses keep, to the unit; what bounds on a derivation say, and how one that exceeds them is told."""

import json
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.accounting import Ledger, LossDistribution, loss
from fdpedu.accounting.lattice import LossLattice, delta_at, epsilon_at
from fdpedu.accounting.limits import require_acceptable, size_at_most, surely_accepted
from fdpedu.accounting.loss import UNIT, _convolve, _Law, _product
from fdpedu.accounting.normal import _ONE, _series
from fdpedu.accounting.parameters import as_stated_integer, require_text
from fdpedu.accounting.region_tree import RegionTree
from fdpedu.accounting.size import of_names
from fdpedu.claims.accounting.laws import charge
from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.exact import Enclosure, exp_enclosure, log_enclosure
from tests.accounting.test_region_trees import planted

WARDS = Domain([Categorical("ward", tuple(range(8)))], (0, 1))
LONG = [10**389 + i for i in (19, 33, 57, 67, 123)]  # denominators of 390 digits


# Losses


def tail_at(law, i):
    return law.infinite + sum(mass for j, mass in enumerate(law.masses) if law.first + j >= i)


def falling(x, strict):
    """Pr[L ≥ x] = e^{−x}, from 0 on."""
    if x <= 0:
        return Enclosure.exactly(Fraction(1))
    return exp_enclosure(-x, 60)


@pytest.mark.parametrize("parts", [1, 4, 7])
def test_what_lies_above_the_grid_is_infinite_or_gone(parts):
    """Of e^{−x} above 1: upwards all of it is at infinity, downwards it counts as 1."""
    found = LossDistribution.of_tail(falling, Fraction(0), Fraction(1), Fraction(1, parts))
    top = exp_enclosure(Fraction(-1), 60)
    assert found.pessimistic.infinite == -int(-top.upper * UNIT // 1) == sum([tail_at(found.pessimistic, parts + 1)])
    assert found.optimistic.infinite == 0 and found.optimistic.first + len(found.optimistic.masses) == parts + 1
    assert tail_at(found.optimistic, parts) == found.optimistic.masses[-1] == int(top.lower * UNIT)


@pytest.mark.parametrize("little", [1, 9999, 10**4])
def test_what_is_cut_below_goes_away_or_up(little):
    """A mass of a few units at 0, and the rest at 1: downwards a tail is never more than it was."""

    def tail(x, strict):
        if x < 0 or (x == 0 and not strict):
            return Enclosure.exactly(Fraction(1))
        return Enclosure.exactly(Fraction(UNIT - little, UNIT) if x < 1 or (x == 1 and not strict) else Fraction(0))

    found = LossDistribution.of_tail(tail, Fraction(0), Fraction(1), 1)
    assert found.optimistic == _Law(1, (UNIT - little,)) and found.pessimistic == _Law(1, (UNIT,))


def test_the_grid_that_nobody_asks_for():
    assert LossDistribution.of_tail(falling, Fraction(0), Fraction(1, 99)).step == Fraction(1, 1024)


@given(st.integers(0, UNIT // 10**6), st.integers(0, UNIT // 10**6), st.integers(0, 3), st.integers(2, 5))
def test_infinite_losses_add_up(a, b, shift, n):
    """1 − (1 − a)(1 − b) of the mass is at infinity, upwards; and the whole mass is there."""
    x, y = _Law(shift, (UNIT - a * 10**5,), a * 10**5), _Law(-1, (UNIT // n, UNIT - UNIT // n - b * 10**5), b * 10**5)
    found = _convolve(x, y, True)
    truth = 1 - (1 - Fraction(x.infinite, UNIT)) * (1 - Fraction(y.infinite, UNIT))
    assert 0 <= Fraction(found.infinite, UNIT) - truth <= Fraction(10**4 + 1, UNIT)
    assert sum(found.masses) + found.infinite == UNIT
    table = LossDistribution(Fraction(1, 2), x, _Law(shift, (UNIT - a * 10**5,)))
    if a:
        assert table.delta(40).upper == Fraction(x.infinite, UNIT) and table.delta(40).lower == 0
        with pytest.raises(ValueError) as caught:
            table.epsilon(Fraction(x.infinite, 2 * UNIT))
        assert str(caught.value).startswith("delta must be more than ")
        assert str(caught.value).endswith(", the mass that these tables leave out")


def test_a_delta_that_is_too_small_is_told_the_mass():
    law = _Law(0, (UNIT - UNIT // 8,), UNIT // 8)
    with pytest.raises(ValueError) as caught:
        LossDistribution(Fraction(1), law, law).epsilon("1/9")
    assert str(caught.value) == "delta must be more than 1/8, the mass that these tables leave out"


def test_as_many_cells_as_fit(monkeypatch):
    monkeypatch.setattr(loss, "_MAX_CELLS", 8)
    assert len(_convolve(_Law(0, (UNIT // 4,) * 4), _Law(0, (UNIT // 4,) * 4), True).masses) == 7
    with pytest.raises(ValueError, match="more than 8 points"):
        _convolve(_Law(0, (UNIT // 4,) * 4), _Law(0, (UNIT // 5,) * 5), True)


def test_a_product_of_long_tables():
    """Numbers of more than a million digits are multiplied without loss."""
    n = 9000
    assert _product([1] * n, [UNIT] * n) == [UNIT * min(i + 1, 2 * n - 1 - i) for i in range(2 * n - 1)]


def test_a_gaussian_is_refused_just_below_its_range():
    assert LossDistribution.gaussian(1000, step="1/1000").delta(1).upper < Fraction(1, 10**20)
    with pytest.raises(ValueError, match="from 1/1000 to 30"):
        LossDistribution.gaussian("500.25", "1/2")


# Walks


@given(st.integers(1, 20), st.fractions(Fraction(1, 9), 3, max_denominator=9), st.fractions(0, 1, max_denominator=60))
def test_one_mass_that_is_known_has_one_epsilon(mass, top, delta):
    """m·(1 − e^{ε−L}) = δ."""
    found, rest = epsilon_at(LossLattice(top, Fraction(1), 20, [(mass, mass)]), delta), 1 - 20 * delta / mass
    truth = max(Fraction(0), top + log_enclosure(rest, 80).lower) if rest > 0 else Fraction(0)
    assert abs(found.upper - truth) < Fraction(1, 10**50) and abs(found.lower - truth) < Fraction(1, 10**50)


def test_masses_that_are_known_roughly_make_no_more_than_one():
    found = delta_at(LossLattice(Fraction(90), Fraction(1), 20, [(15, 16), (15, 16)], (1, 2)), Fraction(0))
    assert found.lower == found.upper == 1


@pytest.mark.parametrize("z", [Fraction(1, 2**20), Fraction(1, 2**58), Fraction(3, 2**60), Fraction(1, 8), Fraction(3)])
def test_a_series_for_the_normal_law_is_enclosed_to_the_unit(z):
    """z + z³/3 + z⁵/(3·5) + …, in units of 2⁻¹⁷⁶; what is left out is twice its first term, of 2²⁴ units at most."""
    truth, term, odd, terms = Fraction(0), z, 1, []
    while term > Fraction(1, 2**260):
        truth, odd, terms = truth + term, odd + 2, [*terms, term * _ONE]
        term = term * z**2 / odd
    low, high = _series(z)
    assert low <= truth * _ONE < (truth + 2 * term) * _ONE < high + 1
    left_out = next(unit for unit in terms if unit <= 2**24)
    assert high - low <= 2 * left_out + 2 * len(terms) + 4


# Bounds on a derivation


def test_an_integer_may_have_nineteen_digits_if_they_are_the_least():
    assert as_stated_integer(10**18, "releases", 1) == 10**18
    with pytest.raises(ValueError) as caught:
        as_stated_integer(10**18 + 1, "releases", 1)
    assert str(caught.value) == "releases must be at most 10^18, got 1000000000000000001"
    with pytest.raises(ValueError) as caught:
        require_text(7, "query")
    assert str(caught.value) == "query must be text that says something, got 7"


def test_a_region_takes_the_room_of_what_it_differs_in():
    """Regions in one another, each smaller in one coordinate; none has a charge yet, and each costs the fraction 0."""
    domain = Domain([Categorical(name, (0, 1, 2)) for name in "abcdef"], (0, 1))
    tree, region, size = RegionTree(), domain.everything, of_names(domain.everything, None)
    assert tree.insert(region)
    for j in range(6):
        inner = region.restrict(j, {0, 1})
        size, region = size.plus(of_names(inner, region)), inner
        assert tree.insert(inner) and tree.local_cost(inner) == 0
        assert type(tree.local_cost(inner)) is type(tree.path_cost(inner)) is Fraction
    assert tree.size == size


def test_no_charge_meets_no_limit():
    assert surely_accepted([RegionTree()], None, Fraction(1))


@settings(max_examples=20, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 7), st.sampled_from(LONG)), min_size=1, max_size=9), st.integers(1, 3))
def test_a_derivation_of_long_totals_is_not_longer_than_its_bound(bookings, accounts):
    """Every rule states a total, and so do the budget and the guarantee."""
    ledger = Ledger(3, domain=WARDS)
    common = Fraction(1, LONG[0])
    for account in range(accounts):
        for code, _ in bookings:
            ledger.charge([charge(WARDS.everything.restrict(0, {code}), common)], account=str(account))
        ledger.charge([charge(WARDS.everything, common)], account=str(account))
    text, bound = ledger.derivation().to_json(), size_at_most(ledger._region_trees, WARDS, ledger.budget)
    assert len(text) <= bound.characters and text.count('"') <= bound.quotes
    assert text.count("[") + text.count("{") <= bound.brackets


def test_a_total_of_more_than_400_digits_is_not_sure():
    """10⁴⁰⁰ has 401."""
    wards = [WARDS.everything.restrict(0, {code}) for code in (0, 1)]
    for last, sure in ((Fraction(1, 5**399), True), (Fraction(1, 5**400), False)):
        assert (
            surely_accepted([planted([(wards[0], Fraction(1, 2**400)), (wards[1], last)])], WARDS, Fraction(1)) is sure
        )


def test_a_name_of_ten_million_letters_is_not_written():
    domain = Domain([Categorical("x" * 10_000_000, (0, 1))], (0, 1))
    tree = planted([(domain.everything, Fraction(1))])
    assert not surely_accepted([tree], domain, Fraction(1))
    with pytest.raises(
        ValueError, match=r"nothing was charged, .* it is longer than 10000000 characters\. Charge fewer"
    ):
        require_acceptable([tree], domain, Fraction(1))


def nested(levels):
    grid = Domain([Numeric.grid("x", 0, 250, bins=250)], (0, 1))
    return grid, planted(
        [(grid.everything.restrict(0, range(250 - level)), Fraction(1, 999)) for level in range(levels)]
    )


@pytest.mark.parametrize(
    ("levels", "known", "reason"),
    [
        (99, False, "a ledger of so many charges must know its domain: Ledger(budget, domain=…)"),
        (201, True, "the regions are nested in 201 levels, more than 200"),
    ],
)
def test_regions_that_are_nested_too_deep_are_told(levels, known, reason):
    grid, tree = nested(levels)
    with pytest.raises(ValueError) as caught:
        require_acceptable([tree], grid if known else None, Fraction(1))
    assert reason in str(caught.value)
    assert str(caught.value).startswith("nothing was charged, because the derivation would be refused: ")


@pytest.mark.parametrize("levels", [99, 200])
def test_what_bounds_leave_open_is_written_out_and_accepted(levels):
    grid, tree = nested(levels)
    assert not surely_accepted([tree], grid, Fraction(1))
    require_acceptable([tree], grid, Fraction(1))
    ledger = Ledger(1, domain=grid)
    ledger.charge([each for booked in tree.charges.values() for _, each in booked])
    assert json.loads(ledger.derivation().to_json())["budget"] == "1"
