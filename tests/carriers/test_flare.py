"""The two ends of a job of FLARE, with a FLARE of a few lines between them, and what a network does to messages."""

import importlib
import json
import subprocess
import sys
import threading
import time
from collections import Counter
from types import SimpleNamespace

import pytest

from fdpedu.carriers import flare
from fdpedu.carriers.line import begin_turn, end_turn
from fdpedu.federation import ClassCounts, Sockets
from fdpedu.federation.sockets import ask
from fdpedu.secure_sum import RoundLost
from tests.support import fake_flare
from tests.support.afield import DOMAIN, Field
from tests.support.repository import PACKAGE

ONE = [ClassCounts(DOMAIN.everything, "1/10")]


@pytest.fixture
def ends(monkeypatch):
    """The module anew, with FLARE's classes below ours."""
    fake_flare.install(monkeypatch)
    flare.__getattr__.cache_clear()
    yield flare
    flare.__getattr__.cache_clear()


def test_the_classes_are_flare_s(ends):
    """Of its kinds, of this module, the same each time; with the argument that the job gives."""
    assert issubclass(ends.SiteEnd, fake_flare.Executor) and issubclass(ends.AggregatorEnd, fake_flare.Controller)
    for name in ("SiteEnd", "AggregatorEnd"):
        made = getattr(ends, name)
        assert (made.__module__, made.__qualname__) == ("fdpedu.carriers.flare", name)
        assert made is getattr(importlib.import_module(made.__module__), name)
    assert ends.AggregatorEnd(sites="s", turn="1").is_a_controller
    with pytest.raises(AttributeError, match="Nobody"):
        _ = ends.Nobody


