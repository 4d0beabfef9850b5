"""The ledger under threads and exceptions, odometer and filter, and what remains after an early leaf."""

import itertools
import sys
import threading
from fractions import Fraction
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.accounting import BudgetExceeded, Charge, Ledger, check_derivation
from fdpedu.claims.accounting.laws import charge, paid
from fdpedu.claims.strategies import regions, trees_of_charges
from fdpedu.domain import Domain, Numeric
from fdpedu.federation import ClassCounts, Federation, InProcess, Party
from fdpedu.randomness import ZeroWords
from fdpedu.secure_sum import RoundLost
from fdpedu.trees import fit_federated_tree, leaf_budgets
from tests.support.accounting import WARDS, ward


def state(ledger):
    return ledger.derivation().to_json() if ledger.rounds else None


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


def interrupted(instruction, action):
    """Run the action; raise KeyboardInterrupt when the code of ledger or region tree reaches its n-th instruction."""
    seen = itertools.count(1)

    def trace(frame, event, _):
        if not frame.f_globals.get("__name__", "").startswith("fdpedu.accounting"):
            return None
        frame.f_trace_opcodes = True
        if event == "opcode" and next(seen) == instruction:
            raise KeyboardInterrupt
        return trace

    previous = sys.gettrace()
    sys.settrace(trace)
    try:
        action()
        return False
    except KeyboardInterrupt:
        return True
    finally:
        sys.settrace(previous)


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
    ledger, start, done = Ledger(7, domain=WARDS), threading.Barrier(60), []
    switch = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)

    def fail():
        yield charge(ward(0), "1/30")
        raise RuntimeError

    def spend(i):
        start.wait()
        for _ in range(5):
            try:
                ledger.charge(fail() if i % 3 == 0 else [charge(ward(0), "1/30"), charge(ward(0, i % 4), "1/30")])
                done.append(1)
            except (RuntimeError, BudgetExceeded):
                pass

    threads = [threading.Thread(target=spend, args=(i,)) for i in range(60)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    sys.setswitchinterval(switch)
    releases = 0

    def count(_):
        nonlocal releases
        releases += 1
        return 0

    ledger.derivation().total(count)
    assert ledger.rounds == len(done) and releases == 2 * len(done)
    assert check_derivation(ledger.derivation().to_json()).spent == ledger.spent <= 7


DOMAIN = Domain([Numeric.grid("x", 0, 4, bins=4)], ("a", "b"))
PARTS = [[[1, "a"]] * 20 + [[4, "b"]] * 20, [[1, "a"]] * 10 + [[3, "b"]] * 20]


def a_federation(budget=1, **options):
    return Federation([Party(rows, DOMAIN) for rows in PARTS], DOMAIN, Ledger(budget), **options)


class Failing(InProcess):
    """A transport that breaks down on the way to the second party."""

    def gather(self, number, names, request, endpoints):
        def broken(_):
            raise ConnectionError

        return super().gather(number, names, request, [endpoints[0], broken])


def test_a_round_whose_sending_fails_stays_charged_and_in_the_manifest():
    """The first party has answered: what may have been seen is paid for, and the query has its release."""
    f = a_federation(transport=Failing(), rng=ZeroWords())
    with pytest.raises(RoundLost, match=r"'party 2' does not answer in round 1.*silent"):
        f.release([ClassCounts(DOMAIN.everything, "1/2")])
    assert f.ledger.spent == Fraction(1, 2) and f.rounds == 1
    f.transport.gather = InProcess.gather.__get__(f.transport)
    f.release([ClassCounts(DOMAIN.everything, "1/2")])
    assert f.ledger.spent == 1 and list(f.transport.requests) == [1, 2]


def test_rounds_of_one_ledger_have_different_numbers_in_two_federations():
    """A round's number is the ledger's, so that releases of two federations cannot be taken for each other."""
    ledger = Ledger(2)
    first, second = (
        Federation([Party(rows, DOMAIN) for rows in PARTS], DOMAIN, ledger, rng=np.random.default_rng(1))
        for _ in range(2)
    )
    first.release([ClassCounts(DOMAIN.everything, "1/2")])
    second.release([ClassCounts(DOMAIN.everything, "1/2")])
    assert (list(first.transport.requests), list(second.transport.requests)) == ([1], [2])
    assert ledger.derivation().spent == 1


@pytest.mark.parametrize("unspent", [False, True])
def test_what_remains_after_an_early_leaf(unspent):
    """x ≤ 1 or 2 splits the classes apart: both leaves are made at level 1 of at most 4, after 2 nodes' budget."""
    f = a_federation(rng=ZeroWords())
    tree = fit_federated_tree(f, max_depth=4, min_samples_split=2, design="averaged", unspent_to_leaf=unspent)
    leaves = leaf_budgets(tree, f.ledger)
    node, leaf = Fraction(1, 8), Fraction(1, 2)
    assert [budget.level for budget in leaves] == [1, 1] and len(tree.leaves()) == 2
    for budget in leaves:
        assert budget.remaining == (0 if unspent else (4 - 1 - 1) * node)
        assert budget.spent + budget.remaining == 1 and (unspent or budget.spent == 2 * node + leaf)
    with pytest.raises(ValueError, match="same domain"):
        leaf_budgets(tree, Ledger(1))


def test_what_remains_can_be_spent_and_no_more():
    """The filter accepts the remainder of an early leaf in the tree's book, to the last fraction."""
    f = a_federation(rng=ZeroWords())
    tree = fit_federated_tree(f, max_depth=4, min_samples_split=2, design="averaged", unspent_to_leaf=False)
    left = leaf_budgets(tree, f.ledger)[0]
    book = f.ledger.accounts[0]
    more = Charge(left.region, left.remaining, "class counts of a leaf", "m", 1, "thm-histogram", 1)
    f.ledger.charge([more], book)
    assert f.ledger.spent == 1 and leaf_budgets(tree, f.ledger)[0].remaining == 0
    assert leaf_budgets(tree, f.ledger)[1].remaining == left.remaining
    with pytest.raises(BudgetExceeded):
        f.ledger.charge([charge(left.region, "1/1" + "0" * 300)], book)


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
        with pytest.raises(ValueError, match="one withstands 1; nothing was charged"):
            ledger.charge(batch)
        assert ledger.spent == 0
