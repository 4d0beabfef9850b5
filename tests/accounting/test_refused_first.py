"""The ledger refuses, before anything is charged, what the checker would not read."""

import sys
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu import derivation_checker as checker
from fdpedu.accounting import Charge, Ledger, check_derivation, limits
from fdpedu.claims.accounting.laws import charge
from fdpedu.claims.strategies import heaps_of_charges, trees_of_charges
from fdpedu.domain import Categorical, Domain, Numeric
from tests.support.accounting import WARDS, from_a_stack, ward


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


def test_books_add_up_whatever_their_regions():
    """Disjoint regions of one book cost the larger, of two books the sum; the derivation says the same."""
    young, old = ward(0, 1), ward(2, 3)
    spent = []
    for books in (("a", "a"), ("a", "b")):
        ledger = Ledger(10, domain=WARDS)
        for region, book in zip((young, old), books, strict=True):
            ledger.charge([charge(region, Fraction(2))], book)
        assert check_derivation(ledger.derivation().to_json()).spent == ledger.spent
        spent.append(ledger.spent)
    assert spent == [2, 4]


@settings(max_examples=100, deadline=None)
@given(cases, st.integers(1, 2))
def test_the_bounds_are_bounds(case, books):
    """Never less than what is written: characters, brackets, quotation marks."""
    domain, bookings = case
    ledger = Ledger(1000, domain=domain)
    for i, (region, epsilon) in enumerate(bookings):
        query = ["a count", 'a "count"', "{[\n]}", "ε"][i % 4]
        ledger.charge([charge(region, epsilon, i, releases=10**i, query=query)], str(i % books))
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
    with pytest.raises(ValueError, match="the regions are nested in 390 levels, more than 200"):
        ledger.charge([charge(region, 1) for region in regions])
    assert ledger.rounds == 0
    ledger.charge([charge(region, 1) for region in regions[:150]])
    assert ledger.spent == 150 and ledger.remaining(regions[149]) == 850 and ledger.spent_on(regions[7]) == 150
    assert check_derivation(ledger.derivation().to_json()).spent == 150
    with pytest.raises(ValueError, match="nothing was charged, because the derivation would be refused"):
        from_a_stack(sys.getrecursionlimit() - 300, lambda: ledger.charge([charge(regions[150], 1)]))
    assert ledger.spent == 150


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"releases": 0}, "releases must be an integer ≥ 1"),
        ({"releases": True}, "releases must be an integer ≥ 1"),
        ({"releases": 10**18 + 1}, "releases must be at most"),
        ({"sensitivity": 0}, "sensitivity must be an integer ≥ 1"),
        ({"sensitivity": 1.5}, "sensitivity must be an integer ≥ 1"),
        ({"colluders": -1}, "colluders must be an integer ≥ 0"),
        ({"epsilon": 0}, "epsilon must be greater than 0"),
        ({"epsilon": Fraction(1, 10**400)}, "epsilon must be a fraction of at most 400 digits"),
        ({"epsilon": Fraction(1, 10**399), "releases": 10}, "must be a fraction of at most 400 digits"),
        ({"query": ""}, "query must be text"),
        ({"mechanism": 7}, "mechanism must be text"),
        ({"claim": "\ud800"}, "claim must be text that can be written"),
        ({"region": None}, "region must be a Region"),
    ],
)
def test_a_charge_is_checked(change, reason):
    good = {"region": WARDS.everything, "epsilon": 1, "query": "q", "mechanism": "m", "sensitivity": 1, "claim": "c"}
    ledger = Ledger(1, domain=WARDS)
    ledger.charge([Charge(**{**good, "sensitivity": 3}, releases=4)])
    step = ledger.derivation().content["proof"]["premises"][0]
    assert (step["releases"], step["sensitivity"], step["rate"], ledger.derivation().spent) == (4, 3, "1/12", 1)
    with pytest.raises(ValueError, match=reason):
        Charge(**{**good, **change})


def test_a_ledger_knows_what_its_domain_may_be():
    with pytest.raises(ValueError, match="budget must be a fraction of at most 400 digits"):
        Ledger(Fraction(1, 10**400))
    other = Domain([Categorical("ward", tuple("ABCDE"))], (0, 1))
    for ledger in (Ledger(1, domain=WARDS), Ledger(1)):
        with pytest.raises(ValueError, match="every region must lie in the ledger's domain"):
            ledger.charge([charge(other.everything, "1/2")])
            ledger.bind(WARDS)
    assert Ledger(1, domain=WARDS).rounds == 0


def test_a_subclass_of_region_is_no_region():
    """Its own idea of what is disjoint would be charged by the ledger."""

    class Apart(type(WARDS.everything)):
        def is_disjoint(self, other):
            return True

    with pytest.raises(ValueError, match="region must be a Region, got Apart"):
        charge(Apart(WARDS.everything.features, WARDS.everything.classes), 1)
