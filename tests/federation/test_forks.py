"""What must not happen twice: after a kill, a fork, a copy, in two processes and in two threads."""

import copy
import importlib
import os
import pickle
import random
import threading
from fractions import Fraction
from functools import partial

import numpy as np
import pytest

from fdpedu import process
from fdpedu.accounting import BudgetExceeded, Ledger
from fdpedu.claims.checking import NotRun
from fdpedu.claims.forks import begin_child, end_child, in_child
from fdpedu.claims.histograms import budget_file as topic
from fdpedu.federation import ClassCounts, Federation, InProcess, Party
from fdpedu.randomness import Rehearsal, ReplayedWords, SeededSource, SystemSource, ZeroWords, as_source
from fdpedu.secure_sum import KeyPair, pairwise_keys
from tests.support.budget_files import ALL, charge
from tests.support.federations import DOMAIN

COUNTS = [ClassCounts(ALL, "1/4")]


def parties():
    return [Party([[1, "A", "ill"]], DOMAIN), Party([], DOMAIN)]


def a_federation(ledger=None, **options):
    return Federation(parties(), DOMAIN, Ledger(1) if ledger is None else ledger, **options)


@pytest.mark.claim("thm-round")
def test_rounds_that_are_killed(pytestconfig):
    """At 30 lines of three rounds, other ones each time (500 with --deep); and when an answer has just left."""
    topic.killed(0)
    lines = {moment for (moment,) in topic.moments(10_000)}
    assert len(lines) > 2000
    for moment in random.sample(sorted(lines), 500 if pytestconfig.getoption("--deep") else 30):
        topic.killed(moment)


def test_the_law_of_killed_rounds_sees_a_process_that_lives():
    with pytest.raises(Exception, match="was not killed"):
        topic.killed(10**9)


def test_a_child_refuses_the_words_of_a_seeded_generator():
    """Its own, and those of a source that it makes of it: neither yields a word that its parent also has."""
    source = as_source(np.random.default_rng(1))
    for use in (partial(source.words, 3), partial(source.spawn, 2), partial(a_federation, rng=source)):
        said, status = in_child(lambda say, use=use: use())
        assert status == 1 and "forked" in said[0]
    assert source.words(3).tolist() == np.random.default_rng(1).integers(2**64, size=3, dtype=np.uint64).tolist()


def test_the_system_s_words_differ_in_a_child():
    """It holds no state, so it goes on; 192 bits are equal with a probability of 2⁻¹⁹²."""
    source = as_source()
    said, status = in_child(lambda say: say(source.words(3).tolist()))
    assert status == 0 and said != [str(source.words(3).tolist())]


def test_a_refused_federation_has_charged_and_sent_nothing():
    federation = a_federation()

    def attempt(say):
        try:
            federation.release(COUNTS)
        except ValueError as error:
            say(error)
        say([federation.rounds, federation.ledger.rounds, len(federation.transport.manifest)])

    said, _ = in_child(attempt)
    assert "forked" in said[0] and said[1] == "[0, 0, 12]"
    assert federation.release(COUNTS)[0].sum() is not None and federation.ledger.spent == Fraction(1, 4)


def test_a_ledger_in_a_file_goes_on_in_children_and_their_children(tmp_path):
    """Each opens a connection of its own; together they spend the budget once, and each sees what the others spent."""
    ledger = Ledger.open(tmp_path / "budget.db", 1, domain=DOMAIN)
    ledger.charge([charge("1/8")])

    def grandchild(say):
        say(ledger.charge([charge("1/8")]))

    def child(say):
        say(ledger.charge([charge("1/8")]))
        for line in in_child(grandchild)[0]:
            say(line)
        say(ledger.spent)

    said, status = in_child(child)
    assert (said, status) == (["2", "3", "3/8"], 0)
    assert ledger.spent == Fraction(3, 8) and ledger.charge([charge("5/8")]) == 4
    with pytest.raises(BudgetExceeded):
        ledger.charge([charge("1/100")])


def test_parent_and_children_race_on_one_ledger_object(tmp_path):
    """A ledger that was open before the fork, in four processes at once, each with several threads' worth of rounds."""
    ledger = Ledger.open(tmp_path / "budget.db", 5, domain=DOMAIN)

    def spend(say):
        while True:
            try:
                say(ledger.charge([charge("1/4")]))
            except BudgetExceeded:
                return

    children, mine = [begin_child(spend) for _ in range(3)], []
    spend(mine.append)
    numbers = mine + [int(line) for child in children for line in end_child(*child)[0]]
    assert sorted(numbers) == list(range(1, 21)) and ledger.spent == 5


def test_a_fork_waits_for_a_connection_to_end(tmp_path):
    """Another thread is in the midst of a charge: the child is made after it, and can charge at once."""
    ledger, inside, go_on = Ledger.open(tmp_path / "budget.db", 1), threading.Event(), threading.Event()

    def slow():
        with ledger._books("BEGIN IMMEDIATE") as books:
            inside.set()
            go_on.wait(30)
            books.append(1, "", [charge("1/4")])

    thread = threading.Thread(target=slow)
    thread.start()
    assert inside.wait(30), "somebody else holds the lock"
    threading.Timer(0.3, go_on.set).start()
    said, status = in_child(lambda say: say(ledger.charge([charge("1/4")])))
    thread.join()
    assert (said, status) == (["2"], 0) and go_on.is_set() and ledger.spent == Fraction(1, 2)


