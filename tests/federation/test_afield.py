"""Processes that are killed, links that are cut, and whoever meddles: the right sum or none, each round paid once.

Sites and aggregator are processes of this machine, and their carrier is the folder of sockets. All of it runs without
noise, so that what comes out is known. The aggregator is killed at any line that the library runs (many with
``--deep``).
"""

import os
import pydoc
import random
import signal
import socket
import threading
from fractions import Fraction
from functools import partial

import pytest

from fdpedu.accounting import Ledger, check_derivation
from fdpedu.claims.forks import count_lines, in_child
from fdpedu.federation import ClassCounts, ClassHistogram, Sockets
from fdpedu.secure_sum import Identity, RoundLost
from fdpedu.trees import Design, fit_federated_tree
from tests.support.afield import DOMAIN, Field
from tests.support.budget_files import charge

ALL = DOMAIN.everything
ONE = [ClassCounts(ALL, Fraction(1, 4))]
TWO = [ClassHistogram(ALL, Fraction(1, 4), 0), ClassHistogram(ALL, Fraction(1, 4), 1)]
DRAWN = Design(features_per_node=1)  # public coins decide what is asked


@pytest.fixture
def field(tmp_path):
    made = Field(tmp_path)
    yield made
    made.stop()


def grow(field, **options):
    """A tree that takes the whole budget: nothing may be paid twice."""
    with field.federation(**options) as federation:
        return fit_federated_tree(federation, max_depth=2, design=DRAWN), federation.manifest


def dying(field, line, say):
    """The aggregator's process, which kills itself before this line of the library."""
    say(count_lines(partial(grow, field), line))


def finished(field):
    """Started again, it finishes: the tree of the coins that were drawn, its derivation, and what all have paid."""
    tree, manifest = grow(field)
    field.require_paid_once(tree.rounds)
    assert tree.cost.value == 1 and check_derivation(tree.derivation.to_json(), manifest.to_json()).spent == 1
    assert str(tree) == str(in_process(field))
    return tree


def in_process(field):
    """The tree of the same rows and coins, grown in one process."""
    return fit_federated_tree(field.in_process(), max_depth=2, design=DRAWN, rng=field.coins)


def lines_of(tmp_path):
    """How many lines of the library a fit runs; this process fills its caches first, so that all children run as many.

    A child inherits them from here on, as it would from the first fit that is finished here.
    """
    for name in ("filling", "counted"):
        (tmp_path / name).mkdir()
        field = Field(tmp_path / name)
        try:
            field.start_all()
            if name == "filling":
                finished(field)
            else:
                said, status = in_child(partial(dying, field, None))
        finally:
            field.stop()
    assert status == 0, said
    return int(said[0])


