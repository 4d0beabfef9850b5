"""The ledger against a brute-force reading of the filter lemma, and derivations against the independent checker."""

import json
import threading
import time
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.accounting import BudgetExceeded, Ledger, check_derivation, split_budget
from fdpedu.accounting.region_tree import RegionTree
from fdpedu.accounting.size import digits
from fdpedu.claims.accounting import laws as law
from fdpedu.claims.accounting.laws import charge
from fdpedu.claims.strategies import epsilons, heaps_of_charges, trees_of_charges
from fdpedu.domain import Categorical, Domain, Region
from tests.support.accounting import WARDS, ward


@pytest.mark.claim("lem-filter")
@settings(max_examples=150, deadline=None)
@given(trees_of_charges())
def test_nested_charges_cost_exactly_what_the_worst_record_pays(case):
    """In any order of booking, and the derivation's checker arrives at the same total."""
    law.nested_cost(*case)


@pytest.mark.claim("lem-filter")
@settings(max_examples=150, deadline=None)
@given(heaps_of_charges())
def test_overlapping_charges_are_never_understated(case):
    """Regions that overlap without nesting may cost more than the worst record pays; never less, nor more than all."""
    law.overlapping_cost(*case)


@pytest.mark.claim("thm-round")
def test_a_refused_round_changes_nothing():
    ledger = Ledger(1, domain=WARDS)
    ledger.charge([charge(ward(0, 1), "1/2")])
    before = ledger.derivation().to_json()
    with pytest.raises(BudgetExceeded, match=r"3/2, more than the budget 1; nothing was charged"):
        ledger.charge([charge(ward(2), "1/4"), charge(ward(0), "1/2"), charge(ward(0), "1/2")])
    assert ledger.derivation().to_json() == before and ledger.remaining(ward(2)) == 1


@pytest.mark.claim("lem-filter")
@given(st.lists(epsilons, min_size=1, max_size=12))
def test_no_float_decides(costs):
    """Charges fill a budget exactly; one more of 10⁻³⁰⁰ is refused."""
    law.no_float(list(map(str, costs)), str(sum(costs)))


