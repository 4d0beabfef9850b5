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
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fdpedu.carriers.line import begin_turn, end_turn
from fdpedu.carriers.local import AGGREGATOR_END, SITE_END
from fdpedu.carriers.presence import CarryingRefused, Presence, Say, pause
from fdpedu.federation.sockets import require_free, require_short
from fdpedu.files import Location, as_path

LOOK = 1.0  # seconds between two looks at the job
ORPHANED = 30.0  # seconds in which a job that nobody follows closes its sockets
UNBEGUN = 45.0  # seconds after which a job that FLARE has not begun is for nobody who answers
SHORT = 60.0  # seconds: a job that ends sooner is one of those that are counted,
BRIEF = 6  # of which so many follow each other at once,
MOST = 15  # and so many are the most in a row
ABSENT = 3  # looks in a row at which a started job has no process: its server was killed
_STARTED = ("DISPATCHED", "RUNNING")
_LIVING = ("SUBMITTED", "APPROVED", *_STARTED)
_OK = ": OK"  # what FLARE says of a site that has got its part


@dataclass
class Carrying:
    """What carries now, and what was seen of it.

    Parameters
    ----------
    kit : the folder of the startup kit of whoever submits
    sites : the folder in which the job has a socket for each site, on the server's machine
    say : called with each line that tells what happens
    names : of the sites that have agreed: who of them is not there is said, and no other has part; none: all have
    """

    kit: Location
    sites: Location
    say: Say = print
    names: Collection[str] = ()

    def __post_init__(self) -> None:
        self._presence = Presence(frozenset(self.names), self._tell)
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
        try:
            while True:
                try:
                    with self._session() as session:
                        while True:
                            self._one_job(session)
                except _passing() as failure:
                    self._tell(f"FLARE's server does not answer ({type(failure).__name__}: {failure}); trying again")
                    time.sleep(LOOK)
        except KeyboardInterrupt:
            self._end_turn()
            raise

    def _tell(self, words: str) -> None:
        """Say what has not been said just before."""
        if words != self._told:
            self.say(words)
        self._told = words

    def _one_job(self, session: Any) -> None:
        """From before it is submitted to its end."""
        begun, again, absent = time.monotonic(), False, 0
        self._job = self._living(session) or self._submitted(session)
        heard, part = set[str](), set[str]()
        while (meta := session.get_job_meta(self._job))["status"] in _LIVING and absent < ABSENT:
            clients, running = _seen(session)
            absent = absent + 1 if meta["status"] in _STARTED and self._job not in running else 0
            given = {line.removesuffix(_OK) for line in meta.get("job_deploy_detail", ()) if line.endswith(_OK)}
            part, age = given & set(clients), time.monotonic() - begun
            for name in sorted(name for name in part if self._socket(name).exists()):
                heard.add(name)
                self._presence.listen(name, self._socket(name))
            # FLARE starts a job all the same that is aborted while it is given out; so it runs, or was never begun
            if not again and (part if meta["status"] == "RUNNING" else age > UNBEGUN):
                again = bool(self._presence.without_part(clients, part, age))
                if again:
                    session.abort_job(self._job)
            time.sleep(LOOK)
        how = "its process is gone" if absent else meta["status"]
        self._tell(f"job {self._job} has ended ({how}); another one follows")
        self._presence.heard(heard)
        if not again:
            self._presence.require_heard(part - heard, part)
            self._short = self._short + 1 if time.monotonic() - begun < SHORT else 0
            self._rest()

    def _rest(self) -> None:
        """Wait longer and longer where one job after another ends soon, and at last no more."""
        if self._short >= MOST:
            raise CarryingRefused(
                f"{self._short} jobs in a row have ended within {SHORT:.0f} s each: something ends them. Look into "
                f"log.txt of FLARE's server, and of the sites, for {self._job}"
            )
        if seconds := int(pause(self._short, BRIEF)):
            self._tell(
                f"{self._short} jobs in a row have ended within {SHORT:.0f} s each; the next begins in {seconds} s"
            )
        for _ in range(int(seconds / LOOK)):
            time.sleep(LOOK)

    def _living(self, session: Any) -> str:
        """The one job for this folder that has a process: a server that was killed says for ever that its jobs run."""
        clients, running = _seen(session)
        jobs = session.list_jobs(name_prefix=self.name)
        living = sorted(running & {job["job_id"] for job in jobs if job["status"] in _LIVING})
        for other in living[1:]:
            session.abort_job(other)
        if not living:
            return ""
        self._presence.found(clients)
        self._tell(f"job {living[0]} carries already")
        return living[0]

    def _submitted(self, session: Any) -> str:
        """For exactly the sites whose FLARE gives signs of life, when the job before has ended."""
        before, begun = self._job, time.monotonic()
        self._end_turn()
        while True:
            clients, running = _seen(session)
            waited, ended = time.monotonic() - begun, before not in running
            if (there := self._presence.ready(clients, waited)) and ended:
                break
            if waited > ORPHANED and not ended:
                raise CarryingRefused(f"job {before} does not end, though it should: restart FLARE's server")
            time.sleep(LOOK / 4)
        self._turn = begin_turn(self._sites)
        self._make_way()
        with tempfile.TemporaryDirectory(prefix="fdpedu-") as folder:
            submitted = session.submit_job(str(self._written(Path(folder) / self.name, there)))
        self._presence.offered(clients, submitted)
        return submitted

    def _end_turn(self) -> None:
        """Whatever job is left ends, even if the server, which could end it, is away."""
        with suppress(OSError):
            end_turn(self._sites)

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
            self._end_turn()
            with suppress(Exception):
                session.abort_job(self._job)
            raise
        finally:
            with suppress(Exception):
                session.close()


def _seen(session: Any) -> tuple[dict[str, Any], set[str]]:
    """The clients that are connected, with the time of their last sign of life, and the jobs that have a process."""
    found = session.get_system_info()
    clients = {client.name: client.last_connect_time for client in found.client_info}
    return clients, {job.job_id for job in found.job_info}


def _passing() -> tuple[type[Exception], ...]:
    """What a server that is away, or comes back, makes a session raise."""
    from nvflare.fuel.flare_api import api_spec

    lost = (api_spec.NoConnection, api_spec.SessionClosed, api_spec.InternalError, api_spec.NoReply)
    return (*lost, api_spec.JobNotFound, ConnectionError, TimeoutError, RuntimeError)
