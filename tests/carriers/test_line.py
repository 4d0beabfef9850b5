"""One site's line: a socket when its end is heard, a hang-up for whatever is lost, and gone after three in a row."""

import threading
import time

import pytest

from fdpedu.carriers.line import HELLO, HERE, Line
from fdpedu.federation import sockets


class Send:
    """What comes back, in turn; the last for ever."""

    def __init__(self, *answers):
        self.answers, self.sent = list(answers), []

    def __call__(self, message):
        self.sent.append(message)
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


@pytest.fixture
def made(tmp_path):
    lines = []

    def line(*answers):
        lines.append(Line(Send(*answers), tmp_path / "a.sock"))
        return lines[-1]

    yield line
    for one in lines:
        one.close()


def test_a_socket_is_there_from_when_the_end_is_heard(made, tmp_path):
    """Before, whoever asks finds none, and nothing waits at FLARE's."""
    line = made(None, None, HERE, b"answer")
    for _ in range(2):
        line.look()
        assert not (tmp_path / "a.sock").exists() and not line.is_gone
    line.look()
    assert sockets.ask(tmp_path / "a.sock", b"question", 5) == b"answer"
    for _ in range(3):
        line.look()  # and it is not asked again
    assert line._send.sent == [HELLO, HELLO, HELLO, b"question"]
    line.close()
    assert not (tmp_path / "a.sock").exists()


@pytest.mark.parametrize("lost", [None, b""])
def test_what_is_lost_hangs_up(made, tmp_path, lost):
    """Nothing that could be taken for an answer: no bytes at all."""
    line = made(HERE, lost, b"answer")
    line.look()
    with pytest.raises(OSError, match="hung up"):
        sockets.ask(tmp_path / "a.sock", b"question", 5)
    assert sockets.ask(tmp_path / "a.sock", b"question", 5) == b"answer"


def gone(line, times):
    for _ in range(times):
        with pytest.raises(ConnectionError):
            line.respond(b"question")
    return line.is_gone


def test_three_unanswered_in_a_row_are_the_end(made):
    line = made(HERE, None)
    line.look()
    assert [gone(line, 1) for _ in range(4)] == [False, False, True, True]


def test_an_answer_begins_the_count_anew(made):
    line = made(HERE, None, None, b"answer", None, None, None)
    line.look()
    assert not gone(line, 2)
    assert line.respond(b"question") == b"answer"
    assert not gone(line, 2) and gone(line, 1)


def test_a_silent_site_has_an_end_that_is_there(made):
    """A site that is slow or away does not end the job: its end has said so."""
    line = made(HERE, b"")
    line.look()
    assert not gone(line, 10)


def test_an_end_that_was_never_heard_is_not_gone(made):
    """A site whose client begins later than the others ends nobody's job."""
    line = made(None)
    for _ in range(10):
        line.look()
    assert not line.is_gone
    line.close()  # of a line without a socket: nothing


def test_a_socket_in_use_is_said(made, tmp_path):
    """Another job carries there: this one ends, and takes nothing from it."""
    first, second = made(HERE, b"first"), made(HERE, b"second")
    first.look()
    with pytest.raises(ValueError, match="in use"):
        second.look()
    second.close()
    assert sockets.ask(tmp_path / "a.sock", b"question", 5) == b"first"


def test_no_thread_is_left(made, tmp_path):
    before = threading.active_count()
    line = made(HERE)
    line.look()
    assert threading.active_count() == before + 1
    line.close()
    end = time.monotonic() + 5
    while threading.active_count() > before and time.monotonic() < end:
        time.sleep(0.01)
    assert threading.active_count() == before
