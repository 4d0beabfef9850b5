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
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fdpedu.carriers.local import AGGREGATOR_END, SITE_END
from fdpedu.federation.sockets import require_free, require_short
from fdpedu.files import Location, as_path

LOOK = 1.0  # seconds between two looks at the job
GATHERING = 10.0  # seconds that sites known from before have to come back; then the job begins without them
ORPHANED = 30.0  # seconds in which a job that nobody follows closes its sockets
UNHEARD = 2  # jobs that may end before a site that is connected was heard: one may have been killed
ABSENT = 3  # looks in a row at which a started job has no process: its server was killed
_STARTED = ("DISPATCHED", "RUNNING")
_LIVING = ("SUBMITTED", "APPROVED", *_STARTED)
_LOCAL = (
    "its FLARE refuses the job, and its log.txt says why. In local/resources.json its class_allow_list needs {end}"
    "{streaming}; then restart FLARE there"
)
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
        self._known, self._unheard = set[str](), dict[str, int]()
        self._job = self._told = ""
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
        self._job = self._living(session) or self._submitted(session)
        heard, part, absent, aborted = set[str](), set[str](), 0, False
        while (meta := session.get_job_meta(self._job))["status"] in _LIVING and absent < ABSENT:
            connected, running = _seen(session)
            self._known |= connected
            absent = absent + 1 if meta["status"] in _STARTED and self._job not in running else 0
            part = connected & {line.split(":")[0] for line in meta.get("job_deploy_detail", ())}
            for name in sorted({name for name in part if self._socket(name).exists()} - heard):
                self._tell(f"{name} is reached through {self._socket(name)}")
                self._unheard.pop(name, None)
                heard.add(name)
            if part and connected - part and not aborted:
                self._tell(f"{', '.join(sorted(connected - part))} came later, so the job begins anew")
                session.abort_job(self._job)
                aborted = True
            time.sleep(LOOK)
        how = "its process is gone" if absent else meta["status"]
        self._tell(f"the job has ended ({how}); it is submitted again")
        if not aborted:
            self._require_heard(part - heard, part)

    def _living(self, session: Any) -> str:
        """The job for this folder that runs already, as one does whose submitter was killed.

        A server that was killed says for ever that its jobs run, so processes are counted.
        """
        jobs = {job["job_id"] for job in session.list_jobs(name_prefix=self.name) if job["status"] in _LIVING}
        living = sorted(jobs & _seen(session)[1])
        if living:
            self._tell(f"job {living[0]} carries already")
        return living[0] if living else ""

    def _submitted(self, session: Any) -> str:
        end = time.monotonic() + GATHERING
        connected, _ = _seen(session)
        if not connected:
            self._tell("no site's client is connected to FLARE's server yet")
        while not connected or (self._known - connected and time.monotonic() < end):
            time.sleep(LOOK / 4)
            connected, _ = _seen(session)
        self._make_way()
        with tempfile.TemporaryDirectory(prefix="fdpedu-") as folder:
            submitted = session.submit_job(str(self._written(Path(folder) / self.name)))
        self._tell(f"job {submitted} is submitted, for {', '.join(sorted(connected))}")
        return submitted

    def _written(self, folder: Path) -> Path:
        """The job: names of two classes, and no code."""
        at_server = {"id": "carry", "path": AGGREGATOR_END, "args": {"sites": str(self._sites)}}
        at_site = {"tasks": ["none"], "executor": {"path": SITE_END, "args": {}}}
        config = folder / "app" / "config"
        config.mkdir(parents=True)
        for path, content in {
            folder / "meta.json": {"name": self.name, "min_clients": 1, "deploy_map": {"app": ["@ALL"]}},
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
            except ValueError:
                if time.monotonic() > end:
                    raise
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
            with suppress(Exception):
                session.abort_job(self._job)
            raise
        finally:
            with suppress(Exception):
                session.close()


def _seen(session: Any) -> tuple[set[str], set[str]]:
    """The clients that are connected, and the jobs that have a process."""
    found = session.get_system_info()
    return {client.name for client in found.client_info}, {job.job_id for job in found.job_info}


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
