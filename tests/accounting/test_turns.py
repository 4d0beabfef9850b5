"""Two trees on one budget that is enough for one: the second waits, is refused, and pays nothing."""

import fcntl
import threading
import time

import numpy as np
import pytest

from fdpedu.accounting import Ledger, turns
from fdpedu.accounting.turns import WaitingWarning, taking_turns
from fdpedu.claims.forks import in_child
from fdpedu.domain import Domain
from fdpedu.estimators import (
    FederatedBoostingClassifier,
    FederatedTreeClassifier,
    FederatedTreeRegressor,
    PrivaTreeClassifier,
)
from tests.support import two_sites

DOMAIN = {"features": {"age": [0, 100, 4]}, "classes": ["no", "yes"]}
X = np.arange(60).reshape(-1, 1)
Y = np.where(X[:, 0] > 50, "yes", "no")


@pytest.fixture
def path(tmp_path):
    with Ledger.open(tmp_path / "budget.db", 1):
        return str(tmp_path / "budget.db")


NUMBERS = {"features": {"age": [0, 100, 4]}, "target": {"name": "days", "range": [0, 100], "levels": 5}}
COMMON = ("--domain", "domain.json", "--epsilon", "1/2", "--budget", "b.db")
SITES = ("--label", "back", "--max-depth", "1", *two_sites.SITES)
OWNER = ("--label", "back", "--curator", two_sites.SITES[0])
FITS = {
    "classifier": lambda: FederatedTreeClassifier(DOMAIN, epsilon="1/2", max_depth=1, budget="e.db").fit(X, Y),
    "regressor": lambda: FederatedTreeRegressor(NUMBERS, epsilon="1/2", max_depth=1, budget="n.db").fit(X, X[:, 0]),
    "boosting": lambda: FederatedBoostingClassifier(DOMAIN, epsilon="1/2", nominal_size=60, budget="r.db").fit(X, Y),
    "privatree": lambda: PrivaTreeClassifier(DOMAIN, epsilon="1/2", max_depth=1, budget="e.db").fit(X, Y),
    "fit": lambda: two_sites.run("fit", *COMMON, *SITES),
    "fit --model boosting": lambda: two_sites.run("fit", *COMMON, "--model", "boosting", *BOOSTED),
    "fit --curator": lambda: two_sites.run("fit", *COMMON, "--nominal-size", "60", *OWNER),
    "fit --model privatree": lambda: two_sites.run("fit", *COMMON, "--model", "privatree", *OWNER),
}
BOOSTED = ("--nominal-size", "120", "--label", "back", "--out", "m.json", *two_sites.SITES)


@pytest.fixture
def budgets(tmp_path, monkeypatch):
    """Two sites' files and a budget of theirs; others in ε, for classes and for numbers, and one in ρ."""
    monkeypatch.chdir(tmp_path)
    two_sites.write_two_sites()
    for name, spec, delta in (("e.db", DOMAIN, None), ("n.db", NUMBERS, None), ("r.db", DOMAIN, 1e-6)):
        Ledger.open(name, 1, delta=delta, domain=Domain.from_spec(spec)).close()
    return {"regressor": "n.db", "boosting": "r.db", **{name: "b.db" for name in FITS if name.startswith("fit")}}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", FITS)
def test_a_fit_that_begins_while_the_turn_is_held_waits_until_it_is_given_back(name, budgets, monkeypatch):
    """It charges nothing before; and while it charges, nobody else could take the turn."""
    path = budgets.get(name, "e.db")
    waits, taken, lock = threading.Event(), [], fcntl.flock
    monkeypatch.setattr(turns.fcntl, "flock", lambda at, how: (how != fcntl.LOCK_EX or waits.set(), lock(at, how))[1])
    own = Ledger.charge

    def charging(ledger, *charges, **more):
        if ledger.path is not None:
            with pytest.raises(BlockingIOError), open(turns._opened(str(ledger.path)), "rb") as other:
                lock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
            taken.append(ledger.path.name)
        return own(ledger, *charges, **more)

    monkeypatch.setattr(Ledger, "charge", charging)
    thread = threading.Thread(target=FITS[name])
    with Ledger.open(path) as ledger, taking_turns(ledger):
        thread.start()
        while thread.is_alive() and not waits.wait(0.01):
            pass
        assert waits.is_set() and thread.is_alive() and (ledger.rounds, taken) == (0, [])
    thread.join()
    with Ledger.open(path) as ledger:
        assert ledger.rounds == len(taken) > 0 and {*taken} == {path}


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