def test_threads_neither_lose_nor_double_a_charge(monkeypatch):
    """Of 40 threads that each want 1/30, exactly 30 succeed, even when each dawdles between reading and writing."""
    copy = RegionTree.copy
    monkeypatch.setattr(RegionTree, "copy", lambda region_tree: time.sleep(1e-3) or copy(region_tree))
    ledger, refused, start = Ledger(1, domain=WARDS), [], threading.Barrier(40)

    def spend():
        start.wait()
        try:
            ledger.charge([charge(ward(0, 3), "1/30")])
        except BudgetExceeded:
            refused.append(1)

    threads = [threading.Thread(target=spend) for _ in range(40)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(refused) == 10 and ledger.spent == 1


def test_the_weakest_release_of_the_first_round_fixes_the_colluders():
    ledger = Ledger(1, domain=WARDS)
    assert ledger.colluders is None
    ledger.charge([charge(ward(0), "1/4", colluders=3), charge(ward(1), "1/4", colluders=2)])
    ledger.charge([charge(ward(0), "1/4", colluders=4)])
    proved = ledger.derivation().guarantee
    assert proved == ("pure", 1, 0, 2, Fraction(1, 2), True, ("operating system",)) and ledger.colluders == 2
    with pytest.raises(AttributeError):
        ledger.colluders = 5


@pytest.mark.claim("thm-checker-sound")
@pytest.mark.parametrize("promised", [None, 5])
def test_colluders_are_not_chosen_on_the_way(promised):
    """A second charge withstands 5 colluders or none, as the first output says: the run with none is refused.

    Else one procedure would have two guarantees, "with 5" in one run and "with 0" in another. Nothing is charged.
    """
    for output in (1, 0):
        ledger = Ledger(1, domain=WARDS, colluders=promised)
        ledger.charge([charge(ward(0), "1/4", colluders=5)])
        second = [charge(ward(0), "1/4", colluders=9), charge(ward(1), "1/4", colluders=5 if output else 0)]
        if output:
            ledger.charge(second)
        else:
            with pytest.raises(ValueError, match="withstands colluders = 5, and one withstands 0; nothing was charged"):
                ledger.charge(second)
        assert ledger.spent == Fraction(1 + output, 4) and ledger.rounds == 1 + output
        assert ledger.derivation().guarantee.colluders == ledger.colluders == 5


def test_a_ledger_may_promise_less_than_its_first_round_withstands():
    """What is promised when the ledger is made stays, so that a weaker round can follow; also none at all."""
    for promised in (0, 1):
        ledger = Ledger(1, domain=WARDS, colluders=promised)
        for colluders in (4, promised):
            ledger.charge([charge(ward(0), "1/4", colluders=colluders)])
        assert ledger.derivation().guarantee.colluders == ledger.colluders == promised
    with pytest.raises(ValueError, match="nothing was charged"):
        ledger.charge([charge(ward(0), "1/4", colluders=0)])


@pytest.mark.parametrize("colluders", [-1, 10**18 + 1, "one", 1.5])
def test_a_number_of_colluders_that_no_derivation_states_is_refused(colluders):
    with pytest.raises(ValueError, match="colluders must be"):
        Ledger(1, colluders=colluders)


@pytest.mark.parametrize(
    "call",
    [
        lambda: Ledger(0),
        lambda: Ledger(-1),
        lambda: Ledger("much"),
        lambda: Ledger(1, measure="rdp"),
        lambda: Ledger(1, relation="substitution"),
        lambda: Ledger(1).charge([]),
        lambda: Ledger(1).charge([1]),
        lambda: Ledger(1).derivation(),
        lambda: Ledger(1, domain=WARDS).derivation(),
        lambda: charge(ward(0), 0),
        lambda: split_budget(1, 1),
        lambda: split_budget(1, 0),
        lambda: Ledger(1, domain=WARDS).bind(Domain([Categorical("x", (1, 2))], (0, 1))),
    ],
)
def test_bad_input_is_refused(call):
    with pytest.raises(ValueError):
        call()


def test_rendering_shows_every_rule():
    ledger = Ledger(1, domain=WARDS)
    ledger.charge([charge(ward(0, 1, 2, 3), "1/2")])
    ledger.charge([charge(ward(0), "1/4"), charge(ward(1, 2), "1/3")])
    assert ledger.derivation().render().splitlines() == [
        "1          the budget, as regions and costs may be chosen on the way (filter lemma)",
        "  5/6      = 1/2 + 1/3 in sequence, on all records",
        "    1/2    a count, round 1",
        "    1/3    = max(1/4, 1/3), on disjoint parts",
        "      1/4  a count, round 2, on ward in {A}",
        "      1/3  a count, round 2, on ward in {B, C}",
    ]
    page = ledger.derivation()._repr_html_()
    assert page.count("<ul ") == page.count("</ul>") == 4 and page.count("<li>") == page.count("</li>") == 6
    json.loads(ledger.derivation().to_json())
    assert check_derivation(ledger.derivation().to_json(indent=2)).spent == Fraction(5, 6)


wide_masks = st.one_of(st.sampled_from([1, 1 << 255, (1 << 256) - 1, 3 << 254]), st.integers(1, (1 << 256) - 1))


@settings(max_examples=300, deadline=None)
@given(st.integers(1, 5).flatmap(lambda n: st.lists(st.tuples(wide_masks, wide_masks), min_size=n + 1, max_size=n + 1)))
def test_regions_of_256_codes_are_compared_coordinate_by_coordinate(pairs):
    """All coordinates in one integer give the same answers as one coordinate after another."""
    a, b = (Region(tuple(pair[side] for pair in pairs[:-1]), pairs[-1][side]) for side in (0, 1))
    meeting = [x & y for x, y in pairs]
    if all(meeting):
        c = Region(tuple(meeting[:-1]), meeting[-1])
        assert a.contains(c) and b.contains(c) and not a.is_disjoint(c)
        assert hash(c) == hash(Region(c.features, c.classes)) and (c == a) == (meeting == [x for x, _ in pairs])
    assert a.is_disjoint(b) == (not all(meeting)) == b.is_disjoint(a)
    assert a.contains(b) == all(x | y == x for x, y in pairs)
    assert a.differing(b) == (sum(x != y for x, y in pairs), sum(x.bit_count() for x, y in pairs if x != y))


@given(st.integers(0, 10**400), st.integers(1, 10**400))
def test_digits_are_never_counted_short(numerator, denominator):
    for number in (numerator, Fraction(numerator, denominator)):
        assert len(str(number)) <= digits(number) <= 1.2 * len(str(number)) + 4


@pytest.mark.parametrize(
    "call",
    [
        lambda: WARDS.everything.restrict(-1, [0]),
        lambda: WARDS.everything.restrict(1, [0]),
        lambda: WARDS.everything.restrict(0, [256]),
        lambda: WARDS.everything.restrict(0, [-1]),
        lambda: WARDS.everything.restrict(0, []),
        lambda: Region((1 << 256,), 1),
        lambda: Region((-1,), 1),
        lambda: Region((1, 1), 1).is_disjoint(Region((1,), 1)),
        lambda: Region((1, 1), 1).contains(Region((1,), 1)),
    ],
)
def test_what_is_no_region_is_refused(call):
    with pytest.raises(ValueError):
        call()


@settings(max_examples=60, deadline=None)
@given(trees_of_charges(), st.lists(st.booleans(), min_size=40, max_size=40), st.integers(1, 6))
def test_random_charges_against_an_independent_account(case, own_book, budget):
    """In rounds of any size, some refused: booked is what the worst record pays, and a refused round changes nothing.

    The account kept beside the ledger is a list of what was booked; what a record pays is found by looking at it.
    """
    domain, bookings = case
    ledger, booked = Ledger(Fraction(budget, 4), domain=domain), []
    while bookings:
        size = 1 + own_book[len(bookings)]
        asked, bookings = bookings[:size], bookings[size:]
        would_cost = law.paid(domain, booked + asked)
        try:
            ledger.charge([charge(region, epsilon, releases=size) for region, epsilon in asked])
            booked += asked
            assert would_cost <= ledger.budget
        except BudgetExceeded:
            assert would_cost > ledger.budget
        assert ledger.spent == (law.paid(domain, booked) if booked else 0)
    if booked:
        assert check_derivation(ledger.derivation().to_json()).spent == ledger.spent
