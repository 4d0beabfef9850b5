"""Unix sockets: what comes out at the other end, what silence is, and where nobody can listen."""

import os
import socket
import stat
import threading
import time
from contextlib import contextmanager

import pytest

from fdpedu.federation import InProcess, RemoteParty, Sockets, serve, sockets
from fdpedu.federation.messages import MAX_REQUEST_BYTES
from fdpedu.federation.sockets import Served

IDENTITY = bytes(32)


class Site:
    """Answers with what it was asked, and an exclamation mark; or is silent for a while."""

    def __init__(self, silent=0, answer=lambda message: message + b"!"):
        self.asked, self.silent, self.answer = [], silent, answer

    def respond(self, message):
        self.asked.append(message)
        if len(self.asked) <= self.silent:
            raise OSError("no disk")
        return self.answer(message)


@contextmanager
def served(site, path):
    line = Served(site, path)
    thread = threading.Thread(target=line.run)
    thread.start()
    try:
        yield
    finally:
        line.close()
        thread.join()


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # paths are short, wherever the tests' folder is
    return tmp_path


def ask(carrier, names, message, **more):
    parties = [carrier.party(name, IDENTITY) for name in names]
    return carrier.gather(more.pop("number", 1), names, message, [party.respond for party in parties])


@pytest.mark.parametrize("size", [0, 1, 70_000, MAX_REQUEST_BYTES + 64])
def test_a_message_and_its_answer_come_whole(folder, size):
    carrier, site = Sockets("."), Site()
    with served(site, "a.sock"):
        (answer,) = ask(carrier, ["a"], bytes(size))
    assert answer == bytes(size) + b"!" and site.asked == [bytes(size)]
    assert [message.bytes for message in carrier.manifest] == [size, size + 1]
    assert carrier.requests == {1: bytes(size)}


def test_what_is_too_long_is_not_read(folder):
    site = Site()
    with served(site, "a.sock"):
        assert ask(Sockets(".", patience="1/100"), ["a"], bytes(MAX_REQUEST_BYTES + 65)) == [None]
    assert site.asked == []


def test_an_answer_that_announces_too_much_is_none(folder):
    """A carrier may answer anything: what is announced is not reserved."""
    with socket.socket(socket.AF_UNIX) as line:
        line.bind("a.sock")
        line.listen()

        def announce():
            with line.accept()[0] as other:
                other.recv(100)
                other.sendall((2**62).to_bytes(8, "big"))

        thread = threading.Thread(target=announce)
        thread.start()
        carrier = Sockets(".", patience="1/1000000000")
        assert ask(carrier, ["a"], b"?") == [None]
        thread.join()
    assert "announced" in carrier.silent["a"]


def test_the_same_bytes_go_again_until_there_is_an_answer(folder):
    site = Site(silent=3)
    with served(site, "a.sock"):
        assert ask(Sockets(".", patience=20), ["a"], b"?") == [b"?!"]
    assert site.asked == [b"?"] * 4


def test_a_site_that_comes_late_is_waited_for(folder):
    def later():
        time.sleep(0.3)
        with served(site, "b.sock"):
            ended.wait(10)

    site, ended = Site(), threading.Event()
    thread = threading.Thread(target=later)
    thread.start()
    with served(Site(), "a.sock"):
        assert ask(Sockets(".", patience=20), ["a", "b"], b"?") == [b"?!", b"?!"]
    ended.set()
    thread.join()


def test_all_are_asked_at_once(folder):
    """Each waits until both have been asked."""
    both = threading.Barrier(2, timeout=10)
    site = Site(answer=lambda message: b"%d" % (both.wait() >= 0))
    with served(site, "a.sock"), served(site, "b.sock"):
        assert ask(Sockets("."), ["a", "b"], b"?") == [b"1", b"1"]


def test_one_that_was_silent_is_asked_once_until_it_answers(folder):
    carrier, site, tried = Sockets(".", patience="1/2"), Site(), []
    ways = [carrier.party(name, IDENTITY).respond for name in "ab"]

    def counted(message):
        tried.append(message)
        return ways[1](message)

    def ask_both(number):
        tried.clear()
        return carrier.gather(number, ["a", "b"], b"?", [ways[0], counted])

    with served(Site(), "a.sock"):
        assert ask_both(1) == [b"?!", None] and len(tried) > 1 and set(tried) == {b"?"}
        for number in range(2, 12):
            assert ask_both(number) == [b"?!", None] and tried == [b"?"]
        assert carrier.silent == {"b": "b.sock: no such file or directory"}
        with served(site, "b.sock"):
            assert ask_both(12) == [b"?!", b"?!"]
        assert carrier.silent == {} and site.asked == [b"?"]