def test_a_child_with_its_parent_s_number_is_another_process(monkeypatch):
    """Numbers are given again; the token is not."""
    here = process.this_process()
    monkeypatch.setattr(os, "getpid", lambda: here.number)
    said, _ = in_child(lambda say: say([process.this_process() == here, process.this_process().number == here.number]))
    assert said == ["[False, True]"] and process.this_process() == here


def test_a_fork_that_python_did_not_see_is_found_by_its_number(monkeypatch):
    ledger = Ledger(1)
    monkeypatch.setattr(os, "getpid", lambda: -1)
    with pytest.raises(ValueError, match=r"forked.*Ledger\.open"):
        ledger.charge([charge()])
    monkeypatch.undo()
    assert ledger.charge([charge()]) == 1


def test_systems_without_fork(monkeypatch):
    """The module loads, and nothing is refused; the checks say why they were not run."""
    with monkeypatch.context() as patch:
        patch.delattr(os, "register_at_fork")
        patch.delattr(os, "fork")
        spec = importlib.util.find_spec("fdpedu.process")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        module.require_same_process(module.this_process(), "this", "")
        for cases in (topic.moments, topic.processes, topic.kinds):
            with pytest.raises(NotRun, match="no fork on this system"):
                list(cases(2))
    assert os.fork


THINGS = {
    "ledger": lambda: Ledger(1),
    "federation": a_federation,
    "endpoint": lambda: a_federation()._endpoints[0].__self__,
    "masks": lambda: pairwise_keys(2)[0],
    "key pair": KeyPair,
    "seeded source": lambda: as_source(np.random.default_rng(1)),
    "its child": lambda: as_source(np.random.default_rng(1)).spawn(1)[0],
    "rehearsal": lambda: Rehearsal(1),
    "tape": lambda: ReplayedWords([1]),
}


@pytest.mark.parametrize("how", [copy.copy, copy.deepcopy, pickle.dumps])
@pytest.mark.parametrize("thing", THINGS)
def test_what_must_not_happen_twice_is_not_copied(thing, how):
    with pytest.raises(TypeError, match="copied"):
        how(THINGS[thing]())


@pytest.mark.parametrize("source", [SystemSource(), ZeroWords()])
def test_a_source_without_a_state_may_be_copied(source):
    assert type(pickle.loads(pickle.dumps(copy.deepcopy(source)))) is type(source)


@pytest.mark.parametrize(
    "how", [copy.copy, copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x)), lambda x: copy.copy(copy.deepcopy(x))]
)
def test_a_copy_of_a_party_is_the_same_party(how):
    """In one federation it would count its records twice; instead of the party it may take part."""
    party, other = Party([[1, "A", "ill"]], DOMAIN), Party([[1, "A", "ill"]], DOMAIN)
    with pytest.raises(ValueError, match="once"):
        Federation([party, how(party)], DOMAIN, Ledger(1))
    released = Federation([how(party), other], DOMAIN, Ledger(1), rng=ZeroWords()).release(COUNTS)
    assert released[0].tolist() == [0, 2]


@pytest.mark.parametrize("name", ["ledger", "domain", "tolerate"])
def test_what_a_federation_rests_on_cannot_be_exchanged(name):
    federation = a_federation()
    with pytest.raises(AttributeError):
        setattr(federation, name, Ledger(100))
    assert (federation.ledger.budget, federation.domain, federation.tolerate) == (1, DOMAIN, 1)


@pytest.mark.parametrize("kept", [False, True])
def test_threads_on_federations_of_one_ledger(tmp_path, kept):
    """Eight threads on two federations: whatever is paid is answered, and what is refused is not paid."""
    ledger = Ledger.open(tmp_path / "budget.db", 5) if kept else Ledger(5)
    federations, outcomes, start = [a_federation(ledger, rng=ZeroWords()) for _ in range(2)], [], threading.Barrier(8)

    def ask(k):
        start.wait()
        for _ in range(4):
            try:
                outcomes.append(federations[k % 2].release(COUNTS)[0].tolist())
            except Exception as error:
                outcomes.append(type(error))

    team = [threading.Thread(target=ask, args=(k,)) for k in range(8)]
    for thread in team:
        thread.start()
    for thread in team:
        thread.join()
    answered = [outcome for outcome in outcomes if outcome == [0, 1]]
    assert len(answered) == ledger.rounds == 20 and ledger.spent == 5
    assert len(outcomes) == 32 and outcomes.count(BudgetExceeded) == 12


def test_after_a_round_that_failed_the_next_one_begins():
    class Failing(InProcess):
        def gather(self, *arguments):
            if arguments[0] == 1:
                raise ConnectionError
            return super().gather(*arguments)

    federation = a_federation(transport=Failing(), rng=ZeroWords())
    with pytest.raises(ConnectionError):
        federation.release(COUNTS)
    assert federation.release(COUNTS)[0].tolist() == [0, 1] and federation.ledger.spent == Fraction(1, 2)


def test_a_seeded_source_of_a_class_of_one_s_own_holds_its_process():
    """A subclass is bound to its process, too."""
    source = type("Mine", (SeededSource,), {})(np.random.default_rng(1))
    said, status = in_child(lambda say: source.words(1))
    assert status == 1 and "forked" in said[0]
