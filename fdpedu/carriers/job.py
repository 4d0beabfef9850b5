"""The job by which FLARE carries: submitted, watched, and submitted again whenever it ends, until somebody stops it.

A job ends when one of its processes is killed, when the server is, or when a site no longer answers; a client that
comes later has no part in it. None of this costs a budget: what was asked is asked again, in the same bytes.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fdpedu.carriers.line import HELLO, HERE, SILENT, begin_turn, end_turn
from fdpedu.carriers.local import AGGREGATOR_END, SITE_END
from fdpedu.federation.sockets import ask, require_free, require_short
from fdpedu.files import Location, as_path

LOOK = 1.0  # seconds between two looks at the job
GATHERING = 10.0  # seconds that sites known from before have to come back; then the job begins without them
ORPHANED = 30.0  # seconds in which a job that nobody follows closes its sockets
UNBEGUN = 45.0  # seconds after which a job that FLARE has not begun is for nobody who answers
PROBED = 5  # looks between two messages that ask whether a site is there
ANSWER = 4.0  # seconds for one's answer: a little more than FLARE's end has
SHORT = 60.0  # seconds: a job that ends sooner is one of those that are counted,
BRIEF = 6  # of which so many follow each other at once,
MOST = 15  # and so many are the most in a row
LEFT = 5  # jobs in which a site that gives signs of life has no part; then it is left out
UNHEARD = 2  # jobs that may end before a site that is connected was heard: one may have been killed
ABSENT = 3  # looks in a row at which a started job has no process: its server was killed
_STARTED = ("DISPATCHED", "RUNNING")
_LIVING = ("SUBMITTED", "APPROVED", *_STARTED)
_LOCAL = (
    "its FLARE refuses the job, and its log.txt says why. In local/resources.json its class_allow_list needs {end}"
    "{streaming}; then restart FLARE there"
)
_OK = ": OK"  # what FLARE says of a site that has got its part
_STATES = {
    HERE: "{name} is reached through {socket}",
    SILENT: "{name}: FLARE there answers, and nobody listens at the site's socket: is fdpedu site running there, at "
    "the socket that its local/fdpedu.json names?",
}
_NOTHING = "{name}: nothing comes back through {socket}: FLARE there, or its job, does not answer"
_NOBODY = "no site's FLARE is connected to FLARE's server: start it at the sites (startup/start.sh)"
Say = Callable[[str], None]


class CarryingRefused(ValueError):
    """FLARE does not take the job, and would not take it the next time; the text says what to do."""


@dataclass
class Carrying:
    """What carries now, and what was seen of it.

    Parameters
    ----------
    kit : the folder of the startup kit of whoever submits
    sites : the folder in which the job has a socket for each site, on the server's machine
    say : called with each line that tells what happens
    """

    kit: Location
    sites: Location
    say: Say = print

    def __post_init__(self) -> None:
        self._known = set[str]()  # sites that an earlier job has reached
        self._offered, self._away = dict[str, Any](), dict[str, Any]()  # their last signs: of a job's, of who is gone
        self._unheard, self._left, self._looks = dict[str, int](), dict[str, int](), dict[str, int]()
        self._job = self._told = self._turn = ""
        self._short = 0
        self._kit, self._sites = as_path(self.kit).absolute(), as_path(self.sites).absolute()
        if not (self._kit / "startup" / "fed_admin.json").is_file():
            raise ValueError(
                f"kit must be the startup kit of whoever submits jobs, a folder with startup/fed_admin.json in it; "
                f"{self.kit} is none"
            )
        if not self._sites.is_dir():
            raise ValueError(f"sites must be the folder of the sockets, and {self.sites} is none: make it first")
        require_short(self._sites / "a name.sock")

    @property
    def name(self) -> str:
        """Of the job: the same for the same folder, so that a job that lives is found again."""
        return "fdpedu-" + hashlib.sha256(os.fsencode(os.path.realpath(self._sites))).hexdigest()[:8]

    def run(self) -> None:
        """Carry until stopped (KeyboardInterrupt), which ends the job; ``kill -9`` leaves it, to be found again.

        Raises
        ------
        CarryingRefused
            If FLARE does not take the job.
        """
        while True:
            try:
                with self._session() as session:
                    while True:
                        self._one_job(session)
            except _passing() as failure:
                self._tell(f"FLARE's server does not answer ({type(failure).__name__}: {failure}); trying again")
                time.sleep(LOOK)

    def _tell(self, words: str) -> None:
        """Say what has not been said just before."""
        if words != self._told:
            self.say(words)
        self._told = words

    def _one_job(self, session: Any) -> None:
        """From before it is submitted to its end."""
        begun, again, absent = time.monotonic(), False, 0
        self._job = self._living(session) or self._submitted(session)
        heard, part, states = set[str](), set[str](), dict[str, str]()
        while (meta := session.get_job_meta(self._job))["status"] in _LIVING and absent < ABSENT:
            clients, running = _seen(session)
            absent = absent + 1 if meta["status"] in _STARTED and self._job not in running else 0
            given = {line.removesuffix(_OK) for line in meta.get("job_deploy_detail", ()) if line.endswith(_OK)}
            part, age = given & set(clients), time.monotonic() - begun
            for name in sorted(name for name in part if self._socket(name).exists()):
                heard.add(name)
                self._known.add(name)
                self._listen(name, states)
            # FLARE starts a job all the same that is aborted while it is given out; so it runs, or was never begun
            if not again and (part if meta["status"] == "RUNNING" else age > UNBEGUN):
                again = self._begins_anew(session, clients, part, age)
            time.sleep(LOOK)
        how = "its process is gone" if absent else meta["status"]
        self._tell(f"job {self._job} has ended ({how}); another one follows")
        for name in heard:
            self._unheard.pop(name, None)
            self._left.pop(name, None)
        if not again:
            self._require_heard(part - heard, part)
            self._short = self._short + 1 if time.monotonic() - begun < SHORT else 0
            self._rest()

    def _begins_anew(self, session: Any, clients: dict[str, Any], part: set[str], age: float) -> bool:
        """Note who has no part in the job, and end it when one of those gives a sign of life.

        The server lists a client that is gone for ten minutes yet; one that lives gives a sign every ten seconds.
        """
        for name in sorted(set(clients) - part - set(self._away)):
            if name in self._offered:
                self._away[name] = self._offered[name]
                self._left[name] = self._left.get(name, 0) + 1
                self._tell(
                    f"{name} has no part in this job: FLARE's server still lists it, and nothing comes back from its "
                    "FLARE. Is that running there (startup/start.sh)? When it is back, a job begins that has it"
                )
        stubborn = sorted(name for name, jobs in self._left.items() if jobs >= LEFT and name not in part)
        back = sorted(
            name
            for name in set(clients) - part - set(stubborn)
            if self._away.get(name) != clients[name] and age >= _pause(self._left.get(name, 0), 1)
        )
        if stubborn:
            self._tell(
                f"{', '.join(stubborn)}: no part in {LEFT} jobs, and none begins for it any more: its FLARE gives "
                "signs of life, and takes no job; its log.txt says why. Then stop this command, and give it again"
            )
        if back:
            self._tell(f"{', '.join(back)} can be reached by FLARE's server now, so a job begins that has it")
            session.abort_job(self._job)
        return bool(back)

    def _listen(self, name: str, states: dict[str, str]) -> None:
        """Say what comes back through a site's socket, when it is something else than the last time."""
        if self._looks.get(name, 0) > 0 and name in states:
            self._looks[name] -= 1
            return
        self._looks[name] = PROBED
        try:
            state = _STATES.get(ask(self._socket(name), HELLO, ANSWER), _NOTHING)
        except OSError:
            state = _NOTHING
        if states.get(name) != state:
            self._tell(state.format(name=name, socket=self._socket(name)))
        states[name] = state

    def _rest(self) -> None:
        """Wait longer and longer where one job after another ends soon, and at last no more."""
        if self._short >= MOST:
            raise CarryingRefused(
                f"{self._short} jobs in a row have ended within {SHORT:.0f} s each: something ends them. Look into "
                f"log.txt of FLARE's server, and of the sites, for {self._job}"
            )
        for _ in range(int(_pause(self._short, BRIEF) / LOOK)):
            time.sleep(LOOK)

    def _living(self, session: Any) -> str:
        """The job for this folder that runs already, as one does whose submitter was killed; there is one at most.

        A server that was killed says for ever that its jobs run, so processes are counted.
        """
        jobs = {job["job_id"] for job in session.list_jobs(name_prefix=self.name) if job["status"] in _LIVING}
        self._offered, running = _seen(session)
        living = sorted(jobs & running)
        for other in living[1:]:
            session.abort_job(other)
        if living:
            self._tell(f"job {living[0]} carries already")
        return living[0] if living else ""

    def _submitted(self, session: Any) -> str:
        """For exactly the sites whose FLARE gives signs of life, when the job before has ended."""
        before, begun = self._job, time.monotonic()
        while True:
            clients, running = _seen(session)
            there = {name for name, sign in clients.items() if self._away.get(name) != sign}
            waited = time.monotonic() - begun
            ended = before not in running
            missing = self._known - there - (set(self._away) & set(clients))  # who may be on the way back
            if there and ended and (waited > GATHERING or not missing):
                break
            if not there:
                self._tell(_NOBODY)
            if waited > ORPHANED and not ended:
                raise CarryingRefused(f"job {before} does not end, though it should: restart FLARE's server")
            time.sleep(LOOK / 4)
        self._away = {name: sign for name, sign in self._away.items() if name in set(clients) - there}
        self._offered = {name: clients[name] for name in there}
        self._turn = begin_turn(self._sites)
        self._make_way()
        with tempfile.TemporaryDirectory(prefix="fdpedu-") as folder:
            submitted = session.submit_job(str(self._written(Path(folder) / self.name, sorted(there))))
        self._tell(
            f"job {submitted} is submitted, for {', '.join(sorted(there))}. The FLARE of a site that is not "
            "named does not answer the server; when it does, a job begins that has it"
        )
        return submitted

    def _written(self, folder: Path, names: Sequence[str]) -> Path:
        """The job: names of two classes and of the sites, and no code."""
        args = {"sites": str(self._sites), "turn": self._turn}
        at_server = {"id": "carry", "path": AGGREGATOR_END, "args": args}
        at_site = {"tasks": ["none"], "executor": {"path": SITE_END, "args": {}}}
        config = folder / "app" / "config"
        config.mkdir(parents=True)
        for path, content in {
            folder / "meta.json": {"name": self.name, "min_clients": 1, "deploy_map": {"app": ["server", *names]}},
            config / "config_fed_server.json": {"format_version": 2, "workflows": [at_server], "components": []},
            config / "config_fed_client.json": {"format_version": 2, "executors": [at_site], "components": []},
        }.items():
            path.write_text(json.dumps(content), "utf8")
        return folder

    def _make_way(self) -> None:
        """Take away what a killed job has left; one that was orphaned, or aborted, ends in a few seconds."""
        end = time.monotonic() + ORPHANED
        while True:
            try:
                for socket in self._sites.glob("*.sock"):
                    require_free(socket)
                return
            except ValueError as refusal:
                if time.monotonic() > end:
                    raise CarryingRefused(f"{refusal}. It is no job for this folder, for those have ended") from None
                time.sleep(LOOK / 4)

    def _require_heard(self, unheard: set[str], part: set[str]) -> None:
        """Refuse to go on with a site, or a server, that lets the job end each time before it is heard."""
        for name in unheard:
            self._unheard[name] = self._unheard.get(name, 0) + 1
        stubborn = sorted(name for name in unheard if self._unheard[name] >= UNHEARD)
        if stubborn and len(stubborn) == len(part):
            words = _LOCAL.format(end=AGGREGATOR_END, streaming="")
            raise CarryingRefused(
                f"no site was heard. If it is the server, {words}. If it is each site, the same there"
            )
        if stubborn:
            words = _LOCAL.format(end=SITE_END, streaming=", and allow_log_streaming must be false")
            raise CarryingRefused(f"{', '.join(stubborn)}: not heard, while the others were: {words}")

    def _socket(self, name: str) -> Path:
        return self._sites / f"{name}.sock"

    @contextmanager
    def _session(self) -> Iterator[Any]:
        """Logged in; whoever stops the program ends the job."""
        from nvflare.fuel.flare_api import api_spec, flare_api

        try:
            with redirect_stdout(io.StringIO()):  # it says that it connects
                session = flare_api.new_secure_session("", str(self._kit))
        except api_spec.AuthenticationError as error:
            raise CarryingRefused(f"FLARE's server does not know this kit ({error}): take one of its project") from None
        try:
            yield session
        except api_spec.AuthorizationError:
            raise CarryingRefused(
                f"the kit {self.kit} may not submit jobs: take that of a lead or of the project's admin, or give its "
                "role submit_job in the server's local/authorization.json"
            ) from None
        except KeyboardInterrupt:
            with suppress(OSError):
                end_turn(self._sites)
            with suppress(Exception):
                session.abort_job(self._job)
            raise
        finally:
            with suppress(Exception):
                session.close()


def _seen(session: Any) -> tuple[dict[str, Any], set[str]]:
    """The clients that are connected, with the time of their last sign of life, and the jobs that have a process."""
    found = session.get_system_info()
    return {client.name: client.last_connect_time for client in found.client_info}, {
        job.job_id for job in found.job_info
    }


def _pause(jobs: int, free: int) -> float:
    """Seconds before the next of so many: none for the first ones, then twice as many each time."""
    return min(60.0, 2.0 ** (jobs - free)) if jobs > free else 0.0


def _passing() -> tuple[type[Exception], ...]:
    """What a server that is away, or comes back, makes a session raise."""
    from nvflare.fuel.flare_api import api_spec

    return (
        api_spec.NoConnection,
        api_spec.SessionClosed,
        api_spec.InternalError,
        api_spec.NoReply,
        api_spec.JobNotFound,
        ConnectionError,
        TimeoutError,
        RuntimeError,
    )
