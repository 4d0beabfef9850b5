"""What the two ends and the carrying command ask of NVIDIA FLARE, without it: modules, an engine, a server's session.

The engine hands a message to the site's end at once, and may do with it what a network does. The session is a server of
a few lines, whose clock is the number of looks at it.
"""

import json
import sys
import types
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

from fdpedu.carriers import presence
from fdpedu.carriers.line import HELLO, HERE, SILENT


class Shareable(dict):
    """As FLARE's: made of a dictionary, or of nothing."""

    def __init__(self, data=None):
        super().__init__()
        self.update(data or {})


class Executor:
    pass


class Controller:
    def __init__(self):
        self.is_a_controller = True


API = ("NoConnection", "SessionClosed", "InternalError", "NoReply", "JobNotFound")
REFUSING = ("AuthenticationError", "AuthorizationError")


def install(monkeypatch, new_session=None):
    """The modules of FLARE that are imported, for one test."""
    errors = {name: type(name, (Exception,), {}) for name in (*API, *REFUSING)}
    content = {
        "nvflare": {},
        "nvflare.apis": {},
        "nvflare.apis.shareable": {"Shareable": Shareable},
        "nvflare.apis.executor": {"Executor": Executor},
        "nvflare.apis.impl": {},
        "nvflare.apis.impl.controller": {"Controller": Controller},
        "nvflare.fuel": {},
        "nvflare.fuel.flare_api": {},
        "nvflare.fuel.flare_api.api_spec": errors,
        "nvflare.fuel.flare_api.flare_api": {"new_secure_session": new_session},
    }
    for name, values in content.items():
        module = types.ModuleType(name)
        module.__dict__.update(values)
        monkeypatch.setitem(sys.modules, name, module)
        if "." in name:
            setattr(sys.modules[name.rpartition(".")[0]], name.rpartition(".")[2], module)
    return SimpleNamespace(**errors)


class Engine:
    """The job of FLARE as both ends see it: ``network`` does with a message and its way what a network does."""

    def __init__(self, ends, network=lambda name, hand_over: hand_over()):
        self.ends, self.network, self.sent = ends, network, []

    def get_clients(self):
        return [SimpleNamespace(name=name) for name in self.ends]

    @contextmanager
    def new_context(self):
        yield self

    def send_aux_request(self, targets, topic, request, timeout, fl_ctx, optional):
        (name,) = targets
        assert fl_ctx is self and optional and topic == "fdpedu" and 0 < timeout <= 3
        self.sent.append((name, request["message"]))
        return self.network(name, lambda to=name: {name: self._handled(to, topic, request)})

    def _handled(self, name, topic, request):
        try:
            return self.ends[name](topic, request)
        except Exception:
            return Shareable()  # FLARE's reply to a handler that fails has a return code, and no answer


def context_of(engine):
    return SimpleNamespace(get_engine=lambda: engine)


class SiteEngine:
    """One site's side: the folder of its kit, and what its end has registered."""

    def __init__(self, local):
        self._local, self.handlers = local, {}

    def get_workspace(self):
        return SimpleNamespace(get_site_config_dir=lambda: str(self._local))

    def register_aux_message_handler(self, topic, handler):
        self.handlers[topic] = handler


class Server:
    """FLARE's server as a session sees it: ``script`` has what happens at each look at the system, then nothing more.

    Each is a function of the server. A job that was submitted runs from the second look on, and has all clients that
    were connected; whoever is reached has a socket file in ``sites``.
    """

    def __init__(self, monkeypatch, sites, script=(), clients=("north", "south")):
        self.sites, self.script, self.clients = sites, list(script), {*clients}
        self.jobs, self.running, self.aborted, self.sessions, self.submitted = {}, set(), [], [], []
        self.errors, self.deaf, self.kit_refused = install(monkeypatch, self.new_session), set(), False
        self.stopped, self.silent, self.undeployable, self.signs, self.asked = set(), set(), set(), 0, []
        monkeypatch.setattr(presence, "ask", self.ask)

    def new_session(self, username, kit):
        assert username == ""
        print("Connecting to FLARE ...")
        if self.kit_refused:
            raise self.errors.AuthenticationError("no such user")
        self.sessions.append(SimpleNamespace(closed=0))
        return self

    # --- what is asked of a session

    def get_system_info(self):
        if self.script:
            self.script.pop(0)(self)
        else:
            raise KeyboardInterrupt
        self.signs += 1
        clients = [SimpleNamespace(name=name, last_connect_time=self.sign(name)) for name in sorted(self.clients)]
        return SimpleNamespace(client_info=clients, job_info=[SimpleNamespace(job_id=job) for job in self.running])

    def sign(self, name):
        """Of life: a client that is stopped gives none, and FLARE lists it nevertheless."""
        return 0 if name in self.stopped else self.signs

    def ask(self, path, message, seconds):
        """What the job answers through a socket to whoever asks whether the site is there."""
        assert message == HELLO and 0 < seconds < 10
        self.asked.append(path.stem)
        if not path.exists() or path.stem in self.stopped:
            raise ConnectionError("it hung up")
        return SILENT if path.stem in self.silent else HERE

    def list_jobs(self, name_prefix):
        return [{"job_id": k, "status": v["status"]} for k, v in self.jobs.items() if v["name"].startswith(name_prefix)]

    def get_job_meta(self, job):
        return self.jobs[job]

    def submit_job(self, folder):
        self.submitted.append(read_job(folder))
        self.jobs[self.last] = {"name": self.submitted[-1]["meta"]["name"], "status": "SUBMITTED", "own": True}
        return self.last

    def abort_job(self, job):
        self.aborted.append(job)
        self.ended(job, "FINISHED:ABORTED")

    def close(self):
        self.sessions[-1].closed += 1

    # --- what happens there

    @property
    def last(self):
        return f"job-{len(self.submitted)}"

    def run(self):
        """The last job runs, with all for whom it is that are connected and answer."""
        self.running.add(self.last)
        named = (
            set(self.submitted[-1]["meta"]["deploy_map"]["app"]) if self.jobs[self.last].get("own") else self.clients
        )
        part = (self.clients & named) - self.stopped
        detail = [f"{name}: OK" for name in ("server", *sorted(part - self.undeployable))]
        detail += [f"{name}: no reply (deployment timeout)" for name in sorted(part & self.undeployable)]
        self.jobs[self.last] |= {"status": "RUNNING", "job_deploy_detail": detail}
        for name in part - self.undeployable - self.deaf:
            (self.sites / f"{name}.sock").touch()

    def ended(self, job=None, status="FINISHED:ABNORMAL"):
        job = job or self.last
        self.jobs[job]["status"] = status
        self.running.discard(job)
        for path in self.sites.glob("*.sock"):
            path.unlink()


def read_job(folder):
    """All files of a job that is submitted, each by its name."""
    return {path.stem: json.loads(path.read_text("utf8")) for path in Path(folder).rglob("*.json")}
