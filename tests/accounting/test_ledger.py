"""The ledger against brute-force readings of the filter lemma; rounds, promises, accounts, threads and interrupts."""

import itertools
import re
import sys
import time
from fractions import Fraction
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.accounting import BudgetExceeded, Charge, Ledger, check_derivation
from fdpedu.accounting.region_tree import RegionTree
from fdpedu.claims.accounting import filter as topic
from fdpedu.claims.accounting.composition import charge
from fdpedu.claims.accounting.filter import paid
from fdpedu.claims.strategies import heaps_of_charges, regions, trees_of_charges
from fdpedu.domain import Domain, Numeric
from tests.support.accounting import WARDS, at_once, interrupted, ward


@pytest.mark.claim("thm-round")
def test_a_refused_round_changes_nothing():
    ledger = Ledger(1, domain=WARDS)
    ledger.charge([charge(ward(0, 1), "1/2")])
    before = ledger.derivation().to_json()
    with pytest.raises(BudgetExceeded, match="3/2, more than the budget 1"):
        ledger.charge([charge(ward(2), "1/4"), charge(ward(0), "1/2"), charge(ward(0), "1/2")])
    assert ledger.derivation().to_json() == before and ledger.remaining(ward(2)) == 1


@pytest.mark.parametrize(
    ("budget", "before", "asked", "words"),
    [
        (1, ["1/2"], ["3/4"], "ε = 3/4 was asked, and ε = 1/2 is left in the ledger: "),
        (0.3, [], [0.1 + 0.2], "ε = 0.30000000000000004 was asked, and ε = 3/10 is left in the ledger (floats"),
        ("1/4", [], [0.25 + 1e-6], "ε = 250001/1000000 was asked, and ε = 1/4 is left in the ledger: "),
        (1, ["1"], ["1/7"], "ε = 1/7 was asked, and ε = 0 is left in the ledger: "),
        (1, [], ["1/2", "2/3"], "ε = 7/6 was asked, and ε = 1 is left in the ledger: "),
        (10**30, [], [10**31], "ε = about 1.00000E+31 was asked, and ε = about 1.00000E+30 is left in the ledger: "),
    ],
)
def test_a_refusal_says_what_was_asked_and_what_is_left(budget, before, asked, words):
    ledger = Ledger(budget, domain=WARDS)
    for epsilon in before:
        ledger.charge([charge(ward(0, 1, 2), epsilon)])
    with pytest.raises(BudgetExceeded) as refused:
        ledger.charge([charge(ward(0, 1), epsilon) for epsilon in asked])
    assert str(refused.value).startswith(words)


@settings(max_examples=60, deadline=None)
@given(heaps_of_charges(), st.integers(1, 4))
def test_what_is_refused_asks_for_more_than_is_left(case, rounds):
    """Also where regions overlap, and a round costs more beside others than it does alone."""
    domain, heap = case
    ledger = Ledger(sum(epsilon for _, epsilon in heap) / 2, domain=domain)
    for k in range(rounds):
        left = ledger.remaining()
        try:
            ledger.charge([charge(*pair) for pair in heap[k::rounds] or heap])
        except BudgetExceeded as refused:
            asked, stated = (Fraction(part) for part in re.findall(r"ε = (\S+) (?:was asked|is left)", str(refused)))
            assert stated == left < asked and ledger.remaining() == left


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
        would_cost = topic.paid(domain, booked + asked)
        try:
            ledger.charge([charge(region, epsilon, releases=size) for region, epsilon in asked])
            booked += asked
            assert would_cost <= ledger.budget
        except BudgetExceeded:
            assert would_cost > ledger.budget
        assert ledger.spent == (topic.paid(domain, booked) if booked else 0)
    if booked:
        assert check_derivation(ledger.derivation().to_json()).spent == ledger.spent


def test_threads_neither_lose_nor_double_a_charge(monkeypatch):
    """Of 40 threads that each want 1/30, exactly 30 succeed, even when each dawdles between reading and writing."""
    copy = RegionTree.copy
    monkeypatch.setattr(RegionTree, "copy", lambda region_tree: time.sleep(1e-3) or copy(region_tree))
    ledger, refused = Ledger(1, domain=WARDS), []

    def spend(_):
        try:
            ledger.charge([charge(ward(0, 3), "1/30")])
        except BudgetExceeded:
            refused.append(1)

    at_once(40, spend)
    assert len(refused) == 10 and ledger.spent == 1


def test_the_weakest_release_of_the_first_round_fixes_the_colluders():
    ledger = Ledger(1, domain=WARDS)
    assert ledger.colluders is None
    ledger.charge([charge(ward(0), "1/4", colluders=3), charge(ward(1), "1/4", colluders=2)])
    ledger.charge([charge(ward(0), "1/4", colluders=4)])
    proved = ledger.derivation().guarantee
    assert proved[:7] == ("pure", 1, 0, 2, Fraction(1, 2), True, ("operating system",)) and ledger.colluders == 2
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
            with pytest.raises(ValueError, match="colluders = 5"):
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
    with pytest.raises(ValueError, match="colluders"):
        ledger.charge([charge(ward(0), "1/4", colluders=0)])


DOMAIN = Domain([Numeric.grid("x", 0, 4, bins=4)], ("a", "b"))


@pytest.mark.parametrize("order", list(itertools.permutations((1, 2, 3))))
@pytest.mark.parametrize("promised", [None, 2])
def test_every_charge_of_a_round_keeps_the_promise(order, promised):
    """Not only the first one; and where nothing was promised, the least of the first round is."""
    ledger = Ledger(100, domain=DOMAIN, colluders=promised)
    batch = [Charge(DOMAIN.everything, 1, "a count", "m", 1, "thm-histogram", colluders=c) for c in order]
    if promised is None:
        ledger.charge(batch)
        assert ledger.colluders == 1
    else:
        with pytest.raises(ValueError, match="withstands 1"):
            ledger.charge(batch)
        assert ledger.spent == 0


