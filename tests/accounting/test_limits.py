"""The ledger refuses, before anything is charged, what the checker would not read."""

import json
import sys
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu import derivation_checker as checker
from fdpedu.accounting import Ledger, check_derivation, limits
from fdpedu.accounting.limits import require_acceptable, size_at_most, surely_accepted
from fdpedu.accounting.region_tree import RegionTree
from fdpedu.claims.accounting.composition import charge
from fdpedu.claims.strategies import heaps_of_charges, trees_of_charges
from fdpedu.domain import Categorical, Domain, Numeric
from tests.support.accounting import WARDS, from_a_stack, planted, ward


def booked_or_refused(domain, rounds):
    """Each round is refused, and then nothing is charged; or booked, and then the checker accepts the derivation."""
    ledger = Ledger(1000, domain=domain)
    for number, charges in enumerate(rounds):
        before = ledger.derivation().content if ledger.rounds else None
        try:
            ledger.charge(charges, str(number % 2))
        except ValueError as refusal:
            assert "nothing was charged, because the derivation would be refused" in str(refusal)
            assert (ledger.derivation().content if ledger.rounds else None) == before
        else:
            assert check_derivation(ledger.derivation().to_json()).spent == ledger.spent


LOW = {"MAX_DEPTH": 12, "MAX_COMPARISONS": 9, "MAX_BRACKETS": 70, "MAX_QUOTES": 500, "MAX_CHARACTERS": 3000}
cases = st.one_of(trees_of_charges(), heaps_of_charges())


@settings(max_examples=60, deadline=None)
@given(cases, st.integers(1, 3), st.sampled_from(sorted(LOW)), st.integers(1, 9))
def test_what_is_booked_the_checker_accepts(case, size, limit, part):
    """With a limit so low that small ledgers meet it: booked and accepted, or refused and not charged; no third way."""
    domain, bookings = case
    charges = [charge(region, epsilon, releases=1 + i % 3) for i, (region, epsilon) in enumerate(bookings)]
    before = getattr(checker, limit)
    setattr(checker, limit, LOW[limit] * part // 9)
    try:
        booked_or_refused(domain, [charges[i : i + size] for i in range(0, len(charges), size)])
    finally:
        setattr(checker, limit, before)


def test_the_comparisons_of_all_books_count(monkeypatch):
    """Three disjoint regions a book take 3 comparisons: three books are booked, and with the fourth it would be 12."""
    monkeypatch.setattr(checker, "MAX_COMPARISONS", 9)
    ledger = Ledger(1000, domain=WARDS)
    regions = [ward(code) for code in range(3)]
    for book in "abc":
        ledger.charge([charge(region, Fraction(1)) for region in regions], book)
    with pytest.raises(ValueError, match="nothing was charged"):
        ledger.charge([charge(region, Fraction(1)) for region in regions], "d")
    assert ledger.rounds == 3 and check_derivation(ledger.derivation().to_json()).spent == 3


@settings(max_examples=100, deadline=None)
@given(cases, st.integers(1, 2))
def test_the_bounds_are_bounds(case, books):
    """Never less than what is written: characters, brackets, quotation marks."""
    domain, bookings = case
    ledger = Ledger(1000, domain=domain)
    for i, (region, epsilon) in enumerate(bookings):
        query = ["a count", 'a "count"', "{[\n]}", "ε"][i % 4]
        one = charge(region, epsilon, i, releases=10**i, query=query)
        parameters = (("model", '{"a"}[ε'), ("feature", -(10**18)))[: i % 3]
        ledger.charge([replace(one, type="class-counts", parameters=parameters)], str(i % books))
    text = ledger.derivation().to_json()
    bound = limits.size_at_most(ledger._region_trees, domain, ledger.budget)
    actual = (len(text), text.count("[") + text.count("{"), text.count('"'))
    assert all(most >= real for most, real in zip(bound, actual, strict=True)), (bound, actual)
    assert all(most <= 1.5 * real + 300 for most, real in zip(bound, actual, strict=True)), (bound, actual)


def test_the_bounds_hold_where_regions_are_most_of_the_text():
    """A hundred parts of 128 codes each, and no room left by anything else."""
    domain = Domain([Numeric.grid(f"x{j}", 0, 256, bins=256) for j in range(2)], (0, 1))
    halves = [domain.everything.restrict(0, range(k, k + 128)).restrict(1, [k]) for k in range(100)]
    ledger = Ledger(1000, domain=domain)
    ledger.charge([charge(region, 1) for region in halves])
    text = ledger.derivation().to_json()
    bound = limits.size_at_most(ledger._region_trees, domain, ledger.budget)
    assert len(text) <= bound.characters <= 1.3 * len(text)
    assert text.count("[") + text.count("{") <= bound.brackets and text.count('"') <= bound.quotes


def test_deep_regions_are_charged_or_refused_and_never_a_crash():
    """390 regions in one another, from an ordinary stack and from one that is nearly full."""
    domain = Domain([Numeric.grid(f"x{j}", 0, 200, bins=200) for j in range(2)], (0, 1))
    regions = [domain.everything]
    for level in range(389):
        regions.append(regions[-1].restrict(level // 199, range(199 - level % 199)))
    ledger = Ledger(1000, domain=domain)
    with pytest.raises(ValueError, match="390 levels"):
        ledger.charge([charge(region, 1) for region in regions])
    assert ledger.rounds == 0
    ledger.charge([charge(region, 1) for region in regions[:150]])
    assert ledger.spent == 150 and ledger.remaining(regions[149]) == 850 and ledger.spent_on(regions[7]) == 150
    assert check_derivation(ledger.derivation().to_json()).spent == 150
    with pytest.raises(ValueError, match="nothing was charged, because the derivation would be refused"):
        from_a_stack(sys.getrecursionlimit() - 300, lambda: ledger.charge([charge(regions[150], 1)]))
    assert ledger.spent == 150


def test_no_charge_meets_no_limit():
    assert surely_accepted([RegionTree()], None, Fraction(1))


EIGHT_WARDS = Domain([Categorical("ward", tuple(range(8)))], (0, 1))
LONG = [10**389 + i for i in (19, 33, 57, 67, 123)]  # denominators of 390 digits


@settings(max_examples=20, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 7), st.sampled_from(LONG)), min_size=1, max_size=9), st.integers(1, 3))
def test_a_derivation_of_long_totals_is_not_longer_than_its_bound(bookings, accounts):
    """Every rule states a total, and so do the budget and the guarantee."""
    ledger = Ledger(3, domain=EIGHT_WARDS)
    common = Fraction(1, LONG[0])
    for account in range(accounts):
        for code, _ in bookings:
            ledger.charge([charge(EIGHT_WARDS.everything.restrict(0, {code}), common)], account=str(account))
        ledger.charge([charge(EIGHT_WARDS.everything, common)], account=str(account))
    text, bound = ledger.derivation().to_json(), size_at_most(ledger._region_trees, EIGHT_WARDS, ledger.budget)
    assert len(text) <= bound.characters and text.count('"') <= bound.quotes
    assert text.count("[") + text.count("{") <= bound.brackets