def test_an_aggregator_that_is_killed_is_finished(tmp_path, pytestconfig):
    """Wherever: with drawn features, and a budget that is just enough."""
    lines = lines_of(tmp_path)
    assert lines > 1000
    for k in range(100 if pytestconfig.getoption("--deep") else 4):
        (tmp_path / str(k)).mkdir()
        field = Field(tmp_path / str(k))
        try:
            field.start_all()
            said, status = in_child(partial(dying, field, random.randrange(1, lines * 4 // 5)))
            assert status == -signal.SIGKILL, said
            finished(field)
        finally:
            field.stop()


POINTS = {  # where an aggregator dies: a method of the library, at which of its calls, and whether it had been run
    "before the opening": ("fdpedu.federation.session.Session.__init__", 1, False),
    "an invitation is written down": ("fdpedu.federation.journal.Journal.ask", 1, True),
    "within the opening": ("fdpedu.federation.sockets.Sockets.deliver", 2, True),
    "after the opening": ("fdpedu.federation.session.Session.__init__", 1, True),
    "before a round is charged": ("fdpedu.accounting.ledger.Ledger.charge", 2, False),
    "after a round is charged": ("fdpedu.accounting.ledger.Ledger.charge", 2, True),
    "a question is written down": ("fdpedu.federation.journal.Journal.ask", 5, True),
    "within a round": ("fdpedu.federation.sockets._send", 11, True),
    "all have answered": ("fdpedu.federation.journal.Journal.note", 5, False),
    "answers are written down": ("fdpedu.federation.journal.Journal.accept", 3, True),
    "the tree is grown": ("fdpedu.federation.federation.Federation.close", 1, False),
    "the sites have left": ("fdpedu.federation.federation.Federation.close", 1, True),
}


def dying_at(field, point, say):
    name, calls, afterwards = POINTS[point]
    owner, _, method = name.rpartition(".")
    place, done, lock = pydoc.locate(owner), iter(range(1, calls + 1)), threading.Lock()
    real = getattr(place, method)

    def killing(*arguments, **options):
        with lock:
            last = next(done) == calls
        if last and not afterwards:
            os.kill(os.getpid(), signal.SIGKILL)
        found = real(*arguments, **options)
        if last:
            os.kill(os.getpid(), signal.SIGKILL)
        return found

    setattr(place, method, killing)
    grow(field)


@pytest.mark.parametrize("point", POINTS)
def test_an_aggregator_that_is_killed_there_is_finished(field, point):
    field.start_all()
    said, status = in_child(partial(dying_at, field, point))
    assert status == -signal.SIGKILL, said
    finished(field)


def test_with_the_same_answers_the_tree_is_that_of_one_process(field):
    field.start_all()
    tree = finished(field)
    whole = field.in_process(Ledger(field.agreed.total))
    other = fit_federated_tree(whole, max_depth=2, design=DRAWN, rng=field.coins)
    assert other.root == tree.root and other.derivation.render() == tree.derivation.render()


def test_two_aggregators_on_one_journal(field):
    """The second waits for nobody: it is refused, and the first one goes on."""
    field.start_all()
    first = field.federation()
    with pytest.raises(ValueError, match="in use"):
        field.federation()
    assert first.release(ONE)[0].tolist() == field.in_process().release(ONE)[0].tolist()


def test_an_aggregator_that_nobody_agreed_on_is_not_heard(field):
    """A stranger gets silence, whatever it asks, and the first session goes on; nobody pays."""
    field.start_all()
    first = field.federation()
    first.release(ONE)
    with pytest.raises(RoundLost, match="silent"):
        field.federation(identity=Identity.create(), journal=False, ledger=Ledger(1000), patience="1/10")
    with socket.socket(socket.AF_UNIX) as line:
        line.connect(os.fspath(field.socket("north")))
        line.sendall((200).to_bytes(8, "big") + bytes(200))
        assert line.recv(1) == b""
    assert first.release(TWO)[0].tolist() == field.in_process().release(TWO)[0].tolist()
    field.require_paid_once(2, Fraction(3, 4))


class Link:
    """A carrier between two sockets that can be cut, as ``ssh -R`` is: what listens here leads to a socket there."""

    def __init__(self, here, there):
        self.here, self.there, self.is_up = here, there, True
        self._line = socket.socket(socket.AF_UNIX)
        self._line.bind(os.fspath(here))
        self._line.listen(50)
        threading.Thread(target=self._carry, daemon=True).start()

    def _carry(self):
        while True:
            try:
                near, _ = self._line.accept()
            except OSError:
                return
            threading.Thread(target=self._connect, args=[near], daemon=True).start()

    def _connect(self, near):
        with near, socket.socket(socket.AF_UNIX) as far:
            if not self.is_up:
                return
            far.connect(os.fspath(self.there))
            back = threading.Thread(target=self._pump, args=[far, near], daemon=True)
            back.start()
            self._pump(near, far)
            back.join(1)

    def _pump(self, source, sink):
        try:
            while part := source.recv(100):
                if not self.is_up:  # in the midst of a message
                    break
                sink.sendall(part)
            for one in (source, sink):
                one.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass

    def close(self):
        self._line.close()


@pytest.mark.parametrize("cut", [1, 3, 5, 6])
def test_a_link_that_is_cut_for_three_seconds(field, cut):
    """In the opening and in rounds: nothing is lost, and nothing is paid twice."""
    field.start_all()
    (field.folder / "here").mkdir()
    links = [Link(field.folder / "here" / f"{name}.sock", field.socket(name)) for name in field.own]
    far, back = links[1], threading.Event()

    def up():
        far.is_up = True
        back.set()

    asked = iter(range(1, 100))

    def cutting(deliver):
        def delivered(*arguments):
            if next(asked) == cut:
                far.is_up = False
                threading.Timer(3 if cut == 5 else 0.5, up).start()
            return deliver(*arguments)

        return delivered

    sockets = Sockets(field.folder / "here", patience=20)
    sockets.deliver = cutting(sockets.deliver)
    parties = [sockets.party(name, identity) for name, identity in field.agreed.members.items()]
    with field.of(parties, sockets, journal=True, ledger=None) as federation:
        tree = fit_federated_tree(federation, max_depth=2, design=DRAWN)
    assert back.wait(10)
    field.require_paid_once(tree.rounds)
    assert str(tree) == str(in_process(field))
    for link in links:
        link.close()


def test_a_site_whose_budget_is_reached_says_so_and_is_charged_no_more(field):
    """The others have been asked at once, so they have paid; it says so again when the fit is started again."""
    with field.ledger("south") as ledger:
        ledger.charge([charge("7/8", ALL)])
    field.start_all()
    for _ in range(2):
        federation = field.federation()
        with pytest.raises(RoundLost, match=r"south 2.*over budget"):
            federation.release(ONE)
        federation.journal.close()
    assert field.charged("north") == field.charged("aggregator") == (1, Fraction(1, 4))
    assert field.charged("south") == (1, Fraction(7, 8))


def test_a_site_whose_file_cannot_be_written_pays_nothing_and_answers_when_it_can(field):
    """Its disk is full: the round waits in the journal until there is room, and is finished then."""
    import resource

    def on_a_full_disk(site):
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, resource.RLIM_INFINITY))
        return site

    field.start_all()
    federation = field.federation(patience=3)
    federation.release(ONE)
    federation.journal.close()
    field.kill("south")
    field.start("south", wrapped=on_a_full_disk)
    federation = field.federation(patience=3)
    federation.release(ONE)
    with pytest.raises(RoundLost, match="south 2"):
        federation.release(TWO)
    federation.journal.close()
    assert field.charged("south") == (1, Fraction(1, 4))
    field.kill("south")
    field.start("south")
    federation = field.federation()
    right = field.in_process()
    for queries in (ONE, TWO):
        assert [p.tolist() for p in federation.release(queries)] == [p.tolist() for p in right.release(queries)]
    field.require_paid_once(2, Fraction(3, 4))


@pytest.mark.parametrize("name", ["north", "east"])
def test_a_site_that_is_killed_in_a_round_is_waited_for(field, name):
    field.start_all()
    killed = iter([True])

    def progress(done, of):
        if done > 3 and next(killed, False):
            field.kill(name)
            threading.Timer(0.3, field.start, [name]).start()

    with field.federation() as federation:
        tree = fit_federated_tree(federation, max_depth=2, design=DRAWN, progress=progress)
    field.require_paid_once(tree.rounds)
    assert str(tree) == str(in_process(field))