def test_a_site_that_takes_longer_than_the_first_wait_is_given_more_each_time(folder, monkeypatch):
    monkeypatch.setattr(sockets, "FIRST_WAIT", 0.05)
    with served(Site(answer=lambda message: time.sleep(0.5) or b"late"), "a.sock"):
        assert ask(Sockets(".", patience=20), ["a"], b"?") == [b"late"]


def test_after_a_refusal_the_others_have_been_asked(folder):
    """Other than in one process: nobody can take back what was sent to all at once."""
    from tests.federation.test_transport import REFUSAL

    refusing, site = Site(answer=lambda message: REFUSAL), Site()
    with served(refusing, "a.sock"), served(site, "b.sock"):
        assert ask(Sockets("."), ["a", "b"], b"?") == [REFUSAL, b"?!"]


def test_what_an_onlooker_raises_is_raised_where_the_round_is_asked(folder):
    def broken(message):
        raise ZeroDivisionError

    carrier = Sockets(".")
    with pytest.raises(ZeroDivisionError):
        carrier.deliver(1, ["a"], [b"?"], [broken])


def test_a_stranger_that_says_nothing_holds_up_nobody(folder):
    with served(Site(), "a.sock"), socket.socket(socket.AF_UNIX) as stranger:
        stranger.connect("a.sock")
        stranger.sendall(b"\0\0")
        assert ask(Sockets("."), ["a"], b"?") == [b"?!"]


@pytest.mark.parametrize(
    ("umask", "mode"), [(0o022, 0o600), (0o077, 0o600), (0o117, 0o660), (0o007, 0o660), (0, 0o660)]
)
def test_the_socket_is_its_owner_s_or_the_group_s(folder, umask, mode):
    before = os.umask(umask)
    try:
        with served(Site(), "a.sock"):
            assert stat.S_IMODE(os.stat("a.sock").st_mode) == mode and os.umask(umask) == umask
    finally:
        os.umask(before)
    assert not os.path.exists("a.sock")


def test_where_nobody_can_listen(folder):
    (folder / "rows.csv").write_text("age\n")
    long = "s" * 96 + ".sock"
    with served(Site(), "used.sock"):
        for path, words in (
            ("used.sock", "in use"),
            ("rows.csv", "no socket"),
            (long, "at most 100 bytes"),
            ("nowhere/a.sock", "cannot listen at nowhere/a.sock: no such file"),
            (".", "no socket"),
        ):
            with pytest.raises(ValueError, match=words):
                Served(Site(), path).leave()
        assert ask(Sockets("."), ["used"], b"?") == [b"?!"]
    assert (folder / "rows.csv").read_text() == "age\n"
    assert len(os.fsencode(long)) == 101
    with served(Site(), long[1:]):
        pass


def test_what_a_killed_process_left_is_replaced(folder):
    with socket.socket(socket.AF_UNIX) as left:
        left.bind("a.sock")
    with served(Site(), "a.sock"):
        assert ask(Sockets("."), ["a"], b"?") == [b"?!"]


@pytest.mark.parametrize(
    ("party", "words"),
    [
        (lambda: Sockets(".").party("../a", IDENTITY), "without a folder"),
        (lambda: Sockets(".").party("", IDENTITY), "without a folder"),
        (lambda: Sockets(".").party("a" * 100, IDENTITY), "at most 100 bytes"),
        (lambda: Sockets(".").party("a", b"short"), "32 bytes"),
        (lambda: Sockets(".", patience=0), "patience"),
        (lambda: Sockets(5), "path"),
        (lambda: RemoteParty("", IDENTITY, print), "name"),
        (lambda: RemoteParty("a", "text", print), "32 bytes"),
        (lambda: RemoteParty("a", IDENTITY, None), "respond"),
        (lambda: RemoteParty("a\nb", IDENTITY, print), "name"),
    ],
)
def test_what_no_party_is(party, words):
    with pytest.raises(ValueError, match=words):
        party()


def test_windows_is_answered_in_words(monkeypatch):
    monkeypatch.delattr(sockets.socketserver, "UnixStreamServer")
    for make in (lambda: Sockets("."), lambda: serve(Site(), "a.sock")):
        with pytest.raises(ValueError, match=r"Windows.*WSL"):
            make()


def test_a_transport_of_ones_own_needs_both_ways(folder):
    assert {"gather", "deliver"} <= set(dir(InProcess())) & set(dir(Sockets(".")))


def test_one_that_ends_takes_away_its_own_socket_only(folder):
    """Two that are started at once on what a killed process left: the later one's socket stays when the other ends."""
    first = Served(Site(), folder / "north.sock")
    (folder / "north.sock").unlink()
    with served(Site(), folder / "north.sock"):
        first.leave()
        assert Sockets(folder, patience=1).party("north", IDENTITY).respond(b"x") == b"x!"
    assert not (folder / "north.sock").exists()