def test_plain_imports_no_flare():
    """Nothing that the package imports by itself, nor the carriers' modules, brings FLARE along."""
    code = (
        "import sys; sys.modules['nvflare'] = None; import fdpedu, fdpedu.cli, fdpedu.demo.field, fdpedu.carriers.job,"
        " fdpedu.carriers.flare, fdpedu.carriers.local; fdpedu.cli.parser();"
        "\ntry: fdpedu.carriers.flare.SiteEnd\nexcept ModuleNotFoundError as error: print(error.name)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=PACKAGE.parent)
    assert done.stdout == "nvflare.apis\n" or done.stdout == "nvflare.apis.executor\n", done.stdout + done.stderr


def test_the_ends_are_as_short_as_was_said():
    """At most 90 lines that a consortium's engineer reads before the class is listed."""
    assert len((PACKAGE / "carriers" / "flare.py").read_text("utf8").splitlines()) <= 90


class Job:
    """A job between the sockets of a federation and its sites: both ends, each as FLARE makes and calls it."""

    def __init__(self, field, ends, network=None, turn=None):
        self.signal, self.failure = SimpleNamespace(triggered=False), None
        handlers = {name: self._site(field, ends, name) for name in field.own}
        kept = {} if network is None else {"network": network}
        self.engine = fake_flare.Engine(handlers, **kept)
        self.turn = begin_turn(field.folder / "sites") if turn is None else turn
        self._end = ends.AggregatorEnd(sites=str(field.folder / "sites"), turn=self.turn)
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    @staticmethod
    def _site(field, ends, name):
        local = field.folder / f"local-{name}"
        local.mkdir(exist_ok=True)
        (local / "fdpedu.json").write_text(json.dumps({"socket": str(field.socket(name))}), "utf8")
        end, engine = ends.SiteEnd(), fake_flare.SiteEngine(local)
        context = fake_flare.context_of(engine)
        end.handle_event("_about_to_start_run", context)
        assert engine.handlers == {}
        end.handle_event("_start_run", context)
        assert list(engine.handlers) == ["fdpedu"]
        return lambda topic, request: engine.handlers[topic](topic=topic, request=request, fl_ctx=context)

    def _run(self):
        try:
            self._end.start_controller(fake_flare.context_of(self.engine))
            self._end.control_flow(self.signal, fake_flare.context_of(self.engine))
            self._end.stop_controller(fake_flare.context_of(self.engine))
        except BaseException as failure:
            self.failure = failure

    def join(self, seconds=10):
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def stop(self):
        self.signal.triggered = True
        assert self.join()


@pytest.fixture
def field(tmp_path, ends, monkeypatch):
    monkeypatch.setattr(ends, "PAUSE", 0.02)
    made = Field(tmp_path, budget=10)
    (tmp_path / "own").mkdir()
    made.socket = lambda name: tmp_path / "own" / f"{name}.sock"
    made.jobs = []

    def begin(network=None, turn=None):
        made.jobs.append(Job(made, ends, network, turn))
        return made.jobs[-1]

    def federation(patience=20):
        through = Sockets(tmp_path / "sites", patience=patience)
        parties = [through.party(name, identity) for name, identity in made.agreed.members.items()]
        return made.of(parties, through, journal=True, ledger=None)

    made.begin, made.federation = begin, federation
    made.start_all()
    yield made
    for job in made.jobs:
        job.stop()
    made.stop()


def right(field, federation):
    """A round's sums are those of one process, and all have paid for it once."""
    found = federation.release(ONE)
    assert [list(one) for one in found] == [list(one) for one in field.in_process().release(ONE)]
    with field.ledger("aggregator") as ledger:
        field.require_paid_once(ledger.rounds, ledger.spent)


def test_it_carries_and_ends(field):
    """From sockets to sockets and back; when FLARE says that the job is aborted, the sockets are gone."""
    job = field.begin()
    with field.federation() as federation:
        for _ in range(3):
            right(field, federation)
    assert {name for name, _ in job.engine.sent} == set(field.own)
    job.stop()
    assert job.failure is None and [*(field.folder / "sites").glob("*.sock")] == []


def twice(name, hand_over):
    hand_over()
    return hand_over()


class Losing:
    """Each second answer of a site is lost, after it has been given."""

    def __init__(self):
        self.turns = Counter()

    def turn(self, name):
        self.turns[name] += 1
        return self.turns[name] % 2

    def __call__(self, name, hand_over):
        answer = hand_over()
        return {} if self.turn(name) else answer


class Dropping(Losing):
    """Each second message to a site is lost on its way, and FLARE has no reply at all."""

    def __call__(self, name, hand_over):
        return None if self.turn(name) else hand_over()


def slow(name, hand_over):
    time.sleep(0.05)
    return hand_over()


@pytest.mark.parametrize("network", [lambda: twice, Losing, Dropping, lambda: slow])
def test_whatever_a_network_does_each_round_is_right_and_paid_once(field, network):
    """Messages that come twice or late, and messages and answers that are lost."""
    field.begin(network())
    with field.federation() as federation:
        right(field, federation)
        right(field, federation)


def crossed(name, hand_over):
    """The answer of another site, in the name of this one."""
    return hand_over("south" if name == "north" else name)


def made_up(name, hand_over):
    found = hand_over()
    answer = found[name]["answer"]
    return {name: {"answer": answer[:-1] + bytes([answer[-1] ^ 1])}} if len(answer) > 10 else found


@pytest.mark.parametrize("network", [crossed, made_up])
def test_an_answer_that_is_not_the_site_s_makes_no_sum(field, network):
    """Whoever carries need not be believed: the round is lost."""
    field.begin(network)
    with pytest.raises((RoundLost, ValueError)):
        field.federation(patience=2).release(ONE)


def test_an_end_that_is_gone_ends_the_job(field):
    """And the next job goes on with the same round: the site is back, and pays once."""
    away = {"south": False}
    job = field.begin(lambda name, hand_over: {} if away.get(name) else hand_over())
    with field.federation() as federation:
        right(field, federation)
        away["south"] = True
        threading.Thread(target=lambda: job.join() and field.begin(), daemon=True).start()
        right(field, federation)
    assert job.join() and job.failure is None
    assert len(field.jobs) == 2


def test_a_site_that_is_away_ends_nothing(field):
    """Its end is there and says that it is silent; when it is back, the round is finished by the same job."""
    job = field.begin()
    with field.federation() as federation:
        right(field, federation)
        field.kill("south")
        threading.Timer(1, field.start, ["south"]).start()
        right(field, federation)
    assert not job.join(0.1)


class Slow:
    """A site that takes longer over each new question than its end waits."""

    def __init__(self, site):
        self._site, self._heard = site, set()

    def respond(self, message):
        answer = self._site.respond(message)
        if message not in self._heard:
            self._heard.add(message)
            time.sleep(0.6)
        return answer


def test_a_site_that_is_slow_is_asked_until_it_has_answered(field, ends, monkeypatch):
    """Its end does not wait for it, and is not taken for gone: what was answered too late is answered again, unpaid."""
    monkeypatch.setattr(ends, "AT_SITE", 0.2)
    job = field.begin()
    field.kill("south")
    field.start("south", wrapped=Slow)
    with field.federation() as federation:
        right(field, federation)
    assert not job.join(0.1)


@pytest.mark.parametrize("text", [None, "", "{}", '{"socket": "nowhere.sock"}', '{"socket": null}', "[]"])
def test_a_file_that_says_no_socket_is_a_silent_site(tmp_path, ends, text):
    """Nobody is told why, least of all the server; the end is there, and says so."""
    if text is not None:
        (tmp_path / "fdpedu.json").write_text(text, "utf8")
    context = fake_flare.context_of(fake_flare.SiteEngine(tmp_path))

    def said(message):
        return ends.SiteEnd().hand_over("fdpedu", fake_flare.Shareable({"message": message}), context)

    assert said(b"question") == {"answer": b""} and said(b"") == {"answer": b"silent"}


def test_a_job_beside_a_living_one_ends(field):
    """The first one's sockets are in use: the second takes nothing, and says so."""
    first = field.begin()
    with field.federation() as federation:
        right(field, federation)
        second = field.begin(turn=first.turn)
        assert second.join() and "in use" in str(second.failure)
        right(field, federation)
    assert not first.join(0.1)


@pytest.mark.parametrize("end", [begin_turn, end_turn])
def test_a_job_whose_turn_has_passed_ends_whatever_flare_says(field, end):
    """FLARE may start a job that was aborted before it ran: it takes no socket from the next one."""
    job = field.begin()
    with field.federation() as federation:
        right(field, federation)
        end(field.folder / "sites")
        assert job.join() and job.failure is None and not job.signal.triggered
        assert [*(field.folder / "sites").glob("*.sock")] == []
        field.begin()
        late = field.begin(turn=job.turn)
        assert late.join() and late.failure is None and late.engine.sent == []
        right(field, federation)


def test_whether_a_site_listens_is_said_by_its_end_and_the_site_is_given_nothing(field):
    field.begin()
    north = field.folder / "sites" / "north.sock"
    with field.federation() as federation:
        right(field, federation)
        assert ask(north, b"", 5) == b"here"
        field.kill("north")
        assert ask(north, b"", 5) == b"silent"
        field.start("north")
        right(field, federation)


def test_no_task_is_taken(ends):
    with pytest.raises(NotImplementedError, match="no task"):
        ends.SiteEnd().execute("train", {}, None, None)
    assert ends.AggregatorEnd(sites="s", turn="1").process_result_of_unknown_task(None, "train", {}, None) is None
