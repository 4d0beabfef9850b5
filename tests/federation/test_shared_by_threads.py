"""Whatever charges and then answers may be shared by threads: each call is answered and paid, or refused, not paid."""

import sys
import time
from fractions import Fraction

import pytest

from fdpedu.accounting import BudgetExceeded, Charge, Ledger
from fdpedu.domain import Domain, Numeric
from fdpedu.federation import ClassCounts, Curator, Federation, NodeHistograms, Party
from fdpedu.federation.messages import Answer, Refusal
from fdpedu.randomness import ZeroWords
from fdpedu.secure_sum import Masks
from tests.support.accounting import at_once
from tests.support.desks import Desk

GRID = Domain([Numeric.grid("x", 0, 8, bins=8), Numeric.grid("z", 0, 8, bins=8)], ("n", "y"))
ROWS = [[i % 8 + 0.5, i // 8 % 8 + 0.5, "ny"[i % 2]] for i in range(64)]
REGIONS = [GRID.everything, *(GRID.everything.restrict(j, codes) for j in (0, 1) for codes in (range(4), range(4, 8)))]
COST, CALLS, THREADS = Fraction(1, 100), 25, 4


@pytest.fixture(autouse=True)
def switching_often():
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def rows_in(region):
    return sum(bool(region.holds(GRID.encode([r[:-1]]), GRID.encode_labels([r[-1]]), GRID.everything)[0]) for r in ROWS)


SIZES = [rows_in(region) for region in REGIONS]


def asked(releasing):
    """Counts and histograms of the whole and of halves in turn; without noise, so that a wrong answer is seen."""

    def call(number, i):
        at = (number + i) % len(REGIONS)
        kind = (ClassCounts, NodeHistograms)[i % 2]
        (answer,) = releasing.release([kind(REGIONS[at], COST)], str(number))
        assert answer.sum() == SIZES[at] * (1 if kind is ClassCounts else 2)

    return call


def curator():
    ledger = Ledger(50)
    return asked(Curator(Party(ROWS, GRID), ledger, ZeroWords())), ledger


def federation():
    ledger, members = Ledger(50), [Party(ROWS[k::2], GRID) for k in range(2)]
    return asked(Federation(members, GRID, ledger, rng=ZeroWords())), ledger


def charge():
    return Charge(GRID.everything, COST, "a count", "noise", 1, "thm-histogram")


def in_memory():
    ledger = Ledger(50, domain=GRID)
    return lambda number, _: ledger.charge([charge()], str(number)), ledger


SHARED = {"curator": curator, "federation": federation, "ledger": in_memory}


def called(call):
    """What the calls of all threads have raised."""
    raised = []

    def run(number):
        for i in range(CALLS):
            try:
                call(number, i)
            except Exception as error:
                raised.append(error)

    at_once(THREADS, run)
    return raised


@pytest.mark.parametrize("name", SHARED)
def test_each_call_is_answered_and_paid(name):
    call, ledger = SHARED[name]()
    assert called(call) == [] and ledger.rounds == THREADS * CALLS


@pytest.mark.parametrize("name", SHARED)
def test_a_budget_that_ends_is_spent_once(name, monkeypatch):
    """Just as many are answered as it pays for; all others are refused, and pay nothing."""
    monkeypatch.setattr(sys.modules[__name__], "COST", Fraction(1))
    call, ledger = SHARED[name]()
    raised = called(call)
    assert {type(error) for error in raised} == {BudgetExceeded}
    assert ledger.rounds == THREADS * CALLS - len(raised) and ledger.spent <= 50


def test_a_ledger_in_a_file_is_shared(tmp_path):
    ledger = Ledger.open(tmp_path / "b.db", 50, domain=GRID)
    assert called(lambda number, _: ledger.charge([charge()], str(number))) == []
    assert ledger.rounds == THREADS * CALLS == Ledger.open(tmp_path / "b.db").rounds


def test_an_endpoint_answers_each_number_once():
    """Whoever asks: of requests with one number one is answered, and paid in the party's own ledger."""
    desk = Desk().begin()
    answers = []

    def call(number, i):
        got = desk.say(desk.request(1 + i, ClassCounts(desk.domain.everything, COST)))
        assert type(got) in (Answer, Refusal)
        answers.extend([got.number] * (type(got) is Answer))

    assert called(call) == []
    assert len(answers) == len(set(answers)) == desk.endpoint.ledger.rounds


class Slow(Masks):
    """Between reading the last number and writing the next there is time for other threads."""

    @property
    def _last(self):
        number = self.__dict__["last"]
        time.sleep(1e-4)
        return number

    @_last.setter
    def _last(self, number):
        self.__dict__["last"] = number


def test_masks_are_drawn_once_for_a_number():
    masks, drawn = Slow(0, {1: bytes(32)}), []

    def call(_, number):
        try:
            masks.draw(number, 1)
            drawn.append(number)
        except ValueError as error:
            assert "used before" in str(error)

    assert called(call) == [] and drawn and len(drawn) == len(set(drawn))


def test_a_round_within_a_round_is_refused_before_it_is_charged():
    """From the report of progress, in the same thread, which would wait for itself."""
    for make in (curator, federation):
        call, ledger = make()
        releasing = call.__closure__[0].cell_contents
        said = []

        def again(*_, releasing=releasing, said=said):
            with pytest.raises(ValueError, match="in the midst of a round") as refused:
                releasing.release([ClassCounts(GRID.everything, COST)])
            said.append(str(refused.value))

        releasing.release([ClassCounts(GRID.everything, COST)], answered=again)
        assert said and ledger.rounds == 1