def test_a_total_of_more_than_400_digits_is_not_sure():
    """10⁴⁰⁰ has 401."""
    wards = [EIGHT_WARDS.everything.restrict(0, {code}) for code in (0, 1)]
    for last, sure in ((Fraction(1, 5**399), True), (Fraction(1, 5**400), False)):
        assert (
            surely_accepted([planted([(wards[0], Fraction(1, 2**400)), (wards[1], last)])], EIGHT_WARDS, Fraction(1))
            is sure
        )


def test_a_name_of_ten_million_letters_is_not_written():
    domain = Domain([Categorical("x" * 10_000_000, (0, 1))], (0, 1))
    tree = planted([(domain.everything, Fraction(1))])
    assert not surely_accepted([tree], domain, Fraction(1))
    with pytest.raises(ValueError, match="longer than 10000000 characters"):
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
def test_regions_that_are_nested_too_deep_are_refused(levels, known, reason):
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


def test_nothing_is_sure_of_long_totals_or_deep_regions():
    """Bounds leave it open when a total may have more than 400 digits, or regions may be nested too deep."""
    short, long = (planted([(ward(0), Fraction(1, d))]) for d in (3, 10**399))
    assert surely_accepted([short], WARDS, Fraction(1)) and not surely_accepted([short], WARDS, Fraction(10**400))
    assert surely_accepted([long], WARDS, Fraction(1)) and not surely_accepted([long, short], WARDS, Fraction(4))
    grid = Domain([Numeric.grid("x", 0, 200, bins=200)], (0, 1))
    nested = [(grid.everything.restrict(0, range(200 - level)), Fraction(1, 200)) for level in range(100)]
    assert surely_accepted([planted(nested[:98])], grid, Fraction(9))
    assert not surely_accepted([planted(nested[:99])], grid, Fraction(9))