@settings(max_examples=80, deadline=None)
@given(trees_of_charges(), st.data())
def test_the_odometer_reads_what_the_worst_record_of_a_region_paid(case, data):
    """For nested charges exactly, on any region whatever; by looking at every record of it."""
    domain, bookings = case
    ledger = Ledger(1000, domain=domain)
    for region, epsilon in bookings:
        ledger.charge([charge(region, epsilon)])
    asked = data.draw(regions(domain))
    features = [sorted(asked.codes(j)) for j in range(domain.n_features)]
    worst = max(
        sum(
            (e for r, e in bookings if all(c in r.codes(j) for j, c in enumerate(z)) and y in r.class_codes),
            Fraction(0),
        )
        for *z, y in itertools.product(*features, sorted(asked.class_codes))
    )
    assert ledger.spent_on(asked) == worst
    assert ledger.spent_on() == ledger.spent == paid(domain, bookings)
    assert ledger.odometer() == {region: ledger.spent_on(region) for region, _ in bookings}


def test_odometer_and_filter_add_up_to_the_budget():
    ledger = Ledger(1, domain=WARDS)
    assert ledger.charge([charge(WARDS.everything, "1/4")]) == 1
    assert ledger.charge([charge(ward(0), "1/2"), charge(ward(1, 2), "1/3")]) == 2
    assert ledger.rounds == 2 and ledger.accounts == ("",)
    for region, spent in ledger.odometer().items():
        assert spent + ledger.remaining(region) == 1
    assert ledger.spent_on(ward(3)) == Fraction(1, 4) and ledger.spent_on(ward(2, 3)) == Fraction(7, 12)


def state(ledger):
    return ledger.derivation().to_json() if ledger.rounds else None


def test_a_generator_that_fails_midway_charges_nothing():
    ledger = Ledger(1, domain=WARDS)
    ledger.charge([charge(ward(0), "1/4")])
    before = state(ledger)

    def charges():
        yield charge(ward(0), "1/4")
        raise RuntimeError("the caller fails")

    with pytest.raises(RuntimeError):
        ledger.charge(charges())
    with pytest.raises(ValueError):
        ledger.charge([charge(ward(0), "1/4"), "not a charge"])
    assert state(ledger) == before
    ledger.charge([charge(ward(0), "3/4")])
    assert ledger.spent == 1


def test_an_interrupt_at_any_instruction_loses_and_doubles_nothing():
    """Ctrl-C at every single instruction of ``charge``: afterwards the ledger is as before or as after, and usable."""
    both, outcomes = [charge(ward(0, 1), "1/4"), charge(ward(0), "1/8")], set()
    for instruction in itertools.count(1):
        ledger = Ledger(1, domain=WARDS)
        ledger.charge([charge(WARDS.everything, "1/2")])
        stopped = interrupted(instruction, partial(ledger.charge, both))
        assert ledger.spent in (Fraction(1, 2), Fraction(7, 8))
        outcomes.add((stopped, ledger.spent))
        rounds = ledger.rounds
        assert ledger.charge([charge(ward(3), "1/8")]) == rounds + 1
        assert check_derivation(ledger.derivation().to_json()).spent == ledger.spent
        if not stopped:
            break
    assert instruction > 300 and (True, Fraction(1, 2)) in outcomes and (False, Fraction(7, 8)) in outcomes


def test_threads_with_exceptions_neither_lose_nor_double():
    """60 threads on nested and disjoint regions; a third fail in the midst of their charges; what succeeded is what is
    booked.
    """
    ledger, done = Ledger(7, domain=WARDS), []
    switch = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)

    def fail():
        yield charge(ward(0), "1/30")
        raise RuntimeError

    def spend(i):
        for _ in range(5):
            try:
                ledger.charge(fail() if i % 3 == 0 else [charge(ward(0), "1/30"), charge(ward(0, i % 4), "1/30")])
                done.append(1)
            except (RuntimeError, BudgetExceeded):
                pass

    at_once(60, spend)
    sys.setswitchinterval(switch)
    releases = 0

    def count(_):
        nonlocal releases
        releases += 1
        return 0

    ledger.derivation().total(count)
    assert ledger.rounds == len(done) and releases == 2 * len(done)
    assert check_derivation(ledger.derivation().to_json()).spent == ledger.spent <= 7


def test_nothing_spent_is_a_fraction_too():
    ledger = Ledger(1)
    assert [type(spent) for spent in (ledger.spent, ledger.spent_on(), ledger.spent_on(ward(0)))] == [Fraction] * 3


def test_what_remains_is_less_what_all_other_accounts_cost():
    """Accounts add up whatever their regions; within one, disjoint regions do not."""
    ledger = Ledger(1, domain=WARDS)
    for region, epsilon, account in ((ward(0), "1/4", "one"), (ward(1), "1/8", "one"), (ward(2), "1/16", "two")):
        ledger.charge([charge(region, epsilon)], account)
    for region, own, others in (
        (ward(0), Fraction(1, 4), Fraction(1, 16)),
        (ward(1), Fraction(1, 8), Fraction(1, 16)),
        (ward(3), Fraction(0), Fraction(1, 16)),
    ):
        assert ledger.remaining(region, "one") == 1 - own - others
    assert ledger.remaining(ward(2), "two") == 1 - Fraction(1, 16) - Fraction(1, 4)
    assert ledger.remaining(ward(0), "three") == 1 - Fraction(1, 4) - Fraction(1, 16) == ledger.remaining()


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
