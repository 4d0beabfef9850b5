"""Two trees on one budget that is enough for one: the second waits, is refused, and pays nothing."""

import threading
import time
from fractions import Fraction

import numpy as np
import pytest

from fdpedu.accounting import BudgetExceeded, Ledger, turns
from fdpedu.accounting.turns import WaitingWarning, taking_turns
from fdpedu.claims.forks import in_child
from fdpedu.estimators import FederatedTreeClassifier

DOMAIN = {"features": {"age": [0, 100, 4]}, "classes": ["no", "yes"]}
X = np.arange(60).reshape(-1, 1)
Y = np.where(X[:, 0] > 50, "yes", "no")


@pytest.fixture
def path(tmp_path):
    with Ledger.open(tmp_path / "budget.db", 1):
        return str(tmp_path / "budget.db")


@pytest.mark.filterwarnings("ignore")
def test_of_two_trees_at_once_one_is_grown_and_the_other_pays_nothing(path):
    outcomes = []

    def fit():
        try:
            FederatedTreeClassifier(DOMAIN, epsilon="3/4", max_depth=3, budget=path).fit(X, Y)
            outcomes.append("grown")
        except BudgetExceeded as refused:
            outcomes.append(str(refused))

    threads = [threading.Thread(target=fit) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes)[:1] == ["grown"]
    assert all("nothing was charged" in refused and "stays paid" not in refused for refused in sorted(outcomes)[1:])
    with Ledger.open(path) as ledger:
        assert ledger.spent == Fraction(3, 4) and len(ledger.accounts) == 1


def test_whoever_waits_says_so_and_goes_on_when_the_other_is_done(path):
    with Ledger.open(path) as first, Ledger.open(path) as second:
        holds, order = threading.Event(), []

        def hold():
            with taking_turns(first):
                holds.set()
                time.sleep(0.3)
                order.append("first")

        holder = threading.Thread(target=hold)
        holder.start()
        holds.wait()
        with pytest.warns(WaitingWarning, match="waiting"), taking_turns(second):
            order.append("second")
        holder.join()
        assert order == ["first", "second"]


@pytest.mark.filterwarnings("ignore::fdpedu.accounting.turns.WaitingWarning")
def test_several_who_wait_go_on_one_after_the_other(path):
    inside, most, entered = [], [], threading.Barrier(4)

    def take():
        with Ledger.open(path) as ledger:
            entered.wait()
            with taking_turns(ledger):
                inside.append(1)
                most.append(len(inside))
                time.sleep(0.1)
                inside.pop()

    threads = [threading.Thread(target=take) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == [1] * 4


def test_a_turn_ends_with_its_process(path):
    def take(say):
        turn = taking_turns(Ledger.open(path))
        turn.__enter__()
        say("taken")

    assert in_child(take)[0] == ["taken"]
    with Ledger.open(path) as ledger, taking_turns(ledger):
        pass


@pytest.mark.parametrize("missing", ["fcntl", "_opened"])
def test_where_there_are_no_locks_nobody_waits(path, monkeypatch, missing):
    monkeypatch.setattr(turns, missing, None if missing == "fcntl" else lambda _: None)
    with Ledger.open(path) as ledger, taking_turns(ledger), taking_turns(ledger):
        pass


def test_ledgers_in_memory_wait_for_nobody():
    with taking_turns(Ledger(1)), taking_turns(Ledger(1)):
        pass
